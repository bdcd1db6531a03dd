/* rotate.h -- which backups stay. */

#ifndef CTL_ROTATE_H
#define CTL_ROTATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ROTATE_DAYS = 7, ROTATE_WEEKS = 4, ROTATE_MONTHS = 12 };

/* Sets KEEP for each of COUNT backups, made at TIMES (seconds since 1970 UTC, in
 * any order): the newest of each of the last 7 days, 4 weeks and 12 months
 * that have any.  So the newest of all stays, and whoever made none for a year
 * loses none. */
void rotate_keep(const int64_t *times, size_t count, bool *keep);

/* "sobremesa-20261122T041536Z.db", and back; false for any other name. */
#define ROTATE_NAME_SIZE 40
void rotate_name(int64_t time, char name[ROTATE_NAME_SIZE]);
bool rotate_name_read(const char *name, int64_t *ret_time);

#endif
