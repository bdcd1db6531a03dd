/* hadara_offers.h -- what the files of Hadara's full screen share: the ways that
 * there are to choose from, where one looks, and where things are drawn. */

#ifndef TERM_HADARA_OFFERS_H
#define TERM_HADARA_OFFERS_H

#include "choices.h"
#include "hadara_ui.h"

#define HADARA_RING_LINES \
    3 /* heads, players if they draw, piles; then cards */
#define HADARA_BOARD_LINES  5
#define HADARA_COLUMN_CARDS (HADARA_SEATS_MAX + HADARA_OWNED_MAX)

extern struct hadara_here {
    struct hadara_choice choice[HADARA_CHOICES_MAX];
    size_t choices;
    size_t row[HADARA_CHOICES_MAX]; /* the first choice of each row */
    size_t rows, at, top;
    int shown;      /* whose board, or -1: one's own */
    bool looking;   /* among the cards */
    int column, in; /* where: a segment, and a card of it */
} hadara_here;

/* Where things are, for a window of this size. */
enum hadara_pane {
    PANE_PLAYERS,
    PANE_WAYS,
    PANE_TOLD,
    PANE_RING,
    PANE_BOARD,
    PANE_LOG,
    PANES
};
struct hadara_plan {
    int width;         /* without the panel */
    int number, label; /* of the columns of numbers; before them */
    int panel;         /* columns, 0: none */
    int head;          /* lines of the ring above its cards */
    int cards;         /* of those */
    struct ui_pane pane[PANES];
};

static inline const struct hadara *hadara_table(const struct ui *ui)
{
    return hadara_of(&ui->view.state);
}

/* ---- ways: rows of choices that differ in a detail only ------------------- */

/* A row is a tool, its choices are the variants. */
extern struct choices hadara_offers;
/* Finds them in another position. */
void hadara_make_ways(const struct ui *ui);
/* The choice of ROW that is up, which is one of *RET_COUNT; NULL: there is no
 * such row. */
const struct hadara_choice *hadara_choice_of(const struct ui *ui, size_t row,
                                             size_t *ret_count);
const struct hadara_choice *hadara_choice_at(const struct ui *ui, size_t row);

/* ---- cards of a segment ---------------------------------------------------- */

/* From the top of its pile down, then those on the board that is shown. */
int hadara_column_cards(const struct ui *ui, int column,
                        uint8_t cards[HADARA_COLUMN_CARDS]);
/* The card under the cursor, or HADARA_NOTHING. */
int hadara_card_at(const struct ui *ui);
/* Whose board is shown. */
int hadara_shown(const struct ui *ui);

/* ---- drawing --------------------------------------------------------------- */

/* Has the colours of cards ready; a ground of COLOR; in it. */
void hadara_colours(struct ui *ui);
attr_t hadara_plate(const struct ui *ui, int color);
attr_t hadara_ink(const struct ui *ui, int color);
/* The figures over their columns: where there is little room, and more. */
extern const char *const hadara_heads[2][PREVIEWS];
/* Whether players stand at the ring. */
bool hadara_players_draw(const struct ui *ui);
/* The lines that the fullest column would like, a card in each; the same where
 * only the names on the board are shown. */
int hadara_column_lines(const struct ui *ui);
int hadara_name_lines(const struct ui *ui, const struct hadara_plan *plan);
void hadara_draw_ring(const struct ui *ui, const struct hadara_plan *plan,
                      int y);
void hadara_draw_board(const struct ui *ui, const struct hadara_plan *plan,
                       int y, int seat);
/* The boards of the others, as many as there is room for. */
void hadara_draw_others(const struct ui *ui, const struct hadara_plan *plan,
                        int y);
/* All but the last line. */
void hadara_draw(struct ui *ui);

#endif
