#include "zones.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/base.h"
#include "regular.h"

#define NAMES_MAX 2000 /* 600 in 2026, 312 of them in zone1970.tab */
#define UTC       "Etc/UTC"
/* That one link leads to the next. */
#define CHAIN_MAX 3

struct named {
    char name[ZONES_NAME_MAX + 1];
    uint16_t zone;
};

struct zones {
    struct zone *list; /* as they are read: UTC, and that of each file */
    size_t zone_count;
    struct named *names; /* sorted, when all are there */
    size_t name_count;
};

/* ---- names ------------------------------------------------------------- */

/* Whether NAME is one: words of letters, digits, +, - and _, parted by /. */
static bool is_name(const char *name)
{
    size_t len = strlen(name);

    if (len == 0 || len > ZONES_NAME_MAX || name[0] == '/' ||
        name[len - 1] == '/' || strstr(name, "//") != NULL)
        return false;
    return strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                        "0123456789+-_/") == len;
}

static int by_name(const void *a, const void *b)
{
    const struct named *x = a, *y = b;
    return strcmp(x->name, y->name);
}

/* By looking at all: for a list that is not sorted yet. */
static const struct named *listed(const struct zones *z, const char *name)
{
    for (size_t i = 0; i < z->name_count; i++)
        if (strcmp(z->names[i].name, name) == 0)
            return &z->names[i];
    return NULL;
}

static void add_name(struct zones *z, const char *name, size_t zone)
{
    if (z->name_count == NAMES_MAX || listed(z, name) != NULL)
        return;
    struct named *n = &z->names[z->name_count++];
    snprintf(n->name, sizeof(n->name), "%s", name);
    n->zone = (uint16_t)zone;
}

/* ---- files -------------------------------------------------------------- */

static FILE *open_in(const char *dir, const char *name)
{
    char path[4096], why[16];

    if (snprintf(path, sizeof(path), "%s/%s", dir, name) >= (int)sizeof(path))
        return NULL;
    return regular_open(path, why, sizeof(why));
}

static bool read_zone(struct zones *z, const char *dir, const char *name,
                      int64_t now_ms)
{
    static const size_t most = ZONE_BYTES_MAX + 1;
    FILE *file = open_in(dir, name);
    struct zone zone;

    if (file == NULL)
        return false;
    char *bytes = malloc(most);
    ASSERT(bytes != NULL);
    size_t len = fread(bytes, 1, most, file);
    bool good = !ferror(file) && zone_read(&zone, bytes, len, now_ms);
    fclose(file);
    free(bytes);
    if (good) {
        add_name(z, name, z->zone_count);
        z->list[z->zone_count++] = zone;
    }
    return good;
}

/* Both lists have countries, a place, and the name, parted by tabs. */
static int read_listed(struct zones *z, const char *dir, const char *list,
                       int64_t now_ms)
{
    FILE *file = open_in(dir, list);
    char line[1024], name[ZONES_NAME_MAX + 1];
    int bad = 0;

    if (file == NULL)
        return -1;
    while (z->zone_count < NAMES_MAX && fgets(line, sizeof(line), file)) {
        if (line[0] == '#' ||
            sscanf(line, "%*[^\t]\t%*[^\t]\t%64[^\t\n]", name) != 1)
            continue;
        if (listed(z, name) == NULL)
            bad += !is_name(name) || !read_zone(z, dir, name, now_ms);
    }
    fclose(file);
    return bad;
}

/* tzdata.zi: "L", what it is, and what it is called, too. */
static void read_links(struct zones *z, const char *dir)
{
    FILE *file = open_in(dir, "tzdata.zi");
    char line[1024], is[ZONES_NAME_MAX + 1], name[ZONES_NAME_MAX + 1];

    if (file == NULL)
        return;
    while (fgets(line, sizeof(line), file)) {
        const struct named *n;
        if (sscanf(line, "L %64s %64s", is, name) == 2 && is_name(name) &&
            (n = listed(z, is)) != NULL)
            add_name(z, name, n->zone);
    }
    fclose(file);
}

struct zones *zones_new(const char *dir, int64_t now_ms, int *ret_bad)
{
    struct zones *z = calloc(1, sizeof(*z));

    ASSERT(z != NULL);
    z->list = calloc(NAMES_MAX + 1, sizeof(*z->list));
    z->names = calloc(NAMES_MAX, sizeof(*z->names));
    ASSERT(z->list != NULL && z->names != NULL);
    add_name(z, UTC, z->zone_count++); /* all 0 is what it is */
    *ret_bad = read_listed(z, dir, "zone1970.tab", now_ms);
    /* Debian has zones that differ only before 1970 in files of their own. */
    int more = read_listed(z, dir, "zone.tab", now_ms);
    *ret_bad += *ret_bad >= 0 && more > 0 ? more : 0;
    for (int i = 0; i < CHAIN_MAX; i++)
        read_links(z, dir);
    qsort(z->names, z->name_count, sizeof(*z->names), by_name);
    z->list = realloc(z->list, z->zone_count * sizeof(*z->list));
    z->names = realloc(z->names, z->name_count * sizeof(*z->names));
    ASSERT(z->list != NULL && z->names != NULL);
    return z;
}

void zones_free(struct zones *z)
{
    if (z == NULL)
        return;
    for (size_t i = 0; i < z->zone_count; i++)
        zone_done(&z->list[i]);
    free(z->list);
    free(z->names);
    free(z);
}

size_t zones_count(const struct zones *z)
{
    return z->name_count;
}

bool zones_offsets(const struct zones *z, const char *name, int64_t from_ms,
                   struct hours_offsets *ret)
{
    struct named key;

    if (snprintf(key.name, sizeof(key.name), "%s", name) >=
        (int)sizeof(key.name))
        return false;
    const struct named *n = bsearch(&key, z->names, z->name_count,
                                    sizeof(*z->names), by_name);
    if (n != NULL)
        zone_offsets(&z->list[n->zone], from_ms, ret);
    return n != NULL;
}
