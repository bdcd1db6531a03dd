#include "settings.h"

#include <errno.h>
#include <fcntl.h>
#include <ini.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "clients/common/lang.h"
#include "clients/common/link.h"
#include "core/ascii.h"
#include "term.h"

#define TOKENS_MAX 200 /* the oldest are forgotten */
#define TOKENS     "tokens"
#define DEVICES    "devices" /* the same, with what says that this is known */

/* The path of FILE in the folder of settings; false if there is no home. */
static bool path_of(const char *file, char *buf, size_t cap)
{
    const char *folder = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    int n;

    if (folder != NULL && folder[0] == '/')
        n = snprintf(buf, cap, "%s/sobremesa/%s", folder, file);
    else if (home != NULL && home[0] == '/')
        n = snprintf(buf, cap, "%s/.config/sobremesa/%s", home, file);
    else
        return false;
    return n > 0 && (size_t)n < cap;
}

/* ---- the config file ---------------------------------------------------- */

struct reading {
    struct settings *settings;
    const char *path;
    bool bad;
};

static bool read_switch(const char *value, bool *ret)
{
    static const char *const yes[] = {"on", "yes", "true", "1"};
    static const char *const no[] = {"off", "no", "false", "0"};

    for (size_t i = 0; i < 4; i++) {
        if (ascii_compare(value, yes[i]) == 0 ||
            ascii_compare(value, no[i]) == 0) {
            *ret = ascii_compare(value, yes[i]) == 0;
            return true;
        }
    }
    return false;
}

/* What is not said from the root on lies beside the config. */
static bool read_path(const struct reading *r, const char *value, char *buf,
                      size_t cap)
{
    const char *slash = strrchr(r->path, '/');
    int folder = value[0] == '/' ? 0 : (int)(slash + 1 - r->path);
    int n = snprintf(buf, cap, "%.*s%s", folder, r->path, value);

    return value[0] != '\0' && n > 0 && (size_t)n < cap;
}

static int on_line(void *context, const char *section, const char *name,
                   const char *value)
{
    struct reading *r = context;
    struct settings *s = r->settings;
    bool on = false, known = section[0] == '\0', good = true;

    if (known && strcmp(name, "server") == 0) {
        good = strlen(value) < sizeof(s->server);
        (void)snprintf(s->server, sizeof(s->server), "%s", value);
    } else if (known && strcmp(name, "name") == 0) {
        good = strlen(value) < sizeof(s->name);
        (void)snprintf(s->name, sizeof(s->name), "%s", value);
    } else if (known && strcmp(name, "ca_file") == 0) {
        good = read_path(r, value, s->ca_file, sizeof(s->ca_file));
    } else if (known &&
               (strcmp(name, "colour") == 0 || strcmp(name, "color") == 0)) {
        good = read_switch(value, &on);
        s->no_colour = !on;
    } else if (known && strcmp(name, "ascii") == 0) {
        good = read_switch(value, &s->ascii);
    } else if (known && strcmp(name, "bell") == 0) {
        good = read_switch(value, &on);
        s->no_bell = !on;
    } else if (known && strcmp(name, "mouse") == 0) {
        good = read_switch(value, &on);
        s->no_mouse = !on;
    } else if (known && strcmp(name, "notify") == 0) {
        good = notify_way_read(value, &s->notify);
    } else if (known && strcmp(name, "language") == 0) {
        good = lang_known(lang_catalogues, value);
        (void)snprintf(s->language, sizeof(s->language), "%s", value);
    } else {
        (void)complain(_("%s: there is no setting '%s'; there are server, "
                         "name, ca_file, colour, ascii, bell, mouse, "
                         "notify, language"),
                       r->path, name);
        r->bad = true;
        return 1;
    }
    if (!good) {
        (void)complain(_("%s: %s: '%s' will not do"), r->path, name, value);
        r->bad = true;
    }
    return 1;
}

static int on_language(void *context, const char *section, const char *name,
                       const char *value)
{
    struct settings *s = context;

    if (section[0] == '\0' && strcmp(name, "language") == 0)
        (void)snprintf(s->language, sizeof(s->language), "%s", value);
    return 1;
}

void settings_language(char *buf, size_t cap)
{
    char path[4096];
    struct settings s = {0};

    if (path_of("config", path, sizeof(path)))
        (void)ini_parse(path, on_language, &s);
    (void)snprintf(buf, cap, "%s", s.language);
}

bool settings_load(struct settings *s)
{
    char path[4096];
    const char *server = getenv("SOBREMESA_SERVER");
    const char *ca_file = getenv("SOBREMESA_CA_FILE");

    *s = (struct settings){0};
    if (path_of("config", path, sizeof(path))) {
        struct reading reading = {.settings = s, .path = path};
        int line = ini_parse(path, on_line, &reading);
        if (line > 0)
            return complain(_("%s, line %d: expected NAME = VALUE"), path,
                            line),
                   false;
        if (reading.bad)
            return false;
    }
    if (server != NULL && *server != '\0')
        (void)snprintf(s->server, sizeof(s->server), "%s", server);
    if (ca_file != NULL && *ca_file != '\0')
        (void)snprintf(s->ca_file, sizeof(s->ca_file), "%s", ca_file);
    return true;
}

/* ---- servers ------------------------------------------------------------ */

/* TEXT, or if it is a page's address that of its WebSocket; a folder ends with a
 * slash, and of a page's address what stands behind # is no part. */
static void write_server(const char *text, char *buf, size_t cap)
{
    bool safe = ascii_compare_n(text, "https://", 8) == 0;
    bool page = safe || ascii_compare_n(text, "http://", 7) == 0;
    const char *rest = text + (safe ? 8 : 7);

    if (!page) {
        (void)snprintf(buf, cap, "%s", text);
        return;
    }
    size_t len = strcspn(rest, "?#");
    while (len > 0 && rest[len - 1] == '/')
        len--;
    bool folder = memchr(rest, '/', len) != NULL;
    (void)snprintf(buf, cap, "%s://%.*s%s", safe ? "wss" : "ws", (int)len,
                   rest, folder ? "/" : "");
}

/* ---- tokens ------------------------------------------------------------- */

static size_t read_tokens(const char *name, struct settings_token *tokens)
{
    char path[4096], line[2048];
    size_t count = 0;
    FILE *file = path_of(name, path, sizeof(path)) ? fopen(path, "r") : NULL;

    if (file == NULL)
        return 0;
    while (count < TOKENS_MAX && fgets(line, sizeof(line), file) != NULL) {
        struct settings_token *t = &tokens[count];
        t->ca_file[0] = '\0';
        count += sscanf(line, "%511s %63s %127s %1023[^\n]", t->server,
                        t->name, t->token, t->ca_file) >= 3;
    }
    (void)fclose(file);
    return count;
}

/* Makes the folder of PATH, and those above it. */
static void make_folders(const char *path)
{
    char folder[4096];
    (void)snprintf(folder, sizeof(folder), "%s", path);
    for (char *at = folder + 1; *at != '\0'; at++) {
        if (*at == '/') {
            *at = '\0';
            (void)mkdir(folder, 0700); /* if it fails, so will opening */
            *at = '/';
        }
    }
}

bool settings_file(const char *name, char *buf, size_t cap)
{
    if (!path_of(name, buf, cap))
        return false;
    make_folders(buf);
    return true;
}

/* A new file takes the old one's place, so that there is always a whole one
 * and nobody else could ever read it. */
static bool write_tokens(const char *name, const struct settings_token *tokens,
                         size_t count)
{
    char path[4096], fresh[4200];

    if (!path_of(name, path, sizeof(path)))
        return complain(_("there is no HOME to keep the token in")), false;
    make_folders(path);
    (void)snprintf(fresh, sizeof(fresh), "%s.%ld", path, (long)getpid());
    (void)unlink(fresh);
    int fd = open(fresh, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    FILE *file = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (file == NULL)
        return complain("%s: %s", fresh, strerror(errno)), false;
    for (size_t i = 0; i < count; i++)
        (void)fprintf(file, "%s %s %s%s%s\n", tokens[i].server, tokens[i].name,
                      tokens[i].token, tokens[i].ca_file[0] != '\0' ? " " : "",
                      tokens[i].ca_file);
    bool good = ferror(file) == 0;
    if (fclose(file) != 0 || !good || rename(fresh, path) != 0) {
        (void)complain("%s: %s", path, strerror(errno));
        (void)unlink(fresh);
        return false;
    }
    return true;
}

static bool same(const struct settings_token *t, const char *server,
                 const char *name)
{
    return strcmp(t->server, server) == 0 &&
           (name[0] == '\0' || ascii_compare(t->name, name) == 0);
}

void settings_server(const struct settings *s, const char *chosen, char *buf)
{
    static struct settings_token tokens[TOKENS_MAX];
    const char *server = chosen;

    if (server == NULL && s->server[0] != '\0')
        server = s->server;
    if (server == NULL && read_tokens(TOKENS, tokens) > 0)
        server = tokens[0].server;
    write_server(server != NULL ? server : LINK_SERVER_DEFAULT, buf,
                 sizeof(s->server));
}

bool settings_token(const char *server, const char *name,
                    struct settings_token *ret_token)
{
    static struct settings_token tokens[TOKENS_MAX];
    const char *token = getenv("SOBREMESA_TOKEN");

    if (name[0] == '\0' && token != NULL && *token != '\0') {
        *ret_token = (struct settings_token){0};
        (void)snprintf(ret_token->server, sizeof(ret_token->server), "%s",
                       server);
        (void)snprintf(ret_token->token, sizeof(ret_token->token), "%s",
                       token);
        return true;
    }
    size_t count = read_tokens(TOKENS, tokens);
    for (size_t i = 0; i < count; i++) {
        if (same(&tokens[i], server, name)) {
            *ret_token = tokens[i];
            return true;
        }
    }
    return false;
}

void settings_ca_file(const char *server, char *buf, size_t cap)
{
    static struct settings_token tokens[TOKENS_MAX];
    size_t count = read_tokens(TOKENS, tokens), i = 0;

    while (i < count && !same(&tokens[i], server, ""))
        i++;
    (void)snprintf(buf, cap, "%s", i < count ? tokens[i].ca_file : "");
}

/* Between reading a file and writing it anew nobody else may do so, or what one of
 * two keeps is lost.  The descriptor of the lock, or -1: where there are no locks
 * it goes without. */
static int lock_files(void)
{
    char path[4096];

    if (!settings_file("lock", path, sizeof(path)))
        return -1;
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (fd >= 0)
        (void)flock(fd, LOCK_EX);
    return fd;
}

static void unlock_files(int fd)
{
    if (fd >= 0)
        (void)close(fd);
}

static bool remember(const char *file, const struct settings_token *token)
{
    static struct settings_token old[TOKENS_MAX], fresh[TOKENS_MAX];
    int lock = lock_files();
    size_t count = read_tokens(file, old), kept = 0;

    fresh[kept++] = *token;
    for (size_t i = 0; i < count && kept < TOKENS_MAX; i++)
        if (!same(&old[i], token->server, token->name))
            fresh[kept++] = old[i];
    bool good = write_tokens(file, fresh, kept);
    unlock_files(lock);
    return good;
}

bool settings_remember(const struct settings_token *token)
{
    return remember(TOKENS, token);
}

bool settings_device(const char *server, const char *name, char *buf,
                     size_t cap)
{
    static struct settings_token devices[TOKENS_MAX];
    size_t count = read_tokens(DEVICES, devices);

    for (size_t i = 0; i < count; i++) {
        if (same(&devices[i], server, name)) {
            (void)snprintf(buf, cap, "%s", devices[i].token);
            return true;
        }
    }
    return false;
}

bool settings_keep_device(const char *server, const char *name,
                          const char *device)
{
    struct settings_token row = {0};

    (void)snprintf(row.server, sizeof(row.server), "%s", server);
    (void)snprintf(row.name, sizeof(row.name), "%s", name);
    (void)snprintf(row.token, sizeof(row.token), "%s", device);
    return remember(DEVICES, &row);
}

bool settings_forget(const char *server, const char *name)
{
    static struct settings_token tokens[TOKENS_MAX];
    int lock = lock_files();
    size_t count = read_tokens(TOKENS, tokens), kept = 0;

    for (size_t i = 0; i < count; i++)
        if (!same(&tokens[i], server, name))
            tokens[kept++] = tokens[i];
    bool good = kept == count || write_tokens(TOKENS, tokens, kept);
    unlock_files(lock);
    return good;
}
