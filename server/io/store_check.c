/* store_check.c -- whether a file is whole: one judgement for the copies that
 * backups, upgrades and restores make, and for the store itself.
 *
 * SQLite has no checksums: a page that was overwritten is noticed when somebody
 * comes to it, which for an old game may be years later.  So all pages, rows
 * and indexes are gone through, then whether what belongs to tables is of one
 * that is there, and the links that tie a table's log together, which are all
 * that finds its rows. */

#include <stdio.h>
#include <string.h>

#include "core/base.h"
#include "protocol/sbuf_printf.h"
#include "store_inner.h"

#define OPS_BETWEEN 20000 /* of SQLite's machine, some milliseconds */

struct checking {
    sqlite3 *db;
    const struct file_watch *watch;
    int64_t total;
    char *error;
    size_t size;
};

/* ---- how far it is ---------------------------------------------------- */

/* Each page is read about twice, for its tree and for its rows. */
static int64_t pages_read(sqlite3 *db)
{
    int misses = 0, high;

    (void)sqlite3_db_status(db, SQLITE_DBSTATUS_CACHE_MISS, &misses, &high, 0);
    return misses / 2;
}

static int on_progress(void *context)
{
    const struct checking *c = context;
    int64_t done = pages_read(c->db);

    if (done > c->total)
        done = c->total;
    return !c->watch->go_on(c->watch->context, done, c->total);
}

/* ---- judging ---------------------------------------------------------- */

/* Runs TEXT, whose rows are faults; the first is told as FORMAT says, which
 * takes the row's first column: a text, or the id of a table. */
static int no_rows(struct checking *c, const char *text, const char *format)
{
    char id[ID_SIZE];
    sqlite3_stmt *stmt;
    int rc = sqlite3_prepare_v2(c->db, text, -1, &stmt, NULL);

    if (rc != SQLITE_OK)
        return rc;
    rc = sqlite3_step(stmt);
    if (rc == SQLITE_ROW) {
        const char *what = id;
        if (sqlite3_column_type(stmt, 0) == SQLITE_INTEGER)
            id_write((id_num)sqlite3_column_int64(stmt, 0), id);
        else
            what = (const char *)sqlite3_column_text(stmt, 0);
        struct sbuf error = sbuf_in(c->error, c->size);
        sbuf_puts(&error, "the file is damaged: ");
        sbuf_printf(&error, format, what != NULL ? what : "?");
        rc = SQLITE_CORRUPT;
    }
    sqlite3_finalize(stmt);
    return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

static const struct {
    int since; /* the version of the file that first had what it asks for */
    const char *text, *format;
} faults[] = {
    {1,
     "SELECT integrity_check FROM pragma_integrity_check(1) "
     "WHERE integrity_check <> 'ok'",
     "%.200s"},
    /* Accounts may go while something names them, and those of an imported
     * record were never here: that is no damage.  `before` is looked at
     * below. */
    {1,
     "SELECT \"table\" FROM pragma_foreign_key_check "
     "WHERE parent = 'tables' LIMIT 1",
     "a row of %s is of a table that is not there"},
    {1,
     "SELECT id FROM tables WHERE number NOT IN "
     "(SELECT number FROM setups) LIMIT 1",
     "table %s has no setup"},
    {1,
     "SELECT CAST(l.id AS TEXT) FROM log l LEFT JOIN log b ON b.id = l.before "
     "WHERE CASE l.before WHEN 0 THEN l.ply <> 0 ELSE b.id IS NULL "
     "OR l.before >= l.id OR b.number <> l.number OR b.ply <> l.ply - 1 END "
     "LIMIT 1",
     "row %s of the log continues nothing"},
    {1,
     "SELECT t.id FROM tables t LEFT JOIN log l ON l.id = t.head "
     "WHERE t.head <> 0 AND (l.id IS NULL OR l.number <> t.number "
     "OR l.ply <> t.ply) LIMIT 1",
     "the log of table %s has no end"},
    {14,
     "SELECT coalesce(t.id, CAST(m.number AS TEXT)) FROM milestones m "
     "LEFT JOIN tables t USING (number) LEFT JOIN log l ON l.id = m.row "
     "WHERE l.id IS NULL OR l.number <> m.number OR l.ply <> m.ply LIMIT 1",
     "a milestone of table %s is not in its log"},
};

static int check_all(struct checking *c)
{
    int64_t version = 0;
    int rc = store_file_judge(c->db, &version, c->error, c->size);

    if (rc == SQLITE_OK && version == 0) {
        snprintf(c->error, c->size, "the file is not one of Sobremesa's");
        rc = SQLITE_MISMATCH;
    }
    if (rc == SQLITE_OK)
        rc = store_pragma_int(c->db, "PRAGMA page_count", &c->total);
    for (size_t i = 0; i < COUNT_OF(faults) && rc == SQLITE_OK; i++)
        if (version >= faults[i].since)
            rc = no_rows(c, faults[i].text, faults[i].format);
    return rc;
}

int store_file_check(sqlite3 *db, const struct file_watch *watch, char *error,
                     size_t size)
{
    struct checking c = {.db = db,
                         .watch = watch,
                         .error = error,
                         .size = size};

    error[0] = '\0';
    if (watch != NULL)
        sqlite3_progress_handler(db, OPS_BETWEEN, on_progress, &c);
    int rc = check_all(&c);
    sqlite3_progress_handler(db, 0, NULL, NULL);
    if (rc != SQLITE_OK && error[0] == '\0') {
        bool hurt = store_is_damage(rc);
        snprintf(error, size, "%s%s", hurt ? "the file is damaged: " : "",
                 (rc & 0xff) == SQLITE_INTERRUPT ? "stopped"
                                                 : sqlite3_errstr(rc));
    }
    return rc;
}
