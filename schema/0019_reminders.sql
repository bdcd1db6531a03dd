-- 0019_reminders.sql -- who was reminded of which of their turns, at tables with a
-- pace, so that nobody is reminded twice; and which of its meanings a notice has.

CREATE TABLE reminders (
    number  INTEGER NOT NULL REFERENCES tables,
    account INTEGER NOT NULL,
    turn    INTEGER NOT NULL, -- as the table's clocks count it
    stage   INTEGER NOT NULL, -- 1: at half of its time, 2: at four fifths, too
    ply     INTEGER NOT NULL, -- the last one then; as long as it is that ...
    next    INTEGER NOT NULL, -- ... nobody there is to be reminded before this
    PRIMARY KEY (number, account)
) STRICT, WITHOUT ROWID;

ALTER TABLE notices ADD COLUMN detail INTEGER NOT NULL DEFAULT 0;
