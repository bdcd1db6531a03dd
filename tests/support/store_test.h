/* store_test.h -- tests that begin with a store of their own, F, on a file, and
 * with a transaction to fill, U.
 *
 *     STORE_TESTS(ends, 60);
 *
 * Who wants another configuration, or something stored already, has an .init of
 * its own, of the same pieces. */

#ifndef TESTS_SUPPORT_STORE_TEST_H
#define TESTS_SUPPORT_STORE_TEST_H

#include <criterion/criterion.h>

#include "store_fixture.h"
#include "store_vfs.h"
#include "until.h"

static struct store_fixture f;
static struct transaction u;

/* A directory, and no store there yet; it may be configured. */
static inline void store_test_init(void)
{
    fixture_init(&f);
    transaction_init(&u);
}

static inline void store_test_open(void)
{
    cr_assert_eq(fixture_open(&f), 0, "%s", f.error);
}

static inline void store_test_begin(void)
{
    store_test_init();
    store_test_open();
}

/* The same on a disk that can be had fail, and does nothing it need not do. */
static inline void store_test_begin_faulty(void)
{
    store_vfs_install();
    store_vfs_lazy();
    store_test_begin();
}

static inline void store_test_end(void)
{
    cr_assert_eq(f.disorder, 0, "results came in another order");
    fixture_done(&f);
}

static inline void store_test_end_faulty(void)
{
    store_vfs_fail(FAULT_NONE, 0, 0);
    store_test_end();
}

/* Stores what is in U. */
static inline enum transaction_result store(void)
{
    return fixture_store(&f, &u);
}

/* Waits until nothing is left to be written behind. */
static inline void until_written(void)
{
    struct store_stats stats;

    UNTIL((store_stats(f.store, &stats), stats.cache_dirty == 0));
}

static inline void reopen(void)
{
    fixture_close(&f);
    store_test_open();
}

#define STORE_TESTS(suite, seconds) \
    TestSuite(suite, .init = store_test_begin, .fini = store_test_end, \
              .timeout = (seconds))
#define FAULTY_STORE_TESTS(suite, seconds) \
    TestSuite(suite, .init = store_test_begin_faulty, \
              .fini = store_test_end_faulty, .timeout = (seconds))

#endif
