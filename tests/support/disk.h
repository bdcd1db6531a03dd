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

struct disk_result {
    struct result_row row;
    bool rated;
    struct rating rating; /* after it, if RATED */
};

struct disk_pair {
    id_num a, b;
    const char *game;
    bool many;
    uint32_t met;
    int64_t at;
};

struct disk_statistics {
    const char *game;
    struct statistics_row row;
};

struct disk_table {
    struct table_row row;
    struct region region;
    struct ply_row *plies;
    size_t ply_count;
    uint8_t archived[SHA256_SIZE]; /* the last chain of a log that is gone */
    id_num sat[DISK_PEOPLE];       /* now or once */
    size_t sat_count;
    struct invitation invited[DISK_PEOPLE];
    size_t invited_count;
    struct text_row *texts;
    size_t text_count;
    struct account_row *renames; /* due: ids and the names it knows */
    size_t rename_count;
    id_num rematch;                          /* OP_REMATCH */
    bool due;                                /* OP_DUE */
    struct disk_result results[RESULTS_MAX]; /* once it is over */
    size_t result_count;
};

struct disk_key {
    id_num account;
    char *method, *key, *answer;
    int64_t at;
};

struct disk_secret {
    const char *name, *value;
};

struct disk_device {
    id_num account;
    uint8_t hash[SHA256_SIZE];
    int64_t used;
};

struct disk_totp {
    struct totp_row row;
    uint64_t step; /* of the last code */
};

struct disk_recovery {
    id_num account;
    uint8_t hash[SHA256_SIZE];
};

/* What somebody keeps at a table. */
struct disk_note {
    id_num account, table;
    bool marked;
    uint64_t mark;
    const char *note;  /* or NULL */
    const char *study; /* or NULL */
};

struct disk_proxied {
    id_num account;
    const char *user;
};

struct disk_hours {
    id_num account;
    struct hours_row row;
};

struct disk_reminder {
    id_num table;
    struct reminder_row row;
};

struct disk_order {
    id_num table;
    struct order_row row;
};

struct disk_away {
    id_num account;
    struct away_row row;
};

struct disk {
    struct region region;
    struct block_row *blocks;
    size_t block_count;
    struct account_row *accounts;
    size_t account_count;
    struct token_row *tokens;
    size_t token_count;
    struct link_row *links;
    size_t link_count;
    struct mailed_row *mailed, *stopped;
    size_t mailed_count, stopped_count;
    struct disk_secret *secrets;
    size_t secret_count;
    struct disk_device *devices;
    size_t device_count;
    struct disk_totp *totps;
    size_t totp_count;
    struct disk_recovery *recovery;
    size_t recovery_count;
    struct disk_table **tables; /* as they were made */
    size_t table_count;
    struct disk_key *keys;
    size_t key_count;
    struct disk_note *notes;
    size_t note_count;
    struct disk_proxied *proxied;
    size_t proxied_count;
    struct disk_hours *hours;
    size_t hours_count;
    struct audit_row *audits;
    size_t audit_count;
    struct notice_row *notices;
    size_t notice_count;
    struct message_row *messages;
    size_t message_count;
    struct place *told;
    size_t told_count;
    struct sent_row *sent;
    size_t sent_count;
    uint64_t sent_last; /* number of the last one */
    struct wishes_row *wishes;
    size_t wishes_count;
    struct channel_row *channels;
    size_t channel_count;
    struct place *muted;
    size_t muted_count;
    struct reminded_row reminded;
    struct zone_row *zones;
    size_t zone_count;
    struct disk_reminder *reminders;
    size_t reminder_count;
    struct disk_order *orders;
    size_t order_count;
    struct disk_away *away;
    size_t away_count;
    struct absence_row *absences;
    size_t absence_count;
    struct place *untold;
    size_t untold_count;
    int64_t sign;
    struct span *outages;
    size_t outage_count;
    struct rating_row *ratings;
    size_t rating_count;
    struct disk_pair *pairs;
    size_t pair_count;
    id_num *rated; /* tables, in the order in which they were */
    size_t rated_count;
    struct disk_statistics *statistics;
    size_t statistics_count;
    struct news_row *news;
    size_t news_count;
    uint64_t news_from; /* those up to this number are gone */
    uint64_t news_last;
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
/* Theirs, or NULL. */
const struct hours_row *disk_hours(const struct disk *d, id_num account);
const struct disk_note *disk_note(const struct disk *d, id_num account,
                                  id_num table);

#endif
