-- 0022_ratings.sql -- lists of the best and of what somebody played are found
-- without reading what is not on them; nobody who is gone is rated.

-- Whether enough is known to compare it: the best are among these.
ALTER TABLE ratings ADD COLUMN sure INTEGER NOT NULL DEFAULT 0;
UPDATE ratings SET sure = 1 WHERE variance <= 30625000000 AND met >= 3;
DROP INDEX ratings_best;
CREATE INDEX ratings_best
    ON ratings (game, many, mean, account, at, variance, games, met)
    WHERE sure = 1;

-- Who was deleted while a game went on was rated after it all the same.
DELETE FROM ratings WHERE account IN (SELECT id FROM accounts WHERE kind = 2);
DELETE FROM pairs WHERE low IN (SELECT id FROM accounts WHERE kind = 2)
    OR high IN (SELECT id FROM accounts WHERE kind = 2);
CREATE INDEX pairs_high ON pairs (high);

-- As tables.private, and as players.ended.
ALTER TABLE players ADD COLUMN private INTEGER NOT NULL DEFAULT 0;
ALTER TABLE invites ADD COLUMN ended INTEGER NOT NULL DEFAULT 0;
UPDATE players SET private = 1
    WHERE number IN (SELECT number FROM tables WHERE private = 1);

-- When games ended that were laid aside before that was kept: the second number
-- of tables.now, seven bits a byte, the lowest first.
WITH RECURSIVE bytes (number, text, at, byte, which, shift, value) AS (
    SELECT number, hex(now), 1,
        16 * (instr('0123456789ABCDEF', substr(hex(now), 1, 1)) - 1)
        + instr('0123456789ABCDEF', substr(hex(now), 2, 1)) - 1, 0, 0, 0
    FROM tables WHERE state = 4
    UNION ALL
    SELECT number, text, at + 2,
        16 * (instr('0123456789ABCDEF', substr(text, at + 2, 1)) - 1)
        + instr('0123456789ABCDEF', substr(text, at + 3, 1)) - 1,
        which + (byte < 128), shift + 7 * which,
        value + iif(which = 1, (byte & 127) << shift, 0)
    FROM bytes WHERE which < 2 AND at < length(text))
UPDATE players SET ended = b.value FROM bytes b
    WHERE b.number = players.number AND b.which = 2
    AND players.state = 4 AND players.ended = 0;

UPDATE invites SET ended = coalesce((SELECT max(p.ended) FROM players p
    WHERE p.number = invites.number), 0) WHERE state >= 2;

-- Somebody's games that are over, as they ended.
CREATE INDEX players_over ON players (account, private, ended, number)
    WHERE state IN (2, 4);
CREATE INDEX invites_over ON invites (account, ended, number)
    WHERE state IN (2, 4);

-- Whose hours a government has changed.
CREATE INDEX hours_zone ON hours (zone) WHERE days <> 0;
