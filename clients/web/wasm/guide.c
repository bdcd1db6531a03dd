/* guide.c -- leading somebody through a first game in the page: what to tell them
 * of what ahead_look() showed last. */

#include "core/base.h"
#include "core/guide.h"

#include "glue.h"

static struct mind_room room;
static char lang[8];

/* Tells how the game that was chosen is led: `options` that are not as usual, by
 * name, and the names of its `steps`.  The text says in which language. */
EXPORT("guide_begin") void guide_begin(size_t len);
/* Tells what is next for the viewer, who has been told the steps in the set TOLD:
 * which `step`, or null; the `part` of the page that it points to; the `move`;
 * what that does, with arguments to be filled in, as `does`, and `why`.  Nothing,
 * if nobody waits for them. */
EXPORT("guide_hint") void guide_hint(uint32_t told);

void guide_begin(size_t len)
{
    struct guide g = guide_of(glue_rules());

    len = len < sizeof(lang) ? len : sizeof(lang) - 1;
    memcpy(lang, glue_text(), len);
    lang[len] = '\0';
    glue_open(NULL, false);
    glue_open("options", false);
    for (const struct guide_option *o = g.options; o && o->name; o++)
        glue_say_number(o->name, o->value);
    glue_close();
    glue_open("steps", true);
    for (const struct guide_step *step = g.steps; step && step->name; step++)
        glue_say_text(NULL, step->name);
    glue_close();
    glue_close();
}

void guide_hint(uint32_t told)
{
    struct guide g = guide_of(glue_rules());
    struct guide_hint hint;

    if (!guide_next(&g, glue_now(), told, &room, &hint))
        return;
    glue_open(NULL, false);
    glue_say_text("step", hint.step >= 0 ? g.steps[hint.step].name : NULL);
    glue_say_text("part", guide_part_words[hint.part]);
    glue_say_move("move", &hint.move);
    glue_say_text("does", guide_move_text(&g, lang, &hint));
    glue_say_text("why", guide_step_text(&g, lang, &hint));
    glue_close();
}
