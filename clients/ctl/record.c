/* record.c -- sobremesactl tables export, tables import: records out and in,
 * line by line; none is ever whole in memory. */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "clients/common/input.h"
#include "clients/common/output.h"
#include "core/base.h"
#include "ctl.h"

bool record_lines(struct ctl *c, const char *table, json_t **ret_error,
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

/* ---- export ----------------------------------------------------------- */

static bool print_line(const char *line, size_t len, void *context)
{
    (void)context;
    for (size_t i = 0; i < len; i++) /* a line stays one */
        (void)fputc(line[i] == '\n' ? ' ' : line[i], stdout);
    (void)fputc('\n', stdout);
    return !ferror(stdout);
}

int export_command(struct ctl *c)
{
    json_t *error = NULL;

    output_json(true);
    if (!dial(c))
        return STATUS_FAILED;
    if (record_lines(c, given(c, "table"), &error, NULL, print_line))
        return STATUS_DONE;
    return complain_error(error);
}

/* ---- import ----------------------------------------------------------- */

#define PIECE_BYTES      24000 /* of a message, which may have 65 536 */
#define RECORD_LINE_SIZE 65537 /* so no line of a record has more */

/* Into an import request as many lines as fit; INPUT_END if these were the last,
 * or what is wrong with one. */
static enum input put_lines(struct json_out *o, FILE *file)
{
    static char line[RECORD_LINE_SIZE];
    enum input read = INPUT_LINE;
    size_t len;

    out_list(o, "lines");
    while (read == INPUT_LINE && o->len < PIECE_BYTES) {
        read = input_line(file, line, sizeof(line), &len);
        if (read == INPUT_LINE && len > 0)
            out_string_n(o, NULL, line, len);
    }
    out_end(o);
    return read;
}

/* Sends all of FILE; the id of the table, or NULL. */
static json_t *send_record(struct ctl *c, FILE *file)
{
    json_t *error, *result = NULL;
    enum input read = INPUT_LINE;

    for (bool first = true; read == INPUT_LINE; first = false) {
        struct json_out *o = call_begin(c, "admin.import");
        read = put_lines(o, file);
        out_bool(o, "first", first);
        out_bool(o, "last", read == INPUT_END);
        json_decref(result);
        result = NULL;
        if (read == INPUT_LONG || read == INPUT_NUL) {
            (void)complain(read == INPUT_LONG
                               ? "a line of it is too long for a record"
                               : "a line of it has a byte 0: it is no record");
            break;
        }
        result = call_end(c, &error);
        if (result == NULL) {
            (void)complain_error(error);
            break;
        }
    }
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
