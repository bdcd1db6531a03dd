/* history.c -- states of the past: kept now and then, and found again.
 *
 * The log is all there is, and a state is the moves that count, one after the
 * other.  So that taking one back, or looking at the middle of a long game,
 * does not need all of them, a table keeps a *mark* every few hundred moves:
 * its state, and who sat where, as it was behind one ply.  A mark is there only
 * as long as every move in its state counts: taking one of them back drops it.
 * So at any later ply, whatever was taken back since, the moves begin with the
 * mark's, and a walk through the log may begin there.
 *
 *     played   0 . . . . . 512 . . . . 1024 . . 1100
 *     marks              ^             ^              of the table
 *     a walk to 1060:                  ...|           past, beginning there
 *
 * In the memory that marks may take, as many find room as make the way from one
 * to the next a millisecond's work, even in the longest games. */

#include <stdlib.h>

#include "inner.h"

#define MARK_EVERY  512
#define MARKS_BYTES (256 * 1024) /* of one table */
/* What it costs to play a move, in the unit of hub->effort: from 0.1 to 0.7
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
    if (t->now == NULL)
        t->now = state_new(t);
    t->folded = 0;
    return rules_setup(t->rules, t->now, &t->setup, NULL) == RULES_OK;
}

/* ---- marks -------------------------------------------------------------- */

static struct standing standing_of(const struct table *t)
{
    struct standing s = {
        .state = t->state,
        .seats = t->seats,
        .resigned = t->resigned,
        .start_ply = t->start_ply,
        .draws = t->draws,
    };
    memcpy(s.seat, t->seat, sizeof(s.seat));
    memcpy(s.put, t->put, sizeof(s.put));
    memcpy(s.undos, t->undos, sizeof(s.undos));
    return s;
}

/* Every second one goes, and they come half as often from now on. */
static void thin_out(struct table *t)
{
    size_t to = 0;

    for (size_t i = 0; i < t->mark_count; i++) {
        if (i % 2 == 0)
            free(t->marks[i].s);
        else
            t->marks[to++] = t->marks[i];
    }
    t->mark_count = to;
    t->mark_every *= 2;
}

static bool mark_is_due(const struct table *t)
{
    size_t last = t->mark_count > 0 ? t->marks[t->mark_count - 1].played : 0;
    return t->folded - last >= t->mark_every;
}

void history_mark(const struct hub *hub, struct table *t)
{
    size_t every = hub->config.mark_every;

    if (t->mark_every == 0)
        t->mark_every = every != 0 ? every : MARK_EVERY;
    if (!mark_is_due(t))
        return;
    if (t->mark_count >=
        MARKS_BYTES / (t->rules->state_size + sizeof(*t->marks)))
        thin_out(t);
    if (!mark_is_due(t))
        return;
    if (t->mark_count == t->mark_cap) {
        t->mark_cap += t->mark_cap / 2 + 1;
        t->marks = realloc(t->marks, t->mark_cap * sizeof(*t->marks));
        ASSERT(t->marks != NULL);
    }
    struct mark *m = &t->marks[t->mark_count++];
    *m = (struct mark){
        .ply = t->log.count - 1,
        .check = chain_fold(t->chain),
        .played = t->folded,
        .at = standing_of(t),
        .s = state_new(t),
    };
    state_copy(t, m->s, t->now);
}

size_t history_bytes(const struct table *t)
{
    size_t bytes = bytes_held(t->marks);

    for (size_t i = 0; i < t->mark_count; i++)
        bytes += bytes_held(t->marks[i].s);
    return bytes;
}

void history_done(struct table *t)
{
    while (t->mark_count > 0)
        free(t->marks[--t->mark_count].s);
    free(t->marks);
}

/* ---- states ------------------------------------------------------------- */

/* The last mark of T's with no more than PLAYED moves, or NULL.  A past has not
 * come yet to the marks that were made after it: their moves are others, which
 * were played when those of the past had been taken back. */
static const struct mark *mark_before(const struct table *t, size_t played)
{
    const struct table *home = t->home != NULL ? t->home : t;
    size_t i = home->mark_count;

    while (i > 0 && (home->marks[i - 1].played > played ||
                     home->marks[i - 1].ply >= t->log.count))
        i--;
    return i > 0 ? &home->marks[i - 1] : NULL;
}

void history_cut(struct table *t, size_t i)
{
    const struct mark *m;

    while (t->home == NULL && t->mark_count > 0 &&
           t->marks[t->mark_count - 1].played > i)
        free(t->marks[--t->mark_count].s);
    if (t->folded <= i)
        return;
    if (t->steps != NULL && i >= t->steps->first) {
        state_copy(t, t->now, t->steps->s[i % STEPS]);
        t->folded = i;
        return;
    }
    m = mark_before(t, i);
    if (m != NULL) {
        state_copy(t, t->now, m->s);
        t->folded = m->played;
    } else {
        bool fine = history_first(t);
        ASSERT(fine); /* as it was before */
    }
    if (t->steps != NULL)
        t->steps->first = t->folded;
}

/* Plays move T->folded of the played ones, which is E. */
static bool fold(struct hub *hub, struct table *t, const struct entry *e)
{
    size_t i = t->folded;

    if (t->steps != NULL) {
        state_copy(t, t->steps->s[i % STEPS], t->now);
        if (i >= t->steps->first + STEPS)
            t->steps->first = i - STEPS + 1;
    }
    hub->effort += EFFORT_MOVE(t->rules);
    if (rules_apply(t->rules, t->now, e->seat, &e->u.move, &hub->events) !=
        RULES_OK)
        return false;
    t->played[i].flags = hub->events.flags & 15u;
    t->folded++;
    return true;
}

bool history_play(struct hub *hub, struct table *t, const struct entry *e)
{
    ASSERT(t->folded + 1 == t->played_count);
    return fold(hub, t, e);
}

enum walked history_fold(struct hub *hub, struct table *t, uint64_t limit)
{
    struct entry e;

    while (t->folded < t->played_count) {
        if (hub->effort >= limit)
            return WALK_MORE;
        log_at(&t->log, t->played[t->folded].ply, &e);
        if (!fold(hub, t, &e))
            return WALK_BROKEN;
    }
    return WALK_DONE;
}

/* ---- walks -------------------------------------------------------------- */

/* The last mark within COUNT entries that is of this history, or NULL. */
static const struct mark *mark_within(const struct table *t, uint32_t count)
{
    struct entry e;

    for (size_t i = t->mark_count; i-- > 0;) {
        if (t->marks[i].ply >= count)
            continue;
        log_at(&t->log, t->marks[i].ply, &e);
        if (e.check == t->marks[i].check)
            return &t->marks[i];
    }
    return NULL;
}

static void begin_at(struct table *past, const struct table *t,
                     const struct mark *m)
{
    const struct standing *s = &m->at;

    past->log.count = m->ply + 1;
    past->state = s->state;
    past->seats = s->seats;
    past->setup.seats = s->seats;
    past->resigned = s->resigned;
    past->start_ply = s->start_ply;
    past->draws = s->draws;
    memcpy(past->seat, s->seat, sizeof(s->seat));
    memcpy(past->put, s->put, sizeof(s->put));
    memcpy(past->undos, s->undos, sizeof(s->undos));
    for (int seat = 0; seat < past->seats; seat++)
        table_name_seat(past, seat);
    past->played_count = past->played_cap = past->folded = m->played;
    past->played = malloc(m->played * sizeof(*past->played));
    ASSERT(past->played != NULL);
    memcpy(past->played, t->played, m->played * sizeof(*past->played));
    past->now = state_new(t);
    state_copy(t, past->now, m->s);
}

void walk_begin(struct walk *w, const struct table *t, uint32_t count)
{
    const struct mark *m = mark_within(t, count);

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
    if (m != NULL)
        begin_at(&w->past, t, m);
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

void walk_step(struct hub *hub, struct walk *w, struct entry *e)
{
    struct table *past = &w->past;

    hub->events.count = 0;
    hub->effort += EFFORT_ENTRY;
    bool fine = log_read(&w->reader, e);
    past->log.count++;
    fine = fine && entry_take(past, e, "") &&
           (e->kind != ENTRY_MOVE || history_play(hub, past, e));
    ASSERT(fine); /* it was when the table was loaded, or played */
}

enum walked walk_to(struct hub *hub, struct walk *w, uint32_t count,
                    uint64_t limit)
{
    struct entry e;

    for (;;) {
        enum walked walked = history_fold(hub, &w->past, limit);
        if (walked != WALK_DONE || w->past.log.count >= count)
            return walked;
        if (hub->effort >= limit)
            return WALK_MORE;
        walk_step(hub, w, &e);
    }
}

void walk_done(struct walk *w)
{
    for (int i = 0; i < STEPS; i++)
        free(w->steps.s[i]);
    free(w->past.played);
    free(w->past.now);
}

struct walk *walk_past(struct hub *hub, const struct table *t, uint32_t count)
{
    struct walk *w = malloc(sizeof(*w));

    ASSERT(w != NULL && count >= 1 && count <= t->log.count);
    walk_begin(w, t, count);
    enum walked walked = walk_to(hub, w, count, UINT64_MAX);
    ASSERT(walked == WALK_DONE);
    if (w->past.now != NULL)
        entries_conclude(&w->past);
    return w;
}

void walk_free(struct walk *w)
{
    walk_done(w);
    free(w);
}
