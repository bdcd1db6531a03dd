/* metrics.c -- /metrics: everything that the process can be watched by.
 *
 * deploy/monitoring/ has a dashboard and alerts made of these names; a test
 * (tests/deploy/test_monitoring.py) wants each of those to be here. */

#include <dirent.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include "daemon.h"
#include "log_writer.h"
#include "metrics_text.h"
#include "protocol/errors.h"
#include "protocol/methods.h"
#include "protocol/version.h"

#define US 1e-6

/* ---- the process, under the names that all processes have ----------------- */

/* Newer kernels (6.2) tell how many; else they are counted, of which there are
 * as many as connections. */
static double open_files(void)
{
    struct stat st;
    double count = 0;

    if (stat("/proc/self/fd", &st) == 0 && st.st_size > 0)
        return (double)st.st_size;
    DIR *dir = opendir("/proc/self/fd");
    if (dir == NULL)
        return 0;
    while (readdir(dir) != NULL)
        count++;
    closedir(dir);
    return count - 3; /* `.`, `..`, and the directory itself */
}

static void add_memory(FILE *f)
{
    long whole = 0, resident = 0;
    FILE *statm = fopen("/proc/self/statm", "re");

    if (statm == NULL)
        return;
    if (fscanf(statm, "%ld %ld", &whole, &resident) == 2) {
        double page = (double)sysconf(_SC_PAGESIZE);
        gauge(f, "process_resident_memory_bytes", "Memory in use.",
              (double)resident * page);
        gauge(f, "process_virtual_memory_bytes", "Addresses in use.",
              (double)whole * page);
    }
    fclose(statm);
}

static double seconds(const struct timeval *t)
{
    return (double)t->tv_sec + (double)t->tv_usec * US;
}

static void add_process(FILE *f, const struct daemon *d)
{
    struct rusage used;
    struct rlimit files;

    if (getrusage(RUSAGE_SELF, &used) == 0) {
        metric(f, "process_cpu_seconds_total", "counter",
               "Processor time used, of all threads.");
        sample(f, "process_cpu_seconds_total", NULL,
               seconds(&used.ru_utime) + seconds(&used.ru_stime));
    }
    add_memory(f);
    gauge(f, "process_open_fds", "Open files and sockets.", open_files());
    if (getrlimit(RLIMIT_NOFILE, &files) == 0)
        gauge(f, "process_max_fds", "How many may be open.",
              (double)files.rlim_cur);
    gauge(f, "process_start_time_seconds", "When it started, since 1970.",
          (double)d->started_ms / 1000);
    metric(f, "sobremesa_build_info", "gauge", "1; which version this is.");
    sample(f, "sobremesa_build_info", "version=\"" SOBREMESA_VERSION "\"", 1);
}

/* ---- connections -------------------------------------------------------- */

static void add_connections(FILE *f, struct daemon *d)
{
    gauge(f, "sobremesa_connections", "Connections now.",
          (double)d->conn_count);
    counter(f, "sobremesa_connections_total", "Connections accepted.",
            d->accepted);
    counter(f, "sobremesa_connections_refused_total",
            "Connections there was no room for.", d->turned_away);
    counter(f, "sobremesa_slow_consumers_cut_total",
            "Connections cut because they did not read.", d->cut);
    counter(f, "sobremesa_crowded_out_total",
            "Connections cut because too much waited for all of them.",
            d->crowded_out);
    counter(f, "sobremesa_rests_total",
            "How often a connection had sent too much to be read on.",
            d->fair.rests);
    gauge(f, "sobremesa_held_bytes",
          "Input that is not complete and output that is not taken.",
          (double)d->fair.held);
}

_Static_assert(TURNS_BUCKETS == STORE_BUCKETS, "they are shown alike");

static void add_turns(FILE *f, const struct turns *t)
{
    metric(f, "sobremesa_loop_turn_seconds", "histogram",
           "Processor time of a turn of the loop.");
    histogram(f, "sobremesa_loop_turn_seconds", NULL, t->us, TURNS_BUCKETS,
              t->us_sum, US);
    gauge(f, "sobremesa_loop_turn_longest_seconds",
          "The longest turn since the start.", (double)t->us_longest * US);
}

/* ---- the hub ------------------------------------------------------------ */

static void add_refusals(FILE *f, const struct hub_counts *hub)
{
    static const char name[] = "sobremesa_refusals_total";
    char labels[80];

    metric(f, name, "counter", "Requests refused, by the reason told.");
    for (enum error e = ERR_NONE + 1; e < ERRORS; e++) {
        (void)snprintf(labels, sizeof(labels), "reason=\"%s\"",
                       error_reason(e));
        sample(f, name, labels, (double)hub->refusals[e]);
    }
}

static void add_people(FILE *f, const struct hub_counts *hub)
{
    static const char logins[] = "sobremesa_logins_total";
    static const char made[] = "sobremesa_accounts_made_total";

    gauge(f, "sobremesa_accounts_online", "Accounts logged in.",
          (double)hub->accounts);
    metric(f, logins, "counter", "Log-ins with a password.");
    sample(f, logins, "result=\"good\"", (double)hub->logins[LOGIN_GOOD]);
    sample(f, logins, "result=\"failed\"", (double)hub->logins[LOGIN_FAILED]);
    sample(f, logins, "result=\"banned\"", (double)hub->logins[LOGIN_BANNED]);
    metric(f, made, "counter", "Accounts made.");
    sample(f, made, "kind=\"user\"", (double)hub->registered);
    sample(f, made, "kind=\"guest\"", (double)hub->guests);
}

static void add_latency(FILE *f, const struct hub_counts *hub)
{
    static const char name[] = "sobremesa_request_seconds";
    static const char moves[] = "sobremesa_move_seconds";
    static const char *const classes[METHOD_RATES] = {
        [RATE_CHEAP] = "class=\"cheap\"", [RATE_READ] = "class=\"read\"",
        [RATE_WRITE] = "class=\"write\"", [RATE_MOVE] = "class=\"move\"",
        [RATE_LOGIN] = "class=\"login\"",
    };

    metric(f, name, "histogram",
           "From a request to its answer, by the class of its rate limit.");
    for (int i = 0; i < METHOD_RATES; i++)
        histogram(f, name, classes[i], hub->answers[i].buckets,
                  LATENCY_BUCKETS, hub->answers[i].sum_ms, 1e-3);
    metric(f, moves, "histogram",
           "From a move to its answer, when it is on the disk.");
    histogram(f, moves, NULL, hub->moves_stored.buckets, LATENCY_BUCKETS,
              hub->moves_stored.sum_ms, 1e-3);
}

static void add_hub(FILE *f, const struct hub_counts *hub)
{
    gauge(f, "sobremesa_peers", "Peers known to the hub.", (double)hub->peers);
    gauge(f, "sobremesa_tables_memory_bytes", "What tables in memory take.",
          (double)hub->tables_bytes);
    gauge(f, "sobremesa_tables_loaded", "Tables in memory.",
          (double)hub->tables);
    counter(f, "sobremesa_requests_total", "Requests received.",
            hub->requests);
    add_refusals(f, hub);
    counter(f, "sobremesa_moves_total", "Moves of players.", hub->moves);
    counter(f, "sobremesa_plies_total", "Log entries stored.", hub->plies);
    counter(f, "sobremesa_updates_total", "Updates written.", hub->updates);
    counter(f, "sobremesa_units_failed_total",
            "Units that could not be stored.", hub->transactions_failed);
    add_people(f, hub);
    add_latency(f, hub);
}

/* ---- the store ---------------------------------------------------------- */

static void add_store(FILE *f, const struct daemon *d)
{
    char path[CONFIG_TEXT_MAX + 16];
    struct store_stats s;
    struct stat st;

    store_stats(d->store, &s);
    counter(f, "sobremesa_store_units_total", "Units stored.",
            s.transactions_stored);
    counter(f, "sobremesa_store_commits_total", "Transactions.", s.commits);
    counter(f, "sobremesa_store_commits_failed_total",
            "Transactions that failed.", s.commits_failed);
    gauge(f, "sobremesa_store_writable", "Whether the last write was good.",
          s.writable);
    gauge(f, "sobremesa_store_units_waiting", "Units waiting to be stored.",
          (double)s.transactions_waiting);
    gauge(f, "sobremesa_store_questions_waiting", "Questions waiting.",
          (double)s.questions_waiting);
    gauge(f, "sobremesa_store_wal_bytes", "Size of the write-ahead log.",
          (double)s.wal_bytes);
    (void)snprintf(path, sizeof(path), "%s/sobremesa.db", d->config.data);
    if (d->config.store_url[0] == '\0' && stat(path, &st) == 0)
        gauge(f, "sobremesa_store_file_bytes", "Size of the store's file.",
              (double)st.st_size);
    gauge(f, "sobremesa_store_free_bytes", "Of them, holes.",
          (double)s.free_bytes);
    metric(f, "sobremesa_store_commit_seconds", "histogram",
           "Duration of a transaction.");
    histogram(f, "sobremesa_store_commit_seconds", NULL, s.commit_us,
              STORE_BUCKETS, s.commit_us_sum, US);
    metric(f, "sobremesa_store_answer_seconds", "histogram",
           "Duration of a question.");
    histogram(f, "sobremesa_store_answer_seconds", NULL, s.answer_us,
              STORE_BUCKETS, s.answer_us_sum, US);
}

static void add_notices(FILE *f, const struct daemon *d,
                        const struct hub_counts *hub)
{
    static const char *const ways[CHANNELS] = {
        [CHANNEL_MAIL] = "channel=\"mail\"",
        [CHANNEL_PUSH] = "channel=\"push\"",
        [CHANNEL_WEBHOOK] = "channel=\"webhook\"",
    };
    static const struct {
        const char *name, *help;
    } totals[DELIVERY_RESULTS] = {
        {"sobremesa_notices_delivered_total", "Messages that were taken."},
        {"sobremesa_notices_retried_total", "Those that were not, for now."},
        {"sobremesa_notices_gone_total", "Receivers that are no more."},
        {"sobremesa_notices_faults_total",
         "Deliveries that failed by the server's own fault."},
    };
    struct outbox_counts c;

    hub_outbox(d->hub, &c);
    gauge(f, "sobremesa_notices_waiting",
          "Notices of which nothing is decided yet.", (double)c.waiting);
    metric(f, "sobremesa_notices_messages", "gauge",
           "Messages on their way to who is away.");
    for (int i = 0; i < CHANNELS; i++)
        sample(f, "sobremesa_notices_messages", ways[i],
               (double)c.ways[i].waiting);
    metric(f, "sobremesa_notices_oldest_timestamp_seconds", "gauge",
           "When the first of them was made; 0 is none.");
    for (int i = 0; i < CHANNELS; i++)
        sample(f, "sobremesa_notices_oldest_timestamp_seconds", ways[i],
               (double)c.ways[i].oldest / 1000);
    metric(
        f, "sobremesa_notices_alarm_timestamp_seconds", "gauge",
        "Since when nothing leaves by the server's own fault; 0 is not so.");
    for (int i = 0; i < CHANNELS; i++)
        sample(f, "sobremesa_notices_alarm_timestamp_seconds", ways[i],
               (double)c.ways[i].alarm_since / 1000);
    for (int r = 0; r < DELIVERY_RESULTS; r++) {
        metric(f, totals[r].name, "counter", totals[r].help);
        for (int i = 0; i < CHANNELS; i++)
            sample(f, totals[r].name, ways[i], (double)hub->delivered[i][r]);
    }
}

static void add_bots(FILE *f, const struct daemon *d,
                     const struct hub_counts *hub)
{
    gauge(f, "sobremesa_bots_wanted", "Processes that are to think for bots.",
          (double)d->config.bots_processes);
    gauge(f, "sobremesa_bots_processes", "Those that there are.",
          (double)hub->bots_there);
    gauge(f, "sobremesa_bots_waiting",
          "Tables at which a bot is to move, or thinks.",
          (double)hub->bots_asked);
    counter(f, "sobremesa_bots_moves_total", "Moves of bots.",
            hub->bots_moves);
    counter(f, "sobremesa_bots_mild_total",
            "Moves made for bots that did not move in time.", hub->bots_mild);
}

static void add_log(FILE *f)
{
    counter(f, "sobremesa_log_dropped_total",
            "Lines of the log that were dropped, as nobody read it.",
            log_writer_dropped());
}

static void add_health(FILE *f, const struct daemon *d)
{
    struct store_health h;

    store_health(d->store, &h);
    gauge(f, "sobremesa_store_damaged",
          "Whether the store's file is known to be damaged; then nothing is "
          "written.",
          h.damage[0] != '\0');
    gauge(f, "sobremesa_store_check_running",
          "Whether all of the store's file is being looked at.",
          h.check == CHECK_RUNNING);
    gauge(f, "sobremesa_store_check_timestamp_seconds",
          "When that was done last since the start; 0 is never.",
          (double)h.check_ms / 1000);
    gauge(f, "sobremesa_backup_timestamp_seconds",
          "When the last good backup was made; 0 is never.",
          (double)h.backup_ms / 1000);
    gauge(f, "sobremesa_backup_bytes", "Size of the last good backup.",
          (double)h.backup_bytes);
}

static void add_sizes(FILE *f, const struct daemon *d)
{
    static const char tables[] = "sobremesa_store_tables";
    static const char accounts[] = "sobremesa_store_accounts";
    static const char *const states[] = {
        [TABLE_OPEN] = "state=\"open\"",
        [TABLE_PLAYING] = "state=\"playing\"",
        [TABLE_FINISHED] = "state=\"finished\"",
        [TABLE_ABANDONED] = "state=\"abandoned\"",
    };

    metric(f, tables, "gauge", "Tables there are; counted every 10 minutes.");
    for (int state = TABLE_OPEN; state <= TABLE_ABANDONED; state++)
        sample(f, tables, states[state],
               (double)d->sizes[SIZE_TABLES + state]);
    metric(f, accounts, "gauge",
           "Accounts there are; counted every 10 minutes.");
    sample(f, accounts, "kind=\"user\"", (double)d->sizes[SIZE_USERS]);
    sample(f, accounts, "kind=\"guest\"", (double)d->sizes[SIZE_GUESTS]);
}

void metrics_write(struct daemon *d, FILE *f)
{
    struct hub_counts hub;

    hub_counts(d->hub, &hub);
    add_process(f, d);
    add_connections(f, d);
    add_turns(f, &d->turns);
    add_hub(f, &hub);
    gauge(f, "sobremesa_passwords_waiting", "Passwords waiting to be hashed.",
          (double)hasher_waiting(d->hasher));
    add_store(f, d);
    add_sizes(f, d);
    add_health(f, d);
    add_log(f);
    add_notices(f, d, &hub);
    add_bots(f, d, &hub);
}
