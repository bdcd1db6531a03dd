-- 0014_milestones.sql -- where a long log is at every 256th ply, so that a page
-- of its record is read without what lies behind it.

CREATE TABLE milestones (
    number INTEGER NOT NULL REFERENCES tables,
    ply    INTEGER NOT NULL, -- 255, 511, 767 ...
    row    INTEGER NOT NULL REFERENCES log,
    PRIMARY KEY (number, ply)
) STRICT, WITHOUT ROWID;

INSERT INTO milestones SELECT number, ply, id FROM log WHERE ply % 256 = 255;
