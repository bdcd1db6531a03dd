// test_hidden.mjs -- which characters are never shown stands in three places:
// core/utf8.c, the patterns in protocol/schema.json, and the page's dom.js.  They
// say the same of every character there is.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const build = process.env.BUILD ?? 'build';
const print = `${process.env.BIN ?? `${build}/bin`}/../test/protocol/print`;

let tests = 0;
/** Both are of code points, rising. */
function same(found, wanted, what) {
    const [a, b] = [found, wanted].map((all) =>
        all.map((c) => c.toString(16)).join(' '));
    const right = a === b && wanted.length > 0;
    console.log(`${right ? 'ok' : 'not ok'} ${++tests} - ${what}`);
    if (!right) {
        console.log(`# ${a}\n# and not\n# ${b}`);
        process.exitCode = 1;
    }
}

/** The characters, surrogates being none, below END that are HIDDEN. */
function those(end, hidden) {
    const all = [];
    for (let c = 0; c < end; c++)
        if ((c < 0xd800 || c > 0xdfff) && hidden(String.fromCodePoint(c)))
            all.push(c);
    return all;
}

const core = spawnSync(print, ['hidden'], { encoding: 'utf8' }).stdout
    .trim().split('\n').map((line) => Number.parseInt(line, 16));
const but = (...some) => core.filter((c) => !some.includes(c));

const source = readFileSync('clients/web/dom.js', 'utf8');
const dom = await import(`data:text/javascript,${encodeURIComponent(source)}`);
same(those(0x110000, (c) => dom.typed(c) === ''), but(9, 10),
    'the page hides what the core does, but for the white space of HTML');

// Regular expressions of JSON Schema know characters of sixteen bits: of what
// lies beyond U+FFFF (tags, noncharacters) a pattern says nothing, and the server
// refuses it all the same.
const schema = readFileSync('protocol/schema.json', 'utf8');
const patterns = [...new Set([...schema.matchAll(/"pattern": (".*")/g)]
    .map((found) => JSON.parse(found[1])))].filter((p) => p.includes('061c'));
const wanted = { '': 'a line', a: 'a text', '9ad': 'a file' };
const kept = new Set();
for (const pattern of patterns) {
    const allows = new RegExp(pattern);
    const white = [9, 10, 13].filter((c) =>
        allows.test(String.fromCharCode(c)));
    const what = wanted[white.map((c) => c.toString(16)).join('')];
    kept.add(what);
    same(those(0x10000, (c) => !allows.test(c)),
        but(...white).filter((c) => c < 0x10000), `the pattern of ${what}`);
}
same([kept.size], [3], 'three kinds of text, by their white space');
console.log(`1..${tests}`);
