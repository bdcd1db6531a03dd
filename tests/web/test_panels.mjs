// test_panels.mjs -- the games' panels: whatever the server calls legal is
// within reach of clicks and nothing else is, what a move would bring is what it
// brings, and the board is played by keyboard and by finger.

import { dice } from './playing.mjs';
import { becomes, canonical, comes, daemon, finish, inPage, is, ok, person, rpc,
    SEED, until } from './support.mjs';

const random = dice(SEED);

const { url } = await daemon();
const NAMES = ['Ana', 'Ben', 'Cai'];
const tokens = [];
for (const name of NAMES)
    tokens.push((await rpc(url, 'account.register',
        { name, password: 'correct horse' })).token);

/** Ana with a browser of her own. */
async function browse(options) {
    const ana = await person(url, options);
    await ana.page.evaluate(() => fetch('/session', {
        method: 'POST', headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ method: 'session.login',
            params: { name: 'Ana', password: 'correct horse' } }),
    }));
    await ana.page.reload();
    await ana.page.waitForSelector('#link[data-state="online"]');
    return ana;
}

async function table(game, options = {}) {
    const { table: id } = await rpc(url, 'table.create',
        { game, seats: NAMES.length, options }, tokens[0]);
    for (const token of tokens.slice(1))
        await rpc(url, 'table.join', { table: id }, token);
    return id;
}

const viewOf = async (id) =>
    (await rpc(url, 'table.watch', { table: id }, tokens[0])).view;

async function legalOf(id, seat) {
    const all = { decision: null, moves: [], ranges: [] };
    let from;
    do {
        const told = await rpc(url, 'table.legal',
            { table: id, ...from && { from } }, tokens[seat]);
        all.decision = told.decision;
        all.moves.push(...told.moves);
        all.ranges.push(...told.ranges);
        from = told.next;
    } while (from);
    return all;
}

/** A move of a seat, mostly one that builds; its view is Ana's after it. */
async function play(id, seat) {
    const { decision, moves, ranges } = await legalOf(id, seat);
    const rare = /^(end_turn|pass|done|pay|offer|borrow|buy_action_card)$/;
    const usual = moves.filter((move) => !rare.test(move.verb));
    const from = usual.length && random(8) ? usual : moves;
    const verbs = [...new Set(from.map((move) => move.verb))];
    const verb = verbs[random(verbs.length)];
    const some = from.filter((move) => move.verb === verb);
    const move = some[random(some.length)] ?? { ...ranges[0].move,
        [ranges[0].arg]: ranges[0].min };
    await rpc(url, 'table.move', { table: id, decision, move }, tokens[seat]);
}

/** Plays on until it is Ana's turn and THERE is true; false if it ended. */
async function advance(id, there) {
    for (let n = 0; n < 2000; n++) {
        const view = await viewOf(id);
        if (view.state !== 'playing')
            return false;
        if (view.seats[0].acting && there(view.game_state, n))
            return true;
        const acting = view.seats.flatMap((s, i) => s.acting ? [i] : []);
        await play(id, acting[random(acting.length)]);
    }
    throw new Error('it does not come about');
}

/** A table where that comes about; some games end before. */
async function brought(game, options, there) {
    for (let n = 0; n < 20; n++) {
        const id = await table(game, options);
        if (await advance(id, there))
            return id;
    }
    throw new Error('it comes about at no table');
}

async function show({ page }, id) {
    const { ply } = await viewOf(id);
    if (!page.url().endsWith(`#table/${id}`))
        await page.goto(`${url}/#table/${id}`);
    await until('the page is up to date', async () =>
        (await inPage(page, 'net', 'viewOf', id))?.ply === ply &&
        await page.locator('.table [data-step], .table [data-move]').count());
}

/** All moves and ranges that clicks in the panel lead to.  Only steps are
 * clicked. */
function reach(page, game, anchors) {
    return page.evaluate(([name, some]) => {
        const panel = document.querySelector('.table');
        const found = { moves: new Map(), ranges: new Map() };
        const collect = () => panel.querySelectorAll('[data-move]')
            .forEach((element) => {
                if (element.closest('[hidden]'))
                    return;
                const move = JSON.parse(element.dataset.move);
                const input = element.parentElement
                    .querySelector(':scope > label > [data-range]');
                if (!input) {
                    found.moves.set(element.dataset.move, move);
                    return;
                }
                const range = { move, arg: input.dataset.range,
                    min: Number(input.min), max: Number(input.max) };
                move[range.arg] = range.min; // as the server tells it
                found.ranges.set(JSON.stringify(range), range);
            });
        const press = (element) => element.dispatchEvent(
            new MouseEvent('click', { bubbles: true }));
        const steps = (kind) => [...panel.querySelectorAll(
            `${kind}[data-step]`)].map((element) => element.dataset.step);
        const step = (kind, value) => panel.querySelector(
            `${kind}[data-step="${CSS.escape(value)}"]`);
        const escape = () => panel.querySelector('.place').dispatchEvent(
            new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
        collect();
        if (name === 'hacienda')
            for (const tool of steps(':is(.thing, .end)')) {
                press(step(':is(.thing, .end)', tool));
                collect();
                const spots = steps('.spot');
                const every = tool.startsWith('buy_water')
                    ? Math.max(1, Math.floor(spots.length / some)) : 1;
                for (let i = 0; i < spots.length; i += every) {
                    press(step('.spot', spots[i]));
                    collect();
                    for (let turn = 0; turn < 18 && step('', 'turn'); turn++) {
                        press(step('', 'turn'));
                        collect();
                    }
                    escape();
                }
                escape();
            }
        // The wheel is turned all the way round.
        for (let turn = 0; turn < 5 && step('', 'wheel-on'); turn++) {
            press(step('', 'wheel-on'));
            collect();
        }
        if (name === 'greement') {
            for (const square of steps('.square')) {
                press(step('.square', square));
                collect();
                for (const who of steps('.bid '))
                    for (const then of steps('.bid ')) {
                        press(step('.bid ', who));
                        press(step('.bid ', then));
                        collect();
                    }
                press(step('.square', square));
            }
            for (const pay of steps('.actions ')) {
                press(step('.actions ', pay));
                collect();
            }
        }
        return { moves: [...found.moves.values()],
            ranges: [...found.ranges.values()] };
    }, [game, anchors]);
}

async function reached(ana, id, game, what) {
    await show(ana, id);
    const legal = await legalOf(id, 0);
    const text = (list) => new Set(list.map(canonical));
    const allowed = text(legal.moves), open = text(legal.ranges);
    let found, shown, free, wrong, missing, odd;
    // What is offered is drawn as soon as the game's numbers are there.
    await until('it is drawn', async () => {
        found = await reach(ana.page, game, 12);
        shown = text(found.moves);
        wrong = [...shown].filter((move) => !allowed.has(move));
        // Water is tried from some of its spaces only; `pay: 0` says nothing.
        missing = legal.moves.filter((move) => move.pay !== 0 &&
            move.verb !== 'buy_water').map(canonical)
            .filter((move) => !shown.has(move));
        free = text(found.ranges);
        odd = [[...free].filter((range) => !open.has(range)),
            [...open].filter((range) => !free.has(range))];
        return [wrong, missing, ...odd].flat().length === 0;
    }).catch(() => null);
    is([wrong, missing], [[], []],
        `${game}, ${what}: ${shown.size} moves, all within reach`);
    is(odd, [[], []], `${game}, ${what}: ${free.size} amounts`);
    ok(shown.size + free.size > 0, `${game}, ${what}: there is something`);
    const water = legal.moves.filter((move) => move.verb === 'buy_water');
    if (water.length)
        ok(found.moves.some((move) => move.verb === 'buy_water'),
            `${game}, ${what}: water, too`);
}

const ana = await browse();

// ---- everything legal is within reach -------------------------------------------

{
    const first = await brought('hacienda', {}, () => true);
    await reached(ana, first, 'hacienda', 'the first turn');
    const later = await brought('hacienda', {}, (game) => game.round > 3 &&
        game.actions === 0 && game.chips.some((chip) => chip));
    await reached(ana, later, 'hacienda', 'a later one');
}
{
    let id = null;
    for (const stage of ['sides', 'wheel', 'choose', 'take', 'statue', 'colony', 'feed']) {
        const there = (game) => game.stage === stage;
        if (id === null || !await advance(id, there)) // not every game comes to all
            id = await brought('hadara', { advanced: true }, there);
        await reached(ana, id, 'hadara', stage);
    }
}
{
    const options = { loans: true };
    const id = await brought('greement', options,
        (game) => game.phase === 'pick');
    await reached(ana, id, 'greement', 'picking');
    for (const phase of ['turn', 'vote', 'pay_to_avoid'])
        await reached(ana, await brought('greement', options, (game) =>
            game.phase === phase && game.turn_count > 1), 'greement', phase);
}

// ---- Hacienda by keyboard ----------------------------------------------------------

const focused = (page, what) => page.evaluate((name) =>
    document.activeElement.getAttribute(name), what);

/** Presses KEY until the focus is on what matches. */
async function travel(page, key, selector) {
    for (let n = 0; n < 80; n++) {
        await page.keyboard.press(key);
        if (await page.evaluate((wanted) =>
            document.activeElement.matches(wanted), selector))
            return true;
    }
    return false;
}

{
    const id = await brought('hacienda', {}, () => true);
    await show(ana, id);
    const { page } = ana;
    await page.locator('.thing[data-step^="play_land"]').first().waitFor();
    await page.locator('h1').first().click();
    ok(await travel(page, 'Tab', '.thing[data-step^="play_land"]'),
        'Tab leads to a card');
    const card = await focused(page, 'data-step');
    await page.keyboard.press('Enter');
    await page.locator('.spot.target').first().waitFor();
    await becomes(() => focused(page, 'data-step'), card, 'which keeps the focus');
    ok(await travel(page, 'Shift+Tab', '.spot'), 'and back to the board');
    await page.keyboard.press('n');
    await page.keyboard.press('n');
    const target = JSON.parse(await until('it is marked', () =>
        focused(page, 'data-move')));
    is(`play_land:${target.card}`, card, 'n leads to where it can be laid');
    const before = await viewOf(id);
    const { view: then } = await rpc(url, 'table.preview', { table: id, moves: [target] },
        tokens[0]);
    const pointsOf = (view) => view.score_now[0].total;
    const [had, would] = [before, then].map(pointsOf);
    await comes(async () => (await page.locator('.bar .gains').allTextContents())
        .some((text) => text.includes(had === would ? `${had} points`
            : `${had} → ${would} points`)), 'the bar tells what it brings');
    await page.keyboard.press('Enter');
    await until('it is played', async () =>
        (await viewOf(id)).ply > before.ply);
    const after = await viewOf(id);
    is(pointsOf(after), would, 'and that is what it brought');
    is(after.game_state.owners.filter((owner) => owner === 0).length,
        before.game_state.owners.filter((owner) => owner === 0).length + 1,
        'a tile of hers lies there');
}

// ---- what a chain is worth ----------------------------------------------------------

{
    // Land, and no animals yet: all her points are those of her chains.
    const id = await brought('hacienda', {}, () => true);
    const laid = [];
    for (let n = 0; n < 3; n++) {
        const { decision, moves } = await legalOf(id, 0);
        const lands = moves.filter(({ verb }) => verb === 'play_land');
        const move = lands.find(({ card }) => n > 0 && card === 'pampas') ??
            lands[0];
        await rpc(url, 'table.move', { table: id, decision, move }, tokens[0]);
        laid.push(move.hex);
    }
    const { parts } = (await viewOf(id)).score_now[0];
    await show(ana, id);
    const { page } = ana;
    let points = 0;
    for (const hex of laid) {
        await page.locator(`.spot[data-target="${hex}"]`).hover();
        const tip = page.locator('.tip:not([hidden])', { hasText: `${hex},` });
        const [, tiles, worth] = await until(`${hex} is told of`, async () =>
            /chain of (\d+)[^]*\npoints if scored now: (\d+)/
                .exec(await tip.textContent()));
        points += Number(worth) / Number(tiles); // told once for each of its tiles
    }
    is(Math.round(points), parts.land + parts.water + parts.haciendas,
        'who points at a chain is told what it is worth');
    await comes(async () => await page.locator('.whole path').count() > 0,
        'and sees it outlined');
}

// ---- and by finger -----------------------------------------------------------------

{
    const phone = await browse({ viewport: { width: 360, height: 740 },
        hasTouch: true });
    const id = await brought('hacienda', {}, () => true);
    await show(phone, id);
    const { page } = phone;
    await page.locator('.thing[data-step^="play_land"]').first().tap();
    const spot = page.locator('.spot.target').first();
    await spot.scrollIntoViewIfNeeded();
    const { ply } = await viewOf(id);
    const box = await spot.boundingBox();
    const at = [box.x + box.width / 2, box.y + box.height / 2 + 12];
    await page.touchscreen.tap(...at);
    const button = page.locator('.bar [data-move]');
    await button.waitFor();
    // Whatever else that sent has been answered when what is asked after it is.
    await inPage(page, 'net', 'ask', 'table.get', { table: id });
    is((await viewOf(id)).ply, ply, 'a first touch, a little beside it, only looks');
    const move = JSON.parse(await button.getAttribute('data-move'));
    await button.tap();
    await until('it is played', async () => (await viewOf(id)).ply > ply);
    const { plies } = await rpc(url, 'table.replay',
        { table: id, from: ply + 1 }, tokens[0]);
    is(plies[0].move, move, 'its button plays it');
    await comes(() => page.evaluate(() =>
        document.documentElement.scrollWidth <= innerWidth),
    'nothing is wider than the phone');
    is(phone.troubles, [], 'the phone did not complain');
}

is(ana.troubles, [], 'no page complained');
await finish();
