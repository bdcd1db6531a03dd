/* wasm_glue.c -- whole games played inside, for comparison from outside.
 *
 * With the core and clients/web/wasm/base.c this makes build/wasm/core.wasm, which test_wasm.mjs runs
 * under node; tests/golden/test_plays.c includes it to do the same natively.
 * A game is named by numbers and comes out as a rolling hash over everything
 * the core says on the way: states, views, lists of legal moves, scores, bytes
 * and words.  One number that differs anywhere makes another hash. */

#include "../../core/rules.h"

#include "../../core/base.h"

#ifdef __wasm__
#define EXPORT(name) __attribute__((export_name(name)))
#else
#define EXPORT(name) __attribute__((unused)) static
#endif

/* The name of the Ith game, or NULL. */
EXPORT("game") const char *game(uint32_t i);

/* Plays the Ith game to its end and returns the hash.  OPTIONS has four bits
 * for each option, what to add to its least value, or 15 for the default;
 * ASSET is the number of a built-in one, or 15.  0 if there is no such
 * setup. */
EXPORT("play")
uint64_t play(uint32_t i, uint32_t seats, uint32_t options, uint32_t asset,
              uint32_t seed);

/* How many plies the last game took. */
EXPORT("plies") uint32_t plies_played(void);

enum { DEFAULT = 15 }; /* an option left alone, or no asset */

static uint64_t rolling;
static uint32_t plies;

static void roll(uint64_t value)
{
    for (int i = 0; i < 8; i++, value >>= 8)
        rolling = (rolling ^ (value & 0xff)) * UINT64_C(0x100000001b3);
}

/* ---- what the core says ------------------------------------------------ */

static void roll_text(const char *text, size_t len)
{
    for (size_t i = 0; i < len && text[i] != '\0'; i++)
        roll((unsigned char)text[i]);
}

static void roll_open(void *arg, const char *name, bool list)
{
    (void)arg;
    roll(list);
    if (name != NULL)
        roll_text(name, SIZE_MAX);
}

static void roll_close(void *arg, bool list)
{
    (void)arg;
    roll(list + 2u);
}

static void roll_value(void *arg, const char *name,
                       const struct fields_value *v)
{
    (void)arg;
    if (name != NULL)
        roll_text(name, SIZE_MAX);
    roll(v->type);
    if (v->type == FIELDS_WORD)
        roll_text(v->word, v->word_len);
    else if (v->type != FIELDS_NULL)
        roll((uint64_t)v->number);
}

static void roll_change(void *arg, const struct fields_step *path,
                        size_t depth)
{
    (void)arg;
    for (size_t i = 0; i < depth; i++)
        roll(path[i].name != NULL ? 7 : path[i].index);
}

static const struct fields_sink roll_sink = {
    roll_open, roll_close, roll_value, roll_change, NULL,
};

static void roll_score(const struct rules *r, const struct rules_state *s)
{
    struct rules_score score;
    rules_score(r, s, &score);
    for (int seat = 0; seat < s->seats; seat++) {
        roll((uint64_t)(int64_t)score.total[seat]);
        roll(score.place[seat]);
    }
}

/* What one viewer, another at each ply, gets to see of BEFORE and S. */
static void roll_view(const struct rules *r, const struct rules_state *before,
                      const struct rules_state *s)
{
    static union rules_any was, is;
    static uint8_t bytes[2 * RULES_STATE_MAX];
    uint32_t v = s->ply % (s->seats + 1u);
    int viewer = v < s->seats ? (int)v : RULES_WATCHER;

    rules_view(r, before, viewer, &was.state);
    rules_view(r, s, viewer, &is.state);
    roll(rules_hash(r, &is.state));
    rules_diff(r, &was.state, &is.state, &roll_sink);
    if (s->ply % 16 != 0)
        return;
    rules_show(r, &is.state, &roll_sink);
    size_t len = rules_encode(r, &is.state, bytes, sizeof(bytes));
    roll(len);
    ASSERT(rules_decode(r, &was.state, bytes, len) == RULES_OK);
    roll(rules_hash(r, &was.state));
}

/* ---- playing ----------------------------------------------------------- */

/* Any legal move of SEAT: a verb first, else purchases would be rare. */
static bool pick(const struct rules *r, const struct rules_state *s, int seat,
                 struct rng *rng, struct rules_move *move)
{
    static struct rules_choice legal[RULES_MOVES_MAX];
    size_t n = rules_legal(r, s, seat, -1, legal, RULES_MOVES_MAX);

    roll(n);
    if (n == 0)
        return false;
    const struct rules_choice *c = &legal[rng_below(rng, (uint32_t)n)];
    for (int tries = 0; tries < 4; tries++) {
        uint32_t at = rng_below(rng, (uint32_t)n);
        if (legal[at].move.verb < c->move.verb)
            c = &legal[at];
    }
    *move = c->move;
    if (c->ranged >= 0)
        move->arg[c->ranged] =
            (int16_t)(c->min +
                      (int)rng_below(rng, (uint32_t)(c->max - c->min + 1)));
    return true;
}

static int pick_seat(const struct rules_state *s, struct rng *rng)
{
    int seat;
    do
        seat = (int)rng_below(rng, s->seats);
    while (!rules_can_move(s, seat));
    return seat;
}

static void next(const struct rules *r, const struct rules_state *s,
                 struct rng *rng, struct rules_ply *ply)
{
    if (s->acting & RULES_BIT(RULES_NATURE)) {
        ply->seat = RULES_NATURE;
        rules_chance(r, s, rng, &ply->move);
        return;
    }
    do
        ply->seat = (uint16_t)pick_seat(s, rng);
    while (!pick(r, s, ply->seat, rng, &ply->move));
}

static void play_out(const struct rules *r, struct rules_state *s,
                     struct rng *rng)
{
    static union rules_any before;
    static struct rules_events events;

    while (!rules_over(s)) {
        struct rules_ply ply;
        next(r, s, rng, &ply);
        memcpy(&before, s, r->state_size);
        int refusal = rules_apply(r, s, ply.seat, &ply.move, &events);
        ASSERT(refusal == RULES_OK);
        plies++;
        roll(rules_hash(r, s));
        roll(events.count * 256u + events.flags);
        roll_score(r, s);
        roll_view(r, &before.state, s);
    }
}

/* ---- exports ----------------------------------------------------------- */

const char *game(uint32_t i)
{
    for (uint32_t k = 0; k < i; k++)
        if (rules_all[k] == NULL)
            return NULL;
    return rules_all[i] != NULL ? rules_all[i]->name : NULL;
}

uint64_t play(uint32_t i, uint32_t seats, uint32_t options, uint32_t asset,
              uint32_t seed)
{
    static union rules_any s;
    const struct rules *r = rules_all[i];
    int16_t chosen[RULES_OPTIONS_MAX];
    struct rules_setup setup = {.seats = (int)seats, .options = chosen};
    uint8_t key[RNG_SEED_SIZE] = {(uint8_t)seed, (uint8_t)(seed >> 8)};
    struct rng rng;

    for (int k = 0; r->options[k].name != NULL; k++) {
        uint32_t digit = options >> (4 * k) & 15;
        chosen[k] = digit == DEFAULT
                        ? RULES_NONE
                        : (int16_t)(r->options[k].min + (int)digit);
    }
    if (asset != DEFAULT)
        setup.asset_name = r->assets[asset].name;
    plies = 0;
    rolling = UINT64_C(0xcbf29ce484222325);
    if (rules_setup(r, &s.state, &setup, NULL) != RULES_OK)
        return 0;
    rng_init(&rng, key, 0);
    play_out(r, &s.state, &rng);
    return rolling;
}

uint32_t plies_played(void)
{
    return plies;
}
