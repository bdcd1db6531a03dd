// app.js -- the page around all pages: settings, navigation, whose turn it is.

import {fill, h, shut, svg} from './dom.js';
import {TableFeed} from './table_feed.js';
import {complain, early, go, loginAddress, say} from './frame.js';
import * as games from './games.js';
import {speak, t} from './i18n.js';
import * as lobby from './lobby.js';
import * as net from './net.js';
import * as notices from './notices.js';
import * as settings from './settings.js';
import * as waiting from './waiting.js';

/**
 * @typedef {object} Page What a module in pages makes of an address.
 * @property {string} title
 * @property {Node} node
 * @property {string} [nav] The entry of the navigation it belongs to.
 * @property {Node} [head] What stands on top instead of the other pages.
 * @property {() => void} [close]
 * @property {(rest: string[]) => boolean} [go] Takes another address of the
 *     same table; false: make the page anew.
 */

/** @type {{[name: string]: () => Promise<any>}} */
const pages = {
    '': async () => lobby,
    'login': () => import('./account.js'),
    'register': () => import('./account.js'),
    'reset': () => import('./account.js'),
    'forgotten': () => import('./account.js'),
    'settings': () => import('./profile.js'),
    'confirm': () => import('./links.js'),
    'join': () => import('./links.js'),
    'never': () => import('./links.js'),
    'unsubscribe': () => import('./links.js'),
    'new': () => import('./create.js'),
    'finished': async () => lobby,
    'player': () => import('./people.js'),
    'best': () => import('./people.js'),
    'rules': () => import('./rules.js'),
    'table': () => import('./table.js'),
    'record': () => import('./record.js'),
    'ahead': () => import('./ahead.js'),
    'guide': () => import('./guide.js'),
};

const main = /** @type {HTMLElement} */ (document.getElementById('main'));
const head = /** @type {HTMLElement} */ (document.getElementById('head'));
const nav = /** @type {HTMLElement} */ (document.getElementById('nav'));
const link = /** @type {HTMLElement} */ (document.getElementById('link'));

/** @type {Page | null} */
let page = null;
let shown = '';

// ---- where we are -------------------------------------------------------------

let turn = 0;

async function route() {
    const [name, ...rest] = location.hash.slice(1).split('/')
        .map(decodeURIComponent);
    const address = location.hash;
    if (name === 'main')
        return; // the skip link
    if (page?.go && (name === 'table' ? shown === `table/${rest[0]}` &&
        page.go(rest.slice(1)) : shown === name && page.go(rest))) {
        turn++; // another page that is on its way comes too late
        return;
    }
    const mine = ++turn;
    shut('dialog');
    const open = pages[name] ?? pages[''];
    early.ahead(name);
    // Asked for at once, whatever its page still needs.
    const feed = name === 'table' ? new TableFeed(rest[0] ?? '') : null;
    try {
        const module = await open();
        const made = await module.default(name, rest, feed);
        // It is drawn, and laid out when the focus goes there: on a phone a long
        // table's are too much to be done at one go.
        await new Promise((go) => setTimeout(go));
        if (mine !== turn) {
            made.close?.();
            return;
        }
        page?.close?.();
        page = made;
        shown = name === 'table' ? `table/${rest[0]}`
            : page?.go ? name : address;
    } catch (why) {
        feed?.close();
        if (mine !== turn)
            return;
        page?.close?.();
        page = null;
        shown = address;
        sorry(why);
    }
    if (page)
        fill(main, page.node);
    fill(head, page?.head ?? null);
    document.body.toggleAttribute('data-head', Boolean(page?.head));
    main.focus({preventScroll: true});
    scrollTo(0, 0);
    navigate();
    waiting.entitle(page?.title ?? t('Sorry'));
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
    const tables = waiting.tables();
    const next = tables.find(({table}) => table !== page?.nav);
    const place = (/** @type {string} */ address, /** @type {string} */ text,
        /** @type {string} */ path) => {
        const link = entry(address, text);
        link.prepend(svg('svg', {viewBox: '0 0 24 24', 'aria-hidden': 'true'},
            svg('path', {d: path})));
        return link;
    };
    fill(nav,
        h('span', {class: 'pages'},
            place('', t('Lobby'), 'M3 11L12 4L21 11M6 9V20H18V9'),
            user && place('new', t('New table'), 'M12 5V19M5 12H19'),
            place('finished', t('Finished'),
                'M7 4H17V9A5 5 0 0 1 7 9ZM7 6H4Q4 10 7 11M17 6H20Q20 10 17 11'
                + 'M12 14V18M8 20H16'),
            place('rules', t('Rules'),
                'M12 7Q8 4 3 5V18Q8 17 12 20Q16 17 21 18V5Q16 4 12 7V20'),
            !user && place('settings', t('Settings'),
                'M3 7H13M19 7H21M16 4A3 3 0 1 0 16 10A3 3 0 1 0 16 4'
                + 'M3 17H5M11 17H21M8 14A3 3 0 1 0 8 20A3 3 0 1 0 8 14')),
        next && entry(`table/${next.table}`,
            t('Next ({count})', {count: tables.length}),
            {class: 'next', 'data-key': 'next'}),
        user
            ? entry('settings', user.name, {class: 'end'})
            : entry(loginAddress(), t('Log in')));
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
    net.start(); // a connection takes its time
    settings.dress();
    await speak(settings.settings.lang);
    const skip = /** @type {HTMLElement} */ (document.getElementById('skip'));
    skip.textContent = t('Skip to the content');
    skip.onclick = (event) => {
        event.preventDefault();
        main.focus();
    };
    net.bus.addEventListener('state', linked);
    net.bus.addEventListener('user', (event) => {
        // What a table asked for first, it asked for as whoever it is.
        if (/** @type {CustomEvent} */ (event).detail.first &&
            location.hash.startsWith('#table/'))
            return;
        page?.close?.();
        page = null;
        route();
    });
    waiting.bus.addEventListener('counted', navigate);
    waiting.begin();
    net.bus.addEventListener('lost', (event) =>
        complain(/** @type {CustomEvent} */ (event).detail.why));
    net.bus.addEventListener('notice', (event) => {
        const text = notices.hear(/** @type {CustomEvent} */ (event).detail);
        if (text)
            say(text);
    });
    notices.begin();
    linked();
    // What stands on top of a table has its place before it is there.
    document.body.toggleAttribute('data-head', location.hash.startsWith('#table/'));
    navigate();
    addEventListener('hashchange', route);
    await route();
    (await import('./worker.js')).begin();
}

begin();

// For tests, and whoever looks in with a debugger.
export * as core from './core.js';
export * as dom from './dom.js';
export * as i18n from './i18n.js';
export {games, net, pages, settings};
