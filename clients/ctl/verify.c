/* verify.c -- sobremesactl verify: tables, all there are and the store's file, or
 * a file without a server.
 *
 * Tables are checked here, line by line as the server tells them, not in the
 * server: it goes on with its work.  Its file only the server can go through;
 * it does so in the background, and is asked how far it is. */

#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/base.h"
#include "ctl.h"
#include "protocol/record.h"

/* ---- a table ---------------------------------------------------------- */

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

static volatile sig_atomic_t interrupted;

static void on_interrupt(int number)
{
    (void)number;
    interrupted = 1;
}

/* What has been found so far. */
struct findings {
    struct ctl *c;
    uint64_t checked, wrong;
    struct json_out list; /* of those that are wrong */
    bool told;            /* of the file ... */
    char *damage;         /* ... how it is damaged; NULL: it is whole */
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

    bool whole = record_lines(f->c, table, &error, &v, check_line);
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

/* Checks every table there is, until somebody wants it to stop. */
static bool check_tables(struct findings *f)
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
            on = !interrupted && json_is_string(id) &&
                 check(f, json_string_value(id));
        }
        (void)snprintf(after, sizeof(after), "%s", next != NULL ? next : "");
        json_decref(page);
        if (!on || after[0] == '\0')
            return on;
    }
}

/* ---- the server's file -------------------------------------------------- */

/* How the file is, after FLAG ("start", "stop", or NULL) was passed on; the
 * caller's to free, or NULL after a complaint. */
static json_t *ask_store(struct ctl *c, const char *flag)
{
    json_t *error;
    struct json_out *o = call_begin(c, "admin.check");

    if (flag != NULL)
        out_bool(o, flag, true);
    json_t *result = call_end(c, &error);
    if (result == NULL)
        (void)complain_error(error);
    json_t *store = json_incref(json_object_get(result, "store"));
    json_decref(result);
    return store;
}

static void show_progress(const json_t *check)
{
    int64_t done = member_int(check, "done");
    int64_t total = member_int(check, "total");

    if (isatty(STDERR_FILENO))
        (void)fprintf(stderr, "\rthe file: %3d %% ",
                      (int)(total > 0 ? 100 * done / total : 0));
}

static void show_no_progress(void)
{
    if (isatty(STDERR_FILENO))
        (void)fprintf(stderr, "\r%*s\r", 20, "");
}

/* Takes what came of it; false after a complaint if nothing did. */
static bool take_check(struct findings *f, const json_t *store)
{
    const char *state = member_text(json_object_get(store, "check"), "state");
    const char *damage = json_string_value(json_object_get(store, "damage"));

    if (damage != NULL || strcmp(state, "damaged") == 0) {
        f->damage = strdup(damage != NULL ? damage : "the file is damaged");
        ASSERT(f->damage != NULL);
    } else if (interrupted) {
        return false;
    } else if (strcmp(state, "whole") != 0) {
        (void)complain("the file was not looked at to its end: %s", state);
        return false;
    }
    f->told = true;
    return true;
}

/* Waits for the end of the check that is under way. */
static bool check_file(struct findings *f)
{
    const struct timespec pause = {0, 200000000};
    bool running = true, good = false;

    while (running) {
        json_t *store = ask_store(f->c, interrupted ? "stop" : NULL);
        const json_t *check = json_object_get(store, "check");
        running = strcmp(member_text(check, "state"), "running") == 0;
        if (running) {
            if (!f->c->json)
                show_progress(check);
            (void)nanosleep(&pause, NULL);
        } else {
            if (!f->c->json)
                show_no_progress();
            good = store != NULL && take_check(f, store);
        }
        json_decref(store);
    }
    return good;
}

/* The tables, and meanwhile, in the server, the file. */
static bool check_all(struct findings *f)
{
    const struct sigaction act = {
        .sa_handler = on_interrupt,
        .sa_flags = SA_RESTART, /* an answer is read to its end */
    };
    json_t *store = ask_store(f->c, "start");

    if (store == NULL)
        return false;
    json_decref(store);
    (void)sigaction(SIGINT, &act, NULL);
    bool whole = check_tables(f);
    whole = check_file(f) && whole;
    if (interrupted)
        (void)complain("stopped before the end");
    return whole && !interrupted;
}

/* ---- what is told ------------------------------------------------------- */

static bool is_good(const struct findings *f)
{
    return f->wrong == 0 && f->damage == NULL;
}

static void tell_people(const struct findings *f)
{
    if (f->told)
        (void)printf("%s\n",
                     f->damage != NULL ? f->damage : "The file is whole.");
    if (f->wrong > 0)
        (void)printf("%" PRIu64 " of %" PRIu64 " tables are wrong\n", f->wrong,
                     f->checked);
    else if (f->checked > 0 || f->damage == NULL)
        (void)printf("ok: %" PRIu64 " table%s\n", f->checked,
                     f->checked == 1 ? "" : "s");
}

static void tell(struct findings *f)
{
    struct json_out o;

    if (!f->c->json) {
        tell_people(f);
        return;
    }
    json_out_init(&o);
    out_object(&o, NULL);
    out_bool(&o, "ok", is_good(f));
    if (f->damage != NULL)
        out_string(&o, "file", f->damage);
    else if (f->told)
        out_null(&o, "file");
    out_int(&o, "checked", (int64_t)f->checked);
    out_raw(&o, "wrong", json_out_text(&f->list), f->list.len);
    out_end(&o);
    (void)puts(json_out_text(&o));
    json_out_done(&o);
}

static int verify_tables(struct ctl *c, const json_t *tables)
{
    struct findings f = {.c = c};
    bool whole = true;

    if (!dial(c))
        return STATUS_FAILED;
    json_out_init(&f.list);
    out_list(&f.list, NULL);
    if (tables == NULL)
        whole = check_all(&f);
    for (size_t i = 0; i < json_array_size(tables) && whole; i++)
        whole = check(&f, json_string_value(json_array_get(tables, i)));
    out_end(&f.list);
    if (whole)
        tell(&f);
    bool good = whole && is_good(&f);
    json_out_done(&f.list);
    free(f.damage);
    return good ? STATUS_DONE : STATUS_FAILED;
}

/* ---- a file by itself --------------------------------------------------- */

/* Ids have neither. */
static bool is_file(const char *word)
{
    return strchr(word, '/') != NULL || strchr(word, '.') != NULL;
}

static void tell_file(const char *path, const json_t *told)
{
    const json_t *wrong = json_object_get(told, "wrong");
    int64_t newer = member_int(told, "newer");

    for (size_t i = 0; i < json_array_size(wrong); i++)
        (void)printf("%s: %s\n",
                     member_text(json_array_get(wrong, i), "table"),
                     member_text(json_array_get(wrong, i), "why"));
    if (member_text(told, "file")[0] != '\0')
        (void)printf("%s: %s\n", path, member_text(told, "file"));
    else
        (void)printf("%s: the file is whole; of %" PRId64
                     " tables %zu are wrong\n",
                     path, member_int(told, "checked"),
                     json_array_size(wrong));
    if (newer > 0)
        (void)printf("%" PRId64 " more are by newer rules, which this program "
                     "does not know\n",
                     newer);
}

static int verify_file(struct ctl *c, const char *path)
{
    bool good;
    json_t *told = program_run(c, "--verify", path, &good);

    if (told == NULL)
        return STATUS_FAILED; /* it has said why */
    if (c->json)
        print_json(told);
    else
        tell_file(path, told);
    json_decref(told);
    return good ? STATUS_DONE : STATUS_FAILED;
}

int verify_command(struct ctl *c)
{
    const json_t *words = json_object_get(c->given, "tables");
    bool all = chosen(c, "all");

    if (all == (json_array_size(words) > 0))
        return misused(c, "which TABLEs, which FILE, or --all?");
    for (size_t i = 0; i < json_array_size(words); i++)
        if (is_file(json_string_value(json_array_get(words, i))))
            return json_array_size(words) == 1
                       ? verify_file(c, json_string_value(
                                            json_array_get(words, 0)))
                       : misused(c, "one FILE at a time");
    return verify_tables(c, all ? NULL : words);
}
