-- 0027_table_links.sql -- links to a table, and whose they are.

CREATE INDEX links_table ON links (table_id, id);
CREATE INDEX links_maker ON links (maker);
