// test_ways.mjs -- ways to a table: links that are opened by somebody who is not
// logged in, or no longer; private tables, with a password or an invitation;
// and the count of tables that wait, which leads from one to the next.

import { becomes, daemon, finish, is, ok, open, person, register, rpc, sit, until }
    from './support.mjs';

const { url } = await daemon();
const [ana, ben, cai, dea] = [await person(url), await person(url),
    await person(url), await person(url)];
await register(ana, 'Ana');
await register(ben, 'Ben');

const hash = ({ page }) => page.evaluate(() => location.hash);
const seated = ({ page }) => page.locator('section', {
    hasText: 'Before the game' }).getByText('(you)').waitFor();
const password = 'correct horse';

async function logIn({ page }, name, secret = password) {
    const form = page.locator('form', { hasText: 'With a name' });
    await form.getByLabel(/^Name/).fill(name);
    await form.getByLabel(/^Password/).fill(secret);
    await form.getByRole('button', { name: 'Log in' }).click();
}

// ---- links and logging in ----------------------------------------------------

const big = await open(ana, 'hacienda', (page) =>
    page.locator('[name=seats][value="5"]').check());
await cai.page.goto(`${url}/#table/${big}`);
await cai.page.getByRole('button', { name: 'Join' }).click();
await cai.page.reload(); // the way is in the address
await cai.page.getByRole('button', { name: 'Play as a guest' }).click();
await cai.page.getByRole('button', { name: 'Join' }).click();
await seated(cai);
await becomes(() => hash(cai), `#table/${big}`, 'a guest comes back to the table of a link');

await dea.page.goto(`${url}/#table/${big}`);
await dea.page.getByRole('heading', { name: 'Before the game' }).waitFor();
await dea.page.locator('#nav').getByRole('link', { name: 'Log in' }).click();
const fresh = dea.page.locator('form', { hasText: 'New here?' });
await fresh.getByLabel(/^Name/).fill('Dea');
await fresh.getByLabel(/^Password/).fill(password);
await fresh.getByRole('button', { name: 'Make an account' }).click();
await dea.page.getByRole('button', { name: 'Join' }).click();
await seated(dea);
is(await dea.page.locator('section', { hasText: 'Before the game' })
    .getByRole('link', { name: 'Ana' }).getAttribute('href'), '#player/Ana',
'and so does who makes an account, who can look up the others there');

await dea.page.goto(`${url}/#settings`);
await dea.page.getByRole('button', { name: 'Log out' }).click();
await dea.page.locator('#nav', { hasText: 'Log in' }).waitFor();
await dea.page.goto(`${url}/#new/hadara`);
await logIn(dea, 'Dea');
await dea.page.getByRole('button', { name: 'Open the table' }).waitFor();
is(await hash(dea), '#new/hadara', 'the form for a table waits for a log-in');

// A session that ends elsewhere: by a new password.
await dea.page.goto(`${url}/#table/${big}`);
await seated(dea);
const { token } = await rpc(url, 'session.login', { name: 'Dea', password });
await rpc(url, 'account.password', { old: password, new: 'another horse' },
    token);
await dea.page.locator('#nav').getByRole('link', { name: 'Log in' }).click();
await logIn(dea, 'Dea', 'another horse');
await seated(dea);
is(await hash(dea), `#table/${big}`,
    'whose session ended goes on where they were');
await dea.page.goto(`${url}/#login`);
await logIn(dea, 'Dea', 'another horse');
await until('the lobby', async () => await hash(dea) === '');
ok(true, 'without a link one comes to the lobby');

// ---- private tables ----------------------------------------------------------

const closed = (page) => Promise.all([
    page.getByLabel('Private').check(),
    page.getByLabel('Password (optional)').fill('sesame')]);
const secret = await open(ana, 'hacienda', closed);
await ben.page.goto(`${url}/#table/${secret}`);
const knock = ben.page.locator('form', { hasText: 'no such table' });
await knock.getByLabel('Password of the table').fill('guess');
await knock.getByRole('button', { name: 'Join' }).click();
await ben.page.locator('#say', { hasText: 'There is no such table.' })
    .waitFor();
await knock.getByLabel('Password of the table').fill('sesame');
await knock.getByRole('button', { name: 'Join' }).click();
await ben.page.locator('.left .hacienda').waitFor();
ok(true, 'a private table is joined by its link and password');

const stranger = await person(url);
await stranger.page.goto(`${url}/#table/${secret}`);
await stranger.page.locator('form').getByRole('link', { name: 'Log in' })
    .click();
is(await hash(stranger), `#login/table/${secret}`,
    'who is not logged in is sent to do so, and back');

const guests = await open(ana, 'hacienda', async (page) => {
    await closed(page);
    await page.getByLabel(/^Invite/).fill('Ben');
});
await sit(ben, guests);
ok(true, 'who is invited needs no password');

const club = await open(ana, 'hacienda', (page) =>
    page.getByLabel('Password (optional)').fill('sesame'));
await ben.page.goto(`${url}/#table/${club}`);
const asks = ben.page.locator('dialog');
await ben.page.getByRole('button', { name: 'Join' }).click();
await asks.getByLabel('Password').fill('guess');
await asks.getByRole('button', { name: 'Join' }).click();
await asks.getByLabel('Password').fill('sesame');
await asks.getByRole('button', { name: 'Join' }).click();
await ben.page.locator('.left .hacienda').waitFor();
ok(true, 'a wrong password is asked for again');

// ---- choices that go together ------------------------------------------------

// [H24] The Crucible's board, option, seats and variants.
await ana.page.goto(`${url}/#new/hacienda`);
await ana.page.locator('.thumb svg').waitFor();
const choice = (name) => ana.page.locator(`[name="${name}"]`);
const picked = (name) => ana.page.locator(`[name="${name}"]:checked`)
    .inputValue();
const pick = (name, value) => ana.page.locator(
    `[name="${name}"][value="${value}"]`).check();
const form = async () => [await picked('seats'), await picked('board'),
    ...await Promise.all(['variant1', 'variant2', 'crucible'].map((name) =>
        choice(`option-${name}`).isChecked()))];
await pick('seats', '3');
await choice('option-variant2').check();
await pick('board', 'crucible');
is(await form(), ['2', 'crucible', false, false, true],
    'the board of the Crucible brings its option, and takes what it forbids');
is(await ana.page.locator('form [role="status"]').first().textContent(),
    'With it: 2 seats, no Variant 2, Crucible', 'and that is said');
await choice('option-crucible').uncheck();
is(await form(), ['2', 'symmetric', false, false, false],
    'without the option another board lies there');
await choice('option-crucible').check();
await ana.page.getByRole('button', { name: 'Open the table' }).click();
const told = ana.page.locator('section', { hasText: 'Before the game' })
    .locator('p').first();
await told.waitFor();
is((await told.textContent()).match(/Crucible/g), ['Crucible'],
    'so a table can be made by the option alone, and says so once');

// Whatever is refused all the same says why, once.
await ana.page.goto(`${url}/#new/hacienda`);
await ana.page.locator('.thumb svg').waitFor();
const refusal = async () => {
    await ana.page.getByRole('button', { name: 'Open the table' }).click();
    return until('a refusal', () => ana.page.locator('form [role="alert"]')
        .textContent());
};
await ana.page.getByLabel(/^Invite/).fill('Nemo');
is(await refusal(), 'There is no such user. (Nemo)', 'who is not there');
await ana.page.getByLabel('From a file …').check();
await ana.page.locator('input[type=file]').setInputFiles({ name: 'x.haz',
    mimeType: 'text/plain', buffer: Buffer.from('[Control]\nxx') });
await ana.page.locator('.thumb .bad').waitFor();
is(await refusal(), 'Line 2: The line is no [section], no key=value, ' +
    'no comment and not empty.', 'what is wrong with a board');

// ---- the count of tables that wait -------------------------------------------

// Both see what the server says, without asking it again.
const waiting = async ({ page }) => [
    Number(/^\((\d+)\)/.exec(await page.title())?.[1] ?? 0),
    Number(/\d+/.exec((await page.locator('[data-key="next"]')
        .allTextContents()).join())?.[0] ?? 0)];
const counts = (who, wanted, what) => becomes(() => waiting(who), wanted, what);
const at = async ({ page }, table) => {
    await page.goto(`${url}/#table/${table}`);
    await page.locator(`[data-key="look"][href*="${table}"]`).waitFor();
};
const [eva, fay] = [await person(url), await person(url)];
await register(eva, 'Eva');
await register(fay, 'Fay');
const first = await open(eva, 'tictactoe');
await sit(fay, first);
const second = await open(eva, 'tictactoe');
await sit(fay, second);
await fay.page.goto(`${url}/#`);
await counts(fay, [0, 0], 'nobody waits for her yet');
await eva.page.locator('[data-key="b2"]').click();
await counts(fay, [1, 1], 'a move of another makes it one');
await eva.page.getByRole('button', { name: 'Take back' }).click();
await counts(fay, [0, 0], 'taken back, it is none');
await counts(eva, [2, 2], 'and her own two again');
await at(eva, first);
await eva.page.locator('[data-key="a1"]').click();
await counts(eva, [1, 1], 'an own move makes it one less');
await at(eva, second);
await eva.page.locator('[data-key="a1"]').click();
await counts(eva, [0, 0], 'and the last one none');
await counts(fay, [2, 2], 'two wait for the other');
await eva.page.getByRole('button', { name: 'Give up' }).click();
await eva.page.locator('[data-answer="yes"]').click();
await counts(fay, [1, 1], 'a game that ends waits for nobody');

is([ana, ben, cai, dea, eva, fay].flatMap(({ troubles }) => troubles)
    .filter((text) => !/40[13]/.test(text)), [], 'no page complained');
await finish();
