// test_links.mjs -- the operator's one-time links, opened in a browser: somebody
// registers by an invitation, somebody sets a password, both are told what is
// wrong with a link that is over.

import { becomes, daemon, finish, is, ok, person, until } from './support.mjs';

const { url, ctl } = await daemon('--set', 'accounts.registration=invite');
const ana = await person(url), thief = await person(url);

// ---- an invitation ---------------------------------------------------------------

const invited = ctl('invites', 'create');
await ana.page.goto(`${url}/${invited.address}`);
const fresh = ana.page.locator('form', { hasText: 'New here?' });
await becomes(() => fresh.getByLabel('Invitation code').inputValue(), invited.code,
    'the link of an invitation brings its code along');
await fresh.getByLabel(/^Name/).fill('Ana');
await fresh.getByLabel(/^Password/).fill('long enough');
await fresh.getByRole('button').click();
await ana.page.locator('#nav', { hasText: 'Ana' }).waitFor();
ok(true, 'and lets one in');
await thief.page.goto(`${url}/${invited.address}`);
const late = thief.page.locator('form', { hasText: 'New here?' });
await late.getByLabel(/^Name/).fill('Eve');
await late.getByLabel(/^Password/).fill('long enough');
await late.getByRole('button').click();
await late.getByText('This link has been used already').waitFor();
ok(true, 'once');

// ---- a password ------------------------------------------------------------------

const reset = ctl('users', 'reset-link', 'Ana');
const tablet = await person(url);
await tablet.page.goto(`${url}/${reset.address}`);
await tablet.page.getByLabel('New password', { exact: true }).fill('a third staple');
await tablet.page.getByRole('button', { name: 'Set it' }).click();
await tablet.page.locator('#nav', { hasText: 'Ana' }).waitFor();
ok(true, 'a link sets a password, and one is in');
await ana.page.getByRole('link', { name: 'Log in', exact: true }).waitFor();
ok(true, 'who was in elsewhere is not any more');
await thief.page.goto(`${url}/${reset.address}`);
await thief.page.getByLabel('New password', { exact: true }).fill('a fourth staple');
await thief.page.getByRole('button', { name: 'Set it' }).click();
await thief.page.getByText('This link has been used already').waitFor();
ok(true, 'it is good once');
await ana.page.goto(`${url}/#login`);
const login = ana.page.locator('form', { hasText: 'With a name' });
await login.getByLabel(/^Name/).fill('ana');
await login.getByLabel('Password').fill('a third staple');
await login.getByRole('button').click();
await ana.page.locator('#nav', { hasText: 'Ana' }).waitFor();
ok(true, 'the new password is the password');

// ---- to a table ------------------------------------------------------------------

await ana.context.grantPermissions(['clipboard-read', 'clipboard-write']);
await ana.page.goto(`${url}/#new/tictactoe`);
await ana.page.getByLabel(/^Private/).check();
await ana.page.getByRole('button', { name: 'Open the table' }).click();
await ana.page.getByRole('button', { name: 'Copy the link' }).click();
await ana.page.getByRole('button', { name: 'Make a personal link' }).click();
await until('it is copied', async () => (await ana.page.evaluate(() =>
    navigator.clipboard.readText())).includes('#join/'));
const personal = await ana.page.evaluate(() => navigator.clipboard.readText());
const stranger = await person(url), second = await person(url);
await second.page.goto(personal);
await second.page.getByText('Ana would like to play').waitFor();
await stranger.page.goto(personal);
await stranger.page.getByRole('button', { name: 'Sit down as a guest' }).click();
await stranger.page.waitForFunction(() => location.hash.startsWith('#table/'));
await stranger.page.getByText('guest-').first().waitFor();
ok(true, 'a stranger sits at a private table after one click');
await second.page.getByRole('link', { name: 'Log in' }).last().click();
const back = second.page.locator('form', { hasText: 'With a name' });
await back.getByLabel(/^Name/).fill('ana');
await back.getByLabel('Password').fill('a third staple');
await back.getByRole('button').click();
await second.page.waitForFunction(() => location.hash.startsWith('#join/'));
ok(true, 'a log-in leads back to the link');

// Cut off and refused by /session: the browser tells of these itself.
for (const { troubles } of [ana, thief, tablet, stranger, second])
    is(troubles.filter((t) => !/40[134]|WebSocket/.test(t)), [],
        'no page complained of anything');
await finish();
