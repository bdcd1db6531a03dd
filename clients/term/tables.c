/* tables.c -- `sobremesa create`, `join`, and the lobby in lines. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "notices.h"
#include "protocol/sbuf_printf.h"
#include "tables.h"

/* ---- a table in a line -------------------------------------------------- */

void summary_players(const json_t *table, char *buf, size_t cap)
{
    const json_t *seats = json_object_get(table, "seats");
    struct sbuf s = sbuf_in(buf, cap);
    size_t empty = 0;

    for (size_t i = 0; i < json_array_size(seats); i++) {
        const json_t *seat = json_array_get(seats, i);
        const char *name = member_text(seat, "name", NULL);
        if (name == NULL)
            empty++;
        else
            sbuf_printf(&s, "%s%s%s", s.len > 0 ? ", " : "", name,
                        member_true(seat, "acting") ? "*" : "");
    }
    if (empty > 0)
        sbuf_printf(&s, "%s%zu free", s.len > 0 ? ", " : "", empty);
}

void summary_options(const json_t *table, char *buf, size_t cap)
{
    const struct rules *r = rules_find(member_text(table, "game", ""));
    json_t *options = json_object_get(table, "options");
    const json_t *board = json_object_get(table, "board");
    struct sbuf s = sbuf_in(buf, cap);

    for (int i = 0; r != NULL && r->options[i].name != NULL; i++) {
        const struct rules_option *option = &r->options[i];
        const json_t *value = json_object_get(options, option->name);
        const char *comma = s.len > 0 ? ", " : "";
        if (option->flag &&
            json_is_true(value) != (option->default_value != 0))
            sbuf_printf(&s, "%s%s%s", comma, json_is_true(value) ? "" : "no ",
                        option->name);
        else if (json_is_string(value) &&
                 strcmp(json_string_value(value),
                        option->words[option->default_value - option->min]) !=
                     0)
            sbuf_printf(&s, "%s%s %s", comma, option->name,
                        json_string_value(value));
        else if (json_is_integer(value) &&
                 json_integer_value(value) != option->default_value)
            sbuf_printf(&s, "%s%s %d", comma, option->name,
                        (int)json_integer_value(value));
    }
    if (json_is_object(board))
        sbuf_printf(&s, "%sboard %s", s.len > 0 ? ", " : "",
                    member_text(board, "builtin", "of its own"));
    if (member_true(table, "password"))
        sbuf_printf(&s, "%spassword", s.len > 0 ? ", " : "");
    else if (member_true(table, "private"))
        sbuf_printf(&s, "%sprivate", s.len > 0 ? ", " : "");
    if (member_true(table, "rated"))
        sbuf_printf(&s, "%srated", s.len > 0 ? ", " : "");
}

bool summary_joinable(const json_t *table, const char *name)
{
    const json_t *seats = json_object_get(table, "seats");
    bool room = false;

    if (strcmp(member_text(table, "state", ""), "open") != 0)
        return false;
    for (size_t i = 0; i < json_array_size(seats); i++) {
        const char *sits = member_text(json_array_get(seats, i), "name", NULL);
        room = room || sits == NULL;
        if (sits != NULL && strcmp(sits, name) == 0)
            return false;
    }
    return room;
}

bool summary_invited(const json_t *table)
{
    return strcmp(member_text(table, "state", ""), "open") == 0 &&
           json_is_null(json_object_get(table, "you"));
}

/* ---- the lobby in lines ------------------------------------------------- */

static void print_table(const json_t *table, bool mine)
{
    char players[400], options[300];

    summary_players(table, players, sizeof(players));
    summary_options(table, options, sizeof(options));
    printf("%s  %-9s %-9s ", member_text(table, "table", "?"),
           member_text(table, "game", "?"), member_text(table, "state", "?"));
    if (mine)
        printf("%-10s", member_true(table, "your_turn") ? "YOUR TURN"
                        : summary_invited(table)        ? "invited"
                                                        : "");
    printf("%s", players);
    if (options[0] != '\0')
        printf("  (%s)", options);
    if (member_number(table, "unread") > 0)
        printf("  %d unread", (int)member_number(table, "unread"));
    printf("\n");
}

/* Prints one of the three lists; false after a complaint. */
static bool print_list(struct session *s, const char *method,
                       const char *state, const char *game, const char *title,
                       const char *nothing)
{
    json_t *params = json_pack("{ss* ss*}", "state", state, "game", game);
    json_t *result = session_ask(s, method, params);
    const json_t *tables = json_object_get(result, "tables");
    bool mine = method[0] == 'm', any = false;

    if (result == NULL)
        return false;
    printf("%s\n", title);
    for (size_t i = 0; i < json_array_size(tables); i++) {
        const json_t *table = json_array_get(tables, i);
        if (!mine && strcmp(state, "open") == 0 &&
            !summary_joinable(table, s->token.name))
            continue;
        if (mine && game != NULL &&
            strcmp(member_text(table, "game", ""), game) != 0)
            continue;
        any = true;
        printf("  ");
        print_table(table, mine);
    }
    if (!any)
        printf("  %s\n", nothing);
    if (json_object_get(result, "next") != NULL)
        printf("  ... and more\n");
    json_decref(result);
    return true;
}

/* What the operator says, in lines; that is no reason to fail. */
static void print_notices(struct session *s)
{
    struct notices n;
    json_t *hello = session_ask(s, "server.hello", NULL);

    if (hello == NULL)
        return;
    notices_hello(&n, hello);
    char *text = notices_all(&n);
    printf("%s%s", text, text[0] != '\0' ? "\n" : "");
    free(text);
    json_decref(hello);
}

int lobby_plain(struct session *s, const char *game, const char *state)
{
    if (state != NULL && strcmp(state, "finished") == 0)
        return print_list(s, "table.list", "finished", game,
                          "Finished:", "none")
                   ? STATUS_DONE
                   : STATUS_FAILED;
    print_notices(s);
    bool good =
        print_list(s, "me.tables", NULL, NULL, "Your tables:",
                   "none; `sobremesa create GAME` makes one") &&
        print_list(s, "table.list", "open", game, "Open tables:", "none") &&
        print_list(s, "table.list", "playing", game, "Being played:", "none");
    return good ? STATUS_DONE : STATUS_FAILED;
}

/* ---- create ------------------------------------------------------------- */

struct table_arguments {
    struct session session;
    const char *what; /* GAME or TABLE */
    const char *options, *board, *seats, *seat, *invite;
    bool private, password, rated, alone, manual, quiet;
};

enum {
    BOARD_KEY = 256,
    INVITE_KEY,
    PRIVATE_KEY,
    PASSWORD_KEY,
    RATED_KEY,
    ALONE_KEY,
    MANUAL_KEY
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
    case INVITE_KEY: a->invite = arg; return 0;
    case PRIVATE_KEY: a->private = true; return 0;
    case PASSWORD_KEY: a->password = true; return 0;
    case RATED_KEY: a->rated = true; return 0;
    case ALONE_KEY: a->alone = true; return 0;
    case MANUAL_KEY: a->manual = true; return 0;
    case ARGP_KEY_ARG:
        if (a->what != NULL)
            argp_error(state, "one at a time: '%s' is too much", arg);
        a->what = arg;
        return 0;
    case ARGP_KEY_NO_ARGS: argp_error(state, "which one?"); return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
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
            return complain("%s: not UTF-8", a->board), false;
    }
    if (a->invite != NULL) {
        json_t *names = json_array();
        for (const char *at = a->invite; *at != '\0';) {
            size_t len = strcspn(at, ",");
            if (len > 0)
                (void)json_array_append_new(names, json_stringn(at, len));
            at += len + (at[len] == ',');
        }
        (void)json_object_set_new(params, "invite", names);
    }
    return true;
}

static json_t *create_params(const struct table_arguments *a,
                             const struct rules *r)
{
    char key[LINK_KEY_SIZE], password[100];
    uint64_t seats = r->seats_min;

    if (a->seats != NULL && !number_read(a->seats, 99, &seats))
        return complain("--seats: expected a number"), NULL;
    link_key(key);
    json_t *params = json_pack("{ss sI ss}", "game", r->name, "seats",
                               (json_int_t)seats, "key", key);
    if (a->private)
        (void)json_object_set_new(params, "private", json_true());
    if (a->rated)
        (void)json_object_set_new(params, "rated", json_true());
    if (a->alone)
        (void)json_object_set_new(params, "spectators", json_false());
    if (a->manual)
        (void)json_object_set_new(params, "start", json_string("manual"));
    bool good = add_setup(a, r, params);
    if (good && a->password) {
        good = prompt_line("Password of the table", true, password,
                           sizeof(password));
        if (good)
            (void)json_object_set_new(params, "password",
                                      json_string(password));
        explicit_bzero(password, sizeof(password));
    }
    if (!good) {
        json_decref(params);
        return NULL;
    }
    return params;
}

int create_command(int argc, char **argv)
{
    static const struct argp_option options[] = {
        {"seats", 'n', "N", 0, "for how many (as few as can)", 0},
        {"options", 'o', "NAME=VALUE,...", 0,
         "options of the game: 1, 0, on, off, a word or a number", 0},
        {"board", 'b', "FILE|NAME", 0, "the board to play on", 0},
        {"invite", INVITE_KEY, "A,B,...", 0,
         "tell these people, and let them in", 0},
        {"private", PRIVATE_KEY, NULL, 0,
         "in no list; who is invited or knows the id finds it", 0},
        {"password", PASSWORD_KEY, NULL, 0,
         "who is not invited needs a password, which is asked for", 0},
        {"no-spectators", ALONE_KEY, NULL, 0, "nobody may look on", 0},
        {"rated", RATED_KEY, NULL, 0, "counts for ratings", 0},
        {"manual", MANUAL_KEY, NULL, 0,
         "starts when you say so, not when all seats are taken", 0},
        {"quiet", 'q', NULL, 0, "print nothing but the table's id", 0},
        {0},
    };
    static const struct argp argp = {
        .options = options,
        .parser = table_parse,
        .args_doc = "GAME",
        .doc = "Makes a table for a game and takes its first seat.\vThe "
               "game begins when all seats are taken. `sobremesa games` "
               "lists the games, `sobremesa games GAME` its options and "
               "boards.",
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
    const char *id = member_text(result, "table", "?");
    if (result != NULL && a.quiet)
        printf("%s\n", id);
    else if (result != NULL)
        printf("Table %s: %s.\n"
               "Others come by   sobremesa join %s\n"
               "and you play by  sobremesa play %s\n",
               id, r->title, id, id);
    int status = result != NULL ? STATUS_DONE : STATUS_FAILED;
    json_decref(result);
    session_close(&a.session);
    return status;
}

/* ---- join --------------------------------------------------------------- */

/* The seat taken, or NULL after a complaint; asks for a password where one is
 * wanted and somebody can be asked. */
static json_t *join(struct session *s, const char *table, const char *seat,
                    bool wants_password)
{
    char key[LINK_KEY_SIZE], password[100] = "", why[LINK_WHY_MAX], reason[64];
    uint64_t number = 0;

    if (seat != NULL && !number_read(seat, 7, &number))
        return complain("--seat: expected a number from 0"), NULL;
    for (;;) {
        if (wants_password && !prompt_line("Password of the table", true,
                                           password, sizeof(password)))
            return NULL;
        link_key(key);
        json_t *params = json_pack("{ss ss ss*}", "table", table, "key", key,
                                   "password",
                                   password[0] != '\0' ? password : NULL);
        if (params != NULL && seat != NULL)
            (void)json_object_set_new(params, "seat",
                                      json_integer((json_int_t)number));
        if (params == NULL)
            return complain("'%s' is no table", table), NULL;
        json_t *result = link_ask(s->link, "table.join", params, why, reason);
        if (result != NULL)
            return result;
        if (wants_password || strcmp(reason, "wrong_password") != 0 ||
            !isatty(STDIN_FILENO))
            return complain("%s", why), NULL;
        wants_password = true;
    }
}

int join_command(int argc, char **argv)
{
    static const struct argp_option options[] = {
        {"seat", 's', "N", 0, "which seat, from 0 (the first free one)", 0},
        {"password", PASSWORD_KEY, NULL, 0,
         "read the table's password from the standard input, or ask for it",
         0},
        {"quiet", 'q', NULL, 0, "print nothing but the seat's number", 0},
        {0},
    };
    static const struct argp argp = {
        .options = options,
        .parser = table_parse,
        .args_doc = "TABLE",
        .doc = "Takes a seat at a table that has not begun.",
        .children = session_children,
    };
    struct table_arguments a = {0};

    if (command_parse(&argp, "join", argc, argv, &a) != STATUS_DONE)
        return STATUS_USAGE;
    if (!session_open(&a.session, SESSION_SOMEBODY, NULL))
        return STATUS_FAILED;
    json_t *result = join(&a.session, a.what, a.seat, a.password);
    if (result != NULL && a.quiet)
        printf("%d\n", (int)member_number(result, "seat"));
    else if (result != NULL)
        printf("You have seat %d at table %s. Play by  sobremesa play %s\n",
               (int)member_number(result, "seat"), a.what, a.what);
    int status = result != NULL ? STATUS_DONE : STATUS_FAILED;
    json_decref(result);
    session_close(&a.session);
    return status;
}
