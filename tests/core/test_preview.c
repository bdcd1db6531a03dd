/* test_preview.c -- what a move would bring is what it then brings: in whole
 * random games, to whoever makes it, on the own view alone. */

#include <criterion/criterion.h>
#include <string.h>

#include "core/preview.h"
#include "tests/support/play.h"

static size_t seen, unseen, changed;

static void figures_of(const struct rules *r, const struct rules_state *view,
                       int seat, int64_t figure[RULES_FIGURES_MAX])
{
    struct rules_score score;

    if (r->count != NULL) {
        r->count(view, seat, figure);
        return;
    }
    rules_score(r, view, &score);
    figure[0] = score.total[seat];
}

static void after(struct play *p, const struct rules_ply *ply)
{
    static union rules_any was, is;
    static struct preview_room room;
    struct preview preview;
    int64_t figure[RULES_FIGURES_MAX] = {0};
    size_t bytes;

    if (!p->look || ply->seat >= p->s.state.seats)
        return;
    rules_view(p->r, &p->before.state, ply->seat, &was.state);
    rules_view(p->r, &p->s.state, ply->seat, &is.state);
    MUST(p, preview_move(p->r, &was.state, ply->seat, &ply->move, &room,
                         &preview) == RULES_OK);
    bytes = (size_t)preview.count * sizeof(figure[0]);
    figures_of(p->r, &was.state, ply->seat, figure);
    MUST(p, memcmp(figure, preview.before, bytes) == 0);
    if (preview.unseen) {
        unseen++;
        MUST(p, preview.final);
        MUST(p, memcmp(preview.after, preview.before, bytes) == 0);
        return;
    }
    if (p->r->foresee != NULL &&
        p->r->foresee(&was.state, ply->seat, &ply->move, preview.after))
        return; /* what is hidden until all have chosen */
    seen++;
    changed += memcmp(preview.after, preview.before, bytes) != 0;
    figures_of(p->r, &is.state, ply->seat, figure);
    MUST(p, memcmp(figure, preview.after, bytes) == 0);
}

/* What may not be done changes nothing, and is refused for the same reason. */
static void before(struct play *p, const struct rules_ply *ply)
{
    static union rules_any view;
    static struct preview_room room;
    static struct rules_events events;
    struct preview preview;

    if (!p->look || ply->seat >= p->s.state.seats)
        return;
    rules_view(p->r, &p->s.state, ply->seat, &view.state);
    struct rules_move move = play_spoiled(p->r, &p->s.state, &ply->move,
                                          &p->dice);
    int got = preview_move(p->r, &view.state, ply->seat, &move, &room,
                           &preview);
    int refusal = rules_apply(p->r, &view.state, ply->seat, &move, &events);
    if (refusal == RULES_UNSEEN)
        refusal = RULES_OK;
    MUST(p, got == refusal);
    for (int i = 0; got != RULES_OK && i < preview.count; i++)
        MUST(p, preview.after[i] == preview.before[i]);
}

static const struct play_suite suite = {.before = before, .after = after};

static void run(const char *game)
{
    seen = unseen = changed = 0;
    play_run(&suite, game, 40, 3);
    cr_assert(seen > 20 && changed > 5, "%zu %zu %zu", seen, changed, unseen);
}

Test(preview, tictactoe)
{
    play_run(&suite, "tictactoe", 20, 1);
}

Test(preview, hacienda)
{
    run("hacienda");
}

Test(preview, hadara)
{
    run("hadara");
}

Test(preview, greement)
{
    run("greement");
}

Test(preview, others)
{
    play_run(&suite, NULL, 20, 3);
}
