/* keys.h -- what keys do: tables, from which comes what a key acts, what the
 * help tells and what the last line says in a situation.
 *
 * A screen, whoever makes things happen at the table (struct controller) and the
 * frame each have a table.  A key is looked for in this order; of rows that
 * have it the first counts that is possible now, or else the first, whose act
 * says why not.  The same key means the same in all games (README.md). */

#ifndef TERM_KEYS_H
#define TERM_KEYS_H

#include <stdbool.h>
#include <stdio.h>

struct ui;

/* Stands for the key itself, as the argument of an act. */
#define KEY_ITSELF (-10000)

struct ui_key {
    /* As people call it; NULL: SAYS is a heading, or a paragraph if it ends with
     * a full stop.  What stands behind the first comma is left out in the last
     * line. */
    const char *shown;
    const char *letters; /* the keys that are characters, or NULL */
    int other;           /* another, as curses has it; 0: none */
    void (*act)(struct ui *ui, int argument);
    int argument;
    bool (*possible)(const struct ui *ui); /* NULL: always */
    const char *says;                      /* what it does, for the help */
    const char *brief; /* the same in a word, for the last line; NULL: it is
                        * not there */
};

/* Ends a table. */
#define KEYS_END \
    { \
        .says = NULL \
    }

/* Acts on KEY by TABLE, which may be NULL; whether it has it. */
bool keys_act(struct ui *ui, const struct ui_key *table, int key);
/* Adds to LINE what of TABLE is possible now, in its order. */
void keys_brief(const struct ui *ui, const struct ui_key *table, char *line,
                size_t cap);
/* Writes TABLE for people, in lines of WIDTH columns. */
void keys_help(FILE *to, const struct ui_key *table, int width);

#endif
