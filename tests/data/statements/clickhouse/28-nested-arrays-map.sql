-- columns: raw.n(id, keys, vals)
-- columns: dw.n(id, k, v)
-- edge: raw.n#id -> dw.n#id IDENTITY
-- edge: raw.n#keys -> dw.n#k IDENTITY
-- edge: raw.n#vals -> dw.n#v IDENTITY
-- completeness: complete

INSERT INTO dw.n
SELECT id, k, v FROM raw.n ARRAY JOIN keys AS k, vals AS v;
