// test_votes.mjs -- what players agree on together: opened in one page, answered in
// another one, in both languages, by the server's time; and what comes of it.

import { readFileSync } from 'node:fs';

import { untilQuiet } from './playing.mjs';
import { becomes, comes, daemon, finish, is, ok, person, register, rpc, shifted, until }
    from './support.mjs';

const { url } = await daemon('--set', 'limits.local=off');
const DAY = 86400000;
// Ana's clock is forty days ahead.
const ana = await person(url, {}, shifted(40 * DAY));
const ben = await person(url, { locale: 'fr-FR' });
const password = 'correct horse', tokens = {};
await register(ana, 'Ana');
await rpc(url, 'account.register', { name: 'Ben', password });
for (const name of ['Ana', 'Ben'])
    tokens[name] = (await rpc(url, 'session.login', { name, password })).token;
const form = ben.page.locator('form', { hasText: 'Se connecter' }).first();
await ben.page.goto(`${url}/#login`);
await form.locator('[name=name]').fill('Ben');
await form.locator('[name=password]').fill('not that one');
await form.locator('button.main').click();
await form.getByText('Le nom ou le mot de passe est faux.').waitFor();
ok(true, 'what the server refuses it refuses in French');
await form.locator('[name=password]').fill(password);
await form.locator('button.main').click();
await ben.page.locator('#nav', { hasText: 'Ben' }).waitFor();
let keys = 0;
const key = () => (keys++).toString(16).padStart(32, '0');

async function table(more = {}) {
    const { table: id } = await rpc(url, 'table.create',
        { game: 'tictactoe', seats: 2, key: key(), ...more }, tokens.Ana);
    await rpc(url, 'table.join', { table: id, nonce: key() }, tokens.Ben);
    for (const { page } of [ana, ben]) {
        await page.goto(`${url}/#table/${id}`);
        await page.locator('.panel > *').first().waitFor();
    }
    return id;
}
async function moves(name, id) {
    const legal = await rpc(url, 'table.legal', { table: id }, tokens[name]);
    await rpc(url, 'table.move', { table: id, decision: legal.decision,
        move: legal.moves[0] }, tokens[name]);
    await untilQuiet([ana, ben], id);
}
const box = ana.page.locator('dialog');
/** Ana opens one about WHAT, after what FILL does in the dialog. */
async function propose(what, fill = () => {}) {
    await ana.page.locator('[data-key=propose]').click();
    await box.getByLabel(what).check();
    await fill();
    await box.getByRole('button', { name: 'Ask the others' }).click();
    await box.waitFor({ state: 'detached' });
}
const vote = ({ page }) => page.locator('.vote:not([hidden])');
const gone = ({ page }) => page.locator('.vote:not([hidden])')
    .waitFor({ state: 'detached' });

// ---- a table without clocks -------------------------------------------------------

const calm = await table();
await moves('Ana', calm);
await ana.page.locator('[data-key=propose]').click();
await box.waitFor(); // what asks comes when it is wanted
await becomes(() => box.locator('[name=way]').count(), 2,
    'without clocks there is less to agree on');
await box.getByRole('button', { name: 'Cancel' }).click();
await propose('Take back the last move');
await vote(ana).getByText('Ana proposes taking the last move back.').waitFor();
await becomes(() => vote(ana).getByRole('button', { name: 'I agree' }).count(), 0,
    'who opened it has agreed');
await vote(ben).getByText('Ana propose un vote pour reprendre le dernier coup.')
    .waitFor();
await vote(ben).getByRole('button', { name: 'D’accord' }).click();
await until('it is taken back', async () => (await rpc(url, 'table.get',
    { table: calm }, tokens.Ana)).table.seats[0].acting);
await gone(ana);
await gone(ben);
ok(true, 'who is asked agrees, and it is done');
await moves('Ana', calm);
await propose('Take back the last move');
await vote(ben).getByRole('button', { name: 'Non' }).click();
await gone(ana);
await gone(ben);
ok(true, 'a no ends it');
await moves('Ben', calm);
await propose('End the game');
await vote(ana).getByRole('button', { name: 'Withdraw it' }).click();
await gone(ben);
ok(true, 'who opened it can withdraw it');

// ---- one with clocks ----------------------------------------------------------------

const timed = await table({ pace: { free: 86400 } });
let first;
await propose('Pause the game', async () => {
    const day = box.locator('[type=date]');
    first = await day.inputValue();
    await day.fill('');
    await box.getByRole('button', { name: 'Ask the others' }).click();
    await comes(() => day.evaluate((input) => input.matches(':focus:invalid')),
        'a pause wants a day');
    await day.fill(first);
});
await vote(ben).getByText(/Ana propose un vote pour une pause/).waitFor();
await vote(ben).getByRole('button', { name: 'D’accord' }).click();
await ana.page.locator('.turnbar', { hasText: 'paused until' }).waitFor();
const { view } = await rpc(url, 'table.at', { table: timed,
    ply: (await rpc(url, 'table.get', { table: timed }, tokens.Ana)).table.ply },
tokens.Ana);
is(view.paused, new Date(`${first}T24:00`).getTime(),
    'the pause lasts to the end of the day that was chosen');
await moves('Ana', timed);
await propose('End the pause');
await vote(ben).getByRole('button', { name: 'D’accord' }).click();
await comes(async () => !(await ana.page.locator('.turnbar').textContent())
    .includes('paused until'), 'and is ended by agreement, too');
await gone(ana);
await gone(ben);
await propose('End the game', async () => { // what another one lacks is no matter
    await box.getByLabel('Pause the game').check();
    await box.locator('[type=date]').fill('');
    await box.getByLabel('End the game').check();
});
await vote(ben).getByRole('button', { name: 'D’accord' }).click();
await ana.page.getByText('The table is abandoned.').first().waitFor();
ok(true, 'a game is ended if all want it');
is([...ana.troubles, ...ben.troubles], [], 'nothing went wrong in the pages');

// ---- in words ------------------------------------------------------------------------

const read = (name) => readFileSync(`clients/web/${name}`, 'utf8');
const words = (await import('data:text/javascript,' +
    encodeURIComponent(read('votes_words.js')))).default;
const said = [...read('votes.js').matchAll(
    /\bsaid\(\s*(?:[\w.]+ *\?\s*)?'((?:[^'\\]|\\.)*)'/g)].map(([, text]) => text);
ok(said.length > 8, 'it says something');
is([...said, ...Object.keys(words.en)].filter((text) => !(text in words.fr)), [],
    'all of it in French');
await finish();
