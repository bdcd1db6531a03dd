// push.js -- what is pushed to this browser while no page is open.

import {more, t} from './i18n.js';
import * as net from './net.js';
import {settings, wish} from './settings.js';
import {install} from './frame.js';

/** Why this browser can be pushed nothing; '' if it can. */
export function hindrance() {
    if (!window.isSecureContext)
        return t('Browsers allow that on https only.');
    if ('serviceWorker' in navigator && 'PushManager' in window)
        return '';
    return /iP(hone|ad)/.test(navigator.userAgent)
        ? t('Install the page first: Share, then Add to Home Screen.')
        : t('This browser cannot be told anything.');
}

/** @param {string} text In base64url. */
const bytes = (text) => Uint8Array.from(
    atob(text.replace(/-/g, '+').replace(/_/g, '/')), (c) => c.charCodeAt(0));

/** What people call this browser. */
function label() {
    const agent = navigator.userAgent;
    const browser = /(Firefox|Edg|OPR|Chrom(?:e|ium)|Safari)/.exec(agent)?.[1];
    const machine = /(Android|iPhone|iPad|Windows|Mac OS|CrOS|Linux)/
        .exec(agent)?.[1];
    return [browser, machine].filter(Boolean).join(', ');
}

/** The channel of this browser, if it is whoever is logged in that it tells. */
export const mine = () =>
    settings.push?.user === net.status.user?.id ? settings.push?.channel : null;

/** Tells this browser from now on: its channel.
 * @param {string} key Of the server, from `notices.get`. */
export async function subscribe(key) {
    if (await Notification.requestPermission() !== 'granted')
        throw {message: t('The browser does not allow it.')};
    await install();
    const {pushManager} = await navigator.serviceWorker.ready;
    const subscription = await pushManager.subscribe({
        userVisibleOnly: true, applicationServerKey: bytes(key)});
    const {endpoint, keys} = subscription.toJSON();
    const {channel} = await net.ask('notices.channels.add', {
        way: 'push', target: endpoint, p256dh: keys?.p256dh, auth: keys?.auth,
        label: label()});
    wish({push: {channel, user: net.status.user?.id ?? ''}});
    return channel;
}

/** This browser is told nothing more. */
export async function unsubscribe() {
    const here = await navigator.serviceWorker?.getRegistration();
    await (await here?.pushManager?.getSubscription())?.unsubscribe();
    wish({push: null});
}

/** Whoever leaves takes along what they are told. */
export async function forget() {
    const channel = mine();
    if (!channel)
        return;
    await unsubscribe();
    await net.ask('notices.channels.remove', {channel}).catch(() => {});
}

/** A browser may have given up its subscription, or somebody else be here.
 * @param {any} told As from `notices.get`. */
export async function renew(told) {
    if (!settings.push || !net.status.user || hindrance())
        return;
    await more();
    if (!mine()) {
        await unsubscribe();
        return;
    }
    const here = await navigator.serviceWorker.ready;
    if (Notification.permission === 'granted' && told.push_key &&
        told.channels.some((/** @type {any} */ one) => one.channel === mine()) &&
        !await here.pushManager.getSubscription())
        await subscribe(told.push_key);
}
