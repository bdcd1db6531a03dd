#include "hadara_offers.h"

/* The choices, as those of tools: a row is one, with its variants. */
static const struct rules_move *nth_choice(const struct ui *ui, size_t i)
{
    (void)ui;
    return i < hadara_here.choices ? &hadara_here.choice[i].move : NULL;
}

static bool row_has(const struct ui *ui, int row,
                    const struct rules_move *move)
{
    (void)ui;
    return hadara_same_choice(&hadara_here.choice[hadara_here.row[row]].move,
                              move);
}

static const struct choices_form offers_form = {
    .has = row_has,
    .moves = nth_choice,
};
struct choices hadara_offers = {.form = &offers_form, .tool = NO_TOOL};

const struct hadara_choice *hadara_choice_of(const struct ui *ui, size_t row,
                                             size_t *ret_count)
{
    if (row >= hadara_here.rows)
        return NULL;
    return (const struct hadara_choice *)/* it begins with its move */
        choices_move(ui, &hadara_offers, (int)row, ret_count);
}

const struct hadara_choice *hadara_choice_at(const struct ui *ui, size_t row)
{
    size_t count;
    return hadara_choice_of(ui, row, &count);
}

/* The rows: of choices that differ in a detail, the first. */
void hadara_make_ways(const struct ui *ui)
{
    hadara_here.rows = 0;
    for (size_t i = 0; i < hadara_here.choices; i++) {
        bool is_new = true;
        for (size_t k = 0; k < hadara_here.rows && is_new; k++)
            is_new = !row_has(ui, (int)k, &hadara_here.choice[i].move);
        if (is_new)
            hadara_here.row[hadara_here.rows++] = i;
    }
    choices_fresh(ui, &hadara_offers, (int)hadara_here.rows);
}
