-- columns: d.c(id,nm,op,ts)
-- edge: d.c#id -> d.t#id IDENTITY
-- edge: d.c#nm -> d.t#nm IDENTITY
-- edge: d.c#ts -> d.t#__start_at IDENTITY
-- edge: d.c#ts -> d.t#__end_at IDENTITY
-- edge: d.c#id -> d.t JOIN
-- edge: d.t#id -> d.t JOIN
-- edge: d.c#ts -> d.t FILTER
-- completeness: complete

CREATE OR REFRESH STREAMING TABLE d.t;
CREATE FLOW f AS AUTO CDC INTO d.t FROM STREAM d.c KEYS (id) SEQUENCE BY ts COLUMNS (id, nm) STORED AS SCD TYPE 2;
