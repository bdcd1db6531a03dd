// soak_webkit.mjs -- the page in WebKit's engine: tic-tac-toe whole, and a good part of
// each other game (elsewhere.mjs).  SEED=n plays other games, GAMES="a b" only these,
// MOVES=n so much of them.

import { elsewhere } from './elsewhere.mjs';
import { daemon, finish } from './support.mjs';
import { closeWebkit, webkitPerson } from './webkit.mjs';

const { url } = await daemon();
const people = [await webkitPerson(url), await webkitPerson(url)];
await elsewhere(url, people, { whole: ['tictactoe'],
    moves: Number(process.env.MOVES ?? 60) });
await closeWebkit();
await finish();
