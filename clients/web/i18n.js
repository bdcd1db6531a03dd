// i18n.js -- sentences in the reader's language.  English stands in the code
// and is the key; other languages are tables that are loaded when wanted, and
// what they lack stays English.

/** @type {{[key: string]: string}} */
let table = {};
/** @type {{[game: string]: {[lang: string]: {[key: string]: string}}}} */
const games = {};

export const languages = {en: 'English', fr: 'Français'};
export let lang = 'en';

/** @param {string} wanted */
export async function speak(wanted) {
    lang = wanted in languages ? wanted : 'en';
    table = lang === 'en' ? {} : await import(`./${lang}.js`).then(
        (module) => module.default, () => ({})); // English is better than none
    document.documentElement.lang = lang;
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
    const text = own[lang]?.[key] ?? table[key] ?? own.en?.[key] ?? key;
    return args
        ? text.replace(/\{(\w+)\}/g, (all, name) => String(args[name] ?? all))
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

/** How long ago that was. @param {number} at */
export function ago(at) {
    const minutes = Math.round((at - Date.now()) / 60000);
    const format = new Intl.RelativeTimeFormat(lang, {numeric: 'auto'});
    if (Math.abs(minutes) < 60)
        return format.format(minutes, 'minute');
    if (Math.abs(minutes) < 48 * 60)
        return format.format(Math.round(minutes / 60), 'hour');
    return format.format(Math.round(minutes / 1440), 'day');
}
