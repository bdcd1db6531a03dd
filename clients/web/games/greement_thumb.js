// greement_thumb.js -- Greement as a small picture: what the squares are, and
// whose.

import {svg} from '../dom.js';
import {disc, drawing, more, ofSeat, painted} from './thumb.js';

/** @type {{[name: string]: [string, string]}} */
const COLOURS = {
    face_down: ['#a88a68', '#4a3b2b'], land: ['#eadfb5', '#574e3a'],
    crop: ['#f2d77d', '#7a6522'], cattle: ['#b9d58b', '#4b6a33'],
    gold_mine: ['#cfc3b4', '#5f5851'], lake: ['#78b5da', '#24587c'],
    mountain: ['#b98f76', '#74563f'], gold: ['#7a5c00', '#f2c46a'],
};
const SIZE = 20;

/** @param {any} state */
function picture({squares, owners}) {
    /** @type {Map<string, string>} */
    const floors = new Map();
    /** @type {Map<number, string>} */
    const claims = new Map();
    const own = (/** @type {number} */ y, /** @type {number} */ x) =>
        owners[y]?.[x] ?? null;
    squares.forEach((/** @type {any[]} */ row, /** @type {number} */ y) =>
        row.forEach((kind, x) => {
            const [u, v] = [x * SIZE, y * SIZE];
            more(floors, kind ?? 'face_down', `M${u + .5} ${v + .5}h19v19h-19z`);
            if (kind === 'gold_mine')
                more(floors, 'gold', disc(u + 10, v + 10, 3));
            const owner = own(y, x);
            if (owner === null)
                return;
            // Only where somebody else is on the other side.
            const edges = [[-1, 0, `M${u} ${v}h20`], [1, 0, `M${u} ${v + 20}h20`],
                [0, -1, `M${u} ${v}v20`], [0, 1, `M${u + 20} ${v}v20`]];
            claims.set(owner, (claims.get(owner) ?? '') + edges.filter(
                ([dy, dx]) => own(y + Number(dy), x + Number(dx)) !== owner)
                .map(([,, d]) => d).join('') + `M${u} ${v}`);
        }));
    const [high, wide] = [squares.length * SIZE, squares[0].length * SIZE];
    return drawing([-4, -4, wide + 8, high + 8], ['#d3c28d', '#2c261c'],
        painted(COLOURS, floors), [...claims].map(([seat, d]) => svg('path', {
            ...ofSeat(seat), fill: 'none', stroke: 'currentColor',
            'stroke-width': 5, d})),
        owners.flatMap((/** @type {any[]} */ row, /** @type {number} */ y) =>
            row.map((seat, x) => seat !== null && svg('rect', {...ofSeat(seat),
                'fill-opacity': .45, x: x * SIZE, y: y * SIZE, width: SIZE,
                height: SIZE}))));
}

/** Squares by the first letters of their names, some of them somebody's. */
const KINDS = {l: 'land', c: 'crop', a: 'cattle', g: 'gold_mine', w: 'lake', m: 'mountain'};
const SAMPLE = {
    squares: ['acllgl', 'gllwcg', 'lmlgal', 'lcwlmg', 'glallc'].map((row) =>
        [...row].map((letter) => KINDS[/** @type {'l'} */ (letter)])),
    owners: ['00...1', '0...11', '...111', '.2....', '2222..'].map((row) =>
        [...row].map((seat) => seat === '.' ? null : Number(seat))),
};

/** @type {import('../types.js').Thumb} */
export default {
    picture,
    sample: SAMPLE,
    round: ({turn_count: done, options}) => ['Round {n} of {of}',
        {n: Math.min(done + 1, options.turns), of: options.turns}],
    about: [
        'A grid of crops and mines, prices that move, bargains of every kind.',
        'Une grille de cultures et de mines, des prix qui bougent, des marchés de toute sorte.',
    ],
    minutes: [90, 120],
    weight: 4,
};
