#include "fit.h"

struct search {
    const struct rules *rules;
    struct rules_setup *setup;
    int16_t *options;
    int keep;
    union rules_any *room;
};

/* Whether the game is played exactly as chosen. */
static bool stands(const struct search *x)
{
    const struct rules *r = x->rules;
    int16_t played[RULES_OPTIONS_MAX];

    if (rules_setup(r, &x->room->state, x->setup, NULL) != RULES_OK)
        return false;
    rules_options(r, &x->room->state, x->setup, played);
    for (int i = 0; r->options[i].name != NULL; i++)
        if (played[i] != x->options[i])
            return false;
    return true;
}

static bool change(struct search *x, int from, int changes);

static bool change_option(struct search *x, int i, int changes)
{
    const struct rules_option *o = &x->rules->options[i];
    int16_t was = x->options[i];

    for (int16_t v = o->min; v <= o->max; v++) {
        x->options[i] = v;
        if (v != was && change(x, i + 1, changes))
            return true;
    }
    x->options[i] = was;
    return false;
}

static bool change_asset(struct search *x, int changes)
{
    const struct rules_asset *a = x->rules->assets;
    const char *was = x->setup->asset_name;

    for (; a != NULL && a->name != NULL; a++) {
        x->setup->asset_name = a->name;
        if (a->name != was && change(x, FIT_ASSET + 1, changes))
            return true;
    }
    x->setup->asset_name = was;
    return false;
}

static bool change_seats(struct search *x, int changes)
{
    int was = x->setup->seats;

    for (int n = x->rules->seats_min; n <= x->rules->seats_max; n++) {
        x->setup->seats = n;
        if (n != was && change(x, FIT_SEATS + 1, changes))
            return true;
    }
    x->setup->seats = was;
    return false;
}

/* Whether it stands after so many changes from field FROM on; if not, nothing
 * is changed. */
static bool change(struct search *x, int from, int changes)
{
    const struct rules_option *options = x->rules->options;

    if (changes == 0)
        return stands(x);
    for (int i = 0; options[i].name != NULL; i++)
        if (i >= from && i != x->keep &&
            (options[i].flag || options[i].words != NULL) &&
            change_option(x, i, changes - 1))
            return true;
    if (from <= FIT_ASSET && x->keep != FIT_ASSET && x->setup->asset == NULL &&
        change_asset(x, changes - 1))
        return true;
    return from <= FIT_SEATS && x->keep != FIT_SEATS &&
           change_seats(x, changes - 1);
}

bool rules_fit(const struct rules *r, struct rules_setup *setup,
               int16_t *options, int keep, union rules_any *room)
{
    struct search x = {r, setup, options, keep, room};

    setup->options = options;
    for (int changes = 0; changes <= FIT_FIELDS; changes++)
        if (change(&x, 0, changes))
            return true;
    return false;
}
