/* planted.c -- a server whose rules somebody has changed without raising their
 * revision, as far as --print-replays and --check-replays go.
 *
 * PLANT in the environment says what was changed; without it nothing was:
 *
 *     state    a harvest in Hacienda pays one peso more
 *     points   silver medals in Hadara are worth a point more
 *     undo     in Greement a purchase of land cannot be taken back
 *     log      in tic-tac-toe the middle may not be taken
 *     turn     who begins at tic-tac-toe moves twice
 *     member   states of Hacienda have a member more: no change of rules */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "core/games/hacienda/hacienda.h"
#include "core/games/hadara/hadara.h"
#include "server/replays.h"

extern const struct rules greement_rules, tictactoe_rules;

enum { HACIENDA, HADARA, GREEMENT, TICTACTOE, GAMES };

static struct rules planted[GAMES];
const struct rules *const rules_all[] = {
    &planted[HACIENDA],
    &planted[HADARA],
    &planted[GREEMENT],
    &planted[TICTACTOE],
    NULL,
};

static int harvest_more(struct rules_state *s, int seat,
                        const struct rules_move *move,
                        struct rules_events *events)
{
    int refusal = hacienda_rules.apply(s, seat, move, events);
    if (seat != RULES_NATURE && move->verb == HARVEST)
        ((struct hacienda *)s)->player[seat].money++;
    return refusal;
}

static void more_for_silver(const struct rules_state *s,
                            struct rules_score *score)
{
    hadara_rules.score(s, score);
    for (int seat = 0; seat < s->seats; seat++)
        if (((const struct hadara *)s)->player[seat].silver[0] !=
            HADARA_NOTHING)
            score->total[seat]++;
}

static int land_for_good(struct rules_state *s, int seat,
                         const struct rules_move *move,
                         struct rules_events *events)
{
    int refusal = greement_rules.apply(s, seat, move, events);
    if (strcmp(greement_rules.verbs[move->verb].name, "buy_land") == 0)
        events->flags |= RULES_FINAL;
    return refusal;
}

static int first_moves_again(struct rules_state *s, int seat,
                             const struct rules_move *move,
                             struct rules_events *events)
{
    bool first = s->ply == 0;
    int refusal = tictactoe_rules.apply(s, seat, move, events);
    if (first)
        s->acting = RULES_BIT(seat);
    return refusal;
}

static int not_the_middle(const struct rules_state *s, int seat,
                          const struct rules_move *move)
{
    return move->arg[0] == 4 ? RULES_GAME
                             : tictactoe_rules.check(s, seat, move);
}

static void a_member_more(struct fields *f, struct rules_state *s)
{
    static const struct fields_as as = FIELDS_AS_UPTO(7);
    uint8_t weather = 7;

    fields_u8(f, "weather", &weather, &as);
    hacienda_rules.fields(f, s);
}

static void plant(const char *what)
{
    planted[HACIENDA] = hacienda_rules;
    planted[HADARA] = hadara_rules;
    planted[GREEMENT] = greement_rules;
    planted[TICTACTOE] = tictactoe_rules;
    if (strcmp(what, "state") == 0)
        planted[HACIENDA].apply = harvest_more;
    else if (strcmp(what, "points") == 0)
        planted[HADARA].score = more_for_silver;
    else if (strcmp(what, "undo") == 0)
        planted[GREEMENT].apply = land_for_good;
    else if (strcmp(what, "log") == 0)
        planted[TICTACTOE].check = not_the_middle;
    else if (strcmp(what, "turn") == 0)
        planted[TICTACTOE].apply = first_moves_again;
    else if (strcmp(what, "member") == 0)
        planted[HACIENDA].fields = a_member_more;
    else
        ASSERT(what[0] == '\0');
}

int main(int argc, char **argv)
{
    const char *what = getenv("PLANT");

    if (argc != 3)
        return 64;
    plant(what != NULL ? what : "");
    return strcmp(argv[1], "--print-replays") == 0
               ? replays_print(argv[2], stdout)
               : replays_check(argv[2], stdin, stdout);
}
