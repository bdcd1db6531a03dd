// test_webkit.mjs -- the page in WebKit's engine: tic-tac-toe whole, and the beginning
// of each other game (elsewhere.mjs).  SEED=n plays other games, GAMES="a b" only these,
// MOVES=n so much of them; soak_webkit.mjs plays more.

import { elsewhere } from './elsewhere.mjs';
import { daemon, finish } from './support.mjs';
import { closeWebkit, webkitPerson } from './webkit.mjs';

const { url } = await daemon();
const people = [await webkitPerson(url), await webkitPerson(url)];
await elsewhere(url, people, { whole: ['tictactoe'],
    moves: Number(process.env.MOVES ?? 10) });
await closeWebkit();
await finish();
