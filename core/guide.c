/* guide.c -- which step is next, and its sentences. */

#include "guide.h"

#include "says.h"

const char *const guide_part_words[] = {
    [GUIDE_MOVE] = "move",
    [GUIDE_BOARD] = "board",
    [GUIDE_HAND] = "hand",
    [GUIDE_PLAYERS] = "players",
    NULL,
};

static bool is_told(uint32_t told, int step)
{
    return (told >> step & 1u) != 0;
}

bool guide_next(const struct guide *g, const struct rules_state *view,
                uint32_t told, struct mind_room *room,
                struct guide_hint *ret_hint)
{
    struct mind mind = mind_of(g->rules, MIND_GREEDY);
    struct guide_hint hint = {.step = -1, .part = GUIDE_MOVE};

    if (!(view->acting & RULES_BIT(view->viewer)))
        return false;
    if (!mind_choose(&mind, view, room, &hint.move))
        return false;
    for (int i = 0; g->steps != NULL && g->steps[i].name != NULL; i++) {
        const struct guide_step *step = &g->steps[i];
        if (is_told(told, i) || !step->when(view, &hint.move))
            continue;
        hint.step = i;
        hint.part = step->part;
        break;
    }
    *ret_hint = hint;
    return true;
}

static bool same(const char *a, const char *b)
{
    while (*a != '\0' && *a == *b)
        a++, b++;
    return *a == *b;
}

static const struct guide_says *says_of(const struct guide *g,
                                        const char *lang)
{
    const struct guide_says *says = g->says;

    while (says != NULL && says->lang != NULL && !same(says->lang, lang))
        says++;
    return says != NULL && says->lang != NULL ? says : g->says;
}

const char *guide_move_text(const struct guide *g, const char *lang,
                            const struct guide_hint *hint)
{
    const struct guide_says *says = says_of(g, lang);
    const char *text = says != NULL ? says->moves[hint->move.verb] : NULL;

    return text != NULL ? text
                        : says_verb(g->rules, says_find(g->rules, lang),
                                    hint->move.verb);
}

const char *guide_step_text(const struct guide *g, const char *lang,
                            const struct guide_hint *hint)
{
    return hint->step >= 0 ? says_of(g, lang)->steps[hint->step] : "";
}
