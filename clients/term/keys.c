#include "keys.h"

#include <string.h>

#include "clients/common/lang.h"
#include "clients/common/output.h"
#include "layout.h"
#include "protocol/sbuf_printf.h"

#define SHOWN_WIDTH 16 /* columns of the names of keys, in the help */

static bool is_end(const struct ui_key *k)
{
    return k->shown == NULL && k->says == NULL && k->act == NULL;
}

static bool has(const struct ui_key *k, int key)
{
    return (k->other != 0 && k->other == key) ||
           (k->letters != NULL && key > 0 && key < 128 &&
            strchr(k->letters, key) != NULL);
}

static bool is_possible(const struct ui *ui, const struct ui_key *k)
{
    return k->possible == NULL || k->possible(ui);
}

bool keys_act(struct ui *ui, const struct ui_key *table, int key)
{
    const struct ui_key *found = NULL;

    for (const struct ui_key *k = table; k != NULL && !is_end(k); k++) {
        if (k->act == NULL || !has(k, key))
            continue;
        bool possible = is_possible(ui, k);
        if (possible || found == NULL)
            found = k;
        if (possible)
            break;
    }
    if (found == NULL)
        return false;
    found->act(ui, found->argument == KEY_ITSELF ? key : found->argument);
    return true;
}

void keys_brief(const struct ui *ui, const struct ui_key *table, char *line,
                size_t cap)
{
    size_t len = strlen(line);
    struct sbuf s = sbuf_in(line + len, cap - len);

    for (const struct ui_key *k = table; k != NULL && !is_end(k); k++) {
        if (k->brief == NULL || !is_possible(ui, k))
            continue;
        const char *shown = _(k->shown);
        sbuf_printf(&s, "   %.*s %s", (int)strcspn(shown, ","), shown,
                    _(k->brief));
    }
}

/* TEXT in lines, the second and further ones behind INDENT spaces; the first
 * stands where the line is at. */
static void put_text(FILE *to, const char *text, int indent, int width)
{
    for (bool first = true; *text != '\0'; first = false) {
        size_t n = layout_line(text, width - indent);
        (void)fprintf(to, "%*s%.*s\n", first ? 0 : indent, "", (int)n, text);
        text += n;
        text += *text == ' ' || *text == '\n';
    }
}

void keys_help(FILE *to, const struct ui_key *table, int width)
{
    for (const struct ui_key *k = table; k != NULL && !is_end(k); k++) {
        if (k->says == NULL)
            continue;
        if (k->shown == NULL) {
            put_text(to, _(k->says), 0, width);
            continue;
        }
        const char *shown = _(k->shown);
        int pad = SHOWN_WIDTH - output_width(shown);
        (void)fprintf(to, "  %s%*s", shown, pad > 0 ? pad : 0, "");
        if (pad < 1)
            (void)fprintf(to, "\n  %*s", SHOWN_WIDTH, "");
        put_text(to, _(k->says), 2 + SHOWN_WIDTH, width);
    }
}
