/* fields.c -- what the state of a table consists of, for the core's walk over
 * it, and what else of it is shown: see fields.h of the core.  Numbers that
 * follow from the rest are shown with it, and never stored [D2]; some of them
 * to the viewer alone, whom they concern. */

#include "parts.h"

/* ---- what values look like -------------------------------------------- */

static const struct fields_as as_flag = FIELDS_AS_FLAG;
static const struct fields_as as_number = FIELDS_AS_UPTO(HADARA_VALUE_MAX);
static const struct fields_as as_coins = FIELDS_AS_UPTO(HADARA_COINS_MAX);
static const struct fields_as as_derived = {.min = INT32_MIN,
                                            .max = INT32_MAX};
static const struct fields_as as_maybe = {
    .min = INT32_MIN + 1,
    .max = INT32_MAX,
    .null = true,
};
static const struct fields_as as_seat = {
    .max = HADARA_SEATS_MAX - 1,
    .null = true,
};
static const struct fields_as as_card = {
    .max = HADARA_CARDS - 1,
    .words = hadara_card_words,
    .null = true,
};
static const struct fields_as as_color = {
    .max = HUES - 1,
    .words = hadara_color_words,
    .null = true,
};
static const struct fields_as as_track = {
    .max = TRACKS - 1,
    .words = hadara_track_words,
    .null = true,
};
static const struct fields_as as_side = {
    .max = SIDES - 1,
    .words = hadara_side_words,
    .null = true,
};
static const struct fields_as as_keep = {
    .max = KEEP_SELL,
    .words = hadara_keep_words,
    .null = true,
};
static const struct fields_as as_mode = {
    .max = MODE_INTEGRATE,
    .words = hadara_mode_words,
    .null = true,
};
static const struct fields_as as_face = {
    .max = FACE_POINTS,
    .words = hadara_face_words,
    .null = true,
};
static const struct fields_as as_effect = {
    .max = EFFECTS - 1,
    .words = hadara_effect_words,
    .null = true,
};
static const char *const epoch_words[] = {"1", "2", "3"};

/* ---- tables of one's own [D1] ----------------------------------------- */

static void values(struct fields *f, uint8_t *v)
{
    fields_u8s_by(f, "values", v, hadara_track_words, TRACKS, &as_number);
}

static void card_fields(struct fields *f, struct hadara_tables *t)
{
    fields_open(f, "cards");
    for (int i = 0; i < HADARA_CARDS; i++) {
        struct hadara_card *c = &t->card[i];
        fields_open(f, hadara_card_words[i]);
        fields_u8(f, "cost", &c->cost, &as_number);
        values(f, c->value);
        fields_u8(f, "points", &c->points, &as_number);
        fields_u8(f, "effect", &c->effect, &as_effect);
        fields_close(f);
    }
    fields_close(f);
}

static void colony_fields(struct fields *f, struct hadara_tables *t)
{
    fields_open_list(f, "colonies");
    for (int i = 0; i < HADARA_LEVELS; i++) {
        struct hadara_level *level = &t->level[i];
        fields_open(f, NULL);
        fields_u8(f, "requirement", &level->requirement, &as_number);
        fields_u8(f, "plunder", &level->plunder, &as_number);
        fields_u8(f, "integrate", &level->integrate, &as_number);
        fields_u8(f, "points", &level->points, &as_number);
        fields_open_list(f, "backs");
        for (int copy = 0; copy < HADARA_COPIES; copy++) {
            fields_open(f, NULL);
            values(f, t->back[i][copy].value);
            fields_u8(f, "points", &t->back[i][copy].points, &as_number);
            fields_close(f);
        }
        fields_close(f);
        fields_close(f);
    }
    fields_close(f);
}

static void setup_fields(struct fields *f, struct hadara_tables *t)
{
    fields_open_list(f, "setup_cards");
    for (int i = 0; i < HADARA_SETUPS; i++) {
        fields_open(f, NULL);
        for (int side = 0; side < SIDES; side++) {
            fields_open(f, hadara_side_words[side]);
            fields_u8(f, "coins", &t->setup[i][side].coins, &as_number);
            values(f, t->setup[i][side].value);
            fields_close(f);
        }
        fields_close(f);
    }
    fields_close(f);
}

static void table_fields(struct fields *f, struct hadara_tables *t)
{
    fields_open(f, "tables");
    card_fields(f, t);
    colony_fields(f, t);
    setup_fields(f, t);
    fields_open_list(f, "medals");
    for (int i = 0; i < HADARA_EPOCHS; i++) {
        struct hadara_prices *price = &t->prices[i];
        fields_open(f, NULL);
        fields_u8(f, "silver", &price->silver, &as_number);
        fields_u8(f, "gold", &price->gold, &as_number);
        fields_u8(f, "silver_reduced", &price->silver_reduced, &as_number);
        fields_u8(f, "gold_reduced", &price->gold_reduced, &as_number);
        fields_close(f);
    }
    fields_close(f);
    fields_open_list(f, "statues");
    for (int i = 0; i < HADARA_STATUES; i++) {
        fields_open(f, NULL);
        fields_u8(f, "requirement", &t->statue[i].requirement, &as_number);
        fields_u8(f, "points", &t->statue[i].points, &as_number);
        fields_u8(f, "bonus", &t->statue[i].bonus, &as_number);
        fields_close(f);
    }
    fields_close(f);
    fields_close(f);
}

/* ---- what is derived -------------------------------------------------- */

static void decks(const struct rules_state *s, int arg, int32_t *ret)
{
    (void)arg;
    for (int color = 0; color < HUES; color++)
        ret[color] = hadara_deck(table_of(s), color);
}

static void now(const struct rules_state *s, int seat, int32_t *ret)
{
    hadara_now(table_of(s), &table_of(s)->player[seat], ret);
}

static void owned(const struct rules_state *s, int seat, int32_t *ret)
{
    for (int color = 0; color < HUES; color++)
        ret[color] = hadara_owned(&table_of(s)->player[seat], color);
}

static void tiles(const struct rules_state *s, int seat, int32_t *ret)
{
    for (int track = 0; track < TRACKS; track++)
        ret[track] = hadara_tiles(&table_of(s)->player[seat], track);
}

static void to_remove(const struct rules_state *s, int seat, int32_t *value)
{
    const struct hadara *h = table_of(s);
    int excess = hadara_excess(h, &h->player[seat]);
    *value = h->stage == STAGE_FEED && excess > 0 ? excess : 0;
}

/* What colonies and statues need of SEAT, by the effects of their cards; ... */
static void colony_needs(const struct rules_state *s, int seat, int32_t *ret)
{
    const struct hadara *h = table_of(s);
    for (int i = 0; i < HADARA_LEVELS; i++)
        ret[i] = hadara_colony_requirement(h, &h->player[seat], i);
}

static void statue_needs(const struct rules_state *s, int seat, int32_t *ret)
{
    const struct hadara *h = table_of(s);
    for (int i = 0; i < HADARA_STATUES; i++)
        ret[i] = hadara_statue_requirement(h, &h->player[seat], i);
}

/* ... and what a card costs that is fed with coins, if one of theirs allows. */
static void feed_price(const struct rules_state *s, int seat, int32_t *value)
{
    int price = hadara_feed_price(table_of(s), &table_of(s)->player[seat]);
    *value = price < 0 ? FIELDS_NULL_I32 : price;
}

/* Who is first in each epoch. */
static void firsts(const struct rules_state *s, int arg, int32_t *ret)
{
    (void)arg;
    for (int epoch = 1; epoch <= HADARA_EPOCHS; epoch++) {
        int seat = hadara_first(table_of(s), epoch);
        ret[epoch - 1] = seat == HADARA_NOTHING ? FIELDS_NULL_I32
                                                : (int32_t)seat;
    }
}

/* ---- what the viewer alone is shown ----------------------------------- */

/* Reduced costs: of the top of each pile, ... */
static void take_costs(const struct rules_state *s, int arg, int32_t *ret)
{
    const struct hadara *h = table_of(s);
    (void)arg;
    for (int color = 0; color < HUES; color++)
        ret[color] = h->piles[color] == 0
                         ? FIELDS_NULL_I32
                         : hadara_cost(h, &h->player[s->viewer],
                                       top_card(h, color));
}

/* ... of a card in hand ... */
static void draw_cost(const struct rules_state *s, int slot, int32_t *value)
{
    const struct hadara *h = table_of(s);
    const struct hadara_player *p = &h->player[s->viewer];
    *value = p->drawn[slot] == HADARA_NOTHING
                 ? FIELDS_NULL_I32
                 : hadara_cost(h, p, p->drawn[slot]);
}

/* ... and of medals. */
static void medal_costs(const struct rules_state *s, int arg, int32_t *ret)
{
    const struct hadara *h = table_of(s);
    (void)arg;
    for (int gold = 0; gold < 2; gold++)
        ret[gold] = h->epoch == 0
                        ? FIELDS_NULL_I32
                        : hadara_medal_price(h, &h->player[s->viewer], gold);
}

/* The ways to keep a card: selling it, buying it, buying it with a tile. */
static const char *const way_words[] = {
    "sell", "buy", "buy_income", "buy_military", "buy_culture", "buy_food",
};
enum { WAYS = COUNT_OF(way_words), WAY_SELL = 0, WAY_TILE = 2 };

static void no_preview(int32_t *ret)
{
    for (int i = 0; i < PREVIEWS; i++)
        ret[i] = FIELDS_NULL_I32;
}

static void preview_card(const struct rules_state *s, int arg, int32_t *ret)
{
    const struct hadara *h = table_of(s);
    const struct hadara_player *p = &h->player[s->viewer];
    int card = p->drawn[arg / WAYS], way = arg % WAYS;

    no_preview(ret);
    if (card != HADARA_NOTHING)
        (void)hadara_preview_card(h, p, card,
                                  way == WAY_SELL ? KEEP_SELL : KEEP_BUY,
                                  way < WAY_TILE ? HADARA_NOTHING
                                                 : way - WAY_TILE,
                                  ret);
}

static void preview_side(const struct rules_state *s, int side, int32_t *ret)
{
    no_preview(ret);
    (void)hadara_preview_side(table_of(s), s->viewer, side, ret);
}

/* What the viewer's numbers will be by the choice made. */
static void preview_choice(const struct rules_state *s, int arg, int32_t *ret)
{
    const struct hadara *h = table_of(s);
    const struct hadara_player *p = &h->player[s->viewer];
    (void)arg;

    no_preview(ret);
    if (p->discard != HADARA_NOTHING)
        (void)hadara_preview_card(h, p, kept(p, p->discard), p->keep, p->tile,
                                  ret);
    else if (p->side != HADARA_NOTHING)
        (void)hadara_preview_side(h, s->viewer, p->side, ret);
}

static void viewer_fields(struct fields *f, const struct hadara *h)
{
    const struct rules_state *s = &h->base;

    fields_open(f, "previews");
    fields_open_list(f, "cards"); /* as drawn: if this one is kept */
    for (int slot = 0; slot < 2; slot++) {
        fields_open(f, NULL);
        fields_derived(f, "cost", s, slot, NULL, 1, &as_maybe, draw_cost);
        for (int way = 0; way < WAYS; way++)
            fields_derived(f, way_words[way], s, slot * WAYS + way,
                           hadara_preview_words, PREVIEWS, &as_maybe,
                           preview_card);
        fields_close(f);
    }
    fields_close(f);
    fields_open(f, "sides");
    for (int side = 0; side < SIDES; side++)
        fields_derived(f, hadara_side_words[side], s, side,
                       hadara_preview_words, PREVIEWS, &as_maybe,
                       preview_side);
    fields_close(f);
    fields_derived(f, "choice", s, 0, hadara_preview_words, PREVIEWS,
                   &as_maybe, preview_choice);
    fields_derived(f, "pile_costs", s, 0, hadara_color_words, HUES, &as_maybe,
                   take_costs);
    static const char *const medal_words[] = {"silver", "gold"};
    fields_derived(f, "medal_costs", s, 0, medal_words, 2, &as_maybe,
                   medal_costs);
    fields_close(f);
}

/* ---- players ---------------------------------------------------------- */

static void board_fields(struct fields *f, struct hadara_player *p)
{
    static const struct fields_as copies = {
        .min = 1,
        .max = HADARA_COPIES,
        .null = true,
    };
    static const struct fields_as golds = FIELDS_AS_UPTO(HADARA_MEDALS);

    size_t n = fields_open_varied(f, "cards", &p->cards, HADARA_OWNED_MAX);
    for (size_t i = 0; i < n; i++) {
        fields_open(f, NULL);
        fields_u8(f, "card", &p->card[i], &as_card);
        fields_u8(f, "tile", &p->card_tile[i], &as_track);
        fields_close(f);
    }
    fields_close(f);
    fields_open_list(f, "colonies");
    for (int i = 0; i < HADARA_LEVELS; i++) {
        fields_open(f, NULL);
        fields_u8(f, "mode", &p->colony[i], &as_mode);
        fields_u8(f, "copy", &p->copy[i], &copies);
        fields_close(f);
    }
    fields_close(f);
    fields_open_list(f, "statues");
    for (int i = 0; i < HADARA_STATUES; i++) {
        fields_open(f, NULL);
        fields_u8(f, "tile", &p->statue_tile[i], &as_track);
        fields_u8(f, "face", &p->statue_face[i], &as_face);
        fields_close(f);
    }
    fields_close(f);
    fields_u8s(f, "silver", p->silver, HADARA_MEDALS, &as_track);
    fields_u8(f, "gold", &p->golds, &golds);
}

static void player_fields(struct fields *f, struct hadara *h, int seat)
{
    static const struct fields_as initiatives = FIELDS_AS_UPTO(HADARA_SETUPS);
    static const struct fields_as changes = FIELDS_AS_UPTO(HADARA_CHANGES_MAX);
    static const struct fields_as paid = FIELDS_AS_UPTO(HADARA_PAY_MAX);
    static const struct fields_as fed = FIELDS_AS_UPTO(HADARA_FEED_MAX);
    struct hadara_player *p = &h->player[seat];
    const struct rules_state *s = &h->base;

    fields_open(f, NULL);
    fields_u8(f, "initiative", &p->initiative, &initiatives);
    fields_u8(f, "side", &p->side, &as_side);
    fields_i32(f, "coins", &p->coins, &as_coins);
    board_fields(f, p);
    fields_open_list(f, "sold");
    for (int e = 0; e < HADARA_EPOCHS; e++) {
        fields_open(f, NULL);
        fields_u8s_by(f, "colors", p->sold[e], hadara_color_words, HUES,
                      &as_flag);
        fields_u8s_by(f, "cards", p->sold_card[e], hadara_color_words, HUES,
                      &as_card);
        fields_close(f);
    }
    fields_close(f);
    fields_u8s(f, "drawn", p->drawn, 2, &as_card);
    fields_open(f, "choice");
    fields_u8(f, "discard", &p->discard, &as_card);
    fields_u8(f, "keep", &p->keep, &as_keep);
    fields_u8(f, "tile", &p->tile, &as_track);
    fields_close(f);
    fields_u8(f, "changes", &p->changes, &changes);
    fields_u8(f, "paid", &p->paid, &paid);
    fields_u8(f, "fed", &p->fed, &fed);
    fields_u8(f, "bought", &p->bought, &as_flag);
    fields_derived(f, "now", s, seat, hadara_preview_words, PREVIEWS,
                   &as_derived, now);
    fields_derived(f, "colors", s, seat, hadara_color_words, HUES, &as_derived,
                   owned);
    fields_derived(f, "tiles", s, seat, hadara_track_words, TRACKS,
                   &as_derived, tiles);
    fields_derived(f, "to_remove", s, seat, NULL, 1, &as_derived, to_remove);
    fields_open(f, "requirements");
    fields_derived(f, "colonies", s, seat, NULL, HADARA_LEVELS, &as_derived,
                   colony_needs);
    fields_derived(f, "statues", s, seat, NULL, HADARA_STATUES, &as_derived,
                   statue_needs);
    fields_close(f);
    fields_derived(f, "feed_price", s, seat, NULL, 1, &as_maybe, feed_price);
    fields_close(f);
}

/* ---- the table -------------------------------------------------------- */

static void course_fields(struct fields *f, struct hadara *h)
{
    static const struct fields_as stages = {
        .max = STAGES - 1,
        .words = hadara_stage_words,
    };
    static const char *const phase_words[] = {"A", "B"};
    static const struct fields_as phases = FIELDS_AS_WORDS(phase_words);
    static const struct fields_as epochs = FIELDS_AS_UPTO(HADARA_EPOCHS);
    static const struct fields_as offsets = {
        .max = HADARA_STEPS - 1,
        .null = true,
    };
    static const struct fields_as steps = FIELDS_AS_UPTO(HADARA_STEPS);
    static const struct fields_as draws = FIELDS_AS_UPTO(HADARA_SEATS_MAX);
    static const struct fields_as takes = FIELDS_AS_UPTO(HADARA_SEATS_MAX *
                                                         HADARA_TAKES);
    static const struct fields_as levels = {
        .min = 1,
        .max = HADARA_LEVELS,
        .null = true,
    };

    fields_u8s(f, "ring", h->ring, HADARA_STEPS, &as_color);
    fields_u8(f, "stage", &h->stage, &stages);
    fields_u8(f, "epoch", &h->epoch, &epochs);
    fields_u8(f, "phase", &h->phase, &phases);
    fields_u8(f, "offset", &h->offset, &offsets);
    fields_u8(f, "step", &h->step, &steps);
    fields_u8(f, "draws", &h->draws, &draws);
    fields_u8(f, "takes", &h->takes, &takes);
    fields_u8(f, "turn", &h->turn, &as_seat);
    fields_u8(f, "again", &h->again, &as_flag);
    fields_u8(f, "turning", &h->turning, &levels);
}

static void pile_fields(struct fields *f, struct hadara *h)
{
    fields_open(f, "piles");
    for (int color = 0; color < HUES; color++) {
        size_t n = fields_open_varied(f, hadara_color_words[color],
                                      &h->piles[color], HADARA_SEATS_MAX);
        for (size_t i = 0; i < n; i++)
            fields_u8(f, NULL, &h->pile[color][i], &as_card);
        fields_close(f);
    }
    fields_close(f);
    fields_open(f, "gone");
    for (int e = 0; e < HADARA_EPOCHS; e++) {
        size_t n = fields_open_varied(f, epoch_words[e], &h->gones[e],
                                      HADARA_GONE_MAX);
        for (size_t i = 0; i < n; i++)
            fields_u8(f, NULL, &h->gone[e][i], &as_card);
        fields_close(f);
    }
    fields_close(f);
}

/* Numbers that follow from the rest can be computed of a valid state only, but
 * they are shown, never read; nothing is shown that was not judged first. */
void hadara_fields(struct fields *f, struct rules_state *s)
{
    struct hadara *h = (struct hadara *)s;
    const struct fields_as versions = FIELDS_AS_UPTO(hadara_versions);

    fields_u8(f, "advanced", &h->advanced, &as_flag);
    fields_u8(f, "version", &h->version, &versions);
    if (f->malformed || s->seats > HADARA_SEATS_MAX) {
        f->malformed = true;
        return;
    }
    if (h->version == 0)
        table_fields(f, &h->own);
    course_fields(f, h);
    pile_fields(f, h);
    fields_derived(f, "decks", s, 0, hadara_color_words, HUES, &as_derived,
                   decks);
    fields_derived(f, "first_players", s, 0, NULL, HADARA_EPOCHS, &as_maybe,
                   firsts);
    fields_open_list(f, "players");
    for (int seat = 0; seat < s->seats; seat++)
        player_fields(f, h, seat);
    fields_close(f);
    if (s->viewer < s->seats)
        viewer_fields(f, h);
}
