/* log.h -- lines for the operator, on stderr: `<6>key=value ...`, with the
 * priority that journald understands. */

#ifndef SERVER_IO_LOG_H
#define SERVER_IO_LOG_H

#include <stdarg.h>

#include "server/hub/host.h"

/* Nothing above LEVEL is written. */
void log_level(enum host_level level);
/* The level of a word of the configuration. */
enum host_level log_level_named(const char *word);
void log_line(enum host_level level, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void log_vline(enum host_level level, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));

#endif
