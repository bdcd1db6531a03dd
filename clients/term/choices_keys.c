#include <string.h>

#include "choices.h"
#include "clients/common/lang.h"

static bool has_tool(const struct ui *ui)
{
    return ui->screen->choices->tool != NO_TOOL;
}

static bool can_take(const struct ui *ui)
{
    const struct choices *c = ui->screen->choices;
    int can = 0;

    for (int tool = 0; tool < c->tools && !has_tool(ui); tool++)
        can += c->legal[tool] > 0;
    return can > 1;
}

static bool can_turn(const struct ui *ui)
{
    const struct choices *c = ui->screen->choices;
    size_t count;

    return choices_move(ui, c, c->tool, &count) != NULL && count > 1 &&
           choices_needs_place(c, c->tool);
}

static void use(struct ui *ui, int unused)
{
    struct choices *c = ui->screen->choices;
    size_t count;
    const struct rules_move *move = choices_move(ui, c, c->tool, &count);

    (void)unused;
    if (move != NULL) {
        struct rules_move chosen = *move;
        (void)ui_play(ui, &chosen);
        return;
    }
    if (c->tool != NO_TOOL) {
        ui_say(ui, true, _("Not here. n goes to where it can be."));
        return;
    }
    for (int tool = 0; tool < c->tools; tool++) {
        if (choices_here(ui, c, tool)) { /* the first that can be used here */
            choices_take(ui, c, tool);
            return;
        }
    }
    ui_say(ui, false,
           _("Nothing can be done here. Take a card: a number, or Tab."));
}

static void take_any(struct ui *ui, int by)
{
    struct choices *c = ui->screen->choices;

    if (ui_plays(ui))
        choices_next(ui, c, 0, c->tools, by, 0);
}

static void turn(struct ui *ui, int by)
{
    struct choices *c = ui->screen->choices;

    if (has_tool(ui))
        choices_turn(ui, c, c->tool, by);
}

static void put_back(struct ui *ui, int unused)
{
    (void)unused;
    choices_take(ui, ui->screen->choices, NO_TOOL);
}

const struct ui_key choices_keys[] = {
    {N_("Enter, space"), " ", KEY_RETURN, use, 0, has_tool,
     N_("use what is taken; with nothing taken, take what can be used here"),
     N_("do it")},
    {N_("Tab, Shift-Tab"), "\t", 0, take_any, 1, can_take,
     N_("take whatever is possible, in turn"), N_("all")},
    {NULL, NULL, KEY_BTAB, take_any, -1, NULL, NULL, NULL},
    {"r", "r", 0, turn, 1, can_turn,
     N_("turn what is taken, or choose among ways to use it here; R: back"),
     N_("turn")},
    {NULL, "R", 0, turn, -1, NULL, NULL, NULL},
    {N_("Esc"), NULL, KEY_ESCAPE, put_back, 0, has_tool,
     N_("put back what is taken"), N_("put back")},
    KEYS_END,
};

/* ---- keys of tools, and clicks ------------------------------------------------ */

/* How much it tells why TOOL cannot be used: most if it is of the moment NOW,
 * nothing if it is of another and the rules know no more than that, either. */
static int tells(const struct ui *ui, const struct choices *c, unsigned now,
                 int tool)
{
    const char *of_moment = c->form->of_moment;

    if (choices_row(c, tool)->in & now)
        return 2;
    return of_moment == NULL ||
           strcmp(choices_refusal(ui, c, tool), of_moment) != 0;
}

/* What KEY uses at once: what it can, or else what tells most why not. */
static int once_of(const struct ui *ui, const struct choices *c, int key)
{
    unsigned now = c->form->moments != NULL ? c->form->moments(ui) : 0;
    int best = NO_TOOL, most = -1;

    for (int tool = 0; tool < c->tools; tool++) {
        if (choices_key_of(c, tool) != key)
            continue;
        if (once_can(ui, c, tool))
            return tool;
        int much = tells(ui, c, now, tool);
        if (much > most)
            best = tool;
        most = much > most ? much : most;
    }
    return best;
}

void choices_key(struct ui *ui, int key)
{
    struct choices *c = ui->screen->choices;

    if (!ui_plays(ui))
        return;
    if (!c->form->at_once) {
        choices_next(ui, c, 0, c->tools, 1, key);
        return;
    }
    int tool = once_of(ui, c, key);
    if (tool != NO_TOOL)
        once_use(ui, c, tool);
}

/* A cell, or behind all of those a tool. */
bool choices_go(struct ui *ui, int at)
{
    struct choices *c = ui->screen->choices;
    int tool = at - CELLS_MAX;
    bool there = tool < 0 ? c->board->cursor == at : c->tool == tool;

    if (tool >= 0 && c->form->at_once)
        once_use(ui, c, tool);
    else if (tool < 0 && !there)
        cells_go(ui, c->board, at);
    else if (!there)
        choices_pick(ui, c, tool);
    return there;
}
