// qr.js -- a text as a QR code (ISO/IEC 18004): bytes, versions 1 to 10, level L,
// which is up to 271 bytes and all that an otpauth:// link needs.
//
// The mask is always the first: readers take any, and what is shown here is
// not so regular that another would be easier to read.

import {svg} from './dom.js';

/** By version from 1: codewords of it all, for correction in a block, blocks. */
const SIZES = [[26, 7, 1], [44, 10, 1], [70, 15, 1], [100, 20, 1], [134, 26, 1],
    [172, 18, 2], [196, 20, 2], [242, 24, 2], [292, 30, 2], [346, 18, 4]];
const FORMAT = 0x77c4; // level L, mask 0, with its correction
/** From version 7 on, with its correction. */
const VERSIONS = [0x07c94, 0x085bc, 0x09a99, 0x0a4d3];

// ---- correction: polynomials over GF(256) -----------------------------------------

const exp = new Uint8Array(512), log = new Uint8Array(256);
for (let i = 0, x = 1; i < 255; i++) {
    exp[i] = exp[i + 255] = x;
    log[x] = i;
    x = x << 1 ^ (x > 127 ? 0x11d : 0);
}
/** @param {number} a @param {number} b */
const times = (a, b) => a && b ? exp[log[a] + log[b]] : 0;

/** The rest of DATA by the generator of degree COUNT.
 * @param {number[]} data @param {number} count */
function correction(data, count) {
    let generator = [1];
    for (let i = 0; i < count; i++)
        generator = [...generator, 0].map((c, k) =>
            c ^ times(generator[k - 1] ?? 0, exp[i]));
    const rest = [...data, ...Array(count).fill(0)];
    for (let i = 0; i < data.length; i++) {
        const factor = rest[i];
        generator.forEach((c, k) => rest[i + k] ^= times(c, factor));
    }
    return rest.slice(data.length);
}

/** All codewords, the blocks dealt out in turn.
 * @param {Uint8Array} bytes @param {number} version */
function codewords(bytes, version) {
    const [all, check, count] = SIZES[version - 1];
    const room = all - check * count;
    let bits = '0100' + bytes.length.toString(2).padStart(
        version < 10 ? 8 : 16, '0');
    for (const byte of bytes)
        bits += byte.toString(2).padStart(8, '0');
    bits = (bits + '0000').slice(0, 8 * room);
    bits += '0'.repeat(-bits.length & 7);
    const data = (bits.match(/.{8}/g) ?? []).map((word) => parseInt(word, 2));
    for (let pad = 0; data.length < room; pad++)
        data.push(pad % 2 ? 0x11 : 0xec);
    // The last blocks are longer by one where it does not come out even.
    const short = Math.floor(room / count), longer = room % count;
    const blocks = [];
    for (let i = 0, at = 0; i < count; i++) {
        const len = short + (i >= count - longer ? 1 : 0);
        blocks.push(data.slice(at, at += len));
    }
    const checks = blocks.map((block) => correction(block, check));
    const dealt = (/** @type {number[][]} */ lists) =>
        Array.from({length: Math.max(...lists.map((l) => l.length))}, (_, i) =>
            lists.map((list) => list[i])).flat()
            .filter((word) => word !== undefined);
    return [...dealt(blocks), ...dealt(checks)];
}

// ---- the picture ---------------------------------------------------------------------

/** Where the middles of alignment marks are. @param {number} version */
function marks(version) {
    const last = 4 * version + 10;
    return version === 1 ? [] : version < 7 ? [6, last]
        : [6, (last + 6) / 2, last];
}

/**
 * Rows of dark (true) and light modules.
 * @param {string} text
 * @returns {boolean[][]}
 */
export function modules(text) {
    const bytes = new TextEncoder().encode(text);
    const version = 1 + SIZES.findIndex(([all, check, count], i) =>
        bytes.length + (i < 9 ? 2 : 3) <= all - check * count);
    if (version === 0)
        throw new Error('too long for a QR code');
    const size = 4 * version + 17;
    /** @type {(boolean | undefined)[][]} */
    const grid = Array.from({length: size}, () => Array(size).fill(undefined));
    const put = (/** @type {number} */ x, /** @type {number} */ y,
        /** @type {any} */ dark) => {
        if (grid[y] && x >= 0 && x < size)
            grid[y][x] = Boolean(dark);
    };
    const square = (/** @type {number} */ x, /** @type {number} */ y,
        /** @type {number} */ far, /** @type {number[]} */ light) => {
        for (let dy = -far; dy <= far; dy++)
            for (let dx = -far; dx <= far; dx++)
                put(x + dx, y + dy, !light.includes(
                    Math.max(Math.abs(dx), Math.abs(dy))));
    };
    for (let i = 0; i < size; i++) {
        put(i, 6, i % 2 === 0);
        put(6, i, i % 2 === 0);
    }
    for (const [x, y] of [[3, 3], [size - 4, 3], [3, size - 4]])
        square(x, y, 4, [2, 4]);
    const at = marks(version);
    for (const x of at)
        for (const y of at)
            if (!(x === 6 && y === 6 || x === 6 && y === size - 7 ||
                x === size - 7 && y === 6))
                square(x, y, 2, [1]);
    for (let i = 0; i < 15; i++) { // twice, around the corners
        const bit = FORMAT >> i & 1;
        put(8, i < 6 ? i : i < 8 ? i + 1 : size - 15 + i, bit);
        put(i < 8 ? size - 1 - i : i < 9 ? 7 : 14 - i, 8, bit);
    }
    put(8, size - 8, true);
    for (let i = 0; version > 6 && i < 18; i++) {
        const bit = VERSIONS[version - 7] >> i & 1;
        put(size - 11 + i % 3, Math.floor(i / 3), bit);
        put(Math.floor(i / 3), size - 11 + i % 3, bit);
    }
    // The rest in columns of two, up and down from the right.
    const words = codewords(bytes, version);
    let n = 0;
    for (let right = size - 1, up = true; right > 0; right -= 2, up = !up) {
        if (right === 6) // that is the timing pattern's
            right = 5;
        for (let i = 0; i < size; i++)
            for (const x of [right, right - 1]) {
                const y = up ? size - 1 - i : i;
                if (grid[y][x] !== undefined)
                    continue;
                const bit = (words[n >> 3] ?? 0) >> (7 - n % 8) & 1;
                n++;
                grid[y][x] = Boolean(bit) !== ((x + y) % 2 === 0);
            }
    }
    return /** @type {boolean[][]} */ (grid);
}

/** @param {string} text @param {string} label */
export function picture(text, label) {
    const rows = modules(text), size = rows.length + 8;
    const path = rows.flatMap((row, y) => row.map((dark, x) =>
        dark ? `M${x + 4} ${y + 4}h1v1h-1z` : '')).join('');
    return svg('svg', {viewBox: `0 0 ${size} ${size}`, class: 'qr', role: 'img',
        'aria-label': label},
    svg('rect', {width: size, height: size, fill: '#fff'}),
    svg('path', {d: path, fill: '#000'}));
}
