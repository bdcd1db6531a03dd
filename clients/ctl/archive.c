/* archive.c -- sobremesactl tables archive: records of finished games out into
 * files, and only then out of the store.
 *
 *     for each table: DIR/.ID.part is written -> synced -> read again and
 *       verified, all of it -> DIR/ID.record -> the directory is synced
 *       -> admin.archive, with the record's last hash
 *
 * So a game is in the store, or in a file that was verified as it lies on the
 * disk, or both; broken off anywhere, the next run goes on.  The server removes
 * only what ends with that hash. */

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base.h"
#include "ctl.h"
#include "protocol/record.h"
#include "protocol/files.h"

struct archive {
    struct ctl *c;
    const char *path; /* of the directory */
    int dir;
    json_t *tables; /* what is to go, as lists have it */
    int64_t before;
    int64_t done, bytes, failed;
};

/* ---- which ------------------------------------------------------------ */

static void choose(struct archive *a, const json_t *page)
{
    const json_t *tables = json_object_get(page, "tables");

    for (size_t i = 0; i < json_array_size(tables); i++) {
        json_t *table = json_array_get(tables, i);
        if (member_int(table, "changed") < a->before)
            (void)json_array_append(a->tables, table);
    }
}

/* Finished games whose last ply is older; false after a complaint. */
static bool find(struct archive *a)
{
    char after[64] = "";
    json_t *error;

    do {
        struct json_out *o = call_begin(a->c, "admin.tables");
        out_string(o, "state", "finished");
        if (after[0] != '\0')
            out_string(o, "after", after);
        json_t *page = call_end(a->c, &error);
        if (page == NULL) {
            (void)complain_error(error);
            return false;
        }
        choose(a, page);
        (void)snprintf(after, sizeof(after), "%s", member_text(page, "next"));
        json_decref(page);
    } while (after[0] != '\0');
    return true;
}

/* ---- the file --------------------------------------------------------- */

static bool write_line(const char *line, size_t len, void *context)
{
    FILE *file = context;

    return fwrite(line, 1, len, file) == len && fputc('\n', file) != EOF;
}

/* Writes the record of ID into PART, to the disk; false after a complaint. */
static bool write_part(struct archive *a, const char *id, const char *part)
{
    json_t *error = NULL;

    (void)unlinkat(a->dir, part, 0); /* of a run that was broken off */
    int fd = openat(a->dir, part,
                    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                    0600);
    FILE *file = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (file == NULL) {
        (void)complain("%s/%s: %s", a->path, part, strerror(errno));
        return false;
    }
    errno = 0;
    bool told = record_lines(a->c, id, &error, file, write_line);
    bool good = told && fflush(file) == 0 && fsync(fd) == 0;
    int err = errno;
    if (fclose(file) != 0)
        good = false;
    if (!told && error != NULL)
        (void)complain_error(error);
    else if (!good)
        (void)complain("%s/%s: %s", a->path, part, strerror(err));
    return good;
}

/* Verifies the record in FILE as it lies there; its last hash is then in CHAIN,
 * its length in *RET_BYTES.  False with why. */
static bool verify_file(FILE *file, char chain[2 * SHA256_SIZE + 1],
                        int64_t *ret_bytes, char *why, size_t size)
{
    struct record *r = record_new();
    struct record_fault fault;
    char *line = NULL;
    size_t cap = 0;
    ssize_t n = 0;
    bool good = true;

    *ret_bytes = 0;
    while (good && (n = getline(&line, &cap, file)) > 0) {
        *ret_bytes += n;
        good = record_line(r, line, (size_t)n - (line[n - 1] == '\n'), &fault);
    }
    good = good && record_end(r, &fault);
    if (!good)
        record_fault_text(&fault, why, size);
    else if (ferror(file)) {
        (void)snprintf(why, size, "%s", strerror(errno));
        good = false;
    }
    chain[2 * SHA256_SIZE] = '\0';
    hex_write(chain, r->chain, SHA256_SIZE);
    record_free(r);
    free(line);
    return good;
}

/* The same of NAME in the directory; false after a complaint. */
static bool verify_name(struct archive *a, const char *name,
                        char chain[2 * SHA256_SIZE + 1], int64_t *ret_bytes)
{
    char why[512] = "";
    int fd = openat(a->dir, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    FILE *file = fd >= 0 ? fdopen(fd, "r") : NULL;

    if (file == NULL) {
        (void)complain("%s/%s: %s", a->path, name, strerror(errno));
        return false;
    }
    bool good = verify_file(file, chain, ret_bytes, why, sizeof(why));
    if (good && fsync(fd) != 0) {
        (void)snprintf(why, sizeof(why), "%s", strerror(errno));
        good = false;
    }
    (void)fclose(file);
    if (!good)
        (void)complain("%s/%s: %s; the game stays in the store", a->path, name,
                       why);
    return good;
}

static bool sync_dir(struct archive *a)
{
    if (fsync(a->dir) == 0)
        return true;
    (void)complain("%s: %s", a->path, strerror(errno));
    return false;
}

/* Has the record of ID under NAME, verified; what is there already is looked at
 * just so.  False after a complaint. */
static bool have_record(struct archive *a, const char *id, const char *name,
                        char chain[2 * SHA256_SIZE + 1], int64_t *ret_bytes)
{
    char part[96];

    if (faccessat(a->dir, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0)
        return verify_name(a, name, chain, ret_bytes) && sync_dir(a);
    (void)snprintf(part, sizeof(part), ".%s.part", id);
    if (!write_part(a, id, part) || !verify_name(a, part, chain, ret_bytes)) {
        (void)unlinkat(a->dir, part, 0);
        return false;
    }
    int error = file_rename_new(a->dir, part, name);
    if (error == 0)
        return sync_dir(a);
    (void)complain("%s/%s: %s", a->path, name, strerror(-error));
    return false;
}

/* ---- out of the store --------------------------------------------------- */

static bool remove_log(struct archive *a, const char *id, const char *chain)
{
    json_t *error;
    struct json_out *o = call_begin(a->c, "admin.archive");

    out_string(o, "table", id);
    out_string(o, "chain", chain);
    json_t *result = call_end(a->c, &error);
    if (result == NULL)
        (void)complain_error(error);
    json_decref(result);
    return result != NULL;
}

static void archive_one(struct archive *a, const json_t *table)
{
    const char *id = member_text(table, "table");
    char name[96], chain[2 * SHA256_SIZE + 1];
    int64_t bytes;

    (void)snprintf(name, sizeof(name), "%s.record", id);
    if (!have_record(a, id, name, chain, &bytes) ||
        !remove_log(a, id, chain)) {
        a->failed++;
        return;
    }
    a->done++;
    a->bytes += bytes;
    if (!a->c->json)
        (void)printf("%s/%s\n", a->path, name);
}

/* ---- the command -------------------------------------------------------- */

bool archive_asks(const struct ctl *c)
{
    return !chosen(c, "dry_run");
}

static void tell_wanted(struct archive *a)
{
    char time[TIME_SIZE];
    struct grid g;

    if (a->c->json) {
        json_t *told = json_pack("{s:O}", "tables", a->tables);
        print_json(told);
        json_decref(told);
        return;
    }
    grid_init(&g, "TABLE GAME ENDED >PLIES");
    for (size_t i = 0; i < json_array_size(a->tables); i++) {
        const json_t *table = json_array_get(a->tables, i);
        grid_add(&g, "%s", member_text(table, "table"));
        grid_add(&g, "%s", member_text(table, "game"));
        grid_add(&g, "%s", time_text(json_object_get(table, "changed"), time));
        grid_add(&g, "%" PRId64, member_int(table, "ply"));
    }
    grid_print(&g, "No finished game is that old.");
}

static void tell_done(const struct archive *a)
{
    if (a->c->json) {
        json_t *told = json_pack("{s:I,s:I,s:I}", "archived",
                                 (json_int_t)a->done, "bytes",
                                 (json_int_t)a->bytes, "failed",
                                 (json_int_t)a->failed);
        print_json(told);
        json_decref(told);
        return;
    }
    (void)printf("Games that are in %s now, and no longer in the store: "
                 "%" PRId64 ", %.1f MB.\n",
                 a->path, a->done, (double)a->bytes / 1e6);
    if (a->failed > 0)
        (void)printf("Games that are where they were: %" PRId64 ".\n",
                     a->failed);
    if (a->done > 0)
        (void)puts("Their room in its file is used again; `sobremesactl "
                   "vacuum' gives it back to the disk.");
}

static int run(struct archive *a)
{
    if (!find(a))
        return STATUS_FAILED;
    if (chosen(a->c, "dry_run")) {
        tell_wanted(a);
        return STATUS_DONE;
    }
    a->dir = open(a->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (a->dir < 0)
        return complain("%s: %s", a->path, strerror(errno));
    for (size_t i = 0; i < json_array_size(a->tables); i++)
        archive_one(a, json_array_get(a->tables, i));
    (void)close(a->dir);
    tell_done(a);
    return a->failed == 0 ? STATUS_DONE : STATUS_FAILED;
}

int archive_command(struct ctl *c)
{
    const json_t *before = json_object_get(c->given, "before");

    if (before == NULL)
        return misused(c, "--before when?");
    struct archive a = {
        .c = c,
        .path = given(c, "path"),
        .before = json_integer_value(before),
        .tables = json_array(),
    };
    int status = dial(c) ? run(&a) : STATUS_FAILED;
    json_decref(a.tables);
    return status;
}
