/* test_conformance_material.c -- what is in the box stays in the box.
 *
 * hacienda_valid() looks after this too; here it is counted once more by
 * someone else, from the rules text and the public struct alone, after every
 * ply of many random games: cards, haciendas, chips, water tiles, and where
 * the money comes from and goes to. */

#include <criterion/criterion.h>
#include <string.h>

#include "core/games/hacienda/hacienda.h"
#include "tests/support/play.h"

static const struct hacienda *table(const union rules_any *s)
{
    return (const struct hacienda *)s;
}

/* ---- cards ------------------------------------------------------------ */

static int cards_of(const struct hacienda *h, int card)
{
    if (h->crucible)
        return card == CARD_PAMPAS ? 6 : 8;
    if (card == CARD_PAMPAS)
        return 10;
    return card < LAND_CARDS ? 14 : 18;
}

/* Cards of a kind that lie open or in a hand. */
static int out(const struct hacienda *h, int card)
{
    int n = h->discard[card];
    for (int seat = 0; seat < h->base.seats; seat++)
        n += h->player[seat].known[card] + h->player[seat].unknown[card];
    for (int slot = 0; slot < HACIENDA_SLOTS; slot++)
        n += h->display[card_stack(card)][slot] == card;
    return n;
}

/* 80 land cards and 72 animals, with The Crucible 46 and 32. */
static void cards(struct play *p)
{
    const struct hacienda *h = table(&p->s);
    int lands = h->supply[STACK_LAND];
    int animals = h->supply[STACK_ANIMALS] + h->aside + h->removed;

    for (int card = 0; card < CARDS; card++) {
        MUST(p, out(h, card) <= cards_of(h, card));
        *(card < LAND_CARDS ? &lands : &animals) += out(h, card);
    }
    MUST(p, lands == (h->crucible ? 46 : 80));
    MUST(p, animals == (h->crucible ? 32 : 72));
    for (int seat = 0; seat < h->base.seats; seat++) {
        const struct hacienda_player *player = &h->player[seat];
        int secrets[STACKS] = {0};
        for (int card = 0; card < CARDS; card++)
            secrets[card_stack(card)] += player->unknown[card];
        MUST(p, memcmp(&secrets[0],
                       (int[STACKS]){player->secrets[0], player->secrets[1]},
                       sizeof(secrets)) == 0);
    }
}

/* ---- pieces ----------------------------------------------------------- */

static void pieces(struct play *p)
{
    static const int by_seats[] = {0, 0, 5, 7, 8, 9};
    const struct hacienda *h = table(&p->s);
    int haciendas = h->haciendas_left, chips = h->chips_left, lands = 0;
    int animals[HACIENDA_SEATS_MAX] = {0}, covered = 0, sizes = 0;

    for (int hex = 0; hex < h->hexes; hex++) {
        int tile = h->tile[hex];
        haciendas += h->hacienda[hex];
        chips += h->chip[hex];
        lands += tile == TILE_LAND;
        covered += tile == TILE_WATER;
        if (tile_is_animal(tile))
            animals[h->owner[hex]]++;
    }
    MUST(p, haciendas == (h->crucible ? 3 : by_seats[h->base.seats]));
    MUST(p, chips == (h->crucible ? 3 : 8));
    MUST(p, lands <= 80);
    for (int seat = 0; seat < h->base.seats; seat++)
        MUST(p, animals[seat] <= 30);
    for (int i = 0; i < h->water_tiles; i++)
        sizes += h->water_size[i];
    MUST(p, covered == sizes);
    int left = h->waters_left[SHAPE_SINGLE] + h->waters_left[SHAPE_DOUBLE] +
               h->waters_left[SHAPE_TRIANGLE] + h->waters_left[SHAPE_LINE];
    MUST(p, left + h->water_tiles == (h->crucible ? 4 + 3 : 18));
    /* 9 of one hex, 4 of two, 5 of three; The Crucible 4, 1 and 2. */
    int hexes = sizes + h->waters_left[SHAPE_SINGLE] +
                2 * h->waters_left[SHAPE_DOUBLE] +
                3 * h->waters_left[SHAPE_TRIANGLE] +
                3 * h->waters_left[SHAPE_LINE];
    MUST(p, hexes == (h->crucible ? 4 + 2 + 6 : 9 + 8 + 15));
}

/* ---- money ------------------------------------------------------------ */

static int price(const struct hacienda *h, int verb)
{
    switch (verb) {
    case BUY_LAND_SUPPLY:
    case BUY_ANIMAL_SUPPLY: return 2;
    case BUY_LAND_DISPLAY:
    case BUY_ANIMAL_DISPLAY: return 3;
    case BUY_HACIENDA:
    case BUY_WATER: return h->variant1 ? 20 : 12;
    default: return 0;
    }
}

/* Only the mover's money changes, by what they pay, harvest or earn. */
static void money(struct play *p, const struct rules_ply *ply)
{
    const struct hacienda *a = table(&p->before), *b = table(&p->s);
    int verb = ply->move.verb;

    for (int seat = 0; seat < b->base.seats; seat++) {
        int32_t more = b->player[seat].money - a->player[seat].money;
        MUST(p, b->player[seat].money >= 0);
        if (seat != ply->seat)
            MUST(p, more == 0);
        else if (verb == HARVEST)
            MUST(p, more >= 6 && more % 3 == 0);
        else if (verb == PLAY_ANIMAL)
            MUST(p, more >= 0);
        else
            MUST(p, more == -price(b, verb));
    }
}

/* A card played goes from the hand to the discards and becomes a tile. */
static void played(struct play *p, const struct rules_ply *ply)
{
    const struct hacienda *a = table(&p->before), *b = table(&p->s);
    int card = ply->move.arg[0], hex = ply->move.arg[1];

    if (ply->move.verb != PLAY_LAND && ply->move.verb != PLAY_ANIMAL)
        return;
    const struct hacienda_player *was = &a->player[ply->seat];
    const struct hacienda_player *is = &b->player[ply->seat];
    MUST(p, b->discard[card] == a->discard[card] + 1);
    MUST(p, is->known[card] + is->unknown[card] ==
                was->known[card] + was->unknown[card] - 1);
    /* [H25] A known one is played first. */
    MUST(p, was->known[card] == 0 || is->unknown[card] == was->unknown[card]);
    MUST(p, a->tile[hex] == TILE_NONE && b->tile[hex] == card_tile(card));
    MUST(p, b->owner[hex] == ply->seat);
}

static void start(struct play *p)
{
    cards(p);
    pieces(p);
}

static void after(struct play *p, const struct rules_ply *ply)
{
    cards(p);
    pieces(p);
    money(p, ply);
    played(p, ply);
}

static const struct play_suite suite = {start, NULL, after, NULL};

PLAY(material, &suite, hacienda, 2000, 1)
