/* lists.c -- tables as lists and table.get show them, and one's own: me.tables,
 * me.next, me.watch. */

#include <stdio.h>
#include <stdlib.h>

#include "inner.h"
#include "protocol/rules_json.h"

/* ---- showing tables ----------------------------------------------------- */

int state_param(const struct request *q)
{
    return table_state_read(param_text(q, "state"));
}

void write_id(struct json_out *o, const char *key, id_num id)
{
    char text[ID_SIZE];

    if (id == 0) {
        out_null(o, key);
        return;
    }
    id_write(id, text);
    out_string(o, key, text);
}

/* What board_text() made of a board, or of tables of numbers. */
static void write_board(struct json_out *o, const char *text)
{
    char why[JSON_EXPECTED_MAX];
    json_t *value = text != NULL ? json_parse(text, strlen(text), why) : NULL;
    const char *hash = json_string_value(json_object_get(value, "tables"));

    if (text == NULL || hash != NULL)
        out_null(o, "board");
    else
        out_raw(o, "board", text, strlen(text));
    if (hash != NULL)
        out_string(o, "tables", hash);
    else
        out_null(o, "tables");
    json_decref(value);
}

/* What terms_text() made of what was agreed on about time. */
static void write_terms(struct json_out *o, const char *text)
{
    char why[JSON_EXPECTED_MAX];
    json_t *value = text != NULL ? json_parse(text, strlen(text), why) : NULL;
    struct terms terms;

    if (json_terms_read(value, &terms))
        json_terms(o, &terms);
    else
        out_null(o, "pace");
    json_decref(value);
}

void write_summary(struct json_out *o, const struct hub *hub,
                   const struct table_row *row, const char *const *names)
{
    const struct summary *s = &row->summary;

    write_id(o, "table", row->id);
    out_string(o, "game", row->game);
    out_string(o, "state", table_state_word(s->state));
    out_list(o, "seats");
    for (int seat = 0; seat < s->seats; seat++) {
        out_object(o, NULL);
        write_id(o, "user", s->seat[seat]);
        if (names[seat] == NULL || names[seat][0] == '\0')
            out_null(o, "name");
        else
            out_string(o, "name", names[seat]);
        out_bool(o, "acting", (s->acting & RULES_BIT(seat)) != 0);
        if (s->state == TABLE_PLAYING && s->due[seat] != 0)
            out_int(o, "due", s->due[seat]);
        if (s->offered >> seat & 1)
            out_bool(o, "offered", true);
        if ((s->asked >> seat & 1) != 0 && s->asked_until > hub->now_ms)
            out_bool(o, "asked", true);
        if (bot_of(hub, s->seat[seat]) != NULL)
            out_bool(o, "bot", true);
        out_end(o);
    }
    out_end(o);
    out_raw(o, "options", row->options, strlen(row->options));
    write_board(o, row->board);
    out_bool(o, "private", row->private_);
    out_bool(o, "password", row->join_password != NULL);
    out_bool(o, "rated", row->rated);
    out_bool(o, "spectators", row->spectators);
    out_string(o, "start", row->start_full ? "full" : "manual");
    write_terms(o, row->terms);
    out_int(o, "created", row->created);
    out_int(o, "changed", s->changed);
    out_int(o, "ply", s->ply);
}

void tables_listed(struct hub *hub, struct request *q,
                   const struct answer *answer)
{
    size_t n = answer->listed_count;
    struct json_out *o = list_begin(hub, q, "tables");

    for (size_t i = 0; i < n; i++) {
        out_object(o, NULL);
        write_summary(o, hub, &answer->tables[i].table,
                      answer->tables[i].name);
        out_end(o);
    }
    list_end(hub, q,
             answer->more && n > 0 ? answer->tables[n - 1].table.id : 0);
}

void seats_ask(struct hub *hub, struct request *q, id_num account,
               size_t limit, answered_cb then)
{
    struct question ask = {
        .kind = ASK_MINE,
        .limit = limit,
        .u.mine =
            {
                .account = account,
                .state = -1,
                .running = true,
                .seated = true,
            },
    };
    hub_ask(hub, q, &ask, then);
}

bool read_after(struct hub *hub, struct request *q, id_num *ret_after)
{
    if (param(q, "after") == NULL ||
        id_read(param_text(q, "after"), ret_after))
        return true;
    refuse_param(hub, q, "/after", "the `next` of an earlier answer");
    return false;
}

void handle_table_list(struct hub *hub, struct request *q)
{
    const char *game = json_string_value(param(q, "game"));
    struct question ask = {
        .kind = ASK_TABLES,
        .limit = (size_t)param_int(q, "limit", 50),
        .u.tables =
            {
                .account = q->account,
                .state = state_param(q),
                .game = game,
                .mine = param_bool(q, "mine", false),
                .offered = param_bool(q, "offered", false),
            },
    };

    if (ask.u.tables.mine && q->account == 0)
        refuse(hub, q, ERR_NOT_AUTHENTICATED);
    else if (game != NULL && rules_find(game) == NULL)
        refuse(hub, q, ERR_NO_SUCH_GAME);
    else if (read_after(hub, q, &ask.u.tables.after))
        hub_ask(hub, q, &ask, tables_listed);
}

static void write_nonces(struct json_out *o, const struct table *t)
{
    out_list(o, "nonces");
    for (int seat = 0; seat < t->seats; seat++) {
        if (t->nonce[seat][0] == '\0')
            out_null(o, NULL);
        else
            out_string(o, NULL, t->nonce[seat]);
    }
    out_end(o);
}

/* Names, for those who are no strangers there. */
static void write_invited(struct json_out *o, const struct table *t,
                          id_num asker)
{
    const struct invitation *own = invitation_of(t, asker);

    if (own != NULL && own->until == 0)
        out_null(o, "invited_until");
    else if (own != NULL)
        out_int(o, "invited_until", own->until);
    out_list(o, "invited");
    for (size_t i = 0; lobby_welcome(t, asker) && i < t->invited_count; i++)
        for (size_t k = 0; k < t->known_count; k++)
            if (t->known[k].id == t->invited[i].account)
                out_string(o, NULL, t->known[k].name);
    out_end(o);
}

/* What T goes on from, if it is a fork.  One of a private table is private. */
static void write_from(struct json_out *o, const struct table *t)
{
    if (t->from == 0)
        return;
    out_object(o, "from");
    write_id(o, "table", t->from);
    out_int(o, "ply", t->from_ply);
    out_end(o);
}

/* What there is to be said of T, whose game is played again at AGAIN_AT, or
 * nowhere. */
static void answer_table(struct hub *hub, const struct table *t,
                         struct request *q, id_num again_at)
{
    const char *names[RULES_SEATS_MAX];
    struct table_row row = t->row;

    table_summary(t, &row.summary);
    for (int seat = 0; seat < RULES_SEATS_MAX; seat++)
        names[seat] = t->name[seat];
    struct json_out *o = result_begin(hub, q);
    out_object(o, "table");
    write_summary(o, hub, &row, names);
    out_bool(o, "mine", q->account != 0 && q->account == t->owner);
    out_int(o, "revision", t->revision);
    if (row.asset != NULL)
        out_string_n(o,
                     t->rules != NULL && rules_has_dataset(t->rules)
                         ? "tables_csv"
                         : "board_text",
                     row.asset, row.asset_len);
    if (t->rules != NULL)
        json_rules_notes(o, "notes", t->rules, row.asset, row.asset_len);
    write_from(o, t);
    if (t->again_of != 0)
        write_id(o, "again_of", t->again_of);
    if (again_at != 0)
        write_id(o, "again_at", again_at);
    out_string(o, "commitment", t->commitment);
    write_nonces(o, t);
    if (t->state == TABLE_FINISHED || t->state == TABLE_ABANDONED)
        out_string(o, "seed", row.seed);
    else
        out_null(o, "seed");
    write_invited(o, t, q->account);
    orders_write(o, t, q->account);
    out_end(o);
    result_end(hub, q);
}

static void again_known(struct hub *hub, struct request *q,
                        const struct answer *answer)
{
    answer_table(hub, q->table, q, answer->rematch);
}

void handle_table_get(struct hub *hub, struct table *t, struct request *q)
{
    struct question ask = {.kind = ASK_REMATCH, .u.table = {.id = t->id}};
    enum error e = table_may_see(t, q);

    if (e != ERR_NONE)
        refuse(hub, q, e);
    else if (t->state < TABLE_FINISHED)
        answer_table(hub, t, q, 0);
    else
        hub_ask(hub, q, &ask, again_known);
}

/* ---- one's own tables ---------------------------------------------------- */

static void write_mine(struct json_out *o, const struct hub *hub,
                       const struct listed *l, id_num me)
{
    const struct summary *s = &l->table.summary;
    int you = -1;

    for (int seat = 0; seat < s->seats; seat++)
        if (s->seat[seat] == me)
            you = seat;
    out_object(o, NULL);
    write_summary(o, hub, &l->table, l->name);
    if (you < 0)
        out_null(o, "you");
    else
        out_int(o, "you", you);
    out_bool(o, "your_turn", you >= 0 && (s->acting & RULES_BIT(you)));
    out_int(o, "since", you >= 0 ? s->since[you] : 0);
    if (you < 0 || s->due[you] == 0)
        out_null(o, "due");
    else
        out_int(o, "due", s->due[you]);
    out_int(o, "unread", (int64_t)l->unread);
    out_end(o);
}

/* The list's order changes while it is read, so `next` names a place in it and
 * not a table: "d" (due), "w" (waits) or "c" (changed), when, and the table's
 * id. */
static const char place_kinds[] = {
    [LISTED_CALM] = 'c',
    [LISTED_WAITS] = 'w',
    [LISTED_DUE] = 'd',
};

static void write_mines(struct json_out *o, const struct hub *hub,
                        const struct answer *answer, id_num me)
{
    const struct listed *last;
    char id[ID_SIZE], text[64];

    out_list(o, "tables");
    for (size_t i = 0; i < answer->listed_count; i++)
        write_mine(o, hub, &answer->tables[i], me);
    out_end(o);
    if (!answer->more || answer->listed_count == 0)
        return;
    last = &answer->tables[answer->listed_count - 1];
    id_write(last->table.id, id);
    snprintf(text, sizeof(text), "%c%lld-%s", place_kinds[last->waits],
             (long long)last->at, id);
    out_string(o, "next", text);
}

/* Reads such an `after`; answers and returns false if it is none. */
static bool read_place(struct hub *hub, struct request *q,
                       struct question *ask)
{
    const char *text = param_text(q, "after");
    char kind = '\0', id[ID_SIZE] = "";
    long long at = 0;
    int end = 0;

    if (param(q, "after") == NULL)
        return true;
    if (sscanf(text, "%c%18lld-%13s%n", &kind, &at, id, &end) == 3 &&
        text[end] == '\0' &&
        memchr(place_kinds, kind, sizeof(place_kinds)) != NULL &&
        id_read(id, &ask->u.mine.after)) {
        const char *which = memchr(place_kinds, kind, sizeof(place_kinds));
        ask->u.mine.after_at = at;
        ask->u.mine.after_waits = (uint8_t)(which - place_kinds);
        return true;
    }
    refuse_param(hub, q, "/after", "the `next` of an earlier answer");
    return false;
}

static void mine_listed(struct hub *hub, struct request *q,
                        const struct answer *answer)
{
    struct json_out *o = result_begin(hub, q);

    write_mines(o, hub, answer, q->account);
    result_end(hub, q);
}

void handle_me_tables(struct hub *hub, struct request *q)
{
    struct question ask = {
        .kind = ASK_MINE,
        .limit = (size_t)param_int(q, "limit", 100),
        .u.mine =
            {
                .account = q->account,
                .state = state_param(q),
                .running = param(q, "state") == NULL,
            },
    };
    if (read_place(hub, q, &ask))
        hub_ask(hub, q, &ask, mine_listed);
}

static void next_found(struct hub *hub, struct request *q,
                       const struct answer *answer)
{
    struct json_out *o = result_begin(hub, q);
    id_num next = 0;

    if (answer->listed_count > 0) {
        const struct summary *s = &answer->tables[0].table.summary;
        for (int seat = 0; seat < s->seats; seat++)
            if (s->seat[seat] == q->account && (s->acting & RULES_BIT(seat)))
                next = answer->tables[0].table.id;
    }
    write_id(o, "table", next);
    result_end(hub, q);
}

void handle_me_next(struct hub *hub, struct request *q)
{
    struct question ask = {
        .kind = ASK_MINE,
        .limit = 1,
        .u.mine = {.account = q->account, .state = TABLE_PLAYING},
    };
    hub_ask(hub, q, &ask, next_found);
}

/* me.watch while it asks. */
struct following {
    uint64_t events; /* of the account when it asked */
    int64_t seq;
    int tries;
};

static uint64_t events_of(const struct hub *hub, id_num account)
{
    const struct account *a = map_get(&hub->accounts, account);
    return a != NULL ? a->events : 0;
}

static void follow(struct hub *hub, struct request *q);

/* What happened between the question and now would be missed: ask again. */
static bool follow_again(struct hub *hub, struct request *q)
{
    struct following *f = q->kept;

    if (events_of(hub, q->account) == f->events || f->tries++ >= 8)
        return false;
    follow(hub, q);
    return true;
}

static void follow_listed(struct hub *hub, struct request *q,
                          const struct answer *answer)
{
    struct following *f = q->kept;
    struct peer *p = peer_find(hub, q->peer);

    if (follow_again(hub, q))
        return;
    if (p != NULL && p->info.notices && p->account != NULL &&
        p->account->id == q->account)
        watch_me(hub, p, true);
    struct json_out *o = result_begin(hub, q);
    out_int(o, "seq", f->seq);
    write_mines(o, hub, answer, q->account);
    result_end(hub, q);
}

static void follow(struct hub *hub, struct request *q)
{
    struct following *f = q->kept;
    struct question ask = {
        .kind = ASK_MINE,
        .limit = LIMIT_FOLLOWED,
        .u.mine =
            {
                .account = q->account,
                .state = -1,
                .newer = param_int(q, "since", 0),
                .running = param_int(q, "since", 0) == 0,
            },
    };

    /* All that comes after this question is later, or at the same time. */
    f->seq = hub->now_ms - news_margin(hub);
    f->events = events_of(hub, q->account);
    if (read_place(hub, q, &ask))
        hub_ask(hub, q, &ask, follow_listed);
}

void handle_me_watch(struct hub *hub, struct request *q)
{
    q->kept = region_take(&q->region, sizeof(struct following));
    follow(hub, q);
}
