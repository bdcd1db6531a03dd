// hadara_tracks.js -- the four tracks with everybody's markers: on them stand
// colonies and statues, at what they need, and on the food the mouths to feed.
// What one looks at moves one's own marker ahead.

import {fill, h, roving} from '../dom.js';
import {badge, tip} from './kit.js';

const TRACKS = ['income', 'military', 'culture', 'food'];

const LEAST = 34; // how long a track is, unless somebody is beyond

/** What stands on a track. @type {{[track: string]: string}} */
const KIND = {military: 'colony', culture: 'statue'};

/**
 * @param {import('../types.js').Table} table
 * @param {import('./hadara_tables.js').Tables} numbers
 * @param {(kind: string, n: number) => string} told What a colony or statue
 *     needs and brings, in words.
 * @param {typeof import('./hadara_art.js').sign} sign
 * @param {typeof import('./hadara_tables.js').goals} goals
 */
export function tracksOf(table, numbers, told, sign, goals) {
    const {t} = table;
    /** @type {any} */
    let state = null;
    let most = LEAST;
    const node = h('ul', {class: 'tracks'});
    const place = (/** @type {number} */ n) => `${Math.max(0, n) * 100 / most}%`;

    const rows = TRACKS.map((track) => {
        const row = {
            track,
            note: h('small'),
            value: h('b'),
            then: h('span', {class: 'then'}),
            full: h('i', {class: 'full'}),
            more: h('i', {class: 'more'}),
            mine: h('span', {class: 'mine', hidden: true}),
            ghost: h('span', {class: 'mine ghost', hidden: true}),
            marks: h('span', {class: 'marks'}),
            goals: h('span', {class: 'goals'}),
            mouths: h('span', {class: 'mouths', hidden: true}),
            all: h('span', {class: 'sr'}),
            node: h('li', {class: `track k-${track}`}),
        };
        row.node.append(
            sign(track),
            h('span', {class: 'name'}, h('b', null, t(track)), row.note),
            h('span', {class: 'value'}, row.value, row.then), row.all,
            h('span', {class: 'line'}, row.goals, row.mouths,
                h('span', {class: 'rod'}, row.full, row.more, row.ghost, row.mine),
                row.marks));
        return row;
    });
    node.append(...rows.map((row) => row.node));
    const fix = roving(node, '.goal');

    /* What a track says beside its name. */
    function noted(/** @type {any} */ me, /** @type {string} */ track,
        /** @type {number} */ now) {
        if (track === 'income')
            return t('track.income', {n: now});
        if (track === 'food')
            return me.cards.length > now
                ? t('track.short', {n: me.cards.length, less: me.cards.length - now})
                : t('track.food', {n: me.cards.length});
        const next = goals(me, track, numbers).filter(({has}) => !has);
        const reach = next.filter(({need}) => need <= now);
        if (reach.length)
            return t(`track.${KIND[track]}.reach`, {n: reach.map(({n}) => n).join(', ')});
        return next[0] ? t(`track.${KIND[track]}.next`, {
            n: next[0].n, more: next[0].need - now}) : t(`track.${KIND[track]}.all`);
    }

    function goal(/** @type {ReturnType<typeof goals>[0]} */ of,
        /** @type {number | null} */ now) {
        const is = now === null ? '' : of.has ? ' has' : of.need <= now ? ' can' : '';
        const text = told(of.kind, of.n);
        return h('span', {class: `goal${is}`, role: 'img', style: {left: place(of.need)},
            'aria-label': `${text}${is ? `\n${t(`goal.${is.trim()}`)}` : ''}`, ...tip(text)},
            h('b', null, is === ' has' ? '✓' : `${of.need}`),
            h('span', null, `${of.points}`, sign('points')));
    }

    /* The others' markers; those at one place stand side by side. */
    function markers(/** @type {string} */ track) {
        const seen = new Map();
        return state.players.flatMap((/** @type {any} */ {now},
            /** @type {number} */ seat) => {
            if (seat === table.you)
                return [];
            const n = seen.get(now[track]) ?? 0;
            seen.set(now[track], n + 1);
            return [h('span', {class: 'marker', style: {left: place(now[track]),
                '--n': n}}, badge(seat))];
        });
    }

    function drawRow(/** @type {typeof rows[0]} */ row) {
        const {track} = row;
        const me = table.you === null ? null : state.players[table.you];
        const now = me?.now[track] ?? null;
        const names = table.names();
        fill(row.note, me ? noted(me, track, now) : '');
        fill(row.value, now === null ? '' : `${now}`);
        fill(row.all, state.players.flatMap((/** @type {any} */ player,
            /** @type {number} */ seat) => seat === table.you ? []
            : [` ${names[seat]} ${player.now[track]}`]).join(','));
        row.full.style.setProperty('width', place(now ?? 0));
        row.mine.hidden = now === null;
        row.mine.style.setProperty('left', place(now ?? 0));
        if (me && !row.mine.firstChild)
            for (const marker of [row.mine, row.ghost])
                marker.append(badge(table.you ?? 0));
        fill(row.goals, goals(me ?? {...state.players[0], requirements: {
            colonies: numbers.colonies.map(({requirement}) => requirement),
            statues: numbers.statues.map(({requirement}) => requirement)}}, track, numbers).map((of) =>
            goal(me ? of : {...of, has: false}, now)));
        fill(row.marks, markers(track));
        row.mouths.hidden = track !== 'food' || !me;
        if (me && track === 'food') {
            row.mouths.style.setProperty('left', place(me.cards.length));
            // What it says stays on the track.
            row.mouths.classList.toggle('late', me.cards.length > most / 3);
            fill(row.mouths, h('span', null, t('track.mouths', {n: me.cards.length})));
        }
        row.node.classList.toggle('short',
            track === 'food' && me !== null && me.cards.length > (now ?? 0));
    }

    return {
        node,
        /** @param {any} now The game's own fields. */
        update(now) {
            state = now;
            most = Math.max(LEAST, ...state.players.flatMap(
                (/** @type {any} */ player) => [player.cards.length + 2,
                    ...TRACKS.map((track) => player.now[track] + 3)]));
            rows.forEach(drawRow);
            this.ahead(null);
            fix();
        },
        /** Shows where the numbers would go. @param {any} after */
        ahead(after) {
            const me = table.you === null ? null : state?.players[table.you];
            for (const row of rows) {
                const was = me?.now[row.track] ?? 0;
                const then = after?.[row.track] ?? was;
                const moves = me && then !== was;
                row.ghost.hidden = !moves;
                row.more.hidden = !moves;
                fill(row.then, moves ? `${then}` : '');
                row.then.className = `then ${then > was ? 'up' : 'down'}`;
                if (!moves)
                    continue;
                row.ghost.style.setProperty('left', place(then));
                row.more.style.setProperty('left', place(Math.min(was, then)));
                row.more.style.setProperty('width', place(Math.abs(then - was)));
                row.more.className = `more ${then > was ? 'up' : 'down'}`;
            }
        },
    };
}
