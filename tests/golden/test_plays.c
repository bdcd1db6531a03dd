/* test_plays.c -- what whole games come to, as numbers.
 *
 * plays.txt has a line for each game played by tests/core/wasm_glue.c: seats,
 * options, asset and seed, then how many plies it took and the hash of all
 * that the core said meanwhile.  This test plays them natively, in every mode
 * of the build; tests/core/test_wasm.mjs plays them under node.  With
 * GOLDEN=write in the environment it writes the file. */

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/core/wasm_glue.c"

#define FILE_NAME "tests/golden/plays.txt"

enum {
    LINES_MAX = 1000,
    COMBINATIONS_MAX = 24,
    LONG = 100000,
    OPTIONS_NONE = 0xffffffff
};

static char lines[LINES_MAX][128];
static size_t count;

static void add(uint32_t i, uint32_t seats, uint32_t options, uint32_t asset,
                uint32_t seed)
{
    uint64_t hash = play(i, seats, options, asset, seed);
    if (hash == 0)
        return;
    cr_assert_lt(count, LINES_MAX);
    snprintf(lines[count++], sizeof(lines[0]),
             "%s %" PRIu32 " %08" PRIx32 " %" PRIx32 " %" PRIu32 " %" PRIu32
             " %016" PRIx64 "\n",
             rules_all[i]->name, seats, options, asset, seed, plies_played(),
             hash);
}

/* How many values an option has, as far as four bits can tell; of wide ones,
 * such as how long a game is, the two least will do. */
static uint32_t values(const struct rules_option *o)
{
    int n = o->max - o->min + 1;
    return n <= DEFAULT ? (uint32_t)n : 2;
}

/* The Ith combination of all options' values: four bits each. */
static uint32_t combination(const struct rules *r, uint32_t i)
{
    uint32_t options = OPTIONS_NONE;
    for (int k = 0; r->options[k].name != NULL; k++) {
        options &= ~(UINT32_C(15) << (4 * k));
        options |= i % values(&r->options[k]) << (4 * k);
        i /= values(&r->options[k]);
    }
    return options;
}

/* All seats with all usual, each asset, and combinations of options: all of
 * them, or the first so many. */
static void play_all(uint32_t i)
{
    const struct rules *r = rules_all[i];
    uint32_t combinations = 1, seed = 1;
    int times = r->plies_max > LONG ? 1 : 4;

    for (int k = 0; r->options[k].name != NULL; k++)
        combinations *= values(&r->options[k]);
    if (combinations > COMBINATIONS_MAX)
        combinations = COMBINATIONS_MAX;
    for (uint32_t seats = r->seats_min; seats <= r->seats_max; seats++) {
        for (int again = 0; again < times; again++)
            add(i, seats, OPTIONS_NONE, DEFAULT, seed++);
        for (uint32_t a = 0; r->assets != NULL && r->assets[a].name; a++)
            add(i, seats, OPTIONS_NONE, a, seed++);
        for (uint32_t c = 0; c < combinations && combinations > 1; c++)
            add(i, seats, combination(r, c), DEFAULT, seed++);
    }
}

static void write_file(void)
{
    FILE *file = fopen(FILE_NAME, "w");
    cr_assert_not_null(file);
    fputs("# game, seats, options, asset, seed; plies, hash: see "
          "test_plays.c\n",
          file);
    for (size_t i = 0; i < count; i++)
        fputs(lines[i], file);
    cr_assert_eq(fclose(file), 0);
}

/* Every game, natively: the numbers that are on file. */
Test(golden, plays)
{
    char line[128];
    size_t at = 0;

    for (uint32_t i = 0; rules_all[i] != NULL; i++)
        play_all(i);
    const char *golden = getenv("GOLDEN");
    if (golden != NULL && strcmp(golden, "write") == 0)
        write_file();
    FILE *file = fopen(FILE_NAME, "r");
    cr_assert_not_null(file, "no %s: make golden", FILE_NAME);
    while (fgets(line, sizeof(line), file) != NULL) {
        if (line[0] == '#')
            continue;
        cr_assert_lt(at, count, "%s is not played any more", line);
        cr_assert_str_eq(lines[at], line);
        at++;
    }
    fclose(file);
    cr_assert_eq(at, count);
}
