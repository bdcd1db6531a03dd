-- 0006_news.sql -- what several servers on this database tell each other.
--
-- A row for each batch that any of them has stored: its transactions' lines
-- (server/hub/news.h).  Numbers rise in the order in which batches are committed,
-- as one server at a time writes; some are left out.  The last row stays, and all
-- that are not old.

CREATE TABLE news (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at     bigint NOT NULL, -- by the database's clock
    lines  string NOT NULL -- each with a newline
);

CREATE INDEX news_at ON news (at);
