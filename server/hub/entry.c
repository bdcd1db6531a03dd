/* entry.c -- what the entries of a log make of a table: who sits where, which
 * moves count and what they do, whose question was put anew, when it is over.
 *
 * There is no other way for a table to change, whether an entry is being made
 * (change.c), loaded (load.c) or looked back at (history.c). */

#include <stdio.h>
#include <stdlib.h>

#include "core/fair.h"
#include "inner.h"

/* ---- moves that count --------------------------------------------------- */

static void played_add(struct table *t, uint32_t ply, int seat)
{
    if (t->played_count == t->played_cap) {
        t->played_cap += t->played_cap / 8 + 32;
        t->played = realloc(t->played, t->played_cap * sizeof(*t->played));
        ASSERT(t->played != NULL);
    }
    t->played[t->played_count++] = (struct played){
        .ply = ply & (PLIES_MAX - 1),
        .seat = (unsigned)seat & 15,
    };
}

static bool played_forget(struct table *t, uint32_t ply)
{
    size_t i = t->played_count;

    while (i > 0 && t->played[i - 1].ply != ply)
        i--;
    if (i-- == 0)
        return false;
    history_cut(t, i);
    memmove(&t->played[i], &t->played[i + 1],
            (t->played_count - i - 1) * sizeof(*t->played));
    t->played_count--;
    if (t->home == NULL)
        log_undone(&t->log, ply, true);
    return true;
}

bool entry_resigns(const struct entry *e)
{
    return e->kind == ENTRY_RESIGN ||
           (e->kind == ENTRY_MISS && e->more.then == MISS_OUT);
}

/* Marks what counts behind PLY as taken back. */
static void entries_forget_since(struct table *t, uint32_t ply)
{
    struct log_reader r;
    struct entry e;

    while (t->played_count > 0 && t->played[t->played_count - 1].ply > ply) {
        t->played_count--;
        if (t->home == NULL)
            log_undone(&t->log, t->played[t->played_count].ply, true);
    }
    history_cut(t, t->played_count);
    log_reader_at(&r, &t->log, ply + 1);
    while (log_read(&r, &e)) {
        if (!entry_resigns(&e))
            continue;
        t->resigned &= (uint16_t)~RULES_BIT(e.seat);
        if (t->home == NULL)
            log_undone(&t->log, r.ply - 1, true);
    }
}

/* ---- people ------------------------------------------------------------- */

/* Seats that stay empty are removed; the others close up. */
static void seats_keep(struct table *t, uint32_t kept)
{
    int to = 0;
    for (int seat = 0; seat < t->seats; seat++) {
        if (!(kept & (1u << seat)))
            continue;
        t->seat[to] = t->seat[seat];
        memmove(t->name[to], t->name[seat], sizeof(t->name[0]));
        memmove(t->nonce[to], t->nonce[seat], sizeof(t->nonce[0]));
        to++;
    }
    t->seats = (uint8_t)to;
    t->setup.seats = to;
}

/* Whoever has the seat now plays, even if it had been given up. */
static void seat_take_over(struct table *t, int seat, id_num account)
{
    t->seat[seat] = account;
    t->resigned &= (uint16_t)~RULES_BIT(seat);
}

/* Every question is put anew, by the last ply. */
static void seats_put_all(struct table *t)
{
    for (int seat = 0; seat < t->seats; seat++)
        t->asked_ply[seat] = t->log.count - 1;
}

void table_name_seat(struct table *t, int seat)
{
    for (size_t i = 0; i < t->known_count; i++)
        if (t->known[i].id == t->seat[seat])
            snprintf(t->name[seat], sizeof(t->name[0]), "%s",
                     t->known[i].name);
}

static void make_key(struct table *t)
{
    const char *nonces[RULES_SEATS_MAX];
    for (int seat = 0; seat < t->seats; seat++)
        nonces[seat] = t->nonce[seat][0] != '\0' ? t->nonce[seat] : NULL;
    fair_key(t->row.seed, nonces, t->seats, t->key);
}

/* Nobody plays on; a game that was going on has that for its result. */
static void give_up(struct table *t)
{
    t->state = TABLE_ABANDONED;
    t->result = t->rules_state != NULL ? "abandoned" : NULL;
}

/* ---- entries ------------------------------------------------------------ */

static bool take_start(struct table *t, const struct entry *e)
{
    if (t->rules_state != NULL)
        return false;
    seats_keep(t, e->kept);
    if (t->home == NULL)
        make_key(t);
    t->start_ply = t->log.count - 1;
    t->state = TABLE_PLAYING;
    return history_first(t);
}

static bool take_move(struct hub *hub, struct table *t, const struct entry *e,
                      struct rules_events *events)
{
    t->draws += e->seat == RULES_NATURE;
    played_add(t, t->log.count - 1, e->seat);
    return t->rules_state != NULL && history_play(hub, t, e, events);
}

/* A vote of somebody's who sits there, or of nobody's. */
static bool take_vote(struct table *t, const struct entry *e)
{
    const struct timing_entry said = {
        .kind = e->kind,
        .seat = e->seat,
        .ply = t->log.count - 1,
        .at = e->at,
        .more = e->more,
    };

    if (e->kind == ENTRY_VOTE && e->seat >= t->seats &&
        e->seat != ENTRY_NOBODY)
        return false;
    votes_take(&t->votes, &said);
    return true;
}

bool entry_apply(struct hub *hub, struct table *t, const struct entry *e,
                 struct rules_events *events)
{
    uint32_t ply = t->log.count - 1;

    events->count = 0;
    if (entry_forms[e->kind].seat && e->seat >= t->seats)
        return false;
    if (entry_forms[e->kind].timed && t->clocks == NULL)
        return false;
    if (!take_vote(t, e))
        return false;
    if (entry_resigns(e))
        t->resigned |= RULES_BIT(e->seat);
    switch (e->kind) {
    case ENTRY_JOIN:
        t->seat[e->seat] = e->u.account;
        table_name_seat(t, e->seat);
        t->bots = bots_at(hub, t);
        return true;
    case ENTRY_LEAVE:
        t->seat[e->seat] = 0;
        t->name[e->seat][0] = t->nonce[e->seat][0] = '\0';
        t->bots = bots_at(hub, t);
        return true;
    case ENTRY_NONCE:
        snprintf(t->nonce[e->seat], sizeof(t->nonce[0]), "%s", e->u.nonce);
        return true;
    case ENTRY_START:
        if (!take_start(t, e))
            return false;
        t->bots = bots_at(hub, t);
        return true;
    case ENTRY_MOVE: return take_move(hub, t, e, events);
    case ENTRY_UNDO:
        t->asked_ply[e->seat] = ply;
        t->undos[e->seat]++;
        clocks_took_back(t, e);
        return e->undoes < ply && played_forget(t, e->undoes);
    case ENTRY_REWIND:
        if (t->rules_state == NULL || e->to >= ply || e->to < t->start_ply)
            return false;
        entries_forget_since(t, e->to);
        seats_put_all(t);
        clocks_took_back(t, e);
        return true;
    case ENTRY_REPLACED:
        seat_take_over(t, e->seat, e->u.account);
        table_name_seat(t, e->seat);
        t->bots = bots_at(hub, t);
        t->asked_ply[e->seat] = ply;
        return true;
    case ENTRY_RENAME:
        if (e->seat < t->seats)
            table_name_seat(t, e->seat);
        return true;
    case ENTRY_ABANDON: give_up(t); return true;
    case ENTRY_RESTORED: t->draws += UINT64_C(1) << 32; return true;
    default: return true;
    }
}

/* Whether a game of two, one of whom resigned, is over. */
static bool resigned_away(const struct table *t)
{
    int left = 0;
    for (int seat = 0; seat < t->seats; seat++)
        left += !(t->resigned & RULES_BIT(seat));
    return t->resigned != 0 && left <= 1;
}

/* What came of a deadline that passed. */
static void conclude_by_time(struct table *t)
{
    const struct clocks *k = t->clocks;

    if (k == NULL || k->timing.end == TIMING_GOES_ON)
        return;
    if (k->timing.end == TIMING_VOID) {
        give_up(t);
    } else {
        t->state = TABLE_FINISHED;
        t->result = "timeout";
    }
}

void entries_conclude(struct table *t)
{
    clocks_fold(t);
    if (t->state != TABLE_PLAYING)
        return;
    if (!resigned_away(t) && !rules_over(t->rules_state)) {
        conclude_by_time(t);
        return;
    }
    t->state = TABLE_FINISHED;
    t->result = resigned_away(t) ? "resigned" : "finished";
}
