// test_firefox.mjs -- the page in Firefox: tic-tac-toe whole, and the beginning of each
// other game (elsewhere.mjs).  SEED=n plays other games, GAMES="a b" only these, MOVES=n
// so much of them; soak_firefox.mjs plays all of them to their ends.

import { elsewhere } from './elsewhere.mjs';
import { closeFirefox, firefoxPerson } from './firefox.mjs';
import { daemon, finish } from './support.mjs';

const { url } = await daemon();
const people = [await firefoxPerson(url), await firefoxPerson(url)];
await elsewhere(url, people, { whole: ['tictactoe'],
    moves: Number(process.env.MOVES ?? 10) });
await closeFirefox();
await finish();
