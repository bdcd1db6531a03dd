/* ledger.h -- what is stored, judged as it comes.
 *
 * For every table of a disk (world.h) a reader of records (protocol/record.h)
 * that is given each line once, when it is there.  So every stored ply is
 * judged by the rules, the seed, the chain and all that came before it, and by
 * nothing of the hub. */

#ifndef TESTS_SUPPORT_LEDGER_H
#define TESTS_SUPPORT_LEDGER_H

#include "protocol/record.h"
#include "world.h"

struct ledger_page {
    struct record *record;
    size_t plies;    /* read */
    int64_t at;      /* of the last one: none is earlier than the one before */
    uint32_t judged; /* plies, by whoever reads */
    bool closed;     /* nothing more comes of it */
};

struct ledger {
    struct ledger_page *pages; /* as the disk's tables */
    size_t count;
    size_t plies; /* read, of all */
    struct record_fault fault;
    /* What comes next in the log of TABLE, and is of AT_MS, takes back some of
     * it: then what it was nobody can tell.  Or NULL. */
    void (*back)(void *arg, size_t table, int64_t at_ms);
    void *arg;
};

/* Reads what is new on D.  False, with L->fault, if any of it is wrong or if a
 * log could not end where it does. */
bool ledger_read(struct ledger *l, const struct disk *d);
/* Table I is over, and of no more use to who reads. */
void ledger_close(struct ledger *l, size_t i);
void ledger_done(struct ledger *l);

#endif
