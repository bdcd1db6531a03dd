-- 0024_orders.sql -- what people have their tables do for them when they are asked.

CREATE TABLE orders (
    number  INTEGER NOT NULL REFERENCES tables,
    account INTEGER NOT NULL,
    body    TEXT NOT NULL, -- JSON, the server's own
    PRIMARY KEY (number, account)
) STRICT, WITHOUT ROWID;
