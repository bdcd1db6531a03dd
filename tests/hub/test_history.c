/* test_history.c -- looking back into long games: in slices, from states kept
 * on the way, and what is told is the same however that is done. */

#include <criterion/criterion.h>
#include <stdio.h>

#include "server/hub/inner.h"
#include "tests/support/long_game.h"

enum { PLIES = 1500, DESKS = 3 };

/* The same game, seen with states kept all the time and little done at a time,
 * as usual, and with neither a state kept nor a slice's end. */
static struct test_client desks[DESKS];
static peer_id anna[DESKS], bert[DESKS], admin[DESKS];
static char table[DESKS][16];
static size_t plies;

static void configure(struct test_client *d, uint64_t effort, size_t every)
{
    d->world.config.turn_effort = effort;
    d->world.config.snapshot_every = every;
    d->world.config.tables_bytes = 0;
    hub_configure(d->world.hub, &d->world.config);
}

static void begin(void)
{
    static const struct {
        uint64_t effort;
        size_t every;
    } ways[DESKS] = {{100, 10}, {0, 0}, {UINT64_C(1) << 40, SIZE_MAX / 2}};

    for (int i = 0; i < DESKS; i++) {
        struct test_client *d = &desks[i];
        test_client_open(d, 11);
        configure(d, ways[i].effort, ways[i].every);
        anna[i] = test_client_user(d, "anna");
        bert[i] = test_client_user(d, "bert");
        admin[i] = test_client_admin(d);
        long_game_start(d, "greement", 99, (peer_id[]){anna[i], bert[i]}, 2,
                        table[i]);
        plies = long_game_play(d, table[i], PLIES);
    }
}

static void end(void)
{
    for (int i = 0; i < DESKS; i++)
        test_client_close(&desks[i]);
}

TestSuite(history, .init = begin, .fini = end, .timeout = 600);

static struct table *there(int i)
{
    id_num id;
    bool is_id = id_read(table[i], &id);

    cr_assert(is_id);
    return table_find(desks[i].world.hub, id);
}

/* What they may tell differently: the table's id, when it was, and so the
 * chain. */
static void forget_when(json_t *told)
{
    const json_t *list = json_object_get(told, "plies");

    for (size_t i = 0; i < json_array_size(list); i++)
        json_object_del(json_array_get(list, i), "at");
    json_object_del(json_object_get(told, "view"), "table");
    json_object_del(told, "chain");
}

/* Asks all of them the same and returns what the first says, which all do. */
static json_t *ask(peer_id *who, const char *method, json_t *params)
{
    json_t *first = NULL;

    for (int i = 0; i < DESKS; i++) {
        json_t *own = json_copy(params);
        json_object_set_new(own, "table", json_string(table[i]));
        json_t *answer = test_client_ask_json(&desks[i], who[i], method, own);
        json_t *error = json_object_get(answer, "error");
        json_t *told = json_object_get(answer, "result");
        if (i == 0)
            first = answer;
        forget_when(told);
        cr_assert(i == 0 ||
                      json_equal(error ? error : told,
                                 json_object_get(first,
                                                 error ? "error" : "result")),
                  "%s %s: %.300s\n%.300s", method, json_dumps(params, 0),
                  json_dumps(answer, 0), json_dumps(first, 0));
    }
    json_decref(params);
    return first;
}

static void look_all_over(void)
{
    for (size_t ply = 0; ply < plies; ply += ply < 20 ? 1 : 97) {
        FINE(
            ask(anna, "table.at", json_pack("{s:I}", "ply", (json_int_t)ply)));
        FINE(ask(bert, "table.replay",
                 json_pack("{s:I,s:I}", "from", (json_int_t)ply, "to",
                           (json_int_t)ply + 20)));
    }
    FINE(ask(anna, "table.replay", json_object()));
}

/* Takes back the last move of who may, if anybody may. */
static void undo(void)
{
    uint32_t ply;

    for (int seat = 0; seat < 2; seat++)
        if (table_undoable(there(0), seat, &ply) == RULES_UNDO_YES) {
            peer_id *who =
                there(0)->seat[seat] ==
                        peer_find(desks[0].world.hub, anna[0])->account->id
                    ? anna
                    : bert;
            FINE(ask(who, "table.undo",
                     json_pack("{s:I}", "ply", (json_int_t)ply)));
            plies++;
            return;
        }
}

/* Plays on for some plies, with moves taken back in between. */
static void play_on(size_t count)
{
    size_t until = plies + count;

    while (plies < until) {
        size_t next = plies + 1;
        for (int i = 0; i < DESKS; i++)
            plies = long_game_play(&desks[i], table[i], next);
        undo();
    }
}

static void reload(void)
{
    for (int i = 0; i < DESKS; i++) {
        table_forget(desks[i].world.hub, there(i), ERR_NONE);
        FINE(test_client_ask(&desks[i], anna[i], "table.get", "{s:s}", "table",
                             table[i]));
    }
}

/* However much was taken back since, one by one or by the administrator, once
 * and again, and whether the table was played or loaded. */
Test(history, same_however)
{
    look_all_over();
    play_on(60);
    look_all_over();
    FINE(ask(admin, "admin.rewind", json_pack("{s:i}", "ply", 900)));
    plies++;
    play_on(40);
    look_all_over();
    FINE(ask(admin, "admin.rewind", json_pack("{s:i}", "ply", 333)));
    plies++;
    play_on(40);
    look_all_over();
    reload();
    look_all_over();
    play_on(10);
    FINE(ask(anna, "table.watch", json_object()));
}

/* What was taken back twice is told as it was, though as much was played again
 * since, and states kept of that. */
Test(history, played_again)
{
    FINE(ask(admin, "admin.rewind", json_pack("{s:i}", "ply", 900)));
    FINE(ask(admin, "admin.rewind", json_pack("{s:i}", "ply", 300)));
    size_t rewound = plies;
    for (int i = 0; i < DESKS; i++)
        plies = long_game_play(&desks[i], table[i], rewound + 700);
    for (size_t ply = 0; ply < plies; ply++)
        if (ply + 20 > rewound || ply % 19 == 0)
            FINE(ask(anna, "table.at",
                     json_pack("{s:I}", "ply", (json_int_t)ply)));
    for (size_t ply = 0; ply < plies; ply += 97)
        FINE(ask(bert, "table.replay",
                 json_pack("{s:I,s:I}", "from", (json_int_t)ply, "to",
                           (json_int_t)ply + 97)));
}

/* If a state that is kept is not what it says, who looks back is told that
 * something is wrong here, and does not wait for ever. */
Test(history, broken)
{
    struct test_client *d = &desks[1];
    int ids[2];

    FINE(test_client_ask(d, admin[1], "admin.rewind", "{s:s,s:i}", "table",
                         table[1], "ply", 600));
    configure(d, 100, 0);
    ids[0] = test_client_send(d, anna[1], "table.at",
                              json_pack("{s:s,s:I}", "table", table[1], "ply",
                                        (json_int_t)plies));
    ids[1] = test_client_send(d, bert[1], "table.replay",
                              json_pack("{s:s,s:I}", "table", table[1], "from",
                                        (json_int_t)plies - 100));
    for (int i = 0; i < 10; i++)
        cr_assert(world_step(&d->world));
    there(1)->snapshots[0].played += 30;
    test_client_settle(d);
    for (int i = 0; i < 2; i++)
        cr_assert_str_eq(test_client_reason(test_client_answer(d, ids[i])),
                         "internal_error");
    cr_assert(hub_idle(d->world.hub));
}

static int not_replayable;

static void hear_log(struct host *host, enum host_level level,
                     const struct log_field *fields, size_t count)
{
    (void)host, (void)level;
    for (size_t i = 0; i < count; i++)
        not_replayable += strcmp(fields[i].key, "event") == 0 &&
                          strcmp(fields[i].text, "not_replayable") == 0;
}

/* The states that are kept of the table become what NEW makes of them. */
static void spoil(struct table *t,
                  void (*new)(struct table *, struct snapshot *))
{
    cr_assert_gt(t->snapshot_count, 3);
    for (size_t i = 1; i < t->snapshot_count; i++)
        new (t, &t->snapshots[i]);
}

static void is_over(struct table *t, struct snapshot *s)
{
    (void)t;
    s->s->acting = 0;
}

static void is_none(struct table *t, struct snapshot *s)
{
    memset(s->s, 0xa5, t->rules->state_size);
    s->s->seats = t->seats;
}

static void has_other_seats(struct table *t, struct snapshot *s)
{
    memset(s->s, 0xa5, t->rules->state_size);
}

/* Whether who comes back with SINCE is shown the table, and not what they have
 * missed. */
static void watched_whole(struct test_client *d, peer_id who, size_t since,
                          const char *chain)
{
    json_t *told = test_client_ask(d, who, "table.watch", "{s:s,s:I,s:s}",
                                   "table", table[0], "since",
                                   (json_int_t)since, "chain", chain);

    FINE(told);
    cr_assert_not_null(test_client_member(told, "view"));
    cr_assert_null(test_client_member(told, "updates"));
}

/* From states that are not what they were when they were kept nobody is told
 * anything, and the server goes on: who looks back hears that it is its fault,
 * who comes back is shown the table as it is, who watches comes again; each
 * time the log names the table. */
static void looked_at_spoilt(void (*new)(struct table *, struct snapshot *))
{
    struct test_client *d = &desks[0];
    char chain[65];

    d->world.host.log = hear_log;
    json_t *told = test_client_ask(d, bert[0], "table.watch", "{s:s}", "table",
                                   table[0]);
    snprintf(chain, sizeof(chain), "%s", test_client_text(told, "chain"));
    size_t since = there(0)->log.count - 1;
    long_game_play(d, table[0], since + 15);
    spoil(there(0), new);
    json_int_t ply = there(0)->snapshots[3].ply + 1;
    REASON(test_client_ask(d, anna[0], "table.at", "{s:s,s:I}", "table",
                           table[0], "ply", ply),
           "internal_error");
    REASON(test_client_ask(d, anna[0], "table.replay", "{s:s,s:I}", "table",
                           table[0], "from", ply),
           "internal_error");
    cr_assert_eq(not_replayable, 2);
    watched_whole(d, test_client_come(d, 0), since, chain);
    cr_assert_eq(not_replayable, 3);
    struct watched *w = there(0)->watchers;
    w->ply = (uint32_t)since;
    watch_resumed(d->world.hub, there(0));
    cr_assert_eq(not_replayable, 4);
    cr_assert_null(there(0)->watchers);
    FINE(test_client_ask(d, anna[0], "table.watch", "{s:s}", "table",
                         table[0]));
    cr_assert(hub_idle(d->world.hub));
}

Test(history, spoilt_moves)
{
    looked_at_spoilt(is_over);
}

Test(history, spoilt_states)
{
    looked_at_spoilt(is_none);
}

Test(history, spoilt_seats)
{
    looked_at_spoilt(has_other_seats);
}

/* A state is kept now and then, and none of which a move was taken back. */
Test(history, snapshots)
{
    const struct table *t = there(0);

    cr_assert_geq(t->snapshot_count, 50);
    cr_assert_eq(there(1)->snapshot_count, plies / 512);
    cr_assert_eq(there(2)->snapshot_count, 0);
    FINE(ask(admin, "admin.rewind", json_pack("{s:i}", "ply", 700)));
    cr_assert_leq(t->snapshots[t->snapshot_count - 1].ply, 700);
    cr_assert_geq(t->snapshots[t->snapshot_count - 1].ply, 680);
    reload();
    t = there(0);
    cr_assert_leq(t->snapshots[t->snapshot_count - 1].ply, 700);
    cr_assert_geq(t->snapshots[t->snapshot_count - 1].ply, 680);
}

/* Their memory has an end: in a longer game they lie further apart. */
Test(history, snapshots_are_bounded)
{
    struct test_client *d = &desks[0];

    configure(d, 0, 1);
    reload();
    const struct table *t = there(0);
    cr_assert_gt(t->snapshot_every, 1);
    cr_assert_gt(t->snapshot_count, 100);
    cr_assert_leq(history_bytes(t), 300 * 1024);
}

/* What it costs to take back all behind PLY, at once. */
static uint64_t effort_of_rewind(int i, size_t ply)
{
    struct hub *hub = desks[i].world.hub;
    uint64_t before = hub->effort;

    test_client_send(&desks[i], admin[i], "admin.rewind",
                     json_pack("{s:s,s:I}", "table", table[i], "ply",
                               (json_int_t)ply));
    cr_assert_eq(there(i)->log.count, plies + 1);
    return hub->effort - before;
}

/* To take something back begins at the last state that is kept. */
Test(history, taking_back_is_cheap)
{
    uint64_t dear = effort_of_rewind(2, plies - 5);

    cr_assert_gt(dear, plies);
    cr_assert_lt(effort_of_rewind(1, plies - 5), dear / 2);
    cr_assert_lt(effort_of_rewind(0, plies - 5), dear / 20);
}

/* Who comes back is told what they have missed, from a state that is kept or
 * not; and if they say at once that they have seen enough they are told nothing
 * more. */
Test(history, coming_back)
{
    char chain[DESKS][65];
    json_t *first = NULL;

    for (int i = 0; i < DESKS; i++)
        snprintf(chain[i], sizeof(chain[i]), "%s",
                 test_client_text(test_client_ask(&desks[i], anna[i],
                                                  "table.watch", "{s:s}",
                                                  "table", table[i]),
                                  "chain"));
    json_int_t since = (json_int_t)plies - 1;
    play_on(100);
    for (int i = 0; i < DESKS; i++) {
        struct test_client *d = &desks[i];
        peer_id guest = test_client_come(d, 0);
        json_t *told = test_client_ask(d, guest, "table.watch",
                                       "{s:s,s:I,s:s}", "table", table[i],
                                       "since", since, "chain", chain[i]);
        FINE(told);
        cr_assert_eq(json_array_size(test_client_member(told, "updates")), 1);
        json_t *update = json_array_get(test_client_member(told, "updates"),
                                        0);
        json_object_del(update, "table");
        if (i == 0)
            first = update;
        cr_assert(json_equal(update, first));
        test_client_ask(d, guest, "table.unwatch", "{s:s}", "table", table[i]);
        test_client_send(d, guest, "table.watch",
                         json_pack("{s:s,s:I,s:s}", "table", table[i], "since",
                                   since, "chain", chain[i]));
        test_client_ask(d, guest, "table.unwatch", "{s:s}", "table", table[i]);
        size_t before, after;
        test_client_heard(d, guest, "table.update", &before);
        long_game_play(d, table[i], there(i)->log.count + 1);
        test_client_heard(d, guest, "table.update", &after);
        cr_assert_eq(before, after);
    }
}

/* The most that is done in one turn of the loop until all is quiet. */
static uint64_t longest_turn(struct test_client *d)
{
    uint64_t longest = 0;

    while (!hub_idle(d->world.hub)) {
        cr_assert(world_step(&d->world));
        if (d->world.hub->effort > longest)
            longest = d->world.hub->effort;
    }
    return longest;
}

/* If what failed is on the disk all the same, what all who watch have missed is
 * found out once and not once for each of them. */
Test(history, failed_and_stored)
{
    enum { WATCHERS = 40 };
    struct test_client *d = &desks[2];
    json_t *which = json_pack("{s:s}", "table", table[2]);
    peer_id watchers[WATCHERS];

    table_forget(d->world.hub, there(2), ERR_NONE);
    test_client_send(d, anna[2], "table.get", json_deep_copy(which));
    uint64_t to_load = longest_turn(d);
    for (int i = 0; i < WATCHERS; i++) {
        watchers[i] = test_client_come(d, 0);
        FINE(test_client_ask_json(d, watchers[i], "table.watch",
                                  json_deep_copy(which)));
    }
    FINE(test_client_ask_json(d, bert[2], "table.watch",
                              json_deep_copy(which)));
    d->world.fail_per_1000 = d->world.limbo_per_1000 = 1000;
    int id = test_client_send(d, anna[2], "table.resign", which);
    cr_assert_lt(longest_turn(d), 2 * to_load);
    d->world.fail_per_1000 = 0;
    REASON(test_client_answer(d, id), "storage_unavailable");
    json_t *first = test_client_heard(d, watchers[0], "table.update", NULL);
    cr_assert_not_null(first);
    for (int i = 1; i < WATCHERS; i++)
        cr_assert(json_equal(first, test_client_heard(d, watchers[i],
                                                      "table.update", NULL)));
    json_t *own = test_client_heard(d, bert[2], "table.update", NULL);
    cr_assert_not_null(own);
    cr_assert_not(json_equal(first, own)); /* they see their own hand */
}

/* How many turns of the loop pass until request ID is answered. */
static size_t turns_until(struct test_client *d, int id)
{
    size_t turns = 0;

    while (test_client_answer(d, id) == NULL) {
        cr_assert(world_step(&d->world));
        turns++;
    }
    return turns;
}

/* Others who ask for much, from one address, do not make somebody else wait
 * longer than for one slice of theirs each time, nor does a mover at the same
 * table. */
Test(history, in_turn)
{
    struct test_client *d = &desks[0];
    peer_id greedy[3], modest = test_client_come(d, 99);
    int ids[3];
    json_t *wide = json_pack("{s:s}", "table", table[0]);

    int alone = test_client_send(d, modest, "table.replay",
                                 json_deep_copy(wide));
    size_t turns = turns_until(d, alone);
    cr_assert_gt(turns, 20); /* it is long */
    for (int i = 0; i < 3; i++) {
        greedy[i] = test_client_come(d, 50);
        for (int k = 0; k < 20; k++)
            ids[i] = test_client_send(d, greedy[i], "table.replay",
                                      json_deep_copy(wide));
    }
    cr_assert_leq(turns_until(d, test_client_send(d, modest, "table.replay",
                                                  json_deep_copy(wide))),
                  2 * turns + 10);
    cr_assert_null(test_client_answer(d, ids[0]));
    cr_assert_null(test_client_answer(d, ids[2]));
    cr_assert_lt(turns_until(d, test_client_send(d, anna[0], "table.legal",
                                                 json_deep_copy(wide))),
                 5);
    /* Who goes does not keep the others any longer. */
    for (int i = 0; i < 3; i++)
        hub_close(d->world.hub, greedy[i], d->world.now_ms);
    cr_assert_leq(turns_until(d, test_client_send(d, modest, "table.replay",
                                                  wide)),
                  turns + 70);
    test_client_settle(d);
    cr_assert(hub_idle(d->world.hub));
}

/* A table that nobody waits for any more is not loaded to its end. */
Test(history, load_unwanted)
{
    struct test_client *d = &desks[0];
    peer_id guest = test_client_come(d, 50);

    table_forget(d->world.hub, there(0), ERR_NONE);
    test_client_send(d, guest, "table.get",
                     json_pack("{s:s}", "table", table[0]));
    while (!hub_works(d->world.hub))
        cr_assert(world_step(&d->world));
    cr_assert_not_null(there(0));
    hub_close(d->world.hub, guest, d->world.now_ms);
    world_step(&d->world);
    cr_assert_null(there(0));
}

/* To load a long game takes more from what one may ask for than to ask of one
 * that is there. */
Test(history, rates)
{
    struct test_client *d = &desks[0];
    size_t asked[2] = {0, 0};

    configure(d, UINT64_C(1) << 40, 0); /* at once: no time goes by */
    for (int dear = 0; dear < 2; dear++) {
        peer_id guest = test_client_come(d, 70 + (uint64_t)dear);
        const char *reason = "";
        while (reason[0] == '\0' && asked[dear] < 200) {
            if (dear)
                table_forget(d->world.hub, there(0), ERR_NONE);
            reason = test_client_reason(test_client_ask(d, guest, "table.get",
                                                        "{s:s}", "table",
                                                        table[0]));
            asked[dear]++;
        }
        cr_assert_str_eq(reason, "rate_limited");
    }
    cr_assert_gt(asked[0], 95);
    cr_assert_lt(asked[1], asked[0] / 2, "%zu of %zu", asked[1], asked[0]);
}
