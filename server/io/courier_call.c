/* courier_call.c -- calls of addresses that people gave, by the guard's rules:
 * no redirect is followed, no proxy asked, and neither a long answer nor a slow
 * one waited for. */

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base.h"
#include "courier_inner.h"
#include "protocol/version.h"
#include "server/hub/limits.h"
#include "server/hub/push_service.h"

#define RETRY_AFTER_MAX_S 86400 /* whatever a receiver says */

void transfer_begin(struct transfer *p, const struct settings *s)
{
    CURL *e = p->easy = curl_easy_init();

    ASSERT(e != NULL);
    curl_easy_setopt(e, CURLOPT_NOSIGNAL, 1L);
    /* A name server that does not answer holds up nobody. */
    curl_easy_setopt(e, CURLOPT_QUICK_EXIT, 1L);
    curl_easy_setopt(e, CURLOPT_PROXY, "");
    curl_easy_setopt(e, CURLOPT_NETRC, (long)CURL_NETRC_IGNORED);
    curl_easy_setopt(e, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
    if (s->c.authorities[0] != '\0') {
        curl_easy_setopt(e, CURLOPT_CAINFO, s->c.authorities);
        curl_easy_setopt(e, CURLOPT_CAPATH, "/etc/ssl/certs");
    }
}

/* ---- the guard ------------------------------------------------------------ */

/* Whatever the name is and was: this is what would be connected to. */
static curl_socket_t on_open(void *arg, curlsocktype purpose,
                             struct curl_sockaddr *address)
{
    struct transfer *p = arg;

    (void)purpose;
    if (!p->target.allowed && !guard_address(&address->addr)) {
        p->refused = true;
        return CURL_SOCKET_BAD;
    }
    return socket(address->family, address->socktype | SOCK_CLOEXEC,
                  address->protocol);
}

bool call_prepare(struct transfer *p, const struct settings *s)
{
    const char *why = guard_url(p->d.target, s->c.allow, &p->target);

    if (why == NULL)
        return true;
    p->target.host[0] = '\0';
    transfer_ends(p, DELIVERY_GONE, "%s", why);
    return false;
}

/* ---- its host ------------------------------------------------------------- */

static bool is_to_service(const struct transfer *p)
{
    return p->d.channel == CHANNEL_PUSH && push_is_service(p->target.host);
}

int64_t call_gap_ms(const struct transfer *p)
{
    return is_to_service(p) ? LIMIT_SERVICE_MS : LIMIT_HOST_MS;
}

unsigned call_most(const struct transfer *p)
{
    return is_to_service(p) ? LIMIT_DELIVERIES_SERVICE : LIMIT_DELIVERIES_HOST;
}

/* ---- what is heard --------------------------------------------------------- */

static size_t on_answer(char *data, size_t size, size_t count, void *arg)
{
    struct transfer *p = arg;
    size_t len = size * count, room = COURIER_ANSWER - p->answer_len;

    p->cut = len > room;
    memcpy(p->answer + p->answer_len, data, p->cut ? room : len);
    p->answer_len += p->cut ? room : len;
    return p->cut ? 0 : len;
}

static size_t on_header(char *data, size_t size, size_t count, void *arg)
{
    struct transfer *p = arg;

    (void)data;
    p->header_len += size * count;
    return p->header_len > COURIER_HEADERS ? 0 : size * count;
}

/* ---- a call ------------------------------------------------------------------ */

void call_header(struct transfer *p, const char *format, ...)
{
    char line[4096];
    va_list args;

    va_start(args, format);
    int n = vsnprintf(line, sizeof(line), format, args);
    va_end(args);
    /* A token that somebody gave is to be no header more. */
    for (char *at = line; *at != '\0'; at++)
        if ((*at > 0 && *at < ' ') || *at == 0x7f)
            *at = ' ';
    ASSERT(n > 0);
    p->list = curl_slist_append(p->list, line);
    ASSERT(p->list != NULL);
}

bool call_make(struct transfer *p, const struct settings *s)
{
    struct notice_text t = notice_text(&p->region, &p->d);

    transfer_begin(p, s);
    CURL *e = p->easy;
    curl_easy_setopt(e, CURLOPT_URL, p->d.target);
    curl_easy_setopt(e, CURLOPT_POST, 1L);
    if (!(p->d.channel == CHANNEL_PUSH ? push_begin(p, &t, s)
                                       : webhook_begin(p, &t)))
        return false;
    call_header(p, "User-Agent: Sobremesa/%s", SOBREMESA_VERSION);
    call_header(p, "Expect:"); /* nobody is to be asked first */
    curl_easy_setopt(e, CURLOPT_HTTPHEADER, p->list);
    curl_easy_setopt(e, CURLOPT_POSTFIELDS, p->body);
    curl_easy_setopt(e, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)p->body_len);
    curl_easy_setopt(e, CURLOPT_PROTOCOLS_STR,
                     p->target.allowed ? "https,http" : "https");
    curl_easy_setopt(e, CURLOPT_FOLLOWLOCATION, 0L);
    curl_easy_setopt(e, CURLOPT_OPENSOCKETFUNCTION, on_open);
    curl_easy_setopt(e, CURLOPT_OPENSOCKETDATA, p);
    curl_easy_setopt(e, CURLOPT_WRITEFUNCTION, on_answer);
    curl_easy_setopt(e, CURLOPT_WRITEDATA, p);
    curl_easy_setopt(e, CURLOPT_HEADERFUNCTION, on_header);
    curl_easy_setopt(e, CURLOPT_HEADERDATA, p);
    curl_easy_setopt(e, CURLOPT_TIMEOUT_MS, (long)COURIER_CALL_MS);
    return true;
}

/* Its receiver may want to be left alone for a while. */
static int64_t retry_after_ms(CURL *easy)
{
    curl_off_t s = 0;

    curl_easy_getinfo(easy, CURLINFO_RETRY_AFTER, &s);
    if (s < 0)
        s = 0;
    return (s < RETRY_AFTER_MAX_S ? s : RETRY_AFTER_MAX_S) * 1000;
}

void call_ended(struct transfer *p, CURLcode code)
{
    long status = 0;

    curl_easy_getinfo(p->easy, CURLINFO_RESPONSE_CODE, &status);
    p->answer[p->answer_len] = '\0';
    if (p->refused && code != CURLE_OK) {
        transfer_ends(p, DELIVERY_RETRY,
                      "its address is in a network that is not called");
        return;
    }
    /* All that matters of a long answer is there. */
    if (code != CURLE_OK && !(p->cut && code == CURLE_WRITE_ERROR)) {
        transfer_ends(p, DELIVERY_RETRY, "%s", curl_easy_strerror(code));
        return;
    }
    int64_t after_ms = retry_after_ms(p->easy);
    if (p->d.channel == CHANNEL_PUSH)
        push_answered(p, status, after_ms);
    else
        webhook_answered(p, status, after_ms);
}
