/* clock_model.h -- the clocks of a table told once more, from the facts of its log:
 * what everybody had when, what stood still, and so when each deadline was.
 *
 * It shares with core/clock.c and core/timing.c no line but the arithmetic of
 * hours within a day, and goes about it in another way: where they fold, it keeps
 * for each seat when its clock ran and for the table when nothing counted, and
 * counts anew from there whenever it is asked.  So where the two differ one is
 * wrong. */

#ifndef TESTS_SUPPORT_CLOCK_MODEL_H
#define TESTS_SUPPORT_CLOCK_MODEL_H

#include "core/audit.h"

/* What was decided, over all that was looked at. */
struct clock_verdicts {
    size_t moved;              /* turns that ended in time */
    size_t missed[MISS_THENS]; /* deadlines that passed, by what came of it */
    size_t votes[VOTES];       /* that passed, by what they were about */
    size_t made[MADE_BYS];     /* moves */
    size_t hours, absent, gifts, pauses, rewinds, undos, returns, taken,
        outages;
};

/* What is told of a table besides its log. */
struct clock_facts {
    int64_t now_ms;             /* at which the log is as it is */
    int64_t slack_ms;           /* that what is due may take, and no longer */
    const struct span *outages; /* that were, rising: logs tell them later */
    size_t outage_count;
};

/* Goes over A, the log of a table with a pace; entries before FROM were judged
 * before.  What it sees is added to V.  NULL, or a sentence about the first
 * deadline that was not decided once, at its time, by what the table agreed on;
 * *RET_PLY is where.
 *
 * What an entry takes back is as if it had never been: so whoever reads a log
 * judges what there is before each entry that takes something back, and goes on
 * from there. */
const char *clock_model_judge(const struct audit *a, uint32_t from,
                              const struct clock_facts *facts,
                              struct clock_verdicts *v, uint32_t *ret_ply);

#endif
