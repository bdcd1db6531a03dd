-- 0012_fewer_trees.sql -- a table that changes its state is written into fewer
-- trees: at the end of a game that was ten pages more than before 0008.

-- By state whatever the game and by game, those that anybody may see first.
DROP INDEX tables_public;
DROP INDEX tables_public_game;
DROP INDEX tables_state;
CREATE INDEX tables_state ON tables (state, private);
DROP INDEX tables_game_state;
CREATE INDEX tables_game ON tables (game, state, private);

-- What somebody made; lists look for the private ones alone, as they find the
-- others by state.
DROP INDEX tables_owner;
CREATE INDEX tables_owner ON tables (owner);
CREATE INDEX tables_private ON tables (owner, state) WHERE private = 1;

-- Somebody's tables by number; by state they are in players_state.
DROP INDEX players_account;
CREATE INDEX players_account ON players (account, number, seat);
