// hacienda_thumb.js -- Hacienda as a small picture: grounds, and who has what.

import {disc, drawing, more, painted} from './thumb.js';

/** @type {{[name: string]: [string, string]}} */
const COLOURS = {
    pampas: ['#f2e8c4', '#574e3a'], meadow: ['#c5dc7e', '#5f7434'],
    forest: ['#86b57a', '#2f5a3a'], swamp: ['#a2c2b4', '#375c58'],
    rocks: ['#d2c6b9', '#5f5851'], mountain: ['#c19e84', '#74563f'],
    market: ['#f5b642', '#a87a22'], water: ['#78b5da', '#24587c'],
    random: ['#e0d5c0', '#4a4234'], white: ['#fcf6e4', '#14100b'],
};
const RADIUS = 20;
const HALF = RADIUS * Math.sqrt(3) / 2;
const SIDE = RADIUS * 0.95; // a gap between the spaces
const WIDE = HALF * 0.95;

/** The middles of all spaces, in the order of their numbers: as in
 * hacienda_hexes.js, which has much more and is not for so little.
 * @param {number} columns @param {number} rows */
function middles(columns, rows) {
    const all = [];
    for (let row = 0; row < columns; row++)
        for (let x = (rows + row) & 1; x < rows; x += 2)
            all.push([(x + 1) * HALF, (1.5 * row + 1) * RADIUS]);
    return all;
}

/** @param {number} x @param {number} y */
const hex = (x, y) => `M${x.toFixed(1)} ${(y - SIDE).toFixed(1)}l${
    WIDE.toFixed(1)} ${SIDE / 2}v${SIDE}l-${WIDE.toFixed(1)} ${SIDE / 2}l-${
    WIDE.toFixed(1)}-${SIDE / 2}v-${SIDE}z`;

/** Some spaces of a game that could have been. */
const SAMPLE = {
    columns: 5, rows: 15,
    ground: ['pampas', 'rocks', 'pampas', 'pampas', 'swamp', 'water', 'pampas',
        'pampas', 'forest', 'swamp', 'market', 'pampas', 'pampas', 'meadow', 'pampas',
        'market', 'pampas', 'forest', 'mountain', 'pampas', 'pampas', 'market',
        'swamp', 'meadow', 'mountain', 'pampas', 'pampas', 'pampas', 'rocks', 'pampas',
        'pampas', 'forest', 'pampas', 'pampas', 'meadow', 'pampas', 'pampas'],
    tiles: [4, 8, 9, 17, 18, 22, 23, 24].reduce((all, n) => {
        all[n] = 'land';
        return all;
    }, [2, 3, 16, 20, 25, 26].reduce((all, n) => {
        all[n] = 'cattle';
        return all;
    }, Array(37).fill('empty'))),
    owners: Array.from({length: 37}, (_, n) => [2, 3, 4, 9, 8].includes(n) ? 0
        : [16, 17, 18, 24, 25].includes(n) ? 3 : 1),
};

/** @param {any} state */
function picture({columns, rows, ground, tiles, owners}) {
    /** @type {Map<string, string>} */
    const floors = new Map();
    /** @type {Map<string, string>} */
    const pieces = new Map();
    middles(columns, rows).forEach(([x, y], n) => {
        const [kind, tile] = [ground[n], tiles?.[n] ?? 'empty'];
        if (kind === 'void')
            return;
        const taken = tile !== 'empty' && tile !== 'water';
        more(floors, taken ? `${owners[n]}` : tile === 'water' ? tile : kind,
            hex(x, y));
        if (taken)
            more(pieces, 'white', disc(x, y, tile === 'land' ? 5 : 11));
        if (taken && tile !== 'land')
            more(pieces, `${owners[n]}`, disc(x, y, 6));
    });
    return drawing([-8, -8, (rows + 1) * HALF + 16,
        (1.5 * columns + 0.5) * RADIUS + 16], ['#d3c28d', '#2c261c'],
        painted(COLOURS, floors), painted(COLOURS, pieces));
}

/** @type {import('../types.js').Thumb} */
export default {
    picture,
    sample: SAMPLE,
    round: ({round}) => round ? ['Round {n}', {n: round}] : null,
    scored: (state, seat) => state.players[seat].points,
    about: [
        'Chains of land, herds that reach markets, water: three actions a turn.',
        'Des chaînes de terres, des troupeaux qui vont aux marchés, de l’eau : trois actions par tour.',
    ],
    minutes: [60, 90],
    weight: 3,
};
