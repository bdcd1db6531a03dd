/* id.h -- names of tables, users and tokens.
 *
 * Ids are random 63-bit numbers, unique over all servers there may ever be; on
 * the wire 13 characters a-z 2-7, five bits each, the highest first. */

#ifndef SERVER_HUB_ID_H
#define SERVER_HUB_ID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ID_SIZE 14 /* with the NUL */

typedef uint64_t id_num; /* 0 is nobody and nothing */

void id_write(id_num id, char text[ID_SIZE]);
/* False for anything id_write() does not write, and for 0. */
bool id_read(const char *text, id_num *ret_id);

#endif
