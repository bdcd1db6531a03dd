/* greement.c -- a table of Greement: how it is set up, what its fields are,
 * what is played for who is away.  See parts.h for the rest. */

#include "parts.h"

/* ---- setup ------------------------------------------------------------ */

static int setup(struct rules_state *s, const struct rules_setup *chosen,
                 const int16_t *options, struct rules_problem *why)
{
    struct greement *g = (struct greement *)s;

    (void)chosen, (void)why;
    g->turns = (uint8_t)(options[OPTION_TURNS] == RULES_NONE
                             ? greement_options[OPTION_TURNS].default_value
                             : options[OPTION_TURNS]);
    g->full_tax = options[OPTION_TAX] == 1;
    g->loans = options[OPTION_LOANS] == 1;
    g->phase = PHASE_START;
    g->start = g->turn = g->picked = g->pending = GREEMENT_NOBODY;
    memcpy(g->value, greement_start_values, sizeof(g->value));
    memset(g->square, SQUARE_FACE_DOWN, sizeof(g->square));
    memset(g->owner, GREEMENT_NOBODY, sizeof(g->owner));
    memset(g->decider, GREEMENT_NOBODY, sizeof(g->decider));
    memset(g->event, GREEMENT_NOBODY, sizeof(g->event));
    for (int seat = 0; seat < s->seats; seat++)
        g->player[seat].vote = GREEMENT_NOBODY;
    for (int card = 0; card < CARDS; card++)
        g->deck[card] = (uint8_t)greement_cards(card);
    greement_pass_on(g);
    return RULES_OK;
}

/* ---- score ------------------------------------------------------------ */

static void score(const struct rules_state *s, struct rules_score *score)
{
    const struct greement *g = table_of(s);
    int32_t money[RULES_SEATS_MAX] = {0}, parts[PARTS];

    score->parts = (1u << PARTS) - 1;
    if (!g->loans)
        score->parts &= (uint16_t) ~(1u << PART_DEBT);
    for (int seat = 0; seat < s->seats; seat++) {
        greement_wealth(g, seat, parts);
        for (int part = 0; part < PARTS; part++)
            score->part[part][seat] = parts[part];
        money[seat] = g->player[seat].money;
    }
    rules_sum(score, s->seats);
    if (rules_over(s))
        rules_rank(score, s->seats, money);
}

/* ---- defaults ---------------------------------------------------------- */

static struct rules_move first_pick(const struct greement *g, int seat)
{
    int square = 0;
    while (g->square[square] != SQUARE_FACE_DOWN ||
           greement_next_to_start(g, seat, square))
        square++;
    return RULES_MOVE(PICK, square, RULES_NONE, RULES_NONE);
}

static struct rules_move use_pending(const struct greement *g, int seat)
{
    switch (g->pending) {
    case CARD_RAISE:
        return RULES_MOVE(RAISE, ACTION_CARD_PRICE, RULES_NONE, RULES_NONE);
    case CARD_LOWER:
        return RULES_MOVE(LOWER, ACTION_CARD_PRICE, RULES_NONE, RULES_NONE);
    case CARD_COLLECT:
        return RULES_MOVE(COLLECT, (seat + 1) % g->base.seats, RULES_NONE,
                          RULES_NONE);
    default: return RULES_MOVE(DONE, RULES_NONE, RULES_NONE, RULES_NONE);
    }
}

/* The smallest gift to the first who can be given one, where nothing milder
 * is left: such a seat is not waited for. */
static struct rules_move least_payment(const struct greement *g, int seat)
{
    struct rules_move move = RULES_MOVE(PAY, 0, 1, RULES_NONE);

    for (int to = 0; to < g->base.seats; to++) {
        move.arg[0] = (int16_t)to;
        if (greement_check(&g->base, seat, &move) == RULES_OK)
            break;
    }
    return move;
}

/* Each square that is picked is a turn, and then, in a round, what everybody
 * does and is asked to until the event phase, and each of its events. */
static uint32_t turn(const struct rules_state *s)
{
    const struct greement *g = table_of(s);
    uint32_t picked = 0;

    if (g->phase > PHASE_PICK)
        return 1000u + g->round * (GREEMENT_EVENTS + 1u) + g->events;
    for (int i = 0; i < GREEMENT_SQUARES; i++)
        picked += g->owner[i] != GREEMENT_NOBODY ? 1 : 0;
    return picked;
}

/* A turn in which nothing is done; offers, votes and payments are answered. */
static bool pass(const struct rules_state *s, int seat,
                 struct rules_move *move)
{
    const struct greement *g = table_of(s);

    *move = RULES_MOVE(END_TURN, RULES_NONE, RULES_NONE, RULES_NONE);
    return g->phase == PHASE_TURN && g->turn == seat &&
           g->pending == GREEMENT_NOBODY;
}

static uint32_t round_of(const struct rules_state *s)
{
    return table_of(s)->phase > PHASE_REVEAL ? table_of(s)->round + 1u : 0;
}

/* rules, Undo and defaults; an offer is declined. */
static void default_move(const struct rules_state *s, int seat,
                         struct rules_move *move)
{
    const struct greement *g = table_of(s);

    *move = RULES_MOVE(g->phase == PHASE_VOTE ? VOTE : DONE,
                       g->phase == PHASE_VOTE ? 0 : RULES_NONE, RULES_NONE,
                       RULES_NONE);
    if (g->phase == PHASE_PICK) {
        *move = first_pick(g, seat);
    } else if (g->phase == PHASE_TURN && seat != g->turn) {
        for (int i = g->offers - 1; i >= 0; i--)
            if (g->offer[i].with == seat)
                *move = RULES_MOVE(DECLINE, g->offer[i].number, RULES_NONE,
                                   RULES_NONE);
    } else if (g->phase == PHASE_TURN) {
        *move = g->pending == GREEMENT_NOBODY
                    ? RULES_MOVE(END_TURN, RULES_NONE, RULES_NONE, RULES_NONE)
                    : use_pending(g, seat);
    } else if (greement_check(s, seat, move) != RULES_OK) {
        *move = least_payment(g, seat);
    }
    if (greement_check(s, seat, move) != RULES_OK) /* done, and cannot pay */
        *move = RULES_MOVE(CONTRIBUTE, 1, RULES_NONE, RULES_NONE);
}

/* ---- what follows from the fields --------------------------------------- */

static bool is_up(const struct greement *g, int square)
{
    return g->square[square] != SQUARE_FACE_DOWN;
}

static int32_t cut(int64_t amount, int32_t most)
{
    return amount < most ? (int32_t)amount : most;
}

/* rules, What each viewer may see: of a row of squares, what each earns ... */
static void profits(const struct rules_state *s, int row, int32_t *values)
{
    const struct greement *g = table_of(s);
    for (int i = 0; i < GREEMENT_SIDE; i++) {
        int at = row * GREEMENT_SIDE + i;
        values[i] = is_up(g, at) && can_be_owned(g->square[at])
                        ? cut(greement_profit(g, at), GREEMENT_MONEY_MAX)
                        : FIELDS_NULL_I32;
    }
}

/* ... what each is worth ... */
static void worths(const struct rules_state *s, int row, int32_t *values)
{
    const struct greement *g = table_of(s);
    for (int i = 0; i < GREEMENT_SIDE; i++) {
        int at = row * GREEMENT_SIDE + i;
        values[i] = is_up(g, at) && can_be_owned(g->square[at])
                        ? cut(greement_worth(g, at), GREEMENT_WEALTH_MAX)
                        : FIELDS_NULL_I32;
    }
}

/* ... and what it costs the player in turn, with the tax. */
static void prices(const struct rules_state *s, int row, int32_t *values)
{
    const struct greement *g = table_of(s);

    if (g->phase == PHASE_TURN) {
        greement_prices(g, g->turn, row, values);
        return;
    }
    for (int i = 0; i < GREEMENT_SIDE; i++)
        values[i] = FIELDS_NULL_I32;
}

/* The tax on a payment to each seat; none to oneself. */
static void pay_taxes(const struct rules_state *s, int seat, int32_t *values)
{
    greement_pay_taxes(table_of(s), seat, values);
    values[seat] = FIELDS_NULL_I32;
}

static void wealth(const struct rules_state *s, int seat, int32_t *value)
{
    int32_t parts[PARTS];
    *value = greement_wealth(table_of(s), seat, parts);
}

static void face_down(const struct rules_state *s, int unused, int32_t *values)
{
    (void)unused;
    for (int ground = 0; ground < GROUNDS; ground++)
        values[ground] = greement_face_down(table_of(s), ground);
}

static void event_deck(const struct rules_state *s, int unused,
                       int32_t *values)
{
    (void)unused;
    for (int event = 0; event < EVENTS; event++)
        values[event] = greement_events_left(table_of(s), event);
}

static void missing(const struct rules_state *s, int unused, int32_t *value)
{
    const struct greement *g = table_of(s);
    (void)unused;
    *value = g->phase == PHASE_PAY ? greement_missing(g) : FIELDS_NULL_I32;
}

/* ---- fields ------------------------------------------------------------ */

static const struct fields_as as_flag = FIELDS_AS_FLAG;
static const struct fields_as as_few = FIELDS_AS_UPTO(100);
static const struct fields_as as_money = FIELDS_AS_UPTO(GREEMENT_MONEY_MAX);
static const struct fields_as as_value = {.min = 1, .max = GREEMENT_VALUE_MAX};
static const struct fields_as as_seat = FIELDS_AS_UPTO(GREEMENT_SEATS_MAX - 1);
static const struct fields_as as_some_seat = {
    .max = GREEMENT_SEATS_MAX - 1,
    .null = true,
};
static const struct fields_as as_square = {
    .max = GREEMENT_SQUARES - 1,
    .words = greement_square_names,
};
static const struct fields_as as_some_square = {
    .max = GREEMENT_SQUARES - 1,
    .words = greement_square_names,
    .null = true,
};
static const struct fields_as as_state = {
    .max = SQUARE_KINDS - 1,
    .words = greement_square_words,
    .null = true,
};
static const struct fields_as as_some_card = {
    .max = CARDS - 1,
    .words = greement_card_words,
    .null = true,
};
static const struct fields_as as_event = {
    .max = EVENTS - 1,
    .words = greement_event_words,
};
static const struct fields_as as_vote = {
    .max = 1,
    .flag = true,
    .null = true,
};
static const struct fields_as as_some_money = {
    .max = GREEMENT_MONEY_MAX,
    .null = true,
};
static const struct fields_as as_wealth = {
    .min = -GREEMENT_WEALTH_MAX,
    .max = GREEMENT_WEALTH_MAX,
    .null = true,
};

/* The grid is told as ten rows of ten squares. */
static void row_fields(struct fields *f, const char *name, uint8_t *v,
                       const struct fields_as *as)
{
    fields_open_list(f, name);
    for (int row = 0; row < GREEMENT_SIDE; row++)
        fields_u8s(f, NULL, v + row * GREEMENT_SIDE, GREEMENT_SIDE, as);
    fields_close(f);
}

static void row_derived(struct fields *f, const char *name,
                        const struct greement *g, const struct fields_as *as,
                        fields_derive_cb of)
{
    fields_open_list(f, name);
    for (int row = 0; row < GREEMENT_SIDE; row++)
        fields_derived(f, NULL, &g->base, row, NULL, GREEMENT_SIDE, as, of);
    fields_close(f);
}

static void grid_fields(struct fields *f, struct greement *g)
{
    row_fields(f, "squares", g->square, &as_state);
    row_fields(f, "owners", g->owner, &as_some_seat);
    row_fields(f, "treated", g->treated, &as_flag);
    row_derived(f, "profits", g, &as_some_money, profits);
    row_derived(f, "worths", g, &as_wealth, worths);
    row_derived(f, "prices", g, &as_some_money, prices);
    fields_u8(f, "picked", &g->picked, &as_some_square);
    fields_derived(f, "face_down", &g->base, 0, greement_ground_words, GROUNDS,
                   &as_few, face_down);
}

static void player_fields(struct fields *f, struct greement *g, int seat)
{
    static const struct fields_as few = FIELDS_AS_UPTO(50);
    struct greement_player *p = &g->player[seat];

    fields_open(f, NULL);
    fields_i32(f, "money", &p->money, &as_money);
    fields_i32(f, "debt", &p->debt, &as_money);
    fields_u8(f, "vote", &p->vote, &as_vote);
    fields_u8(f, "done", &p->done, &as_flag);
    fields_u8(f, "contribution", &p->contribution, &few);
    fields_u8(f, "acts", &p->acts, &few);
    fields_derived(f, "wealth", &g->base, seat, NULL, 1, &as_wealth, wealth);
    fields_derived(f, "pay_tax", &g->base, seat, NULL, g->base.seats,
                   &as_some_money, pay_taxes);
    fields_close(f);
}

static void turn_fields(struct fields *f, struct greement *g)
{
    static const struct fields_as number = {.min = 1, .max = GREEMENT_LIMIT};
    static const struct fields_as kind = {
        .max = KIND_BUY,
        .words = greement_kind_words,
    };
    static const struct fields_as side = {
        .max = SIDE_SELLER,
        .words = greement_side_words,
    };
    static const struct fields_as price = FIELDS_AS_UPTO(GREEMENT_AMOUNT_MAX);

    fields_u8s_by(f, "action_deck", g->deck, greement_card_words, CARDS,
                  &as_few);
    fields_u8(f, "drawing", &g->drawing, &as_flag);
    fields_u8(f, "pending_card", &g->pending, &as_some_card);
    fields_u8(f, "stolen", &g->stolen, &as_few);
    fields_u8(f, "offers_made", &g->offers_made, &as_few);
    fields_u8(f, "payments", &g->payments, &as_few);
    size_t n = fields_open_varied(f, "offers", &g->offers, GREEMENT_OFFERS);
    for (size_t i = 0; i < n; i++) {
        struct greement_offer *o = &g->offer[i];
        fields_open(f, NULL);
        fields_u8(f, "offer", &o->number, &number);
        fields_u8(f, "kind", &o->kind, &kind);
        fields_u8(f, "with", &o->with, &as_seat);
        fields_u8(f, "square", &o->square, &as_square);
        fields_u16(f, "price", &o->price, &price);
        fields_u8(f, "tax_by", &o->tax_by, &side);
        fields_close(f);
    }
    fields_close(f);
}

static void event_fields(struct fields *f, struct greement *g)
{
    size_t n = fields_open_varied(f, "deciders", &g->deciders,
                                  GREEMENT_DECIDERS);
    for (size_t i = 0; i < n; i++)
        fields_u8(f, NULL, &g->decider[i], &as_seat);
    fields_close(f);
    n = fields_open_varied(f, "events", &g->events, GREEMENT_EVENTS);
    for (size_t i = 0; i < n; i++)
        fields_u8(f, NULL, &g->event[i], &as_event);
    fields_close(f);
    fields_derived(f, "missing", &g->base, 0, NULL, 1, &as_some_money,
                   missing);
    fields_derived(f, "event_deck", &g->base, 0, greement_event_words, EVENTS,
                   &as_few, event_deck);
}

static void course_fields(struct fields *f, struct greement *g)
{
    static const struct fields_as turns = {
        .min = 1,
        .max = GREEMENT_TURNS_MAX,
    };
    static const struct fields_as tax = {
        .max = 1,
        .words = greement_tax_words,
    };
    static const struct fields_as phase = {
        .max = PHASES - 1,
        .words = greement_phase_words,
    };

    fields_open(f, "options");
    fields_u8(f, "turns", &g->turns, &turns);
    fields_u8(f, "tax_distance", &g->full_tax, &tax);
    fields_u8(f, "loans", &g->loans, &as_flag);
    fields_close(f);
    fields_u8(f, "phase", &g->phase, &phase);
    fields_u8(f, "start_player", &g->start, &as_some_seat);
    fields_u8(f, "turn", &g->turn, &as_some_seat);
    fields_u8(f, "turn_count", &g->round, &as_few);
    fields_i32s_by(f, "values", g->value, greement_value_words, VALUES,
                   &as_value);
}

static void fields(struct fields *f, struct rules_state *s)
{
    struct greement *g = (struct greement *)s;

    course_fields(f, g);
    grid_fields(f, g);
    fields_open_list(f, "players");
    for (int seat = 0; seat < s->seats; seat++)
        player_fields(f, g, seat);
    fields_close(f);
    turn_fields(f, g);
    event_fields(f, g);
}

/* What is read leaves what is not there empty, as play does. */
static void derive(struct rules_state *s)
{
    struct greement *g = (struct greement *)s;

    for (int i = g->deciders; i < GREEMENT_DECIDERS; i++)
        g->decider[i] = GREEMENT_NOBODY;
    for (int i = g->events; i < GREEMENT_EVENTS; i++)
        g->event[i] = GREEMENT_NOBODY;
}

/* ---- figures ------------------------------------------------------------- */

enum { FIGURE_MONEY, FIGURE_PROFIT, FIGURE_WEALTH };

static const struct rules_figure figures[] = {
    [FIGURE_MONEY] = {"money", SAYS("money")},
    [FIGURE_PROFIT] = {"profit", SAYS("profit a turn")},
    [FIGURE_WEALTH] = {"wealth", SAYS("wealth")},
    {0},
};

int64_t greement_income(const struct greement *g, int seat)
{
    int64_t sum = 0;

    for (int square = 0; square < GREEMENT_SQUARES; square++)
        if (g->owner[square] == seat)
            sum += greement_profit(g, square);
    return sum;
}

static void count(const struct rules_state *s, int seat,
                  int64_t figure[RULES_FIGURES_MAX])
{
    const struct greement *g = table_of(s);
    int32_t parts[PARTS];

    figure[FIGURE_MONEY] = g->player[seat].money;
    figure[FIGURE_PROFIT] = greement_income(g, seat);
    figure[FIGURE_WEALTH] = greement_wealth(g, seat, parts);
}

const struct rules greement_rules = {
    .name = "greement",
    .title = "Greement",
    .revision = 1,
    .seats_min = 2,
    .seats_max = GREEMENT_SEATS_MAX,
    .plies_max = GREEMENT_SETUP_PLIES +
                 (GREEMENT_TURNS_MAX + 1) * GREEMENT_ROUND_PLIES,
    .state_size = sizeof(struct greement),
    .verbs = greement_verbs,
    .events = greement_events,
    .options = greement_options,
    .reasons = greement_reasons,
    .parts = greement_parts,
    .glossary = greement_glossary,
    .says = SAYS_LISTS(greement_says),
    .setup = setup,
    .propose = greement_propose,
    .check = greement_check,
    .apply = greement_apply,
    .chance = greement_chance,
    .default_move = default_move,
    .turn = turn,
    .pass = pass,
    .round = round_of,
    .harmless = RULES_KIND(EV_TURN_BEGAN) | RULES_KIND(EV_PROFIT) |
                RULES_KIND(EV_DECLINED) | RULES_KIND(EV_WITHDREW) |
                RULES_KIND(EV_LAPSED) | RULES_KIND(EV_BORROWED) |
                RULES_KIND(EV_REPAID) | RULES_KIND(EV_DEBT) |
                RULES_KIND(EV_TURN_ENDED),
    .score = score,
    .figures = figures,
    .count = count,
    .valid = greement_valid,
    .derive = derive,
    .fields = fields,
};
