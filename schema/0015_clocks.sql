-- 0015_clocks.sql -- tables with a pace: what was agreed on, as lists show it, and
-- which are played, so that a start finds their deadlines without their logs.

ALTER TABLE setups ADD COLUMN terms TEXT; -- JSON; NULL: no pace

ALTER TABLE tables ADD COLUMN clocked INTEGER NOT NULL DEFAULT 0;
CREATE INDEX tables_clocked ON tables (state) WHERE clocked = 1;
