// hadara_art.js -- what is drawn of Hadara: signs of its numbers, and coins.

import {h, svg} from '../dom.js';

/** @typedef {import('../dom.js').Child} Child */

/** Outlines in 20 by 20 around 0, 0. */
const SIGNS = /** @type {{[name: string]: string}} */ ({
    coins: 'M0-8.5A8.5 8.5 0 1 1-.01-8.5ZM-2-4.5V4.5H2V-4.5Z',
    income: 'M-8.5 8.5V3.6H8.5V8.5ZM-6 2.4V-2.4H6V2.4ZM-3.5-3.6V-8.5H3.5V-3.6Z',
    military: 'M0-9.5L8-6.5V0Q7 6.5 0 9.5Q-7 6.5-8 0V-6.5Z',
    culture: 'M-9.5-4L0-9.5L9.5-4V-2.4H-9.5ZM-7.5-1.2H-4.6V5.6H-7.5ZM-1.5-1.2H1.5V5.6H-1.5ZM4.6-1.2H7.5V5.6H4.6ZM-9.5 6.8H9.5V9.2H-9.5Z',
    food: 'M-1.1 9.5V4.6Q-6.8 4.4-7 -1.4Q-2.6-1.2-1.1 1.6V-1.6Q-5.4-4.4-3.4-9.5Q-.4-8.2 0-5Q.4-8.2 3.4-9.5Q5.4-4.4 1.1-1.6V1.6Q2.6-1.2 7-1.4Q6.8 4.4 1.1 4.6V9.5Z',
    points: 'M0-9.5L2.8-3.4L9.3-2.7L4.4 1.7L5.8 8.2L0 4.9L-5.8 8.2L-4.4 1.7L-9.3-2.7L-2.8-3.4Z',
    value: 'M-5.5-9H5.5V-7.4H9Q9-1 4.4-.2Q3 2.4 1.2 2.9V5.6H4.4V8.6H-4.4V5.6H-1.2V2.9Q-3 2.4-4.4-.2Q-9-1-9-7.4H-5.5ZM5.5-5.6Q5.5-3.4 5.2-2.2Q7-3.2 7.2-5.6ZM-5.5-5.6Q-5.5-3.4-5.2-2.2Q-7-3.2-7.2-5.6Z',
    effect: 'M0-9.5L1.9-1.9L9.5 0L1.9 1.9L0 9.5L-1.9 1.9L-9.5 0L-1.9-1.9Z',
});

/** The sign that stands with a colour of cards. */
export const SIGN_OF = /** @type {{[color: string]: string}} */ ({
    yellow: 'income', red: 'military', blue: 'culture', green: 'food',
    purple: 'effect',
});

/** @param {string} name */
export const outline = (name) => SIGNS[name];

/** @param {string} name */
export const sign = (name) =>
    svg('svg', {class: `sign i-${name}`, viewBox: '-10 -10 20 20',
                'aria-hidden': 'true'},
        svg('path', {d: SIGNS[name], 'fill-rule': 'evenodd'}));

/** A coin with what is to be paid; OLD is struck out beside it.
 * @param {number} n @param {number} [old] */
export const coin = (n, old = n) => h('span', {class: 'price'},
    h('span', {class: 'coin'}, `${n}`), old !== n && h('s', null, `${old}`));
