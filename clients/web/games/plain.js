// plain.js -- any game without a panel of its own: what stands on the table in
// words, and every legal move as a button.

import {fill, h} from '../dom.js';

/** @param {import('../types.js').Move} move */
const words = (move) => Object.entries(move)
    .map(([name, value]) => name === 'verb' ? String(value).replaceAll('_', ' ')
        : `${name} ${value}`).join(', ');

/** @param {any} value @returns {Node | string} */
function shown(value) {
    if (value === null || typeof value !== 'object')
        return value === null ? '–' : String(value);
    if (Array.isArray(value) && value.every((v) => typeof v !== 'object'))
        return value.map((v) => v ?? '–').join(' ');
    return h('dl', null, Object.entries(value).map(([name, part]) =>
        h('div', null, h('dt', null, name), h('dd', null, shown(part)))));
}

/** @type {import('../types.js').GameModule} */
export default {
    mount(root, table) {
        const moves = h('div', {class: 'row'});
        const state = h('section', {class: 'card plain'});
        root.append(moves, state);
        return {
            update(view, {legal, busy}) {
                fill(moves,
                    legal.moves.map((move) => h('button', {disabled: busy,
                        'data-move': JSON.stringify(move),
                        title: table.help(move.verb),
                        onclick: () => play(move)}, words(move))),
                    legal.ranges.map((range) => ranged(range, busy)));
                fill(state, shown(view.game_state));
            },
            destroy() {},
        };

        /** @param {import('../types.js').Move} move */
        async function play(move) {
            if (await table.confirm(words(move), table.finalOf(move)))
                await table.send(move).catch(() => {});
        }

        /** @param {import('../types.js').Range} range
         * @param {boolean} busy */
        function ranged({move, arg, min, max}, busy) {
            const input = h('input', {type: 'number', min, max, value: min,
                'aria-label': arg, 'data-range': arg, required: true});
            const {[arg]: out, ...rest} = move;
            return h('form', {class: 'row', onsubmit: (
                /** @type {Event} */ event) => {
                event.preventDefault();
                play({...move, [arg]: Number(input.value)});
            }}, h('button', {disabled: busy,
                'data-move': JSON.stringify(move)},
            `${words({verb: move.verb, ...rest})}, ${arg}`), input);
        }
    },
};
