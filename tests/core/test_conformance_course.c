/* test_conformance_course.c -- what every game promises of its course.
 *
 * Every state is valid; a log alone is the game, and no game is longer than it
 * says; questions are as old as they should be; what can be taken back leaves
 * no trace; points add up, and places come last.  And setups that cannot be
 * are refused with a reason. */

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "tests/support/play.h"

/* So many default moves end any turn. */
#define TURN_MOVES_MAX 64
/* So many passes in a row end a round for who passes. */
#define PASSES_MAX 4

static size_t passed; /* so that a game whose pass never comes is noticed */

/* ---- the header ------------------------------------------------------- */

/* "The ply at which each seat's present question was put." */
static void questions(struct play *p, int mover)
{
    const struct rules_state *a = &p->before.state, *b = &p->s.state;

    for (int seat = 0; seat < b->seats; seat++) {
        bool kept = rules_can_move(a, seat) && seat != mover;
        if (!rules_can_move(b, seat))
            MUST(p, b->asked[seat] == 0);
        else if (!kept)
            MUST(p, b->asked[seat] == b->ply);
        else if (p->events.flags & RULES_INDEPENDENT)
            MUST(p, b->asked[seat] == a->asked[seat]);
        else
            MUST(p,
                 b->asked[seat] == a->asked[seat] || b->asked[seat] == b->ply);
    }
}

/* What clocks are told: who is waited for, whom the move asked, and a number of
 * turns, where there is one, that never comes back. */
static void moments(struct play *p)
{
    const struct rules_state *b = &p->s.state;
    struct rules_moment was = rules_moment(p->r, &p->before.state);
    struct rules_moment is = rules_moment(p->r, b);

    MUST(p, is.acting == b->acting);
    MUST(p, (is.turn == RULES_NO_TURN) == (p->r->turn == NULL));
    MUST(p, is.turn >= was.turn);
    MUST(p, rules_round(p->r, b) >= rules_round(p->r, &p->before.state));
    for (int seat = 0; seat < b->seats; seat++)
        MUST(p, ((is.asked & RULES_BIT(seat)) != 0) ==
                    (b->asked[seat] == b->ply && rules_can_move(b, seat)));
}

static void header(struct play *p, const struct rules_ply *ply)
{
    const struct rules_state *a = &p->before.state, *b = &p->s.state;
    bool nature = ply->seat == RULES_NATURE;
    bool answered = (b->acting & RULES_BIT(RULES_NATURE)) != 0;

    MUST(p, rules_valid(p->r, b));
    MUST(p, b->ply == a->ply + 1 && b->ply == p->plies);
    MUST(p, b->ply <= p->r->plies_max);
    MUST(p, b->seats == a->seats && b->viewer == RULES_ALL);
    MUST(p, b->revision == p->r->revision);
    MUST(p, ((p->events.flags & RULES_DREW) != 0) == (nature || answered));
    for (size_t i = 0; i < p->events.count; i++)
        MUST(p, p->events.at[i].seat < b->seats ||
                    p->events.at[i].seat == RULES_NATURE);
}

/* ---- turns that are played for somebody --------------------------------- */

/* Plays MOVE of SEAT in S, and what nature draws then. */
static void answer_for(struct play *p, struct rules_state *s, int seat,
                       struct rules_move *move)
{
    struct rules_events events;

    MUST(p, rules_apply(p->r, s, seat, move, &events) == RULES_OK);
    while ((s->acting & RULES_BIT(RULES_NATURE)) != 0) {
        rules_chance(p->r, s, &p->dice, move);
        MUST(p, rules_apply(p->r, s, RULES_NATURE, move, &events) == RULES_OK);
    }
}

/* From here the default moves of a seat that is waited for end its turn, or have
 * the others wait no longer, before there are too many. */
static void turns_end(struct play *p)
{
    static union rules_any s;
    struct rules_move move;

    for (int seat = 0; seat < p->s.state.seats; seat++) {
        s = p->s;
        uint32_t turn = rules_moment(p->r, &s.state).turn;
        for (int moves = 0; (s.state.acting & RULES_BIT(seat)) != 0 &&
                            rules_moment(p->r, &s.state).turn == turn;
             moves++) {
            MUST(p, moves < TURN_MOVES_MAX);
            rules_default_move(p->r, &s.state, seat, &move);
            answer_for(p, &s.state, seat, &move);
        }
    }
}

/* Who is waited for and passes whenever they can has passed for the rest of the
 * round before there are too many; their view has the same pass. */
static void passes_end(struct play *p)
{
    static union rules_any s, view;
    struct rules_move move, seen;
    uint32_t round = rules_round(p->r, &p->s.state);

    MUST(p, (p->r->pass == NULL) == (p->r->round == NULL));
    for (int seat = 0; seat < p->s.state.seats; seat++) {
        s = p->s;
        for (int passes = 0; rules_round(p->r, &s.state) == round &&
                             rules_pass(p->r, &s.state, seat, &move);
             passes++) {
            MUST(p, passes < PASSES_MAX);
            rules_view(p->r, &s.state, seat, &view.state);
            MUST(p, rules_pass(p->r, &view.state, seat, &seen) &&
                        memcmp(&move, &seen, sizeof(move)) == 0);
            answer_for(p, &s.state, seat, &move);
            passed++;
        }
    }
}

/* ---- taking back ------------------------------------------------------ */

/* Which ply SEAT may take back, and why not, found in another way than the
 * core does. */
static enum rules_undo undo_expected(const struct play *p, int seat,
                                     size_t *at)
{
    size_t i = p->plies;
    bool others = false, free_of_others = true, drawn = false;

    while (i > 0 && p->done[i - 1].seat != seat) {
        const struct rules_done *d = &p->done[--i];
        drawn = drawn || d->seat == RULES_NATURE;
        if (d->seat == RULES_NATURE)
            continue;
        others = true;
        free_of_others = free_of_others && (d->flags & RULES_INDEPENDENT) != 0;
    }
    if (!free_of_others)
        return RULES_UNDO_OTHERS_MOVED;
    if (i == 0)
        return RULES_UNDO_NOTHING;
    *at = i - 1;
    uint16_t flags = p->done[i - 1].flags;
    if (drawn || (flags & RULES_DREW))
        return RULES_UNDO_DRAWN;
    if (flags & RULES_REVEALED)
        return RULES_UNDO_REVEALED;
    if (flags & RULES_FINAL)
        return RULES_UNDO_FINAL;
    if (others && !(flags & RULES_INDEPENDENT))
        return RULES_UNDO_OTHERS_MOVED;
    return RULES_UNDO_YES;
}

/* Room for a game's plies without one, or with one broken. */
static struct rules_ply *log_of(size_t plies)
{
    static struct rules_ply *log;
    static size_t room;

    if (plies > room) {
        room = 2 * plies;
        log = realloc(log, room * sizeof(log[0]));
        cr_assert_not_null(log);
    }
    return log;
}

/* The log without the ply AT can be played, and comes to the state before it;
 * if others have moved since, to one from which it comes to the present. */
static void taken_back(struct play *p, size_t at)
{
    static struct rules_events events;
    struct rules_ply *log = log_of(p->plies);
    union rules_any s, now;
    size_t failed;

    memcpy(log, p->log, at * sizeof(log[0]));
    memcpy(log + at, p->log + at + 1, (p->plies - at - 1) * sizeof(log[0]));
    MUST(p, rules_replay(p->r, &s.state, &p->setup->setup, log, p->plies - 1,
                         &failed) == RULES_OK);
    MUST(p, failed == p->plies - 1);
    if (at == p->plies - 1) {
        MUST(p, play_same(p->r, &s.state, &p->before.state));
        return;
    }
    MUST(p, rules_apply(p->r, &s.state, p->log[at].seat, &p->log[at].move,
                        &events) == RULES_OK);
    memcpy(&now, &p->s, p->r->state_size);
    memset(now.state.asked, 0, sizeof(now.state.asked));
    memset(s.state.asked, 0, sizeof(s.state.asked));
    MUST(p, play_same(p->r, &s.state, &now.state));
}

static void taking_back(struct play *p)
{
    for (int seat = 0; seat < p->s.state.seats; seat++) {
        size_t at = 0, expected = 0;
        enum rules_undo answer = rules_undo(p->done, p->plies, seat, &at);
        MUST(p, answer == undo_expected(p, seat, &expected));
        MUST(p, rules_undo_word(answer)[0] != '\0');
        if (answer != RULES_UNDO_YES)
            continue;
        MUST(p, at == expected && p->log[at].seat == seat);
        taken_back(p, at);
    }
}

/* ---- points ----------------------------------------------------------- */

static void places(struct play *p, const struct rules_score *score)
{
    int seats = p->s.state.seats;
    bool first = false;

    for (int a = 0; a < seats; a++) {
        MUST(p, score->place[a] >= 1 && score->place[a] <= seats);
        first = first || score->place[a] == 1;
        int better = 0;
        for (int b = 0; b < seats; b++) {
            better += score->place[b] < score->place[a];
            if (score->total[b] > score->total[a])
                MUST(p, score->place[b] < score->place[a]);
        }
        MUST(p, score->place[a] == better + 1);
    }
    MUST(p, first);
}

static void points(struct play *p)
{
    struct rules_score score;
    int parts = 0, seats = p->s.state.seats;

    while (p->r->parts[parts].name != NULL)
        parts++;
    memset(&score, 0xa5, sizeof(score));
    rules_score(p->r, &p->s.state, &score);
    MUST(p, parts <= RULES_PARTS_MAX && score.parts < 1u << parts);
    for (int seat = 0; seat < RULES_SEATS_MAX; seat++) {
        int32_t sum = 0;
        for (int part = 0; part < parts; part++)
            if (score.parts & (1u << part))
                sum += score.part[part][seat];
        MUST(p, score.total[seat] == sum);
        MUST(p, seat < seats || sum == 0);
        if (seat >= seats || !rules_over(&p->s.state))
            MUST(p, score.place[seat] == 0);
    }
    if (rules_over(&p->s.state))
        places(p, &score);
}

/* ---- games ------------------------------------------------------------ */

static void start(struct play *p)
{
    struct rules_state *s = &p->s.state;

    MUST(p, p->r->state_size <= RULES_STATE_MAX);
    MUST(p, rules_find(p->r->name) == p->r ||
                rules_find(p->r->name) == NULL); /* a toy */
    MUST(p, rules_valid(p->r, s));
    MUST(p, s->ply == 0 && s->acting != 0);
    MUST(p, s->seats == p->setup->setup.seats && s->viewer == RULES_ALL);
    for (int seat = 0; seat < RULES_SEATS_MAX; seat++)
        MUST(p, s->asked[seat] == 0);
    points(p);
}

static void after(struct play *p, const struct rules_ply *ply)
{
    header(p, ply);
    questions(p, ply->seat);
    moments(p);
    points(p);
    if (p->look) {
        taking_back(p);
        turns_end(p);
        passes_end(p);
    }
}

static void over(struct play *p)
{
    struct rules_ply *broken = log_of(p->plies);
    union rules_any s;
    size_t at;

    MUST(p, rules_replay(p->r, &s.state, &p->setup->setup, p->log, p->plies,
                         &at) == RULES_OK);
    MUST(p, at == p->plies);
    MUST(p, rules_hash(p->r, &s.state) == rules_hash(p->r, &p->s.state));

    /* A log with a ply that cannot be stops right there. */
    size_t bad = rng_below(&p->dice, (uint32_t)p->plies);
    memcpy(broken, p->log, p->plies * sizeof(broken[0]));
    broken[bad].move.verb = UINT16_MAX;
    MUST(p, rules_replay(p->r, &s.state, &p->setup->setup, broken, p->plies,
                         &at) == RULES_UNKNOWN_VERB);
    MUST(p, at == bad);
}

static const struct play_suite suite = {start, NULL, after, over};

#define PLAY_WITH_PASSES(game, games, one_in) \
    Test(course, game) \
    { \
        play_run(&suite, #game, games, one_in); \
        cr_assert_gt(passed, 0); \
    }
PLAY_WITH_PASSES(hacienda, 1000, 12)
PLAY_WITH_PASSES(hadara, 400, 8)
PLAY_WITH_PASSES(greement, 1000, 40)
PLAY(course, &suite, tictactoe, 1000, 1)
PLAY(course, &suite, kuhn, 3000, 1)
PLAY(course, &suite, roshambo, 3000, 1)
PLAY_WITH_PASSES(haggle, 1000, 1)
PLAY_OTHERS(course, &suite, 100, 12)

/* ---- undo, case by case ------------------------------------------------ */

enum { A, B, NATURE = RULES_NATURE };

static const char *undo(const struct rules_done *done, size_t count,
                        size_t expected)
{
    size_t at = 99;
    enum rules_undo answer = rules_undo(done, count, A, &at);
    cr_assert_eq(at, answer == RULES_UNDO_YES ? expected : 99);
    return rules_undo_word(answer);
}

#define UNDO(at, ...) \
    undo((const struct rules_done[]){__VA_ARGS__}, \
         COUNT_OF(((const struct rules_done[]){__VA_ARGS__})), at)

/* What A may take back after these plies, and which. */
Test(course, undo_cases)
{
    const uint16_t free = RULES_INDEPENDENT;

    cr_assert_str_eq(undo(NULL, 0, 0), "nothing");
    cr_assert_str_eq(UNDO(0, {A, 0}), "yes");
    cr_assert_str_eq(UNDO(1, {A, 0}, {A, 0}), "yes");
    cr_assert_str_eq(UNDO(1, {A, RULES_FINAL}, {A, 0}), "yes");
    cr_assert_str_eq(UNDO(0, {A, 0}, {A, RULES_FINAL}), "final");
    cr_assert_str_eq(UNDO(0, {A, RULES_REVEALED | RULES_FINAL}), "revealed");
    cr_assert_str_eq(UNDO(0, {A, RULES_DREW | RULES_REVEALED}), "drawn");
    cr_assert_str_eq(UNDO(0, {A, 0}, {NATURE, RULES_DREW}), "drawn");
    cr_assert_str_eq(UNDO(0, {A, free}, {NATURE, RULES_DREW}), "drawn");
    cr_assert_str_eq(UNDO(0, {NATURE, RULES_DREW}), "nothing");
    cr_assert_str_eq(UNDO(0, {A, 0}, {B, 0}), "others_moved");
    cr_assert_str_eq(UNDO(0, {A, free}, {B, 0}), "others_moved");
    cr_assert_str_eq(UNDO(0, {A, 0}, {B, free}), "others_moved");
    cr_assert_str_eq(UNDO(0, {A, free}, {B, free}), "yes");
    cr_assert_str_eq(UNDO(0, {A, free}, {B, free}, {B, free}), "yes");
    cr_assert_str_eq(UNDO(0, {A, free}, {B, 0}, {B, free}), "others_moved");
    cr_assert_str_eq(UNDO(0, {B, 0}), "others_moved");
    cr_assert_str_eq(UNDO(0, {B, free}), "nothing");
}

/* ---- setups ----------------------------------------------------------- */

static void refused(const struct rules *r, const struct rules_setup *setup,
                    const char *rule, const char *option)
{
    struct rules_problem why = {.line = 77};
    union rules_any s;

    cr_assert_eq(rules_setup(r, &s.state, setup, &why), RULES_BAD_SETUP);
    cr_assert_str_eq(why.rule, rule);
    cr_assert_str_not_empty(why.text);
    cr_assert_eq(why.line, 0);
    if (option != NULL)
        cr_assert_str_eq(why.option, option);
    else
        cr_assert_null(why.option);
    cr_assert_eq(rules_setup(r, &s.state, setup, NULL), RULES_BAD_SETUP);
}

/* Seats, options and assets that a game does not have. */
Test(course, bad_setups)
{
    for (size_t i = 0; play_game(i) != NULL; i++) {
        const struct rules *r = play_game(i);
        int16_t options[RULES_OPTIONS_MAX] = {0};
        struct rules_setup setup = {.seats = r->seats_min - 1};

        refused(r, &setup, "bad_seats", NULL);
        setup.seats = r->seats_max + 1;
        refused(r, &setup, "bad_seats", NULL);
        setup.seats = r->seats_min;
        setup.options = options;
        for (int o = 0; o < RULES_OPTIONS_MAX; o++)
            options[o] = RULES_NONE;
        for (int o = 0; r->options[o].name != NULL; o++) {
            options[o] = (int16_t)(r->options[o].max + 1);
            refused(r, &setup, "bad_option", r->options[o].name);
            options[o] = (int16_t)(r->options[o].min - 1);
            refused(r, &setup, "bad_option", r->options[o].name);
            options[o] = RULES_NONE;
        }
        setup.asset_name = "no such thing";
        refused(r, &setup, r->assets ? "no_such_asset" : "no_asset_wanted",
                NULL);
    }
}

/* Bytes that are no asset are refused, whatever they are, and say where. */
Test(course, bad_assets)
{
    for (size_t i = 0; play_game(i) != NULL; i++) {
        const struct rules *r = play_game(i);
        if (r->assets == NULL)
            continue;
        char text[512];
        struct rules_problem why;
        union rules_any s;
        struct rng rng;
        rng_init(&rng, (const uint8_t[RNG_SEED_SIZE]){1}, i);
        for (int round = 0; round < 500; round++) {
            size_t len = rng_below(&rng, sizeof(text));
            for (size_t k = 0; k < len; k++)
                text[k] = (char)rng_below(&rng, 256);
            struct rules_setup setup = {
                .seats = r->seats_min,
                .asset = text,
                .asset_len = len,
            };
            cr_assert_eq(rules_setup(r, &s.state, &setup, &why),
                         RULES_BAD_SETUP);
            cr_assert(why.rule != NULL && why.text != NULL && why.line > 0);
        }
    }
}

/* Names are what the wire and stored logs speak: there, and each once. */
Test(course, names)
{
    for (size_t i = 0; play_game(i) != NULL; i++) {
        const struct rules *r = play_game(i);
        for (int a = 0; r->verbs[a].name != NULL; a++) {
            cr_assert_not_null(r->verbs[a].text);
            for (int b = 0; b < a; b++)
                cr_assert_str_neq(r->verbs[a].name, r->verbs[b].name);
        }
        for (int a = 0; r->events[a].name != NULL; a++) {
            cr_assert_not_null(r->events[a].text, "%s", r->events[a].name);
            for (int b = 0; b < a; b++)
                cr_assert_str_neq(r->events[a].name, r->events[b].name);
        }
        for (int a = 0; r->reasons[a].name != NULL; a++) {
            cr_assert_eq(rules_reason(r, RULES_GAME - a), r->reasons[a].name);
            cr_assert_not_null(rules_reason_text(r, RULES_GAME - a));
            for (int b = 0; b < a; b++)
                cr_assert_str_neq(r->reasons[a].name, r->reasons[b].name);
        }
    }
    cr_assert_null(rules_find("no such game"));
    cr_assert_null(rules_find(""));
    for (size_t i = 0; rules_all[i] != NULL; i++)
        cr_assert_eq(rules_find(rules_all[i]->name), rules_all[i]);
}
