-- edge: raw.l#id -> dw.l#id IDENTITY
-- edge: raw.l#xs -> dw.l#x TRANSFORMATION
-- completeness: any

CREATE TABLE dw.l AS SELECT id, unnest(xs) AS x FROM raw.l;
