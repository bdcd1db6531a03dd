/* orders.h -- what somebody has a table play for them as soon as they are asked
 * (`table.order`), as people type and read it. */

#ifndef TERM_ORDERS_H
#define TERM_ORDERS_H

#include <jansson.h>

#include "table.h"

#define ORDER_TEXT_MAX 300

/* What table.order takes for WORDS at T, whose last ply is PLY: "pass" (until the
 * round is over), "once" and a move as move_read() takes it, where "once" may be
 * missing but before a move that is called pass, or "drop", which is null.  The
 * caller's; or NULL, and WHY tells what is wrong. */
json_t *order_read(const struct table *t, json_int_t ply, const char *words,
                   char *why, size_t why_cap);
/* The move VALUE of the wire, as it is typed. */
void order_move(const struct table *t, const json_t *value, char *buf,
                size_t cap);
/* What ORDER is, in a sentence; NULL: that there is none. */
void order_text(const struct table *t, const json_t *order, char *buf,
                size_t cap);

#endif
