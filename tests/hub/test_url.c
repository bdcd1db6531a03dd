/* test_url.c -- where URLs lead, and URLs below another. */

#include <criterion/criterion.h>
#include <string.h>

#include "core/base.h"
#include "server/hub/transaction.h"
#include "server/hub/url.h"

/* The host is what stands behind whom it is for and before its port, and is the
 * same however it is written; each IPv6 address is another one. */
Test(url, host)
{
    static const struct {
        const char *url, *host; /* NULL: none */
        size_t origin;
    } cases[] = {
        {"https://example.org/a/b", "example.org", 19},
        {"https://EXAMPLE.org", "example.org", 19},
        {"http://example.org:8080?a", "example.org", 23},
        {"https://example.org#at", "example.org", 19},
        {"https://me:word@example.org/", "example.org", 27},
        {"https://[2001:DB8::1]:444/x", "[2001:db8::1]", 25},
        {"https://[2001:db8::2]/x", "[2001:db8::2]", 21},
        {"https://[2001:db8::2", NULL, 20},
        {"https:///x", NULL, 8},
        {"https://:443/x", NULL, 12},
        {"example.org/x", NULL, 0},
        {"", NULL, 0},
    };
    char host[LIMIT_HOST_BYTES + 1], long_one[LIMIT_HOST_BYTES + 20];

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        bool has = url_host(cases[i].url, host);
        cr_assert_eq(has, cases[i].host != NULL, "%s", cases[i].url);
        if (has)
            cr_assert_str_eq(host, cases[i].host);
        cr_assert_eq(url_origin(cases[i].url), cases[i].origin, "%s",
                     cases[i].url);
    }
    memset(long_one, 'a', sizeof(long_one));
    memcpy(long_one, "https://", 8);
    long_one[8 + LIMIT_HOST_BYTES] = '\0';
    cr_assert(url_host(long_one, host));
    long_one[8 + LIMIT_HOST_BYTES] = 'a';
    long_one[9 + LIMIT_HOST_BYTES] = '\0';
    cr_assert_not(url_host(long_one, host));
}

/* There is one slash between, whatever the operator wrote. */
Test(url, below)
{
    static const char *const bases[] = {"https://a.example",
                                        "https://a.example/",
                                        "https://a.example//"};
    struct region r = {0};

    for (size_t i = 0; i < COUNT_OF(bases); i++)
        cr_assert_str_eq(url_below(&r, bases[i], "#table/", "x"),
                         "https://a.example/#table/x");
    cr_assert_str_eq(url_below(&r, "https://a.example/games/", "", ""),
                     "https://a.example/games/");
    region_done(&r);
}
