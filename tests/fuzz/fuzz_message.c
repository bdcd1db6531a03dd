/* fuzz_message.c -- what anybody may say to the hub, in any order, while the
 * disk fails and the process dies.
 *
 * The world is a small one in memory: three users, somebody unknown and the
 * administrator, at a running table of each game, an open one with a password
 * and a finished one.  The bytes are lines; the first letter says who speaks:
 *
 *     a table.move {"table":"$1","decision":"$d","move":"$m"}
 *     b=any text at all, as it is
 *
 * a, b and c are the users (a and b play), d is unknown, m the administrator.
 * What else begins a line is what happens: `.` one thing that waits to be done,
 * `~` all of them, `%` the next of them fails, `#` the process dies, `+` an hour
 * goes by, `-a` hangs up.  In a message "$0" to "$9" stand for tables, "$t" for
 * the speaker's token, and "$d", "$p", "$c", "$m" for the decision, ply and
 * chain that they heard of last and a move they may make.
 *
 * With SHOW in the environment an input is shown as it is played.
 *
 * Every message is answered exactly once, with its own id, by what its method
 * promises or by a reason there is; what is stored is true; and who asks after
 * the process has died is told what they were told before. */

#include <jansson.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "protocol/methods.h"
#include "server/hub/limits.h"
#include "tests/support/test_client.h"
#include "tests/support/ledger.h"

enum { SPEAKERS = 5, TABLES = 7, OUTSTANDING_MAX = 4096, LINES_MAX = 60 };
enum { UNKNOWN = 3, ADMIN = 4 };
static const char letters[] = "abcdm";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size,
                               unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
extern const size_t fuzz_variants;

const size_t fuzz_variants = 15; /* a whole server for each */

/* ---- the small world ------------------------------------------------------ */

static struct test_client made; /* once; its disk is copied for each input */
static char tokens[SPEAKERS][65];
static char tables[TABLES][16];

static void play(peer_id peer, const char *table)
{
    json_t *answer = test_client_ask(&made, peer, "table.legal", "{s:s}",
                                     "table", table);
    json_t *moves = test_client_member(answer, "moves");
    if (json_array_size(moves) == 0)
        return;
    test_client_ask(&made, peer, "table.move", "{s:s,s:O,s:O}", "table", table,
                    "decision", test_client_member(answer, "decision"), "move",
                    json_array_get(moves, json_array_size(moves) / 2));
}

static void make_table(int i, const peer_id *peer, const char *params,
                       int plies)
{
    json_t *answer = test_client_ask_json(&made, peer[0], "table.create",
                                          json_loads(params, 0, NULL));
    ASSERT(test_client_reason(answer)[0] == '\0');
    snprintf(tables[i], sizeof(tables[i]), "%s",
             test_client_text(answer, "table"));
    if (plies < 0)
        return;
    test_client_ask(&made, peer[1], "table.join", "{s:s}", "table", tables[i]);
    for (int k = 0; k < plies; k++)
        play(peer[k % 2], tables[i]);
}

static void make_world(void)
{
    static const char *const names[] = {"alice", "bob", "carol"};
    peer_id peer[3];

    test_client_open(&made, 1);
    for (int i = 0; i < 3; i++) {
        peer[i] = test_client_come(&made, 0);
        json_t *answer = test_client_ask(&made, peer[i], "account.register",
                                         "{s:s,s:s}", "name", names[i],
                                         "password", "password");
        snprintf(tokens[i], sizeof(tokens[i]), "%s",
                 test_client_text(answer, "token"));
    }
    make_table(0, peer, "{\"game\":\"tictactoe\",\"seats\":2}", 2);
    make_table(1, peer, "{\"game\":\"hacienda\",\"seats\":2}", 12);
    make_table(2, peer, "{\"game\":\"hadara\",\"seats\":2}", 6);
    make_table(3, peer,
               "{\"game\":\"greement\",\"seats\":2,\"options\":"
               "{\"turns\":1}}",
               4);
    make_table(4, peer,
               "{\"game\":\"hacienda\",\"seats\":3,\"start\":\"manual\","
               "\"private\":true,\"password\":\"door\",\"invite\":[\"bob\"]}",
               -1);
    make_table(5, peer, "{\"game\":\"tictactoe\",\"seats\":2}", 9);
    make_table(6, peer,
               "{\"game\":\"tictactoe\",\"seats\":2,\"spectators\":false}", 0);
    test_client_settle(&made);
}

/* ---- one input ------------------------------------------------------------- */

struct outstanding {
    peer_id peer;
    char id[400]; /* as JSON */
    int method;   /* -1: unknown */
};

struct speaker {
    peer_id peer; /* 0: hung up */
    char *move, *chain;
    json_t *view; /* the last */
    int64_t decision, ply;
};

static struct world world;
static struct speaker speakers[SPEAKERS];
static struct outstanding list[OUTSTANDING_MAX];
static size_t outstanding;
static peer_id peers;
static int ids;

static struct speaker *speaker_of(peer_id peer)
{
    for (int i = 0; i < SPEAKERS; i++)
        if (speakers[i].peer == peer)
            return &speakers[i];
    return NULL;
}

/* Nobody listens there any more. */
static void forget_outstanding(peer_id peer)
{
    size_t to = 0;
    for (size_t i = 0; i < outstanding; i++)
        if (list[i].peer != peer)
            list[to++] = list[i];
    outstanding = to;
}

static void dropped(struct world *w, peer_id peer)
{
    (void)w;
    forget_outstanding(peer);
    struct speaker *p = speaker_of(peer);
    if (p != NULL)
        p->peer = 0; /* and hub_close() would follow; so may anything else */
}

static void set_text(char **to, const json_t *value)
{
    free(*to);
    *to = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY);
}

/* Keeps what they may refer to. */
static void remember(struct speaker *p, const json_t *result)
{
    const json_t *view = json_object_get(result, "view");
    const json_t *from = view != NULL ? view : result;
    const json_t *decision = json_object_get(from, "decision");
    const json_t *ply = json_object_get(from, "ply");
    const json_t *moves = json_object_get(result, "moves");
    const json_t *chain = json_object_get(result, "chain");

    if (view != NULL) {
        json_decref(p->view);
        p->view = json_deep_copy(view);
    }
    if (json_is_integer(decision))
        p->decision = json_integer_value(decision);
    if (json_is_integer(ply))
        p->ply = json_integer_value(ply);
    if (json_array_size(moves) > 0)
        set_text(&p->move,
                 json_array_get(moves, (size_t)ids % json_array_size(moves)));
    if (json_is_string(chain))
        set_text(&p->chain, chain);
}

static bool reason_there_is(const json_t *error)
{
    const char *reason = json_string_value(
        json_object_get(json_object_get(error, "data"), "reason"));
    int code = (int)json_integer_value(json_object_get(error, "code"));

    for (int e = ERR_NONE + 1; e < ERRORS && reason != NULL; e++)
        if (strcmp(error_reason((enum error)e), reason) == 0)
            return error_code((enum error)e) == code &&
                   json_is_string(json_object_get(error, "message"));
    return false;
}

/* How well RESULT, or a refusal if that is NULL, with ID goes with O: 0 not at
 * all, 1 if O was no request to the hub, 3 if all is as promised. */
static int goes_with(const struct outstanding *o, const char *id,
                     const json_t *result)
{
    struct shape_fault fault;
    bool same = strcmp(o->id, id) == 0;

    if (!same && (result != NULL || strcmp(id, "null") != 0))
        return 0;
    if (!same)
        return 1;
    return result == NULL ||
                   (o->method >= 0 &&
                    shape_check(&methods[o->method].result, result, &fault))
               ? 3
               : 2;
}

/* Finds what TEXT answers and takes it off the list: it was asked, is answered
 * once, and as its method promises. */
static void hear_answer(peer_id peer, const json_t *text)
{
    char *id = json_dumps(json_object_get(text, "id"),
                          JSON_COMPACT | JSON_ENCODE_ANY);
    const json_t *result = json_object_get(text, "result");
    const json_t *error = json_object_get(text, "error");
    size_t at = 0;
    int best = 0;

    ASSERT(id != NULL && (result == NULL) == (error != NULL));
    for (size_t i = 0; i < outstanding; i++) {
        int fits = list[i].peer == peer ? goes_with(&list[i], id, result) : 0;
        if (fits <= best)
            continue;
        at = i;
        best = fits;
    }
    ASSERT(best > 0);
    ASSERT(result == NULL || best == 3);
    ASSERT(result != NULL || reason_there_is(error));
    list[at] = list[--outstanding];
    free(id);
}

static void heard(struct world *w, peer_id peer, const char *text, size_t len)
{
    struct shape_fault fault;
    json_t *value = json_loadb(text, len, JSON_REJECT_DUPLICATES, NULL);
    struct speaker *p = speaker_of(peer);

    (void)w;
    if (getenv("SHOW") != NULL)
        fprintf(stderr, "< %.200s\n", text);
    ASSERT(json_is_object(value) && len <= LIMIT_ANSWER_BYTES);
    const char *method = json_string_value(json_object_get(value, "method"));
    if (p == NULL) {
        /* hung up meanwhile */
    } else if (method == NULL) {
        hear_answer(peer, value);
        remember(p, json_object_get(value, "result"));
    } else {
        int n = 0;
        while (n < NOTIFICATIONS && strcmp(notifications[n].name, method) != 0)
            n++;
        ASSERT(n < NOTIFICATIONS);
        ASSERT(shape_check(&notifications[n].params,
                           json_object_get(value, "params"), &fault));
    }
    json_decref(value);
}

static void settle(void)
{
    while (world_step(&world))
        continue;
}

static void note_outstanding(peer_id peer, const char *text, size_t len)
{
    json_t *value = json_loadb(text, len, JSON_REJECT_DUPLICATES, NULL);
    const json_t *id = json_object_get(value, "id");
    const char *method = json_string_value(json_object_get(value, "method"));

    ASSERT(outstanding < OUTSTANDING_MAX);
    struct outstanding *o = &list[outstanding++];
    *o = (struct outstanding){peer, "null", -1};
    if (json_is_integer(id) ||
        (json_is_string(id) && json_string_length(id) <= 64)) {
        char *dump = json_dumps(id, JSON_COMPACT | JSON_ENCODE_ANY);
        snprintf(o->id, sizeof(o->id), "%s", dump);
        free(dump);
    }
    if (method != NULL)
        o->method = method_find(method, strlen(method));
    json_decref(value);
}

static void say(struct speaker *p, const char *text, size_t len)
{
    if (p->peer == 0 || len > LIMIT_MESSAGE_BYTES ||
        outstanding == OUTSTANDING_MAX)
        return;
    if (getenv("SHOW") != NULL)
        fprintf(stderr, "> %c %.*s\n", letters[p - speakers],
                len < 200 ? (int)len : 200, text);
    note_outstanding(p->peer, text, len);
    hub_message(world.hub, p->peer, text, len, world.now_ms);
}

static void come(int i)
{
    struct peer_info info = {
        .source = 1,
        .direct = true,
        .admin = i == ADMIN,
        .notices = true,
    };
    char text[160];

    speakers[i].peer = ++peers;
    hub_open(world.hub, peers, &info, world.now_ms);
    if (tokens[i][0] == '\0')
        return;
    int n = snprintf(text, sizeof(text),
                     "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":"
                     "\"session.resume\",\"params\":{\"token\":\"%s\"}}",
                     tokens[i]);
    say(&speakers[i], text, (size_t)n);
}

static void hang_up(int i)
{
    peer_id peer = speakers[i].peer;

    if (peer == 0)
        return;
    forget_outstanding(peer);
    speakers[i].peer = 0;
    hub_close(world.hub, peer, world.now_ms);
}

static void all_come(void)
{
    for (int i = 0; i < SPEAKERS; i++)
        come(i);
}

static void crash(void)
{
    world_crash(&world);
    for (int i = 0; i < SPEAKERS; i++)
        speakers[i].peer = 0;
    outstanding = 0;
    all_come();
}

/* ---- reading lines ------------------------------------------------------------ */

/* What "$X" stands for, as JSON, into BUF. */
static void reference(const struct speaker *p, char x, char *buf, size_t cap)
{
    size_t who = (size_t)(p - speakers);

    /* What they have asked for and not heard yet they wait for. */
    if ((x == 'm' && p->move == NULL) || (x == 'c' && p->chain == NULL) ||
        (x == 'd' && p->decision == 0) || (x == 'p' && p->ply == 0))
        settle();
    if (x >= '0' && x <= '9') {
        char id[ID_SIZE] = "none";
        if ((size_t)(x - '0') < world.disk.table_count)
            id_write(world.disk.tables[x - '0']->row.id, id);
        snprintf(buf, cap, "\"%s\"", id);
    } else if (x == 't') {
        snprintf(buf, cap, "\"%s\"", tokens[who]);
    } else if (x == 'd') {
        snprintf(buf, cap, "%lld", (long long)p->decision);
    } else if (x == 'p') {
        snprintf(buf, cap, "%lld", (long long)p->ply);
    } else if (x == 'c') {
        snprintf(buf, cap, "%s", p->chain != NULL ? p->chain : "\"\"");
    } else if (x == 'm') {
        snprintf(buf, cap, "%s", p->move != NULL ? p->move : "{}");
    } else {
        snprintf(buf, cap, "\"$%c\"", x);
    }
}

/* TEXT with what its references stand for; the caller frees it. */
static char *resolved(const struct speaker *p, const char *text, size_t len,
                      size_t *ret_len)
{
    size_t cap = len + 1, n = 0;
    char *out = malloc(cap), word[400];

    ASSERT(out != NULL);
    for (size_t i = 0; i < len; i++) {
        size_t more = 1;
        word[0] = text[i];
        word[1] = '\0';
        if (i + 3 < len && text[i] == '"' && text[i + 1] == '$' &&
            text[i + 3] == '"') {
            reference(p, text[i + 2], word, sizeof(word));
            more = strlen(word);
            i += 3;
        }
        if (n + more + 1 > cap) {
            cap = 2 * cap + more;
            out = realloc(out, cap);
            ASSERT(out != NULL);
        }
        memcpy(out + n, word, more);
        n += more;
    }
    out[n] = '\0';
    *ret_len = n;
    return out;
}

/* "METHOD PARAMS" in an envelope. */
static void say_request(struct speaker *p, const char *text, size_t len)
{
    const char *space = memchr(text, ' ', len);
    size_t method = space != NULL ? (size_t)(space - text) : len;
    char *whole = NULL;
    int n = asprintf(&whole,
                     "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"%.*s\","
                     "\"params\":%.*s}",
                     ++ids, (int)method, text,
                     space != NULL ? (int)(len - method - 1) : 2,
                     space != NULL ? space + 1 : "{}");
    ASSERT(n > 0);
    say(p, whole, (size_t)n);
    free(whole);
}

static void speak(struct speaker *p, const char *text, size_t len)
{
    size_t n;

    if (len < 2 || (text[1] != ' ' && text[1] != '='))
        return;
    char *whole = resolved(p, text + 2, len - 2, &n);
    if (text[1] == '=')
        say(p, whole, n);
    else
        say_request(p, whole, n);
    free(whole);
}

static void do_line(const char *text, size_t len)
{
    const char *who = memchr(letters, len > 0 ? text[0] : 'z', SPEAKERS);

    if (who != NULL) {
        struct speaker *p = &speakers[who - letters];
        if (p->peer == 0)
            come((int)(who - letters));
        speak(p, text, len);
        return;
    }
    switch (len > 0 ? text[0] : '\0') {
    case '.': world_step(&world); break;
    case '~': settle(); break;
    case '#': crash(); break;
    case '+':
        world.now_ms += 3600 * INT64_C(1000);
        hub_tick(world.hub, world.now_ms);
        break;
    case '%':
        world.fail_per_1000 = world.deaf_per_1000 = 1000;
        world_step(&world);
        world.fail_per_1000 = world.deaf_per_1000 = 0;
        break;
    case '-':
        who = memchr(letters, len > 1 ? text[1] : 'z', SPEAKERS);
        if (who != NULL)
            hang_up((int)(who - letters));
        break;
    default: break;
    }
}

/* ---- what must be true in the end ------------------------------------------------ */

/* Tables that are not as they were made, as a disk of their own. */
static size_t changed(struct disk_table **at)
{
    const struct disk *d = &world.disk;
    size_t n = 0;

    for (size_t i = 0; i < d->table_count; i++)
        if (i >= TABLES ||
            d->tables[i]->ply_count != made.world.disk.tables[i]->ply_count)
            at[n++] = d->tables[i];
    return n;
}

static void check_logs(struct disk_table **at, size_t n)
{
    struct disk some = {.tables = at, .table_count = n};
    struct ledger ledger = {0};

    bool fine = ledger_read(&ledger, &some);
    if (!fine)
        fprintf(stderr, "%s\n", ledger.fault.why);
    ASSERT(fine);
    ledger_done(&ledger);
}

/* The view of table T as speaker WHO is told it now, a reference, or NULL. */
static json_t *view_now(int who, const struct disk_table *t)
{
    char text[120], id[ID_SIZE];
    struct speaker *p = &speakers[who];

    json_decref(p->view);
    p->view = NULL;
    id_write(t->row.id, id);
    int n = snprintf(text, sizeof(text), "table.watch {\"table\":\"%s\"}", id);
    say_request(p, text, (size_t)n);
    settle();
    return json_incref(p->view);
}

/* Who asks after the process has died is told what they were told before. */
static void check_views(struct disk_table **at, size_t n)
{
    enum { LOOKED_AT = 4 };
    json_t *views[LOOKED_AT][SPEAKERS];

    crash(); /* everybody is themselves again, if their token is still good */
    settle();
    for (size_t i = 0; i < n && i < LOOKED_AT; i++) {
        /* A name that was being changed is so once its table was looked at. */
        json_decref(view_now(0, at[i]));
        for (int who = 0; who < SPEAKERS; who++)
            views[i][who] = view_now(who, at[i]);
    }
    crash();
    settle();
    for (size_t i = 0; i < n && i < LOOKED_AT; i++) {
        for (int who = 0; who < SPEAKERS; who++) {
            json_t *view = view_now(who, at[i]);
            ASSERT((view == NULL) == (views[i][who] == NULL));
            ASSERT(view == NULL || json_equal(view, views[i][who]));
            json_decref(view);
            json_decref(views[i][who]);
        }
    }
}

static void check_end(void)
{
    struct disk_table **at = calloc(world.disk.table_count + 1, sizeof(*at));

    ASSERT(at != NULL);
    settle();
    ASSERT(hub_idle(world.hub));
    ASSERT(outstanding == 0);
    size_t n = changed(at);
    check_logs(at, n);
    if (n > 0)
        check_views(at, n);
    free(at);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    const char *text = (const char *)data;

    if (made.world.hub == NULL)
        make_world();
    world_init(&world, 2, heard, dropped, NULL);
    disk_copy(&world.disk, &made.world.disk);
    world.now_ms = made.world.now_ms + 1000;
    outstanding = 0;
    all_come();
    settle();
    for (int n = 0; len > 0 && n < LINES_MAX; n++) {
        const char *newline = memchr(text, '\n', len);
        size_t size = newline != NULL ? (size_t)(newline - text) : len;
        do_line(text, size);
        text += size + (newline != NULL);
        len -= size + (newline != NULL);
    }
    check_end();
    world_done(&world);
    for (int i = 0; i < SPEAKERS; i++) {
        free(speakers[i].move);
        free(speakers[i].chain);
        json_decref(speakers[i].view);
        speakers[i] = (struct speaker){0};
    }
    return 0;
}

/* ---- making lines ------------------------------------------------------------- */

static unsigned seed_now;

static size_t dice(size_t n)
{
    return (size_t)rand_r(&seed_now) % n;
}

static json_t *make_string(const struct shape *s)
{
    static const char *const names[] = {"alice", "bob", "Carol", "dave"};
    static const char *const games[] = {"tictactoe", "hacienda", "hadara",
                                        "greement"};
    char text[4] = "$0";

    if (s->words != NULL) {
        size_t n = 0;
        while (s->words[n] != NULL)
            n++;
        return json_string(s->words[dice(n)]);
    }
    if (s->name != NULL && strcmp(s->name, "id") == 0) {
        text[1] = (char)('0' + dice(9));
        return json_string(text);
    }
    if (s->name != NULL && strcmp(s->name, "name") == 0)
        return json_string(names[dice(COUNT_OF(names))]);
    if (s->charset == CHARSET_HEX)
        return json_string(s->min == 64 ? "$c"
                                        : "00112233445566778899aabbccddeeff");
    if (s->charset == CHARSET_ID && s->max == 32)
        return json_string(games[dice(COUNT_OF(games))]);
    if (s->charset == CHARSET_ID && s->max == 64)
        return json_string("$t");
    return json_string(s->min >= 8 ? "password" : dice(2) ? "door" : "word");
}

static json_t *make_int(const struct shape *s)
{
    switch (dice(5)) {
    case 0: return json_integer(s->min);
    case 1: return json_integer(s->max);
    case 2: return json_string("$p");
    case 3: return json_string("$d");
    default: return json_integer(s->min + (int64_t)dice(6));
    }
}

/* Something that is as SHAPE says, most of the time. */
static json_t *make_value(const struct shape *s, int depth)
{
    json_t *value;

    if (s->null && dice(6) == 0)
        return json_null();
    if (s->name != NULL && strcmp(s->name, "move") == 0 && dice(4) != 0)
        return json_string("$m");
    switch (s->kind) {
    case SHAPE_BOOL: return json_boolean(dice(2));
    case SHAPE_INT: return make_int(s);
    case SHAPE_STRING: return make_string(s);
    case SHAPE_LIST:
        value = json_array();
        for (size_t n = dice(3) + (size_t)s->min; n > 0 && depth < 5; n--)
            json_array_append_new(value, make_value(s->item, depth + 1));
        return value;
    case SHAPE_OBJECT:
        value = json_object();
        for (const struct shape_member *m = s->members; m->name != NULL; m++)
            if (!m->optional || dice(3) == 0)
                json_object_set_new(value, m->name,
                                    make_value(m->shape, depth + 1));
        return value;
    case SHAPE_ONE_OF:
        for (size_t n = 0;; n++)
            if (s->choices[n + 1] == NULL || dice(2))
                return make_value(s->choices[n], depth + 1);
    default: return dice(2) ? json_string("all") : json_object();
    }
}

/* A line into BUF; its length. */
static size_t make_line(char *buf, size_t cap)
{
    static const char *const events[] = {".\n", "~\n",  "%\n", "#\n",
                                         "+\n", "-a\n", "-b\n"};
    int n;

    if (dice(4) == 0) {
        n = snprintf(buf, cap, "%s", events[dice(COUNT_OF(events))]);
        return (size_t)n;
    }
    const struct method_info *m = &methods[dice(METHODS)];
    json_t *params = make_value(&m->params, 0);
    char *text = json_dumps(params, JSON_COMPACT);
    char who = m->role == ROLE_ADMIN ? 'm' : letters[dice(SPEAKERS - 1)];
    n = snprintf(buf, cap, "%c %s %s\n", who, m->name,
                 text != NULL ? text : "{}");
    free(text);
    json_decref(params);
    return n < 0 || (size_t)n >= cap ? 0 : (size_t)n;
}

/* Where the line begins that byte AT is in, and where the next one does. */
static size_t line_at(const uint8_t *data, size_t size, size_t at,
                      size_t *ret_end)
{
    size_t from = at, to = at;
    while (from > 0 && data[from - 1] != '\n')
        from--;
    while (to < size && data[to] != '\n')
        to++;
    *ret_end = to < size ? to + 1 : size;
    return from;
}

/* Puts in LEN bytes before AT. */
static size_t put_in(uint8_t *data, size_t size, size_t max_size, size_t at,
                     const char *text, size_t len)
{
    if (size + len > max_size)
        return size;
    memmove(data + at + len, data + at, size - at);
    memcpy(data + at, text, len);
    return size + len;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size,
                               unsigned seed)
{
    char line[2048];
    size_t from, to;

    seed_now = seed;
    from = line_at(data, size, size > 0 ? dice(size) : 0, &to);
    switch (dice(6)) {
    case 0:
    case 1:
        return put_in(data, size, max_size, from, line,
                      make_line(line, sizeof(line)));
    case 2: /* once more, somewhere */
        if (to - from < sizeof(line) && to > from) {
            size_t n = to - from;
            memcpy(line, data + from, n);
            from = line_at(data, size, dice(size), &to);
            return put_in(data, size, max_size, from, line, n);
        }
        return size;
    case 3: /* without it */
        if (to - from < size) {
            memmove(data + from, data + to, size - to);
            return size - (to - from);
        }
        return size;
    case 4: { /* within it */
        size_t n = to - from, rest = size - to;
        uint8_t *tail = malloc(rest + 1);
        ASSERT(tail != NULL);
        memcpy(tail, data + to, rest);
        n = LLVMFuzzerMutate(data + from, n, max_size - from - rest);
        memcpy(data + from + n, tail, rest);
        free(tail);
        return from + n + rest;
    }
    default: return LLVMFuzzerMutate(data, size, max_size);
    }
}
