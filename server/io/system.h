/* system.h -- what the system manager (systemd, or whoever speaks its way)
 * says to us and hears from us.  Without one all of it does nothing. */

#ifndef SERVER_IO_SYSTEM_H
#define SERVER_IO_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>

/* Tells it TEXT, as sd_notify(3) has it: "READY=1". */
void system_notify(const char *text);

/* It wants to hear "WATCHDOG=1" now and then. */
bool system_watches(void);

enum { SYSTEM_HTTP, SYSTEM_LINES, SYSTEM_LINES_UNIX, SYSTEM_SOCKETS };

/* Takes the sockets it hands over (sd_listen_fds(3)): those named http, lines
 * and lines-unix are what their names say, of others the first is http's and
 * the second that of lines.  FDS gets a descriptor, or -1, for each, and the
 * environment no longer speaks of them.  -1, with one line in WHY, if there
 * are more of them or one is not a listening socket of the right kind. */
int system_sockets(int fds[static SYSTEM_SOCKETS], char *why, size_t size);

#endif
