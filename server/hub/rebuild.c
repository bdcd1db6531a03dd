/* rebuild.c -- ratings made anew: admin.ratings.rebuild; see rebuild.h.
 *
 * Each request reads one game, in the order in which they were rated, and keeps
 * who came where.  Whoever asks goes on asking, and nobody else does meanwhile;
 * if they break off, the next one goes on where they were.  Behind the last game
 * all is stored in one transaction, which the store turns into ratings by the
 * code that rates a game when it ends; if one has ended meanwhile, nothing is
 * stored and it is read, too.  What was rated once keeps its turn, so that it
 * can be done again, or by two at once, and comes to the same.
 *
 * Of a game whose log is not here any more the store knows who came where, and
 * that is as good; but not who had a seat before another took it over.  Where
 * somebody did, what all were rated at after it is kept, and they all count as
 * having met. */

#include "rebuild.h"

#include <stdlib.h>

#include "inner.h"
#include "results.h"

/* How many ratings are asked for at a time. */
#define RATINGS_PAGE 1000
/* Of those that changed so many are told, the first ones. */
#define CHANGES_TOLD 200
/* How often it is counted how many are left. */
#define LEFT_EVERY 100
/* Who says nothing for so long, though they are there, has broken off. */
#define SILENT_MS (60 * INT64_C(1000))
/* For how long is kept what nobody goes on with. */
#define KEPT_MS (3600 * INT64_C(1000))

/* A game, as it is to be stored. */
struct rebuilt {
    id_num table;
    const char *game;
    struct result_row *rows;
    size_t count;
    int64_t at;
    uint8_t seats;
    bool kept;
};

struct rebuild {
    peer_id peer;         /* who is at it */
    int64_t asked_ms;     /* when they asked last */
    bool ending;          /* a request is storing it */
    struct region region; /* what the games point to */
    struct region end;    /* what RATED points to, and what changed */
    struct rebuilt *games;
    size_t count, cap;
    struct map tables;        /* of GAMES */
    int64_t turn;             /* of the last one that was read */
    int64_t left;             /* behind it, when they were counted */
    int64_t kept, misplaced;  /* of these */
    struct rating_row *rated; /* what there was before */
    size_t rated_count, rated_cap;
};

/* Somebody whose rating is another one; WAS or IS has no GAME: there is none. */
struct rerated {
    struct rating_row was, is;
};

/* A request's own. */
struct step {
    struct hub *hub;
    int64_t turn; /* behind which its game is */
    bool counts;  /* those that are left */
    struct rated_row rated;
    struct result result; /* what is stored of it */
    /* At the end: */
    struct rebuild *rebuild; /* which nobody else goes on with then */
    bool stored;
    struct rating_row last; /* of the page before */
    size_t at;              /* in what there was before */
    struct rerated *changes;
    size_t changed;
};

void rebuild_free(struct rebuild *r)
{
    if (r == NULL)
        return;
    region_done(&r->region);
    region_done(&r->end);
    map_done(&r->tables);
    free(r->games);
    free(r->rated);
    free(r);
}

void rebuild_tick(struct hub *hub)
{
    const struct rebuild *r = hub->rebuild;

    if (r == NULL || r->ending || r->asked_ms + KEPT_MS > hub->now_ms)
        return;
    rebuild_free(hub->rebuild);
    hub->rebuild = NULL;
}

static struct rebuilt *next_game(struct rebuild *r)
{
    if (r->count == r->cap) {
        r->cap = r->cap > 0 ? 2 * r->cap : 64;
        r->games = reallocarray(r->games, r->cap, sizeof(*r->games));
        ASSERT(r->games != NULL);
    }
    return &r->games[r->count++];
}

/* ---- a game ------------------------------------------------------------- */

static const struct player_result *stored_of(const struct result *stored,
                                             id_num account)
{
    for (size_t i = 0; i < stored->player_count; i++)
        if (stored->players[i].account == account)
            return &stored->players[i];
    return NULL;
}

/* They were deleted before the game ended: of who was afterwards it is still
 * known what they were rated at. */
static bool was_gone(const struct player_result *p)
{
    return p != NULL && !p->rated && (p->name == NULL || p->name[0] == '\0');
}

/* What the log of T says; how many of the places are others than stored. */
static int64_t from_log(const struct table *t, const struct result *stored,
                        struct rebuilt *g)
{
    int64_t misplaced = 0;

    g->count = results_judge(t, g->rows);
    g->game = t->rules->name;
    g->seats = t->seats;
    g->at = table_changed(t);
    for (size_t i = 0; i < g->count; i++) {
        const struct result_row *row = &g->rows[i];
        const struct player_result *p = stored_of(stored, row->account);
        g->rows[i].gone = was_gone(p);
        misplaced += p != NULL &&
                     (p->place != row->place || p->points != row->points);
    }
    return misplaced;
}

/* What is stored, where there is no log. */
static void from_store(const struct step *s, struct rebuilt *g)
{
    g->game = s->result.game;
    g->seats = s->rated.seats;
    g->at = s->result.ended;
    for (size_t i = 0; i < s->result.player_count; i++) {
        const struct player_result *p = &s->result.players[i];
        if (p->place == 0 || g->count == RESULTS_MAX)
            continue;
        g->kept = g->kept || p->seat < 0;
        g->rows[g->count++] = (struct result_row){
            .account = p->account,
            .seat = (uint8_t)p->seat,
            .place = p->place,
            .points = p->points,
            .gone = was_gone(p),
            .rating = p->rating,
        };
    }
}

static void tell_progress(struct hub *hub, struct request *q)
{
    const struct rebuild *r = hub->rebuild;
    struct json_out *o = result_begin(hub, q);

    out_int(o, "games", r != NULL ? (int64_t)r->count : 0);
    out_int(o, "left", r != NULL ? r->left : 0);
    result_end(hub, q);
}

/* A game is rated once, whatever the store has. */
static void put_game(struct rebuild *r, const struct table *t,
                     const struct step *s)
{
    struct result_row rows[RESULTS_MAX] = {0};
    struct rebuilt *g;

    if (map_get(&r->tables, s->result.table) != NULL)
        return;
    map_put(&r->tables, s->result.table, r);
    g = next_game(r);
    *g = (struct rebuilt){.table = s->result.table, .rows = rows};
    if (t->readable && t->state == TABLE_FINISHED)
        r->misplaced += from_log(t, &s->result, g);
    else
        from_store(s, g);
    g->rows = region_take(&r->region, g->count * sizeof(*g->rows));
    memcpy(g->rows, rows, g->count * sizeof(*g->rows));
    g->game = region_copy(&r->region, g->game);
    r->kept += g->kept;
}

static void game_read(struct hub *hub, struct table *t, struct request *q)
{
    struct rebuild *r = hub->rebuild;
    const struct step *s = q->kept;

    /* Who has asked before may have read it, too. */
    if (r != NULL && !r->ending && r->turn == s->turn) {
        put_game(r, t, s);
        r->turn = s->rated.turn;
        if (s->counts)
            r->left = s->rated.left;
        r->left -= r->left > 0;
    }
    tell_progress(hub, q);
}

/* ---- what changed ---------------------------------------------------------- */

static int by_key(const struct rating_row *a, const struct rating_row *b)
{
    if (a->account != b->account)
        return a->account < b->account ? -1 : 1;
    int order = strcmp(a->game, b->game);
    return order != 0 ? order : a->many - b->many;
}

static bool is_same(const struct rating_row *a, const struct rating_row *b)
{
    return a->rating.mean == b->rating.mean &&
           a->rating.variance == b->rating.variance && a->games == b->games &&
           a->met == b->met && a->at == b->at;
}

static struct rating_row row_copy(struct region *region,
                                  const struct rating_row *row)
{
    struct rating_row copy = row != NULL ? *row : (struct rating_row){0};

    copy.game = region_copy(region, copy.game);
    copy.name = region_copy(region, copy.name);
    return copy;
}

static void note_change(struct step *s, const struct rating_row *was,
                        const struct rating_row *is)
{
    struct region *region = &s->rebuild->end;

    if (s->changed++ < CHANGES_TOLD)
        s->changes[s->changed - 1] = (struct rerated){
            row_copy(region, was),
            row_copy(region, is),
        };
}

/* Both are in the same order; ROW is the next one there is now, or NULL: there
 * are no more. */
static void compare(struct step *s, const struct rating_row *row)
{
    const struct rebuild *r = s->rebuild;
    const struct rating_row *was;

    for (; s->at < r->rated_count; s->at++) {
        was = &r->rated[s->at];
        if (row != NULL && by_key(was, row) >= 0)
            break;
        note_change(s, was, NULL);
    }
    if (row == NULL)
        return;
    was = s->at < r->rated_count ? &r->rated[s->at] : NULL;
    if (was == NULL || by_key(was, row) != 0)
        note_change(s, NULL, row);
    else if (s->at++, !is_same(was, row))
        note_change(s, was, row);
}

static void write_points(struct json_out *o, const char *name,
                         const struct rating_row *row)
{
    if (row->game == NULL)
        out_null(o, name);
    else
        out_int(o, name, rating_points(&row->rating));
}

static void write_change(struct json_out *o, const struct rerated *change)
{
    const struct rating_row *row = change->is.game != NULL ? &change->is
                                                           : &change->was;

    out_object(o, NULL);
    write_id(o, "user", row->account);
    if (row->name == NULL || row->name[0] == '\0')
        out_null(o, "name");
    else
        out_string(o, "name", row->name);
    out_string(o, "game", row->game);
    out_string(o, "seats", rating_seats(row));
    write_points(o, "before", &change->was);
    write_points(o, "after", &change->is);
    out_end(o);
}

static void tell_changes(struct hub *hub, struct request *q)
{
    const struct step *s = q->kept;
    const struct rebuild *r = s->rebuild;
    struct json_out *o = result_begin(hub, q);

    out_int(o, "games", (int64_t)r->count);
    out_int(o, "left", 0);
    out_int(o, "kept", r->kept);
    out_int(o, "misplaced", r->misplaced);
    out_int(o, "changed", (int64_t)s->changed);
    out_list(o, "changes");
    for (size_t i = 0; i < s->changed && i < CHANGES_TOLD; i++)
        write_change(o, &s->changes[i]);
    out_end(o);
    result_end(hub, q);
}

/* ---- the end -------------------------------------------------------------- */

static void ask_page(struct hub *hub, struct request *q, answered_cb then)
{
    const struct step *s = q->kept;
    struct question ask = {
        .kind = ASK_RATINGS_ALL,
        .limit = RATINGS_PAGE,
        .u.ratings_all = {s->last.account, s->last.game, s->last.many},
    };
    hub_ask(hub, q, &ask, then);
}

/* The next page is behind ANSWER's. */
static void turn_page(struct step *s, const struct answer *answer)
{
    s->last = row_copy(&s->rebuild->end,
                       &answer->ratings[answer->rating_count - 1]);
}

static void page_after(struct hub *hub, struct request *q,
                       const struct answer *answer)
{
    struct step *s = q->kept;

    for (size_t i = 0; i < answer->rating_count; i++)
        compare(s, &answer->ratings[i]);
    if (answer->more) {
        turn_page(s, answer);
        ask_page(hub, q, page_after);
        return;
    }
    compare(s, NULL);
    tell_changes(hub, q);
}

static void stored(struct hub *hub, struct request *q)
{
    struct step *s = q->kept;

    s->stored = true;
    s->last = (struct rating_row){0};
    s->changes = region_take(&s->rebuild->end,
                             CHANGES_TOLD * sizeof(*s->changes));
    ask_page(hub, q, page_after);
}

static void rate_game(struct change *c, const struct rebuilt *g)
{
    struct op *op = change_op(c, OP_RESULTS);

    op->table = g->table;
    op->u.results.rows = region_take(&c->transaction.region,
                                     g->count * sizeof(*g->rows));
    memcpy(op->u.results.rows, g->rows, g->count * sizeof(*g->rows));
    op->u.results.count = g->count;
    op->u.results.game = change_text(c, g->game);
    op->u.results.seats = g->seats;
    op->u.results.rated = op->u.results.again = true;
    op->u.results.kept = g->kept;
    op->u.results.at = g->at;
}

static void store_all(struct hub *hub, struct request *q)
{
    const struct step *s = q->kept;
    const struct rebuild *r = s->rebuild;
    struct change *c = change_begin(hub, q, NULL);

    change_op(c, OP_RATINGS_ANEW)->u.turn = r->turn;
    for (size_t i = 0; i < r->count; i++)
        rate_game(c, &r->games[i]);
    (void)change_op(c, OP_RATINGS_GONE);
    audit_put(c, q, 0, 0);
    q->conflict = ERR_CONTENDED; /* a game has ended meanwhile */
    change_submit(c, stored);
}

static void page_before(struct hub *hub, struct request *q,
                        const struct answer *answer)
{
    struct step *s = q->kept;
    struct rebuild *r = s->rebuild;

    if (r->rated_count + answer->rating_count > r->rated_cap) {
        r->rated_cap = 2 * (r->rated_count + answer->rating_count);
        r->rated = reallocarray(r->rated, r->rated_cap, sizeof(*r->rated));
        ASSERT(r->rated != NULL);
    }
    for (size_t i = 0; i < answer->rating_count; i++)
        r->rated[r->rated_count++] = row_copy(&r->end, &answer->ratings[i]);
    if (answer->more) {
        turn_page(s, answer);
        ask_page(hub, q, page_before);
    } else {
        store_all(hub, q);
    }
}

/* What was read is kept for who tries again, if it was not stored. */
static void give_back(struct request *q)
{
    const struct step *s = q->kept;

    s->rebuild->ending = false;
    if (!s->stored)
        return;
    rebuild_free(s->rebuild);
    s->hub->rebuild = NULL;
}

static void finish(struct hub *hub, struct request *q)
{
    struct step *s = q->kept;

    s->rebuild = hub->rebuild;
    s->rebuild->ending = true;
    s->rebuild->rated_count = 0;
    region_done(&s->rebuild->end); /* of a try that came to nothing */
    q->done = give_back;
    ask_page(hub, q, page_before);
}

/* ---- a request ------------------------------------------------------------- */

static struct result result_copy(struct region *region,
                                 const struct result *result)
{
    struct result copy = *result;

    copy.game = region_copy(region, result->game);
    copy.players = region_take(region,
                               result->player_count * sizeof(*copy.players));
    for (size_t i = 0; i < result->player_count; i++) {
        copy.players[i] = result->players[i];
        copy.players[i].name = region_copy(region, result->players[i].name);
    }
    return copy;
}

static void game_found(struct hub *hub, struct request *q,
                       const struct answer *answer)
{
    struct step *s = q->kept;

    if (answer->rated.turn > 0) {
        s->rated = answer->rated;
        s->result = result_copy(&q->region, answer->results);
        q->job = game_read;
        table_job(hub, q, s->result.table);
    } else if (hub->rebuild != NULL && !hub->rebuild->ending &&
               hub->rebuild->turn == s->turn) {
        finish(hub, q);
    } else {
        refuse(hub, q, ERR_BUSY); /* another request finishes it */
    }
}

/* Whether somebody but who asks Q is at it. */
static bool is_taken(const struct hub *hub, const struct request *q)
{
    const struct rebuild *r = hub->rebuild;

    if (r == NULL)
        return false;
    return r->ending ||
           (r->peer != q->peer && peer_find(hub, r->peer) != NULL &&
            r->asked_ms + SILENT_MS > hub->now_ms);
}

void handle_admin_ratings_rebuild(struct hub *hub, struct request *q)
{
    struct question ask = {.kind = ASK_RATED};
    struct step *s = q->kept = region_take(&q->region, sizeof(*s));

    if (is_taken(hub, q)) {
        refuse(hub, q, ERR_BUSY);
        return;
    }
    if (param_bool(q, "anew", false)) {
        rebuild_free(hub->rebuild);
        hub->rebuild = NULL;
    }
    if (hub->rebuild == NULL) {
        hub->rebuild = calloc(1, sizeof(*hub->rebuild));
        ASSERT(hub->rebuild != NULL);
    }
    s->hub = hub;
    s->turn = hub->rebuild->turn;
    s->counts = s->turn == 0 || hub->rebuild->count % LEFT_EVERY == 0;
    hub->rebuild->peer = q->peer;
    hub->rebuild->asked_ms = hub->now_ms;
    ask.u.rated.behind = s->turn;
    ask.u.rated.count = s->counts;
    hub_ask(hub, q, &ask, game_found);
}
