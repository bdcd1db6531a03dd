/* rules.h -- one interface for every board game.
 *
 * The model is a fold: a state plus a move gives the next state, and nothing
 * else in the world takes part.  No function here allocates, reads a clock,
 * draws a random number of its own, or touches a file; the same bytes in give
 * the same bytes out on the server, in a client and in the browser.
 *
 *     setup -> state -> (legal -> check -> apply -> events)* -> score
 *
 * Chance is a player, and draws late.  When the RULES_NATURE bit of
 * state.acting is set, the caller draws nature's move with rules_chance(),
 * records it in the log like any other, and applies it.  A card is drawn at
 * the moment somebody needs it, from the multiset of those unseen; no state
 * holds the order of a deck.  A log replays without its seed.
 *
 * Hidden information is a smaller state, not another type: rules_view() gives
 * the state as one viewer may know it, and that view encodes, shows, lists
 * legal moves and scores through these same functions.  There is one gate:
 * what a seat may do, and why not, is always computed on its view, whatever
 * state it was asked of, so that no answer can tell more than the view does.
 * Only rules_apply() touches the true state.  A *logged* move, too, has a form
 * per viewer: rules_redact_move().
 *
 * A game is one constant struct rules; games.c lists them.  core/README.md
 * tells how to write one. */

#ifndef CORE_RULES_H
#define CORE_RULES_H

#include <stdalign.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fields.h"
#include "rng.h"

struct rules;
struct rules_state;

/* Limits.  Everything has one, so that a caller can allocate once. */
#define RULES_SEATS_MAX      8
#define RULES_ARGS_MAX       6
#define RULES_OPTIONS_MAX    8
#define RULES_PARTS_MAX      12
#define RULES_STATE_MAX      8192  /* bytes in the largest game's state */
#define RULES_MOVES_MAX      20000 /* legal moves in any one position */
#define RULES_EVENTS_MAX     256   /* events one move can cause */
#define RULES_TEXT_MAX       256 /* bytes of a move or event as text, with NUL */
#define RULES_PARAMETERS_MAX 8   /* of an asset that is made */

/* Viewers and actors that are not players. */
enum {
    RULES_NATURE = RULES_SEATS_MAX, /* deals the cards and rolls the dice */
    RULES_WATCHER,                  /* sees what everybody sees */
    RULES_ALL                       /* sees everything: the true state */
};
#define RULES_BIT(seat)  ((uint16_t)(1u << (seat)))
#define RULES_EVERYONE   ((uint16_t)0xffff)
#define RULES_BUT(seat)  ((uint16_t)(0xffff & ~(1u << (seat))))
#define RULES_KIND(kind) (UINT64_C(1) << (kind)) /* of an event */

/* Arguments that are not values. */
#define RULES_NONE   INT16_MIN       /* absent */
#define RULES_HIDDEN (INT16_MIN + 1) /* there, but not for this viewer */

/* Why a move or a setup was refused.  A refusal is an answer, not a failure:
 * the state is untouched and play goes on.  Games number their own reasons
 * downwards from RULES_GAME and name them in rules->reasons. */
enum {
    RULES_OK = 0,
    RULES_GAME_OVER = -1,
    RULES_NOT_YOUR_TURN = -2,
    RULES_UNKNOWN_VERB = -3,
    RULES_BAD_ARGUMENT = -4,
    RULES_UNSEEN = -5,    /* this view cannot tell what the move would do */
    RULES_BAD_SETUP = -6, /* see struct rules_problem */
    RULES_MALFORMED = -7, /* bytes or words that no state is told by */
    RULES_GAME = -100
};

/* ---- what moves are made of ------------------------------------------ */

/* How a kind of argument travels. */
enum rules_form {
    RULES_NUMBER, /* an amount, a level: a number */
    RULES_SEAT,   /* a player: a number from 0 */
    RULES_FLAG,   /* true or false */
    RULES_WORD,   /* one of WORDS, whose place is the value */
    RULES_PLACE   /* a space of this table's board: WRITE and READ name it */
};

struct rules_kind {
    const char *name; /* "card", "hex", "amount" */
    enum rules_form form;
    int16_t min, max;         /* of a RULES_NUMBER */
    const char *const *words; /* of a RULES_WORD; ends with NULL */
    /* Of a RULES_PLACE: there are *count* of them, from 0.  WRITE puts the
     * name of VALUE, which exists, into BUF and returns its length; READ finds
     * the value of a name and returns whether there is one. */
    int16_t (*count)(const struct rules_state *s);
    size_t (*write)(const struct rules_state *s, int16_t value, char *buf,
                    size_t cap);
    bool (*read)(const struct rules_state *s, const char *text, size_t len,
                 int16_t *ret_value);
};

struct rules_arg {
    const char *name; /* NULL: the verb has no more arguments */
    const struct rules_kind *kind;
    bool optional; /* may be absent */
};

/* A verb or an event: its wire name and what its arguments mean.  Names are
 * never changed or given another meaning: stored logs speak them. */
struct rules_word {
    const char *name;
    struct rules_arg arg[RULES_ARGS_MAX];
    bool nature;      /* a verb of chance, never a player's */
    const char *text; /* a sentence for people */
};

/* One choice.  Moves, events and plies have no padding, so equal ones are
 * equal bytes. */
struct rules_move {
    uint16_t verb;               /* index into rules->verbs */
    int16_t arg[RULES_ARGS_MAX]; /* absent ones are RULES_NONE */
};

/* A move with up to three arguments, the others absent. */
#define RULES_MOVE(v, a, b, c) \
    ((struct rules_move){(uint16_t)(v), \
                         {(int16_t)(a), (int16_t)(b), (int16_t)(c), \
                          RULES_NONE, RULES_NONE, RULES_NONE}})

/* What a seat may choose: a move, or (free amounts) all moves that differ from
 * it in argument RANGED, which runs from MIN to MAX. */
struct rules_choice {
    struct rules_move move; /* its ranged argument is MIN */
    int16_t ranged;         /* -1: none */
    int16_t min, max;
};

/* One fact that came of a move, for logs, animation and clients that do not
 * know the rules.  Where players see different things, emit one event each. */
struct rules_event {
    uint8_t kind;     /* index into rules->events */
    uint8_t seat;     /* whom it is about; RULES_NATURE: nobody */
    uint16_t seen_by; /* RULES_BIT of each viewer who may be told */
    int16_t arg[RULES_ARGS_MAX];
};

/* What a ply was, as far as taking it back is concerned. */
enum {
    RULES_REVEALED = 1,   /* it showed something hidden */
    RULES_DREW = 2,       /* chance answered it; set by rules_apply() */
    RULES_FINAL = 4,      /* the rules forbid to take it back */
    RULES_INDEPENDENT = 8 /* plies of other seats in the same simultaneous
                           * step do not rest on it, nor it on them */
};

/* All that came of one move. */
struct rules_events {
    uint16_t count;
    uint16_t flags; /* RULES_REVEALED … */
    struct rules_event at[RULES_EVENTS_MAX];
};

/* One line of a table's log.  Setup plus these is the whole game. */
struct rules_ply {
    uint16_t seat; /* a player, or RULES_NATURE */
    struct rules_move move;
};

/* ---- state and score -------------------------------------------------- */

/* What every game's state begins with.  A state is plain data of state_size
 * bytes: no pointers, copied by memcpy(), compared by rules_hash() and never
 * by memcmp().  The rules of a game may set ACTING and MAY and read SEATS,
 * REVISION and VIEWER; PLY and ASKED are bookkeeping, which no rule reads. */
struct rules_state {
    uint32_t ply;      /* moves applied so far */
    uint16_t revision; /* of the rules this table was set up under */
    uint16_t acting;   /* RULES_BIT of each who is waited for; 0: it is over */
    uint16_t may;   /* RULES_BIT of each who can move but is not waited for */
    uint8_t seats;  /* players, 1..RULES_SEATS_MAX */
    uint8_t viewer; /* RULES_ALL, or whose view this is */
    /* The ply at which each seat's present question was put: a move answers
     * the question of that number.  It is the same question still when a seat
     * that could move is waited for then.  0 while a seat has none. */
    uint32_t asked[RULES_SEATS_MAX];
};

/* Room for any game's state. */
union rules_any {
    struct rules_state state;
    alignas(8) unsigned char bytes[RULES_STATE_MAX];
};

/* Points if scoring happened this moment, or the result. */
struct rules_score {
    int32_t total[RULES_SEATS_MAX];
    int32_t part[RULES_PARTS_MAX][RULES_SEATS_MAX]; /* as rules->parts */
    uint16_t parts;                 /* bit set of the parts that apply here */
    uint8_t place[RULES_SEATS_MAX]; /* 1 is first, ties share; 0 until over */
};

/* A category of points; its wire name, and words for people. */
struct rules_part {
    const char *name, *text;
};

/* ---- setting up ------------------------------------------------------- */

struct rules_option {
    const char *name;
    int16_t min, max, default_value;
    const char *const *words; /* words[value - min], or NULL */
    bool flag;                /* told as true and false */
    const char *text;
};

/* Bytes that a game may be set up with, e.g. a board, under a name. */
struct rules_asset {
    const char *name;
    const char *text;
    size_t len;
};

/* What one may ask of an asset that is made rather than chosen: a number from 0
 * to MAX, or one of WORDS, whose place is the number. */
struct rules_parameter {
    const char *name;
    int32_t max;
    const char *const *words; /* ends with NULL; NULL: a number */
    int32_t offered;          /* what a form begins with; -1: nothing */
};

struct rules_problem;

/* An asset in the making, of its game. */
struct rules_draft;
enum rules_progress { RULES_MORE, RULES_READY, RULES_REFUSED };

/* What the assets of a game are, and how they travel.  There are two kinds:
 * boards, of which each table may have its own, and datasets, numbers that the
 * operator chooses for all new tables of the game. */
struct rules_asset_kind {
    const char *name;  /* "board"; "tables" of a dataset: on the wire */
    const char *title; /* several of them, for people: "boards" */
    /* How their texts are told, "haz": on the wire, and at the end of the names
     * of files.  No reader sees more than BYTES_MAX. */
    const char *format;
    size_t bytes_max;
    bool dataset;
    /* Makes an asset of VALUES, one for each of the parameters and -1 for the
     * default, the same one for the same chance, and writes it to BUF as
     * snprintf() would.  0, with WHY's rule, text and option (a parameter)
     * filled in, if there is none like that.  NULL: none can be made. */
    size_t (*generate)(const int32_t *values, struct rng *rng, char *buf,
                       size_t cap, struct rules_problem *why);
    /* The same a little at a time, for who has others to look after: a draft of
     * DRAFT_BYTES is begun, worked on
     * for EFFORT tenths of a microsecond, about, until it is ready, and written.
     * False, or RULES_REFUSED, with WHY as above. */
    size_t draft_bytes;
    bool (*draft_begin)(struct rules_draft *draft, const int32_t *values,
                        const struct rng *rng, struct rules_problem *why);
    enum rules_progress (*draft_step)(struct rules_draft *draft,
                                      uint32_t effort,
                                      struct rules_problem *why);
    size_t (*draft_write)(const struct rules_draft *draft, char *buf,
                          size_t cap);
    const struct rules_parameter *parameters; /* ends with a NULL name */
};

struct rules_setup {
    int seats;
    uint16_t revision;      /* of the rules to be played; 0: the latest */
    const int16_t *options; /* one per rules->options, RULES_NONE for the
                               * default; NULL: all defaults */
    const char *asset_name; /* one of rules->assets, or NULL */
    const char *asset; /* bytes, if ASSET_NAME is NULL; NULL: the default */
    size_t asset_len;
    /* A true state of a game set up like that, which this one begins in, its
     * plies counted anew: it is a fork.  NULL: it begins at the beginning. */
    const struct rules_state *position;
};

/* What is wrong with a setup. */
struct rules_problem {
    const char *rule;   /* a stable word: "bad_seats", "missing_cell" */
    const char *text;   /* a sentence */
    const char *option; /* the option it is about, or NULL */
    uint32_t line;      /* of the asset, from 1; 0: not about the asset */
};

/* ---- a game ----------------------------------------------------------- */

/* Told of a row of numbers about which something is not certain: SECTION and
 * the name of the ROW, and what the DOUBT is; nothing ends the last two but
 * their lengths. */
typedef void rules_doubt_cb(void *arg, const char *section, const char *row,
                            size_t row_len, const char *doubt,
                            size_t doubt_len);

/* What the words of a kind mean, whether they are arguments or only shown:
 * TEXTS[i] is a sentence for people about WORDS[i].  Both end with NULL. */
struct rules_glossary {
    const char *kind; /* "effect", "event" */
    const char *const *words, *const *texts;
};

struct rules_reason {
    const char *name, *text;
};

/* A number of one's own that players look at before they move. */
#define RULES_FIGURES_MAX 8
struct rules_figure {
    const char *name, *text; /* "pesos", as people call it within a sentence */
};

/* Moves being gathered; see rules_offer(). */
struct rules_list {
    const struct rules *rules;
    const struct rules_state *state;
    int seat;
    int verb;     /* only moves of this verb; -1: of all */
    size_t count; /* choices found, even those past the capacity */
    size_t cap;
    struct rules_choice *at;
};

/* One game: a constant table of functions and words.  Callers use the
 * rules_*() functions below, never these directly. */
struct says;

struct rules {
    const char *name;  /* folder, registry and wire name: "ludo" */
    const char *title; /* for people: "Ludo" */
    uint16_t revision; /* raised whenever an old log would replay otherwise */
    uint8_t seats_min, seats_max;
    uint32_t plies_max; /* no game is longer; bounds every test and fuzzer */
    size_t state_size;

    const struct rules_word *verbs, *events; /* each ends with a NULL name */
    const struct rules_option *options;      /* ends with a NULL name */
    const struct rules_reason *reasons;      /* reasons[i]: RULES_GAME - i;
                                              * ends with a NULL name */
    const struct rules_part *parts;          /* ends with a NULL name */
    const struct rules_glossary *glossary;   /* ends with a NULL kind, or
                                              * NULL */
    const struct says *says; /* sentences; ends with a NULL lang, or NULL; see
                              * says.h */
    const struct rules_asset *assets; /* ends with a NULL name, or NULL;
                                              * the first is the default */
    const struct rules_asset_kind *asset_kind; /* NULL without assets */

    /* Fills all but the header's seats, revision and viewer, given zeroed
     * memory.  OPTIONS are within their ranges or RULES_NONE where not chosen;
     * CHOSEN->asset_name is one of assets.  RULES_OK, or RULES_BAD_SETUP with
     * WHY filled in. */
    int (*setup)(struct rules_state *s, const struct rules_setup *chosen,
                 const int16_t *options, struct rules_problem *why);
    /* Puts into OPTIONS, which holds what was chosen or else the defaults,
     * what S was set up with where that is something else.  May be NULL. */
    void (*options_of)(const struct rules_state *s, int16_t *options);
    /* The name of the asset that goes with what S was set up with, where no
     * other can; else NULL.  May be NULL. */
    const char *(*asset_of)(const struct rules_state *s);
    /* Proposes moves to LIST in one fixed order; check() disposes of them. */
    void (*propose)(const struct rules_state *s, int seat,
                    struct rules_list *list);
    /* Says whether MOVE is legal for SEAT, who can move.  The verb is one of
     * its kind and every argument is what its kind allows, or RULES_NONE where
     * optional.  On a view that cannot tell, it judges by what is seen. */
    int (*check)(const struct rules_state *s, int seat,
                 const struct rules_move *move);
    /* Plays MOVE, which check() accepted.  On a true state it cannot fail; on
     * a view it may answer RULES_UNSEEN, having changed nothing. */
    int (*apply)(struct rules_state *s, int seat,
                 const struct rules_move *move, struct rules_events *events);
    /* Draws nature's move.  NULL for a game without chance. */
    void (*chance)(const struct rules_state *s, struct rng *rng,
                   struct rules_move *move);
    /* Erases what VIEWER may not know.  NULL where nothing is hidden. */
    void (*redact)(struct rules_state *s, int viewer);
    /* Puts RULES_HIDDEN for each argument of MOVE, about to be played by SEAT
     * in S, that VIEWER may not know; S may be their view.  Which these are
     * rests on nothing hidden.  NULL where nothing is. */
    void (*redact_move)(const struct rules_state *s, int seat, int viewer,
                        struct rules_move *move);
    /* Puts something that may be there in the place of all that redact()
     * erased for VIEWER, drawn evenly.  S, whose header says RULES_ALL, holds
     * their view, and is a true state then.  NULL where nothing is hidden. */
    void (*guess)(struct rules_state *s, int viewer, struct rng *rng);
    /* The move of SEAT that commits it to least, for those that gave up and
     * for clocks.  NULL: the first legal. */
    void (*default_move)(const struct rules_state *s, int seat,
                         struct rules_move *move);
    /* The number of the turn that whoever is asked in S has, for clocks: the
     * same for all questions of one turn, whoever is asked something in
     * between.  NULL: each question is a turn. */
    uint32_t (*turn)(const struct rules_state *s);
    /* The move by which SEAT, who is waited for in S, its view, passes; false:
     * there is none now.  NULL: the game knows no pass. */
    bool (*pass)(const struct rules_state *s, int seat,
                 struct rules_move *move);
    /* The number of the round of S, for who passes until it ends: one that is
     * over does not come back.  Where there is a pass there are rounds. */
    uint32_t (*round)(const struct rules_state *s);
    /* Kinds of events after which an answer that was prepared before them is
     * still meant, as RULES_KIND(): whoever they are about, and if they are
     * about somebody else than who prepared it.  None of them shows anything
     * that was hidden. */
    uint64_t harmless, harmless_of_others;
    void (*score)(const struct rules_state *s, struct rules_score *score);
    /* What must hold of any state or view but no single field can say: each
     * card in one place, coins conserved.  May be NULL. */
    bool (*valid)(const struct rules_state *s);
    /* Computes what the state keeps besides its fields, after they were read.
     * May be NULL; must not fail on anything that fields() lets through. */
    void (*derive)(struct rules_state *s);
    /* Visits every field after the header; see fields.h. */
    void (*fields)(struct fields *f, struct rules_state *s);
    /* Makes the whole dataset S is played with one of its fields, where these
     * only name it, for who shows it to people.  NULL: they lack nothing. */
    void (*spell_out)(struct rules_state *s);

    /* What players look at before they move (preview.h): the figures, ending
     * with a NULL name, and what they are for SEAT in S, a view.  NULL: points
     * if the game were scored now. */
    const struct rules_figure *figures;
    void (*count)(const struct rules_state *s, int seat,
                  int64_t figure[RULES_FIGURES_MAX]);
    /* The same as they will be after MOVE, which is legal, where to play it on
     * the view would not show that; false: it does.  May be NULL. */
    bool (*foresee)(const struct rules_state *s, int seat,
                    const struct rules_move *move,
                    int64_t figure[RULES_FIGURES_MAX]);

    /* What people should know of the game's numbers, such as which of them are
     * estimates: sentences, ending with NULL.  NULL: nothing. */
    const char *const *notes;
    /* The same of an asset's numbers, which setup() accepts: calls DOUBT for
     * each row.  NULL where assets have no numbers of that kind. */
    void (*doubts)(const char *asset, size_t len, void *arg,
                   rules_doubt_cb *doubt);
};

/* The games, in the order they are offered; ends with NULL. */
extern const struct rules *const rules_all[];
/* The game of that name, or NULL. */
const struct rules *rules_find(const char *name);

/* Whether R is set up with boards, or is played with a dataset. */
static inline bool rules_has_boards(const struct rules *r)
{
    return r->asset_kind != NULL && !r->asset_kind->dataset;
}
static inline bool rules_has_dataset(const struct rules *r)
{
    return r->asset_kind != NULL && r->asset_kind->dataset;
}

/* Sets S up.  RULES_OK, or RULES_BAD_SETUP with *WHY filled in (its texts are
 * constants; WHY may be NULL). */
int rules_setup(const struct rules *r, struct rules_state *s,
                const struct rules_setup *setup, struct rules_problem *why);

/* Writes to OPTIONS the values S was set up with by SETUP, all of them: chosen,
 * by default, or implied by others.  With these in its place SETUP does the
 * same. */
void rules_options(const struct rules *r, const struct rules_state *s,
                   const struct rules_setup *setup,
                   int16_t options[RULES_OPTIONS_MAX]);

/* The name of the built-in asset S was set up with by SETUP, chosen or implied
 * by an option; NULL if it is the default or has no name. */
const char *rules_asset_name(const struct rules *r,
                             const struct rules_state *s,
                             const struct rules_setup *setup);

/* Writes SEAT's legal choices to OUT, at most CAP, always in the same order:
 * all, or those of VERB if that is not -1.  Returns how many there are, which
 * may be more than CAP; 0 for who can neither act nor may. */
size_t rules_legal(const struct rules *r, const struct rules_state *s,
                   int seat, int verb, struct rules_choice *out, size_t cap);

/* RULES_OK if SEAT may play MOVE now, otherwise why not. */
int rules_check(const struct rules *r, const struct rules_state *s, int seat,
                const struct rules_move *move);

/* Checks and plays MOVE.  EVENTS receives what came of it.  On a refusal S is
 * untouched and EVENTS is empty.  Played on a view, it gives the view of what
 * the true state would be, or RULES_UNSEEN where that rests on something
 * hidden; a move told to the viewer (rules_redact_move()) can be played so,
 * too. */
int rules_apply(const struct rules *r, struct rules_state *s, int seat,
                const struct rules_move *move, struct rules_events *events);

/* Draws the move of nature, who must be acting.  The caller applies it. */
void rules_chance(const struct rules *r, const struct rules_state *s,
                  struct rng *rng, struct rules_move *move);

/* Writes to REDACTED the move that SEAT is about to play in S, as VIEWER may
 * know it.  S is the true state before the move. */
void rules_redact_move(const struct rules *r, const struct rules_state *s,
                       int seat, const struct rules_move *move, int viewer,
                       struct rules_move *redacted);

/* Writes to VIEW the state as VIEWER may know it.  S may be VIEWER's view. */
void rules_view(const struct rules *r, const struct rules_state *s, int viewer,
                struct rules_state *view);

/* Writes to GUESSED a true state that could be what VIEW is a view of, drawn
 * evenly from all that its viewer may not know: their view of it is VIEW. */
void rules_guess(const struct rules *r, const struct rules_state *view,
                 struct rng *rng, struct rules_state *guessed);

/* Writes to RESAMPLED a true state that VIEWER could not tell from S, a true
 * state: the guess of their view. */
void rules_resample(const struct rules *r, const struct rules_state *s,
                    int viewer, struct rng *rng,
                    struct rules_state *resampled);

/* The legal move of SEAT, who can move, that commits it to least: played for
 * those who gave up. */
void rules_default_move(const struct rules *r, const struct rules_state *s,
                        int seat, struct rules_move *move);

/* Points if scoring happened this moment, or the result of a finished game. */
void rules_score(const struct rules *r, const struct rules_state *s,
                 struct rules_score *score);

/* What clocks have to know of a state: who is waited for, who of these and the
 * others was asked by the last move, and the number of the turn, or
 * RULES_NO_TURN where each question is one. */
struct rules_moment {
    uint16_t acting, asked;
    uint32_t turn;
};
#define RULES_NO_TURN UINT32_MAX
struct rules_moment rules_moment(const struct rules *r,
                                 const struct rules_state *s);

/* What orders that are given ahead have to know: the move by which SEAT, who is
 * waited for, passes, false if there is none now; the number of the round, or
 * RULES_NO_ROUND where the game knows no pass; and whether an answer that VIEWER
 * had prepared is still meant after EVENTS, by what they are told of these. */
#define RULES_NO_ROUND UINT32_MAX
bool rules_pass(const struct rules *r, const struct rules_state *s, int seat,
                struct rules_move *move);
uint32_t rules_round(const struct rules *r, const struct rules_state *s);
bool rules_harmless(const struct rules *r, const struct rules_events *events,
                    int viewer);

static inline bool rules_over(const struct rules_state *s)
{
    return s->acting == 0;
}

/* Whether SEAT can move: is waited for, or may. */
static inline bool rules_can_move(const struct rules_state *s, int seat)
{
    return ((s->acting | s->may) & RULES_BIT(seat)) != 0;
}

/* The state, or a view, as canonical bytes that end with a check sum.  Encode
 * returns the length needed and writes at most CAP of them.  Decode trusts
 * nothing: RULES_OK, or RULES_MALFORMED with S unspecified. */
size_t rules_encode(const struct rules *r, const struct rules_state *s,
                    uint8_t *buf, size_t cap);
int rules_decode(const struct rules *r, struct rules_state *s,
                 const uint8_t *buf, size_t len);
uint64_t rules_hash(const struct rules *r, const struct rules_state *s);
/* Whether what must hold of every state holds of S. */
bool rules_valid(const struct rules *r, const struct rules_state *s);

/* Tells the game's own fields of S in words, as members of an object that the
 * caller has opened.  The header is not among them. */
void rules_show(const struct rules *r, const struct rules_state *s,
                const struct fields_sink *sink);

/* The inverse: reads the game's own fields into S, whose header the caller has
 * filled in.  RULES_OK, or RULES_MALFORMED with S unspecified. */
int rules_read(const struct rules *r, struct rules_state *s,
               const struct fields_source *source);

/* The same where a game was stopped from without, given up or abandoned: nobody
 * can move in S, whatever its fields say, so that it need not be valid.  Such
 * a state is to be looked at and scored, and for nothing else. */
int rules_read_stopped(const struct rules *r, struct rules_state *s,
                       const struct fields_source *source);

/* Tells SINK what to change in what was shown of BEFORE to make it what would
 * be shown of AFTER, a later state of the same table and viewer. */
void rules_diff(const struct rules *r, const struct rules_state *before,
                const struct rules_state *after,
                const struct fields_sink *sink);

/* Plays PLIES from the start.  RULES_OK, or the first refusal with *AT its
 * index. */
int rules_replay(const struct rules *r, struct rules_state *s,
                 const struct rules_setup *setup,
                 const struct rules_ply *plies, size_t count, size_t *at);

/* What undo has to know of a ply: who, and the flags of its events. */
struct rules_done {
    uint16_t seat;
    uint16_t flags;
};

enum rules_undo {
    RULES_UNDO_YES,
    RULES_UNDO_REVEALED,
    RULES_UNDO_DRAWN,
    RULES_UNDO_FINAL,
    RULES_UNDO_OTHERS_MOVED,
    RULES_UNDO_NOTHING
};

/* Whether SEAT may take back its last of the COUNT plies DONE, those already
 * taken back not among them; *AT is its index if so. */
enum rules_undo rules_undo(const struct rules_done *done, size_t count,
                           int seat, size_t *at);
/* "revealed", "drawn" … as on the wire. */
const char *rules_undo_word(enum rules_undo why);

/* A refusal as an identifier fit for the wire ("cell_taken") and as a
 * sentence for people. */
const char *rules_reason(const struct rules *r, int refusal);
const char *rules_reason_text(const struct rules *r, int refusal);

/* ---- for games -------------------------------------------------------- */

/* For propose(): adds MOVE to LIST if check() accepts it, and with it those
 * that differ in argument RANGED up to MAX (all of which check() accepts). */
void rules_offer(struct rules_list *list, const struct rules_move *move);
void rules_offer_range(struct rules_list *list, const struct rules_move *move,
                       int ranged, int16_t max);
/* Whether LIST wants moves of VERB at all: lets propose() skip whole loops. */
static inline bool rules_wants(const struct rules_list *list, int verb)
{
    return list->verb < 0 || list->verb == verb;
}

/* For apply(): adds an event; *its arguments* are absent but for A, B, C. */
void rules_emit(struct rules_events *events, int kind, int seat,
                uint16_t seen_by, int a, int b, int c);

/* For apply(): puts SEAT a new question although it was asked before. */
void rules_ask(struct rules_state *s, int seat);

/* For score(): computes the totals of the parts. */
void rules_sum(struct rules_score *score, int seats);
/* For score(): places by total, then by TIE (or NULL), more is better. */
void rules_rank(struct rules_score *score, int seats, const int32_t *tie);

#endif
