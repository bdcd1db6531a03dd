/* test_conformance_bytes.c -- what every game promises of encoded states.
 *
 * Bytes leave nothing out: what was decoded plays on to the same hashes.  They
 * trust nothing: whatever is cut off, added or changed is refused, and where a
 * forger mended the check sum it is refused or gives a state that holds. */

#include <criterion/criterion.h>
#include <string.h>

#include "core/base.h"
#include "tests/support/play.h"

enum { ROOM = 2 * RULES_STATE_MAX, SUM = 8 };

static uint8_t bytes[ROOM], again[ROOM];

/* ---- there and back --------------------------------------------------- */

static size_t encode(struct play *p, const struct rules_state *s)
{
    size_t len = rules_encode(p->r, s, bytes, sizeof(bytes));
    MUST(p, len > SUM && len <= sizeof(bytes));
    return len;
}

static void there_and_back(struct play *p, const struct rules_state *s)
{
    union rules_any back;
    size_t len = encode(p, s);

    memset(&back, 0xa5, sizeof(back));
    MUST(p, rules_decode(p->r, &back.state, bytes, len) == RULES_OK);
    MUST(p, rules_hash(p->r, &back.state) == rules_hash(p->r, s));
    MUST(p, rules_encode(p->r, &back.state, again, sizeof(again)) == len);
    MUST(p, memcmp(bytes, again, len) == 0);
    MUST(p, rules_valid(p->r, &back.state));
}

/* What was decoded offers the same moves and points: no field is left out. */
static void plays_the_same(struct play *p, const struct rules_state *back)
{
    static struct rules_choice here[RULES_MOVES_MAX], there[RULES_MOVES_MAX];
    const struct rules_state *s = &p->s.state;
    struct rules_score score[2];

    for (int seat = 0; seat <= RULES_NATURE; seat++) {
        size_t n = rules_legal(p->r, s, seat, -1, here, RULES_MOVES_MAX);
        MUST(p,
             rules_legal(p->r, back, seat, -1, there, RULES_MOVES_MAX) == n);
        MUST(p, memcmp(here, there, n * sizeof(here[0])) == 0);
    }
    rules_score(p->r, s, &score[0]);
    rules_score(p->r, back, &score[1]);
    MUST(p, memcmp(&score[0], &score[1], sizeof(score[0])) == 0);
}

/* A buffer too short is filled as far as it goes, and no further. */
static void short_buffers(struct play *p, const struct rules_state *s)
{
    size_t len = encode(p, s);
    size_t cap = rng_below(&p->dice, (uint32_t)len);

    again[cap] = 0xee;
    MUST(p, rules_encode(p->r, s, again, cap) == len);
    MUST(p, memcmp(bytes, again, cap) == 0 && again[cap] == 0xee);
    again[len] = 0xee;
    MUST(p, rules_encode(p->r, s, again, sizeof(again)) == len);
    MUST(p, memcmp(bytes, again, len) == 0 && again[len] == 0xee);
    MUST(p, rules_encode(p->r, s, NULL, 0) == len);
}

/* ---- broken bytes ----------------------------------------------------- */

static void cut_or_longer(struct play *p, size_t len, int tries)
{
    union rules_any back;
    size_t step = len / (size_t)tries + 1;

    for (size_t cut = 1 + rng_below(&p->dice, (uint32_t)step); cut <= len;
         cut += step)
        MUST(p, rules_decode(p->r, &back.state, bytes, len - cut) ==
                    RULES_MALFORMED);
    bytes[len] = (uint8_t)rng_below(&p->dice, 256);
    MUST(p,
         rules_decode(p->r, &back.state, bytes, len + 1) == RULES_MALFORMED);
}

static void mend_sum(uint8_t *buf, size_t len)
{
    uint64_t sum = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < len - SUM; i++)
        sum = (sum ^ buf[i]) * UINT64_C(0x100000001b3);
    for (size_t i = 0; i < SUM; i++)
        buf[len - SUM + i] = (uint8_t)(sum >> (8 * i));
}

/* A forged state that was let in can be used like any other. */
static void forged_holds(struct play *p, const struct rules_state *s,
                         const uint8_t *forged, size_t len)
{
    static struct rules_choice choice[1];
    union rules_any view;
    struct rules_score score;

    MUST(p, rules_valid(p->r, s));
    MUST(p, rules_encode(p->r, s, again, sizeof(again)) == len);
    MUST(p, memcmp(again, forged, len) == 0);
    for (int seat = 0; seat < s->seats; seat++)
        rules_legal(p->r, s, seat, -1, choice, 1);
    rules_score(p->r, s, &score);
    if (s->viewer == RULES_ALL)
        rules_view(p->r, s, RULES_WATCHER, &view.state);
}

static void forge(struct play *p, size_t len, int tries)
{
    static uint8_t forged[ROOM];
    union rules_any back;

    for (int i = 0; i < tries; i++) {
        size_t at = rng_below(&p->dice, (uint32_t)len);
        uint8_t flip = (uint8_t)(1 + rng_below(&p->dice, 255));
        if (rng_below(&p->dice, 2))
            flip = (uint8_t)(1u << rng_below(&p->dice, 3));
        memcpy(forged, bytes, len);
        forged[at] ^= flip;
        MUST(p,
             rules_decode(p->r, &back.state, forged, len) == RULES_MALFORMED);
        if (at >= len - SUM)
            continue;
        mend_sum(forged, len);
        int answer = rules_decode(p->r, &back.state, forged, len);
        MUST(p, answer == RULES_OK || answer == RULES_MALFORMED);
        if (answer == RULES_OK)
            forged_holds(p, &back.state, forged, len);
    }
}

/* One byte more than there should be, with a sum that is right. */
static void forge_longer(struct play *p, size_t len)
{
    union rules_any back;

    bytes[len] = 0;
    memmove(bytes + len - SUM + 1, bytes + len - SUM, SUM);
    mend_sum(bytes, len + 1);
    MUST(p,
         rules_decode(p->r, &back.state, bytes, len + 1) == RULES_MALFORMED);
}

/* ---- games ------------------------------------------------------------ */

/* A copy that was bytes, and goes on from there. */
static union rules_any copy;

static void start(struct play *p)
{
    memcpy(&copy, &p->s, p->r->state_size);
}

static void before(struct play *p, const struct rules_ply *ply)
{
    struct rules_state *s = &p->s.state;
    union rules_any view;
    (void)ply;

    if (!p->look)
        return;
    int v = (int)rng_below(&p->dice, (uint32_t)play_viewers(s));
    rules_view(p->r, s, play_viewer(s, v), &view.state);
    there_and_back(p, s);
    there_and_back(p, &view.state);
    short_buffers(p, &view.state);
    size_t len = encode(p, rng_below(&p->dice, 2) ? s : &view.state);
    cut_or_longer(p, len, 8);
    forge(p, len, 12);
    forge_longer(p, len);
    len = encode(p, s);
    MUST(p, rules_decode(p->r, &copy.state, bytes, len) == RULES_OK);
    plays_the_same(p, &copy.state);
}

static void after(struct play *p, const struct rules_ply *ply)
{
    static struct rules_events events;

    MUST(p, rules_apply(p->r, &copy.state, ply->seat, &ply->move, &events) ==
                RULES_OK);
    MUST(p, rules_hash(p->r, &copy.state) == rules_hash(p->r, &p->s.state));
    MUST(p,
         rules_hash(p->r, &copy.state) != rules_hash(p->r, &p->before.state));
    MUST(p,
         events.count == p->events.count && events.flags == p->events.flags);
    MUST(p, memcmp(events.at, p->events.at,
                   events.count * sizeof(events.at[0])) == 0);
}

/* Of one state, every length and every byte. */
static void over(struct play *p)
{
    union rules_any back;

    there_and_back(p, &p->s.state);
    if (p->number > 2)
        return;
    size_t len = encode(p, &p->s.state);
    for (size_t i = 0; i < len; i++)
        MUST(p, rules_decode(p->r, &back.state, bytes, i) == RULES_MALFORMED);
    for (size_t i = 0; i < len; i++) {
        bytes[i] ^= 1;
        MUST(p,
             rules_decode(p->r, &back.state, bytes, len) == RULES_MALFORMED);
        bytes[i] ^= 1;
    }
}

static const struct play_suite suite = {start, before, after, over};

PLAY(bytes, &suite, hacienda, 300, 12)
PLAY(bytes, &suite, hadara, 300, 8)
PLAY(bytes, &suite, greement, 400, 40)
PLAY(bytes, &suite, tictactoe, 400, 1)
PLAY(bytes, &suite, kuhn, 1000, 1)
PLAY(bytes, &suite, roshambo, 1000, 1)
PLAY(bytes, &suite, haggle, 800, 1)
PLAY_OTHERS(bytes, &suite, 80, 12)
