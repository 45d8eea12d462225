-- completeness: complete
-- edge: raw.a#id -> dw.t#id IDENTITY
-- edge: raw.a#k -> dw.t JOIN
-- edge: raw.a#ts -> dw.t#yr TRANSFORMATION
-- edge: raw.b#k -> dw.t JOIN
-- edge: raw.b#v -> dw.t#v IDENTITY

INSERT OVERWRITE dw.t PARTITION (yr, mo=1) /* +SHUFFLE */ SELECT STRAIGHT_JOIN a.id, b.v, year(a.ts) AS yr FROM raw.a a JOIN /* +BROADCAST */ raw.b b ON a.k = b.k
