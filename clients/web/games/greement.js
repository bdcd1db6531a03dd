// greement.js -- the panel of Greement.
//
//     grid      greement_grid.js
//     event     what is voted on or paid for, what it would bring to each, what
//               each has said
//     offers    what is offered, and what it would change for me
//     deal      the square that is looked at or chosen, and all that can be done
//               with it
//     actions   cards, payments, loans
//     values    prices and profits, and how they changed last
//     decks     events that may still come
//
// What others offer, vote and give is in every view, so all see it at once.
// Prices on the grid are one's own, also while others play: the core tells them
// of a view in which it is one's turn.
//
// For tests: a square is `data-step` with its name (and `data-target`), whom an
// offer or a payment is for is a `data-step`; all else is `data-move`, amounts
// are inputs with `data-range` before their button.

import {add, fill, h} from '../dom.js';
import {icon} from './art.js';
import {ALL, apart, around, at, grid, indexOf, place} from './greement_grid.js';
import {amount, badge, brought, change, languages, locked, play, previews,
        sheet, tell, tip, tips, waiting} from './kit.js';
import words from './greement_words.js';

/** @typedef {import('../types.js').Move} Move */
/** @typedef {import('../types.js').Range} Range */
/** @typedef {import('../types.js').Table} Table */
/** @typedef {import('../types.js').View} View */
/** @typedef {import('../types.js').Legal} Legal */
/** @typedef {import('../dom.js').Child} Child */

const ON_SQUARES = ['pick', 'buy_land', 'seed', 'buy_cattle', 'steal', 'treat'];
const EVENTS = ['vote', 'pay_to_avoid', 'disease'];
/* What is bought, what it costs and brings. */
const GOODS = [['land', 'land_price', ''], ['crop', 'seed_price', 'crop_profit'],
    ['cattle', 'cattle_price', 'cattle_profit'],
    ['gold_mine', 'mine_price', 'mine_profit']];
const OTHERS = [['lake', 'lake_multiplier'], ['mountain', 'mountain_multiplier'],
    ['', 'distance_tax'], ['', 'action_card_price']];

/** @type {import('../types.js').GameModule} */
export default {
    css: true,
    steady: true,
    words: languages(words),
    tongues: {fr: () => import('./greement_fr.js')},
    describe: tell,
    ends: ['end_turn'],
    told: {quiet: ['turn_ended', 'turn_began', 'turned_up', 'done', 'voted'],
           chapters: ['round_ended'], scenes: ['turned_up_event'],
           turns: ['turn_began'], gain},
    mount,
};

/* What events bring whom they are about, and what they cost. */
const INCOME = ['profit', 'collected', 'borrowed', 'given_back', 'compensated'];
const COSTS = ['bought_land', 'seeded', 'bought_cattle', 'paid',
    'bought_action_card', 'repaid', 'contributed'];

/** @param {import('../types.js').Event} event */
function gain({kind, amount = 0, thousands = 0, millions = 0, price = 0, tax = 0}) {
    const sum = amount + 1000 * thousands + 1000000 * millions + price + tax;
    return INCOME.includes(kind) ? sum : COSTS.includes(kind) ? -sum : null;
}

/**
 * What the squares of each seat bring a turn, what they are worth, and how many
 * they are.
 * @param {any} state
 */
const holdings = (state) => state.players.map((/** @type {any} */ _,
    /** @type {number} */ seat) => {
    const own = ALL.filter((n) => at(state.owners, n) === seat);
    const sum = (/** @type {any[][]} */ of) =>
        own.reduce((all, n) => all + (at(of, n) ?? 0), 0);
    return {income: sum(state.profits), worth: sum(state.worths),
            count: own.length};
});

/**
 * A view in which it is the turn of SEAT, who has nothing else to think of.
 * @param {View} view
 * @param {number} seat
 * @returns {View}
 */
function turnOf(view, seat) {
    const state = view.game_state;
    return {
        ...view,
        seats: view.seats.map((one, n) =>
            ({...one, acting: n === seat, may: false})),
        game_state: {
            ...state, phase: 'turn', turn: seat, offers: [], events: [],
            offers_made: 0, payments: 0, missing: null,
            treated: state.treated.map((/** @type {boolean[]} */ row) =>
                row.map(() => false)),
            players: state.players.map((/** @type {any} */ player) => ({
                ...player, vote: null, done: false, contribution: 0, acts: 0})),
        },
    };
}

/** A gain or a loss. @param {number} n */
const signed = (n) => n === 0 ? '±0' : `${n > 0 ? '+' : '−'}${Math.abs(n)}`;
const way = (/** @type {number} */ n) => n > 0 ? 'up' : n < 0 ? 'down' : '';

/**
 * @param {HTMLElement} root
 * @param {Table} table
 * @returns {import('../types.js').Panel}
 */
function mount(root, table) {
    const {t} = table;
    const tried = previews(table);
    const rail = table.rail ?? root;
    const keys = table.keys ?? h('div', {class: 'row'});
    // On a phone the choice of a vote stands where thumbs are.
    const narrow = matchMedia('(max-width: 44rem)');
    const ends = [...new Set([root, rail])].map(tips);
    const event = h('section', {class: 'event', role: 'status'});
    const [deal, actions, offers, values] = ['deal', 'actions', 'offers',
        'values'].map((name) => h('section', {class: name}));
    const decks = h('details', {class: 'decks'});
    const board = grid(t('grid'), choose, look);

    /** @type {View} */
    let view;
    /** @type {any} */
    let state;
    /** @type {Legal} */
    let legal;
    let busy = false;
    let fresh = false;
    let chosen = '';
    let looked = '';
    /** Whom a payment is for. @type {number | null} */
    let paying = null;
    /** What of an offer is chosen: whom, and who pays the tax. */
    let [partner, taxer] = ['', ''];
    /** @type {(number | null)[][]} */
    let prices = [];
    /** How values changed last. @type {Map<string, {by: number, round: number}>} */
    let changes = new Map();

    root.classList.add('game', 'greement');
    rail.classList.add('game', 'greement');
    const turned = () => state && draw();
    narrow.addEventListener('change', turned);
    add(root, h('div', {class: 'place'}, board.drawing));
    const tray = sheet([
        {key: 'deal', name: () => t('deal_tab'),
         node: h('div', {class: 'trade'}, event, offers, deal, actions)},
        {key: 'values', name: () => t('values_tab'), node: values},
        {key: 'decks', name: () => view?.state === 'playing' ? t('decks_tab') : '',
         node: decks}], table.mode === 'replay');
    add(rail, tray.node, !table.keys && keys);

    const name = (/** @type {any} */ seat) => table.names()[Number(seat)];
    const moves = (/** @type {string} */ verb) =>
        legal.moves.filter((move) => move.verb === verb);
    const ranges = (/** @type {string} */ verb) =>
        legal.ranges.filter(({move}) => move.verb === verb);
    const mine = () => table.you === null ? null : state.players[table.you];
    /* What a card or an event says, once the rules have come. */
    const meant = (/** @type {string} */ word) => table.help(word) || '…';
    /* By whose money and squares it is seen. */
    const eyes = () => table.you ?? state.turn;

    function choose(/** @type {string} */ now, /** @type {boolean} */ key) {
        if (key && now === chosen) {
            /** @type {HTMLElement | null} */ (deal.querySelector(
                '[data-move], [data-why], [data-step]'))?.focus();
            return;
        }
        chosen = now === chosen ? '' : now;
        if (chosen)
            tray.turn('deal');
        draw();
    }

    /* What gets the focus from a square is not drawn anew under it. */
    function look(/** @type {string} */ now, /** @type {any} */ to = null) {
        if (looked === now || !state || to && deal.contains(to))
            return;
        looked = now;
        drawPath();
        if (!deal.contains(document.activeElement))
            drawDeal();
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
        const known = brought(table, move, {money: t('money').toLowerCase(),
            profit: t('profit_a_turn'), wealth: t('wealth').toLowerCase()});
        if (known)
            return fill(gains, known);
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

    /* What each square would cost me; while others play, if it were my turn. */
    function priced() {
        const you = table.you;
        if (you === null || you === state.turn || state.turn === null
            && !EVENTS.includes(state.phase))
            return state.prices;
        return table.whatIf(turnOf(view, you), [])?.game_state.prices
            ?? state.prices;
    }

    function drawGrid() {
        const can = new Set(legal.moves.filter(({verb}) => ON_SQUARES.includes(verb))
            .map(({square}) => `${square}`));
        const seat = eyes();
        board.update(state, {prices, can, chosen, busy, fresh, words: inWords,
            money: seat === null ? 0 : state.players[seat].money,
            aim: can.size > 0
                && (state.phase !== 'turn' || state.pending_card !== null)});
        drawPath();
    }

    /* From where the tax is counted. */
    function nearest(/** @type {number} */ to) {
        const seat = eyes();
        const own = ALL.filter((n) => n !== to && at(state.owners, n) === seat);
        return seat === null ? -1 : own.reduce((best, n) => best < 0
            || apart(n, to) < apart(best, to) ? n : best, -1);
    }

    const plain = (/** @type {number} */ n) =>
        state.values[at(state.squares, n) === 'gold_mine' ? 'mine_price'
            : 'land_price'];

    function drawPath() {
        const to = indexOf(looked || chosen || 'a1');
        const price = looked || chosen ? at(prices, to) : null;
        board.path(price === null ? -1 : nearest(to), to,
            price === null ? 0 : price - plain(to));
    }

    function inWords(/** @type {number} */ n) {
        const kind = at(state.squares, n) ?? 'face_down';
        const owner = at(state.owners, n);
        const [profit, worth] = ['profits', 'worths'].map(
            (field) => at(state[field], n));
        const price = at(prices, n);
        const ownable = !['face_down', 'lake', 'mountain'].includes(kind);
        return [t(kind),
                ownable && (owner === null ? t('free')
                    : t('of', {name: name(owner)})),
                profit > 0 && t('profit', {n: profit}),
                worth !== null && ownable && t('worth', {n: worth}),
                price !== null && (table.you === null
                    ? t('price', {n: price, name: name(state.turn)})
                    : t('price_mine', {n: price})),
                at(state.treated, n) && t('treated')].filter(Boolean).join(', ');
    }

    /* ---- the square that is looked at ---- */

    const labels = /** @type {{[verb: string]: (n: number) => any}} */ ({
        buy_land: (n) => at(prices, n),
        seed: () => state.values.seed_price,
        buy_cattle: () => state.values.cattle_price,
    });

    const line = (/** @type {Child | Child[]} */ what, /** @type {Child | Child[]} */ much,
        kind = '') => h('div', {class: kind}, h('dt', null, what),
        h('dd', null, much));

    /* What multiplies the profit of a square: by how much, and which squares. */
    function beside(/** @type {number} */ n) {
        const near = around(n).filter((to) =>
            ['lake', 'mountain'].includes(at(state.squares, to)));
        return near.length === 0 ? '' : t('beside', {list: near.map((to) =>
            `${t(at(state.squares, to))} ${place(to)}`).join(', ')});
    }

    function facts(/** @type {number} */ n) {
        const kind = at(state.squares, n);
        const [price, profit] = [at(prices, n), at(state.profits, n)];
        const free = at(state.owners, n) === null;
        const times = Math.round(at(state.worths, n) / (free ? plain(n)
            : GOODS.slice(0, GOODS.findIndex(([what]) => what === kind) + 1)
                .reduce((sum, [what, cost]) => kind === 'gold_mine'
                    && what !== kind ? sum : sum + state.values[cost], 0)));
        const by = times > 1 ? ` × ${times}` : '';
        const brings = (/** @type {string} */ of) => {
            const [, , gain] = GOODS.find(([what]) => what === of) ?? GOODS[1];
            return line([`${t('brings_as', {what: t(of),
                n: `${state.values[gain]}${by}`})} `, h('small', null,
                beside(n))], t('a_turn', {n: `+${state.values[gain] * times}`}),
            'up');
        };
        return h('dl', {class: 'facts'},
            price !== null && line(t('price_of', {n: plain(n),
                tax: price - plain(n)}), `${price}`),
            free && kind === 'land' && ['crop', 'cattle'].map(brings),
            free && kind === 'gold_mine' && brings(kind),
            !free && profit > 0 && line([t('brings'), ' ',
                h('small', null, beside(n))], t('a_turn', {n: `+${profit}`}), 'up'),
            !free && kind === 'land' && ['crop', 'cattle'].map(brings),
            !free && line(t('worth_now'), `${at(state.worths, n)}`));
    }

    /* What one would like to do here and cannot: it says why. */
    function lacking(/** @type {string} */ square, /** @type {string[]} */ have) {
        const n = indexOf(square);
        const kind = at(state.squares, n);
        const own = at(state.owners, n) === table.you;
        if (table.you === null || !['turn', ...EVENTS, 'events']
            .includes(state.phase))
            return null;
        const verb = at(prices, n) !== null ? 'buy_land'
            : own && kind === 'land' ? 'seed'
                : own && kind === 'crop' ? 'buy_cattle' : '';
        const one = verb && !have.includes(verb) && locked(table, {verb, square},
            t(`do.${verb}`, {n: labels[verb](n)}), {what: square,
                cost: labels[verb](n), have: mine().money});
        return one && [one, h('p', {class: 'because'}, one.dataset.why)];
    }

    function drawDeal() {
        const on = looked || chosen;
        deal.hidden = !on && (!event.hidden || view.state === 'finished');
        if (!on) {
            fill(deal, h('p', null, legal.decision === null || busy
                ? waiting(table, view, busy)
                : t(moves('pick').length ? 'pick_one' : 'choose')),
            left());
            return;
        }
        const n = indexOf(on);
        const kind = at(state.squares, n) ?? 'face_down';
        const owner = at(state.owners, n);
        const ownable = !['face_down', 'lake', 'mountain'].includes(kind);
        const from = at(prices, n) === null ? -1 : nearest(n);
        const here = busy ? [] : legal.moves.filter(({square}) => square === on);
        const bids = busy ? []
            : ranges('offer').filter(({move}) => move.square === on);
        fill(deal, h('div', {class: 'head'},
            h('span', {class: `face k-${kind}`}, kind !== 'face_down'
                && icon(kind === 'land' ? 'pampas' : kind)),
            h('div', null, h('h2', null, `${on} · ${t(kind)}`),
                h('p', {class: 'muted'}, ownable && (owner === null ? t('free')
                    : [badge(owner), t('of', {name: name(owner)})]),
                from >= 0 && ` · ${t(apart(from, n) > 1 ? 'far' : 'near',
                    {n: apart(from, n), square: place(from)})}`,
                !ownable && kind !== 'face_down' && t('times', {
                    n: state.values[`${kind}_multiplier`]})))),
        ownable && facts(n),
        h('div', {class: 'ways'}, here.map((move) => button(move,
            t(`do.${move.verb}`, {n: labels[`${move.verb}`]?.(n) ?? ''}), true)),
        lacking(on, here.map(({verb}) => `${verb}`))),
        bids.length > 0 && drawBid(bids));
    }

    const left = () => {
        const face = Object.entries(state.face_down).filter(([, n]) => n);
        return face.length > 0 && h('p', {class: 'muted'}, t('left', {
            list: face.map(([kind, n]) => `${n} × ${t(kind)}`).join(', ')}));
    };

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

    /* How things stand if it happens, after what nobody chooses. */
    function happened() {
        const all = state.players.map((/** @type {any} */ player,
            /** @type {number} */ seat) => ({...player, seat}));
        const decider = state.deciders[0];
        if (state.phase === 'vote')
            return table.whatIf(view, decider !== undefined
                ? [[decider, {verb: 'vote', avoid: false}]]
                : [true, null].flatMap((vote) => all.filter(
                    (/** @type {any} */ player) => player.vote === vote).map(
                    (/** @type {any} */ {seat}) =>
                        [seat, {verb: 'vote', avoid: false}])));
        const end = (/** @type {View} */ now) => table.whatIf(now,
            now.game_state.players.flatMap((/** @type {any} */ player,
                /** @type {number} */ seat) => player.done ? []
                : [[seat, {verb: 'done'}]]));
        const then = end(view);
        return state.phase === 'pay_to_avoid'
            && then?.game_state.phase === 'disease' ? end(then) : then;
    }

    function drawEvent() {
        const now = state.events[state.events.length - 1];
        const on = EVENTS.includes(state.phase);
        event.hidden = !on;
        if (!on)
            return void fill(event);
        const voting = state.phase === 'vote';
        const decider = voting && state.deciders.length ? state.deciders[0] : null;
        const after = happened();
        const [was, then] = [holdings(state), after && holdings(after.game_state)];
        fill(event, h('p', {class: 'kind'}, t(`phase.${state.phase}`, {
            n: state.events.length})),
        h('h2', null, meant(now)),
        h('p', {class: 'muted'}, decider !== null
            ? t('decides', {name: name(decider)})
            : voting ? t('majority')
                : state.phase === 'pay_to_avoid'
                    && t('missing', {n: state.missing})),
        h('table', null, then && h('thead', null, h('tr', null,
            h('td', null), h('th', {scope: 'col'}, t('turn_by')),
            h('th', {scope: 'col'}, t('worth_by')), h('td', null))),
        h('tbody', null, state.players.map((/** @type {any} */ player,
            /** @type {number} */ seat) => h('tr', null,
            h('th', {scope: 'row', class: seat === table.you ? 'you' : ''},
                badge(seat), name(seat)),
            then && ['income', 'worth'].map((what) => {
                const by = then[seat][what] - was[seat][what];
                return h('td', {class: `number ${way(by)}`}, signed(by));
            }),
            said(player, voting && decider !== null && decider !== seat))))),
        h('div', {class: 'ways even'}, narrow.matches ? [] : votes()),
        h('div', {class: 'ways'}, ranges('contribute').map((range) =>
            free(range, t('amount'), t('contribute'))),
        moves('contribute').map((move) => button(move,
            `${t('contribute')} ${move.amount}`)),
        state.phase === 'pay_to_avoid' && legal.decision !== null
            && !ranges('contribute').length && !moves('contribute').length
            && locked(table, {verb: 'contribute', amount: 1}, t('contribute')),
        moves('done').map((move) => button(move, t('done')))));
    }

    const votes = () => moves('vote').map((move) =>
        button(move, t(move.avoid ? 'avoid' : 'let')));

    /* What somebody has said of the event. */
    function said(/** @type {any} */ player, /** @type {boolean} */ silent) {
        const text = silent ? '' : state.phase === 'vote'
            ? player.vote === null ? t('no_vote')
                : t(player.vote ? 'for' : 'against')
            : [player.contribution ? t('gave', {n: player.contribution}) : '',
               player.done ? t('is_done') : ''].filter(Boolean).join(', ');
        return h('td', {class: player.vote === null ? 'muted'
            : player.vote ? 'down' : 'up'}, text);
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
        const all = [
            card && h('p', {class: 'what'}, t('card', {
                text: meant(card)})),
            moves('collect').map((move) => button(move, t('do.collect', {
                name: name(move.from)}))),
            !inEvent && moves('done').map((move) => button(move, t('done'))),
            drawCard(),
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
        ].flat().filter(Boolean);
        actions.hidden = all.length === 0;
        actions.classList.toggle('due', card !== null);
        fill(actions, h('h2', null, t('actions')), h('div', {class: 'ways'}, all));
        fill(keys, narrow.matches ? votes() : [], moves('end_turn').map((move) => h('button', {
            type: 'button', class: 'main', disabled: busy,
            'data-move': JSON.stringify(move),
            onclick: () => play(table, move, t('end_turn'))}, t('end_turn'))));
    }

    function drawCard() {
        const cost = state.values.action_card_price;
        const deck = Object.entries(state.action_deck).filter(([, n]) => n)
            .map(([word, n]) => `${n} × ${meant(word)}`).join('\n');
        const label = t('buy_action_card', {n: cost});
        if (!moves('end_turn').length)
            return null;
        const [move] = moves('buy_action_card');
        return move ? h('div', tip(t('deck', {list: deck})), button(move, label))
            : locked(table, {verb: 'buy_action_card'}, label, {
                what: t('action_card'), cost, have: mine().money});
    }

    function drawOffers() {
        const all = state.offers;
        offers.hidden = all.length === 0;
        fill(offers, h('h2', null, t('offers')), h('ul', null, all.map(
            (/** @type {any} */ offer) => h('li', {
                class: offer.with === table.you ? 'mine' : ''},
            h('p', null, badge(state.turn), t(`offer_${offer.kind}`, {
                from: name(state.turn), to: name(offer.with), square: offer.square,
                n: offer.price, side: t(offer.tax_by)})),
            h('div', {class: 'ways'}, ['accept', 'decline', 'withdraw'].flatMap((verb) =>
                moves(verb).filter((move) => move.offer === offer.offer)
                    .map((move) => button(move, t(verb), verb === 'accept'))),
            offer.with === table.you && !busy && !moves('accept').some((move) =>
                move.offer === offer.offer) && locked(table, {verb: 'accept',
                offer: offer.offer}, t('accept')))))));
    }

    /* ---- values, players, what may come ---- */

    /* A value as it is, how it changed last, and what a card can make of it. */
    function valued(/** @type {string} */ value, plus = '') {
        const turn = (/** @type {string} */ verb, /** @type {string} */ sign) =>
            moves(verb).filter((move) => move.value === value).map((move) =>
                h('button', {
                    type: 'button', class: 'turn-value', disabled: busy,
                    'data-move': JSON.stringify(move),
                    'aria-label': t(`do.${verb}`, {name: t(value)}),
                    onclick: () => play(table, move, t(`do.${verb}`, {
                        name: t(value)}))}, sign));
        const last = changes.get(value);
        return [...turn('lower', '−2'),
                h('b', null, `${plus}${state.values[value]}`),
                ...turn('raise', '+2'), last && h('span', {
                    class: `last ${way(last.by)}`,
                    title: t('changed', {by: signed(last.by), n: last.round})},
                h('span', {'aria-hidden': 'true'}, last.by > 0 ? '▲' : '▼',
                    Math.abs(last.by), h('small', null,
                        ` ${t('r', {n: last.round})}`)),
                h('span', {class: 'sr'}, t('changed', {
                    by: signed(last.by), n: last.round})))];
    }

    function drawValues() {
        fill(values, h('h2', null, t('values')),
            h('table', null, h('thead', null, h('tr', null, h('td', null),
                h('th', {scope: 'col'}, t('costs')),
                h('th', {scope: 'col'}, t('gives')))),
            h('tbody', null, GOODS.map(([what, cost, gain]) => h('tr', null,
                h('th', {scope: 'row'}, icon(what === 'land' ? 'pampas' : what),
                    t(`good.${what}`)),
                h('td', {'data-value': cost}, valued(cost,
                    what === 'crop' || what === 'cattle' ? '+' : '')),
                h('td', {'data-value': gain || null}, gain ? valued(gain)
                    : '–'))))),
            h('ul', {class: 'chips'}, OTHERS.map(([what, value]) => h('li', {
                'data-value': value}, what && h('span', {class: `face k-${what}`},
                icon(what)),
            h('span', null, t(value)), valued(value, what ? '×' : '')))));
    }

    /* What somebody has: money, squares and what these bring. */
    function holds(/** @type {number} */ seat) {
        const player = state?.players[seat];
        if (!player)
            return null;
        const {income, count} = holdings(state)[seat];
        return [icon('coin'), h('span', {class: 'sr'}, t('money')),
            ` ${player.money} `,
            h('span', {class: 'up'}, `+${income}`, h('span', {class: 'sr'},
                ` ${t('a_turn', {n: ''}).trim()}`),
            h('span', {class: 'roomy', 'aria-hidden': 'true'},
                ` ${t('a_turn', {n: ''}).trim()}`)),
            state.options.loans && player.debt
                ? ` · ${t('debt')} ${player.debt}` : '',
            h('span', {class: 'roomy'}, ` · ${
                t(count === 1 ? 'one_square' : 'n_squares', {n: count})}`),
            state.deciders.includes(seat) && ` · ${t('waiting_decider',
                {name: name(seat)})}`];
    }

    function drawDecks() {
        const coming = Object.entries(state.event_deck).filter(([, n]) => n);
        decks.open ||= narrow.matches; // there it is a part by itself
        fill(decks, h('summary', {'data-key': 'decks'}, t('events', {
            n: coming.reduce((sum, [, n]) => sum + Number(n), 0)})),
        h('ul', null, coming.map(([word, n]) => h('li', null,
            `${n} × ${meant(word)}`))));
    }

    function draw() {
        prices = priced();
        drawGrid();
        drawEvent();
        drawDeal();
        drawActions();
        drawOffers();
        drawValues();
        drawDecks();
        tray.show();
    }

    /* How each value changed last, of what is known of the past; BEFORE is how
     * they were before that. */
    function changed(/** @type {any[]} */ entries, /** @type {any} */ before) {
        /** @type {typeof changes} */
        const found = new Map();
        const now = {...before};
        /** @type {Map<string, number>} */
        let round = new Map();
        const close = (/** @type {number} */ number) => {
            for (const [value, was] of round)
                if (now[value] !== was)
                    found.set(value, {by: now[value] - was, round: number});
            round = new Map();
        };
        for (const one of entries.flatMap((entry) => entry.undone ? []
            : entry.events)) {
            if (one.kind === 'value_changed') {
                if (!round.has(one.value))
                    round.set(one.value, now[one.value]);
                now[one.value] = one.amount + 1000 * (one.thousands ?? 0);
            } else if (one.kind === 'round_ended') {
                close(one.turn_count);
            }
        }
        close(state.turn_count + 1);
        return found;
    }

    return {
        update(now, info) {
            view = now;
            state = now.game_state;
            ({legal, busy} = info);
            fresh = info.from !== null;
            tried.forget();
            if (state)
                draw();
            fresh = false;
        },
        destroy() {
            ends.forEach((end) => end());
            narrow.removeEventListener('change', turned);
            fill(keys);
        },
        head: (seat) => ({line: holds(seat), unit: t('wealth').toLowerCase()}),
        facts: () => !state ? [] : [
            state.phase === 'pick' || state.phase === 'over' ? '' : t('round', {
                n: Math.min(state.turn_count + 1, state.options.turns),
                of: state.options.turns}),
            t(`phase.${state.phase}`, {n: state.events.length,
                name: state.turn === null ? '' : name(state.turn)}),
        ].filter(Boolean),
        point: (places) => board.point(places),
        async told(entries) {
            const known = entries.filter(({ply}) => ply <= view.ply);
            const start = known.find(({kind}) => kind === 'start');
            const from = start ? start.ply : (known[0]?.ply ?? 0) - 1;
            if (!state || from < 0 || !known.some(({events}) => events.some(
                (/** @type {any} */ {kind}) => kind === 'value_changed')))
                return;
            const before = await table.at(from);
            if (!before?.game_state || !values.isConnected)
                return;
            changes = changed(known, before.game_state.values);
            drawValues();
        },
    };
}
