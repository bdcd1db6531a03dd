// hacienda_hexes.js -- where the hexes of a board lie, what they are called, and
// what is next to what: core/games/hacienda/board.h in the page's words.
//
// A board is COLUMNS rows of pointy-top hexes and ROWS half hexes wide; hexes
// are numbered in reading order, void included, and named C7.

/** The radius of a hex in the units of the picture, and half its width. */
export const RADIUS = 20;
export const HALF = RADIUS * Math.sqrt(3) / 2;

/**
 * @typedef {object} Hex
 * @property {number} x The middle, in the units of the picture.
 * @property {number} y
 * @property {number} row
 * @property {string} name
 * @property {number[]} near Neighbours: W, E, NW, NE, SW, SE; -1 for none.
 */

/**
 * @param {number} columns
 * @param {number} rows
 */
export function hexBoard(columns, rows) {
    /** @type {Hex[]} */
    const hexes = [];
    /** @type {Map<string, number>} */
    const named = new Map();
    /** @type {Map<number, number>} */
    const placed = new Map();
    for (let row = 0; row < columns; row++) {
        const letters = letter(row);
        for (let x = (rows + row) & 1, k = 1; x < rows; x += 2, k++) {
            const name = letters + k;
            named.set(name, hexes.length);
            placed.set(row * 200 + x, hexes.length);
            hexes.push({x: (x + 1) * HALF, y: (1.5 * row + 1) * RADIUS, row,
                        name, near: [x]});
        }
    }
    for (const hex of hexes) {
        const [x] = hex.near;
        hex.near = [[-2, 0], [2, 0], [-1, -1], [1, -1], [-1, 1], [1, 1]]
            .map(([dx, dy]) => x + dx < 0 ? -1
                : placed.get((hex.row + dy) * 200 + x + dx) ?? -1);
    }
    return {hexes, named, width: (rows + 1) * HALF,
            height: (1.5 * columns + 0.5) * RADIUS};
}

/**
 * The letters of a row: A to Z, AA and so on.
 * @param {number} row
 * @returns {string}
 */
export function letter(row) {
    return (row >= 26 ? letter(Math.floor(row / 26) - 1) : '')
        + String.fromCharCode(65 + row % 26);
}

/**
 * The outline of a hex around 0, 0, of so much of its RADIUS.
 * @param {number} [share]
 */
export function outline(share = 1) {
    const r = RADIUS * share;
    const a = (HALF * share).toFixed(2);
    return `M0 ${-r}L${a} ${-r / 2}V${r / 2}L0 ${r}L-${a} ${r / 2}V${-r / 2}Z`;
}

/**
 * The edge that a hex has towards its neighbour of number WAY, of so much of its
 * RADIUS.
 * @param {Hex} hex
 * @param {number} way
 * @param {number} [share]
 */
export function edge({x, y}, way, share = 1) {
    const [a, b] = [[3, 4], [0, 1], [4, 5], [5, 0], [2, 3], [1, 2]][way];
    const corner = (/** @type {number} */ n) => {
        const angle = (60 * n - 30) * Math.PI / 180;
        return `${(x + share * RADIUS * Math.cos(angle)).toFixed(1)} ${
            (y + share * RADIUS * Math.sin(angle)).toFixed(1)}`;
    };
    return `M${corner(a)}L${corner(b)}`;
}

/**
 * The connected groups of hexes: those with the same key, where it is not ''.
 * Gives each hex all of its group, or none.
 * @param {Hex[]} hexes
 * @param {(hex: number) => string} key
 * @returns {number[][]}
 */
export function groups(hexes, key) {
    /** @type {number[][]} */
    const found = hexes.map(() => []);
    hexes.forEach((_, from) => {
        const mine = key(from);
        if (mine === '' || found[from].length > 0)
            return;
        const group = [from];
        found[from] = group;
        for (const at of group)
            for (const to of hexes[at].near)
                if (to >= 0 && found[to].length === 0 && key(to) === mine) {
                    found[to] = group;
                    group.push(to);
                }
    });
    return found;
}
