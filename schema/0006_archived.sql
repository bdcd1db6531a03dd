-- 0006_archived.sql -- finished games whose logs lie elsewhere, as records.

-- A table in state 4: its row, setup, players, texts and notes are here, its
-- log is not.  Bringing it back takes the row away.
CREATE TABLE archived (
    number INTEGER PRIMARY KEY REFERENCES tables,
    at     INTEGER NOT NULL,
    plies  INTEGER NOT NULL,
    chain  BLOB NOT NULL CHECK (length(chain) = 32) -- of the last one
) STRICT;
