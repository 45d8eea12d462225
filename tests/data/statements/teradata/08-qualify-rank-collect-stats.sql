-- columns: stg.s(id,v,ts)
-- columns: dw.t(id,v)
-- edge: stg.s#id -> dw.t#id IDENTITY
-- edge: stg.s#v -> dw.t#v IDENTITY
-- edge: stg.s#id -> dw.t FILTER
-- edge: stg.s#ts -> dw.t FILTER
-- completeness: complete

DELETE FROM dw.t ALL;
INSERT INTO dw.t (id, v) SEL id, v FROM stg.s QUALIFY ROW_NUMBER() OVER (PARTITION BY id ORDER BY ts DESC) = 1;
COLLECT STATISTICS COLUMN (id) ON dw.t;
