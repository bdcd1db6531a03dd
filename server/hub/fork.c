/* fork.c -- a new table that begins where another one is, or was.
 *
 * Of a game that is over it is the position as it was, of any other what who
 * asks could see of it at that ply, with all that they could not see guessed:
 * nothing but their view takes part, so that a fork can tell them, and those
 * they play it with, no more than that did.  Draws come from a seed of its own.
 *
 *     table.fork -> [slices: the log up to that ply] -> the position
 *                -> create.c, as table.create goes on
 *
 * What one plays on from an own view shows others what one knew, so that only
 * those get in who are asked to; and of a rated game nobody tries out what
 * would come while it is played, with bots for advisers. */

#include <stdlib.h>

#include "create.h"
#include "inner.h"

/* Where the fork is to begin, while it is looked for. */
struct fork {
    struct walk walk;
    uint32_t count; /* of entries */
};

static void fork_done(struct request *q)
{
    struct fork *k = q->kept;
    walk_done(&k->walk);
}

/* The position of PAST as who asks by Q may play on from it. */
static const struct rules_state *position_of(struct hub *hub,
                                             struct request *q,
                                             const struct table *past,
                                             bool over)
{
    struct rules_state *s = region_take(&q->region, past->rules->state_size);
    uint8_t seed[RNG_SEED_SIZE];
    union rules_any view;
    struct rng rng;

    if (over) {
        memcpy(s, past->rules_state, past->rules->state_size);
        return s;
    }
    hub->host->random(hub->host, seed, sizeof(seed));
    rng_init(&rng, seed, 0);
    rules_view(past->rules, past->rules_state, table_viewer(past, q->account),
               &view.state);
    rules_guess(past->rules, &view.state, &rng, s);
    return s;
}

/* The board, or the tables of numbers, that T is played with; Q's. */
static struct json_board board_of(struct request *q, const struct table *t)
{
    struct json_board board = {.name = t->setup.asset_name};

    if (t->setup.asset != NULL) {
        board.text = region_text(&q->region, t->setup.asset,
                                 t->setup.asset_len);
        board.len = t->setup.asset_len;
    }
    return board;
}

/* All that the table T says of a fork that begins in PAST; NULL if there is no
 * such seat. */
static struct making *making_of(struct hub *hub, struct request *q,
                                const struct table *t,
                                const struct table *past)
{
    struct making *m = region_take(&q->region, sizeof(*m));
    bool over = t->state == TABLE_FINISHED;
    int viewer = table_viewer(past, q->account);
    int own = viewer == RULES_WATCHER ? 0 : viewer;

    *m = (struct making){
        .rules = t->rules,
        .seats = past->seats,
        .seat = (int)param_int(q, "seat", own),
        .revision = t->revision,
        .board = board_of(q, t),
        .from = t->id,
        .from_ply = past->log.count - 1,
        .hidden = t->row.private_ || !over,
    };
    memcpy(m->options, t->options, sizeof(m->options));
    if (m->seat >= m->seats)
        return NULL;
    m->position = position_of(hub, q, past, over);
    return m;
}

static enum error no_position(const struct table *past)
{
    if (past->state == TABLE_OPEN || past->rules_state == NULL)
        return ERR_BEFORE_START;
    return past->state == TABLE_PLAYING ? ERR_NONE : ERR_GAME_OVER;
}

static bool fork_slice(struct hub *hub, struct table *t, struct request *q)
{
    struct fork *k = q->kept;
    struct making *m = NULL;

    walk_attach(&k->walk, t);
    enum walked walked = walk_to(hub, &k->walk, k->count, work_limit(hub));
    if (walked == WALK_MORE)
        return true;
    if (walked == WALK_BROKEN) {
        replay_broken(hub, t, q);
        return false;
    }
    entries_conclude(&k->walk.past);
    enum error e = no_position(&k->walk.past);
    if (e == ERR_NONE) {
        m = making_of(hub, q, t, &k->walk.past);
        e = m != NULL ? ERR_NONE : ERR_NO_SUCH_SEAT;
    }
    if (e != ERR_NONE) {
        refuse(hub, q, e);
        return false;
    }
    fork_done(q);
    q->done = NULL;
    q->kept = m;
    q->table = NULL; /* which does not wait for the other one */
    create_fork(hub, q, m);
    return false;
}

/* Why nobody who asks by Q may go on from PLY of T, or ERR_NONE. */
static enum error may_fork(const struct table *t, const struct request *q,
                           int64_t ply)
{
    enum error e = table_may_watch(t, q);

    if (e == ERR_NONE && t->row.rated && t->state == TABLE_PLAYING)
        e = ERR_NOT_FINISHED;
    if (e == ERR_NONE && (ply < 0 || ply >= t->log.count))
        e = ERR_NO_SUCH_PLY;
    return e;
}

static void fork_keyed(struct hub *hub, struct request *q,
                       const struct answer *answer)
{
    struct table *t = q->table;
    int64_t ply = param_int(q, "ply", (int64_t)t->log.count - 1);

    if (key_answered(hub, q, answer))
        return;
    enum error e = may_fork(t, q, ply);
    if (e != ERR_NONE) {
        refuse(hub, q, e);
        return;
    }
    struct fork *k = q->kept = region_take(&q->region, sizeof(*k));
    k->count = (uint32_t)ply + 1;
    walk_begin(&k->walk, t, k->count);
    q->done = fork_done;
    work_later(hub, q, fork_slice);
}

void handle_table_fork(struct hub *hub, struct table *t, struct request *q)
{
    (void)t;
    key_ask(hub, q, fork_keyed);
}
