/* test_invitations.c -- invitations that are declined, or that nobody answers. */

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "server/hub/inner.h"
#include "tests/support/test_client.h"

THREE_CLIENTS(invitations, 71);

#define MINUTE_MS (60 * INT64_C(1000))

static char table[16];

static json_t *at(peer_id p, const char *method)
{
    return test_client_ask(&d, p, method, "{s:s}", "table", table);
}

/* Anna's table for three, which only those see who belong there. */
static void make(const char *invited)
{
    json_t *answer = test_client_ask(&d, anna, "table.create",
                                     "{s:s,s:i,s:b,s:[s]}", "game", "hadara",
                                     "seats", 3, "private", true, "invite",
                                     invited);
    FINE(answer);
    snprintf(table, sizeof(table), "%s", test_client_text(answer, "table"));
}

static json_t *invite(peer_id p, const char *name, int64_t until)
{
    return test_client_ask(&d, p, "table.invite", "{s:s,s:s,s:I}", "table",
                           table, "name", name, "until", (json_int_t)until);
}

/* How many me.events P has heard of KIND. */
static size_t events(peer_id p, const char *kind)
{
    size_t all, count = 0;
    json_t *last = test_client_heard(&d, p, "me.event", &all);
    const char *is = json_string_value(json_object_get(last, "kind"));

    for (size_t i = all; i > 0 && is != NULL; i = 0)
        count = strcmp(is, kind) == 0 ? all : 0;
    return count;
}

static size_t invited(peer_id p)
{
    return json_array_size(
        json_object_get(test_client_member(at(p, "table.get"), "table"),
                        "invited"));
}

/* Who declines has nothing to do with the table any more; who invited them is
 * told, once, and may ask them again. */
Test(invitations, declined)
{
    make("bert");
    FINE(test_client_ask(&d, anna, "me.watch", NULL));
    FINE(at(bert, "table.get"));
    FINE(at(bert, "table.decline"));
    cr_assert_eq(events(anna, "declined"), 1);
    cr_assert_eq(invited(anna), 0);
    REASON(at(bert, "table.get"), "no_such_table");
    REASON(at(bert, "table.decline"), "no_such_table");
    cr_assert_eq(d.world.disk.tables[0]->invited_count, 0);
    cr_assert_eq(events(anna, "declined"), 1);
    FINE(invite(anna, "bert", d.world.now_ms + MINUTE_MS));
    FINE(at(bert, "table.join"));
}

/* Of a seat that was kept for who declines the next one gets it. */
Test(invitations, kept_seat)
{
    FINE(test_client_create(&d, anna, NULL, table));
    FINE(at(bert, "table.join"));
    FINE(at(bert, "table.resign"));
    json_t *answer = at(anna, "table.rematch");
    FINE(answer);
    snprintf(table, sizeof(table), "%s", test_client_text(answer, "table"));
    test_client_wait(&d, LIMIT_INVITATION_MS + 2 * MINUTE_MS);
    cr_assert_eq(invited(anna), 1, "one to play again is answered whenever");
    FINE(at(bert, "table.decline"));
    FINE(at(carl, "table.join"));
}

/* Who is not invited, sits there or comes too late is told so, and nothing
 * changes. */
Test(invitations, not_declined)
{
    FINE(test_client_create(&d, anna,
                            json_pack("{s:[s],s:s}", "invite", "bert", "start",
                                      "manual"),
                            table));
    REASON(at(carl, "table.decline"), "no_invitation");
    REASON(at(anna, "table.decline"), "already_seated");
    FINE(at(bert, "table.join"));
    REASON(at(bert, "table.decline"), "already_seated");
    FINE(at(bert, "table.leave"));
    FINE(at(carl, "table.join"));
    FINE(at(anna, "table.start"));
    REASON(at(bert, "table.decline"), "already_started");
    cr_assert_eq(d.world.disk.tables[0]->invited_count, 1);
}

/* Nobody answers: it is there to its time and no minute and a half longer, and
 * who made it is told, wherever the table is. */
Test(invitations, over)
{
    int64_t until = d.world.now_ms + 20 * MINUTE_MS;

    make("carl");
    REASON(invite(anna, "bert", d.world.now_ms), "invalid_params");
    cr_assert_eq(invited(anna), 1);
    FINE(invite(anna, "bert", until));
    json_t *got = test_client_member(at(bert, "table.get"), "table");
    cr_assert_eq(json_integer_value(json_object_get(got, "invited_until")),
                 until);
    got = test_client_member(at(anna, "table.get"), "table");
    cr_assert_null(json_object_get(got, "invited_until"));
    FINE(test_client_ask(&d, anna, "me.watch", NULL));
    test_client_wait(&d, until - d.world.now_ms - 1000);
    FINE(at(bert, "table.get"));
    cr_assert_eq(events(anna, "expired"), 0);
    test_client_wait(&d, 3 * MINUTE_MS / 2);
    REASON(at(bert, "table.get"), "no_such_table");
    cr_assert_eq(events(anna, "expired"), 1);
    FINE(at(carl, "table.get"));
    test_client_wait(&d, LIMIT_INVITATION_MS);
    REASON(at(carl, "table.get"), "no_such_table");
    cr_assert_eq(d.world.disk.tables[0]->invited_count, 0);
    cr_assert_eq(events(anna, "expired"), 2);
}

/* Who has sat down is told to nobody, and stays. */
Test(invitations, over_for_who_sits)
{
    make("bert");
    FINE(at(bert, "table.join"));
    FINE(test_client_ask(&d, anna, "me.watch", NULL));
    test_client_wait(&d, LIMIT_INVITATION_MS + 2 * MINUTE_MS);
    cr_assert_eq(d.world.disk.tables[0]->invited_count, 0);
    cr_assert_eq(events(anna, "expired"), 0);
    FINE(at(bert, "table.leave"));
}

/* A game that has begun keeps those who may look on. */
Test(invitations, over_when_begun)
{
    json_t *answer = test_client_ask(&d, anna, "table.create",
                                     "{s:s,s:i,s:b,s:[s,s]}", "game",
                                     "tictactoe", "seats", 2, "private", true,
                                     "invite", "bert", "carl");
    FINE(answer);
    snprintf(table, sizeof(table), "%s", test_client_text(answer, "table"));
    FINE(at(bert, "table.join"));
    test_client_wait(&d, LIMIT_INVITATION_MS + 2 * MINUTE_MS);
    FINE(at(carl, "table.watch"));
}
