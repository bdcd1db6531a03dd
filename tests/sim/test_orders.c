/* test_orders.c -- whole games of everything by people who leave orders of all
 * kinds: passes and answers that come true and that do not, given anew, taken
 * back, given too late; among undos, resignations, an operator who rewinds and
 * replaces, a disk that fails and a process that dies.
 *
 * After each thing that somebody asks for tests/support/ahead.h says from the log
 * alone what had to be played, and what stands: so no order plays what is not
 * legal, each is used once, none is used after what it rests on was taken back,
 * what was acknowledged is not lost, and what is to be played is at once.
 *
 *     SEED=n build/test/sim/test_orders    that game alone
 *     RUNS=n build/test/sim/test_orders    n percent of the usual games */

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "server/hub/id.h"
#include "tests/support/ahead.h"
#include "tests/support/games/all.h"
#include "tests/support/scale.h"
#include "tests/support/setup_json.h"
#include "tests/support/test_client.h"

enum { SEATS = 5, PEOPLE = SEATS + 1, STEPS_MAX = 12000, CHOICES = 20000 };

struct person {
    peer_id peer;
    char name[16];
    id_num account;
    int seat; /* or -1 */
};

static struct game {
    struct test_client d;
    struct person people[PEOPLE];
    const struct play_setup *setup;
    uint64_t seed;
    char table[16];
    id_num id;
    struct ahead ahead;
    struct rng dice;
} g;

static struct counts {
    size_t games, finished, plies, refused, stale, undos, rewinds, replaced,
        resigned, crashes, failures;
    struct ahead_counts orders;
} n;

static void broken(const char *what)
{
    cr_assert(false, "SEED=%llu, %s: %s", (unsigned long long)g.seed,
              g.setup->label, what);
}

static uint32_t dice(uint32_t sides)
{
    return rng_below(&g.dice, sides);
}

static const struct rules_state *state(void)
{
    return &g.ahead.record->audit.any.state;
}

static bool is_on(void)
{
    return g.ahead.record->audit.state == AUDIT_PLAYING;
}

static struct disk_table *stored(void)
{
    return disk_table(&g.d.world.disk, g.id);
}

/* Who has SEAT; of -1 somebody who has none. */
static struct person *at(int seat)
{
    int i = 0;

    while (i < PEOPLE && g.people[i].seat != seat)
        i++;
    cr_assert(i < PEOPLE);
    return &g.people[i];
}

/* Those of SEATS where people are who have not given up. */
static uint16_t players(uint16_t seats)
{
    return (uint16_t)(seats & ~g.ahead.record->audit.resigned &
                      (RULES_BIT(g.setup->setup.seats) - 1));
}

/* One of SEATS, which are not all 0. */
static int one_of(uint16_t seats)
{
    int seat = (int)dice(SEATS);

    while ((seats & RULES_BIT(seat)) == 0)
        seat = (seat + 1) % SEATS;
    return seat;
}

/* ---- what is asked, and what has come of it --------------------------------- */

/* The reason of a refusal, or "". */
static const char *ask(peer_id peer, const char *method, json_t *params)
{
    json_object_set_new(params, "table", json_string(g.table));
    const char *no = test_client_reason(
        test_client_ask_json(&g.d, peer, method, params));

    n.refused += no[0] != '\0';
    return no;
}

static bool done(peer_id peer, const char *method, json_t *params)
{
    return ask(peer, method, params)[0] == '\0';
}

/* SEAT, or -1, asked for something: the log goes on as it must. */
static void judge(int seat)
{
    test_client_settle(&g.d);
    if (!ahead_read(&g.ahead, stored(), seat))
        broken(g.ahead.why);
}

/* A member of what SEAT is shown; NULL if nothing is. */
static json_t *seen(int seat, const char *name)
{
    json_t *got = test_client_ask(&g.d, at(seat)->peer, "table.watch", "{s:s}",
                                  "table", g.table);

    return json_object_get(json_object_get(json_object_get(got, "result"),
                                           "view"),
                           name);
}

/* ---- moves -------------------------------------------------------------------- */

/* Any move of SEAT in S. */
static bool any_move(const struct rules_state *s, int seat,
                     struct rules_move *move)
{
    static struct rules_choice choices[CHOICES];
    size_t all = rules_legal(g.setup->rules, s, seat, -1, choices, CHOICES);

    if (all == 0)
        return false;
    all = all < CHOICES ? all : CHOICES;
    *move = play_choose(&choices[dice((uint32_t)all)], &g.dice);
    return true;
}

static json_t *in_words(const struct rules_move *move)
{
    char why[JSON_EXPECTED_MAX];
    struct json_out o;

    json_out_init(&o);
    json_move(&o, NULL, g.setup->rules, state(), move);
    json_t *words = json_parse(json_out_text(&o), o.len, why);
    json_out_done(&o);
    return words;
}

static void move(void)
{
    uint16_t asked = players(state()->acting);
    uint16_t may = players(state()->acting | state()->may);
    struct rules_move m;

    if (asked == 0)
        return;
    int seat = one_of(dice(8) == 0 ? may : asked);
    json_t *decision = seen(seat, "decision");
    if (decision == NULL || !any_move(state(), seat, &m))
        return;
    (void)ask(at(seat)->peer, "table.move",
              json_pack("{s:O,s:o}", "decision", decision, "move",
                        in_words(&m)));
    judge(seat);
}

/* ---- orders ------------------------------------------------------------------- */

/* Whoever is waited for in S does something. */
static bool somebody_moves(struct rules_state *s)
{
    static struct rules_events events;
    const struct rules *r = g.setup->rules;
    struct rules_move m;
    int seat = RULES_NATURE;

    if (s->acting == RULES_BIT(RULES_NATURE)) {
        rules_chance(r, s, &g.dice, &m);
    } else {
        seat = one_of((uint16_t)(s->acting & ~RULES_BIT(RULES_NATURE)));
        if ((dice(3) != 0 || !rules_pass(r, s, seat, &m)) &&
            !any_move(s, seat, &m))
            return false;
    }
    return rules_apply(r, s, seat, &m, &events) == RULES_OK;
}

/* A move that SEAT might come to have: what others can do now, which may be gone by
 * then; or the game is played on by anybody until it is asked.  In the truth: a test
 * may guess better than people could. */
static bool foresee(int seat, struct rules_move *ret_move)
{
    static union rules_any later;
    struct rules_state *s = &later.state;

    memcpy(&later, &g.ahead.record->audit.any, sizeof(later));
    if (dice(4) == 0 && players(s->acting) != 0)
        return any_move(s, one_of(players(s->acting)), ret_move);
    for (int i = 0; i < 60 && s->acting != 0; i++) {
        if ((s->acting & RULES_BIT(seat)) != 0)
            return any_move(s, seat, ret_move);
        if (!somebody_moves(s))
            return false;
    }
    return false;
}

/* One of the members of M, a move in words. */
static void *any_member(json_t *m)
{
    size_t i = dice((uint32_t)json_object_size(m));
    void *member = json_object_iter(m);

    while (i-- > 0)
        member = json_object_iter_next(m, member);
    return member;
}

/* SEAT gives O, in WORDS, which is sound or SPOILED. */
static void give(int seat, const struct ahead_order *o, json_t *words,
                 bool spoiled)
{
    bool asked = (players(state()->acting) & RULES_BIT(seat)) != 0;
    bool stale = o->after + 1 != g.ahead.plies;
    const char *no = ask(at(seat)->peer, "table.order",
                         json_pack("{s:o}", "order", words));
    bool unsure = strcmp(no, "storage_unavailable") == 0;

    if (no[0] == '\0') {
        if (o->stands && (asked || stale || spoiled))
            broken("an order was taken that must not be");
        ahead_given(&g.ahead, seat, o);
    } else if (!unsure && !asked && !stale && !spoiled) {
        broken(no);
    }
    n.stale += strcmp(no, "stale_ply") == 0;
    judge(-1);
    if (unsure)
        ahead_unsure(&g.ahead, &g.d.world.disk, g.id, seat, o);
}

static void order(void)
{
    uint16_t waiting = players((uint16_t)~state()->acting);
    int seat = one_of(waiting == 0 || dice(12) == 0 ? players(UINT16_MAX)
                                                    : waiting);
    struct ahead_order o = {.stands = true,
                            .after = (uint32_t)g.ahead.plies - 1};
    bool spoiled = false;
    json_t *words;

    o.after -= dice(20) == 0; /* as if they had seen less */
    if (dice(12) == 0) {
        o = (struct ahead_order){.after = (uint32_t)g.ahead.plies - 1};
        words = json_null();
    } else if (dice(8) == 0) {
        spoiled = !ahead_pass(&g.ahead, &o);
        words = json_pack("{s:s,s:i}", "pass", "round", "after", (int)o.after);
    } else if (foresee(seat, &o.move)) {
        json_t *m = in_words(&o.move);
        spoiled = dice(12) == 0;
        if (spoiled) /* no game has such a verb, or such a thing */
            json_object_iter_set_new(m, any_member(m), json_string("?"));
        words = json_pack("{s:o,s:i}", "move", m, "after", (int)o.after);
    } else {
        return;
    }
    give(seat, &o, words, spoiled);
}

/* ---- what takes them away ------------------------------------------------------ */

static void undo(void)
{
    int seat = one_of(players(UINT16_MAX));
    json_t *ply = seen(seat, "undo");

    if (json_is_integer(ply))
        n.undos += done(at(seat)->peer, "table.undo",
                        json_pack("{s:O}", "ply", ply));
    judge(-1);
}

static void resign(void)
{
    int seat = one_of(players(UINT16_MAX));

    n.resigned += done(at(seat)->peer, "table.resign", json_object());
    judge(-1);
}

static void take_back(void)
{
    json_int_t ply = (json_int_t)g.ahead.plies - 2 - dice(10);

    n.rewinds += done(test_client_admin(&g.d), "admin.rewind",
                      json_pack("{s:I}", "ply", ply));
    judge(-1);
}

static void replace(void)
{
    int seat = one_of(players(UINT16_MAX));
    struct person *spare = at(-1), *was = at(seat);
    size_t plies = stored()->ply_count;

    (void)ask(test_client_admin(&g.d), "admin.replace",
              json_pack("{s:i,s:s}", "seat", seat, "user", spare->name));
    test_client_settle(&g.d);
    if (stored()->ply_count > plies) {
        was->seat = -1;
        spare->seat = seat;
        ahead_seated(&g.ahead, seat, spare->account);
        n.replaced++;
    }
    judge(-1);
}

/* The process dies, and people come back. */
static void crash(void)
{
    unsigned fail = g.d.world.fail_per_1000;

    world_crash(&g.d.world);
    g.d.world.fail_per_1000 = 0;
    for (int i = 0; i < PEOPLE; i++) {
        struct person *p = &g.people[i];
        p->peer = test_client_come(&g.d, 0);
        json_t *in = test_client_ask(&g.d, p->peer, "session.login",
                                     "{s:s,s:s}", "name", p->name, "password",
                                     "password");
        REASON(in, "");
    }
    g.d.world.fail_per_1000 = fail;
    judge(-1);
    n.crashes++;
}

/* ---- a game --------------------------------------------------------------------- */

static void something(void)
{
    uint32_t what = dice(1000);
    bool resigned = g.ahead.record->audit.resigned != 0;

    if (what < 500)
        move();
    else if (what < 950)
        order();
    else if (what < 980)
        undo();
    else if (what < 987)
        take_back();
    else if (what < 992)
        replace();
    else if (what < 994 && !resigned && g.setup->setup.seats > 2)
        resign();
    else if (what >= 996)
        crash();
    if (!ahead_stored(&g.ahead, &g.d.world.disk, g.id))
        broken(g.ahead.why);
}

static void come(void)
{
    for (int i = 0; i < PEOPLE; i++) {
        struct person *p = &g.people[i];
        (void)snprintf(p->name, sizeof(p->name), "p%d", i);
        p->seat = -1;
        p->peer = test_client_user(&g.d, p->name);
    }
}

/* Whoever it is for sits down; of games that last as long as one likes short ones
 * are played. */
static void sit_down(void)
{
    json_t *params = setup_json(g.setup);

    json_object_set_new(params, "start", json_string("full"));
    if (g.setup->rules == &greement_rules)
        json_object_set_new(json_object_get(params, "options"), "turns",
                            json_integer(1 + dice(4)));
    json_t *made = test_client_ask_json(&g.d, g.people[0].peer, "table.create",
                                        params);
    REASON(made, "");
    (void)snprintf(g.table, sizeof(g.table), "%s",
                   test_client_text(made, "table"));
    bool is_id = id_read(g.table, &g.id);
    cr_assert(is_id);
    for (int i = 1; i < g.setup->setup.seats; i++)
        (void)ask(g.people[i].peer, "table.join", json_object());
}

/* Who sits where, and as whom they are stored. */
static void look_round(void)
{
    const struct disk *disk = &g.d.world.disk;

    for (int i = 0; i < PEOPLE; i++) {
        struct person *p = &g.people[i];
        json_t *you = json_object_get(test_client_view(&g.d, p->peer, g.table),
                                      "you");
        for (size_t k = 0; k < disk->account_count; k++)
            if (strcmp(disk->accounts[k].name, p->name) == 0)
                p->account = disk->accounts[k].id;
        p->seat = json_is_integer(you) ? (int)json_integer_value(you) : -1;
        if (p->seat >= 0)
            ahead_seated(&g.ahead, p->seat, p->account);
    }
}

static void play(const struct rules *r, uint64_t seed)
{
    static const uint8_t key[RNG_SEED_SIZE] = "orders";
    size_t way = (size_t)seed;

    g = (struct game){.seed = seed};
    rng_init(&g.dice, key, seed);
    do
        g.setup = play_setup(r, way++);
    while (g.setup->setup.seats > SEATS || g.setup->setup.seats < 2);
    test_client_open(&g.d, seed);
    come();
    sit_down();
    ahead_open(&g.ahead, &n.orders);
    look_round();
    judge(-1);
    g.d.world.limbo_per_1000 = 500;
    g.d.world.fail_per_1000 = seed % 3 == 0 ? 30 : 0;
    for (size_t i = 0; is_on() && i < STEPS_MAX; i++)
        something();
    n.games++;
    n.finished += !is_on();
    n.plies += g.ahead.plies;
    n.failures += g.d.world.failures;
    ahead_close(&g.ahead);
    test_client_close(&g.d);
}

static void print_counts(const char *game)
{
    const struct ahead_counts *o = &n.orders;

    fprintf(stderr,
            "# %s: %zu of %zu games over, %zu plies; %zu orders given, %zu"
            " answers and %zu passes played; %zu not legal, %zu harmed, %zu"
            " taken back, %zu of rounds that were over, %zu with a seat, %zu"
            " with the game; %zu refused, %zu stale; %zu undos, %zu rewinds,"
            " %zu replaced, %zu resigned, %zu crashes, %zu failures\n",
            game, n.finished, n.games, n.plies, o->given, o->answers,
            o->passes, o->illegal, o->harmed, o->back, o->rounds, o->gone,
            o->over, n.refused, n.stale, n.undos, n.rewinds, n.replaced,
            n.resigned, n.crashes, n.failures);
}

/* GAMES of R, in ten of which so many ANSWERS are played at the least, on the
 * average: else nothing was tried. */
static void run(const struct rules *r, size_t games, size_t answers)
{
    const char *one = getenv("SEED");

    n = (struct counts){0};
    if (one != NULL)
        play(r, strtoull(one, NULL, 10));
    for (size_t i = 0; one == NULL && i < games; i++)
        play(r, i);
    print_counts(r->name);
    if (one != NULL)
        return;
    cr_assert_eq(n.finished, n.games, "all come to an end");
    cr_assert_gt(n.orders.answers, 0);
    if (games < 12)
        return;
    cr_assert_geq(10 * n.orders.answers, answers * games);
    cr_assert(n.orders.illegal > 0 && n.orders.back > 0 && n.stale > 0);
    cr_assert(r == &tictactoe_rules || n.orders.harmed > 0);
    cr_assert(r->pass == NULL || (n.orders.passes > 0 && n.orders.rounds > 0));
}

TestSuite(orders, .timeout = 1200);

Test(orders, hacienda)
{
    run(&hacienda_rules, scaled(40, 6), 25);
}

Test(orders, hadara)
{
    run(&hadara_rules, scaled(40, 6), 8);
}

Test(orders, greement)
{
    run(&greement_rules, scaled(40, 6), 4);
}

Test(orders, tictactoe)
{
    run(&tictactoe_rules, scaled(200, 6), 8);
}
