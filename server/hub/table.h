/* table.h -- a table in memory: found, loaded, changed, let go. */

#ifndef SERVER_HUB_TABLE_H
#define SERVER_HUB_TABLE_H

#include "access.h"
#include "core/sha256.h"
#include "entry.h"
#include "request.h"
#include "transaction.h"

struct clocks;
struct orders;
struct view_header;
struct snapshot;
struct steps;
struct watched;

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

/* Entries of a transaction; of them moves that somebody made. */
struct added {
    uint32_t plies, moves;
};

/* Seats, and the watcher. */
#define VIEWERS (RULES_SEATS_MAX + 1)

struct table {
    id_num id, owner;
    const struct rules *rules; /* NULL: this server does not know the game */
    struct region region;      /* the texts below */
    struct table_row row;
    int16_t options[RULES_OPTIONS_MAX];
    struct rules_setup setup; /* as it will be, or is, started */
    uint16_t revision;
    id_num
        from; /* the table it goes on from, where it was left at FROM_PLY, if
                  * it is a fork; or 0 */
    uint32_t from_ply;
    id_num again_of; /* the table whose game is played again here, or 0 */
    char commitment[2 * SHA256_SIZE + 1];

    uint8_t seats_made; /* before empty ones were removed */
    struct known *known;
    size_t known_count;
    uint8_t seats;
    id_num seat[RULES_SEATS_MAX]; /* accounts; 0: free */
    char name[RULES_SEATS_MAX][25];
    char nonce[RULES_SEATS_MAX][NONCE_SIZE]; /* "": none */
    uint16_t resigned;                       /* seats, as bits */
    uint16_t bots;                           /* ... whose accounts are bots' */
    struct invitation *invited;              /* at most LIMIT_INVITED */
    size_t invited_count, invited_room;

    uint8_t state; /* enum table_state */
    bool readable; /* its log could be replayed */
    bool archived; /* its log is elsewhere; it leaves memory at once */
    bool sleeps;   /* it is over and watched, and only that is known of it */
    struct log log;
    uint8_t chain[SHA256_SIZE]; /* its head */
    struct played *played;      /* the moves that count, in order */
    size_t played_count, played_cap;
    size_t folded; /* how many of them RULES_STATE has */
    uint32_t start_ply;
    uint64_t draws; /* number of the next draw */
    uint8_t key[SHA256_SIZE];
    struct sha256 salts; /* what they share; nothing before the first */
    /* The ply of the last undo, rewind or replacement, which asked each seat
     * anew. */
    uint32_t asked_ply[RULES_SEATS_MAX];
    uint32_t undos[RULES_SEATS_MAX];
    struct rules_state *rules_state; /* NULL before the start */
    const char *result;              /* why it is over, or NULL */
    struct clocks *clocks;           /* NULL: there is no pace */
    struct votes votes;
    struct orders *orders; /* NULL: none have been given */
    uint64_t texts_last;
    uint64_t texts_told; /* the last one that those who watch were told of */
    uint32_t gaps;       /* of news, when it was asked for */

    struct snapshot *snapshots; /* rising */
    size_t snapshot_count, snapshot_cap;
    size_t snapshot_every;    /* moves from one to the next */
    const struct table *home; /* of one that is looked back at: what it is the
                               * past of, which has its log; or NULL */
    struct steps *steps;      /* while it is walked through, or NULL */

    /* What it waits for, and who waits for it. */
    uint64_t busy; /* a transaction or an ask; 0: nothing */
    struct queue queue;
    struct watched *watchers;
    size_t watcher_count;
    struct view_header *headers[VIEWERS]; /* the watchers'; or NULL */
    int64_t used_ms;
    struct table *older, *newer; /* by that, in hub->lists[LIST] */
    size_t bytes;                /* that it takes */
    size_t looks;                /* requests that are done in slices here */
    bool listed;
    uint8_t list;
    struct added adding; /* by the transaction under way */
    bool lost;           /* it failed: nobody heard of what came after LAST */
    struct summary last;
    struct loading *loading; /* while it is loaded, or NULL */
};

/* Tables in memory, those that were used longest ago first. */
struct table_list {
    struct table *oldest, *newest;
};
enum { TABLES_OVER, TABLES_ON, TABLE_LISTS };

/* ---- table.c ---------------------------------------------------------- */

struct table *table_find(const struct hub *hub, id_num id);
/* Gives Q to its table, which is loaded first if need be. */
void table_request(struct hub *hub, struct request *q);
/* Does what Q asks of T, which is not busy. */
void table_handle(struct hub *hub, struct table *t, struct request *q);
/* Works through what waits for T, as long as nothing is under way. */
void table_go_on(struct hub *hub, struct table *t);
/* Puts Q at the end of the queue of table Q->home, which is loaded first if
 * need be. */
void table_requeue(struct hub *hub, struct request *q);
/* A new table, from a row such as the store would answer with, that this
 * server can play; its log is empty. */
struct table *table_make(struct hub *hub, const struct answer *answer);
/* Frees what T, which is over, has in memory; who watches it stays, and the next
 * request loads it. */
void table_sleep(struct hub *hub, struct table *t);
/* Drops T from memory; who waits for it is refused with E. */
void table_forget(struct hub *hub, struct table *t, enum error e);
/* Why nothing can be done at T, which is not readable. */
enum error table_unreadable(const struct table *t);
/* Drops T from memory; it is loaded anew for those who wait. */
void table_reload(struct hub *hub, struct table *t);
/* The same, but what is stored for sure stays: the store is asked only for what
 * may have come behind it. */
void table_refetch(struct hub *hub, struct table *t);

/* Who ACCOUNT is at T: a seat, or RULES_WATCHER. */
int table_viewer(const struct table *t, id_num account);
struct access table_access(const struct table *t, id_num account);
/* Whether they may know of it at all, and watch it; ERR_NONE if so. */
enum error table_may_see(const struct table *t, const struct request *q);
enum error table_may_watch(const struct table *t, const struct request *q);

/* When its last entry was made. */
int64_t table_changed(const struct table *t);
/* Has Q, a job, done at table ID. */
void table_job(struct hub *hub, struct request *q, id_num id);
void table_know(struct table *t, id_num account, const char *name);

/* Whether the game, with the table's options, is for so many players. */
bool table_playable_by(const struct table *t, int seats);
/* A copy of ROW whose texts are in R. */
void table_row_copy(struct table_row *to, const struct table_row *from,
                    struct region *r);
/* The ply at which SEAT, who can move, was asked to. */
uint32_t table_asked_ply(const struct table *t, int seat);
/* That, as the number a move of SEAT has to answer, or -1. */
int64_t table_decision(const struct table *t, int seat);
/* Which ply SEAT could take back, or why not. */
enum rules_undo table_undoable(const struct table *t, int seat, uint32_t *ply);
void table_summary(const struct table *t, struct summary *s);

/* Whether there is anything behind PLY that still counts. */
bool table_rewindable(const struct table *t, uint32_t ply);

/* ---- load.c ------------------------------------------------------------ */

/* Asks for all of T, which is in memory but for its contents, when it is the
 * turn of who asks first. */
void table_load(struct hub *hub, struct table *t);
void table_loaded(struct hub *hub, struct table *t, struct answer *answer);
void load_done(struct hub *hub, struct table *t); /* drops what is under way */
/* On whose behalf T is loaded; 0: on nobody's. */
peer_id load_asker(const struct hub *hub, const struct table *t);
/* Begins with those that wait, while there is room; and whether it is to. */
void load_work(struct hub *hub);
bool load_works(const struct hub *hub);
/* What ANSWER, to ASK_TABLE, and that it can be played, say of T. */
bool load_row(struct table *t, const struct answer *answer);

/* ---- memory.c ---------------------------------------------------------- */

/* T was used, or is another size now. */
void memory_used(struct hub *hub, struct table *t);
/* T leaves memory, or what is in it. */
void memory_gone(struct hub *hub, struct table *t);
/* Lets tables go that nobody has used for long; once a second. */
void memory_tick(struct hub *hub);
/* Lets tables go that there is no room for; once a turn of the loop. */
void memory_keep(struct hub *hub);

#endif
