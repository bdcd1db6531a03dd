// mute.js -- whether one wants to be told of a table when one is away.

import {fill, h} from './dom.js';
import {check} from './forms.js';
import {complain} from './frame.js';
import {t} from './i18n.js';
import * as net from './net.js';

/** Shows that, and lets it be changed. @param {HTMLElement} body
 * @param {string} table */
export async function mute(body, table) {
    const {muted} = await net.ask('notices.get');
    fill(body, check(t('Tell me of this table when I am away'),
        !muted.includes(table), (on) => {
            net.ask('notices.mute', {table, muted: !on}).catch(complain);
        }),
    h('p', null, h('a', {href: '#settings/told'},
        t('Where and when you are told'))));
}
