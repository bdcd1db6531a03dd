// people.js -- how well people play: somebody's ratings and games, who plays a
// game best, and what a game comes to.

import {fill, h, styled, svg} from './dom.js';
import {check, select} from './forms.js';
import {complain} from './frame.js';
import {games} from './games.js';
import {locale, more, t} from './i18n.js';
import * as net from './net.js';
import {link} from './who.js';

/** @typedef {import('./types.js').Brief} Brief */

const PAGE = 20; // games
const HISTORY = 100; // rated games that a line is drawn of

/** @param {string} name @param {string[]} rest */
export default async function people(name, rest) {
    const [known] = await Promise.all([games(), more(), net.known(),
        styled('people.css')]);
    return name === 'best' ? best(known, rest) : player(known, rest[0]);
}

// ---- in words ------------------------------------------------------------------

const day = (/** @type {number} */ at) =>
    new Intl.DateTimeFormat(locale(), {dateStyle: 'medium'}).format(at);

const number = (/** @type {number} */ n, digits = 0) =>
    new Intl.NumberFormat(locale(), {maximumFractionDigits: digits}).format(n);

/** Days, hours, minutes or seconds, whichever says it best. @param {number} seconds */
function lasting(seconds) {
    const [unit, size] = seconds >= 172800 ? ['day', 86400]
        : seconds >= 7200 ? ['hour', 3600]
            : seconds >= 120 ? ['minute', 60] : ['second', 1];
    return new Intl.NumberFormat(locale(), {style: 'unit', unit,
        unitDisplay: 'long'}).format(Math.round(seconds / Number(size)));
}

/** A rating, and how far off it may be. @param {any} row */
const strength = ({rating, deviation, provisional}) => h('span',
    {class: 'strength'}, h('b', null, rating), h('span', {class: 'muted small'},
        ` ± ${deviation}`), provisional && [' ', h('span', {class: 'tag', title:
        t('Little is known yet: few games, or few others in them.')},
    t('provisional'))]);

const titleOf = (/** @type {Brief[]} */ known, /** @type {string} */ game) =>
    known.find(({name}) => name === game)?.title ?? game;

const seatsOf = (/** @type {string} */ seats) =>
    seats === 'two' ? t('games of two') : t('games of more');

/** One of a few addresses. @param {string} address @param {boolean} chosen
 * @param {string} text */
const way = (address, chosen, text) => h('a', {class: 'button',
    href: `#${address}`, 'aria-current': chosen && 'page'}, text);

// ---- somebody --------------------------------------------------------------------

/** How a rating came to be what it is, as a line from left to right.
 * @param {number[]} points */
function line(points) {
    const low = Math.min(...points), high = Math.max(...points);
    const [wide, tall] = [120, 28];
    const at = points.map((point, i) => [
        (i * wide / (points.length - 1)).toFixed(1),
        (tall - (point - low) * tall / (high - low || 1)).toFixed(1)].join());
    return svg('svg', {viewBox: `-2 -3 ${wide + 5} ${tall + 6}`, role: 'img',
        class: 'line', 'aria-label': t('From {from} to {to} in {n} games', {
            from: points[0], to: points[points.length - 1],
            n: points.length})},
    svg('polyline', {points: at.join(' ')}),
    svg('circle', {r: 2.5, cx: at[at.length - 1].split(',')[0],
        cy: at[at.length - 1].split(',')[1]}));
}

/** Who had a seat to the end. @param {any} result */
const sat = ({players}) => players.filter((/** @type {any} */ player) =>
    player.seat !== null).length;

/** The rating of somebody after each of RESULTS that moved the one of ROW, the
 * first first. @param {any[]} results @param {any} row @param {string} user */
const historyOf = (results, row, user) => results.filter((result) =>
    result.game === row.game && (sat(result) > 2) === (row.seats === 'more'))
    .flatMap(({players}) => players.find((/** @type {any} */ player) =>
        player.user === user)?.rating ?? []).reverse();

/** @param {Brief[]} known @param {any} answer Of ratings.get. */
function rated(known, {user, ratings}) {
    const node = h('ul', {class: 'rated'}, ratings.map((
        /** @type {any} */ row) => h('li', {class: 'card'},
        h('h3', null, h('a', {href: `#best/${row.game}/${row.seats}`},
            titleOf(known, row.game))),
        h('p', {class: 'muted small'}, seatsOf(row.seats), ' · ',
            t(row.games === 1 ? '1 game' : '{n} games',
                {n: number(row.games)}), ' · ', day(row.played)),
        strength(row), h('div', {class: 'drawn'}))));
    if (ratings.length > 0)
        net.ask('results.list', {name: user.name, rated: true, limit: HISTORY})
            .then(({results}) => node.querySelectorAll('.drawn').forEach(
                (place, i) => {
                    const all = historyOf(results, ratings[i], user.id);
                    fill(place, all.length > 1 && line(all));
                }), () => {}); // the figures say the most of it
    return ratings.length > 0 ? node
        : h('p', {class: 'muted'}, t('No rated games yet.'));
}

/** A game that is over: how they came off, with whom, and what it brought.
 * @param {Brief[]} known @param {any} result @param {string} user */
function played(known, {table, game, ended, players, rated}, user) {
    const own = players.find((/** @type {any} */ player) =>
        player.user === user);
    return h('li', null,
        h('span', {class: `place${own?.place === 1 ? ' first' : ''}`},
            own?.place ? h('span', {role: 'img', 'aria-label':
                t('place {n}', {n: own.place})}, `${own.place}.`) : '–'),
        h('span', {class: 'what'}, h('a', {href: `#table/${table}`},
            titleOf(known, game)), h('span', {class: 'muted small'},
            ` ${day(ended)}`)),
        h('span', {class: 'after'}, rated && own?.rating !== undefined
            ? [h('b', null, own.rating), h('span', {class: 'muted small'},
                ` ${t('rated')}`)] : null),
        h('span', {class: 'who small'}, players.map((
            /** @type {any} */ {user: id, name, place, points}) =>
            h('span', {class: id === user ? 'self' : ''},
                place ? `${place}. ` : '', id === user ? name : link(name),
                points === null ? '' : ` ${number(points)}`))));
}

/** @param {Brief[]} known @param {any} user */
function history(known, user) {
    /** @type {{[name: string]: any}} */
    const wanted = {};
    const rows = h('ol', {class: 'played'});
    const next = h('p', {class: 'row'});
    const heard = h('p', {class: 'unseen', role: 'status'});
    const me = net.status.user;
    let turn = 0;

    const button = (/** @type {string} */ after) => h('button', {
        'data-key': 'more', onclick: () => load(after)}, t('More'));

    /** @param {string} [after] */
    async function load(after) {
        const mine = ++turn;
        let answer, refusal;
        try {
            answer = await net.ask('results.list', {name: user.name,
                limit: PAGE, ...wanted, ...after && {after}});
        } catch (why) {
            refusal = /** @type {any} */ (why);
        }
        if (mine !== turn)
            return; // something else was chosen meanwhile
        if (!after)
            fill(rows);
        if (refusal) {
            fill(heard);
            fill(next, h('span', {class: 'bad', role: 'alert'},
                t(refusal.message)), after && button(after));
            return;
        }
        rows.append(...answer.results.map((/** @type {any} */ result) =>
            played(known, result, user.id)));
        fill(next, answer.next && button(answer.next));
        const count = rows.childElementCount;
        heard.className = count > 0 ? 'unseen' : 'muted';
        fill(heard, count === 0 ? t('No such games.')
            : t(count === 1 ? '1 game' : '{n} games', {n: number(count)}));
    }

    /** @param {string} name @param {any} value Nothing: not any more. */
    function choose(name, value) {
        delete wanted[name];
        if (value)
            wanted[name] = value;
        load();
    }
    load();
    return h('section', {class: 'card'},
        h('h2', null, t('Games')),
        h('div', {class: 'row wishes'}, select(t('Game'), ['',
            ...known.map(({name}) => name)], '', (name) => name
            ? titleOf(known, name) : t('all'),
        (name) => choose('game', name)).node,
        check(t('Rated only'), false, (on) => choose('rated', on)),
        me && me.id !== user.id && check(t('Against me'), false,
            (on) => choose('with', on && me.name))), rows, heard, next);
}

/** @param {Brief[]} known @param {string} [name] */
async function player(known, name) {
    const answer = await net.ask('ratings.get', name ? {name} : {});
    const {user} = answer;
    return {
        title: user.name,
        node: h('div', {class: 'wide people'},
            h('div', {class: 'head'}, h('h1', null, user.name),
                h('a', {class: 'button', href: '#best'},
                    t('Who plays best'))),
            h('section', null, h('h2', null, t('Ratings')),
                rated(known, answer)),
            history(known, user)),
    };
}

// ---- the best of a game --------------------------------------------------------------

/** @param {Brief[]} known @param {string} game @param {string} seats */
async function ranking(known, game, seats) {
    const rows = h('tbody');
    const next = h('p', {class: 'row'});
    let place = 0;
    let turn = 0;

    /** @param {string} [after] */
    async function load(after) {
        const mine = ++turn;
        const answer = await net.ask('ratings.list', {game, seats,
            ...after && {after}});
        if (mine !== turn)
            return; // it was asked for again
        rows.append(...answer.ratings.map((/** @type {any} */ row) => h('tr',
            {class: row.user === net.status.user?.id ? 'self' : ''},
            h('td', {class: 'number'}, ++place), h('td', null, link(row.name)),
            h('td', null, strength(row)),
            h('td', {class: 'number'}, number(row.games)),
            h('td', {class: 'when'}, day(row.played)))));
        fill(next, answer.next && h('button', {'data-key': 'more',
            onclick: () => load(answer.next).catch(complain)}, t('More')));
    }
    await load();
    return place === 0 ? h('p', {class: 'muted'},
        t('Nobody has played enough rated games of it yet.'))
        : h('div', null, h('table', null, h('caption', {class: 'unseen'},
            titleOf(known, game)), h('thead', null, h('tr', null,
            h('th', {class: 'number'}, h('span', {class: 'unseen'},
                t('Place'))), h('th', null, t('Name')),
            h('th', null, t('Rating')),
            h('th', {class: 'number'}, t('Games')),
            h('th', {class: 'when'}, t('Last game')))), rows), next);
}

/** What games of so many came to. @param {any} row */
const cameTo = ({seats, games: count, moves, took, seat}) => h('li', null,
    h('h3', null, t('{count} seats', {count: seats})),
    h('p', {class: 'muted small'}, t(count === 1 ? '1 game' : '{n} games',
        {n: number(count)}), ' · ', t('{n} moves', {n: number(moves)}), ' · ',
    lasting(took)),
    h('ol', {class: 'shares'}, seat.map((
        /** @type {any} */ {wins, points}, /** @type {number} */ i) => h('li',
        {class: `own-${i}`}, h('span', null, t('Seat {n}', {n: i + 1})),
        h('span', {class: 'bar', 'aria-hidden': 'true', style:
            {'--share': `${wins / 10}%`}}),
        h('span', null, t('wins {share} %', {share: number(wins / 10)})),
        h('span', {class: 'muted'}, t('points on average: {n}',
            {n: number(points / 100, 1)}))))));

/** @param {Brief[]} known @param {string[]} rest The game; `two` or `more`. */
async function best(known, [wanted, many]) {
    const game = known.find(({name}) => name === wanted) ?? known[0];
    const both = game.seats_min <= 2 && game.seats_max > 2;
    const seats = both ? many === 'more' ? 'more' : 'two'
        : game.seats_max > 2 ? 'more' : 'two';
    const [list, {statistics}] = await Promise.all([
        ranking(known, game.name, seats),
        net.ask('results.statistics', {game: game.name})]);
    return {
        title: t('Who plays best'),
        node: h('div', {class: 'wide people'},
            h('h1', null, t('Who plays best')),
            h('nav', {class: 'row', 'aria-label': t('Game')},
                known.map(({name, title}) => way(`best/${name}`,
                    name === game.name, title))),
            h('section', {class: 'card'},
                h('div', {class: 'head'}, h('h2', null, game.title),
                    both && h('nav', {class: 'row', 'aria-label': t('Seats')},
                        ['two', 'more'].map((word) => way(
                            `best/${game.name}/${word}`, word === seats,
                            seatsOf(word))))),
                h('p', {class: 'muted small'}, t('Of whom enough is known, and who played in the last 180 days. 400 points more are ten to one.')),
                list),
            statistics.length > 0 && h('section', {class: 'card'},
                h('h2', null, t('What it comes to')),
                h('p', {class: 'muted small'}, t('Of all games that were played to their end by all who began.')),
                h('ul', {class: 'plainlist statistics'},
                    statistics.map(cameTo)))),
    };
}
