/* test_hadara_tables.c -- Hadara, the rules' chapter Numbers: what the
 * standard tables add up to, that the compiled ones are the files', and what a
 * replacement may be [D1]. */

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "tests/support/hadara_position.h"

static const struct rules *const R = &hadara_rules;

#define DATA "core/games/hadara/data/1/"

static const char *const files[] = {
    "epoch_cards", "colonies", "medals", "setup_cards", "statues",
};

/* ---- the standard tables ---------------------------------------------- */

static const struct hadara_tables *standard(void)
{
    return &hadara_standard[hadara_versions - 1];
}

/* Numbers: 162 cards = yellow, red, blue, green x 3 epochs x 10, purple 3 x
 * 14. */
Test(hadara_tables, cards_of_each_kind)
{
    int count[HADARA_EPOCHS][HUES] = {{0}}, n = 0;
    char id[32];

    while (hadara_card_words[n] != NULL)
        n++;
    HD_IS(n, 162);
    for (int card = 0; card < HADARA_CARDS; card++) {
        int color = hadara_card_color(card), e = hadara_card_epoch(card) - 1;
        snprintf(id, sizeof(id), "%s-%d-%02d", hadara_color_words[color],
                 e + 1, ++count[e][color]);
        cr_assert_str_eq(hadara_card_words[card], id);
    }
    for (int e = 0; e < HADARA_EPOCHS; e++)
        for (int color = 0; color < HUES; color++)
            HD_IS(count[e][color], color == HUE_PURPLE ? 14 : 10);
}

/* Numbers: 10 unstarred and 4 starred purple cards of each epoch, each effect
 * once, and 8 plain purple cards per epoch. */
Test(hadara_tables, effects)
{
    int count[EFFECTS] = {0};

    for (int e = 0; e < HADARA_EPOCHS; e++) {
        int starred = 0, plain = 0;
        for (int i = 0; i < CARDS_OF_EPOCH; i++) {
            int effect = standard()->card[e * CARDS_OF_EPOCH + i].effect;
            bool purple = i >= HUE_PURPLE * CARDS_OF_COLOR;
            starred += hadara_effect_starred(effect);
            plain += purple && effect == HADARA_NOTHING;
            if (effect != HADARA_NOTHING) {
                cr_assert(purple);
                HD_IS(effect / EFFECTS_PER_EPOCH, e);
                count[effect]++;
            }
        }
        HD_IS(starred, 4);
        HD_IS(plain, 8);
    }
    for (int effect = 0; effect < EFFECTS; effect++)
        HD_IS(count[effect], 1);
}

static void costs(int epoch, int color, int from, const int *wanted)
{
    int count[100] = {0};
    for (int i = 0; i < CARDS_OF_COLOR; i++)
        count[standard()
                  ->card[(epoch - 1) * CARDS_OF_EPOCH +
                         color * CARDS_OF_COLOR + i]
                  .cost]++;
    for (int i = 0; i < 4; i++)
        cr_assert_eq(count[from + i], wanted[i], "epoch %d %s cost %d", epoch,
                     hadara_color_words[color], from + i);
}

/* Numbers: costs of epoch I yellow and green 1x1 3x2 4x3 2x4, red and blue
 * 2x1 4x2 4x3; II 2x4 4x5 4x6; III 2x7 4x8 4x9; purple within 1-4, 4-6,
 * 7-9. */
Test(hadara_tables, costs_of_each_epoch)
{
    static const int many[] = {1, 3, 4, 2}, few[] = {2, 4, 4, 0};
    static const int low[] = {1, 4, 7}, high[] = {4, 6, 9};

    for (int color = 0; color < HUE_PURPLE; color++) {
        bool wide = color == HUE_YELLOW || color == HUE_GREEN;
        costs(1, color, 1, wide ? many : few);
        costs(2, color, 4, few);
        costs(3, color, 7, few);
    }
    for (int card = 0; card < HADARA_CARDS; card++) {
        int e = hadara_card_epoch(card) - 1;
        int cost = standard()->card[card].cost;
        cr_assert(cost >= low[e] && cost <= high[e], "%s",
                  hadara_card_words[card]);
    }
}

/* Numbers: 5 setup cards x 2 sides, side A's tracks sum to 10; five levels of
 * colonies, requirement 3, 9, 15, 21, 30; 4 statues. */
Test(hadara_tables, setup_cards_colonies_statues)
{
    static const int levels[] = {3, 9, 15, 21, 30};
    static const int cultures[] = {6, 12, 20, 30};

    for (int i = 0; i < HADARA_SETUPS; i++) {
        int sum = 0;
        for (int t = 0; t < TRACKS; t++)
            sum += standard()->setup[i][SIDE_A].value[t];
        HD_IS(sum, 10);
        cr_assert_gt(standard()->setup[i][SIDE_B].coins, 0);
    }
    for (int i = 0; i < HADARA_LEVELS; i++) {
        int lowest = 99;
        HD_IS(standard()->level[i].requirement, levels[i]);
        for (int copy = 0; copy < HADARA_COPIES; copy++)
            if (standard()->back[i][copy].points < lowest)
                lowest = standard()->back[i][copy].points;
        HD_IS(standard()->level[i].points, lowest);
    }
    for (int i = 0; i < HADARA_STATUES; i++)
        HD_IS(standard()->statue[i].requirement, cultures[i]);
}

/* [D1] rules.info can list which numbers are estimates: all 42 purple cards,
 * all 12 medal prices; the doubtful card; the inferred fronts. */
Test(hadara_tables, notes_tell_what_is_not_certain)
{
    char all[8192] = "";
    char id[40];

    for (int i = 0; R->notes[i] != NULL; i++) {
        strcat(all, R->notes[i]);
        strcat(all, "\n");
    }
    cr_assert_not_null(strstr(all, "epoch_cards.csv: estimate: purple-1-01"));
    cr_assert_not_null(strstr(all, "epoch_cards.csv: doubtful: green-1-06."));
    cr_assert_not_null(strstr(all, "medals.csv: estimate: 1, 2, 3."));
    cr_assert_not_null(strstr(all, "front points inferred: 2-1"));
    cr_assert_null(strstr(all, "yellow"));
    for (int e = 1; e <= HADARA_EPOCHS; e++)
        for (int i = 1; i <= CARDS_PURPLE; i++) {
            snprintf(id, sizeof(id), "purple-%d-%02d", e, i);
            cr_assert_not_null(strstr(all, id), "%s", id);
        }
}

/* ---- replacements ----------------------------------------------------- */

static char text[65536 + 100];

static void read_files(void)
{
    size_t len = 0;
    for (size_t i = 0; i < COUNT_OF(files); i++) {
        char path[100];
        snprintf(path, sizeof(path), DATA "%s.csv", files[i]);
        len += (size_t)sprintf(text + len, "[%s]\n", files[i]);
        FILE *f = fopen(path, "r");
        cr_assert_not_null(f, "%s", path);
        len += fread(text + len, 1, sizeof(text) - len - 1, f);
        fclose(f);
        text[len] = '\0';
    }
}

static struct hadara_tables tables;
static struct rules_problem problem;

static bool reads(void)
{
    memset(&tables, 0, sizeof(tables));
    return hadara_tables_read(&tables, text, strlen(text), &problem);
}

/* Puts TO in the place of the first FROM. */
static void replace(const char *from, const char *to)
{
    static char rest[sizeof(text)];
    char *at = strstr(text, from);
    cr_assert_not_null(at, "%s", from);
    strcpy(rest, at + strlen(from));
    strcpy(at, to);
    strcat(text, rest);
}

static uint32_t line_of(const char *what)
{
    uint32_t line = 1;
    const char *end = strstr(text, what);
    for (const char *at = text; at < end; at++)
        line += *at == '\n';
    return line;
}

static void refused(const char *rule, uint32_t line)
{
    cr_assert(!reads(), "accepted, not %s", rule);
    cr_assert_str_eq(problem.rule, rule);
    cr_assert_eq(problem.line, line, "%s at %u, not %u", rule, problem.line,
                 line);
    cr_assert_gt(strlen(problem.text), 10);
}

/* [D1] The compiled numbers are those of the files, and so is the asset. */
Test(hadara_tables, compiled_tables_are_the_files)
{
    read_files();
    cr_assert(reads());
    cr_assert_eq(memcmp(&tables, standard(), sizeof(tables)), 0);
    cr_assert_str_eq(text, hadara_assets[0].text);
    HD_IS(hadara_assets[0].len, strlen(text));
    cr_assert_null(hadara_assets[1].name);
}

/* A replacement: lines may end as on Windows, sections may come in any order,
 * comments and empty lines may stand between. */
Test(hadara_tables, what_is_passed_over)
{
    read_files();
    replace("[colonies]\n", "# ours\r\n\r\n[colonies]\r\n");
    replace("1,5,7,5,7,estimate\n", "1,5,7,5,7,\"we, counted\"\r\n");
    char *statues = strstr(text, "[statues]");
    char moved[sizeof(text)];
    snprintf(moved, sizeof(moved), "\xef\xbb\xbf%s", statues);
    *statues = '\0';
    strcat(moved, text);
    strcpy(text, moved);
    cr_assert(reads(), "%s %u", problem.rule, problem.line);
    cr_assert_eq(memcmp(&tables, standard(), sizeof(tables)), 0);
}

/* The last line may end with the file. */
Test(hadara_tables, end_without_a_newline)
{
    read_files();
    size_t len = strlen(text);
    cr_assert_eq(text[len - 1], '\n');
    text[len - 1] = '\0';
    cr_assert(reads(), "%s %u", problem.rule, problem.line);
    cr_assert_eq(memcmp(&tables, standard(), sizeof(tables)), 0);
}

/* A replacement has numbers 0-99, each refused with its line. */
Test(hadara_tables, numbers_are_from_0_to_99)
{
    static const char *const bad[] = {"100", "-1", "", "07", "x", "1.5"};
    char row[100];

    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        read_files();
        snprintf(row, sizeof(row), "red-1-02,red,1,%s,", bad[i]);
        replace("red-1-02,red,1,1,", row);
        refused("bad_number", line_of("red-1-02"));
    }
    read_files();
    replace("red-1-02,red,1,1,", "red-1-02,red,1,99,");
    cr_assert(reads());
    HD_IS(tables.card[hd_card("red-1-02")].cost, 99);
    replace("4,30,22,6,", "4,30,0,6,");
    cr_assert(reads());
    HD_IS(tables.statue[3].points, 0);
}

struct spoiled {
    const char *from, *to, *rule, *where;
};

/* A replacement has the same files, columns and rows, with a reason and a line
 * for whatever has not. */
Test(hadara_tables, what_is_refused)
{
    static const struct spoiled bad[] = {
        {"[medals]", "[coins]", "bad_section", "[coins]"},
        {"[medals]", "[medals", "bad_section", "[medals"},
        {"[epoch_cards]\n", "", "no_section", "id,color"},
        {"[colonies]", "[statues]", "bad_header", "level,copy"},
        {"[statues]", "[medals]", "duplicate_section", "[medals]\nstatue"},
        {"silver,gold", "gold,silver", "bad_header", "epoch,gold"},
        {"1,6,4,2,published", "1,6,4,2", "bad_columns", "1,6,4,2"},
        {"1,6,4,2,published", "1,6,4,2,a,b", "bad_columns", "1,6,4,2"},
        {"1,6,4,2,published", "1,6,4,2,\"a", "bad_columns", "1,6,4,2"},
        {"1,6,4,2,", "5,6,4,2,", "bad_name", "5,6,4,2"},
        {"1,6,4,2,", "2,6,4,2,", "duplicate_row", "2,12,8"},
        {"1,6,4,2,published\n", "", "missing_row", "[statues]"},
        {"red-1-01,red,1", "red-1-11,red,1", "bad_name", "red-1-11"},
        {"red-1-01,red,1", "red-1-01,blue,1", "bad_name", "red-1-01"},
        {"red-1-01,red,1", "red-1-01,red,2", "bad_name", "red-1-01"},
        {"red-1-01,red,1", "red-1-02,red,1", "duplicate_row",
         "red-1-02,red,1,1"},
        {"sell_bonus", "sell_more", "unknown_effect", "purple-1-09"},
        {"1,sell_bonus,0", "1,colony_coins,0", "wrong_effect", "purple-1-09"},
        {"6,0,2,2,0,2,,0,", "6,0,2,2,0,2,colony_coins,0,", "wrong_effect",
         "red-2-01"},
        {"1,sell_bonus,0", "1,sell_bonus,1", "wrong_star", "purple-1-09"},
        {"1,sell_bonus,0", "1,,1", "wrong_star", "purple-1-09"},
        {"1,sell_bonus,0", "1,food_per_green,1", "starred_effects",
         "[epoch_cards]"},
        {"0,culture_per_blue,1", "0,,0", "starred_effects", "[epoch_cards]"},
        {"2,3,9,4,1,5,", "2,3,9,4,1,6,", "fronts_differ", "2,3,9"},
        {"2,2,9,4,1,5,", "2,2,9,4,1,6,", "fronts_differ", "2,2,9"},
        {"2,2,9,4,1,5,", "2,2,9,5,1,5,", "fronts_differ", "2,2,9"},
        {"2,5,9,4,1,5,", "2,5,9,4,2,5,", "fronts_differ", "2,5,9"},
        {"2,3,9,4,1,5,", "2,3,10,4,1,5,", "fronts_differ", "2,3,10"},
        {"2,3,9,4,1,5,", "2,6,9,4,1,5,", "bad_name", "2,6,9"},
        {"4,A,9,", "4,C,9,", "bad_name", "4,C"},
        {"4,A,9,", "4,B,9,", "duplicate_row", "4,B,10"},
        {"2,10,14,7,10", "2,10\t,14,7,10", "bad_text", "2,10\t"},
    };
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        read_files();
        replace(bad[i].from, bad[i].to);
        refused(bad[i].rule, line_of(bad[i].where));
    }
    read_files();
    *strstr(text, "[statues]") = '\0';
    cr_assert(!reads());
    cr_assert_str_eq(problem.rule, "missing_section");
    text[0] = '\0';
    refused("missing_section", 1);
    strcpy(text, "\n\n");
    refused("missing_section", 2);
    memset(text, '\n', 65537);
    text[65537] = '\0';
    refused("too_long", 1);
}

static int play_out(struct rules_state *s)
{
    static const uint8_t seed[RNG_SEED_SIZE] = "tables";
    struct rules_events events;
    struct rules_move move;
    struct rng rng;
    rng_init(&rng, seed, 0);
    int plies = 0;
    for (; !rules_over(s); plies++) {
        int seat = __builtin_ctz(s->acting);
        if (seat == RULES_NATURE)
            rules_chance(R, s, &rng, &move);
        else
            rules_default_move(R, s, seat, &move);
        cr_assert_eq(rules_apply(R, s, seat, &move, &events), RULES_OK);
        cr_assert(rules_valid(R, s));
    }
    return plies;
}

/* [D1] A table keeps the numbers that it was set up with: those of a
 * replacement are part of its state, with version 0; the standard ones are
 * named by their version. */
Test(hadara_tables, numbers_are_part_of_the_state)
{
    static uint8_t bytes[2 * RULES_STATE_MAX];
    union rules_any s, back;
    const struct hadara *h = (const struct hadara *)&s.state;

    read_files();
    replace("1,A,8,3,2,1,4,", "1,A,77,3,2,1,4,");
    struct rules_setup setup = {
        .seats = 5,
        .asset = text,
        .asset_len = strlen(text),
    };
    cr_assert_eq(rules_setup(R, &s.state, &setup, &problem), RULES_OK);
    HD_IS(h->version, 0);
    size_t own = rules_encode(R, &s.state, bytes, sizeof(bytes));
    cr_assert_eq(rules_decode(R, &back.state, bytes, own), RULES_OK);
    HD_IS(((const struct hadara *)&back)->own.setup[0][SIDE_A].coins, 77);
    cr_assert_gt(play_out(&back.state), 100);

    setup.asset = NULL;
    cr_assert_eq(rules_setup(R, &s.state, &setup, NULL), RULES_OK);
    HD_IS(h->version, 1);
    size_t standard = rules_encode(R, &s.state, bytes, sizeof(bytes));
    cr_assert_lt(standard + 1000, own, "the standard numbers are not stored");
    setup.asset_name = "standard";
    cr_assert_eq(rules_setup(R, &s.state, &setup, NULL), RULES_OK);
    HD_IS(h->version, 1);

    strcpy(text, "nonsense");
    setup.asset_name = NULL;
    setup.asset = text;
    setup.asset_len = strlen(text);
    cr_assert_eq(rules_setup(R, &s.state, &setup, &problem), RULES_BAD_SETUP);
    cr_assert_str_eq(problem.rule, "no_section");
    HD_IS(problem.line, 1);
}

/* [D1] Copies of an unstarred effect add up; a second medal_discount adds
 * nothing. */
Test(hadara_tables, copies_of_effects_add_up)
{
    struct hd p;
    struct hadara_tables own = *standard();

    own.card[hd_card("purple-1-08")].effect = EFFECT_SELL_BONUS;
    own.card[hd_card("purple-2-08")].effect = EFFECT_COLONY_COINS;
    own.card[hd_card("purple-2-07")].effect = EFFECT_MEDAL_DISCOUNT;
    own.card[hd_card("purple-3-07")].effect = EFFECT_SET_POINTS;
    own.card[hd_card("purple-3-06")].effect = EFFECT_SILVER_FULL;
    cr_assert(hadara_tables_valid(&own));
    hd_start(
        &p, &(struct hd_table){
                .seats = 5,
                .stage = STAGE_COLONY,
                .epoch = 3,
                .tables = &own,
                .player = {{
                    .cards = "purple-1-08 purple-1-09 purple-2-08 purple-2-09 "
                             "purple-2-07 purple-2-10 purple-3-07 purple-3-10 "
                             "purple-3-06 purple-3-09 "
                             "yellow-1-01 red-1-01 blue-1-01 green-1-01",
                    .silver = "food military",
                }},
            });
    HD_IS(hadara_sale(hd_of(&p), &hd_of(&p)->player[0]), 6);
    HD_IS(hadara_medal_price(hd_of(&p), &hd_of(&p)->player[0], false), 10);
    HD_IS(hd_part(&p, 0, PART_EFFECTS), 8);
    HD_IS(hd_part(&p, 0, PART_SILVER),
          hd_track(&p, 0, TRACK_FOOD) + hd_track(&p, 0, TRACK_MILITARY));
    hd_do(&p, 0, "take_colony level=1 mode=plunder");
    HD_IS(hd_coins(&p, 0), 3 + 8);
}
