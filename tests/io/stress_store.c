/* stress_store.c -- all threads of the store at once, for ThreadSanitizer,
 * under which Criterion cannot run.
 *
 * usage: stress_store [SECONDS]
 *
 * Transactions for many tables, questions of every kind, backups, checkpoints,
 * a disk that fails now and then, opening and closing: with such limits that
 * everything happens often.  Speaks TAP. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base.h"
#include "tests/support/store_fixture.h"
#include "tests/support/store_vfs.h"

#define TABLES  64
#define BACKUPS 200

static struct store_fixture f;
static struct transaction u;
static int64_t last[TABLES + 1];  /* reported stored */
static int64_t tried[TABLES + 1]; /* handed over */
static transaction_id under_way[TABLES + 1];
static uint64_t wrong, failures, stored, backups;
static unsigned ends[BACKUPS]; /* how often each was told to have ended */
static size_t begun;           /* backups of this round */

static void told(void *context, const struct store_progress *p)
{
    unsigned *end = context;
    *end += p->finished;
}

/* Each begins the very moment the one before lets it; most fail at once. */
static void back_up(const char *path)
{
    while (!store_backup(f.store, path, &ends[begun], told))
        continue;
    begun++;
}

static void settle_backups(void)
{
    for (size_t i = 0; i < begun; i++) {
        for (int waits = 0; ends[i] == 0 && waits < 100; waits++)
            fixture_poll(&f, 100);
        wrong += ends[i] != 1;
    }
    backups += begun;
}

static void submit(id_num id)
{
    if (tried[id] < 0)
        make_table(&u, id, TABLE_PLAYING, 2, 2);
    size_t count = (size_t)(rand() % 3) + 1;
    make_plies(&u, id, last[id], count,
               rand() % 8 == 0 ? TABLE_OPEN : TABLE_PLAYING, 2, 2);
    if (rand() % 16 == 0) {
        struct op *op = transaction_add(&u, OP_MARK);
        op->table = op->account = id;
        op->u.number = 1;
    }
    tried[id] = last[id] + (int64_t)count;
    under_way[id] = fixture_submit(&f, &u);
}

/* What the hub does when a transaction has failed: it looks. */
static void look(id_num id)
{
    const struct answer *a = fixture_table(&f, id);

    if (a->table == NULL && !a->failed) {
        wrong += last[id] >= 0;
        last[id] = tried[id] = -1;
        return;
    }
    int64_t end = (int64_t)a->ply_count - 1;
    wrong += !plies_whole(a, id) || (end != last[id] && end != tried[id]);
    last[id] = end;
}

static void collect(void)
{
    for (id_num id = 1; id <= TABLES; id++) {
        transaction_id transaction = under_way[id];
        if (transaction == 0 || f.last_stored < transaction)
            continue;
        under_way[id] = 0;
        if (f.results[transaction % FIXTURE_TRANSACTIONS] ==
            TRANSACTION_STORED + 1) {
            last[id] = tried[id];
            stored++;
        } else {
            failures++;
            look(id);
        }
    }
}

static void ask(void)
{
    id_num table = (id_num)(rand() % TABLES) + 1;
    int state = rand() % 3 - 1;
    const struct question questions[] = {
        {.kind = ASK_ACCOUNT, .u.account = 1},
        {.kind = ASK_ACCOUNT_NAME, .u.name = "user1"},
        {.kind = ASK_TOKEN},
        {.kind = ASK_TOKENS, .u.account = 1},
        {.kind = ASK_LINK},
        {.kind = ASK_LINKS},
        {.kind = ASK_GUESTS},
        {.kind = ASK_TABLE, .u.table = {.id = table}},
        {.kind = ASK_TABLES, .u.tables = {.state = state, .all = true}},
        {.kind = ASK_MINE, .u.mine = {.account = 1, .state = state}},
        {.kind = ASK_RENAMES},
        {.kind = ASK_KEY, .u.key = {1, "user1", "k", 0}},
        {.kind = ASK_TEXTS, .u.texts = {.table = table, .account = 1}},
        {.kind = ASK_NOTE, .u.note = {.table = table, .account = 1}},
        {.kind = ASK_STUDY, .u.note = {.table = table, .account = 1}},
    };
    struct question q = questions[(size_t)rand() % COUNT_OF(questions)];

    q.limit = 20;
    store_ask(f.store, ++f.next_ask, &q);
}

static void settle(void)
{
    while (f.last_stored < f.next_transaction || f.answered < f.next_ask)
        fixture_poll(&f, 1000);
    collect();
}

static void round_of(int turns)
{
    struct store_stats stats;
    char path[300];

    f.answered = f.next_ask;
    ASSERT(fixture_open(&f) == 0);
    snprintf(path, sizeof(path), "%s/copy.db", f.dir);
    unlink(path);
    begun = 0;
    memset(ends, 0, sizeof(ends));
    while (begun < BACKUPS - 1)
        back_up("/nowhere/copy.db");
    back_up(path);
    for (int i = 0; i < turns; i++) {
        if (i % 200 == 150)
            store_vfs_fail(1 + rand() % 3, 1 + rand() % 20, 1);
        for (int j = 0; j < 10; j++) {
            id_num id = (id_num)(rand() % TABLES) + 1;
            if (under_way[id] == 0)
                submit(id);
        }
        ask();
        fixture_poll(&f, 1000);
        collect();
        store_stats(f.store, &stats);
    }
    store_vfs_fail(FAULT_NONE, 0, 0);
    settle();
    settle_backups();
    for (id_num id = 1; id <= TABLES; id++)
        look(id);
    fixture_close(&f);
}

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : 3;

    store_vfs_install();
    fixture_init(&f);
    transaction_init(&u);
    f.config = (struct store_config){
        .readers = 4,
        .batch_max = 16,
        .flush_ms = 2,
        .tail_max = 100,
        .wal_bytes = 64 << 10,
        .cache_max = 8,
        .retry_ms_max = 2,
    };
    for (id_num id = 1; id <= TABLES; id++)
        last[id] = tried[id] = -1;
    srand(1);
    for (int i = 0; i < rounds; i++)
        round_of(400);
    fprintf(stderr, "%d rounds, %llu stored, %llu failed, %llu backups\n",
            rounds, (unsigned long long)stored, (unsigned long long)failures,
            (unsigned long long)backups);
    printf("1..1\n%sok 1 - the store under stress\n",
           wrong == 0 && f.disorder == 0 && stored > 0 ? "" : "not ");
    fixture_done(&f);
    return 0;
}
