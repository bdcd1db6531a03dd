/* Moves, setups, states and patches as JSON, of every game. */

#include <criterion/criterion.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "core/rules.h"
#include "protocol/game_json.h"

static json_t *parse(const char *text)
{
    char why[JSON_EXPECTED_MAX];
    json_t *v = json_parse(text, strlen(text), why);
    cr_assert(v != NULL, "%s: %s", why, text);
    return v;
}

static json_t *parse_out(struct json_out *o)
{
    json_t *v = parse(json_out_text(o));
    json_out_done(o);
    return v;
}

/* ---- an independent patch, RFC 6902 `replace` only --------------------- */

/* The next step of a pointer, unescaped; false at its end. */
static bool next_step(const char **at, char *step)
{
    if (**at == '\0')
        return false;
    cr_assert_eq(**at, '/');
    for (++*at; **at != '\0' && **at != '/'; ++*at) {
        if (**at == '~')
            *step++ = *++*at == '1' ? '/' : '~';
        else
            *step++ = **at;
    }
    *step = '\0';
    return true;
}

static void replace(json_t *doc, const char *path, json_t *value)
{
    char step[256], after[256];
    json_t *in = doc;

    cr_assert(next_step(&path, step));
    while (next_step(&path, after)) {
        in = json_is_array(in) ? json_array_get(in, strtoul(step, NULL, 10))
                               : json_object_get(in, step);
        cr_assert(in != NULL, "no %s", step);
        strcpy(step, after);
    }
    if (json_is_array(in)) {
        cr_assert_eq(json_array_set(in, strtoul(step, NULL, 10), value), 0);
    } else {
        /* `replace` needs something to replace. */
        cr_assert(json_object_get(in, step) != NULL);
        cr_assert_eq(json_object_set(in, step, value), 0);
    }
}

static void apply_patch(json_t *doc, const json_t *patch)
{
    size_t i;
    json_t *op;
    json_array_foreach(patch, i, op)
    {
        cr_assert_eq(json_object_size(op), 3);
        cr_assert_str_eq(json_string_value(json_object_get(op, "op")),
                         "replace");
        replace(doc, json_string_value(json_object_get(op, "path")),
                json_object_get(op, "value"));
    }
}

/* ---- random games -------------------------------------------------------- */

struct table {
    const struct rules *r;
    union rules_any state;
    uint8_t key[RNG_SEED_SIZE];
    uint64_t draws;
    struct rules_choice *choices;
    struct rules_events events;
};

static void open_table(struct table *t, const struct rules *r, int seats,
                       uint8_t seed)
{
    memset(t, 0, sizeof(*t));
    t->r = r;
    t->key[0] = seed;
    t->choices = malloc(RULES_MOVES_MAX * sizeof(*t->choices));
    struct rules_setup setup = {.seats = seats};
    cr_assert_eq(rules_setup(r, &t->state.state, &setup, NULL), RULES_OK);
}

/* Chooses and plays a move; who moved goes to *SEAT. */
static void play_one(struct table *t, int *seat, struct rules_move *move)
{
    struct rng rng;
    struct rules_state *s = &t->state.state;

    rng_init(&rng, t->key, t->draws++);
    if (s->acting == RULES_BIT(RULES_NATURE)) {
        *seat = RULES_NATURE;
        rules_chance(t->r, s, &rng, move);
    } else {
        *seat = 0;
        while (!(s->acting & RULES_BIT(*seat)))
            ++*seat;
        size_t n = rules_legal(t->r, s, *seat, -1, t->choices,
                               RULES_MOVES_MAX);
        cr_assert_gt(n, 0);
        *move = t->choices[rng_below(&rng, (uint32_t)n)].move;
    }
    cr_assert_eq(rules_apply(t->r, s, *seat, move, &t->events), RULES_OK);
}

static json_t *shown(const struct rules *r, const struct rules_state *s)
{
    struct json_out o;
    json_out_init(&o);
    json_state(&o, NULL, r, s);
    return parse_out(&o);
}

/* ---- all games ----------------------------------------------------------- */

/* Plays a game and after every few plies, for every viewer: what is shown and
 * read back is the same state; each move survives the way through JSON; and
 * the patch from one view to the next makes the next. */
static void check_game(const struct rules *r, int seats, uint8_t seed,
                       int every, int plies)
{
    static const int extra[] = {RULES_WATCHER, RULES_ALL};
    static union rules_any view, back, before[RULES_SEATS_MAX + 2];
    static struct table t;
    int viewers = seats + 2;
    json_t *docs[RULES_SEATS_MAX + 2];

    open_table(&t, r, seats, seed);
    for (int i = 0; i < viewers; i++) {
        rules_view(r, &t.state.state, i < seats ? i : extra[i - seats],
                   &before[i].state);
        docs[i] = shown(r, &before[i].state);
    }
    for (int ply = 1; !rules_over(&t.state.state) && ply < plies; ply++) {
        struct rules_move move, again;
        struct json_refusal why;
        int seat;
        play_one(&t, &seat, &move);

        struct json_out o;
        json_out_init(&o);
        json_move(&o, NULL, r, &t.state.state, &move);
        json_t *told = parse_out(&o);
        cr_assert_eq(json_move_read(r, &t.state.state, told, false, &again,
                                    &why),
                     RULES_OK, "%s", why.expected);
        cr_assert_eq(memcmp(&move, &again, sizeof(move)), 0);
        json_decref(told);

        if (ply % every != 0 && !rules_over(&t.state.state))
            continue;
        for (int i = 0; i < viewers; i++) {
            rules_view(r, &t.state.state, i < seats ? i : extra[i - seats],
                       &view.state);
            json_t *now = shown(r, &view.state);
            int refusal = json_state_read(r, now, &back.state, &why);
            cr_assert_eq(refusal, RULES_OK, "%s%s: %s", r->name, why.path,
                         why.expected);
            cr_assert_eq(rules_hash(r, &back.state),
                         rules_hash(r, &view.state));

            json_out_init(&o);
            out_list(&o, NULL);
            (void)json_diff(&o, "/game_state", r, &before[i].state,
                            &view.state);
            out_end(&o);
            json_t *patch = parse_out(&o);
            apply_patch(docs[i], patch);
            json_decref(patch);
            cr_assert(json_equal(json_object_get(docs[i], "game_state"),
                                 json_object_get(now, "game_state")),
                      "%s at ply %d for viewer %d", r->name, ply, i);
            json_decref(now);
            memcpy(&before[i], &view, r->state_size);
        }
    }
    for (int i = 0; i < viewers; i++)
        json_decref(docs[i]);
    free(t.choices);
}

Test(game_json, tictactoe_through_json)
{
    for (uint8_t seed = 0; seed < 20; seed++)
        check_game(rules_find("tictactoe"), 2, seed, 1, 100);
}

Test(game_json, every_game_through_json)
{
    for (size_t g = 0; rules_all[g] != NULL; g++)
        for (int seats = rules_all[g]->seats_min;
             seats <= rules_all[g]->seats_max; seats++)
            check_game(rules_all[g], seats, (uint8_t)(seats * 7), 5, 400);
}

/* Nothing changed: nothing to patch. */
Test(game_json, empty_patch)
{
    static struct table t;
    struct json_out o;
    open_table(&t, rules_find("tictactoe"), 2, 1);
    json_out_init(&o);
    out_list(&o, NULL);
    cr_assert_eq(json_diff(&o, "", t.r, &t.state.state, &t.state.state), 0);
    out_end(&o);
    cr_assert_str_eq(json_out_text(&o), "[]");
    json_out_done(&o);
    free(t.choices);
}

/* ---- moves ---------------------------------------------------------------- */

static int read_move(const char *game, const char *text, bool told,
                     struct rules_move *move, struct json_refusal *why)
{
    static struct table t;
    open_table(&t, rules_find(game), 2, 1);
    json_t *v = parse(text);
    int refusal = json_move_read(t.r, &t.state.state, v, told, move, why);
    json_decref(v);
    free(t.choices);
    return refusal;
}

struct bad_move {
    const char *text;
    int code;
    const char *path, *expected; /* EXPECTED: part of what is said */
};

/* Each bad move is refused with the place and with what was expected. */
Test(game_json, bad_moves)
{
    static const struct bad_move all[] = {
        {"[]", RULES_MALFORMED, "", "object"},
        {"{}", RULES_UNKNOWN_VERB, "/verb", "play_land"},
        {"{\"verb\":5}", RULES_UNKNOWN_VERB, "/verb", "play_land"},
        {"{\"verb\":\"fly\"}", RULES_UNKNOWN_VERB, "/verb", "end_turn"},
        {"{\"verb\":\"play_land\\u0000\"}", RULES_UNKNOWN_VERB, "/verb", ""},
        {"{\"verb\":\"play_land\",\"hex\":\"C7\"}", RULES_BAD_ARGUMENT,
         "/card", "a card: mountain"},
        {"{\"verb\":\"play_land\",\"card\":\"forest\"}", RULES_BAD_ARGUMENT,
         "/hex", "from A1 to O16"},
        {"{\"verb\":\"play_land\",\"card\":\"tree\",\"hex\":\"C7\"}",
         RULES_BAD_ARGUMENT, "/card", "forest"},
        {"{\"verb\":\"play_land\",\"card\":1,\"hex\":\"C7\"}",
         RULES_BAD_ARGUMENT, "/card", "forest"},
        {"{\"verb\":\"play_land\",\"card\":\"forest\",\"hex\":\"c7\"}",
         RULES_BAD_ARGUMENT, "/hex", "hex"},
        {"{\"verb\":\"play_land\",\"card\":\"forest\",\"hex\":\"C99\"}",
         RULES_BAD_ARGUMENT, "/hex", "hex"},
        {"{\"verb\":\"play_land\",\"card\":\"forest\",\"hex\":null}",
         RULES_BAD_ARGUMENT, "/hex", "hex"},
        {"{\"verb\":\"play_land\",\"card\":\"forest\",\"hex\":\"C7\","
         "\"colour\":1}",
         RULES_BAD_ARGUMENT, "/colour", "play_land: card, hex"},
        {"{\"verb\":\"end_turn\",\"hex\":\"C7\"}", RULES_BAD_ARGUMENT, "/hex",
         "has none"},
        {"{\"verb\":\"deal\",\"seat\":2,\"card\":\"pig\"}", RULES_BAD_ARGUMENT,
         "/seat", "from 0 to 1"},
        {"{\"verb\":\"deal\",\"seat\":-1,\"card\":\"pig\"}",
         RULES_BAD_ARGUMENT, "/seat", "from 0 to 1"},
        {"{\"verb\":\"deal\",\"seat\":4294967296,\"card\":\"pig\"}",
         RULES_BAD_ARGUMENT, "/seat", "from 0 to 1"},
        {"{\"verb\":\"deal\",\"seat\":0.0,\"card\":\"pig\"}",
         RULES_BAD_ARGUMENT, "/seat", "from 0 to 1"},
        {"{\"verb\":\"deal\",\"seat\":\"0\",\"card\":\"pig\"}",
         RULES_BAD_ARGUMENT, "/seat", "from 0 to 1"},
    };
    for (size_t i = 0; i < COUNT_OF(all); i++) {
        struct rules_move move = {.verb = 77};
        struct json_refusal why;
        int code = read_move("hacienda", all[i].text, false, &move, &why);
        cr_assert_eq(code, all[i].code, "%s", all[i].text);
        cr_assert_eq(why.code, code);
        cr_assert_str_eq(why.path, all[i].path, "%s: %s", all[i].text,
                         why.path);
        cr_assert(strstr(why.expected, all[i].expected) != NULL, "%s: %s",
                  all[i].text, why.expected);
        cr_assert_eq(move.verb, 77, "untouched");
    }
}

/* An absent argument is RULES_NONE, a hidden one null if null is told. */
Test(game_json, absent_and_hidden)
{
    struct rules_move move;
    struct json_refusal why;

    cr_assert_eq(read_move("hacienda",
                           "{\"verb\":\"buy_water\",\"shape\":"
                           "\"single\",\"hex1\":\"C7\"}",
                           false, &move, &why),
                 RULES_OK);
    cr_assert_eq(move.arg[2], RULES_NONE);
    cr_assert_eq(move.arg[3], RULES_NONE);
    cr_assert_eq(read_move("hacienda",
                           "{\"verb\":\"deal\",\"seat\":1,"
                           "\"card\":null}",
                           true, &move, &why),
                 RULES_OK);
    cr_assert_eq(move.arg[1], RULES_HIDDEN);

    struct json_out o;
    static struct table t;
    open_table(&t, rules_find("hacienda"), 2, 1);
    json_out_init(&o);
    json_move(&o, NULL, t.r, &t.state.state, &move);
    cr_assert_str_eq(json_out_text(&o),
                     "{\"verb\":\"deal\",\"seat\":1,\"card\":null}");
    json_out_done(&o);
    free(t.choices);
}

/* A name far longer than a path still makes a refusal, which then points at
 * what holds it: half a name would be another place. */
Test(game_json, long_name)
{
    char text[2000] = "{\"verb\":\"end_turn\",\"";
    memset(text + strlen(text), 'x', 1000);
    strcat(text, "\":1}");
    struct rules_move move;
    struct json_refusal why;
    cr_assert_eq(read_move("hacienda", text, false, &move, &why),
                 RULES_BAD_ARGUMENT);
    cr_assert_str_eq(why.path, "");
}

/* ---- text ----------------------------------------------------------------- */

/* What a text holds is counted without reading it; what is in strings is not. */
Test(game_json, values)
{
    static const struct {
        const char *text;
        size_t count;
    } texts[] = {
        {"5", 1},         {"[1,2]", 3},   {"{\"a\":{\"b\":[1]}}", 4},
        {"[[1],[2]]", 5}, {"[[],{}]", 5}, {"[\"a,[{\\\",\",2]", 3},
        {"\"", 1},        {"\"\\", 1},    {"", 1},
    };
    for (size_t i = 0; i < COUNT_OF(texts); i++)
        cr_assert_eq(json_values(texts[i].text, strlen(texts[i].text)),
                     texts[i].count, "%s", texts[i].text);
}

/* What the protocol refuses as -32700. */
Test(game_json, bad_text)
{
    static const char *const bad[] = {
        "",
        "{",
        "{\"a\":1,\"a\":2}",
        "{\"a\":NaN}",
        "{\"a\":\"\\ud800\"}",
        "{\"a\":\"\xff\"}",
        "5",
        "{} {}",
        "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]",
    };
    char why[JSON_EXPECTED_MAX];
    for (size_t i = 0; i < COUNT_OF(bad); i++)
        cr_assert_null(json_parse(bad[i], strlen(bad[i]), why), "%s", bad[i]);
    /* 32 deep is allowed; brackets in strings do not count. */
    json_decref(parse("[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]"
                      "]]]]]]]]]]"));
    json_decref(parse("[\"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[\\\"[[\"]"));
}

/* ---- setting up ------------------------------------------------------------ */

static int read_options(const char *text, int16_t *options,
                        struct json_refusal *why)
{
    json_t *v = parse(text);
    int refusal = json_options_read(rules_find("hacienda"), v, options, why);
    json_decref(v);
    return refusal;
}

Test(game_json, options)
{
    int16_t options[RULES_OPTIONS_MAX];
    struct json_refusal why;
    struct json_out o;

    cr_assert_eq(read_options("{\"variant1\":true}", options, &why), RULES_OK);
    cr_assert_eq(options[0], 1);
    cr_assert_eq(options[1], RULES_NONE);
    json_out_init(&o);
    json_options(&o, NULL, rules_find("hacienda"), options);
    cr_assert_str_eq(json_out_text(&o), "{\"variant1\":true,\"variant2\":"
                                        "false,\"crucible\":false}");
    json_out_done(&o);
    cr_assert_eq(read_options("{\"variant1\":1}", options, &why),
                 RULES_BAD_SETUP);
    cr_assert_str_eq(why.path, "/variant1");
    cr_assert_str_eq(why.expected, "true or false");
    cr_assert_eq(read_options("{\"speed\":1}", options, &why),
                 RULES_BAD_SETUP);
    cr_assert_str_eq(why.rule, "no_such_option");
    cr_assert_eq(read_options("[]", options, &why), RULES_BAD_SETUP);
}

/* Numbers and words on a command line. */
Test(game_json, option_text)
{
    static const char *const words[] = {"slow", "fast", NULL};
    const struct rules_option number = {"n", -3, 12, 0, NULL, false, ""};
    const struct rules_option word = {"w", 1, 2, 1, words, false, ""};
    const struct rules_option flag = {"f", 0, 1, 0, NULL, true, ""};
    int16_t v;

    cr_assert(option_read(&number, "-3", 2, &v) && v == -3);
    cr_assert(option_read(&number, "12,", 2, &v) && v == 12);
    cr_assert(!option_read(&number, "13", 2, &v));
    cr_assert(!option_read(&number, "", 0, &v));
    cr_assert(!option_read(&number, " 1", 2, &v));
    cr_assert(!option_read(&number, "1x", 2, &v));
    cr_assert(!option_read(&number, "99999999999", 11, &v));
    cr_assert(option_read(&word, "fast", 4, &v) && v == 2);
    cr_assert(!option_read(&word, "fas", 3, &v));
    cr_assert(option_read(&flag, "on", 2, &v) && v == 1);
    cr_assert(option_read(&flag, "0", 1, &v) && v == 0);
    cr_assert(!option_read(&flag, "2", 1, &v));
}

static int read_board(const char *game, const char *text,
                      struct json_board *board, struct json_refusal *why)
{
    json_t *v = parse(text);
    int refusal = json_board_read(rules_find(game), json_object_get(v, "b"), 7,
                                  board, why);
    json_decref(v);
    return refusal;
}

Test(game_json, boards)
{
    struct json_board board;
    struct json_refusal why;

    cr_assert_eq(read_board("hacienda", "{}", &board, &why), RULES_OK);
    cr_assert(board.name == NULL && board.text == NULL);
    cr_assert_eq(read_board("hacienda", "{\"b\":\"crucible\"}", &board, &why),
                 RULES_OK);
    cr_assert_str_eq(board.name, "crucible");
    cr_assert_eq(read_board("hacienda", "{\"b\":{\"builtin\":\"moon\"}}",
                            &board, &why),
                 RULES_BAD_SETUP);
    cr_assert_str_eq(why.path, "/builtin");
    cr_assert(strstr(why.expected, "symmetric") != NULL);
    cr_assert_eq(read_board("hacienda", "{\"b\":{\"haz\":\"[x]\"}}", &board,
                            &why),
                 RULES_OK);
    cr_assert_eq(board.len, 3);
    json_board_done(&board);
    cr_assert_eq(read_board("hacienda",
                            "{\"b\":{\"generate\":{\"columns\":"
                            "11,\"rows\":21,\"markets\":5,\"seed\":3}}}",
                            &board, &why),
                 RULES_OK);
    struct rules_setup setup = {
        .seats = 2,
        .asset = board.text,
        .asset_len = board.len,
    };
    static union rules_any any;
    cr_assert_eq(rules_setup(rules_find("hacienda"), &any.state, &setup, NULL),
                 RULES_OK);
    json_board_done(&board);
    cr_assert_eq(read_board("hacienda", "{\"b\":{\"generate\":{\"size\":1}}}",
                            &board, &why),
                 RULES_BAD_SETUP);
    cr_assert_str_eq(why.path, "/generate/size");
    cr_assert_eq(read_board("hacienda",
                            "{\"b\":{\"generate\":{\"columns\":"
                            "1000}}}",
                            &board, &why),
                 RULES_BAD_SETUP);
    cr_assert_eq(read_board("hacienda", "{\"b\":{}}", &board, &why),
                 RULES_BAD_SETUP);
    cr_assert_eq(read_board("hacienda", "{\"b\":7}", &board, &why),
                 RULES_BAD_SETUP);
    cr_assert_eq(read_board("tictactoe", "{\"b\":\"x\"}", &board, &why),
                 RULES_BAD_SETUP);
}

/* ---- states ----------------------------------------------------------------- */

/* A document in which one thing is missing, of another kind or out of range is
 * refused, with where. */
Test(game_json, bad_states)
{
    static const struct {
        const char *path, *value;
    } all[] = {
        {"game", "\"chess\""},
        {"revision", "0"},
        {"revision", "99"},
        {"ply", "-1"},
        {"ply", "10"},
        {"seats", "3"},
        {"viewer", "2"},
        {"viewer", "\"me\""},
        {"acting", "[8]"},
        {"acting", "1"},
        {"acting", "[\"x\"]"},
        {"may", "[-1]"},
        {"asked", "[0]"},
        {"asked", "[0,1]"},
        {"game_state", "{}"},
        {"game_state", "[]"},
        {"game_state", "{\"cells\":[0,1,2]}"},
        {"game_state", "{\"cells\":[7,null,null,null,null,null,null,null,"
                       "null]}"},
        {"game_state", "{\"cells\":[0,null,null,null,null,null,null,null,"
                       "null]}"}, /* and it is still the turn of 0 */
    };
    static struct table t;
    static union rules_any back;
    struct json_refusal why;

    open_table(&t, rules_find("tictactoe"), 2, 1);
    for (size_t i = 0; i < COUNT_OF(all); i++) {
        char text[200];
        json_t *doc = shown(t.r, &t.state.state);
        (void)snprintf(text, sizeof(text), "[%s]", all[i].value);
        json_t *v = parse(text);
        json_object_set(doc, all[i].path, json_array_get(v, 0));
        json_decref(v);
        cr_assert_eq(json_state_read(t.r, doc, &back.state, &why),
                     RULES_MALFORMED, "%s %s", all[i].path, all[i].value);
        cr_assert_eq(strncmp(why.path + 1, all[i].path, strlen(all[i].path)),
                     0, "%s", why.path);
        json_decref(doc);
    }
    free(t.choices);
}
