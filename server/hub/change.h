/* change.h -- a change: all that one request makes true together, as a value.
 *
 *     decide       a handler looks at what is stored, and refuses or begins
 *     entries      change_add(): each is chained, put into the log and applied
 *                  by entry_apply(), as when it is loaded; what follows by
 *                  itself, like draws, is added behind it
 *     other rows   change_op()
 *
 *     change_submit():
 *     derive       what comes of it, before anybody has it: what lists show,
 *                  whose turn it is, who is to be told; the place for all that
 *                  has to be stored with a move because of it
 *     transaction  all of that under the change's id, which was reserved
 *     updates      to all who watch, waiting with the host for that id
 *     submit       the host has it, and the change is no more
 *
 * The table in memory has the entries at once, but is busy until the host says
 * what became of them: if they were not stored, what waited for the id is thrown
 * away and the table is loaded anew, so nobody ever saw them. */

#ifndef SERVER_HUB_CHANGE_H
#define SERVER_HUB_CHANGE_H

#include "audience.h"
#include "core/rules.h"
#include "entry.h"
#include "limits.h"
#include "request.h"
#include "table.h"
#include "transaction.h"

/* Whom a change concerns, as me.event tells them. */
struct concern {
    id_num account;
    const char *kind;
    bool anew; /* whoever asked for the change is told, too */
};
#define CONCERNS_MAX (LIMIT_INVITED + 8 * RULES_SEATS_MAX)

struct change {
    /* read-only */
    struct hub *hub;
    struct request *request;      /* whose it is, or NULL */
    struct table *table;          /* that it is about, or NULL */
    struct table *first;          /* that it was about before change_also() */
    transaction_id id;            /* of its transaction */
    struct summary before, after; /* of its entries; what lists show */
    /* private */
    struct transaction transaction;
    uint8_t behind[SHA256_SIZE]; /* the chain before its first entry */
    struct ply_row *rows;        /* of its entries */
    size_t row_count, row_cap;
    uint32_t moves;             /* of its entries: those that somebody made */
    struct rules_events events; /* of the last one */
    struct concern concerns[CONCERNS_MAX];
    size_t concern_count;
    struct audience audience;
    /* Before its first entry: who could move unasked, and whom a vote waited
     * for, and which. */
    uint16_t may, asked;
    uint32_t vote;
    /* By seat: whose order is another now or was carried out, and how often; who
     * was not asked when one was.  ORDERS_OVER: none stands any more. */
    uint16_t ordered, unasked;
    uint8_t order_moves[RULES_SEATS_MAX];
    bool orders_over;
    struct outbox_share outbox;
    struct json_out news; /* what other hubs are told of it, so far */
};

/* A change on behalf of Q and about T, which is not busy; either may be NULL.
 * Whoever begins it has decided: it is submitted in the same call. */
struct change *change_begin(struct hub *hub, struct request *q,
                            struct table *t);

/* E, an entry of which time, check and of a move the decision are still to be
 * filled in, and all that follows by itself: draws, and the default moves of
 * seats that have resigned.  A move is legal. */
void change_add(struct change *c, const struct entry *e);
/* The same in two steps, where several entries come before what follows: E, and
 * then all that follows by itself. */
void change_put(struct change *c, const struct entry *e);
void change_follow(struct change *c);
/* From now on C's table calls ACCOUNT NAME; or another name, as a transaction
 * with one may be under way. */
void change_call(struct change *c, id_num account, const char *name);
/* Whom it concerns that T, of which lists showed WAS, IS like that now; how
 * many. */
size_t concerns_between(const struct table *t, const struct summary *was,
                        const struct summary *is,
                        struct concern to[2 * RULES_SEATS_MAX]);
/* ACCOUNT, if anybody, is to be told that KIND happened at C's table. */
void change_concerns(struct change *c, id_num account, const char *kind);

/* Another op, zeroed but for its kind and C's table; and a copy of TEXT, NULL if
 * it is NULL, for one to point to. */
struct op *change_op(struct change *c, enum op_kind kind);
char *change_text(struct change *c, const char *text);

/* All that C makes of its table is there; what follows is about T, a new one,
 * which comes to be with it.  Once in a change. */
void change_also(struct change *c, struct table *t);

/* C goes its way, and its request is kept: THEN is called when it is stored.
 * If it is not the request is refused: with Q->conflict, if that is why. */
void change_submit(struct change *c, stored_cb then);

/* Frees what a change that is over leaves for the next one; NULL is fine. */
void change_free(struct change *c);

#endif
