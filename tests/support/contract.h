/* contract.h -- tests of what every store does.
 *
 * Each is written once and run on the file that the daemon has and on the arrays
 * that the simulation plays with: what holds of one holds of the other, and what
 * they disagree about is a fault of one of them.
 *
 *     CONTRACTS(people);
 *     CONTRACT(people, names) { ... fixture_store(&f, &u) ... } */

#ifndef TESTS_SUPPORT_CONTRACT_H
#define TESTS_SUPPORT_CONTRACT_H

#include <criterion/criterion.h>

#include "store_fixture.h"

static struct store_fixture f;
static struct transaction u;

static void contract_begin(bool arrays)
{
    fixture_init(&f);
    f.arrays = arrays;
    transaction_init(&u);
    cr_assert_eq(fixture_open(&f), 0, "%s", f.error);
}

static inline void contract_on_file(void)
{
    contract_begin(false);
}

static inline void contract_on_arrays(void)
{
    contract_begin(true);
}

static inline void contract_end(void)
{
    cr_assert_eq(f.disorder, 0, "results came in another order");
    fixture_done(&f);
}

/* Stores what is in U. */
static inline enum transaction_result store(void)
{
    return fixture_store(&f, &u);
}

/* The same; the kind of the op that did not hold. */
static inline enum op_kind conflict(void)
{
    cr_assert_eq(fixture_store(&f, &u), TRANSACTION_CONFLICT);
    return f.outcome.op;
}

static inline void reopen(void)
{
    fixture_close(&f);
    cr_assert_eq(fixture_open(&f), 0, "%s", f.error);
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
    TestSuite(suite##_file, .init = contract_on_file, .fini = contract_end, \
              .timeout = 60); \
    TestSuite(suite##_arrays, .init = contract_on_arrays, \
              .fini = contract_end, .timeout = 60)

#define CONTRACT(suite, name) \
    static void suite##_##name(void); \
    Test(suite##_file, name) \
    { \
        suite##_##name(); \
    } \
    Test(suite##_arrays, name) \
    { \
        suite##_##name(); \
    } \
    static void suite##_##name(void)

#endif
