// zoom.js -- a picture that can be fitted, zoomed and moved about: by wheel,
// dragging, two fingers, buttons, and the keys + - 0.  While it is not seen whole a
// small one tells which part is.

import {h} from '../dom.js';

const MOST = 6;      /* times */
const DRAG = 6;      /* pixels that make a drag of a click */
const TARGET = 24;   /* pixels that a finger can hit */

/**
 * @typedef {object} Zoom
 * @property {HTMLElement} frame What holds the picture.
 * @property {HTMLElement} keys Its buttons, to be put where there is room.
 * @property {(x: number, y: number) => void} reveal Moves so that this point
 *     of the picture is seen.
 * @property {(points: number[][]) => void} reach Moves to the first of these,
 *     if none of them is seen.
 * @property {() => void} refresh The picture is another.
 */

/**
 * Makes PICTURE, of WIDTH by HEIGHT units, fit the frame that is given back.
 * @param {SVGSVGElement} picture
 * @param {number} width
 * @param {number} height
 * @param {(key: string) => string} t
 * @param {{least: number, small: () => Promise<Element>}} more How many units wide
 *     what is hit is: on a phone it begins so close that a finger can; and the
 *     picture as a small one.
 * @returns {Zoom}
 */
export function zoom(picture, width, height, t, {least, small}) {
    let scale = 1;
    let [x, y] = [width / 2, height / 2]; /* what is in the middle */
    /** @type {Map<number, {x: number, y: number}>} */
    const fingers = new Map();
    let dragged = false;

    const part = h('i');
    const map = h('div', {class: 'minimap', hidden: true, 'aria-hidden': 'true',
        onclick: (/** @type {MouseEvent} */ event) => {
            const box = map.getBoundingClientRect();
            x = (event.clientX - box.x) / box.width * width;
            y = (event.clientY - box.y) / box.height * height;
            show();
        }});
    let mapped = false;
    const frame = h('div', {class: 'zoom'}, picture, map);
    frame.style.setProperty('--ratio', String(width / height));
    /* How much of the picture its place shows. */
    const seen = () => {
        const box = picture.getBoundingClientRect();
        const unit = scale * Math.min(box.width / width, box.height / height);
        return unit ? [box.width / unit, box.height / unit]
            : [width / scale, height / scale];
    };
    const show = () => {
        const [w, v] = seen();
        /* Closer, every point can be brought to the middle: from below the keys. */
        [x, y] = scale === 1 ? [width / 2, height / 2]
            : [Math.min(Math.max(x, 0), width), Math.min(Math.max(y, 0), height)];
        picture.setAttribute('viewBox', `${x - w / 2} ${y - v / 2} ${w} ${v}`);
        frame.classList.toggle('near', scale > 1);
        map.hidden = scale === 1;
        for (const [name, share] of Object.entries({left: (x - w / 2) / width,
            top: (y - v / 2) / height, width: w / width, height: v / height}))
            part.style.setProperty(name, `${100 * share}%`);
        if (scale > 1 && !mapped)
            drawMap();
    };
    const drawMap = () => {
        mapped = true;
        small().then((now) => map.replaceChildren(now, part), () => {});
    };
    let begun = false;
    new ResizeObserver(() => {
        const box = picture.getBoundingClientRect();
        const unit = Math.min(box.width / width, box.height / height);
        if (!unit)
            return;
        if (!begun && matchMedia('(max-width: 44rem)').matches
            && least * unit < TARGET)
            scale = Math.min(TARGET / (least * unit), 2);
        begun = true;
        show();
    }).observe(picture);
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
        if (!event.ctrlKey && !event.metaKey)
            return; /* the page scrolls */
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
        reach(points) {
            const [w, k] = seen();
            if (scale === 1 || points.length === 0 || points.some(([u, v]) =>
                Math.abs(u - x) <= w / 2 && Math.abs(v - y) <= k / 2))
                return;
            [[x, y]] = points;
            show();
        },
        refresh() {
            if (scale > 1)
                drawMap();
            else
                mapped = false;
        },
        reveal(u, v) {
            const [w, k] = seen().map((all) => all * 0.4);
            if (Math.abs(u - x) <= w && Math.abs(v - y) <= k)
                return;
            x = Math.min(Math.max(x, u - w), u + w);
            y = Math.min(Math.max(y, v - k), v + k);
            show();
        },
    };
}
