// hacienda_changes.js -- what a move would change: my money, my points and of what;
// and what others would gain.  It comes once there is something to be done.

import {h} from '../dom.js';
import {icon} from './art.js';
import {badge, change} from './kit.js';

/** @typedef {import('../types.js').View} View */

/** By how much each part of a score changes, of those that do.  What was never
 * scored before is not among the parts that were.
 * @param {{parts: any}} was @param {{parts: any}} now
 * @returns {[string, number][]} */
export const gains = (was, now) => Object.keys(now.parts)
    .map((part) => /** @type {[string, number]} */ (
        [part, now.parts[part] - (was.parts[part] ?? 0)]))
    .filter(([, by]) => by);

/** @param {import('../types.js').Table} table @param {View} view As it is.
 * @param {number} you @param {import('../types.js').Move} one
 * @param {View} after As it would be. */
export function changes(table, view, you, one, after) {
    const {t} = table;
    const [was, now] = [view.score_now[you], after.score_now[you]];
    const found = table.brings(one) ?? {
        pesos: [view.game_state.players[you].money,
            after.game_state.players[you].money],
        points: [was.total, now.total]};
    const others = view.seats.flatMap((_, seat) => {
        const more = after.score_now[seat].total - view.score_now[seat].total;
        return seat === you || !more ? [] : [h('span', {class: 'change up'},
            badge(seat), `${table.names()[seat]} +${more}`)];
    });
    const parts = gains(was, now).map(([part, by]) => t('part', {
        part: t(`points.${part}`),
        n: (by > 0 ? '+' : '−') + Math.abs(by)}));
    return [
        h('span', {class: 'gain'}, icon('coin'),
            change(found.pesos[0], found.pesos[1], t('pesos'))),
        h('span', {class: 'gain'},
            change(found.points[0], found.points[1], t('points_now')),
            parts.length ? ` (${parts.join(', ')})` : ''),
        ...others, found.unseen && h('span', {class: 'muted'}, t('kit.unseen'))];
}
