-- 0021_results.sql -- what became of people at tables that are over, and how well
-- they play.

-- Of who played at a table that is over; NULL: it is not, or nobody knows any
-- more.  What they were rated at after it, if it was rated.
ALTER TABLE players ADD COLUMN place INTEGER;
ALTER TABLE players ADD COLUMN points INTEGER;
ALTER TABLE players ADD COLUMN mean INTEGER;
ALTER TABLE players ADD COLUMN variance INTEGER;

-- Until now it said nothing.
UPDATE tables SET rated = 0 WHERE rated = 1;

-- In thousandths of a point, and their squares.
CREATE TABLE ratings (
    account  INTEGER NOT NULL REFERENCES accounts,
    game     TEXT NOT NULL,
    many     INTEGER NOT NULL, -- 1: with more than one other
    mean     INTEGER NOT NULL,
    variance INTEGER NOT NULL,
    games    INTEGER NOT NULL,
    met      INTEGER NOT NULL, -- people in these
    at       INTEGER NOT NULL, -- when the last one ended
    PRIMARY KEY (account, game, many)
) STRICT, WITHOUT ROWID;

CREATE INDEX ratings_best ON ratings (game, many, mean, account);

-- How often two people met lately, LOW being the lesser account.
CREATE TABLE pairs (
    low  INTEGER NOT NULL,
    high INTEGER NOT NULL,
    game TEXT NOT NULL,
    many INTEGER NOT NULL,
    met  INTEGER NOT NULL, -- in 256ths, as of then
    at   INTEGER NOT NULL,
    PRIMARY KEY (low, high, game, many)
) STRICT, WITHOUT ROWID;

-- The tables that were rated, in that order.
CREATE TABLE rated (
    turn   INTEGER PRIMARY KEY, -- 1, 2, 3 ...
    number INTEGER NOT NULL REFERENCES tables
) STRICT;

-- Games that were played to their end by all who began.
CREATE TABLE statistics (
    game   TEXT NOT NULL,
    seats  INTEGER NOT NULL,
    seat   INTEGER NOT NULL,
    games  INTEGER NOT NULL,
    wins   INTEGER NOT NULL, -- in 840ths, as a first place may be shared
    points INTEGER NOT NULL,
    plies  INTEGER NOT NULL,
    took   INTEGER NOT NULL, -- milliseconds
    PRIMARY KEY (game, seats, seat)
) STRICT, WITHOUT ROWID;
