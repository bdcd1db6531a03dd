// firefox.mjs -- Debian's Firefox, by WebDriver BiDi, which puppeteer speaks
// (playwright speaks only to one that is built for it).

import { drawn, PATIENCE, require, SEED } from './support.mjs';

let firefox = null, people = 0;

function launched() {
    firefox ??= require('puppeteer-core').launch({
        browser: 'firefox', headless: true,
        executablePath: process.env.FIREFOX ?? '/usr/bin/firefox-esr',
        timeout: PATIENCE, protocolTimeout: PATIENCE,
        extraPrefsFirefox: { 'ui.prefersReducedMotion': 1, 'intl.accept_languages': 'en-GB' },
    });
    return firefox;
}

/** Somebody with a browser of their own: see elsewhere.mjs. */
export async function firefoxPerson(url) {
    const browser = await launched();
    // A window each: what lies behind another tab is not drawn.
    const page = await (await browser.createBrowserContext())
        .newPage({ type: 'window' });
    await page.setViewport({ width: 1200, height: 900 });
    page.setDefaultTimeout(PATIENCE);
    await page.evaluateOnNewDocument(drawn(`${SEED} ${people++}`));
    const at = (path) => page.locator(`::-p-xpath(${path})`);
    const self = { page, url, name: await browser.version(), troubles: [],
        find: (path) => at(path).wait(),
        click: (path) => at(path).click(),
        fill: (path, text) => at(path).fill(text),
        offline: (on) => page.setOfflineMode(on),
    };
    // It tells of connections that end as one goes offline, or loads a page anew.
    const trouble = (text) =>
        /connection to (the server at )?ws:|ServiceWorker intercepted/.test(text)
            || self.troubles.push(text);
    page.on('pageerror', (error) => trouble(String(error)));
    page.on('console', (message) => message.type() === 'error'
        && trouble(message.text()));
    await page.goto(url);
    return self;
}

export const closeFirefox = async () => (await firefox)?.close();
