// hearing.mjs -- games played by people who do not see the page: they know what is told
// to a screen reader, roles and names, and no place on the screen and nothing of how the
// page is made.  Two come, one makes an account and one is a guest, one opens a table,
// the other finds it in the lobby, and they play; what they could not have understood is
// a failure.

import { dice, untilQuiet } from './playing.mjs';
import { listener } from './listener.mjs';
import { daemon, finish, is, ok, person, SEED, until } from './support.mjs';

const random = dice(SEED);
const one = (all) => all[random(all.length)];

/* What is said that is meant for no people. */
const RAW = /undefined|\bnull\b|\bNaN\b|\[object|\{\w*\+?\}|[a-z]_[a-z]|[a-z]-[123]-\d/i;

/* So often both may listen, one after the other, and find nothing to be done, though
 * their pages have all that the server has; and so much may be done in a game. */
const LOST = 2000, MOST = 6000;

/* Whoever hears "It is your turn." looks for the first of these that there is, and takes
 * one of it at random; what stands in a list together is as good as each other.
 * [role, name, place]. */
const GAMES = {
    tictactoe: {
        title: 'Tic-tac-toe',
        ways: () => [[['button', /: free$/, 'Tic-tac-toe']]],
    },
    hacienda: {
        title: 'Hacienda',
        before: ['Your hand', /^Board/],
        ways: () => [
            [['button', 'Do it']],
            [['button', /: (lay|put|build|harvest|take) /, /^Board/]],
            random(4) ? [['button', /./, 'Your hand']] : [],
            random(2) ? [['button', /./, 'Build and harvest, each once a turn']] : [],
            [['button', /./, 'Cards to buy']],
            [['button', 'End turn']],
        ],
    },
    hadara: {
        title: 'Hadara',
        ways: () => [
            [['button', /^(Choose side|Buy|Sell|Plunder|Integrate|Feed|Pay 2)/],
                ['button', /: Statue \d/], ['button', /Remove$/]],
            random(2) ? [['button', /^Turn the ring/]] : [],
            [['button', 'Set the wheel so'], ['button', /^(Pass|Done)$/]],
        ],
    },
    greement: {
        title: 'Greement',
        rounds: '3',
        before: ['Whose turn it is', /^The grid/],
        ways: () => [
            [['button', /^(Turn it up|Buy it|Seed it|Put cattle|Steal it|Save its|Collect)/],
                ['button', /^(Raise|Lower) by/], ['button', /^(Avoid it|Let it happen)/],
                ['button', /^(Accept|Decline)/]],
            random(3) ? [['button', /, (free, .*costs you|of Ana|of guest-)/, /^The grid/]] : [],
            [['button', /face down/, /^The grid/]],
            [['button', /^(Done|End turn)( |$)/]],
        ],
    },
};

const { url } = await daemon();
const seen = [await person(url), await person(url)];
const people = [];
for (const who of seen)
    people.push(await listener(who));
const [ana, ben] = people;
const heard = new Set();

// ---- two come ------------------------------------------------------------------

await ana.press('link', 'Log in or play as a guest');
await ana.write(await ana.find('textbox', /^Name/, 'New here?'), 'Ana');
await ana.write(await ana.find('textbox', /^Password/, 'New here?'), 'correct horse');
await ana.press('button', 'Make an account', 'New here?');
await ben.press('link', 'Log in or play as a guest');
await ben.press('button', 'Play as a guest');
await ana.find('link', 'Ana', 'Pages');
await ben.find('link', /^guest-/, 'Pages');
ok(true, 'one makes an account, one is a guest');

/** Ana opens a table of it, and Ben finds that. */
async function sitDown({ title, rounds }) {
    for (const who of people)
        await who.press('link', 'Sobremesa');
    await ana.press('link', 'New table', 'Pages');
    await ana.press('link', new RegExp(`^${title}`), 'Game');
    await ana.find('button', 'Open the table');
    if (rounds)
        await ana.write(await ana.find('spinbutton', /turns/i), rounds);
    await ana.press('button', 'Open the table');
    await ana.find('heading', 'Before the game');
    await ben.press('link', 'Finished', 'Pages');
    await ben.find('heading', 'Finished games');
    await ben.press('link', 'Lobby', 'Pages'); // which is as of now
    await until(`${title} is to be joined`, async () => {
        const join = (await ben.hear()).all('button', 'Join').find(({ row }) =>
            row?.text.includes(title));
        return join && ben.act(join);
    });
    for (const who of people)
        await who.find('heading', title);
}

// ---- and play --------------------------------------------------------------------

/** One thing that WHO does; what they make of what they hear: how it ended, or
 * whether they wait. */
async function deed(who, game) {
    const page = await who.hear();
    page.things.filter(({ name }) => RAW.test(name))
        .forEach(({ role, name }) => heard.add(`${role}: ${name}`));
    const over = page.one('heading', /wins$|share the victory$/);
    const yes = page.one('button', /^(Yes|Done)$/, /^(Are you sure|Is your turn)/);
    const mine = page.things.some(({ role, text }) => role === 'status' &&
        text === 'It is your turn.');
    const found = yes ? [yes] : mine ? game.ways().map((ways) =>
        ways.flatMap((way) => page.all(...way)).filter(({ pressed }) => !pressed))
        .find((some) => some.length > 0) : null;
    if (found)
        await who.act(one(found));
    return { over: over?.name, waits: !found, heard: page.things };
}

/** What somebody hears who does not know what to do, in lines. */
const told = (things) => things.filter(({ role }) => !/^(StaticText|generic)$/.test(role))
    .map(({ role, name, text, disabled }) =>
        `${disabled ? 'disabled ' : ''}${role} ${name || text}`).join('\n');

/** A game of that NAME, to its end or until MOST has been done. */
async function play(name, most) {
    const game = GAMES[name];
    await sitDown(game);
    const id = (await ana.page.evaluate(() => location.hash)).split('/')[1];
    let who = ana, over, done = 0, waited = 0, ordered = !game.before;
    while (!over && done < most) {
        await untilQuiet(seen, id);
        if (!ordered && (await who.hear()).one('button', /./, game.before[0])) {
            await order(who, game);
            ordered = true;
        }
        const now = await deed(who, game);
        over = now.over;
        waited = now.waits ? waited + 1 : 0;
        done += now.waits ? 0 : 1;
        if (!over && (waited === LOST || done === MOST))
            throw new Error(`${name}: ${who === ana ? 'Ana' : 'Ben'} ` +
                `comes to no end; what is heard:\n${told(now.heard)}`);
        if (now.waits)
            who = people.find((other) => other !== who);
    }
    const what = `${done} deeds, seed ${SEED}`;
    ok(ordered, `${name}: the order of things was tried`);
    if (!over)
        for (const { page } of people)
            await page.reload(); // without what the last of them was just asked
    if (!over)
        return ok(true, `${name}: played by what is heard (${what})`);
    const both = await Promise.all(people.map((each) => each.find('heading', over)));
    ok(both.every(Boolean),
        `${name}: played to its end by what is heard: ${over} (${what})`);
}

/** Who goes from thing to thing comes to the hand before they come to the board. */
async function order(who, { title, before: [hand, board] }) {
    const places = [];
    await who.act(await who.find('link', 'Skip to the content'));
    for (let n = 0; n < 60; n++) {
        await who.page.keyboard.press('Tab');
        const { things } = await who.hear();
        const at = things.filter(({ focused }) => focused).pop()?.within ?? [];
        places.push(at.some((place) => place === hand) ? 'hand'
            : at.some((place) => board.test(place)) ? 'board' : '');
        if (places.includes('board'))
            break;
    }
    ok(places.includes('hand') && places.includes('board') &&
        places.indexOf('hand') < places.indexOf('board'),
    `${title}: from the hand the focus goes on to the board`, places.join(' '));
}

/** Plays all, those of WHOLE to their ends, of the others so many DEEDS. */
export async function hearing({ whole, deeds }) {
    const games = process.env.GAMES?.split(' ') ?? Object.keys(GAMES);
    for (const name of games)
        await play(name, whole.includes(name) ? Infinity : deeds);
    is([...heard], [], 'all that is heard is meant for people');
    is([...new Set(people.flatMap(({ odd }) => [...odd]))], [],
        'whatever can be used has a name, and nothing beside it the same');
    is(seen.flatMap(({ troubles }) => troubles), [], 'no page complained');
    await finish();
}
