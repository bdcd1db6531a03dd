// pace.js -- the form's part about time: how long a turn may take, and what comes
// of it if it takes longer.

import {heedSaid, missesSaid, paceSaid, said} from './clock.js';
import {fill, h} from './dom.js';
import * as net from './net.js';

/** @typedef {import('./types.js').Pace} Pace */

const MIN = 60, HOUR = 60 * MIN, DAY = 24 * HOUR;

/** What is offered: games at one sitting, and games of days. What a turn adds
 * may fill the bank to twice what it began with. @type {{[name: string]: Pace}} */
export const PACES = {
    '10m': {bank: 10 * MIN, add: 15, cap: 20 * MIN},
    '30m': {bank: 30 * MIN, add: 30, cap: 60 * MIN},
    '1d': {free: DAY},
    '3d': {free: 3 * DAY},
    '7d': {free: 7 * DAY},
    '1d+10d': {free: DAY, bank: 10 * DAY},
};
const POLICIES = ['mild', 'bot', 'open', 'out', 'end'];
const UNITS = [1, MIN, HOUR, DAY];
const MOST = 9; // excused misses
const HEEDS = 12 * HOUR; // from here on clocks heed hours and absences by themselves

/** @type {[keyof Pace, string][]} */
const FIELDS = [['free', 'A turn may take'], ['bank', 'The bank holds'],
    ['add', 'A turn adds'], ['cap', 'The bank holds at most']];

/** Members that are nought say nothing. @param {Pace} pace @returns {Pace} */
const lean = (pace) => Object.fromEntries(
    Object.entries(pace).filter(([, seconds]) => seconds > 0));

/** The name of what is offered and as LIKE, `own` if nothing is.
 * @param {Pace | null | undefined} like */
const named = (like) => !like ? '' : Object.keys(PACES).find((name) => {
    const {free = 0, bank = 0, add = 0} = PACES[name];
    return free === (like.free ?? 0) && bank === (like.bank ?? 0)
        && add === (like.add ?? 0);
}) ?? 'own';

/** The largest unit that NOW is a whole number of.
 * @param {keyof Pace} name @param {number} now */
const unitOf = (name, now) => [...UNITS].reverse().find((unit) =>
    now > 0 && now % unit === 0) ?? (name === 'add' ? 1 : MIN);

/** @param {keyof Pace} name @param {string} text */
const amount = (name, text) => h('div', {class: 'amount'},
    h('label', null, h('span', null, said(text)), h('input', {type: 'number',
        name: `pace-${name}`, min: 0, step: 1, inputmode: 'numeric'})),
    h('select', {name: `unit-${name}`, 'aria-label': said(text)},
        UNITS.map((unit) => h('option', {value: unit}, said(`unit.${unit}`)))));

/** @param {any} like A table that it begins as, or null.
 * @param {(text: string, name: string, all: any[], chosen: any) => Element} choice
 * One of a few, as the form shows it.
 * @param {boolean} bots Whether there are any.
 * @param {(data: FormData) => number} seated How many of them sit down. */
export function paceOf(like, choice, bots, seated) {
    const first = named(like?.pace);
    const {excused = 1, then = 'mild'} = like?.misses ?? {};
    const about = h('p', {class: 'muted small'});
    const [hours, absence] = ['hours', 'absence'].map((name) => h('input', {
        type: 'checkbox', name, checked: like?.[name]}));
    /** Whether the pace says what these are; not where somebody has chosen. */
    let usual = !like?.pace;
    const rated = h('input', {type: 'checkbox', name: 'rated',
        checked: like?.rated});
    const unrated = h('p', {class: 'muted small'});
    for (const box of [hours, absence])
        box.addEventListener('change', () => usual = false);
    const misses = h('div', {class: 'misses'},
        h('label', null, h('span', null, said('When time is up')),
            h('select', {name: 'then'}, POLICIES.filter((word) => word !== 'bot' || bots
                || word === then).map((word) => h('option', {value: word, selected: word === then}, said(`play.${word}`))))),
        about,
        h('label', null, h('span', null, said('Misses that are excused')),
            h('input', {type: 'number', name: 'excused', min: 0, max: MOST,
                value: excused, required: true})),
        h('label', {class: 'check'}, hours,
            h('span', null, said('Clocks run in everybody’s own hours'))),
        h('p', {class: 'muted small'}, said('Everybody says in the settings when they are there; who has not said it is always there.')),
        h('label', {class: 'check'}, absence,
            h('span', null, said('Clocks stand still while people are away'))),
        h('label', {class: 'check'}, rated,
            h('span', null, said('Rated: it moves everybody’s rating'))),
        unrated);
    const own = h('input', {type: 'checkbox', name: 'own',
        checked: first === 'own'});
    const fields = h('div', {class: 'own-pace'},
        FIELDS.map(([name, text]) => amount(name, text)),
        h('p', {class: 'muted small'},
            said('Together between 30 seconds and 90 days.')));
    const all = choice(said('Time'), 'pace', [{value: '', text: said('None')},
        ...Object.entries(PACES).map(([value, pace]) =>
            ({value, text: paceSaid(pace)}))], first);

    /** Has PACE stand in the fields. @param {Pace} pace */
    function write(pace) {
        for (const [name] of FIELDS) {
            const now = pace[name] ?? 0;
            const unit = unitOf(name, now);
            /** @type {HTMLInputElement} */ (fields.querySelector(
                `[name="pace-${name}"]`)).value = now > 0 ? `${now / unit}` : '';
            /** @type {HTMLSelectElement} */ (fields.querySelector(
                `[name="unit-${name}"]`)).value = `${unit}`;
        }
    }
    // One's own begins as what was chosen.
    own.addEventListener('change', () => own.checked && write(PACES[
        /** @type {HTMLInputElement} */ (all.querySelector(':checked')).value]
        ?? {free: DAY}));
    write(first === 'own' ? like.pace : {});

    /** @param {FormData} data @returns {Pace} */
    function typed(data) {
        const [free, bank, add, cap] = FIELDS.map(([name]) =>
            Math.round(Number(data.get(`pace-${name}`))
                * Number(data.get(`unit-${name}`))));
        return lean({free, bank, add, cap: add > 0 ? Math.max(cap, bank) : 0});
    }

    /** What is agreed on by what stands in the form: null if there is no pace.
     * @param {FormData} data */
    function terms(data) {
        const pace = data.has('own') ? typed(data)
            : PACES[String(data.get('pace'))] ?? null;
        return pace && {pace, misses: {excused: Number(data.get('excused')),
            then: String(data.get('then'))}, ...usual ? {} : {
            hours: data.has('hours'), absence: data.has('absence')},
        ...data.has('rated') && {rated: true}};
    }

    /** Why a game of the form cannot be rated, or ''. @param {FormData} data */
    const whyUnrated = (data) => net.status.user?.guest ? 'unrated.guest'
        : Number(data.get('seats')) < 2 || seated(data) > 0
            || data.get('then') === 'bot' ? 'unrated.bots'
            : data.get('then') === 'end' && data.get('seats') !== '2'
                ? 'unrated.end' : '';

    return {
        node: h('div', null, all, misses),
        /** Stands under More. */
        more: h('div', null, h('label', {class: 'check'}, own,
            h('span', null, said('A pace of my own'))), fields),
        open: first === 'own',
        terms,
        /** What does not hold now is not shown. @param {HTMLFormElement} form */
        show(form) {
            const data = new FormData(form);
            const given = terms(data);
            misses.hidden = !given;
            const {free = 0, bank = 0} = given?.pace ?? {};
            if (usual)
                hours.checked = absence.checked = free + bank >= HEEDS;
            fields.hidden = !own.checked;
            const why = whyUnrated(data);
            rated.disabled = why !== '';
            fill(unrated, why && said(why));
            unrated.hidden = why === '';
            for (const radio of /** @type {NodeListOf<HTMLInputElement>} */ (
                all.querySelectorAll('input')))
                radio.disabled = own.checked;
            fill(about, said(`more.${data.get('then')}`));
        },
        /** In words, for the sum. @param {FormData} data */
        said(data) {
            const given = terms(data);
            return given && given.pace ? [missesSaid(given.misses),
                heedSaid({hours: hours.checked, absence: absence.checked})]
                .filter(Boolean).join('; ') : '';
        },
    };
}
