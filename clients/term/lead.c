#include "lead.h"

#include <string.h>

#include "clients/common/lang.h"
#include "core/says.h"
#include "core/text.h"
#include "layout.h"
#include "protocol/sbuf_printf.h"

void lead_begin(struct lead *l, const struct rules *r)
{
    l->guide = guide_of(r);
    l->told = 0;
    l->waits = false;
}

void lead_find(struct lead *l, const struct rules_state *view)
{
    l->waits = view->viewer < view->seats &&
               guide_next(&l->guide, view, l->told, &l->room, &l->hint);
}

void lead_told(struct lead *l)
{
    if (l->waits && l->hint.step >= 0)
        l->told |= 1u << l->hint.step;
}

void lead_told_of(struct lead *l, const char *name, size_t len)
{
    const struct guide_step *steps = l->guide.steps;

    for (int i = 0; steps != NULL && steps[i].name != NULL; i++)
        if (strlen(steps[i].name) == len &&
            memcmp(steps[i].name, name, len) == 0)
            l->told |= 1u << i;
}

static void put_behind(struct sbuf *s, const char *text)
{
    sbuf_printf(s, "%s%s", s->len > 0 && text[0] != '\0' ? " " : "", text);
}

void lead_say(const struct lead *l, const struct table *table,
              const struct rules_state *view, const char *more, char *buf)
{
    const struct rules *r = table->rules;
    const char *names[RULES_SEATS_MAX], *lang = lang_chosen();
    struct sbuf s = sbuf_in(buf, LEAD_TEXT);

    for (int seat = 0; seat < RULES_SEATS_MAX; seat++)
        names[seat] = table->names[seat];
    if (l->hint.part == GUIDE_MOVE) {
        char text[300];
        (void)says_move(r, layout_says(r), view,
                        guide_move_text(&l->guide, lang, &l->hint),
                        view->viewer, &l->hint.move, names, text,
                        sizeof(text));
        put_behind(&s, text);
    }
    put_behind(&s, guide_step_text(&l->guide, lang, &l->hint));
    put_behind(&s, more);
}

void lead_print(struct lead *l, const struct table *table,
                const struct rules_state *view, FILE *to)
{
    char text[LEAD_TEXT], move[RULES_TEXT_MAX], type[RULES_TEXT_MAX + 40];

    for (lead_find(l, view); l->waits && l->hint.part != GUIDE_MOVE;
         lead_told(l), lead_find(l, view)) {
        lead_say(l, table, view, "", text);
        (void)fprintf(to, "%s\n", text);
    }
    if (!l->waits)
        return;
    (void)text_move(table->rules, view, &l->hint.move, move, sizeof(move));
    (void)snprintf(type, sizeof(type), _("Type: %s"), move);
    lead_say(l, table, view, type, text);
    (void)fprintf(to, "%s\n", text);
}
