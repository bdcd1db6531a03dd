/* history.c -- states of the past: kept now and then, and found again.
 *
 * The log is all there is, and a state is the moves that count, one after the
 * other.  So that taking one back, or looking at the middle of a long game,
 * does not need all of them, a table keeps a *snapshot* every few hundred
 * moves: its state, and who sat where, as it was behind one ply.  A snapshot is
 * there only as long as every move in its state counts: taking one of them back
 * drops it.  So at any later ply, whatever was taken back since, the moves
 * begin with the snapshot's, and a walk through the log may begin there.
 *
 *     played     0 . . . . . 512 . . . . 1024 . . 1100
 *     snapshots              ^           ^              of the table
 *     a walk to 1060:                    ...|           past, beginning there
 *
 * In the memory that snapshots may take, as many find room as make the way from
 * one to the next a millisecond's work, even in the longest games. */

#include <stdlib.h>

#include "inner.h"

#define SNAPSHOT_EVERY  512
#define SNAPSHOTS_BYTES (256 * 1024) /* of one table */
/* What it costs to play a move, in the measure of hub->effort: from 0.1 to 0.7
 * microseconds were measured, the more the larger the state. */
#define EFFORT_MOVE(rules) (2 + (rules)->state_size / 1024)
#define EFFORT_ENTRY       1

static struct rules_state *state_new(const struct table *t)
{
    struct rules_state *s = calloc(1, t->rules->state_size);
    ASSERT(s != NULL);
    return s;
}

static void state_copy(const struct table *t, struct rules_state *to,
                       const struct rules_state *from)
{
    memcpy(to, from, t->rules->state_size);
}

bool history_first(struct table *t)
{
    if (t->rules_state == NULL)
        t->rules_state = state_new(t);
    t->folded = 0;
    if (rules_setup(t->rules, t->rules_state, &t->setup, NULL) != RULES_OK)
        return false;
    clocks_start(t);
    return true;
}

/* ---- snapshots ---------------------------------------------------------- */

static struct standing standing_of(const struct table *t)
{
    struct standing s = {
        .state = t->state,
        .seats = t->seats,
        .resigned = t->resigned,
        .start_ply = t->start_ply,
        .draws = t->draws,
        .votes = t->votes,
    };
    memcpy(s.seat, t->seat, sizeof(s.seat));
    memcpy(s.asked_ply, t->asked_ply, sizeof(s.asked_ply));
    memcpy(s.undos, t->undos, sizeof(s.undos));
    return s;
}

static void stand(struct table *t, const struct standing *s)
{
    t->state = s->state;
    t->seats = s->seats;
    t->setup.seats = s->seats;
    t->resigned = s->resigned;
    t->start_ply = s->start_ply;
    t->draws = s->draws;
    t->votes = s->votes;
    memcpy(t->seat, s->seat, sizeof(s->seat));
    memcpy(t->asked_ply, s->asked_ply, sizeof(s->asked_ply));
    memcpy(t->undos, s->undos, sizeof(s->undos));
    for (int seat = 0; seat < t->seats; seat++)
        table_name_seat(t, seat);
}

/* Every second one goes, and they come half as often from now on. */
static void thin_out(struct table *t)
{
    size_t to = 0;

    for (size_t i = 0; i < t->snapshot_count; i++) {
        if (i % 2 == 0)
            free(t->snapshots[i].s);
        else
            t->snapshots[to++] = t->snapshots[i];
    }
    t->snapshot_count = to;
    t->snapshot_every *= 2;
}

/* Or NULL. */
static const struct snapshot *snapshot_last(const struct table *t)
{
    return t->snapshot_count > 0 ? &t->snapshots[t->snapshot_count - 1] : NULL;
}

static bool snapshot_is_due(const struct table *t)
{
    const struct snapshot *last = snapshot_last(t);
    return t->folded - (last != NULL ? last->played : 0) >= t->snapshot_every;
}

void history_snapshot(const struct hub *hub, struct table *t)
{
    size_t every = hub->config.snapshot_every;

    if (t->state != TABLE_PLAYING)
        return; /* why it is over no snapshot says */
    if (t->snapshot_every == 0)
        t->snapshot_every = every != 0 ? every : SNAPSHOT_EVERY;
    if (!snapshot_is_due(t))
        return;
    if (t->snapshot_count >=
        SNAPSHOTS_BYTES / (t->rules->state_size + sizeof(*t->snapshots)))
        thin_out(t);
    if (!snapshot_is_due(t))
        return;
    struct entry last;
    log_at(&t->log, t->log.count - 1, &last);
    if (last.kind != ENTRY_MOVE)
        return;
    if (t->snapshot_count == t->snapshot_cap) {
        t->snapshot_cap += t->snapshot_cap / 2 + 1;
        t->snapshots = realloc(t->snapshots,
                               t->snapshot_cap * sizeof(*t->snapshots));
        ASSERT(t->snapshots != NULL);
    }
    struct snapshot *kept = &t->snapshots[t->snapshot_count++];
    *kept = (struct snapshot){
        .ply = t->log.count - 1,
        .check = last.check,
        .played = t->folded,
        .at = standing_of(t),
        .s = state_new(t),
    };
    state_copy(t, kept->s, t->rules_state);
}

size_t history_bytes(const struct table *t)
{
    if (t->rules == NULL)
        return 0;
    return bytes_held(t->snapshot_cap * sizeof(*t->snapshots)) +
           t->snapshot_count * bytes_held(t->rules->state_size);
}

/* What was taken back behind a snapshot that is there is behind it, too: so the
 * log up to it is as it was then. */
bool history_back(struct table *t, uint32_t count)
{
    if (count == 0 || count > t->log.count)
        return false;
    while (t->snapshot_count > 0 &&
           t->snapshots[t->snapshot_count - 1].ply >= count)
        free(t->snapshots[--t->snapshot_count].s);
    const struct snapshot *kept = snapshot_last(t);
    if (kept != NULL && !rules_valid(t->rules, kept->s))
        return false;
    log_cut(&t->log, count);
    t->played_count = t->folded = kept != NULL ? kept->played : 0;
    if (kept != NULL) {
        state_copy(t, t->rules_state, kept->s);
    } else {
        free(t->rules_state);
        t->rules_state = NULL;
    }
    return true;
}

uint32_t history_stand(struct table *t)
{
    const struct snapshot *kept = snapshot_last(t);

    if (kept == NULL)
        return 0;
    stand(t, &kept->at);
    return kept->ply + 1;
}

void history_done(struct table *t)
{
    while (t->snapshot_count > 0)
        free(t->snapshots[--t->snapshot_count].s);
    free(t->snapshots);
}

/* ---- states ------------------------------------------------------------- */

/* The last snapshot of T's with no more than PLAYED moves, or NULL.  A past has
 * not come yet to the snapshots that were made after it: their moves are
 * others, which were played when those of the past had been taken back. */
static const struct snapshot *snapshot_before(const struct table *t,
                                              size_t played)
{
    const struct table *home = t->home != NULL ? t->home : t;
    size_t i = home->snapshot_count;

    while (i > 0 && (home->snapshots[i - 1].played > played ||
                     home->snapshots[i - 1].ply >= t->log.count))
        i--;
    return i > 0 ? &home->snapshots[i - 1] : NULL;
}

void history_cut(struct table *t, size_t i)
{
    const struct snapshot *kept;

    while (t->home == NULL && t->snapshot_count > 0 &&
           t->snapshots[t->snapshot_count - 1].played > i)
        free(t->snapshots[--t->snapshot_count].s);
    if (t->folded <= i)
        return;
    if (t->steps != NULL && i >= t->steps->first) {
        state_copy(t, t->rules_state, t->steps->s[i % STEPS]);
        t->folded = i;
        return;
    }
    kept = snapshot_before(t, i);
    if (kept != NULL) {
        state_copy(t, t->rules_state, kept->s);
        t->folded = kept->played;
    } else {
        bool fine = history_first(t);
        ASSERT(fine); /* as it was before */
    }
    if (t->steps != NULL)
        t->steps->first = t->folded;
}

/* Plays move T->folded of the played ones, which is E. */
static bool fold(struct hub *hub, struct table *t, const struct entry *e,
                 struct rules_events *events)
{
    size_t i = t->folded;

    if (t->steps != NULL) {
        state_copy(t, t->steps->s[i % STEPS], t->rules_state);
        if (i >= t->steps->first + STEPS)
            t->steps->first = i - STEPS + 1;
    }
    hub->effort += EFFORT_MOVE(t->rules);
    if (rules_apply(t->rules, t->rules_state, e->seat, &e->u.move, events) !=
        RULES_OK)
        return false;
    /* What was played for somebody stays. */
    unsigned final = e->more.made != MADE_BY_SEAT ? RULES_FINAL : 0;
    t->played[i].flags = (events->flags | final) & 15u;
    clocks_moved(t, i);
    t->folded++;
    return true;
}

bool history_play(struct hub *hub, struct table *t, const struct entry *e,
                  struct rules_events *events)
{
    ASSERT(t->folded + 1 == t->played_count);
    return fold(hub, t, e, events);
}

enum walked history_fold(struct hub *hub, struct table *t, uint64_t limit)
{
    struct rules_events events;
    struct entry e;

    while (t->folded < t->played_count) {
        if (hub->effort >= limit)
            return WALK_MORE;
        log_at(&t->log, t->played[t->folded].ply, &e);
        if (!fold(hub, t, &e, &events))
            return WALK_BROKEN;
    }
    return WALK_DONE;
}

/* ---- walks -------------------------------------------------------------- */

/* The last snapshot within COUNT entries that is of this history, or NULL. */
static const struct snapshot *snapshot_within(const struct table *t,
                                              uint32_t count)
{
    struct entry e;

    for (size_t i = t->snapshot_count; i-- > 0;) {
        if (t->snapshots[i].ply >= count)
            continue;
        log_at(&t->log, t->snapshots[i].ply, &e);
        if (e.check == t->snapshots[i].check)
            return &t->snapshots[i];
    }
    return NULL;
}

static void begin_at(struct table *past, const struct table *t,
                     const struct snapshot *kept)
{
    past->log.count = kept->ply + 1;
    stand(past, &kept->at);
    past->played_count = past->played_cap = past->folded = kept->played;
    past->played = malloc(kept->played * sizeof(*past->played));
    ASSERT(past->played != NULL);
    memcpy(past->played, t->played, kept->played * sizeof(*past->played));
    past->rules_state = state_new(t);
    state_copy(t, past->rules_state, kept->s);
}

void walk_begin(struct walk *w, const struct table *t, uint32_t count)
{
    const struct snapshot *kept = snapshot_within(t, count);

    *w = (struct walk){
        .past =
            {
                .id = t->id,
                .owner = t->owner,
                .rules = t->rules,
                .revision = t->revision,
                .seats = t->seats_made,
                .seats_made = t->seats_made,
                .state = TABLE_OPEN,
                .setup = {.seats = t->seats_made},
            },
    };
    walk_attach(w, t);
    if (kept != NULL)
        begin_at(&w->past, t, kept);
    if (t->clocks != NULL)
        w->past.clocks = clocks_past(t, w->past.played_count);
    w->broken = kept != NULL && (kept->s->seats != kept->at.seats ||
                                 !rules_valid(t->rules, kept->s));
    for (int i = 0; i < STEPS; i++)
        w->steps.s[i] = state_new(t);
    w->steps.first = w->past.folded;
    walk_attach(w, t);
}

void walk_attach(struct walk *w, const struct table *t)
{
    struct table *past = &w->past;
    uint32_t count = past->log.count;
    int seats = past->setup.seats;

    past->log = t->log;
    past->setup = t->setup;
    past->setup.seats = seats;
    past->row = t->row;
    past->known = t->known;
    past->known_count = t->known_count;
    past->home = t;
    past->steps = &w->steps;
    log_reader_at(&w->reader, &t->log, count);
    past->log.count = count;
}

/* Each entry was fine when the table was loaded, or played: if it is not now,
 * the snapshot is not what it was when it was kept. */
bool walk_step(struct hub *hub, struct walk *w, struct entry *e)
{
    struct table *past = &w->past;

    if (w->broken)
        return false;
    hub->effort += EFFORT_ENTRY;
    bool read = log_read(&w->reader, e);
    ASSERT(read);
    past->log.count++;
    w->broken = !entry_apply(hub, past, e, &w->events);
    return !w->broken;
}

enum walked walk_fold(struct hub *hub, struct walk *w, uint64_t limit)
{
    enum walked walked = w->broken ? WALK_BROKEN
                                   : history_fold(hub, &w->past, limit);

    w->broken = walked == WALK_BROKEN;
    return walked;
}

enum walked walk_to(struct hub *hub, struct walk *w, uint32_t count,
                    uint64_t limit)
{
    struct entry e;

    for (;;) {
        enum walked walked = walk_fold(hub, w, limit);
        if (walked != WALK_DONE || w->past.log.count >= count)
            return walked;
        if (hub->effort >= limit)
            return WALK_MORE;
        (void)walk_step(hub, w, &e);
    }
}

void walk_done(struct walk *w)
{
    for (int i = 0; i < STEPS; i++)
        free(w->steps.s[i]);
    clocks_free(w->past.clocks);
    free(w->past.played);
    free(w->past.rules_state);
}

struct walk *walk_past(struct hub *hub, const struct table *t, uint32_t count)
{
    struct walk *w = malloc(sizeof(*w));

    ASSERT(w != NULL && count >= 1 && count <= t->log.count);
    walk_begin(w, t, count);
    if (walk_to(hub, w, count, UINT64_MAX) == WALK_DONE) {
        entries_conclude(&w->past);
        return w;
    }
    walk_free(w);
    return NULL;
}

void walk_free(struct walk *w)
{
    if (w != NULL)
        walk_done(w);
    free(w);
}
