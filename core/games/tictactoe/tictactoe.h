/* tictactoe.h -- what a table of tic-tac-toe consists of. */

#ifndef CORE_TICTACTOE_TICTACTOE_H
#define CORE_TICTACTOE_TICTACTOE_H

#include "../../rules.h"

enum { PLACE };         /* verbs */
enum { PLACED, LINED }; /* events */
enum { EMPTY = FIELDS_NULL_U8 };
enum { SIDE = 3, CELLS = SIDE * SIDE, LINES = 8 };

struct tictactoe {
    struct rules_state base;
    uint8_t cell[CELLS]; /* the seat whose mark it bears, or EMPTY */
};

extern const struct rules tictactoe_rules;

/* The cells of each line; whether SEAT's marks fill one of CELL. */
extern const uint8_t tictactoe_lines[LINES][SIDE];
bool tictactoe_has_line(const uint8_t *cell, int seat);

#endif
