/* play.c -- `sobremesa play` and `watch`: which table, which players, which way
 * to show it. */

#include "online_play.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clients/common/lang.h"
#include "core/base.h"
#include "display.h"
#include "online_lines.h"

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

enum {
    OFFLINE_KEY = 256,
    TABLES_KEY,
    JSON_KEY,
    LEVEL_KEY,
    RECORD_KEY,
    RESUME_KEY
};

#define JSON_OPTION \
    { \
        "json", JSON_KEY, NULL, 0, \
            N_("for programs: what happens, an object in each line"), 0 \
    }

struct play_arguments {
    struct client client;
    const char *game, *options, *board, *tables, *bots, *names, *seed, *seats,
        *level, *record, *resume;
    struct display_options display;
    bool offline, json;
};

static error_t play_parse(int key, char *arg, struct argp_state *state)
{
    struct play_arguments *a = state->input;

    switch (key) {
    case ARGP_KEY_INIT: session_hand_on(state, &a->client.session); return 0;
    case OFFLINE_KEY: a->offline = true; return 0;
    case JSON_KEY: a->json = true; return 0;
    case 'n': a->seats = arg; return 0;
    case 'o': a->options = arg; return 0;
    case 'b': a->board = arg; return 0;
    case TABLES_KEY: a->tables = arg; return 0;
    case 's': a->seed = arg; return 0;
    case 'B': a->bots = arg; return 0;
    case LEVEL_KEY: a->level = arg; return 0;
    case 'N': a->names = arg; return 0;
    case RECORD_KEY: a->record = arg; return 0;
    case RESUME_KEY: a->resume = arg; return 0;
    case ARGP_KEY_ARG:
        if (a->game != NULL)
            argp_error(state, "%s",
                       a->offline ? _("one GAME at a time")
                                  : _("one TABLE at a time"));
        a->game = session_table(&a->client.session, arg);
        return 0;
    case ARGP_KEY_END:
        if (a->resume != NULL &&
            (a->game || a->seats || a->options || a->board || a->tables ||
             a->seed || a->bots || a->names || a->level || a->record))
            argp_error(state, _("--resume goes on with a game as it was: say "
                                "nothing else of it"));
        a->offline = a->offline || a->resume != NULL;
        if (a->offline && a->game == NULL && a->resume == NULL)
            argp_error(state, _("which GAME? See `sobremesa games`"));
        if (a->offline && a->client.session.server_chosen != NULL)
            argp_error(state, _("--offline or --server, not both"));
        if (a->offline && a->json)
            argp_error(state, _("--offline or --json, not both: `sobremesa "
                                "script` plays here for programs"));
        if (!a->offline &&
            (a->seats || a->options || a->board || a->tables || a->seed ||
             a->bots || a->names || a->level || a->record))
            argp_error(state, _("say --offline: on a server, `sobremesa "
                                "create` says how a table is to be"));
        if (!a->offline && a->game != NULL && rules_find(a->game) != NULL)
            argp_error(state,
                       _("%s is a game: say --offline to play it here, "
                         "or `sobremesa create %s` to make a table"),
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
            (void)
                complain(_("--bots: expected seats like 0,2, or all, or none,"
                           " not '%s'"),
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

/* Names given, or `Bot 1`. */
static bool give_names(struct offline *o, const char *text)
{
    for (int seat = 0; seat < o->setup.seats; seat++) {
        if (o->table.bots & RULES_BIT(seat))
            (void)snprintf(o->table.names[seat], sizeof(o->table.names[seat]),
                           _("Bot %d"), seat);
        size_t len = text != NULL ? strcspn(text, ",") : 0;
        if (len == 0) {
            text += text != NULL && *text == ',';
            continue;
        }
        if (!offline_name(o, seat, text, len))
            return complain(_("--names: at most 23 bytes each, and no control "
                              "characters")),
                   false;
        text += len;
        text += *text == ',';
    }
    return true;
}

/* Of COMMAND, `sobremesa play`. */
static int usage(const char *command, const char *text)
{
    (void)complain("%s", text);
    (void)fprintf(stderr, _("`%s --help` says what there is.\n"), command);
    return STATUS_USAGE;
}

/* Opens the table that the arguments describe. */
static int open_table(struct offline *o, const struct play_arguments *a)
{
    int16_t options[RULES_OPTIONS_MAX];
    struct json_board board = {0};
    enum mind_level level;
    uint16_t bots;
    uint64_t seats, seed;
    int last;

    const struct rules *r = game_find(a->game);
    if (r == NULL)
        return STATUS_FAILED;
    if (!read_bots(a->bots, &bots, &last) || !level_read(a->level, &level))
        return STATUS_USAGE;
    seats = r->seats_min;
    if (count_names(a->names) > (int)seats)
        seats = (uint64_t)count_names(a->names);
    if (last >= (int)seats)
        seats = (uint64_t)last + 1;
    if (a->seats != NULL && !number_read(a->seats, 99, &seats))
        return usage("sobremesa play", _("--seats: expected a number"));
    if (last >= (int)seats || count_names(a->names) > (int)seats)
        return usage("sobremesa play",
                     _("--bots or --names: there are not so many seats"));
    /* What is kept is told as JSON, whose numbers have a sign. */
    uint64_t most = a->record != NULL ? INT64_MAX : UINT64_MAX;
    if (a->seed == NULL)
        seed = number_random();
    else if (!number_read(a->seed, most, &seed))
        return usage("sobremesa play", _("--seed: expected a number"));
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
    o->level = level;
    offline_seed(o, seed);
    if (!give_names(o, a->names)) {
        offline_close(o);
        return STATUS_USAGE;
    }
    return STATUS_DONE;
}

static int play_offline(struct play_arguments *a)
{
    static struct offline o;
    struct settings *settings = &a->client.session.settings;

    if (!settings_load(settings))
        return STATUS_FAILED;
    display_defaults(&a->display, settings);
    if (a->record != NULL && access(a->record, F_OK) == 0)
        return complain(_("%s is there already: say --resume to go on with "
                          "it"),
                        a->record);
    o = (struct offline){0};
    int status = a->resume == NULL               ? open_table(&o, a)
                 : offline_resume(&o, a->resume) ? STATUS_DONE
                                                 : STATUS_FAILED;
    if (status != STATUS_DONE)
        return status;
    if (a->record != NULL)
        o.file = a->record;
    const struct game_ui *game_ui = game_ui_find(o.table.rules->name);
    if (!display_full_screen(&a->display) || offline_humans(&o) == 0)
        status = offline_plain(&o, game_ui);
    else
        status = offline_screen(&o, game_ui, display_look(&a->display));
    if (!offline_keep(&o))
        status = complain(_("%s: cannot be written"), o.file);
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
        (void)complain(_("you sit at no table: `sobremesa create GAME` makes "
                         "one, `sobremesa lobby` lists those you could join"));
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
    if (!a->json && display_full_screen(&a->display))
        status = online_screen(c, id, display_look(&a->display));
    if (status < 0)
        status = online_lines(c, id, watching,
                              a->json ? &json_voice : &plain_voice);
    client_close(c);
    return status;
}

int play_command(int argc, char **argv)
{
    static const struct argp_option options[] = {
        {"offline", OFFLINE_KEY, NULL, 0,
         N_("here, without a server; only with it:"), 0},
        {"seats", 'n', "N", 0, N_("how many play (as few as can)"), 0},
        {"options", 'o', "NAME=VALUE,...", 0,
         N_("options of the game: 1, 0, on, off, a word or a number"), 0},
        {"board", 'b', "FILE|NAME", 0, N_("the board to play on"), 0},
        {"tables", TABLES_KEY, "DIR|FILE|NAME", 0,
         N_("numbers of one's own, where a game has tables of them"), 0},
        {"seed", 's', "S", 0, N_("a number that repeats the same chance"), 0},
        {"bots", 'B', "SEATS", 0,
         N_("seats that bots play, from 0: `1,2`, or `all`"), 0},
        {"level", LEVEL_KEY, "random|greedy|search", 0,
         N_("how bots play: at random, one move ahead (so if you do not say), "
            "or looking further"),
         0},
        {"names", 'N', "A,B,...", 0, N_("the players, in seat order"), 0},
        {"record", RECORD_KEY, "FILE", 0,
         N_("keep the game there, as it is played: a script"), 0},
        {"resume", RESUME_KEY, "FILE", 0,
         N_("go on with the game that was kept there"), 0},
        JSON_OPTION,
        DISPLAY_OPTIONS(N_("line by line: for pipes and screen readers")),
        {0},
    };
    static const struct argp argp = {
        .options = options,
        .parser = play_parse,
        .args_doc = "[TABLE]\n--offline GAME",
        .doc = DOC(
            N_("Plays at a TABLE on a server; without TABLE, at the one that "
               "waits longest for you. With --offline, plays GAME here: "
               "several people at one keyboard, bots, or both."),
            N_("Offline, with bots on all seats, the game plays itself to "
               "its end. Line mode is chosen by itself where there is no "
               "terminal. In it, type `help`; on the full screen, press `?`. "
               "If the connection is lost, it comes again by itself.")),
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
        JSON_OPTION,
        DISPLAY_OPTIONS(N_("line by line: for pipes and screen readers")),
        {0},
    };
    static const struct argp argp = {
        .options = options,
        .parser = play_parse,
        .args_doc = "TABLE",
        .doc = DOC(
            N_("Looks on at a table, logged in or not, as its moves are made."),
            N_("A game that is over is looked at by `sobremesa replay`.")),
        .children = session_children,
    };
    static struct play_arguments a;

    a = (struct play_arguments){0};
    if (command_parse(&argp, "watch", argc, argv, &a) != STATUS_DONE)
        return STATUS_USAGE;
    if (a.game == NULL)
        return usage("sobremesa watch", _("watch which TABLE?"));
    return play_online(&a, true);
}
