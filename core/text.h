/* text.h -- moves and events in words, and moves back from words.
 *
 * One line each, the same for every game: the verb, then name=value for each
 * argument that is there, in the order of the verb's arguments:
 *
 *     play_land card=forest hex=C7
 *     contribute amount=5
 *     vote avoid=true
 *
 * A hidden argument is written as `?`.  The JSON of the wire consists of the
 * same names and values; text_value() and text_value_read() are what both are
 * made of.  Nothing here is terminated unless said so. */

#ifndef CORE_TEXT_H
#define CORE_TEXT_H

#include "rules.h"

/* Write a move, or an event without its seat, into BUF, terminated and cut at
 * CAP; return the length it takes, without the NUL.  S is any state of the
 * table. */
size_t text_move(const struct rules *r, const struct rules_state *s,
                 const struct rules_move *move, char *buf, size_t cap);
size_t text_event(const struct rules *r, const struct rules_state *s,
                  const struct rules_event *event, char *buf, size_t cap);

/* Reads a move.  Arguments may come in any order; the verb alone is enough
 * where all are optional.  RULES_OK; RULES_UNKNOWN_VERB; or RULES_BAD_ARGUMENT
 * for one that does not exist, comes twice or has a value that its kind does
 * not know.  *AT tells where in TEXT the trouble begins. */
int text_move_read(const struct rules *r, const struct rules_state *s,
                   const char *text, size_t len, struct rules_move *ret_move,
                   size_t *at);

/* The words of one value of KIND: returns its length, or 0 for a number that
 * KIND tells as a number (RULES_NUMBER, RULES_SEAT) or flag. */
size_t text_word(const struct rules_kind *kind, const struct rules_state *s,
                 int16_t value, char *buf, size_t cap);
/* The value of a word of KIND; whether there is such a word. */
bool text_word_read(const struct rules_kind *kind, const struct rules_state *s,
                    const char *text, size_t len, int16_t *ret_value);

/* The index of a verb or event by name, in a list that ends with a NULL name;
 * -1 if there is none.  NAME has LEN bytes. */
int text_find(const struct rules_word *words, const char *name, size_t len);

#endif
