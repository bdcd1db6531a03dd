-- 0005_invitations.sql -- who has invited somebody, and until when.

ALTER TABLE invites ADD COLUMN inviter bigint NOT NULL DEFAULT 0; -- or 0
ALTER TABLE invites ADD COLUMN until bigint NOT NULL DEFAULT 0;   -- 0: the start

CREATE INDEX invites_until ON invites (until) WHERE state = 0 AND until > 0;
