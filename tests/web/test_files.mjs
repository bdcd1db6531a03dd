// test_files.mjs -- what is served: types hold, and every module is there.  How
// much of it a page needs is in test_weight.mjs.

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

import { daemon, finish, is, NPM, ok } from './support.mjs';

const tsc = spawnSync(`${NPM}/node_modules/.bin/tsc`, ['-p', 'tests/web'],
    { encoding: 'utf8' });
ok(tsc.status === 0, 'tsc --checkJs finds nothing', tsc.stdout + tsc.stderr);

const { url } = await daemon();
const page = await (await fetch(url)).text();
const [, folder, first] = /src="(a\/[0-9a-f]+\/)(chunk-[^"]+\.js)"/.exec(page) ?? [];
const base = `/${folder}`;
ok(folder !== undefined && !/(src|href)="\//.test(page),
    'the page names its folder, wherever it is itself');
ok(!/<script(?![^>]*src=)|<style| style=| on[a-z]+=/.test(page),
    'there is no script or style in the page');
is([...page.matchAll(/<script/g)].length, 2, 'two scripts are all it names');

// What the binary carries stands in the C it was made of.
const carried = [...readFileSync(`${process.env.BUILD ?? 'build'}/gen/web.c`,
    'utf8').matchAll(/^ {4}\{"([^"]+)", "([^"]+)", (\d+), /gm)];
ok(carried.length > 10, 'the binary carries files');
const files = carried.map(([, name]) => name)
    .filter((name) => name !== 'index.html' && name !== 'sw.js');
const source = ['', 'games/'].flatMap((folder) =>
    readdirSync(`clients/web/${folder || '.'}`)
        .filter((name) => /\.(js|css|svg|png|webmanifest)$/.test(name) &&
            !['types.js', 'sw.js'].includes(name))
        .map((name) => folder + name));
is(source.filter((name) => !name.endsWith('.js') && !files.includes(name)), [],
    'all pictures and styles');
// Scripts are bundled, beginning with app.js: what it does not reach is lost.
const read = (name) => readFileSync(`clients/web/${name}`, 'utf8');
const reached = ['app.js', 'early.js'];
for (const name of reached)
    for (const [, to] of read(name).replaceAll(/\/\*[^]*?\*\//g, '')
        .matchAll(/(?:from |import\()'(\.[^']+)'/g)) {
        const at = new URL(to, `http://x/${name}`).pathname.slice(1);
        if (!reached.includes(at))
            reached.push(at);
    }
is(source.filter((name) => name.endsWith('.js') && !reached.includes(name)), [],
    'and app.js reaches all scripts');
const types = {
    js: 'text/javascript; charset=utf-8', css: 'text/css; charset=utf-8',
    svg: 'image/svg+xml', wasm: 'application/wasm', png: 'image/png',
    webmanifest: 'application/manifest+json',
    csv: 'text/csv; charset=utf-8',
};
const wrong = [];
for (const name of files) {
    const answer = await fetch(url + base + name);
    if (answer.status !== 200 ||
        answer.headers.get('content-type') !== types[name.split('.').pop()] ||
        answer.headers.get('x-content-type-options') !== 'nosniff' ||
        !answer.headers.get('cache-control').includes('immutable'))
        wrong.push(`${name}: ${answer.status} ` +
            `${answer.headers.get('content-type')}`);
}
is(wrong, [], 'all files are served, as what they are, to be kept');
const dead = await fetch(`${url}${base}types.js`);
is(dead.status, 404, 'what is for readers of the source only is not served');

// What is imported has to exist, whatever bundling did to it.
const needs = new Map();
for (const name of files.filter((file) => file.endsWith('.js'))) {
    const text = await (await fetch(url + base + name)).text();
    needs.set(name, []);
    for (const [, how, to] of
        text.matchAll(/(from|import\()"(\.[^"]+)"/g)) {
        if (how === 'from')
            needs.get(name).push(to.slice(2));
        const at = new URL(to, `http://x/${name}`).pathname.slice(1);
        if (!files.includes(at))
            wrong.push(`${name} imports ${to}`);
    }
}
is(wrong, [], 'all that is imported is there');
ok([...needs.values()].flat().length > 10, 'and some is');

// Nothing is found out only when something else has come: the page names what
// comes with each script that is imported on demand.
is([needs.get('app.js'), needs.get(first)], [[first], []],
    'the script of the page is one piece');
const later = /name="later" content="([^"]*)"/.exec(page)[1].split(';')
    .filter(Boolean).map((line) => line.split(' ').slice(1));
const missed = [...needs.keys()].filter((name) => !['app.js', 'early.js']
    .includes(name) && !name.startsWith('chunk-')).flatMap((name) => {
    const named = later.find((names) => names.includes(name)) ?? [];
    return [name, ...needs.get(name)].filter((need) =>
        !named.includes(need) && need !== first);
});
is(missed, [], 'and what comes with each script on demand');

// Texts from people only ever become text.
const scripts = source.filter((name) => name.endsWith('.js'));
const risky = scripts.filter((name) =>
    /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function/
        .test(readFileSync(`clients/web/${name}`, 'utf8')));
is(risky, [], 'no module makes HTML or code of text');

// Every sentence of the frame is there in every language, also where one of two is
// said: "one miss", "3 misses".  Sentences of modules with words of their own are theirs.
const said = async (name) => (await import('data:text/javascript,' +
    encodeURIComponent(readFileSync(`clients/web/${name}`, 'utf8')))).default;
const french = { ...await said('fr.js'), ...await said('fr_more.js') };
const frames = source.filter((name) => /^\w+\.js$/.test(name) && !name.startsWith('fr'));
const plain = (text) => text.replaceAll("\\'", "'");

/** The sentences that TEXT, a script, has by CALL: strings that are its first argument,
 * or one of two that may be. */
function spoken(text, call) {
    const found = [];
    for (const { index, 0: open } of text.matchAll(new RegExp(`\\b${call}\\(`, 'g'))) {
        const token = /\s*(?:'((?:[^'\\]|\\.)*)'|`[^`]*`|\/\/.*|(\?\?|[^]))/y;
        token.lastIndex = index + open.length;
        let depth = 0, before = '?';
        for (let m; depth >= 0 && (m = token.exec(text)) !== null;) {
            const [, string, sign] = m;
            if (sign === ',' && depth === 0)
                break;
            if (string !== undefined && depth === 0 && /^[?:]$/.test(before))
                found.push(plain(string));
            depth += /^[([{]$/.test(sign) ? 1 : /^[)\]}]$/.test(sign) ? -1 : 0;
            before = sign ?? '';
        }
    }
    return found;
}

is(spoken("t('a', {n}) + t(n === 'b' ? 'c' : t('d')) + set('e') + t(f ?? '')", 't'),
    ['a', 'c', 'd'], 'what is said is found, also where there are two ways');
const sentences = frames.flatMap((name) => spoken(read(name), 't'));
ok(sentences.length > 500, 'the frame speaks');
is(sentences.filter((key) => !(key in french)), [], 'also in French');
for (const [words, ...users] of [['clock_words.js', 'clock.js', 'pace.js', 'deeds.js'],
    ['votes_words.js', 'votes.js'], ['orders_words.js', 'orders.js']]) {
    const { en, fr } = await said(words);
    const own = users.flatMap((name) => spoken(read(name), 'said'));
    ok(own.length > 10, `${words}: something is said`);
    is([...own, ...Object.keys(en)].filter((key) => !(key in fr)), [],
        `${words}: also in French`);
    const strings = new Set(users.flatMap((name) => [...read(name)
        .matchAll(/'((?:[^'\\\n]|\\.)*)'/g)].map(([, text]) => plain(text))));
    is(Object.keys(fr).filter((key) => !(key in en) && !strings.has(key)), [],
        `${words}: and nothing is left there that nobody says`);
}

// As is all by which the server refuses something: no error is forgotten there.
const errors = [...readFileSync('protocol/errors.def', 'utf8')
    .matchAll(/^ERROR\(\w+, -?\d+, "\w+", "(.*)"\)$/gm)].map(([, text]) => text);
const refused = await said('fr_refused.js');
const frame = await said('fr.js');
ok(errors.length > 90, 'the server refuses');
is(errors.filter((text) => (text in refused) === (text in frame)), [],
    'in French, too, and in one place');
is(Object.keys(refused).filter((text) => !errors.includes(text)), [],
    'and there is nothing else');

// And every sentence of a panel.
const uneven = [];
for (const name of source.filter((file) => /^games\/.*_words\.js$/.test(file))) {
    const [en, fr] = await Promise.all([said(name),
        said(name.replace('_words', '_fr'))]);
    uneven.push(...Object.keys(en).filter((key) => !(key in fr)),
        ...Object.keys(fr).filter((key) => !(key in en)));
}
is(uneven, [], 'panels say the same in French as in English');

// QR codes, which zbarimg has read back: of versions 1, 7 and 10.
const { modules } = await import('data:text/javascript,' + encodeURIComponent(
    read('qr.js').replace(/^import .*$/m, '')));
is(['a', 'q7'.repeat(80), 'hello '.repeat(45)].map((text) =>
    createHash('sha256').update(modules(text).map((row) =>
        row.map(Number).join('')).join()).digest('hex').slice(0, 16)),
['8b93069261780270', 'dc6388ed9fee4bdd', '03aa64116ad1cbe4'],
'a QR code is what it was when a reader could read it');

const panels = /PANELS = \{([^}]*)\}/.exec(
    readFileSync('clients/web/games.js', 'utf8'))[1];
const unnamed = (await (await fetch(`${url}/rpc`, {
    method: 'POST', headers: { 'Content-Type': 'application/json' },
    body: '{"jsonrpc":"2.0","id":1,"method":"server.hello"}',
})).json()).result.games.filter((game) =>
    source.includes(`games/${game.name}.js`) !==
    panels.includes(`    ${game.name}: `)).map((game) => game.name);
is(unnamed, [], 'every panel is named in PANELS');

await finish();
