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

#include "io/network.h"

#define CONFIG_TEXT_MAX   512
#define CONFIG_REMARK_MAX 501 /* as the protocol has it, and a NUL */
#define CONFIG_LIST_MAX   16

#define CONFIG_KEYS_MAX 64

struct json_out;

struct config {
    char data[CONFIG_TEXT_MAX];
    char url[CONFIG_TEXT_MAX];           /* where people find it, or "" */
    char name[CONFIG_TEXT_MAX];          /* server.name */
    char motd[CONFIG_REMARK_MAX];        /* for people who come, or "" */
    char maintenance[CONFIG_REMARK_MAX]; /* why it is read only, or "" */
    char rules_url[CONFIG_TEXT_MAX], privacy_url[CONFIG_TEXT_MAX];
    char contact[CONFIG_TEXT_MAX]; /* links, or "" */
    char http[CONFIG_TEXT_MAX];    /* "" is off */
    char lines[CONFIG_TEXT_MAX];
    char lines_unix[CONFIG_TEXT_MAX];
    char admin[CONFIG_TEXT_MAX];
    bool admin_default;             /* in the data directory */
    char origins[CONFIG_TEXT_MAX];  /* further ones, by spaces */
    char proxies[CONFIG_TEXT_MAX];  /* networks, by spaces ... */
    struct networks proxy_networks; /* ... and what they are */
    bool echo;                      /* GET /echo */
    bool metrics_all;               /* /metrics for others than direct */
    char registration[16];          /* open, invite, closed */
    char invitation_code[65];       /* "": none */
    bool guests;
    int64_t session_days;
    int64_t open_table_days;
    bool limits_local;
    int64_t connections_address, connections;
    int64_t tables_memory; /* MiB */
    int64_t slow_seconds, idle_seconds;
    char sync[16]; /* full, normal, off */
    int64_t readers;
    char hadara_tables[CONFIG_TEXT_MAX]; /* a folder, or "" */
    char *hadara_csv; /* what is in it, the owner of the struct's to free */
    size_t hadara_csv_len;
    char log_level[16];
    char log_format[8];            /* text, json */
    bool log_addresses;            /* people's, in the log */
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
 * C->hadara_csv is new, and the old one still to be freed. */
bool config_again(struct config *c, char *why, size_t size);

/* Has FRESH, which config_again() read, be C, but for what waits for a restart
 * and what was said at run time, which holds till then.  CHANGED is told of each key whose value is another; secrets are `***`. */
typedef void (*config_changed_cb)(const char *key, const char *was,
                                  const char *is, bool at_restart);
void config_take(struct config *c, struct config *fresh,
                 config_changed_cb changed);

/* Whether a secret is in a file that everybody on this machine may read. */
bool config_exposed(const struct config *c);

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
