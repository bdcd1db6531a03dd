// soak_heard.mjs -- people who do not see the page play each game whole by what is told to
// a screen reader (hearing.mjs).  SEED=n plays other games, GAMES="a b" only these.

import { hearing } from './hearing.mjs';

await hearing({ whole: ['tictactoe', 'hacienda', 'hadara', 'greement'], deeds: 0 });
