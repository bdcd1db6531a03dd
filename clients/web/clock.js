// clock.js -- time: what a table agreed on, when somebody's time is up, and what
// came of it, in words.  It is loaded where a table has a pace (`clocks()` of
// games.js), and with what else goes by the server's time; others need not wait for it.
//
// Time is the server's: whatever the browser's own clock says, a deadline counts
// down by what the server told of its.  What is shown counts on by itself, and
// each update puts it right.

import {fill, h, styled} from './dom.js';
import {complain} from './frame.js';
import {learn, locale, moment, t} from './i18n.js';
import * as net from './net.js';
import words from './clock_words.js';

/** @typedef {import('./types.js').Pace} Pace */
/** @typedef {import('./types.js').View} View */
/** @typedef {import('./types.js').ViewSeat} ViewSeat */
/** @typedef {import('./types.js').Event} GameEvent */

const SECOND = 1000, MINUTE = 60 * SECOND, HOUR = 60 * MINUTE,
    DAY = 24 * HOUR;
const DAYS = 2 * DAY - HOUR; // from here on days are counted
const LOW = 0.2; // of what a turn has at first: it is shown then
const SLOW = 20 * SECOND; // how often what tells no seconds is drawn anew

const OWN = ' time'; // no game is called so
learn(OWN, words);
styled('clock.css');
/** @param {string} key @param {{[name: string]: any}} [args] */
export const said = (key, args) => t(key, args, OWN);

// ---- the server's time --------------------------------------------------------

let ahead = 0; // of the browser's clock, in ms
/** Settles once the server has told its time.  @type {Promise<any>} */
export let told;
/** When the server was not there: no clock ran. @type {[number, number][]} */
let outages = [];

/** Asked anew on each connection: a machine that slept may have another clock. */
async function ask() {
    const asked = Date.now();
    const {now: theirs} = await net.ask('server.hello');
    ahead = theirs - (asked + Date.now()) / 2;
    draw();
    net.ask('server.outages', {since: theirs - 7 * DAY}).then((answer) => {
        ({outages} = answer);
        draw();
    }, () => {}); // older servers tell none
}
const begin = () => told = ask().catch(() => {}); // then it is as it was
net.bus.addEventListener('ready', begin);
begin();

export const now = () => Date.now() + ahead;

/** When the server was back from an outage: what is granted goes on a tenth
 * longer, two minutes to an hour. @param {number} from @param {number} to */
const backAt = (from, to) => to - Math.min(HOUR,
    Math.max(2 * MINUTE, (to - from) / 11));

/** When time is up that was up at DUE by a log that last changed at CHANGED: an
 * outage that the server came back from later it does not tell of yet.
 * @param {number} due @param {number} changed */
function dueBy(due, changed) {
    let counted = changed;
    for (const [from, to] of outages)
        if (backAt(from, to) > changed && from < due && to > counted) {
            due += to - Math.max(from, counted);
            counted = to;
        }
    return due;
}

// ---- in words -----------------------------------------------------------------

/** @param {number} n @param {'day' | 'hour'} unit */
const long = (n, unit) => new Intl.NumberFormat(locale(),
    {style: 'unit', unit, unitDisplay: 'long'}).format(n);

/** "3 days", "12 hours", "90 min", "15 s". @param {number} seconds */
export function span(seconds) {
    return seconds > 0 && seconds % 86400 === 0 ? long(seconds / 86400, 'day')
        : seconds > 0 && seconds % 3600 === 0 ? long(seconds / 3600, 'hour')
            : seconds > 0 && seconds % 60 === 0 ? `${seconds / 60} min`
                : `${seconds} s`;
}

/** @param {number} n */
const two = (n) => String(n).padStart(2, '0');

/** So much time as a clock shows it: "9:48", "3:20:00", "4 days".
 * @param {number} ms */
export function face(ms) {
    const s = Math.max(0, Math.ceil(ms / SECOND));
    return ms >= DAYS ? long(Math.floor((ms + HOUR) / DAY), 'day')
        : s >= 3600 ? `${Math.floor(s / 3600)}:${two(Math.floor(s / 60) % 60)}:${
            two(s % 60)}` : `${Math.floor(s / 60)}:${two(s % 60)}`;
}

/** What a table agreed on: "3 days a move", "10 min + 15 s".
 * @param {Pace} pace */
export function paceSaid({free = 0, bank = 0, add = 0}) {
    if (free === 0)
        return add > 0 ? `${span(bank)} + ${span(add)}`
            : said('{time} for all moves', {time: span(bank)});
    return said('{time} a move', {time: span(free)})
        + (bank > 0 ? ` + ${said('a bank of {time}', {time: span(bank)})}` : '')
        + (add > 0 ? ` + ${span(add)}` : '');
}

/** What comes of a deadline that passes. @param {any} misses */
export const missesSaid = ({excused = 1, then = 'mild'}) => [
    excused > 0 && (excused === 1 ? said('one miss is excused')
        : said('{n} misses are excused', {n: excused})),
    said(`then.${then}`)].filter(Boolean).join('; ');

/** What clocks heed besides. @param {any} table */
export const heedSaid = ({hours, absence}) =>
    hours ? absence
        ? said('clocks run in everybody’s own hours, and not while they are away')
        : said('clocks run in everybody’s own hours')
        : absence ? said('clocks stand still while people are away') : '';

/** What else was agreed on. @param {any} table */
export const termsSaid = (table) => table.pace ? [
    said('Time: {pace}', {pace: paceSaid(table.pace)}),
    table.misses && missesSaid(table.misses),
    heedSaid(table),
].filter(Boolean).join('; ') : '';

/** @param {number} due */
function leftSaid(due) {
    const ms = due - now();
    if (ms <= 0)
        return said('time is up');
    if (ms < HOUR)
        return face(ms);
    if (ms >= DAYS)
        return said('{time} left', {time: face(ms)});
    const here = due - ahead;
    const today = new Date(here).toDateString() === new Date().toDateString();
    return said('until {when}', {when: new Intl.DateTimeFormat(locale(),
        {...!today && {weekday: 'short'}, hour: 'numeric', minute: '2-digit'})
        .format(due)});
}

/** @typedef {(name: string, event: any, names: string[]) => string} Tells */

/** What votes are about. @type {{[about: string]: Tells}} */
const ABOUT = {
    cancel: () => said('ending the game'),
    pause: (name, {until}) => until > 0
        ? said('a pause until {when}', {when: moment(until)})
        : said('ending the pause'),
    give: (name, {to, seconds}, names) => said('{time} more for {to}',
        {time: span(seconds), to: names[to]}),
    replace: (name, {to}, names) => said('somebody else in {to}’s seat',
        {to: names[to]}),
    resume: () => said('ending the pause'),
    take_back: () => said('taking the last move back'),
};

/** What a vote is about, as part of a sentence. @param {any} vote
 * @param {string[]} names */
export const aboutSaid = (vote, names) =>
    ABOUT[vote.about]?.('', vote, names) ?? vote.about;

/** @type {{[kind: string]: Tells}} */
const TOLD = {
    missed: (name, {then}) => said(`missed.${then}`, {name}),
    made: (name, {for: by}) => said(`made.${by}`, {name}),
    absent: (name, {until, auto}) => said(auto
        ? '{name} did not come, and is away until {when}.'
        : '{name} is away until {when}.', {name, when: moment(until)}),
    back: (name) => said('{name} is back.', {name}),
    given: (name, {to, seconds}, names) => said(name
        ? '{name} gives {to} {time} more.' : '{to} is given {time} more.',
    {name, to: names[to], time: span(seconds)}),
    paused: (name, {until}) => said('The game is paused until {when}.',
        {when: moment(until)}),
    resumed: () => said('The pause is over.'),
    voted: (name, event, names) => said(!name ? 'Nobody is against {what}.'
        : event.yes ? '{name} is for {what}.'
            : '{name} is against {what}.', {name,
        what: aboutSaid(event, names)}),
    replaced: (name, {why}) => why === 'self'
        ? said('{name} takes the seat back.', {name}) : '',
};

/** What an event that has to do with time is, or ''. @param {GameEvent} event
 * @param {string[]} names */
export const tell = (event, names) =>
    TOLD[event.kind]?.(names[event.seat ?? -1] ?? '', event, names) ?? '';

// ---- what counts down ---------------------------------------------------------

/** @typedef {{node: HTMLElement, due: number, changed: number, whole: number,
 *             bar: boolean, there: boolean}} Hand */

/** All that is shown somewhere. @type {Set<Hand>} */
const hands = new Set();
/** @type {any} */
let timer = null;

/** @param {Hand} hand */
function turn(hand) {
    const due = dueBy(hand.due, hand.changed);
    const part = hand.whole > 0
        ? Math.min(1, Math.max(0, (due - now()) / hand.whole)) : 1;
    hand.node.toggleAttribute('data-low', part < LOW);
    if (hand.bar)
        hand.node.style.setProperty('--left', String(part));
    else
        fill(hand.node, leftSaid(due));
}

/** Draws what is shown and is to be seen, and again when it says something else:
 * each second once there is less than an hour. */
function draw() {
    clearTimeout(timer);
    let next = SLOW;
    for (const hand of hands) {
        if (!hand.node.isConnected && hand.there) {
            hands.delete(hand);
            continue;
        }
        hand.there ||= hand.node.isConnected;
        turn(hand);
        const ms = dueBy(hand.due, hand.changed) - now();
        if (ms > 0 && ms < HOUR + SLOW)
            next = Math.min(next, ms % SECOND || SECOND);
    }
    if (hands.size > 0)
        timer = setTimeout(draw, next + 5);
}
document.addEventListener('visibilitychange', () => !document.hidden && draw());

/** @param {HTMLElement} node @param {number} due @param {number} changed
 * @param {number} whole @param {boolean} bar */
function hand(node, due, changed, whole, bar) {
    const one = {node, due, changed, whole, bar, there: false};
    hands.add(one);
    turn(one);
    clearTimeout(timer);
    timer = setTimeout(draw, 100); // when it is where it is to be
    return node;
}

/** What a turn has at first, in ms. @param {Pace} [pace] */
const wholeOf = (pace) => ((pace?.free ?? 0) + (pace?.bank ?? 0)) * SECOND;

/** How long there is until DUE, as by the last ply of TABLE.
 * @param {number} due @param {any} table */
export const left = (due, table) => hand(h('time', {class: 'until',
    title: moment(due), datetime: new Date(due).toISOString()}), due,
table.changed ?? 0, wholeOf(table.pace), false);

/** The same as a bar. @param {number} due @param {any} table */
const bar = (due, table) => hand(h('span', {class: 'spends',
    'aria-hidden': 'true'}), due, table.changed ?? 0, wholeOf(table.pace), true);

// ---- at a table ---------------------------------------------------------------

/** Until when somebody is away, or ''. @param {ViewSeat} seat */
export const awaySaid = ({absent}) => absent && absent > now()
    ? said('away until {when}', {when: new Intl.DateTimeFormat(locale(),
        {day: 'numeric', month: 'short'}).format(absent)}) : '';

/** What is said of SEAT's clock. @param {ViewSeat} seat @param {any} at */
function saidOf(seat, at) {
    const {due, bank = 0, missed = 0, gone, offered} = seat;
    return [
        due ? left(due, at) : !gone && (at.pace.bank > 0 || at.pace.add > 0)
            && h('span', {class: 'bank', title: said('in the bank')}, face(bank)),
        gone ? said('is played for') : offered ? said('the seat is offered')
            : awaySaid(seat) || (missed > 1 ? said('missed {n} turns', {n: missed})
                : missed > 0 && said('missed one turn')),
    ].filter(Boolean);
}

/** Whose time is up first of those that are waited for; mine, if I am.
 * @param {View} view */
function firstOf({seats, you}) {
    const all = seats.map(({due, acting}, i) => ({i, due: acting ? due : null}))
        .filter(({due}) => due)
        .sort((a, b) => Number(b.i === you) - Number(a.i === you)
            || Number(a.due) - Number(b.due));
    return all[0]?.due ?? null;
}

/** What one can do about seats that nobody plays. @param {any} frame
 * @param {View} view @param {() => Promise<any>} load What does it. */
function deeds(frame, view, load) {
    const {about} = frame;
    if (view.state !== 'playing' || !net.status.user || frame.feed.tape)
        return [];
    const names = frame.names();
    /** @param {string} key @param {string} text
     * @param {(deeds: any) => any} act @param {string} [kind] */
    const button = (key, text, act, kind) => h('button', {'data-key': key,
        class: kind, onclick: () => load().then(act).catch(complain)}, text);
    if (view.you === null)
        return view.seats.flatMap(({offered, gone}, seat) =>
            offered || gone && about.misses?.then === 'open'
                ? [button(`take-${seat}`, said('Take the seat of {name}',
                    {name: names[seat]}), (deeds) =>
                    deeds.take(frame, seat, names[seat]), 'main')] : []);
    const mine = view.seats[view.you];
    if (mine.gone && !mine.resigned)
        return [h('span', {class: 'small'}, said('Your turns are played for you.')),
            button('return', said('Take my seat back'), (deeds) =>
                deeds.takeBack(frame), 'main')];
    const other = 1 - view.you;
    return [
        mine.absent && mine.absent > now() && h('span', {class: 'small'},
            said('You are away until {when}: your clock stands still.',
                {when: moment(mine.absent)}), ' ',
            h('a', {href: '#settings/away'}, said('I am back'))),
        view.seats.length === 2 && view.seats[other].due
            && button('give', said('Give {name} time', {name: names[other]}),
                (deeds) => deeds.give(frame, names[other])),
    ].filter(Boolean);
}

/** The clocks of a table. @param {any} frame
 * @param {() => Promise<any>} load What is done about seats: deeds.js. */
export function clockOf(frame, load) {
    const node = h('div', {class: 'clock'});
    const at = {pace: frame.about.pace, changed: frame.about.changed};
    let ply = -1;
    frame.turnbar.append(node);
    return {
        /** Shows them in the heads and by the turn; of an older view none run.
         * @param {View} view @param {boolean} past */
        show(view, past) {
            const on = view.state === 'playing' && !past;
            if (on && view.ply !== ply) {
                if (ply >= 0)
                    at.changed = now(); // it came just now
                ({ply} = view);
            }
            view.seats.forEach((seat, i) => {
                const parts = on ? saidOf(seat, at) : [];
                if (parts.length > 0)
                    frame.heads.children[i]?.querySelector('.who').append(
                        h('span', {class: 'clock'}, parts.flatMap((part, n) =>
                            n > 0 ? [' · ', part] : [part]),
                        seat.due && bar(seat.due, at)));
            });
            const due = on ? firstOf(view) : null;
            const paused = on && view.paused && view.paused > now();
            node.hidden = !on;
            fill(node, paused ? h('span', null, said('paused until {when}',
                {when: moment(view.paused ?? 0)}))
                : due && [left(due, at), bar(due, at)],
            on && deeds(frame, view, load));
        },
    };
}
