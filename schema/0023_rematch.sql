-- 0023_rematch.sql -- games that are played again, and seats that are kept.

-- The id of the table where what was played here is played again, or NULL.
ALTER TABLE tables ADD COLUMN rematch INTEGER;

-- One more than the seat that is kept for them; 0: any.
ALTER TABLE invites ADD COLUMN seat INTEGER NOT NULL DEFAULT 0;
