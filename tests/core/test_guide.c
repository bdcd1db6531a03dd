/* test_guide.c -- a first game that is led: there is always something next, what is
 * said is whole in every language, and every step is told some time. */

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "../../core/base.h"
#include "../../core/guide.h"
#include "../../core/says.h"

enum { LED = 0, GAMES = 12, TEXT = 400 };

static const char *const names[RULES_SEATS_MAX] = {"Ana", "Ben"};
static struct mind_room room;
static struct rules_events events;

static int steps_of(const struct guide *g)
{
    int n = 0;

    while (g->steps != NULL && g->steps[n].name != NULL)
        n++;
    return n;
}

/* What is said of HINT, in each language, is a sentence, and nothing in it is left to
 * be filled in. */
static void said(const struct guide *g, const struct rules_state *view,
                 const struct guide_hint *hint)
{
    static const char *const langs[] = {"en", "fr"};
    char text[TEXT];

    for (size_t i = 0; i < COUNT_OF(langs); i++) {
        size_t n = says_move(g->rules, says_find(g->rules, langs[i]), view,
                             guide_move_text(g, langs[i], hint), LED,
                             &hint->move, names, text, sizeof(text));
        cr_assert(n > 0 && n < sizeof(text), "%s: %s", g->rules->name,
                  g->rules->verbs[hint->move.verb].name);
        cr_assert_null(strpbrk(text, "{}|_"), "%s", text);
        cr_assert_eq(text[n - 1], '.', "%s", text);
        if (hint->step >= 0)
            cr_assert_neq(guide_step_text(g, langs[i], hint)[0], '\0');
    }
    const char *english = guide_move_text(g, "en", hint);
    cr_assert_str_neq(guide_move_text(g, "fr", hint), english);
    cr_assert_eq(guide_move_text(g, "eo", hint), english, "as it is first");
}

struct lesson {
    struct guide g;
    union rules_any s, view;
    struct rng chance, wish; /* of nature; of who does not follow */
    uint64_t number, draws;
    uint32_t told, all; /* steps, of this game and of all there were */
};

static void begin(struct lesson *l, uint64_t number)
{
    int16_t options[RULES_OPTIONS_MAX];
    struct rules_setup setup = {.seats = 2, .options = options};
    struct rules_problem why;
    uint8_t key[RNG_SEED_SIZE] = {(uint8_t)number, 1};

    for (int i = 0; i < RULES_OPTIONS_MAX; i++)
        options[i] = RULES_NONE;
    for (const struct guide_option *o = l->g.options; o && o->name; o++)
        for (int i = 0; l->g.rules->options[i].name != NULL; i++)
            if (strcmp(l->g.rules->options[i].name, o->name) == 0)
                options[i] = o->value;
    cr_assert_eq(rules_setup(l->g.rules, &l->s.state, &setup, &why), RULES_OK);
    rng_init(&l->wish, key, 1);
    l->number = number;
    l->draws = 0;
    l->told = 0;
}

/* What SEAT plays: who is led what they are told to, at one decision in ONE_IN, or
 * else anything. */
static void choose(struct lesson *l, int seat, uint32_t one_in,
                   struct rules_move *move)
{
    static struct rules_choice choices[RULES_MOVES_MAX];
    struct mind mind = mind_of(l->g.rules, MIND_GREEDY);
    struct guide_hint hint;

    rules_view(l->g.rules, &l->s.state, seat, &l->view.state);
    if (seat != LED) {
        cr_assert(mind_choose(&mind, &l->view.state, &room, move));
        return;
    }
    do {
        cr_assert(guide_next(&l->g, &l->view.state, l->told, &room, &hint));
        said(&l->g, &l->view.state, &hint);
        cr_assert_eq(rules_check(l->g.rules, &l->view.state, LED, &hint.move),
                     RULES_OK);
        cr_assert(hint.part == GUIDE_MOVE || hint.step >= 0);
        if (hint.step >= 0)
            l->told |= 1u << hint.step;
    } while (hint.part != GUIDE_MOVE);
    *move = hint.move;
    if (rng_below(&l->wish, one_in) == 0)
        return;
    size_t n = rules_legal(l->g.rules, &l->view.state, LED, -1, choices,
                           RULES_MOVES_MAX);
    mind_any(&l->wish, choices, n, move);
}

/* Plays a whole game; whoever is waited for. */
static void play(struct lesson *l, uint64_t number, uint32_t one_in)
{
    uint8_t key[RNG_SEED_SIZE] = {(uint8_t)number};
    struct rules_move move;

    begin(l, number);
    while (!rules_over(&l->s.state)) {
        int seat = 0;
        if (l->s.state.acting & RULES_BIT(RULES_NATURE)) {
            seat = RULES_NATURE;
            rng_init(&l->chance, key, l->draws++);
            rules_chance(l->g.rules, &l->s.state, &l->chance, &move);
        } else {
            while (!(l->s.state.acting & RULES_BIT(seat)))
                seat++;
            choose(l, seat, one_in, &move);
        }
        cr_assert_eq(rules_apply(l->g.rules, &l->s.state, seat, &move,
                                 &events),
                     RULES_OK);
    }
    l->all |= l->told;
}

/* Each game, led, of who follows and of who mostly does not: there is always something
 * to say, and every step is told in one game or another. */
Test(guide, leads_through_whole_games)
{
    static struct lesson l;

    for (size_t i = 0; rules_all[i] != NULL; i++) {
        l.g = guide_of(rules_all[i]);
        l.all = 0;
        for (uint64_t game = 0; game < GAMES; game++)
            play(&l, game, 1);
        for (size_t game = 0; game < GAMES; game++)
            play(&l, game, 3);
        int steps = steps_of(&l.g);
        for (int step = 0; step < steps; step++)
            cr_expect(l.all >> step & 1u, "%s: %s is never told",
                      l.g.rules->name, l.g.steps[step].name);
    }
}

/* What a game says when it leads has its names once each, and a sentence for each
 * step in each language, and no more. */
Test(guide, says_all_in_each_language)
{
    for (size_t i = 0; rules_all[i] != NULL; i++) {
        struct guide g = guide_of(rules_all[i]);
        int steps = steps_of(&g);
        cr_assert_leq(steps, GUIDE_STEPS_MAX);
        for (int a = 0; a < steps; a++)
            for (int b = 0; b < a; b++)
                cr_assert_str_neq(g.steps[a].name, g.steps[b].name);
        for (const struct guide_says *s = g.says; s && s->lang; s++) {
            for (int step = 0; step < steps; step++)
                cr_assert_not_null(s->steps[step], "%s %s", s->lang,
                                   g.steps[step].name);
            cr_assert_null(s->steps[steps], "%s %s: more", g.rules->name,
                           s->lang);
        }
        for (int verb = 0; g.says != NULL && g.rules->verbs[verb].name; verb++)
            cr_assert_eq(g.says[0].moves[verb] != NULL,
                         g.says[1].moves[verb] != NULL, "%s %s", g.rules->name,
                         g.rules->verbs[verb].name);
    }
}

/* Who is not waited for is told nothing. */
Test(guide, waits_with_who_waits)
{
    static struct lesson l;
    struct guide_hint hint;

    l.g = guide_of(rules_find("tictactoe"));
    begin(&l, 0);
    rules_view(l.g.rules, &l.s.state, 1, &l.view.state);
    cr_assert_not(guide_next(&l.g, &l.view.state, 0, &room, &hint));
    rules_view(l.g.rules, &l.s.state, LED, &l.view.state);
    cr_assert(guide_next(&l.g, &l.view.state, 0, &room, &hint));
}
