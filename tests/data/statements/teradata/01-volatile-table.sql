-- completeness: complete
-- edge: raw.a#id -> dw.a GROUP_BY
-- edge: raw.a#id -> dw.a JOIN
-- edge: raw.a#id -> dw.a#id IDENTITY
-- edge: raw.a#ts -> dw.a JOIN
-- edge: raw.a#ts -> dw.a#mts AGGREGATION
-- edge: raw.a#v -> dw.a#v IDENTITY

CREATE VOLATILE TABLE vt AS (SELECT id, MAX(ts) AS mts FROM raw.a GROUP BY 1) WITH DATA PRIMARY INDEX (id) ON COMMIT PRESERVE ROWS;
INSERT INTO dw.a (id, mts, v) SELECT vt.id, vt.mts, a.v FROM vt INNER JOIN raw.a a ON a.id = vt.id AND a.ts = vt.mts
