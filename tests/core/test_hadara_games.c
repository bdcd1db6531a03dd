/* test_hadara_games.c -- whole games of Hadara at random: with every option
 * and number of seats, with the standard tables and with tables that have as
 * many effects as a replacement may [D1].  After every ply the state is valid,
 * comes back from bytes, and every viewer's view is their view still. */

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "tests/support/hadara_position.h"

static const struct rules *const R = &hadara_rules;

struct game {
    union rules_any s;
    struct rng rng;
    struct rules_events events;
    size_t plies;
    int most_cards;
};

static int scaled(int games)
{
#ifdef __SANITIZE_ADDRESS__
    games = (games + 7) / 8;
#endif
    return games;
}

/* Every plain purple card gets an effect, most of them the ones that are
 * rarely met; everything is cheap, so that much is bought. */
static struct hadara_tables rich(void)
{
    static const uint8_t many[] = {
        EFFECT_BONUS_TILE,
        EFFECT_COLONY_COINS,
        EFFECT_SET_POINTS,
    };
    struct hadara_tables t = hadara_standard[0];

    for (int card = 0; card < HADARA_CARDS; card++) {
        struct hadara_card *c = &t.card[card];
        int e = hadara_card_epoch(card) - 1;
        c->cost = (uint8_t)(c->cost / 3);
        if (hadara_card_color(card) == HUE_PURPLE &&
            c->effect == HADARA_NOTHING)
            c->effect = many[e];
    }
    for (int e = 0; e < HADARA_EPOCHS; e++)
        t.prices[e] = (struct hadara_prices){3, 4, 2, 3};
    return t;
}

static void start(struct game *g, int seats, bool advanced, bool own,
                  uint64_t number)
{
    static const uint8_t seed[RNG_SEED_SIZE] = "games";
    int16_t options[] = {advanced};
    struct rules_setup setup = {.seats = seats, .options = options};

    *g = (struct game){0};
    rng_init(&g->rng, seed, number);
    cr_assert_eq(rules_setup(R, &g->s.state, &setup, NULL), RULES_OK);
    if (own) {
        struct hadara *h = (struct hadara *)&g->s.state;
        h->version = 0;
        h->own = rich();
    }
    cr_assert(rules_valid(R, &g->s.state));
}

/* Somebody who can, and one of what they can; now and then a change of
 * mind. */
static int next(struct game *g, struct rules_move *move)
{
    static struct rules_choice choice[256];
    struct rules_state *s = &g->s.state;
    int seat;

    if (s->acting & RULES_BIT(RULES_NATURE)) {
        rules_chance(R, s, &g->rng, move);
        return RULES_NATURE;
    }
    uint16_t can = s->acting;
    if (rng_below(&g->rng, 4) == 0)
        can |= s->may;
    do {
        seat = (int)rng_below(&g->rng, s->seats);
    } while (!(can & RULES_BIT(seat)));
    size_t n = rules_legal(R, s, seat, -1, choice, COUNT_OF(choice));
    cr_assert(n > 0 && n <= COUNT_OF(choice));
    const struct rules_choice *c = &choice[rng_below(&g->rng, (uint32_t)n)];
    *move = c->move;
    if (c->ranged >= 0)
        move->arg[c->ranged] =
            (int16_t)(c->min +
                      (int)rng_below(&g->rng,
                                     (uint32_t)(c->max - c->min + 1)));
    return seat;
}

/* Each viewer's view of what was played is what comes of playing, on their
 * view, what they were told; or they cannot tell. */
static void on_views(struct game *g, int seat, const struct rules_move *move,
                     const struct rules_state *after)
{
    struct rules_events events;
    for (int viewer = 0; viewer <= after->seats; viewer++) {
        int who = viewer < after->seats ? viewer : RULES_WATCHER;
        union rules_any view, wanted;
        struct rules_move redacted;
        rules_redact_move(R, &g->s.state, seat, move, who, &redacted);
        rules_view(R, &g->s.state, who, &view.state);
        cr_assert(rules_valid(R, &view.state));
        int refusal = rules_apply(R, &view.state, seat, &redacted, &events);
        if (refusal == RULES_UNSEEN)
            continue;
        cr_assert_eq(refusal, RULES_OK, "%s", rules_reason(R, refusal));
        rules_view(R, after, who, &wanted.state);
        cr_assert_eq(rules_hash(R, &view.state), rules_hash(R, &wanted.state));
    }
}

/* What a viewer cannot tell from the state is a state, too, and looks the same
 * to them. */
static void resampled(struct game *g)
{
    struct rules_state *s = &g->s.state;
    for (int viewer = 0; viewer < s->seats; viewer++) {
        union rules_any resampled, view, wanted;
        rules_resample(R, s, viewer, &g->rng, &resampled.state);
        cr_assert(rules_valid(R, &resampled.state));
        rules_view(R, &resampled.state, viewer, &view.state);
        rules_view(R, s, viewer, &wanted.state);
        cr_assert_eq(rules_hash(R, &view.state), rules_hash(R, &wanted.state));
    }
}

static void in_bytes(const struct rules_state *s)
{
    static uint8_t bytes[2 * RULES_STATE_MAX];
    union rules_any back;
    size_t len = rules_encode(R, s, bytes, sizeof(bytes));
    memset(&back, 0xa5, sizeof(back));
    cr_assert_eq(rules_decode(R, &back.state, bytes, len), RULES_OK);
    cr_assert_eq(memcmp(&back, s, R->state_size), 0, "a field is left out");
}

/* No value is negative, and no track falls below the setup card's. */
static void tracks_hold(const struct hadara *h)
{
    for (int seat = 0; h->epoch > 0 && seat < h->base.seats; seat++) {
        const struct hadara_player *p = &h->player[seat];
        const uint8_t *least =
            hadara_tables(h)->setup[p->initiative - 1][p->side].value;
        int32_t track[TRACKS];
        hadara_tracks(h, p, track);
        for (int t = 0; t < TRACKS; t++)
            cr_assert_geq(track[t], least[t]);
        cr_assert_geq(p->coins, 0);
    }
}

static void play(struct game *g, bool look)
{
    struct rules_move move;

    while (!rules_over(&g->s.state)) {
        union rules_any after = g->s;
        int seat = next(g, &move);
        cr_assert_eq(rules_apply(R, &after.state, seat, &move, &g->events),
                     RULES_OK);
        cr_assert(rules_valid(R, &after.state));
        if (look) {
            on_views(g, seat, &move, &after.state);
            in_bytes(&after.state);
            resampled(g);
        }
        g->s = after;
        const struct hadara *h = (const struct hadara *)&g->s.state;
        tracks_hold(h);
        for (int i = 0; i < h->base.seats; i++)
            if (h->player[i].cards > g->most_cards)
                g->most_cards = h->player[i].cards;
        cr_assert_leq(++g->plies, R->plies_max);
    }
}

static void all_tables(bool own)
{
    static struct game g;
    int most = 0;
    for (int seats = 2; seats <= 5; seats++)
        for (int advanced = 0; advanced < 2; advanced++)
            for (int i = 0; i < scaled(24); i++) {
                start(&g, seats, advanced, own,
                      (uint64_t)(i * 100 + seats * 10 + advanced));
                play(&g, i % 3 == 0);
                HD_IS(((struct hadara *)&g.s)->epoch, 3);
                most = g.most_cards > most ? g.most_cards : most;
            }
    cr_assert_gt(most, 10);
}

/* The standard tables. */
Test(hadara_games, standard_tables)
{
    all_tables(false);
}

/* [D1] Tables with many effects, [D11] even more than there are tiles for. */
Test(hadara_games, rich_tables)
{
    all_tables(true);
}

/* Games end also if everybody always changes their mind: within plies_max, the
 * thirty changes and the last choice of each, in each step. */
Test(hadara_games, the_longest_game)
{
    static struct game g;
    struct rules_events events;
    struct rules_choice choice[64];

    start(&g, 5, true, true, 1);
    while (!rules_over(&g.s.state)) {
        struct rules_state *s = &g.s.state;
        struct rules_move move;
        uint16_t can = s->may ? s->may : s->acting;
        int seat = __builtin_ctz(can);
        if (seat == RULES_NATURE) {
            rules_chance(R, s, &g.rng, &move);
        } else {
            size_t n = rules_legal(R, s, seat, -1, choice, 64);
            n = n < 64 ? n : 64;
            move = choice[rng_below(&g.rng, (uint32_t)n)].move;
        }
        cr_assert_eq(rules_apply(R, s, seat, &move, &events), RULES_OK);
        g.plies++;
    }
    cr_assert_gt(g.plies, 3 * 5 * 4 * 31);
    cr_assert_leq(g.plies, HADARA_EPOCHS * 1000);
}

/* ---- states that cannot be -------------------------------------------- */

static bool still_valid(struct hd *p)
{
    return rules_valid(R, &p->any.state);
}

#define SPOILED(change) \
    do { \
        struct hadara *h = hd_of(&p); \
        p.any = whole; \
        cr_assert(still_valid(&p)); \
        change; \
        cr_assert(!still_valid(&p), "%s", #change); \
    } while (0)

/* Gives seat 0 so many cards of epoch I more. */
static void hoard(struct hadara *h, int cards)
{
    struct hadara_player *q = &h->player[0];
    for (; cards > 0; cards--)
        q->card[q->cards++] = h->gone[0][--h->gones[0]];
}

/* What no field can say alone is refused: a card twice, of another game, of a
 * later epoch, more than one can have; a turn that is not; counts that do not
 * fit; choices that are not legal. */
Test(hadara_games, impossible_states)
{
    static struct hd p;
    static union rules_any whole;

    hd_start(&p, &(struct hd_table){
                     .seats = 3,
                     .stage = STAGE_COLONY,
                     .epoch = 2,
                     .player = {{.cards = "red-2-01 yellow-1-01",
                                 .colonies = "1/2 3"},
                                {.cards = "blue-1-01", .silver = "food"}},
                 });
    whole = p.any;
    SPOILED(h->player[1].card[0] = h->player[0].card[0]);
    SPOILED(h->player[1].card[0] = (uint8_t)hd_card("blue-3-01"));
    SPOILED(h->player[1].card[0] = (uint8_t)hd_card("red-1-05"));
    SPOILED(h->player[1].card[0] = HADARA_NOTHING);
    SPOILED(h->player[0].card_tile[0] = TRACK_FOOD);
    SPOILED(hoard(h, 10)); /* eleven of epoch I: ten can be bought */
    p.any = whole;
    hoard(hd_of(&p), 9);
    cr_assert(still_valid(&p));
    SPOILED(h->gone[0][0] = (uint8_t)hd_card("purple-1-11"));
    SPOILED(h->gone[0][0] = h->gone[0][1]);
    SPOILED(h->gones[0]--);
    SPOILED(h->gones[1]--);
    SPOILED(h->piles[HUE_RED]--);
    SPOILED(h->pile[HUE_RED][0] = h->pile[HUE_RED][1]);
    SPOILED(h->player[0].copy[0] = HADARA_NOTHING);
    SPOILED(h->player[0].copy[2] = 1);
    SPOILED(
        (h->player[1].colony[0] = MODE_INTEGRATE, h->player[1].copy[0] = 2));
    SPOILED(h->player[0].statue_tile[0] = TRACK_FOOD);
    SPOILED(h->player[0].statue_face[0] = FACE_UP);
    SPOILED((h->player[1].silver[0] = HADARA_NOTHING,
             h->player[1].silver[1] = TRACK_FOOD));
    SPOILED((h->player[1].silver[1] = TRACK_FOOD,
             h->player[1].statue_tile[0] = TRACK_FOOD,
             h->player[1].statue_face[0] = FACE_UP));
    SPOILED(h->player[0].paid = 3);
    SPOILED(h->player[0].fed = 1);
    SPOILED(h->player[0].bought = 1);
    SPOILED(h->player[0].changes = 1);
    SPOILED(h->player[0].drawn[0] = 0);
    SPOILED(h->player[0].keep = KEEP_BUY);
    SPOILED(h->player[0].side = SIDE_B);
    SPOILED(h->player[0].side = HADARA_NOTHING);
    SPOILED(h->player[0].initiative = 2);
    SPOILED(h->player[2].initiative = 0);
    SPOILED(h->player[0].sold[0][0] = 1);
    SPOILED(h->player[0].sold_card[0][0] = h->gone[0][0]);
    SPOILED(h->player[0].sold[2][0] = 1);
    SPOILED(h->ring[0] = h->ring[1]);
    SPOILED(h->offset = HADARA_NOTHING);
    SPOILED(h->epoch = 0);
    SPOILED(h->epoch = 3);
    SPOILED(h->phase = 1);
    SPOILED(h->step = 4);
    SPOILED(h->draws = 1);
    SPOILED(h->takes = 1);
    SPOILED(h->turn = 3);
    SPOILED(h->turn = HADARA_NOTHING);
    SPOILED(h->turn = 1);
    SPOILED(h->again = 1);
    SPOILED(h->turning = 1);
    SPOILED(h->stage = STAGE_STATUE + 1);
    SPOILED(h->stage = STAGE_WHEEL);
    SPOILED(h->stage = STAGE_CHOOSE);
    SPOILED(h->stage = STAGE_OVER);
    SPOILED(h->base.acting = 3);
    SPOILED(h->base.acting = RULES_BIT(RULES_NATURE));
    SPOILED(h->base.may = 2);
    SPOILED(h->base.ply = R->plies_max);
    SPOILED(h->version = 0);
}

/* The same where cards are taken: that is in phase B of an epoch, after all of
 * phase A. */
Test(hadara_games, impossible_takes)
{
    static struct hd p;
    static union rules_any whole;

    hd_start(&p, &(struct hd_table){
                     .seats = 2, .stage = STAGE_TAKE, .epoch = 1, .phase = 1});
    whole = p.any;
    SPOILED(h->epoch = 0);
    SPOILED(h->phase = 0);
    SPOILED(h->step = HADARA_STEPS - 1);
    SPOILED(h->takes = HADARA_TAKES * 2);
}

/* The same of a step of phase A, where things are hidden. */
Test(hadara_games, impossible_hands)
{
    static struct hd p;
    static union rules_any whole;

    hd_new(&p, 3, false);
    hd_want(&p, "yellow-1-10 yellow-1-01 purple-1-10");
    hd_do(&p, 0, "set_wheel offset=0");
    hd_do(&p, 0, "choose discard=yellow-1-01 keep=buy");
    whole = p.any;
    SPOILED(h->player[0].drawn[0] = HADARA_NOTHING);
    SPOILED(h->player[0].drawn[0] = h->player[0].drawn[1]);
    SPOILED(h->player[0].drawn[0] = (uint8_t)hd_card("red-1-05"));
    SPOILED(h->player[0].drawn[0] = (uint8_t)hd_card("yellow-2-05"));
    SPOILED(h->player[0].discard = HADARA_NOTHING);
    SPOILED(h->player[0].discard = (uint8_t)hd_card("yellow-1-02"));
    SPOILED(h->player[0].keep = HADARA_NOTHING);
    SPOILED(h->player[0].tile = TRACK_FOOD);
    SPOILED(h->player[0].coins = 3);
    SPOILED(h->player[1].discard = h->player[1].drawn[0]);
    SPOILED(h->player[1].changes = 1);
    SPOILED(h->player[0].changes = 30);
    SPOILED(h->base.may = 0);
    SPOILED(h->base.acting = 7);
    SPOILED(h->base.acting = 2);
    SPOILED(h->draws = 2);
    SPOILED(h->step = 1);
    SPOILED(h->turn = 0);
    p.any = whole;
    rules_view(R, &p.any.state, 1, &whole.state);
    SPOILED(h->player[0].drawn[0] = (uint8_t)hd_card("yellow-1-01"));
    SPOILED(h->player[0].discard = (uint8_t)hd_card("yellow-1-01"));
    SPOILED(h->player[1].drawn[0] = HADARA_NOTHING);
    SPOILED(h->player[2].keep = KEEP_SELL);
}

/* Sides that are not chosen yet, or cannot be. */
Test(hadara_games, impossible_sides)
{
    static struct hd p;
    static union rules_any whole;

    hd_new(&p, 2, true);
    hd_do(&p, 0, "choose_side side=b");
    whole = p.any;
    SPOILED(h->player[0].side = HADARA_NOTHING);
    SPOILED(h->player[1].side = SIDE_A);
    SPOILED(h->advanced = 0);
    SPOILED(h->player[0].coins = 1);
    SPOILED(h->player[0].golds = 1);
    SPOILED(h->base.acting = 3);
    p.any = whole;
    rules_view(R, &p.any.state, 1, &whole.state);
    SPOILED(h->player[0].side = SIDE_B);
}
