/* roshambo.c -- rock, paper, scissors for up to four, all at once.
 *
 * A choice is secret until the last one is in; until then whoever has chosen
 * may choose again, twice in a round at most.  A point for each player beaten;
 * the most after so many rounds wins. */

#include "core/base.h"
#include "toys.h"

enum { CHOOSE };                  /* verbs */
enum { CHOSE, HELD_OUT, PLAYED }; /* events */
enum { NO_CHANGE = RULES_GAME, SAME_HAND = RULES_GAME - 1 };
enum { SEATS = 4, CHANGES = 2, NONE = FIELDS_NULL_U8 };

struct roshambo {
    struct rules_state base;
    uint8_t changing;      /* the option: minds may be changed */
    uint8_t rounds;        /* left to play, this one included */
    uint8_t chosen[SEATS]; /* 1: has chosen in this round */
    uint8_t hand[SEATS];   /* what, or NONE; NONE where it is hidden */
    uint8_t changed[SEATS];
    uint8_t points[SEATS];
};

/* ---- words ------------------------------------------------------------ */

static const char *const hands[] = {"rock", "paper", "scissors", NULL};
static const struct rules_kind hand_kind = {
    .name = "hand",
    .form = RULES_WORD,
    .words = hands,
};
static const struct rules_word verbs[] = {
    [CHOOSE] = {"choose",
                {{"hand", &hand_kind, false}},
                false,
                "Choose in secret, or change your mind."},
    {0},
};
static const struct rules_word events[] = {
    [CHOSE] = {"chose", {{0}}, false, "A player has chosen."},
    [HELD_OUT] = {"held_out",
                  {{"hand", &hand_kind, false}},
                  false,
                  "You have chosen."},
    [PLAYED] = {"played",
                {{"hand", &hand_kind, false}},
                false,
                "A choice was revealed."},
    {0},
};
static const struct rules_option options[] = {
    {"rounds", 1, 3, 2, NULL, false, "How many rounds."},
    {"changing", 0, 1, 1, NULL, true, "Whether minds may be changed."},
    {0},
};
static const struct rules_reason reasons[] = {
    {"no_change", "You have changed your mind often enough."},
    {"same_hand", "That is what you chose."},
    {0},
};
static const struct rules_part parts[] = {{"beaten", "Players beaten"}, {0}};

/* ---- rules ------------------------------------------------------------ */

static uint16_t everyone(const struct rules_state *s)
{
    return (uint16_t)(RULES_BIT(s->seats) - 1);
}

static void start_round(struct roshambo *r)
{
    memset(r->chosen, 0, sizeof(r->chosen));
    memset(r->changed, 0, sizeof(r->changed));
    memset(r->hand, NONE, sizeof(r->hand));
    r->base.acting = r->rounds > 0 ? everyone(&r->base) : 0;
    r->base.may = 0;
}

static int setup(struct rules_state *s, const struct rules_setup *chosen,
                 const int16_t *option, struct rules_problem *why)
{
    struct roshambo *r = (struct roshambo *)s;
    (void)chosen, (void)why;
    r->rounds = (uint8_t)(option[0] == RULES_NONE ? 2 : option[0]);
    r->changing = option[1] != 0;
    start_round(r);
    return RULES_OK;
}

static int check(const struct rules_state *s, int seat,
                 const struct rules_move *move)
{
    const struct roshambo *r = (const struct roshambo *)s;
    if (!r->chosen[seat])
        return RULES_OK;
    if (r->changed[seat] == CHANGES)
        return NO_CHANGE;
    return r->hand[seat] != NONE && r->hand[seat] == move->arg[0] ? SAME_HAND
                                                                  : RULES_OK;
}

static void propose(const struct rules_state *s, int seat,
                    struct rules_list *list)
{
    (void)s, (void)seat;
    for (int hand = 0; hand < 3; hand++)
        rules_offer(list, &RULES_MOVE(CHOOSE, hand, RULES_NONE, RULES_NONE));
}

static void resolve(struct roshambo *r, struct rules_events *out)
{
    int seats = r->base.seats;

    for (int a = 0; a < seats; a++) {
        rules_emit(out, PLAYED, a, RULES_EVERYONE, r->hand[a], RULES_NONE,
                   RULES_NONE);
        for (int b = 0; b < seats; b++)
            r->points[a] = (uint8_t)(r->points[a] +
                                     (r->hand[a] == (r->hand[b] + 1) % 3));
    }
    out->flags |= RULES_REVEALED;
    r->rounds--;
    start_round(r);
    for (int seat = 0; seat < seats; seat++)
        if (rules_can_move(&r->base, seat))
            rules_ask(&r->base, seat);
}

/* Whether this choice of SEAT ends the round, and a hand is not known. */
static bool blind(const struct roshambo *r, int seat, int16_t hand)
{
    if (r->base.acting != RULES_BIT(seat))
        return false;
    for (int i = 0; i < r->base.seats; i++)
        if (i == seat ? hand == RULES_HIDDEN : r->hand[i] == NONE)
            return true;
    return false;
}

static int apply(struct rules_state *s, int seat,
                 const struct rules_move *move, struct rules_events *out)
{
    struct roshambo *r = (struct roshambo *)s;
    int16_t hand = move->arg[0];

    if (blind(r, seat, hand))
        return RULES_UNSEEN;
    r->changed[seat] = (uint8_t)(r->changed[seat] + r->chosen[seat]);
    r->chosen[seat] = 1;
    r->hand[seat] = hand == RULES_HIDDEN ? NONE : (uint8_t)hand;
    s->acting &= RULES_BUT(seat);
    if (r->changing && r->changed[seat] < CHANGES)
        s->may |= RULES_BIT(seat);
    else
        s->may &= RULES_BUT(seat);
    rules_emit(out, CHOSE, seat, RULES_BUT(seat), RULES_NONE, RULES_NONE,
               RULES_NONE);
    rules_emit(out, HELD_OUT, seat, RULES_BIT(seat), hand, RULES_NONE,
               RULES_NONE);
    if (s->acting == 0)
        resolve(r, out);
    else
        out->flags |= RULES_INDEPENDENT;
    return RULES_OK;
}

static void redact(struct rules_state *s, int viewer)
{
    struct roshambo *r = (struct roshambo *)s;
    for (int seat = 0; seat < s->seats; seat++)
        if (seat != viewer)
            r->hand[seat] = NONE;
}

static void redact_move(const struct rules_state *s, int seat, int viewer,
                        struct rules_move *move)
{
    (void)s, (void)seat, (void)viewer;
    move->arg[0] = RULES_HIDDEN;
}

static void guess(struct rules_state *s, int viewer, struct rng *rng)
{
    struct roshambo *r = (struct roshambo *)s;
    for (int seat = 0; seat < s->seats; seat++)
        if (seat != viewer && r->chosen[seat])
            r->hand[seat] = (uint8_t)rng_below(rng, 3);
}

static void score(const struct rules_state *s, struct rules_score *score)
{
    const struct roshambo *r = (const struct roshambo *)s;
    score->parts = 1;
    for (int seat = 0; seat < s->seats; seat++)
        score->part[0][seat] = r->points[seat];
    rules_sum(score, s->seats);
    if (rules_over(s))
        rules_rank(score, s->seats, NULL);
}

static bool seat_valid(const struct roshambo *r, int seat)
{
    const struct rules_state *s = &r->base;
    bool open = s->viewer == RULES_ALL || s->viewer == seat;
    bool plays = seat < s->seats && r->rounds > 0;
    bool waits = (s->acting & RULES_BIT(seat)) != 0;
    bool may = (s->may & RULES_BIT(seat)) != 0;

    if ((r->hand[seat] != NONE) != (r->chosen[seat] && open))
        return false;
    if (r->changed[seat] > 0 && !(r->chosen[seat] && r->changing))
        return false;
    return waits == (plays && !r->chosen[seat]) &&
           may == (plays && r->chosen[seat] && r->changing &&
                   r->changed[seat] < CHANGES);
}

static bool valid(const struct rules_state *s)
{
    const struct roshambo *r = (const struct roshambo *)s;
    for (int seat = 0; seat < SEATS; seat++) {
        if (!seat_valid(r, seat))
            return false;
        if (seat >= s->seats && (r->chosen[seat] || r->points[seat]))
            return false;
    }
    return rules_over(s) == (r->rounds == 0);
}

static void fields(struct fields *f, struct rules_state *s)
{
    static const struct fields_as flag = FIELDS_AS_FLAG;
    static const struct fields_as hand = {
        .max = 2,
        .words = hands,
        .null = true,
    };
    static const struct fields_as few = FIELDS_AS_UPTO(3);
    static const struct fields_as points = FIELDS_AS_UPTO(3 * SEATS);
    struct roshambo *r = (struct roshambo *)s;

    fields_u8(f, "changing", &r->changing, &flag);
    fields_u8(f, "rounds", &r->rounds, &few);
    fields_open_list(f, "players");
    for (int seat = 0; seat < SEATS; seat++) {
        fields_open(f, NULL);
        fields_u8(f, "chosen", &r->chosen[seat], &flag);
        fields_u8(f, "hand", &r->hand[seat], &hand);
        fields_u8(f, "changed", &r->changed[seat], &few);
        fields_u8(f, "points", &r->points[seat], &points);
        fields_close(f);
    }
    fields_close(f);
}

const struct rules roshambo_rules = {
    .name = "roshambo",
    .title = "Rock, paper, scissors",
    .revision = 1,
    .seats_min = 2,
    .seats_max = SEATS,
    .plies_max = 3 * SEATS * (1 + CHANGES),
    .state_size = sizeof(struct roshambo),
    .verbs = verbs,
    .events = events,
    .options = options,
    .reasons = reasons,
    .parts = parts,
    .setup = setup,
    .propose = propose,
    .check = check,
    .apply = apply,
    .redact = redact,
    .redact_move = redact_move,
    .guess = guess,
    .score = score,
    .valid = valid,
    .fields = fields,
};
