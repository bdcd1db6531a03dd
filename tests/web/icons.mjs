// icons.mjs -- draws the icons of the installed page, which have to be PNG, from
// icon.svg: `node tests/web/icons.mjs`.  They are committed; this is how they
// were made, and are made again when icon.svg changes.
//
// Sixteen colours are enough for two and what lies between them.

import { readFileSync, writeFileSync } from 'node:fs';
import { crc32, deflateSync } from 'node:zlib';

import { browser } from './support.mjs';

const FOLDER = 'clients/web';
const cup = readFileSync(`${FOLDER}/icon.svg`, 'utf8')
    .replace(/^<svg[^>]*><rect[^>]*>|<\/svg>\s*$/g, '');
const ground = (round) =>
    `<rect width="32" height="32" rx="${round}" fill="#8a3b1c"/>`;

// What is masked keeps away from the edge; the badge is only a shape.
const ICONS = [
    ['icon-192.png', 192, '0 0 32 32', ground(8) + cup],
    ['icon-512.png', 512, '0 0 32 32', ground(8) + cup],
    ['icon-mask.png', 512, '0 0 32 32',
        `${ground(0)}<g transform="translate(.4 2.2) scale(.92)">${cup}</g>`],
    ['badge.png', 96, '4 3 24 24', cup.replaceAll('#fdf8f0', '#fff')],
];

/** The pixels of a drawing, four bytes each. */
const draw = (page, size, box, inside) => page.evaluate(async ([n, text]) => {
    const picture = new Image(n, n);
    picture.src = `data:image/svg+xml,${encodeURIComponent(text)}`;
    await picture.decode();
    const canvas = new OffscreenCanvas(n, n).getContext('2d');
    canvas.drawImage(picture, 0, 0);
    return [...canvas.getImageData(0, 0, n, n).data];
}, [size, `<svg xmlns="http://www.w3.org/2000/svg" width="${size}"
    height="${size}" viewBox="${box}">${inside}</svg>`]);

/** The sixteen commonest colours that are not too much alike. */
function palette(pixels) {
    const counts = new Map();
    for (let i = 0; i < pixels.length; i += 4) {
        const colour = pixels.slice(i, i + 4).join();
        counts.set(colour, (counts.get(colour) ?? 0) + 1);
    }
    const chosen = [];
    const all = [...counts].sort((a, b) => b[1] - a[1])
        .map(([colour]) => colour.split(',').map(Number));
    for (let apart = 40; chosen.length < 16 && apart >= 0; apart -= 4)
        for (const colour of all)
            if (chosen.length < 16 &&
                chosen.every((other) => far(colour, other) > apart))
                chosen.push(colour);
    return chosen;
}

const far = (a, b) => Math.hypot(...a.map((part, i) => part - b[i]));

function chunk(kind, data) {
    const body = Buffer.concat([Buffer.from(kind), data]);
    const frame = Buffer.alloc(8);
    frame.writeUInt32BE(data.length);
    frame.writeUInt32BE(crc32(body), 4);
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}

/** A PNG of four bits a pixel. */
function png(size, pixels) {
    const colours = palette(pixels);
    const near = (colour) => colours.reduce((best, other, i) =>
        far(colour, other) < far(colour, colours[best]) ? i : best, 0);
    const rows = Buffer.alloc(size * (size / 2 + 1));
    for (let i = 0; i < size * size; i++) {
        const byte = Math.floor(i / size) * (size / 2 + 1) + 1 +
            (i % size >> 1);
        rows[byte] |= near(pixels.slice(4 * i, 4 * i + 4)) <<
            (i % 2 === 0 ? 4 : 0);
    }
    const head = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 4, 3, 0, 0, 0]);
    head.writeUInt32BE(size);
    head.writeUInt32BE(size, 4);
    return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
        chunk('IHDR', head),
        chunk('PLTE', Buffer.from(colours.flatMap((c) => c.slice(0, 3)))),
        chunk('tRNS', Buffer.from(colours.map((c) => c[3]))),
        chunk('IDAT', deflateSync(rows, { level: 9 })),
        chunk('IEND', Buffer.alloc(0))]);
}

const page = await (await browser()).newPage();
for (const [name, size, box, inside] of ICONS) {
    const file = png(size, await draw(page, size, box, inside));
    writeFileSync(`${FOLDER}/${name}`, file);
    console.log(`${name}: ${file.length} bytes`);
}
await (await browser()).close();
