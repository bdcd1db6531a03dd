// games.js -- what this server plays, and the modules that draw it.

import {h} from './dom.js';
import {learn, t} from './i18n.js';
import * as net from './net.js';

/** @typedef {import('./types.js').Rules} Rules */
/** @typedef {import('./types.js').Brief} Brief */
/** @typedef {import('./types.js').GameModule} GameModule */

/** @type {Promise<any> | null} */
let hello = null;
/** @type {Map<string, Promise<Rules>>} */
const rules = new Map();
/** @type {Map<string, Promise<GameModule>>} */
const modules = new Map();

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

/** @param {string} game */
export const rulesOf = (game) =>
    once(rules, game, () => net.ask('rules.info', {game}));

/** Games with a panel of their own. */
const PANELS = ['tictactoe', 'hacienda', 'hadara', 'greement'];

/** The panel of a game, its words known and its style loaded.
 * @param {string} game */
export const moduleOf = (game) => once(modules, game, async () => {
    const name = PANELS.includes(game) ? game : 'plain';
    const module = (await import(`./games/${name}.js`)).default;
    learn(game, module.words);
    if (module.css)
        await new Promise((resolve) => {
            document.head.append(h('link', {
                rel: 'stylesheet',
                href: new URL(`games/${game}.css`, import.meta.url).href,
                onload: resolve,
                onerror: resolve,
            }));
        });
    return module;
});

/** A word as people read it: "five_lagoons" is "Five lagoons".
 * @param {string} word */
export function human(word) {
    const text = t(word);
    return text === word
        ? (word[0] ?? '').toUpperCase() + word.slice(1).replaceAll('_', ' ')
            .replace(/([a-z])(\d+)$/, '$1 $2')
        : text;
}

/** An option as it is chosen. @param {string} name @param {any} value */
export const optionSaid = (name, value) => value === true ? human(name)
    : value === false ? t('no {what}', {what: human(name)})
        : `${human(name)}: ${human(String(value))}`;

/** What a table is set up with, in a few words.
 * @param {Brief | undefined} brief @param {any} table */
export function settingsOf(brief, table) {
    const said = [];
    for (const option of brief?.options ?? []) {
        const value = table.options?.[option.name];
        if (value === undefined || value === option.default)
            continue;
        said.push(optionSaid(option.name, value));
    }
    if (table.board?.builtin && table.board.builtin !== brief?.boards[0])
        said.push(human(table.board.builtin));
    else if (table.board && !table.board.builtin)
        said.push(table.board.generate ? t('generated board')
            : t('own board'));
    return [...new Set(said)]; // a board may be called as its option
}
