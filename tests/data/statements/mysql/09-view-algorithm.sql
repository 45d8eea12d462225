-- columns: app.a(id, x, y)
-- edge: app.a#id -> rpt.a#id IDENTITY
-- edge: app.a#x -> rpt.a#total TRANSFORMATION
-- edge: app.a#y -> rpt.a#total TRANSFORMATION
-- edge: app.a#x -> rpt.a FILTER
-- completeness: complete

CREATE OR REPLACE ALGORITHM = MERGE VIEW rpt.a (id, total) AS
SELECT id, x + IFNULL(y, 0) FROM app.a WHERE x IS NOT NULL;
