/* scoring.c -- all that follows from a state: tracks, costs, requirements,
 * points.  Nothing of it is stored [D2]. */

#include "parts.h"

/* ---- counting --------------------------------------------------------- */

int hadara_owned(const struct hadara_player *p, int color)
{
    int n = 0;
    for (int i = 0; i < p->cards; i++)
        n += hadara_card_color(p->card[i]) == color;
    return n;
}

int hadara_effects(const struct hadara *h, const struct hadara_player *p,
                   int effect)
{
    int n = 0;
    for (int i = 0; i < p->cards; i++)
        n += card_of(h, p->card[i])->effect == effect;
    return n;
}

static bool has(const struct hadara *h, const struct hadara_player *p,
                int effect)
{
    return hadara_effects(h, p, effect) > 0;
}

int hadara_tiles(const struct hadara_player *p, int track)
{
    int n = HADARA_TILES;
    for (int i = 0; i < HADARA_STATUES; i++)
        n -= p->statue_tile[i] == track;
    for (int i = 0; i < HADARA_MEDALS; i++)
        n -= p->silver[i] == track;
    for (int i = 0; i < p->cards; i++)
        n -= p->card_tile[i] == track;
    return n;
}

/* ---- tracks ----------------------------------------------------------- */

static void add_values(int32_t track[TRACKS], const uint8_t value[TRACKS])
{
    for (int t = 0; t < TRACKS; t++)
        track[t] += value[t];
}

/* What statue I does for its tile, or for points. */
static int statue_bonus(const struct hadara *h, const struct hadara_player *p,
                        int i)
{
    return hadara_tables(h)->statue[i].bonus +
           EFFECT_TILE * hadara_effects(h, p, EFFECT_STATUE_BONUS);
}

static void add_effects(const struct hadara *h, const struct hadara_player *p,
                        int32_t track[TRACKS])
{
    static const struct {
        uint8_t effect, track, color;
    } per_color[] = {
        {EFFECT_CULTURE_PER_BLUE, TRACK_CULTURE, HUE_BLUE},
        {EFFECT_INCOME_PER_YELLOW, TRACK_INCOME, HUE_YELLOW},
        {EFFECT_FOOD_PER_GREEN, TRACK_FOOD, HUE_GREEN},
        {EFFECT_MILITARY_PER_RED, TRACK_MILITARY, HUE_RED},
    };
    for (int i = 0; i < p->cards; i++)
        for (size_t k = 0; k < COUNT_OF(per_color); k++)
            if (card_of(h, p->card[i])->effect == per_color[k].effect)
                track[per_color[k].track] += hadara_owned(p,
                                                          per_color[k].color);
}

void hadara_tracks(const struct hadara *h, const struct hadara_player *p,
                   int32_t track[TRACKS])
{
    const struct hadara_tables *t = hadara_tables(h);

    memset(track, 0, TRACKS * sizeof(track[0]));
    if (h->epoch > 0) /* sides are settled */
        add_values(track, t->setup[p->initiative - 1][p->side].value);
    for (int i = 0; i < p->cards; i++) {
        add_values(track, t->card[p->card[i]].value);
        if (p->card_tile[i] != HADARA_NOTHING)
            track[p->card_tile[i]] += EFFECT_TILE;
    }
    for (int i = 0; i < HADARA_LEVELS; i++)
        if (p->copy[i] != HADARA_NOTHING)
            add_values(track, t->back[i][p->copy[i] - 1].value);
    for (int i = 0; i < HADARA_STATUES; i++)
        if (p->statue_face[i] == FACE_UP)
            track[p->statue_tile[i]] += statue_bonus(h, p, i);
    add_effects(h, p, track);
}

/* ---- costs and requirements ------------------------------------------- */

int hadara_cost(const struct hadara *h, const struct hadara_player *p,
                int card)
{
    int cost = card_of(h, card)->cost -
               hadara_owned(p, hadara_card_color(card));
    return cost > 0 ? cost : 0;
}

int hadara_sale(const struct hadara *h, const struct hadara_player *p)
{
    return SALE(h->epoch) + hadara_effects(h, p, EFFECT_SELL_BONUS);
}

int hadara_medal_price(const struct hadara *h, const struct hadara_player *p,
                       bool gold)
{
    const struct hadara_prices *now = &hadara_tables(h)->prices[h->epoch - 1];
    bool reduced = has(h, p, EFFECT_MEDAL_DISCOUNT); /* of epoch II */

    if (gold)
        return reduced ? now->gold_reduced : now->gold;
    return reduced ? now->silver_reduced : now->silver;
}

static int lowered(const struct hadara *h, const struct hadara_player *p,
                   int requirement)
{
    requirement -= EFFECT_LOWER *
                   hadara_effects(h, p, EFFECT_REQUIREMENT_MINUS_4);
    return requirement > 0 ? requirement : 0;
}

int hadara_colony_requirement(const struct hadara *h,
                              const struct hadara_player *p, int level)
{
    return lowered(h, p, hadara_tables(h)->level[level].requirement);
}

int hadara_statue_requirement(const struct hadara *h,
                              const struct hadara_player *p, int statue)
{
    return lowered(h, p, hadara_tables(h)->statue[statue].requirement);
}

int hadara_feed_price(const struct hadara *h, const struct hadara_player *p)
{
    return has(h, p, EFFECT_FEED_WITH_COINS) ? EFFECT_FEED : -1;
}

int hadara_excess(const struct hadara *h, const struct hadara_player *p)
{
    int32_t track[TRACKS];
    hadara_tracks(h, p, track);
    return p->cards - track[TRACK_FOOD] - p->fed; /* [D7] */
}

/* ---- points ----------------------------------------------------------- */

static int32_t least(const int32_t *count, int n)
{
    int32_t low = count[0];
    for (int i = 1; i < n; i++)
        low = count[i] < low ? count[i] : low;
    return low;
}

/* Sets of five colours: as they are, or [D14] with the wild card in the place
 * of another colour, whichever is more. */
static int32_t sets(const struct hadara *h, const struct hadara_player *p,
                    bool wild)
{
    int32_t count[HUES];

    for (int color = 0; color < HUES; color++)
        count[color] = hadara_owned(p, color);
    int32_t best = least(count, HUES);
    if (!wild || !has(h, p, EFFECT_WILD_COLOUR))
        return best;
    count[HUE_PURPLE]--;
    for (int color = 0; color < HUE_PURPLE; color++) {
        count[color]++;
        int32_t so = least(count, HUES);
        best = so > best ? so : best;
        count[color]--;
    }
    return best;
}

/* [D13] The full track for as many medals as there are effects, those that
 * gain most. */
static int32_t silver_points(const struct hadara *h,
                             const struct hadara_player *p)
{
    int32_t track[TRACKS], points = 0, rest[HADARA_MEDALS] = {0};
    int full = hadara_effects(h, p, EFFECT_SILVER_FULL);

    hadara_tracks(h, p, track);
    for (int i = 0; i < HADARA_MEDALS; i++) {
        if (p->silver[i] == HADARA_NOTHING)
            continue;
        int32_t half = (track[p->silver[i]] + 1) / 2;
        points += half;
        rest[i] = track[p->silver[i]] - half;
    }
    if (full == 1)
        points += rest[0] > rest[1] ? rest[0] : rest[1];
    else if (full > 1)
        points += rest[0] + rest[1];
    return points;
}

void hadara_points(const struct hadara *h, const struct hadara_player *p,
                   int32_t part[HADARA_PARTS])
{
    const struct hadara_tables *t = hadara_tables(h);

    memset(part, 0, HADARA_PARTS * sizeof(part[0]));
    for (int i = 0; i < p->cards; i++)
        part[PART_CARDS] += t->card[p->card[i]].points;
    for (int i = 0; i < HADARA_LEVELS; i++) {
        if (p->copy[i] != HADARA_NOTHING)
            part[PART_COLONIES] += t->back[i][p->copy[i] - 1].points;
        else if (p->colony[i] != HADARA_NOTHING)
            part[PART_COLONIES] += t->level[i].points;
    }
    for (int i = 0; i < HADARA_STATUES; i++) {
        if (p->statue_tile[i] != HADARA_NOTHING)
            part[PART_STATUES] += t->statue[i].points;
        if (p->statue_face[i] == FACE_POINTS)
            part[PART_STATUES] += statue_bonus(h, p, i);
    }
    part[PART_SILVER] = silver_points(h, p);
    part[PART_GOLD] = GOLD_SET * p->golds * sets(h, p, true);
    part[PART_EFFECTS] = EFFECT_SET * sets(h, p, false) *
                         hadara_effects(h, p, EFFECT_SET_POINTS);
    part[PART_COINS] = p->coins / COINS_A_POINT;
}

/* ---- what is and what would be ---------------------------------------- */

void hadara_now(const struct hadara *h, const struct hadara_player *p,
                int32_t now[PREVIEWS])
{
    int32_t part[HADARA_PARTS];

    hadara_tracks(h, p, now);
    hadara_points(h, p, part);
    now[PREVIEW_COINS] = p->coins;
    now[PREVIEW_POINTS] = part[PART_CARDS] + part[PART_COLONIES] +
                          part[PART_STATUES];
    now[PREVIEW_VALUE] = 0;
    for (int i = 0; i < HADARA_PARTS; i++)
        now[PREVIEW_VALUE] += part[i];
}

void hadara_buy(const struct hadara *h, struct hadara_player *p, int card,
                int tile)
{
    ASSERT(p->cards < HADARA_OWNED_MAX);
    p->coins -= hadara_cost(h, p, card);
    ASSERT(p->coins >= 0);
    p->card[p->cards] = (uint8_t)card;
    p->card_tile[p->cards++] = (uint8_t)tile;
}

bool hadara_preview_card(const struct hadara *h, const struct hadara_player *p,
                         int card, int keep, int tile, int32_t now[PREVIEWS])
{
    struct hadara_player after = *p;

    if (hadara_check_keep(h, p, card, keep, to_arg((uint8_t)tile)) != RULES_OK)
        return false;
    if (keep == KEEP_BUY)
        hadara_buy(h, &after, card, tile);
    else
        after.coins += hadara_sale(h, p);
    hadara_now(h, &after, now);
    return true;
}

bool hadara_preview_side(const struct hadara *h, int seat, int side,
                         int32_t now[PREVIEWS])
{
    struct hadara_player after = h->player[seat];

    if (h->stage != STAGE_SIDES)
        return false;
    const struct hadara_setup *setup =
        &hadara_tables(h)->setup[after.initiative - 1][side];
    after.side = (uint8_t)side;
    after.coins = setup->coins + hadara_extra(h, seat);
    hadara_now(h, &after, now);
    memset(now, 0, TRACKS * sizeof(now[0])); /* epoch I has not begun */
    add_values(now, setup->value);
    return true;
}

int hadara_kept(const struct hadara *h, int seat,
                const struct rules_move *move)
{
    const struct hadara_player *p = &h->player[seat];

    if (move->verb == CHOOSE)
        return p->drawn[p->drawn[0] == move->arg[0]];
    if (move->verb == TAKE && h->piles[move->arg[0]] > 0)
        return h->pile[move->arg[0]][h->piles[move->arg[0]] - 1];
    return move->verb == REMOVE ? move->arg[0] : HADARA_NOTHING;
}

/* ---- where it comes from -------------------------------------------------- */

void hadara_sources(const struct hadara *h, const struct hadara_player *p,
                    int32_t from[SOURCES][TRACKS])
{
    static const uint8_t per_color[][3] = {
        {EFFECT_CULTURE_PER_BLUE, TRACK_CULTURE, HUE_BLUE},
        {EFFECT_INCOME_PER_YELLOW, TRACK_INCOME, HUE_YELLOW},
        {EFFECT_FOOD_PER_GREEN, TRACK_FOOD, HUE_GREEN},
        {EFFECT_MILITARY_PER_RED, TRACK_MILITARY, HUE_RED},
    };
    const struct hadara_tables *t = hadara_tables(h);
    int32_t all[TRACKS];

    memset(from, 0, SOURCES * sizeof(from[0]));
    if (h->epoch > 0)
        add_values(from[FROM_SETUP],
                   t->setup[p->initiative - 1][p->side].value);
    for (int i = 0; i < p->cards; i++)
        add_values(from[FROM_CARDS], t->card[p->card[i]].value);
    for (int i = 0; i < HADARA_LEVELS; i++)
        if (p->copy[i] != HADARA_NOTHING)
            add_values(from[FROM_COLONIES], t->back[i][p->copy[i] - 1].value);
    for (size_t i = 0; i < COUNT_OF(per_color); i++)
        from[FROM_EFFECTS][per_color[i][1]] +=
            hadara_effects(h, p, per_color[i][0]) *
            hadara_owned(p, per_color[i][2]);
    hadara_tracks(h, p, all);
    for (int i = 0; i < TRACKS; i++) {
        for (int s = 0; s < SOURCES; s++)
            all[i] -= from[s][i];
        from[FROM_TILES][i] += all[i];
    }
}

int hadara_dear(const struct rules_state *s, int seat,
                struct rules_move out[HUES])
{
    const struct hadara *h = table_of(s);
    const struct hadara_player *p = &h->player[seat];
    bool choose = h->stage == STAGE_CHOOSE;
    int n = 0;

    for (int i = 0; i < (choose ? 2 : HUES); i++) {
        int what = choose ? p->drawn[i] : i;
        if (choose ? what == HADARA_NOTHING
                   : h->stage != STAGE_TAKE || h->piles[i] == 0)
            continue;
        struct rules_move move = RULES_MOVE(choose ? CHOOSE : TAKE, what,
                                            KEEP_BUY, RULES_NONE);
        if (rules_check(&hadara_rules, s, seat, &move) != RULES_OK)
            out[n++] = move;
    }
    return n;
}
