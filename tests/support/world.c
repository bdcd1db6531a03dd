#include "world.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "server/hub/inner.h"
#include "server/io/log.h"

uint32_t world_dice(struct world *w, uint32_t n)
{
    return rng_below(&w->rng, n);
}

/* ---- the host --------------------------------------------------------- */

enum task_kind {
    TASK_TRANSACTION,
    TASK_ASK,
    TASK_HASH,
    TASK_MESSAGE,
    TASK_DELIVERY,
    TASK_OPERATION
};

struct task {
    struct task *next;
    enum task_kind kind;
    uint64_t id;
    uint64_t after; /* transactions handed over before it */
    struct transaction transaction;
    struct question question;
    struct delivery delivery;
    enum operation_kind operation;
    struct region region;
    char *hash, *against; /* of the password that was given */
    peer_id peer;
    struct message *message;
};

static struct world *world_of(struct host *host)
{
    return (struct world *)host;
}

static struct disk *disk_of(struct world *w)
{
    return w->home != NULL ? &w->home->disk : &w->disk;
}

static struct task *add_task(struct task **list, enum task_kind kind,
                             uint64_t id)
{
    struct task *t = calloc(1, sizeof(*t));
    ASSERT(t != NULL);
    t->kind = kind;
    t->id = id;
    while (*list != NULL)
        list = &(*list)->next;
    *list = t;
    return t;
}

static void free_task(struct task *t)
{
    transaction_done(&t->transaction);
    region_done(&t->region);
    free(t->hash);
    free(t->against);
    message_unref(t->message);
    free(t);
}

static void host_send(struct host *host, peer_id peer, struct message *message,
                      transaction_id transaction)
{
    static const char answer[] = "{\"jsonrpc\":\"2.0\",\"id\":";
    struct world *w = world_of(host);

    bool said = strncmp(message->text, answer, strlen(answer)) == 0;
    ASSERT(message->answer || !said);
    if (message->answer && !said)
        w->next = message->next; /* of a file, hub_record() */
    if (message->token != NULL)
        (void)snprintf(w->token, sizeof(w->token), "%s", message->token);
    if (transaction == 0) {
        w->heard(w, peer, message->text, message->len);
        return;
    }
    struct task *t = add_task(&w->messages, TASK_MESSAGE, transaction);
    t->peer = peer;
    t->message = message_ref(message);
}

static void host_drop(struct host *host, peer_id peer, enum drop_reason why)
{
    struct world *w = world_of(host);
    (void)why;
    w->dropped(w, peer);
}

static void host_random(struct host *host, void *buf, size_t len)
{
    struct world *w = world_of(host);
    unsigned char *bytes = buf;

    for (size_t i = 0; i < len; i++)
        bytes[i] = (unsigned char)rng_below(w->draws != NULL ? w->draws
                                                             : &w->rng,
                                            256);
}

static uint64_t last_transaction(const struct world *w)
{
    uint64_t last = w->transactions_stored;
    for (const struct task *t = w->tasks; t != NULL; t = t->next)
        if (t->kind == TASK_TRANSACTION)
            last = t->id;
    return last;
}

static void host_store(struct host *host, transaction_id id,
                       struct transaction *transaction)
{
    struct task *t = add_task(&world_of(host)->tasks, TASK_TRANSACTION, id);
    t->transaction = *transaction;
    if (transaction->first == NULL)
        transaction_init(&t->transaction);
}

static void host_ask(struct host *host, ask_id id, const struct question *q)
{
    struct world *w = world_of(host);
    uint64_t after = last_transaction(w);
    struct task *t = add_task(&w->tasks, TASK_ASK, id);

    t->after = after;
    t->question = question_copy(&t->region, q);
}

/* A hash that can be read: a NUL as %00. */
static char *hashed(const char *password, size_t len)
{
    char *hash = malloc(7 + 3 * len), *at = hash + 6;

    ASSERT(hash != NULL);
    memcpy(hash, "plain:", 6);
    for (size_t i = 0; i < len; i++) {
        if (password[i] != '\0' && password[i] != '%')
            *at++ = password[i];
        else
            at += sprintf(at, "%%%02x", (unsigned char)password[i]);
    }
    *at = '\0';
    return hash;
}

static bool host_hash(struct host *host, ask_id id, enum hash_kind kind,
                      uint64_t source, const char *password, size_t len,
                      const char *against)
{
    struct world *w = world_of(host);

    (void)kind, (void)source;
    if (w->hashes_full)
        return false;
    struct task *t = add_task(&w->tasks, TASK_HASH, id);
    t->hash = password != NULL ? hashed(password, len) : NULL;
    t->against = against != NULL ? strdup(against) : NULL;
    return true;
}

static void host_deliver(struct host *host, ask_id id,
                         const struct delivery *delivery)
{
    struct task *t = add_task(&world_of(host)->tasks, TASK_DELIVERY, id);
    t->delivery = delivery_copy(&t->region, delivery);
}

static void host_push_key(struct host *host, const char *secret,
                          char ret[PUSH_KEY_SIZE])
{
    (void)host;
    snprintf(ret, PUSH_KEY_SIZE, "key-of-%.40s", secret);
}

static void host_operate(struct host *host, ask_id id,
                         enum operation_kind kind, const char *text)
{
    struct world *w = world_of(host);

    w->operation = kind;
    snprintf(w->operand, sizeof(w->operand), "%s", text);
    w->ends += kind == OPERATION_END;
    if (kind == OPERATION_END)
        return;
    struct task *t = add_task(&w->tasks, TASK_OPERATION, id);
    t->operation = kind;
}

/* Two zones, and clocks that change as in Paris in 2027. */
static bool host_zone(struct host *host, const char *name, int64_t from_ms,
                      struct hours_offsets *ret)
{
    const struct world *w = world_of(host);

    (void)from_ms;
    *ret = (struct hours_offsets){1, {{0, 0}}};
    if (strcmp(name, "Europe/Paris") == 0 && w->no_summer)
        *ret = (struct hours_offsets){2, {{0, 3600}, {1, 3600}}};
    else if (strcmp(name, "Europe/Paris") == 0)
        *ret = (struct hours_offsets){3,
                                      {{0, 3600},
                                       {INT64_C(1806195600000), 7200},
                                       {INT64_C(1824944400000), 3600}}};
    return ret->count > 1 || strcmp(name, "Etc/UTC") == 0;
}

static void host_log(struct host *host, enum host_level level,
                     const struct log_field *fields, size_t count)
{
    static const struct log_options as_json = {LOG_DEBUG, LOG_AS_JSON, true};
    char line[LOG_LINE_MAX];

    struct world *w = world_of(host);

    if (level == LOG_DEBUG && w->logged == NULL)
        return; /* too many */
    log_compose(&as_json, level, 0, fields, count, line);
    json_t *value = json_loads(line, JSON_REJECT_DUPLICATES, NULL);
    ASSERT(value != NULL);
    if (w->logged != NULL)
        w->logged(w, level, value);
    json_decref(value);
}

/* ---- steps ------------------------------------------------------------ */

static void deliver(struct world *w, uint64_t transaction, bool stored)
{
    struct task **at = &w->messages;
    while (*at != NULL) {
        struct task *t = *at;
        if (t->id != transaction) {
            at = &t->next;
            continue;
        }
        *at = t->next;
        if (stored)
            w->heard(w, t->peer, t->message->text, t->message->len);
        free_task(t);
        at = &w->messages;
    }
}

/* Whether the next transaction or question fails. */
static bool fails(struct world *w, unsigned per_1000)
{
    bool so = world_dice(w, 1000) < per_1000 || w->handled + 1 == w->fail_at;
    w->handled++;
    w->failures += so;
    return so;
}

static void do_transaction(struct world *w, struct task *t)
{
    struct transaction_outcome outcome = {TRANSACTION_FAILED, 0, 0};

    if (fails(w, w->fail_per_1000)) {
        if (world_dice(w, 1000) < w->limbo_per_1000)
            disk_store(disk_of(w), &t->transaction);
    } else {
        outcome = disk_store(disk_of(w), &t->transaction);
        ASSERT(outcome.result !=
               TRANSACTION_FAILED); /* the hub asked for what cannot
                                                * be */
    }
    w->transactions_stored = t->id;
    deliver(w, t->id, outcome.result == TRANSACTION_STORED);
    hub_stored(w->hub, t->id, &outcome, w->now_ms);
}

static void do_hash(struct world *w, struct task *t)
{
    if (t->against == NULL && t->hash != NULL) {
        hub_hashed(w->hub, t->id, w->hashes_fail ? NULL : t->hash, false,
                   w->now_ms);
        return;
    }
    bool fits = t->against != NULL && t->hash != NULL &&
                strcmp(t->against, t->hash) == 0;
    hub_hashed(w->hub, t->id, NULL, fits, w->now_ms);
}

static void do_ask(struct world *w, struct task *t)
{
    struct answer answer;

    w->asker = hub_asker(w->hub, t->id);
    w->loads += t->question.kind == ASK_TABLE;
    if (fails(w, w->deaf_per_1000)) {
        answer_init(&answer);
        answer.failed = true;
    } else {
        disk_answer(disk_of(w), &t->question, &answer);
    }
    if (t->question.kind == ASK_TABLE)
        w->plies += answer.ply_count;
    hub_answered(w->hub, t->id, &answer, w->now_ms);
    answer_done(&answer);
}

static void do_delivery(struct world *w, const struct task *t)
{
    struct delivery_outcome outcome = {
        .result = DELIVERY_OURS, .said = "this channel is not configured"};

    if (w->arrived != NULL)
        outcome = w->arrived(w, &t->delivery);
    hub_delivered(w->hub, t->id, &outcome, w->now_ms);
}

static void do_operation(struct world *w, const struct task *t)
{
    static const char *const results[] = {
        [OPERATION_BACKUP] = "{\"bytes\":4096}",
        [OPERATION_VACUUM] = "{\"before\":8192,\"after\":4096}",
        [OPERATION_STORE] =
            "{\"bytes\":8192,\"free\":0,\"wal\":0,\"writable\":true,"
            "\"damage\":null,\"check\":{\"state\":\"never\",\"at\":null},"
            "\"backup\":null}",
        [OPERATION_CONFIG] = "{\"settings\":[]}",
        [OPERATION_LOG_LEVEL] = "{\"level\":\"info\"}",
    };
    const char *wrong = world_dice(w, 1000) < w->fail_per_1000
                            ? "the disk is full"
                            : w->wrong;

    hub_operated(w->hub, t->id, w->busy, wrong,
                 wrong != NULL ? NULL : results[t->operation], w->now_ms);
}

static bool ready(struct world *w, const struct task *t)
{
    if (t->kind == TASK_DELIVERY)
        return w->underway == NULL || !w->underway(w, &t->delivery);
    if (t->kind == TASK_ASK)
        return t->after <= w->transactions_stored;
    if (t->kind == TASK_HASH)
        return !w->hashes_wait;
    if (t->kind == TASK_TRANSACTION)
        for (const struct task *u = w->tasks; u != t; u = u->next)
            if (u->kind == TASK_TRANSACTION)
                return false;
    return true;
}

size_t world_waits(const struct world *w)
{
    size_t n = 0;

    for (const struct task *t = w->tasks; t != NULL; t = t->next)
        n += t->kind == TASK_TRANSACTION || t->kind == TASK_ASK;
    return n;
}

bool world_step(struct world *w)
{
    struct task **at, *t;
    uint32_t n = 0;

    w->steps++;
    w->now_ms += world_dice(w, 20);
    if (w->jumps_per_100000 > 0 && world_dice(w, 100000) < w->jumps_per_100000)
        w->now_ms -= world_dice(w, 3600 * 1000);
    bool works = hub_works(w->hub);
    hub_work(w->hub, w->now_ms); /* as in each turn of the daemon's loop */
    for (t = w->tasks; t != NULL; t = t->next)
        n += ready(w, t);
    if (n == 0)
        return works;
    uint32_t which = world_dice(w, n);
    for (at = &w->tasks;; at = &(*at)->next)
        if (ready(w, *at) && which-- == 0)
            break;
    t = *at;
    *at = t->next;
    switch (t->kind) {
    case TASK_TRANSACTION: do_transaction(w, t); break;
    case TASK_ASK: do_ask(w, t); break;
    case TASK_HASH: do_hash(w, t); break;
    case TASK_MESSAGE: break;
    case TASK_DELIVERY: do_delivery(w, t); break;
    case TASK_OPERATION: do_operation(w, t); break;
    }
    free_task(t);
    return true;
}

/* ---- living and dying ------------------------------------------------- */

static void start(struct world *w)
{
    w->transactions_stored = 0;
    w->hub = hub_new(&w->host, &w->config, w->now_ms);
    ASSERT(w->hub != NULL);
}

static void forget(struct task **list)
{
    while (*list != NULL) {
        struct task *t = *list;
        *list = t->next;
        free_task(t);
    }
}

void world_init(struct world *w, uint64_t seed, heard_cb heard,
                dropped_cb dropped, void *arg)
{
    /* From one line of a log at a time to the usual. */
    static const uint64_t efforts[] = {0, 50, 500, 150, 1500};
    static const size_t snapshots[] = {0, 3, 40};
    static const size_t budgets[] = {0, 60000, 0, 0, 5000, 0, 0};
    uint8_t key[RNG_SEED_SIZE] = {0};

    *w = (struct world){
        .host =
            {
                .send = host_send,
                .drop = host_drop,
                .random = host_random,
                .store = host_store,
                .ask = host_ask,
                .hash = host_hash,
                .deliver = host_deliver,
                .push_key = host_push_key,
                .operate = host_operate,
                .zone = host_zone,
                .log = host_log,
            },
        .config =
            {
                .version = "0",
                .server_name = "sim",
                .guests = true,
                .session_ms = INT64_C(30) * 24 * 3600 * 1000,
                .absence_days = 30,
                .silence_days = 180,
                .idle_table_ms = 2000,
                .turn_effort = efforts[seed % COUNT_OF(efforts)],
                .snapshot_every = snapshots[seed % COUNT_OF(snapshots)],
                .tables_bytes = budgets[seed % COUNT_OF(budgets)],
            },
        .now_ms = INT64_C(1800000000000),
        .heard = heard,
        .dropped = dropped,
        .arg = arg,
    };
    memcpy(key, &seed, sizeof(seed));
    rng_init(&w->rng, key, 0);
    start(w);
}

void world_crash(struct world *w)
{
    while (w->tasks != NULL && world_dice(w, 2) == 0) {
        struct task *t = w->tasks;
        w->tasks = t->next;
        if (t->kind == TASK_TRANSACTION)
            disk_store(disk_of(w), &t->transaction);
        free_task(t);
    }
    forget(&w->tasks);
    forget(&w->messages);
    hub_free(w->hub);
    forget(&w->tasks); /* what it asked for while it died */
    forget(&w->messages);
    start(w);
}

void world_done(struct world *w)
{
    hub_free(w->hub);
    forget(&w->tasks);
    forget(&w->messages);
    disk_done(&w->disk);
}
