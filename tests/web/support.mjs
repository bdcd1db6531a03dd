// support.mjs -- a daemon and a browser for each test of the browser client.
//
// Every wait is for a condition and has a generous end; only what was started
// here is ended here.  A SEED is a whole run: what tests choose, what daemons draw
// and what pages draw follow from it.

import { execFileSync, spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync }
    from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const BUILD = process.env.BUILD ?? 'build';
const BIN = process.env.BIN ?? `${BUILD}/bin`;
export const NPM = resolve(BUILD, 'npm/web');
export const require = createRequire(`${NPM}/`);
/** Of a whole run: what tests choose, and what daemons draw. */
export const SEED = Number(process.env.SEED ?? 1);
/** In ms: only what will never come takes so long. */
export const PATIENCE = Number(process.env.PATIENCE ?? 300000);

// ---- TAP ---------------------------------------------------------------------

let tests = 0;

export function ok(right, what, more) {
    console.log(`${right ? 'ok' : 'not ok'} ${++tests} - ${what}`);
    if (!right) {
        process.exitCode = 1;
        const why = more === undefined ? '' : `\n${more}`;
        console.error(`not ok ${tests} - ${what}${why}`); // run.sh shows it
        console.log(`# ${why.slice(1).replaceAll('\n', '\n# ')}`);
    }
    return right;
}

/** At most a few lines of TEXT, about the place AT. */
const excerpt = (text, at) => (at > 60 ? '...' : '') +
    text.slice(Math.max(0, at - 60), at + 180) + (text.length > at + 180 ? '...' : '');

export function is(given, wanted, what) {
    const [a, b] = [`${JSON.stringify(given)}`, `${JSON.stringify(wanted)}`];
    let at = 0;
    while (at < a.length && a[at] === b[at])
        at++;
    return ok(a === b, what, `given  ${excerpt(a, at)}\nwanted ${excerpt(b, at)}`);
}

export const done = () => console.log(`1..${tests}`);

export async function until(what, condition, patience = PATIENCE) {
    const end = Date.now() + patience;
    for (let pause = 5;; pause = Math.min(50, 2 * pause)) {
        const value = await condition();
        if (value)
            return value;
        if (Date.now() > end)
            throw new Error(`waited in vain: ${what}`);
        await new Promise((go) => setTimeout(go, pause));
    }
}

/** What a PROMISE comes to, which is waited for as anything else. */
export async function soon(promise, what) {
    let come = null;
    promise.then((value) => come = { value }, (why) => come = { why });
    const { value, why } = await until(what, () => come);
    if (why)
        throw why;
    return value;
}

/** Whether the CONDITION comes to hold. */
export async function comes(condition, what) {
    const why = await until(what, condition).then(() => null, String);
    return ok(why === null, what, why);
}

/** Whether what GET gives comes to be what is WANTED. */
export async function becomes(get, wanted, what) {
    let given;
    await until(what, async () => {
        given = await get();
        return JSON.stringify(given) === JSON.stringify(wanted);
    }).catch((why) => given ??= String(why));
    return is(given, wanted, what);
}

// ---- the daemon ------------------------------------------------------------------

const running = new Set();
// On a machine that is busy for long nobody is cut for being slow but where a test
// says so.
const PATIENT = ['--set', 'limits.slow_seconds=3600',
    '--set', 'limits.idle_seconds=3600'];
let seeds = 0; // of daemons: each start has draws of its own
process.on('exit', () => running.forEach((end) => end()));

/** What is loaded first into a daemon of this environment. */
const preloaded = (...names) => ({
    LD_PRELOAD: names.map((name) => resolve(BUILD, `test/daemon/${name}.so`)).join(':'),
    ASAN_OPTIONS: `${process.env.ASAN_OPTIONS ?? ''}:verify_asan_link_order=0`,
});

async function run(room, http, args, env = preloaded('draws', 'patience')) {
    const child = spawn(`${BIN}/sobremesad`, ['--data', join(room, 'data'),
        '--http', http, '--lines', '127.0.0.1:0', '--set', 'bots.processes=0',
        ...PATIENT, ...args],
    { stdio: ['ignore', 'pipe', 'inherit'],
        env: { ...process.env, ...env, DRAWS: `${SEED} ${seeds++}` } });
    let out = '';
    child.stdout.on('data', (data) => out += data);
    await until('the daemon is ready', () => out.includes('\n') ||
        child.exitCode !== null);
    return { child, ready: JSON.parse(out) };
}

export const daemon = (...args) => begin(mkdtempSync(join(tmpdir(), 'w.')), args);

const STEP = 5000; // ms; more could be an outage
/** When a test with a calendar begins: in winter, in the middle of a week and month. */
const BEGINS = Date.UTC(2027, 0, 13, 12);

const TICK = 20; // ms

/** One whose calendar stands (tests/daemon/clocks.c), while time goes by: what is good
 * for 30 s is good for as long as anything takes. */
export async function standing(...args) {
    const room = mkdtempSync(join(tmpdir(), 'w.'));
    const clocks = join(room, 'clocks');
    const file = Buffer.alloc(32);
    file.writeBigInt64LE(BigInt(BEGINS), 16);
    file.writeBigInt64LE(1n, 24); // the clock that never goes back
    writeFileSync(clocks, file);
    const there = openSync(clocks, 'r+'); // the daemon has it in memory
    let passed = 0n;
    setInterval(() => {
        file.writeBigInt64LE(passed += BigInt(TICK), 8);
        writeSync(there, file, 8, 8, 8);
    }, TICK).unref();
    /** From now on all clocks go, also when nobody is here to move them. */
    const go = () => writeSync(there, Buffer.alloc(16), 0, 16, 16);
    const self = await begin(room, args,
        { ...preloaded('draws', 'clocks'), CLOCKS: clocks }, go);
    return { ...self, begins: BEGINS };
}

/** One whose clocks are set (tests/daemon/clocks.c): it is the day on which all such
 * tests begin, by so many ms AHEAD of the real one, and days take no time. */
export async function timed(...args) {
    const room = mkdtempSync(join(tmpdir(), 'w.'));
    const clocks = join(room, 'clocks');
    const file = Buffer.alloc(16);
    const real = BEGINS - Date.now();
    file.writeBigInt64LE(BigInt(real), 0);
    writeFileSync(clocks, file);
    const self = await begin(room, args,
        { ...preloaded('draws', 'clocks'), CLOCKS: clocks });
    let ahead = 0n;
    /** Time goes by for the server, who is there all the while, until it HOLDS. */
    const passes = (holds) => until('time has passed', async () => {
        if (await holds())
            return true;
        ahead += BigInt(STEP);
        file.writeBigInt64LE(BigInt(real) + ahead, 0);
        file.writeBigInt64LE(ahead, 8);
        const there = openSync(clocks, 'r+'); // the daemon has it in memory
        writeSync(there, file, 0, 16, 0);
        closeSync(there);
        return false;
    });
    const now = () => Date.now() + real + Number(ahead);
    return { ...self, passes, now, begins: BEGINS, ahead: real };
}

/** FIRST is done before it is told to end. */
async function begin(room, args, env, first = () => {}) {
    let { child, ready } = await run(room, '127.0.0.1:0', args, env);
    const end = () => {
        running.delete(end);
        first();
        child.kill('SIGTERM');
        rmSync(room, { recursive: true, force: true });
    };
    running.add(end);
    const self = {
        url: `http://${ready.http}`,
        end,
        /** What `sobremesactl --json` says. */
        ctl: (...words) => JSON.parse(execFileSync(`${BIN}/sobremesactl`,
            ['--json', '--data', join(room, 'data'), ...words])),
        /** Told to end: its status. */
        async stop() {
            const status = new Promise((go) => child.once('exit', go));
            child.kill('SIGTERM');
            running.delete(end);
            return status;
        },
        /** Killed on the spot; `back` starts it on what was stored. */
        async kill() {
            const gone = new Promise((go) => child.once('exit', go));
            child.kill('SIGKILL');
            await gone;
        },
        async back() {
            ({ child, ready } = await run(room, ready.http, args, env));
        },
    };
    return self;
}

/** A request without a browser. */
export async function rpc(url, method, params = {}, token = null) {
    const answer = await fetch(`${url}/rpc`, {
        method: 'POST',
        headers: {
            'Content-Type': 'application/json',
            ...token && { Authorization: `Bearer ${token}` },
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    const { result, error } = await answer.json();
    if (error)
        throw new Error(`${method}: ${JSON.stringify(error)}`);
    return result;
}

/**
 * What people NAMES do without a page, by their names, each with the same password;
 * whoever has no account yet gets one.
 */
export async function players(url, names, password = 'correct horse') {
    const tokens = {};
    let keys = 0;
    const key = () => (keys++).toString(16).padStart(32, '0');
    for (const name of names) {
        await rpc(url, 'account.register', { name, password }).catch(() => {});
        tokens[name] = (await rpc(url, 'session.login', { name, password })).token;
    }

    const say = (name, method, params = {}) => rpc(url, method, params, tokens[name]);
    return {
        tokens,
        say,
        /** A table of these, who sit there. */
        async table(names, game, more = {}) {
            const { table } = await say(names[0], 'table.create',
                { game, seats: names.length, key: key(), ...more });
            for (const name of names.slice(1))
                await say(name, 'table.join', { table, nonce: key() });
            return table;
        },
        /** Does the first thing that is legal, or what MOVE says. */
        async moves(name, table, move) {
            const legal = await say(name, 'table.legal', { table });
            await say(name, 'table.move', { table, decision: legal.decision,
                move: move ?? legal.moves[0] });
        },
    };
}

// ---- browsers -------------------------------------------------------------------

const SHELL = '/usr/bin/chromium-headless-shell', WHOLE = '/usr/bin/chromium';
const browsers = new Map();

/** Chromium without windows takes half the time; the WHOLE of it has notifications. */
export function browser(whole = false) {
    const executablePath = process.env.CHROMIUM ?? (whole ? WHOLE : SHELL);
    if (!browsers.has(executablePath))
        browsers.set(executablePath, require('playwright-core').chromium.launch({
            executablePath,
            args: ['--no-sandbox', '--disable-dev-shm-usage',
                '--host-resolver-rules=MAP home.test 127.0.0.1'],
            headless: true,
            timeout: PATIENCE,
        }));
    return browsers.get(executablePath);
}

export async function finish() {
    for (const one of browsers.values())
        await (await one).close();
    running.forEach((end) => end());
    done();
}

/** A script by which the browser's clock is so many ms ahead, and goes on when told
 * to. */
export const shifted = (ms) => `{
    const real = Date.now, Old = Date;
    globalThis.shift = ${ms};
    globalThis.shiftTo = (now) => globalThis.shift = now - real.call(Old);
    globalThis.Date = class extends Old {
        constructor(...given) {
            super(...given.length > 0 ? given : [Old.now() + globalThis.shift]);
        }
        static now() { return real.call(Old) + globalThis.shift; }
    };
}`;

/** A script by which a page draws what follows from SEED: as many numbers and keys as
 * it wants, others each time that it is loaded. */
export const drawn = (seed) => `{
    let loads = 0;
    try { // there is nothing to be kept for a page that is none of the server's
        loads = Number(localStorage.getItem('loads')) + 1;
        localStorage.setItem('loads', loads);
    } catch {}
    /** SplitMix32, by a hash of a text. */
    const stream = (text) => {
        let state = 2166136261;
        for (const c of text)
            state = Math.imul(state ^ c.charCodeAt(0), 16777619);
        return () => {
            let z = state = state + 0x9e3779b9 | 0;
            z = Math.imul(z ^ z >>> 16, 0x21f0aaad);
            z = Math.imul(z ^ z >>> 15, 0x735a2d97);
            return (z ^ z >>> 15) >>> 0;
        };
    };
    // Attempts to connect draw numbers, as many as they are: keys are drawn apart.
    const number = stream(\`numbers ${seed} \${loads}\`);
    const byte = stream(\`keys ${seed} \${loads}\`);
    Math.random = () => number() / 2 ** 32;
    crypto.getRandomValues = (array) => {
        array.set(array.map(() => byte()));
        return array;
    };
}`;

/** Two frames of a page: what it had to draw is drawn. */
export const redrawn = (page) => page.evaluate(() => new Promise((go) =>
    requestAnimationFrame(() => requestAnimationFrame(go))));

let people = 0; // each of them draws by themselves

/** Somebody with a browser of their own.  What its page complains of and the
 * frames it gets are kept.  The service worker, which takes all files for itself,
 * stays away unless OPTIONS let it. */
export async function person(url, options = {}, script = null) {
    const whole = options.permissions !== undefined;
    const context = await (await browser(whole)).newContext({
        viewport: { width: 1200, height: 900 }, reducedMotion: 'reduce',
        locale: 'en-GB', serviceWorkers: 'block', ...options,
    });
    context.setDefaultTimeout(PATIENCE);
    await context.addInitScript(drawn(`${SEED} ${people++}`));
    if (script)
        await context.addInitScript(script);
    const page = await context.newPage();
    const self = { context, page, url, troubles: [], frames: [] };
    page.on('pageerror', (error) => self.troubles.push(String(error)));
    page.on('console', (message) => {
        // What is meant for https, or comes of being offline, is no trouble.
        if (message.type() === 'error' &&
            !/ERR_INTERNET_DISCONNECTED|ERR_CONNECTION|Opener-Policy header/
                .test(message.text()))
            self.troubles.push(message.text());
    });
    page.on('websocket', (socket) => socket.on('framereceived',
        ({ payload }) => self.frames.push(JSON.parse(String(payload)))));
    await page.goto(url);
    await page.waitForSelector('#link[data-state="online"]');
    return self;
}

/** Makes an account by the form. */
export async function register({ page, url }, name) {
    await page.goto(`${url}/#login`);
    const form = page.locator('form', { hasText: 'New here?' });
    await form.getByLabel(/^Name/).fill(name);
    await form.getByLabel(/^Password/).fill('correct horse');
    await form.getByRole('button', { name: 'Make an account' }).click();
    await page.locator('#nav', { hasText: name }).waitFor();
}

/** Opens a table with what is usual and the wishes of CHOOSE; its id. */
export async function open({ page, url }, game, choose = () => {}) {
    // The form that may still stand there has what was chosen in it.
    await page.evaluate((hash) => location.hash !== hash &&
        document.querySelectorAll('form').forEach((form) => form.dataset.before = ''),
    `#new/${game}`);
    await page.goto(`${url}/#new/${game}`);
    await page.locator('form:not([data-before]) [name=seats]').first().waitFor();
    await choose(page);
    await page.getByRole('button', { name: 'Open the table' }).click();
    await page.getByRole('heading', { name: 'Before the game' }).waitFor();
    return (await page.evaluate(() => location.hash)).split('/')[1];
}

/** Takes a seat there. */
export async function sit({ page, url }, id) {
    await page.goto(`${url}/#table/${id}`);
    await page.getByRole('heading', { name: 'Before the game' }).waitFor();
    await page.getByRole('button', { name: 'Join' }).click();
    await page.locator('section', { hasText: 'Before the game' })
        .waitFor({ state: 'hidden' });
}

/** The text that hashes are made of, written a second time. */
export const canonical = (value) => JSON.stringify(value, (_, part) =>
    part && typeof part === 'object' && !Array.isArray(part)
        ? Object.fromEntries(Object.entries(part).sort(([a], [b]) =>
            a < b ? -1 : 1))
        : part);

/** Each page shows what the server says that its reader may see. */
export async function sameAsServer(people, table, what) {
    for (const [i, { page }] of people.entries()) {
        let view, told;
        const good = await until('page and server agree', async () => {
            view = await inPage(page, 'net', 'viewOf', table);
            if (!view)
                return false;
            told = (await inPage(page, 'net', 'ask', 'table.at',
                { table, ply: view.ply })).view;
            return canonical(view) === canonical(told);
        }).catch(() => false);
        if (!good)
            return ok(false, `${what}, page ${i} shows what the server says`,
                `${canonical(view)}\n${canonical(told)}`);
    }
    return what === null || ok(true, `${what}, the pages show what the server says`);
}

/** In the page: chooses among what can be clicked (clients/web/README.md), by a
 * number.  AS is how: by the script itself, by `key`, for which it gets the focus, or by
 * `mouse`, for which it is brought where it is seen. */
function choose([n, as]) {
    const seen = (element) => element.getClientRects().length > 0 &&
        !element.closest('[hidden], [inert]') && !element.disabled &&
        element.getAttribute('aria-disabled') !== 'true';
    const modal = document.querySelector('dialog[open]');
    const find = (what) => [...(modal ?? document).querySelectorAll(
        `[${what}]`)].filter(seen);
    const yes = modal?.querySelector('[data-answer="yes"]');
    const moves = find('data-move'), steps = find('data-step');
    // Mostly what plays; sometimes another way first.
    const from = moves.length && n % 4 !== 0 || !steps.length
        ? moves : steps;
    const chosen = yes ?? from[n % from.length];
    if (!chosen)
        return null;
    const move = (yes ? 'yes' : chosen.dataset.move ?? chosen.dataset.step) ?? '';
    if (as === 'key') {
        chosen.focus(); // it may be drawn anew for that, and keeps the focus
        const { dataset } = document.activeElement;
        return { move, trouble: yes || (dataset.move ?? dataset.step) === move ? ''
            : `no focus: ${chosen.outerHTML.slice(0, 200)}` };
    }
    if (as === 'mouse') {
        chosen.scrollIntoView({ block: 'center', inline: 'center',
            behavior: 'instant' });
        const { x, y, width, height } = chosen.getBoundingClientRect();
        const at = [x + width / 2, y + height / 2];
        const hit = document.elementFromPoint(...at);
        return { move, at, trouble: chosen.contains(hit) ? ''
            : `${chosen.outerHTML.slice(0, 200)}\nlies under ${
                hit?.outerHTML.slice(0, 200)}` };
    }
    chosen.dispatchEvent(new MouseEvent('click', { bubbles: true }));
    return { move };
}

/** Clicks what it chooses by a number; what it was. */
export const clickOne = async (page, number) =>
    (await page.evaluate(choose, [number, 'script']))?.move ?? null;

/** The same as a hand does it, AS `mouse` or `key`; what kept it from that goes into
 * TROUBLES. */
export async function handOne(page, number, as, troubles) {
    const chosen = await page.evaluate(choose, [number, as]);
    if (chosen?.trouble)
        troubles.add(chosen.trouble);
    else if (chosen?.at)
        await page.mouse.click(...chosen.at);
    else if (chosen)
        await page.keyboard.press('Enter');
}

/** What the core in the page says of its view: what is legal, and what would
 * come of one of these moves (by a number), is what the server says. */
export async function coreAgrees(people, table, number, what) {
    const wrong = [];
    let compared = 0;
    for (const { page } of people) {
        const told = await page.evaluate(async ([id, n]) => {
            const base = document.querySelector('script[type="module"]').src;
            const { net, core, games: { rulesOf } } = await import(new URL('app.js', base).href);
            const view = net.viewOf(id);
            if (!view || view.you === null || view.decision === null)
                return null;
            const rules = await rulesOf(view.game);
            const legal = core.legal(view, rules);
            const whole = { decision: null, moves: [], ranges: [] };
            for (let from = 0; from !== undefined;) {
                const part = await net.ask('table.legal', { table: id, from });
                whole.decision = part.decision;
                whole.moves.push(...part.moves);
                whole.ranges.push(...part.ranges);
                from = part.next;
            }
            const moves = [...legal.moves, ...legal.ranges.map((r) => r.move)];
            if (moves.length === 0) // they may wait only
                return [[legal, whole]];
            const move = moves[n % moves.length];
            const thought = core.preview(view, rules, [move]);
            const { view: server } = await net.ask('table.preview',
                { table: id, moves: [move] });
            return [[legal, whole], [thought, server], move];
        }, [table, number]);
        for (const [mine, server] of (told ?? []).slice(0, 2)) {
            compared++;
            if (canonical(mine) !== canonical(server))
                wrong.push(`${JSON.stringify(told[2])}\n${canonical(mine)}\n` +
                    canonical(server));
        }
    }
    if (wrong.length > 0)
        ok(false, what, wrong.join('\n'));
    return wrong.length === 0 ? compared : 0;
}

/** What a page shows that is not meant for people: words of the wire and of
 * JavaScript, what was to be filled in. */
export const rawWords = ({ page }) => page.evaluate(() =>
    document.body.innerText.split('\n').filter((line) =>
        /undefined|\bnull\b|\bNaN\b|\[object|\{\w*\+?\}|→\s*$|[a-z]_[a-z]|[a-z]-[123]-\d/i
            .test(line)));

/** How often a page's view was not the server's. */
export const mended = ({ page }) => page.evaluate(async () => {
    const base = document.querySelector('script[type="module"]').src;
    return (await import(new URL('app.js', base).href)).net.status.mended;
});

/** What a module of the page exports, called there: one of those that app.js
 * shows (net, core, games, settings). */
export function inPage(page, module, name, ...args) {
    return page.evaluate(async ([which, f, given]) => {
        const base = document.querySelector('script[type="module"]').src;
        return (await import(new URL('app.js', base).href))[which][f](...given);
    }, [module, name, args]);
}
