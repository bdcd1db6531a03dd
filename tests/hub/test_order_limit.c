/* test_order_limit.c -- an order that brings about its own next turn ends: in a game
 * made for it, whose second seat is asked again after each of its moves. */

#include <criterion/criterion.h>
#include <stdio.h>

#include "server/hub/inner.h"
#include "tests/support/test_client.h"

extern const struct rules tictactoe_rules;
static struct rules relay;
const struct rules *const rules_all[] = {&relay, NULL};

THREE_CLIENTS(order_limit, 23);

static int check(const struct rules_state *s, int seat,
                 const struct rules_move *move)
{
    (void)s, (void)seat, (void)move;
    return RULES_OK;
}

static int apply(struct rules_state *s, int seat,
                 const struct rules_move *move, struct rules_events *out)
{
    int refusal = tictactoe_rules.apply(s, seat, move, out);

    s->acting = RULES_BIT(1);
    return refusal;
}

static bool pass(const struct rules_state *s, int seat,
                 struct rules_move *move)
{
    (void)s, (void)seat;
    *move = RULES_MOVE(0, 0, RULES_NONE, RULES_NONE);
    return true;
}

static uint32_t round_of(const struct rules_state *s)
{
    (void)s;
    return 0;
}

static void make_game(void)
{
    relay = tictactoe_rules;
    relay.plies_max = 100;
    relay.check = check;
    relay.apply = apply;
    relay.pass = pass;
    relay.round = round_of;
    relay.valid = NULL;
}

/* Eight times in one change, and not once more; who has ordered is asked then, and
 * told, and plays on by hand. */
Test(order_limit, ends)
{
    make_game();
    json_t *made = test_client_ask(&d, anna, "table.create", "{s:s,s:i,s:s}",
                                   "game", "tictactoe", "seats", 2, "start",
                                   "full");
    FINE(made);
    char table[16];
    snprintf(table, sizeof(table), "%s", test_client_text(made, "table"));
    FINE(test_client_ask(&d, bert, "table.join", "{s:s}", "table", table));
    json_int_t ply = json_integer_value(
        json_object_get(test_client_view(&d, bert, table), "ply"));
    FINE(test_client_ask(&d, bert, "table.order", "{s:s,s:{s:s,s:I}}", "table",
                         table, "order", "pass", "round", "after", ply));
    FINE(test_client_move(&d, anna, table));
    json_t *view = test_client_view(&d, bert, table);
    cr_assert_eq(json_integer_value(json_object_get(view, "ply")),
                 ply + 1 + LIMIT_ORDER_MOVES);
    json_t *seat = json_array_get(json_object_get(view, "seats"), 1);
    cr_assert(json_is_true(json_object_get(seat, "acting")));
    cr_assert_eq(d.world.disk.order_count, 0, "and it is gone");
    json_t *got = test_client_ask(&d, bert, "table.get", "{s:s}", "table",
                                  table);
    FINE(got);
    cr_assert_null(json_object_get(test_client_member(got, "table"), "order"));
    FINE(test_client_move(&d, bert, table));
    view = test_client_view(&d, bert, table);
    cr_assert_eq(json_integer_value(json_object_get(view, "ply")),
                 ply + 2 + LIMIT_ORDER_MOVES, "by hand it is once");
}
