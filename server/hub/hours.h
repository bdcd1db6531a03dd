/* hours.h -- when people are there, as they said. */

#ifndef SERVER_HUB_HOURS_H
#define SERVER_HUB_HOURS_H

#include "core/hours.h"
#include "request.h"
#include "transaction.h"

/* Writes the member `hours`; ROW has some. */
void hours_write(struct json_out *o, const struct hours_row *row);
/* Whether who said ROW (NULL: nothing) is there now; *RET_NEXT is when they will
 * be next: now, if they are.  Hours of which nothing can be told, as the system
 * has lost their zone, are always. */
bool hours_inside(struct hub *hub, const struct hours_row *row,
                  int64_t *ret_next);

/* The offset by O at MS, in seconds. */
int32_t hours_offset_at(const struct hours_offsets *o, int64_t ms);
/* Whether A and B say the same from NOW_MS on, for half as long as offsets are told
 * ahead: so what was told is told anew before it ends. */
bool hours_same_zone(const struct hours_offsets *a,
                     const struct hours_offsets *b, int64_t now_ms);

#endif
