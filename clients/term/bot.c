/* bot.c -- `sobremesa bot`: a player that is none of the people, on the public
 * protocol and nothing else.
 *
 * It plays at many tables over one link.  Each is an `online`, so it knows what
 * a person there knows; moves are chosen here, on that view.  A seat that is
 * waited for moves at once; one that only may (answer an offer, change a hidden
 * choice) is asked for each question once, and tosses a coin if it plays at
 * random: should it be waited for afterwards, the question is still the same
 * one, and is answered. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clients/common/lang.h"
#include "core/base.h"
#include "core/sha256.h"
#include "offline.h"
#include "online.h"
#include "layout.h"
#include "tables.h"

#define REFUSALS_MAX 20

struct bot;

/* A table it plays at. */
struct place {
    struct place *next;
    struct bot *bot;
    struct online *online;
    json_int_t answered;   /* the last decision that it sent a move for */
    json_int_t let_pass;   /* ... that it looked at while nobody waited */
    json_int_t refused_at; /* the ply at which something was refused ... */
    int refusals;          /* ... so many times: there it stops */
    bool over;
};

struct bot {
    struct session session;
    /* from the command line */
    const char *table, *games, *count, *delay, *level_name;
    bool open, quiet;
    /* its own */
    uint64_t want, finished, delay_ms;
    enum mind_level level;
    uint8_t seed[RNG_SEED_SIZE];
    struct mind_room *room;
    struct rng rng;
    struct place *places;
    uv_timer_t timer; /* moves that are due; looks for tables */

    bool looking;
    bool running, done;
    bool ready; /* it hears of invitations; that has been said */
    int status;
};

/* ---- moves -------------------------------------------------------------- */

static void say_result(struct bot *b, const struct online *o)
{
    b->finished++;
    if (b->quiet)
        return;
    printf(_("Table %s: "), o->id);
    if (o->state == ONLINE_FINISHED && o->started)
        layout_result(stdout, &o->table, LAYOUT_WIDE);
    else
        printf(_("The game was abandoned.\n"));
    (void)fflush(stdout);
}

/* Any move; passing is always possible and seldom what makes a game: rather
 * not. */
static bool move_at_random(struct place *p, struct rules_move *move)
{
    struct online *o = p->online;
    struct table *t = &o->table;
    struct rules_move default_move;

    if (!online_my_turn(o) && rng_below(&p->bot->rng, 2) == 0)
        return false;
    size_t n = rules_legal(t->rules, &t->any.state, o->you, -1, t->choices,
                           RULES_MOVES_MAX);
    if (n == 0)
        return false;
    rules_default_move(t->rules, &t->any.state, o->you, &default_move);
    for (int i = 0; i < 4; i++) {
        mind_any(&p->bot->rng, t->choices, n, move);
        if (memcmp(move, &default_move, sizeof(*move)) != 0)
            break;
    }
    return true;
}

/* What it thinks best, by chance that is another one at each table. */
static bool move_by_thought(struct place *p, struct rules_move *move)
{
    struct bot *b = p->bot;
    const struct online *o = p->online;
    const struct rules_state *view = &o->table.any.state;
    struct mind mind = mind_of(o->table.rules, b->level);
    struct sha256 h;

    if (view->viewer != o->you || !rules_can_move(view, o->you))
        return false;
    sha256_init(&h);
    sha256_update(&h, b->seed, sizeof(b->seed));
    sha256_update(&h, o->id, strlen(o->id));
    sha256_final(&h, mind.seed);
    return mind_choose(&mind, view, b->room, move);
}

static void think(struct place *p)
{
    struct online *o = p->online;
    struct rules_move move;

    if (o->state != ONLINE_PLAYING || o->busy || o->you >= o->table.seats ||
        o->decision < 0 || o->decision == p->answered)
        return;
    if (!online_my_turn(o)) {
        if (o->decision == p->let_pass)
            return;
        p->let_pass = o->decision;
    }
    bool moves = p->bot->level == MIND_RANDOM ? move_at_random(p, &move)
                                              : move_by_thought(p, &move);
    if (!moves)
        return;
    p->answered = o->decision;
    online_move(o, &move);
}

static bool may_play(const struct bot *b, const char *game)
{
    size_t len = strlen(game);

    if (b->games == NULL)
        return true;
    for (const char *at = b->games; *at != '\0';) {
        size_t n = strcspn(at, ",");
        if (n == len && memcmp(at, game, n) == 0)
            return true;
        at += n + (at[n] == ',');
    }
    return false;
}

static void on_timer(uv_timer_t *timer);

static void soon(struct bot *b, uint64_t ms)
{
    if (!uv_is_active((uv_handle_t *)&b->timer) ||
        uv_timer_get_due_in(&b->timer) > ms)
        (void)uv_timer_start(&b->timer, on_timer, ms, 0);
}

/* Whether O has begun without a seat for us, or taken it away. */
static bool left_out(const struct online *o)
{
    return (o->state == ONLINE_PLAYING || online_over(o)) &&
           o->you >= o->table.seats;
}

/* There is nothing more to do at P. */
static void part(struct place *p)
{
    struct bot *b = p->bot;
    struct online *o = p->online;

    p->over = true;
    if (o->state == ONLINE_REFUSED)
        b->status = complain(_("table %s: %s"), o->id, o->why);
    else if (!left_out(o))
        say_result(b, o);
    else if (b->table != NULL)
        b->status = complain(_("table %s: the game has begun, and %s has no "
                               "seat in it"),
                             o->id, link_user(b->session.link));
}

static void on_changed(void *context, struct online *o, size_t first)
{
    struct place *p = context;

    (void)first;
    if (p->over)
        return;
    if (o->state == ONLINE_REFUSED || online_over(o) || left_out(o))
        part(p);
    soon(p->bot, p->over ? 0 : p->bot->delay_ms);
}

/* A refusal: somebody was faster, most likely.  It is thought about again. */
static void on_said(void *context, struct online *o, bool bad,
                    const char *text)
{
    struct place *p = context;

    if (!bad || p->over)
        return;
    p->answered = p->let_pass = -1;
    if (o->ply != p->refused_at)
        p->refusals = 0;
    p->refused_at = o->ply;
    if (++p->refusals < REFUSALS_MAX)
        return;
    p->over = true;
    p->bot->status = complain(_("table %s: %s"), o->id, text);
}

static struct place *find_place(struct bot *b, const char *id)
{
    for (struct place *p = b->places; p != NULL; p = p->next)
        if (strcmp(p->online->id, id) == 0)
            return p;
    return NULL;
}

static void sit_down(struct bot *b, const char *id)
{
    if (find_place(b, id) != NULL)
        return;
    struct place *p = must_alloc(sizeof(*p));
    struct online_owner owner = {
        .changed = on_changed,
        .said = on_said,
        .context = p,
    };
    p->bot = b;
    p->answered = p->let_pass = -1;
    p->next = b->places;
    b->places = p;
    p->online = online_new(b->session.link, id, &owner);
}

/* ---- tables ------------------------------------------------------------- */

struct joining {
    struct bot *bot;
    char table[40];
};

static void on_joined(void *context, const json_t *result,
                      const struct link_error *error)
{
    struct joining *j = context;
    struct bot *b = j->bot;
    bool sits = error == NULL ||
                strcmp(error->reason, "already_seated") == 0 ||
                (b->table != NULL &&
                 strcmp(error->reason, "already_started") == 0);

    (void)result;
    if (sits) {
        sit_down(b, j->table);
    } else if (b->table != NULL) {
        b->status = complain(_("table %s: %s"), j->table, error->text);
        b->done = true;
    }
    free(j);
}

static void join(struct bot *b, const char *table)
{
    char key[LINK_KEY_SIZE];
    struct joining *j = must_alloc(sizeof(*j));

    link_key(key);
    j->bot = b;
    (void)snprintf(j->table, sizeof(j->table), "%s", table);
    link_call(b->session.link, "table.join",
              json_pack("{ss ss}", "table", j->table, "key", key), on_joined,
              j);
}

/* Tables where it sits already, or is invited. */
static void on_mine(void *context, const json_t *result,
                    const struct link_error *error)
{
    struct bot *b = context;
    const json_t *tables = json_object_get(result, "tables");

    (void)error;
    if (!b->ready && !b->quiet) {
        printf(_("%s waits for tables on %s.\n"), link_user(b->session.link),
               b->session.server);
        (void)fflush(stdout);
    }
    b->ready = true;
    for (size_t i = 0; i < json_array_size(tables); i++) {
        const json_t *table = json_array_get(tables, i);
        const char *state = member_text(table, "state", "");
        const char *id = member_text(table, "table", "");
        if (summary_invited(table))
            join(b, id);
        else if (strcmp(state, "open") == 0 || strcmp(state, "playing") == 0)
            sit_down(b, id);
    }
}

static void on_open(void *context, const json_t *result,
                    const struct link_error *error)
{
    struct bot *b = context;
    const json_t *tables = json_object_get(result, "tables");

    (void)error;
    b->looking = false;
    for (size_t i = 0; i < json_array_size(tables); i++) {
        const json_t *table = json_array_get(tables, i);
        const char *id = member_text(table, "table", "");
        if (summary_joinable(table, link_user(b->session.link)) &&
            !member_true(table, "password") &&
            may_play(b, member_text(table, "game", "")) &&
            find_place(b, id) == NULL)
            join(b, id);
    }
}

static void look(struct bot *b)
{
    if (!b->open || b->looking)
        return;
    b->looking = true;
    link_call(b->session.link, "table.list",
              json_pack("{ss si}", "state", "open", "limit", 50), on_open, b);
}

static void on_ready(void *context)
{
    struct bot *b = context;

    if (!b->running)
        return;
    for (struct place *p = b->places; p != NULL; p = p->next) {
        p->answered = p->let_pass = -1;
        online_ready(p->online);
    }
    if (b->table != NULL)
        return;
    link_call(b->session.link, "me.watch", NULL, on_mine, b);
    look(b);
}

static void on_told(void *context, const char *method, const json_t *params)
{
    struct bot *b = context;
    struct place *p = find_place(b, member_text(params, "table", ""));

    if (p != NULL)
        online_told(p->online, method, params);
    if (b->table == NULL && strcmp(method, "me.event") == 0 &&
        strcmp(member_text(params, "kind", ""), "invited") == 0 && p == NULL)
        join(b, member_text(params, "table", ""));
}

static void drop_finished(struct bot *b)
{
    for (struct place **at = &b->places; *at != NULL;) {
        struct place *p = *at;
        if (!p->over) {
            at = &p->next;
            continue;
        }
        *at = p->next;
        link_call(b->session.link, "table.unwatch",
                  json_pack("{ss}", "table", p->online->id), NULL, NULL);
        link_forget(b->session.link, p->online);
        online_free(p->online);
        free(p);
    }
}

static void on_timer(uv_timer_t *timer)
{
    struct bot *b = timer->data;

    for (struct place *p = b->places; p != NULL; p = p->next) {
        if (p->over && b->table != NULL)
            b->done = true;
        think(p);
    }
    drop_finished(b);
    if (b->want > 0 && b->finished >= b->want)
        b->done = true;
    if (link_state(b->session.link) == LINK_READY)
        look(b);
    (void)uv_timer_start(&b->timer, on_timer, 2000, 0);
}

/* ---- the command -------------------------------------------------------- */

enum { OPEN_KEY = 256, GAMES_KEY, COUNT_KEY, DELAY_KEY, LEVEL_KEY };

static error_t bot_parse(int key, char *arg, struct argp_state *state)
{
    struct bot *b = state->input;

    switch (key) {
    case ARGP_KEY_INIT: session_hand_on(state, &b->session); return 0;
    case OPEN_KEY: b->open = true; return 0;
    case GAMES_KEY: b->games = arg; return 0;
    case COUNT_KEY: b->count = arg; return 0;
    case DELAY_KEY: b->delay = arg; return 0;
    case LEVEL_KEY: b->level_name = arg; return 0;
    case 'q': b->quiet = true; return 0;
    case ARGP_KEY_ARG:
        if (b->table != NULL)
            argp_error(state, _("one TABLE, or none for all"));
        b->table = session_table(&b->session, arg);
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static void run(struct bot *b)
{
    uint64_t chance[4] = {number_random(), number_random(), number_random(),
                          number_random()};

    sha256(chance, sizeof(chance), b->seed);
    rng_init(&b->rng, b->seed, 0);
    b->room = must_alloc(sizeof(*b->room));
    b->timer.data = b;
    (void)uv_timer_init(&b->session.loop, &b->timer);
    (void)uv_timer_start(&b->timer, on_timer, 0, 0);
    b->running = true;
    if (b->table != NULL)
        join(b, b->table);
    else
        on_ready(b);
    while (!b->done && link_state(b->session.link) != LINK_FAILED)
        (void)uv_run(&b->session.loop, UV_RUN_ONCE);
    if (!b->done)
        b->status = session_lost(&b->session);
    uv_close((uv_handle_t *)&b->timer, NULL);
}

int bot_command(int argc, char **argv)
{
    static const struct argp_option options[] = {
        {"open", OPEN_KEY, NULL, 0,
         N_("also sit down at every open table without a password"), 0},
        {"games", GAMES_KEY, "GAME,...", 0,
         N_("with --open: only at these games"), 0},
        {"count", COUNT_KEY, "N", 0, N_("leave after N games"), 0},
        {"delay", DELAY_KEY, "MS", 0, N_("wait so long before each move (0)"),
         0},
        {"level", LEVEL_KEY, "random|greedy|search", 0,
         N_("play at random, one move ahead (so if you do not say), or looking "
            "further"),
         0},
        {"quiet", 'q', NULL, 0, N_("print no results"), 0},
        {0},
    };
    static const struct argp argp = {
        .options = options,
        .parser = bot_parse,
        .args_doc = "[TABLE]",
        .doc = DOC(
            N_("Plays by itself. With TABLE it sits down there, if it does "
               "not yet, and plays to the end. Without, it plays at all "
               "tables where it has a seat and takes a seat wherever it is "
               "invited, until it is ended or --count games are over."),
            N_("It is whoever is logged in: give it an account of its own, "
               "e.g. by `sobremesa guest`, and name it by --as or "
               "SOBREMESA_TOKEN.")),
        .children = session_children,
    };
    static struct bot b;
    struct link_owner owner = {
        .ready = on_ready,
        .told = on_told,
        .context = &b,
    };

    b = (struct bot){.status = STATUS_DONE};
    if (command_parse(&argp, "bot", argc, argv, &b) != STATUS_DONE)
        return STATUS_USAGE;
    if ((b.count != NULL && !number_read(b.count, 1000000, &b.want)) ||
        (b.delay != NULL && !number_read(b.delay, 600000, &b.delay_ms)))
        return complain(_("--count, --delay: expected a number")),
               STATUS_USAGE;
    if (!level_read(b.level_name, &b.level))
        return STATUS_USAGE;
    if (!session_open(&b.session, SESSION_SOMEBODY, &owner))
        return STATUS_FAILED;
    run(&b);
    for (struct place *p = b.places; p != NULL;) {
        struct place *next = p->next;
        online_free(p->online);
        free(p);
        p = next;
    }
    free(b.room);
    session_close(&b.session);
    return b.status;
}
