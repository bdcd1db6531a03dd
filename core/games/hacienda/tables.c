/* tables.c -- the words and numbers of Hacienda. */

#include "parts.h"

/* clang-format off: tables are laid out by hand. */

/* ---- words ------------------------------------------------------------ */

const char *const hacienda_card_words[] = {
    "mountain", "forest", "meadow", "rocks", "swamp", "pampas",
    "cattle",   "horse",  "pig",    "sheep", NULL,
};
const char *const hacienda_terrain_words[] = {
    "mountain", "forest", "meadow", "rocks", "swamp", NULL,
};
const char *const hacienda_tile_words[] = {
    "empty", "land", "cattle", "horse", "pig", "sheep", "water", NULL,
};
const char *const hacienda_ground_words[] = {
    "void",     "pampas", "meadow", "forest", "swamp", "rocks",
    "mountain", "random", "market", "water",  NULL,
};
const char *const hacienda_shape_words[] = {
    "single", "double", "triangle", "line", NULL,
};
const char *const hacienda_stack_words[] = {"land", "animals", NULL};
static const char *const scoring_words[] = {"interim", "final", NULL};
static const char *const end_words[] = {
    "scored",
    "all_passed",
    "round_limit",
    NULL,
};
const char *const hacienda_part_names[] = {
    "interim", "markets", "land", "herds", "haciendas", "water", "money", NULL,
};

/* ---- kinds of arguments ------------------------------------------------ */

/* clang-format on */

static int16_t hexes(const struct rules_state *s)
{
    return (int16_t)table_of(s)->hexes;
}

static size_t hex_write(const struct rules_state *s, int16_t hex, char *buf,
                        size_t cap)
{
    const struct hacienda *h = table_of(s);
    char name[BOARD_NAME_SIZE];
    size_t n = board_hex_write(h->cols, h->rows, hex, name, sizeof(name));
    for (size_t i = 0; i < n && i < cap; i++)
        buf[i] = name[i];
    return n;
}

static bool hex_read(const struct rules_state *s, const char *text, size_t len,
                     int16_t *ret_hex)
{
    const struct hacienda *h = table_of(s);
    return board_hex_read(h->cols, h->rows, text, len, ret_hex);
}

/* clang-format off */
static const struct rules_kind card = {
    .name = "card", .form = RULES_WORD, .words = hacienda_card_words,
};
static const struct rules_kind terrain = {
    .name = "terrain", .form = RULES_WORD, .words = hacienda_terrain_words,
};
static const struct rules_kind stack = {
    .name = "stack", .form = RULES_WORD, .words = hacienda_stack_words,
};
static const struct rules_kind shape = {
    .name = "shape", .form = RULES_WORD, .words = hacienda_shape_words,
};
static const struct rules_kind part = {
    .name = "part", .form = RULES_WORD, .words = hacienda_part_names,
};
static const struct rules_kind scoring = {
    .name = "scoring", .form = RULES_WORD, .words = scoring_words,
};
static const struct rules_kind end = {
    .name = "end", .form = RULES_WORD, .words = end_words,
};
static const struct rules_kind hex = {
    .name = "hex", .form = RULES_PLACE,
    .count = hexes, .write = hex_write, .read = hex_read,
};
static const struct rules_kind seat = {.name = "seat", .form = RULES_SEAT};
static const struct rules_kind amount = {
    .name = "amount", .form = RULES_NUMBER, .min = 0, .max = INT16_MAX,
};

/* ---- verbs and events --------------------------------------------------- */

const struct rules_word hacienda_verbs[] = {
    [BUY_LAND_SUPPLY] = {"buy_land_supply", {{0}}, false,
        SAYS("Buy the top card of the land supply for 2 pesos.")},
    [BUY_LAND_DISPLAY] = {"buy_land_display", {{"card", &card, false}}, false,
        SAYS("Buy a face-up land card for 3 pesos.")},
    [BUY_ANIMAL_SUPPLY] = {"buy_animal_supply", {{0}}, false,
        SAYS("Buy the top card of the animal supply for 2 pesos.")},
    [BUY_ANIMAL_DISPLAY] = {"buy_animal_display", {{"card", &card, false}},
        false, SAYS("Buy a face-up animal card for 3 pesos.")},
    [BUY_HACIENDA] = {"buy_hacienda", {{"hex", &hex, false}}, false,
        SAYS("Buy a hacienda, once a turn, and put it on a tile of yours.")},
    [BUY_WATER] = {"buy_water",
        {{"shape", &shape, false}, {"hex1", &hex, false},
         {"hex2", &hex, true}, {"hex3", &hex, true}}, false,
        SAYS("Buy a water tile, once a turn, and put it on empty pampas; its"
        " hexes in reading order.")},
    [PLAY_LAND] = {"play_land",
        {{"card", &card, false}, {"hex", &hex, false}}, false,
        SAYS("Play a land card: a land tile on an empty space of its terrain,"
        " or on pampas next to your land.")},
    [PLAY_ANIMAL] = {"play_animal",
        {{"card", &card, false}, {"hex", &hex, false}}, false,
        SAYS("Play an animal card: its tile on empty pampas next to your land"
        " or to your herd of that animal.")},
    [HARVEST] = {"harvest", {{"hex", &hex, false}, {"from", &hex, true}},
        false,
        SAYS("Harvest a land chain, once a turn: 3 pesos for each of its"
        " tiles. With no chip left, take one `from` an opponent's land.")},
    [END_TURN] = {"end_turn", {{0}}, false, SAYS("End your turn.")},
    [NATURE_START] = {"start_player", {{"seat", &seat, false}}, true,
        SAYS("The start player is drawn.")},
    [NATURE_SPARE] = {"spare_terrain", {{"terrain", &terrain, false}}, true,
        SAYS("A terrain is drawn of which the board gets one more.")},
    [NATURE_TERRAIN] = {"terrain",
        {{"hex", &hex, false}, {"terrain", &terrain, false}}, true,
        SAYS("The terrain of an open space is drawn.")},
    [NATURE_DEAL] = {"deal", {{"seat", &seat, false}, {"card", &card, false}},
        true, SAYS("A card is drawn into a hand.")},
    [NATURE_TURN_UP] = {"turn_up", {{"card", &card, false}}, true,
        SAYS("A card is turned up into the display.")},
    [VERBS] = {0},
};

const struct rules_word hacienda_events[] = {
    [EV_START_PLAYER] = {"start_player", {{0}}, false,
        SAYS("Becomes the start player.")},
    [EV_SPARE_TERRAIN] = {"spare_terrain", {{"terrain", &terrain, false}},
        false, SAYS("The board gets one more space of this terrain.")},
    [EV_TERRAIN] = {"terrain",
        {{"hex", &hex, false}, {"terrain", &terrain, false}}, false,
        SAYS("A space gets its terrain.")},
    [EV_DREW] = {"drew", {{"stack", &stack, false}, {"card", &card, false}},
        false, SAYS("Draws a card.")},
    [EV_TURNED_UP] = {"turned_up", {{"card", &card, false}}, false,
        SAYS("A card is turned up into the display.")},
    [EV_SHUFFLED] = {"shuffled", {{0}}, false,
        SAYS("The land discards become the new supply.")},
    [EV_SECOND_STACK] = {"second_stack", {{0}}, false,
        SAYS("The second animal stack comes into use.")},
    [EV_LAST_STACK] = {"last_stack", {{0}}, false,
        SAYS("The last animal card has been drawn: this round is the last.")},
    [EV_BOUGHT_CARD] = {"bought_card",
        {{"stack", &stack, false}, {"amount", &amount, false}}, false,
        SAYS("Buys the top card of a supply.")},
    [EV_TOOK_CARD] = {"took_card",
        {{"card", &card, false}, {"amount", &amount, false}}, false,
        SAYS("Buys a card from the display.")},
    [EV_BOUGHT_HACIENDA] = {"bought_hacienda",
        {{"hex", &hex, false}, {"amount", &amount, false}}, false,
        SAYS("Buys a hacienda.")},
    [EV_BOUGHT_WATER] = {"bought_water",
        {{"shape", &shape, false}, {"amount", &amount, false},
         {"hex1", &hex, false}, {"hex2", &hex, true}, {"hex3", &hex, true}},
        false, SAYS("Buys a water tile.")},
    [EV_PLAYED] = {"played", {{"card", &card, false}, {"hex", &hex, false}},
        false, SAYS("Plays a card.")},
    [EV_MARKET_PAID] = {"market_paid",
        {{"hex", &hex, false}, {"amount", &amount, false}}, false,
        SAYS("A market pays.")},
    [EV_HARVESTED] = {"harvested",
        {{"hex", &hex, false}, {"amount", &amount, false},
         {"from", &hex, true}}, false, SAYS("Harvests a land chain.")},
    [EV_TURN_ENDED] = {"turn_ended", {{"amount", &amount, false}}, false,
        SAYS("Ends the turn after so many actions.")},
    [EV_ROUND_BEGAN] = {"round_began", {{"amount", &amount, false}}, false,
        SAYS("A round begins.")},
    [EV_SCORED] = {"scored",
        {{"scoring", &scoring, false}, {"part", &part, false},
         {"amount", &amount, false}}, false, SAYS("Scores points.")},
    [EV_ENDED] = {"ended",
                  {{"end", &end, false}},
                  false,
                  SAYS("The game is over.")},
    {0},
};

/* ---- options, reasons, categories --------------------------------------- */

const struct rules_option hacienda_options[] = {
    [OPTION_VARIANT1] = {"variant1", 0, 1, 0, NULL, true,
        SAYS("Markets pay animals times bordering land; haciendas and water"
        " cost 20; herds score.")},
    [OPTION_VARIANT2] = {"variant2", 0, 1, 0, NULL, true,
        SAYS("Points count after every action; no interim scoring.")},
    [OPTION_CRUCIBLE] = {"crucible", 0, 1, 0, NULL, true,
        SAYS("The two-player game on the board Crucible, with rules of its"
             " own.")},
    [OPTIONS] = {0},
};

/* In the order of the constants in parts.h. */
const struct rules_reason hacienda_reasons[] = {
    {"no_actions_left", SAYS("You have done your three actions of this turn.")},
    {"once_per_turn", SAYS("That can be done once a turn only.")},
    {"supply_empty", SAYS("There is none left.")},
    {"too_expensive", SAYS("You have not enough pesos.")},
    {"not_in_display", SAYS("That card does not lie face up.")},
    {"not_your_tile", SAYS("There is no land or animal tile of yours.")},
    {"has_hacienda", SAYS("That tile has a hacienda already.")},
    {"wrong_shape", SAYS("These hexes are not of that shape.")},
    {"wrong_order", SAYS("Name the hexes in reading order.")},
    {"wrong_space", SAYS("That is not the ground it needs.")},
    {"hex_taken", SAYS("A tile lies there already.")},
    {"not_in_hand", SAYS("You do not hold that card.")},
    {"no_tile_left", SAYS("There is no tile left for that card.")},
    {"not_adjacent", SAYS("It must be next to a fitting tile of yours.")},
    {"not_your_land", SAYS("There is no land tile of yours.")},
    {"no_chain", SAYS("A single land tile is no chain.")},
    {"chain_has_chip", SAYS("That chain has a harvest chip already.")},
    {"from_not_allowed", SAYS("There are chips in the supply; take none"
          " from others.")},
    {"no_chip_left", SAYS("There is no chip to take anywhere.")},
    {"from_needed", SAYS("The supply is empty: say whose chip you take.")},
    {"no_chip_there", SAYS("No opponent's chip lies there.")},
    {"not_natures", SAYS("Chance cannot do that now.")},
    {0},
};

const struct rules_part hacienda_parts[] = {
    [PART_INTERIM] = {"interim", SAYS("Interim scoring")},
    [PART_MARKETS] = {"markets", SAYS("Markets")},
    [PART_LAND] = {"land", SAYS("Land chains")},
    [PART_HERDS] = {"herds", SAYS("Herds")},
    [PART_HACIENDAS] = {"haciendas", SAYS("Haciendas")},
    [PART_WATER] = {"water", SAYS("Water")},
    [PART_MONEY] = {"money", SAYS("Money")},
    [PARTS] = {0},
};

/* ---- numbers -------------------------------------------------------------- */

/* rules, Material and Setup. */
#define STANDARD(removed_, haciendas_) \
    { \
        .cards = {14, 14, 14, 14, 14, 10, 18, 18, 18, 18}, \
        .removed = (removed_), .deal = {8, 4}, .slots = 4, \
        .haciendas = (haciendas_), .chips = 8, .waters = {9, 4, 3, 2}, \
    }

static const struct hacienda_numbers by_seats[] = {
    STANDARD(30, 5),
    STANDARD(20, 7),
    STANDARD(10, 8),
    STANDARD(0, 9),
};

/* rules, Variants, `crucible`; [H8] the shapes. */
static const struct hacienda_numbers crucible = {
    .cards = {8, 8, 8, 8, 8, 6, 8, 8, 8, 8},
    .deal = {2, 2}, .pampas = 2, .slots = 3,
    .haciendas = 3, .chips = 3, .waters = {4, 1, 1, 1},
};

/* clang-format on */

const struct hacienda_numbers *hacienda_numbers(int seats, bool is_crucible)
{
    ASSERT(seats >= 2 && seats <= HACIENDA_SEATS_MAX);
    return is_crucible ? &crucible : &by_seats[seats - 2];
}

int hacienda_cost(const struct hacienda *h, int verb)
{
    switch (verb) {
    case BUY_LAND_SUPPLY:
    case BUY_ANIMAL_SUPPLY: return 2;
    case BUY_LAND_DISPLAY:
    case BUY_ANIMAL_DISPLAY: return 3;
    case BUY_HACIENDA:
    case BUY_WATER: return h->variant1 ? 20 : 12;
    default: return 0;
    }
}
