#include "transaction.h"

#include <stdlib.h>
#include <string.h>

#include "core/base.h"

/* ---- regions ---------------------------------------------------------- */

/* A block is twice as large as the one before it, within these bounds, and
 * larger for larger wishes.  A move's transaction fits into the first. */
#define BLOCK_BYTES_MIN 1472
#define BLOCK_BYTES_MAX 32768

struct region_block {
    struct region_block *before;
    size_t used, size;
    max_align_t bytes[];
};

static void add_block(struct region *r, size_t wanted)
{
    size_t room = r->last != NULL ? 2 * r->last->size : BLOCK_BYTES_MIN;

    if (room > BLOCK_BYTES_MAX)
        room = BLOCK_BYTES_MAX;
    if (room < wanted)
        room = wanted;
    struct region_block *b = malloc(sizeof(*b) + room);
    ASSERT(b != NULL); /* STYLE 7: out of memory ends the process */
    *b = (struct region_block){.before = r->last, .size = room};
    r->last = b;
}

void *region_take(struct region *r, size_t size)
{
    size = (size + sizeof(max_align_t) - 1) & ~(sizeof(max_align_t) - 1);
    if (r->last == NULL || r->last->size - r->last->used < size)
        add_block(r, size);
    void *taken = (char *)r->last->bytes + r->last->used;
    r->last->used += size;
    return memset(taken, 0, size);
}

char *region_text(struct region *r, const char *text, size_t len)
{
    char *copy = region_take(r, len + 1);
    memcpy(copy, text, len);
    return copy;
}

char *region_copy(struct region *r, const char *text)
{
    return text != NULL ? region_text(r, text, strlen(text)) : NULL;
}

size_t bytes_held(size_t size)
{
    if (size == 0)
        return 0;
    return size <= 24 ? 32 : (size + sizeof(size_t) + 15) & ~(size_t)15;
}

size_t region_bytes(const struct region *r)
{
    size_t bytes = 0;

    for (const struct region_block *b = r->last; b != NULL; b = b->before)
        bytes += bytes_held(sizeof(*b) + b->size);
    return bytes;
}

void region_join(struct region *to, struct region *from)
{
    struct region_block *first = from->last;

    if (to->last == NULL) {
        *to = *from;
    } else if (first != NULL) {
        while (first->before != NULL)
            first = first->before;
        first->before = to->last->before;
        to->last->before = from->last;
    }
    from->last = NULL;
}

void region_done(struct region *r)
{
    while (r->last != NULL) {
        struct region_block *b = r->last;
        r->last = b->before;
        free(b);
    }
}

/* ---- transactions and answers ------------------------------------------- */

void transaction_init(struct transaction *u)
{
    *u = (struct transaction){0};
    u->end = &u->first;
}

void transaction_done(struct transaction *u)
{
    region_done(&u->region);
    transaction_init(u);
}

struct op *transaction_add(struct transaction *u, enum op_kind kind)
{
    struct op *op = region_take(&u->region, sizeof(*op));
    op->kind = kind;
    *u->end = op;
    u->end = &op->next;
    return op;
}

struct question question_copy(struct region *r, const struct question *q)
{
    struct question copy = *q;
    size_t n = 0;

    switch (q->kind) {
    case ASK_STATISTICS:
    case ASK_SECRET:
    case ASK_PROXIED:
    case ASK_ACCOUNT_NAME: copy.u.name = region_copy(r, q->u.name); break;
    case ASK_EMAIL: copy.u.email = region_copy(r, q->u.email); break;
    case ASK_ACCOUNTS_NAME:
        while (q->u.names[n] != NULL)
            n++;
        const char **names = region_take(r, (n + 1) * sizeof(*names));
        for (size_t i = 0; i < n; i++)
            names[i] = region_copy(r, q->u.names[i]);
        copy.u.names = names;
        break;
    case ASK_TABLES:
        copy.u.tables.game = region_copy(r, q->u.tables.game);
        break;
    case ASK_RATINGS:
        copy.u.ratings.game = region_copy(r, q->u.ratings.game);
        break;
    case ASK_RATINGS_ALL:
        copy.u.ratings_all.game = region_copy(r, q->u.ratings_all.game);
        break;
    case ASK_RESULTS:
        copy.u.results.game = region_copy(r, q->u.results.game);
        break;
    case ASK_KEY:
        copy.u.key.method = region_copy(r, q->u.key.method);
        copy.u.key.key = region_copy(r, q->u.key.key);
        break;
    case ASK_ACCOUNTS:
        copy.u.accounts.after = region_copy(r, q->u.accounts.after);
        break;
    case ASK_BLOCKED:
        n = q->u.blocked.count;
        id_num *others = region_take(r, (n + 1) * sizeof(*others));
        for (size_t i = 0; i < n; i++)
            others[i] = q->u.blocked.others[i];
        copy.u.blocked.others = others;
        break;
    case ASK_OUTBOX:
        n = q->u.outbox.table_count;
        id_num *ids = region_take(r, (n + q->u.outbox.other_count + 1) *
                                         sizeof(*ids));
        copy.u.outbox.tables = ids;
        copy.u.outbox.others = ids + n;
        for (size_t i = 0; i < n; i++)
            ids[i] = q->u.outbox.tables[i];
        for (size_t i = 0; i < q->u.outbox.other_count; i++)
            ids[n + i] = q->u.outbox.others[i];
        break;
    default: break; /* they point to nothing */
    }
    return copy;
}

void answer_init(struct answer *a)
{
    *a = (struct answer){0};
}

void answer_done(struct answer *a)
{
    region_done(&a->region);
    answer_init(a);
}
