// test_weight.mjs -- what a page weighs: all that the server sends is counted, as it is
// sent, and the first page and tables of all games show without what can come later.
// When they show over a slow wire is in soak_weight.mjs.

import { finish, ok } from './support.mjs';
import { pages, visit, wireTo } from './weighing.mjs';

const LIMIT = { first: 30000, table: 127400, told: 12600, before: 58000 }; // bytes
// What a table shows without: the rules, what happened, the pictures of cards, and the
// numbers of a game.
const LATER = /(\.wasm|\.csv|(happened|worker|push|_thumb|_round)\.\w+|turn\.svg)$/;

const light = (bytes, limit, what) =>
    ok(bytes <= limit, `${what}: ${bytes} bytes, ${limit} at most`);

const wire = await wireTo({ trip: 0, speed: Infinity });
for await (const page of pages()) {
    const { game } = page;
    const { all, early, told, loaded } = await visit(wire, page, LATER);
    if (game === null) {
        light(all + told, LIMIT.first, 'the first page in all');
        continue;
    }
    light(early, LIMIT.before, `files before a table of ${game} shows`);
    light(all, LIMIT.table, 'and all files that come');
    light(told, LIMIT.told, 'and what else is told');
    ok(loaded, 'and the rules come after it');
}
wire.end();
await finish();
