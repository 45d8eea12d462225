-- columns: d.a(x)
-- columns: d.b(x)
-- edge: d.a#x -> d.b#x IDENTITY
-- edge: d.b#x -> d.a#x IDENTITY
-- completeness: complete

ALTER TABLE d.a REPLACE WITH TABLE b
