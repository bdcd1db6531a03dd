// sw.js -- the service worker: the page where there is no connection, and what
// is pushed while no tab is open.
//
// It stands beside the page and is the page's for all below it; another
// Sobremesa elsewhere on the same host has one of its own.  A file never changes
// under its address (a/TAG/), so all of one version are taken when it is
// installed, and a tab that was opened with them has them as long as it is
// there.  The page itself is asked for each time.

const TAG = '@TAG@';
const FILES = '@FILES@'.split(' ');
const PATIENCE_MS = 4000; // with a connection that only seems to be there

const worker = /** @type {any} */ (self);
const here = new URL('./', location.href);
/** Other versions' begin with the same. */
const KEPT = `${here.pathname} `;
const kept = () => caches.open(KEPT + TAG);

// ---- files --------------------------------------------------------------------

async function install() {
    const cache = await kept();
    await cache.addAll(['./', ...FILES.map((file) => `a/${TAG}/${file}`)]);
    // Between this file and the page the server may have become a newer one.
    const page = await cache.match('./');
    if (!(await page?.text())?.includes(`a/${TAG}/`))
        throw new Error('the server has changed');
}

async function activate() {
    for (const name of await caches.keys())
        if (name.startsWith(KEPT) && name !== KEPT + TAG)
            await caches.delete(name);
    await worker.clients.claim();
}

/** The page as it is, or as it was where nobody answers.
 * @param {Request} request */
async function page(request) {
    const asked = fetch(request).catch(() => null);
    const soon = await Promise.race([asked,
        new Promise((done) => setTimeout(done, PATIENCE_MS, null))]);
    if (soon && soon.status < 500)
        return soon;
    return await (await kept()).match('./') ?? await asked ??
        Response.error();
}

/** @param {Request} request */
const file = async (request) =>
    await caches.match(request, {ignoreVary: true}) ?? fetch(request);

worker.addEventListener('install', (/** @type {any} */ event) =>
    event.waitUntil(install()));
worker.addEventListener('activate', (/** @type {any} */ event) =>
    event.waitUntil(activate()));
worker.addEventListener('fetch', (/** @type {any} */ event) => {
    const {request} = event;
    const {origin, pathname} = new URL(request.url);
    if (request.method !== 'GET' || origin !== here.origin)
        return;
    if (request.mode === 'navigate' && pathname === here.pathname)
        event.respondWith(page(request));
    else if (pathname.startsWith(`${here.pathname}a/`))
        event.respondWith(file(request));
});

// ---- what is pushed -------------------------------------------------------------

/** What is pushed is made by server/io/courier_push.c: {title, body, lang, kind,
 * table or tag}; what is not there is not known.
 * @param {any} said */
function show({title = 'Sobremesa', body = '', lang, kind, table, tag = kind}) {
    return worker.registration.showNotification(title, {
        body,
        lang,
        tag: table ?? tag ?? '', // one for each table
        renotify: Boolean(table ?? tag),
        icon: `a/${TAG}/icon-192.png`,
        badge: `a/${TAG}/badge.png`,
        data: {table, kind, address: table ? `table/${table}` : ''},
    });
}

/** One at a time, as the page does it (worker.js). @param {() => Promise<any>} job */
const inTurn = (job) => worker.navigator.locks.request('notifications', job);

const shown = async () => (await worker.clients.matchAll({type: 'window'}))
    .filter((/** @type {any} */ one) => one.url.startsWith(here.href));

/** The badge, where no page counts what waits: the turns that are told. */
async function count() {
    if ((await shown()).length > 0)
        return;
    const turns = (await worker.registration.getNotifications()).filter(
        (/** @type {any} */ note) => /^(turn|reminder)$/.test(note.data?.kind));
    await worker.navigator.setAppBadge?.(turns.length).catch(() => {});
}

/** Goes there, in a window that is open if there is one.
 * @param {any} event */
async function clicked(event) {
    event.notification.close();
    const {address = ''} = event.notification.data ?? {};
    const [one] = await shown();
    if (!one)
        return worker.clients.openWindow(`${here.href}#${address}`);
    one.postMessage({go: address});
    return one.focus();
}

worker.addEventListener('push', (/** @type {any} */ event) => {
    const said = event.data?.json() ?? {};
    event.waitUntil(inTurn(() => show(said)).then(() => inTurn(count)));
});
worker.addEventListener('notificationclose', (/** @type {any} */ event) =>
    event.waitUntil(inTurn(count)));
worker.addEventListener('notificationclick', (/** @type {any} */ event) =>
    event.waitUntil(clicked(event)));
