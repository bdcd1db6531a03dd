// test_path.mjs -- below a path of somebody's web site, behind nginx as its
// sample says: people log in, find a table by its link, play, and log out, and
// nothing of it is asked for anywhere else.

import { readFileSync } from 'node:fs';

import { nginx } from './nginx.mjs';
import { dice, move } from './playing.mjs';
import { becomes, daemon, finish, is, ok, open, person, register, SEED, sit }
    from './support.mjs';

const back = await daemon();
const before = await nginx(readFileSync('deploy/proxy/nginx-path.conf', 'utf8')
    .replace('http://127.0.0.1:8080/', `${back.url}/`));
const url = `${before.url}/games`;
is((await fetch(`${url}/healthz`)).status, 200, 'the daemon is there');

const ana = await person(url, { serviceWorkers: 'allow' });
const ben = await person(url);
ok(ana.page.url().endsWith('/games/'), 'a slash that was forgotten is added');
await register(ana, 'Ana');
await register(ben, 'Ben');
const [cookie] = await ana.context.cookies();
is(cookie.path, '/games/', 'the session is for this path and no other');
await ana.page.reload();
await ana.page.locator('#nav', { hasText: 'Ana' }).waitFor();
ok(true, 'and is there after a reload');
const table = await open(ana, 'tictactoe');
await sit(ben, table);
await ana.page.locator('.ttt').waitFor();
const random = dice(SEED);
while (await move([ana, ben], table, random))
    continue;
ok(true, 'a whole game is played');
const record = await ana.page.getByRole('link', { name: 'Download the record' })
    .evaluate((a) => fetch(a.href).then((answer) => answer.text()));
ok(record.includes(table), 'its record is to be had');
is(await ana.page.evaluate(async () =>
    (await navigator.serviceWorker.ready).scope), `${url}/`,
'the service worker is for this path and no other');
await ben.page.goto(`${url}/#rules/hacienda/summary`);
await ben.page.locator('article').first().waitFor();
ok(true, 'a link leads into the page');
await ana.page.goto(`${url}/#settings`);
await ana.page.getByRole('button', { name: 'Log out' }).click();
await ana.page.getByRole('link', { name: 'Log in', exact: true }).waitFor();
await becomes(() => ana.context.cookies(), [], 'logged out: the cookie is gone');
const elsewhere = before.asked().filter((line) =>
    !/"[A-Z]+ \/games(\/| )/.test(line) && !line.includes('favicon'));
is(elsewhere, [], 'nothing was asked for anywhere else');
is([ana.troubles, ben.troubles], [[], []], 'no page complained of anything');
await finish();
before.end();
