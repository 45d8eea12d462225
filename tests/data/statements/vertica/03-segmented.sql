-- completeness: complete
-- edge: raw.t#id -> dw.t SORT
-- edge: raw.t#id -> dw.t#id IDENTITY
-- edge: raw.t#v -> dw.t#v IDENTITY

CREATE TABLE dw.t AS SELECT id, v FROM raw.t ORDER BY id SEGMENTED BY hash(id) ALL NODES KSAFE 1
