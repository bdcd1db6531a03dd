/* table_types.h -- what tables, their games and their records are made of. */

#ifndef PROTOCOL_METHODS_TABLE_TYPES_H
#define PROTOCOL_METHODS_TABLE_TYPES_H

#include "../table_state.h"
#include "core/clock.h"
#include "types.h"

/* clang-format off: tables are laid out by hand. */

static const struct shape table_state = WORDS(TABLE_STATES_READABLE);
static const struct shape any_state = WORDS(TABLE_STATES);
static const struct shape start_word = WORDS("full", "manual");
static const struct shape level_word = WORDS("random", "greedy", "search");
static const struct shape levels = {
    .kind = SHAPE_LIST,
    .max = RULES_SEATS_MAX - 1,
    .item = &level_word,
};
static const struct shape room = WORDS("table", "spectators");
static const struct shape detail = WORDS("summary", "detailed");

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
    {"due", &at, true,
     "When its time is up; it is not there if no clock of "
     "it runs."},
    {"offered", &is_true, true, "Others may take it: table.take."},
    {"asked", &is_true, true, "A vote that is open waits for it."},
    {"bot", &is_true, true, "The account is a bot's."},
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

#define SECONDS(name, least) \
    static const struct shape name = {.kind = SHAPE_INT, \
                                      .min = least, \
                                      .max = PACE_PERIOD_MAX}
SECONDS(pace_seconds, 0);
SECONDS(gift_seconds, 1);
#undef SECONDS
static const struct shape_member pace_members[] = {
    {"free", &pace_seconds, true, "Of each turn; 0 if it is not there."},
    {"bank", &pace_seconds, true, "Used after that; 0."},
    {"add", &pace_seconds, true, "To the bank, at a turn's end; 0."},
    {"cap", &pace_seconds, true, "Up to which it is added; as the bank."},
    END,
};
static const struct shape pace = {
    .name = "pace",
    .kind = SHAPE_OBJECT,
    .members = pace_members,
    .text = "How long a turn may take, in seconds: `free` and then what is in "
            "the `bank`, together 30 s to 90 days.",
};
static const struct shape pace_or_null = {
    .kind = SHAPE_OBJECT,
    .members = pace_members,
    .null = true,
};
static const struct shape policy_word = WORDS("mild", "bot", "open", "out",
                                              "end");
static const struct shape excused = {.kind = SHAPE_INT, .max = EXCUSED_MAX};
static const struct shape_member misses_members[] = {
    {"excused", &excused, true, "How many of each seat; 1."},
    {"then", &policy_word, true, "What comes of those after them; mild."},
    END,
};
static const struct shape misses = {
    .name = "misses",
    .kind = SHAPE_OBJECT,
    .members = misses_members,
    .text = "What comes of a deadline that passes.",
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
        {"start", &start_word, false, NULL}, \
        {"pace", &pace_or_null, false, "null: there are no deadlines."}, \
        {"misses", &misses, true, "With a pace, as what follows."}, \
        {"hours", &boolean, true, "Clocks run in people's hours alone."}, \
        {"absence", &boolean, true, "... and not while they are away."}, \
        {"created", &at, false, NULL}, \
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
static const struct shape nonces = {
    .kind = SHAPE_LIST,
    .max = RULES_SEATS_MAX,
    .item = &nonce_or_null,
};
static const struct shape_member from_members[] = {
    {"table", &id, false, NULL},
    {"ply", &ply, false, "Where that was left."},
    END,
};
static const struct shape from_where = OBJECT(from_members);
static const struct shape pass_word = WORDS("round");
static const struct shape_member order_members[] = {
    {"after", &ply, false, "The last ply when it was given."},
    {"pass", &pass_word, true, "Pass whenever you can until the round ends."},
    {"move", &move, true, "Play this when you are next asked, or nothing."},
    END,
};
static const struct shape order = {
    .kind = SHAPE_OBJECT,
    .members = order_members,
    .text = "What the table does for you as soon as you are asked: one of pass"
            " and move.",
};
static const struct shape order_or_null = {
    .kind = SHAPE_OBJECT,
    .members = order_members,
    .null = true,
};
static const struct shape_member table_members[] = {
    SUMMARY_MEMBERS,
    {"from", &from_where, true, "Of a fork: the table that it goes on from."},
    {"again_of", &id, true,
     "Its game is played again here: a rematch, or opened in its place."},
    {"again_at", &id, true,
     "Of a table that is over: where its game is played again."},
    {"mine", &boolean, false,
     "You made it: you start it, and seat bots, wherever you sit."},
    {"revision", &count, false, "Of the rules it is played by."},
    {"board_text", &file_text, true, "The file of an uploaded board."},
    {"tables_csv", &file_text, true, "The operator's own tables."},
    {"notes", &words, true, "What is not certain about its numbers."},
    {"commitment", &hash, false, NULL},
    {"nonces", &nonces, false, NULL},
    {"seed", &hash_or_null, false, "Published when the game is over."},
    {"invited", &words, false, "Names."},
    {"invited_until", &at_or_null, true,
     "Of who is invited: when that ends; null: with the start."},
    {"order", &order, true, "What you have ordered here."},
    END,
};
static const struct shape table = OBJECT(table_members);

static const struct shape_member my_table_members[] = {
    SUMMARY_MEMBERS,
    {"you", &seat_or_null, false, "Your seat; null: you are invited."},
    {"your_turn", &boolean, false, NULL},
    {"since", &at, false, "When what is asked of you was asked."},
    {"due", &at_or_null, false, "When your time is up; null: it never is."},
    {"unread", &count, false, "Texts you have not read."},
    END,
};
static const struct shape my_table = OBJECT(my_table_members);
static const struct shape my_tables = {
    .kind = SHAPE_LIST,
    .max = 1000,
    .item = &my_table,
};

static const struct shape_member due_table_members[] = {
    {"table", &id, false, NULL},
    {"due", &at, false, "When the first of its clocks runs out."},
    END,
};
static const struct shape due_table = OBJECT(due_table_members);
static const struct shape due_tables = {
    .kind = SHAPE_LIST,
    .max = 200,
    .item = &due_table,
};

static const struct shape missed = {.kind = SHAPE_INT, .max = 3};
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
    {"bot", &is_true, true, "The account is a bot's."},
    {"due", &at_or_null, true,
     "With a pace, as what follows: when its time is up; null: its clock does "
     "not run."},
    {"bank", &count, true, "What is in its bank, in milliseconds."},
    {"missed", &missed, true, "Turns in a row that are not excused."},
    {"gone", &boolean, true, "It is played for at once."},
    {"offered", &boolean, true, "Others may take it."},
    {"absent", &at_or_null, true, "It is away until then."},
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
    {"reason", &line, false, "finished, resigned, timeout, abandoned."},
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
static const struct shape vote_about = WORDS("cancel", "pause", "give",
                                             "replace", "take_back", "resume");
static const struct shape vote_seats = {
    .kind = SHAPE_LIST,
    .max = RULES_SEATS_MAX,
    .item = &seat,
};
static const struct shape_member vote_members[] = {
    {"ply", &ply, false, "Its number."},
    {"about", &vote_about, false, NULL},
    {"seat", &seat, false, "Who opened it."},
    {"to", &seat, true, "Of give and replace: whose seat."},
    {"seconds", &gift_seconds, true, "Of give."},
    {"pause_until", &at, true, "Of pause."},
    {"until", &at, false, "When its time is over."},
    {"asked", &vote_seats, false, "Who has a say; all have to agree."},
    {"agreed", &vote_seats, false, "Who has."},
    {"silent", &boolean, false,
     "Once its time is over, who has said nothing has agreed."},
    END,
};
static const struct shape vote_or_null = {
    .kind = SHAPE_OBJECT,
    .members = vote_members,
    .null = true,
    .text = "The vote that is open.",
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
    {"paused", &at_or_null, true, "With a pace: until then."},
    {"vote", &vote_or_null, true, NULL},
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
/* A format of another game; its rules say which there is, if any. */
static const struct shape other_board = {
    .kind = SHAPE_MAP,
    .item = &file_text,
    .text = "A board in the format of the game, if that is another.",
};
static const struct shape builtin_board = OBJECT(builtin_members);
static const struct shape haz_board = OBJECT(haz_members);
static const struct shape generate_board = OBJECT(generate_members);
static const struct shape board = {
    .name = "board",
    .kind = SHAPE_ONE_OF,
    .choices = (const struct shape *const[]){&builtin_board, &haz_board,
                                             &generate_board, &other_board,
                                             NULL},
    .text = "one of {\"builtin\": name}, {\"haz\": text}, {\"generate\": {}}",
};
static const struct shape invitees = {
    .kind = SHAPE_LIST,
    .max = 32,
    .item = &name,
};

/* clang-format on */

#endif
