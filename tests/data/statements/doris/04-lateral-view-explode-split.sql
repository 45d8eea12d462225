-- columns: ods.l(id, csv)
-- columns: dwd.l(id, tag)
-- edge: ods.l#id -> dwd.l#id IDENTITY
-- edge: ods.l#csv -> dwd.l#tag TRANSFORMATION
-- edge: ods.l#csv -> dwd.l FILTER
-- completeness: complete

INSERT INTO dwd.l
SELECT id, tag FROM ods.l LATERAL VIEW explode_split(csv, ',') tmp AS tag WHERE csv <> '';
