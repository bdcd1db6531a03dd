// hacienda.js -- the panel of Hacienda.
//
//     status    half, round, actions done, what is due
//     board     hacienda_board.js
//     bar       what the tool in hand would do here: before -> after
//     tray      the hand; what can be bought; what else can be done
//     players   everybody's money, cards, points
//
// One takes a tool -- a card, a pile, a water tile, the end of the turn -- and
// the spaces where it may be used light up; looking at one tells what it would
// bring, choosing it does it.  A finger's first touch only looks, and the bar
// has a button.  What cannot be taken back waits for that button in any case.
//
// For tests: tools and first spaces of a water tile are `data-step`, spaces and
// the button of the bar `data-move`; each space is a `data-target="C7"`.

import {add, fill, h} from '../dom.js';
import {badge, change, languages, play, previews, tell, tip, tips,
        waiting} from './kit.js';
import {board} from './hacienda_board.js';
import {icon} from './art.js';
import words from './hacienda_words.js';
import {thumbnail} from './hacienda_thumb.js';

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
    thumbnail,
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
    const status = h('div', {class: 'status'});
    const bar = h('div', {class: 'bar', role: 'status'});
    const tray = h('div', {class: 'tray'});
    const players = h('div', {class: 'players'});
    const top = h('div', {class: 'top'}, status);
    const place = h('div', {class: 'place'}, top);
    const endTips = tips(root);
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

    root.classList.add('game', 'hacienda');
    root.classList.toggle('distinct', table.settings.palette === 'distinct');
    root.classList.toggle('still', !table.settings.animations);
    add(root, h('div', {class: 'hacienda-table'}, place, bar, tray, players));
    root.addEventListener('keydown', escape);

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
                    ? {label} : {move: one, label});
        return found;
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

    function act(/** @type {Move} */ one) {
        if (busy)
            return;
        if (one.verb === 'end_turn' && state.actions < ACTIONS)
            return void play(table, one, t('sure_end', {
                n: ACTIONS - state.actions}));
        return void play(table, one);
    }

    /* ---- the bar ---- */

    const cost = (/** @type {string} */ verb) =>
        verb === 'buy_hacienda' || verb === 'buy_water'
            ? state.options.variant1 ? 20 : 12
            : verb.endsWith('_supply') ? 2 : 3;

    function title(/** @type {string} */ of) {
        const [verb, kind] = of.split(':');
        return t(`do.${verb}`, {
            what: kind ? t(kind) : '', n: cost(verb)});
    }

    /* What a move would change: my money, my points and of what. */
    async function tell(/** @type {Move} */ one, /** @type {Element} */ into) {
        const after = await tried.of(one);
        const you = table.you;
        if (!after || you === null || !into.isConnected)
            return;
        const [was, now] = [view.score_now[you], after.score_now[you]];
        const others = view.seats.flatMap((_, seat) => {
            const more = after.score_now[seat].total - view.score_now[seat].total;
            return seat === you || !more ? [] : [h('span', {class: 'change up'},
                badge(seat), `${table.names()[seat]} +${more}`)];
        });
        const parts = Object.keys(now.parts)
            .filter((part) => now.parts[part] !== was.parts[part])
            .map((part) => t('part', {
                part: t(`points.${part}`),
                n: (now.parts[part] > was.parts[part] ? '+' : '−')
                    + Math.abs(now.parts[part] - was.parts[part])}));
        fill(into,
            h('span', {class: 'gain'}, icon('coin'),
                change(mine().money, after.game_state.players[you].money,
                    t('pesos'))),
            h('span', {class: 'gain'},
                change(was.total, now.total, t('points_now')),
                parts.length ? ` (${parts.join(', ')})` : ''),
            others);
    }

    function drawBar() {
        const one = tool ? move() : undefined;
        const gains = h('span', {class: 'gains'});
        const space = taking() ? looked : chosen || looked;
        const told = space && field ? field.words(space) : '';
        if (!tool) {
            fill(bar, h('p', null, h('strong', null, prompt()), told && ` ${told}`));
            return;
        }
        const ready = one && (!placed() || chosen && (!taking() || looked));
        const ways = one?.shape && chosen ? at(chosen).length : 0;
        const last = one && (table.finalOf(one).final || table.finalOf(one).draws
            || table.finalOf(one).reveals);
        fill(bar,
            h('p', null, h('strong', null, title(tool)), ' ',
                placed() && !one ? t(taking() ? 'whose_chip' : 'where') : '',
                placed() ? told : '',
                last ? ` ${t('kit.final')}` : '', ' ', gains),
            h('div', {class: 'bar-keys'},
                ways > 1 && h('button', {type: 'button', 'data-step': 'turn',
                                         onclick: () => { turn++; show(); }},
                    t('turn_tile', {n: turn % ways + 1, of: ways})),
                ready && h('button', {
                    type: 'button', class: 'main', disabled: busy,
                    'data-move': JSON.stringify(one),
                    onclick: () => act(one)}, t('do_it')),
                h('button', {type: 'button', onclick: () => take('')},
                    t('kit.cancel'))));
        if (one)
            tell(one, gains);
        const kind = one?.shape ? 'lake' : one?.verb === 'play_land' ? 'land'
            : one?.verb === 'play_animal' ? `${one.card}` : '';
        field?.ghost(kind && one ? spaces(one) : [], kind, table.you);
    }

    function prompt() {
        if (!tools.size || busy)
            return waiting(table, view, busy);
        const left = ACTIONS - state.actions;
        return left ? t('your_turn', {n: left}) : t('end_now');
    }

    /* ---- the rest ---- */

    function drawStatus() {
        const done = Array.from({length: ACTIONS}, (_, n) =>
            h('i', {class: n < state.actions ? 'done' : ''}));
        const used = [['bought_hacienda', 'hacienda'], ['bought_water', 'water'],
                      ['harvested', 'chip']].filter(([done]) => state[done]);
        fill(status,
            h('span', {class: 'half', tabindex: 0, ...tip(t('half_tip', {
                n: state.supply.animals, aside: state.animals_aside}))},
                h('span', {'aria-hidden': 'true'}, state.half === 1 ? '◐' : '●'),
                ` ${t(`half${state.half}`)}`),
            h('span', null, state.round ? t('round', {n: state.round})
                : t('dealing')),
            state.turn !== null && view.state === 'playing'
                && h('span', {class: 'whose'}, badge(state.turn),
                    table.names()[state.turn]),
            h('span', {class: 'actions', role: 'img',
                       'aria-label': t('actions', {n: state.actions})}, done),
            used.map(([what, name]) => h('span', {
                class: 'used', role: 'img', tabindex: 0,
                'aria-label': t(what), ...tip(t(what))},
                icon(name))),
            view.state === 'playing' && state.scoring_due !== 'nothing'
                && h('strong', {class: 'due'},
                t(`due.${state.scoring_due}`)));
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
            onclick: () => {
                if (can)
                    take(of);
            },
        }, h('span', {class: 'art'}, icon(kind)), h('span', {class: 'name'}, name),
        ...more);
    };
    const count = (/** @type {number | string} */ n) =>
        h('span', {class: 'count'}, `${n}`);

    function drawHand() {
        const own = mine();
        if (!own || Object.values(own.hidden).includes(null))
            return null;
        const cards = [...LANDS, ...ANIMALS].flatMap((card) => {
            const [all, known] = [own.known[card] + own.hidden[card], own.known[card]];
            const verb = LANDS.includes(card) ? 'play_land' : 'play_animal';
            return all ? [thing(`${verb}:${card}`, card, t(card),
                `${t(`help.${card === 'pampas' ? card : verb === 'play_land'
                    ? 'terrain' : 'animal'}`, {what: t(card)})}${known
                    ? `\n${t('known', {n: known})}` : ''}`,
                count(`×${all}`),
                known > 0 && h('span', {class: 'known', role: 'img',
                    'aria-label': t('known', {n: known})}, `◉${known}`))] : [];
        });
        return h('section', {class: 'hand'}, h('h2', null, t('hand')),
            h('div', {class: 'cards'}, cards.length ? cards
                : h('p', {class: 'none'}, t('no_cards'))));
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
                t('help.display', {n: 3}), price(3)));
        return h('div', {class: `stack s-${stack}`},
            h('div', {class: 'cards'},
                thing(`buy_${word}_supply`, stack, t('pile', {
                    n: state.supply[stack]}),
                    t(stack === 'animals' ? 'help.animals' : 'help.land', {
                        n: 2, aside: state.animals_aside}), price(2)),
                open),
            h('ul', {class: 'could', 'aria-label': t('could_come')}, unseen));
    }
    const price = (/** @type {number} */ n) =>
        h('span', {class: 'price'}, icon('coin'), `${n}`);

    function drawWorks() {
        const big = cost('buy_water');
        return h('section', {class: 'works'}, h('h2', null, t('works')),
            h('div', {class: 'cards'},
                thing('buy_hacienda', 'hacienda', t('hacienda'),
                    t('help.hacienda', {n: big}), price(big),
                    count(state.left.haciendas)),
                SHAPES.filter((shape) => state.left.waters[shape] > 0).map((shape) =>
                    thing(`buy_water:${shape}`, shape, t(shape),
                        t('help.water', {n: big}), price(big),
                        count(state.left.waters[shape]))),
                thing('harvest', 'chip', t('harvest'), t('help.harvest'),
                    count(state.left.chips)),
                h('button', {
                    type: 'button', class: 'thing end', 'data-key': 'end_turn',
                    'data-step': tools.has('end_turn') && !busy ? 'end_turn'
                        : undefined,
                    'aria-pressed': `${tool === 'end_turn'}`,
                    'aria-disabled': tools.has('end_turn') ? undefined : 'true',
                    onclick: () => tools.has('end_turn') && take('end_turn'),
                }, t('end_turn'))));
    }

    function drawPlayers() {
        const faces = (/** @type {any} */ player, /** @type {'land' | 'animals'} */ stack) =>
            CARDS[stack].filter((card) => player.known[card]).map((card) =>
                h('span', {class: 'face', ...tip(t('seen', {
                    n: player.known[card], what: t(card)}))}, icon(card),
                h('span', {class: 'sr'}, t(card)), `${player.known[card]}`));
        const hand = (/** @type {any} */ player, /** @type {'land' | 'animals'} */ stack) =>
            CARDS[stack].reduce((sum, card) => sum + player.known[card],
                player.hidden_cards[stack]);
        fill(players, h('table', null,
            h('caption', {class: 'sr'}, t('players')),
            h('thead', null, h('tr', null,
                h('th', {scope: 'col'}, t('player')),
                ['pesos', 'land_cards', 'animal_cards', 'points_held'].map((word) =>
                    h('th', {scope: 'col'}, t(word))))),
            h('tbody', null, state.players.map((/** @type {any} */ player,
                /** @type {number} */ seat) => h('tr', {
                class: seat === state.turn ? 'turn' : ''},
                h('th', {scope: 'row'}, badge(seat), table.names()[seat],
                    seat === state.start_player && h('span', {
                        class: 'first', ...tip(t('first'))}, '①',
                    h('span', {class: 'sr'}, t('first')))),
                h('td', null, `${player.money}`),
                h('td', null, `${hand(player, 'land')} `, faces(player, 'land')),
                h('td', null, `${hand(player, 'animals')} `, faces(player, 'animals')),
                h('td', null, `${player.points}`))))));
    }

    function show() {
        field?.offer(busy ? new Map() : targets());
        field?.ghost([], '', null);
        fill(tray, drawHand(),
            h('section', {class: 'stock'}, h('h2', null, t('stock')),
                drawStack('land'), drawStack('animals')), drawWorks());
        root.classList.toggle('holding', tool !== '');
        drawBar();
    }

    return {
        update(now, info) {
            view = now;
            state = now.game_state;
            busy = info.busy;
            tried.forget();
            if (!state)
                return;
            tools = new Map();
            for (const one of info.legal.moves) {
                const of = toolOf(one);
                const known = tools.get(of);
                if (known)
                    known.push(one);
                else
                    tools.set(of, [one]);
            }
            if (!tools.has(tool))
                tool = '';
            if (!tool || chosen && !at(chosen).length)
                chosen = '';
            if (!field) {
                field = board(state, t, table.names, pick, look);
                top.append(field.keys);
                place.append(field.frame);
            }
            field.update(state, info.from !== null);
            drawStatus();
            drawPlayers();
            show();
        },
        destroy() {
            endTips();
            root.removeEventListener('keydown', escape);
        },
    };
}
