// test_wasm.mjs -- the core inside WebAssembly plays as it does natively.
//
// Each line of tests/golden/plays.txt names a game by numbers, and the hash of
// all that the core said on the way when it was played natively (see
// tests/golden/test_plays.c).  Here the same games are played in the module.

import { readFileSync } from 'node:fs';

const path = `${process.env.BUILD ?? 'build'}/wasm/core.wasm`;
const bytes = readFileSync(path);
const module = await WebAssembly.compile(bytes);

let tests = 0;
function ok(right, what) {
    console.log(`${right ? 'ok' : 'not ok'} ${++tests} - ${what}`);
    if (!right)
        process.exitCode = 1;
}

const imports = WebAssembly.Module.imports(module);
ok(imports.length === 1 && imports[0].module === 'env' &&
   imports[0].name === 'panic' && imports[0].kind === 'function',
   'the module imports nothing but the panic hook');
ok(bytes.length < 256 * 1024, `it is small: ${bytes.length} bytes`);

const text = (at) => {
    const memory = new Uint8Array(core.memory.buffer);
    return new TextDecoder().decode(memory.subarray(at, memory.indexOf(0, at)));
};
const { exports: core } = await WebAssembly.instantiate(module, {
    env: {
        panic(file, line, what) {
            throw new Error(`${text(file)}:${line}: ${text(what)}`);
        },
    },
});

const games = new Map();
for (let i = 0; core.game(i) !== 0; i++)
    games.set(text(core.game(i)), i);

for (const line of readFileSync('tests/golden/plays.txt', 'utf8').split('\n')) {
    if (line === '' || line.startsWith('#'))
        continue;
    const [name, seats, options, asset, seed, plies, hash] = line.split(/ +/);
    const what = `${name} seats ${seats} options ${options} asset ${asset} ` +
        `seed ${seed}`;
    try {
        const played = BigInt.asUintN(64, core.play(games.get(name), +seats,
            parseInt(options, 16), parseInt(asset, 16), +seed));
        ok(core.plies() === +plies &&
           played.toString(16).padStart(16, '0') === hash, what);
    } catch (error) {
        ok(false, `${what}: ${error.message}`);
    }
}
console.log(`1..${tests}`);
