-- 0004_health.sql -- how the file was left, and when it was last copied.

-- 1 while a server has it: found so, the last end was not orderly.
ALTER TABLE state ADD COLUMN running INTEGER NOT NULL DEFAULT 0;
-- The moment of the last good backup, 0: none; and its size.
ALTER TABLE state ADD COLUMN backup_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE state ADD COLUMN backup_bytes INTEGER NOT NULL DEFAULT 0;
