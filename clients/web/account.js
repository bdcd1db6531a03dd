// account.js -- who one is: logging in, making an account, a password by a link.

import {h} from './dom.js';
import {emailField, field, form, invitation, nameField, passwordField}
    from './forms.js';
import {go, say} from './frame.js';
import {server} from './games.js';
import {lang, more, t} from './i18n.js';
import * as net from './net.js';

/** @param {string} name @param {string[]} rest */
export default async function account(name, rest) {
    const [hello] = await Promise.all([server(), more()]);
    const [code = ''] = rest;
    return name === 'reset' ? reset(code)
        : name === 'forgotten' ? forgotten()
            : name === 'register' ? login(hello, '', code)
                : login(hello, rest.join('/'));
}

/** A link that sets a password was opened: an address may be that of several
 * accounts.  @param {string} code */
async function reset(code) {
    const {users} = await net.ask('account.link', {code}).catch(
        () => ({users: []})); // what is wrong is said by the button
    const fresh = passwordField(t('New password'), true);
    const which = h('select', null, users.map((/** @type {any} */ user) =>
        h('option', {value: user.name}, user.name)));
    return {
        title: t('New password'),
        node: h('div', {class: 'narrow'},
            h('h1', null, t('New password')),
            form(t('Set a new password'), t('Set it'),
                [{node: h('p', {class: 'muted'},
                    t('This link is good once. All your sessions end.'))},
                ...users.length > 1 ? [{node: h('label', null,
                    h('span', null, t('Whose')), which)}] : [],
                fresh],
                async () => {
                    const password = fresh.input.value;
                    const {user} = await net.ask('account.reset',
                        {code, password, ...which.value && {name: which.value}});
                    await net.enter('session.login',
                        {name: user.name, password}).then(() => go(''),
                        () => go('login')); // a second factor, for example
                })),
    };
}

/** A link is mailed, if there is such an address. */
function forgotten() {
    const email = field(t('E-mail address'), {type: 'email', required: true,
        maxlength: 254, autocomplete: 'email'});
    return {
        title: t('Forgotten password'),
        node: h('div', {class: 'narrow'},
            h('h1', null, t('Forgotten password')),
            form('', t('Send me a link'), [{node: h('p', {class: 'muted'},
                t('A link that sets a new one, to an address that was confirmed; it is good for an hour.'))},
            email], async () => {
                await net.ask('account.reset.send',
                    {email: email.input.value});
                say(t('If there is such an address, a mail is on its way.'));
            })),
    };
}

/** @param {any} hello @param {string} next Where one goes on to.
 * @param {string} [code] of an invitation */
function login(hello, next, code) {
    const back = () => go(next);
    const name = nameField(), password = passwordField(t('Password'));
    const code2 = field(t('Code of the app, or a recovery code'), {
        maxlength: 32, autocomplete: 'one-time-code', autocapitalize: 'none',
        spellcheck: 'false'});
    code2.node.hidden = true;
    const enter = async () => {
        const code = code2.input.value.trim();
        try {
            await net.enter('session.login', {
                name: name.input.value,
                password: password.input.value,
                ...code && {code},
            });
        } catch (why) {
            const {reason} = /** @type {any} */ (why);
            if (/^(code_required|bad_code)$/.test(reason)) {
                code2.node.hidden = false;
                code2.input.value = '';
                code2.input.focus();
            }
            throw why;
        }
        back();
    };
    const newName = nameField(), email = emailField();
    const fresh = passwordField(t('Password (8 characters at least)'), true);
    const invite = invitation(hello, code);
    return {
        title: t('Log in'),
        node: h('div', {class: 'narrow'},
            h('h1', null, t('Log in')),
            form(t('With a name'), t('Log in'), [name, password, code2,
                ...hello.mail ? [{node: h('p', {class: 'small'},
                    h('a', {href: '#forgotten'},
                        t('Forgotten the password?')))}] : []], enter),
            hello.guests && form(t('As a guest'), t('Play as a guest'),
                [{node: h('p', {class: 'muted'}, t('For a day; you can keep the account later.'))}],
                () => net.enter('account.guest', {}).then(back)),
            hello.registration !== 'closed' && form(t('New here?'),
                t('Make an account'),
                [newName, fresh, ...hello.mail ? [email] : [], ...invite.fields],
                () => net.enter('account.register', {
                    name: newName.input.value,
                    password: fresh.input.value,
                    ...email.input.value && {email: email.input.value},
                    ...lang !== 'en' && {language: lang},
                    ...invite.params(),
                }).then(back))),
    };
}
