#include "web.h"

#include <stdint.h>
#include <string.h>
#include <zlib.h>

#include "core/base.h"

#define PAGE   "index.html"
#define WORKER "sw.js"

/* These stand at a path of their own, and are asked for every time. */
static const struct {
    char at[16], file[16];
} fixed[] = {
    {"/", PAGE},
    {"/" WORKER, WORKER}, /* a service worker is for what is beside it */
};

static const char *fixed_file(const char *path)
{
    for (size_t i = 0; i < COUNT_OF(fixed); i++)
        if (strcmp(path, fixed[i].at) == 0)
            return fixed[i].file;
    return NULL;
}

static bool is_fixed(const char *file)
{
    for (size_t i = 0; i < COUNT_OF(fixed); i++)
        if (strcmp(file, fixed[i].file) == 0)
            return true;
    return false;
}

bool web_changes(const char *path)
{
    return fixed_file(path) != NULL;
}

/* What PATH names in the folder of the others, or NULL. */
static const char *folder_file(const char *path)
{
    static const char folder[] = "/a/";
    size_t tag = strlen(web_tag);

    if (strncmp(path, folder, sizeof(folder) - 1) != 0)
        return NULL;
    path += sizeof(folder) - 1;
    if (strncmp(path, web_tag, tag) != 0 || path[tag] != '/')
        return NULL;
    path += tag + 1;
    return is_fixed(path) ? NULL : path;
}

const struct web_file *web_find(const char *path)
{
    const char *name = fixed_file(path);

    if (name == NULL)
        name = folder_file(path);
    for (const struct web_file *file = web_files;
         name != NULL && file->path != NULL; file++)
        if (strcmp(file->path, name) == 0)
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
