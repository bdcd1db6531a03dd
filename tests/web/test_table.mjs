// test_table.mjs -- a table of tic-tac-toe: two who play, one who watches, with
// everything that happens to a page in between.

import { becomes, comes, daemon, finish, inPage, is, mended, ok, open, person,
    register, rpc, sameAsServer, sit, until } from './support.mjs';

const server = await daemon();
const { url } = server;
const [ana, ben, cai] = [await person(url), await person(url),
    await person(url)];
await register(ana, 'Ana');
await register(ben, 'Ben');
const id = await open(ana, 'tictactoe');
await sit(ben, id);
await cai.page.goto(`${url}/#table/${id}`);
for (const { page } of [ana, ben, cai])
    await page.locator('.ttt').waitFor();
await becomes(() => ana.page.locator('[data-move]').count(), 9,
    'all cells are legal at first');

const cell = ({ page }, name) => page.locator(`.ttt [data-key="${name}"]`);
/** They are told so, and what they may do is there to be clicked. */
async function myTurn({ page }) {
    await page.getByText('It is your turn.').waitFor();
    await page.locator('[data-move]').first().waitFor();
}
const all = [ana, ben, cai];
const same = (what) => sameAsServer(all, id, what);

await cell(ana, 'b2').click();
await myTurn(ben);
await same('after a move');
await cai.page.getByText('Waiting for Ben.').waitFor();
is(await cai.page.locator('[data-move]').count(), 0,
    'who watches is offered no move');

// ---- taking back ---------------------------------------------------------------

await ana.page.getByRole('button', { name: 'Take back' }).click();
await myTurn(ana);
await same('after it was taken back');
await becomes(() => ben.page.locator('.log [data-undone]').count(), 1,
    'and the log strikes it out');
await cell(ana, 'a1').click();
await myTurn(ben);

// ---- keyboard ------------------------------------------------------------------

await cell(ben, 'a1').focus();
await ben.page.keyboard.press('ArrowDown');
await ben.page.keyboard.press('ArrowRight');
await ben.page.keyboard.press('Enter');
await myTurn(ana);
await comes(async () => (await cell(ana, 'b2').getAttribute('aria-label'))
    .includes('Ben'), 'a move can be made with the keyboard alone');
await same('after a move by keyboard');

// ---- reload and offline ------------------------------------------------------------

await ana.page.reload();
await myTurn(ana);
await same('after a reload');

await ben.context.setOffline(true);
await until('Ben sees that he is offline', () => ben.page.locator(
    '#link[data-state="offline"]').count());
ok(true, 'the state of the connection is visible');
await cell(ana, 'a2').click();
await cai.page.getByText('Waiting for Ben.').waitFor();
await ben.context.setOffline(false);
await myTurn(ben);
ok(true, 'who comes back sees what happened meanwhile');
await same('after a while offline');

// A move that is made while the connection is gone arrives once.
await ben.context.setOffline(true);
await until('offline again', () => ben.page.locator(
    '#link[data-state="offline"]').count());
await cell(ben, 'a3').click();
await ben.page.getByText('Your move is on its way').waitFor();
await ben.context.setOffline(false);
await myTurn(ana);
// Whatever his page sent besides has been answered when what is asked after it is.
await inPage(ben.page, 'net', 'ask', 'table.get', { table: id });
is((await rpc(url, 'table.replay', { table: id })).plies.filter((ply) =>
    ply.kind === 'move' && ply.seat === 1).length, 2,
'a move made offline is sent when the connection is back, once');
await same('after it');

// ---- tampered updates ------------------------------------------------------------

await cai.page.evaluate(async () => {
    const base = document.querySelector('script[type="module"]').src;
    const { net } = await import(new URL('app.js', base).href);
    net.viewOf(location.hash.split('/')[1]).game_state.cells[8] = 1;
});
await cell(ana, 'c1').click();
await myTurn(ben);
await until('the page mends itself', async () => await mended(cai) > 0);
is(await Promise.all(all.map(mended)), [0, 0, 1],
    'a page whose view is not the server\'s asks for all of it');
await same('after it did');

async function ply() {
    return (await rpc(url, 'table.get', { table: id })).table.ply;
}

// ---- talk ------------------------------------------------------------------------

const nasty = '<img src=x onerror=alert(1)> & "quotes"';
await ana.page.getByLabel('Say something').fill(nasty);
await ana.page.getByRole('button', { name: 'Say', exact: true }).click();
await ben.page.getByText(nasty).waitFor();
ok(await ben.page.locator('.log img').count() === 0, 'chat is text and no more');
// What the server would refuse is left out of what is pasted; what an older one
// kept is shown without it, in text and attributes.
await ana.page.getByLabel('Say something').fill('one\ttwo \u202ethree\x9b');
await ana.page.getByLabel('Say something').press('Enter');
await ben.page.locator('.log bdi', { hasText: 'one two three' }).waitFor();
ok(true, 'pasted tabs and marks of direction do not get in the way');
const shown = await ana.page.evaluate(async () => {
    const src = document.querySelector('script[type=module]').src;
    const { dom } = await import(new URL('app.js', src).href);
    const p = dom.h('p', {title: 'x\u202ey'}, 'a\u202eb\x1bc\x9bd\u{e0041}e é\n');
    return [p.title, p.textContent];
});
is(JSON.stringify(shown), JSON.stringify(['x\ufffdy',
    'a\ufffdb\ufffdc\ufffdd\ufffde é\n']),
'and nothing of the kind is put on the page');
server.ctl('tables', 'texts', id, '--remove', '1');
await ben.page.getByText('removed by the administrator').waitFor();
await becomes(() => ben.page.getByText(nasty).count(), 0,
    'what the administrator removes is gone from the page');
// A page has the last texts only: of an older one's removal it makes no news.
const heard = await ana.page.evaluate(async () => {
    const src = document.querySelector('script[type=module]').src;
    const { happened } = await (await import(new URL('app.js', src).href))
        .pages.table();
    const { talkOf } = await happened();
    const talk = talkOf({id: '', view: {you: 0}});
    const text = {from: 'ben', room: 'table', at: 0};
    talk.heard({...text, text: 7, body: 'seven'});
    talk.heard({...text, text: 3, body: null});
    return [...talk.node.querySelectorAll('li')].map((li) => li.textContent);
});
is(heard.join(), 'ben seven', 'and what the page never had is not put on it');
await ana.page.getByRole('tab', { name: 'Notes' }).click();
await ana.page.getByLabel('Your own note').fill('he likes corners');
await ana.page.getByLabel('Your own note').blur();
await until('the note is kept', async () => ana.frames.some((frame) =>
    frame.result?.text === 'he likes corners'));


// ---- the end, and looking back -----------------------------------------------------

await cell(ben, 'c3').click();
await myTurn(ana);
await cell(ana, 'b1').click(); // a1 b1 c1
for (const { page } of all)
    await page.getByText('Ana wins').waitFor();
await same('at the end');
ok(true, 'everybody sees who has won');
ok(!JSON.stringify([ben.frames, cai.frames]).includes('likes corners'),
    'a note was nobody else\'s');

await ana.page.getByRole('button', { name: 'Verify the game' }).click();
await until('a verdict', () => ana.page.locator('.verdict li').count());
const verdict = await ana.page.locator('.verdict li').allTextContents();
ok(verdict.length === 4 && verdict.every((line) => line.startsWith('✓')),
    'the page verifies the game', verdict.join('\n'));
ok(/All \d+ states that this browser saw/.test(verdict[3]),
    'and that it is the one this browser saw');
await ben.page.evaluate((table) => {
    const heads = JSON.parse(localStorage.heads);
    heads[table][Object.keys(heads[table])[0]] = '0123456789abcdef';
    localStorage.heads = JSON.stringify(heads);
}, id);
await ben.page.getByRole('button', { name: 'Verify the game' }).click();
await ben.page.locator('.verdict .bad').waitFor();
ok((await ben.page.locator('.verdict .bad').textContent())
    .includes('saw another game'), 'another history is noticed');

await cai.page.goto(`${url}/#table/${id}/5`);
await cai.page.locator('.replay output', { hasText: /^5 \// }).waitFor();
const at5 = (await rpc(url, 'table.at', { table: id, ply: 5, as: 'all' })).view;
const marks = async () => await cai.page.locator('.ttt svg').count();
await until('ply 5 is shown', async () =>
    await marks() === at5.game_state.cells.filter((c) => c !== null).length);
ok(true, 'a link leads to a position');
await cai.page.getByRole('button', { name: 'One on' }).click();
await cai.page.locator('.replay output', { hasText: /^6 \// }).waitFor();
await comes(() => cai.page.evaluate(() => location.hash.endsWith('/6')),
    'the address follows');
await cai.page.getByRole('button', { name: 'One on' }).focus();
await cai.page.keyboard.press('End');
const last = await ply();
await cai.page.locator('.replay output', { hasText: `${last} / ${last}` })
    .waitFor();
const looked = async ({ page }) => Number((await page.locator('.replay output')
    .textContent()).split(' ')[0]);
await cai.page.keyboard.press('Home');
await becomes(() => looked(cai), 0, 'a key leads to the beginning');
await cai.page.getByRole('button', { name: 'Play on' }).click();
await comes(async () => await looked(cai) >= 3, 'it plays by itself');
await ana.page.goto(`${url}/#table/${id}/0`);
await ana.page.getByRole('button', { name: 'Since my last move' }).click();
await comes(async () => await looked(ana) >= last - 1, 'from my last move on');

// ---- without wasm -----------------------------------------------------------------

const old = await person(url, {}, () => {
    delete globalThis.WebAssembly;
});
await register(old, 'Old');
const second = await open(old, 'tictactoe');
await sit(ben, second);
await myTurn(old);
await becomes(() => old.page.locator('[data-move]').count(), 9,
    'the server was asked what is legal');
await cell(old, 'b2').click();
await myTurn(ben);
ok(true, 'without wasm the server says what is legal');

// ---- plain http in a home network ---------------------------------------------------

const home = await person(url.replace('127.0.0.1', 'home.test'));
ok(await home.page.evaluate(() => !isSecureContext && !crypto.subtle),
    'a page that browsers call insecure');
await register(home, 'Home');
await home.page.goto(`${home.url}/#settings`);
await home.page.getByText('on https only').waitFor();
const third = await open(home, 'tictactoe');
await home.page.getByRole('button', { name: 'Copy the link' }).click();
await home.page.getByRole('dialog')
    .getByRole('button', { name: 'Copy the link' }).click();
await home.page.getByRole('textbox', { name: 'The link' }).waitFor();
await home.page.keyboard.press('Escape');
await sit(ben, third);
await myTurn(home);
await cell(home, 'b2').click();
await myTurn(ben);
await ben.page.getByRole('button', { name: 'Give up' }).click();
await ben.page.locator('[data-answer="yes"]').click();
await home.page.getByRole('button', { name: 'Verify the game' }).click();
await until('a verdict', () => home.page.locator('.verdict .good').count());
is(home.troubles, [], 'plays and verifies all the same');
await ben.page.goto(`${url}/#table/${second}`);
await myTurn(ben);

// ---- the server goes and comes ------------------------------------------------------

await server.kill();
await until('that is seen', () => old.page.locator(
    '#link[data-state="offline"]').count());
await server.back();
await until('all are back', async () => (await Promise.all([ben, old].map(
    ({ page }) => page.locator('#link[data-state="online"]').count())))
    .every((n) => n === 1));
await myTurn(ben);
await cell(ben, 'a1').click();
await myTurn(old);
await sameAsServer([ben, old], second, 'after the server was killed');
await cell(old, 'c3').click();
await myTurn(ben);

// ---- giving up -----------------------------------------------------

await ben.page.getByRole('button', { name: 'Give up' }).click();
await ben.page.locator('[data-answer="no"]').click();
await ben.page.getByText('It is your turn.').waitFor();
await ben.page.getByRole('button', { name: 'Give up' }).click();
await ben.page.locator('[data-answer="yes"]').click();
await old.page.getByText('Old wins').waitFor();
ok(true, 'giving up is asked twice, and ends it');

is(all.flatMap(({ troubles }) => troubles), [], 'no page complained');
const { seed } = (await rpc(url, 'table.get', { table: id })).table;
const early = ben.frames.slice(0, ben.frames.findIndex((frame) =>
    JSON.stringify(frame).includes('"finished"')));
ok(early.length > 10 && !JSON.stringify(early).includes(seed),
    'nobody heard of the seed before the end');
await finish();
