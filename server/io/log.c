#include "log.h"

#include <stdio.h>
#include <string.h>

static enum host_level most = LOG_INFO;

void log_level(enum host_level level)
{
    most = level;
}

enum host_level log_level_named(const char *word)
{
    static const char *const words[] = {
        "error", "warning", "notice", "info", "debug",
    };
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (strcmp(words[i], word) == 0)
            return (enum host_level)i;
    return LOG_INFO;
}

void log_vline(enum host_level level, const char *format, va_list args)
{
    static const int priority[] = {3, 4, 5, 6, 7};
    char text[1024];

    if (level > most)
        return;
    vsnprintf(text, sizeof(text), format, args);
    /* What strangers said may be in it; a line stays a line. */
    for (char *c = text; *c != '\0'; c++)
        if ((unsigned char)*c < 0x20 || *c == 0x7f)
            *c = ' ';
    fprintf(stderr, "<%d>%s\n", priority[level], text);
}

void log_line(enum host_level level, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    log_vline(level, format, args);
    va_end(args);
}
