/* orders.h -- standing orders: what somebody who sits at a table has it do as soon
 * as they come to be asked.
 *
 *     table.order  -> kept with the table, and stored (OP_ORDER); no entry
 *     a change     -> each entry is looked at by orders_hear(): an order that is
 *                     not meant any more goes, in the same transaction
 *                  -> who is asked then and has an order moves by orders_next(),
 *                     as any move of theirs, in the same transaction
 *
 * So nobody is ever seen to be asked who has an order, no clock of theirs runs,
 * and none is played twice or lost.  Nobody but its owner is told of an order
 * before it is played: it is in no entry, view, list, notice or record.
 *
 * A pass stands for the round in which it was given (rules_round()), and waits
 * where the game asks what nobody can pass.  A prepared answer is played once; it
 * goes with any event but those that the game calls harmless (rules_harmless()),
 * and if it is not legal when they are asked.  As long as nobody's clock runs
 * because of a pause nothing is played. */

#ifndef SERVER_HUB_ORDERS_H
#define SERVER_HUB_ORDERS_H

#include "change.h"
#include "table.h"

enum order_kind { ORDER_NONE, ORDER_PASS, ORDER_ANSWER };

struct order {
    uint8_t kind;           /* enum order_kind */
    id_num account;         /* whose it is, or was last */
    uint32_t after;         /* the last ply when it was given */
    uint32_t round;         /* of a pass */
    struct rules_move move; /* of an answer */
};

/* Those of a table. */
struct orders {
    struct order seat[RULES_SEATS_MAX];
    id_num unreadable[RULES_SEATS_MAX]; /* whose are to go; the first 0 ends */
};

/* T was loaded: takes those that ANSWER tells of; what cannot be read is logged
 * and goes, and what is to be played is. */
void orders_loaded(struct hub *hub, struct table *t,
                   const struct answer *answer);
/* What those of T take; NULL is fine. */
size_t orders_bytes(const struct orders *o);

/* E, which made EVENTS if it is a move, was added to C: drops what is not meant
 * any more. */
void orders_hear(struct change *c, const struct entry *e,
                 const struct rules_events *events);
/* The move by which somebody's order is carried out at C's table, which comes
 * next; or false.  Each seat has LIMIT_ORDER_MOVES of them in a change. */
bool orders_next(struct change *c, struct entry *e);
/* Puts what C has made of them into its transaction, and has owners told. */
void orders_put(struct change *c);

/* When a pause ends that holds an order of T's now, or 0.  After that nothing is
 * waited for: what cannot be carried out then waits for a change. */
int64_t orders_held(const struct hub *hub, const struct table *t);
/* Carries out, on behalf of Q, a job, what is to be at T; false: nothing. */
bool orders_take_up(struct hub *hub, struct table *t, struct request *q);

/* Writes what ACCOUNT has ordered at T, as member "order", if anything. */
void orders_write(struct json_out *o, const struct table *t, id_num account);

#endif
