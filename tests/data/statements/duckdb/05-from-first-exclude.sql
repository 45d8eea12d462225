-- columns: raw.x(id, secret, v)
-- edge: raw.x#id -> dw.x#id IDENTITY
-- edge: raw.x#v -> dw.x#v IDENTITY
-- edge: raw.x#v -> dw.x FILTER
-- completeness: complete

CREATE TABLE dw.x AS
FROM raw.x SELECT * EXCLUDE (secret) WHERE v > 0;
