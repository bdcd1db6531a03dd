// address.js -- where mail goes: an address, and whether it is known to be one's
// own.

import {fill, h} from './dom.js';
import {field, form, passwordField} from './forms.js';
import {complain, say} from './frame.js';
import {t} from './i18n.js';
import * as net from './net.js';

/** @param {any} account */
function state({email, email_confirmed: confirmed, email_pending: pending}) {
    const send = () => net.ask('account.email.send').then(() =>
        say(t('If nothing stands against it, a mail is on its way.')),
    complain);
    return h('div', null,
        h('p', null, email
            ? [h('strong', {class: 'wrap'}, email), ' ', h('span', {
                class: `tag${confirmed ? '' : ' bad'}`},
            confirmed ? t('confirmed') : t('not confirmed'))]
            : t('You have given none.')),
        pending && h('p', null, t('{email} takes its place once it is confirmed.',
            {email: pending})),
        (pending || email && !confirmed) && [
            h('p', {class: 'muted'}, t('A link was mailed there; nothing else is until you have opened it.')),
            h('p', {class: 'row'}, h('button', {type: 'button',
                onclick: send}, t('Send the link again')))]);
}

/** @param {boolean} secret Whether they have a password.
 * @param {() => any} again */
function change(secret, again) {
    const email = field(t('Another address; empty: none'),
        {type: 'email', maxlength: 254, autocomplete: 'email'});
    const password = passwordField(t('Present password'));
    return form('', t('Change'), [email, ...secret ? [password] : []], async () => {
        await net.ask('account.email.set', {
            email: email.input.value || null,
            ...secret && {password: password.input.value}});
        say(t('Changed.'));
        await again();
    });
}

export default async function address() {
    const root = h('div', {class: 'stack'});
    const draw = async () => {
        const account = await net.ask('account.get');
        fill(root, state(account), change(account.has_password, draw));
    };
    await draw();
    return root;
}
