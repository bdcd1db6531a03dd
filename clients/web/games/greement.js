// greement.js -- the panel of Greement.
//
//     status    round, phase, whose turn
//     grid      ten by ten squares: kinds, owners, what can be done where
//     event     what is voted on or paid for, and what each has said
//     deal      the chosen square and all that can be done with it
//     actions   cards, payments, loans, the end of the turn
//     offers, values, players, events to come
//
// What others offer, vote and give is in every view, so all see it at once.
//
// For tests: a square is `data-step` with its name (and `data-target`), whom an
// offer or a payment is for is a `data-step`; all else is `data-move`, amounts
// are inputs with `data-range` before their button.

import {add, fill, h, roving, set, svg} from '../dom.js';
import {picture} from './art.js';
import {amount, badge, change, languages, mark, play, previews, tell, tip, tips,
        waiting} from './kit.js';
import words from './greement_words.js';

/** @typedef {import('../types.js').Move} Move */
/** @typedef {import('../types.js').Range} Range */
/** @typedef {import('../types.js').Table} Table */
/** @typedef {import('../types.js').View} View */
/** @typedef {import('../types.js').Legal} Legal */
/** @typedef {import('../dom.js').Child} Child */

const SIDE = 10;
const SIZE = 44; /* units of a square */
const COLUMNS = 'abcdefghij';
const ON_SQUARES = ['pick', 'buy_land', 'seed', 'buy_cattle', 'steal', 'treat'];

/** @type {import('../types.js').GameModule} */
export default {
    css: true,
    words: languages(words),
    describe: tell,
    mount,
};

/**
 * @param {HTMLElement} root
 * @param {Table} table
 * @returns {import('../types.js').Panel}
 */
function mount(root, table) {
    const {t} = table;
    const tried = previews(table);
    const endTips = tips(root);
    const part = (/** @type {'div' | 'section'} */ tag, /** @type {string} */ name) =>
        h(tag, {class: name});
    const [status, side, rest] = [part('div', 'status'), part('div', 'side'),
                                  part('div', 'rest')];
    const event = h('section', {class: 'event', role: 'status'});
    const [deal, actions, offers, values, players] = ['deal', 'actions', 'offers',
        'values', 'players'].map((name) => part('section', name));
    const decks = h('details', {class: 'decks'});
    const squares = Array.from({length: SIDE * SIDE}, (_, n) =>
        svg('g', {class: 'square', role: 'button', 'data-key': place(n),
                  'data-target': place(n), transform: `translate(${
                      (n % SIDE) * SIZE} ${Math.floor(n / SIDE) * SIZE})`}));
    const ring = svg('rect', {width: SIZE, height: SIZE, rx: 2});
    const grid = svg('svg', {class: 'grid', role: 'application',
                             'aria-label': t('grid'),
                             viewBox: `-16 -16 ${SIDE * SIZE + 20} ${SIDE * SIZE + 20}`},
        [...COLUMNS].map((letter, n) => svg('text', {class: 'edge', y: -5,
            x: (n + 0.5) * SIZE, 'aria-hidden': 'true'}, letter)),
        [...COLUMNS].map((_, n) => svg('text', {class: 'edge', x: -8,
            y: (n + 0.5) * SIZE + 4, 'aria-hidden': 'true'}, `${n + 1}`)),
        squares, ring);
    const fix = roving(grid, '.square');

    /** @type {View} */
    let view;
    /** @type {any} */
    let state;
    /** @type {Legal} */
    let legal;
    let busy = false;
    let chosen = '';
    /** Whom a payment is for. @type {number | null} */
    let paying = null;
    /** What of an offer is chosen: whom, and who pays the tax. */
    let [partner, taxer] = ['', ''];
    let drawn = squares.map(() => '');

    root.classList.add('game', 'greement');
    add(side, event, deal, actions, offers);
    add(rest, values, players, decks);
    add(root, status, h('div', {class: 'greement-table'},
        h('div', {class: 'place'}, grid), side, rest));
    grid.addEventListener('click', (click) => choose(
        /** @type {Element} */ (click.target).closest('.square')));
    grid.addEventListener('keydown', (key) => {
        if (key.key !== 'Enter' && key.key !== ' ')
            return;
        key.preventDefault();
        choose(/** @type {Element} */ (key.target));
    });

    function place(/** @type {number} */ n) {
        return COLUMNS[n % SIDE] + (Math.floor(n / SIDE) + 1);
    }
    const at = (/** @type {any[][]} */ rows, /** @type {number} */ n) =>
        rows[Math.floor(n / SIDE)][n % SIDE];
    const indexOf = (/** @type {string} */ name) =>
        COLUMNS.indexOf(name[0]) + SIDE * (Number(name.slice(1)) - 1);
    const name = (/** @type {any} */ seat) => table.names()[Number(seat)];
    const moves = (/** @type {string} */ verb) =>
        legal.moves.filter((move) => move.verb === verb);
    const ranges = (/** @type {string} */ verb) =>
        legal.ranges.filter(({move}) => move.verb === verb);
    const mine = () => table.you === null ? null : state.players[table.you];

    function choose(/** @type {Element | null} */ square) {
        const now = square?.getAttribute('data-target') ?? '';
        chosen = now === chosen ? '' : now;
        draw();
    }

    /**
     * A button that plays a move, with what it makes of my money and wealth.
     * @param {Move} move
     * @param {string} label
     * @param {boolean} [main]
     */
    function button(move, label, main = false) {
        const gains = h('span', {class: 'gains'});
        told(move, gains);
        return h('button', {
            type: 'button', class: main ? 'way main' : 'way', disabled: busy,
            'data-move': JSON.stringify(move),
            onclick: () => play(table, move, label),
        }, h('span', null, label), gains);
    }

    /* Writes into GAINS what a move changes for me. */
    async function told(/** @type {Move} */ move, /** @type {Element} */ gains) {
        const you = table.you;
        const then = you === null ? null : await tried.of(move);
        const [was, now] = [mine(), then?.game_state.players[you ?? 0]];
        if (!now)
            return;
        fill(gains, was.money !== now.money
            && change(was.money, now.money, t('money').toLowerCase()), ' ',
        was.wealth !== now.wealth
            && change(was.wealth, now.wealth, t('wealth').toLowerCase()));
    }

    /** @param {Range} range @param {string} what @param {string} label */
    function free(range, what, label) {
        const gains = h('span', {class: 'gains'});
        return h('div', {class: 'free'}, amount(range, what, label,
            (move) => play(table, move, label), (move) => told(move, gains)), gains);
    }

    const step = (/** @type {string} */ key, /** @type {boolean} */ on,
        /** @type {() => void} */ does, /** @type {...Child} */ ...text) =>
        h('button', {type: 'button', 'data-step': key, 'aria-pressed': `${on}`,
                     onclick: () => { does(); draw(); }}, ...text);

    /* ---- grid ---- */

    function drawGrid() {
        const can = new Set(legal.moves.filter(({verb}) => ON_SQUARES.includes(verb))
            .map(({square}) => square));
        squares.forEach((square, n) => {
            const kind = at(state.squares, n) ?? 'face_down';
            const owner = at(state.owners, n);
            const price = at(state.prices, n);
            const treated = at(state.treated, n);
            const profit = at(state.profits, n);
            set(square, {
                class: ['square', `k-${kind}`, owner === null ? '' : `own-${owner} owned`,
                        can.has(place(n)) && !busy ? 'can' : ''].join(' '),
                'aria-label': `${place(n)}: ${inWords(n)}`,
                'aria-pressed': `${chosen === place(n)}`,
                'data-step': busy ? null : place(n),
            });
            const now = [kind, owner, price, treated, profit].join();
            if (now === drawn[n])
                return;
            drawn[n] = now;
            fill(square, svg('rect', {class: 'floor', width: SIZE, height: SIZE}),
                owner !== null && svg('rect', {class: 'fence', x: 2, y: 2, rx: 3,
                                               width: SIZE - 4, height: SIZE - 4}),
                kind === 'face_down' ? svg('path', {class: 'back',
                    d: 'M22 9L35 22L22 35L9 22ZM22 16L28 22L22 28L16 22Z'})
                    : picture(kind === 'land' ? 'pampas' : kind, SIZE / 2,
                        SIZE / 2 - (price || owner !== null ? 3 : 0), 27),
                owner !== null && [
                    svg('path', {class: 'sign', d: mark(owner),
                                 transform: 'translate(10 10) scale(0.65)'}),
                    profit > 0 && svg('text', {class: 'profit', x: SIZE - 5,
                                               y: SIZE - 6}, `+${profit}`)],
                treated && svg('text', {class: 'treated', x: SIZE - 8, y: 14}, '✚'),
                price !== null && svg('text', {class: 'price', x: SIZE / 2,
                                               y: SIZE - 5}, `${price}`));
        });
        grid.classList.toggle('aim', can.size > 0
            && (state.phase !== 'turn' || state.pending_card !== null));
        const n = chosen ? indexOf(chosen) : 0;
        set(ring, {x: n % SIDE * SIZE, y: Math.floor(n / SIDE) * SIZE,
                   class: chosen ? 'ring' : 'ring none'});
        fix();
    }

    function inWords(/** @type {number} */ n) {
        const kind = at(state.squares, n) ?? 'face_down';
        const owner = at(state.owners, n);
        const [profit, worth, price] = ['profits', 'worths', 'prices'].map(
            (field) => at(state[field], n));
        const ownable = !['face_down', 'lake', 'mountain'].includes(kind);
        return [t(kind),
                ownable && (owner === null ? t('free')
                    : t('of', {name: name(owner)})),
                profit > 0 && t('profit', {n: profit}),
                worth !== null && ownable && t('worth', {n: worth}),
                price !== null && t('price', {
                    n: price, name: name(state.turn)}),
                at(state.treated, n) && t('treated')].filter(Boolean).join(', ');
    }

    /* ---- the chosen square ---- */

    const labels = /** @type {{[verb: string]: () => any}} */ ({
        buy_land: () => at(state.prices, indexOf(chosen)),
        seed: () => state.values.seed_price,
        buy_cattle: () => state.values.cattle_price,
    });

    function drawDeal() {
        deal.hidden = !chosen && !event.hidden;
        if (!chosen) {
            fill(deal, h('p', null, legal.decision === null || busy
                ? waiting(table, view, busy)
                : t(moves('pick').length ? 'pick_one' : 'choose')));
            return;
        }
        const here = legal.moves.filter(({square}) => square === chosen);
        const bids = ranges('offer').filter(({move}) => move.square === chosen);
        fill(deal, h('h2', null, `${chosen}: ${inWords(indexOf(chosen))}`),
            h('div', {class: 'ways'}, here.map((move) => button(move,
                t(`do.${move.verb}`, {n: labels[move.verb]?.() ?? ''}), true))),
            bids.length > 0 && drawBid(bids),
            here.length + bids.length === 0 && h('p', {class: 'muted'},
                t('nothing')));
    }

    function drawBid(/** @type {Range[]} */ bids) {
        const unique = (/** @type {string} */ word) =>
            [...new Set(bids.map(({move}) => `${move[word]}`))];
        const [partners, taxers] = [unique('with'), unique('tax_by')];
        if (!partners.includes(partner))
            [partner] = partners;
        if (!taxers.includes(taxer))
            [taxer] = taxers;
        const bid = bids.find(({move}) =>
            `${move.with}` === partner && move.tax_by === taxer) ?? bids[0];
        return h('div', {class: 'bid'}, h('h3', null, t(`${bid.move.kind}`)),
            h('div', {class: 'steps'},
                partners.map((seat) => step(`with-${seat}`, seat === partner,
                    () => partner = seat, badge(Number(seat)),
                    t('to', {name: name(seat)}))),
                taxers.map((who) => step(`tax-${who}`, who === taxer,
                    () => taxer = who, t('tax_by', {side: t(who)})))),
            free(bid, t('price_is'), t('make_offer')));
    }

    /* ---- event ---- */

    function drawEvent() {
        const now = state.events[state.events.length - 1];
        const on = ['vote', 'pay_to_avoid', 'disease'].includes(state.phase);
        event.hidden = !on;
        if (!on)
            return void fill(event);
        const voting = state.phase === 'vote';
        const decider = voting && state.deciders.length ? state.deciders[0] : null;
        fill(event, h('h2', null, t(`phase.${state.phase}`, {
            n: state.events.length})),
        h('p', {class: 'what'}, table.help(now) || now),
        decider !== null && h('p', null, t('decides', {name: name(decider)})),
        state.missing !== null && state.phase === 'pay_to_avoid'
            && h('p', null, h('b', null, t('missing', {n: state.missing}))),
        h('ul', {class: 'said'}, state.players.map((/** @type {any} */ player,
            /** @type {number} */ seat) => {
            const said = voting ? decider !== null && decider !== seat ? ''
                : player.vote === null ? t('no_vote')
                    : t(player.vote ? 'for' : 'against')
                : [player.contribution ? t('gave', {n: player.contribution}) : '',
                   player.done ? t('is_done') : ''].filter(Boolean).join(', ');
            return h('li', {class: player.vote === null ? ''
                : player.vote ? 'for' : 'against'}, badge(seat), name(seat),
            said && `: ${said}`);
        })),
        h('div', {class: 'ways'}, moves('vote').map((move) =>
            button(move, t(move.avoid ? 'avoid' : 'let'))),
        ranges('contribute').map((range) =>
            free(range, t('amount'), t('contribute'))),
        moves('contribute').map((move) => button(move,
            `${t('contribute')} ${move.amount}`)),
        moves('done').map((move) => button(move, t('done')))));
    }

    /* ---- actions and offers ---- */

    function drawActions() {
        const card = state.pending_card;
        const pays = [...new Set([...ranges('pay').map(({move}) => move),
                                  ...moves('pay')].map(({to}) => Number(to)))];
        if (paying !== null && !pays.includes(paying))
            paying = null;
        const loans = ['borrow', 'repay'].flatMap((verb) => [
            ...ranges(verb).map((range) =>
                free(range, t('amount'), t(verb))),
            ...moves(verb).map((move) => button(move,
                `${t(verb)} ${move.amount}`))]);
        const inEvent = !event.hidden;
        const deck = Object.entries(state.action_deck).filter(([, n]) => n)
            .map(([word, n]) => `${n} × ${table.help(word)}`).join('\n');
        const all = [
            card && h('p', {class: 'what'}, t('card', {
                text: table.help(card) || card})),
            moves('collect').map((move) => button(move, t('do.collect', {
                name: name(move.from)}))),
            !inEvent && moves('done').map((move) => button(move, t('done'))),
            moves('buy_action_card').map((move) => h('div', tip(t('deck', {
                list: deck})), button(move, t('buy_action_card', {
                n: state.values.action_card_price})))),
            pays.length > 0 && h('div', {class: 'steps'}, pays.map((seat) =>
                step(`pay-${seat}`, paying === seat,
                    () => paying = paying === seat ? null : seat, badge(seat),
                    t('pay', {name: name(seat)})))),
            paying !== null && [
                ...ranges('pay').filter(({move}) => move.to === paying).map((range) =>
                    free(range, t('amount'), t('pay_now', {name: name(paying)}))),
                ...moves('pay').filter(({to}) => to === paying).map((move) =>
                    button(move, `${t('pay_now', {name: name(paying)})}: ${
                        move.amount}`)),
                h('small', null, t('pay_tax', {n: mine()?.pay_tax[paying]}))],
            loans,
            moves('end_turn').map((move) => button(move, t('end_turn'), true)),
        ].flat().filter(Boolean);
        actions.hidden = all.length === 0;
        fill(actions, h('h2', null, t('actions')), h('div', {class: 'ways'}, all));
    }

    function drawOffers() {
        offers.hidden = state.offers.length === 0;
        fill(offers, h('h2', null, t('offers')), h('ul', null, state.offers.map(
            (/** @type {any} */ offer) => h('li', {
                class: offer.with === table.you ? 'mine' : ''},
            h('span', null, badge(state.turn), t(`offer_${offer.kind}`, {
                from: name(state.turn), to: name(offer.with), square: offer.square,
                n: offer.price, side: t(offer.tax_by)})),
            h('div', {class: 'ways'}, ['accept', 'decline', 'withdraw'].flatMap((verb) =>
                moves(verb).filter((move) => move.offer === offer.offer)
                    .map((move) => button(move, t(verb),
                        verb === 'accept'))))))));
    }

    /* ---- values, players, what may come ---- */

    function drawValues() {
        const turn = (/** @type {string} */ verb, /** @type {string} */ value,
            /** @type {string} */ sign) => moves(verb).filter(
            (move) => move.value === value).map((move) => h('button', {
            type: 'button', class: 'turn-value', 'data-move': JSON.stringify(move),
            'aria-label': t(`do.${verb}`, {name: t(value)}),
            onclick: () => play(table, move, t(`do.${verb}`, {
                name: t(value)}))}, sign));
        fill(values, h('h2', null, t('values')), h('dl', null,
            Object.entries(state.values).map(([value, n]) => h('div', null,
                h('dt', null, t(value)), h('dd', null,
                    turn('lower', value, '−2'), `${n}`, turn('raise', value, '+2'))))));
    }

    function drawPlayers() {
        const count = (/** @type {number} */ seat, /** @type {any[][] | null} */ of) =>
            squares.reduce((sum, _, n) => sum + (at(state.owners, n) === seat
                ? of ? at(of, n) : 1 : 0), 0);
        const columns = ['money', ...(state.options.loans ? ['debt'] : []),
                         'wealth', 'squares', 'income'];
        /* A name has a line of its own: beside the grid there is no room. */
        fill(players, h('h2', null, t('players')), h('table', null,
            h('thead', null, h('tr', null, columns.map((word) =>
                h('th', {scope: 'col'}, t(word))))),
            state.players.map((/** @type {any} */ player,
                /** @type {number} */ seat) => h('tbody', {
                class: seat === state.turn ? 'turn' : ''},
            h('tr', null, h('th', {scope: 'rowgroup', colspan: columns.length},
                badge(seat), name(seat))),
            h('tr', null, [player.money,
                ...(state.options.loans ? [player.debt] : []), player.wealth,
                count(seat, null), count(seat, state.profits)].map((n) =>
                h('td', null, `${n}`)))))),
            state.deciders.map((/** @type {number} */ seat) =>
                h('p', {class: 'muted'}, t('waiting_decider', {name: name(seat)}))));
        const coming = Object.entries(state.event_deck).filter(([, n]) => n);
        decks.hidden = view.state !== 'playing';
        fill(decks, h('summary', {'data-key': 'decks'}, t('events', {
            n: coming.reduce((sum, [, n]) => sum + Number(n), 0)})),
        h('ul', null, coming.map(([word, n]) => h('li', null,
            `${n} × ${table.help(word) || word}`))));
    }

    function drawStatus() {
        const face = Object.entries(state.face_down).filter(([, n]) => n);
        fill(status, state.phase !== 'pick' && h('b', null, t('round', {
            n: Math.min(state.turn_count + 1, state.options.turns),
            of: state.options.turns})),
        h('span', null, state.turn !== null && badge(state.turn),
            t(`phase.${state.phase}`, {
                name: state.turn === null ? '' : name(state.turn),
                n: state.events.length})),
        face.length > 0 && h('span', {class: 'muted'}, t('left', {
            list: face.map(([kind, n]) => `${n} ${t(kind)}`).join(', ')})));
    }

    function draw() {
        drawStatus();
        drawGrid();
        drawEvent();
        drawDeal();
        drawActions();
        drawOffers();
        drawValues();
        drawPlayers();
    }

    return {
        update(now, info) {
            view = now;
            state = now.game_state;
            ({legal, busy} = info);
            tried.forget();
            if (state)
                draw();
        },
        destroy: endTips,
    };
}
