#include "look.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "layout.h"

error_t look_parse(struct look *l, int key)
{
    switch (key) {
    case LOOK_PLAIN: l->plain = true; return 0;
    case LOOK_NO_COLOUR: l->no_colour = true; return 0;
    case LOOK_ASCII: l->ascii = true; return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

void look_wish(struct look *l, const struct settings *s)
{
    l->no_colour = l->no_colour || s->no_colour;
    l->ascii = l->ascii || s->ascii;
}

bool look_full_screen(const struct look *l)
{
    const char *term = getenv("TERM");

    return !l->plain && isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) &&
           term != NULL && *term != '\0' && strcmp(term, "dumb") != 0;
}

bool look_colour(const struct look *l)
{
    const char *no_colour = getenv("NO_COLOR");
    return !l->no_colour && (no_colour == NULL || *no_colour == '\0');
}

bool look_unicode(const struct look *l)
{
    return !l->ascii && layout_unicode();
}
