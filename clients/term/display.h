/* display.h -- how a command that draws shows things: on the full screen or in
 * lines, in colour or without, in which characters.
 *
 *     DISPLAY_OPTIONS(...)   among the command's options
 *     display_parse()        for the keys its parser does not know
 *     display_defaults()     what the settings want besides */

#ifndef TERM_DISPLAY_H
#define TERM_DISPLAY_H

#include <argp.h>
#include <stdbool.h>

#include "settings.h"

struct display_options {
    bool plain, no_colour, ascii, no_mouse;
};

enum { DISPLAY_PLAIN = 768, DISPLAY_NO_COLOUR, DISPLAY_ASCII };

/* PLAIN_TEXT is what --plain does. */
#define DISPLAY_OPTIONS(plain_text) \
    {"plain", DISPLAY_PLAIN, NULL, 0, plain_text, 0}, \
        {"no-colour", \
         DISPLAY_NO_COLOUR, \
         NULL, \
         0, \
         N_("no colours (also: NO_COLOR in the environment)"), \
         0}, \
        {"no-color", DISPLAY_NO_COLOUR, NULL, OPTION_ALIAS, NULL, 0}, \
    { \
        "ascii", DISPLAY_ASCII, NULL, 0, N_("ASCII characters only"), 0 \
    }

/* 0, or ARGP_ERR_UNKNOWN if KEY is none of these. */
error_t display_parse(struct display_options *d, int key);
void display_defaults(struct display_options *d, const struct settings *s);

/* What is wanted, and this terminal can do. */
bool display_full_screen(const struct display_options *d);
struct display_look {
    bool colour, unicode, mouse;
};
struct display_look display_look(const struct display_options *d);

#endif
