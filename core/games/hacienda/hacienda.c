/* hacienda.c -- a table of Hacienda: how it is set up, what its fields are,
 * what each viewer may see of it.  See parts.h for the rest. */

#include "parts.h"

/* ---- setup ------------------------------------------------------------ */

static bool same(const char *a, const char *b)
{
    while (*a != '\0' && *a == *b)
        a++, b++;
    return *a == *b;
}

static int refuse(struct rules_problem *why, const char *rule,
                  const char *text, const char *option, uint32_t line)
{
    *why = (struct rules_problem){rule, text, option, line};
    return RULES_BAD_SETUP;
}

static const struct rules_asset *built_in(const char *name)
{
    const struct rules_asset *a = hacienda_boards;
    while (a->name != NULL && !same(a->name, name))
        a++;
    return a;
}

#define CRUCIBLE "crucible" /* its own board, and only its */

/* [H24] Option and board `crucible` imply each other. */
static int settle_crucible(struct hacienda *h,
                           const struct rules_setup *chosen,
                           const int16_t *options, struct rules_problem *why)
{
    bool chosen_board = chosen->asset_name != NULL &&
                        same(chosen->asset_name, CRUCIBLE);
    int16_t wanted = options[OPTION_CRUCIBLE];

    h->crucible = wanted == RULES_NONE ? chosen_board : wanted != 0;
    if (h->crucible != chosen_board && (chosen_board || chosen->asset != NULL))
        return refuse(why, "crucible_board",
                      chosen_board
                          ? "The board Crucible is for the game Crucible only."
                          : "The Crucible is played on its own board only.",
                      "crucible", 0);
    if (h->crucible && h->base.seats != 2)
        return refuse(why, "crucible_seats", "The Crucible is for 2 players.",
                      "crucible", 0);
    if (h->crucible && (h->variant1 || h->variant2))
        return refuse(why, "crucible_variant",
                      "The Crucible goes with no other variant.", "crucible",
                      0);
    return RULES_OK;
}

static int lay_board(struct hacienda *h, const struct rules_setup *chosen,
                     struct rules_problem *why)
{
    const struct rules_asset *default_board = built_in(
        h->crucible ? CRUCIBLE : "symmetric");
    const char *text = chosen->asset ? chosen->asset : default_board->text;
    size_t len = chosen->asset ? chosen->asset_len : default_board->len;
    struct haz_problem problem;
    struct board board;

    if (!haz_parse(&board, NULL, text, len, &problem))
        return refuse(why, problem.rule, haz_sentence(problem.rule), NULL,
                      problem.line);
    h->cols = board.cols;
    h->rows = board.rows;
    h->hexes = (uint16_t)board_hexes(board.cols, board.rows);
    memcpy(h->ground, board.ground, h->hexes);
    memset(h->owner, HACIENDA_NOBODY, h->hexes);
    memset(h->water, HACIENDA_NOBODY, h->hexes);
    return RULES_OK;
}

/* A single water tile on every water space; terrains for those of code 8. */
static void prepare_board(struct hacienda *h)
{
    int open = 0;

    for (int hex = 0; hex < h->hexes; hex++) {
        open += h->ground[hex] == GROUND_RANDOM;
        if (h->ground[hex] != GROUND_WATER)
            continue;
        h->tile[hex] = TILE_WATER;
        h->water[hex] = h->water_tiles;
        h->water_size[h->water_tiles++] = 1;
    }
    h->spares = (uint8_t)(open % (LAND_CARDS - 1)); /* [H10] */
    memset(h->terrains, open / (LAND_CARDS - 1), sizeof(h->terrains));
}

static uint8_t sum(const uint8_t *counts, int n)
{
    int all = 0;
    for (int i = 0; i < n; i++)
        all += counts[i];
    return (uint8_t)all;
}

/* rules, Setup. */
static void prepare_bank(struct hacienda *h)
{
    const struct hacienda_numbers *n = numbers(h);

    h->haciendas_left = n->haciendas;
    h->chips_left = n->chips;
    memcpy(h->waters_left, n->waters, sizeof(h->waters_left));
    h->waters_left[SHAPE_SINGLE] -= h->water_tiles;
    h->removed = n->removed;
    h->supply[STACK_LAND] = (uint8_t)(sum(n->cards, LAND_CARDS) -
                                      h->base.seats * n->pampas);
    h->supply[STACK_ANIMALS] =
        (uint8_t)(sum(n->cards + LAND_CARDS, ANIMAL_CARDS) - n->removed);
    memset(h->display, HACIENDA_NOBODY, sizeof(h->display));
    for (int seat = 0; seat < h->base.seats; seat++) {
        h->player[seat].money = 20;
        h->player[seat].known[CARD_PAMPAS] = n->pampas;
    }
    h->start = HACIENDA_NOBODY;
    h->owed = HACIENDA_NOBODY;
    h->half = 1;
}

/* What follows from the fields. */
static void derive(struct rules_state *s)
{
    struct hacienda *h = (struct hacienda *)s;

    h->hexes = (uint16_t)board_hexes(h->cols, h->rows);
    h->steps = board_steps(h->cols, h->rows);
    board_near(h->cols, h->rows, h->near);
    memset(h->open, 0, sizeof(h->open));
    memset(h->animals, 0, sizeof(h->animals));
    int lands = 0, unowned = 0;
    for (int hex = 0; hex < h->hexes; hex++) {
        int tile = h->tile[hex];
        if (tile == TILE_NONE)
            h->open[h->ground[hex]]++;
        else if (tile == TILE_WATER ? h->water[hex] >= HACIENDA_WATERS
                                    : h->owner[hex] >= s->seats)
            unowned++;
        else if (tile_is_animal(tile))
            h->animals[h->owner[hex]][tile - TILE_CATTLE]++;
        lands += tile == TILE_LAND;
    }
    /* More than the box holds, or nobody's: invalid, but not to be stumbled
     * over here. */
    bool fits = lands <= HACIENDA_LANDS_MAX && unowned == 0;
    h->lands = fits ? (uint8_t)lands : UINT8_MAX;
    if (fits) {
        hacienda_link(h);
        hacienda_value(h);
    }
}

static int setup(struct rules_state *s, const struct rules_setup *chosen,
                 const int16_t *options, struct rules_problem *why)
{
    struct hacienda *h = (struct hacienda *)s;
    int refusal;

    h->variant1 = options[OPTION_VARIANT1] == 1;
    h->variant2 = options[OPTION_VARIANT2] == 1;
    refusal = settle_crucible(h, chosen, options, why);
    if (refusal == RULES_OK)
        refusal = lay_board(h, chosen, why);
    if (refusal != RULES_OK)
        return refusal;
    prepare_board(h);
    prepare_bank(h);
    s->acting = RULES_BIT(RULES_NATURE);
    return RULES_OK;
}

/* [H24] The board may have implied the option. */
static void options_of(const struct rules_state *s, int16_t *options)
{
    options[OPTION_CRUCIBLE] = table_of(s)->crucible;
}

/* [H24] ... or the option the board. */
static const char *asset_of(const struct rules_state *s)
{
    return table_of(s)->crucible ? CRUCIBLE : NULL;
}

/* ---- views ------------------------------------------------------------ */

/* rules, What each viewer may see: the order of stacks is nowhere, removed
 * cards are nowhere, others' hidden cards are erased. */
static void redact(struct rules_state *s, int viewer)
{
    struct hacienda *h = (struct hacienda *)s;
    for (int seat = 0; seat < s->seats; seat++)
        if (seat != viewer)
            memset(h->player[seat].unknown, FIELDS_NULL_U8, CARDS);
}

static void score(const struct rules_state *s, struct rules_score *score)
{
    const struct hacienda *h = table_of(s);
    int32_t points[PARTS][HACIENDA_SEATS_MAX], money[RULES_SEATS_MAX] = {0};

    hacienda_points(h, points);
    for (int seat = 0; seat < s->seats; seat++) {
        points[PART_INTERIM][seat] = h->player[seat].interim[PART_INTERIM];
        money[seat] = h->player[seat].money;
        for (int part = 0; part < PARTS; part++)
            score->part[part][seat] = points[part][seat];
    }
    score->parts = (1u << PARTS) - 1;
    if (!h->scored)
        score->parts &= (uint16_t) ~(1u << PART_INTERIM);
    if (!h->variant1 && !h->crucible)
        score->parts &= (uint16_t) ~(1u << PART_HERDS);
    rules_sum(score, s->seats);
    if (rules_over(s))
        rules_rank(score, s->seats, money); /* most pesos; [H21] */
}

/* Everybody has one turn of three actions in a round. */
static uint32_t turn(const struct rules_state *s)
{
    return table_of(s)->round;
}

/* A turn without an action. */
static bool pass(const struct rules_state *s, int seat,
                 struct rules_move *move)
{
    const struct hacienda *h = table_of(s);

    *move = RULES_MOVE(END_TURN, RULES_NONE, RULES_NONE, RULES_NONE);
    return h->turn == seat && h->actions == 0;
}

static void default_move(const struct rules_state *s, int seat,
                         struct rules_move *move)
{
    (void)s, (void)seat;
    *move = RULES_MOVE(END_TURN, RULES_NONE, RULES_NONE, RULES_NONE);
}

/* ---- fields ------------------------------------------------------------ */

static const struct fields_as as_flag = FIELDS_AS_FLAG;
static const struct fields_as as_count = FIELDS_AS_UPTO(250);
static const struct fields_as as_secret = {.max = 250, .null = true};
static const struct fields_as as_points = FIELDS_AS_UPTO(HACIENDA_MONEY_MAX);
static const struct fields_as as_ground = {
    .max = GROUNDS - 1,
    .words = hacienda_ground_words,
};
static const struct fields_as as_tile = {
    .max = TILES - 1,
    .words = hacienda_tile_words,
};
static const struct fields_as as_seat = {
    .max = HACIENDA_SEATS_MAX - 1,
    .null = true,
};
static const struct fields_as as_water = {
    .max = HACIENDA_WATERS - 1,
    .null = true,
};
static const struct fields_as as_card = {
    .max = CARDS - 1,
    .words = hacienda_card_words,
    .null = true,
};
static const struct fields_as as_owed = {
    .max = STACKS - 1,
    .words = hacienda_stack_words,
    .null = true,
};

static void board_fields(struct fields *f, struct hacienda *h)
{
    static const struct fields_as cols = {.min = 1, .max = BOARD_CELLS_MAX};
    static const struct fields_as rows = {.min = 1, .max = BOARD_ROWS_MAX};

    fields_u16(f, "columns", &h->cols, &cols);
    fields_u16(f, "rows", &h->rows, &rows);
    if (f->malformed || !board_size_ok(h->cols, h->rows)) {
        f->malformed = true;
        return;
    }
    size_t n = (size_t)board_hexes(h->cols, h->rows);
    fields_u8s(f, "ground", h->ground, n, &as_ground);
    fields_u8s(f, "tiles", h->tile, n, &as_tile);
    fields_u8s(f, "owners", h->owner, n, &as_seat);
    fields_u8s(f, "waters", h->water, n, &as_water);
    fields_u8s(f, "haciendas", h->hacienda, n, &as_flag);
    fields_u8s(f, "chips", h->chip, n, &as_flag);
    fields_u8(f, "water_tiles", &h->water_tiles, &as_count);
    fields_u8s(f, "water_sizes", h->water_size, HACIENDA_WATERS, &as_count);
}

static void unseen(const struct rules_state *s, int arg, int32_t *values)
{
    (void)arg;
    for (int card = 0; card < CARDS; card++)
        values[card] = hacienda_unseen(table_of(s), card);
}

/* What is bought, and by which verb; both stacks cost the same. */
static const char *const cost_words[] = {"supply", "display", "hacienda",
                                         "water"};

static void costs(const struct rules_state *s, int arg, int32_t *ret)
{
    static const uint8_t verbs[] = {BUY_LAND_SUPPLY, BUY_LAND_DISPLAY,
                                    BUY_HACIENDA, BUY_WATER};
    (void)arg;
    for (size_t i = 0; i < COUNT_OF(verbs); i++)
        ret[i] = hacienda_cost(table_of(s), verbs[i]);
}

static void bank_fields(struct fields *f, struct hacienda *h)
{
    fields_open(f, "left");
    fields_u8(f, "haciendas", &h->haciendas_left, &as_count);
    fields_u8(f, "chips", &h->chips_left, &as_count);
    fields_u8s_by(f, "waters", h->waters_left, hacienda_shape_words, SHAPES,
                  &as_count);
    fields_close(f);
    fields_u8s_by(f, "supply", h->supply, hacienda_stack_words, STACKS,
                  &as_count);
    fields_u8(f, "animals_aside", &h->aside, &as_count);
    fields_u8(f, "animals_removed", &h->removed, &as_count);
    fields_u8(f, "half", &h->half, &(struct fields_as){.min = 1, .max = 2});
    fields_open(f, "display");
    for (int stack = 0; stack < STACKS; stack++)
        fields_u8s(f, hacienda_stack_words[stack], h->display[stack],
                   HACIENDA_SLOTS, &as_card);
    fields_close(f);
    fields_u8s_by(f, "discards", h->discard, hacienda_card_words, CARDS,
                  &as_count);
    fields_derived(f, "costs", &h->base, 0, cost_words, COUNT_OF(cost_words),
                   &as_count, costs);
    /* "For each card kind the number that could still be in the stacks." */
    fields_derived(f, "unseen", &h->base, 0, hacienda_card_words, CARDS,
                   &as_count, unseen);
}

/* [H23] The points a player has: with variant2 those of the position, without
 * it those of the scorings held. */
static void points_held(const struct rules_state *s, int seat, int32_t *value)
{
    const struct hacienda *h = table_of(s);
    struct rules_score now;

    if (!h->variant2 && !rules_over(s)) {
        *value = h->player[seat].interim[PART_INTERIM];
        return;
    }
    rules_score(&hacienda_rules, s, &now);
    *value = now.total[seat];
    if (!rules_over(s))
        *value -= now.part[PART_MONEY][seat];
}

static void player_fields(struct fields *f, struct hacienda *h, int seat)
{
    struct hacienda_player *p = &h->player[seat];

    fields_open(f, NULL);
    fields_i32(f, "money", &p->money, &as_points);
    fields_u8s_by(f, "known", p->known, hacienda_card_words, CARDS, &as_count);
    fields_u8s_by(f, "hidden", p->unknown, hacienda_card_words, CARDS,
                  &as_secret);
    fields_u8s_by(f, "hidden_cards", p->secrets, hacienda_stack_words, STACKS,
                  &as_count);
    fields_i32s_by(f, "interim", p->interim, hacienda_part_names, PARTS,
                   &as_points);
    fields_derived(f, "points", &h->base, seat, NULL, 1, &as_points,
                   points_held);
    fields_close(f);
}

static void course_fields(struct fields *f, struct hacienda *h)
{
    static const struct fields_as as_slot = FIELDS_AS_UPTO(HACIENDA_SLOTS);
    static const char *const due_words[] = {"nothing", "interim", "final"};
    static const struct fields_as as_due = FIELDS_AS_WORDS(due_words);
    static const struct fields_as rounds = FIELDS_AS_UPTO(HACIENDA_ROUNDS_MAX);

    fields_u8(f, "start_player", &h->start, &as_seat);
    fields_u8(f, "turn", &h->turn, &as_seat);
    fields_u8(f, "round", &h->round, &rounds);
    fields_u8(f, "actions", &h->actions, &as_count);
    fields_u8(f, "bought_hacienda", &h->bought_hacienda, &as_flag);
    fields_u8(f, "bought_water", &h->bought_water, &as_flag);
    fields_u8(f, "harvested", &h->harvested, &as_flag);
    fields_u8(f, "idle_turns", &h->idle, &as_count);
    fields_u8(f, "scoring_due", &h->due, &as_due);
    fields_u8(f, "interim_scored", &h->scored, &as_flag);
    fields_u8(f, "spare_terrains", &h->spares, &as_count);
    fields_u8s_by(f, "terrains_to_draw", h->terrains, hacienda_terrain_words,
                  LAND_CARDS - 1, &as_count);
    fields_u8(f, "draws", &h->owed, &as_owed);
    fields_u8s_by(f, "refills", h->refill, hacienda_stack_words, STACKS,
                  &as_slot);
}

static void fields(struct fields *f, struct rules_state *s)
{
    struct hacienda *h = (struct hacienda *)s;

    fields_open(f, "options");
    fields_u8(f, "variant1", &h->variant1, &as_flag);
    fields_u8(f, "variant2", &h->variant2, &as_flag);
    fields_u8(f, "crucible", &h->crucible, &as_flag);
    fields_close(f);
    /* Without a board, or with seats the game does not have, there is no way
     * through the rest. */
    if (!f->malformed && (s->seats < 2 || s->seats > HACIENDA_SEATS_MAX))
        f->malformed = true;
    if (!f->malformed)
        board_fields(f, h);
    if (f->malformed)
        return;
    bank_fields(f, h);
    fields_open_list(f, "players");
    for (int seat = 0; seat < s->seats; seat++)
        player_fields(f, h, seat);
    fields_close(f);
    course_fields(f, h);
}

/* ---- figures ------------------------------------------------------------- */

enum { FIGURE_PESOS, FIGURE_POINTS };

static const struct rules_figure figures[] = {
    [FIGURE_PESOS] = {"pesos", SAYS("pesos")},
    [FIGURE_POINTS] = {"points", SAYS("points")},
    {0},
};

static void count(const struct rules_state *s, int seat,
                  int64_t figure[RULES_FIGURES_MAX])
{
    struct rules_score points;

    rules_score(&hacienda_rules, s, &points);
    figure[FIGURE_PESOS] = table_of(s)->player[seat].money;
    figure[FIGURE_POINTS] = points.total[seat];
}

const struct rules hacienda_rules = {
    .name = "hacienda",
    .title = "Hacienda",
    .revision = 1,
    .seats_min = 2,
    .seats_max = HACIENDA_SEATS_MAX,
    .plies_max = HACIENDA_SETUP_PLIES +
                 (HACIENDA_ROUNDS_MAX * HACIENDA_SEATS_MAX + 1) *
                     HACIENDA_TURN_PLIES,
    .state_size = sizeof(struct hacienda),
    .verbs = hacienda_verbs,
    .events = hacienda_events,
    .options = hacienda_options,
    .reasons = hacienda_reasons,
    .parts = hacienda_parts,
    .says = SAYS_LISTS(hacienda_says),
    .assets = hacienda_boards,
    .asset_kind = &hacienda_board_kind,
    .setup = setup,
    .options_of = options_of,
    .asset_of = asset_of,
    .propose = hacienda_propose,
    .check = hacienda_check,
    .apply = hacienda_apply,
    .chance = hacienda_chance,
    .redact = redact,
    .redact_move = hacienda_redact_move,
    .guess = hacienda_guess,
    .default_move = default_move,
    .turn = turn,
    .pass = pass,
    .round = turn,
    .harmless = RULES_KIND(EV_BOUGHT_CARD) | RULES_KIND(EV_BOUGHT_HACIENDA) |
                RULES_KIND(EV_MARKET_PAID) | RULES_KIND(EV_TURN_ENDED) |
                RULES_KIND(EV_ROUND_BEGAN),
    .harmless_of_others = RULES_KIND(EV_DREW),
    .score = score,
    .figures = figures,
    .count = count,
    .valid = hacienda_valid,
    .derive = derive,
    .fields = fields,
};
