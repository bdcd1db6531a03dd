// test_orders.mjs -- standing orders in the page: given, seen, dropped and played, at
// a table of every game, in both languages; and nobody else is shown any.

import { becomes, daemon, finish, is, ok, person, register, rpc, until }
    from './support.mjs';

const SHOTS = process.env.SHOTS; // a folder for pictures
const { url } = await daemon('--set', 'limits.local=off');
// A page thinks of answers as long as it may: here it is always done before.
const unhurried = 'performance.now = () => 0';
const ana = await person(url, {}, unhurried), { page } = ana;
await register(ana, 'Ana');
const password = 'correct horse';
await rpc(url, 'account.register', { name: 'Ben', password });
const tokens = {};
for (const name of ['Ana', 'Ben'])
    tokens[name] = (await rpc(url, 'session.login', { name, password })).token;
let keys = 0;
const key = () => (keys++).toString(16).padStart(32, '0');
const call = (who, method, params) => rpc(url, method, params, tokens[who]);
const about = async (who, table) => (await call(who, 'table.get', { table })).table;
const order = async (id, who = 'Ana') => (await about(who, id)).order;
const acts = async (id) => (await about('Ben', id)).seats
    .filter(({ acting }) => acting).map(({ name }) => name);
const shot = async (name, { page: of } = ana) => SHOTS &&
    await of.screenshot({ path: `${SHOTS}/${name}.png` });

/** A table at which Ben has the first seat. */
async function table(game) {
    const { table: id } = await call('Ben', 'table.create',
        { game, seats: 2, key: key() });
    await call('Ana', 'table.join', { table: id, nonce: key() });
    return id;
}
async function show(id, who = ana) {
    await who.page.goto(`${url}/#table/${id}`);
    await who.page.locator('.tablebar [data-key="rules"]').waitFor({ state: 'attached' });
    await who.page.locator('.panel > *').first().waitFor();
}
/** Somebody plays what CHOOSES takes of what they may do. */
async function play(who, id, chooses = (moves) => moves[0]) {
    const { decision, moves, ranges } = await call(who, 'table.legal', { table: id });
    const all = [...moves, ...ranges.map(({ move, arg, min }) => ({ ...move, [arg]: min }))];
    await call(who, 'table.move', { table: id, decision, move: chooses(all) });
}
const at = (cell) => (moves) => moves.find((move) => move.cell === cell);
const ends = (moves) => moves.find(({ verb }) => verb === 'end_turn') ?? moves[0];

const box = (who = ana) => who.page.locator('dialog .ordering');
const state = (who = ana) => who.page.locator('.turnbar .order:not([hidden])');
const says = (text, who = ana) => state(who).filter({ hasText: text }).waitFor();
const answers = (who = ana) => box(who).locator('.choices label');
/** Opens the dialog, and has waited until something is offered. */
async function ahead(who = ana) {
    // On a phone it is behind "More".
    const more = who.page.locator('.tablebar .more');
    const button = who.page.locator('[data-key="order"]');
    await button.waitFor({ state: 'attached' });
    if (await more.isVisible())
        await more.click();
    await button.click();
    await box(who).waitFor();
    await answers(who).first().waitFor();
}
async function choose(text, who = ana) {
    const answer = answers(who).filter({ hasText: text }).first();
    await answer.click();
    const said = await answer.textContent();
    await box(who).locator('button.main').click();
    await box(who).waitFor({ state: 'detached' });
    return said;
}

// ---- one answer ---------------------------------------------------------------------

const small = await table('tictactoe');
await show(small);
await ahead();
is([await box().locator('[name=order]').count(),
    await answers().count()], [1, 9],
'where there are no rounds one answer can be prepared, any that there may be');
ok(await box().getByText('you answer at once then, and everybody sees that')
    .isVisible(), 'and it is said what others see of it');
await box().locator('[type=search]').fill('b2');
await until('it is narrowed down', async () =>
    await answers().count() === 1);
await shot('dialog');
const said = await choose('b2');
await says(`As soon as you are asked: ${said}`);
is((await order(small)).move, { verb: 'place', cell: 'b2' }, 'it stands');
is(await order(small, 'Ben'), undefined, 'and nobody else knows of it');
await shot('stands');
await page.reload();
await says(`As soon as you are asked: ${said}`);
ok(true, 'it is there again in the same words when the page is opened anew');
await page.locator('[data-key="order-drop"]').click();
await state().waitFor({ state: 'detached' });
is(await order(small), undefined, 'it is dropped by a button');

await ahead();
await choose('b2');
await says('b2');
await play('Ben', small, at('a1'));
await says('Played for you:');
is(await acts(small), ['Ben'], 'it is played as soon as she is asked');
ok((await state().textContent()).includes('b2'), 'she is told what was played');
await becomes(() => page.locator('.ttt [data-key="b2"]').getAttribute('aria-label'),
    'b2: Ana', 'and it lies on the board');
await shot('played');
await page.locator('[data-key="order-fine"]').click();
await state().waitFor({ state: 'detached' });

await ahead();
await choose('c3');
await says('c3');
await play('Ben', small, at('c3'));
await says('was not played: something else came first');
is(await acts(small), ['Ana'], 'what cannot be played is dropped, and she is asked');
await becomes(() => page.locator('[data-key="order"]').count(), 0,
    'who is asked prepares nothing');
await play('Ana', small, at('a2'));
await ahead();
await play('Ben', small, at('b1'));
await until('Ana is asked', async () => (await acts(small))[0] === 'Ana');
await choose('a3');
await page.locator('#say', { hasText: 'Something has happened at the table since' })
    .waitFor();
is(await order(small), undefined, 'what was chosen on sight of less is refused');

// ---- passes, on a phone, in French --------------------------------------------------

const phone = await person(url, { locale: 'fr-FR', colorScheme: 'dark',
    viewport: { width: 360, height: 740 } }, unhurried);
await phone.page.goto(`${url}/#login`);
const form = phone.page.locator('form', { hasText: 'Se connecter' }).first();
await form.locator('[name=name]').fill('Ana');
await form.locator('[name=password]').fill(password);
await form.locator('button.main').click();
await phone.page.locator('#nav', { hasText: 'Ana' }).waitFor();
const long = await until('Ben begins a round', async () => { // that is drawn
    const id = await table('hacienda');
    await until('somebody is asked', async () => (await acts(id)).length === 1);
    return (await acts(id))[0] === 'Ben' && id;
});
await show(long, phone);
await ahead(phone);
await shot('phone-dialog', phone);
await box(phone).locator('[value=pass]').check();
await box(phone).locator('button.main').click();
await says('vous passez, jusqu’à la fin', phone);
is((await order(long)).pass, 'round', 'a pass stands');
await shot('phone-stands', phone);
const began = (await about('Ana', long)).ply;
const passes = async () => (await call('Ana', 'table.replay', { table: long,
    from: began + 1 })).plies.filter(({ kind, seat }) => kind === 'move' && seat === 1)
    .map(({ move }) => move.verb);
// A round in which nobody else plays anything would end the game.
await play('Ben', long, (moves) => moves.find(({ verb }) => verb !== 'end_turn'));
await until('Ana has been asked', async () => {
    if ((await acts(long))[0] === 'Ben') // not nature
        await play('Ben', long, ends);
    return (await passes()).length > 0;
});
await says('Vous avez passé, comme prévu.', phone);
is(await passes(), ['end_turn'], 'she passes as soon as she is asked');
await shot('phone-played', phone);
await until('her pass is over', async () => !await order(long));
is((await passes()).length, 1, 'and not in the next round');

// ---- every game ---------------------------------------------------------------------

for (const game of ['hacienda', 'hadara', 'greement']) {
    const id = await table(game);
    // Until somebody else is asked and Ana is not.
    await until(`${game}: Ben is asked`, async () => {
        const now = await acts(id);
        if (now.includes('Ana'))
            await play('Ana', id, ends);
        return now.length === 1 && now[0] === 'Ben';
    });
    await show(id);
    await ahead();
    ok(await answers().count() > 1, `${game}: answers are offered`);
    const texts = await answers().allTextContents();
    is(new Set(texts).size, texts.length, `${game}: of which no two are alike`);
    is(texts.filter((text) => /_|undefined|null|\{|\[object|NaN/.test(text)), [],
        `${game}: in words`);
    is(await box().locator('[value=pass]').count(), 1, `${game}: and a pass`);
    await shot(`${game}-dialog`);
    await choose(/./);
    await state().waitFor();
    ok((await order(id)).move, `${game}: an answer stands`);
    await page.locator('[data-key="order-drop"]').click();
    await state().waitFor({ state: 'detached' });
    is(await order(id), undefined, `${game}: and is dropped`);
}

await finish();
