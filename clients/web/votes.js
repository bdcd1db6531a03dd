// votes.js -- what the players of a table agree on together: the vote that is open,
// and opening one.  It is loaded when there is one, or somebody wants one.

import {aboutSaid, now, span, told} from './clock.js';
import {dialog, fill, h, styled} from './dom.js';
import {complain, say} from './frame.js';
import {learn, moment, t} from './i18n.js';
import * as net from './net.js';
import words from './votes_words.js';

/** @typedef {import('./types.js').View} View */

const OWN = ' votes'; // no game is called so
learn(OWN, words);
styled('votes.css');
/** @param {string} key @param {{[name: string]: any}} [args] */
const said = (key, args) => t(key, args, OWN);

const DAY = 86400000, PAUSE = 30 * DAY, MINUTE = 60000;

/** Asks METHOD, or says why not. @param {string} method @param {any} params
 * @returns {Promise<any>} what came of it; null: it was refused */
const ask = (method, params) => net.ask(method, params).catch((why) => {
    if (why.data?.why && `why.${why.data.why}` in words.en)
        say(said(`why.${why.data.why}`), 'problem');
    else
        complain(why);
    return null;
});

/** What a vote of a view is about, in words. @param {any} vote
 * @param {string[]} names */
const whatOf = (vote, names) => aboutSaid({...vote, until: vote.pause_until ?? 0},
    names);

/** Those SEATS by their names. @param {number[]} seats @param {string[]} names */
const namesOf = (seats, names) => seats.map((seat) => names[seat]).join(', ');

/** Where the vote that is open is shown and answered. @param {any} frame */
export async function votesOf(frame) {
    await told; // which votes are over is by the server's time
    const node = h('div', {class: 'vote', role: 'group', hidden: true});
    frame.turnbar.append(node);
    const answer = (/** @type {number} */ vote, /** @type {boolean} */ yes) =>
        ask('table.vote', {table: frame.id, vote, yes});
    return {
        /** @param {View} view @param {boolean} past */
        show(view, past) {
            const {vote, you} = view;
            const over = !vote || past || view.state !== 'playing'
                || vote.until < now() && !vote.silent;
            node.hidden = over;
            if (over)
                return;
            const names = frame.names();
            const left = vote.asked.filter((/** @type {number} */ seat) =>
                !vote.agreed.includes(seat));
            const asked = you !== null && left.includes(you);
            node.toggleAttribute('data-mine', asked);
            fill(node,
                h('p', {role: 'status'}, h('strong', null,
                    said('{name} proposes {what}.', {name: names[vote.seat],
                        what: whatOf(vote, names)}))),
                h('p', {class: 'small muted'}, said(
                    'For it: {names}. Asked: {left}.', {
                        names: namesOf(vote.agreed, names),
                        left: namesOf(left, names)}), ' ', said(vote.silent
                    ? 'Who says nothing until {when} agrees.'
                    : 'All have to agree until {when}; a no or the next move ends it.',
                {when: moment(vote.until)})),
                asked && h('div', {class: 'row'},
                    h('button', {class: 'main', 'data-key': 'agree',
                        onclick: () => answer(vote.ply, true)}, said('I agree')),
                    h('button', {'data-key': 'disagree',
                        onclick: () => answer(vote.ply, false)}, said('No'))),
                you === vote.seat && h('button', {'data-key': 'disagree',
                    onclick: () => answer(vote.ply, false)},
                said('Withdraw it')));
        },
    };
}

// ---- opening one ------------------------------------------------------------------

/** @typedef {{about: string, more?: any, fields?: Node[],
 *             params?: () => any}} Way What can be proposed. */

/** A day, up to 30 from now on. */
function pausing() {
    const written = (/** @type {number} */ at) => {
        const day = new Date(at);
        return new Date(at - day.getTimezoneOffset() * MINUTE).toISOString()
            .slice(0, 10);
    };
    const today = now();
    const input = h('input', {type: 'date', required: true,
        min: written(today), max: written(today + PAUSE),
        value: written(today + 7 * DAY)});
    return {about: 'pause', fields: [h('label', null,
        h('span', null, said('Up to and with')), input)], params: () => {
        const [year, month, day] = input.value.split('-').map(Number);
        return {until: Math.min(new Date(year, month - 1, day + 1).getTime(),
            now() + PAUSE - MINUTE)};
    }};
}

/** @param {any} frame @param {string[]} names */
function giving({about: {pace}}, names) {
    const whole = (pace.free ?? 0) + (pace.bank ?? 0);
    const to = h('select', null, names.map((name, seat) =>
        h('option', {value: seat}, name)));
    const much = h('select', null, [Math.ceil(whole / 4), Math.ceil(whole / 2),
        whole].map((seconds) => h('option', {value: seconds,
        selected: seconds === whole}, span(seconds))));
    return {about: 'give', fields: [
        h('label', null, h('span', null, said('To whom')), to),
        h('label', null, h('span', null, said('So much')), much)],
    params: () => ({to: Number(to.value), seconds: Number(much.value)})};
}

/** @param {any} frame @param {View} view @returns {Way[]} */
function ways(frame, view) {
    const names = frame.names();
    const {pace} = frame.about;
    const paused = view.paused && view.paused > now();
    return [
        {about: 'take_back'},
        ...!pace ? [] : [paused ? {about: 'resume'} : pausing(),
            ...view.seats.length > 2 ? [giving(frame, names)] : [],
            ...view.seats.flatMap((seat, to) => to !== view.you
                && (seat.gone || (seat.missed ?? 0) > 0)
                && !seat.offered && !seat.resigned
                ? [{about: 'replace', more: {to}, params: () => ({to})}] : [])],
        {about: 'cancel'},
    ];
}

/** Asks what is to be voted on, and opens that. @param {any} frame */
export async function propose(frame) {
    await told;
    const view = /** @type {View} */ (frame.view);
    const names = frame.names();
    const all = ways(frame, view);
    const radios = all.map((_, i) => h('input', {type: 'radio', name: 'way',
        value: i, required: true}));
    const rows = all.map(({fields}) => h('div', {class: 'row fields'}, fields));
    await dialog(said('Propose something'), (close) => h('form', {
        class: 'proposing', novalidate: true,
        onsubmit: async (/** @type {Event} */ event) => {
            event.preventDefault();
            const at = radios.findIndex(({checked}) => checked);
            // What another way wants does not hinder this one.
            const wanted = at < 0 ? radios
                : [...rows[at].querySelectorAll('input')];
            if (!wanted.every((input) => input.reportValidity()))
                return;
            const {about, params} = all[at];
            const opened = await ask('table.propose', {table: frame.id, about,
                ...params?.()});
            if (!opened)
                return;
            close();
            say(said(opened.passed ? 'It is done.' : 'The others are asked.'));
        }},
    h('p', {class: 'muted'}, said('All players have to agree. A no or the next move ends the vote.')),
    all.map(({about, more, fields}, i) => h('div', null,
        h('label', {class: 'check'}, radios[i], h('span', null,
            h('b', null, said(`way.${about}`, more && {to: names[more.to]})),
            h('span', {class: 'small muted'}, said(`text.${about}`)))),
        fields && rows[i])),
    h('div', {class: 'row'},
        h('button', {type: 'button', onclick: () => close()}, t('Cancel')),
        h('button', {class: 'main'}, said('Ask the others')))));
}
