// forms.js -- what forms have in common.

import {fill, h} from './dom.js';
import {t} from './i18n.js';

/**
 * A labelled input.
 * @param {string} text
 * @param {{[name: string]: any}} given
 */
export function field(text, given) {
    const input = h('input', given);
    return {input, node: h('label', null, h('span', null, text), input)};
}

export const nameField = () => field(t('Name (2 to 24 letters, digits, _ or -)'), {
    name: 'name', required: true, minlength: 2, maxlength: 24,
    pattern: '[A-Za-z0-9_\\-]+', autocomplete: 'username', spellcheck: 'false',
    autocapitalize: 'none'});
export const passwordField = (/** @type {string} */ text, fresh = false) =>
    field(text, {
        type: 'password', name: fresh ? 'new-password' : 'password',
        required: true, minlength: 8, maxlength: 256,
        autocomplete: fresh ? 'new-password' : 'current-password'});
export const emailField = () => field(t('E-mail (optional, for notifications)'), {
    type: 'email', name: 'email', maxlength: 254, autocomplete: 'email'});

/**
 * A form that does one thing and says what went wrong.
 * @param {string} title
 * @param {string} button
 * @param {{node: Node}[]} fields
 * @param {() => Promise<any>} act
 * @param {Node[]} beside What stands before the button.
 */
export function form(title, button, fields, act, ...beside) {
    const wrong = h('p', {class: 'bad', role: 'alert'});
    const send = h('button', {class: 'main'}, button);
    return h('form', {class: 'card', 'aria-label': title || button, onsubmit: async (
        /** @type {Event} */ event) => {
        event.preventDefault();
        send.disabled = true;
        fill(wrong);
        try {
            await act();
        } catch (why) {
            fill(wrong, t(/** @type {any} */ (why).message));
        }
        send.disabled = false;
    }}, title && h('h2', null, title), fields.map((f) => f.node), wrong,
    h('div', {class: 'row'}, beside, send));
}

/** @param {string} text @param {boolean} on
 * @param {(on: boolean) => void} set */
export function check(text, on, set) {
    return h('label', {class: 'check'},
        h('input', {type: 'checkbox', checked: on,
            onchange: (/** @type {any} */ e) => set(e.target.checked)}),
        h('span', null, text));
}

/** A choice among VALUES, which are said as WORDS of them.
 * @param {string} text @param {string[]} values @param {string} chosen
 * @param {(value: string) => string} words
 * @param {(value: string) => void} [set] */
export function select(text, values, chosen, words, set = () => {}) {
    const input = h('select', {onchange: (/** @type {any} */ e) =>
        set(e.target.value)}, values.map((value) =>
        h('option', {value, selected: value === chosen}, words(value))));
    return {input, node: h('label', null, h('span', null, text), input)};
}

/** What an account that stays takes where registration is by invitation; a
 * link of one brings the code along.
 * @param {any} hello @param {string} [known] */
export function invitation(hello, known = '') {
    const code = field(t('Invitation code'), {name: 'invite', value: known,
        required: true, maxlength: 64, autocomplete: 'off'});
    const wanted = hello.registration === 'invite';
    return {
        fields: wanted ? [code] : [],
        params: () => wanted ? {invite: code.input.value} : {},
    };
}
