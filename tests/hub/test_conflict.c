/* test_conflict.c -- two hubs on one store: who finds that somebody else was
 * faster looks again, and nobody who watches misses anything. */

#include <criterion/criterion.h>
#include <stdio.h>

#include "server/hub/inner.h"
#include "tests/support/test_client.h"

static struct test_client here, elsewhere;
static peer_id anna, bert, carl; /* Carl is elsewhere */
static char table[16];

/* Others are faster so many times. */
static int rivals;
static void (*rival)(void);
static void (*store)(struct host *host, transaction_id id,
                     struct transaction *transaction);

/* What is stored is the same for both; one at a time has it in its hands. */
static void hand_over(struct test_client *from, struct test_client *to)
{
    to->world.disk = from->world.disk;
    from->world.disk = (struct disk){0};
}

/* Between what was decided here and its being stored something happens
 * elsewhere. */
static void store_late(struct host *host, transaction_id id,
                       struct transaction *transaction)
{
    if (rivals > 0) {
        rivals--;
        hand_over(&here, &elsewhere);
        rival();
        test_client_settle(&elsewhere);
        hand_over(&elsewhere, &here);
    }
    store(host, id, transaction);
}

static void begin(void)
{
    test_client_open(&here, 7);
    test_client_open(&elsewhere, 8);
    anna = test_client_user(&here, "anna");
    bert = test_client_user(&here, "bert");
    (void)test_client_user(&here, "carl");
    json_t *made = test_client_ask(&here, anna, "table.create",
                                   "{s:s,s:i,s:s}", "game", "greement",
                                   "seats", 4, "start", "manual");
    FINE(made);
    snprintf(table, sizeof(table), "%s", test_client_text(made, "table"));
    FINE(test_client_ask(&here, anna, "table.watch", "{s:s}", "table", table));
    test_client_settle(&here);
    hand_over(&here, &elsewhere);
    carl = test_client_come(&elsewhere, 0);
    FINE(test_client_ask(&elsewhere, carl, "session.login", "{s:s,s:s}",
                         "name", "carl", "password", "password"));
    test_client_settle(&elsewhere);
    hand_over(&elsewhere, &here);
    store = here.world.host.store;
    here.world.host.store = store_late;
}

static void end(void)
{
    test_client_close(&elsewhere);
    test_client_close(&here);
}

TestSuite(conflict, .init = begin, .fini = end, .timeout = 60);

static void carl_joins(void)
{
    FINE(test_client_ask(&elsewhere, carl, "table.join", "{s:s}", "table",
                         table));
}

static void carl_comes_or_goes(void)
{
    static bool there;

    FINE(test_client_ask(&elsewhere, carl,
                         there ? "table.leave" : "table.join", "{s:s}",
                         "table", table));
    there = !there;
}

static void carl_talks(void)
{
    FINE(test_client_ask(&elsewhere, carl, "table.chat", "{s:s,s:s}", "table",
                         table, "text", "first"));
}

static json_t *bert_joins(void)
{
    return test_client_ask(&here, bert, "table.join", "{s:s}", "table", table);
}

static struct disk_table *stored(void)
{
    return here.world.disk.tables[0];
}

/* Who was overtaken is tried again from the start: both sit there, and who
 * watches hears of both, one after the other. */
Test(conflict, tried_again)
{
    size_t updates;

    rival = carl_joins;
    rivals = 1;
    FINE(bert_joins());
    test_client_settle(&here);
    cr_assert_eq(rivals, 0);
    cr_assert_neq(stored()->row.summary.seat[1], 0);
    cr_assert_neq(stored()->row.summary.seat[2], 0);
    json_t *last = test_client_heard(&here, anna, "table.update", &updates);
    cr_assert_eq(updates, 2, "Carl's, then Bert's");
    cr_assert_eq(json_integer_value(json_object_get(last, "ply")),
                 (json_int_t)stored()->ply_count - 1);
    cr_assert_eq(json_integer_value(json_object_get(last, "from")),
                 (json_int_t)stored()->ply_count - 2);
}

/* What cannot be any more when it is tried again is refused for what is there
 * now. */
Test(conflict, refused_for_what_is)
{
    for (int i = 0; i < 2; i++) {
        char name[] = "dora";
        name[0] = (char)('d' + i);
        peer_id p = test_client_user(&here, name);
        FINE(test_client_ask(&here, p, "table.join", "{s:s}", "table", table));
    }
    rival = carl_joins;
    rivals = 1;
    REASON(bert_joins(), "table_full");
}

/* Whoever is overtaken each time is told so, nothing of theirs is there, and the
 * next time it may go well. */
Test(conflict, contended)
{
    size_t plies = stored()->ply_count;

    rival = carl_comes_or_goes;
    rivals = 100;
    REASON(bert_joins(), "contended");
    cr_assert_eq(rivals, 100 - LIMIT_TRIES);
    cr_assert_eq(stored()->ply_count, plies + LIMIT_TRIES);
    cr_assert_eq(stored()->row.summary.seat[1], 0);
    rivals = LIMIT_TRIES - 1;
    FINE(bert_joins());
    cr_assert_eq(rivals, 0);
    cr_assert_eq(stored()->ply_count, plies + 2 * LIMIT_TRIES);
}

/* Nobody's words are written over. */
Test(conflict, both_are_heard)
{
    rival = carl_joins;
    rivals = 1;
    FINE(bert_joins());
    rival = carl_talks;
    rivals = 1;
    FINE(test_client_ask(&here, anna, "table.chat", "{s:s,s:s}", "table",
                         table, "text", "second"));
    cr_assert_eq(stored()->text_count, 2);
    cr_assert_str_eq(stored()->texts[0].body, "first");
    cr_assert_str_eq(stored()->texts[1].body, "second");
}

/* A new name reaches a table though somebody else was faster there; and who is
 * removed leaves it, counted once. */
Test(conflict, operator_is_overtaken)
{
    struct peer_info info = {.source = 1, .admin = true, .notices = true};
    peer_id admin = ++here.peers;

    hub_open(here.world.hub, admin, &info, here.world.now_ms);
    rival = carl_comes_or_goes;
    rivals = 1;
    FINE(test_client_ask(&here, admin, "admin.users.rename", "{s:s,s:s}",
                         "user", "anna", "name", "anne"));
    test_client_settle(&here);
    cr_assert_eq(rivals, 0);
    json_t *seen = test_client_ask(&here, bert, "table.get", "{s:s}", "table",
                                   table);
    FINE(seen);
    char *text = json_dumps(seen, 0);
    cr_assert_not_null(strstr(text, "\"anne\""));
    cr_assert_null(strstr(text, "\"anna\""));
    free(text);
    rival = carl_comes_or_goes;
    rivals = 1;
    json_t *gone = test_client_ask(&here, admin, "admin.users.delete", "{s:s}",
                                   "user", "anne");
    FINE(gone);
    cr_assert_eq(rivals, 0);
    text = json_dumps(gone, 0);
    cr_assert_not_null(strstr(text, "\"left\": 1"), "%s", text);
    free(text);
}
