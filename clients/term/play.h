/* play.h -- playing a table offline: the two ways to show it. */

#ifndef TERM_PLAY_H
#define TERM_PLAY_H

#include "display.h"
#include "game_ui.h"
#include "offline.h"
#include "typed.h"

/* Line by line on stdin and stdout, or with nobody playing at all. */
int offline_plain(struct offline *o, const struct game_ui *game_ui);

/* Full screen. */
int offline_screen(struct offline *o, const struct game_ui *game_ui,
                   struct display_look look);

/* The seat whose move an undo at the keyboard of SEAT means: its own, or if it
 * has none that of the human who moved last.  Answers as rules_undo(). */
enum rules_undo undo_at(struct offline *o, int seat, int *ret_seat);

#endif
