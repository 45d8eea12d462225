-- columns: raw.k(id, st, alt, v)
-- columns: dw.k(id, label, val)
-- edge: raw.k#id -> dw.k#id IDENTITY
-- edge: raw.k#st -> dw.k#label CONDITIONAL
-- edge: raw.k#v -> dw.k#val TRANSFORMATION
-- edge: raw.k#alt -> dw.k#val TRANSFORMATION
-- completeness: complete

INSERT INTO dw.k
SELECT id, DECODE(st, 'A', 'active', 'X', 'closed', 'other'), NVL(v, alt) FROM raw.k;
