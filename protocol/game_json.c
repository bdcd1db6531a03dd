#include "game_json.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "core/games/hacienda/board.h"
#include "core/text.h"
#include "pointer.h"
#include "sbuf_printf.h"

#define WORD_MAX 64 /* bytes of a word of a kind */

static void clear(struct json_refusal *why)
{
    *why = (struct json_refusal){.code = RULES_OK};
}

/* Fills in WHY; PATH is "" for the whole, or the name of a member. */
__attribute__((format(printf, 4, 5))) static int
refuse(struct json_refusal *why, int code, const char *path,
       const char *format, ...)
{
    va_list args;

    why->code = code;
    if (why->path[0] == '\0' && path[0] != '\0')
        (void)pointer_name(why->path, sizeof(why->path), path);
    va_start(args, format);
    (void)vsnprintf(why->expected, sizeof(why->expected), format, args);
    va_end(args);
    return code;
}

const char *json_refusal_text(const struct json_refusal *why, char *buf,
                              size_t cap)
{
    if (why->sentence != NULL)
        (void)snprintf(buf, cap, "%s", why->sentence);
    else
        (void)snprintf(buf, cap, "expected %s", why->expected);
    return buf;
}

/* The nesting of a text that has not been parsed, as strings may hide
 * brackets; jansson's own limit is far beyond the protocol's. */
static bool nested_too_deep(const char *text, size_t len)
{
    unsigned depth = 0;
    bool quoted = false;

    for (size_t i = 0; i < len; i++) {
        char c = text[i];
        if (quoted) {
            if (c == '\\')
                i++;
            else if (c == '"')
                quoted = false;
        } else if (c == '"') {
            quoted = true;
        } else if (c == '{' || c == '[') {
            if (++depth > JSON_DEPTH_MAX)
                return true;
        } else if ((c == '}' || c == ']') && depth > 0) {
            depth--;
        }
    }
    return false;
}

json_t *json_parse(const char *text, size_t len, char *why)
{
    json_error_t error;

    if (nested_too_deep(text, len)) {
        (void)snprintf(why, JSON_EXPECTED_MAX, "nested deeper than %d",
                       JSON_DEPTH_MAX);
        return NULL;
    }
    json_t *value =
        json_loadb(text, len, JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, &error);
    if (value == NULL)
        (void)snprintf(why, JSON_EXPECTED_MAX, "%s (at character %d)",
                       error.text, error.position);
    return value;
}

size_t json_values(const char *text, size_t len)
{
    size_t count = 1;
    bool quoted = false;

    for (size_t i = 0; i < len; i++) {
        char c = text[i];
        if (c == '"')
            quoted = !quoted;
        else if (quoted)
            i += c == '\\';
        else
            count += c == ',' || c == '{' || c == '[';
    }
    return count;
}

bool json_text_is(const json_t *value, const char *word)
{
    return json_is_string(value) &&
           json_string_length(value) == strlen(word) &&
           memcmp(json_string_value(value), word, strlen(word)) == 0;
}

/* ---- phrases for refusals --------------------------------------------- */

static void say_words(struct sbuf *p, const char *const *words, int count)
{
    for (int i = 0; count < 0 ? words[i] != NULL : i < count; i++)
        sbuf_printf(p, "%s%s", i > 0 ? ", " : "", words[i]);
}

static void say_kind(struct sbuf *p, const struct rules_kind *kind,
                     const struct rules_state *s)
{
    char first[WORD_MAX], last[WORD_MAX];
    int16_t count;

    switch (kind->form) {
    case RULES_NUMBER:
        sbuf_printf(p, "a number from %d to %d", kind->min, kind->max);
        break;
    case RULES_SEAT:
        sbuf_printf(p, "a seat, from 0 to %d", s->seats - 1);
        break;
    case RULES_FLAG: sbuf_puts(p, "true or false"); break;
    case RULES_WORD:
        sbuf_printf(p, "a %s: ", kind->name);
        say_words(p, kind->words, -1);
        break;
    case RULES_PLACE:
        count = kind->count(s);
        if (count <= 0) {
            sbuf_printf(p, "a %s of this table", kind->name);
            break;
        }
        size_t n = kind->write(s, 0, first, sizeof(first));
        size_t m = kind->write(s, (int16_t)(count - 1), last, sizeof(last));
        sbuf_printf(p, "a %s of this table, from %.*s to %.*s", kind->name,
                    (int)n, first, (int)m, last);
        break;
    }
}

/* ---- moves and events ------------------------------------------------- */

static void write_argument(struct json_out *o, const struct rules_arg *arg,
                           const struct rules_state *s, int16_t value)
{
    char word[WORD_MAX];

    if (value == RULES_HIDDEN) {
        out_null(o, arg->name);
    } else if (arg->kind->form == RULES_FLAG) {
        out_bool(o, arg->name, value != 0);
    } else if (arg->kind->form == RULES_NUMBER ||
               arg->kind->form == RULES_SEAT) {
        out_int(o, arg->name, value);
    } else {
        size_t n = text_word(arg->kind, s, value, word, sizeof(word));
        ASSERT(n <= sizeof(word));
        out_string_n(o, arg->name, word, n);
    }
}

static void write_arguments(struct json_out *o, const struct rules_word *word,
                            const struct rules_state *s, const int16_t *arg)
{
    for (int i = 0; i < RULES_ARGS_MAX && word->arg[i].name != NULL; i++)
        if (arg[i] != RULES_NONE)
            write_argument(o, &word->arg[i], s, arg[i]);
}

void json_move(struct json_out *o, const char *key, const struct rules *r,
               const struct rules_state *s, const struct rules_move *move)
{
    out_object(o, key);
    out_string(o, "verb", r->verbs[move->verb].name);
    write_arguments(o, &r->verbs[move->verb], s, move->arg);
    out_end(o);
}

void json_seat(struct json_out *o, const char *key, int seat)
{
    if (seat == RULES_NATURE)
        out_string(o, key, "nature");
    else
        out_int(o, key, seat);
}

void json_event(struct json_out *o, const char *key, const struct rules *r,
                const struct rules_state *s, const struct rules_event *event)
{
    out_object(o, key);
    out_string(o, "kind", r->events[event->kind].name);
    if (event->seat == RULES_NATURE)
        out_null(o, "seat");
    else
        out_int(o, "seat", event->seat);
    write_arguments(o, &r->events[event->kind], s, event->arg);
    out_end(o);
}

void json_events(struct json_out *o, const char *key, const struct rules *r,
                 const struct rules_state *s,
                 const struct rules_events *events, int viewer)
{
    out_list(o, key);
    for (size_t i = 0; i < events->count; i++)
        if (events->at[i].seen_by & RULES_BIT(viewer))
            json_event(o, NULL, r, s, &events->at[i]);
    out_end(o);
}

/* Whether VALUE is an integer that fits; numbers out of the kind's range are
 * for the caller to refuse, who can say what the range is. */
static bool read_int16(const json_t *value, int16_t *ret_value)
{
    json_int_t n = json_integer_value(value);
    if (!json_is_integer(value) || n < INT16_MIN + 2 || n > INT16_MAX)
        return false;
    *ret_value = (int16_t)n;
    return true;
}

static bool read_argument(const struct rules_kind *kind,
                          const struct rules_state *s, const json_t *value,
                          int16_t *ret_value)
{
    switch (kind->form) {
    case RULES_NUMBER:
        return read_int16(value, ret_value) && *ret_value >= kind->min &&
               *ret_value <= kind->max;
    case RULES_SEAT:
        return read_int16(value, ret_value) && *ret_value >= 0 &&
               *ret_value < s->seats;
    case RULES_FLAG:
        *ret_value = json_is_true(value);
        return json_is_boolean(value);
    case RULES_WORD:
    case RULES_PLACE:
        return json_is_string(value) &&
               text_word_read(kind, s, json_string_value(value),
                              json_string_length(value), ret_value);
    }
    return false;
}

static int refuse_argument(struct json_refusal *why,
                           const struct rules_arg *arg,
                           const struct rules_state *s)
{
    struct sbuf p = sbuf_in(why->expected, sizeof(why->expected));

    (void)refuse(why, RULES_BAD_ARGUMENT, arg->name, "%s", "");
    say_kind(&p, arg->kind, s);
    return RULES_BAD_ARGUMENT;
}

static int refuse_verb(const struct rules *r, struct json_refusal *why,
                       int code)
{
    struct sbuf p = sbuf_in(why->expected, sizeof(why->expected));

    (void)refuse(why, code, "verb", "%s", "");
    sbuf_puts(&p, "a verb: ");
    for (int i = 0, n = 0; r->verbs[i].name != NULL; i++)
        if (!r->verbs[i].nature)
            sbuf_printf(&p, "%s%s", n++ > 0 ? ", " : "", r->verbs[i].name);
    return code;
}

static int refuse_unknown(const struct rules_word *verb,
                          struct json_refusal *why, const char *name)
{
    struct sbuf p = sbuf_in(why->expected, sizeof(why->expected));

    (void)refuse(why, RULES_BAD_ARGUMENT, name, "%s", "");
    if (verb->arg[0].name == NULL) {
        sbuf_printf(&p, "no argument: %s has none", verb->name);
        return RULES_BAD_ARGUMENT;
    }
    sbuf_printf(&p, "only the arguments of %s: ", verb->name);
    for (int i = 0; i < RULES_ARGS_MAX && verb->arg[i].name != NULL; i++)
        sbuf_printf(&p, "%s%s", i > 0 ? ", " : "", verb->arg[i].name);
    return RULES_BAD_ARGUMENT;
}

static int find_argument(const struct rules_word *verb, const char *name)
{
    for (int i = 0; i < RULES_ARGS_MAX && verb->arg[i].name != NULL; i++)
        if (strcmp(verb->arg[i].name, name) == 0)
            return i;
    return -1;
}

int json_move_read(const struct rules *r, const struct rules_state *s,
                   const json_t *value, bool told, struct rules_move *ret_move,
                   struct json_refusal *why)
{
    struct rules_move move = RULES_MOVE(0, RULES_NONE, RULES_NONE, RULES_NONE);
    const char *name;
    json_t *given;

    clear(why);
    if (!json_is_object(value))
        return refuse(why, RULES_MALFORMED, "",
                      "an object with a verb and its arguments");
    const json_t *verb = json_object_get(value, "verb");
    if (!json_is_string(verb))
        return refuse_verb(r, why, RULES_UNKNOWN_VERB);
    int v = text_find(r->verbs, json_string_value(verb),
                      json_string_length(verb));
    if (v < 0)
        return refuse_verb(r, why, RULES_UNKNOWN_VERB);
    move.verb = (uint16_t)v;

    const struct rules_word *word = &r->verbs[v];
    json_object_foreach((json_t *)(uintptr_t)value, name, given)
    {
        if (strcmp(name, "verb") == 0)
            continue;
        int i = find_argument(word, name);
        if (i < 0)
            return refuse_unknown(word, why, name);
        if (told && json_is_null(given))
            move.arg[i] = RULES_HIDDEN;
        else if (!read_argument(word->arg[i].kind, s, given, &move.arg[i]))
            return refuse_argument(why, &word->arg[i], s);
    }
    for (int i = 0; i < RULES_ARGS_MAX && word->arg[i].name != NULL; i++)
        if (move.arg[i] == RULES_NONE && !word->arg[i].optional)
            return refuse_argument(why, &word->arg[i], s);
    *ret_move = move;
    return RULES_OK;
}

bool json_event_read(const struct rules *r, const struct rules_state *s,
                     const json_t *value, struct rules_event *ret_event)
{
    const char *kind = json_string_value(json_object_get(value, "kind"));
    const json_t *seat = json_object_get(value, "seat");
    int k = kind != NULL ? text_find(r->events, kind, strlen(kind)) : -1;
    struct rules_event event = {
        .kind = (uint8_t)k,
        .seat = RULES_NATURE,
        .seen_by = RULES_EVERYONE,
    };
    int16_t number;

    if (k < 0)
        return false;
    if (json_is_integer(seat)) {
        if (!read_int16(seat, &number) || number < 0 || number >= s->seats)
            return false;
        event.seat = (uint8_t)number;
    }
    const struct rules_word *word = &r->events[k];
    for (int i = 0; i < RULES_ARGS_MAX; i++)
        event.arg[i] = RULES_NONE;
    for (int i = 0; i < RULES_ARGS_MAX && word->arg[i].name != NULL; i++) {
        const struct rules_arg *arg = &word->arg[i];
        const json_t *given = json_object_get(value, arg->name);
        if (given == NULL)
            continue;
        if (json_is_null(given))
            event.arg[i] = RULES_HIDDEN;
        /* What came of a move may be more than a move may say. */
        else if (!(arg->kind->form == RULES_NUMBER
                       ? read_int16(given, &event.arg[i])
                       : read_argument(arg->kind, s, given, &event.arg[i])))
            return false;
    }
    *ret_event = event;
    return true;
}

/* ---- setting up ------------------------------------------------------- */

void json_options(struct json_out *o, const char *key, const struct rules *r,
                  const int16_t *options)
{
    out_object(o, key);
    for (int i = 0; r->options[i].name != NULL; i++) {
        const struct rules_option *option = &r->options[i];
        int16_t value = options == NULL || options[i] == RULES_NONE
                            ? option->default_value
                            : options[i];
        if (option->flag)
            out_bool(o, option->name, value != 0);
        else if (option->words != NULL)
            out_string(o, option->name, option->words[value - option->min]);
        else
            out_int(o, option->name, value);
    }
    out_end(o);
}

static void say_option(struct sbuf *p, const struct rules_option *option)
{
    if (option->flag) {
        sbuf_puts(p, "true or false");
    } else if (option->words != NULL) {
        sbuf_puts(p, "one of ");
        say_words(p, option->words, option->max - option->min + 1);
    } else {
        sbuf_printf(p, "a number from %d to %d", option->min, option->max);
    }
}

void option_expected(const struct rules_option *option, char *buf, size_t cap)
{
    struct sbuf p = sbuf_in(buf, cap);
    say_option(&p, option);
}

static bool text_is(const char *word, const char *text, size_t len)
{
    return strlen(word) == len && memcmp(word, text, len) == 0;
}

static bool option_word(const struct rules_option *option, const char *text,
                        size_t len, int16_t *ret_value)
{
    for (int16_t v = option->min; v <= option->max; v++) {
        if (text_is(option->words[v - option->min], text, len)) {
            *ret_value = v;
            return true;
        }
    }
    return false;
}

static bool option_flag(const char *text, size_t len, int16_t *ret_value)
{
    static const char *const yes[] = {"1", "on", "true", "yes"};
    static const char *const no[] = {"0", "off", "false", "no"};

    for (size_t i = 0; i < COUNT_OF(yes); i++) {
        if (text_is(yes[i], text, len) || text_is(no[i], text, len)) {
            *ret_value = text_is(yes[i], text, len);
            return true;
        }
    }
    return false;
}

bool option_read(const struct rules_option *option, const char *text,
                 size_t len, int16_t *ret_value)
{
    char digits[8];
    char *end;

    if (option->flag)
        return option_flag(text, len, ret_value);
    if (option->words != NULL)
        return option_word(option, text, len, ret_value);
    if (len == 0 || len >= sizeof(digits))
        return false;
    memcpy(digits, text, len);
    digits[len] = '\0';
    long n = strtol(digits, &end, 10);
    if (*end != '\0' ||
        !(digits[0] == '-' || (digits[0] >= '0' && digits[0] <= '9')) ||
        n < option->min || n > option->max)
        return false;
    *ret_value = (int16_t)n;
    return true;
}

static bool option_from_json(const struct rules_option *option,
                             const json_t *value, int16_t *ret_value)
{
    if (option->flag) {
        *ret_value = json_is_true(value);
        return json_is_boolean(value);
    }
    if (option->words != NULL)
        return json_is_string(value) &&
               option_word(option, json_string_value(value),
                           json_string_length(value), ret_value);
    return read_int16(value, ret_value) && *ret_value >= option->min &&
           *ret_value <= option->max;
}

static int refuse_option(const struct rules *r, struct json_refusal *why,
                         const char *name, const struct rules_option *option)
{
    struct sbuf p = sbuf_in(why->expected, sizeof(why->expected));

    (void)refuse(why, RULES_BAD_SETUP, name, "%s", "");
    why->rule = option != NULL ? "bad_option" : "no_such_option";
    if (option != NULL) {
        say_option(&p, option);
    } else if (r->options[0].name == NULL) {
        sbuf_printf(&p, "no option: %s has none", r->title);
    } else {
        sbuf_printf(&p, "an option of %s: ", r->title);
        for (int i = 0; r->options[i].name != NULL; i++)
            sbuf_printf(&p, "%s%s", i > 0 ? ", " : "", r->options[i].name);
    }
    return RULES_BAD_SETUP;
}

int json_options_read(const struct rules *r, const json_t *value,
                      int16_t options[RULES_OPTIONS_MAX],
                      struct json_refusal *why)
{
    const char *name;
    json_t *given;

    clear(why);
    for (int i = 0; i < RULES_OPTIONS_MAX; i++)
        options[i] = RULES_NONE;
    if (value == NULL || json_is_null(value))
        return RULES_OK;
    if (!json_is_object(value))
        return refuse(why, RULES_BAD_SETUP, "", "an object of options");
    json_object_foreach((json_t *)(uintptr_t)value, name, given)
    {
        int i = 0;
        while (r->options[i].name != NULL &&
               strcmp(r->options[i].name, name) != 0)
            i++;
        if (r->options[i].name == NULL)
            return refuse_option(r, why, name, NULL);
        if (!option_from_json(&r->options[i], given, &options[i]))
            return refuse_option(r, why, name, &r->options[i]);
    }
    return RULES_OK;
}

/* ---- boards and tables -------------------------------------------------- */

bool json_assets_are(const struct rules *r, const char *kind)
{
    return r->asset_kind != NULL && strcmp(r->asset_kind, kind) == 0;
}

static int board_by_name(const struct rules *r, const json_t *value,
                         struct json_board *board, struct json_refusal *why,
                         const char *path)
{
    struct sbuf p = sbuf_in(why->expected, sizeof(why->expected));

    for (const struct rules_asset *a = r->assets;
         json_assets_are(r, "board") && a->name != NULL; a++) {
        if (json_is_string(value) && text_is(a->name, json_string_value(value),
                                             json_string_length(value))) {
            board->name = a->name;
            return RULES_OK;
        }
    }
    (void)refuse(why, RULES_BAD_SETUP, path, "%s", "");
    why->rule = "no_such_asset";
    if (!json_assets_are(r, "board")) {
        sbuf_printf(&p, "no board: %s is played without", r->title);
        return RULES_BAD_SETUP;
    }
    sbuf_puts(&p, "the name of a board: ");
    for (const struct rules_asset *a = r->assets; a->name != NULL; a++)
        sbuf_printf(&p, "%s%s", a == r->assets ? "" : ", ", a->name);
    return RULES_BAD_SETUP;
}

/* VALUE, which is the member NAME and WHAT people call it, is the asset. */
static int asset_by_text(const json_t *value, const char *name,
                         const char *what, struct json_board *board,
                         struct json_refusal *why)
{
    if (!json_is_string(value))
        return refuse(why, RULES_BAD_SETUP, name, "the text of %s", what);
    size_t len = json_string_length(value);
    if (len > HAZ_BYTES_MAX)
        return refuse(why, RULES_BAD_SETUP, name,
                      "the text of %s, at most %d bytes", what, HAZ_BYTES_MAX);
    board->text = malloc(len + 1);
    if (board->text == NULL)
        core_panic(__FILE__, __LINE__, "out of memory");
    memcpy(board->text, json_string_value(value), len + 1);
    board->len = len;
    return RULES_OK;
}

/* A number of a recipe, if it is named. */
static int recipe_number(const json_t *value, const char *name, int64_t max,
                         int64_t *n, struct json_refusal *why)
{
    const json_t *given = json_object_get(value, name);
    if (given == NULL)
        return RULES_OK;
    if (!json_is_integer(given) || json_integer_value(given) < 0 ||
        json_integer_value(given) > max)
        return refuse(why, RULES_BAD_SETUP, name, "a number from 0 to %lld",
                      (long long)max);
    *n = json_integer_value(given);
    return RULES_OK;
}

static int recipe_read(const json_t *value, struct board_recipe *recipe,
                       uint64_t *seed, struct json_refusal *why)
{
    static const char *const members[] = {
        "columns",      "rows", "markets",  "waters", "land_percent",
        "void_percent", "seed", "symmetry", NULL,
    };
    static const char *const symmetries[] = {"none", "half_turn"};
    const char *name;
    json_t *given;

    json_object_foreach((json_t *)(uintptr_t)value, name, given)
    {
        size_t i = 0;
        while (members[i] != NULL && strcmp(members[i], name) != 0)
            i++;
        if (members[i] == NULL) {
            struct sbuf p = sbuf_in(why->expected, sizeof(why->expected));
            (void)refuse(why, RULES_BAD_SETUP, name, "%s", "");
            sbuf_puts(&p, "only ");
            say_words(&p, members, -1);
            return RULES_BAD_SETUP;
        }
    }
    const json_t *way = json_object_get(value, "symmetry");
    size_t symmetry = 0;
    if (way != NULL) {
        while (symmetry < SYMMETRIES &&
               !json_text_is(way, symmetries[symmetry]))
            symmetry++;
        if (symmetry == SYMMETRIES)
            return refuse(why, RULES_BAD_SETUP, "symmetry",
                          "one of none, half_turn");
    }

    int64_t cols = 15, rows = 33;
    if (recipe_number(value, "columns", UINT16_MAX, &cols, why) != RULES_OK ||
        recipe_number(value, "rows", UINT16_MAX, &rows, why) != RULES_OK)
        return RULES_BAD_SETUP;
    *recipe = board_recipe((uint16_t)cols, (uint16_t)rows,
                           (enum symmetry)symmetry);
    int64_t markets = recipe->markets, waters = recipe->waters;
    int64_t land = recipe->land_percent, empty = recipe->void_percent;
    int64_t number = (int64_t)(*seed & INT64_MAX);
    if (recipe_number(value, "markets", UINT8_MAX, &markets, why) ||
        recipe_number(value, "waters", UINT8_MAX, &waters, why) ||
        recipe_number(value, "land_percent", 100, &land, why) ||
        recipe_number(value, "void_percent", 100, &empty, why) ||
        recipe_number(value, "seed", INT64_MAX, &number, why))
        return RULES_BAD_SETUP;
    if (json_object_get(value, "seed") != NULL)
        *seed = (uint64_t)number;
    recipe->markets = (uint8_t)markets;
    recipe->waters = (uint8_t)waters;
    recipe->land_percent = (uint8_t)land;
    recipe->void_percent = (uint8_t)empty;
    return RULES_OK;
}

static int board_by_recipe(const json_t *value, uint64_t seed,
                           struct json_board *ret_board,
                           struct json_refusal *why)
{
    uint8_t key[RNG_SEED_SIZE] = {0};
    struct board_recipe recipe;
    struct recipe_problem problem;
    struct board board;
    struct rng rng;

    if (!json_is_object(value))
        return refuse(why, RULES_BAD_SETUP, "generate",
                      "an object that may be empty");
    if (recipe_read(value, &recipe, &seed, why) != RULES_OK) {
        pointer_within(why->path, sizeof(why->path), "/generate");
        return RULES_BAD_SETUP;
    }
    /* The seed of a board is its number, low byte first. */
    for (size_t i = 0; i < 8; i++)
        key[i] = (uint8_t)(seed >> (8 * i));
    rng_init(&rng, key, 0);
    if (!board_generate(&board, &recipe, &rng, &problem)) {
        (void)refuse(why, RULES_BAD_SETUP,
                     problem.field != NULL ? problem.field : "", "%s", "");
        pointer_within(why->path, sizeof(why->path), "/generate");
        why->sentence = recipe_sentence(problem.rule);
        why->rule = problem.rule;
        return RULES_BAD_SETUP;
    }
    size_t len = haz_write(&board, NULL, NULL, 0);
    ret_board->text = malloc(len + 1);
    if (ret_board->text == NULL)
        core_panic(__FILE__, __LINE__, "out of memory");
    ret_board->len = haz_write(&board, NULL, ret_board->text, len + 1);
    return RULES_OK;
}

int json_board_read(const struct rules *r, const json_t *value, uint64_t seed,
                    struct json_board *ret_board, struct json_refusal *why)
{
    struct json_board board = {0};
    int refusal;

    clear(why);
    *ret_board = board;
    if (value == NULL || json_is_null(value))
        return RULES_OK;
    if (json_is_string(value) || !json_assets_are(r, "board")) {
        refusal = board_by_name(r, value, &board, why, "");
    } else if (json_object_size(value) != 1) {
        refusal = refuse(why, RULES_BAD_SETUP, "",
                         "a name, or an object with "
                         "one of builtin, haz, generate");
    } else if (json_object_get(value, "builtin") != NULL) {
        refusal = board_by_name(r, json_object_get(value, "builtin"), &board,
                                why, "builtin");
    } else if (json_object_get(value, "haz") != NULL) {
        refusal = asset_by_text(json_object_get(value, "haz"), "haz",
                                "a board", &board, why);
    } else if (json_object_get(value, "generate") != NULL) {
        refusal = board_by_recipe(json_object_get(value, "generate"), seed,
                                  &board, why);
    } else {
        refusal = refuse(why, RULES_BAD_SETUP, "",
                         "a name, or an object with "
                         "one of builtin, haz, generate");
    }
    if (refusal == RULES_OK)
        *ret_board = board;
    return refusal;
}

int json_tables_read(const struct rules *r, const json_t *value,
                     struct json_board *ret_tables, struct json_refusal *why)
{
    struct json_board tables = {0};
    int refusal;

    clear(why);
    *ret_tables = tables;
    if (value == NULL || json_is_null(value))
        return RULES_OK;
    if (!json_assets_are(r, "tables"))
        return refuse(why, RULES_BAD_SETUP, "",
                      "no tables: %s is played without", r->title);
    refusal = asset_by_text(json_object_get(value, "csv"), "csv", "tables",
                            &tables, why);
    if (refusal == RULES_OK)
        *ret_tables = tables;
    return refusal;
}

void json_board_done(struct json_board *board)
{
    free(board->text);
    *board = (struct json_board){0};
}

/* ---- scores ----------------------------------------------------------- */

void json_score(struct json_out *o, const char *key, const struct rules *r,
                const struct rules_state *s, const struct rules_score *score)
{
    out_list(o, key);
    for (int seat = 0; seat < s->seats; seat++) {
        out_object(o, NULL);
        out_int(o, "total", score->total[seat]);
        out_object(o, "parts");
        for (int p = 0; p < RULES_PARTS_MAX && r->parts[p].name != NULL; p++)
            if (score->parts & (1u << p))
                out_int(o, r->parts[p].name, score->part[p][seat]);
        out_end(o);
        out_end(o);
    }
    out_end(o);
}

void json_places(struct json_out *o, const char *key,
                 const struct rules_state *s, const struct rules_score *score)
{
    if (!rules_over(s)) {
        out_null(o, key);
        return;
    }
    out_list(o, key);
    for (int seat = 0; seat < s->seats; seat++)
        out_int(o, NULL, score->place[seat]);
    out_end(o);
}

/* ---- states ----------------------------------------------------------- */

void json_game_state(struct json_out *o, const char *key,
                     const struct rules *r, const struct rules_state *s)
{
    struct fields_sink sink = json_sink(o);
    out_object(o, key);
    rules_show(r, s, &sink);
    out_end(o);
}

static void write_seats(struct json_out *o, const char *key, uint16_t bits)
{
    out_list(o, key);
    for (int seat = 0; seat <= RULES_NATURE; seat++)
        if (bits & RULES_BIT(seat))
            json_seat(o, NULL, seat);
    out_end(o);
}

void json_state(struct json_out *o, const char *key, const struct rules *r,
                const struct rules_state *s)
{
    out_object(o, key);
    out_string(o, "game", r->name);
    out_int(o, "revision", s->revision);
    out_int(o, "ply", s->ply);
    out_int(o, "seats", s->seats);
    if (s->viewer < s->seats)
        out_int(o, "viewer", s->viewer);
    else
        out_string(o, "viewer", s->viewer == RULES_ALL ? "all" : "watcher");
    write_seats(o, "acting", s->acting);
    write_seats(o, "may", s->may);
    out_list(o, "asked");
    for (int seat = 0; seat < s->seats; seat++)
        out_int(o, NULL, s->asked[seat]);
    out_end(o);
    json_game_state(o, "game_state", r, s);
    out_end(o);
}

void json_reader_init(struct json_reader *reader, const json_t *object)
{
    *reader = (struct json_reader){.at = {object}};
}

/* Writes down where the first thing is that was not there, or what was asked
 * for last as long as all were. */
static void note_path(struct json_reader *reader,
                      const struct fields_step *last, bool there)
{
    struct sbuf p = sbuf_in(reader->path, sizeof(reader->path));

    if (reader->missing)
        return;
    for (size_t i = 1; i <= reader->depth + 1; i++) {
        const struct fields_step *step = i <= reader->depth ? &reader->step[i]
                                                            : last;
        if (step->name != NULL)
            sbuf_printf(&p, "/%s", step->name);
        else
            sbuf_printf(&p, "/%zu", step->index);
    }
    reader->missing = !there;
}

static const json_t *go_to(struct json_reader *reader,
                           const struct fields_step *step)
{
    const json_t *in = reader->at[reader->depth];
    return step->name != NULL ? json_object_get(in, step->name)
                              : json_array_get(in, step->index);
}

static bool source_open(void *arg, const struct fields_step *step, bool list,
                        size_t *count)
{
    struct json_reader *reader = arg;
    const json_t *to = go_to(reader, step);

    ASSERT(reader->depth < FIELDS_DEPTH_MAX);
    if (to != NULL && (list ? !json_is_array(to) : !json_is_object(to)))
        to = NULL;
    note_path(reader, step, to != NULL);
    reader->depth++;
    reader->at[reader->depth] = to;
    reader->step[reader->depth] = *step;
    *count = list ? json_array_size(to) : 0;
    return to != NULL;
}

static void source_close(void *arg)
{
    struct json_reader *reader = arg;
    ASSERT(reader->depth > 0);
    reader->depth--;
}

static bool source_value(void *arg, const struct fields_step *step,
                         struct fields_value *v)
{
    struct json_reader *reader = arg;
    const json_t *value = go_to(reader, step);
    bool there = true;

    if (json_is_integer(value)) {
        v->type = FIELDS_NUMBER;
        v->number = json_integer_value(value);
    } else if (json_is_string(value)) {
        v->type = FIELDS_WORD;
        v->word = json_string_value(value);
        v->word_len = json_string_length(value);
    } else if (json_is_boolean(value)) {
        v->type = FIELDS_BOOL;
        v->number = json_is_true(value);
    } else if (json_is_null(value)) {
        v->type = FIELDS_NULL;
    } else {
        there = false;
    }
    note_path(reader, step, there);
    return there;
}

struct fields_source json_source(struct json_reader *reader)
{
    return (struct fields_source){
        .open = source_open,
        .close = source_close,
        .value = source_value,
        .arg = reader,
    };
}

static bool read_number(const json_t *value, const char *name, json_int_t max,
                        json_int_t *ret_number)
{
    const json_t *given = json_object_get(value, name);
    *ret_number = json_integer_value(given);
    return json_is_integer(given) && *ret_number >= 0 && *ret_number <= max;
}

static bool read_seats(const json_t *value, const char *name, uint16_t *bits)
{
    const json_t *given = json_object_get(value, name);
    const json_t *seat;
    size_t i;

    *bits = 0;
    if (!json_is_array(given))
        return false;
    json_array_foreach(given, i, seat)
    {
        json_int_t n = json_integer_value(seat);
        if (json_text_is(seat, "nature"))
            n = RULES_NATURE;
        else if (!json_is_integer(seat) || n < 0 || n >= RULES_SEATS_MAX)
            return false;
        *bits |= RULES_BIT(n);
    }
    return true;
}

static bool read_viewer(const json_t *value, const struct rules_state *s,
                        uint8_t *viewer)
{
    const json_t *given = json_object_get(value, "viewer");
    if (json_is_integer(given)) {
        *viewer = (uint8_t)json_integer_value(given);
        return json_integer_value(given) >= 0 &&
               json_integer_value(given) < s->seats;
    }
    *viewer = json_text_is(given, "all") ? RULES_ALL : RULES_WATCHER;
    return json_text_is(given, "all") || json_text_is(given, "watcher");
}

static int read_header(const struct rules *r, const json_t *value,
                       struct rules_state *s, struct json_refusal *why)
{
    json_int_t revision, ply, seats;

    if (!json_is_object(value))
        return refuse(why, RULES_MALFORMED, "", "an object");
    if (!json_text_is(json_object_get(value, "game"), r->name))
        return refuse(why, RULES_MALFORMED, "game", "\"%s\"", r->name);
    if (!read_number(value, "revision", r->revision, &revision) ||
        revision < 1)
        return refuse(why, RULES_MALFORMED, "revision",
                      "a number from 1 to %d", r->revision);
    if (!read_number(value, "ply", r->plies_max, &ply))
        return refuse(why, RULES_MALFORMED, "ply", "a number from 0 to %lu",
                      (unsigned long)r->plies_max);
    if (!read_number(value, "seats", r->seats_max, &seats) ||
        seats < r->seats_min)
        return refuse(why, RULES_MALFORMED, "seats", "a number from %d to %d",
                      r->seats_min, r->seats_max);
    s->revision = (uint16_t)revision;
    s->ply = (uint32_t)ply;
    s->seats = (uint8_t)seats;
    if (!read_viewer(value, s, &s->viewer))
        return refuse(why, RULES_MALFORMED, "viewer",
                      "a seat, \"watcher\" or \"all\"");
    if (!read_seats(value, "acting", &s->acting))
        return refuse(why, RULES_MALFORMED, "acting", "a list of seats");
    if (!read_seats(value, "may", &s->may))
        return refuse(why, RULES_MALFORMED, "may", "a list of seats");

    const json_t *asked = json_object_get(value, "asked");
    if (json_array_size(asked) != s->seats)
        return refuse(why, RULES_MALFORMED, "asked", "a ply for each seat");
    for (size_t i = 0; i < s->seats; i++) {
        const json_t *at = json_array_get(asked, i);
        if (!json_is_integer(at) || json_integer_value(at) < 0 ||
            json_integer_value(at) > ply)
            return refuse(why, RULES_MALFORMED, "asked",
                          "a ply for each seat");
        s->asked[i] = (uint32_t)json_integer_value(at);
    }
    return RULES_OK;
}

int json_state_read(const struct rules *r, const json_t *value,
                    struct rules_state *s, struct json_refusal *why)
{
    struct json_reader reader;

    clear(why);
    memset(s, 0, sizeof(*s));
    int refusal = read_header(r, value, s, why);
    if (refusal != RULES_OK)
        return refusal;
    const json_t *fields = json_object_get(value, "game_state");
    if (!json_is_object(fields))
        return refuse(why, RULES_MALFORMED, "game_state", "an object");
    json_reader_init(&reader, fields);
    struct fields_source source = json_source(&reader);
    refusal = rules_read(r, s, &source);
    if (refusal != RULES_OK) {
        if (reader.missing)
            (void)snprintf(why->path, sizeof(why->path), "%s", reader.path);
        pointer_within(why->path, sizeof(why->path), "/game_state");
        return refuse(why, RULES_MALFORMED, "",
                      reader.missing ? "something of another kind"
                                     : "fields that make a possible state");
    }
    return RULES_OK;
}

size_t json_diff(struct json_out *o, const char *prefix, const struct rules *r,
                 const struct rules_state *before,
                 const struct rules_state *after)
{
    struct json_patch patch;
    json_patch_init(&patch, o, prefix);
    struct fields_sink sink = json_patch_sink(&patch);
    rules_diff(r, before, after, &sink);
    return patch.count;
}
