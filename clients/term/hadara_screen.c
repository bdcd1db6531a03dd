/* hadara_screen.c -- the full screen of Hadara.
 *
 *     title     epoch, phase, step; what the player at the keyboard is to do
 *     players   tracks, coins, points (and value if the game ended now) of all
 *     choices   what one can do, and what these numbers would be after it: the
 *               same columns, so that both are read from top to bottom
 *     text      all about the choice in hand, or the card under the cursor
 *     ring      the five colours as columns: deck, who draws there, pile,
 *               and the cards of the board that is shown
 *     board     whose it is, tiles, medals, what feeds the tracks, colonies,
 *               statues
 *     log       what happened last; beside all of it where there is room
 *
 * One picks a choice and presses Enter.  Tab goes to the cards and back. */

#include <string.h>

#include "clients/common/lang.h"
#include "hadara_offers.h"

struct hadara_here hadara_here;

int hadara_shown(const struct ui *ui)
{
    if (hadara_here.shown >= 0)
        return hadara_here.shown;
    return ui->seat < ui->view.state.seats ? ui->seat : 0;
}

static void start(struct ui *ui)
{
    memset(&hadara_here, 0, sizeof(hadara_here));
    hadara_here.shown = -1;
    hadara_colours(ui);
}

/* What was chosen already is up; or else the first that can be. */
static void fresh(struct ui *ui)
{
    const struct rules_state *view = &ui->view.state;
    size_t count;

    hadara_here.choices = hadara_choices(ui->table->rules, view, ui->seat,
                                         hadara_here.choice);
    hadara_make_ways(ui);
    hadara_here.at = hadara_here.top = 0;
    hadara_here.shown = -1;
    hadara_here.looking = false;
    while (hadara_here.at + 1 < hadara_here.rows &&
           hadara_choice_at(ui, hadara_here.at)->refusal != RULES_OK)
        hadara_here.at++;
    for (size_t row = 0; row < hadara_here.rows; row++) {
        for (size_t i = 0; i < hadara_offers.legal[row]; i++) {
            const struct hadara_choice *c = hadara_choice_of(ui, row, &count);
            if (hadara_move_chosen(view, ui->seat, &c->move)) {
                hadara_here.at = row;
                break;
            }
            choices_turn(ui, &hadara_offers, (int)row, 1);
        }
    }
}

/* ---- keys --------------------------------------------------------------- */

static void look(struct ui *ui, int dx, int dy)
{
    uint8_t cards[HADARA_COLUMN_CARDS];

    hadara_here.column = (hadara_here.column + dx + HADARA_STEPS) %
                         HADARA_STEPS;
    int n = hadara_column_cards(ui, hadara_here.column, cards);
    hadara_here.in += dy;
    if (hadara_here.in >= n)
        hadara_here.in = dy != 0 ? 0 : n - 1;
    if (hadara_here.in < 0)
        hadara_here.in = dy != 0 && n > 0 ? n - 1 : 0;
}

static void step(struct ui *ui, int by)
{
    if (hadara_here.looking) {
        look(ui, 0, by);
    } else if (hadara_here.rows > 0) {
        hadara_here.at = (hadara_here.at + hadara_here.rows +
                          (size_t)(by < 0 ? hadara_here.rows - 1 : 1)) %
                         hadara_here.rows;
    }
}

static void sideways(struct ui *ui, int by)
{
    if (hadara_here.looking)
        look(ui, by, 0);
    else if (hadara_here.at < hadara_here.rows)
        choices_turn(ui, &hadara_offers, (int)hadara_here.at, by);
}

static void use(struct ui *ui, int unused)
{
    const struct hadara_choice *choice = hadara_choice_at(ui, hadara_here.at);

    (void)unused;
    if (hadara_here.looking) {
        hadara_here.looking = false;
    } else if (choice == NULL) {
        ui_say(ui, false, _("There is nothing to be done."));
    } else {
        struct rules_move move = choice->move;
        (void)ui_play(ui, &move);
    }
}

/* To the row of that number. */
static void go_to_row(struct ui *ui, int key)
{
    hadara_here.looking = false;
    if ((size_t)(key - '1') < hadara_here.rows)
        hadara_here.at = (size_t)(key - '1');
    else
        ui_say(ui, true,
               P_("There is only %d way.", "There are only %d ways.",
                  (int)hadara_here.rows),
               (int)hadara_here.rows);
}

/* To the row that passes, or is done. */
static void go_to_end(struct ui *ui, int unused)
{
    int verb = hadara_table(ui)->stage == STAGE_FEED ? DONE : PASS;

    (void)unused;
    hadara_here.looking = false;
    for (size_t i = 0; i < hadara_here.rows; i++) {
        if (hadara_choice_at(ui, i)->move.verb == verb) {
            hadara_here.at = i;
            return;
        }
    }
    ui_say(ui, true, _("Not now."));
}

/* To the next row that buys, or that sells. */
static void go_to_keep(struct ui *ui, int keep)
{
    hadara_here.looking = false;
    for (size_t i = 1; i <= hadara_here.rows; i++) {
        size_t row = (hadara_here.at + i) % hadara_here.rows;
        const struct rules_move *move = &hadara_choice_at(ui, row)->move;
        if ((move->verb == CHOOSE || move->verb == TAKE) &&
            move->arg[1] == keep) {
            hadara_here.at = row;
            return;
        }
    }
    ui_say(ui, true,
           keep == KEEP_BUY ? _("There is no card to buy now.")
                            : _("There is no card to sell now."));
}

static void show_next(struct ui *ui, int by)
{
    int seats = ui->view.state.seats;
    int seat = (hadara_shown(ui) + by + seats) % seats;

    hadara_here.shown = seat == ui->seat ? -1 : seat;
    hadara_here.in = 0;
}

/* To the cards and back. */
static void look_at_cards(struct ui *ui, int unused)
{
    (void)unused;
    hadara_here.looking = !hadara_here.looking;
    hadara_here.in = hadara_here.looking ? hadara_here.in : 0;
    if (hadara_here.looking)
        look(ui, 0, 0);
}

static void go_back(struct ui *ui, int unused)
{
    (void)ui, (void)unused;
    hadara_here.looking = false;
    hadara_here.shown = -1;
}

static void write_boards(struct ui *ui, FILE *to)
{
    hadara_ui.board(to, ui->table, &ui->view.state);
    (void)fprintf(to, "\n%s\n", _("Effects of purple cards:"));
    for (int i = 0; hadara_effect_words[i] != NULL; i++)
        (void)fprintf(to, "  %s%s\n", hadara_effect_starred(i) ? "* " : "",
                      layout_word(&hadara_rules, "effect", i, ""));
    (void)fprintf(to, "\n%s\n", _("About the numbers:"));
    for (int i = 0; hadara_notes[i] != NULL; i++)
        (void)fprintf(to, "  %s\n", hadara_notes[i]);
}

static bool is_looking(const struct ui *ui)
{
    (void)ui;
    return hadara_here.looking;
}

static bool is_choosing(const struct ui *ui)
{
    (void)ui;
    return !hadara_here.looking && hadara_here.rows > 0;
}

static bool has_variants(const struct ui *ui)
{
    return is_choosing(ui) && hadara_offers.legal[hadara_here.at] > 1;
}

static const struct ui_key keys[] = {
    {N_("Enter, space"), " ", KEY_RETURN, use, 0, is_choosing,
     N_("do it; in phase A you may change it until all have chosen (t, if "
        "another one sits at the keyboard)"),
     N_("do it")},
    {N_("up down, k j, n p"), "jn", KEY_DOWN, step, 1, NULL,
     N_("the next way"), NULL},
    {NULL, "kp", KEY_UP, step, -1, NULL, NULL, NULL},
    {N_("left right, h l, r"), "lr", KEY_RIGHT, sideways, 1, has_variants,
     N_("another tile, or amount, where <1/4> is shown"), N_("another")},
    {NULL, "h", KEY_LEFT, sideways, -1, NULL, NULL, NULL},
    {"1-9", "123456789", 0, go_to_row, KEY_ITSELF, NULL,
     N_("the way of that number"), NULL},
    {"b v", "b", 0, go_to_keep, KEEP_BUY, NULL,
     N_("the next card to buy, to sell"), NULL},
    {NULL, "v", 0, go_to_keep, KEEP_SELL, NULL, NULL, NULL},
    {"e", "e", 0, go_to_end, 0, NULL, N_("pass; be done with the epoch"),
     NULL},
    {N_("Tab"), "\t", KEY_BTAB, look_at_cards, 0, is_choosing,
     N_("to the cards and back: the arrows go from card to card; its cost for "
        "you and its effect stand below the ways"),
     N_("cards")},
    {"Tab", NULL, 0, look_at_cards, 0, is_looking, NULL, N_("back")},
    {"o O", "o", 0, show_next, 1, is_looking,
     N_("the next player's board, the one before"), N_("another's board")},
    {NULL, "O", 0, show_next, -1, NULL, NULL, NULL},
    {N_("Esc"), NULL, KEY_ESCAPE, go_back, 0, NULL,
     N_("back to your own board and ways"), NULL},
    KEYS_END,
};

static bool toward(const struct ui *ui, const struct rules_move *move,
                   char *buf, size_t cap)
{
    size_t row = 0, count, digits = 9;

    while (row < hadara_here.rows &&
           !hadara_same_choice(&hadara_choice_at(ui, row)->move, move))
        row++;
    if (row == hadara_here.rows)
        return false;
    if (row != hadara_here.at || hadara_here.looking) {
        if (row < digits)
            (void)snprintf(buf, cap, "%zu", row + 1);
        else
            (void)snprintf(buf, cap, "%s", row > hadara_here.at ? "j" : "k");
        return true;
    }
    bool there = move_same(&hadara_choice_of(ui, row, &count)->move, move);
    (void)snprintf(buf, cap, "%s", there ? _("Enter") : "r");
    return there || count > 1;
}

static bool go(struct ui *ui, int at)
{
    bool card = at >= HADARA_CHOICES_MAX;
    bool there = !card && !hadara_here.looking && hadara_here.at == (size_t)at;

    (void)ui;
    hadara_here.looking = card;
    if (card) {
        hadara_here.column = (at - HADARA_CHOICES_MAX) / HADARA_COLUMN_CARDS;
        hadara_here.in = (at - HADARA_CHOICES_MAX) % HADARA_COLUMN_CARDS;
    } else {
        hadara_here.at = (size_t)at;
    }
    return there;
}

static void say_now(const struct ui *ui, char *buf, size_t cap)
{
    int last = hadara_here.rows < 9 ? (int)hadara_here.rows : 9;

    (void)ui;
    if (hadara_here.looking)
        (void)snprintf(buf, cap, _("The cards: arrows"));
    else if (hadara_here.rows == 1)
        (void)snprintf(buf, cap, _("One way"));
    else
        (void)snprintf(buf, cap, _("Your choice: arrows, 1-%d"), last);
}

const struct screen hadara_screen = {
    .start = start,
    .fresh = fresh,
    .draw = hadara_draw,
    .toward = toward,
    .go = go,
    .keys = keys,
    .now = say_now,
    .all = N_("Piles, boards and effects"),
    .write_all = write_boards,
    .help = N_("Choose what to do and press Enter. Beside each way stand your "
               "numbers after it.\n"
               "Players: 1st is the first player of the epoch, 7c are seven "
               "cards. Points are those of cards, colonies and statues, (in "
               "parentheses) the value if the game ended now.\n"
               "The ring: cards left in the deck, who draws there, the pile "
               "(3:1-05 is three cards, 1-05 on top), the cards below it (in "
               "parentheses), and then those on the board that is shown. * is "
               "a purple effect.\n"
               "Cards in little: 3$ is the cost for you, i m c f income, "
               "military, culture and food, p points.\n"
               "Colonies: 9: +4/-1$ 5p needs military 9, plundered for 4, "
               "integrated for 1, 5 points. Statues: 12: 8p, bonus 3 needs "
               "culture 12."),
};
