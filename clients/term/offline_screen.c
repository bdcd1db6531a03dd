/* offline_screen.c -- a table without a server, on the full screen: bots,
 * passing the keyboard, undo. */

#include "core/base.h"
#include "screen.h"

/* Hides everything until the next player sits before it. */
static void pass_keyboard(struct ui *ui)
{
    for (;;) {
        (void)erase();
        ui_text(0, 0, COLS, ui_attr(ui, STYLE_BAR), " Sobremesa", true);
        ui_print(LINES / 2 - 1, 4, COLS - 4, ui_attr(ui, STYLE_BOLD),
                 "The keyboard goes to %s.", ui->table->names[ui->seat]);
        ui_text(LINES / 2 + 1, 4, COLS - 4, A_NORMAL,
                "Press Enter when nobody else is looking.", false);
        ui_text(LINES - 1, 0, COLS, ui_attr(ui, STYLE_BAR), " Enter: go on",
                true);
        (void)refresh();
        int key = ui_key(ui);
        if (key == KEY_RETURN || key == ERR)
            return;
    }
}

/* Lets nature and the bots move, and gives the keyboard to who is next. */
static void go_on(struct ui *ui)
{
    struct offline *o = ui->world;

    while (offline_step(o) >= 0)
        if (ui->game_ui->asks != NULL && ui->game_ui->asks(&o->table))
            break;
    if (rules_over(offline_state(o))) {
        ui_fresh(ui);
        ui_show_scores(ui);
        return;
    }
    const struct rules_state *s = offline_state(o);
    uint16_t waiting = (uint16_t)(s->acting & ~o->table.bots);
    if (ui->seat >= s->seats || !rules_can_move(s, ui->seat) ||
        (waiting != 0 && !(s->acting & RULES_BIT(ui->seat)))) {
        int seat = offline_human(o, -1);
        ASSERT(seat >= 0);
        bool changes = seat != ui->seat && offline_humans(o) > 1;
        ui->seat = seat;
        if (changes && o->table.rules->redact != NULL)
            pass_keyboard(ui);
    }
    ui_fresh(ui);
}

static bool play(struct ui *ui, const struct rules_move *move)
{
    struct offline *o = ui->world;
    size_t before = o->table.event_count;

    int refusal = offline_play(o, ui->seat, move);
    if (refusal != RULES_OK) {
        ui_say(ui, true, "%s", rules_reason_text(o->table.rules, refusal));
        return false;
    }
    ui->message[0] = '\0';
    ui->seen = before;
    go_on(ui);
    return true;
}

static void undo(struct ui *ui)
{
    struct offline *o = ui->world;
    int seat;
    enum rules_undo why = undo_at(o, ui->seat, &seat);

    if (why != RULES_UNDO_YES) {
        ui_say(ui, true, "That cannot be taken back. %s", undo_sentence(why));
        return;
    }
    ui->seen = o->table.event_count;
    if (seat != ui->seat && rules_can_move(offline_state(o), seat))
        ui->seat = seat;
    go_on(ui);
    ui_say(ui, false, "%s takes back the last move.", o->table.names[seat]);
}

static bool key(struct ui *ui, int key)
{
    struct offline *o = ui->world;

    if (key != 't' || rules_over(&ui->view.state))
        return false;
    int seat = offline_human(o, ui->seat);
    if (seat < 0 || seat == ui->seat)
        return true;
    ui->seat = seat;
    if (o->table.rules->redact != NULL)
        pass_keyboard(ui);
    ui_fresh(ui);
    return true;
}

static void quit(struct ui *ui)
{
    bool over = rules_over(offline_state(ui->world));
    if (over || ui_sure(ui, "Leave the game? It is not kept."))
        ui->done = true;
}

static void help(struct ui *ui, FILE *to)
{
    const struct offline *o = ui->world;
    (void)fprintf(to, "\nThis game can be played again with --seed %llu.\n",
                  (unsigned long long)o->seed);
}

static const struct controller offline_controller = {
    .go_on = go_on,
    .play = play,
    .undo = undo,
    .key = key,
    .quit = quit,
    .help_keys = "  t  another player types, where several can move\n",
    .help = help,
};

int offline_screen(struct offline *o, const struct game_ui *game_ui,
                   bool colour, bool unicode)
{
    static struct ui ui;

    ui = (struct ui){
        .controller = &offline_controller,
        .world = o,
        .colour = colour,
        .unicode = unicode,
        .seat = RULES_WATCHER,
        .status = STATUS_DONE,
    };
    if (!ui_open(&ui))
        return offline_plain(o, game_ui);
    ui_table(&ui, &o->table, game_ui);
    go_on(&ui);
    ui_run(&ui);
    ui_close(&ui);
    if (rules_over(offline_state(o)))
        layout_result(stdout, &o->table);
    else
        printf("%s was left at ply %lu; --seed %llu began it.\n",
               o->table.rules->title, (unsigned long)offline_state(o)->ply,
               (unsigned long long)o->seed);
    return ui.status;
}
