/* valid.c -- what must hold of every state, and of every view.
 *
 * Bytes that decode field by field may still tell of a table that cannot be:
 * a card too many, a chip on the pampas, a draw from an empty stack.  Play
 * rests on this being refused; see rules_decode(). */

#include "parts.h"

static int sum(const uint8_t *counts, int n)
{
    int all = 0;
    for (int i = 0; i < n; i++)
        all += counts[i];
    return all;
}

/* ---- the board -------------------------------------------------------- */

static bool hex_valid(const struct hacienda *h, int hex)
{
    int ground = h->ground[hex], tile = h->tile[hex];
    bool owned = h->owner[hex] != HACIENDA_NOBODY;
    bool water = h->water[hex] != HACIENDA_NOBODY;

    if (owned != (tile == TILE_LAND || tile_is_animal(tile)) ||
        water != (tile == TILE_WATER))
        return false;
    if ((owned && h->owner[hex] >= h->base.seats) ||
        (water && h->water[hex] >= h->water_tiles))
        return false;
    if ((h->hacienda[hex] && !owned) || (h->chip[hex] && tile != TILE_LAND))
        return false;
    if (ground == GROUND_WATER)
        return water;
    if (ground == GROUND_VOID || ground == GROUND_MARKET ||
        ground == GROUND_RANDOM)
        return tile == TILE_NONE;
    return tile == TILE_NONE || tile == TILE_LAND || ground == GROUND_PAMPAS;
}

static bool waters_valid(const struct hacienda *h)
{
    const struct hacienda_numbers *n = numbers(h);
    uint8_t hexes[HACIENDA_WATERS] = {0};
    int of_size[4] = {0}, left[4] = {0}, all[4] = {0};

    if (h->water_tiles > HACIENDA_WATERS)
        return false;
    for (int hex = 0; hex < h->hexes; hex++)
        if (h->water[hex] < HACIENDA_WATERS)
            hexes[h->water[hex]]++;
    for (int i = 0; i < HACIENDA_WATERS; i++) {
        bool there = i < h->water_tiles;
        if (hexes[i] != h->water_size[i] || hexes[i] > 3 ||
            there != (hexes[i] > 0))
            return false;
        of_size[hexes[i]]++;
    }
    for (int shape = 0; shape < SHAPES; shape++) {
        int size = shape == SHAPE_SINGLE ? 1 : shape == SHAPE_DOUBLE ? 2 : 3;
        left[size] += h->waters_left[shape];
        all[size] += n->waters[shape];
        if (h->waters_left[shape] > n->waters[shape])
            return false;
    }
    for (int size = 1; size <= 3; size++)
        if (of_size[size] + left[size] != all[size])
            return false;
    return true;
}

static bool herds_valid(const struct hacienda *h)
{
    for (int seat = 0; seat < h->base.seats; seat++) {
        if (sum(h->animals[seat], ANIMAL_CARDS) > HACIENDA_HERD_MAX)
            return false;
        for (int i = 0; i < ANIMAL_CARDS; i++)
            if (h->animals[seat][i] > HACIENDA_FACES_MAX)
                return false;
    }
    return h->lands <= HACIENDA_LANDS_MAX;
}

static bool board_valid(const struct hacienda *h)
{
    const struct hacienda_numbers *n = numbers(h);
    int haciendas = h->haciendas_left, chips = h->chips_left;

    for (int hex = 0; hex < h->hexes; hex++) {
        if (!hex_valid(h, hex))
            return false;
        haciendas += h->hacienda[hex];
        chips += h->chip[hex];
    }
    return haciendas == n->haciendas && chips == n->chips && waters_valid(h) &&
           herds_valid(h);
}

/* ---- the cards -------------------------------------------------------- */

/* What a viewer may see of a hand they see all of, or nothing of. */
static bool hand_valid(const struct hacienda *h, int seat)
{
    const struct hacienda_player *p = &h->player[seat];
    bool seen = h->base.viewer == RULES_ALL || h->base.viewer == seat;

    for (int card = 0; card < CARDS; card++)
        if ((p->unknown[card] == FIELDS_NULL_U8) == seen)
            return false;
    return !seen || (sum(p->unknown, LAND_CARDS) == p->secrets[STACK_LAND] &&
                     sum(p->unknown + LAND_CARDS, ANIMAL_CARDS) ==
                         p->secrets[STACK_ANIMALS]);
}

static bool display_valid(const struct hacienda *h)
{
    for (int stack = 0; stack < STACKS; stack++) {
        if (h->refill[stack] > numbers(h)->slots)
            return false;
        for (int slot = 0; slot < HACIENDA_SLOTS; slot++) {
            int card = h->display[stack][slot];
            if (card != HACIENDA_NOBODY &&
                ((int)card_stack(card) != stack || slot >= numbers(h)->slots))
                return false;
        }
    }
    return true;
}

/* Each card that is seen nowhere lies in a stack or in a hidden hand. */
static bool cards_valid(const struct hacienda *h)
{
    int face_down[STACKS] = {
        h->supply[STACK_LAND],
        h->supply[STACK_ANIMALS] + h->aside + h->removed,
    };

    for (int seat = 0; seat < h->base.seats; seat++) {
        if (!hand_valid(h, seat))
            return false;
        if (h->base.viewer != RULES_ALL && h->base.viewer != seat)
            for (int stack = 0; stack < STACKS; stack++)
                face_down[stack] += h->player[seat].secrets[stack];
    }
    for (int card = 0; card < CARDS; card++) {
        int n = hacienda_unseen(h, card);
        if (n < 0)
            return false;
        face_down[card_stack(card)] -= n;
    }
    return face_down[STACK_LAND] == 0 && face_down[STACK_ANIMALS] == 0 &&
           h->removed == numbers(h)->removed && display_valid(h);
}

/* ---- the course of the game ------------------------------------------- */

/* Before play begins only the cards are dealt and open terrains drawn. */
static bool dealing_valid(const struct hacienda *h)
{
    int open = 0;

    for (int hex = 0; hex < h->hexes; hex++) {
        open += h->ground[hex] == GROUND_RANDOM;
        if (h->tile[hex] != TILE_NONE && h->ground[hex] != GROUND_WATER)
            return false;
    }
    for (int seat = 0; seat < h->base.seats; seat++) {
        const struct hacienda_player *p = &h->player[seat];
        if (sum(p->known, CARDS) != numbers(h)->pampas ||
            p->known[CARD_PAMPAS] != numbers(h)->pampas)
            return false;
        for (int stack = 0; stack < STACKS; stack++)
            if (p->secrets[stack] > numbers(h)->deal[stack])
                return false;
    }
    return open == sum(h->terrains, LAND_CARDS - 1) + h->spares &&
           h->spares < LAND_CARDS - 1 && sum(h->discard, CARDS) == 0 &&
           h->aside == 0 && h->half == 1 && h->owed == HACIENDA_NOBODY &&
           h->actions == 0 && h->idle == 0 && h->due == DUE_NOTHING &&
           !h->scored && !rules_over(&h->base);
}

static bool playing_valid(const struct hacienda *h)
{
    if (h->start >= h->base.seats || h->turn >= h->base.seats)
        return false;
    if (h->open[GROUND_RANDOM] > 0 || h->spares > 0 ||
        sum(h->terrains, LAND_CARDS - 1) > 0)
        return false;
    if (h->actions > HACIENDA_ACTIONS || h->idle > h->base.seats ||
        (h->half == 2 && h->aside > 0) || (h->half == 1 && h->aside == 0) ||
        (h->half == 1 && h->supply[STACK_ANIMALS] == 0))
        return false;
    if ((h->due == DUE_INTERIM || h->scored) && (h->half == 1 || h->variant2))
        return false;
    return h->owed == HACIENDA_NOBODY || hacienda_drawable(h, h->owed) > 0;
}

/* No more plies than the rounds so far can have had, so that what is still to
 * come fits, too. */
static bool plies_valid(const struct hacienda *h)
{
    uint32_t turns = h->round == 0
                         ? 0
                         : (uint32_t)(h->round - 1) * h->base.seats + 1 +
                               (uint32_t)(h->turn + h->base.seats - h->start) %
                                   h->base.seats;
    return h->base.ply <= HACIENDA_SETUP_PLIES + turns * HACIENDA_TURN_PLIES;
}

static bool course_valid(const struct hacienda *h)
{
    const struct rules_state *s = &h->base;

    if (!(h->round == 0 ? dealing_valid(h) : playing_valid(h)) ||
        !plies_valid(h) || s->may != 0)
        return false;
    if (h->start != HACIENDA_NOBODY && h->start >= s->seats)
        return false;
    if (rules_over(s))
        return true;
    if (hacienda_need(h).verb >= 0)
        return s->acting == RULES_BIT(RULES_NATURE);
    return h->round > 0 && s->acting == RULES_BIT(h->turn) &&
           !h->refill[STACK_LAND] && !h->refill[STACK_ANIMALS];
}

bool hacienda_valid(const struct rules_state *s)
{
    const struct hacienda *h = table_of(s);

    if (h->crucible && (s->seats != 2 || h->variant1 || h->variant2))
        return false;
    return board_valid(h) && cards_valid(h) && course_valid(h);
}
