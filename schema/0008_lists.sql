-- 0008_lists.sql -- what lists are chosen by lies where they begin: a page is
-- found without reading what is not on it.

-- As tables.state; and when a table that is over changed last, else 0.
ALTER TABLE players ADD COLUMN state INTEGER NOT NULL DEFAULT 0;
ALTER TABLE players ADD COLUMN ended INTEGER NOT NULL DEFAULT 0;
ALTER TABLE invites ADD COLUMN state INTEGER NOT NULL DEFAULT 0;

UPDATE players SET state = t.state, ended = iif(t.state < 2, 0,
    coalesce((SELECT line ->> '$.at' FROM log WHERE id = t.head), t.created))
    FROM tables t WHERE t.number = players.number;
UPDATE invites SET state = t.state
    FROM tables t WHERE t.number = invites.number;

-- Somebody's tables, by the order of table.list and by that of me.tables.
DROP INDEX players_account;
CREATE INDEX players_account ON players (account, number, seat, state);
CREATE INDEX players_state ON players (account, state, ended, number, seat);
DROP INDEX invites_account;
CREATE INDEX invites_account ON invites (account, number, state);
CREATE INDEX invites_state ON invites (account, state, number);
CREATE INDEX tables_owner ON tables (owner, state);

-- Those that anybody may see.
CREATE INDEX tables_public ON tables (state) WHERE private = 0;
CREATE INDEX tables_public_game ON tables (game, state) WHERE private = 0;
DROP INDEX tables_game;
