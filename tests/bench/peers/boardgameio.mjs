// boardgame.io from npm, as its documentation has it.
//
// usage: boardgameio.mjs memory | flatfile DIR | sqlite DIR
//
// `flatfile` is the file store it comes with; `sqlite` keeps what it is given
// in SQLite with synchronous FULL, a transaction for each write.

import { createRequire } from "node:module";
import { ready } from "./listen.mjs";
import { fresh, place } from "./game.mjs";

const require = createRequire(import.meta.url);
const { Server, Origins, FlatFile } = require("boardgame.io/server");
const { INVALID_MOVE } = require("boardgame.io/core");
const { Async } = require("boardgame.io/internal");

const game = {
  name: "stones",
  setup: fresh,
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    place: ({ G, playerID }, cell) =>
      place(G, Number(playerID), cell) ? undefined : INVALID_MOVE,
  },
};

class Sqlite extends Async {
  constructor(path) {
    super();
    const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
    this.db = new DatabaseSync(path);
    this.db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
      CREATE TABLE matches (id TEXT PRIMARY KEY, state TEXT, initial TEXT,
                            metadata TEXT);
      CREATE TABLE log (id INTEGER PRIMARY KEY, match TEXT, entry TEXT);
      CREATE INDEX log_match ON log (match);`);
    this.statement = {};
    for (const [name, text] of Object.entries({
      create: "INSERT OR REPLACE INTO matches VALUES (?,?,?,?)",
      state: "UPDATE matches SET state = ? WHERE id = ?",
      log: "INSERT INTO log (match, entry) VALUES (?,?)",
      metadata: "UPDATE matches SET metadata = ? WHERE id = ?",
      get: "SELECT * FROM matches WHERE id = ?",
      entries: "SELECT entry FROM log WHERE match = ? ORDER BY id",
      wipe: "DELETE FROM matches WHERE id = ?",
      list: "SELECT id FROM matches",
    }))
      this.statement[name] = this.db.prepare(text);
  }

  async connect() {}

  async createMatch(id, { initialState, metadata }) {
    const state = JSON.stringify(initialState);
    this.statement.create.run(id, state, state, JSON.stringify(metadata));
  }

  async setState(id, state, deltalog) {
    this.db.exec("BEGIN");
    for (const entry of deltalog ?? [])
      this.statement.log.run(id, JSON.stringify(entry));
    this.statement.state.run(JSON.stringify(state), id);
    this.db.exec("COMMIT");
  }

  async setMetadata(id, metadata) {
    this.statement.metadata.run(JSON.stringify(metadata), id);
  }

  async fetch(id, wanted) {
    const row = this.statement.get.get(id);
    const found = {};
    if (wanted.state && row) found.state = JSON.parse(row.state);
    if (wanted.metadata && row) found.metadata = JSON.parse(row.metadata);
    if (wanted.initialState && row)
      found.initialState = JSON.parse(row.initial);
    if (wanted.log)
      found.log = this.statement.entries.all(id)
        .map((r) => JSON.parse(r.entry));
    return found;
  }

  async wipe(id) {
    this.statement.wipe.run(id);
  }

  async listMatches() {
    return this.statement.list.all().map((r) => r.id);
  }
}

const [kind, dir] = process.argv.slice(2);
const stores = {
  memory: () => undefined,
  flatfile: () => new FlatFile({ dir }),
  sqlite: () => new Sqlite(`${dir}/boardgame.db`),
};
const server = Server({
  games: [game],
  origins: [Origins.LOCALHOST],
  db: stores[kind](),
});
const log = console.log; // it greets on stdout
console.log = () => {};
const running = await server.run({ port: 0 });
console.log = log;
ready(running.appServer.address().port);
