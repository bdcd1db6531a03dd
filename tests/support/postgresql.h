/* postgresql.h -- a PostgreSQL server for the tests of one program.
 *
 * It lies in a directory of its own, speaks on a socket in there alone, runs as
 * somebody who is not root, and is gone with the program. */

#ifndef TESTS_SUPPORT_POSTGRESQL_H
#define TESTS_SUPPORT_POSTGRESQL_H

#include <stdbool.h>
#include <stddef.h>

/* Whether this machine has a server to run; the reason why not in WHY. */
bool postgresql_is_there(char why[128]);
/* Starts it, before the first test; its address is in the environment of all. */
void postgresql_start(void);
void postgresql_stop(void);
/* Makes an empty database for one test; its URL. */
void postgresql_database(char url[256]);
/* The first number that a statement finds in that database; -1: none. */
long long postgresql_number(const char *url, const char *text);
/* Ends it as a power cut would, or starts it again on what is there. */
void postgresql_crash(void);
void postgresql_again(void);

#endif
