/* load.c -- the load on a server, whichever; see load.h.
 *
 * usage: load DRIVER HOST:PORT [OPTIONS]
 *
 *     --lanes N      tables with a move under way, 2 connections each
 *     --games N      games for each, one after the other
 *     --game NAME    what is played (hacienda)
 *     --data DIR     the server's data, for the seeds
 *     --tokens FILE  of people to play as, one a line; else as guests
 *     --rate N       moves a second in all; 0: as many as there are
 *     --warm S, --seconds S
 *     --pid N        the server, for its processor time
 *     --kill         kills it (SIGKILL) when the time is over
 *     --told FILE    what was acknowledged, a line for each table
 *
 * Prints one JSON object.  Times are taken when a message has been read.  With
 * a rate a move is due at its time whether or not a lane is free, and its
 * latency counts from then. */

#include "load.h"

#include <arpa/inet.h>
#include <errno.h>
#include <getopt.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "core/base.h"

#define CONNECTING_MAX 64 /* at a time: less than any backlog */
#define PATIENCE       60.0
#define SAMPLES_MAX    (1 << 22)

static struct load load;

/* What is measured; latencies in microseconds. */
static struct {
    double rate, warm, seconds;
    int pid;
    bool kill;
    const char *told;
    unsigned connected; /* connections begun */
    enum { MAKING, WARMING, MEASURING, DRAINING } phase;
    double began, ended, last_progress;
    uint64_t sent, acked, moves, bytes_in, bytes_out;
    uint64_t due; /* moves that the rate has asked for */
    double pace_began;
    uint32_t *acks, *updates;
    size_t ack_count, update_count;
    double server_cpu, load_cpu;
    struct lane *free, **free_end; /* lanes that are ready */
    uint64_t random;
} run;

static uv_timer_t watchdog;
static uv_poll_t pacer; /* a timerfd: the loop's own timers know only
                         * milliseconds, which would be most of what is
                         * measured */
static int pacer_fd;

/* ---- small things ------------------------------------------------------- */

static double now(void)
{
    return (double)uv_hrtime() / 1e9;
}

_Noreturn void load_fail(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fprintf(stderr, "load: ");
    vfprintf(stderr, format, args);
    fprintf(stderr, "\n");
    va_end(args);
    exit(1);
}

/* Masks need not be secret here. */
static void random_bytes(uint8_t *out, size_t n, void *context)
{
    (void)context;
    for (size_t i = 0; i < n; i++) {
        run.random = run.random * UINT64_C(6364136223846793005) + 1;
        out[i] = (uint8_t)(run.random >> 56);
    }
}

/* Processor time of process PID so far, in seconds. */
static double cpu_of(int pid)
{
    char path[64], text[1024];
    unsigned long user, system;

    if (pid == 0)
        return 0;
    snprintf(path, sizeof(path), "/proc/%d/stat", pid);
    FILE *f = fopen(path, "r");
    if (f == NULL)
        return 0;
    size_t n = fread(text, 1, sizeof(text) - 1, f);
    fclose(f);
    text[n] = '\0';
    const char *at = strrchr(text, ')');
    if (at == NULL || sscanf(at,
                             ") %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u"
                             " %lu %lu",
                             &user, &system) != 2)
        return 0;
    return (double)(user + system) / (double)sysconf(_SC_CLK_TCK);
}

static double cpu_own(void)
{
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
           (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
}

static void sample(uint32_t *samples, size_t *count, double seconds)
{
    if (*count < SAMPLES_MAX)
        samples[(*count)++] = (uint32_t)(1e6 * seconds);
}

/* ---- saying ------------------------------------------------------------- */

static void after_write(uv_write_t *write, int status)
{
    free(write->data);
    free(write);
    if (status < 0 && run.phase != DRAINING)
        load_fail("write: %s", uv_strerror(status));
}

static void put(struct client *c, const uint8_t *bytes, size_t len)
{
    uv_buf_t buf = uv_buf_init((char *)(uintptr_t)bytes, (unsigned)len);
    int n = uv_try_write((uv_stream_t *)&c->tcp, &buf, 1);

    run.bytes_out += len;
    if (n == (int)len || (n < 0 && n != UV_EAGAIN && run.phase == DRAINING))
        return;
    if (n < 0 && n != UV_EAGAIN)
        load_fail("write: %s", uv_strerror(n));
    size_t done = n > 0 ? (size_t)n : 0;
    uv_write_t *write = malloc(sizeof(*write));
    write->data = malloc(len - done);
    memcpy(write->data, bytes + done, len - done);
    buf = uv_buf_init(write->data, (unsigned)(len - done));
    uv_write(write, (uv_stream_t *)&c->tcp, &buf, 1, after_write);
}

static void say(struct client *c, enum ws_opcode opcode, const void *data,
                size_t len)
{
    static uint8_t room[WS_HEADER_BYTES_MAX + WS_MESSAGE_BYTES_MAX];

    if (c->load->driver->raw)
        put(c, data, len);
    else
        put(c, room, ws_write(&c->ws, &load.kit, opcode, data, len, room));
}

void client_say(struct client *c, const char *text, size_t len)
{
    say(c, WS_OPCODE_TEXT, text, len);
}

void client_say_bytes(struct client *c, const void *data, size_t len)
{
    say(c, WS_OPCODE_BINARY, data, len);
}

void client_say_text(struct client *c, const char *text)
{
    client_say(c, text, strlen(text));
}

/* ---- moves -------------------------------------------------------------- */

static void finish(void);

/* Has LANE make its next move, which is DUE; false if it has none now. */
static bool move(struct lane *lane, double due)
{
    int seat = load.driver->move(lane);

    if (seat < 0)
        return false;
    lane->mover = seat;
    lane->moving = true;
    lane->pending = (1u << (SEATS + 1)) - 1;
    lane->due = due;
    lane->sent++;
    run.sent++;
    return true;
}

static struct lane *take_free(void)
{
    struct lane *lane = run.free;
    if (lane == NULL)
        return NULL;
    run.free = lane->next;
    if (run.free == NULL)
        run.free_end = &run.free;
    lane->ready = false;
    return lane;
}

/* When move N, from 0, is due. */
static double due_at(uint64_t n)
{
    return run.pace_began + (double)(n + 1) / run.rate;
}

/* Has the pacer wake us when the next move is due. */
static void pace(void)
{
    double at = due_at(run.due);
    struct itimerspec when = {.it_value.tv_sec = (time_t)at};

    when.it_value.tv_nsec = (long)((at - (double)when.it_value.tv_sec) * 1e9);
    if (timerfd_settime(pacer_fd, TFD_TIMER_ABSTIME, &when, NULL) < 0)
        load_fail("timerfd: %s", strerror(errno));
}

/* Sends what is due. */
static void go(void)
{
    struct lane *lane;

    if (run.phase != WARMING && run.phase != MEASURING)
        return;
    if (run.rate == 0) {
        while ((lane = take_free()) != NULL)
            move(lane, now());
        return;
    }
    double t = now();
    while (due_at(run.due) <= t && (lane = take_free()) != NULL)
        if (move(lane, due_at(run.due)))
            run.due++;
    if (due_at(run.due) > t)
        pace(); /* else a lane that becomes free goes on */
}

void lane_ready(struct lane *lane)
{
    load.ready_lanes++;
    run.last_progress = now();
    lane->ready = true;
    lane->next = NULL;
    *run.free_end = lane;
    run.free_end = &lane->next;
    if (run.rate == 0 || due_at(run.due) <= run.last_progress)
        go(); /* else the pacer wakes us */
}

void lane_prepared(struct lane *lane)
{
    (void)lane;
    run.last_progress = now();
    if (++load.prepared == load.count)
        load.driver->prepared(&load);
}

/* Whether the move under way is done with. */
static void settle(struct lane *lane, unsigned bit, double at)
{
    if (!lane->moving || (lane->pending & bit) == 0)
        load_fail("%s: lane %u: something of no move", load.driver->name,
                  lane->number);
    lane->pending &= ~bit;
    double took = at - lane->due;
    if (run.phase == MEASURING) {
        if (bit == 1u << SEATS)
            sample(run.acks, &run.ack_count, took);
        else if (bit != 1u << lane->mover)
            sample(run.updates, &run.update_count, took);
    }
    if (lane->pending != 0)
        return;
    lane->moving = false;
    run.last_progress = at;
    if (run.phase == MEASURING)
        run.moves++;
    load.ready_lanes--;
    lane_ready(lane);
}

void lane_acked(struct lane *lane)
{
    lane->acked++;
    run.acked++;
    settle(lane, 1u << SEATS, now());
}

void lane_seen(struct lane *lane, int seat)
{
    settle(lane, 1u << seat, now());
}

/* ---- hearing ------------------------------------------------------------ */

static void connect_more(void);

static void opened(struct client *c)
{
    c->open = true;
    connect_more();
    load.driver->opened(c);
}

static void take_frames(struct client *c, struct bytes_in *in)
{
    struct ws_message m;

    while (in->len > 0) {
        switch (
            ws_read(&c->ws, &load.kit, in, (int64_t)uv_now(&load.loop), &m)) {
        case WS_MORE: return;
        case WS_TEXT:
        case WS_BINARY:
            load.driver->heard(c, (char *)(uintptr_t)m.bytes.data,
                               m.bytes.len);
            break;
        case WS_PONG: break;
        case WS_REPLY: put(c, m.bytes.data, m.bytes.len); break;
        case WS_END: load_fail("%s: closed (%u)", load.driver->name, m.code);
        }
    }
}

/* The answer to the handshake, and perhaps more. */
static void take_head(struct client *c, struct bytes_in *in)
{
    struct ws_told told;

    if (c->head_len + in->len > sizeof(c->head))
        load_fail("%s: a long answer", load.driver->name);
    size_t before = c->head_len;
    memcpy(c->head + before, in->data, in->len);
    c->head_len += in->len;
    int said = ws_ask_check(&c->ask, c->head, c->head_len, &told);
    if (said == 0)
        return;
    if (said < 0)
        load_fail("%s: no WebSocket: %.*s", load.driver->name,
                  (int)c->head_len, c->head);
    in->data += told.used - before;
    in->len -= told.used - before;
    ws_init(&c->ws, &(struct ws_options){.side = WS_CLIENT, .binary = true});
    opened(c);
    take_frames(c, in);
}

static void alloc(uv_handle_t *handle, size_t wanted, uv_buf_t *buf)
{
    static char room[65536];
    (void)handle, (void)wanted;
    *buf = uv_buf_init(room, sizeof(room));
}

static void on_read(uv_stream_t *stream, ssize_t n, const uv_buf_t *buf)
{
    struct client *c = stream->data;
    struct bytes_in in = {(uint8_t *)buf->base, n > 0 ? (size_t)n : 0};

    if (n < 0 && run.phase == DRAINING && run.kill) {
        uv_stop(&load.loop);
        return;
    }
    if (n < 0)
        load_fail("%s: %s", load.driver->name, uv_strerror((int)n));
    run.bytes_in += in.len;
    if (load.driver->raw)
        load.driver->heard(c, buf->base, in.len);
    else if (c->open)
        take_frames(c, &in);
    else
        take_head(c, &in);
}

static void on_connect(uv_connect_t *connect, int status)
{
    struct client *c = connect->data;
    char head[1024];

    free(connect);
    if (status < 0)
        load_fail("%s: connect: %s", load.driver->name, uv_strerror(status));
    uv_tcp_nodelay(&c->tcp, 1);
    uv_read_start((uv_stream_t *)&c->tcp, alloc, on_read);
    if (load.driver->raw) {
        opened(c);
        return;
    }
    c->ask = (struct ws_ask){.host = load.host, .path = c->path};
    random_bytes(c->ask.nonce, sizeof(c->ask.nonce), NULL);
    size_t n = ws_ask_head(head, sizeof(head), &c->ask);
    put(c, (const uint8_t *)head, n);
}

static void connect_one(struct client *c)
{
    uv_connect_t *connect = malloc(sizeof(*connect));

    if (load.driver->before != NULL)
        load.driver->before(c);
    connect->data = c;
    c->tcp.data = c;
    uv_tcp_init(&load.loop, &c->tcp);
    int err = uv_tcp_connect(connect, &c->tcp,
                             (const struct sockaddr *)&load.to, on_connect);
    if (err < 0)
        load_fail("connect: %s", uv_strerror(err));
}

static void connect_more(void)
{
    if (run.connected == SEATS * load.count)
        return;
    struct lane *lane = &load.lanes[run.connected / SEATS];
    connect_one(&lane->client[run.connected++ % SEATS]);
}

/* ---- time --------------------------------------------------------------- */

static void warm_up(void)
{
    run.phase = WARMING;
    run.began = run.pace_began = now();
    go();
}

static void measure(void)
{
    run.phase = MEASURING;
    fprintf(stderr, "measuring\n"); /* for who looks with perf */
    run.bytes_in = run.bytes_out = 0;
    run.server_cpu = cpu_of(run.pid);
    run.load_cpu = cpu_own();
    run.began = now();
}

static void finish(void)
{
    run.ended = now();
    run.server_cpu = cpu_of(run.pid) - run.server_cpu;
    run.load_cpu = cpu_own() - run.load_cpu;
    run.phase = DRAINING;
    if (run.kill && kill(run.pid, SIGKILL) < 0)
        load_fail("kill: %s", strerror(errno));
}

static bool is_drained(void)
{
    for (unsigned i = 0; i < load.count; i++)
        if (load.lanes[i].moving)
            return false;
    return true;
}

static bool is_spent(void)
{
    for (unsigned i = 0; i < load.count; i++)
        if (!load.lanes[i].over)
            return false;
    return true;
}

static void on_watch(uv_timer_t *timer)
{
    double t = now();
    (void)timer;

    if (t - run.last_progress > PATIENCE)
        load_fail("%s: nothing moves (%u of %u lanes)", load.driver->name,
                  load.ready_lanes, load.count);
    switch (run.phase) {
    case MAKING:
        if (load.ready_lanes == load.count)
            warm_up();
        break;
    case WARMING:
        if (t - run.began >= run.warm)
            measure();
        break;
    case MEASURING:
        if (t - run.began >= run.seconds || is_spent())
            finish();
        break;
    case DRAINING:
        if (!run.kill && is_drained())
            uv_stop(&load.loop);
        break;
    }
}

static void on_pace(uv_poll_t *poll, int status, int events)
{
    uint64_t times;

    (void)poll, (void)status, (void)events;
    if (read(pacer_fd, &times, sizeof(times)) == sizeof(times))
        go();
}

static void start_pacer(void)
{
    pacer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    if (pacer_fd < 0 || uv_poll_init(&load.loop, &pacer, pacer_fd) < 0 ||
        uv_poll_start(&pacer, UV_READABLE, on_pace) < 0)
        load_fail("timerfd: %s", strerror(errno));
}

/* ---- what is printed ----------------------------------------------------- */

static int by_size(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void print_times(const char *name, uint32_t *samples, size_t count)
{
    if (count == 0)
        return;
    qsort(samples, count, sizeof(*samples), by_size);
    printf(", \"%s_p50\": %u, \"%s_p99\": %u, \"%s_max\": %u", name,
           samples[count / 2], name, samples[count - 1 - count / 100], name,
           samples[count - 1]);
}

static void print(void)
{
    double seconds = run.ended - run.began, n = (double)run.moves;
    bool spent = is_spent();

    printf("{\"driver\": \"%s\", \"lanes\": %u, \"rate\": %.0f, "
           "\"seconds\": %.3f, \"moves\": %llu, \"per_second\": %.1f, "
           "\"sent\": %llu, \"acked\": %llu, \"spent\": %s",
           load.driver->name, load.count, run.rate, seconds,
           (unsigned long long)run.moves, n / seconds,
           (unsigned long long)run.sent, (unsigned long long)run.acked,
           spent ? "true" : "false");
    print_times("ack", run.acks, run.ack_count);
    print_times("update", run.updates, run.update_count);
    if (run.moves > 0)
        printf(", \"server_us\": %.2f, \"load_us\": %.2f, \"in\": %.0f, "
               "\"out\": %.0f",
               1e6 * run.server_cpu / n, 1e6 * run.load_cpu / n,
               (double)run.bytes_in / n, (double)run.bytes_out / n);
    printf("}\n");
}

static void tell(void)
{
    if (run.told == NULL || load.driver->tell == NULL)
        return;
    FILE *f = fopen(run.told, "w");
    if (f == NULL)
        load_fail("%s: %s", run.told, strerror(errno));
    load.driver->tell(&load, f);
    if (fclose(f) != 0)
        load_fail("%s: %s", run.told, strerror(errno));
}

/* ---- beginning ----------------------------------------------------------- */

static void take_address(const char *text)
{
    const char *colon = strrchr(text, ':');

    if (colon == NULL || (size_t)(colon - text) >= sizeof(load.host))
        load_fail("HOST:PORT, please");
    memcpy(load.host, text, (size_t)(colon - text));
    if (uv_ip4_addr(load.host, atoi(colon + 1), &load.to) < 0)
        load_fail("%s is no address", load.host);
    snprintf(load.host, sizeof(load.host), "%s", text);
}

static void take_options(int argc, char **argv)
{
    static const struct option options[] = {
        {"lanes", required_argument, NULL, 'l'},
        {"games", required_argument, NULL, 'g'},
        {"game", required_argument, NULL, 'n'},
        {"data", required_argument, NULL, 'd'},
        {"tokens", required_argument, NULL, 'T'},
        {"pace", required_argument, NULL, 'c'},
        {"rate", required_argument, NULL, 'r'},
        {"warm", required_argument, NULL, 'w'},
        {"seconds", required_argument, NULL, 's'},
        {"pid", required_argument, NULL, 'p'},
        {"kill", no_argument, NULL, 'k'},
        {"told", required_argument, NULL, 't'},
        {NULL, 0, NULL, 0},
    };
    static const struct driver *const drivers[] = {
        &sobremesa, &boardgame, &colyseus, &bare, &echo,
    };

    for (int o; (o = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        switch (o) {
        case 'l': load.count = (unsigned)atoi(optarg); break;
        case 'g': load.games = (unsigned)atoi(optarg); break;
        case 'n': load.game = optarg; break;
        case 'd': load.data = optarg; break;
        case 'T': load.tokens = optarg; break;
        case 'c': load.pace = atoi(optarg); break;
        case 'r': run.rate = atof(optarg); break;
        case 'w': run.warm = atof(optarg); break;
        case 's': run.seconds = atof(optarg); break;
        case 'p': run.pid = atoi(optarg); break;
        case 'k': run.kill = true; break;
        case 't': run.told = optarg; break;
        default: exit(64);
        }
    }
    if (argc - optind != 2 || load.count == 0 || (run.kill && run.pid == 0))
        load_fail("usage: load DRIVER HOST:PORT [OPTIONS]");
    for (size_t i = 0; i < COUNT_OF(drivers); i++)
        if (strcmp(drivers[i]->name, argv[optind]) == 0)
            load.driver = drivers[i];
    if (load.driver == NULL)
        load_fail("no driver %s", argv[optind]);
    take_address(argv[optind + 1]);
}

static void make_lanes(void)
{
    load.lanes = calloc(load.count, sizeof(*load.lanes));
    ASSERT(load.lanes != NULL);
    for (unsigned i = 0; i < load.count; i++) {
        struct lane *lane = &load.lanes[i];
        lane->number = i;
        for (int seat = 0; seat < SEATS; seat++) {
            lane->client[seat].load = &load;
            lane->client[seat].lane = lane;
            lane->client[seat].seat = seat;
        }
    }
}

static void raise_files(void)
{
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
        files.rlim_cur = files.rlim_max;
        (void)setrlimit(RLIMIT_NOFILE, &files);
    }
}

int main(int argc, char **argv)
{
    load.count = 1;
    load.games = 1;
    load.game = "hacienda";
    run.warm = 1;
    run.seconds = 3;
    run.random = uv_hrtime();
    run.free_end = &run.free;
    run.acks = calloc(SAMPLES_MAX, sizeof(*run.acks));
    run.updates = calloc(SAMPLES_MAX, sizeof(*run.updates));
    ASSERT(run.acks != NULL && run.updates != NULL);
    take_options(argc, argv);
    signal(SIGPIPE, SIG_IGN);
    raise_files();
    uv_loop_init(&load.loop);
    ws_kit_init(&load.kit, random_bytes, NULL);
    make_lanes();
    run.last_progress = now();
    uv_timer_init(&load.loop, &watchdog);
    uv_timer_start(&watchdog, on_watch, 5, 5);
    start_pacer();
    for (int i = 0; i < CONNECTING_MAX; i++)
        connect_more();
    uv_run(&load.loop, UV_RUN_DEFAULT);
    tell();
    print();
    return 0;
}
