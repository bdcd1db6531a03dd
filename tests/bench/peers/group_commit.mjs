// npm `ws` and SQLite: the least that a node server can do and keep what it
// acknowledges.  Moves that come in one turn of the loop share a transaction;
// with `each`, every move has its own.
//
// usage: group_commit.mjs DIR [each]
//
// The same protocol as floor_bare.c.

import { createRequire } from "node:module";
import { ready } from "./listen.mjs";

const { WebSocketServer } = createRequire(import.meta.url)("ws");
const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
const [dir, each] = process.argv.slice(2);

const db = new DatabaseSync(`${dir}/bare.db`);
db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
  CREATE TABLE log (id INTEGER PRIMARY KEY, number INTEGER, ply INTEGER,
                    line TEXT);`);
const insert = db.prepare("INSERT INTO log (number, ply, line) VALUES (?,?,?)");
const tables = new Map();
let waiting = [];

function commit() {
  const batch = waiting;
  waiting = [];
  db.exec("BEGIN");
  for (const m of batch) insert.run(m.table.number, m.table.ply, m.text);
  db.exec("COMMIT");
  for (const { table, socket, id } of batch) {
    const update = JSON.stringify({ update: { table: table.number,
      ply: table.ply, text: table.pad } });
    for (const peer of table.peers) peer.send(update);
    socket.send(JSON.stringify({ ack: id, ply: table.ply }));
  }
}

const server = new WebSocketServer({ port: 0, host: "127.0.0.1",
                                     perMessageDeflate: false });
server.on("connection", (socket) => {
  socket.on("message", (data) => {
    const message = JSON.parse(data);
    let table = tables.get(message.table);
    if (message.join) {
      if (!table) {
        table = { number: message.table, ply: 0, peers: [],
                  pad: "u".repeat(200) };
        tables.set(message.table, table);
      }
      table.peers.push(socket);
      socket.send(JSON.stringify({ joined: message.table }));
      return;
    }
    table.ply++;
    waiting.push({ table, socket, id: message.id, text: message.text });
    if (each) commit();
    else if (waiting.length === 1) setImmediate(commit);
  });
});
server.on("listening", () => ready(server.address().port));
