// thumb.js -- what the small pictures of all games are made of.

import {svg} from '../dom.js';

/** A colour for light and for dark. @param {string} light @param {string} dark */
const shade = (light, dark) =>
    ({fill: light, style: {fill: `light-dark(${light}, ${dark})`}});

/** What fills an outline of a seat's colour. @param {number} seat */
export const ofSeat = (seat) =>
    ({class: `seat-${seat % 8}`, fill: 'currentColor'});

/** One path for all of one colour: a picture is a handful of elements, however
 * large the board. @param {{[name: string]: [string, string]}} colours
 * @param {Map<string, string>} outlines By a name of COLOURS, or a seat's
 *     number. */
export const painted = (colours, outlines) => [...outlines].map(([of, d]) =>
    svg('path', {d, ...of in colours ? shade(...colours[of])
        : ofSeat(Number(of))}));

/** Adds to what MAP has of KEY. @param {Map<string, string>} map
 * @param {string} key @param {string} d */
export const more = (map, key, d) => map.set(key, (map.get(key) ?? '') + d);

/** A disc around a point. @param {number} x @param {number} y @param {number} r */
export const disc = (x, y, r) =>
    `M${(x - r).toFixed(1)} ${y.toFixed(1)}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0-${2 * r} 0z`;

/** The picture; who hears the page is told in words what is in it.
 * @param {number[]} box @param {[string, string]} ground What is around it.
 * @param {...any} parts */
export const drawing = (box, ground, ...parts) => svg('svg', {
    viewBox: box.map((n) => n.toFixed(0)).join(' '), 'aria-hidden': 'true',
    style: {background: `light-dark(${ground.join()})`}}, ...parts);
