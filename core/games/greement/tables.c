/* tables.c -- the words and numbers of Greement. */

#include "parts.h"

/* ---- words ------------------------------------------------------------ */

/* Columns a to j from the left, rows from the top; in reading order. */
const char *const greement_square_names[] = {
    /* clang-format off */
    "a1", "b1", "c1", "d1", "e1", "f1", "g1", "h1", "i1", "j1",
    "a2", "b2", "c2", "d2", "e2", "f2", "g2", "h2", "i2", "j2",
    "a3", "b3", "c3", "d3", "e3", "f3", "g3", "h3", "i3", "j3",
    "a4", "b4", "c4", "d4", "e4", "f4", "g4", "h4", "i4", "j4",
    "a5", "b5", "c5", "d5", "e5", "f5", "g5", "h5", "i5", "j5",
    "a6", "b6", "c6", "d6", "e6", "f6", "g6", "h6", "i6", "j6",
    "a7", "b7", "c7", "d7", "e7", "f7", "g7", "h7", "i7", "j7",
    "a8", "b8", "c8", "d8", "e8", "f8", "g8", "h8", "i8", "j8",
    "a9", "b9", "c9", "d9", "e9", "f9", "g9", "h9", "i9", "j9",
    "a10", "b10", "c10", "d10", "e10", "f10", "g10", "h10", "i10", "j10",
    NULL,
    /* clang-format on */
};
const char *const greement_square_words[] = {
    "land", "crop", "cattle", "gold_mine", "lake", "mountain", NULL,
};
const char *const greement_ground_words[] = {
    "land", "gold_mine", "lake", "mountain", NULL,
};
const char *const greement_value_words[] = {
    "land_price",   "seed_price",      "crop_profit",         "mine_price",
    "mine_profit",  "lake_multiplier", "mountain_multiplier", "distance_tax",
    "cattle_price", "cattle_profit",   "action_card_price",   NULL,
};
const char *const greement_card_words[] = {
    "steal", "decide", "raise", "lower", "collect", NULL,
};
const char *const greement_card_texts[] = {
    SAYS("Steal up to two squares, of anybody or free."),
    SAYS("You alone decide the next vote."),
    SAYS("Raise a value of the table by 2."),
    SAYS("Lower a value of the table by 2."),
    SAYS("Collect twice the distance tax from a player."),
    NULL,
};
const char *const greement_event_words[] = {
    "lake_multiplier_up_mountain_down",
    "mountain_multiplier_up_lake_down",
    "multipliers_up_mine_profit_down",
    "land_dearer_mine_cheaper",
    "land_cheaper_mine_dearer",
    "cattle_price_and_profit_up",
    "cattle_price_and_profit_down",
    "seed_price_and_crop_profit_up",
    "seed_price_and_crop_profit_down",
    "crop_profit_up_mine_profit_down",
    "crop_profit_down_mine_profit_up",
    "cattle_profit_up_mine_profit_down",
    "cattle_profit_down_mine_profit_up",
    "crop_profit_up_cattle_profit_down",
    "crop_profit_down_cattle_profit_up",
    "tax_down_crop_profit_down",
    "tax_down_mine_profit_up",
    "mines_lost",
    "crops_to_land",
    "cattle_to_crops",
    "mines_lost_land_to_cattle",
    "mine_profit_down",
    "mine_profit_up",
    "tax_and_multipliers_down",
    "action_card_cheaper",
    "cattle_disease",
    "lake_appropriation",
    "mountain_appropriation",
    "mine_appropriation",
    NULL,
};
const char *const greement_event_texts[] = {
    SAYS("Lake multiplier up by 1, mountain multiplier down by 1."),
    SAYS("Mountain multiplier up by 1, lake multiplier down by 1."),
    SAYS("Lake and mountain multipliers up by 1, mine profit down by 2."),
    SAYS("Land price up by 1, mine price down by 1."),
    SAYS("Land price down by 1, mine price up by 1."),
    SAYS("Cattle price and cattle profit up by 1."),
    SAYS("Cattle price and cattle profit down by 1."),
    SAYS("Seed price and crop profit up by 1."),
    SAYS("Seed price and crop profit down by 1."),
    SAYS("Crop profit up by 1, mine profit down by 1."),
    SAYS("Crop profit down by 1, mine profit up by 1."),
    SAYS("Cattle profit up by 1, mine profit down by 1."),
    SAYS("Cattle profit down by 1, mine profit up by 1."),
    SAYS("Crop profit up by 1, cattle profit down by 1."),
    SAYS("Crop profit down by 1, cattle profit up by 1."),
    SAYS("Distance tax down by 2, crop profit down by 1."),
    SAYS("Distance tax down by 2, mine profit up by 2."),
    SAYS("All gold mines lose their owners."),
    SAYS("All crops become unseeded land, mine profit up by 3."),
    SAYS("All cattle become crops, mine profit up by 3."),
    SAYS("All gold mines lose their owners; all owned land becomes cattle."),
    SAYS("Mine profit down by 1."),
    SAYS("Mine profit up by 1."),
    SAYS("Distance tax and both multipliers down by 1."),
    SAYS("Action cards cost 2 less."),
    SAYS("Cattle disease: cattle becomes crops, unless 2 are paid for it."),
    SAYS("Lakes: squares connected to one lose their owners, who get 2 each."),
    /* NOLINTNEXTLINE(bugprone-suspicious-missing-comma): one sentence */
    SAYS("Mountains: squares connected to one lose their owners, who get 1"
         " each."),
    SAYS("All gold mines lose their owners, who get 1 for each."),
    NULL,
};
const char *const greement_phase_words[] = {
    "start", "pick",         "reveal",  "turn", "events",
    "vote",  "pay_to_avoid", "disease", "over", NULL,
};
const char *const greement_tax_words[] = {"minus_one", "full", NULL};
const char *const greement_kind_words[] = {"sell", "buy", NULL};
const char *const greement_side_words[] = {"buyer", "seller", NULL};

/* ---- kinds of arguments ------------------------------------------------ */

static const struct rules_kind square = {
    .name = "square",
    .form = RULES_WORD,
    .words = greement_square_names,
};
static const struct rules_kind ground = {
    .name = "ground",
    .form = RULES_WORD,
    .words = greement_ground_words,
};
static const struct rules_kind state = {
    .name = "state",
    .form = RULES_WORD,
    .words = greement_square_words,
};
static const struct rules_kind value = {
    .name = "value",
    .form = RULES_WORD,
    .words = greement_value_words,
};
static const struct rules_kind card = {
    .name = "card",
    .form = RULES_WORD,
    .words = greement_card_words,
};
static const struct rules_kind event = {
    .name = "event",
    .form = RULES_WORD,
    .words = greement_event_words,
};
static const struct rules_kind trade = {
    .name = "trade",
    .form = RULES_WORD,
    .words = greement_kind_words,
};
static const struct rules_kind side = {
    .name = "side",
    .form = RULES_WORD,
    .words = greement_side_words,
};
static const struct rules_kind seat = {.name = "seat", .form = RULES_SEAT};
static const struct rules_kind yes_no = {.name = "flag", .form = RULES_FLAG};
static const struct rules_kind amount = {
    .name = "amount",
    .form = RULES_NUMBER,
    .min = 1,
    .max = GREEMENT_AMOUNT_MAX,
};
static const struct rules_kind price = {
    .name = "price",
    .form = RULES_NUMBER,
    .max = GREEMENT_AMOUNT_MAX,
};
static const struct rules_kind offer = {
    .name = "offer",
    .form = RULES_NUMBER,
    .min = 1,
    .max = GREEMENT_LIMIT,
};
static const struct rules_kind count = {
    .name = "count",
    .form = RULES_NUMBER,
    .max = INT16_MAX,
};

/* ---- verbs and events --------------------------------------------------- */

const struct rules_word greement_verbs[] = {
    [PICK] = {"pick",
              {{"square", &square, false}},
              false,
              SAYS("Pick a face-down square as your starting square.")},
    [BUY_LAND] =
        {"buy_land",
         {{"square", &square, false}},
         false,
         SAYS("Buy an unowned land or gold mine for its price and the distance"
              " tax.")},
    [SEED] = {"seed",
              {{"square", &square, false}},
              false,
              SAYS("Seed land of yours: it becomes a crop.")},
    [BUY_CATTLE] = {"buy_cattle",
                    {{"square", &square, false}},
                    false,
                    SAYS("Put cattle on a crop of yours.")},
    [PAY] = {"pay",
             {{"to", &seat, false}, {"amount", &amount, false}},
             false,
             SAYS(
                 "Give money to a player; you pay the distance tax besides.")},
    [OFFER] =
        {"offer",
         {{"kind", &trade, false},
          {"with", &seat, false},
          {"square", &square, false},
          {"price", &price, false},
          {"tax_by", &side, false}},
         false,
         SAYS("Offer a player to sell them a square of yours, or to buy one of"
              " theirs.")},
    [ACCEPT] = {"accept",
                {{"offer", &offer, false}},
                false,
                SAYS("Accept an offer made to you.")},
    [DECLINE] = {"decline",
                 {{"offer", &offer, false}},
                 false,
                 SAYS("Decline an offer made to you.")},
    [WITHDRAW] = {"withdraw",
                  {{"offer", &offer, false}},
                  false,
                  SAYS("Withdraw an offer of yours.")},
    [BUY_ACTION_CARD] =
        {"buy_action_card",
         {{0}},
         false,
         SAYS("Buy an action card, which must be used at once.")},
    [STEAL] = {"steal",
               {{"square", &square, false}},
               false,
               SAYS("Take a land or gold mine, owned or not; up to two for the"
                    " card.")},
    [RAISE] = {"raise",
               {{"value", &value, false}},
               false,
               SAYS("Raise a value of the table by 2.")},
    [LOWER] = {"lower",
               {{"value", &value, false}},
               false,
               SAYS("Lower a value of the table by 2.")},
    [COLLECT] = {"collect",
                 {{"from", &seat, false}},
                 false,
                 SAYS("Collect twice the distance tax from a player.")},
    [BORROW] =
        {"borrow",
         {{"amount", &amount, false}},
         false,
         SAYS("Borrow money; your debt may be 20 afterwards. It doubles at the"
              " end of your turn.")},
    [REPAY] = {"repay",
               {{"amount", &amount, false}},
               false,
               SAYS("Repay some of your debt.")},
    [VOTE] = {"vote",
              {{"avoid", &yes_no, false}},
              false,
              SAYS("Vote for or against avoiding the event.")},
    [CONTRIBUTE] = {"contribute",
                    {{"amount", &amount, false}},
                    false,
                    SAYS("Contribute to the price that avoids the event.")},
    [TREAT] =
        {"treat",
         {{"square", &square, false}},
         false,
         SAYS("Pay 2 to keep the cattle of a square through the disease.")},
    [DONE] = {"done",
              {{0}},
              false,
              SAYS("Be done with contributing, treating or stealing.")},
    [END_TURN] = {"end_turn", {{0}}, false, SAYS("End your turn.")},
    [NATURE_START] = {"start_player",
                      {{"seat", &seat, false}},
                      true,
                      SAYS("The first seat is drawn.")},
    [NATURE_SQUARE] = {"turn_up",
                       {{"square", &square, false},
                        {"ground", &ground, false}},
                       true,
                       SAYS("A square is turned up.")},
    [NATURE_CARD] = {"draw_card",
                     {{"card", &card, false}},
                     true,
                     SAYS("An action card is drawn.")},
    [NATURE_EVENT] = {"turn_up_event",
                      {{"event", &event, false}},
                      true,
                      SAYS("An event card is turned up.")},
    [VERBS] = {0},
};

/* Money can be more than an argument holds.  Up to 30,000 it stands in
 * `amount` alone; beyond that it is amount + 1000 thousands + 1,000,000
 * millions. */
#define MONEY \
    {"amount", &count, false}, {"thousands", &count, true}, \
    { \
        "millions", &count, true \
    }

const struct rules_word greement_events[] = {
    [EV_START_PLAYER] = {"start_player",
                         {{0}},
                         false,
                         SAYS("Becomes the first player.")},
    [EV_TURNED_UP] = {"turned_up",
                      {{"square", &square, false}, {"ground", &ground, false}},
                      false,
                      SAYS("A square is turned up.")},
    [EV_SETTLED] = {"settled",
                    {{"square", &square, false}},
                    false,
                    SAYS("Gets a crop on the starting square.")},
    [EV_ALL_TURNED_UP] = {"all_turned_up",
                          {{0}},
                          false,
                          SAYS("All squares are turned up.")},
    [EV_TURN_BEGAN] = {"turn_began",
                       {{"round", &count, false}},
                       false,
                       SAYS("A turn begins.")},
    [EV_PROFIT] = {"profit", {MONEY}, false, SAYS("Collects the profit.")},
    [EV_BOUGHT] = {"bought_land",
                   {{"square", &square, false},
                    {"price", &count, false},
                    {"tax", &count, false}},
                   false,
                   SAYS("Buys a square.")},
    [EV_SEEDED] = {"seeded",
                   {{"square", &square, false}, {"price", &count, false}},
                   false,
                   SAYS("Seeds land.")},
    [EV_BOUGHT_CATTLE] = {"bought_cattle",
                          {{"square", &square, false},
                           {"price", &count, false}},
                          false,
                          SAYS("Buys cattle.")},
    [EV_PAID] = {"paid",
                 {{"to", &seat, false},
                  {"amount", &count, false},
                  {"tax", &count, false}},
                 false,
                 SAYS("Gives money to a player.")},
    [EV_OFFERED] = {"offered",
                    {{"offer", &offer, false},
                     {"trade", &trade, false},
                     {"with", &seat, false},
                     {"square", &square, false},
                     {"price", &price, false},
                     {"tax_by", &side, false}},
                    false,
                    SAYS("Makes an offer.")},
    [EV_TRADED] = {"traded",
                   {{"offer", &offer, false},
                    {"square", &square, false},
                    {"from", &seat, false},
                    {"price", &price, false},
                    {"tax", &count, false},
                    {"tax_by", &side, false}},
                   false,
                   SAYS("Gets a square from another player.")},
    [EV_DECLINED] = {"declined",
                     {{"offer", &offer, false}},
                     false,
                     SAYS("Declines an offer.")},
    [EV_WITHDREW] = {"withdrew",
                     {{"offer", &offer, false}},
                     false,
                     SAYS("Withdraws an offer.")},
    [EV_LAPSED] = {"lapsed",
                   {{"offer", &offer, false}},
                   false,
                   SAYS("An offer stands no longer.")},
    [EV_BOUGHT_CARD] = {"bought_action_card",
                        {{"price", &count, false}},
                        false,
                        SAYS("Buys an action card.")},
    [EV_DREW] = {"drew",
                 {{"card", &card, false}},
                 false,
                 SAYS("Draws an action card.")},
    [EV_STOLE] = {"stole",
                  {{"square", &square, false}, {"from", &seat, true}},
                  false,
                  SAYS("Takes a square.")},
    [EV_VALUE] = {"value_changed",
                  {{"value", &value, false}, {"amount", &count, false}},
                  false,
                  SAYS("A value of the table becomes another.")},
    [EV_COLLECTED] = {"collected",
                      {{"from", &seat, false}, {"amount", &count, false}},
                      false,
                      SAYS("Collects from a player.")},
    [EV_BORROWED] = {"borrowed",
                     {{"amount", &amount, false}},
                     false,
                     SAYS("Borrows money.")},
    [EV_REPAID] = {"repaid",
                   {{"amount", &amount, false}},
                   false,
                   SAYS("Repays debt.")},
    [EV_DEBT] = {"debt_doubled",
                 {MONEY},
                 false,
                 SAYS("The debt has doubled to this.")},
    [EV_TURN_ENDED] = {"turn_ended", {{0}}, false, SAYS("Ends the turn.")},
    [EV_EVENT] = {"turned_up_event",
                  {{"event", &event, false}},
                  false,
                  SAYS("An event card is turned up.")},
    [EV_VOTED] = {"voted", {{"avoid", &yes_no, false}}, false, SAYS("Votes.")},
    [EV_CONTRIBUTED] = {"contributed",
                        {{"amount", &amount, false}},
                        false,
                        SAYS("Contributes to avoid the event.")},
    [EV_DONE] = {"done", {{0}}, false, SAYS("Is done.")},
    [EV_AVOIDED] = {"avoided",
                    {{"event", &event, false}},
                    false,
                    SAYS("The event is avoided.")},
    [EV_TRIGGERED] = {"triggered",
                      {{"event", &event, false}},
                      false,
                      SAYS("The event happens.")},
    [EV_GIVEN_BACK] = {"given_back",
                       {{"amount", &amount, false}},
                       false,
                       SAYS("Gets the contributions back.")},
    [EV_BECAME] = {"became",
                   {{"square", &square, false}, {"state", &state, false}},
                   false,
                   SAYS("A square becomes something else.")},
    [EV_LOST] = {"lost",
                 {{"square", &square, false}},
                 false,
                 SAYS("Loses a square.")},
    [EV_COMPENSATED] = {"compensated",
                        {{"amount", &count, false}},
                        false,
                        SAYS("Gets money for the squares taken.")},
    [EV_TREATED] = {"treated",
                    {{"square", &square, false}},
                    false,
                    SAYS("Pays for cattle.")},
    [EV_ROUND_ENDED] = {"round_ended",
                        {{"turn_count", &count, false}},
                        false,
                        SAYS("A round is over.")},
    [EV_ENDED] = {"ended", {{0}}, false, SAYS("The game is over.")},
    {0},
};

/* ---- options, reasons, categories --------------------------------------- */

const struct rules_option greement_options[] = {
    [OPTION_TURNS] = {"turns", 1, GREEMENT_TURNS_MAX, 20, NULL, false,
                      SAYS("How many turns each player has.")},
    [OPTION_TAX] =
        {"tax_distance", 0, 1, 0, greement_tax_words, false,
         SAYS("The distance tax counts the distance less one, or all of it"
              " (though a connected square is free).")},
    [OPTION_LOANS] =
        {"loans", 0, 1, 0, NULL, true,
         SAYS(
             "Players may borrow up to 20; the debt doubles with each turn.")},
    [OPTIONS] = {0},
};

/* In the order of the constants in parts.h. */
const struct rules_reason greement_reasons[] = {
    {"not_face_down", SAYS("That square does not lie face down.")},
    {"next_to_start",
     SAYS("It is connected to another player's starting square.")},
    {"too_expensive", SAYS("You have not enough money.")},
    {"not_free", SAYS("That square has an owner.")},
    {"not_ownable", SAYS("Nobody can own a lake or a mountain.")},
    {"not_yours", SAYS("That square is not yours.")},
    {"not_unseeded", SAYS("Only unseeded land can be seeded.")},
    {"not_a_crop", SAYS("Cattle needs a crop.")},
    {"yourself", SAYS("That is yourself.")},
    {"not_theirs", SAYS("That square is not theirs.")},
    {"too_many_offers", SAYS("Eight offers stand already.")},
    {"no_such_offer", SAYS("There is no such offer, or none any more.")},
    {"not_your_offer",
     SAYS("That offer is not yours to answer or to withdraw.")},
    {"buyer_cannot_pay", SAYS("The buyer has not enough money.")},
    {"seller_cannot_pay",
     SAYS("The seller has not enough money for the tax.")},
    {"card_pending", SAYS("Use your action card first.")},
    {"deck_empty", SAYS("There is no action card left.")},
    {"loans_off", SAYS("There are no loans at this table.")},
    {"debt_limit",
     SAYS("One borrows up to a debt of 20, and repays what one owes.")},
    {"too_many_moves", SAYS("You have done that often enough for now.")},
    {"already_yours", SAYS("That square is yours already.")},
    {"not_the_decider", SAYS("This vote is decided by another player alone.")},
    {"not_cattle", SAYS("There is no cattle on that square.")},
    {"not_now", SAYS("That cannot be done at this point of the game.")},
    {"already_done", SAYS("You are done already.")},
    {"already_treated", SAYS("That cattle is paid for already.")},
    {"not_natures", SAYS("Chance cannot do that now.")},
    {0},
};

const struct rules_part greement_parts[] = {
    [PART_MONEY] = {"money", SAYS("Money")},
    [PART_DEBT] = {"debt", SAYS("Debt")},
    [PART_SQUARES] = {"squares", SAYS("Value of the squares")},
    [PARTS] = {0},
};

const struct rules_glossary greement_glossary[] = {
    {"card", greement_card_words, greement_card_texts},
    {"event", greement_event_words, greement_event_texts},
    {0},
};

/* ---- numbers -------------------------------------------------------------- */

/* rules, Material: the start of the table of values. */
const int32_t greement_start_values[VALUES] = {
    [LAND_PRICE] = 2,          [SEED_PRICE] = 2,         [CROP_PROFIT] = 4,
    [MINE_PRICE] = 6,          [MINE_PROFIT] = 6,        [LAKE_MULTIPLIER] = 1,
    [MOUNTAIN_MULTIPLIER] = 1, [DISTANCE_TAX] = 6,       [CATTLE_PRICE] = 8,
    [CATTLE_PROFIT] = 8,       [ACTION_CARD_PRICE] = 15,
};

static const uint8_t grounds[GROUNDS] = {
    [GROUND_LAND] = 60,
    [GROUND_MINE] = 30,
    [GROUND_LAKE] = 5,
    [GROUND_MOUNTAIN] = 5,
};

static const uint8_t cards[CARDS] = {
    [CARD_STEAL] = 1, [CARD_DECIDE] = 3,  [CARD_RAISE] = 1,
    [CARD_LOWER] = 1, [CARD_COLLECT] = 1, /* [G1] */
};

/* Cards that are voted on, and cards that are paid for. */
#define VOTED(cards_, effect_, ...) \
    { \
        .cards = (cards_), .effect = EFFECT_##effect_, \
        .change = {__VA_ARGS__}, \
    }
#define PAID(cards_, price_, effect_, pays_) \
    { \
        .cards = (cards_), .price = (price_), .effect = EFFECT_##effect_, \
        .pays = (pays_), \
    }

/* rules, Event phase: the two lists, in their order. */
const struct greement_event_card greement_event_deck[EVENTS] = {
    [EVENT_LAKE_UP] = VOTED(1, NONE, {LAKE_MULTIPLIER, 1},
                            {MOUNTAIN_MULTIPLIER, -1}),
    [EVENT_MOUNTAIN_UP] = VOTED(1, NONE, {MOUNTAIN_MULTIPLIER, 1},
                                {LAKE_MULTIPLIER, -1}),
    [EVENT_MULTIPLIERS_UP] = VOTED(1, NONE, {LAKE_MULTIPLIER, 1},
                                   {MOUNTAIN_MULTIPLIER, 1},
                                   {MINE_PROFIT, -2}),
    [EVENT_LAND_DEARER] = VOTED(2, NONE, {LAND_PRICE, 1}, {MINE_PRICE, -1}),
    [EVENT_LAND_CHEAPER] = VOTED(1, NONE, {LAND_PRICE, -1}, {MINE_PRICE, 1}),
    [EVENT_CATTLE_UP] = VOTED(1, NONE, {CATTLE_PRICE, 1}, {CATTLE_PROFIT, 1}),
    [EVENT_CATTLE_DOWN] = VOTED(1, NONE, {CATTLE_PRICE, -1},
                                {CATTLE_PROFIT, -1}),
    [EVENT_CROPS_UP] = VOTED(1, NONE, {SEED_PRICE, 1}, {CROP_PROFIT, 1}),
    [EVENT_CROPS_DOWN] = VOTED(1, NONE, {SEED_PRICE, -1}, {CROP_PROFIT, -1}),
    [EVENT_CROP_UP_MINE_DOWN] = VOTED(1, NONE, {CROP_PROFIT, 1},
                                      {MINE_PROFIT, -1}),
    [EVENT_CROP_DOWN_MINE_UP] = VOTED(2, NONE, {CROP_PROFIT, -1},
                                      {MINE_PROFIT, 1}),
    [EVENT_CATTLE_UP_MINE_DOWN] = VOTED(1, NONE, {CATTLE_PROFIT, 1},
                                        {MINE_PROFIT, -1}),
    [EVENT_CATTLE_DOWN_MINE_UP] = VOTED(2, NONE, {CATTLE_PROFIT, -1},
                                        {MINE_PROFIT, 1}),
    [EVENT_CROP_UP_CATTLE_DOWN] = VOTED(1, NONE, {CROP_PROFIT, 1},
                                        {CATTLE_PROFIT, -1}),
    [EVENT_CROP_DOWN_CATTLE_UP] = VOTED(1, NONE, {CROP_PROFIT, -1},
                                        {CATTLE_PROFIT, 1}),
    [EVENT_TAX_DOWN_CROP_DOWN] = VOTED(4, NONE, {DISTANCE_TAX, -2},
                                       {CROP_PROFIT, -1}),
    [EVENT_TAX_DOWN_MINE_UP] = VOTED(5, NONE, {DISTANCE_TAX, -2},
                                     {MINE_PROFIT, 2}),
    [EVENT_MINES_LOST] = VOTED(2, MINES_LOST, {0}),
    [EVENT_CROPS_LOST] = VOTED(5, CROPS_LOST, {MINE_PROFIT, 3}),
    [EVENT_CATTLE_TO_CROPS] = VOTED(3, CATTLE_TO_CROPS, {MINE_PROFIT, 3}),
    [EVENT_LANDS_TO_CATTLE] = VOTED(2, LANDS_TO_CATTLE, {0}),
    [EVENT_MINE_DOWN] = VOTED(2, NONE, {MINE_PROFIT, -1}),
    [EVENT_MINE_UP] = VOTED(5, NONE, {MINE_PROFIT, 1}),
    [EVENT_TAX_MULTIPLIERS_DOWN] = VOTED(5, NONE, {DISTANCE_TAX, -1},
                                         {LAKE_MULTIPLIER, -1},
                                         {MOUNTAIN_MULTIPLIER, -1}),
    [EVENT_CARDS_CHEAPER] = VOTED(5, NONE, {ACTION_CARD_PRICE, -2}),
    [EVENT_DISEASE] = PAID(3, 20, DISEASE, 0),
    [EVENT_LAKE_TAKEN] = PAID(3, 15, TAKE_LAKE, 2),
    [EVENT_MOUNTAIN_TAKEN] = PAID(2, 10, TAKE_MOUNTAIN, 1),
    [EVENT_MINES_TAKEN] = PAID(2, 50, TAKE_MINES, 1),
};

int greement_cards(int card_)
{
    return cards[card_];
}

int greement_grounds(int ground_)
{
    return grounds[ground_];
}

int greement_event_cards(int event_)
{
    return greement_event_deck[event_].cards;
}

int greement_event_price(int event_)
{
    return greement_event_deck[event_].price;
}
