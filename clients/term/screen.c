#include "screen.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cells.h"
#include "choices.h"
#include "clients/common/lang.h"
#include "clients/common/output.h"
#include "core/base.h"
#include "core/preview.h"
#include "core/says.h"
#include "protocol/sbuf_printf.h"

/* ---- the course of the game --------------------------------------------- */

void ui_fresh(struct ui *ui)
{
    const struct table *table = ui->table;

    rules_view(table->rules, &table->any.state, ui->seat, &ui->view.state);
    table_points(table, &ui->view.state, &ui->score);
    ui->choice_count = ui->seat < ui->view.state.seats &&
                               ui->controller->play != NULL
                           ? rules_legal(table->rules, &ui->view.state,
                                         ui->seat, -1, ui->choices,
                                         RULES_MOVES_MAX)
                           : 0;
    if (ui->screen->choices != NULL)
        choices_position(ui);
    if (ui->screen->fresh != NULL)
        ui->screen->fresh(ui);
}

void ui_say(struct ui *ui, bool bad, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    (void)vsnprintf(ui->message, sizeof(ui->message), format, args);
    va_end(args);
    ui->bad = bad;
}

bool ui_plays(const struct ui *ui)
{
    return ui->seat < ui->view.state.seats && !rules_over(&ui->view.state);
}

bool ui_play(struct ui *ui, const struct rules_move *move)
{
    if (ui->controller->play == NULL) {
        ui_say(ui, true, _("You are only looking on."));
        return false;
    }
    return ui->controller->play(ui, move);
}

void ui_say_preview(const struct ui *ui, const struct rules_move *move,
                    char *buf, size_t cap)
{
    static struct preview_room room;
    const struct rules *r = ui->table->rules;
    struct sbuf s = sbuf_in(buf, cap);
    struct preview p;

    buf[0] = '\0';
    if (preview_move(r, &ui->view.state, ui->seat, move, &room, &p) !=
        RULES_OK)
        return;
    for (int i = 0; i < p.count; i++)
        if (p.after[i] != p.before[i])
            sbuf_printf(&s, "%s %+lld %s", s.len > 0 ? "," : ":",
                        (long long)(p.after[i] - p.before[i]),
                        says_figure(r, layout_says(r), i));
    sbuf_puts(&s, p.unseen  ? _(" (not known yet; final)")
                  : p.final ? _(" (final)")
                            : "");
}

static size_t complete_move(const struct ui *ui, const char *text,
                            char (*out)[TYPED_WORD_SIZE], size_t cap)
{
    return move_complete(ui->table, ui->choices, ui->choice_count, text, out,
                         cap);
}

static void ask_move(struct ui *ui)
{
    static struct ask_history history;
    static const struct ask_help help = {complete_move, &history};
    struct rules_move move;
    char text[200], why[400];

    if (!ui_ask_with(ui, _("Move:"), text, sizeof(text), &help) ||
        text[0] == '\0')
        return;
    if (move_read(ui->table, text, &move, why, sizeof(why)) != RULES_OK)
        ui_say(ui, true, "%s", why);
    else
        (void)ui_play(ui, &move);
}

/* What all boards with tools have besides. */
static const struct ui_key *keys_of_choices(const struct screen *screen)
{
    return screen->choices == NULL          ? NULL
           : screen->choices->form->at_once ? choices_once_keys
                                            : choices_keys;
}

void screen_help(FILE *to, const struct screen *screen, int width)
{
    if (screen->cells != NULL)
        keys_help(to, cells_keys, width);
    keys_help(to, keys_of_choices(screen), width);
    keys_help(to, screen->keys, width);
    if (screen->help == NULL)
        return;
    (void)fputc('\n', to);
    for (const char *t = _(screen->help); *t != '\0';) {
        size_t n = layout_line(t, width);
        (void)fprintf(to, "%.*s\n", (int)n, t);
        t += n;
        t += *t == ' ' || *t == '\n';
    }
}

/* ---- the keys of every table ---------------------------------------------- */

static bool plays(const struct ui *ui)
{
    return ui->controller->play != NULL && ui->choice_count > 0;
}

static bool only_looks(const struct ui *ui)
{
    return !plays(ui);
}

/* ... and there is something to look at. */
static bool looks_back(const struct ui *ui)
{
    return only_looks(ui) && ui->view.state.seats > 0;
}

static void undo(struct ui *ui, int unused)
{
    (void)unused;
    if (ui->controller->play != NULL && !rules_over(&ui->view.state))
        ui->controller->undo(ui);
}

static void type_move(struct ui *ui, int unused)
{
    (void)unused;
    if (ui->controller->play != NULL && !rules_over(&ui->view.state))
        ask_move(ui);
}

static void show_scores(struct ui *ui, int unused)
{
    (void)unused;
    ui_show_scores(ui);
}

static void show_log(struct ui *ui, int unused)
{
    (void)unused;
    ui_show_log(ui);
}

static bool has_all(const struct ui *ui)
{
    return ui->screen->write_all != NULL;
}

static void show_all(struct ui *ui, int unused)
{
    (void)unused;
    if (has_all(ui))
        ui_page_of(ui, _(ui->screen->all), ui->screen->write_all);
}

static void draw_anew(struct ui *ui, int unused)
{
    (void)ui, (void)unused;
    (void)clearok(curscr, TRUE);
}

static void quit(struct ui *ui, int unused)
{
    (void)unused;
    ui->controller->quit(ui);
}

static void show_help(struct ui *ui, int unused);

/* Where one plays; at every table; everywhere. */
static const struct ui_key play_keys[] = {
    {"u", "uU", 0, undo, 0, plays, N_("take back your last move"), N_("undo")},
    {":", ":", 0, type_move, 0, plays,
     N_("type a move in words; Tab completes it, up and down bring back what "
        "was typed before"),
     NULL},
    KEYS_END,
};
static const struct ui_key table_keys[] = {
    {"s", "s", 0, show_scores, 0, looks_back, N_("points by category"),
     N_("points")},
    {"g", "g", 0, show_log, 0, looks_back, N_("what has happened"), N_("log")},
    {"c", "c", 0, show_all, 0, has_all,
     N_("cards and all else: prices, piles, boards, offers, what may still "
        "come"),
     NULL},
    KEYS_END,
};
static const struct ui_key frame_keys[] = {
    {"Ctrl-L", "\f", 0, draw_anew, 0, NULL, N_("draw the screen anew"), NULL},
    {"q", "qQ", 0, quit, 0, only_looks, N_("leave"), N_("leave")},
    {"?", "?", KEY_F(1), show_help, 0, NULL, N_("this help"), N_("help")},
    KEYS_END,
};

/* All there are now, in the order in which a key is looked for. */
#define TABLES 7
static void tables_of(const struct ui *ui, const struct ui_key *table[TABLES])
{
    const struct controller *c = ui->controller;
    size_t n = 0;

    table[n++] = c->keys;
    table[n++] = c->alone || c->play == NULL ? NULL : play_keys;
    table[n++] = c->alone ? NULL : table_keys;
    table[n++] = frame_keys;
    table[n++] = c->alone || ui->screen->cells == NULL ? NULL : cells_keys;
    table[n++] = c->alone ? NULL : keys_of_choices(ui->screen);
    table[n++] = c->alone ? NULL : ui->screen->keys;
}

static void write_help(struct ui *ui, FILE *to)
{
    const struct ui_key *table[TABLES];
    int width = COLS > 24 ? COLS - 4 : 20;

    tables_of(ui, table);
    if (!ui->controller->alone && ui->controller->play != NULL) {
        screen_help(to, ui->screen, width);
        (void)fputc('\n', to);
    }
    for (size_t i = 0; i < 4; i++)
        keys_help(to, table[i], width);
    if (ui->controller->help != NULL)
        ui->controller->help(ui, to);
}

static void show_help(struct ui *ui, int unused)
{
    (void)unused;
    ui_page_of(ui, ui->controller->alone ? _("Keys") : ui->table->rules->title,
               write_help);
}

static void handle(struct ui *ui, int key)
{
    if (key == KEY_RESIZE || key == KEY_NEWS)
        return;
    ui->message[0] = '\0';
    if (key == KEY_ESCAPE && ui->unread != NULL) {
        notice_read(ui);
        return;
    }
    if (key == ERR) {
        ui->done = true;
        ui->status = complain(_("the terminal is gone"));
        return;
    }
    if (ui->controller->key != NULL && ui->controller->key(ui, key))
        return;
    const struct ui_key *table[TABLES];
    bool done = false;
    tables_of(ui, table);
    for (size_t i = 0; i < TABLES && !done; i++)
        done = keys_act(ui, table[i], key);
    if (!done)
        ui_say(ui, false, _("Press ? for help."));
}

/* "Waiting for ben and eva", for one who cannot move, or only may. */
static bool say_waiting(const struct ui *ui, char *buf, size_t cap)
{
    const struct rules_state *s = &ui->view.state;
    char names[RULES_SEATS_MAX * 40];

    if (ui->seat >= s->seats || (s->acting & RULES_BIT(ui->seat)))
        return false;
    layout_names(ui->table, s->acting, names, sizeof(names));
    (void)snprintf(buf, cap,
                   rules_can_move(s, ui->seat)
                       ? _("Waiting for %s; you may move, too")
                       : _("Waiting for %s"),
                   names);
    return names[0] != '\0';
}

/* How the last line begins. */
static void begin_line(const struct ui *ui, char *buf, size_t cap)
{
    const char *said = ui->controller->line != NULL ? ui->controller->line(ui)
                                                    : NULL;
    if (said == NULL && !ui->controller->alone && rules_over(&ui->view.state))
        said = _("The game is over.");
    buf[0] = '\0';
    if (said != NULL)
        (void)snprintf(buf, cap, "%s", said);
    else if (!say_waiting(ui, buf, cap) && ui->screen->now != NULL &&
             ui->choice_count > 0)
        ui->screen->now(ui, buf, cap);
}

/* The last line: what can be done in this situation. */
static void draw_keys(const struct ui *ui)
{
    static const size_t order[TABLES] = {4, 5, 6, 0,
                                         1, 2, 3}; /* the game's first */
    const struct ui_key *table[TABLES];
    char line[800] = " ";

    begin_line(ui, line + 1, sizeof(line) - 1);
    tables_of(ui, table);
    for (size_t i = 0; i < TABLES; i++) {
        if (i == 3 && plays(ui) && ui->screen->choices != NULL &&
            !ui->controller->alone)
            choices_brief(ui, ui->screen->choices, line, sizeof(line));
        if (plays(ui) || order[i] < 4)
            keys_brief(ui, table[order[i]], line, sizeof(line));
    }
    /* What it begins with is the first of the keys, if there is nothing else. */
    char *from = strncmp(line, "    ", 4) == 0 ? line + 3 : line;
    ui_draw_bar(ui, LINES - 1, from);
}

/* The least that anything can be shown in. */
#define LINES_MIN   8
#define COLUMNS_MIN 30

static int at_least(int n, int least)
{
    return n > least ? n : least;
}

static void draw_too_small(int lines, int columns)
{
    char text[200];

    ui_clear();
    (void)snprintf(text, sizeof(text),
                   _("The window is too small: %d x %d, and this takes %d "
                     "x %d.\nq: leave"),
                   COLS, LINES, columns, lines);
    (void)ui_wrap(0, 0, LINES, COLS, A_NORMAL, text);
    (void)refresh();
}

static void draw_last_line(const struct ui *ui)
{
    char line[300];

    if (ui->message[0] == '\0') {
        draw_keys(ui);
        return;
    }
    (void)snprintf(line, sizeof(line), " %s", ui->message);
    ui_text(LINES - 1, 0, COLS,
            ui->bad ? ui_attr(ui, STYLE_BAD) | A_REVERSE
                    : ui_attr(ui, STYLE_BAR),
            line, true);
}

static void draw(struct ui *ui)
{
    int lines = at_least(ui->screen->lines_min, LINES_MIN);
    int columns = at_least(ui->screen->columns_min, COLUMNS_MIN);

    ui_clear();
    ui->lines = LINES;
    ui->columns = COLS;
    ui->missing = 0;
    if (LINES < lines || COLS < columns) {
        draw_too_small(lines, columns);
        return;
    }
    if (ui->controller->room != NULL)
        ui->controller->room(ui);
    ui->screen->draw(ui);
    if (ui->missing > 0) {
        draw_too_small(LINES + ui->missing, columns);
        return;
    }
    draw_last_line(ui);
    if (ui->controller->frame != NULL)
        ui->controller->frame(ui);
    if (ui->unread != NULL)
        notice_draw(ui);
    (void)refresh();
}

static void leave_curses(void)
{
    mouse_close();
    (void)endwin();
    term_emergency = NULL;
}

bool ui_open(struct ui *ui)
{
    ui->terminal = newterm(NULL, output_terminal(), stdin);
    if (ui->terminal == NULL) {
        (void)complain(_("this terminal (TERM=%s) has no full screen; lines "
                         "then"),
                       getenv("TERM"));
        return false;
    }
    ui->choices = must_alloc(RULES_MOVES_MAX * sizeof(struct rules_choice));
    term_emergency = leave_curses;
    (void)set_escdelay(25);
    (void)cbreak();
    (void)noecho();
    (void)nonl();
    (void)keypad(stdscr, TRUE);
    (void)curs_set(0);
    if (ui->mouse)
        mouse_open();
    ui_colours(ui);
    return true;
}

void ui_table(struct ui *ui, struct table *table,
              const struct game_ui *game_ui)
{
    ui->table = table;
    ui->game_ui = game_ui;
    ui->screen = game_ui->screen != NULL ? game_ui->screen : &list_screen;
    ui->seen = 0;
    if (ui->screen->choices != NULL)
        choices_begin(ui);
    if (ui->screen->start != NULL)
        ui->screen->start(ui);
}

void ui_run(struct ui *ui)
{
    while (!ui->done) {
        if (ui->stale) {
            ui->stale = false;
            ui->controller->go_on(ui);
        }
        draw(ui);
        handle(ui, ui_key(ui));
    }
}

void ui_close(struct ui *ui)
{
    leave_curses();
    delscreen(ui->terminal);
    free(ui->choices);
    free(ui->unread);
}
