/* load_others.c -- what the other servers speak.
 *
 * All of them play the small game that never ends (peers/game.mjs): two in
 * turn put stones on nine cells, the ninth clears the board.  None of them
 * acknowledges a move but by its update, so that counts as both; what they say
 * besides is passed over. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "load.h"

/* Of the lane: how many have joined is lane->joined; which stone is next is
 * lane->table. */
#define CELLS 9

static void come_in(struct client *c)
{
    if (++c->lane->joined == SEATS)
        lane_prepared(c->lane);
}

static void all_ready(struct load *load)
{
    for (unsigned i = 0; i < load->count; i++)
        lane_ready(&load->lanes[i]);
}

/* ---- boardgame.io: Socket.IO 4 over WebSocket ---------------------------- */

#define ROOM "40/stones,"

static void boardgame_before(struct client *c)
{
    snprintf(c->path, sizeof(c->path),
             "/socket.io/?EIO=4&transport=websocket");
}

static void nothing(struct client *c)
{
    (void)c; /* the server speaks first */
}

static void sync_up(struct client *c)
{
    char text[128];
    snprintf(text, sizeof(text), "42/stones,[\"sync\",\"m%u\",\"%d\",null,2]",
             c->lane->number, c->seat);
    client_say_text(c, text);
}

/* c->ply is the state's number; a client that comes in moves it for nobody. */
static void boardgame_heard(struct client *c, char *text, size_t len)
{
    static const char sync[] = "42/stones,[\"sync\"";
    static const char update[] = "42/stones,[\"update\"";
    char last = text[len - 1];

    text[len - 1] = '\0';
    if (text[0] == '0') {
        client_say_text(c, ROOM);
    } else if (text[0] == '2' && len == 1) {
        client_say_text(c, "3");
    } else if (strncmp(text, ROOM, sizeof(ROOM) - 1) == 0) {
        sync_up(c);
    } else if (strncmp(text, sync, sizeof(sync) - 1) == 0) {
        c->ply = 0;
        come_in(c);
    } else if (strncmp(text, update, sizeof(update) - 1) == 0) {
        const char *at = strstr(text, "\"_stateID\":");
        if (at == NULL)
            load_fail("boardgame.io: no _stateID: %s", text);
        c->ply = (uint32_t)strtoul(at + 11, NULL, 10);
        if (c->seat == c->lane->mover)
            lane_acked(c->lane);
        lane_seen(c->lane, c->seat);
    } else if (strstr(text, "error") != NULL) {
        load_fail("boardgame.io: %s", text);
    }
    text[len - 1] = last;
}

static int boardgame_move(struct lane *lane)
{
    char text[256];
    int seat = (int)(lane->sent % SEATS);
    int n = snprintf(text, sizeof(text),
                     "42/stones,[\"update\",{\"type\":\"MAKE_MOVE\","
                     "\"payload\":{\"type\":\"place\",\"args\":[%u],"
                     "\"playerID\":\"%d\",\"credentials\":null}},%u,\"m%u\","
                     "\"%d\"]",
                     lane->table, seat, lane->client[seat].ply, lane->number,
                     seat);
    lane->table = (lane->table + 1) % CELLS;
    client_say(&lane->client[seat], text, (size_t)n);
    return seat;
}

const struct driver boardgame = {
    .name = "boardgame",
    .before = boardgame_before,
    .opened = nothing,
    .heard = boardgame_heard,
    .move = boardgame_move,
    .prepared = all_ready,
};

/* ---- Colyseus ------------------------------------------------------------- */

enum {
    COLYSEUS_JOIN = 10,
    COLYSEUS_ERROR,
    COLYSEUS_DATA = 13,
    COLYSEUS_STATE,
    COLYSEUS_PATCH
};

/* The paths of reserved seats, one a line, in the file --data. */
static void colyseus_before(struct client *c)
{
    static FILE *f;

    if (f == NULL)
        f = fopen(c->load->data != NULL ? c->load->data : "", "r");
    if (f == NULL || fgets(c->path, sizeof(c->path), f) == NULL)
        load_fail("colyseus: --data FILE with a path for each connection");
    c->path[strcspn(c->path, "\n")] = '\0';
}

static void colyseus_heard(struct client *c, char *text, size_t len)
{
    static const uint8_t join = COLYSEUS_JOIN;

    switch (len > 0 ? text[0] : 0) {
    case COLYSEUS_JOIN: client_say_bytes(c, &join, 1); break;
    case COLYSEUS_STATE: come_in(c); break;
    case COLYSEUS_ERROR: load_fail("colyseus: %.*s", (int)len - 1, text + 1);
    case COLYSEUS_PATCH:
        if (c->seat == c->lane->mover)
            lane_acked(c->lane);
        lane_seen(c->lane, c->seat);
        break;
    default: break;
    }
}

static int colyseus_move(struct lane *lane)
{
    uint8_t text[] = {COLYSEUS_DATA, 0xa5, 'p', 'l', 'a', 'c', 'e',
                      0x81,          0xa4, 'c', 'e', 'l', 'l', 0};
    int seat = (int)(lane->sent % SEATS);

    text[sizeof(text) - 1] = (uint8_t)lane->table;
    lane->table = (lane->table + 1) % CELLS;
    client_say_bytes(&lane->client[seat], text, sizeof(text));
    return seat;
}

const struct driver colyseus = {
    .name = "colyseus",
    .before = colyseus_before,
    .opened = nothing,
    .heard = colyseus_heard,
    .move = colyseus_move,
    .prepared = all_ready,
};

/* ---- the bare ones: group_commit.mjs, floor_bare.c ------------------------ */

#define BARE_TEXT 200 /* what makes a move some 260 bytes */

static void bare_before(struct client *c)
{
    snprintf(c->path, sizeof(c->path), "/");
}

static void bare_opened(struct client *c)
{
    char text[64];
    snprintf(text, sizeof(text), "{\"join\":true,\"table\":%u}",
             c->lane->number + 1);
    client_say_text(c, text);
}

static void bare_heard(struct client *c, char *text, size_t len)
{
    switch (len > 2 ? text[2] : 0) {
    case 'j': come_in(c); break;
    case 'a': lane_acked(c->lane); break;
    case 'u': lane_seen(c->lane, c->seat); break;
    default: load_fail("bare: %.*s", (int)len, text);
    }
}

static int bare_move(struct lane *lane)
{
    static char pad[BARE_TEXT + 1];
    char text[BARE_TEXT + 100];
    int seat = (int)(lane->sent % SEATS);

    if (pad[0] == '\0')
        memset(pad, 'm', BARE_TEXT);
    int n = snprintf(text, sizeof(text),
                     "{\"id\":%llu,\"table\":%u,\"seat\":%d,\"text\":\"%s\"}",
                     (unsigned long long)lane->sent, lane->number + 1, seat,
                     pad);
    client_say(&lane->client[seat], text, (size_t)n);
    return seat;
}

const struct driver bare = {
    .name = "bare",
    .before = bare_before,
    .opened = bare_opened,
    .heard = bare_heard,
    .move = bare_move,
    .prepared = all_ready,
};

/* ---- echo: bytes over TCP, and back --------------------------------------- */

#define ECHO_BYTES 300

static void echo_opened(struct client *c)
{
    come_in(c);
}

/* Both have seen it when the mover has it back. */
static void echo_heard(struct client *c, char *text, size_t len)
{
    (void)text;
    c->ply += (uint32_t)len;
    if (c->ply < ECHO_BYTES)
        return;
    c->ply = 0;
    lane_seen(c->lane, 0);
    lane_seen(c->lane, 1);
    lane_acked(c->lane);
}

static int echo_move(struct lane *lane)
{
    static const char text[ECHO_BYTES];
    int seat = (int)(lane->sent % SEATS);
    client_say(&lane->client[seat], text, sizeof(text));
    return seat;
}

const struct driver echo = {
    .name = "echo",
    .raw = true,
    .opened = echo_opened,
    .heard = echo_heard,
    .move = echo_move,
    .prepared = all_ready,
};
