/* results.c -- a game is over: who came where, from its log; see results.h. */

#include "results.h"

#include "inner.h"

/* Who has had the seats of a game, as its log is read. */
struct stints {
    id_num holder[RULES_SEATS_MAX];
    bool substitute[RULES_SEATS_MAX]; /* they have it from somebody else */
    struct result_row left[RESULTS_MAX];
    size_t left_count;
};

static void close_up(struct stints *s, uint32_t kept)
{
    int to = 0;

    for (int seat = 0; seat < RULES_SEATS_MAX; seat++)
        if (kept & (1u << seat))
            s->holder[to++] = s->holder[seat];
}

/* Who began and has left, and left for good: who comes back has not. */
static bool comes_back(struct stints *s, int seat, id_num account)
{
    for (size_t i = 0; i < s->left_count; i++) {
        if (s->left[i].account != account || s->left[i].seat != seat)
            continue;
        s->left[i] = s->left[--s->left_count];
        return true;
    }
    return false;
}

static void replaced(struct stints *s, int seat, id_num account)
{
    if (s->holder[seat] == account)
        return;
    if (!s->substitute[seat] && s->left_count < RESULTS_MAX)
        s->left[s->left_count++] = (struct result_row){
            .account = s->holder[seat],
            .seat = (uint8_t)seat,
            .left = true,
        };
    s->holder[seat] = account;
    s->substitute[seat] = !comes_back(s, seat, account);
}

static void read_stints(const struct table *t, struct stints *s)
{
    struct log_reader r;
    struct entry e;

    *s = (struct stints){0};
    log_reader_at(&r, &t->log, 0);
    while (log_read(&r, &e))
        switch (e.kind) {
        case ENTRY_JOIN: s->holder[e.seat] = e.u.account; break;
        case ENTRY_LEAVE: s->holder[e.seat] = 0; break;
        case ENTRY_START: close_up(s, e.kept); break;
        case ENTRY_REPLACED: replaced(s, e.seat, e.u.account); break;
        default: break;
        }
}

bool results_began_elsewhere(const struct table *t, id_num account, int seat)
{
    struct stints s;

    read_stints(t, &s);
    for (size_t i = 0; i < s.left_count; i++)
        if (s.left[i].account == account && s.left[i].seat != seat)
            return true;
    return false;
}

/* Seats whose players were not there to the end, as bits. */
static uint16_t deserted(const struct table *t)
{
    uint16_t seats = t->resigned;

    if (t->clocks == NULL)
        return seats;
    for (int seat = 0; seat < t->seats; seat++)
        if (t->clocks->timing.clock.seat[seat].gone)
            seats |= RULES_BIT(seat);
    if (t->clocks->timing.end == TIMING_TIMEOUT)
        seats |= RULES_BIT(t->clocks->timing.loser);
    return seats;
}

/* Who stayed is placed as the game has it, who left behind them all. */
size_t results_judge(const struct table *t, struct result_row *rows)
{
    uint16_t left = deserted(t);
    struct rules_score score;
    struct stints s;
    size_t n = 0;

    read_stints(t, &s);
    rules_score(t->rules, t->rules_state, &score);
    for (int seat = 0; seat < t->seats; seat++)
        rows[n++] = (struct result_row){
            .account = t->seat[seat],
            .seat = (uint8_t)seat,
            .left = (left & RULES_BIT(seat)) != 0,
            .substitute = s.substitute[seat],
        };
    for (size_t i = 0; i < s.left_count && n < RESULTS_MAX; i++)
        rows[n++] = s.left[i];
    for (size_t i = 0; i < n; i++) {
        rows[i].points = score.total[rows[i].seat];
        rows[i].place = 1;
        for (int seat = 0; seat < t->seats; seat++)
            if (!rows[seat].left &&
                (rows[i].left || view_is_ahead(&score, seat, rows[i].seat)))
                rows[i].place++;
    }
    return n;
}

static size_t moves_of(const struct table *t)
{
    size_t n = 0;

    for (size_t i = 0; i < t->played_count; i++)
        n += t->played[i].seat < t->seats;
    return n;
}

/* Whether all who began played it to its end, from its beginning. */
static bool is_whole(const struct table *t, const struct result_row *rows,
                     size_t count)
{
    if (t->setup.position != NULL)
        return false;
    for (size_t i = 0; i < count; i++)
        if (rows[i].left || rows[i].substitute)
            return false;
    return rules_over(t->rules_state);
}

void results_derive(struct change *c)
{
    const struct table *t = c->table;
    struct result_row rows[RESULTS_MAX];
    struct entry start;

    size_t n = results_judge(t, rows);
    struct op *op = change_op(c, OP_RESULTS);
    op->u.results.rows = region_take(&c->transaction.region,
                                     n * sizeof(*rows));
    memcpy(op->u.results.rows, rows, n * sizeof(*rows));
    op->u.results.count = n;
    op->u.results.game = t->rules->name;
    op->u.results.seats = t->seats;
    op->u.results.rated = t->row.rated && t->clocks != NULL && t->seats > 1;
    op->u.results.whole = is_whole(t, rows, n);
    op->u.results.plies = (uint32_t)moves_of(t);
    op->u.results.at = table_changed(t);
    log_at(&t->log, t->start_ply, &start);
    op->u.results.took_ms = op->u.results.at - start.at;
}

/* ---- who may sit down ------------------------------------------------------ */

static void admitted(struct hub *hub, struct request *q,
                     const struct answer *answer)
{
    if (answer->account_count == 1 && answer->accounts->kind != ACCOUNT_USER)
        refuse(hub, q, ERR_RATED_GUEST);
    else
        q->admitted(hub, q, answer);
}

void results_admit(struct hub *hub, struct request *q, bool rated,
                   answered_cb then)
{
    const struct answer nothing = {0};

    if (!rated) {
        then(hub, q, &nothing);
        return;
    }
    q->admitted = then;
    struct question ask = {.kind = ASK_ACCOUNT, .u.account = q->account};
    hub_ask(hub, q, &ask, admitted);
}
