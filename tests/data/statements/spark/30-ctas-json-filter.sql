-- columns: s.e(id,payload,at)
-- edge: s.e#id -> d.e#id IDENTITY
-- edge: s.e#payload -> d.e#kind TRANSFORMATION
-- edge: s.e#at -> d.e#day TRANSFORMATION
-- edge: s.e#payload -> d.e FILTER
-- completeness: complete

CREATE OR REPLACE TABLE d.e USING delta PARTITIONED BY (day) AS SELECT id, get_json_object(payload, '$.kind') AS kind, date(at) AS day FROM s.e WHERE get_json_object(payload, '$.ok') = 'true'
