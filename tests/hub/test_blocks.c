/* test_blocks.c -- people who do not want to meet: at no new table, whoever of the
 * two comes second, and so that who is blocked cannot tell. */

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "server/hub/limits.h"
#include "tests/support/test_client.h"

THREE_CLIENTS(blocks, 83);

static char table[16];

static json_t *at(peer_id p, const char *method)
{
    return test_client_ask(&d, p, method, "{s:s}", "table", table);
}

static void block(peer_id p, const char *name)
{
    FINE(test_client_ask(&d, p, "account.blocks.add", "{s:s}", "name", name));
}

static void unblock(peer_id p, const char *name)
{
    FINE(test_client_ask(&d, p, "account.blocks.remove", "{s:s}", "name",
                         name));
}

static json_t *invite(peer_id p, const char *name)
{
    return test_client_ask(&d, p, "table.invite", "{s:s,s:s}", "table", table,
                           "name", name);
}

/* P makes a table of Hadara for four. */
static void make_large(peer_id p)
{
    json_t *answer = test_client_ask(&d, p, "table.create", "{s:s,s:i}",
                                     "game", "hadara", "seats", 4);
    FINE(answer);
    snprintf(table, sizeof(table), "%s", test_client_text(answer, "table"));
}

/* How many tables METHOD lists for P. */
static size_t listed(peer_id p, const char *method)
{
    return json_array_size(
        test_client_member(test_client_ask(&d, p, method, NULL), "tables"));
}

static size_t heard(peer_id p, const char *method)
{
    size_t n;

    test_client_heard(&d, p, method, &n);
    return n;
}

/* Whom one blocks one knows oneself; nobody blocks a bot, nobody, or themselves. */
Test(blocks, own)
{
    block(anna, "Carl");
    block(anna, "bert");
    block(anna, "bert");
    json_t *list = test_client_member(
        test_client_ask(&d, anna, "account.blocks.list", NULL), "blocks");
    cr_assert_eq(json_array_size(list), 2);
    cr_assert_str_eq(json_string_value(
                         json_object_get(json_array_get(list, 0), "name")),
                     "bert");
    list = test_client_member(test_client_ask(&d, bert, "account.blocks.list",
                                              NULL),
                              "blocks");
    cr_assert_eq(json_array_size(list), 0);
    REASON(test_client_ask(&d, anna, "account.blocks.add", "{s:s}", "name",
                           "nobody"),
           "no_such_user");
    REASON(test_client_ask(&d, anna, "account.blocks.add", "{s:s}", "name",
                           "Anna"),
           "invalid_params");
    unblock(anna, "bert");
    unblock(anna, "bert");
    REASON(test_client_ask(&d, anna, "account.blocks.remove", "{s:s}", "name",
                           "nobody"),
           "no_such_user");
}

/* As many as one may, and no more; again is fine. */
Test(blocks, as_many_as_one_may)
{
    char name[16];

    for (int i = 0; i < LIMIT_BLOCKS; i++) {
        snprintf(name, sizeof(name), "p%d", i);
        test_client_user(&d, name);
        block(anna, name);
    }
    REASON(test_client_ask(&d, anna, "account.blocks.add", "{s:s}", "name",
                           "bert"),
           "too_many_blocked");
    block(anna, "p0");
}

/* To whom the one who sits there blocks the table is as a private one: not only
 * for a join, with a password or without, but in all; also for who was invited. */
Test(blocks, hidden_from_the_blocked)
{
    static const char *const methods[] = {
        "table.get", "table.watch",  "table.join",  "table.texts",
        "table.at",  "table.record", "table.leave",
    };
    FINE(test_client_create(&d, anna, json_pack("{s:[s]}", "invite", "bert"),
                            table));
    FINE(at(bert, "table.get"));
    cr_assert_eq(listed(bert, "me.tables"), 1);
    block(anna, "bert");
    cr_assert_eq(listed(bert, "table.list"), 0);
    cr_assert_eq(listed(bert, "me.tables"), 0);
    cr_assert_eq(listed(carl, "table.list"), 1);
    for (size_t i = 0; i < sizeof(methods) / sizeof(*methods); i++) {
        json_t *params = json_pack("{s:s}", "table", table);
        if (strcmp(methods[i], "table.at") == 0)
            json_object_set_new(params, "ply", json_integer(0));
        REASON(test_client_ask_json(&d, bert, methods[i], params),
               "no_such_table");
    }
    REASON(test_client_ask(&d, bert, "table.join", "{s:s,s:s}", "table", table,
                           "password", "guess"),
           "no_such_table");
    FINE(at(carl, "table.get"));
    FINE(at(carl, "table.join"));
    FINE(at(bert, "table.watch"));
    unblock(anna, "bert");
    cr_assert_eq(listed(bert, "table.list"), 1);
}

/* Its password opens the table to nobody whom a block keeps out. */
Test(blocks, no_password_helps)
{
    FINE(test_client_create(&d, anna, json_pack("{s:s}", "password", "sesame"),
                            table));
    block(anna, "bert");
    REASON(test_client_ask(&d, bert, "table.join", "{s:s,s:s}", "table", table,
                           "password", "sesame"),
           "no_such_table");
    unblock(anna, "bert");
    block(bert, "anna");
    REASON(test_client_ask(&d, bert, "table.join", "{s:s,s:s}", "table", table,
                           "password", "sesame"),
           "blocked");
    unblock(bert, "anna");
    FINE(test_client_ask(&d, bert, "table.join", "{s:s,s:s}", "table", table,
                         "password", "sesame"));
}

/* Who blocks is told why they cannot join, unless they are blocked themselves. */
Test(blocks, told_to_who_blocks)
{
    FINE(test_client_create(&d, anna, NULL, table));
    block(bert, "anna");
    cr_assert_eq(listed(bert, "table.list"), 0);
    FINE(at(bert, "table.get"));
    REASON(at(bert, "table.join"), "blocked");
    block(anna, "bert");
    REASON(at(bert, "table.join"), "no_such_table");
}

/* Whoever watched an open table sees no more of it from when a block keeps them
 * from it: as they are blocked, or as one sits down who blocks them. */
Test(blocks, watchers)
{
    make_large(anna);
    FINE(at(carl, "table.watch"));
    FINE(at(bert, "table.watch"));
    block(bert, "carl");
    FINE(at(bert, "table.join"));
    test_client_settle(&d);
    cr_assert_eq(heard(bert, "table.update"), 1);
    cr_assert_eq(heard(carl, "table.update"), 0);
    REASON(at(carl, "table.watch"), "no_such_table");

    peer_id dora = test_client_user(&d, "dora");
    FINE(at(dora, "table.watch"));
    block(anna, "dora");
    FINE(at(bert, "table.leave"));
    cr_assert_eq(heard(bert, "table.update"), 2);
    cr_assert_eq(heard(dora, "table.update"), 0);
}

/* What they play already goes on, at an open table, too. */
Test(blocks, what_there_is_goes_on)
{
    FINE(test_client_create(&d, anna, json_pack("{s:s}", "start", "manual"),
                            table));
    FINE(at(bert, "table.join"));
    block(anna, "bert");
    FINE(at(bert, "table.get"));
    FINE(at(anna, "table.start"));
    FINE(test_client_move(&d, anna, table));
    FINE(test_client_move(&d, bert, table));
}

/* Nobody invites whom they block; who is blocked is answered as ever, and nobody
 * hears of it, though a third one is at the table. */
Test(blocks, invitations)
{
    FINE(test_client_ask(&d, anna, "me.watch", NULL));
    FINE(test_client_ask(&d, bert, "me.watch", NULL));
    block(anna, "bert");
    FINE(test_client_create(&d, anna, NULL, table));
    REASON(invite(anna, "bert"), "blocked");
    REASON(test_client_create(&d, anna, json_pack("{s:[s]}", "invite", "bert"),
                              table),
           "blocked");
    FINE(test_client_create(&d, bert, json_pack("{s:[s]}", "invite", "anna"),
                            table));
    REASON(at(anna, "table.join"), "blocked");
    FINE(test_client_create(&d, bert, NULL, table));
    FINE(invite(bert, "anna"));
    REASON(invite(bert, "anna"), "already_invited");
    cr_assert_eq(listed(anna, "me.tables"), 1, "her own");
    make_large(carl);
    FINE(at(bert, "table.join"));
    FINE(invite(carl, "anna"));
    test_client_settle(&d);
    cr_assert_eq(heard(anna, "me.event"), 0);
    cr_assert_eq(heard(bert, "me.event"), 0);
}

/* Whoever asks for a rematch hears if they block somebody; who is blocked asks
 * nobody, and cannot tell. */
Test(blocks, rematch)
{
    FINE(test_client_create(&d, anna, NULL, table));
    FINE(at(bert, "table.join"));
    FINE(at(bert, "table.resign"));
    block(anna, "bert");
    FINE(test_client_ask(&d, anna, "me.watch", NULL));
    REASON(at(anna, "table.rematch"), "blocked");
    size_t before = listed(anna, "me.tables");
    json_t *answer = at(bert, "table.rematch");
    FINE(answer);
    cr_assert(json_is_true(test_client_member(answer, "made")));
    test_client_settle(&d);
    cr_assert_eq(heard(anna, "me.event"), 0);
    cr_assert_eq(listed(anna, "me.tables"), before);
}

/* Anna plays with Dora and misses a turn, so that her seat is offered. */
static void offer(peer_id dora)
{
    json_t *time = json_pack("{s:{s:i},s:{s:i,s:s}}", "pace", "free", 60,
                             "misses", "excused", 0, "then", "open");

    FINE(test_client_create(&d, anna, time, table));
    FINE(at(dora, "table.join"));
    FINE(test_client_move(&d, anna, table));
    FINE(test_client_move(&d, dora, table));
    for (int s = 0; s < 63; s++)
        test_client_wait(&d, 1000);
}

/* Nobody takes a seat where who blocks them plays, or whom they block; but that of
 * such a one they may. */
Test(blocks, seats_offered)
{
    peer_id dora = test_client_user(&d, "dora");
    json_t *list;

    offer(dora);
    block(dora, "bert");
    block(carl, "dora");
    list = test_client_ask(&d, bert, "table.list", "{s:b}", "offered", true);
    cr_assert_eq(json_array_size(test_client_member(list, "tables")), 0);
    REASON(test_client_ask(&d, bert, "table.take", "{s:s,s:i}", "table", table,
                           "seat", 0),
           "not_offered");
    REASON(test_client_ask(&d, carl, "table.take", "{s:s,s:i}", "table", table,
                           "seat", 0),
           "blocked");
    unblock(dora, "bert");
    block(anna, "bert");
    FINE(test_client_ask(&d, bert, "table.take", "{s:s,s:i}", "table", table,
                         "seat", 0));
}

/* Who blocks somebody is told nothing of what they say, also while both look on;
 * others are, and who is blocked reads all. */
Test(blocks, texts)
{
    make_large(anna);
    FINE(at(bert, "table.join"));
    FINE(at(carl, "table.join"));
    block(anna, "bert");
    FINE(at(anna, "table.watch"));
    FINE(at(carl, "table.watch"));
    FINE(test_client_ask(&d, anna, "me.watch", NULL));
    FINE(test_client_ask(&d, bert, "table.chat", "{s:s,s:s}", "table", table,
                         "text", "hello"));
    test_client_settle(&d);
    cr_assert_eq(heard(anna, "table.chat"), 0);
    cr_assert_eq(heard(anna, "me.event"), 0);
    cr_assert_eq(heard(carl, "table.chat"), 1);
    cr_assert_eq(json_array_size(
                     test_client_member(at(anna, "table.texts"), "texts")),
                 0);
    FINE(test_client_ask(&d, anna, "table.chat", "{s:s,s:s}", "table", table,
                         "text", "hello"));
    cr_assert_eq(json_array_size(
                     test_client_member(at(bert, "table.texts"), "texts")),
                 2);
    unblock(anna, "bert");
    cr_assert_eq(json_array_size(
                     test_client_member(at(anna, "table.texts"), "texts")),
                 2);
}

/* A block and a join at once: whichever is stored first, they do not both sit down
 * with the block before. */
Test(blocks, at_once)
{
    FINE(test_client_create(&d, anna, NULL, table));
    int first = test_client_send(&d, bert, "table.join",
                                 json_pack("{s:s}", "table", table));
    int second = test_client_send(&d, anna, "account.blocks.add",
                                  json_pack("{s:s}", "name", "bert"));
    test_client_settle(&d);
    FINE(test_client_answer(&d, second));
    const char *reason = test_client_reason(test_client_answer(&d, first));
    cr_assert(strcmp(reason, "") == 0 || strcmp(reason, "no_such_table") == 0,
              "%s", reason);
}
