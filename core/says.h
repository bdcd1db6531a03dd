/* says.h -- what happens in a game, and what its words mean, as sentences for
 * people, in each language there is.
 *
 * A game lists its catalogues, English first, beside its tables; each list in
 * one is as long as what it is about and in the same order, so nothing has a key
 * of its own that could be missing or stale.  In English why something cannot
 * be done, what may be chosen and what is scored stand in the tables
 * themselves (struct rules_reason ...), and so they are NULL here.
 *
 * All clients tell the same sentences: the server and the terminal have them
 * from here, the page from the server (rules.info).  For a new language a game
 * gets another catalogue. */

#ifndef CORE_SAYS_H
#define CORE_SAYS_H

#include "rules.h"
#include "sbuf.h"

/* A page has what is said from the server. */
#ifdef __wasm__
#define SAYS_LISTS(list) NULL
#else
#define SAYS_LISTS(list) (list)
#endif

/* What the words of a kind of argument are called within a sentence. */
struct says_kind {
    const char *kind;         /* NULL ends a list of them */
    const char *const *texts; /* by rules_kind.words; ends with NULL */
};

/* What is called by what it shows at the table at hand, as a card by what is
 * printed on it, which a list cannot know. */
struct says_thing {
    const char *kind; /* NULL ends a list of them */
    void (*put)(struct sbuf *s, const struct rules_state *state, int value);
};

/* What WORD, which names something that a table is made with, is called: an
 * option or a word of one, an asset, what may be asked of one that is made. */
struct says_name {
    const char *word; /* NULL ends a list of them */
    const char *text;
};

struct says {
    const char *lang; /* "en"; NULL ends the list of a game */
    /* By rules->events, ending with NULL: what happened.  `{name}` is whom it is
     * about, `{card}` its argument of that name.  Of sentences parted by `|` the
     * first is told of which everything is there and may be known, and, where
     * it says `{amount+}`, is more than 0. */
    const char *const *events;
    const struct says_kind *kinds;   /* before the game's own glossary */
    const struct says_thing *things; /* before those; or NULL */
    const char *const *reasons;      /* by rules->reasons ... */
    const char *const *options;
    const char *const *parts;
    const char *const *heads; /* of parts, the same in a word: over columns */
    const char *const *verbs;
    const char *const *figures;    /* by preview_figures() */
    const struct says_name *names; /* NULL: as the words are */
};

/* The catalogue of R in LANG; or else the first, NULL where there is none. */
const struct says *says_find(const struct rules *r, const char *lang);

/* Why a move is refused, what may be chosen, what is scored and, in a word, what
 * stands over it, what a move does: in the language of SAYS, which may be NULL.
 * REFUSAL is any there is. */
const char *says_reason(const struct rules *r, const struct says *says,
                        int refusal);
const char *says_option(const struct rules *r, const struct says *says,
                        int option);
const char *says_part(const struct rules *r, const struct says *says,
                      int part);
const char *says_head(const struct rules *r, const struct says *says,
                      int part);
const char *says_verb(const struct rules *r, const struct says *says,
                      int verb);
/* What a figure is called within a sentence. */
const char *says_figure(const struct rules *r, const struct says *says,
                        int figure);
/* What VALUE, a word of KIND ("card"), is called within a sentence; NULL where
 * SAYS and the glossary do not tell. */
const char *says_word(const struct rules *r, const struct says *says,
                      const char *kind, int value);
/* What WORD is called by SAYS; NULL if it has no name for it. */
const char *says_name(const struct says *says, const char *word);

/* Writes what EVENT, of a state like S, is told with by SAYS, as snprintf();
 * NAMES are those of the seats.  0 if there is no sentence for what of it may be
 * known. */
size_t says_event(const struct rules *r, const struct says *says,
                  const struct rules_state *s, const struct rules_event *event,
                  const char *const *names, char *buf, size_t cap);
/* The same of MOVE of SEAT, which is told with TEXT: its arguments are filled
 * in as those of events are. */
size_t says_move(const struct rules *r, const struct says *says,
                 const struct rules_state *s, const char *text, int seat,
                 const struct rules_move *move, const char *const *names,
                 char *buf, size_t cap);

#endif
