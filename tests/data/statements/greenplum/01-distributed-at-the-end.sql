-- completeness: complete
-- edge: raw.t#id -> dw.t#id IDENTITY
-- edge: raw.t#v -> dw.t FILTER
-- edge: raw.t#v -> dw.t#v IDENTITY

CREATE TABLE dw.t WITH (appendoptimized = true, orientation = column) AS SELECT id, v FROM raw.t WHERE v > 1 DISTRIBUTED BY (id)
