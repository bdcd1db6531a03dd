#include "hasher.h"

#include <pthread.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base.h"
#include "thread.h"

#define OPSLIMIT     2
#define MEMLIMIT     (19u << 20)
#define PASSWORD_MAX 256

struct job {
    struct job *next;
    uint64_t id, source;
    char password[PASSWORD_MAX];
    size_t len;
    bool nothing; /* the same work, and it fits nothing */
    bool compare;
    char against[crypto_pwhash_STRBYTES];
    char hash[crypto_pwhash_STRBYTES];
    bool fits;
};

/* First come, first served. */
struct job_queue {
    struct job *first;
    size_t count;
};

struct hasher {
    pthread_mutex_t mutex;
    pthread_cond_t more;
    pthread_t *threads;
    size_t thread_count;
    struct job_queue queues[HASH_KINDS];
    size_t turn; /* of the next queue to be served */
    struct job *done;
    bool ending;
    void *context;
    void (*wake)(void *context);
    hasher_done_cb finished;
    char dummy[crypto_pwhash_STRBYTES]; /* what nothing is compared with */
};

static void work(const struct hasher *h, struct job *j)
{
    const char *against = j->nothing ? h->dummy : j->against;

    if (j->compare) {
        j->fits = crypto_pwhash_str_verify(against, j->password, j->len) == 0;
        j->fits = j->fits && !j->nothing;
    } else if (crypto_pwhash_str_alg(j->hash, j->password, j->len, OPSLIMIT,
                                     MEMLIMIT,
                                     crypto_pwhash_ALG_ARGON2ID13) != 0) {
        j->hash[0] = '\0';
    }
    sodium_memzero(j->password, sizeof(j->password));
}

/* The next job, of the queue whose turn it is or else of the next one that has
 * any; NULL if nobody waits. */
static struct job *take(struct hasher *h)
{
    static const enum hash_kind turns[] = {HASH_LOGIN, HASH_NEW, HASH_LOGIN,
                                           HASH_TABLE};

    for (size_t i = 0; i < COUNT_OF(turns); i++) {
        struct job_queue *queue =
            &h->queues[turns[h->turn++ % COUNT_OF(turns)]];
        struct job *j = queue->first;
        if (j == NULL)
            continue;
        queue->first = j->next;
        queue->count--;
        return j;
    }
    return NULL;
}

static void *run(void *arg)
{
    struct hasher *h = arg;

    pthread_mutex_lock(&h->mutex);
    while (!h->ending) {
        struct job *j = take(h);
        if (j == NULL) {
            pthread_cond_wait(&h->more, &h->mutex);
            continue;
        }
        pthread_mutex_unlock(&h->mutex);
        work(h, j);
        pthread_mutex_lock(&h->mutex);
        j->next = h->done;
        h->done = j;
        h->wake(h->context);
    }
    pthread_mutex_unlock(&h->mutex);
    return NULL;
}

struct hasher *hasher_new(void *context, void (*wake)(void *context),
                          hasher_done_cb done)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    size_t count = cores > 2 ? (size_t)cores - 1 : 1;
    struct hasher *h = calloc(1, sizeof(*h));

    ASSERT(h != NULL);
    h->context = context;
    h->wake = wake;
    h->finished = done;
    h->threads = calloc(count, sizeof(*h->threads));
    ASSERT(h->threads != NULL);
    pthread_mutex_init(&h->mutex, NULL);
    pthread_cond_init(&h->more, NULL);
    if (crypto_pwhash_str_alg(h->dummy, "nobody", 6, OPSLIMIT, MEMLIMIT,
                              crypto_pwhash_ALG_ARGON2ID13) != 0)
        goto err_threads;
    for (; h->thread_count < count; h->thread_count++)
        if (thread_start(&h->threads[h->thread_count], "hasher", run, h) != 0)
            goto err_threads;
    return h;

err_threads:
    hasher_free(h);
    return NULL;
}

static void free_jobs(struct job *j)
{
    while (j != NULL) {
        struct job *next = j->next;
        sodium_memzero(j, sizeof(*j));
        free(j);
        j = next;
    }
}

void hasher_free(struct hasher *h)
{
    if (h == NULL)
        return;
    pthread_mutex_lock(&h->mutex);
    h->ending = true;
    pthread_cond_broadcast(&h->more);
    pthread_mutex_unlock(&h->mutex);
    for (size_t i = 0; i < h->thread_count; i++)
        pthread_join(h->threads[i], NULL);
    for (size_t i = 0; i < HASH_KINDS; i++)
        free_jobs(h->queues[i].first);
    free_jobs(h->done);
    pthread_cond_destroy(&h->more);
    pthread_mutex_destroy(&h->mutex);
    free(h->threads);
    free(h);
}

static struct job *job_new(uint64_t id, uint64_t source, const char *password,
                           size_t len, const char *against)
{
    struct job *j = calloc(1, sizeof(*j));

    ASSERT(j != NULL && len <= PASSWORD_MAX);
    j->id = id;
    j->source = source;
    j->nothing = password == NULL;
    j->compare = against != NULL || j->nothing;
    if (password != NULL) {
        memcpy(j->password, password, len);
        j->len = len;
    }
    if (against != NULL)
        strncpy(j->against, against, sizeof(j->against) - 1);
    return j;
}

bool hasher_add(struct hasher *h, uint64_t id, enum hash_kind kind,
                uint64_t source, const char *password, size_t len,
                const char *against)
{
    struct job_queue *to = &h->queues[kind];
    struct job **end = &to->first;
    size_t same = 0;
    bool room;

    pthread_mutex_lock(&h->mutex);
    for (; *end != NULL; end = &(*end)->next)
        same += (*end)->source == source;
    room = same < HASHER_SOURCE_MAX && to->count < HASHER_WAITING_MAX >> same;
    if (room) {
        *end = job_new(id, source, password, len, against);
        to->count++;
        pthread_cond_signal(&h->more);
    }
    pthread_mutex_unlock(&h->mutex);
    return room;
}

void hasher_poll(struct hasher *h)
{
    pthread_mutex_lock(&h->mutex);
    struct job *done = h->done;
    h->done = NULL;
    pthread_mutex_unlock(&h->mutex);
    for (struct job *j = done; j != NULL; j = j->next)
        h->finished(h->context, j->id,
                    j->compare || j->hash[0] == '\0' ? NULL : j->hash,
                    j->fits);
    free_jobs(done);
}

size_t hasher_waiting(struct hasher *h)
{
    pthread_mutex_lock(&h->mutex);
    size_t count = 0;
    for (size_t i = 0; i < HASH_KINDS; i++)
        count += h->queues[i].count;
    pthread_mutex_unlock(&h->mutex);
    return count;
}
