/* test_secrets.c -- two runs that differ only in what a viewer may not know
 * send them the same bytes; see tests/support/noninterference.h.  That a leak
 * would be noticed is shown by test_leaks.c.
 *
 *     SEED=n build/test/sim/test_secrets     that pair alone, of every game
 *     RUNS=n build/test/sim/test_secrets     n percent of the usual pairs
 */

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/base.h"
#include "tests/support/games/all.h"
#include "tests/support/scale.h"
#include "tests/support/noninterference.h"

static void check(const struct rules *r, size_t pairs)
{
    const char *one = getenv("SEED");
    struct noninterference_count n = {0};
    char why[NONINTERFERENCE_WHY] = "";
    uint64_t from = one != NULL ? strtoull(one, NULL, 10) : 0;

    pairs = one != NULL ? 1 : scaled(pairs, 8);
    for (uint64_t number = from; number < from + pairs; number++) {
        bool same = noninterference_run(r, r, number, TAMPER_NOT, &n, why);
        cr_assert(same, "SEED=%llu: %s", (unsigned long long)number, why);
    }
    fprintf(
        stderr,
        "# %s: %zu pairs, %zu plies others, %zu messages of %zu bytes and"
        " %zu forks the same; %zu plies played on, %zu of them others; the longest"
        " log %zu\n",
        r->name, n.pairs, n.others, n.messages, n.bytes, n.forks, n.live,
        n.hidden, n.longest);
    cr_assert(n.messages > 0);
    if (pairs < 20) /* too few to count */
        return;
    cr_assert(n.pairs * 2 >= pairs && n.messages >= 30 * pairs);
    cr_assert(r->redact == NULL || n.others >= pairs / 3);
    cr_assert(n.forks >= pairs);
    cr_assert(r->pass == NULL || n.orders > 0);
}

Test(secrets, hacienda)
{
    check(&hacienda_rules, 100);
}

Test(secrets, hadara)
{
    check(&hadara_rules, 100);
}

Test(secrets, greement)
{
    check(&greement_rules, 60);
}

Test(secrets, tictactoe)
{
    check(&tictactoe_rules, 20);
}

Test(secrets, kuhn)
{
    check(&kuhn_rules, 100);
}

Test(secrets, roshambo)
{
    check(&roshambo_rules, 100);
}

Test(secrets, haggle)
{
    check(&haggle_rules, 100);
}
