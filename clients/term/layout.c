#include "layout.h"

#include <langinfo.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "clients/common/output.h"
#include "core/base.h"
#include "core/text.h"
#include "protocol/sbuf_printf.h"

bool layout_unicode(void)
{
    return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

void layout_paragraph(FILE *to, const char *indent, const char *text,
                      int width)
{
    int column = 0, margin = (int)strlen(indent);

    while (*text != '\0') {
        int n = (int)strcspn(text, " ");
        if (column > 0 && column + 1 + n > width) {
            (void)fputc('\n', to);
            column = 0;
        }
        if (column == 0) {
            (void)fputs(indent, to);
            column = margin;
        } else {
            (void)fputc(' ', to);
            column++;
        }
        (void)fwrite(text, 1, (size_t)n, to);
        column += n;
        text += n;
        text += strspn(text, " ");
    }
    (void)fputc('\n', to);
}

/* ---- events ------------------------------------------------------------ */

static int argument_of(const struct rules_word *word, const char *name,
                       size_t len)
{
    for (int i = 0; i < RULES_ARGS_MAX && word->arg[i].name != NULL; i++)
        if (strlen(word->arg[i].name) == len &&
            memcmp(word->arg[i].name, name, len) == 0)
            return i;
    return -1;
}

/* What the rules' glossary says of a word of KIND, or NULL. */
static const char *explained(const struct rules *r,
                             const struct rules_kind *kind, int16_t value)
{
    const char *word = kind->form == RULES_WORD ? kind->words[value] : NULL;
    const struct rules_glossary *g = r->glossary;

    while (word != NULL && g != NULL && g->kind != NULL &&
           strcmp(g->kind, kind->name) != 0)
        g++;
    if (word == NULL || g == NULL || g->kind == NULL)
        return NULL;
    for (int i = 0; g->words[i] != NULL; i++)
        if (strcmp(g->words[i], word) == 0)
            return g->texts[i];
    return NULL;
}

/* A word of the wire as people write it: line_of_three, yellow-1-05 are "line
 * of three", "yellow 1-05". */
static void put_word(struct sbuf *s, char *word, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (word[i] == '_' || (word[i] == '-' && word[i - 1] >= 'a'))
            word[i] = ' ';
    sbuf_put(s, word, n);
}

static void put_value(struct sbuf *s, const struct table *table,
                      const struct rules_arg *arg, int16_t value)
{
    const char *text = explained(table->rules, arg->kind, value);
    char word[64];

    if (text != NULL) {
        size_t n = strlen(text);
        sbuf_put(s, text, n - (text[n - 1] == '.')); /* within a sentence */
    } else if (arg->kind->form == RULES_SEAT && value >= 0 &&
               value < RULES_SEATS_MAX) {
        sbuf_puts(s, table->names[value]);
    } else if (arg->kind->form == RULES_FLAG) {
        sbuf_puts(s, value ? "yes" : "no");
    } else if (arg->kind->form == RULES_NUMBER ||
               arg->kind->form == RULES_SEAT) {
        sbuf_int(s, value);
    } else {
        size_t n = text_word(arg->kind, &table->any.state, value, word,
                             sizeof(word));
        put_word(s, word, n);
    }
}

/* Writes the template; false if an argument of it is missing or hidden. */
static bool fill(struct sbuf *s, const struct table *table,
                 const struct rules_event *event, const char *template,
                 size_t len)
{
    const struct rules_word *word = &table->rules->events[event->kind];

    for (size_t i = 0; i < len; i++) {
        if (template[i] != '{') {
            sbuf_putc(s, template[i]);
            continue;
        }
        size_t n = 0;
        while (template[i + 1 + n] != '}')
            n++;
        bool some = n > 0 && template[i + n] == '+';
        int a = argument_of(word, &template[i + 1], n - some);
        if (a < 0 || event->arg[a] == RULES_NONE ||
            event->arg[a] == RULES_HIDDEN || (some && event->arg[a] <= 0))
            return false;
        put_value(s, table, &word->arg[a], event->arg[a]);
        i += n + 1;
    }
    return true;
}

/* What happened to the table itself. */
static void table_event(const struct table *table,
                        const struct rules_event *event, char *buf, size_t cap)
{
    static const char *const says[] = {
        [EVENT_JOINED - EVENTS_OF_TABLE] = "sits down",
        [EVENT_LEFT - EVENTS_OF_TABLE] = "leaves the table",
        [EVENT_NONCE - EVENTS_OF_TABLE] = "gives a number to the draws",
        [EVENT_STARTED - EVENTS_OF_TABLE] = "the game begins",
        [EVENT_UNDONE - EVENTS_OF_TABLE] = "takes back the last move",
        [EVENT_RESIGNED - EVENTS_OF_TABLE] = "gives up",
        [EVENT_ABANDONED - EVENTS_OF_TABLE] = "the game is abandoned",
        [EVENT_RENAMED - EVENTS_OF_TABLE] = "has a new name",
        [EVENT_RESTORED -
            EVENTS_OF_TABLE] = "the server was restored from a backup",
        [EVENT_REWOUND -
            EVENTS_OF_TABLE] = "the administrator takes moves back",
        [EVENT_REPLACED - EVENTS_OF_TABLE] = "takes over a seat",
        [EVENT_OTHER - EVENTS_OF_TABLE] = "something happened at the table",
    };
    bool someone = event->seat < RULES_SEATS_MAX &&
                   event->kind != EVENT_STARTED;

    (void)snprintf(buf, cap, "%s%s%s.",
                   someone ? table->names[event->seat] : "",
                   someone ? " " : "", says[event->kind - EVENTS_OF_TABLE]);
}

void layout_event(const struct table *table, const struct phrase_of *phrases,
                  const struct rules_event *event, char *buf, size_t cap)
{
    if (event->kind >= EVENTS_OF_TABLE) {
        table_event(table, event, buf, cap);
        return;
    }
    const char *name = table->rules->events[event->kind].name;
    const struct phrase_of *p = phrases;
    char words[RULES_TEXT_MAX];

    while (p != NULL && p->event != NULL && strcmp(p->event, name) != 0)
        p++;
    for (const char *t = p != NULL && p->event != NULL ? p->templates : "";
         *t != '\0';) {
        size_t len = strcspn(t, "|");
        struct sbuf s = sbuf_in(buf, cap);
        bool whole = t[0] == '=';
        if (!whole && event->seat < RULES_SEATS_MAX) {
            sbuf_puts(&s, table->names[event->seat]);
            sbuf_puts(&s, " ");
        }
        if (fill(&s, table, event, t + whole, len - whole))
            return;
        t += len + (t[len] == '|');
    }
    struct sbuf s = sbuf_in(buf, cap);
    if (event->seat < RULES_SEATS_MAX) {
        sbuf_puts(&s, table->names[event->seat]);
        sbuf_puts(&s, ": ");
    }
    (void)text_event(table->rules, &table->any.state, event, words,
                     sizeof(words));
    sbuf_puts(&s, words);
}

void layout_sentence(const struct table *table,
                     const struct phrase_of *phrases,
                     const struct rules_event *event, char *buf, size_t cap)
{
    layout_event(table, phrases, event, buf, cap);
    for (int seat = 0; seat < table->seats; seat++)
        if (strncmp(buf, table->names[seat], strlen(table->names[seat])) == 0)
            return;
    if (buf[0] >= 'a' && buf[0] <= 'z')
        buf[0] = (char)(buf[0] - 'a' + 'A');
}

/* ---- scores ------------------------------------------------------------ */

static void put_padded(FILE *to, const char *text, int width)
{
    int n = output_width(text);
    (void)fputs(text, to);
    for (; n < width; n++)
        (void)fputc(' ', to);
}

void layout_scores(FILE *to, const struct table *table,
                   const struct rules_score *score)
{
    const struct rules *r = table->rules;
    int seats = table->seats, width = 6;

    for (int seat = 0; seat < seats; seat++)
        if (output_width(table->names[seat]) > width)
            width = output_width(table->names[seat]);
    put_padded(to, "", width);
    for (int p = 0; p < RULES_PARTS_MAX && r->parts[p].name != NULL; p++)
        if (score->parts & (1u << p))
            (void)fprintf(to, "  %s", r->parts[p].name);
    (void)fputs("  total", to);
    if (rules_over(&table->any.state))
        (void)fputs("  place", to);
    (void)fputc('\n', to);
    for (int seat = 0; seat < seats; seat++) {
        put_padded(to, table->names[seat], width);
        for (int p = 0; p < RULES_PARTS_MAX && r->parts[p].name != NULL; p++)
            if (score->parts & (1u << p))
                (void)fprintf(to, "  %*d", (int)strlen(r->parts[p].name),
                              score->part[p][seat]);
        (void)fprintf(to, "  %5d", score->total[seat]);
        if (rules_over(&table->any.state))
            (void)fprintf(to, "  %4d.", score->place[seat]);
        (void)fputc('\n', to);
    }
}

void layout_result(FILE *to, const struct table *table)
{
    struct rules_score score;
    int winners = 0, last = -1;

    table_points(table, &table->any.state, &score);
    for (int seat = 0; seat < table->seats; seat++) {
        if (score.place[seat] == 1) {
            winners++;
            last = seat;
        }
    }
    if (winners == 1)
        (void)fprintf(to, "The game is over: %s has won.\n",
                      table->names[last]);
    else if (winners == table->seats)
        (void)fputs("The game is over: a draw.\n", to);
    else {
        (void)fputs("The game is over. It is won together by", to);
        for (int seat = 0, n = 0; seat < table->seats; seat++)
            if (score.place[seat] == 1)
                (void)fprintf(to, "%s %s",
                              n++ == 0       ? ""
                              : n == winners ? " and"
                                             : ",",
                              table->names[seat]);
        (void)fputs(".\n", to);
    }
    layout_scores(to, table, &score);
}
