// tictactoe.js -- the smallest panel, and the one to copy.

import {fill, h, roving, svg} from '../dom.js';
import {tips, whyNot} from './kit.js';

const CELLS = ['a1', 'b1', 'c1', 'a2', 'b2', 'c2', 'a3', 'b3', 'c3'];

/** @param {number} seat */
const sign = (seat) => svg('svg', {viewBox: '0 0 10 10', class: `seat-${seat}`,
    'aria-hidden': 'true'}, seat === 0
    ? svg('path', {d: 'M2 2L8 8M8 2L2 8', stroke: 'currentColor',
        'stroke-width': 1.4, 'stroke-linecap': 'round'})
    : svg('circle', {cx: 5, cy: 5, r: 3.2, fill: 'none',
        stroke: 'currentColor', 'stroke-width': 1.4}));

const LINES = ['012', '345', '678', '036', '147', '258', '048', '246'];

/** The three that won, if any do. @param {(number | null)[]} cells */
const winning = (cells) => [...LINES.find(([a, b, c]) => {
    const [one, two, three] = [a, b, c].map((n) => cells[Number(n)]);
    return one !== null && one === two && two === three;
}) ?? ''].map(Number);

/** @type {import('../types.js').GameModule} */
export default {
    css: true,
    steady: true,
    words: {
        en: {cell: '{cell}: {what}', free: 'free'},
        fr: {cell: '{cell} : {what}', free: 'libre'},
    },
    describe(event, table) {
        const name = table.names()[event.seat ?? 0];
        const key = `e.${event.kind}`;
        const text = table.t(key, {name, cell: event.cell});
        return text === key ? null : text;
    },
    mount(root, table) {
        const board = h('div', {class: 'ttt', role: 'group',
            'aria-label': table.rules.title});
        const fix = roving(board, 'button');
        const end = tips(root);
        root.append(board);
        return {
            update(view, {legal, busy}) {
                /** @type {(number | null)[]} */
                const cells = view.game_state.cells;
                const won = winning(cells);
                fill(board, CELLS.map((cell, i) => {
                    const owner = cells[i];
                    const move = legal.moves.find((m) => m.cell === cell);
                    const what = owner === null ? table.t('free')
                        : table.names()[owner];
                    return h('button', {
                        'aria-label': table.t('cell', {cell, what}),
                        'aria-disabled': !move || busy ? 'true' : undefined,
                        'data-why': !move && !busy && table.you !== null
                            && whyNot(table, {verb: 'place', cell}) || undefined,
                        'data-key': cell,
                        class: won.includes(i) && 'won',
                        'data-move': move && !busy && JSON.stringify(move),
                        onclick: () => move && !busy &&
                            table.send(move).catch(() => {}),
                    }, owner !== null && sign(owner));
                }));
                fix();
            },
            destroy: end,
            point(places) {
                for (const button of board.children)
                    button.classList.toggle('told', places.includes(
                        button.getAttribute('data-key') ?? ''));
            },
            head: (seat) => ({line: h('span', {class: 'ttt-sign'},
                sign(seat))}),
        };
    },
};
