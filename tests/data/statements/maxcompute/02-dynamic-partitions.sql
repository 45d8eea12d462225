-- columns: ods.e(id, v, region, ds)
-- columns: dw.e(id, v, ds, region)
-- edge: ods.e#id -> dw.e#id IDENTITY
-- edge: ods.e#v -> dw.e#v IDENTITY
-- edge: ods.e#ds -> dw.e#ds IDENTITY
-- edge: ods.e#region -> dw.e#region IDENTITY
-- completeness: complete

INSERT INTO TABLE dw.e PARTITION (ds, region)
SELECT id, v, ds, region FROM ods.e;
