#include "layout.h"

#include <langinfo.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "clients/common/lang.h"
#include "clients/common/output.h"
#include "core/entries.h"
#include "core/base.h"
#include "core/says.h"
#include "core/text.h"
#include "core/utf8.h"
#include "protocol/sbuf_printf.h"

bool layout_unicode(void)
{
    return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

size_t layout_line(const char *text, int width)
{
    size_t n = 0, space = 0;
    int column = 0;

    while (text[n] != '\0' && text[n] != '\n') {
        uint32_t code = 0;
        size_t len = utf8_read(text + n, strnlen(text + n, 4), &code);
        int w = len > 0 ? wcwidth((wchar_t)code) : 1;
        column += w < 0 ? 1 : w;
        if (column > width && n > 0)
            return space > n / 2 ? space : n;
        n += len > 0 ? len : 1;
        if (text[n] == ' ')
            space = n;
    }
    return n;
}

int layout_lines(const char *text, int width)
{
    int lines = 0;

    for (; *text != '\0'; lines++) {
        text += layout_line(text, width);
        text += *text == ' ' || *text == '\n';
    }
    return lines;
}

void layout_paragraph(FILE *to, const char *indent, const char *text,
                      int width)
{
    while (*text != '\0') {
        size_t n = layout_line(text, width - output_width(indent));
        (void)fprintf(to, "%s%.*s\n", indent, (int)n, text);
        text += n;
        text += *text == ' ' || *text == '\n';
    }
}

/* ---- what games say ----------------------------------------------------- */

const struct says *layout_says(const struct rules *r)
{
    return says_find(r, lang_chosen());
}

const char *layout_reason(const struct rules *r, int refusal)
{
    return says_reason(r, layout_says(r), refusal);
}

const char *layout_word(const struct rules *r, const char *kind, int value,
                        const char *typed)
{
    const char *text = says_word(r, layout_says(r), kind, value);
    return text != NULL ? text : typed;
}

void layout_names(const struct table *table, unsigned seats, char *buf,
                  size_t cap)
{
    struct sbuf s = sbuf_in(buf, cap);

    for (int seat = 0; seat < table->seats; seat++) {
        if (!(seats & RULES_BIT(seat)))
            continue;
        seats &= ~(unsigned)RULES_BIT(seat);
        sbuf_printf(&s, "%s%s",
                    s.len == 0   ? ""
                    : seats == 0 ? _(" and ")
                                 : ", ",
                    table->names[seat]);
    }
}

/* ---- events ------------------------------------------------------------ */

/* Who is for or against what; nobody's voice is that of silence. */
static void vote_event(const struct table *table,
                       const struct rules_event *event, char *buf, size_t cap)
{
    static const char *const votes[VOTES][2] = {
        [VOTE_CANCEL] = {N_("%s is against ending the game."),
                         N_("%s is for ending the game.")},
        [VOTE_PAUSE] = {N_("%s is against a pause."),
                        N_("%s is for a pause.")},
        [VOTE_GIVE] = {N_("%s is against more time for %s."),
                       N_("%s is for more time for %s.")},
        [VOTE_REPLACE] = {N_("%s is against somebody else in the seat of %s."),
                          N_("%s is for somebody else in the seat of %s.")},
        [VOTE_BACK] = {N_("%s is against taking the last move back."),
                       N_("%s is for taking the last move back.")},
        [VOTE_RESUME] = {N_("%s is against ending the pause."),
                         N_("%s is for ending the pause.")},
    };
    bool someone = event->seat < RULES_SEATS_MAX;
    int about = event->arg[0], to = event->arg[2];

    (void)snprintf(buf, cap,
                   _(about >= 0 && about < VOTES
                         ? votes[about][event->arg[1] == 1]
                         : N_("%s votes.")),
                   someone ? table->names[event->seat] : _("Silence"),
                   to >= 0 && to < table->seats ? table->names[to] : "?");
}

/* What happened to the table itself. */
static void table_event(const struct table *table,
                        const struct rules_event *event, char *buf, size_t cap)
{
    static const char *const says[] = {
        [EVENT_JOINED - EVENTS_OF_TABLE] = N_("%s sits down."),
        [EVENT_LEFT - EVENTS_OF_TABLE] = N_("%s leaves the table."),
        [EVENT_NONCE -
            EVENTS_OF_TABLE] = N_("%s gives a number to the draws."),
        [EVENT_STARTED - EVENTS_OF_TABLE] = N_("The game begins."),
        [EVENT_UNDONE - EVENTS_OF_TABLE] = N_("%s takes back the last move."),
        [EVENT_RESIGNED - EVENTS_OF_TABLE] = N_("%s gives up."),
        [EVENT_ABANDONED - EVENTS_OF_TABLE] = N_("The game is abandoned."),
        [EVENT_RENAMED - EVENTS_OF_TABLE] = N_("%s has a new name."),
        [EVENT_RESTORED -
            EVENTS_OF_TABLE] = N_("The server was restored from a backup."),
        [EVENT_REWOUND -
            EVENTS_OF_TABLE] = N_("The administrator takes moves back."),
        [EVENT_REPLACED - EVENTS_OF_TABLE] = N_("%s takes over a seat."),
        [EVENT_MADE -
            EVENTS_OF_TABLE] = N_("The default move is made for %s."),
        [EVENT_ABSENT - EVENTS_OF_TABLE] = N_("%s is away."),
        [EVENT_BACK - EVENTS_OF_TABLE] = N_("%s is back."),
        [EVENT_GIVEN - EVENTS_OF_TABLE] = N_("%s is given more time."),
        [EVENT_PAUSED - EVENTS_OF_TABLE] = N_("The game is paused."),
        [EVENT_RESUMED - EVENTS_OF_TABLE] = N_("The pause is over."),
        [EVENT_OTHER -
            EVENTS_OF_TABLE] = N_("Something happened at the table."),
    };
    static const char *const missed[MISS_THENS] = {
        [MISS_EXCUSED] = N_("%s's time is up; this time it is excused."),
        [MISS_MILD] = N_("%s's time is up: default moves end the turn."),
        [MISS_BOT] = N_("%s's time is up: a bot plays on."),
        [MISS_OPEN] = N_("%s's time is up: the seat is offered to others."),
        [MISS_OUT] = N_("%s's time is up, which is giving up here."),
        [MISS_END] = N_("%s's time is up, and that ends the game."),
    };
    bool someone = event->seat < RULES_SEATS_MAX;
    int then = event->arg[0];

    if (event->kind == EVENT_VOTED) {
        vote_event(table, event, buf, cap);
        return;
    }
    const char *text = event->kind != EVENT_MISSED
                           ? says[event->kind - EVENTS_OF_TABLE]
                       : then >= 0 && then < MISS_THENS ? missed[then]
                                                        : missed[MISS_EXCUSED];

    (void)snprintf(buf, cap, _(text),
                   someone ? table->names[event->seat] : _("Somebody"));
}

void layout_sentence(const struct table *table,
                     const struct rules_event *event, char *buf, size_t cap)
{
    const char *names[RULES_SEATS_MAX];
    const struct says *says = layout_says(table->rules);
    struct sbuf s = sbuf_in(buf, cap);
    char words[RULES_TEXT_MAX];

    if (event->kind >= EVENTS_OF_TABLE) {
        table_event(table, event, buf, cap);
        return;
    }
    for (int seat = 0; seat < RULES_SEATS_MAX; seat++)
        names[seat] = table->names[seat];
    if (says != NULL && says_event(table->rules, says, &table->any.state,
                                   event, names, buf, cap) > 0) {
        /* A square may begin a sentence, and is small. */
        bool named = event->seat < RULES_SEATS_MAX &&
                     strncmp(buf, names[event->seat],
                             strlen(names[event->seat])) == 0;
        if (!named && buf[0] >= 'a' && buf[0] <= 'z')
            buf[0] = (char)(buf[0] - 'a' + 'A');
        return;
    }
    (void)text_event(table->rules, &table->any.state, event, words,
                     sizeof(words));
    if (event->seat < RULES_SEATS_MAX)
        sbuf_printf(&s, "%s: ", names[event->seat]);
    sbuf_puts(&s, words);
}

/* ---- scores ------------------------------------------------------------ */

void layout_padded(FILE *to, const char *text, int width)
{
    int n = output_width(text);
    (void)fputs(text, to);
    for (; n < width; n++)
        (void)fputc(' ', to);
}

/* N in so many columns as HEAD takes, and two before. */
static void put_under(FILE *to, const char *head, const char *sign, int n)
{
    char text[16];
    int width = snprintf(text, sizeof(text), "%d%s", n, sign);

    int pad = output_width(head) - width;

    (void)fprintf(to, "  %*s%s", pad > 0 ? pad : 0, "", text);
}

static void put_head(FILE *to, const struct table *table, unsigned parts,
                     int width)
{
    const struct rules *r = table->rules;

    layout_padded(to, "", width);
    for (int p = 0; p < RULES_PARTS_MAX && r->parts[p].name != NULL; p++)
        if (parts & (1u << p))
            (void)fprintf(to, "  %s", says_head(r, layout_says(r), p));
    (void)fprintf(to, "  %s", _("total"));
    if (rules_over(&table->any.state))
        (void)fprintf(to, "  %s", _("place"));
    (void)fputc('\n', to);
}

/* The columns of the table that layout_scores() writes, behind NAMES of them. */
static int scores_width(const struct table *table, unsigned parts, int names)
{
    const struct rules *r = table->rules;
    int width = names + 2 + output_width(_("total"));

    for (int p = 0; p < RULES_PARTS_MAX && r->parts[p].name != NULL; p++)
        if (parts & (1u << p))
            width += 2 + output_width(says_head(r, layout_says(r), p));
    return rules_over(&table->any.state) ? width + 2 + output_width(_("place"))
                                         : width;
}

/* "Ana: total 17, place 1 (markets 1, land 6)", for each player. */
static void put_scores(FILE *to, const struct table *table,
                       const struct rules_score *score)
{
    const struct rules *r = table->rules;

    for (int seat = 0; seat < table->seats; seat++) {
        const char *before = " (";
        (void)fprintf(to, "%s: %s %d", table->names[seat], _("total"),
                      score->total[seat]);
        if (rules_over(&table->any.state))
            (void)fprintf(to, ", %s %d", _("place"), score->place[seat]);
        for (int p = 0; p < RULES_PARTS_MAX && r->parts[p].name != NULL; p++) {
            if (!(score->parts & (1u << p)))
                continue;
            (void)fprintf(to, "%s%s %d", before,
                          says_head(r, layout_says(r), p),
                          score->part[p][seat]);
            before = ", ";
        }
        (void)fprintf(to, "%s\n", before[0] == ',' ? ")" : "");
    }
}

void layout_scores(FILE *to, const struct table *table,
                   const struct rules_score *score, int most)
{
    const struct rules *r = table->rules;
    int seats = table->seats, width = 6;

    for (int seat = 0; seat < seats; seat++)
        if (output_width(table->names[seat]) > width)
            width = output_width(table->names[seat]);
    if (scores_width(table, score->parts, width) > most) {
        put_scores(to, table, score);
        return;
    }
    put_head(to, table, score->parts, width);
    for (int seat = 0; seat < seats; seat++) {
        layout_padded(to, table->names[seat], width);
        for (int p = 0; p < RULES_PARTS_MAX && r->parts[p].name != NULL; p++)
            if (score->parts & (1u << p))
                put_under(to, says_head(r, layout_says(r), p), "",
                          score->part[p][seat]);
        put_under(to, _("total"), "", score->total[seat]);
        if (rules_over(&table->any.state))
            put_under(to, _("place"), ".", score->place[seat]);
        (void)fputc('\n', to);
    }
}

void layout_result(FILE *to, const struct table *table, int most)
{
    struct rules_score score;
    unsigned winners = 0;
    char names[RULES_SEATS_MAX * 40];

    table_points(table, &table->any.state, &score);
    for (int seat = 0; seat < table->seats; seat++)
        if (score.place[seat] == 1)
            winners |= RULES_BIT(seat);
    layout_names(table, winners, names, sizeof(names));
    if (winners == RULES_BIT(table->seats) - 1u)
        (void)fputs(_("The game is over: a draw.\n"), to);
    else if ((winners & (winners - 1)) == 0)
        (void)fprintf(to, _("The game is over: %s has won.\n"), names);
    else
        (void)fprintf(to, _("The game is over. It is won together by %s.\n"),
                      names);
    layout_scores(to, table, &score, most);
}
