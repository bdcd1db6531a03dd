/* test_golden.c -- games played before, kept to be read.
 *
 * NAME.txt is a whole game in words: how it was set up, each ply with what was
 * seen to come of it and the state's hash after it, and the points.  It
 * changes whenever anything about the game does: `make golden` writes it anew,
 * and somebody reads the difference before it is committed.
 *
 * GAME-REVISION-NAME.log is a log as a server keeps it, of a game played under
 * that revision of the rules, and the totals it came to.  Once there it is
 * never written again: as long as there are tables of that revision, it has to
 * replay to the same end.  Hashes are not in it: what a state is made of may
 * change while the rules stay. */

#include <criterion/criterion.h>
#include <dirent.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base.h"
#include "core/text.h"
#include "protocol/sbuf_printf.h"

#define FOLDER "tests/golden/"

enum { TEXT_MAX = 400000, PLIES_MAX = 4000 };

/* The games that are kept.  Options are in the order of the game's. */
static const struct golden {
    const char *name, *game;
    int seats;
    int16_t options[RULES_OPTIONS_MAX];
    const char *asset;
    const char *liked; /* verbs with this in their name keep games short */
    uint64_t seed;
} golden[] = {
    {"tictactoe", "tictactoe", 2, {0}, NULL, "", 1},
    {"crucible", "hacienda", 2, {0, 0, 1}, "crucible", "animal", 122},
    {"standard", "hacienda", 3, {0, 0, 0}, "symmetric", "animal", 6},
    {"variants", "hacienda", 2, {1, 1, 0}, "five_lagoons", "animal", 193},
    {"hadara", "hadara", 2, {0}, NULL, "_", 1},
    {"advanced", "hadara", 3, {1}, NULL, "_", 2},
    {"greement", "greement", 3, {3, 0, 0}, NULL, "c", 50},
    {"loans", "greement", 2, {3, 1, 1}, NULL, "c", 158},
};

/* ---- a game in words --------------------------------------------------- */

static char text[TEXT_MAX];
static struct sbuf said;

__attribute__((format(printf, 1, 2))) static void say(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    sbuf_vprintf(&said, format, args);
    va_end(args);
    cr_assert(sbuf_fits(&said));
}

struct game {
    const struct rules *r;
    struct rules_setup setup;
    struct rules_ply log[PLIES_MAX];
    size_t plies;
    union rules_any s;
};

static struct game game; /* large */

static void say_setup(const struct golden *g)
{
    say("setup %s revision=%u seats=%d", g->game, game.r->revision, g->seats);
    for (int i = 0; game.r->options[i].name != NULL; i++)
        say(" %s=%d", game.r->options[i].name, g->options[i]);
    if (g->asset != NULL)
        say(" %s=%s", game.r->asset_kind->name, g->asset);
    say("\n");
}

static const char *who(int seat)
{
    static char name[16];
    snprintf(name, sizeof(name), seat == RULES_NATURE ? "chance" : "seat %d",
             seat);
    return name;
}

static void say_ply(const struct rules_ply *ply,
                    const struct rules_events *events)
{
    char words[RULES_TEXT_MAX];

    text_move(game.r, &game.s.state, &ply->move, words, sizeof(words));
    say("%zu. %s: %s", game.plies, who(ply->seat), words);
    say("  [%016" PRIx64 "]\n", rules_hash(game.r, &game.s.state));
    for (size_t i = 0; i < events->count; i++) {
        const struct rules_event *e = &events->at[i];
        text_event(game.r, &game.s.state, e, words, sizeof(words));
        say("    %s: %s", who(e->seat), words);
        for (int seat = 0; seat < game.s.state.seats; seat++)
            if (e->seen_by != RULES_EVERYONE && (e->seen_by & RULES_BIT(seat)))
                say(" @%d", seat);
        say("\n");
    }
}

static void say_score(void)
{
    struct rules_score score;
    int seats = game.s.state.seats;

    rules_score(game.r, &game.s.state, &score);
    for (int part = 0; game.r->parts[part].name != NULL; part++) {
        if (!(score.parts & (1u << part)))
            continue;
        say("%-10s", game.r->parts[part].name);
        for (int seat = 0; seat < seats; seat++)
            say(" %4d", score.part[part][seat]);
        say("\n");
    }
    say("%-10s", "total");
    for (int seat = 0; seat < seats; seat++)
        say(" %4d", score.total[seat]);
    say("\n%-10s", "place");
    for (int seat = 0; seat < seats; seat++)
        say(" %4d", score.place[seat]);
    say("\n");
}

/* ---- playing it -------------------------------------------------------- */

/* One of the verbs that are legal, more often one that is liked. */
static int choose_verb(const struct golden *g,
                       const struct rules_choice *legal, size_t n,
                       struct rng *rng)
{
    int verbs[64], count = 0, verb = 0;

    for (size_t i = 0; i < n; i++)
        if (i == 0 || legal[i].move.verb != legal[i - 1].move.verb)
            verbs[count++] = legal[i].move.verb;
    for (int tries = 0; tries < 2; tries++) {
        verb = verbs[rng_below(rng, (uint32_t)count)];
        if (strstr(game.r->verbs[verb].name, g->liked) != NULL)
            break;
    }
    return verb;
}

static void choose(const struct golden *g, struct rng *rng,
                   struct rules_ply *ply)
{
    static struct rules_choice legal[RULES_MOVES_MAX];
    struct rules_state *s = &game.s.state;
    size_t n;

    do {
        ply->seat = (uint16_t)rng_below(rng, s->seats);
        n = rules_legal(game.r, s, ply->seat, -1, legal, RULES_MOVES_MAX);
    } while (n == 0);
    int verb = choose_verb(g, legal, n, rng);
    n = rules_legal(game.r, s, ply->seat, verb, legal, RULES_MOVES_MAX);
    ply->move = legal[rng_below(rng, (uint32_t)n)].move;
}

static void play(const struct golden *g)
{
    static struct rules_events events;
    uint8_t seed[RNG_SEED_SIZE] = {(uint8_t)g->seed};
    struct rng rng, draw;

    game.r = rules_find(g->game);
    game.setup = (struct rules_setup){
        .seats = g->seats,
        .options = g->options,
        .asset_name = g->asset,
    };
    game.plies = 0;
    said = sbuf_in(text, TEXT_MAX);
    cr_assert_eq(rules_setup(game.r, &game.s.state, &game.setup, NULL), 0);
    rng_init(&rng, seed, 0);
    say_setup(g);
    while (!rules_over(&game.s.state)) {
        cr_assert_lt(game.plies, PLIES_MAX);
        struct rules_ply *ply = &game.log[game.plies++];
        if (game.s.state.acting == RULES_BIT(RULES_NATURE)) {
            rng_init(&draw, seed, game.plies);
            ply->seat = RULES_NATURE;
            rules_chance(game.r, &game.s.state, &draw, &ply->move);
        } else {
            choose(g, &rng, ply);
        }
        cr_assert_eq(rules_apply(game.r, &game.s.state, ply->seat, &ply->move,
                                 &events),
                     RULES_OK);
        say_ply(ply, &events);
    }
    say_score();
}

/* ---- files ------------------------------------------------------------- */

static bool writing(void)
{
    const char *wanted = getenv("GOLDEN");
    return wanted != NULL && strcmp(wanted, "write") == 0;
}

static void write_file(const char *path, const char *what, size_t len)
{
    FILE *file = fopen(path, "w");
    cr_assert_not_null(file, "%s", path);
    cr_assert_eq(fwrite(what, 1, len, file), len);
    cr_assert_eq(fclose(file), 0);
}

static size_t read_file(const char *path, char *buf, size_t cap)
{
    FILE *file = fopen(path, "r");
    cr_assert_not_null(file, "no %s: make golden", path);
    size_t len = fread(buf, 1, cap, file);
    fclose(file);
    cr_assert_lt(len, cap, "%s", path);
    buf[len] = '\0';
    return len;
}

/* Byte for byte; else the first line that differs is named. */
static void compare(const char *path)
{
    static char kept[TEXT_MAX];
    size_t len = read_file(path, kept, sizeof(kept)), line = 1;

    for (size_t i = 0; i < len && i < said.len; i++) {
        cr_assert_eq(kept[i], text[i], "%s:%zu differs", path, line);
        line += kept[i] == '\n';
    }
    cr_assert_eq(len, said.len, "%s is shorter or longer", path);
}

/* ---- logs -------------------------------------------------------------- */

static void say_end(void)
{
    struct rules_score score;
    rules_score(game.r, &game.s.state, &score);
    say("end");
    for (int seat = 0; seat < game.s.state.seats; seat++)
        say(" %d", score.total[seat]);
    say("\n");
}

/* What the log of the game just played looks like. */
static void say_log(const struct golden *g)
{
    char words[RULES_TEXT_MAX];

    said = sbuf_in(text, TEXT_MAX);
    say_setup(g);
    for (size_t i = 0; i < game.plies; i++) {
        text_move(game.r, &game.s.state, &game.log[i].move, words,
                  sizeof(words));
        say("%d %s\n", game.log[i].seat, words);
    }
    say_end();
}

/* Reads "setup GAME revision=N seats=N OPTION=N ... ASSET=NAME". */
static void read_setup(char *line, int16_t *options, char *asset, size_t cap)
{
    char *rest = line, *word = strsep(&rest, " ");
    cr_assert_str_eq(word, "setup");
    game.r = rules_find(strsep(&rest, " "));
    cr_assert_not_null(game.r);
    game.setup = (struct rules_setup){.options = options};
    while ((word = strsep(&rest, " ")) != NULL) {
        char *value = strchr(word, '=');
        cr_assert_not_null(value);
        *value++ = '\0';
        if (strcmp(word, "revision") == 0)
            game.setup.revision = (uint16_t)atoi(value);
        else if (strcmp(word, "seats") == 0)
            game.setup.seats = atoi(value);
        for (int i = 0; game.r->options[i].name != NULL; i++)
            if (strcmp(word, game.r->options[i].name) == 0)
                options[i] = (int16_t)atoi(value);
        if (game.r->asset_kind != NULL &&
            strcmp(word, game.r->asset_kind->name) == 0) {
            snprintf(asset, cap, "%s", value);
            game.setup.asset_name = asset;
        }
    }
}

/* Plays "SEAT MOVE". */
static void replay_ply(const char *path, const char *line)
{
    static struct rules_events events;
    const char *words = strchr(line, ' ') + 1;
    struct rules_move move;
    size_t at;

    cr_assert_eq(text_move_read(game.r, &game.s.state, words, strlen(words),
                                &move, &at),
                 RULES_OK, "%s: %s", path, line);
    cr_assert_eq(rules_apply(game.r, &game.s.state, atoi(line), &move,
                             &events),
                 RULES_OK, "%s: %s", path, line);
}

static void replay(const char *path)
{
    static char log[TEXT_MAX];
    int16_t options[RULES_OPTIONS_MAX] = {0};
    char asset[64], *rest = log, *line;

    read_file(path, log, sizeof(log));
    read_setup(strsep(&rest, "\n"), options, asset, sizeof(asset));
    cr_assert_eq(rules_setup(game.r, &game.s.state, &game.setup, NULL), 0);
    while ((line = strsep(&rest, "\n")) != NULL &&
           strncmp(line, "end ", 4) != 0)
        replay_ply(path, line);
    cr_assert_not_null(line, "%s has no end", path);
    cr_assert(rules_over(&game.s.state), "%s", path);
    said = sbuf_in(text, TEXT_MAX);
    say_end();
    text[said.len - 1] = '\0';
    cr_assert_str_eq(line, text, "%s", path);
}

/* ---- tests ------------------------------------------------------------- */

/* Each game goes as it went, word for word. */
Test(golden, texts)
{
    char path[256];

    for (size_t i = 0; i < COUNT_OF(golden); i++) {
        play(&golden[i]);
        snprintf(path, sizeof(path), FOLDER "%s.txt", golden[i].name);
        if (writing())
            write_file(path, text, said.len);
        compare(path);
        snprintf(path, sizeof(path), FOLDER "%s-%u-%s.log", golden[i].game,
                 game.r->revision, golden[i].name);
        say_log(&golden[i]);
        if (writing() && access(path, F_OK) != 0)
            write_file(path, text, said.len);
    }
}

static int is_log(const struct dirent *entry)
{
    size_t n = strlen(entry->d_name);
    return n > 4 && strcmp(entry->d_name + n - 4, ".log") == 0;
}

/* Each log there is, of whatever revision, comes to the same end. */
Test(golden, logs)
{
    struct dirent **entry;
    char path[300];
    if (writing())
        return; /* beside the test that does it */
    int n = scandir(FOLDER, &entry, is_log, alphasort);

    cr_assert_gt(n, 0);
    for (int i = 0; i < n; i++) {
        snprintf(path, sizeof(path), FOLDER "%s", entry[i]->d_name);
        replay(path);
        free(entry[i]);
    }
    free(entry);
}
