/* hacienda_hexes.h -- a board of Hacienda in characters.
 *
 * A hex is three columns of text and one between it and the next; rows are
 * half a hex out of step.  All that lies on a hex can be told without colour:
 *
 *      .     pampas        0L    land tile of player 0
 *     ^^^    mountain      1p    pig of player 1
 *     $$$    market        0L*   with a harvest chip on it
 *     ~~~    water         0LH   with a hacienda; & with both
 */

#ifndef TERM_HACIENDA_HEXES_H
#define TERM_HACIENDA_HEXES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "core/games/hacienda/hacienda.h"

struct hex_cell {
    uint8_t ground; /* enum ground */
    uint8_t tile;   /* enum hacienda_tile */
    uint8_t owner;  /* of a land or animal tile */
    uint8_t hacienda, chip;
};

#define HEX_TEXT_SIZE 16

/* What is on a hex of H. */
struct hex_cell hex_cell(const struct hacienda *h, int hex);
/* Three columns of text, terminated. */
void hex_text(const struct hex_cell *cell, bool unicode,
              char buf[HEX_TEXT_SIZE]);
/* What lies there, as people call it: "forest". */
const char *hex_ground(int ground);
/* The same in words: "forest, land of Ana with a harvest chip". */
void hex_words(const struct hex_cell *cell, const char *owner, char *buf,
               size_t cap);

/* The whole board in lines, with its legend. */
void hexes_print(FILE *to, uint16_t cols, uint16_t rows,
                 struct hex_cell (*at)(const void *board, int hex),
                 const void *board, bool tiles);
/* The same of a table. */
void hexes_print_table(FILE *to, const struct hacienda *h);

#endif
