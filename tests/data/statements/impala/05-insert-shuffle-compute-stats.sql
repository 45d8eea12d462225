-- columns: s.a(id,v,m)
-- columns: d.a(id,v,m)
-- edge: s.a#id -> d.a#id IDENTITY
-- edge: s.a#v -> d.a#v IDENTITY
-- edge: s.a#m -> d.a#m IDENTITY
-- completeness: complete

INSERT OVERWRITE d.a PARTITION (m) /* +SHUFFLE */ SELECT id, v, m FROM s.a;
COMPUTE STATS d.a;
INVALIDATE METADATA d.a;
