-- 0020_zones.sql -- what tables were last told of time zones: governments change
-- them, and whoever has hours there keeps to the clock on their wall.

CREATE TABLE zones (
    name    TEXT PRIMARY KEY,
    offsets TEXT NOT NULL -- "0:3600,1806195600000:7200": since when, seconds
) STRICT, WITHOUT ROWID;
