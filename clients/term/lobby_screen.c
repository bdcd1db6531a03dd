/* lobby_screen.c -- the lobby on the full screen: your tables, those you could
 * join, those being played or over. */

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "clients/common/lang.h"
#include "clients/common/output.h"
#include "core/base.h"
#include "online_screen.h"
#include "pace.h"

#define REFRESH_MS 5000

enum section { MINE, OFFERED, OPEN, PLAYED, OVER, SECTIONS };

static const char *const titles[SECTIONS] = {
    [MINE] = N_("Your tables"),
    [OFFERED] = N_("Seats to take over"),
    [OPEN] = N_("Open tables: take a seat"),
    [PLAYED] = N_("Being played: look on"),
    [OVER] = N_("Finished: look back"),
};

/* A line of the page: a table, or the title of a section, or nothing. */
struct row {
    enum section section;
    json_t *table; /* held, as the lists change; NULL: it is a title ... */
    bool blank;    /* ... or nothing */
};

static struct {
    struct ui *ui;
    struct visit *visit;
    json_t *lists[SECTIONS]; /* all but MINE */
    struct row *rows;
    size_t count, cap;
    size_t at;       /* the row that is chosen */
    size_t top;      /* the first one on the screen */
    char chosen[40]; /* its table, for when the lists change */
    int game;        /* index in rules_all of the one shown; -1: all */
    bool over;       /* shows those that are over */
    char *next;      /* room for the id of the table one goes to */
    bool went;
} lobby;

/* ---- lists -------------------------------------------------------------- */

static void take_list(enum section section, const json_t *result,
                      const struct link_error *error)
{
    if (error != NULL) {
        ui_say(lobby.ui, true, "%s", error->text);
        return;
    }
    json_decref(lobby.lists[section]);
    lobby.lists[section] = json_deep_copy(json_object_get(result, "tables"));
    lobby.visit->news = true;
    lobby.ui->stale = true;
}

static void on_offered(void *context, const json_t *result,
                       const struct link_error *error)
{
    (void)context;
    take_list(OFFERED, result, error);
}

static void on_open(void *context, const json_t *result,
                    const struct link_error *error)
{
    (void)context;
    take_list(OPEN, result, error);
}

static void on_played(void *context, const json_t *result,
                      const struct link_error *error)
{
    (void)context;
    take_list(PLAYED, result, error);
}

static void on_over(void *context, const json_t *result,
                    const struct link_error *error)
{
    (void)context;
    take_list(OVER, result, error);
}

static void ask_lists(void)
{
    struct link *l = lobby.visit->client->session.link;

    if (link_state(l) != LINK_READY)
        return;
    link_call(l, "table.list",
              json_pack("{sb si}", "offered", 1, "limit", 100), on_offered,
              &lobby);
    link_call(l, "table.list",
              json_pack("{ss si}", "state", "open", "limit", 100), on_open,
              &lobby);
    link_call(l, "table.list",
              json_pack("{ss si}", "state",
                        lobby.over ? "finished" : "playing", "limit", 100),
              lobby.over ? on_over : on_played, &lobby);
}

static bool fits(const json_t *table)
{
    return lobby.game < 0 || strcmp(member_text(table, "game", ""),
                                    rules_all[lobby.game]->name) == 0;
}

/* Whether it is one of one's own. */
static bool is_mine(const json_t *table)
{
    const json_t *mine = lobby.visit->client->mine;

    for (size_t i = 0; i < json_array_size(mine); i++)
        if (strcmp(member_text(json_array_get(mine, i), "table", ""),
                   member_text(table, "table", "?")) == 0)
            return true;
    return false;
}

static void add_row(struct row row)
{
    lobby.rows = must_grow(lobby.rows, lobby.count, &lobby.cap,
                           sizeof(*lobby.rows));
    json_incref(row.table);
    lobby.rows[lobby.count++] = row;
}

static void drop_rows(void)
{
    while (lobby.count > 0)
        json_decref(lobby.rows[--lobby.count].table);
}

static void add_section(enum section section, const json_t *list)
{
    if (lobby.count > 0)
        add_row((struct row){.section = section, .blank = true});
    add_row((struct row){.section = section});
    for (size_t i = 0; i < json_array_size(list); i++) {
        json_t *table = json_array_get(list, i);
        const char *state = member_text(table, "state", "");
        bool runs = strcmp(state, "open") == 0 ||
                    strcmp(state, "playing") == 0;
        if (section == PLAYED && summary_offered(table))
            continue; /* it stands above */
        if (fits(table) &&
            (section == MINE ? runs || lobby.over : !is_mine(table)))
            add_row((struct row){.section = section, .table = table});
    }
    /* What is rare is there only if there is any. */
    if (section == OFFERED && lobby.rows[lobby.count - 1].table == NULL)
        lobby.count -= 2;
}

/* The chosen table; NULL if there is none. */
static const struct row *chosen(void)
{
    return lobby.at < lobby.count && lobby.rows[lobby.at].table != NULL
               ? &lobby.rows[lobby.at]
               : NULL;
}

/* Chooses the table that is BY further, as far as there are any. */
static void choose(int by)
{
    long last = (long)lobby.count - 1;
    int step = by < 0 ? -1 : 1, left = abs(by);

    for (long at = (long)lobby.at + step; left > 0 && at >= 0 && at <= last;
         at += step) {
        if (lobby.rows[at].table != NULL) {
            lobby.at = (size_t)at;
            left--;
        }
    }
    if (chosen() != NULL)
        (void)snprintf(lobby.chosen, sizeof(lobby.chosen), "%s",
                       member_text(chosen()->table, "table", ""));
}

/* Rows anew from the lists; the chosen table stays chosen. */
static void go_on(struct ui *ui)
{
    struct client *c = lobby.visit->client;

    (void)ui;
    drop_rows();
    add_section(MINE, c->mine);
    add_section(OFFERED, lobby.lists[OFFERED]);
    add_section(OPEN, lobby.lists[OPEN]);
    add_section(lobby.over ? OVER : PLAYED,
                lobby.lists[lobby.over ? OVER : PLAYED]);
    for (size_t i = 0; i < lobby.count; i++)
        if (strcmp(member_text(lobby.rows[i].table, "table", ""),
                   lobby.chosen) == 0)
            lobby.at = i;
    if (lobby.at >= lobby.count)
        lobby.at = lobby.count - 1;
    if (chosen() == NULL)
        choose(1);
    if (chosen() == NULL)
        choose(-1);
    if (c->waiting > lobby.visit->was_waiting)
        visit_ring(lobby.visit, _(VISIT_WAITS));
    lobby.visit->was_waiting = c->waiting;
}

/* ---- drawing ------------------------------------------------------------ */

/* "5 min", "3 h", "12 d": how long ago that was. */
static void say_age(json_int_t at_ms, char *buf, size_t cap)
{
    long long s = (long long)time(NULL) - (long long)(at_ms / 1000);

    if (s < 60)
        (void)snprintf(buf, cap, "<1 min");
    else if (s < 3600)
        (void)snprintf(buf, cap, _("%lld min"), s / 60);
    else if (s < 86400)
        (void)snprintf(buf, cap, "%lld h", s / 3600);
    else
        (void)snprintf(buf, cap, "%lld d", s / 86400);
}

/* Columns of a row, from the right: its age, what is new, what is to be done
 * there; a narrow window has the first alone. */
#define AGE_COLUMNS  7
#define NEW_COLUMNS  7
#define NOTE_COLUMNS 17
#define NAMES_X      16

static void draw_row(const struct ui *ui, const struct row *row, int y,
                     bool chosen)
{
    bool wide = COLS >= 60;
    int note_x = COLS - AGE_COLUMNS - NEW_COLUMNS - NOTE_COLUMNS;
    int names = (wide ? note_x : COLS - AGE_COLUMNS) - NAMES_X - 2;
    const struct rules *r = rules_find(member_text(row->table, "game", ""));
    const char *state = member_text(row->table, "state", "");
    bool turn = member_true(row->table, "your_turn");
    char players[400], age[20], note[60] = "", due[PACE_TEXT_MAX];
    attr_t attr = chosen ? ui_attr(ui, STYLE_CHOSEN) : A_NORMAL;
    int unread = (int)member_number(row->table, "unread");

    summary_players(row->table, players, sizeof(players));
    say_age(member_number(row->table, "changed"), age, sizeof(age));
    if (row->section == MINE)
        (void)snprintf(note, sizeof(note), "%s",
                       turn                            ? _("your turn")
                       : summary_asked(row->table)     ? _("asks you to vote")
                       : summary_invited(row->table)   ? _("you are invited")
                       : strcmp(state, "open") == 0    ? _("not begun")
                       : strcmp(state, "playing") == 0 ? _("waits for others")
                                                       : state);
    due_text(summary_due(row->table), lobby.visit->client->notices.ahead_ms,
             due, sizeof(due));
    if (due[0] != '\0')
        (void)snprintf(note, sizeof(note), turn ? "%.50s" : "(%.50s)", due);
    ui_place(y, 0, 1, COLS, (int)(row - lobby.rows));
    ui_text(y, 0, COLS, attr, chosen ? " >" : "", chosen);
    ui_print(y, 3, 12, attr, "%s",
             r != NULL ? r->title : member_text(row->table, "game", "?"));
    if (output_width(players) > names && names > 0)
        ui_text(y, NAMES_X + names, 1, attr, ui->unicode ? "…" : ">", false);
    ui_text(y, NAMES_X, names, attr, players, false);
    if (wide) {
        ui_text(y, note_x, NOTE_COLUMNS,
                turn ? ui_attr(ui, STYLE_GOOD) | attr : attr, note, false);
        if (unread > 0)
            ui_print(y, note_x + NOTE_COLUMNS, NEW_COLUMNS - 1,
                     ui_attr(ui, STYLE_KEY) | attr, _("%d new"), unread);
    }
    int pad = AGE_COLUMNS - 1 - output_width(age);
    ui_text(y, COLS - AGE_COLUMNS + (pad > 0 ? pad : 0), AGE_COLUMNS, attr,
            age, false);
}

static void draw_detail(const struct ui *ui, int y)
{
    char options[300], line[420];
    const struct row *row = chosen();

    if (row == NULL)
        return;
    summary_options(row->table, options, sizeof(options));
    (void)snprintf(line, sizeof(line), _("Table %s%s%s   Enter: %s"),
                   member_text(row->table, "table", "?"),
                   options[0] != '\0' ? "   " : "", options,
                   row->section == OPEN || summary_invited(row->table)
                       ? _("take a seat")
                   : row->section == OFFERED
                       ? _("look at it; m c takes the seat over")
                   : row->section == PLAYED ? _("look on")
                   : row->section == OVER   ? _("look at the end")
                                            : _("go there"));
    ui_text(y, 1, COLS - 1, ui_attr(ui, STYLE_GOOD), line, false);
}

/* The title of a section, and that it is empty if it is. */
static void draw_title(const struct ui *ui, size_t i, int y)
{
    enum section section = lobby.rows[i].section;
    bool empty = i + 1 == lobby.count || lobby.rows[i + 1].table == NULL;

    int n = ui_text(y, 1, COLS - 1, ui_attr(ui, STYLE_BOLD),
                    _(titles[section]), false);
    if (empty)
        ui_text(y, 3 + n, COLS - 3 - n, ui_attr(ui, STYLE_DIM),
                section == MINE ? _("none yet: c makes one") : _("none"),
                false);
}

/* What the operator says, from Y on; how many lines that took. */
static int draw_notices(const struct ui *ui, int y)
{
    const struct notices *n = &lobby.visit->client->notices;
    char line[NOTICE_LINE_MAX];
    int first = y;

    if (notices_end(n, line, sizeof(line)))
        ui_text(y++, 1, COLS - 1, ui_attr(ui, STYLE_BAD), line, false);
    if (notices_maintenance(n, line, sizeof(line)))
        ui_text(y++, 1, COLS - 1, ui_attr(ui, STYLE_BAD), line, false);
    if (n->motd[0] != '\0')
        ui_text(y++, 1, COLS - 1, ui_attr(ui, STYLE_GOOD), n->motd, false);
    return y - first;
}

static void draw(struct ui *ui)
{
    const struct client *c = lobby.visit->client;
    int above = 1 + draw_notices(ui, 1);
    size_t room = (size_t)(LINES - 3 - above);
    char line[700];

    (void)snprintf(line, sizeof(line), _(" Sobremesa   %s on %s   %s"),
                   link_user(c->session.link), c->session.server,
                   lobby.game >= 0 ? rules_all[lobby.game]->title : "");
    ui_draw_bar(ui, 0, line);
    if (c->waiting > 0) {
        (void)snprintf(line, sizeof(line), _(" %d waiting for you "),
                       c->waiting);
        ui_text(0, COLS - (int)strlen(line), (int)strlen(line),
                ui_attr(ui, STYLE_BAR) | A_BOLD | A_UNDERLINE, line, false);
    }
    /* The chosen one is in sight, with a title that stands above it. */
    if (lobby.top + 1 > lobby.at)
        lobby.top = lobby.at > 0 ? lobby.at - 1 : 0;
    if (lobby.at >= lobby.top + room)
        lobby.top = lobby.at - room + 1;
    for (size_t i = lobby.top; i < lobby.count && i < lobby.top + room; i++) {
        int y = above + (int)(i - lobby.top);
        if (lobby.rows[i].table != NULL)
            draw_row(ui, &lobby.rows[i], y, i == lobby.at);
        else if (!lobby.rows[i].blank)
            draw_title(ui, i, y);
    }
    draw_detail(ui, LINES - 2);
}

/* ---- keys --------------------------------------------------------------- */

static void leave_for(struct ui *ui, const char *id)
{
    (void)snprintf(lobby.next, 40, "%s", id);
    lobby.went = true;
    ui->done = true;
}

/* Takes a seat; asks for the password where there is one. */
static void take_seat(struct ui *ui, const json_t *table)
{
    char id[40], key[LINK_KEY_SIZE], why[LINK_WHY_MAX], password[70] = "";

    (void)snprintf(id, sizeof(id), "%s", member_text(table, "table", ""));
    if (member_true(table, "password") &&
        !ui_ask(ui, _("The table's password (empty if you are invited):"),
                password, sizeof(password)))
        return;
    link_key(key);
    json_t *result = link_ask(lobby.visit->client->session.link, "table.join",
                              json_pack("{ss ss ss*}", "table", id, "key", key,
                                        "password",
                                        password[0] != '\0' ? password : NULL),
                              why, NULL);
    if (result == NULL)
        ui_say(ui, true, "%s", why);
    else
        leave_for(ui, id);
    json_decref(result);
}

static void enter(struct ui *ui, int unused)
{
    const struct row *row = chosen();

    (void)unused;
    if (row == NULL)
        return;
    if (row->section == OPEN || summary_invited(row->table))
        take_seat(ui, row->table);
    else
        leave_for(ui, member_text(row->table, "table", ""));
}

/* Does not come where they are invited. */
static void decline(struct ui *ui, int unused)
{
    const struct row *row = chosen();
    char why[LINK_WHY_MAX];

    (void)unused;
    if (row == NULL || !summary_invited(row->table)) {
        ui_say(ui, true, _("You are not invited there."));
        return;
    }
    json_t *result = link_ask(lobby.visit->client->session.link,
                              "table.decline",
                              json_pack("{ss}", "table",
                                        member_text(row->table, "table", "")),
                              why, NULL);
    if (result == NULL)
        ui_say(ui, true, "%s", why);
    json_decref(result);
    ask_lists();
}

/* ... only to look on. */
static void look_on(struct ui *ui, int unused)
{
    (void)unused;
    if (chosen() != NULL)
        leave_for(ui, member_text(chosen()->table, "table", ""));
}

static void go_next(struct ui *ui, int unused)
{
    (void)unused;
    if (lobby.visit->client->next[0] != '\0')
        leave_for(ui, lobby.visit->client->next);
    else
        ui_say(ui, false, _("No table waits for you."));
}

static void make_table(struct ui *ui, int unused)
{
    char id[40];

    (void)unused;
    if (create_form(ui, id))
        leave_for(ui, id);
}

/* A game at once, against as few bots as can play it: of the kind that the list
 * is of, or the first there is. */
static void play_a_bot(struct ui *ui, int unused)
{
    const struct rules *r = rules_all[lobby.game < 0 ? 0 : lobby.game];
    char id[40], key[LINK_KEY_SIZE], why[LINK_WHY_MAX];
    int seats = r->seats_min > 2 ? r->seats_min : 2;
    json_t *bots = json_array();

    (void)unused;
    for (int i = 1; i < seats; i++)
        (void)json_array_append_new(bots, json_string("greedy"));
    link_key(key);
    json_t *result =
        link_ask(lobby.visit->client->session.link, "table.create",
                 json_pack("{ss si so ss}", "game", r->name, "seats", seats,
                           "bots", bots, "key", key),
                 why, NULL);
    if (result == NULL) {
        ui_say(ui, true, " %s", why);
        return;
    }
    (void)snprintf(id, sizeof(id), "%s", member_text(result, "table", ""));
    json_decref(result);
    leave_for(ui, id);
}

static void go_by_id(struct ui *ui, int unused)
{
    char id[40];

    (void)unused;
    if (ui_ask(ui, _("Table:"), id, sizeof(id)) && id[0] != '\0')
        leave_for(ui, id);
}

static void next_game(struct ui *ui, int unused)
{
    (void)ui, (void)unused;
    lobby.game++;
    if (rules_all[lobby.game] == NULL)
        lobby.game = -1;
}

static void turn_over(struct ui *ui, int unused)
{
    (void)ui, (void)unused;
    lobby.over = !lobby.over;
    ask_lists();
}

static void ask_again(struct ui *ui, int unused)
{
    (void)ui, (void)unused;
    ask_lists();
}

static void show_notices(struct ui *ui, int unused)
{
    char *text = notices_all(&lobby.visit->client->notices);

    (void)unused;
    ui_page(ui, _("What the operator says"),
            text[0] != '\0' ? text : _("Nothing."));
    free(text);
}

static void step(struct ui *ui, int by)
{
    (void)ui;
    choose(by);
}

static void page(struct ui *ui, int by)
{
    (void)ui;
    choose(by * LINES / 2);
}

static void to_end(struct ui *ui, int by)
{
    (void)ui;
    choose(by * (int)lobby.count);
}

static bool shows_over(const struct ui *ui)
{
    (void)ui;
    return lobby.over;
}

static bool shows_played(const struct ui *ui)
{
    (void)ui;
    return !lobby.over;
}

static const struct ui_key keys[] = {
    {N_("Enter"), " ", KEY_RETURN, enter, 0, NULL,
     N_("go there; take a seat where one is free"), N_("go")},
    {N_("up down, j k"), "j", KEY_DOWN, step, 1, NULL, N_("choose a table"),
     NULL},
    {NULL, "k", KEY_UP, step, -1, NULL, NULL, NULL},
    {NULL, NULL, KEY_NPAGE, page, 1, NULL, NULL, NULL},
    {NULL, NULL, KEY_PPAGE, page, -1, NULL, NULL, NULL},
    {NULL, NULL, KEY_END, to_end, 1, NULL, NULL, NULL},
    {NULL, NULL, KEY_HOME, to_end, -1, NULL, NULL, NULL},
    {"w", "w", 0, look_on, 0, NULL, N_("only look on"), NULL},
    {"d", "d", 0, decline, 0, NULL, N_("decline an invitation"), NULL},
    {"n", "nm", 0, go_next, 0, NULL,
     N_("the table that waits longest for you"), N_("next")},
    {"c", "c", 0, make_table, 0, NULL, N_("make a table"), N_("create")},
    {"b", "b", 0, play_a_bot, 0, NULL,
     N_("play against a bot, at once: the game that `f` has chosen, or the "
        "first"),
     N_("bot")},
    {"f", "f", 0, next_game, 0, NULL, N_("only one game, the next one, all"),
     N_("game")},
    {"v", "v", 0, turn_over, 0, shows_over,
     N_("tables that are over, or being played"), N_("being played")},
    {"v", "v", 0, turn_over, 0, shows_played, NULL, N_("finished ones")},
    {"/", "/", 0, go_by_id, 0, NULL,
     N_("a table by its id, e.g. a private one"), N_("by id")},
    {"i", "i", 0, show_notices, 0, NULL,
     N_("what the operator says, house rules, contact"), NULL},
    {"r", "r", 0, ask_again, 0, NULL,
     N_("ask again now (it is done every few seconds)"), NULL},
    VISIT_HURRY_KEY,
    KEYS_END,
};

/* What is shown may have to be made anew. */
static bool key(struct ui *ui, int key)
{
    (void)key;
    ui->stale = true;
    return false;
}

static bool go(struct ui *ui, int at)
{
    bool there = lobby.at == (size_t)at;

    (void)ui;
    lobby.at = (size_t)at;
    choose(0);
    return there;
}

static bool wait_or_ask(struct ui *ui)
{
    static uint64_t asked;
    uint64_t now = uv_hrtime() / 1000000;

    if (now - asked >= REFRESH_MS) {
        asked = now;
        ask_lists();
    }
    return visit_wait(ui);
}

static void frame(struct ui *ui)
{
    char trouble[LINK_WHY_MAX + 100], line[LINK_WHY_MAX + 110];

    if (!client_trouble(lobby.visit->client, trouble, sizeof(trouble)))
        return;
    (void)snprintf(line, sizeof(line), " %s", trouble);
    ui_text(LINES - 1, 0, COLS, ui_attr(ui, STYLE_BAD) | A_REVERSE, line,
            true);
}

static void quit(struct ui *ui)
{
    ui->done = true;
}

static const char *line(const struct ui *ui)
{
    (void)ui;
    return "";
}

static void help(struct ui *ui, FILE *to)
{
    (void)ui;
    (void)fprintf(to, "\n%s\n", _("* stands behind whoever is waited for."));
}

/* ---- the whole ---------------------------------------------------------- */

static void on_changed(void *context, size_t first)
{
    struct ui *ui = context;

    (void)first;
    lobby.visit->news = true;
    ui->stale = true;
}

static void on_said(void *context, bool bad, const char *text)
{
    ui_say(context, bad, "%s", text);
    on_changed(context, 0);
}

/* What stands is in the lines above (draw_notices()) as long as it does; the rest
 * waits until it was read. */
static void on_noticed(void *context, const char *text)
{
    const struct notices *n = &lobby.visit->client->notices;
    char end[NOTICE_LINE_MAX] = "", maintenance[NOTICE_LINE_MAX] = "";

    (void)notices_end(n, end, sizeof(end));
    (void)notices_maintenance(n, maintenance, sizeof(maintenance));
    if (strcmp(text, n->motd) != 0 && strcmp(text, end) != 0 &&
        strcmp(text, maintenance) != 0)
        ui_notice(context, text);
    on_changed(context, 0);
}

bool lobby_screen(struct ui *ui, const char *why, char *next)
{
    static const struct screen screen = {.draw = draw, .go = go};
    static const struct controller controller = {
        .go_on = go_on,
        .key = key,
        .wait = wait_or_ask,
        .quit = quit,
        .frame = frame,
        .keys = keys,
        .alone = true,
        .line = line,
        .help = help,
    };
    struct visit *v = ui->world;

    if (lobby.ui == NULL)
        lobby.game = -1;
    lobby.ui = ui;
    lobby.visit = v;
    lobby.next = next;
    lobby.went = false;
    v->idle_ms = REFRESH_MS;
    v->client->owner = (struct client_owner){
        .changed = on_changed,
        .said = on_said,
        .noticed = on_noticed,
        .context = ui,
    };
    ui->controller = &controller;
    ui->screen = &screen;
    ui->done = false;
    ui->stale = true;
    ui->message[0] = '\0';
    if (why[0] != '\0')
        ui_say(ui, true, "%s", why);
    client_refresh(v->client);
    ui_run(ui);
    v->client->owner = (struct client_owner){0};
    link_forget(v->client->session.link, &lobby);
    for (int i = 0; i < SECTIONS; i++) {
        json_decref(lobby.lists[i]);
        lobby.lists[i] = NULL;
    }
    drop_rows();
    free(lobby.rows);
    lobby.rows = NULL;
    lobby.cap = 0;
    return lobby.went;
}
