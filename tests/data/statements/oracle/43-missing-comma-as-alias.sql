-- columns: S.E(K, V)
-- edge: S.E#K -> D.A#V IDENTITY
-- completeness: complete
-- note: a forgotten comma is an alias; the engine reads it so too

CREATE TABLE d.a AS SELECT k v FROM s.e
