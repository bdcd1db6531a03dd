// create.js -- making a table, with all a game offers.

import * as core from './core.js';
import {fill, h, styled} from './dom.js';
import {complain, go, loginAddress} from './frame.js';
import {clocks, games, human, optionSaid, rulesOf, server, settingsOf, thumbOf}
    from './games.js';
import {lang, t} from './i18n.js';
import * as net from './net.js';
import {paceOf} from './pace.js';
import {mark} from './seat.js';

/** @typedef {import('./types.js').Brief} Brief */

const OFTEN = 5; // people who are offered

/** @param {string} name @param {string[]} rest A game, and a table that the new
 * one is to be like. */
export default async function create(name, rest) {
    await net.known();
    if (!net.status.user) {
        go(loginAddress());
        return {title: t('New table'), node: h('p', {class: 'wait'},
            t('Log in first.'))};
    }
    const [known, like, past] = await Promise.all([games(),
        rest[1] ? net.ask('table.get', {table: rest[1]}).then(
            (answer) => answer.table, () => null) : null,
        net.ask('table.list', {state: 'finished', mine: true, limit: 20}).then(
            (answer) => answer.tables, () => []),
        core.load(), clocks([{pace: true}]), styled('lobby.css'),
        styled('create.css')]);
    const game = known.find((g) => g.name === rest[0]);
    if (game && lang !== 'en')
        await rulesOf(game.name); // what its options are called
    return {
        title: t('New table'),
        node: h('div', {class: 'create'},
            h('div', {class: 'head'}, h('h1', null, t('New table')),
                again(known, past[0])),
            h('nav', {class: 'tiles', 'aria-label': t('Game')},
                known.map((g) => tile(g, g === game))),
            game ? form(game, like, past, (await server()).bots ?? []) : h('p', {class: 'muted'},
                t('Choose a game.'))),
    };
}

/** The others who sit there. @param {any} table @returns {string[]} */
const others = (table) => table.seats.filter((/** @type {any} */ seat) =>
    seat.name && seat.user !== net.status.user?.id)
    .map((/** @type {any} */ seat) => seat.name);

/** What was played last, to be played once more.
 * @param {Brief[]} known @param {any} last */
function again(known, last) {
    const game = known.find((g) => g.name === last?.game);
    return game && h('p', {class: 'muted'}, others(last).length > 0
        ? t('You last played {game} with {names}.', {game: game.title,
            names: others(last).join(', ')})
        : t('You last played {game}.', {game: game.title}), ' ',
    h('a', {href: `#new/${last.game}/${last.table}`},
        t('The same again')));
}

const seatsSaid = (/** @type {Brief} */ g) => g.seats_min === g.seats_max
    ? t('{count} seats', {count: g.seats_min})
    : t('{min} to {max} seats', {min: g.seats_min, max: g.seats_max});

/** A game to be chosen: how it looks, what it is, how long it takes, how much
 * there is to it. @param {Brief} game @param {boolean} chosen */
function tile(game, chosen) {
    const look = h('span', {class: 'look'});
    const about = h('small', null);
    const facts = h('small', {class: 'facts'});
    thumbOf(game.name).then((thumb) => {
        if (!thumb)
            return;
        const {minutes: [from, to], weight} = thumb;
        fill(look, thumb.picture(thumb.sample));
        fill(about, thumb.about[lang === 'fr' ? 1 : 0]);
        fill(facts, h('span', null, from === to ? t('{n} min', {n: from})
            : t('{from} to {to} min', {from, to})),
        h('span', {class: 'weight', role: 'img', 'aria-label':
            t('weight {n} of 5', {n: weight})},
        '●'.repeat(weight), h('span', {class: 'less'}, '●'.repeat(5 - weight))),
        h('span', null, seatsSaid(game)));
    }, () => {});
    return h('a', {class: 'button tile', href: `#new/${game.name}`,
        'aria-current': chosen && 'page'},
    look, h('b', null, game.title), about, facts);
}

/** One of a few, all of them seen.
 * @param {string} text @param {string} name
 * @param {{value: any, text: any, look?: any}[]} all @param {any} chosen */
const choice = (text, name, all, chosen) => h('div', {class: 'choice',
    role: 'radiogroup', 'aria-label': text}, h('span', {class: 'small muted',
    'aria-hidden': 'true'}, text), h('div', {class: 'segments'},
all.map(({value, text: said, look}) => h('label', {
    class: look && 'pictured'}, h('input', {type: 'radio', name, value,
    checked: value === chosen}), look, h('span', null, said)))));

/** @param {string} text @param {any} input */
const label = (text, input) => h('label', null, h('span', null, text), input);

/** @param {string} text @param {string} name @param {boolean} [on] */
const check = (text, name, on) => h('label', {class: 'check'},
    h('input', {type: 'checkbox', name, checked: on}), h('span', null, text));

/** @param {Brief} game @param {import('./types.js').Option} option
 * @param {any} now */
function optionField({name: game}, option, now) {
    const name = `option-${option.name}`;
    if (option.type === 'flag')
        return h('div', null, check(human(option.name, game), name, now),
            h('p', {class: 'muted small'}, t(option.text, undefined, game)));
    const input = option.type === 'word'
        ? h('select', {name}, option.words?.map((word) => h('option',
            {value: word, selected: word === now}, human(word, game))))
        : h('input', {type: 'number', name, min: option.min, max: option.max,
            value: now, required: true});
    return h('div', null, label(human(option.name, game), input),
        h('p', {class: 'muted small'}, t(option.text, undefined, game)));
}

/** Names to be invited with a click: who was there most often.
 * @param {any[]} past @param {() => any} input */
function often(past, input) {
    /** @type {Map<string, number>} */
    const times = new Map();
    for (const name of past.flatMap(others))
        if (!/^(guest|bot)-/.test(name))
            times.set(name, (times.get(name) ?? 0) + 1);
    const names = [...times].sort(([, a], [, b]) => b - a).slice(0, OFTEN)
        .map(([name]) => name);
    return names.length > 0 && h('p', {class: 'row small'},
        h('span', {class: 'muted'}, t('Often with you:')), names.map((name) =>
            h('button', {type: 'button', class: 'small', onclick: () => {
                const field = input();
                if (!field.value.split(/\s+/).includes(name))
                    field.value = `${field.value} ${name}`.trim();
                field.dispatchEvent(new Event('change', {bubbles: true}));
            }}, `+ ${name}`)));
}

// ---- bots ----------------------------------------------------------------------

/** What a level is called. @param {string} level */
export const strength = (level) => level === 'random' ? t('easy')
    : level === 'greedy' ? t('medium') : t('hard');

/** Begins a game against bots for as few as can play it, and goes there; who is
 * nobody yet becomes a guest by it.
 * @param {import('./types.js').Brief} game
 * @param {boolean} guests Whether somebody may be one. */
export async function begin({name, seats_min: least}, guests) {
    const seats = Math.max(2, least);
    if (!net.status.user && !guests) {
        go(loginAddress());
        return;
    }
    try {
        if (!net.status.user)
            await net.enter('account.guest', {});
        const {table} = await net.ask('table.create', {game: name, seats,
            bots: Array(seats - 1).fill('greedy'), key: net.key()});
        go(`table/${table}`);
    } catch (why) {
        complain(/** @type {any} */ (why));
    }
}

/** The level of the bots that sit at TABLE, or ''. @param {any} table */
const levelAt = (table) => table?.seats.find((/** @type {any} */ seat) =>
    seat.bot)?.name.split('-')[1] ?? '';

// ---- the form -------------------------------------------------------------------

/** @param {Brief} game @param {any} like A table that it begins as, or null.
 * @param {any[]} past Tables that are over.
 * @param {string[]} levels Of bots, if there are any. */
function form(game, like, past, levels) {
    const board = game.asset_kind === 'board' ? boardOf(game,
        like?.board?.builtin) : null;
    const pace = paceOf(like, choice, levels.length > 0,
        (data) => botsOf(data).length);
    const wrong = h('p', {class: 'bad', role: 'alert'});
    const too = h('p', {role: 'status', class: 'small'});
    const sum = h('div', {class: 'sum'});
    const invite = h('input', {name: 'invite', autocomplete: 'off',
        pattern: '[A-Za-z0-9_\\- ]*', value: like ? others(like).filter(
            (name) => !/^(guest|bot)-/.test(name)).join(' ') : ''});
    const seats = Array.from({length: game.seats_max - game.seats_min + 1},
        (_, i) => ({value: game.seats_min + i, text: game.seats_min + i}));
    const spectators = like?.spectators ?? true;
    const manual = like?.start === 'manual';
    const node = h('form', {onsubmit: send, class: 'making', onchange: (
        /** @type {Event} */ event) => {
        settle(game, node, board, /** @type {any} */ (event.target).name, too);
        changed();
    }},
    h('fieldset', null, h('legend', null, game.title),
        choice(t('Seats'), 'seats', seats,
            like?.seats.length ?? game.seats_min),
        board?.node, game.options.map((option) => optionField(game, option,
            like?.options?.[option.name] ?? option.default)), too),
    h('fieldset', null, h('legend', null, t('Who and how')),
        label(t('Invite (names, with blanks between)'), invite),
        often(past, () => invite),
        levels.length > 0 && choice(t('Bots take the other seats'), 'bots', [
            {value: '', text: t('no')}, ...levels.map((value) =>
                ({value, text: strength(value)}))], levelAt(like)),
        pace.node,
        check(t('Private: only who is invited or has the password'),
            'private', like?.private),
        label(t('Password (optional)'), h('input', {name: 'password',
            maxlength: 64, autocomplete: 'off'})),
        h('details', {open: !spectators || manual || pace.open},
            h('summary', null, t('More')),
            pace.more,
            check(t('Spectators may watch'), 'spectators', spectators),
            check(t('I start it by hand, also with empty seats'), 'manual',
                manual))),
    h('section', {class: 'card summed', 'aria-label': t('What will be opened')},
        sum, board?.thumb, wrong,
        h('button', {class: 'main'}, t('Open the table'))));
    const key = net.key();

    function changed() {
        board?.show(node);
        pace.show(node);
        summed(game, node, board, pace, sum);
    }

    /** @param {Event} event */
    async function send(event) {
        event.preventDefault();
        fill(wrong);
        try {
            const given = await params(game, node, board, pace);
            const {table} = await net.ask('table.create', {...given, key});
            await net.ask('table.nonce', {table, nonce: net.key()})
                .catch(() => {}); // a game for one has begun
            go(`table/${table}`);
        } catch (why) {
            const {message, data} = /** @type {any} */ (why);
            const more = data?.expected
                ? `${data.path}: ${data.expected}` : data?.name;
            fill(wrong, data?.line
                ? `${t('Line {line}', {line: data.line})}: ` : '',
            t(message), more && ` (${more})`);
        }
    }
    changed();
    return node;
}

/** What the form says, in a few words: who sits there, and what is played.
 * @param {Brief} game @param {HTMLFormElement} node @param {any} board
 * @param {any} pace @param {Element} sum */
function summed(game, node, board, pace, sum) {
    const data = new FormData(node);
    const names = String(data.get('invite')).split(/\s+/).filter(Boolean);
    const count = Number(data.get('seats'));
    const bots = botsOf(data).length;
    const told = [...settingsOf(game, {options: options(game, node),
        board: board?.chosen(), ...pace.terms(data)}), pace.said(data),
    t(data.has('private') ? 'private' : 'public'),
    data.get('password') && t('password'),
    !data.has('spectators') && t('no spectators'),
    t(data.has('manual') ? 'started by hand' : 'starts when all seats are taken'),
    ].filter(Boolean);
    fill(sum, h('h2', null, game.title, ' · ', t('{count} seats', {count})),
        h('ol', {class: 'plainlist'}, Array.from({length: count}, (_, i) =>
            h('li', null, i > names.length + bots
                ? h('span', {class: 'free', 'aria-hidden': 'true'}) : mark(i),
            ' ', i === 0 ? net.status.user?.name : i <= bots
                ? t('a bot') : i > names.length + bots
                    ? h('span', {class: 'muted'}, t('free'))
                    : t('{name}, invited', {name: names[i - 1 - bots]})))),
        h('p', {class: 'small muted'}, told.join(' · ')));
}

/** Lets go together what stands in the form, after CHOSEN of it has changed, and
 * says what else that changes.
 * @param {Brief} game @param {HTMLFormElement} node @param {any} board
 * @param {string} chosen @param {Element} too */
function settle(game, node, board, chosen, too) {
    const keep = chosen.replace('option-', '');
    if (keep !== 'seats' && keep !== 'board' && keep === chosen)
        return;
    const was = options(game, node);
    const seats = Number(field(node, 'seats').value);
    const fits = core.fit(game, seats, was, board?.laid() ?? null, keep);
    const said = [];
    if (fits && fits.seats !== seats) {
        field(node, 'seats').value = fits.seats;
        said.push(t('{count} seats', {count: fits.seats}));
    }
    if (fits?.board && board && fits.board !== field(node, 'board').value) {
        field(node, 'board').value = fits.board;
        said.push(`${t('Board')}: ${human(fits.board, game.name)}`);
    }
    for (const [name, value] of Object.entries(fits?.options ?? {}))
        if (value !== was[name]) {
            const input = field(node, `option-${name}`);
            if (value === Boolean(value))
                input.checked = value;
            else
                input.value = value;
            said.push(optionSaid(name, value, game.name));
        }
    fill(too, said.length > 0 && t('With it: {what}',
        {what: said.join(', ')}));
}

/** The bots that play: those seats are theirs for which nobody is invited.
 * @param {FormData} data */
function botsOf(data) {
    const level = String(data.get('bots') ?? '');
    const invited = String(data.get('invite')).split(/\s+/).filter(Boolean);
    const left = Number(data.get('seats')) - 1 - invited.length;
    return level ? Array(Math.max(0, left)).fill(level) : [];
}

/** @param {HTMLFormElement} node @param {string} name @returns {any} */
const field = (node, name) => node.elements.namedItem(name);

/** @param {Brief} game @param {HTMLFormElement} node */
function options(game, node) {
    const data = new FormData(node);
    return Object.fromEntries(game.options.map((option) => {
        const value = data.get(`option-${option.name}`);
        return [option.name, option.type === 'flag' ? value !== null
            : option.type === 'number' ? Number(value) : value];
    }));
}

/** @param {Brief} game @param {HTMLFormElement} node @param {any} board
 * @param {any} pace */
async function params(game, node, board, pace) {
    const data = new FormData(node);
    const invite = String(data.get('invite')).split(/\s+/).filter(Boolean);
    const password = String(data.get('password'));
    return {
        game: game.name,
        seats: Number(data.get('seats')),
        options: options(game, node),
        private: data.has('private'),
        spectators: data.has('spectators'),
        start: data.has('manual') ? 'manual' : 'full',
        ...password && {password},
        ...invite.length > 0 && {invite},
        ...data.get('bots') && {bots: botsOf(data)},
        ...pace.terms(data),
        ...board && await board.params(),
    };
}

/** Builtin, from a file, or generated, with a picture of it.
 * @param {Brief} game @param {string} [first] The one that is chosen. */
function boardOf(game, first = game.boards[0]) {
    /** @type {string | null} */
    let text = null;
    let seed = Math.floor(Math.random() * 2 ** 31);
    const kind = core.assetKind(game);
    const looks = game.boards.map(() => h('span', {class: 'look'}));
    const way = choice(t('Board'), 'board', [
        ...game.boards.map((name, i) => ({value: name, text: human(name, game.name),
            look: looks[i]})),
        ...kind ? [{value: ' file', text: t('From a file …')}] : [],
        ...kind?.parameters[0] ? [{value: ' made', text: t('Generated …')}] : [],
    ], first);
    const picked = () => /** @type {HTMLInputElement} */ (
        way.querySelector(':checked')).value;
    const formOf = () => /** @type {HTMLFormElement} */ (way.closest('form'));
    const file = h('input', {type: 'file',
        accept: `.${kind?.format},text/plain`, onchange: async () => {
            const given = file.files?.[0];
            text = kind && given && given.size <= kind.bytes_max
                ? await given.text() : null;
            show(formOf());
        }});
    const fileRow = label(t('A .{format} file, {size} kB at most', {
        format: kind?.format, size: Math.ceil((kind?.bytes_max ?? 0) / 1024),
    }), file);
    const madeRow = h('div', {class: 'row'},
        kind?.parameters.map(({name, max, words, offered}) =>
            label(human(name, game.name), words.length
                ? h('select', {name: `made-${name}`}, words.map((word, i) =>
                    h('option', {value: word, selected: i === offered},
                        human(word, game.name))))
                : h('input', {type: 'number', name: `made-${name}`, min: 0,
                    max, value: offered < 0 ? '' : offered}))),
        h('button', {type: 'button', onclick: () => {
            seed = Math.floor(Math.random() * 2 ** 31);
            show(formOf());
        }}, t('Another one')));
    const thumb = h('div', {class: 'thumb', role: 'status'});
    let turn = 0;

    function recipe() {
        /** @type {{[name: string]: any}} */
        const made = {seed};
        /** @type {NodeListOf<HTMLInputElement>} */
        const fields = madeRow.querySelectorAll('input, select');
        for (const {name, type, value} of fields)
            if (value !== '')
                made[name.slice(5)] = type === 'number' ? Number(value)
                    : value;
        return made;
    }

    function chosen() {
        return picked() === ' file' ? {[kind?.format ?? '']: text ?? ''}
            : picked() === ' made' ? {generate: recipe()}
                : {builtin: picked()};
    }

    /** As the core takes it. @returns {any} */
    function laid() {
        return picked() === ' file' ? {text: text ?? ''}
            : picked() === ' made' ? core.generate(game, recipe())
                : chosen();
    }

    /** @param {HTMLFormElement} form */
    async function show(form) {
        const mine = ++turn;
        fileRow.hidden = picked() !== ' file';
        madeRow.hidden = picked() !== ' made';
        if (picked() === ' file' && text === null) {
            fill(thumb, h('p', {class: 'muted'}, t('Choose a file.')));
            return;
        }
        const board = laid();
        const answer = board?.problem ? board : core.setup(game,
            Number(new FormData(form).get('seats')), options(game, form),
            board);
        const small = await thumbOf(game.name).catch(() => null);
        if (mine !== turn)
            return;
        const {problem, state} = /** @type {any} */ (answer ?? {});
        fill(thumb, problem
            ? h('p', {class: 'bad'}, problem.line
                ? `${t('Line {line}', {line: problem.line})}: ` : '',
            t(problem.text))
            : state && h('div', {class: 'look', role: 'img', 'aria-label':
                t('The board')}, small?.picture(state)));
    }

    // Pictures of what there is, one after the other: none is waited for.
    thumbOf(game.name).then((small) => game.boards.forEach((name, i) =>
        setTimeout(() => {
            const {options: given, seats_min: least} = game;
            const fits = core.fit(game, least, Object.fromEntries(
                given.map((option) => [option.name, option.default])),
            {builtin: name}, 'board');
            const {state} = fits && core.setup(game, fits.seats, fits.options,
                {builtin: name}) || {};
            if (state && small)
                fill(looks[i], small.picture(state));
        })), () => {});

    return {
        node: h('div', null, way, fileRow, madeRow), thumb, show, laid, chosen,
        params: () => ({board: chosen()}),
    };
}
