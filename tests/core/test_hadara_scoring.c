/* test_hadara_scoring.c -- Hadara, the rules' chapters Final scoring and
 * Purple effects: what cards do to tracks and points, and who wins. */

#include <criterion/criterion.h>
#include <string.h>

#include "core/base.h"
#include "tests/support/hadara_position.h"

static const struct rules *const R = &hadara_rules;
static struct hd p;

static void start(const char *cards, const char *silver, int golds, int coins)
{
    hd_start_last(&p, &(struct hd_player){.cards = cards,
                                          .silver = silver,
                                          .golds = golds,
                                          .coins = coins});
}

#define SET_1 "yellow-1-01 red-1-01 blue-1-01 green-1-01 purple-1-01 "
#define SET_2 "yellow-2-02 red-2-02 blue-2-02 green-2-02 purple-2-02 "
#define SET_3 "yellow-3-03 red-3-03 blue-3-03 green-3-03 purple-3-03 "

/* Points of cards; 1 point per 5 coins left, rounded down [D17]. */
Test(hadara_scoring, cards_and_coins)
{
    static const int coins[] = {0, 4, 5, 9, 10, 104};
    static const int points[] = {0, 0, 1, 1, 2, 20};
    start(SET_1, "", 0, 0);
    HD_IS(hd_part(&p, 0, PART_CARDS), 3 + 1 + 2 + 2 + 2);
    for (size_t i = 0; i < COUNT_OF(coins); i++) {
        start("", "", 0, coins[i]);
        HD_IS(hd_part(&p, 0, PART_COINS), points[i]);
    }
}

/* Worked example: military 30: silver 15 (31: 16). */
Test(hadara_scoring, silver_medals)
{
#define MILITARY_30 \
    "red-3-01 red-3-03 red-3-06 red-3-02 red-3-05 red-2-06 " \
    "red-2-02"
    start(MILITARY_30, "military", 0, 0);
    HD_IS(hd_track(&p, 0, TRACK_MILITARY), 30);
    HD_IS(hd_part(&p, 0, PART_SILVER), 15);
    start(MILITARY_30 " red-1-02", "military", 0, 0);
    HD_IS(hd_part(&p, 0, PART_SILVER), 16);
    start(MILITARY_30 " red-1-02", "military military", 0, 0);
    HD_IS(hd_part(&p, 0, PART_SILVER), 32);
}

/* silver_full: one own silver medal scores the full track; [D13] the one on
 * the highest track. */
Test(hadara_scoring, silver_full)
{
    start("purple-3-09 red-3-06", "food military", 0, 0);
    HD_TRACKS(&p, 0, 2, 6, 3, 4);
    HD_IS(hd_part(&p, 0, PART_SILVER), 2 + 6);
    start("purple-3-09 green-3-07", "food military", 0, 0);
    HD_TRACKS(&p, 0, 2, 1, 3, 9);
    HD_IS(hd_part(&p, 0, PART_SILVER), 9 + 1);
    start("purple-3-09", "", 0, 0);
    HD_IS(hd_part(&p, 0, PART_SILVER), 0);
}

/* Worked example: 3 sets: gold 21, two golds 42 (14 per set), set_points
 * 12. */
Test(hadara_scoring, gold_medals)
{
    start(SET_1 SET_2 SET_3, "", 1, 0);
    HD_IS(hd_part(&p, 0, PART_GOLD), 21);
    HD_IS(hd_part(&p, 0, PART_EFFECTS), 0);
    start(SET_1 SET_2 SET_3, "", 2, 0);
    HD_IS(hd_part(&p, 0, PART_GOLD), 42);
    start(SET_1 SET_2 SET_3 "purple-3-10", "", 0, 0);
    HD_IS(hd_part(&p, 0, PART_GOLD), 0);
    HD_IS(hd_part(&p, 0, PART_EFFECTS), 12);
    start("yellow-1-01 red-1-01 blue-1-01 green-1-01", "", 2, 0);
    HD_IS(hd_part(&p, 0, PART_GOLD), 0);
}

/* wild_colour: in one set for any one colour, for gold medals only; [D14]
 * instead of purple, not besides, whichever is more. */
Test(hadara_scoring, wild_colour)
{
    /* Instead of the missing yellow card; purple-1-01 is the purple one. */
    start("red-1-01 blue-1-01 green-1-01 purple-1-01 purple-3-12", "", 1, 0);
    HD_IS(hd_part(&p, 0, PART_GOLD), 7);
    /* Not besides: it is the only purple card. */
    start("red-1-01 blue-1-01 green-1-01 purple-3-12", "", 1, 0);
    HD_IS(hd_part(&p, 0, PART_GOLD), 0);
    /* As the purple card, when that is more. */
    start("yellow-1-01 red-1-01 blue-1-01 green-1-01 purple-3-12", "", 2, 0);
    HD_IS(hd_part(&p, 0, PART_GOLD), 14);
    /* One set only: two yellow cards are missing. */
    start("red-1-01 blue-1-01 green-1-01 purple-1-01 red-1-02 blue-1-02 "
          "green-1-02 purple-1-02 purple-3-12",
          "", 1, 0);
    HD_IS(hd_part(&p, 0, PART_GOLD), 7);
    /* For one colour only: yellow and red are missing. */
    start("blue-1-01 green-1-01 purple-1-01 purple-3-12", "", 1, 0);
    HD_IS(hd_part(&p, 0, PART_GOLD), 0);
    /* Not for set_points. */
    start("red-1-01 blue-1-01 green-1-01 purple-3-10 purple-3-12", "", 1, 0);
    HD_IS(hd_part(&p, 0, PART_GOLD), 7);
    HD_IS(hd_part(&p, 0, PART_EFFECTS), 0);
}

/* culture_per_blue ...: track + number of owned cards of that colour; [D2] a
 * removed blue card takes the + 1, too. */
Test(hadara_scoring, effects_per_colour)
{
    start("purple-1-11 blue-1-01 blue-1-02", "", 0, 0);
    HD_TRACKS(&p, 0, 2, 1, 3 + 3 + 1 + 2, 4);
    start("purple-1-12 yellow-1-01 yellow-1-09", "", 0, 0);
    HD_TRACKS(&p, 0, 2 + 2 + 2, 1, 3, 4);
    start("purple-1-13 green-1-03", "", 0, 0);
    HD_TRACKS(&p, 0, 2, 1, 3, 4 + 3 + 1);
    start("purple-1-14 red-1-01", "", 0, 0);
    HD_TRACKS(&p, 0, 2, 1 + 3 + 1, 3, 4);
    start("purple-1-11 blue-1-01 blue-1-02 red-1-01 red-1-02", "", 0, 0);
    hd_do(&p, 0, "remove card=blue-1-02");
    HD_TRACKS(&p, 0, 2, 1 + 3 + 1, 3 + 3 + 1, 4);
    start("purple-1-11 blue-1-01 blue-1-02 red-1-01 red-1-02", "", 0, 0);
    hd_do(&p, 0, "remove card=purple-1-11");
    HD_TRACKS(&p, 0, 2, 1 + 3 + 1, 3 + 3 + 1, 4);
}

/* sell_bonus: + 1 coin whenever one sells a card: 3, 4, 5. */
Test(hadara_scoring, sell_bonus)
{
    for (int epoch = 1; epoch <= 3; epoch++) {
        hd_start(&p, &(struct hd_table){
                         .seats = 3,
                         .stage = STAGE_TAKE,
                         .epoch = epoch,
                         .turn = 0,
                         .player = {{.cards = "purple-1-09"}, {.cards = ""}},
                     });
        HD_IS(hadara_sale(hd_of(&p), &hd_of(&p)->player[0]), epoch + 2);
        HD_IS(hadara_sale(hd_of(&p), &hd_of(&p)->player[1]), epoch + 1);
    }
}

/* sell_bonus when choosing, too. */
Test(hadara_scoring, sell_bonus_when_choosing)
{
    hd_start(&p, &(struct hd_table){
                     .seats = 2,
                     .stage = STAGE_WHEEL,
                     .epoch = 2,
                     .player = {{.cards = "purple-1-09"}},
                 });
    hd_want(&p, "yellow-2-01 yellow-2-02 red-2-01 red-2-02");
    hd_do(&p, 1, "set_wheel offset=0");
    hd_do(&p, 0, "choose discard=yellow-2-01 keep=sell");
    hd_do(&p, 1, "choose discard=red-2-01 keep=sell");
    HD_IS(hd_coins(&p, 0), 4);
    HD_IS(hd_coins(&p, 1), 3);
}

static void draw_bonus_tile(const char *statues, const char *silver)
{
    hd_start(
        &p, &(struct hd_table){
                .seats = 2,
                .stage = STAGE_WHEEL,
                .epoch = 1,
                .player = {{.coins = 8, .statues = statues, .silver = silver}},
            });
    hd_want(&p, "purple-1-10 purple-1-09 yellow-1-01 yellow-1-02");
    hd_do(&p, 0, "set_wheel offset=4");
}

/* bonus_tile: when bought, one unused own tile lies faceup on it: that track
 * + 2. [D11] Required while one has an unused tile. */
Test(hadara_scoring, bonus_tile)
{
    draw_bonus_tile("1food", "food");
    HD_REFUSED(&p, 0, "choose discard=purple-1-09 keep=buy", "tile_needed");
    HD_REFUSED(&p, 0, "choose discard=purple-1-09 keep=buy tile=food",
               "no_tile");
    HD_REFUSED(&p, 0, "choose discard=purple-1-09 keep=sell tile=culture",
               "tile_not_needed");
    HD_REFUSED(&p, 0, "choose discard=purple-1-10 keep=buy tile=culture",
               "tile_not_needed");
    HD_IS(hd_legal(&p, 0, -1), 3 + 1 + 2);
    hd_do(&p, 0, "choose discard=purple-1-09 keep=buy tile=culture");
    HD_TRACKS(&p, 0, 3, 2, 1, 4 + 2);
    hd_do(&p, 1, "choose discard=yellow-1-01 keep=sell");
    HD_TRACKS(&p, 0, 3, 2, 1 + 2, 4 + 2);
    HD_IS(hadara_tiles(&hd_of(&p)->player[0], TRACK_CULTURE), 1);
}

/* bonus_tile: removing the card gives the tile back and takes the 2 steps. */
Test(hadara_scoring, bonus_tile_given_back)
{
    start("purple-1-10 red-1-01 red-1-02 red-1-03 red-1-04", "", 0, 0);
    hd_of(&p)->player[0].card_tile[0] = TRACK_MILITARY;
    int military = hd_track(&p, 0, TRACK_MILITARY);
    HD_IS(hadara_tiles(&hd_of(&p)->player[0], TRACK_MILITARY), 1);
    hd_do(&p, 0, "remove card=purple-1-10");
    HD_IS(hd_track(&p, 0, TRACK_MILITARY), military - 2);
    HD_IS(hadara_tiles(&hd_of(&p)->player[0], TRACK_MILITARY), 2);
}

/* [D11] Bought without a tile (a replacement table may have many such cards),
 * it has no effect. */
Test(hadara_scoring, bonus_tile_without_a_tile)
{
    hd_start(&p, &(struct hd_table){
                     .seats = 2,
                     .stage = STAGE_TAKE,
                     .epoch = 1,
                     .piles = "purple-1-10",
                     .player = {{.coins = 8,
                                 .statues = "1income 2income 3military "
                                            "4military",
                                 .silver = "culture culture",
                                 .cards = "purple-1-01 purple-1-02"}},
                 });
    struct hadara_player *q = &hd_of(&p)->player[0];
    HD_REFUSED(&p, 0, "take color=purple keep=buy", "tile_needed");
    q->card_tile[0] = q->card_tile[1] = TRACK_FOOD;
    HD_REFUSED(&p, 0, "take color=purple keep=buy tile=food", "no_tile");
    HD_LEGAL(&p, 0, "take color=purple keep=buy");
    q->card_tile[0] = q->card_tile[1] = HADARA_NOTHING;
    hd_do(&p, 0, "take color=purple keep=buy tile=food");
    HD_IS(q->card_tile[2], TRACK_FOOD);
}

/* income_per_higher_track: at income 2 coins for each other track higher than
 * the income track. */
Test(hadara_scoring, income_per_higher_track)
{
    hd_start(&p,
             &(struct hd_table){
                 .seats = 2,
                 .stage = STAGE_TAKE,
                 .epoch = 3,
                 .advanced = true,
                 .player = {{.cards = "purple-2-11 red-1-02", .initiative = 2},
                            {.cards = "", .initiative = 1}},
             });
    HD_TRACKS(&p, 0, 2, 2, 3, 4); /* two are higher, one is as high */
    int first = hadara_first(hd_of(&p), 3);
    for (int i = 0; i < 10; i++) {
        int color = 0;
        char text[] = "take color=purple keep=sell";
        while (hd_of(&p)->piles[color] == 0)
            color++;
        strcpy(text, "take color=");
        strcat(text, hadara_color_words[color]);
        strcat(text, " keep=sell");
        hd_do(&p, (first + i) % 2, text);
    }
    HD_IS(hd_coins(&p, 0), 5 * 4 + 2 + 2 * 2);
}

/* Most points win; tie: most coins; then shared [D17]. */
Test(hadara_scoring, places)
{
    struct rules_score score;
    hd_start(&p, &(struct hd_table){
                     .seats = 5,
                     .stage = STAGE_FEED,
                     .epoch = 3,
                     .player = {{.coins = 3},
                                {.coins = 1},
                                {.coins = 3},
                                {.cards = "red-1-06"},
                                {.coins = 4}},
                 });
    p.any.state.acting = 1;
    hd_do(&p, 0, "done");
    cr_assert(rules_over(&p.any.state));
    rules_score(R, &p.any.state, &score);
    HD_IS(score.place[3], 1);
    HD_IS(score.place[4], 2);
    HD_IS(score.place[0], 3);
    HD_IS(score.place[2], 3);
    HD_IS(score.place[1], 5);
}

/* Current points (cards, colonies, statues) and the value if the game ended
 * now are public at all times for everyone. */
Test(hadara_scoring, points_and_value_are_public)
{
    struct rules_score true_score, seen;
    union rules_any view;
    int32_t now[PREVIEWS];
    start(SET_1, "military", 1, 11);
    hadara_now(hd_of(&p), &hd_of(&p)->player[0], now);
    HD_IS(now[PREVIEW_POINTS], hd_points(&p, 0));
    HD_IS(now[PREVIEW_VALUE], hd_value(&p, 0));
    HD_IS(now[PREVIEW_VALUE], 10 + 2 + 7 + 2);
    rules_score(R, &p.any.state, &true_score);
    hd_view(&p, RULES_WATCHER, &view);
    rules_score(R, &view.state, &seen);
    cr_assert_eq(memcmp(&true_score, &seen, sizeof(seen)), 0);
}
