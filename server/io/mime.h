/* mime.h -- a mail as it travels: RFC 5322 headers, and one text as plain and
 * as HTML (RFC 2046), in ASCII lines that end with CRLF.
 *
 * What is given may be any UTF-8: a header is encoded (RFC 2047) unless it is
 * plain, control characters in it are spaces, so nothing that people wrote
 * begins another header or ends the mail. */

#ifndef SERVER_IO_MIME_H
#define SERVER_IO_MIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The longest address there is: RFC 5321, 4.5.3.1. */
#define MAIL_ADDRESS_MAX 254

struct mime_mail {
    const char *from_name;   /* or "" */
    const char *from, *to;   /* addresses: mail_address() says so */
    const char *subject;     /* one line */
    const char *message_id;  /* without its <> */
    const char *references;  /* of the thread it belongs to, or NULL */
    const char *unsubscribe; /* URL, or NULL */
    const char *language;    /* "en" */
    int64_t at_ms;           /* when it is sent, by the wall's clock */
    const char *text, *html; /* lines end with \n */
};

/* Whether TEXT is an address that mail can be sent to: of one `@`, a domain
 * with a dot in it (or localhost), and none but the characters that need no
 * quoting: so nothing in it can be taken for something else on the way. */
bool mail_address(const char *text);

/* The mail, the caller's to free; its length in *RET_LEN. */
char *mime_write(const struct mime_mail *mail, size_t *ret_len);

#endif
