-- columns: dwd.j(id, u)
-- edge: ods.j#id -> dwd.j#id IDENTITY
-- edge: ods.j#doc -> dwd.j#u TRANSFORMATION
-- edge: ods.j#doc -> dwd.j FILTER
-- completeness: any

INSERT INTO dwd.j
SELECT id, json_extract_string(doc, '$.u') FROM ods.j WHERE json_extract_string(doc, '$.t') = 'x';
