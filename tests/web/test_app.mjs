// test_app.mjs -- the page as an app: it can be installed, is there without a
// connection, counts what waits and never what does not, tells of it and takes
// that back, and says that somebody has looked.

import { becomes, daemon, finish, is, ok, open, person, register, rpc, sit, until }
    from './support.mjs';

const server = await daemon();
const { url } = server;
const base = `${url}/${/src="(a\/[0-9a-f]+\/)/.exec(
    await (await fetch(url)).text())[1]}`;

// ---- it can be installed -------------------------------------------------------

const ana = await person(url, {
    serviceWorkers: 'allow', permissions: ['notifications'],
});
const cdp = await ana.context.newCDPSession(ana.page);
const worker = await until('there is a worker', async () => {
    const { active } = await ana.page.evaluate(async () => {
        const here = await navigator.serviceWorker.getRegistration();
        return { active: here?.active?.state };
    });
    return active === 'activated' && ana.context.serviceWorkers()[0];
});
const { errors, data } = await cdp.send('Page.getAppManifest');
is(errors, [], 'the browser reads the manifest');
const manifest = JSON.parse(data);
is((await cdp.send('Page.getInstallabilityErrors')).installabilityErrors
    .filter(({ errorId }) => errorId !== 'in-incognito'), [],
'and nothing keeps it from installing the page');
for (const { src, sizes, type } of manifest.icons) {
    const answer = await fetch(base + src);
    const png = Buffer.from(await answer.arrayBuffer());
    is([answer.headers.get('content-type'), png.subarray(1, 4).toString(),
        `${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`],
    [type, 'PNG', sizes], `${src} is what the manifest says`);
}
is(['start_url', 'scope', 'id'].map((name) =>
    new URL(manifest[name], `${base}manifest.webmanifest`).href),
Array(3).fill(`${url}/`), 'it starts at the page, whatever version that is');
is(await ana.page.evaluate(async () => [
    (await navigator.serviceWorker.getRegistration()).scope,
    navigator.serviceWorker.controller?.scriptURL]),
[`${url}/`, `${url}/sw.js`], 'the worker has this page in hand');

// ---- without a connection ------------------------------------------------------

const link = ({ page }, state) =>
    page.locator(`#link[data-state="${state}"]`).waitFor();
await ana.page.goto(`${url}/#rules`);
await ana.page.getByRole('heading', { name: 'Hacienda' }).waitFor();
await server.kill();
await ana.page.goto('about:blank');
await ana.page.goto(`${url}/#`);
await link(ana, 'offline');
ok(true, 'the page is there while the server is not, and says so');
is(await ana.page.evaluate(async (there) => (await Promise.all(
    ['web.wasm', 'games/hacienda.css', ...document.querySelector(
        'meta[name=later]').content.split(/[; ]/)
        .filter((name) => name.endsWith('.js'))].map((name) => fetch(there + name).then((a) => a.status, () => name))
)).filter((status) => status !== 200), base), [],
'with all its files, also those that were never asked for');
await server.back();
await link(ana, 'online');
ok(true, 'and goes on when it is back');

// ---- the count, and that it is never of something else ------------------------------

const badges = () => {
    globalThis.badges = [];
    navigator.setAppBadge = async (n) => { globalThis.badges.push(n ?? 1); };
};
const ben = await person(url, {}, badges);
await register(ana, 'Ana');
await register(ben, 'Ben');
const table = await open(ana, 'tictactoe');
await sit(ben, table);
await ben.page.goto(`${url}/#`);
const counted = async ({ page }) => [
    Number(/^\((\d+)\)/.exec(await page.title())?.[1] ?? 0),
    Number(/\d+/.exec(await page.locator('#nav').textContent())?.[0] ?? 0),
    Number(/turn\.svg$/.test(await page.locator('#icon')
        .getAttribute('href'))),
    await page.evaluate(() => globalThis.badges.at(-1) ?? 0)];
const counts = (n, what) => becomes(() => counted(ben), [n, n, n, n], what);
const move = (who, cell) => who.page.locator(`.ttt [data-key="${cell}"]`)
    .click();
await counts(0, 'nothing waits: title, navigation, icon and badge say so');
await move(ana, 'b2');
await counts(1, 'an opponent\'s move is counted by all of them');
await ana.page.getByRole('button', { name: 'Take back' }).click();
await counts(0, 'and by none when it is taken back');

// Between two pages that are there, one refused answer changes nothing.
const cut = await person(url, {}, `(${badges})();
    const say = WebSocket.prototype.send;
    globalThis.cut = 0;
    WebSocket.prototype.send = function (text) {
        if (globalThis.cut > 0 && text.includes('"me.tables"')) {
            globalThis.cut--;
            const {id} = JSON.parse(text);
            queueMicrotask(() => this.onmessage({data: JSON.stringify({
                jsonrpc: '2.0', id, error: {code: 1005, message: 'Too fast.',
                    data: {reason: 'rate_limited'}}})}));
            return;
        }
        say.call(this, text);
    };`);
await cut.page.goto(`${url}/#login`);
const form = cut.page.locator('form', { hasText: 'With a name' });
await form.getByLabel(/^Name/).fill('Ben');
await form.getByLabel('Password').fill('correct horse');
await form.getByRole('button').click();
await cut.page.locator('#nav', { hasText: 'Ben' }).waitFor();
await cut.page.evaluate(() => globalThis.cut = 1);
await move(ana, 'b2');
await counts(1, 'it is there again');
await becomes(() => counted(cut), [1, 1, 1, 1],
    'a count that was refused is asked for again');

// Who cannot know claims nothing.
await ben.context.setOffline(true);
await ben.page.evaluate(() => dispatchEvent(new Event('offline')));
await counts(0, 'without a connection nothing is claimed');
await ben.context.setOffline(false);
await counts(1, 'and it is counted anew when it is back');
await cut.context.close();

// ---- notifications ----------------------------------------------------------------

// The page tells while it is hidden, by the worker, and takes it back.  Chromium
// forgets one that it begins to show while somebody asks: so all do it in turn.
const notes = ({ page }) => page.evaluate(() =>
    navigator.locks.request('notifications', async () => {
        const here = await navigator.serviceWorker.getRegistration();
        return (await here.getNotifications()).map(({ title, body, tag }) =>
            ({ title, body, tag }));
    }));
const hide = (hidden) => ana.page.evaluate((is_) => Object.defineProperty(
    document, 'hidden', { value: is_, configurable: true }), hidden);
await ana.page.evaluate(() => localStorage.setItem('settings',
    JSON.stringify({ notify: true })));
ana.frames.length = 0;
await ana.page.reload();
await ana.page.locator('.ttt').waitFor();
await until('the page listens', () =>
    ana.frames.some(({ result }) => result?.ways));
await hide(true);
await ben.page.goto(`${url}/#table/${table}`);
await move(ben, 'a1');
await until('it is told', async () => (await notes(ana)).length > 0);
is(await notes(ana), [{ title: 'Sobremesa', body: 'It is your turn.',
    tag: table }], 'a hidden page tells whose turn it is');
await ben.page.getByRole('button', { name: 'Take back' }).click();
await until('it is withdrawn', async () => (await notes(ana)).length === 0);
ok(true, 'and not any more when that was taken back');
await hide(false);

// What is pushed while the page is not there.
const push = async (said) => {
    await cdp.send('ServiceWorker.enable');
    const { registrationId } = await registrations;
    await cdp.send('ServiceWorker.deliverPushMessage', {
        origin: url, registrationId, data: JSON.stringify(said) });
};
const registrations = new Promise((go) =>
    cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: all }) =>
        all.length > 0 && go(all[0])));
await until('it is shown', async () => {
    await push({ title: 'Hacienda', body: 'Your turn, Ana. <b>', table,
        kind: 'turn' });
    return (await notes(ana)).length > 0;
});
is(await notes(ana), [{ title: 'Hacienda', body: 'Your turn, Ana. <b>',
    tag: table }], 'what is pushed is shown as it is');
await push({ title: 'Hacienda', body: 'Your turn, still.', table });
await until('it is replaced', async () =>
    (await notes(ana))[0]?.body.includes('still'));
is((await notes(ana)).length, 1, 'one for each table');
await ana.page.goto(`${url}/#rules`);
await worker.evaluate(async () => {
    const [note] = await self.registration.getNotifications();
    // A browser lets only a person's click take the window to the front.
    self.WindowClient.prototype.focus = async function () { return this; };
    self.dispatchEvent(new NotificationEvent('notificationclick',
        { notification: note }));
});
await ana.page.locator('.ttt').waitFor();
await becomes(async () => [new URL(ana.page.url()).hash, await notes(ana)],
    [`#table/${table}`, []], 'a click goes to the table, in the window that is open');

// ---- that somebody looks ------------------------------------------------------------

const cai = await person(url);
await register(cai, 'Cai');
const looks = [];
const unanswered = new Set();
cai.page.on('websocket', (socket) => socket.on('framesent', ({ payload }) => {
    const { id, method, params } = JSON.parse(String(payload));
    if (method === 'table.seen') {
        looks.push(params.table);
        unanswered.add(id);
    }
}).on('framereceived', ({ payload }) =>
    unanswered.delete(JSON.parse(String(payload)).id))
    .on('close', () => unanswered.clear()));
// Time goes on once all is answered: else a connection that took too long is made
// anew, and what was under way is said again.
const later = async (ms) => {
    await until('looks are answered', () => unanswered.size === 0);
    await cai.page.clock.runFor(ms);
};
await cai.page.clock.install();
await cai.page.goto(`${url}/#table/${table}`);
await cai.page.reload();
await cai.page.locator('.ttt').waitFor();
await until('coming is a look', () => looks.length > 0);
is(looks, [table], 'who comes to a table has looked at it');
await cai.page.keyboard.press('Tab');
await cai.page.mouse.move(200, 200);
await later(29000);
await cai.page.keyboard.press('Tab');
is(looks, [table], 'that is said every 30 seconds at most');
await later(120000);
await cai.page.evaluate(() => new Promise((go) => requestAnimationFrame(go)));
is(looks, [table], 'an open tab is no look');
for (const [i, sign] of [() => cai.page.keyboard.press('Tab'),
    () => cai.page.mouse.move(300, 300),
    () => cai.page.evaluate(() => dispatchEvent(new Event('focus')))].entries()) {
    // Again while the connection, whose two minutes went by at once, is not back:
    // who is not known looks at nothing, and nothing is said twice.
    await until('a look', async () => {
        await sign();
        return looks.length === 2 + i;
    }).catch(() => {});
    is(looks.length, 2 + i, `${['a key', 'a pointer', 'the window'][i]} is one`);
    await later(31000);
}
await cai.page.goto(`${url}/#rules`);
await cai.page.getByRole('heading', { name: 'Hacienda' }).waitFor();
await cai.page.keyboard.press('Tab');
await later(1000);
is(looks.length, 4, 'but not on another page');

// The server was not there for a while: the browser tells of that itself.
is([ana, ben, cai].flatMap(({ troubles }) => troubles).filter((text) =>
    !/WebSocket|Failed to load|40[13]/.test(text)), [], 'no page complained');
await rpc(url, 'server.hello');
await finish();
