/* glue.c -- the rules core for the page.
 *
 * There is no JSON here.  What the core tells goes value by value to the
 * page's own functions (tell_*), which build objects of it; what it reads back
 * it asks of them in the same way (give_*).  Texts from the page stand in one
 * buffer.  One game, one state and one log at a time; core.js is the only
 * caller and knows the order of calls. */

#include "core/audit.h"
#include "core/base.h"
#include "core/fit.h"
#include "core/preview.h"
#include "core/rules.h"
#include "core/sha256.h"
#include "core/text.h"

#include "given.h"
#include "glue.h"

enum { TEXT_BYTES = 1 << 17, AUDIT_PLIES = 20000 };

/* What is told: name is NULL in a list; type as enum fields_type. */
IMPORT("open") void tell_open(const char *name, int list);
IMPORT("close") void tell_close(void);
IMPORT("value")
void tell_value(const char *name, int type, double number, const char *word,
                size_t len);

struct given given;

static char text[TEXT_BYTES];
static const struct rules *rules;
static union rules_any base, now; /* as read or set up; after what was tried */
static struct rules_events events;
static struct rules_choice choices[RULES_MOVES_MAX];
static int16_t options[RULES_OPTIONS_MAX];

/* ---- telling ------------------------------------------------------------ */

static void say_text(const char *name, const char *word)
{
    size_t len = 0;
    while (word != NULL && word[len] != '\0')
        len++;
    tell_value(name, word != NULL ? FIELDS_WORD : FIELDS_NULL, 0, word, len);
}

static void say_number(const char *name, double number)
{
    tell_value(name, FIELDS_NUMBER, number, NULL, 0);
}

static void say_flag(const char *name, bool flag)
{
    tell_value(name, FIELDS_BOOL, flag, NULL, 0);
}

static void sink_open(void *arg, const char *name, bool list)
{
    (void)arg;
    tell_open(name, list);
}

static void sink_close(void *arg, bool list)
{
    (void)arg, (void)list;
    tell_close();
}

static void sink_value(void *arg, const char *name,
                       const struct fields_value *v)
{
    (void)arg;
    tell_value(name, (int)v->type, (double)v->number, v->word, v->word_len);
}

static const struct fields_sink sink = {
    .open = sink_open,
    .close = sink_close,
    .value = sink_value,
};

static void say_args(const struct rules_word *word,
                     const struct rules_state *s, const int16_t *arg)
{
    char buf[64];

    for (int i = 0; i < RULES_ARGS_MAX && word->arg[i].name != NULL; i++) {
        const char *name = word->arg[i].name;
        if (arg[i] == RULES_NONE)
            continue;
        if (arg[i] == RULES_HIDDEN) {
            tell_value(name, FIELDS_NULL, 0, NULL, 0);
            continue;
        }
        size_t len = text_word(word->arg[i].kind, s, arg[i], buf, sizeof(buf));
        if (len > 0)
            tell_value(name, FIELDS_WORD, 0, buf, len);
        else if (word->arg[i].kind->form == RULES_FLAG)
            say_flag(name, arg[i] != 0);
        else
            say_number(name, arg[i]);
    }
}

static void say_move(const char *name, const struct rules_move *move)
{
    tell_open(name, false);
    say_text("verb", rules->verbs[move->verb].name);
    say_args(&rules->verbs[move->verb], &now.state, move->arg);
    tell_close();
}

static void say_event(const struct rules_event *e, int seats)
{
    tell_open(NULL, false);
    say_text("kind", rules->events[e->kind].name);
    if (e->seat < seats)
        say_number("seat", e->seat);
    else
        say_text("seat", NULL);
    say_args(&rules->events[e->kind], &now.state, e->arg);
    tell_close();
}

static void say_score(const struct rules_score *score, int seats)
{
    for (int seat = 0; seat < seats; seat++) {
        tell_open(NULL, false);
        say_number("total", score->total[seat]);
        say_number("place", score->place[seat]);
        tell_open("parts", false);
        for (int part = 0; rules->parts[part].name != NULL; part++)
            if (score->parts & (1u << part))
                say_number(rules->parts[part].name, score->part[part][seat]);
        tell_close();
        tell_close();
    }
}

/* ---- for ahead.c and guide.c ------------------------------------------------ */

void glue_open(const char *name, bool list)
{
    tell_open(name, list);
}

void glue_close(void)
{
    tell_close();
}

void glue_say_text(const char *name, const char *word)
{
    say_text(name, word);
}

void glue_say_number(const char *name, double number)
{
    say_number(name, number);
}

const struct rules *glue_rules(void)
{
    return rules;
}

struct rules_state *glue_now(void)
{
    return &now.state;
}

int glue_move(const struct rules_state *s, size_t len, struct rules_move *move)
{
    size_t at;
    return text_move_read(rules, s, text, len, move, &at);
}

void glue_say_move(const char *name, const struct rules_move *move)
{
    say_move(name, move);
}

void glue_say_events(const char *name, const struct rules_events *e,
                     int viewer, int seats)
{
    tell_open(name, true);
    for (int i = 0; i < e->count; i++)
        if (e->at[i].seen_by & RULES_BIT(viewer))
            say_event(&e->at[i], seats);
    tell_close();
}

/* ---- reading back ---------------------------------------------------------
 */

static bool source_open(void *arg, const struct fields_step *step, bool list,
                        size_t *count)
{
    (void)arg;
    int n = give_open(step->name, step->index, list);
    *count = n < 0 ? 0 : (size_t)n;
    return n >= 0;
}

static void source_close(void *arg)
{
    (void)arg;
    give_close();
}

static bool source_value(void *arg, const struct fields_step *step,
                         struct fields_value *v)
{
    (void)arg;
    int type = give_value(step->name, step->index);
    if (type < 0)
        return false;
    *v = (struct fields_value){
        .type = (enum fields_type)type,
        .number = (int64_t)given.number,
        .word = given.word,
        .word_len = given.len,
    };
    return true;
}

static const struct fields_source source = {
    .open = source_open,
    .close = source_close,
    .value = source_value,
};

/* ---- exports: texts and games ------------------------------------------- */

EXPORT("text") char *glue_text(void);
EXPORT("text_bytes") size_t glue_text_bytes(void);
EXPORT("given") void *glue_given(void);

char *glue_text(void)
{
    return text;
}

size_t glue_text_bytes(void)
{
    return sizeof(text);
}

void *glue_given(void)
{
    return &given;
}

/* SHA-256 of a text given in pieces; the end puts the 32 bytes at its begin. */
EXPORT("hash_begin") void hash_begin(void);
EXPORT("hash_add") void hash_add(size_t len);
EXPORT("hash_end") void hash_end(void);

static struct sha256 hash;

void hash_begin(void)
{
    sha256_init(&hash);
}

void hash_add(size_t len)
{
    sha256_update(&hash, text, len);
}

void hash_end(void)
{
    sha256_final(&hash, (uint8_t *)text);
}

/* Chooses the game whose name is the text of LEN bytes, all its options as
 * usual.  Whether there is one. */
EXPORT("use") bool use(size_t len);

bool use(size_t len)
{
    ASSERT(len < sizeof(text));
    text[len] = '\0';
    rules = rules_find(text);
    for (int i = 0; i < RULES_OPTIONS_MAX; i++)
        options[i] = RULES_NONE;
    return rules != NULL;
}

/* Sets option I to VALUE, a number as its rules count it: a word's place is to
 * be added to its least value.  Whether it may have it. */
EXPORT("option") bool option(int i, int value, bool word);

bool option(int i, int value, bool word)
{
    const struct rules_option *o = &rules->options[i];
    value += word ? o->min : 0;
    if (value < o->min || value > o->max)
        return false;
    options[i] = (int16_t)value;
    return true;
}

/* The name of asset I, or NULL. */
static const char *asset(int i)
{
    for (int k = 0; rules->assets != NULL && rules->assets[k].name != NULL;
         k++)
        if (k == i)
            return rules->assets[k].name;
    return NULL;
}

/* A board as told, or the default: the text of LEN bytes, or built-in BOARD;
 * -1: neither. */
static struct rules_setup setup_of(int seats, int revision, int board,
                                   size_t len)
{
    return (struct rules_setup){
        .seats = seats,
        .revision = (uint16_t)revision,
        .options = options,
        .asset_name = board >= 0 ? asset(board) : NULL,
        .asset = board < 0 && len > 0 ? text : NULL,
        .asset_len = board < 0 ? len : 0,
    };
}

static int answer(int refusal, const struct rules_problem *why)
{
    if (refusal == RULES_OK)
        return refusal;
    tell_open(NULL, false);
    say_text("rule", why->rule);
    say_text("text", why->text);
    say_text("option", why->option);
    say_number("line", why->line);
    tell_close();
    return refusal;
}

/* Sets a table up; 0, or what is wrong is told. */
EXPORT("setup") int setup(int seats, int revision, int board, size_t len);

int setup(int seats, int revision, int board, size_t len)
{
    struct rules_setup chosen = setup_of(seats, revision, board, len);
    struct rules_problem why = {0};

    int refusal = rules_setup(rules, &base.state, &chosen, &why);
    memcpy(&now, &base, sizeof(now));
    return answer(refusal, &why);
}

/* What else has to change for a table to be set up like that, with what was
 * chosen last, KEEP of enum fit_field, as it is: the whole is told.  Whether
 * there is a way; every option is chosen. */
EXPORT("fit") bool fit(int seats, int board, size_t len, int keep);

bool fit(int seats, int board, size_t len, int keep)
{
    struct rules_setup chosen = setup_of(seats, 0, board, len);

    if (!rules_fit(rules, &chosen, options, keep, &now))
        return false;
    tell_open(NULL, false);
    say_number("seats", chosen.seats);
    say_text("board", chosen.asset_name);
    tell_open("options", false);
    for (int i = 0; rules->options[i].name != NULL; i++) {
        const struct rules_option *o = &rules->options[i];
        if (o->words != NULL)
            say_text(o->name, o->words[options[i] - o->min]);
        else if (o->flag)
            say_flag(o->name, options[i] != 0);
        else
            say_number(o->name, options[i]);
    }
    tell_close();
    tell_close();
    return true;
}

static int32_t wishes[RULES_PARAMETERS_MAX]; /* of generate() */

/* Tells in what format the assets of the game are, how long they may be, and
 * what one may ask of those that are made: the least is 0, -1 the default.
 * Nothing is asked of any yet.  A game without assets tells nothing. */
EXPORT("asset_kind") void asset_kind(void);
/* Asks for VALUE, within its range, of parameter I. */
EXPORT("ask") void ask(int i, int value);
/* Makes an asset as was asked, leaves it in the text and returns its length; 0
 * if there can be none like that, and why is told. */
EXPORT("generate") size_t generate(uint32_t number);

void asset_kind(void)
{
    const struct rules_asset_kind *kind = rules->asset_kind;

    if (kind == NULL)
        return;
    tell_open(NULL, false);
    say_text("format", kind->format);
    say_number("bytes_max", (double)kind->bytes_max);
    tell_open("parameters", true);
    for (int i = 0; kind->generate != NULL && kind->parameters[i].name; i++) {
        const struct rules_parameter *p = &kind->parameters[i];
        wishes[i] = -1;
        tell_open(NULL, false);
        say_text("name", p->name);
        say_number("max", p->max);
        say_number("offered", p->offered);
        tell_open("words", true);
        for (int w = 0; p->words != NULL && p->words[w] != NULL; w++)
            say_text(NULL, p->words[w]);
        tell_close();
        tell_close();
    }
    tell_close();
    tell_close();
}

void ask(int i, int value)
{
    wishes[i] = value;
}

size_t generate(uint32_t number)
{
    uint8_t key[RNG_SEED_SIZE] = {0};
    struct rules_problem problem = {0};
    struct rng rng;

    for (int i = 0; i < 4; i++)
        key[i] = (uint8_t)(number >> (8 * i));
    rng_init(&rng, key, 0);
    size_t len = rules->asset_kind->generate(wishes, &rng, text, sizeof(text),
                                             &problem);
    if (len == 0)
        (void)answer(RULES_BAD_SETUP, &problem);
    return len;
}

/* Tells the game's own fields. */
EXPORT("show") void show(void);
/* Puts among them the whole dataset that they only name. */
EXPORT("spell_out") void spell_out(void);

void spell_out(void)
{
    if (rules->spell_out != NULL)
        rules->spell_out(&now.state);
}

/* ---- exports: a view ------------------------------------------------------
 */

/* Reads a state back from the page; whether it is one. */
EXPORT("read")
bool read_back(int seats, int revision, int viewer, int acting, int may);
EXPORT("score") void score_now(void);
/* Tells what SEAT may do, each with `ranged` null or the argument's name. */
EXPORT("legal") void legal(int seat);
/* Plays the move that stands in the text, as text.h writes it. */
EXPORT("play") int play(int seat, size_t len);
/* Tells what that move would bring SEAT; why it may not, where it may not. */
EXPORT("bring") int bring(int seat, size_t len);
EXPORT("flags") int flags(void);
EXPORT("acting") int acting(void);
EXPORT("may") int may(void);

bool read_back(int seats, int revision, int viewer, int acting_seats,
               int may_seats)
{
    memset(&base.state, 0, sizeof(base.state));
    base.state.seats = (uint8_t)seats;
    base.state.revision = (uint16_t)revision;
    base.state.viewer = (uint8_t)viewer;
    base.state.acting = (uint16_t)acting_seats;
    base.state.may = (uint16_t)may_seats;
    bool good = rules_read(rules, &base.state, &source) == RULES_OK;
    memcpy(&now, &base, sizeof(now));
    return good;
}

void show(void)
{
    tell_open(NULL, false);
    rules_show(rules, &now.state, &sink);
    tell_close();
}

void score_now(void)
{
    struct rules_score score;

    rules_score(rules, &now.state, &score);
    tell_open(NULL, true);
    say_score(&score, now.state.seats);
    tell_close();
}

void legal(int seat)
{
    size_t n = rules_legal(rules, &now.state, seat, -1, choices,
                           RULES_MOVES_MAX);

    tell_open(NULL, true);
    for (size_t i = 0; i < n; i++) {
        const struct rules_choice *c = &choices[i];
        tell_open(NULL, false);
        say_move("move", &c->move);
        if (c->ranged >= 0) {
            say_text("arg", rules->verbs[c->move.verb].arg[c->ranged].name);
            say_number("min", c->min);
            say_number("max", c->max);
        }
        tell_close();
    }
    tell_close();
}

int play(int seat, size_t len)
{
    struct rules_move move;

    int refusal = glue_move(&now.state, len, &move);
    if (refusal == RULES_OK)
        refusal = rules_apply(rules, &now.state, seat, &move, &events);
    return refusal;
}

int bring(int seat, size_t len)
{
    static struct preview_room room;
    const struct rules_figure *figure = preview_figures(rules);
    struct rules_move move;
    struct preview p;

    int refusal = glue_move(&now.state, len, &move);
    if (refusal == RULES_OK)
        refusal = preview_move(rules, &now.state, seat, &move, &room, &p);
    if (refusal != RULES_OK)
        return refusal;
    tell_open(NULL, false);
    say_flag("unseen", p.unseen);
    for (int i = 0; i < p.count; i++) {
        tell_open(figure[i].name, true);
        say_number(NULL, (double)p.before[i]);
        say_number(NULL, (double)p.after[i]);
        tell_close();
    }
    tell_close();
    return RULES_OK;
}

int flags(void)
{
    return events.flags;
}

int acting(void)
{
    return now.state.acting;
}

int may(void)
{
    return now.state.may;
}

/* ---- exports: a log ----------------------------------------------------- */

/* Most pages look at no log, and have a core without: a sixth less to wait for. */
#ifndef WITHOUT_LOGS

static struct audit audit;
static struct audit_ply plies[AUDIT_PLIES];
static char seed[FAIR_SEED_SIZE];
static union rules_any position;
static bool forked; /* POSITION is where the next log begins */

/* The log that is begun next is a fork's, and begins with the state that was read
 * last. */
EXPORT("log_position") void log_position(void);
/* Begins a log: the seed's 64 digits stand before the board in the text. */
EXPORT("log_begin")
int log_begin(int seats, int revision, int board, size_t len);
/* The next entry of KIND (as in `kinds`), whose move or nonce stands in the
 * text; its line is given.  0, or what is wrong with it is told. */
EXPORT("log_step") int log_step(int kind, int seat, double number, size_t len);
/* Whether the log may end here, or what is wrong is told; and the result. */
EXPORT("log_end") int log_end(void);
EXPORT("log_score") void log_score(void);
/* Tells where the log is, as VIEWER is told: the seats, and the events of the
 * last entry, if that was a move.  show() and score() tell the rest, once the
 * game has started. */
EXPORT("log_look") void log_look(int viewer);
/* Tells the words of the kinds of entries. */
EXPORT("kinds") void kinds(void);

void log_position(void)
{
    memcpy(&position, &base, sizeof(position));
    forked = true;
}

int log_begin(int seats, int revision, int board, size_t len)
{
    static char board_text[TEXT_BYTES];
    struct rules_problem why = {0};

    ASSERT(len >= FAIR_SEED_DIGITS && len < sizeof(text));
    memcpy(seed, text, FAIR_SEED_DIGITS);
    len -= FAIR_SEED_DIGITS;
    memcpy(board_text, text + FAIR_SEED_DIGITS, len);
    struct rules_setup chosen = setup_of(seats, revision, board, len);
    if (chosen.asset != NULL)
        chosen.asset = board_text;
    if (forked)
        chosen.position = &position.state;
    forked = false;
    if (!fair_seed_ok(seed)) {
        why.text = "The seed is not 64 hex digits.";
        return answer(RULES_BAD_SETUP, &why);
    }
    uint32_t cap = rules->plies_max < AUDIT_PLIES ? rules->plies_max
                                                  : AUDIT_PLIES;
    int refusal = audit_init(&audit, rules, &chosen, seed, plies, cap, &why);
    struct terms terms;
    if (refusal == RULES_OK && give_terms(&terms)) {
        if (terms_valid(&terms)) {
            give_time_begin(&audit, &terms);
        } else {
            refusal = RULES_BAD_SETUP;
            why.text = "Nobody can have such a pace.";
        }
    }
    return answer(refusal, &why);
}

static int wrong_with(const char *sentence, int refusal)
{
    if (sentence == NULL)
        return 0;
    tell_open(NULL, false);
    say_text("text", sentence);
    if (refusal != RULES_OK)
        say_text("rule", rules_reason(rules, refusal));
    tell_close();
    return 1;
}

int log_step(int kind, int seat, double number, size_t len)
{
    static char nonce[FAIR_NONCE_DIGITS_MAX + 1];
    struct audit_entry entry = {
        .kind = (uint8_t)kind,
        .seat = seat < 0 ? ENTRY_NOBODY : (uint16_t)seat,
        .number = (uint64_t)number,
    };
    int refusal = RULES_OK;
    size_t at;

    if (kind == ENTRY_MOVE) {
        if (audit.state != AUDIT_PLAYING)
            return wrong_with("The game was not being played.", RULES_OK);
        refusal = text_move_read(rules, &audit.any.state, text, len,
                                 &entry.move, &at);
        if (refusal != RULES_OK)
            return wrong_with("There is no such move.", refusal);
    } else if (kind == ENTRY_NONCE) {
        if (len > FAIR_NONCE_DIGITS_MAX)
            return wrong_with("The nonce is too long.", RULES_OK);
        memcpy(nonce, text, len);
        nonce[len] = '\0';
        entry.nonce = nonce;
    }
    give_vote(&entry);
    if (audit.timed && !give_time(&entry))
        return wrong_with("It is too long to be looked at here.", RULES_OK);
    const char *sentence = audit_step(&audit, &entry, &refusal);
    return wrong_with(sentence, refusal);
}

int log_end(void)
{
    return wrong_with(audit_end(&audit), RULES_OK);
}

void log_score(void)
{
    struct rules_score score;

    audit_score(&audit, &score);
    tell_open(NULL, false);
    say_number("state", audit.state);
    tell_open("seats", true);
    say_score(&score, audit.seats);
    tell_close();
    tell_close();
}

/* What clocks show, and what they say of the seats. */
static void say_clocks(void)
{
    struct timing_shown shown;

    timing_show(&audit.timing, &shown);
    tell_open("clocks", true);
    for (int seat = 0; seat < audit.seats; seat++) {
        const struct clock_seat *s = &audit.timing.clock.seat[seat];
        tell_open(NULL, false);
        say_number("due", (double)shown.due[seat]);
        say_number("bank", (double)shown.bank[seat]);
        say_number("absent", (double)s->absent_until_ms);
        say_number("missed", clock_missed(&audit.timing.clock, seat));
        say_flag("gone", s->gone);
        say_flag("offered", timing_offered(&audit.timing, seat));
        tell_close();
    }
    tell_close();
}

void log_look(int viewer)
{
    const struct rules_state *s = &audit.any.state;

    if (audit.state != AUDIT_OPEN)
        rules_view(rules, s, viewer, &now.state);
    tell_open(NULL, false);
    say_number("state", audit.state);
    say_number("seats", audit.seats);
    say_number("resigned", audit.resigned);
    say_number("acting", audit.state == AUDIT_PLAYING ? s->acting : 0);
    say_number("may", audit.state == AUDIT_PLAYING ? s->may : 0);
    if (audit.timed)
        say_clocks();
    glue_say_events("events", &audit.events, viewer, audit.seats);
    tell_close();
}

void kinds(void)
{
    tell_open(NULL, true);
    for (int i = 0; entry_words[i] != NULL; i++)
        say_text(NULL, entry_words[i]);
    tell_close();
}

#endif
