/* test_change.c -- a change from the first entry to the host's hands: what is
 * made is what is loaded, all that follows is in its transaction, and nobody
 * hears of it before that is stored. */

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#include "server/hub/inner.h"
#include "tests/support/long_game.h"

static struct test_client d;
static peer_id anna, bert, carl, admin;
static char table[16];

static void begin(void)
{
    test_client_open(&d, 61);
    d.world.config.snapshot_every = 16;
    hub_configure(d.world.hub, &d.world.config);
    anna = test_client_user(&d, "anna");
    bert = test_client_user(&d, "bert");
    carl = test_client_user(&d, "carl");
    (void)test_client_user(&d, "dora");
    admin = test_client_admin(&d);
}

static void end(void)
{
    test_client_close(&d);
}

TestSuite(change, .init = begin, .fini = end, .timeout = 600);

static json_t *about(peer_id p, const char *method)
{
    return test_client_ask(&d, p, method, "{s:s}", "table", table);
}

static json_t *mend(const char *method, const char *key, json_int_t value)
{
    return test_client_ask(&d, admin, method, "{s:s,s:I}", "table", table, key,
                           value);
}

static void create(const char *game, int seats, bool full)
{
    json_t *made = test_client_ask(&d, anna, "table.create", "{s:s,s:i,s:s}",
                                   "game", game, "seats", seats, "start",
                                   full ? "full" : "manual");
    FINE(made);
    snprintf(table, sizeof(table), "%s", test_client_text(made, "table"));
}

static struct table *there(void)
{
    id_num id;
    bool is_id = id_read(table, &id);

    cr_assert(is_id);
    return table_find(d.world.hub, id);
}

/* ---- made, looked back at, loaded ----------------------------------------- */

static uint64_t hash_of(const struct table *t)
{
    return t->rules_state != NULL ? rules_hash(t->rules, t->rules_state) : 0;
}

/* Whether A and B, whatever they were made by, are the same table. */
static void compare(const struct table *a, const struct table *b,
                    const char *when)
{
    cr_assert_eq(a->state, b->state, "%s: %d, %d", when, a->state, b->state);
    cr_assert_str_eq(a->result ? a->result : "", b->result ? b->result : "",
                     "%s", when);
    cr_assert_eq(a->log.count, b->log.count, "%s", when);
    cr_assert_eq(a->seats, b->seats, "%s", when);
    cr_assert_eq(a->resigned, b->resigned, "%s", when);
    cr_assert_eq(a->start_ply, b->start_ply, "%s", when);
    cr_assert_eq(a->draws, b->draws, "%s", when);
    for (int seat = 0; seat < a->seats; seat++) {
        cr_assert_eq(a->seat[seat], b->seat[seat], "%s: %d", when, seat);
        cr_assert_str_eq(a->name[seat], b->name[seat], "%s: %d", when, seat);
        cr_assert_eq(a->asked_ply[seat], b->asked_ply[seat], "%s: %d", when,
                     seat);
        cr_assert_eq(a->undos[seat], b->undos[seat], "%s: %d", when, seat);
    }
    cr_assert_eq(a->played_count, b->played_count, "%s", when);
    cr_assert_eq(a->folded, b->folded, "%s", when);
    for (size_t i = 0; i < a->played_count; i++)
        cr_assert(a->played[i].ply == b->played[i].ply &&
                      a->played[i].seat == b->played[i].seat &&
                      a->played[i].flags == b->played[i].flags,
                  "%s: %zu", when, i);
    cr_assert_eq(hash_of(a), hash_of(b), "%s", when);
}

static void *copy(const void *from, size_t size)
{
    void *to = from != NULL ? malloc(size) : NULL;

    cr_assert((to == NULL) == (from == NULL));
    return to != NULL ? memcpy(to, from, size) : NULL;
}

/* The table as it was made is the one that is looked back at, and, loaded from
 * what was stored, the one that comes again; TABLE is what was made then. */
static void as_made(const char *when)
{
    struct hub *hub = d.world.hub;
    struct table *t = there(), made = *t;

    struct walk *w = walk_past(hub, t, t->log.count);
    compare(&made, &w->past, when);
    walk_free(w);
    made.played = copy(t->played, t->played_count * sizeof(*t->played));
    made.rules_state = copy(t->rules_state, t->rules->state_size);
    table_reload(hub, t);
    FINE(about(anna, "table.replay"));
    cr_assert(there()->readable, "%s", when);
    compare(&made, there(), when);
    cr_assert_arr_eq(made.chain, there()->chain, SHA256_SIZE, "%s", when);
    cr_assert_arr_eq(made.key, there()->key, SHA256_SIZE, "%s", when);
    for (int seat = 0; seat < made.seats; seat++)
        cr_assert_str_eq(made.nonce[seat], there()->nonce[seat], "%s", when);
    free(made.played);
    free(made.rules_state);
}

static void nonce(peer_id p, char digit)
{
    char hex[33] = "";

    memset(hex, digit, 32);
    FINE(test_client_ask(&d, p, "table.nonce", "{s:s,s:s}", "table", table,
                         "nonce", hex));
}

/* Has the last move taken back that somebody may take back. */
static void undo(void)
{
    const peer_id who[] = {anna, bert, carl};
    uint32_t ply;

    for (int seat = 0; seat < there()->seats; seat++) {
        if (table_undoable(there(), seat, &ply) != RULES_UNDO_YES)
            continue;
        FINE(test_client_ask(&d, who[seat], "table.undo", "{s:s,s:I}", "table",
                             table, "ply", (json_int_t)ply));
        return;
    }
    cr_assert_fail("nobody can");
}

static void play_until_undoable(void)
{
    uint32_t ply;

    for (;;) {
        long_game_play(&d, table, there()->log.count + 1);
        for (int seat = 0; seat < there()->seats; seat++)
            if (table_undoable(there(), seat, &ply) == RULES_UNDO_YES)
                return;
    }
}

/* Whatever an entry does it does as much when it is made as when it is looked
 * back at or loaded: before the game. */
Test(change, lobby)
{
    create("greement", 5, false);
    as_made("made");
    nonce(anna, 'a');
    as_made("nonce");
    FINE(about(bert, "table.join"));
    FINE(about(carl, "table.join"));
    as_made("joined");
    nonce(bert, 'b');
    FINE(about(bert, "table.leave"));
    as_made("left");
    FINE(test_client_ask(&d, bert, "table.join", "{s:s,s:i}", "table", table,
                         "seat", 4));
    nonce(bert, 'c');
    FINE(about(anna, "table.start"));
    cr_assert_eq(there()->seats, 3);
    as_made("started with seats closed up");
}

/* ... and during it: chance, what is taken back, who gives up and is played for,
 * who comes instead, other names, other draws. */
Test(change, game)
{
    create("greement", 3, true);
    FINE(about(bert, "table.join"));
    FINE(about(carl, "table.join"));
    as_made("started");
    long_game_play(&d, table, 60);
    as_made("played");
    play_until_undoable();
    undo();
    as_made("taken back");
    long_game_play(&d, table, there()->log.count + 20);
    uint32_t resigned = there()->log.count;
    FINE(about(bert, "table.resign"));
    as_made("given up");
    long_game_play(&d, table, there()->log.count + 30);
    as_made("played for");
    FINE(test_client_ask(&d, admin, "admin.replace", "{s:s,s:i,s:s}", "table",
                         table, "seat", 1, "user", "dora"));
    as_made("replaced");
    FINE(test_client_ask(&d, admin, "admin.users.rename", "{s:s,s:s}", "user",
                         "anna", "name", "alma"));
    test_client_settle(&d);
    cr_assert_str_eq(there()->name[0], "alma");
    as_made("renamed");
    hub_restore(d.world.hub, d.world.now_ms);
    test_client_settle(&d);
    cr_assert_gt(there()->draws, UINT64_C(1) << 32);
    as_made("restored");
    long_game_play(&d, table, there()->log.count + 10);
    FINE(mend("admin.rewind", "ply", resigned - 3));
    as_made("rewound");
    long_game_play(&d, table, there()->log.count + 10);
    as_made("played on");
}

/* A table that is over is over at once, and when it is loaded: by its rules, as
 * all others have given up, or as the operator wants it. */
Test(change, over)
{
    create("tictactoe", 2, true);
    FINE(about(bert, "table.join"));
    long_game_play(&d, table, 100);
    cr_assert_eq(there()->state, TABLE_FINISHED);
    cr_assert_str_eq(there()->result, "finished");
    as_made("played out");

    create("greement", 3, true);
    FINE(about(bert, "table.join"));
    FINE(about(carl, "table.join"));
    long_game_play(&d, table, 30);
    FINE(about(bert, "table.resign"));
    cr_assert_eq(there()->state, TABLE_PLAYING);
    FINE(about(anna, "table.resign"));
    cr_assert_eq(there()->state, TABLE_FINISHED);
    cr_assert_str_eq(there()->result, "resigned");
    as_made("given up");

    create("greement", 2, true);
    FINE(about(bert, "table.join"));
    FINE(about(admin, "admin.abandon"));
    cr_assert_eq(there()->state, TABLE_ABANDONED);
    as_made("abandoned");
}

/* What cannot stand where it stands is not applied, wherever a log comes
 * from. */
Test(change, impossible)
{
    struct hub *hub = d.world.hub;
    struct rules_events events;

    create("tictactoe", 2, true);
    FINE(about(bert, "table.join"));
    struct table *t = there();
    const uint32_t last = t->log.count - 1;
    struct entry played = {.kind = ENTRY_MOVE, .seat = 9};
    struct entry cannot[] = {
        {.kind = ENTRY_JOIN, .seat = 2},
        {.kind = ENTRY_LEAVE, .seat = 2},
        {.kind = ENTRY_NONCE, .seat = 2, .u.nonce = "a"},
        {.kind = ENTRY_RESIGN, .seat = 2},
        {.kind = ENTRY_REPLACED, .seat = 2},
        {.kind = ENTRY_UNDO, .seat = 2},
        {.kind = ENTRY_UNDO, .seat = 0, .undoes = last},
        {.kind = ENTRY_UNDO, .seat = 0, .undoes = last + 1},
        {.kind = ENTRY_START, .seat = ENTRY_NOBODY, .kept = 3},
        {.kind = ENTRY_REWIND, .seat = ENTRY_NOBODY, .to = 0},
        {.kind = ENTRY_REWIND, .seat = ENTRY_NOBODY, .to = last + 1},
        played,
    };
    for (size_t i = 0; i < COUNT_OF(cannot); i++) {
        struct walk *w = walk_past(hub, t, last + 1);
        cr_assert_not(entry_apply(hub, &w->past, &cannot[i], &events), "%zu",
                      i);
        walk_free(w);
    }
}

/* ---- the transaction ------------------------------------------------------ */

static struct {
    void (*store)(struct host *host, transaction_id id,
                  struct transaction *transaction);
    void (*send)(struct host *host, peer_id peer, struct message *message,
                 transaction_id transaction);
    transaction_id last;  /* handed over */
    transaction_id under; /* what is sent now waits for that */
    size_t updates, concerns, transactions;
    uint32_t plies;             /* that were handed over of the table */
    uint8_t state;              /* of the last summary */
    uint8_t chain[SHA256_SIZE]; /* of the last ply */
} watched;

static void send_watched(struct host *host, peer_id peer,
                         struct message *message, transaction_id transaction)
{
    cr_assert(transaction == 0 || transaction > watched.last,
              "sent after it was handed on");
    if (strstr(message->text, "\"table.update\"") != NULL ||
        strstr(message->text, "\"me.event\"") != NULL) {
        cr_assert_neq(transaction, 0, "at once: %s", message->text);
        cr_assert(watched.under == 0 || watched.under == transaction);
        watched.under = transaction;
        watched.updates += strstr(message->text, "table.update") != NULL;
        watched.concerns += strstr(message->text, "me.event") != NULL;
    }
    watched.send(host, peer, message, transaction);
}

/* What the plies of OP say that lists show is what there is: nothing is found
 * out later. */
static void judge_plies(const struct op *op)
{
    struct table *t = there();
    const struct summary *now = &op->u.plies.summary;
    struct summary is;

    table_summary(t, &is);
    cr_assert_eq(op->u.plies.expect == NULL, watched.plies == 0);
    if (watched.plies > 0)
        cr_assert_arr_eq(op->u.plies.expect, watched.chain, SHA256_SIZE);
    memcpy(watched.chain, op->u.plies.rows[op->u.plies.count - 1].chain,
           SHA256_SIZE);
    for (size_t i = 0; i < op->u.plies.count; i++)
        cr_assert_eq(op->u.plies.rows[i].ply, watched.plies++);
    cr_assert_eq(t->log.count, watched.plies);
    cr_assert(now->state == is.state && now->seats == is.seats &&
              now->ply == is.ply && now->acting == is.acting &&
              now->changed == is.changed);
    cr_assert_arr_eq(now->seat, is.seat, sizeof(is.seat));
    cr_assert_arr_eq(now->since, is.since, sizeof(is.since));
    watched.state = now->state;
}

static void store_watched(struct host *host, transaction_id id,
                          struct transaction *transaction)
{
    cr_assert_gt(id, watched.last, "numbers rise");
    cr_assert(watched.under == 0 || watched.under == id);
    watched.last = id;
    watched.under = 0;
    watched.transactions++;
    for (const struct op *op = transaction->first; op != NULL; op = op->next)
        if (op->kind == OP_PLIES)
            judge_plies(op);
    watched.store(host, id, transaction);
}

/* From now on all that is handed over is looked at. */
static void look_back(void)
{
    struct host *host = &d.world.host;

    watched.store = host->store;
    watched.send = host->send;
    watched.plies = there()->log.count;
    memcpy(watched.chain, there()->chain, sizeof(watched.chain));
    host->store = store_watched;
    host->send = send_watched;
}

static void watch(peer_id p)
{
    FINE(test_client_ask(&d, p, "me.watch", "{}"));
    FINE(about(p, "table.watch"));
}

/* Each request is one transaction with all that comes of it, and what people are
 * told waits for that one, and is there before the host has it. */
Test(change, one_transaction)
{
    create("greement", 2, true);
    watch(anna);
    watch(bert);
    look_back();
    FINE(about(bert, "table.join"));
    cr_assert_eq(watched.transactions, 1);
    cr_assert_eq(watched.state, TABLE_PLAYING);
    cr_assert_eq(watched.updates, 2);
    cr_assert_geq(watched.concerns, 3); /* started, started, turn */
    long_game_play(&d, table, 40);
    play_until_undoable();
    size_t before = watched.transactions;
    undo();
    FINE(mend("admin.rewind", "ply", there()->log.count - 8));
    FINE(test_client_ask(&d, anna, "table.chat", "{s:s,s:s}", "table", table,
                         "text", "hello"));
    FINE(about(bert, "table.resign"));
    cr_assert_eq(watched.transactions, before + 4);
    cr_assert_eq(watched.state, TABLE_FINISHED);
}

/* What the store refuses nobody hears of: neither update nor event, and the next
 * thing that they hear leads on from what they have. */
Test(change, refused)
{
    size_t updates, events, now;

    create("greement", 2, true);
    watch(anna);
    watch(bert);
    FINE(about(bert, "table.join"));
    test_client_settle(&d);
    uint32_t ply = there()->log.count - 1;
    test_client_heard(&d, anna, "table.update", &updates);
    test_client_heard(&d, anna, "me.event", &events);
    d.world.fail_at = d.world.handled + 1;
    REASON(about(bert, "table.resign"), "storage_unavailable");
    test_client_settle(&d);
    cr_assert_eq(there()->log.count - 1, ply);
    cr_assert_eq(there()->state, TABLE_PLAYING);
    test_client_heard(&d, anna, "table.update", &now);
    cr_assert_eq(now, updates);
    test_client_heard(&d, anna, "me.event", &now);
    cr_assert_eq(now, events);
    FINE(about(bert, "table.resign"));
    test_client_settle(&d);
    json_t *heard = test_client_heard(&d, anna, "table.update", &now);
    cr_assert_eq(now, updates + 1);
    cr_assert_eq(json_integer_value(json_object_get(heard, "from")), ply);
}
