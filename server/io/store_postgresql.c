/* store_postgresql.c -- opening the database, its connections, who may have it.
 *
 * Who has it holds an advisory lock of its writer's connection, which goes with
 * the connection: whoever gets it knows that nothing of the former one is still
 * under way.  Several share that one, and each has one of its name.
 * `state.server` tells who has it for themselves whether anybody else has been
 * there since they were: then what they remember is not true any more. */

#include "store_postgresql.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "core/base.h"
#include "schema/schema.h"
#include "store_inner.h"

/* ---- what version it is -------------------------------------------------- */

static int64_t newest_version(void)
{
    int64_t n = 0;

    while (schema_postgresql_steps[n] != NULL)
        n++;
    return n;
}

/* Takes the database from VERSION to the next one, whole or not at all. */
static int upgrade_step(struct sql *sql, int64_t version)
{
    char *text = NULL;
    int n = asprintf(&text,
                     "BEGIN; %s UPDATE state SET version = %lld; COMMIT",
                     schema_postgresql_steps[version], (long long)version + 1);

    ASSERT(n > 0);
    int rc = pq_exec(sql, text, NULL);
    free(text);
    return rc;
}

/* One of several makes it what this version needs if no other one is there, which
 * may be older. */
static int be_alone(struct postgresql *p, struct sql *sql)
{
    char text[80];
    int64_t alone = 0;

    snprintf(text, sizeof(text), "SELECT pg_try_advisory_lock(%d)::int",
             APPLICATION_ID);
    int rc = pq_exec(sql, text, &alone);

    if (rc == SQLITE_OK && alone == 0) {
        snprintf(p->why, sizeof(p->why),
                 "it is of an older version, and other servers have it: "
                 "the first one of this version has to be started alone");
        return SQLITE_BUSY;
    }
    return rc;
}

static int be_one_of_several(struct sql *sql)
{
    char text[80];

    snprintf(text, sizeof(text), "SELECT pg_advisory_unlock(%d)::int",
             APPLICATION_ID);
    return pq_exec(sql, text, NULL);
}

static int upgrade(struct store *s, struct sql *sql)
{
    struct postgresql *p = s->postgresql;
    int64_t there = 0, version = 0, newest = newest_version();

    int rc = pq_exec(sql, "SELECT count(to_regclass('state'))", &there);
    if (rc == SQLITE_OK && there != 0)
        rc = pq_exec(sql, "SELECT version FROM state", &version);
    if (rc == SQLITE_OK && version > newest) {
        snprintf(p->why, sizeof(p->why),
                 "it is of version %lld, this program's is %lld",
                 (long long)version, (long long)newest);
        return SQLITE_MISMATCH;
    }
    bool older = rc == SQLITE_OK && version < newest;
    if (older && p->node != NULL)
        rc = be_alone(p, sql);
    for (; rc == SQLITE_OK && version < newest; version++)
        rc = upgrade_step(sql, version);
    if (older && p->node != NULL && rc == SQLITE_OK)
        rc = be_one_of_several(sql);
    return rc;
}

/* ---- who has it ------------------------------------------------------------ */

/* One that has just been killed has it until the server notices: at the beginning
 * that is waited for. */
static int take_lock(struct postgresql *p, struct sql *sql)
{
    const struct timespec pause = {.tv_nsec = 100000000};
    char text[200];
    int64_t mine = 0;

    pq_news_lock(p, text, sizeof(text));
    int rc = pq_exec(sql, text, &mine);
    for (int i = 0; i < 20 && !p->begun && rc == SQLITE_OK && mine == 0; i++) {
        nanosleep(&pause, NULL);
        rc = pq_exec(sql, text, &mine);
    }
    if (rc == SQLITE_OK && mine == 0) {
        snprintf(p->why, sizeof(p->why), "another process has it%s",
                 p->node != NULL ? ", by this name or for itself" : "");
        return SQLITE_BUSY;
    }
    return rc;
}

/* Writes this process's name, if it is still the last one that did. */
static int take_over(struct store *s, struct sql *sql)
{
    struct postgresql *p = s->postgresql;
    char text[80];
    int64_t server = 0;

    int rc = pq_exec(sql, "SELECT server FROM state", &server);
    /* One of several is told of what the others do. */
    if (rc == SQLITE_OK && p->node == NULL && p->begun &&
        server != p->server) {
        snprintf(p->why, sizeof(p->why),
                 "another server has had the database meanwhile: this one "
                 "has to be started again");
        return SQLITE_BUSY;
    }
    snprintf(text, sizeof(text), "UPDATE state SET server = %lld",
             (long long)p->server);
    if (rc == SQLITE_OK)
        rc = pq_exec(sql, text, NULL);
    p->begun = p->begun || rc == SQLITE_OK;
    return rc;
}

static int connect_and_tell(struct store *s, struct sql *sql, bool write,
                            char *why, size_t size)
{
    return pq_open(sql, s->postgresql->url,
                   write ? writer_texts : reader_texts,
                   write ? pq_writer_texts : pq_reader_texts,
                   write ? WRITER_STATEMENTS : READER_STATEMENTS, why, size);
}

static int connect_to(struct store *s, struct sql *sql, bool write)
{
    struct postgresql *p = s->postgresql;

    return connect_and_tell(s, sql, write, p->why, sizeof(p->why));
}

static int open_writer(struct store *s)
{
    struct postgresql *p = s->postgresql;
    struct sql *sql = &s->writer.sql;

    p->why[0] = '\0';
    int rc = connect_to(s, sql, true);
    if (rc != SQLITE_OK)
        return rc;
    rc = take_lock(p, sql);
    if (rc == SQLITE_OK)
        rc = upgrade(s, sql);
    if (rc == SQLITE_OK)
        rc = take_over(s, sql);
    if (rc != SQLITE_OK) {
        if (p->why[0] == '\0')
            snprintf(p->why, sizeof(p->why), "%s", sql_why(sql, rc));
        sql_close(sql);
        return rc;
    }
    store_lock(s);
    p->in_doubt = false;
    store_unlock(s);
    return SQLITE_OK;
}

/* ---- questions ------------------------------------------------------------- */

static int ready(struct reader *r)
{
    struct store *s = r->store;

    store_lock(s);
    bool in_doubt = s->postgresql->in_doubt;
    store_unlock(s);
    if (in_doubt) {
        snprintf(r->why, sizeof(r->why),
                 "the last transactions got no answer, and the server has not "
                 "let go of their connection yet");
        return SQLITE_BUSY;
    }
    if (!pq_lost(r->sql))
        return SQLITE_OK;
    sql_close(r->sql);
    return connect_and_tell(s, r->sql, false, r->why, sizeof(r->why));
}

static int read_log(struct reader *r, int64_t number,
                    const struct log_tip *tip)
{
    struct answer *a = &r->ask->answer;
    int64_t from = r->ask->question.u.table.from;
    int64_t until = r->ask->question.u.table.until;
    int rc;

    a->log_count = (size_t)(tip->ply + 1);
    if (until == 0 || until > tip->ply + 1)
        until = tip->ply + 1;
    if (from >= until)
        return SQLITE_OK;
    size_t count = (size_t)(until - from);
    struct sql_stmt *stmt =
        sql_begin(r->sql, R_LOG, ARGS(INT_(number), INT_(from), INT_(until)));
    if (stmt == NULL)
        return sql_errcode(r->sql);
    a->plies = region_take(r->region, count * sizeof(*a->plies));
    while ((rc = sql_step(stmt)) == SQLITE_ROW && !r->gone) {
        struct ply_row *p = &a->plies[a->ply_count];
        if (a->ply_count == count || !column_ply(r, stmt, 0, p) ||
            p->ply != from + (int64_t)a->ply_count)
            r->gone = true;
        else
            a->ply_count++;
    }
    sql_reset(stmt);
    r->gone |= a->ply_count != count;
    return rc == SQLITE_DONE || r->gone ? SQLITE_OK : rc;
}

/* ---- opening --------------------------------------------------------------- */

static const struct store_engine engine = {
    .connect = connect_to,
    .open_writer = open_writer,
    .begin = batch_begin,
    .next = batch_next,
    .undo = batch_undo,
    .commit = batch_commit,
    .end = batch_end,
    .append = batch_append,
    .tip = batch_tip,
    .drop_log = batch_drop_log,
    .ready = ready,
    .read_log = read_log,
};

static struct postgresql *postgresql_new(const char *url, const char *node)
{
    struct postgresql *p = calloc(1, sizeof(*p));

    ASSERT(p != NULL);
    p->url = strdup(url);
    ASSERT(p->url != NULL);
    p->node = node != NULL ? strdup(node) : NULL;
    ASSERT(node == NULL || p->node != NULL);
    p->stop[0] = p->stop[1] = -1;
    ssize_t n = getrandom(&p->server, sizeof(p->server), 0);
    ASSERT(n == sizeof(p->server));
    return p;
}

void postgresql_free(struct postgresql *p)
{
    if (p == NULL)
        return;
    free(p->url);
    free(p->node);
    free(p->news);
    free(p->rows);
    free(p);
}

int store_postgresql_open(const char *url, const struct store_config *config,
                          const struct store_owner *owner,
                          struct store **ret_store, char *error, size_t size)
{
    ASSERT(size > 0 && owner->wake != NULL);
    ASSERT(owner->stored != NULL && owner->answered != NULL);

    struct store *s = store_new(&engine, config, owner);
    s->postgresql = postgresql_new(url, config->node);
    s->shown = &s->postgresql->none;
    int rc = store_start(s);
    if (rc == SQLITE_OK)
        rc = pq_news_listen(s);
    if (rc == SQLITE_OK) {
        *ret_store = s;
        return 0;
    }
    snprintf(error, size, "cannot open the database of store.url: %s",
             s->postgresql->why);
    s->owner = (struct store_owner){.wake = owner->wake,
                                    .context = owner->context};
    store_close(s);
    return rc == SQLITE_BUSY ? -EBUSY : rc == SQLITE_MISMATCH ? -EPROTO : -EIO;
}
