// games.js -- what this server plays, and the modules that draw it.

import {styled} from './dom.js';
import {early} from './frame.js';
import {lang, learn, t, teach} from './i18n.js';
import * as net from './net.js';

/** @typedef {import('./types.js').Rules} Rules */
/** @typedef {import('./types.js').Brief} Brief */
/** @typedef {import('./types.js').GameModule} GameModule */
/** @typedef {import('./types.js').Thumb} Thumb */

/** @type {Promise<any> | null} */
let hello = null;
/** By game and language. @type {Map<string, Promise<Rules>>} */
const rules = new Map();
/** @type {Map<string, Promise<GameModule>>} */
const modules = new Map();

/** @type {Map<string, Promise<Thumb>>} */
const thumbs = new Map();

/** @template V @param {Map<string, Promise<V>>} kept @param {string} name
 * @param {() => Promise<V>} get */
function once(kept, name, get) {
    let made = kept.get(name);
    if (!made) {
        made = get();
        kept.set(name, made);
        made.catch(() => kept.delete(name)); // it may come the next time
    }
    return made;
}

/** The answer of server.hello. @returns {Promise<any>} */
export function server() {
    hello ??= net.ask('server.hello');
    hello.catch(() => hello = null);
    return hello;
}

/** @returns {Promise<Brief[]>} */
export const games = async () => (await server()).games;

/**
 * What RULES say of a game, by language: an event K as `e.K` (`e.K?`: if not all
 * of that may be known), the word W of a kind K within a sentence as `w.K.W`,
 * what can be chosen as `n.WORD`;
 * and by what the rest is in English.
 * @param {Rules} rules
 */
export function saidBy({events, reasons, options, parts, glossary, says = {}}) {
    const args = events.flatMap((event) => event.arguments);
    return Object.fromEntries(Object.entries(says).map(([lang, said]) => {
        /** @type {{[key: string]: string}} */
        const words = {};
        events.forEach(({name}, i) => said.events[i].split('|').forEach(
            (text, n) => words[`e.${name}${'?'.repeat(n)}`] = text));
        for (const [kind, texts] of Object.entries(said.kinds)) {
            const of = args.find((arg) => arg.kind === kind);
            texts.forEach((text, i) => words[`w.${kind}.${
                of?.words?.[i] ?? Boolean(i)}`] = text.replace(/\.$/, ''));
            glossary.find((list) => list.kind === kind)?.words.forEach(
                ({text}, i) => words[text] = texts[i]);
        }
        for (const [list, texts] of /** @type {const} */ ([
            [reasons, said.reasons], [options, said.options],
            [parts, said.parts]]))
            list.forEach(({text}, i) => words[text] = texts[i]);
        for (const [word, text] of Object.entries(said.names ?? {}))
            words[`n.${word}`] = text;
        return [lang, words];
    }));
}

/** @param {string} game */
export const rulesOf = (game) => once(rules, `${game} ${lang}`, async () => {
    const told = await net.ask('rules.info', {game, lang});
    teach(game, saidBy(told));
    return told;
});

/** Games with a panel of their own. @type {{[game: string]: () => Promise<any>}} */
const PANELS = {
    tictactoe: () => import('./games/tictactoe.js'),
    hacienda: () => import('./games/hacienda.js'),
    hadara: () => import('./games/hadara.js'),
    greement: () => import('./games/greement.js'),
};

/** Games with a small picture of their own. @type {{[game: string]: () => Promise<any>}} */
const THUMBS = {
    tictactoe: () => import('./games/tictactoe_thumb.js'),
    hacienda: () => import('./games/hacienda_thumb.js'),
    hadara: () => import('./games/hadara_thumb.js'),
    greement: () => import('./games/greement_thumb.js'),
};

const plain = () => import('./games/plain.js');

/** The panel of a game, its words known and its style loaded.
 * @param {string} game */
export async function moduleOf(game) {
    early.ahead(`${game}_${lang}`);
    const module = await once(modules, game, async () => {
        early.ahead(game in PANELS ? game : 'plain');
        /** @type {GameModule} */
        const panel = (await (PANELS[game] ?? plain)()).default;
        if (panel.css)
            await styled(`games/${game}.css`);
        return panel;
    });
    const own = await module.tongues?.[lang]?.();
    learn(game, own ? {...module.words,
        [lang]: {...module.words?.[lang], ...own.default}} : module.words);
    return module;
}

/** How a game looks when it is small; null where nobody has drawn it.
 * @param {string} game @returns {Promise<Thumb | null>} */
export const thumbOf = async (game) => game in THUMBS
    ? once(thumbs, game, async () => (await THUMBS[game]()).default) : null;

/** What of a game's rules server.hello tells, until rules.info has told it all.
 * @param {Brief} brief @returns {Rules} */
export const little = (brief) => ({...brief, plies_max: 0, notes: [],
    verbs: [], events: [], parts: [], reasons: [], glossary: []});

/** What tells of time (clock.js): loaded when there is a table with a pace.
 * @type {any} */
export let clock = null;

/** Has it there if one of TABLES wants it. @param {any[]} tables */
export async function clocks(tables) {
    if (tables.some(({pace}) => pace))
        clock ??= await import('./clock.js');
    return clock;
}

/** A word as people read it: "five_lagoons" is "Five lagoons".  Of GAME, as that
 * calls it, once that is known.
 * @param {string} word @param {string} [game] */
export function human(word, game) {
    const own = t(`n.${word}`, undefined, game);
    if (own !== `n.${word}`)
        return own;
    const text = t(word);
    return text === word
        ? (word[0] ?? '').toUpperCase() + word.slice(1).replaceAll('_', ' ')
            .replace(/([a-z])(\d+)$/, '$1 $2')
        : text;
}

/** An option as it is chosen. @param {string} name @param {any} value
 * @param {string} [game] */
export const optionSaid = (name, value, game) => value === true ? human(name, game)
    : value === false ? t('no {what}', {what: human(name, game)})
        : t('{what}: {value}', {what: human(name, game),
            value: human(String(value), game)});

/** What a table is set up with, in a few words: what is not as usual, or ALL
 * that one should know while it is played.
 * @param {Brief | undefined} brief @param {any} table @param {boolean} [all] */
export function settingsOf(brief, table, all = false) {
    const said = table.pace && clock ? [clock.paceSaid(table.pace),
        ...table.rated ? [clock.said('rated')] : []] : [];
    const [usual] = brief?.boards ?? [];
    const board = table.board ? table.board.builtin : usual;
    if (board && (all || board !== usual))
        said.push(human(board, brief?.name));
    else if (table.board && !board)
        said.push(table.board.generate ? t('generated board')
            : t('own board'));
    const changed = (brief?.options ?? []).filter(({name, default: usual}) =>
        (table.options?.[name] ?? usual) !== usual);
    if (all && changed.length === 0 && brief && brief.options.length > 0)
        said.push(t('standard rules'));
    said.push(...changed.map(({name}) => optionSaid(name, table.options[name],
        brief?.name)));
    return [...new Set(said)]; // a board may be called as its option
}

/** Everybody's place, once there are any: a game that came to nothing has none.
 * @param {import('./types.js').View} view */
export const placesIn = ({result}) => result?.places.length
    ? result.places : null;
