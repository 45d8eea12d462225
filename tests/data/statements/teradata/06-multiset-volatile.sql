-- completeness: complete
-- edge: dw.v#id -> dw.v FILTER
-- edge: raw.v#d -> dw.v FILTER
-- edge: raw.v#id -> dw.v FILTER
-- edge: raw.v#id -> dw.v#id IDENTITY
-- edge: raw.v#v -> dw.v#v IDENTITY

CREATE MULTISET VOLATILE TABLE v1 (id INT, v INT) PRIMARY INDEX (id) ON COMMIT PRESERVE ROWS;
INS INTO v1 SEL id, v FROM raw.v WHERE d = DATE;
DEL FROM dw.v WHERE id IN (SEL id FROM v1);
INSERT INTO dw.v (id, v) SELECT id, v FROM v1
