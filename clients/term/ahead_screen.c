/* ahead_screen.c -- looking ahead, on the full screen: the game's own, with keys
 * for the tree. */

#include <string.h>

#include "ahead.h"
#include "clients/common/lang.h"
#include "clients/common/output.h"
#include "screen.h"

static struct ahead *ahead_of(const struct ui *ui)
{
    return ui->world;
}

static void go_on(struct ui *ui)
{
    int seat = ahead_seat(ahead_of(ui));

    ui->seat = seat >= 0 ? seat : RULES_WATCHER;
    ui_fresh(ui);
}

/* What stands there is said, if somebody said something. */
static void arrive(struct ui *ui, size_t seen)
{
    const struct ahead *a = ahead_of(ui);

    ui->message[0] = '\0';
    ui->seen = seen;
    go_on(ui);
    if (a->nodes[a->at].note != NULL)
        ui_say(ui, false, "%s", a->nodes[a->at].note);
}

static bool play(struct ui *ui, const struct rules_move *move)
{
    size_t before = ui->table->event_count;
    int refusal = ahead_play(ahead_of(ui), move);

    if (refusal != RULES_OK) {
        ui_say(ui, true, "%s", layout_reason(ui->table->rules, refusal));
        return false;
    }
    arrive(ui, before);
    return true;
}

static void step(struct ui *ui, bool could)
{
    if (could)
        arrive(ui, ui->table->event_count);
    else
        ui_say(ui, true, _("There is nothing there."));
}

static void back(struct ui *ui, int unused)
{
    (void)unused;
    step(ui, ahead_back(ahead_of(ui)));
}

static void undo(struct ui *ui)
{
    back(ui, 0);
}

static void on(struct ui *ui, int unused)
{
    (void)unused;
    step(ui, ahead_on(ahead_of(ui)));
}

static void other(struct ui *ui, int unused)
{
    (void)unused;
    step(ui, ahead_other(ahead_of(ui)));
}

static void drop(struct ui *ui, int unused)
{
    (void)unused;
    step(ui, ahead_drop(ahead_of(ui)));
}

static void draw_again(struct ui *ui, int unused)
{
    (void)unused;
    step(ui, ahead_redraw(ahead_of(ui)));
}

static void write_chances(struct ui *ui, FILE *to)
{
    if (ahead_chances(to, ahead_of(ui)) == 0)
        (void)fputs(_("There is nothing to choose for chance there.\n"), to);
}

static void choose_chance(struct ui *ui, int unused)
{
    char text[20];
    uint64_t n;

    (void)unused;
    ui_page_of(ui, _("What chance might have done"), write_chances);
    if (ui_ask(ui, _("Which number of it is it to do?"), text, sizeof(text)) &&
        text[0] != '\0')
        step(ui, number_read(text, AHEAD_CHANCES, &n) &&
                     ahead_choose(ahead_of(ui), (size_t)n));
}

static void guess(struct ui *ui, int unused)
{
    (void)unused;
    ahead_reguess(ahead_of(ui));
    arrive(ui, 0);
}

static void write_tree(struct ui *ui, FILE *to)
{
    ahead_tree(to, ahead_of(ui));
}

static void show_tree(struct ui *ui, int unused)
{
    (void)unused;
    ui_page_of(ui, _("What was tried"), write_tree);
}

static void go_to(struct ui *ui, int unused)
{
    char text[20];
    uint64_t node;

    (void)unused;
    if (ui_ask(ui, _("To which number of the tree?"), text, sizeof(text)) &&
        text[0] != '\0')
        step(ui, number_read(text, AHEAD_NODES_MAX, &node) &&
                     ahead_go(ahead_of(ui), (int)node));
}

static void note(struct ui *ui, int unused)
{
    char text[AHEAD_NOTE_MAX];

    (void)unused;
    if (!ui_ask(ui, _("What do you think of it?"), text, sizeof(text)))
        return;
    ahead_note(ahead_of(ui), text);
    arrive(ui, ui->seen);
}

static void next_seat(struct ui *ui, int unused)
{
    struct ahead *a = ahead_of(ui);

    (void)unused;
    for (int i = 1; ui->seat < a->table.seats && i < a->table.seats; i++) {
        int seat = (ui->seat + i) % a->table.seats;
        if (!rules_can_move(&a->table.any.state, seat))
            continue;
        a->seat = seat;
        go_on(ui);
        return;
    }
}

static void machine(struct ui *ui, int unused)
{
    struct rules_move move;

    (void)unused;
    if (!ahead_of(ui)->machine)
        ui_say(ui, true, _("The machine is not asked while a game goes on."));
    else if (!ahead_think(ahead_of(ui), &move))
        ui_say(ui, true, _("It would not move there."));
    else if (play(ui, &move))
        ui_say(ui, false, _("The machine would play so."));
}

static const struct ui_key keys[] = {
    {"B F", "B", 0, back, 0, NULL, N_("back before the last move, on again"),
     N_("back")},
    {NULL, "F", 0, on, 0, NULL, NULL, NULL},
    {"V", "V", 0, other, 0, NULL, N_("the move tried instead"), NULL},
    {"T", "T", 0, show_tree, 0, NULL, N_("all that was tried"), N_("tree")},
    {"J", "J", 0, go_to, 0, NULL, N_("go to a number of it"), NULL},
    {"N", "N", 0, note, 0, NULL, N_("what you think of it"), N_("note")},
    {"X", "X", 0, drop, 0, NULL, N_("drop it, and what follows"), NULL},
    {"D", "D", 0, draw_again, 0, NULL, N_("let chance draw again"), NULL},
    {"C", "C", 0, choose_chance, 0, NULL, N_("choose what chance does"), NULL},
    {"G", "G", 0, guess, 0, NULL, N_("guess what is hidden anew"), NULL},
    {"P", "P", 0, next_seat, 0, NULL,
     N_("play for another, where several can move"), NULL},
    {"M", "M", 0, machine, 0, NULL,
     N_("what the machine would play, once a game is over"), NULL},
    KEYS_END,
};

static void quit(struct ui *ui)
{
    ui->done = true;
}

static void frame(struct ui *ui)
{
    char tag[80];

    (void)snprintf(tag, sizeof(tag), " %s ", _("ANALYSIS, not the table"));
    int width = output_width(tag);
    ui_text(0, COLS - width, width,
            ui_attr(ui, STYLE_BAR) | A_BOLD | A_UNDERLINE, tag, false);
}

static void help(struct ui *ui, FILE *to)
{
    (void)fprintf(to, "\n%s\n", ahead_says(ahead_of(ui)));
}

void ahead_screen(struct ahead *a, struct display_look look)
{
    static const struct controller controller = {
        .go_on = go_on,
        .play = play,
        .undo = undo,
        .keys = keys,
        .quit = quit,
        .frame = frame,
        .help = help,
    };
    static struct ui ui;

    ui = (struct ui){
        .controller = &controller,
        .world = a,
        .colour = look.colour,
        .unicode = look.unicode,
        .mouse = look.mouse,
        .seat = RULES_WATCHER,
        .status = STATUS_DONE,
    };
    if (!ui_open(&ui)) {
        ahead_plain(a);
        return;
    }
    ui_table(&ui, &a->table, game_ui_find(a->table.rules->name));
    arrive(&ui, 0);
    ui_say(&ui, false, "%s", ahead_says(a));
    ui_run(&ui);
    ui_close(&ui);
}
