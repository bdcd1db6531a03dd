// account.js -- who one is, and what one wishes.

import {fill, h} from './dom.js';
import {complain, go, say} from './frame.js';
import {server} from './games.js';
import {languages, moment, speak, t} from './i18n.js';
import * as net from './net.js';
import {settings, wish} from './settings.js';

/** @param {string} name @param {string[]} rest */
export default async function account(name, rest) {
    const hello = await server();
    const [code = ''] = rest;
    return name === 'reset' ? reset(code)
        : name === 'settings' ? profile(hello)
            : name === 'register' ? login(hello, '', code)
                : login(hello, rest.join('/'));
}

/**
 * A labelled input.
 * @param {string} text
 * @param {{[name: string]: any}} given
 */
function field(text, given) {
    const input = h('input', given);
    return {input, node: h('label', null, h('span', null, text), input)};
}

const nameField = () => field(t('Name (2 to 24 letters, digits, _ or -)'), {
    name: 'name', required: true, minlength: 2, maxlength: 24,
    pattern: '[A-Za-z0-9_\\-]+', autocomplete: 'username', spellcheck: 'false',
    autocapitalize: 'none'});
const passwordField = (/** @type {string} */ text, fresh = false) =>
    field(text, {
        type: 'password', name: fresh ? 'new-password' : 'password',
        required: true, minlength: 8, maxlength: 256,
        autocomplete: fresh ? 'new-password' : 'current-password'});
const emailField = () => field(t('E-mail (optional, for notifications)'), {
    type: 'email', name: 'email', maxlength: 254, autocomplete: 'email'});

/**
 * A form that does one thing and says what went wrong.
 * @param {string} title
 * @param {string} button
 * @param {{node: Node}[]} fields
 * @param {() => Promise<any>} act
 */
function form(title, button, fields, act) {
    const wrong = h('p', {class: 'bad', role: 'alert'});
    const send = h('button', {class: 'main'}, button);
    return h('form', {class: 'card', onsubmit: async (
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
    }}, h('h2', null, title), fields.map((f) => f.node), wrong,
    h('div', {class: 'row'}, send));
}

/** What an account that stays takes where registration is by invitation; a
 * link of one brings the code along.
 * @param {any} hello @param {string} [known] */
function invitation(hello, known = '') {
    const code = field(t('Invitation code'), {name: 'invite', value: known,
        required: true, maxlength: 64, autocomplete: 'off'});
    const wanted = hello.registration === 'invite';
    return {
        fields: wanted ? [code] : [],
        params: () => wanted ? {invite: code.input.value} : {},
    };
}

/** A link that sets a password was opened. @param {string} code */
function reset(code) {
    const fresh = passwordField(t('New password'), true);
    return {
        title: t('New password'),
        node: h('div', {class: 'narrow'},
            h('h1', null, t('New password')),
            form(t('Set a new password'), t('Set it'),
                [{node: h('p', {class: 'muted'},
                    t('This link is good once. All your sessions end.'))},
                fresh],
                async () => {
                    const password = fresh.input.value;
                    const {user} = await net.ask('account.reset',
                        {code, password});
                    await net.enter('session.login',
                        {name: user.name, password});
                    go('');
                })),
    };
}

/** @param {any} hello @param {string} next Where one goes on to.
 * @param {string} [code] of an invitation */
function login(hello, next, code) {
    const back = () => go(next);
    const name = nameField(), password = passwordField(t('Password'));
    const newName = nameField(), email = emailField();
    const fresh = passwordField(t('Password (8 characters at least)'), true);
    const invite = invitation(hello, code);
    return {
        title: t('Log in'),
        node: h('div', {class: 'narrow'},
            h('h1', null, t('Log in')),
            form(t('With a name'), t('Log in'), [name, password],
                () => net.enter('session.login', {
                    name: name.input.value,
                    password: password.input.value}).then(back)),
            hello.guests && form(t('As a guest'), t('Play as a guest'),
                [{node: h('p', {class: 'muted'}, t('For a day; you can keep the account later.'))}],
                () => net.enter('account.guest', {}).then(back)),
            hello.registration !== 'closed' && form(t('New here?'),
                t('Make an account'),
                [newName, fresh, email, ...invite.fields],
                () => net.enter('account.register', {
                    name: newName.input.value,
                    password: fresh.input.value,
                    ...email.input.value && {email: email.input.value},
                    ...invite.params(),
                }).then(back))),
    };
}

// ---- profile and settings -------------------------------------------------------

/** @param {string} text @param {boolean} on
 * @param {(on: boolean) => void} set */
function check(text, on, set) {
    return h('label', {class: 'check'},
        h('input', {type: 'checkbox', checked: on,
            onchange: (/** @type {any} */ e) => set(e.target.checked)}),
        h('span', null, text));
}

async function notify(/** @type {boolean} */ on) {
    if (on && Notification.permission !== 'granted')
        await Notification.requestPermission();
    const granted = Notification.permission === 'granted';
    wish({notify: on && granted});
    if (on && !granted)
        say(t('The browser does not allow it.'), 'problem');
}

function wishes() {
    const can = 'Notification' in window && window.isSecureContext;
    return h('fieldset', null, h('legend', null, t('This browser')),
        check(t('Animations'), settings.animations,
            (on) => wish({animations: on})),
        check(t('Colours that are easier to tell apart'),
            settings.palette === 'distinct',
            (on) => wish({palette: on ? 'distinct' : 'usual'})),
        check(t('Larger text'), settings.largeText,
            (on) => wish({largeText: on})),
        can ? check(t('Tell me when it is my turn (while a tab is open)'),
            settings.notify, notify)
            : h('p', {class: 'muted small'},
                t('Browsers offer notifications on https only.')),
        h('label', null, h('span', null, t('Language')),
            h('select', {value: settings.lang, onchange: async (
                /** @type {any} */ e) => {
                wish({lang: e.target.value});
                await speak(settings.lang);
                location.reload();
            }}, Object.entries(languages).map(([code, name]) =>
                h('option', {value: code, selected: code === settings.lang},
                    name)))));
}

/** @param {any} hello */
async function profile(hello) {
    const user = net.status.user;
    const node = h('div', {class: 'narrow'},
        h('h1', null, user ? user.name : t('Settings')));
    if (user) {
        const {created, email} = await net.ask('account.get');
        node.append(h('p', {class: 'muted'},
            user.guest ? t('A guest') : t('Here since {when}',
                {when: moment(created)}),
            email ? ` · ${email}` : ''));
    }
    node.append(wishes());
    if (user?.guest && hello.registration !== 'closed') {
        const invite = invitation(hello);
        const name = nameField(), email = emailField();
        const password = passwordField(t('Password (8 characters at least)'),
            true);
        node.append(form(t('Keep this account'), t('Keep it'),
            [name, password, email, ...invite.fields], async () => {
                await net.ask('account.keep', {
                    name: name.input.value,
                    password: password.input.value,
                    ...email.input.value && {email: email.input.value},
                    ...invite.params(),
                });
                location.reload();
            }));
    } else if (user && !user.guest) {
        const old = passwordField(t('Present password'));
        const fresh = passwordField(t('New password'), true);
        node.append(form(t('Change the password'), t('Change'), [old, fresh],
            async () => {
                const {ended} = await net.ask('account.password', {
                    old: old.input.value, new: fresh.input.value});
                old.input.value = fresh.input.value = '';
                say(t('Changed. Other sessions ended: {ended}.', {ended}));
            }));
    }
    if (user)
        node.append(h('div', {class: 'row'}, h('button', {
            onclick: () => net.leave().then(() => go(''), complain),
        }, t('Log out'))));
    return {title: t('Settings'), node};
}
