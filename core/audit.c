#include "audit.h"

#include "base.h"

#define WINDOW 64 /* plies an undo looks back; no simultaneous step has more */

int audit_init(struct audit *a, const struct rules *r,
               const struct rules_setup *setup, const char *seed,
               struct audit_ply *at, uint32_t cap, struct rules_problem *why)
{
    ASSERT(fair_seed_ok(seed));
    memset(a, 0, sizeof(*a));
    int refusal = rules_setup(r, &a->any.state, setup, why);
    if (refusal != RULES_OK)
        return refusal;
    a->rules = r;
    a->setup = *setup;
    a->seed = seed;
    a->seats = (uint8_t)setup->seats;
    a->at = at;
    a->cap = cap;
    for (uint8_t seat = 0; seat < a->seats; seat++)
        a->from[seat] = seat;
    return RULES_OK;
}

void audit_time(struct audit *a, const struct terms *terms,
                struct timing_entry *log, uint32_t cap)
{
    ASSERT(a->ply == 0 && terms_valid(terms));
    a->timed = true;
    timing_begin(&a->timing, terms);
    audit_room(a, log, cap);
}

void audit_room(struct audit *a, struct timing_entry *log, uint32_t cap)
{
    a->log = log;
    a->log_cap = cap;
}

/* ---- before the start ------------------------------------------------- */

static bool is_taken(const struct audit *a, int seat)
{
    return (a->taken & RULES_BIT(seat)) != 0;
}

static const char *join(struct audit *a, int seat)
{
    if (is_taken(a, seat))
        return "the seat was taken";
    a->taken |= RULES_BIT(seat);
    return NULL;
}

static const char *leave(struct audit *a, int seat)
{
    if (!is_taken(a, seat))
        return "nobody sat there";
    a->taken &= (uint16_t)~RULES_BIT(seat);
    a->nonce[seat][0] = '\0';
    return NULL;
}

static const char *give_nonce(struct audit *a, int seat, const char *nonce)
{
    size_t len = 0;

    if (!is_taken(a, seat))
        return "nobody sat there";
    if (a->nonce[seat][0] != '\0')
        return "the seat had given a nonce already";
    if (nonce == NULL || !fair_nonce_ok(nonce))
        return "a nonce is 32 to 64 hex digits";
    while (nonce[len] != '\0')
        len++;
    memcpy(a->nonce[seat], nonce, len + 1);
    return NULL;
}

static void make_key(struct audit *a)
{
    const char *nonces[RULES_SEATS_MAX];

    for (int seat = 0; seat < a->seats; seat++)
        nonces[seat] = a->nonce[seat][0] != '\0' ? a->nonce[seat] : NULL;
    fair_key(a->seed, nonces, a->seats, a->key);
}

/* Seats that stay empty are removed; the others close up. */
static const char *start(struct audit *a, uint64_t kept)
{
    uint8_t to = 0;

    if (kept != a->taken)
        return "the game starts with the seats that are taken, all of them";
    for (uint8_t seat = 0; seat < a->seats; seat++) {
        if (!is_taken(a, seat))
            continue;
        a->from[to] = seat;
        if (to != seat)
            memcpy(a->nonce[to], a->nonce[seat], sizeof(a->nonce[0]));
        to++;
    }
    a->seats = to;
    a->setup.seats = to;
    a->taken = (uint16_t)(RULES_BIT(to) - 1);
    if (rules_setup(a->rules, &a->any.state, &a->setup, NULL) != RULES_OK)
        return "the game is not for so many players";
    make_key(a);
    a->start = a->ply;
    a->state = rules_over(&a->any.state) ? AUDIT_FINISHED : AUDIT_PLAYING;
    return NULL;
}

/* ---- play ------------------------------------------------------------- */

static bool same_move(const struct rules_move *a, const struct rules_move *b)
{
    bool same = a->verb == b->verb;
    for (int i = 0; i < RULES_ARGS_MAX; i++)
        same = same && a->arg[i] == b->arg[i];
    return same;
}

/* Who moves before anybody is asked: nature, or the first of the seats that
 * gave up or are played for, and are waited for; ENTRY_NOBODY if it is for the
 * players to say. */
static uint16_t due(const struct audit *a)
{
    uint16_t acting = a->any.state.acting, first = a->resigned;
    struct rules_moment now = rules_moment(a->rules, &a->any.state);

    if (acting & RULES_BIT(RULES_NATURE))
        return RULES_NATURE;
    if (a->timed)
        first |= timing_forced(&a->timing, &now);
    for (uint16_t seat = 0; seat < a->seats; seat++)
        if (acting & first & RULES_BIT(seat))
            return seat;
    return ENTRY_NOBODY;
}

/* The ply at which SEAT's present question was put. */
static uint64_t decision(const struct audit *a, int seat)
{
    uint32_t asked = a->any.state.asked[seat];
    uint64_t ply = asked == 0 ? a->start : a->at[asked - 1].ply;
    return ply > a->put[seat] ? ply : a->put[seat];
}

/* What nature's move has to be, or that of a seat that is not asked. */
static const char *check_due(struct audit *a, uint16_t seat,
                             const struct rules_move *move)
{
    struct rules_move wanted;
    struct rng rng;

    if (seat == RULES_NATURE) {
        rng_init(&rng, a->key, a->draws);
        rules_chance(a->rules, &a->any.state, &rng, &wanted);
        return same_move(move, &wanted) ? NULL
                                        : "it is not what the key draws here";
    }
    rules_default_move(a->rules, &a->any.state, seat, &wanted);
    if (same_move(move, &wanted))
        return NULL;
    return (a->resigned & RULES_BIT(seat)) != 0
               ? "it is not the default move of a seat that has given up"
               : "it is not the default move of a seat that is played for";
}

/* What was to come first, if not that which came: a move of SEAT. */
static const char *to_come(const struct audit *a, uint16_t seat)
{
    if (seat == RULES_NATURE)
        return "a draw of nature was to come first";
    return (a->resigned & RULES_BIT(seat)) != 0
               ? "a seat that has given up was to move first"
               : "a seat that is played for was to move first";
}

static bool given_up(const struct audit *a)
{
    int left = 0;
    for (int seat = 0; seat < a->seats; seat++)
        left += !(a->resigned & RULES_BIT(seat));
    return a->resigned != 0 && left <= 1;
}

static const char *play(struct audit *a, const struct audit_entry *e,
                        int *refusal)
{
    uint16_t first = due(a);
    const char *wrong = NULL;

    if (first != ENTRY_NOBODY && e->seat != first)
        return to_come(a, first);
    if (first == ENTRY_NOBODY && e->seat == RULES_NATURE)
        return "nature had nothing to draw";
    if (e->seat != RULES_NATURE && !rules_can_move(&a->any.state, e->seat))
        return "it was not that seat's turn";
    if (e->seat != RULES_NATURE && e->decision != decision(a, e->seat))
        return "it answers another question than the one that was put";
    if (first != ENTRY_NOBODY || e->more.made == MADE_MILD)
        wrong = check_due(a, e->seat, &e->move);
    if (wrong != NULL)
        return wrong;
    if (a->count >= a->cap)
        return "no game is so long";
    *refusal = rules_apply(a->rules, &a->any.state, e->seat, &e->move,
                           &a->events);
    if (*refusal != RULES_OK)
        return "the rules do not allow that move";
    a->draws += e->seat == RULES_NATURE;
    a->at[a->count++] = (struct audit_ply){
        .ply = a->ply,
        .seat = e->seat,
        .flags = a->events.flags,
        .made = e->more.made,
        .move = e->move,
    };
    if (rules_over(&a->any.state))
        a->state = AUDIT_FINISHED;
    return NULL;
}

static void replay(struct audit *a)
{
    int refusal = rules_setup(a->rules, &a->any.state, &a->setup, NULL);
    ASSERT(refusal == RULES_OK);
    for (uint32_t i = 0; i < a->count; i++) {
        struct audit_ply *p = &a->at[i];
        refusal = rules_apply(a->rules, &a->any.state, p->seat, &p->move,
                              &a->events);
        /* What rules_undo() lets go nothing later rests on. */
        ASSERT(refusal == RULES_OK);
        p->flags = a->events.flags;
        if (a->timed)
            a->log[p->ply].now = rules_moment(a->rules, &a->any.state);
    }
}

static const char *undo(struct audit *a, int seat, uint64_t ply)
{
    struct rules_done done[WINDOW];
    size_t n = a->count < WINDOW ? a->count : WINDOW, at;
    const struct audit_ply *last = a->at + (a->count - n);

    for (size_t i = 0; i < n; i++) {
        /* What was played for somebody stays. */
        uint16_t final = last[i].made != MADE_BY_SEAT ? RULES_FINAL : 0;
        done[i] = (struct rules_done){last[i].seat, last[i].flags | final};
    }
    if (rules_undo(done, n, seat, &at) != RULES_UNDO_YES)
        return "that seat could take nothing back";
    if (last[at].ply != ply)
        return "that seat could take another ply back";
    if (a->timed &&
        (ply <= a->timing.fixed || ply <= a->timing.fixed_of[seat]))
        return "what lies before a miss or another player stays";
    for (size_t i = a->count - n + at; i + 1 < a->count; i++)
        a->at[i] = a->at[i + 1];
    a->count--;
    replay(a);
    a->put[seat] = a->ply;
    return NULL;
}

static const char *resign(struct audit *a, int seat)
{
    if (a->resigned & RULES_BIT(seat))
        return "the seat had given up already";
    a->resigned |= RULES_BIT(seat);
    a->gave_up[seat] = a->ply;
    if (given_up(a))
        a->state = AUDIT_RESIGNED;
    return NULL;
}

/* Takes back all behind PLY that still counted, and puts every question
 * anew. */
static const char *go_back(struct audit *a, uint64_t ply)
{
    uint32_t count = a->count;

    if (ply < a->start || ply >= a->ply)
        return "there is no such ply of the game to go back to";
    while (a->count > 0 && a->at[a->count - 1].ply > ply)
        a->count--;
    bool changed = a->count < count;
    for (int seat = 0; seat < a->seats; seat++) {
        bool back = (a->resigned & RULES_BIT(seat)) && a->gave_up[seat] > ply;
        if (back)
            a->resigned &= (uint16_t)~RULES_BIT(seat);
        changed = changed || back;
        a->put[seat] = a->ply;
    }
    if (!changed)
        return "there was nothing to take back";
    replay(a);
    return NULL;
}

/* Another player takes the seat; if it had been given up it plays again. */
static const char *replace(struct audit *a, int seat)
{
    a->resigned &= (uint16_t)~RULES_BIT(seat);
    a->put[seat] = a->ply;
    return NULL;
}

/* ---- votes ------------------------------------------------------------ */

/* The seats that have a say: they have not given up, and nobody plays for
 * them. */
static uint16_t present(const struct audit *a)
{
    uint16_t away = a->resigned;

    if (a->timed)
        away |= timing_gone(&a->timing);
    return (uint16_t)((RULES_BIT(a->seats) - 1) & ~away);
}

/* The last move that somebody made themselves, which all may agree to take back
 * with what was played for others behind it: so it showed nobody anything, and
 * no chance answered.  NULL: there is none such. */
static const struct audit_ply *last_move(const struct audit *a)
{
    for (uint32_t i = a->count; i-- > 0;) {
        const struct audit_ply *p = &a->at[i];
        if (p->seat == RULES_NATURE ||
            (p->flags & (RULES_REVEALED | RULES_DREW)) != 0)
            return NULL;
        if (p->made == MADE_BY_SEAT && (a->resigned & RULES_BIT(p->seat)) == 0)
            return p;
    }
    return NULL;
}

static const char *check_back(const struct audit *a)
{
    const struct audit_ply *p = last_move(a);

    if (p == NULL)
        return "there was no move that all could agree to take back";
    for (int seat = 0; seat < a->seats; seat++)
        if ((a->resigned & RULES_BIT(seat)) != 0 && a->gave_up[seat] > p->ply)
            return "somebody had given up since";
    if (a->timed &&
        (p->ply <= a->timing.fixed || p->ply <= a->timing.fixed_of[p->seat]))
        return "what lies before a miss or another player stays";
    return NULL;
}

static const char *check_subject(const struct audit *a,
                                 const struct audit_entry *e)
{
    bool back = e->more.about == VOTE_BACK;

    if (!a->timed && !back && e->more.about != VOTE_CANCEL)
        return "the table has no pace";
    return back && e->more.yes ? check_back(a) : NULL;
}

static struct timing_entry timing_entry_of(const struct audit *a,
                                           const struct audit_entry *e)
{
    return (struct timing_entry){
        .kind = e->kind,
        .seat = e->seat,
        .ply = (uint32_t)a->ply,
        .kept = (uint32_t)e->kept,
        .at = e->at,
        .more = e->more,
    };
}

static const char *check_votes(const struct audit *a,
                               const struct audit_entry *e)
{
    const struct timing_entry t = timing_entry_of(a, e);
    const char *wrong = votes_check(&a->votes, &t, present(a));

    if (wrong == NULL && e->kind == ENTRY_VOTE)
        wrong = check_subject(a, e);
    if (wrong == NULL && e->kind == ENTRY_REWIND && a->votes.owed &&
        e->to + 1 != last_move(a)->ply)
        wrong = "it was voted to go back to before the last move";
    return wrong;
}

static void take_votes(struct audit *a, const struct audit_entry *e)
{
    const struct timing_entry t = timing_entry_of(a, e);
    votes_take(&a->votes, &t);
}

/* ---- entries ---------------------------------------------------------- */

/* Those that only tables with a pace have are judged by core/timing.c. */
static bool needs_seat(int kind)
{
    return kind == ENTRY_JOIN || kind == ENTRY_LEAVE || kind == ENTRY_NONCE ||
           kind == ENTRY_MOVE || kind == ENTRY_UNDO || kind == ENTRY_RESIGN ||
           kind == ENTRY_REPLACED;
}

/* Whether all has come that comes by itself. */
static const char *check_followed(const struct audit *a)
{
    if (a->state != AUDIT_PLAYING || due(a) == ENTRY_NOBODY)
        return NULL;
    return to_come(a, due(a));
}

/* What has to hold whatever the entry says. */
static const char *check_entry(const struct audit *a,
                               const struct audit_entry *e)
{
    bool open = e->kind == ENTRY_JOIN || e->kind == ENTRY_LEAVE ||
                e->kind == ENTRY_NONCE || e->kind == ENTRY_START;
    bool playing = e->kind == ENTRY_MOVE || e->kind == ENTRY_UNDO ||
                   e->kind == ENTRY_RESIGN || e->kind == ENTRY_REWIND ||
                   e->kind == ENTRY_REPLACED || e->kind == ENTRY_VOTE;

    if ((a->ply == 0) != (e->kind == ENTRY_CREATE))
        return "the first ply creates the table, and no other does";
    if (a->state > AUDIT_PLAYING)
        return "it was over";
    if (open && a->state != AUDIT_OPEN)
        return "the game had started";
    if (playing && a->state != AUDIT_PLAYING)
        return "the game had not started";
    if (needs_seat(e->kind) && e->seat >= a->seats &&
        !(e->kind == ENTRY_MOVE && e->seat == RULES_NATURE))
        return "there is no such seat";
    if (e->kind != ENTRY_MOVE && !(a->timed && e->kind == ENTRY_MISS))
        return check_followed(a);
    return NULL;
}

static const char *take(struct audit *a, const struct audit_entry *e,
                        int *refusal)
{
    switch (e->kind) {
    case ENTRY_JOIN: return join(a, e->seat);
    case ENTRY_LEAVE: return leave(a, e->seat);
    case ENTRY_NONCE: return give_nonce(a, e->seat, e->nonce);
    case ENTRY_START: return start(a, e->kept);
    case ENTRY_MOVE: return play(a, e, refusal);
    case ENTRY_UNDO: return undo(a, e->seat, e->undoes);
    case ENTRY_RESIGN: return resign(a, e->seat);
    case ENTRY_ABANDON: a->state = AUDIT_ABANDONED; return NULL;
    case ENTRY_RESTORED: a->draws += UINT64_C(1) << 32; return NULL;
    case ENTRY_REWIND: return go_back(a, e->to);
    case ENTRY_REPLACED: return replace(a, e->seat);
    case ENTRY_MISS:
        return e->more.then == MISS_OUT ? resign(a, e->seat) : NULL;
    default: return NULL;
    }
}

/* ---- clocks ------------------------------------------------------------- */

static const char *check_time(const struct audit *a,
                              const struct audit_entry *e)
{
    const struct timing_entry t = timing_entry_of(a, e);

    if (!a->timed)
        return e->kind >= ENTRY_HOURS && e->kind != ENTRY_VOTE
                   ? "the table has no pace"
                   : NULL;
    if (a->log_count >= a->log_cap)
        return "no log is so long";
    return timing_check(&a->timing, &t);
}

/* What was taken back by going back to PLY, or by taking back it alone, counts
 * no more. */
static void forget(struct audit *a, uint64_t ply, bool alone)
{
    for (uint64_t i = ply + !alone; i < a->log_count; i++) {
        uint8_t kind = a->log[i].kind;
        if (kind == ENTRY_MOVE || kind == ENTRY_RESIGN || kind == ENTRY_MISS ||
            kind == ENTRY_GIVE)
            a->log[i].undone = true;
        if (alone)
            break;
    }
}

static void fold_again(struct audit *a)
{
    const struct terms terms = a->timing.terms;

    timing_begin(&a->timing, &terms);
    for (uint32_t i = 0; i < a->log_count; i++)
        timing_take(&a->timing, &a->log[i]);
}

/* Takes E, which came into effect, into the clocks. */
static const char *take_time(struct audit *a, const struct audit_entry *e)
{
    bool back = e->kind == ENTRY_UNDO || e->kind == ENTRY_REWIND;
    struct timing_entry *t = &a->log[a->log_count++];

    *t = timing_entry_of(a, e);
    if (e->kind == ENTRY_MOVE || e->kind == ENTRY_START)
        t->now = rules_moment(a->rules, &a->any.state);
    if (back)
        forget(a, e->kind == ENTRY_UNDO ? e->undoes : e->to,
               e->kind == ENTRY_UNDO);
    if (back)
        fold_again(a);
    else
        timing_take(&a->timing, t);
    if (e->kind == ENTRY_UNDO && !timing_undone_in_time(&a->timing, e->seat))
        return "it was taken back after that seat's time was up";
    if (a->state == AUDIT_PLAYING && a->timing.end != TIMING_GOES_ON)
        a->state = a->timing.end == TIMING_TIMEOUT ? AUDIT_TIMEOUT
                                                   : AUDIT_ABANDONED;
    return NULL;
}

/* Whether the COUNT numbers TOLD, NULL if they are not, are what there is to
 * tell: IS, which was WAS when it was told last. */
static bool is_told(const struct audit *a, const int64_t *told, uint32_t count,
                    const int64_t *was, const int64_t *is)
{
    bool changed = !a->told;

    if (told != NULL && count != a->seats)
        return false;
    for (int i = 0; i < a->seats; i++) {
        changed = changed || was[i] != is[i];
        if (told != NULL && told[i] != is[i])
            return false;
    }
    return told != NULL || !changed;
}

/* Whether E tells what clocks show, and when it has to. */
static const char *check_told(struct audit *a, const struct audit_entry *e)
{
    struct timing_shown is;

    if (!a->timing.on || !a->timing.settled)
        return e->due == NULL && e->bank == NULL
                   ? NULL
                   : "clocks show nothing yet that could be told";
    timing_show(&a->timing, &is);
    if (!is_told(a, e->due, e->due_count, a->shown.due, is.due))
        return "deadlines are others";
    if (!is_told(a, e->bank, e->bank_count, a->shown.bank, is.bank))
        return "what is in the banks is something else";
    a->told = true;
    a->shown = is;
    return NULL;
}

const char *audit_step(struct audit *a, const struct audit_entry *entry,
                       int *refusal)
{
    ASSERT(entry->kind < ENTRY_KINDS);
    *refusal = RULES_OK;
    const char *wrong = check_entry(a, entry);
    if (wrong == NULL)
        wrong = check_time(a, entry);
    if (wrong == NULL)
        wrong = check_votes(a, entry);
    if (wrong == NULL)
        wrong = take(a, entry, refusal);
    if (wrong == NULL)
        take_votes(a, entry);
    if (wrong == NULL && a->timed)
        wrong = take_time(a, entry);
    if (wrong == NULL && a->timed)
        wrong = check_told(a, entry);
    a->ply++;
    return wrong;
}

const char *audit_end(const struct audit *a)
{
    if (a->state == AUDIT_PLAYING && a->votes.owed)
        return "what all had agreed on was to follow";
    return check_followed(a);
}

/* ---- the result ------------------------------------------------------- */

/* Whether RIVAL, who did not give up, ends before SEAT: by place if the rules
 * gave places, else by points. */
static bool is_ahead(const struct rules_score *score, int rival, int seat)
{
    if (score->place[rival] != 0)
        return score->place[rival] < score->place[seat];
    return score->total[rival] > score->total[seat];
}

void audit_score(const struct audit *a, struct rules_score *score)
{
    uint8_t place[RULES_SEATS_MAX] = {0};

    ASSERT(a->state != AUDIT_OPEN && a->state != AUDIT_ABANDONED);
    rules_score(a->rules, &a->any.state, score);
    if (a->state == AUDIT_PLAYING)
        return;
    uint16_t last = a->resigned;
    if (a->state == AUDIT_TIMEOUT)
        last |= RULES_BIT(a->timing.loser);
    for (int seat = 0; seat < a->seats; seat++) {
        bool resigned = (last & RULES_BIT(seat)) != 0;
        place[seat] = 1;
        for (int rival = 0; rival < a->seats; rival++)
            if (!(last & RULES_BIT(rival)) &&
                (resigned || is_ahead(score, rival, seat)))
                place[seat]++;
    }
    memcpy(score->place, place, sizeof(place));
}
