// sandbox.js -- the core in the page as a place to try things: a whole world,
// guessed from what one may see, in which anybody can move (wasm/ahead.c).

import * as core from './core.js';

/** @typedef {import('./types.js').Move} Move */
/** @typedef {import('./types.js').View} View */
/** @typedef {import('./types.js').Rules} Rules */
/** @typedef {import('./types.js').Event} Event */

/** A world, as it is kept. @typedef {Uint8Array} World */

const LEVELS = ['random', 'greedy', 'search']; // enum mind_level

/** @param {string} text As core/text.h writes it. */
const put = (text) => core.write(text);

/** @returns {World} */
function keep() {
    const wasm = core.raw();
    const length = wasm.ahead_keep();
    return new Uint8Array(wasm.memory.buffer, wasm.text(), length).slice();
}

/** @param {World} world */
function resume(world) {
    const wasm = core.raw();
    new Uint8Array(wasm.memory.buffer, wasm.text(), world.length).set(world);
    if (!wasm.ahead_resume(world.length))
        throw new Error('a world that was kept cannot be read');
}

/** Has the core show what VIEWER sees; the events of what was played last.
 * @param {number} viewer @returns {Event[]} */
const look = (viewer) => core.tell(() => core.raw().ahead_look(viewer)).told;

/** A number that nobody has had yet, probably. */
export const number = () => Math.floor(Math.random() * 2 ** 32);

/** The world behind a view: what VIEWER (a seat, core.WATCHER or core.ALL) does
 * not see is guess number GUESS.  Null if the view cannot be read.
 * @param {View} view @param {Rules} rules @param {number} viewer
 * @param {number} guess @returns {World | null} */
export function begin(view, rules, viewer, guess) {
    if (!core.read(view, rules, viewer))
        return null;
    core.raw().ahead_begin(guess);
    return keep();
}

/** A game of its own, as it begins: for two, with OPTIONS. @param {Rules} rules
 * @param {{[name: string]: any}} options @returns {World} */
export function fresh(rules, options) {
    core.setup(rules, 2, options, null);
    core.raw().ahead_set_up();
    return keep();
}

/** How a first game is led, in the language LANG: with which options, and in which
 * steps, by name. @param {string} game @param {string} lang
 * @returns {{options: {[name: string]: number}, steps: string[]}} */
export function guided(game, lang) {
    core.use(game);
    return core.tell(() => core.raw().guide_begin(put(lang))).told;
}

/**
 * What is next for SEAT, who has been told the steps in the set TOLD; null if it is
 * not waited for.
 * @param {World} world @param {number} seat @param {number} told
 * @returns {{step: string | null, part: string, move: Move, does: string,
 *     why: string} | null}
 */
export function hint(world, seat, told) {
    resume(world);
    look(seat);
    return core.tell(() => core.raw().guide_hint(told)).told ?? null;
}

/** What comes of a move of SEAT (core.NATURE: of chance); null if it cannot be
 * played. @param {World} world @param {number} seat @param {string} move
 * @returns {{world: World, events: Event[]} | null} */
export function play(world, seat, move) {
    resume(world);
    if (core.raw().ahead_play(seat, put(move)) !== 0)
        return null;
    return {world: keep(), events: look(core.ALL)};
}

/** What chance might do there; null if it is not its turn.
 * @param {World} world @returns {string[] | null} */
export function chances(world) {
    resume(world);
    look(core.ALL);
    if (!(core.raw().acting() >> core.NATURE & 1))
        return null;
    return core.tell(() => core.raw().legal(core.NATURE)).told
        .map((/** @type {any} */ choice) => core.words(choice.move));
}

/** What SEAT may do there. @param {World} world @param {number} seat
 * @returns {{move: Move, arg?: string, min?: number, max?: number}[]} */
export function legal(world, seat) {
    resume(world);
    look(seat);
    return core.tell(() => core.raw().legal(seat)).told;
}

/** Whether there are rounds at VIEW, in which one can pass until they end.
 * @param {View} view @param {Rules} rules */
export const rounds = (view, rules) => core.read(view, rules)
    && Boolean(core.raw().ahead_rounds?.());

/** What chance does there, as NUMBER has it. @param {World} world
 * @param {number} number */
export function draw(world, number) {
    resume(world);
    return core.words(core.tell(() => core.raw().ahead_draw(number)).told);
}

/** Who is waited for, and who may besides: sets of bits. @param {World} world */
export function who(world) {
    resume(world);
    look(core.ALL);
    return {acting: core.raw().acting(), may: core.raw().may()};
}

/** The view of SEAT there, made of what stands around it in another one; of
 * nobody's if it is over.
 * @param {World} world @param {View} view @param {number} viewer
 * @param {number} ply @returns {View} */
export function seen(world, view, viewer, ply) {
    resume(world);
    look(viewer);
    const wasm = core.raw();
    const acting = wasm.acting(), may = wasm.may();
    const state = core.tell(() => wasm.show()).told;
    const score = core.tell(() => wasm.score()).told;
    const you = viewer < view.seats.length ? viewer : null;
    return {
        ...view, ply, you, undo: null,
        state: acting ? 'playing' : 'finished',
        decision: you !== null && (acting | may) >> you & 1 ? ply : null,
        seats: view.seats.map((seat, i) => ({
            name: seat.name, resigned: seat.resigned,
            acting: Boolean(acting >> i & 1), may: Boolean(may >> i & 1),
            score: score[i].total,
        })),
        game_state: state,
        score_now: score.map((/** @type {any} */ s) =>
            ({total: s.total, parts: s.parts})),
        result: acting ? null : {reason: 'over',
            places: score.map((/** @type {any} */ s) => s.place)},
    };
}

/** What a mind of LEVEL would play for SEAT, by what it sees; null if nothing.
 * @param {World} world @param {number} seat @param {string} level */
export function think(world, seat, level) {
    resume(world);
    const {told} = core.tell(() =>
        core.raw().ahead_think(seat, LEVELS.indexOf(level)));
    return told ? core.words(told) : null;
}
