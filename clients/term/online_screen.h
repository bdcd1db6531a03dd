/* online_screen.h -- somebody before a server, on the full screen: the lobby
 * and the tables. */

#ifndef TERM_ONLINE_SCREEN_H
#define TERM_ONLINE_SCREEN_H

#include <signal.h>

#include "clients/common/lang.h"
#include "online_play.h"
#include "screen.h"

#define VISIT_IDLE_MS 3600000
#define VISIT_WAITS   N_("A table waits for you.")

/* The world of a ui that is on a server. */
struct visit {
    struct client *client;
    bool known; /* the table has been shown */
    bool was_mine, was_over, was_again;
    int was_waiting;  /* tables, when it last rang */
    bool kept;        /* a move, until the server is there again */
    size_t heard;     /* texts */
    size_t views;     /* those the table had when its position was shown */
    char go_to[40];   /* another table; "" */
    bool lobby;       /* back to the lobby */
    char title[200];  /* of the window */
    uint64_t idle_ms; /* then it wakes up without news */
    /* private */
    bool news, resized;
    uv_signal_t resize;
};

void visit_start(struct visit *v);
void visit_stop(struct visit *v);
/* Draws attention: the bell, and TEXT on the desktop where that is wanted. */
void visit_ring(const struct visit *v, const char *text);
/* The key that does not wait until the connection is tried again by itself. */
#define VISIT_HURRY_KEY \
    { \
        "F5", NULL, KEY_F(5), visit_hurry, 0, NULL, \
            N_("if the connection is lost: try now"), NULL \
    }
void visit_hurry(struct ui *ui, int unused);
/* The wait of a struct controller whose world is a visit. */
bool visit_wait(struct ui *ui);

extern const struct controller online_controller;
/* That of a table that has not begun. */
extern const struct screen waiting_screen;

/* What one can do at the table about time and seats. */
void time_menu(struct ui *ui);

/* What its players agree on together. */
void votes_menu(struct ui *ui);

/* The lobby; WHY, if it is not "", is said there first.  The table one goes to
 * from there is left in NEXT (40 bytes); false if one leaves. */
bool lobby_screen(struct ui *ui, const char *why, char *next);

/* The form that makes a table: whether one was made, its id in ID. */
bool create_form(struct ui *ui, char id[40]);

#endif
