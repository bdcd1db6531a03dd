/* create_form.c -- the form of the lobby that makes a table. */

#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "core/fit.h"
#include "online_screen.h"
#include "protocol/sbuf_printf.h"

enum field {
    GAME,
    SEATS,
    BOARD,
    PRIVATE,
    PASSWORD,
    WATCHERS,
    START,
    INVITE,
    RATED,
    MAKE,
    FIRST_OPTION,
    FIELDS = FIRST_OPTION + RULES_OPTIONS_MAX
};

struct form {
    int game; /* index in rules_all */
    int seats;
    int board; /* index in rules->assets; -1: the default */
    bool private, watchers, manual, rated;
    char password[70], invite[200];
    int16_t options[RULES_OPTIONS_MAX];
    int at; /* index in `order` */
    int order[FIELDS], count;
};

static const struct rules *rules_of(const struct form *f)
{
    return rules_all[f->game];
}

/* The fields in the order they are shown: a game's options behind its
 * board. */
static void arrange(struct form *f)
{
    const struct rules *r = rules_of(f);

    f->count = 0;
    f->order[f->count++] = GAME;
    f->order[f->count++] = SEATS;
    if (rules_has_boards(r))
        f->order[f->count++] = BOARD;
    for (int i = 0; r->options[i].name != NULL; i++)
        if (r->asset_kind == NULL ||
            strcmp(r->options[i].name, r->asset_kind->name) != 0)
            f->order[f->count++] = FIRST_OPTION + i;
    for (int field = PRIVATE; field <= MAKE; field++)
        f->order[f->count++] = field;
}

static void choose_game(struct form *f, int game)
{
    f->game = game;
    f->seats = rules_of(f)->seats_min;
    f->board = -1;
    for (int i = 0; i < RULES_OPTIONS_MAX; i++)
        f->options[i] = RULES_NONE;
    for (int i = 0; rules_of(f)->options[i].name != NULL; i++)
        f->options[i] = rules_of(f)->options[i].default_value;
    arrange(f);
}

/* What field K is called, what stands there, and what it means. */
static void say_field(const struct form *f, int k, const char **name,
                      char *value, size_t cap, const char **text)
{
    const struct rules *r = rules_of(f);

    *text = "";
    value[0] = '\0';
    switch (k) {
    case GAME:
        *name = "Game";
        (void)snprintf(value, cap, "%s", r->title);
        return;
    case SEATS:
        *name = "Seats";
        (void)snprintf(value, cap, "%d", f->seats);
        return;
    case BOARD:
        *name = "Board";
        (void)snprintf(value, cap, "%s",
                       f->board < 0 ? "the default"
                                    : r->assets[f->board].name);
        return;
    case PRIVATE:
        *name = "Private";
        *text = "in no list: for those who are invited or know its id";
        (void)snprintf(value, cap, "%s", f->private ? "yes" : "no");
        return;
    case PASSWORD:
        *name = "Password";
        *text = "for those who are not invited; Enter to type one";
        (void)snprintf(value, cap, "%s", f->password);
        return;
    case WATCHERS:
        *name = "Spectators";
        (void)snprintf(value, cap, "%s", f->watchers ? "yes" : "no");
        return;
    case START:
        *name = "Begins";
        (void)snprintf(value, cap, "%s",
                       f->manual ? "when you say so"
                                 : "when all seats are taken");
        return;
    case INVITE:
        *name = "Invite";
        *text = "names, with commas; Enter to type them";
        (void)snprintf(value, cap, "%s", f->invite);
        return;
    case RATED:
        *name = "Rated";
        (void)snprintf(value, cap, "%s", f->rated ? "yes" : "no");
        return;
    case MAKE: *name = "Make the table"; return;
    default: break;
    }
    const struct rules_option *option = &r->options[k - FIRST_OPTION];
    int16_t chosen = f->options[k - FIRST_OPTION];
    *name = option->name;
    *text = option->text;
    if (option->flag)
        (void)snprintf(value, cap, "%s", chosen ? "on" : "off");
    else if (option->words != NULL)
        (void)snprintf(value, cap, "%s", option->words[chosen - option->min]);
    else
        (void)snprintf(value, cap, "%d", chosen);
}

/* What the field means, in two lines. */
static void draw_text(const struct ui *ui, int y, const char *text)
{
    for (int row = 0; row < 2 && *text != '\0'; row++) {
        int n = (int)strlen(text);
        if (n > COLS - 4)
            for (n = COLS - 4; n > 1 && text[n] != ' '; n--)
                ;
        ui_print(y + row, 3, n, ui_attr(ui, STYLE_GOOD), "%.*s", n, text);
        text += n + (text[n] == ' ');
    }
}

static void draw(struct ui *ui, const struct form *f)
{
    int top = f->at > LINES - 10 ? f->at - (LINES - 10) : 0;

    (void)erase();
    ui_draw_bar(ui, 0, " A new table");
    for (int i = top; i < f->count && i - top < LINES - 6; i++) {
        const char *name, *text;
        char value[300], shown[320];
        int y = 2 + i - top;
        bool here = i == f->at;
        say_field(f, f->order[i], &name, value, sizeof(value), &text);
        attr_t attr = here ? ui_attr(ui, STYLE_CHOSEN) : A_NORMAL;
        ui_text(y, 1, 1, ui_attr(ui, STYLE_KEY), here ? ">" : "", false);
        if (f->order[i] == MAKE) {
            ui_print(y + 1, 3, 40, attr | A_BOLD, "[ %s ]", name);
            continue;
        }
        ui_text(y, 3, 15, A_NORMAL, name, false);
        bool typed = f->order[i] == PASSWORD || f->order[i] == INVITE;
        (void)snprintf(shown, sizeof(shown), typed ? "%s%.280s%s" : "%s%s%s",
                       typed ? "" : "< ",
                       typed && value[0] == '\0' ? "-" : value,
                       typed ? "" : " >");
        ui_text(y, 19, COLS - 19, attr, shown, false);
        if (here)
            draw_text(ui, LINES - 3, text);
    }
    if (ui->message[0] != '\0')
        ui_text(LINES - 1, 0, COLS,
                ui->bad ? ui_attr(ui, STYLE_BAD) | A_REVERSE
                        : ui_attr(ui, STYLE_BAR),
                ui->message, true);
    else
        ui_draw_bar(ui, LINES - 1,
                    " up, down: choose   left, right: change   Enter: make "
                    "the table   Esc: back");
    (void)refresh();
}

/* What of a setup a field of the form is, or -1. */
static int fit_field(int field)
{
    return field == SEATS          ? FIT_SEATS
           : field == BOARD        ? FIT_ASSET
           : field >= FIRST_OPTION ? field - FIRST_OPTION
                                   : -1;
}

/* Says each field of F in which it differs from WAS. */
static void say_changes(struct ui *ui, const struct form *was,
                        const struct form *f)
{
    char told[300];
    struct sbuf s = sbuf_in(told, sizeof(told));

    for (int i = 0; i < f->count; i++) {
        const char *name, *text;
        char before[300], value[300];
        say_field(was, f->order[i], &name, before, sizeof(before), &text);
        say_field(f, f->order[i], &name, value, sizeof(value), &text);
        if (strcmp(before, value) != 0)
            sbuf_printf(&s, "%s %s: %s", s.len > 0 ? "," : "", name, value);
    }
    if (s.len > 0)
        ui_say(ui, false, " With it:%s.", told);
}

/* Field K has changed: what does not go with it changes, too, and that is
 * said.  Where nothing fits the server will say why. */
static void settle(struct ui *ui, struct form *f, int k)
{
    static union rules_any room;
    const struct rules *r = rules_of(f);
    const struct form was = *f;
    struct rules_setup setup = {
        .seats = f->seats,
        .asset_name = f->board < 0 ? NULL : r->assets[f->board].name,
    };

    if (fit_field(k) < 0 ||
        !rules_fit(r, &setup, f->options, fit_field(k), &room))
        return;
    f->seats = setup.seats;
    while (setup.asset_name != NULL &&
           (f->board < 0 ||
            strcmp(r->assets[f->board].name, setup.asset_name) != 0))
        f->board = r->assets[f->board + 1].name != NULL ? f->board + 1 : -1;
    say_changes(ui, &was, f);
}

static int turn(int value, int by, int min, int max)
{
    value += by;
    return value > max ? min : value < min ? max : value;
}

static void change(struct form *f, int by)
{
    const struct rules *r = rules_of(f);
    int k = f->order[f->at], games = 0, boards = 0;

    while (rules_all[games] != NULL)
        games++;
    while (r->assets != NULL && r->assets[boards].name != NULL)
        boards++;
    switch (k) {
    case GAME: choose_game(f, turn(f->game, by, 0, games - 1)); return;
    case SEATS:
        f->seats = turn(f->seats, by, r->seats_min, r->seats_max);
        return;
    case BOARD: f->board = turn(f->board, by, -1, boards - 1); return;
    case PRIVATE: f->private = !f->private; return;
    case WATCHERS: f->watchers = !f->watchers; return;
    case START: f->manual = !f->manual; return;
    case RATED: f->rated = !f->rated; return;
    case PASSWORD:
    case INVITE:
    case MAKE: return;
    default: break;
    }
    const struct rules_option *option = &r->options[k - FIRST_OPTION];
    int16_t *chosen = &f->options[k - FIRST_OPTION];
    *chosen = (int16_t)turn(*chosen, by, option->min, option->max);
}

static json_t *params_of(const struct form *f)
{
    const struct rules *r = rules_of(f);
    int16_t options[RULES_OPTIONS_MAX];
    char key[LINK_KEY_SIZE];

    link_key(key);
    json_t *params = json_pack("{ss si ss sb sb ss ss*}", "game", r->name,
                               "seats", f->seats, "key", key, "private",
                               f->private, "spectators", f->watchers, "start",
                               f->manual ? "manual" : "full", "password",
                               f->password[0] != '\0' ? f->password : NULL);
    if (params == NULL) /* a password that is no UTF-8 */
        return NULL;
    if (f->rated)
        (void)json_object_set_new(params, "rated", json_true());
    for (int i = 0; i < RULES_OPTIONS_MAX; i++) {
        options[i] = f->options[i];
        if (r->options[i].name == NULL)
            break;
        if (options[i] == r->options[i].default_value)
            options[i] = RULES_NONE;
    }
    (void)json_object_set_new(params, "options", options_json(r, options));
    if (f->board >= 0)
        (void)json_object_set_new(params, "board",
                                  json_pack("{ss}", "builtin",
                                            r->assets[f->board].name));
    json_t *invite = json_array();
    for (const char *at = f->invite; *at != '\0';) {
        at += strspn(at, ", ");
        size_t len = strcspn(at, ", ");
        if (len > 0)
            (void)json_array_append_new(invite, json_stringn(at, len));
        at += len;
    }
    if (json_array_size(invite) > 0)
        (void)json_object_set(params, "invite", invite);
    json_decref(invite);
    return params;
}

static bool make(struct ui *ui, const struct form *f, char id[40])
{
    const struct visit *v = ui->world;
    char why[LINK_WHY_MAX] = "That is no text.";
    json_t *params = params_of(f);
    json_t *result = params != NULL
                         ? link_ask(v->client->session.link, "table.create",
                                    params, why, NULL)
                         : NULL;

    if (result == NULL)
        ui_say(ui, true, " %s", why);
    else
        (void)snprintf(id, 40, "%s", member_text(result, "table", ""));
    json_decref(result);
    return result != NULL;
}

bool create_form(struct ui *ui, char id[40])
{
    static struct form form;
    struct form *f = &form;

    if (f->count == 0) {
        f->watchers = true;
        choose_game(f, 0);
    }
    f->at = 0;
    for (;;) {
        draw(ui, f);
        int key = ui_key(ui);
        if (key == KEY_NEWS || key == KEY_RESIZE)
            continue;
        ui->message[0] = '\0';
        int k = f->order[f->at];
        switch (key) {
        case KEY_DOWN:
        case '\t':
        case 'j': f->at = turn(f->at, 1, 0, f->count - 1); break;
        case KEY_UP:
        case KEY_BTAB:
        case 'k': f->at = turn(f->at, -1, 0, f->count - 1); break;
        case KEY_RIGHT:
        case ' ':
        case 'l':
            change(f, 1);
            settle(ui, f, k);
            break;
        case KEY_LEFT:
        case 'h':
            change(f, -1);
            settle(ui, f, k);
            break;
        case KEY_RETURN:
            if (k == PASSWORD)
                (void)ui_ask(ui, "Password of the table:", f->password,
                             sizeof(f->password));
            else if (k == INVITE)
                (void)ui_ask(ui, "Invite (A,B,...):", f->invite,
                             sizeof(f->invite));
            else if (make(ui, f, id))
                return true;
            break;
        case KEY_ESCAPE:
        case 'q':
        case ERR: return false;
        default: break;
        }
    }
}
