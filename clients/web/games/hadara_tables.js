// hadara_tables.js -- the numbers of Hadara: those of a version of the standard
// tables, as the core keeps them, or those that a table brought itself.

import {loaded, spelledOut} from '../core.js';
import {served} from '../dom.js';

export const TRACKS = ['income', 'military', 'culture', 'food'];

/**
 * @typedef {object} Card
 * @property {number} cost
 * @property {{[track: string]: number}} values
 * @property {number} points
 * @property {string | null} effect
 * @property {boolean} [estimate] Not known from the printed game.
 *
 * @typedef {object} Tables
 * @property {{[id: string]: Card}} cards
 * @property {{requirement: number, plunder: number, integrate: number,
 *     points: number, backs: {values: {[track: string]: number},
 *     points: number}[]}[]} colonies
 * @property {{requirement: number, points: number, bonus: number}[]} statues
 * @property {{[side: string]: {coins: number,
 *     values: {[track: string]: number}}}[]} setup_cards
 */

/**
 * @param {string} text
 * @returns {{[column: string]: any}[]}
 */
function rows(text) {
    const [head, ...lines] = text.trim().split('\n').map(
        (line) => line.trim().split(','));
    return lines.map((line) => Object.fromEntries(head.map((column, n) =>
        [column, /^\d+$/.test(line[n]) ? Number(line[n]) : line[n] ?? ''])));
}

/** @param {any} row @param {string} [before] */
const values = (row, before = '') => Object.fromEntries(
    TRACKS.map((track) => [track, row[before + track]]));

/**
 * @param {import('../types.js').View} view
 * @param {import('../types.js').Rules} rules
 * @returns {Promise<Tables>}
 */
export async function tables(view, rules) {
    const state = view.game_state;
    if (state.tables)
        return state.tables;
    const told = spelledOut(view, rules)?.tables;
    return told ? doubted(told, rules) : files(state.version);
}

/** With the cards marked that the rules call estimates.
 * @param {Tables} told @param {import('../types.js').Rules} rules */
function doubted(told, rules) {
    const doubts = rules.notes.filter((note) =>
        /^epoch_cards\.csv: (estimate|doubtful)/.test(note)).join();
    for (const [id, card] of Object.entries(told.cards))
        card.estimate = doubts.includes(id);
    return told;
}

/** @type {Map<number, Promise<Tables>>} */
const known = new Map();

/** Where there is no core in the page, or not yet: from the files it is made of.
 * @param {number} version */
function files(version) {
    const read = known.get(version) ?? fetched(version);
    known.set(version, read);
    read.catch(() => known.delete(version)); // they may come the next time
    return read;
}

if (!loaded())
    files(1); // it will be these, in all likelihood

/** @param {number} version @returns {Promise<Tables>} */
async function fetched(version) {
    const [cards, levels, statues, sides] = await Promise.all(
        ['epoch_cards', 'colonies', 'statues', 'setup_cards'].map(async (name) =>
            rows(await (await fetch(served(
                `hadara/data/${version}/${name}.csv`))).text())));
    /** @type {Tables} */
    const found = {cards: {}, colonies: [], setup_cards: [],
                   statues: statues.map((row) => ({
                       requirement: row.culture_requirement,
                       points: row.points, bonus: row.bonus}))};
    for (const row of cards)
        found.cards[row.id] = {
            cost: row.cost, values: values(row), points: row.points,
            effect: row.effect || null,
            estimate: /estimate|doubtful/.test(row.provenance)};
    for (const row of levels) {
        found.colonies[row.level - 1] ??= {
            requirement: row.requirement, plunder: row.plunder_coins,
            integrate: row.integrate_cost, points: row.front_points, backs: []};
        found.colonies[row.level - 1].backs.push({
            values: values(row, 'back_'), points: row.back_points});
    }
    for (const row of sides)
        (found.setup_cards[row.initiative - 1] ??= {})[
            row.side.toLowerCase()] = {coins: row.coins, values: values(row)};
    return found;
}

/** What stands on a track. @type {{[track: string]: string}} */
const KIND = {military: 'colony', culture: 'statue'};

/** Whether a colony or statue is taken. @param {any} player
 * @param {string} kind @param {number} n */
const taken = (player, kind, n) => Boolean(kind === 'colony'
    ? player.colonies[n].mode : player.statues[n].tile);

/** What colonies or statues there are, the nearest first, and what they need of
 * that player.
 * @param {any} player @param {string} track
 * @param {Tables} numbers */
export function goals(player, track, numbers) {
    const kind = KIND[track];
    return (kind === 'colony' ? numbers.colonies : kind === 'statue'
        ? numbers.statues : []).map((of, n) => ({
        n: n + 1, kind, points: of.points, need: player.requirements[kind === 'colony' ? 'colonies' : 'statues'][n],
        has: taken(player, kind, n)}));
}
