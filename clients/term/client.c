#include "client.h"
#include "tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clients/common/lang.h"
#include "core/base.h"

/* What has to be known and was refused is asked for again after so long. */
#define AGAIN_MS 2000
/* A look at a table is told as often at most. */
#define SEEN_EVERY_MS 30000

static void changed(struct client *c, size_t first)
{
    if (c->owner.changed != NULL)
        c->owner.changed(c->owner.context, first);
}

static void say(struct client *c, bool bad, const char *text)
{
    if (c->owner.said != NULL)
        c->owner.said(c->owner.context, bad, text);
}

static void notice(struct client *c, const char *text)
{
    if (c->owner.noticed != NULL)
        c->owner.noticed(c->owner.context, text);
    else
        say(c, false, text);
}

/* ---- one's own tables --------------------------------------------------- */

static void count_waiting(struct client *c)
{
    const char *here = c->online != NULL ? c->online->id : "";

    c->waiting = 0;
    c->next[0] = '\0';
    for (size_t i = 0; i < json_array_size(c->mine); i++) {
        const json_t *table = json_array_get(c->mine, i);
        const char *id = member_text(table, "table", "");
        if (!member_true(table, "your_turn") || strcmp(id, here) == 0)
            continue;
        if (c->waiting++ == 0) /* the longest waiting comes first */
            (void)snprintf(c->next, sizeof(c->next), "%s", id);
    }
}

static void on_mine(void *context, const json_t *result,
                    const struct link_error *error)
{
    struct client *c = context;

    c->asking = false;
    if (c->again) {
        c->again = false;
        client_refresh(c);
    }
    if (error != NULL) {
        c->refused = true;
        return;
    }
    json_decref(c->mine);
    c->mine = json_deep_copy(json_object_get(result, "tables"));
    tables_by_due(c->mine);
    c->listed = true;
    count_waiting(c);
    changed(c, SIZE_MAX);
}

void client_refresh(struct client *c)
{
    if (c->session.token.token[0] == '\0')
        return;
    if (c->asking) {
        c->again = true;
        return;
    }
    c->asking = true;
    link_call(c->session.link, "me.tables",
              json_pack("{si}", "limit", CLIENT_TABLES), on_mine, c);
}

static void on_watched(void *context, const json_t *result,
                       const struct link_error *error)
{
    struct client *c = context;

    (void)result;
    c->refused = c->refused || error != NULL;
}

/* Hears of what concerns us from now on, and lists what does. */
static void follow(struct client *c)
{
    c->refused = false;
    if (c->session.token.token[0] != '\0')
        link_call(c->session.link, "me.watch", NULL, on_watched, c);
    client_refresh(c);
}

/* ---- the link ----------------------------------------------------------- */

/* What stands is said once, not at each connection anew. */
static void say_notices(struct client *c)
{
    const struct notices *n = &c->notices;
    char line[NOTICE_LINE_MAX];

    if (n->ends_ms != c->told_ends_ms && notices_end(n, line, sizeof(line)))
        notice(c, line);
    c->told_ends_ms = n->ends_ms;
    if (strcmp(n->maintenance, c->told_maintenance) != 0 &&
        notices_maintenance(n, line, sizeof(line)))
        notice(c, line);
    memcpy(c->told_maintenance, n->maintenance, sizeof(n->maintenance));
}

static void on_hello(void *context, const json_t *result,
                     const struct link_error *error)
{
    struct client *c = context;

    if (error != NULL)
        return;
    notices_hello(&c->notices, result);
    say_notices(c);
    changed(c, SIZE_MAX);
}

static void on_ready(void *context)
{
    struct client *c = context;

    link_call(c->session.link, "server.hello", NULL, on_hello, c);

    if (c->online != NULL)
        online_ready(c->online);
    c->asking = c->listed = false;
    follow(c);
}

static void on_changed(void *context)
{
    changed(context, SIZE_MAX);
}

/* What somebody is told at once, wherever they are. */
static void say_event(struct client *c, const char *kind, const char *table)
{
    static const struct {
        const char *kind, *text;
    } texts[] = {
        {"invited", N_("You are invited to table %.40s.")},
        {"seated", N_("You have a seat at table %.40s now.")},
        {"declined", N_("An invitation to table %.40s is declined.")},
        {"expired", N_("An invitation to table %.40s has ended unanswered.")},
    };
    char text[160];

    for (size_t i = 0; i < COUNT_OF(texts); i++)
        if (strcmp(texts[i].kind, kind) == 0) {
            (void)snprintf(text, sizeof(text), _(texts[i].text), table);
            say(c, false, text);
        }
}

static void on_told(void *context, const char *method, const json_t *params)
{
    struct client *c = context;

    if (c->online != NULL)
        online_told(c->online, method, params);
    if (strcmp(method, "me.event") == 0) {
        say_event(c, member_text(params, "kind", ""),
                  member_text(params, "table", "?"));
        client_refresh(c);
    } else if (strcmp(method, "server.notice") == 0) {
        char line[NOTICE_LINE_MAX];
        if (notices_hear(&c->notices, params, line, sizeof(line)))
            notice(c, line);
        changed(c, SIZE_MAX);
    }
}

static void table_changed(void *context, struct online *o, size_t first)
{
    struct client *c = context;

    if (o == c->online)
        changed(c, first);
}

static void table_said(void *context, struct online *o, bool bad,
                       const char *text)
{
    struct client *c = context;

    if (o == c->online)
        say(c, bad, text);
}

void client_take(struct client *c, const char *id)
{
    const struct online_owner owner = {
        .changed = table_changed,
        .said = table_said,
        .context = c,
    };

    if (c->online != NULL) {
        struct online *old = c->online;
        c->online = NULL;
        if (link_state(c->session.link) == LINK_READY)
            link_call(c->session.link, "table.unwatch",
                      json_pack("{ss}", "table", old->id), NULL, NULL);
        link_forget(c->session.link, old);
        online_free(old);
    }
    if (id != NULL)
        c->online = online_new(c->session.link, id, &owner);
    count_waiting(c);
}

void client_seen(struct client *c)
{
    uint64_t now = uv_now(&c->session.loop);
    const char *id = c->online != NULL ? c->online->id : "";

    /* What is said later, when there is a connection again, is no look. */
    if (id[0] == '\0' || c->session.token.token[0] == '\0' ||
        link_state(c->session.link) != LINK_READY ||
        (strcmp(id, c->seen) == 0 && now - c->seen_ms < SEEN_EVERY_MS))
        return;
    (void)snprintf(c->seen, sizeof(c->seen), "%s", id);
    c->seen_ms = now;
    link_call(c->session.link, "table.seen", json_pack("{ss}", "table", id),
              NULL, NULL);
}

bool client_open(struct client *c, enum session_as as)
{
    const struct link_owner owner = {
        .ready = on_ready,
        .changed = on_changed,
        .told = on_told,
        .context = c,
    };
    if (!session_open(&c->session, as, &owner))
        return false;
    (void)uv_timer_init(&c->session.loop, &c->timer);
    c->timer.data = c;
    return true;
}

void client_close(struct client *c)
{
    if (c->online != NULL)
        link_forget(c->session.link, c->online);
    online_free(c->online);
    c->online = NULL;
    json_decref(c->mine);
    uv_close((uv_handle_t *)&c->timer, NULL);
    if (c->polls)
        uv_close((uv_handle_t *)&c->poll, NULL);
    session_close(&c->session);
}

bool client_trouble(const struct client *c, char *buf, size_t cap)
{
    const struct link *l = c->session.link;

    switch (link_state(l)) {
    case LINK_READY: return false;
    case LINK_CONNECTING:
        (void)snprintf(buf, cap, _("Connecting ..."));
        return true;
    case LINK_WAITING:
        (void)snprintf(buf, cap,
                       _("Connection lost (%s) Trying again in %d s."),
                       link_why(l), (int)(link_wait_ms(l) + 999) / 1000);
        return true;
    case LINK_FAILED: break;
    }
    (void)snprintf(buf, cap, _("Connection lost for good: %s"), link_why(l));
    return true;
}

/* ---- waiting ------------------------------------------------------------ */

static void on_readable(uv_poll_t *poll, int status, int events)
{
    struct client *c = poll->data;
    (void)events;
    (void)status; /* an error is read, too */
    c->readable = true;
}

static void on_time(uv_timer_t *timer)
{
    struct client *c = timer->data;

    if (c->refused && link_state(c->session.link) == LINK_READY)
        follow(c);
}

/* The handles stay: one that is being closed would wake the loop at once. */
bool client_wait(struct client *c, int fd, uint64_t timeout_ms)
{
    uv_loop_t *loop = &c->session.loop;

    c->readable = false;
    if (c->refused && timeout_ms > AGAIN_MS)
        timeout_ms = AGAIN_MS;
    if (fd >= 0 && !c->polls)
        c->polls = uv_poll_init(loop, &c->poll, fd) == 0;
    c->poll.data = c;
    if (fd >= 0 && c->polls)
        (void)uv_poll_start(&c->poll, UV_READABLE | UV_DISCONNECT,
                            on_readable);
    (void)uv_timer_start(&c->timer, on_time, timeout_ms, 0);
    (void)uv_run(loop, UV_RUN_ONCE);
    (void)uv_timer_stop(&c->timer);
    if (c->polls)
        (void)uv_poll_stop(&c->poll);
    return c->readable;
}
