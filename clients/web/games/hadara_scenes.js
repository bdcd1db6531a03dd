// hadara_scenes.js -- the pictures on the cards of Hadara.

import {svg} from '../dom.js';

/* Pictures in 120 by 72, the ground at 58.  `d` is dark, `m` of the card's
 * colour, `l` light. */
const dark = (/** @type {string} */ d) => svg('path', {class: 'd', d});
const mid = (/** @type {string} */ d) => svg('path', {class: 'm', d});
const light = (/** @type {string} */ d) => svg('path', {class: 'l', d});

/* A hall of so many columns, its middle at X. */
function hall(/** @type {number} */ x, /** @type {number} */ wide,
    /** @type {number} */ high) {
    const top = 58 - high, half = wide / 2, roof = high * 0.42;
    const pillars = [-0.34, 0, 0.34].map((at) =>
        `M${x + at * wide - wide * 0.07} ${top + roof + 4}h${wide * 0.14}V52h-${
            wide * 0.14}Z`).join('');
    return [dark(`M${x - half} ${top + roof}L${x} ${top}L${x + half} ${top + roof}ZM${
        x - half + 3} ${top + roof + 1.5}h${wide - 6}v2.5h-${wide - 6}Z`),
    dark(pillars), dark(`M${x - half} 53.5h${wide}V58h-${wide}Z`),
    light(`M${x} ${top + roof * 0.45}a2.4 2.4 0 1 1-.01 0Z`)];
}

/* Steps with a door. */
function steps(/** @type {number} */ x, /** @type {number} */ wide,
    /** @type {number} */ high) {
    const part = high / 4;
    return [0, 1, 2, 3].map((n) => (n % 2 ? mid : dark)(`M${
        x - wide / 2 * (1 - n * 0.23)} ${58 - part * n}h${
        wide * (1 - n * 0.23)}v-${part - 1}h-${wide * (1 - n * 0.23)}Z`))
        .concat(light(`M${x - 2.6} 58v-${part * 1.4}a2.6 2.6 0 0 1 5.2 0V58Z`));
}

/* A tower with battlements. */
function tower(/** @type {number} */ x, /** @type {number} */ wide,
    /** @type {number} */ high) {
    const a = x - wide / 2, notch = wide / 5, top = 58 - high;
    return [dark(`M${a} 58V${top}h${notch}v4h${notch}v-4h${notch}v4h${
        notch}v-4h${notch}V58Z`),
    light(`M${x - 1.6} ${top + high * 0.35}h3.2v7h-3.2Z`)];
}

/* An ear on its stalk. */
function ear(/** @type {number} */ x, /** @type {number} */ high) {
    const top = 58 - high;
    const grains = [0, 1, 2, 3].flatMap((n) => [-1, 1].map((side) =>
        `M${x} ${top + 9 + n * 6}q${side * 8} -1 ${side * 7} -8q${side * -7} 1 ${
            side * -7} 8Z`)).join('');
    return [dark(`M${x - 1} 60V${top + 8}h2V60Z`), dark(grains),
            dark(`M${x} ${top + 5}q-4-5 0-10q4 5 0 10Z`)];
}

/** What stands on a card, by its colour: more of it in each epoch. */
const SCENES = /** @type {{[color: string]: (epoch: number) => SVGElement[]}} */ ({
    blue: (epoch) => [
        ...epoch > 2 ? hall(22, 30, 22) : [], ...epoch > 1 ? hall(98, 30, 22) : [],
        ...hall(60, epoch > 1 ? 50 : 44, epoch > 1 ? 46 : 40)],
    yellow: (epoch) => [
        ...epoch > 2 ? steps(20, 34, 18) : [], ...epoch > 1 ? steps(100, 34, 18) : [],
        ...steps(60, 60, epoch > 1 ? 42 : 34)],
    red: (epoch) => [
        mid(`M24 58V42h72V58Z`),
        ...tower(60, 22, epoch > 1 ? 46 : 36),
        ...epoch > 1 ? tower(88, 16, 30) : [], ...epoch > 2 ? tower(32, 16, 30) : [],
        dark(`M60 ${epoch > 1 ? 12 : 22}v-11l13 4.5l-11.6 4V${epoch > 1 ? 12 : 22}Z`)],
    green: (epoch) => [48, 60, 72, ...epoch > 1 ? [84, 36] : [],
                       ...epoch > 2 ? [24, 96] : []].flatMap((x, n) =>
        ear(x, n === 1 ? 48 : 42 - 4 * (n % 2))),
    purple: (epoch) => {
        const rays = Array.from({length: 8 + 4 * (epoch - 1)}, (_, n) => {
            const angle = n * 2 * Math.PI / (8 + 4 * (epoch - 1));
            const [x, y] = [Math.sin(angle), -Math.cos(angle)];
            return `M${60 + 22 * x} ${32 + 22 * y}l${8 * x - 1.5 * y} ${
                8 * y + 1.5 * x}l${3 * y} ${-3 * x}Z`;
        });
        return [mid(rays.join('')),
                dark('M60 14l5 12.6l13.4 1l-10.2 8.6l3.2 13L60 42.2l-11.4 7l3.2-13L41.6 27.6l13.4-1Z'),
                light('M60 26a6 6 0 1 1-.01 0Z')];
    },
});

/** The picture of a card. @param {string} color @param {number} epoch */
export const scene = (color, epoch) =>
    svg('svg', {class: 'scene', viewBox: '0 0 120 72', 'aria-hidden': 'true',
                preserveAspectRatio: 'xMidYMax meet'},
        svg('path', {class: 'sky', d: 'M-200 -60H320V72H-200Z'}),
        svg('path', {class: 'hill far', d: 'M-200 50Q-120 40-80 50T-40 54Q0 40 40 52T120 46Q145 44 160 50T320 48V72H-200Z'}),
        SCENES[color](epoch),
        svg('path', {class: 'hill', d: 'M-200 58H320V72H-200Z'}));
