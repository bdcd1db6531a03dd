// hadara.js -- the panel of Hadara.
//
//     status    epoch, phase, step, who is waited for
//     choices   what one can do now: cards, piles, colonies, statues, medals,
//               each with the ways to take it and what my numbers become
//     wheel     ring of colours with decks and players; the piles beside it
//     boards    everybody's tracks, cards by colour, colonies, statues, medals
//
// For tests: each way is a button with `data-move`; an amount is an input with
// `data-range` before its button; nothing needs a step before it.

import {add, fill, h, svg} from '../dom.js';
import {amount, badge, languages, mark, play, previews, tell, tip, tips,
        waiting} from './kit.js';
import {tables} from './hadara_tables.js';
import words from './hadara_words.js';

/** @typedef {import('../types.js').Move} Move */
/** @typedef {import('../types.js').Table} Table */
/** @typedef {import('../types.js').View} View */
/** @typedef {import('../types.js').Legal} Legal */
/** @typedef {import('../dom.js').Child} Child */

const TRACKS = ['income', 'military', 'culture', 'food'];
const COLORS = ['yellow', 'red', 'blue', 'green', 'purple'];
const NUMBERS = ['coins', ...TRACKS, 'points', 'value'];

/** Outlines in 20 by 20 around 0, 0. */
const ICONS = /** @type {{[name: string]: string}} */ ({
    coins: 'M0-8A8 8 0 1 1-.01-8ZM-2-4V4H2V-4Z',
    income: 'M-8 8V3H8V8ZM-6 2V-3H6V2ZM-4-4V-9H4V-4Z',
    military: 'M0-9L8-6V0Q7 6 0 9Q-7 6-8 0V-6ZM-1.2-5V-1H-5V1.4H-1.2V6H1.2V1.4H5V-1H1.2V-5Z',
    culture: 'M-9-4L0-9L9-4V-2.5H-9ZM-7-1.5H-4.5V6H-7ZM-1.25-1.5H1.25V6H-1.25ZM4.5-1.5H7V6H4.5ZM-9 7H9V9H-9Z',
    food: 'M-1 9V3Q-6 3-6-2Q-2-2-1 1V-2Q-4-4-3-9Q0-8 1-3Q4-7 6-6Q5-2 1-1V1Q2-2 6-2Q6 3 1 3V9Z',
    points: 'M0-9L2.6-3.3L9-2.6L4.3 1.7L5.6 8L0 4.8L-5.6 8L-4.3 1.7L-9-2.6L-2.6-3.3Z',
    value: 'M-8-8H8V-4Q7 0 3 1L2 4H5V8H-5V4H-2L-3 1Q-7 0-8-4Z',
});

/** @type {import('../types.js').GameModule} */
export default {
    css: true,
    words: languages(words),
    describe,
    mount,
};

/** The numbers of tables that are shown. @type {Map<string,
 *     import('./hadara_tables.js').Tables>} */
const shown = new Map();

const colorOf = (/** @type {string} */ id) => id.split('-')[0];

/** @param {import('../types.js').Event} event @param {Table} table */
function describe(event, table) {
    const {t} = table;
    return tell(event, table, (word) => {
        if (!/-\d/.test(word))
            return t(word);
        const card = shown.get(table.id)?.cards[word];
        const gives = !card ? '' : [
            ...TRACKS.filter((track) => card.values[track]).map(
                (track) => `${t(track)} ${card.values[track]}`),
            card.points ? t('n_points', {n: card.points}) : '',
            card.effect ? table.help(card.effect).replace(/\.$/, '') : '',
        ].filter(Boolean).join(', ');
        return t(gives ? 'card_of' : 'card', {color: t(colorOf(word)), gives});
    });
}

/**
 * @param {HTMLElement} root
 * @param {Table} table
 * @returns {import('../types.js').Panel}
 */
function mount(root, table) {
    const {t} = table;
    const tried = previews(table);
    const status = h('div', {class: 'status'});
    const choices = h('section', {class: 'choices'});
    const middle = h('div', {class: 'middle'});
    const boards = h('div', {class: 'boards'});
    const endTips = tips(root);
    /** @type {import('./hadara_tables.js').Tables | null} */
    let numbers = null;
    /** @type {View} */
    let view;
    /** @type {any} */
    let state;
    /** @type {Legal} */
    let legal;
    let busy = false;
    /** Boards that are unfolded, by seat. @type {Map<number, boolean>} */
    const unfolded = new Map();

    root.classList.add('game', 'hadara');
    add(root, status, choices, middle, boards);

    const mine = () => table.you === null ? null : state.players[table.you];
    const icon = (/** @type {string} */ name) =>
        svg('svg', {class: `sign i-${name}`, viewBox: '-10 -10 20 20',
                    'aria-hidden': 'true'},
            svg('path', {d: ICONS[name], 'fill-rule': 'evenodd'}));
    const number = (/** @type {string} */ name, /** @type {Child} */ n) =>
        h('span', {class: 'number', ...tip(t(name))}, icon(name),
            h('span', {class: 'sr'}, `${t(name)} `), n);
    const numbersOf = (/** @type {{[track: string]: number}} */ values,
        /** @type {number} */ points) => [
        ...TRACKS.filter((track) => values[track]).map((track) =>
            number(track, `${values[track]}`)),
        points ? number('points', `${points}`) : null];

    /* ---- things ---- */

    function cardWords(/** @type {string} */ id) {
        const card = numbers?.cards[id];
        if (!card)
            return id;
        const gives = TRACKS.filter((track) => card.values[track]).map(
            (track) => `${t(track)} ${card.values[track]}`);
        return [`${t(colorOf(id))} ${id.slice(-4)}`,
                t('cost', {n: card.cost}), ...gives,
                t('n_points', {n: card.points}),
                card.effect && table.help(card.effect),
                card.estimate && t('estimate')].filter(Boolean).join('\n');
    }

    /**
     * A card; COST is what the viewer would pay.
     * @param {string} id
     * @param {number | null} [cost]
     * @param {...(Child | Child[])} more
     */
    function face(id, cost = null, ...more) {
        const card = numbers?.cards[id];
        return card && h('div', {class: `hcard c-${colorOf(id)}`},
            h('div', {class: 'head', tabindex: 0, role: 'group',
                      'aria-label': cardWords(id), ...tip(cardWords(id))},
                cost !== null && number('coins', h('span', null,
                    cost !== card.cost && h('s', null, `${card.cost}`), ` ${cost}`)),
                h('b', null, t(colorOf(id))),
                h('span', {class: 'gives'}, numbersOf(card.values, card.points))),
            card.effect && h('p', {class: 'effect'}, table.help(card.effect)),
            ...more);
    }

    /* What my numbers become: only those that change. */
    function changes(/** @type {any} */ after) {
        const before = mine()?.now;
        return before && NUMBERS.filter((name) => after[name] !== null
            && after[name] !== before[name]).map((name) =>
            number(name, h('span', {
                class: `change ${after[name] > before[name] ? 'up' : 'down'}`},
            `${before[name]}→${after[name]}`)));
    }

    /**
     * A button that plays a move and tells what comes of it.
     * @param {Move} move
     * @param {string} label
     * @param {any} [after] My numbers then, if they are known; null: they
     *     stay what they are.
     * @param {boolean} [chosen]
     */
    function way(move, label, after, chosen = false) {
        const gains = h('span', {class: 'gains'});
        const told = (/** @type {any} */ now) => now && add(gains, changes(now) ?? []);
        if (after !== undefined)
            told(after);
        else if (table.you !== null)
            tried.of(move).then((then) => told(
                then?.game_state.players[table.you ?? 0].now));
        return h('button', {
            type: 'button', class: 'way', disabled: busy,
            'data-move': JSON.stringify(move), 'aria-pressed': chosen || undefined,
            onclick: () => play(table, move, label),
        }, h('span', {class: 'what'}, chosen && '✓ ', label), gains);
    }

    /** Legal moves of a verb; `pay: 0` says no more than no `pay`. */
    const moves = (/** @type {string} */ verb) =>
        legal.moves.filter((move) => move.verb === verb && move.pay !== 0);
    const one = (/** @type {string} */ verb, /** @type {string} */ label) =>
        moves(verb).map((move) => way(move, t(label)));
    const paid = (/** @type {Move} */ move) =>
        move.pay ? ` ${t('pay', {n: move.pay})}` : '';
    const ways = (/** @type {(Child | Child[])[]} */ ...all) =>
        h('div', {class: 'ways'}, ...all);
    const keepLabel = (/** @type {Move} */ {keep, tile},
        /** @type {number | null} */ cost) => keep === 'sell' ? t('sell_card')
        : t(tile ? 'buy_tile' : 'buy_card', {
            n: cost, tile: tile ? t(`${tile}`) : ''});

    /* ---- choices ---- */

    function sides() {
        const me = mine();
        const card = me && numbers?.setup_cards[me.initiative - 1];
        return card && moves('choose_side').map((move) => {
            const side = card[`${move.side}`];
            return h('div', {class: 'hcard setup'},
                h('div', {class: 'head'}, h('b', null, t('side', {
                    side: `${move.side}`.toUpperCase()})),
                h('span', {class: 'gives'}, number('coins', `${side.coins}`),
                    numbersOf(side.values, 0))),
                ways(way(move, t('choose_side'),
                    state.previews.sides[`${move.side}`], me.side === move.side)));
        });
    }

    function wheelWays() {
        return moves('set_wheel').map((move) => h('div', {class: 'hcard'},
            h('div', {class: 'starts'}, state.players.map(
                (/** @type {any} */ _, /** @type {number} */ seat) => {
                    const color = state.ring[(seat + Number(move.offset)) % 5];
                    return h('span', {class: `start c-${color}`}, badge(seat),
                        `${table.names()[seat]}: ${t(color)}`);
                })), ways(way(move, t('set_wheel'), null))));
    }

    function drawn() {
        const me = mine();
        return me && moves('choose').length > 0 && me.drawn.map(
            (/** @type {string} */ id, /** @type {number} */ slot) => {
                const known = state.previews.cards[slot];
                const other = me.drawn[1 - slot];
                const {discard, keep, tile} = me.choice;
                return face(id, known.cost, ways(moves('choose')
                    .filter((move) => move.discard === other)
                    .map((move) => way(move, keepLabel(move, known.cost),
                        known[move.keep === 'sell' ? 'sell'
                            : move.tile ? `buy_${move.tile}` : 'buy'],
                        discard === other && keep === move.keep
                            && tile === (move.tile ?? null)))));
            });
    }

    function takes() {
        return COLORS.filter((color) => moves('take').some(
            (move) => move.color === color)).map((color) => {
            const cost = state.previews.pile_costs[color];
            return face(state.piles[color].at(-1), cost, ways(moves('take')
                .filter((move) => move.color === color)
                .map((move) => way(move, keepLabel(move, cost)))));
        });
    }

    const colonyTip = (/** @type {any} */ colony) => t('colony_tip', {
        n: colony.requirement, plunder: colony.plunder,
        integrate: colony.integrate, points: colony.points});

    function colonyFace(/** @type {number} */ level, /** @type {...Child} */ ...more) {
        const colony = numbers?.colonies[level - 1];
        return colony && h('div', {class: 'hcard colony'},
            h('div', {class: 'head', tabindex: 0, ...tip(colonyTip(colony))},
            h('b', null, t('level', {n: level})),
            number('military', `≥${colony.requirement}`),
            number('points', `${colony.points}`)), ...more);
    }

    function colonies() {
        return numbers?.colonies.map((_, n) => {
            const all = moves('take_colony').filter((move) => move.level === n + 1);
            return all.length > 0 && colonyFace(n + 1, ways(all.map((move) =>
                way(move, t(`${move.mode}`) + paid(move)))));
        });
    }

    function statues() {
        return numbers?.statues.map((statue, n) => {
            const all = moves('carve').filter((move) => move.statue === n + 1);
            return all.length > 0 && h('div', {class: 'hcard statue'},
                h('div', {class: 'head'}, h('b', null, t('statue', {n: n + 1})),
                    number('culture', `≥${statue.requirement}`),
                    number('points', `${statue.points}`)),
                ways(all.map((move) => way(move, t(`carve_${move.face}`, {
                    tile: t(`${move.tile}`), n: statue.bonus}) + paid(move)))));
        });
    }

    function feeding() {
        const me = mine();
        const fees = [
            ...moves('pay_feed').map((move) => way(move, t('feed', {
                n: move.cards, coins: 2 * Number(move.cards)}))),
            ...legal.ranges.filter(({move}) => move.verb === 'pay_feed').map(
                (range) => amount(range, t('feed_cards'), t('feed_pay'),
                    (move) => play(table, move, t('feed_pay'))))];
        const remove = moves('remove');
        return [fees.length > 0 && h('div', {class: 'hcard'}, ways(fees)),
                remove.length > 0 && me && remove.map((move) =>
                    face(`${move.card}`, null, ways(way(move, t('remove')))))];
    }

    function medals() {
        const {silver, gold} = state.previews.medal_costs;
        const offers = [
            ...moves('buy_silver').map((move) => way(move, t('buy_silver', {
                n: silver, tile: t(`${move.track}`)}))),
            ...moves('buy_gold').map((move) => way(move, t('buy_gold', {n: gold})))];
        return offers.length > 0 && h('div', {class: 'hcard medals'},
            h('div', {class: 'head'}, h('b', null, t('medals'))), ways(offers));
    }

    function drawChoices() {
        const can = legal.moves.length + legal.ranges.length > 0 && !busy;
        const me = mine();
        const stage = state.stage === 'feed' && me?.to_remove ? t('must_remove', {
            n: me.to_remove}) : t(`ask.${state.stage}`);
        const acting = table.you !== null && view.seats[table.you].acting;
        fill(choices, h('h2', null, can ? stage : waiting(table, view, busy)),
            can && !acting && h('p', {class: 'soft'}, t('may_change')),
            can && h('div', {class: 'cards'}, [sides(), wheelWays(), drawn(), takes(),
                colonies(), statues(), feeding(), medals()].flat(2)),
            can && h('div', {class: 'out'}, one('pass', 'pass'),
                one('done', 'done')));
    }

    /* ---- wheel and piles ---- */

    function wheel() {
        const spot = (/** @type {number} */ at, /** @type {number} */ r) => {
            const angle = (at * 72 - 90) * Math.PI / 180;
            return [r * Math.cos(angle), r * Math.sin(angle)].map(
                (n) => n.toFixed(1));
        };
        const said = state.ring.map((/** @type {string | null} */ color) =>
            color && `${t(color)} ${state.decks[color]}`);
        const segments = state.ring.map((/** @type {string | null} */ color,
            /** @type {number} */ n) => {
            if (!color)
                return null;
            const [a, b, c, d] = [spot(n - 0.5, 88), spot(n + 0.5, 88),
                                  spot(n + 0.5, 40), spot(n - 0.5, 40)];
            const [x, y] = spot(n, 60);
            const here = state.stage === 'choose' ? state.players.flatMap(
                (/** @type {any} */ _, /** @type {number} */ seat) =>
                    (seat + state.offset + state.step) % 5 === n ? [seat] : []) : [];
            const [u, v] = spot(n, 100);
            return svg('g', {class: `c-${color}`},
                svg('path', {class: 'segment',
                             d: `M${a}A88 88 0 0 1 ${b}L${c}A40 40 0 0 0 ${d}Z`}),
                svg('rect', {class: 'deck', x: +x - 12, y: +y - 15, width: 24,
                             height: 30, rx: 4}),
                svg('text', {class: 'left', x, y: +y + 6}, `${state.decks[color]}`),
                here.map((/** @type {number} */ seat) => svg('path', {
                    class: `who own-${seat}`, d: mark(seat),
                    transform: `translate(${u} ${v})`})));
        });
        return svg('svg', {class: 'wheel', viewBox: '-112 -112 224 224', role: 'img',
                           'aria-label': `${t('wheel')}: ${said.join(', ')}`},
            segments,
            svg('text', {class: 'epoch', y: 10}, ['–', 'I', 'II', 'III'][state.epoch]));
    }

    function drawMiddle() {
        const piles = COLORS.map((color) => {
            const pile = state.piles[color];
            const all = pile.map((/** @type {string} */ id) =>
                cardWords(id).replaceAll('\n', ', ')).reverse().join('\n');
            return h('li', {class: `pile c-${color}`},
                h('div', {class: 'pile-name', tabindex: 0, ...tip(all || t('no_pile'))},
                    `${t(color)} · ${pile.length}`),
                pile.length > 0 && !moves('take').length && face(pile.at(-1),
                    state.previews?.pile_costs?.[color] ?? null));
        });
        fill(middle, h('section', {class: 'ring'}, h('h2', null, t('wheel')), wheel()),
            h('section', {class: 'piles'}, h('h2', null, t('piles')),
                h('ul', {class: 'pile-list'}, piles), h('h2', null, t('goals')), goals()));
    }

    /* Colonies and statues: what they need, what I have of them. */
    function goals() {
        const me = mine();
        const goal = (/** @type {string} */ track, /** @type {number} */ n,
            /** @type {any} */ of, /** @type {string} */ name,
            /** @type {string} */ help, /** @type {any} */ own) =>
            h('li', {class: `token${own ? ' has' : me && me.now[track]
                >= of.requirement ? ' can' : ''}`, tabindex: 0, ...tip(help)},
            own && '✓ ', t(name, {n: n + 1}), number(track, `≥${of.requirement}`),
            number('points', `${of.points}`));
        return numbers && h('ul', {class: 'tokens'},
            numbers.colonies.map((of, n) => goal('military', n, of, 'level',
                colonyTip(of), me?.colonies[n].mode)),
            numbers.statues.map((of, n) => goal('culture', n, of, 'statue',
                t('statue_tip', {n: of.requirement, points: of.points,
                    bonus: of.bonus}), me?.statues[n].tile)));
    }

    /* ---- boards ---- */

    function mini(/** @type {{card: string, tile: string | null}} */ {card, tile}) {
        const known = numbers?.cards[card];
        return known && h('li', {tabindex: 0, class: 'mini', ...tip(cardWords(card)
            + (tile ? `\n${t('with_tile', {tile: t(`${tile}`)})}` : ''))},
            numbersOf(known.values, known.points),
            known.effect && h('span', {class: 'number'}, '✦',
                h('span', {class: 'sr'}, table.help(known.effect))),
            tile && number(tile, '+2'));
    }

    function board(/** @type {any} */ player, /** @type {number} */ seat) {
        const {now} = player;
        const cards = COLORS.map((color) => {
            const own = player.cards.filter(
                (/** @type {{card: string}} */ {card}) => colorOf(card) === color);
            return h('div', {class: `column c-${color}`},
                h('h3', null, `${t(color)} · ${own.length}`),
                h('ul', null, own.map(mini)));
        });
        const taken = player.colonies.flatMap((/** @type {any} */ colony,
            /** @type {number} */ n) => {
            const known = numbers?.colonies[n];
            if (!colony.mode || !known)
                return [];
            const back = colony.copy === null ? null : known.backs[colony.copy - 1];
            return [h('li', {class: 'token colony', tabindex: 0, ...tip(
                t(`is_${colony.mode}`, {n: n + 1}))}, t('level', {n: n + 1}),
                back ? numbersOf(back.values, back.points)
                    : numbersOf({}, known.points))];
        });
        const carved = player.statues.flatMap((/** @type {any} */ statue,
            /** @type {number} */ n) => statue.tile && numbers ? [h('li', {
            class: 'token statue'}, t('statue', {n: n + 1}),
            number('points', `${numbers.statues[n].points}`),
            number(statue.face === 'up' ? statue.tile : 'points',
                `+${numbers.statues[n].bonus}`))] : []);
        const medal = [...player.silver.filter(Boolean).map((/** @type {string} */ track) =>
            h('li', {class: 'token silver'}, t('silver_on', {tile: t(track)}))),
        ...Array.from({length: player.gold}, () =>
            h('li', {class: 'token gold'}, t('gold_medal')))];
        const open = unfolded.get(seat) ?? (seat === table.you || table.you === null);
        const box = h('details', {class: `seat-board own-${seat}`, open,
            ontoggle: () => unfolded.set(seat, box.open)},
        h('summary', {'data-key': `board-${seat}`},
            h('span', {class: 'name'}, badge(seat), table.names()[seat],
                view.seats[seat].acting && h('i', {...tip(t('acts'))}, ' …')),
            NUMBERS.slice(0, 6).map((name) => number(name, h('b', null,
                `${now[name]}`))), number('value', `(${now.value})`)),
        h('p', {class: 'tiles'}, t('tiles'), ' ', TRACKS.map((track) =>
            number(track, `${player.tiles[track]}`)), ` · ${t('initiative', {
            n: player.initiative})}`),
        h('div', {class: 'columns'}, cards),
        h('ul', {class: 'tokens'}, taken, carved, medal));
        return box;
    }

    function drawStatus() {
        const names = table.names().filter((_, seat) => view.seats[seat].acting);
        fill(status, state.epoch > 0 && h('b', null, t('epoch', {
            n: ['', 'I', 'II', 'III'][state.epoch]})),
        state.epoch > 0 && h('span', null, t('phase', {phase: state.phase})),
        h('span', null, t(`stage.${state.stage}`),
            state.stage === 'choose' ? ` ${state.step + 1}/5` : ''),
        state.epoch > 0 && h('span', null, t('first', {
            name: table.names()[state.first_players[state.epoch - 1]]})),
        names.length > 0 && h('span', null, t('waits', {names: names.join(', ')})));
    }

    function draw() {
        if (!numbers)
            return;
        drawStatus();
        drawChoices();
        drawMiddle();
        const seats = state.players.map((/** @type {any} */ _, /** @type {number} */ n) => n);
        seats.sort((/** @type {number} */ a, /** @type {number} */ b) =>
            Number(b === table.you) - Number(a === table.you));
        fill(boards, h('h2', null, t('boards')), seats.map(
            (/** @type {number} */ seat) => board(state.players[seat], seat)));
    }

    return {
        update(now, info) {
            view = now;
            state = now.game_state;
            ({legal, busy} = info);
            tried.forget();
            if (!state)
                return;
            if (numbers)
                draw();
            else
                tables(view, table.rules).then((found) => {
                    numbers = found;
                    shown.set(table.id, found);
                    draw();
                });
        },
        destroy() {
            shown.delete(table.id);
            endTips();
        },
    };
}
