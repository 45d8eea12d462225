-- columns: s.a(id,n)
-- columns: d.t(id,n)
-- edge: s.a#id -> d.t#id IDENTITY
-- edge: s.a#n -> d.t#n IDENTITY
-- completeness: complete

INSERT OVERWRITE d.t PARTITION (p20260101) WITH LABEL l_1 SELECT id, n FROM s.a
