// greement_grid.js -- the grid of Greement: what lies where, whose it is, what
// each square costs the one who looks, and how far away it is.
//
// From below: floors; lakes and mountains, joined where they are connected;
// what is owned, tinted and outlined; what lies on a square and what it brings or
// costs; the way the tax is counted along; marks; the squares that hear, each a
// button with its name in `data-step` and `data-target`.

import {add, fill, roving, set, svg} from '../dom.js';
import {picture} from './art.js';
import {arrive, mark} from './kit.js';

export const SIDE = 10;
const SIZE = 44;      /* units of a square */
const EDGE = 16;      /* where the letters and numbers stand */
const INSET = 2.2;    /* of an outline, so that two are seen side by side */
const COLUMNS = 'abcdefghij';
const WAYS = [[0, -1], [1, 0], [0, 1], [-1, 0]];

export const place = (/** @type {number} */ n) =>
    COLUMNS[n % SIDE] + (Math.floor(n / SIDE) + 1);
export const indexOf = (/** @type {string} */ name) =>
    COLUMNS.indexOf(name[0]) + SIDE * (Number(name.slice(1)) - 1);
/** Of rows of squares, that one. @param {any[][]} rows @param {number} n */
export const at = (rows, n) => rows[Math.floor(n / SIDE)][n % SIDE];
export const ALL = Array.from({length: SIDE * SIDE}, (_, n) => n);

const left = (/** @type {number} */ n) => n % SIDE * SIZE;
const top = (/** @type {number} */ n) => Math.floor(n / SIDE) * SIZE;
const middle = (/** @type {number} */ n) =>
    [left(n) + SIZE / 2, top(n) + SIZE / 2];

/** The square that way, or -1. @param {number} n @param {number} x
 * @param {number} y */
function beside(n, x, y) {
    const [u, v] = [n % SIDE + x, Math.floor(n / SIDE) + y];
    return u < 0 || v < 0 || u >= SIDE || v >= SIDE ? -1 : v * SIDE + u;
}

/** Those connected to a square. @param {number} n */
export const around = (n) => WAYS.map(([x, y]) => beside(n, x, y))
    .filter((to) => to >= 0);

/** How far two squares are apart. @param {number} a @param {number} b */
export const apart = (a, b) => Math.abs(a % SIDE - b % SIDE)
    + Math.abs(Math.floor(a / SIDE) - Math.floor(b / SIDE));

/** The outline of all squares that are IN, a little within it.
 * @param {(n: number) => boolean} is */
function outline(is) {
    const there = (/** @type {number} */ n) => n >= 0 && is(n);
    const half = SIZE / 2;
    return ALL.filter(is).flatMap((n) => WAYS.filter(([x, y]) =>
        !there(beside(n, x, y))).map(([x, y]) => {
        const [u, v] = middle(n);
        const ends = [-1, 1].map((way) => {
            const [s, r] = [-y * way, x * way]; /* along the side */
            const far = half + (!there(beside(n, s, r)) ? -INSET
                : there(beside(n, s + x, r + y)) ? INSET : 0);
            return `${(u + x * (half - INSET) + s * far).toFixed(1)} ${
                (v + y * (half - INSET) + r * far).toFixed(1)}`;
        });
        return `M${ends[0]}L${ends[1]}`;
    })).join('');
}

/** Squares of a kind as one shape where they are connected.
 * @param {(n: number) => boolean} is */
const joined = (is) => ALL.filter(is).flatMap((n) => {
    const to = (/** @type {number} */ x, /** @type {number} */ y) => {
        const there = beside(n, x, y);
        return there >= 0 && is(there);
    };
    const rect = (/** @type {number} */ x, /** @type {number} */ y,
        /** @type {number} */ width, /** @type {number} */ height, rx = 0) =>
        svg('rect', {x: left(n) + x, y: top(n) + y, width, height, rx});
    const [near, wide, over] = [2.5, SIZE - 5, 18];
    return [rect(near, near, wide, wide, 7),
            to(1, 0) && rect(SIZE - over / 2, near, over, wide),
            to(0, 1) && rect(near, SIZE - over / 2, wide, over),
            to(1, 0) && to(0, 1) && to(1, 1) && rect(SIZE - over / 2,
                SIZE - over / 2, over, over)];
});

/**
 * @typedef {object} Look What the grid shows besides the state.
 * @property {(number | null)[][]} prices What each square costs.
 * @property {number} money What they can be paid with.
 * @property {Set<string>} can Where a move can be made.
 * @property {boolean} aim Whether it has to be made there.
 * @property {string} chosen
 * @property {boolean} busy
 * @property {boolean} fresh Whether to show what is new.
 * @property {(n: number) => string} words What a square is, for who hears it.
 */

/**
 * @param {string} label
 * @param {(name: string, key: boolean) => void} onchoose
 * @param {(name: string, to?: any) => void} onlook '': at none; TO gets the focus.
 */
export function grid(label, onchoose, onlook) {
    const layer = (/** @type {string} */ name) => svg('g', {class: name});
    const [floors, waters, tints, pieces, edges, way, tags, marks] = ['floors',
        'waters', 'tints', 'pieces', 'edges', 'way', 'tags', 'marks'].map(layer);
    const floor = ALL.map((n) => svg('rect', {x: left(n) + 0.5,
        y: top(n) + 0.5, width: SIZE - 1, height: SIZE - 1, rx: 2}));
    const squares = ALL.map((n) => svg('g', {class: 'square', role: 'button',
        'data-key': place(n), 'data-target': place(n),
        transform: `translate(${left(n)} ${top(n)})`},
    svg('rect', {width: SIZE, height: SIZE, rx: 3})));
    const drawn = ALL.map(() => '');
    /** @type {Element[]} */
    const piece = ALL.map(() => svg('g'));
    const ring = svg('rect', {class: 'ring', width: SIZE, height: SIZE, rx: 4});
    const edge = (/** @type {number} */ x, /** @type {number} */ y,
        /** @type {string} */ text) => svg('text', {class: 'edge', x, y,
        'aria-hidden': 'true'}, text);
    const room = SIDE * SIZE + EDGE + 4;
    const drawing = svg('svg', {class: 'grid', role: 'application',
                                'aria-label': label,
                                viewBox: `${-EDGE} ${-EDGE} ${room} ${room}`},
        [...COLUMNS].map((letter, n) => edge((n + 0.5) * SIZE, -5, letter)),
        ALL.slice(0, SIDE).map((n) => edge(-8, (n + 0.5) * SIZE + 4, `${n + 1}`)),
        add(floors, floor), waters, tints, pieces, edges, way, tags, marks, ring,
        squares);
    const fix = roving(drawing, '.square');

    const named = (/** @type {Event} */ event) =>
        /** @type {Element} */ (event.target).closest?.('.square')
            ?.getAttribute('data-target') ?? '';
    drawing.addEventListener('click', (event) =>
        named(event) && onchoose(named(event), false));
    drawing.addEventListener('keydown', (event) => {
        if (event.key !== 'Enter' && event.key !== ' ' || !named(event))
            return;
        event.preventDefault();
        onchoose(named(event), true);
    });
    drawing.addEventListener('pointerover', (event) =>
        event.pointerType !== 'touch' && onlook(named(event)));
    drawing.addEventListener('pointerleave', () => onlook(''));
    drawing.addEventListener('focusin', (event) => /** @type {Element} */ (
        event.target).matches(':focus-visible') && onlook(named(event)));
    drawing.addEventListener('focusout', ({relatedTarget}) =>
        onlook('', relatedTarget));

    /** @param {any} state @param {number} n @param {string} kind */
    function drawPiece(state, n, kind) {
        const owner = at(state.owners, n);
        const made = svg('g', {transform: `translate(${left(n)} ${top(n)})`,
                               class: owner === null ? 'piece'
                                   : `piece own-${owner}`});
        const low = kind === 'lake' || kind === 'mountain' ? 0 : 5;
        add(made, kind === 'face_down'
            ? svg('path', {class: 'back',
                           d: 'M22 9L35 22L22 35L9 22ZM22 16L28 22L22 28L16 22Z'})
            : picture(kind === 'land' ? 'pampas' : kind, SIZE / 2,
                SIZE / 2 - low, low ? 25 : 29),
        owner !== null && svg('g', {class: 'claim'},
            svg('circle', {cx: 9.5, cy: 9.5, r: 6.6}),
            svg('path', {d: mark(owner),
                         transform: 'translate(9.5 9.5) scale(0.5)'})),
        at(state.treated, n) && svg('text', {class: 'treated', x: SIZE - 8,
                                             y: 15}, '✚'));
        piece[n].replaceWith(made);
        piece[n] = made;
        if (!made.parentNode)
            pieces.append(made);
        return owner;
    }

    /** A figure on a square: within a frame, perhaps with a coin before it.
     * @param {number} n @param {string} text @param {string} kind
     * @param {boolean} [coin] */
    function tag(n, text, kind, coin = false) {
        const wide = text.length * 6.6 + (coin ? 17 : 7);
        const x = kind === 'profit' ? left(n) + SIZE - 3 - wide
            : left(n) + (SIZE - wide) / 2;
        const y = top(n) + SIZE - 16;
        return svg('g', {class: `tag ${kind}`},
            svg('rect', {x, y, width: wide, height: 13, rx: coin ? 6.5 : 3.5}),
            coin && svg('circle', {cx: x + 7.5, cy: y + 6.5, r: 4}),
            svg('text', {x: x + wide - 3.5, y: y + 10.4}, text));
    }

    /** @param {any} state @param {Look} look */
    function tagOf(state, look, /** @type {number} */ n) {
        const [price, profit] = [at(look.prices, n), at(state.profits, n)];
        if (at(state.owners, n) !== null)
            return profit > 0 && tag(n, `+${profit}`, 'profit');
        if (price === null)
            return null;
        if (price <= look.money)
            return tag(n, `${price}`, 'price', true);
        return svg('text', {class: 'dear', x: left(n) + SIZE / 2,
                            y: top(n) + SIZE - 5.6}, `${price}`);
    }

    function drawOwners(/** @type {any} */ state) {
        const seats = [...new Set(ALL.map((n) => at(state.owners, n)))]
            .filter((seat) => seat !== null);
        fill(tints, ALL.filter((n) => at(state.owners, n) !== null).map((n) =>
            svg('rect', {class: `own-${at(state.owners, n)}`, x: left(n),
                         y: top(n), width: SIZE, height: SIZE})));
        fill(edges, seats.flatMap((seat) => {
            const d = outline((n) => at(state.owners, n) === seat);
            return [svg('path', {class: 'casing', d}),
                    svg('path', {class: `own-${seat}`, d})];
        }));
    }

    const kindOf = (/** @type {any} */ state, /** @type {number} */ n) =>
        at(state.squares, n) ?? 'face_down';

    return {
        drawing,
        /** @param {any} state @param {Look} look */
        update(state, look) {
            for (const n of ALL) {
                const name = place(n);
                const kind = kindOf(state, n);
                const price = at(look.prices, n);
                set(floor[n], {class: `floor k-${kind}${price !== null &&
                    price <= look.money ? ' paid' : ''}`});
                set(squares[n], {
                    class: `square${look.can.has(name) && !look.busy
                        ? ' can' : ''}`,
                    'aria-label': `${name}: ${look.words(n)}`,
                    'aria-pressed': `${look.chosen === name}`,
                    'data-step': look.busy ? null : name,
                });
                const now = [kind, at(state.owners, n), at(state.treated, n)].join();
                if (now === drawn[n])
                    continue;
                const first = drawn[n] === '';
                drawn[n] = now;
                const owner = drawPiece(state, n, kind);
                if (look.fresh && !first)
                    arrive(piece[n], owner);
            }
            fill(waters, ['lake', 'mountain'].map((kind) => add(
                svg('g', {class: `k-${kind}`}),
                joined((n) => kindOf(state, n) === kind))));
            drawOwners(state);
            fill(tags, ALL.map((n) => tagOf(state, look, n)));
            drawing.classList.toggle('aim', look.aim);
            const n = look.chosen ? indexOf(look.chosen) : 0;
            set(ring, {x: left(n), y: top(n),
                       class: look.chosen ? 'ring' : 'ring none'});
            fix();
        },
        /** Shows how far it is from one square to another, and the tax.
         * @param {number} from -1: nothing is shown @param {number} to
         * @param {number} tax */
        path(from, to, tax) {
            if (from < 0 || apart(from, to) < 2)
                return void fill(way);
            const [[x, y], [u, v]] = [middle(from), middle(to)];
            const d = `M${x} ${y}V${v}H${u}`;
            const [s, r] = x === u ? [x, (y + v) / 2]
                : y === v ? [(x + u) / 2, y] : [x, v];
            const text = `+${tax}`;
            const wide = text.length * 6.6 + 9;
            fill(way, svg('path', {class: 'casing', d}), svg('path', {d}),
                svg('circle', {cx: x, cy: y, r: 4}),
                tax > 0 && svg('g', null, svg('rect', {x: s - wide / 2,
                    y: r - 9, width: wide, height: 18, rx: 9}),
                svg('text', {x: s, y: r + 4.2}, text)));
        },
        /** Marks these squares, in order. @param {string[]} places */
        point(places) {
            fill(marks, [...new Set(places)].map((name, n, all) => {
                const to = indexOf(name);
                return svg('g', {class: 'told', transform:
                    `translate(${left(to)} ${top(to)})`},
                svg('rect', {x: 1, y: 1, width: SIZE - 2, height: SIZE - 2,
                             rx: 4}),
                all.length > 1 && [svg('circle', {r: 7, cx: SIZE - 7, cy: 7}),
                    svg('text', {x: SIZE - 7, y: 10.4}, n + 1)]);
            }));
        },
    };
}
