/* boards.c -- boards that Hacienda is tested on besides its own. */

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "core/games/hacienda/board.h"
#include "play.h"

#define COMMUNITY "../shared/data/hacienda/community"

enum { BOARDS_MAX = 24, COMMUNITY_EACH = 14 };

static struct rules_asset boards[BOARDS_MAX + 1];
static size_t count;

/* Keeps a copy of TEXT. */
static void keep(const char *name, const char *text, size_t len)
{
    char *copy = malloc(len), *label = strdup(name);
    ASSERT(count < BOARDS_MAX && copy != NULL && label != NULL);
    memcpy(copy, text, len);
    boards[count++] = (struct rules_asset){label, copy, len};
}

/* A generated board; every so-manieth land of it left open, unless 0. */
static void generate(uint16_t cols, uint16_t rows, enum symmetry symmetry,
                     int open_each)
{
    static const uint8_t seed[RNG_SEED_SIZE] = "boards";
    static char text[HAZ_BYTES_MAX];
    struct board_recipe recipe = board_recipe(cols, rows, symmetry);
    struct recipe_problem why;
    struct board board;
    struct rng rng;
    char name[32];
    int lands = 0;

    rng_init(&rng, seed, cols * 100u + rows);
    if (!board_generate(&board, &recipe, &rng, &why)) {
        fprintf(stderr, "# no %ux%u board: %s\n", cols, rows, why.rule);
        return;
    }
    for (int hex = 0; open_each > 0 && hex < board_hexes(cols, rows); hex++)
        if (board.ground[hex] >= GROUND_MEADOW &&
            board.ground[hex] <= GROUND_MOUNTAIN && lands++ % open_each == 0)
            board.ground[hex] = GROUND_RANDOM;
    snprintf(name, sizeof(name), "generated-%ux%u%s", cols, rows,
             open_each > 0 ? "-open" : "");
    size_t len = haz_write(&board, NULL, text, sizeof(text));
    ASSERT(len < sizeof(text));
    keep(name, text, len);
}

static int is_board(const struct dirent *entry)
{
    size_t n = strlen(entry->d_name);
    return n > 4 && strcmp(entry->d_name + n - 4, ".haz") == 0;
}

static void load(const char *name)
{
    static char text[HAZ_BYTES_MAX];
    char path[512];

    snprintf(path, sizeof(path), COMMUNITY "/%s", name);
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return;
    keep(name, text, fread(text, 1, sizeof(text), file));
    fclose(file);
}

static void community(void)
{
    struct dirent **entry;
    int n = scandir(COMMUNITY, &entry, is_board, alphasort);

    for (int i = 0; i < n; i++) {
        if (i % COMMUNITY_EACH == 0)
            load(entry[i]->d_name);
        free(entry[i]);
    }
    if (n >= 0)
        free(entry);
}

const struct rules_asset *play_boards(void)
{
    if (count == 0) {
        generate(7, 15, SYMMETRY_NONE, 0);
        generate(9, 17, SYMMETRY_HALF_TURN, 0);
        generate(11, 21, SYMMETRY_NONE, 3);
        generate(15, 33, SYMMETRY_HALF_TURN, 7);
        generate(22, 80, SYMMETRY_NONE, 0);
        community();
    }
    return boards;
}
