#include "fair.h"

#include <stdlib.h>

#include "core/base.h"
#include "server/hub/limits.h"

/* What was used is forgotten at this pace: by the half in 0.7 of it.  It is no
 * longer, or who plays for a while would be behind those who just came. */
#define FORGET_MS 100
/* The first level: some 65 us. */
#define LEVEL_BITS 16
/* What somebody is taken to have used of whom nothing is known: as much as who
 * plays, or thirty who come at once would all be before them. */
#define UNKNOWN_NS 2000000
/* Who rests is looked after so often. */
#define WAKE_MS 20
/* Who has rested goes on when it is their turn: one in so long, or as many as
 * it takes for all to do so in a while. */
#define LET_MS        2
#define LET_WITHIN_MS 200

/* ---- allowances -------------------------------------------------------- */

static void refill(struct allowance *a, int64_t full, int64_t per_ms,
                   int64_t now_ms)
{
    a->left += (now_ms - a->at_ms) * per_ms;
    if (a->left > full)
        a->left = full;
    a->at_ms = now_ms;
}

static void refill_member(struct member *m, int64_t now_ms)
{
    refill(&m->bytes, LIMIT_INPUT_BURST, LIMIT_INPUT_BYTES_MS, now_ms);
}

static void refill_flow(struct flow *flow, int64_t now_ms)
{
    refill(&flow->bytes, 3 * LIMIT_INPUT_BURST, 3 * LIMIT_INPUT_BYTES_MS,
           now_ms);
}

static void forget_used(struct flow *flow, int64_t now_ms)
{
    int64_t ms = now_ms - flow->used_ms;

    if (ms >= FORGET_MS)
        flow->used_ns = 0;
    else
        flow->used_ns -= flow->used_ns * ms / FORGET_MS;
    flow->used_ms = now_ms;
}

/* How long A, which is PER_MS, is overdrawn. */
static int64_t debt_ms(const struct allowance *a, int64_t per_ms)
{
    return a->left > 0 ? 0 : -a->left / per_ms + 1;
}

static int64_t rest_ms(struct member *m, int64_t now_ms)
{
    if (!m->limited)
        return 0;
    refill_member(m, now_ms);
    refill_flow(m->flow, now_ms);
    int64_t own = debt_ms(&m->bytes, LIMIT_INPUT_BYTES_MS);
    int64_t all = debt_ms(&m->flow->bytes, 3 * LIMIT_INPUT_BYTES_MS);
    return own > all ? own : all;
}

/* Takes BYTES from A; nobody is more in debt than an allowance. */
static void take(struct allowance *a, int64_t full, int64_t bytes)
{
    a->left -= bytes;
    if (a->left < -full)
        a->left = -full;
}

static void take_flow(struct flow *flow, int64_t bytes)
{
    take(&flow->bytes, 3 * LIMIT_INPUT_BURST, bytes);
}

void fair_charge(struct member *m, size_t bytes, int64_t now_ms)
{
    if (!m->limited)
        return;
    refill_member(m, now_ms);
    refill_flow(m->flow, now_ms);
    take(&m->bytes, LIMIT_INPUT_BURST, (int64_t)bytes);
    take_flow(m->flow, (int64_t)bytes);
}

/* ---- lines ------------------------------------------------------------- */

static unsigned level_of(struct flow *flow, int64_t now_ms)
{
    unsigned level = 0;

    forget_used(flow, now_ms);
    while (level + 1 < FAIR_LEVELS &&
           flow->used_ns >> (LEVEL_BITS + level) != 0)
        level++;
    return level;
}

unsigned fair_level(struct member *m, int64_t now_ms)
{
    return m->flow != NULL ? level_of(m->flow, now_ms) : 0;
}

/* The last of those like itself. */
static void line_up(struct fair *f, struct flow *flow, int64_t now_ms)
{
    flow->level = level_of(flow, now_ms);
    flow->place = FLOW_LINE;
    TAILQ_INSERT_TAIL(&f->levels[flow->level], flow, next);
}

static void leave_line(struct fair *f, struct flow *flow)
{
    if (flow->place == FLOW_LINE)
        TAILQ_REMOVE(&f->levels[flow->level], flow, next);
    else if (flow->place == FLOW_STALLED)
        TAILQ_REMOVE(&f->stalled, flow, next);
    flow->place = FLOW_NOWHERE;
}

void fair_want(struct fair *f, struct member *m, int64_t now_ms)
{
    if (m->place != FAIR_NOWHERE)
        return;
    m->place = FAIR_LINE;
    TAILQ_INSERT_TAIL(&m->flow->line, m, next);
    if (m->flow->place == FLOW_NOWHERE && m->flow != f->served)
        line_up(f, m->flow, now_ms);
}

static void take_member(struct fair *f, struct member *m)
{
    if (m->place == FAIR_REST)
        TAILQ_REMOVE(&f->resting, m, next);
    else if (m->place == FAIR_RESTED)
        TAILQ_REMOVE(&f->rested, m, next);
    else if (m->place == FAIR_LINE)
        TAILQ_REMOVE(&m->flow->line, m, next);
    f->rested_count -= m->place == FAIR_RESTED;
    m->place = FAIR_NOWHERE;
}

static void rest(struct fair *f, struct member *m, int64_t ms, int64_t now_ms)
{
    if (TAILQ_EMPTY(&f->resting))
        f->woken_ms = now_ms;
    m->place = FAIR_REST;
    m->rests_till_ms = now_ms + ms;
    TAILQ_INSERT_TAIL(&f->resting, m, next);
    f->rests++;
}

/* Finds those who have rested. */
static void wake(struct fair *f, int64_t now_ms)
{
    struct member *next, *m = TAILQ_FIRST(&f->resting);

    if (m == NULL || now_ms - f->woken_ms < WAKE_MS)
        return;
    f->woken_ms = now_ms;
    for (; m != NULL; m = next) {
        next = TAILQ_NEXT(m, next);
        if (m->rests_till_ms > now_ms)
            continue;
        take_member(f, m);
        m->place = FAIR_RESTED;
        TAILQ_INSERT_TAIL(&f->rested, m, next);
        f->let_count = 1 + ++f->rested_count * LET_MS / LET_WITHIN_MS;
    }
}

/* Some of those get in line again.  A turn that was long lets no more of them
 * go on. */
static void let_on(struct fair *f, int64_t now_ms)
{
    struct member *m;

    if (f->rested_count == 0 || now_ms - f->let_ms < LET_MS)
        return;
    f->let_ms = now_ms;
    for (size_t n = f->let_count;
         n > 0 && (m = TAILQ_FIRST(&f->rested)) != NULL; n--) {
        take_member(f, m);
        fair_want(f, m, now_ms);
    }
}

/* Whether so much is under way that FLOW waits for some of it. */
static bool is_stalled(const struct fair *f, const struct flow *flow)
{
    return TAILQ_FIRST(&flow->line)->limited &&
           (f->busy || flow->asked >= LIMIT_ADDRESS_REQUESTS);
}

static void stall(struct fair *f, struct flow *flow)
{
    flow->place = FLOW_STALLED;
    TAILQ_INSERT_TAIL(&f->stalled, flow, next);
}

/* What FLOW waited for has come, or part of it. */
static void unstall(struct fair *f, struct flow *flow, int64_t now_ms)
{
    if (flow->place != FLOW_STALLED || is_stalled(f, flow))
        return;
    leave_line(f, flow);
    line_up(f, flow, now_ms);
}

void fair_busy(struct fair *f, bool busy, int64_t now_ms)
{
    struct flow *next, *flow = TAILQ_FIRST(&f->stalled);

    if (busy == f->busy)
        return;
    f->busy = busy;
    for (; !busy && flow != NULL; flow = next) {
        next = TAILQ_NEXT(flow, next);
        unstall(f, flow, now_ms);
    }
}

/* What those used who wait longest is forgotten, too, so that none of them
 * waits for ever. */
static void raise_first(struct fair *f, int64_t now_ms)
{
    for (unsigned i = 1; i < FAIR_LEVELS; i++) {
        struct flow *flow = TAILQ_FIRST(&f->levels[i]);
        if (flow == NULL || level_of(flow, now_ms) == i)
            continue;
        leave_line(f, flow);
        line_up(f, flow, now_ms);
    }
}

/* Whose turn among the flows it is. */
static struct flow *first_flow(const struct fair *f)
{
    for (unsigned i = 0; i < FAIR_LEVELS; i++)
        if (!TAILQ_EMPTY(&f->levels[i]))
            return TAILQ_FIRST(&f->levels[i]);
    return NULL;
}

struct member *fair_next(struct fair *f, int64_t now_ms)
{
    struct flow *flow;

    wake(f, now_ms);
    let_on(f, now_ms);
    raise_first(f, now_ms);
    while ((flow = first_flow(f)) != NULL) {
        leave_line(f, flow);
        if (is_stalled(f, flow)) {
            stall(f, flow);
            continue;
        }
        struct member *m = TAILQ_FIRST(&flow->line);
        int64_t ms = rest_ms(m, now_ms);
        take_member(f, m);
        if (ms == 0) {
            f->served = flow;
            f->limits = m->limited;
            return m;
        }
        rest(f, m, ms, now_ms);
        if (!TAILQ_EMPTY(&flow->line))
            line_up(f, flow, now_ms);
    }
    return NULL;
}

/* What a step counts for its length. */
static int64_t long_step(int64_t ns)
{
    int64_t bytes = (ns - LIMIT_STEP_NS) / 1000 * LIMIT_STEP_BYTES_US;
    return bytes < LIMIT_INPUT_BURST ? bytes : LIMIT_INPUT_BURST;
}

static void use(struct flow *flow, bool limited, int64_t ns, int64_t now_ms)
{
    forget_used(flow, now_ms);
    flow->used_ns += ns;
    if (limited && ns > LIMIT_STEP_NS)
        take_flow(flow, long_step(ns));
}

void fair_took(struct fair *f, int64_t ns, int64_t now_ms)
{
    struct flow *flow = f->served;

    f->served = NULL;
    if (flow == NULL)
        return;
    use(flow, f->limits, ns, now_ms);
    if (flow->place == FLOW_NOWHERE && !TAILQ_EMPTY(&flow->line))
        line_up(f, flow, now_ms);
}

void fair_used(struct fair *f, struct member *m, int64_t ns, int64_t others_ns,
               int64_t now_ms)
{
    struct flow *flow = m->flow;

    if (flow == NULL)
        return;
    use(flow, m->limited, ns, now_ms);
    flow->used_ns += others_ns;
    if (flow->place == FLOW_LINE && level_of(flow, now_ms) != flow->level) {
        leave_line(f, flow);
        line_up(f, flow, now_ms);
    }
}

int64_t fair_wait_ms(const struct fair *f, int64_t now_ms)
{
    if (first_flow(f) != NULL)
        return 0;
    if (TAILQ_EMPTY(&f->resting) && f->rested_count == 0)
        return -1;
    int64_t ms = f->rested_count > 0 ? f->let_ms + LET_MS - now_ms
                                     : f->woken_ms + WAKE_MS - now_ms;
    return ms > 0 ? ms : 0;
}

/* ---- what is under way ------------------------------------------------- */

void fair_asked(struct fair *f, struct member *m, size_t count, int64_t now_ms)
{
    struct flow *flow = m->flow;

    if (!m->limited)
        count = 0;
    if (flow == NULL || count == m->asked)
        return;
    flow->asked = flow->asked - m->asked + count;
    m->asked = count;
    unstall(f, flow, now_ms);
}

void fair_hold(struct fair *f, struct member *m, size_t bytes)
{
    struct flow *flow = m->flow;

    f->holders -= flow->held > 0;
    flow->held = flow->held - m->held + bytes;
    f->holders += flow->held > 0;
    f->held = f->held - m->held + bytes;
    m->held = bytes;
}

bool fair_hoards(const struct fair *f, const struct member *m)
{
    return m->held > 0 && m->flow->held >= f->held / f->holders;
}

/* ---- coming and going -------------------------------------------------- */

void fair_init(struct fair *f)
{
    *f = (struct fair){0};
    for (unsigned i = 0; i < FAIR_LEVELS; i++)
        TAILQ_INIT(&f->levels[i]);
    TAILQ_INIT(&f->resting);
    TAILQ_INIT(&f->rested);
    TAILQ_INIT(&f->stalled);
}

static struct flow *flow_new(uint64_t source, int64_t now_ms)
{
    struct flow *flow = calloc(1, sizeof(*flow));

    ASSERT(flow != NULL);
    flow->source = source;
    TAILQ_INIT(&flow->line);
    flow->bytes = (struct allowance){3 * LIMIT_INPUT_BURST, now_ms};
    flow->used_ns = UNKNOWN_NS;
    flow->used_ms = now_ms;
    return flow;
}

/* The flow of SOURCE, as it was left if somebody came from there lately. */
static struct flow *flow_of(struct fair *f, uint64_t source, int64_t now_ms)
{
    if (source == 0)
        return flow_new(0, now_ms);
    struct flow *flow = map_get(&f->flows, source);
    if (flow == NULL) {
        flow = flow_new(source, now_ms);
        map_put(&f->flows, source, flow);
    }
    return flow;
}

void fair_join(struct fair *f, struct member *m, uint64_t source, bool limited,
               int64_t now_ms)
{
    struct flow *before = m->flow;
    enum fair_place place = m->place;
    size_t held = m->held;

    if (before != NULL && source == before->source && limited == m->limited)
        return;
    fair_leave(f, m);
    m->bytes = (struct allowance){LIMIT_INPUT_BURST, now_ms};
    m->flow = flow_of(f, source, now_ms);
    m->flow->members++;
    m->limited = limited;
    f->limited += limited;
    fair_hold(f, m, held);
    if (place != FAIR_NOWHERE)
        fair_want(f, m, now_ms);
}

void fair_leave(struct fair *f, struct member *m)
{
    struct flow *flow = m->flow;

    if (flow == NULL)
        return;
    fair_asked(f, m, 0, flow->used_ms);
    fair_hold(f, m, 0);
    take_member(f, m);
    if (TAILQ_EMPTY(&flow->line))
        leave_line(f, flow);
    f->limited -= m->limited;
    flow->members--;
    m->flow = NULL;
    m->limited = false;
    if (flow->source != 0)
        return; /* it may come again, and shall not be new then */
    if (f->served == flow)
        f->served = NULL;
    free(flow);
}

void fair_tick(struct fair *f, int64_t now_ms)
{
    size_t at = 0;
    struct flow *flow;

    while ((flow = map_next(&f->flows, &at)) != NULL) {
        refill_flow(flow, now_ms);
        if (flow->members > 0 || flow->conns > 0 ||
            flow->place != FLOW_NOWHERE ||
            flow->bytes.left < 3 * LIMIT_INPUT_BURST ||
            level_of(flow, now_ms) > 0)
            continue;
        free(map_take(&f->flows, flow->source));
        at--; /* another may have moved here */
    }
}

void fair_done(struct fair *f)
{
    size_t at = 0;
    struct flow *flow;

    while ((flow = map_next(&f->flows, &at)) != NULL)
        free(flow);
    map_done(&f->flows);
}
