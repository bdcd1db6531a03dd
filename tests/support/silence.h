/* silence.h -- votes of a table without a pace, told once more from the lines of
 * its log: which of them are silent, and what became of each of those.
 *
 * It shares no line with core/votes.c: that folds entries and is asked what may
 * come next, this reads what is stored and looks back. */

#ifndef TESTS_SUPPORT_SILENCE_H
#define TESTS_SUPPORT_SILENCE_H

#include "disk.h"

struct silence_facts {
    int64_t now_ms;    /* at which the log is as it is */
    int64_t asleep_ms; /* that nothing has to happen for silence to agree */
    int64_t slack_ms;  /* that what is due may take, and no longer */
    const struct span *outages; /* that were, rising */
    size_t outage_count;
};

/* Silent votes, by how they ended. */
struct silence_verdicts {
    size_t opened, cancelled, taken_back, agreed, refused, broken;
};

/* Goes over T's log and adds what it sees to V.  NULL, or a sentence about the
 * first vote that is silent and should not be or the other way round, or that was
 * not decided by silence at its time; *RET_PLY is where. */
const char *silence_judge(const struct disk_table *t,
                          const struct silence_facts *facts,
                          struct silence_verdicts *v, uint32_t *ret_ply);

#endif
