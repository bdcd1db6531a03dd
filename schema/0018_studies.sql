-- 0018_studies.sql -- what people tried at tables, on paper, as it were.

CREATE TABLE studies (
    number  INTEGER NOT NULL REFERENCES tables,
    account INTEGER NOT NULL REFERENCES accounts,
    body    TEXT NOT NULL,
    PRIMARY KEY (number, account)
) STRICT, WITHOUT ROWID;

CREATE INDEX studies_account ON studies (account);
