/* lobby.c -- `sobremesa lobby`. */

#include "online_play.h"
#include "display.h"

struct lobby_arguments {
    struct client client;
    const char *game;
    struct display_options display;
    bool finished;
};

enum { FINISHED_KEY = 256 };

static error_t lobby_parse(int key, char *arg, struct argp_state *state)
{
    struct lobby_arguments *a = state->input;

    switch (key) {
    case ARGP_KEY_INIT: session_hand_on(state, &a->client.session); return 0;
    case 'g': a->game = arg; return 0;
    case FINISHED_KEY: a->finished = true; return 0;
    case ARGP_KEY_ARG: argp_error(state, "'%s' is too much", arg); return 0;
    default: return display_parse(&a->display, key);
    }
}

int lobby_command(int argc, char **argv)
{
    static const struct argp_option options[] = {
        {"game", 'g', "GAME", 0, "only tables of this game", 0},
        {"finished", FINISHED_KEY, NULL, 0, "those that are over", 0},
        DISPLAY_OPTIONS("as lines, and no more"),
        {0},
    };
    static const struct argp argp = {
        .options = options,
        .parser = lobby_parse,
        .doc = "Your tables, those you could join, those you could watch; "
               "on the full screen one goes there from here, and makes new "
               "ones.\vWithout a terminal, or with --plain, --game or "
               "--finished, they are listed in lines: id, game, state, who "
               "sits there (`*`: is waited for), options.",
        .children = session_children,
    };
    static struct lobby_arguments a;
    int status = -1;

    a = (struct lobby_arguments){0};
    if (command_parse(&argp, "lobby", argc, argv, &a) != STATUS_DONE)
        return STATUS_USAGE;
    if (!client_open(&a.client, SESSION_SOMEBODY))
        return STATUS_FAILED;
    display_defaults(&a.display, &a.client.session.settings);
    if (a.game == NULL && !a.finished && display_full_screen(&a.display))
        status = online_screen(&a.client, NULL, display_colour(&a.display),
                               display_unicode(&a.display));
    if (status < 0)
        status = lobby_plain(&a.client.session, a.game,
                             a.finished ? "finished" : NULL);
    client_close(&a.client);
    return status;
}
