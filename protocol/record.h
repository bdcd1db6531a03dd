/* record.h -- a game record: read line by line, and everything in it checked.
 *
 * A record is NDJSON: a header, a line for each ply, a footer.  Nothing in it is
 * believed: from the header's setup and seed and the plies so far follow the
 * commitment, the key, every draw, every salt and hash of the chain, what could
 * be taken back, and the result; see core/audit.h for the game's part.
 *
 *     struct record *r = record_new();
 *     while (... a line ...)
 *         if (!record_line(r, line, len, &fault))
 *             ... fault.why ...
 *     if (record_end(r, &fault))
 *         ... ok ...
 *     record_free(r);
 *
 * Used by `sobremesa verify`, `sobremesactl verify` and admin.import. */

#ifndef PROTOCOL_RECORD_H
#define PROTOCOL_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/audit.h"
#include "game_json.h"

#define RECORD_FORMAT "sobremesa-record/1"
/* Of a table with a pace. */
#define RECORD_FORMAT_TIMED "sobremesa-record/2"

enum record_place { RECORD_HEADER, RECORD_PLY, RECORD_FOOTER };

/* What is wrong, and where. */
struct record_fault {
    uint64_t line; /* from 1 */
    enum record_place place;
    uint64_t ply; /* of a RECORD_PLY */
    char why[JSON_EXPECTED_MAX + 128];
};

struct record {
    /* read-only, for who wants more than the verdict */
    struct audit audit;
    const struct rules *rules;
    const char *table;    /* the id in the header */
    json_t *header;       /* its members */
    struct json_out text; /* the last line without `chain` or, the header,
                             * without `players`, in RFC 8785 form */
    uint8_t chain[SHA256_SIZE]; /* of the last ply */
    struct audit_entry entry;   /* the last one */
    const char *account;        /* of a JOIN or REPLACED, else NULL */
    /* private */
    uint64_t lines;
    enum record_place next;
    json_t *line;
    struct json_out head; /* the header's text, for chain 0 */
    struct json_board board;
    int16_t options[RULES_OPTIONS_MAX];
    union rules_any position; /* that it begins in, if it is a fork's */
    char joined[RULES_SEATS_MAX][33]; /* accounts, by seat before the start */
    struct audit_ply *plies;
    struct record_time *time; /* of one with a pace */
};

struct record *record_new(void);
void record_free(struct record *r); /* NULL is fine */

/* The next line, without its newline.  Whether it is right; if not R is of no
 * more use. */
bool record_line(struct record *r, const char *text, size_t len,
                 struct record_fault *fault);
/* There are no more: whether the record is whole. */
bool record_end(struct record *r, struct record_fault *fault);

/* All of it at once; empty lines at the end do not matter. */
bool record_verify(const char *text, size_t len, struct record_fault *fault);

/* "line 12, ply 10: ..." into BUF. */
void record_fault_text(const struct record_fault *fault, char *buf,
                       size_t cap);

/* The result that the footer tells, or null while there is none. */
void record_result(const struct record *r, struct json_out *o,
                   const char *key);

#endif
