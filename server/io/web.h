/* web.h -- the browser client within the binary.  clients/web/embed.sh makes
 * the table of it. */

#ifndef SERVER_IO_WEB_H
#define SERVER_IO_WEB_H

#include <stdbool.h>
#include <stddef.h>

struct web_file {
    const char *path; /* "index.html", "games/plain.js" */
    const char *type; /* Content-Type */
    size_t len;       /* bytes before compression */
    const unsigned char *gzip;
    size_t gzip_len;
};

extern const struct web_file web_files[]; /* ends with a NULL path */
extern const char web_tag[];              /* changes when any of them does */

/* The file that stands at PATH of a URL, or NULL: the page itself at "/", its
 * service worker beside it, the others below "/a/TAG/". */
const struct web_file *web_find(const char *path);
/* Whether what stands at PATH is another one in another version: it is to be
 * asked for every time.  What stands below "/a/TAG/" may be kept for ever. */
bool web_changes(const char *path);

/* Writes the LEN bytes of a file to OUT. */
void web_unpack(const struct web_file *file, unsigned char *out);

#endif
