// test_happened.mjs -- what happened at a table, and what cannot be done: the
// strip since one's last move, the log by turn, marks on the board, why not,
// asking before a turn is over, and sounds.

import { becomes, comes, finish, inPage, is, ok, person, rpc, standing, until }
    from './support.mjs';

const { url, begins } = await standing('--set', 'limits.local=off');
const NAMES = ['Ana', 'Ben'];
const tokens = [];
for (const name of NAMES)
    tokens.push((await rpc(url, 'account.register',
        { name, password: 'correct horse' })).token);
// Sounds are counted where they would be made.
const ana = await person(url, {}, `globalThis.tones = 0;
    globalThis.AudioContext = class {
        currentTime = 0; destination = {};
        async resume() {}
        createGain() { return { connect: (to) => to, gain: {
            setValueAtTime() {}, exponentialRampToValueAtTime() {} } }; }
        createOscillator() { return { frequency: {}, stop() {},
            start() { globalThis.tones++; }, connect: (to) => to }; }
    };`);
const { page } = ana;
await page.evaluate(() => fetch('/session', {
    method: 'POST', headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ method: 'session.login',
        params: { name: 'Ana', password: 'correct horse' } }),
}));
await page.reload();

async function table(game) {
    const { table: id } = await rpc(url, 'table.create', { game, seats: 2 },
        tokens[0]);
    await rpc(url, 'table.join', { table: id }, tokens[1]);
    return id;
}
const viewOf = async (id, seat = 0) =>
    (await rpc(url, 'table.watch', { table: id }, tokens[seat])).view;
const legalOf = (id, seat) => rpc(url, 'table.legal', { table: id }, tokens[seat]);

/** A move of whoever is to move, by what CHOOSE makes of what they may. */
async function move(id, choose) {
    const { seats } = await viewOf(id);
    const seat = seats.findIndex(({ acting }) => acting);
    const { decision, moves } = await legalOf(id, seat);
    const chosen = choose(moves) ?? moves[0];
    await rpc(url, 'table.move', { table: id, decision, move: chosen },
        tokens[seat]);
    return { seat, move: chosen };
}

async function show(id) {
    const { ply } = await viewOf(id);
    await page.goto(`${url}/#table/${id}`);
    await until('the page is up to date', async () =>
        (await inPage(page, 'net', 'viewOf', id))?.ply === ply &&
        await page.locator('.turn-of').count());
}
const texts = (what) => page.locator(what).allTextContents();
const marks = () => page.locator('.marks .told').count();

// ---- the strip -----------------------------------------------------------------

const id = await table('greement');
const first = (verb) => (moves) => moves.find((one) => one.verb === verb);
// A start each, two turns, and what all vote on.
for (let n = 0; n < 400; n++) {
    const { game_state: state, seats } = await viewOf(id);
    if (state.phase === 'turn' && state.turn_count > 0 && seats[1].acting)
        break;
    await move(id, first('end_turn'));
}
// Ben buys what is nearest, and it is Ana's turn.
const bought = (await move(id, (moves) => moves.find(({ verb }) =>
    verb === 'buy_land'))).move;
const { ply } = await viewOf(id);
await move(id, first('end_turn'));
let now = await viewOf(id);
for (let n = 0; n < 200 && !(now.game_state.phase === 'turn' &&
    now.seats[0].acting); n++, now = await viewOf(id)) // events come before
    await move(id, first('end_turn'));
await show(id);
await comes(async () => await page.locator('.since .turns button').count() > 0,
    'who comes to a table is told what happened since their last move');
const shown = () => page.locator('.grid').evaluate((grid) =>
    [...grid.querySelectorAll('.square')].map((square) =>
        square.getAttribute('aria-label')).join());
const present = await shown();
const count = await page.locator('.since .turns button').count();
await page.keyboard.press('[');
for (let n = 0; n < count; n++)
    await page.keyboard.press('[');
await until('it is at the first', async () =>
    (await texts('.since .number'))[0] === `1/${count}`);
if (count > 1) {
    await until('the board is as it was', async () => await shown() !== present);
    ok(true, 'stepping back shows the board as it was then');
    await becomes(() => page.locator('[data-move]').count(), 0,
        'and nothing can be done there');
}
for (let n = 0; n < count; n++)
    await page.keyboard.press(']');
await until('it is at the last', async () =>
    (await texts('.since .number'))[0] === `${count}/${count}`);
await until('the board is as it is', async () => await shown() === present);
ok(true, 'and stepping on as it is');

// ---- the log ---------------------------------------------------------------------

const heads = () => texts('.turn-of > span:not(.mark, .gain)');
await comes(() => heads().then((all) =>
    all.includes('Ben') && all.includes('Ana') && all.length < ply),
'the log is grouped by turn');
const closed = page.locator('.turn-of[aria-expanded="false"]');
while (await closed.count() > 0)
    await closed.first().click();
const said = await texts('.log [data-ply] li');
ok(!said.some((line) => /ends the turn|gives a part/i.test(line)),
    'and without noise', said.join('\n'));
const filter = (name) => page.locator('.filters').getByRole('button', { name })
    .click();
await filter('Mine');
await comes(() => heads().then((mine) =>
    mine.includes('Ana') && !mine.includes('Ben')),
'or only what one did oneself');
await filter('Scores');
await becomes(() => page.locator('.log [data-ply] li:not(:has(.gain))').count(), 0,
    'or what brought or cost something');
await comes(async () => (await texts('.log [data-ply] li')).length > 0,
    'of which there is some');
await filter('Everything');
const line = page.locator(`.log [data-at="${bought.square}"]`).first();
await line.scrollIntoViewIfNeeded();
await line.hover();
await becomes(marks, 1, 'a line marks on the board what it is about');
await page.locator('h1').first().hover();
await becomes(marks, 0, 'as long as it is looked at');
await line.click();
await page.locator('h1').first().hover();
await becomes(marks, 1, 'and after a click on');
await line.click();

// ---- why not ---------------------------------------------------------------------

// On until Ana can pay some squares and others not, whatever the draws were.
const find = (test) => now.game_state.prices.flat().findIndex((price) =>
    price !== null && test(price, now.game_state.players[0].money));
/** The dearest: it is far, and so there is a tax. */
const dearOne = () => {
    const most = Math.max(...now.game_state.prices.flat().map(Number));
    return find((price, money) => price === most && price > money);
};
const cheapOne = () => find((price, money) => price <= money);
for (let n = 0; n < 800 && !(now.game_state.phase === 'turn' &&
    now.seats[0].acting && dearOne() >= 0 && cheapOne() >= 0); n++) {
    await move(id, first('end_turn'));
    now = await viewOf(id);
}
await show(id);
const { money } = now.game_state.players[0];
const prices = now.game_state.prices.flat();
const [dear, cheap] = [dearOne(), cheapOne()];
const nameOf = (n) => 'abcdefghij'[n % 10] + (Math.floor(n / 10) + 1);
ok(dear >= 0 && cheap >= 0, 'there is what is too dear, and what is not');
await becomes(async () => [await page.locator('.tag.price').count(),
    await page.locator('.dear').count()], [prices.filter((price) => price !== null && price <= money).length,
        prices.filter((price) => price !== null && price > money).length],
    'every price is on the grid, with a coin if it can be paid');
await page.locator(`[data-target="${nameOf(dear)}"]`).click();
const locked = page.locator('.deal .locked');
await becomes(() => locked.getAttribute('data-why'),
    `${nameOf(dear)} costs ${prices[dear]}, you have ${money}`,
    'what cannot be paid says so');
await locked.dispatchEvent('click'); // scrolling to it, the pointer would be on another square
await becomes(() => texts('.tip:not([hidden])'),
    [await locked.getAttribute('data-why')], 'also on a click');
await until('it is drawn', async () => await page.locator('.way rect').count() > 0);
ok(true, 'and it is seen from where the tax is counted');

// ---- a vote ----------------------------------------------------------------------

for (let n = 0; n < 400; n++) {
    const { game_state: state, seats } = await viewOf(id);
    if (state.phase === 'vote' && seats[0].acting && seats[1].acting)
        break;
    await move(id, first('end_turn'));
}
{
    await show(id);
    const before = await viewOf(id);
    // The table is there before the core that fills it.
    const told = await until('it is told', async () => {
        const all = await page.locator('.event tbody tr').evaluateAll((rows) =>
            rows.map((row) => [...row.querySelectorAll('.number')].map((cell) =>
                Number(cell.textContent.replace('±', '').replace('−', '-')))));
        return all.length === 2 && all.every((row) => row.length === 2) && all;
    });
    for (const token of tokens) {
        const { decision } = await rpc(url, 'table.legal', { table: id }, token);
        await rpc(url, 'table.move', { table: id, decision,
            move: { verb: 'vote', avoid: false } }, token);
    }
    const after = await viewOf(id);
    const sums = ({ game_state: state }) => state.players.map((_, seat) =>
        ['profits', 'worths'].map((field) => state[field].flat().reduce(
            (sum, one, n) => sum + (state.owners.flat()[n] === seat ? one : 0),
            0)));
    const [was, then] = [sums(before), sums(after)];
    is(told, then.map((some, seat) => some.map((one, i) => one - was[seat][i])),
        'a vote tells what the event brings each player, and so it is');
}

// ---- wishes ----------------------------------------------------------------------

for (let n = 0; n < 400; n++) {
    const { game_state: state, seats } = await viewOf(id);
    if (state.phase === 'turn' && seats[0].acting)
        break;
    await move(id, first('end_turn'));
}
await show(id);
is(await page.evaluate(() => globalThis.tones), 0, 'nothing is heard unasked');
await inPage(page, 'settings', 'wish', { wholeTurns: true, sound: true });
const end = page.locator('.turnbar [data-move]');
const asks = async (answer) => {
    await end.click();
    const dialog = page.locator('dialog', { hasText: 'Is your turn done?' });
    await dialog.waitFor();
    await dialog.locator(`[data-answer="${answer}"]`).click();
};
const at = (await viewOf(id)).ply;
const lies = () => page.locator('.grid').evaluate((grid) => {
    const { x, y, width, height } = grid.getBoundingClientRect();
    return [x + scrollX, y + scrollY, width, height];
});
const lay = await lies();
await asks('no');
await inPage(page, 'net', 'ask', 'table.get', { table: id }); // after all that it sent
is((await viewOf(id)).ply, at, 'who wishes is asked before a turn is over');
await asks('yes');
// The end of a turn is confirmed besides, if it cannot be taken back.
const sure = page.locator('dialog [data-answer="yes"]');
await until('it is played', async () => {
    if (await sure.count() > 0)
        await sure.click().catch(() => {});
    return (await viewOf(id)).ply > at;
});
await until('it is heard', () => page.evaluate(() => globalThis.tones > 0));
ok(true, 'and hears it');
await becomes(() => page.locator('.since:not([hidden]) strong').count(), 0,
    'the strip closes with one’s own move');
await becomes(lies, lay, 'and the board stays where it is');
await comes(async () => (await texts('.latest')).join().length > 0,
    'what happened last is told where it stood');

// ---- the smallest game -------------------------------------------------------------

await inPage(page, 'settings', 'wish', { wholeTurns: false, sound: false });
const small = await table('tictactoe');
while (!(await viewOf(small)).seats[0].acting ||
    (await viewOf(small)).game_state.cells.every((cell) => cell === null))
    await move(small, (moves) => moves[moves.length - 1]);
await show(small);
const taken = page.locator('.ttt [data-why]').first();
await taken.click({ force: true });
await becomes(() => texts('.tip:not([hidden])'), ['There is a mark on that cell already.'],
    'a taken cell says so, in the words of the rules');

// ---- how long ago ----------------------------------------------------------------

const waits = await table('tictactoe');
await move(waits, () => null);
// Her clock is an hour behind, and then five minutes and more ahead.
await page.clock.install({ time: begins - 3600000 });
await page.goto(`${url}/#table/${waits}`);
const when = page.locator('.log-of time').first();
await becomes(() => when.textContent(), 'this minute', 'it has just been done');
await page.clock.fastForward('01:05:00');
await comes(async () => /^\d+ minutes ago$/.test(await when.textContent()),
    'how long ago that was goes on while the page is open');

is(ana.troubles, [], 'the page did not complain');
await finish();
