/* ctl.h -- what the files of sobremesactl share.
 *
 *     main.c      the command line, up to the command's name
 *     commands.c  the table of commands
 *     help.c      the list of them, usage, "did you mean"
 *     fields.c    arguments and options as parameters of a request; questions
 *     call.c      the connection, requests, refusals
 *     grid.c      tables of text for people
 *     tables.c    users.c    server.c    what is shown of each answer
 *     record.c    export, import
 *     archive.c   records of finished games out into files, and out of the store
 *     verify.c    tables, the store, a file
 *     ratings.c   ratings, made anew
 *     notices.c   what is told to who is away
 *     backup.c    copies of the store; rotate.c: which stay
 *     restore.c   putting a backup in place of the data
 *     rules.c     what another version makes of the tables
 *     program.c   sobremesad, for what needs no server
 *
 * Every command is a row of the table: a method, how its parameters are given,
 * and how its result is shown to people; --json shows the result as it came.
 * What is more than one request is a function.  Either ends with the exit
 * status: 0 done, 1 refused, failed or wrong, 64 wrong usage.  Results go to
 * stdout, and with --json that is one line; what went wrong goes to stderr,
 * with --json as one line {"error":{"reason":...,"message":...}}. */

#ifndef CTL_CTL_H
#define CTL_CTL_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "protocol/json_out.h"

enum { STATUS_DONE = 0, STATUS_FAILED = 1, STATUS_USAGE = 64 };

#define DEFAULT_DATA   "./sobremesa-data"
#define DEFAULT_SOCKET "/run/sobremesa/admin.sock" /* deploy/ */

struct command;

struct ctl {
    const char *path; /* of the socket */
    const char *data; /* the server's directory */
    bool json;        /* results as JSON, for scripts */
    bool yes;         /* nothing is asked */
    const struct command *command;
    json_t *given; /* the parameters that were given */
    json_t *local; /* and what concerns this program only */
    int fd;        /* the connection ... */
    FILE *file;    /* ... for reading; NULL: there is none */
    int64_t last;  /* id of a request */
    struct json_out out;
    int method; /* of the last request (protocol/methods.h) */
    char *line; /* the last one read */
    size_t cap;
};

/* ---- commands --------------------------------------------------------- */

enum field_kind {
    FIELD_TEXT,
    FIELD_NUMBER,
    FIELD_FLAG,  /* an option without a value: true */
    FIELD_NO,    /* the same: false */
    FIELD_UNTIL, /* 30m, 12h, 7d, 2w from now, or 2026-12-31[T20:00[+01:00]] */
    FIELD_BEFORE,  /* 12h, 90d, 52w ago, or as above */
    FIELD_SECONDS, /* 90, 10m, 2h */
    FIELD_PATH,    /* becomes one from the root on */
    FIELD_SECRET,  /* is never given, but asked for or read from stdin */
    FIELD_LIMIT,   /* how many rows in all; 0: all there are */
    FIELD_TEXTS,   /* an argument that may come again: a list */
    FIELD_LOCAL    /* a flag that concerns this program, not the server */
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

#define FIELDS_MAX 8

struct command {
    const char *chapter;      /* what it opens in the list of all, or NULL */
    const char *group, *name; /* "tables", "list"; GROUP may be NULL */
    const char *text;         /* one line of the list */
    const char *help;         /* what else --help says; or NULL */
    const char *method;
    /* A parameter that is always this, or NULLs. */
    struct {
        const char *name, *value;
    } always;
    struct field fields[FIELDS_MAX + 1];
    /* The member of the result that is a list, which is asked for page by
     * page; or NULL. */
    const char *rows;
    void (*show)(struct ctl *c, const json_t *result);
    /* For what is more than one request; of the above it may use what it
     * likes. */
    int (*run)(struct ctl *c);
    /* Of what cannot be undone: asked on a terminal, with {user} for what was
     * given as that, and a question mark; if ASKS, where there is one, says so
     * of what was given. */
    const char *question;
    bool (*asks)(const struct ctl *c);
};

extern const struct command commands[];
extern const size_t command_count;

/* Reads the arguments behind the command's name, ARGV[0], into C->given, then
 * asks what is to be asked.  Ends the process with STATUS_USAGE, or for --help
 * with 0, or if the answer is no. */
void fields_parse(struct ctl *c, int argc, char **argv);
/* Prints what --help of COMMAND says, and ends the process. */
_Noreturn void fields_help(const struct command *command);
/* The text given as NAME, or NULL. */
const char *given(const struct ctl *c, const char *name);
/* Whether the flag NAME, of FIELD_LOCAL, was given. */
bool chosen(const struct ctl *c, const char *name);
/* The Nth argument (not an option) of COMMAND, or NULL. */
const struct field *argument(const struct command *command, size_t n);
/* Has no value, as an option. */
bool field_is_flag(const struct field *f);

/* ---- help.c ----------------------------------------------------------- */

/* "tables list", with what goes before the name. */
#define NAME_SIZE 48
const char *command_name(const struct command *command, char text[NAME_SIZE]);
/* "tables rewind [--why TEXT] TABLE PLY"; the caller's to free. */
char *command_usage(const struct command *command);
/* The list of all, for --help; the caller's to free. */
char *command_list(void);
/* The command that WORD, or WORD and NEXT, means; NULL after it was said, on
 * stderr, what there is instead. */
const struct command *command_find(const char *word, const char *next);
/* WORD is a group of commands. */
bool command_is_group(const char *word);
/* Prints what --help says, and ends the process; in main.c. */
_Noreturn void program_help(void);
/* Prints the commands of a group. */
void group_print(FILE *to, const char *group);

int help_command(struct ctl *c);
int commands_command(struct ctl *c);

int verify_command(struct ctl *c);
int ratings_command(struct ctl *c);
int export_command(struct ctl *c);
int import_command(struct ctl *c);
int user_export_command(struct ctl *c);
int backup_command(struct ctl *c);
int bounce_command(struct ctl *c);
int archive_command(struct ctl *c);
bool archive_asks(const struct ctl *c); /* unless it is a dry run */
int restore_command(struct ctl *c);
int rules_command(struct ctl *c);
int shutdown_command(struct ctl *c);
int texts_command(struct ctl *c);
/* Of `shutdown`: what is announced can be called off. */
bool ends_at_once(const struct ctl *c);

void show_status(struct ctl *c, const json_t *result);
void show_tables(struct ctl *c, const json_t *result);
void show_table(struct ctl *c, const json_t *result);
void show_ply(struct ctl *c, const json_t *result);
void show_late(struct ctl *c, const json_t *result);
int resume_command(struct ctl *c);
void show_users(struct ctl *c, const json_t *result);
void show_user(struct ctl *c, const json_t *result);
void show_person(struct ctl *c, const json_t *result);
void show_renamed(struct ctl *c, const json_t *result);
void show_new_link(struct ctl *c, const json_t *result);
void show_links(struct ctl *c, const json_t *result);
void show_notices(struct ctl *c, const json_t *result);
void show_notices_test(struct ctl *c, const json_t *result);
void show_revoked(struct ctl *c, const json_t *result);
void show_told_all(struct ctl *c, const json_t *result);
void show_done(struct ctl *c, const json_t *result);
void show_totp_removed(struct ctl *c, const json_t *result);
void show_allowed(struct ctl *c, const json_t *result);
void show_ended(struct ctl *c, const json_t *result);
void show_deleted(struct ctl *c, const json_t *result);
void show_sessions(struct ctl *c, const json_t *result);
void show_told(struct ctl *c, const json_t *result);
void show_vacuum(struct ctl *c, const json_t *result);
void show_prune(struct ctl *c, const json_t *result);
void show_config(struct ctl *c, const json_t *result);
void show_log(struct ctl *c, const json_t *result);
void show_end(struct ctl *c, const json_t *result);
void show_audit(struct ctl *c, const json_t *result);

/* ---- call.c ----------------------------------------------------------- */

/* Says what went wrong, on stderr; always STATUS_FAILED.  After
 * complain_in_json() as JSON. */
__attribute__((format(printf, 1, 2))) int complain(const char *format, ...);

void complain_in_json(void);

/* The same for wrong usage of C's command, always in words, with how it is
 * used; always STATUS_USAGE. */
__attribute__((format(printf, 2, 3))) int misused(const struct ctl *c,
                                                  const char *format, ...);

/* Connects, once the arguments are understood, if that is not done yet; false
 * after a complaint. */
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

/* ---- record.c, program.c ------------------------------------------------- */

/* Called with each line; false stops. */
typedef bool (*line_cb)(const char *line, size_t len, void *context);
/* All lines of TABLE's record to CB.  False if the server refused, with the
 * reason in *RET_ERROR, or CB stopped. */
bool record_lines(struct ctl *c, const char *table, json_t **ret_error,
                  void *context, line_cb cb);
/* Runs sobremesad with OPTION and PATH: its line of JSON, the caller's to free,
 * or NULL after it, or this, has complained.  *RET_GOOD: its status was 0. */
json_t *program_run(struct ctl *c, const char *option, const char *path,
                    bool *ret_good);

#define PROGRAM_SIZE 4096
/* The server's program that came with this one: the one beside it, or else the
 * one in PATH.  False if there is none. */
bool program_server(char path[PROGRAM_SIZE]);
/* The first of that name in PATH; false if there is none. */
bool program_in_path(const char *name, char path[PROGRAM_SIZE]);
/* Becomes PROGRAM with ARGS, which end with NULL; it reads from IN and writes to
 * OUT. */
_Noreturn void program_become(const char *program, char *const *args, int in,
                              int out);

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
/* A time of the server's, in local time, with how far that is from UTC:
 * "2026-11-22 04:15:36 +0100"; "never" for what is no number. */
const char *time_text(const json_t *at, char text[TIME_SIZE]);
/* How long that is ago or still to come: "3 min", "2 days". */
const char *span_text(int64_t ms, char text[TIME_SIZE]);
/* The time now, in milliseconds. */
int64_t now_ms(void);

/* A member as text: "" if it is not there, or null. */
const char *member_text(const json_t *object, const char *name);
int64_t member_int(const json_t *object, const char *name);

#endif
