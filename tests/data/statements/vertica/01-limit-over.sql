-- completeness: complete
-- edge: raw.t#id -> dw.t FILTER
-- edge: raw.t#id -> dw.t#id IDENTITY
-- edge: raw.t#ts -> dw.t FILTER
-- edge: raw.t#v -> dw.t#v IDENTITY

CREATE TABLE dw.t AS SELECT id, v FROM raw.t LIMIT 1 OVER (PARTITION BY id ORDER BY ts DESC) SEGMENTED BY HASH(id) ALL NODES
