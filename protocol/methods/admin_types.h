/* admin_types.h -- what the administrator is shown. */

#ifndef PROTOCOL_METHODS_ADMIN_TYPES_H
#define PROTOCOL_METHODS_ADMIN_TYPES_H

#include "table_types.h"

/* clang-format off: tables are laid out by hand. */

/* What the administrator is shown of a table besides. */
static const struct shape_member tail_members[] = {
    {"ply", &ply, false, NULL},
    {"kind", &line, false, NULL},
    {"seat", &any, true, "A number, or \"nature\"."},
    {"verb", &line, true, "Of a move; the rest of it is the players' affair."},
    {"at", &at, false, NULL},
    {"undone", &is_true, true, NULL},
    END,
};
static const struct shape tail = OBJECT(tail_members);
static const struct shape tails = {
    .kind = SHAPE_LIST,
    .max = 2000,
    .item = &tail,
};
static const struct shape seat_numbers = {
    .kind = SHAPE_LIST,
    .max = RULES_SEATS_MAX,
    .item = &seat,
};
static const struct shape_member admin_table_members[] = {
    SUMMARY_MEMBERS,
    {"owner", &id_or_null, false, "Null: it was imported."},
    {"revision", &count, false, "Of the rules it is played by."},
    {"commitment", &hash, false, NULL},
    {"resigned", &seat_numbers, false, "Seats."},
    {"reason", &line_or_null, false, "Why it is over."},
    {"started", &ply, false, "The ply of the start; 0: not yet."},
    {"draws", &count, false, "Number of the next one."},
    {"watchers", &count, false, "Connections."},
    {"texts", &count, false, "Of its chat."},
    {"plies", &tails, false, "The last ones."},
    END,
};
static const struct shape admin_table = OBJECT(admin_table_members);
static const struct shape_member ban_members[] = {
    {"until", &at_or_null, false, "Null: for good."},
    {"why", &remark_or_null, false, NULL},
    END,
};
static const struct shape ban_or_null = {
    .kind = SHAPE_OBJECT,
    .members = ban_members,
    .null = true,
};
static const struct shape_member person_members[] = {
    {"id", &id, false, NULL},
    {"name", &name, false, NULL},
    {"guest", &boolean, false, NULL},
    {"bot", &is_true, true, "It plays by itself."},
    {"created", &at, false, NULL},
    {"seen", &at, false, "To the hour."},
    {"connections", &count, false, NULL},
    {"banned", &ban_or_null, false, NULL},
    END,
};
static const struct shape person = OBJECT(person_members);
static const struct shape persons = {
    .kind = SHAPE_LIST,
    .max = 200,
    .item = &person,
};
static const struct shape_member held_members[] = {
    {"table", &id, false, NULL},
    {"game", &game, false, NULL},
    {"state", &table_state, false, NULL},
    {"waits", &boolean, false, "For this user."},
    END,
};
static const struct shape held = OBJECT(held_members);
static const struct shape helds = {
    .kind = SHAPE_LIST,
    .max = 200,
    .item = &held,
};
static const struct shape_member user_limit_members[] = {
    {"tables", &count, false, "Open and running ones."},
    {"sessions", &count, false, "One more ends the oldest."},
    {"tokens", &count, false, "Of bots."},
    END,
};
static const struct shape user_limits = OBJECT(user_limit_members);
/* Addresses from before may be of any characters. */
static const struct shape stored_email = {
    .kind = SHAPE_STRING,
    .min = 1,
    .max = 254,
    .charset = CHARSET_LINE,
    .null = true,
};
static const struct shape made_purpose = WORDS("register", "reset");
static const struct shape uses = {
    .kind = SHAPE_INT,
    .min = 1,
    .max = 1000000,
};
static const struct shape_member session_members[] = {
    {"id", &id, false, NULL},
    {"user", &name, false, NULL},
    {"guest", &boolean, false, NULL},
    {"label", &line, false, "Of a bot's token; else `session`."},
    {"created", &at, false, NULL},
    {"expires", &at_or_null, false, NULL},
    {"connections", &count, false, "Logged in by it now."},
    END,
};
static const struct shape session = OBJECT(session_members);
static const struct shape sessions = {
    .kind = SHAPE_LIST,
    .max = 200,
    .item = &session,
};
static const struct shape_member change_members[] = {
    {"number", &count, false, NULL},
    {"at", &at, false, NULL},
    {"uid", &count, false, "Of the process that asked."},
    {"method", &line, false, NULL},
    {"table", &id_or_null, false, NULL},
    {"account", &id_or_null, false, NULL},
    {"user", &line_or_null, false, "Its name; null when it is deleted."},
    {"params", &any, false, "The rest of them, without secrets and names."},
    END,
};
static const struct shape change = OBJECT(change_members);
static const struct shape changes = {
    .kind = SHAPE_LIST,
    .max = 200,
    .item = &change,
};
static const struct shape setting_waits = WORDS("reload", "restart");
static const struct shape_member next_setting_members[] = {
    {"value", &sentence, false, NULL},
    {"from", &remark, false, NULL},
    {"when", &setting_waits, false, NULL},
    END,
};
static const struct shape next_setting = OBJECT(next_setting_members);
static const struct shape_member setting_members[] = {
    {"key", &line, false, NULL},
    {"value", &sentence, false,
     "What is in force, as in the file; `***` for a secret."},
    {"from", &remark, false,
     "default, command line, run time, or the file's path."},
    {"next", &next_setting, true,
     "What will be, if the file says otherwise by now, and what it waits"
     " for."},
    END,
};
static const struct shape setting = OBJECT(setting_members);
static const struct shape settings = {
    .kind = SHAPE_LIST,
    .max = 1000,
    .item = &setting,
};
static const struct shape_member check_members[] = {
    {"state",
     &(const struct shape)WORDS("never", "running", "whole", "damaged",
                                "stopped", "failed"),
     false, "Of the file; `never` since the start, `failed`: unreadable."},
    {"at", &at_or_null, false, "When the last one ended."},
    {"done", &count, true, "Of the one that is running, about, ..."},
    {"total", &count, true, "... of so much."},
    END,
};
static const struct shape check_state = OBJECT(check_members);
static const struct shape_member backup_members[] = {
    {"at", &at, false, NULL},
    {"bytes", &count, false, NULL},
    END,
};
static const struct shape last_backup = {
    .kind = SHAPE_OBJECT,
    .null = true,
    .members = backup_members,
};
static const struct shape sentence_or_null = {
    .kind = SHAPE_STRING,
    .null = true,
    .min = 1,
    .max = 512,
};
static const struct shape_member store_members[] = {
    {"bytes", &count, false, "Of the file."},
    {"free", &count, false, "Of them, holes; vacuum gives them back."},
    {"wal", &count, false, "Of the write-ahead log."},
    {"writable", &boolean, false, NULL},
    {"damage", &sentence_or_null, false,
     "How the file is damaged.  Then nothing is written until the server is"
     " started again."},
    {"check", &check_state, false, "Of all of the file."},
    {"backup", &last_backup, false, "The last good one."},
    END,
};
static const struct shape store_state = OBJECT(store_members);
static const struct shape log_level = WORDS("error", "warning", "notice",
                                            "info", "debug");

/* clang-format on */

#endif
