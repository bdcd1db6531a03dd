/* ahead.c -- looking ahead in the page: moves that are tried for all seats, from
 * a position that one may see, and what a mind would play there.
 *
 * What is hidden is guessed once; from then on there is a whole world that is
 * nobody's table.  It is kept and taken up as bytes, so that the page can go
 * from move to move of a tree without playing them all again. */

#include "core/base.h"
#include "core/mind.h"

#include "glue.h"

static union rules_any world;
static struct rules_events events; /* of the last move in it */
static struct mind_room room;

/* Chance number NUMBER, of any: nobody has to be kept from guessing it. */
static void chance_of(uint32_t number, uint64_t stream, struct rng *rng)
{
    uint8_t key[RNG_SEED_SIZE] = {0};

    for (int i = 0; i < 4; i++)
        key[i] = (uint8_t)(number >> (8 * i));
    rng_init(rng, key, stream);
}

/* Begins with guess number NUMBER of what was read last. */
EXPORT("ahead_begin") void ahead_begin(uint32_t number);
/* Begins with what was set up last: nothing of it is hidden. */
EXPORT("ahead_set_up") void ahead_set_up(void);
/* Plays the move that stands in the text; 0, or it could not be played. */
EXPORT("ahead_play") int ahead_play(int seat, size_t len);
/* Lets chance move, as NUMBER has it, and tells the move. */
EXPORT("ahead_draw") void ahead_draw(uint32_t number);
/* Tells the events of the last move, all of them; and what VIEWER sees is what
 * show(), score(), legal(), acting() and may() speak of then. */
EXPORT("ahead_look") void ahead_look(int viewer);
/* Puts the world into the text and returns its length; takes it up again. */
EXPORT("ahead_keep") size_t ahead_keep(void);
EXPORT("ahead_resume") bool ahead_resume(size_t len);
/* Tells what a mind of LEVEL would play for SEAT, which is waited for, by what
 * it sees. */
EXPORT("ahead_think") void ahead_think(int seat, int level);
/* Whether what was read last has rounds, in which somebody can pass. */
EXPORT("ahead_rounds") bool ahead_rounds(void);

void ahead_begin(uint32_t number)
{
    struct rng rng;

    chance_of(number, 0, &rng);
    rules_guess(glue_rules(), glue_now(), &rng, &world.state);
    events.count = 0;
}

void ahead_set_up(void)
{
    memcpy(&world, glue_now(), sizeof(world));
    events.count = 0;
}

int ahead_play(int seat, size_t len)
{
    struct rules_move move;

    int refusal = glue_move(&world.state, len, &move);
    if (refusal == RULES_OK)
        refusal = rules_apply(glue_rules(), &world.state, seat, &move,
                              &events);
    return refusal;
}

void ahead_draw(uint32_t number)
{
    struct rules_move move;
    struct rng rng;

    chance_of(number, 1, &rng);
    rules_chance(glue_rules(), &world.state, &rng, &move);
    memcpy(glue_now(), &world, sizeof(world));
    glue_say_move(NULL, &move);
    int refusal = rules_apply(glue_rules(), &world.state, RULES_NATURE, &move,
                              &events);
    ASSERT(refusal == RULES_OK);
}

void ahead_look(int viewer)
{
    rules_view(glue_rules(), &world.state, viewer, glue_now());
    glue_say_events(NULL, &events, RULES_ALL, world.state.seats);
}

size_t ahead_keep(void)
{
    size_t len = rules_encode(glue_rules(), &world.state,
                              (uint8_t *)glue_text(), glue_text_bytes());
    ASSERT(len <= glue_text_bytes());
    return len;
}

bool ahead_resume(size_t len)
{
    events.count = 0;
    return rules_decode(glue_rules(), &world.state, (uint8_t *)glue_text(),
                        len) == RULES_OK;
}

void ahead_think(int seat, int level)
{
    struct mind mind = mind_of(glue_rules(), (enum mind_level)level);
    struct rules_move move;
    union rules_any view;

    rules_view(glue_rules(), &world.state, seat, &view.state);
    if (mind_choose(&mind, &view.state, &room, &move)) {
        memcpy(glue_now(), &view, sizeof(view));
        glue_say_move(NULL, &move);
    }
}

bool ahead_rounds(void)
{
    return rules_round(glue_rules(), glue_now()) != RULES_NO_ROUND;
}
