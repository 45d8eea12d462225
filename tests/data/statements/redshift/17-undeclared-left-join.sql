-- edge: raw.a#id -> dw.ab#id IDENTITY
-- edge: raw.b#nm -> dw.ab#nm IDENTITY
-- edge: raw.a#bid -> dw.ab JOIN
-- edge: raw.b#id -> dw.ab JOIN
-- completeness: any

CREATE TABLE dw.ab AS SELECT a.id, b.nm FROM raw.a a LEFT JOIN raw.b b ON a.bid = b.id;
