-- 0005_links.sql -- one-time links: what somebody who has one may do.

CREATE TABLE links (
    id       INTEGER PRIMARY KEY,
    hash     BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
    purpose  INTEGER NOT NULL, -- enum link_purpose
    account  INTEGER REFERENCES accounts, -- whom it is for, or NULL
    table_id INTEGER,                     -- tables.id, or NULL
    maker    INTEGER REFERENCES accounts, -- NULL: the administrator
    made     INTEGER NOT NULL,
    expires  INTEGER NOT NULL, -- 0: never
    uses     INTEGER NOT NULL, -- left
    used     INTEGER           -- when last
) STRICT;

CREATE INDEX links_account ON links (account);
