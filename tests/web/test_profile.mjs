// test_profile.mjs -- the settings that the server keeps: how one is told things,
// when one is there, what is one's own; and nothing of what the server cannot do.

import { readFileSync } from 'node:fs';

import { becomes, daemon, finish, inPage, is, ok, open, person, register, rpc, until }
    from './support.mjs';

const PICTURES = process.env.PICTURES;
const { url } = await daemon();
const ana = await person(url);
await register(ana, 'Ana');
const ask = (method, params = {}) => inPage(ana.page,
    'net', 'ask', method, params);
const section = (id) => ana.page.locator(`[data-key="settings-${id}"]`);
const there = async (id) => {
    await ana.page.goto(`${url}/#settings/${id}`);
    await ana.page.reload();
    await section(id).locator('.stack').waitFor();
    return section(id);
};
const picture = async (name) => PICTURES && ana.page.screenshot(
    { path: `${PICTURES}/${name}.png`, fullPage: true });
const says = (text) => ana.page.locator('#say', { hasText: text }).waitFor();

// ---- how one is told ------------------------------------------------------------

let told = await there('told');
await becomes(() => ana.page.locator('details[open].card').count(), 1,
    'an address opens one part of the settings, and no other');
const known = await ask('notices.get');
await told.getByLabel('A notice waits').waitFor();
ok(!/mail/i.test(await ana.page.locator('main').innerText()),
    'a server without mail says nothing of mail');
await becomes(async () => await told.getByRole('button', { name: 'Tell this browser' })
    .count() > 0, known.ways.includes('push'),
'and nothing of what is pushed where it can push nothing');
await told.getByLabel('A notice waits').selectOption('5 minutes');
await until('it is kept', async () => (await ask('notices.get')).wait === 300);
await told.getByLabel('All of it together').selectOption('once a day');
await told.getByText('The next one:').waitFor();
await becomes(async () => (await ask('notices.get')).digest, 'daily',
    'a digest is chosen');
await told.getByLabel('Always at once').check();
await told.getByLabel('A notice waits').waitFor({ state: 'detached' });
await becomes(() => ask('notices.get').then(({ at_once, wait }) => [at_once, wait]),
    [true, 300], 'at once is a choice, and waits no more');
await told.getByLabel('Language of what').selectOption('Français');
await until('it is kept', async () =>
    (await ask('notices.get')).language === 'fr');
ok(true, 'a language is chosen');

// A way to be told, what is told there, and that it goes again.
const { channel } = await ask('notices.channels.add', { way: 'webhook',
    form: 'ntfy', target: 'https://ntfy.example/ana', label: 'My phone' });
told = await there('told');
const card = told.locator('li', { hasText: 'My phone' });
await card.getByText('Nothing is sent there until a test').waitFor();
ok(true, 'a webhook is not used before it was tried');
await card.getByText('What is told there').click();
await card.getByLabel('Somebody writes at my table').uncheck();
await until('it is kept', async () => !(await ask('notices.get'))
    .channels[0].kinds.includes('chat'));
const { kinds } = (await ask('notices.get')).channels[0];
ok(kinds.includes('turn') && kinds.includes('miss'),
    'one kind less is told, and all others as before, shown or not', kinds);
await picture('settings-told');
await card.locator(`[data-key="remove-${channel}"]`).click();
await card.waitFor({ state: 'detached' });
await becomes(async () => (await ask('notices.get')).channels, [], 'it is removed');
const table = await open(ana, 'tictactoe');
await ana.page.locator('[data-key="mute"] summary').click();
await ana.page.getByLabel('Tell me of this table').uncheck();
await until('it is kept', async () =>
    (await ask('notices.get')).muted.includes(table));
ok(true, 'at a table one can say that one wants to hear nothing of it');
told = await there('told');
await told.getByRole('link', { name: /^Tic-tac-toe · Ana/ }).waitFor();
ok(true, 'and it is called by its game and who sits there');
await told.getByRole('button', { name: 'Tell me again' }).click();
await until('it is kept', async () =>
    (await ask('notices.get')).muted.length === 0);
ok(true, 'a table of which one wanted to hear nothing is heard of again');
await told.getByText('What was sent in the last').click();
await told.getByText('Nothing was sent to you').waitFor();
ok(true, 'what was sent is to be seen');

// ---- when one is there -------------------------------------------------------------

const hours = await there('hours');
await hours.getByText('You are always there').waitFor();
await hours.getByLabel('From').fill('18:30');
await hours.getByLabel('To').fill('23:15');
await hours.getByLabel('Wednesday').uncheck();
await hours.getByLabel('By the clocks of').fill('Europe/Paris');
await hours.getByRole('button', { name: 'Set', exact: true }).click();
await says('Changed.');
await becomes(async () => (await ask('account.hours.get')).hours, { opens: 1110,
    closes: 1395, days: [1, 2, 4, 5, 6, 7], zone: 'Europe/Paris' }, 'hours are kept');
await hours.getByText('You can change this again').waitFor();
await becomes(() => hours.getByLabel('From').inputValue(), '18:30', 'and shown');
await picture('settings-hours');
await hours.getByLabel('To').fill('22:00');
await hours.getByRole('button', { name: 'Set', exact: true }).click();
await hours.getByRole('alert').getByText('Four hours at least').waitFor();
ok(true, 'what would be too short is said before it is asked');
await hours.getByLabel('To').fill('23:30');
await hours.getByRole('button', { name: 'Set', exact: true }).click();
await hours.getByText('once in seven days').waitFor();
ok(true, 'that they cannot be changed again so soon is said');

// ---- what is one's own ---------------------------------------------------------------

const own = await there('own');
await ask('account.absence.auto', { auto: true });
const [file] = await Promise.all([ana.page.waitForEvent('download'),
    own.getByRole('button', { name: 'Save all of it' }).click()]);
const all = JSON.parse(readFileSync(await file.path(), 'utf8'));
const parts = (await rpc(url, 'rpc.discover')).methods
    .find(({ name }) => name === 'account.export').params
    .find(({ name }) => name === 'part').schema.enum;
is([all.name, parts.filter((part) => !Array.isArray(all[part]))], ['Ana', []],
    'all that is kept, every part of it, is in a file');
is([all.hours.length, all.away], [1, [{ auto: true }]], 'hours, for example');
await own.getByRole('button', { name: 'Delete the account' }).click();
const box = ana.page.locator('dialog');
await box.getByLabel('Present password').fill('not mine at all');
await box.getByRole('button', { name: 'Delete it for good' }).click();
await box.getByText('Name or password is wrong.').waitFor();
ok(true, 'nobody deletes somebody else');
await box.getByLabel('Present password').fill('correct horse');
await box.getByRole('button', { name: 'Delete it for good' }).click();
await ana.page.getByRole('link', { name: 'Log in', exact: true }).waitFor();
const gone = await rpc(url, 'session.login',
    { name: 'Ana', password: 'correct horse' }).then(() => false, () => true);
ok(gone, 'and who is deleted is');

is(ana.troubles.filter((text) => !/40[13]|WebSocket/.test(text)), [],
    'no page complained of anything');
await finish();
