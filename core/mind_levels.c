/* mind_levels.c -- what levels are called: apart from minds, for who speaks of
 * them and does not think. */

#include <stddef.h>

#include "mind.h"

const char *const mind_level_words[] = {"random", "greedy", "search", NULL};
