-- columns: mart.s(id, v)
-- edge: mart.s#id -> file:out/s.parquet#id IDENTITY
-- edge: mart.s#v -> file:out/s.parquet#v IDENTITY
-- edge: mart.s#v -> file:out/s.parquet FILTER
-- completeness: complete

COPY (SELECT id, v FROM mart.s WHERE v > 1) TO 'out/s.parquet' (FORMAT parquet);
