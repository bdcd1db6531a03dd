// telling.js -- an event of any game in a sentence.

import {clock, human} from './games.js';
import {t} from './i18n.js';

/** @typedef {import('./types.js').Event} GameEvent */
/** @typedef {import('./types.js').Table} Table */
/** @typedef {import('./types.js').GameModule} GameModule */

/** An event in a sentence. @param {GameEvent} event @param {Table} table
 * @param {GameModule} module */
export function sentence(event, table, module) {
    const own = module.describe?.(event, table);
    if (own)
        return own;
    const names = table.names();
    const name = names[event.seat ?? -1] ?? '';
    const timed = clock?.tell(event, names);
    if (timed)
        return timed;
    const plain = {
        joined: t('{name} sits down.', {name}),
        left: t('{name} gets up.', {name}),
        nonce: t('{name} gives a part of the key of the draws.', {name}),
        started: t('The game begins.'),
        undone: t('{name} takes a move back.', {name}),
        resigned: t('{name} gives up.', {name}),
        abandoned: t('The table is abandoned.'),
        renamed: t('{name} has another name.', {name}),
        restored: t('The server went on from a backup.'),
        rewound: t('The game goes back to an earlier move.'),
        replaced: t('{name} takes over a seat.', {name}),
    }[event.kind];
    if (plain)
        return plain;
    const word = table.rules.events.find((e) => e.name === event.kind);
    const args = (word?.arguments ?? [])
        .filter((arg) => event[arg.name] !== undefined)
        .map((arg) => event[arg.name] === null ? '?'
            : arg.form === 'seat' ? names[event[arg.name]]
                : arg.form === 'flag'
                    ? (event[arg.name] ? t('yes') : t('no'))
                    : arg.form === 'word' ? human(event[arg.name])
                        : String(event[arg.name]));
    const text = (word?.text ?? human(event.kind)).replace(/\.$/, '');
    return `${name ? `${name}: ` : ''}${text}` +
        `${args.length > 0 ? ` (${args.join(', ')})` : ''}.`;
}
