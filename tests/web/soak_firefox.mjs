// soak_firefox.mjs -- the page in Firefox: each game whole (elsewhere.mjs).  SEED=n plays
// other games, GAMES="a b" only these.

import { elsewhere } from './elsewhere.mjs';
import { closeFirefox, firefoxPerson } from './firefox.mjs';
import { daemon, finish } from './support.mjs';

const { url } = await daemon();
const people = [await firefoxPerson(url), await firefoxPerson(url)];
await elsewhere(url, people, { whole: ['tictactoe', 'hacienda', 'hadara', 'greement'] });
await closeFirefox();
await finish();
