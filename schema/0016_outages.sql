-- 0016_outages.sql -- when the server was not there for people: no clock of a
-- game runs then.

-- One row: when the server was last known to be there for them.
CREATE TABLE sign (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    at  INTEGER NOT NULL -- 0: never
) STRICT;

INSERT INTO sign VALUES (1, 0);

CREATE TABLE outages (
    began INTEGER PRIMARY KEY,
    ended INTEGER NOT NULL -- with the time that people get to find back
) STRICT;
