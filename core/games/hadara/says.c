/* says.c -- what Hadara says, by language.  The lists are in the order of
 * tables.c, hadara.h and parts.h. */

#include "../../sbuf.h"
#include "parts.h"

/* clang-format off: tables are laid out by hand. */

/* ---- English ------------------------------------------------------------ */

static const char *const events_en[] = {
    [EV_RING] = ("The segments are joined to a ring: {first}, {second},"
                 " {third}, {fourth}, {fifth}."),
    [EV_SETUP_CARD] = ("{name} gets the setup card with initiative"
                       " {initiative}."),
    [EV_SIDE_CHOSEN] = "{name} has chosen a side.",
    [EV_SIDE_CHOICE] = "{name} chooses side {side}; nobody else knows yet.",
    [EV_SIDE] = "{name} plays side {side}.",
    [EV_EXTRA_COIN] = "{name} gets {amount} more, being first less often.",
    [EV_EPOCH] = "Epoch {epoch} begins, {name} is first.",
    [EV_WHEEL_SET] = "{name} sets the wheel.",
    [EV_DREW] = ("{name} draws {first} and {second}."
                 "|{name} draws two cards ({color})."),
    [EV_CHOSE] = "{name} has chosen.",
    [EV_CHOICE] = ("{name} will discard {discard} and {keep} the other card,"
                   " with the {tile} tile on it; nobody else knows yet."
                   "|{name} will discard {discard} and {keep} the other card;"
                   " nobody else knows yet."),
    [EV_DISCARDED] = "{name} discards {card}.",
    [EV_TOOK] = "{name} takes the top card of a pile.",
    [EV_BOUGHT] = ("{name} buys {card} for {amount}, with the {tile} tile on"
                   " it."
                   "|{name} buys {card} for {amount}."),
    [EV_SOLD] = ("{name} sells {card} for {amount}."
                 "|{name} sells a card face down for {amount}."),
    [EV_WHEEL_TURNED] = "The wheel turns.",
    [EV_INCOME] = "{name} gets an income of {amount}.",
    [EV_COLONY] = ("{name} takes colony {level} to {mode} it, having paid"
                   " {pay+} for military."
                   "|{name} takes colony {level} to {mode} it."),
    [EV_COLONY_TURNED] = "{name} turns colony {level} over.",
    [EV_STATUE] = ("{name} carves statue {statue}, having paid {pay+} for"
                   " culture; the {tile} tile {face}."
                   "|{name} carves statue {statue}; the {tile} tile {face}."),
    [EV_PASSED] = "{name} passes.",
    [EV_SURPLUS] = "{name} gets {amount} for food to spare.",
    [EV_REMOVED] = "{name} removes {card}.",
    [EV_FED] = "{name} feeds cards for coins: {cards} for {amount}.",
    [EV_SILVER] = "{name} buys a silver medal ({track}) for {amount}.",
    [EV_GOLD] = "{name} buys a gold medal for {amount}.",
    [EV_DONE] = "{name} is done with this epoch.",
    [EV_SCORED] = "{name} scores {amount} for {part}.",
    [EV_ENDED] = "The game is over.",
    NULL,
};
static const char *const color_en[] = {
    "yellow", "red", "blue", "green", "purple", NULL,
};
static const char *const track_en[] = {
    "income", "military", "culture", "food", NULL,
};
static const char *const side_words[] = {"A", "B", NULL};
static const char *const keep_en[] = {"buy", "sell", NULL};
static const char *const mode_en[] = {"plunder", "integrate", NULL};
static const char *const face_en[] = {
    "raises its track",
    "counts as points",
    NULL,
};
static const char *const part_en[] = {
    "cards",       "colonies",       "statues",    "silver medals",
    "gold medals", "purple effects", "coins left", NULL,
};
static const struct says_kind kinds_en[] = {
    {"color", color_en},  {"track", track_en},
    {"side", side_words}, {"keep", keep_en},
    {"mode", mode_en},    {"face", face_en},
    {"part", part_en},    {0},
};

/* ---- French -------------------------------------------------------------- */

static const char *const events_fr[] = {
    [EV_RING] = ("Les segments forment un anneau : {first}, {second}, {third},"
                 " {fourth}, {fifth}."),
    [EV_SETUP_CARD] = ("{name} reçoit la carte de départ d’initiative"
                       " {initiative}."),
    [EV_SIDE_CHOSEN] = "{name} a choisi une face.",
    [EV_SIDE_CHOICE] = ("{name} choisit la face {side} ; personne d’autre ne"
                        " le sait encore."),
    [EV_SIDE] = "{name} joue la face {side}.",
    [EV_EXTRA_COIN] = ("{name} reçoit {amount} de plus pour être moins souvent"
                       " premier."),
    [EV_EPOCH] = "L’époque {epoch} commence, {name} joue en premier.",
    [EV_WHEEL_SET] = "{name} règle la roue.",
    [EV_DREW] = ("{name} pioche {first} et {second}."
                 "|{name} pioche deux cartes ({color})."),
    [EV_CHOSE] = "{name} a choisi.",
    [EV_CHOICE] =
        ("{name} va défausser {discard} et {keep} l’autre carte, avec"
         " la tuile {tile} dessus ; personne d’autre ne le sait"
         " encore."
         "|{name} va défausser {discard} et {keep} l’autre carte ;"
         " personne d’autre ne le sait encore."),
    [EV_DISCARDED] = "{name} défausse {card}.",
    [EV_TOOK] = "{name} prend la carte du dessus d’une pile.",
    [EV_BOUGHT] = ("{name} achète {card} pour {amount}, avec la tuile {tile}"
                   " dessus."
                   "|{name} achète {card} pour {amount}."),
    [EV_SOLD] = ("{name} vend {card} pour {amount}."
                 "|{name} vend une carte face cachée pour {amount}."),
    [EV_WHEEL_TURNED] = "La roue tourne.",
    [EV_INCOME] = "{name} reçoit un revenu de {amount}.",
    [EV_COLONY] =
        ("{name} prend la colonie {level} pour la {mode}, après avoir"
         " payé {pay+} pour l’armée."
         "|{name} prend la colonie {level} pour la {mode}."),
    [EV_COLONY_TURNED] = "{name} retourne la colonie {level}.",
    [EV_STATUE] = ("{name} sculpte la statue {statue}, après avoir payé {pay+}"
                   " pour la culture ; la tuile {tile} {face}."
                   "|{name} sculpte la statue {statue} ; la tuile {tile}"
                   " {face}."),
    [EV_PASSED] = "{name} passe.",
    [EV_SURPLUS] = "{name} reçoit {amount} pour sa nourriture de reste.",
    [EV_REMOVED] = "{name} retire {card}.",
    [EV_FED] = ("{name} nourrit des cartes contre des pièces : {cards} pour"
                " {amount}."),
    [EV_SILVER] = ("{name} achète une médaille d’argent ({track}) pour"
                   " {amount}."),
    [EV_GOLD] = "{name} achète une médaille d’or pour {amount}.",
    [EV_DONE] = "{name} a fini cette époque.",
    [EV_SCORED] = "{name} marque {amount} : {part}.",
    [EV_ENDED] = "La partie est finie.",
    NULL,
};
static const char *const color_fr[] = {
    "jaune", "rouge", "bleu", "vert", "violet", NULL,
};
static const char *const track_fr[] = {
    "revenu", "armée", "culture", "nourriture", NULL,
};
static const char *const keep_fr[] = {"acheter", "vendre", NULL};
static const char *const mode_fr[] = {"piller", "intégrer", NULL};
static const char *const face_fr[] = {
    "élève sa piste",
    "compte en points",
    NULL,
};
static const char *const part_fr[] = {
    "cartes",           "colonies",
    "statues",          "médailles d’argent",
    "médailles d’or",   "effets violets",
    "pièces restantes", NULL,
};
static const char *const effect_fr[] = {
    "Une pièce de plus à chaque carte vendue.",
    ("À l’achat, une de vos tuiles bonus est posée dessus, face visible : cette"
     " piste + 2."),
    "Culture + 1 pour chaque carte bleue que vous possédez.",
    "Revenu + 1 pour chaque carte jaune que vous possédez.",
    "Nourriture + 1 pour chaque carte verte que vous possédez.",
    "Armée + 1 pour chaque carte rouge que vous possédez.",
    "4 pièces chaque fois que vous prenez une colonie.",
    "Les médailles coûtent le prix réduit aux époques II et III.",
    "Au revenu, 2 pièces pour chaque piste plus haute que celle du revenu.",
    ("Au début du repas, 3 pièces pour chaque nourriture au-delà des cartes, 12"
     " au plus."),
    "Le bonus de chacune de vos statues est plus haut de 2.",
    ("Au repas, payez 2 pièces au lieu de retirer une carte, 6 fois au plus."),
    "Une de vos médailles d’argent compte la piste entière.",
    "4 points par série de cinq couleurs.",
    "Colonies et statues demandent 4 de moins.",
    ("Pour les médailles d’or, elle peut remplacer une autre couleur que le"
     " violet dans une série."),
    "Deux fois à chaque étape de colonie et de statue.",
    ("3 pièces baissent une exigence de 1 ; 30 pièces au plus par phase."),
    NULL,
};
static const struct says_kind kinds_fr[] = {
    {"color", color_fr}, {"track", track_fr},   {"side", side_words},
    {"keep", keep_fr},   {"mode", mode_fr},     {"face", face_fr},
    {"part", part_fr},   {"effect", effect_fr}, {0},
};
static const char *const reasons_fr[] = {
    "Ce n’est pas une des deux cartes que vous avez piochées.",
    "Il n’y a pas de carte dans cette pile.",
    "Vous avez déjà une colonie de ce niveau.",
    "Votre armée est trop faible pour cette colonie.",
    "Vous avez déjà sculpté cette statue.",
    "Votre culture est trop basse pour cette statue.",
    "Cette carte n’est pas à vous.",
    "Vous n’avez pas de carte avec cet effet.",
    "C’est plus de cartes que vous n’avez le droit de payer.",
    "Vous avez déjà deux de ces médailles.",
    "Vous n’avez pas assez de pièces.",
    ("Payez exactement 3 pièces pour chaque point qui manque, et rien s’il n’en"
     " manque pas."),
    "30 pièces au plus par phase pour baisser des exigences.",
    "Vous n’avez plus de tuile bonus de cette piste.",
    "Dites quelle tuile bonus va sur la carte.",
    "Aucune tuile bonus ne va là.",
    "Ce n’est pas ce qu’il faut faire maintenant.",
    "Le hasard ne peut pas faire cela maintenant.",
    NULL,
};
static const char *const options_fr[] = {
    [OPTION_ADVANCED] =
        ("Chacun choisit une face de sa carte de départ, et les"
         " cartes violettes à étoile sont de la partie."),
    NULL,
};
static const char *const parts_fr[] = {
    [PART_CARDS] = "Cartes",           [PART_COLONIES] = "Colonies",
    [PART_STATUES] = "Statues",        [PART_SILVER] = "Médailles d’argent",
    [PART_GOLD] = "Médailles d’or",    [PART_EFFECTS] = "Effets violets",
    [PART_COINS] = "Pièces restantes", NULL,
};

/* clang-format on */

/* ---- cards --------------------------------------------------------------- */

/* A card is called by what is on it: its name tells nobody anything. */
struct card_words {
    const char *const *card; /* by color */
    const char *const *track;
    const char *point, *points;
    const char *const *effect;
    const char *then; /* before the effect */
};

static const char *const card_en[] = {"a yellow card", "a red card",
                                      "a blue card", "a green card",
                                      "a purple card"};
static const char *const card_fr[] = {"une carte jaune", "une carte rouge",
                                      "une carte bleue", "une carte verte",
                                      "une carte violette"};
static const struct card_words words_en = {
    card_en, track_en, "point", "points", hadara_effect_texts, "; "};
static const struct card_words words_fr = {card_fr,  track_fr,  "point",
                                           "points", effect_fr, " ; "};

static void put_card(struct sbuf *s, const struct card_words *words,
                     const struct hadara *h, int card)
{
    const struct hadara_card *c = card_of(h, card);
    const char *before = " (";

    sbuf_puts(s, words->card[hadara_card_color(card)]);
    for (int i = 0; i < TRACKS; i++)
        if (c->value[i] > 0) {
            sbuf_puts(s, before);
            sbuf_puts(s, words->track[i]);
            sbuf_putc(s, ' ');
            sbuf_int(s, c->value[i]);
            before = ", ";
        }
    sbuf_puts(s, before);
    sbuf_int(s, c->points);
    sbuf_putc(s, ' ');
    sbuf_puts(s, c->points == 1 ? words->point : words->points);
    if (c->effect != HADARA_NOTHING) {
        sbuf_puts(s, words->then);
        sbuf_puts(s, words->effect[c->effect]);
        sbuf_cut(s, s->len - 1); /* its full stop */
    }
    sbuf_putc(s, ')');
}

static void say_en(struct sbuf *s, const struct rules_state *state, int card)
{
    put_card(s, &words_en, table_of(state), card);
}

static void say_fr(struct sbuf *s, const struct rules_state *state, int card)
{
    put_card(s, &words_fr, table_of(state), card);
}

static const struct says_name names_fr[] = {
    {"advanced", "Jeu avancé"},
    {0},
};

static const struct says_thing things_en[] = {{"card", say_en}, {0}};
static const struct says_thing things_fr[] = {{"card", say_fr}, {0}};

/* clang-format off */
static const char *const heads_fr[] = {
    [PART_CARDS] = "cartes",   [PART_COLONIES] = "colonies",
    [PART_STATUES] = "statues", [PART_SILVER] = "argent",
    [PART_GOLD] = "or",        [PART_EFFECTS] = "effets",
    [PART_COINS] = "pièces",   NULL,
};
static const char *const figures_fr[] = {
    "revenu", "armée",  "culture",           "nourriture",
    "pièces", "points", "si c’était fini", NULL,
};
static const char *const verbs_fr[] = {
    [CHOOSE_SIDE] = ("Choisir une face de votre carte de départ ; caché jusqu’à"
                     " ce que tous aient choisi."),
    [SET_WHEEL] = ("Régler la roue : le joueur k commence au segment"
                   " (k + offset) mod 5."),
    [CHOOSE] = ("Défausser une de vos deux cartes et acheter ou vendre l’autre"
                " ; caché, et modifiable, jusqu’à ce que tous aient choisi."),
    [TAKE] = ("Prendre la carte du dessus d’une pile, et l’acheter ou la"
              " vendre."),
    [TAKE_COLONY] = ("Prendre une colonie : la piller pour des pièces, ou payer"
                     " pour l’intégrer."),
    [CARVE] = ("Sculpter une statue et y mettre une tuile bonus, pour sa piste"
               " ou pour des points."),
    [REMOVE] = "Retirer une carte que vous ne pouvez nourrir.",
    [PAY_FEED] = ("Payer 2 pièces pour chacune d’autant de cartes au lieu de"
                  " les retirer."),
    [BUY_SILVER] = ("Acheter une médaille d’argent avec une tuile bonus de"
                    " cette piste."),
    [BUY_GOLD] = "Acheter une médaille d’or.",
    [PASS] = "Ne prendre aucune colonie, ou ne sculpter aucune statue.",
    [DONE] = "Ne plus acheter de médaille à cette époque.",
    [NATURE_RING] = ("Les segments sont joints en un anneau, dans le sens des"
                     " aiguilles d’une montre."),
    [NATURE_SETUP] = "Une carte de départ est distribuée.",
    [NATURE_DRAW] = "Un joueur pioche deux cartes.",
    [NATURE_COLONY] = "On voit le dos d’une colonie intégrée.",
    NULL,
};
/* clang-format on */

const struct says hadara_says[] = {
    {.lang = "en",
     .events = events_en,
     .kinds = kinds_en,
     .things = things_en},
    {
        .lang = "fr",
        .events = events_fr,
        .kinds = kinds_fr,
        .things = things_fr,
        .reasons = reasons_fr,
        .options = options_fr,
        .parts = parts_fr,
        .heads = heads_fr,
        .verbs = verbs_fr,
        .figures = figures_fr,
        .names = names_fr,
    },
    {0},
};
