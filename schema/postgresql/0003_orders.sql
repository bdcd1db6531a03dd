-- 0003_orders.sql -- what people have their tables do for them when they are asked.

CREATE TABLE orders (
    number  bigint NOT NULL,
    account bigint NOT NULL,
    body    string NOT NULL, -- JSON, the server's own
    PRIMARY KEY (number, account)
);
