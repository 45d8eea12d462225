-- columns: d.ev(ts, uid)
-- edge: d.ev#ts -> d.ev2#ts IDENTITY
-- edge: d.ev#uid -> d.ev2#uid IDENTITY
-- completeness: any

CREATE TABLE d.ev2 CLONE AS d.ev ENGINE = MergeTree ORDER BY ts
