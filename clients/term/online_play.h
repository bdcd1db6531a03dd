/* online_play.h -- playing and watching on a server: the ways to show it. */

#ifndef TERM_ONLINE_PLAY_H
#define TERM_ONLINE_PLAY_H

#include "client.h"
#include "play.h"
#include "tables.h"

/* Each shows the table ID, and others one goes to from there, until it is left
 * or over.  WATCHING: without a keyboard. */

/* Line by line. */
int online_plain(struct client *client, const char *id, bool watching);

/* Full screen; ID NULL begins with the lobby.  COLOUR: if the terminal has
 * any.  Negative if it can show no full screen. */
int online_screen(struct client *client, const char *id, bool colour,
                  bool unicode);

#endif
