/* test_conformance_words.c -- what every game promises of states in words.
 *
 * What is shown of a state, or of a view of it, can be read back to the same
 * hash; the differences of two views, put upon what was shown of the first,
 * make what is shown of the second; words that no state is told by are
 * refused. */

#include <criterion/criterion.h>
#include <string.h>

#include "core/base.h"
#include "tests/support/doc.h"
#include "tests/support/play.h"

static struct doc shown, changed, spoiled;

static void show_and_read(struct play *p, const struct rules_state *s)
{
    union rules_any back;

    doc_show(&shown, p->r, s);
    memset(&back, 0xa5, sizeof(back));
    back.state = *s; /* the header travels by itself */
    MUST(p, doc_read(&shown, p->r, &back.state) == RULES_OK);
    MUST(p, rules_hash(p->r, &back.state) == rules_hash(p->r, s));
    doc_show(&changed, p->r, &back.state);
    MUST(p, doc_same(&shown, &changed));

    /* So it is of a game that was stopped there, where nobody can move. */
    back.state = *s;
    MUST(p, doc_read_stopped(&shown, p->r, &back.state) == RULES_OK);
    MUST(p, back.state.acting == 0 && back.state.may == 0);
    back.state.acting = s->acting;
    back.state.may = s->may;
    MUST(p, rules_hash(p->r, &back.state) == rules_hash(p->r, s));
}

/* Words that were tampered with are refused, or are those of a state. */
static void spoil(struct play *p, const struct rules_state *s)
{
    union rules_any back;

    for (int i = 0; i < 4; i++) {
        doc_show(&spoiled, p->r, s);
        doc_spoil(&spoiled, rng_next(&p->dice), rng_next(&p->dice));
        back.state = *s;
        int answer = doc_read(&spoiled, p->r, &back.state);
        MUST(p, answer == RULES_OK || answer == RULES_MALFORMED);
        if (answer == RULES_OK)
            MUST(p, rules_valid(p->r, &back.state));
    }
}

/* A header that the game cannot have is refused. */
static void bad_header(struct play *p, const struct rules_state *s)
{
    struct rules_state heads[5];
    for (size_t i = 0; i < COUNT_OF(heads); i++)
        heads[i] = *s;
    heads[0].seats = (uint8_t)(p->r->seats_max + 1);
    heads[1].revision = 0;
    heads[2].revision = (uint16_t)(p->r->revision + 1);
    heads[3].viewer = RULES_NATURE;
    heads[4].acting = RULES_BIT(RULES_NATURE) | 1;
    doc_show(&shown, p->r, s);
    for (size_t i = 0; i < COUNT_OF(heads); i++) {
        union rules_any back;
        back.state = heads[i];
        MUST(p, doc_read(&shown, p->r, &back.state) == RULES_MALFORMED);
        back.state = heads[i];
        if (i < 3)
            MUST(p, doc_read_stopped(&shown, p->r, &back.state) ==
                        RULES_MALFORMED);
    }
}

static void start(struct play *p)
{
    (void)p;
    if (shown.node == NULL) {
        shown = doc_new();
        changed = doc_new();
        spoiled = doc_new();
    }
}

static void before(struct play *p, const struct rules_ply *ply)
{
    struct rules_state *s = &p->s.state;
    (void)ply;

    if (!p->look)
        return;
    for (int v = 0; v < play_viewers(s); v++) {
        union rules_any view;
        rules_view(p->r, s, play_viewer(s, v), &view.state);
        show_and_read(p, &view.state);
        if (v == (int)(p->plies % (size_t)play_viewers(s))) {
            spoil(p, &view.state);
            bad_header(p, &view.state);
        }
    }
}

/* The patch that each viewer is sent. */
static void after(struct play *p, const struct rules_ply *ply)
{
    struct rules_state *s = &p->s.state;
    union rules_any was, is;
    (void)ply;

    for (int v = 0; p->look && v < play_viewers(s); v++) {
        int viewer = play_viewer(s, v);
        rules_view(p->r, &p->before.state, viewer, &was.state);
        rules_view(p->r, s, viewer, &is.state);
        doc_show(&changed, p->r, &was.state);
        doc_show(&shown, p->r, &is.state);
        bool same = doc_same(&changed, &shown);
        doc_change(&changed, p->r, &was.state, &is.state);
        MUST(p, doc_same(&changed, &shown));
        MUST(p, same == (changed.changes == 0));
        doc_change(&changed, p->r, &is.state, &is.state);
        MUST(p, changed.changes == 0);
    }
}

/* From the very first state to the last, in one patch. */
static void over(struct play *p)
{
    union rules_any first;

    before(p, NULL);
    rules_setup(p->r, &first.state, &p->setup->setup, NULL);
    doc_show(&changed, p->r, &first.state);
    doc_show(&shown, p->r, &p->s.state);
    doc_change(&changed, p->r, &first.state, &p->s.state);
    MUST(p, doc_same(&changed, &shown));
}

static const struct play_suite suite = {start, before, after, over};

/* Whatever a game explains, it explains every word of; no word twice. */
Test(words, glossaries)
{
    const struct rules *r;

    for (size_t game = 0; (r = play_game(game)) != NULL; game++) {
        for (const struct rules_glossary *g = r->glossary; g && g->kind; g++) {
            size_t words = 0, texts = 0;
            while (g->words[words] != NULL)
                words++;
            while (g->texts[texts] != NULL)
                texts++;
            cr_assert_gt(words, 0, "%s: %s", r->name, g->kind);
            cr_assert_eq(words, texts, "%s: %s", r->name, g->kind);
            for (size_t i = 0; i < words; i++)
                for (size_t k = 0; k < i; k++)
                    cr_assert_str_neq(g->texts[i], g->texts[k], "%s",
                                      g->words[i]);
        }
    }
}

/* What chance draws is said whole: none of it may be absent. */
Test(words, nature_leaves_nothing_out)
{
    const struct rules *r;

    for (size_t game = 0; (r = play_game(game)) != NULL; game++)
        for (const struct rules_word *w = r->verbs; w->name != NULL; w++)
            for (int i = 0; i < RULES_ARGS_MAX && w->arg[i].name != NULL; i++)
                cr_assert(!w->nature || !w->arg[i].optional, "%s: %s %s",
                          r->name, w->name, w->arg[i].name);
}

/* Verbs are nature's or somebody's; what happens is neither. */
Test(words, only_verbs_are_natures)
{
    const struct rules *r;

    for (size_t game = 0; (r = play_game(game)) != NULL; game++) {
        int players = 0;
        for (const struct rules_word *w = r->events; w->name != NULL; w++)
            cr_assert(!w->nature, "%s: %s", r->name, w->name);
        for (const struct rules_word *w = r->verbs; w->name != NULL; w++)
            players += !w->nature;
        cr_assert_gt(players, 0, "%s", r->name);
    }
}

/* Which arguments of verbs and events were absent, a bit for each. */
static uint8_t absent[2][64];

static int absent_args(const int16_t *arg)
{
    int bits = 0;

    for (int i = 0; i < RULES_ARGS_MAX; i++)
        bits |= (arg[i] == RULES_NONE) << i;
    return bits;
}

static void note_absent(struct play *p, const struct rules_ply *ply)
{
    absent[0][ply->move.verb] |= (uint8_t)absent_args(ply->move.arg);
    for (size_t i = 0; i < p->events.count; i++) {
        const struct rules_event *e = &p->events.at[i];
        absent[1][e->kind] |= (uint8_t)absent_args(e->arg);
    }
}

/* Of a verb or an event what may be absent is absent now and then; all else
 * never is. */
static void judge_absent(const struct rules *r, const struct rules_word *words,
                         const uint8_t *met)
{
    for (int k = 0; words[k].name != NULL; k++)
        for (int i = 0; i < RULES_ARGS_MAX && words[k].arg[i].name; i++)
            cr_assert_eq(words[k].arg[i].optional, met[k] >> i & 1,
                         "%s: %s %s", r->name, words[k].name,
                         words[k].arg[i].name);
}

/* Of many games played at random, whatever is called optional is left out in
 * one. */
Test(words, what_may_be_absent)
{
    static const struct play_suite noting = {.after = note_absent};
    const struct rules *r;

    for (size_t game = 0; (r = play_game(game)) != NULL; game++) {
        memset(absent, 0, sizeof(absent));
        play_run(&noting, r->name, 400, 1);
        judge_absent(r, r->verbs, absent[0]);
        judge_absent(r, r->events, absent[1]);
    }
}

PLAY(words, &suite, hacienda, 300, 16)
PLAY(words, &suite, hadara, 200, 8)
PLAY(words, &suite, greement, 200, 40)
PLAY(words, &suite, tictactoe, 300, 1)
PLAY(words, &suite, kuhn, 600, 1)
PLAY(words, &suite, roshambo, 600, 1)
PLAY(words, &suite, haggle, 300, 1)
PLAY_OTHERS(words, &suite, 60, 16)
