// test_games.mjs -- a whole game, played by clicking what the pages themselves call
// legal, with a spectator, reloads, a time offline and a move taken back; what every page
// shows is what the server says.  Hadara, in which most is hidden, or what arguments
// name; soak_games.mjs plays all three.

import { dice, move, over, untilQuiet, view } from './playing.mjs';
import { coreAgrees, daemon, finish, inPage, is, ok, open, person, rawWords, register,
    rpc, sameAsServer, SEED, sit, until } from './support.mjs';

const SLOW = 20; // every so many moves the pages are compared with the server
const MOST = 3000; // moves, of a game that comes to no end
const { url } = await daemon();
const people = [await person(url), await person(url), await person(url)];
const [ana, ben, cai] = people;
await register(ana, 'Ana');
await register(ben, 'Ben');
await inPage(cai.page, 'settings', 'wish', { lang: 'fr' });
await cai.page.reload();

const random = dice(SEED);

// What only a seat itself may know of it, in views and in events, by the rules.
// (Of a card sold from an open pile everybody knows.)
const SECRETS = {
    hacienda: { view: ['hidden'], events: { drew: ['card'] } },
    hadara: {
        view: ['drawn', 'discard', 'keep', 'tile', 'sold/cards'],
        events: {
            drew: ['first', 'second'], sold: ['card'], side_choice: ['side'],
            choice: ['discard', 'keep', 'tile'],
        },
    },
    greement: { view: [], events: {} },
};

/** What somebody who sits at YOU (or null) was told and may not know; COUNT is
 * how many secrets stood there as null. */
function leaks(frames, game, you) {
    const found = [];
    const seen = new Set(); // words that stood open for all
    let count = 0;
    const { view: fields, events } = SECRETS[game];
    const look = (value, path) => {
        if (value !== null && typeof value === 'object') {
            for (const [key, part] of Object.entries(value))
                look(part, [...path, key]);
            return;
        }
        const at = path.indexOf('players');
        const own = at < 0 || Number(path[at + 1]) === you;
        const field = path.slice(at + 2).filter((step) =>
            !/^\d+$/.test(step)).join('/');
        if (typeof value === 'string')
            seen.add(value);
        if (own || !fields.some((name) => field === name ||
            field.startsWith(`${name}/`)))
            return;
        if (value === null)
            count++;
        else
            found.push(`${path.join('/')} = ${value}`);
    };
    for (const { result, params } of frames) {
        const { view: whole } = result ?? {};
        if (whole && whole.state === 'playing')
            look(whole.game_state, ['game_state']);
        for (const step of [params, ...result?.updates ?? []]) {
            for (const { path, value } of step?.patch ?? [])
                if (path.startsWith('/game_state'))
                    look(value, path.slice(1).split('/'));
            for (const event of step?.events ?? [])
                for (const arg of events[event.kind] ?? [])
                    if (event.seat !== you && event[arg] != null &&
                        !(event.kind === 'sold' && seen.has(event[arg])))
                        found.push(JSON.stringify(event));
        }
    }
    return { found, count };
}

async function whole(game) {
    people.forEach((who) => who.frames.length = 0);
    const id = await open(ana, game);
    await sit(ben, id);
    await cai.page.goto(`${url}/#table/${id}`);
    for (const { page } of people)
        await page.locator('.panel > *').first().waitFor();
    const players = [ana, ben];
    const raw = new Set();
    let moves = 0, undone = 0, stuck = 0, last = -1, compared = 0, thought = 0;
    while (moves < MOST && await move(players, id, random)) {
        moves++;
        const now = (await view(ana, id))?.ply ?? last;
        stuck = now === last ? stuck + 1 : 0;
        last = now;
        if (stuck > 60)
            break;
        for (const who of people)
            (await rawWords(who)).forEach((line) => raw.add(line));
        if (moves === 12)
            await ben.page.reload();
        if (moves === 20) {
            await ana.context.setOffline(true);
            await until('offline', () => ana.page.locator(
                '#link[data-state="offline"]').count());
            await ana.context.setOffline(false);
            await until('online', () => ana.page.locator(
                '#link[data-state="online"]').count());
        }
        for (const who of undone === 0 && moves > 8 ? players : []) {
            const back = who.page.getByRole('button', { name: 'Take back' });
            if (undone === 0 && await back.count() > 0 &&
                await who.page.locator('dialog[open]').count() === 0) {
                const ply = (await view(who, id)).ply;
                await back.click();
                await until('it is taken back', async () =>
                    (await view(who, id)).ply > ply);
                undone++;
            }
        }
        if (moves % SLOW === 0) {
            await untilQuiet(people, id);
            compared += Number(await sameAsServer(people, id, null));
            thought += await coreAgrees(players, id, random(1 << 20),
                `${game}: the core in the page agrees with the server`);
        }
    }
    const { table } = await rpc(url, 'table.get', { table: id });
    ok(table.state === 'finished', `${game}: played to its end by clicking ` +
        `(${moves} turns at it, ${table.ply} plies, seed ${SEED})`,
    `state ${table.state}, stuck ${stuck}`);
    if (table.state !== 'finished')
        return;
    is([...raw].slice(0, 20), [], `${game}: the pages spoke to people ` +
        'after every move, in English and in French');
    ok(await ana.page.getByText('may still come').count() === 0 ||
        await ana.page.getByText('may still come').isHidden(),
    `${game}: nothing is to come when it is over`);
    ok(undone === 1, `${game}: a move was taken back on the way`);
    ok(thought > 1, `${game}: legal moves and previews of the page are the ` +
        `server's, ${thought} times`);
    ok(compared >= 1, `${game}: pages and server agreed ${compared} times`);
    await untilQuiet(people, id);
    const told = people.map((who, i) =>
        leaks(who.frames, game, i < 2 ? i : null));
    is(told.map(({ found }) => found), [[], [], []],
        `${game}: nobody was told what is hidden`);
    ok(game === 'greement' || told.every(({ count }) => count > 10),
        `${game}: which was looked for`, told.map(({ count }) => count));
    const secret = JSON.stringify(people.map((who) => who.frames.slice(0,
        who.frames.findIndex((f) => JSON.stringify(f)
            .includes('"finished"')))));
    ok(!secret.includes(table.seed), `${game}: nor the seed`);
    await over(people, id, game);
}

const wanted = process.argv.slice(2);
for (const game of wanted.length ? wanted
    : ['hadara'])
    await whole(game);
is(people.flatMap(({ troubles }) => troubles), [], 'no page complained');
await finish();
