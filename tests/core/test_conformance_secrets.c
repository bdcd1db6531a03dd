/* test_conformance_secrets.c -- what every game promises of hidden things.
 *
 * A view is a state: it knows its moves, its reasons and its score.  What a
 * viewer is told of a ply takes their view to the next one, or stops where
 * something hidden decides.  And nobody is told more than they may know:
 * beside the true game goes a twin in which all that a viewer cannot see was
 * drawn anew; as long as the twin can follow, they are told and shown the
 * same. */

#include <criterion/criterion.h>
#include <string.h>

#include "core/base.h"
#include "core/games/hacienda/hacienda.h"
#include "tests/support/games/toys.h"
#include "tests/support/play.h"

static struct rules_choice legal[RULES_MOVES_MAX];
static struct rules_choice seen[RULES_MOVES_MAX];

/* What happened, so that a suite that shows nothing is noticed. */
static struct {
    size_t hidden, redrawn; /* twins where something was, and came otherwise */
    size_t redacted;        /* plies of others played on views ... */
    size_t unseen;          /* ... that stopped */
    size_t followed;        /* plies twins could follow */
    size_t harmless;        /* plies after which prepared answers stand */
    size_t guessed;         /* true states that came of views */
} tally;

/* ---- views ------------------------------------------------------------ */

static void view_is_a_view(struct play *p, const struct rules_state *view,
                           int viewer)
{
    union rules_any again;
    struct rules_score now, known;

    MUST(p, view->viewer == viewer);
    MUST(p, rules_valid(p->r, view));
    rules_view(p->r, view, viewer, &again.state);
    MUST(p, play_same(p->r, view, &again.state));
    rules_score(p->r, &p->s.state, &now);
    rules_score(p->r, view, &known);
    MUST(p, memcmp(&now, &known, sizeof(now)) == 0);
}

/* From a view alone comes a true state that it could be a view of: the same one
 * for the same chance, also of a view that has travelled. */
static void view_is_guessed(struct play *p, const struct rules_state *view)
{
    static uint8_t bytes[2 * RULES_STATE_MAX];
    union rules_any guess, again, travelled, same;
    struct rng chance = p->dice;

    rules_guess(p->r, view, &p->dice, &guess.state);
    MUST(p, guess.state.viewer == RULES_ALL);
    MUST(p, rules_valid(p->r, &guess.state));
    rules_view(p->r, &guess.state, view->viewer, &again.state);
    MUST(p, play_same(p->r, view, &again.state));
    size_t len = rules_encode(p->r, view, bytes, sizeof(bytes));
    MUST(p, rules_decode(p->r, &travelled.state, bytes, len) == RULES_OK);
    rules_guess(p->r, &travelled.state, &chance, &same.state);
    MUST(p, play_same(p->r, &guess.state, &same.state));
    tally.guessed++;
}

/* On its view a seat has the same moves, and hears the same reasons. */
static void view_knows_moves(struct play *p, const struct rules_state *view,
                             int seat)
{
    const struct rules_state *s = &p->s.state;
    size_t n = rules_legal(p->r, s, seat, -1, legal, RULES_MOVES_MAX);

    MUST(p, rules_legal(p->r, view, seat, -1, seen, RULES_MOVES_MAX) == n);
    MUST(p, memcmp(legal, seen, n * sizeof(legal[0])) == 0);
    for (int i = 0; i < 16; i++) {
        struct rules_move move = play_nonsense(p->r, s, &p->dice);
        if (n > 0 && i % 2 == 0)
            move = play_spoiled(p->r, s,
                                &legal[rng_below(&p->dice, (uint32_t)n)].move,
                                &p->dice);
        MUST(p, rules_check(p->r, s, seat, &move) ==
                    rules_check(p->r, view, seat, &move));
    }
    if (n > 0) {
        struct rules_move default_move[2];
        rules_default_move(p->r, s, seat, &default_move[0]);
        rules_default_move(p->r, view, seat, &default_move[1]);
        MUST(p, memcmp(&default_move[0], &default_move[1],
                       sizeof(default_move[0])) == 0);
    }
}

/* ---- a ply as it was told ---------------------------------------------- */

/* The next event VIEWER may see from AT on, or NULL. */
static const struct rules_event *next_seen(const struct rules_events *events,
                                           int viewer, size_t *at)
{
    while (*at < events->count) {
        const struct rules_event *e = &events->at[(*at)++];
        if (e->seen_by & RULES_BIT(viewer))
            return e;
    }
    return NULL;
}

/* Whether VIEWER is shown the same by both. */
static bool same_seen(const struct rules_events *a,
                      const struct rules_events *b, int viewer)
{
    size_t i = 0, j = 0;
    for (;;) {
        const struct rules_event *d = next_seen(a, viewer, &i);
        const struct rules_event *e = next_seen(b, viewer, &j);
        if (d == NULL || e == NULL)
            return d == e;
        if (d->kind != e->kind || d->seat != e->seat ||
            memcmp(d->arg, e->arg, sizeof(d->arg)) != 0)
            return false;
    }
}

/* Plays what VIEWER is told of a move in BEFORE on their view: it must come to
 * their view of AFTER with the EVENTS they see, or stop and change nothing.
 * Whether it came so far. */
static bool told_leads_on(struct play *p, const struct rules_state *before,
                          int seat, const struct rules_move *move, int viewer,
                          const struct rules_state *after,
                          const struct rules_events *events)
{
    static struct rules_events known;
    union rules_any was, is, view;
    struct rules_move redacted;

    rules_redact_move(p->r, before, seat, move, viewer, &redacted);
    if (viewer == seat)
        MUST(p, memcmp(&redacted, move, sizeof(redacted)) == 0);
    rules_view(p->r, before, viewer, &was.state);
    rules_view(p->r, after, viewer, &is.state);
    memcpy(&view, &was, p->r->state_size);
    int answer = rules_apply(p->r, &view.state, seat, &redacted, &known);
    MUST(p, answer == RULES_OK || answer == RULES_UNSEEN);
    if (answer == RULES_UNSEEN) {
        /* What rests on hidden things cannot be taken back. */
        MUST(p, (events->flags & (RULES_REVEALED | RULES_DREW)) != 0);
        MUST(p, memcmp(&view, &was, p->r->state_size) == 0);
        MUST(p, known.count == 0);
        return false;
    }
    MUST(p, play_same(p->r, &view.state, &is.state));
    MUST(p, same_seen(&known, events, viewer));
    MUST(p, known.flags == events->flags);
    return true;
}

/* After what is harmless to a viewer they know nothing new: nothing hidden
 * decided, and of a draw they saw no more than whose it was. */
static void harmless_shows_nothing(struct play *p, const struct rules_ply *ply,
                                   int viewer, bool led_on)
{
    const struct rules_arg *arg = p->r->verbs[ply->move.verb].arg;
    struct rules_move told;

    if (viewer == ply->seat || !rules_harmless(p->r, &p->events, viewer))
        return;
    tally.harmless++;
    MUST(p, led_on);
    rules_redact_move(p->r, &p->before.state, ply->seat, &ply->move, viewer,
                      &told);
    for (int i = 0; ply->seat == RULES_NATURE && i < RULES_ARGS_MAX; i++)
        MUST(p, told.arg[i] == RULES_NONE || told.arg[i] == RULES_HIDDEN ||
                    arg[i].kind->form == RULES_SEAT);
}

/* What is told of a ply must not tell more than comes of it: had another move
 * been made, with another result  of which the viewer had seen the same, they
 * would have been told the same. */
static void told_no_more(struct play *p, const struct rules_ply *ply,
                         int viewer)
{
    static struct rules_events events;
    const struct rules_state *s = &p->before.state;
    size_t n = rules_legal(p->r, s, ply->seat, ply->move.verb, legal,
                           RULES_MOVES_MAX);
    union rules_any is;

    rules_view(p->r, &p->s.state, viewer, &is.state);
    for (int i = 0; n > 0 && i < 4 && viewer != ply->seat; i++) {
        union rules_any other, view;
        struct rules_move redacted[2];
        struct rules_move move =
            play_choose(&legal[rng_below(&p->dice, (uint32_t)n)], &p->dice);
        memcpy(&other, s, p->r->state_size);
        MUST(p, rules_apply(p->r, &other.state, ply->seat, &move, &events) ==
                    RULES_OK);
        rules_view(p->r, &other.state, viewer, &view.state);
        if (play_same(p->r, &p->s.state, &other.state) ||
            !play_same(p->r, &is.state, &view.state) ||
            !same_seen(&events, &p->events, viewer))
            continue;
        rules_redact_move(p->r, s, ply->seat, &ply->move, viewer,
                          &redacted[0]);
        rules_redact_move(p->r, s, ply->seat, &move, viewer, &redacted[1]);
        MUST(p, memcmp(&redacted[0], &redacted[1], sizeof(redacted[0])) == 0);
    }
}

/* Any move a seat might make leads its own view to the view of the result. */
static void try_moves(struct play *p, int seat)
{
    static struct rules_events events;
    const struct rules_state *s = &p->s.state;
    size_t n = rules_legal(p->r, s, seat, -1, legal, RULES_MOVES_MAX);

    for (int i = 0; n > 0 && i < 4; i++) {
        union rules_any next;
        struct rules_move move =
            play_choose(&legal[rng_below(&p->dice, (uint32_t)n)], &p->dice);
        memcpy(&next, s, p->r->state_size);
        MUST(p,
             rules_apply(p->r, &next.state, seat, &move, &events) == RULES_OK);
        told_leads_on(p, s, seat, &move, seat, &next.state, &events);
    }
}

/* Whatever a viewer's server says of others, their view survives it. */
static void nonsense_is_survived(struct play *p,
                                 const struct rules_state *view)
{
    static struct rules_events events;

    for (int i = 0; i < 8; i++) {
        union rules_any tried;
        struct rules_move move = play_nonsense(p->r, view, &p->dice);
        int seat = (int)rng_below(&p->dice, RULES_NATURE + 1);
        for (int k = 0; k < RULES_ARGS_MAX; k++)
            if (rng_below(&p->dice, 4) == 0)
                move.arg[k] = RULES_HIDDEN;
        memcpy(&tried, view, p->r->state_size);
        int answer = rules_apply(p->r, &tried.state, seat, &move, &events);
        if (answer != RULES_OK)
            MUST(p, memcmp(&tried, view, p->r->state_size) == 0);
    }
}

/* ---- the twin ---------------------------------------------------------- */

static struct {
    bool alive;
    int viewer;
    union rules_any s;
} twin;

/* Whether anything is hidden from VIEWER in S. */
static bool hides(struct play *p, const struct rules_state *s, int viewer)
{
    union rules_any view;
    rules_view(p->r, s, viewer, &view.state);
    view.state.viewer = RULES_ALL;
    return !play_same(p->r, s, &view.state);
}

static void same_view(struct play *p, const struct rules_state *a,
                      const struct rules_state *b)
{
    union rules_any view[2];
    rules_view(p->r, a, twin.viewer, &view[0].state);
    rules_view(p->r, b, twin.viewer, &view[1].state);
    MUST(p, play_same(p->r, &view[0].state, &view[1].state));
}

static void twin_begins(struct play *p)
{
    const struct rules_state *s = &p->s.state;
    int v = (int)rng_below(&p->dice, (uint32_t)s->seats + 1);

    twin.viewer = play_viewer(s, v);
    rules_resample(p->r, s, twin.viewer, &p->dice, &twin.s.state);
    MUST(p, twin.s.state.viewer == RULES_ALL);
    MUST(p, rules_valid(p->r, &twin.s.state));
    same_view(p, s, &twin.s.state);
    twin.alive = hides(p, s, twin.viewer);
    tally.hidden += twin.alive;
    tally.redrawn += !play_same(p->r, s, &twin.s.state);
    MUST(p, twin.alive || play_same(p->r, s, &twin.s.state));
    if (twin.viewer < s->seats)
        view_knows_moves(p, &twin.s.state, twin.viewer);
}

/* The twin follows PLY, played in p->before, if it can: another's move, or a
 * draw, may be impossible there, or show what differs. */
static void twin_follows(struct play *p, const struct rules_ply *ply)
{
    static struct rules_events events;
    const struct rules_state *s = &p->before.state;
    struct rules_move redacted[2];
    union rules_any view[2];
    int refusal = rules_check(p->r, &twin.s.state, ply->seat, &ply->move);

    MUST(p, refusal == RULES_OK || ply->seat != twin.viewer);
    if (refusal != RULES_OK) {
        twin.alive = false;
        return;
    }
    rules_redact_move(p->r, s, ply->seat, &ply->move, twin.viewer,
                      &redacted[0]);
    rules_redact_move(p->r, &twin.s.state, ply->seat, &ply->move, twin.viewer,
                      &redacted[1]);
    MUST(p, memcmp(&redacted[0], &redacted[1], sizeof(redacted[0])) == 0);
    MUST(p, rules_apply(p->r, &twin.s.state, ply->seat, &ply->move, &events) ==
                RULES_OK);
    tally.followed++;
    if ((events.flags | p->events.flags) & RULES_REVEALED) {
        rules_view(p->r, &p->s.state, twin.viewer, &view[0].state);
        rules_view(p->r, &twin.s.state, twin.viewer, &view[1].state);
        twin.alive = play_same(p->r, &view[0].state, &view[1].state) &&
                     same_seen(&events, &p->events, twin.viewer);
        return;
    }
    MUST(p, events.flags == p->events.flags);
    MUST(p, same_seen(&events, &p->events, twin.viewer));
    same_view(p, &p->s.state, &twin.s.state);
}

/* ---- games ------------------------------------------------------------ */

static void start(struct play *p)
{
    (void)p;
    twin.alive = false;
}

static void before(struct play *p, const struct rules_ply *ply)
{
    const struct rules_state *s = &p->s.state;
    (void)ply;

    for (int v = 0; p->look && v < s->seats + 1; v++) {
        union rules_any view;
        int viewer = play_viewer(s, v);
        rules_view(p->r, s, viewer, &view.state);
        view_is_a_view(p, &view.state, viewer);
        view_is_guessed(p, &view.state);
        nonsense_is_survived(p, &view.state);
        if (viewer < s->seats) {
            view_knows_moves(p, &view.state, viewer);
            try_moves(p, viewer);
        }
    }
    if (!twin.alive || p->plies % 32 == 0)
        twin_begins(p);
}

static void after(struct play *p, const struct rules_ply *ply)
{
    for (int v = 0; p->look && v < p->s.state.seats + 1; v++) {
        int viewer = play_viewer(&p->s.state, v);
        bool on = told_leads_on(p, &p->before.state, ply->seat, &ply->move,
                                viewer, &p->s.state, &p->events);
        told_no_more(p, ply, viewer);
        if (viewer < p->s.state.seats)
            harmless_shows_nothing(p, ply, viewer, on);
        tally.redacted += on;
        tally.unseen += !on;
    }
    if (twin.alive)
        twin_follows(p, ply);
}

static const struct play_suite suite = {start, before, after, NULL};

/* Hidden things were there, came out otherwise often, and stopped views only
 * now and then. */
static void something_was_hidden(void)
{
    cr_log_info("hidden %zu redrawn %zu followed %zu told %zu unseen %zu "
                "guessed %zu",
                tally.hidden, tally.redrawn, tally.followed, tally.redacted,
                tally.unseen, tally.guessed);
    cr_assert_gt(tally.hidden, 0);
    cr_assert_gt(2 * tally.redrawn, tally.hidden);
    cr_assert_gt(tally.followed, tally.hidden);
    cr_assert_gt(tally.redacted, tally.unseen);
}

static void something_was_harmless(void)
{
    cr_assert_gt(tally.harmless, 0);
}

Test(secrets, hacienda)
{
    play_run(&suite, "hacienda", 300, 12);
    something_was_hidden();
    something_was_harmless();
    cr_assert_eq(tally.unseen, 0, "in Hacienda nothing hidden decides");
}

Test(secrets, hadara)
{
    play_run(&suite, "hadara", 150, 8);
    something_was_hidden();
    something_was_harmless();
}

Test(secrets, greement)
{
    play_run(&suite, "greement", 200, 40);
    something_was_harmless();
}

Test(secrets, tictactoe)
{
    play_run(&suite, "tictactoe", 200, 1);
    cr_assert_eq(tally.hidden + tally.redrawn + tally.unseen, 0);
}

Test(secrets, kuhn)
{
    play_run(&suite, "kuhn", 2000, 1);
    something_was_hidden();
    cr_assert_gt(tally.unseen, 0);
}

Test(secrets, roshambo)
{
    play_run(&suite, "roshambo", 2000, 1);
    something_was_hidden();
    cr_assert_gt(tally.unseen, 0);
}

Test(secrets, haggle)
{
    play_run(&suite, "haggle", 500, 1);
    something_was_hidden();
    something_was_harmless();
    cr_assert_gt(tally.unseen, 0);
}

PLAY_OTHERS(secrets, &suite, 80, 12)

/* ---- the gate ---------------------------------------------------------- */

static size_t asked_spy;

static int spy_check(const struct rules_state *s, int seat,
                     const struct rules_move *move)
{
    cr_assert_eq(s->viewer, seat, "judged on more than the seat's view");
    asked_spy++;
    return haggle_rules.check(s, seat, move);
}

static void spy_propose(const struct rules_state *s, int seat,
                        struct rules_list *list)
{
    cr_assert_eq(s->viewer, seat);
    haggle_rules.propose(s, seat, list);
}

static void spy_default_move(const struct rules_state *s, int seat,
                             struct rules_move *move)
{
    cr_assert_eq(s->viewer, seat);
    haggle_rules.default_move(s, seat, move);
}

/* Whatever state it is asked of, what a seat may do is found out on its view:
 * legal moves, reasons, the default move, and the check within apply. */
Test(secrets, gate)
{
    static struct rules_events events;
    struct rules spy = haggle_rules;
    struct play p = {0};
    struct rules_move move;

    spy.check = spy_check;
    spy.propose = spy_propose;
    spy.default_move = spy_default_move;
    play_start(&p, play_setup(&haggle_rules, 0), 1);
    play_on(&p, 1);
    int seat = __builtin_ctz(p.s.state.acting);
    cr_assert_gt(rules_legal(&spy, &p.s.state, seat, -1, legal,
                             RULES_MOVES_MAX),
                 0);
    rules_default_move(&spy, &p.s.state, seat, &move);
    cr_assert_eq(rules_check(&spy, &p.s.state, seat, &move), RULES_OK);
    asked_spy = 0;
    cr_assert_eq(rules_apply(&spy, &p.s.state, seat, &move, &events),
                 RULES_OK);
    cr_assert_eq(asked_spy, 1);
    play_done(&p);
}

/* Hidden hands are redrawn evenly: each kind as often as there are cards of it
 * among those face down, within five standard deviations. */
Test(secrets, hacienda_hands_are_even)
{
    enum { TRIES = 20000, VIEWER = 0, OTHER = 1 };
    struct play p = {0};
    double sum[CARDS] = {0};
    int unseen[CARDS], face_down[STACKS] = {0};
    union rules_any other;

    play_start(&p, play_setup(&hacienda_rules, 0), 5);
    play_on(&p, 80);
    const struct hacienda *h = (const struct hacienda *)&p.s;
    union rules_any view;
    rules_view(p.r, &p.s.state, VIEWER, &view.state);
    for (int card = 0; card < CARDS; card++) {
        unseen[card] = hacienda_unseen((const struct hacienda *)&view, card);
        face_down[card_stack(card)] += unseen[card];
    }
    for (int i = 0; i < TRIES; i++) {
        rules_resample(p.r, &p.s.state, VIEWER, &p.dice, &other.state);
        for (int card = 0; card < CARDS; card++)
            sum[card] +=
                ((struct hacienda *)&other)->player[OTHER].unknown[card];
    }
    for (int card = 0; card < CARDS; card++) {
        double all = face_down[card_stack(card)];
        double n = h->player[OTHER].secrets[card_stack(card)];
        double share = unseen[card] / all;
        double off = sum[card] / TRIES - n * share;
        double variance = n * share * (1 - share) / TRIES + 1e-9;
        cr_assert_lt(off * off, 5 * 5 * variance, "card %d", card);
    }
    play_done(&p);
}
