// hadara.js -- the panel of Hadara.
//
//     decision  what is to be decided: cards, piles, colonies, statues, medals, each
//               with the ways to take it and what my numbers become; the wheel
//     tracks    hadara_tracks.js: everybody's markers, colonies and statues
//     people    my cards by colour, and what I have besides
//     aside     the piles for phase B; the others, a line that opens for each
//
// On a phone the decision has the page for itself, and the rest is in the sheet.
//
// For tests: each way is a button with `data-move`; an amount is an input with
// `data-range` before its button; only the wheel has steps.

import {add, fill, h, roving} from '../dom.js';
import {arrive, badge, languages, play, previews, sheet, tell, tip, tips, waiting}
    from './kit.js';
import {SIGN_OF, coin, outline, sign} from './hadara_art.js';
import {TRACKS, goals, tables} from './hadara_tables.js';
import words from './hadara_words.js';

/** @typedef {import('../types.js').Move} Move */
/** @typedef {import('../types.js').Table} Table */
/** @typedef {import('../types.js').View} View */
/** @typedef {import('../types.js').Legal} Legal */
/** @typedef {import('../dom.js').Child} Child */
/** @typedef {import('./hadara_tables.js').Tables} Tables */
/** @typedef {typeof import('./hadara_offers.js')} Offers */
/** @typedef {typeof import('./hadara_round.js')} Round */

const COLORS = ['yellow', 'red', 'blue', 'green', 'purple'];
const EPOCHS = ['', 'I', 'II', 'III'];
const PARTS = ['cards', 'colonies', 'statues', 'silver', 'gold', 'effects', 'coins'];

/** @type {import('../types.js').GameModule} */
export default {
    css: true,
    words: languages(words),
    tongues: {fr: () => import('./hadara_fr.js')},
    describe,
    word,
    told: {quiet: ['drew', 'chose', 'choice', 'side_choice', 'took'],
           chapters: ['epoch_began'], scenes: ['wheel_set', 'wheel_turned'],
           turns: ['took', 'took_colony', 'carved', 'passed'], gain,
           places: (event) => Object.values(event).filter((value) =>
               /^[a-z]+-\d-\d+$/.test(`${value}`))},
    mount,
};

/** What comes on demand, once it is there: a panel that is mounted anew has it at
 * once. @type {Offers | undefined} */
let deciding;
/** @type {Round | undefined} */
let playing;

const offersCome = async () => (deciding ??= await import('./hadara_offers.js'));
const roundComes = async () => (playing ??= await import('./hadara_round.js'));

/** The numbers of tables that are or were shown. @type {Map<string, Tables>} */
const shown = new Map();

const colorOf = (/** @type {string} */ id) => id.split('-')[0];
const epochOf = (/** @type {string} */ id) => Number(id.split('-')[1]);

/** "2 points". @param {Table['t']} t @param {number} n */
const pointsSaid = (t, n) => t(n === 1 ? 'one_point' : 'n_points', {n});

/** A card in words, as core/games/hadara/says.c has it.
 * @param {string} id @param {Table} table @param {Tables | undefined} numbers */
function cardSaid(id, table, numbers) {
    const {t} = table;
    const card = numbers?.cards[id];
    const name = t(`card.${colorOf(id)}`);
    if (!card)
        return name;
    const gives = [...TRACKS.filter((track) => card.values[track]).map(
        (track) => `${t(track)} ${card.values[track]}`), pointsSaid(t, card.points)];
    const effect = card.effect && table.help(card.effect).replace(/\.$/, '');
    return t(effect ? 'card.effect' : 'card.plain', {
        card: name, gives: gives.join(', '), effect});
}

/** @param {import('../types.js').Event} event @param {Table} table */
function describe(event, table) {
    return tell(event, table, (one) => word(one, table) ?? table.t(one));
}

/** A card by its name. @param {any} one @param {Table} table */
function word(one, table) {
    return /-\d/.test(one) ? cardSaid(one, table, shown.get(table.id)) : null;
}

/** What an event brought its seat in coins, or cost it.
 * @param {import('../types.js').Event} event */
function gain({kind, amount}) {
    return amount === undefined || kind === 'scored' ? null
        : /^(sold|income|food_surplus|extra_coin)$/.test(kind) ? amount : -amount;
}

/**
 * @param {HTMLElement} root
 * @param {Table} table
 * @returns {import('../types.js').Panel}
 */
function mount(root, table) {
    const {t} = table;
    const tried = previews(table);
    const decision = h('section', {class: 'decision'});
    const track = h('section', {class: 'board'});
    const people = h('section', {class: 'people'});
    const piles = h('section', {class: 'piles'});
    const others = h('section', {class: 'others'});
    const aside = table.aside ?? root;
    const keys = table.keys ?? h('div', {class: 'out'});
    const rail = table.rail ?? root;
    const faces = [...new Set([root, aside, rail])];
    const ends = faces.map(tips);
    const narrow = matchMedia('(max-width: 44rem)');
    const parts = ['tracks', 'people', 'others', 'wheel'].map((key) => {
        const node = h('div');
        return {key, node, name: () => [...node.children].some((one) =>
            !(/** @type {HTMLElement} */ (one).hidden)) ? t(`${key}_tab`) : ''};
    });
    const [tracksPart, peoplePart, othersPart, wheelPart] = parts.map(({node}) => node);
    const tray = sheet(parts, true);
    /** @type {Tables | null} */
    let numbers = null;
    /** @type {ReturnType<Offers['offersOf']> | null} */
    let offers = null;
    /** What there is from the first epoch on.
     * @type {ReturnType<typeof roundOf> | null} */
    let round = null;
    let gone = false;
    /** @type {View} */
    let view;
    /** @type {any} */
    let state;
    /** @type {Legal} */
    let legal;
    let busy = false;
    /** How the wheel is being turned. */
    let draft = 0;
    /** Whether there is something to decide, or to look at instead. */
    let decides = false;
    /** Whether what can be done was drawn since the last view came. */
    let offered = false;
    /** What draws the rest, by and by. */
    let rest = 0;
    /** Lines that are open, by seat. @type {Set<number>} */
    const opened = new Set();
    /** Whether what is drawn came of what just happened. */
    let moves = false;
    /** Cards that lie open or are owned, as they were drawn. @type {Set<string>} */
    let lying = new Set();
    /** What was drawn of what, so that it is not drawn again.
     * @type {Map<Element, string>} */
    const drawn = new Map();

    for (const part of faces) {
        part.classList.add('game', 'hadara');
        part.classList.toggle('still', !table.settings.animations);
    }
    add(root, decision);
    lay();
    narrow.addEventListener('change', turned);
    // The place of what is to be decided is kept, and nothing else is there yet.
    decision.classList.add('coming');
    for (const part of [track, people, piles, others])
        part.hidden = true;
    if (!table.keys)
        add(root, keys);
    const fixes = [piles, people].map((part) => roving(part, '[data-tip]'));

    /* What does not decide lies below; on a phone in the sheet, of which the tracks and
     * the wheel come back where the page would be empty. */
    function lay() {
        const phone = narrow.matches && rail !== root;
        const put = (/** @type {HTMLElement} */ place, /** @type {HTMLElement} */ part) =>
            part.parentNode === place || place.append(part);
        put(phone && decides ? tracksPart : root, track);
        put(phone ? peoplePart : root, people);
        put(phone ? othersPart : aside, piles);
        put(phone ? othersPart : aside, others);
        if (phone)
            put(rail, tray.node);
        else
            tray.node.remove();
        tray.show();
    }

    function turned() {
        lay();
        if (state && enough())
            draw();
    }

    const mine = () => table.you === null ? null : state.players[table.you];
    const number = (/** @type {string} */ name, /** @type {Child} */ n) =>
        h('span', {class: 'number'}, sign(name), h('span', {class: 'sr'}, `${t(name)} `), n);
    const numbersOf = (/** @type {{[track: string]: number}} */ values,
        /** @type {number} */ points) => [
        ...TRACKS.filter((name) => values[name]).map((name) =>
            number(name, `${values[name]}`)),
        points ? number('points', `${points}`) : null];

    /* ---- things ---- */

    const said = (/** @type {string} */ id) => cardSaid(id, table, numbers ?? undefined);

    const kind = (/** @type {string} */ id) =>
        `${t(colorOf(id))} ${EPOCHS[epochOf(id)]}`;

    function cardTip(/** @type {string} */ id) {
        const card = numbers?.cards[id];
        return [said(id), card && t('cost', {n: card.cost}),
                card?.estimate && t('estimate')].filter(Boolean).join('\n');
    }

    /** A card in a line. @param {string} id @param {string | null} [tile]
     * @param {Child} [before] */
    function mini(id, tile = null, before = null) {
        const card = numbers?.cards[id];
        return card && h('span', {class: `mini c-${colorOf(id)}`, role: 'img',
            'data-card': id,
            'aria-label': said(id) + (tile ? `, ${t('with_tile', {tile: t(tile)})}` : ''),
            ...tip(cardTip(id) + (tile ? `\n${t('with_tile', {tile: t(tile)})}` : ''))},
            before, numbersOf(card.values, 0), tile && number(tile, '+2'),
            card.effect && h('span', {class: 'number'}, sign('effect')),
            h('span', {class: 'worth'}, number('points', `${card.points}`)));
    }

    const goalSaid = (/** @type {string} */ kind, /** @type {number} */ n) => {
        const of = kind === 'colony' ? numbers?.colonies[n - 1] : numbers?.statues[n - 1];
        return of ? t(`${kind}_tip`, {n, need: of.requirement,
            points: of.points, ...'bonus' in of ? {bonus: of.bonus}
                : {plunder: of.plunder, integrate: of.integrate}}) : '';
    };

    /* ---- what is to be decided ---- */

    const lent = {
        numbers: () => /** @type {Tables} */ (numbers),
        state: () => state, legal: () => legal, busy: () => busy, mine, said, cardTip,
        kind, mini, number, numbersOf, goalSaid, tried, goals, sign, outline, coin,
        look: (/** @type {any} */ after) => round?.tracks.ahead(after ?? pending()),
        play: (/** @type {Move} */ move, /** @type {string} */ label) =>
            play(table, move, label),
    };

    function roundOf(/** @type {Round} */ {startsOf, tracksOf, wheelOf},
        /** @type {Tables} */ found) {
        const tracks = tracksOf(table, found, goalSaid, sign, goals);
        track.append(tracks.node);
        const wheel = wheelOf(table, (color) => outline(SIGN_OF[color]), (offset) => {
            draft = offset;
            drawDecision();
        });
        return {tracks, wheel, startsOf};
    }

    /* Whether there is what the stage is drawn with. */
    const enough = () => numbers && (round || state.epoch === 0)
        && (offers || state.stage === 'wheel');

    /* What will stand beside the board has its room until it is drawn. */
    function room() {
        others.hidden = state.epoch === 0;
        others.style.setProperty('--lines', `${state.players.length
            - Number(table.you !== null)}`);
        piles.hidden = noPiles();
    }

    /* What is to be drawn comes as it is needed. */
    async function come() {
        const later = Promise.all([
            state.stage === 'wheel' ? null : offersCome(),
            state.epoch > 0 ? roundComes() : null]);
        numbers ??= await tables(view, table.rules);
        shown.set(table.id, numbers); // the log tells cards by them
        const [ways, more] = await later;
        if (gone)
            return;
        if (ways)
            offers ??= ways.offersOf(table, lent);
        if (more)
            round ??= roundOf(more, numbers);
        if (enough()) // else more is on its way
            draw();
    }

    /* What my choice will make of my numbers, while it can be changed. */
    function pending() {
        const after = state.previews?.choice;
        return after && after.coins !== null && mine()?.drawn?.[0] ? after : null;
    }

    function chosen() {
        const all = view.seats.length;
        const done = view.seats.filter((seat) => !seat.acting).length;
        return ['choose', 'sides'].includes(state.stage) && view.state === 'playing'
            && h('span', {class: 'tally'}, t('chosen', {n: done, all}));
    }

    function heading() {
        const me = mine();
        const acting = table.you !== null && view.seats[table.you].acting;
        const can = legal.moves.length + legal.ranges.length > 0;
        if (!can || busy) // what is waited for the frame says; what may be seen
            return [t(`stage.${state.stage}`), table.rail ? '' : waiting(table, view, busy)];
        if (!acting)
            return [t('chosen.mine'), t('chosen.change')];
        if (state.stage === 'feed' && me?.to_remove)
            return [t('must_remove', {n: me.to_remove}), t('must_remove.why', {
                n: me.cards.length, food: me.now.food})];
        const more = t(`ask.${state.stage}.more`, {
            color: me?.drawn?.[0] ? t(colorOf(me.drawn[0])) : ''});
        return [t(`ask.${state.stage}`),
                more === `ask.${state.stage}.more` ? '' : more];
    }

    function drawDecision() {
        const can = legal.moves.length + legal.ranges.length > 0 && !busy;
        const turning = can && state.stage === 'wheel';
        const turns = ['wheel', 'choose'].includes(state.stage) && state.ring[0]
            ? round : null;
        const [title, more] = heading();
        const all = state.stage === 'over' ? [result()] : offers?.all(can) ?? [];
        turns?.wheel.update(state, turning ? draft : null);
        fill(keys, offers?.out(can) ?? []);
        decision.hidden = !turns && all.length === 0;
        decides = all.length > 0;
        const apart = narrow.matches && rail !== root && decides;
        fill(wheelPart, apart && turns?.wheel.node);
        fill(decision, !apart && turns?.wheel.node,
            h('div', {class: 'does'},
                h('header', null, h('h2', null, title), more && h('p', null, more), chosen()),
                turning && [turns?.startsOf(table, state, draft) ?? null, wheelWay()], all));
        decision.classList.toggle('round', turns !== null && !apart);
        // Its place is kept until it is known what can be done.
        decision.classList.toggle('coming', view.decision !== null && !can && !busy);
        round?.tracks.ahead(pending());
        lay();
    }

    function wheelWay() {
        const move = legal.moves.find((one) => one.verb === 'set_wheel'
            && one.offset === draft);
        return move && h('button', {type: 'button',
            class: 'main', disabled: busy, 'data-move': JSON.stringify(move),
            'data-key': 'set_wheel', onclick: () => play(table, move, t('set_wheel'))},
        t('set_wheel'));
    }

    /* ---- my own, and the others' ---- */

    function columns(/** @type {any} */ player, /** @type {boolean} */ own) {
        return COLORS.map((color) => {
            const cards = player.cards.filter(
                (/** @type {{card: string}} */ {card}) => colorOf(card) === color);
            return cards.length > 0 && h('div', {class: `column c-${color}`},
                h('h3', null, `${cards.length} ${t(color)}`,
                    own && h('small', null, t('next', {n: cards.length}))),
                h('ul', null, cards.map((/** @type {any} */ {card, tile}) =>
                    h('li', null, mini(card, tile)))));
        });
    }

    function tokens(/** @type {any} */ player) {
        const colonies = player.colonies.flatMap((/** @type {any} */ colony,
            /** @type {number} */ n) => {
            const known = numbers?.colonies[n];
            if (!colony.mode || !known)
                return [];
            const back = colony.copy === null ? null : known.backs[colony.copy - 1];
            return [h('li', {class: 'token'}, '✓ ', t(`is_${colony.mode}`, {n: n + 1}), ' ',
                back ? numbersOf(back.values, back.points) : numbersOf({}, known.points))];
        });
        const statues = player.statues.flatMap((/** @type {any} */ statue,
            /** @type {number} */ n) => statue.tile && numbers ? [h('li', {class: 'token'},
            '✓ ', t('statue', {n: n + 1}), ' ',
            number('points', `${numbers.statues[n].points}`),
            number(statue.face === 'up' ? statue.tile : 'points',
                `+${numbers.statues[n].bonus}`))] : []);
        const medals = [...player.silver.filter(Boolean).map((/** @type {string} */ of) =>
            h('li', {class: 'token silver'}, t('silver_on'), ' ', number(of, t(of)))),
        ...Array.from({length: player.gold}, () =>
            h('li', {class: 'token gold'}, t('gold_medal')))];
        const tiles = TRACKS.filter((name) => player.tiles[name]);
        return h('ul', {class: 'tokens'}, colonies, statues, medals,
            h('li', {class: 'tiles'}, t('tiles'), ' ', tiles.length ? tiles.map((name) =>
                number(name, `${player.tiles[name]}`)) : t('none')));
    }

    /* Draws PART anew if what it is of has changed; whether it did. */
    function redraw(/** @type {HTMLElement} */ part, /** @type {any} */ of,
        /** @type {() => (Child | Child[])[]} */ make) {
        const now = JSON.stringify([of, numbers !== null, table.rules.glossary.length]);
        if (drawn.get(part) === now)
            return;
        drawn.set(part, now);
        fill(part, ...make());
    }

    function drawPeople() {
        const me = mine();
        people.hidden = !me || state.epoch === 0;
        if (me)
            redraw(people, me, () => [
                h('h2', null, t('people', {n: me.cards.length, food: me.now.food})),
                me.cards.length > 0 && h('div', {class: 'columns'}, columns(me, true)),
                tokens(me)]);
    }

    const noPiles = () => ['take', 'over'].includes(state.stage)
        || COLORS.every((color) => state.piles[color].length === 0);

    function drawPiles() {
        const some = COLORS.filter((color) => state.piles[color].length > 0);
        const costs = state.previews?.pile_costs ?? {};
        piles.hidden = noPiles();
        redraw(piles, [state.piles, costs], () => [
            h('h2', null, t('piles'), table.you !== null && h('small', null, t('piles.price'))),
            h('ul', {class: 'pile-list'}, some.map((color) => {
                const pile = state.piles[color];
                const top = numbers?.cards[pile.at(-1)];
                const text = [...pile].reverse().map(cardTip).join('\n\n');
                return top && h('li', {class: `pile c-${color}`, 'data-card': pile.at(-1),
                    ...tip(text)},
                    h('span', {class: 'band'}, coin(costs[color] ?? top.cost),
                        h('span', null, h('span', {class: 'sr'}, `${t(color)} `),
                            `×${pile.length}`)),
                    h('span', {class: 'gives'}, numbersOf(top.values, top.points),
                        top.effect && number('effect', '')));
            }))]);
    }

    function line(/** @type {any} */ player, /** @type {number} */ seat) {
        const body = h('div');
        const show = () => body.firstChild || fill(body,
            h('div', {class: 'columns'}, columns(player, false)), tokens(player));
        const box = h('details', {class: `other own-${seat}`, open: opened.has(seat),
            ontoggle: () => {
                if (!box.open)
                    return void opened.delete(seat);
                opened.add(seat);
                show();
            }},
        h('summary', {'data-key': `board-${seat}`},
            h('span', {class: 'name'}, badge(seat), table.names()[seat]),
            TRACKS.map((name) => number(name, h('b', null, `${player.now[name]}`))),
            h('span', {class: 'count'}, t(player.cards.length === 1 ? 'one_card' : 'n_cards',
                {n: player.cards.length}))), body);
        if (box.open)
            show();
        return box;
    }

    function drawOthers() {
        const seats = state.players.map((/** @type {any} */ player,
            /** @type {number} */ seat) => ({player, seat})).filter(
            (/** @type {any} */ {seat}) => seat !== table.you);
        others.hidden = state.epoch === 0;
        redraw(others, [seats, table.names()], () => [
            h('h2', null, t(table.you === null ? 'all' : 'others'),
                h('small', null, t('others.more'))),
            seats.map((/** @type {any} */ {player, seat}) => line(player, seat))]);
    }

    /* ---- the end ---- */

    function result() {
        const order = view.seats.map((_, seat) => seat).sort((a, b) =>
            (view.result?.places[a] ?? 0) - (view.result?.places[b] ?? 0));
        const most = Math.max(1, ...view.score_now.map((score) => score.total));
        const parts = PARTS.filter((part) => view.score_now.some(
            (score) => score.parts[part] > 0));
        return h('div', {class: 'final'},
            h('ol', null, order.map((seat) => h('li', {class: `own-${seat}`},
                h('span', {class: 'place'}, view.result ? `${view.result.places[seat]}.` : ''),
                h('b', null, badge(seat), table.names()[seat]),
                h('span', {class: 'bars', 'aria-hidden': 'true'}, parts.map((part) =>
                    h('i', {class: `p-${part}`, style: {
                        width: `${view.score_now[seat].parts[part] * 100 / most}%`}},
                    view.score_now[seat].parts[part] * 100 / most > 6
                        ? `${view.score_now[seat].parts[part]}` : ''))),
                h('span', {class: 'total'}, `${view.score_now[seat].total}`)))),
            h('ul', {class: 'legend', 'aria-hidden': 'true'}, parts.map((part) =>
                h('li', null, h('i', {class: `p-${part}`}), partSaid(part)))));
    }

    function partSaid(/** @type {string} */ part) {
        const text = table.rules.parts.find(({name}) => name === part)?.text ?? part;
        return t(text);
    }

    function draw() {
        track.hidden = state.epoch === 0;
        drawDecision();
        offered = !busy;
        clearTimeout(rest);
        rest = window.setTimeout(drawRest);
    }

    function drawTracks() {
        if (track.hidden)
            return;
        round?.tracks.update(state);
        round?.tracks.ahead(pending());
    }

    /* What does not decide, one after the other: a phone's processor has pauses. */
    function drawRest(n = 0) {
        const rests = [drawTracks, drawPeople, drawPiles, drawOthers, drawLying];
        rests[n]();
        if (n + 1 < rests.length)
            rest = window.setTimeout(drawRest, 0, n + 1);
    }

    /* What is new among the cards that lie there comes to its place. */
    function drawLying() {
        tray.show();
        fixes.forEach((fix) => fix());
        const cards = [people, piles].flatMap((part) =>
            [...part.querySelectorAll('[data-card]')]);
        for (const card of moves ? cards : [])
            if (!lying.has(`${card.getAttribute('data-card')}`))
                arrive(card, people.contains(card) ? table.you : null);
        lying = new Set(cards.map((card) => `${card.getAttribute('data-card')}`));
        moves = false;
    }

    /* What somebody has, and what they are about. */
    function holds(/** @type {number} */ seat) {
        const {coins} = state.players[seat];
        const does = view.state === 'playing' && state.epoch > 0
            && (['choose', 'sides'].includes(state.stage)
                ? view.seats[seat].acting ? t('does.choose') : `✓ ${t('does.chosen')}`
                : state.stage === 'feed' && !view.seats[seat].acting ? `✓ ${t('done')}` : '');
        return [sign('coins'), h('span', {class: 'sr'}, `${t('coins')} `), `${coins}`,
            does && ` · ${does}`,
            state.epoch > 0 && seat === state.first_players[state.epoch - 1]
                && h('span', {class: 'first', ...tip(t('first'))}, ' ①',
                    h('span', {class: 'sr'}, t('first')))];
    }

    /** @type {import('../types.js').Panel} */
    const panel = {
        update(now, info) {
            const before = state;
            const same = now === view && info.legal === legal;
            view = now;
            state = now.game_state;
            ({legal, busy} = info);
            if (same && offered) { // it is on its way, or was refused
                for (const way of [decision, keys].flatMap((part) =>
                    [...part.querySelectorAll('button[data-move]')]))
                    /** @type {HTMLButtonElement} */ (way).disabled = busy;
                return;
            }
            tried.forget();
            if (!state)
                return;
            moves ||= info.from !== null;
            if (before?.stage !== state.stage)
                draft = 0;
            if (enough())
                draw();
            else {
                room();
                panel.ready = come();
            }
            if (busy || info.from !== null) // the next stage is near
                Promise.all([offersCome(), roundComes()]).catch(() => {});
        },
        head: (seat) => state && state.players[seat] ? {line: holds(seat),
            scored: state.players[seat].now.points} : {},
        facts: () => state?.epoch ? [t('epoch', {n: EPOCHS[state.epoch]}), t('phase', {
            phase: state.phase}), state.stage === 'choose'
            ? t('step', {n: state.step + 1}) : t(`stage.${state.stage}`)] : [],
        point: (cards) => faces.forEach((part) =>
            part.querySelectorAll('[data-card]').forEach((card) =>
                card.classList.toggle('told', cards.includes(
                    `${card.getAttribute('data-card')}`)))),
        destroy() {
            gone = true;
            narrow.removeEventListener('change', turned);
            clearTimeout(rest);
            fill(keys);
            offers?.end();
            ends.forEach((end) => end());
        },
    };
    return panel;
}
