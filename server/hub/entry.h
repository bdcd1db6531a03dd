/* entry.h -- a log entry: packed, as a line, and what it makes of a table. */

#ifndef SERVER_HUB_ENTRY_H
#define SERVER_HUB_ENTRY_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/audit.h"
#include "core/rules.h"
#include "core/sha256.h"
#include "core/timing.h"
#include "id.h"
#include "protocol/json_out.h"
#include "protocol/time_json.h"

struct hub;
struct table;

#define NONCE_SIZE 65 /* of the longest, with its NUL */

/* A log entry. */
struct entry {
    uint8_t kind;
    bool undone;
    uint16_t seat; /* or RULES_NATURE or ENTRY_NOBODY */
    union {
        uint32_t decision; /* MOVE: what it answers */
        uint32_t undoes;   /* UNDO: the ply */
        uint32_t to;       /* REWIND: the last ply it leaves */
        uint32_t kept;     /* START: the seats, as bits */
        uint32_t number;   /* any of these */
    };
    uint32_t check; /* chain_fold() of the chain's head behind it */
    union {
        struct rules_move move; /* of a MOVE */
        id_num account;         /* of a JOIN or REPLACED */
        const char *nonce;      /* of a NONCE; if it was read from a packed log
                                 * it is there until that grows */
    } u;
    int64_t at;
    /* At a table with a pace; what it points to is there like a nonce. */
    struct entry_more more;
    /* What clocks show from then on; NULL: as before, or nothing yet.  Only in
     * its line. */
    const int64_t *due, *bank;
};

/* What entries of a kind have, besides time and number; a move and a start have
 * more.  A new kind is a row here and a case in entry_apply(), and in
 * core/audit.c, which judges logs without any of this. */
struct entry_form {
    const char *event;  /* as what those who watch are told of it, or NULL */
    const char *number; /* what OTHER is called in its line, NULL: there is no
                         * such number */
    bool seat;          /* it has to be somebody's at the table */
    bool account;       /* who gets the seat */
    bool nonce;
    bool timed; /* at a table with a pace alone */
};
extern const struct entry_form entry_forms[ENTRY_KINDS]; /* in line.c */

/* The entries of a table, packed; see log.c. */
struct log {
    uint32_t count;
    /* private */
    uint32_t last_ply; /* of the last entry that was put in, ... */
    uint32_t last;     /* ... where it begins, ... */
    int64_t last_from; /* ... and the time from which it counts its own */
    uint8_t *bytes;
    uint32_t *index; /* where every eighth entry begins */
    size_t used, cap, index_cap;
    int64_t last_at;
    struct clock_hours **hours; /* that its entries tell of */
    struct span *outages;       /* the same */
    uint32_t hours_count, outage_count, outage_cap;
};

/* One entry after the other; the log must not grow meanwhile. */
struct log_reader {
    uint32_t ply; /* of the next one */
    /* private */
    const struct log *log;
    const uint8_t *next;
    uint64_t at;
};

/* ---- log.c ------------------------------------------------------------ */

/* A chain's head in few bytes, enough to tell histories apart. */
uint32_t chain_fold(const uint8_t chain[SHA256_SIZE]);
void log_append(struct log *log, const struct entry *e);
/* Entry PLY, which there is, into E. */
void log_at(const struct log *log, uint32_t ply, struct entry *e);
/* Notes whether it was taken back. */
void log_undone(struct log *log, uint32_t ply, bool undone);
/* ... and the chain's head behind it, which was not known yet. */
void log_check(struct log *log, uint32_t ply, uint32_t check);
/* To read from entry PLY on; PLY may be the number of entries. */
void log_reader_at(struct log_reader *r, const struct log *log, uint32_t ply);
/* The next one into E; false: there is none. */
bool log_read(struct log_reader *r, struct entry *e);
/* Nothing is left but its first COUNT entries, of which there are some. */
void log_cut(struct log *log, uint32_t count);
/* Gives back what room there is for more. */
void log_fit(struct log *log);
size_t log_bytes(const struct log *log);
void log_done(struct log *log);

/* ---- entry.c ----------------------------------------------------------- */

/* What E, the last entry of T's log, makes of T, but for its clocks: the same
 * whether it is being made, loaded or looked back at.  EVENTS are those of a move, else none.  Where
 * it takes moves back history_fold() has to follow.  False if there can be no
 * such entry there. */
bool entry_apply(struct hub *hub, struct table *t, const struct entry *e,
                 struct rules_events *events);
/* Whether a seat gives up by E. */
bool entry_resigns(const struct entry *e);
/* Ends T if its game is over, by the rules, because all but one have resigned or
 * by the clock, which is folded; when all its entries are applied, and
 * folded. */
void entries_conclude(struct table *t);
void table_name_seat(struct table *t, int seat);

/* ---- line.c ------------------------------------------------------------ */

/* The line of E, entry PLY, in RFC 8785 form: members in the order of their
 * names, nothing between them.  T is as it is with it. */
void line_write(struct json_out *o, const struct table *t, uint32_t ply,
                const struct entry *e);
/* What the entry points to that a line is read into. */
struct line_room {
    char nonce[NONCE_SIZE];
    struct more_room more;
};

/* Reads a line into E, which points into ROOM, given any state of the table,
 * which may be NULL before the start. */
bool line_read(const struct table *t, const json_t *line,
               const struct rules_state *s, struct entry *e,
               struct line_room *room);

/* Whether who watches is told of E besides what happened in the game. */
bool entry_is_told(const struct entry *e);
/* Writes what E, of which that is so, is to all who watch. */
void entry_tell(struct json_out *o, const struct entry *e);
/* What E says besides to all who watch, as members. */
void entry_tell_more(struct json_out *o, const struct entry *e);

#endif
