-- 0002_people.sql -- guests that go, and names that change: who is to be
-- found by account, and which tables do not know yet of another name.

CREATE INDEX accounts_guests ON accounts (seen) WHERE kind = 1;
CREATE INDEX texts_author ON texts (author);
CREATE INDEX marks_account ON marks (account);
CREATE INDEX notes_account ON notes (account);

-- Somebody's name has changed and the table's log does not say so yet.
CREATE TABLE renames (
    number  INTEGER NOT NULL REFERENCES tables,
    account INTEGER NOT NULL REFERENCES accounts,
    was     TEXT NOT NULL, -- the name that the table knows
    PRIMARY KEY (number, account)
) STRICT, WITHOUT ROWID;
