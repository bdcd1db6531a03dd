// weighing.mjs -- a page that is opened with nothing in the browser's cache, and all that
// the server sends for it, counted on the wire.

import { far } from './far.mjs';
import { browser, daemon, inPage, PATIENCE, rpc, until } from './support.mjs';

const { url } = await daemon('--set', 'bots.processes=1', '--set', 'limits.local=off');

/** A session by cookie, as the page has it, and by token. */
async function enter(name) {
    const reply = await fetch(`${url}/session`, {
        method: 'POST', headers: { 'Content-Type': 'application/json',
            'Origin': url },
        body: JSON.stringify({ method: 'account.register',
            params: { name, password: 'correct horse' } }),
    });
    const [cookie] = reply.headers.getSetCookie()[0].split(';');
    const [key, value] = cookie.split('=');
    const { token } = await rpc(url, 'session.login',
        { name, password: 'correct horse' });
    return { cookies: [{ name: key, value }], token };
}

/** The pages that are weighed, with what is there when they show: the lobby where nobody
 * plays yet, and a table of each game for somebody who sits at it. */
export async function* pages() {
    yield { game: null, cookies: [], address: '', shown: 'main h1' };
    const ana = await enter('ana'), ben = await enter('ben');
    for (const { name } of (await rpc(url, 'server.hello')).games) {
        const { table } = await rpc(url, 'table.create',
            { game: name, seats: 2, key: `${name}-0123456789` }, ana.token);
        await rpc(url, 'table.join', { table }, ben.token);
        yield { game: name, cookies: ana.cookies, address: `table/${table}`,
            shown: '.panel > *' };
    }
}

export const wireTo = (how) => far(url, how);

/**
 * Opens a page by a WIRE: after how many ms it was there; of how many bytes the files are
 * that it had asked for by then (EARLY) and of how many ALL are, and what it was TOLD
 * besides; and whether the rules were there in the end.  Files whose names fit HELD come
 * only when it shows.
 */
export async function visit(wire, { cookies, address, shown }, held = null) {
    const context = await (await browser()).newContext({
        viewport: { width: 390, height: 844 }, locale: 'en-GB',
        serviceWorkers: 'block' }); // it takes all there is, later
    context.setDefaultTimeout(PATIENCE);
    await context.addCookies(cookies.map((cookie) =>
        ({ ...cookie, domain: undefined, path: undefined, url: wire.url })));
    const page = await context.newPage();
    wire.began = 0;
    const before = wire.came;
    const files = []; // in the order in which they are asked for
    let ms = 0, early = null, there;
    const shows = new Promise((go) => there = go);
    if (held)
        await page.route(held, (route) => shows.then(() => route.continue()));
    const session = await context.newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Runtime.enable');
    await session.send('Runtime.addBinding', { name: 'isThere' });
    // Both are told by the page's own thread, in the order in which it did them.
    session.on('Network.requestWillBeSent', ({ requestId: id, request }) =>
        files.push({ id, url: request.url, bytes: null }));
    session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) =>
        files.find(({ id }) => id === requestId).bytes = encodedDataLength);
    session.on('Runtime.bindingCalled', () => {
        ms ||= wire.passed();
        early ??= [...files];
        there();
    });
    await context.addInitScript((what) => {
        const look = () => document.querySelector(what)?.getClientRects().length
            && globalThis.isThere('');
        new MutationObserver(look).observe(document,
            { childList: true, subtree: true, attributes: true });
        addEventListener('load', look, true); // of a style
    }, shown);
    await page.goto(`${wire.url}/#${address}`, { waitUntil: 'commit' });
    await until('it shows', () => early);
    const loaded = address === '' || await until('the rules have come', () =>
        inPage(page, 'core', 'loaded').catch(() => false));
    // The last that a page wants by itself: of anybody, and of whoever is logged in.
    const last = cookies.length > 0 ? /\/push\.js$/ : /\/worker\.js$/;
    const whole = () => files.some((file) => last.test(file.url)) &&
        files.every(({ bytes }) => bytes !== null);
    await until('all has come', async () => {
        if (!whole())
            return false;
        await page.evaluate(() => new Promise((go) => requestIdleCallback(go)));
        return whole();
    });
    const came = wire.came - before;
    await context.close();
    const sum = (some) => some.reduce((all, { bytes }) => all + bytes, 0);
    return { ms, loaded, early: sum(early.filter(({ url: name }) => !held?.test(name))),
        all: sum(files), told: came - sum(files) };
}
