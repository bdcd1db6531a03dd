/* config_inner.h -- what the files of the configuration share; see config.h.
 *
 *     config.def       the table of keys
 *     config.c         finding keys; putting file and command line
 *                      together; showing
 *     config_values.c  which values each kind of key takes
 *     config_file.c    the file, and its lines
 *     config_args.c    the command line */

#ifndef SERVER_CONFIG_INNER_H
#define SERVER_CONFIG_INNER_H

#include "config.h"

#define EXIT_USAGE 64

enum value_kind {
    TEXT,
    ADDRESS,
    SWITCH,
    NUMBER,
    WORD,
    NETWORKS,
    LOGIN_NETWORKS, /* of proxies that say who somebody is */
    HEADER,         /* its name */
    ORIGINS,
    PAGE,        /* https or http */
    DATABASE,    /* of PostgreSQL */
    LINK,        /* that, or mailto */
    MAIL_SERVER, /* smtp, smtps or sendmail */
    MAIL_ADDRESS
};

struct config_key {
    const char *name; /* section.key */
    enum value_kind kind;
    size_t offset, size;
    int64_t min, max;
    const char *words; /* of a WORD, by spaces */
    const char *default_value;
    enum { RELOAD, START } when; /* another value is taken up */
};

/* Who set a key. */
enum config_source { FROM_DEFAULT, FROM_FILE, FROM_COMMAND, FROM_OPERATOR };

/* Puts VALUE under KEY; what was expected, perhaps in ROOM, or NULL if all is
 * well. */
const char *config_value(struct config *c, const struct config_key *key,
                         const char *value, char *room, size_t size);

/* Sets the key NAME; false with WHY. */
bool config_set(struct config *c, enum config_source from, const char *name,
                const char *value, char *why, size_t size);

/* Where NAME, which there is, stands in the file: its line, or 0. */
int *config_line(struct config *c, const char *name);

/* Reads the file and the command line's settings; 0, or with WHY the status to
 * exit with: 1 for a bad file, 64 for a bad setting. */
int config_together(struct config *c, char *why, size_t size);

/* Reads C->file; false with its name, the line, and what is wrong there. */
bool config_read_file(struct config *c, char *why, size_t size);

#endif
