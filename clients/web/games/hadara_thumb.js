// hadara_thumb.js -- Hadara as a small picture: the wheel, its epoch, and who
// stands where.

import {svg} from '../dom.js';
import {mark} from './kit.js';
import {drawing, more, ofSeat, painted} from './thumb.js';

/** @type {{[name: string]: [string, string]}} */
const COLOURS = {
    yellow: ['#f3c845', '#b8922a'], red: ['#d9644f', '#a8452f'],
    blue: ['#5b93cf', '#3a679a'], green: ['#79b05a', '#527f3a'],
    purple: ['#a580c4', '#77589a'],
};

/** A point at one of five places, R from the middle.
 * @param {number} at @param {number} r */
function spot(at, r) {
    const angle = (at * 72 - 90) * Math.PI / 180;
    return [r * Math.cos(angle), r * Math.sin(angle)].map((n) => n.toFixed(1));
}

/** @param {any} state */
function picture({ring, epoch, offset, step, players}) {
    /** @type {Map<string, string>} */
    const parts = new Map();
    ring.forEach((/** @type {string | null} */ colour, /** @type {number} */ n) =>
        more(parts, colour ?? Object.keys(COLOURS)[n], `M${spot(n - .48, 84)}A84 84 0 0 1 ${
            spot(n + .48, 84)}L${spot(n + .46, 36)}A36 36 0 0 0 ${
            spot(n - .46, 36)}Z`));
    return drawing([-112, -112, 224, 224], ['#f0e0cf', '#3b2a1f'],
        painted(COLOURS, parts),
        svg('text', {y: 14, 'text-anchor': 'middle', 'font-size': 38,
            'font-weight': 600, 'font-family': 'var(--serif)', fill: 'var(--ink)'},
        ['', 'I', 'II', 'III'][epoch]),
        players.map((/** @type {any} */ _, /** @type {number} */ seat) => {
            const [x, y] = spot((seat + (offset ?? 0) + (step ?? 0)) % 5, 92);
            return svg('path', {...ofSeat(seat), d: mark(seat), stroke:
                'var(--casing)', 'stroke-width': 2,
            transform: `translate(${x} ${y}) scale(1.5)`});
        }));
}

/** @type {import('../types.js').Thumb} */
export default {
    picture,
    sample: {ring: Object.keys(COLOURS), epoch: 2, offset: 0, step: 0,
        players: [0, 1, 2]},
    round: ({epoch}) => epoch
        ? ['Epoch {n}', {n: ['', 'I', 'II', 'III'][epoch]}] : null,
    about: [
        'Buy and sell cards of five colours; four tracks feed, fight and build.',
        'Achetez et vendez des cartes de cinq couleurs ; quatre pistes nourrissent, combattent et bâtissent.',
    ],
    minutes: [45, 60],
    weight: 3,
};
