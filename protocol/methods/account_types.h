/* account_types.h -- people, and the tokens by which they are known. */

#ifndef PROTOCOL_METHODS_ACCOUNT_TYPES_H
#define PROTOCOL_METHODS_ACCOUNT_TYPES_H

#include "../methods.h"
#include "types.h"

/* clang-format off: tables are laid out by hand. */

static const struct shape_member user_members[] = {
    {"id", &id, false, NULL},
    {"name", &name, false, NULL},
    {"guest", &boolean, false, "For 24 hours after the last request."},
    END,
};
static const struct shape user = {
    .name = "user",
    .kind = SHAPE_OBJECT,
    .members = user_members,
};
static const struct shape scope = {
    .kind = SHAPE_STRING,
    .words = method_scopes,
};
static const struct shape scopes = {
    .kind = SHAPE_LIST,
    .min = 1,
    .max = SCOPES,
    .item = &scope,
};
static const struct shape_member token_members[] = {
    {"id", &id, false, NULL},
    {"label", &line, false, NULL},
    {"scopes", &scopes, false, NULL},
    {"created", &at, false, NULL},
    {"expires",
     &(const struct shape){.kind = SHAPE_INT, .max = NUMBER_MAX, .null = true},
     false, NULL},
    END,
};
static const struct shape token_info = OBJECT(token_members);
static const struct shape token_infos = {
    .kind = SHAPE_LIST,
    .max = 200,
    .item = &token_info,
};

/* clang-format on */

#endif
