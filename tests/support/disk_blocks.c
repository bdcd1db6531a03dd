/* disk_blocks.c -- the store of arrays: whom people block; see disk.h. */

#include <stdlib.h>

#include "disk_lists.h"
#include "server/hub/limits.h"

bool disk_blocks(const struct disk *d, id_num account, id_num other)
{
    for (size_t i = 0; i < d->block_count; i++)
        if (d->blocks[i].account == account && d->blocks[i].other == other)
            return true;
    return false;
}

static bool between(const struct disk *d, id_num a, id_num b)
{
    return disk_blocks(d, a, b) || disk_blocks(d, b, a);
}

bool disk_shut(const struct disk *d, const struct disk_table *t,
               id_num account)
{
    if (account == 0 || t->row.summary.state > TABLE_PLAYING)
        return false;
    for (int seat = 0; seat < RULES_SEATS_MAX; seat++)
        if (between(d, account, t->row.summary.seat[seat]))
            return true;
    return between(d, account, t->row.owner);
}

static bool may_block(const struct disk *d, const struct block_row *b)
{
    const struct account_row *a = disk_account(d, b->account);
    size_t others = 0;

    for (size_t i = 0; i < d->block_count; i++)
        others += d->blocks[i].account == b->account &&
                  d->blocks[i].other != b->other;
    return a != NULL && a->kind != ACCOUNT_DELETED && others < LIMIT_BLOCKS;
}

bool disk_block_holds(const struct disk *d, const struct op *op)
{
    switch (op->kind) {
    case OP_BLOCK: return may_block(d, &op->u.block);
    case OP_REQUIRE_APART: return !between(d, op->account, op->u.other);
    default: return true;
    }
}

bool disk_block_op(struct disk *d, const struct op *op)
{
    const struct block_row *b = &op->u.block;

    if (op->kind == OP_REQUIRE_APART)
        return true;
    if (op->kind != OP_BLOCK && op->kind != OP_BLOCK_DROP)
        return false;
    DROP(struct block_row, d->blocks, d->block_count, old,
         old->account == b->account && old->other == b->other);
    if (op->kind == OP_BLOCK)
        *NEXT(d->blocks, d->block_count) =
            (struct block_row){b->account, b->other, NULL, b->at};
    return true;
}

void disk_block_forget(struct disk *d, id_num id)
{
    DROP(struct block_row, d->blocks, d->block_count, b,
         b->account == id || b->other == id);
}

static int by_other(const void *a, const void *b)
{
    id_num x = ((const struct block_row *)a)->other;
    id_num y = ((const struct block_row *)b)->other;

    return x < y ? -1 : x > y;
}

bool disk_block_answer(const struct disk *d, const struct question *q,
                       struct answer *a)
{
    if (q->kind != ASK_BLOCKS && q->kind != ASK_BLOCKED)
        return false;
    a->blocks = ROOM(a, d->block_count, struct block_row);
    for (size_t i = 0; i < d->block_count; i++) {
        const struct block_row *b = &d->blocks[i];
        bool wanted = q->kind == ASK_BLOCKS && b->account == q->u.account;
        for (size_t k = 0; q->kind == ASK_BLOCKED && k < q->u.blocked.count;
             k++) {
            id_num me = q->u.blocked.account, one = q->u.blocked.others[k];
            wanted = wanted || (b->account == me && b->other == one) ||
                     (b->account == one && b->other == me);
        }
        if (!wanted)
            continue;
        a->blocks[a->block_count] = *b;
        if (q->kind == ASK_BLOCKS)
            a->blocks[a->block_count].name = disk_account(d, b->other)->name;
        a->block_count++;
    }
    if (q->kind == ASK_BLOCKS)
        qsort(a->blocks, a->block_count, sizeof(*a->blocks), by_other);
    return true;
}
