// guide.js -- a first game that is led: a whole game against the machine in the core
// of the page, where it is said at each decision what one might do next and why, and
// the thing to click is ringed.
//
//     #guide/GAME
//
// To the table's frame (table.js) it is a feed, as analysis is (ahead.js).  What is
// said comes from the core (core/guide.h); the move that it is about is the
// machine's advice, and any other may be played.  It is kept in this browser, and
// taken up again where it was left.

import * as core from './core.js';
import {fill, h, styled} from './dom.js';
import {complain} from './frame.js';
import {games, rulesOf} from './games.js';
import {next, partOf, reveal, ring} from './guide_point.js';
import {lang, more, t} from './i18n.js';
import * as net from './net.js';
import * as sandbox from './sandbox.js';
import {opened} from './table.js';

/** @typedef {import('./types.js').View} View */
/** @typedef {import('./types.js').Rules} Rules */
/** @typedef {import('./types.js').Move} Move */
/** @typedef {{seat: number, move: string, events: any[],
 *     world: import('./sandbox.js').World}} Ply */
/** @typedef {{revision: number, seed: number, told: string[],
 *     moves: [number, string][]}} Kept */

const YOU = 0, BOT = 1;
const FIRST = 1; // the chance of everybody's first game
const PLIES = 5000;

/** What this browser keeps of it. @param {string} game @returns {Kept | null} */
function kept(game) {
    try {
        return JSON.parse(localStorage.getItem(`guide.${game}`) ?? 'null');
    } catch {
        return null;
    }
}

/** What stands where a table's feed would. */
class Lesson {
    /** @param {Rules} rules @param {Kept | null} was */
    constructor(rules, was) {
        this.id = `guide/${rules.name}`;
        this.address = this.id;
        this.rules = rules;
        this.tape = true;
        /** It is nobody's table: nothing to give up, nothing to vote on. */
        this.tries = () => null;
        /** @type {any} */
        this.frame = null;
        this.guide = sandbox.guided(rules.name, lang);
        const names = [net.status.user?.name ?? t('Learner'), t('Bot')];
        /** What stands around each view. @type {View} */
        this.view = {table: this.id, game: rules.name, ply: 0, state: 'playing',
            seats: names.map((name) => ({name, acting: false, may: false,
                score: 0, resigned: false})),
            you: YOU, decision: null, undo: null, game_state: null,
            score_now: [], result: null};
        this.about = {table: this.id, game: rules.name, state: 'playing',
            revision: rules.revision, options: this.guide.options,
            seats: names.map((name, i) => ({user: null, name, seat: i})),
            invited: [], pace: null, spectators: true, start: 'full',
            private: true, created: Date.now()};
        /** Told of what is new. */
        this.changed = () => {};
        /** @type {Ply[]} */
        this.plies = [];
        /** @type {string[]} */
        this.told = [];
        this.first = sandbox.fresh(rules, this.guide.options);
        this.seed = FIRST;
        this.start(was?.revision === rules.revision ? was : null);
    }

    /** From the beginning, or where it was left. @param {Kept | null} was
     * @param {number} [seed] */
    start(was, seed = FIRST) {
        this.seed = was?.seed ?? seed;
        this.told = was?.told ?? [];
        this.plies = [];
        for (const [seat, move] of was?.moves ?? [])
            if (!this.add(seat, move))
                break;
        this.goOn();
    }

    /** The world after so many plies. @param {number} plies
     * @returns {import('./sandbox.js').World} */
    after(plies) {
        return this.plies[plies - 1]?.world ?? this.first;
    }

    /** The world as it is now. */
    get world() {
        return this.after(this.plies.length);
    }

    /** @param {number} seat @param {string} move */
    add(seat, move) {
        const came = sandbox.play(this.world, seat, move);
        if (came)
            this.plies.push({seat, move, ...came});
        return came !== null;
    }

    /** Lets chance and the opponent move until one is waited for. */
    goOn() {
        while (this.plies.length < PLIES && this.goes())
            continue;
        this.keep();
    }

    /** The next move that is not one's own; whether there was one. */
    goes() {
        const {acting, may} = sandbox.who(this.world);
        if (acting >> core.NATURE & 1) {
            const number = this.seed + Math.imul(this.plies.length, 0x9e3779b1);
            return this.add(core.NATURE,
                sandbox.draw(this.world, number >>> 0));
        }
        const move = (acting | may) >> BOT & 1
            ? sandbox.think(this.world, BOT, 'greedy') : null;
        return move !== null && this.add(BOT, move);
    }

    keep() {
        try {
            localStorage.setItem(`guide.${this.rules.name}`, JSON.stringify({
                revision: this.rules.revision, seed: this.seed, told: this.told,
                moves: this.plies.map(({seat, move}) => [seat, move])}));
        } catch {
            // for this visit only, then
        }
    }

    /** What is next. */
    hint() {
        const told = this.guide.steps.reduce((set, name, i) =>
            set | Number(this.told.includes(name)) << i, 0);
        return sandbox.hint(this.world, YOU, told);
    }

    /** A step has been told. @param {string | null | undefined} step */
    learnt(step) {
        if (step && !this.told.includes(step))
            this.told.push(step);
        this.keep();
    }

    /** @param {number} [plies] After how many. @returns {View} */
    seen(plies = this.plies.length) {
        return sandbox.seen(this.after(plies), this.view, YOU, plies);
    }

    /** Shows what has happened since FROM, ply by ply. @param {number} from */
    show(from) {
        for (let ply = from + 1; ply <= this.plies.length; ply++)
            if (ply === this.plies.length || this.plies[ply - 1].seat !== core.NATURE)
                this.frame.changed(this.seen(ply), ply - 1, this.since(ply));
        this.changed();
    }

    /** What a ply has brought, with what chance did before it.
     * @param {number} ply */
    since(ply) {
        let from = ply - 1;
        while (from > 0 && this.plies[from - 1].seat === core.NATURE
            && this.plies[from].seat !== YOU)
            from--;
        return this.plies.slice(from, ply).flatMap(({events}) => events);
    }

    /** The game is another one, or again as it was: nothing is shown any more of
     * what is gone. */
    anew() {
        this.frame.past.clear();
        this.frame.replay.end();
        this.frame.happened?.since.close(true);
        this.frame.changed(this.seen(), null, []);
    }

    /** Back to one's own last move. */
    back() {
        let at = this.plies.length - 1;
        while (at >= 0 && this.plies[at].seat !== YOU)
            at--;
        if (at < 0)
            return;
        this.plies.length = at;
        this.goOn();
        this.anew();
        this.changed();
    }

    /** As net.ask() of a table. @param {string} method @param {any} [params] */
    ask = async (method, params) => {
        const from = this.plies.length;
        switch (method) {
        case 'table.move':
            if (!this.add(YOU, core.words(params.move)))
                throw {reason: 'illegal_move', message: t('That cannot be played here.')};
            this.learnt(this.hinted);
            this.goOn();
            this.show(from);
            return {};
        case 'table.replay':
            return {plies: this.plies.map(({seat, events}, i) => ({
                ply: i + 1, at: null, kind: 'move', seat, events}))};
        case 'table.at':
            return {view: this.seen(params.ply)};
        default:
            return {table: this.about};
        }
    };

    /** The step that is being told. @type {string | null | undefined} */
    hinted = null;

    /** @param {any} frame */
    tell(frame) {
        this.frame = frame;
        frame.changed(this.seen(), null, []);
    }

    close() {}
}

/** What a move does, in a sentence. @param {string} text @param {Move} move
 * @param {any} frame */
function does(text, move, frame) {
    const verb = frame.rules.verbs.find((/** @type {any} */ {name}) =>
        name === move.verb);
    const word = (/** @type {any} */ {name, kind, form}) => {
        const value = move[name], key = `w.${kind}.${value}`;
        const own = t(key, undefined, frame.rules.name);
        return form === 'seat' ? frame.names()[Number(value)]
            : own !== key ? own : value;
    };
    const args = Object.fromEntries((verb?.arguments ?? [])
        .filter((/** @type {any} */ {name}) => name in move)
        .map((/** @type {any} */ arg) => [arg.name, word(arg)]));
    return (text || t(verb?.text ?? '', undefined, frame.rules.name))
        .split('|')
        .map((one) => one.replace(/\{(\w+)\}/g, (all, name) => args[name] ?? all))
        .find((one) => !one.includes('{')) ?? '';
}

/** What is said, and the ring. @param {Lesson} lesson @param {any} frame */
function guide(lesson, frame) {
    const circle = ring();
    const says = h('p', {role: 'status'});
    const tools = h('div', {class: 'row'});
    const node = h('section', {class: 'card guide', 'aria-label': t('Guide')},
        says, tools);
    /** @type {ReturnType<Lesson['hint']>} */
    let hint = null;
    /** @type {Element | null} */
    let to = null;
    let asked = 0;

    /** Rings what is to be clicked, wherever that is by now. */
    function point() {
        asked = 0;
        const looks = hint !== null && hint.part !== 'move';
        const now = !hint || frame.replay.on ? null
            : looks ? node.querySelector('[data-key="guide-first"]')
                : next(frame.node, hint.move);
        if (now !== to) {
            to?.removeAttribute('data-pointed');
            now?.setAttribute('data-pointed', '');
            to = now;
            if (now)
                reveal(now, node, frame.node.querySelector('.rail'));
        }
        circle.around(looks ? partOf(frame.node, hint?.part ?? '') : to);
    }
    const watching = new MutationObserver((records) => {
        if (!records.every(circle.own))
            asked ||= requestAnimationFrame(point);
    });
    watching.observe(document.body, {childList: true, subtree: true,
        attributes: true, attributeFilter: ['data-move', 'data-step', 'disabled',
            'hidden', 'class', 'open', 'aria-disabled', 'data-tab']});

    const button = (/** @type {string} */ key, /** @type {string} */ text,
        /** @type {() => void} */ act, kind = '') => h('button',
        {type: 'button', 'data-key': key, class: kind, onclick: act}, text);

    function goOn() {
        lesson.learnt(hint?.step);
        draw();
    }

    /** Has it seen and reached by key. */
    function show() {
        const place = /** @type {HTMLElement | null} */ (to);
        place?.scrollIntoView({block: 'center', inline: 'center'});
        place?.focus({preventScroll: true});
    }

    /** @param {number} [seed] */
    function again(seed) {
        lesson.start(null, seed);
        lesson.anew();
        draw();
    }

    /** Puts others into the tools: whoever was in them stays there.
     * @param {...import('./dom.js').Child} children */
    function offer(...children) {
        const within = tools.contains(document.activeElement);
        fill(tools, ...children);
        if (within && !tools.contains(document.activeElement))
            tools.querySelector('button')?.focus({preventScroll: true});
    }

    function ended() {
        const {result, score_now: score} = lesson.seen();
        const [won, lost] = [YOU, BOT].map((seat) => result?.places[seat] === 1);
        fill(says, h('strong', null, t('That was a whole game: {mine} to {theirs}.',
            {mine: score[YOU].total, theirs: score[BOT].total})), ' ',
        won && lost ? t('It is a draw. Now play against somebody.')
            : won ? t('You have won. Now play against somebody.')
                : t('Now you know how it goes: the next one is yours.'));
        offer(h('a', {class: 'button main', 'data-key': 'guide-first',
            href: `#new/${lesson.rules.name}`}, t('New table')),
        button('guide-again', t('Another one'), () => again(sandbox.number())));
    }

    function draw() {
        hint = lesson.hint();
        lesson.hinted = hint?.step;
        if (lesson.seen().state === 'finished')
            ended();
        else if (hint) {
            const looks = hint.part !== 'move';
            fill(says, !looks && h('strong', null,
                does(hint.does, hint.move, frame)), ' ', hint.why);
            offer(looks ? button('guide-first', t('Go on'), goOn, 'main')
                : button('guide-first', t('Show me where'), show),
            lesson.plies.some(({seat}) => seat === YOU) && button('guide-back',
                t('Take back'), () => lesson.back()),
            h('span', {class: 'muted small far'}, t('{n} of {all} explained',
                {n: lesson.told.length, all: lesson.guide.steps.length})),
            lesson.told.length > 0 && button('guide-again', t('Begin again'),
                () => again(), 'quiet'));
        }
        point();
    }

    lesson.changed = draw;
    return {
        node, draw,
        close() {
            watching.disconnect();
            cancelAnimationFrame(asked);
            circle.end();
            to?.removeAttribute('data-pointed');
        },
    };
}

/** @param {string} name @param {string[]} rest */
export default async function page(name, rest) {
    const [game = ''] = rest;
    const [all] = await Promise.all([games(), more(), net.known(),
        styled('guide.css')]);
    if (!all.some((one) => one.name === game))
        throw {reason: 'no_such_game', message: t('There is no such game here.')};
    if (!await core.load('ahead'))
        throw {reason: 'no_core', message: t('This browser cannot run the rules (no WebAssembly).')};
    const rules = await rulesOf(game);
    const lesson = new Lesson(rules, kept(game));
    const shown = await opened(lesson.about, /** @type {any} */ (lesson), []);
    const side = guide(lesson, lesson.frame);
    shown.node.dataset.guide = '';
    shown.node.prepend(side.node);
    side.draw();
    return {
        title: t('First game: {game}', {game: rules.title}), head: shown.head,
        node: shown.node,
        close: () => {
            side.close();
            shown.close();
        },
        go: (/** @type {string[]} */ more) => more[0] === game
            && shown.go(more.slice(1)),
    };
}
