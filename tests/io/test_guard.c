/* Which addresses are called that people give: none of ours, whatever it is
 * called and however it is written. */

#include <arpa/inet.h>
#include <criterion/criterion.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/un.h>

#include "core/ascii.h"
#include "core/base.h"
#include "server/hub/url.h"
#include "server/io/guard.h"

static bool may(const char *text)
{
    struct sockaddr_in6 in6 = {.sin6_family = AF_INET6};
    struct sockaddr_in in = {.sin_family = AF_INET};

    if (inet_pton(AF_INET, text, &in.sin_addr) == 1)
        return guard_address((struct sockaddr *)&in);
    cr_assert_eq(inet_pton(AF_INET6, text, &in6.sin6_addr), 1, "%s", text);
    return guard_address((struct sockaddr *)&in6);
}

/* Each special network is refused at both its ends, its neighbours on the
 * Internet are not. */
Test(guard, addresses)
{
    static const char *const refused[] = {
        "0.0.0.0", "0.255.255.255", "10.0.0.0", "10.255.255.255", "100.64.0.0",
        "100.127.255.255", "127.0.0.1", "127.255.255.255", "169.254.169.254",
        "172.16.0.0", "172.31.255.255", "192.0.0.1", "192.0.2.1",
        "192.88.99.1", "192.168.0.0", "192.168.255.255", "198.18.0.0",
        "198.19.255.255", "198.51.100.1", "203.0.113.1", "224.0.0.1",
        "239.255.255.255", "240.0.0.1", "255.255.255.255",
        /* mapped, compatible, NAT64, 6to4, Teredo */
        "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254",
        "::127.0.0.1", "64:ff9b::127.0.0.1", "64:ff9b::10.1.2.3",
        "64:ff9b:1::1", "2002:7f00:1::", "2002:808:808::1", "2001::1",
        /* unspecified, loopback, unique local, link-local, site-local, several,
         * discarded, for examples */
        "::", "::1", "fc00::1", "fd12:3456::1", "fe80::1", "fec0::1",
        "ff02::1", "100::1", "2001:db8::1", "3fff::1", "4000::1"};
    static const char *const good[] = {"1.1.1.1",         "9.255.255.255",
                                       "11.0.0.0",        "100.63.255.255",
                                       "100.128.0.0",     "126.255.255.255",
                                       "128.0.0.0",       "169.253.255.255",
                                       "169.255.0.0",     "172.15.255.255",
                                       "172.32.0.0",      "192.167.255.255",
                                       "192.169.0.0",     "198.17.255.255",
                                       "198.20.0.0",      "223.255.255.255",
                                       "::ffff:8.8.8.8",  "64:ff9b::8.8.8.8",
                                       "2606:4700::1111", "2a00:1450::1",
                                       "2001:200::1",     "3ffe::1"};
    struct sockaddr_un un = {.sun_family = AF_UNIX};

    for (size_t i = 0; i < COUNT_OF(refused); i++)
        cr_expect(!may(refused[i]), "%s", refused[i]);
    for (size_t i = 0; i < COUNT_OF(good); i++)
        cr_expect(may(good[i]), "%s", good[i]);
    cr_expect(!guard_address((struct sockaddr *)&un));
}

/* Of URLs only https at port 443 passes, and what the operator has named, to
 * the letter of scheme, host and port. */
Test(guard, urls)
{
    static const char allow[] = "http://gotify.lan,https://ntfy.lan:8443";
    static const char *const good[] = {
        "https://x.example",      "https://x.example/a?b=c",
        "https://x.example:443/", "HTTPS://X.Example/",
        "https://1.1.1.1/x",      "http://gotify.lan/message",
        "http://GOTIFY.lan:80/",  "https://ntfy.lan:8443/topic",
        "https://[2606:4700::1]/"};
    static const char *const bad[] = {"",
                                      "x.example",
                                      "http://x.example/",
                                      "https://x.example:8443/",
                                      "https://x.example:80/",
                                      "https://user@x.example/",
                                      "https://user:pass@x.example/",
                                      "http://user@gotify.lan/",
                                      "https://gotify.lan:8443/",
                                      "http://gotify.lan:8080/",
                                      "http://gotify.lan.evil.example/",
                                      "http://ntfy.lan:8443/",
                                      "ftp://x.example/",
                                      "file:///etc/passwd",
                                      "gopher://x.example/",
                                      "smtp://x.example/",
                                      "https://x.example/\r\nHost: y",
                                      "https://x.example/ y",
                                      "https://x\xc3\xa9.example/",
                                      "https://x.example/<"};
    struct guard_target t;
    char longest[GUARD_URL_MAX + 1];

    for (size_t i = 0; i < COUNT_OF(good); i++)
        cr_expect_null(guard_url(good[i], allow, &t), "%s", good[i]);
    for (size_t i = 0; i < COUNT_OF(bad); i++)
        cr_expect_not_null(guard_url(bad[i], allow, &t), "%s", bad[i]);
    memset(longest, 'a', sizeof(longest));
    memcpy(longest, "https://x.example/", 18);
    longest[GUARD_URL_MAX] = '\0';
    cr_expect_not_null(guard_url(longest, allow, &t));
    longest[GUARD_URL_MAX - 1] = '\0';
    cr_expect_null(guard_url(longest, allow, &t));
}

/* Who is called is known by name, and by the origin that a push service
 * expects; what is private is so only for what the operator named. */
Test(guard, targets)
{
    struct guard_target t;

    cr_assert_null(guard_url("https://Push.example:443/abc", "", &t));
    cr_expect(!t.allowed);
    cr_expect_str_eq(t.host, "Push.example");
    cr_expect_str_eq(t.origin, "https://Push.example");
    cr_assert_null(
        guard_url("https://ntfy.lan:8443/abc", "https://ntfy.lan:8443", &t));
    cr_expect(t.allowed);
    cr_expect_str_eq(t.origin, "https://ntfy.lan:8443");
}

/* Whose turn it is to be called is decided by the host that is called. */
Test(guard, same_host)
{
    static const char *const urls[] = {
        "https://example.org/a?b#c",       "https://EXAMPLE.org",
        "https://example.org:443/",        "https://[2606:4700::1111]/x",
        "https://[2606:4700::1111]:443/x",
    };
    char host[LIMIT_HOST_BYTES + 1];
    struct guard_target target;

    for (size_t i = 0; i < COUNT_OF(urls); i++) {
        cr_assert_null(guard_url(urls[i], "", &target), "%s", urls[i]);
        cr_assert(url_host(urls[i], host));
        cr_assert_eq(ascii_compare(host, target.host), 0, "%s", urls[i]);
    }
}
