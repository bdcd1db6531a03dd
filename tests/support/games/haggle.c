/* haggle.c -- a market of offers, made to use what other toys do not.
 *
 * The player on turn does up to four things -- offers one of their goods, to
 * one player or to all, for an amount; takes an offer back; sets a secret
 * reserve; moves their stall; tunes their price -- and ends their turn.
 * Meanwhile others may accept what is offered to them.  A firm offer cannot be
 * taken back.  The weather is drawn for each round.  At the end a reserve that
 * one's coins reach counts as many points again.
 *
 * The asset names the stalls: two to six lines of one to seven letters. */

#include "core/base.h"
#include "toys.h"

/* verbs */
enum { OFFER, WITHDRAW, RESERVE, MOVE, TUNE, ACCEPT, END_TURN, WEATHER };
/* events */
enum { OFFERED, SOLD, SET, SET_BY, MOVED, TURNED, SAID };
enum {
    NO_GOODS = RULES_GAME,
    NO_ROOM = RULES_GAME - 1,
    NO_SUCH_OFFER = RULES_GAME - 2,
    NOT_FOR_YOU = RULES_GAME - 3,
    TOO_DEAR = RULES_GAME - 4,
    IS_FIRM = RULES_GAME - 5,
    ENOUGH_DONE = RULES_GAME - 6,
    NOT_NOW = RULES_GAME - 7,
    TO_YOURSELF = RULES_GAME - 8,
    STALL_TAKEN = RULES_GAME - 9
};
enum {
    SEATS = 5,
    OFFERS = 4,
    ACTIONS = 4,
    COINS = 20,
    GOODS = 3,
    STALLS = 6,
    NAME = 8,
    NONE = FIELDS_NULL_U8,
    PRICES = 3
};

struct offer {
    uint8_t seller, to, firm; /* TO: a seat, or NONE: anybody */
    uint16_t amount;
};

struct haggle {
    struct rules_state base;
    uint8_t rounds; /* the option */
    uint8_t stalls; /* the asset: */
    uint8_t name[STALLS][NAME];
    uint8_t turn, actions, round, weather;
    uint32_t volume; /* coins that changed hands */
    uint8_t offers;
    struct offer offer[OFFERS];
    int32_t coins[SEATS];
    uint8_t goods[SEATS];
    uint8_t stall[SEATS]; /* NONE: nowhere yet */
    uint8_t has_reserve[SEATS];
    int32_t reserve[SEATS];       /* FIELDS_NULL_I32: none, or hidden */
    int32_t price[SEATS][PRICES]; /* the last few, the newest first */
    uint8_t traded[2];            /* goods sold in rain and in sun */
    int32_t income[2];            /* coins of those */
};

/* ---- words ------------------------------------------------------------ */

static const char *const weathers[] = {"rain", "sun", NULL};

static int16_t stalls(const struct rules_state *s)
{
    return ((const struct haggle *)s)->stalls;
}

static size_t stall_write(const struct rules_state *s, int16_t stall,
                          char *buf, size_t cap)
{
    const uint8_t *name = ((const struct haggle *)s)->name[stall];
    size_t n = 0;
    for (; name[n] != 0; n++)
        if (n < cap)
            buf[n] = (char)name[n];
    return n;
}

static bool stall_read(const struct rules_state *s, const char *text,
                       size_t len, int16_t *ret_stall)
{
    for (int16_t i = 0; i < stalls(s); i++) {
        char name[NAME];
        size_t n = stall_write(s, i, name, sizeof(name)), same = 0;
        while (same < n && same < len && name[same] == text[same])
            same++;
        if (same == n && same == len) {
            *ret_stall = i;
            return true;
        }
    }
    return false;
}

static const struct rules_kind stall_kind = {
    .name = "stall",
    .form = RULES_PLACE,
    .count = stalls,
    .write = stall_write,
    .read = stall_read,
};
static const struct rules_kind seat_kind = {"seat", .form = RULES_SEAT};
static const struct rules_kind flag_kind = {"flag", .form = RULES_FLAG};
static const struct rules_kind amount_kind = {
    .name = "amount",
    .form = RULES_NUMBER,
    .max = 30,
};
static const struct rules_kind offer_kind = {
    .name = "offer",
    .form = RULES_NUMBER,
    .max = OFFERS - 1,
};
static const struct rules_kind delta_kind = {
    .name = "delta",
    .form = RULES_NUMBER,
    .min = -5,
    .max = 5,
};
static const struct rules_kind weather_kind = {
    .name = "weather",
    .form = RULES_WORD,
    .words = weathers,
};

static const struct rules_word verbs[] = {
    [OFFER] = {"offer",
               {{"to", &seat_kind, true},
                {"amount", &amount_kind, false},
                {"firm", &flag_kind, true}},
               false,
               "Offer goods."},
    [WITHDRAW] = {"withdraw",
                  {{"offer", &offer_kind, false}},
                  false,
                  "Take an offer back."},
    [RESERVE] = {"reserve",
                 {{"amount", &amount_kind, false}},
                 false,
                 "Set your secret reserve."},
    [MOVE] = {"move",
              {{"stall", &stall_kind, true}},
              false,
              "Move to a stall, or leave."},
    [TUNE] = {"tune",
              {{"by", &delta_kind, false}},
              false,
              "Change your price."},
    [ACCEPT] = {"accept",
                {{"offer", &offer_kind, false}},
                false,
                "Buy what is offered."},
    [END_TURN] = {"end_turn", {{0}}, false, "End your turn."},
    [WEATHER] = {"weather",
                 {{"weather", &weather_kind, false}},
                 true,
                 "The weather of a round."},
    {0},
};
static const struct rules_word events[] = {
    [OFFERED] = {"offered",
                 {{"to", &seat_kind, true},
                  {"amount", &amount_kind, false},
                  {"firm", &flag_kind, false}},
                 false,
                 "Offered."},
    [SOLD] = {"sold",
              {{"to", &seat_kind, false}, {"amount", &amount_kind, false}},
              false,
              "Sold."},
    [SET] = {"set",
             {{"amount", &amount_kind, false}},
             false,
             "Your reserve, or that of another at the end."},
    [SET_BY] = {"set_by", {{0}}, false, "Somebody set their reserve."},
    [MOVED] = {"moved", {{"stall", &stall_kind, true}}, false, "Moved."},
    [TURNED] = {"turned", {{0}}, false, "A turn ended."},
    [SAID] = {"said", {{"weather", &weather_kind, false}}, false, "Weather."},
    {0},
};
static const struct rules_option options[] = {
    {"rounds", 1, 3, 2, NULL, false, "How many rounds."},
    {0},
};
static const struct rules_reason reasons[] = {
    {"no_goods", "You have nothing left to offer."},
    {"no_room", "There are offers enough."},
    {"no_such_offer", "There is no such offer."},
    {"not_for_you", "That offer is not for you."},
    {"too_dear", "You have not enough coins."},
    {"is_firm", "A firm offer stays."},
    {"enough_done", "You have done enough in this turn."},
    {"not_now", "That is for the player on turn, or for the others."},
    {"to_yourself", "You cannot offer to yourself."},
    {"stall_taken", "Somebody is there."},
    {0},
};
static const struct rules_part parts[] = {
    {"coins", "Coins"},
    {"goods", "Goods"},
    {"reserve", "Reserve"},
    {0},
};

/* ---- setting up ------------------------------------------------------- */

static const struct rules_asset assets[] = {
    {"plaza", "north\nsouth\neast\nwest\n", 22},
    {"alley", "left\nright\n", 11},
    {0},
};

/* An alley of so many stalls, numbered from somewhere on. */
static size_t make_alley(const int32_t *values, struct rng *rng, char *buf,
                         size_t cap, struct rules_problem *why)
{
    size_t count = values[0] < 0 ? 4 : (size_t)values[0];
    bool reversed = values[1] == 1;
    size_t first = rng_below(rng, 26 - STALLS);

    if (count < 2) {
        *why = (struct rules_problem){
            .rule = "too_few",
            .text = "An alley has two stalls or more.",
            .option = "stalls",
        };
        return 0;
    }
    for (size_t i = 0; i < 2 * count && i < cap; i++)
        buf[i] = i % 2 ? '\n'
                       : (char)('a' + first +
                                (reversed ? count - 1 - i / 2 : i / 2));
    if (2 * count < cap)
        buf[2 * count] = '\0';
    return 2 * count;
}

/* An alley is short: it is made when it is begun. */
struct alley_draft {
    char text[STALLS * NAME];
    size_t len;
};

static bool alley_begin(struct rules_draft *draft, const int32_t *values,
                        const struct rng *rng, struct rules_problem *why)
{
    struct alley_draft *alley = (struct alley_draft *)draft;
    struct rng chance = *rng;

    alley->len = make_alley(values, &chance, alley->text, sizeof(alley->text),
                            why);
    return alley->len > 0;
}

static enum rules_progress alley_step(struct rules_draft *draft,
                                      uint32_t effort,
                                      struct rules_problem *why)
{
    (void)draft;
    (void)effort;
    (void)why;
    return RULES_READY;
}

static size_t alley_write(const struct rules_draft *draft, char *buf,
                          size_t cap)
{
    const struct alley_draft *alley = (const struct alley_draft *)draft;

    for (size_t i = 0; i <= alley->len && i < cap; i++)
        buf[i] = i < alley->len ? alley->text[i] : '\0';
    return alley->len;
}

static const struct rules_parameter alley_parameters[] = {
    {"stalls", STALLS, NULL, 4},
    {"order", 1, (const char *const[]){"forward", "reversed", NULL}, -1},
    {0},
};

static const struct rules_asset_kind alleys = {
    .name = "board",
    .title = "alleys",
    .format = "stalls",
    .bytes_max = STALLS * NAME,
    .generate = make_alley,
    .draft_bytes = sizeof(struct alley_draft),
    .draft_begin = alley_begin,
    .draft_step = alley_step,
    .draft_write = alley_write,
    .parameters = alley_parameters,
};

static int bad_asset(struct rules_problem *why, const char *rule,
                     uint32_t line)
{
    why->rule = rule;
    why->text = "The stalls are not two to six different words.";
    why->line = line;
    return RULES_BAD_SETUP;
}

static int read_stalls(struct haggle *h, const char *text, size_t len,
                       struct rules_problem *why)
{
    size_t n = 0;
    int16_t same;

    for (size_t i = 0; i < len; i++) {
        uint32_t line = h->stalls + 1u;
        if (h->stalls == STALLS)
            return bad_asset(why, "too_many", line);
        uint8_t *name = h->name[h->stalls];
        if (text[i] != '\n') {
            if (text[i] < 'a' || text[i] > 'z' || n + 1 == NAME)
                return bad_asset(why, "bad_name", line);
            name[n++] = (uint8_t)text[i];
            continue;
        }
        if (n == 0 || stall_read(&h->base, text + i - n, n, &same))
            return bad_asset(why, "bad_name", line);
        h->stalls++;
        n = 0;
    }
    if (n > 0 || h->stalls < 2)
        return bad_asset(why, "too_few", h->stalls + 1u);
    return RULES_OK;
}

static int setup(struct rules_state *s, const struct rules_setup *chosen,
                 const int16_t *option, struct rules_problem *why)
{
    struct haggle *h = (struct haggle *)s;
    bool by_default = chosen->asset == NULL;
    int refusal = read_stalls(h, by_default ? assets[0].text : chosen->asset,
                              by_default ? assets[0].len : chosen->asset_len,
                              why);
    if (refusal != RULES_OK)
        return refusal;
    h->rounds = (uint8_t)(option[0] == RULES_NONE ? 2 : option[0]);
    memset(h->stall, NONE, sizeof(h->stall));
    for (int seat = 0; seat < SEATS; seat++) {
        h->reserve[seat] = FIELDS_NULL_I32;
        if (seat < s->seats) {
            h->coins[seat] = COINS;
            h->goods[seat] = GOODS;
        }
    }
    s->acting = RULES_BIT(RULES_NATURE);
    return RULES_OK;
}

/* ---- rules ------------------------------------------------------------ */

static int check_accept(const struct haggle *h, int seat, int16_t i)
{
    if (seat == h->turn)
        return NOT_NOW;
    if (i >= h->offers)
        return NO_SUCH_OFFER;
    if (h->offer[i].to != NONE && h->offer[i].to != seat)
        return NOT_FOR_YOU;
    return h->coins[seat] < h->offer[i].amount ? TOO_DEAR : RULES_OK;
}

static int check_offer(const struct haggle *h, int seat,
                       const struct rules_move *move)
{
    if (move->arg[0] == seat)
        return TO_YOURSELF;
    if (h->offers == OFFERS)
        return NO_ROOM;
    /* A cheap offer must be firm, so that the range depends on a flag. */
    if (move->arg[2] != 1 && move->arg[1] < 5)
        return TOO_DEAR;
    return h->offers < h->goods[seat] ? RULES_OK : NO_GOODS;
}

static int check(const struct rules_state *s, int seat,
                 const struct rules_move *move)
{
    const struct haggle *h = (const struct haggle *)s;
    int16_t a = move->arg[0];

    if (move->verb == WEATHER)
        return RULES_OK;
    if (move->verb == ACCEPT)
        return check_accept(h, seat, a);
    if (seat != h->turn)
        return NOT_NOW;
    if (move->verb == END_TURN)
        return RULES_OK;
    if (h->actions == ACTIONS)
        return ENOUGH_DONE;
    if (move->verb == OFFER)
        return check_offer(h, seat, move);
    if (move->verb == WITHDRAW && a >= h->offers)
        return NO_SUCH_OFFER;
    if (move->verb == WITHDRAW && h->offer[a].firm)
        return IS_FIRM;
    for (int rival = 0; move->verb == MOVE && rival < s->seats; rival++)
        if (a != RULES_NONE && h->stall[rival] == a)
            return STALL_TAKEN;
    return RULES_OK;
}

static void propose(const struct rules_state *s, int seat,
                    struct rules_list *list)
{
    const struct rules_move none = RULES_MOVE(MOVE, RULES_NONE, RULES_NONE,
                                              RULES_NONE);
    struct rules_move move;

    if (seat == RULES_NATURE) {
        for (int i = 0; i < 2; i++)
            rules_offer(list, &RULES_MOVE(WEATHER, i, RULES_NONE, RULES_NONE));
        return;
    }
    for (int to = -1; rules_wants(list, OFFER) && to < s->seats; to++) {
        for (int firm = -1; firm < 2; firm++) {
            move = RULES_MOVE(OFFER, to < 0 ? RULES_NONE : to,
                              firm == 1 ? 0 : 5, firm < 0 ? RULES_NONE : firm);
            rules_offer_range(list, &move, 1, 30);
        }
    }
    for (int i = 0; i < OFFERS; i++)
        rules_offer(list, &RULES_MOVE(WITHDRAW, i, RULES_NONE, RULES_NONE));
    rules_offer_range(list, &RULES_MOVE(RESERVE, 0, RULES_NONE, RULES_NONE), 0,
                      30);
    rules_offer(list, &none);
    for (int i = 0; i < stalls(s); i++)
        rules_offer(list, &RULES_MOVE(MOVE, i, RULES_NONE, RULES_NONE));
    rules_offer_range(list, &RULES_MOVE(TUNE, -5, RULES_NONE, RULES_NONE), 0,
                      5);
    for (int i = 0; i < OFFERS; i++)
        rules_offer(list, &RULES_MOVE(ACCEPT, i, RULES_NONE, RULES_NONE));
    move = none;
    move.verb = END_TURN;
    rules_offer(list, &move);
}

static void chance(const struct rules_state *s, struct rng *rng,
                   struct rules_move *move)
{
    (void)s;
    *move = RULES_MOVE(WEATHER, rng_below(rng, 2), RULES_NONE, RULES_NONE);
}

static void default_move(const struct rules_state *s, int seat,
                         struct rules_move *move)
{
    const struct haggle *h = (const struct haggle *)s;
    *move = RULES_MOVE(END_TURN, RULES_NONE, RULES_NONE, RULES_NONE);
    for (int16_t i = 0; seat != h->turn && i < h->offers; i++)
        if (check_accept(h, seat, i) == RULES_OK)
            *move = RULES_MOVE(ACCEPT, i, RULES_NONE, RULES_NONE);
}

static void drop_offer(struct haggle *h, int i)
{
    for (h->offers--; i < h->offers; i++)
        h->offer[i] = h->offer[i + 1];
    h->offer[h->offers] = (struct offer){0};
}

/* Others may move as long as anything is on offer, even what they cannot
 * pay: they can be asked, and have nothing to choose from. */
static void who_may(struct haggle *h)
{
    uint16_t players = (uint16_t)(RULES_BIT(h->base.seats) - 1);
    uint16_t others = players & RULES_BUT(h->turn);
    h->base.may = h->offers > 0 ? others : 0;
}

static void accept(struct haggle *h, int seat, int i, struct rules_events *out)
{
    struct offer o = h->offer[i];
    h->coins[seat] -= o.amount;
    h->coins[o.seller] += o.amount;
    h->goods[seat]++;
    h->goods[o.seller]--;
    h->volume += o.amount;
    h->traded[h->weather]++;
    h->income[h->weather] += o.amount;
    drop_offer(h, i);
    rules_emit(out, SOLD, o.seller, RULES_EVERYONE, seat, o.amount,
               RULES_NONE);
    out->flags |= RULES_FINAL;
}

/* Whether ending SEAT's turn ends the game, where reserves are shown that the
 * viewer of H does not know. */
static bool blind(const struct haggle *h)
{
    if (h->turn + 1 < h->base.seats || h->round + 1 < h->rounds)
        return false;
    for (int seat = 0; seat < h->base.seats; seat++)
        if (h->has_reserve[seat] && h->reserve[seat] == FIELDS_NULL_I32)
            return true;
    return false;
}

static void end_turn(struct haggle *h, struct rules_events *out)
{
    rules_emit(out, TURNED, h->turn, RULES_EVERYONE, RULES_NONE, RULES_NONE,
               RULES_NONE);
    out->flags |= RULES_FINAL;
    while (h->offers > 0)
        drop_offer(h, 0);
    h->actions = 0;
    h->turn++;
    h->base.acting = RULES_BIT(h->turn);
    if (h->turn < h->base.seats)
        return;
    h->turn = 0;
    h->round++;
    h->base.acting = h->round < h->rounds ? RULES_BIT(RULES_NATURE) : 0;
    if (h->base.acting != 0)
        return;
    for (int seat = 0; seat < h->base.seats; seat++) {
        if (!h->has_reserve[seat])
            continue;
        rules_emit(out, SET, seat, RULES_EVERYONE, h->reserve[seat],
                   RULES_NONE, RULES_NONE);
        out->flags |= RULES_REVEALED;
    }
}

static void offer_goods(struct haggle *h, int seat,
                        const struct rules_move *move,
                        struct rules_events *out)
{
    int16_t to = move->arg[0];
    bool firm = move->arg[2] == 1;
    h->offer[h->offers++] = (struct offer){
        .seller = (uint8_t)seat,
        .to = to == RULES_NONE ? NONE : (uint8_t)to,
        .firm = firm,
        .amount = (uint16_t)move->arg[1],
    };
    rules_emit(out, OFFERED, seat, RULES_EVERYONE, to, move->arg[1], firm);
}

static void reserve(struct haggle *h, int seat, int16_t amount,
                    struct rules_events *out)
{
    h->has_reserve[seat] = 1;
    h->reserve[seat] = amount == RULES_HIDDEN ? FIELDS_NULL_I32 : amount;
    rules_emit(out, SET, seat, RULES_BIT(seat), amount, RULES_NONE,
               RULES_NONE);
    rules_emit(out, SET_BY, seat, RULES_BUT(seat), RULES_NONE, RULES_NONE,
               RULES_NONE);
}

static void act(struct haggle *h, int seat, const struct rules_move *move,
                struct rules_events *out)
{
    int16_t a = move->arg[0];

    h->actions++;
    switch (move->verb) {
    case OFFER: offer_goods(h, seat, move, out); break;
    case WITHDRAW: drop_offer(h, a); break;
    case RESERVE: reserve(h, seat, a, out); break;
    case MOVE:
        h->stall[seat] = a == RULES_NONE ? NONE : (uint8_t)a;
        rules_emit(out, MOVED, seat, RULES_EVERYONE, a, RULES_NONE,
                   RULES_NONE);
        break;
    case TUNE:
        for (int i = PRICES - 1; i > 0; i--)
            h->price[seat][i] = h->price[seat][i - 1];
        h->price[seat][0] += a;
        break;
    }
}

static int apply(struct rules_state *s, int seat,
                 const struct rules_move *move, struct rules_events *out)
{
    struct haggle *h = (struct haggle *)s;

    if (move->verb == END_TURN && blind(h))
        return RULES_UNSEEN;
    if (move->verb == WEATHER) {
        h->weather = (uint8_t)move->arg[0];
        s->acting = RULES_BIT(h->turn);
        rules_emit(out, SAID, RULES_NATURE, RULES_EVERYONE, h->weather,
                   RULES_NONE, RULES_NONE);
    } else if (move->verb == ACCEPT) {
        accept(h, seat, move->arg[0], out);
    } else if (move->verb == END_TURN) {
        end_turn(h, out);
    } else {
        act(h, seat, move, out);
    }
    who_may(h);
    return RULES_OK;
}

static void redact(struct rules_state *s, int viewer)
{
    struct haggle *h = (struct haggle *)s;
    for (int seat = 0; seat < s->seats; seat++)
        if (seat != viewer && !rules_over(s))
            h->reserve[seat] = FIELDS_NULL_I32;
}

static void redact_move(const struct rules_state *s, int seat, int viewer,
                        struct rules_move *move)
{
    (void)s, (void)seat, (void)viewer;
    if (move->verb == RESERVE)
        move->arg[0] = RULES_HIDDEN;
}

static void guess(struct rules_state *s, int viewer, struct rng *rng)
{
    struct haggle *h = (struct haggle *)s;
    for (int seat = 0; seat < s->seats; seat++)
        if (seat != viewer && !rules_over(s) && h->has_reserve[seat])
            h->reserve[seat] = (int32_t)rng_below(rng, 31);
}

static void score(const struct rules_state *s, struct rules_score *score)
{
    const struct haggle *h = (const struct haggle *)s;
    score->parts = rules_over(s) ? 7 : 3;
    for (int seat = 0; seat < s->seats; seat++) {
        score->part[0][seat] = h->coins[seat];
        score->part[1][seat] = 5 * h->goods[seat];
        if (rules_over(s) && h->has_reserve[seat] &&
            h->coins[seat] >= h->reserve[seat])
            score->part[2][seat] = h->reserve[seat];
    }
    rules_sum(score, s->seats);
    if (rules_over(s))
        rules_rank(score, s->seats, h->coins);
}

/* ---- what must hold --------------------------------------------------- */

static bool offers_valid(const struct haggle *h)
{
    if (h->offers > h->goods[h->turn])
        return false;
    for (int i = 0; i < h->offers; i++) {
        const struct offer *o = &h->offer[i];
        if (o->seller != h->turn || o->to == h->turn ||
            (o->to != NONE && o->to >= h->base.seats) ||
            (!o->firm && o->amount < 5))
            return false;
    }
    return true;
}

static bool seat_valid(const struct haggle *h, int seat)
{
    bool known = h->reserve[seat] != FIELDS_NULL_I32;
    bool open = h->base.viewer == RULES_ALL || h->base.viewer == seat ||
                rules_over(&h->base);
    if (known != (open && h->has_reserve[seat]))
        return false;
    if (seat >= h->base.seats)
        return !h->has_reserve[seat] && h->stall[seat] == NONE;
    if (h->stall[seat] == NONE)
        return true;
    for (int rival = 0; rival < seat; rival++)
        if (h->stall[rival] == h->stall[seat])
            return false;
    return h->stall[seat] < h->stalls;
}

static bool names_valid(const struct haggle *h)
{
    for (int i = 0; i < STALLS; i++) {
        size_t n = 0;
        while (n < NAME && h->name[i][n] != 0)
            n++;
        if (n == NAME || (n > 0) != (i < h->stalls))
            return false;
        for (int j = 0; j < i && i < h->stalls; j++) {
            size_t k = 0;
            while (k < n && h->name[i][k] == h->name[j][k])
                k++;
            if (k == n && h->name[j][k] == 0)
                return false;
        }
        for (; n < NAME; n++)
            if (h->name[i][n] != 0)
                return false;
    }
    return true;
}

static bool course_valid(const struct haggle *h)
{
    const struct rules_state *s = &h->base;
    struct haggle same = *h;

    who_may(&same);
    if (h->turn >= s->seats || s->may != same.base.may)
        return false;
    if (h->round >= h->rounds)
        return s->acting == 0 && h->round == h->rounds && h->offers == 0;
    if (s->acting == RULES_BIT(RULES_NATURE))
        return h->turn == 0 && h->offers == 0 && h->actions == 0;
    return s->acting == RULES_BIT(h->turn);
}

static bool valid(const struct rules_state *s)
{
    const struct haggle *h = (const struct haggle *)s;
    int64_t coins = 0, goods = 0;

    for (int seat = 0; seat < SEATS; seat++) {
        coins += h->coins[seat];
        goods += h->goods[seat];
        if (!seat_valid(h, seat) ||
            (seat >= s->seats && (h->coins[seat] || h->goods[seat])))
            return false;
    }
    return coins == COINS * s->seats && goods == GOODS * s->seats &&
           course_valid(h) && offers_valid(h) && names_valid(h);
}

/* ---- fields ----------------------------------------------------------- */

static void wealth(const struct rules_state *s, int seat, int32_t *value)
{
    const struct haggle *h = (const struct haggle *)s;
    value[0] = h->coins[seat];
    value[1] = 5 * h->goods[seat];
    value[2] = value[0] + value[1];
}

static void free_stalls(const struct rules_state *s, int unused,
                        int32_t *value)
{
    const struct haggle *h = (const struct haggle *)s;
    (void)unused;
    for (int i = 0; i < STALLS; i++)
        value[i] = i < h->stalls;
    for (int seat = 0; seat < s->seats; seat++)
        if (h->stall[seat] < STALLS)
            value[h->stall[seat]] = 0;
}

static void player_fields(struct fields *f, struct haggle *h, int seat)
{
    static const char *const wealths[] = {"coins", "goods", "all"};
    static const struct fields_as count = FIELDS_AS_UPTO(SEATS * GOODS);
    static const struct fields_as coins = FIELDS_AS_UPTO(SEATS * COINS);
    static const struct fields_as any = {.min = -999, .max = 999};
    static const struct fields_as flag = FIELDS_AS_FLAG;
    static const struct fields_as stall = {.max = STALLS - 1, .null = true};
    static const struct fields_as amount = {.max = 30, .null = true};

    fields_open(f, NULL);
    fields_i32(f, "coins", &h->coins[seat], &coins);
    fields_u8(f, "goods", &h->goods[seat], &count);
    fields_u8(f, "stall", &h->stall[seat], &stall);
    fields_u8(f, "has_reserve", &h->has_reserve[seat], &flag);
    fields_i32(f, "reserve", &h->reserve[seat], &amount);
    fields_i32s(f, "prices", h->price[seat], PRICES, &any);
    fields_derived(f, "wealth", &h->base, seat, wealths, 3, &any, wealth);
    fields_close(f);
}

static void offer_fields(struct fields *f, struct offer *o)
{
    static const struct fields_as seat = FIELDS_AS_UPTO(SEATS - 1);
    static const struct fields_as to = {.max = SEATS - 1, .null = true};
    static const struct fields_as flag = FIELDS_AS_FLAG;
    static const struct fields_as amount = FIELDS_AS_UPTO(30);

    fields_open(f, NULL);
    fields_u8(f, "seller", &o->seller, &seat);
    fields_u8(f, "to", &o->to, &to);
    fields_u8(f, "firm", &o->firm, &flag);
    fields_u16(f, "amount", &o->amount, &amount);
    fields_close(f);
}

static void fields(struct fields *f, struct rules_state *s)
{
    static const struct fields_as few = FIELDS_AS_UPTO(SEATS);
    static const struct fields_as rounds = {.min = 1, .max = 3};
    static const struct fields_as weather = {.max = 1, .words = weathers};
    static const struct fields_as letter = FIELDS_AS_UPTO('z');
    static const struct fields_as count = {.min = 2, .max = STALLS};
    static const struct fields_as any = FIELDS_AS_UPTO(9999);
    static const struct fields_as sold = FIELDS_AS_UPTO(UINT8_MAX);
    struct haggle *h = (struct haggle *)s;

    fields_u8(f, "rounds", &h->rounds, &rounds);
    fields_u8(f, "stalls", &h->stalls, &count);
    fields_open_list(f, "names");
    for (int i = 0; i < STALLS; i++)
        fields_u8s(f, NULL, h->name[i], NAME, &letter);
    fields_close(f);
    fields_open(f, "course");
    fields_u8(f, "turn", &h->turn, &few);
    fields_u8(f, "actions", &h->actions, &few);
    fields_u8(f, "round", &h->round, &few);
    fields_u8(f, "weather", &h->weather, &weather);
    fields_u32(f, "volume", &h->volume, &any);
    fields_close(f);
    fields_derived(f, "free", s, 0, NULL, STALLS, &few, free_stalls);
    size_t n = fields_open_varied(f, "offers", &h->offers, OFFERS);
    for (size_t i = 0; i < n; i++)
        offer_fields(f, &h->offer[i]);
    fields_close(f);
    fields_open_list(f, "players");
    for (int seat = 0; seat < SEATS; seat++)
        player_fields(f, h, seat);
    fields_close(f);
    fields_u8s_by(f, "traded", h->traded, weathers, 2, &sold);
    fields_i32s_by(f, "income", h->income, weathers, 2, &any);
}

static bool pass(const struct rules_state *s, int seat,
                 struct rules_move *move)
{
    *move = RULES_MOVE(END_TURN, RULES_NONE, RULES_NONE, RULES_NONE);
    return ((const struct haggle *)s)->turn == seat;
}

static uint32_t round_of(const struct rules_state *s)
{
    return ((const struct haggle *)s)->round;
}

const struct rules haggle_rules = {
    .name = "haggle",
    .title = "Haggling",
    .revision = 1,
    .seats_min = 2,
    .seats_max = SEATS,
    .plies_max = 3 * (1 + SEATS * (2 * ACTIONS + 1)),
    .state_size = sizeof(struct haggle),
    .verbs = verbs,
    .events = events,
    .options = options,
    .reasons = reasons,
    .parts = parts,
    .assets = assets,
    .asset_kind = &alleys,
    .setup = setup,
    .propose = propose,
    .check = check,
    .apply = apply,
    .chance = chance,
    .redact = redact,
    .redact_move = redact_move,
    .guess = guess,
    .default_move = default_move,
    .pass = pass,
    .round = round_of,
    .harmless = RULES_KIND(SET_BY) | RULES_KIND(MOVED) | RULES_KIND(TURNED),
    .score = score,
    .valid = valid,
    .fields = fields,
};
