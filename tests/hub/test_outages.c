/* test_outages.c -- when the server was not there: what of that is found, how
 * long it counts, that nothing of it is lost again, and when nothing is decided
 * because time is up. */

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "server/hub/inner.h"
#include "tests/support/test_client.h"

#define SECOND INT64_C(1000)
#define MINUTE (60 * SECOND)
#define HOUR   (60 * MINUTE)
#define DAY    (24 * HOUR)

static struct test_client d;
static peer_id anna;

static void begin(void)
{
    test_client_open(&d, 7);
    anna = test_client_come(&d, 0);
    test_client_settle(&d);
}

static void end(void)
{
    test_client_close(&d);
}

TestSuite(outages, .init = begin, .fini = end, .timeout = 600);

/* ---- what happens to servers ---------------------------------------------- */

/* The process dies now, and is started again MS later. */
static void crash(int64_t ms)
{
    d.world.now_ms += ms;
    world_crash(&d.world);
    test_client_settle(&d);
    anna = test_client_come(&d, 0);
}

static void orderly_end(int64_t ms)
{
    hub_shutdown(d.world.hub, d.world.now_ms);
    test_client_settle(&d);
    crash(ms);
}

/* Lives for MS, a tick each second. */
static void live(int64_t ms)
{
    for (; ms >= SECOND; ms -= SECOND)
        test_client_wait(&d, SECOND);
}

/* ---- what is known of it --------------------------------------------------- */

static const json_t *told(int64_t since)
{
    json_t *answer = test_client_ask(&d, anna, "server.outages", "{s:I}",
                                     "since", (json_int_t)since);

    FINE(answer);
    return test_client_member(answer, "outages");
}

static struct span outage(const json_t *list, size_t i)
{
    const json_t *pair = json_array_get(list, i);

    cr_assert_eq(json_array_size(pair), 2);
    return (struct span){
        json_integer_value(json_array_get(pair, 0)),
        json_integer_value(json_array_get(pair, 1)),
    };
}

/* Whether every moment from FROM_MS to TO_MS is in one of LIST. */
static bool covers(const json_t *list, int64_t from_ms, int64_t to_ms)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        struct span o = outage(list, i);
        if (o.from_ms <= from_ms && o.to_ms > from_ms)
            from_ms = o.to_ms;
    }
    return from_ms >= to_ms;
}

/* That there is one, and just one, from about FROM_MS to TO_MS. */
static void is_one(int64_t from_ms, int64_t to_ms)
{
    const json_t *list = told(0);

    cr_assert_eq(json_array_size(list), 1, "%zu", json_array_size(list));
    struct span o = outage(list, 0);
    cr_assert(llabs(o.from_ms - from_ms) < 4 * SECOND, "%lld",
              (long long)(o.from_ms - from_ms));
    cr_assert(llabs(o.to_ms - to_ms) < 4 * SECOND, "%lld",
              (long long)(o.to_ms - to_ms));
}

static bool decides(void)
{
    return outages_decide(d.world.hub);
}

/* ---- tests ------------------------------------------------------------------ */

/* A server that is new was never away; it says so to anybody, and decides. */
Test(outages, none)
{
    cr_assert_eq(json_array_size(told(0)), 0);
    cr_assert(decides());
    live(5 * MINUTE);
    cr_assert_eq(json_array_size(told(0)), 0);
    cr_assert(decides());
}

/* A sign of life is stored every half minute, and no more often. */
Test(outages, signs)
{
    int64_t last = d.world.disk.sign, signs = 0;

    cr_assert(llabs(last - d.world.now_ms) < SECOND);
    for (int i = 0; i < 600; i++) {
        live(SECOND);
        cr_assert_lt(d.world.now_ms - d.world.disk.sign, 32 * SECOND);
        signs += d.world.disk.sign != last;
        last = d.world.disk.sign;
    }
    cr_assert(signs >= 18 && signs <= 20, "%lld", (long long)signs);
}

/* From the last sign to the return, and a tenth longer: two minutes to an
 * hour. */
Test(outages, crash)
{
    static const struct {
        int64_t away, grace;
    } cases[] = {
        {SECOND, 2 * MINUTE}, {20 * MINUTE, 2 * MINUTE}, {HOUR, 6 * MINUTE},
        {10 * HOUR, HOUR},    {100 * DAY, HOUR},
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        end();
        begin();
        live(45 * SECOND);
        int64_t sign = d.world.disk.sign;
        crash(cases[i].away);
        is_one(sign, d.world.now_ms + cases[i].grace);
        cr_assert(decides(), "no clock runs, but those that were over are");
    }
}

/* After an orderly end it begins there, not up to half a minute before. */
Test(outages, orderly_end)
{
    live(45 * SECOND);
    int64_t at = d.world.now_ms;
    orderly_end(HOUR);
    is_one(at, at + HOUR + 6 * MINUTE);
}

/* They are told as they began, those that one asks for: what ends after a moment,
 * or begins after it.  One that begins while people still find back from another
 * overlaps it. */
Test(outages, several)
{
    crash(MINUTE);
    live(MINUTE);
    int64_t second = d.world.disk.sign;
    crash(5 * MINUTE);
    live(3 * MINUTE);
    int64_t third = d.world.disk.sign;
    crash(HOUR);
    const json_t *list = told(0);
    cr_assert_eq(json_array_size(list), 3);
    cr_assert(outage(list, 0).to_ms > second);
    cr_assert_eq(outage(list, 1).from_ms, second);
    cr_assert_eq(outage(list, 2).from_ms, third);
    cr_assert_eq(json_array_size(told(outage(list, 0).to_ms)), 2);
    cr_assert_eq(json_array_size(told(outage(list, 2).to_ms)), 0);
    json_t *answer = test_client_ask(&d, anna, "server.outages", "{s:I}",
                                     "after", (json_int_t)second);
    cr_assert_eq(json_array_size(test_client_member(answer, "outages")), 1);
}

/* What a log was told once is there for good, by when it began; maintenance that
 * goes on is told up to now, and the rest when it is over. */
Test(outages, list)
{
    const struct outages *o;

    live(MINUTE);
    crash(HOUR);
    o = &d.world.hub->outages;
    cr_assert_eq(o->count, 1);
    struct span first = o->at[0];
    crash(MINUTE);
    d.world.config.maintenance = "for a while";
    hub_configure(d.world.hub, &d.world.config);
    live(MINUTE);
    int64_t at = d.world.now_ms;
    outages_cut(d.world.hub);
    o = &d.world.hub->outages;
    cr_assert_eq(o->count, 3);
    struct span last = o->at[2];
    cr_assert(last.from_ms < at && at - last.to_ms < 2 * SECOND);
    live(MINUTE);
    d.world.config.maintenance = "";
    hub_configure(d.world.hub, &d.world.config);
    live(SECOND);
    const struct span *list = o->at;
    cr_assert_eq(o->count, 4);
    cr_assert(list[0].from_ms == first.from_ms &&
              list[0].to_ms == first.to_ms);
    cr_assert(list[2].from_ms == last.from_ms && list[2].to_ms == last.to_ms);
    cr_assert_eq(list[3].from_ms, last.to_ms);
    cr_assert_geq(list[3].to_ms, at + 3 * MINUTE);
}

/* A process that stood still was not there, either; who is connected is told. */
Test(outages, stood_still)
{
    size_t count;

    live(MINUTE);
    int64_t at = d.world.now_ms;
    d.world.now_ms += 10 * MINUTE;
    hub_stood_still(d.world.hub, at, d.world.now_ms);
    is_one(at, at + 12 * MINUTE);
    const json_t *notice = test_client_heard(&d, anna, "server.notice",
                                             &count);
    cr_assert_eq(count, 0, "who has said nothing is told nothing");
    test_client_settle(&d);
    at = d.world.now_ms += HOUR;
    hub_stood_still(d.world.hub, at - 5 * MINUTE, at);
    notice = test_client_heard(&d, anna, "server.notice", &count);
    cr_assert_eq(count, 1);
    cr_assert_str_eq(json_string_value(json_object_get(notice, "kind")),
                     "outage");
    cr_assert_eq(json_integer_value(json_object_get(notice, "to")),
                 at + 2 * MINUTE);
    test_client_settle(&d);
    crash(SECOND);
    cr_assert_eq(json_array_size(told(0)), 3, "in the store, too");
}

/* A store that refuses keeps moves away: nothing is decided meanwhile, and when
 * it stores again that is known within a second. */
Test(outages, store_refuses)
{
    live(MINUTE);
    int64_t at = d.world.now_ms;
    d.world.fail_per_1000 = 1000;
    live(40 * SECOND); /* to the next sign at the latest */
    cr_assert_not(decides());
    live(20 * MINUTE);
    d.world.fail_per_1000 = 0;
    live(SECOND);
    cr_assert(decides());
    struct span o = outage(told(0), 0);
    cr_assert(o.from_ms >= at && o.from_ms <= at + 31 * SECOND);
    cr_assert_geq(o.to_ms, d.world.now_ms + 2 * MINUTE - 2 * SECOND);
    live(SECOND);
    cr_assert_eq(d.world.disk.outage_count, 1);
}

/* One that takes its time is found out by its sign. */
Test(outages, store_slow)
{
    live(MINUTE);
    int64_t at = d.world.now_ms + 30 * SECOND;
    while (d.world.now_ms < at + 30 * MINUTE) { /* nothing is done there */
        d.world.now_ms += SECOND;
        hub_tick(d.world.hub, d.world.now_ms);
    }
    cr_assert_not(decides());
    test_client_settle(&d);
    cr_assert(decides());
    is_one(at, at + 33 * MINUTE);
}

/* So is maintenance. */
Test(outages, maintenance)
{
    peer_id root = test_client_admin(&d);

    live(MINUTE);
    int64_t at = d.world.now_ms;
    FINE(test_client_ask(&d, root, "admin.maintenance", NULL));
    cr_assert_not(decides());
    live(20 * MINUTE);
    cr_assert_not(decides());
    FINE(test_client_ask(&d, root, "admin.maintenance.end", NULL));
    live(SECOND);
    cr_assert(decides());
    is_one(at, d.world.now_ms + 2 * MINUTE);
}

/* Of one in which the process dies no moment is lost. */
Test(outages, maintenance_crash)
{
    int64_t at = d.world.now_ms;

    d.world.config.maintenance = "for a while";
    hub_configure(d.world.hub, &d.world.config);
    live(10 * MINUTE);
    crash(HOUR);
    cr_assert_not(decides());
    live(10 * MINUTE);
    d.world.config.maintenance = "";
    hub_configure(d.world.hub, &d.world.config);
    live(SECOND);
    const json_t *list = told(at);
    cr_assert_eq(json_array_size(list), 3);
    cr_assert(llabs(outage(list, 0).from_ms - at) < 4 * SECOND);
    cr_assert(covers(list, outage(list, 0).from_ms, d.world.now_ms));
}

/* As long as the clock is behind the last sign nothing is decided; nor is
 * anything an outage then, as nobody knows. */
Test(outages, clock_behind)
{
    live(MINUTE);
    d.world.now_ms -= 10 * MINUTE;
    live(SECOND);
    cr_assert_not(decides());
    crash(0);
    cr_assert_not(decides());
    live(9 * MINUTE);
    cr_assert_not(decides());
    live(2 * MINUTE);
    cr_assert(decides());
    cr_assert_eq(json_array_size(told(0)), 0);
}

/* A clock that is set right by leaping forward, as where none runs while the
 * power is off: what lies behind the last sign was an outage. */
Test(outages, clock_set)
{
    live(MINUTE);
    int64_t sign = d.world.disk.sign;
    d.world.now_ms -= HOUR;
    crash(0);
    live(5 * SECOND);
    cr_assert_not(decides());
    int64_t at = d.world.now_ms;
    d.world.now_ms = sign + 5 * HOUR;
    hub_stood_still(d.world.hub, at, d.world.now_ms);
    live(SECOND);
    is_one(sign, sign + 5 * HOUR + 30 * MINUTE);
    cr_assert(decides());
}

/* One that was wrong by more than a day is believed after a day, and what it
 * said of times to come is forgotten, for good. */
Test(outages, clock_believed)
{
    int64_t at = d.world.now_ms;

    d.world.now_ms += 365 * DAY;
    hub_stood_still(d.world.hub, at, d.world.now_ms);
    live(MINUTE);
    cr_assert_gt(d.world.disk.sign, at + 364 * DAY);
    d.world.now_ms -= 365 * DAY;
    test_client_wait(&d, SECOND);
    cr_assert_not(decides());
    test_client_wait(&d, 23 * HOUR);
    cr_assert_not(decides());
    test_client_wait(&d, HOUR);
    test_client_wait(&d, SECOND);
    cr_assert(decides());
    crash(SECOND);
    cr_assert(decides());
    cr_assert_leq(outage(told(0), 0).to_ms, d.world.now_ms + 2 * MINUTE);
}

/* However many there are they are told in pages; those of long ago are not kept,
 * nor more than there is room for. */
Test(outages, many)
{
    enum { N = LIMIT_OUTAGES + 500 };
    int64_t now = d.world.now_ms, after = 0;
    size_t seen = 0, pages = 0;
    struct transaction u;

    transaction_init(&u);
    struct op *op = transaction_add(&u, OP_SIGN);
    op->u.sign.at = now;
    op->u.sign.count = N;
    op->u.sign.outages = region_take(&u.region, N * sizeof(struct span));
    for (int i = 0; i < N; i++) {
        int64_t from = now - (N - i) * 10 * SECOND;
        op->u.sign.outages[i] = (struct span){from, from + SECOND};
    }
    disk_store(&d.world.disk, &u);
    transaction_done(&u);
    crash(MINUTE);
    for (bool more = true; more; pages++) {
        json_t *answer = test_client_ask(&d, anna, "server.outages", "{s:I}",
                                         "after", (json_int_t)after);
        const json_t *list = test_client_member(answer, "outages");
        cr_assert_gt(outage(list, 0).from_ms, after);
        seen += json_array_size(list);
        after = test_client_number(answer, "next");
        more = test_client_member(answer, "next") != NULL;
    }
    cr_assert_eq(seen, LIMIT_OUTAGES);
    cr_assert_eq(pages, LIMIT_OUTAGES / LIMIT_OUTAGES_PAGE);
    crash(401 * DAY);
    live(SECOND);
    cr_assert_eq(json_array_size(told(0)), 1);
    cr_assert_eq(d.world.disk.outage_count, 1);
}

/* A store that cannot be read at first is asked again; until then it is not
 * known, and nothing is decided. */
Test(outages, not_read)
{
    live(MINUTE);
    d.world.deaf_per_1000 = 1000;
    crash(HOUR);
    cr_assert_not(decides());
    cr_assert_not(outages_known(d.world.hub));
    REASON(test_client_ask(&d, anna, "server.outages", NULL),
           "storage_unavailable");
    live(SECOND);
    cr_assert_not(decides());
    d.world.deaf_per_1000 = 0;
    live(SECOND);
    cr_assert(decides());
    cr_assert_eq(json_array_size(told(0)), 1);
}

/* ---- whatever happens ------------------------------------------------------- */

#define AWAY_MAX 64

/* Whether WHICH is one of LIST. */
static bool has(const json_t *list, struct span which)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        struct span o = outage(list, i);
        if (o.from_ms == which.from_ms && o.to_ms == which.to_ms)
            return true;
    }
    return false;
}

/* Over years of crashes between any two steps, orderly ends, stores that fail
 * and processes that stand still: all the time in which the server was not there
 * is in what is told, what was told once stays, and in order. */
Test(outages, whatever_happens)
{
    for (uint64_t seed = 1; seed <= 40; seed++) {
        struct span away[AWAY_MAX];
        size_t n = 0;
        json_t *before = json_array();
        end();
        test_client_open(&d, seed);
        anna = test_client_come(&d, 0);
        test_client_settle(&d);
        for (int i = 0; i < 40; i++) {
            int64_t ms = (int64_t)world_dice(&d.world, 7200) * SECOND;
            live((1 + world_dice(&d.world, 90)) * SECOND);
            d.world.fail_per_1000 = world_dice(&d.world, 4) == 0 ? 300 : 0;
            for (uint32_t k = world_dice(&d.world, 4); k > 0; k--)
                world_step(&d.world);
            int64_t at = d.world.now_ms;
            if (world_dice(&d.world, 3) > 0) {
                crash(ms);
            } else if (world_dice(&d.world, 2) == 0) {
                orderly_end(ms);
            } else {
                d.world.now_ms += ms;
                hub_stood_still(d.world.hub, at, d.world.now_ms);
            }
            d.world.fail_per_1000 = 0;
            away[n++] = (struct span){at, at + ms};
            live(3 * SECOND); /* what failed is known by then */
            const json_t *list = told(0);
            for (size_t k = 0; k < n; k++)
                cr_assert(covers(list, away[k].from_ms, away[k].to_ms),
                          "%d, %d, %d", (int)seed, i, (int)k);
            for (size_t k = 0; k < json_array_size(before); k++)
                cr_assert(has(list, outage(before, k)), "%d, %d", (int)seed,
                          i);
            for (size_t k = 1; k < json_array_size(list); k++)
                cr_assert_lt(outage(list, k - 1).from_ms,
                             outage(list, k).from_ms);
            json_decref(before);
            before = json_deep_copy(list);
        }
        json_decref(before);
    }
}
