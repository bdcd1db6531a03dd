/* scoring.c -- chains and herds, what markets pay, what a board is worth. */

#include "parts.h"

/* A set of hexes being gathered: those in it, and in which order they came. */
struct area {
    uint8_t in[BOARD_HEXES_MAX];
    int16_t hex[BOARD_HEXES_MAX];
    int count;
};

static struct board_walk around(const struct hacienda *h, int hex)
{
    return board_walk(&h->steps, h->near, hex);
}

static void add(struct area *area, int hex)
{
    if (area->in[hex])
        return;
    area->in[hex] = 1;
    area->hex[area->count++] = (int16_t)hex;
}

/* Adds the chain or herd of HEX to AREA: all tiles of its kind and owner that
 * hang together.  Returns the index of the first of them. */
static int gather(const struct hacienda *h, int hex, struct area *area)
{
    int first = area->count;

    add(area, hex);
    for (int i = first; i < area->count; i++) {
        int to;
        for (struct board_walk w = around(h, area->hex[i]);
             board_walk_next(&w, &to);)
            if (h->tile[to] == h->tile[hex] && h->owner[to] == h->owner[hex])
                add(area, to);
    }
    return first;
}

void hacienda_link(struct hacienda *h)
{
    struct area area = {.count = 0};
    int chains = 0;

    memset(h->chips, 0, sizeof(h->chips));
    memset(h->chain_tiles, 0, sizeof(h->chain_tiles));
    memset(h->chain_chips, 0, sizeof(h->chain_chips));
    for (int hex = 0; hex < h->hexes; hex++) {
        if (h->tile[hex] != TILE_LAND || area.in[hex])
            continue;
        for (int i = gather(h, hex, &area); i < area.count; i++) {
            int tile = area.hex[i];
            h->chain[tile] = (uint8_t)chains;
            h->chain_tiles[chains]++;
            h->chain_chips[chains] += h->chip[tile];
            h->chips[h->owner[tile]] += h->chip[tile];
        }
        chains++;
    }
}

bool hacienda_next_to(const struct hacienda *h, int hex, int seat, int tile)
{
    int to;
    for (struct board_walk w = around(h, hex); board_walk_next(&w, &to);)
        if (h->tile[to] == tile && h->owner[to] == seat)
            return true;
    return false;
}

/* ---- markets (rules, Markets; variant1) ------------------------------- */

/* Own land next to the herd that AREA consists of: each tile once, or (with
 * CHAINS) each tile of the chains it belongs to. */
static int land_of_herd(const struct hacienda *h, int seat,
                        const struct area *herd, bool chains)
{
    uint8_t seen[BOARD_HEXES_MAX] = {0}; /* hexes, or chains */
    int lands = 0;

    for (int i = 0; i < herd->count; i++) {
        int to;
        for (struct board_walk w = around(h, herd->hex[i]);
             board_walk_next(&w, &to);) {
            if (h->tile[to] != TILE_LAND || h->owner[to] != seat)
                continue;
            int key = chains ? h->chain[to] : to;
            if (!seen[key])
                lands += chains ? h->chain_tiles[key] : 1;
            seen[key] = 1;
        }
    }
    return lands;
}

int hacienda_market_pay(const struct hacienda *h, int hex)
{
    struct area herd = {.count = 0};
    bool product = h->variant1 || h->crucible;

    gather(h, hex, &herd);
    int lands = land_of_herd(h, h->owner[hex], &herd, !product);
    return product ? herd.count * lands : herd.count + lands;
}

/* ---- points (rules, Rounds and scorings) ------------------------------ */

/* Seats with an animal next to HEX, as bits. */
static unsigned herders_at(const struct hacienda *h, int hex)
{
    unsigned seats = 0;
    int to;
    for (struct board_walk w = around(h, hex); board_walk_next(&w, &to);)
        if (tile_is_animal(h->tile[to]))
            seats |= 1u << h->owner[to];
    return seats;
}

static void count_markets(const struct hacienda *h, int32_t *markets)
{
    for (int hex = 0; hex < h->hexes; hex++) {
        if (h->ground[hex] != GROUND_MARKET)
            continue;
        unsigned seats = herders_at(h, hex);
        for (int seat = 0; seat < h->base.seats; seat++)
            markets[seat] += (int)(seats >> seat & 1);
    }
}

/* Water next to the tile on HEX: each water tile counts once, however many of
 * its hexes touch; on Crucible single ones count double. */
static int water_at(const struct hacienda *h, int hex)
{
    uint32_t seen = 0;
    int points = 0, to;

    for (struct board_walk w = around(h, hex); board_walk_next(&w, &to);) {
        if (h->tile[to] != TILE_WATER || (seen >> h->water[to] & 1))
            continue;
        seen |= 1u << h->water[to];
        points += h->crucible && h->water_size[h->water[to]] == 1 ? 2 : 1;
    }
    return points;
}

/* One chain or herd: the tiles of AREA from FIRST on. */
static void score_group(const struct hacienda *h, const struct area *area,
                        int first, int32_t points[PARTS][HACIENDA_SEATS_MAX])
{
    int seat = h->owner[area->hex[first]];
    bool land = h->tile[area->hex[first]] == TILE_LAND;
    int tiles = area->count - first;
    bool hacienda = false;

    for (int i = first; i < area->count; i++) {
        hacienda = hacienda || h->hacienda[area->hex[i]];
        points[PART_WATER][seat] += water_at(h, area->hex[i]);
    }
    if (hacienda) /* [H3] [H20] once, a lone tile too */
        points[PART_HACIENDAS][seat] += tiles;
    if (tiles < 3)
        return;
    if (land)
        points[PART_LAND][seat] += h->crucible ? tiles : 2 * tiles;
    else if (h->variant1 || h->crucible)
        points[PART_HERDS][seat] += tiles;
}

void hacienda_value(struct hacienda *h)
{
    struct area area = {.count = 0};

    memset(h->worth, 0, sizeof(h->worth));
    for (int hex = 0; hex < h->hexes; hex++)
        if (h->owner[hex] != HACIENDA_NOBODY && !area.in[hex])
            score_group(h, &area, gather(h, hex, &area), h->worth);

    count_markets(h, h->worth[PART_MARKETS]);
    for (int seat = 0; seat < h->base.seats; seat++) {
        int32_t n = h->worth[PART_MARKETS][seat];
        h->worth[PART_MARKETS][seat] = n * (n + (h->crucible ? 3 : 1)) / 2;
    }
}

void hacienda_points(const struct hacienda *h,
                     int32_t points[PARTS][HACIENDA_SEATS_MAX])
{
    memcpy(points, h->worth, sizeof(h->worth));
    for (int seat = 0; seat < h->base.seats; seat++)
        points[PART_MONEY][seat] = h->player[seat].money /
                                   (h->variant1 ? 20 : 10); /* [H22] */
}
