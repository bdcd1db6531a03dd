-- 0011_outbox.sql -- what people who are away are told, where, and what was
-- sent.

-- What has happened and is still to be told: written with what it comes of,
-- dropped when it is decided who is told of it where.  No index: a move adds to
-- the end of one tree.
CREATE TABLE notices (
    number   INTEGER PRIMARY KEY, -- rising, never used twice
    account  INTEGER NOT NULL,    -- who is to be told
    kind     INTEGER NOT NULL,    -- enum notice_kind
    table_id INTEGER NOT NULL,    -- tables.id
    ply      INTEGER NOT NULL,
    maker    INTEGER NOT NULL,    -- whose doing it is, or 0
    at       INTEGER NOT NULL
) STRICT;

-- What is on its way to one person by one way; the same ID at each try.
CREATE TABLE messages (
    id       INTEGER PRIMARY KEY,
    account  INTEGER NOT NULL,
    channel  INTEGER NOT NULL, -- channels.id; 0: BODY says where to
    way      INTEGER NOT NULL, -- enum channel
    made     INTEGER NOT NULL,
    due      INTEGER NOT NULL, -- not before
    failing  INTEGER NOT NULL, -- since when the receiver fails; 0: it does not
    tries    INTEGER NOT NULL,
    body     TEXT NOT NULL     -- JSON: of which kind, and what of
) STRICT;

CREATE INDEX messages_account ON messages (account);

-- Tables of which somebody has a mail that they have not looked at since.
CREATE TABLE told (
    account  INTEGER NOT NULL,
    table_id INTEGER NOT NULL,
    PRIMARY KEY (account, table_id)
) STRICT, WITHOUT ROWID;

-- What was sent, for who got it; thirty days.
CREATE TABLE sent (
    number  INTEGER PRIMARY KEY,
    account INTEGER NOT NULL,
    message INTEGER NOT NULL, -- its ID, which a bounce names
    channel INTEGER NOT NULL,
    way     INTEGER NOT NULL, -- enum channel
    at      INTEGER NOT NULL,
    result  INTEGER NOT NULL, -- enum delivery_result
    body    TEXT NOT NULL,    -- JSON
    said    TEXT NOT NULL     -- by the receiver
) STRICT;

CREATE INDEX sent_account ON sent (account, number);
CREATE INDEX sent_at ON sent (at);
CREATE INDEX sent_message ON sent (message);

-- What somebody wishes; who has no row wishes what everybody gets.
CREATE TABLE wishes (
    account   INTEGER PRIMARY KEY,
    wait      INTEGER NOT NULL, -- seconds
    at_once   INTEGER NOT NULL, -- 0 or 1
    digest    INTEGER NOT NULL, -- days from one to the next; 0: none
    digest_at INTEGER NOT NULL, -- the next one; 0: none
    language  TEXT NOT NULL,
    -- Invitations from people they had never played with, on that day.
    day       INTEGER NOT NULL,
    strangers INTEGER NOT NULL
) STRICT;

CREATE INDEX wishes_digest ON wishes (digest_at) WHERE digest_at > 0;

-- Where somebody can be told things.
CREATE TABLE channels (
    id      INTEGER PRIMARY KEY,
    account INTEGER NOT NULL,
    way     INTEGER NOT NULL, -- enum channel
    form    INTEGER NOT NULL, -- enum webhook_form
    state   INTEGER NOT NULL, -- enum channel_state
    kinds   INTEGER NOT NULL, -- a bit for each enum notice_kind
    made    INTEGER NOT NULL,
    changed INTEGER NOT NULL,
    label   TEXT NOT NULL,
    target  TEXT NOT NULL,    -- in no log, and nobody's but their own to see
    secret  TEXT,
    why     TEXT              -- it is off
) STRICT;

CREATE INDEX channels_account ON channels (account);

-- Tables that somebody wants to hear nothing of.
CREATE TABLE muted (
    account  INTEGER NOT NULL,
    table_id INTEGER NOT NULL,
    PRIMARY KEY (account, table_id)
) STRICT, WITHOUT ROWID;

-- One row: up to where questions that wait for long have been reminded of.
CREATE TABLE reminded (
    one   INTEGER PRIMARY KEY CHECK (one = 1),
    since INTEGER NOT NULL, -- all that were put until then; now is looked ...
    until INTEGER NOT NULL, -- ... for those until then, ...
    after INTEGER NOT NULL  -- ... behind this table; tables.id, or 0
) STRICT;

INSERT INTO reminded VALUES (1, 0, 0, 0);
