// test_lobby.mjs -- what cards show of their tables, a game once more, links into
// a game, and games from files.

import { becomes, comes, daemon, finish, is, ok, person, players, register, rpc, until }
    from './support.mjs';

const { url } = await daemon('--set', 'limits.local=off');
const ana = await person(url);
await register(ana, 'Ana');
const { say, table, moves } = await players(url, ['Ana', 'Ben', 'Cai']);
const place = (name, id, cell) => moves(name, id, { verb: 'place', cell });
const card = (who, id) => who.page.locator(`[data-card="${id}"]`).first();

// ---- cards ---------------------------------------------------------------------

const small = await table(['Ana', 'Ben'], 'tictactoe');
await ana.page.goto(`${url}/#`);
await ana.page.locator('.turns [data-card] .look svg').waitFor();
await until('the list is quiet', () => card(ana, small).getByText('Play')
    .count());
const views = () => ana.frames.filter(({ result }) =>
    result?.view?.table === small).length;
await becomes(async () => [views(), await card(ana, small).locator('.look path').count()],
    [1, 1], 'a card shows the board of a table that waits for me');
await place('Ana', small, 'b2');
await until('it is drawn anew', async () =>
    await card(ana, small).locator('.look path').count() === 2);
await comes(async () => await ana.page.locator('.turns').isHidden() &&
    (await card(ana, small).textContent()).includes('waits for Ben'),
'after a move the board as it is now, among those that wait for others');
await ana.page.reload();
await card(ana, small).locator('.look svg').waitFor();
ana.frames.length = 0;
const hadara = await table(['Ben', 'Cai'], 'hadara', { seats: 2 });
await table(['Ana', 'Ben'], 'greement');
await card(ana, hadara).locator('.look svg').waitFor();
is(views(), 0, 'what has not moved is not asked for again');

// A card's names, and those above a board, lead to what their owners play.
await card(ana, hadara).getByRole('link', { name: 'Cai', exact: true }).click();
await ana.page.getByRole('heading', { level: 1, name: 'Cai' }).waitFor();
ok(ana.page.url().endsWith('#player/Cai'), 'a name on a card leads to its player');
await ana.page.goto(`${url}/#table/${small}`);
await ana.page.locator('.heads').getByRole('link', { name: 'Ben' }).click();
await ana.page.getByRole('heading', { level: 1, name: 'Ben' }).waitFor();
ok(ana.page.url().endsWith('#player/Ben'), 'and so does one above a board');
await ana.page.goto(`${url}/#`);

const board = await table(['Ben'], 'hacienda', { seats: 3,
    board: { builtin: 'five_lagoons' }, password: 'sesame' });
await card(ana, board).locator('.look path').nth(3).waitFor();
await comes(async () => (await card(ana, board).textContent()).includes('password') &&
    (await card(ana, board).textContent()).includes('Five lagoons'),
'an open table shows the board it is for, and its lock');
const own = await table(['Ben'], 'hacienda', { seats: 2,
    board: { generate: { seed: 7, columns: 9, rows: 13 } } });
await card(ana, own).locator('.look svg').waitFor();
// Of a picture the frame is as large as its board: 9 rows of 14 half hexes.
await becomes(() => card(ana, own).locator('.look svg').getAttribute('viewBox'),
    '-8 -8 258 296', 'one of its own, that and no other');
await table(['Cai'], 'hadara', { seats: 2, invite: ['Ana'] });
await ana.page.getByRole('button', { name: 'Take the seat' }).waitFor();
ok(true, 'an invitation stands by itself');
await ana.page.getByRole('button', { name: 'Decline' }).click();
await ana.page.getByRole('button', { name: 'Take the seat' })
    .waitFor({ state: 'detached' });
ok(true, 'and is declined');

// ---- finished games ------------------------------------------------------------

for (const [name, cell] of [['Ben', 'a1'], ['Ana', 'a2'], ['Ben', 'a3'],
    ['Ana', 'c2']])
    await place(name, small, cell);
const over = card(ana, small);
await until('the winner is told', async () =>
    (await over.locator('.first').textContent().catch(() => ''))
        .includes('Ana'));
await comes(async () =>
    (await over.locator('.first').textContent()).includes('place 1') && await over.locator('.trophy').first().isVisible(),
'a finished game names who won it');

const big = await table(['Ana', 'Ben', 'Cai'], 'hacienda', {
    board: { builtin: 'asymmetric' }, options: { variant2: true },
    spectators: false });
for (const name of ['Ben', 'Cai'])
    await say(name, 'table.resign', { table: big });
await card(ana, big).getByRole('link', { name: 'Once more' }).click();
const form = ana.page.locator('form.making');
await form.waitFor();
is([await form.locator('[name=seats]:checked').inputValue(),
    await form.locator('[name=board]:checked').inputValue(),
    await form.getByLabel('Variant 2').isChecked(),
    await form.getByLabel('Spectators').isChecked(),
    await form.locator('[name=invite]').inputValue()],
['3', 'asymmetric', true, false, 'Ben Cai'],
'once more: the same game, and those who played it');
ok((await form.locator('.sum').textContent()).includes('Ben, invited'),
    'and that is said before it is opened');
await ana.page.getByRole('button', { name: 'Open the table' }).click();
await ana.page.getByText('Invited: Ben, Cai').waitFor();
ok(true, 'so it is opened');

// ---- links into a game ---------------------------------------------------------

await ana.context.grantPermissions(['clipboard-read', 'clipboard-write']);
await ana.page.goto(`${url}/#table/${small}/5`);
await ana.page.locator('.replay').waitFor();
await ana.page.getByRole('button', { name: 'One on' }).click();
await until('the next ply', async () => (await ana.page.evaluate(() =>
    location.hash)).endsWith('/6'));
await ana.page.getByRole('button', { name: 'Copy the link' }).click();
await until('it is copied', async () => await ana.page.evaluate(() =>
    navigator.clipboard.readText()) === `${url}/#table/${small}/6`);
ok(true, 'a copied link keeps its ply');

// ---- games from files ----------------------------------------------------------

// Of another server, which knows none of these tables.
const elsewhere = await daemon();
const dea = await person(elsewhere.url);
/** Opens this text as a record; what is wrong with it, or ''. */
async function read(text) {
    await dea.page.goto(`${elsewhere.url}/#`);
    await dea.page.locator('.lobby').waitFor();
    await dea.page.goto(`${elsewhere.url}/#record`);
    await dea.page.getByLabel('A record').setInputFiles({ name: 'x.ndjson',
        mimeType: 'text/plain', buffer: Buffer.from(text) });
    return until('an answer', async () => await dea.page.locator('.replay')
        .isVisible() ? ' ' : (await dea.page.locator('[role="alert"]')
        .allTextContents()).join());
}
const record = async (id) =>
    (await fetch(`${url}/api/v1/tables/${id}/record`)).text();

for (let ply = 0; ply < 60; ply++) {
    const { table: { state, seats } } = await rpc(url, 'table.get',
        { table: hadara });
    const acting = seats.find((seat) => seat.acting);
    if (state !== 'playing')
        break;
    await moves(acting.name, hadara);
}
const { plies } = await say('Ben', 'table.replay', { table: hadara });
const undoable = plies.filter((ply) => ply.kind === 'move').length > 20;
await say('Cai', 'table.resign', { table: hadara });

for (const [id, what] of [[small, 'tic-tac-toe'], [hadara, 'Hadara']]) {
    const text = await record(id);
    is(await read(text), ' ', `the record of a game of ${what} is opened`);
    const { table: { ply } } = await rpc(url, 'table.get', { table: id });
    const middle = Math.floor(ply * 2 / 3);
    for (const at of [ply, middle]) {
        const { view } = await say('Ben', 'table.at', { table: id, ply: at, as: 'all' });
        await dea.page.locator('[data-key="ply"]').fill(String(at));
        await dea.page.getByText(`${at} / ${ply}`).waitFor();
        const wanted = view.score_now.map((score) => String(score.total));
        await becomes(() => dea.page.locator('.points tbody tr:last-child td')
            .allTextContents(), wanted, `${what}: ply ${at} has the points that the server says`);
    }
    await dea.page.getByLabel('As seen by').selectOption('watcher');
    ok((await dea.page.evaluate(() => location.hash)) === `#record/${middle}`,
        'and the address says where in it one is');
    await dea.page.goto(`${elsewhere.url}/#record`);
    await dea.page.getByRole('button', { name: 'Verify the game' }).click();
    await dea.page.locator('.verdict .good').nth(2).waitFor();
    ok(await dea.page.locator('.verdict .bad').count() === 0,
        `${what}: it is verified there, too`);
}
ok(undoable, 'and that was no short one');
const good = await record(small);
is([await read(good.replace('"b2"', '"c3"')), await read('{"a":1}\n'),
    await read('hello')],
['Ply 5: the hash is not that of what came before.',
    ...Array(2).fill('This is no record that this page knows.')],
'what was changed, and what is none, is refused');

// ---- once more --------------------------------------------------------------------

await ana.page.goto(`${url}/#table/${small}`);
await ana.page.locator('[data-key="rematch"]').waitFor();
is((await ana.page.locator('.result :is(button, a)').allTextContents()).slice(0, 2),
    ['Play again', 'Analysis'], 'a result leads to the next game first');
await ana.page.locator('[data-key="rematch"]').click();
await until('a table of its own', () => /#table\//.test(ana.page.url()) &&
    !ana.page.url().includes(small));
const again = await say('Ben', 'table.rematch', { table: small });
await dea.page.goto(`${url}/#table/${small}`);
ok(await dea.page.locator('.result').getByRole('link',
    { name: 'It is played again here.' }).getAttribute('href') ===
    `#table/${again.table}`, 'who looks at it is led there');
ok(ana.page.url().includes(again.table) && !again.made,
    'a game that is over is played again by one click, for both at one table');
await ana.page.goto(`${url}/#table/${small}`);
await ana.page.locator('[data-key="rematch"]').click();
await until('there again', () => ana.page.url().includes(again.table));
await say('Ben', 'table.join', { table: again.table });
await until('it has begun', async () => (await rpc(url, 'table.get',
    { table: again.table })).table.state === 'playing');

is([...ana.troubles, ...dea.troubles], [], 'no page complained');
await finish();
