-- columns: d.r(id,v)
-- edge: d.r#id -> d.m#id IDENTITY
-- edge: d.r#v -> d.m#v IDENTITY
-- edge: d.r#v -> d.m FILTER
-- completeness: complete

CREATE OR REFRESH MATERIALIZED VIEW d.m (CONSTRAINT pos EXPECT (v > 0) ON VIOLATION DROP ROW, CONSTRAINT w EXPECT (id IS NOT NULL)) CLUSTER BY (id) AS SELECT id, v FROM d.r
