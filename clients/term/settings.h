/* settings.h -- what the client remembers: which server, and who one is there.
 *
 *     ~/.config/sobremesa/config    written by people: `server = HOST:PORT` ...
 *     ~/.config/sobremesa/tokens    written here, mode 0600: who is logged in
 *     ~/.config/sobremesa/devices   ... and where they were before
 *
 * ($XDG_CONFIG_HOME instead of ~/.config where it is set.)  What is said on
 * the command line comes first, then the environment, then the files. */

#ifndef TERM_SETTINGS_H
#define TERM_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>

#include "notify.h"

struct settings {
    char server[512];   /* "": nothing said */
    char name[64];      /* as whom; "": whoever logged in last */
    char ca_file[4096]; /* certificates to trust beside the system's; "" */
    char language[16];  /* to be spoken to in; "": as the locale has it */
    bool no_colour, ascii, no_bell, no_mouse;
    enum notify_way notify;
};

/* Reads the config file and the environment; false after a complaint about a
 * line of the file. */
bool settings_load(struct settings *s);

/* The path of the file NAME beside the config, in a folder that is there then;
 * false if there is no home. */
bool settings_file(const char *name, char *buf, size_t cap);

/* The language that the config file says, "" if none, into BUF; a file that
 * cannot be read is settings_load()'s affair. */
void settings_language(char *buf, size_t cap);

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
/* What says to SERVER that NAME has been here before: log-ins from elsewhere are
 * told to them.  It stays beyond a log-out.  Into BUF; whether there is one. */
bool settings_device(const char *server, const char *name, char *buf,
                     size_t cap);
bool settings_keep_device(const char *server, const char *name,
                          const char *device);
/* Forgets NAME on SERVER. */
bool settings_forget(const char *server, const char *name);

#endif
