// guide_point.js -- where on the page somebody gets from here to a move: the one
// thing to click next.  Panels are not asked: what plays a move says so
// (`data-move`), and so does what only leads on to it (`data-step`); README.md.

import {words} from './core.js';

/** @typedef {import('./types.js').Move} Move */

/** A move in words; to pay nothing is not to pay. @param {Move} move */
const said = (move) => words(move).replace(/ pay=0$/, '');

/** @param {Element} element */
const seen = (element) => element.getClientRects().length > 0;

/** What can be clicked there now. @param {Element} root @param {string} selector
 * @returns {Element[]} */
const all = (root, selector) => [...root.querySelectorAll(selector)].filter((one) =>
    !(/** @type {any} */ (one).disabled) &&
    one.getAttribute('aria-disabled') !== 'true');

/** What plays MOVE, where that is open: rather a button than a place on a board,
 * which a finger only looks at. @param {Element} root @param {Move} move */
function plays(root, move) {
    const exact = all(root, '[data-move]').filter((one) =>
        said(JSON.parse(one.getAttribute('data-move') ?? '{}')) === said(move));
    return exact.find((one) => one.matches('.main') && seen(one))
        ?? exact.find(seen) ?? exact[0];
}

/** For which move an amount was put into an input: once, then it is theirs who play.
 * @type {WeakMap<Element, Move>} */
const advised = new WeakMap();

/** What has an amount be chosen that MOVE has otherwise: it is put there, unless
 * somebody is typing one. @param {Element} root @param {Move} move */
function amounts(root, move) {
    for (const input of /** @type {HTMLInputElement[]} */ (
        all(root, 'input[data-range]'))) {
        const arg = input.dataset.range ?? '';
        const button = input.closest('.amount, form')
            ?.querySelector('[data-move]');
        const other = JSON.parse(button?.getAttribute('data-move') ?? '{}');
        if (button && said({...other, [arg]: move[arg]}) === said(move)) {
            if (advised.get(input) !== move && input !== document.activeElement) {
                input.value = String(move[arg]);
                input.dispatchEvent(new Event('input', {bubbles: true}));
            }
            advised.set(input, move);
            return button;
        }
    }
    return null;
}

/** What leads on to MOVE: another of several ways, a place, what is taken in hand.
 * @param {Element} root @param {Move} move */
function leads(root, move) {
    const {verb, ...args} = move;
    const places = Object.values(args).filter((one) => typeof one === 'string');
    const near = all(root, '[data-move]').some((one) => {
        const other = JSON.parse(one.getAttribute('data-move') ?? '{}');
        return other.verb === verb && (places.length === 0 ||
            Object.values(other).slice(2).some((one) => places.includes(one)));
    });
    const step = (/** @type {string} */ of) =>
        all(root, `[data-step="${CSS.escape(of)}"]`)[0];
    return near && all(root, '[data-turns]').find(seen)
        || places.map((place) => step(`${place}`)).find(Boolean)
        || places.map((what) => step(`${verb}:${what}`)).find(Boolean)
        || step(verb);
}

/** What opens that in which TO is hidden, on a phone. @param {Element} root
 * @param {Element} to */
function opens(root, to) {
    const part = to.closest('.sheet > .part');
    const sheet = part?.parentElement;
    if (part && sheet?.closest('.table[data-tab="board"]')) {
        const shown = [...sheet.querySelectorAll(':scope > .part:not([hidden])')];
        return sheet.querySelectorAll('.sheet-tabs > button')[
            shown.indexOf(part)];
    }
    return root.querySelector('.table-tabs > button');
}

/** The one thing to click next, towards MOVE; null while there is none.
 * @param {HTMLElement} root The table. @param {Move} move
 * @returns {Element | null} */
export function next(root, move) {
    const sure = document.querySelector('dialog[open] .main');
    if (sure)
        return sure;
    const found = plays(root, move) ?? amounts(root, move) ?? leads(root, move);
    return !found ? null : seen(found) ? found : opens(root, found) ?? null;
}

/** Whether somebody sees it, and can click it: it is in the window, and nothing lies
 * on it. @param {Element} element */
function open(element) {
    const {x, y, width, height} = element.getBoundingClientRect();
    const top = document.elementFromPoint(x + width / 2, y + height / 2);
    return top !== null && element.contains(top);
}

/* Where in the room that is left between what is said and what one holds something
 * is to be seen: in the middle, if nothing lies there. */
const SHARES = [.5, .25, .1, .75, .9];

/** Has it seen, if it is not. @param {Element} element
 * @param {Element} above What is said. @param {Element | null} below The sheet of a
 * phone. */
export function reveal(element, above, below) {
    if (open(element) || element.closest('dialog'))
        return;
    element.scrollIntoView({block: 'center', inline: 'center'});
    for (const share of SHARES) {
        if (open(element))
            return;
        const from = above.getBoundingClientRect().bottom;
        const rest = below?.getBoundingClientRect();
        const to = rest && rest.width > innerWidth * .9 ? rest.top : innerHeight;
        const {y, height} = element.getBoundingClientRect();
        scrollBy(0, y + height / 2 - (from + share * (to - from)));
    }
}

/** Parts of a table, by what the core calls them.
 * @type {{[part: string]: string}} */
const PARTS = {board: '.left > .panel', hand: '.rail > .panel', players: '.heads'};

/** @param {HTMLElement} root @param {string} part */
export const partOf = (root, part) => root.querySelector(PARTS[part] ?? '');

/**
 * A ring around what is pointed to, which stays there whatever moves.  What it does
 * itself it can tell from what happens to the page.
 * @returns {{around: (to: Element | null) => void,
 *     own: (record: MutationRecord) => boolean, end: () => void}}
 */
export function ring() {
    const node = document.createElement('div');
    node.className = 'guide-ring';
    node.hidden = true;
    /** @type {Element | null} */
    let at = null;
    const place = () => {
        const box = at?.isConnected && seen(at) ? at.getBoundingClientRect()
            : null;
        if (node.hidden === Boolean(box))
            node.hidden = !box;
        if (!box)
            return;
        Object.assign(node.style, {left: `${box.x}px`, top: `${box.y}px`,
            width: `${box.width}px`, height: `${box.height}px`});
    };
    const timer = setInterval(place, 250); // a board is zoomed, a sheet raised
    addEventListener('scroll', place, true);
    addEventListener('resize', place);
    return {
        around(to) {
            at = to;
            // A dialog lies above all else: the ring goes into it.
            const into = to?.closest('dialog') ?? document.body;
            if (node.parentElement !== into)
                into.append(node);
            place();
        },
        own: ({target, addedNodes, removedNodes}) => target === node ||
            [...addedNodes, ...removedNodes].every((one) => one === node)
                && addedNodes.length + removedNodes.length > 0,
        end() {
            clearInterval(timer);
            removeEventListener('scroll', place, true);
            removeEventListener('resize', place);
            node.remove();
        },
    };
}
