// screenshots.mjs -- every page at the width of a phone, a tablet and a desk.
//
// usage: [TEXT=200%] [DARK=1] node tests/web/screenshots.mjs DIRECTORY

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { clickOne, daemon, finish, inPage, open, person, register, sit, until }
    from './support.mjs';

const out = process.argv[2] ?? 'build/screenshots';
mkdirSync(out, { recursive: true });
const { url } = await daemon('--set', 'limits.local=off');
const options = process.env.DARK ? { colorScheme: 'dark' } : {};
const larger = process.env.TEXT &&
    `addEventListener('DOMContentLoaded', () => document.documentElement.style
        .setProperty('font-size', '${process.env.TEXT}', 'important'));`;
const ana = await person(url, options, larger);
const ben = await person(url, options, larger);

async function shoot({ page }, name) {
    for (const width of [360, 800, 1400]) {
        await page.setViewportSize({ width, height: width < 500 ? 740 : 900 });
        await page.evaluate(() => new Promise(requestAnimationFrame));
        await page.screenshot({ path: join(out, `${name}-${width}.png`),
            fullPage: true });
    }
    await page.setViewportSize({ width: 1200, height: 900 });
}

async function go({ page }, address, what) {
    await page.goto(`${url}/#${address}`);
    await page.locator(what).first().waitFor();
}

await shoot(ana, 'welcome');
await go(ana, 'login', 'form');
await shoot(ana, 'login');
await register(ana, 'Ana');
await register(ben, 'Ben');
await go(ana, 'new/hacienda', '.thumb svg');
await shoot(ana, 'new');
await go(ana, 'rules', '.tables li');
await shoot(ana, 'games');
await go(ana, 'rules/greement/both', 'article');
await shoot(ana, 'rules');

let number = 1;
const next = () => number = Math.imul(number, 1664525) + 1013904223 >>> 0;
for (const [game, plies] of [['tictactoe', 3], ['hacienda', 90],
    ['hadara', 60], ['greement', 135]]) {
    const id = await open(ana, game);
    if (game === 'hacienda')
        await shoot(ana, 'open');
    await sit(ben, id);
    const began = Date.now();
    for (let at = 0; at < plies && Date.now() - began < 120000;) {
        for (const { page } of [ana, ben])
            for (let i = 0; i < 6; i++)
                await clickOne(page, next() >>> 8);
        at = (await inPage(ana.page, 'net', 'viewOf', id)).ply;
    }
    for (const who of [ana, ben])
        await shoot(who, `${game}-${who === ana ? 'ana' : 'ben'}`);
    if (game === 'hacienda') {
        await go(ana, `table/${id}/50`, '.replay');
        await shoot(ana, 'replay');
    }
    if (game !== 'tictactoe')
        continue;
    await until('it is over', async () => {
        for (const { page } of [ana, ben])
            await clickOne(page, next() >>> 8);
        return (await inPage(ana.page, 'net', 'viewOf', id)).state ===
            'finished';
    });
    await ana.page.getByRole('button', { name: 'Verify the game' }).click();
    await ana.page.locator('.verdict li').first().waitFor();
    await shoot(ana, 'finished');
}
await open(ben, 'hadara');
await open(ben, 'greement');
await go(ana, '', '.tables li');
await shoot(ana, 'lobby');
await go(ana, 'finished', '.tables li');
await shoot(ana, 'archive');
await go(ana, 'settings', 'fieldset');
await shoot(ana, 'settings');
await finish();
