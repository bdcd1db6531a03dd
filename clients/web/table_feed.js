// table_feed.js -- hears of a table before there is anything to show it on: it is
// asked for while the script that shows tables is still on its way.

import * as net from './net.js';

/** @typedef {import('./types.js').View} View */
/** @typedef {import('./types.js').Event} Event */
/** @typedef {(view: View, from: number | null, events: Event[]) => void} Hears */

export class TableFeed {
    /** @param {string} id */
    constructor(id) {
        this.id = id;
        /** @type {Parameters<Hears>[]} */
        this.heard = [];
        /** Who shows it. @type {{changed: Hears, talk: any} | null} */
        this.frame = null;
        /** @type {Hears} */
        this.hears = (...news) => this.frame ? this.frame.changed(...news)
            : this.heard.push(news);
        /** Where it is found, after the #. */
        this.address = `table/${id}`;
        this.ask = net.ask;
        /** Whether it is a record and nothing can happen to it any more. */
        this.tape = false;
        /** Says whose move it is where moves are only tried (ahead.js).
         * @type {((view: View, names: string[]) => string) | null} */
        this.tries = null;
        /** What stands outside the view, and the first view itself. */
        this.about = net.ask('table.get', {table: id})
            .then(({table}) => table);
        this.watched = net.watch(id, this.hears,
            (text) => this.frame?.talk?.heard(text)); // else it is asked for
        for (const asked of [this.about, this.watched])
            asked.catch(() => {}); // who waits for it says so
    }

    /** @param {NonNullable<TableFeed['frame']>} frame */
    tell(frame) {
        this.frame = frame;
        for (const news of this.heard.splice(0))
            frame.changed(...news);
    }

    close() {
        net.unwatch(this.id, this.hears);
    }
}
