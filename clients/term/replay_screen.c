/* replay_screen.c -- a game looked at again, on the full screen: step, jump, let
 * it run, look as somebody else. */

#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "clients/common/lang.h"
#include "clients/common/output.h"
#include "replay.h"
#include "screen.h"

static struct {
    struct replay *replay;
    bool ahead; /* one wants to look ahead */
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

/* Whether one may have come along with others; it is kept. */
static bool key_waits(void)
{
    (void)nodelay(stdscr, TRUE);
    int key = getch();
    (void)nodelay(stdscr, FALSE);
    return key != ERR && ungetch(key) == OK;
}

/* Waits for a key, and steps meanwhile if the game runs. */
static bool wait_or_step(struct ui *ui)
{
    struct pollfd in = {.fd = STDIN_FILENO, .events = POLLIN};
    int left_ms = show.pace_ms;

    while (show.runs && left_ms > 0) {
        if (key_waits())
            return true;
        int ms = left_ms < UI_LOOK_MS ? left_ms : UI_LOOK_MS;
        if (poll(&in, 1, ms) != 0) /* a key, the end, or another size */
            return true;
        left_ms -= ms;
    }
    if (!show.runs)
        return true;
    go(ui, (long)show.replay->at + 1);
    return false;
}

static void jump(struct ui *ui, int unused)
{
    char text[20];
    uint64_t ply;

    (void)unused;
    if (!ui_ask(ui, _("To which ply?"), text, sizeof(text)) || text[0] == '\0')
        return;
    if (number_read(text, UINT32_MAX, &ply))
        go(ui, (long)replay_step_of(show.replay, (json_int_t)ply));
    else
        ui_say(ui, true, _("That is no number."));
}

static void step(struct ui *ui, int by)
{
    go(ui, (long)show.replay->at + by);
}

static void to_start(struct ui *ui, int unused)
{
    (void)unused;
    go(ui, 0);
}

static void to_end(struct ui *ui, int unused)
{
    (void)unused;
    go(ui, (long)show.replay->count);
}

static void run(struct ui *ui, int unused)
{
    const struct replay *r = show.replay;

    (void)unused;
    show.runs = !show.runs;
    if (show.runs && r->at + 1 == r->count)
        go(ui, 0);
}

static void pace(struct ui *ui, int by)
{
    (void)ui;
    if (by > 0)
        show.pace_ms = show.pace_ms > 100 ? show.pace_ms / 2 : 50;
    else
        show.pace_ms = show.pace_ms < 8000 ? show.pace_ms * 2 : 8000;
}

static void look_as(struct ui *ui, int unused)
{
    (void)unused;
    if (show.replay->whole) {
        replay_turn_round(show.replay);
        go_on(ui);
        return;
    }
    ui_say(ui, true,
           _("Of a game that goes on there is only what you were told."));
}

static void look_ahead(struct ui *ui, int unused)
{
    (void)unused;
    show.ahead = true;
    ui->done = true;
}

static bool is_running(const struct ui *ui)
{
    (void)ui;
    return show.runs;
}

static bool is_still(const struct ui *ui)
{
    (void)ui;
    return !show.runs;
}

static const struct ui_key keys[] = {
    {N_("right, n, space"), "n ", KEY_RIGHT, step, 1, is_still,
     N_("the next step"), N_("step")},
    {NULL, NULL, KEY_RETURN, step, 1, is_still, NULL, NULL},
    {N_("left, p"), "p\177", KEY_LEFT, step, -1, NULL, N_("the one before"),
     NULL},
    {NULL, NULL, KEY_BACKSPACE, step, -1, NULL, NULL, NULL},
    {N_("up down"), NULL, KEY_DOWN, step, 10, is_still,
     N_("ten steps on, back"), N_("10")},
    {NULL, NULL, KEY_NPAGE, step, 10, is_still, NULL, NULL},
    {NULL, NULL, KEY_UP, step, -10, NULL, NULL, NULL},
    {NULL, NULL, KEY_PPAGE, step, -10, NULL, NULL, NULL},
    {"Home, End", NULL, KEY_HOME, to_start, 0, NULL, N_("the ends"), NULL},
    {NULL, NULL, KEY_END, to_end, 0, NULL, NULL, NULL},
    {"a", "a", 0, run, 0, is_running, N_("let it run, stop it"), N_("stop")},
    {"a", "a", 0, run, 0, is_still, NULL, N_("run")},
    {"+ -", "+", 0, pace, 1, is_running, N_("faster, slower"), N_("pace")},
    {NULL, "-", 0, pace, -1, NULL, NULL, NULL},
    {"j", "j:", 0, jump, 0, NULL, N_("jump to a ply"), N_("jump")},
    {"v", "v", 0, look_as, 0, NULL, N_("as whom one looks"), N_("seen by")},
    {"A", "A", 0, look_ahead, 0, NULL, N_("analysis: try moves from here"),
     N_("analysis")},
    KEYS_END,
};

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
                                              : _("all"),
                     r->at, r->count - 1,
                     show.runs     ? ui->unicode ? "▶" : ">"
                     : ui->unicode ? "■"
                                   : "=");
    int width = output_width(tag);
    (void)n;
    ui_text(0, COLS - width, width,
            ui_attr(ui, STYLE_BAR) | A_BOLD | A_UNDERLINE, tag, false);
}

static void help(struct ui *ui, FILE *to)
{
    char where[200];

    (void)ui;
    replay_where(show.replay, where, sizeof(where));
    (void)fprintf(to, _("\nHere: %s.\n"), where);
}

/* Until one leaves, or wants to look ahead; negative if there is no full
 * screen. */
static int look_back(struct replay *r, struct display_look look)
{
    static const struct controller controller = {
        .go_on = go_on,
        .keys = keys,
        .wait = wait_or_step,
        .quit = quit,
        .frame = frame,
        .help = help,
    };
    static struct ui ui;

    show.ahead = false;
    show.runs = false;
    ui = (struct ui){
        .controller = &controller,
        .colour = look.colour,
        .unicode = look.unicode,
        .mouse = look.mouse,
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

int replay_screen(struct replay *r, struct display_look look)
{
    static struct ahead a;
    int status;

    show.replay = r;
    show.pace_ms = 800;
    for (;;) {
        status = look_back(r, look);
        if (status < 0 || !show.ahead)
            return status;
        struct ahead_from from = replay_ahead_from(r);
        ahead_open(&a, &from);
        ahead_screen(&a, look);
        replay_ahead_done(r, &a);
    }
}
