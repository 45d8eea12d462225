-- columns: dw.pt(id, tag)
-- edge: raw.p#id -> dw.pt#id IDENTITY
-- edge: raw.p#tags -> dw.pt#tag TRANSFORMATION
-- edge: raw.p#tags -> dw.pt FILTER
-- completeness: any

INSERT INTO dw.pt (id, tag)
SELECT p.id, LTRIM(RTRIM(x.value))
FROM raw.p AS p
CROSS APPLY STRING_SPLIT(p.tags, ',') AS x
WHERE x.value <> '';
