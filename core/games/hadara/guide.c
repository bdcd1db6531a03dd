/* guide.c -- a first game of Hadara, led: what moves are called to somebody who is
 * told to make them, and what is explained when. */

#include "../../guide.h"
#include "parts.h"

/* ---- when ----------------------------------------------------------------- */

static const struct hadara *of(const struct rules_state *view)
{
    return (const struct hadara *)view;
}

static bool always(const struct rules_state *view,
                   const struct rules_move *move)
{
    (void)view, (void)move;
    return true;
}

static bool sets_wheel(const struct rules_state *view,
                       const struct rules_move *move)
{
    (void)view;
    return move->verb == SET_WHEEL;
}

static bool buys(const struct rules_state *view, const struct rules_move *move)
{
    (void)view;
    return move->verb == CHOOSE && move->arg[1] == KEEP_BUY;
}

static bool sells(const struct rules_state *view,
                  const struct rules_move *move)
{
    (void)view;
    return move->verb == CHOOSE && move->arg[1] == KEEP_SELL;
}

static bool takes(const struct rules_state *view,
                  const struct rules_move *move)
{
    (void)view;
    return move->verb == TAKE;
}

static bool plunders(const struct rules_state *view,
                     const struct rules_move *move)
{
    (void)view;
    return move->verb == TAKE_COLONY && move->arg[1] == MODE_PLUNDER;
}

static bool integrates(const struct rules_state *view,
                       const struct rules_move *move)
{
    (void)view;
    return move->verb == TAKE_COLONY && move->arg[1] == MODE_INTEGRATE;
}

static bool carves(const struct rules_state *view,
                   const struct rules_move *move)
{
    (void)view;
    return move->verb == CARVE;
}

static bool starves(const struct rules_state *view,
                    const struct rules_move *move)
{
    (void)view;
    return move->verb == REMOVE || move->verb == PAY_FEED;
}

static bool feeds(const struct rules_state *view,
                  const struct rules_move *move)
{
    return of(view)->stage == STAGE_FEED && move->verb == DONE;
}

static bool silver(const struct rules_state *view,
                   const struct rules_move *move)
{
    (void)view;
    return move->verb == BUY_SILVER;
}

static bool gold(const struct rules_state *view, const struct rules_move *move)
{
    (void)view;
    return move->verb == BUY_GOLD;
}

static bool second_epoch(const struct rules_state *view,
                         const struct rules_move *move)
{
    (void)move;
    return of(view)->epoch > 1;
}

/* clang-format off: tables are laid out by hand. */

static const struct guide_step steps[] = {
    {"tracks", GUIDE_BOARD, always},
    {"players", GUIDE_PLAYERS, always},
    {"epoch", GUIDE_PLAYERS, second_epoch},
    {"wheel", GUIDE_MOVE, sets_wheel},
    {"buy", GUIDE_MOVE, buys},
    {"sell", GUIDE_MOVE, sells},
    {"take", GUIDE_MOVE, takes},
    {"plunder", GUIDE_MOVE, plunders},
    {"integrate", GUIDE_MOVE, integrates},
    {"statue", GUIDE_MOVE, carves},
    {"hunger", GUIDE_MOVE, starves},
    {"silver", GUIDE_MOVE, silver},
    {"gold", GUIDE_MOVE, gold},
    {"feed", GUIDE_MOVE, feeds},
    {0},
};

/* ---- in words --------------------------------------------------------------- */

static const char *const moves_en[HADARA_VERBS] = {
    [CHOOSE_SIDE] = "Choose side {side} of your setup card.",
    [SET_WHEEL] = "Set the wheel.",
    [CHOOSE] = "Of your two cards, discard one and {keep} the other.",
    [TAKE] = "Take the card on top of the {color} pile: {keep} it.",
    [TAKE_COLONY] = "Take the colony of level {level}: {mode} it.",
    [CARVE] = "Carve statue {statue}: the {tile} tile on it {face}.",
    [REMOVE] = "Remove a card.",
    [PAY_FEED] = "Pay for feeding: {cards}.",
    [BUY_SILVER] = "Buy a silver medal for {track}.",
    [BUY_GOLD] = "Buy a gold medal.",
    [PASS] = "Pass.",
    [DONE] = "Be done with this epoch.",
};
static const char *const moves_fr[HADARA_VERBS] = {
    [CHOOSE_SIDE] = "Choisissez la face {side} de votre carte de départ.",
    [SET_WHEEL] = "Réglez la roue.",
    [CHOOSE] = "De vos deux cartes, une à défausser, l’autre à {keep}.",
    [TAKE] = "Prenez la carte du dessus d’une pile ({color}) : à {keep}.",
    [TAKE_COLONY] = "Prenez la colonie {level} : à {mode}.",
    [CARVE] = "Sculptez la statue {statue} : la tuile {tile} {face}.",
    [REMOVE] = "Retirez une carte.",
    [PAY_FEED] = "Payez pour nourrir : {cards}.",
    [BUY_SILVER] = "Achetez une médaille d’argent ({track}).",
    [BUY_GOLD] = "Achetez une médaille d’or.",
    [PASS] = "Passez.",
    [DONE] = "Terminez cette époque.",
};

static const char *const steps_en[] = {
    ("In three epochs you buy cards of five colours. They move your tracks: yellow"
     " income, red military, blue culture, green food; purple ones have effects."),
    ("Both players, with their coins and points. Points stand on cards, colonies"
     " and statues; most points win."),
    ("Another epoch begins: cards cost more and bring more, and selling one brings"
     " a coin more than before."),
    ("Whoever is first in an epoch sets the wheel, which says who begins at which"
     " colour. Then it turns: everybody comes by each colour once."),
    ("Both cards are of one colour; the one you discard can be taken later, by"
     " anybody. A card costs a coin less for each of its colour that you have."),
    ("Selling brings coins: 2, 3 or 4 by epoch. That is for cards that are too"
     " dear or bring you little. Coins buy better ones."),
    ("The second half of an epoch: in turn you take the cards that were discarded"
     " before, five each. Only the top card of a pile can be had."),
    ("Your military is enough for a colony; one of each level, one at a time."
     " Plundering brings coins now."),
    ("Your military is enough for a colony. Integrating costs coins: it is turned"
     " over and raises your tracks for good."),
    ("Your culture is enough for a statue, which is worth points. One of your"
     " bonus tiles goes on it, and raises its track or counts points."),
    ("Each card you own wants a food at the end of an epoch. You have more cards"
     " than food: what is not fed goes, with all it brought."),
    ("A silver medal takes a bonus tile of a track: at the end it is worth half of"
     " that track. There are two for you in the whole game."),
    ("A gold medal is worth 7 points for each set of five colours at the end. There"
     " are two for you in the whole game."),
    ("All your cards are fed, and there is no medal worth its coins now. So the"
     " epoch is over for you."),
    NULL,
};
static const char *const steps_fr[] = {
    ("En trois époques vous achetez des cartes de cinq couleurs. Elles font avancer"
     " vos pistes : jaune revenu, rouge armée, bleu culture, vert nourriture ; les"
     " violettes ont des effets."),
    ("Les deux joueurs, leurs pièces et leurs points. Les points sont sur les"
     " cartes, les colonies et les statues ; qui en a le plus gagne."),
    ("Une autre époque commence : les cartes coûtent et rapportent plus, et en"
     " vendre une rapporte une pièce de plus qu’avant."),
    ("Le premier joueur d’une époque règle la roue, qui dit par quelle couleur"
     " chacun commence. Puis elle tourne : chacun passe par toutes les couleurs."),
    ("Les deux cartes sont d’une même couleur ; celle que vous défaussez pourra"
     " être prise plus tard, par tous. Une carte coûte une pièce de moins par carte"
     " de sa couleur à vous."),
    ("Vendre rapporte 2, 3 ou 4 pièces selon l’époque : pour les cartes trop chères"
     " ou peu utiles. Les pièces en achètent de meilleures."),
    ("La seconde moitié d’une époque : à tour de rôle vous prenez les cartes"
     " défaussées avant, cinq chacun. On ne peut avoir que le dessus d’une pile."),
    ("Votre armée suffit pour une colonie ; une de chaque niveau, une à la fois."
     " Piller rapporte des pièces tout de suite."),
    ("Votre armée suffit pour une colonie. L’intégrer coûte des pièces : elle est"
     " retournée et élève vos pistes pour de bon."),
    ("Votre culture suffit pour une statue, qui vaut des points. Une de vos tuiles"
     " bonus va dessus, et élève sa piste ou compte en points."),
    ("Chaque carte à vous veut une nourriture à la fin d’une époque. Vous avez plus"
     " de cartes que de nourriture : ce qui n’est pas nourri s’en va, avec tout ce"
     " qu’il apportait."),
    ("Une médaille d’argent prend une tuile bonus d’une piste : à la fin elle vaut"
     " la moitié de cette piste. Vous en aurez deux au plus dans la partie."),
    ("Une médaille d’or vaut à la fin 7 points par série de cinq couleurs. Vous en"
     " aurez deux au plus dans la partie."),
    ("Toutes vos cartes sont nourries, et aucune médaille ne vaut ses pièces"
     " maintenant. L’époque est donc finie pour vous."),
    NULL,
};

/* clang-format on */

static const struct guide_says says[] = {
    {"en", moves_en, steps_en},
    {"fr", moves_fr, steps_fr},
    {0},
};

const struct guide hadara_guide = {
    .rules = &hadara_rules,
    .steps = steps,
    .says = says,
};
