-- columns: dw.u(id, nm)
-- edge: raw.u#id -> dw.u#id IDENTITY
-- edge: raw.u#nm -> dw.u#nm IDENTITY
-- edge: raw.u#id -> dw.u FILTER
-- edge: raw.u#ts -> dw.u FILTER
-- completeness: any

INSERT INTO dw.u
SELECT id, nm FROM raw.u
QUALIFY row_number() OVER (PARTITION BY id ORDER BY ts DESC) = 1;
