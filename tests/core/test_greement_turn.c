/* test_greement_turn.c -- Greement, the rules' table A turn: profit, what each
 * move costs and does, every refusal, action cards, undo and defaults. */

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "core/base.h"
#include "tests/support/greement_estate.h"

static const struct rules *const R = &greement_rules;

static struct estate e;

/* Seat 0 starts on a1, seat 1 on c1, seat 2 on e1 ...; rows 1 to 6 are land,
 * 7 to 9 gold mines; row 10 has lakes and then mountains. */
static void start(int seats)
{
    estate_start(&e, &(struct estate_table){.seats = seats});
}

static void start_with(bool full_tax, bool loans)
{
    estate_start(&e, &(struct estate_table){.seats = 3,
                                            .full_tax = full_tax,
                                            .loans = loans});
}

static int tax(const char *square)
{
    return greement_square_tax(estate_of(&e), 0, estate_square(square));
}

static int64_t profit(const char *square)
{
    return greement_profit(estate_of(&e), estate_square(square));
}

static int64_t worth(const char *square)
{
    return greement_worth(estate_of(&e), estate_square(square));
}

/* ---- the distance tax -------------------------------------------------- */

/* Worked examples, [G3]: the source's grid, as it is drawn (`full`) and by its
 * sentence (`minus_one`); diagonals are at distance 2. */
Test(greement_turn, tax_grids)
{
    static const char *const squares[] = {
        "d3", "e3", "f3", "d4", "e4", "f4", "d5",
        "f5", "d6", "e6", "f6", "d7", "e7", "f7",
    };
    static const int distance[] = {
        3, 2, 3, 2, 1, 2, 1, 1, 2, 1, 2, 3, 2, 3,
    };
    static const int full[] = {3, 2, 3, 2, 0, 2, 0, 0, 2, 0, 2, 3, 2, 3};
    static const int minus[] = {2, 1, 2, 1, 0, 1, 0, 0, 1, 0, 1, 2, 1, 2};

    for (int option = 0; option < 2; option++) {
        estate_start(&e, &(struct estate_table){.full_tax = option,
                                                .start = {"e5", "j1"}});
        estate_value(&e, DISTANCE_TAX, 1);
        for (size_t i = 0; i < COUNT_OF(squares); i++) {
            EXPECT_NUMBER(greement_distance(estate_square("e5"),
                                            estate_square(squares[i])),
                          distance[i]);
            EXPECT_NUMBER(tax(squares[i]), option ? full[i] : minus[i]);
        }
    }
}

/* Worked examples: land at distance 2 at the start values is 2 + 6 = 8, with
 * `full` 2 + 12 = 14; the price is shown to the player in turn. */
Test(greement_turn, price_with_tax)
{
    for (int option = 0; option < 2; option++) {
        start_with(option, false);
        EXPECT_NUMBER(greement_price(estate_of(&e), 0, estate_square("b2")),
                      option ? 14 : 8);
        EXPECT_NUMBER(greement_price(estate_of(&e), 0, estate_square("a2")),
                      2);
    }
}

/* [G3] With no square on one side there is no distance: no tax. */
Test(greement_turn, no_square_no_tax)
{
    start(3);
    estate_give(&e, -1, "a1");
    EXPECT_NUMBER(tax("j6"), 0);
    EXPECT_NUMBER(greement_pay_tax(estate_of(&e), 0, 1), 0);
    EXPECT_NUMBER(greement_pay_tax(estate_of(&e), 1, 0), 0);
    EXPECT_NUMBER(greement_pay_tax(estate_of(&e), 1, 2), 6);
}

/* buy_land: the tax is from the nearest own square. */
Test(greement_turn, nearest_square_counts)
{
    start(2);
    EXPECT_NUMBER(tax("f6"), 9 * 6);
    estate_give(&e, 0, "f5");
    EXPECT_NUMBER(tax("f6"), 0);
    EXPECT_NUMBER(tax("e6"), 6);
}

/* ---- profit ------------------------------------------------------------ */

/* Worked examples: on the first turn the crop earns 4. */
Test(greement_turn, first_profit)
{
    start(3);
    EXPECT_NUMBER(estate_cash(&e, 0), 4);
    EXPECT_NUMBER(estate_cash(&e, 1), 0);
    estate_do(&e, 0, "end_turn");
    EXPECT_NUMBER(estate_cash(&e, 1), 4);
}

/* A turn: crop, cattle and gold mine earn by the table, unseeded land 0. */
Test(greement_turn, profit_by_kind)
{
    start(2);
    estate_give(&e, 1, "a3 b4=crop c5=cattle d8=gold_mine");
    EXPECT_NUMBER(profit("a3"), 0);
    EXPECT_NUMBER(profit("b4"), 4);
    EXPECT_NUMBER(profit("c5"), 8);
    EXPECT_NUMBER(profit("d8"), 6);
    estate_do(&e, 0, "end_turn");
    EXPECT_NUMBER(estate_cash(&e, 1), 4 + 4 + 8 + 6);
    const struct rules_event *got = estate_happened(&e.events, "profit", 0);
    EXPECT_NUMBER(got->arg[0], 22);
    EXPECT_NUMBER(got->seat, 1);
}

/* Profit is "by the values of that moment". */
Test(greement_turn, profit_by_the_values_of_the_moment)
{
    start(2);
    estate_value(&e, CROP_PROFIT, 7);
    estate_do(&e, 0, "end_turn");
    EXPECT_NUMBER(estate_cash(&e, 1), 7);
}

/* Worked examples: two lakes with multiplier 2 make a crop earn 16 and be
 * worth 16; lake 2 and mountain 3 make 6; diagonally 1. */
Test(greement_turn, multipliers)
{
    estate_start(&e, &(struct estate_table){.grid = "..........\n"
                                                    ".l..l.....\n"
                                                    "l...m.....\n"
                                                    ".........."});
    estate_value(&e, LAKE_MULTIPLIER, 2);
    estate_value(&e, MOUNTAIN_MULTIPLIER, 3);
    estate_give(&e, 0, "b3=crop d2=crop d3=crop e4=crop a4 a2=cattle");
    EXPECT_NUMBER(profit("b3"), 16);
    EXPECT_NUMBER(worth("b3"), 16);
    EXPECT_NUMBER(profit("d2"), 8);
    EXPECT_NUMBER(profit("d3"), 12);
    EXPECT_NUMBER(profit("e4"), 12);
    EXPECT_NUMBER(worth("a4"), 2 * 2);
    EXPECT_NUMBER(profit("a2"), 8 * 4);
    EXPECT_NUMBER(worth("a2"), 12 * 4);
    estate_give(&e, 0, "f1=crop"); /* e2 is diagonal */
    EXPECT_NUMBER(profit("f1"), 4);
    estate_give(&e, -1, "d3");
    EXPECT_NUMBER(profit("d3"), 0);
}

/* Worked examples: lake 2 and mountain 3 beside one square: six times. */
Test(greement_turn, lake_and_mountain)
{
    estate_start(&e, &(struct estate_table){.grid = "..........\n"
                                                    "..l.m"});
    estate_value(&e, LAKE_MULTIPLIER, 2);
    estate_value(&e, MOUNTAIN_MULTIPLIER, 3);
    estate_give(&e, 0, "d2=crop");
    EXPECT_NUMBER(profit("d2"), 24);
    EXPECT_NUMBER(worth("d2"), 24);
}

/* [G13] Where "land" is owned a gold mine is meant as well: distances are
 * measured from it, lakes and mountains multiply it; they are never owned. */
Test(greement_turn, a_gold_mine_is_land)
{
    estate_start(&e, &(struct estate_table){.grid = "..........\n"
                                                    "..........\n"
                                                    "..........\n"
                                                    ".....l....\n"
                                                    "....gm...."});
    estate_money(&e, 0, 1000);
    EXPECT_NUMBER(tax("e6"), 8 * 6); /* from a1 */
    estate_give(&e, 0, "e5=gold_mine");
    EXPECT_NUMBER(tax("e6"), 0);
    EXPECT_NUMBER(tax("e7"), 6);
    estate_value(&e, LAKE_MULTIPLIER, 2);
    estate_value(&e, MOUNTAIN_MULTIPLIER, 3);
    EXPECT_NUMBER(profit("e5"), 6 * 3);
    EXPECT_NUMBER(worth("e5"), 6 * 3);
    EXPECT_REFUSAL(&e, 0, "buy_land square=f4", "not_ownable");
    EXPECT_REFUSAL(&e, 0, "buy_land square=f5", "not_ownable");
}

/* ---- buying ------------------------------------------------------------ */

/* buy_land, [G6]: land_price or mine_price plainly, and the tax. */
Test(greement_turn, buy_land)
{
    estate_start(&e, &(struct estate_table){.grid = "....\n.lg"});
    estate_value(&e, LAKE_MULTIPLIER, 5);
    estate_money(&e, 0, 100);
    estate_do(&e, 0, "buy_land square=a2"); /* beside a lake: plain 2 */
    EXPECT_NUMBER(estate_cash(&e, 0), 98);
    EXPECT_NUMBER(estate_owner(&e, "a2"), 0);
    EXPECT_KIND(&e, "a2", "land");
    estate_do(&e, 0, "buy_land square=c2"); /* distance 2 */
    EXPECT_NUMBER(estate_cash(&e, 0), 98 - 6 - 6);
    EXPECT_KIND(&e, "c2", "gold_mine");
    EXPECT_NUMBER(estate_owner(&e, "c2"), 0);
}

/* buy_land: its refusals, and that money never goes below 0. */
Test(greement_turn, buy_land_refused)
{
    start(2);
    EXPECT_REFUSAL(&e, 0, "buy_land square=c1", "not_free");
    EXPECT_REFUSAL(&e, 0, "buy_land square=a1", "not_free");
    EXPECT_REFUSAL(&e, 0, "buy_land square=a10", "not_ownable");
    EXPECT_REFUSAL(&e, 0, "buy_land square=j10", "not_ownable");
    EXPECT_REFUSAL(&e, 0, "buy_land square=b2", "too_expensive");
    estate_money(&e, 0, 8);
    EXPECT_LEGAL(&e, 0, "buy_land square=b2");
    estate_money(&e, 0, 7);
    EXPECT_REFUSAL(&e, 0, "buy_land square=b2", "too_expensive");
    estate_do(&e, 0, "buy_land square=a2");
    EXPECT_NUMBER(estate_cash(&e, 0), 5);
    EXPECT_REFUSAL(&e, 1, "buy_land square=d1", "not_your_turn");
}

/* seed: own unseeded land becomes a crop for seed_price. */
Test(greement_turn, seed)
{
    start(2);
    estate_give(&e, 0, "a2 a7=gold_mine");
    estate_give(&e, 1, "c2");
    estate_do(&e, 0, "seed square=a2");
    EXPECT_KIND(&e, "a2", "crop");
    EXPECT_NUMBER(estate_cash(&e, 0), 2);
    EXPECT_REFUSAL(&e, 0, "seed square=a2", "not_unseeded");
    EXPECT_REFUSAL(&e, 0, "seed square=a7", "not_unseeded");
    EXPECT_REFUSAL(&e, 0, "seed square=c2", "not_yours");
    EXPECT_REFUSAL(&e, 0, "seed square=b2", "not_yours");
    estate_give(&e, 0, "a3");
    estate_money(&e, 0, 1);
    EXPECT_REFUSAL(&e, 0, "seed square=a3", "too_expensive");
}

/* buy_cattle: an own crop becomes cattle for cattle_price. */
Test(greement_turn, buy_cattle)
{
    start(2);
    EXPECT_REFUSAL(&e, 0, "buy_cattle square=a1", "too_expensive");
    estate_money(&e, 0, 8);
    estate_give(&e, 0, "a2");
    EXPECT_REFUSAL(&e, 0, "buy_cattle square=a2", "not_a_crop");
    EXPECT_REFUSAL(&e, 0, "buy_cattle square=c1", "not_yours");
    estate_do(&e, 0, "buy_cattle square=a1");
    EXPECT_KIND(&e, "a1", "cattle");
    EXPECT_NUMBER(estate_cash(&e, 0), 0);
    EXPECT_REFUSAL(&e, 0, "buy_cattle square=a1", "not_a_crop");
}

/* ---- pay --------------------------------------------------------------- */

/* pay: at once; the payer pays the tax for the smallest distance between the
 * two players' squares besides, to the bank. */
Test(greement_turn, pay)
{
    start(3);
    estate_money(&e, 0, 50);
    EXPECT_NUMBER(greement_pay_tax(estate_of(&e), 0, 1), 6);
    EXPECT_NUMBER(greement_pay_tax(estate_of(&e), 0, 2), 18);
    estate_do(&e, 0, "pay to=1 amount=10");
    EXPECT_NUMBER(estate_cash(&e, 0), 34);
    EXPECT_NUMBER(estate_cash(&e, 1), 10);
    estate_do(&e, 0, "pay to=2 amount=16");
    EXPECT_NUMBER(estate_cash(&e, 0), 0);
    EXPECT_NUMBER(estate_cash(&e, 2), 16);
    const struct rules_event *paid = estate_happened(&e.events, "paid", 0);
    EXPECT_NUMBER(paid->arg[1], 16);
    EXPECT_NUMBER(paid->arg[2], 18);
}

/* [G21] Money cannot be refused: it is there at once, and who got it is asked
 * nothing. */
Test(greement_turn, pay_needs_no_consent)
{
    start(2);
    estate_money(&e, 0, 16);
    estate_do(&e, 0, "pay to=1 amount=10");
    EXPECT_NUMBER(estate_cash(&e, 1), 10);
    EXPECT_NUMBER(e.any.state.acting, RULES_BIT(0));
    EXPECT_NUMBER(e.any.state.may, 0);
    EXPECT_NUMBER(estate_legal(&e, 1, -1), 0);
}

/* pay: 1 to 30,000 [G14], not to oneself, not more than one has with the
 * tax. */
Test(greement_turn, pay_refused)
{
    start(2);
    estate_money(&e, 0, 16);
    EXPECT_REFUSAL(&e, 0, "pay to=0 amount=1", "yourself");
    EXPECT_REFUSAL(&e, 0, "pay to=1 amount=0", "bad_argument");
    EXPECT_REFUSAL(&e, 0, "pay to=1 amount=-5", "bad_argument");
    EXPECT_REFUSAL(&e, 0, "pay to=2 amount=1", "bad_argument");
    EXPECT_LEGAL(&e, 0, "pay to=1 amount=10");
    EXPECT_REFUSAL(&e, 0, "pay to=1 amount=11", "too_expensive");
    estate_money(&e, 0, 1000000);
    EXPECT_LEGAL(&e, 0, "pay to=1 amount=30000");
    EXPECT_REFUSAL(&e, 0, "pay to=1 amount=30001", "bad_argument");
    EXPECT_REFUSAL(&e, 1, "pay to=0 amount=1", "not_your_turn");
}

/* Legal moves: the amounts of a pay are one range. */
Test(greement_turn, pay_is_a_range)
{
    struct rules_choice choice[4];

    start(2);
    estate_money(&e, 0, 16);
    EXPECT_NUMBER(rules_legal(R, &e.any.state, 0, PAY, choice, 4), 1);
    EXPECT_NUMBER(choice[0].ranged, 1);
    EXPECT_NUMBER(choice[0].min, 1);
    EXPECT_NUMBER(choice[0].max, 10);
    estate_money(&e, 0, 5000000);
    EXPECT_NUMBER(rules_legal(R, &e.any.state, 0, PAY, choice, 4), 1);
    EXPECT_NUMBER(choice[0].max, 30000);
    estate_money(&e, 0, 6);
    EXPECT_NUMBER(rules_legal(R, &e.any.state, 0, PAY, choice, 4), 0);
}

/* [G17] At most 30 of pay, borrow and repay together in a turn. */
Test(greement_turn, payments_are_limited)
{
    start_with(false, true);
    estate_money(&e, 0, 1000);
    for (int i = 0; i < 10; i++) {
        estate_do(&e, 0, "pay to=1 amount=1");
        estate_do(&e, 0, "borrow amount=1");
        estate_do(&e, 0, "repay amount=1");
    }
    EXPECT_REFUSAL(&e, 0, "pay to=1 amount=1", "too_many_moves");
    EXPECT_REFUSAL(&e, 0, "borrow amount=1", "too_many_moves");
    EXPECT_NUMBER(estate_legal(&e, 0, PAY), 0);
    EXPECT_NUMBER(estate_legal(&e, 0, BORROW), 0);
    estate_do(&e, 0, "end_turn");
    estate_turn(&e, 0);
    EXPECT_LEGAL(&e, 0, "borrow amount=1");
}

/* ---- loans ------------------------------------------------------------- */

/* [G4] Loans are off by default. */
Test(greement_turn, loans_off)
{
    start(2);
    EXPECT_REFUSAL(&e, 0, "borrow amount=1", "loans_off");
    EXPECT_REFUSAL(&e, 0, "repay amount=1", "loans_off");
    EXPECT_NUMBER(estate_legal(&e, 0, BORROW), 0);
}

/* [G4] Borrow up to a debt of 20, repay at will; worked examples: the debt of
 * 20 is 40 after end_turn, and counts against wealth, also below 0. */
Test(greement_turn, loans)
{
    start_with(false, true);
    EXPECT_REFUSAL(&e, 0, "borrow amount=21", "debt_limit");
    EXPECT_REFUSAL(&e, 0, "repay amount=1", "debt_limit");
    estate_do(&e, 0, "borrow amount=20");
    EXPECT_NUMBER(estate_cash(&e, 0), 24);
    EXPECT_REFUSAL(&e, 0, "borrow amount=1", "debt_limit");
    EXPECT_NUMBER(estate_total(&e, 0), 24 + 4 - 20);
    EXPECT_REFUSAL(&e, 0, "repay amount=21", "debt_limit");
    estate_do(&e, 0, "repay amount=5");
    EXPECT_LEGAL(&e, 0, "borrow amount=5");
    EXPECT_REFUSAL(&e, 0, "borrow amount=6", "debt_limit");
    estate_do(&e, 0, "borrow amount=5");
    estate_do(&e, 0, "end_turn");
    EXPECT_NUMBER(estate_of(&e)->player[0].debt, 40);
    EXPECT_NUMBER(estate_total(&e, 0), 24 + 4 - 40);
    estate_turn(&e, 0);
    EXPECT_REFUSAL(&e, 0, "borrow amount=1", "debt_limit");
    estate_money(&e, 0, 3);
    EXPECT_REFUSAL(&e, 0, "repay amount=4", "too_expensive");
    EXPECT_LEGAL(&e, 0, "repay amount=3");
}

/* [G14] Debt stays within 999,999,999. */
Test(greement_turn, debt_is_bounded)
{
    start_with(false, true);
    estate_of(&e)->player[0].debt = 600000000;
    estate_do(&e, 0, "end_turn");
    EXPECT_NUMBER(estate_of(&e)->player[0].debt, 999999999);
    const struct rules_event *debt = estate_happened(&e.events, "debt_doubled",
                                                     0);
    EXPECT_NUMBER(debt->arg[0] + 1000 * debt->arg[1] + 1000000 * debt->arg[2],
                  999999999);
}

/* ---- offers ------------------------------------------------------------ */

/* offer, accept: sells an own square; first the price changes hands, then
 * tax_by pays the tax from the square to the buyer's nearest [G16]. */
Test(greement_turn, sell)
{
    start(3);
    estate_give(&e, 0, "d4=cattle");
    estate_money(&e, 1, 100);
    EXPECT_NUMBER(greement_square_tax(estate_of(&e), 1, estate_square("d4")),
                  18);
    estate_do(&e, 0, "offer kind=sell with=1 square=d4 price=30 tax_by=buyer");
    cr_assert_eq(e.any.state.acting, RULES_BIT(0));
    cr_assert_eq(e.any.state.may, RULES_BIT(1));
    estate_do(&e, 1, "accept offer=1");
    EXPECT_NUMBER(estate_owner(&e, "d4"), 1);
    EXPECT_KIND(&e, "d4", "cattle"); /* keeps what is on it */
    EXPECT_NUMBER(estate_cash(&e, 1), 100 - 30 - 18);
    EXPECT_NUMBER(estate_cash(&e, 0), 4 + 30);
    cr_assert_null(estate_happened(&e.events, "lapsed", 0));
    cr_assert_eq(e.any.state.may, 0);
    EXPECT_NUMBER(estate_of(&e)->turn, 0);
}

/* offer, accept: buys a square of another; the seller may pay the tax, of the
 * price they have just got. */
Test(greement_turn, buy_with_tax_by_the_seller)
{
    start(3);
    estate_money(&e, 0, 50);
    estate_give(&e, 2, "d4");
    estate_do(&e, 0, "offer kind=buy with=2 square=d4 price=40 tax_by=seller");
    EXPECT_NUMBER(tax("d4"), 30);
    EXPECT_NUMBER(estate_cash(&e, 2), 0);
    estate_do(&e, 2, "accept offer=1");
    EXPECT_NUMBER(estate_cash(&e, 0), 10);
    EXPECT_NUMBER(estate_cash(&e, 2), 10);
    EXPECT_NUMBER(estate_owner(&e, "d4"), 0);
}

/* [G16] The tax is that of the moment of acceptance. */
Test(greement_turn, tax_of_the_moment_of_acceptance)
{
    start(2);
    estate_money(&e, 0, 200);
    estate_give(&e, 1, "d4");
    estate_do(&e, 0, "offer kind=buy with=1 square=d4 price=0 tax_by=buyer");
    estate_do(&e, 0, "buy_land square=d5"); /* 2 + 36 */
    estate_do(&e, 1, "accept offer=1");     /* connected now */
    EXPECT_NUMBER(estate_cash(&e, 0), 200 - 2 - 36);
}

/* [G16] Who could not pay: refused, and the offer stands. */
Test(greement_turn, who_cannot_pay)
{
    start(2);
    estate_give(&e, 0, "d4");
    estate_money(&e, 0, 0);
    estate_do(&e, 0, "offer kind=sell with=1 square=d4 price=5 tax_by=buyer");
    estate_do(&e, 0, "offer kind=sell with=1 square=d4 price=5 tax_by=seller");
    estate_money(&e, 1, 22); /* 5 + 18 are needed */
    EXPECT_REFUSAL(&e, 1, "accept offer=1", "buyer_cannot_pay");
    EXPECT_REFUSAL(&e, 1, "accept offer=2", "seller_cannot_pay");
    EXPECT_NUMBER(estate_of(&e)->offers, 2);
    estate_money(&e, 1, 4);
    EXPECT_REFUSAL(&e, 1, "accept offer=2", "buyer_cannot_pay");
    estate_money(&e, 1, 23);
    estate_money(&e, 0, 13);
    EXPECT_LEGAL(&e, 1, "accept offer=2");
    estate_do(&e, 1, "accept offer=1");
    EXPECT_NUMBER(estate_cash(&e, 1), 0);
    EXPECT_NUMBER(estate_cash(&e, 0), 18);
}

/* offer: its refusals, in order. */
Test(greement_turn, offer_refused)
{
    start(3);
    EXPECT_REFUSAL(&e, 0,
                   "offer kind=sell with=1 square=b1 price=1 tax_by=buyer",
                   "not_yours");
    EXPECT_REFUSAL(&e, 0,
                   "offer kind=sell with=1 square=c1 price=1 tax_by=buyer",
                   "not_yours");
    EXPECT_REFUSAL(&e, 0,
                   "offer kind=buy with=1 square=e1 price=1 tax_by=buyer",
                   "not_theirs");
    EXPECT_REFUSAL(&e, 0,
                   "offer kind=buy with=1 square=b1 price=1 tax_by=buyer",
                   "not_theirs");
    EXPECT_REFUSAL(&e, 0,
                   "offer kind=sell with=0 square=a1 price=1 tax_by=buyer",
                   "yourself");
    EXPECT_REFUSAL(&e, 0,
                   "offer kind=buy with=0 square=a1 price=1 tax_by=buyer",
                   "yourself");
    EXPECT_REFUSAL(&e, 0,
                   "offer kind=buy with=1 square=c1 price=-1 tax_by=buyer",
                   "bad_argument");
    EXPECT_REFUSAL(&e, 0,
                   "offer kind=buy with=1 square=c1 price=30001 tax_by=buyer",
                   "bad_argument");
    EXPECT_LEGAL(&e, 0,
                 "offer kind=buy with=1 square=c1 price=30000 tax_by=buyer");
    EXPECT_LEGAL(&e, 0,
                 "offer kind=buy with=1 square=c1 price=0 tax_by=seller");
}

/* offer: at most 8 stand at once; [G17] at most 30 are made in a turn; they
 * are numbered 1, 2 ... within the turn. */
Test(greement_turn, offers_are_limited)
{
    static const char text[] =
        "offer kind=sell with=1 square=a1 price=1 tax_by=buyer";
    char answer[32];

    start(2);
    for (int i = 1; i <= 30; i++) {
        EXPECT_LEGAL(&e, 0, text);
        estate_do(&e, 0, text);
        EXPECT_NUMBER(estate_happened(&e.events, "offered", 0)->arg[0], i);
        if (i < 8)
            continue;
        if (i < 30)
            EXPECT_REFUSAL(&e, 0, text, "too_many_offers");
        snprintf(answer, sizeof(answer), "withdraw offer=%d", i - 7);
        estate_do(&e, 0, answer);
        EXPECT_NUMBER(estate_of(&e)->offers, 7);
    }
    EXPECT_REFUSAL(&e, 0, text, "too_many_moves");
    EXPECT_NUMBER(estate_legal(&e, 0, OFFER), 0);
    estate_do(&e, 0, "end_turn");
    EXPECT_NUMBER(estate_of(&e)->offers, 0);
    estate_do(&e, 1, "offer kind=sell with=0 square=c1 price=1 tax_by=buyer");
    EXPECT_NUMBER(estate_happened(&e.events, "offered", 0)->arg[0], 1);
}

/* accept, decline, withdraw: by whom, and while the offer stands. */
Test(greement_turn, answers)
{
    start(4);
    estate_give(&e, 0, "d4");
    estate_do(&e, 0, "offer kind=sell with=1 square=a1 price=1 tax_by=buyer");
    estate_do(&e, 0, "offer kind=sell with=2 square=a1 price=1 tax_by=buyer");
    EXPECT_NUMBER(e.any.state.may, RULES_BIT(1) | RULES_BIT(2));
    EXPECT_REFUSAL(&e, 2, "accept offer=1", "not_your_offer");
    EXPECT_REFUSAL(&e, 2, "decline offer=1", "not_your_offer");
    EXPECT_REFUSAL(&e, 0, "accept offer=1", "not_your_offer");
    EXPECT_REFUSAL(&e, 0, "decline offer=1", "not_your_offer");
    EXPECT_REFUSAL(&e, 1, "withdraw offer=1", "not_your_offer");
    EXPECT_REFUSAL(&e, 1, "accept offer=3", "no_such_offer");
    EXPECT_REFUSAL(&e, 3, "accept offer=1", "not_your_turn");
    EXPECT_REFUSAL(&e, 1, "end_turn", "not_your_turn");
    estate_do(&e, 1, "decline offer=1");
    EXPECT_NUMBER(e.any.state.may, RULES_BIT(2));
    EXPECT_REFUSAL(&e, 0, "withdraw offer=1", "no_such_offer");
    estate_do(&e, 0, "withdraw offer=2");
    EXPECT_NUMBER(e.any.state.may, 0);
    EXPECT_NUMBER(estate_owner(&e, "a1"), 0);
}

/* [G16] An offer lapses as soon as its square changes its owner: by a trade
 * or a theft; others stand. */
Test(greement_turn, offers_lapse_with_the_owner)
{
    start(3);
    estate_give(&e, 0, "d4");
    estate_money(&e, 0, 100);
    estate_money(&e, 1, 100);
    estate_do(&e, 0, "offer kind=sell with=1 square=d4 price=1 tax_by=buyer");
    estate_do(&e, 0, "offer kind=sell with=2 square=d4 price=1 tax_by=buyer");
    estate_do(&e, 0, "offer kind=sell with=2 square=a1 price=1 tax_by=buyer");
    estate_do(&e, 0, "offer kind=buy with=2 square=e1 price=1 tax_by=buyer");
    estate_do(&e, 1, "accept offer=1");
    EXPECT_REFUSAL(&e, 2, "accept offer=2", "no_such_offer");
    EXPECT_NUMBER(estate_of(&e)->offers, 2);
    EXPECT_NUMBER(estate_happened(&e.events, "lapsed", 0)->arg[0], 2);
    estate_next(&e, "steal");
    estate_do(&e, 0, "buy_action_card");
    estate_do(&e, 0, "steal square=e1");
    EXPECT_NUMBER(estate_of(&e)->offers, 1);
    EXPECT_NUMBER(estate_of(&e)->offer[0].number, 3);
}

/* end_turn: all offers lapse. */
Test(greement_turn, offers_lapse_with_the_turn)
{
    start(3);
    estate_do(&e, 0, "offer kind=sell with=2 square=a1 price=1 tax_by=buyer");
    estate_do(&e, 0, "end_turn");
    EXPECT_NUMBER(e.any.state.may, 0);
    EXPECT_NUMBER(estate_of(&e)->offers, 0);
}

/* Legal moves of offers: a range of prices for each square, partner and
 * tax_by. */
Test(greement_turn, offers_are_ranges)
{
    struct rules_choice choice[16];

    start(3);
    /* a1 to two players; c1 and e1 of theirs; each with either tax_by. */
    EXPECT_NUMBER(rules_legal(R, &e.any.state, 0, OFFER, choice, 16), 8);
    for (int i = 0; i < 8; i++) {
        EXPECT_NUMBER(choice[i].ranged, 3);
        EXPECT_NUMBER(choice[i].min, 0);
        EXPECT_NUMBER(choice[i].max, 30000);
    }
}

/* ---- action cards ------------------------------------------------------ */

/* buy_action_card: pays its price, draws one for all to see; [G7] it must be
 * used before any other own move, while answers of others may come between. */
Test(greement_turn, card_is_pending)
{
    start(3);
    estate_money(&e, 0, 100);
    estate_money(&e, 1, 100);
    estate_give(&e, 0, "d4");
    estate_do(&e, 0, "offer kind=sell with=1 square=a1 price=0 tax_by=buyer");
    estate_do(&e, 0, "offer kind=sell with=1 square=d4 price=9 tax_by=buyer");
    estate_next(&e, "raise");
    estate_do(&e, 0, "buy_action_card");
    EXPECT_NUMBER(estate_cash(&e, 0), 85);
    EXPECT_NUMBER(estate_of(&e)->pending, CARD_RAISE);
    EXPECT_NUMBER(estate_happened(&e.drawn, "drew", 0)->seen_by,
                  RULES_EVERYONE);
    EXPECT_REFUSAL(&e, 0, "end_turn", "card_pending");
    EXPECT_REFUSAL(&e, 0, "buy_land square=a2", "card_pending");
    EXPECT_REFUSAL(&e, 0, "buy_action_card", "card_pending");
    EXPECT_REFUSAL(&e, 0, "withdraw offer=1", "card_pending");
    EXPECT_REFUSAL(&e, 0, "pay to=1 amount=1", "card_pending");
    EXPECT_REFUSAL(&e, 0, "lower value=seed_price", "card_pending");
    EXPECT_REFUSAL(&e, 0, "done", "card_pending");
    EXPECT_NUMBER(estate_legal(&e, 0, -1), VALUES);
    estate_do(&e, 1, "decline offer=2");
    estate_do(&e, 1, "accept offer=1");
    EXPECT_NUMBER(estate_of(&e)->pending, CARD_RAISE);
    estate_do(&e, 0, "raise value=seed_price");
    EXPECT_NUMBER(estate_of(&e)->value[SEED_PRICE], 4);
    EXPECT_NUMBER(estate_of(&e)->pending, GREEMENT_NOBODY);
    EXPECT_REFUSAL(&e, 0, "raise value=seed_price", "not_now");
    EXPECT_REFUSAL(&e, 0, "steal square=b1", "not_now");
    EXPECT_REFUSAL(&e, 0, "done", "not_now");
    EXPECT_LEGAL(&e, 0, "end_turn");
}

/* buy_action_card: not without the money. */
Test(greement_turn, card_too_expensive)
{
    start(2);
    estate_money(&e, 0, 14);
    EXPECT_REFUSAL(&e, 0, "buy_action_card", "too_expensive");
    estate_money(&e, 0, 15);
    EXPECT_LEGAL(&e, 0, "buy_action_card");
}

static void use_any(void)
{
    static const char *const uses[CARDS] = {
        [CARD_STEAL] = "done",
        [CARD_RAISE] = "raise value=seed_price",
        [CARD_LOWER] = "lower value=seed_price",
        [CARD_COLLECT] = "collect from=1",
    };
    if (estate_of(&e)->pending != GREEMENT_NOBODY)
        estate_do(&e, 0, uses[estate_of(&e)->pending]);
}

/* [G7] Used cards return at end_turn, so at most seven can be bought in a
 * turn; the eighth finds the deck empty. */
Test(greement_turn, seven_cards_a_turn)
{
    int seen[CARDS] = {0};

    start(2);
    estate_money(&e, 0, 1000);
    for (int i = 0; i < 7; i++) {
        EXPECT_LEGAL(&e, 0, "buy_action_card");
        estate_do(&e, 0, "buy_action_card");
        seen[estate_happened(&e.drawn, "drew", 0)->arg[0]]++;
        use_any();
    }
    for (int card = 0; card < CARDS; card++)
        EXPECT_NUMBER(seen[card], greement_cards(card));
    EXPECT_REFUSAL(&e, 0, "buy_action_card", "deck_empty");
    estate_money(&e, 0, 0);
    EXPECT_REFUSAL(&e, 0, "buy_action_card", "deck_empty");
    estate_do(&e, 0, "end_turn");
    for (int card = 0; card < CARDS; card++)
        EXPECT_NUMBER(estate_of(&e)->deck[card],
                      card == CARD_DECIDE ? 0 : greement_cards(card));
}

/* [G18] The card stays out of the deck until its vote is held. */
Test(greement_turn, decide_stays_out)
{
    start(2);
    estate_money(&e, 0, 1000);
    for (int i = 1; i <= 3; i++) {
        estate_next(&e, "decide");
        estate_do(&e, 0, "buy_action_card");
        EXPECT_NUMBER(estate_of(&e)->pending, GREEMENT_NOBODY);
        EXPECT_NUMBER(estate_of(&e)->deciders, i);
        EXPECT_NUMBER(estate_of(&e)->deck[CARD_DECIDE], 3 - i);
    }
    estate_do(&e, 0, "end_turn");
    EXPECT_NUMBER(estate_of(&e)->deck[CARD_DECIDE], 0);
    estate_event(&e, "seed_price_and_crop_profit_up");
    estate_do(&e, 0, "vote avoid=true");
    EXPECT_NUMBER(estate_of(&e)->deck[CARD_DECIDE], 1);
}

/* steal: up to twice, the second ends it by itself; owned or not, a player's
 * last one too; with what is on it; free and untaxed. */
Test(greement_turn, steal)
{
    start(2);
    estate_money(&e, 0, 15);
    estate_give(&e, 1, "f6=cattle");
    estate_next(&e, "steal");
    estate_do(&e, 0, "buy_action_card");
    EXPECT_REFUSAL(&e, 0, "steal square=a10", "not_ownable");
    EXPECT_REFUSAL(&e, 0, "steal square=j10", "not_ownable");
    EXPECT_REFUSAL(&e, 0, "steal square=a1", "already_yours");
    EXPECT_REFUSAL(&e, 0, "end_turn", "card_pending");
    estate_do(&e, 0, "steal square=f6");
    EXPECT_NUMBER(estate_owner(&e, "f6"), 0);
    EXPECT_KIND(&e, "f6", "cattle");
    EXPECT_NUMBER(estate_of(&e)->pending, CARD_STEAL);
    EXPECT_REFUSAL(&e, 0, "end_turn", "card_pending");
    estate_do(&e, 0, "steal square=c1"); /* their last one */
    EXPECT_NUMBER(estate_of(&e)->pending, GREEMENT_NOBODY);
    EXPECT_NUMBER(estate_cash(&e, 0), 0);
    EXPECT_LEGAL(&e, 0, "end_turn");
    estate_do(&e, 0, "end_turn"); /* nobody drops out */
    EXPECT_NUMBER(estate_of(&e)->turn, 1);
    EXPECT_NUMBER(estate_cash(&e, 1), 0);
}

/* [G22] "Any 2" may be fewer: done ends it after none or one.  An unowned gold
 * mine can be stolen, too. */
Test(greement_turn, steal_less)
{
    start(2);
    estate_money(&e, 0, 100);
    estate_next(&e, "steal");
    estate_do(&e, 0, "buy_action_card");
    estate_do(&e, 0, "steal square=a8");
    EXPECT_NUMBER(estate_owner(&e, "a8"), 0);
    EXPECT_KIND(&e, "a8", "gold_mine");
    estate_do(&e, 0, "done");
    EXPECT_NUMBER(estate_of(&e)->pending, GREEMENT_NOBODY);
    estate_do(&e, 0, "end_turn");
    estate_turn(&e, 0);
    estate_money(&e, 0, 100);
    estate_next(&e, "steal");
    estate_do(&e, 0, "buy_action_card");
    estate_do(&e, 0, "done");
    EXPECT_LEGAL(&e, 0, "end_turn");
}

static void use(const char *card, const char *move)
{
    estate_next(&e, card);
    estate_do(&e, 0, "buy_action_card");
    estate_do(&e, 0, move);
}

/* raise, lower: one key by 2; worked examples: lower on a 2 or a 1 gives 1;
 * [G14] nothing above 999, multipliers 99. */
Test(greement_turn, raise_and_lower)
{
    for (int value = 0; value < VALUES; value++) {
        static const int from[] = {5, 2, 1, 998, 999, 98, 99};
        for (size_t i = 0; i < COUNT_OF(from); i++) {
            bool times = value == LAKE_MULTIPLIER ||
                         value == MOUNTAIN_MULTIPLIER;
            int most = times ? 99 : 999;
            char raise[48], lower[48];
            if (from[i] > most)
                continue;
            snprintf(raise, sizeof(raise), "raise value=%s",
                     greement_value_words[value]);
            snprintf(lower, sizeof(lower), "lower value=%s",
                     greement_value_words[value]);
            start(2);
            estate_money(&e, 0, 30);
            use("raise", "raise value=seed_price");
            start(2);
            estate_money(&e, 0, 999999);
            estate_value(&e, value, from[i]);
            use("raise", raise);
            EXPECT_NUMBER(estate_of(&e)->value[value],
                          from[i] + 2 > most ? most : from[i] + 2);
            estate_value(&e, value, from[i]);
            use("lower", lower);
            EXPECT_NUMBER(estate_of(&e)->value[value],
                          from[i] > 3 ? from[i] - 2 : 1);
        }
    }
}

/* collect: twice the distance tax -- 12 at the start -- or all they have if
 * that is less; [G23] untaxed, however far apart the two are; not from
 * oneself. */
Test(greement_turn, collect)
{
    start(3);
    estate_money(&e, 0, 100);
    estate_money(&e, 2, 20);
    estate_next(&e, "collect");
    estate_do(&e, 0, "buy_action_card");
    EXPECT_REFUSAL(&e, 0, "collect from=0", "yourself");
    EXPECT_NUMBER(estate_legal(&e, 0, -1), 2);
    estate_do(&e, 0, "collect from=2");
    EXPECT_NUMBER(estate_cash(&e, 0), 85 + 12);
    EXPECT_NUMBER(estate_cash(&e, 2), 8);
    start(3);
    estate_money(&e, 0, 100);
    estate_money(&e, 1, 5);
    use("collect", "collect from=1");
    EXPECT_NUMBER(estate_cash(&e, 0), 85 + 5);
    EXPECT_NUMBER(estate_cash(&e, 1), 0);
}

/* ---- bounds ------------------------------------------------------------ */

/* [G14] One profit can be 99^4 x 999, and more than money holds: the excess is
 * lost. */
Test(greement_turn, profit_is_64_bits_wide)
{
    estate_start(&e, &(struct estate_table){.grid = "..........\n"
                                                    "....l.....\n"
                                                    "...l.l....\n"
                                                    "....m....."});
    estate_give(&e, 1, "e3=cattle");
    estate_value(&e, LAKE_MULTIPLIER, 99);
    estate_value(&e, MOUNTAIN_MULTIPLIER, 99);
    estate_value(&e, CATTLE_PROFIT, 999);
    cr_assert_eq(profit("e3"), INT64_C(99) * 99 * 99 * 99 * 999);
    estate_do(&e, 0, "end_turn");
    EXPECT_NUMBER(estate_cash(&e, 1), 999999999);
    const struct rules_event *got = estate_happened(&e.events, "profit", 0);
    EXPECT_NUMBER(got->arg[0] + 1000 * got->arg[1] + 1000000 * got->arg[2],
                  999999999);
    estate_value(&e, LAND_PRICE, 999);
    EXPECT_NUMBER(estate_total(&e, 1), 2000000000);
}

/* [G14] Money is full at 999,999,999; what comes on top is lost. */
Test(greement_turn, money_is_bounded)
{
    start(2);
    estate_money(&e, 0, 100);
    estate_money(&e, 1, 999999998);
    estate_do(&e, 0, "pay to=1 amount=10");
    EXPECT_NUMBER(estate_cash(&e, 1), 999999999);
    EXPECT_NUMBER(estate_cash(&e, 0), 84);
}

/* ---- undo and defaults -------------------------------------------------- */

/* Undo: own moves of the turn may be taken back ... */
Test(greement_turn, undo)
{
    start(2);
    estate_do(&e, 0, "buy_land square=a2");
    estate_do(&e, 0, "offer kind=sell with=1 square=a2 price=1 tax_by=buyer");
    estate_do(&e, 0, "withdraw offer=1");
    for (int i = 0; i < 3; i++)
        cr_assert_str_eq(estate_undo(&e, 0), "yes");
    EXPECT_NUMBER(estate_cash(&e, 0), 4);
    EXPECT_NUMBER(estate_owner(&e, "a2"), -1);
    cr_assert_str_eq(estate_undo(&e, 0), "others_moved"); /* the setup */
}

/* ... back to the last that drew a card ... */
Test(greement_turn, undo_stops_at_a_drawn_card)
{
    start(2);
    /* Undo replays the log: the money has to be earned. */
    while (estate_cash(&e, 0) < estate_of(&e)->value[ACTION_CARD_PRICE]) {
        estate_do(&e, 0, "end_turn");
        estate_turn(&e, 0);
    }
    estate_next(&e, "raise");
    estate_do(&e, 0, "buy_action_card");
    estate_do(&e, 0, "raise value=seed_price");
    cr_assert_str_eq(estate_undo(&e, 0), "yes");
    EXPECT_NUMBER(estate_of(&e)->pending, CARD_RAISE);
    cr_assert_str_eq(estate_undo(&e, 0), "drawn");
}

/* ... and until another player has acted since. */
Test(greement_turn, undo_stops_at_another_player)
{
    start(2);
    estate_do(&e, 0, "offer kind=sell with=1 square=a1 price=1 tax_by=buyer");
    estate_do(&e, 1, "decline offer=1");
    cr_assert_str_eq(estate_undo(&e, 0), "others_moved");
}

/* Undo: end_turn and accept are final. */
Test(greement_turn, final_moves)
{
    start(2);
    estate_money(&e, 1, 10);
    estate_do(&e, 0, "offer kind=sell with=1 square=a1 price=1 tax_by=buyer");
    cr_assert_eq(e.events.flags, 0);
    estate_do(&e, 1, "accept offer=1");
    cr_assert_eq(e.events.flags, RULES_FINAL);
    cr_assert_str_eq(estate_undo(&e, 1), "final");
    estate_do(&e, 0, "end_turn");
    cr_assert_eq(e.events.flags, RULES_FINAL);
    cr_assert_str_eq(estate_undo(&e, 0), "final");
}

static void expect_default(int seat, const char *text)
{
    struct rules_move move, wanted;
    rules_default_move(R, &e.any.state, seat, &move);
    cr_assert_eq(estate_read(&e, text, &wanted), RULES_OK);
    cr_assert_eq(memcmp(&move, &wanted, sizeof(move)), 0, "%s", text);
    EXPECT_LEGAL(&e, seat, text);
}

/* Defaults: end_turn; a pending card: done, raise or lower action_card_price,
 * collect from the next seat. */
Test(greement_turn, defaults)
{
    start(3);
    expect_default(0, "end_turn");
    estate_do(&e, 0, "offer kind=sell with=1 square=a1 price=1 tax_by=buyer");
    expect_default(1, "decline offer=1");
    estate_money(&e, 0, 200);
    estate_next(&e, "steal");
    estate_do(&e, 0, "buy_action_card");
    expect_default(0, "done");
    estate_default(&e, 0);
    estate_next(&e, "raise");
    estate_do(&e, 0, "buy_action_card");
    expect_default(0, "raise value=action_card_price");
    estate_default(&e, 0);
    estate_next(&e, "lower");
    estate_do(&e, 0, "buy_action_card");
    expect_default(0, "lower value=action_card_price");
    estate_default(&e, 0);
    estate_next(&e, "collect");
    estate_do(&e, 0, "buy_action_card");
    expect_default(0, "collect from=1");
}

/* An answer to an offer is judged by the question it was asked: buying a card
 * does not put the others a new one. */
Test(greement_turn, questions_stand)
{
    start(2);
    estate_money(&e, 0, 100);
    estate_do(&e, 0, "offer kind=sell with=1 square=a1 price=1 tax_by=buyer");
    uint32_t asked = e.any.state.asked[1];
    estate_next(&e, "raise");
    estate_do(&e, 0, "buy_action_card");
    EXPECT_NUMBER(e.any.state.asked[1], asked);
    estate_do(&e, 0, "raise value=seed_price");
    EXPECT_NUMBER(e.any.state.asked[1], asked);
    estate_do(&e, 0, "end_turn"); /* their turn: another question */
    EXPECT_NUMBER(e.any.state.asked[1], e.any.state.ply);
}
