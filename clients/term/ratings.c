/* ratings.c -- `sobremesa ratings` and `results`: how well people play, and what
 * became of their games. */

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "clients/common/lang.h"
#include "session.h"

struct ratings_arguments {
    struct session session;
    const char *name, *game, *with;
    bool more, rated;
};

enum { GAME_KEY = 256, MORE_KEY, WITH_KEY, RATED_KEY };

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct ratings_arguments *a = state->input;

    switch (key) {
    case ARGP_KEY_INIT: session_hand_on(state, &a->session); return 0;
    case GAME_KEY: a->game = arg; return 0;
    case MORE_KEY: a->more = true; return 0;
    case WITH_KEY: a->with = arg; return 0;
    case RATED_KEY: a->rated = true; return 0;
    default:
        return argument_parse(key, arg, state, &a->name, _("one is enough"),
                              NULL);
    }
}

/* "1612 ± 84", and a "?" behind one of which little is known. */
static void print_rating(const json_t *row)
{
    printf("%5lld ± %-4lld%c", (long long)member_number(row, "rating"),
           (long long)member_number(row, "deviation"),
           member_true(row, "provisional") ? '?' : ' ');
}

static void print_date(const json_t *row, const char *name)
{
    time_t at = (time_t)(member_number(row, name) / 1000);
    char text[32] = "";
    struct tm when;

    if (localtime_r(&at, &when) != NULL)
        (void)strftime(text, sizeof(text), "%Y-%m-%d", &when);
    printf("%s", text);
}

/* ---- ratings --------------------------------------------------------------- */

/* The first page of the best; fifty are as many as anybody looks at. */
static int print_best(struct ratings_arguments *a)
{
    json_t *result = session_ask(&a->session, "ratings.list",
                                 json_pack("{ss ss}", "game", a->game, "seats",
                                           a->more ? "more" : "two"));
    const json_t *list = json_object_get(result, "ratings");

    if (result == NULL)
        return STATUS_FAILED;
    if (json_array_size(list) == 0)
        printf(_("Nobody has played enough rated games of it yet.\n"));
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *row = json_array_get(list, i);
        printf("%3zu ", i + 1);
        print_rating(row);
        printf(" %s\n", member_text(row, "name", "?"));
    }
    json_decref(result);
    return STATUS_DONE;
}

static int print_ratings(struct ratings_arguments *a)
{
    json_t *params = json_object();

    if (a->name != NULL)
        (void)json_object_set_new(params, "name", json_string(a->name));
    json_t *result = session_ask(&a->session, "ratings.get", params);
    const json_t *list = json_object_get(result, "ratings");

    if (result == NULL)
        return STATUS_FAILED;
    if (json_array_size(list) == 0)
        printf(_("No rated games yet.\n"));
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *row = json_array_get(list, i);
        bool two = strcmp(member_text(row, "seats", ""), "two") == 0;
        print_rating(row);
        printf(" %-10s %-9s %4lld  ", member_text(row, "game", "?"),
               two ? _("two") : _("more"),
               (long long)member_number(row, "games"));
        print_date(row, "played");
        printf("\n");
    }
    json_decref(result);
    return STATUS_DONE;
}

int ratings_command(int argc, char **argv)
{
    static const struct argp_option options[] = {
        {"game", GAME_KEY, "GAME", 0, N_("who plays that game best"), 0},
        {"more", MORE_KEY, NULL, 0,
         N_("with --game: at tables of more than two"), 0},
        {0},
    };
    static const struct argp argp = {
        .options = options,
        .parser = parse,
        .args_doc = "[NAME]",
        .doc = DOC(N_("How well NAME plays, or you."),
                   N_("'?' stands behind what is not certain yet; the list of "
                      "--game has only what is.")),
        .children = session_children,
    };
    struct ratings_arguments a = {0};

    if (command_parse(&argp, "ratings", argc, argv, &a) != STATUS_DONE)
        return STATUS_USAGE;
    bool anybody = a.game != NULL || a.name != NULL;
    if (!session_open(&a.session, anybody ? SESSION_ANYBODY : SESSION_SOMEBODY,
                      NULL))
        return STATUS_FAILED;
    int status = a.game != NULL ? print_best(&a) : print_ratings(&a);
    session_close(&a.session);
    return status;
}

/* ---- results --------------------------------------------------------------- */

/* "1 ana 24, 2 ben 17" */
static void print_players(const json_t *players)
{
    for (size_t i = 0; i < json_array_size(players); i++) {
        const json_t *p = json_array_get(players, i);
        printf("%s", i > 0 ? ", " : "");
        if (json_is_integer(json_object_get(p, "place")))
            printf("%lld ", (long long)member_number(p, "place"));
        printf("%s", member_text(p, "name", "-"));
        if (json_is_integer(json_object_get(p, "points")))
            printf(" %lld", (long long)member_number(p, "points"));
    }
}

static void print_results(const json_t *list)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *row = json_array_get(list, i);
        print_date(row, "ended");
        printf(" %s %-10s ", member_text(row, "table", "?"),
               member_text(row, "game", "?"));
        print_players(json_object_get(row, "players"));
        printf("%s\n", member_true(row, "rated") ? _(", rated") : "");
    }
}

static json_t *wanted(const struct ratings_arguments *a)
{
    json_t *params = json_object();

    if (a->name != NULL)
        (void)json_object_set_new(params, "name", json_string(a->name));
    if (a->with != NULL)
        (void)json_object_set_new(params, "with", json_string(a->with));
    if (a->game != NULL)
        (void)json_object_set_new(params, "game", json_string(a->game));
    if (a->rated)
        (void)json_object_set_new(params, "rated", json_true());
    return params;
}

static int list_results(struct ratings_arguments *a)
{
    json_t *list = session_ask_all(&a->session, "results.list", wanted(a),
                                   "results");

    if (list == NULL)
        return STATUS_FAILED;
    print_results(list);
    json_decref(list);
    return STATUS_DONE;
}

int results_command(int argc, char **argv)
{
    static const struct argp_option options[] = {
        {"with", WITH_KEY, "NAME", 0, N_("only games with them"), 0},
        {"game", GAME_KEY, "GAME", 0, N_("only games of that"), 0},
        {"rated", RATED_KEY, NULL, 0, N_("only rated games"), 0},
        {0},
    };
    static const struct argp argp = {
        .options = options,
        .parser = parse,
        .args_doc = "[NAME]",
        .doc =
            DOC(N_("What became of NAME's games, or yours, the last first."),
                N_("A place stands before each name, points behind it.")),
        .children = session_children,
    };
    struct ratings_arguments a = {0};

    if (command_parse(&argp, "results", argc, argv, &a) != STATUS_DONE)
        return STATUS_USAGE;
    if (!session_open(&a.session,
                      a.name != NULL ? SESSION_ANYBODY : SESSION_SOMEBODY,
                      NULL))
        return STATUS_FAILED;
    int status = list_results(&a);
    session_close(&a.session);
    return status;
}
