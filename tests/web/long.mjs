// long.mjs -- tables where people have played for long, and somebody who comes to one.

import { dice } from './playing.mjs';
import { daemon, players, SEED } from './support.mjs';

/** Plies, shortly before the two are done. */
export const LONG = { hacienda: 115, hadara: 115, greement: 300 };

export const { url } = await daemon('--set', 'limits.local=off');
const names = ['Ana', 'Ben'];
const { say, table } = await players(url, names);
const random = dice(SEED + 6);

/** A session of Ana's as a browser has it.  Made without one: whoever opened the page to
 * log in would have its files by then, and their coming would not be counted. */
async function enter() {
    const reply = await fetch(`${url}/session`, {
        method: 'POST', headers: { 'Content-Type': 'application/json',
            'Origin': url },
        body: JSON.stringify({ method: 'session.login',
            params: { name: 'Ana', password: 'correct horse' } }),
    });
    const [name, value] = reply.headers.getSetCookie()[0].split(';')[0].split('=');
    return { name, value, url };
}
export const cookie = await enter();

/** A table of GAME where people have played for long. */
export async function long(game) {
    const id = await table(names, game, game === 'greement' ? {
        options: { turns: 99 } } : {});
    for (;;) {
        const { view } = await say('Ana', 'table.watch', { table: id });
        if (view.state !== 'playing' || view.ply >= LONG[game])
            return { id, plies: view.ply };
        const who = names[view.seats.findIndex(({ acting }) => acting)];
        const { decision, moves, ranges } =
            await say(who, 'table.legal', { table: id });
        const some = moves.filter(({ verb }) => !/^(offer|pay)$/.test(verb));
        const of = some.length > 1 && random(3)
            ? some.filter(({ verb }) => verb !== 'end_turn') : some;
        const move = of[random(of.length)] ?? { ...ranges[0].move,
            [ranges[0].arg]: ranges[0].min };
        await say(who, 'table.move', { table: id, decision, move });
    }
}
