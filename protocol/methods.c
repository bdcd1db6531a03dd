/* methods.c -- the tables of methods.h.  What the rows are made of stands in
 * methods/: types in headers, rows in .def. */

#include "methods.h"

#include <string.h>

#include "methods/account_types.h"
#include "methods/admin_types.h"
#include "methods/notices_types.h"
#include "methods/server_types.h"
#include "methods/results_types.h"
#include "methods/table_types.h"

/* clang-format off: tables are laid out by hand. */

const char *const method_scopes[] = {"read", "play", "account", NULL};

const char *const person_parts[] = {
    "seats",         "made",    "invited",  "texts", "notes",
    "marks",         "keys",    "links",    "hours", "devices",
    "second_factor", "proxied", "absences", "away",  "studies",
    "ratings",       "blocks",  "notices",  "sent",  NULL,
};

/* ---- requests ----------------------------------------------------------- */

#define LIST_OF(...) \
    (const struct shape_member[]) \
    { \
        __VA_ARGS__, END \
    }
#define MEMBERS(...) \
    { \
        .kind = SHAPE_OBJECT, .members = LIST_OF(__VA_ARGS__) \
    }
#define OPEN_MEMBERS(...) \
    { \
        .kind = SHAPE_OBJECT, .members = LIST_OF(__VA_ARGS__), .more = true \
    }
#define NO_MEMBERS \
    { \
        .kind = SHAPE_OBJECT, .members = (const struct shape_member[]) \
        { \
            END \
        } \
    }
#define MAP_OF(shape) \
    { \
        .kind = SHAPE_MAP, .item = (shape) \
    }

#define TABLE_PARAM \
    { \
        "table", &id, false, NULL \
    }
#define KEY_PARAM \
    { \
        "key", &key, true, "The same again within a day: the same result." \
    }
#define DUPLICATE \
    { \
        "duplicate", &is_true, true, \
            "It had been done before; nothing happened." \
    }

#define ERRORS_OF(...) \
    (const enum error[]) \
    { \
        __VA_ARGS__, ERR_NONE \
    }
#define NO_ERRORS \
    (const enum error[]) \
    { \
        ERR_NONE \
    }
/* Of all methods about a table; of those for who may watch it. */
#define TABLE_ERRORS ERR_NO_SUCH_TABLE, ERR_ARCHIVED
#define WATCH_ERRORS TABLE_ERRORS, ERR_SPECTATORS_NOT_ALLOWED

/* Somebody's absences, and how many more days there are. */
#define ABSENCE_MEMBERS \
    MEMBERS({"auto", &boolean, false, \
             "An absence begins instead of a miss, for up to 7 days."}, \
            {"budget", &count, false, \
             "Days a year, which the operator gives."}, \
            {"left", &count, false, "Of these, in this year (UTC)."}, \
            {"absences", &absences, false, \
             "As they begin; those that are over, too, for a year."})
/* Somebody's hours, and how they stand to them now. */
#define HOURS_MEMBERS \
    MEMBERS({"hours", &hours, false, NULL}, \
            {"inside", &boolean, false, "Whether it is such an hour now."}, \
            {"next", &at, false, "When the next one begins; or now."}, \
            {"may_change", &at, false, "From when on."})

#define PLACE_PLAIN    false, false
#define PLACE_BARRIER  true, false
#define PLACE_AT_TABLE false, true

const struct method_info methods[METHODS] = {
#define METHOD(constant, word, name, place, role, rate, scope, params, \
               result, errors, text) \
    [M_##constant] = {name,   role,   rate,   scope, PLACE_##place, \
                      params, result, errors, text},
#include "methods.def"
#undef METHOD
};

/* ---- notifications ------------------------------------------------------ */

const struct notification_info notifications[NOTIFICATIONS] = {
    [N_TABLE_UPDATE] = {"table.update",
                        {.kind = SHAPE_OBJECT, .members = update_members},
                        "A table you watch has changed."},
    [N_TABLE_CHAT] = {"table.chat",
                      {.kind = SHAPE_OBJECT, .members = text_members},
                      "Somebody said something at a table you watch; or, with"
                      " a number that came before, that text is removed."},
    [N_ME_EVENT] = {"me.event",
                    OPEN_MEMBERS(
                        {"seq", &count, false, NULL},
                        {"kind", &line, false,
                         "turn, turn_over, invited, started, finished,"
                         " abandoned, seated, unseated, declined, expired (an"
                         " invitation of yours), rewound, chat …; order:"
                         " what you have ordered there was played, or is"
                         " another"},
                        {"table", &id, false, NULL}),
                    "Something concerns you."},
    [N_SERVER_NOTICE] =
        {"server.notice",
         OPEN_MEMBERS({"kind", &line, false,
                       "broadcast, shutdown, shutdown_cancelled, motd,"
                       " motd_over, maintenance, maintenance_over;"
                       " channel_off: you are told nothing there any"
                       " more;"
                       " outage: from when until when, as"
                       " server.outages tells it from now on;"
                       " banned, session_ended, account_deleted: the"
                       " connection closes."},
                      {"text", &remark, true, NULL},
                      {"at", &at, true,
                       "When it goes down; now, if it says nothing."},
                      {"channel", &id, true, "Which one is off."},
                      {"from", &at, true, "Of an outage; ..."},
                      {"to", &at, true, "... it may end in the future."},
                      {"until", &at_or_null, true, "Of a ban."},
                      {"why", &remark_or_null, true, "Of a ban."},
                      {"user", &user, true,
                       "Who you are from now on: you have another"
                       " name."}),
         "The server has something to say to everybody."},
};

const struct shape *const method_types[] = {
    &ply,    &at,     &id,      &name,    &hash,        &seat,
    &move,   &user,   &hours,   &summary, &view,        &event,
    &update, &text,   &board,   &channel, &notice_kind, &pace,
    &misses, &outage, &absence, &rating,  &game_result, NULL,
};

/* clang-format on */

int method_find(const char *wanted, size_t len)
{
    for (int m = 0; m < METHODS; m++)
        if (strlen(methods[m].name) == len &&
            memcmp(methods[m].name, wanted, len) == 0)
            return m;
    return -1;
}
