#include "screen.h"

#include <stdlib.h>
#include <string.h>

#include "clients/common/lang.h"
#include "clients/common/output.h"
#include "core/base.h"
#include "core/says.h"
#include "protocol/sbuf_printf.h"

#define LOG_LINES 500

/* ---- the log ------------------------------------------------------------ */

struct log_line {
    char text[240];
    bool fresh; /* since the seat at the keyboard last moved */
};

/* The last lines of the log, at most CAP, oldest first. */
static size_t log_lines(const struct ui *ui, struct log_line *lines,
                        size_t cap)
{
    const struct table *table = ui->table;
    char sentence[200];
    size_t count = 0, first = table->event_count, found = 0;
    int times = 1;

    while (first > 0 && found < 2 * cap)
        found += game_ui_tells(ui->game_ui, table, &table->events[--first],
                               ui->seat);
    for (size_t i = first; i < table->event_count; i++) {
        if (!game_ui_tells(ui->game_ui, table, &table->events[i], ui->seat))
            continue;
        layout_sentence(table, &table->events[i], sentence, sizeof(sentence));
        size_t len = strlen(sentence);
        if (count > 0 && strncmp(lines[count - 1].text, sentence, len) == 0 &&
            (lines[count - 1].text[len] == '\0' ||
             strncmp(lines[count - 1].text + len, " (", 2) == 0)) {
            (void)snprintf(lines[count - 1].text, sizeof(lines->text),
                           _("%s (%d times)"), sentence, ++times);
            continue;
        }
        times = 1;
        if (count == cap) {
            memmove(lines, lines + 1, (cap - 1) * sizeof(*lines));
            count--;
        }
        (void)snprintf(lines[count].text, sizeof(lines->text), "%s", sentence);
        lines[count++].fresh = i >= ui->seen;
    }
    return count;
}

/* All that is new in one line, as far as it fits, the newest at its end. */
static void log_in_a_line(const struct log_line *lines, size_t count, int y,
                          int x, int width)
{
    char text[2048];
    struct sbuf s = sbuf_in(text, sizeof(text));
    size_t first = count, len = 0;

    while (first > 0 && (lines[first - 1].fresh || first == count) &&
           len + strlen(lines[first - 1].text) + 1 < (size_t)width - 4) {
        first--;
        len += strlen(lines[first].text) + 1;
    }
    if (first == count && count > 0)
        first--;
    bool more = first > 0 && lines[first - 1].fresh;
    sbuf_puts(&s, more ? "g: ... " : "");
    for (size_t i = first; i < count; i++)
        sbuf_printf(&s, "%s ", lines[i].text);
    ui_text(y, x + 1, width - 1, A_NORMAL, text, false);
}

void ui_log(const struct ui *ui, int y, int x, int height, int width)
{
    static struct log_line lines[64];

    if (height <= 0 || width < 8)
        return;
    size_t count = log_lines(ui, lines, COUNT_OF(lines));
    if (height == 1) {
        log_in_a_line(lines, count, y, x, width);
        return;
    }
    int bottom = y + height;
    for (size_t i = count; i-- > 0 && bottom > y;) {
        int rows = 0;
        for (const char *t = lines[i].text; *t != '\0'; rows++) {
            t += layout_line(t, width - 1 - (rows > 0));
            t += *t == ' ';
        }
        bottom -= rows;
        int row = bottom;
        for (const char *t = lines[i].text; *t != '\0'; row++) {
            int indent = row > bottom;
            size_t n = layout_line(t, width - 1 - indent);
            char part[256];
            (void)snprintf(part, sizeof(part), "%.*s", (int)n, t);
            if (row >= y)
                ui_text(row, x + 1 + indent, width - 1 - indent,
                        lines[i].fresh ? A_NORMAL : ui_attr(ui, STYLE_DIM),
                        part, false);
            t += n;
            t += *t == ' ';
        }
        if (lines[i].fresh && bottom >= y)
            ui_text(bottom, x, 1, ui_attr(ui, STYLE_KEY), ">", false);
    }
}

void ui_log_box(const struct ui *ui, int y, int x, int height, int width)
{
    if (height < 2)
        return;
    ui_text(y, x, width, ui_attr(ui, STYLE_BOLD), _("What happened"), false);
    ui_log(ui, y + 1, x, height - 1, width);
}

static void write_log(struct ui *ui, FILE *to)
{
    struct log_line *lines = must_alloc(LOG_LINES * sizeof(*lines));
    size_t count = log_lines(ui, lines, LOG_LINES);

    while (count-- > 0)
        (void)fprintf(to, "%s\n", lines[count].text);
    free(lines);
}

void ui_show_log(struct ui *ui)
{
    ui_page_of(ui, _("What has happened, newest first"), write_log);
}

/* ---- players ------------------------------------------------------------ */

int ui_players(const struct ui *ui, int y, int x, int height, int width,
               const struct ui_column *columns, int count,
               const char *(*behind)(const struct ui *ui, int seat))
{
    int seats = ui->view.state.seats, names = width, row = y;
    char text[80];

    for (int i = 0; i < count; i++)
        names -= columns[i].width;
    if (height > seats) {
        ui_text(row, x, names, ui_attr(ui, STYLE_BOLD), _("Players"), false);
        for (int i = 0, at = x + names; i < count; at += columns[i++].width) {
            int pad = columns[i].width - output_width(_(columns[i].head));
            ui_text(row, at + (pad > 0 ? pad : 0), columns[i].width,
                    ui_attr(ui, STYLE_BOLD), _(columns[i].head), false);
        }
        row++;
    }
    for (int seat = 0; seat < seats && row < y + height; seat++, row++) {
        bool waited = (ui->view.state.acting & RULES_BIT(seat)) != 0;
        (void)snprintf(text, sizeof(text), "%c%d %s%s", waited ? '>' : ' ',
                       seat, ui->table->names[seat],
                       behind != NULL ? behind(ui, seat) : "");
        ui_text(row, x, names, ui_attr(ui, STYLE_SEAT + seat), text, true);
        for (int i = 0, at = x + names; i < count; at += columns[i++].width) {
            columns[i].say(ui, seat, text, sizeof(text));
            ui_print(row, at, columns[i].width, A_NORMAL, "%*s",
                     columns[i].width, text);
        }
    }
    return row - y;
}

/* ---- scores ------------------------------------------------------------- */

/* Only what all that comes to, a line for each player. */
static int scores_brief(const struct ui *ui, int y, int x, int height,
                        int width)
{
    int seats = ui->view.state.seats;

    if (height <= seats)
        return 0;
    ui_text(y, x, width, ui_attr(ui, STYLE_BOLD), _("Scored now"), false);
    for (int seat = 0; seat < seats; seat++) {
        ui_text(y + 1 + seat, x + 1, width - 8, A_NORMAL,
                ui->table->names[seat], false);
        ui_print(y + 1 + seat, x + width - 7, 7, A_NORMAL, " %5d",
                 ui->score.total[seat]);
    }
    return 1 + seats;
}

int ui_scores(const struct ui *ui, int y, int x, int height, int width)
{
    const struct rules *r = ui->table->rules;
    int seats = ui->table->seats, column = 6;
    int names = width - column * seats, row = y;
    bool over = rules_over(&ui->view.state);

    if (height < 3 || names < 8)
        return scores_brief(ui, y, x, height, width);
    for (int seat = 0; seat < seats; seat++)
        ui_text(row, x + names + column * seat + 1, column - 1,
                ui_attr(ui, STYLE_SEAT + seat), ui->table->names[seat], true);
    ui_text(row++, x, names, ui_attr(ui, STYLE_BOLD),
            over ? _("Result") : _("Scored now"), false);
    for (int p = 0; p < RULES_PARTS_MAX && r->parts[p].name != NULL; p++) {
        if (!(ui->score.parts & (1u << p)))
            continue;
        if (row >= y + height - 1)
            break;
        ui_text(row, x + 1, names - 1, A_NORMAL,
                says_part(r, layout_says(r), p), false);
        for (int seat = 0; seat < seats; seat++)
            ui_print(row, x + names + column * seat, column, A_NORMAL, "%*d",
                     column - 1, ui->score.part[p][seat]);
        row++;
    }
    ui_text(row, x + 1, names - 1, ui_attr(ui, STYLE_BOLD), _("Total"), false);
    for (int seat = 0; seat < seats; seat++)
        ui_print(row, x + names + column * seat, column,
                 ui_attr(ui, STYLE_BOLD), "%*d", column - 1,
                 ui->score.total[seat]);
    row++;
    if (over && row < y + height) {
        ui_text(row, x + 1, names - 1, ui_attr(ui, STYLE_BOLD), _("Place"),
                false);
        for (int seat = 0; seat < seats; seat++)
            ui_print(row, x + names + column * seat, column,
                     ui_attr(ui, STYLE_BOLD), "%*d.", column - 2,
                     ui->score.place[seat]);
        row++;
    }
    return row - y;
}

static void write_scores(struct ui *ui, FILE *to)
{
    if (rules_over(&ui->view.state)) {
        layout_result(to, ui->table, ui_page_width());
        return;
    }
    (void)fprintf(to, "%s\n\n", _("If it were scored now:"));
    layout_scores(to, ui->table, &ui->score, ui_page_width());
}

void ui_show_scores(struct ui *ui)
{
    ui_page_of(ui, _("Points"), write_scores);
}
