/* desk.h -- people who ask the hub one thing at a time and look at the answer.
 *
 * For the tests of single methods: a world whose steps are taken until what was
 * asked is answered.  Everything heard is kept until the desk closes. */

#ifndef TESTS_SUPPORT_DESK_H
#define TESTS_SUPPORT_DESK_H

#include <jansson.h>

#include "world.h"

struct desk_message {
    peer_id peer;
    json_t *text;
    size_t len;
};

struct desk {
    struct world world;
    struct desk_message *messages;
    size_t count;
    peer_id peers;
    int ids;
    bool cut[64]; /* peers that were dropped */
};

void desk_open(struct desk *d, uint64_t seed);
void desk_close(struct desk *d);
/* A connection from nearby, or from SOURCE, where limits count. */
peer_id desk_come(struct desk *d, uint64_t source);
/* A connection logged in as a new user NAME, whose password is "password". */
peer_id desk_user(struct desk *d, const char *name);
/* Sends without waiting; returns the id. */
int desk_send(struct desk *d, peer_id p, const char *method, json_t *params);
/* Sends and takes steps until it is answered; PARAMS as json_pack() takes
 * them, or NULL.  The answer stays the desk's. */
json_t *desk_ask(struct desk *d, peer_id p, const char *method,
                 const char *params, ...);
json_t *desk_ask_json(struct desk *d, peer_id p, const char *method,
                      json_t *params);
/* The answer to P, who makes a table of tic-tac-toe for two, with the parameters
 * MORE, which become the desk's, besides, if that is not NULL.  Its id is put into
 * TABLE, if there is one. */
json_t *desk_create(struct desk *d, peer_id p, json_t *more, char table[16]);
/* The answer to request ID, or NULL. */
json_t *desk_answer(const struct desk *d, int id);
/* The reason of a refusal, "" of a result. */
const char *desk_reason(const json_t *answer);
/* A member of a result. */
json_t *desk_member(const json_t *answer, const char *name);
const char *desk_text(const json_t *answer, const char *name);
int64_t desk_number(const json_t *answer, const char *name);
/* The last notification METHOD that P got, and how many. */
json_t *desk_heard(const struct desk *d, peer_id p, const char *method,
                   size_t *ret_count);
/* Does everything that waits to be done. */
void desk_settle(struct desk *d);
/* The clock goes on by MS, and what is due then is done. */
void desk_wait(struct desk *d, int64_t ms);
/* The record of TABLE as P gets it, all pages, each line with its newline; how
 * many pages that were.  The caller's to free. */
char *desk_record(struct desk *d, peer_id p, const char *table,
                  size_t *ret_pages);

/* Whether TEXT, a record, is true; else WHY. */
bool desk_verify(const char *text, char *why, size_t size);

/* For who includes <criterion/criterion.h>. */
#define REASON(answer, word) cr_assert_str_eq(desk_reason(answer), word)
#define FINE(answer)         REASON(answer, "")
/* Each of the test suite TESTS begins with three people at a new desk. */
#define DESK_OF_THREE(tests, seed) \
    static struct desk d; \
    static peer_id anna, bert, carl; \
    static void begin(void) \
    { \
        desk_open(&d, seed); \
        anna = desk_user(&d, "anna"); \
        bert = desk_user(&d, "bert"); \
        carl = desk_user(&d, "carl"); \
    } \
    static void end(void) \
    { \
        desk_close(&d); \
    } \
    TestSuite(tests, .init = begin, .fini = end, .timeout = 60)

#endif
