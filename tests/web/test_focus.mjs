// test_focus.mjs -- who plays by keyboard is never nowhere: after each move, and after
// what was none, also where the button is gone with it, the focus is on something at the
// table, and Enter once more there does nothing that nobody chose.  MOVES=n plays more of
// each game, SEED=n another.

import { dice } from './playing.mjs';
import { comes, daemon, finish, handOne, inPage, is, ok, person, players, redrawn, SEED,
    until } from './support.mjs';

const MOVES = Number(process.env.MOVES ?? 6), KEYS = 40;
const { url } = await daemon('--set', 'limits.local=off');
const { say, table } = await players(url, ['Ana', 'Ben', 'Cleo']);
const { page } = await person(url);
await page.evaluate((params) => fetch('/session', {
    method: 'POST', headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ method: 'session.login', params }),
}), { name: 'Ana', password: 'correct horse' });
await page.addInitScript(() => addEventListener('keydown', () => {
    const on = document.activeElement;
    if (on.closest('dialog'))
        return; // it asks about what was pressed
    window.pressed = on.outerHTML.match(/^<[^>]*>/)[0];
    window.played = JSON.parse(on.dataset.move ?? '{}').verb ?? null;
}, true));
const random = dice(SEED);

const plyOf = async (id) => (await say('Ana', 'table.watch', { table: id })).view.ply;

/** The others do anything, as long as it is not Ana's turn. */
async function others(id) {
    for (let n = 0; n < 300; n++) {
        const { view } = await say('Ana', 'table.watch', { table: id });
        if (view.state !== 'playing' || view.seats[0].acting)
            return view.state === 'playing';
        const name = ['Ana', 'Ben', 'Cleo'][view.seats.findIndex((one) => one.acting)];
        const { decision, moves, ranges } =
            await say(name, 'table.legal', { table: id });
        const move = moves.length > 0 ? moves[random(moves.length)]
            : { ...ranges[0].move, [ranges[0].arg]: ranges[0].min };
        await say(name, 'table.move', { table: id, decision, move });
    }
    return false;
}

/** The page has all that the server has, and has drawn it. */
async function settled(id, ply) {
    await until('the page has it', async () =>
        ((await inPage(page, 'net', 'viewOf', id))?.ply ?? -1) >= ply);
    await until('it is not on its way', () => page.evaluate(() =>
        !document.querySelector('.turn').textContent.includes('on its way')));
    await redrawn(page);
}

/** Where one stands then: nothing, if that comes to be well. */
async function standing(id, ply) {
    await settled(id, ply);
    let bad = null;
    await until('one is somewhere', async () =>
        (bad = await lost()) === null).catch(() => null);
    return bad;
}

/** Where one is who has the focus on nothing, or on what another Enter would play. */
function lost() {
    return page.evaluate(() => {
        const on = document.activeElement, { key, move } = on.dataset;
        const verb = JSON.parse(move ?? '{}').verb ?? null;
        const what = `${window.pressed}, then ${on.outerHTML.match(/^<[^>]*>/)[0]}`;
        return document.querySelector('dialog[open]') ? null
            : !on.closest('.table') || on.getClientRects().length === 0
                || on.matches(':disabled') ? `nowhere: ${what}`
                : verb && verb !== window.played
                    || key === 'end_turn' && window.played !== 'end_turn'
                    ? `at what plays: ${what}` : null;
    });
}

/** Opens the table anew. */
async function come(id) {
    await page.goto(`${url}/#table/${id}`);
    await page.reload();
    await page.locator('.turn-of').first().waitFor();
}

/** Presses Enter where one is, and it plays nothing: whatever that sends has been
 * answered when what the page asks after it is. */
async function again(id) {
    const before = await plyOf(id);
    await page.keyboard.press('Enter');
    await inPage(page, 'net', 'ask', 'table.watch', { table: id });
    return await plyOf(id) - before;
}

/** Moves by key MOST times, or until the turn is over; how often, and what is WRONG. */
async function moving(id, most, wrong, troubles) {
    let ply = await plyOf(id), moves = 0;
    for (let keys = 0; keys < KEYS && moves < most; keys++) {
        await handOne(page, random(1 << 20), 'key', troubles);
        await inPage(page, 'net', 'ask', 'table.watch', { table: id });
        const { view } = await say('Ana', 'table.watch', { table: id });
        if (view.ply === ply)
            continue;
        ply = view.ply;
        moves++;
        const bad = await standing(id, ply);
        if (bad)
            wrong.add(bad);
        if (!view.seats[0].acting)
            break;
    }
    return moves;
}

for (const game of ['tictactoe', 'hacienda', 'hadara', 'greement']) {
    const id = await table(['Ana', 'Ben'], game);
    await come(id);
    const wrong = new Set(), troubles = new Set();
    let moves = 0;
    while (moves < MOVES && await others(id)) {
        await settled(id, await plyOf(id));
        moves += await moving(id, MOVES - moves, wrong, troubles);
    }
    ok(moves > 2, `${game}: ${moves} moves by key`);
    is([...wrong], [], `${game}: the focus is somewhere after each of them`);
    is([...troubles], [], `${game}: and all takes it`);
}

/* What was taken back is not played by the key that did so, nor a turn ended. */
for (const game of ['tictactoe', 'hacienda']) {
    const id = await table(['Ana', 'Ben'], game);
    await come(id);
    let view = { undo: null }; // what shows a card is not taken back
    for (let n = 0; n < KEYS && view.undo === null && await others(id); n++) {
        await settled(id, await plyOf(id));
        await moving(id, 1, new Set(), new Set());
        ({ view } = await say('Ana', 'table.watch', { table: id }));
    }
    const back = page.locator('[data-key="undo"]');
    await back.waitFor();
    const ply = await plyOf(id);
    await back.focus();
    await page.keyboard.press('Enter');
    await until('it is taken back', async () => await plyOf(id) > ply);
    await back.waitFor({ state: 'detached' });
    is(await standing(id, await plyOf(id)), null, `${game}: after taking back`);
    is(await again(id), 0, `${game}: and Enter once more plays nothing`);
}

/* Who looks back by the strip stays in it, to its first turn and its last, and plays
 * nothing; and who closes it is somewhere. */
const id = await table(['Ana', 'Ben', 'Cleo'], 'hacienda');
await come(id); // the strip of the table before might have two turns
const turns = page.locator('.since .turns button');
for (let n = 0; n < KEYS && await turns.count() < 2 && await others(id); n++) {
    await settled(id, await plyOf(id));
    while ((await say('Ana', 'table.watch', { table: id })).view.seats[0].acting)
        await moving(id, KEYS, new Set(), new Set());
    await others(id);
    await come(id);
    await turns.first().waitFor();
}
for (const key of ['since-1', 'since1', 'close']) {
    const button = page.locator(key === 'close' ? '.since .end'
        : `.since [data-key="${key}"]`);
    await button.waitFor();
    for (let n = 0; n < 12 && await button.isEnabled(); n++) {
        await button.focus();
        await page.keyboard.press('Enter');
        await redrawn(page);
        if (key === 'close')
            break;
    }
    is(await standing(id, await plyOf(id)), null, `the strip: after ${key}`);
    await comes(() => page.evaluate((closed) => document.activeElement.closest(closed
        ? '.turnbar' : '.since .steps') !== null, key === 'close'),
    `the strip: ${key} leaves one beside it`);
    is(await again(id), 0, 'and Enter once more plays nothing');
}
await finish();
