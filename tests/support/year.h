/* year.h -- people with hours, zones and other things to do, in a world (world.h)
 * in which the server dies now and then, on virtual time.
 *
 *     year.c          coming, talking, and processes that die or think for bots
 *     year_people.c   what they do at tables and about time
 *     sim/test_year   time, and what must be true of it */

#ifndef TESTS_SUPPORT_YEAR_H
#define TESTS_SUPPORT_YEAR_H

#include <jansson.h>

#include "clock_model.h"
#include "ledger.h"
#include "world.h"

#define MINUTE INT64_C(60000)
#define HOUR   (60 * MINUTE)
#define DAY    (24 * HOUR)

enum { YEAR_PEOPLE_MAX = 400 };
/* After so many days in which nothing happened silence agrees, where people are
 * sleepy. */
enum { YEAR_SLEEP_DAYS = 30 };

struct year_size {
    int people, days, tables; /* the last: of each of them, at once */
    bool sleepy; /* tables have no pace, and people let most of them go */
};

struct year_person {
    peer_id peer; /* 0: nobody has come since the process began */
    char name[24];
    id_num account;
    int64_t next_ms; /* when they come again */
    int64_t every_ms;
};

/* A vote of which people know at a table. */
struct year_vote {
    id_num table;
    uint32_t ply; /* its number */
    int opener;   /* a seat */
};
enum { YEAR_VOTES = 256 };

struct year {
    struct world world;
    struct year_size size;
    uint64_t seed;
    struct year_person people[YEAR_PEOPLE_MAX];
    peer_id peers;
    int ids;
    json_t *heard; /* the answer to request IDS, or NULL */
    struct year_vote votes[YEAR_VOTES];
    peer_id admin, thinker; /* or 0 */
    int64_t thinker_ms;     /* when that comes, or leaves */
    int asked;              /* its request for a question, or 0 */
    json_t *question;       /* the answer to that, or NULL */
    size_t judged;          /* tables over, of those that come first */
    struct ledger ledger;
    int64_t crash_ms; /* the process does not die before */
    struct clock_verdicts verdicts;
    size_t crashes, made, over;
};

/* A number below N. */
uint32_t year_dice(struct year *y, uint32_t n);

/* ---- year.c --------------------------------------------------------------- */

void year_init(struct year *y, uint64_t seed, const struct year_size *size);
void year_done(struct year *y);
/* Whatever waits to happen does, and the process may die after each of it. */
void year_settle(struct year *y);
/* The result of what P asks, or NULL; PARAMS is taken. */
json_t *year_ask(struct year *y, struct year_person *p, const char *method,
                 json_t *params);
/* The same of the operator. */
json_t *year_operate(struct year *y, const char *method, json_t *params);
void year_come(struct year *y, struct year_person *p);
/* Bots' questions are answered, if who thinks for them is there. */
void year_think(struct year *y);

/* ---- year_people.c -------------------------------------------------------- */

/* P looks after their tables. */
void year_act(struct year *y, struct year_person *p);
/* The operator does something about a table. */
void year_reign(struct year *y);

#endif
