/* fit.h -- choices that go together.
 *
 * Where people choose how a table is set up, one choice may rule out others: a
 * variant that has a board and a number of seats of its own.  Rather than each
 * form knowing that, it asks here what else has to change. */

#ifndef CORE_FIT_H
#define CORE_FIT_H

#include "rules.h"

/* What is chosen, beside the options by their index. */
enum fit_field {
    FIT_ASSET = RULES_OPTIONS_MAX,
    FIT_SEATS,
    FIT_FIELDS,
};

/* Makes of SETUP, whose options are OPTIONS, all of them chosen, one that R
 * takes as it stands, nothing implied, by changing as few other choices as can
 * be; KEEP is the one that stays.  Numbers stay in any case, and so do bytes
 * of somebody's own.  False, and nothing is changed, if there is none.  ROOM is
 * for the states that are tried, at most as many as there are combinations. */
bool rules_fit(const struct rules *r, struct rules_setup *setup,
               int16_t *options, int keep, union rules_any *room);

#endif
