// elsewhere.mjs -- the page in other browsers than the one that all tests use: two come,
// one makes an account and one is a guest, they open tables and play, by mouse, by key
// and by clicks of the page's own; what they see is what the server says.
//
// A person there has `page`, with as much of a page as playing.mjs and support.mjs
// want (goto, reload, evaluate, mouse.click, keyboard.press); `find`, `click` and `fill`,
// which take an XPath; `name`, the browser's; and `offline`, if it can be.

import { dice, move, over, untilQuiet, view } from './playing.mjs';
import { clickOne, handOne, is, ok, rawWords, rpc, sameAsServer, SEED, until }
    from './support.mjs';

const BEFALLS = 3; // moves, after which one is offline for a while and the other reloads
const HANDS = ['mouse', 'key', 'script', 'script'];

const button = (text) => `//button[normalize-space()="${text}"]`;
const field = (form, text) =>
    `//form[.//h2="${form}"]//label[contains(.,"${text}")]//input`;

/**
 * What two in another browser do, on the server at URL.
 * @param whole Whether a game is played to its end, by its name; else MOVES of it.
 */
export async function elsewhere(url, [ana, ben], { whole, moves: some = 25 }) {
    const people = [ana, ben];
    const random = dice(SEED);
    const troubles = new Set();

    async function come() {
        await ana.page.goto(`${url}/#login`);
        await ana.fill(field('New here?', 'Name'), 'Ana');
        await ana.fill(field('New here?', 'Password'), 'correct horse');
        await ana.click(button('Make an account'));
        await ben.page.goto(`${url}/#login`);
        await ben.click(button('Play as a guest'));
        await ana.find('//nav//a[normalize-space()="Ana"]');
        await ben.find('//nav//a[starts-with(normalize-space(),"guest-")]');
        ok(true, `${ana.name}: one makes an account, one is a guest`);
    }

    async function sitDown(game, choose) {
        await ana.page.goto(`${url}/#new/${game}`);
        await ana.find(button('Open the table'));
        await choose?.(ana);
        await ana.click(button('Open the table'));
        await ana.find('//h2[.="Before the game"]');
        const id = (await ana.page.evaluate(() => location.hash)).split('/')[1];
        await ben.page.goto(`${url}/#table/${id}`);
        await ben.click(button('Join'));
        for (const { page } of people)
            await until('it shows', () => page.evaluate(() =>
                document.querySelector('.panel > *') !== null));
        return id;
    }

    function hand(page, n) {
        const as = HANDS[(n >> 8) % HANDS.length]; // other bits than those that choose
        return as === 'script' ? clickOne(page, n)
            : handOne(page, n, as, troubles);
    }

    const linked = ({ page }, state) => until(state, () => page.evaluate((wanted) =>
        document.querySelector(`#link[data-state="${wanted}"]`) !== null, state));

    /** In the middle of a game one is offline, and one comes back to the page. */
    async function befall(id) {
        await ben.page.reload();
        await ana.offline?.(true);
        if (ana.offline)
            await linked(ana, 'offline');
        await ana.offline?.(false);
        for (const who of people)
            await linked(who, 'online');
        await until('both have the table again', async () =>
            (await Promise.all(people.map((who) => view(who, id)))).every(Boolean));
    }

    async function play(game, choose) {
        const id = await sitDown(game, choose);
        const raw = new Set();
        const most = whole.includes(game) ? 3000 : some;
        let moves = 0;
        while (moves < most && await move(people, id, random, hand))
            if (++moves === BEFALLS)
                await befall(id);
            else if (moves % 10 === 0)
                for (const who of people)
                    (await rawWords(who)).forEach((line) => raw.add(line));
        const { table } = await rpc(url, 'table.get', { table: id });
        ok(table.state === 'finished' || !whole.includes(game),
            `${game}: ${table.state}, ${table.ply} plies, seed ${SEED}`);
        is([...raw], [], `${game}: the pages spoke to people`);
        if (table.state === 'finished')
            return over(people, id, game);
        await untilQuiet(people, id);
        await sameAsServer(people, id, game);
    }

    await come();
    for (const [game, choose] of [['tictactoe'], ['hacienda'], ['hadara'], ['greement',
        (who) => who.fill('//input[@name="option-turns"]', '3')]])
        if ((process.env.GAMES ?? game).split(' ').includes(game))
            await play(game, choose);
    is([...troubles], [],
        'nothing lies over what can be clicked, and all of it takes the focus');
    is(people.flatMap((who) => who.troubles), [], 'no page complained');
}
