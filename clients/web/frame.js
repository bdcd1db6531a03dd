// frame.js -- what every page wants of the page around it: a line at its foot,
// and another address.

import {fill, h} from './dom.js';
import {t} from './i18n.js';

/** What early.js began. @type {import('./types.js').Early} */
export const early = /** @type {any} */ (globalThis).early;

const said = /** @type {HTMLElement} */ (document.getElementById('say'));

/** A line at the foot of the page for a moment.
 * @param {string} text @param {'note' | 'problem'} [kind] */
export function say(text, kind = 'note') {
    const line = h('p', {class: kind}, text);
    fill(said, line);
    setTimeout(() => line.remove(), kind === 'problem' ? 9000 : 5000);
}

/** Shows why something was refused. @param {any} why */
export function complain(why) {
    say(why?.message ? t(why.message) : String(why), 'problem');
}

/** Goes there, or makes the page anew where it is there already.
 * @param {string} address */
export function go(address) {
    if (location.hash.slice(1) === address)
        dispatchEvent(new Event('hashchange'));
    else
        location.hash = address;
}

/** The address of logging in, which goes on to where one is, or to ADDRESS.
 * @param {string} [address] */
export function loginAddress(address = location.hash.slice(1)) {
    return address.startsWith('login') ? address
        : address === '' || /^re(gister|set)/.test(address) ? 'login'
            : `login/${address}`;
}

/** How the browser would have the page installed, once it has said that it
 * could. @type {{install: any}} */
export const offer = {install: null};
addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    offer.install = event;
});

/** Begins the service worker (sw.js), where it has not begun yet. */
export const install = () => navigator.serviceWorker.register('sw.js');
