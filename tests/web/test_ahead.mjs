// test_ahead.mjs -- looking ahead in the page: what is tried stays off the table,
// is a tree that is kept for whoever made it, and is guessed where one may not see.

import { readFileSync } from 'node:fs';

import { becomes, clickOne, comes, daemon, finish, inPage, is, ok, person, redrawn,
    register, rpc, until } from './support.mjs';

const { url } = await daemon('--set', 'limits.local=off');
const ana = await person(url), { page } = ana;
await register(ana, 'Ana');
const password = 'correct horse';
await rpc(url, 'account.register', { name: 'Ben', password });
const tokens = {};
for (const name of ['Ana', 'Ben'])
    tokens[name] = (await rpc(url, 'session.login', { name, password })).token;

async function table(game, key = '0123456789') {
    const { table: id } = await rpc(url, 'table.create',
        { game, seats: 2, key: `${game}-${key}` }, tokens.Ana);
    await rpc(url, 'table.join', { table: id }, tokens.Ben);
    return id;
}
async function place(name, id, cell) {
    const { decision } = await rpc(url, 'table.legal', { table: id },
        tokens[name]);
    await rpc(url, 'table.move', { table: id, decision,
        move: { verb: 'place', cell } }, tokens[name]);
}
const study = async (id, name = 'Ana') =>
    (await rpc(url, 'table.study', { table: id }, tokens[name])).text;
const ply = async (id) =>
    (await rpc(url, 'table.get', { table: id })).table.ply;
const chips = () => page.locator('.ahead .chip');
const current = () => page.locator('.ahead .chip[aria-current]').textContent();
const cell = (at) => page.locator(`[data-move*="${at}"]`).first();
async function ahead(id, at) {
    await page.goto(`${url}/#finished`);
    await page.locator('.ahead').waitFor({ state: 'detached' });
    await page.goto(`${url}/#ahead/${id}/${at}`);
    await page.locator('.ahead .chip').first().waitFor();
}

// ---- a tree ---------------------------------------------------------------------

const small = await table('tictactoe');
const began = await ply(small);
await page.goto(`${url}/#table/${small}/${began}`);
await page.locator('[data-key="ahead"]').click();
await page.locator('.ahead .chip').first().waitFor();
await comes(() => page.getByText('This is analysis, not the table.').isVisible(),
    'it says what it is');
is(await page.getByRole('button', { name: 'What would the machine play?' })
    .count(), 0, 'and asks no machine as long as the game is on');
for (const at of ['b2', 'a1', 'c1']) {
    await until(`${at} can be tried`, () => cell(at).count());
    await cell(at).click();
    await until(`${at} is tried`, async () =>
        (await chips().allTextContents()).some((text) => text.includes(at)));
}
await becomes(() => chips().count(), 4, 'moves of both seats, one after the other');
await page.getByLabel('Comment').fill('Threatens\nthe diagonal');
await chips().nth(1).click();
await until('one is there', async () => (await current()).includes('b2'));
await cell('c3').click();
await until('a variation', async () => (await chips().count()) === 5);
await becomes(() => page.locator('.ahead .tree ul li .chip').count(), 1,
    'from a move before another line goes off');
await until('it is kept', async () => (await study(small)).includes('c3'));
const [, guess] = / 0 (\d+)/.exec(await study(small));
await becomes(() => study(small), `from ${began} 0 ${guess}
1 0 place cell=b2
2 1 place cell=a1
3 0 place cell=c1
"Threatens
"the diagonal
2 1 place cell=c3`, 'and the whole tree is kept with the comment');
is([await ply(small), await study(small, 'Ben')], [began, ''],
    'nobody else has it, and nothing was played at the table');
await page.reload();
await page.locator('.ahead .note').waitFor();
await becomes(async () => [await chips().count(),
    await page.locator('.ahead .note').textContent()],
[5, 'Threatens\nthe diagonal'], 'it is there again');
await chips().nth(4).click();
await page.locator('[data-key="drop"]').click();
await until('it is gone', async () => (await chips().count()) === 4);
await page.locator('[data-key="table"]').click();
await until('it is kept when one goes', async () =>
    !(await study(small)).includes('c1'));

// ---- the machine, and a file ------------------------------------------------------

for (const [name, at] of [['Ana', 'b2'], ['Ben', 'a1'], ['Ana', 'c1']])
    await place(name, small, at);
await rpc(url, 'table.resign', { table: small }, tokens.Ana);
await ahead(small, began + 3);
await page.getByRole('button', { name: 'What would the machine play?' }).click();
await until('it plays', async () => (await current()).includes('a3'));
ok(true, 'of a game that is over the machine is asked, and it is no fool');
const [file] = await Promise.all([page.waitForEvent('download'),
    page.locator('[data-key="save"]').click()]);
const saved = readFileSync(await file.path(), 'utf8');
ok(JSON.parse(saved).record.length > 5 && saved.includes('cell=a3'),
    'record and variations are saved as a file');
await page.goto(`${url}/#record`);
await page.getByLabel('A record').setInputFiles({ name: 'x.json',
    mimeType: 'application/json', buffer: Buffer.from(saved) });
await page.locator('.replay').waitFor();
await page.goto(`${url}/#ahead/record/${began + 3}/all`);
await page.locator('.ahead .chip').nth(1).waitFor();
await comes(async () => (await chips().nth(1).textContent()).includes('a3'),
    'and the file is opened with its variations');

// ---- a fork -----------------------------------------------------------------------

await ahead(small, began + 3);
await page.locator('[data-key="fork"] summary').click();
await page.locator('[data-key="whom"]').selectOption('');
const own = async () => (await rpc(url, 'me.tables', {}, tokens.Ana)).tables.length;
const many = await own();
await page.locator('[data-key="fork-go"]').evaluate((button) => {
    button.click();
    button.click();
});
await page.waitForURL(/#table\//);
const forked = /#table\/(\w+)/.exec(page.url())[1];
// A second one would have been asked for before this is.
await inPage(page, 'net', 'ask', 'me.tables');
is(await own(), many + 1, 'two clicks are one table');
await rpc(url, 'table.join', { table: forked }, tokens.Ben);
await place('Ben', forked, 'c3');
await place('Ana', forked, 'a3');
await until('it is over', async () => (await rpc(url, 'table.get',
    { table: forked })).table.state === 'finished');
await page.goto(`${url}/#table/${forked}/1`);
await page.goto(`${url}/#table/${forked}`);
await page.locator('[data-key="verify"]').click();
await until('it is verified', async () =>
    (await page.locator('#main').textContent()).includes('every draw comes of'));
ok(true, 'a game goes on from where one was, and its record is true');

// ---- where a game is over nothing can be tried: before its last turn it can ----------

const ended = await ply(forked);
await page.getByRole('link', { name: 'Analysis' }).click();
await page.getByText('it begins with its last turn').waitFor();
await becomes(() => page.url().split('#')[1], `ahead/${forked}/${ended - 1}`,
    'the analysis of a game that is over begins before its last turn');
await cell('b3').click();
await comes(async () => (await chips().allTextContents())[1]?.includes('b3'),
    'where another can be tried');
is(await chips().count(), 2, 'as one move');

// ---- what is hidden, and chance ---------------------------------------------------

for (const game of ['hadara', 'hacienda', 'greement']) {
    const id = await table(game);
    const at = await ply(id);
    await ahead(id, at);
    await becomes(() => page.getByText('is guessed').count(),
        Number(game !== 'greement'),
        `${game}: what is hidden is guessed, and that is said`);
    const before = await chips().count();
    for (let n = 0; n < 30 && (await chips().count()) < before + 4; n++) {
        await until('something can be clicked', async () =>
            await clickOne(page, n) !== null);
        await redrawn(page); // nobody is asked about it: it is there at once
    }
    await comes(async () => (await chips().count()) >= before + 4,
        `${game}: moves are tried by clicks in its panel`);
    is(await ply(id), at, `${game}: none of them at the table`);
    if (game !== 'greement')
        await page.locator('[data-key="guess"]').click();
    await until('it is kept', async () => (await study(id)) !== '');
    ok(!(await page.locator('#main').textContent()).includes('undefined'),
        `${game}: another guess of it`);
}

// Where the game waits for chance a draw is made, and can be made anew.
const dealt = await table('hacienda', '9876543210');
let deal = null;
for (let at = await ply(dealt); deal === null && at > 0; at--) {
    const { view } = await rpc(url, 'table.at', { table: dealt, ply: at },
        tokens.Ana);
    if (view.state === 'playing' && !view.seats.some(({ acting }) => acting))
        deal = at;
}
await ahead(dealt, deal);
await comes(async () => /to move$/.test(await page.locator('.turnbar .turn')
    .textContent()), 'a position that waits for chance is not the end of a game');
const drawn = page.locator('.ahead .tree');
const first = await drawn.textContent();
await until('another draw', async () => {
    await page.locator('[data-key="draw"]').click();
    return await drawn.textContent() !== first;
});
ok(!/object/.test(await page.locator('.ahead').textContent()),
    'what chance does can be drawn again');
is(ana.troubles, [], 'no page complained');
await finish();
