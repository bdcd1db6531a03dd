-- 0013_proxied.sql -- what a proxy calls people, who log in there.

CREATE TABLE proxied (
    user    TEXT PRIMARY KEY,
    account INTEGER NOT NULL UNIQUE REFERENCES accounts
) STRICT, WITHOUT ROWID;
