// far.mjs -- a server that is far away: a wire before it that takes its time, and
// counts what passes.  To make a connection takes a round trip once: the others are
// taken to be there, as they are behind a proxy that speaks HTTP/2.

import { connect, createServer } from 'node:net';

const SLICE = 20; /* ms between portions */

/**
 * A wire to the server at URL with a round trip of TRIP ms and SPEED bytes a
 * second of what comes; what goes there has all the room it wants.
 */
export async function far(url, { trip, speed }) {
    const { port, hostname } = new URL(url);
    const sockets = new Set();
    const queue = []; /* of all connections: they share the wire */
    const self = { url: '', came: 0, began: 0,
        /** In ms since the first connection. */
        passed: () => Date.now() - self.began };

    // A portion leaves as the wire has room, in the order in which it came.
    const timer = setInterval(() => {
        let room = speed * SLICE / 1000;
        while (room > 0 && queue.length > 0) {
            const [data, to] = queue[0];
            const part = data.subarray(0, room);
            room -= part.length;
            self.came += part.length;
            setTimeout(() => to.destroyed || to.write(part), trip / 2);
            if (part.length < data.length)
                queue[0][0] = data.subarray(part.length);
            else
                queue.shift();
        }
    }, SLICE);

    const server = createServer((near) => {
        const there = connect({ port, host: hostname });
        sockets.add(near).add(there);
        let ready = Date.now() + (self.began ? 0 : trip);
        self.began ||= Date.now();
        near.on('data', (data) => {
            ready = Math.max(ready, Date.now());
            setTimeout(() => there.destroyed || there.write(data),
                ready - Date.now() + trip / 2);
        });
        there.on('data', (data) => queue.push([data, near]));
        for (const [one, other] of [[near, there], [there, near]]) {
            one.on('error', () => other.destroy());
            one.on('close', () => {
                setTimeout(() => other.destroy(), trip);
                sockets.delete(one);
            });
        }
    });
    await new Promise((go) => server.listen(0, '127.0.0.1', go));
    self.url = `http://127.0.0.1:${server.address().port}`;
    self.end = () => {
        clearInterval(timer);
        server.close();
        sockets.forEach((socket) => socket.destroy());
    };
    return self;
}
