/* logline.h -- what a line for the operator is made of: fields, the first of
 * which says what happened.
 *
 *     log_line(LOG_NOTICE, log_event("backup"), log_text("path", path),
 *              log_number("bytes", size));
 *
 * Who writes it (server/io/log.c) quotes and escapes each value, so that no
 * name, however chosen, makes another field or another line. */

#ifndef SERVER_HUB_LOGLINE_H
#define SERVER_HUB_LOGLINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum host_level { LOG_ERROR, LOG_WARNING, LOG_NOTICE, LOG_INFO, LOG_DEBUG };

#define LOG_FIELDS_MAX 16

/* KEY is a word of ours: lower-case letters and _.  The key "address" is that
 * of a person's network address, which the operator may not want to keep. */
struct log_field {
    const char *key;
    const char *text; /* or NULL: the number */
    int64_t number;
};

/* A TEXT of NULL is "". */
static inline struct log_field log_text(const char *key, const char *text)
{
    return (struct log_field){key, text != NULL ? text : "", 0};
}

static inline struct log_field log_number(const char *key, int64_t number)
{
    return (struct log_field){key, NULL, number};
}

static inline struct log_field log_event(const char *name)
{
    return log_text("event", name);
}

/* Several fields as the two arguments that functions take. */
#define LOG_FIELDS(...) \
    ((const struct log_field[]){__VA_ARGS__}), \
        sizeof((const struct log_field[]){__VA_ARGS__}) / \
            sizeof(struct log_field)

#endif
