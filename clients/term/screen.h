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

#include "keys.h"
#include "play.h"

#define KEY_ESCAPE 27
#define KEY_RETURN '\n'
#define KEY_NEWS   (KEY_MAX + 1) /* no key: something has happened */
/* So often somebody who waits for a key looks whether the window has another
 * size. */
#define UI_LOOK_MS 1000

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
    /* Gets each key first; whether it has acted on it.  May be NULL. */
    bool (*key)(struct ui *ui, int key);
    /* Its own keys; if they are ALONE, there are no others. */
    const struct ui_key *keys;
    bool alone;
    /* Waits until a key has been pressed; false if there is news instead.
     * NULL: there never is. */
    bool (*wait)(struct ui *ui);
    void (*quit)(struct ui *ui);
    /* Takes lines and columns from the screen, before it is drawn; draws there
     * and on top of it, afterwards.  May be NULL. */
    void (*room)(struct ui *ui);
    void (*frame)(struct ui *ui);
    /* How the last line begins, where it is not about the game; NULL, as if
     * there were no such function: the screen says it. */
    const char *(*line)(const struct ui *ui);
    void (*help)(struct ui *ui, FILE *to); /* the end of the help; may be
                                            * NULL */
};

struct ui {
    const struct controller *controller;
    void *world; /* the controller's own */
    struct table *table;
    const struct game_ui *game_ui;
    const struct screen *screen;
    SCREEN *terminal;
    int lines, columns; /* that the game's screen may use, but for the last */
    int missing;        /* lines that the screen found too few, drawing */
    bool colour, unicode;
    bool mouse; /* it is listened to */
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

struct cells;
struct choices;

struct screen {
    void (*start)(struct ui *ui); /* once; colours are there */
    void (*fresh)(struct ui *ui); /* there is another position */
    void (*draw)(struct ui *ui);  /* all but the last line */
    /* Names the key to be pressed next by who wants to play MOVE, or some, as people
     * call them; false if it does not know.  NULL: it never does. */
    bool (*toward)(const struct ui *ui, const struct rules_move *move,
                   char *buf, size_t cap);
    /* Goes to the place AT, see ui_place(); whether it was there already.  NULL
     * where there are none. */
    bool (*go)(struct ui *ui, int at);
    struct cells *cells; /* its board, which has keys: see cells.h; or NULL */
    struct choices *choices;   /* what is taken in hand there, which has keys:
                              * see choices.h; or NULL */
    const struct ui_key *keys; /* its own */
    /* How the last line begins: what is to be done in this situation; behind it
     * stands what of the keys is possible.  NULL: only these. */
    void (*now)(const struct ui *ui, char *buf, size_t cap);
    int lines_min, columns_min; /* it takes a window of that size */
    /* All that is open to be seen, as a page with that title, or NULL. */
    const char *all;
    void (*write_all)(struct ui *ui, FILE *to);
    const char *help; /* what the help tells below its keys, or NULL */
};

/* That of games without one of their own. */
extern const struct screen list_screen;

/* ---- for screens -------------------------------------------------------- */

attr_t ui_attr(const struct ui *ui, int style);
/* Begins a page or a screen: there is nothing on it, nor to be clicked. */
void ui_clear(void);
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

/* Whether the seat at the keyboard is a player's, and the game goes on. */
bool ui_plays(const struct ui *ui);
/* Plays MOVE for the seat at the keyboard, and what follows; or says why not.
 * Whether it was played, and is known by now. */
bool ui_play(struct ui *ui, const struct rules_move *move);

/* What MOVE would bring the seat at the keyboard: ": +5 pesos, +2 points
 * (final)"; "" for nothing that is known. */
void ui_say_preview(const struct ui *ui, const struct rules_move *move,
                    char *buf, size_t cap);

/* The last events that SEAT may know, newest at the bottom, in a box. */
void ui_log(const struct ui *ui, int y, int x, int height, int width);
/* The same under a heading, where there is room for more than that. */
void ui_log_box(const struct ui *ui, int y, int x, int height, int width);
/* A number of each player in columns. */
struct ui_column {
    const char *head;
    int width;
    void (*say)(const struct ui *ui, int seat, char *buf, size_t cap);
};
/* The players, whoever is waited for marked, with COUNT columns, in a box; under
 * a heading if there is room for it.  BEHIND says what stands behind a name, or
 * is NULL.  Returns the lines used. */
int ui_players(const struct ui *ui, int y, int x, int height, int width,
               const struct ui_column *columns, int count,
               const char *(*behind)(const struct ui *ui, int seat));
/* Points by category in a box, or only in all if it is narrow; returns the lines
 * used. */
int ui_scores(const struct ui *ui, int y, int x, int height, int width);

/* The same as pages. */
void ui_show_log(struct ui *ui);
void ui_show_scores(struct ui *ui);
/* Writes the keys of SCREEN, and what its help tells besides. */
void screen_help(FILE *to, const struct screen *screen, int width);

/* Shows TEXT over everything until a key is pressed; scrolls. */
void ui_page(struct ui *ui, const char *title, const char *text);
/* The columns that a line of it may take. */
int ui_page_width(void);
/* The same of what WRITE writes. */
void ui_page_of(struct ui *ui, const char *title,
                void (*write)(struct ui *ui, FILE *to));
/* TEXT in at most HEIGHT lines of WIDTH columns; how many it took. */
int ui_wrap(int y, int x, int height, int width, attr_t attr,
            const char *text);

#define UI_WISHES 4
/* A part of the screen, from one of its sides to the other. */
struct ui_pane {
    /* Lines: with less than the first it is not there at all.  The others are
     * given as far as there is room, but the last, if it is of use as a WHOLE
     * only. */
    int wants[UI_WISHES];
    bool must; /* without its first wish the window is too small */
    bool whole;
    int y, lines; /* what it is given */
};
/* Divides LINES lines from Y on among PANES, which stand one below the other:
 * first what must be there, then the first that each wants, in their order, then
 * the second.  Returns how many lines are missing. */
int ui_split(struct ui_pane *panes, size_t count, int y, int lines);

/* The first of ALL things of which SEEN are seen in turn, where it was FIRST: so
 * that AT is among them, and MARGIN on both sides of it. */
int ui_scrolled(int first, int at, int margin, int seen, int all);

/* Asks for a line of text; false if it was given up. */
bool ui_ask(struct ui *ui, const char *question, char *buf, size_t cap);

#define ASK_LINES 20
#define ASK_BYTES 200
/* Lines that were typed before, the newest last. */
struct ask_history {
    char line[ASK_LINES][ASK_BYTES];
    size_t count;
};
struct ask_help {
    /* What the last word of TEXT could be, as move_complete(). */
    size_t (*complete)(const struct ui *ui, const char *text,
                       char (*out)[TYPED_WORD_SIZE], size_t cap);
    struct ask_history *history;
};
/* The same; Tab completes the last word, up and down go through HISTORY. */
bool ui_ask_with(struct ui *ui, const char *question, char *buf, size_t cap,
                 const struct ask_help *help);
/* Asks whether; `y` is yes, in any language. */
bool ui_sure(struct ui *ui, const char *question);
/* The next key, KEY_NEWS, or ERR when there will never be one. */
int ui_key(struct ui *ui);

/* ---- the mouse ---------------------------------------------------------- */

/* While something is drawn: what a click means there.  Like the key KEY. */
void ui_button(int y, int x, int height, int width, int key);
/* Goes to the place AT, and on one that is there already acts like Enter. */
void ui_place(int y, int x, int height, int width, int at);

/* For screen.c: listens, or does no longer; nothing is drawn any more; the key
 * for what the mouse has done, KEY_NEWS for nothing. */
void mouse_open(void);
void mouse_close(void);
void mouse_forget(void);
int mouse_key(struct ui *ui);

/* For screen.c: what was given to ui_notice() and is not read, drawn; read. */
void notice_draw(const struct ui *ui);
void notice_read(struct ui *ui);

/* Has colour pairs ready, COUNT from FIRST on: ink and ground. */
void ui_pairs(const struct ui *ui, int first, int count,
              const short (*colours)[2]);
/* The same of those of all screens. */
void ui_colours(struct ui *ui);

/* ---- for controllers ---------------------------------------------------- */

/* Takes the terminal; UI's controller, world, colour and unicode are set.
 * False after a complaint if there is no full screen. */
bool ui_open(struct ui *ui);
/* Which table is shown from now on, and how. */
void ui_table(struct ui *ui, struct table *table,
              const struct game_ui *game_ui);
/* A line like the first and the last, of which parts that stand three spaces
 * apart are left out where there is no room; the first stays, and the last. */
void ui_draw_bar(const struct ui *ui, int y, const char *text);
/* There is another position. */
void ui_fresh(struct ui *ui);
/* Until ui->done. */
void ui_run(struct ui *ui);
/* Gives the terminal back. */
void ui_close(struct ui *ui);

#endif
