/* fuzz_decode.c -- bytes that claim to be a state.
 *
 * The first line names the game, what follows is decoded: as it is, and once
 * more with the check sum mended, since no fuzzer would ever guess it.
 * Whatever is let in must hold together, encode to the same bytes, and serve
 * for all that states serve for, some plies of play included.
 *
 * One thing is not asked: that a forged state, which says it is young, ends
 * before plies_max.  Play stops there. */

#include <stdint.h>
#include <string.h>

#include "core/base.h"
#include "tests/support/play.h"

enum { SUM = 8, PLIES = 30 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

static struct rules_choice legal[RULES_MOVES_MAX];

/* ---- a sink for what is shown; it only looks at it ---------------------- */

static volatile uint64_t looked;

static void sink_open(void *arg, const char *name, bool list)
{
    (void)arg, (void)name;
    looked += list;
}

static void sink_close(void *arg, bool list)
{
    (void)arg;
    looked += list;
}

static void sink_value(void *arg, const char *name,
                       const struct fields_value *v)
{
    (void)arg, (void)name;
    for (size_t i = 0; v->type == FIELDS_WORD && i < v->word_len; i++)
        looked += (unsigned char)v->word[i];
    looked += (uint64_t)v->number;
}

static void sink_change(void *arg, const struct fields_step *path,
                        size_t depth)
{
    (void)arg, (void)path;
    looked += depth;
}

static const struct fields_sink sink = {
    sink_open, sink_close, sink_value, sink_change, NULL,
};

/* ---- what states serve for --------------------------------------------- */

static void look(const struct rules *r, const struct rules_state *s)
{
    struct rules_score score;

    rules_show(r, s, &sink);
    rules_score(r, s, &score);
    for (int seat = 0; seat < s->seats; seat++) {
        size_t n = rules_legal(r, s, seat, -1, legal, RULES_MOVES_MAX);
        ASSERT(n <= RULES_MOVES_MAX);
        for (size_t i = 0; i < n && i < 50; i++)
            ASSERT(rules_check(r, s, seat, &legal[i].move) == RULES_OK);
    }
}

static void view(const struct rules *r, const struct rules_state *s)
{
    union rules_any seen;
    for (int v = 0; v < play_viewers(s); v++) {
        if (s->viewer != RULES_ALL)
            break;
        rules_view(r, s, play_viewer(s, v), &seen.state);
        ASSERT(rules_valid(r, &seen.state));
        rules_show(r, &seen.state, &sink);
    }
}

/* Something that SEAT may do; false if there is nothing. */
static bool pick(const struct rules *r, const struct rules_state *s, int seat,
                 struct rng *rng, struct rules_move *move)
{
    if (seat == RULES_NATURE && s->viewer == RULES_ALL) {
        rules_chance(r, s, rng, move);
        return true;
    }
    size_t n = rules_legal(r, s, seat, -1, legal, RULES_MOVES_MAX);
    if (n > 0)
        *move = play_choose(&legal[rng_below(rng, (uint32_t)n)], rng);
    return n > 0;
}

static void play(const struct rules *r, struct rules_state *s, uint64_t seed)
{
    static const uint8_t key[RNG_SEED_SIZE] = "fuzz";
    static struct rules_events events;
    struct rng rng;

    rng_init(&rng, key, seed);
    for (int i = 0; i < PLIES && !rules_over(s); i++) {
        struct rules_move move;
        int seat = (int)rng_below(&rng, RULES_NATURE + 1);
        if (s->ply == r->plies_max)
            return;
        if (!((s->acting | s->may) & RULES_BIT(seat)) ||
            !pick(r, s, seat, &rng, &move))
            continue;
        int answer = rules_apply(r, s, seat, &move, &events);
        ASSERT(answer == RULES_OK ||
               (answer == RULES_UNSEEN && s->viewer != RULES_ALL));
    }
}

/* ---- bytes -------------------------------------------------------------- */

static void decode(const struct rules *r, const uint8_t *bytes, size_t len)
{
    static uint8_t again[2 * RULES_STATE_MAX];
    union rules_any s;

    int answer = rules_decode(r, &s.state, bytes, len);
    ASSERT(answer == RULES_OK || answer == RULES_MALFORMED);
    if (answer != RULES_OK)
        return;
    ASSERT(rules_valid(r, &s.state));
    ASSERT(rules_encode(r, &s.state, again, sizeof(again)) == len);
    ASSERT(memcmp(again, bytes, len) == 0);
    look(r, &s.state);
    view(r, &s.state);
    play(r, &s.state, rules_hash(r, &s.state));
}

static void mend_sum(uint8_t *bytes, size_t len)
{
    uint64_t sum = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < len - SUM; i++)
        sum = (sum ^ bytes[i]) * UINT64_C(0x100000001b3);
    for (size_t i = 0; i < SUM; i++)
        bytes[len - SUM + i] = (uint8_t)(sum >> (8 * i));
}

/* The game that the first line of DATA names, or NULL; LINE is its length with
 * the newline. */
static const struct rules *named(const uint8_t *data, size_t len, size_t *line)
{
    const struct rules *r;

    for (size_t i = 0; (r = play_game(i)) != NULL; i++) {
        size_t name = strlen(r->name);
        *line = name + 1;
        if (len > name && data[name] == '\n' &&
            memcmp(data, r->name, name) == 0)
            return r;
    }
    return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    static uint8_t bytes[2 * RULES_STATE_MAX];
    size_t line;
    const struct rules *r = named(data, len, &line);

    if (r == NULL || len - line > sizeof(bytes))
        return 0;
    data += line;
    len -= line;
    decode(r, data, len);
    if (len < SUM)
        return 0;
    memcpy(bytes, data, len);
    mend_sum(bytes, len);
    decode(r, bytes, len);
    return 0;
}
