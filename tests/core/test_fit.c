/* test_fit.c -- choices that do not go together are made to, by changing as
 * few of the others as can be. */

#include <criterion/criterion.h>
#include <string.h>

#include "core/base.h"
#include "core/fit.h"
#include "tests/support/hacienda_position.h"
#include "tests/support/play.h"

enum { VARIANT1, VARIANT2, CRUCIBLE };

extern const struct rules hacienda_rules;
static const struct rules *const R = &hacienda_rules;
static union rules_any room;

/* A form of Hacienda: the choices by field. */
struct form {
    struct rules_setup setup;
    int16_t options[RULES_OPTIONS_MAX];
};

static void fill(struct form *f, int seats, const char *board, int variant1,
                 int variant2, int crucible)
{
    *f = (struct form){
        .setup = {.seats = seats, .asset_name = board},
        .options = {(int16_t)variant1, (int16_t)variant2, (int16_t)crucible},
    };
}

/* Which fields of A and B differ, a bit for each. */
static int differ(const struct form *a, const struct form *b)
{
    int bits = 0;

    for (int i = 0; i <= CRUCIBLE; i++)
        bits |= (a->options[i] != b->options[i]) << i;
    bits |= (a->setup.asset_name != b->setup.asset_name) << FIT_ASSET;
    return bits | (a->setup.seats != b->setup.seats) << FIT_SEATS;
}

static bool stands(struct form *f)
{
    int16_t played[RULES_OPTIONS_MAX];

    f->setup.options = f->options;
    if (rules_setup(R, &room.state, &f->setup, NULL) != RULES_OK)
        return false;
    rules_options(R, &room.state, &f->setup, played);
    return memcmp(played, f->options, 3 * sizeof(played[0])) == 0;
}

/* Whether FORM could be made good by changing just the fields of BITS. */
static bool could(const struct form *form, int bits)
{
    for (int n = 0; n < 8 * 4 * 4; n++) {
        struct form f;
        fill(&f, 2 + n / 32, R->assets[n / 8 % 4].name, n & 1, n >> 1 & 1,
             n >> 2 & 1);
        if ((differ(form, &f) & ~bits) == 0 && stands(&f))
            return true;
    }
    return false;
}

static void try_keep(const struct form *form, int keep)
{
    struct form f = *form;

    cr_assert(rules_fit(R, &f.setup, f.options, keep, &room));
    int changed = differ(form, &f);
    cr_assert(stands(&f));
    cr_assert((changed & 1 << keep) == 0);
    /* Nothing smaller would have done. */
    for (int bits = 0; bits < 1 << FIT_FIELDS; bits++)
        if ((bits & 1 << keep) == 0 &&
            __builtin_popcount((unsigned)bits) <
                __builtin_popcount((unsigned)changed) &&
            (bits & ~(7 | 1 << FIT_ASSET | 1 << FIT_SEATS)) == 0)
            cr_assert(!could(form, bits));
}

/* [H24] Whatever stands in the form, and whatever of it was chosen last: that
 * stays, it can be played as it stands, and no fewer changes would do. */
Test(fit, hacienda)
{
    for (int n = 0; n < 8 * 4 * 4; n++) {
        struct form f;
        fill(&f, 2 + n / 32, R->assets[n / 8 % 4].name, n & 1, n >> 1 & 1,
             n >> 2 & 1);
        for (int keep = 0; keep <= CRUCIBLE; keep++)
            try_keep(&f, keep);
        try_keep(&f, FIT_ASSET);
        try_keep(&f, FIT_SEATS);
    }
}

/* The Crucible's board brings its option and takes variants and seats away;
 * a third seat ends it. */
Test(fit, crucible)
{
    struct form f;

    fill(&f, 3, "crucible", 1, 0, 0);
    cr_assert(rules_fit(R, &f.setup, f.options, FIT_ASSET, &room));
    EXPECT_NUMBER(f.options[CRUCIBLE], 1);
    EXPECT_NUMBER(f.options[VARIANT1], 0);
    EXPECT_NUMBER(f.setup.seats, 2);
    f.setup.seats = 3;
    cr_assert(rules_fit(R, &f.setup, f.options, FIT_SEATS, &room));
    EXPECT_NUMBER(f.options[CRUCIBLE], 0);
    cr_assert_str_neq(f.setup.asset_name, "crucible");
}

/* Where an option would do as well as another board, the board stays. */
Test(fit, options_first)
{
    struct form f;

    fill(&f, 2, "crucible", 0, 0, 0);
    cr_assert(rules_fit(R, &f.setup, f.options, VARIANT1, &room));
    EXPECT_NUMBER(f.options[CRUCIBLE], 1);
    cr_assert_str_eq(f.setup.asset_name, "crucible");
    fill(&f, 2, R->assets[0].name, 0, 0, 1);
    bool was = strcmp(f.setup.asset_name, "crucible") == 0;
    cr_assert(!was && rules_fit(R, &f.setup, f.options, FIT_SEATS, &room));
    EXPECT_NUMBER(f.options[CRUCIBLE], 0);
    cr_assert_str_eq(f.setup.asset_name, R->assets[0].name);
}

/* Somebody's own board is never taken away; then there may be no way. */
Test(fit, own_board)
{
    static char haz[HAZ_BYTES_MAX];
    struct form f, before;

    fill(&f, 3, NULL, 1, 0, 1);
    f.setup.asset = haz;
    f.setup.asset_len = position_haz(". $ .\n . . .", haz, sizeof(haz));
    before = f;
    cr_assert_not(rules_fit(R, &f.setup, f.options, CRUCIBLE, &room));
    EXPECT_NUMBER(differ(&before, &f), 0);
    cr_assert(rules_fit(R, &f.setup, f.options, FIT_SEATS, &room));
    EXPECT_NUMBER(differ(&before, &f), 1 << CRUCIBLE);
}

/* What can be played is left as it is, in every game. */
Test(fit, every_game)
{
    for (size_t g = 0; play_game(g) != NULL; g++) {
        const struct rules *r = play_game(g);
        for (size_t i = 0; i < 50; i++) {
            struct rules_setup setup = play_setup(r, i)->setup;
            int16_t options[RULES_OPTIONS_MAX], was[RULES_OPTIONS_MAX];
            cr_assert(rules_setup(r, &room.state, &setup, NULL) == RULES_OK);
            rules_options(r, &room.state, &setup, options);
            memcpy(was, options, sizeof(was));
            const struct rules_setup before = setup;
            cr_assert(rules_fit(r, &setup, options, FIT_SEATS, &room));
            cr_assert_eq(setup.seats, before.seats);
            cr_assert_eq(setup.asset_name, before.asset_name);
            for (int o = 0; r->options[o].name != NULL; o++)
                EXPECT_NUMBER(options[o], was[o]);
        }
    }
}
