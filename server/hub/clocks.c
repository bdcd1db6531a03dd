/* clocks.c -- the clocks of a table in memory; see clocks.h.
 *
 * A fold needs of each move that counts whom the state behind it waits for: that
 * is kept, eight bytes a move, so that no game is played again for its clocks.
 * All else is in the log. */

#include <stdlib.h>

#include "inner.h"

struct clocks *clocks_new(const struct terms *terms)
{
    struct clocks *k = calloc(1, sizeof(*k));

    ASSERT(k != NULL);
    timing_begin(&k->timing, terms);
    return k;
}

struct clocks *clocks_past(const struct table *t, size_t played)
{
    const struct clocks *from = t->clocks;
    struct clocks *k = clocks_new(&from->timing.terms);

    k->first = from->first;
    k->cap = played;
    k->moments = malloc((played + 1) * sizeof(*k->moments));
    ASSERT(k->moments != NULL);
    if (played > 0)
        memcpy(k->moments, from->moments, played * sizeof(*k->moments));
    return k;
}

void clocks_free(struct clocks *k)
{
    if (k == NULL)
        return;
    free(k->moments);
    free(k->backs);
    free(k);
}

size_t clocks_bytes(const struct clocks *k)
{
    if (k == NULL)
        return 0;
    return bytes_held(sizeof(*k)) + bytes_held(k->cap * sizeof(*k->moments)) +
           bytes_held(k->back_count * sizeof(*k->backs));
}

/* ---- what is folded ------------------------------------------------------- */

void clocks_start(struct table *t)
{
    if (t->clocks != NULL)
        t->clocks->first = rules_moment(t->rules, t->rules_state);
}

void clocks_moved(struct table *t, size_t i)
{
    struct clocks *k = t->clocks;

    if (k == NULL)
        return;
    if (i >= k->cap) {
        k->cap = i + i / 8 + 32;
        k->moments = realloc(k->moments, k->cap * sizeof(*k->moments));
        ASSERT(k->moments != NULL);
    }
    k->moments[i] = rules_moment(t->rules, t->rules_state);
}

void clocks_took_back(struct table *t, const struct entry *e)
{
    struct clocks *k = t->clocks;

    if (k == NULL)
        return;
    k->stale = true;
    if (e->kind != ENTRY_REWIND || t->home != NULL)
        return;
    k->backs = realloc(k->backs, (k->back_count + 1) * sizeof(*k->backs));
    ASSERT(k->backs != NULL);
    k->backs[k->back_count++] = (struct went_back){t->log.count - 1, e->to};
}

/* ---- folding ---------------------------------------------------------------- */

/* Whether entry PLY of T, which is no move, was taken back. */
static bool went_back(const struct table *t, uint32_t ply)
{
    const struct clocks *k = (t->home != NULL ? t->home : t)->clocks;

    for (size_t i = 0; i < k->back_count; i++)
        if (k->backs[i].to < ply && ply < k->backs[i].ply &&
            k->backs[i].ply < t->log.count)
            return true;
    return false;
}

/* E, entry PLY, for the fold. */
static struct timing_entry next_of(struct table *t, uint32_t ply,
                                   const struct entry *e)
{
    struct clocks *k = t->clocks;
    struct timing_entry next = {
        .kind = e->kind,
        .seat = e->seat,
        .ply = ply,
        .at = e->at,
        .more = e->more,
    };

    if (e->kind == ENTRY_START) {
        next.kept = e->kept;
        next.now = k->first;
    } else if (e->kind != ENTRY_MOVE) {
        next.undone = went_back(t, ply);
    } else if (k->played < t->played_count &&
               t->played[k->played].ply == ply) {
        next.now = k->moments[k->played++];
    } else {
        next.undone = true;
    }
    return next;
}

void clocks_fold(struct table *t)
{
    struct clocks *k = t->clocks;
    struct log_reader r;
    struct entry e;

    if (k == NULL)
        return;
    if (k->stale) {
        const struct terms terms = k->timing.terms;
        timing_begin(&k->timing, &terms);
        k->folded = 0;
        k->played = 0;
        k->stale = false;
    }
    log_reader_at(&r, &t->log, k->folded);
    while (log_read(&r, &e)) {
        struct timing_entry next = next_of(t, r.ply - 1, &e);
        timing_take(&k->timing, &next);
    }
    k->folded = t->log.count;
}

uint16_t clocks_forced(const struct table *t)
{
    if (t->clocks == NULL)
        return 0;
    struct rules_moment now = rules_moment(t->rules, t->rules_state);
    return timing_forced(&t->clocks->timing, &now);
}

bool clocks_gone(const struct table *t, int seat)
{
    return t->clocks != NULL && t->clocks->timing.on &&
           t->clocks->timing.clock.seat[seat].gone;
}

/* ---- telling ---------------------------------------------------------------- */

void clocks_outages(const struct hub *hub, const struct table *t,
                    struct entry *e)
{
    const struct outages *o = &hub->outages;

    if (t->clocks == NULL || (!t->clocks->timing.on && e->kind != ENTRY_START))
        return;
    struct timing before = t->clocks->timing;
    if (!before.on)
        before.started = e->at;
    uint32_t first = timing_untold(&before, o->at, o->count), n = 0;
    while (first + n < o->count && n < OUTAGES_TOLD_MAX &&
           o->at[first + n].from_ms <= e->at)
        n++;
    if (n == 0)
        return;
    e->more.outages = o->at + first;
    e->more.outage_count = n;
}

void clocks_tell(struct table *t, struct entry *e)
{
    struct clocks *k = t->clocks;
    struct timing_shown now;

    if (k == NULL || !k->timing.on || !k->timing.settled)
        return;
    timing_show(&k->timing, &now);
    if (!k->told || memcmp(now.due, k->shown.due, sizeof(now.due)) != 0)
        e->due = k->shown.due;
    if (!k->told || memcmp(now.bank, k->shown.bank, sizeof(now.bank)) != 0)
        e->bank = k->shown.bank;
    k->shown = now;
    k->told = true;
}

void clocks_told(struct table *t, const json_t *line)
{
    struct clocks *k = t->clocks;

    if (k == NULL)
        return;
    if (json_shown_read(line, "due", k->shown.due) >= 0)
        k->told = true;
    (void)json_shown_read(line, "bank", k->shown.bank);
}

bool clocks_may_say(const struct hub *hub, const struct table *t,
                    const struct entry *e)
{
    int64_t changed = table_changed(t);
    struct timing_entry said = {
        .kind = e->kind,
        .seat = e->seat,
        .at = hub->now_ms > changed ? hub->now_ms : changed,
        .more = e->more,
    };

    return t->clocks != NULL &&
           timing_check(&t->clocks->timing, &said) == NULL;
}

/* ---- taking back ------------------------------------------------------------ */

/* The clock of SEAT as it would be if PLY, its own and the last of those that
 * it can take back, had never been. */
static void fold_without(const struct table *t, int seat, uint32_t ply,
                         struct timing *ret)
{
    struct clocks trial = *t->clocks;
    struct table without = *t;
    struct log_reader r;
    struct entry e;

    without.clocks = &trial;
    trial.played = 0;
    timing_begin(ret, &t->clocks->timing.terms);
    log_reader_at(&r, &t->log, 0);
    while (log_read(&r, &e)) {
        struct timing_entry next = next_of(&without, r.ply - 1, &e);
        next.undone = next.undone || next.ply == ply;
        /* What others did meanwhile, this move does not matter to: but that the
         * seat would still be waited for. */
        if (next.kind == ENTRY_MOVE && next.ply > ply)
            next.now.acting |= RULES_BIT(seat);
        timing_take(ret, &next);
    }
}

bool clocks_fixed(const struct table *t, int seat, uint32_t ply)
{
    const struct clocks *k = t->clocks;

    return k != NULL &&
           (ply <= k->timing.fixed || ply <= k->timing.fixed_of[seat]);
}

bool clocks_may_undo(const struct hub *hub, const struct table *t, int seat,
                     uint32_t ply)
{
    struct timing without;
    struct entry now = {.kind = ENTRY_UNDO, .at = hub->now_ms};

    if (t->clocks == NULL)
        return true;
    fold_without(t, seat, ply, &without);
    if (now.at < without.at)
        now.at = without.at;
    clocks_outages(hub, t, &now);
    timing_take(&without, &(struct timing_entry){
                              .kind = ENTRY_RENAME,
                              .seat = ENTRY_NOBODY,
                              .at = now.at,
                              .more = now.more,
                          });
    return timing_undone_in_time(&without, seat);
}
