/* bench_core.c -- how fast the rules are.
 *
 * Whole random games and single questions, for Hacienda (symmetric board, four
 * players), Greement (four players, five turns) and Hadara (four players,
 * advanced), each beside tic-tac-toe: the ratio says what the rules cost,
 * whatever the machine.  Each figure is the median of ROUNDS rounds, all of
 * which do the same work; the rounds of all games take turns.
 *
 * "Applied plies" are those of games recorded before, so that neither listing
 * nor choosing is in them; "complete games" has all that a server does for a
 * table of bots: legal moves, choosing, checking, applying, drawing. */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/base.h"
#include "tests/support/play.h"

enum { ROUNDS = 7, SEATS = 4, ENCODED_MAX = 2 * RULES_STATE_MAX };

/* One game's figures; times in nanoseconds for one. */
struct figures {
    double game, plies_of_game, apply, legal, choices, view, diff, score,
        encode, decode, hash, bytes;
};

struct bench {
    const struct rules *r;
    struct play_setup setup;
    size_t games;              /* played in each round */
    size_t times;              /* that each question is asked in each */
    struct play p;             /* a game to its end, for its log */
    union rules_any middle[2]; /* two states in succession, half way */
    struct figures round[ROUNDS];
};

static double now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

/* What is computed is used, or the compiler would leave it out. */
static volatile uint64_t used;

/* ---- the questions ------------------------------------------------------ */

static struct rules_choice legal[RULES_MOVES_MAX];
static uint8_t bytes[ENCODED_MAX];

static int mover(const struct rules_state *s)
{
    return __builtin_ctz(s->acting);
}

static void ask_legal(struct bench *b)
{
    const struct rules_state *s = &b->middle[0].state;
    used += rules_legal(b->r, s, mover(s), -1, legal, RULES_MOVES_MAX);
}

static void ask_view(struct bench *b)
{
    union rules_any view;
    rules_view(b->r, &b->middle[1].state, RULES_WATCHER, &view.state);
    used += view.state.ply;
}

static void sink_open(void *arg, const char *name, bool list)
{
    (void)arg, (void)name;
    used += list;
}

static void sink_close(void *arg, bool list)
{
    (void)arg;
    used += list;
}

static void sink_value(void *arg, const char *name,
                       const struct fields_value *v)
{
    (void)arg, (void)name;
    used += (uint64_t)v->number;
}

static void sink_change(void *arg, const struct fields_step *path,
                        size_t depth)
{
    (void)arg, (void)path;
    used += depth;
}

static void ask_diff(struct bench *b)
{
    static const struct fields_sink sink = {
        sink_open, sink_close, sink_value, sink_change, NULL,
    };
    union rules_any was, is;
    rules_view(b->r, &b->middle[0].state, RULES_WATCHER, &was.state);
    rules_view(b->r, &b->middle[1].state, RULES_WATCHER, &is.state);
    rules_diff(b->r, &was.state, &is.state, &sink);
}

static void ask_score(struct bench *b)
{
    struct rules_score score;
    rules_score(b->r, &b->middle[0].state, &score);
    used += (uint64_t)score.total[0];
}

static void ask_encode(struct bench *b)
{
    used += rules_encode(b->r, &b->middle[0].state, bytes, sizeof(bytes));
}

static void ask_decode(struct bench *b)
{
    union rules_any s;
    size_t len = (size_t)b->round[0].bytes;
    int answer = rules_decode(b->r, &s.state, bytes, len);
    ASSERT(answer == RULES_OK);
    used += s.state.ply;
}

static void ask_hash(struct bench *b)
{
    used += rules_hash(b->r, &b->middle[0].state);
}

static double timed(struct bench *b, void (*ask)(struct bench *b))
{
    double start = now_ns();
    for (size_t i = 0; i < b->times; i++)
        ask(b);
    return (now_ns() - start) / (double)b->times;
}

/* ---- whole games --------------------------------------------------------- */

static void play_games(struct bench *b, struct figures *f)
{
    static struct play p;
    size_t plies = 0;
    double start = now_ns();

    for (size_t i = 0; i < b->games; i++) {
        play_start(&p, &b->setup, 2 * i + 1);
        play_on(&p, SIZE_MAX);
        plies += p.plies;
    }
    f->game = (now_ns() - start) / (double)b->games;
    f->plies_of_game = (double)plies / (double)b->games;
}

static double replay_games(struct bench *b)
{
    union rules_any s;
    size_t at;
    double start = now_ns();

    for (size_t i = 0; i < b->games; i++) {
        int answer = rules_replay(b->r, &s.state, &b->setup.setup, b->p.log,
                                  b->p.plies, &at);
        ASSERT(answer == RULES_OK);
    }
    return (now_ns() - start) / (double)(b->games * b->p.plies);
}

static void round_of(struct bench *b, struct figures *f)
{
    const struct rules_state *s = &b->middle[0].state;

    play_games(b, f);
    f->apply = replay_games(b);
    f->legal = timed(b, ask_legal);
    f->choices = (double)rules_legal(b->r, s, mover(s), -1, legal,
                                     RULES_MOVES_MAX);
    f->view = timed(b, ask_view);
    f->diff = timed(b, ask_diff);
    f->score = timed(b, ask_score);
    f->encode = timed(b, ask_encode);
    b->round[0].bytes = f->bytes = (double)rules_encode(b->r, s, bytes,
                                                        sizeof(bytes));
    f->decode = timed(b, ask_decode);
    f->hash = timed(b, ask_hash);
}

/* ---- setting up ---------------------------------------------------------- */

static size_t choices(struct bench *b)
{
    const struct rules_state *s = &b->p.s.state;
    if (rules_over(s) || s->acting == RULES_BIT(RULES_NATURE))
        return 0;
    return rules_legal(b->r, s, mover(s), -1, legal, RULES_MOVES_MAX);
}

/* From the middle of a game of PLIES on, for a tenth of it: the states around
 * that ply at which there is most to choose from. */
static void find_middle(struct bench *b, size_t plies)
{
    struct rules_ply ply;
    size_t most = 0;

    play_start(&b->p, &b->setup, 1);
    play_on(&b->p, plies / 2);
    for (size_t i = 0; i <= plies / 10; i++) {
        size_t n = choices(b);
        if (!play_next(&b->p, &ply))
            break;
        play_ply(&b->p, &ply);
        if (n <= most)
            continue;
        most = n;
        memcpy(&b->middle[0], &b->p.before, b->r->state_size);
        memcpy(&b->middle[1], &b->p.s, b->r->state_size);
    }
    ASSERT(most > 0);
}

static void prepare(struct bench *b, const char *name, int seats,
                    const int16_t *options)
{
    b->r = rules_find(name);
    ASSERT(b->r != NULL);
    b->setup.rules = b->r;
    b->setup.setup.seats = seats;
    b->setup.setup.options = options;
    snprintf(b->setup.label, sizeof(b->setup.label), "%s/%d", name, seats);
    play_start(&b->p, &b->setup, 1);
    play_on(&b->p, SIZE_MAX);
    find_middle(b, b->p.plies);
    play_on(&b->p, SIZE_MAX);
}

/* ---- the table ----------------------------------------------------------- */

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(const struct bench *b, size_t offset)
{
    double v[ROUNDS];
    for (size_t i = 0; i < ROUNDS; i++)
        memcpy(&v[i], (const char *)&b->round[i] + offset, sizeof(v[i]));
    qsort(v, ROUNDS, sizeof(v[0]), by_size);
    return v[ROUNDS / 2];
}

#define MEDIAN(b, what) median(b, offsetof(struct figures, what))

static void line(const char *what, const char *unit, double game,
                 double tictactoe)
{
    printf("%-28s %-6s %12.*f %12.*f %8.3g\n", what, unit, game < 100 ? 2 : 0,
           game, tictactoe < 100 ? 2 : 0, tictactoe, game / tictactoe);
}

static void table(const struct bench *h, const struct bench *t)
{
    printf("%-28s %-6s %12s %12s %8s\n", "core, medians", "", h->setup.label,
           "tictactoe", "ratio");
    line("complete random games", "1/s", 1e9 / MEDIAN(h, game),
         1e9 / MEDIAN(t, game));
    line("  plies of a game", "", MEDIAN(h, plies_of_game),
         MEDIAN(t, plies_of_game));
    line("  plies so played", "1/s",
         1e9 * MEDIAN(h, plies_of_game) / MEDIAN(h, game),
         1e9 * MEDIAN(t, plies_of_game) / MEDIAN(t, game));
    line("applied plies (replay)", "1/s", 1e9 / MEDIAN(h, apply),
         1e9 / MEDIAN(t, apply));
    line("legal moves, mid-game", "us", MEDIAN(h, legal) / 1e3,
         MEDIAN(t, legal) / 1e3);
    line("  choices in the list", "", MEDIAN(h, choices), MEDIAN(t, choices));
    line("  one of them", "ns", MEDIAN(h, legal) / MEDIAN(h, choices),
         MEDIAN(t, legal) / MEDIAN(t, choices));
    line("a view", "us", MEDIAN(h, view) / 1e3, MEDIAN(t, view) / 1e3);
    line("two views and their diff", "us", MEDIAN(h, diff) / 1e3,
         MEDIAN(t, diff) / 1e3);
    line("score now", "us", MEDIAN(h, score) / 1e3, MEDIAN(t, score) / 1e3);
    line("encode", "us", MEDIAN(h, encode) / 1e3, MEDIAN(t, encode) / 1e3);
    line("decode", "us", MEDIAN(h, decode) / 1e3, MEDIAN(t, decode) / 1e3);
    line("hash", "us", MEDIAN(h, hash) / 1e3, MEDIAN(t, hash) / 1e3);
    line("encoded state", "bytes", MEDIAN(h, bytes), MEDIAN(t, bytes));
    line("state in memory", "bytes", (double)h->r->state_size,
         (double)t->r->state_size);
}

int main(void)
{
    static struct bench hacienda = {.games = 40, .times = 300};
    static struct bench greement = {.games = 20, .times = 300};
    static const int16_t five_turns[] = {5, RULES_NONE, RULES_NONE};
    static struct bench hadara = {.games = 20, .times = 300};
    static const int16_t advanced[] = {1};
    static struct bench tictactoe = {.games = 10000, .times = 100000};

    prepare(&hacienda, "hacienda", SEATS, NULL);
    prepare(&greement, "greement", SEATS, five_turns);
    prepare(&hadara, "hadara", SEATS, advanced);
    prepare(&tictactoe, "tictactoe", 2, NULL);
    for (size_t i = 0; i < ROUNDS; i++) {
        round_of(&hacienda, &hacienda.round[i]);
        round_of(&greement, &greement.round[i]);
        round_of(&hadara, &hadara.round[i]);
        round_of(&tictactoe, &tictactoe.round[i]);
    }
    table(&hacienda, &tictactoe);
    printf("\n");
    table(&greement, &tictactoe);
    printf("\n");
    table(&hadara, &tictactoe);
    play_done(&hacienda.p);
    play_done(&greement.p);
    play_done(&hadara.p);
    play_done(&tictactoe.p);
    return 0;
}
