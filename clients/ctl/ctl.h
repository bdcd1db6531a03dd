/* ctl.h -- what the files of sobremesactl share.
 *
 *     main.c      which command it is; --help
 *     fields.c    arguments and options as parameters of a request
 *     call.c      the connection, requests, refusals
 *     grid.c      tables of text for people
 *     tables.c    users.c    server.c    what is shown of each answer
 *     record.c    verify, export, import
 *     restore.c   putting a backup in place of the data
 *
 * Most commands are a row of a table (main.c): a method, how its parameters
 * are given, and how its result is shown to people; --json shows the result as
 * it came.  The others are functions.  Either ends with the exit status: 0
 * done, 1 refused, failed or wrong, 64 wrong usage. */

#ifndef CTL_CTL_H
#define CTL_CTL_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "protocol/json_out.h"

enum { STATUS_DONE = 0, STATUS_FAILED = 1, STATUS_USAGE = 64 };

struct command;

struct ctl {
    const char *path; /* of the socket */
    const char *data; /* the server's directory */
    bool json;        /* results as JSON, for scripts */
    const struct command *command;
    json_t *given; /* the parameters that were given */
    int fd;        /* the connection ... */
    FILE *file;    /* ... for reading; NULL: there is none */
    int64_t last;  /* id of a request */
    struct json_out out;
    char *line; /* the last one read */
    size_t cap;
};

/* ---- commands --------------------------------------------------------- */

enum field_kind {
    FIELD_TEXT,
    FIELD_NUMBER,
    FIELD_FLAG,    /* an option without a value: true */
    FIELD_NO,      /* the same: false */
    FIELD_UNTIL,   /* 30m, 12h, 7d, 2w from now, or 2026-12-31[T20:00] */
    FIELD_SECONDS, /* 90, 10m, 2h */
    FIELD_PATH,    /* becomes one from the root on */
    FIELD_SECRET,  /* is never given, but asked for or read from stdin */
    FIELD_LIMIT    /* how many rows in all; 0: all there are */
};

/* A parameter and how it is given. */
struct field {
    const char *name; /* of the parameter; NULL ends a list of them */
    enum field_kind kind;
    const char *option; /* its long name; NULL: an argument */
    const char *value;  /* what it is called in --help */
    const char *text;
    bool optional; /* an argument that need not be */
};

struct command {
    const char *group, *name; /* "tables", "list"; GROUP may be NULL */
    const char *text;
    const char *method;
    const struct field *fields; /* or NULL: none */
    const char
        *rows; /* the member of the result that is a list, which is asked
                       * for page by page; or NULL */
    void (*show)(struct ctl *c, const json_t *result);
    /* For what is more than one request; of the above it may use what it likes.
     * Without FIELDS it reads its arguments itself. */
    int (*run)(struct ctl *c, int argc, char **argv);
};

extern const struct command commands[];
extern const size_t command_count;

/* Reads the arguments behind the command's name, ARGV[0], into C->given.
 * Ends the process with STATUS_USAGE, or for --help with 0. */
void fields_parse(struct ctl *c, int argc, char **argv);
/* The text given as NAME, or NULL. */
const char *given(const struct ctl *c, const char *name);

int verify_command(struct ctl *c, int argc, char **argv);
int export_command(struct ctl *c, int argc, char **argv);
int import_command(struct ctl *c, int argc, char **argv);
int user_export_command(struct ctl *c, int argc, char **argv);
int backup_command(struct ctl *c, int argc, char **argv);
int restore_command(struct ctl *c, int argc, char **argv);

void show_status(struct ctl *c, const json_t *result);
void show_tables(struct ctl *c, const json_t *result);
void show_table(struct ctl *c, const json_t *result);
void show_ply(struct ctl *c, const json_t *result);
void show_users(struct ctl *c, const json_t *result);
void show_user(struct ctl *c, const json_t *result);
void show_done(struct ctl *c, const json_t *result);
void show_ended(struct ctl *c, const json_t *result);
void show_deleted(struct ctl *c, const json_t *result);
void show_sessions(struct ctl *c, const json_t *result);
void show_told(struct ctl *c, const json_t *result);
void show_backup(struct ctl *c, const json_t *result);
void show_vacuum(struct ctl *c, const json_t *result);
void show_prune(struct ctl *c, const json_t *result);
void show_config(struct ctl *c, const json_t *result);
void show_log(struct ctl *c, const json_t *result);
void show_end(struct ctl *c, const json_t *result);
void show_audit(struct ctl *c, const json_t *result);

/* ---- call.c ----------------------------------------------------------- */

/* Says what went wrong, on stderr; always STATUS_FAILED. */
__attribute__((format(printf, 1, 2))) int complain(const char *format, ...);

/* The same for wrong usage; always STATUS_USAGE. */
__attribute__((format(printf, 1, 2))) int misused(const char *format, ...);

/* Connects, once the arguments are understood; false after a complaint. */
bool dial(struct ctl *c);
void hang_up(struct ctl *c); /* also if there is no connection */

/* Begins a request: its params may be written into the result, an open object.
 */
struct json_out *call_begin(struct ctl *c, const char *method);
/* Sends it and waits for the answer: the result, the caller's to free; or NULL
 * with the error's `data`, and its `message`, in *RET_ERROR, the caller's to
 * free, too, or, if the connection is gone, NULL after a complaint. */
json_t *call_end(struct ctl *c, json_t **ret_error);
/* Says what the server's refusal was; frees it.  STATUS_FAILED. */
int complain_error(json_t *error);
/* Runs C->command, which has a method. */
int call_command(struct ctl *c);
/* Prints VALUE as one line of JSON. */
void print_json(const json_t *value);

/* ---- grid.c ----------------------------------------------------------- */

#define GRID_COLUMNS 8

/* A table: headings, then rows cell by cell.  The last column is cut where the
 * terminal ends, if the output is one. */
struct grid {
    size_t columns, cells, cap;
    bool right[GRID_COLUMNS]; /* numbers */
    char **cell;
};

/* HEADINGS are by spaces; one that begins with `>` is a number's. */
void grid_init(struct grid *g, const char *headings);
__attribute__((format(printf, 2, 3))) void grid_add(struct grid *g,
                                                    const char *format, ...);
/* Prints it and frees it; NONE is said if it has no rows. */
void grid_print(struct grid *g, const char *none);

#define TIME_SIZE 32
/* A time of the server's, in local time; "never" for what is no number. */
const char *time_text(const json_t *at, char text[TIME_SIZE]);
/* How long that is ago or still to come: "3 min", "2 days". */
const char *span_text(int64_t ms, char text[TIME_SIZE]);
/* The time now, in milliseconds. */
int64_t now_ms(void);

/* A member as text: "" if it is not there, or null. */
const char *member_text(const json_t *object, const char *name);
int64_t member_int(const json_t *object, const char *name);

#endif
