/* disk.h -- a store of arrays: what server/io does with a file, for tests that
 * play without one.
 *
 * It keeps the contract of stores (server/hub/transaction.h,
 * server/io/store.h) to the letter, which tests/io/test_store_contract.c and
 * test_store_people.c hold it to as they do the real one. */

#ifndef TESTS_SUPPORT_DISK_H
#define TESTS_SUPPORT_DISK_H

#include "server/io/store.h"

#define DISK_PEOPLE 128 /* who ever sat at a table, and who was invited */

struct disk_table {
    struct table_row row;
    struct region region;
    struct ply_row *plies;
    size_t ply_count;
    uint8_t archived[SHA256_SIZE]; /* the last chain of a log that is gone */
    id_num sat[DISK_PEOPLE];       /* now or once */
    size_t sat_count;
    id_num invited[DISK_PEOPLE];
    size_t invited_count;
    struct text_row *texts;
    size_t text_count;
    struct account_row *renames; /* due: ids and the names it knows */
    size_t rename_count;
};

struct disk_key {
    id_num account;
    char *method, *key, *answer;
    int64_t at;
};

/* What somebody keeps at a table. */
struct disk_note {
    id_num account, table;
    bool marked;
    uint64_t mark;
    const char *note; /* or NULL */
};

struct disk {
    struct region region;
    struct account_row *accounts;
    size_t account_count;
    struct token_row *tokens;
    size_t token_count;
    struct link_row *links;
    size_t link_count;
    struct disk_table **tables; /* as they were made */
    size_t table_count;
    struct disk_key *keys;
    size_t key_count;
    struct disk_note *notes;
    size_t note_count;
    struct audit_row *audits;
    size_t audit_count;
};

void disk_done(struct disk *d);
/* Makes TO, which is empty, hold what FROM does.  The texts stay FROM's, which
 * must outlast it. */
void disk_copy(struct disk *to, const struct disk *from);
struct disk_table *disk_table(const struct disk *d, id_num id);
/* Stores all of TRANSACTION, or nothing if it conflicts or cannot be. */
struct transaction_outcome disk_store(struct disk *d,
                                      const struct transaction *transaction);
/* Answers Q; what it points to is the disk's, and there until it changes. */
void disk_answer(const struct disk *d, const struct question *q,
                 struct answer *a);

/* disk.c, for disk_answer.c */
const struct account_row *disk_account(const struct disk *d, id_num id);
bool disk_sits(const struct disk_table *t, id_num account);
/* Whether they sit at a table in one of STATES, a bit for each. */
bool disk_plays(const struct disk *d, id_num account, unsigned states);
const struct disk_key *disk_key(const struct disk *d, id_num account,
                                const char *method, const char *key,
                                int64_t newer);
const struct disk_note *disk_note(const struct disk *d, id_num account,
                                  id_num table);

#endif
