/* record.c -- sobremesactl verify, tables export, tables import.
 *
 * Checking is done here, line by line as the server tells them, not in the
 * server: it goes on with its work, and no record is ever whole in memory. */

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "ctl.h"
#include "protocol/record.h"

/* Called with each line; false stops. */
typedef bool (*line_cb)(const char *line, size_t len, void *context);

/* All lines of TABLE's record to CB.  False if the server refused, with the
 * reason in *RET_ERROR, or CB stopped. */
static bool each_line(struct ctl *c, const char *table, json_t **ret_error,
                      void *context, line_cb cb)
{
    int64_t from = 0;

    for (;;) {
        struct json_out *o = call_begin(c, "admin.export");
        out_string(o, "table", table);
        out_int(o, "from", from);
        json_t *page = call_end(c, ret_error);
        if (page == NULL)
            return false;
        const json_t *lines = json_object_get(page, "lines");
        const json_t *next = json_object_get(page, "next");
        bool on = true;
        for (size_t i = 0; on && i < json_array_size(lines); i++) {
            const json_t *line = json_array_get(lines, i);
            on = cb(json_string_value(line), json_string_length(line),
                    context);
        }
        bool more = json_is_integer(next);
        from = json_integer_value(next);
        json_decref(page);
        if (!on || !more)
            return on;
    }
}

/* ---- verify ----------------------------------------------------------- */

struct verdict {
    struct record *record;
    struct record_fault fault;
    bool good;
};

static bool check_line(const char *line, size_t len, void *context)
{
    struct verdict *v = context;
    v->good = record_line(v->record, line, len, &v->fault);
    return v->good;
}

/* What has been found so far. */
struct findings {
    struct ctl *c;
    uint64_t checked, wrong;
    struct json_out list; /* of those that are wrong */
};

static void note(struct findings *f, const char *table, const char *text)
{
    f->wrong++;
    out_object(&f->list, NULL);
    out_string(&f->list, "table", table);
    out_string(&f->list, "why", text);
    out_end(&f->list);
    if (!f->c->json)
        (void)printf("%s: %s\n", table, text);
}

/* Checks TABLE; false if the connection is gone. */
static bool check(struct findings *f, const char *table)
{
    struct verdict v = {.record = record_new(), .good = true};
    char text[sizeof(v.fault.why) + 64];
    json_t *error;

    bool whole = each_line(f->c, table, &error, &v, check_line);
    if (whole)
        v.good = record_end(v.record, &v.fault);
    record_free(v.record);
    if (!whole && v.good) {
        const char *reason = json_string_value(
            json_object_get(error, "reason"));
        if (reason != NULL) {
            f->checked++;
            note(f, table, reason);
        }
        json_decref(error);
        return reason != NULL;
    }
    f->checked++;
    if (!v.good) {
        record_fault_text(&v.fault, text, sizeof(text));
        note(f, table, text);
    }
    return true;
}

/* Checks every table there is. */
static bool check_all(struct findings *f)
{
    char after[64] = "";
    json_t *error;

    for (;;) {
        struct json_out *o = call_begin(f->c, "admin.tables");
        if (after[0] != '\0')
            out_string(o, "after", after);
        json_t *page = call_end(f->c, &error);
        if (page == NULL) {
            (void)complain_error(error);
            return false;
        }
        const json_t *tables = json_object_get(page, "tables");
        const char *next = json_string_value(json_object_get(page, "next"));
        bool on = true;
        for (size_t i = 0; on && i < json_array_size(tables); i++) {
            const json_t *id = json_object_get(json_array_get(tables, i),
                                               "table");
            on = json_is_string(id) && check(f, json_string_value(id));
        }
        (void)snprintf(after, sizeof(after), "%s", next != NULL ? next : "");
        json_decref(page);
        if (!on || after[0] == '\0')
            return on;
    }
}

static void tell(struct findings *f)
{
    struct json_out o;

    if (!f->c->json) {
        if (f->wrong == 0)
            (void)printf("ok: %" PRIu64 " table%s\n", f->checked,
                         f->checked == 1 ? "" : "s");
        else
            (void)printf("%" PRIu64 " of %" PRIu64 " tables are wrong\n",
                         f->wrong, f->checked);
        return;
    }
    json_out_init(&o);
    out_object(&o, NULL);
    out_bool(&o, "ok", f->wrong == 0);
    out_int(&o, "checked", (int64_t)f->checked);
    out_raw(&o, "wrong", json_out_text(&f->list), f->list.len);
    out_end(&o);
    (void)puts(json_out_text(&o));
    json_out_done(&o);
}

int verify_command(struct ctl *c)
{
    const json_t *tables = json_object_get(c->given, "tables");
    struct findings f = {.c = c};
    bool all = chosen(c, "all"), whole = true;

    if (all == (json_array_size(tables) > 0))
        return misused(c, "which TABLEs, or --all?");
    if (!dial(c))
        return STATUS_FAILED;
    json_out_init(&f.list);
    out_list(&f.list, NULL);
    if (all)
        whole = check_all(&f);
    for (size_t i = 0; i < json_array_size(tables) && whole; i++)
        whole = check(&f, json_string_value(json_array_get(tables, i)));
    out_end(&f.list);
    if (whole)
        tell(&f);
    json_out_done(&f.list);
    return whole && f.wrong == 0 ? STATUS_DONE : STATUS_FAILED;
}

/* ---- export ----------------------------------------------------------- */

static bool print_line(const char *line, size_t len, void *context)
{
    (void)context;
    (void)fwrite(line, 1, len, stdout);
    (void)fputc('\n', stdout);
    return !ferror(stdout);
}

int export_command(struct ctl *c)
{
    json_t *error = NULL;

    if (!dial(c))
        return STATUS_FAILED;
    if (each_line(c, given(c, "table"), &error, NULL, print_line))
        return STATUS_DONE;
    return complain_error(error);
}

/* ---- import ----------------------------------------------------------- */

#define PIECE_BYTES 24000 /* of a message, which may have 65 536 */

/* Into an import request as many lines as fit; false if these were the last.
 */
static bool put_lines(struct json_out *o, FILE *file, char **line, size_t *cap)
{
    bool more = true;

    out_list(o, "lines");
    while (more && o->len < PIECE_BYTES) {
        ssize_t n = getline(line, cap, file);
        more = n > 0;
        if (more && (*line)[n - 1] == '\n')
            n--;
        if (n > 0)
            out_string_n(o, NULL, *line, (size_t)n);
    }
    out_end(o);
    return more;
}

/* Sends all of FILE; the id of the table, or NULL. */
static json_t *send_record(struct ctl *c, FILE *file)
{
    json_t *error, *result = NULL;
    char *line = NULL;
    size_t cap = 0;
    bool more = true;

    for (bool first = true; more; first = false) {
        struct json_out *o = call_begin(c, "admin.import");
        more = put_lines(o, file, &line, &cap);
        out_bool(o, "first", first);
        out_bool(o, "last", !more);
        json_decref(result);
        result = call_end(c, &error);
        if (result == NULL) {
            (void)complain_error(error);
            break;
        }
    }
    free(line);
    return result;
}

int import_command(struct ctl *c)
{
    const char *path = given(c, "file");

    bool standard = strcmp(path, "-") == 0;
    FILE *file = standard ? stdin : fopen(path, "re");
    if (file == NULL)
        return complain("%s: %s", path, strerror(errno));
    json_t *result = dial(c) ? send_record(c, file) : NULL;
    if (!standard)
        (void)fclose(file);
    const char *table = json_string_value(json_object_get(result, "table"));
    if (table != NULL) {
        if (c->json)
            (void)printf("{\"table\":\"%s\"}\n", table);
        else
            (void)puts(table);
    }
    int status = table != NULL ? STATUS_DONE : STATUS_FAILED;
    json_decref(result);
    return status;
}
