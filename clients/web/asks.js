// asks.js -- what is asked at a table now and then: whether a turn is over, whether
// somebody gives up, for a link.  It comes when it is asked.

import {dialog, h} from './dom.js';
import {complain, go, say} from './frame.js';
import {server} from './games.js';
import {more, t} from './i18n.js';
import * as net from './net.js';

/** @typedef {any} Frame That of table.js. */

/** Whether a move is meant that ends one's turn: asked with all that was done in it.
 * @param {Frame} frame @returns {Promise<boolean>} */
export async function whole(frame) {
    const said = frame.said();
    const {log, groupsOf, linesOf} = frame.happened;
    const done = groupsOf(log.known().filter(
        (/** @type {any} */ {undone}) => !undone), said)
        .filter((/** @type {any} */ {chapter}) => !chapter).pop();
    const lines = done && done.seat === frame.view?.you ? linesOf(done, said) : [];
    return await dialog(t('Is your turn done?'), (close) => [
        lines.length > 0 ? h('ul', null, lines.map(
            (/** @type {any} */ {text}) => h('li', null, text)))
            : h('p', null, t('You have done nothing else.')),
        h('div', {class: 'row'},
            h('button', {'data-answer': 'no', onclick: () => close(false)},
                t('Not yet')),
            h('button', {class: 'main', 'data-answer': 'yes', autofocus: true,
                onclick: () => close(true)}, t('Done')))]) === true;
}

/** @param {Frame} frame */
export async function resign(frame) {
    await frame.hearing;
    if (!await frame.happened.confirm(frame.about.seats.length > 2
        ? t('Give up? Your seat plays on by itself and is placed last.')
        : t('Give up? The other player wins.')))
        return;
    net.ask('table.resign', {table: frame.id}).catch(complain);
}

/** Does not come to a table to which one is invited. @param {{id: string}} table */
export async function decline({id}) {
    await net.ask('table.decline', {table: id});
    say(t('They are told.'));
    go('');
}

/** A bot takes a free seat. @param {Frame} frame */
export async function seatBot(frame) {
    const [{bots}, {strength}] = await Promise.all([server(),
        import('./create.js')]);
    const level = await dialog(t('Seat a bot'), (close) =>
        h('div', {class: 'row'}, (bots ?? []).map((
            /** @type {string} */ one) => h('button', {'data-answer': one,
            onclick: () => close(one)}, strength(one)))));
    if (level)
        await net.ask('table.bot', {table: frame.id, level, key: net.key()});
}

/** The same once more, with the same people: one makes the table, and who asks
 * later takes the seat that is kept there. @param {Frame} frame */
export async function rematch(frame) {
    const nonce = net.key();
    const {table, made} = await net.ask('table.rematch',
        {table: frame.id, nonce});
    if (!made)
        await net.ask('table.join', {table, key: net.key(), nonce})
            .catch((why) => {
                if (why.reason !== 'already_seated')
                    complain(why);
            });
    go(`table/${table}`);
}

/** The link to what is looked at. @param {Frame} frame */
export async function copy(frame) {
    const link = new URL(frame.replay.on
        ? `#${frame.feed.address}/${frame.replay.ply}`
        : `#${frame.feed.address}`, location.href).href;
    const {about, replay, view} = frame;
    if (about.mine && view?.state === 'open' && !replay.on)
        await personal(frame, link);
    else
        await give(link);
}

/** Who made a table may let others in by a link. @param {Frame} frame
 * @param {string} plain That of the table, for who may come anyway. */
async function personal({id}, plain) {
    await more();
    const uses = h('input', {type: 'number', min: 1, max: 32, value: 1,
        required: true});
    const made = await dialog(t('The link'), (close) => h('form', {onsubmit: (
        /** @type {Event} */ event) => {
        event.preventDefault();
        net.ask('table.links.create', {table: id, uses: Number(uses.value)})
            .then(({address}) => close(new URL(address, location.href).href),
                complain);
    }}, h('p', null, t('By a personal link one sits down without a password, an invitation or an account.')),
    h('label', null, h('span', null, t('For how many people')), uses),
    h('div', {class: 'row'},
        h('button', {type: 'button', onclick: () => close(plain)},
            t('Copy the link')),
        h('button', {class: 'main'}, t('Make a personal link')))));
    if (made)
        await give(made);
}

/** Puts LINK where it can be pasted, or shows it. @param {string} link */
async function give(link) {
    try {
        await navigator.clipboard.writeText(link);
        say(t('Copied.'));
    } catch { // not on plain http
        await dialog(t('The link'), (close) => [
            h('input', {value: link, readonly: true,
                'aria-label': t('The link')}),
            h('div', {class: 'row'}, h('button', {class: 'main',
                onclick: () => close()}, t('Close')))]);
    }
}

/** What may be done where the core is not there: asked of the server.
 * @param {import('./types.js').View} view
 * @returns {Promise<import('./types.js').Legal>} */
export async function askLegal(view) {
    /** @type {import('./types.js').Legal} */
    const all = {decision: null, moves: [], ranges: []};
    let from = 0;
    do {
        const answer = await net.ask('table.legal', {table: view.table, from});
        all.decision = answer.decision;
        all.moves.push(...answer.moves);
        all.ranges.push(...answer.ranges);
        from = answer.next;
    } while (from);
    return all;
}
