/* layout.h -- text for people: words, sentences and paragraphs on a stream or
 * in a string.  All of it is UTF-8, and plain ASCII where the locale cannot
 * show more. */

#ifndef TERM_LAYOUT_H
#define TERM_LAYOUT_H

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>

#include "core/rules.h"
#include "table.h"

/* Whether text may have characters beyond ASCII. */
bool layout_unicode(void);

/* How many bytes of TEXT go into a line of WIDTH columns: as far as a line feed,
 * and words stay whole where they can.  At least one character, if there is
 * one. */
size_t layout_line(const char *text, int width);
/* How many such lines that are. */
int layout_lines(const char *text, int width);

/* TEXT in lines of at most WIDTH columns, each after INDENT. */
void layout_paragraph(FILE *to, const char *indent, const char *text,
                      int width);

/* TEXT, and spaces up to WIDTH columns. */
void layout_padded(FILE *to, const char *text, int width);

/* What a game says (core/says.h), in the language chosen: why a move is refused;
 * what VALUE, a word of KIND, is called within a sentence, which is how it is
 * typed where nobody says more. */
const struct says *layout_says(const struct rules *r);
const char *layout_reason(const struct rules *r, int refusal);
const char *layout_word(const struct rules *r, const char *kind, int value,
                        const char *typed);

/* One event as a sentence, terminated, cut at CAP; in the words of the wire, of
 * a game that has no sentences. */
void layout_sentence(const struct table *table,
                     const struct rules_event *event, char *buf, size_t cap);

/* "ana", "ana and ben", "ana, ben and eva": those of SEATS, a set. */
void layout_names(const struct table *table, unsigned seats, char *buf,
                  size_t cap);

/* Wide enough for whatever is written. */
#define LAYOUT_WIDE INT_MAX

/* The result: places, totals and points by category, as a table; in sentences
 * where that does not fit into MOST columns. */
void layout_result(FILE *to, const struct table *table, int most);
/* The same table of a game that goes on: points if it were scored now. */
void layout_scores(FILE *to, const struct table *table,
                   const struct rules_score *score, int most);

#endif
