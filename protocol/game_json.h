/* game_json.h -- moves, events, options, scores and states as JSON, and back.
 *
 * The same for every game: names and words come from the tables of struct
 * rules.  Writing goes through json_out.h; reading takes what jansson parsed,
 * and says of anything it does not take what was expected instead, and where.
 *
 *     move     {"verb": "play_land", "card": "forest", "hex": "C7"}
 *     event    {"kind": "land_played", "seat": 0, "hex": "C7", ...}
 *     options  {"variant1": true, "start": "random", "rounds": 3}
 *     score    [{"total": 12, "parts": {"markets": 3, "land": 9}}, ...]
 *
 * An argument that is absent is left out; one that is hidden from the viewer
 * is null.  Parse with json_parse().  In game_moves.c, game_setup.c and
 * game_state.c. */

#ifndef PROTOCOL_GAME_JSON_H
#define PROTOCOL_GAME_JSON_H

#include <jansson.h>

#include "core/rules.h"
#include "json_in.h"
#include "json_out.h"

#define JSON_PATH_MAX 96 /* bytes of a pointer to what is wrong */

/* Why something was not read. */
struct json_refusal {
    int code;                         /* RULES_UNKNOWN_VERB … */
    char path[JSON_PATH_MAX];         /* JSON pointer within what was read */
    char expected[JSON_EXPECTED_MAX]; /* what should have stood there; "" if */
    const char *sentence;             /* ... this tells more, else NULL */
    const char *rule;                 /* a stable word, if there is one */
    uint32_t line;                    /* of a board's text, from 1, or 0 */
};

/* ---- moves and events ------------------------------------------------- */

/* S is any state of the table. */
void json_move(struct json_out *o, const char *key, const struct rules *r,
               const struct rules_state *s, const struct rules_move *move);

/* Reads a move.  RULES_OK; RULES_UNKNOWN_VERB; RULES_BAD_ARGUMENT for one that
 * is missing, unknown or of another kind, or RULES_MALFORMED for what is no
 * object at all, each with WHY.  With TOLD null stands for a hidden argument;
 * otherwise it is refused. */
int json_move_read(const struct rules *r, const struct rules_state *s,
                   const json_t *value, bool told, struct rules_move *ret_move,
                   struct json_refusal *why);

/* One event: kind, seat (null if it is about nobody) and its arguments. */
void json_event(struct json_out *o, const char *key, const struct rules *r,
                const struct rules_state *s, const struct rules_event *event);
/* A list of those that VIEWER may be told, in order. */
void json_events(struct json_out *o, const char *key, const struct rules *r,
                 const struct rules_state *s,
                 const struct rules_events *events, int viewer);

/* Reads an event back; S is any state of the table.  False if R has none like
 * it: one about the table itself, or of a newer revision. */
bool json_event_read(const struct rules *r, const struct rules_state *s,
                     const json_t *value, struct rules_event *ret_event);

/* A seat as the log tells it: its number, or "nature". */
void json_seat(struct json_out *o, const char *key, int seat);

/* ---- setting up ------------------------------------------------------- */

/* All options; RULES_NONE is told as the default. */
void json_options(struct json_out *o, const char *key, const struct rules *r,
                  const int16_t *options);
/* Reads an object of options, or NULL or null for none, into OPTIONS: those
 * not named are RULES_NONE.  RULES_OK or RULES_BAD_SETUP. */
int json_options_read(const struct rules *r, const json_t *value,
                      int16_t options[RULES_OPTIONS_MAX],
                      struct json_refusal *why);
/* The value of one option given as text on a command line: 1, 0, on, off,
 * true, false for switches, a word, or a number.  Whether there is such. */
bool option_read(const struct rules_option *option, const char *text,
                 size_t len, int16_t *ret_value);
/* What may stand for an option, as a phrase: "true or false". */
void option_expected(const struct rules_option *option, char *buf, size_t cap);

/* What a game is set up with besides options: a name, or a text of the
 * caller's to free, or neither. */
struct json_board {
    const char *name; /* one of rules->assets */
    char *text;
    size_t len;
    struct rules_draft *draft; /* it is being made; see json_board_begin() */
};

/* Reads a board: {"builtin": name}, {FORMAT: text} with the format of the
 * game's asset kind ("haz"), {"generate": {...}} with any of the kind's
 * parameters and a seed (SEED is taken where it has none), or a bare name; NULL
 * or null for the default.  RULES_OK or RULES_BAD_SETUP.  A text is checked
 * by rules_setup() only. */
int json_board_read(const struct rules *r, const json_t *value, uint64_t seed,
                    struct json_board *ret_board, struct json_refusal *why);
/* The same, but what is to be made is only begun: then there is a DRAFT, and the
 * text after as many calls of json_board_make() as it takes, each of which works
 * for EFFORT tenths of a microsecond, about.  RULES_REFUSED with WHY, and *BOARD
 * empty, if there is no board like that. */
int json_board_begin(const struct rules *r, const json_t *value, uint64_t seed,
                     struct json_board *ret_board, struct json_refusal *why);
enum rules_progress json_board_make(const struct rules *r,
                                    struct json_board *board, uint32_t effort,
                                    struct json_refusal *why);
void json_board_done(struct json_board *board);

/* Reads an operator's own dataset, {FORMAT: text}, "csv", from a record; NULL or
 * null for the standard one.  Otherwise as json_board_read(). */
int json_tables_read(const struct rules *r, const json_t *value,
                     struct json_board *ret_tables, struct json_refusal *why);

/* ---- scores and states ------------------------------------------------ */

/* A list with an object for each seat. */
void json_score(struct json_out *o, const char *key, const struct rules *r,
                const struct rules_state *s, const struct rules_score *score);
/* Places by seat, or null while there are none. */
void json_places(struct json_out *o, const char *key,
                 const struct rules_state *s, const struct rules_score *score);

/* The game's own fields of S, as a member. */
void json_game_state(struct json_out *o, const char *key,
                     const struct rules *r, const struct rules_state *s);

/* The members that tell all of a state or view: game, revision, ply, seats,
 * viewer (a seat, "watcher" or "all"), acting and may (seats, or "nature"),
 * asked (a ply for each seat), game_state. */
void json_state(struct json_out *o, const char *key, const struct rules *r,
                const struct rules_state *s);
/* The inverse.  S has room for r->state_size bytes.  RULES_OK or
 * RULES_MALFORMED with WHY. */
int json_state_read(const struct rules *r, const json_t *value,
                    struct rules_state *s, struct json_refusal *why);

/* What rules_read() reads from: an object that jansson parsed.  Members that
 * are not asked for are passed over, as what a newer server might send.  After
 * a failure PATH tells which thing was asked for last. */
struct json_reader {
    const json_t *at[FIELDS_DEPTH_MAX + 1]; /* NULL: there was no such thing */
    struct fields_step step[FIELDS_DEPTH_MAX + 1];
    size_t depth;
    bool missing; /* something was not there; PATH points at it */
    char path[JSON_PATH_MAX];
};
void json_reader_init(struct json_reader *reader, const json_t *object);
struct fields_source json_source(struct json_reader *reader);

/* The patch that makes of what was shown of BEFORE what is shown of AFTER:
 * operations into the list innermost in O; see json_patch_init(). */
size_t json_diff(struct json_out *o, const char *prefix, const struct rules *r,
                 const struct rules_state *before,
                 const struct rules_state *after);

#endif
