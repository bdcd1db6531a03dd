/* test_news.c -- two hubs on one store: what is done at one of them is true at
 * the other, heard of there, and counts at once. */

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "server/hub/inner.h"
#include "server/hub/outbox_inner.h"
#include "tests/support/test_client.h"

static struct test_client here, elsewhere;
static peer_id anna, bert, carl; /* Anna is here, the others elsewhere */
static char table[16];

static void share(struct test_client *d)
{
    d->world.config.shared = true;
    hub_configure(d->world.hub, &d->world.config);
    test_client_wait(d, 1000);
}

static peer_id log_in_elsewhere(const char *name)
{
    peer_id p = test_client_come(&elsewhere, 0);

    FINE(test_client_ask(&elsewhere, p, "session.login", "{s:s,s:s}", "name",
                         name, "password", "password"));
    return p;
}

/* What is stored here is heard of elsewhere. */
static void hear(void)
{
    test_client_settle(&here);
    hub_news(elsewhere.world.hub, elsewhere.world.now_ms);
    test_client_settle(&elsewhere);
}

/* The ply that P is shown. */
static int64_t shown(struct test_client *d, peer_id p)
{
    return json_integer_value(
        json_object_get(test_client_view(d, p, table), "ply"));
}

/* The last one that is stored. */
static int64_t stored(void)
{
    return (int64_t)here.world.disk.tables[0]->ply_count - 1;
}

static void begin(void)
{
    test_client_open(&here, 7);
    test_client_open(&elsewhere, 8);
    elsewhere.world.home = &here.world;
    share(&here);
    share(&elsewhere);
    anna = test_client_user(&here, "anna");
    (void)test_client_user(&here, "bert");
    (void)test_client_user(&here, "carl");
    bert = log_in_elsewhere("bert");
    carl = log_in_elsewhere("carl");
    FINE(test_client_create(&here, anna, NULL, table));
    FINE(test_client_ask(&elsewhere, bert, "table.join", "{s:s}", "table",
                         table));
    FINE(test_client_ask(&elsewhere, carl, "table.watch", "{s:s}", "table",
                         table));
    FINE(test_client_ask(&elsewhere, bert, "me.watch", "{}"));
    test_client_settle(&elsewhere);
}

static void end(void)
{
    test_client_close(&elsewhere);
    test_client_close(&here);
}

TestSuite(news, .init = begin, .fini = end, .timeout = 600);

/* Who watches elsewhere is sent what leads on from what they have; whose turn it
 * is there is told so. */
Test(news, watched_elsewhere)
{
    size_t before, after;
    (void)test_client_heard(&elsewhere, carl, "table.update", &before);
    FINE(test_client_move(&here, anna, table));
    hear();
    json_t *update = test_client_heard(&elsewhere, carl, "table.update",
                                       &after);
    cr_assert_eq(after, before + 1);
    cr_assert_eq(json_integer_value(json_object_get(update, "ply")), stored());
    json_t *event = test_client_heard(&elsewhere, bert, "me.event", &after);
    cr_assert_str_eq(json_string_value(json_object_get(event, "kind")),
                     "turn");
    hear();
    (void)test_client_heard(&elsewhere, carl, "table.update", &after);
    cr_assert_eq(after, before + 1, "once");
}

/* Nobody who comes elsewhere is told that it is not their turn yet, or shown what
 * was: though nothing was heard there. */
Test(news, heard_before_it_is_refused)
{
    for (int i = 0; i < 2; i++) {
        FINE(test_client_move(&here, anna, table));
        FINE(test_client_move(&elsewhere, bert, table));
    }
    cr_assert_eq(shown(&here, anna), stored());
    cr_assert_eq(shown(&elsewhere, bert), stored());
}

/* A move that memory says nothing against is not asked about first. */
Test(news, a_move_asks_nothing)
{
    FINE(test_client_move(&here, anna, table));
    json_t *legal = test_client_ask(&elsewhere, bert, "table.legal", "{s:s}",
                                    "table", table);
    size_t handled = elsewhere.world.handled;
    FINE(test_client_ask(&elsewhere, bert, "table.move", "{s:s,s:O,s:O}",
                         "table", table, "decision",
                         test_client_member(legal, "decision"), "move",
                         json_array_get(test_client_member(legal, "moves"),
                                        0)));
    cr_assert_eq(elsewhere.world.handled, handled + 1, "but to be stored");
}

/* What is said here is read there, and answered by the next number. */
Test(news, texts)
{
    size_t count;

    FINE(test_client_ask(&here, anna, "table.chat", "{s:s,s:s}", "table",
                         table, "text", "first"));
    hear();
    json_t *text = test_client_heard(&elsewhere, carl, "table.chat", &count);
    cr_assert_eq(count, 1);
    cr_assert_str_eq(json_string_value(json_object_get(text, "body")),
                     "first");
    json_t *said = test_client_ask(&elsewhere, bert, "table.chat", "{s:s,s:s}",
                                   "table", table, "text", "second");
    cr_assert_eq(test_client_number(said, "text"), 2);
}

/* The bodies of all texts that P, elsewhere, was told of, in order: "-" for one
 * that was taken away. */
static const char *told(peer_id p)
{
    static char all[400];

    all[0] = '\0';
    for (size_t i = 0; i < elsewhere.count; i++) {
        const json_t *text = elsewhere.messages[i].text;
        const char *method = json_string_value(
            json_object_get(text, "method"));
        if (elsewhere.messages[i].peer != p || method == NULL ||
            strcmp(method, "table.chat") != 0)
            continue;
        const char *body = json_string_value(
            json_object_get(json_object_get(text, "params"), "body"));
        size_t len = strlen(all);
        snprintf(all + len, sizeof(all) - len, "%s%s", len > 0 ? " " : "",
                 body != NULL ? body : "-");
    }
    return all;
}

static json_t *say(struct test_client *d, peer_id p, const char *text)
{
    return test_client_ask(d, p, "table.chat", "{s:s,s:s}", "table", table,
                           "text", text);
}

/* What is said between two hearings is told in its order, once; so is what
 * somebody's own words were too late for. */
Test(news, texts_in_order)
{
    FINE(say(&here, anna, "one"));
    FINE(say(&here, anna, "two"));
    FINE(say(&here, anna, "three"));
    hear();
    cr_assert_str_eq(told(carl), "one two three");
    FINE(say(&here, anna, "four"));
    FINE(say(&elsewhere, bert, "five"));
    FINE(say(&here, anna, "six"));
    hear();
    hear();
    cr_assert_str_eq(told(carl), "one two three four five six");
}

/* What is taken away is, there, too. */
Test(news, removed)
{
    peer_id admin = test_client_admin(&here);

    FINE(say(&here, anna, "one"));
    FINE(say(&here, anna, "two"));
    FINE(test_client_ask(&here, admin, "admin.texts.remove", "{s:s,s:i}",
                         "table", table, "text", 1));
    hear();
    cr_assert_str_eq(told(carl), "- two -");
}

/* A store that cannot tell what was said leaves nobody with a gap: they come
 * again. */
Test(news, what_was_said_cannot_be_told)
{
    FINE(say(&here, anna, "one"));
    test_client_settle(&here);
    hub_news(elsewhere.world.hub, elsewhere.world.now_ms);
    while (elsewhere.world.hub->news.seen < here.world.disk.news_last)
        cr_assert(world_step(&elsewhere.world));
    elsewhere.world.deaf_per_1000 = 1000;
    test_client_settle(&elsewhere);
    elsewhere.world.deaf_per_1000 = 0;
    cr_assert(elsewhere.cut[carl]);
}

/* Nobody is answered before all is heard that one answer of the store tells: not
 * after its first line, of what is known already. */
Test(news, all_of_it_is_heard_first)
{
    peer_id again = log_in_elsewhere("anna");
    peer_id bert_here = test_client_come(&here, 0);

    FINE(test_client_ask(&here, bert_here, "session.login", "{s:s,s:s}",
                         "name", "bert", "password", "password"));
    json_t *legal = test_client_ask(&elsewhere, again, "table.legal", "{s:s}",
                                    "table", table);
    FINE(test_client_move(&here, anna, table));
    uint64_t seen = elsewhere.world.hub->news.seen;
    test_client_ask(&elsewhere, again, "table.move", "{s:s,s:O,s:O}", "table",
                    table, "decision", test_client_member(legal, "decision"),
                    "move",
                    json_array_get(test_client_member(legal, "moves"), 5));
    FINE(test_client_move(&here, bert_here, table));
    cr_assert_eq(elsewhere.world.hub->news.seen, seen, "though it knows more");
    cr_assert_eq(shown(&elsewhere, bert), stored());
}

/* Whose password is changed here is cut off there, and who has logged in since is
 * not; a store that cannot tell is asked again. */
Test(news, sessions)
{
    peer_id p = test_client_come(&here, 0);

    FINE(test_client_ask(&here, p, "session.login", "{s:s,s:s}", "name",
                         "bert", "password", "password"));
    FINE(test_client_ask(&here, p, "account.password", "{s:s,s:s}", "old",
                         "password", "new", "another one"));
    elsewhere.world.deaf_per_1000 = 1000;
    hear();
    cr_assert_not(elsewhere.cut[bert]);
    elsewhere.world.deaf_per_1000 = 0;
    test_client_wait(&elsewhere, 1000);
    cr_assert(elsewhere.cut[bert]);
    cr_assert_not(elsewhere.cut[carl]);
    cr_assert_not(here.cut[p]);
    peer_id again = test_client_come(&elsewhere, 0);
    FINE(test_client_ask(&elsewhere, again, "session.login", "{s:s,s:s}",
                         "name", "bert", "password", "another one"));
    hear();
    cr_assert_not(elsewhere.cut[again]);
}

/* Who is banned here is gone there; who has another name is told, and called so
 * at their table. */
Test(news, people)
{
    peer_id admin = test_client_admin(&here);
    size_t count;

    FINE(test_client_ask(&here, admin, "admin.users.ban", "{s:s}", "user",
                         "carl"));
    FINE(test_client_ask(&here, admin, "admin.users.rename", "{s:s,s:s}",
                         "user", "bert", "name", "bertram"));
    hear();
    cr_assert(elsewhere.cut[carl]);
    json_t *notice = test_client_heard(&elsewhere, bert, "server.notice",
                                       &count);
    cr_assert_eq(count, 1);
    cr_assert_str_eq(json_string_value(json_object_get(notice, "text")),
                     "You are bertram from now on.");
    char *text = json_dumps(test_client_view(&elsewhere, bert, table), 0);
    cr_assert_not_null(strstr(text, "\"bertram\""));
    free(text);
}

/* If nobody knows what was missed all that is in memory is looked at. */
Test(news, what_was_missed_is_gone)
{
    size_t before, after;

    (void)test_client_heard(&elsewhere, carl, "table.update", &before);
    FINE(test_client_move(&here, anna, table));
    here.world.disk.news_count = 0;
    here.world.disk.news_from = here.world.disk.news_last;
    hear();
    (void)test_client_heard(&elsewhere, carl, "table.update", &after);
    cr_assert_eq(after, before + 1);
}

/* Nothing is heard of what was done here. */
static void miss(void)
{
    test_client_settle(&here);
    here.world.disk.news_count = 0;
    here.world.disk.news_from = here.world.disk.news_last;
    hear();
}

/* Who watches is told of what was said and taken away in the meantime, whoever is
 * there of what concerned them; nobody of what they were told. */
Test(news, what_was_said_meanwhile)
{
    peer_id admin = test_client_admin(&here);
    size_t before, after;

    FINE(say(&here, anna, "one"));
    hear();
    (void)test_client_heard(&elsewhere, bert, "me.event", &before);
    FINE(say(&here, anna, "two"));
    FINE(say(&here, anna, "three"));
    FINE(test_client_ask(&here, admin, "admin.texts.remove", "{s:s,s:i}",
                         "table", table, "text", 1));
    FINE(test_client_move(&here, anna, table));
    miss();
    cr_assert_str_eq(told(carl), "one two three -");
    (void)test_client_heard(&elsewhere, bert, "me.event", &after);
    cr_assert_eq(after, before + 2);
    for (size_t i = 0, n = 0; i < elsewhere.count; i++) {
        const json_t *text = elsewhere.messages[i].text;
        const json_t *kind = json_object_get(json_object_get(text, "params"),
                                             "kind");
        if (elsewhere.messages[i].peer == bert && kind != NULL &&
            n++ == before)
            cr_assert_str_eq(json_string_value(kind), "turn");
    }
    FINE(say(&here, anna, "four"));
    miss();
    cr_assert_str_eq(told(carl), "one two three - four -");
}

/* More than that who watches comes again for. */
Test(news, a_lot_was_said_meanwhile)
{
    for (int i = 0; i <= LIMIT_TEXTS_MISSED; i++) {
        here.world.now_ms += 60000;
        FINE(say(&here, anna, "again"));
    }
    elsewhere.world.now_ms = here.world.now_ms;
    miss();
    cr_assert(elsewhere.cut[carl]);
    cr_assert_not(elsewhere.cut[bert]);
}

/* Nobody is shown a table that was not looked at since. */
Test(news, no_table_is_shown_before)
{
    struct news *n = &elsewhere.world.hub->news;
    uint32_t gaps = n->gaps;

    FINE(test_client_ask(&elsewhere, carl, "table.unwatch", "{s:s}", "table",
                         table));
    FINE(test_client_move(&here, anna, table));
    miss();
    cr_assert_eq(n->gaps, gaps + 1);
    size_t handled = elsewhere.world.handled;
    test_client_settle(&elsewhere);
    cr_assert_eq(elsewhere.world.handled, handled, "nobody looks there");
    FINE(test_client_move(&elsewhere, bert, table));
    cr_assert_eq(shown(&elsewhere, bert), stored());
}

/* However many people there are, the store is asked about a few at a time. */
Test(news, many_people)
{
    char name[16];
    size_t most = 0;

    for (int i = 0; i < 3 * LIMIT_LOOKS; i++) {
        snprintf(name, sizeof(name), "p%d", i);
        (void)test_client_user(&elsewhere, name);
    }
    peer_id p = test_client_come(&here, 0);
    FINE(test_client_ask(&here, p, "session.login", "{s:s,s:s}", "name", "p7",
                         "password", "password"));
    FINE(test_client_ask(&here, p, "account.password", "{s:s,s:s}", "old",
                         "password", "new", "another one"));
    test_client_settle(&here);
    here.world.disk.news_count = 0;
    here.world.disk.news_from = here.world.disk.news_last;
    hub_news(elsewhere.world.hub, elsewhere.world.now_ms);
    while (world_step(&elsewhere.world)) {
        size_t waits = world_waits(&elsewhere.world);
        most = waits > most ? waits : most;
    }
    cr_assert_leq(most, LIMIT_LOOKS + 1);
    cr_assert_geq(most, LIMIT_LOOKS);
    size_t cut = 0;
    for (peer_id i = 0; i <= elsewhere.peers; i++)
        cut += elsewhere.cut[i];
    cr_assert_eq(cut, 1, "whose password is another");
    cr_assert_eq(elsewhere.world.hub->news.accounts.count, 0);
}

/* Whom somebody blocks here sees no more of their open tables there, and what is
 * said by whom somebody there blocks they are not told. */
Test(news, blocks)
{
    size_t before, after;
    char open[16];

    FINE(test_client_create(&here, anna, NULL, open));
    FINE(test_client_ask(&elsewhere, carl, "table.watch", "{s:s}", "table",
                         open));
    FINE(test_client_ask(&here, anna, "account.blocks.add", "{s:s}", "name",
                         "carl"));
    hear();
    (void)test_client_heard(&elsewhere, carl, "table.update", &before);
    FINE(test_client_ask(&elsewhere, bert, "table.join", "{s:s}", "table",
                         open));
    hear();
    (void)test_client_heard(&elsewhere, carl, "table.update", &after);
    cr_assert_eq(after, before);
    FINE(test_client_ask(&elsewhere, carl, "account.blocks.add", "{s:s}",
                         "name", "anna"));
    FINE(say(&here, anna, "unheard"));
    hear();
    FINE(say(&elsewhere, bert, "heard"));
    cr_assert_str_eq(told(carl), "heard");
}

/* What somebody orders here they find there, and it is played there. */
Test(news, orders)
{
    peer_id again = log_in_elsewhere("anna");

    FINE(test_client_move(&here, anna, table));
    FINE(test_client_ask(&here, anna, "table.order",
                         "{s:s,s:{s:{s:s,s:s},s:I}}", "table", table, "order",
                         "move", "verb", "place", "cell", "c3", "after",
                         (json_int_t)stored()));
    json_t *got = test_client_ask(&elsewhere, again, "table.get", "{s:s}",
                                  "table", table);
    cr_assert_not_null(
        json_object_get(test_client_member(got, "table"), "order"));
    int64_t last = stored();
    FINE(test_client_move(&elsewhere, bert, table));
    cr_assert_eq(stored(), last + 2);
    cr_assert_eq(shown(&here, anna), last + 2);
}

/* A server that knows less has taken the store's place: the same. */
Test(news, another_server)
{
    struct news *n = &elsewhere.world.hub->news;

    n->seen += 1000;
    FINE(test_client_move(&here, anna, table));
    hear();
    cr_assert_eq(n->seen, here.world.disk.news_last);
    cr_assert_eq(shown(&elsewhere, bert), stored());
}

/* More than one answer holds is asked for until it is all there. */
Test(news, a_lot)
{
    size_t count;

    for (int i = 0; i < LIMIT_NEWS + 20; i++) {
        here.world.now_ms += 60000;
        FINE(test_client_ask(&here, anna, "table.chat", "{s:s,s:s}", "table",
                             table, "text", "again"));
    }
    hear();
    (void)test_client_heard(&elsewhere, carl, "table.chat", &count);
    cr_assert_eq(count, LIMIT_NEWS + 20);
}

/* ---- time ------------------------------------------------------------------- */

static const struct summary *stored_summary(void)
{
    id_num id = 0;

    cr_assert(id_read(table, &id));
    return &disk_table(&here.world.disk, id)->row.summary;
}

/* Whole seconds until bert is late. */
static int left(void)
{
    return (int)((stored_summary()->due[1] - here.world.now_ms) / 1000);
}

/* At a table of anna, here, and bert, elsewhere, with a pace, it is bert's turn. */
static void play_paced(void)
{
    json_t *pace = json_pack("{s:s,s:{s:i},s:{s:i,s:s}}", "start", "full",
                             "pace", "free", 30, "misses", "excused", 0,
                             "then", "end");

    FINE(test_client_create(&here, anna, pace, table));
    FINE(test_client_ask(&elsewhere, bert, "table.join", "{s:s}", "table",
                         table));
    FINE(test_client_move(&here, anna, table));
    test_client_settle(&here);
    test_client_settle(&elsewhere);
    cr_assert_gt(left(), 20);
}

static void pass_elsewhere(int seconds)
{
    if (elsewhere.world.now_ms < here.world.now_ms)
        elsewhere.world.now_ms = here.world.now_ms;
    for (int i = 0; i < seconds; i++)
        test_client_wait(&elsewhere, 1000);
}

static int stored_state(void)
{
    return stored_summary()->state;
}

/* How long all of them have looked by, after somebody is late. */
#define ALL_LOOK (2 + 2 * LIMIT_PATIENCE_MS / 1000 + 2)

/* Nobody waits for a server that is gone: another one, which has heard of the table
 * alone, decides whose time is up, a little later. */
Test(news, deadlines)
{
    id_num id = 0;

    play_paced();
    cr_assert(id_read(table, &id));
    hear();
    table_forget(elsewhere.world.hub, table_find(elsewhere.world.hub, id),
                 ERR_NONE);
    pass_elsewhere(left());
    cr_assert_eq(stored_state(), TABLE_PLAYING);
    pass_elsewhere(ALL_LOOK);
    cr_assert_neq(stored_state(), TABLE_PLAYING);
}

/* Nor if nobody had heard of it. */
Test(news, deadlines_missed)
{
    id_num id = 0;

    play_paced();
    cr_assert(id_read(table, &id));
    table_forget(elsewhere.world.hub, table_find(elsewhere.world.hub, id),
                 ERR_NONE);
    deadlines_drop(elsewhere.world.hub, id);
    miss();
    pass_elsewhere(left() + ALL_LOOK);
    cr_assert_neq(stored_state(), TABLE_PLAYING);
}

/* Who is there decides it, before others look, and they have nothing to look for
 * any more. */
Test(news, deadlines_decided_here)
{
    id_num id = 0;

    play_paced();
    cr_assert(id_read(table, &id));
    hear();
    for (int i = left() + 4; i > 0; i--) {
        test_client_wait(&here, 1000);
        elsewhere.world.now_ms = here.world.now_ms;
        test_client_wait(&elsewhere, 0);
    }
    cr_assert_neq(stored_state(), TABLE_PLAYING);
    hear();
    cr_assert_null(map_get(&elsewhere.world.hub->deadlines.tables, id));
}

/* Notices of two hubs, in the same milliseconds, have no number in common: one would
 * take the other's place. */
Test(news, numbers_of_notices)
{
    static uint64_t numbers[2][300];

    for (int i = 0; i < 300; i++) {
        here.world.hub->now_ms = elsewhere.world.hub->now_ms =
            INT64_C(1900000000000) + i / 100;
        numbers[0][i] = outbox_number(here.world.hub);
        numbers[1][i] = outbox_number(elsewhere.world.hub);
    }
    for (int i = 0; i < 300; i++) {
        cr_assert(i == 0 || numbers[0][i] > numbers[0][i - 1]);
        for (int k = 0; k < 300; k++)
            cr_assert_neq(numbers[0][i], numbers[1][k]);
    }
}

/* Who has a store for themselves says and asks nothing. */
Test(news, alone)
{
    struct test_client alone;
    char other[16];

    test_client_open(&alone, 9);
    peer_id p = test_client_user(&alone, "anna");
    FINE(test_client_create(&alone, p, NULL, other));
    cr_assert_eq(alone.world.disk.news_last, 0);
    size_t handled = alone.world.handled;
    FINE(test_client_ask(&alone, p, "table.get", "{s:s}", "table", other));
    cr_assert_eq(alone.world.handled, handled);
    test_client_close(&alone);
}
