/* arena.c -- `sobremesa arena`: minds play each other, as many games at a time as
 * there are processors, and a table says who is better. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "clients/common/lang.h"
#include "core/base.h"
#include "match.h"
#include "term.h"

enum { GAMES_MAX = 100000, THREADS_MAX = 64 };

struct arena {
    /* from the command line */
    const char *game, *players, *games, *seed, *options, *board, *least,
        *threads;
    /* its own */
    struct match match;
    int16_t option[RULES_OPTIONS_MAX];
    struct json_board asset;
    char names[RULES_SEATS_MAX][24];
    size_t count; /* games to be played */
    size_t workers;
    uv_mutex_t lock; /* of what follows */
    struct match_game *at;
    bool *played;
    size_t next, counted; /* games begun; games in TALLY, in their order */
    struct match_tally tally;
    bool enough; /* the question is answered */
};

/* ---- playing ------------------------------------------------------------ */

/* Counts what is there in the order of the numbers, so that the same games are
 * in the table however many processors there are. */
static void count_played(struct arena *a)
{
    while (!a->enough && a->counted < a->count && a->played[a->counted]) {
        match_add(&a->tally, &a->match, &a->at[a->counted++]);
        a->enough = match_answer(&a->tally, &a->match) != MATCH_OPEN;
    }
}

static void work(void *arg)
{
    struct arena *a = arg;
    struct mind_room *room = must_alloc(sizeof(*room));

    for (;;) {
        uv_mutex_lock(&a->lock);
        bool on = a->next < a->count && !a->enough;
        size_t number = a->next;
        a->next += on;
        uv_mutex_unlock(&a->lock);
        if (!on)
            break;
        match_play(&a->match, number, room, &a->at[number]);
        uv_mutex_lock(&a->lock);
        a->played[number] = true;
        count_played(a);
        uv_mutex_unlock(&a->lock);
    }
    free(room);
}

static void play_all(struct arena *a)
{
    uv_thread_t thread[THREADS_MAX];
    size_t started = 0;

    a->at = must_alloc(a->count * sizeof(*a->at));
    a->played = must_alloc(a->count * sizeof(*a->played));
    if (uv_mutex_init(&a->lock) != 0)
        abort();
    while (started + 1 < a->workers &&
           uv_thread_create(&thread[started], work, a) == 0)
        started++;
    work(a);
    while (started > 0)
        (void)uv_thread_join(&thread[--started]);
    uv_mutex_destroy(&a->lock);
}

/* ---- the table ---------------------------------------------------------- */

static void print_player(const struct arena *a, int i)
{
    const struct match_tally *t = &a->tally;
    double games = (double)t->games, low, high;
    double turns = t->player[i].turns > 0 ? (double)t->player[i].turns : 1;

    match_bounds(t->player[i].wins, t->games, &low, &high);
    printf("%-14s %5zu %5zu   %5.1f %% [%5.1f, %5.1f]  %5.2f  %8.1f  %7.2f "
           "%7.1f\n",
           a->names[i], t->player[i].first, t->player[i].shared,
           100 * t->player[i].wins / games, 100 * low, 100 * high,
           t->player[i].places / games, t->player[i].points / games,
           (double)t->player[i].thought_ns / turns / 1e6,
           (double)t->player[i].longest_ns / 1e6);
}

static int print_table(const struct arena *a)
{
    const struct match_tally *t = &a->tally;
    enum match_answer answer = match_answer(t, &a->match);

    printf(_("%s, %d players, seed %llu: %zu games in %zu rounds, %.0f plies "
             "each\n"),
           a->match.rules->name, a->match.setup.seats,
           (unsigned long long)a->match.seed, t->games, t->rounds,
           (double)t->plies / (double)t->games);
    printf(_("player         first shared   wins, 95 in 100       place    "
             "points  ms/turn longest\n"));
    for (int i = 0; i < a->match.setup.seats; i++)
        print_player(a, i);
    if (a->match.least <= 0)
        return STATUS_DONE;
    double least = 100 * a->match.least;
    if (answer == MATCH_HELD)
        printf(_("%s has %.0f %% of the wins or more.\n"), a->names[0], least);
    else if (answer == MATCH_MISSED)
        return complain(_("%s does not have %.0f %% of the wins"), a->names[0],
                        least);
    else
        return complain(
            _("so many games do not tell whether %s has %.0f %% of "
              "the wins"),
            a->names[0], least);
    return STATUS_DONE;
}

/* ---- the command -------------------------------------------------------- */

/* `search` or `search:200`. */
static bool read_player(struct arena *a, int seat, const char *text,
                        size_t len)
{
    struct mind *mind = &a->match.player[seat];
    char *name = a->names[seat];
    uint64_t simulations = 0;

    if (len >= sizeof(a->names[0]))
        return complain(_("--players: '%.*s' is no player"), (int)len, text),
               false;
    memcpy(name, text, len);
    name[len] = '\0';
    const char *colon = strchr(name, ':');
    size_t word = colon != NULL ? (size_t)(colon - name) : len;
    for (int level = 0; level < MIND_LEVELS; level++) {
        const char *known = mind_level_words[level];
        if (strlen(known) != word || memcmp(known, name, word) != 0)
            continue;
        *mind = mind_of(a->match.rules, (enum mind_level)level);
        if (colon == NULL)
            return true;
        if (level != MIND_SEARCH ||
            !number_read(colon + 1, UINT16_MAX, &simulations) ||
            simulations == 0)
            break;
        mind->simulations = (uint16_t)simulations;
        return true;
    }
    return complain(_("--players: expected random, greedy, search or "
                      "search:SIMULATIONS, not '%s'"),
                    name),
           false;
}

static bool read_players(struct arena *a)
{
    const char *at = a->players != NULL ? a->players : "search,greedy";
    int seats = 0;

    while (*at != '\0') {
        size_t len = strcspn(at, ",");
        if (seats == RULES_SEATS_MAX)
            return complain(_("--players: at most %d"), RULES_SEATS_MAX),
                   false;
        if (!read_player(a, seats++, at, len))
            return false;
        at += len + (at[len] == ',');
    }
    if (seats == 0)
        return complain("--players: nobody plays"), false;
    a->match.setup.seats = seats;
    return true;
}

static bool read_numbers(struct arena *a)
{
    uint64_t games = 40, seed = 1, threads = uv_available_parallelism(),
             least = 0;

    if ((a->games != NULL && !number_read(a->games, GAMES_MAX, &games)) ||
        (a->seed != NULL && !number_read(a->seed, UINT64_MAX, &seed)) ||
        (a->threads != NULL &&
         (!number_read(a->threads, THREADS_MAX, &threads) || threads == 0)))
        return complain(_("--games, --seed, --threads: expected a number")),
               false;
    if (a->least != NULL && (!number_read(a->least, 99, &least) || least <= 5))
        return complain(_("--least: expected a share from 6 to 99 percent")),
               false;
    a->workers = threads < THREADS_MAX ? (size_t)threads : THREADS_MAX;
    a->match.seed = seed;
    a->match.least = (double)least / 100;
    /* Whole rounds only. */
    size_t seats = (size_t)a->match.setup.seats;
    a->count = ((size_t)games + seats - 1) / seats * seats;
    if (a->count == 0)
        a->count = seats;
    return true;
}

static bool read_setup(struct arena *a)
{
    union rules_any any;

    for (int i = 0; i < RULES_OPTIONS_MAX; i++)
        a->option[i] = RULES_NONE;
    if (a->options != NULL &&
        !options_parse(a->match.rules, a->options, a->option))
        return false;
    if (a->board != NULL && !board_load(a->match.rules, a->board, &a->asset))
        return false;
    a->match.setup.options = a->option;
    a->match.setup.asset_name = a->asset.name;
    a->match.setup.asset = a->asset.name == NULL ? a->asset.text : NULL;
    a->match.setup.asset_len = a->asset.len;
    return setup_or_complain(a->match.rules, &any.state, &a->match.setup);
}

enum { LEAST_KEY = 256, THREADS_KEY };

static error_t arena_parse(int key, char *arg, struct argp_state *state)
{
    struct arena *a = state->input;

    switch (key) {
    case 'p': a->players = arg; return 0;
    case 'g': a->games = arg; return 0;
    case 's': a->seed = arg; return 0;
    case 'o': a->options = arg; return 0;
    case 'b': a->board = arg; return 0;
    case LEAST_KEY: a->least = arg; return 0;
    case THREADS_KEY: a->threads = arg; return 0;
    default:
        return argument_parse(key, arg, state, &a->game,
                              _("one GAME at a time"),
                              _("which GAME? See `sobremesa games`"));
    }
}

int arena_command(int argc, char **argv)
{
    static const struct argp_option options[] = {
        {"players", 'p', "LEVEL,...", 0,
         N_("who plays: random, greedy, search or search:SIMULATIONS "
            "(search,greedy)"),
         0},
        {"games", 'g', "N", 0, N_("how many (40)"), 0},
        {"seed", 's', "S", 0, N_("a number that repeats the same games (1)"),
         0},
        {"options", 'o', "NAME=VALUE,...", 0, N_("options of the game"), 0},
        {"board", 'b', "FILE|BOARD", 0, N_("the board to play on"), 0},
        {"least", LEAST_KEY, "PERCENT", 0,
         N_("end as soon as it is clear whether the first player has this share "
            "of the wins, and fail if not"),
         0},
        {"threads", THREADS_KEY, "N", 0, N_("games at a time (processors)"),
         0},
        {0},
    };
    static const struct argp argp = {
        .options = options,
        .parser = arena_parse,
        .args_doc = "GAME",
        .doc = DOC(
            N_("Lets bots play each other. In each round all games have the "
               "same chance, and everybody sits in each seat once."),
            N_("The same "
               "seed, players and options give the same games. A win that is "
               "shared counts its part.")),
    };
    static struct arena a;

    a = (struct arena){0};
    if (command_parse(&argp, "arena", argc, argv, &a) != STATUS_DONE)
        return STATUS_USAGE;
    a.match.rules = game_find(a.game);
    if (a.match.rules == NULL)
        return STATUS_FAILED;
    if (!read_players(&a) || !read_numbers(&a))
        return STATUS_USAGE;
    int status = STATUS_FAILED;
    if (read_setup(&a)) {
        play_all(&a);
        status = print_table(&a);
    }
    free(a.at);
    free(a.played);
    json_board_done(&a.asset);
    return status;
}
