/* notify.h -- notices on the desktop, made by the terminal: where the config
 * asks for them, as terminals differ in how they want to be asked. */

#ifndef TERM_NOTIFY_H
#define TERM_NOTIFY_H

#include <stdbool.h>
#include <stddef.h>

enum notify_way {
    NOTIFY_OFF,
    NOTIFY_OSC9,  /* iTerm2, kitty, WezTerm, Windows Terminal, Ghostty */
    NOTIFY_OSC777 /* foot, rxvt-unicode, VTE, WezTerm, Ghostty */
};

/* Reads `off`, `osc9` or `osc777`; whether it was one of them. */
bool notify_way_read(const char *word, enum notify_way *ret_way);

/* What has such a terminal show TEXT, into BUF, terminated; the length, 0 for
 * NOTIFY_OFF.  Of TEXT, whoever wrote it, nothing gets there that could be a
 * command: only printable characters, no `;`, and no more than fits.  TMUX:
 * wrapped so that tmux hands it on. */
#define NOTIFY_SIZE 512
size_t notify_write(enum notify_way way, bool tmux, const char *text,
                    char buf[NOTIFY_SIZE]);

/* Says it to the terminal on stdout. */
void notify(enum notify_way way, const char *text);

#endif
