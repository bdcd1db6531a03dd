/* create_form.c -- the form of the lobby that makes a table. */

#include <stdlib.h>
#include <string.h>

#include "clients/common/lang.h"
#include "core/base.h"
#include "core/fit.h"
#include "core/mind.h"
#include "core/says.h"
#include "online_screen.h"
#include "pace.h"
#include "protocol/sbuf_printf.h"
#include "tables.h"

enum field {
    GAME,
    SEATS,
    BOARD,
    PRIVATE,
    PASSWORD,
    WATCHERS,
    START,
    INVITE,
    BOTS,
    PACE,
    MISSES, /* with a pace, as what follows */
    HEEDS,
    MAKE,
    FIRST_OPTION,
    FIELDS = FIRST_OPTION + RULES_OPTIONS_MAX
};

struct form {
    int game; /* index in rules_all */
    int seats;
    int board; /* index in rules->assets; -1: the default */
    int bots;  /* enum mind_level, where nobody is invited; -1: none */
    int pace;  /* index in pace_presets; -1: none */
    int miss;  /* index in POLICIES */
    int heeds; /* hours and absences: 0 as the pace is, 1 yes, 2 no */
    bool private, watchers, manual;
    char password[70], invite[200];
    int16_t options[RULES_OPTIONS_MAX];
    int at; /* index in `order` */
    int order[FIELDS], count;
};

/* What comes of a turn that takes longer. */
static const struct policy {
    const char *word, *name, *text;
} policies[] = {
    {"mild", N_("default moves"),
     N_("their next turn is shorter; after three misses the seat is played "
        "for until they come back")},
    {"bot", N_("a bot plays"), N_("until they come back")},
    {"open", N_("offered to others"),
     N_("who takes the seat plays on; until then they can still move")},
    {"out", N_("they give up"),
     N_("of two the other wins; of more the seat plays on by itself")},
    {"end", N_("the game ends"),
     N_("of two the other wins; of more nobody does")},
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
        if (f->pace >= 0 || (field != MISSES && field != HEEDS))
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

static void say_pace(const struct form *f, char *value, size_t cap)
{
    json_t *pace = f->pace >= 0 ? pace_read(pace_presets[f->pace]) : NULL;

    pace_text(pace, value, cap);
    if (pace == NULL)
        (void)snprintf(value, cap, "%s", _("as long as it takes"));
    json_decref(pace);
}

/* What WORD of the game is called. */
static const char *called(const struct rules *r, const char *word)
{
    const struct says *says = layout_says(r);
    const char *name = says != NULL ? says_name(says, word) : NULL;

    return name != NULL ? name : word;
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
        *name = _("Game");
        (void)snprintf(value, cap, "%s", r->title);
        return;
    case SEATS:
        *name = _("Seats");
        (void)snprintf(value, cap, "%d", f->seats);
        return;
    case BOARD:
        *name = _("Board");
        (void)snprintf(value, cap, "%s",
                       f->board < 0 ? _("the default")
                                    : called(r, r->assets[f->board].name));
        return;
    case PRIVATE:
        *name = _("Private");
        *text = _("in no list: for those who are invited or know its id");
        (void)snprintf(value, cap, "%s", f->private ? _("yes") : _("no"));
        return;
    case PASSWORD:
        *name = _("Password");
        *text = _("for those who are not invited; Enter to type one");
        (void)snprintf(value, cap, "%s", f->password);
        return;
    case WATCHERS:
        *name = _("Spectators");
        (void)snprintf(value, cap, "%s", f->watchers ? _("yes") : _("no"));
        return;
    case START:
        *name = _("Begins");
        (void)snprintf(value, cap, "%s",
                       f->manual ? _("when you say so")
                                 : _("when all seats are taken"));
        return;
    case INVITE:
        *name = _("Invite");
        *text = _("names, with commas; Enter to type them");
        (void)snprintf(value, cap, "%s", f->invite);
        return;
    case BOTS:
        *name = _("Bots");
        *text = _("in the seats for which nobody is invited");
        (void)snprintf(value, cap, "%s",
                       f->bots >= 0 ? mind_level_words[f->bots] : _("no bot"));
        return;
    case PACE:
        *name = _("Time");
        *text = _("for a turn; others by `sobremesa create --pace`");
        say_pace(f, value, cap);
        return;
    case MISSES:
        *name = _("Time is up");
        *text = _(policies[f->miss].text);
        (void)snprintf(value, cap, "%s", _(policies[f->miss].name));
        return;
    case HEEDS:
        *name = _("Away");
        *text = _("whether clocks run only in people's own hours, and not "
                  "while they are away");
        (void)snprintf(value, cap, "%s",
                       f->heeds == 0   ? _("heeded from 12 hours on")
                       : f->heeds == 1 ? _("heeded")
                                       : _("clocks run on"));
        return;
    case MAKE: *name = _("Make the table"); return;
    default: break;
    }
    const struct rules_option *option = &r->options[k - FIRST_OPTION];
    int16_t chosen = f->options[k - FIRST_OPTION];
    *name = called(r, option->name);
    *text = says_option(r, layout_says(r), k - FIRST_OPTION);
    if (option->flag)
        (void)snprintf(value, cap, "%s", chosen ? _("on") : _("off"));
    else if (option->words != NULL)
        (void)snprintf(value, cap, "%s",
                       called(r, option->words[chosen - option->min]));
    else
        (void)snprintf(value, cap, "%d", chosen);
}

static bool is_typed(int field)
{
    return field == PASSWORD || field == INVITE;
}

/* A click on field I, which is this and I. */
#define CLICKED (KEY_MAX + 100)

static void draw(struct ui *ui, const struct form *f)
{
    int room = LINES > 7 ? LINES - 6 : 1, here_y = 0;
    int top = ui_scrolled(0, f->at, room > 4 ? 2 : 0, room, f->count);

    ui_clear();
    ui_draw_bar(ui, 0, _(" A new table"));
    for (int i = top; i < f->count && i - top < room; i++) {
        const char *name, *text;
        char value[300], shown[320];
        int y = 2 + i - top;
        bool here = i == f->at;
        if (here)
            here_y = y + (f->order[i] == MAKE);
        say_field(f, f->order[i], &name, value, sizeof(value), &text);
        ui_button(y + (f->order[i] == MAKE), 0, 1, COLS, CLICKED + i);
        attr_t attr = here ? ui_attr(ui, STYLE_CHOSEN) : A_NORMAL;
        ui_text(y + (f->order[i] == MAKE), 1, 1, ui_attr(ui, STYLE_KEY),
                here ? ">" : "", false);
        if (f->order[i] == MAKE) {
            ui_print(y + 1, 3, 40, attr | A_BOLD, "[ %s ]", name);
            continue;
        }
        ui_text(y, 3, 15, A_NORMAL, name, false);
        bool typed = is_typed(f->order[i]);
        (void)snprintf(shown, sizeof(shown), typed ? "%s%.280s%s" : "%s%s%s",
                       typed ? "" : "< ",
                       typed && value[0] == '\0' ? "-" : value,
                       typed ? "" : " >");
        ui_text(y, 19, COLS - 19, attr, shown, false);
        if (here)
            (void)ui_wrap(LINES - 3, 3, 2, COLS - 4, ui_attr(ui, STYLE_GOOD),
                          text);
    }
    if (ui->message[0] != '\0')
        ui_text(LINES - 1, 0, COLS,
                ui->bad ? ui_attr(ui, STYLE_BAD) | A_REVERSE
                        : ui_attr(ui, STYLE_BAR),
                ui->message, true);
    else
        ui_draw_bar(ui, LINES - 1,
                    is_typed(f->order[f->at])
                        ? _(" arrows: choose, change   Enter: type it   Esc: "
                            "back")
                        : _(" arrows: choose, change   Enter: make the table  "
                            " Esc: back"));
    (void)move(here_y, 3); /* where whoever reads it aloud looks */
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
        ui_say(ui, false, _(" With it:%s."), told);
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
    int k = f->order[f->at], games = 0, boards = 0, paces = 0;

    while (rules_all[games] != NULL)
        games++;
    while (r->assets != NULL && r->assets[boards].name != NULL)
        boards++;
    while (pace_presets[paces] != NULL)
        paces++;
    switch (k) {
    case GAME: choose_game(f, turn(f->game, by, 0, games - 1)); return;
    case SEATS:
        f->seats = turn(f->seats, by, r->seats_min, r->seats_max);
        return;
    case BOARD: f->board = turn(f->board, by, -1, boards - 1); return;
    case PRIVATE: f->private = !f->private; return;
    case WATCHERS: f->watchers = !f->watchers; return;
    case START: f->manual = !f->manual; return;
    case BOTS: f->bots = turn(f->bots, by, -1, MIND_LEVELS - 1); return;
    case PACE:
        f->pace = turn(f->pace, by, -1, paces - 1);
        arrange(f);
        return;
    case MISSES:
        f->miss = turn(f->miss, by, 0, (int)COUNT_OF(policies) - 1);
        return;
    case HEEDS: f->heeds = turn(f->heeds, by, 0, 2); return;
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
    if (f->pace >= 0) {
        (void)json_object_set_new(params, "pace",
                                  pace_read(pace_presets[f->pace]));
        (void)json_object_set_new(params, "misses",
                                  misses_read(policies[f->miss].word));
    }
    if (f->pace >= 0 && f->heeds != 0) {
        json_t *heeds = json_boolean(f->heeds == 1);
        (void)json_object_set(params, "hours", heeds);
        (void)json_object_set(params, "absence", heeds);
        json_decref(heeds);
    }
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
    if (f->bots >= 0)
        (void)json_object_set_new(params, "bots",
                                  bots_json(mind_level_words[f->bots],
                                            f->seats - 1 -
                                                (int)json_array_size(invite)));
    json_decref(invite);
    return params;
}

static bool make(struct ui *ui, const struct form *f, char id[40])
{
    const struct visit *v = ui->world;
    char why[LINK_WHY_MAX];
    json_t *params = params_of(f);

    (void)snprintf(why, sizeof(why), "%s", _("That is no text."));
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

/* A click goes to a field; on the one where one is it does what *KEY then is:
 * the next value, or Enter.  Whether there is that to be done. */
static bool clicked(struct form *f, int *key)
{
    int field = f->order[*key - CLICKED];
    bool there = f->at == *key - CLICKED || field == MAKE;

    f->at = *key - CLICKED;
    *key = is_typed(field) || field == MAKE ? KEY_RETURN : KEY_RIGHT;
    return there;
}

bool create_form(struct ui *ui, char id[40])
{
    static struct form form;
    struct form *f = &form;

    if (f->count == 0) {
        f->watchers = true;
        f->pace = f->bots = -1;
        choose_game(f, 0);
    }
    f->at = 0;
    for (;;) {
        draw(ui, f);
        int key = ui_key(ui);
        if (key == KEY_NEWS || key == KEY_RESIZE)
            continue;
        ui->message[0] = '\0';
        if (key >= CLICKED && key < CLICKED + f->count && !clicked(f, &key))
            continue;
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
                (void)ui_ask(ui, _("Password of the table:"), f->password,
                             sizeof(f->password));
            else if (k == INVITE)
                (void)ui_ask(ui, _("Invite (A,B,...):"), f->invite,
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
