// hacienda_words.js -- what the panel of Hacienda says, in English and in French.

export default {
    board: [
        'Board; arrows go from space to space, n and p to where something can be put',
        'Le plateau ; les flèches vont de case en case, n et p là où l’on peut poser',
    ],
    mountain: ['mountain', 'montagne'],
    forest: ['forest', 'forêt'],
    meadow: ['meadow', 'prairie'],
    rocks: ['rocks', 'rochers'],
    swamp: ['swamp', 'marais'],
    pampas: ['pampas', 'pampa'],
    random: ['terrain still to be drawn', 'terrain encore à tirer'],
    market: ['market', 'marché'],
    water: ['water', 'eau'],
    cattle: ['cattle', 'bœuf'],
    horse: ['horse', 'cheval'],
    pig: ['pig', 'cochon'],
    sheep: ['sheep', 'mouton'],
    land: ['land', 'terre'],
    single: ['pond', 'étang'],
    double: ['lake of 2', 'lac de 2'],
    triangle: ['lake of 3', 'lac de 3'],
    line: ['river of 3', 'rivière de 3'],
    hacienda: ['hacienda', 'hacienda'],
    chip: ['harvest chip', 'jeton de récolte'],
    lake: ['water tile of size {n}', 'tuile d’eau de taille {n}'],
    chain: ['land of {name}, chain of {n}', 'terre de {name}, chaîne de {n}'],
    herd: [
        '{what} of {name}, herd of {n}',
        '{what} de {name}, troupeau de {n}',
    ],
    reached: ['reached by {names}', 'atteint par {names}'],
    unreached: ['reached by nobody', 'atteint par personne'],
    sides: ['{n} sides open', '{n} côtés libres'],

    half1: ['First half', 'Première moitié'],
    half2: ['Second half', 'Seconde moitié'],
    half_tip: [
        'The first animal stack ends the first half, the second the game.\nFace down: {n} animal cards, {aside} set aside.',
        'La première pile d’animaux finit la première moitié, la seconde la partie.\nFace cachée : {n} cartes d’animaux, {aside} de côté.',
    ],
    round: ['Round {n}', 'Tour {n}'],
    dealing: ['Cards are dealt.', 'On distribue les cartes.'],
    actions: ['{n} of 3 actions done', '{n} actions sur 3'],
    bought_hacienda: [
        'A hacienda was bought this turn; one a turn.',
        'Une hacienda a été achetée ce tour ; une par tour.',
    ],
    bought_water: [
        'A water tile was bought this turn; one a turn.',
        'Une tuile d’eau a été achetée ce tour ; une par tour.',
    ],
    harvested: [
        'A chain was harvested this turn; one a turn.',
        'Une chaîne a été récoltée ce tour ; une par tour.',
    ],
    'due.interim': [
        'Interim scoring after this round',
        'Décompte intermédiaire après ce tour',
    ],
    'due.final': ['Last round', 'Dernier tour'],

    your_turn: [
        'Your turn: {n} actions left. Take a card, or something to buy.',
        'À vous : encore {n} actions. Prenez une carte, ou achetez.',
    ],
    end_now: [
        'Three actions done: end your turn, or take back.',
        'Trois actions faites : finissez le tour, ou reprenez.',
    ],
    where: [
        'Choose one of the marked spaces.',
        'Choisissez une des cases marquées.',
    ],
    whose_chip: [
        'The supply is empty: choose whose chip you take.',
        'La réserve est vide : choisissez à qui prendre un jeton.',
    ],
    take_chip: ['take this chip', 'prendre ce jeton'],
    turn_tile: ['Turn it ({n}/{of})', 'Tourner ({n}/{of})'],
    do_it: ['Do it', 'Valider'],
    sure_end: [
        'End your turn? You have {n} actions left.',
        'Finir votre tour ? Il vous reste {n} actions.',
    ],
    pesos: ['pesos', 'pesos'],
    points_now: ['points if scored now', 'points si l’on comptait'],
    part: ['{part} {n}', '{part} {n}'],
    'points.interim': ['interim', 'intermédiaire'],
    'points.markets': ['markets', 'marchés'],
    'points.land': ['land', 'terres'],
    'points.herds': ['herds', 'troupeaux'],
    'points.haciendas': ['haciendas', 'haciendas'],
    'points.water': ['water', 'eau'],
    'points.money': ['money', 'argent'],

    'use.play_land': ['lay land here', 'poser une terre ici'],
    'use.play_animal': ['put the animal here', 'mettre l’animal ici'],
    'use.buy_hacienda': ['build here', 'construire ici'],
    'use.buy_water': ['lay water here', 'poser l’eau ici'],
    'use.harvest': [
        'harvest this chain, the chip lies here',
        'récolter cette chaîne, le jeton va ici',
    ],
    'do.play_land': ['Lay {what}.', 'Poser : {what}.'],
    'do.play_animal': ['Play {what}.', 'Jouer : {what}.'],
    'do.buy_hacienda': [
        'A hacienda for {n} pesos.',
        'Une hacienda pour {n} pesos.',
    ],
    'do.buy_water': ['A {what} for {n} pesos.', 'Eau : {what}, {n} pesos.'],
    'do.harvest': [
        'Harvest a chain: 3 pesos a tile.',
        'Récolter une chaîne : 3 pesos par tuile.',
    ],
    'do.buy_land_supply': [
        'Draw a land card for {n} pesos.',
        'Piocher une carte de terre pour {n} pesos.',
    ],
    'do.buy_animal_supply': [
        'Draw an animal card for {n} pesos.',
        'Piocher une carte d’animal pour {n} pesos.',
    ],
    'do.buy_land_display': [
        'Buy the card {what} for {n} pesos.',
        'Acheter la carte {what} pour {n} pesos.',
    ],
    'do.buy_animal_display': [
        'Buy the card {what} for {n} pesos.',
        'Acheter la carte {what} pour {n} pesos.',
    ],
    'do.end_turn': ['End your turn.', 'Finir votre tour.'],

    hand: ['Your hand', 'Votre main'],
    no_cards: ['No cards.', 'Pas de carte.'],
    known: ['{n} of them everybody has seen', '{n} que tous ont vues'],
    stock: ['Cards to buy', 'Cartes à acheter'],
    pile: ['Pile · {n}', 'Pile · {n}'],
    gap: ['no card', 'pas de carte'],
    could_come: [
        'Cards that could still be in the piles',
        'Cartes qui peuvent encore être dans les piles',
    ],
    unseen: [
        '{n} × {what} could still be in the piles',
        '{n} × {what} peuvent encore être dans les piles',
    ],
    works: ['Build, harvest, end', 'Bâtir, récolter, finir'],
    harvest: ['Harvest', 'Récolte'],
    end_turn: ['End turn', 'Fin du tour'],
    'help.terrain': [
        'Land on an empty {what} space, anywhere.',
        'Terre sur une case libre ({what}), n’importe où.',
    ],
    'help.animal': [
        'On empty pampas next to your land or your herd of {what}. Markets pay.',
        'Sur une pampa libre à côté de vos terres ou de votre troupeau ({what}). Les marchés paient.',
    ],
    'help.pampas': [
        'Land on empty pampas next to your land.',
        'Terre sur une pampa libre à côté de vos terres.',
    ],
    'help.display': [
        'An open card costs {n} pesos; another takes its place.',
        'Une carte visible coûte {n} pesos ; une autre la remplace.',
    ],
    'help.land': [
        'The top land card, for {n} pesos. Below: what could come.',
        'La première carte de terre, pour {n} pesos. Dessous : ce qui peut venir.',
    ],
    'help.animals': [
        'The top animal card, for {n} pesos; {aside} more are set aside. Below: what could come.',
        'La première carte d’animal, pour {n} pesos ; {aside} de côté. Dessous : ce qui peut venir.',
    ],
    'help.hacienda': [
        '{n} pesos, once a turn, on a tile of yours: 1 point for each tile of its chain or herd.',
        '{n} pesos, une fois par tour, sur une tuile à vous : 1 point par tuile de sa chaîne ou de son troupeau.',
    ],
    'help.water': [
        '{n} pesos, once a turn, on empty pampas: 1 point for each own tile next to it.',
        '{n} pesos, une fois par tour, sur une pampa libre : 1 point par tuile à vous voisine.',
    ],
    'help.harvest': [
        'Free, once a turn: 3 pesos for each tile of a chain of yours without a chip; the chip then lies there.',
        'Gratuit, une fois par tour : 3 pesos par tuile d’une chaîne à vous sans jeton ; le jeton y reste.',
    ],

    players: [
        'Money, cards and points of all',
        'Argent, cartes et points de tous',
    ],
    player: ['Player', 'Joueur'],
    land_cards: ['Land', 'Terre'],
    animal_cards: ['Animals', 'Animaux'],
    points_held: ['Points', 'Points'],
    first: ['start player', 'premier joueur'],
    seen: [
        '{n} × {what} in hand that everybody has seen',
        '{n} × {what} en main, vu de tous',
    ],

    'e.spare_terrain': [
        'The board gets one more space of {terrain}.',
        'Le plateau reçoit une case de plus : {terrain}.',
    ],
    'e.terrain': ['{hex} becomes {terrain}.', '{hex} devient : {terrain}.'],
    'e.shuffled': [
        'The discarded land cards are shuffled into a new pile.',
        'Les cartes de terre défaussées, mélangées, font une nouvelle pile.',
    ],
    'e.second_stack': [
        'The second animal stack comes into use.',
        'La seconde pile d’animaux est entamée.',
    ],
    'e.last_stack': [
        'The last animal card is drawn: this round is the last.',
        'La dernière carte d’animal est piochée : ce tour est le dernier.',
    ],
    'e.start_player': ['{name} begins.', '{name} commence.'],
    'e.drew': ['{name} draws {card}.', '{name} pioche : {card}.'],
    'e.drew?': ['{name} draws a card.', '{name} pioche une carte.'],
    'e.turned_up': ['{card} is turned up.', '{card} est retournée.'],
    'e.bought_card': [
        '{name} buys the top card of a pile for {amount}.',
        '{name} achète la première carte d’une pile pour {amount}.',
    ],
    'e.took_card': [
        '{name} buys {card} for {amount}.',
        '{name} achète {card} pour {amount}.',
    ],
    'e.bought_hacienda': [
        '{name} builds a hacienda on {hex} for {amount}.',
        '{name} bâtit une hacienda en {hex} pour {amount}.',
    ],
    'e.bought_water': [
        '{name} lays a {shape} at {hex1} for {amount}.',
        '{name} pose de l’eau ({shape}) en {hex1} pour {amount}.',
    ],
    'e.played': [
        '{name} plays {card} on {hex}.',
        '{name} joue {card} en {hex}.',
    ],
    'e.market_paid': [
        'The market {hex} pays {amount} to {name}.',
        'Le marché {hex} paie {amount} à {name}.',
    ],
    'e.harvested': [
        '{name} harvests on {hex}: {amount} pesos.',
        '{name} récolte en {hex} : {amount} pesos.',
    ],
    'e.turn_ended': [
        '{name} ends the turn, {amount} actions done.',
        '{name} finit son tour, {amount} actions faites.',
    ],
    'e.round_began': ['Round {amount} begins.', 'Le tour {amount} commence.'],
    'e.scored': [
        '{name} scores {amount} for {part}.',
        '{name} marque {amount} : {part}.',
    ],
};
