-- columns: s.a(id,v)
-- edge: s.a#id -> d.a#id IDENTITY
-- edge: s.a#v -> d.a#v IDENTITY
-- edge: s.a#v -> d.a FILTER
-- completeness: complete

CREATE TABLE d.a WITH (appendonly=true, orientation=column, compresstype=zstd) AS SELECT id, v FROM s.a WHERE v > 0 DISTRIBUTED BY (id);
