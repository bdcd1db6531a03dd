#include "game_ui.h"

#include <string.h>

#include "clients/common/lang.h"

/* Games with a UI of their own: a new one is files and a line here.  Any other
 * is played in words and lists. */
/* clang-format off */
#define GAMES \
    GAME(hacienda) \
    GAME(hadara) \
    GAME(greement) \
    GAME(tictactoe)
/* clang-format on */

#define GAME(name) extern const struct game_ui name##_ui;
GAMES
#undef GAME

static const struct game_ui plain_ui;
#define GAME(name) &name##_ui,
static const struct game_ui *const uis[] = {GAMES NULL};

const struct game_ui *game_ui_find(const char *game)
{
    for (size_t i = 0; uis[i] != NULL; i++)
        if (strcmp(uis[i]->game, game) == 0)
            return uis[i];
    return &plain_ui;
}

bool game_ui_tells(const struct game_ui *game_ui, const struct table *table,
                   const struct rules_event *event, int seat)
{
    return (event->seen_by & RULES_BIT(seat)) != 0 &&
           (game_ui->quiet == NULL || event->kind >= EVENTS_OF_TABLE ||
            !game_ui->quiet(table, event));
}

/* ---- fields in lines ---------------------------------------------------- */

/* Lists and objects within the state that hold values only are one line. */
struct printer {
    FILE *to;
    int depth;
    bool fresh; /* nothing has been written in this line */
};

static void start(struct printer *p, const char *name)
{
    if (!p->fresh && name == NULL) {
        (void)fputc(' ', p->to);
        return;
    }
    if (!p->fresh)
        (void)fputc(' ', p->to);
    p->fresh = false;
    if (name != NULL)
        (void)fprintf(p->to, "%s: ", name);
}

static void print_open(void *arg, const char *name, bool list)
{
    struct printer *p = arg;
    (void)list;
    if (!p->fresh) {
        (void)fputc('\n', p->to);
        p->fresh = true;
    }
    for (int i = 0; i < p->depth; i++)
        (void)fputs("  ", p->to);
    if (name != NULL)
        (void)fprintf(p->to, "%s:", name);
    else
        (void)fputs("-", p->to);
    p->fresh = false;
    p->depth++;
}

static void print_close(void *arg, bool list)
{
    struct printer *p = arg;
    (void)list;
    p->depth--;
    if (!p->fresh)
        (void)fputc('\n', p->to);
    p->fresh = true;
}

static void print_value(void *arg, const char *name,
                        const struct fields_value *v)
{
    struct printer *p = arg;
    start(p, name);
    switch (v->type) {
    case FIELDS_NUMBER:
        (void)fprintf(p->to, "%lld", (long long)v->number);
        break;
    case FIELDS_BOOL:
        (void)fputs(v->number ? _("yes") : _("no"), p->to);
        break;
    case FIELDS_NULL: (void)fputs("-", p->to); break;
    case FIELDS_WORD: (void)fwrite(v->word, 1, v->word_len, p->to); break;
    }
    if (p->depth == 0) {
        (void)fputc('\n', p->to);
        p->fresh = true;
    }
}

void game_ui_fields(FILE *to, const struct table *table,
                    const struct rules_state *view)
{
    struct printer p = {.to = to, .fresh = true};
    struct fields_sink sink = {
        .open = print_open,
        .close = print_close,
        .value = print_value,
        .arg = &p,
    };
    rules_show(table->rules, view, &sink);
    if (!p.fresh)
        (void)fputc('\n', to);
}
