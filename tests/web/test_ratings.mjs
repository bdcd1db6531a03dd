// test_ratings.mjs -- rated games: made by the form where they can be, and what the
// page shows of how well people play and of what they have played.

import { becomes, comes, daemon, finish, inPage, is, ok, open, person, players,
    register, until } from './support.mjs';

const PICTURES = process.env.PICTURES;
const { url } = await daemon('--set', 'limits.local=off');
const ana = await person(url);
await register(ana, 'Ana');
const ask = (method, params = {}) => inPage(ana.page, 'net', 'ask', method, params);
const main = ana.page.locator('main');

async function go(address, what) {
    await ana.page.goto(`${url}/#${address}`);
    await main.locator(what).first().waitFor();
}

async function pictures(name) {
    if (!PICTURES)
        return;
    for (const width of [360, 1200])
        for (const theme of ['light', 'dark']) {
            await ana.page.setViewportSize({ width, height: 900 });
            await ana.page.evaluate((to) =>
                document.documentElement.dataset.theme = to, theme);
            await ana.page.screenshot({ fullPage: true,
                path: `${PICTURES}/${name}-${width}-${theme}.png` });
        }
    await ana.page.setViewportSize({ width: 1200, height: 900 });
}

// ---- one is made ------------------------------------------------------------------

const rated = main.getByLabel('Rated: it moves');
await go('new/hacienda', '[name=seats]');
ok(await rated.isHidden(), 'without a pace nothing is said of ratings');
const day = '[name=pace][value="1d"]';
await main.locator(day).check();
await rated.check();
await comes(async () => (await main.locator('.sum').innerText()).includes('rated'),
    'a game with a pace can be rated, and the sum says so');
await pictures('rated-form');
await main.locator('[name=seats][value="3"]').check();
await main.getByLabel('When time is up').selectOption('end');
await comes(() => rated.isDisabled(), 'one of three that a miss ends cannot');
await comes(() => main.getByText('A game of more than two that a miss ends')
    .isVisible(), 'and it is said why');
const made = await open(ana, 'tictactoe', async (page) => {
    await page.locator(day).check();
    await page.getByLabel('Rated: it moves').check();
});
ok((await ask('table.get', { table: made })).table.rated, 'the table is rated');
const guest = await person(url);
await inPage(guest.page, 'net', 'enter', 'account.guest', {});
await guest.page.goto(`${url}/#new/tictactoe`);
await guest.page.locator(day).check();
await comes(() => guest.page.getByLabel('Rated: it moves').isDisabled(),
    'a guest makes none');

// ---- games are played --------------------------------------------------------------

const names = ['ben', 'cara', 'dan', 'eva', 'finn'];
const club = await players(url, ['Ana', ...names]);
const wanted = { rated: true, start: 'full', pace: { free: 86400 },
    misses: { excused: 1, then: 'mild' } };
for (let i = 0; i < 30; i++) {
    const other = names[i % names.length];
    const table = await club.table(['Ana', other], 'tictactoe', wanted);
    await club.say(i % 4 === 3 ? 'Ana' : other, 'table.resign', { table });
}
const whole = await club.table(['cara', 'dan'], 'tictactoe', wanted);
for (let i = 0; i < 7; i++)
    await club.moves(i % 2 === 0 ? 'cara' : 'dan', whole);

// ---- and looked at --------------------------------------------------------------------

const { ratings } = await until('all of them count', async () => {
    const told = await ask('ratings.get', { name: 'Ana' });
    return told.ratings[0]?.games === 30 && told;
});
await go('player/Ana', '.rated .strength');
await becomes(() => main.locator('.rated .strength b').innerText(),
    String(ratings[0].rating), 'a rating is shown as the server tells it');
await main.locator('.rated .line').waitFor();
await comes(async () => (await main.locator('.rated .line').getAttribute('aria-label'))
    .endsWith(`to ${ratings[0].rating} in 30 games`), 'and how it came to be');
await becomes(() => main.locator('.played > li').count(), 20, 'so are games, a page');
await main.getByRole('button', { name: 'More' }).click();
await until('more games', async () =>
    await main.locator('.played > li').count() === 30);
await becomes(() => main.locator('[role="status"]', { hasText: '30 games' }).count(), 1,
    'and all of them, which is told');
await pictures('player');

await main.getByRole('link', { name: 'cara' }).first().click();
await main.getByRole('heading', { name: 'cara' }).waitFor();
await until('seven games', async () =>
    await main.locator('.played > li').count() === 7);
await main.getByLabel('Against me').check();
await until('one game less', async () =>
    await main.locator('.played > li').count() === 6);
ok(true, 'of somebody else one may want only games against oneself');
await main.locator('.wishes select').selectOption('hadara');
await main.getByText('No such games.').waitFor();
ok(true, 'or of one game');

await go('finished', '.archive');
await main.getByRole('link', { name: 'Who plays best' }).click();
await go('best/tictactoe', 'tbody tr');
await becomes(() => main.locator('tbody tr').first().locator('td').nth(1).innerText(),
    'Ana', 'who plays best is known, and leads to them');
await comes(async () => (await main.locator('.statistics').innerText())
    .includes('wins 100 %'), 'and what a game comes to, by seat');
await pictures('best');
await go('best/hadara', 'section');
await main.getByText('Nobody has played enough').waitFor();
await becomes(() => main.locator('.statistics').count(), 0,
    'of a game that nobody played nothing is claimed');
await go('best/hacienda', 'section');
await main.getByRole('link', { name: 'games of more' }).click();
await main.locator('[href="#best/hacienda/more"][aria-current]').waitFor();
ok(true, 'games of two and of more are apart');
await go('settings', 'fieldset');
await main.getByRole('link', { name: 'My ratings and games' }).click();
await main.getByRole('heading', { name: 'Ana' }).waitFor();
ok(true, 'one finds oneself from the settings');
await ana.page.goto(`${url}/#player/nobody`);
await main.getByRole('heading', { name: 'Sorry' }).waitFor();
ok(true, 'and nobody where there is nobody');

await inPage(ana.page, 'settings', 'wish', { lang: 'fr' });
await ana.page.reload();
await go('player/Ana', '.played > li');
await comes(async () => !/Games|Rated|games of/.test(await main.innerText()),
    'all of it in French');
await pictures('player-fr');
await go('best/tictactoe', 'tbody tr');
await comes(async () => !/Seat|wins|Rating/.test(await main.innerText()),
    'the best, too');
await pictures('best-fr');
is([ana, guest].flatMap(({ troubles }) => troubles), [], 'no trouble');
await finish();
