/* guide.c -- a first game of Hacienda, led: what moves are called to somebody who
 * is told to make them, and what is explained when. */

#include "../../guide.h"
#include "parts.h"

/* ---- when ----------------------------------------------------------------- */

static const struct hacienda *of(const struct rules_state *view)
{
    return (const struct hacienda *)view;
}

static bool always(const struct rules_state *view,
                   const struct rules_move *move)
{
    (void)view, (void)move;
    return true;
}

static bool on_terrain(const struct rules_state *view,
                       const struct rules_move *move)
{
    return move->verb == PLAY_LAND &&
           of(view)->ground[move->arg[1]] != GROUND_PAMPAS;
}

static bool on_pampas(const struct rules_state *view,
                      const struct rules_move *move)
{
    return move->verb == PLAY_LAND &&
           of(view)->ground[move->arg[1]] == GROUND_PAMPAS;
}

/* An animal, beside a market that has a side free there. */
static bool at_market(const struct rules_state *view,
                      const struct rules_move *move)
{
    const struct hacienda *h = of(view);
    int to;

    if (move->verb != PLAY_ANIMAL)
        return false;
    for (struct board_walk w = board_walk(&h->steps, h->near, move->arg[1]);
         board_walk_next(&w, &to);)
        if (h->ground[to] == GROUND_MARKET)
            return true;
    return false;
}

static bool on_its_way(const struct rules_state *view,
                       const struct rules_move *move)
{
    return move->verb == PLAY_ANIMAL && !at_market(view, move);
}

static bool harvests(const struct rules_state *view,
                     const struct rules_move *move)
{
    (void)view;
    return move->verb == HARVEST;
}

static bool draws(const struct rules_state *view,
                  const struct rules_move *move)
{
    (void)view;
    return move->verb == BUY_LAND_SUPPLY || move->verb == BUY_ANIMAL_SUPPLY;
}

static bool takes(const struct rules_state *view,
                  const struct rules_move *move)
{
    (void)view;
    return move->verb == BUY_LAND_DISPLAY || move->verb == BUY_ANIMAL_DISPLAY;
}

static bool builds(const struct rules_state *view,
                   const struct rules_move *move)
{
    (void)view;
    return move->verb == BUY_HACIENDA;
}

static bool floods(const struct rules_state *view,
                   const struct rules_move *move)
{
    (void)view;
    return move->verb == BUY_WATER;
}

static bool ends(const struct rules_state *view, const struct rules_move *move)
{
    (void)view;
    return move->verb == END_TURN;
}

static bool after_scoring(const struct rules_state *view,
                          const struct rules_move *move)
{
    (void)move;
    return of(view)->scored != 0;
}

/* clang-format off: tables are laid out by hand. */

static const struct guide_step steps[] = {
    {"board", GUIDE_BOARD, always},
    {"hand", GUIDE_HAND, always},
    {"players", GUIDE_PLAYERS, always},
    {"scored", GUIDE_PLAYERS, after_scoring},
    {"terrain", GUIDE_MOVE, on_terrain},
    {"pampas", GUIDE_MOVE, on_pampas},
    {"market", GUIDE_MOVE, at_market},
    {"herd", GUIDE_MOVE, on_its_way},
    {"harvest", GUIDE_MOVE, harvests},
    {"pile", GUIDE_MOVE, draws},
    {"display", GUIDE_MOVE, takes},
    {"hacienda", GUIDE_MOVE, builds},
    {"water", GUIDE_MOVE, floods},
    {"end", GUIDE_MOVE, ends},
    {0},
};

/* ---- in words --------------------------------------------------------------- */

static const char *const moves_en[VERBS] = {
    [BUY_LAND_SUPPLY] = "Draw a card from the land pile.",
    [BUY_LAND_DISPLAY] = "Buy the open land card: {card}.",
    [BUY_ANIMAL_SUPPLY] = "Draw a card from the animal pile.",
    [BUY_ANIMAL_DISPLAY] = "Buy the open animal card: {card}.",
    [BUY_HACIENDA] = "Buy a hacienda and build it on {hex}.",
    [BUY_WATER] = ("Buy water ({shape}) for {hex1}, {hex2} and {hex3}."
                   "|Buy water ({shape}) for {hex1} and {hex2}."
                   "|Buy water ({shape}) for {hex1}."),
    [PLAY_LAND] = "Play {card} on {hex}.",
    [PLAY_ANIMAL] = "Play {card} on {hex}.",
    [HARVEST] = ("Harvest on {hex}, with the chip from {from}."
                 "|Harvest on {hex}."),
    [END_TURN] = "End your turn.",
};
static const char *const moves_fr[VERBS] = {
    [BUY_LAND_SUPPLY] = "Piochez une carte terrain.",
    [BUY_LAND_DISPLAY] = "Achetez la carte terrain visible : {card}.",
    [BUY_ANIMAL_SUPPLY] = "Piochez une carte animal.",
    [BUY_ANIMAL_DISPLAY] = "Achetez la carte animal visible : {card}.",
    [BUY_HACIENDA] = "Achetez une hacienda et bâtissez-la en {hex}.",
    [BUY_WATER] = ("Achetez de l’eau ({shape}) pour {hex1}, {hex2} et {hex3}."
                   "|Achetez de l’eau ({shape}) pour {hex1} et {hex2}."
                   "|Achetez de l’eau ({shape}) pour {hex1}."),
    [PLAY_LAND] = "Jouez {card} en {hex}.",
    [PLAY_ANIMAL] = "Jouez {card} en {hex}.",
    [HARVEST] = ("Récoltez en {hex}, avec le jeton pris en {from}."
                 "|Récoltez en {hex}."),
    [END_TURN] = "Terminez votre tour.",
};

static const char *const steps_en[] = {
    ("The board: terrains, open pampas and markets. Your land and your animals on"
     " it bring points, in the middle of the game and again at its end."),
    ("What you hold and can buy. In a turn you have three actions: play a card,"
     " buy one, build, harvest; each of them is one."),
    ("Both players, with their pesos and points. Pesos pay for what you buy; most"
     " points win."),
    ("The first scoring is over. The second is at the end of the game and counts"
     " the whole board once more, what stands there now, too."),
    ("A land card goes on any empty space of its terrain. Tiles side by side are"
     " a chain: from three tiles on, each is worth 2 points."),
    ("On pampas land must touch land of yours. So chains grow together, and"
     " towards markets."),
    ("Beside a market it is paid at once: a peso for each animal of its herd and"
     " each land tile of the chains that touch it. Each market you reach is worth"
     " more points than the one before."),
    ("An animal goes on pampas beside your land, or beside its own kind: a herd."
     " Herds want to reach markets, which pay."),
    ("A harvest brings 3 pesos for every tile of a chain, but each chain can be"
     " harvested only once: a long one brings more."),
    ("A card from a pile costs 2 pesos. Which one it is you see when you have it;"
     " so this cannot be taken back."),
    ("An open card costs 3 pesos, one more than from the pile, but you know what"
     " you get."),
    ("A hacienda costs 12 pesos, one a turn. At each scoring every tile of its"
     " chain or herd is worth a point more."),
    ("Water costs 12 pesos, once a turn. At each scoring every tile beside it is"
     " worth a point more, whoever owns the tile."),
    ("Your three actions are done, so the turn is over; then your opponent plays."
     " What they did stands in the log."),
    NULL,
};
static const char *const steps_fr[] = {
    ("Le plateau : terrains, pampa libre et marchés. Vos terres et vos animaux y"
     " rapportent des points, au milieu de la partie et de nouveau à la fin."),
    ("Ce que vous avez en main et pouvez acheter. Un tour a trois actions : jouer"
     " une carte, en acheter une, bâtir, récolter ; chacune en est une."),
    ("Les deux joueurs, leurs pesos et leurs points. Les pesos paient ce que vous"
     " achetez ; qui a le plus de points gagne."),
    ("Le premier décompte est fait. Le second vient à la fin de la partie et"
     " compte encore tout le plateau, avec ce qui s’y trouve déjà."),
    ("Une carte terrain va sur n’importe quelle case libre de son terrain. Des"
     " tuiles voisines forment un domaine : dès trois tuiles, chacune vaut 2"
     " points."),
    ("Sur la pampa, une terre doit toucher une terre à vous. Ainsi les domaines se"
     " rejoignent et vont vers les marchés."),
    ("Au bord d’un marché il rapporte aussitôt : un peso par animal du troupeau et"
     " par tuile des domaines qui le touchent. Chaque marché atteint vaut plus de"
     " points que le précédent."),
    ("Un animal va sur la pampa à côté de vos terres, ou de ses semblables : un"
     " troupeau. Les troupeaux vont vers les marchés, qui paient."),
    ("Une récolte rapporte 3 pesos par tuile d’un domaine, mais on ne récolte"
     " chaque domaine qu’une fois : un long domaine rapporte plus."),
    ("Une carte de la pioche coûte 2 pesos. Vous ne la voyez qu’une fois prise :"
     " on ne peut donc pas reprendre ce coup."),
    ("Une carte visible coûte 3 pesos, un de plus que dans la pioche, mais vous"
     " savez ce que vous prenez."),
    ("Une hacienda coûte 12 pesos, une par tour. À chaque décompte, toute tuile de"
     " son domaine ou troupeau vaut un point de plus."),
    ("L’eau coûte 12 pesos, une fois par tour. À chaque décompte, toute tuile à son"
     " bord vaut un point de plus, à qui qu’elle soit."),
    ("Vos trois actions sont faites : le tour est fini, et votre adversaire joue."
     " Ce qu’il a fait est dans le journal."),
    NULL,
};

/* clang-format on */

static const struct guide_says says[] = {
    {"en", moves_en, steps_en},
    {"fr", moves_fr, steps_fr},
    {0},
};

const struct guide hacienda_guide = {
    .rules = &hacienda_rules,
    .steps = steps,
    .says = says,
};
