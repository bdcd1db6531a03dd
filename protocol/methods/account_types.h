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
    {"bot", &is_true, true, "It plays by itself."},
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

static const struct shape_member block_members[] = {
    {"name", &name, false, NULL},
    {"at", &at, false, "Since when."},
    END,
};
static const struct shape block = OBJECT(block_members);
static const struct shape blocks = {
    .kind = SHAPE_LIST,
    .max = 200,
    .item = &block,
};
static const struct shape person_part = {
    .kind = SHAPE_STRING,
    .words = person_parts,
};
static const struct shape minute_of_day = {.kind = SHAPE_INT, .max = 1439};
static const struct shape weekday = {.kind = SHAPE_INT, .min = 1, .max = 7};
static const struct shape weekdays = {
    .kind = SHAPE_LIST,
    .max = 7,
    .item = &weekday,
};
static const struct shape zone = {
    .kind = SHAPE_STRING,
    .min = 1,
    .max = 64,
    .charset = CHARSET_LINE,
};
static const struct shape_member hours_members[] = {
    {"opens", &minute_of_day, false, "540 is nine in the morning."},
    {"closes", &minute_of_day, false,
     "At or before `opens`: on the next day.  4 hours after it or more."},
    {"days", &weekdays, false, "On which they open; 1 is Monday.  5 or more."},
    {"zone", &zone, false,
     "Whose clocks: a name of the IANA's,"
     " `Europe/Paris`."},
    END,
};
static const struct shape hours = {
    .name = "hours",
    .kind = SHAPE_OBJECT,
    .members = hours_members,
    .null = true,
    .text =
        "When somebody is there: a daily window of their clocks; null: always.",
};
static const struct shape_member absence_members[] = {
    {"from", &at, false, NULL},
    {"until", &at, false, "May be to come, as `from`."},
    {"auto", &boolean, false, "It began instead of a miss."},
    END,
};
static const struct shape absence = {
    .name = "absence",
    .kind = SHAPE_OBJECT,
    .members = absence_members,
    .text = "When somebody is away, so that their clocks do not run.",
};
static const struct shape absences = {
    .kind = SHAPE_LIST,
    .max = 2000,
    .item = &absence,
};
static const struct shape users = {
    .kind = SHAPE_LIST,
    .max = 100,
    .item = &user,
};
static const struct shape link_purpose = WORDS("register", "reset", "confirm",
                                               "table");
static const struct shape_member link_members[] = {
    {"id", &id, false, NULL},
    {"purpose", &link_purpose, false, NULL},
    {"account", &id_or_null, false, "Whom it is for."},
    {"table", &id_or_null, false, "At which one may sit down by it."},
    {"made", &at, false, NULL},
    {"expires", &at_or_null, false, NULL},
    {"uses", &count, false, "Left."},
    {"used", &at_or_null, false, "When last."},
    END,
};
static const struct shape one_link = OBJECT(link_members);
static const struct shape links = {
    .kind = SHAPE_LIST,
    .max = 200,
    .item = &one_link,
};
static const struct shape link_uses = {
    .kind = SHAPE_INT,
    .min = 1,
    .max = 32,
};
static const struct shape totp_key = {
    .kind = SHAPE_STRING,
    .min = 32,
    .max = 32,
    .charset = CHARSET_ID,
};
static const struct shape line_long = {
    .kind = SHAPE_STRING,
    .min = 1,
    .max = 512,
    .charset = CHARSET_LINE,
};
static const struct shape recovery_codes = {
    .kind = SHAPE_LIST,
    .max = 20,
    .item = &factor_code,
};
static const struct shape_member totp_members[] = {
    {"on", &boolean, false, "A log-in needs a code."},
    {"recovery", &count, false, "Recovery codes left."},
    {"removed", &at_or_null, false,
     "When the operator took it away, if nothing came since."},
    END,
};
static const struct shape totp_state = OBJECT(totp_members);

/* clang-format on */

#endif
