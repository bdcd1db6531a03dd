// dom.js -- making elements.  Text only ever becomes text nodes, and what turns
// the direction of its surroundings or cannot be seen does not get that far.  And
// where the files are that elements show.

/** The address of a file that is served with the page. @param {string} path */
export const served = (path) => new URL(path, import.meta.url).href;

const SVG = 'http://www.w3.org/2000/svg';

// As core/utf8.h has it, but for the white space of HTML.
const HIDDEN = new RegExp('[\\0-\\x08\\x0b-\\x1f\\x7f-\\x9f\\u061c\\u200e\\u200f' +
    '\\u2028-\\u202e\\u2066-\\u206f\\ufff9-\\ufffb\\u{e0000}-\\u{e007f}' +
    '\\p{Noncharacter_Code_Point}]', 'gu');

/** Most of what is shown, for which that need not be looked for. */
const PLAIN = /^[\n -~]*$/;

/**
 * Somebody's text as it may be shown.
 * @param {any} text
 */
const shown = (text) => PLAIN.test(text) ? String(text)
    : String(text).replace(HIDDEN, '\ufffd');

/**
 * What somebody typed or pasted as the server takes it.
 * @param {string} text
 */
export const typed = (text) => text.replace(/\t/g, ' ').replace(HIDDEN, '');

/** @typedef {Node | string | number | null | undefined | false} Child */

/**
 * @param {Element} element
 * @param {{[name: string]: any}} given
 */
export function set(element, given) {
    for (const [name, value] of Object.entries(given)) {
        if (value === undefined)
            continue;
        if (name.startsWith('on'))
            element.addEventListener(name.slice(2), value);
        else if (name === 'style')
            for (const [property, text] of Object.entries(value))
                /** @type {HTMLElement} */ (element).style
                    .setProperty(property, String(text));
        else if (name === 'value' || name === 'checked')
            /** @type {any} */ (element)[name] = value;
        else if (value === null || value === false)
            element.removeAttribute(name);
        else
            element.setAttribute(name, value === true ? '' : shown(value));
    }
}

/**
 * @param {Element} element
 * @param {(Child | Child[])[]} children
 */
export function add(element, ...children) {
    for (const child of children.flat())
        if (child !== null && child !== undefined && child !== false)
            element.append(child instanceof Node ? child : shown(child));
    return element;
}

/**
 * An HTML element: h('button', {class: 'main', onclick: f}, 'Play').  Members
 * that begin with "on" are listeners, `style` is an object, true and false put
 * and leave out an attribute.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {{[name: string]: any} | null} [given]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(tag, given, ...children) {
    const element = document.createElement(tag);
    if (given)
        set(element, given);
    add(element, ...children);
    return element;
}

/**
 * The same for SVG.
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag
 * @param {{[name: string]: any} | null} [given]
 * @param {...(Child | Child[])} children
 * @returns {SVGElementTagNameMap[K]}
 */
export function svg(tag, given, ...children) {
    const element = /** @type {SVGElementTagNameMap[K]} */ (
        document.createElementNS(SVG, tag));
    if (given)
        set(element, given);
    add(element, ...children);
    return element;
}

/**
 * Puts other children into an element.  Focus that was on one with a
 * `data-key`, `data-move`, `data-step` or id goes to the new one of the same.
 * @param {Element} element
 * @param {...(Child | Child[])} children
 */
export function fill(element, ...children) {
    const held = element.contains(document.activeElement)
        ? document.activeElement : null;
    const mark = held && ['id', 'data-key', 'data-move', 'data-step']
        .find((name) => held.getAttribute(name));
    const was = mark && held.getAttribute(mark);
    element.replaceChildren();
    add(element, ...children);
    if (mark && was)
        /** @type {HTMLElement | null} */ (element.querySelector(
            `[${mark}="${CSS.escape(was)}"]`))?.focus({preventScroll: true});
    return element;
}

/**
 * Makes CONTAINER one tab stop: arrows, Home and End move the focus among those
 * of its descendants that match SELECTOR, by where they stand on the screen.
 * Call it once; what matches may come and go, but call `fix` after.
 * @param {Element} container
 * @param {string} selector
 */
export function roving(container, selector) {
    /** @type {Element | null} */
    let last = null;
    const all = () => [...container.querySelectorAll(selector)];
    const fix = () => {
        const items = all();
        if (!last || !items.includes(last))
            last = items[0] ?? null;
        for (const item of items)
            item.setAttribute('tabindex', item === last ? '0' : '-1');
    };
    container.addEventListener('focusin', (event) => {
        const item = /** @type {Element} */ (event.target).closest(selector);
        if (item && item !== last) {
            last = item;
            fix();
        }
    });
    container.addEventListener('keydown', (any) => {
        const event = /** @type {KeyboardEvent} */ (any);
        const from = /** @type {Element} */ (event.target).closest(selector);
        const way = {
            ArrowRight: [1, 0], ArrowLeft: [-1, 0],
            ArrowDown: [0, 1], ArrowUp: [0, -1],
        }[event.key];
        const items = all();
        /** @type {Element | undefined} */
        let to;
        if (!from || event.ctrlKey || event.altKey || event.metaKey)
            return;
        if (event.key === 'Home')
            to = items[0];
        else if (event.key === 'End')
            to = items[items.length - 1];
        else if (way)
            to = nearest(from, items, way);
        else
            return;
        event.preventDefault();
        event.stopPropagation();
        /** @type {HTMLElement | undefined} */ (to)?.focus();
    });
    fix();
    return fix;
}

/**
 * @param {Element} from
 * @param {Element[]} items
 * @param {number[]} way
 */
function nearest(from, items, way) {
    const middle = (/** @type {Element} */ e) => {
        const box = e.getBoundingClientRect();
        return [box.x + box.width / 2, box.y + box.height / 2];
    };
    const [x, y] = middle(from);
    let best;
    let least = Infinity;
    for (const item of items) {
        if (item === from)
            continue;
        const [u, v] = middle(item);
        const along = (u - x) * way[0] + (v - y) * way[1];
        const aside = Math.abs((u - x) * way[1]) + Math.abs((v - y) * way[0]);
        if (along <= 1 || aside > 2 * along)
            continue;
        if (along + 2 * aside < least) {
            least = along + 2 * aside;
            best = item;
        }
    }
    return best;
}

/** Has a style of some pages only on the page, once.  @param {string} path */
export const styled = (path) => document.querySelector(
    `link[href="${served(path)}"][rel="stylesheet"]`) ? Promise.resolve()
    : new Promise((resolve) => document.head.append(h('link', {
        rel: 'stylesheet', href: served(path), onload: resolve,
        onerror: resolve,
    })));

/** Closes the open dialogs that match: their answer is undefined.
 * @param {string} selector */
export function shut(selector) {
    for (const box of document.querySelectorAll(selector))
        /** @type {HTMLDialogElement} */ (box).close();
}

/**
 * A modal dialog.  CHILDREN may close it with `close(answer)`; resolves with
 * the answer, undefined for Escape.
 * @param {string} title
 * @param {(close: (answer?: any) => void) => (Child | Child[])} children
 * @returns {Promise<any>}
 */
export function dialog(title, children) {
    return new Promise((resolve) => {
        const box = h('dialog', {'aria-label': title, class: 'dialog'});
        /** @type {any} */
        let answer;
        const close = (/** @type {any} */ given) => {
            answer = given;
            box.close();
        };
        add(box, h('h2', null, title), children(close));
        box.addEventListener('close', () => {
            box.remove();
            resolve(answer);
        });
        document.body.append(box);
        box.showModal();
    });
}
