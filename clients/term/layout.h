/* layout.h -- text for people: words, sentences and paragraphs on a stream or
 * in a string.  All of it is UTF-8, and plain ASCII where the locale cannot
 * show more. */

#ifndef TERM_LAYOUT_H
#define TERM_LAYOUT_H

#include <stdbool.h>
#include <stdio.h>

#include "core/rules.h"
#include "table.h"

/* How a game speaks of what happens: for an event, templates for one sentence,
 * separated by `|`; the first counts whose {arguments} are all there and not
 * hidden, and above 0 where one is {argument+}.  The sentence follows the name
 * of the seat, unless it begins with `=`, which stands for a whole sentence of
 * its own. */
struct phrase_of {
    const char *event;
    const char *templates;
};

/* Whether text may have characters beyond ASCII. */
bool layout_unicode(void);

/* TEXT in lines of at most WIDTH columns, each after INDENT. */
void layout_paragraph(FILE *to, const char *indent, const char *text,
                      int width);

/* One event as a sentence, terminated, cut at CAP.  PHRASES ends with a NULL
 * event; where there is none for it, the words of the wire do. */
void layout_event(const struct table *table, const struct phrase_of *phrases,
                  const struct rules_event *event, char *buf, size_t cap);

/* The same, beginning with a capital unless it begins with a name. */
void layout_sentence(const struct table *table,
                     const struct phrase_of *phrases,
                     const struct rules_event *event, char *buf, size_t cap);

/* The result: places, totals and points by category. */
void layout_result(FILE *to, const struct table *table);
/* The same table of a game that goes on: points if it were scored now. */
void layout_scores(FILE *to, const struct table *table,
                   const struct rules_score *score);

#endif
