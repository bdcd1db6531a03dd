#include "display.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "layout.h"

error_t display_parse(struct display_options *d, int key)
{
    switch (key) {
    case DISPLAY_PLAIN: d->plain = true; return 0;
    case DISPLAY_NO_COLOUR: d->no_colour = true; return 0;
    case DISPLAY_ASCII: d->ascii = true; return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

void display_defaults(struct display_options *d, const struct settings *s)
{
    d->no_colour = d->no_colour || s->no_colour;
    d->ascii = d->ascii || s->ascii;
    d->no_mouse = s->no_mouse;
}

bool display_full_screen(const struct display_options *d)
{
    const char *term = getenv("TERM");

    return !d->plain && isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) &&
           term != NULL && *term != '\0' && strcmp(term, "dumb") != 0;
}

struct display_look display_look(const struct display_options *d)
{
    const char *no_colour = getenv("NO_COLOR");

    return (struct display_look){
        .colour = !d->no_colour && (no_colour == NULL || *no_colour == '\0'),
        .unicode = !d->ascii && layout_unicode(),
        .mouse = !d->no_mouse,
    };
}
