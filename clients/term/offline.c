#include "offline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clients/common/lang.h"
#include "core/base.h"
#include "core/fair.h"
#include "core/sha256.h"

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
                       _("Player %d"), seat);
    return true;
}

void offline_close(struct offline *o)
{
    json_board_done(&o->board);
    table_done(&o->table);
    free(o->log);
    free(o->room);
    o->log = NULL;
    o->room = NULL;
}

void offline_seed(struct offline *o, uint64_t seed)
{
    o->seeded = true;
    o->seed = seed;
    fair_key_of_number(seed, (size_t)o->setup.seats, o->key);
}

bool offline_name(struct offline *o, int seat, const char *name, size_t len)
{
    if (len == 0 || len >= 24)
        return false;
    for (size_t i = 0; i < len; i++) /* they could move the cursor */
        if ((unsigned char)name[i] < ' ' || name[i] == 0x7f)
            return false;
    (void)snprintf(o->table.names[seat], sizeof(o->table.names[seat]), "%.*s",
                   (int)len, name);
    return true;
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

struct ahead_from offline_ahead_from(const struct offline *o, int seat)
{
    bool over = rules_over(&o->table.any.state);

    return (struct ahead_from){
        .table = &o->table,
        .viewer = over ? RULES_ALL : seat,
        .ply = o->table.any.state.ply,
        .machine = true,
    };
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
    case RULES_UNDO_YES: return _("The last move is taken back.");
    case RULES_UNDO_REVEALED:
        return _("That move has shown something hidden.");
    case RULES_UNDO_DRAWN: return _("Something has been drawn since.");
    case RULES_UNDO_FINAL: return _("That move is final.");
    case RULES_UNDO_OTHERS_MOVED: return _("Others have moved since.");
    case RULES_UNDO_NOTHING: return _("There is nothing to take back.");
    }
    return "";
}

/* ---- chance and bots -------------------------------------------------- */

bool level_read(const char *text, enum mind_level *level)
{
    *level = MIND_GREEDY;
    for (int i = 0; text != NULL && mind_level_words[i] != NULL; i++) {
        if (strcmp(mind_level_words[i], text) != 0)
            continue;
        *level = (enum mind_level)i;
        return true;
    }
    if (text != NULL)
        (void)complain(
            _("--level: expected random, greedy or search, not '%s'"), text);
    return text == NULL;
}

static void move_at_random(struct offline *o, int seat,
                           struct rules_move *move)
{
    struct rng rng;
    size_t n = rules_legal(o->table.rules, &o->table.any.state, seat, -1,
                           o->table.choices, RULES_MOVES_MAX);

    ASSERT(n > 0 && n <= RULES_MOVES_MAX);
    rng_init(&rng, o->key, BOT_STREAM + o->thoughts++);
    mind_any(&rng, o->table.choices, n, move);
}

/* What the bot in SEAT plays, who can move; false if it lets it be. */
static bool think(struct offline *o, int seat, struct rules_move *move)
{
    const struct rules_state *s = &o->table.any.state;
    struct mind mind = mind_of(o->table.rules, o->level);
    union rules_any view;

    if (o->level == MIND_RANDOM) {
        if (s->acting & RULES_BIT(seat))
            move_at_random(o, seat, move);
        return (s->acting & RULES_BIT(seat)) != 0;
    }
    if (o->room == NULL)
        o->room = must_alloc(sizeof(*o->room));
    /* Not nature's own: who knows what bots drew could tell the cards. */
    sha256(o->key, sizeof(o->key), mind.seed);
    rules_view(o->table.rules, s, seat, &view.state);
    return mind_choose(&mind, &view.state, o->room, move);
}

/* The bot that moves now, of those that may and then of those that are waited
 * for; -1 if none does. */
static int next_bot(struct offline *o, struct rules_move *move)
{
    const struct rules_state *s = &o->table.any.state;
    const uint16_t order[] = {s->may, s->acting};

    for (size_t i = 0; i < COUNT_OF(order); i++)
        for (int seat = 0; seat < s->seats; seat++)
            if ((order[i] & o->table.bots & RULES_BIT(seat)) &&
                think(o, seat, move))
                return seat;
    return -1;
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
        seat = next_bot(o, &move);
        if (seat < 0)
            return -1;
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
