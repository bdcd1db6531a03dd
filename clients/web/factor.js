// factor.js -- a second factor: a code that changes with time, from an app on a
// phone, and codes for the day when that is lost.

import {fill, h} from './dom.js';
import {field, form, passwordField} from './forms.js';
import {say} from './frame.js';
import {moment, t} from './i18n.js';
import * as net from './net.js';
import {picture} from './qr.js';

const codeField = (/** @type {string} */ text) => field(text, {
    required: true, minlength: 6, maxlength: 32, autocomplete: 'one-time-code',
    autocapitalize: 'none', spellcheck: 'false'});

/** @param {string[]} codes @param {() => any} done */
function recovery(codes, done) {
    const text = codes.join('\n');
    return h('div', null,
        h('h3', null, t('Recovery codes')),
        h('p', null, t('Each is good once in place of a code. You see them only now: print them, or write them down.')),
        h('pre', {class: 'codes'}, text),
        h('div', {class: 'row'},
            h('a', {class: 'button', download: 'sobremesa-recovery.txt',
                href: `data:text/plain;charset=utf-8,${encodeURIComponent(
                    `${text}\n`)}`}, t('Save')),
            h('button', {type: 'button', class: 'main', onclick: done},
                t('I have kept them'))));
}

/** @param {HTMLElement} root @param {() => any} draw */
function begin(root, draw) {
    const password = passwordField(t('Present password'));
    return form('', t('Set it up'), [{node: h('p', null,
        t('Whoever logs in as you then needs your password and a code of an app on your phone.'))},
    password], async () => {
        const {key, uri} = await net.ask('account.totp.begin',
            {password: password.input.value});
        const code = codeField(t('Code of the app'));
        fill(root,
            h('p', null, t('Scan this with the app, open the link on the phone, or type the key:')),
            picture(uri, t('The key as a QR code')),
            h('p', null, h('a', {href: uri}, t('Open in the app'))),
            h('p', null, h('code', {class: 'wrap'},
                key.replace(/(.{4})(?=.)/g, '$1 '))),
            form('', t('Turn it on'), [code], async () => {
                const {recovery: codes} = await net.ask(
                    'account.totp.confirm', {code: code.input.value});
                fill(root, recovery(codes, draw));
            }));
        code.input.focus();
    });
}

/** @param {HTMLElement} root @param {any} totp @param {() => any} draw */
function there(root, totp, draw) {
    const both = () => [passwordField(t('Present password')),
        codeField(t('Code of the app, or a recovery code'))];
    const [password, code] = both();
    const [password2, code2] = both();
    const params = (/** @type {any} */ p, /** @type {any} */ c) =>
        ({password: p.input.value, code: c.input.value});
    return [
        h('p', null, h('span', {class: 'tag'}, t('on')), ' ',
            t('Recovery codes left: {count}', {count: totp.recovery})),
        h('details', null, h('summary', null, t('New recovery codes')),
            form('', t('Make new ones'), [password, code], async () => {
                const {recovery: codes} = await net.ask(
                    'account.totp.recovery', params(password, code));
                fill(root, recovery(codes, draw));
            })),
        h('details', null, h('summary', null, t('Turn it off')),
            form('', t('Turn it off'), [password2, code2], async () => {
                await net.ask('account.totp.remove',
                    params(password2, code2));
                say(t('The second factor is off.'));
                await draw();
            })),
    ];
}

export default async function factor() {
    const root = h('div', {class: 'stack'});
    const draw = async () => {
        const {totp} = await net.ask('account.get');
        fill(root, totp?.removed && h('p', {class: 'bad'},
            t('The operator took it away at {when}.',
                {when: moment(totp.removed)})),
        totp?.on ? there(root, totp, draw) : begin(root, draw));
    };
    await draw();
    return root;
}
