// test_guide.mjs -- a first game that is led: somebody who never saw a game, and has
// no account, plays each one to its end by clicking nothing but what is pointed to.

import { becomes, comes, daemon, finish, is, ok, person, redrawn, rpc, until }
    from './support.mjs';

const { url } = await daemon('--set', 'limits.local=off');
const only = process.env.GAME;
const pictures = process.env.PICTURES; // a folder for screenshots
const ends = 4000; // clicks, at most

/** Clicks what is pointed to, until the game is over; how often, and what was said. */
async function led(page, game) {
    const said = new Set();
    let clicks = 0;
    for (; clicks < ends; clicks++) {
        const text = await page.locator('.guide [role="status"]').innerText();
        said.add(text);
        const over = page.locator(`.guide a[href="#new/${game}"]`);
        if (await over.count())
            return { clicks, said };
        if (pictures && clicks % 20 < 6)
            await page.screenshot({ path: `${pictures}/${game}-${clicks}.png` });
        // As a person would: what is ringed, where it is, whatever else lies there.
        const to = page.locator('[data-pointed]');
        await until(`${game}: something is pointed to (${text})`, async () =>
            await to.count() || await over.count());
        if (await over.count() === 0)
            await to.first().click();
        await redrawn(page);
    }
    return { clicks, said };
}

const { games } = await rpc(url, 'server.hello');
for (const { name: game } of games.filter(({ name }) => !only || name === only)) {
    const ana = await person(url);
    const { page } = ana;
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.goto(`${url}/#rules/${game}`);
    await page.locator('[data-key="guide"]').click();
    await page.locator('.guide').waitFor();
    const { clicks, said } = await led(page, game);
    ok(clicks < ends, `${game}: whole, in ${clicks} clicks`);
    const [, told, all] = /(\d+)\D+(\d+)/.exec(await page.evaluate((game) => {
        const kept = JSON.parse(localStorage.getItem(`guide.${game}`));
        return `${kept.told.length} of ${kept.moves.length}`;
    }, game));
    ok(told > 3 || game === 'tictactoe', `${told} steps were told in ${all} plies`);
    is([...said].filter((text) => /[{}_]|undefined|null/.test(text)), [],
        'in words');
    await ana.context?.close?.();
}

// ---- on a phone ------------------------------------------------------------------

// Fingers touch a place of the window, and nothing scrolls for them: whatever is pointed
// to is in sight, and nothing lies on it.
const ben = await person(url, { viewport: { width: 390, height: 844 },
    hasTouch: true, isMobile: true });
await ben.page.goto(`${url}/#guide/hacienda`);
await ben.page.locator('.guide').waitFor();
/** The middle of what is pointed to, once it rests there; null while it is covered. */
const middle = () => ben.page.evaluate(async () => {
    const at = () => {
        const to = document.querySelector('[data-pointed]');
        const { x, y, width, height } = to?.getBoundingClientRect() ?? {};
        const [left, top] = [x + width / 2, y + height / 2];
        return to?.contains(document.elementFromPoint(left, top) ?? document)
            ? [left, top] : null;
    };
    const before = at();
    await new Promise((go) => requestAnimationFrame(() =>
        requestAnimationFrame(go)));
    const now = at();
    return `${before}` === `${now}` ? now : null;
});
const plies = () => ben.page.evaluate(() =>
    JSON.parse(localStorage.getItem('guide.hacienda')).moves.length);
const began = await plies();
await ben.page.evaluate(() => {
    globalThis.clicks = 0;
    addEventListener('click', () => globalThis.clicks++, true);
});
for (let taps = 0; taps < 12; taps++) {
    await ben.page.touchscreen.tap(...await until(`in sight (${taps})`, middle));
    await until('it is a click', () => ben.page.evaluate((before) =>
        globalThis.clicks > before, taps));
}
const many = await plies();
ok(many > began, `${many - began} plies by fingers, on what is in sight`);

// ---- a draw, the focus, and nothing over and over ----------------------------------

const keptOf = (page, game) => page.evaluate((game) =>
    JSON.parse(localStorage.getItem(`guide.${game}`)), game);
const cara = await person(url);
const { revision } = games.find(({ name }) => name === 'tictactoe');
const draw = ['a1', 'b2', 'c3', 'b1', 'b3', 'a3', 'c1', 'c2', 'a2'];
const keep = (moves) => cara.page.evaluate(([moves, revision]) =>
    localStorage.setItem('guide.tictactoe', JSON.stringify({ revision, seed: 1,
        told: [], moves })), [moves.map((cell, i) =>
    [i % 2, `place cell=${cell}`]), revision]);
await keep(draw);
await cara.page.goto(`${url}/#guide/tictactoe`);
await cara.page.getByText('It is a draw.').waitFor();
ok(true, 'a draw is told as one');
const focused = () => cara.page.evaluate(() =>
    document.activeElement.getAttribute('data-key'));
const strip = () => cara.page.locator('.strip').innerText();
await cara.page.locator('[data-key="guide-again"]').focus();
await cara.page.keyboard.press('Enter');
await until('another game', async () =>
    (await keptOf(cara.page, 'tictactoe')).moves.length < draw.length);
await cara.page.reload();
await keep(draw.slice(0, 4));
await cara.page.reload();
await until('the game is told', async () => /b1/.test(await strip()));
await cara.page.locator('[data-key="guide-back"]').focus();
await cara.page.keyboard.press('Enter');
await until('a move is taken back', async () =>
    (await keptOf(cara.page, 'tictactoe')).moves.length === 2);
await until('and told no more', async () => !/b1/.test(await strip()));
await cara.page.locator('[data-key="guide-back"]').click();
await until('so is the first', async () => !/\b[abc][123]\b/.test(await strip()));
await becomes(() => cara.page.locator('[data-key="guide-back"]').count(), 0,
    'nothing is told of what was taken back');
await becomes(focused, 'guide-first', 'who was at a button that is gone is at another');
for (let clicks = 0; clicks < 3; clicks++) {
    await cara.page.locator('[data-key="guide-first"]').focus();
    const looks = await cara.page.getByRole('button', { name: 'Go on' }).count();
    await cara.page.keyboard.press('Enter');
    await redrawn(cara.page);
    if (looks)
        await becomes(focused, 'guide-first', 'and going on goes on by key');
}
/** What is drawn in so many frames. */
const drawn = () => cara.page.evaluate(async (frames) => {
    let count = 0;
    const watching = new MutationObserver((records) => {
        count += records.length;
    });
    watching.observe(document.body, { childList: true, subtree: true });
    for (let n = 0; n < frames; n++)
        await new Promise((go) => requestAnimationFrame(go));
    watching.disconnect();
    return count;
}, 60);
// What the last click has drawn may still come; what is drawn over and over never ends.
await becomes(drawn, 0, 'where nothing happens nothing is drawn');
await comes(async () => {
    const [around, what] = await Promise.all(['.guide-ring', '[data-pointed]'].map(
        (one) => cara.page.locator(one).boundingBox()));
    return around && what && around.x <= what.x && around.y <= what.y &&
        around.x + around.width >= what.x + what.width;
}, 'and the ring is there');

// Were a cell an amount, what is advised would stand there; another may be typed.
await cara.page.evaluate(() => {
    const table = document.querySelector('.table');
    for (const one of table.querySelectorAll('[data-move]'))
        one.removeAttribute('data-move');
    table.querySelector('.panel').insertAdjacentHTML('beforeend', `<span class="amount">
        <input data-range="cell"><button type="button" data-move='${
        JSON.stringify({ verb: 'place', cell: 'a1' })}'>Place</button></span>`);
});
const input = cara.page.locator('[data-range]');
const advice = await until('what is advised is put there', () => input.inputValue());
await cara.page.locator('.amount [data-pointed]').waitFor();
const own = advice === 'c3' ? 'a3' : 'c3';
/** Something else happens to the page. */
const stir = async () => {
    await cara.page.evaluate(() =>
        document.querySelector('.table').classList.toggle('stirred'));
    await redrawn(cara.page);
};
await input.fill(own);
await stir();
is(await input.inputValue(), own, `another amount than ${advice} is typed`);
await input.blur();
await stir();
await becomes(async () => [await input.inputValue(),
    await cara.page.locator('.amount [data-pointed]').count()], [own, 1], 'and stays');
is(cara.troubles, [], 'nothing went wrong');

// ---- left, taken back, begun again -----------------------------------------------

await ben.page.reload();
await ben.page.locator('.guide').waitFor();
is(await plies(), many, 'what was left is taken up');
await ben.page.locator('[data-key="guide-back"]').click();
await comes(async () => (await plies()) < many, 'a move is taken back');
is(ben.troubles, [], 'nothing went wrong');
await ben.page.goto(`${url}/#guide/ludo`);
await ben.page.getByText('There is no such game here.').waitFor();
ok(true, 'a game that there is not is named so');

await finish();
