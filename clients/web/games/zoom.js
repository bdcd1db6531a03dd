// zoom.js -- a picture that can be fitted, zoomed and moved about: by wheel,
// dragging, two fingers, buttons, and the keys + - 0.

import {h} from '../dom.js';

const MOST = 6;      /* times */
const DRAG = 6;      /* pixels that make a drag of a click */

/**
 * @typedef {object} Zoom
 * @property {HTMLElement} frame What holds the picture.
 * @property {HTMLElement} keys Its buttons, to be put where there is room.
 * @property {(x: number, y: number) => void} reveal Moves so that this point
 *     of the picture is seen.
 */

/**
 * Makes PICTURE, of WIDTH by HEIGHT units, fit the frame that is given back.
 * @param {SVGSVGElement} picture
 * @param {number} width
 * @param {number} height
 * @param {(key: string) => string} t
 * @returns {Zoom}
 */
export function zoom(picture, width, height, t) {
    let scale = 1;
    let [x, y] = [width / 2, height / 2]; /* what is in the middle */
    /** @type {Map<number, {x: number, y: number}>} */
    const fingers = new Map();
    let dragged = false;

    const frame = h('div', {class: 'zoom'}, picture);
    frame.style.setProperty('--ratio', String(width / height));
    const show = () => {
        const [w, v] = [width / scale, height / scale];
        x = Math.min(Math.max(x, w / 2), width - w / 2);
        y = Math.min(Math.max(y, v / 2), height - v / 2);
        picture.setAttribute('viewBox', `${x - w / 2} ${y - v / 2} ${w} ${v}`);
        frame.classList.toggle('near', scale > 1);
    };
    /* The picture's point under a point of the screen. */
    const under = (/** @type {number} */ u, /** @type {number} */ v) =>
        new DOMPoint(u, v).matrixTransform(
            /** @type {DOMMatrix} */ (picture.getScreenCTM()).inverse());
    const by = (/** @type {number} */ factor, /** @type {DOMPoint | null} */ at) => {
        const next = Math.min(Math.max(scale * factor, 1), MOST);
        if (at) {
            x = at.x + (x - at.x) * scale / next;
            y = at.y + (y - at.y) * scale / next;
        }
        scale = next;
        show();
    };
    const button = (/** @type {string} */ text, /** @type {string} */ key,
        /** @type {() => void} */ does) =>
        h('button', {type: 'button', class: 'icon', 'aria-label': t(key),
                     title: t(key), onclick: does}, text);
    const whole = () => {
        frame.classList.remove('broad');
        scale = 1;
        show();
    };

    picture.addEventListener('wheel', (event) => {
        if (scale === 1 && event.deltaY > 0)
            return; /* nothing to zoom out of: the page scrolls */
        event.preventDefault();
        by(Math.exp(-event.deltaY / 400), under(event.clientX, event.clientY));
    }, {passive: false});
    picture.addEventListener('pointerdown', (event) => {
        if (fingers.size === 0)
            dragged = false;
        fingers.set(event.pointerId, {x: event.clientX, y: event.clientY});
    });
    picture.addEventListener('pointermove', (event) => {
        const was = fingers.get(event.pointerId);
        if (!was)
            return;
        const now = {x: event.clientX, y: event.clientY};
        const far = Math.hypot(now.x - was.x, now.y - was.y);
        if (!dragged && far < DRAG)
            return;
        if (!dragged)
            for (const id of fingers.keys())
                picture.setPointerCapture(id);
        dragged = true;
        const [a, b] = [under(was.x, was.y), under(now.x, now.y)];
        if (fingers.size === 2) {
            const other = [...fingers].filter(
                ([id]) => id !== event.pointerId)[0][1];
            const before = Math.hypot(was.x - other.x, was.y - other.y);
            const after = Math.hypot(now.x - other.x, now.y - other.y);
            by(after / Math.max(before, 1), under(
                (now.x + other.x) / 2, (now.y + other.y) / 2));
        } else {
            x += a.x - b.x;
            y += a.y - b.y;
            show();
        }
        fingers.set(event.pointerId, now);
    });
    for (const end of ['pointerup', 'pointercancel', 'lostpointercapture'])
        picture.addEventListener(end, (event) =>
            fingers.delete(/** @type {PointerEvent} */ (event).pointerId));
    picture.addEventListener('pointerleave', (event) => {
        if (!dragged)
            fingers.delete(event.pointerId);
    });
    picture.addEventListener('click', (event) => {
        if (dragged) {
            event.stopPropagation();
            dragged = false;
        }
    }, true);
    frame.addEventListener('keydown', (event) => {
        if (event.ctrlKey || event.metaKey || event.altKey)
            return;
        if (event.key === '+' || event.key === '-')
            by(event.key === '+' ? 1.3 : 1 / 1.3, null);
        else if (event.key === '0')
            whole();
        else
            return;
        event.preventDefault();
    });
    const keys = h('div', {class: 'zoom-keys'},
        button('+', 'zoom.in', () => by(1.5, null)),
        button('−', 'zoom.out', () => by(1 / 1.5, null)),
        button('⤢', 'zoom.whole', whole),
        button('↔', 'zoom.width', () => {
            scale = 1;
            show();
            frame.classList.add('broad');
        }));
    show();
    return {
        frame,
        keys,
        reveal(u, v) {
            const [w, k] = [width / scale * 0.4, height / scale * 0.4];
            if (Math.abs(u - x) <= w && Math.abs(v - y) <= k)
                return;
            x = Math.min(Math.max(x, u - w), u + w);
            y = Math.min(Math.max(y, v - k), v + k);
            show();
        },
    };
}
