#include "play.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "core/text.h"
#include "games/toys.h"
#include "protocol/sbuf_printf.h"
#include "scale.h"

/* ---- setups ----------------------------------------------------------- */

enum { SETUPS_MAX = 2000, GROUP_MAX = 300, WIDE = 10 };

extern const struct rules hacienda_rules;

static const struct rules *const toys[] = {
    &kuhn_rules,
    &roshambo_rules,
    &haggle_rules,
};

/* Games that the suites call by name, because they know how many to play. */
static const char *const called[] = {
    "hacienda", "hadara",   "greement", "tictactoe",
    "kuhn",     "roshambo", "haggle",
};

const struct rules *play_game(size_t i)
{
    size_t real = 0;
    while (rules_all[real] != NULL)
        real++;
    if (i < real)
        return rules_all[i];
    return i - real < COUNT_OF(toys) ? toys[i - real] : NULL;
}

static void label(struct play_setup *p)
{
    struct sbuf s = sbuf_in(p->label, PLAY_LABEL);

    sbuf_printf(&s, "%s %d", p->rules->name, p->setup.seats);
    for (int i = 0; p->rules->options[i].name != NULL; i++)
        if (p->options[i] != RULES_NONE)
            sbuf_printf(&s, " %s=%d", p->rules->options[i].name,
                        p->options[i]);
    if (p->setup.asset_name != NULL)
        sbuf_printf(&s, " %s=%s", p->rules->asset_kind->name,
                    p->setup.asset_name);
}

/* The last value of an option to be tried: of wide numbers, such as how many
 * turns there are, the two least will do. */
static int last_value(const struct rules_option *o)
{
    return o->max - o->min < WIDE ? o->max : o->min + 1;
}

/* All defaults come first; then every value of each. */
static bool next_options(const struct rules *r, int16_t *options)
{
    bool all_default = options[0] == RULES_NONE;
    for (int i = 0; r->options[i].name != NULL; i++) {
        if (!all_default && options[i] < last_value(&r->options[i])) {
            options[i]++;
            return true;
        }
        options[i] = r->options[i].min;
    }
    return all_default && r->options[0].name != NULL;
}

/* Lists a setup if the game accepts it. */
static size_t try_setup(struct play_setup *out, const struct rules *r,
                        int seats, const int16_t *options,
                        const struct rules_asset *asset, bool by_name)
{
    union rules_any s;
    *out = (struct play_setup){
        .rules = r,
        .setup =
            {
                .seats = seats,
                .options = out->options,
                .asset_name = asset != NULL ? asset->name : NULL,
            },
    };
    memcpy(out->options, options, sizeof(out->options));
    label(out);
    if (asset != NULL && !by_name) {
        out->setup.asset_name = NULL;
        out->setup.asset = asset->text;
        out->setup.asset_len = asset->len;
    }
    return rules_setup(r, &s.state, &out->setup, NULL) == RULES_OK;
}

/* The setups of a game, one combination of options after the other. */
struct setups {
    struct play_setup *at;
    size_t groups, first[SETUPS_MAX]; /* FIRST[GROUPS] is the end */
};

/* All seats and assets that go with OPTIONS; how many they are. */
static size_t list_group(const struct rules *r, const int16_t *options,
                         struct play_setup *out)
{
    static const struct rules_asset none[] = {{0}};
    const struct rules_asset *built_in = r->assets ? r->assets : none;
    const struct rules_asset *more = r == &hacienda_rules ? play_boards()
                                                          : none;
    size_t n = 0;

    for (int seats = r->seats_min; seats <= r->seats_max; seats++) {
        n += try_setup(&out[n], r, seats, options, NULL, true);
        for (const struct rules_asset *a = built_in; a->name; a++)
            n += try_setup(&out[n], r, seats, options, a, true);
        for (const struct rules_asset *a = more; a->name; a++)
            n += try_setup(&out[n], r, seats, options, a, false);
    }
    return n;
}

static void list_setups(const struct rules *r, struct setups *list)
{
    int16_t options[RULES_OPTIONS_MAX];
    size_t n = 0;

    list->at = calloc(SETUPS_MAX, sizeof(list->at[0]));
    ASSERT(list->at != NULL);
    for (int i = 0; i < RULES_OPTIONS_MAX; i++)
        options[i] = RULES_NONE;
    do {
        size_t more = list_group(r, options, &list->at[n]);
        list->groups += more > 0;
        n += more;
        list->first[list->groups] = n;
    } while (n + GROUP_MAX < SETUPS_MAX && next_options(r, options));
    ASSERT(n > 0);
}

const struct play_setup *play_setup(const struct rules *r, size_t i)
{
    static struct setups known[PLAY_GAMES_MAX];
    size_t game = 0;

    while (play_game(game) != r)
        ASSERT(play_game(++game) != NULL);
    ASSERT(game < PLAY_GAMES_MAX);
    struct setups *list = &known[game];
    if (list->at == NULL)
        list_setups(r, list);
    size_t group = i % list->groups;
    size_t size = list->first[group + 1] - list->first[group];
    /* Not in order, so that a few games meet different seats and assets. */
    return &list->at[list->first[group] + i / list->groups * 7919 % size];
}

/* ---- a table ---------------------------------------------------------- */

void play_start(struct play *p, const struct play_setup *setup,
                uint64_t number)
{
    static const uint8_t players[RNG_SEED_SIZE] = "players";
    static const uint8_t tests[RNG_SEED_SIZE] = "tests";

    p->r = setup->rules;
    p->setup = setup;
    p->number = number;
    p->draws = 0;
    p->plies = 0;
    rng_init(&p->choices, players, number);
    rng_init(&p->dice, tests, number);
    int refusal = rules_setup(p->r, &p->s.state, &setup->setup, NULL);
    MUST(p, refusal == RULES_OK);
    memcpy(&p->before, &p->s, p->r->state_size);
    p->events.count = 0;
    p->events.flags = 0;
}

void play_done(struct play *p)
{
    free(p->log);
    free(p->done);
    *p = (struct play){0};
}

static int pick_seat(struct play *p)
{
    uint16_t can = p->s.state.acting | p->s.state.may;
    int n = __builtin_popcount(can);
    for (int i = (int)rng_below(&p->choices, (uint32_t)n); i > 0; i--)
        can &= (uint16_t)(can - 1);
    return __builtin_ctz(can);
}

struct rules_move play_choose(const struct rules_choice *choice,
                              struct rng *rng)
{
    struct rules_move move = choice->move;
    if (choice->ranged < 0)
        return move;
    int16_t *arg = &move.arg[choice->ranged];
    switch (rng_below(rng, 4)) {
    case 0: *arg = choice->min; break;
    case 1: *arg = choice->max; break;
    default:
        *arg = (int16_t)(choice->min +
                         (int)rng_below(rng, (uint32_t)(choice->max -
                                                        choice->min + 1)));
    }
    return move;
}

/* One of the verbs SEAT can use, then one of its choices: else the few would
 * drown among thousands of spaces. */
static struct rules_move
pick_choice(struct play *p, const struct rules_choice *choice, size_t n)
{
    size_t first[64] = {0}, verbs = 0;

    for (size_t i = 0; i < n && verbs < COUNT_OF(first); i++)
        if (i == 0 || choice[i].move.verb != choice[i - 1].move.verb)
            first[verbs++] = i;
    size_t verb = rng_below(&p->choices, (uint32_t)verbs);
    size_t end = verb + 1 < verbs ? first[verb + 1] : n;
    size_t i = first[verb] +
               rng_below(&p->choices, (uint32_t)(end - first[verb]));
    return play_choose(&choice[i], &p->choices);
}

/* In every other game the players are busy: they think again before they make
 * the default move. */
static bool pick_move(struct play *p, int seat, struct rules_move *move)
{
    static struct rules_choice choice[RULES_MOVES_MAX];
    size_t n = rules_legal(p->r, &p->s.state, seat, -1, choice,
                           RULES_MOVES_MAX);
    struct rules_move default_move;

    if (n == 0)
        return false;
    MUST(p, n <= RULES_MOVES_MAX);
    rules_default_move(p->r, &p->s.state, seat, &default_move);
    for (int tries = p->number % 2 ? 3 : 1; tries > 0; tries--) {
        *move = pick_choice(p, choice, n);
        if (memcmp(move, &default_move, sizeof(default_move)) != 0)
            break;
    }
    return true;
}

bool play_next(struct play *p, struct rules_ply *ply)
{
    static const uint8_t key[RNG_SEED_SIZE] = "nature";
    struct rules_state *s = &p->s.state;

    if (rules_over(s))
        return false;
    if (s->acting & RULES_BIT(RULES_NATURE)) {
        struct rng draw;
        rng_init(&draw, key, (p->number << 20) + p->draws);
        ply->seat = RULES_NATURE;
        rules_chance(p->r, s, &draw, &ply->move);
        return true;
    }
    do {
        ply->seat = (uint16_t)pick_seat(p);
    } while (!pick_move(p, ply->seat, &ply->move));
    return true;
}

void play_ply(struct play *p, const struct rules_ply *ply)
{
    if (p->plies == p->room) {
        p->room = p->room == 0 ? 256 : 2 * p->room;
        p->log = realloc(p->log, p->room * sizeof(p->log[0]));
        p->done = realloc(p->done, p->room * sizeof(p->done[0]));
        ASSERT(p->log != NULL && p->done != NULL);
    }
    memcpy(&p->before, &p->s, p->r->state_size);
    int refusal = rules_apply(p->r, &p->s.state, ply->seat, &ply->move,
                              &p->events);
    MUST(p, refusal == RULES_OK);
    p->draws += ply->seat == RULES_NATURE;
    p->log[p->plies] = *ply;
    p->done[p->plies] = (struct rules_done){ply->seat, p->events.flags};
    p->plies++;
}

void play_on(struct play *p, size_t plies)
{
    struct rules_ply ply;
    while (plies-- > 0 && play_next(p, &ply))
        play_ply(p, &ply);
}

static bool is_called(const struct rules *r)
{
    for (size_t i = 0; i < COUNT_OF(called); i++)
        if (strcmp(called[i], r->name) == 0)
            return true;
    return false;
}

static void run_one(const struct play_suite *suite, struct play *p,
                    uint32_t one_in)
{
    struct rules_ply ply;

    p->look = true;
    if (suite->start != NULL)
        suite->start(p);
    while (play_next(p, &ply)) {
        p->look = p->plies == 0 || rng_below(&p->dice, one_in) == 0;
        if (suite->before != NULL)
            suite->before(p, &ply);
        play_ply(p, &ply);
        p->look = p->look || rules_over(&p->s.state);
        if (suite->after != NULL)
            suite->after(p, &ply);
    }
    if (suite->over != NULL)
        suite->over(p);
}

void play_run(const struct play_suite *suite, const char *name, size_t games,
              uint32_t one_in)
{
    struct play p = {0};

    games = scaled(games, 15);
    for (size_t g = 0; play_game(g) != NULL; g++) {
        const struct rules *r = play_game(g);
        bool wanted = name == NULL ? !is_called(r)
                                   : strcmp(name, r->name) == 0;
        for (size_t i = 0; wanted && i < games; i++) {
            play_start(&p, play_setup(r, i), i);
            run_one(suite, &p, one_in);
        }
    }
    play_done(&p);
}

/* ---- moves ------------------------------------------------------------ */

bool play_covers(const struct rules_choice *choice,
                 const struct rules_move *move)
{
    struct rules_move least = *move;
    if (choice->ranged >= 0) {
        int16_t value = move->arg[choice->ranged];
        if (value < choice->min || value > choice->max)
            return false;
        least.arg[choice->ranged] = choice->min;
    }
    return memcmp(&least, &choice->move, sizeof(least)) == 0;
}

int play_verbs(const struct rules *r)
{
    int n = 0;
    while (r->verbs[n].name != NULL)
        n++;
    return n;
}

/* The values of a kind, from *MIN to *MAX. */
static void kind_range(const struct rules_kind *kind,
                       const struct rules_state *s, int *min, int *max)
{
    *min = 0;
    *max = 1;
    if (kind->form == RULES_NUMBER) {
        *min = kind->min;
        *max = kind->max;
    } else if (kind->form == RULES_SEAT) {
        *max = s->seats - 1;
    } else if (kind->form == RULES_PLACE) {
        *max = kind->count(s) - 1;
    } else if (kind->form == RULES_WORD) {
        for (*max = -1; kind->words[*max + 1] != NULL;)
            ++*max;
    }
}

static int arity(const struct rules *r, int verb)
{
    int n = 0;
    while (n < RULES_ARGS_MAX && r->verbs[verb].arg[n].name != NULL)
        n++;
    return n;
}

size_t play_count(const struct rules *r, const struct rules_state *s, int verb)
{
    size_t count = 1;
    for (int i = 0; i < arity(r, verb); i++) {
        const struct rules_arg *arg = &r->verbs[verb].arg[i];
        int min, max;
        kind_range(arg->kind, s, &min, &max);
        count *= (size_t)(max - min + 1 + arg->optional);
    }
    return count;
}

struct rules_move play_first(const struct rules *r,
                             const struct rules_state *s, int verb)
{
    struct rules_move move = RULES_MOVE(verb, RULES_NONE, RULES_NONE,
                                        RULES_NONE);
    for (int i = 0; i < arity(r, verb); i++) {
        const struct rules_arg *arg = &r->verbs[verb].arg[i];
        int min, max;
        kind_range(arg->kind, s, &min, &max);
        if (!arg->optional)
            move.arg[i] = (int16_t)min;
    }
    return move;
}

bool play_another(const struct rules *r, const struct rules_state *s,
                  struct rules_move *move)
{
    for (int i = 0; i < arity(r, move->verb); i++) {
        const struct rules_arg *arg = &r->verbs[move->verb].arg[i];
        int min, max;
        kind_range(arg->kind, s, &min, &max);
        if (move->arg[i] == RULES_NONE)
            move->arg[i] = (int16_t)min;
        else if (move->arg[i] < max)
            move->arg[i]++;
        else {
            move->arg[i] = arg->optional ? RULES_NONE : (int16_t)min;
            continue;
        }
        return true;
    }
    return false;
}

/* Mostly a value that ARG may have. */
static int16_t any_value(const struct rules_arg *arg,
                         const struct rules_state *s, struct rng *rng)
{
    static const int16_t odd[] = {
        RULES_NONE, RULES_HIDDEN, -1, 0, 1, INT16_MAX, RULES_NONE + 2,
    };
    int min, max;

    if (arg == NULL || arg->name == NULL || rng_below(rng, 12) == 0)
        return odd[rng_below(rng, COUNT_OF(odd))];
    if (arg->optional && rng_below(rng, 3) == 0)
        return RULES_NONE;
    kind_range(arg->kind, s, &min, &max);
    if (rng_below(rng, 12) == 0)
        return (int16_t)(rng_below(rng, 2) ? max + 1 : min - 1);
    return (int16_t)(min + (int)rng_below(rng, (uint32_t)(max - min + 1)));
}

struct rules_move play_nonsense(const struct rules *r,
                                const struct rules_state *s, struct rng *rng)
{
    int verbs = play_verbs(r);
    struct rules_move move = {
        .verb = (uint16_t)rng_below(rng, (uint32_t)verbs + 1),
    };
    if (move.verb == verbs && rng_below(rng, 2))
        move.verb = UINT16_MAX;
    for (int i = 0; i < RULES_ARGS_MAX; i++) {
        bool known = move.verb < verbs && r->verbs[move.verb].arg[i].name;
        move.arg[i] = RULES_NONE;
        if (known || rng_below(rng, 40) == 0)
            move.arg[i] = any_value(known ? &r->verbs[move.verb].arg[i] : NULL,
                                    s, rng);
    }
    return move;
}

struct rules_move play_spoiled(const struct rules *r,
                               const struct rules_state *s,
                               const struct rules_move *move, struct rng *rng)
{
    struct rules_move other = *move;
    uint32_t what = rng_below(rng, RULES_ARGS_MAX + 1);
    uint32_t args = (uint32_t)arity(r, move->verb);

    if (what == RULES_ARGS_MAX || args == 0)
        other.verb = (uint16_t)rng_below(rng, (uint32_t)play_verbs(r) + 1);
    else if (rng_below(rng, 10) == 0)
        other.arg[what] = any_value(NULL, s, rng);
    else
        other.arg[what % args] =
            any_value(&r->verbs[move->verb].arg[what % args], s, rng);
    return other;
}

/* ---- viewers and states ----------------------------------------------- */

int play_viewers(const struct rules_state *s)
{
    return s->seats + 2;
}

int play_viewer(const struct rules_state *s, int v)
{
    if (v < s->seats)
        return v;
    return v == s->seats ? RULES_WATCHER : RULES_ALL;
}

bool play_same(const struct rules *r, const struct rules_state *a,
               const struct rules_state *b)
{
    static uint8_t bytes[2][2 * RULES_STATE_MAX];
    size_t len = rules_encode(r, a, bytes[0], sizeof(bytes[0]));
    return len <= sizeof(bytes[0]) &&
           len == rules_encode(r, b, bytes[1], sizeof(bytes[1])) &&
           memcmp(bytes[0], bytes[1], len) == 0;
}

void play_broken(const struct play *p, const char *file, int line,
                 const char *what)
{
    char text[RULES_TEXT_MAX];

    fprintf(stderr, "%s:%d: %s\n", file, line, what);
    fprintf(stderr, "  %s, game %" PRIu64 ", ply %zu, acting %x may %x\n",
            p->setup->label, p->number, p->plies, p->s.state.acting,
            p->s.state.may);
    for (size_t i = p->plies > 5 ? p->plies - 5 : 0; i < p->plies; i++) {
        text_move(p->r, &p->s.state, &p->log[i].move, text, sizeof(text));
        fprintf(stderr, "  %zu. seat %d: %s\n", i, p->log[i].seat, text);
    }
    abort();
}
