// record.js -- a game from a file: whoever has a record can look at it here, with
// nobody's table.  The core in the page holds it against the rules first, and
// tells what stood on the table at any ply.

import * as core from './core.js';
import {fill, h} from './dom.js';
import {games, rulesOf} from './games.js';
import {t} from './i18n.js';
import {opened as opens} from './study.js';
import {opened} from './table.js';
import {begin, check, step, Wrong} from './verify.js';

/** @typedef {import('./types.js').View} View */
/** @typedef {import('./types.js').Rules} Rules */

const STATES = ['open', 'playing', 'finished', 'finished', 'finished',
    'abandoned'];
const BYTES = 32 << 20; // of a file; the longest game there can be is shorter
const ADDRESS = 'record';

/** What a seat's clock shows, as views have it. @param {any} of */
const clock = (of) => of && {...of, due: of.due || null,
    absent: of.absent || null};

/** What stands where a table's feed would: it answers what is asked of tables. */
class Tape {
    /** @param {string[]} lines @param {Rules} rules */
    constructor(lines, rules) {
        this.lines = lines;
        this.rules = rules;
        const [header, ...rest] = lines.map((line) => JSON.parse(line));
        this.header = header;
        this.footer = rest.pop();
        this.entries = rest;
        this.id = header.table;
        this.address = ADDRESS;
        this.tape = true;
        this.tries = null;
        /** What was tried, if the file tells. @type {import('./study.js').Study} */
        this.study = [];
        /** The plies as table.replay tells them. @type {any[]} */
        this.plies = [];
        /** Whether the log in the core is this one's, and of which ply. */
        this.log = {number: -1, ply: -1};
        check(lines, rules, [], (line) => this.heard(line));
        this.about = {
            ...header, state: 'finished', ply: rest.length - 1, invited: [],
            seats: header.players.map((/** @type {any} */ player) =>
                ({user: player.account, name: player.name, acting: false})),
            start: 'full', spectators: true, private: false,
        };
    }

    /** @param {any} line */
    heard(line) {
        const {plies} = this;
        const takenBack = line.kind === 'undo' ? [plies[line.undoes]]
            : line.kind === 'rewind' ? plies.slice(line.to + 1) : [];
        for (const ply of takenBack)
            if (ply.kind === 'move')
                ply.undone = true;
        plies.push({...line, events: line.kind === 'move'
            ? core.logLook(core.ALL).events : []});
    }

    /** Has the core's log at PLY. @param {number} ply */
    wind(ply) {
        if (this.log.number !== core.logs || this.log.ply > ply) {
            begin(this.header, this.rules);
            this.log = {number: core.logs, ply: -1};
        }
        while (this.log.ply < ply)
            step(this.entries[++this.log.ply]);
    }

    /** Who sits there before the start, by what has been logged.
     * @param {number} ply @returns {(string | null)[]} */
    sat(ply) {
        /** @type {(string | null)[]} */
        const names = Array(this.header.seats).fill(null);
        for (const {kind, seat, account} of this.entries.slice(0, ply + 1))
            if (kind === 'join')
                names[seat] = this.header.players.find(
                    (/** @type {any} */ player) => player.account === account)
                    ?.name ?? null;
            else if (kind === 'leave')
                names[seat] = null;
        return names;
    }

    /** @param {number} ply @param {number} viewer @returns {View} */
    view(ply, viewer) {
        this.wind(ply);
        const look = core.logLook(viewer);
        const names = look.state === 0 ? this.sat(ply) : this.header.players
            .map((/** @type {any} */ player) => player.name);
        return {
            table: this.id, game: this.header.game, ply,
            state: /** @type {View['state']} */ (STATES[look.state]),
            seats: names.map((/** @type {string | null} */ name,
                /** @type {number} */ i) => ({
                name, acting: Boolean(look.acting >> i & 1),
                may: Boolean(look.may >> i & 1),
                score: look.score[i]?.total ?? 0,
                resigned: Boolean(look.resigned >> i & 1),
                ...clock(look.clocks?.[i]),
            })),
            you: viewer < names.length ? viewer : null,
            decision: null, undo: null, game_state: look.shown,
            score_now: look.score.map(({total, parts}) => ({total, parts})),
            result: STATES[look.state] === 'finished' ? this.footer.result
                : null,
        };
    }

    /** As net.ask() of a table that is over. @param {string} method
     * @param {any} [params] */
    ask = async (method, params) => {
        const viewer = params.as === 'watcher' ? core.WATCHER
            : params.as ?? core.ALL;
        switch (method) {
        case 'table.at':
            return {view: this.view(params.ply,
                viewer === 'all' ? core.ALL : viewer)};
        case 'table.replay':
            return {plies: this.plies.slice(params.from)};
        case 'table.record':
            return {lines: this.lines};
        default:
            return {table: this.about};
        }
    };

    /** @param {any} frame */
    tell(frame) {
        frame.changed(this.view(this.entries.length - 1, core.ALL), null, []);
    }

    close() {}
}

/** @param {string} text @returns {Promise<Tape>} */
async function read(text) {
    const annotated = opens(text);
    const lines = annotated?.record ?? text.split('\n').filter(Boolean);
    /** @type {any} */
    let header;
    try {
        header = JSON.parse(lines[0]);
        lines.forEach((line) => JSON.parse(line));
    } catch {
        throw new Wrong(t('This is no record that this page knows.'));
    }
    if (!(await games()).some((game) => game.name === header.game))
        throw new Wrong(t('This is no record that this page knows.'));
    if (!await core.load('logs'))
        throw new Wrong(t('This browser cannot run the rules (no WebAssembly). Download the record and use `sobremesa verify`.'));
    const rules = await rulesOf(header.game);
    const made = new Tape(lines, {...rules, revision: header.revision});
    made.study = annotated?.study ?? [];
    return made;
}

/** The one that was opened last. @type {Tape | null} */
let last = null;
export const tape = () => last;

/** @param {string} name @param {string[]} rest A ply of the open one. */
export default async function page(name, rest) {
    const node = h('div');
    /** @type {any} */
    let shown = null;
    const wrong = h('p', {class: 'bad', role: 'alert'});
    const input = h('input', {type: 'file', accept: '.ndjson,.json,text/plain',
        onchange: () => input.files?.[0] && open(input.files[0])});
    const form = h('section', {class: 'narrow card',
        ondragover: (/** @type {Event} */ event) => event.preventDefault(),
        ondrop: (/** @type {DragEvent} */ event) => {
            event.preventDefault();
            const file = event.dataTransfer?.files[0];
            if (file)
                open(file);
        }},
    h('h1', null, t('A game from a file')),
    h('p', null, t('The record of a finished game, as its page lets you download it, is checked and shown here, move by move. It stays in this browser.')),
    h('label', null, h('span', null, t('A record (.ndjson)')), input), wrong);

    /** @param {File} file */
    async function open(file) {
        fill(wrong);
        try {
            if (file.size > BYTES)
                throw new Wrong(t('This is no record that this page knows.'));
            last = await read(await file.text());
            await show(['0']);
        } catch (why) {
            if (!(why instanceof Wrong))
                console.error(why);
            fill(wrong, why instanceof Wrong ? why.message
                : t('This is no record that this page knows.'));
        }
    }

    /** @param {string[]} at */
    async function show(at) {
        shown?.close();
        shown = await opened(last?.about, /** @type {any} */ (last), at);
        fill(node, h('p', {class: 'row small'}, t('From a file:'),
            h('code', null, last?.id), h('button', {type: 'button', onclick:
                () => {
                    shown.close();
                    shown = null;
                    fill(node, form);
                }}, t('Another file'))), shown.head, shown.node);
        if (at.length > 0)
            history.replaceState(null, '', `#${ADDRESS}/${at[0]}`);
    }

    if (last && rest.length > 0)
        await show(rest);
    else
        fill(node, form);
    return {
        title: t('A game from a file'), node,
        close: () => shown?.close(),
        go: (/** @type {string[]} */ more) => shown?.go(more) ?? false,
    };
}
