/* lobby.c -- `sobremesa lobby` and `tables`. */

#include "clients/common/lang.h"
#include "display.h"
#include "online_play.h"

struct lobby_arguments {
    struct client client;
    const char *game;
    struct display_options display;
    bool finished, json;
};

enum { FINISHED_KEY = 256, JSON_KEY };

static error_t lobby_parse(int key, char *arg, struct argp_state *state)
{
    struct lobby_arguments *a = state->input;

    switch (key) {
    case ARGP_KEY_INIT: session_hand_on(state, &a->client.session); return 0;
    case 'g': a->game = arg; return 0;
    case FINISHED_KEY: a->finished = true; return 0;
    case JSON_KEY: a->json = true; return 0;
    case ARGP_KEY_ARG: argp_error(state, _("'%s' is too much"), arg); return 0;
    default: return display_parse(&a->display, key);
    }
}

#define LIST_OPTIONS(lists) \
    {"game", 'g', "GAME", 0, N_("only tables of this game"), 0}, \
        {"finished", FINISHED_KEY, NULL, 0, N_("those that are over"), 0}, \
    { \
        "json", JSON_KEY, NULL, 0, lists, 0 \
    }

/* ---- lobby -------------------------------------------------------------- */

static int show_lobby(struct lobby_arguments *a)
{
    struct session *s = &a->client.session;
    int status = -1;

    if (a->json)
        return lobby_json(s, a->game, a->finished);
    display_defaults(&a->display, &s->settings);
    if (a->game == NULL && !a->finished && display_full_screen(&a->display))
        status = online_screen(&a->client, NULL, display_look(&a->display));
    return status >= 0 ? status : lobby_plain(s, a->game, a->finished);
}

int lobby_command(int argc, char **argv)
{
    static const struct argp_option options[] = {
        LIST_OPTIONS(N_("for programs: an object of the lists")),
        DISPLAY_OPTIONS(N_("as lines, and no more")),
        {0},
    };
    static const struct argp argp = {
        .options = options,
        .parser = lobby_parse,
        .doc = DOC(
            N_("Your tables, those you could join, those you could watch; on "
               "the full screen one goes there from here, and makes new ones."),
            N_("Without a terminal, or with --plain, --game or --finished, "
               "they are listed in lines: id, game, state, who sits there "
               "(`*`: is waited for), options.")),
        .children = session_children,
    };
    static struct lobby_arguments a;

    a = (struct lobby_arguments){0};
    if (command_parse(&argp, "lobby", argc, argv, &a) != STATUS_DONE)
        return STATUS_USAGE;
    if (a.game != NULL && game_find(a.game) == NULL)
        return STATUS_FAILED;
    if (!client_open(&a.client, SESSION_SOMEBODY))
        return STATUS_FAILED;
    int status = show_lobby(&a);
    client_close(&a.client);
    return status;
}

/* ---- tables ------------------------------------------------------------- */

int tables_command(int argc, char **argv)
{
    static const struct argp_option options[] = {
        LIST_OPTIONS(N_("for programs: a list of objects")),
        {0},
    };
    static const struct argp argp = {
        .options = options,
        .parser = lobby_parse,
        .doc = N_("Your own tables, a line for each, those that wait for you "
                  "first: id, game, state, what is wanted of you, who sits "
                  "there (`*`: is waited for), options."),
        .children = session_children,
    };
    struct lobby_arguments a = {0};

    if (command_parse(&argp, "tables", argc, argv, &a) != STATUS_DONE)
        return STATUS_USAGE;
    if (a.game != NULL && game_find(a.game) == NULL)
        return STATUS_FAILED;
    if (!session_open(&a.client.session, SESSION_SOMEBODY, NULL))
        return STATUS_FAILED;
    int status = tables_print(&a.client.session, a.game, a.finished, a.json);
    session_close(&a.client.session);
    return status;
}
