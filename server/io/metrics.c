/* metrics.c -- /metrics, in the text form of Prometheus. */

#include <inttypes.h>
#include <stdio.h>

#include "daemon.h"

static void add(FILE *f, const char *name, const char *type, const char *help,
                uint64_t value)
{
    fprintf(f, "# HELP sobremesa_%s %s\n# TYPE sobremesa_%s %s\n", name, help,
            name, type);
    fprintf(f, "sobremesa_%s %" PRIu64 "\n", name, value);
}

/* BUCKETS are powers of two of UNIT seconds. */
static void add_histogram(FILE *f, const char *name, const char *help,
                          const uint64_t *buckets, uint64_t sum, double unit)
{
    uint64_t count = 0;

    fprintf(f, "# HELP sobremesa_%s %s\n# TYPE sobremesa_%s histogram\n", name,
            help, name);
    for (int i = 0; i < STORE_BUCKETS - 1; i++) {
        count += buckets[i];
        fprintf(f, "sobremesa_%s_bucket{le=\"%g\"} %" PRIu64 "\n", name,
                (double)(UINT64_C(1) << i) * unit, count);
    }
    count += buckets[STORE_BUCKETS - 1];
    fprintf(f, "sobremesa_%s_bucket{le=\"+Inf\"} %" PRIu64 "\n", name, count);
    fprintf(f, "sobremesa_%s_sum %g\nsobremesa_%s_count %" PRIu64 "\n", name,
            (double)sum * unit, name, count);
}

_Static_assert(TURNS_BUCKETS == STORE_BUCKETS, "they are shown alike");

static void add_turns(FILE *f, const struct turns *t)
{
    add_histogram(f, "loop_turn_seconds",
                  "Processor time of a turn of the loop.", t->us, t->us_sum,
                  1e-6);
    fprintf(f,
            "# HELP sobremesa_loop_turn_longest_seconds The longest turn since"
            " the start.\n"
            "# TYPE sobremesa_loop_turn_longest_seconds gauge\n"
            "sobremesa_loop_turn_longest_seconds %g\n",
            (double)t->us_longest * 1e-6);
}

void metrics_write(struct daemon *d, FILE *f)
{
    struct hub_counts hub;
    struct store_stats store;

    hub_counts(d->hub, &hub);
    store_stats(d->store, &store);
    add(f, "connections", "gauge", "Connections now.", d->conn_count);
    add(f, "connections_total", "counter", "Connections accepted.",
        d->accepted);
    add(f, "connections_refused_total", "counter",
        "Connections there was no room for.", d->turned_away);
    add(f, "slow_consumers_cut_total", "counter",
        "Connections cut because they did not read.", d->cut);
    add(f, "peers", "gauge", "Peers known to the hub.", hub.peers);
    add(f, "accounts_online", "gauge", "Accounts logged in.", hub.accounts);
    add(f, "tables_loaded", "gauge", "Tables in memory.", hub.tables);
    add(f, "requests_total", "counter", "Requests received.", hub.requests);
    add(f, "refusals_total", "counter", "Requests refused.", hub.refused);
    add(f, "moves_total", "counter", "Moves of players.", hub.moves);
    add(f, "plies_total", "counter", "Log entries made.", hub.plies);
    add(f, "updates_total", "counter", "Updates written.", hub.updates);
    add(f, "units_failed_total", "counter",
        "Units that could not be stored or conflicted.", hub.units_failed);
    add(f, "store_units_total", "counter", "Units stored.",
        store.units_stored);
    add(f, "store_commits_total", "counter", "Transactions.", store.commits);
    add(f, "store_commits_failed_total", "counter",
        "Transactions that failed.", store.commits_failed);
    add(f, "store_writable", "gauge", "Whether the last write was good.",
        store.writable);
    add(f, "store_units_waiting", "gauge", "Units waiting to be stored.",
        store.units_waiting);
    add(f, "store_questions_waiting", "gauge", "Questions waiting.",
        store.questions_waiting);
    add(f, "store_wal_bytes", "gauge", "Size of the write-ahead log.",
        store.wal_bytes);
    add_histogram(f, "store_commit_seconds", "Duration of a transaction.",
                  store.commit_us, store.commit_us_sum, 1e-6);
    add_histogram(f, "store_answer_seconds", "Duration of a question.",
                  store.answer_us, store.answer_us_sum, 1e-6);
    add_turns(f, &d->turns);
}
