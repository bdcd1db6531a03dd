/* edit_distance.h -- how far a word is from another: for who mistyped one. */

#ifndef PROTOCOL_EDIT_DISTANCE_H
#define PROTOCOL_EDIT_DISTANCE_H

#include <stddef.h>

#define EDIT_WORD_MAX 40 /* longer ones are no slips of the finger */

/* How many letters must be put in, taken out, changed or swapped with their
 * neighbour to make B of A; EDIT_WORD_MAX if either is longer than that. */
size_t edit_distance(const char *a, const char *b);

#endif
