/* main.c -- sobremesad. */

#include <stdio.h>
#include <stdlib.h>

#include "core/base.h"
#include "config.h"
#include "io/daemon.h"
#include "io/log.h"
#include "io/log_writer.h"
#include "protocol/files.h"
#include "replays.h"

/* A bug: say where, and let the system manager start us again.  The log
 * replays. */
_Noreturn void core_panic(const char *file, int line, const char *what)
{
    log_line(LOG_ERROR, log_event("bug"), log_text("file", file),
             log_number("line", line), log_text("text", what));
    log_writer_end();
    abort();
}

/* Says in one line of JSON what came of it. */
static int restore(const struct config *c)
{
    char kept[CONFIG_TEXT_MAX + 64] = "", why[512] = "";
    struct json_out o;

    if (store_restore(c->data, c->restore, kept, sizeof(kept), why,
                      sizeof(why)) < 0) {
        fprintf(stderr, "sobremesad: %s\n", why);
        return 1;
    }
    json_out_init(&o);
    out_object(&o, NULL);
    out_string(&o, "restored", c->restore);
    if (kept[0] != '\0')
        out_string(&o, "kept", kept);
    else
        out_null(&o, "kept");
    out_end(&o);
    puts(json_out_text(&o));
    json_out_done(&o);
    return fflush(stdout) == 0 ? 0 : 1;
}

static void note_wrong(void *context, id_num table, const char *why)
{
    struct json_out *list = context;
    char id[ID_SIZE];

    id_write(table, id);
    out_object(list, NULL);
    out_string(list, "table", id);
    out_string(list, "why", why);
    out_end(list);
}

/* Says in one line of JSON what the file is worth. */
static int verify(const struct config *c)
{
    struct store_verdict v;
    struct json_out o, list;
    char why[512];

    json_out_init(&o);
    json_out_init(&list);
    out_list(&list, NULL);
    bool whole = store_verify(c->verify, &list, note_wrong, &v, why,
                              sizeof(why)) == 0;
    out_end(&list);
    out_object(&o, NULL);
    out_bool(&o, "ok", whole && v.wrong == 0);
    if (whole)
        out_null(&o, "file");
    else
        out_string(&o, "file", why);
    out_int(&o, "checked", (int64_t)(v.tables - v.newer));
    out_int(&o, "newer", (int64_t)v.newer);
    out_raw(&o, "wrong", json_out_text(&list), list.len);
    out_end(&o);
    puts(json_out_text(&o));
    json_out_done(&o);
    json_out_done(&list);
    return fflush(stdout) == 0 && whole && v.wrong == 0 ? 0 : 1;
}

static void say_doubt(const char *event, const char *text)
{
    (void)event;
    fprintf(stderr, "%s\n", text);
}

int main(int argc, char **argv)
{
    static struct config config;

    files_standard();
    config_read(&config, argc, argv);
    if (config.check_only) {
        config_doubts(&config, say_doubt);
        fputs("The configuration is good.\n", stderr);
        return 0;
    }
    if (config.restore[0] != '\0')
        return restore(&config);
    if (config.verify[0] != '\0')
        return verify(&config);
    if (config.print_replays != NULL)
        return replays_print(config.print_replays, stdout);
    if (config.check_replays != NULL)
        return replays_check(config.check_replays, stdin, stdout);
    return daemon_run(&config);
}
