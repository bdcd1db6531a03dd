// door.js -- a table that is not there, or not for everybody.

import {h} from './dom.js';
import {loginAddress} from './frame.js';
import {t} from './i18n.js';
import {join} from './lobby.js';
import * as net from './net.js';

/** Of a private table the server says no more than of none. @param {string} id */
export function shutDoor(id) {
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
