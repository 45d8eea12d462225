-- columns: d.ev(ts, uid)
-- completeness: complete
-- note: the columns alone are taken over, no rows

CREATE TABLE d.ev2 AS d.ev ENGINE = MergeTree ORDER BY ts
