#include "offline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "core/fair.h"

/* Streams from here on are the bots'. */
#define BOT_STREAM (UINT64_C(1) << 63)

bool offline_open(struct offline *o, const struct rules *r, int revision,
                  int seats, const int16_t *options, struct json_board *board)
{
    memset(o, 0, sizeof(*o));
    o->table.rules = r;
    o->table.seats = seats;
    o->board = *board;
    *board = (struct json_board){0};
    for (int i = 0; i < RULES_OPTIONS_MAX; i++)
        o->options[i] = options != NULL ? options[i] : RULES_NONE;
    o->setup = (struct rules_setup){
        .seats = seats,
        .revision = (uint16_t)revision,
        .options = o->options,
        .asset_name = o->board.name,
        .asset = o->board.name == NULL ? o->board.text : NULL,
        .asset_len = o->board.len,
    };
    if (!setup_or_complain(r, &o->table.any.state, &o->setup)) {
        json_board_done(&o->board);
        return false;
    }
    o->table.choices = must_alloc(RULES_MOVES_MAX * sizeof(*o->table.choices));
    for (int seat = 0; seat < RULES_SEATS_MAX; seat++)
        (void)snprintf(o->table.names[seat], sizeof(o->table.names[seat]),
                       "Player %d", seat);
    return true;
}

void offline_close(struct offline *o)
{
    json_board_done(&o->board);
    table_done(&o->table);
    free(o->log);
    o->log = NULL;
}

void offline_seed(struct offline *o, uint64_t seed)
{
    o->seeded = true;
    o->seed = seed;
    fair_key_of_number(seed, (size_t)o->setup.seats, o->key);
}

/* ---- the log ---------------------------------------------------------- */

static void write_down(struct offline *o, int seat,
                       const struct rules_move *move, uint64_t number)
{
    o->log = must_grow(o->log, o->count, &o->cap, sizeof(*o->log));
    o->log[o->count++] = (struct offline_ply){
        .ply = {.seat = (uint16_t)seat, .move = *move},
        .flags = o->table.last.flags,
        .number = number,
        .event = o->table.event_count,
        .event_count = o->table.last.count,
    };
    for (size_t i = 0; i < o->table.last.count; i++)
        table_event_add(&o->table, &o->table.last.at[i]);
}

int offline_play(struct offline *o, int seat, const struct rules_move *move)
{
    int refusal = rules_apply(o->table.rules, &o->table.any.state, seat, move,
                              &o->table.last);
    if (refusal == RULES_OK)
        write_down(o, seat, move, o->next_number++);
    if (refusal == RULES_OK && seat == RULES_NATURE)
        o->draws++;
    return refusal;
}

/* Plays the log again, after plies were taken out of it. */
static void replay(struct offline *o)
{
    size_t count = o->count;

    o->count = 0;
    o->table.event_count = 0;
    int refusal = rules_setup(o->table.rules, &o->table.any.state, &o->setup,
                              NULL);
    ASSERT(refusal == RULES_OK);
    for (size_t i = 0; i < count; i++) {
        struct offline_ply p = o->log[i];
        refusal = rules_apply(o->table.rules, &o->table.any.state, p.ply.seat,
                              &p.ply.move, &o->table.last);
        ASSERT(refusal == RULES_OK);
        write_down(o, p.ply.seat, &p.ply.move, p.number);
    }
    o->table.last.count = 0;
}

enum rules_undo offline_undo(struct offline *o, int seat)
{
    struct rules_done *done = must_alloc(o->count * sizeof(*done));
    size_t at = 0;

    for (size_t i = 0; i < o->count; i++)
        done[i] = (struct rules_done){o->log[i].ply.seat, o->log[i].flags};
    enum rules_undo why = rules_undo(done, o->count, seat, &at);
    free(done);
    if (why != RULES_UNDO_YES)
        return why;
    memmove(&o->log[at], &o->log[at + 1],
            (o->count - at - 1) * sizeof(*o->log));
    o->count--;
    replay(o);
    return RULES_UNDO_YES;
}

void offline_rewind(struct offline *o, uint64_t number)
{
    size_t keep = 0;
    for (size_t i = 0; i < o->count; i++)
        if (o->log[i].number < number)
            o->log[keep++] = o->log[i];
    o->count = keep;
    replay(o);
}

const char *undo_sentence(enum rules_undo why)
{
    switch (why) {
    case RULES_UNDO_YES: return "The last move is taken back.";
    case RULES_UNDO_REVEALED: return "That move has shown something hidden.";
    case RULES_UNDO_DRAWN: return "Something has been drawn since.";
    case RULES_UNDO_FINAL: return "That move is final.";
    case RULES_UNDO_OTHERS_MOVED: return "Others have moved since.";
    case RULES_UNDO_NOTHING: return "There is nothing to take back.";
    }
    return "";
}

/* ---- chance and bots -------------------------------------------------- */

/* First the verb, then one of its moves: or a hand of cards and a wide board
 * would leave every other verb no chance. */
void choose_any(struct rng *rng, const struct rules_choice *choices, size_t n,
                struct rules_move *move)
{
    uint16_t counts[256] = {0};

    for (size_t i = 0; i < n; i++)
        counts[choices[i].move.verb] = 1;
    size_t verb = rng_pick(rng, counts, COUNT_OF(counts));
    uint32_t of_verb = 0;
    for (size_t i = 0; i < n; i++)
        of_verb += choices[i].move.verb == verb;
    uint32_t nth = rng_below(rng, of_verb);
    size_t at = 0;
    while (choices[at].move.verb != verb || nth-- > 0)
        at++;
    const struct rules_choice *c = &choices[at];
    *move = c->move;
    if (c->ranged >= 0)
        move->arg[c->ranged] =
            (int16_t)(c->min +
                      (int16_t)rng_below(rng,
                                         (uint32_t)(c->max - c->min) + 1));
}

static void think(struct offline *o, int seat, struct rules_move *move)
{
    struct rng rng;
    size_t n = rules_legal(o->table.rules, &o->table.any.state, seat, -1,
                           o->table.choices, RULES_MOVES_MAX);

    ASSERT(n > 0 && n <= RULES_MOVES_MAX);
    rng_init(&rng, o->key, BOT_STREAM + o->thoughts++);
    choose_any(&rng, o->table.choices, n, move);
}

int offline_step(struct offline *o)
{
    const struct rules_state *s = &o->table.any.state;
    struct rules_move move;
    int seat = RULES_NATURE;

    if (s->acting == RULES_BIT(RULES_NATURE)) {
        if (!o->seeded)
            return -1;
        struct rng rng;
        rng_init(&rng, o->key, o->draws);
        rules_chance(o->table.rules, s, &rng, &move);
    } else {
        for (seat = 0; seat < s->seats; seat++)
            if (s->acting & o->table.bots & RULES_BIT(seat))
                break;
        if (seat == s->seats)
            return -1;
        think(o, seat, &move);
    }
    int refusal = offline_play(o, seat, &move);
    ASSERT(refusal == RULES_OK);
    return seat;
}

int offline_human(const struct offline *o, int seat)
{
    const struct rules_state *s = &o->table.any.state;
    uint16_t can = (uint16_t)((s->acting | s->may) & ~o->table.bots);

    for (int i = 0; seat < 0 && i < s->seats; i++)
        if (s->acting & can & RULES_BIT(i))
            return i;
    for (int i = 1; i <= s->seats; i++) {
        int next = (seat + i) % s->seats;
        if (can & RULES_BIT(next))
            return next;
    }
    return -1;
}

int offline_humans(const struct offline *o)
{
    int n = 0;
    for (int seat = 0; seat < o->setup.seats; seat++)
        n += !(o->table.bots & RULES_BIT(seat));
    return n;
}
