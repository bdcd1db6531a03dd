/* test_outbox_crashes.c -- people are told although the process dies or the store
 * fails, whenever it does. */

#include "tests/support/away.h"

TestSuite(outbox_crashes, .timeout = 600);

/* From the move on, with the process dying after so many steps; whether it did,
 * as all was over before. */
static bool crashed_after(unsigned steps)
{
    char table[16];
    unsigned n = 0;
    bool crashed = false;

    begin_with_mail();
    turn_of_bert(table);
    for (int i = 0; i < 300; i++) {
        d.world.now_ms += SECOND;
        hub_tick(d.world.hub, d.world.now_ms);
        for (bool more = true; more; n++) {
            if (!crashed && n == steps) {
                world_crash(&d.world);
                crashed = true;
                hub_tick(d.world.hub, d.world.now_ms);
            }
            more = world_step(&d.world);
        }
    }
    cr_expect_geq(arrived, 1, "lost by a crash after %u steps", steps);
    for (size_t i = 1; i < arrived; i++)
        cr_expect_eq(arrivals[i].id, arrivals[0].id,
                     "another ID after a crash at %u", steps);
    cr_expect_eq(rows_left(), 0, "left over after a crash at %u", steps);
    end();
    return crashed;
}

/* Whatever step the process dies after, the notice comes, and if it comes twice
 * it is the same message. */
Test(outbox_crashes, none_lost)
{
    unsigned steps = 0;

    while (crashed_after(steps))
        steps += steps < 40 ? 1 : 13;
    cr_assert_gt(steps, 40);
}

/* The same with the store failing at each of its works, by mail or a webhook; and
 * what failed may be stored all the same. */
static void fails_at(size_t n, unsigned limbo_per_1000, bool mail)
{
    char table[16];

    begin_with_mail();
    d.world.limbo_per_1000 = limbo_per_1000;
    if (!mail) {
        FINE(test_client_ask(&d, bert, "notices.channels.test", "{s:s}",
                             "channel",
                             add_webhook(bert, "https://example.org/bert")));
        row_of("bert")->confirmed = 0;
        arrived = 0;
    }
    turn_of_bert(table);
    d.world.fail_at = d.world.handled + n;
    pass(300);
    cr_expect_eq(arrived, 1, "%zu after a failure at %zu, %u", arrived, n,
                 limbo_per_1000);
    cr_expect_eq(rows_left(), 0, "left over after a failure at %zu, %u", n,
                 limbo_per_1000);
    end();
}

Test(outbox_crashes, store_fails)
{
    for (size_t n = 1; n < 25; n++)
        for (int i = 0; i < 4; i++)
            fails_at(n, i & 1 ? 1000 : 0, i & 2);
}
