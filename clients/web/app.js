// app.js -- the page around all pages: settings, navigation, whose turn it is.

import {fill, h, shut} from './dom.js';
import {complain, go, loginAddress, say} from './frame.js';
import {speak, t} from './i18n.js';
import * as net from './net.js';
import * as notices from './notices.js';
import {dress, settings} from './settings.js';

/**
 * @typedef {object} Page What a module in pages makes of an address.
 * @property {string} title
 * @property {Node} node
 * @property {string} [nav] The entry of the navigation it belongs to.
 * @property {() => void} [close]
 * @property {(rest: string[]) => boolean} [go] Takes another address of the
 *     same table; false: make the page anew.
 */

/** @type {{[name: string]: () => Promise<any>}} */
const pages = {
    '': () => import('./lobby.js'),
    'login': () => import('./account.js'),
    'register': () => import('./account.js'),
    'reset': () => import('./account.js'),
    'settings': () => import('./account.js'),
    'new': () => import('./create.js'),
    'finished': () => import('./lobby.js'),
    'rules': () => import('./rules.js'),
    'table': () => import('./table.js'),
};

const main = /** @type {HTMLElement} */ (document.getElementById('main'));
const nav = /** @type {HTMLElement} */ (document.getElementById('nav'));
const link = /** @type {HTMLElement} */ (document.getElementById('link'));
const icon = /** @type {HTMLLinkElement} */ (document.getElementById('icon'));

/** @type {Page | null} */
let page = null;
let shown = '';
let title = '';
/** Tables that wait for me, the longest waiting first. @type {any[]} */
let waiting = [];

// ---- where we are -------------------------------------------------------------

let turn = 0;
let begun = false;

async function route() {
    const [name, ...rest] = location.hash.slice(1).split('/')
        .map(decodeURIComponent);
    const address = location.hash;
    if (name === 'main')
        return; // the skip link
    if (page?.go && name === 'table' && shown === `table/${rest[0]}` &&
        page.go(rest.slice(1)))
        return;
    const mine = ++turn;
    shut('dialog');
    const open = pages[name] ?? pages[''];
    try {
        const module = await open();
        const made = await module.default(name, rest);
        if (mine !== turn) {
            made.close?.();
            return;
        }
        page?.close?.();
        page = made;
        shown = name === 'table' ? `table/${rest[0]}` : address;
    } catch (why) {
        if (mine !== turn)
            return;
        page?.close?.();
        page = null;
        shown = address;
        sorry(why);
    }
    title = page?.title ?? t('Sorry');
    if (page)
        fill(main, page.node);
    main.focus({preventScroll: true});
    scrollTo(0, 0);
    navigate();
    badge();
}

/** @param {any} why */
function sorry(why) {
    const gone = why instanceof TypeError || why instanceof SyntaxError;
    if (why instanceof Error)
        console.error(why);
    fill(main, h('section', {class: 'narrow card'},
        h('h1', null, t('Sorry')),
        h('p', null, gone
            ? t('Part of the page could not be loaded.')
            : t(why?.message ?? String(why))),
        h('p', {class: 'row'},
            h('button', {class: 'main', onclick: () => location.reload()},
                t('Try again')),
            h('a', {class: 'button', href: '#'}, t('To the lobby')))));
}

// ---- what stands on top ---------------------------------------------------------

function navigate() {
    const user = net.status.user;
    const entry = (/** @type {string} */ address, /** @type {string} */ text,
        more = {}) => h('a', {
        href: `#${address}`,
        'aria-current': location.hash.slice(1) === address && 'page',
        'data-key': `nav-${address}`,
        ...more,
    }, text);
    const next = waiting.find((table) => table.table !== page?.nav) ?? null;
    fill(nav,
        entry('', t('Lobby')),
        entry('finished', t('Finished')),
        entry('rules', t('Rules')),
        next && entry(`table/${next.table}`,
            t('Next ({count})', {count: waiting.length}),
            {class: 'next', 'data-key': 'next'}),
        user
            ? entry('settings', user.name, {class: 'end'})
            : [entry('settings', t('Settings'), {class: 'end'}),
                entry(loginAddress(), t('Log in'))]);
}

/** In title and icon: is it my turn anywhere? */
function badge() {
    const count = waiting.length;
    document.title = `${count ? `(${count}) ` : ''}${title} · Sobremesa`;
    const wanted = icon.href.replace(/[^/]*$/, count ? 'turn.svg' : 'icon.svg');
    if (icon.href !== wanted)
        icon.href = wanted;
}

let counting = false;
let again = false;

/** Asks which tables wait for me; once more if something happened meanwhile. */
async function count() {
    again = counting;
    if (counting)
        return;
    counting = true;
    try {
        const {tables} = net.status.user === null ? {tables: []}
            : await net.ask('me.tables', {state: 'playing'});
        waiting = tables.filter((/** @type {any} */ table) => table.your_turn);
    } catch {
        // what was known stands until the next news
    }
    counting = false;
    if (again)
        count();
    navigate();
    badge();
}

/** @param {any} event */
function notify(event) {
    if (!event || event.kind === 'chat')
        return;
    if (!settings.notify || !document.hidden || !('Notification' in window) ||
        Notification.permission !== 'granted')
        return;
    const text = {
        turn: t('It is your turn.'),
        invited: t('You are invited to a table.'),
        started: t('A game has begun.'),
        finished: t('A game is over.'),
    }[/** @type {string} */ (event.kind)];
    if (!text)
        return;
    // One tab is enough; the same tag replaces the other tabs' words.
    const note = new Notification('Sobremesa', {body: text, tag: event.table});
    note.onclick = () => {
        window.focus();
        go(`table/${event.table}`);
    };
}

function linked() {
    const {state} = net.status;
    link.dataset.state = state;
    link.textContent = {
        online: t('Connected'),
        connecting: t('Connecting …'),
        offline: t('Offline: trying again'),
    }[state];
}

// ---- life --------------------------------------------------------------------

async function begin() {
    dress();
    await speak(settings.lang);
    const skip = /** @type {HTMLElement} */ (document.getElementById('skip'));
    skip.textContent = t('Skip to the content');
    skip.onclick = (event) => {
        event.preventDefault();
        main.focus();
    };
    net.bus.addEventListener('state', linked);
    net.bus.addEventListener('user', () => {
        page?.close?.();
        page = null;
        if (begun)
            route();
        count();
    });
    net.bus.addEventListener('me', (event) => {
        notify(/** @type {CustomEvent} */ (event).detail);
        count();
    });
    net.bus.addEventListener('lost', (event) =>
        complain(/** @type {CustomEvent} */ (event).detail.why));
    net.bus.addEventListener('notice', (event) => {
        const text = notices.hear(/** @type {CustomEvent} */ (event).detail);
        if (text)
            say(text);
    });
    notices.begin();
    linked();
    navigate();
    const known = new Promise((resolve) => {
        net.bus.addEventListener('state', resolve, {once: true});
        setTimeout(resolve, 3000);
    });
    net.start();
    await known; // who reads decides what is shown
    begun = true;
    addEventListener('hashchange', route);
    route();
}

begin();
