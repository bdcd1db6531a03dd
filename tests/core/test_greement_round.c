/* test_greement_round.c -- Greement, the rules' chapters A round, A turn and
 * Event phase in one piece: who acts when, and what everybody's money comes
 * to. */

#include <criterion/criterion.h>

#include "core/base.h"
#include "tests/support/greement_estate.h"

static struct estate e;

static void stands(int line, enum greement_phase phase, unsigned acting,
                   unsigned may, int32_t a, int32_t b, int32_t c)
{
    const int32_t money[] = {a, b, c};

    cr_assert_eq(estate_of(&e)->phase, phase, "line %d: %s", line,
                 greement_phase_words[estate_of(&e)->phase]);
    cr_assert_eq(e.any.state.acting, acting, "line %d: %x act", line,
                 e.any.state.acting);
    cr_assert_eq(e.any.state.may, may, "line %d: %x may", line,
                 e.any.state.may);
    for (int seat = 0; seat < 3; seat++)
        cr_assert_eq(estate_cash(&e, seat), money[seat],
                     "line %d: seat %d has %d", line, seat,
                     (int)estate_cash(&e, seat));
}

/* Where the game stands, who acts and who may, and the money of three. */
#define STANDS(phase, acting, may, a, b, c) \
    stands(__LINE__, phase, acting, may, a, b, c)

enum { ANA = 1, BEN = 2, CLEO = 4, ALL = ANA | BEN | CLEO };

/* ---- rounds --------------------------------------------------------------- */

/* Ben is first, and Ana last; each has a crop. */
static void first_round(void)
{
    estate_start(&e,
                 &(struct estate_table){.seats = 3, .first = 1, .turns = 2});
    STANDS(PHASE_TURN, BEN, 0, 0, 4, 0);
    estate_do(&e, 1, "buy_land square=c2"); /* connected: no tax */
    STANDS(PHASE_TURN, BEN, 0, 0, 4 - 2, 0);
    estate_do(&e, 1, "end_turn");
    STANDS(PHASE_TURN, CLEO, 0, 0, 2, 4);
    estate_do(&e, 2, "buy_land square=e2");
    estate_do(&e, 2, "seed square=e2");
    STANDS(PHASE_TURN, CLEO, 0, 0, 2, 4 - 2 - 2);
    estate_do(&e, 2, "end_turn");
    STANDS(PHASE_TURN, ANA, 0, 4, 2, 0);
    estate_next(&e, "seed_price_and_crop_profit_up");
    estate_next(&e, "lake_appropriation");
    estate_next(&e, "mine_profit_up");
    estate_do(&e, 0, "end_turn");
}

/* A round: everybody's turn in order from the first seat, then three events one
 * after the other, each with everybody; then the first seat's turn again. */
Test(greement_round, whole)
{
    first_round();
    STANDS(PHASE_VOTE, ALL, 0, 4, 2, 0);
    estate_do(&e, 0, "vote avoid=true");
    STANDS(PHASE_VOTE, BEN | CLEO, ANA, 4, 2, 0);
    estate_do(&e, 2, "vote avoid=false");
    STANDS(PHASE_VOTE, BEN, ANA | CLEO, 4, 2, 0);
    estate_do(&e, 1, "vote avoid=false");
    EXPECT_NUMBER(estate_of(&e)->value[CROP_PROFIT], 5); /* 1 of 3 */
    STANDS(PHASE_PAY, ALL, 0, 4, 2, 0);
    estate_do(&e, 0, "contribute amount=4");
    estate_do(&e, 0, "done");
    STANDS(PHASE_PAY, BEN | CLEO, ANA, 4 - 4, 2, 0);
    estate_do(&e, 1, "contribute amount=2");
    estate_do(&e, 1, "done");
    STANDS(PHASE_PAY, CLEO, ANA | BEN, 0, 2 - 2, 0);
    estate_do(&e, 2, "done"); /* 6 of 15: given back, and it happens */
    STANDS(PHASE_VOTE, ALL, 0, 4, 2, 0);
    estate_do(&e, 0, "vote avoid=true");
    estate_do(&e, 1, "vote avoid=true");
    estate_do(&e, 2, "vote avoid=false");
    EXPECT_NUMBER(estate_of(&e)->value[MINE_PROFIT], 6); /* 2 of 3: avoided */
    EXPECT_NUMBER(estate_of(&e)->round, 1);
    STANDS(PHASE_TURN, BEN, 0, 4, 2 + 5, 0);
}

/* [G5] After the last round's events the game is over, and no profit is paid
 * any more. */
Test(greement_round, the_last)
{
    first_round();
    while (estate_of(&e)->round == 0)
        estate_default(&e, __builtin_ctz(e.any.state.acting));
    STANDS(PHASE_TURN, BEN, 0, 4, 7, 0);
    for (int seat = 1; seat < 4; seat++)
        estate_do(&e, seat % 3, "end_turn");
    EXPECT_NUMBER(estate_of(&e)->turn, GREEMENT_NOBODY);
    while (!rules_over(&e.any.state))
        estate_default(&e, __builtin_ctz(e.any.state.acting));
    STANDS(PHASE_OVER, 0, 0, 4 + 5, 7, 5 + 5);
}

/* [G4] The debt that is left doubles at the end of one's turn, in the last
 * round, too: it counts so in the end. */
Test(greement_round, debt_doubles_in_the_last)
{
    estate_start(&e, &(struct estate_table){.turns = 1, .loans = true});
    estate_do(&e, 0, "borrow amount=20");
    estate_do(&e, 0, "repay amount=5");
    estate_do(&e, 0, "end_turn");
    EXPECT_NUMBER(estate_of(&e)->player[0].debt, 2 * 15);
    estate_do(&e, 1, "borrow amount=1");
    while (estate_of(&e)->phase == PHASE_TURN)
        estate_do(&e, 1, "end_turn");
    EXPECT_NUMBER(estate_of(&e)->player[1].debt, 2);
    EXPECT_NUMBER(estate_total(&e, 0), 4 + 20 - 5 + 4 - 30);
}

/* ---- taxes ----------------------------------------------------------------- */

/* pay: the tax is for the smallest distance between the two players' squares,
 * [G13] and a gold mine is a square of theirs like any other, on both sides. */
Test(greement_round, gold_mines_bring_two_players_together)
{
    estate_start(&e, &(struct estate_table){.seats = 3});
    EXPECT_NUMBER(greement_pay_tax(estate_of(&e), 0, 2), 3 * 6);
    estate_give(&e, 2, "a3=gold_mine");
    EXPECT_NUMBER(greement_pay_tax(estate_of(&e), 0, 2), 6);
    EXPECT_NUMBER(greement_pay_tax(estate_of(&e), 2, 0), 6);
    estate_money(&e, 0, 16);
    estate_do(&e, 0, "pay to=2 amount=10");
    EXPECT_NUMBER(estate_cash(&e, 0), 0);
    EXPECT_NUMBER(estate_cash(&e, 2), 10);
}

/* [G16] tax_by=buyer: of an offer to sell it is the addressed player who pays
 * the tax besides the price, of an offer to buy the one who made it; the seller
 * has the price, all of it. */
Test(greement_round, tax_by_the_buyer)
{
    estate_start(&e, &(struct estate_table){.seats = 3});
    estate_give(&e, 0, "d4");
    estate_money(&e, 1, 100);
    estate_do(&e, 0, "offer kind=sell with=1 square=d4 price=30 tax_by=buyer");
    estate_do(&e, 1, "accept offer=1"); /* from c1: (4 - 1) x 6 */
    EXPECT_NUMBER(estate_cash(&e, 1), 100 - 30 - 18);
    EXPECT_NUMBER(estate_cash(&e, 0), 4 + 30);
    estate_money(&e, 0, 100);
    estate_money(&e, 1, 0);
    estate_do(&e, 0, "offer kind=buy with=1 square=d4 price=30 tax_by=buyer");
    estate_do(&e, 1, "accept offer=2"); /* from a1: (6 - 1) x 6 */
    EXPECT_NUMBER(estate_cash(&e, 0), 100 - 30 - 30);
    EXPECT_NUMBER(estate_cash(&e, 1), 30);
}
