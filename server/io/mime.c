#include "mime.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "core/utf8.h"
#include "protocol/http.h"

#define LINE_LEN 76 /* of what is encoded, RFC 2045 and 2047 */
#define WORD_UTF8 \
    42 /* bytes in an encoded word: 56 characters and its frame */
#define BOUNDARY "=_sobremesa_alternative_" /* no quoted-printable has "=_" */

static const char letters_digits[] =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

/* ---- addresses -------------------------------------------------------- */

/* Whether the LEN bytes at TEXT are words of letters, digits and OTHERS with
 * single dots between them; *RET_DOTS: how many dots. */
static bool dotted(const char *text, size_t len, const char *others,
                   size_t *ret_dots)
{
    *ret_dots = 0;
    if (len == 0 || text[0] == '.' || text[len - 1] == '.')
        return false;
    for (size_t i = 0; i < len; i++) {
        bool dot = text[i] == '.';
        if (text[i] == '\0' ||
            (!dot && strchr(letters_digits, text[i]) == NULL &&
             strchr(others, text[i]) == NULL) ||
            (dot && text[i + 1] == '.'))
            return false;
        *ret_dots += dot;
    }
    return true;
}

bool mail_address(const char *text)
{
    const char *sign = strchr(text, '@');
    size_t len = strlen(text), dots;

    if (sign == NULL || len > MAIL_ADDRESS_MAX || sign - text > 64 ||
        text[0] == '-')
        return false;
    if (!dotted(text, (size_t)(sign - text), "!#$%&'*+/=?^_{|}~-", &dots))
        return false;
    const char *domain = sign + 1;
    return dotted(domain, strlen(domain), "-", &dots) && domain[0] != '-' &&
           (dots > 0 || strcmp(domain, "localhost") == 0);
}

/* ---- writing ---------------------------------------------------------- */

struct writer {
    char *buf;
    size_t len, cap;
};

static void put_n(struct writer *w, const char *text, size_t len)
{
    if (w->len + len + 1 > w->cap) {
        w->cap = 2 * (w->len + len + 1);
        w->buf = realloc(w->buf, w->cap);
        ASSERT(w->buf != NULL);
    }
    memcpy(w->buf + w->len, text, len);
    w->len += len;
    w->buf[w->len] = '\0';
}

static void put(struct writer *w, const char *text)
{
    put_n(w, text, strlen(text));
}

static bool is_plain(const char *text)
{
    for (; *text != '\0'; text++)
        if (*text < ' ' || *text > '~')
            return false;
    return true;
}

static void put_base64(struct writer *w, const unsigned char *data, size_t len)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                 "abcdefghijklmnopqrstuvwxyz0123456789+/";

    for (size_t i = 0; i < len; i += 3) {
        uint32_t bits = (uint32_t)data[i] << 16 |
                        (i + 1 < len ? (uint32_t)data[i + 1] << 8 : 0) |
                        (i + 2 < len ? data[i + 2] : 0);
        char four[4] = {digits[bits >> 18], digits[bits >> 12 & 63],
                        i + 1 < len ? digits[bits >> 6 & 63] : '=',
                        i + 2 < len ? digits[bits & 63] : '='};
        put_n(w, four, sizeof(four));
    }
}

/* Takes from TEXT, of LEN bytes, what goes into one encoded word: no character
 * is in two.  What it took; *RET_LEN, what is in WORD. */
static size_t take_word(const char *text, size_t len, char word[WORD_UTF8],
                        size_t *ret_len)
{
    size_t at = 0;

    for (*ret_len = 0; at < len;) {
        uint32_t code = 0;
        size_t n = utf8_read(text + at, len - at, &code);
        bool shown = n > 0 && utf8_printable(code);
        size_t room = shown ? n : 1;
        if (*ret_len + room > WORD_UTF8)
            break;
        memcpy(word + *ret_len, shown ? text + at : " ", room);
        *ret_len += room;
        at += n > 0 ? n : 1;
    }
    return at;
}

/* Encoded words, a line each. */
static void put_words(struct writer *w, const char *text)
{
    size_t left = strlen(text), len;
    char word[WORD_UTF8];

    for (bool first = true; left > 0; first = false) {
        size_t took = take_word(text, left, word, &len);
        put(w, first ? "=?UTF-8?B?" : "\r\n =?UTF-8?B?");
        put_base64(w, (const unsigned char *)word, len);
        put(w, "?=");
        text += took;
        left -= took;
    }
}

/* A header of unstructured text. */
static void put_text_header(struct writer *w, const char *name,
                            const char *text)
{
    put(w, name);
    put(w, ": ");
    /* A long one would have to be folded: encoded it is so anyway. */
    if (is_plain(text) && strlen(name) + 2 + strlen(text) <= LINE_LEN &&
        strstr(text, "=?") == NULL)
        put(w, text);
    else
        put_words(w, text);
    put(w, "\r\n");
}

/* A header whose value needs nothing of that: ours, or checked. */
static void put_header(struct writer *w, const char *name, const char *before,
                       const char *value, const char *after)
{
    ASSERT(is_plain(value));
    put(w, name);
    put(w, ": ");
    put(w, before);
    put(w, value);
    put(w, after);
    put(w, "\r\n");
}

static void put_from(struct writer *w, const struct mime_mail *m)
{
    put(w, "From: ");
    if (m->from_name[0] != '\0') {
        /* Always encoded: so there is nothing to be quoted. */
        put_words(w, m->from_name);
        put(w, strlen(m->from_name) > WORD_UTF8 / 2 ? "\r\n " : " ");
    }
    put(w, "<");
    put(w, m->from);
    put(w, ">\r\n");
}

static void put_date(struct writer *w, int64_t at_ms)
{
    char date[HTTP_DATE_SIZE], *gmt;

    http_date(date, at_ms / 1000);
    gmt = strstr(date, " GMT"); /* which is obsolete in mails */
    ASSERT(gmt != NULL);
    *gmt = '\0';
    put_header(w, "Date", "", date, " +0000");
}

static void put_unsubscribe(struct writer *w, const char *url)
{
    if (url == NULL || !is_plain(url))
        return;
    put_header(w, "List-Unsubscribe", "<", url, ">");
    if (strncmp(url, "https://", 8) == 0) /* RFC 8058 wants that */
        put_header(w, "List-Unsubscribe-Post", "",
                   "List-Unsubscribe=One-Click", "");
}

static void put_headers(struct writer *w, const struct mime_mail *m)
{
    put_from(w, m);
    put_header(w, "To", "<", m->to, ">");
    put_text_header(w, "Subject", m->subject);
    put_date(w, m->at_ms);
    put_header(w, "Message-ID", "<", m->message_id, ">");
    if (m->references != NULL) {
        put_header(w, "In-Reply-To", "<", m->references, ">");
        put_header(w, "References", "<", m->references, ">");
    }
    put_unsubscribe(w, m->unsubscribe);
    /* Nobody's holiday notice is to answer, nor a list to take it. */
    put_header(w, "Auto-Submitted", "", "auto-generated", "");
    put_header(w, "X-Auto-Response-Suppress", "", "All", "");
    put_header(w, "Content-Language", "", m->language, "");
    put_header(w, "MIME-Version", "", "1.0", "");
    put_header(w, "Content-Type", "multipart/alternative; boundary=\"",
               BOUNDARY, "\"");
    put(w, "\r\n");
}

/* Quoted-printable, RFC 2045 6.7; lines of TEXT stay lines. */
static void put_quoted(struct writer *w, const char *text)
{
    size_t column = 0;

    for (const unsigned char *p = (const unsigned char *)text; *p != '\0';
         p++) {
        char code[4];
        bool last = p[1] == '\n' || p[1] == '\0';
        if (*p == '\n') {
            put(w, "\r\n");
            column = 0;
            continue;
        }
        bool bare = (*p >= '!' && *p <= '~' && *p != '=') ||
                    (*p == ' ' && !last);
        /* A line that begins with a dot or "From " is changed by some who
         * carry it. */
        bare = bare && !(column == 0 && (*p == '.' || *p == 'F'));
        snprintf(code, sizeof(code), bare ? "%c" : "=%02X", *p);
        if (column + strlen(code) > LINE_LEN - 1) {
            put(w, "=\r\n");
            column = 0;
        }
        put(w, code);
        column += strlen(code);
    }
}

static void put_part(struct writer *w, const char *type, const char *text)
{
    put(w, "--" BOUNDARY "\r\n");
    put_header(w, "Content-Type", type, "; charset=utf-8", "");
    put_header(w, "Content-Transfer-Encoding", "", "quoted-printable", "");
    put(w, "\r\n");
    put_quoted(w, text);
    put(w, "\r\n");
}

char *mime_write(const struct mime_mail *m, size_t *ret_len)
{
    struct writer w = {0};

    ASSERT(mail_address(m->from) && mail_address(m->to));
    put_headers(&w, m);
    put_part(&w, "text/plain", m->text);
    put_part(&w, "text/html", m->html);
    put(&w, "--" BOUNDARY "--\r\n");
    *ret_len = w.len;
    return w.buf;
}
