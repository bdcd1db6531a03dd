// test_phone.mjs -- tables where there is little room: on a phone, up to six seats,
// with what one holds in a sheet; and in text twice as large.  On a desk, too, nothing
// jumps.
//
// What a page looks like no test can tell; that nothing jumps, nothing covers or
// cuts off anything else, and a finger can hit everything, one can.

import { dice } from './playing.mjs';
import { becomes, comes, daemon, finish, inPage, is, ok, person, redrawn, rpc, SEED,
    until } from './support.mjs';

const { url } = await daemon('--set', 'limits.local=off');
const NAMES = ['Ana', 'Ben', 'Cai', 'Dea', 'Eva', 'Maximiliane-Antonia'];
const SMALLEST = 24, HEADER = 48; // pixels
const SHIFT = 0.1; // what web.dev calls good, of cumulative layout shift
const tokens = [];
for (const name of NAMES)
    tokens.push((await rpc(url, 'account.register',
        { name, password: 'correct horse' })).token);

const random = dice(SEED);

const viewOf = async (id) =>
    (await rpc(url, 'table.watch', { table: id }, tokens[0])).view;

/** A move of whoever is to move, mostly one that builds. */
async function play(id, seats) {
    const acting = seats.flatMap((seat, i) => seat.acting ? [i] : []);
    const seat = acting[random(acting.length)];
    const { decision, moves, ranges } = await rpc(url, 'table.legal',
        { table: id }, tokens[seat]);
    const usual = moves.filter(({ verb }) =>
        !/^(end_turn|pass|done|pay|offer|buy_action_card)$/.test(verb));
    const from = usual.length > 0 ? usual : moves;
    const move = from[random(from.length)] ?? { ...ranges[0].move,
        [ranges[0].arg]: ranges[0].min };
    await rpc(url, 'table.move', { table: id, decision, move }, tokens[seat]);
}

/** A table of COUNT seats where it is Ana's turn, after so many plies. */
async function table(game, count, plies, there = () => true) {
    const { table: id } = await rpc(url, 'table.create',
        { game, seats: count, options: {} }, tokens[0]);
    for (const token of tokens.slice(1, count))
        await rpc(url, 'table.join', { table: id }, token);
    for (let n = 0; n < 2000; n++) {
        const { ply, seats, game_state: now } = await viewOf(id);
        if (ply >= plies && seats[0].acting && there(now))
            break;
        await play(id, seats);
    }
    return id;
}

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true };
const ana = await person(url, PHONE, `globalThis.shifted = 0;
    globalThis.moved = [];
    new PerformanceObserver((list) => {
        for (const { value, hadRecentInput, sources } of list.getEntries())
            if (!hadRecentInput) {
                globalThis.shifted += value;
                globalThis.moved.push(value.toFixed(3) + ': ' + sources.map(
                    ({ node }) => node?.className ?? node?.nodeName).join());
            }
    }).observe({ type: 'layout-shift', buffered: true });`);
const { page } = ana;
async function logIn(who, name) {
    await who.evaluate((params) => fetch('/session', {
        method: 'POST', headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ method: 'session.login', params }),
    }), { name, password: 'correct horse' });
    await who.reload();
    await who.locator('#nav', { hasText: name }).waitFor();
}
await logIn(page, 'Ana');

async function show(id) {
    const { ply } = await viewOf(id);
    await page.goto(`${url}/#table/${id}`);
    await page.reload();
    await until('the table is there', async () =>
        (await inPage(page, 'net', 'viewOf', id).catch(() => null))?.ply === ply &&
        await page.locator('.turn-of').count() &&
        await page.locator('[data-move], [data-step]').count());
}

/** What can be hit and is smaller than a finger needs. */
const small = () => page.evaluate((least) => [...document.querySelectorAll(
    'button, .button, input, select, summary, #top a, .heads a, .spot.target, .square')]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }))
    .map((one) => [one.getBoundingClientRect(), one])
    .filter(([box]) => box.width > 1 && // what is only heard
        Math.min(box.width, box.height) < least - 0.5)
    .map(([box, one]) => `${Math.round(box.width)} x ${
        Math.round(box.height)}: ${one.outerHTML.slice(0, 90)}`), SMALLEST);

/** What is wider than its place and cannot be scrolled to, or covered by what
 * stands beside it. */
const cut = () => page.evaluate(() => {
    const found = [];
    const text = (one) => one.textContent.trim().slice(0, 60);
    if (document.scrollingElement.scrollWidth > innerWidth)
        found.push(`the page scrolls sideways: ${[...document.querySelectorAll(
            'body *')].filter((one) => one.getBoundingClientRect().right >
            innerWidth + 1 && !one.closest('.heads, .log, .scroll, svg'))
            .slice(0, 3).map((one) => one.outerHTML.slice(0, 90))}`);
    const seen = (one) => one.checkVisibility({ visibilityProperty: true }) &&
        one.getBoundingClientRect().width > 2;
    for (const one of document.querySelectorAll(
        '#top *, .turnbar *, .heads *, .sheet-tabs *, button, h2, .kind')) {
        const { overflowX } = getComputedStyle(one);
        if (seen(one) && !(one instanceof SVGElement) && overflowX !== 'auto' &&
            (overflowX !== 'visible' || !one.firstElementChild) &&
            one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0 &&
            text(one) &&
            !one.matches('#link, .unseen, .titled, .titled *, .end, .short'))
            found.push(`cut off: ${one.className} ${text(one)}`);
    }
    const parts = [...document.querySelectorAll('#top :is(a, button, h1), ' +
        '.turnbar > *, .table-tabs button')].filter(seen)
        .map((one) => [one, one.getBoundingClientRect()]);
    for (const [i, [a, one]] of parts.entries())
        for (const [b, other] of parts.slice(i + 1))
            if (!a.contains(b) && one.left < other.right - 1 &&
                other.left < one.right - 1 && one.top < other.bottom - 1 &&
                other.top < one.bottom - 1)
                found.push(`${text(a)} and ${text(b)} cover each other`);
    return found;
});

const tables = [
    ['hacienda', await table('hacienda', 5, 120)],
    ['hadara', await table('hadara', 5, 90, ({ stage }) => stage === 'choose')],
    ['greement', await table('greement', 6, 190, ({ phase }) => phase === 'turn')],
    ['tictactoe', await table('tictactoe', 2, 3)],
];
const other = await table('tictactoe', 2, 3); // so that there is a next one

for (const [game, id] of tables) {
    await page.setViewportSize(PHONE.viewport);
    await show(id);
    await page.locator('#nav .next').waitFor();
    const at = (what) => page.locator(what).boundingBox();
    await comes(async () => {
        const { y, height } = await at('#top');
        return y === 0 && height <= HEADER + 1;
    }, `${game} on a phone: the header is ${HEADER} px high at most`);
    await becomes(small, [], `${game}: a finger can hit all that shows`);
    await becomes(cut, [], `${game}: nothing is covered or cut off`);
    await comes(async () => {
        const { y, height } = await at('.turnbar');
        return Math.abs(y + height - PHONE.viewport.height) < 1;
    }, `${game}: the turn bar is at the foot`);
    const shifted = await page.evaluate(() => globalThis.shifted);
    ok(shifted < SHIFT, `${game}: nothing jumped when it came`,
        (await page.evaluate(() => globalThis.moved)).join('\n'));

    // Whatever is shown in the sheet or chosen there, the board stays.
    const place = () => page.locator(
        'svg.board, .grid, .decision, .ttt').first().evaluate((board) => {
        const { x, y, width, height } = board.getBoundingClientRect();
        return [x, y, width, height].map(Math.round);
    });
    const before = await until('the board is in its place', async () => {
        const there = await place();
        await redrawn(page);
        return `${there}` === `${await place()}` && there;
    });
    const parts = await page.locator('.sheet-tabs button:visible').all();
    for (const tab of [...parts.slice(1), ...parts.slice(0, 1)]) {
        await tab.click();
        await redrawn(page);
        await becomes(place, before, `${game}: the board stays where it is`);
    }
    const step = page.locator('.rail [data-step]:visible').first();
    if (await step.count() > 0) {
        await step.click();
        await redrawn(page);
        await becomes(place, before, `${game}: also when something is in hand`);
    }
    // All of the page can be scrolled to: nothing lies below the sheet.
    const covered = () => page.evaluate(() => {
        scrollTo(0, document.scrollingElement.scrollHeight);
        const rail = document.querySelector('.table > .rail')
            .getBoundingClientRect();
        const last = Math.max(...[...document.querySelectorAll(
            '.table > :is(.left, .side)')].map((one) => one.getBoundingClientRect().bottom));
        scrollTo(0, 0);
        return last - rail.top;
    });
    await comes(async () => await covered() <= 1, `${game}: nothing lies below the sheet`);
    for (const tab of ['Players', 'Log']) {
        await page.locator('.table-tabs').getByRole('button', { name: tab })
            .click();
        await redrawn(page);
        await becomes(small, [], `${game}, ${tab}: a finger can hit all that shows`);
        await becomes(cut, [], `${game}, ${tab}: nothing is covered or cut off`);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    await show(id);
    await page.locator('#nav .next').waitFor();
    const moved = await page.evaluate(() => globalThis.shifted);
    ok(moved < SHIFT / 2, `${game} on a desk: nothing jumped when it came`,
        (await page.evaluate(() => globalThis.moved)).join('\n'));
    for (const width of [390, 1024, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        await page.evaluate(() => document.documentElement.style.setProperty(
            'font-size', '200%', 'important'));
        await becomes(cut, [],
            `${game} at ${width} px, text twice as large: nothing is cut off`);
    }
}

// The header is one line in the lobby, too, whoever comes: with a long name and a table
// that waits, and as a stranger in the language that takes more room.
const max = await person(url, { viewport: { width: 320, height: 740 } });
await logIn(max.page, NAMES[5]);
const stranger = await person(url, { viewport: { width: 360, height: 740 },
    locale: 'fr-FR' });
await rpc(url, 'table.join', { table: (await rpc(url, 'table.create',
    { game: 'tictactoe', seats: 2 }, tokens[5])).table }, tokens[0]);
for (const [{ page: at }, who, ready] of [[max, 'a long name', '#nav .next'],
    [stranger, 'a stranger', '#nav .pages a']]) {
    await at.goto(`${url}/#`);
    await at.locator(ready).first().waitFor();
    await comes(async () => (await at.locator('#top').boundingBox()).height <= HEADER + 1,
        `the lobby of ${who}: the header is ${HEADER} px high at most`);
}
// Text twice as large makes pages longer, not wider.
for (const [{ page: at }, addresses] of [
    [max, ['', 'new/hacienda', 'settings', 'finished', 'rules']],
    [stranger, ['', 'login', 'rules/hacienda']]])
    for (const address of addresses) {
        await at.goto(`${url}/#${address}`);
        await at.evaluate(() => document.documentElement.style.setProperty(
            'font-size', '200%', 'important'));
        await at.locator('main :is(h1, h2)').first().waitFor();
        await at.waitForFunction(() =>
            document.querySelector('main .wait') === null);
        await comes(() => at.evaluate(() =>
            document.scrollingElement.scrollWidth <= innerWidth),
        `#${address}, text twice as large: nothing lies beside`);
    }
ok(other, 'there was a next table all the time');
is(ana.troubles, [], 'no page complained');
await finish();
