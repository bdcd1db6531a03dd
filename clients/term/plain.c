#include "plain.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "clients/common/lang.h"
#include "core/ascii.h"
#include "core/says.h"
#include "core/text.h"

#define LIST_MAX 40 /* legal moves listed without being asked for a verb */

/* ---- what happens ------------------------------------------------------- */

void plain_flush(struct plain *p)
{
    if (p->times > 1)
        printf(_("%s (%d times)\n"), p->sentence, p->times);
    else if (p->times == 1)
        printf("%s\n", p->sentence);
    p->times = 0;
}

static void tell(struct plain *p, const char *sentence)
{
    if (p->times > 0 && strcmp(p->sentence, sentence) == 0) {
        p->times++;
        return;
    }
    plain_flush(p);
    (void)snprintf(p->sentence, sizeof(p->sentence), "%s", sentence);
    p->times = 1;
}

void plain_events(struct plain *p, const struct rules_event *events,
                  size_t count)
{
    char sentence[512];
    for (size_t i = 0; i < count; i++) {
        if (!game_ui_tells(p->game_ui, p->table, &events[i], p->seat))
            continue;
        layout_sentence(p->table, &events[i], sentence, sizeof(sentence));
        tell(p, sentence);
    }
}

const struct rules_state *plain_view(struct plain *p)
{
    rules_view(p->table->rules, &p->table->any.state, p->seat, &p->view.state);
    return &p->view.state;
}

/* ---- what is asked for -------------------------------------------------- */

static void help(struct plain *p)
{
    printf(_("Type a move, or one of these:\n"
             "  help           this\n"
             "  legal [VERB]   what you can do now\n"
             "  try MOVE       what a move would bring, without making it\n"
             "  board, hand, score, state, log [N], who\n"
             "%s"
             "  quit\n"
             "Moves:\n"),
           p->words);
    for (int i = 0; p->table->rules->verbs[i].name != NULL; i++) {
        const struct rules_word *w = &p->table->rules->verbs[i];
        if (w->nature)
            continue;
        printf("  %s", w->name);
        for (int a = 0; a < RULES_ARGS_MAX && w->arg[a].name != NULL; a++)
            printf(w->arg[a].optional ? " [%s=%s]" : " %s=%s", w->arg[a].name,
                   w->arg[a].kind->name);
        printf("\n");
        layout_paragraph(stdout, "      ",
                         says_verb(p->table->rules,
                                   layout_says(p->table->rules), i),
                         78);
    }
    printf(_("The names of arguments may be left out: `%s ...`.\n"),
           p->table->rules->verbs[0].name);
}

/* Whether each word of WORDS is one of TEXT, or a value in it. */
static bool has_words(const char *text, const char *words)
{
    for (;;) {
        words += strspn(words, " \t");
        size_t len = strcspn(words, " \t");
        if (len == 0)
            return true;
        bool there = false;
        for (const char *t = text; *t != '\0' && !there; t++)
            there = ascii_compare_n(t, words, len) == 0 &&
                    (t == text || t[-1] == ' ' || t[-1] == '=') &&
                    (t[len] == ' ' || t[len] == '=' || t[len] == '\0');
        if (!there)
            return false;
        words += len;
    }
}

static void print_choice(const struct plain *p, const struct rules_choice *c,
                         const char *words)
{
    char text[RULES_TEXT_MAX];
    (void)text_move(p->table->rules, &p->table->any.state, &c->move, text,
                    sizeof(text));
    if (!has_words(text, words))
        return;
    printf("  %s", text);
    if (c->ranged >= 0)
        printf(_(" (%s from %d to %d)"),
               p->table->rules->verbs[c->move.verb].arg[c->ranged].name,
               c->min, c->max);
    printf("\n");
}

static void legal(struct plain *p, const char *rest)
{
    struct table *table = p->table;
    size_t len = strcspn(rest, " \t");
    int verb = -1;

    if (len > 0) {
        verb = text_find(table->rules->verbs, rest, len);
        if (verb < 0) {
            printf(_("There is no move '%.*s'.\n"), (int)len, rest);
            return;
        }
    }
    size_t n = rules_legal(table->rules, &table->any.state, p->seat, verb,
                           table->choices, RULES_MOVES_MAX);
    if (n == 0)
        printf(_("None.\n"));
    if (verb >= 0 || n <= LIST_MAX) {
        for (size_t i = 0; i < n; i++)
            print_choice(p, &table->choices[i], rest + len);
        return;
    }
    for (int v = 0; table->rules->verbs[v].name != NULL; v++) {
        size_t count = 0, last = 0;
        for (size_t i = 0; i < n; i++) {
            if (table->choices[i].move.verb == v) {
                count++;
                last = i;
            }
        }
        if (count == 1)
            print_choice(p, &table->choices[last], "");
        else if (count > 1)
            printf(_("  %s: %zu ways; `legal %s` lists them\n"),
                   table->rules->verbs[v].name, count,
                   table->rules->verbs[v].name);
    }
}

static void print_log(struct plain *p, const char *rest)
{
    const struct table *table = p->table;
    char sentence[512];
    uint64_t want = 20;
    size_t seen = 0;

    if (*rest != '\0' && !number_read(rest, SIZE_MAX, &want)) {
        printf(_("log: expected a number.\n"));
        return;
    }
    for (size_t i = 0; i < table->event_count; i++)
        seen += game_ui_tells(p->game_ui, table, &table->events[i], p->seat);
    for (size_t i = 0; i < table->event_count; i++) {
        if (!game_ui_tells(p->game_ui, table, &table->events[i], p->seat))
            continue;
        if (seen-- > want)
            continue;
        layout_sentence(table, &table->events[i], sentence, sizeof(sentence));
        tell(p, sentence);
    }
    plain_flush(p);
}

static void try_move(struct plain *p, const char *text)
{
    static struct rules_events events;
    struct rules_score before, after;
    struct rules_move move;
    char why[512];

    int refusal = move_read(p->table, text, &move, why, sizeof(why));
    if (refusal != RULES_OK) {
        printf("%s\n", why);
        return;
    }
    (void)plain_view(p);
    rules_score(p->table->rules, &p->view.state, &before);
    refusal = rules_apply(p->table->rules, &p->view.state, p->seat, &move,
                          &events);
    if (refusal != RULES_OK) {
        printf("%s (%s)\n", layout_reason(p->table->rules, refusal),
               rules_reason(p->table->rules, refusal));
        return;
    }
    rules_score(p->table->rules, &p->view.state, &after);
    plain_events(p, events.at, events.count);
    plain_flush(p);
    for (int seat = 0; seat < p->table->seats; seat++)
        if (after.total[seat] != before.total[seat])
            printf(_("Points of %s: %d, now %d.\n"), p->table->names[seat],
                   after.total[seat], before.total[seat]);
    printf(_("(Nothing is done yet.)\n"));
}

size_t plain_word(const char *line, const char **rest)
{
    size_t len = strcspn(line, " \t");
    *rest = line + len + strspn(line + len, " \t");
    return len;
}

/* One of these takes a stream, a table and a view. */
static void show(struct plain *p,
                 void (*part)(FILE *to, const struct table *table,
                              const struct rules_state *view))
{
    (part != NULL ? part : game_ui_fields)(stdout, p->table, plain_view(p));
}

bool plain_answer(struct plain *p, const char *line)
{
    const char *rest;
    size_t len = plain_word(line, &rest);
    struct rules_score score;

#define IS(word) (len == sizeof(word) - 1 && memcmp(line, word, len) == 0)
    if (IS("help") || IS("?")) {
        help(p);
    } else if (IS("legal") || IS("moves")) {
        legal(p, rest);
    } else if (IS("try")) {
        try_move(p, rest);
    } else if (IS("board")) {
        show(p, p->game_ui->board);
    } else if (IS("hand")) {
        show(p, p->game_ui->hand);
    } else if (IS("state")) {
        show(p, game_ui_fields);
    } else if (IS("score")) {
        table_points(p->table, &p->table->any.state, &score);
        printf(_("If it were scored now:\n"));
        layout_scores(stdout, p->table, &score, LAYOUT_WIDE);
    } else if (IS("log")) {
        print_log(p, rest);
    } else if (IS("quit") || IS("exit")) {
        p->quit = true;
    } else {
        return false;
    }
#undef IS
    return true;
}

void plain_strip(char *line)
{
    size_t len = strlen(line);
    while (len > 0 && isspace((unsigned char)line[len - 1]))
        line[--len] = '\0';
    size_t skip = strspn(line, " \t");
    memmove(line, line + skip, len - (skip < len ? skip : len) + 1);
}
