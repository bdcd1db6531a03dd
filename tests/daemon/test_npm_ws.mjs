// test_npm_ws.mjs -- the WebSocket client that most of the JavaScript world
// uses, against the daemon: a game over it, and every kind of frame on /echo.

import { createRequire } from 'node:module';

import { dice } from '../web/playing.mjs';
import { daemon, done, ok, SEED, soon } from '../web/support.mjs';

const build = process.env.BUILD ?? 'build';
const WebSocket = createRequire(`${build}/npm/daemon/`)('ws');

const once = (emitter, name) =>
    soon(new Promise((resolve, reject) => {
        emitter.once(name, (...args) => resolve(args));
        if (name !== 'error')
            emitter.once('error', reject);
    }), name);

// ---- the daemon --------------------------------------------------------------

const server = await daemon('--set', 'http.echo=on');
const { host: http } = new URL(server.url);

// ---- a game ------------------------------------------------------------------

class Peer {
    constructor(options = {}) {
        this.socket = new WebSocket(`ws://${http}/ws`, 'sobremesa.v1', options);
        this.waiting = new Map();
        this.updates = [];
        this.last = 0;
        this.socket.on('message', (text, binary) => {
            const message = JSON.parse(text);
            if (binary)
                throw new Error('a binary message');
            if (message.method === 'table.update')
                this.updates.push(message.params);
            this.waiting.get(message.id)?.(message);
        });
    }

    async call(method, params) {
        const id = ++this.last;
        const answer = new Promise((resolve) => this.waiting.set(id, resolve));
        this.socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
        const { result, error } = await soon(answer, `answer to ${method}`);
        if (error)
            throw new Error(`${method}: ${error.data.reason}`);
        return result;
    }
}

const players = [new Peer(), new Peer({ perMessageDeflate: false })];
await Promise.all(players.map((peer) => once(peer.socket, 'open')));
ok(players[0].socket.protocol === 'sobremesa.v1', 'the subprotocol is agreed');
ok(/permessage-deflate/.test(players[0].socket.extensions) &&
   players[1].socket.extensions === '', 'so is compression, for who wants it');
const [ana, bea] = players;
for (const peer of players)
    await peer.call('account.guest', {});
const { table } = await ana.call('table.create', { game: 'tictactoe', seats: 2 });
await bea.call('table.join', { table });
for (const peer of players)
    await peer.call('table.watch', { table });
for (const [turn, cell] of ['b2', 'a1', 'a2', 'a3', 'c2'].entries()) {
    const peer = players[turn % 2];
    const { decision } = await peer.call('table.legal', { table });
    await peer.call('table.move', { table, decision, move: { verb: 'place', cell } });
}
const end = await bea.call('table.watch', { table });
ok(end.view.state === 'finished' && end.view.result.places[0] === 1,
   'a game is played to its end');
ok(players.every((peer) => peer.updates.at(-1).ply === end.ply),
   'both were told all of it');

// ---- /echo --------------------------------------------------------------------

const random = dice(SEED);
const bytes = (size) => Buffer.alloc(size).map(() => random(256));

async function echo(options = {}) {
    const socket = new WebSocket(`ws://${http}/echo`, options);
    await once(socket, 'open');
    return socket;
}

async function back(socket, message, options) {
    const answer = once(socket, 'message');
    socket.send(message, options);
    const [got, binary] = await answer;
    return binary === Buffer.isBuffer(message) &&
        Buffer.from(message).equals(got);
}

for (const perMessageDeflate of [
    false, true,
    { threshold: 0, serverNoContextTakeover: true, clientNoContextTakeover: true },
    { threshold: 0, clientMaxWindowBits: 9 },
]) {
    const socket = await echo({ perMessageDeflate });
    let good = true;
    for (const size of [0, 1, 125, 126, 127, 4096, 65535, 65536])
        good &&= await back(socket, 'é'.repeat(size >> 1)) &&
            await back(socket, bytes(size));
    ok(good, `text and binary come back (${JSON.stringify(perMessageDeflate)})`);
    const answer = once(socket, 'message');
    for (const [piece, fin] of [['a', false], ['', false], ['ñ', true]])
        socket.send(piece, { fin });
    ok(String((await answer)[0]) === 'añ', 'so do fragments');
    const pong = once(socket, 'pong');
    socket.ping('are you there');
    ok(String((await pong)[0]) === 'are you there', 'a ping has its pong');
    const closed = once(socket, 'close');
    socket.close(1000, 'enough');
    ok((await closed)[0] === 1000, 'and the end is agreed');
}

// How a mistake ends it: what is sent by hand passes by the client's own care.
for (const [code, what, send] of [
    [1003, 'binary at /ws', (s) => s.send(Buffer.from('x'))],
    [1007, 'text that is no UTF-8', (s) => s.send(Buffer.from([0xff]), { binary: false })],
    [1009, 'too much', (s) => s.send('x'.repeat(70000))],
    [1002, 'no mask', (s) => s.send('x', { mask: false })],
]) {
    const { socket } = new Peer({ perMessageDeflate: false });
    await once(socket, 'open');
    const closed = once(socket, 'close');
    send(socket);
    ok((await closed)[0] === code, `${what}: ${code}`);
}
const refused = new WebSocket(`ws://${http}/ws`, 'chat.v7');
ok(/40\d|Server sent no subprotocol/.test(String((await once(refused, 'error'))[0])),
   'another subprotocol is refused');

const left = once(ana.socket, 'close'), ended = server.stop();
ok((await left)[0] === 1001, 'at the end all are told');
ok(await soon(ended, 'end') === 0, 'and it ends well');
done();
process.exit();
