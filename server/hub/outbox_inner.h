/* outbox_inner.h -- what the files of the outbox share; see outbox.h. */

#ifndef SERVER_HUB_OUTBOX_INNER_H
#define SERVER_HUB_OUTBOX_INNER_H

#include "channels.h"
#include "due.h"
#include "hours.h"
#include "inner.h"
#include "outbox.h"

#define OF_KIND(kind) (1u << (kind))

/* A table at which somebody looked while it is not known what waits for them:
 * what was stored before it is needless. */
struct outbox_look {
    id_num table;
    uint64_t number; /* of the last notice by then */
};

/* Somebody for whom something waits, or of whom is known how they want to be
 * told things. */
struct outbox_person {
    /* What each move of theirs looks at, together. */
    struct due due; /* first; while there is something to decide */
    id_num account;
    size_t row_count, told_count;
    struct outbox_message *messages; /* on their way */
    /* What was found out when they were last asked about; forgotten when they
     * change it. */
    bool known, nowhere; /* no channel is on */
    int64_t known_ms;    /* since when */
    unsigned changes;    /* so often they did */
    int64_t wait_ms;
    struct notice_row *rows; /* that wait, by number */
    id_num *told;            /* tables of which they have a mail */
    size_t row_cap, told_cap;
    struct outbox_look *looks;
    size_t look_count, look_cap;
    size_t jobs; /* that point here */
    int64_t used_ms;
    int64_t tested_ms; /* when a channel of theirs was */
    id_num off;        /* one of them that is being switched off, or 0 */
};

/* What a message tells of. */
struct outbox_item {
    uint8_t kind; /* enum notice_kind */
    id_num table; /* or 0 */
    uint32_t ply;
    id_num maker;   /* or 0 */
    uint8_t detail; /* enum notice_detail */
};

enum message_state {
    MESSAGE_NEW,
    MESSAGE_EXPECTED, /* the transaction with it is under way */
    MESSAGE_WAITS,
    MESSAGE_ASKED,  /* what is true, to be said */
    MESSAGE_HANDED, /* to the host */
    MESSAGE_SETTLED /* it is known what became of it, and to be stored */
};

struct outbox_message {
    struct due due;              /* first */
    struct due age;              /* when it was made, of its way's */
    struct outbox_message *next; /* of the same person */
    struct outbox_person *person;
    id_num id, channel;
    struct outbox_server *server; /* that it goes to */
    uint8_t way;                  /* enum channel */
    uint8_t form;                 /* enum delivery_form */
    uint8_t state;
    bool busy; /* being asked about, or with the host */
    /* Somebody may have it as it is: nothing is added to it, or who tells by its
     * ID would throw that away. */
    bool unsure;
    bool dropped;         /* it has nothing to tell, and is not sent */
    transaction_id after; /* MESSAGE_EXPECTED */
    struct outbox_message *next_fresh;
    int64_t made_ms, failing_ms, handed_ms;
    int32_t tries;
    struct outbox_item *items;
    size_t item_count;
    struct account_notice mail; /* DELIVERY_ACCOUNT */
    struct region region;       /* the texts of that */
    uint8_t result;             /* MESSAGE_SETTLED */
    char said[LIMIT_SAID_BYTES + 1];
};

/* One that messages are carried to: the mail server, a push service, a host that
 * somebody named. */
struct outbox_server {
    struct due due; /* first; while one of its messages may go */
    uint64_t key;
    struct due_queue queue; /* of its messages those that wait */
    size_t messages;
    size_t busy, most; /* of them under way, and as many as may be */
    int64_t gap_ms;    /* from one to the next */
    int64_t next_ms;   /* not before */
    int64_t served_ms; /* when the last one went */
    unsigned held;     /* so often in a row it was slow, or had enough */
};

/* What is on its way by one of the ways there are. */
struct outbox_way {
    struct due_queue queue; /* servers with messages that may go */
    struct map servers;     /* by key */
    struct due_queue ages;  /* of all its messages */
    size_t waiting;         /* messages */
    size_t busy;            /* being asked about, or with the host */
    struct bucket rate;
    int64_t done_ms;  /* when something last arrived, or 0 */
    int64_t alarm_ms; /* when it is tried again; 0: nothing is wrong */
    int64_t alarm_since_ms;
    char alarm[LIMIT_SAID_BYTES + 1]; /* what is */
};

struct outbox {
    struct map people;            /* by account */
    struct map messages;          /* by id */
    struct due_queue queue;       /* people with something to decide */
    struct outbox_message *fresh; /* MESSAGE_EXPECTED */
    struct outbox_way ways[CHANNELS];
    uint64_t last; /* number of the last notice */
    size_t row_count;
    /* The lowest number of a notice that may be in the store and not here; 0:
     * there is none.  And of those that came since that is being asked. */
    uint64_t rest, low;
    bool told_read, messages_read; /* they are here */
    bool told_rest; /* but for people for whom there was no room */
    bool looks;     /* some are kept, as not all was here */
    bool reading;
    /* Of what is being read nothing counts, as a message went since it was asked,
     * or something was lost. */
    bool outdated;
    struct place told_after;
    id_num told_end; /* the last of whom it is read; 0: of all */
    id_num messages_after;
    int64_t remind_ms, digest_ms, forget_ms; /* when to look again */
    int64_t tick_ms;                         /* when the last one was */
    int64_t set_back_ms; /* by how much the clock was, in all */
    bool reminding;
    size_t tests;     /* under way */
    size_t digesting; /* under way */
    /* Decisions: the next of them, those under way, and those that may still be
     * begun before the next tick. */
    struct work decisions;
    bool decisions_wait;
    size_t deciding, decisions_left;
};

/* ---- outbox.c ----------------------------------------------------------- */

/* The number of a new notice. */
uint64_t outbox_number(struct hub *hub);
/* That person, or NULL; and in any case, unless there are too many. */
struct outbox_person *outbox_find(const struct hub *hub, id_num account);
struct outbox_person *outbox_person(struct hub *hub, id_num account);
/* Whether nothing need be kept for P, who is told nothing anywhere. */
bool outbox_is_nowhere(const struct hub *hub, const struct outbox_person *p);
/* The same however many there are: for who asked for a mail. */
struct outbox_person *outbox_person_always(struct hub *hub, id_num account);
/* Whether P, who may be NULL, is to have one more row of KIND. */
bool outbox_has_room(const struct hub *hub, const struct outbox_person *p,
                     enum notice_kind kind);
/* ROW waits for its time, if there is room; it is, or is about to be, stored. */
void outbox_add(struct hub *hub, const struct notice_row *row);
/* Takes row I of P. */
void outbox_take(struct hub *hub, struct outbox_person *p, size_t i);
bool outbox_is_told(const struct outbox_person *p, id_num table);
void outbox_tell(struct outbox_person *p, id_num table);
/* An op for COUNT new notices and DROP_COUNT that go. */
struct op *outbox_op(struct change *c, size_t count, size_t drop_count);
/* Memory is ahead of the store, until C is stored, by what it says of messages
 * to ACCOUNT or of tables of which they have a mail. */
void outbox_ahead(struct change *c, id_num account);
/* What a job about a person keeps; they are looked at again when it is over. */
struct outbox_job {
    struct hub *hub;
    struct outbox_person *person;
    int64_t again_ms, set_back_ms; /* as in struct outbox */
    unsigned changes;              /* theirs, when it asked */
    struct outbox_item *items;     /* that it asked about */
    size_t item_count;
    uint64_t last; /* number of the last notice by then */
    struct outbox_message *message;
    struct channel_row *off; /* is switched off with that, or NULL */
};
/* When they are. */
int64_t outbox_again_ms(const struct outbox_job *k);
struct request *outbox_job(struct hub *hub, struct outbox_person *p);
void outbox_job_done(struct request *q);
/* The same for one that decides; another may begin. */
void outbox_decision_over(struct request *q);
/* Asks about P, the tables and the makers of COUNT ITEMS. */
void outbox_ask(struct hub *hub, struct request *q, id_num account,
                const struct outbox_item *items, size_t count,
                answered_cb then);

/* ---- outbox_decide.c ---------------------------------------------------- */

/* When ROW of P is to be decided: once they had the time to look by themselves,
 * but that they are back at once, with all that waited for it.  Of one that was
 * read, how much that is is found out first. */
static inline int64_t outbox_told_at(const struct outbox_person *p,
                                     const struct notice_row *row)
{
    bool less = row->table != 0 && row->most_ms < p->wait_ms;

    if (row->kind == NOTICE_ABSENCE && row->table == 0 &&
        row->detail == NOTICE_BACK)
        return row->at;
    return row->at + (less ? row->most_ms : p->wait_ms);
}
/* How long a notice of a table with TERMS may wait for that; and one of the table
 * of ROW, which may have no pace. */
int64_t outbox_most_ms(const struct terms *terms);
int64_t outbox_most_ms_at(const struct table_row *row);
/* When the first row of P is due, who is known. */
int64_t outbox_first_due(const struct outbox_person *p);
/* Decides what is due for P. */
void outbox_decide(struct hub *hub, struct outbox_person *p);
/* When ACCOUNT's time at L is up, or 0. */
int64_t outbox_deadline(const struct hub *hub, const struct listed *l,
                        id_num account);
/* Whether ITEM is still so for ACCOUNT. */
bool outbox_true(const struct hub *hub, const struct answer *answer,
                 id_num account, const struct outbox_item *item);
const struct listed *outbox_table(const struct answer *answer, id_num table);
const struct other *outbox_other(const struct answer *answer, id_num account);
struct wishes_row outbox_wishes(const struct answer *answer, id_num account);
/* How ACCOUNT wishes to be told things is stored with C. */
void outbox_wishes_put(struct change *c, id_num account,
                       const struct wishes_row *wishes);
/* Whether P, who ANSWER is about, may be sent a mail about tables. */
bool outbox_may_mail(const struct hub *hub, const struct outbox_person *p,
                     const struct answer *answer);
/* Whether that account may be told anything. */
bool outbox_may_tell(const struct hub *hub, const struct answer *answer);
/* A message for P by way of TO, to be put into a change; and ITEM into it. */
struct outbox_message *outbox_message_new(struct hub *hub,
                                          struct outbox_person *p,
                                          const struct channel_row *to,
                                          enum delivery_form form);
void outbox_item_put(struct outbox_message *m, const struct outbox_item *item);

/* ---- outbox_test.c ------------------------------------------------------ */

/* A test of what is told by ROW, to be handed to the host; CHALLENGE for those
 * that have to answer with it.  SECRET_NOTICES is known. */
struct delivery outbox_test_of(struct hub *hub, struct request *q,
                               const struct channel_row *row,
                               const char *account, const char *language,
                               const char *challenge);
/* The text of which the key of Web Push is made, in R; the same. */
const char *outbox_push_secret(const struct hub *hub, struct region *r);
/* Whether it can be used: push services answer nobody who is not there by
 * https. */
bool outbox_has_push(const struct hub *hub);

/* ---- outbox_send.c ------------------------------------------------------ */

/* M's row in C. */
void outbox_message_put(struct change *c, struct outbox_message *m);
/* M is stored: it goes when it is due. */
void outbox_message_queue(struct hub *hub, struct outbox_message *m,
                          int64_t due_ms);
/* A message that the store has; NULL: it makes no sense. */
struct outbox_message *outbox_message_read(struct hub *hub,
                                           const struct message_row *row);
void outbox_message_free(struct hub *hub, struct outbox_message *m);
/* P looked at TABLE: messages that wait tell nothing of it. */
void outbox_messages_looked(struct change *c, struct outbox_person *p,
                            id_num table);
void outbox_send(struct hub *hub);
/* ACCOUNT is told, with C, that something about it has changed. */
void outbox_tell_account(struct change *c, id_num account);
extern const char *const notice_words[NOTICE_KINDS];
extern const char *const channel_words[CHANNELS];
/* Which of COUNT WORDS it is, or -1. */
int outbox_word(const char *const *words, size_t count, const char *word);

/* ---- outbox_queue.c ----------------------------------------------------- */

/* M goes to where its reader is told, TARGET; NULL if that is not known yet. */
void outbox_queue_join(struct outbox *o, struct outbox_message *m,
                       const char *target);
/* M goes nowhere any more. */
void outbox_queue_leave(struct outbox *o, struct outbox_message *m);
/* M waits until DUE_MS, and then for its turn. */
void outbox_queue_put(struct outbox *o, struct outbox_message *m,
                      int64_t due_ms);
/* The message of WAY whose turn it is, which is under way from now on; or NULL. */
struct outbox_message *outbox_queue_next(struct hub *hub,
                                         struct outbox_way *way);
/* M, whose turn it is, goes to TARGET: false if that has enough under way, and M
 * waits again. */
bool outbox_queue_goes(struct hub *hub, struct outbox_message *m,
                       const char *target);
/* M is not under way any more, if it was. */
void outbox_queue_end(struct outbox *o, struct outbox_message *m);
/* M's server was SLOW, or not. */
void outbox_queue_judge(struct hub *hub, struct outbox_message *m, bool slow);
/* Servers that nothing goes to are known until the next call may begin; then they
 * are forgotten. */
void outbox_queue_forget(struct outbox_way *way, int64_t now_ms);
/* The clock was set back by MS: what is to be in so long is in so long. */
void outbox_queue_set_back(struct outbox_way *way, int64_t ms);
void outbox_queue_done(struct outbox_way *way);
/* Whether way NUMBER may have one more under way now, of MOST: by mail so many a
 * second as the operator says. */
bool outbox_way_has_room(struct hub *hub, int number, size_t most);

/* Where a test of a channel is under way, which is no message. */
struct outbox_place {
    struct outbox_way *way;
    struct outbox_server *server;
};

/* A place for a test that goes to TARGET by way NUMBER, to be given back: then 0;
 * or after how many milliseconds there may be one. */
int64_t outbox_place_take(struct hub *hub, struct outbox_place *place,
                          int number, const char *target);
void outbox_place_give(struct hub *hub, const struct outbox_place *place);

/* ---- outbox_remind.c ---------------------------------------------------- */

void outbox_remind(struct hub *hub);

#endif
