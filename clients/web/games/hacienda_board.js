// hacienda_board.js -- the board of Hacienda: grounds, tiles, and the spaces
// that can be pointed at.
//
// From below: grounds, which stay visible; the outlines of chains and lakes, what
// links a herd, roads to markets; tiles; the chain or herd that is looked at;
// ghosts of what is about to be laid and
// marks of what was; a spot for each space, which alone hears.  A spot has `data-target`, the name of its space; while something can
// be put there it is a button with `data-move` or `data-step` (README.md).

import {add, fill, set, svg} from '../dom.js';
import {HALF, edge, groups, hexBoard, letter, outline} from './hacienda_hexes.js';
import {arrive, mark} from './kit.js';
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
 * @property {number} [pays] The pesos that it brings, which the space says.
 */

const MARGIN = 18; /* half a hex on each side, where the letters are */
const ANIMALS = ['cattle', 'horse', 'pig', 'sheep'];
const FAR = 32; /* how far a finger may miss, in units */

/**
 * @param {Table} first
 * @param {(key: string, args?: any) => string} t
 * @param {() => string[]} names
 * @param {(name: string, touched: boolean) => void} onpick A target is chosen.
 * @param {(name: string | null) => void} onlook A space is looked at.
 * @param {(name: string) => string} whyNot Why one cannot be chosen that is no
 *     target, if it is known.
 * @param {(group: number[]) => number | null} worth What a chain or herd brings
 *     its owner, if it were scored now.
 */
export function board(first, t, names, onpick, onlook, whyNot, worth) {
    const {hexes, named, width, height} = hexBoard(first.columns, first.rows);
    const layer = (/** @type {string} */ name) => svg('g', {class: name});
    const [grounds, links, pieces, whole, ghosts, marks, pays, spots] = ['grounds',
        'links', 'pieces', 'whole', 'ghosts', 'marks', 'pays', 'spots'].map(layer);
    const drawing = svg('svg', {class: 'board', role: 'application',
                                 'aria-label': t('board')},
        add(svg('g', {transform: `translate(${MARGIN} ${MARGIN / 2})`}),
            letters(), grounds, links, pieces, whole, ghosts, marks, spots, pays));
    const view = zoom(drawing, width + 2 * MARGIN, height + MARGIN, t, {
        least: 2 * HALF, small: async () =>
            (await import('./hacienda_thumb.js')).default.picture(state)});
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
    /** The chain or herd that each tile is of. @type {number[][]} */
    let chains = [];
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
        const now = [kind, owner, state.haciendas[n], state.chips[n]].join();
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
        const disc = (/** @type {string} */ name, /** @type {number} */ r,
            /** @type {number} */ v = 0) =>
            svg('circle', {class: name, r, cy: v});
        if (isAnimal(n))
            add(piece, disc('rim', 15.6), disc('animal', 14),
                picture(kind, 0, -1, 19));
        if (kind === 'land' || isAnimal(n))
            add(piece, disc('badge-ground', 4.6, 12.5),
                sign(0, 12.5, 0.34, 'sign', owner));
        else if (kind === 'water')
            add(piece, svg('path', {class: 'lake', d: outline()}),
                picture('water', 0, 0, 22));
        if (state.haciendas[n])
            piece.append(picture('hacienda', 0, kind === 'land' ? -2 : 4, 18));
        if (state.chips[n])
            piece.append(picture('chip', -7, -7, 15));
        if (piece.firstChild)
            pieces.append(piece);
        if (piece.firstChild && fresh)
            arrive(piece, kind === 'water' ? null : owner);
    }

    /* One chain or herd goes on from N to TO. */
    const joined = (/** @type {number} */ n, /** @type {number} */ to) =>
        to >= 0 && state.tiles[to] === state.tiles[n]
            && state.owners[to] === state.owners[n];

    /* A line that is seen on any ground: of its owner, within a casing. */
    const cased = (/** @type {string} */ kind, /** @type {string} */ d,
        /** @type {number | null} */ owner) => [
        svg('path', {class: `${kind} casing`, d}),
        svg('path', {class: `${kind} own-${owner}`, d})];

    function drawLinks() {
        /** @type {Node[]} */
        const shores = [];
        /** @type {Node[]} */
        const tints = [];
        /** @type {Node[]} */
        const roads = [];
        /** The edges of all chains, by owner. @type {Map<number, string>} */
        const edges = new Map();
        hexes.forEach((hex, n) => {
            const [kind, owner] = [state.tiles[n], state.owners[n] ?? 0];
            const line = (/** @type {number} */ to, far = 1) =>
                `M${hex.x.toFixed(1)} ${hex.y}l${
                    (far * (hexes[to].x - hex.x)).toFixed(1)} ${
                    (far * (hexes[to].y - hex.y)).toFixed(1)}`;
            if (kind === 'water') {
                const shore = hex.near.map((to, way) =>
                    to >= 0 && state.waters[to] === state.waters[n]
                        ? '' : edge(hex, way)).join('');
                shores.push(svg('path', {class: 'shore', d: shore}));
            } else if (kind === 'land') {
                tints.push(svg('path', {class: `claim own-${owner}`,
                    d: outline(), transform: `translate(${
                        hex.x.toFixed(1)} ${hex.y})`}));
                edges.set(owner, (edges.get(owner) ?? '') + hex.near.map(
                    (to, way) => joined(n, to) ? '' : edge(hex, way, 0.9))
                    .join(''));
            } else if (isAnimal(n)) {
                for (const [way, to] of hex.near.entries())
                    if (to >= 0 && state.ground[to] === 'market')
                        roads.push(...cased('road', line(to, 0.66), owner));
                    else if ([1, 4, 5].includes(way) && joined(n, to))
                        roads.push(...cased('link', line(to), owner));
            }
        });
        fill(links, shores, tints, [...edges].flatMap(([owner, d]) =>
            cased('chain', d, owner)), roads);
    }

    function describe() {
        chains = groups(hexes, (n) => {
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
                parts[1] = t('lake', {n: lakes[n].length});
            else if (kind !== 'empty')
                parts.push(t(kind === 'land' ? 'chain' : 'herd', {
                    what: t(kind), n: chains[n].length,
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
                'aria-label': target ? `${labels[n]}: ${target.label}${target.pays
                    ? `, +${target.pays} ${t('pesos')}` : ''}` : labels[n],
                'data-move': target?.move ? JSON.stringify(target.move) : null,
                'data-step': target && !target.move ? hexes[n].name : null,
                'data-why': null, 'data-tip': null,
                tabindex: n === cursor ? 0 : -1,
            });
        });
    }

    /* The chain or herd of a tile, outlined, and told with what it is worth. */
    function group(/** @type {number} */ n) {
        const all = n < 0 ? [] : chains[n] ?? [];
        const d = all.map((at) => hexes[at].near.map((to, way) =>
            all.includes(to) ? '' : edge(hexes[at], way)).join('')).join('');
        fill(whole, d && [svg('path', {class: 'casing', d}), svg('path', {d})]);
        if (n < 0 || targets.size > 0 || state.tiles[n] === 'empty'
            && state.ground[n] !== 'market')
            return;
        const points = all.length > 0 ? worth(all) : null;
        set(/** @type {Element} */ (spot[n]), {'data-tip': points === null
            ? labels[n] : `${labels[n]}\n${t('worth', {n: points})}`});
    }

    function go(/** @type {number} */ n) {
        if (cursor >= 0)
            spot[cursor]?.setAttribute('tabindex', '-1');
        cursor = n;
        spot[n]?.setAttribute('tabindex', '0');
        spot[n]?.focus({preventScroll: true});
        view.reveal(hexes[n].x + MARGIN, hexes[n].y + MARGIN / 2);
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
        group(n);
        if (event.pointerType !== 'touch')
            onlook(n < 0 ? null : hexes[n].name);
    });
    drawing.addEventListener('pointerleave', (event) => {
        group(-1);
        if (event.pointerType !== 'touch')
            onlook(null);
    });
    drawing.addEventListener('focusin', (event) => {
        const n = at(event);
        if (n < 0)
            return;
        cursor = n;
        mind();
        group(n);
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
            refuse(n);
    });
    function refuse(/** @type {number} */ n) {
        const {name} = hexes[n];
        onlook(name);
        set(/** @type {Element} */ (spot[n]), {'data-why': whyNot(name) || null});
    }
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
            else
                spot[cursor]?.dispatchEvent(
                    new MouseEvent('click', {bubbles: true}));
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
        /** Whether a space lies at a market. @param {string} name */
        sells: (name) => neighbours(named.get(name) ?? 0).some((to) =>
            state.ground[to] === 'market'),
        first: () => hexes[spot.findIndex((element) => element)]?.name,
        /** What a space is, in words. @param {string} name */
        words: (name) => labels[named.get(name) ?? 0],
        /**
         * To be followed by offer().
         * @param {Table} table
         * @param {boolean} fresh Whether to show what is new.
         */
        update(table, fresh) {
            state = table;
            hexes.forEach((_, n) => drawGround(n));
            hexes.forEach((_, n) => drawTile(n, fresh));
            drawLinks();
            describe();
            group(-1);
            view.refresh();
            if (cursor < 0)
                cursor = spot.findIndex((element) => element);
        },
        /** @param {Map<string, Target>} now */
        offer(now) {
            targets = now;
            drawing.classList.toggle('offering', now.size > 0);
            mind();
            fill(pays, hexes.map(({name, x, y}) => {
                const much = now.get(name)?.pays;
                return much && add(svg('g', {transform: `translate(${
                    x.toFixed(1)} ${y})`}), picture('coin', -8.5, 0, 11),
                svg('text', {x: -2.5, y: 4}, `+${much}`));
            }));
            view.reach(hexes.filter(({name}) => now.has(name)).map(({x, y}) =>
                [x + MARGIN, y + MARGIN / 2]));
        },
        /** Marks these spaces, in order. @param {string[]} places */
        point(places) {
            fill(marks, places.map((name, n) => {
                const hex = hexes[named.get(name) ?? -1];
                return hex && svg('g', {class: 'told', transform:
                    `translate(${hex.x.toFixed(1)} ${hex.y})`},
                svg('path', {d: outline(0.97)}),
                places.length > 1 && svg('circle', {r: 5.5, cx: 11, cy: -11}),
                places.length > 1 && svg('text', {x: 11, y: -8}, n + 1));
            }));
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
                    kind === 'land' || kind === 'lake'
                        ? svg('path', {class: kind, d: outline(0.86)})
                        : [svg('circle', {class: 'rim', r: 15.6}),
                            svg('circle', {class: 'animal', r: 14}),
                            picture(kind, 0, 0, 20)]);
            }));
        },
    };
}
