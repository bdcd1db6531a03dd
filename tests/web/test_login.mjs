// test_login.mjs -- who logs in elsewhere is in the page by that name, behind
// nginx as its sample has it: they need no second log-in, whatever header they
// send, and have no password that the page would ask for.

import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

import { nginx } from './nginx.mjs';
import { browser, comes, daemon, finish, inPage, is, ok, PATIENCE, rpc }
    from './support.mjs';

const { url: behind } = await daemon('--set', 'accounts.registration=closed',
    '--set', 'accounts.guests=off',
    '--set', 'accounts.proxy_header=Remote-User',
    '--set', 'accounts.proxy_from=127.0.0.1',
    '--set', 'mail.server=smtp://127.0.0.1:9', '--set', 'mail.from=a@b.example',
    '--set', 'server.url=https://club.example');

/** What knows who people are, by a cookie of its own. */
const elsewhere = createServer((request, response) => {
    const who = /sso=(\w+)/.exec(request.headers.cookie ?? '')?.[1];
    response.writeHead(who ? 200 : 401, who === undefined || who === 'unnamed'
        ? {} : { 'Remote-User': who }).end();
});
await new Promise((go) => elsewhere.listen(0, '127.0.0.1', go));
elsewhere.unref();
const before = await nginx(readFileSync('deploy/proxy/nginx-login.conf', 'utf8')
    .replaceAll('http://127.0.0.1:8080', behind)
    .replace('127.0.0.1:9091', `127.0.0.1:${elsewhere.address().port}`));
const { url } = before;
const answered = (path, headers = {}, more = {}) =>
    fetch(url + path, { headers, redirect: 'manual', ...more });

const stranger = await answered('/', { 'Remote-User': 'ana' });
is([stranger.status, stranger.headers.get('location')],
    [302, `https://login.example/?rd=${url}/`],
    'who is not logged in is led to where they can');
const page = await (await answered('/', { Cookie: 'sso=ana' })).text();
const manifest = /href="(a\/[0-9a-f]+\/manifest\.webmanifest)"/.exec(page)[1];
is((await answered(`/${manifest}`)).status, 200,
    'what browsers ask for without a name is there, the manifest');
is((await answered('/unsubscribe/none', {}, { method: 'POST' })).status === 302,
    false, 'and one click out of a mail needs none');
const unnamed = await (await answered('/rpc', { 'Cookie': 'sso=unnamed',
    'Content-Type': 'application/json', 'Remote-User': 'ana' }, {
    method: 'POST', body: JSON.stringify({ jsonrpc: '2.0', id: 1,
        method: 'session.proxy' }) })).text();
ok(unnamed.includes('not_proxied'), 'a header of one\'s own is not passed on',
    unnamed);

// Their browser.
const context = await (await browser()).newContext({ locale: 'en-GB',
    reducedMotion: 'reduce', serviceWorkers: 'block' });
context.setDefaultTimeout(PATIENCE);
const troubles = [];
const ana = await context.newPage();
ana.on('pageerror', (error) => troubles.push(String(error)));
const as = async (name) => {
    await context.addCookies([{ name: 'sso', value: name, url }]);
    await ana.goto('about:blank');
    await ana.goto(`${url}/#settings`);
    await ana.locator('#nav', { hasText: name }).waitFor();
    await ana.getByText('Larger text').waitFor(); // the settings are drawn
};
await as('ana');
ok(true, 'who is logged in there is in the page, without a click');
const ask = (method, params = {}) => inPage(ana, 'net', 'ask', method, params);
is((await ask('account.get')).user.name, 'ana', 'by that name');
is(await ana.getByLabel(/password/i).count(), 0,
    'the page offers no password to who has none');
await ana.goto(`${url}/#settings/address`);
const address = ana.locator('[data-key="settings-address"]');
await address.getByLabel('Another address').fill('ana@home.example');
is(await address.getByLabel('Present password').count(), 0,
    'an address needs none');
await address.getByRole('button', { name: 'Change' }).click();
await address.getByText('ana@home.example').waitFor();
ok(true, 'and is kept');
const { table } = await ask('table.create',
    { game: 'tictactoe', seats: 2, key: 'k'.repeat(32) });
ok(table, 'they open a table');

await as('ben');
is((await ask('account.get')).user.name, 'ben',
    'who logs in there after somebody is not taken for them');
await ana.getByRole('button', { name: 'Log out' }).click();
await ana.getByRole('link', { name: 'Log in', exact: true }).waitFor();
ok(true, 'who logs out here is out, until they come again');

await as('ana');
await ana.goto(`${url}/#settings/own`);
const own = ana.locator('[data-key="settings-own"]');
await own.getByRole('button', { name: 'Delete the account' }).click();
const box = ana.locator('dialog');
await box.getByRole('button', { name: 'Delete it for good' }).waitFor();
is(await box.getByLabel('Present password').count(), 0,
    'who has no password can delete their account, too');
await box.getByRole('button', { name: 'Delete it for good' }).click();
await ana.getByRole('link', { name: 'Log in', exact: true }).waitFor();
await comes(async () => (await rpc(behind, 'table.get', { table })).table.state !== 'open',
    'and then it is gone, and its open tables');

is(troubles, [], 'no page complained of anything');
await finish();
before.end();
elsewhere.close();
