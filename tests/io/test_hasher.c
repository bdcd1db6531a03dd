/* test_hasher.c -- who waits for a password to be hashed, who goes first, and
 * who is sent away.
 *
 * Behind the gate of this file one password is hashed at a time, when it is told
 * to, so that the order is the hasher's own and not the scheduler's. */

#include <criterion/criterion.h>
#include <dlfcn.h>
#include <poll.h>
#include <pthread.h>
#include <sodium.h>
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

/* ---- the gate ---------------------------------------------------------------- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changes = PTHREAD_COND_INITIALIZER;
static bool closed;
static size_t came, admitted; /* threads, in the order in which they came */

/* Whether it was closed, which is waited for. */
static bool pass_gate(void)
{
    pthread_mutex_lock(&lock);
    bool was_closed = closed;
    size_t place = came;
    if (was_closed)
        came++;
    pthread_cond_broadcast(&changes);
    while (closed && place >= admitted)
        pthread_cond_wait(&changes, &lock);
    pthread_mutex_unlock(&lock);
    return was_closed;
}

static void set_gate(bool to)
{
    pthread_mutex_lock(&lock);
    closed = to;
    pthread_cond_broadcast(&changes);
    pthread_mutex_unlock(&lock);
}

/* Waits until N are before it. */
static void wait_gate(size_t n)
{
    pthread_mutex_lock(&lock);
    while (came - admitted < n)
        pthread_cond_wait(&changes, &lock);
    pthread_mutex_unlock(&lock);
}

/* In place of libsodium's. */
int crypto_pwhash_str_alg(char out[crypto_pwhash_STRBYTES],
                          const char *const password, unsigned long long len,
                          unsigned long long ops, size_t memory, int alg)
{
    typedef int function(char *, const char *, unsigned long long,
                         unsigned long long, size_t, int);

    if (pass_gate()) {
        out[0] = '\0';
        return 0;
    }
    function *next = (function *)(uintptr_t)dlsym(RTLD_NEXT,
                                                  "crypto_pwhash_str_alg");
    return next(out, password, len, ops, memory, alg);
}

int crypto_pwhash_str_verify(const char str[crypto_pwhash_STRBYTES],
                             const char *const password,
                             unsigned long long len)
{
    typedef int function(const char *, const char *, unsigned long long);

    if (pass_gate())
        return -1;
    function *next = (function *)(uintptr_t)dlsym(RTLD_NEXT,
                                                  "crypto_pwhash_str_verify");
    return next(str, password, len);
}

/* As many threads as the hasher has. */
static size_t threads(void)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores > 2 ? (size_t)cores - 1 : 1;
}

/* ---- the tests --------------------------------------------------------------- */

static void begin(void)
{
    woken = eventfd(0, EFD_CLOEXEC);
    h = hasher_new(NULL, wake, finished);
    cr_assert_not_null(h);
}

static void end(void)
{
    set_gate(false);
    hasher_free(h);
    close(woken);
}

TestSuite(hasher, .init = begin, .fini = end, .timeout = 1200);

/* Waits until N have been told, or ID has. */
static void wait_for(size_t n, uint64_t id)
{
    while (done < n && (done == 0 || ids[done - 1] != id)) {
        struct pollfd fd = {.fd = woken, .events = POLLIN};
        uint64_t count;
        cr_assert_eq(poll(&fd, 1, -1), 1);
        cr_assert_eq(read(woken, &count, sizeof(count)), (ssize_t)8);
        hasher_poll(h);
    }
}

static bool add(uint64_t id, enum hash_kind kind, uint64_t source)
{
    return hasher_add(h, id, kind, source, "password", 8, NULL);
}

/* The gate is closed, and each thread stands before it with a log-in. */
static void close_gate(void)
{
    set_gate(true);
    for (uint64_t i = 0; i < threads(); i++)
        cr_assert(add(9000 + i, HASH_LOGIN, 9000 + i));
    wait_gate(threads());
}

/* How many are hashed, one by one, until ID has been, of which those that were
 * before the gate when it came do not count. */
static size_t turns_until(uint64_t id)
{
    size_t n = done;

    do {
        wait_gate(threads());
        pthread_mutex_lock(&lock);
        admitted++;
        pthread_cond_broadcast(&changes);
        pthread_mutex_unlock(&lock);
        wait_for(++n, UINT64_MAX);
    } while (ids[n - 1] != id);
    return n - threads();
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
 * place, and is served by the second turn, not behind them. */
Test(hasher, lanes)
{
    close_gate();
    cr_assert_geq(flood(HASH_NEW, 1000), HASHER_WAITING_MAX);
    cr_assert_geq(flood(HASH_TABLE, 3000), HASHER_WAITING_MAX);
    cr_assert_not(add(5000, HASH_NEW, 5000));
    cr_assert_not(add(5001, HASH_TABLE, 5001));
    cr_assert(add(1, HASH_LOGIN, 1));
    cr_assert_leq(turns_until(1), 2);
}

/* And the other way round: who fails to log in keeps nobody from registering,
 * who then has every fourth turn. */
Test(hasher, lanes_of_the_others)
{
    close_gate();
    cr_assert_geq(flood(HASH_LOGIN, 1000), HASHER_WAITING_MAX);
    cr_assert(add(1, HASH_NEW, 1));
    cr_assert_leq(turns_until(1), 4);
}

/* One address has four places while there is room, and thirty that take all
 * they get leave places in the same lane for one that comes after them. */
Test(hasher, addresses)
{
    size_t first = 0, flooding = 0;

    close_gate();
    for (uint64_t i = 0; i < 100; i++)
        first += add(100 + i, HASH_LOGIN, 1);
    cr_assert_eq(first, HASHER_SOURCE_MAX);
    for (uint64_t round = 0; round < 10; round++)
        for (uint64_t source = 2; source < 32; source++)
            flooding += add(1000 * round + source, HASH_LOGIN, source);
    cr_assert_geq(flooding, 30);
    for (uint64_t id = 1; id <= 12; id++)
        cr_assert(add(id, HASH_LOGIN, 100 + id), "%d", (int)id);
}
