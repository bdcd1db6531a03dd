-- 0004_blocks.sql -- whom somebody does not want to meet.

CREATE TABLE blocks (
    account bigint NOT NULL,
    other   bigint NOT NULL, -- whom they block
    at      bigint NOT NULL,
    PRIMARY KEY (account, other)
);

CREATE INDEX blocks_other ON blocks (other);
