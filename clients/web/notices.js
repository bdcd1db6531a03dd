// notices.js -- what the operator says: an end that is announced, maintenance,
// the message of the day, links at the foot of the page.
//
// Who is here is told by notices; who comes, or comes back, asks server.hello,
// and what was said before is forgotten.

import {fill, h} from './dom.js';
import {server} from './games.js';
import {clock, lang, moment, t} from './i18n.js';
import * as net from './net.js';

const bar = /** @type {HTMLElement} */ (document.getElementById('notices'));
const foot = /** @type {HTMLElement} */ (document.getElementById('foot'));

/** By the server's clock, as `at` is. */
let ahead = 0;
/** @type {{at: number, text?: string} | null} */
let end = null;
let maintenance = '';
let said = '';
let told = false;
/** What concerns one alone. @type {Node[]} */
let mine = [];

/** The message of the day hears of itself. */
export const bus = new EventTarget();

/** What people read in the lobby; nothing if nothing is said. */
export const motd = () => said ? h('p', {class: 'card motd'}, said) : null;

// ---- the bar below the navigation -------------------------------------------

/** @param {number} at By this clock. */
function when(at) {
    const soon = Math.max(0, Math.ceil((at - Date.now()) / 1000));
    const format = new Intl.RelativeTimeFormat(lang, {style: 'long'});
    return {
        time: soon < 12 * 3600 ? clock(at) : moment(at),
        span: soon < 90 ? format.format(soon, 'second')
            : soon < 5400 ? format.format(Math.round(soon / 60), 'minute')
                : format.format(Math.round(soon / 3600), 'hour'),
        over: soon === 0,
    };
}

function ending() {
    if (!end)
        return '';
    const {time, span, over} = when(end.at - ahead);
    return over ? t('The server is going down for a moment.')
        : t('The server goes down at {time}, {span}.', {time, span});
}

function draw() {
    const text = ending();
    const lines = [
        text && h('p', null, h('strong', null, text),
            end?.text && ` ${end.text}`),
        maintenance && h('p', null,
            h('strong', null, t('Read only for now; you can look.')),
            ` ${maintenance}`),
        ...mine,
    ].filter(Boolean);
    bar.hidden = lines.length === 0;
    fill(bar, lines);
}

/** Lines of one's own, beside what the operator says. @param {Node[]} lines */
export function own(lines) {
    mine = lines;
    draw();
}

/** @param {any} links */
function link(links) {
    const one = (/** @type {string} */ url, /** @type {string} */ text) =>
        /^(https?:|mailto:)/i.test(url ?? '') &&
        h('a', {href: url, target: '_blank', rel: 'noopener noreferrer'},
            text);
    fill(foot, one(links.rules, t('House rules')),
        one(links.privacy, t('Privacy')), one(links.contact, t('Contact')));
    foot.hidden = !foot.firstChild;
}

/** @param {string} text */
function say(text) {
    if (said === text)
        return;
    said = text;
    bus.dispatchEvent(new Event('motd'));
}

// ---- what is heard ----------------------------------------------------------

/** Whether who a proxy says one is has come in. */
let offered = false;

async function ask() {
    if (net.status.state !== 'online')
        return;
    try {
        // The first answer is the one that tells which games there are, too.
        const hello = await (told ? net.ask('server.hello') : server());
        told = true;
        if (hello.proxied && !net.status.user && !offered) {
            offered = true; // who logs out here stays out, until they reload
            net.enter('session.proxy', {}).catch(() => {});
        }
        ahead = hello.now - Date.now();
        end = hello.shutdown ?? null;
        maintenance = hello.maintenance ?? '';
        say(hello.motd ?? '');
        link(hello.links ?? {});
        draw();
    } catch {
        // It is asked again when there is a connection again.
    }
}

/** Takes a notice; what to say of it for a moment.
 * @param {any} notice @returns {string} */
export function hear({kind, text, at, until, why, user}) {
    if (user)
        return t('You are {name} from now on.', {name: user.name});
    switch (kind) {
    case 'shutdown':
        end = at ? {at, text} : null;
        draw();
        return at ? ending() : t('The server is going down for a moment.');
    case 'shutdown_cancelled':
        end = null;
        draw();
        return t('The server does not go down after all.');
    case 'maintenance':
    case 'maintenance_over':
        maintenance = text ?? '';
        draw();
        return text ? t('Read only for now; you can look.')
            : t('You can play again.');
    case 'motd':
    case 'motd_over':
        say(text ?? '');
        return '';
    case 'banned':
        return [until
            ? t('This account is barred until {time}.', {
                time: moment(until)})
            : t('This account is barred.'), why].filter(Boolean).join(' ');
    case 'session_ended':
        return t('You have been logged out.');
    case 'account_deleted':
        return t('This account has been deleted.');
    default:
        return text ?? '';
    }
}

export function begin() {
    net.bus.addEventListener('state', ask);
    setInterval(() => end && draw(), 1000);
    ask();
}
