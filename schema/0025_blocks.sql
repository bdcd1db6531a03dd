-- 0025_blocks.sql -- whom somebody does not want to meet.

CREATE TABLE blocks (
    account INTEGER NOT NULL REFERENCES accounts,
    other   INTEGER NOT NULL, -- whom they block
    at      INTEGER NOT NULL,
    PRIMARY KEY (account, other)
) STRICT, WITHOUT ROWID;

CREATE INDEX blocks_other ON blocks (other);
