/* test_conflict.c -- two hubs on one store: who finds that somebody else was
 * faster looks again, and nobody who watches misses anything. */

#include <criterion/criterion.h>
#include <stdio.h>

#include "server/hub/inner.h"
#include "tests/support/long_game.h"
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

TestSuite(conflict, .init = begin, .fini = end, .timeout = 600);

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

/* ---- orders --------------------------------------------------------------- */

static char small[16];

/* Carl, who is there on a hub that has just begun, plays CELL at the small table. */
static void carl_plays(const char *cell)
{
    world_crash(&elsewhere.world);
    carl = test_client_come(&elsewhere, 0);
    FINE(test_client_ask(&elsewhere, carl, "session.login", "{s:s,s:s}",
                         "name", "carl", "password", "password"));
    json_t *view = test_client_view(&elsewhere, carl, small);
    FINE(test_client_ask(&elsewhere, carl, "table.move",
                         "{s:s,s:O,s:{s:s,s:s}}", "table", small, "decision",
                         json_object_get(view, "decision"), "move", "verb",
                         "place", "cell", cell));
}

static void carl_plays_a1(void)
{
    carl_plays("a1");
}

static void carl_plays_a2(void)
{
    carl_plays("a2");
}

static json_t *anna_orders(const char *cell)
{
    json_t *view = test_client_view(&here, anna, small);

    return test_client_ask(&here, anna, "table.order",
                           "{s:s,s:{s:O,s:{s:s,s:s}}}", "table", small,
                           "order", "after", json_object_get(view, "ply"),
                           "move", "verb", "place", "cell", cell);
}

/* What was ordered on sight of less is refused, though it was less only elsewhere;
 * and what was carried out there is not carried out here again. */
Test(conflict, orders)
{
    peer_id too = test_client_come(&here, 0);
    FINE(test_client_ask(&here, too, "session.login", "{s:s,s:s}", "name",
                         "carl", "password", "password"));
    json_t *made = test_client_ask(&here, too, "table.create", "{s:s,s:i}",
                                   "game", "tictactoe", "seats", 2);
    FINE(made);
    snprintf(small, sizeof(small), "%s", test_client_text(made, "table"));
    FINE(test_client_ask(&here, anna, "table.join", "{s:s}", "table", small));
    rival = carl_plays_a1;
    rivals = 1;
    REASON(anna_orders("b2"), "stale_ply");
    cr_assert_eq(rivals, 0);
    cr_assert_eq(here.world.disk.order_count, 0);
    FINE(test_client_move(&here, anna, small));
    FINE(anna_orders("c3"));
    cr_assert_eq(here.world.disk.order_count, 1);
    size_t plies = here.world.disk.tables[1]->ply_count;
    rival = carl_plays_a2;
    rivals = 1;
    json_t *view = test_client_view(&here, too, small);
    REASON(test_client_ask(&here, too, "table.move", "{s:s,s:O,s:{s:s,s:s}}",
                           "table", small, "decision",
                           json_object_get(view, "decision"), "move", "verb",
                           "place", "cell", "c1"),
           "stale_decision");
    cr_assert_eq(rivals, 0);
    cr_assert_eq(here.world.disk.tables[1]->ply_count, plies + 2,
                 "Carl's, and Anna's, once");
    cr_assert_eq(here.world.disk.order_count, 0);
    json_t *cells = json_object_get(
        json_object_get(test_client_view(&here, anna, small), "game_state"),
        "cells");
    cr_assert_eq(json_integer_value(json_array_get(cells, 8)), 1, "c3");
    cr_assert_eq(json_integer_value(json_array_get(cells, 3)), 0, "a2");
    cr_assert(json_is_null(json_array_get(cells, 2)), "c1");
}

/* ---- only what is missing ------------------------------------------------ */

/* A table in the middle of a long game, or the open one. */
static char deep[16];
static peer_id dora;
static uint32_t stored_count; /* of its entries, when a rival had been there */

static struct table *deep_at(const struct test_client *d)
{
    id_num id;

    bool is_id = id_read(deep, &id);
    struct table *t = table_find(d->world.hub, id);
    cr_assert(is_id && t != NULL);
    return t;
}

/* Three play it here, and somebody watches it elsewhere. */
static void deep_begin(size_t every, size_t plies)
{
    dora = test_client_user(&here, "dora");
    peer_id people[] = {anna, bert, dora};

    here.world.hub->config.snapshot_every = every;
    long_game_start(&here, "greement", 99, people, 3, deep);
    FINE(test_client_ask(&here, anna, "table.watch", "{s:s}", "table", deep));
    long_game_play(&here, deep, plies);
    hand_over(&here, &elsewhere);
    FINE(test_client_ask(&elsewhere, carl, "table.watch", "{s:s}", "table",
                         deep));
    test_client_settle(&elsewhere);
    hand_over(&elsewhere, &here);
}

static void put(struct test_client *d, const struct entry *e)
{
    struct change *c = change_begin(d->world.hub, NULL, deep_at(d));

    change_add(c, e);
    change_submit(c, NULL);
    test_client_settle(d);
}

static void move_elsewhere(void)
{
    long_game_play(&elsewhere, deep, deep_at(&elsewhere)->log.count + 1);
    stored_count = deep_at(&elsewhere)->log.count;
}

static void rewind_elsewhere(void)
{
    put(&elsewhere,
        &(struct entry){.kind = ENTRY_REWIND, .seat = ENTRY_NOBODY, .to = 40});
}

/* Whether the table in memory here is what the whole log makes of it. */
static void same_as_loaded(void)
{
    const struct table *t = deep_at(&here);

    hand_over(&here, &elsewhere);
    table_reload(elsewhere.world.hub, deep_at(&elsewhere));
    test_client_settle(&elsewhere);
    hand_over(&elsewhere, &here);
    const struct table *u = deep_at(&elsewhere);
    cr_assert(t->readable && u->readable);
    cr_assert_eq(t->log.count, u->log.count);
    cr_assert_eq(memcmp(t->chain, u->chain, sizeof(t->chain)), 0);
    cr_assert_eq(memcmp(t->key, u->key, sizeof(t->key)), 0);
    cr_assert_eq(t->played_count, u->played_count);
    for (size_t i = 0; i < t->played_count; i++)
        cr_assert_eq(memcmp(&t->played[i], &u->played[i],
                            sizeof(t->played[i])),
                     0);
    cr_assert_eq(t->rules_state == NULL, u->rules_state == NULL);
    if (t->rules_state != NULL)
        cr_assert_eq(memcmp(t->rules_state, u->rules_state,
                            t->rules->state_size),
                     0);
    cr_assert(t->state == u->state && t->seats == u->seats &&
              t->resigned == u->resigned && t->draws == u->draws &&
              t->start_ply == u->start_ply &&
              t->log.last_at == u->log.last_at);
    cr_assert_eq(memcmp(t->asked_ply, u->asked_ply, sizeof(t->asked_ply)), 0);
    for (int seat = 0; seat < RULES_SEATS_MAX; seat++) {
        cr_assert_eq(t->seat[seat], u->seat[seat]);
        cr_assert_str_eq(t->name[seat], u->name[seat]);
        cr_assert_str_eq(t->nonce[seat], u->nonce[seat]);
    }
    for (uint32_t ply = 0; ply < t->log.count; ply++) {
        struct entry a, b;
        log_at(&t->log, ply, &a);
        log_at(&u->log, ply, &b);
        cr_assert(a.kind == b.kind && a.undone == b.undone && a.at == b.at &&
                      a.check == b.check && a.number == b.number,
                  "%u", ply);
    }
}

/* Who was overtaken is tried again on what is there then; and however long the
 * game is, and whether states of it were kept or none yet, nothing is read again
 * but the last entry that was known, by which it is seen to be the same log. */
static void reads_what_is_missing(size_t plies)
{
    deep_begin(512, plies);
    size_t read = here.world.plies, loads = here.world.loads;
    uint32_t count = deep_at(&here)->log.count;

    rival = move_elsewhere;
    rivals = 1;
    FINE(test_client_ask(&here, bert, "table.resign", "{s:s}", "table", deep));
    test_client_settle(&here);
    cr_assert_eq(here.world.loads, loads + 1);
    cr_assert_gt(stored_count, count);
    cr_assert_eq(here.world.plies - read, stored_count - count + 1);
    cr_assert_eq(deep_at(&here)->resigned, RULES_BIT(1));
    same_as_loaded();
}

Test(conflict, only_what_is_missing)
{
    reads_what_is_missing(1200);
}

Test(conflict, only_what_is_missing_of_little)
{
    reads_what_is_missing(60);
}

#define NONCE "0123456789abcdef0123456789abcdef"

/* The same before anybody plays: who was about to leave, or the game to start,
 * still sits there with what they gave for the draws. */
Test(conflict, only_what_is_missing_of_an_open_table)
{
    const struct entry lost[] = {
        {.kind = ENTRY_LEAVE, .seat = 1},
        {.kind = ENTRY_NONCE, .seat = 1, .u.nonce = "0ff"},
        {.kind = ENTRY_START, .seat = ENTRY_NOBODY, .kept = 3},
    };

    FINE(test_client_ask(&here, bert, "table.join", "{s:s,s:s}", "table",
                         table, "nonce", NONCE));
    memcpy(deep, table, sizeof(deep));
    hand_over(&here, &elsewhere);
    FINE(test_client_ask(&elsewhere, carl, "table.watch", "{s:s}", "table",
                         deep));
    hand_over(&elsewhere, &here);
    for (size_t i = 0; i < COUNT_OF(lost); i++) {
        size_t read = here.world.plies;
        rival = carl_comes_or_goes;
        rivals = 1;
        put(&here, &lost[i]);
        cr_assert_eq(here.world.plies - read, 2);
        cr_assert_str_eq(deep_at(&here)->nonce[1], NONCE);
        same_as_loaded();
    }
}

/* If what is in memory makes no sense any more, all of it is read. */
Test(conflict, memory_is_damaged)
{
    deep_begin(512, 200);
    struct table *t = deep_at(&here);
    size_t read = here.world.plies, block = 1;

    const uint8_t *kind = t->log.bytes + t->log.index[block], *seat = kind + 1;
    while ((*kind & 31) != ENTRY_MOVE || *seat > 1) {
        cr_assert_lt(++block * 8, t->log.count, "no such move begins a block");
        kind = t->log.bytes + t->log.index[block];
        seat = kind + 1;
    }
    t->log.bytes[t->log.index[block] + 1] ^= 1; /* another's move */
    rival = move_elsewhere;
    rivals = 1;
    put(&here, &(struct entry){.kind = ENTRY_RESIGN, .seat = 1});
    cr_assert_gt(here.world.plies - read, 60);
    same_as_loaded();
}

/* Somebody else has taken back far more than lies behind that state. */
Test(conflict, others_took_back)
{
    deep_begin(3, 200);
    rival = rewind_elsewhere;
    rivals = 1;
    FINE(test_client_ask(&here, bert, "table.resign", "{s:s}", "table", deep));
    test_client_settle(&here);
    same_as_loaded();
    long_game_play(&here, deep, 260);
    same_as_loaded();
}

/* What was taken back here, but is not stored, counts again. */
Test(conflict, taken_back_for_nothing)
{
    deep_begin(3, 200);
    for (uint32_t to = 199; to > 20; to -= 37) {
        rival = move_elsewhere;
        rivals = 1;
        put(&here, &(struct entry){.kind = ENTRY_REWIND,
                                   .seat = ENTRY_NOBODY,
                                   .to = to});
        cr_assert_eq(rivals, 0);
        same_as_loaded();
    }
}

/* If the store has another log where the one in memory ends, all of it is
 * read. */
Test(conflict, another_log)
{
    deep_begin(3, 200);
    const struct table *t = deep_at(&here);
    uint32_t ply = t->snapshots[t->snapshot_count - 1].ply;
    size_t read = here.world.plies, loads = here.world.loads;

    disk_table(&here.world.disk, t->id)->plies[ply].chain[0] ^= 1;
    rival = move_elsewhere;
    rivals = 1;
    put(&here, &(struct entry){.kind = ENTRY_RESIGN, .seat = 1});
    cr_assert_eq(here.world.loads, loads + 2);
    cr_assert_gt(here.world.plies - read, 200);
    same_as_loaded();
}

/* ---- what is told of it --------------------------------------------------- */

static int seat_that(uint16_t of)
{
    return __builtin_ctz(of & 7u);
}

/* Somebody gives up who is not asked. */
static void another_resigns(void)
{
    uint16_t acting = deep_at(&elsewhere)->rules_state->acting;

    put(&elsewhere, &(struct entry){
                        .kind = ENTRY_RESIGN,
                        .seat = (uint16_t)seat_that((uint16_t)~acting),
                    });
}

static json_t *whoever_is_asked_moves(void)
{
    int seat = seat_that(deep_at(&here)->rules_state->acting);
    peer_id p = ((const peer_id[]){anna, bert, dora})[seat];
    return test_client_move(&here, p, deep);
}

/* A move that was overtaken once is counted once, with the draws behind it; one
 * that was not stored is not. */
Test(conflict, counted_once)
{
    struct hub_counts before, after;

    deep_begin(512, 100);
    uint32_t plies = deep_at(&here)->log.count;
    hub_counts(here.world.hub, &before);
    rival = another_resigns;
    rivals = 1;
    FINE(whoever_is_asked_moves());
    cr_assert_eq(rivals, 0);
    hub_counts(here.world.hub, &after);
    cr_assert_eq(after.moves, before.moves + 1);
    cr_assert_eq(after.plies - before.plies,
                 deep_at(&here)->log.count - plies - 1, "but theirs");
    here.world.fail_per_1000 = 1000;
    REASON(whoever_is_asked_moves(), "storage_unavailable");
    here.world.fail_per_1000 = 0;
    hub_counts(here.world.hub, &before);
    cr_assert_eq(before.moves, after.moves);
    cr_assert_eq(before.plies, after.plies);
}

static int told; /* lines of the log about what an operator did */

static void read_line(struct world *w, enum host_level level,
                      const json_t *line)
{
    (void)w, (void)level;
    told += strcmp(json_string_value(json_object_get(line, "event")),
                   "admin") == 0;
}

/* What an operator does is one line in the log, however often it is tried. */
Test(conflict, told_once)
{
    struct peer_info info = {.source = 1, .admin = true, .notices = true};
    peer_id admin = ++here.peers;

    hub_open(here.world.hub, admin, &info, here.world.now_ms);
    told = 0;
    here.world.logged = read_line;
    rival = carl_joins;
    rivals = 1;
    FINE(test_client_ask(&here, admin, "admin.abandon", "{s:s}", "table",
                         table));
    test_client_settle(&here);
    here.world.logged = NULL;
    cr_assert_eq(rivals, 0);
    cr_assert_eq(told, 1);
}
