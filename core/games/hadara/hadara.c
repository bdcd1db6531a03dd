/* hadara.c -- a table of Hadara: how it is set up, and what makes a game of
 * it.  See parts.h for the rest. */

#include "parts.h"

/* ---- setup ------------------------------------------------------------ */

static void clear_player(struct hadara_player *p)
{
    p->side = HADARA_NOTHING;
    memset(p->card, HADARA_NOTHING, sizeof(p->card));
    memset(p->card_tile, HADARA_NOTHING, sizeof(p->card_tile));
    memset(p->colony, HADARA_NOTHING, sizeof(p->colony));
    memset(p->copy, HADARA_NOTHING, sizeof(p->copy));
    memset(p->statue_tile, HADARA_NOTHING, sizeof(p->statue_tile));
    memset(p->statue_face, HADARA_NOTHING, sizeof(p->statue_face));
    memset(p->silver, HADARA_NOTHING, sizeof(p->silver));
    memset(p->sold_card, HADARA_NOTHING, sizeof(p->sold_card));
    memset(p->drawn, HADARA_NOTHING, sizeof(p->drawn));
    p->discard = p->keep = p->tile = HADARA_NOTHING;
}

static void clear(struct hadara *h)
{
    memset(h->ring, HADARA_NOTHING, sizeof(h->ring));
    memset(h->pile, HADARA_NOTHING, sizeof(h->pile));
    memset(h->gone, HADARA_NOTHING, sizeof(h->gone));
    h->offset = h->turn = h->turning = HADARA_NOTHING;
    for (int seat = 0; seat < HADARA_SEATS_MAX; seat++)
        clear_player(&h->player[seat]);
}

static int setup(struct rules_state *s, const struct rules_setup *chosen,
                 const int16_t *options, struct rules_problem *why)
{
    struct hadara *h = (struct hadara *)s;

    clear(h);
    h->advanced = options[OPTION_ADVANCED] == 1;
    h->version = hadara_versions;
    /* [D1] A set of one's own; the standard one by name is no such. */
    if (chosen->asset != NULL && chosen->asset_name == NULL) {
        h->version = 0;
        if (!hadara_tables_read(&h->own, chosen->asset, chosen->asset_len,
                                why))
            return RULES_BAD_SETUP;
    }
    h->stage = STAGE_RING;
    s->acting = RULES_BIT(RULES_NATURE);
    return RULES_OK;
}

/* Lists that vary in length leave what is behind their end alone when they are
 * read; here it is made what play makes it. */
static void derive(struct rules_state *s)
{
    struct hadara *h = (struct hadara *)s;

    for (int color = 0; color < HUES; color++)
        memset(h->pile[color] + h->piles[color], HADARA_NOTHING,
               (size_t)(HADARA_SEATS_MAX - h->piles[color]));
    for (int e = 0; e < HADARA_EPOCHS; e++)
        memset(h->gone[e] + h->gones[e], HADARA_NOTHING,
               (size_t)(HADARA_GONE_MAX - h->gones[e]));
    for (int seat = 0; seat < HADARA_SEATS_MAX; seat++) {
        struct hadara_player *p = &h->player[seat];
        if (seat >= s->seats)
            clear_player(p);
        memset(p->card + p->cards, HADARA_NOTHING,
               (size_t)(HADARA_OWNED_MAX - p->cards));
        memset(p->card_tile + p->cards, HADARA_NOTHING,
               (size_t)(HADARA_OWNED_MAX - p->cards));
    }
}

/* ---- datasets --------------------------------------------------------- */

static const struct rules_asset_kind dataset = {
    .name = "tables",
    .title = "tables of numbers",
    .format = "csv",
    .bytes_max = HADARA_CSV_BYTES_MAX,
    .dataset = true,
};

static void spell_out(struct rules_state *s)
{
    struct hadara *h = (struct hadara *)s;

    h->own = *hadara_tables(h);
    h->version = 0;
}

/* ---- score ------------------------------------------------------------ */

static void score(const struct rules_state *s, struct rules_score *score)
{
    const struct hadara *h = table_of(s);
    int32_t part[HADARA_PARTS], coins[RULES_SEATS_MAX] = {0};

    score->parts = (1u << HADARA_PARTS) - 1;
    for (int seat = 0; seat < s->seats; seat++) {
        hadara_points(h, &h->player[seat], part);
        for (int i = 0; i < HADARA_PARTS; i++)
            score->part[i][seat] = part[i];
        coins[seat] = h->player[seat].coins;
    }
    rules_sum(score, s->seats);
    if (rules_over(s))
        rules_rank(score, s->seats, coins); /* [D17] */
}

/* ---- figures ------------------------------------------------------------- */

static const struct rules_figure figures[] = {
    [PREVIEW_INCOME] = {"income", SAYS("income")},
    [PREVIEW_MILITARY] = {"military", SAYS("military")},
    [PREVIEW_CULTURE] = {"culture", SAYS("culture")},
    [PREVIEW_FOOD] = {"food", SAYS("food")},
    [PREVIEW_COINS] = {"coins", SAYS("coins")},
    [PREVIEW_POINTS] = {"points", SAYS("points")},
    [PREVIEW_VALUE] = {"value", SAYS("if the game ended")},
    {0},
};

static void widen(const int32_t now[PREVIEWS],
                  int64_t figure[RULES_FIGURES_MAX])
{
    for (int i = 0; i < PREVIEWS; i++)
        figure[i] = now[i];
}

static void count(const struct rules_state *s, int seat,
                  int64_t figure[RULES_FIGURES_MAX])
{
    int32_t now[PREVIEWS];

    hadara_now(table_of(s), &table_of(s)->player[seat], now);
    widen(now, figure);
}

/* What one has chosen counts when all have; the purchase is known before. */
static bool foresee(const struct rules_state *s, int seat,
                    const struct rules_move *move,
                    int64_t figure[RULES_FIGURES_MAX])
{
    const struct hadara *h = table_of(s);
    const struct hadara_player *p = &h->player[seat];
    int32_t now[PREVIEWS];
    bool good = false;

    if (move->verb == CHOOSE_SIDE)
        good = hadara_preview_side(h, seat, move->arg[0], now);
    else if (move->verb == CHOOSE || move->verb == TAKE)
        good = hadara_preview_card(h, p, hadara_kept(h, seat, move),
                                   move->arg[1],
                                   move->arg[2] == RULES_NONE ? HADARA_NOTHING
                                                              : move->arg[2],
                                   now);
    if (good)
        widen(now, figure);
    return good;
}

/* No colony and no statue: of a phase both are one round. */
static bool pass(const struct rules_state *s, int seat,
                 struct rules_move *move)
{
    const struct hadara *h = table_of(s);

    *move = RULES_MOVE(PASS, RULES_NONE, RULES_NONE, RULES_NONE);
    return h->turn == seat &&
           (h->stage == STAGE_COLONY || h->stage == STAGE_STATUE);
}

static uint32_t phase(const struct rules_state *s)
{
    const struct hadara *h = table_of(s);
    return 2u * h->epoch + h->phase;
}

const struct rules hadara_rules = {
    .name = "hadara",
    .title = "Hadara",
    .revision = HADARA_REVISION,
    .seats_min = 2,
    .seats_max = HADARA_SEATS_MAX,
    /* One epoch more than there is, so that no state that was let in can reach
     * the limit: see valid.c. */
    .plies_max = HADARA_SETUP_PLIES + (HADARA_EPOCHS + 1) * HADARA_EPOCH_PLIES,
    .state_size = sizeof(struct hadara),
    .verbs = hadara_verbs,
    .events = hadara_events,
    .options = hadara_options,
    .reasons = hadara_reasons,
    .parts = hadara_parts,
    .glossary = hadara_glossary,
    .says = SAYS_LISTS(hadara_says),
    .assets = hadara_assets,
    .asset_kind = &dataset,
    .setup = setup,
    .propose = hadara_propose,
    .check = hadara_check,
    .apply = hadara_apply,
    .chance = hadara_chance,
    .redact = hadara_redact,
    .redact_move = hadara_redact_move,
    .guess = hadara_guess,
    .default_move = hadara_default_move,
    .pass = pass,
    .round = phase,
    .harmless = RULES_KIND(EV_SIDE_CHOSEN) | RULES_KIND(EV_CHOSE) |
                RULES_KIND(EV_WHEEL_TURNED) | RULES_KIND(EV_INCOME) |
                RULES_KIND(EV_COLONY) | RULES_KIND(EV_STATUE) |
                RULES_KIND(EV_PASSED) | RULES_KIND(EV_SURPLUS) |
                RULES_KIND(EV_REMOVED) | RULES_KIND(EV_FED) |
                RULES_KIND(EV_SILVER) | RULES_KIND(EV_GOLD) |
                RULES_KIND(EV_DONE),
    .harmless_of_others = RULES_KIND(EV_DREW),
    .score = score,
    .figures = figures,
    .count = count,
    .foresee = foresee,
    .valid = hadara_valid,
    .derive = derive,
    .fields = hadara_fields,
    .spell_out = spell_out,
    .notes = hadara_notes,
    .doubts = hadara_doubts,
};
