// deeds.js -- what one can do about time and seats at a table: give somebody time,
// take over a seat that nobody plays, take back one's own.  It is loaded when it
// is asked for.

import {said, span} from './clock.js';
import {dialog, h} from './dom.js';
import {complain, say} from './frame.js';
import {t} from './i18n.js';
import * as net from './net.js';

const MIN = 60, HOUR = 60 * MIN, DAY = 24 * HOUR;
/** What can be given; all that a turn has at first besides. */
const GIFTS = [MIN, 5 * MIN, 15 * MIN, HOUR, 6 * HOUR, DAY, 2 * DAY, 3 * DAY,
    7 * DAY, 14 * DAY, 30 * DAY];
const FEW = 4; // of these, the largest that may be given

/** Asks METHOD once it is meant. @param {string} title @param {any[]} text
 * @param {string} yes @param {() => Promise<any>} act */
const meant = (title, text, yes, act) => dialog(title, (close) => h('form', {
    onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        act().then(() => close(true), complain);
    }}, text, h('div', {class: 'row'},
h('button', {type: 'button', onclick: () => close()}, t('Cancel')),
h('button', {class: 'main', autofocus: true}, yes))));

/** @param {any} frame @param {string} to The one who is given it. */
export async function give({id, about: {pace}}, to) {
    const whole = (pace.free ?? 0) + (pace.bank ?? 0);
    const all = [...GIFTS.filter((seconds) => seconds < whole), whole]
        .slice(-FEW);
    const much = h('select', null, all.map((seconds) => h('option',
        {value: seconds, selected: seconds === whole}, span(seconds))));
    const given = () => Number(much.value);
    if (await meant(said('Give {name} time', {name: to}), [
        h('label', null, h('span', null, said('So much')), much),
        h('p', {class: 'muted'}, said('It is theirs at once and cannot be taken back. You can do so three times in a game.')),
    ], said('Give it'), () => net.ask('table.give',
        {table: id, seconds: given()})))
        say(said('{to} is given {time} more.', {to, time: span(given())}));
}

/** @param {any} frame @param {number} seat @param {string} from Whose it was. */
export const take = ({id, about}, seat, from) => meant(
    said('Take the seat of {name}', {name: from}), [
        h('p', null, said('You play on from here, with what the seat has, and begin with all the time that a turn has at first: {pace}.',
            {pace: span((about.pace.free ?? 0) + (about.pace.bank ?? 0))})),
        h('p', {class: 'muted'}, said('{name} cannot come back to this table then.',
            {name: from})),
    ], said('Take it'), () => net.ask('table.take', {table: id, seat}));

/** @param {any} frame */
export const takeBack = ({id}) => net.ask('table.return', {table: id})
    .then(() => say(said('The seat is yours again.')), complain);
