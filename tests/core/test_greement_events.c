/* test_greement_events.c -- Greement, the rules' Event phase: votes, payments,
 * contributions, and what each of the 29 events does. */

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "core/base.h"
#include "tests/support/greement_estate.h"

static const struct rules *const R = &greement_rules;

static struct estate e;

static void start(int seats)
{
    estate_start(&e, &(struct estate_table){.seats = seats});
}

static const char *happened(const char *name)
{
    return estate_happened(&e.events, name, 0) != NULL ? name : "nothing";
}

static int32_t value(int which)
{
    return estate_of(&e)->value[which];
}

/* ---- the phase --------------------------------------------------------- */

/* Event phase: three cards, one after the other; all are drawn without
 * returning, and return when the third is over; then the turn count goes up
 * and the first player's turn begins. */
Test(greement_events, three_events_a_round)
{
    start(3);
    EXPECT_NUMBER(estate_of(&e)->round, 0);
    for (int seat = 0; seat < 3; seat++) {
        EXPECT_NUMBER(estate_of(&e)->phase, PHASE_TURN);
        estate_next(&e, seat == 0   ? "cattle_price_and_profit_up"
                        : seat == 1 ? "cattle_price_and_profit_down"
                                    : "seed_price_and_crop_profit_up");
        estate_do(&e, seat, "end_turn");
    }
    EXPECT_NUMBER(estate_of(&e)->events, 1);
    EXPECT_NUMBER(greement_event_now(estate_of(&e)), EVENT_CATTLE_UP);
    EXPECT_NUMBER(greement_events_left(estate_of(&e), EVENT_CATTLE_UP), 0);
    EXPECT_REFUSAL(&e, 0, "end_turn", "not_now");
    EXPECT_REFUSAL(&e, 0, "contribute amount=1", "not_now");
    EXPECT_REFUSAL(&e, 0, "done", "not_now");
    estate_all(&e, "vote avoid=true");
    EXPECT_NUMBER(estate_of(&e)->events, 2);
    EXPECT_NUMBER(greement_event_now(estate_of(&e)), EVENT_CATTLE_DOWN);
    estate_all(&e, "vote avoid=true");
    EXPECT_NUMBER(estate_of(&e)->events, 3);
    EXPECT_NUMBER(greement_event_now(estate_of(&e)), EVENT_CROPS_UP);
    estate_all(&e, "vote avoid=true");
    EXPECT_NUMBER(estate_of(&e)->events, 0);
    EXPECT_NUMBER(greement_events_left(estate_of(&e), EVENT_CATTLE_UP), 1);
    EXPECT_NUMBER(estate_of(&e)->round, 1);
    EXPECT_NUMBER(estate_of(&e)->turn, 0);
    EXPECT_NUMBER(estate_cash(&e, 0), 8);
}

/* A round begins with the first seat, whoever that is. */
Test(greement_events, round_begins_with_the_first_seat)
{
    estate_start(&e, &(struct estate_table){.seats = 3, .first = 1});
    estate_do(&e, 1, "end_turn");
    estate_do(&e, 2, "end_turn");
    EXPECT_NUMBER(estate_of(&e)->phase, PHASE_TURN);
    estate_next(&e, "seed_price_and_crop_profit_up");
    estate_do(&e, 0, "end_turn");
    EXPECT_NUMBER(estate_of(&e)->phase, PHASE_VOTE);
    while (estate_of(&e)->phase != PHASE_TURN)
        estate_default(&e, __builtin_ctz(e.any.state.acting));
    EXPECT_NUMBER(estate_of(&e)->turn, 1);
}

/* ---- votes ------------------------------------------------------------- */

/* Worked examples: 1 of 2, 2 of 4 and 3 of 6 against: triggered; 2 of 2, 2 of
 * 3, 3 of 4 and 4 of 6: avoided.  And all other counts. */
Test(greement_events, majorities)
{
    for (int seats = 2; seats <= 6; seats++)
        for (int against = 0; against <= seats; against++) {
            start(seats);
            estate_event(&e, "cattle_price_and_profit_up");
            for (int seat = 0; seat < seats; seat++)
                estate_do(&e, seat,
                          seat < against ? "vote avoid=true"
                                         : "vote avoid=false");
            bool avoided = against > seats / 2;
            cr_assert_str_eq(happened(avoided ? "avoided" : "triggered"),
                             avoided ? "avoided" : "triggered");
            EXPECT_NUMBER(value(CATTLE_PROFIT), avoided ? 8 : 9);
        }
}

/* Votes are open and may be changed until the last missing vote is cast; only
 * those without a vote are waited for. */
Test(greement_events, votes_may_be_changed)
{
    start(3);
    estate_event(&e, "cattle_price_and_profit_up");
    EXPECT_NUMBER(e.any.state.acting, 7);
    estate_do(&e, 1, "vote avoid=true");
    EXPECT_NUMBER(e.any.state.acting, 5);
    EXPECT_NUMBER(e.any.state.may, 2);
    EXPECT_NUMBER(estate_of(&e)->player[1].vote, 1);
    estate_do(&e, 2, "vote avoid=true");
    estate_do(&e, 1, "vote avoid=false");
    EXPECT_NUMBER(estate_of(&e)->player[1].vote, 0);
    EXPECT_NUMBER(e.any.state.acting, 1);
    estate_do(&e, 0, "vote avoid=true");
    cr_assert_str_eq(happened("avoided"), "avoided");
}

/* Every player may pay meanwhile, with the distance tax. */
Test(greement_events, pay_during_a_vote)
{
    start(3);
    estate_money(&e, 0, 100);
    estate_event(&e, "cattle_price_and_profit_up");
    int32_t had = estate_cash(&e, 1);
    EXPECT_LEGAL(&e, 0, "pay to=1 amount=10");
    estate_do(&e, 0, "vote avoid=true");
    estate_do(&e, 0, "pay to=1 amount=10");
    EXPECT_NUMBER(estate_cash(&e, 0), 84);
    EXPECT_NUMBER(estate_cash(&e, 1), had + 10);
    EXPECT_REFUSAL(&e, 0, "pay to=0 amount=1", "yourself");
    EXPECT_REFUSAL(&e, 0, "pay to=1 amount=79", "too_expensive");
    EXPECT_LEGAL(&e, 0, "pay to=1 amount=78");
}

/* [G17] At most 30 payments and changed votes for each player and event. */
Test(greement_events, payments_and_changed_votes_are_limited)
{
    start(3);
    estate_money(&e, 0, 10000);
    estate_event(&e, "cattle_price_and_profit_up");
    estate_do(&e, 0, "vote avoid=true"); /* the first is no change */
    for (int i = 0; i < 15; i++) {
        estate_do(&e, 0, i % 2 ? "vote avoid=true" : "vote avoid=false");
        estate_do(&e, 0, "pay to=1 amount=1");
    }
    EXPECT_REFUSAL(&e, 0, "vote avoid=true", "too_many_moves");
    EXPECT_REFUSAL(&e, 0, "pay to=1 amount=1", "too_many_moves");
    EXPECT_NUMBER(estate_legal(&e, 0, -1), 0);
    EXPECT_LEGAL(&e, 1, "vote avoid=true");
    estate_next(&e, "cattle_price_and_profit_down");
    estate_do(&e, 1, "vote avoid=true");
    estate_do(&e, 2, "vote avoid=true");
    EXPECT_LEGAL(&e, 0, "pay to=1 amount=1"); /* the next event */
}

/* [G17] Whose payments are used up can still cast their first vote. */
Test(greement_events, payments_do_not_cost_the_vote)
{
    start(2);
    estate_money(&e, 0, 10000);
    estate_event(&e, "cattle_price_and_profit_up");
    for (int i = 0; i < 30; i++)
        estate_do(&e, 0, "pay to=1 amount=1");
    EXPECT_REFUSAL(&e, 0, "pay to=1 amount=1", "too_many_moves");
    EXPECT_LEGAL(&e, 0, "vote avoid=true");
    estate_do(&e, 0, "vote avoid=true");
    EXPECT_REFUSAL(&e, 0, "vote avoid=false", "too_many_moves");
}

/* decide next vote, [G18]: the next votes are decided by these players alone,
 * in the order of use; only they vote, all may pay. */
Test(greement_events, deciders)
{
    start(3);
    for (int seat = 0; seat < 2; seat++) {
        estate_money(&e, seat, 100);
        estate_next(&e, "decide");
        estate_do(&e, seat, "buy_action_card");
        EXPECT_LEGAL(&e, seat, "end_turn"); /* no choice */
        if (seat == 0)
            estate_do(&e, seat, "end_turn");
    }
    estate_next(&e, "cattle_disease");
    estate_next(&e, "seed_price_and_crop_profit_up");
    estate_event(&e, "cattle_price_and_profit_up");
    EXPECT_NUMBER(greement_decider(estate_of(&e)), 0);
    EXPECT_NUMBER(e.any.state.acting, RULES_BIT(0));
    EXPECT_NUMBER(e.any.state.may, 6);
    EXPECT_REFUSAL(&e, 1, "vote avoid=false", "not_the_decider");
    EXPECT_LEGAL(&e, 1, "pay to=0 amount=10");
    estate_do(&e, 0, "vote avoid=true");
    cr_assert_str_eq(happened("avoided"), "avoided");
    EXPECT_NUMBER(estate_of(&e)->deck[CARD_DECIDE], 2);
    /* What is paid for is no vote, and nobody decides it. */
    EXPECT_NUMBER(greement_decider(estate_of(&e)), GREEMENT_NOBODY);
    EXPECT_NUMBER(e.any.state.acting, 7);
    estate_all(&e, "done");
    EXPECT_NUMBER(greement_decider(estate_of(&e)), 1);
    EXPECT_NUMBER(estate_of(&e)->deciders, 1);
    estate_do(&e, 1, "vote avoid=false");
    cr_assert_str_eq(happened("triggered"), "triggered");
    EXPECT_NUMBER(value(CROP_PROFIT), 5);
    EXPECT_NUMBER(estate_of(&e)->deciders, 0);
    EXPECT_NUMBER(estate_of(&e)->deck[CARD_DECIDE], 3);
}

/* ---- what is voted on --------------------------------------------------- */

/* Each event that only changes values, from 10 on. */
Test(greement_events, changes_of_values)
{
    static const struct {
        const char *event;
        int8_t by[VALUES]; /* in the order of the table */
    } table[] = {
        /*                      land seed crop mp mf lake mtn tax cp cf card */
        {"lake_multiplier_up_mountain_down",
         {0, 0, 0, 0, 0, 1, -1, 0, 0, 0, 0}},
        {"mountain_multiplier_up_lake_down",
         {0, 0, 0, 0, 0, -1, 1, 0, 0, 0, 0}},
        {"multipliers_up_mine_profit_down",
         {0, 0, 0, 0, -2, 1, 1, 0, 0, 0, 0}},
        {"land_dearer_mine_cheaper", {1, 0, 0, -1, 0, 0, 0, 0, 0, 0, 0}},
        {"land_cheaper_mine_dearer", {-1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0}},
        {"cattle_price_and_profit_up", {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0}},
        {"cattle_price_and_profit_down", {0, 0, 0, 0, 0, 0, 0, 0, -1, -1, 0}},
        {"seed_price_and_crop_profit_up", {0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0}},
        {"seed_price_and_crop_profit_down",
         {0, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0}},
        {"crop_profit_up_mine_profit_down",
         {0, 0, 1, 0, -1, 0, 0, 0, 0, 0, 0}},
        {"crop_profit_down_mine_profit_up",
         {0, 0, -1, 0, 1, 0, 0, 0, 0, 0, 0}},
        {"cattle_profit_up_mine_profit_down",
         {0, 0, 0, 0, -1, 0, 0, 0, 0, 1, 0}},
        {"cattle_profit_down_mine_profit_up",
         {0, 0, 0, 0, 1, 0, 0, 0, 0, -1, 0}},
        {"crop_profit_up_cattle_profit_down",
         {0, 0, 1, 0, 0, 0, 0, 0, 0, -1, 0}},
        {"crop_profit_down_cattle_profit_up",
         {0, 0, -1, 0, 0, 0, 0, 0, 0, 1, 0}},
        {"tax_down_crop_profit_down", {0, 0, -1, 0, 0, 0, 0, -2, 0, 0, 0}},
        {"tax_down_mine_profit_up", {0, 0, 0, 0, 2, 0, 0, -2, 0, 0, 0}},
        {"mine_profit_down", {0, 0, 0, 0, -1, 0, 0, 0, 0, 0, 0}},
        {"mine_profit_up", {0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0}},
        {"tax_and_multipliers_down", {0, 0, 0, 0, 0, -1, -1, -1, 0, 0, 0}},
        {"action_card_cheaper", {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -2}},
        {"crops_to_land", {0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0}},
        {"cattle_to_crops", {0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0}},
        {"mines_lost", {0}},
        {"mines_lost_land_to_cattle", {0}},
    };

    EXPECT_NUMBER(COUNT_OF(table), EVENT_DISEASE);
    for (size_t i = 0; i < COUNT_OF(table); i++) {
        start(2);
        for (int v = 0; v < VALUES; v++)
            estate_value(&e, v, 10);
        estate_trigger(&e, table[i].event);
        for (int v = 0; v < VALUES; v++)
            cr_assert_eq(value(v), 10 + table[i].by[v], "%s: %s is %d",
                         table[i].event, greement_value_words[v], value(v));
    }
}

/* "No value goes below 1"; worked examples: distance_tax -2 from 2 gives 1,
 * and crop_profit still falls. */
Test(greement_events, never_below_one)
{
    start(2);
    estate_value(&e, DISTANCE_TAX, 2);
    estate_trigger(&e, "tax_down_crop_profit_down");
    EXPECT_NUMBER(value(DISTANCE_TAX), 1);
    EXPECT_NUMBER(value(CROP_PROFIT), 3);
    for (int event = 0; event < EVENT_DISEASE; event++) {
        start(2);
        for (int v = 0; v < VALUES; v++)
            estate_value(&e, v, 1);
        estate_trigger(&e, greement_event_words[event]);
        for (int v = 0; v < VALUES; v++)
            cr_assert_geq(value(v), 1);
    }
}

/* [G14] Nor above 999, multipliers 99; the rest of the card still happens. */
Test(greement_events, never_above_the_bounds)
{
    start(2);
    estate_value(&e, LAKE_MULTIPLIER, 99);
    estate_value(&e, MOUNTAIN_MULTIPLIER, 5);
    estate_trigger(&e, "lake_multiplier_up_mountain_down");
    EXPECT_NUMBER(value(LAKE_MULTIPLIER), 99);
    EXPECT_NUMBER(value(MOUNTAIN_MULTIPLIER), 4);
    start(2);
    estate_value(&e, MINE_PROFIT, 997);
    estate_trigger(&e, "crops_to_land");
    EXPECT_NUMBER(value(MINE_PROFIT), 999);
}

/* Seat 0 has one of each, seat 1 a gold mine and a crop; one stands beside
 * both a lake and a mountain. */
static void mixed(void)
{
    estate_start(&e, &(struct estate_table){.grid = "..........\n"
                                                    ".l.m......\n"
                                                    ".........."});
    estate_give(&e, 0,
                "f4 f5=crop f6=cattle c2=cattle e8=gold_mine"
                " a2=gold_mine b3");
    estate_give(&e, 1, "h4 h8=gold_mine d3=crop");
}

/* All gold mines lose their owners; they stay gold mines [G11]. */
Test(greement_events, mines_lost)
{
    mixed();
    estate_trigger(&e, "mines_lost");
    EXPECT_NUMBER(estate_owner(&e, "e8"), -1);
    EXPECT_NUMBER(estate_owner(&e, "a2"), -1);
    EXPECT_NUMBER(estate_owner(&e, "h8"), -1);
    EXPECT_KIND(&e, "e8", "gold_mine");
    EXPECT_NUMBER(estate_owner(&e, "f6"), 0);
    EXPECT_KIND(&e, "f6", "cattle");
    EXPECT_KIND(&e, "f4", "land");
}

/* All crops become unseeded land, owners stay; cattle and unseeded stay. */
Test(greement_events, crops_lost)
{
    mixed();
    estate_trigger(&e, "crops_to_land");
    EXPECT_KIND(&e, "f5", "land");
    EXPECT_NUMBER(estate_owner(&e, "f5"), 0);
    EXPECT_KIND(&e, "d3", "land");
    EXPECT_NUMBER(estate_owner(&e, "d3"), 1);
    EXPECT_KIND(&e, "a1", "land");
    EXPECT_KIND(&e, "f6", "cattle");
    EXPECT_KIND(&e, "f4", "land");
    EXPECT_NUMBER(estate_owner(&e, "e8"), 0);
}

/* All cattle become crops, owners stay. */
Test(greement_events, cattle_to_crops)
{
    mixed();
    estate_trigger(&e, "cattle_to_crops");
    EXPECT_KIND(&e, "f6", "crop");
    EXPECT_KIND(&e, "c2", "crop");
    EXPECT_NUMBER(estate_owner(&e, "f6"), 0);
    EXPECT_KIND(&e, "f5", "crop");
    EXPECT_KIND(&e, "f4", "land");
}

/* [G9] All gold mines lose their owners; every owned land becomes cattle,
 * unseeded and crops alike; unowned land stays. */
Test(greement_events, mines_lost_lands_to_cattle)
{
    mixed();
    estate_trigger(&e, "mines_lost_land_to_cattle");
    EXPECT_NUMBER(estate_owner(&e, "e8"), -1);
    EXPECT_NUMBER(estate_owner(&e, "h8"), -1);
    EXPECT_KIND(&e, "f4", "cattle");
    EXPECT_KIND(&e, "f5", "cattle");
    EXPECT_KIND(&e, "f6", "cattle");
    EXPECT_KIND(&e, "h4", "cattle");
    EXPECT_NUMBER(estate_owner(&e, "h4"), 1);
    EXPECT_KIND(&e, "g4", "land");
    EXPECT_NUMBER(estate_owner(&e, "g4"), -1);
}

/* ---- pay to avoid ------------------------------------------------------- */

/* As soon as the contributions reach the price the event is avoided; they go
 * to the bank, untaxed, cut to what is still missing. */
Test(greement_events, contributions_avoid)
{
    static const struct {
        const char *event;
        int price;
    } table[] = {{"cattle_disease", 20},
                 {"lake_appropriation", 15},
                 {"mountain_appropriation", 10},
                 {"mine_appropriation", 50}};

    for (size_t i = 0; i < COUNT_OF(table); i++) {
        char text[32];
        mixed();
        estate_money(&e, 0, 100);
        estate_money(&e, 1, 100);
        estate_event(&e, table[i].event);
        estate_money(&e, 0, 100);
        estate_money(&e, 1, 100);
        snprintf(text, sizeof(text), "contribute amount=%d",
                 table[i].price - 1);
        estate_do(&e, 0, text);
        EXPECT_NUMBER(estate_cash(&e, 0), 101 - table[i].price);
        cr_assert_str_eq(happened("avoided"), "nothing");
        estate_next(&e, "seed_price_and_crop_profit_up");
        estate_do(&e, 1, "contribute amount=30");
        cr_assert_str_eq(happened("avoided"), "avoided");
        EXPECT_NUMBER(estate_cash(&e, 1), 99);
        EXPECT_NUMBER(estate_cash(&e, 0), 101 - table[i].price);
        EXPECT_NUMBER(estate_owner(&e, "c2"), 0);
        EXPECT_NUMBER(estate_owner(&e, "e8"), 0);
        EXPECT_KIND(&e, "f6", "cattle");
    }
}

/* [G8] When all are done and it was not reached: given back, triggered. */
Test(greement_events, contributions_are_given_back)
{
    mixed();
    estate_event(&e, "lake_appropriation");
    estate_money(&e, 0, 10);
    estate_money(&e, 1, 10);
    estate_do(&e, 0, "contribute amount=4");
    estate_do(&e, 0, "contribute amount=3");
    EXPECT_NUMBER(estate_cash(&e, 0), 3);
    EXPECT_NUMBER(estate_of(&e)->player[0].contribution, 7);
    estate_do(&e, 1, "contribute amount=7");
    EXPECT_REFUSAL(&e, 1, "contribute amount=0", "bad_argument");
    EXPECT_LEGAL(&e, 0, "contribute amount=1");
    estate_do(&e, 0, "done");
    estate_next(&e, "seed_price_and_crop_profit_up");
    estate_do(&e, 1, "done");
    cr_assert_str_eq(happened("triggered"), "triggered");
    EXPECT_NUMBER(estate_cash(&e, 1), 10);
    EXPECT_NUMBER(estate_cash(&e, 0), 10 + 2 * 3); /* a2, c2, b3 */
}

/* [G19] A contribution leaves one's money when made; nobody contributes more
 * than they have, unless less than they have is missing. */
Test(greement_events, contributions_and_money)
{
    start(2);
    estate_event(&e, "cattle_disease");
    estate_money(&e, 0, 10);
    EXPECT_REFUSAL(&e, 0, "contribute amount=11", "too_expensive");
    EXPECT_REFUSAL(&e, 0, "contribute amount=0", "bad_argument");
    EXPECT_REFUSAL(&e, 0, "contribute amount=30001", "bad_argument");
    EXPECT_REFUSAL(&e, 0, "vote avoid=true", "not_now");
    estate_money(&e, 1, 15);
    estate_do(&e, 1, "contribute amount=15");
    EXPECT_LEGAL(&e, 0, "contribute amount=30000"); /* 5 are missing */
    EXPECT_NUMBER(estate_total(&e, 1), 4);          /* not counted */
}

/* [G19] All may pay here, too; who is done may still pay and contribute until
 * the last is done. */
Test(greement_events, done_may_still_pay)
{
    start(3);
    estate_event(&e, "cattle_disease");
    for (int seat = 0; seat < 3; seat++)
        estate_money(&e, seat, 100);
    estate_do(&e, 0, "done");
    EXPECT_NUMBER(e.any.state.acting, 6);
    EXPECT_NUMBER(e.any.state.may, 1);
    EXPECT_REFUSAL(&e, 0, "done", "already_done");
    estate_do(&e, 0, "pay to=1 amount=5");
    EXPECT_NUMBER(estate_cash(&e, 1), 105);
    EXPECT_NUMBER(estate_cash(&e, 0), 89);
    estate_do(&e, 0, "contribute amount=10");
    EXPECT_NUMBER(e.any.state.acting, 6);
    estate_do(&e, 1, "done");
    estate_next(&e, "seed_price_and_crop_profit_up");
    estate_do(&e, 0, "contribute amount=10");
    cr_assert_str_eq(happened("avoided"), "avoided");
}

/* [G17] 30 payments for each player hold here as well. */
Test(greement_events, payments_are_limited_when_paying)
{
    start(2);
    estate_event(&e, "cattle_disease");
    estate_money(&e, 0, 10000);
    for (int i = 0; i < 30; i++)
        estate_do(&e, 0, "pay to=1 amount=1");
    EXPECT_REFUSAL(&e, 0, "pay to=1 amount=1", "too_many_moves");
    EXPECT_LEGAL(&e, 0, "contribute amount=1");
}

/* Lake appropriation: every owned square connected to a lake loses its owner,
 * who gets 2 for each; [G11] land becomes unseeded; [G20] a square that
 * touches a mountain, too, is taken at this event's rate. */
Test(greement_events, lake_appropriation)
{
    mixed();
    estate_event(&e, "lake_appropriation");
    estate_money(&e, 0, 0);
    estate_next(&e, "seed_price_and_crop_profit_up");
    estate_all(&e, "done");
    EXPECT_NUMBER(estate_owner(&e, "a2"), -1);
    EXPECT_KIND(&e, "a2", "gold_mine");
    EXPECT_NUMBER(estate_owner(&e, "c2"), -1);
    EXPECT_KIND(&e, "c2", "land");
    EXPECT_NUMBER(estate_owner(&e, "b3"), -1);
    EXPECT_NUMBER(estate_owner(&e, "d3"), 1); /* a mountain's */
    EXPECT_NUMBER(estate_owner(&e, "a1"), 0); /* diagonal */
    EXPECT_NUMBER(estate_cash(&e, 0), 6);
}

/* [G10] Mountain appropriation: squares connected to a mountain, 1 each. */
Test(greement_events, mountain_appropriation)
{
    mixed();
    estate_give(&e, 0, "d1 e2=crop");
    estate_event(&e, "mountain_appropriation");
    estate_money(&e, 0, 0);
    int32_t had = estate_cash(&e, 1);
    estate_next(&e, "seed_price_and_crop_profit_up");
    estate_all(&e, "done");
    EXPECT_NUMBER(estate_owner(&e, "d1"), -1);
    EXPECT_NUMBER(estate_owner(&e, "e2"), -1);
    EXPECT_KIND(&e, "e2", "land");
    EXPECT_NUMBER(estate_owner(&e, "c2"), -1);
    EXPECT_NUMBER(estate_owner(&e, "d3"), -1);
    EXPECT_NUMBER(estate_owner(&e, "a2"), 0); /* a lake's */
    EXPECT_NUMBER(estate_cash(&e, 0), 3);
    EXPECT_NUMBER(estate_cash(&e, 1), had + 1);
}

/* Gold mine appropriation: every owned gold mine, 1 each; worked example: 3
 * mines, +3. */
Test(greement_events, mine_appropriation)
{
    mixed();
    estate_give(&e, 0, "g8=gold_mine");
    estate_event(&e, "mine_appropriation");
    estate_money(&e, 0, 0);
    estate_next(&e, "seed_price_and_crop_profit_up");
    estate_all(&e, "done");
    EXPECT_NUMBER(estate_cash(&e, 0), 3);
    EXPECT_NUMBER(estate_owner(&e, "e8"), -1);
    EXPECT_NUMBER(estate_owner(&e, "h8"), -1);
    EXPECT_KIND(&e, "e8", "gold_mine");
    EXPECT_NUMBER(estate_owner(&e, "f6"), 0);
}

/* [G20] A square counts once however many lakes it touches; multipliers
 * change nothing, and there is no tax. */
Test(greement_events, taken_once)
{
    estate_start(&e, &(struct estate_table){.grid = "..........\n"
                                                    ".l.l......\n"
                                                    "..l......."});
    estate_value(&e, LAKE_MULTIPLIER, 9);
    estate_give(&e, 0, "c2=cattle");
    estate_event(&e, "lake_appropriation");
    estate_money(&e, 0, 0);
    estate_next(&e, "seed_price_and_crop_profit_up");
    estate_all(&e, "done");
    EXPECT_NUMBER(estate_owner(&e, "c2"), -1);
    EXPECT_NUMBER(estate_cash(&e, 0), 2);
}

/* ---- cattle disease ----------------------------------------------------- */

static void disease(int32_t money)
{
    start(3);
    estate_give(&e, 0, "a2=cattle b2=cattle c2=cattle a3=crop");
    estate_give(&e, 1, "c3=cattle");
    estate_event(&e, "cattle_disease");
    estate_money(&e, 0, money);
    estate_money(&e, 1, 10);
    estate_all(&e, "done");
}

/* Worked examples: 3 cattle, 2 treated: -4, the third becomes a crop and
 * stays owned. */
Test(greement_events, disease)
{
    disease(10);
    EXPECT_NUMBER(estate_of(&e)->phase, PHASE_DISEASE);
    EXPECT_NUMBER(e.any.state.acting, 3); /* seat 2 has no cattle */
    EXPECT_NUMBER(e.any.state.may, 0);
    EXPECT_NUMBER(e.any.state.asked[0], e.any.state.ply); /* a new question */
    estate_do(&e, 0, "treat square=a2");
    estate_do(&e, 0, "treat square=c2");
    estate_do(&e, 0, "done");
    EXPECT_NUMBER(estate_cash(&e, 0), 6);
    EXPECT_KIND(&e, "a2", "cattle");
    EXPECT_KIND(&e, "b2", "crop");
    EXPECT_KIND(&e, "c2", "cattle");
    EXPECT_NUMBER(estate_owner(&e, "b2"), 0);
    EXPECT_NUMBER(e.any.state.acting, 2);
    estate_next(&e, "seed_price_and_crop_profit_up");
    estate_do(&e, 1, "done");
    EXPECT_KIND(&e, "c3", "crop");
    EXPECT_NUMBER(estate_of(&e)->phase, PHASE_VOTE);
    EXPECT_NUMBER(estate_of(&e)->treated[estate_square("a2")], 0);
}

/* [G20] Refusals of treat; no pay meanwhile. */
Test(greement_events, treat_refused)
{
    disease(10);
    EXPECT_REFUSAL(&e, 0, "treat square=c3", "not_yours");
    EXPECT_REFUSAL(&e, 0, "treat square=d9", "not_yours");
    EXPECT_REFUSAL(&e, 0, "treat square=a3", "not_cattle");
    estate_do(&e, 0, "treat square=a2");
    EXPECT_REFUSAL(&e, 0, "treat square=a2", "already_treated");
    EXPECT_REFUSAL(&e, 0, "pay to=1 amount=1", "not_now");
    EXPECT_REFUSAL(&e, 0, "contribute amount=1", "not_now");
    EXPECT_REFUSAL(&e, 2, "done", "not_your_turn");
    EXPECT_NUMBER(estate_legal(&e, 0, -1), 3);
}

/* [G20] All choose at the same time; who has, or is left with, no untreated
 * cattle or less than 2 money is done by itself. */
Test(greement_events, done_by_itself)
{
    disease(5);
    estate_do(&e, 1, "treat square=c3"); /* no cattle left to treat */
    EXPECT_NUMBER(e.any.state.acting, 1);
    EXPECT_KIND(&e, "c3", "cattle");
    estate_do(&e, 0, "treat square=a2");
    EXPECT_NUMBER(e.any.state.acting, 1);
    estate_next(&e, "seed_price_and_crop_profit_up");
    estate_do(&e, 0, "treat square=b2"); /* 1 is left */
    EXPECT_NUMBER(estate_cash(&e, 0), 1);
    EXPECT_KIND(&e, "c2", "crop");
    EXPECT_KIND(&e, "b2", "cattle");
    EXPECT_NUMBER(estate_of(&e)->phase, PHASE_VOTE);
    disease(1);
    EXPECT_NUMBER(e.any.state.acting, 2);
    EXPECT_KIND(&e, "a2", "crop");
    EXPECT_NUMBER(estate_cash(&e, 0), 1);
}

/* [G20] With nothing to choose for anybody the disease is over at once. */
Test(greement_events, disease_of_nobody)
{
    start(2);
    estate_event(&e, "cattle_disease");
    estate_next(&e, "seed_price_and_crop_profit_up");
    estate_all(&e, "done");
    EXPECT_NUMBER(estate_of(&e)->phase, PHASE_VOTE);
    EXPECT_NUMBER(greement_event_now(estate_of(&e)), EVENT_CROPS_UP);
}

/* ---- undo, defaults and questions ---------------------------------------- */

static void expect_default(int seat, const char *text)
{
    struct rules_move move, wanted;
    rules_default_move(R, &e.any.state, seat, &move);
    cr_assert_eq(estate_read(&e, text, &wanted), RULES_OK);
    cr_assert_eq(memcmp(&move, &wanted, sizeof(move)), 0, "%s", text);
}

/* Defaults: vote false; done.  Undo: contributions are final, as is all that
 * is no move of one's own turn. */
Test(greement_events, defaults_and_undo)
{
    start(2);
    estate_event(&e, "cattle_price_and_profit_up");
    expect_default(0, "vote avoid=false");
    estate_do(&e, 0, "vote avoid=true");
    cr_assert_eq(e.events.flags, RULES_FINAL);
    estate_next(&e, "cattle_disease");
    estate_do(&e, 1, "vote avoid=true");
    expect_default(0, "done");
    estate_money(&e, 0, 10);
    estate_do(&e, 0, "contribute amount=1");
    cr_assert_eq(e.events.flags, RULES_FINAL);
    disease(10);
    expect_default(0, "done");
}

/* The end of the third event puts the first player another question, though
 * they were asked something before. */
Test(greement_events, new_questions)
{
    start(2);
    estate_event(&e, "cattle_price_and_profit_up");
    estate_all(&e, "vote avoid=true");
    /* Two more, of which the last is a vote. */
    e.queued = 0;
    while (estate_of(&e)->events < 3) {
        estate_next(&e, "seed_price_and_crop_profit_up");
        while (e.queued > 0)
            estate_default(&e, __builtin_ctz(e.any.state.acting));
    }
    uint32_t before = e.any.state.asked[0];
    EXPECT_NUMBER(estate_of(&e)->phase, PHASE_VOTE);
    estate_do(&e, 0, "vote avoid=true");
    cr_assert_gt(e.any.state.asked[0], before);
    uint32_t asked = e.any.state.asked[1];
    estate_do(&e, 0, "vote avoid=false");
    EXPECT_NUMBER(e.any.state.asked[1], asked); /* others' moves do not */
    estate_do(&e, 1, "vote avoid=true");
    EXPECT_NUMBER(estate_of(&e)->phase, PHASE_TURN);
    EXPECT_NUMBER(e.any.state.asked[0], e.any.state.ply);
}
