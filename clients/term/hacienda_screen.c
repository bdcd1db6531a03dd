/* hacienda_screen.c -- the full screen of Hacienda.
 *
 *     title     half, round, whose turn, actions done, money
 *     board     as much of it as there is room for, with the cursor (cells.h)
 *       panel   beside it: players, points, stacks and log if it is wide,
 *               three lines for each player if it is not
 *     tools     the hand, and all that can be bought or done, each with a key
 *     info      what lies under the cursor, what the tool in hand would do
 *     log       what happened last
 *
 * One takes a tool -- a card of the hand, a water tile, the end of the turn --
 * and the hexes where it may be used light up; Enter uses it.  What is legal
 * and what it brings is asked of the rules, on the view. */

#include "clients/common/lang.h"
#include "clients/common/output.h"
#include "core/base.h"
#include "hacienda_tools.h"
#include "protocol/sbuf_printf.h"

static void write_cards(struct ui *ui, FILE *to)
{
    hacienda_ui.hand(to, ui->table, &ui->view.state);
    hacienda_print_points(to, hacienda_of(ui));
}

static bool can_end(const struct ui *ui)
{
    (void)ui;
    return hacienda_choices.tool == NO_TOOL &&
           choices_legal(&hacienda_choices, END_TURN) > 0;
}

static bool can_harvest(const struct ui *ui)
{
    return hacienda_choices.tool == NO_TOOL &&
           choices_legal(&hacienda_choices, HARVEST) > 0 &&
           hacienda_of(ui)->actions >= HACIENDA_ACTIONS;
}

static const struct ui_key keys[] = {
    {"1-9 0", "1234567890", 0, choices_key, KEY_ITSELF, NULL,
     N_("take a card: mountain, forest, meadow, rocks, swamp, pampas; cattle, "
        "horse, pig, sheep"),
     NULL},
    {"d a", "da", 0, choices_key, KEY_ITSELF, NULL,
     N_("draw from the land pile, the animal pile (final)"), NULL},
    {"b", "b", 0, choices_key, KEY_ITSELF, NULL,
     N_("buy a card that lies face up; again: the next one (final)"), NULL},
    {"f", "f", 0, choices_key, KEY_ITSELF, NULL, N_("buy a hacienda"), NULL},
    {"w", "w", 0, choices_key, KEY_ITSELF, NULL,
     N_("buy water; again: the next shape"), NULL},
    {"v", "v", 0, choices_key, KEY_ITSELF, can_harvest, N_("harvest"),
     N_("harvest")},
    {"e", "e", 0, choices_key, KEY_ITSELF, can_end, N_("end the turn"),
     N_("end turn")},
    KEYS_END,
};

/* The cards that can be played, each with its key; only these where all that
 * would take too much room. */
static void say_playable(struct sbuf *s)
{
    char words[200], digits[60];
    struct sbuf with = sbuf_in(words, sizeof(words));
    struct sbuf without = sbuf_in(digits, sizeof(digits));

    for (int card = 0; card < CARDS; card++) {
        if (hacienda_choices.legal[card] == 0)
            continue;
        sbuf_printf(&with, "%s%d %s", with.len > 0 ? ", " : "",
                    (card + 1) % 10, hacienda_card_name(card));
        sbuf_printf(&without, "%s%d", without.len > 0 ? " " : "",
                    (card + 1) % 10);
    }
    if (with.len > 0)
        sbuf_printf(s, _(": %s can be played"),
                    output_width(words) < 28 ? words : digits);
}

static void say_now(const struct ui *ui, char *buf, size_t cap)
{
    struct sbuf s = sbuf_in(buf, cap);
    int left = HACIENDA_ACTIONS - hacienda_of(ui)->actions;

    if (hacienda_choices.tool != NO_TOOL) {
        char name[80];
        choices_name(ui, &hacienda_choices, hacienda_choices.tool, name,
                     sizeof(name));
        sbuf_printf(&s, "%s:", name);
    } else if (left <= 0) {
        sbuf_puts(&s, _("No actions left"));
    } else {
        sbuf_printf(&s, P_("%d action left", "%d actions left", left), left);
        say_playable(&s);
    }
}

const struct screen hacienda_screen = {
    .start = hacienda_colours,
    .draw = hacienda_draw,
    .toward = choices_toward,
    .go = choices_go,
    .cells = &hacienda_cells,
    .choices = &hacienda_choices,
    .keys = keys,
    .now = say_now,
    .all = N_("Cards, prices and points"),
    .write_all = write_cards,
    .lines_min = 12,
    .columns_min = 46,
    .help = N_(
        /* xgettext:no-c-format */
        "Take something, choose a place, press Enter. (Brackets) show "
        "where it can be.\n"
        "Hexes: 0L is land of player 0; c h p s are cattle, horse, pig, "
        "sheep; * is a harvest chip, H or a little house a hacienda, & "
        "both; $$$ is a market, . pampas, \" meadow, % swamp, Y or a "
        "club forest, o or a square rocks, ^ or a triangle mountain, ~ "
        "water.\n"
        "In the hand 2+1 are two cards that nobody has seen and one "
        "that all have."),
};
