-- 0007_texts.sql -- texts that the administrator removed: the row stays, so that
-- numbers and who said something stay, and its body is empty.

ALTER TABLE texts ADD COLUMN removed INTEGER; -- when, or NULL
