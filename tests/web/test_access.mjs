// test_access.mjs -- every page for everybody: axe finds nothing serious, and at
// 360 px nothing has to be scrolled sideways.

import { readFileSync } from 'node:fs';

import { becomes, browser, comes, daemon, finish, ok, open, person, redrawn, register,
    require, sit, until } from './support.mjs';

const { url } = await daemon();
const ana = await person(url), ben = await person(url);
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** The page as it is, at widths of phones, tablets and desks. */
async function judge({ page }, name) {
    await page.waitForFunction(() => document.querySelector('main .wait') === null);
    for (const width of [360, 800, 1024, 1280, 1440]) {
        await page.setViewportSize({ width, height: 800 });
        await redrawn(page);
        // The board of a game may be moved about within its own frame.
        const wide = () => page.evaluate(() => {
            const root = document.scrollingElement;
            if (root.scrollWidth <= root.clientWidth)
                return '';
            const over = [...document.querySelectorAll('main *')].filter((e) =>
                e.getBoundingClientRect().right > root.clientWidth + 1)
                .slice(0, 3).map((e) => e.outerHTML.slice(0, 120));
            return `${root.scrollWidth} > ${root.clientWidth}: ` +
                over.join('\n');
        });
        await becomes(wide, '', `${name} fits ${width} px`);
        // No column waits beyond an edge to be found by chance.
        const cut = () => page.evaluate(() => [
            ...document.querySelectorAll('.panel table, .table .side table')]
            .filter(({ parentElement: box }) =>
                box.scrollWidth > box.clientWidth + 1)
            .map((table) => table.innerText).join('\n'));
        await becomes(cut, '', `${name}: all columns show at ${width} px`);
    }
    await page.setViewportSize({ width: 360, height: 800 });
    await redrawn(page);
    // The policy of the page lets in no script of ours but by the debugger.
    await page.evaluate(axe);
    let bad;
    await until('axe finds nothing', async () => {
        const { violations } = await page.evaluate(() => globalThis.axe.run(
            document, { resultTypes: ['violations'] }));
        bad = violations.filter(({ impact }) =>
            impact === 'serious' || impact === 'critical');
        return bad.length === 0;
    }).catch(() => null);
    ok(bad.length === 0, `${name}: axe finds nothing serious`,
        bad.map(({ id, help, nodes }) => `${id}: ${help}\n` + nodes.slice(0, 4)
            .map(({ html, failureSummary }) => `    ${html.slice(0, 160)}\n    ` +
                (failureSummary ?? '').replaceAll('\n', ' '))
            .join('\n')).join('\n'));
}

await judge(ana, 'the lobby of a stranger');
await ana.page.goto(`${url}/#login`);
await ana.page.getByRole('heading', { name: 'New here?' }).waitFor();
await judge(ana, 'log in');
await register(ana, 'Ana');
await register(ben, 'Ben');
await ana.page.goto(`${url}/#settings`);
await ana.page.getByText('Larger text').waitFor();
for (const part of await ana.page.locator('details.card').all()) {
    await part.evaluate((box) => box.open = true);
    await part.locator('.stack').waitFor();
}
await judge(ana, 'settings');
await ana.page.goto(`${url}/#new/hacienda`);
await ana.page.locator('.thumb svg').waitFor();
await judge(ana, 'making a table');
await ana.page.goto(`${url}/#rules/hacienda/both`);
await ana.page.locator('article').nth(1).waitFor();
await judge(ana, 'rules');

for (const game of ['tictactoe', 'hacienda', 'hadara', 'greement']) {
    await ana.page.setViewportSize({ width: 1200, height: 900 });
    const id = await open(ana, game);
    if (game === 'hacienda')
        await judge(ana, 'an open table');
    await sit(ben, id);
    await ana.page.locator('.panel > *').first().waitFor();
    await judge(ana, `a table of ${game}`);
    await judge(ben, `the same from the other side`);
}
await ana.page.goto(`${url}/#`);
await ana.page.locator('.tables li').first().waitFor();
await judge(ana, 'the lobby');
const id = await open(ana, 'tictactoe');
await sit(ben, id);
await ben.page.getByRole('button', { name: 'More' }).click(); // as on a phone
await judge(ben, 'the menu of a table');
await ben.page.getByRole('button', { name: 'Give up' }).click();
await ben.page.locator('[data-answer="yes"]').waitFor();
await judge(ben, 'a dialog');
await ben.page.locator('[data-answer="yes"]').click();
await ana.page.getByText('Ana wins').waitFor();
await ana.page.getByRole('button', { name: 'Verify the game' }).click();
await ana.page.locator('.verdict li').first().waitFor();
await judge(ana, 'a finished table');
await ana.page.goto(`${url}/#table/${id}/3`);
await ana.page.locator('.replay').waitFor();
await judge(ana, 'a replay');
await comes(() => ana.page.locator('[data-key="ahead"]').isHidden(),
    'before a game begins nothing can be tried');
await ana.page.locator('[data-key="step1"]').press('End');
await ana.page.locator('[data-key="ahead"]').click();
await ana.page.locator('.ahead .chip').first().waitFor();
await judge(ana, 'analysis');
await comes(() => ana.page.getByText('to move').first().isVisible(),
    'a game that was given up could have gone on');
for (const game of ['tictactoe', 'hacienda', 'hadara', 'greement']) {
    await ana.page.setViewportSize({ width: 390, height: 844 });
    await ana.page.goto(`${url}/#guide/${game}`);
    await ana.page.locator('.guide').waitFor();
    await ana.page.locator('[data-pointed]').first().waitFor();
    await judge(ana, `a first game of ${game}`);
}
await ana.page.setViewportSize({ width: 390, height: 844 });
await ana.page.goto(`${url}/#finished`);
await ana.page.locator('.tables li').first().waitFor();
await judge(ana, 'finished games');
await ana.page.goto(`${url}/#player/Ana`);
await ana.page.locator('.played > li').first().waitFor();
await judge(ana, 'what somebody has played');
await ana.page.goto(`${url}/#best/tictactoe`);
await ana.page.locator('.people .card').first().waitFor();
await judge(ana, 'who plays best');
// Where links lead, also those that are good for nothing any more.
for (const address of ['register', 'record', 'join/none', 'reset/none',
    'confirm/none', 'never/none', 'unsubscribe/none']) {
    await ana.page.goto(`${url}/#${address}`);
    await ana.page.locator('main :is(h1, h2, form, .card)').first().waitFor();
    await judge(ana, `#${address}`);
}
const waiting = await open(ana, 'tictactoe');
await ana.page.goto(`${url}/#table/${waiting}`);
await ana.page.getByRole('button', { name: 'Copy the link' }).first().click();
await ana.page.getByRole('button', { name: 'Make a personal link' }).waitFor();
await judge(ana, 'the dialog of a personal link');
await ana.page.keyboard.press('Escape');

// ---- wishes -----------------------------------------------------------------------

await ana.page.goto(`${url}/#new/tictactoe`);
await ana.page.getByRole('button', { name: 'Open the table' }).waitFor();
const still = await ana.page.evaluate(() =>
    getComputedStyle(document.querySelector('button')).transitionDuration);
ok(/^0s(, 0s)*$/.test(still), 'nothing moves where less motion is wished',
    still);
await ana.page.goto(`${url}/#settings`);
await ana.page.getByLabel('Larger text').check();
await ana.page.getByLabel('Colours that are easier').check();
await ana.page.goto(`${url}/#`);
await ana.page.locator('.tables li').first().waitFor();
await judge(ana, 'the lobby in larger text and other colours');

// ---- the dark ------------------------------------------------------------------------

const owl = await person(url, { colorScheme: 'dark' });
await judge(owl, 'the lobby in the dark');
await register(owl, 'Owl');
for (const address of ['settings', 'new/greement', 'finished', 'player/Ana']) {
    await owl.page.goto(`${url}/#${address}`);
    await owl.page.locator('main :is(h1, h2)').first().waitFor();
    await judge(owl, `#${address} in the dark`);
}
for (const game of ['tictactoe', 'hacienda', 'hadara', 'greement']) {
    await owl.page.setViewportSize({ width: 1200, height: 900 });
    const dark = await open(owl, game);
    await sit(ben, dark);
    await owl.page.locator('.panel > *').first().waitFor();
    await judge(owl, `a table of ${game} in the dark`);
}

// ---- keyboard ----------------------------------------------------------------------

await ana.page.setViewportSize({ width: 1200, height: 900 });
await ana.page.goto(`${url}/#new/tictactoe`);
await ana.page.getByRole('heading', { name: 'New table' }).waitFor();
await ana.page.reload();
await ana.page.locator('[name=seats]').first().waitFor();
await ana.page.waitForFunction(() => document.querySelector('main .wait') === null);
await ana.page.keyboard.press('Tab');
ok(await ana.page.evaluate(() => document.activeElement !== document.body),
    'the first Tab leads somewhere');
const unseen = [];
for (let i = 0; i < 40; i++) {
    await ana.page.keyboard.press('Tab');
    const where = await ana.page.evaluate(() => {
        const e = document.activeElement;
        if (e === document.body)
            return null;
        const style = getComputedStyle(e);
        const shown = parseFloat(style.outlineWidth) >= 2 &&
            style.outlineStyle !== 'none';
        return { what: e.outerHTML.slice(0, 80), shown,
            open: e.matches('button.main') && e.textContent === 'Open the table' };
    });
    if (where && !where.shown)
        unseen.push(where.what);
    if (where?.open)
        break;
}
ok(unseen.length === 0, 'the focus can be seen wherever it goes',
    unseen.join('\n'));
await ana.page.keyboard.press('Enter');
await ana.page.getByRole('heading', { name: 'Before the game' }).waitFor();
ok(true, 'a table is made without a mouse');
ok((await browser()).isConnected(), 'the browser lives');
await finish();
