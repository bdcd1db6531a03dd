/* log_writer.h -- lines of the log on their way to stderr, without waiting.
 *
 * A pipe that nobody reads, or a terminal that was stopped by Ctrl-S, holds whoever
 * writes to it.  So a thread writes, and who logs only puts lines into a queue.
 * What finds no room there is dropped and counted; the log says how many lines are
 * missing where they would be (`log_gap`).  Files do not hold anybody: to them lines
 * are written at once.
 *
 * Any thread may call these. */

#ifndef SERVER_IO_LOG_WRITER_H
#define SERVER_IO_LOG_WRITER_H

#include <stddef.h>
#include <stdint.h>

/* Lines are written at once before this, and from log_writer_end() on, which waits
 * for those on their way, but not for long.  A second call does nothing. */
void log_writer_begin(void);
void log_writer_end(void);

/* Writes LEN bytes of LINE, which end with a newline. */
void log_writer_put(const char *line, size_t len);

/* Lines that were dropped since the start. */
uint64_t log_writer_dropped(void);

/* The line that says that COUNT are missing, with its newline, into LOG_LINE_MAX + 1
 * bytes at TO; its length.  Of log.c. */
size_t log_gap_line(uint64_t count, char *to);

#endif
