// i18n.js -- sentences in the reader's language.  English stands in the code
// and is the key; other languages are tables that are loaded when wanted, and
// what they lack stays English.

/** @type {{[key: string]: string}} */
let table = {};
/** @type {{[game: string]: {[lang: string]: {[key: string]: string}}}} */
const games = {};

export const languages = {en: 'English', fr: 'Français'};
export let lang = 'en';

/** @type {{[lang: string]: () => Promise<any>}} */
const tables = {fr: () => import('./fr.js')};

/** The table on its way. @type {Promise<any>} */
let coming = Promise.resolve();

/** @param {string} wanted */
export async function speak(wanted) {
    lang = wanted in languages ? wanted : 'en';
    coming = lang in tables ? tables[lang]().then(
        (module) => module.default, () => ({})) // English is better than none
        : Promise.resolve({});
    table = await coming;
    document.documentElement.lang = lang;
}

/** Has the sentences of a module known, too. @param {Promise<any>} module */
async function take(module) {
    const words = (await module).default;
    table = {...table, ...words};
}

/** Has known what is said in the settings and behind links, for who comes there. */
export const more = async () => lang !== 'en' && take(import('./fr_more.js'));

/** Has known how the server refuses something, once it refuses by a SENTENCE
 * that is not. @param {string} sentence */
export async function refused(sentence) {
    await coming;
    if (lang !== 'en' && !(sentence in table))
        await take(import('./fr_refused.js')).catch(() => {}); // English, then
}

/** What a game's rules say, by language and behind the panel's own.
 * @type {typeof games} */
const taught = {};

/** @param {string} game
 * @param {{[lang: string]: {[key: string]: string}}} words */
export function teach(game, words) {
    taught[game] = words;
}

/** The sentences of a game's panel. @param {string} game
 * @param {{[lang: string]: {[key: string]: string}} | undefined} words */
export function learn(game, words) {
    games[game] = words ?? {};
}

/**
 * @param {string} key
 * @param {{[name: string]: any}} [args]
 * @param {string} [game]
 */
export function t(key, args, game) {
    const own = game ? games[game] ?? {} : {};
    const rules = game ? taught[game] ?? {} : {};
    const text = own[lang]?.[key] ?? rules[lang]?.[key] ?? table[key] ??
        own.en?.[key] ?? rules.en?.[key] ?? key;
    return args
        ? text.replace(/\{(\w+\+?)\}/g, (all, name) => String(args[name] ?? all))
        : text;
}

/** How times are written: as at home, if that is the language, too. */
export const locale = () => navigator.language.startsWith(lang)
    ? navigator.language : lang;

/** A moment as people say it. @param {number} at */
export const moment = (at) => new Intl.DateTimeFormat(locale(), {
    dateStyle: 'medium', timeStyle: 'short'}).format(at);

/** A time of today. @param {number} at */
export const clock = (at) =>
    new Intl.DateTimeFormat(locale(), {timeStyle: 'short'}).format(at);

/** How long ago that was, by a clock that may be behind. @param {number} at */
export function ago(at) {
    const minutes = Math.min(0, Math.round((at - Date.now()) / 60000));
    const format = new Intl.RelativeTimeFormat(lang, {numeric: 'auto'});
    if (Math.abs(minutes) < 60)
        return format.format(minutes, 'minute');
    if (Math.abs(minutes) < 48 * 60)
        return format.format(Math.round(minutes / 60), 'hour');
    return format.format(Math.round(minutes / 1440), 'day');
}
