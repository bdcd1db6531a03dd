// profile.js -- the settings: what this browser is like, and what of one's
// account can be changed.  What is seldom looked at is loaded when it is opened.

import {fill, h} from './dom.js';
import {check, emailField, form, invitation, nameField, passwordField, select}
    from './forms.js';
import {complain, go, offer, say} from './frame.js';
import {server} from './games.js';
import {lang, languages, moment, more, speak, t} from './i18n.js';
import * as net from './net.js';
import {settings, wish} from './settings.js';

// ---- this browser --------------------------------------------------------------

async function notify(/** @type {boolean} */ on) {
    if (on && Notification.permission !== 'granted')
        await Notification.requestPermission();
    const granted = Notification.permission === 'granted';
    wish({notify: on && granted});
    if (on && !granted)
        say(t('The browser does not allow it.'), 'problem');
}

async function sounds(/** @type {boolean} */ on) {
    wish({sound: on});
    if (on)
        (await import('./sound.js')).sound('turn');
}

/** That the page can be an app, where it can be one. */
function app() {
    if (matchMedia('(display-mode: standalone)').matches)
        return null;
    if (!('serviceWorker' in navigator))
        return h('p', {class: 'muted small'}, t('Over https this page could be installed, and tell you of your turn while it is closed.'));
    const button = h('button', {type: 'button', onclick: () => {
        offer.install?.prompt();
        offer.install = null;
        button.hidden = true;
    }}, t('Install as an app'));
    if (offer.install)
        return button;
    return /iP(hone|ad)/.test(navigator.userAgent) && h('p', {
        class: 'muted small'}, t('To install it: Share, then Add to Home Screen.'));
}

function wishes() {
    const can = 'Notification' in window && window.isSecureContext;
    return h('fieldset', null, h('legend', null, t('This browser')),
        check(t('Animations'), settings.animations,
            (on) => wish({animations: on})),
        h('label', null, h('span', null, t('Light or dark')),
            h('select', {onchange: (/** @type {any} */ e) =>
                wish({theme: e.target.value})},
            [['system', t('as the system')], ['light', t('light')],
                ['dark', t('dark')]].map(([theme, name]) => h('option',
                {value: theme, selected: theme === settings.theme}, name)))),
        check(t('Colours that are easier to tell apart'),
            settings.palette === 'distinct',
            (on) => wish({palette: on ? 'distinct' : 'usual'})),
        check(t('Larger text'), settings.largeText,
            (on) => wish({largeText: on})),
        check(t('Sounds'), settings.sound, sounds),
        check(t('Ask before my turn is over'), settings.wholeTurns,
            (on) => wish({wholeTurns: on})),
        can ? check(t('Tell me when it is my turn (while a tab is open)'),
            settings.notify, notify)
            : h('p', {class: 'muted small'},
                t('Browsers offer notifications on https only.')),
        select(t('Language'), Object.keys(languages), settings.lang,
            (code) => languages[/** @type {'en'} */ (code)], async (code) => {
                wish({lang: code});
                await speak(code);
                location.reload();
            }).node,
        app());
}

// ---- the account ----------------------------------------------------------------

/** @param {any} hello */
function keep(hello) {
    const invite = invitation(hello);
    const name = nameField(), email = emailField();
    const password = passwordField(t('Password (8 characters at least)'),
        true);
    return form(t('Keep this account'), t('Keep it'),
        [name, password, ...hello.mail ? [email] : [], ...invite.fields],
        async () => {
            if (lang !== 'en') // that of the mail that is sent at once
                await net.ask('notices.set', {language: lang});
            await net.ask('account.keep', {
                name: name.input.value,
                password: password.input.value,
                ...email.input.value && {email: email.input.value},
                ...invite.params(),
            });
            location.reload();
        });
}

function password() {
    const old = passwordField(t('Present password'));
    const fresh = passwordField(t('New password'), true);
    return form(t('Change the password'), t('Change'), [old, fresh],
        async () => {
            const {ended} = await net.ask('account.password', {
                old: old.input.value, new: fresh.input.value});
            old.input.value = fresh.input.value = '';
            say(t('Changed. Other sessions ended: {ended}.', {ended}));
        });
}

/**
 * What opens: its name in the address, its title, what makes it.
 * @typedef {[string, string, () => Promise<{default:
 *     (hello: any, account: any) => Promise<Node>}>]} Section
 */

/** @param {any} hello @param {any} account @returns {Section[]} */
const sections = (hello, {user, totp, has_password: secret}) => /** @type {Section[]} */ ([
    ['told', t('Being told when you are away'), () => import('./notice_settings.js')],
    !user.guest && hello.mail && ['address', t('E-mail address'),
        () => import('./address.js')],
    secret && totp && ['factor', t('Second factor'),
        () => import('./factor.js')],
    ['hours', t('When you are there'), () => import('./hours.js')],
    ['away', t('When you are away'), () => import('./absence.js')],
    ['blocks', t('Whom you block'), () => import('./blocks.js')],
    ['own', t('What is yours'), () => import('./own.js')],
].filter(Boolean));

/** @param {Section} section @param {any} hello @param {any} account
 * @param {boolean} open */
function fold([id, title, load], hello, account, open) {
    const body = h('div', {class: 'fold'});
    let made = false;
    const show = async () => {
        if (made || !box.open)
            return;
        made = true;
        fill(body, h('p', {class: 'muted'}, t('Loading …')));
        try {
            const {default: make} = await load();
            fill(body, await make(hello, account));
        } catch (why) {
            made = false;
            fill(body, h('p', {class: 'bad', role: 'alert'},
                t(/** @type {any} */ (why).message)));
        }
    };
    const box = h('details', {class: 'card', 'data-key': `settings-${id}`,
        open, ontoggle: show}, h('summary', null, h('h2', null, title)), body);
    return box;
}

/** @param {string} _ @param {string[]} rest The section that is wanted. */
export default async function profile(_, [wanted]) {
    const [hello] = await Promise.all([server(), more()]);
    const user = net.status.user;
    const node = h('div', {class: 'narrow'},
        h('h1', null, user ? user.name : t('Settings')));
    const account = user && await net.ask('account.get');
    if (user)
        node.append(h('p', {class: 'muted'},
            user.guest ? t('A guest') : t('Here since {when}',
                {when: moment(account.created)}),
            account.email ? ` · ${account.email}` : '', ' · ',
            h('a', {href: `#player/${user.name}`},
                t('My ratings and games'))));
    node.append(wishes());
    if (user?.guest && hello.registration !== 'closed')
        node.append(keep(hello));
    else if (account?.has_password)
        node.append(password());
    if (user)
        node.append(...sections(hello, account).map((section) =>
            fold(section, hello, account, section[0] === wanted)),
        h('div', {class: 'row'}, h('button', {onclick: leave},
            t('Log out'))));
    return {title: t('Settings'), node};
}

async function leave() {
    try {
        const {forget} = await import('./push.js');
        await forget();
        await net.leave();
        go('');
    } catch (why) {
        complain(why);
    }
}
