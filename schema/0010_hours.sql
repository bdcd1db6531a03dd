-- 0010_hours.sql -- when people are there: a daily window of their clocks.

CREATE TABLE hours (
    account INTEGER PRIMARY KEY REFERENCES accounts,
    opens   INTEGER NOT NULL, -- minute of the day
    closes  INTEGER NOT NULL, -- at or before OPENS: of the next day
    days    INTEGER NOT NULL, -- a bit for each, 1 is Monday; 0: none any more
    zone    TEXT NOT NULL,    -- IANA
    changed INTEGER NOT NULL
) STRICT;
