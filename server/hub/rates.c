/* rates.c -- how much of what a connection and its address may do.
 *
 * A bucket is kept as the time that it would take to fill what is in it. */

#include "inner.h"

int64_t bucket_take(struct bucket *b, int64_t now_ms, int64_t burst,
                    int64_t one_ms)
{
    int64_t full = burst * one_ms;

    if (b->at_ms == 0)
        b->left_ms = full;
    else if (now_ms > b->at_ms) /* clocks are set back, too */
        b->left_ms += now_ms - b->at_ms;
    if (b->left_ms > full)
        b->left_ms = full;
    b->at_ms = now_ms;
    if (b->left_ms < one_ms)
        return one_ms - b->left_ms;
    b->left_ms -= one_ms;
    return 0;
}

static const struct {
    int64_t burst, one_ms;
} rates[RATES] = {
    [RATE_CHEAP] = {LIMIT_RATE_CHEAP_BURST, 1000 / LIMIT_RATE_CHEAP},
    [RATE_READ] = {LIMIT_RATE_READ_BURST, 1000 / LIMIT_RATE_READ},
    [RATE_WRITE] = {LIMIT_RATE_WRITE_BURST, 1000 / LIMIT_RATE_WRITE},
    [RATE_MOVE] = {LIMIT_RATE_MOVE_BURST, 1000 / LIMIT_RATE_MOVE},
    [RATE_LOGIN] = {LIMIT_RATE_LOGIN_BURST, 60000 / LIMIT_RATE_LOGIN_MINUTE},
};

bool peer_is_limited(const struct hub *hub, const struct peer *p)
{
    return !p->info.admin && (!p->info.direct || hub->config.limits_local);
}

int64_t rate_wait(struct hub *hub, struct peer *p, enum method_rate r)
{
    struct source *s = map_get(&hub->sources, p->info.source);
    int64_t wait;

    if (p->info.bots)
        return bucket_take(&p->rates[r], hub->now_ms, LIMIT_RATE_BOT_BURST,
                           1000 / LIMIT_RATE_BOT);
    if (!peer_is_limited(hub, p))
        return 0;
    wait = bucket_take(&p->rates[r], hub->now_ms, rates[r].burst,
                       rates[r].one_ms);
    if (wait == 0 && s != NULL)
        wait = bucket_take(&s->rates[r], hub->now_ms, 3 * rates[r].burst,
                           rates[r].one_ms / 3);
    return wait;
}

bool rate_lasts(const struct hub *hub, const struct peer *p,
                enum method_rate r, int64_t count)
{
    const struct bucket *b = &p->rates[r];
    int64_t passed = hub->now_ms - b->at_ms;

    return b->at_ms == 0 || b->left_ms + (passed > 0 ? passed : 0) >=
                                count * (1000 / LIMIT_RATE_BOT);
}

static void bucket_charge(struct bucket *b, int64_t now_ms, int64_t full,
                          int64_t cost_ms)
{
    if (b->at_ms == 0) {
        b->at_ms = now_ms;
        b->left_ms = full;
    }
    b->left_ms -= cost_ms;
    if (b->left_ms < -full)
        b->left_ms = -full;
}

void rate_take(struct hub *hub, peer_id peer, enum method_rate r,
               uint64_t count)
{
    int64_t full = rates[r].burst * rates[r].one_ms;
    int64_t cost_ms = (int64_t)count * rates[r].one_ms;
    struct peer *p = peer_find(hub, peer);

    if (p == NULL || !peer_is_limited(hub, p))
        return;
    struct source *s = map_get(&hub->sources, p->info.source);
    bucket_charge(&p->rates[r], hub->now_ms, full, cost_ms);
    if (s != NULL)
        bucket_charge(&s->rates[r], hub->now_ms, full, cost_ms / 3);
}

void rate_charge(struct hub *hub, peer_id peer, uint64_t *spent,
                 uint64_t effort)
{
    uint64_t before = *spent / LIMIT_READ_EFFORT;
    uint64_t after = (*spent += effort) / LIMIT_READ_EFFORT;
    rate_take(hub, peer, RATE_READ, after - before);
}
