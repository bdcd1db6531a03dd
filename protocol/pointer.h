/* pointer.h -- JSON pointers (RFC 6901) to what is wrong in a message, made
 * step by step.
 *
 * PATH has CAP bytes and is terminated.  A pointer has whole steps only, and
 * its names are a stranger's: a step that does not fit, or that cannot be shown
 * (utf8.h), is not added, and false is returned.  Then nothing below it may be
 * added either; the pointer names what holds it. */

#ifndef PROTOCOL_POINTER_H
#define PROTOCOL_POINTER_H

#include <stdbool.h>
#include <stddef.h>

bool pointer_name(char *path, size_t cap, const char *name);
bool pointer_index(char *path, size_t cap, size_t index);
/* Puts the whole pointer PREFIX before PATH; keeps the steps that fit. */
void pointer_within(char *path, size_t cap, const char *prefix);

#endif
