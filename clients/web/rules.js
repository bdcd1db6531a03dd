// rules.js -- the games' rules, in short or in full.

import {h, styled} from './dom.js';
import {games} from './games.js';
import {lang, t} from './i18n.js';
import * as net from './net.js';

/** @param {string} name @param {string[]} rest */
export default async function rules(name, rest) {
    return rest[0] ? one(rest[0], rest[1] ?? 'summary') : all();
}

async function all() {
    return {
        title: t('Rules'),
        node: h('div', {class: 'wide'}, h('h1', null, t('The games')),
            h('ul', {class: 'tables'}, (await games()).map((game) =>
                h('li', {class: 'card'},
                    h('div', null, h('h3', null,
                        h('a', {href: `#rules/${game.name}`}, game.title)),
                    h('span', {class: 'muted small'},
                        t('{min} to {max} players', {min: game.seats_min,
                            max: game.seats_max}))),
                    h('div', {class: 'row'},
                        h('a', {class: 'button',
                            href: `#rules/${game.name}`}, t('Rules')),
                        first(game.name),
                        net.status.user && h('a', {class: 'button main',
                            href: `#new/${game.name}`}, t('New table'))))))),
    };
}

/** The way to a game in which one is led. @param {string} game */
const first = (game) => h('a', {class: 'button', 'data-key': 'guide',
    href: `#guide/${game}`}, t('First game'));

/** @param {string} game @param {string} detail */
async function one(game, detail) {
    const wanted = detail === 'both' ? ['summary', 'detailed'] : [detail];
    const [known] = await Promise.all([
        games().then((all) => all.find((g) => g.name === game)),
        styled('rules.css')]);
    const texts = await Promise.all(wanted.map((which) => net.ask('rules.text',
        {game, detail: which === 'detailed' ? which : 'summary', lang})));
    const ways = {summary: t('Summary'), detailed: t('In full'),
        both: t('Both')};
    return {
        title: t('Rules of {game}', {game: known?.title ?? game}),
        node: h('div', {class: 'wide'},
            h('nav', {class: 'row', 'aria-label': t('How much')},
                Object.entries(ways).map(([way, text]) => h('a', {
                    class: 'button', href: `#rules/${game}/${way}`,
                    'aria-current': way === detail && 'page',
                }, text)),
                first(game),
                net.status.user && h('a', {class: 'button main',
                    href: `#new/${game}`}, t('New table'))),
            texts.map((text) => h('article', {class: 'card text',
                lang: text.lang}, markdown(text.text)))),
    };
}

// ---- Markdown ------------------------------------------------------------------

/** What stands within a line. @param {string} text
 * @returns {(Node | string)[]} */
function inline(text) {
    const made = [];
    const marks =
        /`([^`]+)`|\*\*([^*]+)\*\*|\*([^*]+)\*|\[([^\]]+)\]\(([^)\s]+)\)/g;
    let at = 0;
    for (const found of text.matchAll(marks)) {
        made.push(text.slice(at, found.index));
        at = found.index + found[0].length;
        const [, code, bold, slanted, label, url] = found;
        made.push(code !== undefined ? h('code', null, code)
            : bold !== undefined ? h('strong', null, inline(bold))
                : slanted !== undefined ? h('em', null, inline(slanted))
                    : /^(https?:|#)/.test(url)
                        ? h('a', {href: url, rel: 'noreferrer'}, label)
                        : label);
    }
    made.push(text.slice(at));
    return made;
}

/** @param {string} line */
const cells = (line) => line.trim().replace(/^\||\|$/g, '').split('|')
    .map((cell) => inline(cell.trim()));

/** The little of Markdown that rules need. @param {string} text
 * @returns {Node[]} */
export function markdown(text) {
    const lines = text.split('\n');
    const made = [];
    let i = 0;
    const run = (/** @type {RegExp} */ pattern) => {
        const from = i;
        while (i < lines.length && pattern.test(lines[i]))
            i++;
        return lines.slice(from, i);
    };
    while (i < lines.length) {
        const line = lines[i];
        const head = /^(#{1,4}) +(.*?)#*$/.exec(line);
        if (line.trim() === '') {
            i++;
        } else if (head) {
            const tag = /** @type {'h1' | 'h2' | 'h3' | 'h4'} */ (
                `h${head[1].length}`);
            made.push(h(tag, null, inline(head[2].trim())));
            i++;
        } else if (line.startsWith('|')) {
            const [first, rule, ...rest] = run(/^\|/);
            made.push(h('table', null,
                h('thead', null, h('tr', null, cells(first).map((cell) =>
                    h('th', {scope: 'col'}, cell)))),
                h('tbody', null, (/^[|\s:-]+$/.test(rule ?? '') ? rest
                    : [rule, ...rest]).filter(Boolean).map((row) =>
                    h('tr', null, cells(row).map((cell) =>
                        h('td', null, cell)))))));
        } else if (/^```/.test(line)) {
            i++;
            made.push(h('pre', null, run(/^(?!```)/).join('\n')));
            i++;
        } else if (/^>/.test(line)) {
            made.push(h('blockquote', null, markdown(
                run(/^>/).map((l) => l.replace(/^> ?/, '')).join('\n'))));
        } else if (/^ {0,3}([-*]|\d+\.) /.test(line)) {
            made.push(list(run(/^ {0,3}([-*]|\d+\.) |^ +\S/)));
        } else {
            made.push(h('p', null, inline(
                run(/^(?!#{1,4} |\||>|```| {0,3}([-*]|\d+\.) )\s*\S/)
                    .join(' ') || lines[i++])));
        }
    }
    return made;
}

/** @param {string[]} lines @returns {Node} */
function list(lines) {
    const ordered = /^ {0,3}\d/.test(lines[0]);
    /** @type {string[][]} */
    const items = [];
    const indent = /** @type {RegExpExecArray} */ (/^ */.exec(lines[0]))[0];
    for (const line of lines) {
        const start = /^( *)(?:[-*]|\d+\.) +(.*)/.exec(line);
        if (start && start[1].length <= indent.length)
            items.push([start[2]]);
        else
            items[items.length - 1].push(line.slice(indent.length + 2));
    }
    return h(ordered ? 'ol' : 'ul', null, items.map((item) => {
        const own = item.findIndex((l) => /^ *([-*]|\d+\.) /.test(l));
        const head = own < 0 ? item : item.slice(0, own);
        return h('li', null, inline(head.map((l) => l.trim()).join(' ')),
            own >= 0 && list(item.slice(own)));
    }));
}
