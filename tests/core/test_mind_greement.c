/* test_mind_greement.c -- what playing Greement well is made of: positions, and
 * what greedy does in them. */

#include <criterion/criterion.h>
#include <string.h>

#include "core/base.h"
#include "core/mind.h"
#include "core/text.h"
#include "tests/support/greement_estate.h"

static struct estate e;
static struct mind_room room;

static int64_t judge(int seat)
{
    return mind_find(&greement_rules)->judge(&e.any.state, seat);
}

/* What greedy plays in SEAT, in words; "" if it lets it be. */
static const char *greedy(int seat)
{
    static char text[RULES_TEXT_MAX];
    struct mind mind = mind_of(&greement_rules, MIND_GREEDY);
    union rules_any view;
    struct rules_move move;

    rules_view(&greement_rules, &e.any.state, seat, &view.state);
    if (!mind_choose(&mind, &view.state, &room, &move))
        return "";
    text_move(&greement_rules, &view.state, &move, text, sizeof(text));
    return text;
}

#define PLAYS(seat, wanted) cr_assert_str_eq(greedy(seat), wanted)

static void start(int turns)
{
    estate_start(&e, &(struct estate_table){.turns = turns});
}

/* ---- positions -------------------------------------------------------------- */

/* A coin is one, a square its worth and its profit in all rounds to come. */
Test(mind_greement, estate)
{
    start(10); /* seat 0 has had its profit of the first */
    int64_t before = judge(0);
    estate_money(&e, 0, estate_cash(&e, 0) + 7);
    cr_assert_eq(judge(0) - before, 7 * MIND_POINT);
    before = judge(0);
    estate_give(&e, 0, "a2=crop");
    cr_assert_eq(judge(0) - before, (2 + 2 + 9 * 4) * MIND_POINT);
    before = judge(1);
    estate_give(&e, 1, "c2=crop");
    cr_assert_eq(judge(1) - before, (2 + 2 + 10 * 4) * MIND_POINT,
                 "whose turn is still to come");
}

/* What counts is one's share: what another loses is a gain. */
Test(mind_greement, share)
{
    struct mind mind = mind_of(&greement_rules, MIND_GREEDY);

    start(10);
    estate_money(&e, 1, 100);
    int64_t before = mind_standing(&mind, &e.any.state, 0);
    estate_money(&e, 1, 50);
    cr_assert_gt(mind_standing(&mind, &e.any.state, 0), before);
}

/* ---- purchases --------------------------------------------------------------- */

/* What brings most for a coin is bought first: four coins for four a round, not
 * eight for four more. */
Test(mind_greement, gain_per_coin)
{
    start(10);
    estate_give(&e, 0, "a2");
    estate_money(&e, 0, 8);
    PLAYS(0, "seed square=a2");
}

/* In the last turn nothing is bought that brings nothing. */
Test(mind_greement, the_last_turn)
{
    start(1);
    estate_money(&e, 0, 50);
    PLAYS(0, "end_turn");
}

/* Of two squares the one beside a lake that multiplies. */
Test(mind_greement, lakes)
{
    estate_start(&e, &(struct estate_table){.turns = 10,
                                            .grid = "....\n.l..",
                                            .start = {"a1", "e1"}});
    estate_value(&e, LAKE_MULTIPLIER, 2);
    estate_money(&e, 0, 4);
    PLAYS(0, "buy_land square=b1");
}

/* An action card is bought by who has much for it to work on, early; a small
 * estate has better things to buy. */
Test(mind_greement, action_cards)
{
    start(20);
    estate_money(&e, 0, 15);
    cr_assert_str_neq(greedy(0), "buy_action_card");
    start(20);
    for (int square = 0; square < GREEMENT_SQUARES; square++)
        if (estate_of(&e)->owner[square] == GREEMENT_NOBODY &&
            estate_of(&e)->square[square] == SQUARE_LAND) {
            estate_of(&e)->owner[square] = 0;
            estate_of(&e)->square[square] = SQUARE_CATTLE;
        }
    estate_money(&e, 0, 15);
    PLAYS(0, "buy_action_card");
}

/* Each card is used for what it does most with. */
Test(mind_greement, cards_are_used)
{
    start(20);
    estate_give(&e, 0, "a2=cattle b1=cattle b2=cattle");
    estate_give(&e, 1, "c2=cattle d1=crop");
    estate_next(&e, "raise");
    estate_money(&e, 0, 15);
    estate_do(&e, 0, "buy_action_card");
    PLAYS(0, "raise value=cattle_profit");
    estate_do(&e, 0, "raise value=cattle_profit");
    estate_next(&e, "steal");
    estate_money(&e, 0, 15);
    estate_do(&e, 0, "buy_action_card");
    PLAYS(0, "steal square=c2");
}

/* A debt, which doubles, is paid back. */
Test(mind_greement, debts)
{
    estate_start(&e, &(struct estate_table){.turns = 10, .loans = true});
    estate_money(&e, 0, 0);
    estate_do(&e, 0, "borrow amount=10");
    PLAYS(0, "repay amount=10");
}

/* ---- others ------------------------------------------------------------------- */

/* An offer is accepted if it is good, and declined if not. */
Test(mind_greement, offers)
{
    start(10);
    estate_give(&e, 0, "a2=cattle b2=cattle");
    estate_money(&e, 0, 20);
    estate_money(&e, 1, 50);
    estate_do(&e, 0, "offer kind=sell with=1 square=b2 price=1 tax_by=seller");
    PLAYS(1, "accept offer=1");
    estate_do(&e, 0, "withdraw offer=1");
    estate_do(&e, 0, "offer kind=buy with=1 square=c1 price=1 tax_by=buyer");
    PLAYS(1, "decline offer=2");
}

/* An event is voted on by what it does to one's share. */
Test(mind_greement, votes)
{
    start(10);
    estate_give(&e, 0, "a2=gold_mine b1=gold_mine");
    estate_event(&e, "mines_lost");
    PLAYS(0, "vote avoid=true");
    PLAYS(1, "vote avoid=false");
}

/* To avoid an event one pays all that is missing, or nothing. */
Test(mind_greement, contributions)
{
    start(10);
    estate_give(&e, 0, "a2=gold_mine b1=gold_mine b2=gold_mine b3=gold_mine");
    estate_event(&e, "mine_appropriation");
    estate_money(&e, 0, 60);
    estate_money(&e, 1, 60);
    PLAYS(0, "contribute amount=50");
    PLAYS(1, "done");
    estate_money(&e, 0, 49);
    PLAYS(0, "done");
}

/* Cattle that is ill is paid for. */
Test(mind_greement, disease)
{
    start(10);
    estate_give(&e, 0, "a2=cattle");
    estate_money(&e, 0, 20);
    estate_trigger(&e, "cattle_disease");
    PLAYS(0, "treat square=a2");
}

/* What is bought the search leaves to greedy. */
Test(mind_greement, purchases_are_greedys)
{
    struct mind mind = mind_of(&greement_rules, MIND_SEARCH);
    struct rules_move move;
    char text[RULES_TEXT_MAX];
    union rules_any view;

    start(10);
    estate_money(&e, 0, 30);
    rules_view(&greement_rules, &e.any.state, 0, &view.state);
    cr_assert(mind_choose(&mind, &view.state, &room, &move));
    text_move(&greement_rules, &view.state, &move, text, sizeof(text));
    PLAYS(0, text);
}

/* ---- what is left out --------------------------------------------------------- */

/* There are thirty thousand prices and amounts: nothing is offered, and no money
 * is given away; and a turn can always be ended. */
Test(mind_greement, no_offers)
{
    struct mind mind = mind_of(&greement_rules, MIND_GREEDY);
    bool ends = false;

    start(10);
    estate_money(&e, 0, 100);
    cr_assert_gt(estate_legal(&e, 0, OFFER), 0);
    cr_assert_gt(estate_legal(&e, 0, PAY), 0);
    size_t n = mind_consider(&mind, &e.any.state, 0, &room, room.move,
                             MIND_MOVES_MAX);
    for (size_t i = 0; i < n; i++) {
        cr_assert_neq(room.move[i].verb, OFFER);
        cr_assert_neq(room.move[i].verb, PAY);
        ends = ends || room.move[i].verb == END_TURN;
    }
    cr_assert(ends);
}
