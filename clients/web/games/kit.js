// kit.js -- what the panels of the games share: tips, seats' marks, changes of
// a number, and how a move is tried and played.

import {fill, h, svg} from '../dom.js';

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
    'kit.unseen': ['What comes is not known yet.', 'La suite n’est pas encore connue.'],
    'kit.final': [
        'This cannot be taken back.',
        'On ne peut pas le reprendre.',
    ],
    'kit.turn': ['{name} is at it.', 'C’est à {name}.'],
    'kit.watch': ['You are looking on.', 'Vous regardez.'],
    'kit.replay': ['A position from the past.', 'Une position passée.'],
    'kit.over': ['The game is over.', 'La partie est finie.'],
    'kit.busy': ['Your move is on its way …', 'Votre coup est en route …'],
};

/**
 * A panel's words by language: its own in English, and those that all share.
 * @param {{[key: string]: string}} own
 */
export function languages(own) {
    const [en, fr] = [0, 1].map((n) => Object.fromEntries(
        Object.entries(WORDS).map(([key, sentences]) => [key, sentences[n]])));
    return {en: {...en, ...own}, fr};
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
 * Shows the tips of all that is in ROOT, and why something in it cannot be done
 * (`data-why`); that also on a click.
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
    const text = (/** @type {Element} */ of, loud = false) =>
        [of.getAttribute('data-why'), of.getAttribute('data-tip')]
            .filter(Boolean).slice(0, loud ? 1 : 2).join('\n');
    const show = (/** @type {Element} */ of, loud = false) => {
        hide();
        on = of;
        box.setAttribute('role', loud ? 'status' : 'tooltip');
        box.id = 'tip';
        of.setAttribute('aria-describedby', 'tip');
        box.textContent = text(of, loud);
        box.classList.toggle('why', of.hasAttribute('data-why'));
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
        /** @type {Element} */ (event.target).closest?.('[data-tip], [data-why]');
    /** @type {[string, (event: any) => void][]} */
    const listen = [
        ['pointerover', (event) => {
            const of = told(event);
            if (of && text(of) !== clicked)
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
            clicked = of && !of.hasAttribute('data-why') ? text(of) ?? '' : '';
            if (of && event.pointerType === 'touch')
                timer = window.setTimeout(
                    show, of.closest('button, [role=button]') ? 500 : 0, of);
        }],
        ['click', (event) => {
            const of = told(event);
            if (!of?.hasAttribute('data-why'))
                return;
            show(of, true);
            timer = window.setTimeout(hide, 4000);
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
 * What a move makes of the mover's figures, as the core counts them for every face:
 * those that change, or that it is not known yet; null where there is no core to ask.
 * @param {Table} table
 * @param {Move} move
 * @param {{[figure: string]: string}} units Which, and what each is a number of.
 */
export function brought(table, move, units) {
    const found = table.brings(move);
    return found && [...Object.entries(units)
        .filter(([name]) => found[name][0] !== found[name][1])
        .map(([name, of]) => change(found[name][0], found[name][1], of)),
    found.unseen && h('span', {class: 'muted'}, table.t('kit.unseen'))];
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
 * `e.K`, or by `e.K?` and `e.K??` if something that the one before says is
 * hidden or was not, or what says `{n+}` is none; null where there is none.
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
    const known = (/** @type {string} */ key) =>
        table.t(key) === key ? undefined : table.t(key);
    for (const {name, kind: what, form} of of?.arguments ?? []) {
        const value = event[name];
        if (value !== null && value !== undefined)
            args[name] = form === 'seat' ? names[value]
                : known(`w.${what}.${value}`) ?? (
                    what === 'part' ? table.t(`points.${value}`)
                        : form === 'word' || form === 'flag' ? say(`${value}`)
                            : value);
    }
    if (args.amount !== undefined)
        args.amount += 1000 * thousands + 1000000 * millions;
    for (const [name, value] of Object.entries(args))
        if (value > 0)
            args[`${name}+`] = value;
    for (const key of ['', '?', '??'].map((less) => `e.${kind}${less}`)) {
        const text = table.t(key, args);
        if (text !== key && !/\{\w+\+?\}/.test(text))
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
 * Why a move cannot be made, in a sentence: the panel's own with figures, if it
 * has `not.RULE`, or else what the rules say.
 * @param {Table} table
 * @param {Move} move
 * @param {{[name: string]: any}} [figures]
 */
export function whyNot(table, move, figures = {}) {
    const why = table.whyNot(move);
    if (!why)
        return '';
    const key = `not.${why.rule}`;
    const own = table.t(key, figures);
    return own === key || /\{\w+\}/.test(own) ? why.text : own;
}

/**
 * A button for what cannot be done, which says why on hovering, on focus and on a
 * click (see tips()); null if it can be done, or nobody knows why not.
 * @param {Table} table
 * @param {Move} move
 * @param {string} text
 * @param {{[name: string]: any}} [figures]
 */
export function locked(table, move, text, figures) {
    const why = whyNot(table, move, figures);
    return why && h('button', {type: 'button', class: 'locked',
        'aria-disabled': 'true', 'data-why': why,
        'data-key': `why-${JSON.stringify(move)}`}, text);
}

const LINES = 34; // of a window in which there is room for a board and a sheet

/**
 * What one holds and can take, in parts: one below the other, but on a phone one
 * at a time, in the frame's sheet, where the button of the part that shows lowers it.
 * A part without a name is not there.
 * @param {{key: string, name: () => string, node: HTMLElement}[]} parts
 * @param {boolean} [low] Whether it is down until one wants it.
 */
export function sheet(parts, low = false) {
    let on = parts[0].key;
    // In very large text it would leave nothing of the board to be seen.
    low ||= innerHeight < LINES * parseFloat(
        getComputedStyle(document.documentElement).fontSize);
    const tabs = parts.map(({key}) => h('button', {type: 'button',
        'data-key': `sheet-${key}`, onclick: () => {
            low = on === key && !low;
            on = key;
            show();
        }}));
    const bar = h('div', {class: 'sheet-tabs'});
    const node = h('div', {class: 'sheet'}, bar, parts.map((part) => part.node));
    function show() {
        const there = parts.filter(({name}) => name());
        if (!there.some(({key}) => key === on))
            on = there[0]?.key ?? '';
        node.classList.toggle('low', low || there.length === 0);
        parts.forEach(({key, name, node: part}, n) => {
            part.hidden = !name();
            tabs[n].textContent = name();
            tabs[n].setAttribute('aria-expanded', String(key === on && !low));
            part.classList.add('part');
            part.classList.toggle('on', key === on);
        });
        fill(bar, tabs.filter((tab) => tab.textContent));
    }
    return {
        node, show,
        /** Has that part seen. @param {string} key */
        turn(key) {
            on = key;
            low = false;
            show();
        },
    };
}

/* How a piece comes to its place. */
const LIFTS = 120, TRAVELS = 240, LANDS = 90, NEXT = 350, ALL = 2000;
/** @type {Animation[]} */
let moving = [];

/**
 * Has a piece that has just been drawn travel to where it is from who played
 * it.  Several go one after the other; a touch ends it; nothing moves for who
 * wants less motion.
 * @param {Element} piece
 * @param {number | null} seat
 */
export function arrive(piece, seat) {
    const from = document.querySelector(`.heads > .own-${seat} .shield`);
    const parent = /** @type {SVGGraphicsElement} */ (piece.parentNode);
    const away = parent instanceof SVGElement
        ? parent.getScreenCTM()?.inverse() : new DOMMatrix();
    if (document.documentElement.hasAttribute('data-still') || !away
        || matchMedia('(prefers-reduced-motion: reduce)').matches)
        return;
    const middle = (/** @type {Element} */ of) => {
        const {x, y, width, height} = of.getBoundingClientRect();
        return new DOMPoint(x + width / 2, y + height / 2)
            .matrixTransform(away);
    };
    const [here, there] = [middle(piece), middle(from ?? piece)];
    const at = `${there.x - here.x}px ${there.y - here.y}px`;
    const whole = LIFTS + TRAVELS + LANDS;
    moving = moving.filter(({playState}) => playState === 'running');
    if (moving.length === 0)
        addEventListener('pointerdown', () => moving.forEach((one) =>
            one.finish()), {once: true});
    moving.push(piece.animate([
        {translate: at, opacity: 0},
        {translate: at, opacity: 1, offset: LIFTS / whole},
        {translate: '0 -4px', offset: 1 - LANDS / whole, easing: 'ease-out'},
        {translate: '0 0'},
    ], {duration: whole, fill: 'backwards',
        delay: Math.min(moving.length * NEXT, ALL - whole)}));
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
