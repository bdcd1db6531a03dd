// recap.js -- what happened since one was here: a strip above the board, a turn
// at a time, forward and back.  The board is shown as it was after each, with the
// places that it was about marked.  It closes with one's own next move; what
// happened last is told then where it stood, so that the board stays where it is.

import {fill, h} from './dom.js';
import {t} from './i18n.js';
import {gainOf, groupsOf, linesOf, placesIn, seatOf, short, signed} from './log.js';
import {mark} from './seat.js';

/** @typedef {import('./log.js').Entry} Entry */
/** @typedef {import('./log.js').Group} Group */

const MOST = 12; // turns that are told
const NAMED = 3; // places that a turn is named by
const LATEST = 20; // entries among which the latest turn is looked for

/** What happened since SEAT moved last, but for what they did themselves.
 * @param {Entry[]} entries @param {number} seat @returns {Entry[]} */
function after(entries, seat) {
    const done = entries.filter((entry) => !entry.undone);
    const last = done.reduceRight((found, entry, n) => found < 0
        && entry.kind === 'move' && seatOf(entry) === seat ? n : found, -1);
    const since = done.slice(last + 1).filter(({kind}) => kind === 'move');
    return last < 0 || since.length === 0 ? []
        : [{...done[last], by: null, events: done[last].events.filter((event) =>
            event.seat !== seat)}, ...since];
}

/** @param {any} frame */
export function recapOf(frame) {
    /** @type {Group[]} */
    let told = [];
    let at = -1;
    let closed = false;
    const node = h('section', {class: 'since', hidden: true,
        'aria-label': t('Since your last move')});
    const words = h('p', {role: 'status'});
    const line = h('span');
    const latest = h('p', {class: 'latest muted', hidden: true},
        h('strong', null, t('Most recently')), line);

    /** @param {boolean} [moved] Whether it is for a move of one's own: then it
     * comes again with what others do next. */
    function close(moved = false) {
        closed = !moved;
        told = [];
        at = -1;
        node.hidden = true;
        latest.hidden = false;
        frame.glance(null);
        frame.panel?.point?.([]);
    }

    /** @param {Group} turn */
    const plyOf = (turn) => turn.entries[turn.entries.length - 1].ply;

    /** Shows a turn; the last as it is now, as nothing came after it.
     * @param {number} n */
    async function show(n) {
        at = Math.max(-1, Math.min(n, told.length - 1));
        const turn = told[at];
        draw();
        const old = turn && plyOf(turn) < frame.view.ply && n < told.length - 1;
        const view = old ? await frame.viewAt(plyOf(turn)) : null;
        if (turn !== told[at])
            return;
        frame.glance(view);
        frame.panel?.point?.(turn ? placesIn(turn, frame.said()) : []);
    }

    /** @param {Group} turn */
    function nameOf(turn) {
        const places = placesIn(turn);
        return turn.seat === null || places.length === 0
            ? turn.title || frame.names()[turn.seat ?? 0]
            : places.slice(0, NAMED).join(' ')
                + (places.length > NAMED ? ' …' : '');
    }

    /** @param {Group} turn */
    const said = (turn) => [turn.title, ...linesOf(turn, frame.said())
        .map(({text}) => short(text, frame.names()[turn.seat ?? -1]))].filter(Boolean).join(' ');

    /** @param {HTMLElement} line @param {Group} turn */
    function tell(line, turn) {
        const text = said(turn);
        line.title = text; // there may be no room for all of it
        fill(line, turn.seat !== null && mark(turn.seat), text);
    }

    /** For who hears it, what it is about if it has no places. @param {Group} turn */
    const calledOf = (turn) => turn.seat === null ? turn.title
        : `${frame.names()[turn.seat]}: ${placesIn(turn).length > 0 ? nameOf(turn)
            : said(turn)}`;

    const step = (/** @type {number} */ by, /** @type {string} */ sign,
        /** @type {string} */ label) => h('button', {type: 'button',
        class: 'step', 'aria-label': label, title: `${label} (${
            by < 0 ? '[' : ']'})`, 'data-key': `since${by}`,
        disabled: at + by < 0 || at + by >= told.length,
        onclick: () => show(at + by)}, sign);

    function draw() {
        const turn = told[at];
        node.hidden = told.length === 0;
        latest.hidden = !node.hidden;
        fill(node, h('strong', null, t('Since your last move')),
            h('span', {class: 'turns'}, told.map((one, n) => {
                const gain = gainOf(one, frame.said());
                return h('button', {type: 'button',
                    'aria-pressed': String(n === at), 'data-key': `told-${n}`,
                    'aria-label': `${n + 1}/${told.length} ${calledOf(one)}`,
                    onclick: () => show(n === at ? told.length - 1 : n)},
                one.seat !== null && mark(one.seat),
                h('span', {class: 'short'}, nameOf(one)),
                gain !== 0 && h('b', {class: gain > 0 ? 'good' : 'muted'},
                    signed(gain)));
            })),
            h('span', {class: 'steps'},
                h('span', {class: 'number'}, `${at + 1}/${told.length}`),
                step(-1, '‹', t('One back')), step(1, '›', t('One on')),
                h('button', {type: 'button', class: 'end plain',
                    'aria-label': t('Close'), onclick: () => close()}, '×')),
            turn && words);
        if (turn)
            tell(words, turn);
    }

    /** @param {KeyboardEvent} event */
    function keys(event) {
        const by = {'[': -1, ']': 1}[event.key];
        if (!by || told.length === 0 || event.ctrlKey || event.metaKey
            || /** @type {Element} */ (event.target)
                .closest('input, textarea, select, dialog'))
            return;
        event.preventDefault();
        show(Math.max(0, at + by));
    }
    document.addEventListener('keydown', keys);

    /** @param {Entry[]} all */
    function look(all) {
        const {you, state} = frame.view;
        const last = groupsOf(all.slice(-LATEST).filter(({undone}) => !undone),
            frame.said()).reverse().find((turn) => said(turn));
        if (last)
            tell(line, last);
        else
            fill(line); // all of it was taken back
        told = closed || you === null || state !== 'playing' ? []
            : groupsOf(after(all, you), frame.said()).filter((turn) =>
                !turn.chapter && turn.seat !== you && (turn.title || linesOf(turn, frame.said())
                    .length > 0)).slice(-MOST);
    }

    return {
        node,
        latest,
        close,
        end: () => document.removeEventListener('keydown', keys),
        /** What is in the log, when the table is opened. @param {Entry[]} all */
        begin(all) {
            look(all);
            show(told.length - 1);
        },
        /** More has happened: it is told as long as the strip is there.
         * @param {Entry[]} all */
        heard(all) {
            const following = at >= told.length - 1;
            look(all);
            if (told.length === 0 && at >= 0)
                close(!closed); // what it told was taken back
            else if (told.length === 0)
                node.hidden = !(latest.hidden = false);
            else if (following || at >= told.length)
                show(told.length - 1);
            else
                draw();
        },
    };
}
