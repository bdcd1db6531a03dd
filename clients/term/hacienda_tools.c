#include "hacienda_tools.h"

#include "clients/common/lang.h"
#include "protocol/sbuf_printf.h"

/* clang-format off: a table is laid out by hand. */
static const struct tool tools[] = {
    {.verb = PLAY_LAND,
     .keys = "123456",
     .name = "%s",
     .count = LAND_CARDS,
     .first = 1,
     .places = 1,
     .card = true},
    {.verb = PLAY_ANIMAL,
     .keys = "7890",
     .name = "%s",
     .count = CARDS - LAND_CARDS,
     .from = LAND_CARDS,
     .first = 1,
     .places = 1,
     .card = true},
    {.verb = BUY_LAND_SUPPLY, .keys = "d", .name = N_("a land card")},
    {.verb = BUY_ANIMAL_SUPPLY, .keys = "a", .name = N_("an animal card")},
    {.verb = BUY_LAND_DISPLAY,
     .keys = "b",
     .name = N_("%s from the display"),
     .count = HACIENDA_SLOTS},
    {.verb = BUY_ANIMAL_DISPLAY,
     .keys = "b",
     .name = N_("%s from the display"),
     .count = HACIENDA_SLOTS},
    {.verb = BUY_HACIENDA, .keys = "f", .name = N_("hacienda"), .places = 1},
    {.verb = BUY_WATER,
     .keys = "w",
     .name = N_("water (%s)"),
     .count = SHAPES,
     .first = 1,
     .places = 3},
    {.verb = HARVEST,
     .keys = "v",
     .name = N_("harvest"),
     .places = 1,
     .fills = 2},
    {.verb = END_TURN, .keys = "e", .name = N_("the end of your turn")},
    TOOLS_END,
};
/* clang-format on */

/* A slot has whatever card lies in it; it may be empty. */
static int value(const struct ui *ui, int verb, int k)
{
    const struct hacienda *h = hacienda_of(ui);

    if (verb != BUY_LAND_DISPLAY && verb != BUY_ANIMAL_DISPLAY)
        return verb == PLAY_ANIMAL ? LAND_CARDS + k : k;
    int card =
        h->display[verb == BUY_LAND_DISPLAY ? STACK_LAND : STACK_ANIMALS][k];
    return card == HACIENDA_NOBODY ? RULES_HIDDEN : card;
}

const char *hacienda_card_name(int card)
{
    return hacienda_word("card", card, hacienda_card_words);
}

static void say_unseen(const struct ui *ui, struct sbuf *s, int stack)
{
    int first = stack == STACK_LAND ? 0 : LAND_CARDS;
    int last = stack == STACK_LAND ? LAND_CARDS : CARDS;
    const char *comma = "";

    sbuf_printf(s, ", %s", _("may be"));
    for (int card = first; card < last; card++) {
        int unseen = hacienda_unseen(hacienda_of(ui), card);
        if (unseen == 0)
            continue;
        sbuf_printf(s, "%s %s %d", comma, hacienda_card_name(card), unseen);
        comma = ",";
    }
}

static void more(const struct ui *ui, struct sbuf *s)
{
    const struct choices *c = &hacienda_choices;

    if (c->tool == NO_TOOL) {
        if (s->len == 0 && ui_plays(ui) &&
            hacienda_of(ui)->actions >= HACIENDA_ACTIONS)
            sbuf_puts(s, _("All actions done: e ends your turn."));
        return;
    }
    int verb = choices_row(c, c->tool)->verb;
    if (verb == BUY_LAND_SUPPLY)
        say_unseen(ui, s, STACK_LAND);
    else if (verb == BUY_ANIMAL_SUPPLY)
        say_unseen(ui, s, STACK_ANIMALS);
}

static const char *const of_place[] = {
    "wrong_space",  "hex_taken",      "not_adjacent", "not_your_tile",
    "has_hacienda", "wrong_shape",    "wrong_order",  "not_your_land",
    "no_chain",     "chain_has_chip", "bad_argument", NULL,
};
static const struct choices_form form = {
    .tools = tools,
    .value = value,
    .of_place = of_place,
    .more = more,
};
struct choices hacienda_choices = {
    .form = &form,
    .board = &hacienda_cells,
    .tool = NO_TOOL,
};
