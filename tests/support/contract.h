/* contract.h -- tests of what every store does.
 *
 * Each is written once and run on the file that the daemon has, on a database of
 * PostgreSQL, and on the arrays that the simulation plays with: what holds of one
 * holds of the others, and what they disagree about is a fault of one of them.
 * Where no server is installed those on PostgreSQL are skipped, and say so.
 *
 *     CONTRACTS(people);
 *     CONTRACT(people, names) { ... fixture_store(&f, &u) ... } */

#ifndef TESTS_SUPPORT_CONTRACT_H
#define TESTS_SUPPORT_CONTRACT_H

#include <criterion/hooks.h>

#include "postgresql.h"
#include "store_test.h"

ReportHook(PRE_ALL)(struct criterion_test_set *set)
{
    (void)set;
    postgresql_start();
}

ReportHook(POST_ALL)(struct criterion_global_stats *stats)
{
    (void)stats;
    postgresql_stop();
}

static inline void contract_on_file(void)
{
    store_test_init();
    store_test_open();
}

static inline void contract_on_arrays(void)
{
    store_test_init();
    f.arrays = true;
    store_test_open();
}

static inline void contract_on_postgresql(void)
{
    char why[128];

    if (!postgresql_is_there(why))
        cr_skip_test("%s", why);
    store_test_init();
    postgresql_database(f.url);
    store_test_open();
}

/* Has what is in U not stored; the kind of the op that did not hold. */
static inline enum op_kind conflict(void)
{
    cr_assert_eq(fixture_store(&f, &u), TRANSACTION_CONFLICT);
    return f.outcome.op;
}

/* An op about TABLE and ACCOUNT, either may be 0. */
static inline struct op *add(enum op_kind kind, id_num table, id_num account)
{
    struct op *op = transaction_add(&u, kind);

    op->table = table;
    op->account = account;
    return op;
}

#define CONTRACTS(suite) \
    TestSuite(suite##_file, .init = contract_on_file, .fini = store_test_end, \
              .timeout = 1200); \
    TestSuite(suite##_postgresql, .init = contract_on_postgresql, \
              .fini = store_test_end, .timeout = 1200); \
    TestSuite(suite##_arrays, .init = contract_on_arrays, \
              .fini = store_test_end, .timeout = 1200)

#define CONTRACT(suite, name) \
    static void suite##_##name(void); \
    Test(suite##_file, name) \
    { \
        suite##_##name(); \
    } \
    Test(suite##_postgresql, name) \
    { \
        suite##_##name(); \
    } \
    Test(suite##_arrays, name) \
    { \
        suite##_##name(); \
    } \
    static void suite##_##name(void)

#endif
