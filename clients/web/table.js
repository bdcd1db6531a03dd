// table.js -- the frame of a table: everything but the game itself.

import * as core from './core.js';
import {dialog, fill, h, shut} from './dom.js';
import {complain, go, loginAddress, say} from './frame.js';
import {human, moduleOf, rulesOf, settingsOf} from './games.js';
import {moment, t} from './i18n.js';
import {join} from './lobby.js';
import {logOf} from './log.js';
import * as net from './net.js';
import {replayOf} from './replay.js';
import {settings} from './settings.js';
import {talkOf} from './talk.js';

/** @typedef {import('./types.js').View} View */
/** @typedef {import('./types.js').Event} GameEvent */
/** @typedef {import('./types.js').Legal} Legal */
/** @typedef {import('./types.js').Move} Move */
/** @typedef {import('./types.js').Rules} Rules */
/** @typedef {import('./types.js').Table} Table */
/** @typedef {import('./types.js').Finality} Finality */
/** @typedef {import('./types.js').GameModule} GameModule */
/** @typedef {import('./types.js').Panel} Panel */

/** @type {Legal} */
const NOTHING = {decision: null, moves: [], ranges: []};

/** A seat's mark: told by colour and by shape. @param {number} seat */
export const mark = (seat) =>
    h('span', {class: `mark mark-${seat} seat-${seat}`, 'aria-hidden': 'true'});

/** What may be done where the core is not there: asked of the server.
 * @param {View} view @returns {Promise<Legal>} */
async function askLegal(view) {
    /** @type {Legal} */
    const all = {decision: null, moves: [], ranges: []};
    let from = 0;
    do {
        const answer = await net.ask('table.legal', {table: view.table, from});
        all.decision = answer.decision;
        all.moves.push(...answer.moves);
        all.ranges.push(...answer.ranges);
        from = answer.next;
    } while (from);
    return all;
}

/** @param {string} name @param {string[]} rest */
export default async function page(name, rest) {
    const id = rest[0] ?? '';
    const about = await net.ask('table.get', {table: id}).then(
        (answer) => answer.table, (why) => {
            if (why.reason !== 'no_such_table')
                throw why;
        });
    if (!about)
        return shutDoor(id);
    const [rules, module] = await Promise.all([
        rulesOf(about.game), moduleOf(about.game), core.load()]);
    const frame = new Frame(about, rules, module);
    await frame.begin();
    frame.go(rest.slice(1));
    return {
        title: rules.title,
        nav: id,
        node: frame.node,
        close: () => frame.close(),
        go: (/** @type {string[]} */ more) => frame.go(more),
    };
}

/** A table that is not there, or not for everybody: of a private one the
 * server says no more. @param {string} id */
function shutDoor(id) {
    const input = h('input', {type: 'password', required: true,
        autocomplete: 'off', maxlength: 64});
    return {
        title: t('There is no such table.'),
        node: h('form', {class: 'narrow card', onsubmit: (
            /** @type {Event} */ event) => {
            event.preventDefault();
            join({table: id}, input.value);
        }},
        h('h1', null, t('There is no such table.')),
        h('p', null, t('Or it is private: for who is invited, or has its password.')),
        net.status.user
            ? [h('label', null, h('span', null, t('Password of the table')),
                input),
            h('button', {class: 'main'}, t('Join'))]
            : h('a', {class: 'button main', href: `#${loginAddress()}`},
                t('Log in'))),
    };
}

class Frame {
    /** @param {any} about @param {Rules} rules @param {GameModule} module */
    constructor(about, rules, module) {
        this.id = about.table;
        this.about = about;
        // An older table goes on by the rules it began with.
        this.rules = {...rules, revision: about.revision};
        this.module = module;
        /** @type {View | null} */
        this.view = null;
        /** @type {View | null} The one that is shown; in replay an older. */
        this.shown = null;
        /** @type {Legal} */
        this.legal = NOTHING;
        this.busy = false;
        /** @type {Panel | null} */
        this.panel = null;
        /** @type {'play' | 'watch' | 'replay'} */
        this.mode = 'watch';
        /** @type {string | undefined} */
        this.mounted = undefined;

        /** @type {(view: View, from: number | null, events: GameEvent[]) =>
         *     void} */
        this.hears = (view, from, events) => this.changed(view, from, events);
        this.turn = h('p', {class: 'turn', role: 'status'});
        this.tools = h('div', {class: 'row'});
        this.root = h('div', {class: 'panel'});
        this.before = h('section');
        this.result = h('section', {class: 'card result', hidden: true});
        this.scores = h('section', {class: 'card'});
        this.foot = h('section', {class: 'foot small muted'});
        this.log = logOf(this);
        this.talk = talkOf(this);
        this.replay = replayOf(this);
        this.node = h('div', {class: 'table'},
            h('div', {class: 'bar'},
                h('h1', null, rules.title), this.turn, this.tools),
            this.replay.node,
            h('div', {class: 'side'}, this.before, this.result, this.root),
            h('div', {class: 'side'}, this.scores, this.log.node,
                this.talk.node),
            this.foot);
    }

    async begin() {
        await net.watch(this.id, this.hears,
            (text) => this.talk.heard(text));
        await this.settled;
        this.log.begin();
        this.talk.begin();
    }

    close() {
        net.unwatch(this.id, this.hears);
        this.replay.close();
        this.panel?.destroy();
        this.closed = true;
    }

    /** @param {string[]} rest What follows the table in the address. */
    go(rest) {
        if (rest.length > 0 && /^\d+$/.test(rest[0]))
            this.replay.at(Number(rest[0]));
        else
            this.replay.end();
        return true;
    }

    /** @returns {string[]} */
    names() {
        const view = this.replay.on ? this.shown : this.view;
        const seats = view?.seats ?? this.about.seats;
        return seats.map((/** @type {any} */ seat, /** @type {number} */ i) =>
            seat.name ?? t('Seat {n}', {n: i + 1}));
    }

    /** Words for an event. @param {GameEvent} event */
    describe(event) {
        return sentence(event, this.table('watch'), this.module);
    }

    /** What the panel is given. @param {Table['mode']} mode
     * @returns {Table} */
    table(mode) {
        return {
            id: this.id,
            game: this.rules.name,
            rules: this.rules,
            you: (this.shown ?? this.view)?.you ?? null,
            mode,
            names: () => this.names(),
            t: (key, args) => t(key, args, this.rules.name),
            settings,
            legal: () => this.legal,
            preview: async (moves) => this.preview(moves),
            send: (move) => this.send(move),
            confirm,
            finalOf: (move) => this.view
                ? core.finality(this.view, this.rules, move)
                : {reveals: true, draws: true, final: true},
            describe: (event) => this.describe(event),
            help: (word) => help(this.rules, word),
            say,
        };
    }

    /** @param {Move[]} moves */
    async preview(moves) {
        const view = this.view;
        if (!view || view.decision === null)
            return null;
        if (core.loaded())
            return core.preview(view, this.rules, moves);
        return net.ask('table.preview', {table: this.id, moves})
            .then((answer) => answer.view, () => null);
    }

    /** @param {Move} move */
    async send(move) {
        const decision = this.view?.decision ?? null;
        if (this.busy || decision === null)
            throw {reason: 'not_your_turn', message: t('It is not your turn.')};
        this.busy = true;
        this.draw(null, []);
        try {
            await net.ask('table.move', {table: this.id, decision, move});
        } catch (why) {
            complain(why);
            throw why;
        } finally {
            this.busy = false;
            if (!this.closed)
                this.draw(null, []);
        }
    }

    /** The view has changed. @param {View} view @param {number | null} from
     * @param {GameEvent[]} events */
    changed(view, from, events) {
        const state = this.view?.state;
        if (this.view && this.view.decision !== view.decision)
            shut('dialog:has([data-about])'); // nobody asks that any more
        this.view = view;
        this.log.heard(view, from, events);
        const local = core.loaded() ? core.legal(view, this.rules) : null;
        if (local || view.decision === null) {
            this.legal = local ?? NOTHING;
            this.settled = Promise.resolve();
            this.draw(from, events);
        } else {
            this.settled = askLegal(view).then((legal) => {
                if (this.view !== view)
                    return;
                this.legal = legal;
                this.draw(from, events);
            }, complain);
        }
        if (state !== undefined && state !== view.state || view.state === 'open')
            this.refresh();
    }

    /** Asks anew what stands outside the view. */
    async refresh() {
        try {
            this.about = (await net.ask('table.get', {table: this.id})).table;
        } catch {
            return;
        }
        this.opening();
        this.ending();
        this.footing();
    }

    /** Shows the present view, unless an older one is being looked at.
     * @param {number | null} from @param {GameEvent[]} events */
    draw(from, events) {
        const view = this.view;
        if (!view || this.closed)
            return;
        this.status();
        this.replay.changed();
        if (this.replay.on)
            return;
        this.show(view, {from, events, legal: this.legal, busy: this.busy},
            view.you !== null && view.state === 'playing' ? 'play' : 'watch');
        this.opening();
        this.ending();
        this.footing();
    }

    /** @param {View} view @param {import('./types.js').Info} info
     * @param {Table['mode']} mode */
    show(view, info, mode) {
        const as = `${mode} ${view.you}`;
        const first = this.panel === null || this.mounted !== as;
        this.shown = view;
        this.scoring(view);
        this.root.hidden = view.game_state === null;
        if (view.game_state === null) {
            this.panel?.destroy();
            this.panel = null;
            fill(this.root);
            return;
        }
        if (first) {
            this.panel?.destroy();
            fill(this.root);
            this.mounted = as;
            this.panel = this.module.mount(this.root, this.table(mode));
        }
        this.panel?.update(view, first ? {...info, from: null} : info);
    }

    // ---- what stands around the panel ------------------------------------------

    status() {
        const view = /** @type {View} */ (this.view);
        const names = this.names();
        const mine = view.you !== null && view.seats[view.you].acting &&
            !this.replay.on;
        const acting = view.seats.map((seat, i) => seat.acting ? names[i] : '')
            .filter(Boolean);
        this.turn.toggleAttribute('data-mine', mine);
        fill(this.turn,
            this.replay.on ? t('Looking back')
                : this.busy ? t('Your move is on its way …')
                : view.state === 'open' ? t('The table is open.')
                    : view.state === 'finished' ? t('The game is over.')
                        : view.state === 'abandoned'
                            ? t('The table is abandoned.')
                            : mine ? t('It is your turn.')
                                : view.decision !== null
                                    ? t('You may move; {names} must.',
                                        {names: acting.join(', ')})
                                    : t('Waiting for {names}.',
                                        {names: acting.join(', ')}));
        const playing = view.you !== null && view.state === 'playing';
        fill(this.tools,
            view.undo !== null && h('button', {'data-key': 'undo',
                onclick: () => this.undo()}, t('Take back')),
            view.state !== 'open' && !this.replay.on &&
                h('a', {class: 'button', href: `#table/${this.id}/${view.ply}`,
                    'data-key': 'look'}, t('Replay')),
            h('a', {class: 'button', href: `#rules/${view.game}`,
                'data-key': 'rules'}, t('Rules')),
            playing && !view.seats[view.you ?? 0].resigned &&
                h('button', {'data-key': 'resign',
                    onclick: () => this.resign()}, t('Give up')));
    }

    async undo() {
        try {
            await net.ask('table.undo',
                {table: this.id, ply: this.view?.undo});
        } catch (why) {
            complain(why);
        }
    }

    async resign() {
        if (!await confirm(this.about.seats.length > 2
            ? t('Give up? Your seat plays on by itself and is placed last.')
            : t('Give up? The other player wins.')))
            return;
        net.ask('table.resign', {table: this.id}).catch(complain);
    }

    /** @param {View} view */
    scoring(view) {
        const names = this.names();
        const parts = this.rules.parts.filter((part) =>
            view.score_now.some((score) => part.name in score.parts));
        const rank = view.result?.places;
        fill(this.scores,
            h('h2', null, view.result ? t('Result') : t('Score now')),
            h('div', {class: 'scroll', tabindex: '0', role: 'region',
                'aria-label': t('Score now')},
            h('table', {class: 'seats'},
                h('thead', null, h('tr', null, h('th', {scope: 'col'},
                    t('Player')), rank && h('th', {scope: 'col',
                    class: 'number'}, t('Place')),
                h('th', {scope: 'col', class: 'number'}, t('Points')))),
                h('tbody', null, view.seats.map((seat, i) => h('tr',
                    {'data-acting': seat.acting},
                    h('th', {scope: 'row'}, mark(i), names[i],
                        i === view.you && h('span', {class: 'muted'},
                            ` (${t('you')})`),
                        seat.resigned && h('span', {class: 'muted'},
                            ` (${t('gave up')})`),
                        seat.acting && h('span', {class: 'unseen'},
                            ` ${t('to move')}`)),
                    rank && h('td', {class: 'number'}, rank[i]),
                    h('td', {class: 'number'},
                        view.score_now[i]?.total ?? '–')))))),
            parts.length > 1 && h('details', {open: this.open,
                ontoggle: (/** @type {any} */ e) =>
                    this.open = e.target.open},
            h('summary', null, t('By category')),
            h('div', {class: 'scroll', tabindex: '0', role: 'region',
                'aria-label': t('By category')},
            h('table', {class: 'small'},
                h('thead', null, h('tr', null, h('td', null),
                    names.map((name, i) => h('th', {scope: 'col',
                        class: 'number'}, mark(i),
                    h('span', {class: 'unseen'}, name))))),
                h('tbody', null, parts.map((part) => h('tr', null,
                    h('th', {scope: 'row'}, this.partOf(part)),
                    view.score_now.map((score) => h('td',
                        {class: 'number'},
                        score.parts[part.name] ?? '')))))))));
    }

    /** A category of points. @param {{name: string, text: string}} part */
    partOf({name, text}) {
        const key = `points.${name}`;
        const own = t(key, undefined, this.rules.name);
        return own === key ? t(text) : own;
    }

    /** Before the start: who sits, who is missing, what will be played. */
    opening() {
        const view = /** @type {View} */ (this.view);
        const about = this.about;
        const me = net.status.user;
        this.before.hidden = view.state !== 'open';
        if (view.state !== 'open')
            return;
        this.before.className = 'card';
        const free = view.seats.filter((seat) => seat.name === null).length;
        const first = about.seats[0]?.user === me?.id && view.you !== null;
        const taken = view.seats.length - free;
        const told = [...settingsOf(this.rules, about),
            about.private ? t('private') : t('public'),
            about.spectators ? '' : t('no spectators'),
            about.start === 'manual' ? t('started by hand')
                : t('starts when all seats are taken')].filter(Boolean);
        const invite = h('input', {'aria-label': t('Name'), maxlength: 24,
            required: true, placeholder: t('Name'), 'data-key': 'invite'});
        fill(this.before,
            h('h2', null, t('Before the game')),
            h('p', null, told.join(' · ')),
            h('ol', null, view.seats.map((seat, i) => h('li', null,
                seat.name ?? h('span', {class: 'muted'}, t('free')),
                i === view.you && ` (${t('you')})`))),
            h('div', {class: 'row'},
                view.you === null && free > 0 && h('button', {class: 'main',
                    'data-key': 'join', onclick: () => join(about)},
                t('Join')),
                first && taken >= this.rules.seats_min && free > 0 &&
                    h('button', {class: 'main', 'data-key': 'start',
                        onclick: () => net.ask('table.start',
                            {table: this.id}).catch(complain)},
                    t('Start with {count}', {count: taken})),
                first && free === 0 && h('button', {class: 'main',
                    'data-key': 'start', onclick: () => net.ask('table.start',
                        {table: this.id}).catch(complain)}, t('Start')),
                view.you !== null && h('button', {'data-key': 'leave',
                    onclick: () => this.leave()}, t('Get up')),
                h('button', {'data-key': 'copy', onclick: () => this.copy()},
                    t('Copy the link'))),
            view.you !== null && h('form', {onsubmit: (
                /** @type {Event} */ event) => {
                event.preventDefault();
                net.ask('table.invite',
                    {table: this.id, name: invite.value}).then(() => {
                    say(t('{name} is invited.', {name: invite.value}));
                    this.refresh();
                }, complain);
            }}, h('div', {class: 'row'}, invite,
                h('button', null, t('Invite')))),
            about.invited.length > 0 && h('p', {class: 'muted'},
                t('Invited: {names}', {names: about.invited.join(', ')})));
    }

    leave() {
        net.ask('table.leave', {table: this.id}).then(() => go(''), complain);
    }

    async copy() {
        const link = `${location.origin}/#table/${this.id}`;
        try {
            await navigator.clipboard.writeText(link);
            say(t('Copied.'));
        } catch { // not on plain http
            await dialog(t('The link'), (close) => [
                h('input', {value: link, readonly: true,
                    'aria-label': t('The link')}),
                h('div', {class: 'row'}, h('button', {class: 'main',
                    onclick: () => close()}, t('Close')))]);
        }
    }

    ending() {
        const view = /** @type {View} */ (this.view);
        const names = this.names();
        this.result.hidden = view.state !== 'finished' || this.replay.on;
        if (view.state !== 'finished' || !view.result)
            return;
        const places = view.result.places;
        const winners = names.filter((_, i) => places[i] === 1);
        const verdict = h('div', {role: 'status'});
        fill(this.result,
            h('h2', null, winners.length > 1
                ? t('{names} share the victory', {names: winners.join(', ')})
                : t('{names} wins', {names: winners[0]})),
            view.result.reason === 'resigned' &&
                h('p', null, t('The others gave up.')),
            h('div', {class: 'row'},
                h('button', {class: 'main', 'data-key': 'verify',
                    onclick: () => this.verify(verdict)},
                t('Verify the game')),
                h('a', {class: 'button', href: `#table/${this.id}/0`},
                    t('Look at it again')),
                h('a', {class: 'button', download: `${this.id}.ndjson`,
                    href: `/api/v1/tables/${this.id}/record`},
                t('Download the record'))),
            verdict);
    }

    /** @param {HTMLElement} verdict */
    async verify(verdict) {
        fill(verdict, h('p', null, t('Replaying every move …')));
        const {verify} = await import('./verify.js');
        const lines = await verify(this.id, this.rules).catch((why) =>
            [{good: false, text: t(why.message ?? String(why))}]);
        fill(verdict, h('ul', {class: 'verdict'}, lines.map((line) =>
            h('li', {class: line.good ? 'good' : 'bad'},
                `${line.good ? '✓' : '✗'} ${line.text}`))));
    }

    footing() {
        const about = this.about;
        fill(this.foot, h('details', {open: this.fair,
            ontoggle: (/** @type {any} */ e) => this.fair = e.target.open},
        h('summary', null, t('Fair draws')),
        h('p', null, t('Before anybody sat down the server fixed the seed of all draws; this is its commitment. When the game is over the seed is published, and the page can check every draw.')),
        h('p', null, h('code', null, about.commitment)),
        about.seed && h('p', null, t('Seed:'), ' ',
            h('code', null, about.seed)),
        h('p', null, t('Table {id}, made {when}.',
            {id: this.id, when: moment(about.created)}))));
    }
}

/**
 * Asks before what cannot be taken back.
 * @param {string} text
 * @param {Finality} [about]
 * @returns {Promise<boolean>}
 */
async function confirm(text, about) {
    if (about && !about.reveals && !about.draws && !about.final)
        return true;
    return await dialog(t('Are you sure?'), (close) => [
        h('p', null, text),
        about && h('p', {class: 'muted', 'data-about': true},
            about.draws ? t('A draw follows: it cannot be taken back.')
                : about.reveals
                    ? t('Something hidden is shown: it cannot be taken back.')
                    : t('It cannot be taken back.')),
        h('div', {class: 'row'},
            h('button', {'data-answer': 'no', onclick: () => close(false)},
                t('Cancel')),
            h('button', {class: 'main', 'data-answer': 'yes', autofocus: true,
                onclick: () => close(true)}, t('Yes')))]) === true;
}

/** An event in a sentence. @param {GameEvent} event @param {Table} table
 * @param {GameModule} module */
export function sentence(event, table, module) {
    const own = module.describe?.(event, table);
    if (own)
        return own;
    const names = table.names();
    const name = names[event.seat ?? -1] ?? '';
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

/** What a word of a game means. @param {any} rules @param {string} word */
export function help(rules, word) {
    for (const list of [rules.verbs, rules.events, rules.parts, rules.reasons,
        rules.options,
        ...rules.glossary.map((/** @type {any} */ {words}) => words)])
        for (const entry of list)
            if (entry.name === word)
                return t(entry.text);
    return '';
}
