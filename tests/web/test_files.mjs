// test_files.mjs -- what is served: types hold, all of it is small enough, and
// every module is there.

import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

import { daemon, finish, is, NPM, ok } from './support.mjs';

const LIMIT = 300 * 1000;

const tsc = spawnSync(`${NPM}/node_modules/.bin/tsc`, ['-p', 'tests/web'],
    { encoding: 'utf8' });
ok(tsc.status === 0, 'tsc --checkJs finds nothing', tsc.stdout + tsc.stderr);

const { url } = await daemon();
const page = await (await fetch(url)).text();
const folder = /src="(a\/[0-9a-f]+\/)app\.js"/.exec(page)?.[1];
const base = `/${folder}`;
ok(folder !== undefined && !/(src|href)="\//.test(page),
    'the page names its folder, wherever it is itself');
ok(!/<script(?![^>]*src=)|<style| style=| on[a-z]+=/.test(page),
    'there is no script or style in the page');
is([...page.matchAll(/<script/g)].length, 1, 'one module is all it names');

// What the binary carries stands in the C it was made of.
const carried = [...readFileSync(`${process.env.BUILD ?? 'build'}/gen/web.c`,
    'utf8').matchAll(/^ {4}\{"([^"]+)", "([^"]+)", (\d+), /gm)];
ok(carried.length > 10, 'the binary carries files');
const files = carried.map(([, name]) => name)
    .filter((name) => name !== 'index.html');
const forgotten = ['', 'games/'].flatMap((folder) =>
    readdirSync(`clients/web/${folder || '.'}`)
        .filter((name) => /\.(js|css|svg)$/.test(name) && name !== 'types.js')
        .map((name) => folder + name)).filter((name) => !files.includes(name));
is(forgotten, [], 'all of the client');
const sizes = (kind) => carried.filter(([, name]) => name.endsWith(kind))
    .reduce((sum, [, , , size]) => sum + Number(size), 0);
let total = page.length;
const types = {
    js: 'text/javascript; charset=utf-8', css: 'text/css; charset=utf-8',
    svg: 'image/svg+xml', wasm: 'application/wasm',
    csv: 'text/csv; charset=utf-8',
};
const wrong = [];
for (const name of files) {
    const answer = await fetch(url + base + name);
    total += (await answer.arrayBuffer()).byteLength;
    if (answer.status !== 200 ||
        answer.headers.get('content-type') !== types[name.split('.').pop()] ||
        answer.headers.get('x-content-type-options') !== 'nosniff' ||
        !answer.headers.get('cache-control').includes('immutable'))
        wrong.push(`${name}: ${answer.status} ` +
            `${answer.headers.get('content-type')}`);
}
is(wrong, [], 'all files are served, as what they are, to be kept');
// A browser loads the core, or, where it has no wasm, files instead of it.
ok(total - sizes('csv') < LIMIT,
    `the whole client has ${total - sizes('csv')} bytes, below ${LIMIT}`);
ok(total - sizes('wasm') < LIMIT, 'also where there is no wasm');
const dead = await fetch(`${url}${base}types.js`);
is(dead.status, 404, 'what is for readers of the source only is not served');

// What is imported has to exist, whatever stripping did to it.
for (const name of files.filter((file) => file.endsWith('.js'))) {
    const text = await (await fetch(url + base + name)).text();
    for (const [, to] of text.matchAll(/from '(\.[^']+)'/g)) {
        const at = new URL(to, `http://x/${name}`).pathname.slice(1);
        if (!files.includes(at))
            wrong.push(`${name} imports ${to}`);
    }
}
is(wrong, [], 'all that is imported is there');

// Texts from people only ever become text.
const scripts = files.filter((name) => name.endsWith('.js'));
const risky = scripts.filter((name) =>
    /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function/
        .test(readFileSync(`clients/web/${name}`, 'utf8')));
is(risky, [], 'no module makes HTML or code of text');

// Every sentence of the frame is there in every language.
const { default: french } = await import('data:text/javascript,' +
    encodeURIComponent(readFileSync('clients/web/fr.js', 'utf8')));
const spoken = files.filter((name) => /^\w+\.js$/.test(name) && name !== 'fr.js')
    .flatMap((name) => [...readFileSync(`clients/web/${name}`, 'utf8')
        .matchAll(/\bt\(\s*'((?:[^'\\]|\\.)*)'/g)].map(([, key]) =>
        key.replaceAll("\\'", "'")));
ok(spoken.length > 100, 'the frame speaks');
is(spoken.filter((key) => !(key in french)), [], 'also in French');

const panels = /PANELS = \[([^\]]*)\]/.exec(
    readFileSync('clients/web/games.js', 'utf8'))[1];
const unnamed = (await (await fetch(`${url}/rpc`, {
    method: 'POST', headers: { 'Content-Type': 'application/json' },
    body: '{"jsonrpc":"2.0","id":1,"method":"server.hello"}',
})).json()).result.games.filter((game) =>
    files.includes(`games/${game.name}.js`) !==
    panels.includes(`'${game.name}'`)).map((game) => game.name);
is(unnamed, [], 'every panel is named in PANELS');

await finish();
