/* log.c -- a table's log in memory, packed: an entry takes some 15 bytes.
 *
 *     byte 0      kind, and above it whether it was taken back
 *     byte 1      seat
 *     4 bytes     the chain's head behind it, folded
 *     varint      when, from the entry before on
 *     varint      what `other` says; of a player's move how far back it is
 *     a move      verb, which arguments are there, a varint for each
 *     an account  8 bytes
 *
 * The first of each eight entries tells its time whole, and an index says where
 * it begins: so to reach any of them takes no more than seven steps. */

#include <stdlib.h>

#include "inner.h"

#define BLOCK     8  /* entries to a place in the index */
#define ENTRY_MAX 64 /* bytes of the longest, and to spare */
#define NOBODY    15 /* ENTRY_NOBODY in a byte */
#define UNDONE    16

/* ---- numbers of any length --------------------------------------------- */

static uint8_t *put_number(uint8_t *to, uint64_t n)
{
    while (n >= 128) {
        *to++ = (uint8_t)(n | 128);
        n >>= 7;
    }
    *to++ = (uint8_t)n;
    return to;
}

static const uint8_t *take_number(const uint8_t *from, uint64_t *n)
{
    unsigned shift = 0;

    for (*n = 0; *from & 128; shift += 7)
        *n |= (uint64_t)(*from++ & 127) << shift;
    *n |= (uint64_t)*from << shift;
    return from + 1;
}

/* Small ones of either sign are short. */
static uint64_t fold_sign(int64_t n)
{
    return ((uint64_t)n << 1) ^ (n < 0 ? UINT64_MAX : 0);
}

static int64_t unfold_sign(uint64_t n)
{
    return (int64_t)(n >> 1) ^ -(int64_t)(n & 1);
}

/* ---- entries ----------------------------------------------------------- */

uint32_t chain_fold(const uint8_t chain[SHA256_SIZE])
{
    uint32_t words[SHA256_SIZE / 4], fold = 0;

    memcpy(words, chain, sizeof(words));
    for (size_t i = 0; i < COUNT_OF(words); i++)
        fold = fold << 5 ^ fold >> 27 ^ words[i];
    return fold;
}

static bool of_player(const struct entry *e)
{
    return e->kind == ENTRY_MOVE && e->seat != RULES_NATURE;
}

static uint8_t *put_move(uint8_t *to, const struct rules_move *move)
{
    uint8_t *mask = to + 1;

    ASSERT(move->verb < 256);
    *to = (uint8_t)move->verb;
    *mask = 0;
    to += 2;
    for (int i = 0; i < RULES_ARGS_MAX; i++) {
        if (move->arg[i] == RULES_NONE)
            continue;
        *mask |= (uint8_t)(1u << i);
        to = put_number(to, fold_sign(move->arg[i]));
    }
    return to;
}

static const uint8_t *take_move(const uint8_t *from, struct rules_move *move)
{
    unsigned mask = from[1];
    uint64_t n;

    move->verb = from[0];
    from += 2;
    for (int i = 0; i < RULES_ARGS_MAX; i++) {
        move->arg[i] = RULES_NONE;
        if (!(mask & (1u << i)))
            continue;
        from = take_number(from, &n);
        move->arg[i] = (int16_t)unfold_sign(n);
    }
    return from;
}

void log_reader_at(struct log_reader *r, const struct log *log, uint32_t ply)
{
    struct entry skipped;

    ASSERT(ply <= log->count);
    *r = (struct log_reader){.log = log};
    if (ply == log->count) {
        r->ply = ply;
        return;
    }
    r->ply = ply / BLOCK * BLOCK;
    r->next = log->bytes + log->index[ply / BLOCK];
    while (r->ply < ply)
        log_read(r, &skipped);
}

bool log_read(struct log_reader *r, struct entry *e)
{
    const uint8_t *at = r->next;
    uint64_t n;

    if (r->ply >= r->log->count)
        return false;
    if (r->ply % BLOCK == 0)
        r->at = 0;
    e->kind = at[0] & 15;
    e->undone = (at[0] & UNDONE) != 0;
    e->seat = at[1] == NOBODY ? ENTRY_NOBODY : at[1];
    memcpy(&e->check, at + 2, sizeof(e->check));
    at = take_number(at + 6, &n);
    r->at += (uint64_t)unfold_sign(n);
    e->at = (int64_t)r->at;
    at = take_number(at, &n);
    e->number = (uint32_t)(of_player(e) ? r->ply - unfold_sign(n)
                                        : (int64_t)n);
    if (e->kind == ENTRY_MOVE) {
        at = take_move(at, &e->u.move);
    } else if (entry_forms[e->kind].account) {
        memcpy(&e->u.account, at, sizeof(e->u.account));
        at += sizeof(e->u.account);
    } else {
        e->u.nonce = "";
    }
    r->next = at;
    r->ply++;
    return true;
}

void log_at(const struct log *log, uint32_t ply, struct entry *e)
{
    struct log_reader r;

    log_reader_at(&r, log, ply);
    bool there = log_read(&r, e);
    ASSERT(there);
}

/* ---- growing ------------------------------------------------------------ */

static void make_room(struct log *log)
{
    if (log->used + ENTRY_MAX > log->cap) {
        log->cap += log->cap / 8 + 512;
        log->bytes = realloc(log->bytes, log->cap);
        ASSERT(log->bytes != NULL);
    }
    if (log->count / BLOCK >= log->index_cap) {
        log->index_cap += log->index_cap / 8 + 8;
        log->index = realloc(log->index, log->index_cap * sizeof(*log->index));
        ASSERT(log->index != NULL);
    }
}

void log_append(struct log *log, const struct entry *e)
{
    make_room(log);
    uint8_t *start = log->bytes + log->used, *to = start;
    if (log->count % BLOCK == 0) {
        log->index[log->count / BLOCK] = (uint32_t)log->used;
        log->last_at = 0;
    }
    ASSERT(e->kind < 16 && log->count < PLIES_MAX);
    *to++ = (uint8_t)(e->kind | (e->undone ? UNDONE : 0));
    *to++ = (uint8_t)(e->seat == ENTRY_NOBODY ? NOBODY : e->seat);
    memcpy(to, &e->check, sizeof(e->check));
    /* A log from elsewhere may tell of any time there is. */
    uint64_t since = (uint64_t)e->at - (uint64_t)log->last_at;
    to = put_number(to + sizeof(e->check), fold_sign((int64_t)since));
    log->last_at = e->at;
    to = put_number(to, of_player(e)
                            ? fold_sign((int64_t)log->count - e->number)
                            : e->number);
    if (e->kind == ENTRY_MOVE) {
        to = put_move(to, &e->u.move);
    } else if (entry_forms[e->kind].account) {
        memcpy(to, &e->u.account, sizeof(e->u.account));
        to += sizeof(e->u.account);
    }
    ASSERT(to - start <= ENTRY_MAX);
    log->used += (size_t)(to - start);
    log->count++;
}

void log_undone(struct log *log, uint32_t ply)
{
    struct log_reader r;

    log_reader_at(&r, log, ply);
    log->bytes[r.next - log->bytes] |= UNDONE;
}

void log_cut(struct log *log, uint32_t count)
{
    struct log_reader r;
    struct entry last;

    ASSERT(count > 0 && count <= log->count);
    log_reader_at(&r, log, count - 1);
    log_read(&r, &last);
    log->used = (size_t)(r.next - log->bytes);
    log->last_at = last.at;
    log->count = count;
}

void log_fit(struct log *log)
{
    size_t index = (log->count + BLOCK - 1) / BLOCK;

    if (log->count == 0)
        return;
    log->cap = log->used;
    log->bytes = realloc(log->bytes, log->cap);
    log->index_cap = index;
    log->index = realloc(log->index, index * sizeof(*log->index));
    ASSERT(log->bytes != NULL && log->index != NULL);
}

size_t log_bytes(const struct log *log)
{
    return bytes_held(log->bytes) + bytes_held(log->index);
}

void log_done(struct log *log)
{
    free(log->bytes);
    free(log->index);
    *log = (struct log){0};
}
