/* online.h -- a table on a server, as one who sits there or looks on knows it.
 *
 *     online_new() -> asks for the view, what has happened, what was said
 *     online_told()   each notification of the link: the view is kept by
 *                     applying patches, and checked
 *     online_ready()  the link is there again: what was missed is asked for
 *
 * The view is turned back into a state of the rules core, so legal moves,
 * reasons and previews are computed here, on what this viewer may know.  A
 * patch that does not fit, or makes something of another hash than the server
 * has, is never shown: the view is asked for anew. */

#ifndef TERM_ONLINE_H
#define TERM_ONLINE_H

#include "session.h"
#include "table.h"

struct online;

/* Something was said at the table. */
struct online_text {
    json_int_t number, at;
    bool spectators; /* in the room of those who look on */
    char from[32];
    char *body;
};

enum online_state {
    ONLINE_ASKING, /* nothing is known yet */
    ONLINE_OPEN,
    ONLINE_PLAYING,
    ONLINE_FINISHED,
    ONLINE_ABANDONED,
    ONLINE_REFUSED /* there is no such table, or no way in; see why */
};

/* Whose table it is hears of it; each may be NULL. */
struct online_owner {
    /* Something is new: the position, what was said, the state.  EVENTS from
     * index FIRST of the table's log on have just been added. */
    void (*changed)(void *context, struct online *o, size_t first);
    /* The server refused something, or has something to say. */
    void (*said)(void *context, struct online *o, bool bad, const char *text);
    void *context;
};

struct online {
    /* read-only */
    struct table table; /* rules are there once it is not ASKING */
    char id[40];
    enum online_state state;
    char why[LINK_WHY_MAX];         /* of ONLINE_REFUSED */
    bool started;                   /* table.any is a position */
    int you;                        /* a seat, or RULES_WATCHER */
    json_int_t ply, decision, undo; /* the last two -1 for none */
    size_t views;                   /* how many were taken over so far */
    uint16_t acting;                /* who is waited for */
    bool made_it;                   /* the table is yours */
    bool manual;                    /* it starts when its maker says so */
    json_t *about;                  /* what table.get told */
    char again_at[40];              /* its game is played again there, or "" */
    char go_to[40]; /* the table that online_again() leads to, or "" */
    size_t since;   /* event with which your last move began */
    struct online_text *texts; /* oldest first */
    size_t text_count, text_cap;
    json_int_t read; /* up to this text, all was */
    int busy;        /* so much was asked for and is not answered yet */
    char note[600];  /* the beginning of your note, once asked for */
    json_t *order;   /* what is played as soon as you are asked, or NULL */
    /* private */
    struct link *link;
    struct online_owner owner;
    json_t *view;
    char chain[65];
    uint16_t revision;
    bool moving;      /* a move is on its way */
    bool told;        /* what has happened before was asked for ... */
    bool asking_past; /* ... and is still to come */
    int bad;          /* patches that did not fit, in a row */
    bool order_known; /* what has been ordered was told */
    bool order_news;  /* ... and is another, while one's own is on its way */
    int ordering;     /* so many are */
    json_t *ordered;  /* what stood before the last news of it */
    json_int_t order_ply; /* up to this ply was looked at what was played */
};

/* The table ID over LINK. */
struct online *online_new(struct link *link, const char *id,
                          const struct online_owner *owner);
/* NULL is fine.  Call link_forget() for O before. */
void online_free(struct online *o);

/* For the link's owner: see struct link_owner. */
void online_ready(struct online *o);
void online_told(struct online *o, const char *method, const json_t *params);

/* Whether it is you who are waited for. */
bool online_my_turn(const struct online *o);
bool online_over(const struct online *o);

/* Each asks the server; what comes of it is heard of. */
void online_move(struct online *o, const struct rules_move *move);
void online_undo(struct online *o);
void online_say(struct online *o, const char *text);
void online_resign(struct online *o);
void online_take_over(struct online *o, int seat);
void online_return(struct online *o);
void online_give(struct online *o, int64_t seconds);
/* PARAMS as proposal_read() makes them, taken over; what you say to the vote that
 * is open. */
void online_propose(struct online *o, json_t *params);
void online_vote(struct online *o, bool yes);
/* ORDER, as order_read() makes it, taken over, stands from now on. */
void online_order(struct online *o, json_t *order);
void online_start(struct online *o);
void online_leave(struct online *o);
/* Of a game that is over: goes to where it is played again.  Who sat here asks
 * for that and sits down there, so it is begun if nobody has. */
void online_again(struct online *o);
/* The table whose game is played again here, or NULL. */
const char *online_again_of(const struct online *o);
void online_invite(struct online *o, const char *name);
/* A bot of LEVEL takes a free seat. */
void online_bot(struct online *o, const char *level);
/* For online.c: ORDER stands now, as the server tells it; it says that there is
 * another, or that it was played. */
void online_order_take(struct online *o, const json_t *order);
void online_order_news(struct online *o);
/* Your private note about the table, which is said; TEXT replaces it, NULL
 * leaves it. */
void online_note(struct online *o, const char *text);
/* All that was said has been read. */
void online_read(struct online *o);
/* Texts not read yet, of others. */
int online_unread(const struct online *o);

/* A view as the protocol has it, turned into a state of the rules: everything
 * of TABLE but its log.  False if it is none, or of another game; RET_STARTED
 * tells whether there is a position. */
bool view_read(struct table *table, const json_t *view, uint16_t revision,
               bool *ret_started);
/* An event of the wire as one of the log. */
void event_read(const struct table *table, const json_t *value,
                struct rules_event *ret_event);
/* Adds what a ply of table.replay tells of to TABLE's log. */
void ply_read(struct table *table, const json_t *ply);

#endif
