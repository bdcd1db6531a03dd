// test_heard.mjs -- people who do not see the page play by what is told to a screen reader
// (hearing.mjs): tic-tac-toe whole, and the beginning of each other game.  SEED=n plays
// other games, GAMES="a b" only these; soak_heard.mjs plays all of them to their ends.

import { hearing } from './hearing.mjs';

await hearing({ whole: ['tictactoe'], deeds: 40 });
