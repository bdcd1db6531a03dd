// Colyseus from npm: a room for each table, the state a schema, and the patch
// sent at once after each move instead of twenty times a second.
//
// usage: colyseus.mjs ROOMS
//
// Rooms are made and both seats of each reserved before it says it is ready;
// where to connect stands in what it says.

import { Room, Server, matchMaker } from "@colyseus/core";
import { schema, t } from "@colyseus/schema";
import { WebSocketTransport } from "@colyseus/ws-transport";
import { ready } from "./listen.mjs";
import { CELLS } from "./game.mjs";

const State = schema({
  cells: t.array("int8"),
  stones: t.uint8(),
  turn: t.uint8(),
});

class Board extends Room {
  onCreate() {
    this.maxClients = 2;
    this.autoDispose = false;
    this.seatReservationTimeout = 600;
    this.patchRate = null;
    this.state = new State();
    this.state.stones = this.state.turn = 0;
    for (let i = 0; i < CELLS; i++) this.state.cells.push(-1);
    this.seats = new Map();
    this.onMessage("place", (client, { cell }) => {
      const seat = this.seats.get(client.sessionId);
      if (seat !== this.state.turn) return;
      if (!Number.isInteger(cell) || cell < 0 || cell >= CELLS) return;
      if (this.state.cells[cell] !== -1) return;
      this.state.cells[cell] = seat;
      if (++this.state.stones === CELLS) {
        for (let i = 0; i < CELLS; i++) this.state.cells[i] = -1;
        this.state.stones = 0;
      }
      this.state.turn = 1 - seat;
      this.broadcastPatch();
    });
  }

  onJoin(client, { seat }) {
    this.seats.set(client.sessionId, seat);
  }
}

const log = console.log; // it greets on stdout
console.log = () => {};
const server = new Server({ transport: new WebSocketTransport(),
                            greet: false });
server.define("board", Board);
await server.listen(0);
const rooms = Number(process.argv[2]);
const paths = [];
for (let i = 0; i < rooms; i++) {
  const first = await matchMaker.create("board", { seat: 0 });
  const roomId = first.roomId ?? first.room.roomId;
  const second = await matchMaker.joinById(roomId, { seat: 1 });
  for (const r of [first, second])
    paths.push(`/${r.processId ?? r.room.processId}/${roomId}` +
               `?sessionId=${r.sessionId}`);
}
console.log = log;
ready(server.transport.server.address().port, { paths });
