// core.js -- the rules core in the page: web.wasm and the words around it; who looks
// at a log has logs.wasm in its place, which can do that besides, and who looks
// ahead (sandbox.js) ahead.wasm, which can do all of it.
//
// What the core tells comes value by value to open(), value() and close(),
// which build an object of it; what it reads back it takes from an object in
// the same way.  See wasm/glue.c.

import {served} from './dom.js';
import {canonical} from './patch.js';

/** @typedef {import('./types.js').Move} Move */
/** @typedef {import('./types.js').View} View */
/** @typedef {import('./types.js').Rules} Rules */
/** @typedef {import('./types.js').Legal} Legal */
/** @typedef {import('./types.js').Finality} Finality */

const NUMBER = 0, WORD = 1, BOOL = 2, NULL = 3; // enum fields_type
const REVEALED = 1, DREW = 2, FINAL = 4; // flags of events
export const NATURE = 8, WATCHER = 9, ALL = 10;
const UNSEEN = -5;

const LONGEST = 64; // bytes of a word that is given
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** @type {any} */
let wasm = null;
/** @type {Map<number, string>} */
const constants = new Map();
/** @type {any[]} */
let open = [];
/** @type {any} */
let told;
/** @type {any[]} */
let source = [];

const bytes = () => new Uint8Array(wasm.memory.buffer);

/** A constant string of the core. @param {number} at */
function constant(at) {
    let text = constants.get(at);
    if (text === undefined) {
        const memory = bytes();
        text = decoder.decode(memory.subarray(at, memory.indexOf(0, at)));
        constants.set(at, text);
    }
    return text;
}

/** @param {number} name @param {any} value */
function put(name, value) {
    const into = open[open.length - 1];
    if (into === undefined)
        told = value;
    else if (Array.isArray(into))
        into.push(value);
    else
        into[constant(name)] = value;
}

/** @param {number} name @param {number} index */
function given(name, index) {
    const from = source[source.length - 1];
    const key = name ? constant(name) : index;
    return from !== null && typeof from === 'object' &&
        Object.hasOwn(from, key) ? from[key] : undefined;
}

const env = {
    /** @type {(file: number, line: number, what: number) => void} */
    panic(file, line, what) {
        throw new Error(`${constant(file)}:${line}: ${constant(what)}`);
    },
    /** @type {(name: number, list: number) => void} */
    open(name, list) {
        const made = list ? [] : {};
        put(name, made);
        open.push(made);
    },
    close() {
        open.pop();
    },
    /** @type {(name: number, type: number, number: number, word: number,
     *          len: number) => void} */
    value(name, type, number, word, len) {
        put(name, type === WORD
            ? decoder.decode(bytes().subarray(word, word + len))
            : type === BOOL ? number !== 0 : type === NULL ? null : number);
    },
    /** @type {(name: number, index: number, list: number) => number} */
    give_open(name, index, list) {
        const value = given(name, index);
        if (value === null || typeof value !== 'object' ||
            Array.isArray(value) !== Boolean(list)) {
            source.push(null);
            return -1;
        }
        source.push(value);
        return Array.isArray(value) ? value.length
            : Object.keys(value).length;
    },
    give_close() {
        source.pop();
    },
    /** @type {(name: number, index: number) => number} */
    give_value(name, index) {
        const value = given(name, index);
        const at = wasm.given();
        const room = new DataView(wasm.memory.buffer);
        if (value === null)
            return NULL;
        if (typeof value === 'number' || typeof value === 'boolean') {
            room.setFloat64(at, Number(value), true);
            return typeof value === 'boolean' ? BOOL : NUMBER;
        }
        if (typeof value !== 'string')
            return -1;
        const {written} = encoder.encodeInto(value,
            bytes().subarray(at + 12, at + 12 + LONGEST));
        room.setUint32(at + 8, written, true);
        return WORD;
    },
};

/** What F tells. @param {() => any} f */
export function tell(f) {
    open = [];
    told = undefined;
    const answer = f();
    return {answer, told};
}

/** Puts a text where the core finds it; its length in bytes.
 * @param {string} text */
export function write(text) {
    const data = encoder.encode(text);
    if (data.length > wasm.text_bytes())
        throw new RangeError('too long');
    bytes().set(data, wasm.text());
    return data.length;
}

/** A move as core/text.h writes it. @param {Move} move */
export function words(move) {
    return Object.entries(move)
        .map(([name, value]) => name === 'verb' ? '' : `${name}=${value}`)
        .reduce((line, arg) => arg ? `${line} ${arg}` : line, move.verb);
}

/** By the name of the file. @type {Map<string, Promise<boolean>>} */
const loading = new Map();

/** What each can that those before it cannot. */
const CAN = /** @type {const} */ ({
    web: 'play', logs: 'log_begin', ahead: 'ahead_begin'});

/** Loads the core, or that which can do more; whether it is there.
 * @param {keyof typeof CAN} [file] */
export async function load(file = 'web') {
    if (wasm?.[CAN[file]])
        return true;
    const came = loading.get(file) ?? fetched(file);
    loading.set(file, came);
    const there = await came;
    if (!there)
        loading.delete(file); // perhaps the next time
    return there;
}

/** @param {keyof typeof CAN} file */
async function fetched(file) {
    try {
        const answer = await fetch(served(`${file}.wasm`));
        const made = await WebAssembly.instantiate(
            await answer.arrayBuffer(), {env});
        if (wasm?.[CAN[file]]) // that came meanwhile, and can do all of it
            return true;
        wasm = made.instance.exports;
        constants.clear(); // they stand elsewhere
        logs++; // and whatever log there was is gone
    } catch {
        return false; // the server will be asked instead
    }
    return true;
}

export const loaded = () => wasm !== null;

/** What it offers, for sandbox.js. */
export const raw = () => wasm;

/** SHA-256 in hex; null without wasm. @param {string} text */
export function sha256(text) {
    if (!wasm)
        return null;
    const data = encoder.encode(text);
    const most = wasm.text_bytes();
    wasm.hash_begin();
    for (let at = 0; at < data.length; at += most) {
        const piece = data.subarray(at, at + most);
        bytes().set(piece, wasm.text());
        wasm.hash_add(piece.length);
    }
    wasm.hash_end();
    return [...bytes().subarray(wasm.text(), wasm.text() + 32)]
        .map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** @param {unknown} view */
export const viewHash = (view) => sha256(canonical(view));

/** @param {string} game */
export function use(game) {
    return wasm !== null && Boolean(wasm.use(write(game)));
}

/** @param {View['seats']} seats @param {'acting' | 'may'} which */
function bits(seats, which) {
    return seats.reduce((set, seat, i) => set | Number(seat[which]) << i, 0);
}

/** Reads a view back; whether the core could.  Where a game waits for no seat it waits
 * for chance. @param {View} view
 * @param {Rules} rules @param {number} [viewer] Whose view it is. */
export function read(view, rules, viewer = view.you ?? WATCHER) {
    if (!view.game_state || !use(view.game))
        return false;
    source = [view.game_state];
    return Boolean(wasm.read(view.seats.length, rules.revision,
        viewer, bits(view.seats, 'acting')
            || Number(view.state === 'playing') << NATURE,
        bits(view.seats, 'may')));
}

/** What the viewer may do; null if the core cannot say.
 * @param {View} view @param {Rules} rules @returns {Legal | null} */
export function legal(view, rules) {
    if (view.decision === null || view.you === null)
        return {decision: null, moves: [], ranges: []};
    const seat = view.you;
    if (!read(view, rules))
        return null;
    const all = tell(() => wasm.legal(seat)).told;
    return {
        decision: view.decision,
        moves: all.filter((/** @type {any} */ c) => !c.arg)
            .map((/** @type {any} */ c) => c.move),
        ranges: all.filter((/** @type {any} */ c) => c.arg),
    };
}

/** The view after moves of the viewer, up to where something hidden or a draw
 * would be needed; null if one is not legal or the core not there.
 * @param {View} view @param {Rules} rules @param {Move[]} moves
 * @returns {View | null} */
export const preview = (view, rules, moves) => view.you === null ? null
    : whatIf(view, rules, moves.map((move) =>
        [/** @type {number} */ (view.you), move]));

/** The same of moves of any seats, and of a VIEW that may be made up, as long
 * as there could be one like it.
 * @param {View} view @param {Rules} rules @param {[number, Move][]} steps
 * @returns {View | null} */
export function whatIf(view, rules, steps) {
    if (!read(view, rules))
        return null;
    for (const [seat, move] of steps) {
        const refusal = wasm.play(seat, write(words(move)));
        if (refusal === UNSEEN)
            break;
        if (refusal !== 0)
            return null;
        if (wasm.acting() >> NATURE & 1)
            break;
    }
    const state = tell(() => wasm.show()).told;
    const score = tell(() => wasm.score()).told;
    const acting = wasm.acting(), may = wasm.may();
    return {
        ...view,
        seats: view.seats.map((seat, i) => ({
            ...seat,
            acting: Boolean(acting >> i & 1),
            may: Boolean(may >> i & 1),
            score: score[i].total,
        })),
        game_state: state,
        score_now: score.map((/** @type {any} */ s) =>
            ({total: s.total, parts: s.parts})),
    };
}

/** What a move would bring the viewer: each of the figures that players of the game
 * look at before and after it, by its name (core/preview.h), and whether they are
 * not known yet; null if it is not legal, or the core not there.
 * @param {View} view @param {Rules} rules @param {Move} move
 * @returns {any} */
export function brings(view, rules, move) {
    if (view.you === null || !read(view, rules))
        return null;
    const seat = view.you;
    const {answer, told} = tell(() => wasm.bring(seat, write(words(move))));
    return answer === 0 ? told : null;
}

/** What cannot be taken back of a move.  Where the core is not there, all of
 * it: better one question too many.
 * @param {View} view @param {Rules} rules @param {Move} move
 * @returns {Finality} */
export function finality(view, rules, move) {
    if (view.you === null || !read(view, rules))
        return {reveals: true, draws: true, final: true};
    const refusal = wasm.play(view.you, write(words(move)));
    if (refusal === UNSEEN)
        return {reveals: true, draws: false, final: false};
    if (refusal !== 0)
        return {reveals: false, draws: false, final: false};
    const flags = wasm.flags();
    return {
        reveals: Boolean(flags & REVEALED),
        draws: Boolean(flags & DREW),
        final: Boolean(flags & FINAL),
    };
}

const GAME = -100; // enum rules: a game's own reasons go down from there
const GENERAL = /** @type {{[refusal: number]: [string, string]}} */ ({
    [-1]: ['game_over', 'The game is over.'],
    [-2]: ['not_your_turn', 'It is not your turn.'],
});

/** Why the viewer cannot play MOVE: the word of the rule and its sentence; null
 * if they can, or nobody knows.
 * @param {View} view @param {Rules} rules @param {Move} move
 * @returns {{rule: string, text: string} | null} */
export function whyNot(view, rules, move) {
    if (view.you === null || !read(view, rules))
        return null;
    const refusal = wasm.play(view.you, write(words(move)));
    if (refusal in GENERAL) {
        const [rule, text] = GENERAL[refusal];
        return {rule, text};
    }
    const reason = rules.reasons[GAME - refusal];
    return reason ? {rule: reason.name, text: reason.text} : null;
}

/** Chooses game and options. @param {Rules | import('./types.js').Brief} rules
 * @param {{[name: string]: any}} options */
function choose(rules, options) {
    if (!use(rules.name))
        return false;
    return Object.entries(options ?? {}).every(([name, value]) => {
        const i = rules.options.findIndex((o) => o.name === name);
        const option = rules.options[i];
        return option && Boolean(option.type === 'word'
            ? wasm.option(i, option.words?.indexOf(value) ?? -1, true)
            : wasm.option(i, Number(value), false));
    });
}

/**
 * @typedef {{rule: string, text: string, option: string | null,
 *            line?: number}} Problem
 * @typedef {{builtin: string} | {text: string} | null} Board
 */

/** What a table set up like that begins with: `state`, or what is wrong.
 * @param {Rules | import('./types.js').Brief} rules @param {number} seats
 * @param {{[name: string]: any}} options @param {Board} board
 * @returns {{state?: any, problem?: Problem} | null} */
export function setup(rules, seats, options, board) {
    if (!wasm || !choose(rules, options))
        return null;
    const at = board && 'builtin' in board
        ? rules.boards.indexOf(board.builtin) : -1;
    const len = board && 'text' in board ? write(board.text) : 0;
    const {answer, told: problem} = tell(
        () => wasm.setup(seats, rules.revision, at, len));
    return answer === 0 ? {state: tell(() => wasm.show()).told} : {problem};
}

const FIT_BOARD = 8, FIT_SEATS = 9; // enum fit_field

/** The same with as little changed as lets a table be set up so, but not KEEP:
 * an option's name, `board` or `seats`.  Null if there is no way.
 * @param {import('./types.js').Brief} rules @param {number} seats
 * @param {{[name: string]: any}} options @param {Board} board
 * @param {string} keep
 * @returns {{seats: number, board: string | null,
 *            options: {[name: string]: any}} | null} */
export function fit(rules, seats, options, board, keep) {
    if (!wasm || !choose(rules, options))
        return null;
    const at = board && 'builtin' in board
        ? rules.boards.indexOf(board.builtin) : -1;
    const len = board && 'text' in board ? write(board.text) : 0;
    const field = keep === 'seats' ? FIT_SEATS : keep === 'board' ? FIT_BOARD
        : rules.options.findIndex(({name}) => name === keep);
    const {answer, told: fits} = tell(() => wasm.fit(seats, at, len, field));
    return answer ? fits : null;
}

/** How boards of a game are told, and what one may ask of those that are made;
 * null without the core.
 * @param {{name: string}} rules
 * @returns {{format: string, bytes_max: number, parameters: {name: string,
 *     max: number, offered: number, words: string[]}[]} | null} */
export const assetKind = (rules) => use(rules.name)
    ? tell(() => wasm.asset_kind()).told ?? null : null;

/** A generated board's text, or what is wrong with the recipe.
 * @param {{name: string}} rules @param {{[name: string]: any}} recipe
 * @returns {{text?: string, problem?: Problem} | null} */
export function generate(rules, recipe) {
    assetKind(rules)?.parameters.forEach(({name, words}, i) => {
        if (name in recipe)
            wasm.ask(i, words.length ? words.indexOf(recipe[name])
                : recipe[name]);
    });
    if (!wasm)
        return null;
    const {answer, told: problem} = tell(() => wasm.generate(recipe.seed));
    return answer === 0 ? {problem} : {
        text: decoder.decode(
            bytes().subarray(wasm.text(), wasm.text() + answer)),
    };
}

/** What stands on the table, with the whole dataset that it is played with; null
 * without the core.
 * @param {View} view @param {Rules} rules */
export const spelledOut = (view, rules) => read(view, rules)
    ? (wasm.spell_out(), tell(() => wasm.show()).told) : null;

// ---- a log, for verify.js ---------------------------------------------------

/** @returns {string[]} */
export const kinds = () => tell(() => wasm.kinds()).told;

/** Reads where the next log begins, that of a fork; whether it could.
 * @param {any} position */
function readPosition({seats, revision, acting, may, game_state: state}) {
    const set = (/** @type {any[]} */ who) => who.reduce((all, one) =>
        all | 1 << (one === 'nature' ? NATURE : one), 0);
    source = [state];
    if (!wasm.read(seats, revision, ALL, set(acting), set(may)))
        return false;
    wasm.log_position();
    return true;
}

/** How many logs were begun: there is one at a time. */
export let logs = 0;

/** Begins a log; what is wrong, or null.
 * @param {Rules} rules @param {any} header @returns {Problem | null} */
export function logBegin(rules, header) {
    const asset = header.board ?? header.tables;
    logs++;
    if (!choose(rules, header.options))
        return {rule: 'bad_option', text: 'The options are none of the game.',
            option: null};
    if (header.position && !readPosition(header.position))
        return {rule: 'bad_position', option: null,
            text: 'No game of that setup begins in that position.'};
    const at = asset?.builtin !== undefined
        ? rules.boards.indexOf(asset.builtin) : -1;
    const text = asset?.[assetKind(rules)?.format ?? ''] ?? '';
    const len = write(header.seed + text);
    source = [header];
    const {answer, told: problem} = tell(
        () => wasm.log_begin(header.seats, header.revision, at, len));
    return answer === 0 ? null : problem;
}

/** The next entry; what is wrong, or null.
 * @param {number} kind @param {number} seat @param {number} number
 * @param {Move | string | null} more @param {any} line It as the record has
 * it. */
export function logStep(kind, seat, number, more, line) {
    source = [line];
    const len = more === null ? 0
        : write(typeof more === 'string' ? more : words(more));
    const {answer, told: problem} = tell(
        () => wasm.log_step(kind, seat, number, len));
    return answer === 0 ? null : problem;
}

/** Whether it may end here; what is wrong, or null. */
export function logEnd() {
    const {answer, told: problem} = tell(() => wasm.log_end());
    return answer === 0 ? null : problem;
}

/** @returns {{state: number, seats: {total: number, place: number}[]}} */
export const logScore = () => tell(() => wasm.log_score()).told;

/** Where the log is, as VIEWER may know it: a seat, WATCHER or ALL.
 * @param {number} viewer
 * @returns {{state: number, seats: number, resigned: number, acting: number,
 *     may: number, clocks?: any[],
 *     events: import('./types.js').Event[], shown: any,
 *     score: {total: number, parts: any}[]}} */
export function logLook(viewer) {
    const look = tell(() => wasm.log_look(viewer)).told;
    const started = look.state !== 0;
    return {...look, shown: started ? tell(() => wasm.show()).told : null,
        score: started ? tell(() => wasm.score()).told : []};
}
