// hadara_wheel.js -- the wheel: who draws from which deck.  One's own seat stays
// at the top, and the ring of colours turns beneath the seats; who sets it turns
// it by hand, by key or by its buttons.

import {add, fill, h, svg} from '../dom.js';
import {mark} from './kit.js';

const PART = 72; // degrees of a segment

/** A point at ANGLE degrees from the top. @param {number} angle
 * @param {number} r */
const spot = (angle, r) => [Math.sin(angle * Math.PI / 180) * r,
                            -Math.cos(angle * Math.PI / 180) * r];
const at = (/** @type {number} */ angle, /** @type {number} */ r) =>
    spot(angle, r).map((n) => n.toFixed(1)).join(' ');

/**
 * @param {import('../types.js').Table} table
 * @param {(color: string) => string} outline Of the sign of a colour.
 * @param {(offset: number) => void} turned Somebody has turned it so.
 */
export function wheelOf(table, outline, turned) {
    const {t} = table;
    const ring = svg('g', {class: 'turns'});
    const seats = svg('g');
    const middle = svg('text', {class: 'epoch', y: 2});
    const step = svg('text', {class: 'step', y: 20});
    const face = svg('svg', {class: 'face', viewBox: '-124 -124 248 248'},
        svg('circle', {class: 'rim', r: 116}), ring,
        svg('circle', {class: 'hub', r: 41}), middle, step, seats,
        svg('path', {class: 'arrow', d: 'M62-97A115 115 0 0 0 36-109.4M43-102.5L35.5-109.6L45-113.4'}));
    const keys = h('div', {class: 'wheel-keys'},
        h('button', {type: 'button', 'data-step': 'wheel-back',
                     onclick: () => by(-1)}, '↻',
        h('span', {class: 'sr'}, t('wheel.back'))),
        h('button', {type: 'button', 'data-step': 'wheel-on', 'data-turns': true,
                     onclick: () => by(1)}, '↺',
        h('span', {class: 'sr'}, t('wheel.on'))));
    const node = h('div', {class: 'wheel'}, face, keys);
    /** @type {{group: SVGElement, upright: SVGElement, count: SVGElement}[]} */
    let parts = [];
    let drawn = '';
    /** How far the ring is turned, in degrees; the offset it stands for. */
    let angle = 0;
    let offset = 0;
    let you = 0;
    let free = false;

    function by(/** @type {number} */ n) {
        turned((offset + n + 5) % 5);
    }

    /* The ring once, where its colours are known. */
    function build(/** @type {(string | null)[]} */ colors) {
        if (drawn === String(colors))
            return;
        drawn = String(colors);
        parts = colors.map((color, n) => {
            const count = svg('text', {class: 'left', y: 15});
            const upright = svg('g', {class: 'upright'}, color && svg('path', {
                class: 'symbol', d: outline(color), 'fill-rule': 'evenodd',
                transform: 'translate(0 -9) scale(1.1)'}), count);
            const group = svg('g', {class: `c-${color}`}, svg('path', {
                class: 'segment', d: `M${at(n * PART - 36, 98)}A98 98 0 0 1 ${
                    at(n * PART + 36, 98)}L${at(n * PART + 36, 42)}A42 42 0 0 0 ${
                    at(n * PART - 36, 42)}Z`}), upright);
            return {group, upright, count};
        });
        fill(ring, parts.map(({group}) => group));
    }

    function turn(/** @type {number} */ to) {
        angle = to;
        ring.style.setProperty('transform', `rotate(${to}deg)`);
        parts.forEach(({upright}, n) => {
            const [x, y] = spot(n * PART, 68);
            upright.style.setProperty('transform',
                `translate(${x}px, ${y}px) rotate(${-to}deg)`);
        });
    }

    /* By hand: it follows, and rests at the segment that is nearest. */
    function held(/** @type {PointerEvent} */ event) {
        if (!free)
            return;
        const box = face.getBoundingClientRect();
        const where = (/** @type {PointerEvent} */ e) => Math.atan2(
            e.clientY - box.y - box.height / 2,
            e.clientX - box.x - box.width / 2) * 180 / Math.PI;
        const from = where(event), was = angle;
        face.setPointerCapture(event.pointerId);
        node.classList.add('held');
        const follow = (/** @type {PointerEvent} */ e) =>
            turn(was + where(e) - from);
        const rest = () => {
            face.removeEventListener('pointermove', follow);
            node.classList.remove('held');
            const n = Math.round(-angle / PART) - you;
            turned((n % 5 + 5) % 5);
        };
        face.addEventListener('pointermove', follow);
        face.addEventListener('pointerup', rest, {once: true});
        face.addEventListener('pointercancel', rest, {once: true});
    }
    face.addEventListener('pointerdown', held);
    face.addEventListener('keydown', (event) => {
        const n = {ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1}[event.key];
        if (!free || !n)
            return;
        event.preventDefault();
        by(n);
    });

    /* Who stands where, and what of it is mine. */
    function stand(/** @type {any} */ state) {
        fill(seats, state.players.map((/** @type {any} */ _,
            /** @type {number} */ seat) => {
            const [x, y] = spot((seat - you + 5) % 5 * PART, 109);
            return svg('g', {class: `who own-${seat}`,
                             transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})`},
                svg('circle', {r: 14.5}), svg('path', {d: mark(seat),
                    transform: 'scale(.95)'}));
        }));
    }

    return {
        node,
        /**
         * @param {any} state
         * @param {number | null} draft The offset it is being turned to.
         */
        update(state, draft) {
            const names = table.names();
            free = draft !== null;
            you = table.you ?? 0;
            build(state.ring);
            offset = draft ?? state.offset ?? 0;
            const set = state.stage === 'choose' || free;
            const top = you + offset + (state.stage === 'choose' ? state.step : 0);
            // The shorter way round.
            const to = -top * PART;
            turn(angle + ((to - angle) % 360 + 540) % 360 - 180);
            state.ring.forEach((/** @type {string | null} */ color,
                /** @type {number} */ n) => {
                if (color)
                    parts[n].count.textContent = t('wheel.left', {n: state.decks[color]});
            });
            middle.textContent = ['', 'I', 'II', 'III'][state.epoch];
            step.textContent = state.stage === 'choose'
                ? t('wheel.step', {n: state.step + 1}) : '';
            seats.replaceChildren();
            if (set)
                stand(state);
            const said = state.players.map((/** @type {any} */ _,
                /** @type {number} */ seat) => `${names[seat]}: ${
                t(state.ring[(seat + top - you + 5) % 5] ?? '')}`);
            face.setAttribute('class', free ? 'face turnable' : 'face');
            face.setAttribute('role', free ? 'slider' : 'img');
            face.setAttribute('aria-label', t('wheel') + (free || !set ? ''
                : `: ${said.join(', ')}`));
            for (const [name, value] of Object.entries({
                tabindex: 0, 'aria-valuemin': 0, 'aria-valuemax': 4,
                'aria-valuenow': offset, 'aria-valuetext': said.join(', ')}))
                if (free)
                    face.setAttribute(name, `${value}`);
                else
                    face.removeAttribute(name);
            keys.hidden = !free;
        },
    };
}

/**
 * Who begins where if the wheel is set so, in words.
 * @param {import('../types.js').Table} table
 * @param {any} state
 * @param {number} offset
 */
export function startsOf(table, state, offset) {
    const list = h('ul', {class: 'starts', 'aria-live': 'polite'});
    return add(list, ...state.players.map((/** @type {any} */ _,
        /** @type {number} */ seat) => {
        const color = state.ring[(seat + offset) % 5];
        return h('li', {class: `c-${color}`},
            svg('svg', {class: `badge own-${seat}`, viewBox: '-10 -10 20 20',
                        'aria-hidden': 'true'}, svg('path', {d: mark(seat)})),
            h('b', null, table.names()[seat]), ' ', h('span', {class: 'chip'}, table.t(color)));
    }));
}
