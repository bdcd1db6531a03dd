/* legal.c -- what players may do: which moves there are, which of them are
 * legal and why not, which one is the default.  The refusals of each verb are
 * tried in the order of the rules' table (Moves). */

#include "parts.h"

/* ---- what is legal ---------------------------------------------------- */

static bool has_tile(const struct hadara_player *p)
{
    for (int track = 0; track < TRACKS; track++)
        if (hadara_tiles(p, track) > 0)
            return true;
    return false;
}

int hadara_check_keep(const struct hadara *h, const struct hadara_player *p,
                      int card, int keep, int tile)
{
    bool buy = keep == KEEP_BUY;
    bool wanted = buy && card_of(h, card)->effect == EFFECT_BONUS_TILE &&
                  has_tile(p); /* [D11] */

    if (buy && hadara_cost(h, p, card) > p->coins)
        return TOO_EXPENSIVE;
    if (tile != RULES_NONE && hadara_tiles(p, tile) == 0)
        return NO_TILE;
    if (wanted && tile == RULES_NONE)
        return TILE_NEEDED;
    return !wanted && tile != RULES_NONE ? TILE_NOT_NEEDED : RULES_OK;
}

static int check_choose(const struct hadara *h, int seat,
                        const struct rules_move *move)
{
    const struct hadara_player *p = &h->player[seat];

    if (!sees(h, seat))
        return RULES_OK; /* for all that this viewer can tell */
    if (move->arg[0] != p->drawn[0] && move->arg[0] != p->drawn[1])
        return NOT_DRAWN;
    return hadara_check_keep(h, p, kept(p, move->arg[0]), move->arg[1],
                             move->arg[2]);
}

static int check_take(const struct hadara *h, int seat,
                      const struct rules_move *move)
{
    if (h->piles[move->arg[0]] == 0)
        return PILE_EMPTY;
    return hadara_check_keep(h, &h->player[seat], top_card(h, move->arg[0]),
                             move->arg[1], move->arg[2]);
}

/* By how much P falls short of a requirement on a track. */
static int gap(const struct hadara *h, const struct hadara_player *p,
               int track, int requirement)
{
    int32_t value[TRACKS];
    hadara_tracks(h, p, value);
    return value[track] < requirement ? requirement - value[track] : 0;
}

static int colony_gap(const struct hadara *h, const struct hadara_player *p,
                      int level)
{
    return gap(h, p, TRACK_MILITARY, hadara_colony_requirement(h, p, level));
}

static int statue_gap(const struct hadara *h, const struct hadara_player *p,
                      int statue)
{
    return gap(h, p, TRACK_CULTURE, hadara_statue_requirement(h, p, statue));
}

static bool can_pay(const struct hadara *h, const struct hadara_player *p)
{
    return hadara_effects(h, p, EFFECT_PAY_REQUIREMENT) > 0;
}

/* [D16] PAY for LACKING points of a requirement, and then COST from what is
 * left and GAIN. */
static int check_payment(const struct hadara_player *p, int lacking, int pay,
                         int cost, int gain)
{
    int given = pay == RULES_NONE ? 0 : pay;

    if (given > p->coins || cost > p->coins - given + gain)
        return TOO_EXPENSIVE;
    if (given != EFFECT_STEP * lacking)
        return WRONG_PAYMENT;
    return p->paid + given > HADARA_PAY_MAX ? PAYMENT_LIMIT : RULES_OK;
}

static int check_colony(const struct hadara *h, int seat, int level, int mode,
                        int pay)
{
    const struct hadara_player *p = &h->player[seat];
    int lacking = colony_gap(h, p, level);
    int cost = mode == MODE_INTEGRATE
                   ? hadara_tables(h)->level[level].integrate
                   : 0;

    if (p->colony[level] != HADARA_NOTHING)
        return LEVEL_TAKEN;
    if (lacking > 0 && !can_pay(h, p))
        return TOO_WEAK;
    return check_payment(p, lacking, pay, cost, colony_coins(h, p));
}

static int check_carve(const struct hadara *h, int seat, int statue, int tile,
                       int pay)
{
    const struct hadara_player *p = &h->player[seat];
    int lacking = statue_gap(h, p, statue);

    if (p->statue_tile[statue] != HADARA_NOTHING)
        return STATUE_CARVED;
    if (lacking > 0 && !can_pay(h, p))
        return TOO_UNCULTURED;
    if (hadara_tiles(p, tile) == 0)
        return NO_TILE;
    return check_payment(p, lacking, pay, 0, 0);
}

static int check_pay_feed(const struct hadara *h, int seat, int cards)
{
    const struct hadara_player *p = &h->player[seat];
    int price = hadara_feed_price(h, p);

    if (price < 0)
        return NO_SUCH_EFFECT;
    if (cards > hadara_excess(h, p) || p->fed + cards > HADARA_FEED_MAX)
        return TOO_MANY;
    return price * cards > p->coins ? TOO_EXPENSIVE : RULES_OK;
}

static int check_silver(const struct hadara *h, int seat, int track)
{
    const struct hadara_player *p = &h->player[seat];

    if (p->silver[HADARA_MEDALS - 1] != HADARA_NOTHING)
        return TOO_MANY_MEDALS;
    if (hadara_tiles(p, track) == 0)
        return NO_TILE;
    return hadara_medal_price(h, p, false) > p->coins ? TOO_EXPENSIVE
                                                      : RULES_OK;
}

static int check_gold(const struct hadara *h, int seat)
{
    const struct hadara_player *p = &h->player[seat];

    if (p->golds == HADARA_MEDALS)
        return TOO_MANY_MEDALS;
    return hadara_medal_price(h, p, true) > p->coins ? TOO_EXPENSIVE
                                                     : RULES_OK;
}

/* ---- what can be done at all ------------------------------------------ */

bool hadara_can_take_colony(const struct hadara *h, int seat)
{
    const struct hadara_player *p = &h->player[seat];
    for (int level = 0; level < HADARA_LEVELS; level++)
        if (check_colony(h, seat, level, MODE_PLUNDER,
                         EFFECT_STEP * colony_gap(h, p, level)) == RULES_OK)
            return true; /* who can integrate can plunder */
    return false;
}

bool hadara_can_carve(const struct hadara *h, int seat)
{
    const struct hadara_player *p = &h->player[seat];
    for (int statue = 0; statue < HADARA_STATUES; statue++)
        for (int tile = 0; tile < TRACKS; tile++)
            if (check_carve(h, seat, statue, tile,
                            EFFECT_STEP * statue_gap(h, p, statue)) ==
                RULES_OK)
                return true;
    return false;
}

bool hadara_can_buy_medal(const struct hadara *h, int seat)
{
    for (int track = 0; track < TRACKS; track++)
        if (check_silver(h, seat, track) == RULES_OK)
            return true;
    return check_gold(h, seat) == RULES_OK;
}

/* ---- the gate --------------------------------------------------------- */

/* Whether VERB belongs to what SEAT has to do now. */
static bool in_step(const struct hadara *h, int seat, int verb)
{
    switch (verb) {
    case CHOOSE_SIDE: return h->stage == STAGE_SIDES;
    case SET_WHEEL: return h->stage == STAGE_WHEEL;
    case CHOOSE: return h->stage == STAGE_CHOOSE;
    case TAKE: return h->stage == STAGE_TAKE;
    case TAKE_COLONY: return h->stage == STAGE_COLONY;
    case CARVE: return h->stage == STAGE_STATUE;
    case PASS: return h->stage == STAGE_COLONY || h->stage == STAGE_STATUE;
    case PAY_FEED: return h->stage == STAGE_FEED;
    case REMOVE:
        return h->stage == STAGE_FEED &&
               hadara_excess(h, &h->player[seat]) > 0;
    default: /* medals, when all are fed */
        return h->stage == STAGE_FEED &&
               hadara_excess(h, &h->player[seat]) <= 0;
    }
}

int hadara_check(const struct rules_state *s, int seat,
                 const struct rules_move *move)
{
    const struct hadara *h = table_of(s);
    const int16_t *arg = move->arg;

    if (seat == RULES_NATURE)
        return hadara_nature_check(h, move);
    if (!in_step(h, seat, move->verb))
        return WRONG_STEP;
    switch (move->verb) {
    case CHOOSE: return check_choose(h, seat, move);
    case TAKE: return check_take(h, seat, move);
    case TAKE_COLONY: return check_colony(h, seat, arg[0] - 1, arg[1], arg[2]);
    case CARVE: return check_carve(h, seat, arg[0] - 1, arg[1], arg[3]);
    case REMOVE:
        return card_place(&h->player[seat], arg[0]) < 0 ? NOT_YOUR_CARD
                                                        : RULES_OK;
    case PAY_FEED: return check_pay_feed(h, seat, arg[0]);
    case BUY_SILVER: return check_silver(h, seat, arg[0]);
    case BUY_GOLD: return check_gold(h, seat);
    default: return RULES_OK; /* choose_side, set_wheel, pass, done */
    }
}

/* ---- which moves there are -------------------------------------------- */

static void offer(struct rules_list *list, int verb, int a, int b, int c,
                  int d)
{
    struct rules_move move = RULES_MOVE(verb, a, b, c);
    move.arg[3] = (int16_t)d;
    rules_offer(list, &move);
}

/* Both ways to keep a card, and a tile for it where one is needed. */
static void offer_keeps(struct rules_list *list, int verb, int what)
{
    for (int keep = KEEP_BUY; keep <= KEEP_SELL; keep++) {
        offer(list, verb, what, keep, RULES_NONE, RULES_NONE);
        for (int tile = 0; tile < TRACKS; tile++)
            offer(list, verb, what, keep, tile, RULES_NONE);
    }
}

/* To pay nothing can be said in two ways: by 0, or by leaving it out. */
static void offer_colonies(const struct hadara *h, int seat,
                           struct rules_list *list)
{
    const struct hadara_player *p = &h->player[seat];
    for (int level = 0; level < HADARA_LEVELS; level++)
        for (int mode = MODE_PLUNDER; mode <= MODE_INTEGRATE; mode++) {
            offer(list, TAKE_COLONY, level + 1, mode, RULES_NONE, RULES_NONE);
            offer(list, TAKE_COLONY, level + 1, mode,
                  EFFECT_STEP * colony_gap(h, p, level), RULES_NONE);
        }
}

static void offer_statues(const struct hadara *h, int seat,
                          struct rules_list *list)
{
    const struct hadara_player *p = &h->player[seat];
    for (int statue = 0; statue < HADARA_STATUES; statue++)
        for (int tile = 0; tile < TRACKS; tile++)
            for (int face = FACE_UP; face <= FACE_POINTS; face++) {
                offer(list, CARVE, statue + 1, tile, face, RULES_NONE);
                offer(list, CARVE, statue + 1, tile, face,
                      EFFECT_STEP * statue_gap(h, p, statue));
            }
}

static void offer_feeding(const struct hadara *h, int seat,
                          struct rules_list *list)
{
    const struct hadara_player *p = &h->player[seat];
    int16_t most = 0;

    for (int card = 0; card < HADARA_CARDS; card++)
        if (card_place(p, card) >= 0)
            offer(list, REMOVE, card, RULES_NONE, RULES_NONE, RULES_NONE);
    while (most < HADARA_FEED_MAX &&
           check_pay_feed(h, seat, most + 1) == RULES_OK)
        most++;
    if (most > 0)
        rules_offer_range(list,
                          &RULES_MOVE(PAY_FEED, 1, RULES_NONE, RULES_NONE), 0,
                          most);
    for (int track = 0; track < TRACKS; track++)
        offer(list, BUY_SILVER, track, RULES_NONE, RULES_NONE, RULES_NONE);
    offer(list, BUY_GOLD, RULES_NONE, RULES_NONE, RULES_NONE, RULES_NONE);
    offer(list, DONE, RULES_NONE, RULES_NONE, RULES_NONE, RULES_NONE);
}

static void offer_numbers(struct rules_list *list, int verb, int count)
{
    for (int i = 0; i < count; i++)
        offer(list, verb, i, RULES_NONE, RULES_NONE, RULES_NONE);
}

void hadara_propose(const struct rules_state *s, int seat,
                    struct rules_list *list)
{
    const struct hadara *h = table_of(s);

    if (seat == RULES_NATURE) {
        hadara_nature_propose(h, list);
        return;
    }
    switch (h->stage) {
    case STAGE_SIDES: offer_numbers(list, CHOOSE_SIDE, SIDES); break;
    case STAGE_WHEEL: offer_numbers(list, SET_WHEEL, HADARA_STEPS); break;
    case STAGE_CHOOSE:
        for (int i = 0; i < 2 && sees(h, seat); i++)
            offer_keeps(list, CHOOSE, h->player[seat].drawn[i]);
        break;
    case STAGE_TAKE:
        for (int color = 0; color < HUES; color++)
            offer_keeps(list, TAKE, color);
        break;
    case STAGE_COLONY: offer_colonies(h, seat, list); break;
    case STAGE_STATUE: offer_statues(h, seat, list); break;
    case STAGE_FEED: offer_feeding(h, seat, list); break;
    default: break;
    }
    if (h->stage == STAGE_COLONY || h->stage == STAGE_STATUE)
        offer(list, PASS, RULES_NONE, RULES_NONE, RULES_NONE, RULES_NONE);
}

/* ---- the default move --------------------------------------------------- */

static bool word_below(const char *a, const char *b)
{
    while (*a != '\0' && *a == *b)
        a++, b++;
    return *a < *b;
}

/* The card with the fewest points, then the lowest id. */
static int least_card(const struct hadara *h, const struct hadara_player *p)
{
    int least = p->card[0];
    for (int i = 1; i < p->cards; i++) {
        int card = p->card[i];
        int more = card_of(h, card)->points - card_of(h, least)->points;
        if (more < 0 || (more == 0 && word_below(hadara_card_words[card],
                                                 hadara_card_words[least])))
            least = card;
    }
    return least;
}

void hadara_default_move(const struct rules_state *s, int seat,
                         struct rules_move *move)
{
    const struct hadara *h = table_of(s);
    const struct hadara_player *p = &h->player[seat];
    int i = 0;

    *move = RULES_MOVE(PASS, RULES_NONE, RULES_NONE, RULES_NONE);
    switch (h->stage) {
    case STAGE_SIDES:
        *move = RULES_MOVE(CHOOSE_SIDE, SIDE_A, RULES_NONE, RULES_NONE);
        break;
    case STAGE_WHEEL:
        *move = RULES_MOVE(SET_WHEEL, 0, RULES_NONE, RULES_NONE);
        break;
    case STAGE_CHOOSE:
        *move = RULES_MOVE(CHOOSE, p->drawn[0], KEEP_SELL, RULES_NONE);
        break;
    case STAGE_TAKE:
        while (h->piles[h->ring[i]] == 0)
            i++;
        *move = RULES_MOVE(TAKE, h->ring[i], KEEP_SELL, RULES_NONE);
        break;
    case STAGE_FEED:
        move->verb = DONE;
        if (hadara_excess(h, p) > 0)
            *move = RULES_MOVE(REMOVE, least_card(h, p), RULES_NONE,
                               RULES_NONE);
        break;
    default: break;
    }
}
