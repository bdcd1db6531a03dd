// test_clocks.mjs -- the page's verifier recomputes every clock of a record: it
// takes a true one, and none in which a deadline, a bank or the moment of a miss
// is a millisecond off, though all of its hashes are right.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

let tests = 0;
function ok(right, what, why = '') {
    console.log(`${right ? 'ok' : 'not ok'} ${++tests} - ${what}`);
    if (!right) {
        console.log(`# ${why}`);
        process.exitCode = 1;
    }
}

// Of a page there is nothing here but its core: anything else is nothing at all.
const nothing = () => new Proxy(function () {}, {
    get: (_, key) => key === Symbol.toPrimitive ? () => '' : nothing(),
    apply: () => nothing(),
    set: () => true,
    has: () => true,
});
Object.assign(globalThis, {
    window: globalThis,
    document: nothing(),
    localStorage: { getItem: () => null, setItem() {} },
    location: { href: 'http://x/', hash: '', origin: 'http://x' },
    matchMedia: () => ({ matches: false, addEventListener() {} }),
    addEventListener() {},
    fetch: async () => ({ arrayBuffer: async () =>
        readFileSync(`${process.env.BUILD ?? 'build'}/wasm/logs.wasm`) }),
});
globalThis.navigator ??= { language: 'en', onLine: true };
const page = new URL('../../clients/web/', `file://${process.cwd()}/tests/core/`);
const core = await import(new URL('core.js', page));
const { check } = await import(new URL('verify.js', page));
ok(await core.load(true), 'the core is there');

const rules = { name: 'tictactoe', options: [], boards: [] };
const lines = readFileSync('tests/golden/clocks.record', 'utf8').trim()
    .split('\n');

/** What is wrong with a record, or ''. */
function wrong(record) {
    try {
        check(record.map((line) => JSON.stringify(line)), rules, []);
        return '';
    } catch (why) {
        return why.message;
    }
}

const sorted = (value) => Array.isArray(value) ? value.map(sorted)
    : value === null || typeof value !== 'object' ? value
        : Object.fromEntries(Object.keys(value).sort()
            .map((key) => [key, sorted(value[key])]));
const hash = (text) => createHash('sha256').update(text).digest('hex');

/** The record with hashes that are right. */
function chained(record) {
    const { seed } = record[0];
    let chain = record[1].chain;
    for (const line of record.slice(2, -1)) {
        delete line.chain;
        chain = hash(`${chain} ${hash(`sobremesa-salt ${seed} ${line.ply}`)} ` +
            JSON.stringify(sorted(line)));
        line.chain = chain;
    }
    record.at(-1).chain = chain;
    return record;
}

const record = () => lines.map((line) => JSON.parse(line));
ok(wrong(record()) === '', 'a true record is', wrong(record()));
ok(wrong(chained(record())) === '', 'and so with its hashes made again');

/** Whether it is refused once BEND was done to each line that has it done. */
function refused(what, bend) {
    let bent = 0;
    const taken = [];
    for (let i = 2; i < lines.length - 1; i++) {
        const copy = record();
        if (bend(copy[i], copy[i - 1]) === false)
            continue;
        bent++;
        if (wrong(chained(copy)) === '')
            taken.push(lines[i]);
    }
    ok(bent > 0 && taken.length === 0, `${what} (${bent} lines)`,
        taken.join('\n# '));
}

const first = (list) => list?.findIndex((n) => n !== null && n !== 0) ?? -1;
for (const by of [-1, 1])
    for (const member of ['due', 'bank'])
        refused(`${member} that is off by ${by} ms`, (line) => {
            const i = first(line[member]);
            if (i < 0)
                return false;
            line[member][i] += by;
        });
refused('what is not told', (line) => line.due !== undefined && delete line.due);
refused('a miss before its time', (line, before) => {
    if (line.kind !== 'miss')
        return false;
    line.at = before.at;
});
refused('another thing that comes of a miss', (line) => {
    if (line.kind !== 'miss')
        return false;
    line.then = line.then === 'mild' ? 'excused' : 'mild';
});
refused('an outage that counts twice', (line, before) => {
    if (!before.outages)
        return false;
    line.outages = before.outages;
});
refused('a move by nobody', (line) =>
    line.kind === 'move' && line.for === 'mild' && delete line.for);
refused('an absence that is a millisecond longer', (line) => {
    if (line.kind !== 'absent')
        return false;
    line.until++;
});
refused('time that goes back', (line, before) => {
    line.at = before.at - 1;
});
refused('another minute', (line) => {
    if (line.kind !== 'hours')
        return false;
    line.opens++;
});
refused('a vote that passed, and does not say so', (line) =>
    line.kind === 'vote' && line.passed === true && delete line.passed);
refused('a pause that nobody says was voted for', (line) =>
    line.kind === 'pause' && line.why === 'vote' && delete line.why);

// A table without a pace has votes, too.
const voted = readFileSync('tests/golden/votes.record', 'utf8').trim()
    .split('\n').map((line) => JSON.parse(line));
ok(wrong(voted) === '', 'a record with votes, of no pace', wrong(voted));
console.log(`1..${tests}`);
process.exit();
