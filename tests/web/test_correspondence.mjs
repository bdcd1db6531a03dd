// test_correspondence.mjs -- two people who are never there at the same time play
// a whole game: each is told by mail of every turn, comes by the link in it,
// makes their moves, and goes away.  `make correspondence` plays Hacienda;
// GAME=NAME another one, TURNS=n ends after n turns.

import { clickOne, daemon, finish, inPage, is, ok, person, rpc, until }
    from './support.mjs';
import { sink } from './sink.mjs';

const GAME = process.env.GAME ?? (process.env.WHOLE ? 'hacienda' : 'tictactoe');
const TURNS = Number(process.env.TURNS ?? 1000);
const CLICKS = 400; // in a turn; who clicks about needs some
const post = await sink();
const { url } = await daemon('--set', `mail.server=${post.url}`,
    '--set', 'mail.from=games@club.example', '--set', 'mail.rate=1000',
    '--set', 'server.url=https://club.example');
const ask = ({ page }, method, params = {}) =>
    inPage(page, 'net', 'ask', method, params);

/** Somebody whose address is confirmed, and who wants to be told as soon as it
 * can be. */
async function somebody(name) {
    const address = `${name.toLowerCase()}@home.example`;
    await rpc(url, 'account.register',
        { name, password: 'correct horse', email: address });
    const { text } = await post.take(address, /#confirm/);
    await rpc(url, 'account.email.confirm',
        { code: /#confirm\/([\w-]+)/.exec(text)[1] });
    const who = Object.assign(await person(url), { name, address });
    await inPage(who.page, 'net', 'enter', 'session.login',
        { name, password: 'correct horse' });
    await ask(who, 'notices.set', { wait: 0 });
    return who;
}

const players = [await somebody('Ana'), await somebody('Ben')];
const { table } = await ask(players[0], 'table.create',
    { game: GAME, seats: 2, key: 'k'.repeat(32) });
await ask(players[1], 'table.join', { table, key: 'j'.repeat(32) });
for (const { page } of players)
    await page.goto('about:blank');

/** Who is waited for; null when it is over. */
async function waited() {
    const { table: about } = await rpc(url, 'table.get', { table });
    return about.state !== 'playing' ? null : players.find(({ name }) =>
        about.seats.some((seat) => seat.acting && seat.name === name));
}

/** Told by mail, comes by its link, plays while it is their turn, and goes. */
async function turn(who, number) {
    // Who sits down last begins the game, and knows if it is their turn then.
    const { text } = number === 0 && who === players[1]
        ? { text: `https://club.example/#table/${table}` }
        : await post.take(who.address, /It is your turn|your turn/i);
    const [, link] = /https:\/\/club\.example\/(#table\/\w+)/.exec(text);
    await who.page.goto(`${url}/${link}`);
    await who.page.locator('.panel > *').first().waitFor();
    for (let n = 0; n < CLICKS && await waited() === who; n++) {
        await until('something can be clicked', async () => await waited() !== who ||
            await clickOne(who.page, number * 31 + n * 7) !== null);
        // Whatever that sent has been answered when what is asked after it is.
        await ask(who, 'table.get', { table });
    }
    await who.page.goto('about:blank');
}

let turns = 0, last = null, strange = 0;
for (let who = await waited(); who && turns < TURNS; who = await waited()) {
    if (who === last)
        strange++; // a turn that did not end within so many clicks
    last = who;
    await turn(who, turns++);
}
is(strange, 0, 'every turn was played to its end');
const over = await rpc(url, 'table.get', { table });
ok(turns === TURNS || over.table.state === 'finished',
    `${turns} turns of ${GAME}, ${over.table.ply} plies, all but the first begun by a mail`,
    over.table.state);
if (turns < TURNS) {
    // Who made the last move has seen it.
    const away = players.find((who) => who !== last);
    await post.take(away.address, /is over|finished/i);
    ok(true, 'who was away is told that it is over');
    is(post.mails.map(({ text }) => text).filter((text) =>
        /your turn/i.test(text)), [], 'and nobody was told of a turn twice');
}
for (const { troubles, name } of players)
    is(troubles.filter((text) => !/WebSocket|40[13]/.test(text)), [],
        `${name}'s page complained of nothing`);
post.end();
await finish();
