/* hacienda_ui.h -- what the files of Hacienda's UI share. */

#ifndef TERM_HACIENDA_UI_H
#define TERM_HACIENDA_UI_H

#include "core/games/hacienda/hacienda.h"
#include "game_ui.h"

extern const struct game_ui hacienda_ui;
extern const struct screen hacienda_screen;

/* What VALUE of KIND ("card") is called, one of the WORDS of the wire. */
const char *hacienda_word(const char *kind, int value,
                          const char *const *words);
/* What markets pay and what is worth points at the table of H. */
void hacienda_print_points(FILE *to, const struct hacienda *h);

#endif
