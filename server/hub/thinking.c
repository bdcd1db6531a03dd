/* thinking.c -- what bots are asked, who thinks about it, and what becomes of
 * it; see bots.h.
 *
 * A table has one question at a time, whichever of its seats it is about:
 *
 *     ready -> handing -> given -> (bots.play) none
 *       ^                   |
 *       +-------------------+   given back, or who had it is cut off
 *
 * and whatever happens at the table meanwhile makes it another one, or none. */

#include <stdlib.h>

#include "bots.h"
#include "inner.h"

#define EFFORT_HAND 500 /* of making a view, about */

enum thought_state {
    THOUGHT_READY,   /* waits for its turn */
    THOUGHT_HANDING, /* its table is looked at for somebody */
    THOUGHT_GIVEN,   /* somebody thinks */
    THOUGHT_LEFT,    /* nobody could: it is answered when it is due */
    THOUGHT_NONE     /* nothing is asked that a bot did not let be */
};

/* What a table asks of bots. */
struct thought {
    struct due due; /* first: when it is answered without them */
    id_num table, owner;
    int64_t decision;
    peer_id peer; /* who thinks, if GIVEN */
    uint8_t seat, state;
    bool must; /* the seat is waited for */
    int tries; /* to have it answered, that failed */
    TAILQ_ENTRY(thought) next;
    /* Of seats that could have moved and did not: the question.  It is here and
     * not with the table, which may leave memory and would be asked again. */
    int64_t let_be[RULES_SEATS_MAX];
};

/* Who made tables that are READY: they take turns. */
struct asker {
    id_num owner;
    TAILQ_HEAD(thoughts, thought) thoughts;
    TAILQ_ENTRY(asker) next;
};

/* ---- who is next --------------------------------------------------------------- */

static void make_ready(struct bots *b, struct thought *k)
{
    struct asker *a = map_get(&b->owners, k->owner);

    if (a == NULL) {
        a = calloc(1, sizeof(*a));
        ASSERT(a != NULL);
        a->owner = k->owner;
        TAILQ_INIT(&a->thoughts);
        map_put(&b->owners, a->owner, a);
        TAILQ_INSERT_TAIL(&b->askers, a, next);
    }
    TAILQ_INSERT_TAIL(&a->thoughts, k, next);
    k->state = THOUGHT_READY;
    k->peer = 0;
    b->ready++;
}

static void set_aside(struct bots *b, struct thought *k,
                      enum thought_state state)
{
    struct asker *a = map_get(&b->owners, k->owner);

    if (k->state == THOUGHT_READY) {
        b->ready--;
        TAILQ_REMOVE(&a->thoughts, k, next);
        TAILQ_REMOVE(&b->askers, a, next);
        if (TAILQ_EMPTY(&a->thoughts))
            free(map_take(&b->owners, a->owner));
        else /* another one's turn */
            TAILQ_INSERT_TAIL(&b->askers, a, next);
    }
    k->state = (uint8_t)state;
}

static struct thinker *thinker_of(struct bots *b, peer_id peer)
{
    for (size_t i = 0; peer != 0 && i < b->thinkers; i++)
        if (b->thinker[i].peer == peer)
            return &b->thinker[i];
    return NULL;
}

/* Nobody is to answer K any more. */
static void take_back(struct bots *b, struct thought *k)
{
    struct thinker *by = thinker_of(b, k->peer);

    set_aside(b, k, THOUGHT_NONE);
    due_take(&b->due, &k->due);
    if (by != NULL)
        by->table = 0;
    k->peer = 0;
    k->tries = 0;
}

/* K is answered.  Once that is stored the table is looked at, and if it is not
 * it may leave memory: then it is looked at again soon. */
static void answered(struct hub *hub, struct thought *k)
{
    take_back(&hub->bots, k);
    due_put(&hub->bots.due, &k->due, hub->now_ms + LIMIT_BOT_AGAIN_MS);
}

static void drop(struct bots *b, struct thought *k)
{
    take_back(b, k);
    map_take(&b->tables, k->table);
    free(k);
}

/* It could not be answered: once more, or not. */
static void again(struct bots *b, struct thought *k)
{
    if (++k->tries < LIMIT_BOT_TRIES)
        make_ready(b, k);
    else
        set_aside(b, k, THOUGHT_LEFT);
}

/* ---- what a table asks ----------------------------------------------------------- */

static bool for_somebody(const struct table *t, int seat)
{
    return t->clocks != NULL && t->clocks->timing.terms.policy == POLICY_BOT &&
           clocks_gone(t, seat);
}

/* Whether SEAT of T, which may move, has let that question be. */
static bool lets_be(const struct table *t, const struct thought *k, int seat)
{
    return k != NULL && k->let_be[seat] == table_asked_ply(t, seat);
}

/* The seats of T that bots are to move, as bits: those that are waited for, or
 * else those that may; no longer any that LET it be, of which K tells. */
static uint16_t seats_asked(const struct table *t, const struct thought *k,
                            bool *ret_must)
{
    const struct rules_state *s = t->rules_state;
    uint16_t seats = 0;

    *ret_must = true;
    if (!t->readable || t->state != TABLE_PLAYING || s == NULL)
        return 0;
    for (int seat = 0; seat < t->seats; seat++)
        if ((t->bots & RULES_BIT(seat)) != 0 || for_somebody(t, seat))
            seats |= RULES_BIT(seat);
    seats &= (uint16_t)~t->resigned;
    if ((seats & s->acting) != 0)
        return seats & s->acting;
    *ret_must = false;
    seats &= s->may & t->bots;
    for (int seat = 0; seat < t->seats; seat++)
        if ((seats & RULES_BIT(seat)) != 0 &&
            (lets_be(t, k, seat) || for_somebody(t, seat)))
            seats &= (uint16_t)~RULES_BIT(seat);
    return seats;
}

/* Whether K is what T asks. */
static bool is_asked(const struct table *t, const struct thought *k)
{
    bool must;

    return k != NULL && k->state != THOUGHT_NONE &&
           (seats_asked(t, k, &must) & RULES_BIT(k->seat)) != 0 &&
           must == k->must && table_asked_ply(t, k->seat) == k->decision;
}

/* Whether it is to be kept what K's table does not ask any more. */
static bool is_kept(const struct table *t, const struct thought *k)
{
    bool kept = false;

    for (int seat = 0; seat < t->seats && t->state == TABLE_PLAYING; seat++)
        kept = kept ||
               (rules_can_move(t->rules_state, seat) && lets_be(t, k, seat));
    return kept;
}

static struct thought *thought_of(struct bots *b, const struct table *t)
{
    struct thought *k = map_get(&b->tables, t->id);

    if (k != NULL)
        return k;
    k = calloc(1, sizeof(*k));
    ASSERT(k != NULL);
    k->table = t->id;
    k->owner = t->owner;
    k->state = THOUGHT_NONE;
    map_put(&b->tables, k->table, k);
    return k;
}

void bots_look(struct hub *hub, struct table *t)
{
    struct bots *b = &hub->bots;
    struct thought *k = map_get(&b->tables, t->id);
    bool must;

    if (!b->known || is_asked(t, k))
        return;
    uint16_t seats = seats_asked(t, k, &must);
    if (k != NULL)
        take_back(b, k);
    if (seats != 0) {
        k = thought_of(b, t);
        k->seat = (uint8_t)__builtin_ctz(seats);
        k->must = must;
        k->decision = table_asked_ply(t, k->seat);
        due_put(&b->due, &k->due, hub->now_ms + LIMIT_BOT_MS);
        make_ready(b, k);
    } else if (k != NULL && !(t->readable && is_kept(t, k))) {
        drop(b, k);
    }
}

/* ---- handing over ------------------------------------------------------------------ */

/* A question on its way to who asked for one. */
struct handing {
    struct bots *bots;
    struct request *to; /* NULL: was answered */
    id_num table;
};

static void hand(struct hub *hub, const struct table *t,
                 const struct thought *k, struct request *to)
{
    const struct bot *bot = bot_of(hub, t->seat[k->seat]);
    bool own = bot != NULL && !for_somebody(t, k->seat);
    union rules_any view;

    rules_view(t->rules, t->rules_state, k->seat, &view.state);
    struct json_out *o = result_begin(hub, to);
    write_id(o, "table", t->id);
    out_int(o, "seat", k->seat);
    out_int(o, "decision", k->decision);
    out_bool(o, "must", k->must);
    out_string(o, "level",
               mind_level_words[own ? bot->level : BOTS_SUBSTITUTE]);
    json_state(o, "view", t->rules, &view.state);
    result_end(hub, to);
}

static void look_for(struct hub *hub, struct table *t, struct request *job)
{
    struct handing *h = job->kept;
    struct bots *b = &hub->bots;
    struct thought *k = map_get(&b->tables, h->table);
    struct thinker *by = thinker_of(b, h->to->peer);

    if (k == NULL || k->state != THOUGHT_HANDING || !is_asked(t, k) ||
        by == NULL) {
        bots_look(hub, t);
    } else {
        struct request *to = h->to;
        h->to = NULL;
        k->state = THOUGHT_GIVEN;
        k->peer = by->peer;
        by->table = k->table;
        by->since_ms = hub->now_ms;
        hand(hub, t, k, to);
    }
    result_empty(hub, job);
}

/* Whoever was to get a question and did not waits on. */
static void handed(struct request *job)
{
    struct handing *h = job->kept;
    struct thought *k = map_get(&h->bots->tables, h->table);

    if (h->to == NULL)
        return;
    queue_put_first(&h->bots->idle, h->to);
    if (k != NULL && k->state == THOUGHT_HANDING)
        again(h->bots, k);
}

/* Whether who asked by Q may answer now, and ask again: else it waits, and is
 * not cut off for being fast. */
static bool may_answer(const struct hub *hub, const struct request *q)
{
    const struct peer *p = peer_find(hub, q->peer);

    return p == NULL || rate_lasts(hub, p, RATE_MOVE, 2);
}

bool bots_works(const struct hub *hub)
{
    const struct request *q = hub->bots.idle.first;

    if (hub->bots.ready == 0 || !outages_decide(hub))
        return false;
    while (q != NULL && !may_answer(hub, q))
        q = q->next;
    return q != NULL;
}

/* The next that may answer: there is one. */
static struct request *next_idle(struct hub *hub)
{
    struct queue *idle = &hub->bots.idle;

    while (!may_answer(hub, idle->first))
        queue_put(idle, queue_take(idle));
    return queue_take(idle);
}

void bots_work(struct hub *hub)
{
    struct bots *b = &hub->bots;

    while (bots_works(hub) && !work_is_over(hub)) {
        struct request *to = next_idle(hub);
        if (thinker_of(b, to->peer) == NULL) {
            request_done(hub, to);
            continue;
        }
        hub->effort += EFFORT_HAND;
        struct thought *k = TAILQ_FIRST(&TAILQ_FIRST(&b->askers)->thoughts);
        struct request *job = job_new(hub);
        struct handing *h = region_take(&job->region, sizeof(*h));
        set_aside(b, k, THOUGHT_HANDING);
        *h = (struct handing){b, to, k->table};
        job->kept = h;
        job->done = handed;
        job->job = look_for;
        table_job(hub, job, k->table);
    }
}

/* ---- processes --------------------------------------------------------------------- */

void bots_came(struct hub *hub, peer_id peer)
{
    struct bots *b = &hub->bots;

    if (b->thinkers < THINKERS_MAX)
        b->thinker[b->thinkers++] = (struct thinker){
            .peer = peer,
            .since_ms = hub->now_ms,
        };
}

bool bots_think(const struct hub *hub)
{
    const struct bots *b = &hub->bots;
    bool asks = false;

    for (size_t i = 0; i < b->thinkers; i++)
        asks = asks || b->thinker[i].asks;
    return asks || hub->now_ms - b->seen_ms < LIMIT_BOT_MS;
}

/* What BY had is somebody else's now. */
static void give_back(struct hub *hub, struct thinker *by)
{
    struct thought *k = map_get(&hub->bots.tables, by->table);

    by->since_ms = 0;
    if (by->table != 0 && k != NULL && k->peer == by->peer)
        again(&hub->bots, k);
    by->table = 0;
}

void bots_left(struct hub *hub, peer_id peer)
{
    struct bots *b = &hub->bots;
    struct thinker *by = thinker_of(b, peer);

    if (by == NULL)
        return;
    give_back(hub, by);
    if (by->asks)
        b->seen_ms = hub->now_ms;
    *by = b->thinker[--b->thinkers];
    for (size_t n = b->idle.count; n > 0; n--) {
        struct request *q = queue_take(&b->idle);
        if (q->peer == peer)
            request_done(hub, q);
        else
            queue_put(&b->idle, q);
    }
}

void handle_bots_next(struct hub *hub, struct request *q)
{
    struct bots *b = &hub->bots;
    struct thinker *by = thinker_of(b, q->peer);

    if (by == NULL) {
        refuse(hub, q, ERR_FORBIDDEN);
        return;
    }
    for (const struct request *w = b->idle.first; w != NULL; w = w->next)
        if (w->peer == q->peer) {
            refuse(hub, q, ERR_BUSY);
            return;
        }
    give_back(hub, by);
    by->asks = true;
    queue_put(&b->idle, q);
}

/* ---- answers ------------------------------------------------------------------------- */

static enum made_by made_by(const struct table *t, int seat, bool bot)
{
    if (!for_somebody(t, seat))
        return MADE_BY_SEAT;
    return bot ? MADE_BY_BOT : MADE_MILD;
}

static void let_be(struct hub *hub, struct table *t, struct thought *k)
{
    k->let_be[k->seat] = k->decision;
    bots_look(hub, t);
}

/* Who plays what is not legal does not know the game: another process may. */
static void was_illegal(struct hub *hub, struct thinker *by)
{
    struct peer *p = peer_find(hub, by->peer);

    if (++by->illegal < LIMIT_BOT_ILLEGAL || p == NULL)
        return;
    journal_cut(hub, p, "illegal moves");
    peer_drop(hub, p, DROP_POLICY);
}

void handle_bots_play(struct hub *hub, struct table *t, struct request *q)
{
    struct bots *b = &hub->bots;
    struct thinker *by = thinker_of(b, q->peer);
    struct thought *k = map_get(&b->tables, t->id);
    int seat = (int)param_int(q, "seat", 0);

    if (by == NULL || k == NULL || k->peer != q->peer || k->seat != seat ||
        k->decision != param_int(q, "decision", -1) || !is_asked(t, k)) {
        refuse(hub, q, ERR_STALE_DECISION);
    } else if (param(q, "move") != NULL) {
        enum made_by made = made_by(t, seat, true);
        peer_id peer = q->peer;
        if (play_for(hub, t, q, seat, made)) {
            by->since_ms = hub->now_ms;
            answered(hub, k);
        } else {
            by = thinker_of(b, peer);
            if (by != NULL)
                was_illegal(hub, by);
        }
    } else if (k->must) {
        refuse_param(hub, q, "/move", "a move, as the seat is waited for");
    } else {
        let_be(hub, t, k);
        struct json_out *o = result_begin(hub, q);
        out_int(o, "ply", (int64_t)t->log.count - 1);
        result_end(hub, q);
    }
}

/* ---- without an answer --------------------------------------------------------------- */

static void stored(struct hub *hub, struct request *q)
{
    result_empty(hub, q);
}

static void play_mildly(struct hub *hub, struct table *t, struct request *job)
{
    struct thought *k = map_get(&hub->bots.tables, t->id);
    struct rules_move move;

    if (!is_asked(t, k) || k->due.at_ms > hub->now_ms + LIMIT_BOT_AGAIN_MS ||
        !outages_decide(hub)) {
        bots_look(hub, t);
        result_empty(hub, job);
        return;
    }
    int seat = k->seat;
    if (!k->must) {
        let_be(hub, t, k);
        result_empty(hub, job);
        return;
    }
    answered(hub, k);
    hub->counts.bots_mild++;
    rules_default_move(t->rules, t->rules_state, seat, &move);
    struct change *c = change_begin(hub, job, t);
    change_add(c, &(struct entry){
                      .kind = ENTRY_MOVE,
                      .seat = (uint16_t)seat,
                      .u.move = move,
                      .more.made = (uint8_t)made_by(t, seat, false),
                  });
    change_submit(c, stored);
}

static void answer_late(struct hub *hub)
{
    struct bots *b = &hub->bots;
    struct due *first;

    for (int i = 0; i < LIMIT_DEADLINES; i++) {
        first = due_first(&b->due);
        if (first == NULL || first->at_ms > hub->now_ms)
            return;
        struct thought *k = (struct thought *)first;
        struct request *job = job_new(hub);
        due_put(&b->due, first, hub->now_ms + LIMIT_BOT_AGAIN_MS);
        job->job = play_mildly;
        table_job(hub, job, k->table);
    }
}

/* Who thinks for so long may be thought to have stopped. */
static void cut_silent(struct hub *hub)
{
    struct bots *b = &hub->bots;

    for (size_t i = 0; i < b->thinkers; i++) {
        struct thinker *by = &b->thinker[i];
        struct peer *p = peer_find(hub, by->peer);
        if (by->since_ms == 0 || p == NULL || p->dropped ||
            hub->now_ms - by->since_ms < LIMIT_BOT_SILENT_MS)
            continue;
        journal_cut(hub, p, "no answer");
        peer_drop(hub, p, DROP_POLICY);
    }
}

static int64_t later(int64_t at_ms, int64_t ms, int64_t latest_ms)
{
    return at_ms + ms < latest_ms ? at_ms + ms : latest_ms;
}

/* Of the time that there was for an answer those MS do not count.  (The order in
 * which questions are due stays.) */
void thinking_stood_still(struct hub *hub, int64_t ms)
{
    struct bots *b = &hub->bots;

    if (ms <= 0)
        return;
    for (size_t i = 0; i < b->due.count; i++)
        b->due.items[i]->at_ms = later(b->due.items[i]->at_ms, ms,
                                       hub->now_ms + LIMIT_BOT_MS);
    for (size_t i = 0; i < b->thinkers; i++)
        if (b->thinker[i].since_ms != 0)
            b->thinker[i].since_ms = later(b->thinker[i].since_ms, ms,
                                           hub->now_ms);
}

/* While nothing can be decided processes are refused, too. */
void thinking_tick(struct hub *hub)
{
    struct bots *b = &hub->bots;

    if (!outages_decide(hub)) {
        if (b->still_ms == 0)
            b->still_ms = hub->now_ms;
        return;
    }
    if (b->still_ms != 0)
        thinking_stood_still(hub, hub->now_ms - b->still_ms);
    b->still_ms = 0;
    cut_silent(hub);
    answer_late(hub);
}

void thinking_begin(struct hub *hub)
{
    struct bots *b = &hub->bots;

    TAILQ_INIT(&b->askers);
    queue_init(&b->idle);
    b->seen_ms = hub->now_ms;
}

void thinking_done(struct hub *hub)
{
    struct bots *b = &hub->bots;
    struct thought *k;
    struct request *q;

    for (size_t at = 0; (k = map_next(&b->tables, &at)) != NULL; at = 0)
        drop(b, k);
    while ((q = queue_take(&b->idle)) != NULL)
        request_done(hub, q);
    map_done(&b->tables);
    map_done(&b->owners);
    due_done(&b->due);
}
