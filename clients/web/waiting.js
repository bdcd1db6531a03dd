// waiting.js -- the tables that wait for me: in the title, the icon, and the
// badge of the installed page.
//
// What is shown there is never older than the connection: it is counted anew for
// each event that concerns me and each time the connection is back, and while
// there is none nothing is claimed.

import * as net from './net.js';

/** @typedef {{table: string, your_turn: boolean}} Mine */

const AGAIN_MS = 5000; // after a refusal
const TABLES = 200; // more than that nobody sits at

const icon = /** @type {HTMLLinkElement} */ (document.getElementById('icon'));

/** The longest waiting first. @type {Mine[]} */
let known = [];
let title = '';
let counting = false;
let again = false;
/** @type {any} */
let timer = null;

/** Hears `counted`, when they may have become others. */
export const bus = new EventTarget();

/** Those that are known to wait. */
export const tables = () => net.status.state === 'offline' ? [] : known;

/** Whether they are about to be others: something has happened since. */
export const stale = () => counting;

/** What the page is called, but for the count. @param {string} text */
export function entitle(text) {
    title = text;
    show();
}

function show() {
    const count = tables().length;
    document.title = `${count ? `(${count}) ` : ''}${title} · Sobremesa`;
    const wanted = icon.href.replace(/[^/]*$/, count ? 'turn.svg' : 'icon.svg');
    if (icon.href !== wanted)
        icon.href = wanted;
    if ('setAppBadge' in navigator)
        navigator.setAppBadge(count).catch(() => {}); // 0 takes it away
}

function tell() {
    show();
    bus.dispatchEvent(new Event('counted'));
}

/** @returns {Promise<Mine[]>} */
const ask = async () => (await net.ask('me.tables',
    {state: 'playing', limit: TABLES})).tables.filter(
    (/** @type {Mine} */ table) => table.your_turn);

/** Counts; once more if something happened meanwhile, and until it is told. */
export async function count() {
    clearTimeout(timer);
    again = counting;
    if (counting)
        return;
    counting = true;
    try {
        known = net.status.user === null ? [] : await ask();
    } catch {
        timer = setTimeout(count, AGAIN_MS);
    }
    counting = false;
    if (again) // what was told is older than what happened meanwhile
        count();
    else
        tell();
}

export function begin() {
    net.bus.addEventListener('user', count);
    net.bus.addEventListener('me', count);
    net.bus.addEventListener('state', tell);
    // Who counts for a page that is gone?
    addEventListener('pagehide', () => {
        if ('clearAppBadge' in navigator)
            navigator.clearAppBadge().catch(() => {});
    });
    addEventListener('pageshow', show);
}
