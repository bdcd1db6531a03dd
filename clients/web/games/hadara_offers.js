// hadara_offers.js -- what can be decided at each stage: things with the ways to
// take them, what my numbers become by each, and why one of them is no way.  It comes
// with the numbers; what hadara.js has, too, it is lent: to share it would be a
// piece more.

import {add, fill, h, svg} from '../dom.js';
import {amount, tip} from './kit.js';
import {scene} from './hadara_scenes.js';

/** @typedef {import('../types.js').Move} Move */
/** @typedef {import('../types.js').Table} Table */
/** @typedef {import('../dom.js').Child} Child */

const COLORS = ['yellow', 'red', 'blue', 'green', 'purple'];
const TRACKS = ['income', 'military', 'culture', 'food'];
const NUMBERS = ['coins', ...TRACKS, 'points', 'value'];

/**
 * What the panel lends to it.
 * @typedef {object} Lent
 * @property {() => import('./hadara_tables.js').Tables} numbers
 * @property {() => any} state
 * @property {() => import('../types.js').Legal} legal
 * @property {() => boolean} busy
 * @property {() => any} mine
 * @property {(id: string) => string} said
 * @property {(id: string) => string} cardTip
 * @property {(id: string) => string} kind "Yellow II".
 * @property {(id: string, tile?: string | null, before?: Child) => Child | undefined} mini
 * @property {typeof import('./hadara_tables.js').goals} goals
 * @property {typeof import('./hadara_art.js').sign} sign
 * @property {typeof import('./hadara_art.js').outline} outline
 * @property {typeof import('./hadara_art.js').coin} coin
 * @property {(name: string, n: Child) => HTMLElement} number
 * @property {(values: {[track: string]: number}, points: number) => Child[]} numbersOf
 * @property {(kind: string, n: number) => string} goalSaid
 * @property {{of: (move: Move) => Promise<import('../types.js').View | null>}} tried
 * @property {(after: any) => void} look Shows where my numbers would go.
 * @property {(move: Move, label: string) => void} play
 */

/** @param {Table} table @param {Lent} lent */
export function offersOf(table, lent) {
    const {t} = table;
    const {mine, number, coin, goals, outline, sign} = lent;
    /** What an element stands for: my numbers then. @type {WeakMap<Element, any>} */
    let brings = new WeakMap();
    /** Moves that are to be tried, one at a time, so that nothing else waits.
     * @type {(() => Promise<void>)[]} */
    let queue = [];
    let timer = 0;

    function work() {
        timer = 0;
        const next = queue.shift();
        next?.().then(() => {
            if (queue.length > 0 && !timer)
                timer = window.setTimeout(work);
        });
    }

    /** Calls TOLD with my numbers after MOVE, some time.
     * @param {Move} move @param {(after: any) => void} told */
    function later(move, told) {
        queue.push(async () => {
            const view = await lent.tried.of(move);
            const now = view?.game_state.players[table.you ?? 0].now;
            if (now)
                told(now);
        });
        timer ||= window.setTimeout(work);
    }

    /** Legal moves of a verb; `pay: 0` says no more than no `pay`.
     * @param {string} verb @param {(move: Move) => boolean} [which] */
    const moves = (verb, which = () => true) => lent.legal().moves.filter(
        (move) => move.verb === verb && move.pay !== 0 && which(move));
    const paid = (/** @type {Move} */ move) =>
        move.pay ? ` ${t('pay', {n: move.pay})}` : '';

    /* ---- ways ---- */

    /**
     * A button that plays a move; what it is a way of is said with it.
     * @param {Move} move
     * @param {Child | Child[]} label
     * @param {{of?: string, after?: any, main?: boolean, chosen?: boolean,
     *     gains?: Element, asked?: string, then?: (after: any) => void}} [more]
     *     GAINS is filled with what changes; THEN is told it.
     */
    function way(move, label, {of = '', after, main = false, chosen = false,
        gains, asked = '', then} = {}) {
        const button = h('button', {
            type: 'button', class: `way${main ? ' main' : ''}`, disabled: lent.busy(),
            'data-move': JSON.stringify(move), 'aria-pressed': chosen ? 'true' : undefined,
            onclick: () => lent.play(move, asked || button.innerText.trim()),
        }, chosen && '✓ ', label, of && h('span', {class: 'sr'}, `: ${of}`));
        const told = (/** @type {any} */ now) => {
            brings.set(button, now);
            if (gains)
                add(gains, changes(now));
            then?.(now);
        };
        if (after)
            told(after);
        else if (after === undefined && table.you !== null)
            later(move, told);
        return button;
    }

    /** A way that there is not, and why.
     * @param {Child | Child[]} label @param {string} why @param {string} [of] */
    const noWay = (label, why, of = '') => h('button', {
        type: 'button', class: 'way locked not', 'aria-disabled': 'true',
        'data-why': why,
    }, h('span', null, label, of && h('span', {class: 'sr'}, `: ${of}`)),
    h('small', null, why));

    const tooDear = (/** @type {number} */ cost) =>
        t('too_dear', {n: cost, have: mine().coins});

    /* What my numbers become: those that change, and what that reaches. */
    function changes(/** @type {any} */ after) {
        const before = mine()?.now;
        if (!before)
            return [];
        const rows = NUMBERS.filter((name) => after[name] !== null
            && after[name] !== before[name]).map((name) => h('li', {
            class: after[name] > before[name] ? 'up' : 'down'}, sign(name),
        h('span', null, t(name)), h('b', null, `${before[name]} → ${after[name]}`)));
        const reached = ['military', 'culture'].flatMap((track) =>
            goals(mine(), track, lent.numbers()).filter(({has, need}) => !has
                && need > before[track] && need <= after[track]));
        return [...rows, ...reached.map(({kind, n, points}) => h('li', {class: 'reach'},
            t(`reach.${kind}`, {n, points})))];
    }

    const list = () => h('ul', {class: 'changes'});
    const offer = (/** @type {string} */ name, /** @type {string} */ kind,
        /** @type {...(Child | Child[] | undefined)} */ ...parts) =>
        h('div', {class: `offer ${kind}`, role: 'group', 'aria-label': name},
            ...parts.map((part) => part ?? null));
    const keys = (/** @type {(Child | Child[])[]} */ ...all) =>
        h('div', {class: 'keys'}, ...all);

    /* ---- cards ---- */

    /** A card as it lies there; COST is what I would pay.
     * @param {string} id @param {number | null} cost */
    function faceOf(id, cost) {
        const known = lent.numbers().cards[id];
        const [color, epoch] = id.split('-');
        return known && h('div', {class: `hcard c-${color}`, role: 'img', 'data-card': id,
            'aria-label': `${lent.said(id)}\n${t('cost', {n: cost ?? known.cost})}`,
            ...tip(lent.cardTip(id))},
            h('div', {class: 'band'}, coin(cost ?? known.cost, known.cost),
                h('span', {class: 'kind'}, lent.kind(id))),
            scene(color, Number(epoch)),
            h('div', {class: 'gives'}, lent.numbersOf(known.values, known.points)),
            known.effect && h('p', {class: 'effect'}, table.help(known.effect)));
    }

    /**
     * A card that can be bought or sold.
     * @param {string} id
     * @param {number} cost
     * @param {Move[]} all
     * @param {(way: string) => any} known My numbers after `sell`, `buy` ...; null
     *     if they can only be tried.
     * @param {(move: Move) => boolean} [chosen]
     * @param {string} [of] What it is called.
     */
    function card(id, cost, all, known, chosen = () => false, of = lent.said(id)) {
        const gains = list();
        const buys = all.filter((move) => move.keep === 'buy');
        const [sale] = all.filter((move) => move.keep === 'sell');
        const after = (/** @type {Move} */ move) => known(move.keep === 'sell' ? 'sell'
            : move.tile ? `buy_${move.tile}` : 'buy') ?? undefined;
        const price = t('buy_card', {n: cost});
        const face = faceOf(id, cost);
        const buttons = buys.map((move, n) => way(move, move.tile
            ? [sign(`${move.tile}`), t('buy_tile', {n: cost, tile: t(`${move.tile}`)})]
            : price, {of, after: after(move), main: true, chosen: chosen(move),
                      gains: n === 0 ? gains : undefined}));
        const sold = h('span', null, t('sell_card'));
        const then = (/** @type {any} */ now) => fill(sold, t('sell_for', {
            n: now.coins - mine().coins}));
        const box = offer(of, all.some(chosen) ? 'chosen' : '', face, gains,
            all.length > 0 && keys(buttons.length ? buttons
                : noWay(price, tooDear(cost), of),
            sale && way(sale, sold, {of, after: after(sale), chosen: chosen(sale), then})));
        if (buttons[0] && brings.has(buttons[0]) && face instanceof Element)
            brings.set(face, brings.get(buttons[0]));
        return box;
    }

    function drawn() {
        const me = mine();
        const {cards} = lent.state().previews ?? {};
        return moves('choose').length === 0 ? []
            : me.drawn.map((/** @type {string} */ id, /** @type {number} */ slot) => {
                const other = me.drawn[1 - slot];
                const of = lent.said(id);
                const {discard, keep, tile} = me.choice;
                return card(id, cards[slot].cost,
                    moves('choose', (move) => move.discard === other),
                    (name) => cards[slot][name]?.coins === null ? null : cards[slot][name],
                    (move) => discard === other && keep === move.keep
                        && tile === (move.tile ?? null),
                    lent.said(other) === of ? `${of} (${slot + 1})` : of);
            });
    }

    /* The tops of the piles, also while somebody else takes one. */
    function takes() {
        const {piles, previews} = lent.state();
        return COLORS.filter((color) => piles[color].length > 0).map((color) => {
            const id = piles[color].at(-1);
            const cost = previews?.pile_costs[color] ?? lent.numbers().cards[id].cost;
            return card(id, cost, moves('take', (move) => move.color === color), () => null);
        });
    }

    function sides() {
        const me = mine();
        const setup = me && lent.numbers().setup_cards[me.initiative - 1];
        return setup ? moves('choose_side').map((move) => {
            const side = setup[`${move.side}`];
            const name = t('side', {side: `${move.side}`.toUpperCase()});
            return offer(name, me.side === move.side ? 'side chosen' : 'side',
                h('div', {class: 'hcard setup'},
                    h('div', {class: 'band'}, coin(side.coins),
                        h('span', {class: 'kind'}, name)),
                    h('div', {class: 'gives'}, lent.numbersOf(side.values, 0))),
                keys(way(move, t('choose_side', {side: `${move.side}`.toUpperCase()}), {
                    after: lent.state().previews.sides[`${move.side}`], main: true,
                    chosen: me.side === move.side})));
        }) : [];
    }

    /* ---- colonies and statues ---- */

    /* What stands on a colony, statue or medal. */
    const plate = (/** @type {string} */ kind, /** @type {string} */ name,
        /** @type {string} */ of, /** @type {Child | Child[]} */ band,
        /** @type {...(Child | Child[])} */ ...gives) =>
        h('div', {class: `hcard plate ${kind}`},
            h('div', {class: 'band'}, band, h('span', {class: 'kind'}, name)),
            svg('svg', {class: 'scene', viewBox: '-20 -13 40 26', 'aria-hidden': 'true'},
                svg('path', {class: 'd', d: outline(of), 'fill-rule': 'evenodd'})),
            h('div', {class: 'gives'}, ...gives));

    /* Why a colony or statue of mine is out of reach; '' if it is not that. */
    function tooFar(/** @type {string} */ track, /** @type {number} */ need) {
        const has = mine().now[track];
        return has < need ? t(`needs.${track}`, {n: need, have: has}) : '';
    }

    function colonies(/** @type {boolean} */ can) {
        return can ? lent.numbers().colonies.flatMap((of, n) => {
            const all = moves('take_colony', (move) => move.level === n + 1);
            const name = t('level', {n: n + 1});
            if (mine().colonies[n].mode)
                return [];
            const front = plate('colony', name, 'military',
                number('military', `${of.requirement}`), number('points', `${of.points}`));
            if (all.length === 0)
                return [offer(name, 'far', front, h('p', {class: 'why'},
                    tooFar('military', mine().requirements.colonies[n])))];
            const ways = ['plunder', 'integrate'].map((mode) => {
                const move = all.find((one) => one.mode === mode);
                const gains = list();
                const label = t(`${mode}_for`, {n: mode === 'plunder'
                    ? of.plunder : of.integrate});
                return h('div', {class: 'choice'}, move
                    ? way(move, label + paid(move), {of: name, main: true, gains})
                    : noWay(label, tooDear(of.integrate), name), gains,
                move && mode === 'integrate' && h('p', {class: 'soft'}, t('back')));
            });
            return [offer(lent.goalSaid('colony', n + 1), 'goal-offer', front,
                h('div', {class: 'two'}, ways))];
        }) : [];
    }

    /* A tile goes on a statue for its track, or for points. */
    function statues(/** @type {boolean} */ can) {
        return can ? lent.numbers().statues.flatMap((of, n) => {
            const all = moves('carve', (move) => move.statue === n + 1);
            const name = t('statue', {n: n + 1});
            if (mine().statues[n].tile)
                return [];
            const front = plate('statue', name, 'culture',
                number('culture', `${of.requirement}`), number('points', `${of.points}`));
            if (all.length === 0)
                return [offer(name, 'far', front, h('p', {class: 'why'},
                    tooFar('culture', mine().requirements.statues[n])))];
            const rows = TRACKS.map((track) => {
                const some = all.filter((move) => move.tile === track);
                return some.length === 0
                    ? h('p', {class: 'why'}, sign(track), t('no_tile', {tile: t(track)}))
                    : h('div', {class: 'tile-ways'}, some.map((move) => way(move,
                        [sign(track), t(`carve_${move.face}`, {tile: t(track),
                            n: of.bonus}) + paid(move),
                        move.face === 'points' && h('span', {class: 'sr'}, ` ${t(track)}`)],
                        {of: name, main: move.face === 'up'})));
            });
            return [offer(lent.goalSaid('statue', n + 1), 'goal-offer', front,
                h('div', {class: 'tile-list'}, rows))];
        }) : [];
    }

    /* ---- feeding and medals ---- */

    function feeding() {
        const remove = moves('remove');
        const fees = lent.legal().ranges.filter(({move}) => move.verb === 'pay_feed');
        const once = moves('pay_feed');
        const price = t('feed_pay', {n: mine().feed_price});
        return [
            (fees.length > 0 || once.length > 0) && h('div', {class: 'offer fees'},
                once.map((move) => way(move, t('feed', {n: move.cards,
                    coins: mine().feed_price * Number(move.cards)}))),
                fees.map((range) => amount(range, t('feed_cards'), price,
                    (move) => lent.play(move, price)))),
            remove.length > 0 && h('div', {class: 'removable', role: 'group',
                'aria-label': t('own_cards')}, remove.map((move) =>
                way(move, [lent.mini(`${move.card}`) ?? null,
                           h('span', {class: 'verb'}, t('remove'))],
                {asked: t('remove')})))];
    }

    /* A medal that there is, or why not. */
    function medal(/** @type {string} */ kind, /** @type {number} */ price,
        /** @type {Move[]} */ all, /** @type {Child[]} */ ways) {
        const me = mine();
        const own = kind === 'silver' ? me.silver.filter(Boolean).length : me.gold;
        const why = own === 2 ? t('two_medals') : price > me.coins ? tooDear(price)
            : t('no_tiles');
        return offer(t(`medal.${kind}`), `medal ${kind}`,
            plate(kind, t(`medal.${kind}`), 'value', coin(price),
                h('p', {class: 'effect'}, t(`medal.${kind}.for`))),
            all.length ? keys(ways) : h('p', {class: 'why'}, why));
    }

    function medals() {
        const {silver, gold} = lent.state().previews?.medal_costs ?? {};
        if (moves('done').length === 0)
            return [];
        const silvers = moves('buy_silver'), golds = moves('buy_gold');
        const told = (/** @type {Move} */ move, /** @type {Child[]} */ label) => {
            const gain = h('b', {class: 'gain'});
            const button = way(move, [...label, gain]);
            later(move, (now) => add(gain, t('value.then', {
                n: now.value - mine().now.value >= 0 ? `+${now.value - mine().now.value}`
                    : `−${mine().now.value - now.value}`})));
            return button;
        };
        return [
            medal('silver', silver, silvers, silvers.map((move) => told(move,
                [sign(`${move.track}`), t('buy_silver', {tile: t(`${move.track}`)})]))),
            medal('gold', gold, golds, golds.map((move) =>
                told(move, [t('buy_gold', {n: gold})])))];
    }

    /* ---- all ---- */

    const one = (/** @type {string} */ verb) => moves(verb).map((move) =>
        way(move, t(verb), {after: null, main: verb === 'done'}));

    /* What is looked at, by pointer or focus, tells what it brings. */
    function watched(/** @type {HTMLElement} */ box) {
        const look = (/** @type {Event} */ event) => {
            let at = /** @type {Element | null} */ (event.target);
            while (at && at !== box && !brings.has(at))
                at = at.parentElement;
            lent.look(at && at !== box ? brings.get(at) : null);
        };
        for (const kind of ['pointerover', 'focusin', 'pointerdown'])
            box.addEventListener(kind, look);
        for (const kind of ['pointerleave', 'focusout'])
            box.addEventListener(kind, () => lent.look(null));
        return box;
    }

    return {
        /** What can be done now, or, where CAN is false, what can be seen of it.
         * @param {boolean} can @returns {Child[]} */
        all(can) {
            const {stage} = lent.state();
            queue = [];
            brings = new WeakMap();
            /** @type {(Child | undefined)[]} */
            const found = stage === 'take' ? takes() : !can ? []
                : stage === 'choose' ? drawn() : stage === 'sides' ? sides()
                    : stage === 'colony' ? colonies(can) : stage === 'statue'
                        ? statues(can) : stage === 'feed' ? [...feeding(), ...medals()] : [];
            const some = /** @type {Child[]} */ (found.filter(Boolean));
            return some.length > 0
                ? [watched(h('div', {class: `offers s-${stage}`}, some))] : [];
        },
        /** What ends one's turn. @param {boolean} can */
        out: (can) => can ? [...one('pass'), ...one('done')] : [],
        end() {
            queue = [];
            clearTimeout(timer);
        },
    };
}
