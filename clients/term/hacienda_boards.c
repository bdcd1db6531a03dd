/* hacienda_boards.c -- `sobremesa board`: boards of Hacienda, as files. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clients/common/lang.h"
#include "clients/common/output.h"
#include "core/base.h"
#include "hacienda_hexes.h"
#include "near.h"
#include "term.h"

/* ---- reading ----------------------------------------------------------- */

/* Reads a board by name or file; false after a complaint. */
static bool read_board(const char *name, struct board *board,
                       struct haz_info *info)
{
    const struct rules *r = game_find("hacienda");
    struct json_board loaded;
    struct haz_problem why;

    if (r == NULL || !board_load(r, name, &loaded))
        return false;
    const char *text = loaded.text;
    size_t len = loaded.len;
    for (const struct rules_asset *a = r->assets; a->name != NULL; a++) {
        if (loaded.name != NULL && strcmp(a->name, loaded.name) == 0) {
            text = a->text;
            len = a->len;
        }
    }
    bool good = haz_parse(board, info, text, len, &why);
    if (!good && why.key >= 0)
        (void)complain(_("%s, line %lu: %s (%s, cell %ld)"), name,
                       (unsigned long)why.line, haz_sentence(why.rule),
                       why.rule, (long)why.key);
    else if (!good)
        (void)complain(_("%s, line %lu: %s (%s)"), name,
                       (unsigned long)why.line, haz_sentence(why.rule),
                       why.rule);
    json_board_done(&loaded);
    return good;
}

static void count_grounds(const struct board *board, int count[GROUNDS])
{
    memset(count, 0, GROUNDS * sizeof(*count));
    for (int hex = 0; hex < board_hexes(board->cols, board->rows); hex++)
        count[board->ground[hex]]++;
}

static void put_board(struct json_out *o, const struct board *board,
                      const struct haz_info *info)
{
    char name[BOARD_NAME_SIZE];
    int count[GROUNDS];

    count_grounds(board, count);
    out_object(o, NULL);
    out_string(o, "name", info->name);
    out_string(o, "author", info->author);
    out_string(o, "version", info->version);
    out_int(o, "columns", board->cols);
    out_int(o, "rows", board->rows);
    out_object(o, "counts");
    for (int g = 0; g < GROUNDS; g++)
        out_int(o, hacienda_ground_words[g], count[g]);
    out_end(o);
    out_object(o, "hexes");
    for (int hex = 0; hex < board_hexes(board->cols, board->rows); hex++) {
        (void)board_hex_write(board->cols, board->rows, hex, name,
                              sizeof(name));
        if (board->ground[hex] != GROUND_VOID)
            out_string(o, name, hacienda_ground_words[board->ground[hex]]);
    }
    out_end(o);
    out_end(o);
}

static void print_haz(const struct board *board, const struct haz_info *info)
{
    size_t len = haz_write(board, info, NULL, 0);
    char *text = must_alloc(len + 1);
    (void)haz_write(board, info, text, len + 1);
    /* In a file the lines end as other programs want it. */
    bool file = !isatty(STDOUT_FILENO);
    output_own(file);
    for (size_t i = 0; i < len; i++)
        if (file || text[i] != '\r')
            (void)fputc(text[i], stdout);
    output_own(false);
    free(text);
}

static void print_json(const struct board *board, const struct haz_info *info)
{
    struct json_out o;
    json_out_init(&o);
    put_board(&o, board, info);
    output_json(true);
    (void)puts(json_out_text(&o));
    output_json(false);
    json_out_done(&o);
}

static struct hex_cell cell_of_board(const void *board, int hex)
{
    const struct board *b = board;
    return (struct hex_cell){.ground = b->ground[hex]};
}

static void print_board(const struct board *board, const struct haz_info *info)
{
    int count[GROUNDS], hexes = 0;

    count_grounds(board, count);
    if (info->name[0] != '\0')
        printf("%s%s%s%s%s\n\n", info->name,
               info->version[0] != '\0' ? _(", version ") : "", info->version,
               info->author[0] != '\0' ? _(", by ") : "", info->author);
    hexes_print(stdout, board->cols, board->rows, cell_of_board, board, false);
    for (int g = GROUND_PAMPAS; g < GROUNDS; g++)
        hexes += count[g];
    printf(_("\n%d rows, %d hexes:"), board->cols, hexes);
    for (int g = GROUND_PAMPAS, n = 0; g < GROUNDS; g++)
        if (count[g] > 0)
            printf("%s %d %s", n++ > 0 ? "," : "", count[g], hex_ground(g));
    printf("\n");
}

/* ---- check, show, convert ---------------------------------------------- */

struct file_arguments {
    const char *name;
    bool json;
};

static error_t file_parse(int key, char *arg, struct argp_state *state)
{
    struct file_arguments *a = state->input;

    switch (key) {
    case 'j': a->json = true; return 0;
    default:
        return argument_parse(key, arg, state, &a->name,
                              _("one board at a time"),
                              _("which board? A FILE (`-`: standard input)"));
    }
}

static const struct argp_option json_option[] = {
    {"json", 'j', NULL, 0, N_("for programs: as JSON"), 0},
    {0},
};

static int check(int argc, char **argv)
{
    static const struct argp argp = {
        .parser = file_parse,
        .args_doc = "FILE",
        .doc = N_("Reads the board in FILE (.haz; `-`: standard input). Exit "
                  "status 0 if a table could be set up with it; otherwise 1, "
                  "with the line and the reason."),
    };
    struct file_arguments a = {0};
    struct board board;
    struct haz_info info;

    if (command_parse(&argp, "board check", argc, argv, &a) != STATUS_DONE)
        return STATUS_USAGE;
    return read_board(a.name, &board, &info) ? STATUS_DONE : STATUS_FAILED;
}

static int show(int argc, char **argv)
{
    static const struct argp argp = {
        .options = json_option,
        .parser = file_parse,
        .args_doc = "FILE|NAME",
        .doc = N_("Shows a board, from a .haz FILE (`-`: standard input) or "
                  "built in under NAME, and counts its hexes."),
    };
    struct file_arguments a = {0};
    struct board board;
    struct haz_info info;

    if (command_parse(&argp, "board show", argc, argv, &a) != STATUS_DONE)
        return STATUS_USAGE;
    if (!read_board(a.name, &board, &info))
        return STATUS_FAILED;
    if (a.json)
        print_json(&board, &info);
    else
        print_board(&board, &info);
    return STATUS_DONE;
}

static int convert(int argc, char **argv)
{
    static const struct argp argp = {
        .options = json_option,
        .parser = file_parse,
        .args_doc = "FILE|NAME",
        .doc = N_(
            "Writes a board, from a .haz FILE (`-`: standard input) or "
            "built in under NAME, to the standard output in canonical "
            "form: that of the map generator, UTF-8 with CRLF, all cells "
            "in its order."),
    };
    struct file_arguments a = {0};
    struct board board;
    struct haz_info info;

    if (command_parse(&argp, "board convert", argc, argv, &a) != STATUS_DONE)
        return STATUS_USAGE;
    if (!read_board(a.name, &board, &info))
        return STATUS_FAILED;
    if (a.json)
        print_json(&board, &info);
    else
        print_haz(&board, &info);
    return STATUS_DONE;
}

/* ---- generate ----------------------------------------------------------- */

enum { LAND_KEY = 256, VOID_KEY, AUTHOR_KEY, NAME_KEY };

struct recipe_arguments {
    uint64_t columns, rows, markets, waters, land, empty, seed;
    bool has_markets, has_waters, has_land, has_empty, has_seed, json;
    int symmetry;
    const char *author, *name;
};

static uint64_t number_or_error(struct argp_state *state, const char *text,
                                uint64_t max, const char *what)
{
    uint64_t n = 0;
    if (!number_read(text, max, &n))
        argp_error(state, _("%s: expected a number from 0 to %llu, not '%s'"),
                   what, (unsigned long long)max, text);
    return n;
}

static error_t recipe_parse(int key, char *arg, struct argp_state *state)
{
    struct recipe_arguments *a = state->input;

    switch (key) {
    case 'c':
        a->columns = number_or_error(state, arg, UINT16_MAX, "--columns");
        return 0;
    case 'r':
        a->rows = number_or_error(state, arg, UINT16_MAX, "--rows");
        return 0;
    case 'm':
        a->markets = number_or_error(state, arg, UINT8_MAX, "--markets");
        a->has_markets = true;
        return 0;
    case 'w':
        a->waters = number_or_error(state, arg, UINT8_MAX, "--waters");
        a->has_waters = true;
        return 0;
    case LAND_KEY:
        a->land = number_or_error(state, arg, 100, "--land");
        a->has_land = true;
        return 0;
    case VOID_KEY:
        a->empty = number_or_error(state, arg, 100, "--void");
        a->has_empty = true;
        return 0;
    case 's':
        a->seed = number_or_error(state, arg, INT64_MAX, "--seed");
        a->has_seed = true;
        return 0;
    case 'y':
        if (strcmp(arg, "none") == 0)
            a->symmetry = SYMMETRY_NONE;
        else if (strcmp(arg, "half_turn") == 0)
            a->symmetry = SYMMETRY_HALF_TURN;
        else
            argp_error(state, _("--symmetry: none or half_turn, not '%s'"),
                       arg);
        return 0;
    case AUTHOR_KEY: a->author = arg; return 0;
    case NAME_KEY: a->name = arg; return 0;
    case 'j': a->json = true; return 0;
    case ARGP_KEY_ARG: argp_error(state, _("unexpected '%s'"), arg); return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static int generate(int argc, char **argv)
{
    static const struct argp_option options[] = {
        {"columns", 'c', "N", 0, N_("ColCount: rows as displayed (15)"), 0},
        {"rows", 'r', "N", 0, N_("RowCount: half hexes across (33)"), 0},
        {"symmetry", 'y', "WORD", 0, N_("none (default) or half_turn"), 0},
        {"markets", 'm', "N", 0, N_("exactly so many (as suits the size)"), 0},
        {"waters", 'w', "N", 0, N_("exactly so many (as suits the size)"), 0},
        {"land", LAND_KEY, "PERCENT", 0, N_("about so much terrain"), 0},
        {"void", VOID_KEY, "PERCENT", 0, N_("about so much cut off"), 0},
        {"seed", 's', "S", 0,
         N_("the same number makes the same board; if "
            "none is given one is drawn and told on "
            "stderr"),
         0},
        {"author", AUTHOR_KEY, "TEXT", 0, N_("written into the file"), 0},
        {"name", NAME_KEY, "TEXT", 0, N_("written into the file"), 0},
        {"json", 'j', NULL, 0, N_("as JSON instead"), 0},
        {0},
    };
    static const struct argp argp = {
        .options = options,
        .parser = recipe_parse,
        .doc = N_(
            "Makes a board and writes it to the standard output as .haz."),
    };
    struct recipe_arguments a = {.columns = 15, .rows = 33};
    uint8_t key[RNG_SEED_SIZE] = {0};
    struct recipe_problem why;
    struct haz_info info = {{0}, {0}, {0}};
    struct board board;
    struct rng rng;

    if (command_parse(&argp, "board generate", argc, argv, &a) != STATUS_DONE)
        return STATUS_USAGE;
    if (!a.has_seed) {
        a.seed = number_random();
        (void)fprintf(stderr, "seed %llu\n", (unsigned long long)a.seed);
    }
    struct board_recipe recipe = board_recipe((uint16_t)a.columns,
                                              (uint16_t)a.rows,
                                              (enum symmetry)a.symmetry);
    if (a.has_markets)
        recipe.markets = (uint8_t)a.markets;
    if (a.has_waters)
        recipe.waters = (uint8_t)a.waters;
    if (a.has_land)
        recipe.land_percent = (uint8_t)a.land;
    if (a.has_empty)
        recipe.void_percent = (uint8_t)a.empty;
    /* As in {"generate": {"seed": ...}}: the number, low byte first. */
    for (size_t i = 0; i < 8; i++)
        key[i] = (uint8_t)(a.seed >> (8 * i));
    rng_init(&rng, key, 0);
    if (!board_generate(&board, &recipe, &rng, &why))
        return complain("%s%s%s (%s)", why.field != NULL ? why.field : "",
                        why.field != NULL ? ": " : "",
                        recipe_sentence(why.rule), why.rule);
    (void)snprintf(info.author, sizeof(info.author), "%s",
                   a.author != NULL ? a.author : "");
    if (a.name != NULL)
        (void)snprintf(info.name, sizeof(info.name), "%s", a.name);
    else
        (void)snprintf(info.name, sizeof(info.name), "Generated %llu",
                       (unsigned long long)a.seed);
    if (a.json)
        print_json(&board, &info);
    else
        print_haz(&board, &info);
    return STATUS_DONE;
}

/* ---- the command ------------------------------------------------------- */

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
} actions[] = {
    {"check", check},
    {"show", show},
    {"generate", generate},
    {"convert", convert},
};

/* Of a command line that does not begin with an action. */
static error_t board_parse(int key, char *arg, struct argp_state *state)
{
    struct near near;
    char hint[64];

    switch (key) {
    case ARGP_KEY_ARG:
        near = near_to(arg, strlen(arg));
        for (size_t i = 0; i < COUNT_OF(actions); i++)
            near_try(&near, actions[i].name);
        argp_error(state, _("there is no `board %s`%s"), arg,
                   near_hint(&near, hint, sizeof(hint)));
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, _("check, show, generate or convert?"));
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

int board_command(int argc, char **argv)
{
    static const struct argp argp = {
        .parser = board_parse,
        .args_doc = "check|show|generate|convert [ARGUMENT...]",
        .doc =
            DOC(N_("Boards for Hacienda, as .haz files."),
                N_("  check FILE         whether a table could use it\n"
                   "  show FILE|NAME     as text, with counts\n"
                   "  generate           a new one, to the standard output\n"
                   "  convert FILE|NAME  in canonical form\n"
                   "\n"
                   "`sobremesa board ACTION --help` tells more.")),
    };

    for (size_t i = 0; argc > 1 && i < COUNT_OF(actions); i++)
        if (strcmp(actions[i].name, argv[1]) == 0)
            return actions[i].run(argc - 1, argv + 1);
    (void)command_parse(&argp, "board", argc, argv, NULL);
    return STATUS_USAGE;
}
