#include "store_fixture.h"

#include <errno.h>
#include <ftw.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/base.h"
#include "postgresql.h"

/* ---- the owner --------------------------------------------------------- */

static void wake(void *context)
{
    struct store_fixture *f = context;

    pthread_mutex_lock(&f->lock);
    f->awake = true;
    pthread_cond_signal(&f->wakes);
    pthread_mutex_unlock(&f->lock);
}

static void stored(void *context, transaction_id transaction,
                   const struct transaction_outcome *outcome)
{
    struct store_fixture *f = context;

    f->disorder += transaction != f->last_stored + 1;
    f->last_stored = transaction;
    f->results[transaction % FIXTURE_TRANSACTIONS] =
        (unsigned char)(outcome->result + 1);
    f->outcome = *outcome;
    f->reported++;
}

/* The answer that is waited for is taken over, which only a test may do.  With
 * several readers others may come before and after it. */
static void answered(void *context, ask_id ask, struct answer *answer)
{
    struct store_fixture *f = context;
    struct answer *given = (struct answer *)answer;

    f->answered++;
    f->last_answered = ask;
    if (ask != f->awaited)
        return;
    f->awaited = 0;
    answer_done(&f->answer);
    f->answer = *given;
    answer_init(given);
}

static void line(void *context, enum host_level level, const char *text)
{
    struct store_fixture *f = context;

    f->lines[level]++;
    snprintf(f->line, sizeof(f->line), "%s", text);
    if (f->loud)
        fprintf(stderr, "%d: %s\n", (int)level, text);
}

static void news(void *context)
{
    ((struct store_fixture *)context)->news++;
}

static bool enough(void *context)
{
    const struct store_fixture *f = context;
    return f->one_at_a_time;
}

static unsigned rank(void *context, ask_id ask)
{
    const struct store_fixture *f = context;
    return ask == f->favoured ? 0 : 1;
}

/* ---- opening ----------------------------------------------------------- */

void fixture_init(struct store_fixture *f)
{
    const char *tmp = getenv("TMPDIR");

    memset(f, 0, sizeof(*f));
    snprintf(f->dir, sizeof(f->dir), "%s/store-XXXXXX",
             tmp != NULL ? tmp : "/tmp");
    ASSERT(mkdtemp(f->dir) != NULL);
    pthread_mutex_init(&f->lock, NULL);
    pthread_cond_init(&f->wakes, NULL);
}

int fixture_open(struct store_fixture *f)
{
    struct store_owner owner = {
        .context = f,
        .wake = wake,
        .stored = stored,
        .answered = answered,
        .log = line,
        .news = news,
        .enough = enough,
        .rank = rank,
    };

    ASSERT(f->store == NULL);
    if (f->arrays)
        return 0;
    if (f->url[0] != '\0')
        return store_postgresql_open(f->url, &f->config, &owner, &f->store,
                                     f->error, sizeof(f->error));
    return store_open(f->dir, &f->config, &owner, &f->store, f->error,
                      sizeof(f->error));
}

void fixture_close(struct store_fixture *f)
{
    if (!f->arrays)
        store_close(f->store);
    f->store = NULL;
}

static int drop(const char *path, const struct stat *st, int kind,
                struct FTW *at)
{
    (void)st;
    (void)kind;
    (void)at;
    return remove(path);
}

void fixture_done(struct store_fixture *f)
{
    fixture_close(f);
    answer_done(&f->answer);
    disk_done(&f->disk);
    nftw(f->dir, drop, 16, FTW_DEPTH | FTW_PHYS);
    pthread_mutex_destroy(&f->lock);
    pthread_cond_destroy(&f->wakes);
}

/* ---- waiting ----------------------------------------------------------- */

void fixture_poll(struct store_fixture *f, int ms)
{
    struct timespec until;

    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += ms / 1000;
    until.tv_nsec += ms % 1000 * 1000000L;
    if (until.tv_nsec >= 1000000000L) {
        until.tv_sec++;
        until.tv_nsec -= 1000000000L;
    }
    pthread_mutex_lock(&f->lock);
    while (!f->awake &&
           pthread_cond_timedwait(&f->wakes, &f->lock, &until) != ETIMEDOUT)
        ;
    f->awake = false;
    pthread_mutex_unlock(&f->lock);
    store_poll(f->store);
}

transaction_id fixture_submit(struct store_fixture *f, struct transaction *u)
{
    transaction_id id = ++f->next_transaction;

    f->results[id % FIXTURE_TRANSACTIONS] = 0;
    if (f->arrays) {
        struct transaction_outcome outcome = disk_store(&f->disk, u);
        stored(f, id, &outcome);
        transaction_done(u);
    } else {
        store_submit(f->store, id, u);
    }
    return id;
}

enum transaction_result fixture_store(struct store_fixture *f,
                                      struct transaction *u)
{
    transaction_id id = fixture_submit(f, u);

    while (f->results[id % FIXTURE_TRANSACTIONS] == 0)
        fixture_poll(f, 1000);
    return (enum transaction_result)(f->results[id % FIXTURE_TRANSACTIONS] -
                                     1);
}

const struct answer *fixture_ask(struct store_fixture *f,
                                 const struct question *q)
{
    ask_id id = ++f->next_ask;

    if (f->arrays) {
        answer_done(&f->answer);
        disk_answer(&f->disk, q, &f->answer);
        return &f->answer;
    }
    f->awaited = id;
    store_ask(f->store, id, q);
    while (f->awaited == id)
        fixture_poll(f, 1000);
    return &f->answer;
}

const struct answer *fixture_table(struct store_fixture *f, id_num table)
{
    struct question q = {.kind = ASK_TABLE, .u.table = {.id = table}};
    return fixture_ask(f, &q);
}

/* ---- transactions ------------------------------------------------------- */

int64_t fixture_sql(const struct store_fixture *f, const char *text)
{
    char path[300];
    sqlite3 *db;
    sqlite3_stmt *stmt;
    int64_t value = -1;

    if (f->url[0] != '\0')
        return postgresql_number(f->url, text);
    snprintf(path, sizeof(path), "%s/sobremesa.db", f->dir);
    int rc = sqlite3_open(path, &db);
    ASSERT(rc == SQLITE_OK);
    rc = sqlite3_prepare_v2(db, text, -1, &stmt, NULL);
    ASSERT(rc == SQLITE_OK);
    if (sqlite3_step(stmt) == SQLITE_ROW)
        value = sqlite3_column_int64(stmt, 0);
    rc = sqlite3_finalize(stmt);
    ASSERT(rc == SQLITE_OK);
    sqlite3_close(db);
    return value;
}

void make_account(struct transaction *u, id_num id, const char *name)
{
    struct op *op = transaction_add(u, OP_ACCOUNT);

    op->account = id;
    op->u.account_row = (struct account_row){
        .id = id,
        .kind = ACCOUNT_USER,
        .name = region_text(&u->region, name, strlen(name)),
        .password = "argon2",
        .created = 5,
        .seen = 6,
    };
}

void make_people(struct transaction *u, int n)
{
    char name[16];

    for (int i = 1; i <= n; i++) {
        snprintf(name, sizeof(name), "user%d", i);
        make_account(u, (id_num)i, name);
    }
}

void make_summary(struct summary *summary, int64_t ply, int state, int seats,
                  int filled)
{
    int acting = (int)((ply + 2) % 2);

    *summary = (struct summary){
        .state = (uint8_t)state,
        .seats = (uint8_t)seats,
        .ply = (uint32_t)(ply < 0 ? 0 : ply),
        .changed = 1000 * ply,
    };
    for (int i = 0; i < filled; i++)
        summary->seat[i] = (id_num)i + 1;
    if (state == TABLE_PLAYING) {
        summary->acting = (uint16_t)(1 << acting);
        summary->since[acting] = 1000 * ply - 7;
    }
}

void make_table(struct transaction *u, id_num id, int state, int seats,
                int filled)
{
    struct op *op = transaction_add(u, OP_TABLE);
    struct table_row *t = &op->u.table_row;

    op->table = id;
    *t = (struct table_row){
        .id = id,
        .owner = 1,
        .game = "tictactoe",
        .created = 1000,
        .spectators = true,
        .start_full = true,
        .seed = "00ff",
        .header = "{\"format\":\"sobremesa-record/1\"}",
        .options = "{}",
    };
    make_summary(&t->summary, -1, state, seats, filled);
}

static void ply_line(char text[96], id_num id, int64_t ply)
{
    snprintf(text, 96,
             "{\"at\":%lld,\"kind\":\"move\",\"ply\":%lld,"
             "\"table\":%llu}",
             1000 * (long long)ply, (long long)ply, (unsigned long long)id);
}

const uint8_t *make_chain(struct region *r, id_num id, int64_t ply)
{
    uint8_t *chain = region_take(r, SHA256_SIZE);
    char text[96];

    ply_line(text, id, ply);
    sha256(text, strlen(text), chain);
    return ply >= 0 ? chain : NULL;
}

void make_plies(struct transaction *u, id_num id, int64_t expect, size_t count,
                int state, int seats, int filled)
{
    struct op *op = transaction_add(u, OP_PLIES);
    char text[96];

    op->table = id;
    op->u.plies.expect = make_chain(&u->region, id, expect);
    op->u.plies.count = count;
    op->u.plies.rows = region_take(&u->region, count * sizeof(struct ply_row));
    for (size_t i = 0; i < count; i++) {
        struct ply_row *row = &op->u.plies.rows[i];
        row->ply = (uint32_t)(expect + 1 + (int64_t)i);
        ply_line(text, id, row->ply);
        row->len = strlen(text);
        row->line = region_text(&u->region, text, row->len);
        sha256(text, row->len, row->chain);
    }
    make_summary(&op->u.plies.summary, expect + (int64_t)count, state, seats,
                 filled);
}

bool plies_whole(const struct answer *a, id_num id)
{
    char text[96];
    uint8_t chain[SHA256_SIZE];

    if (a->failed || a->table == NULL || a->table->id != id)
        return false;
    for (size_t i = 0; i < a->ply_count; i++) {
        const struct ply_row *row = &a->plies[i];
        ply_line(text, id, (int64_t)i);
        sha256(text, strlen(text), chain);
        if (row->ply != i || row->len != strlen(text) ||
            strcmp(row->line, text) != 0 ||
            memcmp(row->chain, chain, sizeof(chain)) != 0)
            return false;
    }
    return true;
}
