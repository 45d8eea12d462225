-- edge: ods.a#id -> dw.ab#id IDENTITY
-- edge: ods.b#w -> dw.ab#w TRANSFORMATION
-- edge: ods.a#id -> dw.ab JOIN
-- edge: ods.b#aid -> dw.ab JOIN
-- completeness: any

INSERT INTO dw.ab (id, w) SELECT a.id, IFNULL(b.w, 0) FROM ods.a a LEFT JOIN ods.b b ON b.aid = a.id;
