#include "game_json_inner.h"

#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "pointer.h"

/* ---- options ---------------------------------------------------------- */

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
        sbuf_words(p, option->words, option->max - option->min + 1);
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
    return json_int16(value, ret_value) && *ret_value >= option->min &&
           *ret_value <= option->max;
}

static int refuse_option(const struct rules *r, struct json_refusal *why,
                         const char *name, const struct rules_option *option)
{
    struct sbuf p = sbuf_in(why->expected, sizeof(why->expected));

    (void)json_refuse(why, RULES_BAD_SETUP, name, "%s", "");
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

    *why = (struct json_refusal){0};
    for (int i = 0; i < RULES_OPTIONS_MAX; i++)
        options[i] = RULES_NONE;
    if (value == NULL || json_is_null(value))
        return RULES_OK;
    if (!json_is_object(value))
        return json_refuse(why, RULES_BAD_SETUP, "", "an object of options");
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

/* ---- assets of a name, or as text -------------------------------------------------- */

static int board_by_name(const struct rules *r, const json_t *value,
                         struct json_board *board, struct json_refusal *why,
                         const char *path)
{
    struct sbuf p = sbuf_in(why->expected, sizeof(why->expected));

    for (const struct rules_asset *a = r->assets;
         rules_has_boards(r) && a->name != NULL; a++) {
        if (json_is_string(value) && text_is(a->name, json_string_value(value),
                                             json_string_length(value))) {
            board->name = a->name;
            return RULES_OK;
        }
    }
    (void)json_refuse(why, RULES_BAD_SETUP, path, "%s", "");
    why->rule = "no_such_asset";
    if (!rules_has_boards(r)) {
        sbuf_printf(&p, "no board: %s is played without", r->title);
        return RULES_BAD_SETUP;
    }
    sbuf_puts(&p, "the name of a board: ");
    for (const struct rules_asset *a = r->assets; a->name != NULL; a++)
        sbuf_printf(&p, "%s%s", a == r->assets ? "" : ", ", a->name);
    return RULES_BAD_SETUP;
}

static void *take_memory(size_t bytes)
{
    void *p = malloc(bytes);
    if (p == NULL)
        core_panic(__FILE__, __LINE__, "out of memory");
    return p;
}

/* The member NAME of what was given is the text of WHAT. */
static int asset_by_text(const struct rules *r, const json_t *given,
                         const char *what, struct json_board *asset,
                         struct json_refusal *why)
{
    const char *name = r->asset_kind->format;
    size_t max = r->asset_kind->bytes_max;
    const json_t *value = json_object_get(given, name);

    if (!json_is_string(value))
        return json_refuse(why, RULES_BAD_SETUP, name, "the text of %s", what);
    size_t len = json_string_length(value);
    if (len > max)
        return json_refuse(why, RULES_BAD_SETUP, name,
                           "the text of %s, at most %zu bytes", what, max);
    asset->text = take_memory(len + 1);
    memcpy(asset->text, json_string_value(value), len + 1);
    asset->len = len;
    return RULES_OK;
}

/* ---- boards that are made ----------------------------------------------- */

static int parameter_read(const struct rules_parameter *p, const json_t *given,
                          int32_t *ret_value, struct json_refusal *why)
{
    if (p->words == NULL) {
        json_int_t n = json_integer_value(given);
        if (!json_is_integer(given) || n < 0 || n > p->max)
            return json_refuse(why, RULES_BAD_SETUP, p->name,
                               "a number from 0 to %ld", (long)p->max);
        *ret_value = (int32_t)n;
        return RULES_OK;
    }
    for (int32_t i = 0; i <= p->max; i++) {
        if (json_text_is(given, p->words[i])) {
            *ret_value = i;
            return RULES_OK;
        }
    }
    struct sbuf phrase = sbuf_in(why->expected, sizeof(why->expected));
    (void)json_refuse(why, RULES_BAD_SETUP, p->name, "%s", "");
    sbuf_puts(&phrase, "one of ");
    sbuf_words(&phrase, p->words, p->max + 1);
    return RULES_BAD_SETUP;
}

static int refuse_parameter(const struct rules_parameter *all,
                            const char *name, struct json_refusal *why)
{
    struct sbuf p = sbuf_in(why->expected, sizeof(why->expected));

    (void)json_refuse(why, RULES_BAD_SETUP, name, "%s", "");
    sbuf_puts(&p, "only ");
    for (; all->name != NULL; all++)
        sbuf_printf(&p, "%s, ", all->name);
    sbuf_puts(&p, "seed");
    return RULES_BAD_SETUP;
}

static int recipe_read(const struct rules_asset_kind *kind,
                       const json_t *recipe, int32_t *values, uint64_t *seed,
                       struct json_refusal *why)
{
    const struct rules_parameter *all = kind->parameters;
    const char *name;
    json_t *given;

    for (int i = 0; i < RULES_PARAMETERS_MAX; i++)
        values[i] = -1;
    json_object_foreach((json_t *)(uintptr_t)recipe, name, given)
    {
        int i = 0;
        if (strcmp(name, "seed") == 0) {
            if (!json_is_integer(given) || json_integer_value(given) < 0)
                return json_refuse(why, RULES_BAD_SETUP, name,
                                   "a number from 0 to %lld",
                                   (long long)INT64_MAX);
            *seed = (uint64_t)json_integer_value(given);
            continue;
        }
        while (all[i].name != NULL && strcmp(all[i].name, name) != 0)
            i++;
        if (all[i].name == NULL)
            return refuse_parameter(all, name, why);
        if (parameter_read(&all[i], given, &values[i], why) != RULES_OK)
            return RULES_BAD_SETUP;
    }
    return RULES_OK;
}

/* No board can be made as was asked, whose PROBLEM it is. */
static int refuse_recipe(const struct rules_problem *problem,
                         struct json_refusal *why)
{
    (void)json_refuse(why, RULES_BAD_SETUP,
                      problem->option != NULL ? problem->option : "", "%s",
                      "");
    why->sentence = problem->text;
    why->rule = problem->rule;
    return RULES_BAD_SETUP;
}

static int draft_begin(const struct rules_asset_kind *kind,
                       const json_t *recipe, uint64_t seed,
                       struct json_board *asset, struct json_refusal *why)
{
    uint8_t key[RNG_SEED_SIZE] = {0};
    int32_t values[RULES_PARAMETERS_MAX];
    struct rules_problem problem = {0};
    struct rng rng;

    if (recipe_read(kind, recipe, values, &seed, why) != RULES_OK)
        return RULES_BAD_SETUP;
    /* The seed of an asset is its number, low byte first. */
    for (size_t i = 0; i < 8; i++)
        key[i] = (uint8_t)(seed >> (8 * i));
    rng_init(&rng, key, 0);
    asset->draft = take_memory(kind->draft_bytes);
    if (kind->draft_begin(asset->draft, values, &rng, &problem))
        return RULES_OK;
    json_board_done(asset);
    return refuse_recipe(&problem, why);
}

static int board_by_recipe(const struct rules *r, const json_t *recipe,
                           uint64_t seed, struct json_board *board,
                           struct json_refusal *why)
{
    if (!json_is_object(recipe))
        return json_refuse(why, RULES_BAD_SETUP, "generate",
                           "an object that may be empty");
    int refusal = draft_begin(r->asset_kind, recipe, seed, board, why);
    if (refusal != RULES_OK)
        pointer_within(why->path, sizeof(why->path), "/generate");
    return refusal;
}

enum rules_progress json_board_make(const struct rules *r,
                                    struct json_board *board, uint32_t effort,
                                    struct json_refusal *why)
{
    const struct rules_asset_kind *kind = r->asset_kind;
    struct rules_problem problem = {0};
    enum rules_progress progress = kind->draft_step(board->draft, effort,
                                                    &problem);

    *why = (struct json_refusal){0};
    if (progress == RULES_MORE)
        return RULES_MORE;
    if (progress == RULES_REFUSED) {
        json_board_done(board);
        (void)refuse_recipe(&problem, why);
        pointer_within(why->path, sizeof(why->path), "/generate");
        return RULES_REFUSED;
    }
    char *text = take_memory(kind->bytes_max + 1);
    size_t len = kind->draft_write(board->draft, text, kind->bytes_max + 1);
    ASSERT(len <= kind->bytes_max);
    free(board->draft);
    *board = (struct json_board){.text = text, .len = len};
    return RULES_READY;
}

/* ---- boards and datasets ------------------------------------------------ */

static int refuse_board(const struct rules *r, struct json_refusal *why)
{
    return json_refuse(why, RULES_BAD_SETUP, "",
                       "a name, or an object with one of builtin, %s%s",
                       r->asset_kind->format,
                       r->asset_kind->draft_begin != NULL ? ", generate" : "");
}

int json_board_begin(const struct rules *r, const json_t *value, uint64_t seed,
                     struct json_board *ret_board, struct json_refusal *why)
{
    struct json_board board = {0};
    const json_t *recipe = json_object_get(value, "generate");
    const json_t *name = json_object_get(value, "builtin");
    int refusal;

    *why = (struct json_refusal){0};
    *ret_board = board;
    if (value == NULL || json_is_null(value))
        return RULES_OK;
    if (json_is_string(value) || !rules_has_boards(r))
        refusal = board_by_name(r, value, &board, why, "");
    else if (json_object_size(value) != 1)
        refusal = refuse_board(r, why);
    else if (name != NULL)
        refusal = board_by_name(r, name, &board, why, "builtin");
    else if (json_object_get(value, r->asset_kind->format) != NULL)
        refusal = asset_by_text(r, value, "a board", &board, why);
    else if (recipe != NULL && r->asset_kind->draft_begin != NULL)
        refusal = board_by_recipe(r, recipe, seed, &board, why);
    else
        refusal = refuse_board(r, why);
    if (refusal == RULES_OK)
        *ret_board = board;
    return refusal;
}

int json_board_read(const struct rules *r, const json_t *value, uint64_t seed,
                    struct json_board *ret_board, struct json_refusal *why)
{
    int refusal = json_board_begin(r, value, seed, ret_board, why);

    if (refusal == RULES_OK && ret_board->draft != NULL &&
        json_board_make(r, ret_board, UINT32_MAX, why) != RULES_READY)
        return RULES_BAD_SETUP;
    return refusal;
}

int json_tables_read(const struct rules *r, const json_t *value,
                     struct json_board *ret_tables, struct json_refusal *why)
{
    struct json_board tables = {0};
    int refusal;

    *why = (struct json_refusal){0};
    *ret_tables = tables;
    if (value == NULL || json_is_null(value))
        return RULES_OK;
    if (!rules_has_dataset(r))
        return json_refuse(why, RULES_BAD_SETUP, "",
                           "no tables: %s is played without", r->title);
    refusal = asset_by_text(r, value, "tables", &tables, why);
    if (refusal == RULES_OK)
        *ret_tables = tables;
    return refusal;
}

void json_board_done(struct json_board *board)
{
    free(board->text);
    free(board->draft);
    *board = (struct json_board){0};
}
