// kit.js -- what the panels of the games share: tips, seats' marks, changes of
// a number, and how a move is tried and played.

import {h, svg} from '../dom.js';

/** @typedef {import('../types.js').Table} Table */
/** @typedef {import('../types.js').View} View */
/** @typedef {import('../types.js').Move} Move */
/** @typedef {import('../types.js').Legal} Legal */

/** What the parts say that they share, in English and in French. */
const WORDS = {
    'zoom.in': ['Closer', 'Plus près'],
    'zoom.out': ['Further away', 'Plus loin'],
    'zoom.whole': ['The whole board', 'Tout le plateau'],
    'zoom.width': ['As wide as there is room', 'Aussi large que possible'],
    'kit.cancel': ['Cancel', 'Annuler'],
    'kit.final': [
        'This cannot be taken back.',
        'On ne peut pas le reprendre.',
    ],
    'kit.turn': ['{name} is at it.', 'C’est à {name}.'],
    'kit.watch': ['You are looking on.', 'Vous regardez.'],
    'kit.replay': ['A position from the past.', 'Une position passée.'],
    'kit.over': ['The game is over.', 'La partie est finie.'],
    'e.ended': ['The game is over.', 'La partie est finie.'],
    'kit.busy': ['Your move is on its way …', 'Votre coup est en route …'],
};

/**
 * A panel's words by language: its own and those that all share.
 * @param {{[key: string]: string[]}} own Of each key, the sentence in English
 *     and in French.
 */
export function languages(own) {
    const all = Object.entries({...WORDS, ...own});
    const [en, fr] = [0, 1].map((n) => Object.fromEntries(
        all.map(([key, sentences]) => [key, sentences[n]])));
    return {en, fr};
}

/** Outlines around 0, 0 by which seats are told without colour. */
const MARKS = [
    'M0-7A7 7 0 1 1-.01-7Z', 'M-6.5-6.5H6.5V6.5H-6.5Z', 'M0-9L9 0L0 9L-9 0Z',
    'M-7 7V0A7 7 0 0 1 7 0V7Z', 'M-7-7H0A7 7 0 1 1-7 0Z', 'M0-8L8 7H-8Z',
];

/**
 * The mark of a seat, as the outline of a path in 20 by 20 around 0, 0.
 * @param {number} seat
 */
export const mark = (seat) => MARKS[seat % MARKS.length];

/**
 * The mark of a seat in a line of text.
 * @param {number} seat
 */
export const badge = (seat) =>
    svg('svg', {class: `badge own-${seat}`, viewBox: '-10 -10 20 20',
                'aria-hidden': 'true'}, svg('path', {d: mark(seat)}));

/**
 * The members that give an element a help text, told on hovering, on focus and
 * on a long touch; see tips().
 * @param {string} text
 */
export const tip = (text) => ({'data-tip': text});

/**
 * Shows the tips of all that is in ROOT.
 * @param {HTMLElement} root
 * @returns {() => void} Ends it.
 */
export function tips(root) {
    const box = h('div', {class: 'tip', role: 'tooltip', hidden: true});
    let timer = 0;
    /** @type {Element | null} */
    let on = null;
    /** What was clicked tells no more, not even drawn anew under the pointer. */
    let clicked = '';
    const hide = () => {
        clearTimeout(timer);
        on?.removeAttribute('aria-describedby');
        on = null;
        box.hidden = true;
    };
    const show = (/** @type {Element} */ of) => {
        hide();
        on = of;
        box.id = 'tip';
        of.setAttribute('aria-describedby', 'tip');
        box.textContent = of.getAttribute('data-tip');
        box.hidden = false;
        const at = of.getBoundingClientRect();
        const own = box.getBoundingClientRect();
        const left = at.x + at.width / 2 - own.width / 2;
        const top = at.y - own.height - 8;
        box.style.left = `${Math.max(
            8, Math.min(left, innerWidth - own.width - 8))}px`;
        box.style.top = `${top >= 8 ? top : at.bottom + 8}px`;
    };
    const told = (/** @type {Event} */ event) =>
        /** @type {Element} */ (event.target).closest?.('[data-tip]');
    /** @type {[string, (event: any) => void][]} */
    const listen = [
        ['pointerover', (event) => {
            const of = told(event);
            if (of && of.getAttribute('data-tip') !== clicked)
                clicked = '';
            if (!of || event.pointerType === 'touch')
                return of ? undefined : hide();
            clearTimeout(timer);
            if (clicked)
                return;
            timer = window.setTimeout(show, 350, of);
        }],
        ['pointerdown', (event) => {
            hide();
            const of = told(event);
            clicked = of?.getAttribute('data-tip') ?? '';
            if (of && event.pointerType === 'touch')
                timer = window.setTimeout(
                    show, of.closest('button, [role=button]') ? 500 : 0, of);
        }],
        ['pointerup', () => clearTimeout(timer)],
        ['pointerleave', hide],
        ['focusin', (event) => {
            const of = told(event);
            if (of && !clicked && event.target.matches(':focus-visible'))
                show(of);
        }],
        ['focusout', hide],
        ['keydown', (event) => {
            clicked = '';
            if (event.key === 'Escape')
                hide();
        }],
    ];
    for (const [name, does] of listen)
        root.addEventListener(name, does);
    const away = (/** @type {Event} */ event) => {
        if (!root.contains(/** @type {Node} */ (event.target)))
            hide();
    };
    document.addEventListener('pointerdown', away);
    addEventListener('scroll', hide, true);
    (root.closest('main') ?? document.body).append(box);
    return () => {
        hide();
        box.remove();
        document.removeEventListener('pointerdown', away);
        removeEventListener('scroll', hide, true);
    };
}

/**
 * A number that changes: 20 → 26.
 * @param {number} before
 * @param {number} after
 * @param {string} [of] What it is a number of.
 */
export function change(before, after, of = '') {
    const way = after > before ? ' up' : after < before ? ' down' : '';
    return h('span', {class: `change${way}`},
        before === after ? `${after}` : `${before} → ${after}`,
        of && ` ${of}`);
}

/**
 * Remembers what moves would bring, as long as the view is the same.
 * @param {Table} table
 */
export function previews(table) {
    /** @type {Map<string, Promise<View | null>>} */
    let known = new Map();
    return {
        forget() {
            known = new Map();
        },
        /** @param {Move} move */
        of(move) {
            const text = JSON.stringify(move);
            let view = known.get(text);
            if (!view) {
                view = table.preview([move]).catch(() => null);
                known.set(text, view);
            }
            return view;
        },
    };
}

/**
 * A word of the wire for people: a sentence of the panel, or what the rules say
 * of it where that is about an event or an effect.
 * @param {Table} table
 * @param {string} word
 */
function inWords(table, word) {
    const text = table.t(word);
    return text === word && table.rules.glossary.some(({words}) =>
        words.some(({name}) => name === word)) ? table.help(word) : text;
}

/**
 * The describe() of these games: an event of kind K is told by the sentence
 * `e.K`, or by `e.K?` if something that the first one says is hidden or was
 * not; null where there is none.
 * @param {import('../types.js').Event} event
 * @param {Table} table
 * @param {(word: string) => string} [say] A word that is no sentence's key.
 * @returns {string | null}
 */
export function tell(event, table, say = (word) => inWords(table, word)) {
    const {kind, seat, thousands = 0, millions = 0} = event;
    const names = table.names();
    /** @type {{[name: string]: any}} */
    const args = {name: names[seat ?? -1] ?? ''};
    const of = table.rules.events.find(({name}) => name === kind);
    for (const {name, kind: what, form} of of?.arguments ?? []) {
        const value = event[name];
        if (value !== null && value !== undefined)
            args[name] = form === 'seat' ? names[value]
                : what === 'part' ? table.t(`points.${value}`)
                    : form === 'word' || form === 'flag' ? say(`${value}`)
                        : value;
    }
    if (args.amount !== undefined)
        args.amount += 1000 * thousands + 1000000 * millions;
    for (const key of [`e.${kind}`, `e.${kind}?`]) {
        const text = table.t(key, args);
        if (text !== key && !/\{\w+\}/.test(text))
            return text[0].toUpperCase() + text.slice(1);
    }
    return null;
}

/**
 * Plays a move.  What is wrong has been shown by the frame.
 * @param {Table} table
 * @param {Move} move
 * @param {string} [ask] If given, it is asked before what cannot be taken back.
 */
export async function play(table, move, ask) {
    if (ask !== undefined && !await table.confirm(ask, table.finalOf(move)))
        return;
    await table.send(move).catch(() => {});
}

/**
 * A sentence for whoever cannot do anything now.
 * @param {Table} table
 * @param {View} view
 * @param {boolean} busy
 */
export function waiting(table, view, busy) {
    if (view.state !== 'playing')
        return table.t('kit.over');
    if (busy)
        return table.t('kit.busy');
    if (table.mode === 'replay')
        return table.t('kit.replay');
    const names = table.names().filter((_, seat) => view.seats[seat].acting);
    return [table.t('kit.turn', {name: names.join(', ')}),
            table.you === null ? table.t('kit.watch') : ''].join(' ').trim();
}

/**
 * An amount that is free within bounds, and the button that plays it.
 * @param {import('../types.js').Range} range
 * @param {string} name What it is an amount of.
 * @param {string} text What the button says.
 * @param {(move: Move) => void} does
 * @param {(move: Move) => void} [look] Called when another amount is there.
 */
export function amount(range, name, text, does, look) {
    const {arg, min, max} = range;
    /** @returns {Move} */
    const move = () => ({...range.move, [arg]: Math.min(
        max, Math.max(min, Math.trunc(Number(input.value) || 0)))});
    const changed = () => {
        button.setAttribute('data-move', JSON.stringify(move()));
        look?.(move());
    };
    const input = h('input', {
        type: 'number', 'aria-label': name, 'data-range': arg, min, max,
        'data-key': `amount-${JSON.stringify(range.move)}`,
        inputmode: 'numeric', value: min, oninput: changed});
    const button = h('button', {type: 'button',
                                onclick: () => does(move())}, text);
    changed();
    return h('span', {class: 'amount'}, h('label', null, name, ' ', input),
        h('small', null, `${min}–${max}`), button);
}
