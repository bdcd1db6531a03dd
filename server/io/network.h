/* network.h -- addresses and networks, as in `http.proxies`: 10.0.0.0/8,
 * 192.0.2.7, 2001:db8::/32.  An IPv4 address and the IPv6 one it is mapped to
 * (::ffff:192.0.2.7) are the same. */

#ifndef SERVER_IO_NETWORK_H
#define SERVER_IO_NETWORK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#define NETWORKS_MAX 64

struct network {
    uint8_t address[16]; /* IPv6; no bits behind the first BITS */
    unsigned bits;
};

struct networks {
    struct network list[NETWORKS_MAX];
    size_t count;
};

/* FROM, of IPv4 or IPv6, as an address of IPv6; false, and TO all 0, if it is
 * something else. */
bool network_address(const struct sockaddr *from, uint8_t to[16]);
/* Reads an address as proxies write it, LEN bytes of TEXT: 192.0.2.7 or
 * 2001:db8::1, or with a port, 192.0.2.7:4711 or [2001:db8::1]:4711.  False if it
 * is none. */
bool network_read_address(const char *text, size_t len, uint8_t to[16]);
/* Whether ADDRESS is one of IPv4, in its last four bytes. */
bool network_is_v4(const uint8_t address[16]);

/* Reads TEXT, networks parted by spaces or commas.  False, with one line in
 * WHY, if something in it is none; then TO is as it was. */
bool networks_read(const char *text, struct networks *to, char *why,
                   size_t size);
/* Whether ADDRESS, of IPv4 or IPv6, is in one of them. */
bool networks_have(const struct networks *n, const struct sockaddr *address);
bool networks_have_address(const struct networks *n,
                           const uint8_t address[16]);
/* Whether all addresses of IPv4, or all of IPv6, are. */
bool networks_have_all(const struct networks *n);

#endif
