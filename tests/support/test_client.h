/* test_client.h -- people who ask the hub one thing at a time and look at the
 * answer.
 *
 * For the tests of single methods: a world whose steps are taken until what was
 * asked is answered.  Everything heard is kept until the client closes. */

#ifndef TESTS_SUPPORT_TEST_CLIENT_H
#define TESTS_SUPPORT_TEST_CLIENT_H

#include <jansson.h>

#include "world.h"

struct test_client_message {
    peer_id peer;
    json_t *text; /* a string if it is no JSON: a page of hub_record() */
    size_t len;
};

struct test_client {
    struct world world;
    struct test_client_message *messages;
    size_t count;
    peer_id peers;
    int ids;
    bool cut[64]; /* peers that were dropped */
};

void test_client_open(struct test_client *d, uint64_t seed);
void test_client_close(struct test_client *d);
/* A connection from nearby, or from SOURCE, where limits count. */
peer_id test_client_come(struct test_client *d, uint64_t source);
/* A connection on the administrator's socket, from a process of user 77. */
peer_id test_client_admin(struct test_client *d);
/* A connection logged in as a new user NAME, whose password is "password". */
peer_id test_client_user(struct test_client *d, const char *name);
/* Sends without waiting; returns the id. */
int test_client_send(struct test_client *d, peer_id p, const char *method,
                     json_t *params);
/* Sends and takes steps until it is answered; PARAMS as json_pack() takes
 * them, or NULL.  The answer stays the client's. */
json_t *test_client_ask(struct test_client *d, peer_id p, const char *method,
                        const char *params, ...);
json_t *test_client_ask_json(struct test_client *d, peer_id p,
                             const char *method, json_t *params);
/* The answer to P, who makes a table of tic-tac-toe for two, with the parameters
 * MORE, which become the client's, besides, if that is not NULL.  Its id is
 * put into TABLE, if there is one. */
json_t *test_client_create(struct test_client *d, peer_id p, json_t *more,
                           char table[16]);
/* P makes the first of their legal moves; the answer. */
json_t *test_client_move(struct test_client *d, peer_id p, const char *table);
/* TABLE as P, who does not watch it, is shown it. */
json_t *test_client_view(struct test_client *d, peer_id p, const char *table);
/* The answer to request ID, or NULL. */
json_t *test_client_answer(const struct test_client *d, int id);
/* The reason of a refusal, "" of a result. */
const char *test_client_reason(const json_t *answer);
/* A member of a result. */
json_t *test_client_member(const json_t *answer, const char *name);
const char *test_client_text(const json_t *answer, const char *name);
int64_t test_client_number(const json_t *answer, const char *name);
/* Whether the result in ANSWER is EXPECTED, as json_pack() takes it, and nothing
 * besides; if not it is printed. */
bool test_client_is(const json_t *answer, const char *expected, ...);
/* The last notification METHOD that P got, and how many. */
json_t *test_client_heard(const struct test_client *d, peer_id p,
                          const char *method, size_t *ret_count);
/* Does everything that waits to be done. */
void test_client_settle(struct test_client *d);
/* The clock goes on by MS, and what is due then is done. */
void test_client_wait(struct test_client *d, int64_t ms);
/* The record of TABLE as P gets it, all pages, each line with its newline; how
 * many pages that were.  The caller's to free. */
char *test_client_record(struct test_client *d, peer_id p, const char *table,
                         size_t *ret_pages);

/* Whether TEXT, a record, is true; else WHY. */
bool test_client_verify(const char *text, char *why, size_t size);

/* Whether the log of TABLE on the disk is one that the audit accepts, up to now;
 * else WHY. */
bool test_client_judge(struct test_client *d, const char *table, char *why,
                       size_t size);

/* For who includes <criterion/criterion.h>. */
#define REASON(answer, word) cr_assert_str_eq(test_client_reason(answer), word)
#define FINE(answer)         REASON(answer, "")
/* Each of the test suite TESTS begins with three people at a new client. */
#define THREE_CLIENTS(tests, seed) \
    static struct test_client d; \
    static peer_id anna, bert, carl; \
    static void begin(void) \
    { \
        test_client_open(&d, seed); \
        anna = test_client_user(&d, "anna"); \
        bert = test_client_user(&d, "bert"); \
        carl = test_client_user(&d, "carl"); \
    } \
    static void end(void) \
    { \
        test_client_close(&d); \
    } \
    TestSuite(tests, .init = begin, .fini = end, .timeout = 1200)

#endif
