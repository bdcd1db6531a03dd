/* greement_ui.h -- what the files of Greement's UI share. */

#ifndef TERM_GREEMENT_UI_H
#define TERM_GREEMENT_UI_H

#include "core/games/greement/greement.h"
#include "game_ui.h"

extern const struct game_ui greement_ui;
extern const struct screen greement_screen;

/* What the keys of the table of values are called, in a word or two. */
const char *greement_value(int value);
/* The sentence of an action card, of an event. */
const char *greement_card_text(int card);
const char *greement_event_text(int event);

static inline const struct greement *greement_of(const struct rules_state *s)
{
    return (const struct greement *)s;
}

/* Three columns for SQUARE: whose it is and what. */
void greement_cell(const struct greement *g, int square, bool unicode,
                   char buf[16]);
/* "crop of Ana: earns 4, is worth 4". */
void greement_say_square(const struct table *table, const struct greement *g,
                         int square, char *buf, size_t cap);
/* "1: Ana sells d7 (crop) to Ben for 12; tax 6 by the buyer". */
void greement_say_offer(const struct table *table, const struct greement *g,
                        const struct greement_offer *offer, char *buf,
                        size_t cap);
/* How the event that is being decided stands: votes, contributions, cattle. */
void greement_say_event(const struct table *table, const struct greement *g,
                        char *buf, size_t cap);

/* Cattle of SEAT that nobody has paid for in the disease. */
int greement_untreated(const struct greement *g, int seat);
int greement_still_missing(const struct greement *g);
int greement_cards_left(const struct greement *g);

#endif
