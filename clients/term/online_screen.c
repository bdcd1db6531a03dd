/* online_screen.c -- a table on a server, on the full screen.
 *
 * News comes while somebody thinks: it is taken in by the loop within
 * ui_key(), and shown as soon as no page or question is open.  A move made on
 * what was shown answers the question that stood there; if that has changed
 * meanwhile, the server says so and nothing happens. */

#include "online_screen.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "clients/common/output.h"
#include "core/base.h"
#include "protocol/sbuf_printf.h"

#define PANE_ROWS  6 /* of what was said, in windows of */
#define PANE_LINES 34
#define TURN_TEXT  "Your turn!"

/* ---- waiting ------------------------------------------------------------ */

static void on_resize(uv_signal_t *handle, int number)
{
    struct visit *v = handle->data;
    (void)number;
    v->resized = true;
}

void visit_start(struct visit *v)
{
    v->resize.data = v;
    (void)uv_signal_init(&v->client->session.loop, &v->resize);
    (void)uv_signal_start(&v->resize, on_resize, SIGWINCH);
}

void visit_stop(struct visit *v)
{
    uv_close((uv_handle_t *)&v->resize, NULL);
}

bool visit_wait(struct ui *ui)
{
    struct visit *v = ui->world;
    char trouble[LINK_WHY_MAX + 100];

    for (;;) {
        (void)nodelay(stdscr, TRUE);
        int key = getch(); /* one may have come along with others */
        (void)nodelay(stdscr, FALSE);
        if (key != ERR) {
            (void)ungetch(key);
            return true;
        }
        if (v->news) {
            v->news = false;
            return false;
        }
        bool bad = client_trouble(v->client, trouble, sizeof(trouble));
        bool readable = client_wait(v->client, STDIN_FILENO,
                                    bad ? 500 : v->idle_ms);
        if (v->resized) {
            struct winsize size;
            v->resized = false;
            if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0)
                (void)resizeterm(size.ws_row, size.ws_col);
        } else if (readable) {
            return true;
        } else if (bad || v->idle_ms < VISIT_IDLE_MS) {
            v->news = true;
        }
    }
}

/* ---- signals ------------------------------------------------------------ */

/* The window's title, where the terminal has one. */
static void set_title(const char *title)
{
    static const char *const known[] = {"xterm", "tmux",      "screen", "rxvt",
                                        "foot",  "alacritty", "kitty",  "st"};
    const char *term = getenv("TERM");

    for (size_t i = 0; term != NULL && i < COUNT_OF(known); i++) {
        if (strncmp(term, known[i], strlen(known[i])) == 0) {
            (void)dprintf(STDOUT_FILENO, "\033]2;%s\007", title);
            return;
        }
    }
}

static void update_title(struct visit *v)
{
    const struct online *o = v->client->online;
    char title[200];

    (void)snprintf(title, sizeof(title), "%s%s - Sobremesa",
                   online_my_turn(o) ? "Your turn: " : "",
                   o->table.rules->title);
    if (strcmp(title, v->title) != 0) {
        set_title(title);
        (void)snprintf(v->title, sizeof(v->title), "%s", title);
    }
}

/* Rings when something has begun to wait for whoever sits here. */
static void ring(struct visit *v)
{
    bool mine = online_my_turn(v->client->online);
    int waiting = v->client->waiting;

    if (((mine && !v->was_mine) || waiting > v->was_waiting) &&
        !v->client->session.settings.no_bell && v->known)
        (void)beep();
    v->was_mine = mine;
    v->was_waiting = waiting;
}

/* ---- what is heard ------------------------------------------------------ */

static void on_changed(void *context, size_t first)
{
    struct ui *ui = context;
    struct visit *v = ui->world;

    (void)first;
    v->news = true;
    ui->stale = true;
}

static void on_said(void *context, bool bad, const char *text)
{
    struct ui *ui = context;
    struct visit *v = ui->world;

    ui_say(ui, bad, "%s", text);
    v->news = true;
}

static void on_noticed(void *context, const char *text)
{
    struct ui *ui = context;
    struct visit *v = ui->world;

    ui_notice(ui, text);
    v->news = true;
}

/* Talk that has come is shown in the last line, where there is no pane. */
static void hear_talk(struct ui *ui)
{
    struct visit *v = ui->world;
    const struct online *o = v->client->online;
    const struct online_text *last = o->text_count > 0
                                         ? &o->texts[o->text_count - 1]
                                         : NULL;

    if (last != NULL && o->text_count > v->heard && v->known &&
        strcmp(last->from, link_user(v->client->session.link)) != 0) {
        if (LINES < PANE_LINES)
            ui_say(ui, false, "%s: %s", last->from, last->body);
        if (!v->client->session.settings.no_bell)
            (void)beep();
    }
    v->heard = o->text_count;
}

static void go_on(struct ui *ui)
{
    struct visit *v = ui->world;
    struct online *o = v->client->online;

    if (o->state == ONLINE_ASKING)
        return;
    if (o->state == ONLINE_REFUSED) {
        ui->done = true;
        return;
    }
    bool playable = o->started;
    ui->seat = o->you;
    if (ui->screen == &waiting_screen && playable)
        ui_table(ui, &o->table, game_ui_find(o->table.rules->name));
    ui->seen = o->since;
    if (v->kept && !o->moving) {
        v->kept = false;
        ui->message[0] = '\0';
    }
    hear_talk(ui);
    if (playable)
        ui_fresh(ui);
    if (online_over(o) && !v->was_over && v->known)
        ui_say(ui, false, "The game is over. s shows the result.");
    v->was_over = online_over(o);
    ring(v);
    update_title(v);
    if (!v->known && online_my_turn(o) && o->since > 0 &&
        o->since < o->table.event_count)
        ui_say(ui, false, "%s m w: what has happened since your last move.",
               TURN_TEXT);
    v->known = true;
}

/* ---- playing ------------------------------------------------------------ */

static bool play(struct ui *ui, const struct rules_move *move)
{
    struct visit *v = ui->world;
    struct online *o = v->client->online;
    char trouble[LINK_WHY_MAX + 100];

    int refusal = rules_check(o->table.rules, &ui->view.state, ui->seat, move);
    if (refusal != RULES_OK)
        ui_say(ui, true, "%s", rules_reason_text(o->table.rules, refusal));
    else if (o->moving)
        ui_say(ui, true, "One moment: your last move is on its way.");
    else {
        online_move(o, move);
        ui->message[0] = '\0';
        v->kept = client_trouble(v->client, trouble, sizeof(trouble));
        if (v->kept)
            ui_say(ui, false,
                   "The move is kept until the server is there again.");
    }
    return false; /* that is heard of later */
}

static void undo(struct ui *ui)
{
    struct visit *v = ui->world;
    online_undo(v->client->online);
}

static void quit(struct ui *ui)
{
    ui->done = true; /* the game waits */
}

/* ---- talk --------------------------------------------------------------- */

/* "14:05", or "Nov 22" if that was not today, in local time. */
static void say_time(json_int_t at_ms, char *buf, size_t cap)
{
    time_t at = (time_t)(at_ms / 1000), now = time(NULL);
    struct tm then, today;

    (void)localtime_r(&at, &then);
    (void)localtime_r(&now, &today);
    if (strftime(buf, cap,
                 then.tm_yday == today.tm_yday && then.tm_year == today.tm_year
                     ? "%H:%M"
                     : "%b %d",
                 &then) == 0)
        buf[0] = '\0';
}

static void text_line(const struct online_text *text, char *buf, size_t cap)
{
    char at[20];

    say_time(text->at, at, sizeof(at));
    (void)snprintf(buf, cap, "%s %s%s: %s", at, text->from,
                   text->spectators ? " (looking on)" : "", text->body);
    output_line(buf);
}

static void talk(struct ui *ui)
{
    struct visit *v = ui->world;
    struct online *o = v->client->online;
    char text[1000];

    /* What was said before stands above the question. */
    int rows = LINES - 3, shown = 0;
    if (LINES < PANE_LINES) {
        (void)erase();
        ui_draw_bar(ui, 0,
                    o->you < o->table.seats ? " Talk at the table"
                                            : " Talk among those who look on");
        if (o->text_count == 0)
            ui_text(2, 2, COLS - 2, A_NORMAL, "Nothing has been said yet.",
                    false);
        for (size_t i = o->text_count; i-- > 0 && shown < rows; shown++) {
            char line[2200];
            text_line(&o->texts[i], line, sizeof(line));
            ui_text(LINES - 2 - shown, 1, COLS - 2, A_NORMAL, line, false);
        }
    }
    online_read(o);
    if (ui_ask(ui, "Say:", text, sizeof(text)) && text[0] != '\0')
        online_say(o, text);
}

static void draw_pane(const struct ui *ui, int y, int rows)
{
    const struct visit *v = ui->world;
    const struct online *o = v->client->online;
    char line[2200];
    int row = y + rows - 1;

    ui_text(y, 0, COLS, ui_attr(ui, STYLE_BOLD), " Talk   t: say something",
            false);
    for (size_t i = o->text_count; i-- > 0 && row > y; row--) {
        bool new = o->texts[i].number >
                       o->read &&strcmp(o->texts[i].from,
                                        link_user(v->client->session.link)) !=
                   0;
        text_line(&o->texts[i], line, sizeof(line));
        ui_text(row, 2, COLS - 3, A_NORMAL, line, false);
        if (new)
            ui_text(row, 0, 1, ui_attr(ui, STYLE_KEY), ">", false);
    }
}

/* ---- the menu ----------------------------------------------------------- */

static void show_since(struct ui *ui)
{
    struct visit *v = ui->world;
    const struct table *t = &v->client->online->table;
    char *text = NULL, sentence[300], last[300] = "";
    size_t len = 0;
    int times = 0;
    FILE *to = open_memstream(&text, &len);

    if (to == NULL)
        core_panic(__FILE__, __LINE__, "out of memory");
    for (size_t i = v->client->online->since; i < t->event_count; i++) {
        if (!game_ui_tells(ui->game_ui, t, &t->events[i], ui->seat))
            continue;
        layout_sentence(t, ui->game_ui->phrases, &t->events[i], sentence,
                        sizeof(sentence));
        if (strcmp(sentence, last) == 0) {
            times++;
            continue;
        }
        if (times > 1)
            (void)fprintf(to, " (%d times)", times);
        (void)fprintf(to, "%s%s", times > 0 ? "\n" : "", sentence);
        (void)snprintf(last, sizeof(last), "%s", sentence);
        times = 1;
    }
    (void)fprintf(to, times > 1 ? " (%d times)\n" : "\n", times);
    (void)fclose(to);
    ui_page(ui, "Since your last move", times > 0 ? text : "Nothing.\n");
    free(text);
}

static void write_note(struct ui *ui)
{
    struct visit *v = ui->world;
    struct online *o = v->client->online;
    char text[600];

    if (!ui_ask(ui, "Note to yourself (empty: show it):", text, sizeof(text)))
        return;
    online_note(o, text[0] != '\0' ? text : NULL);
}

static void go_next(struct ui *ui)
{
    struct visit *v = ui->world;

    if (v->client->next[0] == '\0') {
        ui_say(ui, false, "No other table waits for you.");
        return;
    }
    (void)snprintf(v->go_to, sizeof(v->go_to), "%s", v->client->next);
    ui->done = true;
}

static void menu(struct ui *ui)
{
    struct visit *v = ui->world;
    struct online *o = v->client->online;
    bool seated = o->you < o->table.seats;
    char line[200], name[64];
    int key;

    (void)snprintf(line, sizeof(line),
                   " m next table (%d)  l lobby  w since my move  t talk  "
                   "o note%s",
                   v->client->waiting,
                   !seated || online_over(o) ? ""
                   : o->started              ? "  x give up"
                   : o->made_it              ? "  b begin  i invite  x leave"
                                             : "  i invite  x leave");
    do {
        ui_draw_bar(ui, LINES - 1, line);
        (void)refresh();
        key = ui_key(ui);
    } while (key == KEY_NEWS || key == KEY_RESIZE);
    switch (key) {
    case 'm':
    case 'n': go_next(ui); break;
    case 'l':
        v->lobby = true;
        ui->done = true;
        break;
    case 'w': show_since(ui); break;
    case 't': talk(ui); break;
    case 'o': write_note(ui); break;
    case 'b': online_start(o); break;
    case 'i':
        if (ui_ask(ui, "Invite whom?", name, sizeof(name)) && name[0] != '\0')
            online_invite(o, name);
        break;
    case 'x':
        if (!seated || online_over(o))
            break;
        if (o->started && ui_sure(ui, "Give up this game?"))
            online_resign(o);
        else if (!o->started && ui_sure(ui, "Leave this table?"))
            online_leave(o);
        break;
    default: break;
    }
}

/* ---- a table that has not begun ----------------------------------------- */

static void draw_waiting(struct ui *ui)
{
    const struct visit *v = ui->world;
    const struct online *o = v->client->online;
    const struct table *t = &o->table;
    char options[300] = "", line[300];
    int y = 2;

    if (o->state == ONLINE_ASKING) {
        ui_draw_bar(ui, 0, " Sobremesa");
        ui_text(2, 2, COLS - 2, A_NORMAL, "Asking the server ...", false);
        return;
    }
    (void)snprintf(line, sizeof(line), " %s   table %s", t->rules->title,
                   o->id);
    ui_draw_bar(ui, 0, line);
    summary_options(o->about, options, sizeof(options));
    if (options[0] != '\0')
        ui_print(y++, 2, COLS - 2, A_NORMAL, "Options: %s", options);
    y++;
    for (int seat = 0; seat < t->seats; seat++) {
        bool taken = strcmp(t->names[seat], "(free)") != 0;
        ui_print(y, 2, 4, A_NORMAL, "%d", seat);
        ui_print(y++, 5, COLS - 6,
                 taken ? ui_attr(ui, STYLE_SEAT + seat)
                       : ui_attr(ui, STYLE_DIM),
                 " %s%s ", t->names[seat], seat == o->you ? " (you)" : "");
    }
    y++;
    ui_text(y++, 2, COLS - 2, ui_attr(ui, STYLE_BOLD),
            o->state == ONLINE_ABANDONED ? "This table was abandoned."
            : !o->manual ? "The game begins when all seats are taken."
            : o->made_it
                ? "The game begins when you say so: m b"
                : "The game begins when whoever made the table says so.",
            false);
    (void)snprintf(line, sizeof(line), "Others come by   sobremesa join %s",
                   o->id);
    ui_text(++y, 2, COLS - 2, A_NORMAL, line, false);
    if (ui->lines == LINES && LINES - y > 6)
        draw_pane(ui, y + 2, LINES - y - 3);
}

const struct screen waiting_screen = {
    .draw = draw_waiting,
    .keys = " t talk   m more   q leave (the seat stays yours)",
};

/* ---- frame -------------------------------------------------------------- */

static void room(struct ui *ui)
{
    if (LINES >= PANE_LINES)
        ui->lines -= PANE_ROWS;
}

/* At the right end of the first line: texts that are new (t shows them), tables
 * that wait (m goes there), whether it is your turn. */
static void draw_tag(const struct ui *ui)
{
    const struct visit *v = ui->world;
    const struct online *o = v->client->online;
    char tag[100];
    struct sbuf s = sbuf_in(tag, sizeof(tag));
    int unread = online_unread(o);

    if (o->state == ONLINE_ASKING)
        return;
    if (unread > 0)
        sbuf_printf(&s, " t:%d", unread);
    if (v->client->waiting > 0)
        sbuf_printf(&s, " m:%d", v->client->waiting);
    sbuf_puts(&s, o->moving           ? " ... "
                  : online_my_turn(o) ? " your turn "
                  : s.len > 0         ? " "
                                      : " m more ");
    int n = (int)s.len;
    ui_text(0, COLS - n, n, ui_attr(ui, STYLE_BAR) | A_BOLD | A_UNDERLINE, tag,
            false);
}

static void frame(struct ui *ui)
{
    const struct visit *v = ui->world;
    char trouble[LINK_WHY_MAX + 100], line[LINK_WHY_MAX + 110];

    if (LINES >= PANE_LINES)
        draw_pane(ui, LINES - 1 - PANE_ROWS, PANE_ROWS);
    draw_tag(ui);
    if (!client_trouble(v->client, trouble, sizeof(trouble)))
        return;
    (void)snprintf(line, sizeof(line), " %s", trouble);
    bool above = ui->message[0] != '\0' || ui->unread != NULL;
    ui_text(above ? LINES - 2 : LINES - 1, 0, COLS,
            ui_attr(ui, STYLE_BAD) | A_REVERSE, line, true);
}

static bool key(struct ui *ui, int key)
{
    const struct visit *v = ui->world;

    if (LINES >= PANE_LINES) /* it stood there */
        online_read(v->client->online);
    switch (key) {
    case 't': talk(ui); return true;
    case 'm': menu(ui); return true;
    case KEY_F(5): link_hurry(v->client->session.link); return true;
    case '?':
    case 'q':
    case 'Q':
    case 'g':
    case 's':
    case 12:
        return ui->screen == &waiting_screen &&
               (key == 'g' || key == 's' || key == '?');
    default:
        if (v->client->online->state == ONLINE_ASKING)
            return true;
        return ui->screen == &waiting_screen;
    }
}

static const char *keys(const struct ui *ui)
{
    const struct visit *v = ui->world;

    if (ui->screen == &waiting_screen || ui->screen->keys == NULL)
        return waiting_screen.keys;
    if (online_over(v->client->online))
        return " The game is over.   s points   g log   t talk   m more   "
               "q leave";
    if (ui->seat >= ui->table->seats)
        return " You are looking on.   s points   g log   t talk   m more   "
               "? help   q leave";
    return ui->screen->keys;
}

static void help(struct ui *ui, FILE *to)
{
    const struct visit *v = ui->world;
    const struct online *o = v->client->online;

    (void)fprintf(to,
                  "\nThis is table %s on %s. Leaving it changes nothing: it "
                  "waits for you.\nOthers may look on by `sobremesa watch "
                  "%s`.\n",
                  o->id, v->client->session.server, o->id);
}

const struct controller online_controller = {
    .go_on = go_on,
    .play = play,
    .undo = undo,
    .key = key,
    .wait = visit_wait,
    .quit = quit,
    .room = room,
    .frame = frame,
    .keys = keys,
    .help_keys = "  t  talk                       m  more: next table, lobby, "
                 "note, give up ...\n"
                 "  F5 if the connection is lost: try now\n"
                 "In the first line t:2 are two texts you have not read, m:1 "
                 "a table that\n  waits for you.\n",
    .help = help,
};

/* ---- the whole ---------------------------------------------------------- */

/* One table on the screen; false after a complaint that is still to be made. */
static void show_table(struct ui *ui, const char *id)
{
    struct visit *v = ui->world;

    v->known = v->was_mine = v->was_over = false;
    v->heard = 0;
    v->was_waiting = v->client->waiting;
    v->go_to[0] = '\0';
    v->lobby = false;
    v->idle_ms = VISIT_IDLE_MS;
    ui->controller = &online_controller;
    ui->screen = &waiting_screen;
    ui->game_ui = game_ui_find("");
    ui->message[0] = '\0';
    ui->done = false;
    memset(&ui->view, 0, sizeof(ui->view));
    v->client->owner = (struct client_owner){
        .changed = on_changed,
        .said = on_said,
        .noticed = on_noticed,
        .context = ui,
    };
    client_take(v->client, id);
    ui->table = &v->client->online->table;
    ui->stale = true;
    ui_run(ui);
    v->client->owner = (struct client_owner){0};
}

int online_screen(struct client *client, const char *id, bool colour,
                  bool unicode)
{
    static struct ui ui;
    static struct visit v;
    char next[40] = "", why[LINK_WHY_MAX + 60] = "";
    bool from_lobby = id == NULL;

    v = (struct visit){.client = client, .idle_ms = VISIT_IDLE_MS};
    ui = (struct ui){
        .controller = &online_controller,
        .world = &v,
        .colour = colour,
        .unicode = unicode,
        .seat = RULES_WATCHER,
        .status = STATUS_DONE,
    };
    if (!ui_open(&ui))
        return -1;
    visit_start(&v);
    if (id != NULL)
        (void)snprintf(next, sizeof(next), "%s", id);
    for (bool more = true; more && ui.status == STATUS_DONE;) {
        if (next[0] == '\0' && !lobby_screen(&ui, why, next))
            break;
        why[0] = '\0';
        show_table(&ui, next);
        const struct online *o = client->online;
        if (o->state == ONLINE_REFUSED) {
            (void)snprintf(why, sizeof(why), "Table %s: %s", next, o->why);
            more = from_lobby;
        } else {
            more = v.go_to[0] != '\0' || v.lobby || from_lobby;
        }
        from_lobby = from_lobby || v.lobby;
        (void)snprintf(next, sizeof(next), "%s", v.go_to);
        client_take(client, NULL);
    }
    visit_stop(&v);
    if (v.title[0] != '\0')
        set_title("");
    ui_close(&ui);
    if (why[0] != '\0' && ui.status == STATUS_DONE)
        return complain("%s", why);
    return ui.status;
}
