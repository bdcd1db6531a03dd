// hacienda_board.js -- the board of Hacienda: grounds, tiles, and the spaces
// that can be pointed at.
//
// From below: grounds; what links tiles of a chain, a herd, a lake; tiles;
// ghosts of what is about to be laid; a spot for each space, which alone
// hears.  A spot has `data-target`, the name of its space; while something can
// be put there it is a button with `data-move` or `data-step` (README.md).

import {add, fill, set, svg} from '../dom.js';
import {edge, groups, hexBoard, letter, outline} from './hacienda_hexes.js';
import {mark} from './kit.js';
import {picture} from './art.js';
import {zoom} from './zoom.js';

/** @typedef {import('../types.js').Move} Move */

/**
 * @typedef {object} Table A table of Hacienda, as far as it is drawn.
 * @property {number} columns
 * @property {number} rows
 * @property {string[]} ground
 * @property {string[]} tiles
 * @property {(number | null)[]} owners
 * @property {(number | null)[]} waters
 * @property {boolean[]} haciendas
 * @property {boolean[]} chips
 */

/**
 * @typedef {object} Target What happens if a space is chosen.
 * @property {Move} [move] This is played.
 * @property {string} label What it is, for those who hear the page.
 */

const MARGIN = 16; /* for the letters of the rows */
const ANIMALS = ['cattle', 'horse', 'pig', 'sheep'];
const FAR = 32; /* how far a finger may miss, in units */

/**
 * @param {Table} first
 * @param {(key: string, args?: any) => string} t
 * @param {() => string[]} names
 * @param {(name: string, touched: boolean) => void} onpick A target is chosen.
 * @param {(name: string | null) => void} onlook A space is looked at.
 */
export function board(first, t, names, onpick, onlook) {
    const {hexes, named, width, height} = hexBoard(first.columns, first.rows);
    const layer = (/** @type {string} */ name) => svg('g', {class: name});
    const [grounds, links, pieces, ghosts, spots] =
        ['grounds', 'links', 'pieces', 'ghosts', 'spots'].map(layer);
    const drawing = svg('svg', {class: 'board', role: 'application',
                                 'aria-label': t('board')},
        add(svg('g', {transform: `translate(${MARGIN} 0)`}),
            letters(), grounds, links, pieces, ghosts, spots));
    const view = zoom(drawing, width + MARGIN, height, t);
    /** @type {(SVGGElement | null)[]} */
    const spot = hexes.map(() => null);
    /** @type {string[]} */
    const drawn = hexes.map(() => '');
    /** @type {string[]} */
    const floor = hexes.map(() => '');
    /** @type {(Element | undefined)[]} */
    const tile = [];
    /** @type {Map<string, Target>} */
    let targets = new Map();
    /** @type {string[]} */
    let labels = [];
    let cursor = -1;
    /** @type {Table} */
    let state = first;
    let touched = false;

    function letters() {
        return hexes.filter((hex, n) => n === 0 || hexes[n - 1].row !== hex.row)
            .map(({row, y}) => svg('text', {class: 'letter', x: -4, y: y + 4,
                                            'aria-hidden': 'true'}, letter(row)));
    }

    const neighbours = (/** @type {number} */ n) =>
        hexes[n].near.filter((to) => to >= 0);
    const isAnimal = (/** @type {number} */ n) =>
        ANIMALS.includes(state.tiles[n]);
    /* Who has come to a market. */
    const visitors = (/** @type {number} */ n) =>
        [...new Set(neighbours(n).filter(isAnimal).map((to) => state.owners[to]))]
            .sort();
    /* Sides by which a market can still be reached. */
    const openSides = (/** @type {number} */ n) =>
        neighbours(n).filter((to) =>
            state.ground[to] === 'pampas' && state.tiles[to] === 'empty').length;

    function drawGround(/** @type {number} */ n) {
        const {x, y, name} = hexes[n];
        const ground = state.ground[n];
        if (floor[n] === ground)
            return;
        floor[n] = ground;
        if (ground === 'void')
            return;
        add(grounds, add(
            svg('g', {transform: `translate(${x.toFixed(1)} ${y})`}),
            svg('path', {class: `ground g-${ground}`, d: outline()}),
            ground === 'water' ? null : picture(ground, 0, 0, 21)));
        if (spot[n])
            return;
        spot[n] = svg('g', {class: 'spot', 'data-target': name,
                            transform: `translate(${x.toFixed(1)} ${y})`,
                            tabindex: -1},
            svg('path', {d: outline(0.97)}));
        spots.append(/** @type {Element} */ (spot[n]));
    }

    function drawTile(/** @type {number} */ n, /** @type {boolean} */ fresh) {
        const {x, y} = hexes[n];
        const [kind, owner] = [state.tiles[n], state.owners[n]];
        const came = state.ground[n] === 'market' ? visitors(n) : [];
        const now = [kind, owner, state.haciendas[n], state.chips[n], came].join();
        const changed = now !== drawn[n];
        tile[n]?.classList.toggle('fresh', fresh && changed);
        if (!changed)
            return;
        drawn[n] = now;
        tile[n]?.remove();
        const piece = svg('g', {
            class: `piece own-${owner}${fresh ? ' fresh' : ''}`,
            transform: `translate(${x.toFixed(1)} ${y})`});
        tile[n] = piece;
        const sign = (/** @type {number} */ u, /** @type {number} */ v,
            /** @type {number} */ size, /** @type {string} */ name,
            /** @type {number | null} */ seat) =>
            svg('path', {class: name, d: mark(seat ?? 0),
                         transform: `translate(${u} ${v}) scale(${size})`});
        if (kind === 'land')
            add(piece, svg('path', {class: 'land', d: outline(0.8)}),
                state.haciendas[n] ? null
                    : sign(state.chips[n] ? 5 : 0, state.chips[n] ? 5 : 0,
                        state.chips[n] ? 0.6 : 0.8, 'sign', owner));
        else if (isAnimal(n))
            add(piece, svg('path', {class: 'animal', d: outline(0.8)}),
                picture(kind, 0, state.haciendas[n] ? -4 : -1, 21),
                sign(0, 13, 0.42, 'own', owner));
        else if (kind === 'water')
            add(piece, svg('path', {class: 'lake', d: outline()}),
                picture('water', 0, 0, 22));
        if (state.haciendas[n])
            piece.append(picture('hacienda', 4, 5, 19));
        if (state.chips[n])
            piece.append(picture('chip', -7, -7, 15));
        came.forEach((seat, at) => {
            const angle = (90 + (at - (came.length - 1) / 2) * -38) * Math.PI / 180;
            add(piece, svg('circle', {class: 'pip-ground', r: 5,
                                      cx: 15 * Math.cos(angle),
                                      cy: 15 * Math.sin(angle)}),
                add(svg('g', {class: `own-${seat}`}),
                    sign(+(15 * Math.cos(angle)).toFixed(1),
                        +(15 * Math.sin(angle)).toFixed(1), 0.45, 'own', seat)));
        });
        if (piece.firstChild)
            pieces.append(piece);
    }

    function drawLinks() {
        /** @type {Node[]} */
        const lines = [];
        hexes.forEach((hex, n) => {
            if (state.tiles[n] === 'water') {
                const shore = hex.near.map((to, way) =>
                    to >= 0 && state.waters[to] === state.waters[n]
                        ? '' : edge(hex, way)).join('');
                lines.push(svg('path', {class: 'shore', d: shore}));
            } else if (state.tiles[n] !== 'empty') {
                for (const way of [1, 4, 5]) {
                    const to = hex.near[way];
                    if (to >= 0 && state.tiles[to] === state.tiles[n]
                        && state.owners[to] === state.owners[n])
                        lines.push(svg('line', {
                            class: `link own-${state.owners[n]}`,
                            x1: hex.x, y1: hex.y, x2: hexes[to].x,
                            y2: hexes[to].y}));
                }
            }
        });
        fill(links, lines);
    }

    function describe() {
        const chains = groups(hexes, (n) => {
            const kind = state.tiles[n];
            return kind === 'empty' || kind === 'water' ? ''
                : kind + state.owners[n];
        });
        const lakes = groups(hexes, (n) => state.tiles[n] === 'water'
            ? `${state.waters[n]}` : '');
        const who = names();
        labels = hexes.map(({name}, n) => {
            const kind = state.tiles[n];
            const parts = [name, state.ground[n] === 'void' ? '' : t(state.ground[n])];
            if (kind === 'water')
                parts[1] = t('lake', {n: lakes[n]});
            else if (kind !== 'empty')
                parts.push(t(kind === 'land' ? 'chain' : 'herd', {
                    what: t(kind), n: chains[n],
                    name: who[state.owners[n] ?? 0]}));
            if (state.haciendas[n])
                parts.push(t('hacienda'));
            if (state.chips[n])
                parts.push(t('chip'));
            if (state.ground[n] === 'market') {
                const came = visitors(n).map((seat) => who[seat ?? 0]);
                parts.push(came.length
                    ? t('reached', {names: came.join(', ')})
                    : t('unreached'), t('sides', {n: openSides(n)}));
            }
            return parts.join(', ');
        });
    }

    function mind() {
        spot.forEach((element, n) => {
            if (!element)
                return;
            const target = targets.get(hexes[n].name);
            set(element, {
                class: target ? 'spot target' : 'spot',
                role: target ? 'button' : 'img',
                'aria-label': target ? `${labels[n]}: ${target.label}`
                    : labels[n],
                'data-move': target?.move ? JSON.stringify(target.move) : null,
                'data-step': target && !target.move ? hexes[n].name : null,
                tabindex: n === cursor ? 0 : -1,
            });
        });
    }

    function go(/** @type {number} */ n) {
        if (cursor >= 0)
            spot[cursor]?.setAttribute('tabindex', '-1');
        cursor = n;
        spot[n]?.setAttribute('tabindex', '0');
        spot[n]?.focus({preventScroll: true});
        view.reveal(hexes[n].x + MARGIN, hexes[n].y);
    }

    /* The next space that is no void, one way or other. */
    function next(/** @type {string} */ key) {
        const here = hexes[cursor];
        const side = key === 'ArrowLeft' ? -1 : key === 'ArrowRight' ? 1 : 0;
        const down = key === 'ArrowUp' ? -1 : key === 'ArrowDown' ? 1 : 0;
        let best = -1;
        let least = Infinity;
        hexes.forEach((hex, n) => {
            if (!spot[n])
                return;
            const along = side ? (hex.x - here.x) * side
                : (hex.row - here.row) * down * 1000;
            if (along <= 0 || side && hex.row !== here.row)
                return;
            const far = along + Math.abs(side ? 0 : hex.x - here.x - 1);
            if (far < least)
                [best, least] = [n, far];
        });
        return best;
    }

    function nextTarget(/** @type {number} */ way) {
        const all = hexes.map((hex, n) => targets.has(hex.name) ? n : -1)
            .filter((n) => n >= 0);
        return way > 0 ? all.find((n) => n > cursor) ?? all[0]
            : all.filter((n) => n < cursor).pop() ?? all[all.length - 1];
    }

    const at = (/** @type {Event} */ event) => {
        const name = /** @type {Element} */ (event.target)
            .closest?.('.spot')?.getAttribute('data-target');
        return name ? named.get(name) ?? -1 : -1;
    };
    drawing.addEventListener('pointerdown', (event) => {
        touched = event.pointerType === 'touch';
    });
    drawing.addEventListener('pointerover', (event) => {
        const n = at(event);
        if (event.pointerType !== 'touch')
            onlook(n < 0 ? null : hexes[n].name);
    });
    drawing.addEventListener('pointerleave', (event) => {
        if (event.pointerType !== 'touch')
            onlook(null);
    });
    drawing.addEventListener('focusin', (event) => {
        const n = at(event);
        if (n < 0)
            return;
        cursor = n;
        mind();
        onlook(hexes[n].name);
    });
    drawing.addEventListener('click', (event) => {
        let n = at(event);
        if (touched && targets.size && !(n >= 0 && targets.has(hexes[n].name)))
            n = nearest(event);
        if (n < 0)
            return;
        if (targets.has(hexes[n].name))
            onpick(hexes[n].name, touched);
        else
            onlook(hexes[n].name);
    });
    /* The target that a finger meant. */
    function nearest(/** @type {MouseEvent} */ event) {
        const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(
            /** @type {DOMMatrix} */ (spots.getScreenCTM()).inverse());
        let best = -1;
        let least = FAR;
        hexes.forEach((hex, n) => {
            const far = Math.hypot(hex.x - point.x, hex.y - point.y);
            if (targets.has(hex.name) && far < least)
                [best, least] = [n, far];
        });
        return best;
    }
    drawing.addEventListener('keydown', (event) => {
        if (event.ctrlKey || event.altKey || event.metaKey || at(event) < 0)
            return;
        const way = {n: 1, p: -1}[event.key];
        if (event.key === 'Enter' || event.key === ' ') {
            if (targets.has(hexes[cursor].name))
                onpick(hexes[cursor].name, false);
        } else if (way || event.key.startsWith('Arrow')) {
            const to = way ? nextTarget(way) : next(event.key);
            if (to !== undefined && to >= 0)
                go(to);
        } else {
            return;
        }
        event.preventDefault();
        event.stopPropagation();
    });

    return {
        frame: view.frame,
        keys: view.keys,
        /** What a space is, in words. @param {string} name */
        words: (name) => labels[named.get(name) ?? 0],
        /**
         * @param {Table} table
         * @param {boolean} fresh Whether to show what is new.
         */
        update(table, fresh) {
            state = table;
            hexes.forEach((_, n) => drawGround(n));
            hexes.forEach((_, n) => drawTile(n, fresh));
            drawLinks();
            describe();
            if (cursor < 0)
                cursor = spot.findIndex((element) => element);
            mind();
        },
        /** @param {Map<string, Target>} now */
        offer(now) {
            targets = now;
            drawing.classList.toggle('offering', now.size > 0);
            mind();
        },
        /**
         * Shows what would be laid.
         * @param {string[]} where
         * @param {string} kind
         * @param {number | null} seat
         */
        ghost(where, kind, seat) {
            fill(ghosts, where.map((name) => {
                const {x, y} = hexes[named.get(name) ?? 0];
                return svg('g', {class: `ghost own-${seat}`,
                                 transform: `translate(${x.toFixed(1)} ${y})`},
                    svg('path', {class: kind === 'land' || kind === 'lake'
                        ? kind : 'animal', d: outline(0.8)}),
                    kind === 'land' || kind === 'lake' ? null
                        : picture(kind, 0, 0, 21));
            }));
        },
    };
}
