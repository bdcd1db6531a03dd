/* disk_results.c -- what a store of arrays keeps and says of what became of
 * games, and of how well people play. */

#include <stdlib.h>

#include "core/base.h"
#include "disk_lists.h"
#include "server/hub/access.h"

/* ---- the op --------------------------------------------------------------- */

static struct rating_row *rating_of(const struct disk *d, id_num account,
                                    const char *game, bool many)
{
    for (size_t i = 0; i < d->rating_count; i++)
        if (d->ratings[i].account == account && d->ratings[i].many == many &&
            strcmp(d->ratings[i].game, game) == 0)
            return &d->ratings[i];
    return NULL;
}

static struct disk_pair *pair_of(const struct disk *d, id_num a, id_num b,
                                 const char *game, bool many)
{
    for (size_t i = 0; i < d->pair_count; i++) {
        struct disk_pair *p = &d->pairs[i];
        if (((p->a == a && p->b == b) || (p->a == b && p->b == a)) &&
            p->many == many && strcmp(p->game, game) == 0)
            return p;
    }
    return NULL;
}

/* They have met once more; whether that was for the first time. */
static bool meet(struct disk *d, const struct op *op, id_num a, id_num b)
{
    bool many = op->u.results.seats > 2;
    struct disk_pair *p = pair_of(d, a, b, op->u.results.game, many);
    bool first = p == NULL;

    if (first) {
        p = NEXT(d->pairs, d->pair_count);
        *p = (struct disk_pair){
            .a = a,
            .b = b,
            .game = region_copy(&d->region, op->u.results.game),
            .many = many,
            .at = op->u.results.at,
        };
    }
    p->met = rating_met(p->met, op->u.results.at - p->at) + RATING_MET_ONE;
    p->at = op->u.results.at;
    return first;
}

static void put_rating(struct disk *d, struct disk_table *t,
                       const struct op *op, size_t i, struct rating rating)
{
    const struct result_row *rows = op->u.results.rows;
    const char *game = op->u.results.game;
    bool many = op->u.results.seats > 2;
    struct rating_row *r = rating_of(d, rows[i].account, game, many);

    if (r == NULL) {
        r = NEXT(d->ratings, d->rating_count);
        *r = (struct rating_row){
            .account = rows[i].account,
            .game = region_copy(&d->region, game),
            .many = many,
        };
    }
    r->rating = rating;
    r->games++;
    r->at = op->u.results.at;
    t->results[i].rated = true;
    t->results[i].rating = rating;
}

static bool is_gone(const struct disk *d, id_num account)
{
    const struct account_row *who = disk_account(d, account);
    return who == NULL || who->kind == ACCOUNT_DELETED;
}

static void rate(struct disk *d, struct disk_table *t, const struct op *op)
{
    const struct result_row *rows = op->u.results.rows;
    size_t n = op->u.results.count;
    bool many = op->u.results.seats > 2;
    bool gone[RESULTS_MAX];
    struct rating_player players[RESULTS_MAX] = {0};
    uint32_t met[RESULTS_MAX * RESULTS_MAX] = {0};

    for (size_t i = 0; i < n; i++) {
        const struct rating_row *r = rating_of(d, rows[i].account,
                                               op->u.results.game, many);
        gone[i] = op->u.results.again ? rows[i].gone
                                      : is_gone(d, rows[i].account);
        players[i] = (struct rating_player){
            .rating = r != NULL ? r->rating : rating_new(),
            .seat = rows[i].seat,
            .place = rows[i].place,
            .substitute = rows[i].substitute || gone[i],
        };
        for (size_t k = 0; k < n; k++) {
            const struct disk_pair *p = pair_of(d, rows[i].account,
                                                rows[k].account,
                                                op->u.results.game, many);
            if (p != NULL)
                met[i * n + k] = rating_met(p->met, op->u.results.at - p->at);
        }
    }
    if (!op->u.results.kept)
        rating_game(players, (int)n, met);
    for (size_t i = 0; i < n; i++)
        if (!gone[i])
            put_rating(d, t, op, i,
                       op->u.results.kept ? rows[i].rating
                                          : players[i].rating);
    if (!op->u.results.again)
        *NEXT(d->rated, d->rated_count) = t->row.id;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < i; k++)
            if (rows[i].seat != rows[k].seat && !gone[i] && !gone[k] &&
                meet(d, op, rows[i].account, rows[k].account)) {
                rating_of(d, rows[i].account, op->u.results.game, many)->met++;
                rating_of(d, rows[k].account, op->u.results.game, many)->met++;
            }
}

static struct disk_statistics *statistics_of(struct disk *d,
                                             const struct op *op, uint8_t seat)
{
    for (size_t i = 0; i < d->statistics_count; i++)
        if (d->statistics[i].row.seats == op->u.results.seats &&
            d->statistics[i].row.seat == seat &&
            strcmp(d->statistics[i].game, op->u.results.game) == 0)
            return &d->statistics[i];
    struct disk_statistics *s = NEXT(d->statistics, d->statistics_count);
    s->game = region_copy(&d->region, op->u.results.game);
    s->row.seats = op->u.results.seats;
    s->row.seat = seat;
    return s;
}

static void count(struct disk *d, const struct op *op)
{
    int first = 0;

    for (size_t i = 0; i < op->u.results.count; i++)
        first += op->u.results.rows[i].place == 1;
    for (size_t i = 0; i < op->u.results.count; i++) {
        const struct result_row *row = &op->u.results.rows[i];
        struct statistics_row *s = &statistics_of(d, op, row->seat)->row;
        s->games++;
        s->wins += row->place == 1 ? WIN_PARTS / first : 0;
        s->points += row->points;
        s->plies += op->u.results.plies;
        s->took_ms += op->u.results.took_ms;
    }
}

void disk_put_results(struct disk *d, struct disk_table *t,
                      const struct op *op)
{
    ASSERT(op->u.results.count <= RESULTS_MAX);
    t->result_count = op->u.results.count;
    for (size_t i = 0; i < t->result_count; i++)
        t->results[i] = (struct disk_result){.row = op->u.results.rows[i]};
    if (op->u.results.rated)
        rate(d, t, op);
    if (op->u.results.whole && !op->u.results.again)
        count(d, op);
}

bool disk_ratings_hold(const struct disk *d, const struct op *op)
{
    return op->u.turn == (int64_t)d->rated_count;
}

void disk_put_ratings(struct disk *d, const struct op *op)
{
    if (op->kind == OP_RATINGS_ANEW) {
        d->rating_count = d->pair_count = 0;
        return;
    }
    DROP(struct rating_row, d->ratings, d->rating_count, r,
         is_gone(d, r->account));
    DROP(struct disk_pair, d->pairs, d->pair_count, p,
         is_gone(d, p->a) || is_gone(d, p->b));
}

void disk_results_forget(struct disk *d, id_num account)
{
    DROP(struct rating_row, d->ratings, d->rating_count, r,
         r->account == account);
    DROP(struct disk_pair, d->pairs, d->pair_count, p,
         p->a == account || p->b == account);
}

void disk_results_free(struct disk *d)
{
    free(d->ratings);
    free(d->pairs);
    free(d->rated);
    free(d->statistics);
}

void disk_results_copy(struct disk *d)
{
    d->ratings = list_copy(d->ratings, d->rating_count, sizeof(*d->ratings));
    d->pairs = list_copy(d->pairs, d->pair_count, sizeof(*d->pairs));
    d->rated = list_copy(d->rated, d->rated_count, sizeof(*d->rated));
    d->statistics = list_copy(d->statistics, d->statistics_count,
                              sizeof(*d->statistics));
}

/* ---- ratings ---------------------------------------------------------------- */

static bool is_better(const struct rating_row *a, const struct rating_row *b)
{
    if (a->rating.mean != b->rating.mean)
        return a->rating.mean > b->rating.mean;
    return a->account > b->account;
}

static bool is_ranked(const struct disk *d, const struct question *q,
                      const struct rating_row *r)
{
    const struct account_row *who = disk_account(d, r->account);
    const struct rating_row after = {
        .account = q->u.ratings.after_account,
        .rating.mean = q->u.ratings.after_mean,
    };

    return who != NULL && who->kind == ACCOUNT_USER &&
           r->many == q->u.ratings.many &&
           strcmp(r->game, q->u.ratings.game) == 0 &&
           r->at > q->u.ratings.since && rating_is_sure(&r->rating, r->met) &&
           (after.account == 0 || is_better(&after, r));
}

static void answer_ratings(const struct disk *d, const struct question *q,
                           struct answer *a)
{
    a->ratings = ROOM(a, d->rating_count, struct rating_row);
    for (size_t i = 0; i < d->rating_count; i++) {
        if (!is_ranked(d, q, &d->ratings[i]))
            continue;
        size_t at = a->rating_count++;
        for (; at > 0 && is_better(&d->ratings[i], &a->ratings[at - 1]); at--)
            a->ratings[at] = a->ratings[at - 1];
        a->ratings[at] = d->ratings[i];
        a->ratings[at].name = disk_account(d, d->ratings[i].account)->name;
    }
    cut(&a->rating_count, q->limit, a);
}

/* ACCOUNT, GAME and MANY say in which order. */
static int by_key(const void *a, const void *b)
{
    const struct rating_row *x = a, *y = b;

    if (x->account != y->account)
        return x->account < y->account ? -1 : 1;
    int order = strcmp(x->game, y->game);
    return order != 0 ? order : x->many - y->many;
}

static void answer_all_ratings(const struct disk *d, const struct question *q,
                               struct answer *a)
{
    const struct rating_row after = {
        .account = q->u.ratings_all.account,
        .game = q->u.ratings_all.game != NULL ? q->u.ratings_all.game : "",
        .many = q->u.ratings_all.many,
    };

    a->ratings = ROOM(a, d->rating_count, struct rating_row);
    for (size_t i = 0; i < d->rating_count; i++) {
        if (by_key(&d->ratings[i], &after) <= 0)
            continue;
        const struct account_row *who = disk_account(d, d->ratings[i].account);
        struct rating_row *row = &a->ratings[a->rating_count++];
        *row = d->ratings[i];
        row->name = who != NULL ? who->name : NULL;
    }
    qsort(a->ratings, a->rating_count, sizeof(*a->ratings), by_key);
    cut(&a->rating_count, q->limit, a);
}

static int by_game(const void *a, const void *b)
{
    const struct rating_row *x = a, *y = b;
    int order = strcmp(x->game, y->game);

    return order != 0 ? order : x->many - y->many;
}

void disk_ratings_of(const struct disk *d, id_num account,
                     struct rating_row *rows, size_t *ret_count)
{
    *ret_count = 0;
    for (size_t i = 0; i < d->rating_count; i++)
        if (d->ratings[i].account == account)
            rows[(*ret_count)++] = d->ratings[i];
    qsort(rows, *ret_count, sizeof(*rows), by_game);
}

/* ---- results ---------------------------------------------------------------- */

/* What became of ACCOUNT at T, or NULL. */
static const struct disk_result *result_of(const struct disk_table *t,
                                           id_num account)
{
    for (size_t i = 0; i < t->result_count; i++)
        if (t->results[i].row.account == account)
            return &t->results[i];
    return NULL;
}

static bool played(const struct disk_table *t, id_num account)
{
    return disk_sits(t, account) || result_of(t, account) != NULL;
}

/* Whether who asks may know of it. */
static bool is_seen(const struct disk_table *t, id_num asker)
{
    const struct summary *s = &t->row.summary;

    return access_sees(access_of(asker, t->row.owner, s->seat, RULES_SEATS_MAX,
                                 disk_invited(t, asker)),
                       &t->row);
}

/* Whether it is looked at: of private tables, those of who asks. */
static bool is_there(const struct disk_table *t, const struct question *q)
{
    const struct summary *s = &t->row.summary;
    id_num asker = q->u.results.asker;

    return (s->state == TABLE_FINISHED || s->state == TABLE_ARCHIVED) &&
           s->changed >= q->u.results.since &&
           (q->u.results.until <= 0 || s->changed <= q->u.results.until) &&
           (t->row.private_ ? disk_sat(t, asker) || disk_invited(t, asker)
                            : played(t, q->u.results.account));
}

static bool is_wanted(const struct disk_table *t, const struct question *q)
{
    const struct disk_result *own = result_of(t, q->u.results.account);
    const char *game = q->u.results.game;

    return played(t, q->u.results.account) && is_seen(t, q->u.results.asker) &&
           (q->u.results.with == 0 || played(t, q->u.results.with)) &&
           (game == NULL || strcmp(game, t->row.game) == 0) &&
           (!q->u.results.rated || (own != NULL && own->rated));
}

static void add_player(const struct disk *d, struct result *result,
                       id_num account, int seat, const struct disk_result *is)
{
    const struct account_row *who = disk_account(d, account);
    struct player_result *p = &result->players[result->player_count++];

    *p = (struct player_result){
        .account = account,
        .name = who != NULL ? who->name : NULL,
        .seat = (int8_t)seat,
    };
    if (is == NULL)
        return;
    p->place = is->row.place;
    p->points = is->row.points;
    p->rated = is->rated;
    p->rating = is->rating;
}

static void add_result(const struct disk *d, const struct question *q,
                       const struct disk_table *t, struct answer *a)
{
    const struct summary *s = &t->row.summary;
    const struct disk_result *own = result_of(t, q->u.results.account);
    struct result *result = &a->results[a->result_count];

    *result = (struct result){
        .table = t->row.id,
        .game = t->row.game,
        .ended = s->changed,
        .private_ = t->row.private_,
        .rated = own != NULL && own->rated,
        .players = ROOM(a, RULES_SEATS_MAX + RESULTS_MAX,
                        struct player_result),
    };
    a->result_count++;
    for (int seat = 0; seat < RULES_SEATS_MAX; seat++)
        if (s->seat[seat] != 0)
            add_player(d, result, s->seat[seat], seat,
                       result_of(t, s->seat[seat]));
    for (size_t i = 0; i < t->result_count; i++)
        if (!disk_sits(t, t->results[i].row.account))
            add_player(d, result, t->results[i].row.account, -1,
                       &t->results[i]);
}

static void answer_rated(const struct disk *d, const struct question *q,
                         struct answer *a)
{
    const struct question any = {.limit = 1};
    size_t turn = (size_t)q->u.rated.behind;

    if (turn >= d->rated_count)
        return;
    const struct disk_table *t = disk_table(d, d->rated[turn]);
    a->results = ROOM(a, 1, struct result);
    add_result(d, &any, t, a);
    a->rated = (struct rated_row){
        .turn = q->u.rated.behind + 1,
        .left = q->u.rated.count ? (int64_t)(d->rated_count - turn) : 0,
        .seats = t->row.summary.seats,
    };
}

/* The last of the tables looked at that is before the one that is NUMBER, which
 * ended AT. */
static const struct disk_table *one_before(const struct disk *d,
                                           const struct question *q,
                                           int64_t at, size_t number,
                                           size_t *ret_number)
{
    const struct disk_table *best = NULL;

    for (size_t i = 0; i < d->table_count; i++) {
        const struct disk_table *t = d->tables[i];
        int64_t changed = t->row.summary.changed;
        if (!is_there(t, q) || changed > at || (changed == at && i >= number))
            continue;
        if (best == NULL || changed >= best->row.summary.changed) {
            best = t;
            *ret_number = i;
        }
    }
    return best;
}

static void answer_results(const struct disk *d, const struct question *q,
                           struct answer *a)
{
    int64_t at = INT64_MAX;
    size_t number = d->table_count, looked = 0;
    const struct disk_table *t;

    if (q->u.results.before_table != 0) {
        at = q->u.results.before;
        for (size_t i = 0; i < d->table_count; i++)
            if (d->tables[i]->row.id == q->u.results.before_table)
                number = i;
    }
    a->results = ROOM(a, q->limit, struct result);
    while ((t = one_before(d, q, at, number, &number)) != NULL) {
        bool wanted = is_wanted(t, q);
        a->more = looked++ == q->u.results.look ||
                  (wanted && a->result_count == q->limit);
        if (a->more)
            return;
        a->result_at = at = t->row.summary.changed;
        a->result_table = t->row.id;
        if (wanted)
            add_result(d, q, t, a);
    }
}

/* ---- statistics ----------------------------------------------------------------- */

static int by_seats(const void *a, const void *b)
{
    const struct statistics_row *x = a, *y = b;

    return x->seats != y->seats ? x->seats - y->seats : x->seat - y->seat;
}

static void answer_statistics(const struct disk *d, const struct question *q,
                              struct answer *a)
{
    a->statistics = ROOM(a, d->statistics_count, struct statistics_row);
    for (size_t i = 0; i < d->statistics_count; i++)
        if (strcmp(d->statistics[i].game, q->u.name) == 0)
            a->statistics[a->statistics_count++] = d->statistics[i].row;
    qsort(a->statistics, a->statistics_count, sizeof(*a->statistics),
          by_seats);
}

bool disk_results_answer(const struct disk *d, const struct question *q,
                         struct answer *a)
{
    switch (q->kind) {
    case ASK_RATINGS: answer_ratings(d, q, a); return true;
    case ASK_RATINGS_ALL: answer_all_ratings(d, q, a); return true;
    case ASK_RATED: answer_rated(d, q, a); return true;
    case ASK_RESULTS: answer_results(d, q, a); return true;
    case ASK_STATISTICS: answer_statistics(d, q, a); return true;
    default: return false;
    }
}
