-- completeness: complete
-- edge: raw.a#id -> dw.t#id IDENTITY
-- edge: raw.a#v -> dw.t FILTER
-- edge: raw.a#v -> dw.t#v IDENTITY

CREATE SINK s INTO dw.t AS SELECT id, v FROM raw.a WHERE v > 1
