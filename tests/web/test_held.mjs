// test_held.mjs -- a phone is not held up by a long table: what the page makes of it is
// counted, elements and words, and so little of it.  How long that takes at one go is in
// soak_held.mjs.

import { cookie, LONG, long, url } from './long.mjs';
import { browser, finish, inPage, is, ok, PATIENCE, until } from './support.mjs';

const ELEMENTS = 3000, OPEN = 3; // turns of the log that are told in full

for (const game of Object.keys(LONG)) {
    const { id, plies } = await long(game);
    const context = await (await browser()).newContext({
        viewport: { width: 390, height: 844 }, locale: 'en-GB',
        serviceWorkers: 'block' });
    context.setDefaultTimeout(PATIENCE);
    await context.addCookies([cookie]);
    const page = await context.newPage();
    await page.goto(`${url}/#table/${id}`);
    await page.locator('.turn-of').first() // the last that comes, behind a tab
        .waitFor({ state: 'attached' });
    await until('the rules have come', () => inPage(page, 'core', 'loaded'));
    const made = await page.evaluate(() => {
        const all = (what) => document.querySelectorAll(what).length;
        return { elements: all('*'), turns: all('.turn-of'),
            open: all('.turn-of[aria-expanded="true"]'),
            closed: all('.turn-of[aria-expanded="false"] + ol > *') };
    });
    ok(plies >= LONG[game] && made.turns > 4 * OPEN,
        `${game}: ${plies} plies, ${made.turns} turns in the log`);
    ok(made.open <= OPEN, `${game}: ${made.open} of them are told`);
    is(made.closed, 0, `${game}: and of no other one a line`);
    ok(made.elements <= ELEMENTS, `${game}: ${made.elements} elements in all, ${
        ELEMENTS} at most`);
    await context.close();
}
await finish();
