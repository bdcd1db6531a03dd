-- 0017_absences.sql -- when people are away, and what tables have still to be
-- told of them.

CREATE TABLE away (
    account INTEGER PRIMARY KEY REFERENCES accounts,
    auto    INTEGER NOT NULL, -- 1: an absence begins instead of a miss
    changes INTEGER NOT NULL  -- of this row, and of their absences, so far
) STRICT;

CREATE TABLE absences (
    account INTEGER NOT NULL REFERENCES accounts,
    began   INTEGER NOT NULL,
    ended   INTEGER NOT NULL, -- may be to come, as BEGAN
    auto    INTEGER NOT NULL, -- 1: it was instead of a miss
    begun   INTEGER NOT NULL, -- 1: tables are told
    PRIMARY KEY (account, began)
) STRICT, WITHOUT ROWID;

CREATE INDEX absences_begin ON absences (began) WHERE begun = 0;

-- Open and running tables that do not know of somebody's hours and absences as
-- they are now.
CREATE TABLE untold (
    number  INTEGER NOT NULL REFERENCES tables,
    account INTEGER NOT NULL,
    PRIMARY KEY (number, account)
) STRICT, WITHOUT ROWID;

CREATE INDEX untold_account ON untold (account);
