// create.js -- making a table, with all a game offers.

import * as core from './core.js';
import {fill, h} from './dom.js';
import {go, loginAddress} from './frame.js';
import {games, human, moduleOf, optionSaid} from './games.js';
import {t} from './i18n.js';
import * as net from './net.js';

/** @typedef {import('./types.js').Brief} Brief */

/** @param {string} name @param {string[]} rest */
export default async function create(name, rest) {
    if (!net.status.user) {
        go(loginAddress());
        return {title: t('New table'), node: h('p', {class: 'wait'},
            t('Log in first.'))};
    }
    const [known] = await Promise.all([games(), core.load()]);
    const game = known.find((g) => g.name === rest[0]);
    return {
        title: t('New table'),
        node: h('div', {class: 'wide'}, h('h1', null, t('New table')),
            h('nav', {class: 'row', 'aria-label': t('Game')},
                known.map((g) => h('a', {class: 'button',
                    href: `#new/${g.name}`,
                    'aria-current': g === game && 'page'}, g.title))),
            game ? form(game) : h('p', {class: 'muted'},
                t('Choose a game.'))),
    };
}

/** @param {string} text @param {any} input */
const label = (text, input) => h('label', null, h('span', null, text), input);

/** @param {string} text @param {string} name @param {boolean} [on] */
const check = (text, name, on) => h('label', {class: 'check'},
    h('input', {type: 'checkbox', name, checked: on}), h('span', null, text));

/** @param {import('./types.js').Option} option */
function optionField(option) {
    const name = `option-${option.name}`;
    if (option.type === 'flag')
        return h('div', null, check(human(option.name), name, option.default),
            h('p', {class: 'muted small'}, t(option.text)));
    const input = option.type === 'word'
        ? h('select', {name}, option.words?.map((word) => h('option',
            {value: word, selected: word === option.default}, human(word))))
        : h('input', {type: 'number', name, min: option.min, max: option.max,
            value: option.default, required: true});
    return h('div', null, label(human(option.name), input),
        h('p', {class: 'muted small'}, t(option.text)));
}

/** @param {Brief} game */
function form(game) {
    const seats = h('select', {name: 'seats'}, Array.from(
        {length: game.seats_max - game.seats_min + 1}, (_, i) => {
            const n = game.seats_min + i;
            return h('option', {value: n}, String(n));
        }));
    const board = game.asset_kind === 'board' ? boardOf(game) : null;
    const wrong = h('p', {class: 'bad', role: 'alert'});
    const too = h('p', {role: 'status'});
    const node = h('form', {onsubmit: send, onchange: (
        /** @type {Event} */ event) => {
        settle(game, node, board, /** @type {any} */ (event.target).name, too);
        board?.show(node);
    }},
        h('fieldset', null, h('legend', null, game.title),
            label(t('Seats'), seats), game.options.map(optionField), too),
        board?.node,
        h('fieldset', null, h('legend', null, t('Who and how')),
            check(t('Private: only who is invited or has the password'),
                'private'),
            label(t('Password (optional)'), h('input', {name: 'password',
                maxlength: 64, autocomplete: 'off'})),
            label(t('Invite (names, with blanks between)'),
                h('input', {name: 'invite', autocomplete: 'off',
                    pattern: '[A-Za-z0-9_\\- ]*'})),
            check(t('Spectators may watch'), 'spectators', true),
            check(t('Rated'), 'rated'),
            check(t('I start it by hand, also with empty seats'), 'manual')),
        wrong,
        h('div', {class: 'row'}, h('button', {class: 'main'},
            t('Open the table'))));
    const key = net.key();

    /** @param {Event} event */
    async function send(event) {
        event.preventDefault();
        fill(wrong);
        try {
            const given = await params(game, node, board);
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
    board?.show(node);
    return node;
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
        said.push(`${t('Board')}: ${human(fits.board)}`);
    }
    for (const [name, value] of Object.entries(fits?.options ?? {}))
        if (value !== was[name]) {
            const input = field(node, `option-${name}`);
            if (value === Boolean(value))
                input.checked = value;
            else
                input.value = value;
            said.push(optionSaid(name, value));
        }
    fill(too, said.length > 0 && t('With it: {what}',
        {what: said.join(', ')}));
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

/** @param {Brief} game @param {HTMLFormElement} node @param {any} board */
async function params(game, node, board) {
    const data = new FormData(node);
    const invite = String(data.get('invite')).split(/\s+/).filter(Boolean);
    const password = String(data.get('password'));
    return {
        game: game.name,
        seats: Number(data.get('seats')),
        options: options(game, node),
        private: data.has('private'),
        spectators: data.has('spectators'),
        rated: data.has('rated'),
        start: data.has('manual') ? 'manual' : 'full',
        ...password && {password},
        ...invite.length > 0 && {invite},
        ...board && await board.params(),
    };
}

/** Builtin, from a file, or generated, with a picture of it.
 * @param {Brief} game */
function boardOf(game) {
    /** @type {string | null} */
    let text = null;
    let seed = Math.floor(Math.random() * 2 ** 31);
    const kind = core.assetKind(game);
    const way = h('select', {name: 'board'},
        game.boards.map((name) => h('option', {value: name}, human(name))),
        kind && h('option', {value: ' file'}, t('From a file …')),
        kind?.parameters[0] && h('option', {value: ' made'},
            t('Generated …')));
    const file = h('input', {type: 'file',
        accept: `.${kind?.format},text/plain`, onchange: async () => {
            const given = file.files?.[0];
            text = kind && given && given.size <= kind.bytes_max
                ? await given.text() : null;
            show(/** @type {HTMLFormElement} */ (way.form));
        }});
    const fileRow = label(t('A .{format} file, {size} kB at most', {
        format: kind?.format, size: Math.ceil((kind?.bytes_max ?? 0) / 1024),
    }), file);
    const madeRow = h('div', {class: 'row'},
        kind?.parameters.map(({name, max, words, offered}) =>
            label(human(name), words.length
                ? h('select', {name: `made-${name}`}, words.map((word, i) =>
                    h('option', {value: word, selected: i === offered},
                        human(word))))
                : h('input', {type: 'number', name: `made-${name}`, min: 0,
                    max, value: offered < 0 ? '' : offered}))),
        h('button', {type: 'button', onclick: () => {
            seed = Math.floor(Math.random() * 2 ** 31);
            show(/** @type {HTMLFormElement} */ (way.form));
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
        return way.value === ' file' ? {[kind?.format ?? '']: text ?? ''}
            : way.value === ' made' ? {generate: recipe()}
                : {builtin: way.value};
    }

    /** As the core takes it. @returns {any} */
    function laid() {
        return way.value === ' file' ? {text: text ?? ''}
            : way.value === ' made' ? core.generate(game, recipe())
                : chosen();
    }

    /** @param {HTMLFormElement} form */
    async function show(form) {
        const mine = ++turn;
        fileRow.hidden = way.value !== ' file';
        madeRow.hidden = way.value !== ' made';
        if (way.value === ' file' && text === null) {
            fill(thumb, h('p', {class: 'muted'}, t('Choose a file.')));
            return;
        }
        const board = laid();
        const answer = board?.problem ? board : core.setup(game,
            Number(new FormData(form).get('seats')), options(game, form),
            board);
        const module = await moduleOf(game.name).catch(() => null);
        if (mine !== turn)
            return;
        const {problem, state} = /** @type {any} */ (answer ?? {});
        fill(thumb, problem
            ? h('p', {class: 'bad'}, problem.line
                ? `${t('Line {line}', {line: problem.line})}: ` : '',
            t(problem.text))
            : state && module?.thumbnail?.(state,
                {t: (/** @type {string} */ key, /** @type {any} */ args) =>
                    t(key, args, game.name)}));
    }

    return {
        node: h('fieldset', null, h('legend', null, t('Board')), label(t('Which'), way), fileRow, madeRow, thumb),
        show, laid,
        params: () => ({board: chosen()}),
    };
}
