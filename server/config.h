/* config.h -- what the operator decides: a file, and the command line, which
 * beats it.
 *
 * The file is INI; every key is `section.key` on the command line:
 * `--set http.echo=on`.  deploy/sobremesa.conf.sample explains them all. */

#ifndef SERVER_CONFIG_H
#define SERVER_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#include "core/rules.h"
#include "io/network.h"
#include "protocol/http.h"

#define CONFIG_TEXT_MAX   512
#define CONFIG_REMARK_MAX 501 /* as the protocol has it, and a NUL */
#define CONFIG_LIST_MAX   16

#define CONFIG_KEYS_MAX     64
#define CONFIG_DATASETS_MAX 8 /* games that have one */

struct json_out;

/* What new tables of a game are played with instead of its own numbers. */
struct config_dataset {
    const struct rules *rules;    /* NULL: there is no such game */
    char folder[CONFIG_TEXT_MAX]; /* or "" */
    char *text; /* what is in it, see config_free_datasets(), or NULL */
    size_t len;
};

struct config {
#define TEXT_KEY(name, member, bytes, kind, text, when) char member[bytes];
#define SWITCH_KEY(name, member, text, when)            bool member;
#define NUMBER_KEY(name, member, min, max, text, when)  int64_t member;
#define WORD_KEY(name, member, words, text, when)       char member[16];
#include "config.def"
#undef TEXT_KEY
#undef SWITCH_KEY
#undef NUMBER_KEY
#undef WORD_KEY
    struct networks proxy_networks; /* what PROXIES are */
    struct networks login_networks; /* what PROXY_FROM are */
    bool admin_default;             /* ADMIN is in the data directory */
    struct config_dataset dataset[CONFIG_DATASETS_MAX];
    char file[CONFIG_TEXT_MAX];    /* it was read from, or "" */
    char set[64][CONFIG_TEXT_MAX]; /* --set, and the other options */
    size_t set_count;
    bool check_only;
    char verify[CONFIG_TEXT_MAX];  /* a file to be judged, or "" */
    char restore[CONFIG_TEXT_MAX]; /* a backup to put in place, or "" */
    const char *print_replays;     /* see replays.h; or NULL */
    const char *check_replays;
    /* private: who set each key, by its place in the table of keys, and in
     * which line of the file */
    unsigned char from[CONFIG_KEYS_MAX];
    int line[CONFIG_KEYS_MAX];
};

/* Reads the command line and the file it names.  On anything wrong it says so
 * on stderr and ends the process: 64 for wrong usage, 1 for a bad file.
 * --help and --version end it with 0. */
void config_read(struct config *c, int argc, char **argv);

/* Reads the file, the command line's settings and the folders they name again.
 * False, with one line in WHY, and C untouched, if something is wrong.  Else
 * the texts of C->dataset are new, and the old ones still to be freed. */
bool config_again(struct config *c, char *why, size_t size);

/* Frees the texts of the CONFIG_DATASETS_MAX at SETS. */
void config_free_datasets(struct config_dataset *sets);

/* Has FRESH, which config_again() read, be C, but for what waits for a restart
 * and what was said at run time, which holds till then.  CHANGED is told of each key whose value is another; secrets are `***`. */
typedef void (*config_changed_cb)(const char *key, const char *was,
                                  const char *is, bool at_restart);
void config_take(struct config *c, struct config *fresh,
                 config_changed_cb changed);

/* Says what may be set so and hardly ever should: a secret in a file that
 * everybody on this machine may read, proxies that may be anybody. */
typedef void (*config_doubt_cb)(const char *event, const char *text);
void config_doubts(const struct config *c, config_doubt_cb say);

/* Writes all settings into the list NAME of an object: their key, value, `***`
 * if that is a secret, and where it comes from; and where NEXT, which may be
 * NULL, has another value, that, and what it waits for. */
void config_write(const struct config *c, const struct config *next,
                  struct json_out *o, const char *name);

/* Sets NAME, which there is, to VALUE, which is fine, until the next
 * start: it beats the file and the command line, whenever they are read. */
void config_override(struct config *c, const char *name, const char *value);

/* Reads ADDR:PORT or [ADDR]:PORT; false if it is neither.  `*` and nothing are
 * all addresses there are. */
bool config_address(const char *text, struct sockaddr_storage *to);

#endif
