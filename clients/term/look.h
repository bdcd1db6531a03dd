/* look.h -- how a command that draws may look: on the full screen or in lines,
 * in colour or without, in which characters.
 *
 *     LOOK_OPTIONS(...)         among the command's options
 *     look_parse()              for the keys its parser does not know
 *     look_wish()               what the settings want besides */

#ifndef TERM_LOOK_H
#define TERM_LOOK_H

#include <argp.h>
#include <stdbool.h>

#include "settings.h"

struct look {
    bool plain, no_colour, ascii;
};

enum { LOOK_PLAIN = 768, LOOK_NO_COLOUR, LOOK_ASCII };

/* PLAIN_TEXT is what --plain does. */
#define LOOK_OPTIONS(plain_text) \
    {"plain", LOOK_PLAIN, NULL, 0, plain_text, 0}, \
        {"no-colour", \
         LOOK_NO_COLOUR, \
         NULL, \
         0, \
         "no colours (also: NO_COLOR in the environment)", \
         0}, \
        {"no-color", LOOK_NO_COLOUR, NULL, OPTION_ALIAS, NULL, 0}, \
    { \
        "ascii", LOOK_ASCII, NULL, 0, "ASCII characters only", 0 \
    }

/* 0, or ARGP_ERR_UNKNOWN if KEY is none of these. */
error_t look_parse(struct look *l, int key);
void look_wish(struct look *l, const struct settings *s);

/* What is wanted, and this terminal can do. */
bool look_full_screen(const struct look *l);
bool look_colour(const struct look *l);
bool look_unicode(const struct look *l);

#endif
