/* test_legal.c -- legal moves that do not go into one message.
 *
 * No position of a real game that play has reached is so wide: Hacienda's
 * largest board has room for some 600 kB of water tiles.  So the hub is given one that is, as
 * wide as the core lets a game be: tic-tac-toe where one may also survey and
 * levy, which nobody does. */

#include <criterion/criterion.h>
#include <string.h>

#include "core/base.h"
#include "protocol/game_json.h"
#include "server/hub/limits.h"
#include "tests/support/test_client.h"

extern const struct rules tictactoe_rules;

enum { PLACE, SURVEY, LEVY, VERBS };
enum { SURVEYED = 110, LEVIED = 90, PLACES = 100 };

static struct rules wide;
const struct rules *const rules_all[] = {&wide, NULL};

static const struct rules_kind place_kind = {
    .name = "place",
    .form = RULES_NUMBER,
    .max = PLACES - 1,
};
static const struct rules_kind field_kind = {
    .name = "field",
    .form = RULES_NUMBER,
    .max = SURVEYED - 1,
};
static const struct rules_kind amount_kind = {
    .name = "amount",
    .form = RULES_NUMBER,
    .max = 500,
};
static struct rules_word verbs[VERBS + 1];

/* Levies stand among the surveys, so that a page may end anywhere. */
static void propose(const struct rules_state *s, int seat,
                    struct rules_list *list)
{
    tictactoe_rules.propose(s, seat, list);
    for (int field = 0; field < SURVEYED; field++)
        for (int place = 0; place < PLACES; place++) {
            rules_offer(list, &RULES_MOVE(SURVEY, field, place, RULES_NONE));
            if (field < LEVIED && place % 10 != 0)
                rules_offer_range(list, &RULES_MOVE(LEVY, field, place, field),
                                  2, 500);
        }
}

static int check(const struct rules_state *s, int seat,
                 const struct rules_move *move)
{
    return move->verb == PLACE ? tictactoe_rules.check(s, seat, move)
                               : RULES_OK;
}

static void widen(void)
{
    verbs[PLACE] = tictactoe_rules.verbs[PLACE];
    verbs[SURVEY] = (struct rules_word){
        "survey_the_country_around",
        {{"field_of_the_country", &field_kind, false},
         {"place_in_that_field", &place_kind, false}},
        false,
        "Look around.",
    };
    verbs[LEVY] = (struct rules_word){
        "levy_a_tax_upon_people_at",
        {{"field_of_the_country", &field_kind, false},
         {"place_in_that_field", &place_kind, false},
         {"amount", &amount_kind, false}},
        false,
        "Ask for money.",
    };
    wide = tictactoe_rules;
    wide.verbs = verbs;
    wide.propose = propose;
    wide.check = check;
}

static struct test_client d;
static peer_id anna, bert;
static char table[16];

static void begin(void)
{
    widen();
    test_client_open(&d, 43);
    anna = test_client_user(&d, "anna");
    bert = test_client_user(&d, "bert");
    FINE(test_client_create(&d, anna, NULL, table));
    FINE(test_client_ask(&d, bert, "table.join", "{s:s}", "table", table));
}

static void end(void)
{
    test_client_close(&d);
}

TestSuite(legal, .init = begin, .fini = end, .timeout = 600);

/* What core says of the first position, as two lists; all of it, or VERB's. */
static void expect(int verb, json_t **ret_moves, json_t **ret_ranges)
{
    static struct rules_choice choices[RULES_MOVES_MAX];
    struct rules_setup setup = {.seats = 2};
    char why[JSON_EXPECTED_MAX];
    union rules_any s;

    cr_assert_eq(rules_setup(&wide, &s.state, &setup, NULL), RULES_OK);
    size_t n = rules_legal(&wide, &s.state, 0, verb, choices, RULES_MOVES_MAX);
    cr_assert_leq(n, RULES_MOVES_MAX);
    *ret_moves = json_array();
    *ret_ranges = json_array();
    for (size_t i = 0; i < n; i++) {
        struct json_out o;
        json_out_init(&o);
        json_move(&o, NULL, &wide, &s.state, &choices[i].move);
        json_t *move = json_parse(json_out_text(&o), o.len, why);
        json_out_done(&o);
        cr_assert_not_null(move);
        if (choices[i].ranged < 0)
            json_array_append_new(*ret_moves, move);
        else
            json_array_append_new(
                *ret_ranges,
                json_pack("{s:o,s:s,s:i,s:i}", "move", move, "arg",
                          verbs[LEVY].arg[choices[i].ranged].name, "min",
                          (int)choices[i].min, "max", (int)choices[i].max));
    }
}

/* Pages of VERB's moves, or of all, put together; how many.  Each but the last
 * is well filled, though ranges are reckoned at 300 bytes, which few take. */
static size_t walk(const char *verb, json_t *moves, json_t *ranges)
{
    const json_t *next = json_true();
    json_int_t from = 0;
    size_t pages = 0;

    for (; next != NULL; pages++) {
        json_t *params = json_pack("{s:s,s:I,s:s*}", "table", table, "from",
                                   from, "verb", verb);
        json_t *page = test_client_ask_json(&d, anna, "table.legal", params);
        size_t len = d.messages[d.count - 1].len;
        FINE(page);
        cr_assert_eq(test_client_number(page, "decision"), 3);
        json_array_extend(moves, test_client_member(page, "moves"));
        json_array_extend(ranges, test_client_member(page, "ranges"));
        next = test_client_member(page, "next");
        cr_assert_leq(len, LIMIT_PAGE_BYTES + 1000);
        if (next == NULL)
            continue;
        cr_assert_gt(len, LIMIT_PAGE_BYTES / 3);
        cr_assert_gt(json_integer_value(next), from);
        from = json_integer_value(next);
    }
    return pages;
}

/* All pages together are what core says, in its order, nothing twice. */
static void same(const char *verb, int number, size_t pages_min)
{
    json_t *moves = json_array(), *ranges = json_array(), *all[2];

    cr_assert_geq(walk(verb, moves, ranges), pages_min);
    expect(number, &all[0], &all[1]);
    cr_assert_eq(json_array_size(moves), json_array_size(all[0]));
    cr_assert_eq(json_array_size(ranges), json_array_size(all[1]));
    cr_assert(json_equal(moves, all[0]) && json_equal(ranges, all[1]));
    json_decref(moves);
    json_decref(ranges);
    json_decref(all[0]);
    json_decref(all[1]);
}

Test(legal, pages_are_the_whole)
{
    same(NULL, -1, 3);
}

Test(legal, pages_of_a_verb)
{
    same(verbs[LEVY].name, LEVY, 2);
    same("place", PLACE, 1);
}

/* Behind the end is nothing; where nothing is to be decided, neither. */
Test(legal, behind_the_end)
{
    json_t *page = test_client_ask(&d, anna, "table.legal", "{s:s,s:i}",
                                   "table", table, "from", 1000000);
    cr_assert_eq(test_client_number(page, "decision"), 3);
    cr_assert_eq(json_array_size(test_client_member(page, "moves")), 0);
    cr_assert_null(test_client_member(page, "next"));
    page = test_client_ask(&d, bert, "table.legal", "{s:s,s:i}", "table",
                           table, "from", 5);
    cr_assert(json_is_null(test_client_member(page, "decision")));
    cr_assert_null(test_client_member(page, "next"));
}
