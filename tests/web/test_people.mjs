// test_people.mjs -- people's way: accounts, lobby, making and finding tables.

import { becomes, comes, daemon, finish, is, ok, open as open_, person, register,
    rpc, sit, until } from './support.mjs';

const { url } = await daemon();
const ana = await person(url), ben = await person(url);

// ---- accounts ------------------------------------------------------------------

await register(ana, 'Ana');
const [cookie] = await ana.context.cookies();
ok(cookie.httpOnly && cookie.sameSite === 'Strict' && cookie.path === '/',
    'the session is in a cookie that no script sees');
is(await ana.page.evaluate(() => document.cookie), '',
    'and the page sees none');
const stored = await ana.page.evaluate(() => JSON.stringify(localStorage));
ok(!stored.includes(cookie.value) && ana.frames.every((frame) =>
    !JSON.stringify(frame).includes(cookie.value)),
'nor is it in storage or in any message');

await ben.page.goto(`${url}/#login`);
const fresh = ben.page.locator('form', { hasText: 'New here?' });
await fresh.getByLabel(/^Name/).fill('ana');
await fresh.getByLabel(/^Password/).fill('long enough');
await fresh.getByRole('button').click();
await fresh.getByText('That name is taken.').waitFor();
ok(true, 'a name that is taken is refused in words');
const login = ben.page.locator('form', { hasText: 'With a name' });
await login.getByLabel(/^Name/).fill('Ana');
await login.getByLabel('Password').fill('wrong horse');
await login.getByRole('button').click();
await login.getByText('Name or password is wrong.').waitFor();
ok(true, 'a wrong password, too');
await ben.page.getByRole('button', { name: 'Play as a guest' }).click();
await ben.page.locator('#nav', { hasText: 'guest-' }).waitFor();
ok(true, 'a guest is in at a click');

await ben.page.goto(`${url}/#settings`);
const keep = ben.page.locator('form', { hasText: 'Keep this account' });
await keep.getByLabel(/^Name/).fill('Ben');
await keep.getByLabel(/^Password/).fill('battery staple');
await keep.getByRole('button').click();
await ben.page.locator('#nav', { hasText: 'Ben' }).waitFor();
ok(true, 'and may keep the account');
const change = ben.page.locator('form', { hasText: 'Change the password' });
await change.getByLabel('Present password').fill('battery staple');
await change.getByLabel('New password', { exact: true }).fill('another staple');
await change.getByRole('button').click();
await ben.page.getByText('Changed.').waitFor();
ok(true, 'a password can be changed');
await ben.page.getByRole('button', { name: 'Log out' }).click();
await ben.page.getByRole('link', { name: 'Log in', exact: true }).waitFor();
await ben.page.goto(`${url}/#login`);
await login.getByLabel(/^Name/).fill('ben');
await login.getByLabel('Password').fill('another staple');
await login.getByRole('button').click();
await ben.page.locator('#nav', { hasText: 'Ben' }).waitFor();
ok(true, 'logged out, and in again with the new one');

// A second tab follows.
const tab = await ben.context.newPage();
await tab.goto(url);
await tab.locator('#nav', { hasText: 'Ben' }).waitFor();
ok(true, 'another tab is logged in as well');

// ---- settings ------------------------------------------------------------------

await ana.page.goto(`${url}/#settings`);
await ana.page.getByLabel('Larger text').check();
await ana.page.getByLabel('Colours that are easier').check();
await ana.page.getByLabel('Language').selectOption('fr');
await ana.page.getByRole('heading', { name: 'Ana' }).waitFor();
await ana.page.getByText('Agrandir le texte').waitFor();
await comes(() => ana.page.evaluate(() => document.documentElement.lang === 'fr' &&
    'large' in document.documentElement.dataset &&
    document.documentElement.dataset.palette === 'distinct'),
'wishes are kept over a reload, French among them');
await ana.page.goto(`${url}/#new/hacienda`);
await ana.page.getByLabel('Variante 1').waitFor();
await ana.page.getByText('On compte les points après chaque action').waitFor();
await comes(async () => (await ana.page.locator('.segments').allTextContents()).join()
    .includes('Cinq lagunes'), 'what a table is made with is called in French, too');
await ana.page.goto(`${url}/#settings`);
await ana.page.getByLabel('Langue').selectOption('en');
await ana.page.getByText('Larger text').waitFor();

// ---- making tables --------------------------------------------------------------

await ana.page.goto(`${url}/#new/hacienda`);
await ana.page.locator('[name=seats][value="3"]').check();
await ana.page.getByLabel('Variant 2').check();
const board = (value) => ana.page.locator(`[name=board][value="${value}"]`);
await board('five_lagoons').check();
const picture = ana.page.locator('.thumb svg');
await picture.waitFor();
const first = await picture.innerHTML();
await board(' made').check();
await until('the picture is another', async () =>
    await picture.count() && await picture.innerHTML() !== first);
ok(true, 'a board is shown before it is played');
await ana.page.getByLabel('Columns').fill('1');
await ana.page.getByLabel('Columns').blur();
const wrong = ana.page.locator('.thumb .bad');
await wrong.waitFor();
ok(true, 'a recipe that cannot be is refused before it is sent');
const recipe = await wrong.textContent();
await board(' file').check();
await ana.page.getByLabel(/haz file/).setInputFiles({
    name: 'bad.haz', mimeType: 'text/plain',
    buffer: Buffer.from('MapName=x\nnonsense\n'),
});
await comes(async () => (await wrong.allTextContents()).some((text) =>
    /\w/.test(text) && text !== recipe), 'a bad file is told what is wrong with it');
await ana.page.getByLabel(/haz file/).setInputFiles(
    'core/games/hacienda/boards/asymmetric.haz');
await picture.waitFor();
await ana.page.locator('input[name=invite]').fill('Ben');
await ana.page.getByLabel(/^Private/).check();
await ana.page.getByRole('button', { name: 'Open the table' }).click();
await ana.page.getByRole('heading', { name: 'Before the game' }).waitFor();
const id = (await ana.page.evaluate(() => location.hash)).split('/')[1];
await comes(async () => await ana.page.getByText('Variant 2').isVisible() &&
    await ana.page.getByText('own board').isVisible() &&
    await ana.page.getByText('Invited: Ben').isVisible(),
'a table with options, a board of its own and a guest invited');

await ben.page.goto(`${url}/#table/${id}`);
await ben.page.getByRole('heading', { name: 'Before the game' }).waitFor();
await ben.page.getByRole('button', { name: 'Join' }).click();
await until('Ben sits', async () => (await ana.page.locator('ol li')
    .allTextContents()).some((text) => text.includes('Ben')));
await ana.page.getByRole('button', { name: 'Start with 2' }).click();
await ana.page.locator('.panel > *').first().waitFor();
ok(true, 'who was invited joins, and it starts with those who are there');
const { table } = await rpc(url, 'table.get', { table: id }).catch(
    (error) => ({ table: String(error) }));
ok(String(table).includes('no_such_table'), 'nobody else knows of it');

// ---- the lobby ------------------------------------------------------------------

for (const game of ['tictactoe', 'hadara']) {
    await ana.page.goto(`${url}/#new/${game}`);
    await ana.page.getByRole('button', { name: 'Open the table' }).click();
    await ana.page.getByRole('heading', { name: 'Before the game' }).waitFor();
}
await ben.page.goto(`${url}/#`);
const open = ben.page.locator('.lobby .side > section', { hasText: 'Open tables' });
const listed = open.locator('.tables > li');
await until('both are listed', async () => await listed.count() === 2);
await open.getByRole('button', { name: 'Hadara' }).click();
const left = async (name) => {
    const texts = await listed.allTextContents();
    return texts.length === 1 && texts[0].includes(name);
};
await comes(() => left('Hadara'), 'the list of open tables can be narrowed');
await open.getByRole('button', { name: 'Tic-tac-toe' }).click();
await until('the other is left', () => left('Tic-tac-toe'));
await open.getByRole('button', { name: 'Join' }).click();
await ben.page.locator('.ttt').waitFor();
ok(true, 'joining takes one to the table');

await ana.page.goto(`${url}/#`);
await ana.page.getByRole('link', { name: /^Next/ }).waitFor();
await comes(async () => /^\(\d\).*Lobby/.test(await ana.page.title()) &&
    (await ana.page.locator('#icon').getAttribute('href')).endsWith('turn.svg'),
'title and icon tell that somebody waits');
await ana.page.getByRole('link', { name: /^Next/ }).click();
await ana.page.getByText('It is your turn.').waitFor();
ok(true, 'next leads to a table that waits for me');

// ---- notifications ----------------------------------------------------------------

const dan = await person(url, {}, () => {
    globalThis.notes = [];
    globalThis.away = false;
    globalThis.Notification = class {
        static permission = 'granted';
        static async requestPermission() {
            return 'granted';
        }
        constructor(title, { body }) {
            globalThis.notes.push(body);
        }
    };
    Object.defineProperty(document, 'hidden', { get: () => globalThis.away });
});
await register(dan, 'Dan');
await dan.page.goto(`${url}/#settings`);
await dan.page.getByLabel('Tell me when').check();
const his = await open_(dan, 'tictactoe');
await sit(ana, his);
await dan.page.locator('[data-move]').first().click();
await ana.page.getByText('It is your turn.').waitFor();
await dan.page.getByText('Waiting for Ana.').waitFor();
is(await dan.page.evaluate(() => globalThis.notes), [],
    'who looks is not notified');
await dan.page.evaluate(() => globalThis.away = true);
await ana.page.locator('[data-move]').first().click();
await until('a note', () => dan.page.evaluate(
    () => globalThis.notes.includes('It is your turn.')));
ok(true, 'who has gone elsewhere is, if they wished so');

// ---- rules ----------------------------------------------------------------------

for (const game of ['hacienda', 'hadara', 'greement', 'tictactoe']) {
    const texts = [];
    for (const how of ['summary', 'detailed', 'both']) {
        await ana.page.goto(`${url}/#rules/${game}/${how}`);
        await ana.page.locator(
            `nav [aria-current][href="#rules/${game}/${how}"]`).waitFor();
        texts.push((await ana.page.locator('article').allTextContents())
            .join(''));
    }
    ok(texts[0].length > 100 && texts[1].length > 100 &&
        texts[2].length >= texts[0].length + texts[1].length,
    `rules of ${game}: in short, in full, both`);
}

await ana.page.goto(`${url}/#table/nosuchtable`);
await ana.page.getByText('There is no such table.').waitFor();
ok(true, 'what does not exist is said so');

ben.troubles.splice(0, ben.troubles.length, // refusals of /session are 200
    ...ben.troubles.filter((t) => !/40[13]/.test(t)));
is([ana.troubles, ben.troubles], [[], []], 'no page complained of anything');
await finish();
