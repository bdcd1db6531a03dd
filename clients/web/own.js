// own.js -- what is one's own: all of it as a file, and its end.

import {dialog, h} from './dom.js';
import {form, passwordField} from './forms.js';
import {complain, go} from './frame.js';
import {t} from './i18n.js';
import * as net from './net.js';
import {unsubscribe} from './push.js';

/** As account.export has them; tests/web/test_profile.mjs holds it to that. */
const PARTS = ['seats', 'made', 'invited', 'texts', 'notes', 'marks', 'keys',
    'links', 'hours', 'devices', 'second_factor', 'proxied',
    'absences', 'away', 'studies', 'ratings', 'blocks',
    'notices', 'sent'];

/** All rows of one part; of none, the account. @param {string} [part] */
async function rowsOf(part) {
    /** @type {any[]} */
    const rows = [];
    /** @type {number | undefined} */
    let from;
    do {
        const answer = await net.ask('account.export', {
            ...part && {part}, ...from !== undefined && {from}});
        rows.push(...answer.rows);
        from = answer.next;
    } while (from !== undefined);
    return rows;
}

/** All that is stored, as `sobremesa export` writes it, but for the games. */
async function save() {
    const [all] = await rowsOf();
    for (const part of PARTS)
        all[part] = await rowsOf(part);
    const file = URL.createObjectURL(new Blob(
        [`${JSON.stringify(all, null, 2)}\n`], {type: 'application/json'}));
    h('a', {href: file, download: `sobremesa-${all.name}.json`}).click();
    setTimeout(() => URL.revokeObjectURL(file), 60000);
}

/** @param {boolean} secret Whether they have a password. */
async function end(secret) {
    const password = passwordField(t('Present password'));
    await dialog(t('Delete your account?'), (close) =>
        form('', t('Delete it for good'), [
            {node: h('p', null, t('Open tables are left, running games given up. Your name, address and all that is yours go; the games you have played stay, without your name. Nobody can take that back.'))},
            ...secret ? [password] : []],
        async () => {
            await net.ask('account.delete',
                secret ? {password: password.input.value} : {});
            await unsubscribe();
            close();
            await net.leave();
            go('');
        }, h('button', {type: 'button', onclick: () => close()},
            t('Cancel'))));
}

/** @param {any} _ @param {any} account */
export default async function own(_, {has_password: secret}) {
    return h('div', {class: 'stack'},
        h('p', null, t('All that is kept of you, in a file. Your games are in the records of their tables.')),
        h('div', {class: 'row'},
            h('button', {type: 'button', onclick: () => save().catch(complain)},
                t('Save all of it')),
            h('button', {type: 'button', 'data-key': 'delete',
                onclick: () => end(secret)}, t('Delete the account …'))));
}
