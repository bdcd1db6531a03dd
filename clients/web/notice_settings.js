// notice_settings.js -- how one is told things when one is away: where, what,
// and when; and what was sent.

import {fill, h} from './dom.js';
import {check, field, form, select} from './forms.js';
import {complain, say} from './frame.js';
import {games} from './games.js';
import {ago, languages, moment, t} from './i18n.js';
import * as net from './net.js';
import * as push from './push.js';

/** @typedef {{channel: string, way: string, form?: string, label: string,
 *     target: string, state: string, why: string | null, kinds: string[],
 *     changed: number}} Channel */

/** What can happen so far; what a server sends later stays as it is. */
const KINDS = () => /** @type {{[kind: string]: string}} */ ({
    turn: t('It is my turn'),
    reminder: t('It is still my turn'),
    answer: t('I may answer, and need not'),
    invited: t('I am invited'),
    started: t('A game begins'),
    finished: t('A game is over'),
    rewound: t('A game is set back'),
    chat: t('Somebody writes at my table'),
    seated: t('Somebody sits down at my open table'),
    unseated: t('Somebody gets up there'),
    account: t('Something about my account'),
});

const WAYS = () => /** @type {{[way: string]: string}} */ ({
    mail: t('Mail'),
    push: t('Browser'),
    webhook: t('Webhook'),
    generic: t('Webhook'),
    ntfy: 'ntfy',
    gotify: 'Gotify',
    discord: 'Discord',
    slack: 'Slack, Mattermost',
    matrix: 'Matrix',
});

/** Which want something besides an address, and what they call it. */
const TOKENS = () => /** @type {{[form: string]: string}} */ ({
    ntfy: t('Access token (if the topic wants one)'),
    gotify: t('Token of the application'),
    matrix: t('Access token'),
});

/** Asks, says what is wrong, and shows all of it anew.
 * @param {string} method @param {any} params @param {() => any} again */
const ask = (method, params, again) =>
    net.ask(method, params).then(again, complain);

/** A button that says so while what it does is under way, which may take as long
 * as somebody far away takes to answer.
 * @param {string} text @param {string} key @param {() => Promise<any>} act
 * @param {{[name: string]: any}} [given] */
function button(text, key, act, given = {}) {
    const node = h('button', {type: 'button', 'data-key': key, ...given,
        onclick: async () => {
            if (node.hasAttribute('aria-busy'))
                return;
            node.setAttribute('aria-busy', 'true'); // `disabled` would take the focus away
            node.textContent = t('Trying …');
            await act().catch(complain);
            node.removeAttribute('aria-busy');
            node.textContent = text;
        }}, text);
    return node;
}

// ---- where ---------------------------------------------------------------------

/** What came of a test. @param {any} answer */
const tested = ({delivered, said}) => say(delivered
    ? t('It has arrived.')
    : t('It did not arrive: {said}', {said: said ?? '–'}),
delivered ? 'note' : 'problem');

/** @param {string} channel @param {() => any} again */
async function test(channel, again) {
    try {
        tested(await net.ask('notices.channels.test', {channel}));
    } catch (why) {
        complain(why);
    }
    again();
}

/** @param {Channel} one @param {() => any} again */
function kinds(one, again) {
    const known = KINDS();
    return h('details', null, h('summary', null, t('What is told there')),
        Object.entries(known).map(([kind, text]) => kind === 'account'
            ? null : check(text, one.kinds.includes(kind), (on) =>
                ask('notices.channels.set', {
                    channel: one.channel,
                    kinds: on ? [...one.kinds, kind]
                        : one.kinds.filter((other) => other !== kind),
                }, again))),
        h('p', {class: 'muted small'},
            t('What concerns your account is always told.')));
}

/** @param {Channel} one @param {() => any} again */
function channel(one, again) {
    const ways = WAYS();
    const state = one.state === 'on' ? h('span', {class: 'tag'}, t('on'))
        : one.state === 'off' ? h('span', {class: 'tag bad'}, t('off'))
            : h('span', {class: 'tag'}, t('not tried yet'));
    return h('li', {class: 'card'},
        h('div', {class: 'head'},
            h('h3', null, `${ways[one.form ?? one.way] ?? one.way}`,
                one.label && ` · ${one.label}`,
                one.channel === push.mine() && ` (${t('this browser')})`),
            state),
        h('p', {class: 'muted small wrap'}, one.target),
        one.state === 'off' && h('p', {class: 'bad'},
            t('It was refused, so nothing is sent there any more: {why}',
                {why: one.why ?? '–'})),
        one.state === 'untried' && h('p', null,
            t('Nothing is sent there until a test was answered.')),
        kinds(one, again),
        h('div', {class: 'row'},
            button(t('Send a test'), `test-${one.channel}`,
                () => test(one.channel, again)),
            one.way !== 'mail' && h('button', {type: 'button',
                'data-key': `remove-${one.channel}`, onclick: async () => {
                    if (one.channel === push.mine())
                        await push.unsubscribe();
                    ask('notices.channels.remove', {channel: one.channel},
                        again);
                }}, t('Remove'))));
}

/** The browser one looks at. @param {any} told @param {() => any} again */
function browser(told, again) {
    if (!told.ways.includes('push') || told.channels.some(
        (/** @type {Channel} */ one) => one.channel === push.mine()))
        return null;
    const why = push.hindrance() || !told.push_key &&
        t('The server is not ready for that.');
    return h('div', null,
        button(t('Tell this browser'), 'subscribe', async () =>
            test(await push.subscribe(told.push_key), again),
        {class: 'main', disabled: Boolean(why)}),
        why && h('p', {class: 'muted small'}, why));
}

/** @param {any} told @param {() => any} again */
function webhook(told, again) {
    if (!told.ways.includes('webhook') || net.status.user?.guest)
        return null;
    const ways = WAYS(), tokens = TOKENS();
    const forms = ['generic', 'ntfy', 'gotify', 'discord', 'slack', 'matrix'];
    const target = field(t('Address (https://…)'), {type: 'url',
        required: true, maxlength: 1000, autocomplete: 'off'});
    const secret = field('', {maxlength: 256, autocomplete: 'off'});
    const label = field(t('What you call it (optional)'), {maxlength: 64});
    const chosen = (/** @type {string} */ form) => {
        secret.node.hidden = !(form in tokens);
        fill(secret.node, h('span', null, tokens[form] ?? ''), secret.input);
    };
    const which = select(t('What is called'), forms, 'generic',
        (form) => form === 'generic' ? t('A program of my own (signed JSON)')
            : ways[form], chosen);
    chosen('generic');
    const shown = h('div', {role: 'status'});
    return h('details', null, h('summary', null, t('Add a webhook')),
        form('', t('Add and test it'), [which, target, secret, label],
            async () => {
                const added = await net.ask('notices.channels.add', {
                    way: 'webhook', form: which.input.value,
                    target: target.input.value,
                    ...!secret.node.hidden && secret.input.value &&
                        {secret: secret.input.value},
                    ...label.input.value && {label: label.input.value},
                });
                fill(shown, added.secret && [
                    h('p', null, t('What it is called with is signed by this; you see it once:')),
                    h('p', null, h('code', {class: 'wrap'}, added.secret))]);
                await test(added.channel, () => added.secret || again());
            }), shown);
}

/** @param {any} told @param {() => any} again */
function where(told, again) {
    return [
        told.channels.length === 0 && h('p', {class: 'muted'},
            t('Nobody tells you anything yet.')),
        h('ul', {class: 'channels'}, told.channels.map(
            (/** @type {Channel} */ one) => channel(one, again))),
        browser(told, again),
        webhook(told, again),
    ];
}

// ---- when ----------------------------------------------------------------------

/** @param {any} told @param {() => any} again */
function when(told, again) {
    const set = (/** @type {any} */ wishes) =>
        ask('notices.set', wishes, again);
    const waits = [...new Set([0, 60, 120, 300, 600, 900, told.wait])]
        .sort((a, b) => a - b).map(String);
    const digests = /** @type {{[word: string]: string}} */ ({
        never: t('no, each time'),
        daily: t('once a day'),
        weekly: t('once a week'),
    });
    return h('fieldset', null, h('legend', null, t('When')),
        check(t('Always at once, also when I have not looked since the last time'),
            told.at_once, (on) => set({at_once: on})),
        !told.at_once && select(t('A notice waits for me to look by myself'),
            waits, String(told.wait), (s) => Number(s) === 0
                ? t('not at all')
                : new Intl.NumberFormat(document.documentElement.lang, {
                    style: 'unit', unitDisplay: 'long',
                    unit: Number(s) % 60 ? 'second' : 'minute',
                }).format(Number(s) % 60 ? Number(s) : Number(s) / 60),
            (s) => set({wait: Number(s)})).node,
        select(t('All of it together'), Object.keys(digests), told.digest,
            (word) => digests[word], (digest) => set({digest})).node,
        told.digest !== 'never' && told.digest_at && h('p', {class: 'muted'},
            t('The next one: {when}', {when: moment(told.digest_at)})),
        select(t('Language of what you are sent'), Object.keys(languages),
            told.language || 'en',
            (code) => languages[/** @type {'en'} */ (code)],
            (language) => set({language})).node);
}

// ---- which tables ----------------------------------------------------------------

/** What a table is called: its game, and who sits there.  One that is not to be
 * had any more is called by its name on the wire. @param {string} id */
function nameOf(id) {
    const name = h('span', null, '…');
    Promise.all([games(), net.ask('table.get', {table: id})]).then(
        ([all, {table}]) => fill(name, [all.find(({name: game}) =>
            game === table.game)?.title ?? table.game, table.seats.map(
            (/** @type {any} */ seat) => seat.name ?? t('free')).join(', ')]
            .join(' · ')), () => fill(name, id));
    return name;
}

/** @param {any} told @param {() => any} again */
function muted(told, again) {
    return told.muted.length > 0 && h('div', null,
        h('h3', null, t('Tables you want to hear nothing of')),
        h('ul', {class: 'plainlist'}, told.muted.map((/** @type {string} */ table) =>
            h('li', {class: 'row'}, h('a', {href: `#table/${table}`}, nameOf(table)),
                h('button', {type: 'button', onclick: () =>
                    ask('notices.mute', {table, muted: false}, again)},
                t('Tell me again'))))));
}

// ---- what was sent -----------------------------------------------------------------

/** @param {any} what */
function summary(what) {
    const known = KINDS();
    const forms = /** @type {{[form: string]: string}} */ ({
        digest: t('Digest'), summary: t('What waits'), account: t('Account'),
        test: t('A test')});
    if (what?.form in forms)
        return forms[what.form];
    const kinds = new Set((what?.items ?? []).map(
        (/** @type {any} */ item) => known[item.kind] ?? item.kind));
    return [...kinds].join(', ');
}

function history() {
    const list = h('ul', {class: 'plainlist'});
    const foot = h('div', {class: 'row'});
    const ways = WAYS();
    const results = /** @type {{[word: string]: string}} */ ({
        delivered: t('arrived'), given_up: t('given up'),
        gone: t('refused for good'), fault: t('failed here')});
    const load = async (/** @type {number | undefined} */ before) => {
        const {sent, next} = await net.ask('notices.history',
            {limit: 30, ...before !== undefined && {before}});
        list.append(...sent.map((/** @type {any} */ one) => h('li', null,
            h('span', {class: 'muted', title: moment(one.at)}, ago(one.at)),
            ` · ${ways[one.way]} · ${summary(one.what)} · `,
            h('span', {class: one.result === 'delivered' ? '' : 'bad'},
                results[one.result]),
            one.said && h('span', {class: 'muted wrap'}, ` (${one.said})`))));
        fill(foot, next !== undefined ? h('button', {type: 'button',
            onclick: () => load(next).catch(complain)}, t('More'))
            : !list.firstChild && h('p', {class: 'muted'},
                t('Nothing was sent to you in the last thirty days.')));
    };
    return h('details', {ontoggle: (/** @type {any} */ e) =>
        e.target.open && !list.firstChild && load(undefined).catch(complain)},
    h('summary', null, t('What was sent in the last thirty days')), list,
    foot);
}

// ---- all of it ----------------------------------------------------------------------

export default async function told() {
    const root = h('div', {class: 'stack'});
    const draw = async () => {
        const answer = await net.ask('notices.get');
        fill(root, answer.ways.length === 0
            ? h('p', {class: 'muted'},
                t('This server tells nobody anything who is away.'))
            : [where(answer, draw), when(answer, draw), muted(answer, draw),
                history()].flat());
    };
    await draw();
    return root;
}
