// hacienda_thumb.js -- a small picture of a board, for making a table.

import {h, svg} from '../dom.js';
import {hexBoard, outline} from './hacienda_hexes.js';

/** @param {any} state @returns {Node} */
export function thumbnail({columns, rows, ground}) {
    const {hexes, width, height} = hexBoard(columns, rows);
    return h('div', {class: 'hacienda'},
        svg('svg', {viewBox: `0 0 ${width} ${height}`, role: 'img',
                    'aria-label': `${columns} × ${rows}`},
            hexes.map(({x, y}, n) => ground[n] !== 'void' && svg('path', {
                class: `ground g-${ground[n]}`, d: outline(),
                transform: `translate(${x.toFixed(1)} ${y})`,
            }))));
}
