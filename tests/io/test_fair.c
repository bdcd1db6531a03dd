/* Whose step is next, and who rests. */

#include <criterion/criterion.h>
#include <string.h>

#include "core/base.h"
#include "server/hub/limits.h"
#include "server/io/fair.h"

static struct fair fair;
static int64_t now = 1000000;

static void setup(void)
{
    fair_init(&fair);
}

TestSuite(fair, .init = setup);

static void join(struct member *m, uint64_t source)
{
    fair_join(&fair, m, source, true, now);
}

static void want(struct member *m)
{
    fair_want(&fair, m, now);
}

/* The next step, which takes so long. */
static struct member *step(int64_t ns)
{
    struct member *m = fair_next(&fair, now);

    if (m != NULL)
        fair_took(&fair, ns, now);
    return m;
}

/* Who said their say gets no step, and who wants one twice gets one. */
Test(fair, one_step_for_one_wish)
{
    struct member m = {0};

    join(&m, 1);
    cr_assert_null(step(1));
    cr_assert_eq(fair_wait_ms(&fair, now), -1);
    want(&m);
    want(&m);
    cr_assert_eq(fair_wait_ms(&fair, now), 0);
    cr_assert_eq(step(1), &m);
    cr_assert_null(step(1));
    fair_leave(&fair, &m);
    fair_leave(&fair, &m);
    fair_done(&fair);
}

/* What readers of the store do for an address is its own, too: it moves back in
 * line at once, and what was long here is taken from its allowance. */
Test(fair, used_elsewhere)
{
    struct member reads = {0}, moves = {0};

    join(&reads, 1);
    join(&moves, 2);
    want(&reads);
    want(&moves);
    fair_used(&fair, &reads, 1000, 4000000, now);
    cr_assert_eq(step(1000), &moves);
    cr_assert_eq(step(1000), &reads);
    for (int i = 0; i < 4; i++)
        fair_used(&fair, &reads, LIMIT_STEP_NS * 10, 0, now);
    want(&reads);
    cr_assert_null(step(1000));
    cr_assert_gt(fair_wait_ms(&fair, now), 0);
    fair_leave(&fair, &reads);
    fair_used(&fair, &reads, 1, 1, now);
    fair_leave(&fair, &moves);
    fair_done(&fair);
}

/* How much of the processor's time an address took is known for a while, of all
 * its connections.  Who is new is behind who took little. */
Test(fair, levels)
{
    struct member a = {0}, same = {0}, other = {0};

    join(&a, 1);
    join(&same, 1);
    join(&other, 2);
    cr_assert_gt(fair_level(&a, now), 3);
    now += 100;
    cr_assert_eq(fair_level(&a, now), 0);
    want(&a);
    cr_assert_eq(step(1000000), &a);
    unsigned level = fair_level(&a, now);
    cr_assert_gt(level, 2);
    cr_assert_eq(fair_level(&same, now), level);
    cr_assert_eq(fair_level(&other, now), 0);
    now += 100;
    cr_assert_eq(fair_level(&a, now), 0);
    fair_leave(&fair, &a);
    cr_assert_eq(fair_level(&a, now), 0);
    fair_leave(&fair, &same);
    fair_leave(&fair, &other);
    fair_done(&fair);
}

/* Addresses take turns however many connections each has, and so do the
 * connections of an address. */
Test(fair, turns)
{
    struct member many[3] = {0}, one = {0};

    for (int i = 0; i < 3; i++) {
        join(&many[i], 1);
        want(&many[i]);
    }
    join(&one, 2);
    want(&one);
    cr_assert_eq(step(1), &many[0]);
    want(&many[0]);
    cr_assert_eq(step(1), &one);
    want(&one);
    cr_assert_eq(step(1), &many[1]);
    cr_assert_eq(step(1), &one);
    cr_assert_eq(step(1), &many[2]);
    cr_assert_eq(step(1), &many[0]);
    cr_assert_null(step(1));
}

/* Who took much lately is behind all who did not, however many there are and
 * however long they wait already; after a while that is forgotten. */
Test(fair, light_before_heavy)
{
    struct member heavy[30] = {0}, light = {0};

    for (int i = 0; i < 30; i++) {
        join(&heavy[i], 10 + (uint64_t)i);
        want(&heavy[i]);
        cr_assert_eq(step(3000000), &heavy[i]);
        want(&heavy[i]);
    }
    join(&light, 2);
    for (int i = 0; i < 10; i++) {
        want(&light);
        cr_assert_eq(step(50000), &light);
    }
    cr_assert_eq(step(1), &heavy[0]);
    now += 10000;
    want(&heavy[0]);
    want(&light);
    for (int i = 0; i < 30; i++) {
        cr_assert_eq(step(1), &heavy[i], "%d", i);
        cr_assert(i != 0 || step(1) == &light);
    }
    cr_assert_null(step(1));
}

/* Who overdrew rests until that is paid, and not longer; nothing is lost. */
Test(fair, rests)
{
    struct member m = {0};

    join(&m, 1);
    fair_charge(&m, LIMIT_INPUT_BURST - 1, now);
    want(&m);
    cr_assert_eq(step(1), &m, "a byte is left");
    fair_charge(&m, 1 + 100 * LIMIT_INPUT_BYTES_MS, now);
    want(&m);
    cr_assert_null(step(1));
    want(&m); /* changes nothing */
    cr_assert(fair_wait_ms(&fair, now) > 0);
    now += 100;
    cr_assert_null(step(1));
    now += 40;
    cr_assert_eq(step(1), &m);
    cr_assert_null(step(1));
    cr_assert_eq(fair.rests, 1);
}

/* No debt is larger than what there is at once: whatever it was for, both one's
 * own and that of the address are paid in the time that takes. */
Test(fair, debts)
{
    const int64_t ms = LIMIT_INPUT_BURST / LIMIT_INPUT_BYTES_MS;
    struct member m[2] = {0};

    join(&m[0], 1);
    join(&m[1], 1);
    fair_charge(&m[0], 100 * LIMIT_INPUT_BURST, now);
    for (int i = 0; i < 2; i++)
        want(&m[i]);
    cr_assert_null(step(1), "the neighbour pays for it, too");
    now += ms - 40;
    cr_assert_null(step(1));
    now += 80;
    for (int i = 0; i < 2; i++, now += 2)
        cr_assert_eq(step(1), &m[i]);
}

#define TOGETHER 3000

/* Many who rested as long as each other come back one after the other, so who
 * asks for more than they do, but all the time, is not behind them all; and none
 * of them waits for long. */
static void come_back(size_t count, size_t at_once, int64_t within)
{
    static struct member m[TOGETHER];
    struct member player = {0}, *next;
    size_t back = 0, before = 0;

    memset(m, 0, sizeof(m));
    join(&player, TOGETHER + 1);
    for (size_t i = 0; i < count; i++) {
        join(&m[i], 1 + i);
        fair_charge(&m[i], LIMIT_INPUT_BURST + 1000 * LIMIT_INPUT_BYTES_MS,
                    now);
        want(&m[i]);
    }
    cr_assert_null(step(1));
    now += 1000;
    int64_t began = now;
    for (; back < count && now <= began + within; now++) {
        fair_used(&fair, &player, 200000, 0, now);
        want(&player);
        for (before = 0; (next = step(100000)) != &player; before++)
            cr_assert_not_null(next);
        while (step(100000) != NULL)
            before++;
        cr_assert_leq(before, at_once, "%zu of %zu", before, count);
        back += before;
    }
    cr_assert_eq(back, count);
    fair_done(&fair);
}

Test(fair, one_after_the_other)
{
    come_back(30, 1, 100);
}

Test(fair, many_after_each_other)
{
    come_back(TOGETHER, 31, 300);
}

/* A long step counts for its length, but no more than one allowance. */
Test(fair, long_steps)
{
    struct member m = {0};
    int steps = 0;

    join(&m, 1);
    for (want(&m); step(1000000000) != NULL; want(&m))
        steps++;
    cr_assert_eq(steps, 3);
    now += LIMIT_INPUT_BURST / (3 * LIMIT_INPUT_BYTES_MS) + 40;
    cr_assert_eq(step(LIMIT_STEP_NS), &m);
    want(&m);
    cr_assert_eq(step(1), &m, "as long as that it counts nothing");
}

/* A new connection from the same address does not help, and neither does to
 * come again. */
Test(fair, address_rests)
{
    struct member m[3] = {0}, again = {0}, other = {0};

    for (int i = 0; i < 3; i++) {
        join(&m[i], 1);
        fair_charge(&m[i], LIMIT_INPUT_BURST, now);
    }
    for (int i = 0; i < 3; i++)
        fair_leave(&fair, &m[i]);
    fair_tick(&fair, now);
    join(&again, 1);
    want(&again);
    join(&other, 2);
    want(&other);
    cr_assert_eq(step(1), &other);
    cr_assert_null(step(1));
    now += 100;
    cr_assert_eq(step(1), &again);
    fair_leave(&fair, &again);
    now += 100000;
    fair_tick(&fair, now);
    cr_assert_eq(fair.flows.count, 1, "forgotten when it makes no difference");
}

/* Who is not limited never rests, even beside others of their address. */
Test(fair, unlimited)
{
    struct member near = {0}, far = {0};

    fair_join(&fair, &near, 1, false, now);
    join(&far, 1);
    fair_charge(&near, 100 * LIMIT_INPUT_BURST, now);
    fair_charge(&far, 4 * LIMIT_INPUT_BURST, now);
    want(&far);
    want(&near);
    cr_assert_eq(step(1), &near);
    cr_assert_null(step(1));
    cr_assert_eq(fair.limited, 1);
}

/* Of one address so much is under way and not more. */
Test(fair, asked)
{
    struct member a = {0}, b = {0}, other = {0};

    join(&a, 1);
    join(&b, 1);
    join(&other, 2);
    fair_asked(&fair, &a, LIMIT_ADDRESS_REQUESTS, now);
    want(&b);
    want(&other);
    cr_assert_eq(step(1), &other);
    cr_assert_null(step(1));
    cr_assert_eq(fair_wait_ms(&fair, now), -1, "an answer is waited for");
    fair_asked(&fair, &a, LIMIT_ADDRESS_REQUESTS - 1, now);
    cr_assert_eq(step(1), &b);
    fair_asked(&fair, &a, LIMIT_ADDRESS_REQUESTS, now);
    want(&b);
    cr_assert_null(step(1));
    fair_leave(&fair, &a);
    cr_assert_eq(step(1), &b, "who has left waits for nothing");
}

/* When too much is under way all who are limited wait, but no others; and after
 * it those go first who took least. */
Test(fair, busy)
{
    struct member a = {0}, b = {0}, near = {0};

    join(&a, 1);
    join(&b, 2);
    fair_join(&fair, &near, 3, false, now);
    want(&a);
    cr_assert_eq(step(1000000), &a);
    want(&a);
    want(&b);
    want(&near);
    fair_busy(&fair, true, now);
    cr_assert_eq(step(1), &near);
    cr_assert_null(step(1));
    cr_assert_eq(fair_wait_ms(&fair, now), -1);
    fair_busy(&fair, false, now);
    cr_assert_eq(step(1), &b);
    cr_assert_eq(step(1), &a);
    cr_assert_null(step(1));
}

/* Who stands for another is in that one's line and at its cost, and takes its
 * wish along. */
Test(fair, stands_for)
{
    struct member proxy = {0}, m = {0};

    fair_join(&fair, &proxy, 0, false, now);
    join(&m, 1);
    fair_charge(&m, 4 * LIMIT_INPUT_BURST, now);
    want(&proxy);
    cr_assert_eq(fair_next(&fair, now), &proxy);
    join(&proxy, 1);
    fair_took(&fair, 1, now);
    want(&proxy);
    cr_assert_null(step(1), "it pays the other's debts");
    fair_join(&fair, &proxy, 0, false, now);
    cr_assert_eq(step(1), &proxy, "and only that one's");
    fair_leave(&fair, &proxy);
    cr_assert_null(step(1));
}

/* When there is no room left those may go who hold as much as the average, and
 * some of these there always are. */
Test(fair, holds)
{
    struct member many[10] = {0}, few[2] = {0}, one = {0};

    join(&one, 1);
    fair_hold(&fair, &one, 300);
    cr_assert(fair_hoards(&fair, &one), "who is alone");
    for (int i = 0; i < 10; i++) {
        join(&many[i], 2);
        fair_hold(&fair, &many[i], 65536);
    }
    for (int i = 0; i < 2; i++) {
        join(&few[i], 3);
        fair_hold(&fair, &few[i], 65536);
    }
    cr_assert_eq(fair.held, 12 * 65536 + 300);
    cr_assert(fair_hoards(&fair, &many[0]));
    cr_assert_not(fair_hoards(&fair, &few[0]));
    cr_assert_not(fair_hoards(&fair, &one));
    for (int i = 0; i < 10; i++)
        fair_leave(&fair, &many[i]);
    cr_assert(fair_hoards(&fair, &few[0]));
    fair_hold(&fair, &few[0], 0);
    cr_assert_not(fair_hoards(&fair, &few[0]), "who holds nothing");
    fair_leave(&fair, &few[0]);
    fair_leave(&fair, &few[1]);
    fair_leave(&fair, &one);
    cr_assert_eq(fair.held, 0);
    cr_assert_eq(fair.holders, 0);
}
