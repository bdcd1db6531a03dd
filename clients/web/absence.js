// absence.js -- when one is away: how many days of it there are, what is planned,
// on a calendar, and what it means for one's tables.

import {now, told} from './clock.js';
import {fill, h, roving, styled} from './dom.js';
import {check, field, form} from './forms.js';
import {complain, say} from './frame.js';
import {clocks, games} from './games.js';
import {locale, moment, t} from './i18n.js';
import * as net from './net.js';

/** @typedef {{from: number, until: number, auto: boolean}} Absence */
/** @typedef {{auto: boolean, budget: number, left: number,
 *             absences: Absence[]}} Away */

const DAY = 86400000;
const AHEAD = 365; // days from today on that can be planned

/** A day by the clocks of the browser, as date inputs have it. @param {Date} day */
const written = (day) => `${day.getFullYear()}-${
    String(day.getMonth() + 1).padStart(2, '0')}-${
    String(day.getDate()).padStart(2, '0')}`;

/** Where a day begins; AFTER it so many others. @param {Date} day */
const dayOf = (day, after = 0) => new Date(day.getFullYear(), day.getMonth(),
    day.getDate() + after);

/** @param {string} text */
function read(text) {
    const [year, month, day] = text.split('-').map(Number);
    return text ? new Date(year, month - 1, day) : null;
}

/** From the beginning of one day, or from now on, to the end of another. A night
 * with an hour more spends no day more: who comes back does so an hour earlier.
 * @param {Date} first @param {Date} last */
function spanOf(first, last) {
    const from = Math.max(first.getTime(), now());
    const days = Math.round((dayOf(last, 1).getTime() - first.getTime()) / DAY);
    return {from, until: Math.min(dayOf(last, 1).getTime(), from + days * DAY)};
}

/** What is spent, by year (UTC), as the server reckons it.
 * @param {{from: number, until: number}[]} all */
function spent(all) {
    /** @type {{[year: number]: number}} */
    const years = {};
    for (const {from, until} of all)
        for (let at = from; at < until; at += DAY) {
            const year = new Date(at).getUTCFullYear();
            years[year] = (years[year] ?? 0) + 1;
        }
    return years;
}

/** @param {number} n */
const daysSaid = (n) => n === 1 ? t('1 day') : t('{n} days', {n});

/** @param {Absence} absence */
const whenSaid = ({from, until}) => new Intl.DateTimeFormat(locale(),
    {dateStyle: 'medium'}).formatRange(from, until - 1);

// ---- the calendar ------------------------------------------------------------

/** 1 is Monday. */
function firstDay() {
    const here = /** @type {any} */ (new Intl.Locale(locale()));
    return (here.getWeekInfo?.() ?? here.weekInfo)?.firstDay ?? 1;
}

/** A month of days that can be chosen. @param {Date} month
 * @param {(day: Date) => {class: string, said: string, dead: boolean}} look
 * @param {(day: Date) => void} choose */
function monthOf(month, look, choose) {
    const begins = firstDay();
    const name = new Intl.DateTimeFormat(locale(),
        {month: 'long', year: 'numeric'}).format(month);
    const short = new Intl.DateTimeFormat(locale(), {weekday: 'narrow',
        timeZone: 'UTC'});
    const long = new Intl.DateTimeFormat(locale(), {dateStyle: 'full'});
    const before = (month.getDay() - begins + 7) % 7;
    const count = new Date(month.getFullYear(), month.getMonth() + 1, 0)
        .getDate();
    return h('div', {class: 'month', role: 'group', 'aria-label': name},
        h('b', {'aria-hidden': 'true'}, name),
        h('div', {class: 'days'},
            Array.from({length: 7}, (_, i) => h('span', {class: 'small muted',
                'aria-hidden': 'true'},
            short.format(Date.UTC(2024, 0, (begins + i - 1) % 7 + 1)))),
            Array.from({length: before}, () => h('span')),
            Array.from({length: count}, (_, i) => {
                const day = dayOf(month, i);
                const {class: kind, said, dead} = look(day);
                return h('button', {type: 'button', class: kind,
                    disabled: dead, 'data-key': `day-${written(day)}`,
                    'aria-label': [long.format(day), said].filter(Boolean)
                        .join(', '),
                    onclick: () => choose(day)}, i + 1);
            })));
}

// ---- what it means for one's tables --------------------------------------------

/** @param {any} table @param {any[]} known @param {any} clock */
const tableOf = (table, known, clock) => h('li', null,
    h('a', {href: `#table/${table.table}`},
        known.find(({name}) => name === table.game)?.title ?? table.game), ' ',
    h('span', {class: 'muted'}, table.seats.filter(
        (/** @type {any} */ seat) => seat.user !== net.status.user?.id).map(
        (/** @type {any} */ seat) => seat.name).filter(Boolean).join(', ')),
    table.due && [' · ', clock.left(table.due, table)]);

async function meaning() {
    const [{tables}, known] = await Promise.all([net.ask('me.tables',
        {state: 'playing', limit: 200}), games()]);
    const timed = tables.filter((/** @type {any} */ table) => table.pace);
    const clock = await clocks(timed);
    const [still, runs] = [true, false].map((kept) => timed.filter(
        (/** @type {any} */ table) => Boolean(table.absence) === kept));
    const list = (/** @type {string} */ text, /** @type {any[]} */ some) =>
        some.length > 0 && h('div', null, h('p', null, text),
            h('ul', null, some.map((table) => tableOf(table, known, clock))));
    return [
        list(t('While you are away your clock stands still here:'), still),
        list(t('It runs on here, where time is short or it was agreed so:'), runs),
        timed.length < tables.length && h('p', {class: 'muted'},
            t('At tables without a clock nothing changes.')),
        tables.length === 0 && h('p', {class: 'muted'},
            t('You play at no table now.')),
    ].filter(Boolean);
}

// ---- the whole -----------------------------------------------------------------

export default async function page() {
    await Promise.all([styled('absence.css'), told]);
    const root = h('div', {class: 'stack absence'});
    const today = dayOf(new Date(now()));
    const first = field(t('From'), {type: 'date', required: true,
        min: written(today), max: written(dayOf(today, AHEAD))});
    const last = field(t('Up to and with'), {type: 'date', required: true,
        min: written(today), max: written(dayOf(today, AHEAD))});
    const months = h('div', {class: 'months'});
    const sum = h('p', {role: 'status'});
    const tables = h('div', {class: 'means'});
    /** The one that is shown. */
    let month = new Date(today.getFullYear(), today.getMonth(), 1);
    /** @type {Away} */
    let away = await net.ask('account.absence.get');

    const change = async (/** @type {string} */ method,
        /** @type {any} */ params) => {
        away = await net.ask(`account.absence.${method}`, params);
        draw();
    };
    const chosen = () => {
        const from = read(first.input.value);
        const to = read(last.input.value);
        return from && to && from <= to ? spanOf(from, to) : null;
    };

    /** What a day is on the calendar. @param {Date} day */
    function look(day) {
        const [from, to] = [day.getTime(), dayOf(day, 1).getTime()];
        const taken = away.absences.some((one) =>
            one.from < to && one.until > Math.max(from, now()));
        const span = chosen();
        const begun = read(first.input.value)?.getTime() === from;
        const in_ = span ? from < span.until && to > span.from : begun;
        return {class: `${taken ? 'taken' : ''}${in_ ? ' chosen' : ''}`,
            said: taken ? t('away') : in_ ? t('chosen') : '',
            dead: day < today || day > dayOf(today, AHEAD)};
    }

    /** The first click is the first day, the next one the last. @param {Date} day */
    function choose(day) {
        const from = read(first.input.value);
        if (from && !last.input.value && day >= from) {
            last.input.value = written(day);
        } else {
            first.input.value = written(day);
            last.input.value = '';
        }
        show();
    }

    function show() {
        const span = chosen();
        const years = span ? spent([span]) : {};
        const had = spent(away.absences);
        fill(sum, span && Object.entries(years).map(([year, n]) => {
            const left = away.budget - (had[Number(year)] ?? 0) - n;
            return h('span', {class: left < 0 && 'bad'}, left < 0
                ? t('{days}, {n} more than there are left in {year}.',
                    {days: daysSaid(n), n: -left, year})
                : t('{days}; then {n} are left in {year}.',
                    {days: daysSaid(n), n: left, year}), ' ');
        }), !span && first.input.value && t('Now choose the last day.'));
        const turn = (/** @type {number} */ by) => () => {
            month = new Date(month.getFullYear(), month.getMonth() + by, 1);
            show();
        };
        const back = month <= today;
        fill(months, h('button', {type: 'button', class: 'turn-back',
            'data-key': 'month-before', disabled: back,
            'aria-label': t('Earlier months'), onclick: turn(-1)}, '‹'),
        monthOf(month, look, choose),
        h('button', {type: 'button', class: 'turn-on', 'data-key': 'month-after',
            disabled: month > dayOf(today, AHEAD - 31),
            'aria-label': t('Later months'), onclick: turn(1)}, '›'));
        fix();
    }

    /** @param {Absence} one @param {string} text */
    const ending = (one, text, more = {}) => h('button', {type: 'button',
        'data-key': `end-${one.from}`, onclick: () => change('end', more)
            .catch(complain)}, text);

    function draw() {
        // The server's time is not known better; what one just ended is over.
        const at = now() + 2000;
        const [past, present, coming] = [
            away.absences.filter(({until}) => until <= at),
            away.absences.find(({from, until}) => from <= at && until > at),
            away.absences.filter(({from}) => from > at)];
        fill(root,
            h('p', null, t('While you are away your clocks stand still, and others see until when. You may still move.')),
            present && h('p', {class: 'row away'}, h('strong', null,
                t('You are away until {when}.', {when: moment(present.until)})),
            ending(present, t('I am back'))),
            h('p', null, away.budget === 0
                ? t('The operator of this server gives no days for that.')
                : [h('b', null, t('{left} of {budget} days', away)), ' ',
                    t('are left this year; each day that begins spends one.')]),
            coming.length > 0 && h('ul', {class: 'plainlist planned'},
                coming.map((one) => h('li', {class: 'row'}, h('span', null,
                    whenSaid(one), ' ', h('span', {class: 'muted'},
                        daysSaid(Math.ceil((one.until - one.from) / DAY)))),
                ending(one, t('Cancel'), {from: one.from})))),
            away.budget > 0 && [months, making,
                check(t('If my time runs out, let an absence begin instead of a missed turn'),
                    away.auto, (auto) => change('auto', {auto}).catch(complain)),
                h('p', {class: 'muted small'}, t('You agree that it spends your days by itself: seven at most, or what is left. You can end it whenever you are back.'))],
            h('section', {'aria-label': t('Your tables')},
                h('h3', null, t('Your tables')), tables),
            past.length > 0 && h('details', null,
                h('summary', null, t('When you were away')), h('ul', null,
                    past.reverse().map((one) => h('li', null, whenSaid(one),
                        one.auto && ` (${t('by itself')})`)))));
        show();
    }

    const making = form('', t('I am away then'), [{node: h('div', {class: 'row'},
        first.node, last.node)}, {node: sum}], async () => {
        const span = chosen();
        if (!span)
            throw {message: t('The last day comes before the first.')};
        await change('add', {until: span.until,
            ...span.from > now() && {from: span.from}});
        first.input.value = last.input.value = '';
        show();
        say(t('You are away then.'));
    });
    making.addEventListener('change', show);
    const fix = roving(months, '.days button:not(:disabled)');
    draw();
    meaning().then((parts) => fill(tables, parts), complain);
    return root;
}
