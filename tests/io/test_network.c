/* test_network.c -- addresses and networks. */

#include <arpa/inet.h>
#include <criterion/criterion.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>

#include "server/io/network.h"

static bool has(const char *networks, const char *address)
{
    struct sockaddr_in6 in6 = {.sin6_family = AF_INET6};
    struct sockaddr_in in = {.sin_family = AF_INET};
    struct networks n;
    char why[200];

    cr_assert(networks_read(networks, &n, why, sizeof(why)), "%s", why);
    if (inet_pton(AF_INET, address, &in.sin_addr) == 1)
        return networks_have(&n, (struct sockaddr *)&in);
    cr_assert_eq(inet_pton(AF_INET6, address, &in6.sin6_addr), 1);
    return networks_have(&n, (struct sockaddr *)&in6);
}

/* To the bit: the first and the last address are in it, their neighbours are
 * not. */
Test(network, edges)
{
    cr_expect(has("10.0.0.0/8", "10.0.0.0"));
    cr_expect(has("10.0.0.0/8", "10.255.255.255"));
    cr_expect(!has("10.0.0.0/8", "9.255.255.255"));
    cr_expect(!has("10.0.0.0/8", "11.0.0.0"));
    cr_expect(has("192.0.2.128/25", "192.0.2.128"));
    cr_expect(!has("192.0.2.128/25", "192.0.2.127"));
    cr_expect(has("192.0.2.7", "192.0.2.7"));
    cr_expect(!has("192.0.2.7", "192.0.2.6"));
    cr_expect(has("2001:db8::/47", "2001:db8:1:ffff::1"));
    cr_expect(!has("2001:db8::/47", "2001:db8:2::"));
    cr_expect(has("0.0.0.0/0", "255.1.2.3"));
    cr_expect(!has("0.0.0.0/0", "::1"));
    cr_expect(has("::/0", "1.2.3.4"));
    cr_expect(!has("", "127.0.0.1"));
}

/* An address of IPv4 is the same however it comes and however it is written. */
Test(network, mapped)
{
    cr_expect(has("10.0.0.0/8", "::ffff:10.1.2.3"));
    cr_expect(has("::ffff:10.0.0.0/104", "10.1.2.3"));
    cr_expect(!has("::ffff:10.0.0.0/104", "11.1.2.3"));
    cr_expect(has("::ffff:192.0.2.1", "192.0.2.1"));
    cr_expect(has(" ::1 ,, 127.0.0.1,", "127.0.0.1"));
}

/* As proxies write them, with a port or without. */
Test(network, as_proxies_write)
{
    static const struct {
        const char *text, *address; /* NULL: none */
    } cases[] = {
        {"192.0.2.7", "::ffff:192.0.2.7"},
        {"192.0.2.7:4711", "::ffff:192.0.2.7"},
        {"192.0.2.7:", "::ffff:192.0.2.7"},
        {"2001:db8::7", "2001:db8::7"},
        {"[2001:db8::7]", "2001:db8::7"},
        {"[2001:db8::7]:4711", "2001:db8::7"},
        {"::ffff:192.0.2.7", "::ffff:192.0.2.7"},
        {"", NULL},
        {":4711", NULL},
        {"unknown", NULL},
        {"[2001:db8::7", NULL},
        {"[]", NULL},
        {"[", NULL},
        {"192.0.2.7.8", NULL},
        {"0000:0000:0000:0000:0000:0000:0000:0000:0000:0000:0000:0001", NULL},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        size_t len = strlen(cases[i].text);
        uint8_t is[16], wanted[16];
        char *text = malloc(len + 1); /* whoever reads on is seen */
        memcpy(text, cases[i].text, len);
        bool read = network_read_address(text, len, is);
        cr_expect_eq(read, cases[i].address != NULL, "%s", cases[i].text);
        if (read) {
            cr_assert_eq(inet_pton(AF_INET6, cases[i].address, wanted), 1);
            cr_expect_arr_eq(is, wanted, 16, "%s", cases[i].text);
        }
        free(text);
    }
}

Test(network, everybody)
{
    static const char *const all[] = {"0.0.0.0/0", "::/0", "10.0.0.0/8 ::/0",
                                      "::ffff:0.0.0.0/96"};
    static const char *const some[] = {"", "10.0.0.0/8", "0.0.0.0/1",
                                       "8000::/1", "::/96"};
    struct networks n;
    char why[200];

    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
        cr_assert(networks_read(all[i], &n, why, sizeof(why)), "%s", why);
        cr_expect(networks_have_all(&n), "%s", all[i]);
    }
    for (size_t i = 0; i < sizeof(some) / sizeof(some[0]); i++) {
        cr_assert(networks_read(some[i], &n, why, sizeof(why)), "%s", why);
        cr_expect(!networks_have_all(&n), "%s", some[i]);
    }
}

/* Those of IPv4 are known however they came, and what only looks a little like
 * them is not; what is no address at all is none. */
Test(network, addresses)
{
    struct sockaddr_in in = {.sin_family = AF_INET};
    struct sockaddr_in6 in6 = {.sin6_family = AF_INET6};
    struct sockaddr other = {.sa_family = AF_UNIX};
    uint8_t a[16], b[16];

    inet_pton(AF_INET, "192.0.2.7", &in.sin_addr);
    inet_pton(AF_INET6, "::ffff:192.0.2.7", &in6.sin6_addr);
    cr_assert(network_address((struct sockaddr *)&in, a));
    cr_assert(network_address((struct sockaddr *)&in6, b));
    cr_assert_arr_eq(a, b, sizeof(a));
    cr_assert(network_is_v4(a));
    inet_pton(AF_INET6, "::fffe:192.0.2.7", &in6.sin6_addr);
    cr_assert(network_address((struct sockaddr *)&in6, b));
    cr_assert_not(network_is_v4(b));
    cr_assert_not(network_address(&other, b));
}

/* What is no network is refused, with the reason, and changes nothing. */
Test(network, nonsense)
{
    static const struct {
        const char *text, *why;
    } bad[] = {
        {"10.0.0.1/8", "10.0.0.1/8 is no network; 10.0.0.0/8 is"},
        {"2001:db8::1/32", "2001:db8::1/32 is no network; 2001:db8::/32 is"},
        {"10.0.0.0/33", "0 to 32"},
        {"::/129", "0 to 128"},
        {"10.0.0.0/", "a number of bits"},
        {"10.0.0.0/-1", "a number of bits"},
        {"10.0.0.0/8x", "a number of bits"},
        {"10.0.0", "10.0.0 is no address"},
        {"localhost", "localhost is no address"},
        {"127.0.0.1 nonsense", "nonsense is no address"},
        {"/8", " is no address"},
        {"[::1]", "[::1] is no address"},
        {"127.0.0.1:80", "is no address"},
    };
    struct networks n, before;
    char why[200], many[NETWORKS_MAX * 9 + 20] = "";

    cr_assert(networks_read("10.0.0.0/8", &n, why, sizeof(why)));
    before = n;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        cr_expect(!networks_read(bad[i].text, &n, why, sizeof(why)), "%s",
                  bad[i].text);
        cr_expect(strstr(why, bad[i].why) != NULL, "%s", why);
    }
    for (int i = 0; i <= NETWORKS_MAX; i++)
        strcat(many, "10.0.0.1 ");
    cr_expect(!networks_read(many, &n, why, sizeof(why)));
    cr_expect_eq(memcmp(&n, &before, sizeof(n)), 0);
}
