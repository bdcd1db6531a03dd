/* offline_screen.c -- a table without a server, on the full screen: bots,
 * passing the keyboard, undo. */

#include "clients/common/lang.h"
#include "clients/common/output.h"
#include "core/base.h"
#include "core/text.h"
#include "layout.h"
#include "lead.h"
#include "screen.h"

/* Hides everything until the next player sits before it. */
static void pass_keyboard(struct ui *ui)
{
    for (;;) {
        ui_clear();
        ui_text(0, 0, COLS, ui_attr(ui, STYLE_BAR), " Sobremesa", true);
        ui_print(LINES / 2 - 1, 4, COLS - 4, ui_attr(ui, STYLE_BOLD),
                 _("The keyboard goes to %s."), ui->table->names[ui->seat]);
        ui_text(LINES / 2 + 1, 4, COLS - 4, A_NORMAL,
                _("Press Enter when nobody else is looking."), false);
        ui_text(LINES - 1, 0, COLS, ui_attr(ui, STYLE_BAR), _(" Enter: go on"),
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
    if (!offline_keep(o))
        ui_say(ui, true, _("%s: cannot be written"), o->file);
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

/* ---- who is led --------------------------------------------------------- */

#define LEAD_LINES 5  /* at least */
#define GAME_LINES 14 /* that a game keeps beside what is said, at least */

/* Finds out what is said, and makes room for it as far as the game can spare
 * it. */
static void lead_room(struct ui *ui)
{
    struct lead *l = ((struct offline *)ui->world)->lead;
    int game = ui->screen->lines_min > GAME_LINES ? ui->screen->lines_min
                                                  : GAME_LINES;
    int most = LINES - game > LEAD_LINES ? LINES - game : LEAD_LINES;

    l->lines = LEAD_LINES;
    l->waits = false;
    if (!rules_over(&ui->view.state))
        lead_find(l, &ui->view.state);
    if (l->waits) {
        char text[LEAD_TEXT];
        lead_say(l, ui->table, &ui->view.state, "", text);
        int lines = 1 + layout_lines(text, COLS - 2);
        lines = lines < most ? lines : most;
        l->lines = lines > LEAD_LINES ? lines : LEAD_LINES;
    }
    ui->lines -= l->lines;
}

/* TEXT in HEIGHT lines; what there is no room for is told by the help. */
static void draw_lead(const struct ui *ui, int y, int height, const char *text)
{
    const char *rest = text, *more = ui->unicode ? " …" : " ...";
    int width = COLS - 2;

    if (layout_lines(text, width) <= height) {
        (void)ui_wrap(y, 1, height, width, A_NORMAL, text);
        return;
    }
    (void)ui_wrap(y, 1, height - 1, width, A_NORMAL, text);
    for (int n = 0; n < height - 1; n++) {
        rest += layout_line(rest, width);
        rest += *rest == ' ' || *rest == '\n';
    }
    ui_print(y + height - 1, 1, width, A_NORMAL, "%.*s%s",
             (int)layout_line(rest, width - output_width(more)), rest, more);
}

/* What to press next: what the game's screen knows, or the move in words. */
static void keys_to(struct ui *ui, const struct rules_move *move, char *buf,
                    size_t cap)
{
    char text[RULES_TEXT_MAX];

    if (ui->screen->toward != NULL && ui->screen->toward(ui, move, buf, cap))
        return;
    (void)text_move(ui->table->rules, &ui->view.state, move, text,
                    sizeof(text));
    (void)snprintf(buf, cap, ": %s Enter", text);
}

/* What is said stands between the game's screen and the last line. */
static void lead_frame(struct ui *ui)
{
    struct lead *l = ((struct offline *)ui->world)->lead;
    char text[LEAD_TEXT], keys[RULES_TEXT_MAX + 20] = "Enter";
    int y = LINES - 1 - l->lines;

    if (rules_over(&ui->view.state))
        return;
    ui_text(y, 0, COLS, ui_attr(ui, STYLE_BAR), _(" Guide"), true);
    if (!l->waits)
        return;
    bool looks = l->hint.part != GUIDE_MOVE;
    if (!looks)
        keys_to(ui, &l->hint.move, keys, sizeof(keys));
    lead_say(l, ui->table, &ui->view.state, "", text);
    draw_lead(ui, y + 1, l->lines - 1, text);
    char press[RULES_TEXT_MAX + 40];
    (void)snprintf(press, sizeof(press),
                   looks ? _(" Go on: %s ") : _(" Press: %s "), keys);
    int width = output_width(press);
    ui_text(y, COLS > width ? COLS - width : 0, width,
            ui_attr(ui, STYLE_BAR) | A_BOLD, press, false);
}

/* Enter goes on where there is only something to be looked at. */
static bool lead_key(struct ui *ui, int key)
{
    struct lead *l = ((struct offline *)ui->world)->lead;

    if (!l->waits || l->hint.part == GUIDE_MOVE ||
        (key != KEY_RETURN && key != ' '))
        return false;
    lead_told(l);
    (void)offline_keep(ui->world);
    return true;
}

static bool play(struct ui *ui, const struct rules_move *move)
{
    struct offline *o = ui->world;
    size_t before = o->table.event_count;

    if (o->lead != NULL)
        lead_find(o->lead, &ui->view.state);
    int refusal = offline_play(o, ui->seat, move);
    if (refusal != RULES_OK) {
        ui_say(ui, true, "%s", layout_reason(o->table.rules, refusal));
        return false;
    }
    if (o->lead != NULL)
        lead_told(o->lead);
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
        ui_say(ui, true, _("That cannot be taken back. %s"),
               undo_sentence(why));
        return;
    }
    ui->seen = o->table.event_count;
    if (seat != ui->seat && rules_can_move(offline_state(o), seat))
        ui->seat = seat;
    go_on(ui);
    ui_say(ui, false, _("%s takes back the last move."), o->table.names[seat]);
}

/* Gives the keyboard to another one who can move. */
static void change_seat(struct ui *ui, int unused)
{
    struct offline *o = ui->world;
    int seat = rules_over(&ui->view.state) ? -1 : offline_human(o, ui->seat);

    (void)unused;
    if (seat < 0 || seat == ui->seat)
        return;
    ui->seat = seat;
    if (o->table.rules->redact != NULL)
        pass_keyboard(ui);
    ui_fresh(ui);
}

static bool wants_ahead; /* one wants to look ahead */

static void look_ahead(struct ui *ui, int unused)
{
    (void)unused;
    wants_ahead = true;
    ui->done = true;
}

static const struct ui_key keys[] = {
    {"t", "t", 0, change_seat, 0, NULL,
     N_("another player types, where several can move"), NULL},
    {"A", "A", 0, look_ahead, 0, NULL, N_("analysis: try moves from here"),
     NULL},
    KEYS_END,
};

static void quit(struct ui *ui)
{
    const struct offline *o = ui->world;
    bool over = rules_over(&o->table.any.state);
    if (over || o->file != NULL ||
        ui_sure(ui, _("Leave the game? It is not kept.")))
        ui->done = true;
}

static void help(struct ui *ui, FILE *to)
{
    const struct offline *o = ui->world;
    (void)fprintf(to, _("\nThis game can be played again with --seed %llu.\n"),
                  (unsigned long long)o->seed);
}

static void lead_help(struct ui *ui, FILE *to)
{
    const struct lead *l = ((struct offline *)ui->world)->lead;
    char text[LEAD_TEXT];

    if (l->waits) {
        lead_say(l, ui->table, &ui->view.state, "", text);
        (void)fputs("\n", to);
        layout_paragraph(to, "", text, ui_page_width());
    }
    help(ui, to);
}

static const struct controller offline_controller = {
    .go_on = go_on,
    .play = play,
    .undo = undo,
    .keys = keys,
    .quit = quit,
    .help = help,
};

static const struct controller lead_controller = {
    .go_on = go_on,
    .play = play,
    .undo = undo,
    .key = lead_key,
    .keys = keys,
    .quit = quit,
    .room = lead_room,
    .frame = lead_frame,
    .help = lead_help,
};

/* Tries moves, which are kept nowhere. */
static void analyse(struct offline *o, int seat, struct display_look look)
{
    static struct ahead a;
    struct ahead_from from = offline_ahead_from(o, seat);

    ahead_open(&a, &from);
    ahead_screen(&a, look);
    ahead_close(&a);
}

int offline_screen(struct offline *o, const struct game_ui *game_ui,
                   struct display_look look)
{
    static struct ui ui;

    ui = (struct ui){
        .controller = o->lead != NULL ? &lead_controller : &offline_controller,
        .world = o,
        .colour = look.colour,
        .unicode = look.unicode,
        .mouse = look.mouse,
        .seat = RULES_WATCHER,
        .status = STATUS_DONE,
    };
    do {
        wants_ahead = ui.done = false;
        if (!ui_open(&ui))
            return offline_plain(o, game_ui);
        ui_table(&ui, &o->table, game_ui);
        go_on(&ui);
        ui_run(&ui);
        ui_close(&ui);
        ui.unread = NULL;
        if (wants_ahead)
            analyse(o, ui.seat, look);
    } while (wants_ahead);
    if (rules_over(offline_state(o)))
        layout_result(stdout, &o->table, LAYOUT_WIDE);
    else if (o->lead != NULL && o->file != NULL)
        printf(_("`sobremesa learn %s` goes on with it.\n"),
               o->table.rules->name);
    else if (o->file != NULL)
        printf(_("%s was left at ply %lu; --resume %s goes on with it.\n"),
               o->table.rules->title, (unsigned long)offline_state(o)->ply,
               o->file);
    else
        printf(_("%s was left at ply %lu; --seed %llu began it.\n"),
               o->table.rules->title, (unsigned long)offline_state(o)->ply,
               (unsigned long long)o->seed);
    return ui.status;
}
