-- columns: stg.p(id, v)
-- columns: dw.p(id, v)
-- edge: stg.p#id -> dw.p#id IDENTITY
-- edge: stg.p#v -> dw.p#v IDENTITY
-- completeness: complete

INSERT INTO dw.p TEMPORARY PARTITION (tp1) (id, v) SELECT id, v FROM stg.p;
