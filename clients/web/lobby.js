// lobby.js -- tables: mine, open ones, those being played, finished ones.

import {add, dialog, fill, h} from './dom.js';
import {complain, go, loginAddress} from './frame.js';
import {games, settingsOf} from './games.js';
import {ago, t} from './i18n.js';
import * as net from './net.js';
import * as notices from './notices.js';

/** @typedef {import('./types.js').Brief} Brief */

/** @type {Brief[]} */
let known = [];

const mine = (/** @type {any} */ seat) =>
    seat.user !== null && seat.user === net.status.user?.id;

/** @param {any} table */
const myTurn = (table) => table.state === 'playing' &&
    table.seats.some((/** @type {any} */ s) => s.acting && mine(s));

/** A table as a row of a list. @param {any} table */
function row(table) {
    const brief = known.find((game) => game.name === table.game);
    const seated = table.seats.some(mine);
    const free = table.seats.filter((/** @type {any} */ s) => !s.user).length;
    const names = table.seats.map((/** @type {any} */ s) => s.name)
        .filter(Boolean);
    const turn = myTurn(table);
    const waits = table.seats.filter((/** @type {any} */ s) => s.acting)
        .map((/** @type {any} */ s) => s.name).join(', ');
    return h('li', {class: `card${seated ? ' yours' : ''}`},
        h('div', null,
            h('h3', null, h('a', {href: `#table/${table.table}`,
                'data-key': table.table},
            `${brief?.title ?? table.game}`,
            names.length > 0 && ` · ${names.join(', ')}`)),
            h('div', {class: 'row small muted'},
                turn && h('span', {class: 'tag turn'}, t('Your turn')),
                table.unread > 0 && h('span', {class: 'tag'},
                    t('{count} unread', {count: table.unread})),
                table.state === 'open' && h('span', null, free === 1
                    ? t('1 seat free of {seats}', {seats: table.seats.length})
                    : t('{free} seats free of {seats}',
                        {free, seats: table.seats.length})),
                table.state === 'playing' && !turn && waits &&
                    h('span', null, t('waits for {names}', {names: waits})),
                settingsOf(brief, table).map((text) =>
                    h('span', {class: 'tag'}, text)),
                table.private && h('span', {class: 'tag'}, t('private')),
                table.password && h('span', {class: 'tag'}, t('password')),
                table.start === 'manual' && table.state === 'open' &&
                    h('span', {class: 'tag'}, t('started by hand')),
                !table.spectators && h('span', {class: 'tag'},
                    t('no spectators')),
                h('span', null, ago(table.changed)))),
        table.state === 'open' && !seated && free > 0
            ? h('button', {class: 'main', 'data-key': `join-${table.table}`,
                onclick: () => join(table)}, t('Join'))
            : h('a', {class: `button${turn ? ' main' : ''}`,
                href: `#table/${table.table}`},
            turn ? t('Play') : table.state === 'playing' && !seated
                ? t('Watch') : t('Open')));
}

/** The password of a table, asked for; undefined if there is none. */
const askPassword = () => dialog(t('Password of the table'), (close) => {
    const input = h('input', {type: 'password', required: true,
        autocomplete: 'off', maxlength: 64});
    return h('form', {onsubmit: (/** @type {any} */ event) => {
        event.preventDefault();
        close(input.value);
    }}, h('label', null, h('span', null, t('Password')), input),
    h('div', {class: 'row'},
        h('button', {type: 'button', onclick: () => close()}, t('Cancel')),
        h('button', {class: 'main'}, t('Join'))));
});

/** Takes a seat and goes there.  A password is asked for only if the server
 * wants one: who is invited needs none.
 * @param {{table: string}} table @param {string} [password]
 * @returns {Promise<void>} */
export async function join({table}, password) {
    if (!net.status.user) {
        go(loginAddress(`table/${table}`));
        return;
    }
    try {
        await net.ask('table.join', {table, key: net.key(), nonce: net.key(),
            ...password !== undefined && {password}});
    } catch (any) {
        const why = /** @type {any} */ (any);
        const closed = why.reason === 'wrong_password';
        if (!closed || password !== undefined)
            complain(why);
        const next = closed ? await askPassword() : undefined;
        if (next !== undefined)
            await join({table}, next);
        return;
    }
    go(`table/${table}`);
}

/**
 * A list that grows by pages.
 * @param {string} title
 * @param {string} none What is said of an empty one.
 * @param {(after?: string) => Promise<{tables: any[], next?: string}>} get
 * @param {any} [more] Stands beside the title.
 */
function list(title, none, get, more) {
    const items = h('ul', {class: 'tables'});
    const foot = h('p', {class: 'muted'}, t('Loading …'));
    /** @type {any[]} */
    let tables = [];
    /** @type {string | undefined} */
    let next;
    const draw = () => {
        fill(items, tables.map(row));
        fill(foot, next
            ? h('button', {onclick: () => load(next)}, t('More'))
            : tables.length === 0 && none);
    };
    const load = async (/** @type {string | undefined} */ after) => {
        try {
            const answer = await get(after);
            tables = after ? [...tables, ...answer.tables] : answer.tables;
            next = answer.next;
            draw();
        } catch (why) {
            fill(foot, t(/** @type {any} */ (why).message));
        }
    };
    return {
        node: h('section', null,
            h('div', {class: 'head'}, h('h2', null, title), more), items, foot),
        load: () => load(undefined),
    };
}

/** @param {() => void} changed */
function filters(changed) {
    const game = h('select', {onchange: changed, 'aria-label': t('Game')},
        h('option', {value: ''}, t('All games')),
        known.map((g) => h('option', {value: g.name}, g.title)));
    const free = h('select', {onchange: changed, 'aria-label': t('Seats')},
        h('option', {value: ''}, t('Any number of seats')),
        [2, 3, 4, 5, 6].map((n) => h('option', {value: n},
            t('{count} seats', {count: n}))));
    return {
        node: h('div', {class: 'row'}, game, free),
        params: () => game.value ? {game: game.value} : {},
        fits: (/** @type {any} */ table) =>
            !free.value || table.seats.length === Number(free.value),
    };
}

function welcome() {
    return h('section', {class: 'card'},
        h('h1', null, t('Stay at the table')),
        h('p', null, t('Board games, move by move, whenever you have time: come, make your move, leave. Whoever is there sees it at once, and nothing is ever lost.')),
        h('p', {class: 'row'},
            h('a', {class: 'button main', href: '#login'},
                t('Log in or play as a guest')),
            h('a', {class: 'button', href: '#rules'}, t('The games'))));
}

/** @param {string} name */
export default async function lobby(name) {
    known = await games();
    return name === 'finished' ? finished() : open();
}

function open() {
    const user = net.status.user;
    const filter = filters(() => load());
    /** My tables, and those I am invited to. @type {Set<string>} */
    let own = new Set();
    const some = (/** @type {string} */ state) =>
        async (/** @type {string | undefined} */ after) => {
            const answer = await net.ask('table.list', {
                state, limit: 30, ...filter.params(), ...after && {after}});
            return {...answer, tables: answer.tables.filter(
                (/** @type {any} */ table) => filter.fits(table) &&
                    !own.has(table.table) && !table.seats.some(mine))};
        };
    const lists = [
        list(t('Open tables'), t('No table is open. Make one!'), some('open'),
            filter.node),
        list(t('Being played'), t('Nobody plays at the moment.'),
            some('playing')),
    ];
    const node = h('div', {class: 'wide'});
    /** @type {ReturnType<typeof list> | null} */
    let first = null;
    if (user) {
        first = list(t('My tables'),
            t('You sit at no table yet.'), async () => {
                const answer = await net.ask('me.tables', {limit: 200});
                const tables = answer.tables.filter((/** @type {any} */ x) =>
                    x.state === 'open' || x.state === 'playing');
                own = new Set(tables.map((/** @type {any} */ x) => x.table));
                return {tables};
            }, h('a', {class: 'button main', href: '#new'}, t('New table')));
        add(node, h('h1', {class: 'unseen'}, t('Lobby')));
    } else {
        add(node, welcome());
    }
    const board = h('div', {'aria-live': 'polite'});
    const say = () => {
        fill(board, notices.motd());
        board.hidden = !board.firstChild;
    };
    say();
    notices.bus.addEventListener('motd', say);
    add(node, board, first?.node, lists.map((l) => l.node));
    const load = async () => {
        await first?.load();
        lists.forEach((l) => l.load());
    };
    load();
    const timer = setInterval(() => !document.hidden && load(), 20000);
    net.bus.addEventListener('me', load);
    return {
        title: t('Lobby'), node,
        close() {
            clearInterval(timer);
            net.bus.removeEventListener('me', load);
            notices.bus.removeEventListener('motd', say);
        },
    };
}

function finished() {
    const filter = filters(() => lists.forEach((l) => l.load()));
    const some = (/** @type {{}} */ more) =>
        async (/** @type {string | undefined} */ after) => {
            const answer = await net.ask('table.list', {
                state: 'finished', limit: 30, ...filter.params(), ...more,
                ...after && {after}});
            return {...answer, tables: answer.tables.filter(filter.fits)};
        };
    /** @type {ReturnType<typeof list>[]} */
    const lists = [];
    if (net.status.user)
        lists.push(list(t('My finished games'),
            t('You have finished no game yet.'), some({mine: true})));
    lists.push(list(t('All finished games'), t('No game is finished yet.'),
        some({})));
    lists.forEach((l) => l.load());
    return {
        title: t('Finished games'),
        node: h('div', {class: 'wide'},
            h('div', {class: 'head'}, h('h1', null, t('Finished games')),
                filter.node), lists.map((l) => l.node)),
    };
}
