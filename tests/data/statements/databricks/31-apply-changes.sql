-- edge: d.cdc#* -> d.t#* IDENTITY
-- edge: d.cdc#id -> d.t JOIN
-- edge: d.cdc#op -> d.t FILTER
-- edge: d.cdc#ts -> d.t FILTER
-- edge: d.cdc#ts -> d.t#__end_at IDENTITY
-- edge: d.cdc#ts -> d.t#__start_at IDENTITY
-- edge: d.t#id -> d.t JOIN
-- completeness: any

CREATE OR REFRESH STREAMING TABLE d.t;
APPLY CHANGES INTO d.t FROM STREAM(d.cdc) KEYS (id) APPLY AS DELETE WHEN op = 'D' SEQUENCE BY ts COLUMNS * EXCEPT (op, ts) STORED AS SCD TYPE 2;
