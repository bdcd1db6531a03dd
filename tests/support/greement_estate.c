#include "greement_estate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "core/text.h"

static const struct rules *const R = &greement_rules;

/* The test itself is wrong. */
static _Noreturn void wrong(const char *what, const char *which)
{
    fprintf(stderr, "estate: %s: %s\n", what, which);
    abort();
}

static int find(const char *const *words, const char *word, size_t len)
{
    for (int i = 0; words[i] != NULL; i++)
        if (strlen(words[i]) == len && memcmp(words[i], word, len) == 0)
            return i;
    return -1;
}

struct greement *estate_of(struct estate *e)
{
    return (struct greement *)&e->any.state;
}

bool estate_valid(struct estate *e)
{
    static uint8_t bytes[RULES_STATE_MAX];
    union rules_any s;
    size_t len = rules_encode(R, &e->any.state, bytes, sizeof(bytes));
    return len <= sizeof(bytes) &&
           rules_decode(R, &s.state, bytes, len) == RULES_OK;
}

int estate_square(const char *name)
{
    int square = find(greement_square_names, name, strlen(name));
    if (square < 0)
        wrong("no such square", name);
    return square;
}

/* ---- the grid --------------------------------------------------------- */

static void lay_out(struct estate *e, const char *grid)
{
    static const char chars[] = ".glm";
    int left[GROUNDS], x = 0, y = 0;

    memset(e->ground, FIELDS_NULL_U8, sizeof(e->ground));
    for (int ground = 0; ground < GROUNDS; ground++)
        left[ground] = greement_grounds(ground);
    for (; grid != NULL && *grid != '\0'; grid++) {
        const char *at = strchr(chars, *grid);
        if (*grid == '\n') {
            x = 0;
            y++;
            continue;
        }
        if (at != NULL) {
            ASSERT(x < GREEMENT_SIDE && y < GREEMENT_SIDE);
            int ground = (int)(at - chars);
            e->ground[y * GREEMENT_SIDE + x] = (uint8_t)ground;
            if (--left[ground] < 0)
                wrong("too many of a ground", grid);
        }
        x++;
    }
    int ground = GROUND_MOUNTAIN;
    for (int square = GREEMENT_SQUARES - 1; square >= 0; square--) {
        while (ground > 0 && left[ground] == 0)
            ground--;
        if (e->ground[square] != FIELDS_NULL_U8)
            continue;
        e->ground[square] = (uint8_t)ground;
        left[ground]--;
    }
}

/* ---- playing ---------------------------------------------------------- */

static void play(struct estate *e, int seat, const struct rules_move *move,
                 struct rules_events *events)
{
    char text[RULES_TEXT_MAX];
    int refusal = rules_apply(R, &e->any.state, seat, move, events);

    if (refusal != RULES_OK) {
        text_move(R, &e->any.state, move, text, sizeof(text));
        wrong(rules_reason(R, refusal), text);
    }
    ASSERT(e->plies < ESTATE_PLIES);
    e->log[e->plies] = (struct rules_ply){(uint16_t)seat, *move};
    e->done[e->plies] = (struct rules_done){(uint16_t)seat, events->flags};
    e->plies++;
    if (!estate_valid(e)) {
        text_move(R, &e->any.state, move, text, sizeof(text));
        wrong("invalid after", text);
    }
}

void estate_next(struct estate *e, const char *card)
{
    ASSERT(e->queued < ESTATE_QUEUE);
    e->queue[e->queued++] = card;
}

void estate_draw(struct estate *e)
{
    struct rules_move move;

    rules_chance(R, &e->any.state, &e->rng, &move);
    if (move.verb == NATURE_SQUARE) {
        move.arg[1] = e->ground[move.arg[0]];
    } else if (e->queued > 0 && move.verb != NATURE_START) {
        const char *const *words = move.verb == NATURE_CARD
                                       ? greement_card_words
                                       : greement_event_words;
        int what = find(words, e->queue[0], strlen(e->queue[0]));
        if (what < 0)
            wrong("cannot be drawn now", e->queue[0]);
        move.arg[0] = (int16_t)what;
        e->queued--;
        memmove(e->queue, e->queue + 1, e->queued * sizeof(e->queue[0]));
    }
    play(e, RULES_NATURE, &move, &e->drawn);
}

static void draw_all(struct estate *e)
{
    while (e->any.state.acting & RULES_BIT(RULES_NATURE))
        estate_draw(e);
}

int estate_read(const struct estate *e, const char *text,
                struct rules_move *move)
{
    size_t at;
    return text_move_read(R, &e->any.state, text, strlen(text), move, &at);
}

const char *estate_why(struct estate *e, int seat, const char *text)
{
    struct rules_move move;
    struct rules_events events;
    union rules_any after = e->any;
    int refusal = estate_read(e, text, &move);

    if (refusal != RULES_OK)
        return rules_reason(R, refusal);
    refusal = rules_check(R, &e->any.state, seat, &move);
    ASSERT(rules_apply(R, &after.state, seat, &move, &events) == refusal);
    ASSERT(refusal == RULES_OK || memcmp(&after, &e->any, R->state_size) == 0);
    return rules_reason(R, refusal);
}

void estate_do(struct estate *e, int seat, const char *text)
{
    struct rules_move move;

    if (estate_read(e, text, &move) != RULES_OK)
        wrong("no such move", text);
    play(e, seat, &move, &e->events);
    draw_all(e);
}

void estate_all(struct estate *e, const char *text)
{
    for (int seat = 0; seat < e->any.state.seats; seat++)
        estate_do(e, seat, text);
}

void estate_default(struct estate *e, int seat)
{
    struct rules_move move;
    rules_default_move(R, &e->any.state, seat, &move);
    play(e, seat, &move, &e->events);
    draw_all(e);
}

static int waited_for(const struct estate *e)
{
    return __builtin_ctz(e->any.state.acting);
}

void estate_turn(struct estate *e, int seat)
{
    while (!rules_over(&e->any.state) &&
           !(estate_of(e)->phase == PHASE_TURN && estate_of(e)->turn == seat))
        estate_default(e, waited_for(e));
}

void estate_event(struct estate *e, const char *event)
{
    size_t before = e->queued;
    estate_next(e, event);
    memmove(e->queue + 1, e->queue, before * sizeof(e->queue[0]));
    e->queue[0] = event;
    while (estate_of(e)->phase == PHASE_TURN)
        estate_default(e, waited_for(e));
    ASSERT(strcmp(greement_event_words[greement_event_now(estate_of(e))],
                  event) == 0);
}

void estate_trigger(struct estate *e, const char *event)
{
    estate_event(e, event);
    estate_all(e, estate_of(e)->phase == PHASE_VOTE ? "vote avoid=false"
                                                    : "done");
}

/* ---- setting up ------------------------------------------------------- */

void estate_setup(struct estate *e, const struct estate_table *t)
{
    static const uint8_t seed[RNG_SEED_SIZE] = "estate";

    memset(e, 0, sizeof(*e));
    lay_out(e, t->grid);
    e->options[0] = t->turns ? (int16_t)t->turns : RULES_NONE;
    e->options[1] = t->full_tax;
    e->options[2] = t->loans;
    e->setup = (struct rules_setup){
        .seats = t->seats ? t->seats : 2,
        .options = e->options,
    };
    rng_init(&e->rng, seed, 0);
    ASSERT(rules_setup(R, &e->any.state, &e->setup, NULL) == RULES_OK);
    play(e, RULES_NATURE,
         &RULES_MOVE(NATURE_START, t->first, RULES_NONE, RULES_NONE),
         &e->drawn);
}

void estate_start(struct estate *e, const struct estate_table *t)
{
    static const char *const starts[] = {"a1", "c1", "e1", "g1", "i1", "a3"};

    estate_setup(e, t);
    while (estate_of(e)->phase == PHASE_PICK) {
        char text[32];
        int seat = estate_of(e)->turn;
        snprintf(text, sizeof(text), "pick square=%s",
                 t->start[seat] ? t->start[seat] : starts[seat]);
        estate_do(e, seat, text);
    }
}

/* Puts a square of GROUND where SQUARE is, from as far away as can be. */
static void swap_ground(struct greement *g, int square, int kind)
{
    for (int other = GREEMENT_SQUARES - 1; other >= 0; other--) {
        if (g->square[other] != kind || g->owner[other] != GREEMENT_NOBODY)
            continue;
        g->square[other] = g->square[square];
        g->square[square] = (uint8_t)kind;
        return;
    }
    wrong("no such square is left", greement_square_words[kind]);
}

void estate_give(struct estate *e, int seat, const char *squares)
{
    struct greement *g = estate_of(e);

    while (*squares != '\0') {
        size_t word = strcspn(squares, " "), name = strcspn(squares, "= ");
        int square = find(greement_square_names, squares, name);
        int kind = name < word ? find(greement_square_words,
                                      squares + name + 1, word - name - 1)
                               : SQUARE_LAND;
        if (square < 0 || kind < 0)
            wrong("no such squares", squares);
        bool is_land = g->square[square] <= SQUARE_CATTLE;
        bool to_land = kind <= SQUARE_CATTLE;
        g->owner[square] = GREEMENT_NOBODY;
        if (is_land)
            g->square[square] = SQUARE_LAND;
        if (is_land != to_land || (!to_land && g->square[square] != kind))
            swap_ground(g, square, to_land ? SQUARE_LAND : kind);
        g->square[square] = (uint8_t)kind;
        g->owner[square] = seat < 0 ? GREEMENT_NOBODY : (uint8_t)seat;
        squares += word;
        squares += strspn(squares, " ");
    }
    if (!estate_valid(e))
        wrong("invalid", squares);
}

void estate_money(struct estate *e, int seat, int32_t money)
{
    estate_of(e)->player[seat].money = money;
    ASSERT(estate_valid(e));
}

void estate_value(struct estate *e, int value, int32_t to)
{
    estate_of(e)->value[value] = to;
    ASSERT(estate_valid(e));
}

/* ---- looking ---------------------------------------------------------- */

const char *estate_undo(struct estate *e, int seat)
{
    size_t at, failed;
    enum rules_undo answer = rules_undo(e->done, e->plies, seat, &at);

    if (answer == RULES_UNDO_YES) {
        e->plies--;
        memmove(&e->log[at], &e->log[at + 1],
                (e->plies - at) * sizeof(e->log[0]));
        memmove(&e->done[at], &e->done[at + 1],
                (e->plies - at) * sizeof(e->done[0]));
        ASSERT(rules_replay(R, &e->any.state, &e->setup, e->log, e->plies,
                            &failed) == RULES_OK);
    }
    return rules_undo_word(answer);
}

const char *estate_kind(struct estate *e, const char *name)
{
    int kind = estate_of(e)->square[estate_square(name)];
    return kind == SQUARE_FACE_DOWN ? "face_down"
                                    : greement_square_words[kind];
}

int estate_owner(struct estate *e, const char *name)
{
    int owner = estate_of(e)->owner[estate_square(name)];
    return owner == GREEMENT_NOBODY ? -1 : owner;
}

int32_t estate_cash(struct estate *e, int seat)
{
    return estate_of(e)->player[seat].money;
}

int32_t estate_total(struct estate *e, int seat)
{
    struct rules_score score;
    rules_score(R, &e->any.state, &score);
    return score.total[seat];
}

size_t estate_legal(struct estate *e, int seat, int verb)
{
    return rules_legal(R, &e->any.state, seat, verb, NULL, 0);
}

const struct rules_event *estate_happened(const struct rules_events *events,
                                          const char *name, size_t nth)
{
    for (size_t i = 0; i < events->count; i++)
        if (strcmp(R->events[events->at[i].kind].name, name) == 0 &&
            nth-- == 0)
            return &events->at[i];
    return NULL;
}
