// test_notices.mjs -- what the operator says, in the page.

import { daemon, finish, is, ok, open, person, register, rpc, shifted, until }
    from './support.mjs';

const PICTURES = process.env.PICTURES;
const server = await daemon('--set', 'server.motd=Tournament on Sunday.',
    '--set', 'server.rules_url=https://club.example/rules',
    '--set', 'server.contact=mailto:ops@club.example');
const { url } = server;
const ana = await person(url, {}, shifted(0));
const bar = ({ page }) => page.locator('#notices');
const picture = async (one, name) => PICTURES &&
    one.page.screenshot({ path: `${PICTURES}/${name}.png` });

// What it says in the lobby, and the links at the foot of the page.
await register(ana, 'Ana');
await ana.page.goto(`${url}/#`);
await ana.page.locator('.motd', { hasText: 'Tournament on Sunday.' }).waitFor();
ok(true, 'the message of the day stands in the lobby');
is(await ana.page.locator('#foot a').evaluateAll((links) =>
    links.map((a) => [a.textContent, a.getAttribute('href')])),
[['House rules', 'https://club.example/rules'],
    ['Contact', 'mailto:ops@club.example']], 'and links at the foot');
ok(!await bar(ana).isVisible(), 'nothing is announced');
server.ctl('motd', 'say', 'Cake!');
await ana.page.locator('.motd', { hasText: 'Cake!' }).waitFor();
server.ctl('motd', 'off');
await ana.page.locator('.motd').waitFor({ state: 'detached' });
ok(true, 'it changes while one looks');

// An end that is announced: who is there, and who comes later, in their language.
server.ctl('shutdown', '--in', '10h', '--say', 'A new version.');
await bar(ana).getByText('A new version.').waitFor();
const text = await bar(ana).textContent();
ok(/^The server goes down at \d?\d:\d\d, in 10 hours\. A new version\.$/
    .test(text), 'when, in how long, and why', text);
await picture(ana, 'shutdown');
const eve = await person(url, {
    locale: 'fr-FR', viewport: { width: 390, height: 780 },
});
await bar(eve).getByText('A new version.').waitFor();
const words = await bar(eve).textContent();
ok(/^Le serveur s’arrête à \d\d:\d\d, dans 10 heures\. A new version\.$/
    .test(words), 'also to who comes later, in French', words);
await picture(eve, 'shutdown-phone');
server.ctl('shutdown', '--in', '1h');
await bar(ana).getByText(/in (60|5\d) minutes\.$/).waitFor();
const left = async () => Number(/in (\d+) seconds?\./.exec(
    await bar(ana).textContent())?.[1] ?? NaN);
const { shutdown: { at: end } } = await rpc(url, 'server.hello');
// Without a connection: with one the page would ask what time it is.
const link = (state) => ana.page.locator(`#link[data-state=${state}]`).waitFor();
await ana.context.setOffline(true);
await link('offline');
let seconds = null;
await until('it counts down', async () => {
    const now = await left();
    if (Number.isNaN(now)) { // for the page it is nearly so far
        await ana.page.evaluate((at) => { globalThis.shiftTo(at); }, end - 80000);
        seconds = null;
        return false;
    }
    seconds ??= now;
    return now < seconds;
});
ok(true, 'and counts down');
await ana.context.setOffline(false);
await link('online');
server.ctl('shutdown', '--cancel');
await bar(ana).waitFor({ state: 'hidden' });
await bar(eve).waitFor({ state: 'hidden' });
await ana.page.locator('#say', { hasText: 'does not go down after all' })
    .waitFor();
ok(true, 'nothing of it stays after all');

// A table to be played at.
const table = await open(ana, 'tictactoe');
const { token } = await rpc(url, 'account.guest');
await rpc(url, 'table.join', { table }, token);

// Maintenance: one looks, and is told why one cannot play.
server.ctl('maintenance', 'on', '--say', 'The disk is changed, till five.');
await bar(ana).getByText('Read only for now; you can look. ' +
    'The disk is changed, till five.').waitFor();
await ana.page.goto(`${url}/#new/tictactoe`);
await ana.page.locator('[name=seats]').first().waitFor();
const make = ana.page.getByRole('button', { name: 'Open the table' });
ok(await make.isEnabled(), 'no button is taken away');
await make.click();
await ana.page.getByText('one can look, but not play').first().waitFor();
ok(true, 'who tries is told in words');
await picture(ana, 'maintenance');
const bea = await person(url);
await bar(bea).getByText('The disk is changed').waitFor();
ok(true, 'who comes reads it, too');
await ana.page.goto(`${url}/#table/${table}`);
const cell = ({ page }, name) => page.locator(`.ttt [data-key="${name}"]`);
await cell(ana, 'b2').click();
await ana.page.locator('#say', { hasText: 'one can look, but not play' })
    .waitFor();
ok(true, 'a move is refused in words');
server.ctl('maintenance', 'off');
await bar(ana).waitFor({ state: 'hidden' });
await cell(ana, 'b2').click();
await until('the move is made', async () =>
    (await cell(ana, 'b2').getAttribute('aria-label')).includes('Ana'));
ok(true, 'and made afterwards, as if nothing had been');

// Another name is told to the page that is open, and it says so.
server.ctl('users', 'rename', 'Ana', 'Alma');
await ana.page.locator('#say', { hasText: 'You are Alma from now on.' })
    .waitFor();
await ana.page.locator('header').getByText('Alma', { exact: true }).waitFor();
ok(true, 'who is renamed sees it at once');
server.ctl('users', 'rename', 'Alma', 'Ana');
await ana.page.locator('header').getByText('Ana', { exact: true }).waitFor();

// Whatever else comes is said in words.
server.ctl('users', 'ban', 'Ana', '--why', 'Noise.');
await ana.page.locator('#say', { hasText: 'This account is barred. Noise.' })
    .waitFor();
ok(true, 'a ban has words, and a reason');

for (const one of [ana, eve, bea])
    is(one.troubles, [], 'no page complains');
await finish();
