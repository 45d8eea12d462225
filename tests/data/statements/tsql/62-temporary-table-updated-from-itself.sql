-- completeness: complete
-- edge: dim.r#id -> dw.a JOIN
-- edge: dim.r#rate -> dw.a#v TRANSFORMATION
-- edge: stg.a#id -> dw.a JOIN
-- edge: stg.a#id -> dw.a#id IDENTITY
-- edge: stg.a#ok -> dw.a FILTER
-- edge: stg.a#v -> dw.a#v IDENTITY
-- edge: stg.a#v -> dw.a#v TRANSFORMATION

SELECT a.id, a.v INTO #a FROM stg.a a WHERE a.ok = 1
CREATE CLUSTERED INDEX ix ON #a (id)
UPDATE #a SET v = v * r.rate FROM #a INNER JOIN dim.r r ON r.id = #a.id
INSERT INTO dw.a (id, v) SELECT id, v FROM #a
