/* transaction.h -- what is stored together, and what is asked of the store.
 *
 * The hub knows nothing of SQL.  It hands the host transactions: lists of
 * things that become true together or not at all; and it asks questions, each
 * of which is answered later.  Everything in a transaction or an answer lives
 * in one region of memory that goes with it. */

#ifndef SERVER_HUB_TRANSACTION_H
#define SERVER_HUB_TRANSACTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/entries.h"
#include "core/hours.h"
#include "core/rating.h"
#include "core/rules.h"
#include "core/sha256.h"
#include "id.h"
#include "protocol/table_state.h"

/* ---- regions ---------------------------------------------------------- */

/* Memory that is freed all at once. */
struct region {
    struct region_block *last;
};

void *region_take(struct region *r, size_t size); /* zeroed, never NULL */
/* A copy of LEN bytes with a NUL behind them. */
char *region_text(struct region *r, const char *text, size_t len);
/* A copy of TEXT, which ends with a NUL; NULL if it is NULL. */
char *region_copy(struct region *r, const char *text);
/* What a piece of SIZE bytes takes with what glibc's malloc() adds; 0: nothing.
 * The same for all of a size, as a run of the simulation is to be the same
 * again: to ask malloc() would not be. */
size_t bytes_held(size_t size);
/* What it takes. */
size_t region_bytes(const struct region *r);
/* TO has what is in FROM, too, which is empty then. */
void region_join(struct region *to, struct region *from);
void region_done(struct region *r);

/* ---- rows ------------------------------------------------------------- */

/* What lists show of a table, and nothing else: no list loads a table. */
struct summary {
    uint8_t state;                  /* enum table_state */
    uint8_t seats;                  /* with those that are free */
    uint16_t acting;                /* RULES_BIT of each seat waited for */
    uint8_t offered;                /* ... and of each that others may take */
    uint32_t ply;                   /* of the last log entry */
    int64_t changed;                /* when it was made */
    id_num seat[RULES_SEATS_MAX];   /* accounts; 0: free */
    int64_t since[RULES_SEATS_MAX]; /* when the question was put, or 0 */
    int64_t due[RULES_SEATS_MAX];   /* when that seat's time is up, or 0 */
    int64_t quiet;                  /* when silence will have agreed, or 0 */
    uint8_t asked;                  /* RULES_BIT of each seat that a vote waits
                                     * for, ... */
    int64_t asked_until;            /* ... before it is over; 0 if for none */
};

/* That somebody may join a table, whatever it takes others. */
struct invitation {
    id_num account;
    uint8_t seat;   /* one more than that which is kept for them; 0: any */
    id_num inviter; /* or 0: whoever made the table */
    int64_t until;  /* it is over then, if the game has not begun; 0: never */
};

struct table_row {
    id_num id;
    id_num owner; /* the account that made it */
    const char *game;
    int64_t created;
    bool private_, rated, spectators, start_full;
    const char *join_password; /* as the host's hash() gave it, or NULL */
    const char *seed;          /* 64 hex digits */
    const char *header;        /* the record's header line without `players` */
    const char *options;       /* JSON object */
    const char *terms;         /* JSON members, of a table with a pace: what it
                                * agreed on about time; or NULL */
    const char *board;         /* JSON, as it was asked for, or NULL */
    const char *asset;         /* the board's text, or NULL */
    size_t asset_len;
    struct summary summary;
};

/* One entry of a table's log. */
struct ply_row {
    uint32_t ply;
    const char *line; /* RFC 8785 form, without `chain` */
    size_t len;
    uint8_t chain[SHA256_SIZE];
};

enum account_kind {
    ACCOUNT_USER,
    ACCOUNT_GUEST,
    ACCOUNT_DELETED,
    ACCOUNT_BOT
};

#define BANNED_FOR_GOOD ((INT64_C(1) << 53) - 1)

struct account_row {
    id_num id;
    uint8_t kind; /* enum account_kind */
    const char *name;
    const char *password; /* as the host's hash() gave it, or NULL */
    const char *email;    /* or NULL */
    int64_t confirmed;    /* when EMAIL was; 0: not, and nothing is sent there
                           * but what asks for that */
    const char *pending;  /* another one that waits to be confirmed, or NULL */
    int64_t created;
    int64_t seen; /* last request, to the hour; guests' end hangs on it */
    int64_t banned_until;      /* 0: not; BANNED_FOR_GOOD */
    const char *banned_reason; /* or NULL */
};

/* That ACCOUNT does not want to meet OTHER: neither joins the other, invites the
 * other, or plays again with the other, and ACCOUNT reads nothing of OTHER's. */
struct block_row {
    id_num account, other;
    const char *name; /* of OTHER; only in answers to ASK_BLOCKS */
    int64_t at;
};

/* When somebody is there; see core/hours.h. */
struct hours_row {
    struct hours hours; /* no days: they had some, and want none */
    const char *zone; /* as they called it, which the host knew then; or "" */
    int64_t changed;  /* when they last were */
};

/* What tables were last told of a zone. */
struct zone_row {
    const char *name, *offsets; /* the latter as in zones.h, or NULL */
};

/* When somebody is away. */
struct absence_row {
    id_num account;
    int64_t from_ms, until_ms;
    bool auto_; /* it was instead of a miss */
    bool begun; /* tables are told */
};

/* What they say of that. */
struct away_row {
    bool auto_;      /* an absence is to begin instead of a miss */
    int64_t changes; /* of this and of their absences, so far; 0: none */
};

struct token_row {
    id_num id;
    id_num account;
    uint8_t hash[SHA256_SIZE]; /* of its text; the text is nowhere */
    const char *label;         /* "" for a session's */
    uint16_t scopes;           /* a bit for each enum method_scope */
    int64_t created, expires;  /* 0: never */
};

/* What somebody who has a one-time link may do. */
enum link_purpose {
    LINK_REGISTER, /* make an account where that takes an invitation */
    LINK_RESET,    /* set ACCOUNT's password; without one that of an account of
                    * EMAIL */
    LINK_CONFIRM,  /* say that EMAIL is ACCOUNT's */
    LINK_TABLE,    /* sit down at TABLE */
    LINK_PURPOSES
};

/* A link that is good for so many times; whoever has its text may use it. */
struct link_row {
    id_num id;
    uint8_t hash[SHA256_SIZE]; /* of its text; the text is nowhere */
    uint8_t purpose;           /* enum link_purpose */
    id_num account;            /* whom it is for, or 0 */
    id_num table;              /* or 0 */
    id_num maker;              /* who made it; 0: the administrator */
    int64_t made, expires;     /* 0: never */
    int64_t uses;              /* left */
    int64_t used;              /* when last, or 0 */
    const char *email;         /* the address that it was sent to, or NULL */
};

/* Mails that anybody may have sent to an address, and so are counted; the
 * numbers are stored. */
enum mailed { MAILED_CONFIRM, MAILED_RESET };

/* One of them; of the address only a keyed hash is stored. */
struct mailed_row {
    uint8_t address[SHA256_SIZE];
    uint8_t kind; /* enum mailed */
    int64_t at;
};

/* A second factor by time: RFC 6238. */
#define TOTP_KEY_BYTES 20
struct totp_row {
    id_num account;
    uint8_t key[TOTP_KEY_BYTES]; /* has to be known, so it is no hash */
    int64_t made;
    int64_t confirmed; /* when a code of it was given; 0: not yet, and it is
                        * not asked for */
    int64_t removed;   /* when the operator took it away, or 0: that much is
                        * kept, to be told */
};

enum { ROOM_TABLE, ROOM_SPECTATORS, ROOM_ANY /* in a question */ };

struct text_row {
    uint64_t number; /* from 1, rising within a table */
    id_num table, from;
    const char *name; /* of FROM; only in answers */
    uint8_t room;
    int64_t at;
    const char *body; /* NULL: the administrator removed it */
};

/* A change that the administrator made. */
struct audit_row {
    uint64_t number; /* rising; given by the store */
    int64_t at;
    uint32_t uid;       /* of the process that asked for it */
    id_num table;       /* or 0 */
    id_num account;     /* or 0 */
    const char *name;   /* of ACCOUNT, or NULL; only in answers */
    const char *method; /* what was asked ... */
    const char *what;   /* ... and with which parameters, JSON */
};

/* Something to be told to ACCOUNT who may be away; see outbox.h. */
struct notice_row {
    uint64_t number; /* rising; given by the hub.  A row that goes may be
                      * written over by another in the same op */
    id_num account, table;
    id_num maker; /* whose doing it is, or 0 */
    uint32_t ply;
    uint8_t kind;   /* enum notice_kind */
    uint8_t detail; /* enum notice_detail */
    int64_t at;     /* not to be told before */
    /* How long it may wait for them to look, whatever they wish.  It follows
     * from the table's pace and is not stored; 0: nobody has asked. */
    int64_t most_ms;
};

/* What is on its way to somebody by one way. */
struct message_row {
    id_num id; /* the same at each try */
    id_num account;
    id_num channel; /* or 0: BODY says where to */
    uint8_t way;    /* enum channel */
    int64_t made, due;
    int64_t failing; /* since when its receiver fails, or 0 */
    int32_t tries;
    const char *body; /* JSON, the outbox's own */
};

/* What became of one. */
struct sent_row {
    uint64_t number; /* rising; given by the store */
    id_num account, channel, message;
    uint8_t way;    /* enum channel */
    uint8_t result; /* enum delivery_result */
    int64_t at;
    const char *body; /* JSON */
    const char *said; /* by the receiver */
};

enum channel_state {
    CHANNEL_UNTRIED, /* no test was answered yet: nothing is sent there */
    CHANNEL_ON,
    CHANNEL_OFF /* its receiver is gone */
};

/* Where ACCOUNT can be told things. */
struct channel_row {
    id_num id, account;
    uint8_t way;    /* enum channel */
    uint8_t form;   /* enum webhook_form */
    uint8_t state;  /* enum channel_state */
    uint32_t kinds; /* a bit for each enum notice_kind that goes there */
    int64_t made, changed;
    const char *label; /* what its owner calls it, or "" */
    const char *target;
    const char *secret; /* or NULL */
    const char *why;    /* it is off, or NULL */
};

/* How ACCOUNT wants to be told things. */
struct wishes_row {
    id_num account;
    int32_t wait_s; /* that a notice waits for them to look */
    bool at_once;   /* it does not, and nothing is left out */
    int32_t digest; /* days from one to the next, or 0 */
    int64_t digest_at;
    const char *language;
    /* Invitations from strangers that they were told of on DAY, from 1970 on. */
    int64_t day;
    int32_t strangers;
};

/* How far somebody was reminded of a turn of theirs, at a table with a pace. */
struct reminder_row {
    id_num account;
    uint32_t turn; /* as deadlines.c counts it */
    uint8_t stage; /* 1: at half of its time, 2: at four fifths, too */
    uint32_t ply;  /* the table's last one then; as long as it is that ... */
    int64_t next;  /* ... nobody there is to be reminded before this */
};

/* What ACCOUNT has ordered at a table: see orders.h. */
struct order_row {
    id_num account;
    const char *body; /* JSON, the hub's own */
};

/* What became of somebody who played at a table that is over. */
struct result_row {
    id_num account;
    uint8_t seat;    /* the one they have, or had last */
    uint8_t place;   /* 1 is first, ties share; who left is last */
    bool left;       /* not there to the end: gave up, gone, or replaced */
    bool substitute; /* took over the seat */
    int32_t points;  /* of that seat */
    /* Of a game that is rated again: */
    bool gone;            /* they were by then, and were not rated */
    struct rating rating; /* what they were rated at, if that is kept */
};
#define RESULTS_MAX RATING_PLAYERS_MAX

/* Parts of a win that are shared by who shares the first place. */
#define WIN_PARTS 840

/* How somebody plays a game, with another one or with more. */
struct rating_row {
    id_num account;
    const char *name; /* of ACCOUNT; only in answers */
    const char *game;
    bool many; /* with more than one other */
    struct rating rating;
    int64_t games; /* that were rated */
    int64_t met;   /* people in these */
    int64_t at;    /* when the last one ended */
};

/* A game that was rated. */
struct rated_row {
    int64_t turn; /* in the order in which they were; 0: there is none */
    int64_t
        left; /* how many there are from this one on, if they are counted */
    uint8_t seats;
};

/* What became of the games that were played to their end by all who began. */
struct statistics_row {
    uint8_t seats, seat;
    int64_t games;
    int64_t wins;           /* of that seat, in WIN_PARTS */
    int64_t points;         /* the same, their sum */
    int64_t plies, took_ms; /* the same of whole games */
};

/* What a transaction said to other hubs: see news.h. */
struct news_row {
    uint64_t number; /* rising as transactions were stored; given by the store.
                      * Those that were stored at once may have one */
    const char *text;
};

/* Up to where tables were looked through for questions that wait for long. */
struct reminded_row {
    int64_t since, until; /* those put in between, but not at SINCE ... */
    id_num after;         /* ... and behind this table are still to come */
};

/* ---- transactions ------------------------------------------------------- */

enum op_kind {
    OP_ACCOUNT, /* put, but for the ban; who was deleted stays so; a name
                     * that another account has is a conflict.  A
                     * new name of somebody who sits at open or running tables
                     * is due there until OP_RENAMED */
    OP_REQUIRE_ACCOUNT, /* a conflict unless ACCOUNT's kind, password
                           * and ban are these */
    OP_SEEN,            /* ACCOUNT asked something at AT */
    OP_GUEST_DROP,   /* ACCOUNT goes with all that is its own, if it is a guest
                     * not seen since AT who sits nowhere; its row stays, as
                     * a deleted one, if something names it */
    OP_BAN,          /* ACCOUNT until u.ban.until; 0: no more */
    OP_PASSWORD,     /* ACCOUNT's is u.note, as the host's hash() gave it */
    OP_NAME,         /* ACCOUNT is called u.note; as with OP_ACCOUNT that is a
                      * conflict if another is, and due at tables */
    OP_ACCOUNT_DROP, /* all that is ACCOUNT's own, but its row stays, as a
                     * deleted one; that it has no name is due at tables */
    OP_HOURS,        /* ACCOUNT's are u.hours.row; a conflict unless they last
                      * changed at u.hours.was, 0: never.  Open and running
                      * tables where they sit have to be told */
    OP_AWAY,         /* ACCOUNT says u.away.row; a conflict unless there were
                      * as many changes so far as that says.  Their absences
                      * that were over at u.away.before go, these are put, each
                      * in the place of one that began when it did, and one
                      * that ends where it begins goes.  If u.away.tell tables
                      * have to be told, as by OP_HOURS */
    OP_KNOWS,        /* TABLE knows of ACCOUNT's hours that were changed at
                      * u.knows.hours and absences after u.knows.away changes;
                      * if these are others now it has to be told */
    OP_DUE,          /* TABLE is among those that ASK_DUE tells of, though it
                      * has no pace */
    OP_REQUIRE_TOLD, /* a conflict if TABLE has to be told of anybody's */
    OP_ZONE,         /* u.zone, put: tables of all who have hours there have to
                      * be told */
    OP_REMINDER,     /* put, of TABLE */
    OP_REMINDERS_DROP, /* all of TABLE */
    OP_ORDER,       /* ACCOUNT's of TABLE is u.order.body; NULL: there is none
                     * any more.  A conflict unless the table's last ply is
                     * u.order.ply */
    OP_ORDERS_DROP, /* all of TABLE */
    OP_AUDIT,       /* append */
    OP_PRUNE,       /* tokens and keys that are over at AT */
    OP_TOKEN,       /* put */
    OP_REQUIRE_TOKEN, /* a conflict unless token.id of token.account is there */
    OP_TOKEN_DROP,    /* by token.id of token.account */
    OP_TOKENS_DROP,   /* all of token.account but token.id */
    OP_LINK,          /* new; those over for LIMIT_LINK_KEPT_MS go */
    OP_LINK_USE,      /* once, at link.used; a conflict unless it is good */
    OP_LINK_DROP,     /* by link.id */
    OP_LINKS_DROP,    /* all for link.account, of its purpose, but link.id; if
                      * link.made is not 0 only those made before that */
    OP_LINKS_DROP_EMAIL, /* the same for link.email */
    OP_EMAIL, /* ACCOUNT's address is u.note, to be confirmed: beside the
                       * one that is confirmed, if any; NULL: there is none
                       * any more */
    OP_EMAIL_CONFIRM, /* that is confirmed, at u.email.at; a conflict unless it
                       * waits for that, LIMIT_EMAIL_ACCOUNTS have it, or
                       * nothing is to be sent to it */
    OP_MAILED,        /* it leaves; a conflict if too many of its kind left for
                       * the address lately, or nothing is to be sent there */
    OP_MAIL_STOP,    /* nothing to u.email any more; nobody has confirmed it */
    OP_MAIL_ALLOW,   /* the opposite; a conflict if it is allowed */
    OP_SECRET,       /* new; one of that name that is there is a conflict */
    OP_DEVICE,       /* ACCOUNT has logged in from it, at u.device.at; those of
                       * longest ago go beyond LIMIT_DEVICES */
    OP_TOTP,         /* put; its recovery codes go */
    OP_TOTP_USE,     /* a code for u.totp_use.step of ACCOUNT's key of that
                       * time; a conflict unless it is beyond the last one.  The
                       * first confirms the key */
    OP_TOTP_DROP,    /* with the recovery codes */
    OP_RECOVERY,     /* ACCOUNT's codes are these, and no others */
    OP_RECOVERY_USE, /* u.hash is none any more; a conflict if it was not */
    OP_PROXIED, /* a proxy calls ACCOUNT u.proxied.user, and nobody else, and
                      * ACCOUNT nothing else; NULL: nothing.  A conflict if
                      * u.proxied.is_new and it calls somebody so */
    OP_TABLE,   /* new; a conflict if there is one of that id */
    OP_ARCHIVE, /* the log of TABLE, which is finished, goes; a conflict
                      * unless its last chain is u.archive.chain.  The last op
                      * of its transaction */
    OP_RETURN,  /* TABLE, which was archived, is to get its log again, by
                      * the OP_PLIES that follows; a conflict unless that log's
                      * last chain was u.archive.chain */
    OP_PLIES,   /* append; a conflict unless the table's last has the
                      * chain u.plies.expect */
    OP_RESULTS, /* what became of who played at TABLE, which is over now; if
                   * u.results.rated their ratings are moved by it */
    OP_INVITE,  /* ACCOUNT may join TABLE; u.invite */
    OP_INVITE_DROP, /* no more; a conflict unless they may */
    OP_BLOCK,       /* put; a conflict if that is one more than LIMIT_BLOCKS of
                   * its account */
    OP_BLOCK_DROP,  /* by account and other */
    OP_REQUIRE_APART, /* a conflict if ACCOUNT blocks u.other, or they
                       * ACCOUNT */
    OP_REMATCH,   /* they play again what they played at TABLE: at u.rematch,
                   * which comes to be with it.  A conflict if they do
                   * elsewhere, where the game was not given up */
    OP_RENAMED,   /* TABLE knows of ACCOUNT's name */
    OP_NAMED,     /* TABLE calls ACCOUNT u.note, from now on; if they have
                      * another name by now that is due there */
    OP_KEY,       /* the answer to a request that must not count twice; one
                     * that is there and not a day old is a conflict */
    OP_TEXT,      /* append; a conflict unless its number is the next */
    OP_TEXT_DROP, /* the body of text.number of text.table, at text.at; a
                      * conflict if there is none */
    OP_MARK,      /* ACCOUNT has read TABLE's texts up to NUMBER */
    OP_NOTE,      /* ACCOUNT's note about TABLE; "" drops it */
    OP_STUDY,     /* the same of ACCOUNT's study of TABLE; a conflict if that
                     * is one more than LIMIT_STUDIES */
    OP_NOTICES,   /* some come and others go; never a conflict */
    OP_TOLD,      /* ACCOUNT has a mail about TABLE */
    OP_LOOKED,    /* ... and has looked there since */
    OP_MESSAGE,   /* put */
    OP_MESSAGE_DROP, /* by message.id */
    OP_SENT,         /* append; those older than LIMIT_SENT_MS go */
    OP_WISHES,       /* put */
    OP_CHANNEL,      /* put */
    OP_CHANNEL_DROP, /* by channel.id of channel.account, and its messages */
    OP_MUTE,     /* ACCOUNT wants to hear nothing of TABLE; u.on: it does */
    OP_REMINDED, /* put */
    OP_OUTBOX_EMPTY, /* all that waits to be told goes, and all links: what
                       * others have seen of it nobody knows */
    /* Nobody is rated any more: all that was rated follows, as OP_RESULTS, and
     * keeps its turn; a conflict unless the last was the u.turn-th.  At the end
     * of it: nor is who is gone. */
    OP_RATINGS_ANEW,
    OP_RATINGS_GONE,
    OP_SIGN /* the server is there at u.sign.at.  Outages that begin later or
             * are over for LIMIT_OUTAGE_KEPT_MS go; then those are put, each
             * in the place of one that began when it did */
};

struct op {
    struct op *next;
    enum op_kind kind;
    id_num table, account;
    union {
        struct account_row account_row;
        struct token_row token;
        struct link_row link;
        struct mailed_row mailed;
        struct {
            const char *address;
            uint8_t hash[SHA256_SIZE]; /* as mailed_row's */
            int64_t at;
        } email;
        struct {
            const char *name, *value;
        } secret;
        struct {
            uint8_t hash[SHA256_SIZE]; /* of its text; the text is nowhere */
            int64_t at;
        } device;
        struct {
            const char *user;
            bool is_new;
        } proxied;
        struct invitation invite; /* without its account */
        id_num rematch;
        id_num other; /* OP_REQUIRE_APART */
        struct block_row block;
        struct totp_row totp;
        struct {
            uint64_t step;
            int64_t made; /* of the key */
            int64_t at;
        } totp_use;
        struct {
            uint8_t (*hashes)[SHA256_SIZE];
            size_t count;
        } recovery;
        uint8_t hash[SHA256_SIZE];
        struct table_row table_row;
        struct {
            const uint8_t *expect; /* the chain of the last ply before these,
                                    * SHA256_SIZE; NULL: they are the first */
            struct ply_row *rows;
            size_t count;
            struct summary summary; /* after them; may be written behind */
        } plies;
        struct {
            struct result_row *rows; /* RESULTS_MAX at most */
            size_t count;
            const char *game;
            uint8_t seats;
            bool rated, whole; /* played to the end by all who began */
            bool again;        /* it was counted before, and is rated anew */
            bool kept;         /* the same, and all were rated as they say */
            uint32_t plies;
            int64_t at, took_ms;
        } results;
        int64_t turn; /* OP_RATINGS_ANEW */
        struct {
            const char *method, *key, *answer;
            int64_t at;
        } key;
        struct text_row text;
        struct {
            int64_t until;
            const char *reason; /* or NULL */
        } ban;
        struct audit_row audit;
        struct {
            struct hours_row row;
            int64_t was;
        } hours;
        struct {
            struct away_row row;
            struct absence_row *absences;
            size_t count;
            int64_t before;
            bool tell;
        } away;
        struct {
            int64_t hours, away;
        } knows;
        struct {
            int64_t at;
            uint8_t chain[SHA256_SIZE];
        } archive;
        struct {
            struct notice_row *rows;
            size_t count;
            uint64_t *drop; /* numbers; one that is not there is fine */
            size_t drop_count;
        } notices;
        struct message_row message;
        struct sent_row sent;
        struct wishes_row wishes;
        struct channel_row channel;
        struct reminded_row reminded;
        struct reminder_row reminder;
        struct {
            const char *body;
            uint32_t ply;
        } order;
        struct zone_row zone;
        struct {
            int64_t at;
            struct span *outages;
            size_t count;
        } sign;
        bool on;
        uint64_t number;
        int64_t at;
        const char *note;
    } u;
};

struct transaction {
    struct region region; /* the ops and all they point to */
    struct op *first, **end;
    const char
        *news; /* what other hubs on this store are told of it: their own
                       * affair; or NULL.  Only in a store that is shared */
};

/* What a transaction has of the outbox. */
struct outbox_share {
    bool messages; /* new ones, which leave when it is stored */
    /* By what memory is ahead of the store until then: notices from that number
     * on, or 0; and of that account, or 0, at which tables they were told
     * something, and messages.  ALL: of everybody. */
    uint64_t notices;
    id_num account;
    bool all;
};

void transaction_init(struct transaction *u);
void transaction_done(struct transaction *u);
/* A new op at the end, zeroed but for its kind. */
struct op *transaction_add(struct transaction *u, enum op_kind kind);

enum transaction_result {
    TRANSACTION_STORED,
    /* An op does not hold: a name or key is taken, an account or a log is not
     * as it was; nothing of it is stored. */
    TRANSACTION_CONFLICT,
    /* The disk: whether it is stored only the store knows. */
    TRANSACTION_FAILED
};

/* What became of a transaction; and of a conflict which op it was: the first
 * that did not hold after those before it. */
struct transaction_outcome {
    enum transaction_result result;
    enum op_kind op;
    id_num table; /* of that, or 0 */
};

/* ---- questions -------------------------------------------------------- */

/* What is stored of a person besides account and tokens; their words are
 * person_parts of protocol/methods.h. */
enum person_part {
    PERSON_SEATS, /* tables they sit at, or once did */
    PERSON_OWNED, /* tables they made */
    PERSON_INVITES,
    PERSON_TEXTS,
    PERSON_NOTES,
    PERSON_MARKS,
    PERSON_KEYS,
    PERSON_LINKS,
    PERSON_HOURS,   /* one row, or none */
    PERSON_DEVICES, /* that they logged in from */
    PERSON_TOTP,    /* one row, or none */
    PERSON_PROXIED, /* the same */
    PERSON_ABSENCES,
    PERSON_AWAY, /* their wish: one row, or none */
    PERSON_STUDIES,
    PERSON_RATINGS,
    PERSON_BLOCKS,
    PERSON_PARTS
};

enum prune_count { PRUNE_TOKENS, PRUNE_KEYS, PRUNE_COUNTS };

/* What there is in all: tables by their state, then accounts. */
enum size_count {
    SIZE_TABLES,
    SIZE_USERS = SIZE_TABLES + TABLE_ABANDONED + 1,
    SIZE_GUESTS,
    SIZE_COUNTS
};

enum question_kind {
    ASK_ACCOUNT,       /* one account */
    ASK_ACCOUNT_NAME,  /* one account */
    ASK_ACCOUNTS_NAME, /* an account for each name that there is */
    ASK_TOKEN,         /* one token, and its account */
    ASK_TOKENS,        /* of an account: tokens */
    ASK_PROXIED,       /* one account, by what a proxy calls it */
    ASK_LINK,          /* one link, and its account if it has one; of a reset
                        * without one, those whom ASK_EMAIL tells, but that
                        * have exactly its address */
    ASK_LINKS,         /* links */
    ASK_EMAIL,         /* users with a password whose address was confirmed
                        * and is that, whatever its case: accounts */
    ASK_SECRET,        /* a text */
    ASK_STOPPED,       /* whether nothing is to be sent to an address */
    ASK_FACTORS,       /* how ACCOUNT may prove who it is: factors */
    ASK_GUESTS,        /* guests at no running table: accounts, the longest
                        * away first */
    ASK_TABLE,         /* its row, its log, names, who is invited, orders */
    ASK_REMATCH,       /* where what was played at table U.TABLE.ID is played
                        * again: rematch.  Of what was given up, where that is,
                        * if it was opened again */
    ASK_TABLES,        /* tables, newest first */
    ASK_MINE,          /* an account's tables: those waiting for it first */
    ASK_INVITES,       /* to open tables, over by UNTIL: places */
    ASK_BLOCKS,        /* of an account: blocks, by who is blocked */
    ASK_BLOCKED,    /* the blocks between an account and others, either way */
    ASK_RENAMES,    /* tables at which a name is due, or that have to be told
                        * of hours or absences: id, nothing else */
    ASK_KEY,        /* an answer */
    ASK_TEXTS,      /* the last ones */
    ASK_NOTE,       /* a text */
    ASK_STUDY,      /* the same */
    ASK_ACCOUNTS,   /* accounts by name */
    ASK_SESSIONS,   /* tokens, accounts */
    ASK_PERSON,     /* rows of a part of what is stored of somebody */
    ASK_AUDIT,      /* audits, the last first */
    ASK_PRUNE,      /* counts */
    ASK_NOTICES,    /* notices, by number */
    ASK_MESSAGES,   /* messages, by id */
    ASK_TOLD,       /* places, by account and table */
    ASK_OUTBOX,     /* of an account: wishes, hours, absences, channels, muted,
                        * told; LIMIT tables; others */
    ASK_SENT,       /* of an account: what was sent, the last first */
    ASK_BOUNCED,    /* what was sent as message AFTER */
    ASK_DIGESTS,    /* accounts whose digest is due: places */
    ASK_REMINDED,   /* reminded */
    ASK_DUE,        /* tables that are played with a pace, or had an OP_DUE:
                        * tables, which are their ids and what lists show of
                        * them but seats; and when to look whom to remind, if
                        * that is known */
    ASK_STAGES,     /* of a table: reminders */
    ASK_ZONES,      /* in which somebody has hours: zones */
    ASK_AWAY,       /* of an account: away, hours, absences as they begin */
    ASK_ABSENT,     /* absences that tables are not told of yet, as they
                        * begin */
    ASK_OUTAGES,    /* the last sign; outages, the last LIMIT of them, as
                        * they began */
    ASK_RATINGS,    /* of a game: ratings that are sure, the best first */
    ASK_RESULTS,    /* of an account: results, the last first */
    ASK_STATISTICS, /* of a game: statistics, by seats and seat */
    ASK_NEWS, /* news behind number AFTER; whether some of it is gone; and
                        * the last number there is */
    /* Ratings, by account, game and many; the first game rated behind one:
     * rated, and results. */
    ASK_RATINGS_ALL,
    ASK_RATED,
    ASK_SIZES /* counts; the daemon's own question, not the hub's */
};

struct question {
    enum question_kind kind;
    size_t limit; /* of a list */
    union {
        id_num account;    /* ASK_ACCOUNT, ASK_TOKENS, ASK_AWAY, ASK_BLOCKS */
        const char *name;  /* ASK_ACCOUNT_NAME, ASK_PROXIED, ASK_SECRET;
                            * ASK_STATISTICS: of the game */
        const char *email; /* ASK_EMAIL */
        struct {
            id_num account;
            uint8_t device[SHA256_SIZE];   /* that is asked about, ... */
            uint8_t recovery[SHA256_SIZE]; /* ... and code */
        } factors;
        const char *const *names; /* ASK_ACCOUNTS_NAME; ends with NULL */
        uint8_t hash
            [SHA256_SIZE]; /* ASK_TOKEN, ASK_LINK; ASK_STOPPED: as in mailed_row */
        struct {
            id_num id;
            uint32_t from; /* of its log only this ply and what follows, ... */
            uint32_t until; /* ... but this one; 0: to its end */
        } table;
        struct {
            uint8_t purpose; /* enum link_purpose */
            id_num table;    /* of this one alone; 0: of any */
            id_num after;    /* continue behind this one */
        } links;
        struct {
            int64_t until;      /* seen before or at this */
            id_num after;       /* continue behind this one, ... */
            int64_t after_seen; /* ... who was seen then */
        } guests;
        struct {
            id_num account;   /* who asks, or 0 */
            int state;        /* enum table_state, or -1: any */
            const char *game; /* or NULL: any */
            bool mine;        /* only those ACCOUNT sits at or is invited to */
            bool offered;     /* only public ones where a seat is offered */
            bool all;         /* also private ones; for the server itself */
            id_num after;     /* continue behind this one */
        } tables;
        struct {
            id_num account;
            int state;     /* as above */
            bool running;  /* only open ones and those being played */
            bool seated;   /* not those it is only invited to */
            int64_t newer; /* of those that are over only what changed after
                            * this; 0: all */
            id_num after;  /* continue behind this one, ... */
            uint8_t after_waits; /* ... which was listed with these */
            int64_t after_at;
        } mine;
        struct {
            id_num account;
            const char *method, *key;
            int64_t newer; /* made after this; 0: whenever */
        } key;
        struct {
            id_num table, account; /* whose mark is asked for, too */
            uint8_t room;          /* or ROOM_ANY */
            uint64_t before;       /* a number; 0: the last */
        } texts;
        struct {
            id_num table, account;
        } note; /* ASK_NOTE, ASK_STUDY */
        struct {
            const char *after; /* a name, or NULL: from the first */
            int kind;          /* enum account_kind, or -1: any */
            int64_t banned;    /* only who is beyond this; 0: all */
        } accounts;
        struct {
            id_num account; /* or 0: everybody's */
            id_num after;   /* continue behind this one */
        } sessions;
        struct {
            id_num account;
            enum person_part part;
            uint64_t from; /* how many rows to pass over */
        } person;
        struct {
            id_num table, account; /* or 0: any */
            uint64_t before;       /* a number; 0: the last */
        } audit;
        int64_t prune_at; /* ASK_PRUNE: as OP_PRUNE's AT */
        uint64_t after;   /* ASK_NOTICES, ASK_MESSAGES: behind this number;
                           * ASK_BOUNCED, ASK_NEWS */
        struct {
            id_num account, table; /* behind this place */
        } told;
        struct {
            id_num account;
            const id_num *others;
            size_t count;
        } blocked;
        struct {
            id_num account;
            const id_num *tables; /* of which it wants to know, ... */
            size_t table_count;
            const id_num *others; /* ... and people */
            size_t other_count;
        } outbox;
        struct {
            id_num account;
            uint64_t before; /* a number; 0: the last */
        } sent;
        struct {
            const char *game;
            bool many;
            int64_t since;        /* who played after this */
            int64_t after_mean;   /* continue behind who has this mean ... */
            id_num after_account; /* ... and this account; 0: from the first */
        } ratings;
        struct {
            id_num account; /* continue behind this one's, ... */
            const char *game;
            bool many;
        } ratings_all;
        struct {
            int64_t behind; /* the so manieth */
            bool count;     /* what is left */
        } rated;            /* ASK_RATED */
        struct {
            id_num account;
            id_num asker;         /* or 0 */
            id_num with;          /* who played there, too; or 0 */
            const char *game;     /* or NULL: any */
            bool rated;           /* only what was */
            int64_t since, until; /* ended then; 0: whenever */
            int64_t before; /* continue with what ended before this, ... */
            /* ... or then, at tables made before this one; 0: from the last */
            id_num before_table;
            size_t look; /* at so many, at most, of those the asker may see */
        } results;
        int64_t until; /* ASK_DIGESTS, ASK_INVITES */
        id_num behind; /* ASK_DUE: continue behind this table */
    } u;
};

/* A copy of Q, whose texts and names are in R. */
struct question question_copy(struct region *r, const struct question *q);

/* Whether a table of a list waits for the asker: those whose deadline is next
 * come first, then those that have waited longest. */
enum listed_waits { LISTED_CALM, LISTED_WAITS, LISTED_DUE };

/* A table in a list. */
struct listed {
    struct table_row table;            /* without seed, header and asset */
    const char *name[RULES_SEATS_MAX]; /* of its seats, or NULL */
    uint64_t unread;                   /* ASK_MINE, ASK_OUTBOX: of the asker */
    bool invited;                      /* the asker is, or was */
    bool shut; /* not over, and a block is between the asker and who sits there
                * or made it */
    uint8_t waits; /* ASK_MINE: enum listed_waits, ... */
    int64_t at; /* ... since then, or due then; or last changed.  ASK_DUE: not
                 * to remind anybody before, or 0 */
};

/* A row of what is stored of a person; the question says of which part. */
struct person_row {
    union {
        struct {
            id_num table;
            const char *game;
            uint8_t state; /* enum table_state */
            int64_t created;
            int seat;             /* PERSON_SEATS: the seat, -1: left, ... */
            uint8_t place;        /* ... 0: nobody knows, or it is not over */
            int32_t points;       /* if there is a place */
            bool rated;           /* RATING is theirs after it */
            struct rating rating; /* ... */
        } table;              /* PERSON_SEATS, PERSON_OWNED, PERSON_INVITES */
        struct text_row text; /* without FROM and NAME */
        struct {
            id_num table;
            const char *text;
        } note;
        struct {
            id_num table;
            uint64_t number; /* of the last text that was read */
        } mark;
        struct {
            const char *method, *key;
            int64_t at;
        } key;
        struct link_row link; /* only its purpose, times, uses, address */
        struct hours_row hours;
        int64_t used; /* PERSON_DEVICES: when last */
        struct {
            int64_t made, confirmed;
            int64_t recovery; /* codes left */
        } totp;
        const char *user; /* PERSON_PROXIED */
        struct absence_row absence;
        bool auto_; /* PERSON_AWAY: an absence begins instead of a miss */
        struct block_row block;
        struct rating_row rating;
    } u;
};

/* Somebody at a table that is over. */
struct player_result {
    id_num account;
    const char *name; /* or NULL */
    int8_t seat;      /* -1: they left it */
    uint8_t place;    /* 0: nobody knows any more */
    int32_t points;
    bool rated; /* RATING is theirs after it */
    struct rating rating;
};

/* A table that is over. */
struct result {
    id_num table;
    const char *game;
    int64_t ended;
    bool private_, rated;
    struct player_result *players; /* by place */
    size_t player_count;
};

struct factors {
    bool device;   /* ACCOUNT has logged in from it */
    bool has_totp; /* the following is there */
    struct totp_row totp;
    int64_t recovery; /* codes left */
    bool is_recovery; /* the one that is asked about is one of them */
};

/* Somebody and a table. */
struct place {
    id_num account, table;
};

/* Somebody of whom an account is told: as there are, the others in the order
 * asked for. */
struct other {
    id_num account;
    uint8_t kind; /* enum account_kind */
    const char *name;
    bool met;        /* has sat at a table with them */
    int64_t away_ms; /* until when they were away last, or are; or 0 */
};

struct answer {
    struct region region; /* all that the others point to */
    bool failed;          /* the store could not say */
    int64_t took_us;      /* that a reader of the store worked on it */
    struct account_row *accounts;
    size_t account_count;
    struct token_row *tokens;
    size_t token_count;
    struct link_row *links;
    size_t link_count;
    struct table_row *table;
    struct ply_row *plies;
    size_t ply_count;
    size_t log_count;          /* plies of all the log that PLIES are of */
    struct account_row *names; /* ASK_TABLE: of all accounts its log names */
    size_t name_count;
    struct invitation *invited;
    size_t invited_count;
    struct block_row *blocks;
    size_t block_count;
    id_num rematch;              /* ASK_REMATCH; 0: nowhere */
    struct account_row *renames; /* ASK_TABLE: ids, and the names it knows */
    size_t rename_count;
    struct order_row *orders; /* ASK_TABLE */
    size_t order_count;
    id_num *untold; /* ASK_TABLE: of whom it has to be told */
    size_t untold_count;
    uint64_t texts_last; /* ASK_TABLE: number of its last text */
    struct listed *tables;
    size_t listed_count;
    bool more; /* the list was cut at LIMIT */
    struct text_row *texts;
    size_t text_count;
    uint64_t mark; /* ASK_TEXTS: what the asker has read */
    const char
        *text; /* ASK_KEY, ASK_NOTE, ASK_STUDY, ASK_SECRET; NULL: there is
                               * none */
    struct factors factors;   /* ASK_FACTORS */
    bool stopped;             /* ASK_STOPPED */
    struct person_row *parts; /* ASK_PERSON */
    size_t part_count;
    struct audit_row *audits;
    size_t audit_count;
    int64_t counts[SIZE_COUNTS]; /* ASK_SIZES; ASK_PRUNE has fewer */
    struct notice_row *notices;
    size_t notice_count;
    struct message_row *messages;
    size_t message_count;
    struct place *places;
    size_t place_count;
    struct wishes_row *wishes; /* NULL: there are none */
    struct hours_row *hours;   /* the same; ASK_OUTBOX, ASK_AWAY */
    struct away_row away;
    struct absence_row *absences;
    size_t absence_count;
    struct channel_row *channels;
    size_t channel_count;
    id_num *muted, *told; /* tables; ASK_OUTBOX */
    size_t muted_count, told_count;
    int64_t mailed; /* ASK_OUTBOX: when a mail was sent last, or 0 */
    struct other *others;
    size_t other_count;
    struct sent_row *sent;
    size_t sent_count;
    struct reminded_row reminded;
    struct zone_row *zones;
    size_t zone_count;
    struct reminder_row *reminders;
    size_t reminder_count;
    int64_t sign; /* ASK_OUTAGES: when the server was there last, or 0 */
    struct span *outages;
    size_t outage_count;
    struct rating_row *ratings;
    size_t rating_count;
    struct result *results;
    size_t result_count;
    int64_t result_at; /* ASK_RESULTS, if there are more: when the last ... */
    id_num result_table;    /* ... looked at ended, which the asker may see */
    struct rated_row rated; /* ASK_RATED */
    struct statistics_row *statistics;
    size_t statistics_count;
    struct news_row *news;
    size_t news_count;
    uint64_t news_last;
    bool news_lost; /* some of them are not kept any more */
};

void answer_init(struct answer *a);
void answer_done(struct answer *a);

#endif
