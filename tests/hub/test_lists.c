/* test_lists.c -- lists in pages, what they show of whom, what is unread. */

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "server/hub/limits.h"
#include "tests/support/test_client.h"

THREE_CLIENTS(lists, 31);
static char table[16];

static json_t *at(peer_id p, const char *method)
{
    return test_client_ask(&d, p, method, "{s:s}", "table", table);
}

static void create(peer_id p, const char *key, json_t *value)
{
    json_t *more = json_object();

    if (key != NULL)
        json_object_set_new(more, key, value);
    FINE(test_client_create(&d, p, more, table));
}

static const char *word(const json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name));
    return text != NULL ? text : "";
}

/* Ids that were seen, each how often. */
struct seen {
    char id[512][16];
    size_t count[512], n;
};

static size_t see(struct seen *s, const json_t *list)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *id = word(json_array_get(list, i), "table");
        size_t k = 0;
        while (k < s->n && strcmp(s->id[k], id) != 0)
            k++;
        cr_assert_lt(k, 512);
        if (k == s->n)
            snprintf(s->id[s->n++], sizeof(s->id[0]), "%s", id);
        s->count[k]++;
    }
    return json_array_size(list);
}

/* All pages of METHOD, PARAMS being the first's; how many there were. */
static size_t see_all(struct seen *s, peer_id p, const char *method,
                      json_t *params)
{
    size_t pages = 0;

    for (bool more = true; more; pages++) {
        json_t *answer = test_client_ask_json(&d, p, method,
                                              json_copy(params));
        FINE(answer);
        cr_assert_gt(see(s, test_client_member(answer, "tables")), 0);
        more = test_client_member(answer, "next") != NULL;
        if (more)
            json_object_set(params, "after",
                            test_client_member(answer, "next"));
    }
    json_decref(params);
    return pages;
}

/* Each list has every table once, whatever the size of its pages. */
Test(lists, pages)
{
    for (int i = 0; i < 23; i++)
        create(anna, NULL, NULL);
    for (int limit = 1; limit <= 24; limit += 5) {
        struct seen all = {.n = 0}, mine = {.n = 0};
        cr_assert_eq(see_all(&all, bert, "table.list",
                             json_pack("{s:i}", "limit", limit)),
                     (size_t)(23 + limit - 1) / (size_t)limit);
        see_all(&mine, anna, "me.tables", json_pack("{s:i}", "limit", limit));
        cr_assert(all.n == 23 && mine.n == 23);
        for (size_t i = 0; i < 23; i++)
            cr_assert(all.count[i] == 1 && mine.count[i] == 1);
    }
    static const char *const places[] = {"x",
                                         "aaaaaaaaaaaab",
                                         "w12-",
                                         "c-aaaaaaaaaaaab",
                                         "z12-aaaaaaaaaaaab",
                                         "w12-aaaaaaaaaaaabb"};
    for (size_t i = 0; i < 6; i++) {
        REASON(test_client_ask(&d, anna, "me.tables", "{s:s}", "after",
                               places[i]),
               "invalid_params");
        REASON(test_client_ask(&d, anna, "me.watch", "{s:s}", "after",
                               places[i]),
               "invalid_params");
    }
    REASON(test_client_ask(&d, anna, "table.list", "{s:s}", "after", "x"),
           "invalid_params");
}

/* me.watch has them all, page by page, though meanwhile a table that was last
 * on a page is over and others change: of those a me.event tells. */
Test(lists, me_watch_in_pages)
{
    struct seen seen = {.n = 0};
    enum { MINE = LIMIT_TABLES - 10, INVITED = 50 };

    for (int i = 0; i < MINE; i++)
        create(anna, NULL, NULL);
    for (int i = 0; i < INVITED; i++)
        create(bert, "invite", json_pack("[s]", "anna"));
    json_t *first = test_client_ask(&d, anna, "me.watch", NULL);
    FINE(first);
    const json_t *list = test_client_member(first, "tables");
    cr_assert_eq(see(&seen, list), LIMIT_FOLLOWED);
    json_t *next = test_client_member(first, "next");
    cr_assert_not_null(next);
    /* The one that the next page would begin behind goes. */
    const json_t *last = json_array_get(list, LIMIT_FOLLOWED - 1);
    snprintf(table, sizeof(table), "%s", word(last, "table"));
    FINE(at(anna, "table.leave"));
    test_client_settle(&d);
    json_t *second = test_client_ask(&d, anna, "me.watch", "{s:O}", "after",
                                     next);
    FINE(second);
    see(&seen, test_client_member(second, "tables"));
    cr_assert_null(test_client_member(second, "next"));
    cr_assert_eq(seen.n, MINE + INVITED);
    for (size_t i = 0; i < seen.n; i++)
        cr_assert_eq(seen.count[i], 1);
    size_t told;
    create(bert, "invite", json_pack("[s]", "anna"));
    test_client_heard(&d, anna, "me.event", &told);
    cr_assert_eq(told, 1, "one subscription");
}

/* With `since`, what has ended since is there, too, and what ended before is
 * not. */
Test(lists, me_watch_since)
{
    char over[2][16];
    int64_t seq = 0;

    for (int i = 0; i < 2; i++) {
        create(anna, NULL, NULL);
        FINE(at(bert, "table.join"));
        FINE(at(bert, "table.resign"));
        snprintf(over[i], sizeof(over[i]), "%s", table);
        if (i == 0) {
            d.world.now_ms += 1000;
            seq = test_client_number(test_client_ask(&d, anna, "me.watch",
                                                     NULL),
                                     "seq");
            d.world.now_ms += 1000;
        }
    }
    create(anna, NULL, NULL);
    json_t *answer = test_client_ask(&d, anna, "me.watch", "{s:I}", "since",
                                     (json_int_t)seq);
    const json_t *list = test_client_member(answer, "tables");
    cr_assert_eq(json_array_size(list), 2);
    for (size_t i = 0; i < 2; i++)
        cr_assert_str_neq(word(json_array_get(list, i), "table"), over[0]);
    answer = test_client_ask(&d, anna, "me.watch", NULL);
    cr_assert_eq(json_array_size(test_client_member(answer, "tables")), 1);
}

/* me.next is the table that waits longest, or none. */
Test(lists, next)
{
    char first[16];

    cr_assert(json_is_null(
        test_client_member(test_client_ask(&d, anna, "me.next", NULL),
                           "table")));
    create(anna, NULL, NULL);
    FINE(at(bert, "table.join"));
    memcpy(first, table, sizeof(first));
    d.world.now_ms += 1000;
    create(anna, NULL, NULL);
    FINE(at(bert, "table.join"));
    json_t *answer = test_client_ask(&d, anna, "me.next", NULL);
    cr_assert_str_eq(test_client_text(answer, "table"), first);
    answer = test_client_ask(&d, bert, "me.next", NULL);
    cr_assert(json_is_null(test_client_member(answer, "table")));
}

static json_int_t unread(peer_id p)
{
    const json_t *list = test_client_member(test_client_ask(&d, p, "me.tables",
                                                            NULL),
                                            "tables");
    return json_integer_value(
        json_object_get(json_array_get(list, 0), "unread"));
}

static void say(peer_id p, const char *room)
{
    FINE(test_client_ask(&d, p, "table.chat", "{s:s,s:s,s:s}", "table", table,
                         "text", "well", "room", room));
}

/* What is unread can be read: a player is not told of talk beside the table
 * until their game is over. */
Test(lists, unread)
{
    create(anna, NULL, NULL);
    FINE(at(bert, "table.join"));
    say(anna, "table");
    say(carl, "spectators");
    say(bert, "table");
    cr_assert_eq(unread(anna), 1);
    cr_assert_eq(unread(bert), 1);
    FINE(test_client_ask(&d, anna, "table.read", "{s:s,s:i}", "table", table,
                         "text", 1));
    say(carl, "spectators");
    cr_assert_eq(unread(anna), 1);
    FINE(at(anna, "table.resign"));
    json_t *mine = test_client_ask(&d, anna, "me.tables", "{s:s}", "state",
                                   "finished");
    cr_assert_eq(json_integer_value(json_object_get(
                     json_array_get(test_client_member(mine, "tables"), 0),
                     "unread")),
                 3);
}

/* The names of those who are invited are there for who belongs there, also
 * when the table was out of memory; others see none. */
Test(lists, invited)
{
    create(anna, "private", json_true());
    FINE(test_client_ask(&d, anna, "table.invite", "{s:s,s:s}", "table", table,
                         "name", "bert"));
    d.world.config.idle_table_ms = 1000;
    hub_configure(d.world.hub, &d.world.config);
    for (int i = 0; i < 2; i++) {
        const json_t *got = test_client_member(at(bert, "table.get"), "table");
        const json_t *names = json_object_get(got, "invited");
        cr_assert_eq(json_array_size(names), 1);
        cr_assert_str_eq(json_string_value(json_array_get(names, 0)), "bert");
        struct hub_counts counts;
        test_client_wait(&d, 5000);
        hub_counts(d.world.hub, &counts);
        cr_assert_eq(counts.tables, 0, "out of memory");
    }
    REASON(at(carl, "table.get"), "no_such_table");
    json_t *list = test_client_ask(&d, bert, "table.list", NULL);
    cr_assert_eq(json_array_size(test_client_member(list, "tables")), 1);
    list = test_client_ask(&d, carl, "table.list", NULL);
    cr_assert_eq(json_array_size(test_client_member(list, "tables")), 0);
}

/* Lists are chosen from: by state, by game, one's own; who has no account has
 * none of their own. */
Test(lists, filters)
{
    create(anna, NULL, NULL);
    create(bert, NULL, NULL);
    FINE(at(carl, "table.join"));
    FINE(test_client_ask(&d, bert, "table.create", "{s:s,s:i}", "game",
                         "hacienda", "seats", 2));
    static const struct {
        const char *key, *value;
        size_t count;
    } cases[] = {
        {"state", "open", 2},     {"state", "playing", 1},
        {"state", "finished", 0}, {"state", "abandoned", 0},
        {"game", "tictactoe", 2}, {"game", "hacienda", 1},
        {"game", "greement", 0},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        json_t *list = test_client_ask(&d, carl, "table.list", "{s:s}",
                                       cases[i].key, cases[i].value);
        cr_assert_eq(json_array_size(test_client_member(list, "tables")),
                     cases[i].count, "%s", cases[i].value);
    }
    json_t *mine = test_client_ask(&d, carl, "table.list", "{s:b}", "mine", 1);
    cr_assert_eq(json_array_size(test_client_member(mine, "tables")), 1);
    REASON(test_client_ask(&d, test_client_come(&d, 0), "table.list", "{s:b}",
                           "mine", 1),
           "not_authenticated");
    REASON(test_client_ask(&d, carl, "table.list", "{s:s}", "game", "chess"),
           "no_such_game");
}

/* Where there is more to do than one answer holds, it goes on with `from`: all
 * pages together are what may be done, each once. */
Test(lists, legal_in_pages)
{
    json_t *made = test_client_ask(&d, anna, "table.create",
                                   "{s:s,s:i,s:{s:{s:i,s:i}}}", "game",
                                   "hacienda", "seats", 2, "board", "generate",
                                   "columns", 40, "rows", 22);
    FINE(made);
    snprintf(table, sizeof(table), "%s", test_client_text(made, "table"));
    FINE(at(bert, "table.join"));
    peer_id first = anna; /* chance says who begins */
    json_t *whole = at(first, "table.legal");
    if (json_array_size(test_client_member(whole, "moves")) == 0)
        whole = at(first = bert, "table.legal");
    FINE(whole);
    size_t n = json_array_size(test_client_member(whole, "moves"));
    cr_assert_gt(n, 0);
    /* The rest from any place on is the end of the whole. */
    for (size_t from = 0; from <= n + 1; from += n / 3 + 1) {
        json_t *rest = test_client_ask(&d, first, "table.legal", "{s:s,s:I}",
                                       "table", table, "from",
                                       (json_int_t)from);
        const json_t *moves = test_client_member(rest, "moves");
        cr_assert_eq(json_array_size(moves), from < n ? n - from : 0);
        for (size_t i = 0; i < json_array_size(moves); i++)
            cr_assert(
                json_equal(json_array_get(moves, i),
                           json_array_get(test_client_member(whole, "moves"),
                                          from + i)));
    }
    REASON(test_client_ask(&d, first, "table.legal", "{s:s,s:s}", "table",
                           table, "verb", "castle"),
           "invalid_params");
}
