/* term.h -- what the commands of the terminal client share.
 *
 * Every command is a function of argc and argv that returns the program's exit
 * status.  What was asked for goes to stdout, what went wrong to stderr as
 * `sobremesa: ...`. */

#ifndef TERM_TERM_H
#define TERM_TERM_H

#include <argp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "clients/common/memory.h"
#include "core/rules.h"
#include "protocol/game_json.h"
#include "protocol/version.h"

/* The exit status; beside 0 and 1 as sysexits.h has them. */
enum {
    STATUS_DONE = 0,
    STATUS_FAILED = 1, /* refused, or something else went wrong */
    STATUS_USAGE = 64,
    STATUS_NO_SERVER = 69, /* there is no connection to one */
    STATUS_NOBODY = 77     /* it wants one to log in first */
};

/* ---- commands --------------------------------------------------------- */

int play_command(int argc, char **argv);
int script_command(int argc, char **argv);
int arena_command(int argc, char **argv);
int board_command(int argc, char **argv);
int games_command(int argc, char **argv);
int learn_command(int argc, char **argv);
int rules_command(int argc, char **argv);
int verify_command(int argc, char **argv);
/* Online: session.h. */
int register_command(int argc, char **argv);
int reset_command(int argc, char **argv);
int login_command(int argc, char **argv);
int guest_command(int argc, char **argv);
int logout_command(int argc, char **argv);
int whoami_command(int argc, char **argv);
int export_command(int argc, char **argv);
int delete_command(int argc, char **argv);
int lobby_command(int argc, char **argv);
int tables_command(int argc, char **argv);
int waiting_command(int argc, char **argv);
int notices_command(int argc, char **argv);
int ratings_command(int argc, char **argv);
int results_command(int argc, char **argv);
int email_command(int argc, char **argv);
int factor_command(int argc, char **argv);
int hours_command(int argc, char **argv);
int link_command(int argc, char **argv);
int decline_command(int argc, char **argv);
int block_command(int argc, char **argv);
int unblock_command(int argc, char **argv);
int absence_command(int argc, char **argv);
int take_over_command(int argc, char **argv);
int return_command(int argc, char **argv);
int give_command(int argc, char **argv);
int propose_command(int argc, char **argv);
int vote_command(int argc, char **argv);
int order_command(int argc, char **argv);
int create_command(int argc, char **argv);
int fork_command(int argc, char **argv);
int rematch_command(int argc, char **argv);
int join_command(int argc, char **argv);
int watch_command(int argc, char **argv);
int replay_command(int argc, char **argv);
int record_command(int argc, char **argv);
int bot_command(int argc, char **argv);
int complete_command(int argc, char **argv);

struct command {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *text;
};

/* All of them, in the order of the help; ends with a NULL name. */
extern const struct command commands[];

/* For the parser of a command with one argument: keeps it at *TO, and complains
 * with MORE of a second one, and of none with NONE, if that is not NULL.  What
 * argp says of all other keys. */
error_t argument_parse(int key, char *arg, struct argp_state *state,
                       const char **to, const char *more, const char *none);

/* What argp tells above and below the options. */
#define DOC(before, after) before "\v" after

/* Parses a command's arguments with argp, under the name `sobremesa NAME`. */
int command_parse(const struct argp *argp, const char *name, int argc,
                  char **argv, void *input);

/* While this is not NULL, command_parse() only shows it what the command NAME
 * would take, and the command does nothing: for complete.c. */
extern void (*command_look)(const struct argp *argp, const char *name);

/* Gives the terminal back before a bug ends the program; NULL where there is
 * nothing to give back. */
extern void (*term_emergency)(void);

/* ---- complaints and files --------------------------------------------- */

/* Says what went wrong, on stderr; always STATUS_FAILED. */
__attribute__((format(printf, 1, 2))) int complain(const char *format, ...);
/* The same; if the program fails, it ends with STATUS because of that. */
__attribute__((format(printf, 2, 3))) int complain_as(int status,
                                                      const char *format, ...);

/* Ends the output: the program's exit status if a command ended with STATUS;
 * STATUS_FAILED with a complaint if something could not be written to
 * stdout. */
int finish_output(int status);

/* The bytes of the file PATH (`-`: stdin), at most MAX, terminated and the
 * caller's to free; NULL after a complaint. */
char *read_whole(const char *path, size_t max, size_t *ret_len);

/* ---- arguments that several commands take ------------------------------ */

/* A number without sign, whole; whether TEXT is one, at most MAX. */
bool number_read(const char *text, uint64_t max, uint64_t *ret_number);
/* A number from the system's chance, short enough to be typed again. */
uint64_t number_random(void);
/* The game of that name, or NULL after a complaint. */
const struct rules *game_find(const char *name);
/* What an option can be: "true or false". */
void option_says(const struct rules_option *option, char *buf, size_t cap);
/* `k=v,…` into OPTIONS; false after a complaint. */
bool options_parse(const struct rules *r, const char *text,
                   int16_t options[RULES_OPTIONS_MAX]);
/* What the assets that R has are called, several of them. */
const char *asset_title(const struct rules *r);
/* What a game is set up with, its asset: the name of a built-in one or a file,
 * and where these are datasets also a folder of files.  KIND is what it was
 * called, "board" or "tables".  False after a complaint. */
bool asset_load(const struct rules *r, const char *kind, const char *name,
                struct json_board *ret_asset);
/* The same of a board. */
bool board_load(const struct rules *r, const char *name,
                struct json_board *ret_board);
/* rules_setup() with a complaint. */
bool setup_or_complain(const struct rules *r, struct rules_state *s,
                       const struct rules_setup *setup);

#endif
