/* types.h -- types of values that are not made of others, and how others
 * are written down. */

#ifndef PROTOCOL_METHODS_TYPES_H
#define PROTOCOL_METHODS_TYPES_H

#include <stddef.h>

#include "core/rules.h"
#include "../shape.h"

/* clang-format off: tables are laid out by hand. */

#define NUMBER_MAX ((INT64_C(1) << 53) - 1)
#define END \
    { \
        NULL, NULL, false, NULL \
    }

#define OBJECT(list) \
    { \
        .kind = SHAPE_OBJECT, .members = (list) \
    }

static const struct shape any = {.kind = SHAPE_ANY};
static const struct shape boolean = {.kind = SHAPE_BOOL};
static const struct shape is_true = {.kind = SHAPE_BOOL};
static const struct shape number = {
    .kind = SHAPE_INT,
    .min = -NUMBER_MAX,
    .max = NUMBER_MAX,
};
static const struct shape count = {.kind = SHAPE_INT, .max = NUMBER_MAX};
static const struct shape ply = {
    .name = "ply",
    .kind = SHAPE_INT,
    .max = NUMBER_MAX,
    .text = "A number in a table's log, from 0; it never goes back.",
};
static const struct shape ply_or_null = {
    .kind = SHAPE_INT,
    .max = NUMBER_MAX,
    .null = true,
};
static const struct shape at = {
    .name = "time",
    .kind = SHAPE_INT,
    .max = NUMBER_MAX,
    .text = "UTC, in milliseconds.",
};
static const struct shape id = {
    .name = "id",
    .kind = SHAPE_STRING,
    .min = 1,
    .max = 32,
    .charset = CHARSET_ID,
    .text = "Names a table or a user.",
};
static const struct shape name = {
    .name = "name",
    .kind = SHAPE_STRING,
    .min = 2,
    .max = 24,
    .charset = CHARSET_ID,
    .text = "A user's name; case does not matter.",
};
static const struct shape game = {
    .kind = SHAPE_STRING,
    .min = 1,
    .max = 32,
    .charset = CHARSET_ID,
    .text = "A game's name, as server.hello lists them.",
};
static const struct shape password = {
    .kind = SHAPE_STRING,
    .min = 8,
    .max = 256,
    .charset = CHARSET_ANY,
};
static const struct shape door = {
    .kind = SHAPE_STRING,
    .min = 1,
    .max = 64,
    .charset = CHARSET_ANY,
};
static const struct shape email = {
    .kind = SHAPE_STRING,
    .min = 3,
    .max = 254,
    .charset = CHARSET_EMAIL,
};
static const struct shape email_or_null = {
    .kind = SHAPE_STRING,
    .min = 3,
    .max = 254,
    .charset = CHARSET_EMAIL,
    .null = true,
};
static const struct shape long_code = {
    .kind = SHAPE_STRING,
    .min = 1,
    .max = 512,
    .charset = CHARSET_ID,
};
static const struct shape factor_code = {
    .kind = SHAPE_STRING,
    .min = 6,
    .max = 32,
    .charset = CHARSET_LINE,
};
static const struct shape token = {
    .kind = SHAPE_STRING,
    .min = 1,
    .max = 64,
    .charset = CHARSET_ID,
};
static const struct shape key = {
    .kind = SHAPE_STRING,
    .min = 1,
    .max = 64,
    .charset = CHARSET_LINE,
};
static const struct shape line = {
    .kind = SHAPE_STRING,
    .min = 1,
    .max = 64,
    .charset = CHARSET_LINE,
};
static const struct shape hash = {
    .name = "hash",
    .kind = SHAPE_STRING,
    .min = 64,
    .max = 64,
    .charset = CHARSET_HEX,
    .text = "SHA-256 in lower-case hex.",
};
static const struct shape hash_or_null = {
    .kind = SHAPE_STRING,
    .min = 64,
    .max = 64,
    .charset = CHARSET_HEX,
    .null = true,
};
static const struct shape nonce = {
    .kind = SHAPE_STRING,
    .min = 32,
    .max = 64,
    .charset = CHARSET_HEX,
};
static const struct shape nonce_or_null = {
    .kind = SHAPE_STRING,
    .min = 32,
    .max = 64,
    .charset = CHARSET_HEX,
    .null = true,
};
static const struct shape seat = {
    .name = "seat",
    .kind = SHAPE_INT,
    .max = RULES_SEATS_MAX - 1,
};
static const struct shape seat_or_null = {
    .kind = SHAPE_INT,
    .max = RULES_SEATS_MAX - 1,
    .null = true,
};
static const struct shape seats = {
    .kind = SHAPE_INT,
    .min = 1,
    .max = RULES_SEATS_MAX,
};
static const struct shape limit = {.kind = SHAPE_INT, .min = 1, .max = 200};
static const struct shape next = {
    .kind = SHAPE_STRING,
    .min = 1,
    .max = 64,
    .charset = CHARSET_ID,
    .text = "There is more: pass it on as `after`.",
};
static const struct shape chat_text = {
    .kind = SHAPE_STRING,
    .min = 1,
    .max = 2000,
    .charset = CHARSET_TEXT,
};
static const struct shape said_text = {
    .kind = SHAPE_STRING,
    .min = 1,
    .max = 2000,
    .charset = CHARSET_TEXT,
    .null = true,
};
static const struct shape note_text = {
    .kind = SHAPE_STRING,
    .min = 0,
    .max = 8000,
    .charset = CHARSET_TEXT,
};
static const struct shape study_text = {
    .kind = SHAPE_STRING,
    .min = 0,
    .max = 16000,
    .charset = CHARSET_TEXT,
};
static const struct shape sentence = {
    .kind = SHAPE_STRING,
    .max = 65536,
    .charset = CHARSET_TEXT,
};
static const struct shape words = {
    .kind = SHAPE_LIST,
    .max = 100000,
    .item = &sentence,
};
static const struct shape file_text = {
    .kind = SHAPE_STRING,
    .min = 1,
    .max = 65536,
    .charset = CHARSET_FILE,
};
static const struct shape record_line = {
    .kind = SHAPE_STRING,
    .max = 65536,
    .charset = CHARSET_JSON,
};
static const struct shape record_lines = {
    .kind = SHAPE_LIST,
    .max = 100000,
    .item = &record_line,
};
/* What programs read: tables of numbers, and all that is stored of somebody. */
static const struct shape any_file = {
    .kind = SHAPE_ANY,
    .charset = CHARSET_FILE,
};
static const struct shape any_stored = {
    .kind = SHAPE_ANY,
    .charset = CHARSET_ANY,
};
static const struct shape stored_things = {
    .kind = SHAPE_LIST,
    .max = 100000,
    .item = &any_stored,
};
static const struct shape things = {
    .kind = SHAPE_LIST,
    .max = 100000,
    .item = &any,
};

#define WORDS(...) \
    { \
        .kind = SHAPE_STRING, .words = (const char *const[]) \
        { \
            __VA_ARGS__, NULL \
        } \
    }

static const struct shape id_or_null = {
    .kind = SHAPE_STRING,
    .min = 1,
    .max = 32,
    .charset = CHARSET_ID,
    .null = true,
};
static const struct shape line_or_null = {
    .kind = SHAPE_STRING,
    .min = 1,
    .max = 64,
    .charset = CHARSET_LINE,
    .null = true,
};
static const struct shape at_or_null = {
    .kind = SHAPE_INT,
    .max = NUMBER_MAX,
    .null = true,
};
static const struct shape remark = {
    .kind = SHAPE_STRING,
    .min = 1,
    .max = 500,
    .charset = CHARSET_LINE,
};
static const struct shape remark_or_null = {
    .kind = SHAPE_STRING,
    .min = 1,
    .max = 500,
    .charset = CHARSET_LINE,
    .null = true,
};
static const struct shape path = {
    .kind = SHAPE_STRING,
    .min = 1,
    .max = 4000,
    .charset = CHARSET_LINE,
};

static const struct shape proxied = {
    .kind = SHAPE_STRING,
    .min = 1,
    .max = 64,
    .charset = CHARSET_LINE,
};
/* clang-format on */

#endif
