/* play.c -- `sobremesa play` and `watch`: which table, which players, which way
 * to show it. */

#include "online_play.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "core/text.h"
#include "display.h"
#include "protocol/sbuf_printf.h"

/* ---- moves as they are typed -------------------------------------------- */

static bool is_place(const struct rules_kind *kind,
                     const struct rules_state *s, const char *text, size_t len)
{
    int16_t unused;
    return kind->form == RULES_PLACE &&
           text_word_read(kind, s, text, len, &unused);
}

/* Appends ` name=value`; a place in small letters gets great ones. */
static bool add_argument(const struct rules_arg *arg,
                         const struct rules_state *s, const char *value,
                         size_t len, struct sbuf *to)
{
    char great[64];

    if (arg->kind->form == RULES_PLACE && len < sizeof(great) &&
        !is_place(arg->kind, s, value, len)) {
        for (size_t i = 0; i < len; i++)
            great[i] = (char)toupper((unsigned char)value[i]);
        if (is_place(arg->kind, s, great, len))
            value = great;
    }
    sbuf_printf(to, " %s=%.*s", arg->name, (int)len, value);
    return sbuf_fits(to);
}

static int find_name(const struct rules_word *verb, const char *text,
                     size_t len)
{
    for (int i = 0; i < RULES_ARGS_MAX && verb->arg[i].name != NULL; i++)
        if (strlen(verb->arg[i].name) == len &&
            memcmp(verb->arg[i].name, text, len) == 0)
            return i;
    return -1;
}

static void say_usage(const struct rules_word *verb, char *why, size_t cap)
{
    struct sbuf s = sbuf_in(why, cap);

    sbuf_printf(&s, "It is said so: %s", verb->name);
    for (int i = 0; i < RULES_ARGS_MAX && verb->arg[i].name; i++)
        sbuf_printf(&s, verb->arg[i].optional ? " [%s=%s]" : " %s=%s",
                    verb->arg[i].name, verb->arg[i].kind->name);
}

/* Makes of the words after the verb what text.h reads.  False if there are
 * more than the verb has arguments. */
static bool complete(const struct table *table, const struct rules_word *verb,
                     const char *rest, char *buf, size_t cap)
{
    struct sbuf s = sbuf_in(buf, cap);
    int next = 0;

    sbuf_puts(&s, verb->name);
    for (;;) {
        rest += strspn(rest, " \t");
        size_t len = strcspn(rest, " \t");
        if (len == 0)
            return true;
        const char *equals = memchr(rest, '=', len);
        size_t name = equals != NULL ? (size_t)(equals - rest) + 1 : 0;
        if (equals != NULL)
            next = find_name(verb, rest, name - 1);
        if (next < 0 || next >= RULES_ARGS_MAX ||
            verb->arg[next].name == NULL ||
            !add_argument(&verb->arg[next], &table->any.state, rest + name,
                          len - name, &s))
            return false;
        next++;
        rest += len;
    }
}

int move_read(const struct table *table, const char *text,
              struct rules_move *ret_move, char *why, size_t why_cap)
{
    const struct rules *r = table->rules;
    char whole[512];
    size_t at;

    text += strspn(text, " \t");
    size_t len = strcspn(text, " \t");
    int verb = text_find(r->verbs, text, len);
    if (verb < 0) {
        (void)snprintf(why, why_cap, "There is no move '%.*s'.",
                       len < 40 ? (int)len : 40, text);
        return RULES_UNKNOWN_VERB;
    }
    if (!complete(table, &r->verbs[verb], text + len, whole, sizeof(whole)) ||
        text_move_read(r, &table->any.state, whole, strlen(whole), ret_move,
                       &at) != RULES_OK) {
        say_usage(&r->verbs[verb], why, why_cap);
        return RULES_BAD_ARGUMENT;
    }
    const struct rules_arg *arg = r->verbs[verb].arg;
    for (int i = 0; i < RULES_ARGS_MAX && arg[i].name != NULL; i++) {
        if (ret_move->arg[i] == RULES_NONE && !arg[i].optional) {
            say_usage(&r->verbs[verb], why, why_cap);
            return RULES_BAD_ARGUMENT;
        }
    }
    return RULES_OK;
}

enum rules_undo undo_at(struct offline *o, int seat, int *ret_seat)
{
    *ret_seat = seat;
    enum rules_undo why = offline_undo(o, seat);
    if (why != RULES_UNDO_NOTHING && why != RULES_UNDO_OTHERS_MOVED)
        return why;
    for (size_t i = o->count; i-- > 0;) {
        int mover = o->log[i].ply.seat;
        if (mover == RULES_NATURE)
            continue;
        if (mover == seat || (o->table.bots & RULES_BIT(mover)))
            return why;
        *ret_seat = mover;
        return offline_undo(o, mover);
    }
    return why;
}

/* ---- the command -------------------------------------------------------- */

enum { OFFLINE_KEY = 256, TABLES_KEY };

struct play_arguments {
    struct client client;
    const char *game, *options, *board, *tables, *bots, *names, *seed, *seats;
    struct display_options display;
    bool offline;
};

static error_t play_parse(int key, char *arg, struct argp_state *state)
{
    struct play_arguments *a = state->input;

    switch (key) {
    case ARGP_KEY_INIT: session_hand_on(state, &a->client.session); return 0;
    case OFFLINE_KEY: a->offline = true; return 0;
    case 'n': a->seats = arg; return 0;
    case 'o': a->options = arg; return 0;
    case 'b': a->board = arg; return 0;
    case TABLES_KEY: a->tables = arg; return 0;
    case 's': a->seed = arg; return 0;
    case 'B': a->bots = arg; return 0;
    case 'N': a->names = arg; return 0;
    case ARGP_KEY_ARG:
        if (a->game != NULL)
            argp_error(state, "one %s at a time",
                       a->offline ? "GAME" : "TABLE");
        a->game = arg;
        return 0;
    case ARGP_KEY_END:
        if (a->offline && a->game == NULL)
            argp_error(state, "which GAME? See `sobremesa games`");
        if (a->offline && a->client.session.server_chosen != NULL)
            argp_error(state, "--offline or --server, not both");
        if (!a->offline && (a->seats || a->options || a->board || a->tables ||
                            a->seed || a->bots || a->names))
            argp_error(state, "say --offline: on a server, `sobremesa "
                              "create` says how a table is to be");
        if (!a->offline && a->game != NULL && rules_find(a->game) != NULL)
            argp_error(state,
                       "%s is a game: say --offline to play it here, "
                       "or `sobremesa create %s` to make a table",
                       a->game, a->game);
        return 0;
    default: return display_parse(&a->display, key);
    }
}

/* `0,2`, `all` or `none`; the highest seat named goes to *LAST. */
static bool read_bots(const char *text, uint16_t *bots, int *last)
{
    *bots = 0;
    *last = -1;
    if (text == NULL || strcmp(text, "none") == 0)
        return true;
    if (strcmp(text, "all") == 0) {
        *bots = RULES_EVERYONE;
        return true;
    }
    for (const char *at = text; *at != '\0';) {
        size_t len = strcspn(at, ",");
        char one[8] = "";
        uint64_t seat;
        if (len < sizeof(one))
            memcpy(one, at, len);
        if (!number_read(one, RULES_SEATS_MAX - 1, &seat)) {
            (void)complain("--bots: expected seats like 0,2, or all, or none,"
                           " not '%s'",
                           text);
            return false;
        }
        *bots |= RULES_BIT(seat);
        *last = (int)seat > *last ? (int)seat : *last;
        at += len + (at[len] == ',');
    }
    return true;
}

static int count_names(const char *text)
{
    int n = text != NULL && *text != '\0';
    for (; text != NULL && *text != '\0'; text++)
        n += *text == ',';
    return n;
}

/* Names given, or `Bot 1`; control characters could move the cursor. */
static bool give_names(struct offline *o, const char *text)
{
    for (int seat = 0; seat < o->setup.seats; seat++) {
        if (o->table.bots & RULES_BIT(seat))
            (void)snprintf(o->table.names[seat], sizeof(o->table.names[seat]),
                           "Bot %d", seat);
        size_t len = text != NULL ? strcspn(text, ",") : 0;
        if (len == 0) {
            text += text != NULL && *text == ',';
            continue;
        }
        if (len >= 24)
            return complain("--names: at most 23 bytes each"), false;
        for (size_t i = 0; i < len; i++)
            if ((unsigned char)text[i] < ' ' || text[i] == 0x7f)
                return complain("--names: no control characters"), false;
        (void)snprintf(o->table.names[seat], sizeof(o->table.names[seat]),
                       "%.*s", (int)len, text);
        text += len;
        text += *text == ',';
    }
    return true;
}

static int usage(const char *text)
{
    (void)complain("%s", text);
    (void)fputs("Try `sobremesa play --help' for more information.\n", stderr);
    return STATUS_USAGE;
}

/* Opens the table that the arguments describe. */
static int open_table(struct offline *o, const struct play_arguments *a)
{
    int16_t options[RULES_OPTIONS_MAX];
    struct json_board board = {0};
    uint16_t bots;
    uint64_t seats, seed;
    int last;

    const struct rules *r = game_find(a->game);
    if (r == NULL)
        return STATUS_FAILED;
    if (!read_bots(a->bots, &bots, &last))
        return STATUS_USAGE;
    seats = r->seats_min;
    if (count_names(a->names) > (int)seats)
        seats = (uint64_t)count_names(a->names);
    if (last >= (int)seats)
        seats = (uint64_t)last + 1;
    if (a->seats != NULL && !number_read(a->seats, 99, &seats))
        return usage("--seats: expected a number");
    if (last >= (int)seats || count_names(a->names) > (int)seats)
        return usage("--bots or --names: there are not so many seats");
    if (a->seed == NULL)
        seed = number_random();
    else if (!number_read(a->seed, UINT64_MAX, &seed))
        return usage("--seed: expected a number");
    for (int i = 0; i < RULES_OPTIONS_MAX; i++)
        options[i] = RULES_NONE;
    if (a->options != NULL && !options_parse(r, a->options, options))
        return STATUS_FAILED;
    if (a->board != NULL && !board_load(r, a->board, &board))
        return STATUS_FAILED;
    if (a->tables != NULL && !asset_load(r, "tables", a->tables, &board))
        return STATUS_FAILED;
    if (!offline_open(o, r, 0, (int)seats, options, &board))
        return STATUS_FAILED;
    o->table.bots = (uint16_t)(bots & (RULES_BIT(seats) - 1));
    offline_seed(o, seed);
    if (!give_names(o, a->names)) {
        offline_close(o);
        return STATUS_USAGE;
    }
    return STATUS_DONE;
}

static int play_offline(const struct play_arguments *a)
{
    static struct offline o;

    int status = open_table(&o, a);
    if (status != STATUS_DONE)
        return status;
    const struct game_ui *game_ui = game_ui_find(o.table.rules->name);
    if (!display_full_screen(&a->display) || offline_humans(&o) == 0)
        status = offline_plain(&o, game_ui);
    else
        status = offline_screen(&o, game_ui, display_colour(&a->display),
                                display_unicode(&a->display));
    offline_close(&o);
    return status;
}

/* Which table is meant by none: the one that waits longest, else one that is
 * being played, else one that has not begun. */
static bool find_table(struct session *s, char id[40])
{
    static const char *const states[] = {"playing", "open"};
    json_t *result = session_ask(s, "me.tables", NULL);
    const json_t *tables = json_object_get(result, "tables");

    id[0] = '\0';
    for (size_t k = 0; k < COUNT_OF(states); k++) {
        for (size_t i = 0; i < json_array_size(tables) && !id[0]; i++) {
            const json_t *table = json_array_get(tables, i);
            if (strcmp(member_text(table, "state", ""), states[k]) == 0 &&
                !summary_invited(table))
                (void)snprintf(id, 40, "%s", member_text(table, "table", ""));
        }
    }
    if (result != NULL && id[0] == '\0')
        (void)complain("you sit at no table: `sobremesa create GAME` makes "
                       "one, `sobremesa lobby` lists those you could join");
    json_decref(result);
    return id[0] != '\0';
}

static int play_online(struct play_arguments *a, bool watching)
{
    struct client *c = &a->client;
    char id[40];
    int status = -1;

    if (!client_open(c, watching ? SESSION_ANYBODY : SESSION_SOMEBODY))
        return STATUS_FAILED;
    if (a->game != NULL)
        (void)snprintf(id, sizeof(id), "%s", a->game);
    else if (!find_table(&c->session, id)) {
        client_close(c);
        return STATUS_FAILED;
    }
    display_defaults(&a->display, &c->session.settings);
    if (display_full_screen(&a->display))
        status = online_screen(c, id, display_colour(&a->display),
                               display_unicode(&a->display));
    if (status < 0)
        status = online_plain(c, id, watching);
    client_close(c);
    return status;
}

int play_command(int argc, char **argv)
{
    static const struct argp_option options[] = {
        {"offline", OFFLINE_KEY, NULL, 0,
         "here, without a server; only with it:", 0},
        {"seats", 'n', "N", 0, "how many play (as few as can)", 0},
        {"options", 'o', "NAME=VALUE,...", 0,
         "options of the game: 1, 0, on, off, a word or a number", 0},
        {"board", 'b', "FILE|NAME", 0, "the board to play on", 0},
        {"tables", TABLES_KEY, "DIR|FILE|NAME", 0,
         "numbers of one's own, where a game has tables of them", 0},
        {"seed", 's', "S", 0, "a number that repeats the same chance", 0},
        {"bots", 'B', "SEATS", 0,
         "seats that move at random, from 0: `1,2`, or `all`", 0},
        {"names", 'N', "A,B,...", 0, "the players, in seat order", 0},
        DISPLAY_OPTIONS("line by line: for pipes and screen readers"),
        {0},
    };
    static const struct argp argp = {
        .options = options,
        .parser = play_parse,
        .args_doc = "[TABLE]\n--offline GAME",
        .doc = "Plays at a TABLE on a server; without TABLE, at the one that "
               "waits longest for you. With --offline, plays GAME here: "
               "several people at one keyboard, bots, or both."
               "\vOffline, with bots on all seats, the game plays itself to "
               "its end. Line mode is chosen by itself where there is no "
               "terminal. In it, type `help`; on the full screen, press `?`. "
               "If the connection is lost, it comes again by itself.",
        .children = session_children,
    };
    static struct play_arguments a;

    a = (struct play_arguments){0};
    if (command_parse(&argp, "play", argc, argv, &a) != STATUS_DONE)
        return STATUS_USAGE;
    return a.offline ? play_offline(&a) : play_online(&a, false);
}

int watch_command(int argc, char **argv)
{
    static const struct argp_option options[] = {
        DISPLAY_OPTIONS("line by line: for pipes and screen readers"),
        {0},
    };
    static const struct argp argp = {
        .options = options,
        .parser = play_parse,
        .args_doc = "TABLE",
        .doc = "Looks on at a table, logged in or not, as its moves are made."
               "\vA game that is over is looked at by `sobremesa replay`.",
        .children = session_children,
    };
    static struct play_arguments a;

    a = (struct play_arguments){0};
    if (command_parse(&argp, "watch", argc, argv, &a) != STATUS_DONE)
        return STATUS_USAGE;
    if (a.game == NULL)
        return usage("watch which TABLE?");
    return play_online(&a, true);
}
