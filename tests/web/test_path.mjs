// test_path.mjs -- below a path of somebody's web site, behind nginx as its
// sample says: people log in, find a table by its link, play, and log out, and
// nothing of it is asked for anywhere else.

import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { clickOne, daemon, finish, inPage, is, ok, open, person, register,
    sit, until } from './support.mjs';

const back = await daemon();

/** A port that is free. */
const port = await new Promise((go) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
        const given = server.address().port;
        server.close(() => go(given));
    });
});
const room = mkdtempSync(join(tmpdir(), 'nginx.'));
writeFileSync(join(room, 'games.conf'),
    readFileSync('deploy/proxy/nginx-path.conf', 'utf8').replace(
        'http://127.0.0.1:8080/', `${back.url}/`));
writeFileSync(join(room, 'nginx.conf'), `daemon off;
worker_processes 1;
pid ${room}/pid;
error_log stderr;
events { }
http {
    access_log ${room}/access;
    ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) =>
        `${name}_temp_path ${room}/${name};`).join(' ')}
    server {
        listen 127.0.0.1:${port};
        root ${room};
        include ${room}/games.conf;
    }
}
`);
const nginx = spawn('/usr/sbin/nginx', ['-p', room, '-c',
    join(room, 'nginx.conf')], { stdio: ['ignore', 'ignore', 'ignore'] });
process.on('exit', () => nginx.kill());
const url = `http://127.0.0.1:${port}/games`;
await until('nginx is there', () => fetch(`${url}/healthz`).then(
    (answer) => answer.ok, () => false));

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
const ended = async () =>
    (await inPage(ana.page, 'net', 'viewOf', table)).state === 'finished';
for (let turn = 0; !await ended(); turn++)
    for (const { page } of [ana, ben])
        await clickOne(page, turn);
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
is(await ana.context.cookies(), [], 'logged out: the cookie is gone');
const elsewhere = readFileSync(join(room, 'access'), 'utf8').split('\n')
    .filter((line) => line && !/"[A-Z]+ \/games(\/| )/.test(line) &&
        !line.includes('favicon'));
is(elsewhere, [], 'nothing was asked for anywhere else');
is([ana.troubles, ben.troubles], [[], []], 'no page complained of anything');
await finish();
nginx.kill();
