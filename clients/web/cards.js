// cards.js -- what a card shows of its table beyond what lists tell: the board as
// it is, the round, and points.  It comes after the list, for cards that can be
// seen, a few at a time, and again only when the table has moved; its place is
// kept, so that nothing jumps.

import * as core from './core.js';
import {fill} from './dom.js';
import {clock, placesIn, rulesOf, thumbOf} from './games.js';
import {lang, t} from './i18n.js';
import * as net from './net.js';

/** @typedef {import('./types.js').Brief} Brief */
/** @typedef {import('./types.js').Thumb} Thumb */
/** @typedef {{ply: number, view: any, thumb: Thumb | null, state: any}} Look */

const AT_ONCE = 3; // are asked for
const KEPT = 300; // looks

/** @type {Map<string, Look>} */
const looks = new Map();
/** Those that could be seen and were not asked for yet. @type {Element[]} */
const queue = [];
/** What says how a table is made. @typedef {() => string} Made */
/** @type {WeakMap<Element, {table: any, brief?: Brief, made: Made}>} */
const cards = new WeakMap();
let asked = 0;

const watcher = new IntersectionObserver((entries) => {
    for (const {target, isIntersecting} of entries)
        if (isIntersecting) {
            watcher.unobserve(target);
            queue.push(target);
        }
    next();
}, {rootMargin: '100px'});

/** What CARD is to show of TABLE, and how that is MADE in words.
 * @param {Element} card @param {any} table @param {Brief | undefined} brief
 * @param {Made} made */
export function dress(card, table, brief, made) {
    const had = looks.get(table.table);
    if (had)
        show(card, table, had, made); // an older one is better than none
    if (had?.ply === table.ply)
        return;
    cards.set(card, {table, brief, made});
    watcher.observe(card);
}

function next() {
    while (asked < AT_ONCE && queue.length > 0) {
        const card = /** @type {Element} */ (queue.shift());
        const {table, brief, made} = cards.get(card) ?? {};
        if (!made || !card.isConnected || looks.get(table.table)?.ply === table.ply)
            continue;
        asked++;
        look(table, brief).then((found) => {
            looks.set(table.table, found);
            if (looks.size > KEPT)
                looks.delete(/** @type {string} */ (looks.keys().next().value));
            // The list may have been drawn anew, and it may stand in two.
            document.querySelectorAll(`[data-card="${table.table}"]`).forEach(
                (now) => show(now, table, found, made));
        }).finally(() => {
            asked--;
            next();
        });
    }
}

/** @param {any} table @param {Brief} [brief] @returns {Promise<Look>} */
async function look(table, brief) {
    const [thumb, view] = await Promise.all([
        thumbOf(table.game).catch(() => null), table.state === 'open' ? null
            : net.ask('table.at', {table: table.table, ply: table.ply})
                .then((answer) => answer.view, () => null),
        lang !== 'en' && rulesOf(table.game).catch(() => {})]); // names of options
    return {ply: table.ply, view, thumb,
        state: view?.game_state ?? await laid(table, brief)};
}

/** What a table is set up with.
 * @param {any} table @param {Brief} [brief] */
async function laid(table, brief) {
    if (!brief || !await core.load())
        return null;
    const own = table.board && !table.board.builtin;
    const text = own && await net.ask('table.get', {table: table.table})
        .then((answer) => answer.table.board_text, () => null);
    return own && !text ? null : core.setup(brief, table.seats.length,
        table.options, own ? {text} : table.board)?.state ?? null;
}

/** @param {Element} card @param {any} table @param {Look} look
 * @param {Made} made */
function show(card, table, {view, thumb, state}, made) {
    const at = (/** @type {string} */ what) =>
        /** @type {Element} */ (card.querySelector(what));
    // Of a board of somebody's own nothing else is shown.
    if (thumb && (state || !table.board || table.board.builtin))
        fill(at('.look'), thumb.picture(state ?? thumb.sample));
    fill(at('.made'), made());
    if (!view)
        return;
    const [text, args] = (view.state === 'playing' && view.game_state &&
        thumb?.round?.(view.game_state)) || [''];
    fill(at('.round'), text && t(text, args));
    const away = clock && view.state === 'playing' ? clock.awaySaid : () => '';
    const places = placesIn(view);
    card.querySelectorAll('.sitting > *').forEach((seat, i) => {
        const scored = thumb?.scored && !places && view.game_state;
        fill(/** @type {Element} */ (seat.querySelector('.points')), scored
            ? thumb.scored?.(view.game_state, i) : view.score_now[i]?.total);
        seat.classList.toggle('first', places?.[i] === 1);
        fill(/** @type {Element} */ (seat.querySelector('.away')),
            away(view.seats[i]));
        const said = seat.querySelector('.place');
        if (said && places)
            fill(said, t('place {n}', {n: places[i]}));
    });
}
