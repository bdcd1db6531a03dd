/* replay.c -- a fuzzer without libFuzzer: its corpus and seeded variants of it.
 *
 * usage: replay_NAME CORPUS [FILE]
 *
 * libFuzzer runs for a time, so what it finds depends on the machine and on luck.
 * This program gives the same fuzz_NAME.c the same inputs in each run: every file
 * in the directory CORPUS (or only FILE there), as it is and then VARIANTS times
 * with a few random changes.  SEED and RUNS in the environment work as in all
 * tests.  Speaks TAP, a line a file. */

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base.h"
#include "core/rng.h"
#include "tests/support/scale.h"

#define INPUT_MAX ((size_t)1 << 16)
#define VARIANTS  2000 /* of each file, if RUNS is 100 */

/* How many instead, where an input takes longer. */
extern const size_t fuzz_variants __attribute__((weak));

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
__attribute__((weak)) int LLVMFuzzerInitialize(int *argc, char ***argv);
__attribute__((weak)) size_t LLVMFuzzerCustomMutator(uint8_t *data,
                                                     size_t size,
                                                     size_t max_size,
                                                     unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

static struct rng rng;
static int told;         /* stdout, which a fuzzer may send elsewhere */
static const char *name; /* of the file that is tried */
static const char *seed;
static size_t
    *variant; /* that is tried: 0 is the file as it is.  Shared, so that
                         * it outlives who tries it. */

/* ---- variants ----------------------------------------------------------------- */

static size_t below(size_t n)
{
    return rng_below(&rng, (uint32_t)n);
}

/* Moves what is from AT on to TO, as far as there is room; returns the size. */
static size_t move_tail(uint8_t *data, size_t size, size_t max_size, size_t at,
                        size_t to)
{
    size_t rest = size - at;

    if (to > max_size || rest > max_size - to)
        return size;
    memmove(data + to, data + at, rest);
    return to + rest;
}

/* One small change, as libFuzzer offers it to a custom mutator. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size)
{
    static const uint8_t telling[] = {0,   1,   9,    ' ',  '"',
                                      '-', '0', 0x7f, 0x80, 0xff};

    if (size == 0) {
        if (max_size > 0)
            data[0] = (uint8_t)below(256);
        return max_size > 0;
    }
    size_t at = below(size), rest = size - at,
           len = below(rest < 16 ? rest : 16) + 1;
    switch (below(6)) {
    case 0: data[at] ^= (uint8_t)(1U << below(8)); return size;
    case 1: data[at] = (uint8_t)below(256); return size;
    case 2: data[at] = telling[below(sizeof(telling))]; return size;
    case 3: return move_tail(data, size, max_size, at + len, at);
    case 4: return move_tail(data, size, max_size, at, at + len); /* doubled */
    default: return at;
    }
}

static size_t change(uint8_t *data, size_t size)
{
    for (size_t n = below(3) + 1; n > 0; n--) {
        if (LLVMFuzzerCustomMutator != NULL)
            size = LLVMFuzzerCustomMutator(data, size, INPUT_MAX,
                                           rng_next(&rng));
        else
            size = LLVMFuzzerMutate(data, size, INPUT_MAX);
    }
    return size;
}

/* ---- files -------------------------------------------------------------------- */

/* Tries DATA in a copy that is no longer than it is, so that who reads past its
 * end is seen. */
static void try(const uint8_t *data, size_t size)
{
    uint8_t *copy = malloc(size > 0 ? size : 1);

    ASSERT(copy != NULL);
    memcpy(copy, data, size);
    LLVMFuzzerTestOneInput(copy, size);
    free(copy);
}

static size_t read_file(const char *path, uint8_t *data)
{
    FILE *f = fopen(path, "rb");

    ASSERT(f != NULL);
    size_t size = fread(data, 1, INPUT_MAX, f);
    ASSERT(size < INPUT_MAX && !ferror(f));
    fclose(f);
    return size;
}

static void try_variants(const char *corpus, size_t count)
{
    static uint8_t data[INPUT_MAX], changed[INPUT_MAX];
    char path[4096];
    uint8_t key[RNG_SEED_SIZE] = {0};

    snprintf(path, sizeof(path), "%s/%s", corpus, name);
    size_t size = read_file(path, data);
    snprintf((char *)key, sizeof(key), "%.15s %.15s", seed, name);
    for (*variant = 0; *variant <= count; ++*variant) {
        size_t now = size;
        rng_init(&rng, key, *variant);
        memcpy(changed, data, size);
        if (*variant > 0)
            now = change(changed, size);
        try(changed, now);
    }
}

/* In a process of its own, as it may die of it; whether it does not. */
static bool try_file(const char *corpus, size_t number)
{
    size_t usual = &fuzz_variants != NULL ? fuzz_variants : VARIANTS;
    size_t count = scaled(usual, 100);
    int status = 0;
    pid_t child = fork();

    ASSERT(child >= 0);
    if (child == 0) {
        try_variants(corpus, count);
        exit(0); /* and what was not given back is told */
    }
    waitpid(child, &status, 0);
    if (status == 0) {
        dprintf(told, "ok %zu - %s and %zu variants\n", number, name, count);
        return true;
    }
    for (int i = 0; i < 2; i++)
        dprintf(i == 0 ? told : STDERR_FILENO,
                "not ok %zu - %s, variant %zu of %zu, SEED=%s\n", number, name,
                *variant, count, seed);
    return false;
}

static int visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

int main(int argc, char **argv)
{
    struct dirent **files = NULL;

    if (argc < 2)
        return 2;
    seed = getenv("SEED") != NULL ? getenv("SEED") : "1";
    told = dup(STDOUT_FILENO);
    if (LLVMFuzzerInitialize != NULL)
        LLVMFuzzerInitialize(&argc, &argv);
    variant = mmap(NULL, sizeof(*variant), PROT_READ | PROT_WRITE,
                   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ASSERT(variant != MAP_FAILED);
    int count = scandir(argv[1], &files, visible, alphasort);
    size_t tried = 0, failed = 0;
    for (int i = 0; i < count; i++) {
        name = files[i]->d_name;
        if (argc < 3 || strcmp(argv[2], name) == 0)
            failed += !try_file(argv[1], ++tried);
    }
    for (int i = 0; i < count; i++)
        free(files[i]);
    free(files);
    dprintf(told, "1..%zu\n", tried);
    return tried > 0 && failed == 0 ? 0 : 1;
}
