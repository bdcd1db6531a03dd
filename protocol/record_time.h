/* record_time.h -- what the record of a table with a pace says of time, read and
 * kept as long as the audit folds clocks from it. */

#ifndef PROTOCOL_RECORD_TIME_H
#define PROTOCOL_RECORD_TIME_H

#include <jansson.h>

#include "core/audit.h"
#include "time_json.h"

struct record_time;

/* Begins to audit the clocks of A, which has had no entry yet. */
struct record_time *record_time_new(struct audit *a,
                                    const struct terms *terms);
void record_time_free(struct record_time *t); /* NULL is fine */

/* What LINE says, into E, whose kind is known; there is room in A for it.  NULL,
 * or the name of the member that is wrong. */
const char *record_time_read(struct record_time *t, struct audit *a,
                             const json_t *line, struct audit_entry *e);

#endif
