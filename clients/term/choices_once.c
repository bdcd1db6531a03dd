/* choices_once.c -- tools that a key uses at once, where the cursor is: what
 * their moves leave open is found out from those that are legal, one argument
 * after the other, and asked for where there is more than one way. */

#include <string.h>

#include "choices.h"
#include "clients/common/lang.h"
#include "core/ascii.h"
#include "layout.h"
#include "protocol/sbuf_printf.h"
#include "term.h"

#define VALUES_MAX 64

/* What an argument can be: some values, or all from the least to the most. */
struct values {
    int value[VALUES_MAX];
    int count; /* of VALUE; 0: none is known */
    int min, max;
    bool range;
    bool amount; /* a number that names nothing */
};

bool once_can(const struct ui *ui, const struct choices *c, int tool)
{
    return c->legal[tool] > 0 &&
           (!choices_needs_place(c, tool) || choices_here(ui, c, tool));
}

/* Whether CHOICE is one of MOVE, as far as that is known. */
static bool agrees(const struct rules_choice *choice,
                   const struct rules_move *move)
{
    if (choice->move.verb != move->verb)
        return false;
    for (int a = 0; a < RULES_ARGS_MAX; a++)
        if (move->arg[a] != RULES_NONE && a != choice->ranged &&
            move->arg[a] != choice->move.arg[a])
            return false;
    return true;
}

static void add_value(struct values *v, int min, int max)
{
    bool is_new = true;

    for (int i = 0; i < v->count; i++)
        is_new &= v->value[i] != min;
    v->range |= max > min;
    v->min = v->count == 0 || min < v->min ? min : v->min;
    v->max = v->count == 0 || max > v->max ? max : v->max;
    if (is_new && v->count < VALUES_MAX)
        v->value[v->count++] = min;
}

static const struct rules_arg *argument(const struct ui *ui,
                                        const struct rules_move *move, int a)
{
    return &ui->table->rules->verbs[move->verb].arg[a];
}

/* What argument A of MOVE can be by the legal moves. */
static struct values legal_values(const struct ui *ui,
                                  const struct rules_move *move, int a)
{
    struct values v = {.count = 0};

    for (size_t i = 0; i < ui->choice_count; i++) {
        const struct rules_choice *choice = &ui->choices[i];
        if (!agrees(choice, move))
            continue;
        if (choice->ranged == a)
            add_value(&v, choice->min, choice->max);
        else
            add_value(&v, choice->move.arg[a], choice->move.arg[a]);
    }
    return v;
}

/* What argument A of MOVE can be: one of what stands there, if it names such, or
 * else what is legal. */
static struct values values_of(const struct ui *ui, const struct choices *c,
                               const struct rules_move *move, int a)
{
    struct values v = {.count = 0};
    int standing[VALUES_MAX], n = -1;

    if (c->form->standing != NULL)
        n = c->form->standing(ui, move, a, standing, VALUES_MAX);
    for (int i = 0; i < n; i++)
        add_value(&v, standing[i], standing[i]);
    if (n >= 0)
        return v;
    v = legal_values(ui, move, a);
    v.amount = v.count > 0 &&
               argument(ui, move, a)->kind->form == RULES_NUMBER;
    return v;
}

/* A move of TOOL at the cursor, of which nothing else is known. */
static struct rules_move begun(const struct ui *ui, const struct choices *c,
                               int tool)
{
    const struct tool *row = choices_row(c, tool);
    struct rules_move move = RULES_MOVE(row->verb, RULES_NONE, RULES_NONE,
                                        RULES_NONE);

    if (row->count > 0)
        move.arg[0] = (int16_t)choices_value(ui, c, tool);
    if (row->places > 0)
        move.arg[row->first] = (int16_t)c->board->cursor;
    return move;
}

/* ---- asking ----------------------------------------------------------------- */

/* The values one by one, seats with their names. */
static void put_values(const struct ui *ui, const struct rules_kind *kind,
                       const struct values *v, struct sbuf *s)
{
    for (int i = 0; i < v->count; i++) {
        sbuf_printf(s, "%s%d", i == 0 ? "" : ", ", v->value[i]);
        if (kind->form == RULES_SEAT)
            sbuf_printf(s, " %s", ui->table->names[v->value[i]]);
    }
}

/* QUESTION, and behind it what can be answered. */
static void put_question(const struct ui *ui, const struct rules_kind *kind,
                         const struct values *v, const char *question,
                         char *buf, size_t cap)
{
    struct sbuf s = sbuf_in(buf, cap);

    if (v->amount) {
        sbuf_printf(&s, _("%s (%d to %d)"), question, v->min, v->max);
        return;
    }
    sbuf_puts(&s, question);
    if (kind->form == RULES_WORD)
        return;
    sbuf_puts(&s, " (");
    put_values(ui, kind, v, &s);
    sbuf_putc(&s, ')');
}

/* ANSWER is none of them. */
static void refuse(struct ui *ui, const struct rules_kind *kind,
                   const struct values *v, const char *answer)
{
    char text[300];
    struct sbuf s = sbuf_in(text, sizeof(text));

    put_values(ui, kind, v, &s);
    if (kind->form == RULES_WORD)
        ui_say(ui, true, _("That is no answer: %s"), answer);
    else if (v->amount)
        ui_say(ui, true, _("A number from %d to %d."), v->min, v->max);
    else
        ui_say(ui, true, _("One of these: %s."), text);
}

/* The value that TEXT names: a number, or a word that begins so. */
static bool read_value(const struct rules_kind *kind, const struct values *v,
                       const char *text, int16_t *ret_value)
{
    uint64_t number = 0;
    bool is_number = number_read(text, INT16_MAX, &number);

    if (is_number && v->range && (int)number >= v->min &&
        (int)number <= v->max) {
        *ret_value = (int16_t)number;
        return true;
    }
    for (int i = 0; i < v->count; i++) {
        bool is_it = kind->form == RULES_WORD
                         ? ascii_compare_n(kind->words[v->value[i]], text,
                                           strlen(text)) == 0
                         : is_number && (int)number == v->value[i];
        if (is_it) {
            *ret_value = (int16_t)v->value[i];
            return true;
        }
    }
    return false;
}

/* Whether argument A of MOVE is asked for, and how: an amount always is, as it is
 * nowhere to be seen.  If there is but one way, or the game has no question, the
 * first is taken. */
static bool is_asked(const struct ui *ui, const struct choices *c,
                     const struct rules_move *move, int a, struct values *v,
                     char question[300])
{
    bool is_open = v->amount || v->range || v->count > 1;

    (void)snprintf(question, 300, "%s?", argument(ui, move, a)->name);
    if (is_open && c->form->question != NULL)
        c->form->question(ui, move, a, &v->max, question, 300);
    return is_open && question[0] != '\0';
}

/* Asks for argument A of MOVE; false if it was given up, or is none. */
static bool ask(struct ui *ui, struct rules_move *move, int a,
                const struct values *v, const char *question)
{
    const struct rules_arg *arg = argument(ui, move, a);
    char text[400], answer[32];

    put_question(ui, arg->kind, v, question, text, sizeof(text));
    if (!ui_ask(ui, text, answer, sizeof(answer)) || answer[0] == '\0')
        return false;
    if (read_value(arg->kind, v, answer, &move->arg[a]))
        return true;
    refuse(ui, arg->kind, v, answer);
    return false;
}

/* All that MOVE leaves open; false if it was given up. */
static bool complete(struct ui *ui, const struct choices *c,
                     struct rules_move *move)
{
    char question[300];

    for (int a = 0; a < RULES_ARGS_MAX && argument(ui, move, a)->name != NULL;
         a++) {
        if (move->arg[a] != RULES_NONE)
            continue;
        struct values v = values_of(ui, c, move, a);
        if (!is_asked(ui, c, move, a, &v, question))
            move->arg[a] = (int16_t)(v.count > 0 ? v.value[0] : RULES_NONE);
        else if (!ask(ui, move, a, &v, question))
            return false;
    }
    return true;
}

/* ---- using a tool ------------------------------------------------------------- */

static const char *sure(const struct ui *ui, const struct choices *c, int verb)
{
    return c->form->sure != NULL ? c->form->sure(ui, verb) : NULL;
}

void once_use(struct ui *ui, struct choices *c, int tool)
{
    struct rules_move move = begun(ui, c, tool);

    if (!once_can(ui, c, tool)) {
        ui_say(ui, true, "%s", choices_why_not(ui, c, tool));
        return;
    }
    if (!complete(ui, c, &move))
        return;
    const char *question = sure(ui, c, move.verb);
    if (question == NULL || ui_sure(ui, question))
        (void)ui_play(ui, &move);
}

void once_toward(const struct ui *ui, const struct choices *c, int tool,
                 const struct rules_move *move, char *buf, size_t cap)
{
    struct rules_move known = begun(ui, c, tool);
    struct sbuf s = sbuf_in(buf, cap);
    char question[300];

    sbuf_putc(&s, choices_key_of(c, tool));
    for (int a = 0; a < RULES_ARGS_MAX && argument(ui, move, a)->name != NULL;
         a++) {
        const struct rules_kind *kind = argument(ui, move, a)->kind;
        struct values v = values_of(ui, c, &known, a);
        if (known.arg[a] == RULES_NONE &&
            is_asked(ui, c, &known, a, &v, question)) {
            if (kind->form == RULES_WORD)
                sbuf_printf(&s, " %c", kind->words[move->arg[a]][0]);
            else
                sbuf_printf(&s, " %d", move->arg[a]);
            sbuf_printf(&s, " %s", _("Enter"));
        }
        known.arg[a] = move->arg[a];
    }
    if (sure(ui, c, move->verb) != NULL)
        sbuf_puts(&s, " y");
}

/* The first tool that can be used here, or NO_TOOL. */
static int first_here(const struct ui *ui, const struct choices *c)
{
    for (int tool = 0; tool < c->tools; tool++)
        if (choices_needs_place(c, tool) && !choices_row(c, tool)->aside &&
            once_can(ui, c, tool))
            return tool;
    return NO_TOOL;
}

static void use_here(struct ui *ui, int unused)
{
    struct choices *c = ui->screen->choices;
    int tool = first_here(ui, c), refused = -1;
    char line[200] = "";

    (void)unused;
    if (!ui_plays(ui))
        return;
    if (tool == NO_TOOL && c->form->refused != NULL)
        refused = c->form->refused(ui);
    if (refused >= 0)
        tool = choices_tool(c, refused, 0);
    choices_brief(ui, c, line, sizeof(line));
    if (tool != NO_TOOL)
        once_use(ui, c, tool);
    else
        ui_say(ui, false, "%s",
               line[0] != '\0' ? line + strspn(line, " ")
                               : _("Nothing can be done here."));
}

static bool can_here(const struct ui *ui)
{
    return ui_plays(ui) && first_here(ui, ui->screen->choices) != NO_TOOL;
}

const struct ui_key choices_once_keys[] = {
    {N_("Enter, space"), " ", KEY_RETURN, use_here, 0, can_here,
     N_("what the line about the place says"), N_("do it")},
    KEYS_END,
};
