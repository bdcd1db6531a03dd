/* time_json.h -- what tables with a pace say of time, as JSON: what they agreed
 * on, and what the lines of their logs say besides. */

#ifndef PROTOCOL_TIME_JSON_H
#define PROTOCOL_TIME_JSON_H

#include <jansson.h>

#include "core/entries.h"
#include "json_out.h"

/* ---- what a table agreed on --------------------------------------------- */

/* The members `absence`, `hours`, `misses` and `pace` of an object that is
 * open; for lists and the header of a record. */
void json_terms(struct json_out *o, const struct terms *terms);
/* Reads them back from OBJECT; false if they are no valid terms. */
bool json_terms_read(const json_t *object, struct terms *ret_terms);

/* ---- lines of logs -------------------------------------------------------- */

/* That one line tells, at most. */
#define OUTAGES_TOLD_MAX 64

/* Room for what struct entry_more points to. */
struct more_room {
    struct clock_hours hours;
    struct span outages[OUTAGES_TOLD_MAX];
};

/* What LINE, of an entry of KIND, says besides; into MORE, which points into
 * ROOM.  NULL, or the name of the member that is wrong. */
const char *json_more_read(const json_t *line, int kind,
                           struct entry_more *more, struct more_room *room);

/* The same of what votes alone say, which tables without a pace have, too. */
const char *json_vote_read(const json_t *line, int kind,
                           struct entry_more *more);

/* The numbers of the list NAME of LINE, one for each seat, null for 0, to
 * NUMBERS; how many, or -1: it has no such list. */
int json_shown_read(const json_t *line, const char *name,
                    int64_t numbers[RULES_SEATS_MAX]);
/* The list of COUNT numbers; null for 0 if NONE says so. */
void json_shown(struct json_out *o, const char *name, const int64_t *numbers,
                int count, bool none);

void json_outages(struct json_out *o, const char *name,
                  const struct span *outages, size_t count);
void json_offsets(struct json_out *o, const char *name,
                  const struct hours_offsets *offsets);
/* The days of H, 1 for Monday. */
void json_days(struct json_out *o, const char *name, const struct hours *h);

#endif
