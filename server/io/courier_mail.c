/* courier_mail.c -- a mail, by SMTP.
 *
 * Whose fault a refusal is hangs on the command that was refused: of the
 * receiver alone speaks the answer to RCPT, everything before it of us, and so
 * does 5.7.x (RFC 3463: policy, security) wherever it is said. */

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/ascii.h"
#include "core/base.h"
#include "courier_inner.h"
#include "mime.h"

/* ---- what is sent ------------------------------------------------------- */

bool mail_prepare(struct transfer *p, const struct settings *s)
{
    if (s->c.mail_server[0] == '\0' || s->c.mail_from[0] == '\0')
        transfer_ends(p, DELIVERY_OURS, "mail is not configured");
    else if (!mail_address(p->d.target))
        transfer_ends(p, DELIVERY_GONE, "this is no mail address");
    else
        return true;
    return false;
}

static const char *domain_of(const char *address)
{
    return strchr(address, '@') + 1;
}

/* An id that mails of this server have, by what it is of: TYPE. */
static const char *mail_id(struct transfer *p, char type, id_num id,
                           const char *domain)
{
    char text[ID_SIZE], *made;
    size_t size = sizeof(text) + strlen(domain) + 3;

    id_write(id, text);
    made = region_take(&p->region, size);
    snprintf(made, size, "%c%s@%s", type, text, domain);
    return made;
}

/* Mails about one table are a thread, of which the first is none of them. */
static const char *thread_of(struct transfer *p, const char *domain)
{
    const struct delivery *d = &p->d;

    if (d->item_count + d->more != 1 || d->item_count != 1 ||
        d->items[0].table == 0)
        return NULL;
    return mail_id(p, 't', d->items[0].table, domain);
}

void mail_write(struct transfer *p, const struct settings *s)
{
    const char *domain = domain_of(s->c.mail_from);
    struct notice_text t = notice_text(&p->region, &p->d);

    free(p->mail);
    p->mail = mime_write(
        &(struct mime_mail){
            .from_name = p->d.server != NULL ? p->d.server : "",
            .from = s->c.mail_from,
            .to = p->d.target,
            .subject = t.subject,
            .message_id = mail_id(p, 'm', p->d.id, domain),
            .references = thread_of(p, domain),
            .unsubscribe = notice_unsubscribe_url(&p->region, &p->d),
            .language = t.language,
            .at_ms = p->d.now_ms,
            .text = t.text,
            .html = t.html,
        },
        &p->body_len);
    p->body = p->mail;
    p->body_at = 0;
}

const char *mail_bounces(const struct settings *s)
{
    return s->c.mail_bounces[0] != '\0' ? s->c.mail_bounces : s->c.mail_from;
}

static size_t on_read(char *to, size_t size, size_t count, void *arg)
{
    struct transfer *p = arg;
    size_t room = size * count, left = p->body_len - p->body_at;
    size_t n = left < room ? left : room;

    memcpy(to, p->body + p->body_at, n);
    p->body_at += n;
    return n;
}

/* Another connection has to be made: from the start, then. */
static int on_seek(void *arg, curl_off_t to, int origin)
{
    struct transfer *p = arg;

    if (origin != SEEK_SET || to < 0 || (size_t)to > p->body_len)
        return CURL_SEEKFUNC_FAIL;
    p->body_at = (size_t)to;
    return CURL_SEEKFUNC_OK;
}

/* What is said by both, as it is said. */
static int on_debug(CURL *easy, curl_infotype type, char *data, size_t len,
                    void *arg)
{
    static const struct {
        const char *command;
        enum smtp_stage stage;
    } commands[] = {{"MAIL ", SMTP_MAIL},
                    {"RCPT ", SMTP_RCPT},
                    {"DATA", SMTP_DATA}};
    static const char quit[] = "QUIT"; /* the answer to which says nothing */
    struct transfer *p = arg;

    (void)easy;
    if (type == CURLINFO_HEADER_OUT)
        for (size_t i = 0; i < COUNT_OF(commands); i++) {
            size_t n = strlen(commands[i].command);
            if (len < n || memcmp(data, commands[i].command, n) != 0)
                continue;
            p->stage = commands[i].stage;
            p->reply[0] = '\0';
        }
    if (type == CURLINFO_HEADER_OUT && len >= strlen(quit) &&
        memcmp(data, quit, strlen(quit)) == 0)
        p->quit = true;
    if (type == CURLINFO_HEADER_IN && !p->quit) {
        while (len > 0 && (data[len - 1] == '\n' || data[len - 1] == '\r'))
            len--;
        snprintf(p->reply, sizeof(p->reply), "%.*s", (int)len, data);
    }
    return 0;
}

/* Whether URL's host is this machine, which nobody listens to on the way. */
static bool is_loopback(const char *url)
{
    const char *at = strstr(url, "://") + 3;
    struct in_addr in;
    char host[64];

    if (strncmp(at, "[::1]", 5) == 0)
        return true;
    snprintf(host, sizeof(host), "%.*s", (int)strcspn(at, ":/"), at);
    return ascii_compare(host, "localhost") == 0 ||
           (inet_pton(AF_INET, host, &in) == 1 &&
            ntohl(in.s_addr) >> 24 == 127);
}

void mail_begin(struct transfer *p, const struct settings *s)
{
    char url[600];

    mail_write(p, s);
    transfer_begin(p, s);
    p->stage = SMTP_BEGIN;
    p->quit = false;
    p->reply[0] = '\0';
    /* The path is how we call ourselves to the server. */
    snprintf(url, sizeof(url), "%s/%s", s->c.mail_server,
             domain_of(s->c.mail_from));
    p->list = curl_slist_append(NULL, p->d.target);
    ASSERT(p->list != NULL);
    CURL *e = p->easy;
    curl_easy_setopt(e, CURLOPT_URL, url);
    curl_easy_setopt(e, CURLOPT_PROTOCOLS_STR, "smtp,smtps");
    curl_easy_setopt(e, CURLOPT_USE_SSL,
                     is_loopback(s->c.mail_server) ? (long)CURLUSESSL_NONE
                                                   : (long)CURLUSESSL_ALL);
    if (s->c.mail_user[0] != '\0') {
        curl_easy_setopt(e, CURLOPT_USERNAME, s->c.mail_user);
        curl_easy_setopt(e, CURLOPT_PASSWORD, s->c.mail_password);
    }
    curl_easy_setopt(e, CURLOPT_MAIL_FROM, mail_bounces(s));
    curl_easy_setopt(e, CURLOPT_MAIL_RCPT, p->list);
    curl_easy_setopt(e, CURLOPT_UPLOAD, 1L);
    curl_easy_setopt(e, CURLOPT_READFUNCTION, on_read);
    curl_easy_setopt(e, CURLOPT_READDATA, p);
    curl_easy_setopt(e, CURLOPT_SEEKFUNCTION, on_seek);
    curl_easy_setopt(e, CURLOPT_SEEKDATA, p);
    curl_easy_setopt(e, CURLOPT_INFILESIZE_LARGE, (curl_off_t)p->body_len);
    curl_easy_setopt(e, CURLOPT_DEBUGFUNCTION, on_debug);
    curl_easy_setopt(e, CURLOPT_DEBUGDATA, p);
    curl_easy_setopt(e, CURLOPT_VERBOSE, 1L);
    curl_easy_setopt(e, CURLOPT_TIMEOUT_MS, (long)COURIER_MAIL_MS);
    curl_easy_setopt(e, CURLOPT_CONNECTTIMEOUT_MS, (long)COURIER_MAIL_MS / 2);
    curl_easy_setopt(e, CURLOPT_MAXAGE_CONN, 60L);
}

/* ---- what became of it ---------------------------------------------------- */

/* Whether REPLY, "550 5.7.1 ...", is of the class CODE and tells of policy. */
static bool is_policy(const char *reply)
{
    return strlen(reply) > 8 && strncmp(reply + 4, "5.7.", 4) == 0;
}

static enum delivery_result judge(const struct transfer *p)
{
    bool refused = p->reply[0] == '5';

    if (p->stage < SMTP_RCPT || (refused && is_policy(p->reply)))
        return DELIVERY_OURS;
    return p->stage == SMTP_RCPT && refused ? DELIVERY_GONE : DELIVERY_RETRY;
}

void mail_ended(struct transfer *p, CURLcode code)
{
    static const char *const asked[] = {
        [SMTP_BEGIN] = "at the connection or log-in",
        [SMTP_MAIL] = "of the sender",
        [SMTP_RCPT] = "of the receiver",
        [SMTP_DATA] = "of the mail",
    };
    bool refused = p->reply[0] == '4' || p->reply[0] == '5';

    if (code == CURLE_OK)
        transfer_ends(p, DELIVERY_DONE, "%s", p->reply);
    else if (refused)
        transfer_ends(p, judge(p), "the mail server said %s: %s",
                      asked[p->stage], p->reply);
    else
        transfer_ends(p, judge(p), "no mail server, %s: %s", asked[p->stage],
                      curl_easy_strerror(code));
}
