/* online_lines.h -- a table on a server, in lines: the loop, which does the
 * waiting, and the voice in which it speaks, to people (online_plain.c) or to
 * programs (online_json.c). */

#ifndef TERM_ONLINE_LINES_H
#define TERM_ONLINE_LINES_H

#include "online_play.h"
#include "plain.h"

struct lines;

/* How all of it is said. */
struct voice {
    /* The table is known; it is the first, or one gone to. */
    void (*introduce)(struct lines *l);
    void (*events)(struct lines *l, const struct rules_event *events,
                   size_t count);
    void (*text)(struct lines *l, const struct online_text *text);
    /* There is another position, or another state of the table. */
    void (*situation)(struct lines *l);
    /* The server's word, or the client's: a refusal if BAD. */
    void (*said)(struct lines *l, bool bad, const char *text);
    /* The connection is lost, or there again. */
    void (*connection)(struct lines *l, bool lost, const char *text);
    /* The game is over. */
    void (*result)(struct lines *l);
    /* A line that was typed. */
    void (*answer)(struct lines *l, const char *line);
};

extern const struct voice plain_voice, json_voice;

struct lines {
    const struct voice *voice;
    struct plain plain;
    struct client *client;
    bool watching;
    char in[2 * PLAIN_LINE_MAX]; /* what was typed and not taken yet */
    size_t in_len;
    bool ended;      /* there will be no more */
    bool file;       /* it is one, and can always be read */
    bool introduced; /* the table's name has been said */
    bool turned;     /* whose turn it is has been said, at this ply: */
    json_int_t turn_ply;
    bool prompted;  /* "> " stands in this line */
    bool troubled;  /* that the connection is lost has been said */
    size_t texts;   /* said at the table that were told */
    char go_to[40]; /* another table */
};

/* Shows the table ID, and others one goes to from there, until it is left or
 * over: the program's status. */
int online_lines(struct client *client, const char *id, bool watching,
                 const struct voice *voice);

/* What can be typed in any voice, besides moves: say, undo, note, resign,
 * start, leave, invite, take-over, return, give, order, again, next, table, wait.
 * Whether LINE was one of these. */
bool lines_command(struct lines *l, const char *line);
/* Plays MOVE if the rules allow it, or has it said why not. */
void lines_play(struct lines *l, const struct rules_move *move);
/* Whether there is a game and one plays in it; if not, that was said. */
bool lines_can_play(struct lines *l);

#endif
