/* test_says.c -- what games say for people is whole in every language: nothing is
 * missing, nothing is left in English, nothing of the wire shows. */

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/scale.h"
#include "../../core/base.h"
#include "../../core/says.h"
#include "../support/play.h"

static const char *const names[RULES_SEATS_MAX] = {"Ana", "Ben", "Cai", "Dea",
                                                   "Eva", "Fay", "Gil", "Hal"};

static const struct rules_arg *argument(const struct rules_word *word,
                                        const char *name, size_t len)
{
    for (int i = 0; i < RULES_ARGS_MAX && word->arg[i].name != NULL; i++)
        if (strlen(word->arg[i].name) == len &&
            memcmp(word->arg[i].name, name, len) == 0)
            return &word->arg[i];
    return NULL;
}

/* Each {argument} of TEXT is one of WORD's, or the seat. */
static void names_arguments(const struct rules_word *word, const char *text)
{
    for (const char *at = text; (at = strchr(at, '{')) != NULL; at++) {
        size_t len = strcspn(at, "}") - 1;
        cr_assert_eq(at[len + 1], '}', "%s", text);
        len -= at[len] == '+';
        cr_assert(strncmp(at + 1, "name", len) == 0 ||
                      argument(word, at + 1, len) != NULL,
                  "%s: %s", word->name, text);
    }
}

/* LIST has a text for each of COUNT things, and no more. */
static void whole(const char *what, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        cr_assert(list[i] != NULL && list[i][0] != '\0', "%s %zu", what, i);
    cr_assert_null(list[count], "%s has more", what);
}

#define COUNT_NAMED(list, count) \
    for (count = 0; (list)[count].name != NULL; count++) \
    continue

static const struct rules_kind *kind_of(const struct rules *r,
                                        const char *name)
{
    for (int i = 0; r->events[i].name != NULL; i++)
        for (int a = 0; a < RULES_ARGS_MAX && r->events[i].arg[a].name; a++)
            if (strcmp(r->events[i].arg[a].kind->name, name) == 0)
                return r->events[i].arg[a].kind;
    return NULL;
}

/* The words of a kind of argument, or of what the glossary explains. */
static const char *const *words_of(const struct rules *r, const char *name)
{
    const struct rules_glossary *g = r->glossary;
    const struct rules_kind *kind = kind_of(r, name);

    if (kind != NULL && kind->form == RULES_WORD)
        return kind->words;
    while (g != NULL && g->kind != NULL && strcmp(g->kind, name) != 0)
        g++;
    return g != NULL && g->kind != NULL ? g->words : NULL;
}

static void kinds_whole(const struct rules *r, const struct says *says)
{
    for (const struct says_kind *k = says->kinds; k && k->kind; k++) {
        const char *const *words = words_of(r, k->kind);
        size_t n = words == NULL ? 2 : 0;
        cr_assert(words != NULL || kind_of(r, k->kind) != NULL,
                  "%s is nothing", k->kind);
        while (words != NULL && words[n] != NULL)
            n++;
        whole(k->kind, k->texts, n);
    }
}

/* Whether LIST, which may be NULL, has WORD. */
static bool listed(const char *const *list, const char *word)
{
    for (; list != NULL && *list != NULL; list++)
        if (strcmp(*list, word) == 0)
            return true;
    return false;
}

/* Whether a table of R can be made with something called WORD. */
static bool chosen(const struct rules *r, const char *word)
{
    for (const struct rules_option *o = r->options; o->name != NULL; o++)
        if (strcmp(o->name, word) == 0 || listed(o->words, word))
            return true;
    for (const struct rules_asset *a = r->assets; a && a->name; a++)
        if (strcmp(a->name, word) == 0)
            return true;
    const struct rules_parameter *p = r->asset_kind != NULL
                                          ? r->asset_kind->parameters
                                          : NULL;
    for (; p != NULL && p->name != NULL; p++)
        if (strcmp(p->name, word) == 0 || listed(p->words, word))
            return true;
    return false;
}

static void named(const struct says *says, const char *word)
{
    const char *text = says_name(says, word);
    cr_assert(text != NULL && text[0] != '\0' && strchr(text, '_') == NULL,
              "%s: no name for %s", says->lang, word);
}

static void all_named(const struct says *says, const char *const *words)
{
    for (; words != NULL && *words != NULL; words++)
        named(says, *words);
}

/* Whatever a table can be made with has a name, and nothing else has. */
static void names_whole(const struct rules *r, const struct says *says)
{
    for (const struct rules_option *o = r->options; o->name != NULL; o++) {
        named(says, o->name);
        all_named(says, o->words);
    }
    const struct rules_asset *boards =
        r->asset_kind != NULL && r->asset_kind->dataset ? NULL : r->assets;
    for (const struct rules_asset *a = boards; a && a->name; a++)
        named(says, a->name);
    const struct rules_parameter *p = r->asset_kind != NULL
                                          ? r->asset_kind->parameters
                                          : NULL;
    for (; p != NULL && p->name != NULL; p++) {
        named(says, p->name);
        all_named(says, p->words);
    }
    for (const struct says_name *n = says->names; n && n->word; n++)
        cr_assert(chosen(r, n->word), "%s is nothing", n->word);
    cr_assert_null(says_name(says, "nothing"));
}

static void catalogue(const struct rules *r, const struct says *says)
{
    size_t n;

    COUNT_NAMED(r->events, n);
    whole("events", says->events, n);
    for (size_t i = 0; i < n; i++)
        names_arguments(&r->events[i], says->events[i]);
    kinds_whole(r, says);
    if (says == r->says)
        return;
    COUNT_NAMED(r->reasons, n);
    whole("reasons", says->reasons, n);
    for (size_t i = 0; i < n; i++)
        cr_assert_str_neq(says->reasons[i], r->reasons[i].text);
    COUNT_NAMED(r->options, n);
    whole("options", says->options, n);
    for (size_t i = 0; i < n; i++)
        cr_assert_str_neq(says->options[i], r->options[i].text);
    COUNT_NAMED(r->parts, n);
    whole("parts", says->parts, n);
    whole("heads", says->heads, n);
    COUNT_NAMED(r->verbs, n);
    whole("verbs", says->verbs, n);
    for (size_t i = 0; i < n; i++)
        cr_assert_str_neq(says->verbs[i], r->verbs[i].text);
    names_whole(r, says);
    for (size_t i = 0; r->events[i].name != NULL; i++)
        cr_assert_str_neq(says->events[i], r->says->events[i]);
}

/* Every list of every catalogue is as long as what it is about, names arguments
 * that there are, and no other language's sentence is the English one; what the
 * game explains in a glossary is explained in all. */
Test(says, whole)
{
    size_t games = 0;

    for (size_t i = 0; rules_all[i] != NULL; i++) {
        const struct rules *r = rules_all[i];
        if (r->says == NULL)
            continue;
        games++;
        cr_assert_str_eq(r->says->lang, "en");
        cr_assert_str_eq(says_find(r, "fr")->lang, "fr");
        cr_assert_str_eq(says_find(r, "xx")->lang, "en");
        cr_assert_str_eq(says_find(r, "")->lang, "en");
        for (const struct says *says = r->says; says->lang; says++)
            catalogue(r, says);
        for (const struct rules_glossary *g = r->glossary; g && g->kind; g++)
            for (const struct says *says = r->says + 1; says->lang; says++) {
                const struct says_kind *k = says->kinds;
                while (k->kind != NULL && strcmp(k->kind, g->kind) != 0)
                    k++;
                cr_assert_not_null(k->kind, "%s in %s", g->kind, says->lang);
            }
    }
    cr_assert_geq(games, 4);
}

static bool is_odd(const char *text)
{
    return text[0] == '\0' || strpbrk(text, "{}_|") != NULL ||
           strstr(text, "undefined") != NULL || strstr(text, "  ") != NULL ||
           text[strlen(text) - 1] != '.' || strstr(text, "..") != NULL;
}

/* One viewer is told it in one language. */
static void told(const struct play *p, const struct says *says,
                 const struct rules_event *event, char text[512])
{
    size_t len = says_event(p->r, says, &p->s.state, event, names, text, 512);

    cr_assert(len > 0 && len < 512, "%s: no sentence for %s in %s",
              p->setup->label, p->r->events[event->kind].name, says->lang);
    cr_assert_not(is_odd(text), "%s: %s", p->setup->label, text);
}

static size_t said;

/* What happens in whole random games has a sentence in each language. */
static void after(struct play *p, const struct rules_ply *ply)
{
    char text[2][512];

    (void)ply;
    if (p->r->says == NULL)
        return;
    for (int i = 0; i < p->events.count; i++) {
        const struct rules_event *event = &p->events.at[i];
        const struct says *says = p->r->says;
        for (int lang = 0; says[lang].lang != NULL; lang++)
            told(p, &says[lang], event, text[lang]);
        cr_assert_str_neq(text[0], text[1]);
        said++;
    }
}

static void games_of(const char *name)
{
    static const struct play_suite suite = {.after = after};

    said = 0;
    play_run(&suite, name, 12, 1000);
    cr_assert_gt(said, scaled(12, 15)); /* of as many games */
}

Test(says, tictactoe)
{
    games_of("tictactoe");
}

Test(says, hacienda)
{
    games_of("hacienda");
}

Test(says, greement)
{
    games_of("greement");
}

Test(says, hadara)
{
    games_of("hadara");
}

/* Money beyond what one argument holds is one number; a sentence of which
 * something may not be known is not told, and the next one is. */
Test(says, filled)
{
    const struct rules *r = rules_find("greement");
    static union rules_any s;
    const struct says *en = says_find(r, "en"), *fr = says_find(r, "fr");
    struct rules_event e = {.seat = 1, .seen_by = RULES_EVERYONE};
    char text[100];

    for (int i = 0; i < RULES_ARGS_MAX; i++)
        e.arg[i] = RULES_NONE;
    while (strcmp(r->events[e.kind].name, "profit") != 0)
        e.kind++;
    e.arg[0] = 5;
    cr_assert_gt(says_event(r, en, &s.state, &e, names, text, 100), 0);
    cr_assert_str_eq(text, "Ben collects a profit of 5.");
    e.arg[1] = 40;
    e.arg[2] = 2;
    cr_assert_gt(says_event(r, fr, &s.state, &e, names, text, 100), 0);
    cr_assert_str_eq(text, "Ben encaisse un gain de 2040005.");
    while (strcmp(r->events[e.kind].name, "stole") != 0)
        e.kind++;
    e.arg[0] = 0;
    e.arg[1] = RULES_NONE;
    (void)says_event(r, en, &s.state, &e, names, text, 100);
    cr_assert_str_eq(text, "Ben takes a1, which was free.");
    e.arg[1] = 0;
    (void)says_event(r, en, &s.state, &e, names, text, 100);
    cr_assert_str_eq(text, "Ben takes a1 from Ana.");
    e.arg[0] = RULES_HIDDEN;
    cr_assert_eq(says_event(r, en, &s.state, &e, names, text, 100), 0);
    cr_assert_eq(says_event(r, en, &s.state, &(struct rules_event){0}, names,
                            text, 5),
                 strlen("Ana begins."), "as snprintf()");
}

/* Why a move is refused is told in each language, also for reasons that every
 * game knows; without a catalogue it is English. */
Test(says, reasons)
{
    const struct rules *r = rules_find("hacienda");
    const struct says *fr = says_find(r, "fr");

    for (int refusal = RULES_MALFORMED; refusal <= RULES_OK; refusal++) {
        cr_assert_str_eq(says_reason(r, NULL, refusal),
                         rules_reason_text(r, refusal));
        cr_assert_str_neq(says_reason(r, fr, refusal),
                          rules_reason_text(r, refusal));
    }
    cr_assert_str_eq(says_reason(r, fr, RULES_GAME), fr->reasons[0]);
    cr_assert_str_eq(says_reason(r, r->says, RULES_GAME), r->reasons[0].text);
    cr_assert_str_eq(says_head(r, fr, 1), "marchés");
    cr_assert_str_eq(says_head(r, NULL, 1), "markets");
    cr_assert_str_eq(says_word(r, fr, "card", 1), "forêt");
    cr_assert_null(says_word(r, fr, "hex", 1));
}
