/* setup_json.h -- a way to set up a game (play.h) as table.create takes it. */

#ifndef TESTS_SUPPORT_SETUP_JSON_H
#define TESTS_SUPPORT_SETUP_JSON_H

#include <jansson.h>

#include "play.h"

/* The parameters game, seats, options and board; the caller owns them.  An
 * option that was not chosen is not told, as others may imply it. */
json_t *setup_json(const struct play_setup *setup);

#endif
