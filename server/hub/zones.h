/* zones.h -- time zones that are not what they were.
 *
 * A table knows of somebody's zone when clocks there change in the next 400 days,
 * as an entry of its log told it.  Every week, at a start, and when the host has
 * read the system's zones anew, what tables were told is compared with what is so
 * now, for half as long ahead.  If that differs, all tables of all who have hours
 * in that zone have to be told, as they are of other hours: by rows that are
 * stored with what they are told. */

#ifndef SERVER_HUB_ZONES_H
#define SERVER_HUB_ZONES_H

#include "core/hours.h"
#include "core/sbuf.h"

struct hub;

/* Compares, if it is time. */
void zones_tick(struct hub *hub);

/* OFFSETS as a text, and back; false if TEXT, which may be NULL, is none. */
void zone_write(struct sbuf *s, const struct hours_offsets *offsets);
bool zone_read_text(const char *text, struct hours_offsets *ret);

#endif
