// art.js -- the pictures on boards and cards: grounds, animals, buildings, each
// drawn within 24 by 24 around 0, 0.

import {svg} from '../dom.js';

/**
 * A picture is paths, each with its class: `p-` and a word of kit.css.
 * @type {{[name: string]: [string, string][]}}
 */
const PICTURES = {
    mountain: [
        ['peak2', 'M-1 8L5-4L12 8Z'],
        ['peak', 'M-12 8L-4-9L4 8Z'],
        ['snow', 'M-4-9L-7-2.5L-5-3.8L-3.7-2L-1-2.6Z'
            + 'M5-4L3.3-.6L5-1.5L7 0Z'],
    ],
    forest: [
        ['trunk', 'M-6.8 4H-5.2V9H-6.8ZM6.2 4H7.8V9H6.2ZM-.8 5H.8V11H-.8Z'],
        ['tree2', 'M-6-8L-1.5 0H-3.5L-1 5H-11L-8.5 0H-10.5ZM7-8L11.5 0H9.5L12 5H2L4.5 0H2.5Z'],
        ['tree', 'M0-7L5 1H3L6 7H-6L-3 1H-5Z'],
    ],
    meadow: [
        ['blade', 'M-8 8Q-9 2-10 0M-8 8Q-8 1-7-2M-8 8Q-6 3-4.5 2M6 9Q5 3 4 1M6 9'
            + 'Q6 2 7-1M6 9Q8 4 9.5 3M-1 1Q-2-4-3-6M-1 1Q-1-5 0-7M-1 1Q1-3 2.5-4'],
        ['bloom', 'M-7-4A2 2 0 1 1-7.01-4ZM7-3A2 2 0 1 1 6.99-3ZM0-9A2 2 0 1 1-.01-9Z'],
        ['heart', 'M-7-3A1 1 0 1 1-7.01-3ZM7-2A1 1 0 1 1 6.99-2ZM0-8A1 1 0 1 1-.01-8Z'],
    ],
    rocks: [
        ['stone', 'M-11 7L-9 0L-4-3L0 1L2 7ZM-3-4L0-9L6-8L8-3L4 0L0-1ZM3 7L5 2L9 0L12 4L11 7Z'],
        ['facet', 'M-9 0L-4-3L-5 2ZM0-9L6-8L2-5ZM5 2L9 0L8 4Z'],
    ],
    swamp: [
        ['reed', 'M-7 5V-7M-3 5Q-3-2-1-5M4 5V-9M8 5Q7 0 9-3'],
        ['cattail', 'M-8-3V-9H-6V-3ZM3-5V-11H5V-5Z'],
        ['pool', 'M-11 6Q-8 4-5 6T1 6T7 6T11 6M-7 10Q-4 8-1 10T5 10T8 10'],
    ],
    pampas: [
        ['straw', 'M-4 3Q-5-1-6-3M-4 3V-4M-4 3Q-3 0-1.5-1M4 6Q3 2 2 1M4 6V0M4 6Q5 3 6.5 2'],
    ],
    market: [
        ['post', 'M-9-1H-7V10H-9ZM7-1H9V10H7ZM-9 3H9V6H-9Z'],
        ['cloth', 'M-9-9H9L12 0H-12Z'],
        ['stripe', 'M-5.4-9H-1.8L-2.4 0H-7.2ZM1.8-9H5.4L7.2 0H2.4Z'],
        ['fruit', 'M-4 1.5A2 2 0 1 1-4.01 1.5ZM4 1.5A2 2 0 1 1 3.99 1.5Z'],
    ],
    water: [
        ['wave', 'M-11-4Q-8-7-5-4T1-4T7-4T11-4M-8 1Q-5-2-2 1T4 1T10 1M-11 6Q-8 3-5 6T1 6T7 6T11 6'],
    ],
    cattle: [
        ['horn', 'M-6-6Q-11-6-11-11Q-8-8-4-8ZM6-6Q11-6 11-11Q8-8 4-8Z'],
        ['cow', 'M-5-8H5L6-5L11-4Q10 0 6-.5L5 5H-5L-6-.5Q-10 0-11-4L-6-5Z'],
        ['white', 'M-1.5-8H1.5L2 3H-2Z'],
        ['muzzle', 'M-6 6Q-6 2 0 2T6 6T0 11T-6 6Z'],
        ['dark', 'M-4.5-2.5A1.2 1.2 0 1 1-4.51-2.5ZM4.5-2.5A1.2 1.2 0 1 1 4.49-2.5Z'
            + 'M-2.5 5.5A1 1 0 1 1-2.51 5.5ZM2.5 5.5A1 1 0 1 1 2.49 5.5Z'],
    ],
    horse: [
        ['mane', 'M2-11Q12-7 11 10H5Q8 0 0-6Z'],
        ['bay', 'M0-8L1-12L3.5-9Q9-3 8 11H-3Q1 6-.5 2L-6 5.5Q-9.5 6-10.5 3L-4.5-5Z'],
        ['dark', 'M-2.5-3.5A1.2 1.2 0 1 1-2.51-3.5ZM-8.5 2A.8.8 0 1 1-8.51 2Z'],
    ],
    pig: [
        ['ear', 'M-8-3L-9-11L-2-7ZM8-3L9-11L2-7Z'],
        ['pink', 'M0-8A9 8.5 0 1 1-.01-8Z'],
        ['snout', 'M0-.5A4.5 3.5 0 1 1-.01-.5Z'],
        ['dark', 'M-4-3.5A1.2 1.2 0 1 1-4.01-3.5ZM4-3.5A1.2 1.2 0 1 1 3.99-3.5Z'
            + 'M-1.6 2A.9 1.3 0 1 1-1.61 2ZM1.6 2A.9 1.3 0 1 1 1.59 2Z'],
    ],
    sheep: [
        ['dark', 'M-6 5H-3.5V11H-6ZM3.5 5H6V11H3.5Z'],
        ['wool', 'M-7-3A4.5 4.5 0 0 1-2-8A5 5 0 0 1 6-7A4.5 4.5 0 0 1 10-1A4.5 4.5 0 0 1 8 6'
            + 'A5 5 0 0 1 0 7.5A5 5 0 0 1-8 6A4.5 4.5 0 0 1-7-3Z'],
        ['dark', 'M-10-4Q-11-7-8-6Q-4-7-3-4Q-2 0-5 4Q-8 5-9.5 1Z'],
        ['eye', 'M-6.5-2A1 1 0 1 1-6.51-2Z'],
    ],
    hacienda: [
        ['wall', 'M-8-1H8V9H-8Z'],
        ['roof', 'M-11 0L0-10L11 0Z'],
        ['dark', 'M-2.5 9V5Q0 1.5 2.5 5V9ZM-6.5 3H-4.5V5.5H-6.5ZM4.5 3H6.5V5.5H4.5Z'],
    ],
    chip: [
        ['disc', 'M0-10A10 10 0 1 1-.01-10Z'],
        ['ear2', 'M0 8V-7M0-1Q-4-2-4-6Q0-5 0-1Q4-2 4-6Q0-5 0-1M0 4Q-4 3-4-1Q0 0 0 4Q4 3 4-1Q0 0 0 4'],
    ],
    coin: [
        ['disc', 'M0-10A10 10 0 1 1-.01-10Z'],
        ['ear2', 'M0-6.5A6.5 6.5 0 1 1-.01-6.5M0-3.5V3.5M2-2Q-2-3.5-2-1.3T2 1.3T-2 2'],
    ],
    land: [
        ['peak2', 'M-11 8Q-5-8 1 8Z'],
        ['tree', 'M-3 8Q4-5 11 8Z'],
    ],
    animals: [
        ['cow', 'M-9-4H5L8-7L10-6L11-2L7 1V8H4.5V3H-5V8H-7.5V2L-9 0L-10.5 4L-11.5 3.5Z'],
    ],
    crop: [
        ['furrow', 'M-11 9H11M-11 4H11M-11-1H11'],
        ['wheat', 'M-7 8V-6M-7-2Q-10-3-10-6M-7-2Q-4-3-4-6M-7 3Q-10 2-10-1M-7 3Q-4 2-4-1'
            + 'M0 8V-9M0-5Q-3-6-3-9M0-5Q3-6 3-9M0 0Q-3-1-3-4M0 0Q3-1 3-4'
            + 'M7 8V-6M7-2Q4-3 4-6M7-2Q10-3 10-6M7 3Q4 2 4-1M7 3Q10 2 10-1'],
    ],
    gold_mine: [
        ['stone', 'M-11 9L-8-2L-2-8L6-7L11 0L11 9Z'],
        ['dark', 'M-5 9V3Q0-3 5 3V9Z'],
        ['gold', 'M-8 5L-5 3L-4 6L-7 8ZM6-3L9-1L7 2L4 0ZM-3-6L0-5L-2-2L-5-3ZM4 9L7 5L10 7L9 9Z'],
    ],
    lake: [
        ['wave', 'M-11-5Q-8-8-5-5T1-5T7-5T11-5M-9 1Q-6-2-3 1T3 1T9 1M-11 7Q-8 4-5 7T1 7T7 7T11 7'],
    ],
    single: [['lake', 'M0-6A6 6 0 1 1-.01-6Z']],
    double: [['lake', 'M-5-5A5 5 0 1 1-5.01-5ZM5-5A5 5 0 1 1 4.99-5ZM-5-4H5V4H-5Z']],
    triangle: [['lake', 'M-5 0A5 5 0 1 1-5.01 0ZM5 0A5 5 0 1 1 4.99 0ZM0-9A5 5 0 1 1-.01-9ZM-4 0L0-5L4 0L4 7H-4Z']],
    line: [['lake', 'M-8-4A4 4 0 1 1-8.01-4ZM0-4A4 4 0 1 1-.01-4ZM8-4A4 4 0 1 1 7.99-4ZM-8-3H8V3H-8Z']],
};

/** What was drawn once is copied, which is quicker. @type {Map<string, Element>} */
const drawn = new Map();

/**
 * A picture, in an SVG, its middle at X, Y and so many units wide.
 * @param {string} name
 * @param {number} [x]
 * @param {number} [y]
 * @param {number} [size]
 */
export function picture(name, x = 0, y = 0, size = 24) {
    const scale = size === 24 ? '' : ` scale(${(size / 24).toFixed(3)})`;
    const transform = `translate(${x.toFixed(1)} ${y.toFixed(1)})${scale}`;
    const key = name + transform;
    const one = drawn.get(key) ?? svg('g', {transform},
        ...(PICTURES[name] ?? []).map(([kind, d]) =>
            svg('path', {class: `p-${kind}`, d})));
    drawn.set(key, one);
    return /** @type {Element} */ (one.cloneNode(true));
}

/**
 * The same as an image in a line of text; who hears the page hears nothing.
 * @param {string} name
 */
export const icon = (name) =>
    svg('svg', {class: 'picture', viewBox: '-13 -13 26 26',
                'aria-hidden': 'true'}, picture(name));
