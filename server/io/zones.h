/* zones.h -- the time zones that people may say they live in: those that the
 * system lists in zone1970.tab and zone.tab, whatever else they are called in
 * tzdata.zi (some browsers say Asia/Calcutta), and Etc/UTC, which there always
 * is.
 *
 * All of them are read at once, and no name that somebody gives ever becomes a
 * path.  Only who reads them anew, now and then, has anything to do with the
 * disk after that. */

#ifndef SERVER_IO_ZONES_H
#define SERVER_IO_ZONES_H

#include "zone.h"

#define ZONES_DIR      "/usr/share/zoneinfo"
#define ZONES_NAME_MAX 64 /* as the protocol has it */

struct zones;

/* What is in DIR, from NOW_MS on; files that are none are left out.  *RET_BAD is
 * how many of those listed; -1 if there is no list. */
struct zones *zones_new(const char *dir, int64_t now_ms, int *ret_bad);
void zones_free(struct zones *z);
size_t zones_count(const struct zones *z); /* names */

/* As zone_offsets(); false if no zone is called NAME. */
bool zones_offsets(const struct zones *z, const char *name, int64_t from_ms,
                   struct hours_offsets *ret);

#endif
