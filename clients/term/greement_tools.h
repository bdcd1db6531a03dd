/* greement_tools.h -- what can be done at a table of Greement, on the full
 * screen: verbs, the grid on which they are used, and how it is drawn. */

#ifndef TERM_GREEMENT_TOOLS_H
#define TERM_GREEMENT_TOOLS_H

#include "choices.h"
#include "greement_ui.h"

/* Each verb is a tool, or some, which are used at once where the cursor is. */
extern struct choices greement_choices;
extern struct cells greement_cells;

static inline const struct greement *greement_table(const struct ui *ui)
{
    return greement_of(&ui->view.state);
}

/* What is to be done: bits, as somebody whose turn it is not may answer an
 * offer, and they on turn, too. */
enum greement_moment {
    PICKING = 1,
    TURN = 2,
    ANSWER = 4,
    RAISING = 8,
    LOWERING = 16,
    STEALING = 32,
    COLLECTING = 64,
    VOTING = 128,
    PAYING = 256,
    DISEASE = 512,
    LOANS = 1024,  /* their turn, with loans */
    OFFERED = 2048 /* their turn, and they have made an offer */
};
unsigned greement_moments(const struct ui *ui);

/* Has the colours of the grid ready. */
void greement_colours(struct ui *ui);
/* Numbers too long for a column get a letter. */
void greement_brief(int64_t n, char *buf, size_t cap);
/* Whose prices are shown. */
int greement_buyer(const struct ui *ui);
/* All but the last line. */
void greement_draw(struct ui *ui);

#endif
