/* courier_webhook.c -- what a webhook is sent, by who is there.
 *
 * The generic form is signed after Standard Webhooks (standardwebhooks.com),
 * for which there are libraries: webhook-id, which is the same for each try,
 * webhook-timestamp, and webhook-signature, an HMAC of both and of the body.
 * The others are what those services want. */

#include <jansson.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "core/base.h"
#include "core/utf8.h"
#include "courier_inner.h"
#include "protocol/json_out.h"

#define TITLE_MAX  250  /* Discord takes 256 characters */
#define TEXT_MAX   2000 /* and 4096 of these */
#define SECRET_MAX 512

struct hook {
    struct transfer *p;
    const struct notice_text *t;
    struct json_out o; /* the body */
};

/* ---- words ------------------------------------------------------------------ */

/* TEXT, no longer than MAX bytes, with a backslash before each of CHARS. */
static const char *marked(struct region *r, const char *text, size_t max,
                          const char *chars)
{
    size_t len = strlen(text);
    char *to, *copy;

    if (len > max)
        len = utf8_cut(text, max);
    to = copy = region_take(r, 2 * len + 1);
    for (size_t i = 0; i < len; i++) {
        if (strchr(chars, text[i]) != NULL)
            *to++ = '\\';
        *to++ = text[i];
    }
    *to = '\0';
    return copy;
}

/* Slack's: & < and > are its own. */
static const char *for_slack(struct region *r, const char *text)
{
    size_t len = strlen(text);
    char *to, *copy;

    if (len > TEXT_MAX)
        len = utf8_cut(text, TEXT_MAX);
    to = copy = region_take(r, 5 * len + 1);
    for (size_t i = 0; i < len; i++) {
        const char *as = text[i] == '&'   ? "&amp;"
                         : text[i] == '<' ? "&lt;"
                         : text[i] == '>' ? "&gt;"
                                          : NULL;
        if (as != NULL)
            to = stpcpy(to, as);
        else
            *to++ = text[i];
    }
    *to = '\0';
    return copy;
}

static void set_url(struct transfer *p, const char *url)
{
    curl_easy_setopt(p->easy, CURLOPT_URL, url);
}

/* The URL that was given, without what is behind its last slash, if anything
 * is; *RET_LAST: that. */
static const char *parent_url(struct transfer *p, const char **ret_last)
{
    const char *slash = strrchr(p->d.target, '/');

    *ret_last = slash + 1;
    return region_text(&p->region, p->d.target,
                       (size_t)(slash + 1 - p->d.target));
}

static const char *joined(struct region *r, const char *a, const char *b)
{
    char *text = region_take(r, strlen(a) + strlen(b) + 1);
    stpcpy(stpcpy(text, a), b);
    return text;
}

static void bearer(struct transfer *p)
{
    if (p->d.secret != NULL && p->d.secret[0] != '\0')
        call_header(p, "Authorization: Bearer %.*s", SECRET_MAX, p->d.secret);
}

/* ---- generic ------------------------------------------------------------------ */

#define KIND_WORD(name, word) [NOTICE_##name] = (word),
const char *const call_kinds[NOTICE_KINDS] = {NOTICE_KINDS_ALL(KIND_WORD)};
#undef KIND_WORD

static void write_item(struct hook *h, const struct delivery_item *item)
{
    struct region *r = &h->p->region;
    const struct delivery *d = &h->p->d;
    struct json_out *o = &h->o;
    const char *url = notice_item_url(r, d, item);
    char id[ID_SIZE];

    out_object(o, NULL);
    out_string(o, "kind", call_kinds[item->kind]);
    if (item->table != 0) {
        id_write(item->table, id);
        out_string(o, "table", id);
        out_int(o, "ply", item->ply);
    }
    if (item->game != NULL)
        out_string(o, "game", item->game);
    if (item->by != NULL)
        out_string(o, "by", item->by);
    out_list(o, "names");
    for (size_t i = 0; i < item->name_count; i++)
        out_string(o, NULL, item->names[i]);
    out_end(o);
    if (item->deadline_ms > 0)
        out_int(o, "deadline", item->deadline_ms);
    if (item->texts > 0)
        out_int(o, "texts", item->texts);
    if (url != NULL)
        out_string(o, "url", url);
    out_string(o, "text", notice_item_text(r, d, item));
    out_end(o);
}

static void write_generic(struct hook *h)
{
    static const char *const forms[] = {"notices", "digest", "summary",
                                        "account", "test"};
    const struct delivery *d = &h->p->d;
    struct json_out *o = &h->o;

    out_object(o, NULL);
    out_string(o, "type", forms[d->form]);
    out_int(o, "at", d->now_ms);
    if (d->server != NULL)
        out_string(o, "server", d->server);
    if (d->account != NULL)
        out_string(o, "account", d->account);
    out_string(o, "language", h->t->language);
    out_string(o, "title", h->t->title);
    out_string(o, "text", h->t->body);
    if (h->t->url != NULL)
        out_string(o, "url", h->t->url);
    if (d->challenge != NULL)
        out_string(o, "challenge", d->challenge);
    out_list(o, "items");
    for (size_t i = 0; i < d->item_count; i++)
        write_item(h, &d->items[i]);
    out_end(o);
    out_int(o, "more", (int64_t)d->more);
    out_end(o);
}

/* The bytes of SECRET: what is behind whsec_ in base64, else its text. */
static size_t secret_bytes(const char *secret, uint8_t out[SECRET_MAX])
{
    size_t len = 0;

    if (strncmp(secret, "whsec_", 6) == 0 &&
        sodium_base642bin(out, SECRET_MAX, secret + 6, strlen(secret + 6),
                          NULL, &len, NULL,
                          sodium_base64_VARIANT_ORIGINAL) == 0)
        return len;
    len = strnlen(secret, SECRET_MAX);
    memcpy(out, secret, len);
    return len;
}

static void sign(struct hook *h)
{
    struct transfer *p = h->p;
    uint8_t key[SECRET_MAX], mac[crypto_auth_hmacsha256_BYTES];
    char id[ID_SIZE], before[64], text[64];
    crypto_auth_hmacsha256_state state;
    long long at_s = (long long)(p->d.now_ms / 1000);

    id_write(p->d.id, id);
    call_header(p, "webhook-id: %s", id);
    call_header(p, "webhook-timestamp: %lld", at_s);
    if (p->d.secret == NULL || p->d.secret[0] == '\0')
        return;
    int n = snprintf(before, sizeof(before), "%s.%lld.", id, at_s);
    size_t len = secret_bytes(p->d.secret, key);
    crypto_auth_hmacsha256_init(&state, key, len);
    crypto_auth_hmacsha256_update(&state, (const uint8_t *)before,
                                  (unsigned long long)n);
    crypto_auth_hmacsha256_update(&state,
                                  (const uint8_t *)json_out_text(&h->o),
                                  h->o.len);
    crypto_auth_hmacsha256_final(&state, mac);
    sodium_bin2base64(text, sizeof(text), mac, sizeof(mac),
                      sodium_base64_VARIANT_ORIGINAL);
    call_header(p, "webhook-signature: v1,%s", text);
    sodium_memzero(key, sizeof(key));
}

/* ---- services ------------------------------------------------------------------ */

/* https://ntfy.sh/TOPIC, and an access token if it takes one.  As JSON, which
 * goes to its root: headers have no UTF-8. */
static bool write_ntfy(struct hook *h)
{
    const char *topic, *root = parent_url(h->p, &topic);
    struct json_out *o = &h->o;

    if (topic[0] == '\0' || strpbrk(topic, "?#") != NULL) {
        transfer_ends(h->p, DELIVERY_GONE,
                      "the address has to end with the topic");
        return false;
    }
    set_url(h->p, root);
    bearer(h->p);
    out_object(o, NULL);
    out_string(o, "topic", topic);
    out_string(o, "title", h->t->title);
    out_string(o, "message", h->t->body);
    if (h->t->url != NULL)
        out_string(o, "click", h->t->url);
    out_end(o);
    return true;
}

/* https://gotify.example/, and an application's token. */
static bool write_gotify(struct hook *h)
{
    const char *last, *root = parent_url(h->p, &last);
    struct json_out *o = &h->o;

    if (strcmp(last, "message") != 0)
        root = last[0] == '\0' ? root
                               : joined(&h->p->region, h->p->d.target, "/");
    set_url(h->p, joined(&h->p->region, root, "message"));
    if (h->p->d.secret != NULL)
        call_header(h->p, "X-Gotify-Key: %.*s", SECRET_MAX, h->p->d.secret);
    out_object(o, NULL);
    out_string(o, "title", h->t->title);
    out_string(o, "message", h->t->body);
    out_int(o, "priority", 5);
    if (h->t->url != NULL) {
        out_object(o, "extras");
        out_object(o, "client::notification");
        out_object(o, "click");
        out_string(o, "url", h->t->url);
        out_end(o);
        out_end(o);
        out_end(o);
    }
    out_end(o);
    return true;
}

static bool write_discord(struct hook *h)
{
    static const char own[] = "\\*_`~|>[]()#-@<:";
    struct region *r = &h->p->region;
    struct json_out *o = &h->o;

    out_object(o, NULL);
    out_object(o, "allowed_mentions"); /* nobody is called by their name */
    out_list(o, "parse");
    out_end(o);
    out_end(o);
    out_list(o, "embeds");
    out_object(o, NULL);
    out_string(o, "title", marked(r, h->t->title, TITLE_MAX / 2, own));
    out_string(o, "description", marked(r, h->t->body, TEXT_MAX, own));
    if (h->t->url != NULL)
        out_string(o, "url", h->t->url);
    out_end(o);
    out_end(o);
    out_end(o);
    return true;
}

static bool write_slack(struct hook *h)
{
    struct region *r = &h->p->region;
    const char *text = joined(r, for_slack(r, h->t->title), "\n");

    text = joined(r, text, for_slack(r, h->t->body));
    if (h->t->url != NULL)
        text = joined(r, joined(r, text, "\n"), h->t->url);
    out_object(&h->o, NULL);
    out_string(&h->o, "text", text);
    out_end(&h->o);
    return true;
}

static char *percent(struct region *r, const char *text)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
                                "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~";
    char *to, *copy;

    to = copy = region_take(r, 3 * strlen(text) + 1);
    for (; *text != '\0'; text++) {
        if (strchr(plain, *text) != NULL)
            *to++ = *text;
        else
            to += sprintf(to, "%%%02X", (unsigned char)*text);
    }
    *to = '\0';
    return copy;
}

/* https://HOMESERVER/!ROOM:SERVER, and the access token of an account that is in
 * the room.  The id of the event makes that a second try is none. */
static bool write_matrix(struct hook *h)
{
    struct transfer *p = h->p;
    struct region *r = &p->region;
    const char *room, *root = parent_url(p, &room);
    char id[ID_SIZE];

    if (room[0] != '!') {
        transfer_ends(p, DELIVERY_GONE,
                      "the address has to end with the room, /!room:server");
        return false;
    }
    id_write(p->d.id, id);
    const char *path = joined(r, "_matrix/client/v3/rooms/", percent(r, room));
    path = joined(r, joined(r, path, "/send/m.room.message/"), id);
    set_url(p, joined(r, root, path));
    curl_easy_setopt(p->easy, CURLOPT_CUSTOMREQUEST, "PUT");
    bearer(p);
    const char *text = joined(r, joined(r, h->t->title, "\n"), h->t->body);
    if (h->t->url != NULL)
        text = joined(r, joined(r, text, "\n"), h->t->url);
    out_object(&h->o, NULL);
    out_string(&h->o, "msgtype", "m.text");
    out_string(&h->o, "body", text);
    out_end(&h->o);
    return true;
}

/* ---- all of them ----------------------------------------------------------------- */

static bool write(struct hook *h)
{
    switch ((enum webhook_form)h->p->d.webhook) {
    case WEBHOOK_NTFY: return write_ntfy(h);
    case WEBHOOK_GOTIFY: return write_gotify(h);
    case WEBHOOK_DISCORD: return write_discord(h);
    case WEBHOOK_SLACK: return write_slack(h);
    case WEBHOOK_MATRIX: return write_matrix(h);
    case WEBHOOK_GENERIC:
    case WEBHOOK_FORMS: break;
    }
    write_generic(h);
    sign(h);
    return true;
}

bool webhook_begin(struct transfer *p, const struct notice_text *t)
{
    struct hook h = {.p = p, .t = t};

    json_out_init(&h.o);
    bool good = strrchr(p->d.target, '/') != NULL && write(&h);
    if (good) {
        call_header(p, "Content-Type: application/json");
        p->body = region_text(&p->region, json_out_text(&h.o), h.o.len);
        p->body_len = h.o.len;
    }
    json_out_done(&h.o);
    return good;
}

/* Whether what is there knows why it was called. */
static bool has_challenge(const struct transfer *p)
{
    json_t *answer = json_loadb(p->answer, p->answer_len,
                                JSON_REJECT_DUPLICATES, NULL);
    const char *said = json_string_value(json_object_get(answer, "challenge"));
    bool has = said != NULL && strcmp(said, p->d.challenge) == 0;

    json_decref(answer);
    return has;
}

void webhook_answered(struct transfer *p, long status, int64_t after_ms)
{
    bool passing = status / 100 != 4 || status == 408 || status == 425 ||
                   status == 429;

    if (status / 100 == 2 && p->d.challenge != NULL && !has_challenge(p)) {
        transfer_ends(p, DELIVERY_GONE,
                      "HTTP %ld, but the answer has not the challenge",
                      status);
        return;
    }
    if (status / 100 == 2) {
        transfer_ends(p, DELIVERY_DONE, "HTTP %ld", status);
        return;
    }
    p->outcome.after_ms = passing ? after_ms : 0;
    transfer_ends(p, passing ? DELIVERY_RETRY : DELIVERY_GONE,
                  status / 100 == 3 ? "HTTP %ld: redirects are not followed"
                                    : "HTTP %ld",
                  status);
}
