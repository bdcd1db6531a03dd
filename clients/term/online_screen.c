/* online_screen.c -- a table on a server, on the full screen.
 *
 * News comes while somebody thinks: it is taken in by the loop within
 * ui_key(), and shown as soon as no page or question is open.  A move made on
 * what was shown answers the question that stood there; if that has changed
 * meanwhile, the server says so and nothing happens. */

#include "online_screen.h"
#include "orders.h"
#include "pace.h"
#include "votes.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "clients/common/lang.h"
#include "clients/common/output.h"
#include "core/base.h"
#include "protocol/sbuf_printf.h"

#define PANE_ROWS  6 /* of what was said, in windows of */
#define PANE_LINES 34

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
            if (key != KEY_RESIZE)
                client_seen(v->client);
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
            client_seen(v->client);
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
                   online_my_turn(o) ? _("Your turn: ") : "",
                   o->table.rules->title);
    if (strcmp(title, v->title) != 0) {
        set_title(title);
        (void)snprintf(v->title, sizeof(v->title), "%s", title);
    }
}

void visit_ring(const struct visit *v, const char *text)
{
    const struct settings *s = &v->client->session.settings;

    if (!s->no_bell)
        (void)beep();
    notify(s->notify, text);
}

/* Rings when something has begun to wait for whoever sits here. */
static void ring(struct visit *v)
{
    const struct online *o = v->client->online;
    bool mine = online_my_turn(o),
         others = v->client->waiting > v->was_waiting;
    char text[120];

    (void)snprintf(text, sizeof(text), _("Your turn: %s"),
                   o->table.rules->title);
    if (v->known && ((mine && !v->was_mine) || others))
        visit_ring(v, mine && !v->was_mine ? text : _(VISIT_WAITS));
    v->was_mine = mine;
    v->was_waiting = v->client->waiting;
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
        visit_ring(v, _("Somebody has said something."));
    }
    v->heard = o->text_count;
}

/* The game has ended; the server says a little later that it is played again. */
static void tell_end(struct ui *ui)
{
    struct visit *v = ui->world;
    const struct online *o = v->client->online;
    bool over = online_over(o), again = over && o->again_at[0] != '\0';

    if (v->known && again && !v->was_again)
        ui_say(ui, false, _("The game is over, and played again: m a."));
    else if (v->known && over && !v->was_over)
        ui_say(ui, false, _("The game is over. s shows the result."));
    v->was_over = over;
    v->was_again = again;
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
    if (o->go_to[0] != '\0') {
        (void)snprintf(v->go_to, sizeof(v->go_to), "%s", o->go_to);
        ui->done = true;
        v->news = true; /* no key is waited for any more */
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
    /* Other news leaves alone what somebody has taken in hand. */
    if (playable && (!v->known || v->views != o->views))
        ui_fresh(ui);
    v->views = o->views;
    tell_end(ui);
    ring(v);
    update_title(v);
    if (!v->known)
        client_seen(v->client); /* who comes looks */
    if (!v->known && online_my_turn(o) && o->since > 0 &&
        o->since < o->table.event_count)
        ui_say(ui, false,
               _("Your turn! m w: what has happened since your last move."));
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
        ui_say(ui, true, "%s", layout_reason(o->table.rules, refusal));
    else if (o->moving)
        ui_say(ui, true, _("One moment: your last move is on its way."));
    else {
        online_move(o, move);
        ui->message[0] = '\0';
        v->kept = client_trouble(v->client, trouble, sizeof(trouble));
        if (v->kept)
            ui_say(ui, false,
                   _("The move is kept until the server is there again."));
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
                   text->spectators ? _(" (looking on)") : "", text->body);
    output_line(buf);
}

static void talk(struct ui *ui, int unused)
{
    struct visit *v = ui->world;
    struct online *o = v->client->online;
    char text[1000];

    (void)unused;
    /* What was said before stands above the question. */
    int rows = LINES - 3, shown = 0;
    if (LINES < PANE_LINES) {
        ui_clear();
        ui_draw_bar(ui, 0,
                    o->you < o->table.seats
                        ? _(" Talk at the table")
                        : _(" Talk among those who look on"));
        if (o->text_count == 0)
            ui_text(2, 2, COLS - 2, A_NORMAL, _("Nothing has been said yet."),
                    false);
        for (size_t i = o->text_count; i-- > 0 && shown < rows; shown++) {
            char line[2200];
            text_line(&o->texts[i], line, sizeof(line));
            ui_text(LINES - 2 - shown, 1, COLS - 2, A_NORMAL, line, false);
        }
    }
    online_read(o);
    if (ui_ask(ui, _("Say:"), text, sizeof(text)) && text[0] != '\0')
        online_say(o, text);
}

static void draw_pane(const struct ui *ui, int y, int rows)
{
    const struct visit *v = ui->world;
    const struct online *o = v->client->online;
    char line[2200];
    int row = y + rows - 1;

    ui_text(y, 0, COLS, ui_attr(ui, STYLE_BOLD), _(" Talk   t: say something"),
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

static void write_since(struct ui *ui, FILE *to)
{
    struct visit *v = ui->world;
    const struct table *t = &v->client->online->table;
    char sentence[300], last[300] = "";
    int times = 0;

    for (size_t i = v->client->online->since; i < t->event_count; i++) {
        if (!game_ui_tells(ui->game_ui, t, &t->events[i], ui->seat))
            continue;
        layout_sentence(t, &t->events[i], sentence, sizeof(sentence));
        if (strcmp(sentence, last) == 0) {
            times++;
            continue;
        }
        if (times > 1)
            (void)fprintf(to, _(" (%d times)"), times);
        (void)fprintf(to, "%s%s", times > 0 ? "\n" : "", sentence);
        (void)snprintf(last, sizeof(last), "%s", sentence);
        times = 1;
    }
    if (times > 1)
        (void)fprintf(to, _(" (%d times)"), times);
    (void)fprintf(to, "%s\n", times == 0 ? _("Nothing.") : "");
}

static void show_since(struct ui *ui)
{
    ui_page_of(ui, _("Since your last move"), write_since);
}

static void write_note(struct ui *ui)
{
    struct visit *v = ui->world;
    struct online *o = v->client->online;
    char text[600];

    if (!ui_ask(ui, _("Note to yourself (empty: show it):"), text,
                sizeof(text)))
        return;
    online_note(o, text[0] != '\0' ? text : NULL);
}

static void go_next(struct ui *ui)
{
    struct visit *v = ui->world;

    if (v->client->next[0] == '\0') {
        ui_say(ui, false, _("No other table waits for you."));
        return;
    }
    (void)snprintf(v->go_to, sizeof(v->go_to), "%s", v->client->next);
    ui->done = true;
}

/* To where the game is played again; if it is not yet, that is asked of everybody,
 * which wants to be meant. */
static void play_again(struct ui *ui)
{
    const struct visit *v = ui->world;
    struct online *o = v->client->online;

    if (!online_over(o))
        return;
    if (o->you >= o->table.seats || o->again_at[0] != '\0' ||
        ui_sure(ui, _("Play again, with the same people?")))
        online_again(o);
}

/* Whether one could have something played ahead. */
static bool can_order(const struct online *o)
{
    return o->state == ONLINE_PLAYING && o->you < o->table.seats &&
           (o->order != NULL || !online_my_turn(o));
}

/* Asks what is to be played as soon as one is asked. */
static void order_ahead(struct ui *ui)
{
    const struct visit *v = ui->world;
    struct online *o = v->client->online;
    char words[300] = "", why[512], question[sizeof(why) + 60];

    order_text(&o->table, o->order, why, sizeof(why));
    (void)snprintf(question, sizeof(question), "%s %s", why,
                   o->order != NULL ? _("Another, or drop:")
                                    : _("A move, or pass:"));
    if (!ui_ask(ui, question, words, sizeof(words)) || words[0] == '\0')
        return;
    json_t *order = order_read(&o->table, o->ply, words, why, sizeof(why));
    if (order != NULL)
        online_order(o, order);
    else
        ui_say(ui, true, "%s", why);
}

static void menu(struct ui *ui, int unused)
{
    struct visit *v = ui->world;
    struct online *o = v->client->online;
    bool seated = o->you < o->table.seats;
    bool votes = o->state == ONLINE_PLAYING &&
                 (seated || vote_open(v->client) != NULL);
    char line[300], name[64];
    int key;

    (void)unused;
    (void)snprintf(line, sizeof(line),
                   _(" m next (%d)  l lobby  w since  %s%s%s  o note%s"),
                   v->client->waiting,
                   !o->started      ? ""
                   : online_over(o) ? _("a again  ")
                                    : _("c clocks  "),
                   votes ? _("v vote  ") : "",
                   can_order(o) ? _("p ahead") : _("t talk"),
                   !seated || online_over(o) ? ""
                   : o->started              ? _("  x give up")
                   : o->made_it ? _("  b begin  i invite  k a bot  x leave")
                                : _("  i invite  x leave"));
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
    case 'a': play_again(ui); break;
    case 'c': time_menu(ui); break;
    case 'v':
        if (votes)
            votes_menu(ui);
        break;
    case 'p':
        if (can_order(o))
            order_ahead(ui);
        break;
    case 't': talk(ui, 0); break;
    case 'o': write_note(ui); break;
    case 'b': online_start(o); break;
    case 'i':
        if (ui_ask(ui, _("Invite whom?"), name, sizeof(name)) &&
            name[0] != '\0')
            online_invite(o, name);
        break;
    case 'k':
        if (ui_ask(ui, _("Of which level: random, greedy or search?"), name,
                   sizeof(name)) &&
            name[0] != '\0')
            online_bot(o, name);
        break;
    case 'x':
        if (!seated || online_over(o))
            break;
        if (o->started && ui_sure(ui, _("Give up this game?")))
            online_resign(o);
        else if (!o->started && ui_sure(ui, _("Leave this table?")))
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

    if (t->rules == NULL) { /* not told yet, or refused before it was */
        ui_draw_bar(ui, 0, " Sobremesa");
        ui_text(2, 2, COLS - 2, A_NORMAL,
                o->state == ONLINE_REFUSED ? o->why
                                           : _("Asking the server ..."),
                false);
        return;
    }
    (void)snprintf(line, sizeof(line), _(" %s   table %s"), t->rules->title,
                   o->id);
    ui_draw_bar(ui, 0, line);
    summary_options(o->about, options, sizeof(options));
    if (options[0] != '\0')
        ui_print(y++, 2, COLS - 2, A_NORMAL, _("Options: %s"), options);
    y++;
    for (int seat = 0; seat < t->seats; seat++) {
        bool taken = strcmp(t->names[seat], _("(free)")) != 0;
        ui_print(y, 2, 4, A_NORMAL, "%d", seat);
        ui_print(y++, 5, COLS - 6,
                 taken ? ui_attr(ui, STYLE_SEAT + seat)
                       : ui_attr(ui, STYLE_DIM),
                 " %s%s ", t->names[seat], seat == o->you ? _(" (you)") : "");
    }
    y++;
    ui_text(y++, 2, COLS - 2, ui_attr(ui, STYLE_BOLD),
            o->state == ONLINE_ABANDONED ? _("This table was abandoned.")
            : !o->manual ? _("The game begins when all seats are taken.")
            : o->made_it
                ? _("The game begins when you say so: m b")
                : _("The game begins when whoever made the table says so."),
            false);
    (void)snprintf(line, sizeof(line), _("Others come by   sobremesa join %s"),
                   o->id);
    ui_text(++y, 2, COLS - 2, A_NORMAL, line, false);
    if (online_again_of(o) != NULL)
        ui_print(++y, 2, COLS - 2, A_NORMAL,
                 _("It was played before at table %s."), online_again_of(o));
    if (ui->lines == LINES && LINES - y > 6)
        draw_pane(ui, y + 2, LINES - y - 3);
}

const struct screen waiting_screen = {.draw = draw_waiting};

/* ---- frame -------------------------------------------------------------- */

static void room(struct ui *ui)
{
    if (LINES >= PANE_LINES)
        ui->lines -= PANE_ROWS;
}

/* Says in S how long there is; for so many milliseconds that holds. */
static uint64_t draw_due(struct sbuf *s, const struct client *c)
{
    const struct online *o = c->online;
    int64_t due = due_first(o->view, o->you);
    char text[PACE_TEXT_MAX];

    due_text(due, c->notices.ahead_ms, text, sizeof(text));
    if (text[0] == '\0')
        return VISIT_IDLE_MS;
    sbuf_printf(s, "%s%s", s->len > 0 ? "  " : " ", text);
    return strchr(text, ':') != NULL ? 1000 : 60000;
}

/* At the right end of the first line: texts that are new (t shows them), tables
 * that wait (m goes there), whether it is your turn. */
static void draw_tag(const struct ui *ui)
{
    struct visit *v = ui->world;
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
    v->idle_ms = draw_due(&s, v->client);
    sbuf_puts(&s, o->moving               ? " ... "
                  : vote_asked(v->client) ? _(" vote: m v ")
                  : online_my_turn(o)     ? _(" your turn ")
                  : o->order != NULL      ? _(" ahead: m p ")
                  : s.len > 0             ? " "
                                          : _(" m more "));
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

void visit_hurry(struct ui *ui, int unused)
{
    const struct visit *v = ui->world;

    (void)unused;
    link_hurry(v->client->session.link);
}

/* What cannot be played yet has few keys. */
static bool key(struct ui *ui, int key)
{
    const struct visit *v = ui->world;
    const char *few = v->client->online->state == ONLINE_ASKING ? "qQ\f"
                      : ui->screen == &waiting_screen           ? "tmqQ?\f"
                                                                : NULL;

    if (LINES >= PANE_LINES) /* it stood there */
        online_read(v->client->online);
    return few != NULL && key != KEY_F(5) &&
           (key <= 0 || key >= 128 || strchr(few, key) == NULL);
}

static bool needs_all(const struct ui *ui)
{
    const struct visit *v = ui->world;
    return ui->screen == &waiting_screen || online_over(v->client->online) ||
           ui->seat >= ui->table->seats;
}

static const struct ui_key keys[] = {
    {"t", "t", 0, talk, 0, needs_all, N_("talk"), N_("talk")},
    {"m", "m", 0, menu, 0, needs_all,
     N_("more: m the next table that waits for you, l the lobby, w what has "
        "happened since your last move, c clocks, seats and time, a once it is over: to play it again, v votes, p play ahead: what is played as soon as you are asked, o a note of your own, x give up "
        "(before the start: leave), b begin, i invite, k a bot for a free seat"),
     N_("more")},
    VISIT_HURRY_KEY,
    KEYS_END,
};

static const char *line(const struct ui *ui)
{
    const struct visit *v = ui->world;

    if (ui->screen == &waiting_screen)
        return "";
    if (online_over(v->client->online))
        return v->client->online->again_at[0] != '\0'
                   ? _("The game is over, and played again: m a.")
                   : _("The game is over.");
    return ui->seat >= ui->table->seats ? _("You are looking on.") : NULL;
}

static void help(struct ui *ui, FILE *to)
{
    const struct visit *v = ui->world;
    const struct online *o = v->client->online;

    (void)fprintf(to,
                  _("\nIn the first line t:2 are two texts you have not read, "
                    "m:1 a table that waits for you.\n"
                    "This is table %s on %s. Leaving it changes nothing: it "
                    "waits for you.\nOthers may look on by `sobremesa watch "
                    "%s`.\n"),
                  o->id, v->client->session.server, o->id);
}

const struct controller online_controller = {
    .go_on = go_on,
    .play = play,
    .undo = undo,
    .key = key,
    .keys = keys,
    .wait = visit_wait,
    .quit = quit,
    .room = room,
    .frame = frame,
    .line = line,
    .help = help,
};

/* ---- the whole ---------------------------------------------------------- */

/* One table on the screen; false after a complaint that is still to be made. */
static void show_table(struct ui *ui, const char *id)
{
    struct visit *v = ui->world;

    v->known = v->was_mine = v->was_over = v->was_again = false;
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

int online_screen(struct client *client, const char *id,
                  struct display_look look)
{
    static struct ui ui;
    static struct visit v;
    char next[40] = "", why[LINK_WHY_MAX + 60] = "";
    bool from_lobby = id == NULL;

    v = (struct visit){.client = client, .idle_ms = VISIT_IDLE_MS};
    ui = (struct ui){
        .controller = &online_controller,
        .world = &v,
        .colour = look.colour,
        .unicode = look.unicode,
        .mouse = look.mouse,
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
            (void)snprintf(why, sizeof(why), _("Table %s: %s"), next, o->why);
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
