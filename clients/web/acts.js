// acts.js -- what somebody does at a table whatever its game is: asked whether they
// mean what cannot be taken back, and taking back.  See asks.js for what is rarer.

import {dialog, h} from './dom.js';
import {complain} from './frame.js';
import {t} from './i18n.js';
import * as net from './net.js';

/** @typedef {import('./types.js').Finality} Finality */
/** @typedef {any} Frame That of table.js. */

/**
 * Asks before what cannot be taken back.
 * @param {string} text
 * @param {Finality} [about] What of it cannot.
 * @returns {Promise<boolean>}
 */
export async function confirm(text, about) {
    return await dialog(t('Are you sure?'), (close) => [
        h('p', null, text),
        about && h('p', {class: 'muted', 'data-about': true},
            about.draws ? t('A draw follows: it cannot be taken back.')
                : about.reveals
                    ? t('Something hidden is shown: it cannot be taken back.')
                    : t('It cannot be taken back.')),
        h('div', {class: 'row'},
            h('button', {'data-answer': 'no', onclick: () => close(false)},
                t('Cancel')),
            h('button', {class: 'main', 'data-answer': 'yes', autofocus: true,
                onclick: () => close(true)}, t('Yes')))]) === true;
}

/** @param {Frame} frame */
export async function undo(frame) {
    try {
        await net.ask('table.undo',
            {table: frame.id, ply: frame.view?.undo});
    } catch (why) {
        complain(why);
    }
}
