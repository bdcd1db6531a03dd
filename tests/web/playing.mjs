// playing.mjs -- games that are played by what the pages themselves call legal: a
// page marks what plays a move with `data-move` and what leads on to one with
// `data-step` (clients/web/README.md).  Nothing else is known here of a game.

import { becomes, clickOne, inPage, is, mended, ok, rpc, sameAsServer, until }
    from './support.mjs';

/** A generator of one's own, so that a game can be played again: a number below n. */
export function dice(seed) {
    let state = seed;
    return (n) => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        return Math.floor(state / 2 ** 32 * n);
    };
}

export const view = ({ page }, id) => inPage(page, 'net', 'viewOf', id);

/** Waits until the pages have all that the server has. */
export async function untilQuiet(players, id) {
    await until('the pages are quiet', async () => {
        const plies = await Promise.all(players.map(async (who) =>
            (await view(who, id))?.ply));
        const { table } = await rpc(players[0].url, 'table.get', { table: id });
        return plies.every((ply) => ply === table.ply);
    });
}

/** One move of whoever is to move, once all have the news; whether the game is still
 * on. */
export async function move(players, id, random, click = clickOne) {
    await untilQuiet(players, id);
    const views = await Promise.all(players.map((who) => view(who, id)));
    if (views[0].state !== 'playing')
        return false;
    const able = players.filter((_, i) => views[i].decision !== null &&
        views[i].seats[views[i].you].acting);
    if (able.length === 0)
        return true; // something has come since
    const who = able[random(able.length)];
    const before = await view(who, id);
    for (let clicks = 0; clicks < 40; clicks++) {
        await click(who.page, random(1 << 20));
        // Whatever that sent has been answered when what is asked after it is.
        await inPage(who.page, 'net', 'ask', 'table.get', { table: id });
        const now = await view(who, id);
        if (now && now.ply !== before.ply)
            break;
    }
    return true;
}

/** A game that is over is over for all, as the server has it; the last of PEOPLE has
 * their page verify it. */
export async function over(people, id, game) {
    const [{ url }] = people;
    await untilQuiet(people, id);
    await sameAsServer(people, id, `${game}: at the end`);
    is(await Promise.all(people.map(mended)), people.map(() => 0),
        `${game}: after every update, by its hash`);
    const { table } = await rpc(url, 'table.get', { table: id });
    const { view: final } = await rpc(url, 'table.at',
        { table: id, ply: table.ply, as: 'all' });
    const shown = () => Promise.all(people.map(({ page }) => page.evaluate(
        () => [...document.querySelectorAll('.heads .total')].map((total) =>
            Number(total.textContent)))));
    await becomes(shown, people.map(() => final.score_now.map((score) => score.total)),
        `${game}: all pages show the server's final scores`);
    const { page } = people[people.length - 1];
    await page.evaluate(() => document.querySelector('[data-key="verify"]').click());
    const verdict = await until('a verdict', () => page.evaluate(() => {
        const lines = [...document.querySelectorAll('.verdict li')];
        return (lines.length === 4 || document.querySelector('.verdict .bad')) &&
            lines.map((line) => line.textContent);
    }));
    ok(verdict.length === 4 && verdict.every((line) => line.startsWith('✓')),
        `${game}: the page verifies it`, verdict.join('\n'));
}
