#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "config_inner.h"
#include "core/base.h"
#include "protocol/asset_folder.h"
#include "protocol/json_out.h"
#include "protocol/edit_distance.h"

#define INVITATION_MIN 8

/* ---- keys ------------------------------------------------------------- */

#define FIELD(member) \
    offsetof(struct config, member), sizeof(((struct config *)0)->member)

static struct config_key keys[CONFIG_KEYS_MAX] = {
#define TEXT_KEY(name, member, bytes, kind, text, when) \
    {name, kind, FIELD(member), 0, 0, NULL, text, when},
#define SWITCH_KEY(name, member, text, when) \
    {name, SWITCH, FIELD(member), 0, 0, NULL, text, when},
#define NUMBER_KEY(name, member, min, max, text, when) \
    {name, NUMBER, FIELD(member), min, max, NULL, text, when},
#define WORD_KEY(name, member, words, text, when) \
    {name, WORD, FIELD(member), 0, 0, words, text, when},
#include "config.def"
};
static size_t key_count; /* 0: the games' keys are not among them yet */

/* Adds games.GAME_tables for each game with a dataset, the first time, and puts
 * these games into C. */
static void add_datasets(struct config *c)
{
    static char names[CONFIG_DATASETS_MAX][64];
    bool first = key_count == 0;
    size_t n = 0;

    while (first && keys[key_count].name != NULL)
        key_count++;
    for (const struct rules *const *r = rules_all; *r != NULL; r++) {
        if (!rules_has_dataset(*r))
            continue;
        ASSERT(n < CONFIG_DATASETS_MAX && key_count < CONFIG_KEYS_MAX);
        snprintf(names[n], sizeof(names[n]), "games.%s_%s", (*r)->name,
                 (*r)->asset_kind->name);
        if (first)
            keys[key_count++] = (struct config_key){
                names[n], TEXT,   FIELD(dataset[n].folder), 0, 0, NULL,
                "",       RELOAD,
            };
        c->dataset[n++].rules = *r;
    }
}

static const struct config_key *key_find(const char *name)
{
    for (size_t i = 0; i < key_count; i++)
        if (strcmp(keys[i].name, name) == 0)
            return &keys[i];
    return NULL;
}

/* The key that somebody may have meant who wrote NAME: a slip of the finger, or
 * the right word in the wrong section; or NULL. */
static const struct config_key *key_meant(const char *name)
{
    const struct config_key *meant = NULL;
    size_t near = 3; /* too far */
    const char *dot = strchr(name, '.');

    for (size_t i = 0; i < key_count; i++) {
        size_t far = edit_distance(name, keys[i].name);
        if (far < near) {
            near = far;
            meant = &keys[i];
        }
    }
    for (size_t i = 0; i < key_count && meant == NULL && dot != NULL; i++)
        if (strcmp(strchr(keys[i].name, '.'), dot) == 0)
            meant = &keys[i];
    return meant;
}

int *config_line(struct config *c, const char *name)
{
    const struct config_key *key = key_find(name);
    return key != NULL ? &c->line[key - keys] : NULL;
}

static void set_defaults(struct config *c)
{
    char room[300];

    add_datasets(c);
    memset(c->from, FROM_DEFAULT, sizeof(c->from));
    memset(c->line, 0, sizeof(c->line));
    for (size_t i = 0; i < key_count; i++)
        (void)config_value(c, &keys[i], keys[i].default_value, room,
                           sizeof(room));
    c->admin_default = true;
}

/* Whether NAME is a secret: its last word says so. */
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

bool config_set(struct config *c, enum config_source from, const char *name,
                const char *value, char *why, size_t size)
{
    const struct config_key *key = key_find(name), *meant;
    char room[300];

    if (key == NULL) {
        meant = key_meant(name);
        snprintf(why, size, "there is no setting %.100s%s%s%s", name,
                 meant != NULL ? "; did you mean " : "",
                 meant != NULL ? meant->name : "", meant != NULL ? "?" : "");
        return false;
    }
    const char *expected = config_value(c, key, value, room, sizeof(room));
    if (expected != NULL) {
        snprintf(why, size, "%s must be %s, not \"%.100s\"", name, expected,
                 is_secret(name) ? "***" : value);
        return false;
    }
    if (strcmp(name, "admin.socket") == 0)
        c->admin_default = false;
    c->from[key - keys] = (unsigned char)from;
    return true;
}

/* ---- file and command line together --------------------------------------- */

static bool read_datasets(struct config *c, char *why, size_t size)
{
    for (int i = 0; i < CONFIG_DATASETS_MAX; i++) {
        c->dataset[i].text = NULL;
        c->dataset[i].len = 0;
    }
    for (int i = 0; i < CONFIG_DATASETS_MAX; i++) {
        struct config_dataset *set = &c->dataset[i];
        if (set->rules == NULL || set->folder[0] == '\0')
            continue;
        set->text = asset_folder_read(set->rules, set->folder, &set->len, why,
                                      size);
        if (set->text == NULL) {
            config_free_datasets(c->dataset);
            return false;
        }
    }
    return true;
}

void config_free_datasets(struct config_dataset *sets)
{
    for (int i = 0; i < CONFIG_DATASETS_MAX; i++) {
        free(sets[i].text);
        sets[i].text = NULL;
    }
}

/* As the protocol can say it; where registration is by invitation it need not
 * be, as there are links. */
static bool code_is_good(const struct config *c, char *why, size_t size)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                  "abcdefghijklmnopqrstuvwxyz0123456789_-";
    const char *code = c->invitation_code;
    size_t len = strlen(code);
    bool good = strspn(code, letters) == len && len >= INVITATION_MIN;

    if (good || len == 0)
        return true;
    snprintf(why, size,
             "accounts.invitation_code must be %d to %zu letters, digits, _ "
             "and -",
             INVITATION_MIN, sizeof(c->invitation_code) - 1);
    return false;
}

/* WHY behind where NAME stands, if it comes from the file; the exit status. */
static int name_line(const struct config *c, const char *name, char *why,
                     size_t size)
{
    const struct config_key *key = key_find(name);
    char text[CONFIG_TEXT_MAX];

    if (c->from[key - keys] != FROM_FILE)
        return EXIT_USAGE;
    memcpy(text, why, sizeof(text));
    text[sizeof(text) - 1] = '\0';
    snprintf(why, size, "%s:%d: %s", c->file, c->line[key - keys], text);
    return 1;
}

static bool take_args(struct config *c, char *why, size_t size)
{
    for (size_t i = 0; i < c->set_count; i++) {
        char name[CONFIG_TEXT_MAX], *value;
        memcpy(name, c->set[i], sizeof(name));
        value = strchr(name, '=');
        if (value == NULL) {
            snprintf(why, size, "--set takes section.key=value, not %.100s",
                     name);
            return false;
        }
        *value++ = '\0';
        if (!config_set(c, FROM_COMMAND, name, value, why, size))
            return false;
    }
    return true;
}

int config_together(struct config *c, char *why, size_t size)
{
    struct config fresh = *c;

    set_defaults(&fresh);
    if (c->file[0] != '\0' && !config_read_file(&fresh, why, size))
        return 1;
    if (!take_args(&fresh, why, size))
        return EXIT_USAGE;
    if (!code_is_good(&fresh, why, size))
        return name_line(&fresh,
                         fresh.invitation_code[0] != '\0'
                             ? "accounts.invitation_code"
                             : "accounts.registration",
                         why, size);
    if (fresh.proxy_header[0] != '\0' && fresh.login_networks.count == 0) {
        snprintf(why, size,
                 "accounts.proxy_header needs accounts.proxy_from: "
                 "from which addresses it is taken");
        return name_line(&fresh, "accounts.proxy_header", why, size);
    }
    if (fresh.admin_default) {
        int n = snprintf(fresh.admin, sizeof(fresh.admin), "%s/admin.sock",
                         fresh.data);
        if (n < 0 || (size_t)n >= sizeof(fresh.admin)) {
            snprintf(why, size, "server.data is too long a path");
            return EXIT_USAGE;
        }
    }
    if (!read_datasets(&fresh, why, size))
        return 1;
    *c = fresh;
    return 0;
}

bool config_again(struct config *c, char *why, size_t size)
{
    return config_together(c, why, size) == 0;
}

/* Whether a secret is in a file that everybody on this machine may read. */
static bool is_exposed(const struct config *c)
{
    struct stat st;

    for (size_t i = 0; i < key_count; i++)
        if (c->from[i] == FROM_FILE && is_secret(keys[i].name))
            return stat(c->file, &st) == 0 && (st.st_mode & S_IROTH) != 0;
    return false;
}

void config_doubts(const struct config *c, config_doubt_cb say)
{
    char text[CONFIG_TEXT_MAX + 100];

    if (is_exposed(c)) {
        snprintf(text, sizeof(text),
                 "%s has a secret and everybody on this machine may read it: "
                 "chmod 640",
                 c->file);
        say("config_exposed", text);
    }
    if (networks_have_all(&c->proxy_networks))
        say("proxies_everybody",
            "http.proxies has every address: whoever comes may say to come "
            "from anywhere, and so is under no limit");
    if (c->proxy_header[0] != '\0' && networks_have_all(&c->login_networks))
        say("logins_everybody",
            "accounts.proxy_from has every address: whoever comes may say to "
            "be anybody");
}

/* ---- showing ---------------------------------------------------------- */

/* The value of KEY in words: a text of C, or in ROOM. */
static const char *value_of(const struct config *c,
                            const struct config_key *key, char room[32])
{
    const char *at = (const char *)c + key->offset;

    switch (key->kind) {
    case SWITCH: return *(const bool *)at ? "on" : "off";
    case NUMBER:
        snprintf(room, 32, "%lld", (long long)*(const int64_t *)at);
        return room;
    case ADDRESS: return at[0] != '\0' ? at : "off";
    default: return at;
    }
}

/* The same for people's eyes. */
static const char *shown(const struct config *c, const struct config_key *key,
                         char room[32])
{
    const char *value = value_of(c, key, room);
    return value[0] != '\0' && is_secret(key->name) ? "***" : value;
}

static bool differs(const struct config *a, const struct config *b,
                    const struct config_key *key)
{
    char first[32], second[32];
    return strcmp(value_of(a, key, first), value_of(b, key, second)) != 0;
}

static const char *source_of(const struct config *c, size_t key)
{
    const char *const sources[] = {
        [FROM_DEFAULT] = "default",
        [FROM_FILE] = c->file,
        [FROM_COMMAND] = "command line",
        [FROM_OPERATOR] = "run time",
    };
    return sources[c->from[key]];
}

/* Whether KEY is till the next start what it is in C. */
static bool stays(const struct config *c, size_t key)
{
    return keys[key].when == START || c->from[key] == FROM_OPERATOR;
}

void config_write(const struct config *c, const struct config *next,
                  struct json_out *o, const char *name)
{
    char room[32];

    out_list(o, name);
    for (size_t i = 0; i < key_count; i++) {
        const struct config_key *key = &keys[i];
        out_object(o, NULL);
        out_string(o, "key", key->name);
        out_string(o, "value", shown(c, key, room));
        out_string(o, "from", source_of(c, i));
        if (next != NULL && differs(c, next, key)) {
            out_object(o, "next");
            out_string(o, "value", shown(next, key, room));
            out_string(o, "from", source_of(next, i));
            out_string(o, "when", stays(c, i) ? "restart" : "reload");
            out_end(o);
        }
        out_end(o);
    }
    out_end(o);
}

void config_override(struct config *c, const char *name, const char *value)
{
    char why[CONFIG_TEXT_MAX];

    (void)config_set(c, FROM_OPERATOR, name, value, why, sizeof(why));
}

void config_take(struct config *c, struct config *fresh,
                 config_changed_cb changed)
{
    char was[32], is[32];

    for (size_t i = 0; i < key_count; i++) {
        const struct config_key *key = &keys[i];
        if (differs(c, fresh, key))
            changed(key->name, shown(c, key, was), shown(fresh, key, is),
                    stays(c, i));
        if (!stays(c, i))
            continue;
        memcpy((char *)fresh + key->offset, (const char *)c + key->offset,
               key->size);
        fresh->from[i] = c->from[i];
    }
    fresh->admin_default = c->admin_default;
    *c = *fresh;
}
