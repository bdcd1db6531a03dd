/* replay_screen.c -- a game looked at again, on the full screen: step, jump, let
 * it run, look as somebody else. */

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "clients/common/output.h"
#include "replay.h"
#include "screen.h"

static struct {
    struct replay *replay;
    bool runs;
    int pace_ms; /* of a step while it runs */
} show;

static void go_on(struct ui *ui)
{
    struct replay *r = show.replay;

    ui->seat = r->seat;
    ui->seen = r->steps[r->at].event;
    ui_fresh(ui);
}

static void go(struct ui *ui, long to)
{
    struct replay *r = show.replay;

    if (to < 0)
        to = 0;
    if (!replay_go(r, (size_t)to)) {
        ui->status = STATUS_FAILED;
        ui->done = true;
        return;
    }
    if (r->at + 1 == r->count)
        show.runs = false;
    go_on(ui);
}

/* Waits for a key, and steps meanwhile if the game runs. */
static bool wait_or_step(struct ui *ui)
{
    struct pollfd in = {.fd = STDIN_FILENO, .events = POLLIN};

    (void)nodelay(stdscr, TRUE);
    int key = getch(); /* one may have come along with others */
    (void)nodelay(stdscr, FALSE);
    if (key != ERR) {
        (void)ungetch(key);
        return true;
    }
    int n = poll(&in, 1, show.runs ? show.pace_ms : -1);
    if (n != 0) /* a key, the end, or another size of the window */
        return true;
    go(ui, (long)show.replay->at + 1);
    return false;
}

static void jump(struct ui *ui)
{
    char text[20];
    uint64_t ply;

    if (!ui_ask(ui, "To which ply?", text, sizeof(text)) || text[0] == '\0')
        return;
    if (number_read(text, UINT32_MAX, &ply))
        go(ui, (long)replay_step_of(show.replay, (json_int_t)ply));
    else
        ui_say(ui, true, "That is no number.");
}

static bool key(struct ui *ui, int key)
{
    struct replay *r = show.replay;
    long at = (long)r->at;

    switch (key) {
    case KEY_RIGHT:
    case KEY_RETURN:
    case ' ':
    case 'n': go(ui, at + 1); return true;
    case KEY_LEFT:
    case KEY_BACKSPACE:
    case 127:
    case 'p': go(ui, at - 1); return true;
    case KEY_DOWN:
    case KEY_NPAGE: go(ui, at + 10); return true;
    case KEY_UP:
    case KEY_PPAGE: go(ui, at - 10); return true;
    case KEY_HOME: go(ui, 0); return true;
    case KEY_END: go(ui, (long)r->count); return true;
    case 'j':
    case ':': jump(ui); return true;
    case 'a':
        show.runs = !show.runs;
        if (show.runs && r->at + 1 == r->count)
            go(ui, 0);
        return true;
    case '+':
        show.pace_ms = show.pace_ms > 100 ? show.pace_ms / 2 : 50;
        return true;
    case '-':
        show.pace_ms = show.pace_ms < 8000 ? show.pace_ms * 2 : 8000;
        return true;
    case 'v':
        if (r->whole) {
            replay_turn_round(r);
            go_on(ui);
        } else {
            ui_say(ui, true,
                   "Of a game that goes on there is only what you were told.");
        }
        return true;
    default: return false;
    }
}

static void quit(struct ui *ui)
{
    ui->done = true;
}

static void frame(struct ui *ui)
{
    const struct replay *r = show.replay;
    char tag[160];
    int n = snprintf(tag, sizeof(tag), " %s %zu/%zu %s ",
                     r->seat < r->table.seats ? r->table.names[r->seat]
                                              : "all",
                     r->at, r->count - 1,
                     show.runs     ? ui->unicode ? "▶" : ">"
                     : ui->unicode ? "■"
                                   : "=");
    int width = output_width(tag);
    (void)n;
    ui_text(0, COLS - width, width,
            ui_attr(ui, STYLE_BAR) | A_BOLD | A_UNDERLINE, tag, false);
}

static const char *keys(const struct ui *ui)
{
    (void)ui;
    return show.runs ? " a stop   + - pace   left, right step   j jump   "
                       "v seen by   ? help   q leave"
                     : " left, right step   up, down 10   a run   j jump   "
                       "v seen by   g log   ? help   q leave";
}

static void help(struct ui *ui, FILE *to)
{
    char where[200];

    (void)ui;
    replay_where(show.replay, where, sizeof(where));
    (void)fprintf(to, "\nHere: %s.\n", where);
}

int replay_screen(struct replay *r, bool colour, bool unicode)
{
    static const struct controller controller = {
        .go_on = go_on,
        .key = key,
        .wait = wait_or_step,
        .quit = quit,
        .frame = frame,
        .keys = keys,
        .help_keys =
            "  right, n  the next step       left, p  the one before\n"
            "  up, down  ten steps           Home, End\n"
            "  j  jump to a ply              a  run, stop; + - faster, "
            "slower\n"
            "  v  as whom one looks          z  the board small or "
            "large\n",
        .help = help,
    };
    static struct ui ui;

    show.replay = r;
    show.runs = false;
    show.pace_ms = 800;
    ui = (struct ui){
        .controller = &controller,
        .colour = colour,
        .unicode = unicode,
        .seat = r->seat,
        .status = STATUS_DONE,
    };
    if (!ui_open(&ui))
        return -1;
    ui_table(&ui, &r->table, game_ui_find(r->table.rules->name));
    go_on(&ui);
    ui_run(&ui);
    ui_close(&ui);
    return ui.status;
}
