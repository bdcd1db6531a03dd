/* results_types.h -- what became of games, and how well people play. */

#ifndef PROTOCOL_METHODS_RESULTS_TYPES_H
#define PROTOCOL_METHODS_RESULTS_TYPES_H

#include "types.h"

/* clang-format off: tables are laid out by hand. */

static const struct shape rated_seats = {
    .kind = SHAPE_STRING,
    .words = (const char *const[]){"two", "more", NULL},
    .text = "Games of two, or of more: these are rated apart.",
};

#define RATING_MEMBERS \
    {"rating", &number, false, "In points; 400 more are ten to one."}, \
        {"deviation", &count, false, \
         "How far off it may be: two of three are as near as that."}, \
        {"provisional", &boolean, false, \
         "Too little is known: few games, or few others in them."}, \
        {"games", &count, false, "That were rated."}, \
    { \
        "played", &at, false, "When the last one ended." \
    }

static const struct shape_member rating_members[] = {
    {"game", &game, false, NULL},
    {"seats", &rated_seats, false, NULL},
    RATING_MEMBERS,
    END,
};
static const struct shape rating = {
    .name = "rating",
    .kind = SHAPE_OBJECT,
    .members = rating_members,
    .text = "How well somebody plays a game.",
};
static const struct shape ratings = {
    .kind = SHAPE_LIST,
    .max = 200,
    .item = &rating,
};
static const struct shape_member ranked_members[] = {
    {"user", &id, false, NULL},
    {"name", &name, false, NULL},
    RATING_MEMBERS,
    END,
};
static const struct shape ranked = OBJECT(ranked_members);
static const struct shape rankeds = {
    .kind = SHAPE_LIST,
    .max = 200,
    .item = &ranked,
};

static const struct shape place_or_null = {
    .kind = SHAPE_INT,
    .min = 1,
    .max = 32,
    .null = true,
};
static const struct shape points_or_null = {
    .kind = SHAPE_INT,
    .min = -NUMBER_MAX,
    .max = NUMBER_MAX,
    .null = true,
};
static const struct shape any_name = {
    .kind = SHAPE_STRING,
    .min = 1,
    .max = 24,
    .charset = CHARSET_ID,
    .null = true,
};
static const struct shape_member rerated_members[] = {
    {"user", &id, false, NULL},
    {"name", &any_name, false, "null: they are gone from this server."},
    {"game", &game, false, NULL},
    {"seats", &rated_seats, false, NULL},
    {"before", &points_or_null, false,
     "In points; null: they were not rated.  It may be the same number if"
     " less than a point changed, or only what else is known."},
    {"after", &points_or_null, false, "null: they are not rated any more."},
    END,
};
static const struct shape rerated = OBJECT(rerated_members);
static const struct shape rerateds = {
    .kind = SHAPE_LIST,
    .max = 200,
    .item = &rerated,
};
static const struct shape_member played_members[] = {
    {"user", &id, false, NULL},
    {"name", &any_name, false, "null: they are gone from this server."},
    {"seat", &seat_or_null, false, "null: somebody else took it over."},
    {"place", &place_or_null, false,
     "1 is first, ties share it, who left is last; null: nobody knows any"
     " more, as it was played before this was kept."},
    {"points", &points_or_null, false, "Of the seat; null: the same."},
    {"rating", &number, true, "After it, if it was rated; as what follows."},
    {"deviation", &count, true, NULL},
    END,
};
static const struct shape played = OBJECT(played_members);
static const struct shape playeds = {
    .kind = SHAPE_LIST,
    .max = 32,
    .item = &played,
};
static const struct shape_member game_result_members[] = {
    {"table", &id, false, NULL},
    {"game", &game, false, NULL},
    {"ended", &at, false, NULL},
    {"private", &boolean, false, NULL},
    {"rated", &boolean, false, NULL},
    {"players", &playeds, false, "By place."},
    END,
};
static const struct shape game_result = {
    .name = "result",
    .kind = SHAPE_OBJECT,
    .members = game_result_members,
    .text = "What became of a game.",
};
static const struct shape results = {
    .kind = SHAPE_LIST,
    .max = 200,
    .item = &game_result,
};

static const struct shape thousandths = {.kind = SHAPE_INT, .max = 1000};
static const struct shape_member seat_statistics_members[] = {
    {"wins", &thousandths, false,
     "In thousandths of all games; a shared first place is shared."},
    {"points", &number, false, "In hundredths, on average."},
    END,
};
static const struct shape seat_statistics = OBJECT(seat_statistics_members);
static const struct shape all_seat_statistics = {
    .kind = SHAPE_LIST,
    .max = RULES_SEATS_MAX,
    .item = &seat_statistics,
};
static const struct shape_member statistics_members[] = {
    {"seats", &seats, false, "How many played."},
    {"games", &count, false, NULL},
    {"moves", &count, false, "Of players, in a game on average."},
    {"took", &count, false, "From start to end on average, in seconds."},
    {"seat", &all_seat_statistics, false, "By seat."},
    END,
};
static const struct shape statistics = OBJECT(statistics_members);
static const struct shape all_statistics = {
    .kind = SHAPE_LIST,
    .max = RULES_SEATS_MAX,
    .item = &statistics,
};

/* clang-format on */

#endif
