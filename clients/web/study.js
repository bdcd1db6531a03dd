// study.js -- a study: positions of a table, the moves that somebody tried from
// them, as a tree, and what they think of them.  As text it is what table.study
// keeps (protocol/README.md, Studies); the terminal reads and writes the same.
//
// There is nothing of the page or of the rules in here: a move is its words.

/**
 * @typedef {object} Node A move that was tried.
 * @property {number | null} seat Who made it; null: chance.
 * @property {string} move As core/text.h writes moves.
 * @property {string} text What one thinks of it.
 * @property {Node[]} then What was tried next; the first is the main line.
 *
 * @typedef {object} Root A position that one began from.
 * @property {number} ply Of the table.
 * @property {string} as Who saw it so: a seat's number, `watcher` or `all`.
 * @property {number} guess Which guess of what is hidden.
 * @property {string} text
 * @property {Node[]} then
 *
 * @typedef {Root[]} Study
 */

export const BYTES = 16000; // that are kept; as protocol/methods/types.h has it
const DEPTH = 2000;

/** @param {string} text */
const comment = (text) => text === '' ? []
    : text.split('\n').map((line) => `"${line}`);

/** @param {Node[]} nodes @param {number} depth @returns {string[]} */
const linesOf = (nodes, depth) => nodes.flatMap((node) => [
    `${depth} ${node.seat ?? '-'} ${node.move}`, ...comment(node.text),
    ...linesOf(node.then, depth + 1)]);

/** @param {Study} study */
export const written = (study) => study.flatMap((root) => [
    `from ${root.ply} ${root.as} ${root.guess}`, ...comment(root.text),
    ...linesOf(root.then, 1)]).join('\n');

/** What a text says: what is no study in it is passed over, with all that hangs
 * on it. @param {string} text @returns {Study} */
export function read(text) {
    /** @type {Study} */
    const study = [];
    /** The last root and, behind it, the moves that lead to the last one.
     * @type {any[]} */
    let path = [];
    for (const line of text.split('\n')) {
        const from = /^from (\d{1,9}) (\d|watcher|all) (\d{1,10})$/.exec(line);
        const move = /^(\d{1,4}) (\d|-) ([a-z_]+(?: [a-z0-9_]+=\S+)*)$/
            .exec(line);
        if (from) {
            const [, ply, as, guess] = from;
            path = [{ply: Number(ply), as, guess: Number(guess), text: '',
                then: []}];
            study.push(path[0]);
        } else if (move) {
            const depth = Number(move[1]);
            if (depth < 1 || depth > Math.min(path.length, DEPTH))
                continue;
            const node = {seat: move[2] === '-' ? null : Number(move[2]),
                move: move[3], text: '', then: []};
            path.length = depth;
            path[depth - 1].then.push(node);
            path.push(node);
        } else if (line.startsWith('"') && path.length > 0) {
            const at = path[path.length - 1];
            at.text = at.text === '' ? line.slice(1)
                : `${at.text}\n${line.slice(1)}`;
        }
    }
    return study;
}

/** Moves in a tree. @param {{then: Node[]}} root @returns {number} */
export const count = (root) => root.then.reduce((sum, node) =>
    sum + 1 + count(node), 0);

/** What of it is worth keeping: where something was tried or said.
 * @param {Study} study */
export const kept = (study) =>
    study.filter((root) => root.then.length > 0 || root.text !== '');

/** A record with its study, for a file. @param {any} about The table.
 * @param {string[] | null} record Its lines; null: it is not over.
 * @param {Study} study */
export const annotated = (about, record, study) => `${JSON.stringify({
    format: 'sobremesa study', version: 1, table: about.table,
    game: about.game, record,
    study: read(written(kept(study))), // without what the page made of it
}, null, 1)}\n`;

/** What stands in such a file, or null. @param {string} text
 * @returns {{record: string[], study: Study} | null} */
export function opened(text) {
    /** @type {any} */
    let all;
    try {
        all = JSON.parse(text);
    } catch {
        return null;
    }
    if (all?.format !== 'sobremesa study' || !Array.isArray(all.record) ||
        !Array.isArray(all.study))
        return null;
    // By way of its text, so that nothing else gets in.
    try {
        return {record: all.record.map(String), study: read(written(all.study))};
    } catch {
        return null;
    }
}
