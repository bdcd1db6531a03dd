/* hacienda_ui.h -- what the files of Hacienda's UI share. */

#ifndef TERM_HACIENDA_UI_H
#define TERM_HACIENDA_UI_H

#include "game_ui.h"

extern const struct game_ui hacienda_ui;
extern const struct screen hacienda_screen;

#endif
