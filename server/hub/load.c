/* load.c -- a table comes into memory: its row, and its log line by line, each
 * applied at once.
 *
 *     table_load()   -> [its turn]  -> the store is asked
 *     table_loaded() -> [slices]    -> there; who waits for it goes on
 *
 * One that was in memory and may be ahead of what is stored, or behind it, keeps
 * what is stored for sure: table_refetch().  Only what follows is asked for, and
 * what is in memory comes into effect once more before it.
 *
 * Whoever waits for it first is who it is done for: in their queue.  When all
 * who wait have gone it is not gone on with. */

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "inner.h"

#define EFFORT_LINE  40 /* to parse one */
#define EFFORT_KNOWN 1  /* to go over one that is in memory */
#define EFFORT_TURN  50 /* to begin with one, or to give it up */

/* A table on its way. */
struct loading {
    struct work work;
    struct table *table;
    bool asked; /* the store, and so counted in hub->loading */
    uint64_t spent;
    struct answer answer;
    size_t at; /* lines taken */
    struct steps steps;
    /* What was in memory and is stored for sure, if T is fetched again; it goes
     * before the lines, all but what T has a snapshot of. */
    struct log known;
    struct log_reader reader;
};

/* ---- what the row says -------------------------------------------------- */

/* What it agreed on about time, if anything, is in its header. */
static bool take_terms(struct table *t, const json_t *header)
{
    struct terms terms;

    if (json_object_get(header, "pace") == NULL)
        return true;
    if (!json_terms_read(header, &terms))
        return false;
    t->clocks = clocks_new(&terms);
    return true;
}

/* Which table's game is played again, if it is one. */
static id_num again_of(const json_t *header)
{
    const char *id = json_string_value(json_object_get(header, "again_of"));
    id_num table = 0;

    return id != NULL && id_read(id, &table) ? table : 0;
}

/* Where it goes on from, if it is a fork: that is in its header, too. */
static bool take_position(struct table *t, const json_t *header)
{
    const json_t *position = json_object_get(header, "position");
    const json_t *from = json_object_get(header, "from");
    const char *id = json_string_value(json_object_get(from, "table"));
    struct json_refusal refusal;
    union rules_any s;

    if (position == NULL)
        return true;
    if (json_state_read(t->rules, position, &s.state, &refusal) != RULES_OK)
        return false;
    t->setup.position = memcpy(region_take(&t->region, t->rules->state_size),
                               &s, t->rules->state_size);
    if (id == NULL || !id_read(id, &t->from))
        t->from = 0;
    t->from_ply = (uint32_t)json_integer_value(json_object_get(from, "ply"));
    return true;
}

/* The setup that the row tells of, into T.  False if this server cannot. */
static bool take_setup(struct table *t)
{
    char why[JSON_EXPECTED_MAX];
    struct json_refusal refusal;
    struct json_board board = {0};
    json_t *options = json_parse(t->row.options, strlen(t->row.options), why);
    json_t *header = json_parse(t->row.header, strlen(t->row.header), why);
    int64_t revision = json_integer_value(json_object_get(header, "revision"));
    bool fine = options != NULL && header != NULL && t->rules != NULL &&
                revision >= 1 && revision <= t->rules->revision &&
                json_options_read(t->rules, options, t->options, &refusal) ==
                    RULES_OK;

    fine = fine && take_terms(t, header);
    int64_t seats = json_integer_value(json_object_get(header, "seats"));
    fine = fine && seats >= 1 && seats <= RULES_SEATS_MAX;
    t->revision = (uint16_t)revision;
    t->seats = t->seats_made = fine ? (uint8_t)seats : 0;
    t->setup = (struct rules_setup){
        .seats = t->seats,
        .revision = t->revision,
        .options = t->options,
        .asset = t->row.asset,
        .asset_len = t->row.asset_len,
    };
    if (fine && t->row.asset == NULL && t->row.board != NULL) {
        json_t *value = json_parse(t->row.board, strlen(t->row.board), why);
        fine = value != NULL && json_board_read(t->rules, value, 0, &board,
                                                &refusal) == RULES_OK;
        t->setup.asset_name = board.name;
        json_board_done(&board);
        json_decref(value);
    }
    t->again_of = again_of(header);
    fine = fine && take_position(t, header);
    json_decref(options);
    json_decref(header);
    return fine;
}

/* The names as the log's last line knows them. */
static void take_names(struct table *t, const struct answer *answer)
{
    for (size_t i = 0; i < answer->name_count; i++)
        table_know(t, answer->names[i].id, answer->names[i].name);
    for (size_t i = 0; i < answer->rename_count; i++)
        table_know(t, answer->renames[i].id, answer->renames[i].name);
}

void table_row_copy(struct table_row *to, const struct table_row *from,
                    struct region *r)
{
    *to = *from;
    to->game = region_copy(r, from->game);
    to->join_password = region_copy(r, from->join_password);
    to->seed = region_copy(r, from->seed);
    to->header = region_copy(r, from->header);
    to->options = region_copy(r, from->options);
    to->terms = region_copy(r, from->terms);
    to->board = region_copy(r, from->board);
    to->asset = from->asset != NULL
                    ? region_text(r, from->asset, from->asset_len)
                    : NULL;
}

static void take_row(struct table *t, const struct answer *answer)
{
    const struct table_row *from = answer->table;
    struct region *r = &t->region;

    table_row_copy(&t->row, from, r);
    t->owner = from->owner;
    t->rules = rules_find(t->row.game);
    t->texts_last = answer->texts_last;
    t->invited_count = t->invited_room = answer->invited_count;
    if (t->invited_count > LIMIT_INVITED)
        t->invited_count = t->invited_room = LIMIT_INVITED;
    t->invited = region_take(r, t->invited_room * sizeof(*t->invited));
    for (size_t i = 0; i < t->invited_count; i++)
        t->invited[i] = answer->invited[i];
}

/* As the header tells it: that of an imported table was made for the id that it
 * had where it was played. */
static void commit_text(struct table *t)
{
    char why[JSON_EXPECTED_MAX];
    json_t *header = json_parse(t->row.header, strlen(t->row.header), why);
    const char *text = json_string_value(
        json_object_get(header, "commitment"));

    if (text != NULL)
        snprintf(t->commitment, sizeof(t->commitment), "%s", text);
    json_decref(header);
}

bool load_row(struct table *t, const struct answer *answer)
{
    take_row(t, answer);
    take_names(t, answer);
    commit_text(t);
    return take_setup(t);
}

/* ---- what the log says -------------------------------------------------- */

static bool take_line(struct hub *hub, struct table *t,
                      const struct ply_row *row)
{
    char why[JSON_EXPECTED_MAX];
    struct rules_events events;
    struct line_room room;
    struct entry e;
    json_t *line = json_parse(row->line, row->len, why);
    bool fine = line != NULL && row->ply == t->log.count &&
                row->ply < PLIES_MAX &&
                line_read(t, line, t->rules_state, &e, &room);

    if (fine)
        clocks_told(t, line);
    json_decref(line);
    hub->effort += EFFORT_LINE;
    if (!fine)
        return false;
    e.check = chain_fold(row->chain);
    memcpy(t->chain, row->chain, sizeof(t->chain));
    log_append(&t->log, &e);
    if (!entry_apply(hub, t, &e, &events))
        return false;
    history_snapshot(hub, t);
    return true;
}

/* The next entry of those that are known, which comes into effect once more. */
static bool take_known(struct hub *hub, struct table *t)
{
    struct rules_events events;
    struct entry e;
    bool read = log_read(&t->loading->reader, &e);

    ASSERT(read);
    hub->effort += EFFORT_KNOWN;
    t->log.count++;
    if (e.undone) /* not yet, or not at all */
        log_undone(&t->log, t->log.count - 1, false);
    if (!entry_apply(hub, t, &e, &events))
        return false;
    history_snapshot(hub, t);
    return true;
}

/* Takes entries until HUB->effort is LIMIT. */
static enum walked take_entries(struct hub *hub, struct table *t,
                                uint64_t limit)
{
    struct loading *l = t->loading;

    for (;;) {
        enum walked walked = history_fold(hub, t, limit);
        bool known = t->log.count < l->known.count;
        if (walked != WALK_DONE)
            return walked;
        if (!known && l->at == l->answer.ply_count)
            return WALK_DONE;
        if (hub->effort >= limit)
            return WALK_MORE;
        if (!(known ? take_known(hub, t)
                    : take_line(hub, t, &l->answer.plies[l->at++])))
            return WALK_BROKEN;
    }
}

/* The log says nothing yet of names that have changed, nor of when people are
 * there: it does before anything else happens here. */
static void renames_due(struct hub *hub, struct table *t,
                        const struct answer *answer)
{
    for (size_t i = 0; i < answer->untold_count; i++)
        presence_due(hub, t, answer->untold[i]);
    for (size_t i = 0; i < answer->rename_count; i++)
        for (size_t k = 0; k < answer->name_count; k++)
            if (answer->names[k].id == answer->renames[i].id)
                maintenance_due(hub, t, answer->names[k].id,
                                answer->names[k].name);
}

/* This server cannot replay it, and nobody can be told of it; who sits there is
 * known from the row. */
static void unreadable(struct hub *hub, struct table *t)
{
    if (!t->archived)
        journal_table(hub, t, "not_replayable");
    watch_drop(hub, t);
    t->state = TABLE_OPEN;
    t->seats = t->row.summary.seats < RULES_SEATS_MAX ? t->row.summary.seats
                                                      : RULES_SEATS_MAX;
    memcpy(t->seat, t->row.summary.seat, sizeof(t->seat));
    for (int seat = 0; seat < t->seats; seat++)
        table_name_seat(t, seat);
}

/* ---- in slices ---------------------------------------------------------- */

/* On whose behalf T is loaded: the first who waits for it and is still there;
 * 0: the hub's own.  False if nobody wants it any more. */
static bool wanted(const struct hub *hub, const struct table *t,
                   peer_id *ret_peer)
{
    *ret_peer = 0;
    for (const struct request *q = t->queue.first; q != NULL; q = q->next) {
        if (q->peer != 0 && peer_find(hub, q->peer) == NULL)
            continue;
        *ret_peer = q->peer;
        return true;
    }
    return t->watchers != NULL;
}

peer_id load_asker(const struct hub *hub, const struct table *t)
{
    peer_id peer;

    (void)wanted(hub, t, &peer);
    return peer;
}

static void ask(struct hub *hub, struct table *t)
{
    struct pending *pending = calloc(1, sizeof(*pending));
    struct question question = {.kind = ASK_TABLE, .u.table = {.id = t->id}};

    ASSERT(pending != NULL);
    if (t->log.count > 0)
        question.u.table.from = t->log.count - 1;
    for (struct request *q = t->queue.first; q != NULL; q = q->next)
        q->fresh = true; /* they are answered by what is read now */
    t->gaps = hub->news.gaps;
    pending->id = t->busy = ++hub->last;
    pending->table = t;
    map_put(&hub->pending, pending->id, pending);
    t->loading->asked = true;
    hub->loading++;
    hub->host->ask(hub->host, pending->id, &question);
}

bool load_works(const struct hub *hub)
{
    return hub->loads.count > 0 && hub->loading < LIMIT_LOADS &&
           !outages_waits(hub);
}

/* However many there are that nobody waits for any more, they go a few in each
 * turn of the loop. */
void load_work(struct hub *hub)
{
    while (load_works(hub) && !work_is_over(hub)) {
        struct work *w = fair_queue_take(&hub->loads);
        hub->effort += EFFORT_TURN;
        w->step(hub, w);
    }
}

void load_done(struct hub *hub, struct table *t)
{
    struct loading *l = t->loading;

    if (l == NULL)
        return;
    t->loading = NULL;
    t->steps = NULL;
    hub->loading -= l->asked;
    answer_done(&l->answer);
    for (int i = 0; i < STEPS; i++)
        free(l->steps.s[i]);
    free(l);
}

static void give_up(struct hub *hub, struct table *t, enum error e)
{
    load_done(hub, t);
    t->busy = 0;
    table_forget(hub, t, e);
}

static void gone(struct hub *hub, struct table *t, enum error e)
{
    give_up(hub, t, e);
    load_work(hub);
}

static void arrived(struct hub *hub, struct table *t, bool readable)
{
    struct answer answer = t->loading->answer;

    answer_init(&t->loading->answer);
    load_done(hub, t);
    t->busy = 0;
    t->readable = readable;
    log_fit(&t->log);
    if (readable) {
        entries_conclude(t);
        watch_resumed(hub, t);
        look_loaded(hub, t);
        orders_loaded(hub, t, &answer);
        renames_due(hub, t, &answer);
        deadlines_loaded(hub, t);
        bots_look(hub, t);
    } else {
        unreadable(hub, t);
    }
    answer_done(&answer);
    memory_used(hub, t);
    load_work(hub);
    table_go_on(hub, t);
}

static struct table *table_of(struct work *w)
{
    struct loading *l = (struct loading *)((char *)w -
                                           offsetof(struct loading, work));
    return l->table;
}

static void go_on(struct hub *hub, struct work *w)
{
    struct table *t = table_of(w);
    uint64_t before = hub->effort;
    peer_id peer;

    if (!wanted(hub, t, &peer)) {
        gone(hub, t, ERR_STORAGE_UNAVAILABLE); /* nobody hears of it */
        return;
    }
    enum walked walked = take_entries(hub, t, work_limit(hub));
    rate_charge(hub, peer, &t->loading->spent, hub->effort - before);
    if (walked == WALK_BROKEN && t->loading->known.count > 0) {
        table_reload(hub, t); /* what is stored may be whole */
    } else if (walked == WALK_MORE) {
        w->peer = peer;
        fair_queue_put(hub, &hub->slices, w);
    } else {
        arrived(hub, t, walked == WALK_DONE && t->log.count > 0);
    }
}

static void its_turn(struct hub *hub, struct work *w)
{
    struct table *t = table_of(w);

    if (wanted(hub, t, &w->peer))
        ask(hub, t);
    else
        give_up(hub, t, ERR_STORAGE_UNAVAILABLE); /* nobody hears of it */
}

/* The first line that was asked for is about the last entry that is known:
 * whether that is the same, and what follows can be put behind it. */
static bool goes_on(struct table *t, struct loading *l)
{
    const struct ply_row *row = l->answer.plies;
    struct entry last;

    log_at(&t->log, t->log.count - 1, &last);
    if (l->answer.ply_count == 0 || row->ply != t->log.count - 1 ||
        chain_fold(row->chain) != last.check)
        return false;
    memcpy(t->chain, row->chain, sizeof(t->chain));
    l->known = t->log;
    t->log.count = history_stand(t);
    log_reader_at(&l->reader, &l->known, t->log.count);
    l->at = 1;
    l->steps.first = t->folded;
    return true;
}

/* The table goes with the hub. */
static void drop(struct hub *hub, struct work *w)
{
    (void)hub, (void)w;
}

void table_load(struct hub *hub, struct table *t)
{
    struct loading *l = t->loading = calloc(1, sizeof(*l));

    ASSERT(l != NULL);
    answer_init(&l->answer);
    l->table = t;
    l->work = (struct work){.step = its_turn, .drop = drop};
    (void)wanted(hub, t, &l->work.peer);
    t->busy = ++hub->last;
    if (hub->loading < LIMIT_LOADS && hub->loads.count == 0 &&
        !outages_waits(hub))
        ask(hub, t);
    else
        fair_queue_put(hub, &hub->loads, &l->work);
}

void table_loaded(struct hub *hub, struct table *t, struct answer *answer)
{
    struct loading *l = t->loading;

    if (answer->failed || answer->table == NULL) {
        gone(hub, t,
             answer->failed ? ERR_STORAGE_UNAVAILABLE : ERR_NO_SUCH_TABLE);
        return;
    }
    l->answer = *answer;
    answer_init(answer);
    t->state = TABLE_OPEN;
    t->busy = ++hub->last;
    t->archived = l->answer.table->summary.state == TABLE_ARCHIVED;
    if (!load_row(t, &l->answer) || t->archived) {
        arrived(hub, t, false);
        return;
    }
    if (t->log.count > 0 && !goes_on(t, l)) {
        table_reload(hub, t);
        return;
    }
    for (int i = 0; i < STEPS; i++) {
        l->steps.s[i] = malloc(t->rules->state_size);
        ASSERT(l->steps.s[i] != NULL);
    }
    t->steps = &l->steps;
    l->work.step = go_on;
    if (!work_is_over(hub)) {
        go_on(hub, &l->work);
    } else {
        (void)wanted(hub, t, &l->work.peer);
        fair_queue_put(hub, &hub->slices, &l->work);
    }
}
