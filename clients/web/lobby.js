// lobby.js -- tables: mine, open ones, those being played, finished ones.

import {dialog, fill, h, styled, svg} from './dom.js';
import {complain, go, loginAddress} from './frame.js';
import {clock, clocks, games, server, settingsOf} from './games.js';
import {ago, t} from './i18n.js';
import * as net from './net.js';
import * as notices from './notices.js';
import {mark} from './seat.js';
import {link} from './who.js';

/** @typedef {import('./types.js').Brief} Brief */

/** @type {Brief[]} */
let known = [];

const CUP = 'M7 4H17V9A5 5 0 0 1 7 9ZM7 6H4Q4 10 7 11M17 6H20Q20 10 17 11'
    + 'M12 14V18M8 20H16';

const mine = (/** @type {any} */ seat) =>
    seat.user !== null && seat.user === net.status.user?.id;

/** Whether somebody's seat is offered to others. @param {any} table */
const offered = (table) => table.seats.some((/** @type {any} */ s) => s.offered);

/** When the first of those is late who are waited for. @param {any} table */
const soonest = (table) => Math.min(...table.seats.map((/** @type {any} */ s) =>
    s.acting && s.due || Infinity));

/** @param {any} table */
const myTurn = (table) => table.state === 'playing' &&
    table.seats.some((/** @type {any} */ s) => s.acting && mine(s));

/** @param {any} table */
const asked = (table) => table.seats.some((/** @type {any} */ s) =>
    s.asked && mine(s));

/** What cards show beyond what lists tell, once that is there. @type {any} */
let cards = null;

/** Who sits where, in their colours; free seats are dashed.
 * @param {any} table */
const seats = (table) => h('ul', {class: 'sitting'}, table.seats.map(
    (/** @type {any} */ seat, /** @type {number} */ i) => h('li', {
        class: seat.acting && 'acting'}, seat.name ? mark(i)
        : h('span', {class: 'free', 'aria-hidden': 'true'}),
    h('span', {class: 'name'}, seat.name ? link(seat.name)
        : h('span', {class: 'unseen'}, t('free'))),
    h('span', {class: 'away muted small'}),
    h('span', {class: 'points'}), table.state === 'finished' && [
        svg('svg', {class: 'trophy', viewBox: '0 0 24 24',
            'aria-hidden': 'true'}, svg('path', {d: CUP})),
        h('span', {class: 'place unseen'})])));

/** What a table is made with. @param {any} table @param {Brief} [brief] */
const made = (table, brief) => [...settingsOf(brief, table),
    table.private && t('private'),
    table.start === 'manual' && table.state === 'open' && t('started by hand'),
    !table.spectators && t('no spectators')].filter(Boolean).join(' · ');

/** Those who are waited for, and how long that may take. @param {any} table */
function waits(table) {
    const [before, after] = t('waits for {names}').split('{names}');
    const names = table.seats.filter((/** @type {any} */ s) => s.acting).flatMap(
        (/** @type {any} */ s, /** @type {number} */ i) => [i > 0 && ', ', s.name,
            ...s.due && clock ? [' (', clock.left(s.due, table), ')'] : []]);
    return names.length > 0 && [before, ...names, after];
}

/** What a table waits for. @param {any} table @param {boolean} turn */
function awaited(table, turn) {
    const free = table.seats.filter((/** @type {any} */ s) => !s.user).length;
    const left = table.seats.find((/** @type {any} */ s) => s.offered);
    return turn ? h('strong', {class: 'turn'}, t('Your turn'))
        : asked(table) ? h('strong', {class: 'turn'}, t('A vote waits for you'))
        : left ? t('{name} has not come: who plays on?', {name: left.name})
            : table.state === 'open' ? free === 1
                ? t('1 seat free of {seats}', {seats: table.seats.length})
                : t('{free} seats free of {seats}',
                    {free, seats: table.seats.length})
                : table.state === 'playing' && waits(table);
}

/** What one can do from a card. @param {any} table @param {boolean} turn */
function deed(table, turn) {
    const seated = table.seats.some(mine);
    const free = table.seats.some((/** @type {any} */ s) => !s.user);
    const link = (/** @type {string} */ address, /** @type {string} */ text,
        kind = 'button') => h('a', {class: kind, href: `#${address}`}, text);
    const asked = 'you' in table;
    if (table.state === 'open' && !seated && free)
        return [asked && h('button', {onclick: () => import('./asks.js').then(
            ({decline}) => decline({id: table.table})).catch(complain)},
        t('Decline')),
        h('button', {'data-key': `join-${table.table}`,
            class: asked && 'main', onclick: () => join(table)},
        asked ? t('Take the seat') : t('Join'))];
    if (table.state === 'finished')
        return h('span', {class: 'row'},
            seated && link(`new/${table.game}/${table.table}`, t('Once more')),
            link(`table/${table.table}/0`, t('Replay')));
    if (!seated && offered(table))
        return link(`table/${table.table}`, t('Take over'),
            'button main');
    return link(`table/${table.table}`, turn ? t('Play')
        : table.state === 'playing' && !seated ? t('Watch') : t('Open'),
    `button${turn ? ' main' : ''}`);
}

/** A lock. */
const lock = () => h('span', {class: 'tag'}, svg('svg', {viewBox: '0 0 12 12',
    class: 'lock', 'aria-hidden': 'true'}, svg('path', {d:
    'M3 5V4A3 3 0 0 1 9 4V5H10V11H2V5ZM4.5 5H7.5V4A1.5 1.5 0 0 0 4.5 4Z'})),
t('password'));

/** A table as a card of a list. @param {any} table */
function row(table) {
    const brief = known.find((game) => game.name === table.game);
    const turn = myTurn(table);
    const over = table.state === 'finished';
    const card = h('li', {class: `card tbl ${table.state}${turn ? ' yours' : ''}`,
        'data-card': table.table},
    h('div', {class: 'look'}),
    h('div', {class: 'about'},
        h('h3', null, h('a', {href: `#table/${table.table}`,
            'data-key': table.table, 'aria-label': [brief?.title,
                ...table.seats.map((/** @type {any} */ s) => s.name)]
                .filter(Boolean).join(' · ')},
        `${brief?.title ?? table.game}`)),
        table.password && lock(),
        table.unread > 0 && h('span', {class: 'tag news'},
            t('{count} unread', {count: table.unread})),
        h('span', {class: 'when small muted'},
            table.due && clock ? clock.left(table.due, table)
                : ago(table.since || table.changed))),
    h('p', {class: 'how small muted'}, h('span', {class: 'round'}), ' ',
        h('span', {class: 'made'}, made(table, brief))),
    seats(table),
    h('div', {class: 'do'},
        !over && h('span', {class: 'small muted'}, awaited(table, turn)),
        deed(table, turn)));
    cards?.dress(card, table, brief, () => made(table, brief));
    return card;
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
 * @param {string} none What is said of an empty one; '': it is not there then.
 * @param {(after?: string) => Promise<{tables: any[], next?: string}>} get
 * @param {any} [more] Stands beside the title.
 */
function list(title, none, get, more) {
    const items = h('ul', {class: 'tables'});
    const foot = h('p', {class: 'muted'}, t('Loading …'));
    const count = h('span', {class: 'count'});
    const node = h('section', {hidden: !none, 'aria-label': title},
        h('div', {class: 'head'}, h('h2', null, title, count), more), items,
        foot);
    /** @type {any[]} */
    let tables = [];
    /** @type {string | undefined} */
    let next;
    const draw = () => {
        node.hidden = !none && tables.length === 0;
        fill(items, tables.map(row));
        fill(count, tables.length > 0 && ` ${tables.length}${next ? '+' : ''}`);
        fill(foot, next
            ? h('button', {onclick: () => load(next)}, t('More'))
            : tables.length === 0 && none);
        if (tables.length > 0 && !cards)
            import('./cards.js').then((module) => {
                cards = module;
                draw();
            }, () => {}); // without them it is a list still
    };
    const load = async (/** @type {string | undefined} */ after) => {
        try {
            // Both are asked for at once.
            const [answer, all] = await Promise.all([get(after), games()]);
            known = all;
            await clocks(answer.tables);
            tables = after ? [...tables, ...answer.tables] : answer.tables;
            next = answer.next;
            draw();
        } catch (why) {
            fill(foot, t(/** @type {any} */ (why).message));
        }
    };
    return {node, load: () => load(undefined)};
}

/** @param {() => void} changed */
function filters(changed) {
    let game = '';
    const chips = h('div', {class: 'chips', role: 'group',
        'aria-label': t('Game')});
    const draw = (/** @type {Brief[]} */ all) => fill(chips,
        [{name: '', title: t('All games')}, ...all].map(({name, title}) =>
            h('button', {type: 'button', 'aria-pressed': String(name === game),
                'data-key': `game-${name}`, onclick: () => {
                    game = name;
                    draw(all);
                    changed();
                }}, title)));
    games().then(draw, () => {});
    const free = h('select', {onchange: changed, 'aria-label': t('Seats')},
        h('option', {value: ''}, t('Any number of seats')),
        [2, 3, 4, 5, 6].map((n) => h('option', {value: n},
            t('{count} seats', {count: n}))));
    return {
        chips, seats: free,
        params: () => game ? {game} : {},
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
    await styled('lobby.css');
    return name === 'finished' ? finished() : open();
}

/** My tables in parts, by one answer: where it is my turn, the longest waiting
 * first; where I am invited; and those that wait for others, as these are due.
 * @param {(all: any[]) => void} heard */
function ownLists(heard) {
    /** @type {Promise<any[]>} */
    let all = Promise.resolve([]);
    const some = (/** @type {(table: any) => boolean} */ fits) =>
        async () => ({tables: (await all).filter(fits)});
    const seated = (/** @type {any} */ table) => table.seats.some(mine);
    const lists = [
        list(t('Your turn'), '', some(myTurn)),
        list(t('You are invited'), '', some((table) => !seated(table))),
        list(t('Waiting for others'), '', async () => ({tables: (await some(
            (table) => seated(table) && !myTurn(table))()).tables.sort(
            (a, b) => soonest(a) - soonest(b) || 0)})),
    ];
    const none = h('p', {class: 'muted', hidden: true});
    lists[0].node.classList.add('turns');
    return {
        node: h('div', {class: 'own'}, h('div', {class: 'head'},
            h('h1', null, t('My tables')), h('a', {class: 'button main',
                href: '#new'}, t('New table'))), none,
        lists.map((l) => l.node)),
        async load() {
            all = net.ask('me.tables', {limit: 200}).then(({tables}) =>
                tables.filter((/** @type {any} */ x) =>
                    x.state === 'open' || x.state === 'playing'));
            await Promise.all(lists.map((l) => l.load()));
            try {
                const tables = await all;
                none.hidden = tables.length > 0;
                fill(none, t('You sit at no table yet.'));
                heard(tables);
            } catch (why) {
                none.hidden = false;
                fill(none, t(/** @type {any} */ (why).message));
            }
        },
    };
}

function open() {
    const user = net.status.user;
    const filter = filters(() => lists[0].load());
    /** My tables, and those I am invited to. @type {Set<string>} */
    let own = new Set();
    const some = (/** @type {string} */ state, /** @type {number} */ limit,
        more = () => /** @type {any} */ ({})) =>
        async (/** @type {string | undefined} */ after) => {
            const answer = await net.ask('table.list', {
                state, limit, ...more(), ...after && {after}});
            return {...answer, tables: answer.tables.filter(
                (/** @type {any} */ table) => state === 'finished' ||
                    (state !== 'open' || filter.fits(table)) &&
                    !own.has(table.table) && !table.seats.some(mine)
                    && (state !== 'playing' || more().offered
                        || !offered(table)))};
        };
    const over = list(user ? t('My finished games') : t('Finished games'), '',
        async () => ({tables: (await some('finished', 3, () =>
            user ? {mine: true} : {})(undefined)).tables}),
        h('a', {href: '#finished'}, t('All')));
    const lists = [
        list(t('Open tables'), t('No table is open. Make one!'),
            some('open', 30, filter.params), filter.seats),
        list(t('Being played'), t('Nobody plays at the moment.'),
            some('playing', 12)),
        over,
        list(t('Seats to take over'), '',
            some('playing', 12, () => ({offered: true}))),
    ];
    lists[0].node.firstElementChild?.after(filter.chips);
    const first = user ? ownLists((tables) =>
        own = new Set(tables.map((table) => table.table))) : null;
    const board = h('div', {'aria-live': 'polite'});
    const say = () => {
        fill(board, notices.motd());
        board.hidden = !board.firstChild;
    };
    say();
    notices.bus.addEventListener('motd', say);
    const side = h('div', {class: 'side'}, lists[0].node, over.node);
    const alone = h('div');
    const bots = server().then((hello) => hello.bots[0] && fill(alone,
        h('section', {class: 'card'}, h('h2', null, t('Play against a bot')),
            h('p', {class: 'row'}, hello.games.map((/** @type {Brief} */ game) =>
                h('button', {'data-against': game.name, onclick: () =>
                    import('./create.js').then((module) =>
                        module.begin(game, hello.guests))},
                game.title)))))).catch(() => {});
    // Nothing jumps: what stands below others shows when all these are there.
    const below = [lists[3].node, lists[1].node, side];
    below.forEach((part) => part.classList.add('later'));
    const load = async () => {
        await Promise.all([first?.load(), bots]);
        await Promise.all(lists.map((l) => l.load()));
        below.forEach((part) => part.classList.remove('later'));
    };
    load();
    const timer = setInterval(() => !document.hidden && load(), 20000);
    net.bus.addEventListener('me', load);
    return {
        title: t('Lobby'),
        node: h('div', {class: 'lobby'}, board, h('div', {class: 'columns'},
            h('div', null, first ? [first.node, alone] : [welcome(), alone],
                lists[3].node, lists[1].node),
            side)),
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
        node: h('div', {class: 'wide archive'},
            h('div', {class: 'head'}, h('h1', null, t('Finished games')),
                filter.seats, h('a', {class: 'button', href: '#best'},
                    t('Who plays best')),
                h('a', {class: 'button', href: '#record'},
                    t('A game from a file'))), filter.chips, lists.map((l) => l.node)),
    };
}
