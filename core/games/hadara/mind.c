/* mind.c -- playing Hadara: how good a position is.
 *
 * All that is legal is worth a thought; it is little.  A position is worth its
 * points, and what its tracks, cards and coins will still bring.  A choice that
 * stays hidden until all have made theirs is judged by what it does to one's own
 * board. */

#include "../../mind.h"
#include "parts.h"

/* The weights, in parts of a point (MIND_POINT). */
enum {
    /* A coin while six incomes are still to come, above the fifth of a point it
     * is in the end: it buys cards, and medals while they are cheap. */
    WEIGHT_COIN = 160,
    /* Colonies and statues in reach, of their points. */
    WEIGHT_COLONY = 240,
    WEIGHT_STATUE = 240,
    /* A card that there will be no food for; food that there is to spare, for
     * each feeding. */
    WEIGHT_LACK = 700,
    WEIGHT_SPARE = 80,
    /* What another card of a colour saves, for each card still to be kept. */
    WEIGHT_COLOUR = 26,
    /* What a silver medal still grows by with each of those; how many hundred
     * and fiftieth parts of a set of five colours each brings near. */
    WEIGHT_SILVER = 70,
    WEIGHT_SETS = 24,
    /* What an effect that counts cards will still count, likewise. */
    WEIGHT_EFFECT = 30,
};

enum { PACE = 4 }; /* what a track grows by in a phase, at most */

/* ---- what is worth a thought -------------------------------------------- */

/* To pay nothing is said by leaving it out. */
static bool pays_nothing(const struct rules_move *move)
{
    return (move->verb == TAKE_COLONY && move->arg[2] == 0) ||
           (move->verb == CARVE && move->arg[3] == 0);
}

static size_t consider(const struct rules_state *s, int seat,
                       struct rules_move *out, size_t cap)
{
    enum { MOST = 128 };
    struct rules_choice choice[MOST];
    size_t count = 0;

    if (!(s->acting & RULES_BIT(seat)))
        return 0; /* a choice that was made stands */
    size_t n = rules_legal(&hadara_rules, s, seat, -1, choice, MOST);
    ASSERT(n <= MOST);
    for (size_t i = 0; i < n && count < cap; i++) {
        struct rules_move *move = &choice[i].move;
        if (choice[i].ranged >= 0) /* pay_feed: for as many as can be */
            move->arg[choice[i].ranged] = choice[i].max;
        if (!pays_nothing(move))
            out[count++] = *move;
    }
    return count;
}

/* ---- what is still to come ---------------------------------------------- */

/* How far the game has come. */
struct ahead {
    int incomes; /* to come; colony steps, too, and statue steps ... */
    int colonies, statues; /* ... and the one that is on */
    int picks;             /* cards to be bought or sold in this epoch */
    int picks_all;         /* ... and in those that follow */
    int feeds;             /* feedings to come, this epoch's among them */
    int coin;              /* what a coin is worth, parts of a point */
};

static struct ahead look_ahead(const struct hadara *h)
{
    int epochs = HADARA_EPOCHS - (h->epoch > 0 ? h->epoch : 1);
    bool early = h->stage < STAGE_TAKE && h->phase == 0; /* phase A's cards */
    struct ahead a = {.incomes = 2 * epochs, .feeds = epochs + 1};

    if (early)
        a.incomes += 2;
    else if (h->phase == 0 || h->stage == STAGE_TAKE)
        a.incomes++;
    a.colonies = a.incomes + (h->stage == STAGE_COLONY);
    a.statues = a.incomes +
                (h->stage == STAGE_COLONY || h->stage == STAGE_STATUE);
    if (early)
        a.picks = HADARA_STEPS - h->step + HADARA_TAKES;
    else if (h->phase == 0)
        a.picks = HADARA_TAKES;
    else if (h->stage == STAGE_TAKE)
        a.picks = HADARA_TAKES - h->takes / h->base.seats;
    a.picks_all = a.picks + 2 * HADARA_STEPS * epochs;
    a.coin = MIND_POINT / COINS_A_POINT + WEIGHT_COIN * a.incomes / 6;
    return a;
}

/* ---- how good a position is --------------------------------------------- */

/* What is VALUE points when REQUIREMENT is met is worth so much with TRACK, when
 * there are STEPS steps to get there in. */
static int64_t in_reach(int value, int requirement, int32_t track, int steps)
{
    if (steps <= 0)
        return 0;
    if (track >= requirement)
        return (int64_t)value * MIND_POINT;
    int64_t near = (int64_t)value * MIND_POINT * track * track /
                   (requirement * requirement);
    return requirement - track > PACE * (steps - 1) ? near / 4 : near;
}

/* The sum of the MOST greatest of N. */
static int64_t sum_best(int64_t *v, int n, int most)
{
    int64_t sum = 0;
    for (int i = 0; i < n && i < most; i++) {
        for (int k = i + 1; k < n; k++)
            if (v[k] > v[i]) {
                int64_t held = v[i];
                v[i] = v[k];
                v[k] = held;
            }
        sum += v[i];
    }
    return sum;
}

static int64_t judge_colonies(const struct hadara *h,
                              const struct hadara_player *p, int32_t military,
                              const struct ahead *a)
{
    int64_t worth[HADARA_LEVELS];
    int n = 0;

    for (int i = 0; i < HADARA_LEVELS; i++) {
        if (p->colony[i] != HADARA_NOTHING)
            continue;
        /* What can be had is to be taken: it is less than what it brings. */
        int needs = hadara_colony_requirement(h, p, i);
        int points = hadara_tables(h)->level[i].points + (military < needs);
        worth[n++] = in_reach(points, needs, military, a->colonies);
    }
    return sum_best(worth, n, a->colonies) * WEIGHT_COLONY / 256;
}

static int64_t judge_statues(const struct hadara *h,
                             const struct hadara_player *p, int32_t culture,
                             const struct ahead *a)
{
    const struct hadara_tables *t = hadara_tables(h);
    int64_t worth[HADARA_STATUES];
    int n = 0;

    for (int i = 0; i < HADARA_STATUES; i++)
        if (p->statue_tile[i] == HADARA_NOTHING)
            worth[n++] = in_reach(t->statue[i].points + t->statue[i].bonus,
                                  hadara_statue_requirement(h, p, i), culture,
                                  a->statues);
    return sum_best(worth, n, a->statues) * WEIGHT_STATUE / 256;
}

/* Of two cards that can be kept one is bought, or a little more. */
static int64_t judge_food(const struct hadara_player *p, int32_t food,
                          const struct ahead *a)
{
    int to_feed = p->cards - p->fed + a->picks * 6 / 10;
    int lack = to_feed - food;

    if (lack > 0)
        return -(int64_t)WEIGHT_LACK * lack;
    int spare = -lack < 5 ? -lack : 5;
    return (int64_t)WEIGHT_SPARE * spare * (a->feeds - 1);
}

/* What is on the way to medals' points that they do not have yet. */
static int64_t judge_medals(const struct hadara_player *p,
                            const struct ahead *a)
{
    int silvers = 0, low = HADARA_OWNED_MAX, above = 0;

    for (int i = 0; i < HADARA_MEDALS; i++)
        silvers += p->silver[i] != HADARA_NOTHING;
    for (int color = 0; color < HUES; color++) {
        int owned = hadara_owned(p, color);
        low = owned < low ? owned : low;
    }
    for (int color = 0; color < HUES; color++)
        above += hadara_owned(p, color) > low;
    int64_t sets = a->picks_all > 0 ? above * 256 / HUES : 0;
    sets += a->picks_all * WEIGHT_SETS;
    return (int64_t)WEIGHT_SILVER * silvers * a->picks_all +
           GOLD_SET * p->golds * sets * MIND_POINT / 256;
}

static int64_t judge_effect(int effect, const struct ahead *a)
{
    switch (effect) {
    case EFFECT_CULTURE_PER_BLUE:
    case EFFECT_INCOME_PER_YELLOW:
    case EFFECT_FOOD_PER_GREEN:
    case EFFECT_MILITARY_PER_RED: return WEIGHT_EFFECT * a->picks_all;
    case EFFECT_SELL_BONUS: return a->coin * a->picks_all / 3;
    case EFFECT_COLONY_COINS: return EFFECT_COINS * a->coin * a->colonies / 2;
    case EFFECT_MEDAL_DISCOUNT: return 5 * a->coin * a->feeds;
    case EFFECT_INCOME_PER_HIGHER_TRACK: return 3 * a->coin * a->incomes;
    case EFFECT_FOOD_SURPLUS_COINS: return 4 * a->coin * a->feeds;
    case EFFECT_FEED_WITH_COINS: return 3 * MIND_POINT * a->feeds;
    case EFFECT_STATUE_BONUS:
    case EFFECT_PAY_REQUIREMENT: return 2 * MIND_POINT * a->statues;
    case EFFECT_DOUBLE_STEP: return 4 * MIND_POINT * (a->statues > 0);
    default: return 0; /* their points are counted where they are made */
    }
}

/* What P's cards do besides what they show: others of their colour become
 * cheaper, and effects. */
static int64_t judge_cards(const struct hadara *h,
                           const struct hadara_player *p,
                           const struct ahead *a)
{
    int64_t worth = (int64_t)p->cards * WEIGHT_COLOUR * a->coin *
                    a->picks_all / 256;
    for (int i = 0; i < p->cards; i++) {
        int effect = card_of(h, p->card[i])->effect;
        if (effect != HADARA_NOTHING)
            worth += judge_effect(effect, a);
    }
    return worth;
}

/* The colony that P has just integrated and not turned yet: its backs' mean,
 * added to the tracks; its points, less those of the front. */
static int64_t expect_back(const struct hadara *h, int32_t track[TRACKS])
{
    const struct hadara_tables *t = hadara_tables(h);
    int level = h->turning - 1;
    int32_t sum[TRACKS] = {0}, points = 0;

    for (int i = 0; i < HADARA_COPIES; i++) {
        points += t->back[level][i].points - t->level[level].points;
        for (int k = 0; k < TRACKS; k++)
            sum[k] += t->back[level][i].value[k];
    }
    for (int k = 0; k < TRACKS; k++)
        track[k] += (sum[k] + HADARA_COPIES / 2) / HADARA_COPIES;
    return (int64_t)points * MIND_POINT / HADARA_COPIES;
}

static int64_t judge_player(const struct hadara *h, int seat)
{
    const struct hadara_player *p = &h->player[seat];
    struct ahead a = look_ahead(h);
    int32_t track[TRACKS], part[HADARA_PARTS];
    int64_t worth = 0;

    hadara_tracks(h, p, track);
    hadara_points(h, p, part);
    for (int i = 0; i < PART_COINS; i++)
        worth += (int64_t)part[i] * MIND_POINT;
    if (h->turning != HADARA_NOTHING && h->turn == seat)
        worth += expect_back(h, track);
    worth += (int64_t)p->coins * a.coin;
    for (int i = 1; i <= a.incomes; i++) /* later ones buy less */
        worth += (int64_t)track[TRACK_INCOME] *
                 (MIND_POINT / COINS_A_POINT + WEIGHT_COIN * (i - 1) / 6);
    return worth + judge_colonies(h, p, track[TRACK_MILITARY], &a) +
           judge_statues(h, p, track[TRACK_CULTURE], &a) +
           judge_food(p, track[TRACK_FOOD], &a) + judge_medals(p, &a) +
           judge_cards(h, p, &a);
}

static int64_t judge(const struct rules_state *s, int seat)
{
    return judge_player(table_of(s), seat);
}

/* ---- choices of which nothing shows at once ----------------------------- */

static bool judge_move(const struct rules_state *s, int seat,
                       const struct rules_move *move, int64_t *ret_worth)
{
    struct hadara after = *table_of(s);
    struct hadara_player *p = &after.player[seat];

    if (move->verb == CHOOSE && move->arg[1] == KEEP_BUY) {
        hadara_buy(&after, p, kept(p, move->arg[0]), to_field(move->arg[2]));
    } else if (move->verb == CHOOSE) {
        p->coins += hadara_sale(&after, p);
    } else if (move->verb == CHOOSE_SIDE) {
        p->side = (uint8_t)move->arg[0];
        p->coins =
            hadara_tables(&after)->setup[p->initiative - 1][p->side].coins;
        after.epoch = 1;
        after.stage = STAGE_WHEEL;
    } else {
        return false;
    }
    *ret_worth = judge_player(&after, seat);
    return true;
}

const struct rules_mind hadara_mind = {
    .rules = &hadara_rules,
    .consider = consider,
    .judge = judge,
    .judge_move = judge_move,
    .simulations = 4000,
    .plies = 10,
    .tries = 12,
};
