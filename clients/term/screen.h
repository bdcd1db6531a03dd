/* screen.h -- the full screen: what all games have in common.
 *
 * One loop: draw, wait for a key, act on it.  The frame of it is here: the log,
 * points, help, pages, questions.  What stands between is a game's own struct
 * screen, or a list of legal moves beside the state where it has none.  Who
 * makes things happen at the table is a struct controller: a table without a
 * server (offline_screen.c), with one (online_screen.c), or one that is over
 * (replay_screen.c).
 *
 * Everything drawn comes from ui->view, the view of the seat at the keyboard;
 * no screen ever looks at the true state.  Nothing relies on colour. */

#ifndef TERM_SCREEN_H
#define TERM_SCREEN_H

#define _XOPEN_SOURCE_EXTENDED 1
#include <ncursesw/curses.h>

#include "play.h"

#define KEY_ESCAPE 27
#define KEY_RETURN '\n'
#define KEY_NEWS   (KEY_MAX + 1) /* no key: something has happened */

/* Styles; without colour they are bold, dim, underlined or reversed. */
enum ui_style {
    STYLE_PLAIN,
    STYLE_DIM, /* not possible now */
    STYLE_BOLD,
    STYLE_BAR,    /* the first and the last line */
    STYLE_CHOSEN, /* what Enter acts on */
    STYLE_GOOD,
    STYLE_BAD,
    STYLE_KEY,  /* a key to press */
    STYLE_SEAT, /* + seat: a player's colour */
    STYLES = STYLE_SEAT + RULES_SEATS_MAX
};

/* Colour pairs from here on are the game's own. */
#define PAIR_OF_GAME 32

struct ui;

/* Who makes things happen. */
struct controller {
    /* Brings the table up to date and ends in ui_fresh(). */
    void (*go_on)(struct ui *ui);
    /* Plays a legal move of ui->seat, or says why not; whether it was, and is
     * known by now.  NULL: one only looks on. */
    bool (*play)(struct ui *ui, const struct rules_move *move);
    void (*undo)(struct ui *ui);
    /* The keys of its own, which it gets first; may be NULL. */
    bool (*key)(struct ui *ui, int key);
    /* Waits until a key has been pressed; false if there is news instead.
     * NULL: there never is. */
    bool (*wait)(struct ui *ui);
    void (*quit)(struct ui *ui);
    /* Takes lines and columns from the screen, before it is drawn; draws there
     * and on top of it, afterwards.  May be NULL. */
    void (*room)(struct ui *ui);
    void (*frame)(struct ui *ui);
    /* The last line; NULL: the screen's. */
    const char *(*keys)(const struct ui *ui);
    const char *help_keys; /* lines of the help about its keys */
    void (*help)(struct ui *ui, FILE *to); /* what follows them; may be NULL */
};

struct ui {
    const struct controller *controller;
    void *world; /* the controller's own */
    struct table *table;
    const struct game_ui *game_ui;
    const struct screen *screen;
    SCREEN *terminal;
    int lines, columns; /* that the game's screen may use, but for the last */
    bool colour, unicode;
    bool many;  /* there are 256 colours */
    int seat;   /* at the keyboard; RULES_WATCHER: nobody yet */
    bool stale; /* there is news: the controller has to go on */
    bool done;  /* leave */
    int status; /* of the program */
    union rules_any view;
    struct rules_choice *choices; /* SEAT's, in this position */
    size_t choice_count;
    struct rules_score score; /* of VIEW, now */
    char message[256];        /* said in the last line until a key */
    bool bad;                 /* it is a refusal */
    char *unread;             /* what ui_notice() was given, a line each, until
                               * it was read; NULL: nothing */
    size_t seen;              /* events that SEAT has had on the screen */
};

struct screen {
    void (*start)(struct ui *ui);        /* once; colours are there */
    void (*fresh)(struct ui *ui);        /* there is another position */
    void (*draw)(struct ui *ui);         /* all but the last line */
    bool (*key)(struct ui *ui, int key); /* whether it was one of its keys */
    const char *keys;                    /* the last line */
    const char *help;                    /* a page about it */
};

/* That of games without one of their own. */
extern const struct screen list_screen;

/* ---- for screens -------------------------------------------------------- */

attr_t ui_attr(const struct ui *ui, int style);
/* Writes TEXT at Y, X in at most WIDTH columns, and fills them with spaces if
 * FILL; returns the columns TEXT took. */
int ui_text(int y, int x, int width, attr_t attr, const char *text, bool fill);
__attribute__((format(printf, 5, 6))) int
ui_print(int y, int x, int width, attr_t attr, const char *format, ...);

/* Says something in the last line until a key is pressed. */
__attribute__((format(printf, 3, 4))) void ui_say(struct ui *ui, bool bad,
                                                  const char *format, ...);

/* What everybody should have read: stands at the bottom until Esc says that it
 * is, whatever else is typed; what does not fit there is a page then. */
void ui_notice(struct ui *ui, const char *text);

/* Plays MOVE for the seat at the keyboard, and what follows; or says why not.
 * Whether it was played, and is known by now. */
bool ui_play(struct ui *ui, const struct rules_move *move);

/* The last events that SEAT may know, newest at the bottom, in a box. */
void ui_log(const struct ui *ui, int y, int x, int height, int width);
/* Points by category in a box; returns the lines used. */
int ui_scores(const struct ui *ui, int y, int x, int height, int width);

/* The same as a page. */
void ui_show_scores(struct ui *ui);

/* Shows TEXT over everything until a key is pressed; scrolls. */
void ui_page(struct ui *ui, const char *title, const char *text);
/* Asks for a line of text; false if it was given up. */
bool ui_ask(struct ui *ui, const char *question, char *buf, size_t cap);
/* Asks whether; `y` is yes. */
bool ui_sure(struct ui *ui, const char *question);
/* The next key, KEY_NEWS, or ERR when there will never be one. */
int ui_key(struct ui *ui);

/* ---- for controllers ---------------------------------------------------- */

/* Takes the terminal; UI's controller, world, colour and unicode are set.
 * False after a complaint if there is no full screen. */
bool ui_open(struct ui *ui);
/* Which table is shown from now on, and how. */
void ui_table(struct ui *ui, struct table *table,
              const struct game_ui *game_ui);
/* A line like the first and the last. */
void ui_draw_bar(const struct ui *ui, int y, const char *text);
/* There is another position. */
void ui_fresh(struct ui *ui);
/* Until ui->done. */
void ui_run(struct ui *ui);
/* Gives the terminal back. */
void ui_close(struct ui *ui);

#endif
