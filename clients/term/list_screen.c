/* list_screen.c -- the screen of a game that has none of its own: the state,
 * the legal moves as a list, and the log. */

#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "core/text.h"
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
    if (c->ranged >= 0)
        n += ui_print(y, n, width - n, attr, "  %d..%d", c->min, c->max);
    for (; chosen && n < width; n++)
        ui_text(y, n, 1, attr, " ", false);
}

static void draw(struct ui *ui)
{
    const struct table *table = ui->table;
    int left = ui->columns / 2 < 44 ? ui->columns / 2 : 44;
    int log = ui->lines / 4 > 3 ? ui->lines / 4 : 3,
        room = ui->lines - 4 - log;
    char title[200];

    int mover = 0; /* of those waited for, rather whoever is at the keyboard */
    while (mover < table->seats && !(ui->view.state.acting & RULES_BIT(mover)))
        mover++;
    if (ui->seat < table->seats && rules_can_move(&ui->view.state, ui->seat))
        mover = ui->seat;
    (void)snprintf(title, sizeof(title), " %s   %s%s", table->rules->title,
                   mover < table->seats ? table->names[mover] : "over",
                   mover < table->seats ? " to move" : "");
    ui_text(0, 0, ui->columns, ui_attr(ui, STYLE_BAR), title, true);
    if (list.at < list.top)
        list.top = list.at;
    if (list.at >= list.top + (size_t)room)
        list.top = list.at - (size_t)room + 1;
    ui_print(1, 0, left, ui_attr(ui, STYLE_BOLD), " Moves (%zu)",
             ui->choice_count);
    for (int i = 0; i < room && list.top + (size_t)i < ui->choice_count; i++)
        draw_choice(ui, list.top + (size_t)i, 2 + i, left - 1);
    draw_state(ui, 2, left + 1, room, ui->columns - left - 1);
    ui_text(ui->lines - 2 - log, 0, ui->columns, ui_attr(ui, STYLE_BOLD),
            " What happened", false);
    ui_log(ui, ui->lines - 1 - log, 1, log, ui->columns - 2);
}

static void step(struct ui *ui, long by)
{
    long at = (long)list.at + by, last = (long)ui->choice_count - 1;
    list.at = (size_t)(at < 0 ? 0 : at > last ? last : at);
    list.amount = ui->choices[list.at].min;
}

static bool key(struct ui *ui, int key)
{
    if (ui->choice_count == 0)
        return false;
    const struct rules_choice *c = &ui->choices[list.at];
    switch (key) {
    case KEY_DOWN:
    case 'j':
    case '\t': step(ui, 1); return true;
    case KEY_UP:
    case 'k':
    case KEY_BTAB: step(ui, -1); return true;
    case KEY_NPAGE:
    case ' ': step(ui, ui->lines / 2); return true;
    case KEY_PPAGE: step(ui, -ui->lines / 2); return true;
    case KEY_HOME: step(ui, -(long)RULES_MOVES_MAX); return true;
    case KEY_END: step(ui, RULES_MOVES_MAX); return true;
    case KEY_RIGHT:
    case '+':
        list.amount = (int16_t)(list.amount + (list.amount < c->max));
        return true;
    case KEY_LEFT:
    case '-':
        list.amount = (int16_t)(list.amount - (list.amount > c->min));
        return true;
    case KEY_RETURN: {
        struct rules_move move = c->move;
        if (c->ranged >= 0)
            move.arg[c->ranged] = list.amount;
        (void)ui_play(ui, &move);
        return true;
    }
    default: return false;
    }
}

const struct screen list_screen = {
    .fresh = fresh,
    .draw = draw,
    .key = key,
    .keys = " arrows choose   Enter plays   u undo   : type a move   ? help"
            "   q leave",
    .help = "The legal moves are a list; the arrows choose one, Enter plays "
            "it.\nWhere a move has an amount, left and right change it.\n",
};
