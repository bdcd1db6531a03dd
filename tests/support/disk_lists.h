/* disk_lists.h -- what the files of the store of arrays share: lists that grow,
 * and what each of them does for the others. */

#ifndef TESTS_SUPPORT_DISK_LISTS_H
#define TESTS_SUPPORT_DISK_LISTS_H

#include <string.h>

#include "disk.h"

/* LIST, of COUNT things of SIZE bytes, with room for one more. */
void *grown(void *list, size_t count, size_t size);
/* A copy with room as grown() counts on it. */
void *list_copy(const void *list, size_t count, size_t size);

/* A new one behind the COUNT that LIST has; zeroed. */
#define NEXT(list, count) \
    ((list) = grown((list), (count), sizeof(*(list))), \
     memset(&(list)[(count)], 0, sizeof(*(list))), &(list)[(count)++])

/* Drops of LIST, which has COUNT things ONE, those that GONE holds for. */
#define DROP(type, list, count, one, gone) \
    do { \
        size_t to_ = 0; \
        for (size_t i_ = 0; i_ < (count); i_++) { \
            const type *one = &(list)[i_]; \
            if (!(gone)) \
                (list)[to_++] = *one; \
        } \
        (count) = to_; \
    } while (0)

/* Room for what there may be in an answer, all of it. */
#define ROOM(a, count, type) \
    region_take(&(a)->region, ((count) + 1) * sizeof(type))
/* No more than LIMIT; the answer says if there were. */
void cut(size_t *count, size_t limit, struct answer *a);

/* ---- disk_accounts.c ----------------------------------------------------- */

/* Whether OP holds, which is about links, addresses, second factors or devices;
 * true of any other. */
bool disk_account_holds(const struct disk *d, const struct op *op);
/* Does such a one. */
void disk_account_op(struct disk *d, const struct op *op);
/* What is ACCOUNT's own of all that goes. */
void disk_account_forget(struct disk *d, id_num account);
void disk_account_free(struct disk *d);
/* D, whose lists are another's, has its own. */
void disk_account_copy(struct disk *d);
/* Accounts for which ADDRESS was confirmed, in its spelling if EXACT. */
void disk_of_email(const struct disk *d, const char *address, bool exact,
                   struct answer *a);
/* Answers ASK_EMAIL, ASK_SECRET, ASK_STOPPED, ASK_FACTORS. */
void disk_account_answer(const struct disk *d, const struct question *q,
                         struct answer *a);

/* ---- disk_blocks.c ------------------------------------------------------- */

/* Whether OP holds, which is about blocks; true of any other. */
bool disk_block_holds(const struct disk *d, const struct op *op);
/* Whether OP is about blocks, and done then. */
bool disk_block_op(struct disk *d, const struct op *op);
void disk_block_forget(struct disk *d, id_num id);
/* Whether ACCOUNT blocks OTHER. */
bool disk_blocks(const struct disk *d, id_num account, id_num other);
/* Whether a block is between ACCOUNT and somebody at T, or who made it. */
bool disk_shut(const struct disk *d, const struct disk_table *t,
               id_num account);
/* Whether Q is about blocks, and answered then. */
bool disk_block_answer(const struct disk *d, const struct question *q,
                       struct answer *a);

/* ---- disk.c ---------------------------------------------------------------- */

/* The account, to be changed; or NULL. */
struct account_row *disk_account_row(struct disk *d, id_num id);

/* ---- disk_outbox.c ------------------------------------------------------- */

/* Whether OP is one of the outbox's, which is done then. */
bool disk_outbox_op(struct disk *d, const struct op *op);
void disk_outbox_forget(struct disk *d, id_num id);
void disk_outbox_free(struct disk *d);
/* D, whose lists are another's, has its own. */
void disk_outbox_copy(struct disk *d);
/* Whether Q is one of the outbox's, which is answered then. */
bool disk_outbox_answer(const struct disk *d, const struct question *q,
                        struct answer *a);

/* ---- disk_time.c --------------------------------------------------------- */

/* Whether OP holds, which is about time; true of any other. */
bool disk_time_holds(const struct disk *d, const struct op *op);
/* The same of what is about time. */
bool disk_time_op(struct disk *d, const struct op *op);
/* Tables where ACCOUNT sits have to be told of their hours or absences. */
void disk_time_untold(struct disk *d, id_num account);
/* Of whom TABLE has to be told, and what people have ordered there. */
/* Absences of ACCOUNT; and until when it was away last, or is, or 0. */
void disk_time_absences(const struct disk *d, id_num account, size_t limit,
                        struct answer *a);
int64_t disk_time_away(const struct disk *d, id_num account);
/* When to remind somebody at T next, or 0. */
int64_t disk_time_remind(const struct disk *d, const struct table_row *t);
void disk_time_table(const struct disk *d, id_num table, struct answer *a);
void disk_time_forget(struct disk *d, id_num account);
void disk_time_free(struct disk *d);
void disk_time_copy(struct disk *d);
bool disk_time_answer(const struct disk *d, const struct question *q,
                      struct answer *a);

/* ---- disk_results.c -------------------------------------------------------- */

void disk_put_results(struct disk *d, struct disk_table *t,
                      const struct op *op);
/* Whether OP, by which all are rated anew, holds; and does it. */
bool disk_ratings_hold(const struct disk *d, const struct op *op);
void disk_put_ratings(struct disk *d, const struct op *op);
void disk_results_forget(struct disk *d, id_num account);
void disk_results_free(struct disk *d);
void disk_results_copy(struct disk *d);
/* ACCOUNT's ratings by game, into ROWS, which has room for all there are. */
void disk_ratings_of(const struct disk *d, id_num account,
                     struct rating_row *rows, size_t *ret_count);
bool disk_results_answer(const struct disk *d, const struct question *q,
                         struct answer *a);

/* ---- disk.c, disk_answer.c ------------------------------------------------ */

bool disk_sat(const struct disk_table *t, id_num account); /* now or once */
bool disk_invited(const struct disk_table *t, id_num account);
/* Where what was played at T, which may be NULL, is played again; or 0. */
id_num disk_rematch(const struct disk *d, const struct disk_table *t);
/* The tables that Q, an ASK_OUTBOX, names. */
void disk_these(const struct disk *d, const struct question *q,
                struct answer *a);

#endif
