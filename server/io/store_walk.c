#include "store_walk.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/base.h"
#include "server/hub/map.h"
#include "store_inner.h"

enum { BEGIN, COMMIT, TOTAL, FLUSHED, TAIL, TABLE, PLY, STATEMENTS };

/* Only what every version of the schema has had: see schema/README.md.  In
 * state 4, if there are any, are those whose logs are archived. */
static const char *const texts[STATEMENTS] = {
    [BEGIN] = "BEGIN",
    [COMMIT] = "COMMIT",
    [TOTAL] = "SELECT count(*) FROM tables WHERE state <> 4",
    [FLUSHED] = "SELECT flushed FROM state",
    [TAIL] = "SELECT id, number FROM log WHERE id > ? ORDER BY id",
    [TABLE] = ("SELECT t.number, t.id, t.state, t.head, t.game, s.header "
               "FROM tables t JOIN setups s ON s.number = t.number "
               "WHERE t.number > ? AND t.state <> 4 "
               "ORDER BY t.number LIMIT 1"),
    [PLY] = ("SELECT number, before, ply, line, chain, now "
             "FROM log WHERE id = ?"),
};

struct store_walk {
    struct sql sql;
    struct region region; /* of the table that was read last */
    struct map tails;     /* number -> last row, where `tables` may not know */
    int64_t seen;         /* up to this row of the log */
    struct ply_row *plies;
    uint16_t *acting; /* beside each */
    size_t cap;
    int64_t last, total;
};

/* Of RC; PATH is what was to be opened, or "". */
static int fail(int rc, const char *path, char *error, size_t size)
{
    if (error[0] == '\0')
        snprintf(error, size, "%s%s%s", path, path[0] != '\0' ? ": " : "",
                 sqlite3_errstr(rc));
    return rc == SQLITE_MISMATCH ? -EPROTO
           : store_is_damage(rc) ? -EUCLEAN
                                 : -EIO;
}

/* ---- opening ---------------------------------------------------------- */

/* Takes in where logs end that have grown since the last time; at first some
 * 65 000 rows at most: schema/README.md. */
static int read_tails(struct store_walk *w)
{
    struct sql_stmt *stmt = sql_begin(&w->sql, TAIL, ARGS(INT_(w->seen)));
    int rc = SQLITE_ROW;

    if (stmt == NULL)
        return sql_errcode(&w->sql);
    while (rc == SQLITE_ROW) {
        rc = sql_step(stmt);
        if (rc != SQLITE_ROW)
            break;
        w->seen = sql_int64(stmt, 0);
        uint64_t number = (uint64_t)sql_int64(stmt, 1);
        if (number != 0 && w->seen > 0)
            map_put(&w->tails, number, (void *)(uintptr_t)w->seen);
    }
    sql_reset(stmt);
    return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

static int open_file(struct store_walk *w, const char *path, char *error,
                     size_t size)
{
    int64_t version = 0;

    error[0] = '\0';
    int rc = store_open_to_read(&w->sql, path, texts, STATEMENTS);
    if (rc == SQLITE_OK)
        rc = store_file_judge(w->sql.db, &version, error, size);
    if (rc == SQLITE_OK && version == 0) {
        snprintf(error, size, "%s is not a store of Sobremesa's", path);
        rc = SQLITE_MISMATCH;
    }
    if (rc == SQLITE_OK)
        rc = sql_number(&w->sql, TOTAL, NO_ARGS, 0, &w->total);
    if (rc == SQLITE_OK)
        rc = sql_number(&w->sql, FLUSHED, NO_ARGS, 0, &w->seen);
    return rc == SQLITE_OK ? 0 : fail(rc, path, error, size);
}

int store_walk_open(const char *path, struct store_walk **ret_walk,
                    char *error, size_t size)
{
    struct store_walk *w = calloc(1, sizeof(*w));
    char file[4200];
    struct stat is;

    ASSERT(w != NULL);
    bool directory = stat(path, &is) == 0 && S_ISDIR(is.st_mode);
    snprintf(file, sizeof(file), "%.4000s%s", path,
             directory ? "/sobremesa.db" : "");
    int err = open_file(w, file, error, size);
    if (err == 0)
        *ret_walk = w;
    else
        store_walk_close(w);
    return err;
}

void store_walk_close(struct store_walk *w)
{
    if (w == NULL)
        return;
    sql_close(&w->sql);
    region_done(&w->region);
    map_done(&w->tails);
    free(w->plies);
    free(w->acting);
    free(w);
}

void store_walk_mistrust(struct store_walk *w)
{
    w->seen = 0;
}

int64_t store_walk_total(const struct store_walk *w)
{
    return w->total;
}

/* ---- a table ------------------------------------------------------------ */

static const char *text_of(struct store_walk *w, struct sql_stmt *stmt, int at)
{
    const char *text = sql_text(stmt, at);
    return region_text(&w->region, text != NULL ? text : "",
                       sql_bytes(stmt, at));
}

static bool read_ply(struct store_walk *w, struct sql_stmt *stmt, size_t at)
{
    const void *packed = sql_blob(stmt, 5);
    struct summary summary = {.acting = ACTING_UNTOLD};
    const void *chain = sql_blob(stmt, 4);

    if (at == w->cap) {
        w->cap = w->cap ? 2 * w->cap : 512;
        w->plies = reallocarray(w->plies, w->cap, sizeof(*w->plies));
        w->acting = reallocarray(w->acting, w->cap, sizeof(*w->acting));
        ASSERT(w->plies != NULL && w->acting != NULL);
    }
    w->plies[at] = (struct ply_row){
        .ply = (uint32_t)sql_int64(stmt, 2),
        .line = text_of(w, stmt, 3),
        .len = sql_bytes(stmt, 3),
    };
    if (sql_bytes(stmt, 4) != SHA256_SIZE)
        return false;
    memcpy(w->plies[at].chain, chain, SHA256_SIZE);
    (void)summary_unpack(&summary, packed, sql_bytes(stmt, 5));
    w->acting[at] = summary.acting;
    return true;
}

/* The other way round: they were read from the last one on. */
static void turn_round(struct store_walk *w, size_t count)
{
    for (size_t i = 0, last = count; i + 1 < last; i++) {
        struct ply_row ply = w->plies[i];
        uint16_t acting = w->acting[i];
        w->plies[i] = w->plies[--last];
        w->acting[i] = w->acting[last];
        w->plies[last] = ply;
        w->acting[last] = acting;
    }
}

/* The log that ends with ROW.  A link that leads nowhere, or to another table's
 * row, is the log's trouble and not the file's. */
static int read_log(struct store_walk *w, struct walked_table *t, int64_t row)
{
    size_t count = 0;
    int rc = SQLITE_ROW;

    t->whole = row != 0;
    while (row != 0 && t->whole && rc == SQLITE_ROW) {
        struct sql_stmt *stmt = sql_begin(&w->sql, PLY, ARGS(INT_(row)));
        if (stmt == NULL)
            return sql_errcode(&w->sql);
        rc = sql_step(stmt);
        t->whole = rc == SQLITE_ROW && sql_int64(stmt, 0) == t->number &&
                   sql_int64(stmt, 1) < row && read_ply(w, stmt, count);
        row = t->whole ? sql_int64(stmt, 1) : 0;
        count += t->whole;
        sql_reset(stmt);
    }
    turn_round(w, count);
    t->count = t->whole ? count : 0;
    t->plies = w->plies;
    t->acting = w->acting;
    return rc == SQLITE_ROW || rc == SQLITE_DONE ? SQLITE_OK : rc;
}

/* The row of the next table; SQLITE_DONE if there is none. */
static int read_row(struct store_walk *w, struct walked_table *t,
                    int64_t *ret_cached)
{
    struct sql_stmt *stmt = sql_begin(&w->sql, TABLE, ARGS(INT_(w->last)));
    if (stmt == NULL)
        return sql_errcode(&w->sql);
    int rc = sql_step(stmt);

    if (rc == SQLITE_ROW) {
        *t = (struct walked_table){
            .number = sql_int64(stmt, 0),
            .id = (id_num)sql_int64(stmt, 1),
            .state = (uint8_t)sql_int(stmt, 2),
            .game = text_of(w, stmt, 4),
            .header = text_of(w, stmt, 5),
        };
        int64_t cached = sql_int64(stmt, 3);
        int64_t tail = (int64_t)(uintptr_t)map_get(&w->tails,
                                                   (uint64_t)t->number);
        *ret_cached = tail > cached ? tail : cached;
        w->last = t->number;
    }
    sql_reset(stmt);
    return rc;
}

int store_walk_next(struct store_walk *w, struct walked_table *t, char *error,
                    size_t size)
{
    int64_t cached = 0;

    region_done(&w->region);
    error[0] = '\0';
    int rc = sql_run(&w->sql, BEGIN, NO_ARGS);
    if (rc == SQLITE_OK)
        rc = read_tails(w);
    if (rc == SQLITE_OK)
        rc = read_row(w, t, &cached);
    bool more = rc == SQLITE_ROW;
    if (more)
        rc = read_log(w, t, cached);
    (void)sql_run(&w->sql, COMMIT, NO_ARGS);
    if (more && rc == SQLITE_OK)
        return 1;
    return rc == SQLITE_DONE ? 0 : fail(rc, "", error, size);
}
