#include "web.h"

#include <stdint.h>
#include <string.h>
#include <zlib.h>

#include "core/base.h"

#define PAGE "index.html"

const struct web_file *web_find(const char *path)
{
    static const char folder[] = "/a/";
    size_t tag = strlen(web_tag);

    if (strcmp(path, "/") == 0) {
        path = PAGE;
    } else {
        if (strncmp(path, folder, sizeof(folder) - 1) != 0)
            return NULL;
        path += sizeof(folder) - 1;
        if (strncmp(path, web_tag, tag) != 0 || path[tag] != '/')
            return NULL;
        path += tag + 1;
        if (strcmp(path, PAGE) == 0) /* it stands at "/" only */
            return NULL;
    }
    for (const struct web_file *file = web_files; file->path != NULL; file++)
        if (strcmp(file->path, path) == 0)
            return file;
    return NULL;
}

void web_unpack(const struct web_file *file, unsigned char *out)
{
    z_stream z = {
        .next_in = (unsigned char *)(uintptr_t)file->gzip,
        .avail_in = (unsigned)file->gzip_len,
        .next_out = out,
        .avail_out = (unsigned)file->len,
    };

    int status = inflateInit2(&z, 16 + MAX_WBITS); /* 16: gzip */
    ASSERT(status == Z_OK);
    status = inflate(&z, Z_FINISH);
    ASSERT(status == Z_STREAM_END && z.total_out == file->len);
    inflateEnd(&z);
}
