/* recipe.c -- boards as assets: how they travel, and what one may ask of a board
 * that is made for a table. */

#include "board.h"
#include "hacienda.h"

enum { COLUMNS_DEFAULT = 15, ROWS_DEFAULT = 33 };

enum {
    COLUMNS,
    ROWS,
    MARKETS,
    WATERS,
    LAND_PERCENT,
    VOID_PERCENT,
    SYMMETRY,
    PARAMETERS
};

static const char *const symmetries[] = {
    [SYMMETRY_NONE] = "none",
    [SYMMETRY_HALF_TURN] = "half_turn",
    [SYMMETRIES] = NULL,
};

static const struct rules_parameter parameters[] = {
    [COLUMNS] = {"columns", UINT16_MAX, NULL, COLUMNS_DEFAULT},
    [ROWS] = {"rows", UINT16_MAX, NULL, ROWS_DEFAULT},
    [MARKETS] = {"markets", UINT8_MAX, NULL, -1},
    [WATERS] = {"waters", UINT8_MAX, NULL, -1},
    [LAND_PERCENT] = {"land_percent", 100, NULL, -1},
    [VOID_PERCENT] = {"void_percent", 100, NULL, -1},
    [SYMMETRY] = {"symmetry", SYMMETRIES - 1, symmetries, SYMMETRY_HALF_TURN},
    [PARAMETERS] = {0},
};
_Static_assert(PARAMETERS <= RULES_PARAMETERS_MAX,
               "callers have room for all");

static int32_t value_of(const int32_t *values, int parameter,
                        int32_t default_value)
{
    return values[parameter] >= 0 ? values[parameter] : default_value;
}

static struct board_recipe recipe_of(const int32_t *values)
{
    struct board_recipe recipe =
        board_recipe((uint16_t)value_of(values, COLUMNS, COLUMNS_DEFAULT),
                     (uint16_t)value_of(values, ROWS, ROWS_DEFAULT),
                     (enum symmetry)value_of(values, SYMMETRY, SYMMETRY_NONE));

    recipe.markets = (uint8_t)value_of(values, MARKETS, recipe.markets);
    recipe.waters = (uint8_t)value_of(values, WATERS, recipe.waters);
    recipe.land_percent = (uint8_t)value_of(values, LAND_PERCENT,
                                            recipe.land_percent);
    recipe.void_percent = (uint8_t)value_of(values, VOID_PERCENT,
                                            recipe.void_percent);
    return recipe;
}

static void explain(const struct recipe_problem *problem,
                    struct rules_problem *why)
{
    *why = (struct rules_problem){
        .rule = problem->rule,
        .text = recipe_sentence(problem->rule),
        .option = problem->field,
    };
}

static bool draft_begin(struct rules_draft *draft, const int32_t *values,
                        const struct rng *rng, struct rules_problem *why)
{
    struct board_recipe recipe = recipe_of(values);
    struct recipe_problem problem;

    if (board_draft_begin((struct board_draft *)draft, &recipe, rng, &problem))
        return true;
    explain(&problem, why);
    return false;
}

static enum rules_progress draft_step(struct rules_draft *draft,
                                      uint32_t effort,
                                      struct rules_problem *why)
{
    struct recipe_problem problem;

    switch (board_draft_step((struct board_draft *)draft, effort, &problem)) {
    case BOARD_MORE: return RULES_MORE;
    case BOARD_READY: return RULES_READY;
    case BOARD_REFUSED: break;
    }
    explain(&problem, why);
    return RULES_REFUSED;
}

static size_t draft_write(const struct rules_draft *draft, char *buf,
                          size_t cap)
{
    return haz_write(&((const struct board_draft *)draft)->board, NULL, buf,
                     cap);
}

static size_t generate(const int32_t *values, struct rng *rng, char *buf,
                       size_t cap, struct rules_problem *why)
{
    struct board_recipe recipe = recipe_of(values);
    struct recipe_problem problem;
    struct board board;

    if (board_generate(&board, &recipe, rng, &problem))
        return haz_write(&board, NULL, buf, cap);
    explain(&problem, why);
    return 0;
}

const struct rules_asset_kind hacienda_board_kind = {
    .name = "board",
    .title = "boards",
    .format = "haz",
    .bytes_max = HAZ_BYTES_MAX,
    .generate = generate,
    .draft_bytes = sizeof(struct board_draft),
    .draft_begin = draft_begin,
    .draft_step = draft_step,
    .draft_write = draft_write,
    .parameters = parameters,
};
