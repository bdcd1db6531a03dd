// orders.js -- standing orders at a table (`table.order`): giving one, what stands,
// and what came of it.  It is loaded when somebody wants one, or has one.
//
// What might be answered is found in the core of the page: the game goes on from
// here in some ways (the others play anything, what is hidden is guessed) until one
// is asked; what could be played there is offered.  Whether it can be played when
// that comes the server sees.

import * as core from './core.js';
import {dialog, fill, h, styled} from './dom.js';
import {complain} from './frame.js';
import {human} from './games.js';
import {plies} from './log.js';
import {learn, t} from './i18n.js';
import * as net from './net.js';
import words from './orders_words.js';
import * as sandbox from './sandbox.js';
import {sentence} from './telling.js';

/** @typedef {import('./types.js').View} View */
/** @typedef {import('./types.js').Move} Move */
/** @typedef {{after: number, pass?: string, move?: Move}} Order */
/** What may be answered, in words. @typedef {{move: Move, text: string, arg?: string,
 *     min?: number, max?: number}} Answer */

const OWN = ' orders'; // no game is called so
learn(OWN, words);
/** @param {string} key @param {{[name: string]: any}} [args] */
const said = (key, args) => t(key, args, OWN);

const WAYS = 24, STEPS = 200; // the game goes on in so many, so far each,
const MS = 700; // as long as that

/** @param {number} n */
const below = (n) => Math.floor(Math.random() * n);

/** A way on from VIEW until its seat is asked: what it could play, and where; null
 * if it never is. @param {View} view @param {any} rules */
function way(view, rules) {
    const you = /** @type {number} */ (view.you);
    let world = sandbox.begin(view, rules, you, sandbox.number());
    for (let step = 0; world && step < STEPS; step++) {
        const {acting} = sandbox.who(world);
        if (acting >> you & 1)
            return {world, choices: sandbox.legal(world, you)};
        let seat = core.NATURE, move = '';
        if (acting >> core.NATURE & 1) {
            move = sandbox.draw(world, sandbox.number());
        } else {
            const others = view.seats.map((_, i) => i)
                .filter((i) => acting >> i & 1);
            if (others.length === 0)
                return null; // it is over
            seat = others[below(others.length)];
            const choices = sandbox.legal(world, seat);
            move = core.words(choices[below(choices.length)].move);
        }
        world = sandbox.play(world, seat, move)?.world ?? null;
    }
    return null;
}

/** What might be answered from VIEW, by the move. @param {any} frame
 * @param {View} view @returns {Promise<Map<string, Answer>>} */
async function answers(frame, view) {
    /** @type {Map<string, Answer>} */
    const all = new Map();
    if (!await core.load('ahead'))
        return all;
    const until = performance.now() + MS;
    for (let n = 0; n < WAYS && (n === 0 || performance.now() < until); n++) {
        const found = way(view, frame.rules);
        for (const {move, arg, min, max} of found?.choices ?? []) {
            const key = core.words(move);
            if (found && !all.has(key))
                all.set(key, {move, arg, min, max, text: arg ? plain(frame, move)
                    : told(frame, found.world, view.you, key) || plain(frame, move)});
        }
    }
    return all;
}

/** What a move would do there, in sentences. @param {any} frame
 * @param {import('./sandbox.js').World} world @param {any} seat
 * @param {string} move */
function told(frame, world, seat, move) {
    const {events = []} = sandbox.play(world, seat, move) ?? {};
    const {quiet} = frame.said();
    const loud = events.filter(({kind}) => !quiet.includes(kind));
    return (loud.length > 0 ? loud : events)
        .map((event) => sentence(event, frame.table('watch'), frame.module))
        .filter(Boolean).join(' ');
}

/** What a move is about. @param {any} frame @param {Move} move */
function aims(frame, move) {
    const {module, rules} = frame;
    const {arguments: args = []} = rules.verbs.find(
        (/** @type {any} */ {name}) => name === move.verb) ?? {};
    return args.map((/** @type {any} */ {name, kind}) => {
        const value = move[name], key = `w.${kind}.${value}`;
        const own = t(key, undefined, rules.name);
        return value === undefined ? '' : own !== key ? own
            : module.word?.(value, frame.table('watch'))
                ?? (typeof value === 'string' ? human(value, rules.name) : String(value));
    }).filter(Boolean).join(', ');
}

/** A move by its words. @param {any} frame @param {Move} move */
const plain = (frame, move) => [human(move.verb, frame.rules.name),
    aims(frame, move)].filter(Boolean).join(': ');

/** ALL as they are offered: no two alike, and in order. @param {any} frame
 * @param {Iterable<Answer>} all @returns {Answer[]} */
function sorted(frame, all) {
    const list = [...all];
    for (const more of [(/** @type {Answer} */ {move}) => aims(frame, move),
        (/** @type {Answer} */ _, /** @type {number} */ n) => n]) {
        /** @type {Map<string, Answer[]>} */
        const alike = new Map();
        for (const answer of list)
            alike.set(answer.text, [...alike.get(answer.text) ?? [], answer]);
        for (const group of alike.values())
            if (group.length > 1)
                group.forEach((answer, n) =>
                    answer.text += ` (${more(answer, n + 1)})`);
    }
    return list.sort((a, b) => a.text.localeCompare(b.text, undefined,
        {numeric: true}));
}

/** What one can choose from; text narrows it. @param {() => void} chose */
function chooser(chose) {
    const search = h('input', {type: 'search', 'aria-label': said('Narrow it down'),
        placeholder: said('Narrow it down'), 'data-key': 'order-search'});
    const list = h('div', {class: 'choices', role: 'radiogroup',
        'aria-label': said('What is played')});
    const much = h('input', {type: 'number', 'aria-label': said('How much'),
        hidden: true, disabled: true, required: true});
    /** @type {Answer[]} */
    let all = [];
    /** @type {Answer | null} */
    let chosen = null;
    /** @param {Answer} answer */
    function choose(answer) {
        chosen = answer;
        const {arg, min, max} = answer;
        much.hidden = much.disabled = !arg;
        if (arg)
            Object.assign(much, {min, max, value: min});
        chose();
    }
    function show() {
        const wanted = search.value.toLocaleLowerCase();
        fill(list, all.filter((one) => one === chosen
            || one.text.toLocaleLowerCase().includes(wanted))
            .map((one) => h('label', {class: 'check'}, h('input', {type: 'radio',
                name: 'order-move', checked: one === chosen,
                onchange: () => choose(one)}), h('span', null, one.text))));
    }
    search.addEventListener('input', show);
    return {
        nodes: [search, list, much],
        /** @param {Answer[]} some */
        offer(some) {
            all = some;
            show();
        },
        /** @returns {Move | null} */
        move: () => chosen && (chosen.arg
            ? {...chosen.move, [chosen.arg]: Number(much.value)} : chosen.move),
    };
}

/** The orders of a table's frame. @param {any} frame */
export function ordersOf(frame) {
    styled('orders.css');
    const node = h('div', {class: 'order', role: 'group', hidden: true,
        'aria-label': said('Play ahead')});
    frame.turnbar.append(node);
    /** What stood when it was looked at last. @type {Order | null} */
    let had = frame.about.order ?? null;
    /** The last own ply that was told of, and what is told now. */
    let last = had?.after ?? 0, news = '';
    /** Moves in words, as they were offered. @type {Map<string, string>} */
    const known = new Map();

    /** @param {Order} order */
    const text = ({move}) => move
        ? said('As soon as you are asked: {what}', {what:
            known.get(core.words(move)) ?? plain(frame, move)})
        : said('As soon as you are asked you pass, until this round is over.');

    function show() {
        const {view, replay} = frame;
        const {order} = frame.about;
        node.hidden = view.state !== 'playing' || replay.on || frame.glanced
            || !(order || news);
        fill(node,
            h('p', {role: 'status'}, news && h('span', {class: 'order-news'}, news, ' '),
                order && h('strong', null, text(order))),
            order ? h('button', {'data-key': 'order-drop', onclick: () => give(null)},
                said('Do not play it'))
                : h('button', {'data-key': 'order-fine', onclick: () => {
                    news = '';
                    show();
                }}, said('Fine')));
    }

    /** A move of which only words were kept gets its sentence again. */
    async function name() {
        const {order} = frame.about;
        const key = order?.move && core.words(order.move);
        if (!key || known.has(key))
            return;
        await frame.learning; // until then the rules have no words for it
        known.set(key, plain(frame, order.move));
        const all = await answers(frame, frame.view);
        sorted(frame, all.values());
        const found = all.get(key);
        if (found)
            known.set(key, found.text);
        show();
    }

    /** What was asked for here: the news of it may come before the answer. */
    let asked = Promise.resolve();

    /** ORDER stands from now on. @param {Order | null} order */
    const give = (order) => asked = given(order);

    /** @param {Order | null} order */
    async function given(order) {
        try {
            const answer = await net.ask('table.order', {table: frame.id, order});
            had = frame.about.order = answer.order;
            last = order?.after ?? last;
            news = '';
            show();
        } catch (why) {
            complain(why);
        }
    }

    /** Whether a move in the log is what was ordered. @param {Order} order
     * @param {any} ply */
    const same = ({move}, ply) => !move || core.words(move) === core.words(ply.move);

    /** What an own move did, as far as it is about that. @param {any} ply */
    function did({events, move}) {
        const {describe, quiet} = frame.said();
        const own = events.find((/** @type {any} */ {kind, seat}) =>
            seat === frame.view.you && !quiet.includes(kind));
        return own && describe(own) || known.get(core.words(move))
            || plain(frame, move);
    }

    /** The server says that it was played, or is another. */
    async function heard() {
        await asked;
        const was = had;
        await frame.refresh();
        had = frame.about.order ?? null;
        if (was && (!had || had.after === was.after)) {
            const own = (await plies(frame, last + 1)).filter(({kind, seat}) =>
                kind === 'move' && seat === frame.view.you).pop();
            const done = own && same(was, own) && own;
            last = own?.ply ?? last;
            if (done)
                news = was.move ? said('Played for you: {what}', {what: did(done)})
                    : said('You have passed, as you wanted.');
            else if (!had)
                news = was.move
                    ? said('What you ordered was not played: something else came first.')
                    : said('You do not pass by yourself any more.');
        }
        show();
        name();
    }

    /** Asks what is to be played. */
    async function ask() {
        const view = /** @type {View} */ (frame.view);
        await Promise.all([core.load('ahead'), frame.learning]);
        const [passes, one] = ['pass', 'move'].map((way) => h('input',
            {type: 'radio', name: 'order', value: way, required: true}));
        const {nodes, move, offer} = chooser(() => one.checked = true);
        const canPass = !core.loaded() || sandbox.rounds(view, frame.rules);
        one.checked = !canPass;
        const state = h('p', {class: 'small muted', role: 'status'}, said('One moment …'));
        setTimeout(async () => { // the dialog shows first
            const all = await answers(frame, view);
            offer(sorted(frame, all.values()));
            all.forEach((answer, key) => known.set(key, answer.text));
            fill(state, all.size > 0
                ? said('What you might be able to play then. If you cannot, or something new is shown before, it is dropped and you are asked as ever.')
                : said('Nothing can be prepared from here.'));
        }, 50);
        await dialog(said('Play ahead'), (close) => h('form', {class: 'ordering',
            onsubmit: async (/** @type {globalThis.Event} */ event) => {
                event.preventDefault();
                const chosen = passes.checked ? null : move();
                if (!passes.checked && !chosen) {
                    fill(state, said('Choose what is to be played.'));
                    return;
                }
                await give({after: view.ply, ...chosen ? {move: chosen}
                    : {pass: 'round'}});
                close();
            }},
        h('p', null, said('As soon as you are asked, the table plays this for you. Nobody sees it before. But you answer at once then, and everybody sees that.')),
        canPass && h('label', {class: 'check'}, passes,
            h('span', null, said('Pass until this round is over'))),
        h('label', {class: 'check'}, one, h('span', null, said('One answer, once'))),
        h('div', {class: 'fields'}, nodes, state),
        h('div', {class: 'row'},
            h('button', {type: 'button', onclick: () => close()}, t('Cancel')),
            h('button', {class: 'main'}, said('Have it played')))));
    }

    name();
    return {show, heard, ask};
}
