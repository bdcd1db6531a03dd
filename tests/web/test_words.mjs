// test_words.mjs -- whatever a panel says in whole random games of every game,
// in both languages, is meant for people: no word of the wire or of
// JavaScript, nothing that was to be filled in, no button without a name; and it tells
// of what happens in the words of the core, as the terminal does.
//
// The games come from tales.c; the panels draw them, and what can be done in
// them, out of the page and of anybody's sight.  TALES=n plays n of each game.

import { spawnSync } from 'node:child_process';

import { gains } from '../../clients/web/games/hacienda_changes.js';
import { daemon, finish, is, ok, person } from './support.mjs';

const GAMES = Number(process.env.TALES ?? 4);
const EVERY = 7; // plies from one view to the next
const BATCH = 200; // lines that the page is given at once

const { url } = await daemon();
const who = await person(url);

/** What GAMES games of GAME are, told by the core. */
function tales(game) {
    const told = spawnSync(`${process.env.BUILD ?? 'build'}/test/web/tales`,
        [game, String(GAMES), String(EVERY)],
        { encoding: 'utf8', maxBuffer: 2 ** 30 });
    if (told.status !== 0)
        throw new Error(told.stderr);
    const [rules, ...lines] = told.stdout.trim().split('\n');
    return { rules: JSON.parse(rules), lines };
}

/** In the page: what draws and judges. */
function install(rules) {
    const base = document.querySelector('script[type="module"]').src;
    const raw = new Set([
        ...[...rules.verbs, ...rules.events].flatMap((word) => word.arguments)
            .flatMap((arg) => arg.form === 'word' ? arg.words ?? [] : []),
        ...rules.glossary.flatMap(({ words }) => words.map((w) => w.name)),
    ].filter((word) => /[_-]/.test(word)));
    const wrong = (text) =>
        /undefined|\bnull\b|\bNaN\b|\[object|\{\w*\+?\}|^\s*→|→\s*$/.test(text) ||
        /[a-z]_[a-z]/i.test(text) || text.startsWith('e.') ||
        [...raw].some((word) => text.includes(word));
    // What the rules say of a word by itself, in the middle of a sentence.
    const texts = rules.events.map((word) =>
        word.text.replace(/\.$/, ''));
    const odd = (text) => texts.some((part) => text.indexOf(part) > 0);
    const PARTS = 6; // timers that a panel takes to draw all of itself
    const ATTRIBUTES = ['aria-label', 'title', 'data-tip', 'placeholder'];

    globalThis.unsaid = async () => {
        const { games } = await import(new URL('app.js', base).href);
        const { words } = await games.moduleOf(rules.name);
        const said = games.saidBy(rules);
        return rules.events.map(({ name }) => `e.${name}`).filter((key) =>
            ['en', 'fr'].some((lang) =>
                !words?.[lang]?.[key] && !said[lang]?.[key]));
    };
    globalThis.judge = async (lang, lines) => {
        const { core, games, i18n, pages, settings: { settings } } =
            await import(new URL('app.js', base).href);
        const frame = await pages.table();
        const { sentence } = await frame.happened();
        await core.load();
        await i18n.speak(lang);
        const module = await games.moduleOf(rules.name);
        i18n.teach(rules.name, games.saidBy(rules));
        const root = document.createElement('div');
        const found = new Map(), said = [];
        let label = '', view = null, legal = null, panel = null, as = '';
        const all = ['Ana', 'Ben', 'Cai', 'Dea', 'Eva', 'Fay'];
        let names = all, views = 0;
        const table = {
            id: 'tale', game: rules.name, rules, settings, you: null,
            mode: 'watch', names: () => names,
            t: (key, args) => i18n.t(key, args, rules.name),
            legal: () => legal,
            preview: async (moves) => core.preview(view, rules, moves),
            whatIf: (from, steps) => core.whatIf(from, rules, steps),
            brings: (move) => core.brings(view, rules, move),
            whyNot: (move) => core.whyNot(view, rules, move),
            at: async () => null,
            send: async () => {}, confirm: async () => true,
            finalOf: (move) => core.finality(view, rules, move),
            help: (word) => frame.help(rules, word), say: () => {},
        };
        const seen = new Set();
        const look = (text, where) => {
            if (!text || seen.has(text))
                return;
            seen.add(text);
            if (wrong(text) && found.size < 30)
                found.set(`${where}: ${text}`,
                    `${label}, ply ${view?.ply}, ${lang}`);
        };
        const read = () => {
            const walk = document.createTreeWalker(root,
                NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
            for (let at = walk.nextNode(); at; at = walk.nextNode()) {
                if (at.nodeType === Node.TEXT_NODE) {
                    look(at.data, at.parentElement?.className);
                    continue;
                }
                for (const name of ATTRIBUTES)
                    look(at.getAttribute(name), name);
                if (at.matches('button, [role=button], input, select') &&
                    !`${at.textContent}${at.getAttribute('aria-label') ?? ''}`
                        .trim() && !at.closest('label'))
                    found.set(`no name: ${at.outerHTML.slice(0, 200)}`, label);
            }
        };
        for (const line of lines.map((text) => JSON.parse(text))) {
            if (line.label !== undefined) {
                label = line.label;
                names = all; // until its first view
                continue;
            }
            if (line.view) {
                view = line.view;
                views++;
                names = view.seats.map((seat) => seat.name);
                legal = core.legal(view, rules);
                table.you = view.you;
                table.mode = view.you === null ? 'watch' : 'play';
                if (as !== `${label} ${view.you}`) {
                    panel?.destroy();
                    root.replaceChildren();
                    root.className = '';
                    panel = module.mount(root, table);
                    as = `${label} ${view.you}`;
                }
                panel.update(view, { from: null, events: [], legal,
                    busy: false });
                await panel.ready; // what it is drawn with comes by and by
                // A step or two further in: a tool, a square, a partner.
                const steps = [...root.querySelectorAll('[data-step]')];
                steps[view.ply % steps.length]?.dispatchEvent(
                    new MouseEvent('click', { bubbles: true }));
                for (let i = 0; i < 4; i++)
                    await null; // what is tried by and by
                // A panel draws part by part, and what is closed when it is opened.
                for (const box of root.querySelectorAll('details'))
                    box.open = true;
                for (let i = 0; i < PARTS; i++)
                    await new Promise((go) => setTimeout(go));
                root.querySelectorAll('details').forEach((box) =>
                    box.open = true);
                await new Promise((go) => setTimeout(go));
                read();
            }
            for (const [n, event] of line.events.entries()) {
                const text = sentence(event, table, module);
                look(text, 'sentence');
                if (odd(text))
                    found.set(`sentence: ${text}`, label);
                const own = Boolean(module.describe?.(event, table));
                said.push({ kind: event.kind, text, own,
                    core: line.said[lang]?.[n] ?? null });
            }
        }
        panel?.destroy();
        return { found: [...found], said, views };
    };
}

for (const game of ['tictactoe', 'hacienda', 'hadara', 'greement']) {
    const { rules, lines } = tales(game);
    await who.page.evaluate(install, rules);
    const said = {};
    for (const lang of ['en', 'fr']) {
        const found = [];
        let views = 0;
        said[lang] = [];
        for (let at = 0; at < lines.length; at += BATCH) {
            const part = await who.page.evaluate(
                ([language, some]) => globalThis.judge(language, some),
                [lang, lines.slice(at, at + BATCH)]);
            found.push(...part.found);
            said[lang].push(...part.said);
            views += part.views;
        }
        is(said[lang].filter(({ text, core }) => core &&
            text !== core[0].toUpperCase() + core.slice(1))
            .map(({ text, core }) => [text, core]).slice(0, 5), [],
        `${game}, ${lang}: the page says what the core says`);
        is(found.slice(0, 20), [], `${game}, ${lang}: ${views} views and ` +
            `${said[lang].length} sentences are for people`);
    }
    const kinds = new Set(said.en.map(({ kind }) => kind));
    is([...kinds].filter((kind) => said.fr.some((of, i) => of.kind === kind &&
        (!of.own || of.text === said.en[i].text))), [],
    `${game}: each of them has a sentence of its own, in both languages`);
    is(await who.page.evaluate(() => globalThis.unsaid()), [],
        `${game}: also those that did not happen`);
}
is(gains({ parts: { markets: 40, money: 4 } },
    { parts: { interim: 43, markets: 40, money: 3 } }),
[['interim', 43], ['money', -1]],
'what a scoring brings for the first time is a number, too');
is(who.troubles, [], 'no panel complained');
await finish();
