/* load_sobremesa.c -- two people at each table, over the public protocol.
 *
 *     come, come -> create, join (all games of the lane) -> [seeds, games]
 *     -> watch -> move, move, ... -> unwatch, watch -> ...
 *
 * Every update has to lead on from the last one that its connection saw, and
 * every answer to be the ply that was foreseen. */

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "load.h"

#define PIPELINE 16 /* requests under way while tables are made */
/* Ids of requests; below are the moves. */
enum { ID_COME = 1000000, ID_TABLE, ID_WATCH, ID_UNWATCH };
#define STEPS_MAX 100000

static struct table *current(const struct lane *lane)
{
    return &lane->tables[lane->table];
}

/* ---- making tables ------------------------------------------------------ */

static void create(struct client *c)
{
    char text[256], pace[48] = "";
    if (c->load->pace > 0)
        snprintf(pace, sizeof(pace), ",\"pace\":{\"free\":%d}", c->load->pace);
    snprintf(text, sizeof(text),
             "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"table.create\","
             "\"params\":{\"game\":\"%s\",\"seats\":%d%s}}",
             ID_TABLE, c->load->game, SEATS, pace);
    client_say_text(c, text);
    c->lane->prepared++;
}

static void join(struct client *c, const struct table *t)
{
    char text[256];
    snprintf(text, sizeof(text),
             "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"table.join\","
             "\"params\":{\"table\":\"%s\"}}",
             ID_TABLE, t->id);
    client_say_text(c, text);
}

/* Whose token the next connection takes. */
static void take_token(struct client *c)
{
    static FILE *f;
    size_t size = 0;

    if (f == NULL)
        f = fopen(c->load->tokens, "r");
    if (f == NULL || getline(&c->kept, &size, f) <= 0)
        load_fail("--tokens FILE with one for each connection");
    c->kept[strcspn(c->kept, "\n")] = '\0';
}

static void before(struct client *c)
{
    snprintf(c->path, sizeof(c->path), "/ws");
    if (c->load->tokens != NULL)
        take_token(c);
}

static void opened(struct client *c)
{
    char text[256];

    if (c->kept == NULL)
        snprintf(text, sizeof(text),
                 "{\"jsonrpc\":\"2.0\",\"id\":%d,"
                 "\"method\":\"account.guest\"}",
                 ID_COME);
    else
        snprintf(text, sizeof(text),
                 "{\"jsonrpc\":\"2.0\",\"id\":%d,"
                 "\"method\":\"session.resume\","
                 "\"params\":{\"token\":\"%s\"}}",
                 ID_COME, c->kept);
    client_say_text(c, text);
}

/* Both are there: one makes, the other joins. */
static void come(struct client *c)
{
    struct lane *lane = c->lane;

    c->step = 1;
    if (lane->client[0].step == 0 || lane->client[1].step == 0)
        return;
    lane->tables = calloc(c->load->games, sizeof(*lane->tables));
    ASSERT(lane->tables != NULL);
    for (unsigned i = 0; i < PIPELINE && i < c->load->games; i++)
        create(&lane->client[0]);
}

static void created(struct client *c, const char *text)
{
    struct lane *lane = c->lane;
    struct table *t = &lane->tables[lane->table++];
    const char *at = strstr(text, "\"table\":\"");

    if (at == NULL)
        load_fail("a table without an id: %s", text);
    snprintf(t->id, sizeof(t->id), "%.13s", at + 9);
    join(&lane->client[1], t);
}

static void joined(struct client *c)
{
    struct lane *lane = c->lane;

    if (lane->prepared < c->load->games)
        create(&lane->client[0]);
    if (++lane->joined < c->load->games)
        return;
    lane->table = 0;
    lane_prepared(lane);
}

/* ---- games -------------------------------------------------------------- */

static void read_seeds(struct load *load)
{
    char path[512];
    sqlite3 *db;
    sqlite3_stmt *stmt;

    if (load->data == NULL)
        load_fail("--data, please");
    snprintf(path, sizeof(path), "%s/sobremesa.db", load->data);
    if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK ||
        sqlite3_prepare_v2(db,
                           "SELECT json_extract(header, '$.table'), seed "
                           "FROM setups",
                           -1, &stmt, NULL) != SQLITE_OK)
        load_fail("%s: %s", path, sqlite3_errmsg(db));
    /* One pass over the file: which table is whose is looked up here. */
    size_t n = (size_t)load->count * load->games, size = 1;
    while (size < 2 * n)
        size *= 2;
    struct table **slots = calloc(size, sizeof(struct table *));
    ASSERT(slots != NULL);
    for (unsigned i = 0; i < load->count; i++) {
        for (unsigned k = 0; k < load->games; k++) {
            struct table *t = &load->lanes[i].tables[k];
            size_t at = 0;
            for (const char *c = t->id; *c != '\0'; c++)
                at = at * 31 + (size_t)*c;
            while (slots[at & (size - 1)] != NULL)
                at++;
            slots[at & (size - 1)] = t;
        }
    }
    while (sqlite3_step(stmt) == SQLITE_ROW) {
        const char *id = (const char *)sqlite3_column_text(stmt, 0);
        size_t at = 0;
        for (const char *c = id; *c != '\0'; c++)
            at = at * 31 + (size_t)*c;
        while (slots[at & (size - 1)] != NULL &&
               strcmp(slots[at & (size - 1)]->id, id) != 0)
            at++;
        struct table *t = slots[at & (size - 1)];
        if (t == NULL)
            continue;
        game_make(t, load->game, (const char *)sqlite3_column_text(stmt, 1),
                  STEPS_MAX);
        n--;
    }
    if (n != 0)
        load_fail("%zu tables have no seed", n);
    free(slots);
    sqlite3_finalize(stmt);
    sqlite3_close(db);
}

static void watch(struct lane *lane)
{
    char text[256];
    snprintf(text, sizeof(text),
             "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"table.watch\","
             "\"params\":{\"table\":\"%s\"}}",
             ID_WATCH, current(lane)->id);
    lane->joined = 0;
    for (int seat = 0; seat < SEATS; seat++)
        client_say_text(&lane->client[seat], text);
}

static void prepared(struct load *load)
{
    read_seeds(load);
    for (unsigned i = 0; i < load->count; i++)
        watch(&load->lanes[i]);
}

static void watched(struct client *c, const char *text)
{
    struct lane *lane = c->lane;
    const struct table *t = current(lane);
    const char *at = strstr(text, "\"ply\":");

    c->ply = at != NULL ? (uint32_t)strtoul(at + 6, NULL, 10) : 0;
    if (c->ply != t->first)
        load_fail("%s begins at ply %u, not %u", t->id, c->ply, t->first);
    if (++lane->joined == SEATS)
        lane_ready(lane);
}

/* ---- moves -------------------------------------------------------------- */

static void leave(struct lane *lane)
{
    char text[256];
    snprintf(text, sizeof(text),
             "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"table.unwatch\","
             "\"params\":{\"table\":\"%s\"}}",
             ID_UNWATCH, current(lane)->id);
    for (int seat = 0; seat < SEATS; seat++)
        client_say_text(&lane->client[seat], text);
}

static int send_move(struct lane *lane)
{
    struct table *t = current(lane);

    if (t->at == t->step_count && lane->table + 1 == lane->client->load->games)
        lane->over = true;
    if (lane->over)
        return -1;
    if (t->at == t->step_count) {
        leave(lane);
        lane->table++;
        lane->client->load->ready_lanes--;
        watch(lane);
        return -1;
    }
    const struct step *step = &t->steps[t->at];
    client_say(&lane->client[step->seat], step->text, step->len);
    return step->seat;
}

static const struct step *under_way(const struct lane *lane)
{
    const struct table *t = current(lane);
    return &t->steps[t->at];
}

/* {"ply":12} */
static void moved(struct client *c, const char *text)
{
    struct lane *lane = c->lane;
    struct table *t = current(lane);
    const char *at = strstr(text, "\"result\":{\"ply\":");
    uint32_t ply = at != NULL ? (uint32_t)strtoul(at + 16, NULL, 10) : 0;

    if (ply != under_way(lane)->ply)
        load_fail("ply %u, not %u: %s", ply, under_way(lane)->ply, text);
    t->acked = ply;
    t->acks++;
    if (lane->pending == 1u << SEATS)
        t->at++;
    lane_acked(lane);
}

/* "from":11,"ply":12 */
static void updated(struct client *c, const char *text)
{
    struct lane *lane = c->lane;
    const char *at = strstr(text, "\"from\":");
    char *end;

    if (at == NULL)
        load_fail("an update from nowhere: %s", text);
    uint32_t from = (uint32_t)strtoul(at + 7, &end, 10);
    if (memcmp(end, ",\"ply\":", 7) != 0)
        load_fail("an update to nowhere: %s", text);
    uint32_t ply = (uint32_t)strtoul(end + 7, NULL, 10);
    if (from != c->ply || ply != under_way(lane)->after)
        load_fail("an update from %u to %u, not from %u to %u", from, ply,
                  c->ply, under_way(lane)->after);
    c->ply = ply;
    if (lane->pending == 1u << c->seat)
        current(lane)->at++;
    lane_seen(lane, c->seat);
}

static void heard(struct client *c, char *text, size_t len)
{
    static const char update[] =
        "{\"jsonrpc\":\"2.0\",\"method\":\"table.update\"";
    static const char answer[] = "{\"jsonrpc\":\"2.0\",\"id\":";
    char *end;

    if (len > sizeof(update) &&
        memcmp(text, update, sizeof(update) - 1) == 0) {
        updated(c, text + sizeof(update) - 1);
        return;
    }
    if (len <= sizeof(answer) || memcmp(text, answer, sizeof(answer) - 1) != 0)
        load_fail("heard: %.*s", (int)len, text);
    long id = strtol(text + sizeof(answer) - 1, &end, 10);
    if (memcmp(end, ",\"result\"", 9) != 0)
        load_fail("refused: %.*s", (int)len, text);
    /* Frames follow one another in the buffer: end this one's text. */
    char last = text[len - 1];
    text[len - 1] = '\0';
    switch (id) {
    case ID_COME: come(c); break;
    case ID_TABLE: c->seat == 0 ? created(c, text) : joined(c); break;
    case ID_WATCH: watched(c, text); break;
    case ID_UNWATCH: break;
    default: moved(c, text); break;
    }
    text[len - 1] = last;
}

static void tell(struct load *load, FILE *f)
{
    for (unsigned i = 0; i < load->count; i++) {
        const struct lane *lane = &load->lanes[i];
        for (unsigned k = 0; k <= lane->table; k++) {
            const struct table *t = &lane->tables[k];
            fprintf(f, "%s %u %u %d\n", t->id, t->acks, t->acked,
                    k == lane->table && lane->moving &&
                        (lane->pending >> SEATS & 1) != 0);
        }
    }
}

const struct driver sobremesa = {
    .name = "sobremesa",
    .before = before,
    .opened = opened,
    .heard = heard,
    .move = send_move,
    .prepared = prepared,
    .tell = tell,
};
