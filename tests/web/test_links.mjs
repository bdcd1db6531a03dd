// test_links.mjs -- the operator's one-time links, opened in a browser: somebody
// registers by an invitation, somebody sets a password, both are told what is
// wrong with a link that is over.

import { daemon, finish, is, ok, person } from './support.mjs';

const { url, ctl } = await daemon('--set', 'accounts.registration=invite');
const ana = await person(url), thief = await person(url);

// ---- an invitation ---------------------------------------------------------------

const invited = ctl('invites', 'create');
await ana.page.goto(`${url}/${invited.address}`);
const fresh = ana.page.locator('form', { hasText: 'New here?' });
is(await fresh.getByLabel('Invitation code').inputValue(), invited.code,
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
await tablet.page.getByLabel('New password').fill('a third staple');
await tablet.page.getByRole('button', { name: 'Set it' }).click();
await tablet.page.locator('#nav', { hasText: 'Ana' }).waitFor();
ok(true, 'a link sets a password, and one is in');
await ana.page.getByRole('link', { name: 'Log in', exact: true }).waitFor();
ok(true, 'who was in elsewhere is not any more');
await thief.page.goto(`${url}/${reset.address}`);
await thief.page.getByLabel('New password').fill('a fourth staple');
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

// Cut off and refused by /session: the browser tells of these itself.
for (const { troubles } of [ana, thief, tablet])
    is(troubles.filter((t) => !/40[134]|WebSocket/.test(t)), [],
        'no page complained of anything');
await finish();
