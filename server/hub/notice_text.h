/* notice_text.h -- what a delivery says, in the person's language.
 *
 * Pure: made of the struct and the catalogue (notice_words.def), so that page,
 * simulation and every channel show the same.  A delivery has no position, no
 * chat and no words of an invitation, so nothing of that can stand here. */

#ifndef SERVER_HUB_NOTICE_TEXT_H
#define SERVER_HUB_NOTICE_TEXT_H

#include "delivery.h"
#include "transaction.h"

/* All of it UTF-8, in the region, and of what people wrote no control
 * characters. */
struct notice_text {
    const char *language; /* "en" */
    const char *subject;  /* one line, of a mail */
    /* The same in short, where there is little room: what it is about, and what
     * happened, in lines. */
    const char *title, *body;
    const char *url;  /* where it leads, or NULL */
    const char *text; /* the whole mail, plain: lines end with \n */
    const char *html; /* the same */
};

struct notice_text notice_text(struct region *r, const struct delivery *d);

/* What happened at a table, as one line: "It is your turn. Until ...". */
const char *notice_item_text(struct region *r, const struct delivery *d,
                             const struct delivery_item *item);
/* The game and who plays it: "GAME with Anna and Ben". */
const char *notice_table_text(struct region *r, const struct delivery *d,
                              const struct delivery_item *item);
/* Where ITEM's table is, or NULL. */
const char *notice_item_url(struct region *r, const struct delivery *d,
                            const struct delivery_item *item);
/* What a POST to ends mails of this kind, or NULL; people are led to a page with
 * a button for that. */
const char *notice_unsubscribe_url(struct region *r, const struct delivery *d);

#endif
