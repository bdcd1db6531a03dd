/* regular.h -- files that somebody names, and that may be something else. */

#ifndef SERVER_IO_REGULAR_H
#define SERVER_IO_REGULAR_H

#include <stdio.h>

/* Opens the regular file PATH for reading; NULL with one line in WHY if it cannot
 * be, or is a directory, a FIFO or a device.  Waits for nobody, as a FIFO would
 * have it. */
FILE *regular_open(const char *path, char *why, size_t size);

/* Whether PATH is one; else WHY.  0 or a negative errno. */
int regular_check(const char *path, char *why, size_t size);

#endif
