/* log.h -- lines for the operator, on stderr.
 *
 * As text each is `<6>event=login address=192.0.2.1 user="A B"`: the priority
 * that journald understands, then fields.  A value that is more than letters,
 * digits and a few signs is quoted, as a string of JSON is.  As JSON each is one
 * object, with the time and the level among its members.
 *
 * Control characters, those that turn the direction of writing, and bytes that
 * are no UTF-8 never get out as they are. */

#ifndef SERVER_IO_LOG_H
#define SERVER_IO_LOG_H

#include "server/hub/logline.h"

#define LOG_LINE_MAX 8192 /* bytes of a line; what does not fit is left out */

enum log_form { LOG_AS_TEXT, LOG_AS_JSON };

struct log_options {
    enum host_level level; /* nothing above it is written */
    enum log_form form;
    bool addresses; /* people's network addresses, too */
};

void log_configure(const struct log_options *options);
/* The level of a word of the configuration. */
enum host_level log_level_named(const char *word);

void log_write(enum host_level level, const struct log_field *fields,
               size_t count);
#define log_line(level, ...) log_write(level, LOG_FIELDS(__VA_ARGS__))

/* The line, without its end, as it would be written at the time NOW_MS, into
 * LOG_LINE_MAX bytes at TO. */
void log_compose(const struct log_options *options, enum host_level level,
                 int64_t now_ms, const struct log_field *fields, size_t count,
                 char *to);

#endif
