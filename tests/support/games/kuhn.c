/* kuhn.c -- Kuhn poker for two to four: a card each, one bet.
 *
 * With as many ranks as players and one more.  Everyone stakes a chip and is
 * dealt a card.  In turn they pass or bet a second chip; after a bet each of
 * the others, once, calls it (bet) or folds (pass).  The highest card of
 * those left takes the pot; who is left alone need not show theirs.  With the
 * option `showing` a player may show their card before they decide. */

#include "core/base.h"
#include "toys.h"

enum { PASS, BET, SHOW, DEAL };                   /* verbs */
enum { DEALT, HELD, PASSED, BETTED, SHOWN, WON }; /* events */
enum {
    NOT_YOUR_CARD = RULES_GAME,
    CARD_GONE = RULES_GAME - 1,
    NO_SHOWING = RULES_GAME - 2,
    WRONG_SEAT = RULES_GAME - 3
};
enum { SEATS = 4, RANKS = SEATS + 1, NONE = FIELDS_NULL_U8 };

struct kuhn {
    struct rules_state base;
    uint8_t showing;      /* the option */
    uint8_t left;         /* deals after this one */
    uint8_t dealt;        /* so many seats, from 0 on, have a card */
    uint8_t card[SEATS];  /* NONE if not dealt, or not for this viewer */
    uint8_t shown[SEATS]; /* 1: everybody knows it */
    uint8_t folded[SEATS];
    uint8_t bettor; /* NONE until somebody bets */
    uint8_t staked[SEATS];
    int32_t chips[SEATS]; /* won and lost; stakes are taken off */
};

/* ---- words ------------------------------------------------------------ */

static const char *const ranks[] = {
    "jack", "queen", "king", "ace", "joker", NULL,
};
static const struct rules_kind card_kind = {
    .name = "card",
    .form = RULES_WORD,
    .words = ranks,
};
static const struct rules_kind seat_kind = {
    .name = "seat",
    .form = RULES_SEAT,
};
static const struct rules_kind chips_kind = {
    .name = "chips",
    .form = RULES_NUMBER,
    .max = 2 * SEATS,
};
static const struct rules_word verbs[] = {
    [PASS] = {"pass", {{0}}, false, "Do not bet, or fold."},
    [BET] = {"bet", {{0}}, false, "Bet a chip, or call."},
    [SHOW] = {"show", {{"card", &card_kind, false}}, false, "Show your card."},
    [DEAL] = {"deal",
              {{"seat", &seat_kind, false}, {"card", &card_kind, false}},
              true,
              "A card is dealt."},
    {0},
};
static const struct rules_word events[] = {
    [DEALT] = {"dealt", {{0}}, false, "Somebody was dealt a card."},
    [HELD] = {"held",
              {{"card", &card_kind, false}},
              false,
              "You were dealt a card."},
    [PASSED] = {"passed", {{0}}, false, "A player passed."},
    [BETTED] = {"betted", {{0}}, false, "A player bet."},
    [SHOWN] = {"shown",
               {{"card", &card_kind, false}},
               false,
               "A card was shown."},
    [WON] = {"won",
             {{"chips", &chips_kind, false}},
             false,
             "A player took the pot."},
    {0},
};
static const struct rules_option options[] = {
    {"deals", 1, 3, 2, NULL, false, "How many times to deal."},
    {"showing", 0, 1, 1, NULL, true, "Whether cards may be shown."},
    {0},
};
static const struct rules_reason reasons[] = {
    {"not_your_card", "That is not your card."},
    {"card_gone", "That card has been dealt."},
    {"no_showing", "You cannot show your card, or have."},
    {"wrong_seat", "That seat is not next."},
    {0},
};
static const struct rules_part parts[] = {{"chips", "Chips"}, {0}};

/* ---- rules ------------------------------------------------------------ */

static void take_cards_in(struct kuhn *k)
{
    k->dealt = 0;
    k->bettor = NONE;
    memset(k->card, NONE, sizeof(k->card));
    memset(k->shown, 0, sizeof(k->shown));
    memset(k->folded, 0, sizeof(k->folded));
}

static void start_deal(struct kuhn *k)
{
    take_cards_in(k);
    for (int seat = 0; seat < k->base.seats; seat++) {
        k->staked[seat] = 1;
        k->chips[seat]--;
    }
    k->base.acting = RULES_BIT(RULES_NATURE);
}

static int setup(struct rules_state *s, const struct rules_setup *chosen,
                 const int16_t *option, struct rules_problem *why)
{
    struct kuhn *k = (struct kuhn *)s;
    (void)chosen, (void)why;
    k->left = (uint8_t)((option[0] == RULES_NONE ? 2 : option[0]) - 1);
    k->showing = option[1] != 0;
    start_deal(k);
    return RULES_OK;
}

/* Whether CARD is in a hand, as far as the viewer can see. */
static bool seen(const struct kuhn *k, int card)
{
    for (int seat = 0; seat < k->dealt; seat++)
        if (k->card[seat] == card)
            return true;
    return false;
}

static int check(const struct rules_state *s, int seat,
                 const struct rules_move *move)
{
    const struct kuhn *k = (const struct kuhn *)s;
    if (move->verb == DEAL) {
        if (move->arg[0] != k->dealt)
            return WRONG_SEAT;
        if (move->arg[1] > s->seats || seen(k, move->arg[1]))
            return CARD_GONE;
    }
    if (move->verb == SHOW) {
        if (!k->showing || k->shown[seat])
            return NO_SHOWING;
        if (k->card[seat] != NONE && k->card[seat] != move->arg[0])
            return NOT_YOUR_CARD;
    }
    return RULES_OK;
}

static void propose(const struct rules_state *s, int seat,
                    struct rules_list *list)
{
    const struct kuhn *k = (const struct kuhn *)s;
    if (seat != RULES_NATURE) {
        rules_offer(list,
                    &RULES_MOVE(PASS, RULES_NONE, RULES_NONE, RULES_NONE));
        rules_offer(list,
                    &RULES_MOVE(BET, RULES_NONE, RULES_NONE, RULES_NONE));
    }
    for (int card = 0; card < RANKS; card++) {
        if (seat == RULES_NATURE)
            rules_offer(list, &RULES_MOVE(DEAL, k->dealt, card, RULES_NONE));
        else
            rules_offer(list, &RULES_MOVE(SHOW, card, RULES_NONE, RULES_NONE));
    }
}

static void chance(const struct rules_state *s, struct rng *rng,
                   struct rules_move *move)
{
    const struct kuhn *k = (const struct kuhn *)s;
    int card;
    do {
        card = (int)rng_below(rng, (uint32_t)s->seats + 1);
    } while (seen(k, card));
    *move = RULES_MOVE(DEAL, k->dealt, card, RULES_NONE);
}

static void say(struct rules_events *out, int kind, int seat, uint16_t seen_by,
                int a)
{
    rules_emit(out, kind, seat, seen_by, a, RULES_NONE, RULES_NONE);
}

static void deal(struct kuhn *k, const struct rules_move *move,
                 struct rules_events *out)
{
    int to = move->arg[0];
    k->card[to] = move->arg[1] == RULES_HIDDEN ? NONE : (uint8_t)move->arg[1];
    k->dealt++;
    say(out, DEALT, to, RULES_BUT(to), RULES_NONE);
    say(out, HELD, to, RULES_BIT(to), move->arg[1]);
    if (k->dealt == k->base.seats)
        k->base.acting = RULES_BIT(0);
}

static int left_in(const struct kuhn *k)
{
    int n = 0;
    for (int seat = 0; seat < k->base.seats; seat++)
        n += !k->folded[seat];
    return n;
}

/* The seat to decide after SEAT, or -1 when all have. */
static int decides_next(const struct kuhn *k, int seat)
{
    int next = (seat + 1) % k->base.seats;
    int last = k->bettor == NONE ? 0 : k->bettor;
    return next == last ? -1 : next;
}

/* Whether the viewer of K can tell who wins when SEAT has decided by VERB. */
static bool can_tell(const struct kuhn *k, int seat, int verb)
{
    struct kuhn after = *k;
    after.folded[seat] = verb == PASS && k->bettor != NONE;
    if (verb == BET && k->bettor == NONE)
        return true;
    if (decides_next(k, seat) >= 0 || left_in(&after) == 1)
        return true;
    for (int i = 0; i < k->base.seats; i++)
        if (!after.folded[i] && k->card[i] == NONE)
            return false;
    return true;
}

static void finish(struct kuhn *k, struct rules_events *out)
{
    bool showdown = left_in(k) > 1;
    int winner = -1, pot = 0;

    for (int seat = 0; seat < k->base.seats; seat++) {
        pot += k->staked[seat];
        k->staked[seat] = 0;
        if (k->folded[seat])
            continue;
        if (showdown)
            say(out, SHOWN, seat, RULES_EVERYONE, k->card[seat]);
        if (winner < 0 || k->card[seat] > k->card[winner])
            winner = seat;
    }
    if (showdown)
        out->flags |= RULES_REVEALED;
    k->chips[winner] += pot;
    say(out, WON, winner, RULES_EVERYONE, pot);
    if (k->left == 0) {
        k->base.acting = 0;
        take_cards_in(k);
        return;
    }
    k->left--;
    start_deal(k);
}

static void show(struct kuhn *k, int seat, int card, struct rules_events *out)
{
    k->card[seat] = (uint8_t)card;
    k->shown[seat] = 1;
    out->flags |= RULES_REVEALED;
    say(out, SHOWN, seat, RULES_EVERYONE, card);
}

static int apply(struct rules_state *s, int seat,
                 const struct rules_move *move, struct rules_events *out)
{
    struct kuhn *k = (struct kuhn *)s;

    if (move->verb == DEAL) {
        deal(k, move, out);
        return RULES_OK;
    }
    if (move->verb == SHOW) {
        show(k, seat, move->arg[0], out);
        return RULES_OK;
    }
    if (!can_tell(k, seat, move->verb))
        return RULES_UNSEEN;
    say(out, move->verb == BET ? BETTED : PASSED, seat, RULES_EVERYONE,
        RULES_NONE);
    if (move->verb == BET) {
        k->staked[seat]++;
        k->chips[seat]--;
        if (k->bettor == NONE)
            k->bettor = (uint8_t)seat;
    } else {
        k->folded[seat] = k->bettor != NONE;
    }
    int next = decides_next(k, seat);
    if (next >= 0)
        s->acting = RULES_BIT(next);
    else
        finish(k, out);
    return RULES_OK;
}

static void redact(struct rules_state *s, int viewer)
{
    struct kuhn *k = (struct kuhn *)s;
    for (int seat = 0; seat < s->seats; seat++)
        if (seat != viewer && !k->shown[seat])
            k->card[seat] = NONE;
}

static void redact_move(const struct rules_state *s, int seat, int viewer,
                        struct rules_move *move)
{
    (void)s, (void)seat;
    if (move->verb == DEAL && move->arg[0] != viewer)
        move->arg[1] = RULES_HIDDEN;
}

static void guess(struct rules_state *s, int viewer, struct rng *rng)
{
    struct kuhn *k = (struct kuhn *)s;
    uint8_t deck[RANKS];
    size_t n = 0;

    (void)viewer;
    for (int card = 0; card <= s->seats; card++)
        if (!seen(k, card))
            deck[n++] = (uint8_t)card;
    rng_shuffle(rng, deck, n);
    for (int seat = 0; seat < k->dealt; seat++)
        if (k->card[seat] == NONE)
            k->card[seat] = deck[--n];
}

static void score(const struct rules_state *s, struct rules_score *score)
{
    const struct kuhn *k = (const struct kuhn *)s;
    score->parts = 1;
    for (int seat = 0; seat < s->seats; seat++)
        score->part[0][seat] = k->chips[seat];
    rules_sum(score, s->seats);
    if (rules_over(s))
        rules_rank(score, s->seats, NULL);
}

/* No card twice, and the viewer sees what they must and nothing else. */
static bool cards_valid(const struct kuhn *k)
{
    unsigned met = 0;
    if (k->dealt > k->base.seats)
        return false;
    for (int seat = 0; seat < SEATS; seat++) {
        int card = k->card[seat];
        int viewer = k->base.viewer;
        bool open = viewer == RULES_ALL || viewer == seat || k->shown[seat];
        if ((card != NONE) != (seat < k->dealt && open))
            return false;
        if (card != NONE && (card > k->base.seats || (met >> card & 1)))
            return false;
        met |= card == NONE ? 0 : 1u << card;
        if ((k->shown[seat] || k->folded[seat]) && seat >= k->dealt)
            return false;
    }
    return true;
}

static bool valid(const struct rules_state *s)
{
    const struct kuhn *k = (const struct kuhn *)s;
    int64_t sum = 0;

    for (int seat = 0; seat < SEATS; seat++) {
        sum += k->chips[seat] + k->staked[seat];
        if (seat >= s->seats && (k->chips[seat] || k->staked[seat]))
            return false;
        if (seat < s->seats && !rules_over(s) && k->staked[seat] == 0)
            return false;
    }
    if (sum != 0 || !cards_valid(k) || s->may != 0 || left_in(k) < 1 ||
        (k->bettor != NONE && (k->bettor >= s->seats || k->folded[k->bettor])))
        return false;
    if (rules_over(s))
        return k->left == 0 && k->dealt == 0;
    if (k->dealt < s->seats)
        return s->acting == RULES_BIT(RULES_NATURE) && k->bettor == NONE &&
               left_in(k) == s->seats;
    /* Who decides is still in and has not bet; before a bet all are in. */
    int decides = 0;
    while (decides < s->seats && s->acting != RULES_BIT(decides))
        decides++;
    return decides < s->seats && !k->folded[decides] && decides != k->bettor &&
           (k->bettor != NONE || left_in(k) == s->seats);
}

static void fields(struct fields *f, struct rules_state *s)
{
    static const struct fields_as flag = FIELDS_AS_FLAG;
    static const struct fields_as card = {
        .max = RANKS - 1,
        .words = ranks,
        .null = true,
    };
    static const struct fields_as seat = {.max = SEATS - 1, .null = true};
    static const struct fields_as few = FIELDS_AS_UPTO(SEATS);
    static const struct fields_as chips = {.min = -99, .max = 99};
    struct kuhn *k = (struct kuhn *)s;

    fields_u8(f, "showing", &k->showing, &flag);
    fields_u8(f, "left", &k->left, &few);
    fields_u8(f, "dealt", &k->dealt, &few);
    fields_u8s(f, "card", k->card, SEATS, &card);
    fields_u8s(f, "shown", k->shown, SEATS, &flag);
    fields_u8s(f, "folded", k->folded, SEATS, &flag);
    fields_u8(f, "bettor", &k->bettor, &seat);
    fields_u8s(f, "staked", k->staked, SEATS, &few);
    fields_i32s(f, "chips", k->chips, SEATS, &chips);
}

const struct rules kuhn_rules = {
    .name = "kuhn",
    .title = "Kuhn poker",
    .revision = 2,
    .seats_min = 2,
    .seats_max = SEATS,
    .plies_max = 3 * (SEATS + SEATS + 2 * SEATS),
    .state_size = sizeof(struct kuhn),
    .verbs = verbs,
    .events = events,
    .options = options,
    .reasons = reasons,
    .parts = parts,
    .setup = setup,
    .propose = propose,
    .check = check,
    .apply = apply,
    .chance = chance,
    .redact = redact,
    .redact_move = redact_move,
    .guess = guess,
    .score = score,
    .valid = valid,
    .fields = fields,
};
