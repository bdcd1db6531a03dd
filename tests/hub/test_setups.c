/* test_setups.c -- table.create: every setup that is refused is refused in
 * English, as people at a terminal read it, and [H24] Crucible's board and
 * option bring each other. */

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "core/ascii.h"
#include "core/base.h"
#include "core/rules.h"
#include "protocol/refusal.h"
#include "tests/support/test_client.h"

static struct test_client d;
static peer_id maker;
static int makers, made; /* tables by the last of them */
static size_t refusals;

static void begin(void)
{
    test_client_open(&d, 24);
}

static void end(void)
{
    test_client_close(&d);
}

TestSuite(setups, .init = begin, .fini = end);

/* Asks for the table, by somebody who has not made too many; GAME's parameters
 * are SETUP's. */
static json_t *create(const char *game, json_t *setup)
{
    json_t *answer;
    char name[16];

    if (makers == 0 || made == 100) {
        snprintf(name, sizeof(name), "maker%d", makers++);
        maker = test_client_user(&d, name);
        made = 0;
    }
    json_object_set_new(setup, "game", json_string(game));
    for (;;) {
        answer = test_client_ask_json(&d, maker, "table.create",
                                      json_incref(setup));
        if (strcmp(test_client_reason(answer), "rate_limited") != 0)
            break;
        test_client_wait(&d, 10000);
    }
    json_decref(setup);
    made += test_client_reason(answer)[0] == '\0';
    return answer;
}

/* ---- what English looks like ------------------------------------------- */

/* Words that would tell of two sentences in one, of a value that was left out,
 * or of a phrase where a sentence belongs. */
static const char *const odd[] = {
    "..",        " .", "  ", "(null)", "expected .", "expected a sentence",
    "Expected ",
};

static bool is_great(char c)
{
    return ascii_lower(c) != c;
}

static void reads_as_english(json_t *answer)
{
    char text[1024];

    if (test_client_reason(answer)[0] == '\0')
        return;
    refusal_text(json_object_get(answer, "error"), NULL, text, sizeof(text));
    size_t len = strlen(text);
    cr_assert(len > 10 && (is_great(text[0]) || text[0] == '['), "%s", text);
    cr_assert_eq(text[len - 1], '.', "%s", text);
    for (size_t i = 0; i < COUNT_OF(odd); i++)
        cr_assert_null(strstr(text, odd[i]), "'%s' in: %s", odd[i], text);
    const char *phrase = strstr(text, "expected ");
    if (phrase != NULL)
        cr_assert(!is_great(phrase[9]), "%s", text);
    refusals++;
}

/* ---- what is asked for -------------------------------------------------- */

/* Options of all kinds that are none, and values that they do not have. */
static void wrong_options(const struct rules *r)
{
    static const char *const values[] = {"-1",   "0",  "100", "99999", "\"x\"",
                                         "true", "[]", "{}",  "null"};

    for (size_t i = 0;; i++) {
        const char *name = r->options[i].name;
        for (size_t v = 0; v < COUNT_OF(values); v++) {
            json_t *options = json_object();
            json_object_set_new(options, name != NULL ? name : "nonsense",
                                json_loads(values[v], JSON_DECODE_ANY, NULL));
            reads_as_english(
                create(r->name, json_pack("{s:i,s:o}", "seats", r->seats_min,
                                          "options", options)));
        }
        if (name == NULL)
            return;
    }
}

/* Boards that are none, or not of this game; files and recipes with one thing
 * wrong. */
static const char *const boards[] = {
    "\"atlantis\"",
    "\"symmetric\"",
    "{\"builtin\":\"atlantis\"}",
    "{\"haz\":\"\"}",
    "{\"haz\":\"[Control]\\nVersion=GRHIG0101\\n\"}",
    "{\"haz\":\"[Control]\\nVersion=2\\n\"}",
    "{\"haz\":\"nonsense\"}",
    "{\"haz\":\"[Control]\\nVersion=GRHIG0101\\nColCount=1\\nRowCount=2\\n"
    "[Hex]\\n1=2\\n\"}",
    "{\"haz\":\"[Control]\\nVersion=GRHIG0101\\nColCount=1\\nRowCount=2\\n"
    "[Hex]\\n1=77\\n\"}",
    "{\"haz\":7}",
    "{\"generate\":{\"columns\":2}}",
    "{\"generate\":{\"columns\":-2}}",
    "{\"generate\":{\"columns\":9999,\"rows\":9999}}",
    "{\"generate\":{\"columns\":14,\"symmetry\":\"half_turn\"}}",
    "{\"generate\":{\"symmetry\":\"mirror\"}}",
    "{\"generate\":{\"land_percent\":99}}",
    "{\"generate\":{\"void_percent\":99}}",
    "{\"generate\":{\"markets\":0}}",
    "{\"generate\":{\"markets\":200}}",
    "{\"generate\":{\"waters\":10}}",
    "{\"generate\":{\"waters\":\"x\"}}",
    "{\"generate\":{\"nonsense\":1}}",
    "{\"generate\":7}",
    "{\"nonsense\":1}",
    "{}",
    "[]",
    "7",
};

/* Every game's numbers of seats, options and boards that cannot be: each
 * refusal is made of whole sentences, and says "expected" of a thing only. */
Test(setups, refusals_are_english)
{
    for (size_t g = 0; rules_all[g] != NULL; g++) {
        const struct rules *r = rules_all[g];
        for (int seats = -1; seats <= 9; seats++)
            reads_as_english(
                create(r->name, json_pack("{s:i}", "seats", seats)));
        wrong_options(r);
        for (size_t b = 0; b < COUNT_OF(boards); b++)
            reads_as_english(create(
                r->name,
                json_pack("{s:i,s:o}", "seats", r->seats_min, "board",
                          json_loads(boards[b], JSON_DECODE_ANY, NULL))));
    }
    cr_assert_gt(refusals, 200);
}

/* The number of seats is told by the game: "Hacienda is for 2 to 5 players." */
Test(setups, seats_are_told)
{
    char text[512];
    json_t *answer = create("hacienda", json_pack("{s:i}", "seats", 6));

    REASON(answer, "bad_setup");
    refusal_text(json_object_get(answer, "error"), NULL, text, sizeof(text));
    cr_assert_str_eq(text, "Hacienda is for 2 to 5 players.");
    answer = create("tictactoe", json_pack("{s:i}", "seats", 3));
    refusal_text(json_object_get(answer, "error"), NULL, text, sizeof(text));
    cr_assert_str_eq(text, "Tic-tac-toe is for 2 players.");
}

/* ---- [H24] -------------------------------------------------------------- */

/* Option (-1: unsaid), board (NULL: unsaid), seats, and variant 1. */
static json_t *crucible(int option, const char *board, int seats, bool variant)
{
    json_t *options = json_object(),
           *setup = json_pack("{s:i}", "seats", seats);
    if (option >= 0)
        json_object_set_new(options, "crucible", json_boolean(option));
    if (variant)
        json_object_set_new(options, "variant1", json_true());
    json_object_set_new(setup, "options", options);
    if (board != NULL)
        json_object_set_new(setup, "board",
                            json_pack("{s:s}", "builtin", board));
    return create("hacienda", setup);
}

/* [H24] Option or board alone, or both: the table has both, and says so. */
Test(setups, crucible_is_implied)
{
    static const struct {
        int option;
        const char *board;
    } ways[] = {{1, NULL}, {-1, "crucible"}, {1, "crucible"}};

    for (size_t i = 0; i < COUNT_OF(ways); i++) {
        json_t *answer = crucible(ways[i].option, ways[i].board, 2, false);
        FINE(answer);
        json_t *table = test_client_member(
            test_client_ask(&d, maker, "table.get", "{s:s}", "table",
                            test_client_text(answer, "table")),
            "table");
        cr_assert(json_is_true(
            json_object_get(json_object_get(table, "options"), "crucible")));
        cr_assert_str_eq(json_string_value(
                             json_object_get(json_object_get(table, "board"),
                                             "builtin")),
                         "crucible");
    }
}

/* [H24] With another board, number of players or a variant it is refused, and
 * so is its board without it, in a sentence about the Crucible. */
Test(setups, crucible_goes_with_nothing_else)
{
    static const struct {
        int option;
        const char *board;
        int seats;
        bool variant;
        const char *sentence;
    } wrong[] = {
        {1, "symmetric", 2, false,
         "The Crucible is played on its own board only."},
        {1, NULL, 3, false, "The Crucible is for 2 players."},
        {-1, "crucible", 5, false, "The Crucible is for 2 players."},
        {1, NULL, 2, true, "The Crucible goes with no other variant."},
        {-1, "crucible", 2, true, "The Crucible goes with no other variant."},
        {0, "crucible", 2, false,
         "The board Crucible is for the game Crucible only."},
    };
    char text[512];

    for (size_t i = 0; i < COUNT_OF(wrong); i++) {
        json_t *answer = crucible(wrong[i].option, wrong[i].board,
                                  wrong[i].seats, wrong[i].variant);
        REASON(answer, "bad_setup");
        refusal_text(json_object_get(answer, "error"), NULL, text,
                     sizeof(text));
        cr_assert_str_eq(text, wrong[i].sentence);
    }
}

/* ---- boards that are made ------------------------------------------------ */

/* The board of a table made by RECIPE, which has a seed. */
static const char *made_board(const char *recipe)
{
    json_t *board = json_loads(recipe, 0, NULL);
    json_t *answer = create("hacienda", json_pack("{s:i,s:{s:o}}", "seats", 2,
                                                  "board", "generate", board));
    answer = test_client_ask(&d, maker, "table.get", "{s:s}", "table",
                             test_client_text(answer, "table"));
    return json_string_value(
        json_object_get(test_client_member(answer, "table"), "board_text"));
}

static void at_a_time(uint64_t effort)
{
    d.world.config.turn_effort = effort;
    hub_configure(d.world.hub, &d.world.config);
}

/* A board is made a little in each turn of the loop, and is the same however
 * little that is. */
Test(setups, boards_in_slices)
{
    static const char recipe[] = "{\"columns\":22,\"rows\":40,"
                                 "\"markets\":64,\"seed\":3}";

    at_a_time(UINT64_C(1) << 40);
    const char *whole = made_board(recipe);
    at_a_time(100);
    cr_assert_str_eq(made_board(recipe), whole);
    json_t *setup = json_pack("{s:s,s:i,s:{s:o}}", "game", "hacienda", "seats",
                              2, "board", "generate",
                              json_loads(recipe, 0, NULL));
    int id = test_client_send(&d, maker, "table.create", setup);
    int turns = 0;
    for (; test_client_answer(&d, id) == NULL; turns++)
        world_step(&d.world);
    cr_assert_gt(turns, 50, "%d", turns);
}

/* Who leaves in the middle leaves nothing behind (which the sanitizers see). */
Test(setups, nobody_waits_for_the_board)
{
    at_a_time(100);
    cr_assert_not_null(made_board("{\"seed\":1}"));
    json_t *setup = json_pack("{s:s,s:i,s:{s:{}}}", "game", "hacienda",
                              "seats", 2, "board", "generate");
    int id = test_client_send(&d, maker, "table.create", setup);
    while (!hub_works(d.world.hub))
        world_step(&d.world);
    world_step(&d.world);
    hub_close(d.world.hub, maker, d.world.now_ms);
    test_client_settle(&d);
    cr_assert_null(test_client_answer(&d, id));
    cr_assert_not(hub_works(d.world.hub));
}
