/* fuzz_move.c -- words that claim to be a move.
 *
 * The first line is a game's name, a space and a digit, which stands for a
 * moment of the game; the rest is read as a move.  What can be read can be written, and read again to the same
 * move; and whatever it is, it can be checked and tried, on the state and on
 * views. */

#include <stdint.h>
#include <string.h>

#include "core/base.h"
#include "core/text.h"
#include "tests/support/play.h"

enum { MOMENTS = 8 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

/* States of a game from its beginning on, played once. */
static const struct rules_state *moment(size_t game, size_t when)
{
    static union rules_any at[PLAY_GAMES_MAX][MOMENTS];
    static bool played[PLAY_GAMES_MAX];
    static const size_t plies[MOMENTS] = {0, 1, 3, 8, 40, 80, 120, 999};
    struct play p = {0};

    for (size_t i = 0; !played[game] && i < MOMENTS; i++) {
        play_start(&p, play_setup(play_game(game), i), i);
        play_on(&p, plies[i]);
        memcpy(&at[game][i], &p.s, p.r->state_size);
    }
    if (!played[game])
        play_done(&p);
    played[game] = true;
    return &at[game][when].state;
}

static void there_and_back(const struct rules *r, const struct rules_state *s,
                           const struct rules_move *move)
{
    char text[RULES_TEXT_MAX];
    struct rules_move back;
    size_t at;
    size_t n = text_move(r, s, move, text, sizeof(text));

    ASSERT(n < sizeof(text) && text[n] == '\0');
    ASSERT(text_move_read(r, s, text, n, &back, &at) == RULES_OK);
    ASSERT(memcmp(&back, move, sizeof(back)) == 0);
}

static void try_it(const struct rules *r, const struct rules_state *s,
                   const struct rules_move *move)
{
    static struct rules_events events;
    for (int v = 0; v < play_viewers(s); v++) {
        for (int seat = 0; seat < s->seats; seat++) {
            union rules_any view;
            rules_view(r, s, play_viewer(s, v), &view.state);
            int refusal = rules_check(r, &view.state, seat, move);
            ASSERT(rules_reason(r, refusal) != NULL);
            int answer = rules_apply(r, &view.state, seat, move, &events);
            ASSERT(answer == refusal || answer == RULES_UNSEEN);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    struct rules_move move;
    size_t at;

    size_t game = 0, name = 0;
    for (; play_game(game) != NULL; game++) {
        name = strlen(play_game(game)->name);
        if (len > name + 2 && data[name] == ' ' && data[name + 2] == '\n' &&
            memcmp(data, play_game(game)->name, name) == 0)
            break;
    }
    const struct rules *r = play_game(game);
    if (r == NULL)
        return 0;
    const struct rules_state *s = moment(game, data[name + 1] % MOMENTS);
    data += name + 3;
    len -= name + 3;
    int answer = text_move_read(r, s, (const char *)data, len, &move, &at);
    ASSERT(answer == RULES_OK || answer == RULES_UNKNOWN_VERB ||
           answer == RULES_BAD_ARGUMENT);
    ASSERT(answer == RULES_OK || at <= len);
    if (answer != RULES_OK)
        return 0;
    there_and_back(r, s, &move);
    try_it(r, s, &move);
    return 0;
}
