/* says.h -- the sentences of tic-tac-toe. */

#ifndef CORE_TICTACTOE_SAYS_H
#define CORE_TICTACTOE_SAYS_H

#include "../../says.h"

extern const struct says tictactoe_says[]; /* ends with a NULL lang */

#endif
