#include "choices.h"

#include <string.h>

#include "clients/common/lang.h"
#include "core/base.h"
#include "layout.h"
#include "protocol/sbuf_printf.h"

/* ---- tools ------------------------------------------------------------------ */

static int tools_in(const struct tool *row)
{
    return row->count > 0 ? row->count : 1;
}

/* The row of TOOL, which is K of it. */
static const struct tool *row_of(const struct choices *c, int tool, int *k)
{
    const struct tool *row = c->form->tools;

    for (*k = tool; *k >= tools_in(row); row++)
        *k -= tools_in(row);
    return row;
}

const struct tool *choices_row(const struct choices *c, int tool)
{
    int k;
    return row_of(c, tool, &k);
}

int choices_tool(const struct choices *c, int verb, int k)
{
    int tool = 0;

    for (const struct tool *row = c->form->tools; row->keys != NULL; row++) {
        if (row->verb == verb && k < tools_in(row))
            return tool + k;
        tool += tools_in(row);
    }
    ASSERT(false); /* each verb of a face stands in its table */
    return 0;
}

char choices_key_of(const struct choices *c, int tool)
{
    int k;
    const struct tool *row = row_of(c, tool, &k);

    return row->keys[(size_t)k < strlen(row->keys) ? k : 0];
}

int choices_value(const struct ui *ui, const struct choices *c, int tool)
{
    int k;
    const struct tool *row = row_of(c, tool, &k);

    if (row->count == 0)
        return RULES_NONE;
    return c->form->value != NULL ? c->form->value(ui, row->verb, k)
                                  : row->from + k;
}

bool choices_has(const struct ui *ui, const struct choices *c, int tool,
                 const struct rules_move *move)
{
    if (c->form->has != NULL)
        return c->form->has(ui, tool, move);
    if (move->verb != choices_row(c, tool)->verb)
        return false;
    int value = choices_value(ui, c, tool);
    return value == RULES_NONE || move->arg[0] == value;
}

void choices_name(const struct ui *ui, const struct choices *c, int tool,
                  char *buf, size_t cap)
{
    const struct rules *r = ui->table->rules;
    const struct tool *row = choices_row(c, tool);
    const struct rules_kind *kind = r->verbs[row->verb].arg[0].kind;
    int value = choices_value(ui, c, tool);
    const char *word = value >= 0 && kind->form == RULES_WORD
                           ? layout_word(r, kind->name, value,
                                         kind->words[value])
                           : "";

    (void)snprintf(buf, cap, _(row->name), word);
}

static const struct rules_move *move_at(const struct ui *ui,
                                        const struct choices *c, size_t i)
{
    if (c->form->moves != NULL)
        return c->form->moves(ui, i);
    return i < ui->choice_count ? &ui->choices[i].move : NULL;
}

static int places_of(const struct choices *c, int tool, int *first)
{
    *first = 0;
    if (c->form->tools == NULL)
        return 0;
    *first = choices_row(c, tool)->first;
    return choices_row(c, tool)->places;
}

bool choices_needs_place(const struct choices *c, int tool)
{
    int first;
    return places_of(c, tool, &first) > 0;
}

static bool is_at(const struct choices *c, int tool,
                  const struct rules_move *move, int place)
{
    int first, count = places_of(c, tool, &first);

    for (int i = first; i < first + count; i++)
        if (move->arg[i] == place)
            return true;
    return false;
}

size_t choices_legal_row(const struct choices *c, const struct tool *row)
{
    size_t legal = 0;

    for (int tool = 0; tool < c->tools; tool++)
        legal += choices_row(c, tool) == row ? c->legal[tool] : 0;
    return legal;
}

size_t choices_legal(const struct choices *c, int verb)
{
    size_t legal = 0;

    for (const struct tool *row = c->form->tools; row->keys != NULL; row++)
        if (row->verb == verb)
            legal += choices_legal_row(c, row);
    return legal;
}

/* ---- the position ----------------------------------------------------------- */

/* Marks in PLACES where TOOL can be used. */
static void mark(const struct ui *ui, const struct choices *c, int tool,
                 uint8_t *places)
{
    const struct rules_move *move;
    int first, count = places_of(c, tool, &first);

    for (size_t i = 0; (move = move_at(ui, c, i)) != NULL; i++)
        for (int a = first; a < first + count; a++)
            if (move->arg[a] >= 0 && choices_has(ui, c, tool, move))
                places[move->arg[a]] = 1;
}

void choices_fresh(const struct ui *ui, struct choices *c, int tools)
{
    const struct rules_move *move;

    c->tools = tools;
    memset(c->legal, 0, sizeof(c->legal));
    memset(c->variant, 0, sizeof(c->variant));
    for (size_t i = 0; (move = move_at(ui, c, i)) != NULL; i++)
        for (int tool = 0; tool < tools; tool++)
            c->legal[tool] += choices_has(ui, c, tool, move);
    bool keep = c->tool != NO_TOOL && c->form->tools != NULL &&
                choices_row(c, c->tool)->card && c->legal[c->tool] > 0;
    choices_take(ui, c, keep ? c->tool : NO_TOOL);
}

/* The cursor is elsewhere: the first way to use what is taken there is up. */
static void moved(struct ui *ui)
{
    struct choices *c = ui->screen->choices;

    if (c->tool != NO_TOOL)
        c->variant[c->tool] = 0;
}

static const char *nowhere(const struct ui *ui)
{
    return ui->screen->choices->tool == NO_TOOL
               ? _("First take something: a number, or Tab.")
               : _("That needs no place: press Enter.");
}

void choices_begin(struct ui *ui)
{
    struct choices *c = ui->screen->choices;

    c->tool = NO_TOOL;
    cells_start(c->board);
    c->board->moved = moved;
    c->board->none = c->form->at_once ? NULL : nowhere;
}

/* Where cards can be played is where one begins; and all is marked where nothing
 * is taken in hand. */
void choices_position(struct ui *ui)
{
    struct choices *c = ui->screen->choices;
    uint8_t wanted[CELLS_MAX] = {0};
    int tools = 0;

    for (const struct tool *row = c->form->tools; row->keys != NULL; row++)
        tools += tools_in(row);
    ASSERT(c->board != NULL && tools <= CHOICES_TOOLS);
    choices_fresh(ui, c, tools);
    for (int tool = 0; tool < tools; tool++) {
        const struct tool *row = choices_row(c, tool);
        if (c->legal[tool] > 0 && (c->form->at_once ? !row->aside : row->card))
            mark(ui, c, tool, wanted);
    }
    if (c->form->at_once)
        memcpy(c->board->marked, wanted, sizeof(wanted));
    cells_fresh(ui, c->board, ui->choice_count > 0 ? wanted : NULL);
}

/* ---- a tool ------------------------------------------------------------------ */

void choices_take(const struct ui *ui, struct choices *c, int tool)
{
    c->tool = tool;
    if (c->board != NULL)
        memset(c->board->marked, 0, sizeof(c->board->marked));
    if (tool == NO_TOOL)
        return;
    c->variant[tool] = 0;
    if (c->board != NULL)
        mark(ui, c, tool, c->board->marked);
}

void choices_pick(struct ui *ui, struct choices *c, int tool)
{
    if (c->legal[tool] == 0) {
        ui_say(ui, true, "%s", choices_why_not(ui, c, tool));
        return;
    }
    choices_take(ui, c, tool);
    cells_go_near(ui, c->board, c->board->marked);
}

void choices_next(struct ui *ui, struct choices *c, int from, int to, int by,
                  int key)
{
    int n = to - from, none = from;
    int at = c->tool >= from && c->tool < to ? c->tool - from
             : by > 0                        ? -1
                                             : n;

    while (key != 0 && none < to && choices_key_of(c, none) != key)
        none++;
    for (int i = 0; i < n; i++) {
        at = ((at + by) % n + n) % n;
        if (c->legal[from + at] > 0 &&
            (key == 0 || choices_key_of(c, from + at) == key)) {
            choices_pick(ui, c, from + at);
            return;
        }
    }
    if (none < to)
        choices_pick(ui, c, none); /* which says why not */
}

/* A move of TOOL to be refused: a legal one elsewhere, at the cursor; or else
 * the likeliest. */
static struct rules_move vain_move(const struct ui *ui,
                                   const struct choices *c, int tool)
{
    const struct tool *row = choices_row(c, tool);
    const struct rules_move *legal;
    struct rules_move move = RULES_MOVE(row->verb, RULES_NONE, RULES_NONE,
                                        RULES_NONE);

    for (size_t i = 0; (legal = move_at(ui, c, i)) != NULL; i++) {
        if (choices_has(ui, c, tool, legal)) {
            move = *legal;
            break;
        }
    }
    if (row->count > 0)
        move.arg[0] = (int16_t)choices_value(ui, c, tool);
    if (row->places > 0)
        move.arg[row->first] = (int16_t)c->board->cursor;
    if (legal == NULL && c->form->guess != NULL)
        c->form->guess(ui, &move);
    return move;
}

static int refusal_of(const struct ui *ui, const struct choices *c, int tool)
{
    struct rules_move move = vain_move(ui, c, tool);
    return rules_check(ui->table->rules, &ui->view.state, ui->seat, &move);
}

const char *choices_refusal(const struct ui *ui, const struct choices *c,
                            int tool)
{
    return rules_reason(ui->table->rules, refusal_of(ui, c, tool));
}

const char *choices_not_here(const struct ui *ui, const struct choices *c,
                             int tool)
{
    int refusal = refusal_of(ui, c, tool);
    return refusal == RULES_OK ? "" : layout_reason(ui->table->rules, refusal);
}

const char *choices_why_not(const struct ui *ui, const struct choices *c,
                            int tool)
{
    const struct rules *r = ui->table->rules;

    if (ui->controller->play == NULL)
        return _("You are only looking on.");
    if (choices_value(ui, c, tool) == RULES_HIDDEN)
        return _("There is no card.");
    int refusal = refusal_of(ui, c, tool);
    const char *const *about = c->form->of_place;
    for (; about != NULL && *about != NULL; about++)
        if (strcmp(*about, rules_reason(r, refusal)) == 0)
            return _("There is no place for that now.");
    return layout_reason(r, refusal);
}

/* ---- a place, and a variant -------------------------------------------------- */

bool choices_here(const struct ui *ui, const struct choices *c, int tool)
{
    const struct rules_move *move;

    for (size_t i = 0; (move = move_at(ui, c, i)) != NULL; i++)
        if (is_at(c, tool, move, c->board->cursor) &&
            choices_has(ui, c, tool, move))
            return true;
    return false;
}

const struct rules_move *choices_move(const struct ui *ui,
                                      const struct choices *c, int tool,
                                      size_t *ret_count)
{
    const struct rules_move *move, *up = NULL;

    *ret_count = 0;
    if (tool == NO_TOOL)
        return NULL;
    bool anywhere = !choices_needs_place(c, tool);
    for (int pass = 0; pass < 2 && up == NULL; pass++) {
        size_t n = 0;
        for (size_t i = 0; (move = move_at(ui, c, i)) != NULL; i++) {
            if (!choices_has(ui, c, tool, move) ||
                !(anywhere || is_at(c, tool, move, c->board->cursor)))
                continue;
            if (pass == 1 && n == c->variant[tool] % *ret_count)
                up = move;
            n++;
        }
        *ret_count = n;
        if (n == 0)
            break;
    }
    return up;
}

void choices_turn(const struct ui *ui, struct choices *c, int tool, int by)
{
    size_t count;

    (void)choices_move(ui, c, tool, &count);
    if (count > 0)
        c->variant[tool] =
            (c->variant[tool] + count + (by < 0 ? count - 1 : 1)) % count;
}

bool move_same(const struct rules_move *a, const struct rules_move *b)
{
    return a->verb == b->verb && memcmp(a->arg, b->arg, sizeof(a->arg)) == 0;
}

/* ---- which key leads on ------------------------------------------------------ */

/* The same where a tool is taken in hand first. */
static bool hand_toward(const struct ui *ui, const struct choices *c, int tool,
                        const struct rules_move *move, char *buf, size_t cap)
{
    size_t count;

    if (c->tool != tool) {
        (void)snprintf(buf, cap, "%c", choices_key_of(c, tool));
        return true;
    }
    const struct rules_move *up = choices_move(ui, c, tool, &count);
    bool there = up != NULL && move_same(up, move);
    (void)snprintf(buf, cap, "%s", there ? _("Enter") : "r");
    return there || count > 1;
}

bool choices_toward(const struct ui *ui, const struct rules_move *move,
                    char *buf, size_t cap)
{
    const struct choices *c = ui->screen->choices;
    int tool = 0, first;

    while (tool < c->tools && !choices_has(ui, c, tool, move))
        tool++;
    if (tool == c->tools)
        return false;
    bool away = places_of(c, tool, &first) > 0 &&
                !is_at(c, tool, move, c->board->cursor);
    if (away && (c->form->at_once || c->tool == tool)) {
        if (!c->board->marked[move->arg[first]])
            return false; /* no key goes from mark to mark to there */
        (void)snprintf(buf, cap, "%s",
                       cells_toward(ui, c->board, move->arg[first]));
        return true;
    }
    if (!c->form->at_once)
        return hand_toward(ui, c, tool, move, buf, cap);
    once_toward(ui, c, tool, move, buf, cap);
    return true;
}
