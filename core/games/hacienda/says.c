/* says.c -- what Hacienda says, by language.  The lists are in the order of
 * tables.c and parts.h. */

#include "parts.h"

/* clang-format off: tables are laid out by hand. */

/* ---- English ------------------------------------------------------------ */

static const char *const events_en[] = {
    [EV_START_PLAYER] = "{name} is the start player.",
    [EV_SPARE_TERRAIN] = "The board gets one more space of {terrain}.",
    [EV_TERRAIN] = "{hex} becomes {terrain}.",
    [EV_DREW] = "{name} draws {card}.|{name} draws a card ({stack}).",
    [EV_TURNED_UP] = "{card} is turned up.",
    [EV_SHUFFLED] = "The land discards become the new supply.",
    [EV_SECOND_STACK] = "The second animal stack comes into use.",
    [EV_LAST_STACK] = "The last animal card is drawn: this round is the last.",
    [EV_BOUGHT_CARD] = ("{name} buys from the supply ({stack}) for {amount}"
                        " pesos."),
    [EV_TOOK_CARD] = "{name} buys {card} from the display for {amount} pesos.",
    [EV_BOUGHT_HACIENDA] = ("{name} buys a hacienda for {amount} pesos and"
                            " builds it on {hex}."),
    [EV_BOUGHT_WATER] =
        ("{name} buys water ({shape}) for {amount} pesos: {hex1}, {hex2},"
         " {hex3}."
         "|{name} buys water ({shape}) for {amount} pesos: {hex1}, {hex2}."
         "|{name} buys water ({shape}) for {amount} pesos: {hex1}."),
    [EV_PLAYED] = "{name} plays {card} on {hex}.",
    [EV_MARKET_PAID] = "{name} gets {amount} pesos from the market {hex}.",
    [EV_HARVESTED] =
        ("{name} harvests {amount} pesos at {hex} with the chip of {from}."
         "|{name} harvests {amount} pesos at {hex}."),
    [EV_TURN_ENDED] = "{name} ends the turn.",
    [EV_ROUND_BEGAN] = "Round {amount} begins.",
    [EV_SCORED] = "{name} scores {amount} for {part} ({scoring}).",
    [EV_ENDED] = "The game is over ({end}).",
    NULL,
};
static const char *const card_en[] = {
    "mountain", "forest", "meadow", "rocks", "swamp", "pampas",
    "cattle",   "horse",  "pig",    "sheep", NULL,
};
static const char *const terrain_en[] = {
    "mountain", "forest", "meadow", "rocks", "swamp", NULL,
};
static const char *const shape_en[] = {
    "pond", "lake of 2", "lake of 3", "river of 3", NULL,
};
static const char *const stack_en[] = {"land", "animals", NULL};
static const char *const part_en[] = {
    "the interim scoring", "markets", "land chains", "herds",
    "haciendas",           "water",   "money",       NULL,
};
static const char *const scoring_en[] = {"interim", "final", NULL};
static const char *const end_en[] = {
    "scored",
    "all passed",
    "by the limit of rounds",
    NULL,
};
static const struct says_kind kinds_en[] = {
    {"card", card_en},   {"terrain", terrain_en},
    {"shape", shape_en}, {"stack", stack_en},
    {"part", part_en},   {"scoring", scoring_en},
    {"end", end_en},     {0},
};

/* ---- French -------------------------------------------------------------- */

static const char *const events_fr[] = {
    [EV_START_PLAYER] = "{name} commence.",
    [EV_SPARE_TERRAIN] = "Le plateau reçoit une case de plus : {terrain}.",
    [EV_TERRAIN] = "{hex} devient : {terrain}.",
    [EV_DREW] = "{name} pioche : {card}.|{name} pioche une carte ({stack}).",
    [EV_TURNED_UP] = "Carte retournée : {card}.",
    [EV_SHUFFLED] = "Les cartes de terre défaussées font une nouvelle pile.",
    [EV_SECOND_STACK] = "La seconde pile d’animaux est entamée.",
    [EV_LAST_STACK] = ("La dernière carte d’animal est piochée : cette manche"
                       " est la dernière."),
    [EV_BOUGHT_CARD] = ("{name} achète la première carte de la pile ({stack})"
                        " pour {amount} pesos."),
    [EV_TOOK_CARD] = ("{name} achète une carte étalée pour {amount} pesos :"
                      " {card}."),
    [EV_BOUGHT_HACIENDA] = ("{name} achète une hacienda pour {amount} pesos et"
                            " la bâtit en {hex}."),
    [EV_BOUGHT_WATER] =
        ("{name} achète de l’eau ({shape}) pour {amount} pesos : {hex1},"
         " {hex2}, {hex3}."
         "|{name} achète de l’eau ({shape}) pour {amount} pesos : {hex1},"
         " {hex2}."
         "|{name} achète de l’eau ({shape}) pour {amount} pesos : {hex1}."),
    [EV_PLAYED] = "{name} joue en {hex} : {card}.",
    [EV_MARKET_PAID] = "{name} reçoit {amount} pesos du marché {hex}.",
    [EV_HARVESTED] =
        ("{name} récolte {amount} pesos en {hex} avec le jeton de {from}."
         "|{name} récolte {amount} pesos en {hex}."),
    [EV_TURN_ENDED] = "{name} finit son tour.",
    [EV_ROUND_BEGAN] = "La manche {amount} commence.",
    [EV_SCORED] = "{name} marque {amount} : {part} ({scoring}).",
    [EV_ENDED] = "La partie est finie ({end}).",
    NULL,
};
static const char *const card_fr[] = {
    "montagne", "forêt",  "prairie", "rochers", "marais", "pampa",
    "bœuf",     "cheval", "cochon",  "mouton",  NULL,
};
static const char *const terrain_fr[] = {
    "montagne", "forêt", "prairie", "rochers", "marais", NULL,
};
static const char *const shape_fr[] = {
    "étang", "lac de 2", "lac de 3", "rivière de 3", NULL,
};
static const char *const stack_fr[] = {"terre", "animaux", NULL};
static const char *const part_fr[] = {
    "décompte intermédiaire",
    "marchés",
    "chaînes de terre",
    "troupeaux",
    "haciendas",
    "eau",
    "argent",
    NULL,
};
static const char *const scoring_fr[] = {"intermédiaire", "final", NULL};
static const char *const end_fr[] = {
    "décomptée",
    "tous ont passé",
    "par la limite des manches",
    NULL,
};
static const struct says_kind kinds_fr[] = {
    {"card", card_fr},   {"terrain", terrain_fr},
    {"shape", shape_fr}, {"stack", stack_fr},
    {"part", part_fr},   {"scoring", scoring_fr},
    {"end", end_fr},     {0},
};
static const char *const reasons_fr[] = {
    "Vous avez fait vos trois actions de ce tour.",
    "Cela ne se fait qu’une fois par tour.",
    "Il n’y en a plus.",
    "Vous n’avez pas assez de pesos.",
    "Cette carte n’est pas étalée.",
    "Il n’y a là ni terre ni animal à vous.",
    "Cette tuile a déjà une hacienda.",
    "Ces cases n’ont pas cette forme.",
    "Nommez les cases dans l’ordre de la lecture.",
    "Ce n’est pas le terrain qu’il faut.",
    "Une tuile s’y trouve déjà.",
    "Vous n’avez pas cette carte en main.",
    "Il ne reste pas de tuile pour cette carte.",
    "Il faut la poser à côté d’une tuile à vous qui convient.",
    "Il n’y a là pas de terre à vous.",
    "Une seule terre n’est pas une chaîne.",
    "Cette chaîne a déjà un jeton de récolte.",
    "Il reste des jetons dans la réserve ; n’en prenez pas aux autres.",
    "Il n’y a de jeton à prendre nulle part.",
    "La réserve est vide : dites à qui vous prenez un jeton.",
    "Aucun adversaire n’a de jeton à cet endroit.",
    "Le hasard ne peut pas faire cela maintenant.",
    NULL,
};
static const char *const options_fr[] = {
    [OPTION_VARIANT1] =
        ("Les marchés paient animaux fois terres voisines ;"
         " haciendas et eau coûtent 20 ; les troupeaux comptent."),
    [OPTION_VARIANT2] = ("On compte les points après chaque action, sans"
                         " décompte intermédiaire."),
    [OPTION_CRUCIBLE] = ("Le jeu à deux sur le plateau Crucible, avec ses"
                         " propres règles."),
    NULL,
};
static const char *const parts_fr[] = {
    [PART_INTERIM] = "Décompte intermédiaire",
    [PART_MARKETS] = "Marchés",
    [PART_LAND] = "Chaînes de terre",
    [PART_HERDS] = "Troupeaux",
    [PART_HACIENDAS] = "Haciendas",
    [PART_WATER] = "Eau",
    [PART_MONEY] = "Argent",
    NULL,
};

static const char *const heads_fr[] = {
    [PART_INTERIM] = "interm.",     [PART_MARKETS] = "marchés",
    [PART_LAND] = "terres",         [PART_HERDS] = "troupeaux",
    [PART_HACIENDAS] = "haciendas", [PART_WATER] = "eau",
    [PART_MONEY] = "argent",        NULL,
};
static const char *const figures_fr[] = {"pesos", "points", NULL};
static const char *const verbs_fr[] = {
    [BUY_LAND_SUPPLY] = ("Acheter la première carte de la pile de terre pour 2"
                         " pesos."),
    [BUY_LAND_DISPLAY] = "Acheter une carte de terre visible pour 3 pesos.",
    [BUY_ANIMAL_SUPPLY] = ("Acheter la première carte de la pile d’animaux"
                           " pour 2 pesos."),
    [BUY_ANIMAL_DISPLAY] = "Acheter une carte d’animal visible pour 3 pesos.",
    [BUY_HACIENDA] =
        ("Acheter une hacienda, une fois par tour, et la bâtir sur"
         " une tuile à vous."),
    [BUY_WATER] =
        ("Acheter une tuile d’eau, une fois par tour, et la poser sur"
         " une pampa libre ; ses cases dans l’ordre de la lecture."),
    [PLAY_LAND] = ("Jouer une carte de terre : une tuile sur une case libre de"
                   " ce terrain, ou sur une pampa à côté de vos terres."),
    [PLAY_ANIMAL] =
        ("Jouer une carte d’animal : sa tuile sur une pampa libre à"
         " côté de vos terres ou de votre troupeau de cet animal."),
    [HARVEST] =
        ("Récolter une chaîne de terre, une fois par tour : 3 pesos par"
         " tuile. S’il n’y a plus de jeton, en prendre un (`from`) sur"
         " la terre d’un adversaire."),
    [END_TURN] = "Finir votre tour.",
    [NATURE_START] = "Le premier joueur est tiré au sort.",
    [NATURE_SPARE] = ("Un terrain est tiré, dont le plateau reçoit une case de"
                      " plus."),
    [NATURE_TERRAIN] = "Le terrain d’une case ouverte est tiré.",
    [NATURE_DEAL] = "Une carte est piochée dans une main.",
    [NATURE_TURN_UP] = "Une carte est retournée dans l’étalage.",
    NULL,
};

static const struct says_name names_fr[] = {
    {"variant1", "Variante 1"},
    {"variant2", "Variante 2"},
    {"crucible", "Crucible"},
    {"symmetric", "Symétrique"},
    {"asymmetric", "Asymétrique"},
    {"five_lagoons", "Cinq lagunes"},
    {"columns", "Colonnes"},
    {"rows", "Rangées"},
    {"markets", "Marchés"},
    {"waters", "Eaux"},
    {"land_percent", "Terrains, en pour cent"},
    {"void_percent", "Vide, en pour cent"},
    {"symmetry", "Symétrie"},
    {"none", "aucune"},
    {"half_turn", "demi-tour"},
    {0},
};

const struct says hacienda_says[] = {
    {.lang = "en", .events = events_en, .kinds = kinds_en},
    {
        .lang = "fr",
        .events = events_fr,
        .kinds = kinds_fr,
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
