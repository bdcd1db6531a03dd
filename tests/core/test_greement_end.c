/* test_greement_end.c -- Greement, the rules' End and What each viewer may
 * see: how long a game is, what everybody is worth, who has won. */

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "core/base.h"
#include "tests/support/doc.h"
#include "tests/support/greement_estate.h"

static const struct rules *const R = &greement_rules;

static struct estate e;

static void start(int seats, int turns)
{
    estate_start(&e, &(struct estate_table){.seats = seats, .turns = turns});
}

static int64_t worth(const char *square)
{
    return greement_worth(estate_of(&e), estate_square(square));
}

/* Lets defaults play to the end, but for what SEAT has and the values, which
 * are as they are given. */
static void finish(void)
{
    while (!rules_over(&e.any.state)) {
        estate_default(&e, __builtin_ctz(e.any.state.acting));
    }
}

/* ---- how long a game is ------------------------------------------------- */

/* [G5] A game has `turns` rounds, each followed by its events; worked example:
 * 20 turns each, 60 events; no profit is paid after the last. */
Test(greement_end, twenty_turns)
{
    int turns[2] = {0}, events = 0, profits = 0;

    start(2, 0);
    turns[0] = 1;
    while (!rules_over(&e.any.state)) {
        size_t before = e.plies;
        estate_default(&e, __builtin_ctz(e.any.state.acting));
        const struct rules_event *t = estate_happened(&e.events, "turn_began",
                                                      0);
        if (t != NULL)
            turns[t->seat]++;
        profits += estate_happened(&e.events, "profit", 0) != NULL;
        for (; before < e.plies; before++)
            events += e.log[before].move.verb == NATURE_EVENT;
    }
    EXPECT_NUMBER(turns[0], 20);
    EXPECT_NUMBER(turns[1], 20);
    EXPECT_NUMBER(profits, 39); /* the very first came with the setup */
    EXPECT_NUMBER(events, 60);
    EXPECT_NUMBER(estate_of(&e)->round, 20);
    cr_assert_not_null(estate_happened(&e.events, "ended", 0));
    EXPECT_REFUSAL(&e, 0, "end_turn", "game_over");
}

/* `turns` 1 and 99. */
Test(greement_end, shortest_and_longest)
{
    start(2, 1);
    finish();
    EXPECT_NUMBER(estate_of(&e)->round, 1);
    start(2, 99);
    finish();
    EXPECT_NUMBER(estate_of(&e)->round, 99);
}

/* Nobody drops out: who has no square has their turns, votes and pays. */
Test(greement_end, nobody_drops_out)
{
    start(2, 2);
    estate_give(&e, -1, "c1");
    estate_do(&e, 0, "end_turn");
    EXPECT_NUMBER(estate_of(&e)->turn, 1);
    EXPECT_NUMBER(estate_cash(&e, 1), 0);
    estate_money(&e, 1, 10);
    EXPECT_LEGAL(&e, 1, "pay to=0 amount=10"); /* untaxed */
    EXPECT_LEGAL(&e, 1, "buy_land square=j6"); /* untaxed, too */
    estate_event(&e, "cattle_price_and_profit_up");
    EXPECT_LEGAL(&e, 1, "vote avoid=true");
}

/* ---- wealth ------------------------------------------------------------- */

/* [G12] Unseeded land, crop, cattle, gold mine. */
Test(greement_end, value_of_squares)
{
    start(2, 1);
    estate_give(&e, 0, "b4 c4=crop d4=cattle e8=gold_mine");
    EXPECT_NUMBER(worth("b4"), 2);
    EXPECT_NUMBER(worth("c4"), 2 + 2);
    EXPECT_NUMBER(worth("d4"), 2 + 2 + 8);
    EXPECT_NUMBER(worth("e8"), 6);
    estate_money(&e, 0, 100);
    EXPECT_NUMBER(estate_total(&e, 0), 100 + 4 + 2 + 4 + 12 + 6);
    EXPECT_NUMBER(estate_total(&e, 1), 4);
    estate_value(&e, LAND_PRICE, 5);
    EXPECT_NUMBER(estate_total(&e, 0), 100 + 7 + 5 + 7 + 15 + 6);
}

/* [G12] Multiplied as for profit. */
Test(greement_end, value_is_multiplied)
{
    estate_start(&e, &(struct estate_table){.grid = "..........\n"
                                                    "..l.m.....\n"
                                                    ".........."});
    estate_value(&e, LAKE_MULTIPLIER, 2);
    estate_value(&e, MOUNTAIN_MULTIPLIER, 3);
    estate_give(&e, 0, "d2=cattle c3=gold_mine e3");
    EXPECT_NUMBER(worth("d2"), 12 * 6);
    EXPECT_NUMBER(worth("c3"), 6 * 2);
    EXPECT_NUMBER(worth("e3"), 2 * 3);
}

/* The parts of the score: money, debt with loans on, squares. */
Test(greement_end, parts)
{
    struct rules_score score;

    estate_start(&e, &(struct estate_table){.loans = true});
    estate_do(&e, 0, "borrow amount=20");
    rules_score(R, &e.any.state, &score);
    EXPECT_NUMBER(score.parts, 7);
    EXPECT_NUMBER(score.part[PART_MONEY][0], 24);
    EXPECT_NUMBER(score.part[PART_DEBT][0], -20);
    EXPECT_NUMBER(score.part[PART_SQUARES][0], 4);
    EXPECT_NUMBER(score.total[0], 8);
    EXPECT_NUMBER(score.place[0], 0);
    start(2, 1);
    rules_score(R, &e.any.state, &score);
    EXPECT_NUMBER(score.parts, 1 << PART_MONEY | 1 << PART_SQUARES);
}

/* [G14] Wealth stays within 2,000,000,000 either way, and the parts add up to
 * it; the least there can be is -999,999,999. */
Test(greement_end, wealth_is_bounded)
{
    static const int32_t debts[] = {0, 1, 999999999};
    static const int32_t money[] = {0, 1, 999999999};
    struct rules_score score;

    estate_start(&e, &(struct estate_table){.loans = true,
                                            .turns = 1,
                                            .grid = "..........\n"
                                                    "....l.....\n"
                                                    "...l.l....\n"
                                                    "....l....."});
    estate_give(&e, 0, "e3=cattle");
    estate_give(&e, -1, "c1");
    estate_value(&e, LAKE_MULTIPLIER, 99);
    for (size_t d = 0; d < COUNT_OF(debts); d++)
        for (size_t m = 0; m < COUNT_OF(money); m++) {
            for (int seat = 0; seat < 2; seat++) {
                estate_of(&e)->player[seat].debt = debts[d];
                estate_money(&e, seat, money[m]);
            }
            rules_score(R, &e.any.state, &score);
            EXPECT_NUMBER(score.total[0],
                          12 * INT64_C(96059601) + 4 + money[m] - debts[d] <
                                  2000000000
                              ? 12 * INT64_C(96059601) + 4 + money[m] -
                                    debts[d]
                              : 2000000000);
            EXPECT_NUMBER(score.total[1], money[m] - debts[d]);
        }
    estate_value(&e, CATTLE_PRICE, 999); /* beyond all measure */
    for (size_t d = 0; d < COUNT_OF(debts); d++) {
        estate_of(&e)->player[0].debt = debts[d];
        rules_score(R, &e.any.state, &score);
        EXPECT_NUMBER(score.total[0], 2000000000);
    }
    /* The result compares the two ends without an overflow. */
    estate_of(&e)->player[1].debt = 999999999;
    estate_money(&e, 1, 0);
    struct greement *g = estate_of(&e);
    g->phase = PHASE_OVER;
    g->turn = GREEMENT_NOBODY;
    g->round = 1;
    g->base.acting = 0;
    cr_assert(estate_valid(&e));
    rules_score(R, &e.any.state, &score);
    EXPECT_NUMBER(score.total[1], -999999999);
    EXPECT_NUMBER(score.place[0], 1);
    EXPECT_NUMBER(score.place[1], 2);
}

/* ---- who has won --------------------------------------------------------- */

static void places(const int *expected)
{
    struct rules_score score;
    struct greement *g = estate_of(&e);
    g->phase = PHASE_OVER;
    g->turn = GREEMENT_NOBODY;
    g->round = g->turns;
    g->base.acting = 0;
    cr_assert(estate_valid(&e));
    rules_score(R, &e.any.state, &score);
    for (int seat = 0; seat < e.any.state.seats; seat++)
        EXPECT_NUMBER(score.place[seat], expected[seat]);
}

/* Most wealth wins; ties: more money; then the win is shared. */
Test(greement_end, ties)
{
    start(4, 1);
    estate_money(&e, 0, 10);
    estate_money(&e, 1, 8);
    estate_give(&e, 1, "b4"); /* 8 + 2 + 4 = 10 + 4 */
    estate_money(&e, 2, 10);
    estate_money(&e, 3, 20);
    EXPECT_NUMBER(estate_total(&e, 0), estate_total(&e, 1));
    places((const int[]){2, 4, 2, 1});
    start(2, 1);
    estate_money(&e, 0, 3);
    estate_money(&e, 1, 3);
    places((const int[]){1, 1});
}

/* The source: "or the smallest debt": wealth may be negative. */
Test(greement_end, smallest_debt)
{
    estate_start(&e, &(struct estate_table){.loans = true, .turns = 1});
    estate_of(&e)->player[0].debt = 50;
    estate_of(&e)->player[1].debt = 49;
    estate_money(&e, 0, 0);
    estate_money(&e, 1, 0);
    EXPECT_NUMBER(estate_total(&e, 0), -46);
    places((const int[]){2, 1});
}

/* ---- what is shown -------------------------------------------------------- */

static int look(const struct doc *doc, int at, const char *name, int index)
{
    int node = doc->node[at].first;
    for (int i = 0; node >= 0; node = doc->node[node].next, i++)
        if (name != NULL ? strcmp(doc->node[node].name, name) == 0
                         : i == index)
            return node;
    cr_assert_fail("nothing at %s %d", name ? name : "", index);
    return -1;
}

static const struct doc_node *cell(const struct doc *doc, const char *what,
                                   const char *square)
{
    int at = estate_square(square);
    int grid = look(doc, 0, what, 0);
    int row = look(doc, grid, NULL, at / GREEMENT_SIDE);
    return &doc->node[look(doc, row, NULL, at % GREEMENT_SIDE)];
}

/* What each viewer may see: each square shows owner, kind, profit and value,
 * and to the player in turn its price with tax; a player what it costs to pay
 * the others, and their wealth. */
Test(greement_end, what_is_shown)
{
    struct doc doc = doc_new();

    start(3, 5);
    estate_give(&e, 0, "b3=cattle");
    doc_show(&doc, R, &e.any.state);
    cr_assert_str_eq(cell(&doc, "squares", "b3")->word, "cattle");
    EXPECT_NUMBER(cell(&doc, "owners", "b3")->number, 0);
    EXPECT_NUMBER(cell(&doc, "profits", "b3")->number, 8);
    EXPECT_NUMBER(cell(&doc, "worths", "b3")->number, 12);
    EXPECT_NUMBER(cell(&doc, "prices", "b3")->type, FIELDS_NULL);
    EXPECT_NUMBER(cell(&doc, "prices", "b4")->number, 2);
    EXPECT_NUMBER(cell(&doc, "prices", "b5")->number, 2 + 6);
    EXPECT_NUMBER(cell(&doc, "prices", "a8")->number, 6 + 30);
    EXPECT_NUMBER(cell(&doc, "prices", "a10")->type, FIELDS_NULL);
    EXPECT_NUMBER(cell(&doc, "owners", "b4")->type, FIELDS_NULL);
    int player = look(&doc, look(&doc, 0, "players", 0), NULL, 0);
    EXPECT_NUMBER(doc.node[look(&doc, player, "wealth", 0)].number,
                  4 + 4 + 12);
    int taxes = look(&doc, player, "pay_tax", 0);
    EXPECT_NUMBER(doc.node[look(&doc, taxes, NULL, 0)].type, FIELDS_NULL);
    EXPECT_NUMBER(doc.node[look(&doc, taxes, NULL, 1)].number, 6);
    EXPECT_NUMBER(doc.node[look(&doc, taxes, NULL, 2)].number, 18);
    doc_free(&doc);
}

/* The same: what both decks contain; before the reveal squares are null. */
Test(greement_end, decks_are_shown)
{
    struct doc doc = doc_new();

    estate_setup(&e, &(struct estate_table){.seats = 2});
    doc_show(&doc, R, &e.any.state);
    EXPECT_NUMBER(cell(&doc, "squares", "a1")->type, FIELDS_NULL);
    EXPECT_NUMBER(cell(&doc, "profits", "a1")->type, FIELDS_NULL);
    int down = look(&doc, 0, "face_down", 0);
    EXPECT_NUMBER(doc.node[look(&doc, down, "land", 0)].number, 60);
    doc_free(&doc);
    doc = doc_new();
    start(2, 5);
    estate_event(&e, "crops_to_land");
    doc_show(&doc, R, &e.any.state);
    int deck = look(&doc, 0, "event_deck", 0);
    EXPECT_NUMBER(doc.node[look(&doc, deck, "crops_to_land", 0)].number, 4);
    EXPECT_NUMBER(doc.node[look(&doc, deck, "mine_profit_up", 0)].number, 5);
    deck = look(&doc, 0, "action_deck", 0);
    EXPECT_NUMBER(doc.node[look(&doc, deck, "decide", 0)].number, 3);
    doc_free(&doc);
}
