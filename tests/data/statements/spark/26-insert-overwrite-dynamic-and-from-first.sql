-- columns: raw.a(id, v, region, dt)
-- columns: dw.a(id, v, region, dt)
-- columns: dw.bad(id, dt)
-- edge: raw.a#id -> dw.a#id IDENTITY
-- edge: raw.a#v -> dw.a#v IDENTITY
-- edge: raw.a#region -> dw.a#region IDENTITY
-- edge: raw.a#dt -> dw.a#dt IDENTITY
-- edge: raw.a#v -> dw.a FILTER
-- edge: raw.a#id -> dw.bad#id IDENTITY
-- edge: raw.a#dt -> dw.bad#dt IDENTITY
-- edge: raw.a#v -> dw.bad FILTER
-- completeness: complete

FROM raw.a
INSERT OVERWRITE TABLE dw.a PARTITION (region, dt) SELECT id, v, region, dt WHERE v IS NOT NULL
INSERT INTO TABLE dw.bad SELECT id, dt WHERE v IS NULL;
