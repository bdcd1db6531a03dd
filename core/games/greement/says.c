/* says.c -- what Greement says, by language.  The lists are in the order of
 * tables.c and parts.h. */

#include "parts.h"

/* clang-format off: tables are laid out by hand. */

/* ---- English ------------------------------------------------------------ */

static const char *const events_en[] = {
    [EV_START_PLAYER] = "{name} begins.",
    [EV_TURNED_UP] = "{square} is turned up: {ground}.",
    [EV_SETTLED] = "{name} settles on {square}, with a crop.",
    [EV_ALL_TURNED_UP] = "All squares are turned up.",
    [EV_TURN_BEGAN] = "{name} begins turn {round}.",
    [EV_PROFIT] = "{name} collects a profit of {amount}.",
    [EV_BOUGHT] = "{name} buys {square} for {price} and a tax of {tax}.",
    [EV_SEEDED] = "{name} seeds {square} for {price}.",
    [EV_BOUGHT_CATTLE] = "{name} puts cattle on {square} for {price}.",
    [EV_PAID] = "{name} gives {to} {amount} and pays a tax of {tax}.",
    [EV_OFFERED] = ("{name} makes offer {offer}: to {trade} {square}, with"
                    " {with}, for {price}; the {tax_by} pays the tax."),
    [EV_TRADED] = ("{name} gets {square} from {from} for {price}; the {tax_by}"
                   " pays a tax of {tax}."),
    [EV_DECLINED] = "{name} declines offer {offer}.",
    [EV_WITHDREW] = "{name} withdraws offer {offer}.",
    [EV_LAPSED] = "Offer {offer} stands no longer.",
    [EV_BOUGHT_CARD] = "{name} buys an action card for {price}.",
    [EV_DREW] = "{name} draws the action card: {card}.",
    [EV_STOLE] = ("{name} takes {square} from {from}."
                  "|{name} takes {square}, which was free."),
    [EV_VALUE] = "{value}: {amount} from now on.",
    [EV_COLLECTED] = "{name} collects {amount} from {from}.",
    [EV_BORROWED] = "{name} borrows {amount}.",
    [EV_REPAID] = "{name} repays {amount}.",
    [EV_DEBT] = "{name} now owes {amount}.",
    [EV_TURN_ENDED] = "{name} ends the turn.",
    [EV_EVENT] = "Event: {event}.",
    [EV_VOTED] = "{name} votes to {avoid}.",
    [EV_CONTRIBUTED] = "{name} contributes {amount}.",
    [EV_DONE] = "{name} is done.",
    [EV_AVOIDED] = "The event is avoided: {event}.",
    [EV_TRIGGERED] = "The event happens: {event}.",
    [EV_GIVEN_BACK] = "{name} gets {amount} back.",
    [EV_BECAME] = "{square} becomes {state}.",
    [EV_LOST] = "{name} loses {square}.",
    [EV_COMPENSATED] = "{name} gets {amount} for what was taken.",
    [EV_TREATED] = "{name} pays for the cattle on {square}.",
    [EV_ROUND_ENDED] = "Round {turn_count} is over.",
    [EV_ENDED] = "The game is over.",
    NULL,
};
static const char *const ground_en[] = {
    "land", "gold mine", "lake", "mountain", NULL,
};
static const char *const state_en[] = {
    "land", "crop", "cattle", "gold mine", "lake", "mountain", NULL,
};
static const char *const value_en[] = {
    "land price",   "seed price",      "crop profit",         "mine price",
    "mine profit",  "lake multiplier", "mountain multiplier", "distance tax",
    "cattle price", "cattle profit",   "action card price",   NULL,
};
static const char *const trade_en[] = {"sell", "buy", NULL};
static const char *const side_en[] = {"buyer", "seller", NULL};
static const char *const vote_en[] = {"let it happen", "avoid it", NULL};
static const struct says_kind kinds_en[] = {
    {"ground", ground_en},
    {"state", state_en},
    {"value", value_en},
    {"trade", trade_en},
    {"side", side_en},
    {"flag", vote_en},
    {0},
};

/* ---- French -------------------------------------------------------------- */

static const char *const events_fr[] = {
    [EV_START_PLAYER] = "{name} commence.",
    [EV_TURNED_UP] = "{square} est retournée : {ground}.",
    [EV_SETTLED] = "{name} s’installe en {square}, avec une culture.",
    [EV_ALL_TURNED_UP] = "Toutes les cases sont retournées.",
    [EV_TURN_BEGAN] = "{name} commence son tour {round}.",
    [EV_PROFIT] = "{name} encaisse un gain de {amount}.",
    [EV_BOUGHT] = "{name} achète {square} pour {price} et {tax} de taxe.",
    [EV_SEEDED] = "{name} sème {square} pour {price}.",
    [EV_BOUGHT_CATTLE] = "{name} met du bétail en {square} pour {price}.",
    [EV_PAID] = "{name} donne {amount} à {to} et paie {tax} de taxe.",
    [EV_OFFERED] = ("{name} fait l’offre {offer} : {trade} {square}, avec"
                    " {with}, pour {price} ; la taxe revient {tax_by}."),
    [EV_TRADED] = ("{name} reçoit {square} de {from} pour {price} ; la taxe de"
                   " {tax} revient {tax_by}."),
    [EV_DECLINED] = "{name} refuse l’offre {offer}.",
    [EV_WITHDREW] = "{name} retire l’offre {offer}.",
    [EV_LAPSED] = "L’offre {offer} ne tient plus.",
    [EV_BOUGHT_CARD] = "{name} achète une carte d’action pour {price}.",
    [EV_DREW] = "{name} pioche la carte d’action : {card}.",
    [EV_STOLE] = ("{name} prend {square} à {from}."
                  "|{name} prend {square}, qui était libre."),
    [EV_VALUE] = "{value} : {amount} désormais.",
    [EV_COLLECTED] = "{name} prend {amount} à {from}.",
    [EV_BORROWED] = "{name} emprunte {amount}.",
    [EV_REPAID] = "{name} rembourse {amount}.",
    [EV_DEBT] = "{name} doit maintenant {amount}.",
    [EV_TURN_ENDED] = "{name} finit son tour.",
    [EV_EVENT] = "Événement : {event}.",
    [EV_VOTED] = "{name} vote pour {avoid}.",
    [EV_CONTRIBUTED] = "{name} contribue de {amount}.",
    [EV_DONE] = "{name} a terminé.",
    [EV_AVOIDED] = "L’événement est évité : {event}.",
    [EV_TRIGGERED] = "L’événement a lieu : {event}.",
    [EV_GIVEN_BACK] = "{name} récupère {amount}.",
    [EV_BECAME] = "{square} devient {state}.",
    [EV_LOST] = "{name} perd {square}.",
    [EV_COMPENSATED] = "{name} reçoit {amount} pour ce qui a été pris.",
    [EV_TREATED] = "{name} paie pour le bétail en {square}.",
    [EV_ROUND_ENDED] = "La manche {turn_count} est finie.",
    [EV_ENDED] = "La partie est finie.",
    NULL,
};
static const char *const ground_fr[] = {
    "terre", "mine d’or", "lac", "montagne", NULL,
};
static const char *const state_fr[] = {
    "terre", "culture", "bétail", "mine d’or", "lac", "montagne", NULL,
};
static const char *const value_fr[] = {
    "prix de la terre",
    "prix de la semence",
    "gain d’une culture",
    "prix d’une mine",
    "gain d’une mine",
    "multiplicateur des lacs",
    "multiplicateur des montagnes",
    "taxe de distance",
    "prix du bétail",
    "gain du bétail",
    "prix d’une carte d’action",
    NULL,
};
static const char *const trade_fr[] = {"vendre", "acheter", NULL};
static const char *const side_fr[] = {"à l’acheteur", "au vendeur", NULL};
static const char *const vote_fr[] = {"le laisser venir", "l’éviter", NULL};
static const char *const card_fr[] = {
    "Prenez jusqu’à deux cases, à qui vous voulez ou libres.",
    "Vous décidez seul du prochain vote.",
    "Haussez de 2 une valeur de la table.",
    "Baissez de 2 une valeur de la table.",
    "Prenez à un joueur le double de la taxe de distance.",
    NULL,
};
static const char *const event_fr[] = {
    "Multiplicateur des lacs +1, des montagnes −1.",
    "Multiplicateur des montagnes +1, des lacs −1.",
    "Multiplicateurs des lacs et des montagnes +1, gain d’une mine −2.",
    "Prix de la terre +1, prix d’une mine −1.",
    "Prix de la terre −1, prix d’une mine +1.",
    "Prix et gain du bétail +1.",
    "Prix et gain du bétail −1.",
    "Prix de la semence et gain d’une culture +1.",
    "Prix de la semence et gain d’une culture −1.",
    "Gain d’une culture +1, gain d’une mine −1.",
    "Gain d’une culture −1, gain d’une mine +1.",
    "Gain du bétail +1, gain d’une mine −1.",
    "Gain du bétail −1, gain d’une mine +1.",
    "Gain d’une culture +1, gain du bétail −1.",
    "Gain d’une culture −1, gain du bétail +1.",
    "Taxe de distance −2, gain d’une culture −1.",
    "Taxe de distance −2, gain d’une mine +2.",
    "Toutes les mines d’or perdent leur propriétaire.",
    "Toutes les cultures redeviennent des terres, gain d’une mine +3.",
    "Tout le bétail devient des cultures, gain d’une mine +3.",
    ("Toutes les mines d’or perdent leur propriétaire ; toute terre possédée"
     " reçoit du bétail."),
    "Gain d’une mine −1.",
    "Gain d’une mine +1.",
    "Taxe de distance et deux multiplicateurs −1.",
    "Les cartes d’action coûtent 2 de moins.",
    "Maladie du bétail : il devient culture, sauf si l’on paie 2 pour lui.",
    ("Lacs : les cases reliées à l’un d’eux perdent leur propriétaire, qui"
     " reçoit 2 pour chacune."),
    ("Montagnes : les cases reliées à l’une d’elles perdent leur propriétaire,"
     " qui reçoit 1 pour chacune."),
    ("Toutes les mines d’or perdent leur propriétaire, qui reçoit 1 pour"
     " chacune."),
    NULL,
};
static const struct says_kind kinds_fr[] = {
    {"ground", ground_fr}, {"state", state_fr}, {"value", value_fr},
    {"trade", trade_fr},   {"side", side_fr},   {"flag", vote_fr},
    {"card", card_fr},     {"event", event_fr}, {0},
};
static const char *const reasons_fr[] = {
    "Cette case n’est pas face cachée.",
    "Elle est reliée à la case de départ d’un autre joueur.",
    "Vous n’avez pas assez d’argent.",
    "Cette case a un propriétaire.",
    "Personne ne peut posséder un lac ou une montagne.",
    "Cette case n’est pas à vous.",
    "On ne sème que sur une terre nue.",
    "Il faut une culture pour y mettre du bétail.",
    "C’est vous-même.",
    "Cette case n’est pas à lui.",
    "Huit offres sont déjà en attente.",
    "Cette offre n’existe pas, ou plus.",
    "Ce n’est pas à vous de répondre à cette offre ni de la retirer.",
    "L’acheteur n’a pas assez d’argent.",
    "Le vendeur n’a pas assez d’argent pour la taxe.",
    "Utilisez d’abord votre carte d’action.",
    "Il n’y a plus de carte d’action.",
    "On n’emprunte pas à cette table.",
    "On emprunte jusqu’à une dette de 20, et l’on rembourse ce que l’on doit.",
    "Vous l’avez fait assez souvent pour l’instant.",
    "Cette case est déjà à vous.",
    "Un autre joueur décide seul de ce vote.",
    "Il n’y a pas de bétail sur cette case.",
    "Cela ne se fait pas à ce moment de la partie.",
    "Vous avez déjà terminé.",
    "Ce bétail est déjà soigné.",
    "Le hasard ne peut pas faire cela maintenant.",
    NULL,
};
static const char *const options_fr[] = {
    [OPTION_TURNS] = "Combien de tours a chaque joueur.",
    [OPTION_TAX] = ("La taxe compte la distance moins un, ou toute la distance"
                    " (mais une case reliée est exempte)."),
    [OPTION_LOANS] = ("On peut emprunter jusqu’à 20 ; la dette double à chaque"
                      " tour."),
    NULL,
};
static const char *const parts_fr[] = {
    [PART_MONEY] = "Argent",
    [PART_DEBT] = "Dette",
    [PART_SQUARES] = "Valeur des cases",
    NULL,
};

static const char *const heads_fr[] = {
    [PART_MONEY] = "argent",
    [PART_DEBT] = "dette",
    [PART_SQUARES] = "cases",
    NULL,
};
static const char *const figures_fr[] = {
    "argent",
    "gain par tour",
    "richesse",
    NULL,
};
static const char *const verbs_fr[] = {
    [PICK] = "Choisir une case face cachée pour y commencer.",
    [BUY_LAND] =
        ("Acheter une terre ou une mine d’or libre pour son prix et la"
         " taxe de distance."),
    [SEED] = "Semer une terre à vous : elle devient une culture.",
    [BUY_CATTLE] = "Mettre du bétail sur une culture à vous.",
    [PAY] = ("Donner de l’argent à un joueur ; vous payez en plus la taxe de"
             " distance."),
    [OFFER] = ("Proposer à un joueur de lui vendre une case à vous, ou de lui"
               " en acheter une."),
    [ACCEPT] = "Accepter une offre qui vous est faite.",
    [DECLINE] = "Refuser une offre qui vous est faite.",
    [WITHDRAW] = "Retirer une de vos offres.",
    [BUY_ACTION_CARD] = ("Acheter une carte d’action, qui doit servir"
                         " aussitôt."),
    [STEAL] =
        ("Prendre une terre ou une mine d’or, à quelqu’un ou libre ; deux"
         " au plus pour la carte."),
    [RAISE] = "Hausser de 2 une valeur de la table.",
    [LOWER] = "Baisser de 2 une valeur de la table.",
    [COLLECT] = "Prendre à un joueur le double de la taxe de distance.",
    [BORROW] =
        ("Emprunter ; votre dette peut ensuite être de 20. Elle double à"
         " la fin de votre tour."),
    [REPAY] = "Rembourser une partie de votre dette.",
    [VOTE] = "Voter pour ou contre le fait d’éviter l’événement.",
    [CONTRIBUTE] = "Contribuer au prix qui évite l’événement.",
    [TREAT] = "Payer 2 pour garder le bétail d’une case malgré la maladie.",
    [DONE] = "En avoir fini de contribuer, de soigner ou de voler.",
    [END_TURN] = "Finir votre tour.",
    [NATURE_START] = "La première place est tirée au sort.",
    [NATURE_SQUARE] = "Une case est retournée.",
    [NATURE_CARD] = "Une carte d’action est piochée.",
    [NATURE_EVENT] = "Une carte d’événement est retournée.",
    NULL,
};

static const struct says_name names_fr[] = {
    {"turns", "Tours"},        {"tax_distance", "Distance taxée"},
    {"minus_one", "moins un"}, {"full", "entière"},
    {"loans", "Emprunts"},     {0},
};

const struct says greement_says[] = {
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
