/* server_types.h -- what concerns the server as a whole. */

#ifndef PROTOCOL_METHODS_SERVER_TYPES_H
#define PROTOCOL_METHODS_SERVER_TYPES_H

#include "types.h"

/* clang-format off: tables are laid out by hand. */

static const struct shape outage = {
    .name = "outage",
    .kind = SHAPE_LIST,
    .min = 2,
    .max = 2,
    .item = &at,
    .text = "When nobody could play, and no clock ran: from when on, and the"
            " first moment after it.",
};
static const struct shape outages = {
    .kind = SHAPE_LIST,
    .max = 500,
    .item = &outage,
};

/* clang-format on */

#endif
