// support.mjs -- a daemon and a browser for each test of the browser client.
//
// Every wait is for a condition and has a generous end; only what was started
// here is ended here.

import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const BUILD = process.env.BUILD ?? 'build';
const BIN = process.env.BIN ?? `${BUILD}/bin`;
export const NPM = resolve(BUILD, 'npm/web');
export const require = createRequire(`${NPM}/`);
export const PATIENCE = 60000;

// ---- TAP ---------------------------------------------------------------------

let tests = 0;

export function ok(right, what, more) {
    console.log(`${right ? 'ok' : 'not ok'} ${++tests} - ${what}`);
    if (!right) {
        process.exitCode = 1;
        if (more !== undefined)
            console.log(`# ${String(more).replaceAll('\n', '\n# ')}`);
    }
    return right;
}

export const is = (given, wanted, what) => ok(
    JSON.stringify(given) === JSON.stringify(wanted), what,
    `given  ${JSON.stringify(given)}\nwanted ${JSON.stringify(wanted)}`);

export const done = () => console.log(`1..${tests}`);

export async function until(what, condition, patience = PATIENCE) {
    const end = Date.now() + patience;
    for (;;) {
        const value = await condition();
        if (value)
            return value;
        if (Date.now() > end)
            throw new Error(`waited in vain: ${what}`);
        await new Promise((go) => setTimeout(go, 50));
    }
}

// ---- the daemon ------------------------------------------------------------------

const running = new Set();
process.on('exit', () => running.forEach((end) => end()));

async function run(room, http, args) {
    const child = spawn(`${BIN}/sobremesad`, ['--data', join(room, 'data'),
        '--http', http, '--lines', '127.0.0.1:0', ...args],
    { stdio: ['ignore', 'pipe', 'inherit'] });
    let out = '';
    child.stdout.on('data', (data) => out += data);
    await until('the daemon is ready', () => out.includes('\n') ||
        child.exitCode !== null);
    return { child, ready: JSON.parse(out) };
}

export async function daemon(...args) {
    const room = mkdtempSync(join(tmpdir(), 'w.'));
    let { child, ready } = await run(room, '127.0.0.1:0', args);
    const end = () => {
        running.delete(end);
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
        /** Killed on the spot; `back` starts it on what was stored. */
        async kill() {
            const gone = new Promise((go) => child.once('exit', go));
            child.kill('SIGKILL');
            await gone;
        },
        async back() {
            ({ child, ready } = await run(room, ready.http, args));
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

// ---- browsers -------------------------------------------------------------------

let chromium = null;

export async function browser() {
    chromium ??= await require('playwright-core').chromium.launch({
        executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
        args: ['--no-sandbox', '--disable-dev-shm-usage',
            '--host-resolver-rules=MAP home.test 127.0.0.1'],
        headless: true,
    });
    return chromium;
}

export async function finish() {
    await chromium?.close();
    running.forEach((end) => end());
    done();
}

/** Somebody with a browser of their own.  What its page complains of and the
 * frames it gets are kept. */
export async function person(url, options = {}, script = null) {
    const context = await (await browser()).newContext({
        viewport: { width: 1200, height: 900 }, reducedMotion: 'reduce',
        locale: 'en-GB', ...options,
    });
    context.setDefaultTimeout(PATIENCE);
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
    await page.goto(`${url}/#new/${game}`);
    await page.locator('select[name=seats]').waitFor();
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
            view = await inPage(page, 'net.js', 'viewOf', table);
            if (!view)
                return false;
            told = (await inPage(page, 'net.js', 'ask', 'table.at',
                { table, ply: view.ply })).view;
            return canonical(view) === canonical(told);
        }).catch(() => false);
        if (!good)
            return ok(false, `${what}, page ${i} shows what the server says`,
                `${canonical(view)}\n${canonical(told)}`);
    }
    return what === null || ok(true, `${what}, the pages show what the server says`);
}

/** Chooses among what can be clicked (clients/web/README.md), by a number; what
 * it was. */
export function clickOne(page, number) {
    return page.evaluate((n) => {
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
        const move = yes ? 'yes' : chosen.dataset.move ?? chosen.dataset.step;
        chosen.dispatchEvent(new MouseEvent('click', { bubbles: true }));
        return move ?? '';
    }, number);
}

/** What the core in the page says of its view: what is legal, and what would
 * come of one of these moves (by a number), is what the server says. */
export async function coreAgrees(people, table, number, what) {
    const wrong = [];
    let compared = 0;
    for (const { page } of people) {
        const told = await page.evaluate(async ([id, n]) => {
            const base = document.querySelector('script[type="module"]').src;
            const load = (name) => import(new URL(name, base).href);
            const [net, core, { rulesOf }] = await Promise.all(
                ['net.js', 'core.js', 'games.js'].map(load));
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
        /undefined|\bnull\b|\bNaN\b|\[object|\{\w*\}|→\s*$|[a-z]_[a-z]|[a-z]-[123]-\d/i
            .test(line)));

/** How often a page's view was not the server's. */
export const mended = ({ page }) => page.evaluate(async () => {
    const base = document.querySelector('script[type="module"]').src;
    return (await import(new URL('net.js', base).href)).status.mended;
});

/** What a module of the page exports, called there. */
export function inPage(page, module, name, ...args) {
    return page.evaluate(async ([file, f, given]) => {
        const base = document.querySelector('script[type="module"]').src;
        const loaded = await import(new URL(file, base).href);
        return loaded[f](...given);
    }, [module, name, args]);
}
