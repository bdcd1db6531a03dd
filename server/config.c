#include "config.h"

#include "protocol/json_out.h"

#include <argp.h>
#include <arpa/inet.h>
#include <errno.h>
#include <ini.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "protocol/version.h"

#include "protocol/asset_folder.h"

#define EXIT_USAGE     64
#define INVITATION_MIN 8

/* ---- keys ------------------------------------------------------------- */

enum kind { TEXT, ADDRESS, SWITCH, NUMBER, WORD };

struct key {
    const char *name; /* section.key */
    enum kind kind;
    size_t offset, size;
    int64_t min, max;
    const char *words; /* of a WORD, by spaces */
    const char *usual;
};

#define FIELD(member) \
    offsetof(struct config, member), sizeof(((struct config *)0)->member)

static const struct key keys[] = {
    {"server.data", TEXT, FIELD(data), 0, 0, NULL, "./sobremesa-data"},
    {"server.name", TEXT, FIELD(name), 0, 0, NULL, "Sobremesa"},
    {"http.listen", ADDRESS, FIELD(http), 0, 0, NULL, "127.0.0.1:8080"},
    {"http.origins", TEXT, FIELD(origins), 0, 0, NULL, ""},
    {"http.proxies", TEXT, FIELD(proxies), 0, 0, NULL, "127.0.0.1 ::1"},
    {"http.echo", SWITCH, FIELD(echo), 0, 0, NULL, "off"},
    {"http.metrics", SWITCH, FIELD(metrics_all), 0, 0, NULL, "off"},
    {"lines.listen", ADDRESS, FIELD(lines), 0, 0, NULL, "127.0.0.1:7070"},
    {"lines.unix", TEXT, FIELD(lines_unix), 0, 0, NULL, "off"},
    {"admin.socket", TEXT, FIELD(admin), 0, 0, NULL, ""},
    {"accounts.registration", WORD, FIELD(registration), 0, 0,
     "open invite closed", "open"},
    {"accounts.invitation_code", TEXT, FIELD(invitation_code), 0, 0, NULL, ""},
    {"accounts.guests", SWITCH, FIELD(guests), 0, 0, NULL, "on"},
    {"accounts.session_days", NUMBER, FIELD(session_days), 1, 3650, NULL,
     "90"},
    {"tables.open_days", NUMBER, FIELD(open_table_days), 1, 3650, NULL, "14"},
    {"games.hadara_tables", TEXT, FIELD(hadara_tables), 0, 0, NULL, ""},
    {"limits.local", SWITCH, FIELD(limits_local), 0, 0, NULL, "off"},
    {"limits.connections", NUMBER, FIELD(connections), 1, 1000000, NULL,
     "10000"},
    {"limits.connections_address", NUMBER, FIELD(connections_address), 1,
     1000000, NULL, "64"},
    {"store.sync", WORD, FIELD(sync), 0, 0, "full normal off", "full"},
    {"store.readers", NUMBER, FIELD(readers), 1, 4, NULL, "2"},
    {"log.level", WORD, FIELD(log_level), 0, 0,
     "error warning notice info debug", "info"},
    {"log.format", WORD, FIELD(log_format), 0, 0, "text json", "text"},
    {"log.addresses", SWITCH, FIELD(log_addresses), 0, 0, NULL, "on"},
};

/* Who set a key. */
enum source { FROM_DEFAULT, FROM_FILE, FROM_COMMAND, FROM_OPERATOR };

static const struct key *key_find(const char *name)
{
    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
        if (strcmp(keys[i].name, name) == 0)
            return &keys[i];
    return NULL;
}

static bool in_words(const char *words, const char *value)
{
    size_t len = strlen(value);
    for (const char *at = words; *at != '\0';) {
        size_t n = strcspn(at, " ");
        if (n == len && memcmp(at, value, n) == 0)
            return true;
        at += n + (at[n] == ' ');
    }
    return false;
}

bool config_address(const char *text, struct sockaddr_storage *to)
{
    struct sockaddr_in *in = (struct sockaddr_in *)to;
    struct sockaddr_in6 *in6 = (struct sockaddr_in6 *)to;
    const char *colon = strrchr(text, ':');
    char host[64], *end;

    if (colon == NULL || colon[1] < '0' || colon[1] > '9')
        return false;
    long port = strtol(colon + 1, &end, 10);
    size_t len = (size_t)(colon - text);
    if (*end != '\0' || port > 65535 || len >= sizeof(host))
        return false;
    snprintf(host, sizeof(host), "%.*s", (int)len, text);
    if (strcmp(host, "localhost") == 0)
        snprintf(host, sizeof(host), "127.0.0.1");
    if (strcmp(host, "*") == 0 || len == 0)
        snprintf(host, sizeof(host), "0.0.0.0");
    *to = (struct sockaddr_storage){0};
    if (host[0] == '[' && host[len - 1] == ']') {
        host[len - 1] = '\0';
        in6->sin6_family = AF_INET6;
        in6->sin6_port = htons((uint16_t)port);
        return inet_pton(AF_INET6, host + 1, &in6->sin6_addr) == 1;
    }
    in->sin_family = AF_INET;
    in->sin_port = htons((uint16_t)port);
    return inet_pton(AF_INET, host, &in->sin_addr) == 1;
}

/* Puts VALUE under KEY; what was expected, or NULL if all is well. */
static const char *key_set(struct config *c, const struct key *key,
                           const char *value, char *room, size_t size)
{
    char *at = (char *)c + key->offset, *end;
    struct sockaddr_storage address;
    long long number;

    switch (key->kind) {
    case ADDRESS:
        if (strcmp(value, "off") != 0 && !config_address(value, &address))
            return "ADDR:PORT, [ADDR]:PORT or off";
        /* fall through */
    case TEXT:
        if (strlen(value) >= key->size)
            return "a shorter text";
        snprintf(at, key->size, "%s", strcmp(value, "off") == 0 ? "" : value);
        return NULL;
    case SWITCH:
        if (!in_words("on off true false 1 0 yes no", value))
            return "on or off";
        *(bool *)at = in_words("on true 1 yes", value);
        return NULL;
    case WORD:
        snprintf(room, size, "one of: %s", key->words);
        if (!in_words(key->words, value) || strchr(value, ' ') != NULL)
            return room;
        snprintf(at, key->size, "%s", value);
        return NULL;
    case NUMBER:
        errno = 0;
        number = strtoll(value, &end, 10);
        snprintf(room, size, "a number from %lld to %lld", (long long)key->min,
                 (long long)key->max);
        if (*value == '\0' || *end != '\0' || errno != 0 ||
            number < key->min || number > key->max)
            return room;
        *(int64_t *)at = number;
        return NULL;
    }
    return NULL;
}

static void set_usual(struct config *c)
{
    char room[64];
    _Static_assert(sizeof(keys) / sizeof(keys[0]) <= CONFIG_KEYS_MAX,
                   "more keys than there is room for");
    memset(c->from, FROM_DEFAULT, sizeof(c->from));
    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
        (void)key_set(c, &keys[i], keys[i].usual, room, sizeof(room));
    c->admin_usual = true;
}

/* `section.key=value`; false with WHY. */
static bool set_one(struct config *c, enum source from, const char *name,
                    const char *value, char *why, size_t size)
{
    const struct key *key = key_find(name);
    char room[128];

    if (key == NULL) {
        snprintf(why, size, "there is no setting %s", name);
        return false;
    }
    const char *expected = key_set(c, key, value, room, sizeof(room));
    if (expected != NULL) {
        snprintf(why, size, "%s must be %s, not \"%.100s\"", name, expected,
                 value);
        return false;
    }
    if (strcmp(name, "admin.socket") == 0)
        c->admin_usual = false;
    c->from[key - keys] = (unsigned char)from;
    return true;
}

/* ---- the file --------------------------------------------------------- */

struct reading {
    struct config *c;
    char *why;
    size_t size;
};

static int take_line(void *user, const char *section, const char *key,
                     const char *value)
{
    struct reading *r = user;
    char name[128];

    snprintf(name, sizeof(name), "%s.%s", section, key);
    return set_one(r->c, FROM_FILE, name, value, r->why, r->size);
}

static bool read_file(struct config *c, const char *path, char *why,
                      size_t size)
{
    char reason[256] = "this is not a line of a configuration";
    struct reading r = {c, reason, sizeof(reason)};
    int line = ini_parse(path, take_line, &r);

    if (line == 0)
        return true;
    if (line < 0)
        snprintf(why, size, "%s: cannot be read", path);
    else
        snprintf(why, size, "%s:%d: %s", path, line, reason);
    return false;
}

static bool read_tables(struct config *c, char *why, size_t size)
{
    c->hadara_csv = NULL;
    c->hadara_csv_len = 0;
    if (c->hadara_tables[0] == '\0')
        return true;
    c->hadara_csv = asset_folder_read(rules_find("hadara"), c->hadara_tables,
                                      &c->hadara_csv_len, why, size);
    return c->hadara_csv != NULL;
}

/* Where one comes in by a code there has to be one, as the protocol can say. */
static bool code_is_good(const struct config *c, char *why, size_t size)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                  "abcdefghijklmnopqrstuvwxyz0123456789_-";
    const char *code = c->invitation_code;
    size_t len = strlen(code);
    bool good = strspn(code, letters) == len && len >= INVITATION_MIN;

    if (good || (len == 0 && strcmp(c->registration, "invite") != 0))
        return true;
    snprintf(why, size,
             "accounts.invitation_code must be %d to %zu letters, digits, _ "
             "and -%s",
             INVITATION_MIN, sizeof(c->invitation_code) - 1,
             len == 0 ? ", as registration is by invitation" : "");
    return false;
}

/* 0, or with WHY the exit status: 1 for a bad file, 64 for a bad setting. */
static int put_together(struct config *c, char *why, size_t size)
{
    struct config fresh = *c;

    set_usual(&fresh);
    if (c->file[0] != '\0' && !read_file(&fresh, c->file, why, size))
        return 1;
    for (size_t i = 0; i < c->set_count; i++) {
        char name[CONFIG_TEXT_MAX], *value;
        memcpy(name, c->set[i], sizeof(name));
        value = strchr(name, '=');
        if (value == NULL) {
            snprintf(why, size, "--set takes section.key=value, not %.100s",
                     name);
            return EXIT_USAGE;
        }
        *value++ = '\0';
        if (!set_one(&fresh, FROM_COMMAND, name, value, why, size))
            return EXIT_USAGE;
    }
    if (!code_is_good(&fresh, why, size))
        return EXIT_USAGE;
    if (fresh.admin_usual) {
        int n = snprintf(fresh.admin, sizeof(fresh.admin), "%s/admin.sock",
                         fresh.data);
        if (n < 0 || (size_t)n >= sizeof(fresh.admin)) {
            snprintf(why, size, "server.data is too long a path");
            return EXIT_USAGE;
        }
    }
    if (!read_tables(&fresh, why, size))
        return 1;
    *c = fresh;
    return 0;
}

bool config_again(struct config *c, char *why, size_t size)
{
    return put_together(c, why, size) == 0;
}

/* ---- showing ---------------------------------------------------------- */

/* Whether the last word of NAME says so. */
static bool is_secret(const char *name)
{
    static const char *const words[] = {"password", "secret", "token", "code"};
    size_t len = strlen(name);

    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        size_t n = strlen(words[i]);
        if (len > n && strcmp(name + len - n, words[i]) == 0)
            return true;
    }
    return false;
}

static void write_value(const struct config *c, struct json_out *o,
                        const struct key *key)
{
    const char *at = (const char *)c + key->offset;
    char text[32];

    switch (key->kind) {
    case SWITCH:
        out_string(o, "value", *(const bool *)at ? "on" : "off");
        return;
    case NUMBER:
        snprintf(text, sizeof(text), "%lld", (long long)*(const int64_t *)at);
        out_string(o, "value", text);
        return;
    case ADDRESS: out_string(o, "value", at[0] != '\0' ? at : "off"); return;
    case TEXT:
    case WORD:
        out_string(o, "value",
                   at[0] != '\0' && is_secret(key->name) ? "***" : at);
        return;
    }
}

void config_write(const struct config *c, struct json_out *o, const char *name)
{
    const char *const sources[] = {
        [FROM_DEFAULT] = "default",
        [FROM_FILE] = c->file,
        [FROM_COMMAND] = "command line",
        [FROM_OPERATOR] = "run time",
    };

    out_list(o, name);
    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        out_object(o, NULL);
        out_string(o, "key", keys[i].name);
        write_value(c, o, &keys[i]);
        out_string(o, "from", sources[c->from[i]]);
        out_end(o);
    }
    out_end(o);
}

void config_override(struct config *c, const char *name, const char *value)
{
    char why[CONFIG_TEXT_MAX];

    (void)set_one(c, FROM_OPERATOR, name, value, why, sizeof(why));
}

/* ---- the command line -------------------------------------------------- */

const char *argp_program_version = "sobremesad " SOBREMESA_VERSION;

enum {
    OPT_DATA = 1000,
    OPT_HTTP,
    OPT_LINES,
    OPT_LINES_UNIX,
    OPT_ADMIN,
    OPT_SET,
    OPT_CHECK,
    OPT_RESTORE
};

static const struct argp_option options[] = {
    {"config", 'c', "FILE", 0, "read this configuration", 0},
    {"data", OPT_DATA, "DIR", 0, "keep everything here", 0},
    {"http", OPT_HTTP, "ADDR:PORT|off", 0, "where browsers go", 0},
    {"lines", OPT_LINES, "ADDR:PORT|off", 0, "where lines of JSON go", 0},
    {"lines-unix", OPT_LINES_UNIX, "PATH|off", 0, "the same, as a socket", 0},
    {"admin", OPT_ADMIN, "PATH|off", 0, "the administrator's socket", 0},
    {"set", OPT_SET, "section.key=value", 0, "any setting of the file", 0},
    {"check-config", OPT_CHECK, NULL, 0, "say whether it is good, and end", 0},
    {"restore", OPT_RESTORE, "FILE", 0,
     "put this backup in place of the data, and end", 0},
    {0},
};

static void add_set(struct config *c, struct argp_state *state,
                    const char *name, const char *value)
{
    size_t most = sizeof(c->set) / sizeof(c->set[0]);
    int n;

    if (c->set_count == most)
        argp_error(state, "at most %zu settings", most);
    n = name != NULL
            ? snprintf(c->set[c->set_count], CONFIG_TEXT_MAX, "%s=%s", name,
                       value)
            : snprintf(c->set[c->set_count], CONFIG_TEXT_MAX, "%s", value);
    if (n < 0 || n >= CONFIG_TEXT_MAX)
        argp_error(state, "a setting is too long");
    if (strchr(c->set[c->set_count], '=') == NULL)
        argp_error(state, "--set takes section.key=value");
    c->set_count++;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct config *c = state->input;

    switch (key) {
    case 'c':
        if (snprintf(c->file, sizeof(c->file), "%s", arg) >=
            (int)sizeof(c->file))
            argp_error(state, "the path is too long");
        return 0;
    case OPT_DATA: add_set(c, state, "server.data", arg); return 0;
    case OPT_HTTP: add_set(c, state, "http.listen", arg); return 0;
    case OPT_LINES: add_set(c, state, "lines.listen", arg); return 0;
    case OPT_LINES_UNIX: add_set(c, state, "lines.unix", arg); return 0;
    case OPT_ADMIN: add_set(c, state, "admin.socket", arg); return 0;
    case OPT_SET: add_set(c, state, NULL, arg); return 0;
    case OPT_CHECK: c->check_only = true; return 0;
    case OPT_RESTORE:
        if (snprintf(c->restore, sizeof(c->restore), "%s", arg) >=
            (int)sizeof(c->restore))
            argp_error(state, "the path is too long");
        return 0;
    case ARGP_KEY_ARG: argp_error(state, "what is %s?", arg); return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

void config_read(struct config *c, int argc, char **argv)
{
    static const struct argp argp = {
        .options = options,
        .parser = parse,
        .doc = "Hosts board games that are played whenever people have time."
               "\vWhen it is ready it prints one line of JSON that says where"
               " it listens.",
    };
    char why[CONFIG_TEXT_MAX];

    *c = (struct config){0};
    argp_err_exit_status = EXIT_USAGE;
    argp_parse(&argp, argc, argv, 0, NULL, c);
    int status = put_together(c, why, sizeof(why));
    if (status == 0)
        return;
    fprintf(stderr, "sobremesad: %s\n", why);
    exit(status);
}
