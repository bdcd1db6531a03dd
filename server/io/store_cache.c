/* store_cache.c -- what the writer knows of tables.
 *
 * A move must not touch a second tree, so `tables` is behind the log: the ends
 * of the logs (cached tables) and the summaries of tables that have moved are
 * kept here, in the order in which their first unwritten row came, and written
 * some at a time with later batches, the oldest first.  state.flushed says up
 * to which row of the log nothing is missing; after a crash the rows behind
 * it, at most about `tail_max` and what came in `flush_ms`, are read again.
 *
 * A cached table is changed in the middle of a commit (`tip`), and what
 * readers see of it (`stored`) follows when the commit is through.  If a
 * transaction is taken back an undo list puts back its cached tables; if the
 * whole batch fails, all of this is thrown away and derived anew. */

#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "store_inner.h"

/* ---- packing ---------------------------------------------------------- */

/* acting, with those that are offered above it, changed, a bit for each seat
 * with a SINCE, and for each of these changed - since; and if any has a DUE, or
 * there is a QUIET, a bit for each that has, and for each of these due -
 * changed; and QUIET, if there is one, or anybody is asked, of whom bits stand
 * above those that are offered: then until when, too.  Numbers of seven bits a
 * byte, the lowest first; spans with the sign in the lowest bit. */

#define OFFERED_SHIFT 16
#define ASKED_SHIFT   24

static size_t pack(uint8_t *to, uint64_t n)
{
    size_t len = 0;

    for (; n > 0x7f; n >>= 7)
        to[len++] = (uint8_t)(n | 0x80);
    to[len++] = (uint8_t)n;
    return len;
}

static bool unpack(const uint8_t **from, const uint8_t *end, uint64_t *ret_n)
{
    uint64_t n = 0;

    for (unsigned shift = 0; shift < 64 && *from < end; shift += 7) {
        uint8_t byte = *(*from)++;
        n |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80) {
            *ret_n = n;
            return true;
        }
    }
    return false;
}

/* A bit for each of the MOMENTS that is not 0, and for each of these how far it
 * is before FROM, or behind it if SIGN is -1. */
static size_t pack_moments(uint8_t *to, const int64_t *moments, int64_t from,
                           int64_t sign)
{
    uint8_t which = 0;

    for (int i = 0; i < RULES_SEATS_MAX; i++)
        which |= (uint8_t)((moments[i] != 0) << i);
    size_t len = pack(to, which);
    for (int i = 0; i < RULES_SEATS_MAX; i++) {
        if (moments[i] == 0)
            continue;
        uint64_t span = (uint64_t)sign *
                        ((uint64_t)from - (uint64_t)moments[i]);
        uint64_t negative = span >> 63 ? UINT64_MAX : 0;
        len += pack(to + len, (span << 1) ^ negative);
    }
    return len;
}

static bool unpack_moments(const uint8_t **at, const uint8_t *end,
                           int64_t *moments, int64_t from, int64_t sign)
{
    uint64_t which, span;

    if (!unpack(at, end, &which))
        return false;
    for (int i = 0; i < RULES_SEATS_MAX; i++) {
        moments[i] = 0;
        if ((which >> i & 1) == 0)
            continue;
        if (!unpack(at, end, &span))
            return false;
        span = (span >> 1) ^ (span & 1 ? UINT64_MAX : 0);
        moments[i] = (int64_t)((uint64_t)from - (uint64_t)sign * span);
    }
    return true;
}

static bool unpack_time(const uint8_t **from, const uint8_t *end,
                        int64_t *ret_at)
{
    uint64_t at;

    if (!unpack(from, end, &at))
        return false;
    *ret_at = (int64_t)at;
    return true;
}

size_t summary_pack(const struct summary *summary,
                    uint8_t bytes[SUMMARY_BYTES_MAX])
{
    size_t len = 0;
    bool asked = summary->asked != 0;
    bool due = summary->quiet != 0 || asked;

    for (int i = 0; i < RULES_SEATS_MAX; i++)
        due = due || summary->due[i] != 0;
    len += pack(bytes, summary->acting |
                           (uint64_t)summary->offered << OFFERED_SHIFT |
                           (uint64_t)summary->asked << ASKED_SHIFT);
    len += pack(bytes + len, (uint64_t)summary->changed);
    len += pack_moments(bytes + len, summary->since, summary->changed, 1);
    if (due)
        len += pack_moments(bytes + len, summary->due, summary->changed, -1);
    if (summary->quiet != 0 || asked)
        len += pack(bytes + len, (uint64_t)summary->quiet);
    if (asked)
        len += pack(bytes + len, (uint64_t)summary->asked_until);
    return len;
}

bool summary_unpack(struct summary *summary, const void *bytes, size_t len)
{
    const uint8_t *at = bytes, *end;
    uint64_t acting, changed;
    struct summary read = *summary;

    if (bytes == NULL)
        return false;
    end = at + len;
    if (!unpack(&at, end, &acting) || !unpack(&at, end, &changed))
        return false;
    read.acting = (uint16_t)acting;
    read.offered = (uint8_t)(acting >> OFFERED_SHIFT);
    read.asked = (uint8_t)(acting >> ASKED_SHIFT);
    read.changed = (int64_t)changed;
    memset(read.due, 0, sizeof(read.due));
    read.quiet = read.asked_until = 0;
    if (!unpack_moments(&at, end, read.since, read.changed, 1))
        return false;
    if (at != end && !unpack_moments(&at, end, read.due, read.changed, -1))
        return false;
    if (at != end && !unpack_time(&at, end, &read.quiet))
        return false;
    if (read.asked != 0 && !unpack_time(&at, end, &read.asked_until))
        return false;
    if (at != end)
        return false;
    *summary = read;
    return true;
}

/* ---- finding ---------------------------------------------------------- */

/* NULL is out of the question, so what is not as it should be is damaged. */
int cache_read(struct sql_stmt *stmt, struct cached_table *h)
{
    h->id = (id_num)sql_int64(stmt, 0);
    h->number = sql_int64(stmt, 1);
    struct log_tip tip = {
        .row = sql_int64(stmt, 2),
        .ply = sql_int64(stmt, 3),
        .summary =
            {
                .state = (uint8_t)sql_int(stmt, 4),
                .seats = (uint8_t)sql_int(stmt, 5),
            },
    };
    if (tip.row != 0 && !column_hash(stmt, 7, tip.chain))
        return SQLITE_CORRUPT;
    const void *packed = sql_blob(stmt, 6);
    bool sound = summary_unpack(&tip.summary, packed, sql_bytes(stmt, 6));
    if (!sound || h->id == 0)
        return SQLITE_CORRUPT;
    tip.summary.ply = (uint32_t)(tip.ply < 0 ? 0 : tip.ply);
    h->tip = h->stored = tip;
    return SQLITE_OK;
}

void cache_seat(struct cached_table *h, int64_t seat, id_num account)
{
    if (seat >= 0 && seat < RULES_SEATS_MAX)
        h->tip.summary.seat[seat] = h->stored.summary.seat[seat] = account;
}

static int read_seats(struct sql *sql, struct cached_table *h)
{
    struct sql_stmt *seats = sql_begin(sql, W_SEATS, ARGS(INT_(h->number)));
    if (seats == NULL)
        return sql_errcode(sql);
    int rc = sql_step(seats);
    for (; rc == SQLITE_ROW; rc = sql_step(seats))
        cache_seat(h, sql_int64(seats, 0), (id_num)sql_int64(seats, 1));
    sql_reset(seats);
    return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

/* Reads the cached table that statement WHICH finds by KEY; NULL if there is
 * none. */
static int load(struct sql *sql, size_t which, int64_t key,
                struct cached_table **ret_cached)
{
    struct sql_stmt *stmt = sql_begin(sql, which, ARGS(INT_(key)));
    if (stmt == NULL)
        return sql_errcode(sql);
    int rc = sql_step(stmt);
    *ret_cached = NULL;
    if (rc == SQLITE_ROW) {
        struct cached_table *h = calloc(1, sizeof(*h));
        ASSERT(h != NULL);
        rc = cache_read(stmt, h);
        if (rc == SQLITE_OK)
            rc = read_seats(sql, h);
        h->known = h->used = true;
        if (rc == SQLITE_OK)
            *ret_cached = h;
        else
            free(h);
    } else if (rc == SQLITE_DONE)
        rc = SQLITE_OK;
    sql_reset(stmt);
    return rc;
}

void cache_put(struct store *s, struct cached_table *h)
{
    store_lock(s);
    map_put(&s->writer.cache.map, h->id, h);
    store_unlock(s);
}

int cache_find(struct store *s, id_num id, struct cached_table **ret_cached)
{
    /* Only this thread changes the map, so it reads it without the lock. */
    *ret_cached = id != 0 ? map_get(&s->writer.cache.map, id) : NULL;
    if (*ret_cached != NULL || id == 0) {
        if (*ret_cached != NULL)
            (*ret_cached)->used = true;
        return SQLITE_OK;
    }
    int rc = load(&s->writer.sql, W_CACHED_BY_ID, (int64_t)id, ret_cached);
    if (rc == SQLITE_OK && *ret_cached != NULL)
        cache_put(s, *ret_cached);
    return rc;
}

struct cached_table *cache_add(struct store *s, id_num id, int64_t number)
{
    struct cached_table *h = calloc(1, sizeof(*h));

    ASSERT(h != NULL && id != 0);
    h->id = id;
    h->number = number;
    h->used = true;
    h->tip.ply = -1;
    cache_put(s, h);
    return h;
}

/* ---- changing --------------------------------------------------------- */

static void clean(struct table_cache *hs, struct cached_table *h)
{
    ASSERT(h->dirty);
    *(h->older != NULL ? &h->older->newer : &hs->oldest) = h->newer;
    *(h->newer != NULL ? &h->newer->older : &hs->newest) = h->older;
    h->older = h->newer = NULL;
    h->dirty = false;
    hs->dirty_count--;
}

void cache_touch(struct store *s, struct cached_table *h, bool is_new)
{
    struct writer *w = &s->writer;

    if (w->undo_count == w->undo_cap) {
        w->undo_cap = w->undo_cap > 0 ? 2 * w->undo_cap : 16;
        w->undo = realloc(w->undo, w->undo_cap * sizeof(*w->undo));
        ASSERT(w->undo != NULL);
    }
    w->undo[w->undo_count++] = (struct undo){
        .cached = h,
        .tip = h->tip,
        .was_dirty = h->dirty,
        .was_new = is_new,
    };
}

void cache_dirty(struct store *s, struct cached_table *h, int64_t row)
{
    struct table_cache *hs = &s->writer.cache;

    if (h->dirty)
        return;
    ASSERT(hs->newest == NULL || hs->newest->dirty_row <= row);
    h->dirty = true;
    h->dirty_row = row;
    h->dirty_ms = s->writer.now_ms;
    h->older = hs->newest;
    *(hs->newest != NULL ? &hs->newest->newer : &hs->oldest) = h;
    hs->newest = h;
    hs->dirty_count++;
}

void cache_clean(struct store *s, struct cached_table *h)
{
    if (h->dirty)
        clean(&s->writer.cache, h);
}

/* The next row of the log gets a number behind its last one, so `flushed` must
 * not lie beyond: what came then would not be read after a crash. */
int cache_shorter(struct store *s, int64_t row)
{
    struct table_cache *hs = &s->writer.cache;

    hs->last_row = row;
    if (hs->flushed <= row)
        return SQLITE_OK;
    hs->flushed = row;
    return sql_run(&s->writer.sql, W_FLUSHED, ARGS(INT_(row)));
}

void cache_undo(struct store *s)
{
    struct writer *w = &s->writer;

    while (w->undo_count > 0) {
        struct undo *u = &w->undo[--w->undo_count];
        u->cached->tip = u->tip;
        if (u->cached->dirty && !u->was_dirty)
            clean(&w->cache, u->cached);
        if (u->was_new) {
            store_lock(s);
            map_take(&w->cache.map, u->cached->id);
            store_unlock(s);
            free(u->cached);
        }
    }
}

void cache_keep(struct store *s)
{
    struct writer *w = &s->writer;

    while (w->undo_count > 0) {
        struct cached_table *h = w->undo[--w->undo_count].cached;
        if (h->touched)
            continue;
        h->touched = true;
        h->touched_next = w->cache.touched;
        w->cache.touched = h;
    }
}

void cache_stored(struct store *s)
{
    struct table_cache *hs = &s->writer.cache;

    while (hs->touched != NULL) {
        struct cached_table *h = hs->touched;
        hs->touched = h->touched_next;
        h->touched = false;
        h->known = true;
        h->stored = h->tip;
    }
    s->stats.cache = hs->map.count;
    s->stats.cache_dirty = hs->dirty_count;
}

/* ---- writing behind --------------------------------------------------- */

bool cache_due(const struct store *s, int64_t now_ms, int64_t *ret_ms)
{
    const struct cached_table *oldest = s->writer.cache.oldest;

    if (oldest == NULL)
        return false;
    *ret_ms = oldest->dirty_ms + s->config.flush_ms;
    return *ret_ms <= now_ms;
}

/* Whether H, the oldest, is to be written now.  When one is, those half as old
 * go with it, so that an idle server does not commit for each. */
static bool due(const struct store *s, const struct cached_table *h,
                size_t written)
{
    const struct writer *w = &s->writer;
    int64_t age = w->now_ms - h->dirty_ms;

    return age >= s->config.flush_ms ||
           (written > 0 && age >= s->config.flush_ms / 2) ||
           w->cache.last_row - h->dirty_row >= s->config.tail_max * 3 / 4;
}

int cache_flush(struct store *s, bool all, size_t max)
{
    struct writer *w = &s->writer;
    struct table_cache *hs = &w->cache;
    size_t written = 0;
    uint8_t packed[SUMMARY_BYTES_MAX];

    while (hs->oldest != NULL && (all || written < max)) {
        struct cached_table *h = hs->oldest;
        if (!all && !due(s, h, written))
            break;
        size_t len = summary_pack(&h->tip.summary, packed);
        int rc = sql_run(&w->sql, W_FLUSH,
                         ARGS(INT_(h->number), INT_(h->tip.row),
                              INT_(h->tip.ply), BLOB_(packed, len)));
        if (rc != SQLITE_OK)
            return rc;
        clean(hs, h);
        written++;
    }
    if (written == 0 && (hs->oldest != NULL ||
                         hs->last_row - hs->flushed < s->config.tail_max))
        return SQLITE_OK;
    hs->flushed = hs->oldest != NULL ? hs->oldest->dirty_row - 1
                                     : hs->last_row;
    w->flushed += written;
    return sql_run(&w->sql, W_FLUSHED, ARGS(INT_(hs->flushed)));
}

void cache_trim(struct store *s)
{
    struct table_cache *hs = &s->writer.cache;
    struct map kept = {0};
    struct cached_table *h;

    if (hs->map.count <= s->config.cache_max)
        return;
    for (size_t at = 0; (h = map_next(&hs->map, &at)) != NULL;) {
        if (h->dirty || h->used)
            map_put(&kept, h->id, h);
    }
    store_lock(s);
    struct map old = hs->map;
    hs->map = kept;
    s->forgotten++;
    store_unlock(s);
    for (size_t at = 0; (h = map_next(&old, &at)) != NULL;) {
        if (!h->dirty && !h->used)
            free(h);
        else
            h->used = false;
    }
    map_done(&old);
}

/* ---- after a crash, or a failure --------------------------------------- */

/* Takes the row of the log in STMT into account; BY_NUMBER are the cached
 * tables met so far. */
static int derive_row(struct store *s, struct sql *sql, struct sql_stmt *stmt,
                      struct map *by_number)
{
    int64_t row = sql_int64(stmt, 0);
    int64_t number = sql_int64(stmt, 1);
    int64_t before = sql_int64(stmt, 2);
    int64_t ply = sql_int64(stmt, 3);
    uint8_t chain[SHA256_SIZE];
    struct cached_table *h = number > 0 ? map_get(by_number, (uint64_t)number)
                                        : NULL;

    s->writer.cache.last_row = row;
    if (h == NULL && number > 0) {
        int rc = load(sql, W_CACHED_BY_NUMBER, number, &h);
        if (rc != SQLITE_OK)
            return rc;
        if (h != NULL) {
            map_put(by_number, (uint64_t)number, h);
            cache_put(s, h);
        }
    }
    if (h == NULL || (ply > h->tip.ply && (before != h->tip.row ||
                                           !column_hash(stmt, 5, chain)))) {
        store_say(s, LOG_ERROR, "row %lld of the log continues nothing",
                  (long long)row);
        return SQLITE_OK;
    }
    if (ply <= h->tip.ply)
        return SQLITE_OK; /* `tables` knows */
    h->tip.row = row;
    h->tip.ply = ply;
    h->tip.summary.ply = (uint32_t)ply;
    memcpy(h->tip.chain, chain, sizeof(chain));
    if (!sql_is_null(stmt, 4))
        summary_unpack(&h->tip.summary, sql_blob(stmt, 4), sql_bytes(stmt, 4));
    cache_dirty(s, h, row);
    return SQLITE_OK;
}

/* Reads the tail of the log into empty cached tables. */
static int derive(struct store *s)
{
    struct sql *sql = &s->writer.sql;
    struct table_cache *hs = &s->writer.cache;
    struct map by_number = {0};
    struct cached_table *h;

    int rc = sql_number(sql, W_STATE, NO_ARGS, 0, &hs->flushed);
    if (rc == SQLITE_OK)
        rc = sql_number(sql, W_LAST, NO_ARGS, 0, &hs->last_row);
    if (rc != SQLITE_OK)
        return rc;
    struct sql_stmt *stmt = sql_begin(sql, W_TAIL, ARGS(INT_(hs->flushed)));
    if (stmt == NULL)
        return sql_errcode(sql);
    for (rc = sql_step(stmt); rc == SQLITE_ROW;) {
        rc = derive_row(s, sql, stmt, &by_number);
        if (rc == SQLITE_OK)
            rc = sql_step(stmt);
    }
    sql_reset(stmt);
    for (size_t at = 0; (h = map_next(&by_number, &at)) != NULL;)
        h->stored = h->tip;
    map_done(&by_number);
    return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

void cache_done(struct table_cache *hs)
{
    struct cached_table *h;

    for (size_t at = 0; (h = map_next(&hs->map, &at)) != NULL;)
        free(h);
    map_done(&hs->map);
    *hs = (struct table_cache){0};
}

/* Readers go by the old cached tables' STORED, which are right whatever became
 * of the last transaction, until all the new ones are there. */
int cache_derive(struct store *s)
{
    struct table_cache *hs = &s->writer.cache;

    store_lock(s);
    struct table_cache old = *hs;
    *hs = (struct table_cache){0};
    s->shown = &old.map;
    store_unlock(s);
    s->writer.undo_count = 0;
    int rc = derive(s);
    store_lock(s);
    if (rc != SQLITE_OK) {
        struct table_cache half = *hs;
        *hs = old;
        old = half;
    }
    s->shown = &hs->map;
    s->forgotten++;
    s->stats.cache = hs->map.count;
    s->stats.cache_dirty = hs->dirty_count;
    store_unlock(s);
    cache_done(&old);
    return rc;
}
