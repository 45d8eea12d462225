-- columns: stg.d(id, v)
-- columns: dw.d(id, v)
-- edge: stg.d#id -> dw.d#id IDENTITY
-- edge: stg.d#v -> dw.d#v IDENTITY
-- completeness: complete

ALTER TABLE dw.d ADD TEMPORARY PARTITION tp1 VALUES LESS THAN ("2024-02-01");
INSERT INTO dw.d TEMPORARY PARTITION (tp1) SELECT id, v FROM stg.d;
ALTER TABLE dw.d REPLACE PARTITION (p1) WITH TEMPORARY PARTITION (tp1);
