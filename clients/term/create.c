/* create.c -- `sobremesa create`, `fork`, `rematch` and `join`. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clients/common/lang.h"
#include "client.h"
#include "layout.h"
#include "pace.h"
#include "protocol/sbuf_printf.h"
#include "tables.h"

/* ---- create ------------------------------------------------------------- */

struct table_arguments {
    struct session session;
    const char *what; /* GAME or TABLE */
    const char *ply, *options, *board, *seats, *seat, *invite, *bots, *pace,
        *misses;
    bool private, password, rated, alone, manual, quiet;
    const char *hours, *absence; /* yes, no */
};

enum {
    BOARD_KEY = 256,
    PLY_KEY,
    INVITE_KEY,
    BOTS_KEY,
    PRIVATE_KEY,
    PASSWORD_KEY,
    ALONE_KEY,
    MANUAL_KEY,
    RATED_KEY,
    PACE_KEY,
    MISSES_KEY,
    HOURS_KEY,
    ABSENCE_KEY
};

static error_t table_parse(int key, char *arg, struct argp_state *state)
{
    struct table_arguments *a = state->input;

    switch (key) {
    case ARGP_KEY_INIT: session_hand_on(state, &a->session); return 0;
    case 'n': a->seats = arg; return 0;
    case 's': a->seat = arg; return 0;
    case 'o': a->options = arg; return 0;
    case 'b': a->board = arg; return 0;
    case 'q': a->quiet = true; return 0;
    case PLY_KEY: a->ply = arg; return 0;
    case INVITE_KEY: a->invite = arg; return 0;
    case BOTS_KEY: a->bots = arg; return 0;
    case PRIVATE_KEY: a->private = true; return 0;
    case PASSWORD_KEY: a->password = true; return 0;
    case ALONE_KEY: a->alone = true; return 0;
    case MANUAL_KEY: a->manual = true; return 0;
    case RATED_KEY: a->rated = true; return 0;
    case PACE_KEY: a->pace = arg; return 0;
    case MISSES_KEY: a->misses = arg; return 0;
    case HOURS_KEY: a->hours = arg; return 0;
    case ABSENCE_KEY: a->absence = arg; return 0;
    case ARGP_KEY_ARG:
        if (a->what != NULL)
            argp_error(state, _("one at a time: '%s' is too much"), arg);
        a->what = session_table(&a->session, arg);
        return 0;
    case ARGP_KEY_NO_ARGS: argp_error(state, _("which one?")); return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

json_t *bots_json(const char *levels, int count)
{
    json_t *all = json_array();
    bool several = strchr(levels, ',') != NULL;

    for (int i = 0; !several && i < count; i++)
        (void)json_array_append_new(all, json_string(levels));
    for (const char *at = levels; several && *at != '\0';) {
        size_t len = strcspn(at, ",");
        (void)json_array_append_new(all, json_stringn(at, len));
        at += len + (at[len] == ',');
    }
    return all;
}

json_t *options_json(const struct rules *r,
                     const int16_t options[RULES_OPTIONS_MAX])
{
    json_t *object = json_object();

    for (int i = 0; r->options[i].name != NULL; i++) {
        const struct rules_option *option = &r->options[i];
        if (options[i] == RULES_NONE)
            continue;
        json_t *value = option->flag ? json_boolean(options[i])
                        : option->words != NULL
                            ? json_string(
                                  option->words[options[i] - option->min])
                            : json_integer(options[i]);
        (void)json_object_set_new(object, option->name, value);
    }
    return object;
}

/* Adds VALUE under NAME; false, after a complaint, if it is none. */
static bool add_read(json_t *params, const char *name, json_t *value,
                     const char *wanted)
{
    if (value == NULL)
        return complain("--%s: %s", name, wanted), false;
    return json_object_set_new(params, name, value) == 0;
}

/* Adds under NAME what TEXT says, if it is not NULL. */
static bool add_yes(json_t *params, const char *name, const char *text)
{
    bool yes = text != NULL && strcmp(text, "yes") == 0;

    return text == NULL ||
           add_read(params, name,
                    yes || strcmp(text, "no") == 0 ? json_boolean(yes) : NULL,
                    _("expected yes or no"));
}

static bool add_time(const struct table_arguments *a, json_t *params)
{
    return (a->pace == NULL ||
            add_read(params, "pace", pace_read(a->pace),
                     _("expected 3d, 10m+15s, 1d/10d or the like"))) &&
           (a->misses == NULL ||
            add_read(
                params, "misses", misses_read(a->misses),
                _("expected mild, bot, open, out or end, and perhaps how many "
                  "are excused: out,2"))) &&
           add_yes(params, "hours", a->hours) &&
           add_yes(params, "absence", a->absence);
}

/* Adds members that are lists or objects of their own; false after a
 * complaint. */
static bool add_setup(const struct table_arguments *a, const struct rules *r,
                      json_t *params)
{
    int16_t options[RULES_OPTIONS_MAX];
    struct json_board board = {0};

    for (int i = 0; i < RULES_OPTIONS_MAX; i++)
        options[i] = RULES_NONE;
    if (a->options != NULL) {
        if (!options_parse(r, a->options, options))
            return false;
        (void)json_object_set_new(params, "options", options_json(r, options));
    }
    if (a->board != NULL) {
        if (!board_load(r, a->board, &board))
            return false;
        json_t *text = board.name != NULL
                           ? json_string(board.name)
                           : json_stringn(board.text, board.len);
        json_t *object = json_object();
        (void)json_object_set_new(object,
                                  board.name != NULL ? "builtin"
                                                     : r->asset_kind->format,
                                  text);
        (void)json_object_set_new(params, "board", object);
        json_board_done(&board);
        if (text == NULL)
            return complain(_("%s: not UTF-8"), a->board), false;
    }
    return true;
}

/* Adds what is agreed on besides the game, of which OTHERS play, too. */
static bool add_company(const struct table_arguments *a, int others,
                        json_t *params)
{
    char password[100];
    size_t invited = 0;

    if (a->private)
        (void)json_object_set_new(params, "private", json_true());
    if (a->alone)
        (void)json_object_set_new(params, "spectators", json_false());
    if (a->manual)
        (void)json_object_set_new(params, "start", json_string("manual"));
    if (!add_time(a, params))
        return false;
    if (a->invite != NULL) {
        json_t *names = json_array();
        for (const char *at = a->invite; *at != '\0';) {
            size_t len = strcspn(at, ",");
            if (len > 0)
                (void)json_array_append_new(names, json_stringn(at, len));
            at += len + (at[len] == ',');
        }
        invited = json_array_size(names);
        (void)json_object_set_new(params, "invite", names);
    }
    if (a->bots != NULL)
        (void)json_object_set_new(params, "bots",
                                  bots_json(a->bots, others - (int)invited));
    if (!a->password)
        return true;
    bool good = prompt_line(_("Password of the table"), true, password,
                            sizeof(password));
    if (good)
        (void)json_object_set_new(params, "password", json_string(password));
    explicit_bzero(password, sizeof(password));
    return good;
}

static json_t *create_params(const struct table_arguments *a,
                             const struct rules *r)
{
    char key[LINK_KEY_SIZE];
    uint64_t seats = r->seats_min;

    if (a->seats != NULL && !number_read(a->seats, 99, &seats))
        return complain(_("--seats: expected a number")), NULL;
    link_key(key);
    json_t *params = json_pack("{ss sI ss}", "game", r->name, "seats",
                               (json_int_t)seats, "key", key);
    if (a->rated)
        (void)json_object_set_new(params, "rated", json_true());
    if (add_setup(a, r, params) && add_company(a, (int)seats - 1, params))
        return params;
    json_decref(params);
    return NULL;
}

/* Tells of the new table in RESULT, of a game called TITLE, which is released;
 * the status. */
static int tell_made(const struct table_arguments *a, json_t *result,
                     const char *title)
{
    const char *id = member_text(result, "table", "?");

    if (result == NULL)
        return STATUS_FAILED;
    if (a->quiet)
        printf("%s\n", id);
    else
        printf(_("Table %s: %s.\n"
                 "Others come by   sobremesa join %s\n"
                 "and you play by  sobremesa play %s\n"),
               id, title, id, id);
    json_decref(result);
    return STATUS_DONE;
}

/* What a new table is asked for besides its game. */
#define COMPANY_OPTIONS \
    {"invite", \
     INVITE_KEY, \
     "A,B,...", \
     0, \
     N_("tell these people, and let them in"), \
     0}, \
        {"bots", \
         BOTS_KEY, \
         "LEVEL[,LEVEL...]", \
         0, \
         N_("bots sit down, too: random, greedy or search; one level is for " \
            "all seats to which nobody is invited"), \
         0}, \
        {"private", \
         PRIVATE_KEY, \
         NULL, \
         0, \
         N_("in no list; who is invited or knows the id finds it"), \
         0}, \
        {"password", \
         PASSWORD_KEY, \
         NULL, \
         0, \
         N_("who is not invited needs a password, which is asked for"), \
         0}, \
        {"no-spectators", ALONE_KEY, NULL, 0, N_("nobody may look on"), 0}, \
        {"manual", \
         MANUAL_KEY, \
         NULL, \
         0, \
         N_("starts when you say so, not when all seats are taken"), \
         0}, \
        {"pace", \
         PACE_KEY, \
         "TIME", \
         0, \
         N_("how long a turn may take: 3d a move; 10m+15s for all moves, and " \
            "more with each; 1d/10d with a bank"), \
         0}, \
        {"misses", \
         MISSES_KEY, \
         "WHAT[,N]", \
         0, \
         N_("what comes of a turn that takes longer (mild, bot, open, out, end), " \
            "after N that are excused (1)"), \
         0}, \
        {"hours", \
         HOURS_KEY, \
         "yes|no", \
         0, \
         N_("clocks run in everybody's own hours alone (yes, where a turn has " \
            "12 hours or more)"), \
         0}, \
        {"absence", \
         ABSENCE_KEY, \
         "yes|no", \
         0, \
         N_("clocks stand still while people are away (the same)"), \
         0}, \
    { \
        "quiet", 'q', NULL, 0, N_("print nothing but the table's id"), 0 \
    }

int create_command(int argc, char **argv)
{
    static const struct argp_option options[] = {
        {"seats", 'n', "N", 0, N_("for how many (as few as can)"), 0},
        {"options", 'o', "NAME=VALUE,...", 0,
         N_("options of the game: 1, 0, on, off, a word or a number"), 0},
        {"board", 'b', "FILE|NAME", 0, N_("the board to play on"), 0},
        {"rated", RATED_KEY, NULL, 0,
         N_("the result moves ratings; with --pace, and without guests"), 0},
        COMPANY_OPTIONS,
        {0},
    };
    static const struct argp argp = {
        .options = options,
        .parser = table_parse,
        .args_doc = "GAME",
        .doc = DOC(
            N_("Makes a table for a game and takes its first seat."),
            N_("The game begins when all seats are taken. `sobremesa games` "
               "lists the games, `sobremesa games GAME` its options and "
               "boards.")),
        .children = session_children,
    };
    struct table_arguments a = {0};

    if (command_parse(&argp, "create", argc, argv, &a) != STATUS_DONE)
        return STATUS_USAGE;
    const struct rules *r = game_find(a.what);
    json_t *params = r != NULL ? create_params(&a, r) : NULL;
    if (params == NULL)
        return STATUS_FAILED;
    if (!session_open(&a.session, SESSION_SOMEBODY, NULL)) {
        json_decref(params);
        return STATUS_FAILED;
    }
    json_t *result = session_ask(&a.session, "table.create", params);
    int status = tell_made(&a, result, r->title);
    session_close(&a.session);
    return status;
}

/* ---- fork --------------------------------------------------------------- */

/* What is known of the table WHICH, the caller's to free, or NULL after a
 * complaint. */
static json_t *table_of(struct session *s, const char *which)
{
    json_t *params = json_pack("{ss}", "table", which);

    if (params == NULL)
        return complain(_("'%s' is no table"), which), NULL;
    return session_ask(s, "table.get", params);
}

/* A fork of the table ABOUT. */
static json_t *fork_params(const struct table_arguments *a,
                           const json_t *about)
{
    size_t seats = json_array_size(json_object_get(about, "seats"));
    uint64_t ply = 0, seat = 0;
    char key[LINK_KEY_SIZE];

    if (a->ply != NULL && !number_read(a->ply, INT32_MAX, &ply))
        return complain(_("--ply: expected a number")), NULL;
    if (a->seat != NULL && !number_read(a->seat, 7, &seat))
        return complain(_("--seat: expected a number from 0")), NULL;
    link_key(key);
    json_t *params = json_pack("{ss ss}", "table", a->what, "key", key);
    if (a->ply != NULL)
        (void)json_object_set_new(params, "ply",
                                  json_integer((json_int_t)ply));
    if (a->seat != NULL)
        (void)json_object_set_new(params, "seat",
                                  json_integer((json_int_t)seat));
    if (add_company(a, (int)seats - 1, params))
        return params;
    json_decref(params);
    return NULL;
}

int fork_command(int argc, char **argv)
{
    static const struct argp_option options[] = {
        {"ply", PLY_KEY, "N", 0,
         N_("where it begins, as `sobremesa replay` counts (as it is now)"),
         0},
        {"seat", 's', "N", 0, N_("which seat is yours, from 0 (your own)"), 0},
        COMPANY_OPTIONS,
        {0},
    };
    static const struct argp argp = {
        .options = options,
        .parser = table_parse,
        .args_doc = "TABLE",
        .doc = DOC(
            N_("Makes a new table that begins where another one is, or was."),
            N_("Of a game that is over it is the position as it was. Of one "
               "that goes on it is what you see, and the rest is guessed; that "
               "table is private, and those you play it with see what you "
               "knew. A rated game cannot be tried out while it goes on.")),
        .children = session_children,
    };
    struct table_arguments a = {0};
    int status = STATUS_FAILED;

    if (command_parse(&argp, "fork", argc, argv, &a) != STATUS_DONE)
        return STATUS_USAGE;
    if (!session_open(&a.session, SESSION_SOMEBODY, NULL))
        return STATUS_FAILED;
    json_t *got = table_of(&a.session, a.what);
    const json_t *about = json_object_get(got, "table");
    const struct rules *r = rules_find(member_text(about, "game", ""));
    json_t *params = got != NULL ? fork_params(&a, about) : NULL;
    if (params != NULL)
        status = tell_made(&a, session_ask(&a.session, "table.fork", params),
                           r != NULL ? r->title
                                     : member_text(about, "game", "?"));
    json_decref(got);
    session_close(&a.session);
    return status;
}

/* ---- rematch ------------------------------------------------------------ */

/* Takes the seat that is kept at the table of a rematch that somebody else has
 * made; whether one sits there, or did when it began. */
static bool join_rematch(struct session *s, const char *table)
{
    char key[LINK_KEY_SIZE], nonce[LINK_KEY_SIZE], why[LINK_WHY_MAX],
        reason[64];

    link_key(key);
    link_key(nonce);
    json_t *result = link_ask(s->link, "table.join",
                              json_pack("{ss ss ss}", "table", table, "key",
                                        key, "nonce", nonce),
                              why, reason);
    bool there = result != NULL || strcmp(reason, "already_seated") == 0;
    if (!there)
        session_complain(reason, why);
    json_decref(result);
    return there;
}

int rematch_command(int argc, char **argv)
{
    static const struct argp_option options[] = {
        {"quiet", 'q', NULL, 0, N_("print nothing but the table's id"), 0},
        {0},
    };
    static const struct argp argp = {
        .options = options,
        .parser = table_parse,
        .args_doc = "TABLE",
        .doc = DOC(
            N_("Plays again what you played at a table, with the same people."),
            N_("The seats are turned by one. Who asks first makes the table, "
               "and the others are invited; who asks later sits down there.")),
        .children = session_children,
    };
    char nonce[LINK_KEY_SIZE];
    struct table_arguments a = {0};
    int status = STATUS_FAILED;

    if (command_parse(&argp, "rematch", argc, argv, &a) != STATUS_DONE)
        return STATUS_USAGE;
    link_key(nonce);
    if (!session_open(&a.session, SESSION_SOMEBODY, NULL))
        return STATUS_FAILED;
    json_t *got = table_of(&a.session, a.what);
    const char *game = member_text(json_object_get(got, "table"), "game", "?");
    const struct rules *r = rules_find(game);
    json_t *result = got != NULL
                         ? session_ask(&a.session, "table.rematch",
                                       json_pack("{ss ss}", "table", a.what,
                                                 "nonce", nonce))
                         : NULL;
    if (result != NULL &&
        (member_true(result, "made") ||
         join_rematch(&a.session, member_text(result, "table", "?"))))
        status = tell_made(&a, json_incref(result),
                           r != NULL ? r->title : game);
    json_decref(result);
    json_decref(got);
    session_close(&a.session);
    return status;
}

/* ---- decline ------------------------------------------------------------ */

int decline_command(int argc, char **argv)
{
    static const struct argp argp = {
        .parser = table_parse,
        .args_doc = "TABLE",
        .doc = N_("Declines an invitation; who invited you is told."),
        .children = session_children,
    };
    struct table_arguments a = {0};

    if (command_parse(&argp, "decline", argc, argv, &a) != STATUS_DONE)
        return STATUS_USAGE;
    if (!session_open(&a.session, SESSION_SOMEBODY, NULL))
        return STATUS_FAILED;
    json_t *result = session_ask(&a.session, "table.decline",
                                 json_pack("{ss}", "table", a.what));
    int status = result != NULL ? STATUS_DONE : STATUS_FAILED;
    json_decref(result);
    session_close(&a.session);
    return status;
}

/* ---- join --------------------------------------------------------------- */

/* The seat taken, or NULL after a complaint; asks for a password where one is
 * wanted and somebody can be asked. */
static json_t *join(struct session *s, const char *table, const char *seat,
                    bool wants_password, const char *code)
{
    char key[LINK_KEY_SIZE], password[100] = "", why[LINK_WHY_MAX], reason[64];
    uint64_t number = 0;

    if (seat != NULL && !number_read(seat, 7, &number))
        return complain(_("--seat: expected a number from 0")), NULL;
    for (;;) {
        if (wants_password && !prompt_line(_("Password of the table"), true,
                                           password, sizeof(password)))
            return NULL;
        link_key(key);
        json_t *params = json_pack("{ss ss ss* ss*}", "table", table, "key",
                                   key, "password",
                                   password[0] != '\0' ? password : NULL,
                                   "link", code);
        if (params != NULL && seat != NULL)
            (void)json_object_set_new(params, "seat",
                                      json_integer((json_int_t)number));
        if (params == NULL)
            return complain(_("'%s' is no table"), table), NULL;
        json_t *result = link_ask(s->link, "table.join", params, why, reason);
        if (result != NULL)
            return result;
        if (wants_password || strcmp(reason, "wrong_password") != 0 ||
            !isatty(STDIN_FILENO))
            return session_complain(reason, why), NULL;
        wants_password = true;
    }
}

/* To which table the personal link with CODE leads, in TO; false after a
 * complaint. */
static bool follow_link(struct session *s, const char *code, char to[40])
{
    json_t *told = session_ask(s, "account.link",
                               json_pack("{ss}", "code", code));
    const json_t *table = json_object_get(told, "table");

    (void)snprintf(to, 40, "%s", member_text(table, "table", ""));
    if (told != NULL && table == NULL)
        (void)complain(_("that link leads to no table"));
    json_decref(told);
    return to[0] != '\0';
}

int join_command(int argc, char **argv)
{
    static const struct argp_option options[] = {
        {"seat", 's', "N", 0, N_("which seat, from 0 (the first free one)"),
         0},
        {"password", PASSWORD_KEY, NULL, 0,
         N_("read the table's password from the standard input, or ask for it"),
         0},
        {"quiet", 'q', NULL, 0, N_("print nothing but the seat's number"), 0},
        {0},
    };
    static const struct argp argp = {
        .options = options,
        .parser = table_parse,
        .args_doc = "TABLE|LINK",
        .doc = DOC(N_("Takes a seat at a table that has not begun."),
                   N_("A personal link (`sobremesa link`) says where, and "
                      "lets you in without a password; no account is needed "
                      "but that of a guest.")),
        .children = session_children,
    };
    struct table_arguments a = {0};

    if (command_parse(&argp, "join", argc, argv, &a) != STATUS_DONE)
        return STATUS_USAGE;
    const char *code = strrchr(a.what, '/');
    char table[40];
    if (strstr(a.what, "://") != NULL && a.session.server_chosen == NULL)
        a.session.server_chosen = a.what;
    if (!session_open(&a.session, SESSION_SOMEBODY, NULL))
        return STATUS_FAILED;
    if (code != NULL && !follow_link(&a.session, code + 1, table)) {
        session_close(&a.session);
        return STATUS_FAILED;
    }
    if (code != NULL)
        a.what = table;
    json_t *result = join(&a.session, a.what, a.seat, a.password,
                          code != NULL ? code + 1 : NULL);
    if (result != NULL && a.quiet)
        printf("%d\n", (int)member_number(result, "seat"));
    else if (result != NULL)
        printf(_("You have seat %d at table %s. Play by  sobremesa play %s\n"),
               (int)member_number(result, "seat"), a.what, a.what);
    int status = result != NULL ? STATUS_DONE : STATUS_FAILED;
    json_decref(result);
    session_close(&a.session);
    return status;
}
