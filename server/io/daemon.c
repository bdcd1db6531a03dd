#include "daemon.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sodium.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/base.h"
#include "protocol/version.h"
#include "server/hub/limits.h"
#include "log.h"
#include "log_writer.h"
#include "system.h"
#include "thread.h"

/* How long a turn works on what came, a step more or less.  Where all are near
 * and trusted they are not in each other's way: then a turn is long, and what it
 * stores and sends is done together. */
#define TURN_NS       300000
#define TURN_NEAR_NS  20000000
#define QUESTIONS_MAX 8 /* two for each reader */
#define UNANSWERED_MS 500
#define WRITES_MANY   200  /* in a turn: the sender does them */
#define END_MS        8000 /* what has not ended by then is cut: 10 s in all */
#define OWN_ASK       UINT64_MAX /* the hub counts its own from 1 */
#define SIZES_MS      (10 * 60 * 1000)
#define FILES_MS      5000
#define SETTLE_MS     2000
#define CLOSE_MS      1500 /* and what the disk holds up after that is left */

int64_t daemon_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

int64_t daemon_clock(const struct daemon *d)
{
    return (int64_t)uv_now(&d->loop);
}

/* ---- what comes back ------------------------------------------------------ */

static void on_stored(void *context, transaction_id transaction,
                      const struct transaction_outcome *outcome)
{
    struct daemon *d = context;
    d->under_way--;
    host_release(d, transaction, outcome->result == TRANSACTION_STORED);
    hub_stored(d->hub, transaction, outcome, daemon_now());
}

/* How much there is: counted now and then, for /metrics. */
static void ask_sizes(struct daemon *d)
{
    static const struct question q = {.kind = ASK_SIZES};

    if (d->ending || daemon_clock(d) < d->sizes_ms)
        return;
    d->sizes_ms = INT64_MAX;
    store_ask(d->store, OWN_ASK, &q);
}

static void watch_files(struct daemon *d)
{
    if (daemon_clock(d) < d->look_ms)
        return;
    d->look_ms = daemon_clock(d) + FILES_MS;
    store_watch_files(d->store);
}

static void take_sizes(struct daemon *d, const struct answer *answer)
{
    d->sizes_ms = daemon_clock(d) + SIZES_MS;
    if (!answer->failed)
        memcpy(d->sizes, answer->counts, sizeof(d->sizes));
}

bool daemon_all_near(const struct daemon *d)
{
    return d->fair.limited == 0 && d->proxied == 0;
}

/* The processor's time is dear to ask for; where all are near any other is as
 * good. */
static int64_t step_clock(bool near)
{
    return near ? (int64_t)uv_hrtime() : turns_clock();
}

static void on_answered(void *context, ask_id ask, struct answer *answer)
{
    struct daemon *d = context;

    if (ask == OWN_ASK) {
        take_sizes(d, answer);
        return;
    }
    struct conn *c = map_get(&d->peers, hub_asker(d->hub, ask));
    bool near = daemon_all_near(d);
    int64_t began_ns = step_clock(near), others_ns = answer->took_us * 1000;

    d->questions--;
    d->answered_ms = daemon_clock(d);
    if (c != NULL) /* now, as with the answer it may be nobody's any more */
        fair_used(&d->fair, &c->member, 0, others_ns, daemon_clock(d));
    hub_answered(d->hub, ask, answer, daemon_now());
    if (c != NULL) /* in memory still, if it has left, too */
        fair_used(&d->fair, &c->member, step_clock(near) - began_ns, 0,
                  daemon_clock(d));
}

static bool polled_enough(void *context)
{
    struct daemon *d = context;
    return !daemon_all_near(d) && turns_clock() - d->polled_ns >= TURN_NS;
}

/* Whose answer is gone on from first: theirs who took least lately. */
static unsigned rank_of(void *context, ask_id ask)
{
    struct daemon *d = context;

    if (daemon_all_near(d) || ask == OWN_ASK)
        return 0;
    struct conn *c = map_get(&d->peers, hub_asker(d->hub, ask));
    return c != NULL ? fair_level(&c->member, daemon_clock(d)) : 0;
}

static void on_store_log(void *context, enum host_level level,
                         const char *line)
{
    (void)context;
    log_line(level, log_event("store"), log_text("text", line));
}

static void on_hashed(void *context, uint64_t id, const char *hash, bool fits)
{
    struct daemon *d = context;
    hub_hashed(d->hub, id, hash, fits, daemon_now());
}

static void on_delivered(void *context, uint64_t id,
                         const struct delivery_outcome *o)
{
    struct daemon *d = context;
    hub_delivered(d->hub, id, o, daemon_now());
}

static void on_sent(void *context, struct socket_write *s)
{
    (void)context;
    conn_sent(s);
}

static void wake(void *context)
{
    struct daemon *d = context;
    uv_async_send(&d->woken);
}

static void tell_leaving(struct daemon *d)
{
    while (d->leaving_count > 0)
        hub_close(d->hub, d->leaving[--d->leaving_count], daemon_now());
}

static struct conn *first_dirty(const struct daemon *d)
{
    for (int i = 0; i < FAIR_LEVELS; i++)
        if (!TAILQ_EMPTY(&d->dirty[i]))
            return TAILQ_FIRST(&d->dirty[i]);
    return NULL;
}

/* Of those who have something to write, one of whom took most lately. */
static struct conn *last_dirty(const struct daemon *d)
{
    for (int i = FAIR_LEVELS; i-- > 0;)
        if (!TAILQ_EMPTY(&d->dirty[i]))
            return TAILQ_FIRST(&d->dirty[i]);
    return NULL;
}

static void flush(struct daemon *d, struct conn *c)
{
    conn_flush(c);
    tell_leaving(d);
}

/* Writes what was said, to those first who took least of the processor's time
 * lately.  What there is no time for in this turn leaves in the next ones; and
 * one more each time, so that nobody waits for ever. */
static void flush_all(struct daemon *d)
{
    bool near = daemon_all_near(d);
    int64_t ends_ns = near ? 0 : turns_clock() + TURN_NS;
    struct conn *c;

    tell_leaving(d);
    d->many = d->dirty_count >= WRITES_MANY;
    while ((c = first_dirty(d)) != NULL) {
        flush(d, c);
        if (!near && turns_clock() >= ends_ns)
            break;
    }
    c = last_dirty(d);
    if (c != NULL)
        flush(d, c);
}

static void end_now(struct daemon *d, const char *why);

static void on_woken(uv_async_t *async)
{
    struct daemon *d = async->data;

    d->polled_ns = turns_clock();
    store_poll(d->store);
    sender_poll(d->sender);
    hasher_poll(d->hasher);
    courier_poll(d->courier);
    operate_poll(d);
    if (d->end_wanted)
        end_now(d, "sobremesactl");
}

/* Whether the store has enough to answer: what would ask it more waits where it
 * can still be said whose turn it is.  One that does not answer at all is not
 * waited for. */
static bool store_is_busy(const struct daemon *d)
{
    return d->questions >= QUESTIONS_MAX &&
           daemon_clock(d) - d->answered_ms < UNANSWERED_MS;
}

/* Works on what came, step by step, until it is time to look who else came.  A
 * step may be that which tells of somebody who is not near. */
static void serve_line(struct daemon *d)
{
    bool near = daemon_all_near(d);
    int64_t at = step_clock(near), used = 0;
    struct member *m;

    fair_busy(&d->fair, store_is_busy(d), daemon_clock(d));
    while (used < (near ? TURN_NEAR_NS : TURN_NS) &&
           (m = fair_next(&d->fair, daemon_clock(d))) != NULL) {
        conn_step((struct conn *)((char *)m - offsetof(struct conn, member)));
        int64_t now = step_clock(near);
        used += now - at;
        fair_took(&d->fair, now - at, daemon_clock(d));
        fair_busy(&d->fair, store_is_busy(d), daemon_clock(d));
        at = now;
        if (near && !daemon_all_near(d)) {
            near = false;
            at = step_clock(near);
        }
    }
}

static void on_more(uv_idle_t *idle)
{
    (void)idle; /* that the loop does not wait is all it is for */
}

static void on_rested(uv_timer_t *timer)
{
    (void)timer; /* the same */
}

/* Has the loop come back when somebody in line can be worked for, or the hub
 * has something left to do. */
static void come_back(struct daemon *d)
{
    int64_t ms = hub_works(d->hub) || d->dirty_count > 0
                     ? 0
                     : fair_wait_ms(&d->fair, daemon_clock(d));

    if (ms == 0)
        uv_idle_start(&d->more, on_more);
    else
        uv_idle_stop(&d->more);
    if (ms > 0)
        uv_timer_start(&d->rest, on_rested, (uint64_t)ms, 0);
}

/* Before the loop waits again a share of what came is worked on, what was said
 * leaves, and the store has what it is to keep.  Long work is last: who is
 * answered at once does not wait for a slice of it. */
static void on_turn(uv_prepare_t *prepare)
{
    struct daemon *d = prepare->data;

    listen_more(d);
    serve_line(d);
    store_go(d->store);
    flush_all(d);
    hub_work(d->hub, daemon_now());
    store_go(d->store);
    d->unsubmitted = 0;
    come_back(d);
    d->turn_number++;
    turns_next(&d->turns);
}

/* ---- ending ---------------------------------------------------------------- */

/* Nothing can be done with a disk that neither works nor fails but to leave it:
 * what was acknowledged is on it, and the next start finds out the rest. */
static void *leave_late(void *nothing)
{
    const int64_t ms = END_MS + CLOSE_MS;
    struct timespec wait = {ms / 1000, ms % 1000 * 1000000};

    (void)nothing;
    while (nanosleep(&wait, &wait) != 0)
        continue;
    log_line(LOG_ERROR, log_event("end_late"),
             log_text("text", "the disk does not answer; what was not "
                              "acknowledged may be lost"));
    _exit(1);
}

static void begin_end(struct daemon *d, const char *why)
{
    pthread_t late;

    if (d->ending)
        return;
    if (thread_start(&late, "leave_late", leave_late, NULL) == 0)
        pthread_detach(late);
    log_line(LOG_NOTICE, log_event("shutdown"), log_text("reason", why));
    system_notify("STOPPING=1");
    d->ending = true;
    d->ends_ms = daemon_clock(d) + END_MS;
    listen_stop(d);
    courier_end(d->courier);
    thinkers_end(d);
    hub_shutdown(d->hub, daemon_now());
}

static void close_conns(struct daemon *d, bool flush)
{
    for (struct conn *c = d->conns; c != NULL; c = c->next) {
        if (flush)
            conn_drop(c, DROP_SHUTDOWN);
        else
            conn_close(c, false);
    }
}

/* The walk outside-in: no new connections, no new requests, transactions under
 * way are stored, their messages leave, connections close, the store
 * closes. */
static void go_on_ending(struct daemon *d)
{
    if (!d->ending)
        return;
    bool late = daemon_clock(d) >= d->ends_ms;
    if (!hub_idle(d->hub) && !late)
        return;
    close_conns(d, !late);
    flush_all(d);
    if (d->conns == NULL || late)
        uv_stop(&d->loop);
}

/* Whether people could do nothing since the last tick: the loop stood still, or
 * the wall's clock leapt. */
static void watch_clocks(struct daemon *d)
{
    int64_t now = daemon_clock(d), wall = daemon_now();
    int64_t passed = now - d->ticked_ms, shown = wall - d->ticked_wall_ms;

    if (passed >= LIMIT_STILL_MS || shown - passed >= LIMIT_LEAP_MS)
        hub_stood_still(d->hub, d->ticked_wall_ms, wall);
    d->ticked_ms = now;
    d->ticked_wall_ms = wall;
}

static void on_tick(uv_timer_t *timer)
{
    struct daemon *d = timer->data;
    struct conn *next;

    if (d->watched)
        system_notify("WATCHDOG=1");
    watch_clocks(d);
    hub_tick(d->hub, daemon_now());
    ask_sizes(d);
    watch_files(d);
    tzdata_tick(d);
    thinkers_tick(d);
    fair_tick(&d->fair, daemon_clock(d));
    for (struct conn *c = d->conns; c != NULL; c = next) {
        next = c->next;
        conn_tick(c, daemon_clock(d));
    }
    go_on_ending(d);
    if (d->ending)
        uv_timer_set_repeat(timer, 20);
}

static void end_now(struct daemon *d, const char *why)
{
    d->end_wanted = false;
    begin_end(d, why);
    uv_timer_start(&d->tick, on_tick, 0, 20);
}

void daemon_log(const struct daemon *d)
{
    const struct config *c = &d->config;

    log_configure(&(struct log_options){
        .level = log_level_named(c->log_level),
        .form = strcmp(c->log_format, "json") == 0 ? LOG_AS_JSON : LOG_AS_TEXT,
        .addresses = c->log_addresses,
    });
}

/* Whom push services ask if something is wrong. */
static const char *contact_of(const struct config *c)
{
    bool good = strncmp(c->contact, "mailto:", 7) == 0 ||
                strncmp(c->contact, "https://", 8) == 0;
    if (good)
        return c->contact;
    return strncmp(c->url, "https://", 8) == 0 ? c->url : "";
}

static void configure_courier(struct daemon *d)
{
    const struct config *c = &d->config;

    courier_configure(d->courier, &(struct courier_config){
                                      .mail_server = c->mail_server,
                                      .mail_user = c->mail_user,
                                      .mail_password = c->mail_password,
                                      .mail_from = c->mail_from,
                                      .mail_bounces = c->mail_bounces,
                                      .mail_rate = (int)c->mail_rate,
                                      .allow = c->notices_allow,
                                      .authorities = c->notices_authorities,
                                      .contact = contact_of(c),
                                  });
}

static void take_config(struct daemon *d)
{
    static const char *const words[] = {"open", "invite", "closed"};
    const struct config *c = &d->config;
    const int64_t day = 24 * 3600 * INT64_C(1000);

    d->hub_config = (struct hub_config){
        .version = SOBREMESA_VERSION,
        .server_name = c->name,
        .url = c->url,
        .mail = c->mail_server[0] != '\0' && c->mail_from[0] != '\0' &&
                c->url[0] != '\0',
        .mail_rate = c->mail_rate,
        .motd = c->motd,
        .maintenance = c->maintenance,
        .rules_url = c->rules_url,
        .privacy_url = c->privacy_url,
        .contact = c->contact,
        .invitation = c->invitation_code,
        .guests = c->guests,
        .limits_local = c->limits_local,
        .guest_ms = day,
        .session_ms = c->session_days * day,
        .open_table_ms = c->open_table_days * day,
        .absence_days = (int)c->absence_days,
        .accounts_day = c->accounts_day,
        .bots = (int)c->bots_processes,
        .silence_days = (int)c->silence_days,
        .idle_table_ms = 10 * 60 * 1000,
        .tables_bytes = (size_t)c->tables_memory << 20,
        .datasets = d->datasets,
    };
    size_t count = 0;
    for (size_t i = 0; i < CONFIG_DATASETS_MAX; i++) {
        const struct config_dataset *set = &c->dataset[i];
        if (set->text != NULL)
            d->datasets[count++] = (struct dataset){
                .game = set->rules->name,
                .asset = {.text = set->text, .len = set->len},
            };
    }
    d->datasets[count] = (struct dataset){0};
    for (int i = 0; i < 3; i++)
        if (strcmp(c->registration, words[i]) == 0)
            d->hub_config.registration = (enum registration)i;
    daemon_log(d);
}

static void log_doubt(const char *event, const char *text)
{
    log_line(LOG_WARNING, log_event(event), log_text("text", text));
}

static void on_changed(const char *key, const char *was, const char *is,
                       bool at_restart)
{
    log_line(LOG_NOTICE, log_event("config_changed"), log_text("key", key),
             log_text("was", was), log_text("is", is),
             log_text("when", at_restart ? "restart" : "now"));
}

static void reload(struct daemon *d)
{
    struct config fresh = d->config;
    char why[CONFIG_TEXT_MAX];

    if (!config_again(&fresh, why, sizeof(why))) {
        log_line(LOG_ERROR, log_event("reload_failed"), log_text("text", why));
        return;
    }
    struct config_dataset before[CONFIG_DATASETS_MAX];
    memcpy(before, d->config.dataset, sizeof(before));
    config_take(&d->config, &fresh, on_changed);
    take_config(d);
    configure_courier(d);
    hub_configure(d->hub, &d->hub_config);
    config_free_datasets(before);
    config_doubts(&d->config, log_doubt);
    tzdata_again(d);
    log_line(LOG_NOTICE, log_event("reloaded"));
}

/* Whether the terminal that the log was shown in is gone, as when its window is
 * closed: then SIGHUP is no wish to read the configuration again. */
static bool terminal_gone(const struct daemon *d)
{
    return d->in_terminal && !isatty(STDERR_FILENO);
}

static void on_signal(uv_signal_t *handle, int number)
{
    struct daemon *d = handle->data;
    char text[64];

    if (number != SIGHUP || terminal_gone(d)) {
        end_now(d, number == SIGTERM  ? "SIGTERM"
                   : number == SIGINT ? "SIGINT"
                                      : "SIGHUP");
        return;
    }
    snprintf(text, sizeof(text), "RELOADING=1\nMONOTONIC_USEC=%" PRIu64,
             uv_hrtime() / 1000);
    system_notify(text);
    reload(d);
    system_notify("READY=1");
}

/* ---- beginning -------------------------------------------------------------- */

static void raise_files(void)
{
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
        files.rlim_cur = files.rlim_max;
        (void)setrlimit(RLIMIT_NOFILE, &files);
    }
}

static void say_ready(struct daemon *d)
{
    static const char *const names[] = {"http", "lines", "lines_unix",
                                        "admin"};
    struct json_out o;

    json_out_init(&o);
    out_object(&o, NULL);
    out_bool(&o, "ready", true);
    for (int i = 0; i < LISTENERS; i++)
        if (d->listeners[i].open)
            out_string(&o, names[i], d->listeners[i].where);
    out_end(&o);
    puts(json_out_text(&o));
    fflush(stdout);
    json_out_done(&o);
    log_line(LOG_NOTICE, log_event("ready"),
             log_text("version", SOBREMESA_VERSION),
             log_number("pid", getpid()),
             log_text("http", d->listeners[LISTEN_HTTP].where),
             log_text("lines", d->listeners[LISTEN_LINES].where));
    system_notify("READY=1");
}

static void start_handles(struct daemon *d)
{
    /* Who has gone is heard of by an error, not by the daemon's end. */
    (void)signal(SIGPIPE, SIG_IGN);
    uv_async_init(&d->loop, &d->woken, on_woken);
    uv_timer_init(&d->loop, &d->tick);
    uv_prepare_init(&d->loop, &d->turn);
    uv_idle_init(&d->loop, &d->more);
    uv_timer_init(&d->loop, &d->rest);
    uv_signal_init(&d->loop, &d->term);
    uv_signal_init(&d->loop, &d->interrupt);
    uv_signal_init(&d->loop, &d->hangup);
    d->woken.data = d->tick.data = d->turn.data = d;
    d->term.data = d->interrupt.data = d->hangup.data = d;
}

static void stop_handles(struct daemon *d)
{
    uv_close((uv_handle_t *)&d->woken, NULL);
    uv_close((uv_handle_t *)&d->tick, NULL);
    uv_close((uv_handle_t *)&d->turn, NULL);
    uv_close((uv_handle_t *)&d->more, NULL);
    uv_close((uv_handle_t *)&d->rest, NULL);
    uv_close((uv_handle_t *)&d->term, NULL);
    uv_close((uv_handle_t *)&d->interrupt, NULL);
    uv_close((uv_handle_t *)&d->hangup, NULL);
}

static int open_store(struct daemon *d, char *why, size_t size)
{
    struct store_owner owner = {
        .context = d,
        .wake = wake,
        .stored = on_stored,
        .answered = on_answered,
        .log = on_store_log,
        .enough = polled_enough,
        .rank = rank_of,
    };
    struct store_config config = {
        .readers = (unsigned)d->config.readers,
        .sync = strcmp(d->config.sync, "off") == 0      ? STORE_SYNC_OFF
                : strcmp(d->config.sync, "normal") == 0 ? STORE_SYNC_NORMAL
                                                        : STORE_SYNC_FULL,
    };
    if (d->config.store_url[0] == '\0')
        return store_open(d->config.data, &config, &owner, &d->store, why,
                          size);
    if (mkdir(d->config.data, 0700) != 0 && errno != EEXIST) {
        int err = errno;
        snprintf(why, size, "cannot make %.200s: %s", d->config.data,
                 strerror(err));
        return -err;
    }
    return store_postgresql_open(d->config.store_url, &config, &owner,
                                 &d->store, why, size);
}

/* The file is a backup's copy: before anybody comes each table that goes on is
 * told.  If that does not succeed the next start tries again. */
static bool settle_restored(struct daemon *d)
{
    if (!store_restored(d->store))
        return true;
    log_line(LOG_NOTICE, log_event("restoring"));
    hub_restore(d->hub, daemon_now());
    while (!hub_idle(d->hub))
        uv_run(&d->loop, UV_RUN_ONCE);
    if (!hub_restored(d->hub))
        return false;
    store_settled(d->store);
    log_line(LOG_NOTICE, log_event("restored"));
    return true;
}

/* What the hub asks at its beginning, like which bots there are, is answered
 * before anybody comes; a disk that does not is not waited for. */
static void settle(struct daemon *d)
{
    int64_t until;

    uv_update_time(&d->loop);
    until = daemon_clock(d) + SETTLE_MS;
    uv_timer_start(&d->rest, on_rested, SETTLE_MS, 0);
    while (!hub_idle(d->hub) && daemon_clock(d) < until)
        uv_run(&d->loop, UV_RUN_ONCE);
}

static void finish(struct daemon *d)
{
    listen_stop(d);
    thinkers_end(d);
    store_close(d->store);
    tell_leaving(d);
    operate_poll(d);
    hub_free(d->hub);
    d->hub = NULL; /* what still comes finds none */
    hasher_free(d->hasher);
    courier_free(d->courier);
    for (struct conn *c = d->conns; c != NULL; c = c->next)
        conn_close(c, false);
    sender_free(d->sender);
    stop_handles(d);
    uv_run(&d->loop, UV_RUN_DEFAULT);
    host_release(d, UINT64_MAX, false);
    uv_loop_close(&d->loop);
    map_done(&d->peers);
    fair_done(&d->fair);
    free(d->leaving);
    ws_kit_done(&d->kit);
    zones_free(d->zones);
}

/* What an end that was not orderly may have done to the file is found out while
 * people play. */
static void look_at_store(struct daemon *d)
{
    struct store_health h;

    store_health(d->store, &h);
    if (!h.unclean)
        return;
    log_line(LOG_NOTICE, log_event("unclean_end"),
             log_text("text", "the last end was not orderly: all of the "
                              "store's file is looked at"));
    (void)store_check(d->store);
}

static void run(struct daemon *d)
{
    look_at_store(d);
    uv_signal_start(&d->term, on_signal, SIGTERM);
    uv_signal_start(&d->interrupt, on_signal, SIGINT);
    uv_signal_start(&d->hangup, on_signal, SIGHUP);
    uv_update_time(&d->loop);
    d->ticked_ms = daemon_clock(d);
    d->ticked_wall_ms = daemon_now();
    uv_timer_start(&d->tick, on_tick, 1000, 1000);
    thinkers_tick(d);
    say_ready(d);
    turns_begin(&d->turns);
    uv_run(&d->loop, UV_RUN_DEFAULT);
}

int daemon_run(const struct config *config)
{
    struct daemon *d = calloc(1, sizeof(*d));
    char why[512] = "";
    int status = 1;

    log_writer_begin();
    if (d == NULL || sodium_init() < 0 || uv_loop_init(&d->loop) < 0) {
        log_line(LOG_ERROR, log_event("start_failed"),
                 log_text("text", "out of memory"));
        free(d);
        log_writer_end();
        return 1;
    }
    host_init(d);
    d->config = *config;
    d->started_ms = daemon_now();
    d->watched = system_watches();
    d->in_terminal = isatty(STDERR_FILENO);
    ws_kit_init(&d->kit, NULL, NULL);
    fair_init(&d->fair);
    for (int i = 0; i < FAIR_LEVELS; i++)
        TAILQ_INIT(&d->dirty[i]);
    d->turn_number = 1; /* nobody was read from yet */
    raise_files();
    take_config(d);
    start_handles(d);
    tzdata_begin(d);
    if (open_store(d, why, sizeof(why)) < 0)
        goto err;
    d->sender = sender_new(d, wake, on_sent);
    d->hasher = hasher_new(d, wake, on_hashed);
    d->courier = courier_new(d, wake, on_delivered);
    d->hub = hub_new(&d->host, &d->hub_config, daemon_now());
    if (d->sender == NULL || d->hasher == NULL || d->courier == NULL ||
        d->hub == NULL) {
        snprintf(why, sizeof(why), "no threads or no memory");
        goto err;
    }
    configure_courier(d);
    uv_prepare_start(&d->turn, on_turn);
    if (!settle_restored(d)) {
        snprintf(why, sizeof(why),
                 "the tables of this backup cannot be made ready");
        goto err;
    }
    settle(d);
    if (listen_all(d, why, sizeof(why)) < 0)
        goto err;
    config_doubts(&d->config, log_doubt);
    run(d);
    log_line(LOG_NOTICE, log_event("ended"));
    status = 0;

err:
    if (status != 0)
        log_line(LOG_ERROR, log_event("start_failed"), log_text("text", why));
    finish(d);
    config_free_datasets(d->config.dataset);
    free(d);
    log_writer_end();
    return status;
}
