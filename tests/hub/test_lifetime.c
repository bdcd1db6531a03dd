/* test_lifetime.c -- what time ends, and what it does not: sessions, open
 * tables, tables in memory. */

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "server/hub/limits.h"
#include "tests/support/test_client.h"

#define HOUR_MS (3600 * INT64_C(1000))
#define DAY_MS  (24 * HOUR_MS)

static struct test_client d;
static peer_id anna, bert;
static char table[16];

static void begin(void)
{
    test_client_open(&d, 41);
    d.world.config.session_ms = 90 * DAY_MS;
    d.world.config.open_table_ms = 30 * DAY_MS;
    d.world.config.idle_table_ms = HOUR_MS;
    hub_configure(d.world.hub, &d.world.config);
    anna = test_client_user(&d, "anna");
    bert = test_client_user(&d, "bert");
}

static void end(void)
{
    test_client_close(&d);
}

TestSuite(lifetime, .init = begin, .fini = end, .timeout = 600);

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

static const char *state(void)
{
    const json_t *got = test_client_member(at(anna, "table.get"), "table");
    const char *word = json_string_value(json_object_get(got, "state"));
    return word != NULL ? word : "";
}

static json_t *resume(const char *token)
{
    return test_client_ask(&d, test_client_come(&d, 0), "session.resume",
                           "{s:s}", "token", token);
}

/* A session's token ends after its time, used or not; one made for a bot does
 * not. */
Test(lifetime, tokens)
{
    peer_id p = test_client_come(&d, 0);
    char session[64], bot[64];
    json_t *in = test_client_ask(&d, p, "session.login", "{s:s,s:s}", "name",
                                 "anna", "password", "password");
    snprintf(session, sizeof(session), "%s", test_client_text(in, "token"));
    json_t *made = test_client_ask(&d, p, "account.tokens.create",
                                   "{s:s,s:[s]}", "label", "bot", "scopes",
                                   "read");
    snprintf(bot, sizeof(bot), "%s", test_client_text(made, "token"));
    for (int i = 0; i < 8; i++) {
        test_client_wait(&d, 11 * DAY_MS);
        FINE(resume(session));
    }
    test_client_wait(&d, 3 * DAY_MS);
    REASON(resume(session), "token_expired");
    FINE(resume(bot));
    /* Who logs in anew leaves none of the old ones behind. */
    size_t before = d.world.disk.token_count;
    p = test_client_come(&d, 0);
    FINE(test_client_ask(&d, p, "session.login", "{s:s,s:s}", "name", "anna",
                         "password", "password"));
    cr_assert_lt(d.world.disk.token_count, before);
}

/* An open table ends its time after the last thing that happened at it, also a
 * private one, and not one that is played; who sat there is told. */
Test(lifetime, open_tables)
{
    char open[16], playing[16];
    size_t told;

    create(anna, NULL, NULL);
    FINE(at(bert, "table.join"));
    memcpy(playing, table, sizeof(playing));
    create(anna, "start", json_string("manual"));
    memcpy(open, table, sizeof(open));
    create(anna, "private", json_true());
    FINE(test_client_ask(&d, anna, "me.watch", NULL));
    test_client_wait(&d, 20 * DAY_MS);
    memcpy(table, open, sizeof(open));
    FINE(at(bert, "table.join"));
    test_client_wait(&d, 11 * DAY_MS);
    test_client_wait(&d, HOUR_MS);
    const json_t *event = test_client_heard(&d, anna, "me.event", &told);
    cr_assert_str_eq(json_string_value(json_object_get(event, "kind")),
                     "abandoned");
    cr_assert_str_eq(state(), "open");
    test_client_wait(&d, 20 * DAY_MS);
    test_client_wait(&d, HOUR_MS);
    cr_assert_str_eq(state(), "abandoned");
    REASON(at(anna, "table.start"), "already_started");
    memcpy(table, playing, sizeof(playing));
    cr_assert_str_eq(state(), "playing");
}

/* However many there are, whatever crashes in between. */
Test(lifetime, many_open_tables)
{
    enum { N = 230 };

    for (int i = 0; i < N; i++)
        create(i % 2 == 0 ? anna : bert, NULL, NULL);
    test_client_wait(&d, 29 * DAY_MS);
    for (int i = 0; i < N; i++)
        cr_assert_eq(d.world.disk.tables[i]->row.summary.state, TABLE_OPEN);
    d.world.now_ms += 2 * DAY_MS;
    hub_tick(d.world.hub, d.world.now_ms);
    for (int i = 0; i < 50; i++)
        world_step(&d.world);
    world_crash(&d.world);
    test_client_wait(&d, HOUR_MS);
    for (int i = 0; i < N; i++)
        cr_assert_eq(d.world.disk.tables[i]->row.summary.state,
                     TABLE_ABANDONED, "%d", i);
}

/* A table that nobody watches leaves memory, and is the same when it comes
 * back; one that is watched stays. */
Test(lifetime, memory)
{
    struct hub_counts counts;

    create(anna, NULL, NULL);
    FINE(at(bert, "table.join"));
    json_t *view = json_deep_copy(
        test_client_member(at(anna, "table.watch"), "view"));
    test_client_wait(&d, 2 * HOUR_MS);
    hub_counts(d.world.hub, &counts);
    cr_assert_eq(counts.tables, 1);
    FINE(at(anna, "table.unwatch"));
    test_client_wait(&d, 2 * HOUR_MS);
    hub_counts(d.world.hub, &counts);
    cr_assert_eq(counts.tables, 0);
    cr_assert(
        json_equal(view, test_client_member(at(anna, "table.watch"), "view")));
    json_decref(view);
}

/* What a private table's password lets in stays in; what an invitation lets
 * see is not seen by others; notes are their writer's alone. */
Test(lifetime, private_tables)
{
    create(anna, "private", json_true());
    REASON(at(bert, "table.get"), "no_such_table");
    FINE(test_client_ask(&d, anna, "table.invite", "{s:s,s:s}", "table", table,
                         "name", "bert"));
    FINE(at(bert, "table.get"));
    FINE(at(bert, "table.join"));
    FINE(test_client_ask(&d, anna, "table.note", "{s:s,s:s}", "table", table,
                         "text", "mine"));
    FINE(at(anna, "table.resign"));
    test_client_wait(&d, 2 * HOUR_MS);
    cr_assert_str_eq(test_client_text(at(bert, "table.note"), "text"), "");
    cr_assert_str_eq(test_client_text(at(anna, "table.note"), "text"), "mine");
    FINE(test_client_ask(&d, anna, "table.note", "{s:s,s:s}", "table", table,
                         "text", ""));
    cr_assert_str_eq(test_client_text(at(anna, "table.note"), "text"), "");
    peer_id carl = test_client_user(&d, "carl");
    REASON(at(carl, "table.record"), "no_such_table");
    REASON(at(test_client_come(&d, 0), "table.watch"), "no_such_table");
    FINE(at(bert, "table.record"));
}

static void maintain(const char *text)
{
    d.world.config.maintenance = text;
    hub_configure(d.world.hub, &d.world.config);
}

static size_t guests(void)
{
    size_t n = 0;

    for (size_t i = 0; i < d.world.disk.account_count; i++)
        n += d.world.disk.accounts[i].kind == ACCOUNT_GUEST;
    return n;
}

/* While nobody can do anything about it no table is given up and no guest goes;
 * when maintenance is over they do. */
Test(lifetime, maintenance)
{
    peer_id guest = test_client_come(&d, 0);

    d.world.config.guest_ms = DAY_MS;
    maintain(NULL);
    FINE(test_client_ask(&d, guest, "account.guest", NULL));
    hub_close(d.world.hub, guest, d.world.now_ms);
    create(anna, NULL, NULL);
    maintain("To five");
    for (int day = 0; day < 40; day++)
        test_client_wait(&d, DAY_MS);
    cr_assert_str_eq(state(), "open");
    cr_assert_eq(guests(), 1);
    maintain(NULL);
    test_client_wait(&d, 2 * HOUR_MS);
    cr_assert_str_eq(state(), "abandoned");
    cr_assert_eq(guests(), 0);
}

/* ---- after a restore ------------------------------------------------------ */

/* How many plies of that kind a stored table has. */
static size_t plies_of(const struct disk_table *t, const char *kind)
{
    char wanted[64];
    size_t n = 0;

    snprintf(wanted, sizeof(wanted), "\"kind\":\"%s\"", kind);
    for (size_t i = 0; i < t->ply_count; i++)
        n += strstr(t->plies[i].line, wanted) != NULL;
    return n;
}

static size_t not_restored;

static void count_lines(struct world *w, enum host_level level,
                        const json_t *line)
{
    const char *event = json_string_value(json_object_get(line, "event"));

    (void)w;
    not_restored += level == LOG_WARNING && event != NULL &&
                    strcmp(event, "not_restored") == 0;
}

/* After a restore every table that goes on is told so once, however many there
 * are, and what is over is not; one that cannot be read is named in the log and
 * keeps nobody waiting; it is done when all are. */
Test(lifetime, restored)
{
    enum { OPEN = 130, PLAYING = 120 };
    struct disk *disk = &d.world.disk;

    d.world.config.open_table_ms = 0;
    hub_configure(d.world.hub, &d.world.config);
    for (int i = 0; i < PLAYING; i++) {
        create(anna, NULL, NULL);
        FINE(at(bert, "table.join"));
    }
    FINE(at(bert, "table.resign"));
    peer_id carl = test_client_user(&d, "carl");
    for (int i = 0; i < OPEN; i++)
        create(carl, NULL, NULL);
    test_client_wait(&d, 2 * HOUR_MS); /* all are out of memory */
    struct ply_row *broken = &disk->tables[3]->plies[2];
    broken->line = "{\"kind\":\"nonsense\"}";
    broken->len = strlen(broken->line);
    d.world.logged = count_lines;
    hub_restore(d.world.hub, d.world.now_ms);
    cr_assert_not(hub_restored(d.world.hub));
    while (!hub_idle(d.world.hub)) {
        cr_assert_not(hub_restored(d.world.hub));
        cr_assert(world_step(&d.world));
    }
    cr_assert(hub_restored(d.world.hub));
    d.world.logged = NULL;
    cr_assert_eq(not_restored, 1);
    for (size_t i = 0; i < disk->table_count; i++)
        cr_assert_eq(plies_of(disk->tables[i], "restored"),
                     i != 3 && i != PLAYING - 1, "table %zu", i);
}
