-- columns: c.s.src(id,v,ts)
-- columns: c.d.tgt(id,v,ts)
-- edge: c.s.src#id -> c.d.tgt#id IDENTITY
-- edge: c.s.src#v -> c.d.tgt#v IDENTITY
-- edge: c.s.src#ts -> c.d.tgt#ts IDENTITY
-- edge: c.s.src#id -> c.d.tgt JOIN
-- edge: c.d.tgt#id -> c.d.tgt JOIN
-- edge: c.s.src#ts -> c.d.tgt FILTER
-- edge: c.d.tgt#ts -> c.d.tgt FILTER
-- completeness: complete

MERGE WITH SCHEMA EVOLUTION INTO c.d.tgt t USING c.s.src s ON t.id = s.id WHEN MATCHED AND s.ts > t.ts THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *
