/* methods.c -- the table of methods.h: first the types, then the requests in
 * the order of the enum, then the notifications. */

#include "methods.h"

#include <string.h>

#include "core/base.h"
#include "core/rules.h"

#define NUMBER_MAX ((INT64_C(1) << 53) - 1)
#define END \
    { \
        NULL, NULL, false, NULL \
    }

#define OBJECT(list) \
    { \
        .kind = SHAPE_OBJECT, .members = (list) \
    }

/* clang-format off: tables are laid out by hand. */

/* ---- plain types ------------------------------------------------------ */

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

static const struct shape table_state = WORDS("open", "playing", "finished",
                                              "abandoned");
static const struct shape any_state = WORDS("open", "playing", "finished",
                                            "abandoned", "archived");
static const struct shape start_word = WORDS("full", "manual");
static const struct shape room = WORDS("table", "spectators");
static const struct shape detail = WORDS("summary", "detailed");

const char *const method_scopes[] = {"read", "play", "account", NULL};
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

/* ---- composed types ---------------------------------------------------- */

static const struct shape_member move_members[] = {
    {"verb", &line, false, "What to do; the other members are its arguments."},
    END,
};
static const struct shape move = {
    .name = "move",
    .kind = SHAPE_OBJECT,
    .members = move_members,
    .more = true,
    .text = "A move in the words of its game; see rules.info.",
};
static const struct shape moves = {
    .kind = SHAPE_LIST,
    .max = 20000,
    .item = &move,
};
static const struct shape some_moves = {
    .kind = SHAPE_LIST,
    .min = 1,
    .max = 64,
    .item = &move,
};
static const struct shape_member move_or_null_members[] = {
    {"verb", &line, false, NULL},
    END,
};
static const struct shape move_or_null = {
    .kind = SHAPE_OBJECT,
    .members = move_or_null_members,
    .more = true,
    .null = true,
};

static const struct shape_member range_members[] = {
    {"move", &move, false, "With the least of the values."},
    {"arg", &line, false, "The argument that may be anything in between."},
    {"min", &number, false, NULL},
    {"max", &number, false, NULL},
    END,
};
static const struct shape range = OBJECT(range_members);
static const struct shape ranges = {
    .kind = SHAPE_LIST,
    .max = 20000,
    .item = &range,
};

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

static const struct shape_member seat_info_members[] = {
    {"user",
     &(const struct shape){.kind = SHAPE_STRING,
                           .min = 1,
                           .max = 32,
                           .charset = CHARSET_ID,
                           .null = true},
     false, "null: the seat is free."},
    {"name",
     &(const struct shape){.kind = SHAPE_STRING,
                           .min = 1,
                           .max = 24,
                           .charset = CHARSET_ID,
                           .null = true},
     false, NULL},
    {"acting", &boolean, false, "Is waited for."},
    END,
};
static const struct shape seat_info = OBJECT(seat_info_members);
static const struct shape seat_infos = {
    .kind = SHAPE_LIST,
    .max = RULES_SEATS_MAX,
    .item = &seat_info,
};
static const struct shape options = {
    .kind = SHAPE_MAP,
    .item = &any,
    .text = "By name: true or false, a word, or a number.",
};

#define SUMMARY_MEMBERS \
    {"table", &id, false, NULL}, {"game", &game, false, NULL}, \
        {"state", &any_state, false, \
         "`archived` ones are in administrators' lists alone."}, \
        {"seats", &seat_infos, false, NULL}, \
        {"options", &options, false, NULL}, \
        {"board", &any, false, \
         "As it was asked for, without a file's text."}, \
        {"tables", &hash_or_null, false, \
         "Hash of the operator's own tables of numbers; null: the standard " \
         "ones, or there are none."}, \
        {"private", &boolean, false, NULL}, \
        {"password", &boolean, false, "One is needed to join."}, \
        {"rated", &boolean, false, NULL}, \
        {"spectators", &boolean, false, NULL}, \
        {"start", &start_word, false, NULL}, {"created", &at, false, NULL}, \
        {"changed", &at, false, "When its last ply was made."}, \
    { \
        "ply", &ply, false, NULL \
    }

static const struct shape_member summary_members[] = {SUMMARY_MEMBERS, END};
static const struct shape summary = {
    .name = "summary",
    .kind = SHAPE_OBJECT,
    .members = summary_members,
    .text = "A table as lists show it.",
};
static const struct shape summaries = {
    .kind = SHAPE_LIST,
    .max = 200,
    .item = &summary,
};

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
static const struct shape link_purpose = WORDS("register", "reset");
static const struct shape uses = {
    .kind = SHAPE_INT,
    .min = 1,
    .max = 1000000,
};
static const struct shape_member link_members[] = {
    {"id", &id, false, NULL},
    {"purpose", &link_purpose, false, NULL},
    {"account", &id_or_null, false, "Whom it is for."},
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
static const struct shape person_part = WORDS("seats", "made", "invited",
                                              "texts", "notes", "marks",
                                              "keys", "links");
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

static const struct shape nonces = {
    .kind = SHAPE_LIST,
    .max = RULES_SEATS_MAX,
    .item = &nonce_or_null,
};
static const struct shape_member table_members[] = {
    SUMMARY_MEMBERS,
    {"revision", &count, false, "Of the rules it is played by."},
    {"board_text", &file_text, true, "The file of an uploaded board."},
    {"tables_csv", &file_text, true, "The operator's own tables."},
    {"notes", &words, true, "What is not certain about its numbers."},
    {"commitment", &hash, false, NULL},
    {"nonces", &nonces, false, NULL},
    {"seed", &hash_or_null, false, "Published when the game is over."},
    {"invited", &words, false, "Names."},
    END,
};
static const struct shape table = OBJECT(table_members);

static const struct shape_member my_table_members[] = {
    SUMMARY_MEMBERS,
    {"you", &seat_or_null, false, "Your seat; null: you are invited."},
    {"your_turn", &boolean, false, NULL},
    {"since", &at, false, "When what is asked of you was asked."},
    {"unread", &count, false, "Texts you have not read."},
    END,
};
static const struct shape my_table = OBJECT(my_table_members);
static const struct shape my_tables = {
    .kind = SHAPE_LIST,
    .max = 1000,
    .item = &my_table,
};

static const struct shape_member view_seat_members[] = {
    {"name",
     &(const struct shape){.kind = SHAPE_STRING,
                           .min = 1,
                           .max = 24,
                           .charset = CHARSET_ID,
                           .null = true},
     false, NULL},
    {"acting", &boolean, false, "Is waited for."},
    {"may", &boolean, false, "Can move, but is not waited for."},
    {"score", &number, false, "The total if scoring happened now."},
    {"resigned", &boolean, false, NULL},
    END,
};
static const struct shape view_seat = {
    .kind = SHAPE_OBJECT,
    .members = view_seat_members,
    .more = true,
};
static const struct shape view_seats = {
    .kind = SHAPE_LIST,
    .max = RULES_SEATS_MAX,
    .item = &view_seat,
};
static const struct shape parts = {.kind = SHAPE_MAP, .item = &number};
static const struct shape_member score_members[] = {
    {"total", &number, false, NULL},
    {"parts", &parts, false, NULL},
    END,
};
static const struct shape score = OBJECT(score_members);
static const struct shape scores = {
    .kind = SHAPE_LIST,
    .max = RULES_SEATS_MAX,
    .item = &score,
};
static const struct shape places = {
    .kind = SHAPE_LIST,
    .max = RULES_SEATS_MAX,
    .item = &count,
};
static const struct shape_member result_members[] = {
    {"reason", &line, false, "finished, resigned, abandoned."},
    {"places", &places, false,
     "By seat; 1 is first, ties share; abandoned: none."},
    END,
};
static const struct shape result = {
    .kind = SHAPE_OBJECT,
    .members = result_members,
    .null = true,
};
static const struct shape_member nothing[] = {END};
static const struct shape game_state = {
    .kind = SHAPE_OBJECT,
    .members = nothing,
    .more = true,
    .null = true,
};
static const struct shape_member view_members[] = {
    {"table", &id, false, NULL},
    {"game", &game, false, NULL},
    {"ply", &ply, false, NULL},
    {"state", &table_state, false, NULL},
    {"seats", &view_seats, false, NULL},
    {"you", &seat_or_null, false, NULL},
    {"decision", &ply_or_null, false, "What a move of yours answers."},
    {"undo", &ply_or_null, false, "The ply you could take back."},
    {"game_state", &game_state, false,
     "As you may see it; rules.schema tells. null before the start."},
    {"score_now", &scores, false, NULL},
    {"result", &result, false, NULL},
    END,
};
static const struct shape view = {
    .name = "view",
    .kind = SHAPE_OBJECT,
    .members = view_members,
    .more = true,
    .text = "All that one viewer may see of a table.",
};

static const struct shape_member operation_members[] = {
    {"op", &(const struct shape)WORDS("replace"), false, NULL},
    {"path", &(const struct shape){.kind = SHAPE_STRING, .max = 256}, false,
     "A JSON pointer."},
    {"value", &any, false, NULL},
    END,
};
static const struct shape operation = OBJECT(operation_members);
static const struct shape patch = {
    .kind = SHAPE_LIST,
    .max = 100000,
    .item = &operation,
};
static const struct shape_member event_members[] = {
    {"kind", &line, false, NULL},
    {"seat", &seat_or_null, false, "null: it is about nobody."},
    END,
};
static const struct shape event = {
    .name = "event",
    .kind = SHAPE_OBJECT,
    .members = event_members,
    .more = true,
    .text = "Something that happened, in the game's words.",
};
static const struct shape events = {
    .kind = SHAPE_LIST,
    .max = 100000,
    .item = &event,
};
static const struct shape_member update_members[] = {
    {"table", &id, false, NULL},
    {"from", &ply, false, "Of the view that the patch applies to."},
    {"ply", &ply, false, "Of the view that it makes."},
    {"patch", &patch, false, "RFC 6902; only `replace` occurs."},
    {"events", &events, false, NULL},
    {"chain", &hash, true, "With `check`: the log's head."},
    {"view_hash", &hash, true, "With `check`: of the view's RFC 8785 form."},
    END,
};
static const struct shape update = {
    .name = "update",
    .kind = SHAPE_OBJECT,
    .members = update_members,
    .text = "What changed in a view, and why.",
};
static const struct shape updates = {
    .kind = SHAPE_LIST,
    .max = 1000,
    .item = &update,
};

static const struct shape_member log_members[] = {
    {"ply", &ply, false, NULL},
    {"kind", &line, false, "create, join, move, undo …"},
    {"seat",
     &(const struct shape){.kind = SHAPE_ONE_OF,
                           .choices =
                               (const struct shape *const[]){
                                   &seat_or_null,
                                   &(const struct shape)WORDS("nature"), NULL},
                           .text = "a seat, \"nature\" or null"},
     true, NULL},
    {"move", &move_or_null, true, NULL},
    {"at", &at, false, NULL},
    {"events", &events, false, NULL},
    {"undone", &is_true, true, "It was taken back later."},
    END,
};
static const struct shape log_entry = {
    .kind = SHAPE_OBJECT,
    .members = log_members,
    .more = true,
};
static const struct shape log_entries = {
    .kind = SHAPE_LIST,
    .max = 100000,
    .item = &log_entry,
};

static const struct shape_member text_members[] = {
    {"text", &count, false, "Its number."},
    {"table", &id, false, NULL},
    {"room", &room, false, NULL},
    {"from",
     &(const struct shape){.kind = SHAPE_STRING,
                           .min = 1,
                           .max = 24,
                           .charset = CHARSET_ID,
                           .null = true},
     false, "null: the account is gone."},
    {"at", &at, false, NULL},
    {"body", &said_text, false, "null: the administrator removed it."},
    END,
};
static const struct shape text = {
    .name = "text",
    .kind = SHAPE_OBJECT,
    .members = text_members,
    .text = "Something somebody said.",
};
static const struct shape texts = {
    .kind = SHAPE_LIST,
    .max = 200,
    .item = &text,
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

static const struct shape_member builtin_members[] = {
    {"builtin", &line, false, NULL},
    END,
};
static const struct shape_member haz_members[] = {
    {"haz", &file_text, false, NULL},
    END,
};
static const struct shape_member generate_members[] = {
    {"generate", &(const struct shape){.kind = SHAPE_MAP, .item = &any}, false,
     "columns, rows, symmetry, markets, waters, seed; all optional."},
    END,
};
static const struct shape builtin_board = OBJECT(builtin_members);
static const struct shape haz_board = OBJECT(haz_members);
static const struct shape generate_board = OBJECT(generate_members);
static const struct shape board = {
    .name = "board",
    .kind = SHAPE_ONE_OF,
    .choices = (const struct shape *const[]){&builtin_board, &haz_board,
                                             &generate_board, NULL},
    .text = "one of {\"builtin\": name}, {\"haz\": text}, {\"generate\": {}}",
};
static const struct shape invitees = {
    .kind = SHAPE_LIST,
    .max = 32,
    .item = &name,
};

/* ---- requests ----------------------------------------------------------- */

#define MEMBERS(...) \
    { \
        .kind = SHAPE_OBJECT, .members = (const struct shape_member[]) \
        { \
            __VA_ARGS__, END \
        } \
    }
#define OPEN_MEMBERS(...) \
    { \
        .kind = SHAPE_OBJECT, .more = true, \
        .members = (const struct shape_member[]) \
        { \
            __VA_ARGS__, END \
        } \
    }
#define NO_MEMBERS \
    { \
        .kind = SHAPE_OBJECT, .members = (const struct shape_member[]) \
        { \
            END \
        } \
    }
#define ERRORS_OF(...) ((const enum error[]){__VA_ARGS__, ERR_NONE})
#define NO_ERRORS      ((const enum error[]){ERR_NONE})
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
/* Of all methods about a table; of those for who may watch it. */
#define TABLE_ERRORS ERR_NO_SUCH_TABLE, ERR_ARCHIVED
#define WATCH_ERRORS TABLE_ERRORS, ERR_SPECTATORS_NOT_ALLOWED

const struct method_info methods[METHODS] = {
    [M_SERVER_HELLO] = {"server.hello", ROLE_ANYONE, RATE_CHEAP, SCOPE_READ,
                        false, false, NO_MEMBERS,
                        OPEN_MEMBERS(
                            {"name", &line, false, NULL},
                            {"version", &line, false, NULL},
                            {"protocol", &count, false, NULL},
                            {"games", &things, false,
                             "Names, titles, seats, options and boards."},
                            {"limits", &any, false, NULL},
                            {"registration", &line, false, NULL},
                            {"guests", &boolean, false, NULL},
                            {"now", &at, false, "By the server's clock."},
                            {"motd", &remark, true,
                             "What the operator says to everybody."},
                            {"maintenance", &remark, true,
                             "The server is read only, and this is why."},
                            {"shutdown", &any, true,
                             "The end that was announced: `at`, and `text`"
                             " if there is one."},
                            {"links", &any, false,
                             "The operator's: `rules`, `privacy`, `contact`,"
                             " each https, http or mailto, if there is"
                             " one."}),
                        NO_ERRORS, "What this server is and offers."},
    [M_RPC_DISCOVER] = {"rpc.discover",
                        ROLE_ANYONE,
                        RATE_READ,
                        SCOPE_READ,
                        false,
                        false,
                        NO_MEMBERS,
                        {.kind = SHAPE_MAP, .item = &any},
                        NO_ERRORS,
                        "This reference as an OpenRPC document."},
    [M_RULES_INFO] =
        {"rules.info",
         ROLE_ANYONE,
         RATE_READ,
         SCOPE_READ,
         false,
         false,
         MEMBERS({"game", &game, false, NULL}),
         {.kind = SHAPE_MAP, .item = &any_file},
         ERRORS_OF(ERR_NO_SUCH_GAME),
         "A game's verbs, arguments, events, reasons, options and categories of"
         " points, and which of its numbers are estimates."},
    [M_RULES_TEXT] = {"rules.text", ROLE_ANYONE, RATE_READ, SCOPE_READ, false,
                      false,
                      MEMBERS({"game", &game, false, NULL},
                              {"detail", &detail, false, NULL},
                              {"lang", &line, true,
                               "en if there is no other."}),
                      MEMBERS({"lang", &line, false, NULL},
                              {"text", &sentence, false, "Markdown."}),
                      ERRORS_OF(ERR_NO_SUCH_GAME, ERR_NO_SUCH_TEXT),
                      "A game's rules for people."},
    [M_RULES_SCHEMA] = {"rules.schema",
                        ROLE_ANYONE,
                        RATE_READ,
                        SCOPE_READ,
                        false,
                        false,
                        MEMBERS({"game", &game, false, NULL}),
                        {.kind = SHAPE_MAP, .item = &any},
                        ERRORS_OF(ERR_NO_SUCH_GAME),
                        "JSON Schema of a game's `game_state`."},

    [M_ACCOUNT_REGISTER] =
        {"account.register", ROLE_ANYONE, RATE_LOGIN, SCOPE_ACCOUNT, true,
         false,
         MEMBERS(
             {"name", &name, false, NULL},
             {"password", &password, false, NULL},
             {"email", &email, true, NULL},
             {"invite", &token, true,
              "Where registration is by invitation: the operator's code, or"
              " that of a link."}),
         MEMBERS({"token", &token, false, NULL}, {"user", &user, false, NULL}),
         ERRORS_OF(ERR_NAME_TAKEN, ERR_REGISTRATION_CLOSED, ERR_NOT_INVITED,
                   ERR_LINK_USED, ERR_LINK_EXPIRED, ERR_ALREADY_LOGGED_IN,
                   ERR_TOO_MANY_ACCOUNTS),
         "A new account; the connection is logged in as it."},
    [M_ACCOUNT_GUEST] =
        {"account.guest", ROLE_ANYONE, RATE_LOGIN, SCOPE_ACCOUNT, true, false,
         NO_MEMBERS,
         MEMBERS({"token", &token, false, NULL}, {"user", &user, false, NULL}),
         ERRORS_OF(ERR_REGISTRATION_CLOSED, ERR_ALREADY_LOGGED_IN,
                   ERR_TOO_MANY_ACCOUNTS),
         "An account without a password, for a while; the connection is logged in"
         " as it."},
    [M_ACCOUNT_KEEP] =
        {"account.keep", ROLE_USER, RATE_LOGIN, SCOPE_ACCOUNT, true, false,
         MEMBERS({"name", &name, false, NULL},
                 {"password", &password, false, NULL},
                 {"email", &email, true, NULL},
                 {"invite", &token, true, "As for account.register."}),
         MEMBERS({"user", &user, false, NULL}),
         ERRORS_OF(ERR_NAME_TAKEN, ERR_NOT_A_GUEST, ERR_REGISTRATION_CLOSED,
                   ERR_NOT_INVITED, ERR_LINK_USED, ERR_LINK_EXPIRED),
         "Makes a guest permanent."},
    [M_ACCOUNT_GET] = {"account.get", ROLE_USER, RATE_READ, SCOPE_READ, false,
                       false,
                       MEMBERS({"name", &name, true,
                                "Yourself if you name nobody."}),
                       OPEN_MEMBERS({"user", &user, false, NULL},
                                    {"created", &at, false, NULL},
                                    {"email", &any, true, "Only your own."}),
                       ERRORS_OF(ERR_NO_SUCH_USER), "A user."},
    [M_ACCOUNT_PASSWORD] =
        {"account.password", ROLE_USER, RATE_LOGIN, SCOPE_ACCOUNT, true, false,
         MEMBERS({"old", &password, false, NULL},
                 {"new", &password, false, NULL}),
         MEMBERS({"ended", &count, false, "Other sessions that were ended."}),
         ERRORS_OF(ERR_BAD_CREDENTIALS, ERR_NOT_A_GUEST),
         "Changes the password and ends all other sessions."},
    [M_ACCOUNT_RESET] =
        {"account.reset", ROLE_ANYONE, RATE_LOGIN, SCOPE_ACCOUNT, true, false,
         MEMBERS({"code", &token, false, "Of a link that the operator made."},
                 {"password", &password, false, "From now on."}),
         MEMBERS({"user", &user, false, "Whose it is."}),
         ERRORS_OF(ERR_NO_SUCH_LINK, ERR_LINK_USED, ERR_LINK_EXPIRED),
         "Sets a password by a one-time link, and ends all sessions and tokens"
         " of the account.  Logs nobody in."},
    [M_ACCOUNT_TOKENS_CREATE] = {"account.tokens.create", ROLE_USER,
                                 RATE_WRITE, SCOPE_ACCOUNT, false, false,
                                 MEMBERS({"label", &line, false, NULL},
                                         {"scopes", &scopes, false, NULL},
                                         KEY_PARAM),
                                 MEMBERS({"id", &id, false, NULL},
                                         {"token", &token, true,
                                          "Told once: not with `duplicate`."
                                          "  Who has not heard it revokes"
                                          " `id` and makes another."},
                                         DUPLICATE),
                                 ERRORS_OF(ERR_TOO_MANY_TOKENS,
                                           ERR_OUT_OF_SCOPE),
                                 "A token for a bot or a script."},
    [M_ACCOUNT_TOKENS_LIST] = {"account.tokens.list", ROLE_USER, RATE_READ,
                               SCOPE_ACCOUNT, false, false, NO_MEMBERS,
                               MEMBERS({"tokens", &token_infos, false, NULL}),
                               NO_ERRORS,
                               "Your tokens, those of sessions included."},
    [M_ACCOUNT_TOKENS_REVOKE] = {"account.tokens.revoke", ROLE_USER,
                                 RATE_WRITE, SCOPE_ACCOUNT, false, false,
                                 MEMBERS({"id", &id, false, NULL}), NO_MEMBERS,
                                 ERRORS_OF(ERR_NO_SUCH_TOKEN),
                                 "Ends a token, and who is logged in by it."},
    [M_SESSION_LOGIN] =
        {"session.login", ROLE_ANYONE, RATE_LOGIN, SCOPE_ACCOUNT, true, false,
         MEMBERS({"name", &name, false, NULL},
                 {"password", &password, false, NULL}),
         MEMBERS({"token", &token, false, NULL}, {"user", &user, false, NULL}),
         ERRORS_OF(ERR_BAD_CREDENTIALS, ERR_BANNED, ERR_ALREADY_LOGGED_IN),
         "Logs the connection in."},
    [M_SESSION_RESUME] = {"session.resume", ROLE_ANYONE, RATE_CHEAP,
                          SCOPE_READ, true, false,
                          MEMBERS({"token", &token, false, NULL}),
                          MEMBERS({"user", &user, false, NULL}),
                          ERRORS_OF(ERR_TOKEN_EXPIRED, ERR_BANNED,
                                    ERR_ALREADY_LOGGED_IN),
                          "Logs the connection in by a token."},
    [M_SESSION_LOGOUT] =
        {"session.logout", ROLE_USER, RATE_CHEAP, SCOPE_READ, true, false,
         NO_MEMBERS, NO_MEMBERS, NO_ERRORS,
         "Ends the session's token and logs the connection out."},

    [M_TABLE_CREATE] = {"table.create", ROLE_USER, RATE_WRITE, SCOPE_PLAY,
                        false, false,
                        MEMBERS({"game", &game, false, NULL},
                                {"seats", &seats, false, NULL},
                                {"options", &options, true, NULL},
                                {"board", &board, true, NULL},
                                {"private", &boolean, true, NULL},
                                {"password", &door, true, NULL},
                                {"rated", &boolean, true, NULL},
                                {"spectators", &boolean, true, NULL},
                                {"start", &start_word, true, NULL},
                                {"invite", &invitees, true, NULL}, KEY_PARAM),
                        MEMBERS({"table", &id, false, NULL},
                                {"commitment", &hash, false, NULL}, DUPLICATE),
                        ERRORS_OF(ERR_NO_SUCH_GAME, ERR_BAD_SETUP,
                                  ERR_NO_SUCH_USER, ERR_TOO_MANY_TABLES),
                        "A new table; you take seat 0."},
    [M_TABLE_LIST] =
        {"table.list", ROLE_ANYONE, RATE_READ, SCOPE_READ, false, false,
         MEMBERS({"state", &table_state, true, NULL},
                 {"game", &game, true, NULL}, {"mine", &boolean, true, NULL},
                 {"after", &next, true, NULL}, {"limit", &limit, true, NULL}),
         MEMBERS({"tables", &summaries, false, NULL},
                 {"next", &next, true, NULL}),
         ERRORS_OF(ERR_NO_SUCH_GAME), "Tables, the newest first."},
    [M_TABLE_GET] = {"table.get", ROLE_ANYONE, RATE_READ, SCOPE_READ, false,
                     true, MEMBERS(TABLE_PARAM),
                     MEMBERS({"table", &table, false, NULL}),
                     ERRORS_OF(TABLE_ERRORS),
                     "All about a table but the game itself."},
    [M_TABLE_JOIN] = {"table.join", ROLE_USER, RATE_WRITE, SCOPE_PLAY, false,
                      true,
                      MEMBERS(TABLE_PARAM,
                              {"seat", &seat, true,
                               "The lowest free one if none."},
                              {"password", &door, true, NULL},
                              {"nonce", &nonce, true, NULL}, KEY_PARAM),
                      MEMBERS({"seat", &seat, false, NULL},
                              {"ply", &ply, false, NULL}, DUPLICATE),
                      ERRORS_OF(TABLE_ERRORS, ERR_TABLE_FULL, ERR_SEAT_TAKEN,
                                ERR_NO_SUCH_SEAT, ERR_ALREADY_SEATED,
                                ERR_ALREADY_STARTED, ERR_WRONG_PASSWORD,
                                ERR_TOO_MANY_TABLES, ERR_TOO_MANY_PLIES),
                      "Takes a seat."},
    [M_TABLE_INVITE] = {"table.invite", ROLE_USER, RATE_WRITE, SCOPE_PLAY,
                        false, true,
                        MEMBERS(TABLE_PARAM, {"name", &name, false, NULL}),
                        NO_MEMBERS,
                        ERRORS_OF(TABLE_ERRORS, ERR_NOT_SEATED,
                                  ERR_NO_SUCH_USER, ERR_ALREADY_INVITED,
                                  ERR_ALREADY_STARTED, ERR_TOO_MANY_INVITED),
                        "Lets somebody in and tells them."},
    [M_TABLE_NONCE] = {"table.nonce", ROLE_USER, RATE_WRITE, SCOPE_PLAY, false,
                       true,
                       MEMBERS(TABLE_PARAM, {"nonce", &nonce, false, NULL}),
                       MEMBERS({"ply", &ply, false, NULL}, DUPLICATE),
                       ERRORS_OF(TABLE_ERRORS, ERR_NOT_SEATED,
                                 ERR_ALREADY_STARTED, ERR_NONCE_GIVEN),
                       "Gives your part of the key of the draws."},
    [M_TABLE_LEAVE] = {"table.leave", ROLE_USER, RATE_WRITE, SCOPE_PLAY, false,
                       true, MEMBERS(TABLE_PARAM),
                       MEMBERS({"ply", &ply, false, NULL}),
                       ERRORS_OF(TABLE_ERRORS, ERR_NOT_SEATED,
                                 ERR_ALREADY_STARTED),
                       "Gives up your seat before the start."},
    [M_TABLE_START] =
        {"table.start", ROLE_USER, RATE_WRITE, SCOPE_PLAY, false, true,
         MEMBERS(TABLE_PARAM), MEMBERS({"ply", &ply, false, NULL}),
         ERRORS_OF(TABLE_ERRORS, ERR_FORBIDDEN, ERR_ALREADY_STARTED,
                   ERR_TOO_FEW_SEATED),
         "Starts the game with the seats that are taken; by who made the table."},
    [M_TABLE_RESIGN] =
        {"table.resign", ROLE_USER, RATE_WRITE, SCOPE_PLAY, false, true,
         MEMBERS(TABLE_PARAM), MEMBERS({"ply", &ply, false, NULL}, DUPLICATE),
         ERRORS_OF(TABLE_ERRORS, ERR_NOT_SEATED, ERR_NOT_STARTED,
                   ERR_GAME_OVER),
         "Gives up. Of two the other wins; of more the seat goes on with its"
         " mildest moves and is placed last."},
    [M_TABLE_WATCH] =
        {"table.watch", ROLE_ANYONE, RATE_READ, SCOPE_READ, false, true,
         MEMBERS(TABLE_PARAM, {"since", &ply, true, NULL},
                 {"chain", &hash, true, NULL},
                 {"check", &boolean, true, NULL}),
         MEMBERS({"ply", &ply, false, NULL}, {"chain", &hash, false, NULL},
                 {"view", &view, true, NULL},
                 {"updates", &updates, true, NULL}),
         ERRORS_OF(WATCH_ERRORS, ERR_TOO_MANY_WATCHED, ERR_TOO_MANY_WATCHERS),
         "The view, or what changed since; from then on table.update."},
    [M_TABLE_UNWATCH] = {"table.unwatch", ROLE_ANYONE, RATE_CHEAP, SCOPE_READ,
                         false, true, MEMBERS(TABLE_PARAM), NO_MEMBERS,
                         ERRORS_OF(TABLE_ERRORS), "No more table.update."},
    [M_TABLE_MOVE] =
        {"table.move", ROLE_USER, RATE_MOVE, SCOPE_PLAY, false, true,
         MEMBERS(TABLE_PARAM, {"decision", &ply, false, "What it answers."},
                 {"move", &move, false, NULL}),
         MEMBERS({"ply", &ply, false, NULL}, DUPLICATE,
                 {"undone", &is_true, true, "And taken back since."}),
         ERRORS_OF(TABLE_ERRORS, ERR_NOT_SEATED, ERR_GAME_OVER,
                   ERR_NOT_STARTED, ERR_NOT_YOUR_TURN, ERR_STALE_DECISION,
                   ERR_ILLEGAL_MOVE),
         "Plays a move; answered when it is stored."},
    [M_TABLE_UNDO] =
        {"table.undo", ROLE_USER, RATE_MOVE, SCOPE_PLAY, false, true,
         MEMBERS(TABLE_PARAM, {"ply", &ply, false, "The one the view names."}),
         MEMBERS({"ply", &ply, false, NULL}, DUPLICATE),
         ERRORS_OF(TABLE_ERRORS, ERR_NOT_SEATED, ERR_NOT_STARTED,
                   ERR_NO_SUCH_PLY, ERR_UNDO_NOT_ALLOWED, ERR_TOO_MANY_UNDOS),
         "Takes back an own ply."},
    [M_TABLE_LEGAL] = {"table.legal", ROLE_USER, RATE_READ, SCOPE_READ, false,
                       true,
                       MEMBERS(TABLE_PARAM, {"verb", &line, true, NULL},
                               {"from", &count, true,
                                "The `next` of an answer that was cut."}),
                       MEMBERS({"decision", &ply_or_null, false, NULL},
                               {"moves", &moves, false, NULL},
                               {"ranges", &ranges, false, NULL},
                               {"next", &count, true, "There is more."}),
                       ERRORS_OF(TABLE_ERRORS, ERR_NOT_SEATED),
                       "What you may do now."},
    [M_TABLE_PREVIEW] =
        {"table.preview", ROLE_USER, RATE_READ, SCOPE_READ, false, true,
         MEMBERS(TABLE_PARAM, {"moves", &some_moves, false, NULL}),
         MEMBERS({"view", &view, false, NULL},
                 {"played", &count, false,
                  "How many of the moves it tells of."},
                 {"stopped", &line, true, "Why not all."}),
         ERRORS_OF(TABLE_ERRORS, ERR_NOT_SEATED, ERR_GAME_OVER,
                   ERR_NOT_STARTED, ERR_NOT_YOUR_TURN, ERR_ILLEGAL_MOVE),
         "The view after those moves; nothing is stored."},
    [M_TABLE_REPLAY] =
        {"table.replay", ROLE_ANYONE, RATE_READ, SCOPE_READ, false, true,
         MEMBERS(
             TABLE_PARAM, {"from", &ply, true, NULL}, {"to", &ply, true, NULL},
             {"as", &any, true, "Of a finished table: a seat, watcher, all."}),
         MEMBERS({"plies", &log_entries, false, NULL},
                 {"next", &ply, true, NULL}),
         ERRORS_OF(WATCH_ERRORS, ERR_NOT_FINISHED, ERR_NO_SUCH_SEAT),
         "The log as you were told it."},
    [M_TABLE_AT] = {"table.at", ROLE_ANYONE, RATE_READ, SCOPE_READ, false,
                    true,
                    MEMBERS(TABLE_PARAM, {"ply", &ply, false, NULL},
                            {"as", &any, true, NULL}),
                    MEMBERS({"view", &view, false, NULL}),
                    ERRORS_OF(WATCH_ERRORS, ERR_NO_SUCH_PLY, ERR_NOT_FINISHED,
                              ERR_NO_SUCH_SEAT),
                    "The view at an earlier ply."},
    [M_TABLE_RECORD] =
        {"table.record", ROLE_ANYONE, RATE_READ, SCOPE_READ, false, true,
         MEMBERS(TABLE_PARAM, {"from", &count, true, NULL}),
         MEMBERS({"lines", &record_lines, false, "Of NDJSON."},
                 {"next", &count, true, NULL}),
         ERRORS_OF(WATCH_ERRORS, ERR_NOT_FINISHED),
         "The record of a finished game, with which every draw can be checked."},
    [M_TABLE_CHAT] =
        {"table.chat", ROLE_USER, RATE_WRITE, SCOPE_PLAY, false, true,
         MEMBERS(TABLE_PARAM, {"text", &chat_text, false, NULL},
                 {"room", &room, true, NULL}, KEY_PARAM),
         MEMBERS({"text", &count, false, "Its number."}, DUPLICATE),
         ERRORS_OF(WATCH_ERRORS, ERR_FORBIDDEN),
         "Says something: the seated at the table, anybody who may watch in the"
         " spectators' room, which the seated do not read while they play."},
    [M_TABLE_TEXTS] =
        {"table.texts", ROLE_ANYONE, RATE_READ, SCOPE_READ, false, true,
         MEMBERS(TABLE_PARAM, {"room", &room, true, NULL},
                 {"before", &count, true, NULL},
                 {"limit", &limit, true, NULL}),
         MEMBERS({"texts", &texts, false, "The last ones, in order."},
                 {"read", &count, false, "The last you said you had read."},
                 {"more", &boolean, false, NULL}),
         ERRORS_OF(WATCH_ERRORS, ERR_FORBIDDEN), "What was said."},
    [M_TABLE_READ] = {"table.read", ROLE_USER, RATE_WRITE, SCOPE_READ, false,
                      true,
                      MEMBERS(TABLE_PARAM, {"text", &count, false, NULL}),
                      NO_MEMBERS, ERRORS_OF(WATCH_ERRORS, ERR_NO_SUCH_TEXT),
                      "Up to this text you have read all."},
    [M_TABLE_NOTE] = {"table.note", ROLE_USER, RATE_WRITE, SCOPE_PLAY, false,
                      true,
                      MEMBERS(TABLE_PARAM, {"text", &note_text, true,
                                            "Left out: nothing changes."}),
                      MEMBERS({"text", &note_text, false, NULL}),
                      ERRORS_OF(WATCH_ERRORS),
                      "Your own note about a table; nobody else sees it."},

    [M_ME_TABLES] = {"me.tables", ROLE_USER, RATE_READ, SCOPE_READ, false,
                     false,
                     MEMBERS({"state", &table_state, true, NULL},
                             {"after", &next, true, NULL},
                             {"limit", &limit, true, NULL}),
                     MEMBERS({"tables", &my_tables, false, NULL},
                             {"next", &next, true, NULL}),
                     NO_ERRORS,
                     "Your tables; those that wait for you first, the longest"
                     " waiting on top."},
    [M_ME_NEXT] = {"me.next", ROLE_USER, RATE_READ, SCOPE_READ, false, false,
                   NO_MEMBERS,
                   MEMBERS({"table",
                            &(const struct shape){.kind = SHAPE_STRING,
                                                  .min = 1,
                                                  .max = 32,
                                                  .charset = CHARSET_ID,
                                                  .null = true},
                            false, NULL}),
                   NO_ERRORS, "The table that has waited longest for you."},
    [M_ME_WATCH] =
        {"me.watch", ROLE_USER, RATE_READ, SCOPE_READ, false, false,
         MEMBERS({"since", &count, true, "The `seq` of the last thing heard."},
                 {"after", &next, true, NULL}),
         MEMBERS({"seq", &count, false,
                  "Of the first page, if there are more."},
                 {"tables", &my_tables, false,
                  "All that is going on, as me.tables; with `since`, also what"
                  " has ended since."},
                 {"next", &next, true, NULL}),
         NO_ERRORS, "From now on me.event for all that concerns you."},

    [M_ADMIN_STATUS] =
        {"admin.status", ROLE_ADMIN, RATE_CHEAP, SCOPE_READ, false, false,
         NO_MEMBERS,
         OPEN_MEMBERS({"version", &line, false, NULL},
                      {"now", &at, false, NULL},
                      {"peers", &count, false, "Connections."},
                      {"tables", &count, false, "In memory."},
                      {"accounts", &count, false, "Connected."},
                      {"requests", &count, false, "Since the start."},
                      {"refused", &count, false, NULL},
                      {"moves", &count, false, NULL},
                      {"plies", &count, false, NULL},
                      {"units", &count, false, "Handed to the store."},
                      {"units_failed", &count, false, NULL},
                      {"store", &store_state, false, NULL}),
         ERRORS_OF(ERR_FORBIDDEN, ERR_OPERATION_FAILED), "How the server is."},
    [M_ADMIN_TABLES] =
        {"admin.tables", ROLE_ADMIN, RATE_READ, SCOPE_READ, false, false,
         MEMBERS({"state", &any_state, true, NULL},
                 {"game", &game, true, NULL}, {"after", &next, true, NULL},
                 {"limit", &limit, true, NULL}),
         MEMBERS({"tables", &summaries, false, NULL},
                 {"next", &next, true, NULL}),
         ERRORS_OF(ERR_FORBIDDEN, ERR_NO_SUCH_GAME),
         "All tables there are, private ones too, the newest first; archived"
         " ones only if they are asked for."},
    [M_ADMIN_TABLE] = {"admin.table", ROLE_ADMIN, RATE_READ, SCOPE_READ, false,
                       true,
                       MEMBERS(TABLE_PARAM,
                               {"plies",
                                &(const struct shape){.kind = SHAPE_INT,
                                                      .max = 2000},
                                true, "How many of the last ones: 20."}),
                       MEMBERS({"table", &admin_table, false, NULL}),
                       ERRORS_OF(ERR_FORBIDDEN, ERR_NO_SUCH_TABLE,
                                 ERR_ARCHIVED, ERR_NEWER_CORE),
                       "A table, but for what its players may not all know."},
    [M_ADMIN_ABANDON] =
        {"admin.abandon", ROLE_ADMIN, RATE_WRITE, SCOPE_READ, false, true,
         MEMBERS(TABLE_PARAM, {"why", &remark, true, "For the changes."}),
         MEMBERS({"ply", &ply, false, NULL}),
         ERRORS_OF(ERR_FORBIDDEN, ERR_NO_SUCH_TABLE, ERR_ARCHIVED,
                   ERR_NEWER_CORE, ERR_GAME_OVER),
         "Gives a table up, open or running: `abandoned`, with no places."},
    [M_ADMIN_REWIND] =
        {"admin.rewind", ROLE_ADMIN, RATE_WRITE, SCOPE_READ, false, true,
         MEMBERS(TABLE_PARAM, {"ply", &ply, false, "The last one that stays."},
                 {"why", &remark, true, "For the changes."}),
         MEMBERS({"ply", &ply, false, "The table's last now."}),
         ERRORS_OF(ERR_FORBIDDEN, ERR_NO_SUCH_TABLE, ERR_ARCHIVED,
                   ERR_NEWER_CORE, ERR_NOT_STARTED, ERR_GAME_OVER,
                   ERR_NO_SUCH_PLY, ERR_BEFORE_START, ERR_NOTHING_TO_REWIND),
         "Takes back all moves, draws and resignations behind a ply that still"
         " count.  They stay in the log, `undone`; draws after it are new"
         " ones; what was taken back before stays so."},
    [M_ADMIN_REPLACE] =
        {"admin.replace", ROLE_ADMIN, RATE_WRITE, SCOPE_READ, false, true,
         MEMBERS(TABLE_PARAM, {"seat", &seat, false, NULL},
                 {"user", &name, false, "Who takes it."},
                 {"why", &remark, true, "For the changes."}),
         MEMBERS({"ply", &ply, false, NULL}),
         ERRORS_OF(ERR_FORBIDDEN, ERR_NO_SUCH_TABLE,
                   ERR_ARCHIVED, ERR_NEWER_CORE, ERR_NOT_STARTED,
                   ERR_GAME_OVER, ERR_NO_SUCH_SEAT, ERR_NO_SUCH_USER,
                   ERR_BANNED, ERR_ALREADY_SEATED),
         "Gives a seat of a running table to another player, who sees what"
         " the seat sees from now on; who had it is a watcher, if the table"
         " has any.  A seat that had been given up plays again."},
    [M_ADMIN_TEXTS] = {"admin.texts", ROLE_ADMIN, RATE_READ, SCOPE_READ, false,
                       true,
                       MEMBERS(TABLE_PARAM, {"before", &count, true, NULL},
                               {"limit", &limit, true, NULL}),
                       MEMBERS({"texts", &texts, false, "The latest first."},
                               {"next", &count, true, "Pass it as `before`."}),
                       ERRORS_OF(ERR_FORBIDDEN, ERR_NO_SUCH_TABLE,
                                 ERR_NEWER_CORE),
                       "What was said at a table, in both rooms."},
    [M_ADMIN_TEXTS_REMOVE] =
        {"admin.texts.remove", ROLE_ADMIN, RATE_WRITE, SCOPE_READ, false, true,
         MEMBERS(TABLE_PARAM, {"text", &count, false, "Its number."},
                 {"why", &remark, true, "For the changes."}),
         NO_MEMBERS,
         ERRORS_OF(ERR_FORBIDDEN, ERR_NO_SUCH_TABLE, ERR_NEWER_CORE,
                   ERR_NO_SUCH_TEXT),
         "Takes a text away for good: its body is gone, and a mark is left."
         "  Whoever watches gets it once more by `table.chat`, with the body"
         " null."},
    [M_ADMIN_EXPORT] =
        {"admin.export", ROLE_ADMIN, RATE_READ, SCOPE_READ, false, true,
         MEMBERS(TABLE_PARAM, {"from", &count, true, NULL}),
         MEMBERS({"lines", &record_lines, false, "Of NDJSON."},
                 {"next", &count, true, NULL}),
         ERRORS_OF(ERR_FORBIDDEN, ERR_NO_SUCH_TABLE, ERR_ARCHIVED,
                   ERR_NEWER_CORE),
         "The record of any table, as it is now.  With the seed, who has it"
         " knows every hidden card and every draw to come."},
    [M_ADMIN_IMPORT] =
        {"admin.import", ROLE_ADMIN, RATE_WRITE, SCOPE_READ, true, false,
         MEMBERS({"lines", &record_lines, false, "Of NDJSON, in order."},
                 {"first", &boolean, true, "A record begins with these."},
                 {"last", &boolean, true, "And ends with these."}),
         OPEN_MEMBERS({"lines", &count, false, "Taken so far."},
                      {"table", &id, true, "With `last`: its id."}),
         ERRORS_OF(ERR_FORBIDDEN, ERR_BAD_RECORD, ERR_NOT_FINISHED),
         "Takes the record of a finished game, in as many pieces as messages"
         " need, checks all of it, and keeps it under a new id.  What"
         " `admin.archive` took away gets its own again: the table is as it"
         " was, with its players and what they said."},
    [M_ADMIN_ARCHIVE] =
        {"admin.archive", ROLE_ADMIN, RATE_WRITE, SCOPE_READ, false, true,
         MEMBERS(TABLE_PARAM,
                 {"chain", &hash, false,
                  "Of its last ply: whoever asks has the record."}),
         MEMBERS({"plies", &count, false, "That are no longer here."}),
         ERRORS_OF(ERR_FORBIDDEN, ERR_NO_SUCH_TABLE, ERR_ARCHIVED,
                   ERR_NEWER_CORE, ERR_NOT_FINISHED, ERR_BAD_RECORD),
         "Takes the log of a finished game out of the store, for good: its"
         " record has to be kept elsewhere.  Lists show the table no more, and"
         " who asks for it hears `archived`."},
    [M_ADMIN_USERS] =
        {"admin.users", ROLE_ADMIN, RATE_READ, SCOPE_READ, false, false,
         MEMBERS({"guests", &boolean, true, "Only guests, or none."},
                 {"banned", &boolean, true, "Only who is barred now."},
                 {"after", &next, true, NULL}, {"limit", &limit, true, NULL}),
         MEMBERS({"users", &persons, false, NULL},
                 {"next", &next, true, NULL}),
         ERRORS_OF(ERR_FORBIDDEN), "Accounts, by name."},
    [M_ADMIN_USER] =
        {"admin.user", ROLE_ADMIN, RATE_READ, SCOPE_READ, false, false,
         MEMBERS({"user", &name, false, NULL}),
         MEMBERS({"user", &person, false, NULL},
                 {"email", &line_or_null, false, NULL},
                 {"password", &boolean, false, "There is one."},
                 {"sessions", &count, false, NULL},
                 {"tokens", &count, false, "Of bots."},
                 {"tables", &helds, false, "Open and running ones."},
                 {"limits", &user_limits, false, "How many there may be."},
                 {"login_wait_ms", &count, false,
                  "So long the next log-in under that name is refused, after"
                  " too many that failed."}),
         ERRORS_OF(ERR_FORBIDDEN, ERR_NO_SUCH_USER), "One user."},
    [M_ADMIN_USERS_RENAME] =
        {"admin.users.rename", ROLE_ADMIN, RATE_WRITE, SCOPE_READ, false,
         false,
         MEMBERS({"user", &name, false, NULL},
                 {"name", &name, false, "From now on."}),
         MEMBERS({"user", &user, false, NULL}),
         ERRORS_OF(ERR_FORBIDDEN, ERR_NO_SUCH_USER, ERR_NAME_TAKEN),
         "Another name; open and running tables learn of it by a ply."},
    [M_ADMIN_USERS_ADD] =
        {"admin.users.add", ROLE_ADMIN, RATE_WRITE, SCOPE_READ, false, false,
         MEMBERS({"name", &name, false, NULL},
                 {"password", &password, false, NULL},
                 {"email", &email, true, NULL}),
         MEMBERS({"user", &user, false, NULL}),
         ERRORS_OF(ERR_FORBIDDEN, ERR_NAME_TAKEN),
         "Makes an account, also where nobody may register."},
    [M_ADMIN_USERS_PASSWORD] =
        {"admin.users.password", ROLE_ADMIN, RATE_WRITE, SCOPE_READ, false,
         false,
         MEMBERS({"user", &name, false, NULL},
                 {"password", &password, false, NULL}),
         MEMBERS({"ended", &count, false, "Connections."}),
         ERRORS_OF(ERR_FORBIDDEN, ERR_NO_SUCH_USER, ERR_IS_A_GUEST),
         "Sets a password and ends all sessions and tokens of the account."},
    [M_ADMIN_USERS_BAN] =
        {"admin.users.ban", ROLE_ADMIN, RATE_WRITE, SCOPE_READ, false, false,
         MEMBERS({"user", &name, false, NULL},
                 {"until", &at, true, "For good, if it is not there."},
                 {"why", &remark, true, "The user is told."}),
         MEMBERS({"ended", &count, false, "Connections."}),
         ERRORS_OF(ERR_FORBIDDEN, ERR_NO_SUCH_USER),
         "Bars a user and ends all sessions and tokens; tables stay as they"
         " are.  A log-in is refused as `banned`, with `until` and `why`."
         "  Once more: the later one holds."},
    [M_ADMIN_USERS_UNBAN] = {"admin.users.unban", ROLE_ADMIN, RATE_WRITE,
                             SCOPE_READ, false, false,
                             MEMBERS({"user", &name, false, NULL}), NO_MEMBERS,
                             ERRORS_OF(ERR_FORBIDDEN, ERR_NO_SUCH_USER,
                                       ERR_NOT_BANNED),
                             "Lets a user in again before the time."},
    [M_ADMIN_USERS_DELETE] =
        {"admin.users.delete", ROLE_ADMIN, RATE_WRITE, SCOPE_READ, false,
         false, MEMBERS({"user", &name, false, NULL}),
         MEMBERS({"ended", &count, false, "Connections."},
                 {"resigned", &count, false, "Running tables."},
                 {"left", &count, false, "Open tables."}),
         ERRORS_OF(ERR_FORBIDDEN, ERR_NO_SUCH_USER),
         "Deletes an account: open tables are left, running ones resigned;"
         " name, password, address, sessions, invitations and notes go, the"
         " name is free.  Records, which hold no names, stay true; what was"
         " said at tables stays, by nobody."},
    [M_ADMIN_USERS_EXPORT] =
        {"admin.users.export", ROLE_ADMIN, RATE_READ, SCOPE_READ, false, false,
         MEMBERS({"user", &name, false, NULL},
                 {"part", &person_part, true,
                  "If it is not there: the account and its tokens."},
                 {"from", &count, true, "Where the answer before ended."}),
         MEMBERS({"rows", &stored_things, false, NULL},
                 {"next", &count, true, "There is more: pass it as `from`."}),
         ERRORS_OF(ERR_FORBIDDEN, ERR_NO_SUCH_USER),
         "All that is stored about somebody, part by part."},
    [M_ADMIN_SESSIONS] = {"admin.sessions", ROLE_ADMIN, RATE_READ, SCOPE_READ,
                          false, false,
                          MEMBERS({"user", &name, true, NULL},
                                  {"after", &next, true, NULL},
                                  {"limit", &limit, true, NULL}),
                          MEMBERS({"sessions", &sessions, false, NULL},
                                  {"next", &next, true, NULL}),
                          ERRORS_OF(ERR_FORBIDDEN, ERR_NO_SUCH_USER),
                          "Sessions and bots' tokens."},
    [M_ADMIN_SESSIONS_END] =
        {"admin.sessions.end", ROLE_ADMIN, RATE_WRITE, SCOPE_READ, false,
         false,
         MEMBERS({"id", &id, true, "Of a session ..."},
                 {"user", &name, true, "... or whose shall all end."}),
         MEMBERS({"ended", &count, false, "Connections."}),
         ERRORS_OF(ERR_FORBIDDEN, ERR_NO_SUCH_USER, ERR_NO_SUCH_TOKEN),
         "Ends a session, or all of a user's, tokens of bots among them."},
    [M_ADMIN_LINKS] =
        {"admin.links", ROLE_ADMIN, RATE_READ, SCOPE_READ, false, false,
         MEMBERS({"purpose", &link_purpose, false, NULL},
                 {"after", &next, true, NULL}, {"limit", &limit, true, NULL}),
         MEMBERS({"links", &links, false, NULL}, {"next", &next, true, NULL}),
         ERRORS_OF(ERR_FORBIDDEN),
         "One-time links of a purpose, those that are over for less than thirty"
         " days among them; without their codes, which are nowhere."},
    [M_ADMIN_LINKS_CREATE] =
        {"admin.links.create", ROLE_ADMIN, RATE_WRITE, SCOPE_READ, false,
         false,
         MEMBERS({"purpose", &link_purpose, false, NULL},
                 {"user", &name, true, "With `reset`: whose password."},
                 {"uses", &uses, true, "With `register`; else 1."},
                 {"until", &at, true,
                  "Else two weeks for `register`, a day for `reset`."}),
         MEMBERS({"link", &one_link, false, NULL},
                 {"code", &token, false, "Only here."},
                 {"address", &line, false, "Of the page, with the code."},
                 {"url", &any, false,
                  "Where the page is (`server.url`), or \"\"."}),
         ERRORS_OF(ERR_FORBIDDEN, ERR_NO_SUCH_USER, ERR_IS_A_GUEST),
         "A one-time link: an invitation to register, or one that sets a user's"
         " password; of these a new one ends the one before."},
    [M_ADMIN_LINKS_REVOKE] = {"admin.links.revoke", ROLE_ADMIN, RATE_WRITE,
                              SCOPE_READ, false, false,
                              MEMBERS({"purpose", &link_purpose, false, NULL},
                                      {"link", &id, false, NULL}),
                              NO_MEMBERS,
                              ERRORS_OF(ERR_FORBIDDEN, ERR_NO_SUCH_LINK),
                              "A link is good for nothing any more."},
    [M_ADMIN_BROADCAST] = {"admin.broadcast", ROLE_ADMIN, RATE_WRITE,
                           SCOPE_READ, false, false,
                           MEMBERS({"text", &remark, false, NULL}),
                           MEMBERS({"told", &count, false, "Connections."}),
                           ERRORS_OF(ERR_FORBIDDEN),
                           "Says something to all who are there."},
    [M_ADMIN_BACKUP] =
        {"admin.backup", ROLE_ADMIN, RATE_WRITE, SCOPE_READ, false, false,
         MEMBERS({"path", &path, false,
                  "From the root on, where the server may write; it must not"
                  " be there."}),
         MEMBERS({"bytes", &count, false, "Of the copy."}),
         ERRORS_OF(ERR_FORBIDDEN, ERR_BUSY, ERR_OPERATION_FAILED),
         "Copies the store, as it is at one moment, while people play.  All of"
         " the copy is looked at before it gets its name."},
    [M_ADMIN_CHECK] =
        {"admin.check", ROLE_ADMIN, RATE_CHEAP, SCOPE_READ, false, false,
         MEMBERS({"start", &boolean, true, "Begin, if none is under way."},
                 {"stop", &boolean, true, "End the one that is."}),
         MEMBERS({"store", &store_state, false, NULL}),
         ERRORS_OF(ERR_FORBIDDEN, ERR_OPERATION_FAILED),
         "Looks at all of the store's file in the background; tells how far it"
         " is, and what came of the last one."},
    [M_ADMIN_VACUUM] =
        {"admin.vacuum", ROLE_ADMIN, RATE_WRITE, SCOPE_READ, false, false,
         NO_MEMBERS,
         MEMBERS({"before", &count, false, "Bytes of the file."},
                 {"after", &count, false, NULL}),
         ERRORS_OF(ERR_FORBIDDEN, ERR_BUSY, ERR_OPERATION_FAILED),
         "Writes the store's file anew without its holes.  Moves wait"
         " meanwhile; looking does not."},
    [M_ADMIN_PRUNE] =
        {"admin.prune", ROLE_ADMIN, RATE_WRITE, SCOPE_READ, false, false,
         MEMBERS({"dry_run", &boolean, true, "Only count."}),
         MEMBERS({"tokens", &count, false, "That had expired."},
                 {"keys", &count, false, "Older than a day."}),
         ERRORS_OF(ERR_FORBIDDEN),
         "Drops what is over; guests go by themselves.  Tables, logs and texts"
         " stay."},
    [M_ADMIN_CONFIG] = {"admin.config", ROLE_ADMIN, RATE_CHEAP, SCOPE_READ,
                        false, false, NO_MEMBERS,
                        MEMBERS({"settings", &settings, false, NULL},
                                {"problem", &sentence, true,
                                 "What is wrong with the file by now."}),
                        ERRORS_OF(ERR_FORBIDDEN),
                        "What is in force, and where it comes from."},
    [M_ADMIN_LOG] = {"admin.log", ROLE_ADMIN, RATE_CHEAP, SCOPE_READ, false,
                     false,
                     MEMBERS({"level", &log_level, true, "From now on."}),
                     MEMBERS({"level", &log_level, false, NULL}),
                     ERRORS_OF(ERR_FORBIDDEN),
                     "What is logged, until the next start."},
    [M_ADMIN_SHUTDOWN] =
        {"admin.shutdown", ROLE_ADMIN, RATE_CHEAP, SCOPE_READ, false, false,
         MEMBERS({"seconds",
                  &(const struct shape){.kind = SHAPE_INT, .max = 604800},
                  true, "0: at once."},
                 {"text", &remark, true, "People are told."},
                 {"cancel", &boolean, true, "The server stays after all."}),
         MEMBERS({"ends", &at_or_null, false, NULL}),
         ERRORS_OF(ERR_FORBIDDEN, ERR_NO_SHUTDOWN),
         "Ends the server in a while.  People are told at once and again an"
         " hour, 10 minutes, 1 minute and 10 seconds before."},
    [M_ADMIN_AUDIT] =
        {"admin.audit", ROLE_ADMIN, RATE_READ, SCOPE_READ, false, false,
         MEMBERS({"table", &id, true, NULL}, {"user", &name, true, NULL},
                 {"before", &count, true, NULL},
                 {"limit", &limit, true, NULL}),
         MEMBERS({"changes", &changes, false, NULL},
                 {"next", &count, true,
                  "There is more: pass it as"
                  " `before`."}),
         ERRORS_OF(ERR_FORBIDDEN, ERR_NO_SUCH_TABLE, ERR_NO_SUCH_USER),
         "Every change made through this socket, the latest first."},
    [M_ADMIN_MOTD] = {"admin.motd", ROLE_ADMIN, RATE_WRITE, SCOPE_READ, false,
                      false, MEMBERS({"text", &remark, false, NULL}),
                      NO_MEMBERS, ERRORS_OF(ERR_FORBIDDEN),
                      "What people read in the lobby, until the next start;"
                      " who is there is told."},
    [M_ADMIN_MOTD_END] = {"admin.motd.end", ROLE_ADMIN, RATE_WRITE, SCOPE_READ,
                          false, false, NO_MEMBERS, NO_MEMBERS,
                          ERRORS_OF(ERR_FORBIDDEN),
                          "They read nothing there, until the next start."},
    [M_ADMIN_MAINTENANCE] =
        {"admin.maintenance", ROLE_ADMIN, RATE_WRITE, SCOPE_READ, false, false,
         MEMBERS({"text", &remark, true, "People are told."}), NO_MEMBERS,
         ERRORS_OF(ERR_FORBIDDEN),
         "The server is read only until it is told otherwise, or till the next"
         " start: people can log in and look, and whatever would change"
         " anything is refused with `maintenance` and the text."},
    [M_ADMIN_MAINTENANCE_END] = {"admin.maintenance.end", ROLE_ADMIN,
                                 RATE_WRITE, SCOPE_READ, false, false,
                                 NO_MEMBERS, NO_MEMBERS,
                                 ERRORS_OF(ERR_FORBIDDEN),
                                 "People may play again."},
};

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
                         " abandoned, seated, unseated, chat …"},
                        {"table", &id, false, NULL}),
                    "Something concerns you."},
    [N_SERVER_NOTICE] = {"server.notice",
                         OPEN_MEMBERS(
                             {"kind", &line, false,
                              "broadcast, shutdown, shutdown_cancelled, motd,"
                              " motd_over, maintenance, maintenance_over;"
                              " banned, session_ended, account_deleted: the"
                              " connection closes."},
                             {"text", &remark, true, NULL},
                             {"at", &at, true,
                              "When it goes down; now, if it says nothing."},
                             {"until", &at_or_null, true, "Of a ban."},
                             {"why", &remark_or_null, true, "Of a ban."}),
                         "The server has something to say to everybody."},
};

const struct shape *const method_types[] = {
    &ply,     &at,   &id,    &name,   &hash, &seat,  &move, &user,
    &summary, &view, &event, &update, &text, &board, NULL,
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
