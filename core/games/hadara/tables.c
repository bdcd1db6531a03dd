/* tables.c -- the words of Hadara.  The numbers are in data/. */

#include "parts.h"

const char *const hadara_color_words[] = {
    "yellow", "red", "blue", "green", "purple", NULL,
};
const char *const hadara_track_words[] = {
    "income", "military", "culture", "food", NULL,
};
const char *const hadara_effect_words[] = {
    "sell_bonus",
    "bonus_tile",
    "culture_per_blue",
    "income_per_yellow",
    "food_per_green",
    "military_per_red",
    "colony_coins",
    "medal_discount",
    "income_per_higher_track",
    "food_surplus_coins",
    "statue_bonus",
    "feed_with_coins",
    "silver_full",
    "set_points",
    "requirement_minus_4",
    "wild_colour",
    "double_step",
    "pay_requirement",
    NULL,
};
const char *const hadara_effect_texts[] = {
    SAYS("One more coin whenever you sell a card."),
    SAYS("When bought, a bonus tile of yours lies face up on it: that track +"
         " 2."),
    SAYS("Culture + 1 for each blue card you own."),
    SAYS("Income + 1 for each yellow card you own."),
    SAYS("Food + 1 for each green card you own."),
    SAYS("Military + 1 for each red card you own."),
    SAYS("4 coins whenever you take a colony."),
    SAYS("Medals cost the reduced prices in epochs II and III."),
    SAYS("At income, 2 coins for each track higher than the income track."),
    SAYS("When feeding begins, 3 coins for each food above the cards, at most"
         " 12."),
    SAYS("The bonus of each of your statues is 2 higher."),
    SAYS("When feeding, pay 2 coins instead of removing a card, at most 6"
         " times."),
    SAYS("One of your silver medals scores the full track."),
    SAYS("4 points for each set of five colours."),
    SAYS("Requirements of colonies and statues are 4 lower."),
    SAYS("For gold medals it may stand for another colour than purple in one"
         " set."),
    SAYS("Twice in each colony step and each statue step."),
    SAYS("3 coins lower a requirement by 1; at most 30 coins a phase."),
    NULL,
};
const char *const hadara_side_words[] = {"a", "b", NULL};
const char *const hadara_keep_words[] = {"buy", "sell", NULL};
const char *const hadara_mode_words[] = {"plunder", "integrate", NULL};
const char *const hadara_face_words[] = {"up", "points", NULL};
const char *const hadara_stage_words[] = {
    "ring",   "deal",   "sides", "wheel", "choose", "take",
    "colony", "statue", "feed",  "over",  NULL,
};
const char *const hadara_part_words[] = {
    "cards", "colonies", "statues", "silver", "gold", "effects", "coins", NULL,
};
const char *const hadara_preview_words[] = {
    "income", "military", "culture", "food", "coins", "points", "value", NULL,
};

/* ---- kinds of arguments ----------------------------------------------- */

#define WORDS(what, list) \
    { \
        .name = (what), .form = RULES_WORD, .words = (list) \
    }
#define NUMBER(what, least, most) \
    { \
        .name = (what), .form = RULES_NUMBER, .min = (least), .max = (most) \
    }

static const struct rules_kind card = WORDS("card", hadara_card_words);
static const struct rules_kind color = WORDS("color", hadara_color_words);
static const struct rules_kind track = WORDS("track", hadara_track_words);
static const struct rules_kind side = WORDS("side", hadara_side_words);
static const struct rules_kind keep = WORDS("keep", hadara_keep_words);
static const struct rules_kind mode = WORDS("mode", hadara_mode_words);
static const struct rules_kind face = WORDS("face", hadara_face_words);
static const struct rules_kind part = WORDS("part", hadara_part_words);
static const struct rules_kind seat = {.name = "seat", .form = RULES_SEAT};
static const struct rules_kind offset = NUMBER("offset", 0, HADARA_STEPS - 1);
static const struct rules_kind level = NUMBER("level", 1, HADARA_LEVELS);
static const struct rules_kind copy = NUMBER("copy", 1, HADARA_COPIES);
static const struct rules_kind statue = NUMBER("statue", 1, HADARA_STATUES);
static const struct rules_kind initiative = NUMBER("initiative", 1,
                                                   HADARA_SETUPS);
static const struct rules_kind epoch = NUMBER("epoch", 1, HADARA_EPOCHS);
static const struct rules_kind cards = NUMBER("cards", 1, HADARA_OWNED_MAX);
/* What the highest requirement can ask for, [D16]. */
static const struct rules_kind pay = NUMBER("pay", 0, 3 * HADARA_VALUE_MAX);
static const struct rules_kind amount = NUMBER("amount", 0, INT16_MAX);

/* ---- verbs and events ------------------------------------------------- */

const struct rules_word hadara_verbs[] = {
    [CHOOSE_SIDE] =
        {"choose_side",
         {{"side", &side, false}},
         false,
         SAYS("Choose a side of your setup card; hidden until all have.")},
    [SET_WHEEL] =
        {"set_wheel",
         {{"offset", &offset, false}},
         false,
         SAYS("Set the wheel: seat k begins at segment (k + offset) mod 5.")},
    [CHOOSE] = {"choose",
                {{"discard", &card, false},
                 {"keep", &keep, false},
                 {"tile", &track, true}},
                false,
                SAYS("Discard one of your two cards and buy or sell the other;"
                     " hidden, and to be changed, until all have chosen.")},
    [TAKE] = {"take",
              {{"color", &color, false},
               {"keep", &keep, false},
               {"tile", &track, true}},
              false,
              SAYS(
                  "Take the top card of a discard pile, and buy or sell it.")},
    [TAKE_COLONY] =
        {"take_colony",
         {{"level", &level, false},
          {"mode", &mode, false},
          {"pay", &pay, true}},
         false,
         SAYS("Take a colony: plunder it for coins, or pay to integrate it.")},
    [CARVE] =
        {"carve",
         {{"statue", &statue, false},
          {"tile", &track, false},
          {"face", &face, false},
          {"pay", &pay, true}},
         false,
         SAYS("Carve a statue and put a bonus tile on it, for its track or for"
              " points.")},
    [REMOVE] = {"remove",
                {{"card", &card, false}},
                false,
                SAYS("Remove a card that you cannot feed.")},
    [PAY_FEED] =
        {"pay_feed",
         {{"cards", &cards, false}},
         false,
         SAYS("Pay 2 coins for each of so many cards instead of removing"
              " them.")},
    [BUY_SILVER] =
        {"buy_silver",
         {{"track", &track, false}},
         false,
         SAYS("Buy a silver medal with a bonus tile of that track.")},
    [BUY_GOLD] = {"buy_gold", {{0}}, false, SAYS("Buy a gold medal.")},
    [PASS] = {"pass",
              {{0}},
              false,
              SAYS("Take no colony, or carve no statue.")},
    [DONE] = {"done", {{0}}, false, SAYS("Buy no more medals in this epoch.")},
    [NATURE_RING] = {"ring",
                     {{"first", &color, false},
                      {"second", &color, false},
                      {"third", &color, false},
                      {"fourth", &color, false},
                      {"fifth", &color, false}},
                     true,
                     SAYS("The segments are joined to a ring, clockwise.")},
    [NATURE_SETUP] = {"setup_card",
                      {{"seat", &seat, false},
                       {"initiative", &initiative, false}},
                      true,
                      SAYS("A setup card is dealt.")},
    [NATURE_DRAW] = {"draw",
                     {{"seat", &seat, false},
                      {"first", &card, false},
                      {"second", &card, false}},
                     true,
                     SAYS("A player draws two cards.")},
    [NATURE_COLONY] = {"turn_colony",
                       {{"level", &level, false}, {"copy", &copy, false}},
                       true,
                       SAYS("The back of an integrated colony is seen.")},
    [HADARA_VERBS] = {0},
};

const struct rules_word hadara_events[] = {
    [EV_RING] = {"ring",
                 {{"first", &color, false},
                  {"second", &color, false},
                  {"third", &color, false},
                  {"fourth", &color, false},
                  {"fifth", &color, false}},
                 false,
                 SAYS("The ring of segments is joined.")},
    [EV_SETUP_CARD] = {"setup_card",
                       {{"initiative", &initiative, false}},
                       false,
                       SAYS("Is dealt a setup card.")},
    [EV_SIDE_CHOSEN] = {"chose_side",
                        {{0}},
                        false,
                        SAYS("Has chosen a side of the setup card.")},
    [EV_SIDE_CHOICE] = {"side_choice",
                        {{"side", &side, false}},
                        false,
                        SAYS("You have chosen this side.")},
    [EV_SIDE] = {"side",
                 {{"side", &side, false}},
                 false,
                 SAYS("Plays this side of the setup card.")},
    [EV_EXTRA_COIN] = {"extra_coin",
                       {{"amount", &amount, false}},
                       false,
                       SAYS("Gets a coin for being first less often.")},
    [EV_EPOCH] = {"epoch_began",
                  {{"epoch", &epoch, false}},
                  false,
                  SAYS("Is first player of the epoch that begins.")},
    [EV_WHEEL_SET] = {"wheel_set",
                      {{"offset", &offset, false}},
                      false,
                      SAYS("Sets the wheel.")},
    [EV_DREW] = {"drew",
                 {{"color", &color, false},
                  {"first", &card, false},
                  {"second", &card, false}},
                 false,
                 SAYS("Draws two cards.")},
    [EV_CHOSE] = {"chose", {{0}}, false, SAYS("Has chosen.")},
    [EV_CHOICE] = {"choice",
                   {{"discard", &card, false},
                    {"keep", &keep, false},
                    {"tile", &track, true}},
                   false,
                   SAYS("You have chosen this.")},
    [EV_DISCARDED] = {"discarded",
                      {{"card", &card, false}},
                      false,
                      SAYS("Discards a card.")},
    [EV_TOOK] = {"took",
                 {{"card", &card, false}},
                 false,
                 SAYS("Takes a card from a pile.")},
    [EV_BOUGHT] = {"bought",
                   {{"card", &card, false},
                    {"amount", &amount, false},
                    {"tile", &track, true}},
                   false,
                   SAYS("Buys a card for so many coins.")},
    [EV_SOLD] = {"sold",
                 {{"card", &card, false}, {"amount", &amount, false}},
                 false,
                 SAYS("Sells a card for so many coins.")},
    [EV_WHEEL_TURNED] = {"wheel_turned",
                         {{0}},
                         false,
                         SAYS("The wheel turns by a segment.")},
    [EV_INCOME] = {"income",
                   {{"amount", &amount, false}},
                   false,
                   SAYS("Gets income.")},
    [EV_COLONY] = {"took_colony",
                   {{"level", &level, false},
                    {"mode", &mode, false},
                    {"pay", &pay, true}},
                   false,
                   SAYS("Takes a colony.")},
    [EV_COLONY_TURNED] = {"colony_turned",
                          {{"level", &level, false}, {"copy", &copy, false}},
                          false,
                          SAYS("Turns a colony over.")},
    [EV_STATUE] = {"carved",
                   {{"statue", &statue, false},
                    {"tile", &track, false},
                    {"face", &face, false},
                    {"pay", &pay, true}},
                   false,
                   SAYS("Carves a statue.")},
    [EV_PASSED] = {"passed", {{0}}, false, SAYS("Passes.")},
    [EV_SURPLUS] = {"food_surplus",
                    {{"amount", &amount, false}},
                    false,
                    SAYS("Gets coins for food to spare.")},
    [EV_REMOVED] = {"removed",
                    {{"card", &card, false}},
                    false,
                    SAYS("Removes a card.")},
    [EV_FED] = {"paid_feed",
                {{"cards", &cards, false}, {"amount", &amount, false}},
                false,
                SAYS("Pays for cards instead of removing them.")},
    [EV_SILVER] = {"bought_silver",
                   {{"track", &track, false}, {"amount", &amount, false}},
                   false,
                   SAYS("Buys a silver medal.")},
    [EV_GOLD] = {"bought_gold",
                 {{"amount", &amount, false}},
                 false,
                 SAYS("Buys a gold medal.")},
    [EV_DONE] = {"done", {{0}}, false, SAYS("Is done with this epoch.")},
    [EV_SCORED] = {"scored",
                   {{"part", &part, false}, {"amount", &amount, false}},
                   false,
                   SAYS("Scores points.")},
    [EV_ENDED] = {"ended", {{0}}, false, SAYS("The game is over.")},
    {0},
};

/* ---- options, reasons, categories ------------------------------------- */

const struct rules_option hadara_options[] = {
    [OPTION_ADVANCED] =
        {"advanced", 0, 1, 0, NULL, true,
         SAYS("Each chooses a side of the setup card, and the purple cards"
              " with a star take part.")},
    [OPTIONS] = {0},
};

/* In the order of the constants in parts.h. */
const struct rules_reason hadara_reasons[] = {
    {"not_drawn", SAYS("That is not one of the two cards you drew.")},
    {"pile_empty", SAYS("There is no card in that pile.")},
    {"level_taken", SAYS("You have a colony of that level already.")},
    {"too_weak", SAYS("Your military is too low for that colony.")},
    {"statue_carved", SAYS("You have carved that statue already.")},
    {"too_uncultured", SAYS("Your culture is too low for that statue.")},
    {"not_your_card", SAYS("You do not own that card.")},
    {"no_such_effect", SAYS("You have no card with that effect.")},
    {"too_many", SAYS("These are more cards than you may pay for.")},
    {"too_many_medals", SAYS("You have two of these medals already.")},
    {"too_expensive", SAYS("You have not enough coins.")},
    {"wrong_payment", SAYS("Pay exactly 3 coins for each point you lack, and"
                           " nothing if you lack none.")},
    {"payment_limit", SAYS("At most 30 coins a phase lower requirements.")},
    {"no_tile", SAYS("You have no unused bonus tile of that track.")},
    {"tile_needed", SAYS("Say which bonus tile goes on the card.")},
    {"tile_not_needed", SAYS("No bonus tile goes there.")},
    {"wrong_step", SAYS("That is not what is to be done now.")},
    {"not_natures", SAYS("Chance cannot do that now.")},
    {0},
};

const struct rules_part hadara_parts[] = {
    [PART_CARDS] = {"cards", SAYS("Cards")},
    [PART_COLONIES] = {"colonies", SAYS("Colonies")},
    [PART_STATUES] = {"statues", SAYS("Statues")},
    [PART_SILVER] = {"silver", SAYS("Silver medals")},
    [PART_GOLD] = {"gold", SAYS("Gold medals")},
    [PART_EFFECTS] = {"effects", SAYS("Purple effects")},
    [PART_COINS] = {"coins", SAYS("Coins left")},
    [HADARA_PARTS] = {0},
};

const struct rules_glossary hadara_glossary[] = {
    {"effect", hadara_effect_words, hadara_effect_texts},
    {0},
};
