// log.js -- the log of events in words, read out to those who do not see it.

import {fill, h} from './dom.js';
import {moment, t} from './i18n.js';
import * as net from './net.js';

/** @typedef {import('./types.js').View} View */
/** @typedef {import('./types.js').Event} GameEvent */
/** @typedef {{ply: number, at: number | null, events: GameEvent[],
 *             undone?: boolean}} Entry */

const FIRST = 120; // plies that are shown at once

/** How an entry's kind is told as an event. */
const EVENTS = /** @type {{[kind: string]: string}} */ ({
    join: 'joined', leave: 'left', nonce: 'nonce', start: 'started',
    undo: 'undone', resign: 'resigned', abandon: 'abandoned',
    rename: 'renamed', restored: 'restored', rewind: 'rewound',
    replaced: 'replaced',
});

/** What a ply of table.replay says. @param {any} ply @returns {Entry} */
export function entryOf(ply) {
    const kind = EVENTS[ply.kind];
    const seat = typeof ply.seat === 'number' ? ply.seat : null;
    return {
        ply: ply.ply, at: ply.at, undone: ply.undone,
        events: [...kind ? [{kind, seat}] : [], ...ply.events],
    };
}

/** All plies from FROM on. @param {string} table @param {number} from
 * @param {any} [more] @returns {Promise<any[]>} */
export async function plies(table, from, more = {}) {
    const all = [];
    /** @type {number | undefined} */
    let next = from;
    while (next !== undefined) {
        /** @type {any} */
        const answer = await net.ask('table.replay',
            {table, from: next, ...more});
        all.push(...answer.plies);
        next = answer.next;
    }
    return all;
}

/** @param {any} frame */
export function logOf(frame) {
    const items = h('ol');
    const box = h('div', {class: 'log', role: 'log', 'aria-live': 'polite',
        'aria-label': t('What happened'), tabindex: '0'}, items);
    const early = h('button', {class: 'plain small', hidden: true,
        onclick: () => begin(0)}, t('Earlier'));
    let started = false;
    let first = 0;

    /** @param {Entry} entry */
    const row = (entry) => entry.events.map((event) => h('li', {
        'data-undone': entry.undone,
        title: entry.at === null ? undefined : moment(entry.at),
    }, h('span', {class: 'ply number'}, entry.ply),
    frame.describe(event)));

    async function begin(from = Math.max(0, (frame.view?.ply ?? 0) - FIRST)) {
        first = from;
        try {
            const all = await plies(frame.id, from);
            fill(items, all.map(entryOf).flatMap(row));
        } catch {
            return;
        }
        started = true;
        early.hidden = first === 0;
        box.scrollTop = box.scrollHeight;
    }

    return {
        node: h('section', {class: 'card'}, h('h2', null, t('Log')), early,
            box),
        begin,
        /** @param {View} view @param {number | null} from
         * @param {GameEvent[]} events */
        heard(view, from, events) {
            if (!started)
                return;
            if (from === null || events.some((e) => e.kind === 'undone' ||
                e.kind === 'rewound')) {
                begin(first);
                return;
            }
            const low = box.scrollHeight - box.scrollTop -
                box.clientHeight < 40;
            items.append(...row({ply: view.ply, at: Date.now(), events}));
            if (low)
                box.scrollTop = box.scrollHeight;
        },
    };
}
