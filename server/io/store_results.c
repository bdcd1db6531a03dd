/* store_results.c -- what became of people at tables that are over, and how well
 * they play: the op and the questions of results and ratings. */

#include <stdio.h>
#include <string.h>

#include "core/base.h"
#include "store_inner.h"

/* ---- a game is rated ------------------------------------------------------ */

/* A game while it is rated: its players, and how often each two have met. */
struct rating_work {
    struct writer *w;
    const struct op *op;
    struct sql_arg game, many;
    struct rating_player players[RESULTS_MAX];
    bool gone[RESULTS_MAX]; /* deleted while they played: not rated */
    uint32_t met[RESULTS_MAX * RESULTS_MAX];
    bool new_[RESULTS_MAX * RESULTS_MAX]; /* they had never met */
};

/* The row of numbers that STATEMENT finds, if any. */
static int numbers(struct writer *w, enum writer_statement statement,
                   const struct sql_arg *args, size_t count,
                   int64_t ret_numbers[2], bool *ret_found)
{
    struct sql_stmt *stmt = sql_begin(&w->sql, statement, args, count);

    if (stmt == NULL)
        return sql_errcode(&w->sql);
    int rc = sql_step(stmt);
    *ret_found = rc == SQLITE_ROW;
    for (int i = 0; *ret_found && i < 2; i++)
        ret_numbers[i] = sql_int64(stmt, i);
    sql_reset(stmt);
    return rc == SQLITE_ROW || rc == SQLITE_DONE ? SQLITE_OK : rc;
}

/* Of who is gone nothing is known any more, so nobody gains or loses by them, as
 * if they had taken the seat over. */
static int read_player(struct rating_work *k, size_t i)
{
    const struct result_row *row = &k->op->u.results.rows[i];
    int64_t found[2], there = !row->gone;
    bool any = false;
    int rc = SQLITE_OK;

    if (!k->op->u.results.again)
        rc = sql_number(&k->w->sql, W_IS_THERE, ARGS(INT_(row->account)), 0,
                        &there);
    if (rc != SQLITE_OK)
        return rc;
    k->gone[i] = there == 0;
    k->players[i] = (struct rating_player){
        .rating = rating_new(),
        .seat = row->seat,
        .place = row->place,
        .substitute = row->substitute || k->gone[i],
    };
    rc = numbers(k->w, W_RATING_OF, ARGS(INT_(row->account), k->game, k->many),
                 found, &any);
    if (any)
        k->players[i].rating = (struct rating){found[0], found[1]};
    return rc;
}

/* The pair I and M, as the file names them. */
#define PAIR(k, i, m) \
    INT_(lesser((k)->op->u.results.rows, (i), (m), true)), \
        INT_(lesser((k)->op->u.results.rows, (i), (m), false)), (k)->game, \
        (k)->many

static id_num lesser(const struct result_row *rows, size_t i, size_t m,
                     bool low)
{
    return rows[(rows[i].account < rows[m].account) == low ? i : m].account;
}

static int read_pair(struct rating_work *k, size_t i, size_t m)
{
    size_t count = k->op->u.results.count;
    int64_t found[2];
    bool any = false;

    int rc = numbers(k->w, W_PAIR_OF, ARGS(PAIR(k, i, m)), found, &any);
    uint32_t met = any ? rating_met((uint32_t)found[0],
                                    k->op->u.results.at - found[1])
                       : 0;
    k->met[i * count + m] = k->met[m * count + i] = met;
    k->new_[i * count + m] = k->new_[m * count + i] = !any;
    return rc;
}

/* Whether I and M have met by this game. */
static bool meet(const struct rating_work *k, size_t i, size_t m)
{
    const struct result_row *rows = k->op->u.results.rows;

    return rows[i].seat != rows[m].seat && !k->gone[i] && !k->gone[m];
}

static int read_game(struct rating_work *k)
{
    size_t count = k->op->u.results.count;
    int rc = SQLITE_OK;

    for (size_t i = 0; i < count && rc == SQLITE_OK; i++) {
        rc = read_player(k, i);
        for (size_t m = 0; m < i && rc == SQLITE_OK; m++)
            if (meet(k, i, m))
                rc = read_pair(k, i, m);
    }
    return rc;
}

static int write_player(struct rating_work *k, size_t i, int64_t number)
{
    const struct result_row *row = &k->op->u.results.rows[i];
    size_t count = k->op->u.results.count;
    const struct rating *r = &k->players[i].rating;
    int64_t met = 0;

    for (size_t m = 0; m < count; m++)
        met += k->new_[i * count + m];
    int rc = sql_run(&k->w->sql, W_RATING,
                     ARGS(INT_(row->account), k->game, k->many, INT_(r->mean),
                          INT_(r->variance), INT_(met),
                          INT_(k->op->u.results.at),
                          INT_(RATING_SURE_VARIANCE), INT_(RATING_SURE_MET)));
    if (rc == SQLITE_OK)
        rc = sql_run(&k->w->sql, W_PLAYER_RATING,
                     ARGS(INT_(number), INT_(row->account), INT_(r->mean),
                          INT_(r->variance)));
    return rc;
}

static int write_pair(struct rating_work *k, size_t i, size_t m)
{
    uint32_t met = k->met[i * k->op->u.results.count + m] + RATING_MET_ONE;

    return sql_run(&k->w->sql, W_PAIR,
                   ARGS(PAIR(k, i, m), INT_(met), INT_(k->op->u.results.at)));
}

static int rate(struct writer *w, const struct op *op, int64_t number)
{
    struct rating_work k = {
        .w = w,
        .op = op,
        .game = TEXT_(op->u.results.game),
        .many = INT_(op->u.results.seats > 2),
    };
    int rc = read_game(&k);

    if (rc != SQLITE_OK)
        return rc;
    if (!op->u.results.kept)
        rating_game(k.players, (int)op->u.results.count, k.met);
    for (size_t i = 0; op->u.results.kept && i < op->u.results.count; i++)
        k.players[i].rating = op->u.results.rows[i].rating;
    for (size_t i = 0; i < op->u.results.count && rc == SQLITE_OK; i++) {
        if (!k.gone[i])
            rc = write_player(&k, i, number);
        for (size_t m = 0; m < i && rc == SQLITE_OK; m++)
            if (meet(&k, i, m))
                rc = write_pair(&k, i, m);
    }
    /* What is rated again keeps its turn. */
    if (rc == SQLITE_OK && !op->u.results.again)
        rc = sql_run(&w->sql, W_RATED, ARGS(INT_(number)));
    return rc;
}

/* ---- what else is counted -------------------------------------------------- */

static int64_t wins_of(const struct op *op, const struct result_row *row)
{
    int first = 0;

    for (size_t i = 0; i < op->u.results.count; i++)
        first += op->u.results.rows[i].place == 1;
    return row->place == 1 ? WIN_PARTS / first : 0;
}

static int put_player(struct writer *w, const struct op *op, int64_t number,
                      const struct result_row *row)
{
    int rc = sql_run(&w->sql, W_RESULT,
                     ARGS(INT_(number), INT_(row->account), INT_(row->place),
                          INT_(row->points)));

    if (rc == SQLITE_OK && op->u.results.whole && !op->u.results.again)
        rc = sql_run(&w->sql, W_STATISTICS,
                     ARGS(TEXT_(op->u.results.game), INT_(op->u.results.seats),
                          INT_(row->seat), INT_(wins_of(op, row)),
                          INT_(row->points), INT_(op->u.results.plies),
                          INT_(op->u.results.took_ms)));
    return rc;
}

enum outcome writer_results(struct store *s, const struct op *op)
{
    struct writer *w = &s->writer;
    struct cached_table *h = NULL;
    int rc = cache_find(s, op->table, &h);

    if (rc == SQLITE_OK && (h == NULL || op->u.results.count > RESULTS_MAX))
        return BUG;
    for (size_t i = 0; i < op->u.results.count && rc == SQLITE_OK; i++)
        rc = put_player(w, op, h->number, &op->u.results.rows[i]);
    if (rc == SQLITE_OK && op->u.results.rated)
        rc = rate(w, op, h->number);
    return writer_judge(w, rc, BUG);
}

static int forget_all(struct writer *w)
{
    int rc = sql_run(&w->sql, W_RATINGS_NONE, NO_ARGS);

    if (rc == SQLITE_OK)
        rc = sql_run(&w->sql, W_PAIRS_NONE, NO_ARGS);
    return rc;
}

enum outcome writer_ratings(struct store *s, const struct op *op)
{
    struct writer *w = &s->writer;
    int64_t last = 0;
    int rc;

    if (op->kind == OP_RATINGS_GONE) {
        rc = sql_run(&w->sql, W_RATINGS_GONE, NO_ARGS);
        if (rc == SQLITE_OK)
            rc = sql_run(&w->sql, W_PAIRS_GONE, NO_ARGS);
        return writer_judge(w, rc, BUG);
    }
    rc = sql_number(&w->sql, W_RATED_LAST, NO_ARGS, 0, &last);
    if (rc == SQLITE_OK && last != op->u.turn)
        return CONFLICT;
    return writer_judge(w, rc == SQLITE_OK ? forget_all(w) : rc, BUG);
}

/* ---- questions about ratings ------------------------------------------------ */

void column_rating(struct reader *r, struct sql_stmt *stmt,
                   struct rating_row *row)
{
    *row = (struct rating_row){
        .account = column_id(stmt, 0),
        .game = column_word(r, stmt, 1),
        .many = sql_int(stmt, 2) != 0,
        .rating = {sql_int64(stmt, 3), sql_int64(stmt, 4)},
        .games = sql_int64(stmt, 5),
        .met = sql_int64(stmt, 6),
        .at = sql_int64(stmt, 7),
        .name = column_word(r, stmt, 8),
    };
}

static void take_rating(struct reader *r, struct sql_stmt *stmt)
{
    struct answer *a = &r->ask->answer;
    column_rating(r, stmt, &a->ratings[a->rating_count++]);
}

static void take_statistics(struct reader *r, struct sql_stmt *stmt)
{
    struct answer *a = &r->ask->answer;

    a->statistics[a->statistics_count++] = (struct statistics_row){
        .seats = (uint8_t)sql_int(stmt, 0),
        .seat = (uint8_t)sql_int(stmt, 1),
        .games = sql_int64(stmt, 2),
        .wins = sql_int64(stmt, 3),
        .points = sql_int64(stmt, 4),
        .plies = sql_int64(stmt, 5),
        .took_ms = sql_int64(stmt, 6),
    };
}

/* Room in the answer for so many: one more is asked for than fits. */
#define ROOM(list, most) \
    ((list) = region_take(r->region, ((most) + 1) * sizeof(*(list))))

static int ask_ratings(struct reader *r)
{
    const struct question *q = &r->ask->question;
    int64_t from = q->u.ratings.after_account != 0 ? q->u.ratings.after_mean
                                                   : INT64_MAX;

    ROOM(r->ask->answer.ratings, q->limit);
    return reader_each(
        r,
        sql_begin(r->sql, R_RATINGS,
                  ARGS(TEXT_(q->u.ratings.game), INT_(q->u.ratings.many),
                       INT_(from), INT_(q->u.ratings.after_account),
                       INT_(q->u.ratings.since), INT_((int64_t)q->limit + 1))),
        q->limit, take_rating);
}

static int ask_all_ratings(struct reader *r)
{
    const struct question *q = &r->ask->question;
    const char *game = q->u.ratings_all.game;

    ROOM(r->ask->answer.ratings, q->limit);
    return reader_each(r,
                       sql_begin(r->sql, R_RATINGS_ALL,
                                 ARGS(INT_(q->u.ratings_all.account),
                                      TEXT_(game != NULL ? game : ""),
                                      INT_(q->u.ratings_all.many),
                                      INT_((int64_t)q->limit + 1))),
                       q->limit, take_rating);
}

static int ask_statistics(struct reader *r)
{
    const size_t most = RULES_SEATS_MAX * RULES_SEATS_MAX;

    ROOM(r->ask->answer.statistics, most);
    return reader_each(r,
                       sql_begin(r->sql, R_STATISTICS,
                                 ARGS(TEXT_(r->ask->question.u.name))),
                       most, take_statistics);
}

/* ---- results ---------------------------------------------------------------- */

struct result_page {
    struct reader *r;
    struct result *results;
    int64_t *numbers; /* of their tables */
    size_t count;
};

/* Takes the table that STMT stands at if it is wanted; false: it is the first
 * that is not on the page any more. */
static bool take_result(struct result_page *p, struct sql_stmt *stmt)
{
    struct answer *a = &p->r->ask->answer;
    bool wanted = sql_int(stmt, 6) != 0;

    if (wanted && p->count == p->r->ask->question.limit)
        return false;
    a->result_table = column_id(stmt, 1);
    a->result_at = sql_int64(stmt, 3);
    if (!wanted)
        return true;
    p->numbers[p->count] = sql_int64(stmt, 0);
    p->results[p->count++] = (struct result){
        .table = a->result_table,
        .game = column_word(p->r, stmt, 2),
        .ended = a->result_at,
        .private_ = sql_int(stmt, 4) != 0,
        .rated = sql_int(stmt, 5) != 0,
    };
    return true;
}

static int choose_results(struct result_page *p, int64_t before_number)
{
    struct reader *r = p->r;
    const struct question *q = &r->ask->question;
    int64_t until = q->u.results.until > 0 ? q->u.results.until : INT64_MAX;
    int64_t from = q->u.results.before_table != 0 ? q->u.results.before
                                                  : until;
    size_t looked = 0;
    int rc;

    struct sql_stmt *stmt = sql_begin(
        r->sql, R_RESULTS,
        ARGS(INT_(q->u.results.account), INT_(from), INT_(before_number),
             INT_(q->u.results.since), TEXT_(q->u.results.game),
             INT_(q->u.results.with), INT_(q->u.results.rated),
             INT_(q->u.results.asker), INT_((int64_t)q->u.results.look + 1)));
    if (stmt == NULL)
        return sql_errcode(r->sql);
    while ((rc = sql_step(stmt)) == SQLITE_ROW)
        if (looked++ == q->u.results.look || !take_result(p, stmt)) {
            r->ask->answer.more = true;
            rc = SQLITE_DONE;
            break;
        }
    sql_reset(stmt);
    return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

/* The players of all tables of the page, in one statement. */
static int read_players(struct result_page *p)
{
    struct reader *r = p->r;
    char *numbers = region_take(r->region, p->count * 21 + 3);
    size_t len = 0;
    int rc;

    for (size_t i = 0; i < p->count; i++)
        len += (size_t)sprintf(numbers + len, "%c%lld", i == 0 ? '[' : ',',
                               (long long)p->numbers[i]);
    memcpy(numbers + len, "]", 2);
    struct sql_stmt *stmt = sql_begin(r->sql, R_RESULT_PLAYERS,
                                      ARGS(TEXT_(numbers)));
    if (stmt == NULL)
        return sql_errcode(r->sql);
    while ((rc = sql_step(stmt)) == SQLITE_ROW) {
        int64_t at = sql_int64(stmt, 0);
        ASSERT(at >= 0 && (size_t)at < p->count);
        struct result *result = &p->results[at];
        if (result->players == NULL)
            result->players =
                region_take(r->region, RESULTS_MAX * sizeof(*result->players));
        if (result->player_count == RESULTS_MAX)
            continue; /* who came and went before the start */
        result->players[result->player_count++] = (struct player_result){
            .account = column_id(stmt, 1),
            .name = column_text(r, stmt, 2),
            .seat = (int8_t)(sql_is_null(stmt, 3) ? -1 : sql_int(stmt, 3)),
            .place = (uint8_t)sql_int(stmt, 4),
            .points = sql_int(stmt, 5),
            .rated = !sql_is_null(stmt, 6),
            .rating = {sql_int64(stmt, 6), sql_int64(stmt, 7)},
        };
    }
    sql_reset(stmt);
    return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

static int ask_results(struct reader *r)
{
    const struct question *q = &r->ask->question;
    struct answer *a = &r->ask->answer;
    int64_t number = INT64_MAX;
    struct result_page p = {.r = r};
    int rc = SQLITE_OK;

    ROOM(p.results, q->limit);
    ROOM(p.numbers, q->limit);
    if (q->u.results.before_table != 0)
        rc = sql_number(r->sql, R_TABLE_NUMBER,
                        ARGS(INT_(q->u.results.before_table)), 0, &number);
    if (rc == SQLITE_OK)
        rc = choose_results(&p, number);
    if (rc == SQLITE_OK && p.count > 0)
        rc = read_players(&p);
    a->results = p.results;
    a->result_count = p.count;
    return rc;
}

/* The table that STMT stands at, with the turn that it was rated in. */
static void take_rated(struct result_page *p, struct sql_stmt *stmt)
{
    p->r->ask->answer.rated = (struct rated_row){
        .turn = sql_int64(stmt, 0),
        .seats = (uint8_t)sql_int(stmt, 4),
    };
    p->numbers[0] = sql_int64(stmt, 1);
    p->results[0] = (struct result){
        .table = column_id(stmt, 2),
        .game = column_word(p->r, stmt, 3),
        .ended = sql_int64(stmt, 5),
        .rated = true,
    };
    p->count = 1;
}

static int ask_rated(struct reader *r)
{
    struct answer *a = &r->ask->answer;
    struct result_page p = {.r = r};

    ROOM(p.results, 1);
    ROOM(p.numbers, 1);
    struct sql_stmt *stmt =
        sql_begin(r->sql, R_RATED,
                  ARGS(INT_(r->ask->question.u.rated.behind)));
    if (stmt == NULL)
        return sql_errcode(r->sql);
    int rc = sql_step(stmt);
    if (rc == SQLITE_ROW)
        take_rated(&p, stmt);
    sql_reset(stmt);
    if (p.count > 0)
        rc = read_players(&p);
    if (p.count > 0 && rc == SQLITE_OK && r->ask->question.u.rated.count)
        rc = sql_number(r->sql, R_RATED_LEFT, ARGS(INT_(a->rated.turn)), 0,
                        &a->rated.left);
    a->results = p.results;
    a->result_count = p.count;
    return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

int reader_results(struct reader *r)
{
    switch (r->ask->question.kind) {
    case ASK_RATINGS: return ask_ratings(r);
    case ASK_RATINGS_ALL: return ask_all_ratings(r);
    case ASK_RATED: return ask_rated(r);
    case ASK_STATISTICS: return ask_statistics(r);
    default: return ask_results(r);
    }
}
