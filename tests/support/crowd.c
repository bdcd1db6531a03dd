/* crowd.c -- what people do; see crowd.h. */

#include "crowd.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "server/hub/inner.h"
#include "setup_json.h"

void crowd_broken(const struct crowd *c, const char *file, int line,
                  const char *what)
{
    fprintf(stderr, "%s:%d: SEED=%llu (%s), step %llu: %s\n", file, line,
            (unsigned long long)c->seed, c->habits->name,
            (unsigned long long)c->world.steps, what);
    abort();
}

struct person *crowd_person(struct crowd *c, peer_id peer)
{
    for (unsigned i = 0; i < c->habits->people; i++)
        if (c->people[i].peer == peer)
            return &c->people[i];
    return NULL;
}

static uint32_t dice(struct crowd *c, uint32_t n)
{
    return world_dice(&c->world, n);
}

static bool chance(struct crowd *c, unsigned of_1000)
{
    return dice(c, 1000) < of_1000;
}

/* A hash of all that was said (FNV-1a). */
void crowd_trace(struct crowd *c, peer_id peer, const char *text, size_t len)
{
    uint64_t sum = c->trace ^ peer;

    for (size_t i = 0; i < len; i++)
        sum = (sum ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
    c->trace = sum ^ (uint64_t)c->world.now_ms;
}

/* ---- sending ----------------------------------------------------------- */

/* Something that stands where something else should. */
static json_t *anything(struct crowd *c)
{
    static char text[100];

    switch (dice(c, 11)) {
    case 0: return json_null();
    case 1: return json_integer(-1);
    case 2: return json_integer(INT64_C(1) << 53);
    case 3: return json_integer(INT64_MIN);
    case 4: return json_string("");
    case 5: return json_array();
    case 6: return json_object();
    case 7: return json_true();
    case 8: return json_real(1.5);
    case 9: return json_integer(dice(c, 40));
    default: memset(text, 'x', sizeof(text) - 1); return json_string(text);
    }
}

/* Spoils one member of OBJECT, or adds one. */
static void spoil(struct crowd *c, json_t *object)
{
    size_t n = json_object_size(object), which;
    const char *name;
    json_t *value;

    which = dice(c, (uint32_t)n + 1);
    json_object_foreach(object, name, value)
    {
        if (which-- != 0)
            continue;
        if (json_is_object(value) && dice(c, 2))
            spoil(c, value);
        else
            json_object_set_new(object, name, anything(c));
        return;
    }
    json_object_set_new(object, "unknown", anything(c));
}

/* ---- nodes ---------------------------------------------------------------- */

static unsigned node_count(const struct crowd *c)
{
    return 1 + c->habits->nodes;
}

static struct world *node(struct crowd *c, unsigned i)
{
    return i == 0 ? &c->world : &c->others[i - 1];
}

/* Where PEER has come to. */
static struct world *node_of(struct crowd *c, peer_id peer)
{
    struct world *w = node(c, (unsigned)(peer % node_count(c)));

    if (w->now_ms < c->world.now_ms)
        w->now_ms = c->world.now_ms;
    return w;
}

/* One of the things that W waits for. */
static bool step_at(struct crowd *c, struct world *w)
{
    if (w == c->frozen)
        return false;
    if (w != &c->world)
        w->now_ms = c->world.now_ms;
    bool done = world_step(w);
    c->world.now_ms = w->now_ms;
    return done;
}

static struct world *any_node(struct crowd *c)
{
    return node(c, c->habits->nodes > 0 ? dice(c, node_count(c)) : 0);
}

static void tick_at(struct crowd *c, struct world *w)
{
    w->now_ms = c->world.now_ms;
    if (w != c->frozen)
        hub_tick(w->hub, w->now_ms);
}

/* One of several stands still or goes on; they hear that there is something new,
 * late or not at all; what none has read for long is dropped. */
static void nodes_live(struct crowd *c)
{
    if (c->habits->nodes == 0)
        return;
    if (c->frozen == NULL && dice(c, 2000) == 0) {
        c->frozen = any_node(c);
        c->thaw = c->world.steps + dice(c, 400);
        c->count.frozen++;
    }
    if (c->frozen != NULL && c->world.steps >= c->thaw)
        c->frozen = NULL;
    struct world *w = any_node(c);
    if (w != c->frozen && dice(c, 4) == 0)
        hub_news(w->hub, w->now_ms);
    if (dice(c, 3000) == 0) {
        c->world.disk.news_from = c->world.disk.news_last;
        c->world.disk.news_count = 0;
    }
}

/* ---- speaking -------------------------------------------------------------- */

static void say(struct crowd *c, struct person *p, const char *text,
                size_t len)
{
    crowd_trace(c, p->peer, text, len);
    if (getenv("SHOW") != NULL)
        fprintf(stderr, "> %s %.*s\n", p->name, len < 300 ? (int)len : 300,
                text);
    c->count.requests++;
    const struct world *w = node_of(c, p->peer);
    hub_message(w->hub, p->peer, text, len, w->now_ms);
}

/* Sends the like of a request that is not quite right; what it is answered
 * does not matter. */
static void send_mutant(struct crowd *c, struct person *p, enum method m,
                        const json_t *params)
{
    json_t *copy = json_deep_copy(params);

    spoil(c, copy);
    json_t *request = json_pack("{s:s,s:i,s:s,s:o}", "jsonrpc", "2.0", "id",
                                -1, "method", methods[m].name, "params", copy);
    char *text = json_dumps(request, JSON_COMPACT);
    size_t len = strlen(text);
    json_decref(request);
    size_t from = (size_t)(strstr(text, "method") - text);
    if (dice(c, 8) == 0) /* or not even whole, but for its id */
        text[from + dice(c, (uint32_t)(len - from))] = (char)dice(c, 256);
    say(c, p, text, len);
    free(text);
    c->count.mutants++;
}

static void put_asked(struct person *p, const struct asked *a)
{
    ASSERT(p->asked_count < ASKED_MAX);
    p->asked[p->asked_count] = *a;
    json_incref(p->asked[p->asked_count++].params);
}

/* Takes A, whose params the list makes its own, up for later, if it can. */
static void put_late(struct person *p, enum method m, int table,
                     json_t *params)
{
    if (p->late_count == LATE_MAX) {
        json_decref(params);
        return;
    }
    p->late[p->late_count++] = (struct asked){0, m, table, params};
}

static void send_asked(struct crowd *c, struct person *p, enum method m,
                       int table, json_t *params)
{
    struct asked a = {++c->ids, m, table, params};
    json_t *request = json_pack("{s:s,s:i,s:s,s:O}", "jsonrpc", "2.0", "id",
                                a.id, "method", methods[m].name, "params",
                                params);
    char *text = json_dumps(request, JSON_COMPACT);
    size_t len = strlen(text);

    put_asked(p, &a);
    bool twice = m != M_TABLE_RECORD && chance(c, c->habits->again);
    if (twice)
        put_asked(p, &a);
    json_decref(request);
    peer_id peer = p->peer;
    say(c, p, text, len);
    if (twice && p->peer == peer)
        say(c, p, text, len);
    free(text);
}

/* Asks; PARAMS, to which the table is added, is taken over. */
void crowd_ask(struct crowd *c, struct person *p, enum method m, int table,
               json_t *params)
{
    if (table >= 0)
        json_object_set_new(params, "table", json_string(c->table[table]));
    if (m == M_TABLE_RECORD) {
        send_asked(c, p, m, table, params);
        json_decref(params);
        return;
    }
    if (table >= 0 && m != M_TABLE_RESIGN && m != M_TABLE_WATCH &&
        chance(c, c->habits->spoil))
        send_mutant(c, p, m, params);
    if (m >= M_TABLE_CREATE && m != M_TABLE_WATCH && m != M_TABLE_UNWATCH &&
        chance(c, c->habits->again)) {
        /* It comes late: after what they ask next, and perhaps twice. */
        put_late(p, m, table, json_incref(params));
        if (dice(c, 2)) {
            json_decref(params);
            return;
        }
    }
    send_asked(c, p, m, table, params);
    json_decref(params);
}

void crowd_watch(struct crowd *c, struct person *p, int table, bool again)
{
    json_t *params = json_object();
    if (again && p->view[table] != NULL && p->chain[table][0] != '\0') {
        json_object_set_new(params, "since",
                            json_integer(json_number(p->view[table], "ply")));
        json_object_set_new(params, "chain", json_string(p->chain[table]));
    }
    /* To hash all of a view is most of the work there is. */
    if (dice(c, c->habits->steps <= 20000 ? 2 : 6) == 0)
        json_object_set_new(params, "check", json_true());
    crowd_ask(c, p, M_TABLE_WATCH, table, params);
}

/* ---- coming and going ---------------------------------------------------- */

/* What was not answered is asked again by who comes back. */
static void forget_asked(struct crowd *c, struct person *p)
{
    for (size_t i = 0; i < p->asked_count; i++) {
        struct asked *a = &p->asked[i];
        if ((a->method == M_TABLE_MOVE || a->method == M_TABLE_UNDO ||
             a->method == M_TABLE_RESIGN) &&
            dice(c, 4) != 0)
            put_late(p, a->method, a->table, a->params);
        else
            json_decref(a->params);
    }
    p->asked_count = 0;
}

static void gone(struct crowd *c, struct person *p, bool forget)
{
    p->peer = 0;
    p->logged_in = false;
    forget_asked(c, p);
    for (size_t i = 0; i < c->tables; i++) {
        json_decref(p->legal[i]);
        p->legal[i] = NULL;
        p->watching[i] = false;
        if (forget)
            crowd_forget_view(p, (int)i);
    }
}

static void leave(struct crowd *c, struct person *p)
{
    peer_id peer = p->peer;
    gone(c, p, dice(c, 2));
    const struct world *w = node_of(c, peer);
    hub_close(w->hub, peer, w->now_ms);
    c->count.leaves++;
}

/* The host closes later; here the client is told at the next step. */
static void dropped(struct world *w, peer_id peer)
{
    struct crowd *c = w->arg;
    struct person *p = crowd_person(c, peer);

    c->count.drops++;
    if (p == NULL)
        return;
    p->logged_in = false;
    memset(p->watching, 0, sizeof(p->watching));
}

static bool is_last(const struct crowd *c, const struct person *p)
{
    return p == &c->people[c->habits->people - 1];
}

static void come(struct crowd *c, struct person *p)
{
    struct peer_info info = {
        .source = 1 + (uint64_t)(p - c->people),
        .direct = true,
        .admin = c->habits->reign > 0 && is_last(c, p),
        .notices = true,
    };
    p->peer = ++c->peers;
    const struct world *w = node_of(c, p->peer);
    hub_open(w->hub, p->peer, &info, w->now_ms);
}

static void enter(struct crowd *c, struct person *p)
{
    if (p->asked_count > 0) {
        /* One who was dropped hears no more. */
        if (dice(c, 50) == 0)
            leave(c, p);
        return;
    }
    if (p->token[0] != '\0')
        crowd_ask(c, p, M_SESSION_RESUME, -1,
                  json_pack("{s:s}", "token", p->token));
    else if (dice(c, 4) == 0)
        crowd_ask(c, p, M_ACCOUNT_GUEST, -1, json_object());
    else
        crowd_ask(c, p, M_ACCOUNT_REGISTER, -1,
                  json_pack("{s:s,s:s}", "name", p->name, "password",
                            "correct horse"));
}

/* ---- making tables ------------------------------------------------------- */

/* The next way to set one of the habits' games up: they take turns, and each
 * goes through all the setups that it has. */
static const struct play_setup *next_setup(struct crowd *c)
{
    size_t games = 0;

    while (c->habits->games[games] != NULL)
        games++;
    uint64_t n = c->seed * c->habits->tables + c->fresh++;
    const struct rules *r = rules_find(c->habits->games[n % games]);
    ASSERT(r != NULL);
    for (size_t i = (size_t)(n / games);; i++) {
        const struct play_setup *setup = play_setup(r, i);
        if ((unsigned)setup->setup.seats <= c->habits->people)
            return setup;
    }
}

/* Some agree on a pace, and on what comes of a miss. */
static void add_pace(struct crowd *c, json_t *params)
{
    static const char *const thens[] = {"mild", "mild", "open", "out", "end"};

    if (c->habits->pace == 0 || !chance(c, c->habits->pace))
        return;
    int free = dice(c, 3) > 0 ? 30 + (int)dice(c, 60) : 0;
    int bank = free == 0 || dice(c, 2) ? 30 + (int)dice(c, 90) : 0;

    json_object_set_new(params, "pace",
                        json_pack("{s:i,s:i,s:i,s:i}", "free", free, "bank",
                                  bank, "add", (int)dice(c, 2) * 5, "cap",
                                  bank + 20));
    if (json_integer_value(
            json_object_get(json_object_get(params, "pace"), "add")) == 0)
        json_object_del(json_object_get(params, "pace"), "cap");
    json_object_set_new(params, "misses",
                        json_pack("{s:i,s:s}", "excused", (int)dice(c, 3),
                                  "then", thens[dice(c, COUNT_OF(thens))]));
}

static void create_from(struct crowd *c, struct person *p,
                        const struct play_setup *setup)
{
    json_t *params = setup_json(setup);
    json_t *options = json_object_get(params, "options");
    int turns = c->habits->turns;

    if (turns > 0 && dice(c, 8) != 0)
        json_object_set_new(options, "turns",
                            json_integer(1 + dice(c, (uint32_t)turns)));
    if (dice(c, 4) == 0)
        json_object_set_new(params, "spectators", json_false());
    add_pace(c, params);
    crowd_ask(c, p, M_TABLE_CREATE, -1, params);
}

/* Any game in any lobby. */
static void create_any(struct crowd *c, struct person *p)
{
    uint32_t games = 0;
    while (rules_all[games] != NULL)
        games++;
    const struct rules *r = rules_all[dice(c, games)];
    bool small = dice(c, 3) != 0;
    if (small)
        r = rules_find("tictactoe");
    int most = r->seats_max < 4 ? r->seats_max : 4;
    uint32_t range = (uint32_t)(most - r->seats_min + 1);
    json_t *params = json_pack("{s:s,s:i}", "game", r->name, "seats",
                               r->seats_min + (int)dice(c, range));
    if (strcmp(r->name, "hacienda") == 0)
        json_object_set_new(params, "board",
                            json_pack("{s:{s:i,s:i,s:i,s:i}}", "generate",
                                      "columns", 7, "rows", 13, "markets", 3,
                                      "waters", 1));
    if (dice(c, 2))
        json_object_set_new(params, "start", json_string("manual"));
    if (dice(c, 4) == 0)
        json_object_set_new(params, "private", json_true());
    if (dice(c, 4) == 0)
        json_object_set_new(params, "spectators", json_false());
    if (dice(c, 2))
        json_object_set_new(params, "key", json_string("again"));
    add_pace(c, params);
    crowd_ask(c, p, M_TABLE_CREATE, -1, params);
}

/* ---- playing ------------------------------------------------------------- */

/* One of LIST, plain moves or ranges, of the verb that comes WHICH-th; or how
 * many verbs there are. */
static const char *verb_of(const json_t *item)
{
    const json_t *move = json_object_get(item, "move");
    return json_string_value(
        json_object_get(move != NULL ? move : item, "verb"));
}

static const json_t *choice_at(const json_t *legal, size_t i)
{
    const json_t *moves = json_object_get(legal, "moves");
    size_t n = json_array_size(moves);
    return i < n ? json_array_get(moves, i)
                 : json_array_get(json_object_get(legal, "ranges"), i - n);
}

/* A move out of an answer of table.legal, a reference: first a verb, then one
 * of its choices, else the few would drown among the many. */
static json_t *pick_move(struct crowd *c, const json_t *legal)
{
    size_t n = json_array_size(json_object_get(legal, "moves")) +
               json_array_size(json_object_get(legal, "ranges"));
    size_t first[64], verbs = 0;

    for (size_t i = 0; i < n; i++)
        if (verbs < COUNT_OF(first) &&
            (i == 0 || strcmp(verb_of(choice_at(legal, i)),
                              verb_of(choice_at(legal, i - 1))) != 0))
            first[verbs++] = i;
    if (verbs == 0)
        return NULL;
    size_t v = dice(c, (uint32_t)verbs);
    size_t end = v + 1 < verbs ? first[v + 1] : n;
    const json_t *item =
        choice_at(legal, first[v] + dice(c, (uint32_t)(end - first[v])));
    const json_t *move = json_object_get(item, "move");
    if (move == NULL)
        return json_deep_copy(item);
    json_t *one = json_deep_copy(move);
    int64_t min = json_number(item, "min"), max = json_number(item, "max");
    json_object_set_new(one, json_string_value(json_object_get(item, "arg")),
                        json_integer(min +
                                     dice(c, (uint32_t)(max - min + 1))));
    return one;
}

/* A move out of the last answer of table.legal, answering its decision. */
static void move(struct crowd *c, struct person *p, int t)
{
    const json_t *legal = p->legal[t];
    json_t *one = legal != NULL ? pick_move(c, legal) : NULL;

    if (one == NULL || json_is_null(json_object_get(legal, "decision"))) {
        json_decref(one);
        crowd_ask(c, p, M_TABLE_LEGAL, t, json_object());
        return;
    }
    int64_t decision = json_number(legal, "decision");
    if (dice(c, 40) == 0)
        decision -= 1; /* stale, or never */
    crowd_ask(c, p, M_TABLE_MOVE, t,
              json_pack("{s:I,s:o}", "decision", (json_int_t)decision, "move",
                        one));
}

static void preview(struct crowd *c, struct person *p, int t)
{
    json_t *one = p->legal[t] != NULL ? pick_move(c, p->legal[t]) : NULL;
    if (one != NULL)
        crowd_ask(c, p, M_TABLE_PREVIEW, t,
                  json_pack("{s:[o]}", "moves", one));
}

static void undo(struct crowd *c, struct person *p, int t)
{
    const json_t *ply = json_object_get(p->view[t], "undo");
    if (json_is_integer(ply))
        crowd_ask(c, p, M_TABLE_UNDO, t,
                  json_pack("{s:I}", "ply", json_integer_value(ply)));
}

/* Something for when they are asked, whatever it is; or nothing any more.  A pass
 * is rare: games that all pass in are over soon. */
static void order(struct crowd *c, struct person *p, int t)
{
    bool pass = dice(c, 12) == 0;
    json_t *one = !pass && p->legal[t] != NULL ? pick_move(c, p->legal[t])
                                               : NULL;
    if (one == NULL && !pass)
        return;
    json_t *order = json_pack("{s:O}", "after",
                              json_object_get(p->view[t], "ply"));

    if (one == NULL)
        json_object_set_new(order, "pass", json_string("round"));
    else
        json_object_set(order, "move", one);
    if (dice(c, 8) == 0) {
        json_decref(order);
        order = json_null();
    }
    json_decref(one);
    crowd_ask(c, p, M_TABLE_ORDER, t, json_pack("{s:o}", "order", order));
}

static void chat(struct crowd *c, struct person *p, int t)
{
    json_t *params = json_pack("{s:s}", "text", "hello");
    if (dice(c, 2))
        json_object_set_new(params, "room", json_string("spectators"));
    crowd_ask(c, p, M_TABLE_CHAT, t, params);
}

/* The next thing that has to be done for table T to get on. */
static bool is_in(const json_t *seats, const json_t *seat)
{
    for (size_t i = 0; i < json_array_size(seats); i++)
        if (json_equal(json_array_get(seats, i), seat))
            return true;
    return false;
}

/* One of the seats in VIEW from SEAT on that has missed a turn, or -1. */
static int missing(const json_t *view, uint32_t seat)
{
    const json_t *seats = json_object_get(view, "seats");
    size_t n = json_array_size(seats);

    for (size_t i = 0; i < n; i++) {
        size_t at = (seat + i) % n;
        const json_t *missed = json_object_get(json_array_get(seats, at),
                                               "missed");
        if (json_integer_value(missed) > 0)
            return (int)at;
    }
    return -1;
}

/* Something to be agreed on, for the table of VIEW or not: where somebody has
 * missed a turn, often that another takes the seat. */
static json_t *proposal(struct crowd *c, const json_t *view)
{
    int to = (int)dice(c, 4);
    int missed = missing(view, (uint32_t)to);
    uint32_t about = missed >= 0 && dice(c, 2) != 0 ? VOTE_REPLACE
                                                    : dice(c, VOTES);
    json_t *params = json_pack("{s:s}", "about", vote_words[about]);
    int64_t until = c->world.now_ms + 1000 + dice(c, 600000);

    if (about == VOTE_PAUSE)
        json_object_set_new(params, "until", json_integer(until));
    if (about == VOTE_GIVE)
        json_object_set_new(params, "seconds", json_integer(1 + dice(c, 60)));
    if (about == VOTE_GIVE || about == VOTE_REPLACE) {
        if (about == VOTE_REPLACE && missed >= 0)
            to = missed;
        json_object_set_new(params, "to", json_integer(to));
    }
    return params;
}

/* People agree more often than not; who has no seat would like one. */
static void vote(struct crowd *c, struct person *p, int t)
{
    const json_t *open = p->view[t] != NULL
                             ? json_object_get(p->view[t], "vote")
                             : NULL;

    if (open == NULL)
        return;
    if (dice(c, 10) == 0)
        crowd_ask(c, p, M_TABLE_RETURN, t, json_object());
    else if (json_is_null(json_object_get(p->view[t], "you")))
        crowd_ask(c, p, M_TABLE_TAKE, t,
                  json_pack("{s:i}", "seat", (int)dice(c, 4)));
    else if (json_is_null(open) || dice(c, 20) == 0)
        crowd_ask(c, p, M_TABLE_PROPOSE, t, proposal(c, p->view[t]));
    else if (is_in(json_object_get(open, "asked"),
                   json_object_get(p->view[t], "you")) ||
             dice(c, 10) == 0)
        crowd_ask(c, p, M_TABLE_VOTE, t,
                  json_pack("{s:O,s:b}", "vote", json_object_get(open, "ply"),
                            "yes", dice(c, 8) != 0));
}

/* Where something is asked all wait for it, of 1000. */
static unsigned votes_now(const struct crowd *c, const json_t *view)
{
    return json_is_object(json_object_get(view, "vote")) ? 900
                                                         : c->habits->votes;
}

static void play_on_at(struct crowd *c, struct person *p, int t)
{
    const json_t *view = p->view[t];

    if (!p->watching[t] || view == NULL) {
        crowd_watch(c, p, t, dice(c, 2));
        return;
    }
    const char *state = json_string_value(json_object_get(view, "state"));
    if (strcmp(state, "open") == 0 &&
        json_is_null(json_object_get(view, "you")))
        crowd_ask(c, p, M_TABLE_JOIN, t, json_object());
    else if (dice(c, 20) == 0)
        undo(c, p, t);
    else if (c->habits->votes > 0 && dice(c, 1000) < votes_now(c, view))
        vote(c, p, t);
    else if (json_is_integer(json_object_get(view, "decision")))
        move(c, p, t);
    else if (strcmp(state, "playing") == 0 && dice(c, 4) == 0 &&
             json_is_integer(json_object_get(view, "you")))
        order(c, p, t);
}

/* ---- whatever comes to mind ----------------------------------------------- */

static void nonsense(struct crowd *c, struct person *p)
{
    static const char *const texts[] = {
        "",
        "{",
        "[]",
        "null",
        "{\"jsonrpc\":\"2.0\"}",
        "{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"me.next\"}",
        "{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"me.next\"}",
        "[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"me.next\"}]",
        "{\"a\":1,\"a\":2}",
        "\xff\xfe",
    };
    const char *text = texts[dice(c, COUNT_OF(texts))];
    say(c, p, text, strlen(text));
}

static void at_table(struct crowd *c, struct person *p)
{
    int t = (int)dice(c, (uint32_t)c->tables);
    bool lobby = c->habits->games == NULL;

    switch (dice(c, 26)) {
    case 0: crowd_ask(c, p, M_TABLE_JOIN, t, json_object()); break;
    case 1: crowd_watch(c, p, t, true); break;
    case 2: crowd_watch(c, p, t, false); break;
    case 3: crowd_ask(c, p, M_TABLE_START, t, json_object()); break;
    case 4: undo(c, p, t); break;
    case 5: chat(c, p, t); break;
    case 6:
        crowd_ask(c, p, M_TABLE_REPLAY, t,
                  json_pack("{s:i}", "from",
                            dice(c, 3) == 0 ? 0 : (int)p->seen[t]));
        break;
    case 7:
        crowd_ask(c, p, M_TABLE_AT, t,
                  json_pack("{s:I}", "ply",
                            p->view[t] != NULL && dice(c, 2)
                                ? (json_int_t)json_number(p->view[t], "ply")
                                : (json_int_t)dice(c, 60)));
        break;
    case 8: crowd_ask(c, p, M_TABLE_GET, t, json_object()); break;
    case 9:
        if (dice(c, lobby ? 20 : 30) == 0)
            crowd_ask(c, p, M_TABLE_RESIGN, t, json_object());
        break;
    case 10:
        if (dice(c, lobby ? 20 : 100) == 0)
            crowd_ask(c, p, M_TABLE_LEAVE, t, json_object());
        break;
    case 11: crowd_ask(c, p, M_TABLE_TEXTS, t, json_object()); break;
    case 12:
        if (!c->over[t]) /* the record is read when all is quiet */
            crowd_ask(c, p, M_TABLE_GET, t, json_object());
        break;
    case 13:
        crowd_ask(c, p, M_TABLE_NONCE, t,
                  json_pack("{s:s}", "nonce",
                            "00112233445566778899aabbccddeeff"));
        break;
    case 14: preview(c, p, t); break;
    case 15:
        crowd_ask(c, p, M_TABLE_NOTE, t, json_pack("{s:s}", "text", "mine"));
        break;
    case 16:
        crowd_ask(c, p, M_TABLE_READ, t,
                  json_pack("{s:i}", "text", (int)dice(c, 5)));
        break;
    case 17:
        if (dice(c, 4) == 0)
            crowd_ask(c, p, M_TABLE_UNWATCH, t, json_object());
        break;
    default: move(c, p, t); break;
    }
}

/* What only the administrator can do: now and then a few plies back, another
 * player for a seat, the end of a table. */
static void reign(struct crowd *c, struct person *p)
{
    int t = (int)(c->tables - 1);
    id_num id = 0;
    char name[32];

    HOLDS(c, id_read(c->table[t], &id));
    uint32_t plies = (uint32_t)disk_table(&c->world.disk, id)->ply_count;
    uint32_t back = dice(c, plies < 12 ? plies : 12);
    switch (dice(c, 8)) {
    case 0:
        if (c->habits->games == NULL || dice(c, 20) == 0)
            crowd_ask(c, p, M_ADMIN_ABANDON, t,
                      json_pack("{s:s}", "why", "tired"));
        break;
    case 1:
    case 2:
    case 3:
        snprintf(name, sizeof(name), "person%u",
                 (unsigned)dice(c, c->habits->people));
        crowd_ask(c, p, M_ADMIN_REPLACE, t,
                  json_pack("{s:i,s:s}", "seat", (int)dice(c, 4), "user",
                            name));
        break;
    default:
        crowd_ask(c, p, M_ADMIN_REWIND, t,
                  json_pack("{s:I}", "ply", (json_int_t)(plies - 1 - back)));
    }
}

static void wander(struct crowd *c, struct person *p)
{
    if (is_last(c, p) && c->tables > 0 && chance(c, c->habits->reign)) {
        reign(c, p);
        return;
    }
    switch (dice(c, 40)) {
    case 0: leave(c, p); break;
    case 1: nonsense(c, p); break;
    case 2: crowd_ask(c, p, M_SERVER_HELLO, -1, json_object()); break;
    case 3: crowd_ask(c, p, M_ME_TABLES, -1, json_object()); break;
    case 4: crowd_ask(c, p, M_ME_NEXT, -1, json_object()); break;
    case 5: crowd_ask(c, p, M_ME_WATCH, -1, json_object()); break;
    case 6: crowd_ask(c, p, M_TABLE_LIST, -1, json_object()); break;
    case 7:
        if (p->late_count > 0) {
            struct asked a = p->late[--p->late_count];
            c->count.late++;
            send_asked(c, p, a.method, a.table, a.params);
            json_decref(a.params);
        }
        break;
    default:
        if (c->tables > 0)
            at_table(c, p);
    }
}

static bool makes_table(struct crowd *c)
{
    if (c->tables >= c->habits->tables || c->tables >= TABLES_MAX)
        return false;
    if (c->habits->games == NULL)
        return dice(c, 40) == 0;
    /* One at a time, so that they get on: the next when those are over. */
    for (size_t t = 0; t < c->tables; t++)
        if (!c->over[t])
            return false;
    return c->asked_for++ % 16 == 0;
}

static void act(struct crowd *c)
{
    struct person *p = &c->people[dice(c, c->habits->people)];

    if (p->peer == 0) {
        come(c, p);
        return;
    }
    if (p->asked_count > 40) {
        leave(c, p);
        return;
    }
    if (node_of(c, p->peer) == c->frozen)
        return;
    if (!p->logged_in) {
        enter(c, p);
        return;
    }
    if (makes_table(c)) {
        if (c->habits->games == NULL)
            create_any(c, p);
        else
            create_from(c, p, next_setup(c));
        return;
    }
    if (c->tables == 0 || chance(c, c->habits->wander)) {
        wander(c, p);
        return;
    }
    size_t t = c->tables - 1 - dice(c, c->tables > 1 ? 2 : 1);
    if (c->over[t])
        t = dice(c, (uint32_t)c->tables);
    if (!c->over[t])
        play_on_at(c, p, (int)t);
}

/* ---- a run ----------------------------------------------------------------- */

static void check_disk(struct crowd *c)
{
    char why[sizeof(c->ledger.fault.why) + 64];

    if (ledger_read(&c->ledger, &c->world.disk))
        return;
    record_fault_text(&c->ledger.fault, why, sizeof(why));
    crowd_broken(c, __FILE__, __LINE__, why);
}

static void crash(struct crowd *c)
{
    struct world *w = any_node(c);

    w->now_ms = c->world.now_ms;
    world_crash(w);
    c->count.crashes++;
    for (unsigned i = 0; i < c->habits->people; i++)
        if (node_of(c, c->people[i].peer) == w)
            gone(c, &c->people[i], dice(c, 2));
    check_disk(c);
    crowd_check_acked(c);
}

static void settle(struct crowd *c)
{
    bool more = true;

    while (more) {
        more = false;
        for (unsigned i = 0; i < node_count(c); i++)
            more |= step_at(c, node(c, i));
        check_disk(c);
    }
}

/* All nodes hear of what there is. */
static void settle_all(struct crowd *c)
{
    c->frozen = NULL;
    settle(c);
    for (unsigned i = 0; i < node_count(c) && c->habits->nodes > 0; i++) {
        hub_news(node(c, i)->hub, c->world.now_ms);
        settle(c);
    }
}

/* When all is quiet, who watches has what a fresh view says. */
static void check_watchers(struct crowd *c)
{
    for (unsigned i = 0; i < c->habits->people; i++) {
        struct person *p = &c->people[i];
        for (size_t t = 0; t < c->tables; t++) {
            if (p->peer == 0 || !p->logged_in || !p->watching[t])
                continue;
            int64_t ply = json_number(p->view[t], "ply");
            size_t compared = c->count.compared;
            crowd_ask(c, p, M_TABLE_WATCH, (int)t, json_object());
            settle(c);
            HOLDS(c, c->count.compared > compared ||
                         json_number(p->view[t], "ply") == ply);
        }
    }
}

/* Who is away or was cut off comes back. */
static void all_come(struct crowd *c)
{
    for (unsigned i = 0; i < c->habits->people; i++) {
        struct person *p = &c->people[i];
        if (p->peer != 0 && !p->logged_in)
            leave(c, p);
        if (p->peer == 0)
            come(c, p);
        if (!p->logged_in)
            enter(c, p);
        settle(c);
    }
}

/* Everybody asks for the records of finished tables; who was there may. */
static void check_records(struct crowd *c)
{
    all_come(c);
    for (size_t t = 0; t < c->tables; t++) {
        id_num id = 0;
        HOLDS(c, id_read(c->table[t], &id));
        const struct disk_table *table = disk_table(&c->world.disk, id);
        bool wanted = table->row.summary.state == TABLE_FINISHED;
        c->record_whole = false;
        for (unsigned i = 0; i < c->habits->people && wanted; i++) {
            struct person *p = &c->people[i];
            if (p->peer == 0 || !p->logged_in)
                continue;
            crowd_ask(c, p, M_TABLE_RECORD, (int)t, json_object());
            settle(c);
            wanted = !c->record_whole;
        }
        c->count.records += c->record_whole;
    }
}

static size_t game_index(const struct rules *r)
{
    size_t i = 0;
    while (play_game(i) != r)
        i++;
    ASSERT(i < CROWD_GAMES);
    return i;
}

static void count_misses(struct crowd *c, const struct audit *a)
{
    c->count.paced += a->timed;
    for (uint32_t i = 0; i < a->log_count; i++)
        if (a->log[i].kind == ENTRY_MISS)
            c->count.misses[a->log[i].more.then]++;
        else if (a->log[i].kind == ENTRY_VOTE)
            c->count.votes[a->log[i].more.about] += a->log[i].more.passed;
}

static void count_games(struct crowd *c)
{
    for (size_t i = 0; i < c->ledger.count; i++) {
        const struct record *r = c->ledger.pages[i].record;
        c->count.made[game_index(r->rules)]++;
        c->count.finished[game_index(r->rules)] += r->audit.state ==
                                                   AUDIT_FINISHED;
        c->count.resigned += r->audit.state == AUDIT_RESIGNED;
        c->count.timeouts += r->audit.state == AUDIT_TIMEOUT;
        count_misses(c, &r->audit);
        c->count.abandoned += r->audit.state == AUDIT_ABANDONED;
    }
    c->count.plies = c->ledger.plies;
    for (unsigned i = 0; i < node_count(c); i++)
        c->count.failures += node(c, i)->failures;
    c->count.outages = c->world.hub->outages.count;
    c->count.loads = c->world.loads;
    c->count.steps = c->world.steps;
    c->count.runs = 1;
}

/* ---- time -------------------------------------------------------------------- */

/* Time goes on, and what is due then is decided. */
static void time_passes(struct crowd *c, int64_t ms)
{
    c->world.now_ms += ms;
    for (unsigned i = 0; i < node_count(c); i++)
        tick_at(c, node(c, i));
}

static void leap(struct crowd *c)
{
    int64_t from = c->world.now_ms, ms = 1000 + dice(c, 180000);

    c->world.now_ms += ms;
    if (dice(c, 8) == 0)
        hub_stood_still(c->world.hub, from, c->world.now_ms);
    time_passes(c, 0);
}

/* When time is up at a table that the disk knows, at the latest, or 0. */
static int64_t first_due(const struct crowd *c)
{
    const struct world *w = &c->world;
    const struct outages *o = &w->hub->outages;
    int64_t first = 0;

    for (size_t i = 0; i < c->ledger.count; i++) {
        const struct audit *a = &c->ledger.pages[i].record->audit;
        for (int seat = 0;
             a->timed && a->state == AUDIT_PLAYING && seat < a->seats;
             seat++) {
            int64_t due = timing_due(&a->timing, seat, w->now_ms, o->at,
                                     o->count);
            if (due != 0 && (first == 0 || due < first))
                first = due;
        }
    }
    return first;
}

static size_t paced_on(const struct crowd *c)
{
    size_t on = 0;

    for (size_t i = 0; i < c->ledger.count; i++) {
        const struct audit *a = &c->ledger.pages[i].record->audit;
        on += a->timed && a->state == AUDIT_PLAYING;
    }
    return on;
}

/* Whatever was due is decided, whatever failed meanwhile, once the clock is where
 * it was before. */
static void check_deadlines(struct crowd *c)
{
    if (c->world.now_ms < c->world.disk.sign)
        c->world.now_ms = c->world.disk.sign;
    for (int i = 0; i < 8; i++) {
        time_passes(c, LIMIT_DEADLINE_AGAIN_MS + 1000);
        settle(c);
    }
    int64_t due = first_due(c);
    HOLDS(c, due == 0 || due + MISS_AFTER_MS + 15000 > c->world.now_ms);
}

/* Nobody comes any more: each table has an end. */
static void desert(struct crowd *c)
{
    /* A seat is excused twice, then it misses three turns, at most. */
    for (int i = 0; i < RULES_SEATS_MAX * 8 * (int)c->tables; i++) {
        int64_t due = first_due(c);
        if (due == 0)
            break;
        if (due > c->world.now_ms)
            c->world.now_ms = due;
        check_deadlines(c);
    }
    HOLDS(c, paced_on(c) == 0);
}

static bool all_over(const struct crowd *c)
{
    if (c->habits->games == NULL || c->tables < c->habits->tables)
        return false;
    for (size_t t = 0; t < c->tables; t++)
        if (!c->over[t])
            return false;
    return true;
}

static void live(struct crowd *c)
{
    const struct habits *h = c->habits;

    for (size_t i = 0; i < h->steps && !all_over(c); i++) {
        if (dice(c, 100000) < h->crash_per_100000 || i + 1 == h->crash_at)
            crash(c);
        if (dice(c, 3) == 0 || !step_at(c, any_node(c)))
            act(c);
        check_disk(c);
        if (dice(c, 50) == 0)
            tick_at(c, any_node(c));
        nodes_live(c);
        if (h->leaps_per_100000 > 0 && dice(c, 100000) < h->leaps_per_100000)
            leap(c);
    }
    for (unsigned i = 0; i < node_count(c); i++)
        node(c, i)->fail_per_1000 = node(c, i)->deaf_per_1000 = 0;
    c->world.jumps_per_100000 = 0;
    settle_all(c);
    if (h->pace > 0)
        check_deadlines(c);
    if (h->deserted)
        desert(c);
    for (unsigned i = 0; i < node_count(c); i++)
        HOLDS(c, hub_idle(node(c, i)->hub));
    check_watchers(c);
    check_records(c);
    check_disk(c);
    crowd_check_acked(c);
    count_games(c);
}

static void add_counts(struct crowd_counts *to,
                       const struct crowd_counts *from)
{
    size_t *sum = (size_t *)to;
    const size_t *more = (const size_t *)from;

    for (size_t i = 0; i < sizeof(*to) / sizeof(*sum); i++)
        sum[i] += more[i];
}

static void done(struct crowd *c)
{
    for (unsigned i = node_count(c); i-- > 0;)
        world_done(node(c, i));
    ledger_done(&c->ledger);
    for (unsigned i = 0; i < c->habits->people; i++) {
        struct person *p = &c->people[i];
        for (size_t k = 0; k < p->asked_count; k++)
            json_decref(p->asked[k].params);
        for (size_t k = 0; k < p->late_count; k++)
            json_decref(p->late[k].params);
        for (size_t t = 0; t < c->tables; t++) {
            json_decref(p->legal[t]);
            crowd_forget_view(p, (int)t);
        }
    }
    for (size_t i = 0; i < c->acked_count; i++)
        free(c->acked[i].says);
    free(c->acked);
    free(c->record);
}

static void start(struct crowd *c, struct world *w, uint64_t seed)
{
    const struct habits *habits = c->habits;

    world_init(w, seed, crowd_heard, dropped, c);
    if (w != &c->world)
        w->home = &c->world;
    w->config.shared = habits->nodes > 0;
    hub_configure(w->hub, &w->config);
    while (world_step(w)) /* what a start does, before anybody comes */
        continue;
    w->fail_per_1000 = w->deaf_per_1000 = habits->fail;
    if (habits->fail_at > 0)
        w->fail_at = w->handled + habits->fail_at;
    w->limbo_per_1000 = 500;
    w->jumps_per_100000 = habits->jumps_per_100000;
    /* In a lobby tables are left; where games are to be played they are not. */
    w->config.open_table_ms = habits->games == NULL ? 15000 : 86400000;
    hub_configure(w->hub, &w->config);
}

uint64_t crowd_run(uint64_t seed, const struct habits *habits,
                   struct crowd_counts *total)
{
    struct crowd *c = calloc(1, sizeof(*c));
    uint64_t trace;

    ASSERT(c != NULL && habits->people <= PEOPLE_MAX);
    c->seed = seed;
    c->habits = habits;
    for (unsigned i = 0; i < node_count(c); i++)
        start(c, node(c, i), seed + i);
    for (unsigned i = 0; i < habits->people; i++)
        snprintf(c->people[i].name, sizeof(c->people[i].name), "person%u", i);
    live(c);
    trace = c->trace;
    add_counts(total, &c->count);
    done(c);
    free(c);
    return trace;
}
