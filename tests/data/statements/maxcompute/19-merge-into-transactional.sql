-- columns: stg.u(id, v, op)
-- edge: stg.u#id -> dw.t#id IDENTITY
-- edge: stg.u#v -> dw.t#v IDENTITY
-- edge: stg.u#id -> dw.t JOIN
-- edge: dw.t#id -> dw.t JOIN
-- edge: stg.u#op -> dw.t FILTER
-- completeness: complete

CREATE TABLE IF NOT EXISTS dw.t (id BIGINT NOT NULL, v STRING, PRIMARY KEY (id)) TBLPROPERTIES ('transactional'='true');
MERGE INTO dw.t AS t USING stg.u AS s ON t.id = s.id
WHEN MATCHED AND s.op = 'D' THEN DELETE
WHEN MATCHED THEN UPDATE SET v = s.v
WHEN NOT MATCHED THEN INSERT VALUES (s.id, s.v);
