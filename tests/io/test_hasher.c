/* test_hasher.c -- who waits for a password to be hashed, who goes first, and
 * who is sent away. */

#include <criterion/criterion.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "server/io/hasher.h"

#define DONE_MAX 512

static struct hasher *h;
static int woken;
static uint64_t ids[DONE_MAX];
static bool fitting[DONE_MAX];
static char hashes[DONE_MAX][128];
static size_t done;

static void wake(void *context)
{
    uint64_t one = 1;
    (void)context;
    cr_assert_eq(write(woken, &one, sizeof(one)), (ssize_t)sizeof(one));
}

static void finished(void *context, uint64_t id, const char *hash, bool fits)
{
    (void)context;
    ids[done] = id;
    fitting[done] = fits;
    snprintf(hashes[done], sizeof(hashes[0]), "%s", hash != NULL ? hash : "");
    done++;
}

static void begin(void)
{
    woken = eventfd(0, EFD_CLOEXEC);
    h = hasher_new(NULL, wake, finished);
    cr_assert_not_null(h);
}

static void end(void)
{
    hasher_free(h);
    close(woken);
}

TestSuite(hasher, .init = begin, .fini = end, .timeout = 120);

/* Waits until N have been told, or ID has. */
static void wait_for(size_t n, uint64_t id)
{
    while (done < n && (done == 0 || ids[done - 1] != id)) {
        struct pollfd fd = {.fd = woken, .events = POLLIN};
        uint64_t count;
        cr_assert_eq(poll(&fd, 1, 60000), 1);
        cr_assert_eq(read(woken, &count, sizeof(count)), (ssize_t)8);
        hasher_poll(h);
    }
}

static bool add(uint64_t id, enum hash_kind kind, uint64_t source)
{
    return hasher_add(h, id, kind, source, "password", 8, NULL);
}

/* Fills LANE from as many addresses as it takes; how many found a place. */
static size_t flood(enum hash_kind kind, uint64_t first)
{
    size_t n = 0;
    for (uint64_t i = 0; i < 1000; i++)
        n += add(first + i, kind, first + i);
    return n;
}

/* A password is all of its bytes, and so is one that was hashed before the
 * bytes were counted. */
Test(hasher, whole)
{
    cr_assert(hasher_add(h, 1, HASH_NEW, 1, "aaaaaaaa\0x", 10, NULL));
    cr_assert(hasher_add(h, 2, HASH_NEW, 2, "aaaaaaaa", 8, NULL));
    wait_for(2, 0);
    size_t nul = ids[0] == 1 ? 0 : 1;
    char whole[128], plain[128];
    strcpy(whole, hashes[nul]);
    strcpy(plain, hashes[1 - nul]);
    done = 0;
    static const struct {
        const char *password;
        size_t len;
        bool fits_whole, fits_plain;
    } all[] = {{"aaaaaaaa\0x", 10, true, false},
               {"aaaaaaaa\0y", 10, false, false},
               {"aaaaaaaa\0", 9, false, false},
               {"aaaaaaaa", 8, false, true}};
    for (size_t i = 0; i < 4; i++) {
        hasher_add(h, 1, HASH_LOGIN, 2 * i, all[i].password, all[i].len,
                   whole);
        wait_for(1, 0);
        cr_assert_eq(fitting[0], all[i].fits_whole, "%zu", i);
        done = 0;
        hasher_add(h, 2, HASH_LOGIN, 2 * i, all[i].password, all[i].len,
                   plain);
        wait_for(1, 0);
        cr_assert_eq(fitting[0], all[i].fits_plain, "%zu", i);
        done = 0;
    }
}

/* However many register, and however many try to join tables: a log-in finds a
 * place, and is served by the second turn or so, not behind them. */
Test(hasher, lanes)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);

    cr_assert_geq(flood(HASH_NEW, 1000), HASHER_WAITING_MAX);
    cr_assert_geq(flood(HASH_TABLE, 3000), HASHER_WAITING_MAX);
    cr_assert_not(add(5000, HASH_NEW, 5000));
    cr_assert_not(add(5001, HASH_TABLE, 5001));
    cr_assert(add(1, HASH_LOGIN, 1));
    wait_for(DONE_MAX, 1);
    cr_assert_leq(done, 4 * (size_t)cores + 4, "%zu", done);
}

/* And the other way round: who fails to log in keeps nobody from registering,
 * who then has every fourth turn. */
Test(hasher, lanes_of_the_others)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);

    cr_assert_geq(flood(HASH_LOGIN, 1000), HASHER_WAITING_MAX);
    cr_assert(add(1, HASH_NEW, 1));
    wait_for(DONE_MAX, 1);
    cr_assert_leq(done, 6 * (size_t)cores + 6, "%zu", done);
}

/* One address has four places while there is room, and thirty that take all
 * they get leave places in the same lane for one that comes after them. */
Test(hasher, addresses)
{
    size_t first = 0, flooding = 0;

    for (uint64_t i = 0; i < 100; i++)
        first += add(100 + i, HASH_LOGIN, 1);
    cr_assert_geq(first, HASHER_SOURCE_MAX);
    cr_assert_leq(first, HASHER_SOURCE_MAX + 8); /* some were done meanwhile */
    for (uint64_t round = 0; round < 10; round++)
        for (uint64_t source = 2; source < 32; source++)
            flooding += add(1000 * round + source, HASH_LOGIN, source);
    cr_assert_geq(flooding, 30);
    for (uint64_t id = 1; id <= 12; id++)
        cr_assert(add(id, HASH_LOGIN, 100 + id), "%d", (int)id);
}
