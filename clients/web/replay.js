// replay.js -- looking back: a slider over the plies, and a link to each.

import {fill, h} from './dom.js';
import {complain, go} from './frame.js';
import {status} from './heads.js';
import {t} from './i18n.js';
import {settings} from './settings.js';

/** @typedef {import('./types.js').View} View */

/** @param {any} frame */
export function replayOf(frame) {
    /** What a ply tells. @type {(ply: any) => any} */
    let entryOf;
    /** @type {any[]} */
    let all = [];
    /** @type {Map<number, View>} */
    const views = new Map();
    /** @type {any} */
    let timer = null;
    let as = '';
    let turn = 0;
    let playing = false;
    const slider = h('input', {type: 'range', min: 0, step: 1,
        'aria-label': t('Ply'), 'data-key': 'ply',
        oninput: () => to(Number(slider.value))});
    const where = h('output', {class: 'small number'});
    const words = h('p', {class: 'small', role: 'status'});
    const auto = h('button', {'data-key': 'auto', onclick: () => play(!playing)});
    const who = h('select', {'aria-label': t('As seen by'), onchange: () => {
        as = who.value;
        views.clear();
        begin(self.ply);
    }});
    const ahead = h('a', {class: 'button', 'data-key': 'ahead'}, t('Analysis'));
    const node = h('section', {class: 'card replay', hidden: true,
        'aria-label': t('Replay'), onkeydown: keys},
    step(-1, '◀', t('One back')), step(1, '▶', t('One on')), slider, where,
    h('div', {class: 'ways'}, auto, h('button', {'data-key': 'mine',
        onclick: sinceMine}, t('Since my last move')), who,
    !frame.feed.tape && h('button', {'data-key': 'copy', onclick: () =>
        import('./asks.js').then(({copy}) => copy(frame), complain)},
    t('Copy the link')),
    ahead, h('a', {class: 'button main', 'data-key': 'live',
        href: `#${frame.feed.address}`}, t('Now'))), words);

    /** @param {number} by @param {string} sign @param {string} text */
    function step(by, sign, text) {
        return h('button', {'aria-label': text, title: text,
            'data-key': `step${by}`, onclick: () => move(by)}, sign);
    }

    /** @param {number} by */
    function move(by) {
        const last = frame.view.ply;
        to(Math.max(0, Math.min(last, self.ply + by)));
    }

    /** @param {KeyboardEvent} event */
    function keys(event) {
        if (event.target === slider || event.target === who)
            return;
        const by = {ArrowLeft: -1, ArrowRight: 1}[event.key];
        if (by)
            move(by);
        else if (event.key === 'Home')
            to(0);
        else if (event.key === 'End')
            to(frame.view.ply);
        else
            return;
        event.preventDefault();
    }

    /** @param {number} ply */
    function to(ply) {
        if (ply !== self.ply)
            history.replaceState(null, '', `#${frame.feed.address}/${ply}`);
        show(ply);
    }

    function sinceMine() {
        const you = frame.view.you;
        const mine = all.filter((ply) => ply.kind === 'move' &&
            ply.seat === you && !ply.undone);
        if (mine.length === 0)
            return;
        to(mine[mine.length - 1].ply);
        play(true);
    }

    /** @param {boolean} on */
    function play(on) {
        playing = on && self.ply < frame.view.ply;
        clearTimeout(timer);
        fill(auto, playing ? t('Pause') : t('Play on'));
        if (playing)
            timer = setTimeout(async () => {
                await show(self.ply + 1);
                history.replaceState(null, '',
                    `#${frame.feed.address}/${self.ply}`);
                if (self.on)
                    play(playing);
            }, settings.animations ? 900 : 1200);
    }

    const given = () => as === '' ? {}
        : {as: /^\d+$/.test(as) ? Number(as) : as};

    /** @param {number} ply @returns {Promise<View>} */
    async function viewAt(ply) {
        const had = views.get(ply);
        if (had)
            return had;
        const {view} = await frame.feed.ask('table.at',
            {table: frame.id, ply, ...given()});
        views.set(ply, view);
        return view;
    }

    /** @param {number} ply */
    async function show(ply) {
        const mine = ++turn;
        const from = self.ply;
        self.ply = ply;
        draw();
        let view;
        try {
            view = await viewAt(ply);
        } catch (why) {
            complain(why);
            play(false);
            return;
        }
        if (mine !== turn || !self.on)
            return;
        ahead.hidden = view.game_state === null;
        const at = all.find((p) => p.ply === ply);
        const events = at ? entryOf(at).events : [];
        frame.show(view, {
            from: from === ply - 1 ? from : null, events,
            legal: {decision: null, moves: [], ranges: []}, busy: false,
        }, 'replay');
        fill(words, events.map((/** @type {any} */ e) => frame.describe(e)).join(' '),
            at?.undone && ` (${t('taken back later')})`);
    }

    function draw() {
        slider.max = String(frame.view.ply);
        slider.value = String(self.ply);
        fill(where, `${self.ply} / ${frame.view.ply}`);
        ahead.setAttribute('href', `#ahead/${frame.feed.tape ? 'record'
            : frame.id}/${self.ply}${as && `/${as}`}`);
    }

    /** @param {number} ply */
    async function begin(ply) {
        self.ply = -1;
        const {plies, ...log} = await import('./happened.js');
        ({entryOf} = log);
        all = await plies(frame, 0, given()).catch((why) => {
            complain(why);
            return [];
        });
        if (self.on)
            show(Math.min(ply, frame.view.ply));
    }

    const self = {
        node,
        on: false,
        ply: 0,
        /** @param {number} ply */
        at(ply) {
            if (self.on) {
                show(Math.min(ply, frame.view.ply));
                return;
            }
            frame.happened?.since.close(true);
            self.on = true;
            self.ply = ply;
            node.hidden = false;
            const over = frame.view.state === 'finished';
            as = over ? 'all' : '';
            who.hidden = !over;
            fill(who, h('option', {value: 'all'}, t('All revealed')),
                h('option', {value: 'watcher'}, t('As a spectator')),
                frame.names().map((/** @type {string} */ name,
                    /** @type {number} */ i) => h('option', {value: i},
                    t('As {name}', {name}))));
            play(false);
            status(frame);
            frame.around?.ending();
            draw();
            begin(ply);
        },
        end() {
            if (!self.on)
                return;
            self.close();
            node.hidden = true;
            views.clear();
            frame.draw(null, []);
        },
        /** The present view is another. */
        changed() {
            if (self.on)
                draw();
        },
        close() {
            self.on = false;
            playing = false;
            clearTimeout(timer);
        },
    };
    return self;
}
