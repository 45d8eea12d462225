-- columns: s.a(id,v,dt)
-- edge: s.a#id -> d.a#id IDENTITY
-- edge: s.a#v -> d.a#v AGGREGATION
-- edge: s.a#dt -> d.a#dt IDENTITY
-- edge: s.a#id -> d.a GROUP_BY
-- edge: s.a#dt -> d.a GROUP_BY
-- completeness: complete

CREATE TABLE d.a WITH (format='PARQUET', partitioned_by=ARRAY['dt'], external_location='s3://b/x/') AS SELECT id, sum(v) AS v, dt FROM s.a GROUP BY id, dt
