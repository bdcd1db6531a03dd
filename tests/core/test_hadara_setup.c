/* test_hadara_setup.c -- Hadara, the rules' chapter Setup: ring, setup cards,
 * sides, who is first, extra coins. */

#include <criterion/criterion.h>
#include <string.h>

#include "core/base.h"
#include "tests/support/hadara_position.h"

static const struct rules *const R = &hadara_rules;
static struct hd p;

/* Setup, worked example: initiative 2 side A has 8 coins, tracks 2, 1, 3,
 * 4. */
Test(hadara_setup, the_worked_example)
{
    hd_new(&p, 3, false);
    HD_IS(hd_of(&p)->player[1].initiative, 2);
    HD_IS(hd_coins(&p, 1), 8);
    HD_TRACKS(&p, 1, 2, 1, 3, 4);
}

/* Setup: 2 cards per player of each colour lie in the decks; no piles, 8 bonus
 * tiles, 2 of each track; no medals, colonies, statues. */
Test(hadara_setup, what_everybody_begins_with)
{
    for (int seats = 2; seats <= 5; seats++) {
        hd_new(&p, seats, false);
        for (int color = 0; color < HUES; color++) {
            HD_IS(hadara_deck(hd_of(&p), color), 2 * seats);
            HD_IS(hd_of(&p)->piles[color], 0);
        }
        for (int seat = 0; seat < seats; seat++) {
            const struct hadara_player *q = &hd_of(&p)->player[seat];
            HD_IS(q->cards, 0);
            HD_IS(q->golds, 0);
            HD_IS(q->side, SIDE_A);
            for (int track = 0; track < TRACKS; track++)
                HD_IS(hadara_tiles(q, track), 2);
        }
    }
}

/* Setup, First player: lowest initiative in epoch I, second lowest in II,
 * third lowest in III; of 2 players the lowest in I and III. */
Test(hadara_setup, first_players)
{
    static const int wanted[][3] = {{1, 0, 1},
                                    {1, 2, 0},
                                    {1, 3, 2},
                                    {4, 1, 3}};
    static const int initiative[][5] = {
        {4, 2},
        {5, 1, 3},
        {5, 1, 4, 2},
        {5, 2, 4, 3, 1},
    };
    for (int seats = 2; seats <= 5; seats++) {
        struct hd_table t = {.seats = seats, .stage = STAGE_WHEEL};
        for (int seat = 0; seat < seats; seat++)
            t.player[seat].initiative = initiative[seats - 2][seat];
        for (int epoch = 1; epoch <= 3; epoch++) {
            t.epoch = epoch;
            hd_start(&p, &t);
            HD_IS(hadara_first(hd_of(&p), epoch),
                  wanted[seats - 2][epoch - 1]);
            cr_assert(hd_acts(&p, wanted[seats - 2][epoch - 1]));
        }
    }
}

/* Setup, Extra coin: with 4 or 5 players each who is never first, with 2 the
 * one who is first only once, with 3 none. */
Test(hadara_setup, extra_coins)
{
    static const int wanted[][5] = {
        {0, 1},
        {0, 0, 0},
        {0, 0, 0, 1},
        {0, 0, 0, 1, 1},
    };
    for (int seats = 2; seats <= 5; seats++) {
        hd_new(&p, seats, false);
        for (int seat = 0; seat < seats; seat++)
            HD_IS(hd_coins(&p, seat),
                  hadara_standard[0].setup[seat][SIDE_A].coins +
                      wanted[seats - 2][seat]);
    }
}

/* [D4] The ring is known before sides are chosen, and so are all setup
 * cards. */
Test(hadara_setup, ring_and_cards_before_sides)
{
    union rules_any room;
    hd_new(&p, 4, true);
    const struct hadara *view = hd_view(&p, RULES_WATCHER, &room);
    HD_IS(view->stage, STAGE_SIDES);
    for (int i = 0; i < HADARA_STEPS; i++)
        HD_IS(view->ring[i], i);
    for (int seat = 0; seat < 4; seat++)
        HD_IS(view->player[seat].initiative, seat + 1);
}

/* The basic game has side A and asks nobody; the option is off by default. */
Test(hadara_setup, basic_game)
{
    HD_IS(R->options[0].default_value, 0);
    hd_new(&p, 2, false);
    HD_IS(hd_of(&p)->stage, STAGE_WHEEL);
    HD_REFUSED(&p, 0, "choose_side side=b", "wrong_step");
}

/* [D5] Sides are hidden until the last has chosen; only who has not chosen is
 * waited for. */
Test(hadara_setup, sides_are_hidden)
{
    union rules_any room;
    struct rules_move redacted,
        move = RULES_MOVE(CHOOSE_SIDE, SIDE_B, RULES_NONE, RULES_NONE);
    hd_new(&p, 3, true);
    rules_redact_move(R, &p.any.state, 1, &move, 0, &redacted);
    HD_IS(redacted.arg[0], RULES_HIDDEN);
    hd_do(&p, 1, "choose_side side=b");
    HD_IS(p.any.state.acting, 5);
    HD_IS(p.any.state.may, 0);
    HD_IS(hd_view(&p, 0, &room)->player[1].side, HADARA_NOTHING);
    HD_IS(hd_view(&p, RULES_WATCHER, &room)->player[1].side, HADARA_NOTHING);
    HD_IS(hd_view(&p, 1, &room)->player[1].side, SIDE_B);
    HD_TRACKS(&p, 1, 0, 0, 0, 0);
    hd_do(&p, 0, "choose_side side=a");
    hd_do(&p, 2, "choose_side side=b");
    HD_IS(hd_view(&p, 0, &room)->player[1].side, SIDE_B);
    HD_TRACKS(&p, 1, 2, 1, 4, 3);
    HD_TRACKS(&p, 2, 2, 3, 3, 2);
    HD_IS(hd_of(&p)->stage, STAGE_WHEEL);
    cr_assert(hd_acts(&p, 0));
}

/* Undo: choose_side until the last player has chosen, whatever others did. */
Test(hadara_setup, sides_can_be_taken_back)
{
    hd_new(&p, 3, true);
    hd_do(&p, 1, "choose_side side=b");
    hd_do(&p, 0, "choose_side side=a");
    cr_assert_str_eq(hd_undo(&p, 1), "yes");
    HD_IS(p.any.state.acting, 6);
    hd_do(&p, 1, "choose_side side=a");
    hd_do(&p, 2, "choose_side side=a");
    cr_assert_str_eq(hd_undo(&p, 2), "revealed");
    cr_assert_str_eq(hd_undo(&p, 1), "others_moved");
    HD_IS(hd_of(&p)->player[1].side, SIDE_A);
}

/* Default moves: side a. */
Test(hadara_setup, default_side)
{
    struct rules_move move;
    hd_new(&p, 3, true);
    rules_default_move(R, &p.any.state, 2, &move);
    HD_IS(move.verb, CHOOSE_SIDE);
    HD_IS(move.arg[0], SIDE_A);
}

/* A preview of each side is shown to the chooser alone, the extra coin in
 * it. */
Test(hadara_setup, preview_of_sides)
{
    int32_t now[PREVIEWS];
    hd_new(&p, 2, true);
    cr_assert(hadara_preview_side(hd_of(&p), 1, SIDE_B, now));
    HD_IS(now[PREVIEW_COINS], 9);
    HD_IS(now[PREVIEW_CULTURE], 4);
    HD_IS(now[PREVIEW_FOOD], 3);
    HD_IS(now[PREVIEW_POINTS], 0);
    HD_IS(now[PREVIEW_VALUE], 1);
}

/* Setup: a random setup card per player, each once; the ring in random
 * order, as all are told. */
Test(hadara_setup, chance_has_all_of_them)
{
    static const uint8_t seed[RNG_SEED_SIZE] = "setups";
    int dealt[HADARA_SETUPS] = {0}, first[HUES] = {0}, told = 0;
    struct rules_events events;
    struct rules_move move;

    for (uint64_t i = 0; i < 300; i++) {
        struct rules_setup setup = {.seats = 2};
        struct rng rng;
        union rules_any s;
        const struct hadara *h = (const struct hadara *)&s.state;
        rules_setup(R, &s.state, &setup, NULL);
        rng_init(&rng, seed, i);
        while (s.state.acting & RULES_BIT(RULES_NATURE)) {
            rules_chance(R, &s.state, &rng, &move);
            cr_assert_eq(rules_apply(R, &s.state, RULES_NATURE, &move,
                                     &events),
                         RULES_OK);
            for (int e = 0; e < events.count; e++)
                if (strcmp(R->events[events.at[e].kind].name, "ring") == 0)
                    for (int k = 0; k < HADARA_STEPS; k++, told++)
                        cr_assert_eq(events.at[e].arg[k], h->ring[k]);
        }
        cr_assert_neq(h->player[0].initiative, h->player[1].initiative);
        dealt[h->player[0].initiative - 1]++;
        first[h->ring[0]]++;
    }
    for (int i = 0; i < 5; i++) {
        cr_assert_gt(dealt[i], 30);
        cr_assert_gt(first[i], 30);
    }
    HD_IS(told, 300 * HADARA_STEPS);
}
