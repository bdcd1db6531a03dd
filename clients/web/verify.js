// verify.js -- replays a finished game's record in the page: every move by the
// rules, every draw from the seed, every hash of the chain, and whether the
// chain heads that this browser saw during play are in it.

import * as core from './core.js';
import {t} from './i18n.js';
import * as net from './net.js';
import {canonical} from './patch.js';

/** @typedef {import('./types.js').Rules} Rules */
/** @typedef {{good: boolean, text: string}} Verdict */

const OVER = [2, 3, 4]; // enum audit_state: finished, resigned, timeout
const FORMATS = ['sobremesa-record/1', 'sobremesa-record/2'];

/** What is wrong with a record. */
export class Wrong extends Error {}

/** @param {boolean} right @param {string} text */
function must(right, text) {
    if (!right)
        throw new Wrong(text);
}

/** @param {any} object @param {string} name */
function without(object, name) {
    const {[name]: out, ...rest} = object;
    return rest;
}

/** @param {string} table @param {typeof net.ask} ask */
async function record(table, ask) {
    /** @type {string[]} */
    const lines = [];
    /** @type {number | undefined} */
    let from = 0;
    while (from !== undefined) {
        /** @type {any} */
        const answer = await ask('table.record', {table, from});
        lines.push(...answer.lines);
        from = answer.next;
    }
    return lines;
}

/**
 * @param {string} table
 * @param {Rules} rules
 * @param {typeof net.ask} ask Of whom the record is asked.
 * @returns {Promise<Verdict[]>}
 */
export async function verify(table, rules, ask) {
    if (!await core.load('logs'))
        return [{good: false, text: t('This browser cannot run the rules (no WebAssembly). Download the record and use `sobremesa verify`.')}];
    const lines = await record(table, ask);
    /** @type {string[]} */
    const chains = [];
    try {
        const moves = check(lines, rules, chains);
        return [
            {good: true, text: t('The seed is the one the server committed itself to before the game.')},
            {good: true, text: t('All {moves} moves follow the rules, and every draw comes of the seed and the players\' numbers.', {moves})},
            {good: true, text: t('All {count} hashes are right: nothing was changed, left out or put in.', {count: chains.length})},
            ...seen(table, chains),
        ];
    } catch (why) {
        if (!(why instanceof Wrong))
            throw why;
        return [{good: false, text: why.message}];
    }
}

/** @param {string} table @param {string[]} chains @returns {Verdict[]} */
function seen(table, chains) {
    const heads = Object.entries(net.heads(table));
    const bad = heads.filter(([ply, head]) =>
        !chains[Number(ply)]?.startsWith(head));
    if (heads.length === 0)
        return [{good: true, text: t('This browser saw nothing of the game while it was played, so there is nothing to compare.')}];
    return bad.length === 0
        ? [{good: true, text: t('All {count} states that this browser saw during play are in the record.', {count: heads.length})}]
        : [{good: false, text: t('At move {ply} this browser saw another game than the record tells.', {ply: bad[0][0]})}];
}

/** Begins the log that HEADER is the first line of. @param {any} header
 * @param {Rules} rules */
export function begin(header, rules) {
    const why = core.logBegin(rules, header);
    must(why === null, t('The game cannot be set up like that: {text}',
        {text: why?.text}));
}

/** Holds a record against the rules, the draws and the hashes; throws Wrong.
 * @param {string[]} lines @param {Rules} rules @param {string[]} chains
 * @param {(line: any) => void} [each] Called after each of its entries.
 * @returns {number} How many moves there were. */
export function check(lines, rules, chains, each) {
    const [header, ...rest] = lines.map((line) => JSON.parse(line));
    const footer = rest.pop();
    const hash = (/** @type {string} */ text) =>
        /** @type {string} */ (core.sha256(text));
    must(FORMATS.includes(header.format) && footer !== undefined &&
        (header.format === FORMATS[1]) === Boolean(header.pace),
        t('This is no record that this page knows.'));
    must(hash(`sobremesa-commit ${header.table} ${header.game} ` +
        `${header.revision} ${header.seed}`) === header.commitment,
    t('The seed is not the one the server committed itself to.'));
    begin(header, rules);
    let moves = 0;
    rest.forEach((line, ply) => {
        const at = t('Ply {ply}', {ply});
        must(line.ply === ply, `${at}: ${t('a ply is missing.')}`);
        const chain = ply === 0 ? hash(canonical(without(header, 'players')))
            : hash(`${chains[ply - 1]} ` +
                `${hash(`sobremesa-salt ${header.seed} ${ply}`)} ` +
                canonical(without(line, 'chain')));
        must(chain === line.chain,
            `${at}: ${t('the hash is not that of what came before.')}`);
        chains.push(chain);
        const wrong = step(line);
        must(wrong === null, `${at}: ${t(wrong?.text ?? '')}`);
        each?.(line);
        moves += Number(line.kind === 'move' && line.seat !== 'nature');
    });
    const end = core.logEnd();
    must(end === null, t(end?.text ?? ''));
    must(footer.chain === chains[chains.length - 1],
        t('The last hash is another.'));
    result(footer.result);
    return moves;
}

/** The log's next entry; what is wrong, or null. @param {any} line */
export function step(line) {
    const kind = core.kinds().indexOf(line.kind);
    must(kind >= 0, t('This page does not know "{kind}".', {kind: line.kind}));
    const seat = line.seat === 'nature' ? core.NATURE : line.seat ?? -1;
    const number = line.decision ?? line.undoes ?? line.to ??
        (line.seats ?? []).reduce((/** @type {number} */ bits,
            /** @type {number} */ s) => bits | 1 << s, 0);
    return core.logStep(kind, seat, number, line.move ?? line.nonce ?? null,
        line);
}

/** @param {any} told */
function result(told) {
    const is = core.logScore();
    must(OVER.includes(is.state),
        t('The game was not over.'));
    must(told.places.length === is.seats.length && is.seats.every((seat, i) =>
        seat.place === told.places[i] && seat.total === told.totals[i]),
    t('The result is another.'));
}
