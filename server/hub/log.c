/* log.c -- a table's log in memory, packed: an entry takes some 15 bytes.
 *
 *     byte 0      kind, and above it whether it was taken back, and whether it
 *                 says more than others of its kind
 *     byte 1      seat
 *     4 bytes     the chain's head behind it, folded
 *     varint      when, from the entry before on
 *     varint      what `other` says; of a player's move how far back it is
 *     a move      verb, which arguments are there, a varint for each
 *     an account  8 bytes
 *     a nonce     as it is, with its NUL
 *     more        which numbers of it are there, a varint for each; hours and
 *                 outages are kept beside, and found by their number
 *
 * The first of each eight entries tells its time whole, and an index says where
 * it begins: so to reach any of them takes no more than seven steps. */

#include <stdlib.h>

#include "inner.h"

#define BLOCK     8   /* entries to a place in the index */
#define ENTRY_MAX 192 /* bytes of the longest, and to spare */
#define NOBODY    15  /* ENTRY_NOBODY in a byte */
#define KIND      31
#define UNDONE    32
#define MORE      64

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

/* ---- what tables with a pace say --------------------------------------------- */

/* The numbers of an entry's MORE, as they are packed: small ones for 0. */
enum { WORD, FLAGS, SECONDS, FROM, UNTIL, HOURS, OUTAGES, OUTAGE, NUMBERS };

/* The word that entries of that KIND have. */
static uint8_t *word_of(int kind, struct entry_more *more)
{
    switch (kind) {
    case ENTRY_MISS: return &more->then;
    case ENTRY_REPLACED:
    case ENTRY_ABANDON:
    case ENTRY_REWIND:
    case ENTRY_GIVE:
    case ENTRY_PAUSE:
    case ENTRY_RESUME: return &more->why;
    case ENTRY_VOTE: return &more->about;
    default: return &more->made;
    }
}

static void numbers_of(const struct log *log, const struct entry *e,
                       uint64_t n[NUMBERS])
{
    struct entry_more more = e->more;

    memset(n, 0, NUMBERS * sizeof(*n));
    n[WORD] = *word_of(e->kind, &more);
    n[FLAGS] = (uint64_t)more.to << 4 | (uint64_t)more.silent << 3 |
               (uint64_t)more.passed << 2 | (uint64_t)more.yes << 1 |
               more.by_itself;
    n[SECONDS] = (uint64_t)more.seconds;
    if (more.from != 0)
        n[FROM] = fold_sign(more.from - e->at);
    if (more.until != 0)
        n[UNTIL] = fold_sign(more.until - e->at);
    n[HOURS] = more.hours != NULL ? log->hours_count : 0;
    n[OUTAGES] = more.outage_count;
    n[OUTAGE] = more.outage_count > 0 ? log->outage_count - more.outage_count
                                      : 0;
}

static uint8_t *put_more(uint8_t *to, const uint64_t n[NUMBERS], uint8_t mask)
{
    *to++ = mask;
    for (int i = 0; i < NUMBERS; i++)
        if (mask >> i & 1)
            to = put_number(to, n[i]);
    return to;
}

/* Of an entry whose kind and time are there. */
static const uint8_t *take_more(const uint8_t *from, const struct log *log,
                                struct entry *e)
{
    struct entry_more *more = &e->more;
    uint64_t n[NUMBERS] = {0};
    uint8_t mask = *from++;

    for (int i = 0; i < NUMBERS; i++)
        if (mask >> i & 1)
            from = take_number(from, &n[i]);
    *word_of(e->kind, more) = (uint8_t)n[WORD];
    more->by_itself = n[FLAGS] & 1;
    more->yes = n[FLAGS] >> 1 & 1;
    more->passed = n[FLAGS] >> 2 & 1;
    more->silent = n[FLAGS] >> 3 & 1;
    more->to = (uint8_t)(n[FLAGS] >> 4);
    more->seconds = (int32_t)n[SECONDS];
    if (mask >> FROM & 1)
        more->from = e->at + unfold_sign(n[FROM]);
    if (mask >> UNTIL & 1)
        more->until = e->at + unfold_sign(n[UNTIL]);
    if (n[HOURS] > 0)
        more->hours = log->hours[n[HOURS] - 1];
    if (n[OUTAGES] > 0)
        more->outages = &log->outages[n[OUTAGE]];
    more->outage_count = (uint32_t)n[OUTAGES];
    return from;
}

/* What E points to is LOG's, too. */
static void keep_hours(struct log *log, const struct clock_hours *hours)
{
    size_t size = (log->hours_count + 1) * sizeof(struct clock_hours *);
    struct clock_hours *kept = malloc(sizeof(*kept));

    log->hours = realloc(log->hours, size);
    ASSERT(log->hours != NULL && kept != NULL);
    *kept = *hours;
    log->hours[log->hours_count++] = kept;
}

static void keep_outages(struct log *log, const struct span *outages,
                         uint32_t count)
{
    if (log->outage_count + count > log->outage_cap) {
        log->outage_cap = log->outage_count + count + 8;
        log->outages = realloc(log->outages,
                               log->outage_cap * sizeof(*log->outages));
        ASSERT(log->outages != NULL);
    }
    memcpy(log->outages + log->outage_count, outages,
           count * sizeof(*outages));
    log->outage_count += count;
}

/* Which numbers there are, as bits. */
static uint8_t more_mask(const struct log *log, const struct entry *e,
                         uint64_t n[NUMBERS])
{
    uint8_t mask = 0;

    numbers_of(log, e, n);
    for (int i = 0; i < NUMBERS; i++)
        mask |= (uint8_t)((n[i] != 0) << i);
    /* A moment may be that of the entry itself. */
    mask |= (uint8_t)((e->more.from != 0) << FROM);
    mask |= (uint8_t)((e->more.until != 0) << UNTIL);
    return mask;
}

/* ---- reading --------------------------------------------------------------- */

void log_reader_at(struct log_reader *r, const struct log *log, uint32_t ply)
{
    struct entry skipped;

    ASSERT(ply <= log->count);
    *r = (struct log_reader){.log = log};
    r->ply = ply;
    if (ply == log->count)
        return;
    if (ply == log->last_ply) { /* which is nearly always wanted */
        r->next = log->bytes + log->last;
        r->at = (uint64_t)log->last_from;
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
    bool more = (at[0] & MORE) != 0;
    e->kind = at[0] & KIND;
    e->undone = (at[0] & UNDONE) != 0;
    e->more = (struct entry_more){0};
    e->due = e->bank = NULL;
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
    } else if (entry_forms[e->kind].nonce) {
        e->u.nonce = (const char *)at;
        at += strlen(e->u.nonce) + 1;
    }
    if (more)
        at = take_more(at, r->log, e);
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
    uint64_t more[NUMBERS];

    make_room(log);
    if (e->more.hours != NULL)
        keep_hours(log, e->more.hours);
    if (e->more.outage_count > 0)
        keep_outages(log, e->more.outages, e->more.outage_count);
    uint8_t mask = more_mask(log, e, more);
    uint8_t *start = log->bytes + log->used, *to = start;
    if (log->count % BLOCK == 0) {
        log->index[log->count / BLOCK] = (uint32_t)log->used;
        log->last_at = 0;
    }
    log->last_ply = log->count;
    log->last = (uint32_t)log->used;
    log->last_from = log->last_at;
    ASSERT(e->kind <= KIND && log->count < PLIES_MAX);
    *to++ = (uint8_t)(e->kind | (e->undone ? UNDONE : 0) |
                      (mask != 0 ? MORE : 0));
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
    } else if (entry_forms[e->kind].nonce) {
        size_t size = strlen(e->u.nonce) + 1;
        ASSERT(size <= NONCE_SIZE);
        memcpy(to, e->u.nonce, size);
        to += size;
    }
    if (mask != 0)
        to = put_more(to, more, mask);
    ASSERT(to - start <= ENTRY_MAX);
    log->used += (size_t)(to - start);
    log->count++;
}

void log_undone(struct log *log, uint32_t ply, bool undone)
{
    struct log_reader r;

    log_reader_at(&r, log, ply);
    uint8_t *first = &log->bytes[r.next - log->bytes];
    *first = (uint8_t)(undone ? *first | UNDONE : *first & ~UNDONE);
}

void log_check(struct log *log, uint32_t ply, uint32_t check)
{
    struct log_reader r;

    log_reader_at(&r, log, ply);
    memcpy(&log->bytes[r.next - log->bytes] + 2, &check, sizeof(check));
}

/* Hours and outages that what is cut told of stay until all goes. */
void log_cut(struct log *log, uint32_t count)
{
    struct log_reader r;
    struct entry last;

    ASSERT(count > 0 && count <= log->count);
    log_reader_at(&r, log, count - 1);
    log->last_ply = count - 1;
    log->last = (uint32_t)(r.next - log->bytes);
    log->last_from = (int64_t)r.at;
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
    return bytes_held(log->cap) +
           bytes_held(log->index_cap * sizeof(*log->index)) +
           bytes_held(log->outage_cap * sizeof(*log->outages)) +
           bytes_held(log->hours_count * sizeof(struct clock_hours *)) +
           log->hours_count * bytes_held(sizeof(struct clock_hours));
}

void log_done(struct log *log)
{
    for (uint32_t i = 0; i < log->hours_count; i++)
        free(log->hours[i]);
    free(log->hours);
    free(log->outages);
    free(log->bytes);
    free(log->index);
    *log = (struct log){0};
}
