// around.js -- what stands around a table before its game and after it, and what
// one looks at now and then: who sits there, the result, points by category, fair draws.

import {fill, h} from './dom.js';
import {complain, go, say} from './frame.js';
import {clock, server, settingsOf} from './games.js';
import {moment, t} from './i18n.js';
import {join} from './lobby.js';
import * as net from './net.js';
import {mark} from './seat.js';
import {link} from './who.js';

/** @typedef {import('./types.js').View} View */

/** @param {any} frame */
export function aroundOf(frame) {
    /** Whether fair draws are opened. */
    let fair = false;
    /** Whether the server has bots: that is known since the page began. */
    let bots = false;
    server().then((hello) => {
        bots = hello.bots?.length > 0;
    }, () => {});

    /** @param {View} view */
    function scoring(view) {
        /** @type {string[]} */
        const names = frame.names();
        /** @type {{name: string, text: string}[]} */
        const all = frame.rules.parts;
        const parts = all.filter((part) =>
            view.score_now.some((score) => part.name in score.parts));
        frame.scores.hidden = parts.length < 2;
        fill(frame.scores,
            h('h2', null, view.result ? t('Result')
                : t('If it were scored now')),
            h('div', {class: 'scroll', tabindex: '0', role: 'region',
                'aria-label': t('By category')},
            h('table', {class: 'small'},
                h('thead', null, h('tr', null, h('td', null),
                    names.map((name, i) => h('th', {scope: 'col',
                        class: 'number'}, mark(i),
                    h('span', {class: 'unseen'}, name))))),
                h('tbody', null, parts.map((part) => h('tr', null,
                    h('th', {scope: 'row'}, partOf(part)),
                    view.score_now.map((score) => h('td',
                        {class: 'number'},
                        score.parts[part.name] ?? '')))),
                h('tr', null, h('th', {scope: 'row'}, t('together')),
                    view.score_now.map((score) => h('td',
                        {class: 'number'}, h('b', null, score.total))))))));
    }

    /** A category of points. @param {{name: string, text: string}} part */
    function partOf({name, text}) {
        const key = `points.${name}`;
        const own = t(key, undefined, frame.rules.name);
        return own === key ? t(text, undefined, frame.rules.name) : own;
    }

    /** Before the start: who sits, who is missing, what will be played. */
    function opening() {
        const view = /** @type {View} */ (frame.view);
        const about = frame.about;
        frame.before.hidden = view.state !== 'open';
        if (view.state !== 'open')
            return;
        const free = view.seats.filter((seat) => seat.name === null).length;
        const taken = view.seats.length - free;
        const told = [...settingsOf(frame.rules, about, true),
            about.private ? t('private') : t('public'),
            about.spectators ? '' : t('no spectators'),
            about.start === 'manual' ? t('started by hand')
                : t('starts when all seats are taken')].filter(Boolean);
        const invite = h('input', {'aria-label': t('Name'), maxlength: 24,
            required: true, placeholder: t('Name'), 'data-key': 'invite'});
        fill(frame.before,
            h('h2', null, t('Before the game')),
            h('p', null, told.join(' · ')),
            about.pace && h('p', {class: 'small muted'}, clock.termsSaid(about)),
            h('ol', null, view.seats.map((seat, i) => h('li', null,
                seat.name ? link(seat.name)
                    : h('span', {class: 'muted'}, t('free')),
                i === view.you && ` (${t('you')})`))),
            h('div', {class: 'row'},
                view.you === null && free > 0 && h('button', {class: 'main',
                    'data-key': 'join', onclick: () => join(about)},
                t('Join')),
                view.you === null && 'invited_until' in about && h('button', {
                    'data-key': 'decline', onclick: () => asked('decline')},
                t('Decline')),
                about.mine && taken >= frame.rules.seats_min &&
                    h('button', {class: 'main', 'data-key': 'start',
                        onclick: () => net.ask('table.start',
                            {table: frame.id}).catch(complain)}, free > 0
                        ? t('Start with {count}', {count: taken})
                        : t('Start')),
                about.mine && free > 0 && bots && !about.rated && h('button', {
                    'data-key': 'bot', onclick: () => asked('seatBot')},
                t('Seat a bot')),
                view.you !== null && h('button', {'data-key': 'leave',
                    onclick: () => leave()}, t('Get up')),
                h('button', {'data-key': 'copy', onclick: () =>
                    asked('copy')}, t('Copy the link'))),
            view.you !== null && h('form', {onsubmit: (
                /** @type {Event} */ event) => {
                event.preventDefault();
                net.ask('table.invite',
                    {table: frame.id, name: invite.value}).then(() => {
                    say(t('{name} is invited.', {name: invite.value}));
                    frame.refresh();
                }, complain);
            }}, h('div', {class: 'row'}, invite,
                h('button', null, t('Invite')))),
            about.invited.length > 0 && h('p', {class: 'muted'},
                t('Invited: {names}', {names: about.invited.join(', ')})));
    }

    /** @param {'copy' | 'decline' | 'rematch' | 'seatBot'} what */
    const asked = (what) => import('./asks.js').then((asks) =>
        asks[what](frame)).catch(complain);

    function leave() {
        net.ask('table.leave', {table: frame.id}).then(() => go(''), complain);
    }

    /** What came of it, and what one may do now: once more, look ahead or back. */
    function ending() {
        const view = /** @type {View} */ (frame.view);
        const {about, feed} = frame;
        const ended = view.state === 'finished' ? view.result : null;
        frame.result.hidden = !ended && !(view.state === 'abandoned'
            && about.again_at) || frame.replay.on || Boolean(feed.tries);
        if (frame.result.hidden)
            return;
        const again = about.again_at && h('a', {class: 'button main',
            href: `#table/${about.again_at}`}, t('It is played again here.'));
        if (!ended) {
            fill(frame.result, h('h2', null, t('The table is abandoned.')),
                h('div', {class: 'row'}, again));
            return;
        }
        /** @type {string[]} */
        const names = frame.names();
        const {places, reason} = ended;
        const winners = names.filter((_, i) => places[i] === 1);
        const gone = names.filter((_, i) => view.seats[i].resigned);
        const verdict = h('div', {role: 'status'});
        fill(frame.result,
            h('h2', null, winners.length > 1
                ? t('{names} share the victory', {names: winners.join(', ')})
                : t('{names} wins', {names: winners[0]})),
            reason === 'resigned' && h('p', null, gone.length === 1
                ? `${gone[0]} ${t('gave up')}.` : t('The others gave up.')),
            reason === 'timeout' && h('p', null, t('On time.')),
            h('div', {class: 'row'},
                view.you !== null && !feed.tape && !about.from
                    ? h('button', {class: 'main', 'data-key': 'rematch',
                        onclick: () => asked('rematch')}, t('Play again'))
                    : again,
                h('a', {class: 'button', 'data-key': 'analysis', href:
                    `#ahead/${feed.tape ? 'record' : frame.id}/${view.ply}`},
                t('Analysis')),
                h('a', {class: 'button', href: `#${feed.address}/0`},
                    t('Look at it again')),
                h('button', {'data-key': 'verify',
                    onclick: () => verify(verdict)}, t('Verify the game')),
                !feed.tape && h('a', {class: 'button',
                    download: `${frame.id}.ndjson`,
                    href: `api/v1/tables/${frame.id}/record`},
                t('Download the record'))),
            verdict);
    }

    /** @param {HTMLElement} verdict */
    async function verify(verdict) {
        fill(verdict, h('p', null, t('Replaying every move …')));
        const {verify: judged} = await import('./verify.js');
        const lines = await judged(frame.id, frame.rules, frame.feed.ask).catch((why) =>
            [{good: false, text: t(why.message ?? String(why))}]);
        fill(verdict, h('ul', {class: 'verdict'}, lines.map((line) =>
            h('li', {class: line.good ? 'good' : 'bad'},
                `${line.good ? '✓' : '✗'} ${line.text}`))));
    }

    /** Whether one is told of this table: asked when somebody wants to know. */
    function muting() {
        const body = h('div');
        const show = async () => (await import('./mute.js')).mute(body, frame.id);
        return h('details', {'data-key': 'mute', ontoggle: (
            /** @type {any} */ e) => e.target.open && show().catch(complain)},
        h('summary', null, t('Notices')), body);
    }

    function footing() {
        const about = frame.about;
        fill(frame.foot,
            about.again_of && h('p', null, h('a', {href:
                `#table/${about.again_of}`}, t('It was played here before.'))),
            about.pace && h('p', null, clock.termsSaid(about)),
            about.absence && frame.view?.you !== null && h('p', null,
                h('a', {href: '#settings/away'}, t('When you are away'))),
            frame.view?.you !== null && mute, h('details', {open: fair,
            ontoggle: (/** @type {any} */ e) => fair = e.target.open},
        h('summary', null, t('Fair draws')),
        h('p', null, t('Before anybody sat down the server fixed the seed of all draws; this is its commitment. When the game is over the seed is published, and the page can check every draw.')),
        h('p', null, h('code', null, about.commitment)),
        about.seed && h('p', null, t('Seed:'), ' ',
            h('code', null, about.seed)),
        h('p', null, t('Table {id}, made {when}.',
            {id: frame.id, when: moment(about.created)}))));
    }

    /** Standing orders, once there is one or somebody wants one.
     * @type {Promise<any> | null} */
    let orders = null;
    const ordering = () => orders ??= import('./orders.js').then(({ordersOf}) =>
        ordersOf(frame));
    const order = h('button', {'data-key': 'order', onclick: () => ordering()
        .then(({ask}) => ask()).catch(complain)}, t('Play ahead …'));

    /** What is played for whoever sits here and is not asked. */
    function ahead() {
        const {about, feed, replay, view} = frame;
        const seat = view.seats[view.you ?? -1];
        const playing = seat && !feed.tape && view.state === 'playing'
            && !seat.resigned && !seat.gone;
        if (playing && !seat.acting && !replay.on)
            frame.tools.append(order);
        else
            order.remove();
        if (playing && about.order || orders)
            ordering().then(({show}) => show(), complain);
    }

    /** @param {any} event */
    const heard = ({detail}) => {
        if (frame.closed)
            net.bus.removeEventListener('me', heard);
        else if (detail ? detail.kind === 'order' && detail.table === frame.id
            : orders)
            ordering().then((one) => one.heard()).catch(complain);
    };
    if (!frame.feed.tape)
        net.bus.addEventListener('me', heard);

    const mute = muting();
    return {
        scoring, ending,
        show() {
            opening();
            ending();
            footing();
            ahead();
        },
    };
}
