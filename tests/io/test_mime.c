/* Mails as they travel: what they look like, and that nothing in them can be
 * taken for anything else.  tests/daemon/test_mail.py reads them with Python's
 * own parser. */

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "server/io/mime.h"

static struct mime_mail a_mail(void)
{
    return (struct mime_mail){
        .from_name = "Sobremesa",
        .from = "games@example.org",
        .to = "ana@example.net",
        .subject = "Hacienda",
        .message_id = "n1@example.org",
        .language = "en",
        .at_ms = INT64_C(1795545000000),
        .text = "Hello\n",
        .html = "<p>Hello</p>\n",
    };
}

/* Addresses that are good, and all that somebody might hide in one. */
Test(mime, addresses)
{
    static const char *const good[] = {"a@b.c",
                                       "first.last+tag@sub.example.org",
                                       "o'neil@example.org",
                                       "!#$%&'*+/=?^_{|}~-@x.y",
                                       "root@localhost"};
    static const char *const bad[] = {"",
                                      "a",
                                      "@b.c",
                                      "a@",
                                      "a@b",
                                      "a@b@c.d",
                                      "a b@c.d",
                                      "a@b.c\r\nRCPT TO:<x@y.z>",
                                      "<a@b.c>",
                                      "a@b.c>",
                                      "\"a b\"@c.d",
                                      "a@[192.0.2.1]",
                                      "a.@b.c",
                                      ".a@b.c",
                                      "a..b@c.d",
                                      "a@b..c",
                                      "a@.b.c",
                                      "a@b.c.",
                                      "a@-b.c",
                                      "-a@b.c",
                                      "a@b.c,d@e.f",
                                      "\xc3\xa9@b.c",
                                      "a@\xc3\xa9.c",
                                      "a`@b.c",
                                      "a@b_c.d"};
    char longest[MAIL_ADDRESS_MAX + 2];

    for (size_t i = 0; i < COUNT_OF(good); i++)
        cr_expect(mail_address(good[i]), "%s", good[i]);
    for (size_t i = 0; i < COUNT_OF(bad); i++)
        cr_expect(!mail_address(bad[i]), "%s", bad[i]);
    memset(longest, 'a', sizeof(longest));
    memcpy(longest, "a@b.", 4);
    longest[MAIL_ADDRESS_MAX] = '\0';
    cr_expect(mail_address(longest));
    longest[MAIL_ADDRESS_MAX] = 'a';
    longest[MAIL_ADDRESS_MAX + 1] = '\0';
    cr_expect(!mail_address(longest));
}

/* A plain mail, to the byte. */
Test(mime, plain)
{
    static const char wanted[] =
        "From: =?UTF-8?B?U29icmVtZXNh?= <games@example.org>\r\n"
        "To: <ana@example.net>\r\n"
        "Subject: Hacienda\r\n"
        "Date: Tue, 24 Nov 2026 18:30:00 +0000\r\n"
        "Message-ID: <n1@example.org>\r\n"
        "In-Reply-To: <t7@example.org>\r\n"
        "References: <t7@example.org>\r\n"
        "List-Unsubscribe: <https://x.example/u/1>\r\n"
        "List-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n"
        "Auto-Submitted: auto-generated\r\n"
        "X-Auto-Response-Suppress: All\r\n"
        "Content-Language: en\r\n"
        "MIME-Version: 1.0\r\n"
        "Content-Type: multipart/alternative; "
        "boundary=\"=_sobremesa_alternative_\"\r\n"
        "\r\n"
        "--=_sobremesa_alternative_\r\n"
        "Content-Type: text/plain; charset=utf-8\r\n"
        "Content-Transfer-Encoding: quoted-printable\r\n"
        "\r\n"
        "Hello\r\n"
        "\r\n"
        "--=_sobremesa_alternative_\r\n"
        "Content-Type: text/html; charset=utf-8\r\n"
        "Content-Transfer-Encoding: quoted-printable\r\n"
        "\r\n"
        "<p>Hello</p>\r\n"
        "\r\n"
        "--=_sobremesa_alternative_--\r\n";
    struct mime_mail m = a_mail();
    size_t len;

    m.references = "t7@example.org";
    m.unsubscribe = "https://x.example/u/1";
    char *text = mime_write(&m, &len);
    cr_assert_str_eq(text, wanted);
    cr_assert_eq(len, strlen(wanted));
    free(text);
}

static void check_lines(const char *text)
{
    for (const char *at = text, *end; *at != '\0'; at = end + 2) {
        end = strstr(at, "\r\n");
        cr_assert_not_null(end);
        cr_assert(end - at <= 78, "%.*s", (int)(end - at), at);
        for (const char *p = at; p < end; p++)
            cr_assert(*p >= ' ' && *p <= '~', "%.*s", (int)(end - at), at);
    }
}

/* Whatever is in the texts, a mail is lines of ASCII of no more than 78
 * characters, a header stays one, and no line begins with a dot. */
Test(mime, hostile)
{
    char subject[700], text[3000];
    struct mime_mail m = a_mail();
    size_t len;

    strcpy(subject, "x\r\nBcc: <b@c.d>\r\n\r\n.\r\n");
    for (int i = 0; i < 100; i++)
        strcat(subject, "\xc3\xa9\xf0\x9f\x98\x80");
    strcpy(text,
           ".\n..\nFrom me = \xc3\xa9 \nends in a space \n\xff\xfe\x01\t\n");
    memset(text + strlen(text), 'a', 2000);
    text[2040] = '\0';
    m.subject = m.from_name = subject;
    m.text = m.html = text;
    char *mail = mime_write(&m, &len);
    check_lines(mail);
    cr_assert_null(strstr(mail, "\r\nBcc"));
    cr_assert_null(strstr(mail, "\r\n."));
    cr_assert_null(strstr(mail, "\r\nFrom me"));
    cr_assert_not_null(strstr(mail, "\r\n=2E\r\n=2E.\r\n"));
    cr_assert_not_null(strstr(mail, "space=20\r\n"));
    free(mail);
}

/* One click needs https; what is no URL is no header. */
Test(mime, unsubscribe)
{
    struct mime_mail m = a_mail();
    size_t len;

    m.unsubscribe = "http://x.example/u/1";
    char *text = mime_write(&m, &len);
    cr_expect_not_null(strstr(text, "\r\nList-Unsubscribe: <http:"));
    cr_expect_null(strstr(text, "One-Click"));
    free(text);
    m.unsubscribe = "https://x.example/\r\nBcc: a@b.c";
    text = mime_write(&m, &len);
    cr_expect_null(strstr(text, "Bcc"));
    free(text);
    m.unsubscribe = NULL;
    text = mime_write(&m, &len);
    cr_expect_null(strstr(text, "List-"));
    free(text);
}
