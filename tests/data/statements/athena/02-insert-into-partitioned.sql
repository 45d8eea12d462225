-- columns: raw.e(id, v, dt)
-- columns: dw.e(id, v, dt)
-- edge: raw.e#id -> dw.e#id IDENTITY
-- edge: raw.e#v -> dw.e#v IDENTITY
-- edge: raw.e#dt -> dw.e#dt IDENTITY
-- edge: raw.e#dt -> dw.e FILTER
-- completeness: complete

INSERT INTO dw.e SELECT id, v, dt FROM raw.e WHERE dt BETWEEN '2024-01-01' AND '2024-01-31';
