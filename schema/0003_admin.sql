-- 0003_admin.sql -- what the administrator does: why somebody is barred, and a
-- row for each change that was made through the administration socket.

ALTER TABLE accounts ADD COLUMN banned_reason TEXT;

-- Append only.  No names: who was deleted stays deleted.
CREATE TABLE audit (
    id       INTEGER PRIMARY KEY,
    at       INTEGER NOT NULL,
    uid      INTEGER NOT NULL, -- of the process that asked
    method   TEXT NOT NULL,
    table_id INTEGER,          -- tables.id, or NULL
    account  INTEGER,          -- or NULL
    what     TEXT NOT NULL     -- the rest of the parameters, JSON
) STRICT;
