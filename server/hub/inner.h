/* inner.h -- what the files of the hub share among themselves; see hub.h. */

#ifndef SERVER_HUB_INNER_H
#define SERVER_HUB_INNER_H

#include <jansson.h>
#include <string.h>

#include "core/audit.h"
#include "core/base.h"
#include "core/rules.h"
#include "hub.h"
#include "limits.h"
#include "map.h"
#include "protocol/game_json.h"
#include "protocol/methods.h"

#define ID_TEXT_MAX 392 /* a request's id as JSON: 64 bytes, escaped */

/* ---- rates ------------------------------------------------------------ */

#define RATES METHOD_RATES

struct bucket {
    int64_t at_ms;   /* when LEFT was right; 0: never used */
    int64_t left_ms; /* what is left, as the time it takes to fill */
};

/* ---- requests --------------------------------------------------------- */

struct request;
struct table;
struct head;

/* A request that is about a table in memory with nothing under way. */
typedef void (*table_handler)(struct hub *hub, struct table *t,
                              struct request *q);

/* A slice of one: false once Q is answered, and gone. */
typedef bool (*table_slice)(struct hub *hub, struct table *t,
                            struct request *q);

typedef void (*answered_cb)(struct hub *hub, struct request *q,
                            const struct answer *answer);
typedef void (*hashed_cb)(struct hub *hub, struct request *q, const char *hash,
                          bool fits);
typedef void (*stored_cb)(struct hub *hub, struct request *q);
/* RESULT is JSON, or NULL. */
typedef void (*operated_cb)(struct hub *hub, struct request *q,
                            const char *result);

/* Something to be done in slices; see work.c.  It belongs to what it is in. */
struct work {
    struct work *next;
    peer_id peer; /* on whose behalf, or 0 */
    void (*step)(struct hub *hub, struct work *w);
    void (*drop)(struct hub *hub, struct work *w); /* at the hub's end */
};

/* Work that waits for its turn. */
struct lanes {
    struct street *first;
    size_t count;
};

/* A request that is not answered yet.  It belongs to whoever works on it: the
 * handler, the queue of a table or of a peer, or what the host owes. */
struct request {
    struct request *next; /* in a queue */
    peer_id peer;         /* who may be gone by now */
    uint64_t number;      /* of all requests since the start; 0: an errand */
    int64_t came_ms;
    char address[ADDRESS_SIZE]; /* the peer's, which may be gone by now */
    bool method_known;
    enum method method;
    json_t *params;       /* an object */
    id_num account;       /* who asks; 0: nobody */
    char name[25];        /* theirs, who may be gone by now */
    struct table *table;  /* that it keeps busy, or NULL */
    struct region region; /* for what its handler keeps */
    void *kept;
    uint32_t ply; /* what a move is answered with */
    /* The hub's own affair with a table, which no peer asked for; or NULL. */
    table_handler errand;
    /* What to do when the host has done its part. */
    answered_cb answered;
    hashed_cb hashed;
    stored_cb stored;
    enum error conflict; /* to answer if the unit conflicts */
    operated_cb operated;
    uint32_t uid; /* of the process that asks, on a Unix socket */
    struct work work;
    uint64_t spent; /* on its slices */
    id_num home;    /* the table that its next slice is about, or 0 */
    table_slice slice;
    /* Frees what is in KEPT but not in its region; or NULL. */
    void (*done)(struct request *q);
    char id[]; /* as JSON */
};

struct queue {
    struct request *first, **end;
    size_t count;
};

void queue_init(struct queue *queue);
void queue_put(struct queue *queue, struct request *q);
void queue_put_first(struct queue *queue, struct request *q);
struct request *queue_take(struct queue *queue); /* NULL: it is empty */

/* A parameter, which is there and as methods.c says; or NULL, "", the other
 * value if it is not there. */
json_t *param(const struct request *q, const char *name);
const char *param_text(const struct request *q, const char *name);
int64_t param_int(const struct request *q, const char *name, int64_t other);
bool param_bool(const struct request *q, const char *name, bool other);

/* ---- people ----------------------------------------------------------- */

/* An account of somebody who is connected. */
struct account {
    id_num id;
    uint8_t kind;
    char name[25];
    int64_t seen;       /* as stored, to the hour */
    uint64_t events;    /* things that concerned it, watched or not */
    size_t peers;       /* connections logged in as it */
    struct peer *first; /* of those that watch it, by `other` */
};

struct watched {
    struct watched *next;  /* of the same peer */
    struct watched *other; /* of the same table */
    struct peer *peer;
    struct table *table;
    int viewer;     /* whose view the peer has ... */
    uint32_t ply;   /* ... and of which ply ... */
    int was_viewer; /* ... if the unit under way is stored; else this */
    uint32_t was_ply;
    bool check; /* wants chain and view_hash */
};

struct peer {
    peer_id id;
    struct peer_info info;
    struct account *account; /* NULL: not logged in */
    id_num token;            /* by which it is */
    uint16_t scopes;
    bool spoke;              /* has asked something */
    bool dropped;            /* the host was told to close it */
    size_t requests;         /* not answered yet */
    struct request *barrier; /* that later ones wait for */
    struct queue waiting;
    struct watched *watched;
    size_t watched_count;
    bool watches_me;
    struct peer *other; /* that watches the same account */
    struct bucket rates[RATES];
};

/* Where connections come from. */
struct source {
    uint64_t id;
    size_t peers;
    struct bucket rates[RATES];
    struct bucket accounts; /* made */
    struct bucket failed;   /* log-ins */
};

/* ---- tables ----------------------------------------------------------- */

/* A log entry. */
struct entry {
    uint8_t kind;
    bool undone;
    uint16_t seat;  /* or RULES_NATURE or ENTRY_NOBODY */
    uint32_t other; /* MOVE: the decision it answers; UNDO: the ply it takes
                       * back; REWIND: the last one it leaves; START: the
                       * seats kept, as bits */
    uint32_t check; /* chain_fold() of the chain's head behind it */
    union {
        struct rules_move move; /* of a MOVE */
        id_num account;         /* of a JOIN or REPLACED */
    } u;
    int64_t at;
};

/* The entries of a table, packed; see log.c. */
struct log {
    uint32_t count;
    /* private */
    uint8_t *bytes;
    uint32_t *index; /* where every eighth entry begins */
    size_t used, cap, index_cap;
    int64_t last_at;
};

/* One entry after the other; the log must not grow meanwhile. */
struct log_reader {
    uint32_t ply; /* of the next one */
    /* private */
    const struct log *log;
    const uint8_t *next;
    uint64_t at;
};

/* A move that counts: its ply, whose it was, and the flags of its events. */
struct played {
    uint32_t ply : 24, seat : 4, flags : 4;
};
#define PLIES_MAX (1u << 24)

/* Somebody the log names, even if they have left. */
struct known {
    id_num id;
    char name[25];
};

/* Seats, and the watcher. */
#define VIEWERS (RULES_SEATS_MAX + 1)

/* Who is where at a table and what was counted, but for the moves. */
struct standing {
    uint8_t state; /* enum table_state */
    uint8_t seats;
    uint16_t resigned; /* seats, as bits */
    uint32_t start_ply;
    uint64_t draws; /* number of the next draw */
    id_num seat[RULES_SEATS_MAX];
    uint32_t put[RULES_SEATS_MAX], undos[RULES_SEATS_MAX];
};

/* A table at an earlier ply none of whose moves was taken back since. */
struct snapshot {
    uint32_t ply;
    uint32_t check;     /* of that entry */
    size_t played;      /* how many moves its state has */
    struct standing at; /* with that entry */
    struct rules_state *s;
};

/* States before the last moves that were played, so that one that is taken
 * back, mostly the last, does not need all from the last snapshot on again. */
#define STEPS 8
struct steps {
    struct rules_state *s[STEPS]; /* before played[i], at i % STEPS */
    size_t first;                 /* played[first] is the earliest of them */
};

struct table {
    id_num id, owner;
    const struct rules *rules; /* NULL: this server does not know the game */
    struct region region;      /* the texts below */
    struct table_row row;
    int16_t options[RULES_OPTIONS_MAX];
    struct rules_setup setup; /* as it will be, or is, started */
    uint16_t revision;
    char commitment[2 * SHA256_SIZE + 1];

    uint8_t seats_made; /* before empty ones were removed */
    struct known *known;
    size_t known_count;
    uint8_t seats;
    id_num seat[RULES_SEATS_MAX]; /* accounts; 0: free */
    char name[RULES_SEATS_MAX][25];
    char nonce[RULES_SEATS_MAX][65]; /* "": none */
    uint16_t resigned;               /* seats, as bits */
    id_num *invited;                 /* at most LIMIT_INVITED */
    size_t invited_count;

    uint8_t state; /* enum table_state */
    bool readable; /* its log could be replayed */
    bool archived; /* its log is elsewhere; it leaves memory at once */
    struct log log;
    uint8_t chain[SHA256_SIZE]; /* its head */
    struct played *played;      /* the moves that count, in order */
    size_t played_count, played_cap;
    size_t folded; /* how many of them NOW has */
    uint32_t start_ply;
    uint64_t draws; /* number of the next draw */
    uint8_t key[SHA256_SIZE];
    struct sha256 salts; /* what they share; nothing before the first */
    uint32_t put[RULES_SEATS_MAX]; /* ply of the last undo, rewind or
                                      * replacement, which put each seat's
                                      * question anew */
    uint32_t undos[RULES_SEATS_MAX];
    struct rules_state *now; /* NULL before the start */
    const char *result;      /* why it is over, or NULL */
    uint64_t texts_last;

    struct snapshot *snapshots; /* rising */
    size_t snapshot_count, snapshot_cap;
    size_t snapshot_every;    /* moves from one to the next */
    const struct table *home; /* of one that is looked back at: what it is the
                               * past of, which has its log; or NULL */
    struct steps *steps;      /* while it is walked through, or NULL */

    /* What it waits for, and who waits for it. */
    uint64_t busy; /* a unit or an ask; 0: nothing */
    struct queue queue;
    struct watched *watchers;
    size_t watcher_count;
    struct head *heads[VIEWERS]; /* that watchers have, or NULL; good for the
                                  * ply that they tell */
    int64_t used_ms;
    struct table *older, *newer; /* by that, in hub->lists[LIST] */
    size_t bytes;                /* that it takes */
    size_t looks;                /* requests that are done in slices here */
    bool listed;
    uint8_t list;
    bool changing; /* the unit under way has plies */
    bool lost;     /* it failed: nobody heard of what came after LAST */
    struct summary last;
    struct loading *loading; /* while it is loaded, or NULL */
};

/* Tables in memory, those that were used longest ago first. */
struct table_list {
    struct table *oldest, *newest;
};
enum { TABLES_OVER, TABLES_ON, TABLE_LISTS };

typedef void (*handler)(struct hub *hub, struct request *q);

#define REMARK_MAX 500 /* bytes of what the operator says */

/* What was said at run time, "" for nothing, or was not: then the configuration
 * says it. */
struct said {
    bool set;
    char text[REMARK_MAX + 1];
};

struct owed {
    uint64_t id;
    struct request *request; /* or NULL */
    struct table *table;     /* being loaded or stored, or NULL */
    bool unit;
};

struct hub {
    struct host *host;
    struct hub_config config;
    int64_t now;
    uint64_t last; /* of the numbers of units and asks */
    struct map peers, accounts, tables, sources, owed;
    struct map failed; /* buckets of names that log-ins failed for */
    struct {
        uint64_t source;
        char name[25];
    } known[LIMIT_KNOWN]; /* who came in from where; later ones take places */
    struct json_out out;  /* the message being written */
    struct json_out line; /* a log line being written */
    struct unit unit;     /* the unit being made */
    /* The change being made; see table_begin(). */
    struct ply_row *rows; /* of its log entries */
    size_t row_count, row_cap;
    uint32_t from;         /* ply before it */
    struct summary before; /* what lists showed before it */
    /* Of each of VIEWERS, before. */
    struct head *heads;
    union rules_any *views;
    bool before_started;
    unsigned telling;              /* bits of those who are told events */
    struct json_out told[VIEWERS]; /* events */
    int64_t seq;                   /* of the last me.event */
    /* When to look again for tables open for too long, guests whose time is
     * over, names that tables do not know. */
    int64_t sweep_ms, guests_ms, renames_ms;
    id_num guests_after; /* the last guest looked at, ... */
    int64_t guests_at;   /* ... and when they were seen; 0: begin anew */
    uint64_t revoked;    /* tokens, and whole accounts of them */
    int64_t started_ms;
    int64_t ends_ms; /* the end that was announced; 0: none */
    const char *ends_text;
    struct region ends_region;
    struct said motd, maintenance;
    char told_motd[REMARK_MAX + 1], told_maintenance[REMARK_MAX + 1];
    int reminded;     /* how often people were told of it */
    size_t restoring; /* tables that lack their `restored`, and the search
                          * for them */
    bool closing;
    uint64_t effort; /* of slices in this turn of the loop */
    struct table_list lists[TABLE_LISTS];
    size_t tables_bytes; /* that they take */
    struct lanes lanes;  /* slices to be done */
    struct lanes loads;  /* tables to be asked for */
    size_t loading;      /* tables that were asked for and are not there yet */
    struct hub_counts counts;
    struct rules_events events;
    struct rules_choice *choices; /* RULES_MOVES_MAX of them */
    struct import *import;        /* a record on its way in, or NULL */
};

/* ---- hub.c -------------------------------------------------------------- */

struct peer *peer_find(const struct hub *hub, peer_id id);
/* Cuts P off: nothing more is heard of it or said to it. */
void peer_drop(struct hub *hub, struct peer *p, enum drop_reason reason);

id_num random_id(struct hub *hub);

/* ---- request.c ---------------------------------------------------------- */

/* ID is JSON. */
struct request *request_new(const char *id);
/* A request that nobody made, for what the hub does of itself. */
struct request *errand_new(struct hub *hub);
/* Q was answered, or nobody is there to hear it; it is freed. */
void request_done(struct hub *hub, struct request *q);

/* ---- answer.c ----------------------------------------------------------- */

/* Begins the answer to Q; the result is then written as the member "result",
 * and result_end() sends it when UNIT (0: none) is stored.  Q is gone. */
struct json_out *result_begin(struct hub *hub, struct request *q);
void result_end(struct hub *hub, struct request *q, unit_id unit);
/* An empty result. */
void result_empty(struct hub *hub, struct request *q, unit_id unit);

/* Begins a refusal; members of `data` may be written before refuse_end(). */
struct json_out *refuse_begin(struct hub *hub, struct request *q,
                              enum error e);
void refuse_end(struct hub *hub, struct request *q);
void refuse(struct hub *hub, struct request *q, enum error e);
/* A parameter that is not as it should be. */
void refuse_param(struct hub *hub, struct request *q, const char *path,
                  const char *expected);
/* What never became a request: bad text, no id. */
void refuse_text(struct hub *hub, struct peer *p, enum error e,
                 const char *why);

/* Begins a server.notice of that KIND; members of `params` may be written
 * before notice_end(), which sends it to ONLY, or with NULL to all who can be told
 * and have said anything; how many. */
struct json_out *notice_begin(struct hub *hub, const char *kind);
size_t notice_end(struct hub *hub, const struct peer *only);

/* ---- owed.c ------------------------------------------------------------- */

/* Asks the store on behalf of Q, which is kept until THEN is called; the table
 * that Q is about, if any, waits with it. */
void hub_ask(struct hub *hub, struct request *q,
             const struct question *question, answered_cb then);
/* Hashes Q's parameter PASSWORD, or compares it with AGAINST; NULL: as
 * host.h's hash().  On false Q is still the caller's. */
bool hub_hash(struct hub *hub, struct request *q, enum hash_lane lane,
              const char *password, const char *against, hashed_cb then);
/* Hands hub->unit to the host, on behalf of Q and TABLE (either may be NULL);
 * returns its number.  Q, if not NULL, is kept and THEN called when it is
 * stored.  If it fails Q is refused and TABLE forgotten. */
unit_id hub_store(struct hub *hub, struct table *t, struct request *q,
                  stored_cb then);

/* Has the host do something on behalf of Q; a failure is refused. */
void hub_operate(struct hub *hub, struct request *q, enum operation_kind kind,
                 const char *text, operated_cb then);

/* ---- journal.c ---------------------------------------------------------- */

/* A line about Q: EVENT, where it came from, then those of the COUNT fields at
 * MORE that say anything. */
void journal_fields(struct hub *hub, enum host_level level, const char *event,
                    const struct request *q, const struct log_field *more,
                    size_t count);
#define journal(hub, q, level, event, ...) \
    journal_fields(hub, level, event, q, LOG_FIELDS(__VA_ARGS__))
/* A line about a connection that comes or goes. */
void journal_peer(struct hub *hub, const struct peer *p, const char *event);
/* T cannot be played on by this server. */
void journal_table(struct hub *hub, const struct table *t, const char *event);
/* Q was refused. */
void journal_refused(struct hub *hub, const struct request *q, enum error e);
/* Somebody tried to log in as USER; REASON is why that failed. */
void journal_login(struct hub *hub, const struct request *q,
                   enum login_result result, const char *user,
                   const char *reason);
/* Counts how long Q took, which is answered now. */
void journal_answered(struct hub *hub, const struct request *q, bool refused);

/* ---- rates.c ------------------------------------------------------------ */

/* Takes one from BUCKET, which holds BURST, one of which takes ONE_MS to come
 * back; else how long to wait, in milliseconds. */
int64_t bucket_take(struct bucket *b, int64_t now, int64_t burst,
                    int64_t one_ms);
/* The same for a request of that rate from P; 0 if it need not wait. */
int64_t rate_wait(struct hub *hub, struct peer *p, enum method_rate r);
/* A read of PEER, on which *SPENT was spent, has taken so much EFFORT more: for
 * each LIMIT_READ_EFFORT another read is taken from what PEER and its address
 * may do, or is owed by them. */
void rate_charge(struct hub *hub, peer_id peer, uint64_t *spent,
                 uint64_t effort);

/* ---- keys.c ------------------------------------------------------------ */

/* Asks for what was answered to the key of Q, if it has one, and calls THEN:
 * at once, with an empty answer, if it has none. */
void key_ask(struct hub *hub, struct request *q, answered_cb then);
/* Answers Q with that, if there was such; whether it did. */
bool key_answered(struct hub *hub, struct request *q,
                  const struct answer *answer);
/* Keeps O's text, an object, as the result of Q and puts it under its key into
 * the unit; key_answer(), as what is called when that is stored, sends it. */
void key_keep(struct hub *hub, struct request *q, struct json_out *o);
/* Puts ANSWER, an object of LEN bytes, under Q's key into the unit, if it has
 * one: for results that are not to be kept as they are sent. */
void key_put(struct hub *hub, struct request *q, const char *answer,
             size_t len);
void key_answer(struct hub *hub, struct request *q);

/* ---- account.c --------------------------------------------------------- */

extern const handler account_handlers[METHODS];
/* Puts ROW into the unit. */
void account_put(struct hub *hub, const struct account_row *row);
/* Has the unit conflict if the account is not as ROW says any more: another
 * password, barred, kept or gone. */
void account_still(struct hub *hub, const struct account_row *row);
/* Cuts off everybody who is logged in as ACCOUNT but BUT; returns how many. */
size_t account_cut(struct hub *hub, id_num account, peer_id but);
/* A copy of ROW that lives as long as Q. */
void account_copy(struct request *q, struct account_row *kept,
                  const struct account_row *row);
/* The members `until`, null for good, and `why` of a ban. */
void ban_write(struct json_out *o, const struct account_row *row);
/* The member `user`. */
void account_write(struct json_out *o, const struct account_row *row);

/* ---- session.c --------------------------------------------------------- */

#define TOKEN_CHARS 32
/* When an account was seen is stored to the hour. */
#define SEEN_MS (3600 * INT64_C(1000))

/* What is kept of a log-in while the host works. */
struct entrance {
    struct account_row account;
    struct token_row token;
    char text[TOKEN_CHARS + 1]; /* the token; only the client gets it */
    bool made;                  /* the account is new */
    id_num link;                /* that lets it in; 0: none */
    void (*admitted)(struct hub *hub, struct request *q);
    uint64_t revoked; /* hub->revoked when the token was asked for */
};

extern const handler session_handlers[METHODS];
struct entrance *entrance_of(struct request *q);
/* Stores a session for the account of Q's entrance, and that if it is new;
 * then logs Q's connection in and answers. */
void session_enter(struct hub *hub, struct request *q);
/* Whether Q's connection is logged in already; refuses it then. */
bool session_refuse_second(struct hub *hub, struct request *q);
/* Takes one from what is allowed of failed log-ins as NAME (NULL: as nobody, from
 * that address), and refuses Q if there is none; an attempt that succeeds gives
 * it back. */
bool login_refuse(struct hub *hub, struct request *q, const char *name);
void login_forgiven(struct hub *hub, struct request *q, const char *name);
/* How long the next attempt as NAME would have to wait. */
int64_t login_slowed(struct hub *hub, const char *name);
/* As hub_hash(); refuses Q if there is no place in the line. */
void hash_or_refuse(struct hub *hub, struct request *q, enum hash_lane lane,
                    const char *password, const char *against, hashed_cb then);
/* P is nobody's any more. */
void account_leave(struct hub *hub, struct peer *p);
/* P has asked something: its account was seen. */
void account_touch(struct hub *hub, struct peer *p);

/* ---- links.c ----------------------------------------------------------- */

extern const handler link_handlers[METHODS];
extern const char *const link_purposes[LINK_PURPOSES]; /* words */
/* Asks for the link whose text is TEXT. */
void link_ask(struct hub *hub, struct request *q, const char *text,
              answered_cb then);
/* What is against using what was found for PURPOSE. */
enum error link_judge(const struct hub *hub, const struct answer *answer,
                      enum link_purpose purpose);
/* Puts it into the unit that the link is used; a conflict if it is not good any
 * more. */
void link_use(struct hub *hub, id_num id);

/* ---- token.c ----------------------------------------------------------- */

extern const handler token_handlers[METHODS];
/* N random letters and digits and a NUL, N at most TOKEN_CHARS. */
void token_random(struct hub *hub, char *text, size_t n);
/* A new token of OWNER in *TOKEN, and its text; LABEL is not copied, LIFE_MS 0:
 * for ever. */
void token_make(struct hub *hub, struct token_row *token, id_num owner,
                const char *label, uint16_t scopes, int64_t life_ms,
                char text[TOKEN_CHARS + 1]);
/* Puts it into the unit. */
struct op *token_put(struct hub *hub, const struct token_row *token);
/* As the next item of a list, or as an object. */
void token_write(struct json_out *o, const struct token_row *token);
/* Cuts off who is logged in by TOKEN. */
void token_drop_sessions(struct hub *hub, id_num token);

/* ---- log.c ------------------------------------------------------------ */

/* A chain's head in few bytes, enough to tell histories apart. */
uint32_t chain_fold(const uint8_t chain[SHA256_SIZE]);
void log_append(struct log *log, const struct entry *e);
/* Entry PLY, which there is, into E. */
void log_at(const struct log *log, uint32_t ply, struct entry *e);
/* Notes that it was taken back. */
void log_undone(struct log *log, uint32_t ply);
/* To read from entry PLY on; PLY may be the number of entries. */
void log_reader_at(struct log_reader *r, const struct log *log, uint32_t ply);
/* The next one into E; false: there is none. */
bool log_read(struct log_reader *r, struct entry *e);
/* Gives back what room there is for more. */
void log_fit(struct log *log);
size_t log_bytes(const struct log *log);
void log_done(struct log *log);

/* ---- entry.c ----------------------------------------------------------- */

/* What an entry, the last of T's log, makes of T, but for the state: where it
 * is a move or takes moves back, history_fold() has to follow.  TEXT is a
 * nonce.  False if there can be no such entry there. */
bool entry_take(struct table *t, const struct entry *e, const char *text);
/* What the state says about T, once all entries have been taken. */
void entries_conclude(struct table *t);
/* For who makes entries: see table.c. */
void played_add(struct table *t, uint32_t ply, int seat);
bool played_forget(struct table *t, uint32_t ply);
void entries_forget_since(struct table *t, uint32_t ply);
void seats_keep(struct table *t, uint32_t kept);
void seat_take_over(struct table *t, int seat, id_num account);
void seats_put_all(struct table *t);
void table_give_up(struct table *t);
void table_make_key(struct table *t);
void table_name_seat(struct table *t, int seat);

/* ---- history.c --------------------------------------------------------- */

enum walked {
    WALK_DONE,
    WALK_MORE,  /* the limit was reached: call it again */
    WALK_BROKEN /* the rules refuse what the log says */
};

/* The state before any move, in T->now. */
bool history_first(struct table *t);
/* Plays E, the last entry of T's log, a move that was just added to the played
 * ones, in T->now; HUB->events are what came of it.  False: it is refused. */
bool history_play(struct hub *hub, struct table *t, const struct entry *e);
/* Keeps T's state as it is behind its last entry, a move, if it is time. */
void history_snapshot(const struct hub *hub, struct table *t);
/* Move I of the played ones counts no more: T->now goes back to before it,
 * and history_fold() has to follow. */
void history_cut(struct table *t, size_t i);
/* Plays in T->now what is played and not in it yet, until HUB->effort is
 * LIMIT. */
enum walked history_fold(struct hub *hub, struct table *t, uint64_t limit);
void history_done(struct table *t);
size_t history_bytes(const struct table *t);

/* A way through the log of a table that is loaded, from a snapshot on. */
struct walk {
    struct table past; /* the table as it was with PAST.log.count entries */
    struct steps steps;
    struct log_reader reader;
};

/* Begins it at COUNT entries or somewhat before.  T may change and be loaded
 * anew between calls of the others, if it is given to walk_attach() then. */
void walk_begin(struct walk *w, const struct table *t, uint32_t count);
void walk_attach(struct walk *w, const struct table *t);
/* Goes over the next entry, which there is, into *E; HUB->events are those of a
 * move.  history_fold() has to follow. */
void walk_step(struct hub *hub, struct walk *w, struct entry *e);
/* Goes on until there are COUNT entries, or HUB->effort is LIMIT. */
enum walked walk_to(struct hub *hub, struct walk *w, uint32_t count,
                    uint64_t limit);
void walk_done(struct walk *w);
/* T as it was with COUNT entries, at once. */
struct walk *walk_past(struct hub *hub, const struct table *t, uint32_t count);
void walk_free(struct walk *w);

/* ---- work.c ------------------------------------------------------------ */

#define BYTES_EFFORT 32 /* that are written for one unit of effort */

/* W comes after all that its peer has in LANES. */
void lanes_put(struct hub *hub, struct lanes *lanes, struct work *w);
struct work *lanes_take(struct lanes *lanes); /* NULL: there is none */
/* Has GO_ON called with Q and its table, or NULL, whenever it is Q's turn and the table
 * has nothing under way, until it says false; if Q's peer is gone by then Q is
 * done instead. */
void work_later(struct hub *hub, struct request *q, table_slice go_on);
/* Q is done, if it was done so. */
void work_done(struct hub *hub, const struct request *q);
/* Nothing more is to be begun in this turn of the loop. */
bool work_is_over(const struct hub *hub);
/* What HUB->effort may come to before a slice that begins now has to end. */
uint64_t work_limit(const struct hub *hub);
void work_drop_all(struct hub *hub);

/* ---- memory.c ---------------------------------------------------------- */

/* T was used, or is another size now. */
void memory_used(struct hub *hub, struct table *t);
/* T leaves memory, or what is in it. */
void memory_gone(struct hub *hub, struct table *t);
/* Lets tables go that nobody has used for long; once a second. */
void memory_tick(struct hub *hub);
/* Lets tables go that there is no room for; once a turn of the loop. */
void memory_keep(struct hub *hub);

/* ---- load.c ------------------------------------------------------------ */

/* Asks for all of T, which is in memory but for its contents, when it is the
 * turn of who asks first. */
void table_load(struct hub *hub, struct table *t);
void table_loaded(struct hub *hub, struct table *t, struct answer *answer);
void load_done(struct hub *hub, struct table *t); /* drops what is under way */
/* Begins with those that wait, while there is room; and whether it is to. */
void load_work(struct hub *hub);
bool load_works(const struct hub *hub);
/* What ANSWER, to ASK_TABLE, and that it can be played, say of T. */
bool load_row(struct table *t, const struct answer *answer);

/* ---- table.c ---------------------------------------------------------- */

struct table *table_find(const struct hub *hub, id_num id);
/* Gives Q to its table, which is loaded first if need be. */
void table_request(struct hub *hub, struct request *q);
/* Works through what waits for T, as long as nothing is under way. */
void table_go_on(struct hub *hub, struct table *t);
/* Puts Q at the end of the queue of table Q->home, which is loaded first if
 * need be. */
void table_requeue(struct hub *hub, struct request *q);
/* A new table, from a row such as the store would answer with, that this
 * server can play; its log is empty. */
struct table *table_make(struct hub *hub, const struct answer *answer);
/* Drops T from memory; who waits for it is refused with E. */
void table_forget(struct hub *hub, struct table *t, enum error e);
/* Why nothing can be done at T, which is not readable. */
enum error table_unreadable(const struct table *t);
/* Drops T from memory; it is loaded anew for those who wait. */
void table_reload(struct hub *hub, struct table *t);

/* Who ACCOUNT is at T: a seat, or RULES_WATCHER. */
int table_viewer(const struct table *t, id_num account);
/* Whether they may know of it at all, and watch it; ERR_NONE if so. */
enum error table_may_see(const struct table *t, const struct request *q);
enum error table_may_watch(const struct table *t, const struct request *q);

/* When its last entry was made. */
int64_t table_changed(const struct table *t);
/* Has Q, an errand, done at table ID. */
void table_errand(struct hub *hub, struct request *q, id_num id);
void table_know(struct table *t, id_num account, const char *name);
/* Between table_begin() and table_end(): SEAT is ACCOUNT's, who is called NAME;
 * or was, as a unit with another name may be under way. */
void table_call(struct hub *hub, struct table *t, int seat, id_num account,
                const char *name);

/* Whether the game, with the table's options, is for so many players. */
bool table_playable_by(const struct table *t, int seats);
/* A copy of ROW whose texts are in R. */
void table_row_copy(struct table_row *to, const struct table_row *from,
                    struct region *r);
/* The number a move of SEAT has to answer, or -1. */
int64_t table_decision(const struct table *t, int seat);
/* Which ply SEAT could take back, or why not. */
enum rules_undo table_undoable(const struct table *t, int seat, uint32_t *ply);
void table_summary(const struct table *t, struct summary *s);

/* Changing a table, which has nothing under way: table_begin(), any of the
 * others, table_end().  What they do is in memory at once and becomes one
 * unit; the updates for all who watch wait with the host for it, and THEN is
 * called when it is stored. */
void table_begin(struct hub *hub, struct table *t);
/* An entry that is not a move; OTHER as in struct entry; TEXT is the nonce of
 * a NONCE, the account id of a JOIN. */
void table_add(struct hub *hub, struct table *t, enum entry_kind kind,
               int seat, uint32_t other, const char *text);
/* A legal move and the draws it causes, and the mildest moves of seats that
 * have resigned. */
void table_play(struct hub *hub, struct table *t, int seat,
                const struct rules_move *move);
/* The start with the seats KEPT: the first state and its draws. */
void table_start(struct hub *hub, struct table *t, uint32_t kept);
/* Takes back ply AT of SEAT, which table_undoable() named. */
void table_take_back(struct hub *hub, struct table *t, int seat, uint32_t at);
/* Nobody plays on. */
void table_abandon(struct hub *hub, struct table *t);
/* Takes back all behind PLY that still counts: moves, draws, resignations. */
void table_rewind(struct hub *hub, struct table *t, uint32_t ply);
/* Whether there is anything behind PLY that still counts. */
bool table_rewindable(const struct table *t, uint32_t ply);
/* Gives SEAT to ACCOUNT, called NAME. */
void table_replace(struct hub *hub, struct table *t, int seat, id_num account,
                   const char *name);
unit_id table_end(struct hub *hub, struct table *t, struct request *q,
                  stored_cb then);

/* Lets the mildest moves of resigned seats and chance's draws happen. */
void table_settle(struct hub *hub, struct table *t);

/* ---- line.c ------------------------------------------------------------ */

/* The line of E, entry PLY, in RFC 8785 form: members in the order of their
 * names, nothing between them. */
void line_write(struct json_out *o, const struct table *t, uint32_t ply,
                const struct entry *e, const char *text);
/* Reads a line into E (its text into TEXT, of 65 bytes) given any state of the
 * table, which may be NULL before the start. */
bool line_read(const struct table *t, const json_t *line,
               const struct rules_state *s, struct entry *e, char *text);

/* ---- view.c ------------------------------------------------------------ */

/* All of a view but the game's own state. */
struct head {
    uint32_t ply;
    uint8_t state, seats;
    bool started;
    struct {
        char name[25];
        bool acting, may, resigned;
    } seat[RULES_SEATS_MAX];
    int64_t you, decision, undo; /* -1: none */
    struct rules_score score;
    const char *result; /* its reason, or NULL */
};

/* VIEW is the viewer's, or NULL before the start. */
void head_make(const struct table *t, int viewer,
               const struct rules_state *view, struct head *h);
/* A whole view, as a member.  STATE is the viewer's view, or NULL. */
void view_write(struct json_out *o, const char *key, const struct table *t,
                const struct head *head, const struct rules_state *state);
/* What changed, as operations of a patch in the innermost list. */
void view_diff(struct json_out *o, const struct table *t,
               const struct head *before, const struct rules_state *was,
               const struct head *after, const struct rules_state *is);
/* SHA-256 of the RFC 8785 form of a view that was written, in hex. */
void view_hash(const char *view, size_t len, char hex[2 * SHA256_SIZE + 1]);

/* The viewer's view of T's state, in ROOM, or NULL before the start. */
const struct rules_state *view_of(const struct table *t,
                                  const struct rules_state *s, int viewer,
                                  union rules_any *room);

/* ---- watch.c ---------------------------------------------------------- */

/* Which viewer's places in arrays of VIEWERS. */
static inline int viewer_index(int viewer)
{
    return viewer == RULES_WATCHER ? RULES_SEATS_MAX : viewer;
}

/* Before a change: remembers the views of all who watch T.  Then events are
 * told as they happen, and after it each of them is sent the difference. */
void watch_before(struct hub *hub, struct table *t);
/* Forgets what T keeps for its watchers, but not who they are. */
void watch_forget(struct table *t);
/* Seats have other people or numbers now. */
void watch_seats(struct hub *hub, struct table *t);
/* The unit under way failed: what was sent with it was never heard. */
void watch_failed(struct table *t);
/* The word for what entries of that kind are as events, or NULL. */
extern const char *const entry_events[];
void watch_event(struct hub *hub, struct table *t, const char *kind, int seat);
void watch_events(struct hub *hub, struct table *t);
void watch_after(struct hub *hub, struct table *t, unit_id unit);
/* Tells those who watch ACCOUNT that something at T concerns it. */
void watch_tell(struct hub *hub, id_num account, const char *kind,
                const struct table *t, unit_id unit);
void tell_invited(struct hub *hub, const struct table *t, const id_num *who,
                  size_t count);
/* Has P watch its account, or no more. */
void watch_me(struct hub *hub, struct peer *p, bool on);
/* T was loaded anew: who has another ply than it has now is told to ask. */
void watch_resumed(struct hub *hub, struct table *t);
/* T leaves memory: who still watches it is cut off, to come back. */
void watch_drop(struct hub *hub, struct table *t);
/* Nobody watches T any more; there will be nothing to tell. */
void watch_end(struct table *t);

extern const table_handler watch_handlers[METHODS];
void watch_leave(struct hub *hub, struct peer *p);

/* ---- create.c, lobby.c ------------------------------------------------- */

extern const handler create_handlers[METHODS];
/* The operator's own tables of numbers for new tables of R, or NULL. */
const struct rules_asset *hub_own_tables(const struct hub *hub,
                                         const struct rules *r);
/* What lists show of the board, as JSON: the name, or that there is a file; of
 * tables of numbers their hash.  NULL if BOARD is the usual one. */
const char *board_text(struct region *r, const struct rules *rules,
                       const struct json_board *board);
extern const table_handler lobby_table_handlers[METHODS];
/* Asks for the tables that count against the limit of who asks Q. */
void lobby_count(struct hub *hub, struct request *q, answered_cb then);
/* Changing T: who asks Q takes SEAT; who has SEAT leaves, and with the last one
 * the table is given up; the start, if no seat is free. */
void lobby_seat(struct hub *hub, struct table *t, struct request *q, int seat);
void lobby_leave(struct hub *hub, struct table *t, int seat);
void lobby_start_if_full(struct hub *hub, struct table *t);
int lobby_free_seat(const struct table *t); /* the lowest, or -1 */
/* Refuses Q, which is about a table that is not there for who asks: a guess at
 * its password takes as long, and counts as much, as one at a table that is. */
void lobby_unknown(struct hub *hub, struct request *q);
/* Whether they need no password: made it, is invited or sits there. */
bool lobby_welcome(const struct table *t, id_num account);

/* ---- lists.c ----------------------------------------------------------- */

extern const handler list_handlers[METHODS];
extern const table_handler list_table_handlers[METHODS];
/* An id, or null for 0. */
void write_id(struct json_out *o, const char *key, id_num id);
/* The members of a summary; NAMES are those of the seats, or NULL. */
void write_summary(struct json_out *o, const struct table_row *row,
                   const char *const *names);
/* The parameter `state` as enum table_state, -1 if there is none. */
int state_param(const struct request *q);
/* Reads `after`; answers and returns false if it is no place in a list. */
bool read_after(struct hub *hub, struct request *q, struct question *ask);

/* ---- chores.c ---------------------------------------------------------- */

/* Does what is due by now. */
void chores_tick(struct hub *hub);
/* Tells the tables of ACCOUNT that it has another name now. */
void chores_rename(struct hub *hub, id_num account, const char *name);
/* The same for T, which was just loaded and has not been told. */
void chores_due(struct hub *hub, struct table *t, id_num account,
                const char *name);

/* ---- the others ------------------------------------------------------- */

extern const table_handler play_handlers[METHODS];
extern const table_handler replay_handlers[METHODS];
/* SEAT gives up; between table_begin() and table_end(). */
void play_resign(struct hub *hub, struct table *t, int seat);
/* The events since W->past as VIEWER was told them, as a member; W is at the
 * end then. */
void replay_events(struct hub *hub, struct json_out *o, struct table *t,
                   struct walk *w, int viewer);
/* Answers Q with lines of its table's record, from its parameter `from` on:
 * what ASK_TABLE was answered with. */
void record_read(struct hub *hub, struct request *q,
                 const struct answer *answer);
void import_free(struct import *import); /* NULL is fine */
extern const table_handler talk_handlers[METHODS];
extern const handler info_handlers[METHODS];

/* ---- notices.c -------------------------------------------------------- */

extern const handler notice_handlers[METHODS];
/* What is in force, "" if nothing is. */
const char *notices_motd(const struct hub *hub);
const char *notices_maintenance(const struct hub *hub);
/* Nobody is there yet who would have to be told. */
void notices_begin(struct hub *hub);
/* Tells everybody what has changed since they were told. */
void notices_tell(struct hub *hub);
/* What who comes has to know, as members of server.hello. */
void notices_write(struct json_out *o, const struct hub *hub);
/* Answers and returns true if Q would change something during maintenance. */
bool notices_refuse(struct hub *hub, struct request *q);

/* ---- the administrator ------------------------------------------------ */

extern const handler admin_handlers[METHODS];
extern const handler admin_table_list_handlers[METHODS];
extern const table_handler admin_table_handlers[METHODS];
extern const handler admin_user_handlers[METHODS];
extern const handler admin_one_user_handlers[METHODS];
extern const handler admin_record_handlers[METHODS];
extern const table_handler admin_record_table_handlers[METHODS];
/* Asks for who is named in Q's `user`; then whether there is such an account,
 * refusing Q if not. */
void user_find(struct hub *hub, struct request *q, answered_cb then);
bool user_found(struct hub *hub, struct request *q,
                const struct answer *answer);
/* An account with its connections and ban, as the member KEY or an item. */
void person_write(struct json_out *o, const char *key, const struct hub *hub,
                  const struct account_row *row);
/* Puts into the unit that Q, a change, was made, with its parameters, of which
 * passwords, names and lines of records are left out; TABLE and ACCOUNT may be
 * 0. */
void audit_put(struct hub *hub, const struct request *q, id_num table,
               id_num account);
/* Tells of the end that was announced, and brings it about. */
void admin_tick(struct hub *hub);

#endif
