/* load_games.c -- games that are known before they are played.
 *
 * The draws of a table follow from its seed, which the benchmark, as the
 * operator, reads from the server's file.  So the rules core plays each game to
 * its end beforehand, and while the clock runs the load only writes out texts
 * that are there. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "core/fair.h"
#include "load.h"
#include "protocol/game_json.h"
#include "tests/support/play.h"

#define START_PLY 3 /* behind creation and two joins */

/* The text of the request that plays MOVE in S. */
static void write_step(struct table *t, const struct rules *r,
                       const struct rules_state *s, int seat,
                       const struct rules_move *move)
{
    struct step *step = &t->steps[t->step_count];
    struct json_out o;

    json_out_init(&o);
    out_object(&o, NULL);
    out_string(&o, "jsonrpc", "2.0");
    out_int(&o, "id", (int64_t)t->step_count);
    out_string(&o, "method", "table.move");
    out_object(&o, "params");
    out_string(&o, "table", t->id);
    out_int(&o, "decision", START_PLY + s->asked[seat]);
    json_move(&o, "move", r, s, move);
    out_end(&o);
    out_end(&o);
    step->seat = (uint8_t)seat;
    step->len = o.len;
    step->text = strdup(json_out_text(&o));
    json_out_done(&o);
    ASSERT(step->text != NULL);
    t->step_count++;
}

/* Plays MOVE; the ply it gets. */
static uint32_t apply(const struct rules *r, struct rules_state *s, int seat,
                      const struct rules_move *move)
{
    static struct rules_events events;
    int refusal = rules_apply(r, s, seat, move, &events);
    ASSERT(refusal == RULES_OK);
    return START_PLY + s->ply;
}

/* Draws until somebody has to move. */
static uint32_t settle(const struct rules *r, struct rules_state *s,
                       const uint8_t *key, uint64_t *draws)
{
    struct rules_move move;
    struct rng rng;

    while (s->acting & RULES_BIT(RULES_NATURE)) {
        rng_init(&rng, key, (*draws)++);
        rules_chance(r, s, &rng, &move);
        apply(r, s, RULES_NATURE, &move);
    }
    return START_PLY + s->ply;
}

void game_make(struct table *t, const char *name, const char *seed, size_t max)
{
    static struct rules_choice choices[RULES_MOVES_MAX];
    const struct rules *r = rules_find(name);
    struct rules_setup setup = {.seats = SEATS};
    union rules_any room;
    struct rules_state *s = &room.state;
    uint8_t key[SHA256_SIZE];
    uint64_t draws = 0, room_for = 64;
    struct rng dice;

    fair_key(seed, NULL, SEATS, key);
    rng_init(&dice, key, UINT64_MAX); /* a stream that no draw has */
    ASSERT(r != NULL && rules_setup(r, s, &setup, NULL) == RULES_OK);
    t->steps = calloc(room_for, sizeof(*t->steps));
    ASSERT(t->steps != NULL);
    t->first = settle(r, s, key, &draws);
    while (!rules_over(s) && t->step_count < max) {
        if (t->step_count == room_for) {
            room_for *= 2;
            t->steps = realloc(t->steps, room_for * sizeof(*t->steps));
            ASSERT(t->steps != NULL);
        }
        int seat = __builtin_ctz(s->acting);
        size_t n = rules_legal(r, s, seat, -1, choices, RULES_MOVES_MAX);
        ASSERT(n > 0);
        struct rules_move move =
            play_choose(&choices[rng_below(&dice, (uint32_t)n)], &dice);
        struct step *step = &t->steps[t->step_count];
        write_step(t, r, s, seat, &move);
        step->ply = apply(r, s, seat, &move);
        step->after = settle(r, s, key, &draws);
    }
}
