// webkit.mjs -- a browser of WebKit's, driven by WebDriver as the standard has it:
// Debian's WebKitWebDriver and its MiniBrowser, on a screen that nobody sees.

import { spawn } from 'node:child_process';
import { createServer } from 'node:net';

import { inPage, PATIENCE, until } from './support.mjs';

const DRIVER = '/usr/bin/WebKitWebDriver';
const ENTER = '\uE007';
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf'; // as the standard calls one

const started = new Set();
const kill = () => started.forEach((child) => child.kill());
process.on('exit', kill);

function start(program, args, options) {
    const child = spawn(program, args, options);
    started.add(child);
    child.on('error', () => {}); // it is missed where it should have answered
    return child;
}

/** A screen; its name for the environment. */
async function screen() {
    const child = start('Xvfb', ['-displayfd', '3', '-screen', '0', '1400x1000x24',
        '-nolisten', 'tcp'], { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
    let said = '';
    child.stdio[3].on('data', (data) => said += data);
    await until('there is a screen', () => said.endsWith('\n'));
    return `:${said.trim()}`;
}

async function freePort() {
    const server = createServer();
    await new Promise((go) => server.listen(0, '127.0.0.1', go));
    const { port } = server.address();
    await new Promise((go) => server.close(go));
    return port;
}

let display = null;
const people = [];

/** Somebody with a browser of their own: see elsewhere.mjs. */
export async function webkitPerson(url) {
    display ??= screen();
    const port = await freePort();
    start(DRIVER, [`--port=${port}`], { stdio: 'ignore', env: { ...process.env,
        DISPLAY: await display, GDK_BACKEND: 'x11', NO_AT_BRIDGE: '1',
        GSETTINGS_BACKEND: 'memory', LIBGL_ALWAYS_SOFTWARE: '1' } });

    async function ask(method, path, body) {
        const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method,
            signal: AbortSignal.timeout(PATIENCE),
            ...body && { body: JSON.stringify(body) } });
        const { value } = await answer.json();
        if (!answer.ok)
            throw new Error(`${path}: ${value.error}: ${value.message}`);
        return value;
    }
    await until('the driver is ready', () => ask('GET', '/status').catch(() => null));
    const { sessionId, capabilities } = await ask('POST', '/session',
        { capabilities: { alwaysMatch: {} } });
    const at = `/session/${sessionId}`;
    const acts = (id, type, actions, more = {}) => ask('POST', `${at}/actions`,
        { actions: [{ type, id, actions, ...more }] });
    const page = {
        goto: (address) => ask('POST', `${at}/url`, { url: address }),
        reload: () => ask('POST', `${at}/refresh`, {}),
        /** What a function gives in the page; it may be a promise. */
        async evaluate(does, given) {
            const { value, error } = await ask('POST', `${at}/execute/async`, {
                script: `const done = arguments[arguments.length - 1];
                    Promise.resolve(arguments[0]).then(${does}).then(
                        (value) => done({ value }),
                        (error) => done({ error: String(error) }));`,
                args: [given ?? null] });
            if (error)
                throw new Error(error);
            return value;
        },
        mouse: {
            click: (x, y) => acts('mouse', 'pointer', [
                { type: 'pointerMove', x: Math.round(x), y: Math.round(y) },
                { type: 'pointerDown', button: 0 }, { type: 'pointerUp', button: 0 },
            ], { parameters: { pointerType: 'mouse' } }),
        },
        keyboard: {
            press: () => acts('keys', 'key', [{ type: 'keyDown', value: ENTER },
                { type: 'keyUp', value: ENTER }]),
        },
        screenshot: async () =>
            Buffer.from(await ask('GET', `${at}/screenshot`), 'base64'),
    };
    await ask('POST', `${at}/window/rect`, { width: 1200, height: 900 });
    await page.goto(url);
    // What lies behind another window is not drawn, so nothing there moves on.
    await inPage(page, 'settings', 'wish', { animations: false });
    const self = { page, url, troubles: [],
        name: `${capabilities.browserName} ${capabilities.browserVersion}`,
        find: (path) => until(path, () => ask('POST', `${at}/element`,
            { using: 'xpath', value: path }).then((one) => one[ELEMENT], () => null)),
        // What is found may be drawn anew meanwhile.
        click: (path) => until(path, async () => ask('POST',
            `${at}/element/${await self.find(path)}/click`, {}).then(() => true,
            () => false)),
        async fill(path, text) {
            const element = `${at}/element/${await self.find(path)}`;
            await ask('POST', `${element}/clear`, {});
            await ask('POST', `${element}/value`, { text });
        },
        close: () => ask('DELETE', at),
    };
    people.push(self);
    return self;
}

export async function closeWebkit() {
    for (const { close } of people)
        await close();
    kill();
}
