// hacienda.js -- the panel of Hacienda.
//
//     board     hacienda_board.js
//     keys      actions done, and the end of the turn, in the turn bar
//     bar       what the tool in hand would do here: before -> after
//               (hacienda_changes.js)
//     tray      the hand; what can be bought; what else can be done: a sheet
//
// One takes a tool -- a card, a pile, a water tile -- and
// the spaces where it may be used light up; looking at one tells what it would
// bring, choosing it does it.  A finger's first touch only looks, and the bar
// has a button.  What cannot be taken back waits for that button in any case.
//
// For tests: tools and first spaces of a water tile are `data-step`, spaces and
// the button of the bar `data-move`; each space is a `data-target="C7"`.

import {add, fill, h} from '../dom.js';
import {languages, play, previews, sheet, tell, tip, tips, waiting,
        whyNot} from './kit.js';
import {board} from './hacienda_board.js';
import {icon} from './art.js';
import words from './hacienda_words.js';

/** @typedef {import('../types.js').Move} Move */
/** @typedef {import('../types.js').Table} Table */
/** @typedef {import('../types.js').View} View */
/** @typedef {import('../types.js').Info} Info */
/** @typedef {import('../types.js').Event} Event */

const LANDS = ['mountain', 'forest', 'meadow', 'rocks', 'swamp', 'pampas'];
const ANIMALS = ['cattle', 'horse', 'pig', 'sheep'];
const CARDS = {land: LANDS, animals: ANIMALS};
const SHAPES = ['single', 'double', 'triangle', 'line'];
const ACTIONS = 3;
/* Why not, wherever it were. */
const GENERAL = ['no_actions_left', 'once_per_turn', 'supply_empty',
    'too_expensive', 'not_in_display', 'not_in_hand', 'no_tile_left',
    'no_chip_left', 'not_your_turn', 'game_over'];

/**
 * What one takes to make a move: its verb and the card or shape.
 * @param {Move} move
 */
const toolOf = ({verb, card, shape}) =>
    [verb, card ?? shape].filter((word) => word !== undefined).join(':');

/** The spaces a move is put on. @param {Move} move */
const spaces = ({hex, hex1, hex2, hex3}) =>
    /** @type {string[]} */ ([hex, hex1, hex2, hex3].filter(Boolean));

/** @type {import('../types.js').GameModule} */
export default {
    css: true,
    words: languages(words),
    tongues: {fr: () => import('./hacienda_fr.js')},
    describe: tell,
    ends: ['end_turn'],
    steady: true,
    told: {quiet: ['turn_ended', 'terrain', 'spare_terrain'],
           chapters: ['round_began'],
           gain: ({kind, amount}) => ['market_paid', 'harvested'].includes(kind)
               ? amount : /^(bought|took)_/.test(kind) ? -amount : null},
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
    const bar = h('div', {class: 'bar', role: 'status'});
    const [hand, stock, works] = ['hand', 'stock', 'works'].map((name) =>
        h('section', {class: name, role: 'group', 'aria-label': t(name)}));
    // Once it is over nothing is held, bought or built.
    const named = (/** @type {string} */ key, args = {}) =>
        view?.state === 'finished' ? '' : t(key, args);
    const tray = sheet([
        {key: 'hand', node: hand, name: () => cardsOf(table.you) === null ? ''
            : named('hand_tab', {n: cardsOf(table.you)})},
        {key: 'stock', node: stock, name: () => named('stock_tab')},
        {key: 'works', node: works, name: () => named('works_tab')}],
    table.mode === 'replay');
    const due = h('strong', {class: 'due', hidden: true});
    const place = h('div', {class: 'place'});
    const rail = table.rail ?? root;
    const keys = table.keys ?? h('div', {class: 'bar-keys'});
    const ends = [...new Set([root, rail])].map(tips);
    /** @type {ReturnType<typeof board> | null} */
    let field = null;
    /** @type {View} */
    let view;
    /** @type {any} The game's own fields. */
    let state;
    let busy = false;
    /** @type {Map<string, Move[]>} Legal moves by tool. */
    let tools = new Map();
    /** What is in hand, the space chosen for it, which of several ways. */
    let tool = '';
    let chosen = '';
    let turn = 0;
    let looked = '';
    /** Why things cannot be taken, as long as the view is the same.
     * @type {Map<string, string>} */
    const known = new Map();
    /** What moves bring, likewise. @type {Map<string, number>} */
    const paid = new Map();
    const why = (/** @type {string} */ of) => {
        const text = known.get(of) ?? whyLeft(of);
        known.set(of, text);
        return text;
    };

    for (const part of [root, rail]) {
        part.classList.add('game', 'hacienda');
        part.classList.toggle('distinct', table.settings.palette === 'distinct');
        part.classList.toggle('still', !table.settings.animations);
        part.addEventListener('keydown', escape);
    }
    tray.node.classList.add('tray');
    add(root, h('div', {class: 'hacienda-table'}, place));
    add(rail, bar, tray.node, !table.keys && keys);

    /* ---- the draft ---- */

    const mine = () => table.you === null ? null : state.players[table.you];

    function take(/** @type {string} */ now) {
        tool = now === tool ? '' : now;
        chosen = '';
        turn = 0;
        show();
    }

    function escape(/** @type {KeyboardEvent} */ event) {
        if (event.key !== 'Escape' || !tool)
            return;
        event.stopPropagation();
        if (chosen)
            chosen = '';
        else
            tool = '';
        show();
    }

    /* The moves of the tool that begin with a space: a water tile may lie
     * several ways over it, a chip may come from several spaces. */
    const at = (/** @type {string} */ space) =>
        (tools.get(tool) ?? []).filter((move) => spaces(move).includes(space));

    /* Whether the tool in hand is put on a space. */
    const placed = () =>
        spaces(tools.get(tool)?.[0] ?? {verb: ''}).length > 0;

    /* The only move there is, as far as it is chosen; `space` is looked at. */
    function move(space = chosen || looked) {
        if (!placed())
            return (tools.get(tool) ?? [])[0];
        if (taking())
            return at(chosen).find(({from}) => from === looked);
        const found = at(space);
        return found[turn % Math.max(found.length, 1)];
    }

    /* Whether it is now about whose chip is taken. */
    const taking = () => tool === 'harvest' && chosen !== ''
        && at(chosen).length > 1;

    /** @returns {Map<string, import('./hacienda_board.js').Target>} */
    function targets() {
        const found = new Map();
        if (!placed())
            return found;
        if (taking()) {
            for (const one of at(chosen))
                found.set(one.from, {move: one, label: t('take_chip')});
            return found;
        }
        const label = t(`use.${tool.split(':')[0]}`);
        for (const one of tools.get(tool) ?? [])
            for (const space of spaces(one))
                found.set(space, found.has(space) || one.shape
                    ? {label} : {move: one, label, pays: paysOf(one, space)});
        return found;
    }

    /* The pesos that an animal brings on a space: only markets pay any. */
    function paysOf(/** @type {Move} */ one, /** @type {string} */ space) {
        if (one.verb !== 'play_animal' || busy || !field?.sells(space))
            return 0;
        const key = JSON.stringify(one);
        const [before, after] = paid.has(key) ? [0, paid.get(key)]
            : table.brings(one)?.pesos ?? [0, 0];
        paid.set(key, after - before);
        return after - before;
    }

    function look(/** @type {string | null} */ space) {
        if (looked === (space ?? ''))
            return;
        looked = space ?? '';
        if (!tool || placed() && (!chosen || taking()))
            drawBar();
    }

    function pick(/** @type {string} */ space, /** @type {boolean} */ touched) {
        const target = targets().get(space);
        if (!target)
            return;
        looked = space;
        if (target.move && (!touched || chosen === space || taking()))
            return act(target.move);
        if (chosen === space)
            turn++;
        else
            turn = 0;
        if (!taking())
            chosen = space;
        show();
    }

    /* Why the thing in hand cannot be put on a space. */
    function notHere(/** @type {string} */ space) {
        const [first] = tools.get(tool) ?? [];
        if (!first || busy || !placed())
            return '';
        const {hex1, hex2, hex3, from, ...rest} = first;
        return refused(first.shape ? {...rest, hex1: space}
            : {...rest, hex: space});
    }

    function act(/** @type {Move} */ one) {
        if (busy)
            return;
        const left = ACTIONS - state.actions;
        if (one.verb === 'end_turn' && left > 0)
            return void play(table, one,
                t(left > 1 ? 'sure_end' : 'sure_last', {n: left}));
        return void play(table, one);
    }

    /* What a chain or herd brings its owner: the points of the board less those
     * of one without it. */
    function worth(/** @type {number[]} */ group) {
        const [tiles, owners, haciendas, chips] = ['tiles', 'owners', 'haciendas',
            'chips'].map((field) => [...state[field]]);
        const seat = owners[group[0]];
        const left = {...state.left};
        for (const at of group) {
            left.haciendas += Number(haciendas[at]);
            left.chips += Number(chips[at]);
            [tiles[at], owners[at], haciendas[at], chips[at]] =
                ['empty', null, false, false];
        }
        const without = table.whatIf({...view, game_state: {...state, tiles, owners,
            haciendas, chips, left}}, []);
        return without && view.score_now[seat].total
            - without.score_now[seat].total;
    }

    /* ---- the bar ---- */

    const cost = (/** @type {string} */ verb) =>
        state.costs[verb.slice(verb.lastIndexOf('_') + 1)] ?? 0;

    function title(/** @type {string} */ of) {
        const [verb, kind] = of.split(':');
        return t(`do.${verb}`, {
            what: kind ? t(kind) : '', n: cost(verb)});
    }

    /* What a move would change. */
    async function tell(/** @type {Move} */ one, /** @type {Element} */ into) {
        const [after, {changes}] = await Promise.all([tried.of(one),
            import('./hacienda_changes.js')]);
        if (after && table.you !== null && into.isConnected)
            fill(into, changes(table, view, table.you, one, after));
    }

    function drawBar() {
        const one = tool ? move() : undefined;
        const gains = h('span', {class: 'gains'});
        const space = taking() ? looked : chosen || looked;
        const told = space && field ? field.words(space) : '';
        if (!tool) {
            fill(bar, h('p', null, tools.size > 0 || !told
                ? h('strong', null, prompt()) : null,
            told && ` ${told}`));
            return;
        }
        const ready = one && (!placed() || chosen && (!taking() || looked));
        const ways = one?.shape && chosen ? at(chosen).length : 0;
        const of = one && table.finalOf(one);
        const last = of && (of.final || of.draws || of.reveals);
        fill(bar,
            h('p', null, h('strong', null, title(tool)), ' ',
                placed() && !one ? `${t(taking() ? 'whose_chip' : 'where')} ` : '',
                placed() ? told : '',
                last ? ` ${t('kit.final')}` : '', ' ', gains),
            h('div', {class: 'bar-keys'},
                ways > 1 && h('button', {type: 'button', 'data-step': 'turn', 'data-turns': true,
                                         onclick: () => { turn++; show(); }},
                    t('turn_tile', {n: turn % ways + 1, of: ways})),
                ready && h('button', {
                    type: 'button', class: 'main', disabled: busy,
                    'data-move': JSON.stringify(one),
                    onclick: () => act(one)}, t('do_it')),
                h('button', {type: 'button', onclick: () => take('')},
                    t('kit.cancel'))));
        if (one)
            tell(one, gains).catch(() => {}); // it can be made without
        const kind = one?.shape ? 'lake' : one?.verb === 'play_land' ? 'land'
            : one?.verb === 'play_animal' ? `${one.card}` : '';
        field?.ghost(kind && one ? spaces(one) : [], kind, table.you);
    }

    /* With actions left it is only taken in hand. */
    function ending(/** @type {Move} */ end) {
        const now = state.actions === ACTIONS;
        return h('button', {
            type: 'button', 'data-key': 'end_turn', disabled: busy,
            class: now ? 'end main' : 'end',
            'data-move': now && JSON.stringify(end),
            'data-step': !now && 'end_turn',
            onclick: () => now ? act(end) : take('end_turn'),
        }, t('end_turn'));
    }

    function prompt() {
        if (!tools.size || busy)
            return table.rail ? t('look') : waiting(table, view, busy);
        const left = ACTIONS - state.actions;
        return left ? t(left > 1 ? 'your_turn' : 'your_last', {n: left})
            : t('end_now');
    }

    /* ---- the rest ---- */

    /* What was done of a turn, and its end. */
    function drawKeys() {
        const done = Array.from({length: ACTIONS}, (_, n) =>
            h('i', {class: n < state.actions ? 'done' : ''}));
        const used = [['bought_hacienda', 'hacienda'], ['bought_water', 'water'],
                      ['harvested', 'chip']].filter(([done]) => state[done]);
        const end = tools.get('end_turn')?.[0];
        fill(keys, view.state === 'playing' && h('span', {class: 'hacienda done-so-far'},
            h('span', {class: 'actions', role: 'img', tabindex: 0,
                       ...tip(t('actions', {n: state.actions})),
                       'aria-label': t('actions', {n: state.actions})}, done),
            used.map(([what, name]) => h('span', {
                class: 'used', role: 'img', tabindex: 0,
                'aria-label': t(what), ...tip(t(what))}, icon(name)))),
        end && ending(end));
        due.hidden = view.state !== 'playing' || state.scoring_due === 'nothing';
        fill(due, t(`due.${state.scoring_due}`));
    }

    /* Why a move cannot be made. */
    const refused = (/** @type {Move} */ one) => whyNot(table, one, {
        what: t(`what.${one.verb}`), cost: cost(one.verb),
        have: mine()?.money});

    /* Why a thing cannot be taken in hand: what the rules say of it wherever it
     * were put; or else there is no place for it. */
    function whyLeft(/** @type {string} */ of) {
        if (!mine() || !tools.size || busy)
            return waiting(table, view, busy);
        const [verb, what] = of.split(':');
        const somewhere = field?.first() ?? '';
        const one = {
            verb, ...CARDS.land.concat(ANIMALS).includes(what) && {card: what},
            ...SHAPES.includes(what) && {shape: what, hex1: somewhere},
            .../^(play_|buy_hacienda|harvest)/.test(verb) && {hex: somewhere}};
        const why = table.whyNot(one);
        return why && GENERAL.includes(why.rule) ? refused(one) : t('nowhere');
    }

    /**
     * A thing to take in hand.
     * @param {string} of
     * @param {string} kind Class and picture.
     * @param {string} name
     * @param {string} help
     * @param {...(import('../dom.js').Child)} more
     */
    const thing = (of, kind, name, help, ...more) => {
        const can = tools.has(of) && !busy;
        return h('button', {
            type: 'button', class: `thing t-${kind}`, 'data-key': of,
            'data-step': can ? of : undefined, 'aria-pressed': `${of === tool}`,
            'aria-disabled': can ? undefined : 'true', ...tip(help),
            'data-why': can ? undefined : why(of),
            onclick: () => can && take(of),
        }, h('span', {class: 'art'}, icon(kind)), h('span', {class: 'name'}, name),
        ...more);
    };
    const count = (/** @type {number | string} */ n) =>
        h('span', {class: 'count'}, `${n}`);

    /* How many cards somebody holds; null: it is not for the viewer. */
    function cardsOf(/** @type {number | null} */ seat) {
        const own = seat === null ? null : state?.players[seat];
        return !own || Object.values(own.hidden).includes(null) ? null
            : [...LANDS, ...ANIMALS].reduce((sum, card) =>
                sum + own.known[card] + own.hidden[card], 0);
    }

    function drawHand() {
        const own = mine();
        if (cardsOf(table.you) === null)
            return;
        const cards = [...LANDS, ...ANIMALS].flatMap((card) => {
            const [all, known] = [own.known[card] + own.hidden[card], own.known[card]];
            const verb = LANDS.includes(card) ? 'play_land' : 'play_animal';
            return all ? [thing(`${verb}:${card}`, card, t(card),
                `${t(`help.${card === 'pampas' ? card : verb === 'play_land'
                    ? 'terrain' : 'animal'}`, {what: t(card)})}${known
                    ? `\n${t('known', {n: known})}` : ''}`,
                all > 1 && count(`×${all}`),
                known > 0 && h('span', {class: 'known', role: 'img',
                    'aria-label': t('known', {n: known})}, `◉${known}`))] : [];
        });
        fill(hand, h('h2', null, t('hand')), h('div', {class: 'cards'},
            cards.length ? cards : h('p', {class: 'none'}, t('no_cards'))));
    }

    /* A pile, how many of each card could still come, and the open cards. */
    function drawStack(/** @type {'land' | 'animals'} */ stack) {
        const word = stack === 'land' ? 'land' : 'animal';
        const unseen = CARDS[stack].map((card) => h('li', {
            ...tip(t('unseen', {n: state.unseen[card], what: t(card)}))},
            icon(card), h('span', {class: 'sr'}, `${t(card)} `),
            `${state.unseen[card]}`));
        const open = state.display[stack].map((/** @type {string | null} */ card) =>
            card === null
            ? h('span', {class: 'thing gap', role: 'img',
                         'aria-label': t('gap')})
            : thing(`buy_${word}_display:${card}`, card, t(card),
                t('help.display', {n: cost('display')}),
                price(cost('display'))));
        return h('div', {class: `stack s-${stack}`, role: 'group',
                         'aria-label': t(`stock.${stack}`)},
            h('div', {class: 'cards'},
                thing(`buy_${word}_supply`, stack, t('pile', {
                    n: state.supply[stack]}),
                    t(stack === 'animals' ? 'help.animals' : 'help.land', {
                        n: cost('supply'), aside: state.animals_aside}),
                    price(cost('supply'))),
                open),
            h('ul', {class: 'could', 'aria-label': t('could_come')}, unseen));
    }
    const price = (/** @type {number} */ n) =>
        h('span', {class: 'price'}, icon('coin'), `${n}`,
            h('span', {class: 'sr'}, ` ${t('pesos')}`));
    /* How many there still are. */
    const left = (/** @type {number} */ n) => [count(n),
        h('span', {class: 'sr'}, ` ${t('left')}`)];

    function drawStock() {
        fill(stock, h('h2', null, t('stock'), h('small', {tabindex: 0,
            ...tip(t('half_tip', {n: state.supply.animals,
                aside: state.animals_aside}))}, t(`half${state.half}`))),
        drawStack('land'), drawStack('animals'));
    }

    function drawWorks() {
        const big = cost('buy_water');
        fill(works, h('h2', null, t('works')),
            h('div', {class: 'cards'},
                thing('buy_hacienda', 'hacienda', t('hacienda'),
                    t('help.hacienda', {n: big}), price(big),
                    ...left(state.left.haciendas)),
                SHAPES.filter((shape) => state.left.waters[shape] > 0).map((shape) =>
                    thing(`buy_water:${shape}`, shape, t(shape),
                        t('help.water', {n: big}), price(big),
                        ...left(state.left.waters[shape]))),
                thing('harvest', 'chip', t('harvest'), t('help.harvest'),
                    ...left(state.left.chips))));
    }

    /* What somebody has: money, how many cards, and those that all have seen. */
    function holds(/** @type {number} */ seat) {
        const player = state?.players[seat];
        if (!player)
            return null;
        const stacks = /** @type {('land' | 'animals')[]} */ (['land', 'animals']);
        const cards = stacks.reduce((sum, stack) => CARDS[stack].reduce(
            (n, card) => n + player.known[card],
            sum + player.hidden_cards[stack]), 0);
        return [icon('coin'), h('span', {class: 'sr'}, t('pesos')),
            ` ${player.money} · ${t(cards === 1 ? 'one_card' : 'cards', {n: cards})}`,
            seat === state.start_player && h('span', {
                class: 'first', ...tip(t('first'))}, ' ①',
            h('span', {class: 'sr'}, t('first'))),
            ...[...LANDS, ...ANIMALS].filter((card) => player.known[card])
                .map((card) => h('span', {class: 'face', title: t('seen', {
                    n: player.known[card], what: t(card)})}, icon(card),
                h('span', {class: 'sr'}, t(card)), `${player.known[card]}`))];
    }

    function show() {
        field?.offer(busy ? new Map() : targets());
        field?.ghost([], '', null);
        drawHand();
        drawStock();
        drawWorks();
        tray.show();
        drawKeys();
        drawBar();
    }

    return {
        update(now, info) {
            view = now;
            state = now.game_state;
            busy = info.busy;
            tried.forget();
            known.clear();
            paid.clear();
            if (!state)
                return;
            tools = new Map();
            if (info.legal.moves.length > 0)
                import('./hacienda_changes.js').catch(() => {}); // for tell()
            for (const one of info.legal.moves) {
                const of = toolOf(one);
                const same = tools.get(of);
                if (same)
                    same.push(one);
                else
                    tools.set(of, [one]);
            }
            if (!tools.has(tool))
                tool = '';
            if (!tool || chosen && !at(chosen).length)
                chosen = '';
            if (!field) {
                field = board(state, t, table.names, pick, look, notHere, worth);
                field.frame.append(field.keys, due);
                place.append(field.frame);
            }
            field.update(state, info.from !== null);
            show();
        },
        destroy() {
            ends.forEach((end) => end());
            fill(keys);
            for (const part of [root, rail])
                part.removeEventListener('keydown', escape);
        },
        head: (seat) => ({line: holds(seat),
            scored: state?.players[seat].points}),
        facts: () => !state ? [] : [t(`half${state.half}`),
            state.round ? t('round', {n: state.round}) : t('dealing'),
            t('costs', {n: cost('buy_water')})],
        point: (places) => field?.point(places),
    };
}
