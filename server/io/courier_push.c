/* courier_push.c -- what a push service is sent (RFC 8030): a message for the
 * page's service worker (clients/web/sw.js), which alone can read it. */

#include <stdio.h>
#include <string.h>

#include "core/base.h"
#include "core/utf8.h"
#include "courier_inner.h"
#include "protocol/json_out.h"
#include "server/hub/push_service.h"
#include "webpush.h"

#define BODY_MAX  1200 /* bytes of the words; JSON may need twice that */
#define TTL_MAX_S (28 * 24 * 3600)
#define TTL_S     (3 * 24 * 3600) /* of what has no deadline */

static bool is_of_one_table(const struct delivery *d)
{
    return d->form == DELIVERY_NOTICES && d->item_count == 1 && d->more == 0 &&
           d->items[0].table != 0;
}

static void write_text(struct json_out *o, const struct transfer *p,
                       const struct notice_text *t)
{
    static const char *const forms[] = {"notices", "digest", "summary",
                                        "account", "test"};
    const struct delivery *d = &p->d;
    size_t len = strlen(t->body);
    char id[ID_SIZE];

    out_object(o, NULL);
    out_string_n(o, "title", t->title,
                 strlen(t->title) > BODY_MAX / 4
                     ? utf8_cut(t->title, BODY_MAX / 4)
                     : strlen(t->title));
    out_string_n(o, "body", t->body,
                 len > BODY_MAX ? utf8_cut(t->body, BODY_MAX) : len);
    out_string(o, "lang", t->language);
    if (is_of_one_table(d)) {
        id_write(d->items[0].table, id);
        out_string(o, "table", id);
        out_string(o, "kind", call_kinds[d->items[0].kind]);
    } else {
        out_string(o, "tag", forms[d->form]);
    }
    out_end(o);
}

/* How long it is worth to be told, in seconds. */
static int64_t ttl(const struct delivery *d)
{
    int64_t s = TTL_S, last_ms = 0;

    for (size_t i = 0; i < d->item_count; i++)
        if (d->items[i].deadline_ms > last_ms)
            last_ms = d->items[i].deadline_ms;
    if (last_ms > 0)
        s = (last_ms - d->now_ms) / 1000;
    return s < 0 ? 0 : s > TTL_MAX_S ? TTL_MAX_S : s;
}

static void put_headers(struct transfer *p, const struct settings *s)
{
    const struct delivery *d = &p->d;
    char authorization[3072], id[ID_SIZE];

    webpush_authorization(d->push_secret, p->target.origin, s->c.contact,
                          d->now_ms / 1000, authorization,
                          sizeof(authorization));
    call_header(p, "Authorization: %s", authorization);
    call_header(p, "Content-Type: application/octet-stream");
    call_header(p, "Content-Encoding: aes128gcm");
    call_header(p, "TTL: %lld", (long long)ttl(d));
    call_header(p, "Urgency: normal");
    if (is_of_one_table(d)) {
        /* What is not delivered yet gives way to what is newer. */
        id_write(d->items[0].table, id);
        call_header(p, "Topic: %s", id);
    }
}

bool push_begin(struct transfer *p, const struct notice_text *t,
                const struct settings *s)
{
    const char *secret = p->d.secret != NULL ? p->d.secret : "";
    const char *space = strchr(secret, ' ');
    uint8_t *body = region_take(&p->region, WEBPUSH_BODY_MAX);
    char text[WEBPUSH_TEXT_MAX + 1];
    struct json_out o;

    if (s->c.contact[0] == '\0' || p->d.push_secret == NULL) {
        transfer_ends(p, DELIVERY_OURS,
                      "web push needs server.url or server.contact");
        return false;
    }
    json_out_init_fixed(&o, text, sizeof(text));
    write_text(&o, p, t);
    ASSERT(json_out_fits(&o));
    if (space != NULL)
        p->body_len = webpush_encrypt(region_text(&p->region, secret,
                                                  (size_t)(space - secret)),
                                      space + 1, text, o.len, body);
    if (p->body_len == 0) {
        transfer_ends(p, DELIVERY_GONE,
                      "this is no subscription of a browser");
        return false;
    }
    p->body = (const char *)body;
    put_headers(p, s);
    return true;
}

void push_answered(struct transfer *p, long status, int64_t after_ms)
{
    enum delivery_result result = DELIVERY_RETRY;

    if (status / 100 == 2)
        result = DELIVERY_DONE;
    else if (status == 404 || status == 410)
        result = DELIVERY_GONE;
    else if (status == 400 || status == 401 || status == 403)
        result = push_is_service(p->target.host) ? DELIVERY_OURS
                                                 : DELIVERY_GONE;
    p->outcome.after_ms = result == DELIVERY_RETRY ? after_ms : 0;
    transfer_ends(p, result, "HTTP %ld", status);
}
