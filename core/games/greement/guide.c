/* guide.c -- a first game of Greement, led: what moves are called to somebody who
 * is told to make them, and what is explained when. */

#include "../../guide.h"
#include "parts.h"

/* ---- when ----------------------------------------------------------------- */

static const struct greement *of(const struct rules_state *view)
{
    return (const struct greement *)view;
}

static bool picks(const struct rules_state *view,
                  const struct rules_move *move)
{
    (void)view;
    return move->verb == PICK;
}

static bool in_turn(const struct rules_state *view,
                    const struct rules_move *move)
{
    (void)move;
    return of(view)->phase == PHASE_TURN;
}

static bool buys_land(const struct rules_state *view,
                      const struct rules_move *move)
{
    return move->verb == BUY_LAND &&
           of(view)->square[move->arg[0]] == SQUARE_LAND;
}

static bool buys_mine(const struct rules_state *view,
                      const struct rules_move *move)
{
    return move->verb == BUY_LAND &&
           of(view)->square[move->arg[0]] == SQUARE_MINE;
}

static bool seeds(const struct rules_state *view,
                  const struct rules_move *move)
{
    (void)view;
    return move->verb == SEED;
}

static bool herds(const struct rules_state *view,
                  const struct rules_move *move)
{
    (void)view;
    return move->verb == BUY_CATTLE;
}

static bool buys_card(const struct rules_state *view,
                      const struct rules_move *move)
{
    (void)view;
    return move->verb == BUY_ACTION_CARD;
}

static bool uses_card(const struct rules_state *view,
                      const struct rules_move *move)
{
    (void)view;
    return move->verb == STEAL || move->verb == RAISE || move->verb == LOWER ||
           move->verb == COLLECT;
}

static bool votes(const struct rules_state *view,
                  const struct rules_move *move)
{
    (void)view;
    return move->verb == VOTE;
}

static bool pays(const struct rules_state *view, const struct rules_move *move)
{
    (void)move;
    return of(view)->phase == PHASE_PAY;
}

static bool ends(const struct rules_state *view, const struct rules_move *move)
{
    (void)view;
    return move->verb == END_TURN;
}

/* clang-format off: tables are laid out by hand. */

static const struct guide_step steps[] = {
    {"pick", GUIDE_MOVE, picks},         {"board", GUIDE_BOARD, in_turn},
    {"players", GUIDE_PLAYERS, in_turn}, {"hand", GUIDE_HAND, in_turn},
    {"land", GUIDE_MOVE, buys_land},     {"mine", GUIDE_MOVE, buys_mine},
    {"seed", GUIDE_MOVE, seeds},         {"cattle", GUIDE_MOVE, herds},
    {"card", GUIDE_MOVE, buys_card},     {"use", GUIDE_MOVE, uses_card},
    {"vote", GUIDE_MOVE, votes},         {"pay", GUIDE_MOVE, pays},
    {"end", GUIDE_MOVE, ends},           {0},
};

/* ---- in words --------------------------------------------------------------- */

static const char *const moves_en[VERBS] = {
    [PICK] = "Pick {square} to start with.",
    [BUY_LAND] = "Buy {square}.",
    [SEED] = "Seed {square}.",
    [BUY_CATTLE] = "Put cattle on {square}.",
    [ACCEPT] = "Accept offer {offer}.",
    [DECLINE] = "Decline offer {offer}.",
    [BUY_ACTION_CARD] = "Buy an action card.",
    [STEAL] = "Take {square}.",
    [RAISE] = "Raise a value by 2: {value}.",
    [LOWER] = "Lower a value by 2: {value}.",
    [COLLECT] = "Collect from {from}.",
    [VOTE] = "Vote: {avoid}.",
    [CONTRIBUTE] = "Contribute {amount}.",
    [TREAT] = "Pay for the cattle on {square}.",
    [DONE] = "Say that you are done.",
    [END_TURN] = "End your turn.",
};
static const char *const moves_fr[VERBS] = {
    [PICK] = "Choisissez {square} pour commencer.",
    [BUY_LAND] = "Achetez {square}.",
    [SEED] = "Semez {square}.",
    [BUY_CATTLE] = "Mettez du bétail en {square}.",
    [ACCEPT] = "Acceptez l’offre {offer}.",
    [DECLINE] = "Refusez l’offre {offer}.",
    [BUY_ACTION_CARD] = "Achetez une carte d’action.",
    [STEAL] = "Prenez {square}.",
    [RAISE] = "Haussez une valeur de 2 : {value}.",
    [LOWER] = "Baissez une valeur de 2 : {value}.",
    [COLLECT] = "Prenez de l’argent à {from}.",
    [VOTE] = "Votez pour {avoid}.",
    [CONTRIBUTE] = "Contribuez de {amount}.",
    [TREAT] = "Payez pour le bétail en {square}.",
    [DONE] = "Dites que vous avez terminé.",
    [END_TURN] = "Terminez votre tour.",
};

static const char *const steps_en[] = {
    ("All squares lie face down. You pick one until it is land, which becomes a"
     " crop of yours; then all are turned up."),
    ("The board: land, gold mines, and lakes and mountains, which multiply what the"
     " squares beside them bring. Prices are what a square would cost you now."),
    ("Both players, with their money, what their squares bring in a turn, and their"
     " wealth: money and the worth of the squares. The richest wins."),
    ("What can be done with a square, and the values: what things cost and bring."
     " Events and action cards change them."),
    ("Land by itself brings nothing, but it can be seeded. For each step that it"
     " lies further from your squares than the next one there is a tax."),
    ("A gold mine brings its profit in every turn as it is; it needs no seed. The"
     " tax for the distance counts, too."),
    ("Seed makes a crop of land: it brings its profit at the beginning of each of"
     " your turns, multiplied by lakes and mountains beside it."),
    ("Cattle on a crop brings more than the crop. It costs once and pays each turn,"
     " so it is worth more the earlier it comes."),
    ("An action card is drawn and must be used at once: it takes squares, changes a"
     " value, collects money, or decides a vote."),
    ("That is what the card is for: the best of it for you now, or the worst for"
     " your opponent."),
    ("When all have had a turn three events come. Most are voted on: avoided if more"
     " than half want that. Beside the vote stands what it would change."),
    ("This event is bought off: if all together pay the price it does not happen,"
     " else everybody gets the money back, and it does."),
    ("There is nothing more worth its price now. Money that you keep counts at the"
     " end as it is; when all have had a turn events come."),
    NULL,
};
static const char *const steps_fr[] = {
    ("Toutes les cases sont face cachée. Vous en choisissez jusqu’à trouver une"
     " terre, qui devient une culture à vous ; puis toutes sont retournées."),
    ("Le plateau : terres, mines d’or, et lacs et montagnes, qui multiplient ce que"
     " rapportent les cases voisines. Les prix sont ceux d’une case pour vous."),
    ("Les deux joueurs, leur argent, ce que leurs cases rapportent par tour, et leur"
     " richesse : l’argent et la valeur des cases. Le plus riche gagne."),
    ("Ce qu’on peut faire d’une case, et les valeurs : ce que les choses coûtent et"
     " rapportent. Événements et cartes d’action les changent."),
    ("Une terre seule ne rapporte rien, mais on peut la semer. Pour chaque pas qui"
     " l’éloigne de vos cases, sauf le premier, il y a une taxe."),
    ("Une mine d’or rapporte à chaque tour telle qu’elle est, sans semence. La taxe"
     " de distance compte aussi."),
    ("Semer fait d’une terre une culture : elle rapporte au début de chacun de vos"
     " tours, multipliée par les lacs et montagnes à côté."),
    ("Le bétail rapporte plus que la culture seule. Il coûte une fois et paie chaque"
     " tour : mieux vaut qu’il vienne tôt."),
    ("Une carte d’action est piochée et sert aussitôt : elle prend des cases, change"
     " une valeur, prend de l’argent ou décide d’un vote."),
    ("C’est à cela que sert la carte : le mieux pour vous maintenant, ou le pire"
     " pour votre adversaire."),
    ("Après un tour de chacun viennent trois événements. On vote sur la plupart :"
     " évité si plus de la moitié le veut. À côté du vote est dit ce qui changerait."),
    ("On se rachète de cet événement : si tous ensemble paient le prix il n’a pas"
     " lieu, sinon chacun récupère son argent, et il a lieu."),
    ("Plus rien ne vaut son prix maintenant. L’argent gardé compte tel quel à la"
     " fin ; après un tour de chacun viennent des événements."),
    NULL,
};

/* clang-format on */

static const struct guide_says says[] = {
    {"en", moves_en, steps_en},
    {"fr", moves_fr, steps_fr},
    {0},
};

static const struct guide_option options[] = {
    {"turns", 5}, /* enough to see all of it */
    {0},
};

const struct guide greement_guide = {
    .rules = &greement_rules,
    .steps = steps,
    .says = says,
    .options = options,
};
