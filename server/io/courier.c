#include "core/ascii.h"
#include "courier_inner.h"

#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/base.h"
#include "thread.h"

#define POLL_MS 1000

struct list {
    struct transfer *first, **end;
};

/* A host that was called lately, by one of the ways: whoever says that a browser
 * is told there keeps no webhook waiting, nor the other way about. */
struct host_called {
    struct host_called *next;
    char host[GUARD_HOST_MAX];
    uint8_t channel;
    int64_t next_ms; /* when one more may begin */
    unsigned taken;  /* calls that are to begin, or under way */
};

struct courier {
    void *context;
    void (*wake)(void *context);
    courier_done_cb done;
    pthread_t thread;
    bool started;
    CURLM *multi;

    pthread_mutex_t mutex; /* for what follows */
    struct list added;     /* not taken up yet */
    struct list back;      /* to be told */
    struct settings *fresh;
    bool ending, stopped;

    /* The thread's own. */
    struct settings *settings;
    struct list waiting, under_way;
    size_t mails, calls;
    int64_t mail_next_ms;
    struct host_called *hosts;
    int64_t end_ms; /* when what is under way is ended, or 0 */
};

static int64_t steady_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* ---- lists and transfers ----------------------------------------------- */

static void list_init(struct list *l)
{
    l->first = NULL;
    l->end = &l->first;
}

static void list_put(struct list *l, struct transfer *p)
{
    p->next = NULL;
    *l->end = p;
    l->end = &p->next;
}

static void list_take_all(struct list *to, struct list *from)
{
    if (from->first == NULL)
        return;
    *to->end = from->first;
    to->end = from->end;
    list_init(from);
}

/* Takes the transfer at AT, a link within L. */
static struct transfer *list_take(struct list *l, struct transfer **at)
{
    struct transfer *p = *at;

    *at = p->next;
    if (*at == NULL)
        l->end = at;
    p->next = NULL;
    return p;
}

static void transfer_free(struct transfer *p)
{
    curl_easy_cleanup(p->easy);
    curl_slist_free_all(p->list);
    free(p->mail);
    region_done(&p->region);
    free(p);
}

static void free_all(struct list *l)
{
    while (l->first != NULL)
        transfer_free(list_take(l, &l->first));
}

/* Whether a word of a reply is an address or part of one. */
static bool is_address(const char *word, size_t len)
{
    return memchr(word, '@', len) != NULL ||
           memmem(word, len, "://", 3) != NULL;
}

void transfer_ends(struct transfer *p, enum delivery_result result,
                   const char *format, ...)
{
    char text[SAID_MAX];
    size_t at = 0;
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    for (const char *from = text; *from != '\0';) {
        size_t len = strcspn(from, " ");
        const char *word = is_address(from, len) ? "(address)" : from;
        size_t n = word == from ? len : strlen(word);
        for (size_t i = 0; i < n && at < sizeof(p->said) - 2; i++)
            p->said[at++] = word[i] >= ' ' && word[i] <= '~' ? word[i] : '?';
        from += len;
        for (; *from == ' '; from++)
            if (at < sizeof(p->said) - 2 && at > 0 && p->said[at - 1] != ' ')
                p->said[at++] = ' ';
    }
    p->said[at] = '\0';
    p->outcome.result = result;
    p->outcome.said = p->said;
}

/* ---- what may begin ----------------------------------------------------- */

static struct host_called *host_find(struct courier *c,
                                     const struct transfer *p)
{
    struct host_called *h = c->hosts;

    while (h != NULL && (h->channel != p->d.channel ||
                         ascii_compare(h->host, p->target.host) != 0))
        h = h->next;
    return h;
}

static struct host_called *host_make(struct courier *c,
                                     const struct transfer *p)
{
    struct host_called *h = host_find(c, p);

    if (h != NULL)
        return h;
    h = calloc(1, sizeof(*h));
    ASSERT(h != NULL);
    snprintf(h->host, sizeof(h->host), "%s", p->target.host);
    h->channel = p->d.channel;
    h->next = c->hosts;
    c->hosts = h;
    return h;
}

/* Forgets hosts that may be called again. */
static void forget_hosts(struct courier *c, int64_t now_ms, bool all)
{
    for (struct host_called **at = &c->hosts; *at != NULL;) {
        struct host_called *h = *at;
        if (all || (h->taken == 0 && h->next_ms <= now_ms)) {
            *at = h->next;
            free(h);
        } else {
            at = &h->next;
        }
    }
}

static bool host_has_room(struct courier *c, const struct transfer *p)
{
    const struct host_called *h = host_find(c, p);

    return h == NULL || (h->taken < call_most(p) &&
                         h->next_ms <= steady_ms() + COURIER_WAIT_MS);
}

/* P's host, which has room, takes it, to begin at its time. */
static void host_take(struct courier *c, struct transfer *p)
{
    struct host_called *h = host_make(c, p);
    int64_t now_ms = steady_ms();

    p->begins_ms = h->next_ms > now_ms ? h->next_ms : now_ms;
    h->next_ms = p->begins_ms + call_gap_ms(p);
    h->taken++;
    p->host = h;
}

static void host_release(struct transfer *p)
{
    if (p->host != NULL)
        p->host->taken--;
    p->host = NULL;
}

/* When P may begin by its rate, or INT64_MAX: when something else ends. */
static int64_t begins_ms(const struct courier *c, const struct transfer *p)
{
    if (p->d.channel == CHANNEL_MAIL)
        return c->mails < COURIER_MAILS ? c->mail_next_ms : INT64_MAX;
    return c->calls < COURIER_CALLS ? p->begins_ms : INT64_MAX;
}

static void tell(struct courier *c, struct transfer *p)
{
    host_release(p);
    pthread_mutex_lock(&c->mutex);
    list_put(&c->back, p);
    pthread_mutex_unlock(&c->mutex);
    c->wake(c->context);
}

static void count_begun(struct courier *c, const struct transfer *p,
                        int64_t now_ms)
{
    if (p->d.channel == CHANNEL_MAIL) {
        c->mails++;
        c->mail_next_ms = now_ms + 1000 / c->settings->c.mail_rate;
        return;
    }
    c->calls++;
}

static void count_ended(struct courier *c, const struct transfer *p)
{
    if (p->d.channel == CHANNEL_MAIL)
        c->mails--;
    else
        c->calls--;
}

/* P, which is under way, has its outcome. */
static void end(struct courier *c, struct transfer *p)
{
    for (struct transfer **at = &c->under_way.first; *at != NULL;
         at = &(*at)->next)
        if (*at == p) {
            list_take(&c->under_way, at);
            break;
        }
    if (p->easy != NULL)
        curl_multi_remove_handle(c->multi, p->easy);
    count_ended(c, p);
    tell(c, p);
}

static bool prepare(struct transfer *p, const struct settings *s)
{
    return p->d.channel == CHANNEL_MAIL ? mail_prepare(p, s)
                                        : call_prepare(p, s);
}

static void begin(struct courier *c, struct transfer *p, int64_t now_ms)
{
    bool program = p->d.channel == CHANNEL_MAIL &&
                   sendmail_wanted(c->settings);

    /* The settings may be others than when it came. */
    if (!prepare(p, c->settings)) {
        tell(c, p);
        return;
    }
    count_begun(c, p, now_ms);
    list_put(&c->under_way, p);
    if (program) {
        p->ends_ms = now_ms + COURIER_MAIL_MS;
        if (!sendmail_begin(p, c->settings))
            end(c, p);
        return;
    }
    p->outcome.said = NULL;
    if (p->d.channel == CHANNEL_MAIL)
        mail_begin(p, c->settings);
    if (p->outcome.said != NULL) {
        curl_easy_cleanup(p->easy);
        p->easy = NULL;
        end(c, p);
        return;
    }
    curl_easy_setopt(p->easy, CURLOPT_PRIVATE, p);
    ASSERT(curl_multi_add_handle(c->multi, p->easy) == CURLM_OK);
}

/* Begins what may, in the order in which it came; when the next may. */
static int64_t begin_all(struct courier *c)
{
    int64_t now_ms = steady_ms(), next_ms = INT64_MAX;

    for (struct transfer **at = &c->waiting.first; *at != NULL;) {
        int64_t ms = begins_ms(c, *at);
        if (ms > now_ms) {
            next_ms = ms < next_ms ? ms : next_ms;
            at = &(*at)->next;
            continue;
        }
        begin(c, list_take(&c->waiting, at), now_ms);
    }
    return next_ms;
}

/* ---- what ends ---------------------------------------------------------- */

static void end_transfers(struct courier *c)
{
    CURLMsg *message;
    int left;

    while ((message = curl_multi_info_read(c->multi, &left)) != NULL) {
        struct transfer *p = NULL;
        CURLcode code = message->data.result;
        if (message->msg != CURLMSG_DONE)
            continue;
        curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &p);
        if (p->d.channel == CHANNEL_MAIL)
            mail_ended(p, code);
        else
            call_ended(p, code);
        end(c, p);
    }
}

static bool has_ended(const struct transfer *p)
{
    struct pollfd fd = {.fd = p->pidfd, .events = POLLIN};
    return poll(&fd, 1, 0) == 1;
}

/* Programs that have ended, and what has no time left. */
static void end_others(struct courier *c)
{
    int64_t now_ms = steady_ms();
    struct transfer *next;

    for (struct transfer *p = c->under_way.first; p != NULL; p = next) {
        bool late = (c->end_ms > 0 && now_ms >= c->end_ms) ||
                    (p->ends_ms > 0 && now_ms >= p->ends_ms);
        next = p->next;
        if (p->pid > 0 && (late || has_ended(p))) {
            sendmail_ended(p, late);
            end(c, p);
        } else if (late) {
            transfer_ends(p, DELIVERY_RETRY, "the server was ending");
            end(c, p);
        }
    }
}

/* ---- the thread --------------------------------------------------------- */

static void settings_free(struct settings *s)
{
    if (s == NULL)
        return;
    region_done(&s->region);
    free(s);
}

/* Takes what has come; false if the thread is to end. */
static bool take_up(struct courier *c)
{
    struct settings *old = NULL;
    struct list fresh;

    list_init(&fresh);
    pthread_mutex_lock(&c->mutex);
    list_take_all(&fresh, &c->added);
    if (c->fresh != NULL) {
        old = c->settings;
        c->settings = c->fresh;
        c->fresh = NULL;
    }
    bool ending = c->ending, stopped = c->stopped;
    pthread_mutex_unlock(&c->mutex);
    settings_free(old);
    if (ending && c->end_ms == 0)
        c->end_ms = steady_ms() + COURIER_END_MS;
    list_take_all(&c->waiting, &fresh);
    while (ending && c->waiting.first != NULL) {
        struct transfer *p = list_take(&c->waiting, &c->waiting.first);
        transfer_ends(p, DELIVERY_RETRY, "the server was ending");
        tell(c, p);
    }
    return !stopped;
}

/* Whether P, which may have just come, waits for its time; else it has its
 * outcome.  A call is made before it has a place, so that one which cannot be
 * made takes none. */
static bool is_waiting(struct courier *c, struct transfer *p)
{
    if (p->host != NULL)
        return true;
    if (!prepare(p, c->settings))
        return false;
    if (p->d.channel == CHANNEL_MAIL)
        return true;
    if (!host_has_room(c, p)) {
        transfer_ends(p, DELIVERY_LATER,
                      "its host has enough to do, try later");
        return false;
    }
    if (!call_make(p, c->settings))
        return false;
    host_take(c, p);
    return true;
}

static void prepare_all(struct courier *c)
{
    for (struct transfer **at = &c->waiting.first; *at != NULL;)
        if (is_waiting(c, *at))
            at = &(*at)->next;
        else
            tell(c, list_take(&c->waiting, at));
}

/* Sleeps until something happens, for MS at most. */
static void wait_for(struct courier *c, int64_t ms)
{
    struct curl_waitfd fds[COURIER_MAILS];
    unsigned n = 0;

    for (struct transfer *p = c->under_way.first; p != NULL; p = p->next)
        if (p->pid > 0 && n < COURIER_MAILS)
            fds[n++] = (struct curl_waitfd){.fd = p->pidfd,
                                            .events = CURL_WAIT_POLLIN};
    curl_multi_poll(c->multi, fds, n, (int)ms, NULL);
}

static void *run(void *arg)
{
    struct courier *c = arg;

    while (take_up(c)) {
        int running;
        prepare_all(c);
        int64_t next_ms = begin_all(c);
        curl_multi_perform(c->multi, &running);
        end_transfers(c);
        end_others(c);
        forget_hosts(c, steady_ms(), false);
        int64_t ms = next_ms == INT64_MAX ? POLL_MS : next_ms - steady_ms();
        if (c->end_ms > 0 && ms > 50)
            ms = 50;
        wait_for(c, ms < 0 ? 0 : ms > POLL_MS ? POLL_MS : ms);
    }
    return NULL;
}

/* ---- the loop's side ---------------------------------------------------- */

struct courier *courier_new(void *context, void (*wake)(void *context),
                            courier_done_cb done)
{
    struct courier *c = calloc(1, sizeof(*c));

    ASSERT(c != NULL);
    c->context = context;
    c->wake = wake;
    c->done = done;
    list_init(&c->added);
    list_init(&c->back);
    list_init(&c->waiting);
    list_init(&c->under_way);
    pthread_mutex_init(&c->mutex, NULL);
    courier_configure(c, &(struct courier_config){.mail_rate = 1});
    c->settings = c->fresh;
    c->fresh = NULL;
    if (curl_global_init(CURL_GLOBAL_DEFAULT) != 0)
        goto err;
    c->multi = curl_multi_init();
    if (c->multi == NULL)
        goto err;
    curl_multi_setopt(c->multi, CURLMOPT_MAXCONNECTS, 32L);
    if (thread_start(&c->thread, "courier", run, c) != 0)
        goto err;
    c->started = true;
    return c;

err:
    courier_free(c);
    return NULL;
}

void courier_free(struct courier *c)
{
    if (c == NULL)
        return;
    pthread_mutex_lock(&c->mutex);
    c->stopped = true;
    pthread_mutex_unlock(&c->mutex);
    if (c->started) {
        curl_multi_wakeup(c->multi);
        pthread_join(c->thread, NULL);
    }
    for (struct transfer *p = c->under_way.first; p != NULL; p = p->next) {
        if (p->easy != NULL)
            curl_multi_remove_handle(c->multi, p->easy);
        if (p->pid > 0)
            sendmail_ended(p, true);
    }
    free_all(&c->under_way);
    free_all(&c->waiting);
    free_all(&c->added);
    free_all(&c->back);
    forget_hosts(c, 0, true);
    curl_multi_cleanup(c->multi);
    settings_free(c->settings);
    settings_free(c->fresh);
    pthread_mutex_destroy(&c->mutex);
    free(c);
}

void courier_configure(struct courier *c, const struct courier_config *config)
{
    struct settings *s = calloc(1, sizeof(*s)), *old;

    ASSERT(s != NULL && config->mail_rate > 0);
    s->c = *config;
    const char **const texts[] = {&s->c.mail_server,   &s->c.mail_user,
                                  &s->c.mail_password, &s->c.mail_from,
                                  &s->c.mail_bounces,  &s->c.allow,
                                  &s->c.authorities,   &s->c.contact};
    for (size_t i = 0; i < COUNT_OF(texts); i++)
        *texts[i] = region_copy(&s->region,
                                *texts[i] != NULL ? *texts[i] : "");
    pthread_mutex_lock(&c->mutex);
    old = c->fresh;
    c->fresh = s;
    pthread_mutex_unlock(&c->mutex);
    settings_free(old);
}

void courier_add(struct courier *c, uint64_t id,
                 const struct delivery *delivery)
{
    struct transfer *p = calloc(1, sizeof(*p));

    ASSERT(p != NULL);
    p->id = id;
    p->d = delivery_copy(&p->region, delivery);
    p->pidfd = p->said_fd = -1;
    pthread_mutex_lock(&c->mutex);
    list_put(&c->added, p);
    pthread_mutex_unlock(&c->mutex);
    curl_multi_wakeup(c->multi);
}

void courier_poll(struct courier *c)
{
    struct list back;

    list_init(&back);
    pthread_mutex_lock(&c->mutex);
    list_take_all(&back, &c->back);
    pthread_mutex_unlock(&c->mutex);
    while (back.first != NULL) {
        struct transfer *p = list_take(&back, &back.first);
        c->done(c->context, p->id, &p->outcome);
        transfer_free(p);
    }
}

void courier_end(struct courier *c)
{
    pthread_mutex_lock(&c->mutex);
    c->ending = true;
    pthread_mutex_unlock(&c->mutex);
    curl_multi_wakeup(c->multi);
}
