// fr_refused.js -- ce que le serveur refuse, en français : chaque phrase de
// protocol/errors.def que la page ne dit pas elle-même (fr.js).

export default {
    'The text is not one JSON object.': 'Le texte n’est pas un seul objet JSON.',
    'This is not a JSON-RPC 2.0 request with an id.':
        'Ce n’est pas une requête JSON-RPC 2.0 avec un id.',
    'There is no such method.': 'Cette méthode n’existe pas.',
    'A parameter is missing, unknown or not what it should be.':
        'Un paramètre manque, est inconnu ou n’est pas ce qu’il doit être.',
    'Something went wrong in the server.': 'Quelque chose s’est mal passé dans le serveur.',
    'Name or password is wrong.': 'Le nom ou le mot de passe est faux.',
    'The password is right; a code of the second factor is needed, too.':
        'Le mot de passe est juste ; il faut aussi un code du second facteur.',
    'That code is wrong, or was used already.': 'Ce code est faux ou a déjà servi.',
    'The token is unknown, revoked or expired.': 'Le jeton est inconnu, révoqué ou expiré.',
    'No proxy says who you are.': 'Aucun proxy ne dit qui vous êtes.',
    'You may not do that.': 'Vous n’avez pas le droit de faire cela.',
    'You have no seat at this table.': 'Vous n’avez pas de place à cette table.',
    'This table has no spectators.': 'Cette table n’a pas de spectateurs.',
    'This server takes no new accounts like this.':
        'Ce serveur ne prend pas de nouveaux comptes ainsi.',
    'Registration is by invitation: ask the operator for the code.':
        'On s’inscrit sur invitation : demandez le code à l’opérateur.',
    'You have no say in that vote.': 'Vous n’avez pas voix à ce vote.',
    'The token was not made for that.': 'Le jeton n’a pas été fait pour cela.',
    'You block them, or somebody there.': 'Vous bloquez cette personne, ou quelqu’un à cette table.',
    'You block as many people as one may.': 'Vous bloquez autant de personnes qu’il est permis.',
    'There is no such user.': 'Cette personne n’existe pas.',
    'This server does not know that game.': 'Ce serveur ne connaît pas ce jeu.',
    'The table has no such ply.': 'La table n’a pas ce coup.',
    'The table has no such seat.': 'La table n’a pas cette place.',
    'There is no such token.': 'Ce jeton n’existe pas.',
    'There is no such text.': 'Ce texte n’existe pas.',
    'There is no such link.': 'Ce lien n’existe pas.',
    'You are told nothing there.': 'Rien ne vous est dit là.',
    'No such message was sent.': 'Aucun message de ce genre n’a été envoyé.',
    'There is no such time zone.': 'Ce fuseau horaire n’existe pas.',
    'You are not away then.': 'Vous n’êtes pas absent à ce moment-là.',
    'There is no such vote, or it is over.': 'Ce vote n’existe pas, ou il est terminé.',
    'That name is taken.': 'Ce nom est pris.',
    'This connection is logged in as somebody else.':
        'Cette connexion est celle de quelqu’un d’autre.',
    'This account is permanent already.': 'Ce compte est déjà permanent.',
    'All seats are taken.': 'Toutes les places sont prises.',
    'That seat is taken.': 'Cette place est prise.',
    'You have a seat at this table.': 'Vous avez une place à cette table.',
    'There are as many links to this table as there may be.':
        'Il y a autant de liens vers cette table qu’il est permis.',
    'You are not invited to this table.': 'Vous n’êtes pas invité à cette table.',
    'That user is invited or seated already.': 'Cette personne est déjà invitée ou assise.',
    'The game has started.': 'La partie a commencé.',
    'Too few seats are taken for a start.': 'Trop peu de places sont prises pour commencer.',
    'You have given a nonce already.': 'Vous avez déjà donné un nombre.',
    'The table\'s password is another.': 'Le mot de passe de la table est un autre.',
    'The game cannot be set up like that.': 'La partie ne peut être préparée ainsi.',
    'The table was made by a newer server; it is kept, not played.':
        'La table a été faite par un serveur plus récent ; elle est gardée, pas jouée.',
    'The game was put into an archive; ask whoever runs this server for it.':
        'La partie a été mise aux archives ; demandez-la à l’opérateur du serveur.',
    'The game is not finished.': 'La partie n’est pas terminée.',
    'The record is not true.': 'L’enregistrement n’est pas juste.',
    'The game had not started at that ply.': 'La partie n’avait pas commencé à ce coup.',
    'Nothing behind that ply counts any more.': 'Rien derrière ce coup ne compte plus.',
    'A guest has no password.': 'Un invité n’a pas de mot de passe.',
    'That account is not barred.': 'Ce compte n’est pas exclu.',
    'This link has been used already; ask for another one.':
        'Ce lien a déjà servi ; demandez-en un autre.',
    'This link\'s time is over; ask for another one.': 'Ce lien a expiré ; demandez-en un autre.',
    'This server sends no mail.': 'Ce serveur n’envoie pas de courriel.',
    'There is no address that waits to be confirmed.': 'Aucune adresse n’attend d’être confirmée.',
    'Several accounts have that address; say which one.':
        'Plusieurs comptes ont cette adresse ; dites lequel.',
    'The account has a second factor already.': 'Le compte a déjà un second facteur.',
    'The account has no second factor.': 'Le compte n’a pas de second facteur.',
    'Mail to that address is not stopped.': 'Le courriel à cette adresse n’est pas arrêté.',
    'The server is not about to go down.': 'Le serveur ne va pas s’arrêter.',
    'This table has no pace.': 'Cette table n’a pas de cadence.',
    'That seat is not offered to others.': 'Cette place n’est pas offerte à d’autres.',
    'You have had a seat at this table.': 'Vous avez déjà eu une place à cette table.',
    'Your seat is not gone.': 'Votre place n’est pas perdue.',
    'This server has no bots, or they are not there now.':
        'Ce serveur n’a pas de robots, ou ils ne sont pas là en ce moment.',
    'That account is a bot\'s.': 'Ce compte est celui d’un robot.',
    'This game began where another one was; play on from there again instead.':
        'Cette partie a commencé où une autre en était ; reprenez-la plutôt de là.',
    'Guests play no rated games; choose a name and a password first.':
        'Les invités ne jouent pas de parties classées ; choisissez d’abord un nom et un mot de passe.',
    'You are away then already.': 'Vous êtes déjà absent à ce moment-là.',
    'Another vote is open.': 'Un autre vote est en cours.',
    'That cannot be voted on now.': 'On ne peut pas voter là-dessus maintenant.',
    'The server is doing that already.': 'Le serveur le fait déjà.',
    'Too many requests; wait a little.': 'Trop de demandes ; attendez un peu.',
    'Too many requests wait already.': 'Trop de demandes attendent déjà.',
    'You sit at as many tables as one may.': 'Vous êtes à autant de tables qu’il est permis.',
    'You play against bots at as many tables as one may.':
        'Vous jouez contre des robots à autant de tables qu’il est permis.',
    'The connection watches as many tables as one may.':
        'La connexion regarde autant de tables qu’il est permis.',
    'The table has as many watchers as one may.':
        'La table a autant de spectateurs qu’il est permis.',
    'The account has as many tokens as one may.': 'Le compte a autant de jetons qu’il est permis.',
    'As many users are invited as one may.': 'Autant de personnes sont invitées qu’il est permis.',
    'You have taken back as much as one may in one game.':
        'Vous avez repris autant de coups qu’il est permis dans une partie.',
    'They cannot be given so much, or no more.':
        'On ne peut pas lui en donner autant, ou plus du tout.',
    'You keep studies of as many tables as one may.':
        'Vous gardez des études d’autant de tables qu’il est permis.',
    'You have come back to this table as often as one may.':
        'Vous êtes revenu à cette table aussi souvent qu’on le peut.',
    'Too many people have come and gone at this table.':
        'Trop de gens sont venus et partis à cette table.',
    'Too many accounts come from this address.': 'Trop de comptes viennent de cette adresse.',
    'You are told things in as many places as one may.':
        'On vous prévient en autant d’endroits qu’il est permis.',
    'You hear nothing of as many tables as one may.':
        'Vous n’entendez rien d’autant de tables qu’il est permis.',
    'As many absences are planned as one may.': 'On a prévu autant d’absences qu’on le peut.',
    'There are not so many days of absence left in that year.':
        'Il ne reste pas autant de jours d’absence cette année-là.',
    'Hours can be changed once in seven days.': 'Les heures se changent une fois par semaine.',
    'You have opened as many votes as one may in one game.':
        'Vous avez ouvert autant de votes qu’on le peut dans une partie.',
    'Your last vote came to nothing; the game has to go on first, or seven days to pass.':
        'Votre dernier vote n’a pas abouti ; il faut d’abord que la partie avance, ou que sept jours passent.',
    'The rules do not allow that move.': 'Les règles ne permettent pas ce coup.',
    'In this game nobody passes for a round.': 'Dans ce jeu, personne ne passe pour une manche.',
    'It is your turn: just play.': 'C’est à vous : jouez, tout simplement.',
    'Something has happened at the table since; look at it again.':
        'Il s’est passé quelque chose à la table depuis ; regardez-la à nouveau.',
    'The move answers a question that is no longer asked.':
        'Ce coup répond à une question qui n’est plus posée.',
    'The game has not started.': 'La partie n’a pas commencé.',
    'That cannot be taken back.': 'Cela ne peut être repris.',
    'The server cannot store anything now; send the same again later.':
        'Le serveur ne peut rien enregistrer pour le moment ; renvoyez la même chose plus tard.',
    'Others were faster each time; send the same again.':
        'D’autres ont été plus rapides chaque fois ; renvoyez la même chose.',
    'The server could not do that.': 'Le serveur n’a pas pu faire cela.',
    'The server is read only for now: one can look, but not play.':
        'Le serveur est en lecture seule pour le moment : on peut regarder, mais pas jouer.',
    'The server is going down; send the same again later.':
        'Le serveur s’arrête ; renvoyez la même chose plus tard.',
};
