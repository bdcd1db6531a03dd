-- 0001_init.sql -- the first schema; what each table is for: README.md.
--
-- Never changed once released: what comes later is a file of its own.

CREATE TABLE state (
    one      INTEGER PRIMARY KEY CHECK (one = 1),
    flushed  INTEGER NOT NULL, -- up to this row of the log tables are right
    restored INTEGER NOT NULL, -- 1: this file was made by a backup
    opened   INTEGER NOT NULL  -- how often, for writing
) STRICT;

INSERT INTO state VALUES (1, 0, 0, 0);

CREATE TABLE accounts (
    id           INTEGER PRIMARY KEY,
    kind         INTEGER NOT NULL, -- enum account_kind
    name         TEXT NOT NULL COLLATE NOCASE,
    password     TEXT,             -- argon2id
    email        TEXT,
    created      INTEGER NOT NULL,
    seen         INTEGER NOT NULL,
    banned_until INTEGER NOT NULL
) STRICT;

-- A deleted account's name is free.
CREATE UNIQUE INDEX accounts_name ON accounts (name) WHERE kind <> 2;

CREATE TABLE tokens (
    id      INTEGER PRIMARY KEY,
    account INTEGER NOT NULL REFERENCES accounts,
    hash    BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
    label   TEXT NOT NULL,
    scopes  INTEGER NOT NULL,
    created INTEGER NOT NULL,
    expires INTEGER NOT NULL -- 0: never
) STRICT;

CREATE INDEX tokens_account ON tokens (account);

-- Small rows: they are what is written behind the moves.
CREATE TABLE tables (
    number     INTEGER PRIMARY KEY, -- 1, 2, 3 ... as they were made
    id         INTEGER NOT NULL UNIQUE,
    owner      INTEGER NOT NULL REFERENCES accounts,
    game       TEXT NOT NULL,
    created    INTEGER NOT NULL,
    private    INTEGER NOT NULL,
    rated      INTEGER NOT NULL,
    spectators INTEGER NOT NULL,
    start_full INTEGER NOT NULL,
    door       TEXT,             -- argon2id
    state      INTEGER NOT NULL, -- enum table_state
    seats      INTEGER NOT NULL,
    head       INTEGER NOT NULL, -- its last row in the log, 0: none
    ply        INTEGER NOT NULL, -- of that, -1: none
    now        BLOB NOT NULL     -- whom it waits for
) STRICT;

CREATE INDEX tables_state ON tables (state);
CREATE INDEX tables_game ON tables (game);
CREATE INDEX tables_game_state ON tables (game, state);

CREATE TABLE setups (
    number  INTEGER PRIMARY KEY REFERENCES tables,
    seed    TEXT NOT NULL,
    header  TEXT NOT NULL, -- JSON
    options TEXT NOT NULL, -- JSON
    board   TEXT,          -- JSON
    asset   BLOB
) STRICT;

-- Everybody who ever sat there; who left has no seat.
CREATE TABLE players (
    number  INTEGER NOT NULL REFERENCES tables,
    account INTEGER NOT NULL REFERENCES accounts,
    seat    INTEGER,
    PRIMARY KEY (number, account)
) STRICT, WITHOUT ROWID;

CREATE INDEX players_account ON players (account, number, seat);

CREATE TABLE invites (
    number  INTEGER NOT NULL REFERENCES tables,
    account INTEGER NOT NULL REFERENCES accounts,
    PRIMARY KEY (number, account)
) STRICT, WITHOUT ROWID;

CREATE INDEX invites_account ON invites (account, number);

-- Append only, and no index: a move is one row at the end of one tree.
CREATE TABLE log (
    id     INTEGER PRIMARY KEY,
    number INTEGER NOT NULL REFERENCES tables,
    before INTEGER NOT NULL REFERENCES log, -- the table's row before, 0: none
    ply    INTEGER NOT NULL,
    line   TEXT NOT NULL,
    chain  BLOB NOT NULL,
    now    BLOB -- as tables.now, in the last row of a unit
) STRICT;

CREATE TABLE keys (
    account INTEGER NOT NULL,
    method  TEXT NOT NULL,
    key     TEXT NOT NULL,
    at      INTEGER NOT NULL,
    answer  TEXT NOT NULL,
    PRIMARY KEY (account, method, key)
) STRICT;

CREATE INDEX keys_at ON keys (at);

CREATE TABLE texts (
    number INTEGER NOT NULL REFERENCES tables,
    text   INTEGER NOT NULL, -- 1, 2, 3 ... within the table
    room   INTEGER NOT NULL,
    author INTEGER NOT NULL REFERENCES accounts,
    at     INTEGER NOT NULL,
    body   TEXT NOT NULL,
    PRIMARY KEY (number, text)
) STRICT, WITHOUT ROWID;

CREATE TABLE marks (
    number  INTEGER NOT NULL REFERENCES tables,
    account INTEGER NOT NULL REFERENCES accounts,
    text    INTEGER NOT NULL, -- the last one read
    PRIMARY KEY (number, account)
) STRICT, WITHOUT ROWID;

CREATE TABLE notes (
    number  INTEGER NOT NULL REFERENCES tables,
    account INTEGER NOT NULL REFERENCES accounts,
    body    TEXT NOT NULL,
    PRIMARY KEY (number, account)
) STRICT, WITHOUT ROWID;
