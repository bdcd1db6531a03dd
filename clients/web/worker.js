// worker.js -- the page's side of the service worker (sw.js), and notifications.
//
// A browser lets a page have one on https, or on the machine itself; without it
// the page works, but is not there without a connection and is pushed nothing.

import {h} from './dom.js';
import {go, install} from './frame.js';
import {t} from './i18n.js';
import * as net from './net.js';
import * as notices from './notices.js';
import {settings} from './settings.js';
import * as waiting from './waiting.js';

const LATER_MS = 8000;

/** @returns {Promise<ServiceWorkerRegistration | undefined>} */
const registration = async () => navigator.serviceWorker?.getRegistration();

/** Whether there can be one at all. */
export const possible = () => 'serviceWorker' in navigator;

// ---- what this page tells while nobody looks at it ------------------------------

/** Notifications that this page has made by itself, by table.
 * @type {Map<string, Notification>} */
const made = new Map();

const allowed = () => settings.notify && document.hidden &&
    'Notification' in window && Notification.permission === 'granted';

/** Does what has to do with notifications, one at a time: a browser that is asked
 * which are shown while it begins to show one forgets that one.
 * @param {() => Promise<void>} job */
const inTurn = (job) => navigator.locks ?
    navigator.locks.request('notifications', job) : job();

/** @param {string} kind */
const words = (kind) => ({
    turn: t('It is your turn.'),
    invited: t('You are invited to a table.'),
    declined: t('Somebody declines your invitation.'),
    started: t('A game has begun.'),
    finished: t('A game is over.'),
}[kind]);

/** One tab is enough: the same tag replaces the other tabs' words.
 * @param {any} event */
async function notify(event) {
    const body = words(event?.kind);
    if (!body || !allowed())
        return;
    const {table, kind} = event;
    const options = {body, tag: table,
        data: {table, kind, address: `table/${table}`}};
    const worker = await registration();
    if (worker?.active) {
        await worker.showNotification('Sobremesa', options);
        return;
    }
    const note = new Notification('Sobremesa', options);
    made.set(table, note);
    note.onclick = () => {
        window.focus();
        go(`table/${table}`);
    };
}

/** Takes back that it is somebody's turn where it is so no more. */
async function withdraw() {
    if (net.status.state !== 'online')
        return;
    const shown = await (await registration())?.getNotifications() ?? [];
    if (waiting.stale()) // one of these may be of just now
        return;
    const waits = new Set(waiting.tables().map(({table}) => table));
    for (const note of [...shown, ...made.values()])
        if (note.data?.kind === 'turn' && !waits.has(note.data.table)) {
            note.close();
            made.delete(note.data.table);
        }
}

// ---- life ---------------------------------------------------------------------

/** Where somebody is told nothing any more, the page says so, and renews what
 * the browser has given up. */
async function look() {
    if (!net.status.user)
        return;
    const told = await net.ask('notices.get');
    (await import('./push.js')).renew(told).catch(() => {});
    notices.own(told.channels.filter((/** @type {any} */ one) =>
        one.state === 'off').map((/** @type {any} */ one) => h('p', null,
        t('Nothing is sent to {where} any more: it was refused.',
            {where: one.label || one.target}), ' ',
        h('a', {href: '#settings/told'}, t('Settings')))));
}

export function begin() {
    net.bus.addEventListener('user', () => {
        notices.own([]);
        look().catch(() => {});
    });
    look().catch(() => {});
    net.bus.addEventListener('me', (event) =>
        inTurn(() => notify(/** @type {CustomEvent} */ (event).detail))
            .catch(() => {}));
    waiting.bus.addEventListener('counted', () =>
        inTurn(withdraw).catch(() => {}));
    if (!possible())
        return;
    navigator.serviceWorker.addEventListener('message', ({data}) => {
        if (typeof data?.go === 'string')
            go(data.go);
    });
    // Without one all works but what it is for.  It takes all the files, so what
    // is wanted now goes first.
    setTimeout(() => install().catch((why) =>
        console.warn('no service worker:', why.message)), LATER_MS);
}
