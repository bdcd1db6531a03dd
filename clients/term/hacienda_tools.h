/* hacienda_tools.h -- what can be done at a table of Hacienda, on the full
 * screen: the tools, the board on which they are used, and how it is drawn. */

#ifndef TERM_HACIENDA_TOOLS_H
#define TERM_HACIENDA_TOOLS_H

#include "choices.h"
#include "hacienda_ui.h"

extern struct choices hacienda_choices;
extern struct cells hacienda_cells;

static inline const struct hacienda *hacienda_of(const struct ui *ui)
{
    return (const struct hacienda *)&ui->view.state;
}

const char *hacienda_card_name(int card);

/* Has the colours of the board ready. */
void hacienda_colours(struct ui *ui);
/* All but the last line. */
void hacienda_draw(struct ui *ui);

#endif
