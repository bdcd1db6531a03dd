// links.js -- what a link in a mail leads to.  Opening it changes nothing, as
// machines open links, too; a button does.  Nobody has to be logged in, and
// nobody is by it.

import {fill, h} from './dom.js';
import {form} from './forms.js';
import {go, loginAddress} from './frame.js';
import {games, server, settingsOf} from './games.js';
import {more, t} from './i18n.js';
import * as net from './net.js';

/** A page of one button. @param {string} title @param {Node[]} nodes
 * @param {string} button @param {() => Promise<string>} act What then is said.
 */
function one(title, nodes, button, act) {
    const done = h('div', {role: 'status'});
    const asked = form('', button, nodes.map((node) => ({node})), async () => {
        const text = await act();
        asked.remove();
        fill(done, h('div', {class: 'card'}, h('p', null, text),
            h('p', null, h('a', {class: 'button', href: '#'},
                t('To the lobby')))));
    });
    return {
        title,
        node: h('div', {class: 'narrow'}, h('h1', null, title), asked, done),
    };
}

/** @param {string} code */
async function confirm(code) {
    const {users, email} = await net.ask('account.link', {code});
    const names = users.map((/** @type {any} */ user) => user.name).join(', ');
    return one(t('Confirm the address'), [
        h('p', null, t('{email} is to be the address of {names}.',
            {email, names})),
        h('p', {class: 'muted'}, t('If that was not you, close this page.'))],
    t('That is my address'), async () => {
        const {user} = await net.ask('account.email.confirm', {code});
        return t('The address is confirmed, {name}.', {name: user.name});
    });
}

/** @param {string} code */
const never = (code) => one(t('Never write here again'), [
    h('p', null, t('Nothing is mailed to this address any more, whoever asks for it.'))],
t('Never again'), async () => {
    await net.ask('account.email.never', {code});
    return t('Nothing more is sent to you.');
});

/** @param {string} code */
const unsubscribe = (code) => one(t('No more of these mails'), [
    h('p', null, t('You are mailed no more of this kind. In the settings you can have them again.'))],
t('No more of them'), async () => {
    await net.ask('notices.unsubscribe', {code});
    return t('Nothing more of this kind is sent to you.');
});

/** A personal link: one sits down as who one is, or as a guest, with a click.
 * @param {string} code */
async function join(code) {
    const [{table, by}, all, hello] = await Promise.all([
        net.ask('account.link', {code}), games(), server()]);
    const {user} = net.status;
    const brief = all.find(({name}) => name === table.game);
    const there = table.seats.map((/** @type {any} */ seat) => seat.name)
        .filter(Boolean);
    const title = brief?.title ?? table.game;
    const sit = async () => {
        if (!net.status.user)
            await net.enter('account.guest', {});
        await net.ask('table.join', {table: table.table, link: code,
            key: net.key(), nonce: net.key()}).catch((why) => {
            if (why.reason !== 'already_seated')
                throw why;
        });
        go(`table/${table.table}`);
        return t('You have a seat.');
    };
    const page = user || hello.guests ? one(title, [
        h('p', null, t('{name} would like to play with you.', {name: by})),
        h('p', {class: 'muted'}, [t('There already: {names}',
            {names: there.join(', ')}), ...brief ? settingsOf(brief, table, true)
            : []].join(' · '))],
    user ? t('Take the seat') : t('Sit down as a guest'), sit)
        : {title, node: h('div', {class: 'narrow'}, h('h1', null, title))};
    if (!user)
        page.node.append(h('p', null, h('a', {href:
            `#${loginAddress(`join/${code}`)}`}, t('Log in'))));
    return page;
}

/** @param {string} name @param {string[]} rest */
export default async function links(name, [code = '']) {
    await more();
    if (name === 'join')
        return join(code);
    return name === 'confirm' ? confirm(code)
        : name === 'never' ? never(code) : unsubscribe(code);
}
