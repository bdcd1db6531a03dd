/* noninterference.h -- two runs that differ only in what a viewer may not
 * know.
 *
 * A table is played on two servers (test_client.h) alike.  On the second one
 * the log is then changed where the viewer was not told: other cards drawn for
 * others, another hidden choice, or, where nothing is hidden, another seed,
 * which is what nobody knows.  Both servers start anew; the viewer, seated or
 * not, watches and asks for all there is to be asked, right and wrong, and
 * makes forks, while
 * the others go on playing, on each side what is the same as far as they are
 * told.  Every message they get must be the same on both sides, byte for byte,
 * but for chain heads and times, until the rules tell them of a difference.
 *
 * What they may be told is judged by LAW, so that PLAYED may be a game that
 * tells more: that is how the tests prove that they would notice. */

#ifndef TESTS_SUPPORT_NONINTERFERENCE_H
#define TESTS_SUPPORT_NONINTERFERENCE_H

#include "play.h"

enum { NONINTERFERENCE_WHY = 600 };

/* Spoils what was heard on the second side, to see whether it is noticed. */
enum noninterference_tamper {
    TAMPER_NOT,
    TAMPER_DROP,
    TAMPER_SWAP,
    TAMPER_TWICE
};

struct noninterference_count {
    size_t pairs;    /* that differed in something, so were compared */
    size_t others;   /* plies that were others */
    size_t messages; /* compared */
    size_t bytes;    /* of them */
    size_t forks;    /* compared, with all that begins there */
    size_t live;     /* plies played while the viewer watched */
    size_t hidden;   /* of those, others on the two sides */
    size_t orders;   /* given ahead on one side alone */
    size_t longest;  /* log of a pair */
};

/* Runs the pair of that number.  False, with WHY, if the viewer could tell the
 * sides apart.  PLAYED and LAW have the same name; PLAYED is in rules_all. */
bool noninterference_run(const struct rules *played, const struct rules *law,
                         uint64_t number, enum noninterference_tamper tamper,
                         struct noninterference_count *count,
                         char why[NONINTERFERENCE_WHY]);

#endif
