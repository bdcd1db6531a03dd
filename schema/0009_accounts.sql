-- 0009_accounts.sql -- addresses that were confirmed, what may be sent where,
-- second factors, and the devices that people log in from.

-- When `email` was confirmed, 0: not; and another that waits for it.
ALTER TABLE accounts ADD COLUMN email_confirmed INTEGER NOT NULL DEFAULT 0;
ALTER TABLE accounts ADD COLUMN email_pending TEXT;

CREATE INDEX accounts_email ON accounts (email COLLATE NOCASE)
    WHERE email_confirmed <> 0;

-- The address that a link was sent to, or NULL.
ALTER TABLE links ADD COLUMN email TEXT;

CREATE INDEX links_email ON links (email COLLATE NOCASE)
    WHERE email IS NOT NULL;

-- What has to be known and nobody is told: by it hashes are keyed.
CREATE TABLE secrets (
    name  TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Mails that anybody may cause, for a day; the address is a keyed hash.
CREATE TABLE mailed (
    address BLOB NOT NULL CHECK (length(address) = 32),
    kind    INTEGER NOT NULL, -- enum mailed
    at      INTEGER NOT NULL
) STRICT;

CREATE INDEX mailed_address ON mailed (address, kind, at);
CREATE INDEX mailed_at ON mailed (at);

-- Who said: never write here again.
CREATE TABLE stopped (
    address BLOB PRIMARY KEY CHECK (length(address) = 32),
    at      INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE devices (
    account INTEGER NOT NULL REFERENCES accounts,
    hash    BLOB NOT NULL CHECK (length(hash) = 32),
    used    INTEGER NOT NULL, -- when somebody last logged in from it
    PRIMARY KEY (account, hash)
) STRICT, WITHOUT ROWID;

CREATE TABLE totp (
    account   INTEGER PRIMARY KEY REFERENCES accounts,
    key       BLOB NOT NULL CHECK (length(key) = 20),
    made      INTEGER NOT NULL,
    confirmed INTEGER NOT NULL, -- by the first code, 0: not yet
    step      INTEGER NOT NULL, -- of the last code that was taken
    removed   INTEGER NOT NULL  -- by the operator, 0: not
) STRICT;

CREATE TABLE recovery (
    account INTEGER NOT NULL REFERENCES accounts,
    hash    BLOB NOT NULL CHECK (length(hash) = 32),
    PRIMARY KEY (account, hash)
) STRICT, WITHOUT ROWID;
