#include "asset_folder.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "core/utf8.h"

#define FILES_MAX 32

/* Files of a folder, one after the other, each after a line with its name. */
struct folder {
    const struct rules *rules;
    const char *path;
    struct dirent **entry;
    int count;
    uint32_t first[FILES_MAX]; /* lines of the text: where they begin */
    char text[ASSET_FOLDER_MAX + 1];
    size_t len;
    uint32_t lines;
    char *why;
    size_t size;
};

/* Whether NAME is that of a file in the format of the game's datasets: the
 * length of what stands before the ending, or 0. */
static size_t stem(const struct folder *f, const char *name)
{
    const char *format = f->rules->asset_kind->format;
    size_t len = strlen(name), ending = strlen(format) + 1;

    return name[0] != '.' && len > ending && name[len - ending] == '.' &&
                   strcmp(name + len - ending + 1, format) == 0
               ? len - ending
               : 0;
}

/* What of the COUNT entries is no such file is put away; how many are left. */
static int sift(struct folder *f, int count)
{
    int left = 0;

    for (int i = 0; i < count; i++) {
        if (stem(f, f->entry[i]->d_name) > 0)
            f->entry[left++] = f->entry[i];
        else
            free(f->entry[i]);
    }
    return left;
}

/* Says what is wrong, with the folder's file NAME or with all of it (NULL), in
 * LINE, from 1, or in none (0). */
static bool fail(struct folder *f, const char *name, uint32_t line,
                 const char *text, const char *rule)
{
    char where[32] = "";

    if (line > 0)
        (void)snprintf(where, sizeof(where), ", line %lu",
                       (unsigned long)line);
    (void)snprintf(f->why, f->size, "%s%s%s%s: %s%s%s%s", f->path,
                   name != NULL ? "/" : "", name != NULL ? name : "", where,
                   text, rule != NULL ? " (" : "", rule != NULL ? rule : "",
                   rule != NULL ? ")" : "");
    return false;
}

static bool add(struct folder *f, const char *text, size_t len)
{
    if (len > ASSET_FOLDER_MAX - f->len)
        return false;
    for (size_t i = 0; i < len; i++)
        f->lines += text[i] == '\n';
    memcpy(f->text + f->len, text, len);
    f->len += len;
    return true;
}

/* Adds what FILE holds; TEXT is room. */
static bool add_file(struct folder *f, const char *name, FILE *file)
{
    static const char mark[] = "\xef\xbb\xbf";
    char head[300], text[ASSET_FOLDER_MAX + 1];
    int n = snprintf(head, sizeof(head), "[%.*s]\n", (int)stem(f, name), name);
    size_t len = fread(text, 1, sizeof(text), file);

    if (ferror(file))
        return fail(f, name, 0, strerror(errno), NULL);
    /* A mark of the byte order is for the beginning of a file only. */
    size_t skip = len >= 3 && memcmp(text, mark, 3) == 0 ? 3 : 0;
    if (!utf8_valid(text, len))
        return fail(f, name, 0, "The file is not UTF-8.", "bad_text");
    bool room = add(f, head, (size_t)n);
    f->first[f->count] = f->lines + 1;
    room = room && add(f, text + skip, len - skip) &&
           (len == 0 || text[len - 1] == '\n' || add(f, "\n", 1));
    if (!room)
        return fail(f, name, 0, "Together they are longer than 24576 bytes.",
                    "too_long");
    return true;
}

static bool read_files(struct folder *f, int count)
{
    for (f->count = 0; f->count < count; f->count++) {
        const char *name = f->entry[f->count]->d_name;
        char whole[4096];
        int n = snprintf(whole, sizeof(whole), "%s/%s", f->path, name);
        FILE *file = n < 0 || (size_t)n >= sizeof(whole) ? NULL
                                                         : fopen(whole, "re");
        if (file == NULL)
            return fail(f, name, 0, strerror(errno), NULL);
        bool fine = add_file(f, name, file);
        (void)fclose(file);
        if (!fine)
            return false;
    }
    return true;
}

/* Whether the game can be set up with the text; if not, which line of which
 * file is wrong. */
static bool check(struct folder *f)
{
    union rules_any s;
    struct rules_setup setup = {
        .seats = f->rules->seats_min,
        .asset = f->text,
        .asset_len = f->len,
    };
    struct rules_problem why;

    if (rules_setup(f->rules, &s.state, &setup, &why) == RULES_OK)
        return true;
    if (why.line == 0 || strcmp(why.rule, "missing_section") == 0)
        return fail(f, NULL, 0, why.text, why.rule);
    for (int i = f->count; i-- > 0;)
        if (why.line + 1 >= f->first[i])
            return fail(f, f->entry[i]->d_name,
                        why.line < f->first[i] ? 1
                                               : why.line - f->first[i] + 1,
                        why.text, why.rule);
    return fail(f, NULL, why.line, why.text, why.rule);
}

char *asset_folder_read(const struct rules *r, const char *dir,
                        size_t *ret_len, char *why, size_t size)
{
    struct folder *f = calloc(1, sizeof(*f));
    char *text = NULL, none[64], many[64];
    int count;

    ASSERT(f != NULL);
    f->rules = r;
    f->path = dir;
    f->why = why;
    f->size = size;
    count = scandir(dir, &f->entry, NULL, alphasort);
    if (count < 0)
        (void)fail(f, NULL, 0, strerror(errno), NULL);
    else
        count = sift(f, count);
    (void)snprintf(none, sizeof(none), "there are no .%s files",
                   r->asset_kind->format);
    (void)snprintf(many, sizeof(many), "too many .%s files",
                   r->asset_kind->format);
    if (count == 0)
        (void)fail(f, NULL, 0, none, NULL);
    else if (count > FILES_MAX)
        (void)fail(f, NULL, 0, many, NULL);
    else if (count > 0 && read_files(f, count) && check(f))
        text = strndup(f->text, f->len);
    *ret_len = f->len;
    for (int i = 0; i < count; i++)
        free(f->entry[i]);
    free(f->entry);
    free(f);
    return text;
}
