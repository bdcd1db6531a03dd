#include "ledger.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"

/* LINE with MEMBER put in as its last one. */
static bool read_with(struct ledger_page *page, const char *line, size_t len,
                      const char *member, struct record_fault *fault)
{
    char *text = NULL;

    ASSERT(len > 2 && line[len - 1] == '}');
    int n = asprintf(&text, "%.*s,%s}", (int)(len - 1), line, member);
    ASSERT(n > 0);
    bool good = record_line(page->record, text, (size_t)n, fault);
    free(text);
    return good;
}

/* Says so if LINE takes something back. */
static void look_ahead(struct ledger *l, const struct ledger_page *page,
                       const char *line)
{
    if (l->back == NULL || (strstr(line, "\"kind\":\"undo\"") == NULL &&
                            strstr(line, "\"kind\":\"rewind\"") == NULL))
        return;
    json_t *told = json_loads(line, 0, NULL);
    l->back(l->arg, (size_t)(page - l->pages),
            json_integer_value(json_object_get(told, "at")));
    json_decref(told);
}

static bool read_page(struct ledger *l, struct ledger_page *page,
                      const struct disk_table *t)
{
    char member[80], hex[2 * SHA256_SIZE + 1] = "";
    bool good = true;

    if (page->closed)
        return page->plies == t->ply_count;
    if (page->record == NULL) {
        page->record = record_new();
        /* Who sat there is compared where there is a whole record. */
        good = read_with(page, t->row.header, strlen(t->row.header),
                         "\"players\":[]", &l->fault);
    }
    if (page->plies == t->ply_count)
        return good;
    for (; good && page->plies < t->ply_count; page->plies++) {
        const struct ply_row *row = &t->plies[page->plies];
        look_ahead(l, page, row->line);
        hex_write(hex, row->chain, SHA256_SIZE);
        snprintf(member, sizeof(member), "\"chain\":\"%s\"", hex);
        good = read_with(page, row->line, row->len, member, &l->fault);
        int64_t at = good ? json_integer_value(
                                json_object_get(page->record->line, "at"))
                          : page->at;
        if (at < page->at) {
            snprintf(l->fault.why, sizeof(l->fault.why),
                     "time runs backwards");
            good = false;
        }
        page->at = at;
        l->plies++;
    }
    const char *wrong = good ? audit_end(&page->record->audit) : NULL;
    if (wrong != NULL)
        snprintf(l->fault.why, sizeof(l->fault.why), "%s", wrong);
    return good && wrong == NULL;
}

bool ledger_read(struct ledger *l, const struct disk *d)
{
    if (l->count < d->table_count) {
        l->pages = realloc(l->pages, d->table_count * sizeof(*l->pages));
        ASSERT(l->pages != NULL);
        while (l->count < d->table_count)
            l->pages[l->count++] = (struct ledger_page){0};
    }
    for (size_t i = 0; i < l->count; i++) {
        ASSERT(l->pages[i].plies <= d->tables[i]->ply_count);
        if (!read_page(l, &l->pages[i], d->tables[i]))
            return false;
    }
    return true;
}

void ledger_close(struct ledger *l, size_t i)
{
    record_free(l->pages[i].record);
    l->pages[i].record = NULL;
    l->pages[i].closed = true;
}

void ledger_done(struct ledger *l)
{
    for (size_t i = 0; i < l->count; i++)
        record_free(l->pages[i].record);
    free(l->pages);
    *l = (struct ledger){0};
}
