// ahead.js -- looking ahead: from a position that one may see, moves are tried for
// all seats, in the core of the page, as a tree with comments.
//
//     #ahead/ID/PLY/AS    a table, as seen by AS: a seat, `watcher`, `all`
//     #ahead/record/PLY/AS    a game from a file
//
// To the table's frame (table.js) it is a feed, as records are: what it tells is
// what was tried, and what the frame asks of it is played here.  Nothing of it gets to
// the table; and the page says so, in a colour of its own, as long as it is open.
// What is hidden is guessed once for all of a tree.
//
// Where a game is over the machine can be asked what it would play.  While one is
// being played it is not asked.

import * as core from './core.js';
import {strength} from './create.js';
import {fill, h, styled, typed} from './dom.js';
import {complain, go} from './frame.js';
import {games, rulesOf, server} from './games.js';
import {sentence} from './happened.js';
import {more, t} from './i18n.js';
import * as net from './net.js';
import {canonical} from './patch.js';
import {mark} from './seat.js';
import * as sandbox from './sandbox.js';
import * as studies from './study.js';
import {opened} from './table.js';

/** @typedef {import('./types.js').View} View */
/** @typedef {import('./types.js').Rules} Rules */
/** @typedef {import('./types.js').Move} Move */
/** @typedef {import('./study.js').Node & {world?: import('./sandbox.js').World,
 *     events?: any[], parent?: Place}} Node */
/** @typedef {import('./study.js').Root & {world?: import('./sandbox.js').World,
 *     events?: any[], parent?: undefined}} Root */
/** @typedef {Node | Root} Place */

const DRAWS = 400; // of chance, one after the other: a grid is uncovered
const CHOICES = 60; // of chance that are offered by name
const LATER = 1500; // ms until what was changed is kept
const TURN = 40; // plies of a last turn that are gone back

/** @param {string} as @returns {number} */
const viewerOf = (as) => as === 'all' ? core.ALL
    : as === 'watcher' ? core.WATCHER : Number(as);

/** @param {Place} place @returns {place is Node} */
const isMove = (place) => 'move' in place;

/** What stands where a table's feed would. */
class Ahead {
    /** @param {any} about @param {Rules} rules @param {View} view
     * @param {any} source What tells of the table: a feed.
     * @param {import('./study.js').Study} study @param {string} as */
    constructor(about, rules, view, source, study, as) {
        this.id = about.table;
        this.source = source;
        this.view = view;
        this.rules = rules;
        this.study = study;
        this.address = `ahead/${source.tape ? 'record' : this.id}/${view.ply}/${as}`;
        this.tape = true;
        this.over = source.tape || about.state === 'finished';
        this.about = {...about, pace: null, state: 'playing', spectators: true};
        /** @type {any} */
        this.frame = null;
        /** Told of what is new, when the tree has to be drawn. */
        this.drawn = () => {};
        /** Whom one plays for; null: whoever is waited for.
         * @type {number | null} */
        this.seat = null;
        let root = /** @type {Root | undefined} */ (study.find((one) =>
            one.ply === view.ply && one.as === as));
        if (!root) {
            root = {ply: view.ply, as, guess: sandbox.number(), text: '',
                then: []};
            study.push(root);
        }
        /** @type {Root} */
        this.root = root;
        /** @type {Place} */
        this.at = root;
        this.begin();
    }

    /** Plays the whole tree in the world of its guess; what cannot be played any
     * more, as the rules or the guess are others, goes. */
    begin() {
        const world = sandbox.begin(this.view, this.rules,
            viewerOf(this.root.as), this.root.guess);
        if (!world)
            throw {reason: 'no_core', message: t('This position cannot be looked ahead from.')};
        this.root.world = world;
        this.root.events = [];
        /** @param {Place} place */
        const walk = (place) => {
            place.then = place.then.filter((/** @type {Node} */ node) => {
                const came = sandbox.play(
                    /** @type {import('./sandbox.js').World} */ (place.world),
                    node.seat ?? core.NATURE, node.move);
                if (came)
                    Object.assign(node, came, {parent: place});
                return came;
            });
            place.then.forEach(walk);
        };
        walk(this.root);
        this.at = this.root;
        if (this.waits(this.root) === core.NATURE && this.root.then.length === 0)
            this.draw();
    }

    /** Whether there is anything that had to be guessed. */
    hidden() {
        const all = sandbox.seen(
            /** @type {import('./sandbox.js').World} */ (this.root.world),
            this.view, core.ALL, 0);
        return canonical(all.game_state) !== canonical(this.view.game_state);
    }

    /** Who is waited for there: those who are, and chance before all.
     * @param {Place} place */
    waits(place) {
        const {acting, may} = sandbox.who(
            /** @type {import('./sandbox.js').World} */ (place.world));
        if (acting >> core.NATURE & 1)
            return core.NATURE;
        if (this.seat !== null && (acting | may) >> this.seat & 1)
            return this.seat;
        return acting ? 31 - Math.clz32(acting & -acting) : null;
    }

    /** The seats that can move here. */
    able() {
        const {acting, may} = sandbox.who(
            /** @type {import('./sandbox.js').World} */ (this.at.world));
        return this.view.seats.map((_, i) => i)
            .filter((i) => (acting | may) >> i & 1);
    }

    /** Moves that lead to PLACE, from the first on. @param {Place} place
     * @returns {Node[]} */
    path(place) {
        /** @type {Node[]} */
        const moves = [];
        for (let one = place; isMove(one);
            one = /** @type {Place} */ (one.parent))
            moves.unshift(one);
        return moves;
    }

    /** Adds a move where it is not there yet, and goes there; null if it cannot be
     * played. @param {number} seat @param {string} move */
    add(seat, move) {
        const by = seat === core.NATURE ? null : seat;
        let node = /** @type {Node | undefined} */ (this.at.then.find((one) =>
            one.seat === by && one.move === move));
        if (!node) {
            const came = sandbox.play(
                /** @type {import('./sandbox.js').World} */ (this.at.world),
                seat, move);
            if (!came)
                return null;
            node = {seat: by, move, text: '', then: [], ...came,
                parent: this.at};
            this.at.then.push(node);
            this.changed();
        }
        this.at = node;
        return node;
    }

    /** Lets chance move as long as it is its turn; once, if there is a CHOICE.
     * @param {string} [choice] */
    draw(choice) {
        if (choice)
            this.add(core.NATURE, choice);
        for (let n = 0; n < DRAWS && this.waits(this.at) === core.NATURE; n++)
            this.add(core.NATURE, sandbox.draw(
                /** @type {import('./sandbox.js').World} */ (this.at.world),
                sandbox.number()));
    }

    /** A move of who is waited for, with what chance answers: the line that there
     * is, or a new draw. @param {number} seat @param {string} move */
    play(seat, move) {
        const before = this.path(this.at).length;
        if (!this.add(seat, move))
            return false;
        while (this.waits(this.at) === core.NATURE && this.at.then.length > 0)
            this.at = /** @type {Node} */ (this.at.then[0]);
        this.draw();
        this.show(this.path(this.at).slice(before)
            .flatMap(({events}) => events ?? []));
        return true;
    }

    /** @param {Place} place */
    go(place) {
        this.at = place;
        this.show();
    }

    /** What is here goes, with all that follows. */
    drop() {
        const {at} = this;
        if (!isMove(at))
            return;
        const parent = /** @type {Place} */ (at.parent);
        parent.then = parent.then.filter((one) => one !== at);
        this.at = parent;
        while (isMove(this.at) && this.waits(this.at) === core.NATURE)
            this.at = /** @type {Place} */ (this.at.parent);
        this.changed();
        this.show();
    }

    /** Another guess of what is hidden: the moves are tried in it. */
    guess() {
        this.root.guess = sandbox.number();
        this.changed();
        this.begin();
        this.show();
    }

    changed() {
        this.saves?.();
    }

    /** What is kept of it, after a while. @type {(() => void) | null} */
    saves = null;

    /** The view from here. @returns {View} */
    seen() {
        const waits = this.waits(this.at);
        const viewer = waits === null ? core.ALL
            : waits === core.NATURE ? core.WATCHER : waits;
        return sandbox.seen(
            /** @type {import('./sandbox.js').World} */ (this.at.world),
            this.view, viewer, this.path(this.at).length);
    }

    /** @param {any[]} [events] Of a move that leads here. */
    show(events) {
        const view = this.seen();
        this.frame.changed(view, events ? view.ply - 1 : null, events ?? []);
        this.drawn();
    }

    /** As net.ask() of a table. @param {string} method @param {any} [params] */
    ask = async (method, params) => {
        switch (method) {
        case 'table.move': {
            if (!this.play(this.frame.view.you, core.words(params.move)))
                throw {reason: 'illegal_move', message: t('That cannot be played here.')};
            return {};
        }
        case 'table.replay':
            return {plies: this.path(this.at).map(({seat, events}, i) => ({
                ply: i + 1, at: null, kind: 'move', seat, events}))};
        case 'table.at':
            return {view: this.seen()};
        default:
            return {table: this.about};
        }
    };

    /** Whose move is tried. @param {View} view @param {string[]} names */
    tries = (view, names) => view.you === null
        ? t('Analysis: the game is over here.')
        : t('Analysis: {name} to move', {name: names[view.you]});

    /** @param {any} frame */
    tell(frame) {
        this.frame = frame;
        frame.changed(this.seen(), null, []);
    }

    close() {}
}

// ---- what stands around the board ----------------------------------------------

/** Banner, tree and what can be done with it. @param {Ahead} ahead
 * @param {string} where What the table's own address is. @param {boolean} keeps
 * Whether it is kept on the server. @param {string[] | null} levels Of bots, with
 * whom or with people one can play on; null: one cannot. @param {boolean} back
 * Whether it begins before the position that was asked for. */
function around(ahead, where, keeps, levels, back) {
    const tree = h('div', {class: 'tree', role: 'group', 'aria-label': t('What was tried'),
        tabindex: '0'});
    const text = h('textarea', {rows: 3, maxlength: 2000,
        'aria-label': t('Comment'), placeholder: t('What do you think of it?'),
        oninput: () => { // not when it is left: by a click on what is drawn anew
            ahead.at.text = typed(text.value);
            ahead.changed();
            drawTree();
        }});
    const tools = h('div', {class: 'row'});
    const told = h('p', {class: 'small', role: 'status'});
    const state = h('p', {class: 'small muted', role: 'status'});
    const banner = h('p', null);

    /** @param {any[]} events */
    const said = (events) => events.map((event) => sentence(event,
        ahead.frame.table('watch'), ahead.frame.module)).filter(Boolean);

    /** What a chip says: a move, and chance's answer to it.
     * @param {Node} node @param {Node} last Of those that it stands for. */
    function chip(node, last) {
        const all = [];
        for (let one = /** @type {Place} */ (last); isMove(one);
            one = /** @type {Place} */ (one.parent)) {
            all.unshift(...said(one.events ?? []));
            if (one === node)
                break;
        }
        const [first = node.move, ...rest] = all;
        return h('button', {type: 'button', class: 'chip', title: all.join(' '),
            'aria-current': ahead.at === last && 'step',
            'data-key': `chip-${ahead.path(last).map(({move}) => move).join(';')}`,
            onclick: () => ahead.go(last)},
        node.seat === null ? h('span', {'aria-hidden': 'true'}, '⚄ ')
            : mark(node.seat),
        first, rest.length > 0 && h('span', {class: 'muted'},
            ` ${t('and {n} more', {n: rest.length})}`));
    }

    /** A line from PLACE on, and the lines that leave it.
     * @param {Place} place @returns {any[]} */
    function line(place) {
        /** @type {any[]} */
        const shown = [];
        let at = place;
        while (at.then.length > 0) {
            const [main, ...others] = /** @type {Node[]} */ (at.then);
            const last = answered(main);
            shown.push(chip(main, last), note(last));
            if (others.length > 0)
                shown.push(h('ul', null, others.map((other) => {
                    const end = answered(other);
                    return h('li', null, chip(other, end), note(end),
                        line(end));
                })));
            at = last;
        }
        return shown;
    }

    /** The last of what chance answered, without a choice. @param {Node} node */
    function answered(node) {
        let last = node;
        while (last.then.length === 1 && last.then[0].seat === null &&
            last.text === '')
            last = /** @type {Node} */ (last.then[0]);
        return last;
    }

    /** @param {Place} place */
    const note = (place) => place.text !== '' &&
        h('q', {class: 'note'}, place.text);

    function drawTree() {
        const {at, root} = ahead;
        const begin = h('button', {type: 'button', class: 'chip',
            'aria-current': at === root && 'step', 'data-key': 'chip',
            onclick: () => ahead.go(root)}, t('Ply {n}', {n: root.ply}));
        fill(tree, begin, note(root), line(root));
    }

    function draw() {
        drawTree();
        text.value = ahead.at.text;
        fill(tools, parts());
        tree.querySelector('[aria-current]')?.scrollIntoView({block: 'nearest'});
    }

    function parts() {
        const {at} = ahead;
        const able = ahead.able();
        const you = ahead.frame.view.you;
        const back = before(at);
        return [
            h('button', {type: 'button', 'data-key': 'back', disabled: !back,
                onclick: () => back && ahead.go(back)}, t('Back')),
            h('button', {type: 'button', 'data-key': 'drop',
                disabled: !isMove(at), onclick: () => ahead.drop()},
            t('Drop from here')),
            able.length > 1 && h('label', {class: 'row'}, t('Play for'),
                h('select', {'data-key': 'seat', onchange: (
                    /** @type {any} */ event) => {
                    ahead.seat = Number(event.target.value);
                    ahead.show();
                }}, able.map((seat) => h('option', {value: seat,
                    selected: seat === you}, ahead.frame.names()[seat])))),
            ...chance() ?? [],
            ahead.over && you !== null && h('button', {type: 'button',
                'data-key': 'machine', onclick: () => ask(you)},
            t('What would the machine play?')),
        ];
    }

    /** The position before the last move, with what chance answered to it.
     * @param {Place} at @returns {Place | null} */
    function before(at) {
        let one = at;
        do {
            if (!isMove(one))
                return null;
            one = /** @type {Place} */ (one.parent);
        } while (isMove(one) && ahead.waits(one) === core.NATURE);
        return one;
    }

    /** Chance's answer to the last move can be drawn again, or chosen. */
    function chance() {
        let one = ahead.at;
        while (isMove(one) && one.seat === null)
            one = /** @type {Place} */ (one.parent);
        if (one === ahead.at)
            return null;
        const from = one;
        const choices = sandbox.chances(
            /** @type {import('./sandbox.js').World} */ (from.world)) ?? [];
        /** @param {string} [choice] */
        const again = (choice) => {
            ahead.at = from;
            ahead.draw(choice);
            ahead.show();
        };
        return [h('button', {type: 'button', 'data-key': 'draw',
            onclick: () => again()}, t('Draw again')),
        choices.length > 1 && choices.length <= CHOICES && h('select', {
            'aria-label': t('Let chance be …'), 'data-key': 'chance',
            onchange: (/** @type {any} */ event) => event.target.value &&
                again(event.target.value)},
        h('option', {value: ''}, t('Let chance be …')),
        choices.map((choice) => h('option', {value: choice},
            saidOf(from, choice))))];
    }

    /** What a move of chance is in words. @param {Place} from
     * @param {string} move */
    const saidOf = (from, move) => said(sandbox.play(
        /** @type {import('./sandbox.js').World} */ (from.world), core.NATURE,
        move)?.events ?? [])[0] ?? move;

    /** @param {number} seat */
    function ask(seat) {
        fill(told, t('It thinks …'));
        const from = ahead.at;
        setTimeout(() => { // that is shown first
            const move = sandbox.think(
                /** @type {import('./sandbox.js').World} */ (from.world), seat,
                'search');
            if (ahead.at !== from)
                return;
            fill(told);
            if (move && ahead.play(seat, move))
                fill(told, t('The machine would play so, by what that seat sees here. It looks some moves ahead; it is not always right.'));
        }, 50);
    }

    async function save() {
        const record = ahead.over ? await recordOf(ahead).catch(() => null)
            : null;
        const file = URL.createObjectURL(new Blob([studies.annotated(
            {...ahead.about, table: ahead.id}, record,
            studies.kept(ahead.study))], {type: 'application/json'}));
        h('a', {href: file, download: `${ahead.id}.json`}).click();
        setTimeout(() => URL.revokeObjectURL(file), 60000);
    }

    /** Asked again after no answer came, it is the same table: by whom one plays
     * against. @type {{[level: string]: string}} */
    const keys = {};

    /** The game goes on from where the tree begins, at a table of its own.
     * @param {string} level Of bots; '': people take the other seats. */
    async function fork(level) {
        const {view, about: {seats}} = ahead;
        keys[level] ??= net.key();
        const {table} = await net.ask('table.fork', {table: ahead.id,
            ply: ahead.root.ply, ...view.you !== null && {seat: view.you},
            ...level && {bots: Array(seats.length - 1).fill(level)},
            key: keys[level]});
        delete keys[level];
        go(`table/${table}`);
    }

    /** @param {string[]} levels */
    function forks(levels) {
        const whom = h('select', {'aria-label': t('Against'), 'data-key': 'whom'},
            levels.map((level) => h('option', {value: level}, strength(level))),
            h('option', {value: ''}, t('people, whom I invite')));
        const button = h('button', {type: 'button', 'data-key': 'fork-go',
            onclick: () => {
                button.disabled = true;
                fork(whom.value).catch(complain).finally(() =>
                    button.disabled = false);
            }}, t('Play from here'));
        return h('details', {'data-key': 'fork'},
            h('summary', null, t('Play on from ply {n}', {n: ahead.root.ply})),
            h('p', {class: 'small muted'}, ahead.over
                ? t('A new table that begins in this position.')
                : t('A new table that begins in this position, what you cannot see being guessed. Nobody sees it whom you do not invite; they see what you know.')),
            h('div', {class: 'row'}, whom, button));
    }

    const hidden = ahead.hidden();
    fill(banner, h('strong', null, t('This is analysis, not the table.')), ' ',
        t('Nothing that you do here is played, and nobody sees it.'), ' ',
        hidden && t('What you cannot see at the table is guessed.'), ' ',
        back && t('The game was over there: it begins with its last turn.'));
    ahead.drawn = () => {
        fill(told);
        draw();
    };
    let timer = 0;
    let unkept = false;
    async function keep() {
        clearTimeout(timer);
        if (!unkept)
            return;
        unkept = false;
        const all = studies.written(studies.kept(ahead.study));
        if (new TextEncoder().encode(all).length > studies.BYTES) {
            fill(state, t('That is more than can be kept: drop some of it, or save it as a file.'));
            return;
        }
        try {
            await net.ask('table.study', {table: ahead.id, text: all});
            fill(state, t('Kept with your notes of this table.'));
        } catch (why) {
            unkept = true;
            complain(why);
        }
    }
    ahead.saves = () => {
        unkept = keeps;
        clearTimeout(timer);
        if (keeps)
            timer = window.setTimeout(keep, LATER);
    };
    fill(state, keeps ? t('What you try is kept with your notes of this table.')
        : t('It is kept nowhere: save it as a file if you want it again.'));
    return {
        node: h('section', {class: 'card panel ahead', 'aria-label': t('Analysis')},
            h('div', {class: 'head'}, h('h2', null, t('Analysis')),
                h('a', {class: 'button', 'data-key': 'table', href: `#${where}`},
                    t('Back to the table'))),
            banner, tree, text, tools, told,
            h('div', {class: 'row'},
                hidden && h('button', {type: 'button', 'data-key': 'guess',
                    onclick: () => ahead.guess()}, t('Guess anew')),
                h('button', {type: 'button', 'data-key': 'save',
                    onclick: () => save().catch(complain)},
                t('Save as a file')), state),
            levels && forks(levels)),
        draw,
        /** It is kept before one goes. */
        close: () => keep(),
    };
}

/** The lines of the table's record. @param {Ahead} ahead
 * @returns {Promise<string[]>} */
async function recordOf(ahead) {
    const lines = [];
    let from = 0;
    do {
        const answer = await ahead.source.ask('table.record',
            {table: ahead.id, from});
        lines.push(...answer.lines);
        from = answer.next;
    } while (from);
    return lines;
}

// ---- the page -------------------------------------------------------------------

/** What tells of the table, with what stands outside its views, and the study of
 * it. @param {string} id */
async function sourceOf(id) {
    if (id === 'record') {
        const {tape} = await import('./record.js');
        const one = tape();
        if (!one)
            throw {reason: 'no_record', message: t('Open the file with the record first.')};
        return {source: one, about: one.about, study: one.study};
    }
    await net.known();
    const [{table: about}, kept] = await Promise.all([
        net.ask('table.get', {table: id}),
        net.status.user ? net.ask('table.study', {table: id}) : {text: ''}]);
    return {source: {ask: net.ask, tape: false}, about,
        study: studies.read(kept.text)};
}

/** VIEW; of a game that was given up, as it stood while it was played: it could
 * have gone on. @param {any} source @param {View} view @param {any} asked
 * @returns {Promise<View>} */
async function playable(source, view, asked) {
    const same = (/** @type {View} */ one) =>
        canonical(one.game_state) === canonical(view.game_state);
    let one = view;
    while (one.state !== 'playing' && one.ply > 0 && same(one))
        one = (await source.ask('table.at', {...asked, ply: one.ply - 1})).view;
    return one.state === 'playing' && same(one) ? {...one, ply: view.ply} : view;
}

/** Those who have to move, told apart from others. @param {View} view */
const awaited = (view) => view.state === 'playing'
    ? view.seats.map(({acting}) => Number(acting)).join('') : '';

/** VIEW; if nothing can be tried there, as the game was over, where its last turn
 * began. @param {any} source @param {View} view @param {any} asked
 * @returns {Promise<View>} */
async function lastTurn(source, view, asked) {
    const before = async (/** @type {View} */ {ply}) =>
        (await source.ask('table.at', {...asked, ply: ply - 1})).view;
    if (view.state !== 'finished')
        return view;
    let one = view;
    while (one.ply > 0 && !awaited(one).includes('1'))
        one = await before(one);
    if (!awaited(one).includes('1'))
        return view; // it was over before anybody moved
    const [turn, most] = [awaited(one), one.ply - TURN];
    while (one.ply > Math.max(0, most)) {
        const earlier = await before(one);
        if (awaited(earlier) !== turn)
            break;
        one = earlier;
    }
    return one;
}

/** @param {string} name @param {string[]} rest */
export default async function page(name, rest) {
    const [id = '', given = '0', asked] = rest;
    const [{source, about, study}] = await Promise.all([sourceOf(id),
        games(), more(), styled('ahead.css')]);
    const over = source.tape || about.state === 'finished';
    const as = asked ?? (over ? 'all' : undefined);
    const from = {table: id, ply: Number(given),
        ...over && {as: /^\d$/.test(as ?? '') ? Number(as) : as}};
    const {view: there} = await source.ask('table.at', from);
    const end = await playable(source, there, from);
    // What somebody has said of the end is read there.
    const view = studies.kept(study).some(({ply}) => ply === end.ply) ? end
        : await lastTurn(source, end, from);
    const {ply} = view;
    if (view !== end)
        history.replaceState(null, '', `#${['ahead', id, ply,
            ...asked ? [asked] : []].join('/')}`);
    if (!await core.load('ahead'))
        throw {reason: 'no_core', message: t('This browser cannot run the rules (no WebAssembly).')};
    if (!view.game_state)
        throw {reason: 'not_started', message: t('The game had not begun there.')};
    const rules = await rulesOf(about.game);
    const ahead = new Ahead(about, {...rules, revision: about.revision}, view,
        source, study, as ?? (view.you === null ? 'watcher' : String(view.you)));
    const shown = await opened(ahead.about, /** @type {any} */ (ahead), []);
    const where = `${source.tape ? 'record' : `table/${id}`}/${ply}`;
    const mine = !source.tape && Boolean(net.status.user);
    const forks = mine && (over || !about.rated) && view.state === 'playing';
    const side = around(ahead, where, mine,
        forks ? (await server()).bots ?? [] : null, view !== end);
    side.draw();
    shown.node.dataset.ahead = '';
    shown.node.querySelector('.side')?.prepend(side.node);
    return {
        title: t('Analysis'), head: shown.head,
        node: shown.node,
        close: () => {
            side.close();
            shown.close();
        },
        go: () => false,
    };
}
