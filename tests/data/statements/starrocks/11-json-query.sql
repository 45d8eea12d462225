-- columns: dwd.j(id, u, n)
-- edge: ods.j#id -> dwd.j#id IDENTITY
-- edge: ods.j#doc -> dwd.j#u TRANSFORMATION
-- edge: ods.j#doc -> dwd.j#n TRANSFORMATION
-- completeness: any

INSERT INTO dwd.j
SELECT id, get_json_string(doc, '$.u'), get_json_int(doc, '$.n') FROM ods.j;
