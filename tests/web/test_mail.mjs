// test_mail.mjs -- where there is mail: an address is confirmed, changed and
// refused by links that change nothing until a button is pressed, a password is
// set by one, and a second factor and its recovery codes let in who has them.

import { createHmac } from 'node:crypto';

import { becomes, finish, inPage, is, ok, person, rpc, standing }
    from './support.mjs';
import { sink } from './sink.mjs';

const PICTURES = process.env.PICTURES;
const post = await sink();
// Time stands: a code of the app is good as long as somebody takes to type it.
const { url, begins } = await standing('--set', `mail.server=${post.url}`,
    '--set', 'mail.from=games@club.example', '--set', 'mail.rate=1000',
    '--set', 'server.url=https://club.example/games');
const ask = ({ page }, method, params = {}) =>
    inPage(page, 'net', 'ask', method, params);
const button = ({ page }, name) =>
    page.getByRole('button', { name, exact: true });
const text = ({ page }, words) => page.locator('main, dialog, #say')
    .getByText(words).first().waitFor();
const picture = async ({ page }, name) => PICTURES && page.screenshot(
    { path: `${PICTURES}/${name}.png`, fullPage: true });
/** Where a link in a mail leads, here. */
const linked = (mail, name) => `${url}/${new RegExp(
    `https://club.example/games/(#${name}/[\\w-]+)`).exec(mail.text)?.[1]}`;
async function enter(who, name, password = 'correct horse') {
    await who.page.goto(`${url}/#login`);
    const form = who.page.locator('form', { hasText: 'With a name' });
    await form.getByLabel(/^Name/).fill(name);
    await form.getByLabel('Password').fill(password);
    await form.getByRole('button').click();
    return form;
}
const inside = ({ page }, name) =>
    page.locator('#nav', { hasText: name }).waitFor();
async function leave(who) {
    await who.page.goto(`${url}/#settings`);
    await button(who, 'Log out').click();
    await who.page.getByRole('link', { name: 'Log in', exact: true }).waitFor();
}
async function section(who, id) {
    await who.page.goto(`${url}/#settings/${id}`);
    await who.page.reload();
    const there = who.page.locator(`[data-key="settings-${id}"]`);
    await there.locator('.stack').waitFor();
    return there;
}

// ---- an address ------------------------------------------------------------------

// Who reads the page in another language is sent mails in it, from the first on.
const fay = await person(url);
await inPage(fay.page, 'settings', 'wish', { lang: 'fr' });
await fay.page.goto(`${url}/#login`);
await fay.page.reload();
const french = fay.page.locator('form', { hasText: 'Nouveau ici' });
await french.getByLabel(/^Nom/).fill('Fay');
await french.getByLabel(/^Mot de passe/).fill('correct horse');
await french.getByLabel(/^Adresse/).fill('fay@home.example');
await french.getByRole('button').click();
ok(/adresse/.test((await post.take('fay@home.example', /#confirm/)).text),
    'who reads French is asked in French whether an address is theirs');
await fay.context.close();

const ana = await person(url), scanner = await person(url);
await ana.page.goto(`${url}/#login`);
const fresh = ana.page.locator('form', { hasText: 'New here?' });
await fresh.getByLabel(/^Name/).fill('Ana');
await fresh.getByLabel(/^Password/).fill('correct horse');
await fresh.getByLabel(/^E-mail/).fill('ana@home.example');
await fresh.getByRole('button').click();
await inside(ana, 'Ana');
const asked = await post.take('ana@home.example', /#confirm/);
let address = await section(ana, 'address');
await address.getByText('not confirmed').waitFor();
ok(true, 'an address that is not confirmed is shown as that');
await scanner.page.goto(linked(asked, 'confirm'));
await text(scanner, 'ana@home.example is to be the address of Ana.');
await scanner.page.goto(linked(asked, 'never'));
await button(scanner, 'Never again').waitFor();
is((await ask(ana, 'account.get')).email_confirmed, false,
    'who only opens the links has changed nothing');
await scanner.page.goto(linked(asked, 'confirm'));
await picture(scanner, 'link-confirm');
await button(scanner, 'That is my address').click();
await text(scanner, 'The address is confirmed, Ana.');
is((await ask(ana, 'account.get')).email_confirmed, true,
    'the button confirms it, whoever is logged in or not');
await becomes(() => scanner.page.getByRole('link', { name: 'Log in', exact: true })
    .count(), 1, 'and logs nobody in');
await scanner.page.goto(`${url}/#`);
await scanner.page.goto(linked(asked, 'confirm'));
await text(scanner, 'This link has been used already');
ok(true, 'once');
address = await section(ana, 'address');
await address.getByText('confirmed', { exact: true }).waitFor();
await address.getByLabel('Another address').fill('ana@work.example');
await address.getByLabel('Present password').fill('correct horse');
await button(ana, 'Change').last().click();
await address.getByText('ana@work.example takes its place').waitFor();
await picture(ana, 'settings-address');
const other = await post.take('ana@work.example', /#confirm/);
await scanner.page.goto(linked(other, 'never'));
await button(scanner, 'Never again').click();
await text(scanner, 'Nothing more is sent to you.');
ok(true, 'whose address it is not can say never');
is((await ask(ana, 'account.get')).email, 'ana@home.example',
    'and the one from before stays');

// ---- a password ------------------------------------------------------------------

await leave(ana);
await ana.page.goto(`${url}/#login`);
await ana.page.getByRole('link', { name: 'Forgotten the password?' }).click();
await ana.page.getByLabel('E-mail address').fill('ana@home.example');
await button(ana, 'Send me a link').click();
await text(ana, 'If there is such an address');
const reset = await post.take('ana@home.example', /#reset/);
await ana.page.goto(linked(reset, 'reset'));
await ana.page.getByLabel('New password', { exact: true }).fill('another staple');
await button(ana, 'Set it').click();
await inside(ana, 'Ana');
ok(true, 'a mailed link sets a password, and one is in');

// ---- a second factor ----------------------------------------------------------------

/** RFC 6238, once more. */
function codeOf(key, ahead = 0) {
    const bits = [...key].map((c) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
        .indexOf(c).toString(2).padStart(5, '0')).join('');
    const counter = Buffer.alloc(8);
    counter.writeBigUInt64BE(BigInt(Math.floor(begins / 30000) + ahead));
    const hash = createHmac('sha1', Buffer.from(bits.match(/.{8}/g)
        .map((byte) => parseInt(byte, 2)))).update(counter).digest();
    const at = hash[19] & 15;
    return String((hash.readUInt32BE(at) & 0x7fffffff) % 1e6)
        .padStart(6, '0');
}

let factor = await section(ana, 'factor');
await factor.getByLabel('Present password').fill('another staple');
await button(ana, 'Set it up').click();
await factor.locator('svg.qr').waitFor();
const key = (await factor.locator('code').textContent()).replaceAll(' ', '');
ok(await factor.getByRole('link', { name: 'Open in the app' })
    .getAttribute('href').then((uri) => uri.startsWith('otpauth://totp/') &&
        uri.includes(key)), 'a key: to scan, to open, to type');
await picture(ana, 'settings-factor');
await factor.getByLabel('Code of the app').fill('000000');
await button(ana, 'Turn it on').click();
await factor.getByText('That code is wrong').waitFor();
await factor.getByLabel('Code of the app').fill(codeOf(key));
await button(ana, 'Turn it on').click();
const codes = (await factor.locator('.codes').textContent()).split('\n');
ok(codes.length > 5 && new Set(codes).size === codes.length,
    'recovery codes are shown, once');
await picture(ana, 'settings-recovery');
await button(ana, 'I have kept them').click();
await factor.getByText(`Recovery codes left: ${codes.length}`).waitFor();
await leave(ana);
let form = await enter(ana, 'Ana', 'another staple');
await form.getByText('a code of the second factor is needed').waitFor();
await form.getByLabel('Code of the app').fill(codes[0]);
await form.getByRole('button').click();
await inside(ana, 'Ana');
ok(true, 'a log-in asks for a code; one for recovery will do');
await leave(ana);
form = await enter(ana, 'Ana', 'another staple');
await form.getByLabel('Code of the app').fill(codes[0]);
await form.getByRole('button').click();
await form.getByText('That code is wrong').waitFor();
ok(true, 'once');
await form.getByLabel('Code of the app').fill(codeOf(key, 1));
await form.getByRole('button').click();
await inside(ana, 'Ana');
factor = await section(ana, 'factor');
await factor.getByText('Turn it off').first().click();
await factor.getByLabel('Present password').last().fill('another staple');
await factor.getByLabel('Code of the app').last().fill(codes[1]);
await button(ana, 'Turn it off').click();
await button(ana, 'Set it up').waitFor();
ok(true, 'and it is off again');

// ---- a device ---------------------------------------------------------------------

await enter(scanner, 'Ana', 'another staple');
await inside(scanner, 'Ana');
await post.take('ana@home.example', /log-?in|logged in/i);
ok(true, 'a log-in from another browser is told');
is(post.mails.filter(({ text: words }) => /log-?in|logged in/i.test(words)), [],
    'and none from one that is known');

// Refusals are answers of /session with 4xx: the browser tells of these itself.
is([ana, scanner].flatMap(({ troubles }) => troubles).filter((t) =>
    !/40[0139]|WebSocket/.test(t)), [], 'no page complained of anything');
await rpc(url, 'server.hello');
post.end();
await finish();
