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
/* What P, which malloc() gave, or NULL, takes in truth. */
size_t bytes_held(const void *p);
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
    uint32_t ply;                   /* of the last log entry */
    int64_t changed;                /* when it was made */
    id_num seat[RULES_SEATS_MAX];   /* accounts; 0: free */
    int64_t since[RULES_SEATS_MAX]; /* when the question was put, or 0 */
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

enum account_kind { ACCOUNT_USER, ACCOUNT_GUEST, ACCOUNT_DELETED };

#define BANNED_FOR_GOOD ((INT64_C(1) << 53) - 1)

struct account_row {
    id_num id;
    uint8_t kind; /* enum account_kind */
    const char *name;
    const char *password; /* as the host's hash() gave it, or NULL */
    const char *email;    /* or NULL */
    int64_t created;
    int64_t seen; /* last request, to the hour; guests' end hangs on it */
    int64_t banned_until;      /* 0: not; BANNED_FOR_GOOD */
    const char *banned_reason; /* or NULL */
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
    LINK_RESET,    /* set ACCOUNT's password */
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
    OP_AUDIT,        /* append */
    OP_PRUNE,        /* tokens and keys that are over at AT */
    OP_TOKEN,        /* put */
    OP_REQUIRE_TOKEN, /* a conflict unless token.id of token.account is there */
    OP_TOKEN_DROP,    /* by token.id of token.account */
    OP_TOKENS_DROP,   /* all of token.account but token.id */
    OP_LINK,          /* new; those over for LIMIT_LINK_KEPT_MS go */
    OP_LINK_USE,      /* once, at link.used; a conflict unless it is good */
    OP_LINK_DROP,     /* by link.id */
    OP_LINKS_DROP,    /* all for link.account, of its purpose, but link.id */
    OP_TABLE,         /* new; a conflict if there is one of that id */
    OP_ARCHIVE,       /* the log of TABLE, which is finished, goes; a conflict
                      * unless its last chain is u.archive.chain.  The last op
                      * of its transaction */
    OP_RETURN,        /* TABLE, which was archived, is to get its log again, by
                      * the OP_PLIES that follows; a conflict unless that log's
                      * last chain was u.archive.chain */
    OP_PLIES,         /* append; a conflict unless the table's last has the
                      * chain u.plies.expect */
    OP_INVITE,        /* ACCOUNT may join TABLE */
    OP_RENAMED,       /* TABLE knows of ACCOUNT's name */
    OP_NAMED,         /* TABLE calls ACCOUNT u.note, from now on; if they have
                      * another name by now that is due there */
    OP_KEY,           /* the answer to a request that must not count twice; one
                     * that is there and not a day old is a conflict */
    OP_TEXT,          /* append; a conflict unless its number is the next */
    OP_TEXT_DROP,     /* the body of text.number of text.table, at text.at; a
                      * conflict if there is none */
    OP_MARK,          /* ACCOUNT has read TABLE's texts up to NUMBER */
    OP_NOTE           /* ACCOUNT's note about TABLE; "" drops it */
};

struct op {
    struct op *next;
    enum op_kind kind;
    id_num table, account;
    union {
        struct account_row account_row;
        struct token_row token;
        struct link_row link;
        struct table_row table_row;
        struct {
            const uint8_t *expect; /* the chain of the last ply before these,
                                    * SHA256_SIZE; NULL: they are the first */
            struct ply_row *rows;
            size_t count;
            struct summary summary; /* after them; may be written behind */
        } plies;
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
            int64_t at;
            uint8_t chain[SHA256_SIZE];
        } archive;
        uint64_t number;
        int64_t at;
        const char *note;
    } u;
};

struct transaction {
    struct region region; /* the ops and all they point to */
    struct op *first, **end;
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

/* What is stored of a person besides account and tokens. */
enum person_part {
    PERSON_SEATS, /* tables they sit at, or once did */
    PERSON_OWNED, /* tables they made */
    PERSON_INVITES,
    PERSON_TEXTS,
    PERSON_NOTES,
    PERSON_MARKS,
    PERSON_KEYS,
    PERSON_LINKS,
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
    ASK_LINK,          /* one link, and its account if it has one */
    ASK_LINKS,         /* links */
    ASK_GUESTS,        /* guests at no running table: accounts, the longest
                        * away first */
    ASK_TABLE,         /* its row, its log, names, who is invited */
    ASK_TABLES,        /* tables, newest first */
    ASK_MINE,          /* an account's tables: those waiting for it first */
    ASK_RENAMES,       /* tables at which a name is due: id, nothing else */
    ASK_KEY,           /* an answer */
    ASK_TEXTS,         /* the last ones */
    ASK_NOTE,          /* a text */
    ASK_ACCOUNTS,      /* accounts by name */
    ASK_SESSIONS,      /* tokens, accounts */
    ASK_PERSON,        /* rows of a part of what is stored of somebody */
    ASK_AUDIT,         /* audits, the last first */
    ASK_PRUNE,         /* counts */
    ASK_SIZES          /* counts; the daemon's own question, not the hub's */
};

struct question {
    enum question_kind kind;
    size_t limit; /* of a list */
    union {
        id_num account;            /* ASK_ACCOUNT, ASK_TOKENS */
        const char *name;          /* ASK_ACCOUNT_NAME */
        const char *const *names;  /* ASK_ACCOUNTS_NAME; ends with NULL */
        uint8_t hash[SHA256_SIZE]; /* ASK_TOKEN, ASK_LINK */
        struct {
            id_num id;
            uint32_t from; /* of its log only this ply and what follows */
        } table;
        struct {
            uint8_t purpose; /* enum link_purpose */
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
            bool all;         /* also private ones; for the server itself */
            id_num after;     /* continue behind this one */
        } tables;
        struct {
            id_num account;
            int state;        /* as above */
            bool running;     /* only open ones and those being played */
            bool seated;      /* not those it is only invited to */
            int64_t newer;    /* of those that are over only what changed after
                            * this; 0: all */
            id_num after;     /* continue behind this one, ... */
            bool after_waits; /* ... which was listed with these */
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
        } note;
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
    } u;
};

/* A copy of Q, whose texts and names are in R. */
struct question question_copy(struct region *r, const struct question *q);

/* A table in a list. */
struct listed {
    struct table_row table;            /* without seed, header and asset */
    const char *name[RULES_SEATS_MAX]; /* of its seats, or NULL */
    uint64_t unread;                   /* ASK_MINE: of the asker */
    bool waits;                        /* ASK_MINE: for the asker, ... */
    int64_t at;                        /* ... since then; or last changed */
};

/* A row of what is stored of a person; the question says of which part. */
struct person_row {
    union {
        struct {
            id_num table;
            const char *game;
            uint8_t state; /* enum table_state */
            int64_t created;
            int seat;         /* PERSON_SEATS: the seat, -1: left */
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
        struct link_row link; /* only its purpose, times and uses */
    } u;
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
    struct account_row *names; /* ASK_TABLE: of all accounts its log names */
    size_t name_count;
    id_num *invited;
    size_t invited_count;
    struct account_row *renames; /* ASK_TABLE: ids, and the names it knows */
    size_t rename_count;
    uint64_t texts_last; /* ASK_TABLE: number of its last text */
    struct listed *tables;
    size_t listed_count;
    bool more; /* the list was cut at LIMIT */
    struct text_row *texts;
    size_t text_count;
    uint64_t mark;            /* ASK_TEXTS: what the asker has read */
    const char *text;         /* ASK_KEY, ASK_NOTE; NULL: there is none */
    struct person_row *parts; /* ASK_PERSON */
    size_t part_count;
    struct audit_row *audits;
    size_t audit_count;
    int64_t counts[SIZE_COUNTS]; /* ASK_SIZES; ASK_PRUNE has fewer */
};

void answer_init(struct answer *a);
void answer_done(struct answer *a);

#endif
