/* tictactoe.c -- how the terminal shows tic-tac-toe: its board in lines. */

#include "game_ui.h"

/* The state is internal to the rules; what it shows is not. */
struct marks {
    char at[9];
    size_t count;
    int depth;
};

static void open_list(void *arg, const char *name, bool list)
{
    (void)arg, (void)name, (void)list;
}

static void close_list(void *arg, bool list)
{
    (void)arg, (void)list;
}

static void mark(void *arg, const char *name, const struct fields_value *v)
{
    struct marks *m = arg;
    (void)name;
    if (m->count < sizeof(m->at))
        m->at[m->count++] = v->type == FIELDS_NULL ? '.'
                            : v->number == 0       ? 'X'
                                                   : 'O';
}

static void board(FILE *to, const struct table *table,
                  const struct rules_state *view)
{
    struct marks m = {.count = 0};
    struct fields_sink sink = {
        .open = open_list,
        .close = close_list,
        .value = mark,
        .arg = &m,
    };
    rules_show(table->rules, view, &sink);
    (void)fputs("    a b c\n", to);
    for (size_t row = 0; row < 3; row++)
        (void)fprintf(to, "  %zu %c %c %c\n", row + 1, m.at[3 * row],
                      m.at[3 * row + 1], m.at[3 * row + 2]);
    (void)fprintf(to, "  X: %s, O: %s\n", table->names[0], table->names[1]);
}

extern const struct game_ui tictactoe_ui;
const struct game_ui tictactoe_ui = {
    .game = "tictactoe",
    .board = board,
};
