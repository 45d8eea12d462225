-- columns: stg.n(id, v)
-- edge: stg.n#id -> dw.n_new#id IDENTITY
-- edge: stg.n#v -> dw.n_new#v TRANSFORMATION
-- edge: stg.n#v -> dw.n_new FILTER
-- completeness: any

DROP TABLE IF EXISTS dw.n_new;
CREATE TABLE dw.n_new AS SELECT id, v * 100 AS v FROM stg.n WHERE v IS NOT NULL;
GRANT SELECT ON dw.n_new TO GROUP analysts;
ANALYZE dw.n_new;
