/* list_screen.c -- the screen of a game that has none of its own: the state,
 * the legal moves as a list, and the log. */

#include <stdlib.h>
#include <string.h>

#include "clients/common/lang.h"
#include "core/base.h"
#include "core/text.h"
#include "choices.h"
#include "screen.h"

static struct {
    size_t at, top; /* in the list of choices */
    int16_t amount; /* of a ranged choice */
} list;

static void fresh(struct ui *ui)
{
    if (list.at >= ui->choice_count)
        list.at = 0;
    list.amount = ui->choice_count > 0 ? ui->choices[list.at].min : 0;
}

static void draw_state(struct ui *ui, int y, int x, int height, int width)
{
    char *text = NULL;
    size_t len;
    FILE *to = open_memstream(&text, &len);

    if (to == NULL)
        core_panic(__FILE__, __LINE__, "out of memory");
    if (ui->game_ui->situation != NULL)
        ui->game_ui->situation(to, ui->table, &ui->view.state);
    if (ui->game_ui->board != NULL)
        ui->game_ui->board(to, ui->table, &ui->view.state);
    else
        game_ui_fields(to, ui->table, &ui->view.state);
    (void)fclose(to);
    int row = 0;
    for (char *t = text; *t != '\0' && row < height; row++) {
        size_t n = strcspn(t, "\n");
        bool more = t[n] != '\0';
        t[n] = '\0';
        ui_text(y + row, x, width, A_NORMAL, t, false);
        t += n + more;
    }
    free(text);
}

static void draw_choice(struct ui *ui, size_t i, int y, int width)
{
    const struct rules_choice *c = &ui->choices[i];
    struct rules_move move = c->move;
    char text[RULES_TEXT_MAX];
    bool chosen = i == list.at;

    if (c->ranged >= 0 && chosen)
        move.arg[c->ranged] = list.amount;
    (void)text_move(ui->table->rules, &ui->view.state, &move, text,
                    sizeof(text));
    attr_t attr = chosen ? ui_attr(ui, STYLE_CHOSEN) : A_NORMAL;
    int n = ui_print(y, 0, width, attr, " %c %s", chosen ? '>' : ' ', text);
    ui_place(y, 0, 1, width, (int)i);
    if (c->ranged >= 0)
        n += ui_print(y, n, width - n, attr, "  %d..%d", c->min, c->max);
    for (; chosen && n < width; n++)
        ui_text(y, n, 1, attr, " ", false);
}

static void draw(struct ui *ui)
{
    const struct table *table = ui->table;
    int left = ui->columns / 2 < 44 ? ui->columns / 2 : 44;
    int log = ui->lines / 4;
    char title[200];
    struct ui_pane panes[] = {
        {.wants = {2}, .must = true}, /* title and headings */
        {.wants = {2, 6, 6, ui->lines}, .must = true},
        {.wants = {2, 4, 1 + log, 1 + log}}, /* with a heading */
    };

    ui->missing = ui_split(panes, COUNT_OF(panes), 0, ui->lines - 1);
    int room = panes[1].lines, log_y = panes[2].y;

    int mover = 0; /* of those waited for, rather whoever is at the keyboard */
    while (mover < table->seats && !(ui->view.state.acting & RULES_BIT(mover)))
        mover++;
    if (ui->seat < table->seats && rules_can_move(&ui->view.state, ui->seat))
        mover = ui->seat;
    (void)snprintf(title, sizeof(title),
                   mover < table->seats ? _(" %s   %s to move")
                                        : _(" %s   over"),
                   table->rules->title,
                   mover < table->seats ? table->names[mover] : "");
    ui_text(0, 0, ui->columns, ui_attr(ui, STYLE_BAR), title, true);
    list.top = (size_t)ui_scrolled((int)list.top, (int)list.at, 0, room,
                                   (int)ui->choice_count);
    ui_print(1, 0, left, ui_attr(ui, STYLE_BOLD), _(" Moves (%zu)"),
             ui->choice_count);
    for (int i = 0; i < room && list.top + (size_t)i < ui->choice_count; i++)
        draw_choice(ui, list.top + (size_t)i, 2 + i, left - 1);
    draw_state(ui, 2, left + 1, room, ui->columns - left - 1);
    if (panes[2].lines > 0)
        ui_text(log_y, 0, ui->columns, ui_attr(ui, STYLE_BOLD),
                _(" What happened"), false);
    ui_log(ui, log_y + 1, 1, panes[2].lines - 1, ui->columns - 2);
}

/* Moves a choice on, or back; further than there are any: to the end. */
static void step(struct ui *ui, int by)
{
    long at = (long)list.at + by, last = (long)ui->choice_count - 1;

    if (last < 0)
        return;
    list.at = (size_t)(at < 0 ? 0 : at > last ? last : at);
    list.amount = ui->choices[list.at].min;
}

static void page(struct ui *ui, int by)
{
    step(ui, by * ui->lines / 2);
}

static void add(struct ui *ui, int by)
{
    const struct rules_choice *c = &ui->choices[list.at];
    int amount = list.amount + by;

    if (ui->choice_count > 0 && amount >= c->min && amount <= c->max)
        list.amount = (int16_t)amount;
}

static void use(struct ui *ui, int unused)
{
    const struct rules_choice *c = &ui->choices[list.at];

    (void)unused;
    if (ui->choice_count == 0)
        return;
    struct rules_move move = c->move;
    if (c->ranged >= 0)
        move.arg[c->ranged] = list.amount;
    (void)ui_play(ui, &move);
}

static bool has_amount(const struct ui *ui)
{
    return ui->choice_count > 0 && ui->choices[list.at].ranged >= 0;
}

static const struct ui_key keys[] = {
    {N_("Enter"), NULL, KEY_RETURN, use, 0, NULL, N_("play the move"),
     N_("play")},
    {N_("up down, k j, n p"), "jn\t", KEY_DOWN, step, 1, NULL,
     N_("the next move; Home End PgUp PgDn: further"), N_("choose")},
    {NULL, "kp", KEY_UP, step, -1, NULL, NULL, NULL},
    {NULL, NULL, KEY_BTAB, step, -1, NULL, NULL, NULL},
    {NULL, " ", KEY_NPAGE, page, 1, NULL, NULL, NULL},
    {NULL, NULL, KEY_PPAGE, page, -1, NULL, NULL, NULL},
    {NULL, NULL, KEY_HOME, step, -RULES_MOVES_MAX, NULL, NULL, NULL},
    {NULL, NULL, KEY_END, step, RULES_MOVES_MAX, NULL, NULL, NULL},
    {N_("left right, - +"), "+", KEY_RIGHT, add, 1, has_amount,
     N_("the amount of a move, where it has one"), N_("amount")},
    {NULL, "-", KEY_LEFT, add, -1, NULL, NULL, NULL},
    KEYS_END,
};

static bool toward(const struct ui *ui, const struct rules_move *move,
                   char *buf, size_t cap)
{
    size_t at = 0;
    int a = 0;

    for (; at < ui->choice_count; at++) {
        struct rules_move one = ui->choices[at].move;
        a = ui->choices[at].ranged;
        if (a >= 0)
            one.arg[a] = move->arg[a];
        if (move_same(&one, move))
            break;
    }
    if (at == ui->choice_count)
        return false;
    const char *key = at > list.at                           ? "j"
                      : at < list.at                         ? "k"
                      : a >= 0 && move->arg[a] > list.amount ? "+"
                      : a >= 0 && move->arg[a] < list.amount ? "-"
                                                             : _("Enter");
    (void)snprintf(buf, cap, "%s", key);
    return true;
}

static bool go(struct ui *ui, int at)
{
    bool there = list.at == (size_t)at;

    list.at = (size_t)at;
    list.amount = there ? list.amount : ui->choices[at].min;
    return there;
}

const struct screen list_screen = {
    .fresh = fresh,
    .draw = draw,
    .toward = toward,
    .go = go,
    .keys = keys,
};
