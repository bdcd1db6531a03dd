/* typed.h -- moves as people type them: as core/text.h has them, but shorter, and
 * with a word of help about what is wrong or could follow. */

#ifndef TERM_TYPED_H
#define TERM_TYPED_H

#include "table.h"

/* Reads a move as it is typed: as text.h has it, but an argument may go
 * without its name where it follows in order, and names of places in small
 * letters.  RULES_OK, or why not, with a sentence about it in WHY that names the
 * word that is wrong. */
int move_read(const struct table *table, const char *text,
              struct rules_move *ret_move, char *why, size_t why_cap);

#define TYPED_WORD_SIZE 64

/* What the last word of TEXT could be that stands in CHOICES, legal moves: each
 * once, into OUT, at most CAP; how many those are.  The words before it may be
 * as move_read() takes them. */
size_t move_complete(const struct table *table,
                     const struct rules_choice *choices, size_t count,
                     const char *text, char (*out)[TYPED_WORD_SIZE],
                     size_t cap);

#endif
