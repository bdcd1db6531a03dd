/* test_seats.c -- seats that change hands: who may not take one, come back to one, or
 * give its time, and why. */

#include <criterion/criterion.h>
#include <string.h>

#include "server/hub/limits.h"
#include "tests/support/test_client.h"

THREE_CLIENTS(seats, 29);

#define SECOND INT64_C(1000)

static char table[16];

static json_t *at(peer_id p, const char *method)
{
    return test_client_ask(&d, p, method, "{s:s}", "table", table);
}

static json_t *take(peer_id p, int seat)
{
    return test_client_ask(&d, p, "table.take", "{s:s,s:i}", "table", table,
                           "seat", seat);
}

static json_t *give(peer_id p, int seconds)
{
    return test_client_ask(&d, p, "table.give", "{s:s,s:i}", "table", table,
                           "seconds", seconds);
}

static void pass(int seconds)
{
    while (seconds-- > 0)
        test_client_wait(&d, SECOND);
}

/* Anna and Bert play at a table that is to be like MORE, and offers the seat of who
 * misses a turn of a minute. */
static void play(json_t *more)
{
    json_t *time = json_pack("{s:{s:i},s:{s:i,s:s},s:s}", "pace", "free", 60,
                             "misses", "excused", 0, "then", "open", "start",
                             "full");

    const char *password = json_object_get(more, "password") != NULL ? "sesame"
                                                                     : NULL;
    json_object_update(more, time);
    json_decref(time);
    FINE(test_client_create(&d, anna, more, table));
    FINE(test_client_ask(&d, bert, "table.join", "{s:s,s:s*}", "table", table,
                         "password", password));
}

/* Each has made a move, and Anna misses her next turn. */
static void miss(void)
{
    FINE(test_client_move(&d, anna, table));
    FINE(test_client_move(&d, bert, table));
    pass(63);
}

/* A seat is taken where there is one, of a game that goes on, by who may come in, sits
 * nowhere there and plays at no more tables than one may. */
Test(seats, not_taken)
{
    json_t *open = json_object();

    FINE(test_client_create(&d, anna, open, table));
    REASON(take(carl, 0), "not_started");
    play(json_object());
    miss();
    REASON(take(carl, 2), "no_such_seat");
    REASON(take(carl, 1), "not_offered");
    REASON(take(bert, 0), "already_seated");
    REASON(take(test_client_come(&d, 0), 0), "not_authenticated");
    FINE(take(carl, 0));
    FINE(at(carl, "table.resign"));
    REASON(take(anna, 0), "game_over");
}

/* A table with a password lets nobody take a seat who has not come in by it. */
Test(seats, not_by_strangers)
{
    play(json_pack("{s:s}", "password", "sesame"));
    miss();
    REASON(take(carl, 0), "forbidden");
    play(json_pack("{s:s,s:[s]}", "password", "sesame", "invite", "carl"));
    miss();
    FINE(take(carl, 0));
}

/* Whoever plays at as many tables as one may takes no seat at another. */
Test(seats, not_by_the_busy)
{
    char other[16];

    play(json_object());
    miss();
    for (int i = 0; i < LIMIT_TABLES; i++)
        FINE(test_client_create(&d, carl, NULL, other));
    REASON(take(carl, 0), "too_many_tables");
    FINE(test_client_ask(&d, carl, "table.leave", "{s:s}", "table", other));
    FINE(take(carl, 0));
}

/* Who has it back was gone from it, by misses and not by giving up. */
Test(seats, not_returned)
{
    play(json_object());
    REASON(at(carl, "table.return"), "not_seated");
    REASON(at(anna, "table.return"), "not_gone");
    miss();
    REASON(at(anna, "table.return"), "not_gone");
    pass(63);
    REASON(at(bert, "table.return"), "not_gone");
    FINE(at(anna, "table.return"));
    FINE(test_client_create(&d, anna, json_pack("{s:s}", "start", "full"),
                            table));
    FINE(at(bert, "table.join"));
    REASON(at(anna, "table.return"), "not_gone");
}

/* Time is given where there is any, of a game that goes on, by who sits there. */
Test(seats, not_given)
{
    FINE(test_client_create(&d, anna, json_pack("{s:s}", "start", "full"),
                            table));
    REASON(give(anna, 1), "not_started");
    FINE(at(bert, "table.join"));
    REASON(give(anna, 1), "no_pace");
    REASON(give(carl, 1), "not_seated");
    play(json_object());
    FINE(give(anna, 60));
    REASON(give(anna, 61), "given_enough");
    FINE(give(bert, 60));
    FINE(at(anna, "table.resign"));
    REASON(give(bert, 1), "game_over");
}
