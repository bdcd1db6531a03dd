// heads.js -- what stands above and beside a board: who sits there, what they have,
// how much it counts; whose turn it is.

import {fill, h} from './dom.js';
import {complain} from './frame.js';
import {placesIn, settingsOf} from './games.js';
import {t} from './i18n.js';
import {mark} from './seat.js';
import {settings} from './settings.js';
import {link} from './who.js';

/** @typedef {import('./types.js').View} View */
/** @typedef {any} Frame That of table.js. */

/** Whose turn it is, and what can be done besides. @param {Frame} frame */
export function status(frame) {
    const view = /** @type {View} */ (frame.view);
    const names = frame.names();
    const mine = view.you !== null && view.seats[view.you].acting &&
        !frame.replay.on && !frame.glanced;
    const acting = view.seats.map((seat, i) => seat.acting ? names[i] : '')
        .filter(Boolean);
    frame.turnbar.toggleAttribute('data-mine', mine);
    frame.strip.hidden = view.you === null || view.state !== 'playing'
        || frame.replay.on;
    frame.result.hidden = view.state !== 'finished' || frame.replay.on;
    fill(frame.turn,
        frame.replay.on || frame.glanced ? t('Looking back')
            : frame.feed.tries?.(view, names)
            ?? (frame.busy ? t('Your move is on its way …')
            : view.state === 'open' ? t('The table is open.')
                : view.state === 'finished' ? t('The game is over.')
                    : view.state === 'abandoned'
                        ? t('The table is abandoned.')
                        : mine ? t('It is your turn.')
                            : view.decision !== null
                                ? t('You may move; {names} must.',
                                    {names: acting.join(', ')})
                                : t('Waiting for {names}.',
                                    {names: acting.join(', ')})));
    const {tries} = frame.feed;
    const playing = view.you !== null && view.state === 'playing' && !tries;
    fill(frame.back, view.undo !== null && !frame.replay.on && h('button', {'data-key': 'undo',
        title: t('Take back'),
        onclick: () => import('./happened.js').then(({undo}) =>
            undo(frame), complain)},
    h('span', {class: 'glyph', 'aria-hidden': 'true'}, '↶'),
    h('span', {class: 'word'}, t('Take back'))));
    fill(frame.tools,
        view.state !== 'open' && !frame.replay.on && !tries &&
            h('a', {class: 'button', href: `#${frame.feed.address}/${view.ply}`,
                'data-key': 'look'}, t('Replay')),
        h('a', {class: 'button', href: `#rules/${view.game}`,
            'data-key': 'rules'}, t('Rules')),
        playing && !view.seats[view.you ?? 0].resigned &&
            h('button', {'data-key': 'resign',
                onclick: () => import('./asks.js').then(({resign}) =>
                    resign(frame), complain)}, t('Give up')),
        playing && !view.seats[view.you ?? 0].resigned &&
            h('button', {'data-key': 'propose', onclick: () =>
                import('./votes.js').then(({propose}) => propose(frame))
                    .catch(complain)}, t('Propose …')));
    if (view.vote)
        frame.votes ??= import('./votes.js').then(({votesOf}) => votesOf(frame));
    frame.votes?.then((/** @type {any} */ votes) => votes.show(frame.view,
        frame.replay.on || frame.glanced), complain);
}

/** Who sits there, what they have and how much it counts.
 * @param {Frame} frame @param {View} view */
export function heading(frame, view) {
    const names = frame.names();
    const places = placesIn(view);
    const set = view.state === 'open' ? '' : [
        ...frame.panel?.facts?.() ?? [],
        ...settingsOf(frame.rules, frame.about, true)].join(' · ');
    fill(frame.set, set);
    fill(frame.setAll, set); // where the header has no room for all of it
    frame.heads.hidden = view.state === 'open'; // the list of seats says it
    const was = frame.counted;
    frame.counted = view.seats.map(() => 0);
    fill(frame.heads, view.seats.map((seat, i) => {
        const {line = null, scored = null, unit} = frame.panel?.head?.(i) ?? {};
        const now = view.score_now[i]?.total;
        const open = scored !== null && !places;
        const total = open ? scored : now;
        frame.counted[i] = total ?? 0;
        return h('li', {class: `own-${i}${seat.acting ? ' acting' : ''}${
            i === view.you ? ' you' : ''}`},
            h('span', {class: 'shield'}, mark(i)),
            // Who is named in a record may be of another server.
            h('span', {class: 'who'}, h('b', null, seat.name && !frame.feed.tape
                ? link(seat.name) : names[i],
                i === view.you && h('span', {class: 'unseen'},
                    ` (${t('you')})`)),
            h('span', {class: 'more'}, seat.resigned ? t('gave up') : line),
            seat.acting && h('span', {class: 'unseen'},
                ` ${t('to move')}`)),
            h('span', {class: 'sum'},
                counted(h('span', {class: 'total'}), was[i], total),
                h('span', {class: 'unit'}, places
                    ? t('place {n}', {n: places[i]})
                    : open && now !== undefined
                        ? t('+{n} now', {n: now - scored})
                        : unit ?? t('points'))));
    }));
    frame.clock?.show(view, frame.replay.on || frame.glanced);
}

const COUNTS = 300; // ms

/** Points: they count up or down from what they were, unless less motion is
 * wanted. @param {HTMLElement} node @param {number | undefined} from
 * @param {number | undefined} to */
function counted(node, from, to) {
    const began = performance.now();
    const still = from === undefined || to === undefined || from === to
        || !settings.animations
        || matchMedia('(prefers-reduced-motion: reduce)').matches;
    const show = () => {
        const part = still ? 1
            : Math.min(1, (performance.now() - began) / COUNTS);
        node.textContent = to === undefined ? '–'
            : String(Math.round(to - (1 - part) * (to - (from ?? to))));
        if (part < 1)
            requestAnimationFrame(show);
    };
    show();
    return node;
}
