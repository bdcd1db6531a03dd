/* play.h -- playing a table offline: the two ways to show it. */

#ifndef TERM_PLAY_H
#define TERM_PLAY_H

#include "game_ui.h"
#include "offline.h"

/* Line by line on stdin and stdout, or with nobody playing at all. */
int offline_plain(struct offline *o, const struct game_ui *game_ui);

/* Full screen.  COLOUR: if the terminal has any. */
int offline_screen(struct offline *o, const struct game_ui *game_ui,
                   bool colour, bool unicode);

/* Reads a move as it is typed: as text.h has it, but an argument may go
 * without its name where it follows in order, and names of places in small
 * letters.  RULES_OK, or why not, with a sentence about it in WHY. */
int move_read(const struct table *table, const char *text,
              struct rules_move *ret_move, char *why, size_t why_cap);

/* The seat whose move an undo at the keyboard of SEAT means: its own, or if it
 * has none that of the human who moved last.  Answers as rules_undo(). */
enum rules_undo undo_at(struct offline *o, int seat, int *ret_seat);

#endif
