// test_away.mjs -- when people are away: the calendar of absences, what lists tell
// of others' time, seats that others take over, one's own that one takes back, and
// time that is given.

import { becomes, comes, finish, is, ok, person, register, rpc, shifted, timed,
    until } from './support.mjs';

const MINUTE = 60000, HOUR = 60 * MINUTE, DAY = 24 * HOUR;
const server = await timed('--set', 'limits.local=off');
const { url } = server;

// Her clock is two days ahead: days are the server's.
const ana = await person(url, { timezoneId: 'Europe/Paris' },
    shifted(server.ahead + 2 * DAY));
await register(ana, 'Ana');
const password = 'correct horse', tokens = {};
for (const name of ['Ben', 'Cai'])
    await rpc(url, 'account.register', { name, password });
for (const name of ['Ana', 'Ben', 'Cai'])
    tokens[name] = (await rpc(url, 'session.login', { name, password })).token;
let keys = 0;
const key = () => (keys++).toString(16).padStart(32, '0');
const ask = (method, params, name = 'Ana') =>
    rpc(url, method, params, tokens[name]);

async function table(names, game, more = {}) {
    const { table: id } = await ask('table.create',
        { game, seats: names.length, key: key(), ...more }, names[0]);
    for (const name of names.slice(1))
        await ask('table.join', { table: id, nonce: key() }, name);
    return id;
}
const about = async (id, name = 'Ana') =>
    (await ask('table.get', { table: id }, name)).table;

/** NAME does the first thing that is legal. */
async function moves(name, id) {
    const legal = await ask('table.legal', { table: id }, name);
    await ask('table.move', { table: id, decision: legal.decision,
        move: legal.moves[0] }, name);
}
const card = (id) => ana.page.locator(`[data-card="${id}"]`).first();
const go = async (address, what) => {
    await ana.page.goto(`${url}/#${address}`);
    await ana.page.locator(what).first().waitFor();
};
const says = (text) => ana.page.locator('#say', { hasText: text }).waitFor();

// ---- others' time in lists -------------------------------------------------------

const quick = await table(['Ana', 'Cai'], 'tictactoe', { pace: { free: DAY / 1000 } });
const slow = await table(['Ana', 'Ben'], 'tictactoe',
    { pace: { free: 3 * DAY / 1000 } });
const idle = await table(['Ana', 'Ben'], 'tictactoe');
for (const id of [quick, slow, idle])
    await moves('Ana', id);
await go('', '[data-card]');
const waiting = ana.page.getByRole('region', { name: 'Waiting for others' });
await becomes(() => waiting.locator('[data-card]').evaluateAll((all) =>
    all.map(({ dataset }) => dataset.card)), [quick, slow, idle],
'those that wait for others stand as these are due');
// Days are counted by the server's time, which the page has to ask for.
await comes(async () => /waits for Ben \(3 days left\)/.test(
    await card(slow).textContent()), 'how long it may take is told');
ok(/waits for Ben(?! \()/.test(await card(idle).textContent()),
    'and nothing where there are no deadlines');

// ---- the calendar of absences ---------------------------------------------------

await go('settings/away', '.months');
const away = ana.page.locator('.absence');
await away.getByText('30 of 30 days').waitFor();
await away.locator('.means li').first().waitFor();
is(await away.locator('.means li a').count(), 2,
    'at which tables one’s clock would stand still is told');
await away.getByRole('button', { name: 'Later months' }).click();
const day = (n) => away.locator('.days button').nth(n - 1);
await day(8).click();
await away.getByText('Now choose the last day.').waitFor();
await day(12).click();
await away.getByText(/^5 days; then 25 are left/).waitFor();
is(await away.locator('.days .chosen').count(), 5, 'a few days are chosen');
await away.getByRole('button', { name: 'I am away then' }).click();
await says('You are away then.');
const planned = (await ask('account.absence.get')).absences;
is([planned.length, planned[0].until - planned[0].from], [1, 5 * DAY],
    'and planned');
is(new Date(planned[0].from + HOUR).getUTCHours(), 0,
    'from the first midnight on, by the clocks that one has');
is(await away.locator('.days .taken').count(), 5, 'the calendar shows them');
await day(10).click();
await day(15).click();
await away.getByRole('button', { name: 'I am away then' }).click();
await away.getByText('You are away then already.').waitFor();
ok(true, 'what overlaps is refused');
await away.getByRole('button', { name: 'Cancel' }).click();
await away.getByText('30 of 30 days').waitFor();
is(await away.locator('.days .taken').count(), 0, 'what is planned can be dropped');

/** What the form makes of two dates. */
async function choose(first, last) {
    await away.getByLabel('From').fill(first);
    await away.getByLabel('Up to and with').fill(last);
    await away.getByLabel('Up to and with').blur();
}
// Clocks are put back in Paris on the last Sunday of October.
const year = new Date(server.begins).getUTCFullYear();
const sunday = 31 - new Date(Date.UTC(year, 9, 31)).getUTCDay();
await choose(`${year}-10-${sunday - 1}`, `${year}-10-${sunday}`);
await away.getByText(/^2 days; then 28 are left/).waitFor();
ok(true, 'a night with an hour more spends no day more');
const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/Paris' })
    .format(server.begins);
await choose(today, today);
await away.getByRole('button', { name: 'I am away then' }).click();
await away.getByText(/You are away until/).waitFor();
ok(true, 'one can go at once');
await moves('Cai', quick);
await go(`table/${quick}`, '.turnbar .clock');
await ana.page.getByText(/your clock stands still/).waitFor();
is(await ana.page.locator('.heads > :first-child').getByText(/away until/)
    .count(), 1, 'at the table all see until when');
await go('settings/away', '.months');
await away.getByRole('button', { name: 'I am back' }).click();
await away.getByText('When you were away').waitFor();
await away.getByLabel(/^If my time runs out/).check();
await until('it is wished for', async () =>
    (await ask('account.absence.get')).auto);
await away.getByLabel(/^If my time runs out/).uncheck();
await until('and no more', async () =>
    !(await ask('account.absence.get')).auto);

// ---- what clocks heed ------------------------------------------------------------

await go('new/tictactoe', '.segments');
const pace = (name) => ana.page.locator('.segments label', {
    has: ana.page.locator(`[name=pace][value="${name}"]`) }).click();
const heeds = () => Promise.all(['hours', 'absence'].map((name) =>
    ana.page.locator(`[name=${name}]`).isChecked()));
await pace('3d');
is(await heeds(), [true, true], 'clocks of days heed hours and absences');
await pace('10m');
is(await heeds(), [false, false], 'those of minutes do not');
await ana.page.locator('[name=absence]').check();
await pace('3d');
is(await heeds(), [false, true], 'unless somebody wants it otherwise');
ok((await ana.page.locator('.sum').textContent()).includes(
    'clocks stand still while people are away'), 'the sum says so');
await ana.page.getByRole('button', { name: 'Open the table' }).click();
await ana.page.getByRole('heading', { name: 'Before the game' }).waitFor();
const [, made] = (await ana.page.evaluate(() => location.hash)).split('/');
is(await about(made).then(({ hours, absence }) => [hours, absence]),
    [false, true], 'and the table is made so');

// ---- seats that others take -------------------------------------------------------

const left = await table(['Ben', 'Cai'], 'tictactoe',
    { pace: { free: 60 }, misses: { excused: 0, then: 'open' } });
await moves('Ben', left);
await moves('Cai', left);
await server.passes(async () => (await about(left)).seats[0].offered);
await go('', '[data-card]');
await card(left).getByText('Ben has not come: who plays on?').waitFor();
await card(left).locator('.look path').nth(1).waitFor();
ok(true, 'a seat to be taken over stands in the lobby, with its board');
await card(left).getByRole('link', { name: 'Take over' }).click();
await ana.page.getByRole('button', { name: 'Take the seat of Ben' }).click();
const box = ana.page.locator('dialog');
await box.getByText('Ben cannot come back to this table then.').waitFor();
await box.getByRole('button', { name: 'Take it' }).click();
await ana.page.getByText('It is your turn.').waitFor();
is((await about(left)).seats[0].name, 'Ana', 'and is taken, to play on at once');

// ---- one's own seat ----------------------------------------------------------------

// Nobody takes it: then it is played for until its owner is back.
const gone = await table(['Ana', 'Ben'], 'tictactoe',
    { pace: { free: 60 }, misses: { excused: 0, then: 'open' } });
await moves('Ana', gone);
await moves('Ben', gone);
await server.passes(async () => (await about(gone)).seats[0].offered);
await server.passes(async () => !(await about(gone)).seats[0].acting);
await go(`table/${gone}`, '[data-key=return]');
await ana.page.getByText('Your turns are played for you.').waitFor();
await ana.page.locator('[data-key=return]').click();
await says('The seat is yours again.');
await ana.page.locator('[data-key=return]').waitFor({ state: 'detached' });
ok(true, 'who comes back takes their seat again');

// ---- time that is given --------------------------------------------------------------

await moves('Ana', quick);
const was = (await about(quick)).seats[1].due;
await go(`table/${quick}`, '[data-key=give]');
await ana.page.locator('[data-key=give]').click();
await box.getByLabel('So much').selectOption({ label: '6 hours' });
await box.getByRole('button', { name: 'Give it' }).click();
await says('Cai is given 6 hours more.');
is((await about(quick)).seats[1].due - was, 6 * HOUR,
    'one of two gives the other time');
await ana.page.locator('.log[role=region]', { hasText: 'Cai 6 hours more' })
    .waitFor();
is(ana.troubles, [], 'nothing went wrong in the page');
await finish();
