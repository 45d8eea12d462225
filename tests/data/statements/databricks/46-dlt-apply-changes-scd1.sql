-- columns: d.cdc(id,name,op,ts)
-- edge: d.cdc#id -> d.tgt#id IDENTITY
-- edge: d.cdc#name -> d.tgt#name IDENTITY
-- edge: d.cdc#id -> d.tgt JOIN
-- edge: d.tgt#id -> d.tgt JOIN
-- edge: d.cdc#ts -> d.tgt FILTER
-- edge: d.cdc#op -> d.tgt FILTER
-- note: key joins, order decides, delete condition filters
-- completeness: complete

CREATE OR REFRESH STREAMING TABLE d.tgt;
APPLY CHANGES INTO d.tgt FROM STREAM(d.cdc) KEYS (id) APPLY AS DELETE WHEN op = 'D' SEQUENCE BY ts COLUMNS * EXCEPT (op, ts) STORED AS SCD TYPE 1;
