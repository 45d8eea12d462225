-- columns: s.x(id,st,ver)
-- edge: s.x#id -> d.y#id IDENTITY
-- edge: s.x#st -> d.y#st AGGREGATION
-- edge: s.x#ver -> d.y#st AGGREGATION
-- edge: s.x#id -> d.y GROUP_BY
-- completeness: complete

CREATE TABLE d.y ENGINE = MergeTree ORDER BY id AS SELECT id, argMax(st, ver) AS st FROM s.x GROUP BY id
