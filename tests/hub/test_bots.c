/* test_bots.c -- bots: their accounts, their seats, what they are asked, and
 * what becomes of it if nobody answers, or somebody who means no good does. */

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "core/mind.h"
#include "server/hub/inner.h"
#include "server/hub/limits.h"
#include "tests/support/bot_answer.h"
#include "tests/support/games/all.h"
#include "tests/support/test_client.h"

#define SECOND INT64_C(1000)

static struct test_client d;
static peer_id anna, bert, thinker;
static char table[16];

static peer_id come_thinking(void)
{
    struct peer_info info = {.direct = true, .bots = true};

    hub_open(d.world.hub, ++d.peers, &info, d.world.now_ms);
    return d.peers;
}

static void use_bots(int processes)
{
    d.world.config.bots = processes;
    hub_configure(d.world.hub, &d.world.config);
}

/* A server whose chance is that of SEED. */
static void begin_with(uint64_t seed)
{
    test_client_open(&d, seed);
    use_bots(1);
    anna = test_client_user(&d, "anna");
    bert = test_client_user(&d, "bert");
    thinker = come_thinking();
    for (int i = 0; i < 5; i++)
        test_client_wait(&d, SECOND);
}

static void begin(void)
{
    begin_with(11);
}

static void end(void)
{
    test_client_close(&d);
}

TestSuite(bots, .init = begin, .fini = end, .timeout = 600);

/* ---- people ------------------------------------------------------------------- */

static json_t *create(peer_id p, const char *game, int seats, json_t *more)
{
    json_t *params = json_pack("{s:s,s:i}", "game", game, "seats", seats);

    json_object_update(params, more);
    json_decref(more);
    json_t *answer = test_client_ask_json(&d, p, "table.create", params);
    const char *id = test_client_text(answer, "table");
    if (test_client_reason(answer)[0] == '\0')
        snprintf(table, sizeof(table), "%s", id);
    return answer;
}

/* Anna's game of tic-tac-toe against a bot of LEVEL. */
static void play_against(const char *level)
{
    FINE(create(anna, "tictactoe", 2, json_pack("{s:[s]}", "bots", level)));
}

static json_t *view(peer_id p)
{
    return test_client_view(&d, p, table);
}

static const char *state(void)
{
    return json_string_value(json_object_get(view(anna), "state"));
}

static int64_t ply(void)
{
    return json_integer_value(json_object_get(view(anna), "ply"));
}

/* P's first legal move. */
static json_t *move(peer_id p)
{
    json_t *legal = test_client_ask(&d, p, "table.legal", "{s:s}", "table",
                                    table);

    FINE(legal);
    return test_client_ask(&d, p, "table.move", "{s:s,s:O,s:O}", "table",
                           table, "decision",
                           test_client_member(legal, "decision"), "move",
                           json_array_get(test_client_member(legal, "moves"),
                                          0));
}

/* Anna and Bert move while it is theirs to. */
static void people_move(void)
{
    for (bool moved = true; moved;) {
        moved = false;
        for (int i = 0; i < 2; i++) {
            peer_id p = i == 0 ? anna : bert;
            if (json_is_integer(json_object_get(view(p), "decision"))) {
                FINE(move(p));
                moved = true;
            }
        }
    }
}

/* ---- a process that thinks ------------------------------------------------------ */

static int asked; /* the request by which P asked last */

static void ask_next(peer_id p)
{
    asked = test_client_send(&d, p, "bots.next", json_object());
    test_client_settle(&d);
}

/* What it is asked, or NULL: nothing yet. */
static json_t *question(void)
{
    test_client_settle(&d);
    return test_client_answer(&d, asked);
}

/* What answers Q as its level would. */
static json_t *thought(const json_t *q)
{
    return bot_answer(json_object_get(q, "result"), MIND_GREEDY);
}

/* P thinks until nothing is asked any more; how often it was. */
static int think(peer_id p)
{
    int count = 0;

    ask_next(p);
    for (json_t *q; (q = question()) != NULL; count++) {
        FINE(q);
        FINE(test_client_ask_json(&d, p, "bots.play", thought(q)));
        ask_next(p);
    }
    return count;
}

/* ---- accounts ------------------------------------------------------------------- */

/* Bots have accounts that say so; nobody gets in as one, has a name like theirs,
 * or changes what they are, the administrator included. */
Test(bots, accounts)
{
    peer_id stranger = test_client_come(&d, 0);
    peer_id admin = test_client_admin(&d);
    json_t *got = test_client_ask(&d, anna, "account.get", "{s:s}", "name",
                                  "bot-greedy");

    FINE(got);
    cr_assert(
        json_is_true(json_object_get(test_client_member(got, "user"), "bot")));
    REASON(test_client_ask(&d, stranger, "session.login", "{s:s,s:s}", "name",
                           "bot-greedy", "password", "password"),
           "bad_credentials");
    REASON(test_client_ask(&d, stranger, "account.register", "{s:s,s:s}",
                           "name", "Bot-Clever", "password", "password"),
           "name_taken");
    REASON(test_client_ask(&d, stranger, "results.list", "{s:s}", "name",
                           "bot-greedy"),
           "is_a_bot");
    static const struct {
        const char *method, *params, *more;
    } changes[] = {
        {"admin.users.password", "password", "password"},
        {"admin.users.rename", "name", "somebody"},
        {"admin.users.delete", NULL, NULL},
        {"admin.users.bind", "proxied", "root"},
        {"admin.users.ban", NULL, NULL},
        {"admin.links.create", "purpose", "reset"},
    };
    for (size_t i = 0; i < COUNT_OF(changes); i++) {
        json_t *params = json_pack("{s:s}", "user", "bot-search");
        if (changes[i].params != NULL)
            json_object_set_new(params, changes[i].params,
                                json_string(changes[i].more));
        json_t *answer = test_client_ask_json(&d, admin, changes[i].method,
                                              params);
        cr_assert_str_eq(test_client_reason(answer), "is_a_bot", "%s",
                         changes[i].method);
    }
    REASON(test_client_ask(&d, admin, "admin.users.rename", "{s:s,s:s}",
                           "user", "anna", "name", "bot-anna"),
           "name_taken");
}

/* A name that somebody had before there were bots stays theirs. */
Test(bots, names_taken_before)
{
    struct test_client other;
    peer_id p;
    json_t *got;

    test_client_open(&other, 3);
    p = test_client_user(&other, "carl");
    for (size_t i = 0; i < other.world.disk.account_count; i++) {
        other.world.disk.accounts[i].name = "bot-greedy";
    }
    other.world.config.bots = 1;
    hub_configure(other.world.hub, &other.world.config);
    for (int i = 0; i < 5; i++)
        test_client_wait(&other, SECOND);
    got = test_client_ask(&other, p, "server.hello", NULL);
    cr_assert_eq(json_array_size(test_client_member(got, "bots")),
                 MIND_LEVELS);
    got = test_client_ask(&other, p, "account.get", "{s:s}", "name",
                          "bot-greedy-101");
    cr_assert(
        json_is_true(json_object_get(test_client_member(got, "user"), "bot")));
    got = test_client_ask(&other, p, "account.get", "{s:s}", "name",
                          "bot-greedy");
    cr_assert_null(json_object_get(test_client_member(got, "user"), "bot"));
    test_client_close(&other);
}

/* A store that refuses for a while takes none of their names from them. */
Test(bots, made_later)
{
    struct test_client other;

    test_client_open(&other, 4);
    other.world.fail_per_1000 = 1000;
    other.world.config.bots = 1;
    hub_configure(other.world.hub, &other.world.config);
    for (int i = 0; i < 200; i++)
        test_client_wait(&other, SECOND);
    other.world.fail_per_1000 = 0;
    for (int i = 0; i < 20; i++)
        test_client_wait(&other, SECOND);
    peer_id p = test_client_user(&other, "carl");
    json_t *got = test_client_ask(&other, p, "account.get", "{s:s}", "name",
                                  "bot-greedy");
    FINE(got);
    cr_assert(
        json_is_true(json_object_get(test_client_member(got, "user"), "bot")));
    test_client_close(&other);
}

/* After another start there are no more of them. */
Test(bots, made_once)
{
    size_t before = d.world.disk.account_count;

    world_crash(&d.world);
    for (int i = 0; i < 5; i++)
        test_client_wait(&d, SECOND);
    cr_assert_eq(d.world.disk.account_count, before);
}

/* ---- seats ---------------------------------------------------------------------- */

/* Seats are filled with different bots of the levels asked for, the game begins
 * at once, and lists and views say who is none of the people. */
Test(bots, seated)
{
    FINE(create(anna, "hadara", 4,
                json_pack("{s:[s,s,s]}", "bots", "greedy", "greedy",
                          "random")));
    json_t *seats = json_object_get(view(anna), "seats");
    cr_assert_str_eq(state(), "playing");
    cr_assert_null(json_object_get(json_array_get(seats, 0), "bot"));
    static const char *const names[] = {"anna", "bot-greedy", "bot-greedy-2",
                                        "bot-random"};
    for (size_t i = 0; i < 4; i++) {
        json_t *seat = json_array_get(seats, i);
        cr_assert_str_eq(json_string_value(json_object_get(seat, "name")),
                         names[i]);
        cr_assert_eq(json_is_true(json_object_get(seat, "bot")), i > 0);
    }
    json_t *got = test_client_ask(&d, bert, "table.get", "{s:s}", "table",
                                  table);
    seats = json_object_get(test_client_member(got, "table"), "seats");
    cr_assert(json_is_true(json_object_get(json_array_get(seats, 3), "bot")));
}

/* More bots than seats, a rated game, an invited bot: each is refused, and
 * changes nothing. */
Test(bots, refused)
{
    REASON(create(anna, "tictactoe", 2,
                  json_pack("{s:[s,s]}", "bots", "greedy", "random")),
           "invalid_params");
    REASON(create(anna, "tictactoe", 2,
                  json_pack("{s:[s],s:b}", "bots", "greedy", "rated", 1)),
           "invalid_params");
    REASON(create(anna, "tictactoe", 2,
                  json_pack("{s:[s]}", "bots", "stockfish")),
           "invalid_params");
    REASON(create(anna, "tictactoe", 2,
                  json_pack("{s:[s]}", "invite", "bot-greedy")),
           "is_a_bot");
    FINE(create(anna, "tictactoe", 2, json_object()));
    REASON(test_client_ask(&d, anna, "table.invite", "{s:s,s:s}", "table",
                           table, "name", "bot-greedy"),
           "is_a_bot");
}

/* One may sit at so many tables with bots, and at others besides. */
Test(bots, tables_limited)
{
    for (int i = 0; i < LIMIT_BOT_TABLES; i++)
        play_against("greedy");
    REASON(create(anna, "tictactoe", 2,
                  json_pack("{s:[s]}", "bots", "greedy")),
           "too_many_bot_tables");
    FINE(create(anna, "tictactoe", 2, json_object()));
    FINE(create(bert, "tictactoe", 2, json_pack("{s:[s]}", "bots", "greedy")));
}

/* Where no process thinks there is nobody to play against, and the server says so
 * before it is asked. */
Test(bots, nobody_there)
{
    hub_close(d.world.hub, thinker, d.world.now_ms);
    test_client_wait(&d, SECOND);
    play_against("greedy"); /* another one is on its way, most likely */
    for (int64_t ms = 0; ms < LIMIT_BOT_MS; ms += 10 * SECOND)
        test_client_wait(&d, 10 * SECOND);
    json_t *pace = json_pack("{s:[s]}", "bots", "greedy");
    REASON(create(anna, "tictactoe", 2, pace), "no_bots");
    pace = json_pack("{s:{s:i},s:{s:s}}", "pace", "free", 60, "misses", "then",
                     "bot");
    REASON(create(anna, "tictactoe", 2, pace), "no_bots");
    json_t *hello = test_client_ask(&d, anna, "server.hello", NULL);
    cr_assert_eq(json_array_size(test_client_member(hello, "bots")), 0);
    thinker = come_thinking();
    pace = json_pack("{s:[s]}", "bots", "greedy");
    REASON(create(anna, "tictactoe", 2, pace), "no_bots");
    ask_next(thinker); /* who only comes may as well go again */
    play_against("greedy");
}

/* Nor if there are fewer of a level than are to play. */
Test(bots, too_few)
{
    struct bots *b = &d.world.hub->bots;
    const char *level = mind_level_words[b->bot[0].level];

    b->count = 1;
    REASON(create(anna, "hadara", 3,
                  json_pack("{s:[s,s]}", "bots", level, level)),
           "no_bots");
    FINE(create(anna, "hadara", 3, json_pack("{s:[s]}", "bots", level)));
}

/* An open table at which only bots sit is given up like an empty one. */
Test(bots, left_alone)
{
    FINE(create(anna, "hadara", 3, json_pack("{s:[s]}", "bots", "greedy")));
    cr_assert_str_eq(state(), "open");
    FINE(test_client_ask(&d, anna, "table.leave", "{s:s}", "table", table));
    cr_assert_str_eq(state(), "abandoned");
}

/* ---- thinking -------------------------------------------------------------------- */

/* A whole game: the bot is asked when it is its turn, about its own view, and its
 * moves are moves like others. */
Test(bots, a_game)
{
    play_against("greedy");
    ask_next(thinker);
    cr_assert_null(question(), "it is Anna's turn");
    int moves = 0;
    while (strcmp(state(), "playing") == 0) {
        FINE(move(anna));
        json_t *q = question();
        if (q == NULL)
            break;
        FINE(q);
        cr_assert_str_eq(test_client_text(q, "level"), "greedy");
        cr_assert(json_is_true(test_client_member(q, "must")));
        FINE(test_client_ask_json(&d, thinker, "bots.play", thought(q)));
        ask_next(thinker);
        moves++;
    }
    cr_assert_gt(moves, 1);
    cr_assert_str_eq(state(), "finished");
}

/* The card that SEAT of a game of Kuhn poker was dealt first, by the log. */
static int dealt(int seat)
{
    static const char *const cards[] = {"jack", "queen", "king"};
    const struct disk_table *t = d.world.disk.tables[0];

    for (size_t i = 0; i < t->ply_count; i++) {
        json_t *line = json_loads(t->plies[i].line, 0, NULL);
        json_t *deal = json_object_get(line, "move");
        const char *card = json_string_value(json_object_get(deal, "card"));
        bool theirs = json_integer_value(json_object_get(deal, "seat")) ==
                      seat;
        int found = -1;
        for (int k = 0; card != NULL && theirs && k < 3; k++)
            if (strcmp(card, cards[k]) == 0)
                found = k;
        json_decref(line);
        if (found >= 0)
            return found;
    }
    cr_assert_fail("seat %d has no card", seat);
    return -1;
}

/* What a bot is asked is the same, byte for byte, whatever others hold: in Kuhn
 * poker it knows its own card, so there are three questions. */
Test(bots, asked_by_what_it_knows)
{
    char *questions[3] = {NULL};
    unsigned others[3] = {0}; /* cards of Anna's, as bits */

    for (uint64_t seed = 20; seed < 50; seed++) {
        end();
        begin_with(seed);
        FINE(create(anna, "kuhn", 2, json_pack("{s:[s]}", "bots", "greedy")));
        ask_next(thinker);
        FINE(move(anna));
        json_t *asks = json_object_get(question(), "result");
        cr_assert_not_null(json_object_get(asks, "view"));
        json_object_del(asks, "table"); /* a name, drawn anew each time */
        char *text = json_dumps(asks, JSON_COMPACT);
        int own = dealt(1);
        others[own] |= 1U << dealt(0);
        if (questions[own] == NULL)
            questions[own] = text;
        else {
            cr_assert_str_eq(text, questions[own]);
            free(text);
        }
    }
    for (int own = 0; own < 3; own++) {
        cr_assert_eq(others[own], 7U & ~(1U << own), "both were met");
        cr_assert_str_neq(questions[own], questions[(own + 1) % 3]);
    }
    for (int own = 0; own < 3; own++)
        free(questions[own]);
}

/* A bot that could move but is not waited for may let it be, and is not asked the
 * same again; three of them, who all act at once, are asked one after the
 * other. */
Test(bots, at_once)
{
    FINE(create(anna, "hadara", 4,
                json_pack("{s:[s,s,s]}", "bots", "greedy", "greedy",
                          "greedy")));
    int before = think(thinker);
    cr_assert_geq(before, 3);
    cr_assert_null(question());
    test_client_wait(&d, 10 * SECOND);
    cr_assert_null(question(), "nothing is asked twice");
}

/* Whoever is first at each of two people's tables waits for one thought of the
 * other's, not for all of them. */
Test(bots, fair)
{
    char own[16];

    for (int i = 0; i < 6; i++) {
        play_against("greedy");
        FINE(move(anna));
    }
    FINE(create(bert, "tictactoe", 2, json_pack("{s:[s]}", "bots", "greedy")));
    memcpy(own, table, sizeof(own));
    FINE(move(bert));
    int waited = 0;
    for (bool own_turn = false; !own_turn; waited++) {
        ask_next(thinker);
        json_t *q = question();
        FINE(q);
        own_turn = strcmp(test_client_text(q, "table"), own) == 0;
        FINE(test_client_ask_json(&d, thinker, "bots.play", thought(q)));
    }
    cr_assert_leq(waited, 2);
}

/* Bots do not play on for nobody: when the last of the people gives up the game
 * ends, and when they miss their turn and a bot would play for them. */
Test(bots, alone)
{
    FINE(create(anna, "hadara", 4,
                json_pack("{s:[s,s]}", "bots", "greedy", "random")));
    FINE(test_client_ask(&d, bert, "table.join", "{s:s}", "table", table));
    FINE(test_client_ask(&d, anna, "table.resign", "{s:s}", "table", table));
    cr_assert_str_eq(state(), "playing", "Bert is there");
    FINE(test_client_ask(&d, bert, "table.resign", "{s:s}", "table", table));
    cr_assert_str_eq(state(), "abandoned");
    ask_next(thinker);
    cr_assert_null(question());

    FINE(create(anna, "hadara", 3,
                json_pack("{s:[s,s],s:{s:i},s:{s:i,s:s}}", "bots", "greedy",
                          "random", "pace", "free", 60, "misses", "excused", 0,
                          "then", "bot")));
    for (int i = 0; i < 400 && strcmp(state(), "playing") == 0; i++)
        test_client_wait(&d, SECOND);
    cr_assert_str_eq(state(), "abandoned");
}

/* ---- without an answer ------------------------------------------------------------ */

/* A bot agrees to what its opponents agree on: alone with one somebody may end the
 * game, and of two people both have to. */
Test(bots, agree)
{
    play_against("greedy");
    json_t *answer = test_client_ask(&d, anna, "table.propose", "{s:s,s:s}",
                                     "table", table, "about", "cancel");
    FINE(answer);
    cr_assert(json_is_true(test_client_member(answer, "passed")));
    cr_assert_str_eq(state(), "abandoned");

    FINE(create(anna, "hadara", 3, json_pack("{s:[s]}", "bots", "greedy")));
    FINE(test_client_ask(&d, bert, "table.join", "{s:s}", "table", table));
    answer = test_client_ask(&d, anna, "table.propose", "{s:s,s:s}", "table",
                             table, "about", "cancel");
    FINE(answer);
    cr_assert_null(test_client_member(answer, "passed"));
    answer = test_client_ask(&d, bert, "table.vote", "{s:s,s:O,s:b}", "table",
                             table, "vote", test_client_member(answer, "ply"),
                             "yes", 1);
    FINE(answer);
    cr_assert(json_is_true(test_client_member(answer, "passed")));
    cr_assert_str_eq(state(), "abandoned");
}

/* A process that does not think, or none: after a minute the bot has made the
 * default move, and the game goes on. */
Test(bots, silent)
{
    play_against("greedy");
    FINE(move(anna));
    int64_t before = ply();
    ask_next(thinker);
    cr_assert_not_null(question());
    for (int64_t ms = 0; ms < LIMIT_BOT_SILENT_MS + 2 * SECOND; ms += SECOND)
        test_client_wait(&d, SECOND);
    cr_assert(d.cut[thinker], "it is thought to have stopped");
    cr_assert_eq(ply(), before);
    hub_close(d.world.hub, thinker, d.world.now_ms);
    for (int64_t ms = 0; ms < LIMIT_BOT_MS; ms += SECOND)
        test_client_wait(&d, SECOND);
    cr_assert_eq(ply(), before + 1);
    FINE(move(anna));
}

/* Sets what the operator says of maintenance. */
static void maintain(const char *text)
{
    d.world.config.maintenance = text;
    hub_configure(d.world.hub, &d.world.config);
    test_client_wait(&d, SECOND);
}

/* Time in which nobody could answer does not count: not that of maintenance, nor
 * when the whole machine slept. */
Test(bots, time_that_does_not_count)
{
    play_against("greedy");
    FINE(move(anna));
    int64_t before = ply();
    maintain("for a while");
    for (int64_t ms = 0; ms < 2 * LIMIT_BOT_MS; ms += SECOND)
        test_client_wait(&d, SECOND);
    maintain("");
    ask_next(thinker);
    json_t *q = question();
    FINE(q);
    int64_t at = d.world.now_ms;
    d.world.now_ms += 10 * LIMIT_BOT_MS;
    hub_stood_still(d.world.hub, at, d.world.now_ms);
    test_client_wait(&d, SECOND);
    cr_assert(!d.cut[thinker]);
    cr_assert_eq(ply(), before);
    FINE(test_client_ask_json(&d, thinker, "bots.play", thought(q)));
}

/* How many plies of the table are stored: to ask the hub would bring the table
 * back to its memory, and so to mind what it asks. */
static size_t stored(void)
{
    const struct disk *disk = &d.world.disk;
    return disk->tables[disk->table_count - 1]->ply_count;
}

/* An answer that is not stored is asked for again, without anybody's coming to
 * the table, which has left memory by then. */
Test(bots, not_stored)
{
    play_against("greedy");
    FINE(move(anna));
    ask_next(thinker);
    json_t *q = question();
    FINE(q);
    d.world.fail_at = d.world.handled + 1;
    REASON(test_client_ask_json(&d, thinker, "bots.play", thought(q)),
           "storage_unavailable");
    ask_next(thinker);
    for (int64_t ms = 0; ms < 2 * LIMIT_BOT_AGAIN_MS; ms += SECOND)
        test_client_wait(&d, SECOND);
    cr_assert_not_null(question());
}

/* The same of the default move, where nobody thinks. */
Test(bots, default_move_not_stored)
{
    const struct hub *hub = d.world.hub;
    uint64_t mild = hub->counts.bots_mild;

    play_against("greedy");
    FINE(move(anna));
    hub_close(d.world.hub, thinker, d.world.now_ms);
    size_t before = stored();
    for (int64_t ms = 0; ms < LIMIT_BOT_MS - 5 * SECOND; ms += SECOND)
        test_client_wait(&d, SECOND);
    d.world.fail_per_1000 = 1000;
    for (int i = 0; i < 60 && hub->counts.bots_mild == mild; i++)
        test_client_wait(&d, SECOND);
    test_client_settle(&d);
    d.world.fail_per_1000 = 0;
    cr_assert_eq(hub->counts.bots_mild, mild + 1);
    cr_assert_eq(stored(), before);
    int64_t again = 2 * LIMIT_BOT_AGAIN_MS + LIMIT_BOT_MS;
    for (int64_t ms = 0; ms < again; ms += SECOND)
        test_client_wait(&d, SECOND);
    cr_assert_gt(stored(), before);
}

/* What a process had that is gone another one gets. */
Test(bots, handed_on)
{
    play_against("greedy");
    FINE(move(anna));
    ask_next(thinker);
    cr_assert_not_null(question());
    hub_close(d.world.hub, thinker, d.world.now_ms);
    thinker = come_thinking();
    cr_assert_eq(think(thinker), 1);
}

/* The whole server dies and comes again while bots are to move: they are asked
 * without anybody's coming. */
Test(bots, after_a_crash)
{
    play_against("greedy");
    FINE(move(anna));
    world_crash(&d.world);
    thinker = come_thinking();
    for (int i = 0; i < 5; i++)
        test_client_wait(&d, SECOND);
    cr_assert_eq(think(thinker), 1);
}

/* ---- those who mean no good -------------------------------------------------------- */

/* A process may ask for questions and answer them, and nothing else; nobody else
 * may do that. */
Test(bots, nothing_else)
{
    REASON(test_client_ask(&d, anna, "bots.next", NULL), "forbidden");
    REASON(test_client_ask(&d, thinker, "table.list", NULL), "forbidden");
    REASON(test_client_ask(&d, thinker, "account.guest", NULL), "forbidden");
    REASON(test_client_ask(&d, thinker, "admin.status", NULL), "forbidden");
    REASON(test_client_ask(&d, thinker, "server.hello", NULL), "forbidden");
}

/* An answer to a question that was not asked of it, to another seat's or to an
 * old one changes nothing. */
Test(bots, not_asked)
{
    peer_id other = come_thinking();

    play_against("greedy");
    FINE(move(anna));
    ask_next(thinker);
    json_t *q = question();
    int64_t before = ply();
    REASON(test_client_ask_json(&d, other, "bots.play", thought(q)),
           "stale_decision");
    json_t *wrong = thought(q);
    json_object_set_new(wrong, "seat", json_integer(0));
    REASON(test_client_ask_json(&d, thinker, "bots.play", wrong),
           "stale_decision");
    wrong = thought(q);
    json_object_set_new(wrong, "decision", json_integer(0));
    REASON(test_client_ask_json(&d, thinker, "bots.play", wrong),
           "stale_decision");
    wrong = thought(q);
    json_object_del(wrong, "move");
    REASON(test_client_ask_json(&d, thinker, "bots.play", wrong),
           "invalid_params");
    cr_assert_eq(ply(), before);
    FINE(test_client_ask_json(&d, thinker, "bots.play", thought(q)));
    REASON(test_client_ask_json(&d, thinker, "bots.play", thought(q)),
           "stale_decision");
}

/* Who goes on to play what is not legal is cut off, and the table goes on. */
Test(bots, illegal)
{
    play_against("greedy");
    FINE(move(anna));
    ask_next(thinker);
    json_t *q = question();
    for (int i = 0; i < LIMIT_BOT_ILLEGAL; i++) {
        json_t *wrong = thought(q);
        json_object_set_new(wrong, "move",
                            json_pack("{s:s}", "verb", "castle"));
        REASON(test_client_ask_json(&d, thinker, "bots.play", wrong),
               "illegal_move");
    }
    test_client_settle(&d);
    cr_assert(d.cut[thinker]);
    hub_close(d.world.hub, thinker, d.world.now_ms);
    thinker = come_thinking();
    cr_assert_eq(think(thinker), 1);
}

/* So is who floods, with questions or with what is none. */
Test(bots, flood)
{
    for (int i = 0; i < 3 * LIMIT_RATE_BOT_BURST && !d.cut[thinker]; i++)
        (void)test_client_send(&d, thinker, "bots.next", json_object());
    test_client_settle(&d);
    cr_assert(d.cut[thinker]);
    peer_id other = come_thinking();
    hub_message(d.world.hub, other, "{", 1, d.world.now_ms);
    test_client_settle(&d);
    cr_assert(d.cut[other]);
    FINE(test_client_ask(&d, anna, "me.tables", NULL));
}

/* Who is just fast is not: it is asked nothing that it may not answer yet. */
Test(bots, fast)
{
    play_against("random");
    FINE(move(anna));
    asked = test_client_send(&d, thinker, "bots.next", json_object());
    for (int i = 1; i < LIMIT_RATE_BOT_BURST; i++)
        (void)test_client_send(&d, thinker, "bots.next", json_object());
    d.world.now_ms -= SECOND; /* for steps take time */
    cr_assert_null(question());
    d.world.now_ms += SECOND;
    test_client_wait(&d, SECOND);
    json_t *q = question();
    FINE(q);
    FINE(test_client_ask_json(&d, thinker, "bots.play", thought(q)));
    cr_assert(!d.cut[thinker]);
}

/* ---- for people --------------------------------------------------------------------- */

/* At a table where that was agreed on a bot takes the seat of who missed a turn,
 * by moves that the log tells to be a bot's; its owner cannot move there, and
 * takes it back whenever they like. */
Test(bots, substitute)
{
    json_t *more = json_pack("{s:{s:i},s:{s:i,s:s},s:s}", "pace", "free", 60,
                             "misses", "excused", 0, "then", "bot", "start",
                             "full");
    FINE(create(anna, "tictactoe", 2, more));
    FINE(test_client_ask(&d, bert, "table.join", "{s:s}", "table", table));
    FINE(move(anna));
    FINE(move(bert)); /* nobody's first turn is played for them */
    ask_next(thinker);
    for (int i = 0; i < 70 && question() == NULL; i++)
        test_client_wait(&d, SECOND);
    json_t *q = question();
    FINE(q);
    cr_assert_eq(test_client_number(q, "seat"), 0);
    json_t *seats = json_object_get(view(bert), "seats");
    cr_assert(json_is_true(json_object_get(json_array_get(seats, 0), "gone")));
    REASON(test_client_ask(&d, anna, "table.move", "{s:s,s:i,s:{s:s}}",
                           "table", table, "decision", 1, "move", "verb",
                           "place"),
           "not_your_turn");
    FINE(test_client_ask_json(&d, thinker, "bots.play", thought(q)));
    json_t *log = test_client_ask(&d, anna, "table.replay", "{s:s}", "table",
                                  table);
    json_t *plies = test_client_member(log, "plies");
    json_t *last = json_array_get(plies, json_array_size(plies) - 1);
    cr_assert_str_eq(json_string_value(json_object_get(last, "for")), "bot");
    FINE(test_client_ask(&d, anna, "table.return", "{s:s}", "table", table));
    FINE(move(bert));
    ask_next(thinker);
    cr_assert_null(question(), "Anna is back");
    FINE(move(anna));
}

/* ... and, if no bot answers in a minute, by the default ones. */
Test(bots, no_substitute)
{
    json_t *more = json_pack("{s:{s:i},s:{s:i,s:s},s:s}", "pace", "free", 60,
                             "misses", "excused", 0, "then", "bot", "start",
                             "full");
    FINE(create(anna, "tictactoe", 2, more));
    FINE(test_client_ask(&d, bert, "table.join", "{s:s}", "table", table));
    FINE(move(anna));
    FINE(move(bert));
    hub_close(d.world.hub, thinker, d.world.now_ms);
    for (int i = 0; i < 130; i++)
        test_client_wait(&d, SECOND);
    json_t *log = test_client_ask(&d, anna, "table.replay", "{s:s}", "table",
                                  table);
    json_t *plies = test_client_member(log, "plies");
    json_t *last = json_array_get(plies, json_array_size(plies) - 1);
    cr_assert_str_eq(json_string_value(json_object_get(last, "for")), "mild");
    FINE(move(bert));
}

/* ---- a seat of a table that waits ------------------------------------------- */

/* Who made a table gives a free seat of it to a bot, which plays; with the last
 * seat the game begins.  Nobody else does, nor at a rated table. */
Test(bots, take_a_free_seat)
{
    static const char with[] = "{s:s,s:s}";

    FINE(create(anna, "hadara", 3, json_object()));
    FINE(test_client_ask(&d, bert, "table.join", "{s:s}", "table", table));
    REASON(test_client_ask(&d, bert, "table.bot", with, "table", table,
                           "level", "greedy"),
           "forbidden");
    REASON(test_client_ask(&d, anna, "table.bot", "{s:s,s:s,s:i}", "table",
                           table, "level", "greedy", "seat", 1),
           "seat_taken");
    REASON(test_client_ask(&d, anna, "table.bot", "{s:s,s:s,s:i}", "table",
                           table, "level", "greedy", "seat", 3),
           "no_such_seat");
    json_t *once = test_client_ask(&d, anna, "table.bot", "{s:s,s:s,s:s}",
                                   "table", table, "level", "greedy", "key",
                                   "k");
    FINE(once);
    cr_assert_eq(test_client_number(once, "seat"), 2);
    cr_assert_str_eq(state(), "playing");
    people_move();
    cr_assert_gt(think(thinker), 0);
    FINE(test_client_ask(&d, anna, "table.bot", "{s:s,s:s,s:s}", "table",
                         table, "level", "greedy", "key", "k"));
    REASON(test_client_ask(&d, anna, "table.bot", with, "table", table,
                           "level", "greedy"),
           "already_started");
    FINE(create(anna, "hadara", 3, json_object()));
    FINE(test_client_ask(&d, bert, "table.join", "{s:s}", "table", table));
    FINE(test_client_ask(&d, anna, "table.leave", "{s:s}", "table", table));
    REASON(test_client_ask(&d, anna, "table.bot", with, "table", table,
                           "level", "greedy"),
           "forbidden");
    FINE(create(anna, "tictactoe", 2,
                json_pack("{s:b,s:{s:i}}", "rated", 1, "pace", "free", 3600)));
    REASON(test_client_ask(&d, anna, "table.bot", with, "table", table,
                           "level", "greedy"),
           "forbidden");
}

/* As many tables as one may have with bots are no more by way of their seats. */
Test(bots, free_seats_have_the_limit_of_tables)
{
    for (int i = 0; i < LIMIT_BOT_TABLES; i++)
        play_against("random");
    FINE(create(anna, "tictactoe", 2, json_object()));
    REASON(test_client_ask(&d, anna, "table.bot", "{s:s,s:s}", "table", table,
                           "level", "random"),
           "too_many_bot_tables");
}

/* Where none were wanted at the start there are some as soon as they are, and none
 * when they are not any more. */
Test(bots, wanted_later)
{
    struct test_client other;
    json_t *got;

    test_client_open(&other, 3);
    for (int i = 0; i < 5; i++)
        test_client_wait(&other, SECOND);
    peer_id p = test_client_user(&other, "carl");
    for (int processes = 0; processes < 3; processes++) {
        other.world.config.bots = processes % 2;
        hub_configure(other.world.hub, &other.world.config);
        for (int i = 0; i < 15; i++)
            test_client_wait(&other, SECOND);
        got = test_client_ask(&other, p, "server.hello", NULL);
        cr_assert_eq(json_array_size(test_client_member(got, "bots")),
                     processes % 2 == 1 ? MIND_LEVELS : 0);
    }
    test_client_close(&other);
}
