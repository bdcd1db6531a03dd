// seen.js -- that somebody looks at a table, so that nobody tells them of what
// they have seen.  An open tab is no look, and neither is a connection that
// comes back: a key is, a pointer, or that the window is turned to.

import * as net from './net.js';

const EVERY_MS = 30000;
const SIGNS = ['keydown', 'pointerdown', 'pointermove', 'wheel', 'focus'];

/** When each table was told of last. @type {Map<string, number>} */
const told = new Map();

/** @param {string} table */
function saw(table) {
    const now = Date.now();
    if (document.hidden || !document.hasFocus() || !net.status.user ||
        now - (told.get(table) ?? -Infinity) < EVERY_MS)
        return;
    told.set(table, now);
    net.ask('table.seen', {table}).catch(() => {}); // the next one will do
}

/** Whoever comes to TABLE looks at it, and from then on by what they do; until
 * the function that is returned is called. @param {string} table */
export function look(table) {
    const see = () => saw(table);
    for (const sign of SIGNS)
        addEventListener(sign, see, {passive: true});
    see();
    return () => {
        for (const sign of SIGNS)
            removeEventListener(sign, see);
    };
}
