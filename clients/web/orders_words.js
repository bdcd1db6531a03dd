// orders_words.js -- what orders.js says, in French; in English it is the key.

/** @type {{[lang: string]: {[key: string]: string}}} */
export default {
    en: {},
    fr: {
        'Narrow it down': 'Filtrer',
        'What is played': 'Ce qui est joué',
        'How much': 'Combien',
        'Play ahead': 'Jouer d’avance',
        'As soon as you are asked: {what}': 'Dès que c’est à vous : {what}',
        'As soon as you are asked you pass, until this round is over.': 'Dès que c’est à vous, vous passez, jusqu’à la fin de cette manche.',
        'Do not play it': 'Ne pas le jouer',
        'Fine': 'Bien',
        'You have passed, as you wanted.': 'Vous avez passé, comme prévu.',
        'Played for you: {what}': 'Joué pour vous : {what}',
        'What you ordered was not played: something else came first.': 'Ce que vous aviez prévu n’a pas été joué : autre chose est arrivé avant.',
        'You do not pass by yourself any more.': 'Vous ne passez plus d’avance.',
        'One moment …': 'Un instant …',
        'What you might be able to play then. If you cannot, or something new is shown before, it is dropped and you are asked as ever.': 'Ce que vous pourrez peut-être jouer alors. Si ce n’est pas possible, ou si quelque chose de nouveau se montre avant, c’est oublié, et c’est à vous comme d’habitude.',
        'Nothing can be prepared from here.': 'D’ici, rien ne peut être préparé.',
        'Choose what is to be played.': 'Choisissez ce qui doit être joué.',
        'As soon as you are asked, the table plays this for you. Nobody sees it before. But you answer at once then, and everybody sees that.': 'Dès que c’est à vous, la table le joue pour vous. Personne ne le voit avant. Mais vous répondez alors aussitôt, et tout le monde le voit.',
        'Pass until this round is over': 'Passer jusqu’à la fin de cette manche',
        'One answer, once': 'Une seule réponse, une fois',
        'Have it played': 'Le faire jouer',
    },
};
