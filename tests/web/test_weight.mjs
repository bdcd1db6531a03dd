// test_weight.mjs -- what a page weighs, and when it is there for whoever is far
// away: all that the server sends is counted, as it is sent, and the first page
// and tables of all games show in time over a slow wire.
//
// TIMES=1 on a machine with nothing else to do: by the times as they are meant.
// Else others have the processor, too, and half as long again is allowed: a trip
// or a file more than there should be is still found, and bytes are bytes.

import { far } from './far.mjs';
import { browser, daemon, finish, inPage, ok, rpc, until }
    from './support.mjs';

const TRIP = 400, SPEED = 50000;
const PATIENCE = process.env.TIMES ? 1 : 1.5;
const LIMIT = {
    first: 30000, lobby: 2000, // bytes, ms
    table: 140000, before: 60000, shown: 3000,
};

const { url } = await daemon('--set', 'bots.processes=1', '--set', 'limits.local=off');
const wire = await far(url, { trip: TRIP, speed: SPEED });

/** Opens an address with nothing in the cache: when SHOWN was there, and what
 * had come by then and, once nothing comes any more, in all. */
async function visit(cookies, address, shown) {
    const context = await (await browser()).newContext({
        viewport: { width: 390, height: 844 }, locale: 'en-GB',
        serviceWorkers: 'block' }); // it takes all there is, later
    await context.addCookies(cookies.map((cookie) =>
        ({ ...cookie, domain: undefined, path: undefined, url: wire.url })));
    const page = await context.newPage();
    wire.began = 0;
    const before = wire.came;
    let ms = 0, early = 0;
    await context.exposeFunction('isThere', () => {
        ms = Date.now() - wire.began;
        early = wire.came - before;
    });
    await context.addInitScript((what) => {
        const look = () => document.querySelector(what)?.getClientRects().length
            ? globalThis.isThere() : requestAnimationFrame(look);
        look();
    }, shown);
    await page.goto(`${wire.url}/#${address}`, { waitUntil: 'commit' });
    await until('it shows', () => ms > 0);
    let all = -1;
    await until('it is quiet', async () => {
        const was = all;
        all = wire.came;
        await new Promise((go) => setTimeout(go, 3 * TRIP));
        return all === was;
    });
    const loaded = await inPage(page, 'core', 'loaded');
    await context.close();
    return { ms, early, all: all - before, loaded };
}

/** The same; again if it took longer than MOST, as on a machine that is busy. */
async function best(most, ...args) {
    let seen = await visit(...args);
    for (let i = 0; i < 3 && seen.ms > most; i++) {
        const other = await visit(...args);
        seen = other.ms < seen.ms ? other : seen;
    }
    return seen;
}

const light = (bytes, limit, what) =>
    ok(bytes <= limit, `${what}: ${bytes} bytes, ${limit} at most`);
const quick = (ms, limit, what) =>
    ok(ms <= limit * PATIENCE, `${what}: ${ms} ms, ${limit} at most`);

const lobby = await best(LIMIT.lobby, [], '', 'main h1');
light(lobby.all, LIMIT.first, 'the first page in all');
quick(lobby.ms, LIMIT.lobby, 'the lobby shows');

// ---- a table of each game, by somebody who sits at it -------------------------

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

const ana = await enter('ana'), ben = await enter('ben');
for (const { name } of (await rpc(url, 'server.hello')).games) {
    const { table } = await rpc(url, 'table.create',
        { game: name, seats: 2, key: `${name}-0123456789` }, ana.token);
    await rpc(url, 'table.join', { table }, ben.token);
    const seen = await best(LIMIT.shown, ana.cookies,
        `table/${table}`, '.panel > *');
    light(seen.early, LIMIT.before, `before a table of ${name} shows`);
    light(seen.all, LIMIT.table, 'and in all');
    quick(seen.ms, LIMIT.shown, 'it shows');
    ok(seen.loaded, 'and the rules come after it');
}
wire.end();
await finish();
