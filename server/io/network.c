#include "network.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAPPED_BITS 96 /* of ::ffff:0:0/96, where IPv4 is in IPv6 */

static void map_v4(const struct in_addr *v4, uint8_t to[16])
{
    memset(to, 0, 10);
    memset(to + 10, 0xff, 2);
    memcpy(to + 12, v4, 4);
}

/* Reads an address; how many bits it has, or 0 if it is none. */
static unsigned read_address(const char *text, uint8_t to[16])
{
    struct in_addr v4;

    if (inet_pton(AF_INET, text, &v4) == 1) {
        map_v4(&v4, to);
        return 32;
    }
    return inet_pton(AF_INET6, text, to) == 1 ? 128 : 0;
}

/* Makes all bits of ADDRESS behind the first BITS 0; whether they were. */
static bool cut(uint8_t address[16], unsigned bits)
{
    bool clean = true;

    for (unsigned i = bits; i < 128; i++) {
        uint8_t bit = (uint8_t)(0x80 >> i % 8);
        clean = clean && !(address[i / 8] & bit);
        address[i / 8] &= (uint8_t)~bit;
    }
    return clean;
}

/* The address of N as it is written, with a suffix if it is IPv4. */
static void say_network(const struct network *n, bool v4, char *to,
                        size_t size)
{
    char text[INET6_ADDRSTRLEN] = "";

    inet_ntop(v4 ? AF_INET : AF_INET6, n->address + (v4 ? 12 : 0), text,
              sizeof(text));
    snprintf(to, size, "%s/%u", text, v4 ? n->bits - MAPPED_BITS : n->bits);
}

/* WORD, which is changed, as N. */
static bool read_network(char *word, struct network *n, char *why, size_t size)
{
    char *slash = strchr(word, '/'), *end, there[64];
    unsigned width;

    if (slash != NULL)
        *slash = '\0';
    width = read_address(word, n->address);
    if (width == 0) {
        snprintf(why, size, "%.100s is no address", word);
        return false;
    }
    unsigned long bits = width;
    if (slash != NULL && slash[1] >= '0' && slash[1] <= '9') {
        bits = strtoul(slash + 1, &end, 10);
        if (*end != '\0')
            bits = width + 1;
    } else if (slash != NULL) {
        bits = width + 1;
    }
    if (bits > width) {
        snprintf(why, size,
                 "%.100s/%.20s: behind the / is a number of bits, "
                 "0 to %u",
                 word, slash + 1, width);
        return false;
    }
    n->bits = (unsigned)bits + (width == 32 ? MAPPED_BITS : 0);
    if (cut(n->address, n->bits))
        return true;
    say_network(n, width == 32, there, sizeof(there));
    snprintf(why, size, "%.100s/%lu is no network; %s is", word, bits, there);
    return false;
}

bool networks_read(const char *text, struct networks *to, char *why,
                   size_t size)
{
    struct networks read = {0};
    char word[128];

    for (const char *at = text + strspn(text, " ,"); *at != '\0';) {
        size_t len = strcspn(at, " ,");
        if (read.count == NETWORKS_MAX) {
            snprintf(why, size, "more than %d networks", NETWORKS_MAX);
            return false;
        }
        snprintf(word, sizeof(word), "%.*s", (int)(len < 120 ? len : 120), at);
        if (!read_network(word, &read.list[read.count++], why, size))
            return false;
        at += len;
        at += strspn(at, " ,");
    }
    *to = read;
    return true;
}

static bool has(const struct network *n, const uint8_t address[16])
{
    uint8_t there[16];

    memcpy(there, address, sizeof(there));
    (void)cut(there, n->bits);
    return memcmp(there, n->address, sizeof(there)) == 0;
}

bool network_address(const struct sockaddr *from, uint8_t to[16])
{
    memset(to, 0, 16);
    if (from->sa_family == AF_INET)
        map_v4(&((const struct sockaddr_in *)from)->sin_addr, to);
    else if (from->sa_family == AF_INET6)
        memcpy(to, &((const struct sockaddr_in6 *)from)->sin6_addr, 16);
    else
        return false;
    return true;
}

bool network_is_v4(const uint8_t address[16])
{
    static const struct in_addr none;
    uint8_t mapped[16];

    map_v4(&none, mapped);
    return memcmp(address, mapped, MAPPED_BITS / 8) == 0;
}

bool network_read_address(const char *text, size_t len, uint8_t to[16])
{
    const char *end = text + len, *colon = memchr(text, ':', len);
    char word[INET6_ADDRSTRLEN];

    if (len > 0 && text[0] == '[') {
        end = memchr(++text, ']', len - 1);
        if (end == NULL)
            return false;
    } else if (colon != NULL &&
               memchr(colon + 1, ':', (size_t)(end - colon - 1)) == NULL)
        end = colon; /* a single one is before a port */
    len = (size_t)(end - text);
    if (len >= sizeof(word))
        return false;
    memcpy(word, text, len);
    word[len] = '\0';
    return read_address(word, to) != 0;
}

bool networks_have_address(const struct networks *n, const uint8_t address[16])
{
    for (size_t i = 0; i < n->count; i++)
        if (has(&n->list[i], address))
            return true;
    return false;
}

bool networks_have(const struct networks *n, const struct sockaddr *address)
{
    uint8_t there[16];

    return network_address(address, there) && networks_have_address(n, there);
}

bool networks_have_all(const struct networks *n)
{
    for (size_t i = 0; i < n->count; i++)
        if (n->list[i].bits == 0 || (n->list[i].bits == MAPPED_BITS &&
                                     network_is_v4(n->list[i].address)))
            return true;
    return false;
}
