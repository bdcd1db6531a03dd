// test_push.mjs -- what is pushed, the whole way: the page's own button, a push
// service that is played here and decrypts as the browser would (RFC 8291), the
// service worker, and a click that opens the table.  Only what the browser's
// maker would give, an endpoint and keys, is made here.

import { createDecipheriv, createECDH, createPublicKey, hkdfSync, verify }
    from 'node:crypto';
import { createServer } from 'node:http';

import { finish, inPage, is, ok, open, person, register, rpc, sit, timed, until }
    from './support.mjs';

// ---- a push service, and the browser's half of the keys -----------------------------

const ecdh = createECDH('prime256v1');
ecdh.setPrivateKey(Buffer.alloc(32, 'a key of the browser'));
const mine = ecdh.getPublicKey();
const auth = Buffer.alloc(16, 'its other secret');
const derived = (key, salt, info, size) =>
    Buffer.from(hkdfSync('sha256', key, salt, info, size));

/** RFC 8291: what the browser reads. */
function decrypted(body) {
    const salt = body.subarray(0, 16), sender = body.subarray(21, 86);
    const shared = derived(ecdh.computeSecret(sender), auth, Buffer.concat([
        Buffer.from('WebPush: info\0'), mine, sender]), 32);
    const cipher = createDecipheriv('aes-128-gcm',
        derived(shared, salt, 'Content-Encoding: aes128gcm\0', 16),
        derived(shared, salt, 'Content-Encoding: nonce\0', 12));
    cipher.setAuthTag(body.subarray(-16));
    const text = Buffer.concat([cipher.update(body.subarray(86, -16)),
        cipher.final()]);
    return JSON.parse(text.subarray(0, text.lastIndexOf(2)).toString());
}

/** RFC 8292: whether KEY has signed that it sends to AUDIENCE, for now. */
function signed(header, key, audience) {
    const [, token, named] = /^vapid t=([^,]+), ?k=(.+)$/.exec(header) ?? [];
    const [head, claims, signature] = token.split('.');
    const point = Buffer.from(key);
    const part = (from) => point.subarray(from, from + 32).toString('base64url');
    const { aud, exp } = JSON.parse(Buffer.from(claims, 'base64url'));
    return named === point.toString('base64url') && aud === audience &&
        exp > now() / 1000 && exp < now() / 1000 + 86400 &&
        verify('sha256', Buffer.from(`${head}.${claims}`), {
            key: createPublicKey({ format: 'jwk', key: { kty: 'EC',
                crv: 'P-256', x: part(1), y: part(33) } }),
            dsaEncoding: 'ieee-p1363',
        }, Buffer.from(signature, 'base64url'));
}

const pushed = [];
let answer = 201;
const service = createServer(async (request, response) => {
    const pieces = [];
    for await (const piece of request)
        pieces.push(piece);
    pushed.push({ path: request.url, headers: request.headers,
        said: decrypted(Buffer.concat(pieces)) });
    response.writeHead(answer).end();
});
await new Promise((go) => service.listen(0, '127.0.0.1', go));
service.unref();
const origin = `http://127.0.0.1:${service.address().port}`;
const { url, now } = await timed('--set', 'server.url=https://club.example',
    '--set', `notices.allow=${origin}`);
/** Waits for what is pushed of a kind, and forgets all that came before. */
async function taken(what, kind) {
    const one = await until(what, () =>
        pushed.find(({ said }) => (said.kind ?? said.tag) === kind));
    pushed.length = 0;
    return one;
}

/** In the page: what a browser answers whose maker's service is to be had.  The
 * real one is asked before, for what it says of the server's key. */
const subscribing = (given) => {
    const { subscribe } = PushManager.prototype;
    const there = () => localStorage.subscribed ? {
        toJSON: () => given,
        async unsubscribe() {
            delete localStorage.subscribed;
            return true;
        },
    } : null;
    PushManager.prototype.subscribe = async function (options) {
        const real = await subscribe.call(this, options)
            .catch((why) => why.name);
        globalThis.asked = { real, ...options,
            applicationServerKey: [...options.applicationServerKey] };
        localStorage.subscribed = 'yes';
        return there();
    };
    PushManager.prototype.getSubscription = async () => there();
};

// ---- subscribed by the page's button -------------------------------------------------

const ana = await person(url, {
    serviceWorkers: 'allow', permissions: ['notifications'],
}, `window.PushManager && (${subscribing})(${JSON.stringify({
    endpoint: `${origin}/ana`, keys: { p256dh: mine.toString('base64url'),
        auth: auth.toString('base64url') } })})`);
const ben = await person(url);
await register(ana, 'Ana');
await register(ben, 'Ben');
const told = ana.page.locator('[data-key="settings-told"]');
const settings = async () => {
    await ana.page.goto(`${url}/#settings/told`);
    await ana.page.reload();
    await told.locator('.stack').waitFor();
};
const channels = async () =>
    (await inPage(ana.page, 'net', 'ask', 'notices.get')).channels;
const button = (name) => told.getByRole('button', { name });
const says = (text) => ana.page.locator('#say', { hasText: text }).waitFor();
await settings();
await button('Tell this browser').click();
await says('It has arrived.');
const asked = await ana.page.evaluate(() => globalThis.asked);
ok(asked.userVisibleOnly && asked.real !== 'InvalidAccessError',
    'the browser takes the server\'s key', asked.real);
const test = await taken('a test', 'test');
is([test.path, test.headers['content-encoding']], ['/ana', 'aes128gcm'],
    'a test is pushed to where the browser said');
ok(signed(test.headers.authorization, asked.applicationServerKey, origin),
    'signed by the key that the browser was given');
await told.locator('li', { hasText: 'this browser' }).getByText('on', {
    exact: true }).waitFor();
is(await button('Tell this browser').count(), 0,
    'the page says that this browser is told');
await told.getByLabel('A notice waits').selectOption('not at all');
await until('it is kept', async () => (await inPage(ana.page, 'net', 'ask',
    'notices.get')).wait === 0);

// ---- a turn, while no page is open -----------------------------------------------------

const table = await open(ana, 'tictactoe');
await sit(ben, table);
const move = ({ page }, cell) => page.locator(`.ttt [data-key="${cell}"]`)
    .click();
/** Ana has moved and is gone, Ben moves. */
async function away(hers, his) {
    await move(ana, hers);
    await ben.page.locator(`.ttt [data-key="${hers}"]`, { hasText: /./ })
        .or(ben.page.locator(`.ttt [data-key="${hers}"] > *`)).first()
        .waitFor();
    await ana.page.goto('about:blank');
    pushed.length = 0;
    await move(ben, his);
}
await away('b2', 'a1');
const { said, headers } = await taken('her turn', 'turn');
is([said.title, said.table, said.lang, headers.topic],
    ['Tic-tac-toe with Ben', table, 'en', table], 'a turn is pushed: game and table');
const words = JSON.stringify(said).replaceAll(table, ''); // its id may be a1...
ok(/your turn/i.test(said.body) && !/a1|b2/.test(words),
    'whose turn it is, and nothing of the position', words);

const cdp = await ana.context.newCDPSession(ana.page);
const registration = new Promise((go) =>
    cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) =>
        registrations.length > 0 && go(registrations[0].registrationId)));
await cdp.send('ServiceWorker.enable');
// A browser ends a worker that nobody has wanted for half a minute.
const worker = await until('the worker runs', async () => {
    await cdp.send('ServiceWorker.startWorker', { scopeURL: `${url}/` });
    return ana.context.serviceWorkers()[0];
});
await worker.evaluate(() => {
    self.badges = [];
    self.navigator.setAppBadge = async (n) => { self.badges.push(n); };
});
await cdp.send('ServiceWorker.deliverPushMessage', { origin: url,
    registrationId: await registration, data: JSON.stringify(said) });
// Chromium forgets one that it begins to show while somebody asks: so all do it in turn.
const notes = () => worker.evaluate(() =>
    self.navigator.locks.request('notifications', async () =>
        (await self.registration.getNotifications()).map(({ title, body, tag }) =>
            ({ title, body, tag }))));
await until('it is shown', async () => (await notes()).length > 0);
is(await notes(), [{ title: said.title, body: said.body, tag: table }],
    'the service worker shows it, though no page is open');
await until('it is counted', () => worker.evaluate(() =>
    self.badges.length > 0));
is(await worker.evaluate(() => self.badges), [1], 'and counts it in the badge');
const opened = await worker.evaluate(async () => {
    const [note] = await self.registration.getNotifications();
    // A browser opens windows only for a person's click.
    return new Promise((go) => {
        self.clients.openWindow = async (address) => go(address);
        self.dispatchEvent(new NotificationEvent('notificationclick',
            { notification: note }));
    });
});
is([opened, await notes()], [`${url}/#table/${table}`, []],
    'a click opens the table, and the notification is gone');
await ana.page.goto(opened);
await ana.page.locator('.ttt').waitFor();

// ---- a subscription that is dead, and one that goes ----------------------------------------

answer = 410;
await away('c3', 'b1');
await taken('her turn', 'turn');
const other = (await rpc(url, 'session.login',
    { name: 'Ana', password: 'correct horse' })).token;
await until('it is switched off', async () => (await rpc(url, 'notices.get', {},
    other)).channels[0].state !== 'on');
await ana.page.goto(opened);
await ana.page.locator('#notices', { hasText: 'Nothing is sent to Chrom' }).waitFor();
ok(true, 'a browser that is gone is told nothing more, and the page says so');
answer = 201;
await settings();
await told.getByText('It was refused').waitFor();
await button('Remove').click();
await button('Tell this browser').waitFor();
is([await channels(), await ana.page.evaluate(() => localStorage.subscribed)],
    [[], undefined], 'it is removed, on the server and in the browser');
await button('Tell this browser').click();
await until('it is told again', async () => (await channels()).length === 1);
const { token } = await rpc(url, 'session.login',
    { name: 'Ana', password: 'correct horse' });
await ana.page.getByRole('button', { name: 'Log out' }).click();
await ana.page.getByRole('link', { name: 'Log in', exact: true }).waitFor();
is([(await rpc(url, 'notices.get', {}, token)).channels,
    await ana.page.evaluate(() => localStorage.subscribed)],
    [[], undefined], 'who logs out takes it along');

is([ana, ben].flatMap(({ troubles }) => troubles).filter((text) =>
    !/WebSocket|40[13]|incognito/.test(text)), [],
'no page complained of anything');
service.close();
await finish();
