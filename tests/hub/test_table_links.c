/* test_table_links.c -- personal links: whoever has one sits down at a table, as
 * many as it is for and no more, whatever comes between. */

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "server/hub/limits.h"
#include "tests/support/test_client.h"

THREE_CLIENTS(table_links, 91);

static char table[16], other[16], code[64], id[16];

static json_t *at(peer_id p, const char *method)
{
    return test_client_ask(&d, p, method, "{s:s}", "table", table);
}

/* Anna's private table for four; its id in TO. */
static void make(char to[16])
{
    json_t *answer = test_client_ask(&d, anna, "table.create", "{s:s,s:i,s:b}",
                                     "game", "hadara", "seats", 4, "private",
                                     true);
    FINE(answer);
    snprintf(to, 16, "%s", test_client_text(answer, "table"));
}

/* A link to TABLE for USES; its text is in CODE, its id in ID. */
static json_t *link_to(peer_id p, int uses)
{
    json_t *answer = test_client_ask(&d, p, "table.links.create", "{s:s,s:i}",
                                     "table", table, "uses", uses);
    json_t *made = test_client_member(answer, "link");

    if (made != NULL) {
        snprintf(code, sizeof(code), "%s", test_client_text(answer, "code"));
        snprintf(id, sizeof(id), "%s",
                 json_string_value(json_object_get(made, "id")));
    }
    return answer;
}

static peer_id guest(void)
{
    peer_id p = test_client_come(&d, 0);

    FINE(test_client_ask(&d, p, "account.guest", NULL));
    return p;
}

static json_t *join(peer_id p, const char *key)
{
    return test_client_ask(&d, p, "table.join", "{s:s,s:s,s:s}", "table",
                           table, "link", code, "key", key);
}

/* How often the only link of TABLE is good still. */
static int64_t left(void)
{
    const json_t *links = test_client_member(at(anna, "table.links.list"),
                                             "links");
    cr_assert_eq(json_array_size(links), 1);
    return json_integer_value(
        json_object_get(json_array_get(links, 0), "uses"));
}

static size_t seated(void)
{
    const json_t *seats =
        json_object_get(test_client_member(at(anna, "table.get"), "table"),
                        "seats");
    size_t n = 0;

    for (size_t i = 0; i < json_array_size(seats); i++)
        n += json_is_string(json_object_get(json_array_get(seats, i), "name"));
    return n;
}

/* Who has one is told where it leads, and by whom; what it says opens nothing to
 * others. */
Test(table_links, told)
{
    make(table);
    FINE(link_to(anna, 1));
    peer_id p = test_client_come(&d, 0);
    json_t *answer = test_client_ask(&d, p, "account.link", "{s:s}", "code",
                                     code);
    cr_assert_str_eq(test_client_text(answer, "purpose"), "table");
    cr_assert_str_eq(test_client_text(answer, "by"), "anna");
    cr_assert_str_eq(json_string_value(
                         json_object_get(test_client_member(answer, "table"),
                                         "table")),
                     table);
    REASON(at(p, "table.get"), "no_such_table");
    REASON(at(bert, "table.join"), "no_such_table");
}

/* All who come at once by one for two: two get in, and the others are told why
 * not. */
Test(table_links, as_often_as_it_is_for)
{
    peer_id all[5];
    int sent[5];
    size_t in = 0, late = 0;

    make(table);
    FINE(link_to(anna, 2));
    for (int i = 0; i < 5; i++)
        all[i] = guest();
    for (int i = 0; i < 5; i++)
        sent[i] = test_client_send(&d, all[i], "table.join",
                                   json_pack("{s:s,s:s}", "table", table,
                                             "link", code));
    test_client_settle(&d);
    for (int i = 0; i < 5; i++) {
        const json_t *answer = test_client_answer(&d, sent[i]);
        bool fine = json_object_get(answer, "result") != NULL;
        in += fine;
        late += !fine && strcmp(test_client_reason(answer), "link_used") == 0;
    }
    cr_assert_eq(in, 2);
    cr_assert_eq(late, 3);
    cr_assert_eq(left(), 0);
    cr_assert_eq(seated(), 3);
}

/* Who asks again for what they have got uses nothing more; nor does who would
 * come in without. */
Test(table_links, not_used_in_vain)
{
    make(table);
    FINE(link_to(anna, 2));
    FINE(join(bert, "once"));
    FINE(join(bert, "once"));
    cr_assert_eq(left(), 1);
    REASON(join(bert, "twice"), "already_seated");
    FINE(test_client_ask(&d, anna, "table.invite", "{s:s,s:s}", "table", table,
                         "name", "carl"));
    FINE(join(carl, "once"));
    cr_assert_eq(left(), 1);
    cr_assert_eq(seated(), 3);
}

/* The disk fails as somebody sits down, and stores it all the same or not: both
 * the seat and the use are there, or neither; and asked again both, once. */
Test(table_links, disk_fails)
{
    for (unsigned limbo = 0; limbo <= 1000; limbo += 1000) {
        const char *key = limbo == 0 ? "one" : "other";
        make(table);
        FINE(link_to(anna, 1));
        d.world.fail_per_1000 = 1000;
        d.world.limbo_per_1000 = limbo;
        REASON(join(bert, key), "storage_unavailable");
        d.world.fail_per_1000 = 0;
        test_client_settle(&d);
        cr_assert_eq(left(), limbo == 0 ? 1 : 0);
        cr_assert_eq(seated(), limbo == 0 ? 1 : 2);
        FINE(join(bert, key));
        cr_assert_eq(left(), 0);
        cr_assert_eq(seated(), 2);
        REASON(join(carl, key), "link_used");
    }
}

/* One that is over, of another table, withdrawn or invented lets nobody in. */
Test(table_links, wrong)
{
    make(other);
    make(table);
    FINE(link_to(anna, 3));
    snprintf(code, sizeof(code), "%032d", 7);
    REASON(join(bert, "a"), "no_such_table");
    FINE(link_to(anna, 3));
    char is[16];
    snprintf(is, sizeof(is), "%s", table);
    snprintf(table, sizeof(table), "%s", other);
    REASON(join(bert, "b"), "no_such_table");
    snprintf(table, sizeof(table), "%s", is);
    FINE(test_client_ask(&d, anna, "table.links.revoke", "{s:s,s:s}", "table",
                         table, "link", id));
    REASON(test_client_ask(&d, anna, "table.links.revoke", "{s:s,s:s}",
                           "table", table, "link", id),
           "no_such_link");
    REASON(join(bert, "c"), "no_such_table");
    FINE(link_to(anna, 3));
    REASON(test_client_ask(&d, anna, "table.links.revoke", "{s:s,s:s}",
                           "table", other, "link", id),
           "no_such_link");
    test_client_wait(&d, LIMIT_INVITATION_MS + 1000);
    REASON(join(bert, "d"), "link_expired");
    REASON(test_client_ask(&d, bert, "account.link", "{s:s}", "code", code),
           "link_expired");
    cr_assert_eq(seated(), 1);
}

/* They are made by who made the table, before its start, and not without end. */
Test(table_links, made)
{
    FINE(test_client_create(&d, anna, json_pack("{s:s}", "password", "sesame"),
                            table));
    REASON(link_to(bert, 1), "forbidden");
    REASON(at(bert, "table.links.list"), "forbidden");
    REASON(link_to(anna, 33), "invalid_params");
    REASON(test_client_ask(&d, anna, "table.links.create", "{s:s,s:I}",
                           "table", table, "until", (json_int_t)1),
           "invalid_params");
    for (int i = 0; i < LIMIT_TABLE_LINKS; i++)
        FINE(link_to(anna, 1));
    REASON(link_to(anna, 1), "too_many_links");
    FINE(test_client_ask(&d, anna, "table.links.revoke", "{s:s,s:s}", "table",
                         table, "link", id));
    FINE(link_to(anna, 1));
    REASON(at(bert, "table.join"), "wrong_password");
    FINE(join(bert, "a"));
    REASON(link_to(anna, 1), "already_started");
    REASON(test_client_ask(&d, carl, "account.link", "{s:s}", "code", code),
           "link_used");
}

/* Whom somebody there blocks does not meet them by a link, either. */
Test(table_links, blocked)
{
    make(table);
    FINE(link_to(anna, 1));
    FINE(test_client_ask(&d, anna, "account.blocks.add", "{s:s}", "name",
                         "bert"));
    REASON(join(bert, "a"), "no_such_table");
    cr_assert_eq(left(), 1);
}
