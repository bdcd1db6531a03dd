// test_bots.mjs -- somebody comes alone: from the opened page to the first move
// against a bot in two clicks; and bots in the seats of a table that one makes.

import { becomes, comes, daemon, finish, inPage, is, ok, person, register, until }
    from './support.mjs';

const SHOTS = process.env.SHOTS; // a folder for pictures
const { url } = await daemon('--set', 'bots.processes=1');

const shot = async (who, name) => SHOTS &&
    await who.page.screenshot({ path: `${SHOTS}/${name}.png` });

/** What the page knows of the last table that it came to. */
const view = (who) => who.frames.map(({ result }) => result?.view)
    .filter((told) => told && told.you !== null).at(-1);

// ---- nobody yet -------------------------------------------------------------------

const alone = await person(url);
await alone.page.goto(url);
const offer = alone.page.locator('[data-against="tictactoe"]');
await offer.waitFor();
await shot(alone, 'lobby');
await offer.click();
await until('the game has begun', () => /#table\//.test(alone.page.url()) &&
    view(alone)?.state === 'playing');
const begun = view(alone);
is([begun.seats.length, begun.seats[1].bot, begun.you], [2, true, 0],
    'one click, and somebody who was nobody sits there with a bot');
ok(/^guest-/.test(begun.seats[0].name), 'as a guest');
await shot(alone, 'table');

// ---- who is logged in --------------------------------------------------------------

const ana = await person(url, { colorScheme: 'dark',
    viewport: { width: 390, height: 800 } });
await register(ana, 'Ana');
await ana.page.goto(`${url}/#`);
await ana.page.locator('[data-against="hadara"]').waitFor();
await shot(ana, 'phone');
await ana.page.locator('[data-against="hadara"]').click();
await until('Ana plays', () => view(ana)?.state === 'playing');
is(view(ana).seats.map(({ name }) => name), ['Ana', 'bot-greedy'],
    'whoever is somebody plays as that');

// ---- in the form ------------------------------------------------------------------

await ana.page.goto(`${url}/#new/hadara`);
const form = ana.page.locator('form.making');
await form.waitFor();
await form.locator('label', { has: ana.page.locator(
    '[name="seats"][value="4"]') }).click();
await form.locator('label', { has: ana.page.locator(
    '[name="bots"][value="search"]') }).click();
await becomes(() => form.locator('.sum li').allTextContents().then((all) =>
    all.map((text) => text.trim())), ['Ana', 'a bot', 'a bot', 'a bot'],
'the form says who will sit there');
await shot(ana, 'form');
ana.frames.length = 0;
await form.getByRole('button', { name: 'Open the table' }).click();
await until('it has begun', () => view(ana)?.seats.length === 4 &&
    view(ana).state === 'playing');
is(view(ana).seats.map(({ name }) => name), ['Ana', 'bot-search', 'bot-search-2',
    'bot-search-3'], 'and so it is');

// ---- a free seat ---------------------------------------------------------------------

await ana.page.goto(`${url}/#new/tictactoe`);
await form.waitFor();
ana.frames.length = 0;
await form.getByRole('button', { name: 'Open the table' }).click();
await ana.page.locator('[data-key="bot"]').click();
await ana.page.locator('[data-answer="greedy"]').click();
await until('it has begun', async () => (await ana.page.locator('#main')
    .textContent()).includes('bot-greedy'));
await becomes(() => ana.page.locator('[data-key="start"]').count(), 0,
    'whom one waits for in vain a bot stands in for, and the game begins');

// ---- a fork, in another seat ------------------------------------------------------------

const played = /#table\/(\w+)/.exec(ana.page.url())[1];
const { table: forked } = await inPage(ana.page, 'net', 'ask', 'table.fork',
    { table: played, seat: 1, key: 'fork' });
await ana.page.goto(`${url}/#table/${forked}`);
await ana.page.locator('[data-key="bot"]').waitFor();
ok(true, 'who made a table seats bots, wherever they sit');

// ---- their names, and ratings -----------------------------------------------------------

await inPage(ana.page, 'net', 'ask', 'table.resign', { table: played });
await ana.page.goto(`${url}/#player/Ana`);
const who = ana.page.locator('.played .who', { hasText: 'bot-greedy' }).first();
await who.waitFor();
await becomes(() => who.locator('a').count(), 0, 'the name of a bot leads nowhere');
await ana.page.goto(`${url}/#new/hacienda`);
await form.locator('[name=pace][value="1d"]').check();
const rated = form.getByLabel('Rated: it moves');
await form.locator('label', { has: ana.page.locator(
    '[name="bots"][value="greedy"]') }).click();
await comes(() => rated.isDisabled(), 'a game with a bot is not rated');
await form.locator('[name="invite"]').fill('ben');
await form.locator('[name="invite"]').blur();
await comes(() => rated.isEnabled(), 'one where none has a seat may be');

// ---- where there are none -----------------------------------------------------------

const without = await daemon();
const bert = await person(without.url);
await bert.page.goto(without.url);
await bert.page.locator('.card').first().waitFor();
await until('the lists are there', () => bert.page.getByText(
    'No table is open').count());
is(await bert.page.locator('[data-against]').count(), 0,
    'a server without bots offers none');

await finish();
