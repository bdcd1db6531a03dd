/* fuzz_tables.c -- an operator's tables of Hadara, or what claims to be some.
 *
 * Whatever the bytes, hadara_tables_read() returns; what it refuses it
 * explains with a line that is there; what it accepts holds together and is a
 * game that can be played. */

#include <stdint.h>
#include <string.h>

#include "core/base.h"
#include "core/games/hadara/hadara.h"

enum { SEATS = 2, PLIES = 60 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct rules_choice legal[RULES_MOVES_MAX];

static void check_refusal(const struct rules_problem *why, const uint8_t *data,
                          size_t size)
{
    uint32_t lines = 1;

    for (size_t i = 0; i + 1 < size; i++)
        lines += data[i] == '\n';
    ASSERT(why->rule != NULL && why->rule[0] != '\0');
    ASSERT(why->text != NULL && why->text[0] != '\0');
    ASSERT(why->line >= 1 && why->line <= lines);
}

/* The first plies of a game with them. */
static void play(const char *text, size_t len)
{
    static const uint8_t key[RNG_SEED_SIZE] = "tables";
    static struct rules_events events;
    const struct rules *r = &hadara_rules;
    struct rules_setup setup = {
        .seats = SEATS,
        .asset = text,
        .asset_len = len,
    };
    union rules_any s;
    struct rng rng;

    rng_init(&rng, key, 0);
    int answer = rules_setup(r, &s.state, &setup, NULL);
    ASSERT(answer == RULES_OK);
    for (int i = 0; i < PLIES && !rules_over(&s.state); i++) {
        struct rules_move move;
        int seat = __builtin_ctz(s.state.acting);
        if (seat == RULES_NATURE) {
            rules_chance(r, &s.state, &rng, &move);
        } else {
            size_t n = rules_legal(r, &s.state, seat, -1, legal,
                                   RULES_MOVES_MAX);
            ASSERT(n > 0);
            move = legal[rng_below(&rng, (uint32_t)n)].move;
        }
        answer = rules_apply(r, &s.state, seat, &move, &events);
        ASSERT(answer == RULES_OK);
        ASSERT(rules_valid(r, &s.state));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct hadara_tables tables;
    struct rules_problem why = {0};
    const char *text = size > 0 ? (const char *)data : "";

    memset(&tables, 0, sizeof(tables));
    if (!hadara_tables_read(&tables, text, size, &why)) {
        check_refusal(&why, data, size);
        return 0;
    }
    ASSERT(hadara_tables_valid(&tables));
    play(text, size);
    return 0;
}
