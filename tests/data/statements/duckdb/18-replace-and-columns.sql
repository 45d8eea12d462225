-- columns: raw.n(id, a, b)
-- edge: raw.n#id -> dw.n#id IDENTITY
-- edge: raw.n#a -> dw.n#a TRANSFORMATION
-- edge: raw.n#b -> dw.n#b TRANSFORMATION
-- completeness: complete

CREATE TABLE dw.n AS SELECT id, round(COLUMNS('^[ab]$'), 2) FROM raw.n;
