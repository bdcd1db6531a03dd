// table.js -- the frame of a table: everything but the game itself.

import * as core from './core.js';
import {fill, h, shut, styled} from './dom.js';
import {complain, say} from './frame.js';
import {clock, clocks, games, little, moduleOf, rulesOf} from './games.js';
import {heading, status} from './heads.js';
import {t} from './i18n.js';
import * as net from './net.js';
import {look} from './seen.js';
import {settings} from './settings.js';

/** @typedef {import('./table_feed.js').TableFeed} TableFeed */
/** @typedef {import('./types.js').View} View */
/** @typedef {import('./types.js').Event} GameEvent */
/** @typedef {import('./types.js').Legal} Legal */
/** @typedef {import('./types.js').Move} Move */
/** @typedef {import('./types.js').Rules} Rules */
/** @typedef {import('./types.js').Table} Table */
/** @typedef {import('./types.js').GameModule} GameModule */
/** @typedef {import('./types.js').Panel} Panel */

/** @type {Legal} */
const NOTHING = {decision: null, moves: [], ranges: []};

/** @param {string} name @param {string[]} rest @param {TableFeed} feed */
export default async function page(name, rest, feed) {
    try {
        const [about] = await Promise.all([feed.about, games(), feed.watched]);
        return await opened(about, feed, rest.slice(1));
    } catch (why) {
        if (/** @type {any} */ (why).reason !== 'no_such_table')
            throw why;
        feed.close();
        return (await import('./door.js')).shutDoor(feed.id);
    }
}

/** The page of a table that feed hears of. @param {any} about @param {TableFeed} feed
 * @param {string[]} rest */
export async function opened(about, feed, rest) {
    const brief = (await games()).find((game) => game.name === about.game);
    const [module, rules] = await Promise.all([moduleOf(about.game),
        core.loaded() || !brief ? rulesOf(about.game) : little(brief),
        styled('table.css'), clocks([about])]);
    const frame = new Frame(about, rules, module, feed);
    await frame.begin();
    if (rest.length > 0)
        await frame.learning; // what happened is told by the rules
    frame.go(rest);
    return {
        title: rules.title,
        nav: frame.id,
        head: frame.head,
        node: frame.node,
        close: () => frame.close(),
        go: (/** @type {string[]} */ more) => frame.go(more),
    };
}

/** What is not there yet when the board shows. */
export const happened = () => import('./happened.js');

class Frame {
    /** @param {any} about @param {Rules} rules @param {GameModule} module
     * @param {TableFeed} feed */
    constructor(about, rules, module, feed) {
        this.id = about.table;
        this.about = about;
        this.feed = feed;
        /** Whether RULES are all of them, and what there is of the core loaded. */
        this.learnt = core.loaded();
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
        /** The points beside the names. @type {number[]} */
        this.counted = [];
        /** Whether the board is shown as it was before. */
        this.glanced = false;
        /** @type {Map<number, Promise<View | null>>} */
        this.past = new Map();
        /** @type {Panel | null} */
        this.panel = null;
        /** @type {'play' | 'watch' | 'replay'} */
        this.mode = 'watch';
        /** @type {string | undefined} */
        this.mounted = undefined;

        this.turn = h('p', {class: 'turn', role: 'status'});
        // On a phone they come at a button.
        this.tools = h('div', {class: 'tools', id: 'tools', popover: 'auto',
            onclick: () => this.tools.matches(':popover-open') &&
                this.tools.hidePopover()});
        this.back = h('div', {class: 'row'});
        this.keys = h('div', {class: 'row'});
        this.turnbar = h('section', {class: 'turnbar', tabindex: '-1',
            'aria-label': t('Whose turn it is')}, this.turn, this.back,
        this.keys);
        this.set = h('p', {class: 'set small muted'});
        this.setAll = h('p', {class: 'set-all points small muted'});
        this.heads = h('ol', {class: 'heads', 'aria-label': t('Players')});
        this.root = h('div', {class: 'panel'});
        this.rail = h('div', {class: 'panel'});
        this.aside = h('div', {class: 'panel'});
        this.before = h('section', {class: 'card', hidden: true});
        this.result = h('section', {class: 'card result', hidden: true});
        this.scores = h('section', {class: 'card points', hidden: true});
        this.foot = h('section', {class: 'foot small muted points'});
        /** What is in these four: loaded when the board shows. @type {any} */
        this.around = null;
        this.log = h('section', {class: 'card telling log-of'},
            h('h2', null, t('Log')));
        /** What happened since one's last move: its place is kept. */
        this.strip = h('div', {class: 'strip', hidden: true});
        /** What happened: loaded when the board shows. @type {any} */
        this.happened = null;
        /** Chat and notes, with that. @type {any} */
        this.talk = null;
        this.chat = h('section', {class: 'card telling talk-of', hidden: feed.tape},
            h('h2', null, t('Chat')));
        this.replay = this.present();
        this.clock = about.pace ? clock.clockOf(this, () => import('./deeds.js'))
            : null;
        /** The vote that is open, once there was one. @type {Promise<any> | null} */
        this.votes = null;
        // The hand comes before the board for who goes from one to the next.
        this.head = h('div', {class: 'tablebar'},
            h('div', {class: 'titled'}, h('h1', null, rules.title), this.set),
            h('button', {class: 'more', type: 'button', popovertarget: 'tools',
                'aria-label': t('More')}, '⋯'), this.tools);
        const rail = h('div', {class: 'rail'}, this.turnbar, this.rail);
        this.node = h('div', {class: 'table', 'data-tab': 'board'},
            this.replay.node, this.heads, rail,
            this.tabs(), h('div', {class: 'left'},
                this.strip, this.before, this.result, this.root),
            h('div', {class: 'side'}, this.aside, this.log, this.chat,
                this.setAll, this.scores, this.foot));
        // On a phone the strip stands above the turn bar; on a desk the rail begins
        // beside the heads.  Only these are told: all below what has such a size is
        // styled anew, and a board is much.
        const sizes = new ResizeObserver(() => {
            const {heads, turnbar} = this;
            const lift = heads.offsetHeight;
            const {marginBottom} = getComputedStyle(heads);
            this.strip.style.setProperty('--bar', `${turnbar.offsetHeight}px`);
            if (lift)
                rail.style.setProperty('--lift', `calc(${lift}px + ${marginBottom})`);
        });
        sizes.observe(this.turnbar);
        sizes.observe(this.heads);
    }

    /** How this game is told. @returns {import('./log.js').Said} */
    said() {
        const {quiet = [], chapters = [], scenes = [], turns = [],
            gain = () => null, places} = this.module.told ?? {};
        return {quiet, chapters, scenes, turns, gain, places,
            describe: (event) => this.describe(event)};
    }

    /** Shows the board as it was for a moment; null: as it is.
     * @param {View | null} view */
    glance(view) {
        if (this.closed || !view && !this.glanced)
            return;
        this.glanced = view !== null;
        if (!view) {
            this.draw(null, []);
            return;
        }
        status(this);
        this.shown = view;
        this.panel?.update(view, {from: null, events: [], legal: NOTHING,
            busy: false});
        heading(this, view);
    }

    /** What is seen of the table on a phone. */
    tabs() {
        const all = /** @type {[string, string][]} */ ([
            ['board', t('Board')], ['players', t('Players')], ['log', t('Log')]]);
        const buttons = all.map(([tab, text], i) => h('button', {
            type: 'button', 'aria-pressed': String(i === 0),
            onclick: () => show(i)}, text));
        const show = (/** @type {number} */ which) => {
            [this.node.dataset.tab] = all[which];
            buttons.forEach((button, n) =>
                button.setAttribute('aria-pressed', String(n === which)));
        };
        this.toBoard = () => show(0);
        return h('div', {class: 'table-tabs'}, buttons);
    }

    async begin() {
        this.feed.tell(this);
        await this.settled;
        this.hearing = this.hear();
        this.learning = Promise.all([this.learn(), this.hearing,
            net.known()]).then(() => {
            this.look();
            this.happened.log.begin();
            if (this.feed.tape)
                return;
            this.talk.begin();
            this.away = this.closed ? undefined : look(this.id);
        }, complain);
    }

    /** What stands around it is shown. */
    look() {
        if (!this.view || this.closed || !this.around)
            return;
        this.around.scoring(this.shown ?? this.view);
        this.around.show();
    }

    /** Log, strip, chat, and what stands around the table. */
    async hear() {
        await this.panel?.ready;
        const [{aroundOf, confirm, groupsOf, keepFocus, linesOf, logOf, recapOf,
            sentence, talkOf}] =
            await Promise.all([happened(), styled('happened.css')]);
        const [log, since] = [logOf(this), recapOf(this)];
        this.happened = {log, since, confirm, groupsOf, linesOf, sentence};
        this.log.replaceWith(log.node);
        fill(this.strip, since.node, since.latest);
        if (!this.feed.tape) {
            this.talk = talkOf(this);
            this.chat.replaceWith(this.talk.node);
        }
        this.around = aroundOf(this);
        this.look();
        const ends = [log.end, since.end, keepFocus(this)];
        this.happened.end = () => ends.forEach((end) => end());
        if (this.closed)
            this.happened.end();
    }

    /** The rest of the rules, and the core: what one only looks at shows without
     * waiting for them. */
    async learn() {
        if (this.learnt)
            return;
        await this.panel?.ready;
        const [rules] = await Promise.all([rulesOf(this.rules.name),
            core.load()]);
        this.rules = {...rules, revision: this.about.revision};
        this.learnt = true;
        if (!this.module.steady)
            this.mounted = undefined;
        if (this.closed || !this.view)
            return;
        this.consider(this.view, null, []);
        await this.settled;
    }

    /** What stands for looking back until somebody does: then that is loaded.
     * @returns {ReturnType<typeof import('./replay.js').replayOf>} */
    present() {
        /** @type {number | null} */
        let wanted = null;
        let loading = false;
        const none = () => {};
        const node = h('section', {class: 'replay', hidden: true});
        return {
            node, on: false, ply: 0, changed: none, close: none,
            /** @param {number} ply */
            at: async (ply) => {
                wanted = ply;
                if (loading)
                    return;
                loading = true;
                const [{replayOf}] = await Promise.all([import('./replay.js'),
                    this.hearing]); // it tells what happened
                loading = false;
                if (wanted === null || this.closed)
                    return;
                this.replay = replayOf(this);
                node.replaceWith(this.replay.node);
                this.replay.at(wanted);
            },
            end() {
                wanted = null;
            },
        };
    }

    close() {
        this.feed.close();
        this.away?.();
        this.replay.close();
        this.happened?.end?.();
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
        return this.happened.sentence(event, this.table('watch'), this.module);
    }

    /** What the panel is given. @param {Table['mode']} mode
     * @returns {Table} */
    table(mode) {
        const rules = () => this.rules;
        return {
            id: this.id,
            game: this.rules.name,
            get rules() {
                return rules();
            },
            rail: this.rail,
            keys: this.keys,
            aside: this.aside,
            you: (this.shown ?? this.view)?.you ?? null,
            mode,
            names: () => this.names(),
            t: (key, args) => t(key, args, this.rules.name),
            settings,
            legal: () => this.legal,
            preview: async (moves) => this.preview(moves),
            whatIf: (view, steps) => core.loaded()
                ? core.whatIf(view, this.rules, steps) : null,
            brings: (move) => this.view && core.loaded()
                ? core.brings(this.view, this.rules, move) : null,
            whyNot: (move) => this.whyNot(move),
            at: (ply) => this.viewAt(ply),
            send: (move) => this.send(move),
            confirm: async (text, about) => about && !about.reveals
                && !about.draws && !about.final
                || (await happened()).confirm(text, about),
            finalOf: (move) => !this.view
                ? {reveals: true, draws: true, final: true}
                : settings.wholeTurns && this.ends(move) // asked by whole()
                    ? {reveals: false, draws: false, final: false}
                    : core.finality(this.view, this.rules, move),
            help: (word) => help(this.rules, word),
            say,
        };
    }

    /** Why a move cannot be made. @param {Move} move
     * @returns {{rule: string, text: string} | null} */
    whyNot(move) {
        const why = this.view && core.loaded()
            ? core.whyNot(this.view, this.rules, move) : null;
        return why && {rule: why.rule, text: t(why.text, undefined,
            this.rules.name)};
    }

    /** The view at a ply that is past; null if it cannot be had.
     * @param {number} ply @returns {Promise<View | null>} */
    viewAt(ply) {
        let view = this.past.get(ply);
        if (!view) {
            view = this.feed.ask('table.at', {table: this.id, ply})
                .then((answer) => answer.view, () => {
                    this.past.delete(ply); // perhaps the next time
                    return null;
                });
            this.past.set(ply, view);
        }
        return view;
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
        if (settings.wholeTurns && this.ends(move)
            && !await (await import('./asks.js')).whole(this))
            throw {reason: 'not_yet', message: ''};
        this.busy = true;
        this.happened?.since.close(true);
        this.draw(null, []);
        try {
            await this.feed.ask('table.move', {table: this.id, decision, move});
        } catch (why) {
            complain(why);
            throw why;
        } finally {
            this.busy = false;
            if (!this.closed)
                this.draw(null, []);
        }
    }

    /** Whether a move ends one's turn. @param {Move} move */
    ends(move) {
        const {view} = this;
        if (!view || view.you === null || !core.loaded() || !this.happened)
            return false;
        const then = core.preview(view, this.rules, [move]);
        return this.module.ends?.includes(move.verb) || then !== null
            && !then.seats[view.you].acting && (then.state !== 'playing'
                || then.seats.some(({acting}) => acting));
    }

    /** What is heard of it. @param {View | null} before @param {View} view */
    async sound(before, view) {
        const acts = (/** @type {View | null} */ of) => of !== null
            && of.you !== null && of.seats[of.you].acting;
        const kind = view.state !== 'playing' ? 'end'
            : acts(view) && !acts(before) ? 'turn' : 'move';
        (await import('./sound.js')).sound(kind);
    }

    /** The view has changed. @param {View} view @param {number | null} from
     * @param {GameEvent[]} events */
    changed(view, from, events) {
        const state = this.view?.state;
        if (settings.sound && from !== null && events.length > 0)
            this.sound(this.view, view);
        if (this.view && this.view.decision !== view.decision)
            shut('dialog:has([data-about])'); // nobody asks that any more
        this.view = view;
        this.happened?.log.heard(view, from, events);
        this.consider(view, from, events);
        if (state !== undefined && state !== view.state || view.state === 'open')
            this.refresh();
    }

    /** Finds out what is legal now, and shows it all. @param {View} view
     * @param {number | null} from @param {GameEvent[]} events */
    consider(view, from, events) {
        const local = this.learnt && core.loaded()
            ? core.legal(view, this.rules) : null;
        if (local || view.decision === null || !this.learnt) {
            this.legal = local ?? NOTHING;
            this.settled = Promise.resolve();
            this.draw(from, events);
        } else {
            this.settled = import('./asks.js').then(({askLegal}) =>
                askLegal(view)).then((legal) => {
                if (this.view !== view)
                    return;
                this.legal = legal;
                this.draw(from, events);
            }, complain);
        }
    }

    /** Asks anew what stands outside the view. */
    async refresh() {
        try {
            this.about = (await this.feed.ask('table.get', {table: this.id})).table;
        } catch {
            return;
        }
        this.around?.show();
    }

    /** Shows the present view, unless an older one is being looked at.
     * @param {number | null} from @param {GameEvent[]} events */
    draw(from, events) {
        const view = this.view;
        if (!view || this.closed)
            return;
        status(this);
        this.replay.changed();
        if (this.replay.on || this.glanced)
            return;
        this.show(view, {from, events, legal: this.legal, busy: this.busy},
            view.you !== null && view.state === 'playing' ? 'play' : 'watch');
        this.around?.show();
    }

    /** @param {View} view @param {import('./types.js').Info} info
     * @param {Table['mode']} mode */
    show(view, info, mode) {
        const as = `${mode} ${view.you}`;
        const first = this.panel === null || this.mounted !== as;
        this.shown = view;
        this.around?.scoring(view);
        this.root.hidden = view.game_state === null;
        if (view.game_state === null) {
            this.panel?.destroy();
            this.panel = null;
            fill(this.root);
            fill(this.rail);
            fill(this.aside);
            heading(this, view);
            return;
        }
        if (first) {
            this.panel?.destroy();
            fill(this.root);
            fill(this.rail);
            fill(this.aside);
            this.mounted = as;
            this.panel = this.module.mount(this.root, this.table(mode));
        }
        this.panel?.update(view, first ? {...info, from: null} : info);
        this.panel?.told?.(this.happened?.log.known() ?? []);
        heading(this, view);
    }
}

/** What a word of a game means. @param {any} rules @param {string} word */
export function help(rules, word) {
    for (const list of [rules.verbs, rules.events, rules.parts, rules.reasons,
        rules.options,
        ...rules.glossary.map((/** @type {any} */ {words}) => words)])
        for (const entry of list)
            if (entry.name === word)
                return t(entry.text, undefined, rules.name);
    return '';
}
