// log.js -- the log of events in words, read out to those who do not see it.

import {add, fill, h, roving} from './dom.js';
import {ago, moment, t} from './i18n.js';
import {mark} from './seat.js';

/** @typedef {import('./types.js').View} View */
/** @typedef {import('./types.js').Event} GameEvent */
/** @typedef {{ply: number, at: number | null, kind: string, by: number | null,
 *             events: GameEvent[], undone?: boolean}} Entry
 * @typedef {object} Said How a game is told: see GameModule.
 * @property {(event: GameEvent) => string} describe
 * @property {string[]} quiet
 * @property {string[]} chapters
 * @property {string[]} scenes
 * @property {string[]} turns
 * @property {(event: GameEvent) => number | null} gain
 * @property {(event: GameEvent) => string[]} [places] What of an event can be
 *     marked, if that is not a place of the board.
 */

const FIRST = 120; // plies that are shown at once
const OPEN = 3; // turns of which all lines are shown
const SAME = 4; // events of one kind that are told one by one
const KEPT = 30; // sentences that can be heard again

/** How an entry's kind is told as an event. */
const EVENTS = /** @type {{[kind: string]: string}} */ ({
    join: 'joined', leave: 'left', nonce: 'nonce', start: 'started',
    undo: 'undone', resign: 'resigned', abandon: 'abandoned',
    rename: 'renamed', restored: 'restored', rewind: 'rewound',
    replaced: 'replaced', absent: 'absent', back: 'back', miss: 'missed',
    give: 'given', pause: 'paused', resume: 'resumed', vote: 'voted',
});

/** What a ply of table.replay says. @param {any} ply @returns {Entry} */
export function entryOf({move, events, ...told}) {
    const {ply, at, undone, kind} = told;
    const seat = typeof told.seat === 'number' ? told.seat : null;
    const is = told.for ? 'made' : EVENTS[kind];
    return {
        ply, at, undone, kind, by: seat, events: [
            ...is && is !== 'nonce' ? [{...told, kind: is, seat}] : [],
            ...events],
    };
}

/** The places of the board that an event is about. @param {GameEvent} event
 * @returns {string[]} */
export const placesOf = (event) => Object.entries(event)
    .filter(([name, value]) => typeof value === 'string' &&
        /^(hex|cell|square|place)\d?$/.test(name))
    .map(([, value]) => value);

/** All plies from FROM on. @param {any} frame @param {number} from
 * @param {any} [more] @returns {Promise<any[]>} */
export async function plies({id, feed}, from, more = {}) {
    const all = [];
    /** @type {number | undefined} */
    let next = from;
    while (next !== undefined) {
        /** @type {any} */
        const answer = await feed.ask('table.replay',
            {table: id, from: next, ...more});
        all.push(...answer.plies);
        next = answer.next;
    }
    return all;
}

/**
 * What somebody did in one go, or what happened to all.
 * @typedef {{seat: number | null, title: string, at: number | null,
 *            chapter?: boolean, entries: Entry[]}} Group
 */

/** Whose doing an entry is. @param {Entry} entry */
export const seatOf = (entry) => entry.by ?? entry.events.find((event) =>
    event.seat !== null && event.seat !== undefined)?.seat ?? null;

/** Entries by turn, oldest first.  A new one begins with another seat, and where
 * the game says so: a chapter is a line by itself, a scene takes all that follows,
 * a turn is that of its event's seat.
 * @param {Entry[]} entries @param {Said} said @returns {Group[]} */
export function groupsOf(entries, said) {
    /** @type {Group[]} */
    const groups = [];
    let scene = false;
    for (const entry of entries) {
        /** @type {GameEvent[]} */
        let rest = [];
        let begun = false;
        const put = () => {
            const last = groups[groups.length - 1];
            const seat = entry.kind === 'move' ? seatOf(entry) : null;
            const part = {...entry, events: rest};
            if (rest.length > 0 && last && (scene || begun || last.seat === seat
                || seat === null) && !last.chapter)
                last.entries.push(part);
            else if (rest.length > 0)
                groups.push({seat, title: '', at: entry.at, entries: [part]});
            rest = [];
        };
        for (const event of entry.events) {
            const [chapter, begins] = [said.chapters, said.scenes].map((kinds) =>
                kinds.includes(event.kind));
            if (!chapter && !begins && !said.turns.includes(event.kind)) {
                rest.push(event);
                continue;
            }
            put();
            scene = begins;
            begun = true;
            if (chapter || begins)
                groups.push({seat: null, title: said.describe(event), chapter,
                    at: entry.at, entries: [{...entry, events: []}]});
            else
                groups.push({seat: event.seat, title: '', at: entry.at,
                    entries: [{...entry, by: event.seat, events: [event]}]});
        }
        if (rest.length > 0 && said.turns.length > 0 && groups.length > 0
            && rest.length < entry.events.length)
            groups[groups.length - 1].entries.push({...entry, events: rest});
        else
            put();
    }
    return groups;
}

/** What is told of a group, a line each: many of the same kind that are nobody's,
 * or came at once, are one.  The words are made when they are asked for: of most
 * turns a long log shows none.
 * @param {Group} group @param {Said} said */
export function linesOf(group, said) {
    /** @type {{entry: Entry, event: GameEvent, more: number}[]} */
    const told = [];
    let run = 0;
    for (const entry of group.entries)
        for (const event of entry.events) {
            if (said.quiet.includes(event.kind))
                continue;
            const last = told[told.length - 1];
            const same = last?.event.kind === event.kind
                && (last.entry === entry || event.seat === null);
            run = same ? run + 1 : 1;
            if (run > SAME)
                last.more++;
            else
                told.push({entry, event, more: 0});
        }
    return told.map(({entry, event, more}) => ({entry, more, seat: event.seat, kind: event.kind,
        gain: said.gain(event),
        get places() {
            return (said.places ?? placesOf)(event);
        },
        get text() {
            return said.describe(event);
        }}));
}

/** What all of a group is about: places of the board, or what SAID says can be
 * marked. @param {Group} group @param {Said} [said] */
export const placesIn = (group, said) => [...new Set(group.entries.flatMap(
    (entry) => entry.undone ? [] : entry.events.flatMap(
        said?.places ?? placesOf)))];

/** What a group brought to whose turn it was, if that is known.
 * @param {Group} group @param {Said} said */
export const gainOf = (group, said) => group.seat === null ? 0 : linesOf(group, said).reduce(
    (sum, {entry, gain, seat}) => entry.undone || gain === null
        || (seat ?? group.seat) !== group.seat ? sum : sum + gain, 0);

/** @param {number} gain */
export const signed = (gain) => gain > 0 ? `+${gain}` : `−${-gain}`;

/** A sentence with the places that it names to be seen in it.
 * @param {string} text @param {string[]} places */
function marked(text, places) {
    const at = places.length === 0 ? -1
        : text.search(new RegExp(`\\b${places[0]}\\b`));
    return at < 0 ? [text] : [text.slice(0, at),
        h('span', {class: 'at'}, places[0]),
        text.slice(at + places[0].length)];
}

/** @param {string} text */
const capital = (text) => text[0].toUpperCase() + text.slice(1);

/** Within a turn its player needs no name, which a sentence may have begun with a
 * capital of its own. @param {string} text @param {string} [name] */
export const short = (text, name) => capital(
    name && capital(text).startsWith(`${capital(name)} `)
        ? text.slice(name.length + 1) : text);

/** @param {any} frame */
export function logOf(frame) {
    const items = h('ol', {class: 'turns'});
    /** For who hears the page: what is new, and only that. */
    const heard = h('div', {class: 'unseen', role: 'log'});
    const box = h('div', {class: 'log', 'aria-label': t('What happened'),
        role: 'region', tabindex: '0'}, items);
    const fix = roving(box, 'button, [data-at]');
    const early = h('button', {class: 'plain small', hidden: true,
        onclick: () => begin(0)}, t('Earlier'));
    let started = false;
    let first = 0;
    /** What is known, oldest first. @type {Entry[]} */
    let known = [];
    /** What is shown of it: `all`, `scores` or `mine`. */
    let wanted = 'all';
    const filters = h('div', {class: 'filters', role: 'group',
        'aria-label': t('Log')});
    /** Which turns are opened and which closed, by their first ply, other than
     * they would be. @type {Map<number, boolean>} */
    const opened = new Map();

    /** @param {Group} group @param {ReturnType<typeof linesOf>} told @param {number} n */
    function turn(group, told, n) {
        const {seat, title, at, chapter, entries: [{ply}]} = group;
        if (chapter)
            return h('li', {class: 'chapter'}, title);
        const open = opened.get(ply) ?? n < OPEN;
        const gain = gainOf(group, frame.said());
        const list = `log-${ply}`;
        return h('li', {class: 'turn', 'data-ply': ply},
            h('button', {type: 'button', class: 'turn-of', 'aria-expanded':
                String(open), 'aria-controls': list, 'data-key': list,
            onclick: () => {
                opened.set(ply, !open);
                draw();
            }},
            seat !== null && mark(seat),
            h('span', null, seat !== null && !title ? frame.names()[seat]
                : title || t('Taking seats')),
            at !== null && h('time', {title: moment(at),
                datetime: new Date(at).toISOString()}, ago(at)),
            gain !== 0 && h('span', {class: 'gain'}, signed(gain))),
            h('ol', {id: list, hidden: !open}, open && told.map((one) =>
                line(one, seat))));
    }

    /** @param {ReturnType<typeof linesOf>[number]} told @param {number | null} seat
     * Whose turn it is of. */
    function line({entry, places, gain, text, more}, seat) {
        return h('li', {
            'data-undone': entry.undone, 'data-ply': entry.ply,
            'data-at': places.length > 0 && places.join(' '),
            'data-key': `line-${entry.ply}-${text}`,
        }, h('span', null,
            marked(short(text, frame.names()[seat ?? -1]), places),
            more > 0 && ` ${t('And {n} more.', {n: more})}`),
        gain !== null && gain !== 0 && h('span', {class: 'gain'}, signed(gain)));
    }

    function drawFilters() {
        const some = [['all', t('Everything')], ['scores', t('Scores')],
            ['mine', t('Mine')]].slice(0, frame.view?.you === null ? 2 : 3);
        fill(filters, some.map(([which, text]) => h('button', {type: 'button',
            'data-key': `log-${which}`, 'aria-pressed': String(which === wanted),
            onclick: () => {
                wanted = which;
                drawFilters();
                draw();
            }}, text)));
    }

    drawFilters();

    /** @typedef {{group: Group, told: ReturnType<typeof linesOf>}} Told */

    /** What is left of it by what is wanted, newest first; a chapter, if something
     * of it is. @param {Told[]} groups @param {number | null} you */
    function chosen(groups, you) {
        if (wanted === 'all')
            return groups;
        let some = false;
        return groups.map(({group, told}) => ({group, told: told.filter(
            ({kind, gain, seat}) => wanted === 'mine'
                ? (seat ?? group.seat) === you : gain || kind === 'scored')}))
            .filter(({group, told}) => {
                const kept = group.chapter ? some : told.length > 0;
                some = !group.chapter && (some || kept);
                return kept;
            });
    }

    function draw() {
        const said = frame.said();
        const you = frame.view?.you ?? null;
        const groups = chosen(groupsOf(known, said).map((group) =>
            ({group, told: linesOf(group, said)}))
            .filter(({group, told}) => told.length > 0 || group.title).reverse(), you);
        const last = you === null ? -1
            : groups.findIndex(({group}) => group.seat === you);
        fill(items, groups.flatMap(({group, told}, n) => [
            n === last && n > 0 && wanted === 'all' && h('li', {class: 'mine'}, t('your last move')),
            turn(group, told, n)]));
        fix();
    }

    /* How long ago it was goes on while the page is open. */
    const timer = setInterval(() => items.querySelectorAll('time').forEach((time) =>
        fill(time, ago(Date.parse(time.dateTime)))), 60000);

    /* A line shows on the board what it is about; a click keeps that. */
    let kept = '';
    const point = (/** @type {Event} */ event) => {
        const line = /** @type {Element} */ (event.target)
            .closest?.('[data-at]');
        const at = line?.getAttribute('data-at') ?? '';
        if (event.type === 'click' && line) {
            kept = kept === at ? '' : at;
            if (kept)
                frame.toBoard();
        }
        const shown = event.type === 'mouseleave' || event.type === 'focusout'
            || !line ? kept : at;
        frame.panel?.point?.(shown ? shown.split(' ') : []);
    };
    for (const kind of ['mouseover', 'mouseleave', 'click', 'focusin', 'focusout'])
        items.addEventListener(kind, point);
    items.addEventListener('keydown', (event) => {
        if (event.key === 'Enter' && /** @type {Element} */ (event.target)
            .matches('[data-at]'))
            /** @type {HTMLElement} */ (event.target).click();
    });

    async function begin(from = Math.max(0, (frame.view?.ply ?? 0) - FIRST)) {
        const before = started;
        first = from;
        try {
            known = (await plies(frame, from)).map(entryOf);
        } catch {
            return;
        }
        frame.panel?.told?.(known);
        drawFilters(); // somebody may have sat down
        draw();
        if (!before)
            frame.happened.since.begin(known);
        started = true;
        early.hidden = first === 0;
    }

    return {
        node: h('section', {class: 'card telling log-of'}, h('div', {class: 'head'},
            h('h2', null, t('Log')), filters), box, early, heard),
        begin,
        end: () => clearInterval(timer),
        known: () => known,
        /** @param {View} view @param {number | null} from
         * @param {GameEvent[]} events */
        heard(view, from, events) {
            if (!started)
                return;
            if (from === null || events.some((e) => e.kind === 'undone' ||
                e.kind === 'rewound')) {
                begin(first).then(() => frame.happened.since.heard(known));
                return;
            }
            known.push({ply: view.ply, at: Date.now(), events, kind: 'move',
                by: null});
            draw();
            frame.happened.since.heard(known);
            const said = frame.said();
            add(heard, events.filter(({kind}) => !said.quiet.includes(kind))
                .slice(0, SAME).map((event) => h('p', null, said.describe(event))));
            while (heard.childElementCount > KEPT)
                heard.firstChild?.remove();
        },
    };
}
