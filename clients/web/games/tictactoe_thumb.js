// tictactoe_thumb.js -- tic-tac-toe as a small picture.

import {svg} from '../dom.js';
import {drawing} from './thumb.js';

/** @param {any} state */
const picture = ({cells}) => drawing([0, 0, 100, 100], ['#fffdf9', '#221e1a'],
    svg('path', {d: 'M38 14V86M62 14V86M14 38H86M14 62H86', fill: 'none',
        stroke: 'var(--strong)', 'stroke-width': 3, 'stroke-linecap': 'round'}),
    cells.map((/** @type {number | null} */ owner, /** @type {number} */ n) => {
        const [x, y] = [26 + n % 3 * 24, 26 + Math.floor(n / 3) * 24];
        return owner !== null && svg('path', {class: `seat-${owner}`, fill: 'none',
            stroke: 'currentColor', 'stroke-width': 4, 'stroke-linecap': 'round',
            d: owner === 0 ? `M${x - 6} ${y - 6}l12 12M${x + 6} ${y - 6}l-12 12`
                : `M${x - 7} ${y}a7 7 0 1 0 14 0a7 7 0 1 0-14 0`});
    }));

/** @type {import('../types.js').Thumb} */
export default {
    picture,
    sample: {cells: [0, null, 1, null, 1, null, 0, null, 0]},
    about: ['Three in a row. Good to try the place out.',
        'Trois à la suite. Pour essayer l’endroit.'],
    minutes: [1, 1],
    weight: 1,
};
