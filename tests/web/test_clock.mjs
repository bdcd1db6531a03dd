// test_clock.mjs -- tables with a pace: made by the form, told in lists and at the
// table, deadlines that count by the server's time and not the browser's, what
// comes of one that passes, and all of it in both languages.

import { readFileSync } from 'node:fs';

import { comes, finish, is, ok, open, person, players, register, shifted,
    timed, until } from './support.mjs';

const MINUTE = 60000, HOUR = 60 * MINUTE;
const server = await timed('--set', 'limits.local=off');
const { url } = server;

// Her clock is an hour and more behind.
const ana = await person(url, {}, shifted(server.ahead - 77 * MINUTE));
await register(ana, 'Ana');
const ben = await person(url, { locale: 'fr-FR' });
const { say, table, moves } = await players(url, ['Ana', 'Ben', 'Cai']);
const about = async (id, name = 'Ana') =>
    (await say(name, 'table.get', { table: id })).table;

// ---- made by the form ----------------------------------------------------------

const chosen = (page, name) => page.locator('.segments label', {
    has: page.locator(`[name=pace][value="${name}"]`) }).click();
const sum = ana.page.locator('.sum');

const days = await open(ana, 'tictactoe', async (page) => {
    ok(await page.getByLabel('When time is up').isHidden(),
        'without a pace there is nothing to be missed');
    await chosen(page, '3d');
    await page.getByLabel('When time is up').selectOption('open');
    await page.getByLabel('Misses that are excused').fill('2');
    await page.getByLabel('Misses that are excused').blur();
    await until('the sum says it', async () =>
        (await sum.textContent()).includes('2 misses are excused'));
    ok((await sum.textContent()).includes('3 days a move'),
        'the form sums up what time there will be');
});
const made = await about(days);
is([made.pace, made.misses], [{ add: 0, bank: 0, cap: 0, free: 259200 },
    { excused: 2, then: 'open' }], 'what was chosen is what the table has');
ok((await ana.page.locator('.table').textContent()).includes(
    'the seat is offered to others'), 'and who waits there is told');

const own = await open(ana, 'tictactoe', async (page) => {
    await chosen(page, '10m');
    await page.locator('summary', { hasText: 'More' }).click();
    await page.getByLabel('A pace of my own').check();
    is(await page.locator('[name=pace-bank]').inputValue(), '10',
        'one’s own pace begins as what was chosen');
    await page.locator('[name=pace-bank]').fill('2');
    await page.locator('[name=unit-bank]').selectOption({ label: 'hours' });
});
is((await about(own)).pace, { add: 15, bank: 7200, cap: 7200, free: 0 },
    'a pace of one’s own');
await ana.page.goto(`${url}/#new/tictactoe/${own}`);
await ana.page.locator('[name=own]').waitFor();
ok(await ana.page.getByLabel('A pace of my own').isChecked() &&
    (await sum.textContent()).includes('2 hours + 15 s'),
'the same once more has it, too');
is(await about(await open(ana, 'tictactoe')).then(({ pace }) => pace), null,
    'and usually there is none');

// ---- deadlines -----------------------------------------------------------------

const live = await table(['Ana', 'Cai'], 'tictactoe',
    { pace: { bank: 3000, add: 15, cap: 6000 } });
await ana.page.goto(`${url}/#table/${live}`);
const clock = ana.page.locator('.turnbar .until');
const FIRST = /^(50:00|4\d:\d\d)$/; // of fifty minutes
await until('it counts by the server’s time', async () =>
    FIRST.test((await clock.allTextContents()).join()));
ok(true, 'a browser whose clock is wrong counts by the server’s');
const first = await clock.textContent();
const heard = () => ana.frames.filter(({ method, result }) =>
    method === 'table.update' || result?.view || result?.now).length;
const before = heard();
await until('it goes on', async () => await clock.textContent() !== first);
is(heard(), before, 'it counts on by itself');
is(await ana.page.locator('.heads .bank').textContent(), '50:00',
    'beside it what the other has in the bank');
/** So much time goes by for the page. */
const passes = (ms) => ana.page.evaluate((more) => {
    globalThis.shift += more;
}, ms);
const low = ana.page.locator('.turnbar .spends[data-low]');
is(await low.count(), 0, 'there is time');
await ana.context.setOffline(true);
await ana.page.locator('#link[data-state=offline]').waitFor();
await passes(40.5 * MINUTE);
await low.waitFor({ state: 'attached' });
ok(/^\d:\d\d$/.test(await clock.textContent()),
    'without a connection, too; below a fifth its colour is another');
await passes(10 * MINUTE);
await until('it ends', async () => await clock.textContent() === 'time is up');
await ana.context.setOffline(false); // the server says again what time it is
await until('there is time again', async () =>
    FIRST.test(await clock.textContent()));
ok(true, 'what the server says puts it right');
await moves('Ana', live);
await until('the other’s clock runs', async () => await ana.page.locator(
    '.heads > :nth-child(2) .until').count() === 1);
is(await ana.page.locator('.heads > :first-child .until').count(), 0,
    'with the move the other clock runs');
await ana.page.locator('[data-key=look]').click();
await ana.page.locator('.replay:not([hidden])').waitFor();
await until('none is shown', async () =>
    await ana.page.locator('.until').count() === 0);
ok(true, 'looking back none runs');

// ---- lists ---------------------------------------------------------------------

const slow = await table(['Ana', 'Cai'], 'tictactoe', { pace: { free: 7 * 86400 } });
await table(['Ana', 'Cai'], 'tictactoe', { pace: { free: 86400 } });
await ana.page.goto(`${url}/#`);
await ana.page.reload();
const cards = ana.page.locator('.turns [data-card]');
await until('all are there', async () => await cards.count() >= 2);
is(await cards.evaluateAll((all) => all.at(-1).dataset.card), slow,
    'what is due first comes first');
await comes(async () =>
    /7 days left.*7 days a move/.test(await cards.last().textContent()), 'a card tells how long there is, and the pace');

// ---- what is missed ------------------------------------------------------------

const late = await table(['Ana', 'Ben'], 'tictactoe', { pace: { free: 300 } });
const over = await table(['Ana', 'Ben'], 'tictactoe',
    { pace: { free: 300 }, misses: { excused: 0, then: 'end' } });
await moves('Ana', over);
await moves('Ben', over);
// To this one Ana never comes.
const never = await table(['Ana', 'Cai'], 'tictactoe',
    { pace: { free: 300 }, misses: { excused: 0, then: 'mild' } });
await server.passes(async () => (await Promise.all([over, never].map((id) => about(id))))
    .every(({ state }) => state !== 'playing'));
const log = ana.page.locator('.log[role=region]');
await ana.page.goto(`${url}/#table/${late}`);
await until('it is excused', async () => (await log.textContent())
    .includes('Ana’s time is up; this time it is excused.'));
ok(true, 'a miss is told of');
await ana.page.goto(`${url}/#table/${over}`);
await until('it is over', async () =>
    (await ana.page.locator('.result').textContent()).includes('Ben wins'));
ok((await ana.page.locator('.result').textContent()).includes('On time.'),
    'who lost on time is told so');
await until('it is in the log', async () => (await log.textContent())
    .includes('Ana’s time is up, and that ends the game.'));
await ana.page.getByRole('button', { name: 'Verify the game' }).click();
await ana.page.locator('.verdict li').last().waitFor();
is(await ana.page.locator('.verdict .bad').count(), 0,
    'and the page finds that it was up');
await ana.page.goto(`${url}/#table/${never}`);
await ana.page.getByText('The table is abandoned.').first().waitFor();
is(await ana.page.locator('.heads .unit').allTextContents(),
    ['points', 'points'], 'a game that came to nothing has no places');
await ana.page.getByRole('link', { name: 'It is played again here.' }).click();
const earlier = ana.page.getByRole('link',
    { name: 'It was played here before.' });
is(await earlier.getAttribute('href'), `#table/${never}`,
    'a first turn that was missed leads to the table in its place, and back');
ok(await ana.page.getByRole('button', { name: 'Join' }).first().isVisible(),
    'where one may sit down');
is(ana.troubles, [], 'nothing went wrong in the page');

// ---- the server is away --------------------------------------------------------

const away = await table(['Ana', 'Cai'], 'tictactoe', { pace: { bank: 3000 } });
await ana.page.goto(`${url}/#table/${away}`);
await ana.page.reload(); // and asks again what time it is
await until('it runs', async () => FIRST.test(await clock.textContent()));
await server.kill();
await server.back();
/** What a clock says, in ms. */
const msOf = (text) => text.split(':').reduce((sum, part) => 60 * sum + Number(part), 0)
    * 1000;
await comes(async () => {
    const { due } = (await about(away)).seats[0]; // as if it had been there all the time
    return msOf(await clock.textContent()) - (due - server.now()) > MINUTE;
}, 'while the server is away no clock runs, and people have to find back');

// ---- in words ------------------------------------------------------------------

/** What clock.js says in a page. */
const words = (who, name, ...args) => who.page.evaluate(
    async ([what, given]) => {
        const base = document.querySelector('script[type="module"]').src;
        const { games } = await import(new URL('app.js', base).href);
        const text = (await games.clocks([{ pace: {} }]))[what](...given);
        return text.replace(/[\u00a0\u202f]/g, ' ');
    }, [name, args]);
const paces = [{ free: 86400 }, { free: 43200, bank: 604800 }, { bank: 1800 },
    { bank: 1800, add: 30 }, { free: 30 }, { free: 5400, bank: 60, add: 5 }];
is(await Promise.all(paces.map((pace) => words(ana, 'paceSaid', pace))),
    ['1 day a move', '12 hours a move + a bank of 7 days',
        '30 min for all moves', '30 min + 30 s', '30 s a move',
        '90 min a move + a bank of 1 min + 5 s'], 'paces in English');
is(await Promise.all(paces.slice(0, 4).map((pace) =>
    words(ben, 'paceSaid', pace))),
['1 jour par coup', '12 heures par coup + une réserve de 7 jours',
    '30 min pour tous les coups', '30 min + 30 s'], 'and in French');
is(await Promise.all([0, 999, 9 * MINUTE + 48000, HOUR + 62000, 26 * HOUR,
    47 * HOUR, 71 * HOUR].map((ms) => words(ana, 'face', ms))),
['0:00', '0:01', '9:48', '1:01:02', '26:00:00', '2 days', '3 days'],
'clocks show what is left');

const until_ = Date.UTC(2026, 11, 5, 12), names = ['Ana', 'Ben'];
const events = [
    ...['excused', 'mild', 'bot', 'open', 'out', 'end'].map((then) =>
        ({ kind: 'missed', seat: 0, then })),
    { kind: 'made', seat: 0, for: 'mild' }, { kind: 'made', seat: 0, for: 'bot' },
    { kind: 'absent', seat: 0, until: until_, auto: false },
    { kind: 'absent', seat: 0, until: until_, auto: true },
    { kind: 'back', seat: 0 },
    { kind: 'given', seat: 0, to: 1, seconds: 86400 },
    { kind: 'given', seat: null, to: 1, seconds: 86400 },
    { kind: 'paused', seat: null, until: until_ },
    { kind: 'resumed', seat: null },
    { kind: 'replaced', seat: 0, why: 'self' },
    ...['cancel', 'pause', 'give', 'replace', 'take_back'].flatMap((about) =>
        [true, false].map((yes) => ({ kind: 'voted', seat: 0, about, yes,
            until: until_, to: 1, seconds: 3600 }))),
];
const [english, french] = await Promise.all([ana, ben].map((who) =>
    Promise.all(events.map((event) => words(who, 'tell', event, names)))));
is([english, french].flat().filter((text) => !/^[A-ZL].*\.$/u.test(text) ||
    /undefined|null|NaN|[{}]|_|\bmissed\.|\bmade\./.test(text)), [],
'whatever happens is a sentence');
is(english.filter((text, i) => text === french[i]), [],
    'and another one in French');

const read = (name) => readFileSync(`clients/web/${name}`, 'utf8');
const table_ = (await import('data:text/javascript,' +
    encodeURIComponent(read('clock_words.js')))).default;
const said = ['clock.js', 'pace.js', 'deeds.js'].flatMap((name) => [...read(name).matchAll(
    /\bsaid\(\s*(?:\w+ *\?\s*)?'((?:[^'\\]|\\.)*)'/g)].map(([, text]) => text));
ok(said.length > 25, 'it says a lot');
is([...said, ...Object.keys(table_.en)].filter((text) => !(text in table_.fr)),
    [], 'all of it in French');
await finish();
