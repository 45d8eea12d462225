-- columns: d.s(k, v)
-- edge: d.s#k -> file:out.parquet#k IDENTITY
-- completeness: any

COPY (FROM d.s SELECT k) TO 'out.parquet' (FORMAT parquet, PARTITION_BY (k))
