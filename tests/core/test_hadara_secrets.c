/* test_hadara_secrets.c -- Hadara, the rules' chapter What each viewer may
 * see: drawn cards, choices, sold cards; and what the chooser alone is
 * shown. */

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "core/base.h"
#include "tests/support/hadara_position.h"

static const struct rules *const R = &hadara_rules;
static struct hd p;
static union rules_any room;

static void draw(void)
{
    hd_new(&p, 3, false);
    hd_want(&p, "yellow-1-01 yellow-1-02 red-1-01 red-1-02 "
                "blue-1-01 blue-1-02");
    hd_do(&p, 0, "set_wheel offset=0");
}

static const struct hadara_player *seen(int viewer, int seat)
{
    return &hd_view(&p, viewer, &room)->player[seat];
}

/* Hidden: other players' two drawn cards; seen by their owner only. */
Test(hadara_secrets, drawn_cards)
{
    draw();
    for (int viewer = 0; viewer <= 3; viewer++)
        for (int seat = 0; seat < 3; seat++) {
            bool own = viewer == seat;
            int who = viewer < 3 ? viewer : RULES_WATCHER;
            cr_assert_eq(seen(who, seat)->drawn[0] != HADARA_NOTHING, own);
            cr_assert_eq(seen(who, seat)->drawn[1] != HADARA_NOTHING, own);
        }
}

/* Told: nature's draw shows its cards to their owner alone; a choice is told
 * to nobody else. */
Test(hadara_secrets, told_plies)
{
    struct rules_move redacted, move = RULES_MOVE(NATURE_DRAW, 1, 3, 4);
    draw();
    rules_redact_move(R, &p.any.state, RULES_NATURE, &move, 1, &redacted);
    HD_IS(redacted.arg[1], 3);
    rules_redact_move(R, &p.any.state, RULES_NATURE, &move, 0, &redacted);
    HD_IS(redacted.arg[0], 1);
    HD_IS(redacted.arg[1], RULES_HIDDEN);
    HD_IS(redacted.arg[2], RULES_HIDDEN);
    move = RULES_MOVE(CHOOSE, 0, KEEP_BUY, RULES_NONE);
    rules_redact_move(R, &p.any.state, 0, &move, RULES_WATCHER, &redacted);
    for (int i = 0; i < 3; i++)
        HD_IS(redacted.arg[i], RULES_HIDDEN);
    rules_redact_move(R, &p.any.state, 0, &move, 0, &redacted);
    HD_IS(redacted.arg[1], KEEP_BUY);
}

/* [D6] A choice is hidden until all have chosen, and counts in nothing public;
 * who has chosen is public. */
Test(hadara_secrets, choices)
{
    draw();
    int32_t before[PREVIEWS], after[PREVIEWS];
    hadara_now(hd_of(&p), &hd_of(&p)->player[0], before);
    hd_do(&p, 0, "choose discard=yellow-1-01 keep=buy");
    HD_IS(seen(1, 0)->discard, HADARA_NOTHING);
    HD_IS(seen(1, 0)->keep, HADARA_NOTHING);
    HD_IS(seen(RULES_WATCHER, 0)->discard, HADARA_NOTHING);
    HD_IS(seen(0, 0)->discard, hd_card("yellow-1-01"));
    HD_IS(seen(0, 0)->keep, KEEP_BUY);
    HD_IS(hd_view(&p, 1, &room)->base.acting, 6);
    hadara_now(hd_view(&p, 0, &room), seen(0, 0), after);
    cr_assert_eq(memcmp(before, after, sizeof(after)), 0);
}

/* Who may not know is told that, and the chooser what, was chosen. */
Test(hadara_secrets, events_of_a_choice)
{
    draw();
    hd_do(&p, 0, "choose discard=yellow-1-01 keep=buy");
    HD_IS(p.events.count, 2);
    for (int i = 0; i < 2; i++) {
        const struct rules_event *e = &p.events.at[i];
        bool what = strcmp(R->events[e->kind].name, "choice") == 0;
        HD_IS(e->seen_by, what ? RULES_BIT(0) : RULES_BUT(0));
        HD_IS(e->arg[1], what ? KEEP_BUY : RULES_NONE);
    }
}

/* [D19] Which card was sold in phase A is hidden for ever; its seller keeps
 * knowing it. */
Test(hadara_secrets, cards_sold_in_phase_a)
{
    draw();
    hd_do(&p, 0, "choose discard=yellow-1-01 keep=sell");
    hd_do(&p, 1, "choose discard=red-1-01 keep=sell");
    hd_do(&p, 2, "choose discard=blue-1-01 keep=buy");
    HD_IS(seen(0, 0)->sold_card[0][HUE_YELLOW], hd_card("yellow-1-02"));
    HD_IS(seen(1, 0)->sold_card[0][HUE_YELLOW], HADARA_NOTHING);
    HD_IS(seen(1, 0)->sold[0][HUE_YELLOW], 1);
    HD_IS(seen(1, 2)->sold[0][HUE_BLUE], 0);
    HD_IS(seen(RULES_WATCHER, 1)->sold_card[0][HUE_RED], HADARA_NOTHING);
    for (int i = 0; i < p.events.count; i++) {
        const struct rules_event *e = &p.events.at[i];
        if (strcmp(R->events[e->kind].name, "sold") != 0)
            continue;
        cr_assert_eq(e->arg[0] == RULES_HIDDEN,
                     e->seen_by == RULES_BUT(e->seat));
        HD_IS(e->arg[1], 2);
    }
    hd_until(&p, STAGE_OVER);
    HD_IS(seen(0, 0)->sold_card[0][HUE_YELLOW], hd_card("yellow-1-02"));
    HD_IS(seen(1, 0)->sold_card[0][HUE_YELLOW], HADARA_NOTHING);
}

/* [D18] All cards lying in the piles are shown in order. */
Test(hadara_secrets, piles_are_open)
{
    hd_start(&p, &(struct hd_table){.seats = 4, .stage = STAGE_TAKE});
    const struct hadara *view = hd_view(&p, RULES_WATCHER, &room);
    for (int color = 0; color < HUES; color++) {
        HD_IS(view->piles[color], 4);
        cr_assert_eq(memcmp(view->pile[color], hd_of(&p)->pile[color], 4), 0);
    }
}

/* A choice on the chooser's own view; the last one, which rests on the others'
 * hidden choices, is unseen there. */
Test(hadara_secrets, choosing_on_a_view)
{
    struct rules_events events;
    struct rules_move move;
    draw();
    move = RULES_MOVE(CHOOSE, hd_card("yellow-1-01"), KEEP_BUY, RULES_NONE);
    hd_view(&p, 0, &room);
    cr_assert_eq(rules_apply(R, &room.state, 0, &move, &events), RULES_OK);
    HD_IS(((struct hadara *)&room)->player[0].keep, KEEP_BUY);
    hd_do(&p, 1, "choose discard=red-1-01 keep=sell");
    hd_do(&p, 2, "choose discard=blue-1-01 keep=sell");
    hd_view(&p, 0, &room);
    uint64_t hash = rules_hash(R, &room.state);
    cr_assert_eq(rules_apply(R, &room.state, 0, &move, &events), RULES_UNSEEN);
    cr_assert_eq(rules_hash(R, &room.state), hash);
}

/* ---- previews --------------------------------------------------------- */

/* Shown to the chooser alone: tracks, coins, points and value after each
 * possible choice. */
Test(hadara_secrets, preview_of_choices)
{
    int32_t now[PREVIEWS];
    draw();
    const struct hadara *view = hd_view(&p, 0, &room);
    const struct hadara_player *q = &view->player[0];
    cr_assert(hadara_preview_card(view, q, hd_card("yellow-1-02"), KEEP_BUY,
                                  HADARA_NOTHING, now));
    HD_IS(now[PREVIEW_INCOME], 5);
    HD_IS(now[PREVIEW_MILITARY], 2);
    HD_IS(now[PREVIEW_COINS], 5);
    HD_IS(now[PREVIEW_POINTS], 2);
    HD_IS(now[PREVIEW_VALUE], 3);
    cr_assert(hadara_preview_card(view, q, hd_card("yellow-1-02"), KEEP_SELL,
                                  HADARA_NOTHING, now));
    HD_IS(now[PREVIEW_COINS], 10);
    HD_IS(now[PREVIEW_INCOME], 3);
    HD_IS(now[PREVIEW_VALUE], 2);
    hd_of(&p)->player[0].coins = 2;
    view = hd_view(&p, 0, &room);
    cr_assert(!hadara_preview_card(view, q, hd_card("yellow-1-02"), KEEP_BUY,
                                   HADARA_NOTHING, now));
}

/* What a document told of a state is asked for by path. */
struct probe {
    char path[8][32];
    size_t depth;
    const char *want;
    int64_t value;
    bool found, null;
    int index[8];
};

static void probe_open(void *arg, const char *name, bool list)
{
    struct probe *pr = arg;
    size_t d = pr->depth;
    if (name == NULL)
        snprintf(pr->path[d], 32, "%d", pr->index[d]++);
    else
        snprintf(pr->path[d], 32, "%s", name);
    pr->depth++;
    pr->index[pr->depth] = 0;
    (void)list;
}

static void probe_close(void *arg, bool list)
{
    ((struct probe *)arg)->depth--;
    (void)list;
}

static void probe_value(void *arg, const char *name,
                        const struct fields_value *v)
{
    struct probe *pr = arg;
    char path[256] = "";
    for (size_t i = 0; i < pr->depth; i++) {
        strcat(path, pr->path[i]);
        strcat(path, "/");
    }
    if (name != NULL)
        strcat(path, name);
    else
        sprintf(path + strlen(path), "%d", pr->index[pr->depth]++);
    if (strcmp(path, pr->want) == 0) {
        pr->found = true;
        pr->null = v->type == FIELDS_NULL;
        pr->value = v->number;
    }
}

/* The number at PATH of what VIEWER is shown; -1 for null, -2 if there is no
 * such member. */
static int64_t shown(int viewer, const char *path)
{
    struct probe pr = {.want = path};
    struct fields_sink sink = {probe_open, probe_close, probe_value, NULL,
                               &pr};
    hd_view(&p, viewer, &room);
    rules_show(R, &room.state, &sink);
    return !pr.found ? -2 : pr.null ? -1 : pr.value;
}

/* The same numbers stand in the view's own words, for clients without this
 * code: each way to keep each card, costs, and what was chosen. */
Test(hadara_secrets, previews_in_words)
{
    draw();
    HD_IS(shown(0, "previews/cards/1/buy/income"), 5);
    HD_IS(shown(0, "previews/cards/1/buy/coins"), 5);
    HD_IS(shown(0, "previews/cards/1/sell/coins"), 10);
    HD_IS(shown(0, "previews/cards/1/cost"), 3);
    HD_IS(shown(0, "previews/cards/1/buy_food/food"), -1);
    HD_IS(shown(0, "previews/choice/coins"), -1);
    HD_IS(shown(RULES_WATCHER, "previews/cards/1/cost"), -2);
    hd_do(&p, 0, "choose discard=yellow-1-01 keep=buy");
    HD_IS(shown(0, "previews/choice/coins"), 5);
    HD_IS(shown(0, "previews/choice/income"), 5);
    HD_IS(shown(0, "players/0/now/coins"), 8);
    HD_IS(shown(1, "players/0/now/coins"), 8);
    HD_IS(shown(1, "previews/choice/coins"), -1);
    HD_IS(shown(1, "decks/yellow"), 4);
    HD_IS(shown(1, "previews/pile_costs/yellow"), -1);
    HD_IS(shown(1, "previews/medal_costs/gold"), 7);
    HD_IS(shown(1, "first_players/1"), 1);
    HD_IS(shown(1, "version"), 1);
    HD_IS(shown(1, "tables/medals/0/gold"), -2);
}

/* A side is previewed likewise, [D5]; a bonus tile in four ways, [D11]. */
Test(hadara_secrets, previews_of_sides_and_tiles)
{
    hd_new(&p, 2, true);
    HD_IS(shown(1, "previews/sides/b/coins"), 9);
    HD_IS(shown(1, "previews/sides/b/culture"), 4);
    HD_IS(shown(1, "previews/choice/culture"), -1);
    hd_do(&p, 1, "choose_side side=b");
    HD_IS(shown(1, "previews/choice/culture"), 4);
    HD_IS(shown(0, "previews/choice/culture"), -1);
    hd_new(&p, 2, false);
    hd_want(&p, "purple-1-10 purple-1-09");
    hd_do(&p, 0, "set_wheel offset=4");
    HD_IS(shown(0, "previews/cards/0/buy/food"), -1);
    HD_IS(shown(0, "previews/cards/0/buy_food/food"), 6);
    HD_IS(shown(0, "previews/cards/0/buy_food/income"), 3);
    HD_IS(shown(0, "previews/cards/1/buy/food"), 4);
}

/* What follows from the rest stands in words for everybody: what one has of each
 * colour, tiles left, what colonies and statues need of one by one's cards, and
 * in feeding, only then, how many cards are to go and what one costs in coins. */
Test(hadara_secrets, derived_in_words)
{
    static const struct hd_table t = {
        .seats = 5,
        .stage = STAGE_FEED,
        .epoch = 3,
        .advanced = true,
        .player = {{.cards = "red-1-01 red-1-02 red-1-03 red-1-04 red-1-05 "
                             "green-1-08 purple-2-14 purple-3-11",
                    .coins = 9,
                    .silver = "income",
                    .statues = "1income"},
                   {.cards = "red-1-06 red-1-07 red-1-08 red-1-09 red-1-10"}},
    };
    struct hd_table before = t;

    before.stage = STAGE_STATUE;
    before.phase = 1;
    hd_start(&p, &before);
    HD_IS(shown(0, "players/0/to_remove"), 0);
    hd_start(&p, &t);
    for (int viewer = 0; viewer < 2; viewer++) {
        HD_IS(shown(viewer, "players/0/to_remove"), 2);
        HD_IS(shown(viewer, "players/1/to_remove"), 1);
        HD_IS(shown(viewer, "players/0/feed_price"), 2);
        HD_IS(shown(viewer, "players/1/feed_price"), -1);
        HD_IS(shown(viewer, "players/0/colors/red"), 5);
        HD_IS(shown(viewer, "players/0/colors/purple"), 2);
        HD_IS(shown(viewer, "players/0/colors/yellow"), 0);
        HD_IS(shown(viewer, "players/0/tiles/income"), HADARA_TILES - 2);
        HD_IS(shown(viewer, "players/0/tiles/food"), HADARA_TILES);
        HD_IS(shown(viewer, "players/0/requirements/colonies/0"), 0);
        HD_IS(shown(viewer, "players/0/requirements/colonies/2"), 15 - 4);
        HD_IS(shown(viewer, "players/1/requirements/colonies/2"), 15);
        HD_IS(shown(viewer, "players/0/requirements/statues/1"), 12 - 4);
        HD_IS(shown(viewer, "players/1/requirements/statues/2"), 20);
    }
    hd_do(&p, 0, "pay_feed cards=1");
    HD_IS(shown(1, "players/0/to_remove"), 1);
    HD_IS(shown(1, "players/0/fed"), 1);
}

/* ---- resampling ------------------------------------------------------- */

/* Another true state that the viewer could not tell from this one: the same
 * view, valid, and over time other cards. */
Test(hadara_secrets, resampling)
{
    static uint8_t bytes[2][2 * RULES_STATE_MAX];
    union rules_any resampled, view;
    int sold[10] = {0}, bought = 0;
    draw();
    hd_do(&p, 1, "choose discard=red-1-01 keep=sell");
    hd_do(&p, 0, "choose discard=yellow-1-01 keep=sell");
    hd_want(&p, "blue-1-03 blue-1-05");
    hd_do(&p, 2, "choose discard=blue-1-01 keep=sell");
    hd_do(&p, 1, "choose discard=blue-1-03 keep=sell");
    hd_view(&p, 0, &view);
    size_t len = rules_encode(R, &view.state, bytes[0], sizeof(bytes[0]));
    for (int i = 0; i < 400; i++) {
        const struct hadara *h = (const struct hadara *)&resampled.state;
        rules_resample(R, &p.any.state, 0, &p.rng, &resampled.state);
        cr_assert(rules_valid(R, &resampled.state));
        rules_view(R, &resampled.state, 0, &view.state);
        HD_IS(rules_encode(R, &view.state, bytes[1], sizeof(bytes[1])), len);
        cr_assert_eq(memcmp(bytes[0], bytes[1], len), 0);
        sold[h->player[1].sold_card[0][HUE_RED] - hd_card("red-1-01")]++;
        bought += h->player[1].keep == KEEP_BUY;
    }
    HD_IS(sold[0], 0); /* it lies on the pile */
    int drawn = 0;     /* red cards that seat 0 holds itself cannot be it */
    for (int i = 0; i < 10; i++)
        drawn += sold[i] == 0;
    HD_IS(drawn, 3);
    cr_assert(bought > 50 && bought < 350);
}

/* Unused cards are never drawn: what may be drawn is what nobody has seen,
 * whatever the true state holds. */
Test(hadara_secrets, nature_on_a_view)
{
    struct rules_move move = RULES_MOVE(NATURE_DRAW, 0, RULES_HIDDEN,
                                        RULES_HIDDEN);
    hd_new(&p, 2, false);
    hd_of(&p)->offset = 0;
    hd_of(&p)->stage = STAGE_CHOOSE;
    hd_of(&p)->turn = HADARA_NOTHING;
    p.any.state.acting = RULES_BIT(RULES_NATURE);
    hd_view(&p, 1, &room);
    HD_IS(rules_check(R, &room.state, RULES_NATURE, &move), RULES_OK);
    hd_view(&p, 0, &room);
    cr_assert_neq(rules_check(R, &room.state, RULES_NATURE, &move), 0);
    move = RULES_MOVE(NATURE_DRAW, 0, hd_card("yellow-1-01"),
                      hd_card("yellow-1-01"));
    cr_assert_neq(rules_check(R, &p.any.state, RULES_NATURE, &move), 0);
    move.arg[2] = (int16_t)hd_card("red-1-01");
    cr_assert_neq(rules_check(R, &p.any.state, RULES_NATURE, &move), 0);
    move.arg[2] = (int16_t)hd_card("yellow-2-01");
    cr_assert_neq(rules_check(R, &p.any.state, RULES_NATURE, &move), 0);
    move.arg[2] = (int16_t)hd_card("yellow-1-02");
    HD_IS(rules_check(R, &p.any.state, RULES_NATURE, &move), RULES_OK);
    move.arg[0] = 1;
    cr_assert_neq(rules_check(R, &p.any.state, RULES_NATURE, &move), 0);
}

/* A view trusts nothing: arguments hidden from their own player, or where none
 * can be, are bad. */
Test(hadara_secrets, hidden_arguments)
{
    static const struct rules_move moves[] = {
        {CHOOSE,
         {RULES_HIDDEN, RULES_HIDDEN, RULES_HIDDEN, RULES_NONE, RULES_NONE,
          RULES_NONE}},
        {TAKE,
         {RULES_HIDDEN, 0, RULES_NONE, RULES_NONE, RULES_NONE, RULES_NONE}},
        {REMOVE,
         {RULES_HIDDEN, RULES_NONE, RULES_NONE, RULES_NONE, RULES_NONE,
          RULES_NONE}},
    };
    draw();
    hd_view(&p, 0, &room);
    for (size_t i = 0; i < COUNT_OF(moves); i++)
        HD_IS(rules_check(R, &room.state, 0, &moves[i]), RULES_BAD_ARGUMENT);
    hd_view(&p, 1, &room);
    HD_IS(rules_check(R, &room.state, 0, &moves[0]), RULES_OK);
    HD_IS(rules_check(R, &room.state, 0, &moves[1]), RULES_BAD_ARGUMENT);
}
