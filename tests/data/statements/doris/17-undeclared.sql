-- edge: ods.a#id -> dw.ab#id IDENTITY
-- edge: ods.b#w -> dw.ab#w IDENTITY
-- edge: ods.a#k -> dw.ab JOIN
-- edge: ods.b#k -> dw.ab JOIN
-- edge: ods.a#dt -> dw.ab FILTER
-- completeness: any

INSERT INTO dw.ab (id, w) SELECT a.id, b.w FROM ods.a a JOIN ods.b b ON a.k = b.k WHERE a.dt = '${dt}';
