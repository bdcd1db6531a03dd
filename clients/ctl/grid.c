/* grid.c -- tables of text, times and durations, as people like them. */

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "clients/common/output.h"
#include "core/base.h"
#include "core/utf8.h"
#include "ctl.h"

/* ---- members ---------------------------------------------------------- */

const char *member_text(const json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name));
    return text != NULL ? text : "";
}

int64_t member_int(const json_t *object, const char *name)
{
    return json_integer_value(json_object_get(object, name));
}

/* ---- times ------------------------------------------------------------ */

int64_t now_ms(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

const char *time_text(const json_t *at, char text[TIME_SIZE])
{
    time_t seconds = (time_t)(json_integer_value(at) / 1000);
    struct tm local;

    if (!json_is_integer(at) || localtime_r(&seconds, &local) == NULL ||
        strftime(text, TIME_SIZE, "%Y-%m-%d %H:%M:%S %z", &local) == 0)
        (void)snprintf(text, TIME_SIZE, "never");
    return text;
}

const char *span_text(int64_t ms, char text[TIME_SIZE])
{
    static const struct {
        int64_t ms, most;
        const char *unit;
    } units[] = {
        {1000, 120, "s"},
        {60 * 1000, 120, "min"},
        {3600 * 1000, 48, "h"},
        {24 * 3600 * INT64_C(1000), INT64_MAX, "days"},
    };
    size_t i = 0;

    if (ms < 0)
        ms = -ms;
    while (ms / units[i].ms >= units[i].most)
        i++;
    (void)snprintf(text, TIME_SIZE, "%lld %s", (long long)(ms / units[i].ms),
                   units[i].unit);
    return text;
}

/* ---- grids ------------------------------------------------------------ */

void grid_add(struct grid *g, const char *format, ...)
{
    va_list args;
    char *text = NULL;

    if (g->cells == g->cap) {
        g->cap = g->cap > 0 ? 2 * g->cap : 64;
        g->cell = reallocarray(g->cell, g->cap, sizeof(*g->cell));
        ASSERT(g->cell != NULL);
    }
    va_start(args, format);
    int n = vasprintf(&text, format, args);
    va_end(args);
    ASSERT(n >= 0);
    /* What people wrote may be in it; a row stays a row. */
    for (char *at = text; *at != '\0'; at++)
        if ((unsigned char)*at < 0x20 || *at == 0x7f)
            *at = ' ';
    g->cell[g->cells++] = text;
}

void grid_init(struct grid *g, const char *headings)
{
    *g = (struct grid){0};
    for (const char *at = headings; *at != '\0';) {
        size_t n = strcspn(at, " ");
        ASSERT(g->columns < GRID_COLUMNS);
        g->right[g->columns] = *at == '>';
        grid_add(g, "%.*s", (int)(n - (*at == '>')), at + (*at == '>'));
        g->columns++;
        at += n;
        at += strspn(at, " ");
    }
}

/* Columns of the terminal; 0: the output is none. */
static size_t screen_width(void)
{
    struct winsize size;

    if (!isatty(STDOUT_FILENO) || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0)
        return 0;
    return size.ws_col;
}

/* At most WIDTH columns of TEXT, and one more if it goes on. */
static void print_cut(const char *text, int width)
{
    size_t n = strlen(text);

    if (output_width(text) <= width) {
        (void)fputs(text, stdout);
        return;
    }
    char *cut = strdup(text);
    ASSERT(cut != NULL);
    while (n > 0 && output_width(cut) > width) {
        n = utf8_cut(cut, n - 1);
        cut[n] = '\0';
    }
    (void)printf("%s…", cut);
    free(cut);
}

static void print_row(const struct grid *g, size_t row, const size_t *widths,
                      size_t screen)
{
    char *const *cell = &g->cell[row * g->columns];
    size_t used = 0, gap = 0, last = g->columns;

    while (last > 1 && cell[last - 1][0] == '\0')
        last--; /* no blanks at the end */
    for (size_t i = 0; i < last; i++) {
        size_t width = (size_t)output_width(cell[i]);
        if (g->right[i])
            gap += widths[i] - width;
        (void)printf("%*s", (int)gap, "");
        print_cut(cell[i], (int)(i + 1 == g->columns && screen > used + 9
                                     ? screen - used - 1
                                     : width));
        gap = 2 + (g->right[i] ? 0 : widths[i] - width);
        used += widths[i] + 2;
    }
    (void)putchar('\n');
}

void grid_print(struct grid *g, const char *none)
{
    size_t widths[GRID_COLUMNS] = {0}, screen = screen_width();
    size_t rows = g->cells / g->columns;

    ASSERT(g->cells % g->columns == 0);
    for (size_t i = 0; i < g->cells; i++) {
        size_t width = (size_t)output_width(g->cell[i]);
        if (width > widths[i % g->columns])
            widths[i % g->columns] = width;
    }
    for (size_t row = 0; row < rows && rows > 1; row++)
        print_row(g, row, widths, screen);
    if (rows <= 1)
        (void)puts(none);
    for (size_t i = 0; i < g->cells; i++)
        free(g->cell[i]);
    free(g->cell);
}
