/* online_play.h -- playing and watching on a server: the ways to show it. */

#ifndef TERM_ONLINE_PLAY_H
#define TERM_ONLINE_PLAY_H

#include "client.h"
#include "play.h"
#include "tables.h"

/* Shows the table ID, and others one goes to from there, until it is left or
 * over, on the full screen; in lines online_lines() does.  ID NULL begins with
 * the lobby.  Negative if there is no full screen. */
int online_screen(struct client *client, const char *id,
                  struct display_look look);

#endif
