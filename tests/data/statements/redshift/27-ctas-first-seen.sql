-- columns: s.l(id,at)
-- edge: s.l#id -> d.m#id IDENTITY
-- edge: s.l#at -> d.m#first AGGREGATION
-- edge: s.l#id -> d.m GROUP_BY
-- completeness: complete

CREATE TABLE d.m DISTSTYLE KEY DISTKEY (id) SORTKEY (first) AS SELECT id, min(at) AS first FROM s.l GROUP BY id
