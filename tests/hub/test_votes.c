/* test_votes.c -- what players agree on while the game goes on: who has a say,
 * what comes of it, what ends a vote, and how silence agrees; each log of it is
 * one that the audit accepts. */

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "core/votes.h"
#include "server/hub/inner.h"
#include "server/hub/limits.h"
#include "tests/support/test_client.h"

THREE_CLIENTS(votes, 7);

#define SECOND INT64_C(1000)
#define MINUTE (60 * SECOND)
#define DAY    (24 * 60 * MINUTE)

static char table[16];

/* ---- people at a table ------------------------------------------------------ */

static void join(peer_id p)
{
    FINE(test_client_ask(&d, p, "table.join", "{s:s}", "table", table));
}

/* Tic-tac-toe of anna and bert, with MORE of a setup. */
static void two(json_t *more)
{
    json_object_set_new(more, "start", json_string("full"));
    FINE(test_client_create(&d, anna, more, table));
    join(bert);
}

/* Hacienda of all three, of FREE seconds a turn, of whose misses none is
 * excused and THEN comes; of no pace if FREE is 0. */
static void three(int free, const char *then)
{
    json_t *setup = json_pack("{s:s,s:i,s:s}", "game", "hacienda", "seats", 3,
                              "start", "full");
    if (free != 0) {
        json_object_set_new(setup, "pace", json_pack("{s:i}", "free", free));
        json_object_set_new(setup, "misses",
                            json_pack("{s:i,s:s}", "excused", 0, "then",
                                      then));
    }
    json_t *answer = test_client_ask_json(&d, anna, "table.create", setup);
    FINE(answer);
    snprintf(table, sizeof(table), "%s", test_client_text(answer, "table"));
    join(bert);
    join(carl);
}

static json_t *view(peer_id p)
{
    return test_client_view(&d, p, table);
}

static const json_t *vote(void)
{
    return json_object_get(view(anna), "vote");
}

static const char *state(void)
{
    return json_string_value(json_object_get(view(anna), "state"));
}

static const json_t *seat(int n)
{
    return json_array_get(json_object_get(view(anna), "seats"), (size_t)n);
}

/* The seat that is waited for, or -1. */
static int acting(void)
{
    const json_t *seats = json_object_get(view(anna), "seats");
    int n = 0;

    test_client_wait(&d, SECOND); /* there is a limit to asking */
    while (n < 3 &&
           !json_is_true(
               json_object_get(json_array_get(seats, (size_t)n), "acting")))
        n++;
    return n < 3 ? n : -1;
}

static json_t *with(json_t *more, const char *about)
{
    json_object_set_new(more, "table", json_string(table));
    json_object_set_new(more, "about", json_string(about));
    return more;
}

/* P opens a vote, with what is said besides its subject. */
static json_t *propose(peer_id p, const char *about, json_t *more)
{
    return test_client_ask_json(&d, p, "table.propose", with(more, about));
}

static json_t *opens(peer_id p, const char *about)
{
    return propose(p, about, json_object());
}

/* P answers the vote that is open. */
static json_t *says(peer_id p, bool yes)
{
    json_int_t ply = json_integer_value(json_object_get(vote(), "ply"));
    return test_client_ask(&d, p, "table.vote", "{s:s,s:I,s:b}", "table",
                           table, "vote", ply, "yes", yes);
}

static bool passed(const json_t *answer)
{
    FINE(answer);
    return json_is_true(test_client_member(answer, "passed"));
}

static json_t *move(peer_id p)
{
    json_t *legal = test_client_ask(&d, p, "table.legal", "{s:s}", "table",
                                    table);
    const json_t *moves = test_client_member(legal, "moves");

    return test_client_ask(&d, p, "table.move", "{s:s,s:O,s:O}", "table",
                           table, "decision",
                           test_client_member(legal, "decision"), "move",
                           json_array_get(moves, 0));
}

/* Whoever is waited for moves. */
static void somebody_moves(void)
{
    const peer_id who[] = {anna, bert, carl};
    FINE(move(who[acting()]));
}

static void pass(int64_t ms)
{
    for (; ms > SECOND; ms -= SECOND)
        test_client_wait(&d, SECOND);
    test_client_wait(&d, ms);
}

static void leap(int64_t ms)
{
    d.world.now_ms += ms;
    test_client_wait(&d, SECOND);
}

static void verified(void)
{
    char why[400];

    cr_assert(test_client_judge(&d, table, why, sizeof(why)), "%s", why);
}

/* ---- one vote after the other ------------------------------------------------ */

/* All of three have to agree that the game ends; all see who has. */
Test(votes, cancel)
{
    three(0, NULL);
    json_t *first = opens(bert, "cancel");
    cr_assert(!passed(first));
    json_t *wanted = json_pack("{s:I,s:s,s:i,s:I,s:[i,i,i],s:[i],s:b}", "ply",
                               (json_int_t)test_client_number(first, "ply"),
                               "about", "cancel", "seat", 1, "until",
                               (json_int_t)(d.world.now_ms + 7 * DAY), "asked",
                               0, 1, 2, "agreed", 1, "silent", 0);
    const json_t *is = vote();
    json_int_t until = json_integer_value(json_object_get(is, "until"));
    cr_assert(until > d.world.now_ms + 7 * DAY - MINUTE &&
              until <= d.world.now_ms + 7 * DAY);
    json_object_set(wanted, "until", json_object_get(is, "until"));
    cr_assert(json_equal((json_t *)is, wanted));
    json_decref(wanted);
    cr_assert(!passed(says(anna, true)));
    cr_assert_eq(json_array_size(json_object_get(vote(), "agreed")), 2);
    verified();
    cr_assert(passed(says(carl, true)));
    cr_assert_str_eq(state(), "abandoned");
    cr_assert(json_is_null(vote()));
    verified();
}

/* A no ends it, of whoever opened it, too: then that seat opens none until the
 * game has gone on. */
Test(votes, no)
{
    two(json_object());
    FINE(opens(anna, "cancel"));
    FINE(says(bert, false));
    cr_assert(json_is_null(vote()));
    REASON(opens(anna, "cancel"), "vote_too_soon");
    FINE(opens(bert, "cancel"));
    FINE(says(bert, false));
    REASON(opens(bert, "cancel"), "vote_too_soon");
    FINE(move(anna));
    FINE(opens(anna, "cancel"));
    FINE(says(bert, false));
    leap(7 * DAY);
    FINE(opens(anna, "cancel"));
    verified();
}

/* There is one at a time, and each is over with the next move, when somebody
 * gives up, and after seven days. */
Test(votes, over)
{
    three(0, NULL);
    json_t *first = opens(anna, "cancel");
    json_int_t ply = test_client_number(first, "ply");
    json_t *again = opens(anna, "cancel");
    cr_assert(json_is_true(test_client_member(again, "duplicate")));
    cr_assert_eq(test_client_number(again, "ply"), ply);
    REASON(opens(bert, "cancel"), "vote_open");
    somebody_moves();
    cr_assert(json_is_null(vote()));
    REASON(test_client_ask(&d, bert, "table.vote", "{s:s,s:I,s:b}", "table",
                           table, "vote", ply, "yes", 1),
           "no_such_vote");
    FINE(opens(bert, "cancel"));
    REASON(test_client_ask(&d, carl, "table.vote", "{s:s,s:I,s:b}", "table",
                           table, "vote", ply, "yes", 1),
           "no_such_vote"); /* they mean the one that is over */
    FINE(says(carl, true));
    FINE(test_client_ask(&d, anna, "table.resign", "{s:s}", "table", table));
    cr_assert(json_is_null(vote()), "nobody asked them again");
    FINE(opens(bert, "cancel"));
    ply = json_integer_value(json_object_get(vote(), "ply"));
    leap(7 * DAY);
    REASON(test_client_ask(&d, carl, "table.vote", "{s:s,s:I,s:b}", "table",
                           table, "vote", ply, "yes", 1),
           "no_such_vote");
    FINE(opens(carl, "cancel"));
    cr_assert(passed(says(bert, true)), "who has given up has no say");
    verified();
}

/* Whom of the one table lists say that a vote waits for, as bits. */
static unsigned listed(void)
{
    const json_t *tables =
        test_client_member(test_client_ask(&d, carl, "me.tables", NULL),
                           "tables");
    const json_t *seats = json_object_get(json_array_get(tables, 0), "seats");
    unsigned asked = 0;

    for (size_t i = 0; i < json_array_size(seats); i++)
        if (json_is_true(json_object_get(json_array_get(seats, i), "asked")))
            asked |= 1u << i;
    return asked;
}

/* Lists tell whom a vote waits for, until it is over, if only as its time is. */
Test(votes, in_lists)
{
    three(0, NULL);
    cr_assert_eq(listed(), 0);
    FINE(opens(bert, "cancel"));
    cr_assert_eq(listed(), 1u << 0 | 1u << 2);
    FINE(says(anna, true));
    cr_assert_eq(listed(), 1u << 2);
    FINE(says(carl, false));
    cr_assert_eq(listed(), 0);
    FINE(opens(carl, "cancel"));
    leap(7 * DAY - MINUTE);
    cr_assert_eq(listed(), 1u << 0 | 1u << 1);
    leap(MINUTE);
    cr_assert_eq(listed(), 0, "of which no ply tells");
}

/* Somebody says both yes and no at once, on two devices: one of these counts, and
 * the other finds that vote over, or said already. */
Test(votes, two_devices)
{
    for (int no_first = 0; no_first < 2; no_first++) {
        two(json_object());
        FINE(opens(anna, "cancel"));
        json_int_t ply = json_integer_value(json_object_get(vote(), "ply"));
        peer_id other = test_client_come(&d, 0);
        FINE(test_client_ask(&d, other, "session.login", "{s:s,s:s}", "name",
                             "bert", "password", "password"));
        int id[2];
        for (int i = 0; i < 2; i++)
            id[i] = test_client_send(&d, i == 0 ? bert : other, "table.vote",
                                     json_pack("{s:s,s:I,s:b}", "table", table,
                                               "vote", ply, "yes",
                                               i != no_first));
        test_client_settle(&d);
        FINE(test_client_answer(&d, id[0]));
        REASON(test_client_answer(&d, id[1]), "no_such_vote");
        cr_assert_str_eq(state(), no_first ? "abandoned" : "playing");
        cr_assert(json_is_null(vote()));
        verified();
        if (!no_first)
            FINE(test_client_ask(&d, anna, "table.resign", "{s:s}", "table",
                                 table));
    }
}

/* Whoever has no seat, has given up, or comes when all is over has no say; and
 * what was said is not said twice. */
Test(votes, no_say)
{
    two(json_object());
    REASON(opens(carl, "cancel"), "not_seated");
    REASON(test_client_ask(&d, carl, "table.vote", "{s:s,s:i,s:b}", "table",
                           table, "vote", 3, "yes", 1),
           "not_seated");
    REASON(test_client_ask(&d, anna, "table.vote", "{s:s,s:i,s:b}", "table",
                           table, "vote", 0, "yes", 1),
           "no_such_vote");
    json_t *first = opens(anna, "cancel");
    json_int_t ply = test_client_number(first, "ply");
    json_t *own = says(anna, true);
    cr_assert(json_is_true(test_client_member(own, "duplicate")));
    cr_assert(passed(says(bert, true)));
    json_t *again = test_client_ask(&d, bert, "table.vote", "{s:s,s:I,s:b}",
                                    "table", table, "vote", ply, "yes", 1);
    FINE(again);
    cr_assert(json_is_true(test_client_member(again, "duplicate")));
    REASON(opens(anna, "cancel"), "game_over");
    REASON(test_client_ask(&d, bert, "table.vote", "{s:s,s:I,s:b}", "table",
                           table, "vote", ply, "yes", 0),
           "no_such_vote");

    three(0, NULL);
    FINE(test_client_ask(&d, carl, "table.resign", "{s:s}", "table", table));
    REASON(opens(carl, "cancel"), "not_asked");
    FINE(opens(anna, "cancel"));
    REASON(says(carl, false), "not_asked");
    verified();
}

/* A seat opens twenty in a game. */
Test(votes, many)
{
    two(json_object());
    for (int i = 0; i < VOTES_MAX; i++) {
        FINE(opens(anna, "cancel"));
        leap(7 * DAY);
    }
    REASON(opens(anna, "cancel"), "too_many_votes");
    FINE(opens(bert, "cancel"));
    verified();
}

/* ---- taking back -------------------------------------------------------------- */

/* The last move is taken back by both, though it ended a turn; whoever made it is
 * asked again.  The record of it is true; GOLDEN=write keeps it for the page's
 * verifier (tests/core/test_clocks.mjs). */
Test(votes, back)
{
    two(json_object());
    json_t *none = opens(anna, "take_back");
    REASON(none, "not_votable");
    FINE(move(anna));
    FINE(move(bert));
    FINE(opens(anna, "take_back"));
    cr_assert(passed(says(bert, true)));
    cr_assert(json_is_true(json_object_get(seat(1), "acting")));
    verified();
    FINE(opens(bert, "take_back"));
    cr_assert(passed(says(anna, true)));
    cr_assert(json_is_true(json_object_get(seat(0), "acting")));
    FINE(move(anna));
    verified();
    char why[400];
    FINE(test_client_ask(&d, anna, "table.resign", "{s:s}", "table", table));
    REASON(opens(anna, "take_back"), "game_over");
    size_t pages;
    char *text = test_client_record(&d, anna, table, &pages);
    cr_assert(test_client_verify(text, why, sizeof(why)), "%s", why);
    if (getenv("GOLDEN") != NULL) {
        FILE *f = fopen("tests/golden/votes.record", "w");
        cr_assert(f != NULL && fputs(text, f) >= 0 && fclose(f) == 0);
    }
    free(text);
}

static const char *why_not(peer_id p, const char *about, json_t *more)
{
    json_t *answer = propose(p, about, more);
    json_t *error = json_object_get(answer, "error");

    REASON(answer, "not_votable");
    return json_string_value(
        json_object_get(json_object_get(error, "data"), "why"));
}

/* Nothing is taken back beyond a draw, nor of before somebody gave up. */
Test(votes, not_back)
{
    const char *why;

    three(0, NULL);
    for (int i = 0; i < 40; i++) {
        somebody_moves();
        json_t *got = opens(anna, "take_back");
        why = test_client_reason(got);
        if (why[0] != '\0')
            break;
        FINE(says(bert, false));
    }
    cr_assert_str_eq(why, "not_votable", "cards are drawn sooner or later");
    cr_assert_str_eq(why_not(anna, "take_back", json_object()), "revealed");
    verified();
}

/* ... nor of before somebody gave up. */
Test(votes, given_up_since)
{
    int n = 0;

    do {
        three(0, NULL);
        while (json_is_null(json_object_get(view(anna), "undo")) && n++ < 40)
            somebody_moves();
        FINE(test_client_ask(&d, carl, "table.resign", "{s:s}", "table",
                             table));
    } while (json_is_true(json_object_get(seat(2), "acting")) && n < 40);
    const char *why = why_not(anna, "take_back", json_object());
    cr_assert(strcmp(why, "fixed") == 0 || strcmp(why, "revealed") == 0);
    verified();
}

/* ---- time ---------------------------------------------------------------------- */

/* A pause that all agree on, and its end; not of a length that nobody may have,
 * and not where there is no pace. */
Test(votes, pause)
{
    two(json_pack("{s:{s:i}}", "pace", "free", 300));
    json_int_t due = json_integer_value(json_object_get(seat(0), "due"));
    json_int_t until = d.world.now_ms + DAY;
    REASON(propose(anna, "pause",
                   json_pack("{s:I}", "until",
                             (json_int_t)(d.world.now_ms + 31 * DAY))),
           "invalid_params");
    REASON(opens(anna, "pause"), "invalid_params");
    cr_assert_str_eq(why_not(anna, "resume", json_object()), "nothing");
    FINE(propose(anna, "pause", json_pack("{s:I}", "until", until)));
    pass(20 * SECOND);
    cr_assert(passed(says(bert, true)));
    cr_assert_eq(json_integer_value(json_object_get(view(anna), "paused")),
                 until);
    verified();
    leap(MINUTE * 60);
    json_int_t now = d.world.now_ms;
    FINE(opens(bert, "resume"));
    cr_assert(passed(says(anna, true)));
    cr_assert(json_is_null(json_object_get(view(anna), "paused")));
    json_int_t later = json_integer_value(json_object_get(seat(0), "due"));
    cr_assert(later > due + 59 * MINUTE && later < now + 300 * SECOND);
    verified();
    two(json_object());
    REASON(propose(anna, "pause", json_pack("{s:I}", "until", until)),
           "no_pace");
}

/* A vote about a pause is over when that would have been. */
Test(votes, late_pause)
{
    two(json_pack("{s:{s:i}}", "pace", "free", 300));
    json_int_t until = d.world.now_ms + MINUTE;
    FINE(propose(anna, "pause", json_pack("{s:I}", "until", until)));
    cr_assert_eq(json_integer_value(json_object_get(vote(), "until")), until);
    json_int_t ply = json_integer_value(json_object_get(vote(), "ply"));
    pass(MINUTE);
    REASON(test_client_ask(&d, bert, "table.vote", "{s:s,s:I,s:b}", "table",
                           table, "vote", ply, "yes", 1),
           "no_such_vote");
    FINE(move(anna));
    json_t *then = test_client_ask(&d, bert, "table.at", "{s:s,s:I}", "table",
                                   table, "ply", ply);
    cr_assert(json_is_object(
        json_object_get(test_client_member(then, "view"), "vote")));
    json_t *now = test_client_ask(&d, bert, "table.at", "{s:s,s:I}", "table",
                                  table, "ply", ply + 1);
    cr_assert(json_equal(test_client_member(now, "view"), view(bert)));
    verified();
}

/* Of three, the others give a seat time, three times and no more than a turn
 * takes; of two, each gives it alone. */
Test(votes, give)
{
    three(600, "mild");
    int to = acting();
    json_int_t due = json_integer_value(json_object_get(seat(to), "due"));
    REASON(propose(anna, "give",
                   json_pack("{s:i,s:i}", "to", 0, "seconds", 601)),
           "given_enough");
    REASON(propose(anna, "give",
                   json_pack("{s:i,s:i}", "to", 5, "seconds", 600)),
           "no_such_seat");
    for (int i = 1; i <= 3; i++) {
        FINE(propose(bert, "give",
                     json_pack("{s:i,s:i}", "to", to, "seconds", 600)));
        FINE(says(anna, true));
        cr_assert(passed(says(carl, true)));
        cr_assert_eq(json_integer_value(json_object_get(seat(to), "due")),
                     due + i * 600 * SECOND);
    }
    REASON(propose(bert, "give",
                   json_pack("{s:i,s:i}", "to", to, "seconds", 600)),
           "given_enough");
    verified();
    two(json_pack("{s:{s:i}}", "pace", "free", 300));
    cr_assert_str_eq(why_not(anna, "give",
                             json_pack("{s:i,s:i}", "to", 1, "seconds", 60)),
                     "two");
}

/* A deadline that passes while a vote is open, and is excused, leaves it open,
 * unless it is about what lies before the miss; any other miss ends it. */
Test(votes, missed)
{
    two(json_pack("{s:{s:i}}", "pace", "free", 60));
    FINE(move(anna));
    FINE(opens(anna, "cancel"));
    pass(63 * SECOND);
    cr_assert(!json_is_null(vote()), "bert's miss was excused");
    verified();
    pass(63 * SECOND);
    cr_assert(json_is_null(vote()));
    verified();

    two(json_pack("{s:{s:i}}", "pace", "free", 60));
    FINE(move(anna));
    FINE(opens(anna, "take_back"));
    pass(63 * SECOND);
    cr_assert(json_is_null(vote()));
    cr_assert_str_eq(why_not(bert, "take_back", json_object()), "fixed");
    verified();
}

/* Of two in a rated game nobody has the other replaced, who would be rated as having
 * left, before they are gone. */
Test(votes, rated)
{
    for (int rated = 0; rated < 2; rated++) {
        two(json_pack("{s:{s:i},s:{s:i,s:s},s:b}", "pace", "free", 60,
                      "misses", "excused", 0, "then", "mild", "rated", rated));
        FINE(move(anna));
        FINE(move(bert));
        FINE(move(anna));
        pass(63 * SECOND);
        json_t *answer = propose(anna, "replace", json_pack("{s:i}", "to", 1));
        if (rated)
            REASON(answer, "not_votable");
        else
            FINE(answer);
    }
}

/* ---- who plays ------------------------------------------------------------------ */

/* The first of MOVES, and from the third of a turn on the one that ends it: if
 * all did nothing, that would end the game. */
static json_t *ending(const json_t *moves, int done)
{
    for (size_t i = 0; done > 1 && i < json_array_size(moves); i++) {
        json_t *one = json_array_get(moves, i);
        const char *verb = json_string_value(json_object_get(one, "verb"));
        if (strcmp(verb, "end_turn") == 0)
            return one;
    }
    return json_array_get(moves, 0);
}

/* Seat N, who is waited for, plays their turn to its end. */
static void turn_of(int n)
{
    const peer_id who[] = {anna, bert, carl};

    cr_assert(n >= 0 && acting() == n);
    for (int i = 0; i < 60 && acting() == n; i++) {
        json_t *legal = test_client_ask(&d, who[n], "table.legal", "{s:s}",
                                        "table", table);
        FINE(test_client_ask(&d, who[n], "table.move", "{s:s,s:O,s:O}",
                             "table", table, "decision",
                             test_client_member(legal, "decision"), "move",
                             ending(test_client_member(legal, "moves"), i)));
    }
}

/* All others play until it is for N to. */
static void until(int n)
{
    while (acting() != n)
        turn_of(acting());
}

/* Who has missed a turn and not come back may be replaced, if all others want
 * it; not before, nor once they have played in time. */
Test(votes, replace)
{
    const peer_id who[] = {anna, bert, carl};
    peer_id dora = test_client_user(&d, "dora");

    three(600, "mild");
    for (int i = 0; i < 6; i++)
        turn_of(acting());
    int b = acting(), a = (b + 1) % 3, c = (b + 2) % 3;
    cr_assert_str_eq(why_not(who[b], "replace", json_pack("{s:i}", "to", b)),
                     "own");
    cr_assert_str_eq(why_not(who[a], "replace", json_pack("{s:i}", "to", b)),
                     "not_missed");
    pass(603 * SECOND);
    cr_assert_eq(json_integer_value(json_object_get(seat(b), "missed")), 1);
    FINE(propose(who[c], "replace", json_pack("{s:i}", "to", b)));
    REASON(says(who[b], false), "not_asked");
    cr_assert(passed(says(who[a], true)));
    cr_assert(json_is_true(json_object_get(seat(b), "offered")));
    verified();
    cr_assert_str_eq(why_not(who[a], "replace", json_pack("{s:i}", "to", b)),
                     "offered");
    until(b);
    turn_of(b); /* in time */
    cr_assert(json_is_false(json_object_get(seat(b), "offered")));
    REASON(test_client_ask(&d, dora, "table.take", "{s:s,s:i}", "table", table,
                           "seat", b),
           "not_offered");
    until(b);
    pass(680 * SECOND);
    FINE(propose(who[a], "replace", json_pack("{s:i}", "to", b)));
    cr_assert(passed(says(who[c], true)));
    FINE(test_client_ask(&d, dora, "table.take", "{s:s,s:i}", "table", table,
                         "seat", b));
    cr_assert(json_is_false(json_object_get(seat(b), "offered")));
    REASON(opens(who[b], "cancel"), "not_seated");
    FINE(opens(dora, "cancel"));
    verified();
}

/* A vote whose opener comes to be somebody else is over. */
Test(votes, changes)
{
    peer_id admin = test_client_admin(&d);

    (void)test_client_user(&d, "eve");
    three(600, "mild");
    FINE(opens(bert, "cancel"));
    FINE(test_client_ask(&d, admin, "admin.replace", "{s:s,s:i,s:s}", "table",
                         table, "seat", 1, "user", "eve"));
    cr_assert(json_is_null(vote()));
    verified();
}

/* ---- silence --------------------------------------------------------------------- */

/* Where nothing has happened for half a year, silence agrees, two weeks after all
 * were told; a process that begins anew in between knows of it. */
Test(votes, silence)
{
    two(json_object());
    FINE(move(anna));
    leap(179 * DAY);
    FINE(opens(anna, "cancel"));
    cr_assert(json_is_false(json_object_get(vote(), "silent")));
    leap(8 * DAY);
    FINE(opens(anna, "cancel"));
    cr_assert(json_is_true(json_object_get(vote(), "silent")));
    leap(14 * DAY - 10 * MINUTE);
    cr_assert_str_eq(state(), "playing");
    verified();
    test_client_settle(&d);
    world_crash(&d.world);
    pass(2 * 60 * MINUTE);
    char why[400];
    cr_assert(test_client_judge(&d, table, why, sizeof(why)), "%s", why);
    id_num id = 0;
    (void)id_read(table, &id);
    cr_assert_eq(disk_table(&d.world.disk, id)->row.summary.state,
                 TABLE_ABANDONED);
}

/* Somebody who is there says no, or moves, and nothing comes of it. */
Test(votes, broken_silence)
{
    two(json_object());
    FINE(move(anna));
    leap(190 * DAY);
    FINE(opens(anna, "take_back"));
    cr_assert(json_is_true(json_object_get(vote(), "silent")));
    leap(13 * DAY);
    FINE(says(bert, false));
    leap(2 * DAY);
    cr_assert_str_eq(state(), "playing");
    leap(7 * DAY);
    FINE(opens(anna, "cancel"));
    cr_assert(json_is_true(json_object_get(vote(), "silent")));
    FINE(move(bert));
    leap(15 * DAY);
    cr_assert_str_eq(state(), "playing");
    verified();
}

/* Whom a vote waits for hears of it, wherever they are, and that it does no
 * more. */
Test(votes, told)
{
    size_t n;

    two(json_object());
    FINE(test_client_ask(&d, bert, "me.watch", NULL));
    FINE(opens(anna, "cancel"));
    const json_t *heard = test_client_heard(&d, bert, "me.event", &n);
    cr_assert_str_eq(json_string_value(json_object_get(heard, "kind")),
                     "vote");
    FINE(says(anna, false));
    heard = test_client_heard(&d, bert, "me.event", &n);
    cr_assert_str_eq(json_string_value(json_object_get(heard, "kind")),
                     "vote_over");
}
