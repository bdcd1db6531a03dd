/* settings.h -- what the client remembers: which server, and who one is there.
 *
 *     ~/.config/sobremesa/config    written by people: `server = HOST:PORT` ...
 *     ~/.config/sobremesa/tokens    written here, mode 0600: who is logged in
 *
 * ($XDG_CONFIG_HOME instead of ~/.config where it is set.)  What is said on
 * the command line comes first, then the environment, then the files. */

#ifndef TERM_SETTINGS_H
#define TERM_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>

struct settings {
    char server[512];   /* "": nothing said */
    char name[64];      /* as whom; "": whoever logged in last */
    char ca_file[4096]; /* certificates to trust beside the system's; "" */
    bool no_colour, ascii, no_bell;
};

/* Reads the config file and the environment; false after a complaint about a
 * line of the file. */
bool settings_load(struct settings *s);

/* The server to speak to: CHOSEN, or what settings say, or the one logged in
 * to last, or the default.  The address of a page, https://HOST/GAMES/, is
 * turned into that of its WebSocket, wss://HOST/GAMES/.  BUF has 512 bytes. */
void settings_server(const struct settings *s, const char *chosen, char *buf);

/* One who is logged in. */
struct settings_token {
    char server[512], name[64], token[128];
    char ca_file[1024]; /* that it takes to trust the server, or "" */
};

/* Who NAME is on SERVER, "" for whoever logged in last; $SOBREMESA_TOKEN comes
 * first if NAME is "".  Whether there is one. */
bool settings_token(const char *server, const char *name,
                    struct settings_token *ret_token);
/* Remembers, as the last to log in; false after a complaint. */
bool settings_remember(const struct settings_token *token);
/* The ca_file of whoever logged in to SERVER last; "" for none. */
void settings_ca_file(const char *server, char *buf, size_t cap);
/* Forgets NAME on SERVER. */
bool settings_forget(const char *server, const char *name);

#endif
