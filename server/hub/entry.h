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
#include "id.h"
#include "protocol/json_out.h"

struct table;

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

/* ---- line.c ------------------------------------------------------------ */

/* The line of E, entry PLY, in RFC 8785 form: members in the order of their
 * names, nothing between them. */
void line_write(struct json_out *o, const struct table *t, uint32_t ply,
                const struct entry *e, const char *text);
/* Reads a line into E (its text into TEXT, of 65 bytes) given any state of the
 * table, which may be NULL before the start. */
bool line_read(const struct table *t, const json_t *line,
               const struct rules_state *s, struct entry *e, char *text);

#endif
